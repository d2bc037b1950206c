"""Shots that stray over hexes: where they strike, and how many of them strike a target.

A hex is given by two axial coordinates (column and row). A direction is given by the change of coordinates in one
step. All directions are equally likely. A shot strays in a straight line. Each later shot strays from the hex that the
shot before struck.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import TypeAlias

from generator.odds.distribution import Distribution

Spot: TypeAlias = tuple[int, int]


_COLUMN = 1 << 20
"""The factor of the column in a hex's number: more than any shots can stray."""


class Walk:
    """Shots that each stray from the hex that the shot before struck.

    ``target`` has at least one hex, and numbers its hexes from 0. ``by`` is the distance that each shot strays, or None
    for a shot that strikes nothing. The player may turn the first ``steered`` shots to the next direction on either
    side (``directions`` are in circular order). He chooses the most expected strikes; if they are equal, the direction
    stays as rolled. The odds are computed from the last shot backwards.
    """

    def __init__(
        self,
        target: Mapping[Spot, int],
        directions: Sequence[Spot],
        by: Distribution[int | None],
        shots: int,
        steered: int,
    ) -> None:
        """Initialize a walk of ``shots`` shots, after a first shot that has already struck.

        The class explains the other arguments.
        """
        self.places = {_number(spot): place for spot, place in target.items()}
        self.directions = tuple(map(_number, directions))
        self.still = sum(weight for far, weight in by.weights if far is None)
        """The weight of the distances None, with which a shot strikes nothing."""
        self.steps = [
            (tuple(far * direction for direction in self.directions), weight)
            for far, weight in by.weights
            if far is not None
        ]
        steps = Counter[int]()
        for ends, weight in self.steps:
            for end in ends:
                steps[end] += weight
        self.merged = tuple(steps.items())
        """The steps of a shot that is not turned, with the weights of equal steps added up."""
        self.shots = shots
        self.steered = min(steered, shots)
        self.total = by.total * len(self.directions)
        longest = max((max(abs(q), abs(r), abs(q + r)) for q, r in directions), default=0)
        self._reach = longest * max((abs(far) for far, _ in by.weights if far is not None), default=0)
        self._frame = tuple((min(line), max(line)) for line in zip(*((q, r, q + r) for q, r in target), strict=True))
        self._width = width = ((shots + 1) * self.total**shots).bit_length()
        self.whole: list[int] = [self.total**left for left in range(shots + 1)]
        """The number of ways of 0, 1, 2 ... shots."""
        self._counts = self._sums(1, lambda ahead, _, __: ahead << width)
        self._places = self._sums(0, lambda ahead, place, directions: ahead + (directions << (width * place)))
        self._strikes = self._sums(0, lambda ahead, _, directions: ahead + directions)

    def _sums(self, nothing: int, strike: Callable[[int, int, int], int]) -> Callable[[int, int], int]:
        """Return a function of the number of shots left and the hex that the last shot struck; its results are cached.

        Its result is a sum over all ways of the remaining shots. Each way begins with the value ``nothing``. If a shot
        strikes a hex of the target, ``strike`` returns the sum with this strike; the shot that struck the given hex
        counts, too. Its arguments are the sum of the later shots, the hex's number in the target, and the number of
        ways of these shots.
        """

        def ahead(left: int, spot: int) -> int:
            """Return the sum over all ways of the ``left`` shots that follow a shot that struck the hex ``spot``.

            ``nothing`` is the value of a way without strikes, and the function ``strike`` adds a strike to a sum. The
            shot that struck ``spot`` does not count. ``spot`` is a number, as from ``_number``.
            """
            if left == 0:
                return nothing
            total = self.still * len(self.directions) * ahead(left - 1, spot) if self.still else 0
            if self.shots - left >= self.steered:
                return total + sum([weight * after(left - 1, spot + step) for step, weight in self.merged])
            for ends, weight in self.steps:
                turned = self.turned(left - 1, spot, ends)
                total += weight * sum([after(left - 1, spot + step) for step in turned])
            return total

        @cache
        def after(left: int, spot: int) -> int:
            """Return the sum over all ways of the ``left`` shots that follow a shot that struck the hex ``spot``.

            ``nothing`` is the value of a way without strikes, and the function ``strike`` adds a strike to a sum. The
            shot that struck ``spot`` counts, too, if the hex is in the target. ``spot`` is a number, as from
            ``_number``.
            """
            if self.out_of_reach(spot, left):
                return nothing * self.whole[left]
            place = self.places.get(spot)
            later = ahead(left, spot)
            return later if place is None else strike(later, place, self.whole[left])

        return after

    def strikes(self, start: Spot) -> Distribution[int]:
        """Return the odds of the number of shots that strike the target.

        The first shot struck ``start``; this is a strike if ``start`` is in the target.

        >>> line = Walk({(0, 0): 0, (0, 1): 1}, [(0, -1), (0, 1)], Distribution.certain(1), 1, 0)
        >>> [(number, line.strikes((0, 0)).probability(number)) for number in (1, 2)]
        [(1, Fraction(1, 2)), (2, Fraction(1, 2))]
        """
        counts = self._unpack(self._counts(self.shots, _number(start)), self.shots + 2)
        return Distribution(enumerate(counts))

    def struck(self, start: Spot) -> Distribution[int | None]:
        """Return the odds of where a randomly chosen shot strikes: the number of a hex in the target, or None.

        None stands for hexes outside the target, and for shots that strike nothing. The first shot, which struck at
        ``start``, may be the chosen one.

        >>> line = Walk({(0, 0): 0, (0, 1): 1}, [(0, -1), (0, 1)], Distribution.certain(1), 1, 0)
        >>> line.struck((0, 0))
        Distribution({0: 2, 1: 1, None: 1})
        """
        places = max(self.places.values(), default=-1) + 1
        counts = self._unpack(self._places(self.shots, _number(start)), places)
        beside = (self.shots + 1) * self.total**self.shots - sum(counts)
        return Distribution([*enumerate(counts), (None, beside)])

    def _unpack(self, packed: int, places: int) -> list[int]:
        """Return the first ``places`` counts of a packed number: ``_width`` bits each, from the lowest bits up."""
        mask = (1 << self._width) - 1
        return [packed >> (self._width * place) & mask for place in range(places)]

    def turned(self, left: int, spot: int, ends: tuple[int, ...]) -> list[int]:
        """Return, for each rolled direction of a steered shot, the step that the player chooses.

        The player may turn the shot into a neighbouring direction, if this gives more strikes on average. Strikes of
        this shot and of all later ones count.

        ``ends`` are the steps of all directions from the hex ``spot``, and ``left`` is the number of shots after this
        one. Hexes and steps are whole numbers here, not pairs.

        With three ways around a hex, each direction can be turned into the one that strikes.

        >>> ways = [(0, 1), (1, 0), (-1, -1)]
        >>> steered = Walk({(0, 1): 0}, ways, Distribution.certain(1), 1, 1)
        >>> up, *others = steered.steps[0][0]
        >>> steered.turned(0, 0, (up, *others)) == [up, up, up]
        True
        """
        strikes = [self._strikes(left, spot + step) for step in ends]
        count = len(ends)
        return [
            ends[max(index, (index - 1) % count, (index + 1) % count, key=strikes.__getitem__)]
            for index in range(count)
        ]

    def out_of_reach(self, spot: int, left: int) -> bool:
        """Return whether the target is too far from a hex for any of the next ``left`` shots to strike the target.

        ``spot`` is the hex as one number, as from ``_number``. The distance is measured to a frame around the target,
        so that some hexes that are too far are not noticed.

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
    """Return a hex, or a step between hexes, as one number, so that steps can be added."""
    return spot[0] * _COLUMN + spot[1]
