"""Replace outcomes by the results of a further roll."""

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
    """Return the distribution in which each outcome of ``first`` is replaced by the outcomes that follow it.

    Outcomes that a mapping leaves out stay as they are, so the result may have outcomes of both kinds. A function is
    called for every outcome. The weights of equal outcomes are added up. Weights stay whole, because all branches are
    scaled to a common total.

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
