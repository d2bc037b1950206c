"""A table on which terrain is laid: where a piece has room, and what the table is like so far."""

from __future__ import annotations

from math import pi
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from generator.scenarios.facts import WAYS, whole
from generator.scenarios.generate.shapes import Keys, Spot, moved, outline
from generator.scenarios.table.outlines import HALF, Outline, area
from generator.scenarios.table.reach import Extent, Mask, Sight, mask_of, union_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy.typing as npt

    from generator.scenarios.scenario import Terrain
    from generator.scenarios.table.coordinates import Area

_APART = HALF // 3
"""The least distance between two pieces, in outline units."""
_AROUND = 3
"""How far around a shape pieces count as close, in half inches."""


class Laid(NamedTuple):
    """A piece of terrain on the table."""

    name: str
    terrain: Terrain
    keys: Keys
    """Its shape as the keys of the file, in half inches."""
    outline: Outline
    group: str
    """The group of names from which the piece's name comes; empty for a piece that gets none."""


class Room(NamedTuple):
    """Where a shape has room."""

    spots: npt.NDArray[np.intp]
    """The spots for its middle, in half inches: one row of east and north for each."""
    close: npt.NDArray[np.float64]
    """The number of taken cells under and around the shape at each spot."""
    radius: float
    """The radius of a circle as large as the shape, in half inches."""


class Ground:
    """A table with the terrain that has been laid on it."""

    def __init__(self, table: Extent, lane: int) -> None:
        """``lane`` is the least gap between pieces that stop somebody, in half inches."""
        self.table = table
        self.lane = lane
        self.pieces: list[Laid] = []
        self.sight = Sight(table)
        self._covered = 0.0
        self._taken = ~table.mask()
        self._taken[1:-1, 1:-1] = False  # the cells along the edges are taken
        self._near_stops = table.mask()

    @property
    def share(self) -> float:
        """The percentage of the table that is covered."""
        return self._covered / whole(self.table).area * 100

    def add(self, terrain: Terrain, keys: Keys, group: str) -> Outline:
        """Add a piece, without asking whether it has room; return its outline."""
        piece = Laid("", terrain, keys, outline(keys), group)
        self.pieces.append(piece)
        if terrain.drawn not in WAYS:
            self._covered += area(piece.outline).intersection(whole(self.table)).area
        self.sight.add(mask_of(piece.outline, self.table), terrain.sight)
        self._taken |= mask_of(piece.outline.grown(_APART), self.table)
        if terrain.stops:
            self._near_stops |= mask_of(piece.outline.grown(self.lane * HALF), self.table)
        return piece.outline

    def lay(self, parts: Sequence[Keys], terrain: Terrain, at: Spot, group: str) -> bool:
        """Add the parts of a shape with its middle at a spot; return False, and add nothing, if one is over a piece.

        The first part bears the name.
        """
        placed = [moved(part, at) for part in parts]
        if any(outline(part).overlaps(piece.outline) for part in placed for piece in self.pieces):
            return False
        for number, part in enumerate(placed):
            self.add(terrain, part, "" if number else group)
        return True

    def room(self, parts: Sequence[Keys], terrain: Terrain, within: Area | None = None) -> Room:
        """Return every spot in an area, or on the table, where a shape is on the table and clear of every piece."""
        outlines = [outline(part) for part in parts]
        reach = max(abs(side) for each in outlines for side in each.box) // HALF + _AROUND + 1
        square, spots = Extent(2 * reach, 2 * reach), np.zeros((0, 2), dtype=np.intp)
        middle = [outline(moved(part, (reach, reach))) for part in parts]
        mask = union_of((mask_of(each, square) for each in middle), square)
        around = union_of((mask_of(each.grown(_AROUND * HALF), square) for each in middle), square)
        if 2 * reach > min(self.table):
            return Room(spots, np.zeros(0), 0)
        barred = self._taken | self._near_stops if terrain.stops else self._taken
        spots = np.argwhere(_overlaps(barred, mask) < 0.5)  # noqa: PLR2004 - counts, rounded
        close = _overlaps(self._taken, around)[tuple(spots.T)]
        spots = (spots[:, ::-1] + reach) % self.table
        left, low, right, high = within or (0, 0, *self.table)
        inside = ((spots >= (left, low)) & (spots <= (right, high))).all(axis=1)
        return Room(spots[inside], close[inside], (float(mask.sum()) / pi) ** 0.5)


def _overlaps(taken: Mask, mask: Mask) -> npt.NDArray[np.float64]:
    """Return, for each place of a mask's south-west cell, the number of taken cells under the mask (by Fourier)."""
    product = np.fft.rfft2(taken) * np.conj(np.fft.rfft2(mask, taken.shape))
    counts: npt.NDArray[np.float64] = np.fft.irfft2(product, taken.shape)
    return counts
