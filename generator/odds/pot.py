"""Counters drawn from a pot without being put back: numbered counters in groups, and marked counters."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from functools import lru_cache
from math import comb
from typing import NamedTuple, TypeAlias

from generator.odds.distribution import Distribution

_DEEP = 6
"""The least number of draws that a table is computed for; smaller draws use the same table."""

Counts: TypeAlias = tuple[tuple[int, int], ...]
Marks: TypeAlias = tuple[tuple[str, int], ...]


class Draw(NamedTuple):
    """The result of a draw: the sum of the numbers that count, the marks, and how many counters have a number.

    A mark that is drawn several times is there once. ``numbered`` also counts the counters of other groups.
    """

    points: int
    marks: frozenset[str]
    numbered: int


class Pot(NamedTuple):
    """The contents of a pot: the number of counters of each group and number, and of each mark."""

    numbered: tuple[tuple[str, int, int], ...]
    """Tuples of group, number and count."""
    marked: Marks
    """Tuples of mark and count."""

    @property
    def size(self) -> int:
        """The number of counters in the pot.

        >>> Pot((("red", 1, 2), ("green", 0, 1)), (("boom", 1),)).size
        4
        """
        return sum(count for *_, count in self.numbered) + sum(count for _, count in self.marked)


def draw(pot: Pot, counters: int, groups: Collection[str]) -> Distribution[Draw]:
    """Return the draws of ``counters`` counters from the pot; only numbers of these groups count as points.

    The total weight is the number of ways to choose so many counters. Raises ValueError for a negative number of
    counters, for more counters than there are, or for a counter with a number below 0.

    >>> pot = Pot((("red", 1, 2), ("green", 3, 1)), (("boom", 1),))
    >>> [(tuple(what.marks), what.points, ways) for what, ways in draw(pot, 1, ["red"]).weights]
    [(('boom',), 0, 1), ((), 0, 1), ((), 1, 2)]
    >>> draw(pot, 2, ["red", "green"]).where(lambda what: what.points >= 4)
    Fraction(1, 3)
    """
    return Distribution({Draw(*what): ways for what, ways in ways_to_draw(pot, counters, frozenset(groups)).items()})


@lru_cache(maxsize=128)
def ways_to_draw(pot: Pot, counters: int, groups: frozenset[str]) -> Mapping[tuple[int, frozenset[str], int], int]:
    """Return the draws as ``draw`` does, but as a cached mapping of tuples (points, marks, numbered) to their weights.

    Raises ValueError as ``draw`` does.

    >>> pot = Pot((("red", 1, 2), ("green", 3, 1)), (("boom", 1),))
    >>> ways_to_draw(pot, 2, frozenset({"red"}))[1, frozenset({"boom"}), 1]
    2
    """
    if not 0 <= counters <= pot.size:
        raise ValueError(f"{counters} counters drawn from a pot of {pot.size}")
    worth: dict[int, int] = {}
    for group, number, count in pot.numbered:
        if number < 0:
            raise ValueError(f"a number below 0 in the pot: {number}")
        value = number if group in groups else 0
        worth[value] = worth.get(value, 0) + count
    deep = max(counters, _DEEP)
    numbered = _numbered(tuple(sorted(worth.items())), deep)
    marked = _marked(pot.marked, deep)
    return {
        (points, marks, unmarked): ways * more
        for unmarked in range(counters + 1)
        for points, ways in numbered[unmarked].items()
        for marks, more in marked[counters - unmarked].items()
    }


@lru_cache(maxsize=256)
def _numbered(worth: Counts, most: int) -> tuple[Mapping[int, int], ...]:
    """Return, for 0 to ``most`` drawn counters, a mapping from each sum of points to the number of draws that give it.

    The order of drawing does not count.
    """
    table: list[dict[int, int]] = [{0: 1}, *({} for _ in range(most))]
    for value, count in worth:
        grown: list[dict[int, int]] = [{} for _ in range(most + 1)]
        for taken in range(min(count, most) + 1):
            choices = comb(count, taken)
            for before in range(most + 1 - taken):
                sums = grown[before + taken]
                for points, ways in table[before].items():
                    total = points + value * taken
                    sums[total] = sums.get(total, 0) + ways * choices
        table = grown
    return tuple(table)


@lru_cache(maxsize=64)
def _marked(marks: Marks, most: int) -> tuple[Mapping[frozenset[str], int], ...]:
    """Return, for each number of marked counters up to ``most``, the number of ways to each set of marks."""
    table: list[dict[frozenset[str], int]] = [{frozenset(): 1}, *({} for _ in range(most))]
    for mark, count in marks:
        grown: list[dict[frozenset[str], int]] = [{} for _ in range(most + 1)]
        for taken in range(min(count, most) + 1):
            choices = comb(count, taken)
            for before in range(most + 1 - taken):
                sets = grown[before + taken]
                for marks_so_far, ways in table[before].items():
                    both = marks_so_far | {mark} if taken else marks_so_far
                    sets[both] = sets.get(both, 0) + ways * choices
        table = grown
    return tuple(table)
