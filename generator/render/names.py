"""Names on a map: each where it covers no other, as near to what it names as there is room."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from markupsafe import Markup

from generator.render.drawing import SMALLEST, boxed
from generator.render.inks import BLACK
from generator.render.widths import ems

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from generator.render.areas import Area, Box
    from generator.render.drawing import Label, Point

_HIGH = 1.12
"""How high a line is, in sizes of its type."""
_WIDER = 1.14
"""How much wider semibold type is, and some room for a guess to err."""
_MISLEADS = 6
"""So many better places are left out for one where a name lies on something that it does not name."""
_BEHIND = Markup(";background:rgba(255,255,255,0.78)")


class Placed(NamedTuple):
    """A text and where its middle is."""

    text: str
    at: Point
    wide: float
    size: float
    more: Markup

    def label(self, origin: Point = (0, 0), zoom: float = 1) -> Label:
        """It as print has it, in a drawing that begins at ``origin`` and is so many times as large."""
        at = (self.at[0] - origin[0]) * zoom, (self.at[1] - origin[1]) * zoom
        return boxed(self.text, at, self.wide * zoom, self.size * zoom, self.more)


class Names:
    """The texts over a map, and what they take up."""

    def __init__(self, room: Box, least: float = SMALLEST) -> None:
        """``room`` is what names of pieces must stay in, ``least`` the height of type that one too long may have."""
        self.room, self.least = room, least
        self.placed: list[Placed] = []
        self._taken: list[Box] = []

    @property
    def labels(self) -> list[Label]:
        """The texts as print has them."""
        return [one.label() for one in self.placed]

    def taken(self, place: Box) -> None:
        """Nothing shall stand here."""
        self._taken.append(place)

    def figure(self, text: str, at: Point, colour: str = BLACK) -> None:
        """A short text in a sign of its own."""
        self.placed.append(Placed(text, at, 6, 3.1, Markup(";color:{};font-weight:700").format(colour)))

    def sign(self, text: str, at: Point) -> None:
        """A short text beside an arrow, which others keep clear of."""
        self.placed.append(Placed(text, at, 6, 3.4, Markup(";font-weight:700")))
        self._taken.append((at[0] - 2.4, at[1] - 2, at[0] + 2.4, at[1] + 2))

    def measure(self, text: str, at: Point) -> None:
        """A length at the edge of the table."""
        wide = ems(text) * SMALLEST * _WIDER + 0.6
        self.placed.append(Placed(text, at, wide, SMALLEST, _BEHIND + Markup(";font-weight:400")))
        self._taken.append((at[0] - wide / 2, at[1] - 1.6, at[0] + wide / 2, at[1] + 1.6))

    def call(self, text: str, area: Area, others: Sequence[Area], *, strong: bool) -> None:
        """A name, in the middle of what it names or near it, where it seems to name none of the ``others``."""
        long = ems(text) * (_WIDER + (0.08 if strong else 0))
        size = max(self.least, min(SMALLEST, (self.room[2] - self.room[0] - 2) / max(long, 1)))
        wide = long * size + 0.8
        places = list(self._places(area, (wide, size * _HIGH), strong=strong))
        near = [(one, one.box) for one in others]
        best = min(places, key=lambda one: (self._covered(one[1]), one[0] + _MISLEADS * _on(one[1], near)))[1]
        self._taken.append(best)
        middle = (best[0] + best[2]) / 2, (best[1] + best[3]) / 2
        weight = Markup(";font-weight:{}").format(700 if strong else 600)
        # The box of a text begins above its letters; the ground behind it is no higher than they are.
        self.placed.append(Placed(text, middle, wide, size, _BEHIND + weight))

    def _places(self, area: Area, size: Point, *, strong: bool) -> Iterator[tuple[float, Box]]:
        """Where a name may stand, the best first: in the middle, then further and further from it."""
        wide, high = size
        spots = self._beside(area, size) if area.wide else self._around(area, size, strong=strong)
        for number, spot in enumerate(spots):
            across = min(max(spot[0], self.room[0] + wide / 2 + 0.6), self.room[2] - wide / 2 - 0.6)
            down = min(max(spot[1], self.room[1] + high / 2 + 0.6), self.room[3] - high / 2 - 0.6)
            yield number, (across - wide / 2, down - high / 2, across + wide / 2, down + high / 2)

    def _beside(self, area: Area, size: Point) -> Iterator[Point]:
        """Along a road or a river, on it and beside it."""
        for part in (0.5, 0.35, 0.65, 0.2, 0.8, 0.1, 0.9, 0.05, 0.95):
            (x, y), (before, after) = area.along(part), (area.along(part - 0.02), area.along(part + 0.02))
            up, across = area.wide / 2 + size[1] / 2 + 0.5, area.wide / 2 + size[0] / 2 + 0.8
            over, beside = ((x, y - up), (x, y + up)), ((x + across, y), (x - across, y))
            steep = abs(after[1] - before[1]) > abs(after[0] - before[0])
            yield from (*beside, *over) if steep else (*over, *beside)

    def _around(self, area: Area, size: Point, *, strong: bool) -> Iterator[Point]:
        """In the middle of an area, at its sides, or anywhere in it."""
        left, top, right, bottom = area.box
        x, y = area.middle
        wide, high = size
        beyond = (high / 2 + 0.4, wide / 2 + 0.4)
        if not strong:
            roomy = right - left > wide * 1.2 and bottom - top > high * 3
            near = ((x, top - beyond[0]), (x, bottom + beyond[0]))
            yield from ((x, y), *near) if roomy else (*near, (x, y))
            yield from ((right + beyond[1], y), (left - beyond[1], y))
        columns = 5 if strong else 3
        for row in range(11):
            for column in (2, 1, 3, 0, 4) if strong else (1, 0, 2):
                spot = left + (right - left) * (column + 0.5) / columns, top + (bottom - top) * (row + 0.5) / 11
                if area.holds(spot):
                    yield spot

    def _covered(self, place: Box) -> float:
        """How much of what is taken a place would cover."""
        left, top, right, bottom = place
        total = 0.0
        for a, b, c, d in self._taken:
            wide, high = min(right, c) - max(left, a), min(bottom, d) - max(top, b)
            total += wide * high if wide > 0 and high > 0 else 0
        return round(total, 2)


def _on(place: Box, others: Sequence[tuple[Area, Box]]) -> int:
    """How many other pieces a name would lie on."""
    left, top, right, bottom = place
    spots = [(x, (top + bottom) / 2) for x in (left, (left + right) / 2, right)]
    near = (area for area, (a, b, c, d) in others if a < right and left < c and b < bottom and top < d)
    return sum(any(area.holds(spot) for spot in spots) for area in near)
