"""What holds for any pool: it is what all its dice come to, and icepool has the same."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import product

import icepool
from hypothesis import given, settings
from hypothesis import strategies as st

from generator.odds.dice import Pool, cut_short, roll_pool
from generator.odds.distribution import sum_of

FEW = st.lists(st.integers(1, 6), min_size=1, max_size=4).map(tuple)
SOME = st.lists(st.sampled_from((4, 6, 10)), min_size=1, max_size=5).map(tuple)


@given(FEW, st.integers(1, 5))
def test_the_highest_are_those_of_every_roll(sides: tuple[int, ...], keep: int) -> None:
    rolls = product(*(range(1, faces + 1) for faces in sides))
    counted = Counter(sum(sorted(roll, reverse=True)[:keep]) for roll in rolls)
    assert dict(roll_pool(Pool(sides, keep=keep)).weights) == counted


@given(FEW, st.integers(-1, 7))
def test_successes_are_those_of_every_roll(sides: tuple[int, ...], above: int) -> None:
    counted = Counter(sum(face > above for face in roll) for roll in product(*(range(1, one + 1) for one in sides)))
    every = sum(counted.values())
    found = roll_pool(Pool(sides, above=above))
    assert {value: found.probability(value) for value in range(len(sides) + 1)} == {
        value: Fraction(counted[value], every) for value in range(len(sides) + 1)
    }


@settings(max_examples=30)  # icepool takes its time
@given(SOME, st.integers(1, 6), st.integers(0, 2))
def test_the_highest_of_dice_that_are_rolled_again_are_those_of_icepool(
    sides: tuple[int, ...], keep: int, most: int
) -> None:
    dice = [icepool.d(one).explode(depth=most) if most else icepool.d(one) for one in sides]
    expected = icepool.Pool(dice).highest(min(keep, len(sides))).sum()
    found = roll_pool(Pool(sides, keep=keep, most=most))
    assert {value: found.probability(value) for value, _ in found.weights} == {
        value: Fraction(ways, expected.denominator()) for value, ways in expected.items()
    }


@given(SOME, st.integers(1, 3), st.integers(0, 21), st.one_of(st.none(), st.integers(0, 20)))
def test_one_more_roll_is_less_often_cut_short(sides: tuple[int, ...], most: int, on: int, above: int | None) -> None:
    chances = [cut_short(Pool(sides, above=above, again=on, most=some)) for some in (most, most + 1)]
    assert 0 <= chances[1] <= chances[0] <= 1
    assert chances[0] < 1 or on <= 1


@given(st.sampled_from((4, 6, 10)), st.integers(0, 5), st.integers(0, 5))
def test_sums_of_rolls_add_up(sides: int, some: int, more: int) -> None:
    die = roll_pool(Pool((sides,), most=1))
    assert sum_of(die, some + more) == sum_of(die, some).combine(sum_of(die, more), int.__add__)
