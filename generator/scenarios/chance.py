"""Random whole numbers from a seed, the same on every Python version.

Only ``Random.random`` is used, because other methods of ``random`` have changed between versions. Each part of a
scenario draws from its own stream. If a part is kept or chosen by the user, the other parts stay the same.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Sequence
from hashlib import sha256
from itertools import accumulate
from random import Random
from typing import TypeVar

T = TypeVar("T")

_BITS = 53
"""Bits of a number from ``Random.random``: the number times 2 to this power is whole."""


class Chance:
    """A stream of random whole numbers, uniformly distributed; the same seed and part give the same numbers."""

    def __init__(self, seed: int, *part: str | int) -> None:
        """Start the stream with the name ``part``; streams with other names or seeds are independent of it."""
        word = "/".join(map(str, (seed, *part)))
        self._random = Random(int.from_bytes(sha256(word.encode()).digest(), "big"))  # noqa: S311 - no secret

    def below(self, count: int) -> int:
        """Return a number from 0 to ``count - 1``; 0 if ``count`` is 0.

        >>> chance = Chance(7, "weather")
        >>> [chance.below(10) for _ in range(8)]
        [0, 4, 5, 2, 3, 7, 0, 1]
        """
        return int(self._random.random() * (1 << _BITS)) * count >> _BITS

    def between(self, low: int, high: int) -> int:
        """Return a random number from low to high, both included."""
        return low + self.below(high - low + 1)

    def shuffled(self, things: Iterable[T]) -> list[T]:
        """Return the things in a random order; every order is equally likely (Fisher-Yates shuffle)."""
        order = list(things)
        for last in range(len(order) - 1, 0, -1):
            other = self.below(last + 1)
            order[last], order[other] = order[other], order[last]
        return order

    def weighed(self, weights: Sequence[int]) -> tuple[int, int]:
        """Return a random index, likely in proportion to its weight, and the roll, from 1 to the sum of the weights.

        An index with weight 0 is never returned; at least one weight must be above 0.

        >>> Chance(7, "light").weighed([3, 0, 1])
        (0, 3)
        """
        roll = self.between(1, sum(weights))
        return bisect_left([*accumulate(weights)], roll), roll
