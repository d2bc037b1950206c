"""A table on which terrain is laid: where a piece has room, and what the table is like so far."""

from __future__ import annotations

from math import pi
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import shapely
from shapely.affinity import translate

from generator.scenarios.facts import WAYS, whole
from generator.scenarios.generate.shapes import Keys, Spot, moved, outline
from generator.scenarios.table.outlines import HALF, Outline, area
from generator.scenarios.table.reach import Extent, Mask, mask_of

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
    """The radius of a circle as large as the shape, in outline units."""


class Ground:
    """A table with the terrain that has been laid on it."""

    def __init__(self, table: Extent, lane: int) -> None:
        """``lane`` is the least gap between pieces that stop somebody, in half inches."""
        self.table = table
        self.lane = lane
        self.pieces: list[Laid] = []
        self._covered = 0.0
        self._taken = mask_of(whole(table).boundary, table, HALF // 2)  # the cells along the edges are taken
        self._near_stops = np.zeros_like(self._taken)

    @property
    def share(self) -> float:
        """The percentage of the table that is covered."""
        return self._covered / whole(self.table).area * 100

    def add(self, terrain: Terrain, keys: Keys, group: str) -> Outline:
        """Add a piece, without asking whether it has room; return its outline."""
        piece = Laid("", terrain, keys, outline(keys), group)
        self.pieces.append(piece)
        ground = area(piece.outline)
        if terrain.drawn not in WAYS:
            self._covered += ground.intersection(whole(self.table)).area
        self._taken |= mask_of(ground, self.table, _APART)
        if terrain.stops:
            self._near_stops |= mask_of(ground, self.table, self.lane * HALF)
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

    def room(self, parts: Sequence[Keys], terrain: Terrain, within: Area) -> Room:
        """Return every spot in an area where a shape is on the table and clear of every piece."""
        shape = shapely.union_all([area(outline(part)) for part in parts])
        reach = int(max(map(abs, shape.bounds))) // HALF + _AROUND + 1
        barred = self._taken | self._near_stops if terrain.stops else self._taken
        if 2 * reach > min(self.table):
            return Room(np.zeros((0, 2), dtype=np.intp), np.zeros(0), 0)
        middle, square = translate(shape, reach * HALF, reach * HALF), Extent(2 * reach, 2 * reach)
        spots = np.argwhere(_overlaps(barred, mask_of(middle, square)) < 0.5)  # noqa: PLR2004 - counts, rounded
        close = _overlaps(self._taken, mask_of(middle, square, _AROUND * HALF))[tuple(spots.T)]
        spots = (spots[:, ::-1] + reach) % self.table
        inside = ((spots >= within[:2]) & (spots <= within[2:])).all(axis=1)
        return Room(spots[inside], close[inside], (shape.area / pi) ** 0.5)


def _overlaps(taken: Mask, mask: Mask) -> npt.NDArray[np.float64]:
    """Return, for each place of a mask's south-west cell, the number of taken cells under the mask (by Fourier)."""
    product = np.fft.rfft2(taken) * np.conj(np.fft.rfft2(mask, taken.shape))
    counts: npt.NDArray[np.float64] = np.fft.irfft2(product, taken.shape)
    return counts
