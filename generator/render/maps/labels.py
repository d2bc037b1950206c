"""The placing of names on a map: each near its feature, clear of other names and features; else a number."""

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
"""Line height, in multiples of the type size."""
_AIR = 0.8
"""Free space in millimetres at the sides of a name."""
_CROSSES, _TWO_LINES, _CROWDED = 8, 4, 3
"""The cost, in better places left out, of a name that covers a line, takes two lines, or is close to another name."""
_WORD = 1.2
"""Distance within which a name beside another seems to continue it."""
_MANY = 12
"""Most names that should have numbers: the list below a map makes the map smaller."""
_APART, _OUTSIDE = 1.9, 8.0
"""Distance between tried places for a number, and the cost of a place outside the feature."""
_TOUCHING = 2.6
"""Greatest distance in millimetres from a number to its feature without a line between them."""
_GAP = 1.0
"""Least distance between a zone's name and other names."""
_TWO = Markup(";white-space:pre-line")
_BEHIND = Markup(";background:rgba(255,255,255,0.78)")


class Placed(NamedTuple):
    """A text with its centre and type."""

    text: str
    at: Point
    wide: float
    size: float
    more: Markup

    def label(self, origin: Point = (0, 0), zoom: float = 1) -> Label:
        """Return the text as a label, in a drawing that begins at ``origin`` and is enlarged ``zoom`` times."""
        lines = self.text.count("\n") + 1
        # The box of a line begins above its letters, and the first line stands above the middle of several.
        down = self.at[1] - self.size * (_HIGH / 2 * (lines - 1) - 0.02)
        at = (self.at[0] - origin[0]) * zoom, (down - origin[1]) * zoom
        broken = _TWO if lines > 1 else ""
        return boxed(self.text, at, self.wide * zoom, self.size * zoom, self.more + broken)


class Called(NamedTuple):
    """A feature whose name should be placed on the map."""

    named: Named
    colour: str = ""
    """If set, the name is in this colour and italic, and keeps a distance from other names."""


class Numbered(NamedTuple):
    """A name without a place on the map, with the place of its number."""

    text: str
    at: Point | None
    """The centre of its number; None if there is no room for a number either."""
    end: Point
    """The nearest point of its feature."""

    @property
    def leads(self) -> bool:
        """Whether a line is drawn from the number to its feature."""
        return self.at is not None and hypot(self.at[0] - self.end[0], self.at[1] - self.end[1]) > _TOUCHING


class Names:
    """The texts on a map, and the places that are taken."""

    def __init__(self, room: Box, least: float = SMALLEST, number: Point | None = None) -> None:
        """Begin without texts; names must stay in ``room``, and ``least`` is the smallest type for a long name.

        A name without a free place gets a number of the size ``number``. If ``number`` is None, the name covers as
        little as possible.
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
        """The texts as labels."""
        return [placed.label() for placed in self.placed]

    def taken(self, place: Box) -> None:
        """Mark a place as taken."""
        self._taken.append(place)

    def shun(self, area: Area) -> None:
        """Mark the edges of an area as lines that names should avoid."""
        self._lines.append((area.box, tuple(area.edges())))

    def free(self, place: Box) -> bool:
        """Return whether no taken place overlaps this place."""
        left, top, right, bottom = place
        return not any(a < right and left < c and b < bottom and top < d for a, b, c, d in self._taken)

    def figure(self, text: str, at: Point, colour: str = BLACK) -> None:
        """Add a short text inside a sign."""
        self.placed.append(Placed(text, at, 6, 3.1, Markup(";color:{};font-weight:700").format(colour)))

    def sign(self, text: str, at: Point) -> None:
        """Add a short text beside an arrow, and mark its place as taken."""
        self.placed.append(Placed(text, at, 6, 3.4, Markup(";font-weight:700")))
        self._taken.append((at[0] - 2.5, at[1] - 2.5, at[0] + 2.5, at[1] + 2.5))

    def measure(self, text: str, at: Point) -> None:
        """Add a length at the edge of the table, and mark its place as taken."""
        wide = _long(text, SMALLEST, "sans") + 0.6
        self.placed.append(Placed(text, at, wide, SMALLEST, _BEHIND + Markup(";font-weight:400")))
        self._taken.append((at[0] - wide / 2, at[1] - 1.7, at[0] + wide / 2, at[1] + 1.7))

    def call(self, calls: Sequence[Called], others: Sequence[Named]) -> None:
        """Place names in this order, each on its feature or near it; names without room get numbers.

        If too many names would need a number, some are placed where they may seem to name one of the ``others``.
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
        """Place a name, or give it a number."""
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
        """Return the cost, text and box of the best free place for a name in one or two lines.

        If the name can have a number instead, places that would mislead are left out.
        """
        best: tuple[float, str, Box] | None = None
        for lines, said in enumerate(_broken(called.named.name)):
            wide = max(_long(line, size, face) for line in said.split("\n")) + _AIR
            room = wide, size * _HIGH * (lines + 1)
            for number, place in places(called.named, room, self.room):
                price = number + _TWO_LINES * lines
                if best is not None and price >= best[0]:
                    break  # later places are no better
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
        """Return whether a line that names should avoid runs through a place."""
        left, top, right, bottom = place
        return any(
            a < right and left < c and b < bottom and top < d and any(cuts(place, *edge) for edge in edges)
            for (a, b, c, d), edges in self._lines
        )

    def _least_bad(self, named: Named, size: Point) -> Box:
        """Return the place that covers the least of taken places."""
        found = list(places(named, size, self.room))
        return min(found, key=lambda at: (self._covered(at[1]), at[0] + self._grounds.fault(named, at[1]).price))[1]

    def _covered(self, place: Box) -> float:
        """Return the area of taken places that a place would cover."""
        return round(sum(overlap(place, box) for box in self._taken), 2)

    # Numbers

    def _by_number(self, named: Named) -> None:
        """Place the number of a name that has no room, on its feature or near it, or list the name without a number."""
        area = named.area
        found = self._best_for_number(named)
        if found is None:
            self.numbered.append(Numbered(named.name, None, area.middle))
            return
        self._taken.append(found)
        at = (found[0] + found[2]) / 2, (found[1] + found[3]) / 2
        self.numbered.append(Numbered(named.name, at, at if area.holds(at) else area.nearest(at)))

    def _best_for_number(self, named: Named) -> Box | None:
        """Return the best free place for the number of a name; None if there is none."""
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
    """Yield a name in one line, then in two lines of about equal length."""
    yield text
    gaps = [at for at, letter in enumerate(text) if letter == " "]
    if gaps:
        at = min(gaps, key=lambda gap: abs(2 * gap + 1 - len(text)))
        yield f"{text[:at]}\n{text[at + 1 :]}"
