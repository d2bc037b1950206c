"""The raster of a table in cells of half an inch: which cells things cover, and which see each other.

A cell belongs to a piece if the piece's outline holds the middle of the cell.

A piece that blocks sight hides everything behind it. A crest, such as a hill, hides what is behind it from everyone who
is not on it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, TypeAlias

import numpy as np
import shapely

from generator.scenarios.table.outlines import HALF, TOUCH, Outline, core

if TYPE_CHECKING:
    from collections.abc import Iterable

    import numpy.typing as npt


Mask: TypeAlias = "npt.NDArray[np.bool_]"
"""A value for each cell; the first row is the southernmost."""


class Extent(NamedTuple):
    """The size of a table, in half inches."""

    wide: int
    deep: int

    def mask(self) -> Mask:
        """Return a mask without any cell."""
        return np.zeros((self.deep, self.wide), dtype=bool)


def mask_of(outline: Outline, extent: Extent) -> Mask:
    """Return whether each cell's middle is inside an outline or on its edge."""
    mask = extent.mask()
    west, south, east, north = (side // HALF for side in outline.box)
    left, low, right, high = max(0, west), max(0, south), min(extent.wide, east + 1), min(extent.deep, north + 1)
    if left >= right or low >= high:
        return mask
    across, along = (np.arange(left, right) + 0.5)[None, :] * HALF, (np.arange(low, high) + 0.5)[:, None] * HALF
    geometry = core(outline)
    shapely.prepare(geometry)
    if outline.margin:
        near = shapely.dwithin(geometry, shapely.points(*np.broadcast_arrays(across, along)), outline.margin + TOUCH)
    else:
        near = shapely.intersects_xy(geometry, across, along)
    mask[low:high, left:right] = near
    return mask


def union_of(masks: Iterable[Mask], extent: Extent) -> Mask:
    """Return the cells of several masks together."""
    union = extent.mask()
    for mask in masks:
        union |= mask
    return union


Points: TypeAlias = "npt.NDArray[np.float64]"
"""Points in half inches: one row of east and north for each."""

OPEN, CREST, BLOCKED = "open", "crest", "blocked"
"""The words of a terrain table for sight over a piece."""


class Sight:
    """What hides points of a table from each other."""

    def __init__(self, extent: Extent, pieces: Iterable[tuple[Outline, str]] = ()) -> None:
        """``pieces`` are outlines with the word of the terrain table for their sight."""
        self.extent = extent
        self.blocked = extent.mask()
        self._crests = np.zeros((extent.deep, extent.wide), dtype=np.int16)
        for outline, word in pieces:
            self.add(mask_of(outline, extent), word)

    def add(self, mask: Mask, word: str) -> None:
        """Add a piece: its cells, and the word for its sight."""
        if word == BLOCKED:
            self.blocked |= mask
        elif word == CREST:
            self._crests[mask] = self._crests.max() + 1

    def is_open(self, points: Points) -> Mask:
        """Return whether each point is outside every piece that blocks sight."""
        east, north = np.minimum(points.astype(np.intp), np.array(self.extent) - 1).T
        inside: Mask = ~self.blocked[north, east]
        return inside

    def sees(self, starts: Points, ends: Points) -> Mask:
        """Return whether each start sees the end with the same index."""
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
    """Return the middle of every cell of a mask, from the south-west corner, row by row."""
    north, east = np.nonzero(mask)
    return np.stack((east, north), axis=1).astype(np.float64) + 0.5
