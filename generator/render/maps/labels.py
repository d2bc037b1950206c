"""Names on a map: each where it covers no other and seems to name nothing else, at what it names; else a number."""

from __future__ import annotations

from math import ceil, hypot
from typing import TYPE_CHECKING, NamedTuple

from markupsafe import Markup

from generator.render.drawing import SMALLEST, boxed
from generator.render.inks import BLACK
from generator.render.maps.areas import cuts, overlap
from generator.render.maps.label_places import Grounds, places
from generator.render.type.text_length import POINT, length

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from generator.render.drawing import Label, Point
    from generator.render.maps.areas import Area, Box
    from generator.render.maps.label_places import Named

_HIGH = 1.2
"""How high a line is, in sizes of its type: the box that print gives it."""
_AIR = 0.8
"""Millimetres beside a name that stay free."""
_CROSSES, _TWO_LINES, _CROWDED = 8, 4, 3
"""So many better places are left out for one where a name covers a line, takes two, or would be read with another."""
_WORD = 1.2
"""No further beside another a name is read with it."""
_MANY = 12
"""No more names should have numbers: those below a map take its room."""
_APART, _OUTSIDE = 1.9, 8.0
"""From one place for a number to the next, and what it costs to stand outside of what it names."""
_TOUCHING = 2.6
"""Millimetres from the middle of a number: what is no further needs no line that leads there."""
_GAP = 1.0
"""How far the name of a zone keeps off other names."""
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


class Called(NamedTuple):
    """What has a name that is to stand on the map."""

    named: Named
    colour: str = ""
    """It is set in this and slanted, and stands apart from other names."""


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
        self._grounds, self._fair = Grounds(), number is not None

    @property
    def labels(self) -> list[Label]:
        """The texts as print has them."""
        return [placed.label() for placed in self.placed]

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

    def call(self, calls: Sequence[Called], others: Sequence[Named]) -> None:
        """Place names in this order, each in the middle of what it names or near it, else a number that stands for it.

        Where too many would need a number, some stand where they seem to name one of the ``others``.
        """
        self._grounds = Grounds(others)
        before = [*self.placed], [*self._taken]
        for item in calls:
            self._call(item)
        if len(self.numbered) > _MANY:
            (self.placed, self._taken), self.numbered, self._fair = before, [], False
            for item in calls:
                self._call(item)

    def _call(self, called: Called) -> None:
        """Give a name its place, or a number."""
        face = "sans-bold-italic" if called.colour else "sans-bold" if called.named.zone else "sans-semibold"
        text = called.named.name
        size = max(self.least, min(SMALLEST, (self.room[2] - self.room[0] - 3) / max(_long(text, 1, face), 1)))
        found = self._best(called, size, face)
        if found is not None:
            _, said, best = found
        elif self._number is not None:
            self._by_number(called.named)
            return
        else:
            wide = _long(text, size, face) + _AIR
            said, best = text, self._least_bad(called.named, (wide, size * _HIGH))
        self._taken.append(best)
        middle = (best[0] + best[2]) / 2, (best[1] + best[3]) / 2
        style = Markup(";font-weight:{}").format(700 if called.named.zone else 600)
        style += Markup(";font-style:italic;color:{}").format(called.colour) if called.colour else ""
        self.placed.append(Placed(said, middle, best[2] - best[0], size, _BEHIND + style))

    def _best(self, called: Called, size: float, face: str) -> tuple[float, str, Box] | None:
        """What the best free place of a name in one line or in two costs, and how it is written there.

        Where the name can have a number instead, no place is good that would mislead.
        """
        best: tuple[float, str, Box] | None = None
        for lines, said in enumerate(_broken(called.named.name)):
            wide = max(_long(line, size, face) for line in said.split("\n")) + _AIR
            room = wide, size * _HIGH * (lines + 1)
            for number, place in places(called.named, room, self.room):
                price = number + _TWO_LINES * lines
                if best is not None and price >= best[0]:
                    break  # those that follow are no better
                if self._fits(place) and (not called.colour or self.free(_grown(place))):
                    more, misleads = self._grounds.fault(called.named, place)
                    price += more + _CROSSES * self._crosses(place) + (0 if self.free(_wider(place)) else _CROWDED)
                    if not (misleads and self._fair) and (best is None or price < best[0]):
                        best = (price, said, place)
        return best

    def _fits(self, place: Box) -> bool:
        left, top, right, bottom = self.room
        return place[0] >= left and place[1] >= top and place[2] <= right and place[3] <= bottom and self.free(place)

    def _crosses(self, place: Box) -> bool:
        """Whether an edge runs through it that a name should rather not cover."""
        left, top, right, bottom = place
        return any(
            a < right and left < c and b < bottom and top < d and any(cuts(place, *edge) for edge in edges)
            for (a, b, c, d), edges in self._lines
        )

    def _least_bad(self, named: Named, size: Point) -> Box:
        found = list(places(named, size, self.room))
        return min(found, key=lambda at: (self._covered(at[1]), at[0] + self._grounds.fault(named, at[1]).price))[1]

    def _covered(self, place: Box) -> float:
        """How much of what is taken a place would cover."""
        return round(sum(overlap(place, box) for box in self._taken), 2)

    # Numbers

    def _by_number(self, named: Named) -> None:
        """Find a place for the number of a name that has found none: on what it names, else near it."""
        area = named.area
        found = self._best_for_number(named)
        if found is None:
            self.numbered.append(Numbered(named.name, None, area.middle))
            return
        self._taken.append(found)
        at = (found[0] + found[2]) / 2, (found[1] + found[3]) / 2
        self.numbered.append(Numbered(named.name, at, at if area.holds(at) else area.nearest(at)))

    def _best_for_number(self, named: Named) -> Box | None:
        area = named.area
        wide, high = self._number or (0, 0)
        best: tuple[float, Box] | None = None
        for x, y in (area.middle, *_raster(self.room)):
            place = x - wide / 2, y - high / 2, x + wide / 2, y + high / 2
            if not self._fits(place):
                continue
            if area.holds((x, y)):
                far = hypot(x - area.middle[0], y - area.middle[1]) / 2
            else:
                end = area.nearest((x, y))
                far = _OUTSIDE + 2 * hypot(x - end[0], y - end[1])
            if best is None or far < best[0]:
                price = far + self._grounds.lies_on(named, place)[1] + _CROSSES * self._crosses(place)
                best = (price, place) if best is None or price < best[0] else best
        return best[1] if best is not None else None


def _wider(place: Box) -> Box:
    return place[0] - _WORD, place[1], place[2] + _WORD, place[3]


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
        at = min(gaps, key=lambda gap: abs(2 * gap + 1 - len(text)))
        yield f"{text[:at]}\n{text[at + 1 :]}"
