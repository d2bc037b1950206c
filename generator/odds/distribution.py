"""An exact distribution: values with whole-number weights; and what several rolls of it give."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from fractions import Fraction
from functools import lru_cache
from math import comb, gcd
from operator import add
from typing import Generic, TypeVar, final

T_co = TypeVar("T_co", covariant=True)
U = TypeVar("U")
V = TypeVar("V")


@final
class Distribution(Generic[T_co]):
    """The possible values of a roll with their weights: the number of equally likely ways to each. It never changes.

    ``weights`` maps a value (anything hashable) to its number of ways, or has pairs of both; the weights of equal
    values are added up. The order of the values is kept, and values of weight 0 are left out. Weights keep the scale
    that they were given: 2 of 4 stays 2 of 4, but equals 1 of 2. Values that are equal in Python (1 and ``True``) are
    one value.

    Raises ValueError for a negative weight or if all weights are 0, TypeError for a weight that is not whole.

    >>> coin = Distribution({"heads": 1, "tails": 1, "edge": 0})
    >>> coin
    Distribution({'heads': 1, 'tails': 1})
    >>> coin == Distribution({"tails": 5, "heads": 5})
    True
    """

    __slots__ = ("_total", "_ways")

    def __init__(self, weights: Mapping[T_co, int] | Iterable[tuple[T_co, int]]) -> None:
        ways: dict[T_co, int] = {}
        for value, weight in weights.items() if isinstance(weights, Mapping) else weights:
            if not isinstance(weight, int):
                raise TypeError(f"a weight is a whole number, not {weight!r} (of {value!r})")
            if weight < 0:
                raise ValueError(f"a weight is never negative: {weight} of {value!r}")
            if weight:
                ways[value] = ways.get(value, 0) + weight
        if not ways:
            raise ValueError("a distribution needs a value that can come up")
        self._ways = ways
        self._total = sum(ways.values())

    @staticmethod
    def certain(value: U) -> Distribution[U]:
        """Return the distribution of a value that always comes up.

        >>> Distribution.certain("hit")
        Distribution({'hit': 1})
        """
        return Distribution({value: 1})

    @staticmethod
    def uniform(values: Iterable[U]) -> Distribution[U]:
        """Return the distribution in which all entries of ``values`` are equally likely.

        A repeated value is twice as likely, so you can pass the rows of a printed table with a row for each face.
        Raises ValueError if there are no values.

        >>> Distribution.uniform(["jam", "miss", "miss", "hit"])
        Distribution({'jam': 1, 'miss': 2, 'hit': 1})
        """
        return Distribution((value, 1) for value in values)

    @property
    def weights(self) -> tuple[tuple[T_co, int], ...]:
        """Each value with its weight, in the order in which the values were first given.

        >>> Distribution({"b": 2, "a": 1}).weights
        (('b', 2), ('a', 1))
        """
        return tuple(self._ways.items())

    @property
    def total(self) -> int:
        """The sum of all weights.

        >>> Distribution({"hit": 2, "miss": 4}).total
        6
        """
        return self._total

    def probability(self, value: object) -> Fraction:
        """Return the chance of ``value``: zero if it cannot come up.

        >>> odds = Distribution({"hit": 2, "miss": 4})
        >>> odds.probability("hit"), odds.probability("jam")
        (Fraction(1, 3), Fraction(0, 1))
        """
        return Fraction(self._ways.get(value, 0), self._total)  # type: ignore[arg-type] # any value may be asked for

    def where(self, predicate: Callable[[T_co], object]) -> Fraction:
        """Return the chance that ``predicate`` holds for the value that comes up.

        >>> Distribution.uniform(range(1, 7)).where(lambda face: face >= 5)
        Fraction(1, 3)
        """
        return Fraction(sum(weight for value, weight in self._ways.items() if predicate(value)), self._total)

    def mean(self: Distribution[int | Fraction]) -> Fraction:
        """Return the exact mean of values that are whole numbers or fractions.

        Raises TypeError for values of other types, such as floats, which are not exact.

        >>> Distribution.uniform(range(1, 7)).mean()
        Fraction(7, 2)
        """
        return Fraction(sum(value * weight for value, weight in self._ways.items()), self._total)

    def map(self, function: Callable[[T_co], U]) -> Distribution[U]:
        """Return the distribution of ``function(value)``; the weights of equal results are added up.

        >>> Distribution.uniform(range(1, 7)).map(lambda face: "hit" if face >= 5 else "miss")
        Distribution({'miss': 4, 'hit': 2})
        """
        return Distribution((function(value), weight) for value, weight in self._ways.items())

    def combine(self, other: Distribution[U], function: Callable[[T_co, U], V]) -> Distribution[V]:
        """Return the distribution of ``function(mine, theirs)`` for two independent rolls.

        >>> coin = Distribution.uniform([0, 1])
        >>> coin.combine(coin, lambda mine, theirs: mine + theirs)
        Distribution({0: 1, 1: 2, 2: 1})
        """
        return Distribution(
            (function(mine, theirs), weight * factor)
            for mine, weight in self._ways.items()
            for theirs, factor in other._ways.items()
        )

    def lowest_terms(self) -> Distribution[T_co]:
        """Return the same distribution with the smallest possible whole weights.

        >>> Distribution({"hit": 2, "miss": 4}).lowest_terms()
        Distribution({'hit': 1, 'miss': 2})
        """
        scale = gcd(*self._ways.values())
        return Distribution({value: weight // scale for value, weight in self._ways.items()})

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Distribution):
            return NotImplemented
        mine, theirs = self._ways, other._ways
        if mine.keys() != theirs.keys():
            return False
        return all(weight * other.total == theirs[value] * self._total for value, weight in mine.items())

    def __hash__(self) -> int:
        return hash(frozenset(self.lowest_terms().weights))

    def __repr__(self) -> str:
        return f"Distribution({self._ways!r})"


Number = TypeVar("Number", int, "int | Fraction")

MAX_WORK = 2_000_000
"""How many pairs of values are combined at most: about a second's work."""
DEAR = 4
"""How many times longer a step of pools or counts takes than such a pair."""


def check_work(pairs: int) -> None:
    """Raise ValueError if more than ``MAX_WORK`` pairs of values would be combined.

    >>> check_work(10**9)
    Traceback (most recent call last):
    ValueError: too many different results to work out
    """
    if pairs > MAX_WORK:
        raise ValueError("too many different results to work out")


def first_of(dist: Distribution[U], order: Sequence[U], times: int) -> Distribution[U]:
    """Return the odds of the outcome that comes first in ``order`` among ``times`` independent rolls of ``dist``.

    With the worst state first, this is the state after several hits. ``order`` names every value that can come up,
    once, and may name more; the result is in this order. The total weight is the ``times``-th power of the total of
    ``dist``. Raises ValueError for a value that is missing in ``order``, and if ``times`` is 0.

    >>> shot = Distribution({"missed": 3, "dead": 1, "hurt": 2})
    >>> first_of(shot, ["dead", "hurt", "missed"], 2)
    Distribution({'dead': 11, 'hurt': 16, 'missed': 9})
    """
    ways = dict(dist.weights)
    missing = [value for value in ways if value not in order]
    if missing:
        raise ValueError(f"{missing[0]!r} is missing in the order of outcomes")
    counted: dict[U, int] = {}
    left = dist.total  # the weight of this value and all later values in one roll
    for value in order:
        later = left - ways.get(value, 0)
        counted[value] = left**times - later**times
        left = later
    return Distribution(counted)


def counts(dist: Distribution[U], values: Sequence[U], times: int) -> Distribution[tuple[int, ...]]:
    """Return the odds of how often each of ``values`` comes up in ``times`` independent rolls of ``dist``.

    Each result has the numbers in the order of ``values``. ``values`` must name every value that can come up, once; it
    may name more. The total weight is the ``times``-th power of the total of ``dist``. The number of results grows fast
    with the number of values. Raises ValueError if there are too many results to compute.

    >>> counts(Distribution({"miss": 3, "hit": 1}), ["hit", "miss"], 2)
    Distribution({(0, 2): 9, (1, 1): 6, (2, 0): 1})
    """
    ways = dict(dist.weights)
    check_work(DEAR * comb(times + len(ways) - 1, times))
    weights: dict[tuple[int, ...], int] = {}
    _share_out([ways.get(value, 0) for value in values], times, 1, (), weights)
    return Distribution(weights)


@lru_cache(maxsize=256)
def sum_of(dist: Distribution[Number], times: int) -> Distribution[Number]:
    """Return the distribution of the sum of ``times`` independent rolls of ``dist``; certainly 0 for no rolls.

    ``times`` must not be negative. Raises ValueError if there are too many sums to compute.

    >>> sum_of(Distribution({0: 1, 3: 1}), 2)
    Distribution({0: 1, 3: 2, 6: 1})
    """
    total: Distribution[Number] = Distribution.certain(0)
    while times:
        if times % 2:
            total = added(total, dist)
        times //= 2
        dist = added(dist, dist) if times else dist
    return total


def added(first: Distribution[Number], other: Distribution[Number]) -> Distribution[Number]:
    """Return the distribution of the sum of two independent rolls.

    Raises ValueError if there are too many pairs of values to add.

    >>> added(Distribution({0: 1, 1: 1}), Distribution({0: 3, 2: 1}))
    Distribution({0: 3, 2: 1, 1: 3, 3: 1})
    """
    check_work(len(first.weights) * len(other.weights))
    return first.combine(other, add)


def _share_out(
    ways: Sequence[int], left: int, weight: int, before: tuple[int, ...], weights: dict[tuple[int, ...], int]
) -> None:
    """Add to ``weights`` each possible way to share the remaining rolls among the remaining values, with its weight.

    ``ways`` are the weights of the remaining values in one roll, and ``left`` is the number of remaining rolls.
    ``before`` has the numbers of the earlier values, and ``weight`` is the weight of these numbers.
    """
    if len(ways) == 1:
        if left == 0 or ways[0]:
            weights[*before, left] = weight * ways[0] ** left
        return
    for number in range(left + 1 if ways[0] else 1):
        _share_out(ways[1:], left - number, weight * comb(left, number) * ways[0] ** number, (*before, number), weights)
