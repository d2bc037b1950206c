"""Shots over hexes: against every way written out one by one."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from generator.odds.distribution import Distribution
from generator.odds.hexes import Walk

if TYPE_CHECKING:
    from generator.odds.hexes import Spot

RING = ((0, -1), (1, -1), (1, 0), (0, 1), (-1, 1), (-1, 0))
SKEW = ((0, -1), (1, 1), (2, -1), (-1, 0))
"""Directions that lead further than to the next hex."""
BODY = {(0, 0): 0, (0, 1): 1, (1, 0): 2, (-1, 2): 3, (0, -2): 4}


def every_way(
    start: Spot, by: dict[int | None, int], shots: int, ring: tuple[Spot, ...]
) -> list[tuple[list[Spot | None], int]]:
    """Where each shot strikes, the first with them, and the weight of that way; None is a shot that strikes nothing."""
    found: list[tuple[list[Spot | None], int]] = []
    for way in product(product(by, ring), repeat=shots):
        at, weight = start, 1
        struck: list[Spot | None] = [start]
        for far, (q, r) in way:
            weight *= by[far]
            if far is None:
                struck.append(None)
                continue
            at = at[0] + far * q, at[1] + far * r
            struck.append(at)
        found.append((struck, weight))
    return found


@pytest.mark.parametrize("ring", [RING, SKEW])
@pytest.mark.parametrize("by", [{1: 1}, {0: 1}, {2: 1}, {1: 2, 3: 1}, {0: 1, 1: 3, None: 2}, {-3: 1, 1: 1}])
@pytest.mark.parametrize("start", [(0, 0), (2, 1), (-3, -3), (9, 9)])
@pytest.mark.parametrize("shots", [0, 1, 3])
def test_strikes_and_places_are_those_of_every_way(
    ring: tuple[Spot, ...], by: dict[int | None, int], start: Spot, shots: int
) -> None:
    ways = every_way(start, by, shots, ring)
    total = sum(weight for _, weight in ways)
    walk = Walk(BODY, ring, Distribution(by), shots, 0)
    strikes = walk.strikes(start)
    for number in range(shots + 2):
        counted = sum(weight for struck, weight in ways if sum(spot in BODY for spot in struck) == number)
        assert strikes.probability(number) == Fraction(counted, total)
    places = walk.struck(start)
    for spot, place in BODY.items():
        counted = sum(weight * struck.count(spot) for struck, weight in ways)
        assert places.probability(place) == Fraction(counted, total * (shots + 1))
    assert sum(places.probability(place) for place, _ in places.weights) == 1


def test_a_walk_asked_from_several_starts_answers_each() -> None:
    walk = Walk(BODY, RING, Distribution.certain(1), 4, 0)
    for start in ((0, 0), (1, 1), (-3, 0), (0, 0)):
        fresh = Walk(BODY, RING, Distribution.certain(1), 4, 0)
        assert walk.strikes(start) == fresh.strikes(start)
        assert walk.struck(start) == fresh.struck(start)


def test_one_steered_shot_takes_the_best_of_three_ways() -> None:
    line = {(0, 0): 0, (0, 1): 1}
    walk = Walk(line, RING, Distribution.certain(1), 1, 1)
    # From (0, 0) the way down is the fourth of the ring: it is reached when the die shows it or one beside it.
    assert walk.strikes((0, 0)).probability(2) == Fraction(3, 6)


@settings(max_examples=30)
@given(shots=st.integers(1, 5), steered=st.integers(0, 5))
def test_steering_never_lessens_the_strikes(shots: int, steered: int) -> None:
    by = Distribution.certain(1)
    more, less = (Walk(BODY, RING, by, shots, some).strikes((0, 0)).mean() for some in (steered + 1, steered))
    assert more >= less
