"""What follows an outcome, in the outcome's place."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from math import lcm
from typing import TypeVar, overload

from generator.odds.distribution import Distribution

A = TypeVar("A")
B = TypeVar("B")


@overload
def chain(first: Distribution[A], follow: Mapping[A, Distribution[B]]) -> Distribution[A | B]: ...
@overload
def chain(first: Distribution[A], follow: Callable[[A], Distribution[B]]) -> Distribution[B]: ...
def chain(
    first: Distribution[A], follow: Mapping[A, Distribution[B]] | Callable[[A], Distribution[B]]
) -> Distribution[A | B]:
    """Put in the place of each outcome of ``first`` what follows it, as likely as the outcome was.

    A mapping need not name every outcome: those it leaves out stay as they are, so the result has outcomes of both
    kinds. A function is asked about every outcome. Equal outcomes on different ways are added up. Weights stay
    whole: each branch is brought to the common denominator of all of them.

    >>> roll = Distribution({"hit": 1, "jam": 1, "miss": 4})
    >>> damage = Distribution({"dead": 1, "hurt": 2})
    >>> chain(roll, {"hit": damage, "jam": Distribution.certain("miss")})
    Distribution({'dead': 1, 'hurt': 2, 'miss': 15})
    >>> chain(Distribution.uniform([1, 2]), lambda count: Distribution.uniform(range(count + 1)))
    Distribution({0: 5, 1: 5, 2: 2})
    """
    branches: list[tuple[Distribution[A | B], int]]
    if isinstance(follow, Mapping):
        branches = [
            (follow[value] if value in follow else Distribution.certain(value), n) for value, n in first.weights
        ]
    else:
        branches = [(follow(value), n) for value, n in first.weights]
    common = lcm(*[branch.total for branch, _ in branches])
    merged: dict[A | B, int] = {}
    for branch, weight in branches:
        scale = weight * (common // branch.total)
        for value, ways in branch.weights:
            merged[value] = merged.get(value, 0) + ways * scale
    return Distribution(merged)
