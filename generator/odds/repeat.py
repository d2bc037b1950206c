"""The same roll several times: the first outcome in an order, the number of each outcome, or the sum."""

from __future__ import annotations

from functools import lru_cache
from math import comb
from operator import add
from typing import TYPE_CHECKING, TypeVar

from generator.odds.distribution import Distribution

if TYPE_CHECKING:
    from collections.abc import Sequence
    from fractions import Fraction

T = TypeVar("T")
Number = TypeVar("Number", int, "int | Fraction")

MAX_WORK = 2_000_000
"""How many pairs of values are combined at most: about a second's work."""


def check_work(pairs: int) -> None:
    """Raise ValueError if more than ``MAX_WORK`` pairs of values would be combined.

    >>> check_work(10**9)
    Traceback (most recent call last):
    ValueError: too many different results to work out
    """
    if pairs > MAX_WORK:
        raise ValueError("too many different results to work out")


def first_of(dist: Distribution[T], order: Sequence[T], times: int) -> Distribution[T]:
    """Return the odds of the outcome that comes first in ``order`` among ``times`` independent rolls of ``dist``.

    With the worst state first, this is the state after several hits. ``order`` names every value that can come up, and
    may name more; the result is in this order. The total weight is the ``times``-th power of the total of ``dist``.
    Raises ValueError for less than one roll, and for a value that is missing in ``order`` or named twice.

    >>> shot = Distribution({"missed": 3, "dead": 1, "hurt": 2})
    >>> first_of(shot, ["dead", "hurt", "missed"], 2)
    Distribution({'dead': 11, 'hurt': 16, 'missed': 9})
    """
    if times < 1:
        raise ValueError(f"at least one roll, not {times}")
    ways = dict(dist.weights)
    lacking = [value for value in ways if value not in order]
    if lacking:
        raise ValueError(f"{lacking[0]!r} is missing in the order of outcomes")
    if len(set(order)) < len(order):
        raise ValueError(f"the order of outcomes names one twice: {list(order)!r}")
    counted: dict[T, int] = {}
    left = dist.total  # the weight of this value and all later values in one roll
    for value in order:
        later = left - ways.get(value, 0)
        counted[value] = left**times - later**times
        left = later
    return Distribution(counted)


def counts(dist: Distribution[T], values: Sequence[T], times: int) -> Distribution[tuple[int, ...]]:
    """Return the odds of how often each of ``values`` comes up in ``times`` independent rolls of ``dist``.

    Each result has the numbers in the order of ``values``. ``values`` names every value that can come up, once, and may
    name more. The total weight is the ``times``-th power of the total of ``dist``. Raises ValueError for a negative
    number of rolls and for a value that is missing in ``values``.

    >>> counts(Distribution({"miss": 3, "hit": 1}), ["hit", "miss"], 2)
    Distribution({(0, 2): 9, (1, 1): 6, (2, 0): 1})
    """
    if times < 0:
        raise ValueError(f"at least no roll, not {times}")
    ways = dict(dist.weights)
    unlisted = [value for value in ways if value not in values]
    if unlisted:
        raise ValueError(f"the values lack {unlisted[0]!r}")
    weights: dict[tuple[int, ...], int] = {}
    _share_out([ways.get(value, 0) for value in values], times, 1, (), weights)
    return Distribution(weights)


@lru_cache(maxsize=256)
def sum_of(dist: Distribution[Number], times: int) -> Distribution[Number]:
    """Return the sum of ``times`` independent rolls of ``dist``; 0 for no rolls.

    The number of rolls is doubled where possible, so that a hundred rolls take about ten additions. The latest results
    are cached, because the check of a rule set asks for the same sum many times. Raises ValueError for a negative
    number of rolls, and if there are too many sums to compute.

    >>> sum_of(Distribution({0: 1, 3: 1}), 2)
    Distribution({0: 1, 3: 2, 6: 1})
    """
    if times < 0:
        raise ValueError(f"at least no roll, not {times}")
    total: Distribution[Number] = Distribution.certain(0)
    while times:
        if times % 2:
            total = added(total, dist)
        times //= 2
        dist = added(dist, dist) if times else dist
    return total


def added(first: Distribution[Number], other: Distribution[Number]) -> Distribution[Number]:
    """Return the sum of two independent rolls. Raises ValueError if there are too many sums to compute.

    >>> added(Distribution({0: 1, 1: 1}), Distribution({0: 3, 2: 1}))
    Distribution({0: 3, 2: 1, 1: 3, 3: 1})
    """
    check_work(len(first.weights) * len(other.weights))
    return first.combine(other, add)


def _share_out(
    ways: Sequence[int], left: int, weight: int, before: tuple[int, ...], weights: dict[tuple[int, ...], int]
) -> None:
    """Add to ``weights`` every way to distribute the remaining rolls among the remaining values, with its weight."""
    if len(ways) == 1:
        if left == 0 or ways[0]:
            weights[*before, left] = weight * ways[0] ** left
        return
    for number in range(left + 1 if ways[0] else 1):
        _share_out(ways[1:], left - number, weight * comb(left, number) * ways[0] ** number, (*before, number), weights)
