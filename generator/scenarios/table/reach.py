"""The raster of a table in cells of half an inch: which cells things cover, and which can be reached.

A cell belongs to a piece if the piece's outline holds the middle of the cell. Moves cross the edge between two
cells, never a corner, so nothing passes between two pieces that touch at a corner.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, TypeAlias

import numpy as np
import shapely

from generator.scenarios.table.outlines import HALF, TOUCH, core

if TYPE_CHECKING:
    from collections.abc import Iterable

    import numpy.typing as npt

    from generator.scenarios.table.outlines import Outline

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
