"""Chance from a seed, the same on every Python: nothing but ``Random.random`` is asked, and whole numbers made of it.

The other methods of ``random`` have changed between versions. Each part of a scenario draws from a stream of its own. A
part that is kept or asked for in another way changes nothing in the others.
"""

from __future__ import annotations

from hashlib import sha256
from random import Random
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

T = TypeVar("T")

_BITS = 53
"""How many a number of ``random`` has: so often doubled it is whole."""


class Chance:
    """A stream of whole numbers, each as likely as the next."""

    def __init__(self, seed: int, *part: str | int) -> None:
        """``part`` names the stream; two parts of one seed have nothing to do with each other."""
        word = "/".join(map(str, (seed, *part)))
        self._random = Random(int.from_bytes(sha256(word.encode()).digest(), "big"))  # noqa: S311 - no secret

    def below(self, count: int) -> int:
        """A number from 0 to one below the count.

        >>> chance = Chance(7, "weather")
        >>> [chance.below(10) for _ in range(8)]
        [0, 4, 5, 2, 3, 7, 0, 1]
        """
        return int(self._random.random() * (1 << _BITS)) * count >> _BITS

    def between(self, low: int, high: int) -> int:
        """A number from low to high, both included."""
        return low + self.below(high - low + 1)

    def shuffled(self, things: Iterable[T]) -> list[T]:
        """The same things in a new order, every order as likely (Fisher and Yates)."""
        order = list(things)
        for last in range(len(order) - 1, 0, -1):
            other = self.below(last + 1)
            order[last], order[other] = order[other], order[last]
        return order

    def weighed(self, weights: Sequence[int]) -> tuple[int, int]:
        """Which of several comes up, each as likely as its weight says; and the roll, from 1 to all weights together.

        >>> Chance(7, "light").weighed([3, 0, 1])
        (0, 3)
        """
        roll = self.between(1, sum(weights))
        rest = roll
        for index, weight in enumerate(weights):
            rest -= weight
            if rest <= 0:
                return index, roll
        message = "weights are not below 0"
        raise ValueError(message)
