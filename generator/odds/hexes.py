"""Shots that stray over a field of hexes: where they strike, and how often they strike what is there.

Hexes are given by two coordinates (axial: a column and a row), a way by what one step that way adds to them. All ways
are as likely. A shot strays in a straight line; of several shots each strays from where the last one struck.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, TypeAlias

from generator.odds.distribution import Distribution

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

Spot: TypeAlias = tuple[int, int]


def stray(start: Spot, by: int, ways: Sequence[Spot]) -> dict[Spot, int]:
    """Where a shot may strike that strays by so many hexes, with the number of ways that lead there.

    >>> stray((0, 0), 2, [(0, -1), (0, 1)])
    {(0, -2): 1, (0, 2): 1}
    >>> stray((5, 5), 0, [(0, -1), (0, 1)])
    {(5, 5): 2}
    """
    found: dict[Spot, int] = {}
    for q, r in ways:
        spot = start[0] + by * q, start[1] + by * r
        found[spot] = found.get(spot, 0) + 1
    return found


_COLUMN = 1 << 20
"""What a column is worth where a spot is one number: more than any shots stray."""


class _Sums:
    """For every spot the sum, over all ways that the shots still to come may go, of something whole.

    What is summed up: ``nothing`` for every way in which nothing is struck, and what ``strike`` makes of a sum where a
    hex of the target is struck first: it is given the sum, the number of the hex, and all ways of what follows.
    """

    def __init__(self, walk: Walk, nothing: int, strike: Callable[[int, int, int], int]) -> None:
        self.walk = walk
        self.nothing = nothing
        self.strike = strike
        self.struck: list[dict[int, int]] = [{} for _ in range(walk.shots + 1)]
        """For a shot that has just struck a spot, by how many come after it."""

    def ahead(self, left: int, spot: int) -> int:
        """With so many shots left, straying from this spot."""
        if left == 0:
            return self.nothing
        found = 0
        if self.walk.still:
            found += self.walk.still * len(self.walk.ways) * self.ahead(left - 1, spot)
        if self.walk.shots - left < self.walk.steered:
            for ends, weight in self.walk.steps:
                found += weight * sum(
                    [self.known(left - 1, spot + step) for step in self.walk.turned(left - 1, spot, ends)]
                )
            return found
        known = self.struck[left - 1]
        for step, weight in self.walk.merged:
            value = known.get(spot + step)
            if value is None:
                value = self.known(left - 1, spot + step)
            found += weight * value
        return found

    def known(self, left: int, spot: int) -> int:
        """What ``after`` gives, worked out once."""
        found = self.struck[left].get(spot)
        if found is None:
            found = self.struck[left][spot] = self.after(left, spot)
        return found

    def after(self, left: int, spot: int) -> int:
        """With so many shots left, one having just struck this spot."""
        if self.walk.out_of_reach(spot, left):
            return self.nothing * self.walk.whole[left]
        place = self.walk.places.get(spot)
        ahead = self.ahead(left, spot)
        return ahead if place is None else self.strike(ahead, place, self.walk.whole[left])


class Walk:
    """Shots that stray one from the other, worked out backwards: what is ahead of a spot depends on the spot alone.

    ``target`` numbers the hexes that count, from 0 on. ``by`` is how far each shot strays, or None for a shot that goes
    nowhere and strikes nothing. The direction of the first ``steered`` shots may be turned by one way (``ways`` go
    round). It is turned to the most expected strikes; if directions are equal, it stays as it fell.
    """

    def __init__(
        self, target: Mapping[Spot, int], ways: Sequence[Spot], by: Distribution[int | None], shots: int, steered: int
    ) -> None:
        """``shots`` stray, beside the one that struck already."""
        self.places = {_number(spot): place for spot, place in target.items()}
        self.ways = tuple(map(_number, ways))
        self.still = sum(weight for far, weight in by.weights if far is None)
        """Of the ways of a shot those in which it goes nowhere."""
        self.steps = [(tuple(far * way for way in self.ways), weight) for far, weight in by.weights if far is not None]
        steps = Counter[int]()
        for ends, weight in self.steps:
            for end in ends:
                steps[end] += weight
        self.merged = tuple(steps.items())
        """The steps of a shot that nobody turns, equal ones together."""
        self.shots = shots
        self.steered = min(steered, shots)
        self.total = by.total * len(self.ways)
        self._reach = max((far for far, _ in by.weights if far is not None), default=0)
        self._frame = tuple((min(line), max(line)) for line in zip(*((q, r, q + r) for q, r in target), strict=True))
        self._width = width = ((shots + 1) * self.total**shots).bit_length()
        self.whole: list[int] = [self.total**left for left in range(shots + 1)]
        """All ways that so many shots may go."""
        self._counts = _Sums(self, 1, lambda ahead, _, __: ahead << width)
        self._places = _Sums(self, 0, lambda ahead, place, ways: ahead + (ways << (width * place)))
        self._strikes = _Sums(self, 0, lambda ahead, _, ways: ahead + ways)

    def strikes(self, start: Spot) -> Distribution[int]:
        """How many shots strike the target, the one that struck at ``start`` with them.

        >>> line = Walk({(0, 0): 0, (0, 1): 1}, [(0, -1), (0, 1)], Distribution.certain(1), 1, 0)
        >>> [(number, line.strikes((0, 0)).probability(number)) for number in (1, 2)]
        [(1, Fraction(1, 2)), (2, Fraction(1, 2))]
        """
        counts = self._unpack(self._counts.known(self.shots, _number(start)), self.shots + 2)
        return Distribution(dict(enumerate(counts)))

    def struck(self, start: Spot) -> Distribution[int | None]:
        """Where a shot strikes that is any of them, each as likely: a number of the target, or None beside it.

        >>> line = Walk({(0, 0): 0, (0, 1): 1}, [(0, -1), (0, 1)], Distribution.certain(1), 1, 0)
        >>> line.struck((0, 0))
        Distribution({0: 2, 1: 1, None: 1})
        """
        places = max(self.places.values(), default=-1) + 1
        counts = self._unpack(self._places.known(self.shots, _number(start)), places)
        beside = (self.shots + 1) * self.total**self.shots - sum(counts)
        return Distribution({**dict(enumerate(counts)), None: beside})

    def _unpack(self, packed: int, places: int) -> list[int]:
        mask = (1 << self._width) - 1
        return [packed >> (self._width * place) & mask for place in range(places)]

    def turned(self, left: int, spot: int, ends: tuple[int, ...]) -> list[int]:
        """Where the player lets a shot stray that may be turned by one way, for each way in which it may fall.

        Of three ways round a spot every one may be turned into the one that strikes.

        >>> ways = [(0, 1), (1, 0), (-1, -1)]
        >>> steered = Walk({(0, 1): 0}, ways, Distribution.certain(1), 1, 1)
        >>> up, *others = steered.steps[0][0]
        >>> steered.turned(0, 0, (up, *others)) == [up, up, up]
        True
        """
        strikes = [self._strikes.known(left, spot + step) for step in ends]
        count = len(ends)
        return [
            ends[max(index, (index - 1) % count, (index + 1) % count, key=strikes.__getitem__)]
            for index in range(count)
        ]

    def out_of_reach(self, spot: int, left: int) -> bool:
        """Whether nothing of the target can be struck any more: surely not, from outside of a frame around it.

        >>> line = Walk({(0, 0): 0, (0, 1): 1}, [(0, -1), (0, 1)], Distribution.certain(1), 3, 0)
        >>> [line.out_of_reach(row, 2) for row in (-3, -2, 3, 4)]
        [True, False, False, True]
        """
        column = (spot + _COLUMN // 2) // _COLUMN
        row = spot - column * _COLUMN
        furthest = left * self._reach
        for place, (least, most) in zip((column, row, column + row), self._frame, strict=True):
            if not least - furthest <= place <= most + furthest:
                return True
        return False


def _number(spot: Spot) -> int:
    """A spot, or a step from one to another, as one number that can be added."""
    return spot[0] * _COLUMN + spot[1]
