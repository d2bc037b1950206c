"""Areas of a drawing in millimetres: tests of what is inside, stripes across them, points spread over them."""

from __future__ import annotations

from itertools import pairwise
from math import ceil, cos, dist, floor, hypot, pi, sin
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from generator.render.drawing import mm

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from generator.render.drawing import Point

Box: TypeAlias = "tuple[float, float, float, float]"
"""Left, top, right and bottom."""
_STEP = 0.8
"""Step in millimetres along a stripe when its depth is tested."""
_CORNERS = 48
"""Number of corners of a circle drawn as a polygon."""
_SIGN = 1.2
"""Radius in millimetres of the signs spread over an area."""
_CLOSE = 0.6
"""Least distance between points of a finer raster, as a share of the usual distance."""
_FELT = 6
"""Number of sample points each way, to estimate how much of an area lies in another."""


class Area(NamedTuple):
    """A polygon, or, with ``wide``, a line of this width."""

    points: tuple[Point, ...]
    wide: float = 0
    under: tuple[Area, ...] = ()
    """Ways that run over the area; no signs are spread there."""

    @property
    def middle(self) -> Point:
        """The centre of a polygon, or the point halfway along a line."""
        return self.along(0.5) if self.wide else _centre(self.points)

    @property
    def box(self) -> Box:
        """Left, top, right and bottom."""
        xs, ys = [x for x, _ in self.points], [y for _, y in self.points]
        around = self.wide / 2
        return min(xs) - around, min(ys) - around, max(xs) + around, max(ys) + around

    def along(self, part: float) -> Point:
        """Return the point on a line after this share of its length."""
        return _on_the_way(self.points, part)

    def edges(self) -> Iterator[tuple[Point, Point]]:
        """Return the edges as pairs of corners."""
        ends = self.points[1:] if self.wide else (*self.points[1:], self.points[0])
        return zip(self.points, ends, strict=False)

    def holds(self, spot: Point, margin: float = 0) -> bool:
        """Return whether a point lies inside, at least ``margin`` from the edge."""
        if self.wide:
            return min(_distance(spot, edge) for edge in self.edges()) <= self.wide / 2 - margin
        if not self._inside(spot):
            return False
        return not margin or min(_distance(spot, edge) for edge in self.edges()) >= margin

    def _inside(self, spot: Point) -> bool:
        """Return whether a point is inside the polygon."""
        (x, y), odd = spot, False
        for (ax, ay), (bx, by) in self.edges():
            if (ay > y) != (by > y) and x < ax + (y - ay) * (bx - ax) / (by - ay):
                odd = not odd
        return odd

    def nearest(self, spot: Point) -> Point:
        """Return the point of the edge, or of a line's centre line, that is nearest to a point."""
        places = [_nearest(spot, edge) for edge in self.edges()] or [self.points[0]]
        return min(places, key=lambda place: hypot(place[0] - spot[0], place[1] - spot[1]))

    def outline(self) -> str:
        """Return the edge, or the line itself, as SVG path data."""
        return "M" + "L".join(f"{mm(x)} {mm(y)}" for x, y in self.points) + ("" if self.wide else "Z")

    def stripes(self, turn: float, gap: float) -> Iterator[tuple[Point, Point]]:
        """Yield parallel lines across a polygon at this angle and distance; all areas share one raster."""
        along, across = (cos(turn), sin(turn)), (-sin(turn), cos(turn))
        edges = [((_dot(a, along), _dot(a, across)), (_dot(b, along), _dot(b, across))) for a, b in self.edges()]
        heights = [v for edge in edges for _, v in edge]
        for number in range(ceil(min(heights) / gap), floor(max(heights) / gap) + 1):
            level = number * gap
            meets = sorted(
                au + (level - av) * (bu - au) / (bv - av)
                for (au, av), (bu, bv) in edges
                if (av > level) != (bv > level)
            )
            for left, right in zip(meets[::2], meets[1::2], strict=True):
                yield _back(left, level, along, across), _back(right, level, along, across)

    def along_edge(self, start: Point, end: Point, deep: float) -> Iterator[tuple[Point, Point]]:
        """Yield the parts of a stripe that are less than ``deep`` from the edge."""
        steps = max(1, ceil(hypot(end[0] - start[0], end[1] - start[1]) / _STEP))
        begun: float | None = None
        for number in range(steps + 1):
            part = number / steps
            if self.holds(toward(start, end, part), deep):
                if begun is not None:
                    yield toward(start, end, begun), toward(start, end, part)
                begun = None
            elif begun is None:
                begun = max(0.0, part - 1 / steps)
        if begun is not None:
            yield toward(start, end, begun), end

    def spread(self, gap: float, margin: float, *, shift: float = 0.5) -> Iterator[Point]:
        """Yield points inside the area in staggered rows of a raster that all areas share; at least one point.

        Each point is moved a little, always in the same way, so that signs look natural. No point is on a way over the
        area; if none is left, a finer raster is used.
        """
        every = list(self._raster(gap, margin, shift))
        if self.under:
            finer = (every, *(self._raster(gap / part, margin, shift) for part in (2, 3)))
            clear = ([spot for spot in some if not self._is_under(spot)] for some in finer)
            every = next((_thinned(some, gap * _CLOSE) for some in clear if some), every)
        yield from every or [self.middle]

    def _is_under(self, spot: Point) -> bool:
        return any(way.holds(spot, -_SIGN) for way in self.under)

    def _raster(self, gap: float, margin: float, shift: float) -> Iterator[Point]:
        """Yield the points of the common raster that are inside the area."""
        left, top, right, bottom = self.box
        rise = gap * 0.86
        for row in range(floor(top / rise), ceil(bottom / rise) + 1):
            for column in range(floor(left / gap) - 1, ceil(right / gap) + 1):
                sway = _sway(row, column)
                x = (column + (0.5 if row % 2 else 0)) * gap + (sway[0] - 0.5) * gap * shift
                y = row * rise + (sway[1] - 0.5) * gap * shift
                if self.holds((x, y), margin):
                    yield x, y


def _thinned(spots: Iterable[Point], gap: float) -> list[Point]:
    """Return the points that are at least ``gap`` from all points kept before them."""
    found: list[Point] = []
    for spot in spots:
        if all(dist(spot, other) >= gap for other in found):
            found.append(spot)
    return found


def disc(middle: Point, radius: float) -> Area:
    """Return a circle as a polygon."""
    turns = (2 * pi * number / _CORNERS for number in range(_CORNERS))
    return Area(tuple((middle[0] + radius * cos(turn), middle[1] + radius * sin(turn)) for turn in turns))


def box(left: float, top: float, wide: float, high: float) -> Area:
    """Return a rectangle."""
    return Area(((left, top), (left + wide, top), (left + wide, top + high), (left, top + high)))


def around(*spots: Point) -> Box:
    """Return the box around points."""
    xs, ys = [x for x, _ in spots], [y for _, y in spots]
    return min(xs), min(ys), max(xs), max(ys)


def touches(one: Box, other: Box) -> bool:
    """Return whether two boxes overlap or share an edge."""
    return one[0] <= other[2] and other[0] <= one[2] and one[1] <= other[3] and other[1] <= one[3]


def overlap(one: Box, other: Box) -> float:
    """Return the area in which two boxes overlap; 0 if they only touch.

    >>> overlap((0, 0, 4, 4), (3, 2, 9, 9)), overlap((0, 0, 4, 4), (4, 0, 8, 4))
    (2, 0)
    """
    wide, high = min(one[2], other[2]) - max(one[0], other[0]), min(one[3], other[3]) - max(one[1], other[1])
    return wide * high if wide > 0 and high > 0 else 0


def cuts(place: Box, start: Point, end: Point) -> bool:
    """Return whether a line passes through the inside of a box.

    >>> cuts((0, 0, 4, 4), (-1, -1), (1, 1)), cuts((0, 0, 4, 4), (-3, 2), (2, -3))
    (True, False)
    """
    first, last = 0.0, 1.0
    for low, high, a, b in zip(place[:2], place[2:], start, end, strict=True):
        if a == b:
            if not low < a < high:
                return False
            continue
        into, out = sorted(((low - a) / (b - a), (high - a) / (b - a)))
        first, last = max(first, into), min(last, out)
    return first < last


def covered(area: Area, place: Box) -> float:
    """Return how much of a box an area covers; for a way with sharp bends, a little too much.

    >>> covered(box(0, 0, 4, 4), (2, 2, 9, 9)), covered(Area(((0, 0), (9, 0)), 2), (2, -4, 4, 4))
    (4.0, 4.0)
    """
    if not area.wide:
        return _size(_cut(area.points, place))
    whole, wide = (place[2] - place[0]) * (place[3] - place[1]), area.wide
    near = place[0] - wide, place[1] - wide, place[2] + wide, place[3] + wide
    parts = (_cut(_strip(*edge, wide), place) for edge in area.edges() if cuts(near, *edge))
    return min(whole, sum(map(_size, parts)))


def share(area: Area, other: Area) -> float:
    """Return about how much of an area, or of a way's length, lies in another area: from 0 to 1.

    >>> share(box(0, 0, 4, 4), box(2, 0, 9, 9)), share(Area(((0, 0), (8, 0)), 2), box(-1, -1, 99, 99))
    (0.5, 1.0)
    """
    if area.wide:
        spots = [area.along(number / (4 * _FELT)) for number in range(4 * _FELT + 1)]
    else:
        left, top, right, bottom = area.box
        parts = [(number + 0.5) / _FELT for number in range(_FELT)]
        raster = [(left + (right - left) * x, top + (bottom - top) * y) for x in parts for y in parts]
        spots = [spot for spot in raster if area.holds(spot)] or [area.middle]
    return sum(other.holds(spot) for spot in spots) / len(spots)


def apart(area: Area, place: Box) -> float:
    """Return the approximate distance between a box and an area; 0 if they touch.

    >>> apart(box(0, 0, 4, 4), (6, 1, 9, 2)), apart(box(0, 0, 4, 4), (3, 1, 9, 2))
    (2.0, 0.0)
    """
    at = (place[0] + place[2]) / 2, (place[1] + place[3]) / 2
    for _ in range(2):
        if area.holds(at):
            return 0.0
        end = area.nearest(at)
        at = min(max(end[0], place[0]), place[2]), min(max(end[1], place[1]), place[3])
    return max(0.0, hypot(at[0] - end[0], at[1] - end[1]) - area.wide / 2)


def toward(start: Point, end: Point, part: float) -> Point:
    """Return the point after this share of the way from ``start`` to ``end``."""
    return start[0] + (end[0] - start[0]) * part, start[1] + (end[1] - start[1]) * part


def _cut(points: Sequence[Point], place: Box) -> Sequence[Point]:
    """Return the part of a polygon that lies in a box."""
    for axis, limit, sign in ((0, place[0], 1), (1, place[1], 1), (0, place[2], -1), (1, place[3], -1)):
        deep = [(point[axis] - limit) * sign for point in points]
        if min(deep, default=0) >= 0:
            continue
        if max(deep) <= 0:
            return ()
        kept: list[Point] = []
        for number, after in enumerate(deep):
            before, end = deep[number - 1], points[number]
            if before * after < 0:
                kept.append(toward(points[number - 1], end, before / (before - after)))
            if after >= 0:
                kept.append(end)
        points = kept
    return points


def _size(points: Sequence[Point]) -> float:
    pairs = zip(points, (*points[1:], *points[:1]), strict=True)
    return abs(sum(ax * by - bx * ay for (ax, ay), (bx, by) in pairs)) / 2


def _strip(start: Point, end: Point, wide: float) -> Sequence[Point]:
    """Return the four corners of a straight piece of a way."""
    long = hypot(end[0] - start[0], end[1] - start[1]) or 1.0
    x, y = -(end[1] - start[1]) / long * wide / 2, (end[0] - start[0]) / long * wide / 2
    return (
        (start[0] + x, start[1] + y),
        (end[0] + x, end[1] + y),
        (end[0] - x, end[1] - y),
        (start[0] - x, start[1] - y),
    )


def _sway(row: int, column: int) -> tuple[float, float]:
    """Return two fixed pseudo-random numbers from 0 to 1 for a raster cell."""
    mixed = (row * 73856093 ^ column * 19349663) & 0xFFFFFF
    mixed = (mixed * 2654435761) & 0xFFFFFFFF
    return (mixed >> 8 & 0xFF) / 255, (mixed >> 20 & 0xFF) / 255


def _dot(point: Point, other: Point) -> float:
    return point[0] * other[0] + point[1] * other[1]


def _back(u: float, v: float, along: Point, across: Point) -> Point:
    """Return the point with these coordinates along and across the stripes."""
    return u * along[0] + v * across[0], u * along[1] + v * across[1]


def _nearest(spot: Point, edge: tuple[Point, Point]) -> Point:
    (ax, ay), (bx, by) = edge
    length = (bx - ax) ** 2 + (by - ay) ** 2
    part = ((spot[0] - ax) * (bx - ax) + (spot[1] - ay) * (by - ay)) / length if length else 0
    return toward((ax, ay), (bx, by), min(max(part, 0), 1))


def _distance(spot: Point, edge: tuple[Point, Point]) -> float:
    near = _nearest(spot, edge)
    return hypot(spot[0] - near[0], spot[1] - near[1])


def _on_the_way(points: Sequence[Point], part: float) -> Point:
    lengths = [hypot(b[0] - a[0], b[1] - a[1]) for a, b in pairwise(points)]
    left = sum(lengths) * part
    for start, end, length in zip(points, points[1:], lengths, strict=False):
        if left <= length and length:
            return toward(start, end, left / length)
        left -= length
    return points[-1]


def _centre(points: Sequence[Point]) -> Point:
    twice, x, y = 0.0, 0.0, 0.0
    for (ax, ay), (bx, by) in zip(points, (*points[1:], points[0]), strict=True):
        part = ax * by - bx * ay
        twice, x, y = twice + part, x + (ax + bx) * part, y + (ay + by) * part
    return (x / (3 * twice), y / (3 * twice)) if twice else points[0]
