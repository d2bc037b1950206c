"""An exact distribution: values with whole-number weights."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from fractions import Fraction
from math import gcd
from typing import Generic, TypeVar, final

T_co = TypeVar("T_co", covariant=True)
U = TypeVar("U")
V = TypeVar("V")


@final
class Distribution(Generic[T_co]):
    """The possible values of a roll with their weights: the number of equally likely ways to each. It never changes.

    ``weights`` maps a value (anything hashable) to its number of ways. The order of the values is kept, and values
    of weight 0 are left out. Weights keep the scale that they were given: 2 of 4 stays 2 of 4, but equals 1 of 2.
    Values that are equal in Python (1 and ``True``) are one value.

    Raises ValueError for a negative weight or if all weights are 0, TypeError for a weight that is not whole.

    >>> coin = Distribution({"heads": 1, "tails": 1, "edge": 0})
    >>> coin
    Distribution({'heads': 1, 'tails': 1})
    >>> coin == Distribution({"tails": 5, "heads": 5})
    True
    """

    __slots__ = ("_total", "_ways")

    def __init__(self, weights: Mapping[T_co, int]) -> None:
        ways: dict[T_co, int] = {}
        total = 0
        for value, weight in weights.items():
            if not isinstance(weight, int):
                raise TypeError(f"a weight is a whole number, not {weight!r} (of {value!r})")
            if weight < 0:
                raise _negative(value, weight)
            if weight:
                ways[value] = weight
                total += weight
        if not total:
            raise ValueError("a distribution needs a value that can come up")
        self._ways = ways
        self._total = total

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
        return Distribution.from_weights((value, 1) for value in values)

    @staticmethod
    def from_weights(weights: Mapping[U, int] | Iterable[tuple[U, int]]) -> Distribution[U]:
        """Return a distribution from a mapping, or from (value, weight) pairs in which values may repeat.

        Weights of the same value are added up. Raises as the class does: ValueError for a weight below zero or if all
        weights are 0, TypeError for a weight that is not whole.

        >>> Distribution.from_weights([("out", 1), ("in", 3), ("out", 1)])
        Distribution({'out': 2, 'in': 3})
        >>> Distribution.from_weights({"in": 3, "out": 0})
        Distribution({'in': 3})
        """
        if isinstance(weights, Mapping):
            return Distribution(weights)
        merged: dict[U, int] = {}
        for value, weight in weights:
            if weight < 0:
                raise _negative(value, weight)
            merged[value] = merged.get(value, 0) + weight
        return Distribution(merged)

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
        return Distribution.from_weights((function(value), weight) for value, weight in self._ways.items())

    def combine(self, other: Distribution[U], function: Callable[[T_co, U], V]) -> Distribution[V]:
        """Return the distribution of ``function(mine, theirs)`` for two independent rolls.

        >>> coin = Distribution.uniform([0, 1])
        >>> coin.combine(coin, lambda mine, theirs: mine + theirs)
        Distribution({0: 1, 1: 2, 2: 1})
        """
        return Distribution.from_weights(
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


def _negative(value: object, weight: int) -> ValueError:
    """Return an error for a negative weight."""
    return ValueError(f"a weight is never negative: {weight} of {value!r}")
