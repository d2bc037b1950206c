"""The raster of a table in cells of half an inch: which cells things cover, and which see each other.

A cell belongs to a piece if the piece's outline holds the middle of the cell.

A piece that blocks sight hides everything behind it. A crest, such as a hill, hides what is behind it from everyone who
is not on it.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

import numpy as np
import shapely

from generator.scenarios.table.outlines import HALF, TOUCH, Outline, core

if TYPE_CHECKING:
    from collections.abc import Iterable

    import numpy.typing as npt
    from shapely.geometry.base import BaseGeometry

Mask: TypeAlias = "npt.NDArray[np.bool_]"
"""A value for each cell; the first row is the southernmost."""


class Extent(NamedTuple):
    """The size of a table, in half inches."""

    wide: int
    deep: int


@lru_cache(maxsize=64)
def _cells(extent: Extent) -> shapely.STRtree:
    """Return the middles of all cells, from the south-west corner, row by row."""
    east, north = np.meshgrid(np.arange(extent.wide) + 0.5, np.arange(extent.deep) + 0.5)
    return shapely.STRtree(shapely.points(HALF * east.ravel(), HALF * north.ravel()))


def mask_of(ground: BaseGeometry, extent: Extent, near: int = 0) -> Mask:
    """Return a mask: whether each cell's middle is in a geometry, or at most ``near`` outline units from it."""
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
        """``pieces`` are outlines with the word of the terrain table for their sight."""
        self.extent = extent
        self.blocked = np.zeros((extent.deep, extent.wide), dtype=bool)
        self._crests = np.zeros((extent.deep, extent.wide), dtype=np.int16)
        for number, (outline, word) in enumerate(pieces, start=1):
            mask = mask_of(core(outline), extent, outline.margin)
            self.blocked |= mask & (word == BLOCKED)
            self._crests[mask & (word == CREST)] = number

    def is_open(self, points: Points) -> Mask:
        """Return whether each point, in half inches, is outside every piece that blocks sight."""
        east, north = np.minimum(points.astype(np.intp), np.array(self.extent) - 1).T
        inside: Mask = ~self.blocked[north, east]
        return inside

    def sees(self, starts: Points, ends: Points) -> Mask:
        """Return whether each start sees the end with the same index. Points are in half inches.

        A start or an end inside a piece that blocks sight sees nothing.
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
        crests = self._crests.take(cells)
        hidden = (crests > 0) & (crests != crests[:, :1]) & (crests != crests[:, -1:])
        hidden |= self.blocked.take(cells)
        seen: Mask = ~hidden.any(axis=1)
        return seen


def points_in(mask: Mask) -> Points:
    """Return the middle of every cell of a mask in half inches, from the south-west corner, row by row."""
    north, east = np.nonzero(mask)
    return np.stack((east, north), axis=1).astype(np.float64) + 0.5
