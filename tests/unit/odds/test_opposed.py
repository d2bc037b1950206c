from collections import Counter
from fractions import Fraction
from itertools import product
from math import prod

import icepool
import pytest

from generator.odds.dice import LADDER
from generator.odds.opposed import opposed

PUBLISHED = {
    4: (0.375, 0.25, 0.1875, 0.15, 0.125),
    6: (0.5833, 0.4167, 0.3125, 0.25, 0.2083),
    8: (0.6875, 0.5625, 0.4375, 0.35, 0.2917),
    10: (0.75, 0.65, 0.55, 0.45, 0.375),
    12: (0.7917, 0.7083, 0.625, 0.5417, 0.4583),
}
"""How likely a die of the firer's (row) is to beat one of the target's (column, D4 to D12), as printed."""

POOLS = [
    ((8, 8), (8,)),
    ((12,), (4, 4)),
    ((4, 4), (12,)),
    ((6, 10), (8, 4, 6)),
    ((1,), (1,)),
    ((1, 1), (2,)),
    ((3, 5, 7), (20,)),
    ((20,), (3, 5, 7)),
]


def counted(attacker: tuple[int, ...], defender: tuple[int, ...]) -> dict[str, int]:
    sides = [*attacker, *defender]
    tally: Counter[str] = Counter()
    for roll in product(*(range(1, faces + 1) for faces in sides)):
        mine, theirs = max(roll[: len(attacker)]), max(roll[len(attacker) :])
        tally["above" if mine > theirs else "level" if mine == theirs else "below"] += 1
    return dict(tally)


@pytest.mark.parametrize(("attacker", "defender"), POOLS)
def test_opposed_counts_every_roll(attacker: tuple[int, ...], defender: tuple[int, ...]) -> None:
    odds = opposed(attacker, defender)
    assert dict(odds.weights) == counted(attacker, defender)
    assert odds.total == prod(attacker) * prod(defender)


@pytest.mark.parametrize("firer", LADDER)
def test_one_die_against_one_gives_the_published_grid(firer: int) -> None:
    for target, printed in zip(LADDER, PUBLISHED[firer], strict=True):
        assert round(float(opposed([firer], [target]).probability("above")), 4) == printed


def test_one_die_against_the_better_of_two() -> None:
    assert opposed([8], [6, 6]).probability("above") == Fraction(127, 288)


@pytest.mark.parametrize("armour", LADDER)
def test_icepool_says_the_same_for_every_pair_of_dice(armour: int) -> None:
    names = {1: "above", 0: "level", -1: "below"}
    for power, impact in product(LADDER, LADDER):
        best = icepool.highest(icepool.d(power), icepool.d(impact))
        margin = (best - icepool.d(armour)).sign()
        theirs = {names[sign]: margin.probability(sign) for sign in margin.outcomes()}
        assert {name: weight for name, weight in theirs.items() if weight} == {
            name: Fraction(weight, power * impact * armour)
            for name, weight in opposed([power, impact], [armour]).weights
        }


def test_dice_by_the_hundred_are_counted_not_enumerated() -> None:
    odds = opposed([100] * 60, [100] * 60)
    assert odds.total == 100**120
    assert odds.probability("above") == odds.probability("below")


@pytest.mark.parametrize(("attacker", "defender"), [([], [4]), ([4], [])])
def test_each_side_needs_a_die(attacker: list[int], defender: list[int]) -> None:
    with pytest.raises(ValueError, match="no dice to roll"):
        opposed(attacker, defender)


@pytest.mark.parametrize(("attacker", "defender"), [([4, 0], [4]), ([4], [4, -1])])
def test_each_die_needs_a_side(attacker: list[int], defender: list[int]) -> None:
    with pytest.raises(ValueError, match="at least one side"):
        opposed(attacker, defender)
