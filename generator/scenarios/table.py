"""The geometry of a table: outlines of things, what they cover, and which points see each other.

An outline is a core and a margin around it: a polygon without a margin, a point (a circle), or a line (a road, as
wide as two margins). Coordinates are whole numbers, ``HALF`` units to the half inch; turned corners are rounded.

The raster has cells of half an inch. A cell belongs to a piece if the piece's outline holds the middle of the cell. A
piece that blocks sight hides everything behind it. A crest, such as a hill, hides what is behind it from everyone who
is not on it.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

import numpy as np
import shapely
from shapely import affinity

if TYPE_CHECKING:
    from collections.abc import Iterable
    from fractions import Fraction

    import numpy.typing as npt
    from shapely.geometry.base import BaseGeometry


Point: TypeAlias = tuple[int, int]
Spot: TypeAlias = "tuple[float | Fraction, float | Fraction]"

HALF = 120
"""Outline units in half an inch."""
STEP = 15
"""The step, in degrees, in which rectangles can be turned."""
TOUCH = 1e-6
"""The largest difference of distances that counts as none, in outline units: distances are floating-point numbers."""


class Outline(NamedTuple):
    """A polygon, a line or a point, and a margin around it, in outline units.

    It is a polygon if ``closed``, or else a line, or a point if there is only one corner.
    """

    corners: tuple[Point, ...]
    closed: bool
    margin: int = 0

    @property
    def round(self) -> bool:
        """Whether the outline is a circle."""
        return not self.closed and len(self.corners) == 1

    @property
    def flows(self) -> bool:
        """Whether the outline is a path: a road, a river or a wall."""
        return not self.closed and len(self.corners) > 1

    @property
    def box(self) -> tuple[int, int, int, int]:
        """The sides of the smallest upright rectangle around the outline and its margin: west, south, east, north.

        They are in outline units.
        """
        west, south, east, north = map(int, core(self).bounds)
        return west - self.margin, south - self.margin, east + self.margin, north + self.margin

    def holds(self, spot: Spot) -> bool:
        """Return whether a spot, in outline units, is inside the outline with its margin, or on its edge."""
        return core(self).distance(shapely.Point(float(spot[0]), float(spot[1]))) <= self.margin + TOUCH

    def overlaps(self, other: Outline) -> bool:
        """Return whether two outlines overlap by more than an edge or a corner, margins included."""
        own, others = core(self), core(other)
        if self.margin or other.margin:
            return own.distance(others) < self.margin + other.margin - TOUCH
        return own.intersects(others) and not own.touches(others)

    def is_simple(self) -> bool:
        """Return whether the corners form a polygon that has an area and does not cross or touch itself."""
        return len(self.corners) > 2 and core(self).is_valid  # noqa: PLR2004 - a triangle


def units_of(halves: Point) -> Point:
    """Return a point or a size, which is given in half inches, in outline units."""
    return halves[0] * HALF, halves[1] * HALF


def rectangle(corner: Point, size: Point, turned: int = 0) -> Outline:
    """Return a rectangle with this south-west corner, turned clockwise about its middle by ``turned`` degrees.

    ``corner`` and ``size`` are in outline units. ``corner`` is the south-west corner before the turn.

    >>> rectangle((0, 0), (480, 240), 90).corners
    ((120, 360), (120, -120), (360, -120), (360, 360))
    """
    (x, y), (wide, deep) = corner, size
    upright = shapely.Polygon(((x, y), (x + wide, y), (x + wide, y + deep), (x, y + deep)))
    corners = affinity.rotate(upright, -turned, "center").exterior.coords[:-1]
    return Outline(tuple((round(x), round(y)) for x, y in corners), closed=True)


@lru_cache(maxsize=4096)
def core(outline: Outline) -> BaseGeometry:
    """Return the core of an outline as a shapely geometry, without the margin: a polygon, a line or a point."""
    if outline.closed:
        return shapely.Polygon(outline.corners)
    return shapely.LineString(outline.corners) if len(outline.corners) > 1 else shapely.Point(outline.corners[0])


@lru_cache(maxsize=4096)
def area(outline: Outline) -> BaseGeometry:
    """Return an outline with its margin as a shapely geometry, in outline units.

    The geometry is a polygon; without a margin, it is the core.
    """
    return core(outline).buffer(outline.margin) if outline.margin else core(outline)


Mask: TypeAlias = "npt.NDArray[np.bool_]"
"""A yes or no for each cell, the southernmost row first; or for each point of a list of points."""


class Extent(NamedTuple):
    """The size of a table, in half inches."""

    wide: int
    deep: int


@lru_cache(maxsize=64)
def _cells(extent: Extent) -> shapely.STRtree:
    """Return a search tree of the middles of all cells, in outline units, from the south-west corner, row by row."""
    east, north = np.meshgrid(np.arange(extent.wide) + 0.5, np.arange(extent.deep) + 0.5)
    return shapely.STRtree(shapely.points(HALF * east.ravel(), HALF * north.ravel()))


def mask_of(ground: BaseGeometry, extent: Extent, near: int = 0) -> Mask:
    """Return a mask of the cells whose middle is in a geometry, or at most ``near`` outline units from it.

    The geometry is in outline units.
    """
    mask = np.zeros((extent.deep, extent.wide), dtype=bool)
    mask.flat[_cells(extent).query(ground, predicate="dwithin", distance=near + TOUCH)] = True
    return mask


Points: TypeAlias = "npt.NDArray[np.float64]"
"""Points in half inches: one row of east and north for each."""

OPEN, CREST, BLOCKED = "open", "crest", "blocked"
"""The words of a terrain table for sight over a piece."""


class Sight:
    """What hides points of a table from each other: pieces that block sight, and crests such as hills."""

    def __init__(self, extent: Extent, pieces: Iterable[tuple[Outline, str]]) -> None:
        """Find the ground that blocks sight, and the crests.

        ``pieces`` are outlines, each with the word of the terrain table for sight over it.
        """
        self.extent = extent
        self.blocked = np.zeros((extent.deep, extent.wide), dtype=bool)
        crests: list[Mask] = []
        for outline, word in pieces:
            mask = mask_of(core(outline), extent, outline.margin)
            self.blocked |= mask & (word == BLOCKED)
            crests += [mask] if word == CREST else []
        self._crests = np.packbits(np.array(crests, dtype=bool).reshape(-1, *self.blocked.shape), axis=0)
        """For every eight crests, a byte for each cell: a bit for each of the crests that is over the cell."""

    def is_open(self, points: Points) -> Mask:
        """Return, for each point, whether its cell is outside every piece that blocks sight.

        Points are in half inches and must be on the table.
        """
        east, north = np.minimum(points.astype(np.intp), np.array(self.extent) - 1).T
        inside: Mask = ~self.blocked[north, east]
        return inside

    def sees(self, starts: Points, ends: Points) -> Mask:
        """Return whether each start sees the end with the same index.

        Points are in half inches and must be on the table. Two points do not see each other if the line between them
        meets a piece that blocks sight, even at an end. A crest on the line hides them, too, unless one of the points
        is on this crest.
        """
        if not len(starts):
            return np.zeros(0, dtype=bool)
        steps = int(np.abs(ends - starts).max()) * 2 + 2
        along = np.linspace(0.0, 1.0, steps)
        back = 1 - along
        east, north = (
            np.minimum((start[:, None] * back + end[:, None] * along).astype(np.intp), most - 1)
            for start, end, most in zip(starts.T, ends.T, self.extent, strict=True)
        )
        cells = north * self.extent.wide + east
        hidden = self.blocked.take(cells)
        for eight in self._crests:
            crests = eight.take(cells)
            hidden |= (crests & ~crests[:, :1] & ~crests[:, -1:]) != 0
        seen: Mask = ~hidden.any(axis=1)
        return seen


def points_in(mask: Mask) -> Points:
    """Return the middle of each cell that is True in a mask, in half inches, from the south-west corner, row by row."""
    north, east = np.nonzero(mask)
    return np.stack((east, north), axis=1).astype(np.float64) + 0.5
