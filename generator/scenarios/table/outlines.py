"""The outlines of things on a table: which spots they hold, and which outlines overlap.

An outline is a core and a margin around it: a polygon without a margin, a point (a circle), or a line (a road, as
wide as two margins). Coordinates are whole numbers, ``HALF`` units to the half inch; turned corners are rounded.
"""

from __future__ import annotations

from functools import lru_cache
from math import cos, radians, sin
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

import shapely

if TYPE_CHECKING:
    from collections.abc import Sequence
    from fractions import Fraction

    from shapely.geometry.base import BaseGeometry

Point: TypeAlias = tuple[int, int]
Spot: TypeAlias = "tuple[int | Fraction, int | Fraction]"

HALF = 120
"""Outline units in half an inch."""
STEP = 15
"""The step, in degrees, in which rectangles can be turned."""
TOUCH = 1e-6
"""A difference of so many units is none: distances are floating-point numbers."""


class Box(NamedTuple):
    """A bounding box: the smallest upright rectangle around a thing."""

    left: int
    low: int
    right: int
    high: int

    def meets(self, other: Box) -> bool:
        """Return whether two boxes overlap by more than an edge."""
        return self.left < other.right and other.left < self.right and self.low < other.high and other.low < self.high


class Outline(NamedTuple):
    """A polygon, a line or a point, and a margin around it."""

    corners: tuple[Point, ...]
    closed: bool
    margin: int = 0

    @property
    def box(self) -> Box:
        """The bounding box of the outline, with its margin."""
        xs, ys = [x for x, _ in self.corners], [y for _, y in self.corners]
        around = self.margin
        return Box(min(xs) - around, min(ys) - around, max(xs) + around, max(ys) + around)

    def holds(self, spot: Spot) -> bool:
        """Return whether a spot is inside the outline or on its edge."""
        return core(self).distance(shapely.Point(float(spot[0]), float(spot[1]))) <= self.margin + TOUCH

    def overlaps(self, other: Outline) -> bool:
        """Return whether two outlines overlap by more than an edge or a corner."""
        if not self.box.meets(other.box):
            return False
        own, others = core(self), core(other)
        if self.margin or other.margin:
            return own.distance(others) < self.margin + other.margin - TOUCH
        return own.intersects(others) and not own.touches(others)

    def is_simple(self) -> bool:
        """Return whether the corners form a polygon with an area that does not cross or touch itself."""
        distinct = len(set(self.corners)) == len(self.corners) > 2  # noqa: PLR2004 - a triangle
        return distinct and shapely.LinearRing(self.corners).is_simple and core(self).area > 0

    def middle(self) -> Point:
        """Return a point for the outline's name: the mean of its corners, or the middle of a line's central stretch."""
        if not self.closed and len(self.corners) > 1:
            start, end = self.corners[(len(self.corners) - 1) // 2 :][:2]
            return (start[0] + end[0]) // 2, (start[1] + end[1]) // 2
        many = len(self.corners)
        return sum(x for x, _ in self.corners) // many, sum(y for _, y in self.corners) // many


def rectangle(corner: Point, size: Point, turned: int = 0) -> Outline:
    """Return a rectangle with this south-west corner, turned clockwise about its middle in steps of ``STEP`` degrees.

    >>> rectangle((0, 0), (480, 240), 90).corners
    ((120, 360), (120, -120), (360, -120), (360, 360))
    """
    (x, y), (wide, deep) = corner, size
    corners = ((x, y), (x + wide, y), (x + wide, y + deep), (x, y + deep))
    angle = radians(turned // STEP * STEP)
    if not angle:
        return Outline(corners, closed=True)
    middle = x + wide / 2, y + deep / 2
    return Outline(tuple(_turned(corner, middle, sin(angle), cos(angle)) for corner in corners), closed=True)


def _turned(corner: Point, middle: tuple[float, float], sine: float, cosine: float) -> Point:
    """Return a corner, turned clockwise about a middle."""
    east, north = corner[0] - middle[0], corner[1] - middle[1]
    return round(middle[0] + east * cosine + north * sine), round(middle[1] - east * sine + north * cosine)


def circle(middle: Point, radius: int) -> Outline:
    """Return the outline of a circle."""
    return Outline((middle,), closed=False, margin=radius)


def way(points: Sequence[Point], wide: int) -> Outline:
    """Return the outline of a road or a river: everything within half its width of a line."""
    return Outline(tuple(points), closed=False, margin=wide // 2)


@lru_cache(maxsize=4096)
def core(outline: Outline) -> BaseGeometry:
    """Return the core of an outline as a shapely geometry, without the margin."""
    if outline.closed:
        return shapely.Polygon(outline.corners)
    return shapely.LineString(outline.corners) if len(outline.corners) > 1 else shapely.Point(outline.corners[0])


def area(outline: Outline) -> BaseGeometry:
    """Return an outline with its margin as a shapely polygon."""
    return core(outline).buffer(outline.margin) if outline.margin else core(outline)
