from collections import Counter
from fractions import Fraction
from itertools import product

import pytest

from generator.odds.dice import LADDER, Pool, dice_sum, die, roll_pool, shift

POOLS = [(4,), (1, 1), (4, 4), (6, 4), (4, 12, 6), (1, 20, 3), (8, 8, 8, 8)]


def rolls(sides: tuple[int, ...]) -> list[tuple[int, ...]]:
    return list(product(*(range(1, faces + 1) for faces in sides)))


def test_the_ladder_runs_from_d4_to_d12() -> None:
    assert LADDER == (4, 6, 8, 10, 12)


@pytest.mark.parametrize(
    ("start", "steps", "reached"),
    [(4, 0, 4), (4, 1, 6), (6, 2, 10), (12, -1, 10), (10, -3, 4), (12, 1, 12), (10, 5, 12), (4, -1, 4), (6, -9, 4)],
)
def test_a_shift_stays_at_the_end_of_the_ladder(start: int, steps: int, reached: int) -> None:
    assert shift(start, steps) == reached


@pytest.mark.parametrize("sides", [20, 0, 5, -4])
def test_a_die_off_the_ladder_does_not_shift(sides: int) -> None:
    with pytest.raises(ValueError, match=f"D{sides} is not on the ladder"):
        shift(sides, 0)


def test_a_die_shows_each_face_as_likely() -> None:
    assert die(20).weights == tuple((face, 1) for face in range(1, 21))
    assert die(1).weights == ((1, 1),)


@pytest.mark.parametrize("sides", POOLS)
def test_highest_counts_every_roll(sides: tuple[int, ...]) -> None:
    assert dict(roll_pool(Pool(sides, keep=1)).weights) == Counter(max(roll) for roll in rolls(sides))


@pytest.mark.parametrize("sides", POOLS)
def test_dice_sum_counts_every_roll(sides: tuple[int, ...]) -> None:
    assert dict(dice_sum(*sides).weights) == Counter(sum(roll) for roll in rolls(sides))


def test_many_dice_are_counted_not_enumerated() -> None:
    assert roll_pool(Pool((100,) * 50, keep=1)).probability(100) == 1 - Fraction(99, 100) ** 50
    assert dice_sum(*[6] * 100).mean() == 350
