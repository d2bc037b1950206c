"""A table on which terrain is laid: where a piece has room, and what the table is like so far."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import shapely

from generator.scenarios.facts import WAYS
from generator.scenarios.generate.shapes import Drawn, Spot, farm, grown, house, line, moved, patch, round_
from generator.scenarios.table.outlines import HALF, Outline, area, core
from generator.scenarios.table.reach import OPEN, Extent, Mask, Points, Sight, mask_of, union_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy.typing as npt

    from generator.scenarios.chance import Chance
    from generator.scenarios.scenario import Terrain
    from generator.scenarios.table.coordinates import Area

_EDGE = 1
"""The least distance of an area from the edge of the table, in half inches."""


class Laid(NamedTuple):
    """A piece of terrain on the table."""

    name: str
    terrain: Terrain
    drawn: Drawn
    group: str
    """The group of names from which the piece's name comes; empty for a piece that gets none."""


class Stamp(NamedTuple):
    """A shape of one or several parts that can be laid anywhere: the parts around a middle, and their cells."""

    parts: tuple[Drawn, ...]
    middle: Spot
    mask: Mask
    corner: Spot
    """The south-west cell of the mask, seen from the middle."""

    @property
    def area(self) -> int:
        """The number of cells that the parts cover."""
        return int(self.mask.sum())


def stamp(parts: Sequence[Drawn], middle: Spot) -> Stamp:
    """Return a stamp of shapes around a middle; no part reaches west or south of the origin."""
    extent = Extent(2 * middle[0] + 2, 2 * middle[1] + 2)
    mask = union_of((mask_of(part.shape.outline, extent) for part in parts), extent)
    rows, columns = np.flatnonzero(mask.any(axis=1)), np.flatnonzero(mask.any(axis=0))
    low, high, left, right = int(rows[0]), int(rows[-1]) + 1, int(columns[0]), int(columns[-1]) + 1
    return Stamp(tuple(parts), middle, mask[low:high, left:right], (left - middle[0], low - middle[1]))


_SHAPES = {"patch": patch, "round": round_, "line": line, "farm": farm}


def random_stamp(form: str, size: int, chance: Chance) -> Stamp:
    """Return a random shape of a form, about as long as the size; a block and a street are houses."""
    middle = 2 * size + 4, 2 * size + 4
    if form not in _SHAPES:
        deep = chance.between(max(2, size * 6 // 10), size)
        sides = (size, deep) if chance.below(2) else (deep, size)
        return stamp((house(middle, sides, 0),), middle)
    return stamp(_SHAPES[form](middle, size, chance), middle)


class Ground:
    """A table with the terrain that has been laid on it."""

    def __init__(self, table: Extent, lane: int) -> None:
        """``lane`` is the least gap between pieces that stop somebody, in half inches."""
        self.table = table
        self.lane = lane
        self.pieces: list[Laid] = []
        self.sight = Sight(table)
        self._whole = shapely.box(0, 0, table.wide * HALF, table.deep * HALF)
        self._covered = 0.0
        self._laid = table.mask()
        self._taken = table.mask()
        self._near_stops = table.mask()

    @property
    def share(self) -> float:
        """The percentage of the table that is covered."""
        return self._covered / self._whole.area * 100

    def add(self, terrain: Terrain, drawn: Drawn, group: str) -> None:
        """Add a piece, without asking whether it has room."""
        self.pieces.append(Laid("", terrain, drawn, group))
        mask = mask_of(drawn.shape.outline, self.table)
        if terrain.drawn not in WAYS:
            self._covered += area(drawn.shape.outline).intersection(self._whole).area
        self.sight.add(mask, terrain.sight)
        self._laid |= mask
        self._taken |= _dilated(mask)
        if terrain.stops:
            self._near_stops |= mask_of(grown(drawn.shape, self.lane), self.table)

    def lay(self, shape: Stamp, terrain: Terrain, at: Spot, group: str) -> bool:
        """Add the parts of a stamp with its middle at a spot; return False, and add nothing, if one has no room."""
        by = at[0] - shape.middle[0], at[1] - shape.middle[1]
        parts = [moved(part, by) for part in shape.parts]
        if any(self._is_over(part.shape.outline) for part in parts):
            return False
        for number, part in enumerate(parts):
            self.add(terrain, part, group if number == 0 else "")
        return True

    def _is_over(self, outline: Outline) -> bool:
        """Return whether an outline overlaps a piece, exactly."""
        there = [piece.drawn.shape.outline for piece in self.pieces]
        margins = np.array([other.margin for other in there]) + outline.margin + 1
        away = shapely.distance(core(outline), [core(other) for other in there])
        return any(outline.overlaps(there[number]) for number in np.flatnonzero(away < margins))

    def has_room(self, shape: Stamp, terrain: Terrain, at: Spot) -> bool:
        """Return whether a stamp with its middle at this spot is on the table and clear of every piece."""
        deep, wide = shape.mask.shape
        left, low = at[0] + shape.corner[0], at[1] + shape.corner[1]
        if left < _EDGE or low < _EDGE or left + wide > self.table.wide - _EDGE or low + deep > self.table.deep - _EDGE:
            return False
        return not bool((self._barred(terrain)[low : low + deep, left : left + wide] & shape.mask).any())

    def is_taken(self, at: Spot) -> bool:
        """Return whether a spot is off the table, or on a piece or beside one."""
        on = 0 <= at[0] < self.table.wide and 0 <= at[1] < self.table.deep
        return not on or bool(self._taken[at[1], at[0]])

    def spots(self, shape: Stamp, terrain: Terrain, within: Area | None = None) -> npt.NDArray[np.intp]:
        """Return every spot where the middle of a stamp may lie: one row of east and north for each."""
        deep, wide = shape.mask.shape
        if deep > self.table.deep - 2 * _EDGE or wide > self.table.wide - 2 * _EDGE:
            return np.zeros((0, 2), dtype=np.intp)
        hits = _overlaps(self._barred(terrain), shape.mask)[
            _EDGE : self.table.deep - deep - _EDGE + 1, _EDGE : self.table.wide - wide - _EDGE + 1
        ]
        north, east = np.nonzero(hits < 0.5)  # noqa: PLR2004 - counts, rounded
        spots = np.stack((east + _EDGE - shape.corner[0], north + _EDGE - shape.corner[1]), axis=1)
        if within is not None:
            x, y = spots[:, 0], spots[:, 1]
            spots = spots[(x >= within.left) & (x <= within.right) & (y >= within.low) & (y <= within.high)]
        return spots

    def neighbours(self, shape: Stamp, spots: npt.NDArray[np.intp]) -> npt.NDArray[np.intp]:
        """Return how many taken cells lie close around a stamp at each of these spots."""
        deep, wide = shape.mask.shape
        around = 3
        counts = np.pad(self._taken, around, constant_values=True).cumsum(axis=0).cumsum(axis=1)
        counts = np.pad(counts, ((1, 0), (1, 0)))
        left, low = spots[:, 0] + shape.corner[0], spots[:, 1] + shape.corner[1]
        right, high = left + wide + 2 * around, low + deep + 2 * around
        total: npt.NDArray[np.intp] = counts[high, right] - counts[low, right] - counts[high, left] + counts[low, left]
        return total

    def _barred(self, terrain: Terrain) -> Mask:
        """Return the cells that a kind of terrain keeps off: open ground may touch other pieces, the rest may not."""
        clear = self._laid if terrain.sight == OPEN else self._taken
        return clear | self._near_stops if terrain.stops else clear


def _dilated(mask: Mask) -> Mask:
    """Return a mask with the cells around it."""
    rows = mask.copy()
    rows[1:] |= mask[:-1]
    rows[:-1] |= mask[1:]
    cells = rows.copy()
    cells[:, 1:] |= rows[:, :-1]
    cells[:, :-1] |= rows[:, 1:]
    return cells


def _overlaps(taken: Mask, mask: Mask) -> npt.NDArray[np.float64]:
    """Return, for each place of a mask's south-west cell, the number of taken cells under the mask (by Fourier)."""
    shape = taken.shape
    product = np.fft.rfft2(taken, shape) * np.conj(np.fft.rfft2(mask, shape))
    counts: npt.NDArray[np.float64] = np.fft.irfft2(product, shape)
    return counts


def cuts(spots: npt.NDArray[np.intp], radius: float, starts: Points, ends: Points) -> npt.NDArray[np.intp]:
    """Return how many of these lines pass within a radius of each spot."""
    along = ends - starts
    length = np.maximum((along**2).sum(axis=1), 1e-9)
    from_start = spots[:, None, :] - starts[None, :, :]
    part = np.clip((from_start * along).sum(axis=2) / length, 0, 1)
    away = from_start - part[:, :, None] * along
    found: npt.NDArray[np.intp] = ((away**2).sum(axis=2) < radius * radius).sum(axis=1)
    return found
