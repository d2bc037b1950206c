"""The raster of a table in cells of half an inch: which cells things cover, can be reached, and see each other.

A cell belongs to a piece if the piece's outline holds the middle of the cell. Moves cross the edge between two
cells, never a corner, so nothing passes between two pieces that touch at a corner.

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
    box = outline.box
    left, low = max(0, box.left // HALF), max(0, box.low // HALF)
    right, high = min(extent.wide, box.right // HALF + 1), min(extent.deep, box.high // HALF + 1)
    if left >= right or low >= high:
        return mask
    east = (np.arange(left, right) + 0.5)[None, :] * HALF
    north = (np.arange(low, high) + 0.5)[:, None] * HALF
    geometry = core(outline)
    shapely.prepare(geometry)
    if outline.margin:
        near = shapely.dwithin(geometry, shapely.points(*np.broadcast_arrays(east, north)), outline.margin + TOUCH)
    else:
        near = shapely.intersects_xy(geometry, east, north)
    mask[low:high, left:right] = near
    return mask


def union_of(masks: Iterable[Mask], extent: Extent) -> Mask:
    """Return the cells of several masks together."""
    union = extent.mask()
    for mask in masks:
        union |= mask
    return union


def reached(start: Mask, free: Mask) -> Mask:
    """Return every cell that can be reached from the start over free cells."""
    cells = start & free
    while True:
        grown = cells.copy()
        grown[1:] |= cells[:-1]
        grown[:-1] |= cells[1:]
        grown[:, 1:] |= cells[:, :-1]
        grown[:, :-1] |= cells[:, 1:]
        grown &= free
        if np.array_equal(grown, cells):
            return cells
        cells = grown


Points: TypeAlias = "npt.NDArray[np.float64]"
"""Points in half inches: one row of east and north for each."""

OPEN, CREST, BLOCKED = "open", "crest", "blocked"
"""The words of a terrain table for sight over a piece."""
_AT_ONCE = 2000
"""The number of lines that are followed at once: more lines need more memory."""


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
        east, north = self._cells(points)
        return ~self.blocked[north, east]

    def sees(self, starts: Points, ends: Points) -> Mask:
        """Return whether each start sees the end with the same index."""
        parts = [
            self._sees(starts[first : first + _AT_ONCE], ends[first : first + _AT_ONCE])
            for first in range(0, len(starts), _AT_ONCE)
        ]
        return np.concatenate(parts) if parts else np.zeros(0, dtype=bool)

    def _sees(self, starts: Points, ends: Points) -> Mask:
        steps = int(np.abs(ends - starts).max()) * 2 + 2
        along = np.linspace(0.0, 1.0, steps)[None, :, None]
        east, north = self._cells(starts[:, None, :] * (1 - along) + ends[:, None, :] * along)
        crests = self._crests[north, east]
        own = (crests == crests[:, :1]) | (crests == crests[:, -1:])
        hidden: Mask = self.blocked[north, east] | ((crests > 0) & ~own)
        seen: Mask = np.logical_not(np.any(hidden, axis=1))
        return seen

    def _cells(self, points: Points) -> tuple[npt.NDArray[np.intp], npt.NDArray[np.intp]]:
        """Return the column and the row of the cell in which each point is."""
        cells = np.floor(points).astype(np.intp)
        return (np.clip(cells[..., 0], 0, self.extent.wide - 1), np.clip(cells[..., 1], 0, self.extent.deep - 1))


def points_in(mask: Mask) -> Points:
    """Return the middle of every cell of a mask, from the south-west corner, row by row."""
    north, east = np.nonzero(mask)
    return np.stack((east, north), axis=1).astype(np.float64) + 0.5
