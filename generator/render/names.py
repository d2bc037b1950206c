"""Names on a map: each where it covers no other, as near to what it names as there is room; else a number."""

from __future__ import annotations

from math import ceil, hypot
from typing import TYPE_CHECKING, NamedTuple

from markupsafe import Markup

from generator.render.areas import cuts, meets, overlap
from generator.render.drawing import SMALLEST, boxed
from generator.render.inks import BLACK
from generator.render.measure import POINT, length

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from generator.render.areas import Area, Box
    from generator.render.drawing import Label, Point

_HIGH = 1.2
"""How high a line is, in sizes of its type: the box that print gives it."""
_AIR = 0.8
"""Millimetres beside a name that stay free."""
_INSIDE = 0.8
"""How far a name keeps off the edge of the table, and what comes in there."""
_MISLEADS, _CROSSES, _TWO_LINES, _HIDES = 6, 3, 4, 4
"""So many better places are left out for one where a name lies on something that it does not name, covers a line,
takes two lines, or hides much of what it names."""
_MUCH = 0.3
"""How much of it that is."""
_APART, _NEAR, _OUTSIDE = 1.9, 8.0, 8.0
"""From one place for a number to the next, how far beyond what it names it is looked for first, and what it costs to
stand there."""
_TOUCHING = 2.6
"""Millimetres from the middle of a number: what is no further needs no line that leads there."""
_RIM, _GAP = 0.7, 1.0
"""How far the name of a zone keeps off its edge, and off other names."""
_TWO = Markup(";white-space:pre-line")
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
        lines = self.text.count("\n") + 1
        # The box of a line begins above its letters, and the first line stands above the middle of several.
        down = self.at[1] - self.size * (_HIGH / 2 * (lines - 1) - 0.02)
        at = (self.at[0] - origin[0]) * zoom, (down - origin[1]) * zoom
        broken = _TWO if lines > 1 else ""
        return boxed(self.text, at, self.wide * zoom, self.size * zoom, self.more + broken)


class Numbered(NamedTuple):
    """A name that found no place."""

    text: str
    at: Point | None
    """Where the middle of its number stands; None where there is no room for that, either."""
    end: Point
    """The nearest place of what it names."""

    @property
    def leads(self) -> bool:
        """Whether a line leads from the number to what it means."""
        return self.at is not None and hypot(self.at[0] - self.end[0], self.at[1] - self.end[1]) > _TOUCHING


class Names:
    """The texts over a map, and what they take up."""

    def __init__(self, room: Box, least: float = SMALLEST, number: Point | None = None) -> None:
        """``room`` is what names must stay in, ``least`` the height of type that one too long may have.

        A name without a free place gets a number, of the size ``number``; without that it covers as little as it can.
        """
        self.room, self.least = room, least
        self.placed: list[Placed] = []
        self.numbered: list[Numbered] = []
        self._number = number
        self._taken: list[Box] = []
        self._lines: list[tuple[Box, tuple[tuple[Point, Point], ...]]] = []

    @property
    def labels(self) -> list[Label]:
        """The texts as print has them."""
        return [one.label() for one in self.placed]

    def taken(self, place: Box) -> None:
        """Nothing shall stand here."""
        self._taken.append(place)

    def shun(self, area: Area) -> None:
        """An edge that a name should rather not cover."""
        self._lines.append((area.box, tuple(area.edges())))

    def free(self, place: Box) -> bool:
        """Whether nothing stands here yet."""
        left, top, right, bottom = place
        return not any(a < right and left < c and b < bottom and top < d for a, b, c, d in self._taken)

    def figure(self, text: str, at: Point, colour: str = BLACK) -> None:
        """A short text in a sign of its own."""
        self.placed.append(Placed(text, at, 6, 3.1, Markup(";color:{};font-weight:700").format(colour)))

    def sign(self, text: str, at: Point) -> None:
        """A short text beside an arrow, which others keep clear of."""
        self.placed.append(Placed(text, at, 6, 3.4, Markup(";font-weight:700")))
        self._taken.append((at[0] - 2.5, at[1] - 2.5, at[0] + 2.5, at[1] + 2.5))

    def measure(self, text: str, at: Point) -> None:
        """A length at the edge of the table."""
        wide = _long(text, SMALLEST, "sans") + 0.6
        self.placed.append(Placed(text, at, wide, SMALLEST, _BEHIND + Markup(";font-weight:400")))
        self._taken.append((at[0] - wide / 2, at[1] - 1.7, at[0] + wide / 2, at[1] + 1.7))

    def call(self, text: str, area: Area, others: Sequence[Area], *, strong: bool, colour: str = "") -> None:
        """A name, in the middle of what it names or near it, where it seems to name none of the ``others``.

        With a ``colour`` it is set in that and slanted, along the edge and apart from other names.
        """
        face = "sans-bold-italic" if colour else "sans-bold" if strong else "sans-semibold"
        size = max(self.least, min(SMALLEST, (self.room[2] - self.room[0] - 3) / max(_long(text, 1, face), 1)))
        near = [(one, one.box) for one in others]
        found = self._best(text, area, (size, face), near, strong=strong)
        if found is not None:
            said, best = found
        elif self._number is not None:
            self._by_number(text, area, near)
            return
        else:
            wide = _long(text, size, face) + _AIR
            said, best = text, self._least_bad(area, (wide, size * _HIGH), near, strong=strong)
        self._taken.append(best)
        middle = (best[0] + best[2]) / 2, (best[1] + best[3]) / 2
        dress = Markup(";font-weight:{}").format(700 if strong else 600)
        dress += Markup(";font-style:italic;color:{}").format(colour) if colour else ""
        self.placed.append(Placed(said, middle, best[2] - best[0], size, _BEHIND + dress))

    def _best(
        self, text: str, area: Area, type_: tuple[float, str], near: Sequence[tuple[Area, Box]], *, strong: bool
    ) -> tuple[str, Box] | None:
        """The best free place of a name in one line or in two, and how it is written there."""
        size, face = type_
        best: tuple[float, str, Box] | None = None
        for lines, said in enumerate(_broken(text)):
            wide = max(_long(line, size, face) for line in said.split("\n")) + _AIR
            for number, place in self._places(area, (wide, size * _HIGH * (lines + 1)), strong=strong):
                price = number + _TWO_LINES * lines
                if best is not None and price >= best[0]:
                    break  # those that follow are no better
                if self._fits(place) and (not face.endswith("italic") or self.free(_grown(place))):
                    price += self._price(place, near) + (_HIDES if _hidden(area, place) else 0)
                    best = (price, said, place) if best is None or price < best[0] else best
        return best[1:] if best is not None else None

    def _fits(self, place: Box) -> bool:
        left, top, right, bottom = self.room
        return place[0] >= left and place[1] >= top and place[2] <= right and place[3] <= bottom and self.free(place)

    def _price(self, place: Box, near: Sequence[tuple[Area, Box]]) -> float:
        """How many places further on are as good as a free one."""
        left, top, right, bottom = place
        on = sum(a < right and left < c and b < bottom and top < d and meets(one, place) for one, (a, b, c, d) in near)
        crosses = any(
            a < right and left < c and b < bottom and top < d and any(cuts(place, *edge) for edge in edges)
            for (a, b, c, d), edges in self._lines
        )
        return _MISLEADS * on + _CROSSES * crosses

    def _least_bad(self, area: Area, size: Point, near: Sequence[tuple[Area, Box]], *, strong: bool) -> Box:
        places = list(self._places(area, size, strong=strong))
        return min(places, key=lambda one: (self._covered(one[1]), one[0] + self._price(one[1], near)))[1]

    def _places(self, area: Area, size: Point, *, strong: bool) -> Iterator[tuple[float, Box]]:
        """Where a name may stand, the best first: in the middle, then further and further from it."""
        wide, high = size
        spots = self._beside(area, size) if area.wide else self._around(area, size, strong=strong)
        step = 0.3 if area.wide else 1  # along a way one place is nearly as good as the next
        for number, spot in enumerate(spots):
            across = min(max(spot[0], self.room[0] + wide / 2 + _INSIDE), self.room[2] - wide / 2 - _INSIDE)
            down = min(max(spot[1], self.room[1] + high / 2 + _INSIDE), self.room[3] - high / 2 - _INSIDE)
            yield number * step, (across - wide / 2, down - high / 2, across + wide / 2, down + high / 2)

    def _beside(self, area: Area, size: Point) -> Iterator[Point]:
        """Along a road or a river, on it and beside it."""
        for part in (0.5, 0.35, 0.65, 0.2, 0.8, 0.1, 0.9, 0.05, 0.95, 0.43, 0.57, 0.28, 0.72):
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
        if strong:
            yield from self._rim(area, size)
        columns = 5 if strong else 3
        for row in range(11):
            for column in (2, 1, 3, 0, 4) if strong else (1, 0, 2):
                spot = left + (right - left) * (column + 0.5) / columns, top + (bottom - top) * (row + 0.5) / 11
                if area.holds(spot):
                    yield spot

    def _rim(self, area: Area, size: Point) -> Iterator[Point]:
        """Within an area along its edge, from its corners; then right outside."""
        left, top, right, bottom = area.box
        wide, high = size[0] / 2, size[1] / 2
        inner = left + wide + _RIM, top + high + _RIM, right - wide - _RIM, bottom - high - _RIM
        across = [inner[0] + (inner[2] - inner[0]) * part for part in (0, 1, 0.5, 0.25, 0.75)]
        down = [inner[1] + (inner[3] - inner[1]) * part for part in (0.25, 0.5, 0.75)]
        if inner[0] <= inner[2] and inner[1] <= inner[3]:
            spots = [(x, y) for y in (inner[1], inner[3]) for x in across]
            spots += [(x, y) for y in down for x in (inner[0], inner[2])]
            yield from (one for one in spots if area.holds(one, high))
        x, y = (left + right) / 2, (top + bottom) / 2
        yield from (
            (x, top - high - _RIM),
            (x, bottom + high + _RIM),
            (left - wide - _RIM, y),
            (right + wide + _RIM, y),
        )

    def _covered(self, place: Box) -> float:
        """How much of what is taken a place would cover."""
        return round(sum(overlap(place, one) for one in self._taken), 2)

    # Numbers

    def _by_number(self, text: str, area: Area, near: Sequence[tuple[Area, Box]]) -> None:
        """A place for the number of a name that has found none: on what it names, near it, or anywhere."""
        left, top, right, bottom = area.box
        grown = max(left - _NEAR, self.room[0]), max(top - _NEAR, self.room[1])
        found = self._best_for_number(
            area, (*grown, min(right + _NEAR, self.room[2]), min(bottom + _NEAR, self.room[3])), near
        )
        found = found or self._best_for_number(area, self.room, near)
        if found is None:
            self.numbered.append(Numbered(text, None, area.middle))
            return
        self._taken.append(found)
        at = (found[0] + found[2]) / 2, (found[1] + found[3]) / 2
        self.numbered.append(Numbered(text, at, at if area.holds(at) else area.nearest(at)))

    def _best_for_number(self, area: Area, within: Box, near: Sequence[tuple[Area, Box]]) -> Box | None:
        wide, high = self._number or (0, 0)
        best: tuple[float, Box] | None = None
        for x, y in (area.middle, *_raster(within)):
            place = x - wide / 2, y - high / 2, x + wide / 2, y + high / 2
            if not self._fits(place):
                continue
            if area.holds((x, y)):
                far = hypot(x - area.middle[0], y - area.middle[1]) / 2
            else:
                end = area.nearest((x, y))
                far = _OUTSIDE + 2 * hypot(x - end[0], y - end[1])
            if best is None or far < best[0]:
                price = far + self._price(place, near)
                best = (price, place) if best is None or price < best[0] else best
        return best[1] if best is not None else None


def _hidden(area: Area, place: Box) -> bool:
    """Whether a name would hide much of what it names; of a way it does not."""
    left, top, right, bottom = area.box
    return not area.wide and overlap(place, area.box) > _MUCH * (right - left) * (bottom - top)


def _grown(place: Box) -> Box:
    return place[0] - _GAP, place[1] - _GAP, place[2] + _GAP, place[3] + _GAP


def _raster(within: Box) -> Iterator[Point]:
    left, top, right, bottom = within
    for row in range(ceil((bottom - top) / _APART)):
        for column in range(ceil((right - left) / _APART)):
            yield left + (column + 0.5) * _APART, top + (row + 0.5) * _APART


def _long(text: str, size: float, face: str) -> float:
    return length(text, size / POINT, face)


def _broken(text: str) -> Iterator[str]:
    """A name in one line, then in two that are about as long as each other."""
    yield text
    gaps = [at for at, letter in enumerate(text) if letter == " "]
    if gaps:
        at = min(gaps, key=lambda one: abs(2 * one + 1 - len(text)))
        yield f"{text[:at]}\n{text[at + 1 :]}"
