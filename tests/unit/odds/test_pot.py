"""Draws without putting back, against every possible hand and against published chances."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import combinations

import icepool
import pytest

from generator.odds.pot import Draw, Pot, draw

SMALL = Pot((("red", 0, 2), ("red", 1, 2), ("red", 3, 1), ("green", 2, 2)), (("boom", 1), ("stop", 2)))
RED = frozenset({"red"})
GROUPS: list[frozenset[str]] = [frozenset(), RED, frozenset({"green"}), frozenset({"red", "green"})]


def hands(pot: Pot, counters: int, groups: frozenset[str]) -> Counter[Draw]:
    """Every hand of so many counters, each counter told from all others."""
    everything: list[tuple[str, int, str]] = []
    for group, number, count in pot.numbered:
        everything += [(group, number, "")] * count
    for mark, count in pot.marked:
        everything += [("", 0, mark)] * count
    found: Counter[Draw] = Counter()
    for hand in combinations(everything, counters):
        points = sum(number for group, number, _ in hand if group in groups)
        marks = frozenset(mark for _, _, mark in hand if mark)
        found[Draw(points, marks, sum(1 for _, _, mark in hand if not mark))] += 1
    return found


@pytest.mark.parametrize("groups", GROUPS)
@pytest.mark.parametrize("counters", range(6))
def test_every_hand_is_counted(counters: int, groups: frozenset[str]) -> None:
    assert dict(draw(SMALL, counters, groups).weights) == dict(hands(SMALL, counters, groups))


@pytest.mark.parametrize("counters", [1, 2, 3, 5])
def test_points_are_those_of_icepool(counters: int) -> None:
    deck = icepool.Deck({0: 2 + 2 + 1 + 2, 1: 2, 3: 1})  # green and marks count nothing
    dealt = deck.deal(counters).sum()
    mine = draw(SMALL, counters, RED).map(lambda what: what.points)
    assert {points: Fraction(ways, mine.total) for points, ways in mine.weights} == {
        int(points): Fraction(dealt.probability(points)) for points in dealt.outcomes()
    }


def test_all_ways_are_the_ways_to_choose() -> None:
    assert draw(SMALL, 4, RED).total == 210  # 10 counters, 4 of them
    assert draw(SMALL, 10, RED).weights == ((Draw(5, frozenset({"boom", "stop"}), 7), 1),)


@pytest.mark.parametrize("counters", [-1, 11])
def test_more_than_there_is_cannot_be_drawn(counters: int) -> None:
    with pytest.raises(ValueError, match="counters drawn from a pot of 10"):
        draw(SMALL, counters, RED)
