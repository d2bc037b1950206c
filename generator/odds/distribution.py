"""An exact distribution: values, each with a whole-number weight."""

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
    """Which values can come up, and how many equally likely ways lead to each; never changed once made.

    ``weights`` maps a value (anything hashable) to its number of ways. The order of the values is kept, values
    without a way are left out, and weights keep the scale that they were given: 2 of 4 stays 2 of 4, yet equals
    1 of 2. Values that Python calls equal (1 and ``True``) are one value.

    Raises ValueError for a negative weight or where no value has a way, TypeError for a weight that is not whole.

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
                message = f"a weight is a whole number, not {weight!r} (of {value!r})"
                raise TypeError(message)
            if weight < 0:
                raise _negative(value, weight)
            if weight:
                ways[value] = weight
                total += weight
        if not total:
            message = "a distribution needs a value that can come up"
            raise ValueError(message)
        self._ways = ways
        self._total = total

    @staticmethod
    def certain(value: U) -> Distribution[U]:
        """Make the distribution of a value that always comes up.

        >>> Distribution.certain("hit")
        Distribution({'hit': 1})
        """
        return Distribution({value: 1})

    @staticmethod
    def uniform(values: Iterable[U]) -> Distribution[U]:
        """Make the distribution in which each entry of ``values`` is as likely as any other.

        A repeated value is twice as likely, so you can pass a printed table with a row for each face as it stands.
        Raises ValueError where there are no values.

        >>> Distribution.uniform(["jam", "miss", "miss", "hit"])
        Distribution({'jam': 1, 'miss': 2, 'hit': 1})
        """
        return Distribution.from_weights((value, 1) for value in values)

    @staticmethod
    def from_weights(weights: Mapping[U, int] | Iterable[tuple[U, int]]) -> Distribution[U]:
        """Make a distribution of a mapping, or of (value, weight) pairs in which a value may come again.

        Weights of the same value are added up. Raises as the class does: ValueError for a weight below zero or where
        nothing is left, TypeError for a weight that is not whole.

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
        """All weights together: what each weight is a part of.

        >>> Distribution({"hit": 2, "miss": 4}).total
        6
        """
        return self._total

    def probability(self, value: object) -> Fraction:
        """How likely ``value`` is: zero where it cannot come up.

        >>> odds = Distribution({"hit": 2, "miss": 4})
        >>> odds.probability("hit"), odds.probability("jam")
        (Fraction(1, 3), Fraction(0, 1))
        """
        return Fraction(self._ways.get(value, 0), self._total)  # type: ignore[arg-type] # any value may be asked for

    def where(self, predicate: Callable[[T_co], object]) -> Fraction:
        """How likely it is that ``predicate`` holds for what comes up.

        >>> Distribution.uniform(range(1, 7)).where(lambda face: face >= 5)
        Fraction(1, 3)
        """
        return Fraction(sum(weight for value, weight in self._ways.items() if predicate(value)), self._total)

    def mean(self: Distribution[int | Fraction]) -> Fraction:
        """Give the exact mean of values that are whole numbers or fractions.

        Raises TypeError for values of other kinds: a float is not exact.

        >>> Distribution.uniform(range(1, 7)).mean()
        Fraction(7, 2)
        """
        return Fraction(sum(value * weight for value, weight in self._ways.items()), self._total)

    def map(self, function: Callable[[T_co], U]) -> Distribution[U]:
        """Put ``function(value)`` in the place of each value; those that become the same are added up.

        >>> Distribution.uniform(range(1, 7)).map(lambda face: "hit" if face >= 5 else "miss")
        Distribution({'miss': 4, 'hit': 2})
        """
        return Distribution.from_weights((function(value), weight) for value, weight in self._ways.items())

    def combine(self, other: Distribution[U], function: Callable[[T_co, U], V]) -> Distribution[V]:
        """Give the distribution of ``function(mine, theirs)`` where the two come up independently of each other.

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
        """Give the same distribution in the smallest whole weights.

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
    return ValueError(f"a weight is never negative: {weight} of {value!r}")
