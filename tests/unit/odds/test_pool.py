"""Pools against icepool and against every roll counted by hand."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import product
from typing import Any

import icepool
import pytest

from generator.odds.dice import Pool, cut_short, roll_pool
from generator.odds.distribution import Distribution, sum_of

pytestmark = pytest.mark.slow


def shown(dist: Distribution[int]) -> dict[int, Fraction]:
    return {value: dist.probability(value) for value, _ in dist.weights}


def known(die: Any) -> dict[int, Fraction]:
    return {value: Fraction(ways, die.denominator()) for value, ways in die.items()}


def test_sixes_rolled_again_three_deep_are_every_way_of_rolling_four_dice() -> None:
    counted = Counter[int]()
    for faces in product(range(1, 7), repeat=4):
        rolled = next((place for place, face in enumerate(faces) if face < 6), 3)
        counted[sum(faces[: rolled + 1])] += 1
    assert shown(roll_pool(Pool((6,), most=3))) == {value: Fraction(ways, 6**4) for value, ways in counted.items()}
    assert cut_short(Pool((6,), most=3)) == Fraction(
        sum(faces == (6,) * 4 for faces in product(range(1, 7), repeat=4)), 6**4
    )


@pytest.mark.parametrize("most", [1, 2, 9])
@pytest.mark.parametrize(("sides", "on"), [(6, 6), (6, 5), (10, 8), (4, 4), (6, 7)])
def test_dice_that_are_rolled_again_add_up_as_in_icepool(sides: int, on: int, most: int) -> None:
    die = icepool.d(sides).explode(list(range(on, sides + 1)), depth=most)
    assert shown(roll_pool(Pool((sides,) * 3, again=on, most=most))) == known(3 @ die)
    assert shown(roll_pool(Pool((sides,) * 4, keep=2, again=on, most=most))) == known(die.highest(4, 2))


@pytest.mark.parametrize("most", [0, 1, 3])
def test_each_success_that_shows_the_face_gives_a_further_die(most: int) -> None:
    """Each die is a chain of dice; the next die is rolled only after a face to go on."""
    counted = Counter[int]()
    for faces in product(range(1, 7), repeat=most + 1):
        chain = next((place for place, face in enumerate(faces) if face < 6), most)
        counted[sum(face > 3 for face in faces[: chain + 1])] += 1
    once = Distribution(counted)
    expected = once.combine(once, int.__add__)
    assert roll_pool(Pool((6, 6), above=3, again=6, most=most)) == expected
    unlucky = Fraction(1, 6) ** (most + 1) if most else 0
    assert cut_short(Pool((6, 6), above=3, again=6, most=most)) == 1 - (1 - unlucky) ** 2


def test_only_a_success_gives_a_further_die() -> None:
    """Nothing comes above 5 but a 6: the 5s are not rolled again."""
    assert roll_pool(Pool((6,), above=5, again=5, most=2)) == roll_pool(Pool((6,), above=5, again=6, most=2))
    assert cut_short(Pool((6,), above=5, again=5, most=2)) == Fraction(1, 216)


@pytest.mark.parametrize("keep", [1, 2, 3, 10, 19, 20])
@pytest.mark.parametrize("sides", [6, 20])
def test_the_highest_of_twenty_dice_are_those_of_icepool(sides: int, keep: int) -> None:
    assert shown(roll_pool(Pool((sides,) * 20, keep=keep))) == known(icepool.d(sides).highest(20, keep))


def test_the_highest_of_mixed_dice_are_those_of_icepool() -> None:
    sides = (4, 4, 6, 8, 8, 12, 20)
    for keep in range(1, 8):
        expected = icepool.Pool([icepool.d(one) for one in sides]).highest(keep).sum()
        assert shown(roll_pool(Pool(sides, keep=keep))) == known(expected)


def test_what_is_too_large_is_refused_and_not_worked_out() -> None:
    for pool in (Pool((1000,) * 40, most=20), Pool((1000,) * 40, keep=20), Pool((1000,), again=1, most=20)):
        with pytest.raises(ValueError, match="too many"):
            roll_pool(pool)


def test_a_sum_of_rolls_is_that_of_icepool() -> None:
    die = icepool.Die({0: 2, 1: 1, Fraction(7, 2): 3})
    for times in range(8):
        assert shown(sum_of(Distribution(dict(die.items())), times)) == known(times @ die)
