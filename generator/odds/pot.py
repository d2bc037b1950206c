"""Counters drawn from a pot without being put back: numbered counters in groups, and marked counters."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from functools import lru_cache
from math import comb
from typing import NamedTuple, TypeVar

from generator.odds.distribution import Distribution

_DEEP = 6
"""The least number of draws that a table is computed for; smaller draws use the same table."""

T = TypeVar("T")
R = TypeVar("R")


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
    marked: tuple[tuple[str, int], ...]
    """Tuples of mark and count."""

    @property
    def size(self) -> int:
        """The number of counters in the pot.

        >>> Pot((("red", 1, 2), ("green", 0, 1)), (("boom", 1),)).size
        4
        """
        return sum(count for *_, count in self.numbered) + sum(count for _, count in self.marked)


@lru_cache(maxsize=128)
def draw(pot: Pot, counters: int, groups: frozenset[str]) -> Distribution[Draw]:
    """Return the odds of each draw of ``counters`` counters; only numbers of these groups count as points.

    The total weight is the number of ways to choose so many counters. Raises ValueError for a negative number of
    counters, and for more counters than there are.

    >>> pot = Pot((("red", 1, 2), ("green", 3, 1)), (("boom", 1),))
    >>> [(tuple(what.marks), what.points, ways) for what, ways in draw(pot, 1, frozenset({"red"})).weights]
    [(('boom',), 0, 1), ((), 0, 1), ((), 1, 2)]
    >>> draw(pot, 2, frozenset({"red", "green"})).where(lambda what: what.points >= 4)
    Fraction(1, 3)
    """
    if not 0 <= counters <= pot.size:
        raise ValueError(f"{counters} counters drawn from a pot of {pot.size}")
    worth = Counter[int]()
    for group, number, count in pot.numbered:
        worth[number if group in groups else 0] += count
    deep = max(counters, _DEEP)
    numbered = _ways(tuple(sorted(worth.items())), deep, 0, _with_points)
    marked = _ways(pot.marked, deep, frozenset[str](), _with_mark)
    return Distribution(
        (Draw(points, marks, unmarked), ways * more)
        for unmarked in range(counters + 1)
        for points, ways in numbered[unmarked].items()
        for marks, more in marked[counters - unmarked].items()
    )


def _with_points(points: int, number: int, taken: int) -> int:
    """Return these points with ``taken`` more counters added, which count ``number`` each."""
    return points + number * taken


def _with_mark(marks: frozenset[str], mark: str, taken: int) -> frozenset[str]:
    """Return the marks, with ``mark`` added if any counters with it are ``taken``."""
    return marks | {mark} if taken else marks


@lru_cache(maxsize=256)
def _ways(
    counters: tuple[tuple[T, int], ...], most: int, nothing: R, with_taken: Callable[[R, T, int], R]
) -> tuple[Mapping[R, int], ...]:
    """Return, for 0 to ``most`` drawn counters, a mapping from each result to the number of draws that give it.

    ``counters`` has each kind of counter with its count. ``nothing`` is the result of no counter, and ``with_taken``
    adds some counters of a kind to a result. The order of drawing does not count.
    """
    table: list[dict[R, int]] = [{nothing: 1}, *({} for _ in range(most))]
    for kind, count in counters:
        grown: list[dict[R, int]] = [{} for _ in range(most + 1)]
        for taken in range(min(count, most) + 1):
            choices = comb(count, taken)
            for before in range(most + 1 - taken):
                drawn = grown[before + taken]
                for result, ways in table[before].items():
                    after = with_taken(result, kind, taken)
                    drawn[after] = drawn.get(after, 0) + ways * choices
        table = grown
    return tuple(table)
