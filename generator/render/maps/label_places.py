"""Candidate places for the names on a map, and the cost of a place that overlaps other features."""

from __future__ import annotations

from dataclasses import dataclass
from math import dist
from typing import TYPE_CHECKING, NamedTuple

from generator.render.maps.areas import Area, apart, covered, overlap, share

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from generator.render.drawing import Point
    from generator.render.maps.areas import Box

_INSIDE = 0.8
"""Least distance of a name from the edge of the table."""
_RIM = 0.7
"""Distance of a zone's name from the zone's edge."""
_OFF = 0.4
"""Distance of a name beside an area from the area's box."""
_TOUCHES, _MISLEADS, _HIDES, _RUNS_OUT = 3, 50, 4, 8
"""The cost of a place, in better places left out. The name touches a foreign feature, lies wholly on one, hides much
of its own feature, or stands half in its own zone."""
_COVERS, _SOME = 12, 0.1
"""The cost of a name on its own road and beside it, where it hides this share of a short road."""
_FAIR = 0.35
"""A name that overlaps another feature with more than this share of itself seems to name that feature."""
_MUCH = 0.3
"""Share of its own feature that a name should not hide."""
_ROOMY, _PASSING = 8, 0.3
"""A zone with room for this many names is known by its hatching, so another name in it costs only this share."""
_ROWS, _WIDE = 11, 30
"""Rows of places tried in an area; an area with room for more names than this has its name inside."""
_ROOM = 1.1, 3.0
"""Least width and height of an area, in multiples of its name's, for the name to stand in its middle."""
_NEAR, _LOOSE, _FARTHEST = 0.8, 4, 3.0
"""Distance in millimetres from its feature that costs a name nothing; cost of each further one; greatest distance."""


@dataclass(frozen=True, slots=True, eq=False)
class Named:
    """A feature of a map that may have a name. Compared by identity, so that look-ups are fast."""

    area: Area
    name: str
    zone: bool = False


class Fault(NamedTuple):
    """The faults of a place for a name."""

    price: float
    """The cost of the place, as a number of later candidate places."""
    misleads: bool
    """Whether a reader would take the name for the name of another feature."""


class Grounds:
    """The features of a map that a name could seem to belong to."""

    def __init__(self, named: Sequence[Named] = ()) -> None:
        self._named = [(item, item.area.box) for item in named]
        self._shares: dict[tuple[Named, Named], float] = {}

    def fault(self, named: Named, place: Box) -> Fault:
        """Return the faults of a place: the features that it overlaps, and its distance from its own feature."""
        on, price = self.lies_on(named, place)
        part = covered(named.area, place) / _size(place)
        far = 0.0 if part else apart(named.area, place)
        price += _LOOSE * max(0.0, far - _NEAR)
        if named.area.wide:
            whole = named.area.wide * sum(dist(*edge) for edge in named.area.edges())
            price += _COVERS * part * (part < 0.98 and part * _size(place) > _SOME * whole)  # noqa: PLR2004 - all of it
        else:
            left, top, right, bottom = named.area.box
            price += _HIDES * (overlap(place, named.area.box) > _MUCH * (right - left) * (bottom - top))
        if named.zone:
            price += _RUNS_OUT * (0.02 < part < 0.98)  # noqa: PLR2004 - neither within nor beside
        return Fault(price, on > _FAIR or far > _FARTHEST)

    def lies_on(self, named: Named, place: Box) -> tuple[float, float]:
        """Return how much of a label overlaps or hides other features, and the cost of that overlap."""
        left, top, right, bottom = place
        whole = price = 0.0
        for other, (a, b, c, d) in self._named:
            if not (a < right and left < c and b < bottom and top < d) or other.name == named.name:
                continue
            part = covered(other.area, place)
            if not part:
                continue
            roomy = other.zone and not named.zone and (c - a) * (d - b) > _ROOMY * _size(place)
            hidden = 0.0 if other.area.wide or other.zone else part / max((c - a) * (d - b), part)
            on = max(part / _size(place), hidden)
            within = self._share(named, other)  # a feature in a wood may have its name in that wood
            on *= 0.0 if roomy and within else _PASSING if roomy else 1 - within
            whole += on
            price += _MISLEADS * on + (_TOUCHES if on else 0)
        return whole, price

    def _share(self, named: Named, other: Named) -> float:
        found = self._shares.get((named, other))
        if found is None:
            found = self._shares[named, other] = share(named.area, other.area)
        return found


def _size(place: Box) -> float:
    return (place[2] - place[0]) * (place[3] - place[1])


def places(named: Named, size: Point, room: Box) -> Iterator[tuple[float, Box]]:
    """Yield the cost and box of each place for a name, the best first: in the middle, then further away."""
    wide, high = size
    spots = _beside(named.area, size) if named.area.wide else _around(named.area, size, strong=named.zone)
    step = 0.3 if named.area.wide else 1  # along a way, all places are nearly as good
    for number, spot in enumerate(spots):
        across = min(max(spot[0], room[0] + wide / 2 + _INSIDE), room[2] - wide / 2 - _INSIDE)
        down = min(max(spot[1], room[1] + high / 2 + _INSIDE), room[3] - high / 2 - _INSIDE)
        yield number * step, (across - wide / 2, down - high / 2, across + wide / 2, down + high / 2)


def _beside(area: Area, size: Point) -> Iterator[Point]:
    """Yield places for a road's or river's name: on it if there is room, then beside it, off its ends, or across it."""
    parts = (0.5, 0.35, 0.65, 0.2, 0.8, 0.1, 0.9, 0.05, 0.95, 0.43, 0.57, 0.28, 0.72)
    yield from (spot for spot in map(area.along, parts) if _has_room(area, spot, size))
    for part in parts:
        (x, y), (before, after) = area.along(part), (area.along(part - 0.02), area.along(part + 0.02))
        up, across = area.wide / 2 + size[1] / 2 + 0.5, area.wide / 2 + size[0] / 2 + 0.8
        over, beside = ((x, y - up), (x, y + up)), ((x + across, y), (x - across, y))
        steep = abs(after[1] - before[1]) > abs(after[0] - before[0])
        yield from (*beside, *over) if steep else (*over, *beside)
    off = size[0] / 2 + 1
    for (x, y), (inner, _) in ((area.along(end), area.along(within)) for end, within in ((0, 0.05), (1, 0.95))):
        yield (x + off if x > inner else x - off), y
    yield from map(area.along, parts)


def _has_room(area: Area, spot: Point, size: Point) -> bool:
    """Return whether a name of this size lies wholly on a way or area."""
    return all(area.holds((spot[0] + size[0] / 2 * x, spot[1] + size[1] / 2 * y)) for x in (-1, 1) for y in (-1, 1))


def _around(area: Area, size: Point, *, strong: bool) -> Iterator[Point]:
    """Yield places for the name of an area: in its middle, at its sides and corners, then anywhere in it."""
    left, top, right, bottom = area.box
    x, y = area.middle
    wide, high = size
    above, below = top - high / 2 - _OFF, bottom + high / 2 + _OFF
    before, after = left - wide / 2 - _OFF, right + wide / 2 + _OFF
    if not strong:
        roomy = right - left > wide * _ROOM[0] and bottom - top > high * _ROOM[1]
        near = ((x, above), (x, below))
        if roomy and (right - left) * (bottom - top) > _WIDE * wide * high:  # so that the name of a sea is not on land
            yield from (spot for spot in ((x, y), *_raster(area)) if _has_room(area, spot, size))
        yield from ((x, y), *near) if roomy else (*near, (x, y))
        yield from ((after, y), (before, y))
        shifted = left + wide / 2, right - wide / 2
        yield from ((across, down) for down in (above, below) for across in shifted)
        level = top + high / 2, bottom - high / 2
        yield from ((across, down) for across in (after, before) for down in level)
    if strong:
        yield from _rim(area, size)
    yield from _raster(area, (2, 1, 3, 0, 4) if strong else (1, 0, 2))


def _raster(area: Area, columns: Sequence[int] = (1, 0, 2)) -> Iterator[Point]:
    """Yield points in an area, row by row."""
    left, top, right, bottom = area.box
    for row in range(_ROWS):
        for column in columns:
            spot = left + (right - left) * (column + 0.5) / len(columns), top + (bottom - top) * (row + 0.5) / _ROWS
            if area.holds(spot):
                yield spot


def _rim(area: Area, size: Point) -> Iterator[Point]:
    """Yield places inside an area along its edge, from its corners, then places just outside."""
    left, top, right, bottom = area.box
    wide, high = size[0] / 2, size[1] / 2
    inner = left + wide + _RIM, top + high + _RIM, right - wide - _RIM, bottom - high - _RIM
    across = [inner[0] + (inner[2] - inner[0]) * part for part in (0, 1, 0.5, 0.25, 0.75)]
    down = [inner[1] + (inner[3] - inner[1]) * part for part in (0.25, 0.5, 0.75)]
    if inner[0] <= inner[2] and inner[1] <= inner[3]:
        spots = [(x, y) for y in (inner[1], inner[3]) for x in across]
        spots += [(x, y) for y in down for x in (inner[0], inner[2])]
        yield from (spot for spot in spots if area.holds(spot, high))
    x, y = (left + right) / 2, (top + bottom) / 2
    above, below = top - high - _RIM, bottom + high + _RIM
    before, after = left - wide - _RIM, right + wide + _RIM
    yield from ((x, above), (x, below), (before, y), (after, y))
    yield from ((spot, level) for level in (above, below) for spot in (left + wide, right - wide))
    yield from ((spot, level) for spot in (before, after) for level in (top + high, bottom - high))
