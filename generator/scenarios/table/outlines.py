"""The outlines of what lies on a table, in whole numbers: what is inside, what overlaps, what lies where.

An outline is a core and a margin around it: a polygon with none, a point (a circle), a line (a road, as wide as two
margins). Coordinates count ``HALF`` to the half inch, so that corners that were turned are still whole numbers. That is
little enough geometry to need no library: the kept ones work in floating point, where two pieces that merely touch
may overlap by the last bit, so that a lawful map would fail on one machine and pass on another.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

Point: TypeAlias = tuple[int, int]
Spot: TypeAlias = "tuple[int | Fraction, int | Fraction]"

HALF = 120
"""Units of a half inch."""
STEP = 15
"""Degrees to which turned rectangles are rounded."""
_PRECISION = 10**9
_SINES = (0, 258819045, 500000000, 707106781, 866025404, 965925826, 1000000000)
"""Of 0, 15, 30 ... 90 degrees."""


class Box(NamedTuple):
    """The upright rectangle around something."""

    left: int
    low: int
    right: int
    high: int

    def meets(self, other: Box) -> bool:
        """Whether they have more in common than an edge."""
        return self.left < other.right and other.left < self.right and self.low < other.high and other.low < self.high


class Outline(NamedTuple):
    """A core of corners, closed to a polygon or not, and how far around it the outline goes."""

    corners: tuple[Point, ...]
    closed: bool
    margin: int = 0

    @property
    def box(self) -> Box:
        """What it takes up at most."""
        xs, ys = [x for x, _ in self.corners], [y for _, y in self.corners]
        around = self.margin
        return Box(min(xs) - around, min(ys) - around, max(xs) + around, max(ys) + around)

    def edges(self) -> Iterator[tuple[Point, Point]]:
        """The edges of its core; a single point is an edge without length."""
        ends = (*self.corners[1:], self.corners[0]) if self.closed or len(self.corners) == 1 else self.corners[1:]
        return zip(self.corners, ends, strict=False)

    def holds(self, spot: Spot) -> bool:
        """Whether a spot lies in it or on its edge."""
        if self.closed and _side(self.corners, spot) >= 0:
            return True
        return any(_within(spot, edge, self.margin) for edge in self.edges())

    def overlaps(self, other: Outline) -> bool:
        """Whether they have more in common than an edge or a corner."""
        if not self.box.meets(other.box):
            return False
        together = self.margin + other.margin
        if together:
            return _near(self, other, together)
        if self.closed and other.closed:
            return _polygons_overlap(self.corners, other.corners)
        return False

    def is_simple(self) -> bool:
        """Whether it is a polygon that encloses something and crosses or touches itself nowhere."""
        edges = list(self.edges())
        count = len(edges)
        if count < 3 or len(set(self.corners)) < count or not area(self.corners):  # noqa: PLR2004 - a triangle
            return False
        for index, (start, end) in enumerate(edges):
            nxt = edges[(index + 1) % count][1]
            if _turn(start, end, nxt) == 0 and _on(nxt, (start, end)):
                return False  # it turns back upon itself
            for later in range(index + 2, count - (index == 0)):
                if _touch((start, end), edges[later]):
                    return False
        return True

    def middle(self) -> Point:
        """A point to write its name at: the mean of its core."""
        if not self.closed and len(self.corners) > 1:
            start, end = self.corners[(len(self.corners) - 1) // 2 :][:2]
            return (start[0] + end[0]) // 2, (start[1] + end[1]) // 2
        return sum(x for x, _ in self.corners) // len(self.corners), sum(y for _, y in self.corners) // len(
            self.corners
        )


def rectangle(corner: Point, size: Point, turned: int = 0) -> Outline:
    """A rectangle with this south-west corner, then turned clockwise about its middle, in steps of ``STEP`` degrees.

    >>> rectangle((0, 0), (480, 240), 90).corners
    ((120, 360), (120, -120), (360, -120), (360, 360))
    """
    (x, y), (wide, deep) = corner, size
    corners = ((x, y), (x + wide, y), (x + wide, y + deep), (x, y + deep))
    steps = turned // STEP % (360 // STEP)
    if not steps:
        return Outline(corners, closed=True)
    sine, cosine = _sine(steps), _sine(steps + 90 // STEP)
    twice = (2 * x + wide, 2 * y + deep)
    return Outline(tuple(_turned(one, twice, sine, cosine) for one in corners), closed=True)


def _sine(steps: int) -> int:
    quarter, rest = divmod(steps % (360 // STEP), 90 // STEP)
    value = _SINES[rest] if quarter % 2 == 0 else _SINES[90 // STEP - rest]
    return value if quarter < 2 else -value  # noqa: PLR2004 - half a turn


def _turned(corner: Point, twice: Point, sine: int, cosine: int) -> Point:
    """A corner turned clockwise about a middle that is given doubled."""
    right, up = 2 * corner[0] - twice[0], 2 * corner[1] - twice[1]
    scale = 2 * _PRECISION
    east = twice[0] * _PRECISION + right * cosine + up * sine
    north = twice[1] * _PRECISION - right * sine + up * cosine
    return (east + scale // 2) // scale, (north + scale // 2) // scale


def circle(middle: Point, radius: int) -> Outline:
    """Everything as near as this to a point."""
    return Outline((middle,), closed=False, margin=radius)


def way(points: Sequence[Point], wide: int) -> Outline:
    """A road or a river: everything within half its width of a line."""
    return Outline(tuple(points), closed=False, margin=wide // 2)


def area(corners: Sequence[Point]) -> int:
    """Twice the area of a polygon: above 0 where its corners go against the clock."""
    ends = (*corners[1:], corners[0])
    return sum(x * other_y - other_x * y for (x, y), (other_x, other_y) in zip(corners, ends, strict=True))


def _turn(start: Spot, end: Spot, spot: Spot) -> int | Fraction:
    """Above 0 where the spot lies to the left of the way from start to end, 0 where it lies on that line."""
    return (end[0] - start[0]) * (spot[1] - start[1]) - (end[1] - start[1]) * (spot[0] - start[0])


def _on(spot: Spot, edge: tuple[Point, Point]) -> bool:
    (x1, y1), (x2, y2) = edge
    inside = min(x1, x2) <= spot[0] <= max(x1, x2) and min(y1, y2) <= spot[1] <= max(y1, y2)
    return inside and _turn(edge[0], edge[1], spot) == 0


def _side(corners: Sequence[Point], spot: Spot) -> int:
    """1 inside a polygon, 0 on its edge, -1 outside: by the edges that a ray to the right crosses."""
    x, y = spot
    inside = False
    start = corners[-1]
    for end in corners:
        if _on(spot, (start, end)):
            return 0
        if (start[1] > y) != (end[1] > y):
            low, high = (start, end) if start[1] < end[1] else (end, start)
            if _turn(low, high, (x, y)) > 0:
                inside = not inside
        start = end
    return 1 if inside else -1


def _within(spot: Spot, edge: tuple[Point, Point], distance: int) -> bool:
    """Whether a spot is as near to an edge as this, or nearer."""
    return _distance(spot, edge) <= distance * distance


def _distance(spot: Spot, edge: tuple[Point, Point]) -> int | Fraction:
    """The square of the distance of a spot from an edge."""
    (x1, y1), (x2, y2) = edge
    along_x, along_y = x2 - x1, y2 - y1
    to_x, to_y = spot[0] - x1, spot[1] - y1
    length, along = along_x * along_x + along_y * along_y, to_x * along_x + to_y * along_y
    if along <= 0:
        return to_x * to_x + to_y * to_y
    if along >= length:
        return (spot[0] - x2) ** 2 + (spot[1] - y2) ** 2
    return Fraction((along_x * to_y - along_y * to_x) ** 2, length)


def _touch(one: tuple[Point, Point], other: tuple[Point, Point]) -> bool:
    """Whether two edges have a point in common."""
    (a, b), (c, d) = one, other
    for axis in (0, 1):
        if max(a[axis], b[axis]) < min(c[axis], d[axis]) or max(c[axis], d[axis]) < min(a[axis], b[axis]):
            return False
    sides = _turn(a, b, c), _turn(a, b, d), _turn(c, d, a), _turn(c, d, b)
    if _apart(sides[0], sides[1]) and _apart(sides[2], sides[3]):
        return True
    return _on(c, one) or _on(d, one) or _on(a, other) or _on(b, other)


def _apart(one: int | Fraction, other: int | Fraction) -> bool:
    return (one > 0 > other) or (one < 0 < other)


def _near(one: Outline, other: Outline, distance: int) -> bool:
    """Whether two cores are nearer to each other than this."""
    if one.closed and _side(one.corners, other.corners[0]) > 0:
        return True
    if other.closed and _side(other.corners, one.corners[0]) > 0:
        return True
    others = list(other.edges())
    for edge in one.edges():
        for another in others:
            if _touch(edge, another):
                return True
            ends = ((edge[0], another), (edge[1], another), (another[0], edge), (another[1], edge))
            if any(_distance(spot, where) < distance * distance for spot, where in ends):
                return True
    return False


def _polygons_overlap(one: Sequence[Point], other: Sequence[Point]) -> bool:
    """Whether two simple polygons have more in common than edges and corners.

    Edges are cut where they meet those of the other. If a piece of one lies inside the other, they overlap. If none
    does, either they have nothing in common or they are one and the same polygon.
    """
    if _goes_into(one, other) or _goes_into(other, one):
        return True
    return _side(other, _inner_spot(one)) > 0


def _goes_into(one: Sequence[Point], other: Sequence[Point]) -> bool:
    start = one[-1]
    for end in one:
        cuts = sorted(_cuts((start, end), other))
        for before, after in pairwise(cuts):
            part = (before + after) / 2
            if before < after and _side(other, _along(start, end, part)) > 0:
                return True
        start = end
    return False


def _cuts(edge: tuple[Point, Point], corners: Sequence[Point]) -> set[Fraction]:
    """How far along an edge it meets the edges of a polygon, as parts of its length; its own ends too."""
    (x1, y1), (x2, y2) = edge
    found = {Fraction(0), Fraction(1)}
    across = abs(x2 - x1) >= abs(y2 - y1)
    start = corners[-1]
    for end in corners:
        if _touch(edge, (start, end)):
            for corner in (start, end):
                if _on(corner, edge):
                    at = Fraction(corner[0] - x1, x2 - x1) if across else Fraction(corner[1] - y1, y2 - y1)
                    found.add(at)
            from_here, from_there = _turn(start, end, edge[0]), _turn(start, end, edge[1])
            if from_here != from_there:
                at = Fraction(from_here) / (from_here - from_there)
                if 0 <= at <= 1:
                    found.add(at)
        start = end
    return found


def _along(start: Point, end: Point, part: Fraction) -> tuple[Fraction, Fraction]:
    return start[0] + (end[0] - start[0]) * part, start[1] + (end[1] - start[1]) * part


def _inner_spot(corners: Sequence[Point]) -> tuple[Fraction, Fraction]:
    """A spot inside a simple polygon: half-way between the first two edges that a level line meets.

    The line goes between two heights of corners, so that it meets none.
    """
    heights = sorted({y for _, y in corners})
    level = Fraction(heights[0] + heights[1], 2)
    meets: list[Fraction] = []
    start = corners[-1]
    for end in corners:
        if (start[1] > level) != (end[1] > level):
            meets.append(start[0] + Fraction(end[0] - start[0]) * (level - start[1]) / (end[1] - start[1]))
        start = end
    meets.sort()
    return (meets[0] + meets[1]) / 2, level
