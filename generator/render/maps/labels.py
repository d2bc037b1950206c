"""The places of signs and names on a map: no text over another, no name over a piece that is not its own."""

from __future__ import annotations

from math import ceil
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import shapely

from generator.render.type.text_length import POINT, length

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray
    from shapely.geometry.base import BaseGeometry

    from generator.render.drawing import Point
    from generator.render.maps.frame import Box

_AIR, _BESIDE, _ABOVE = 0.5, 2.0, 0.5
"""Free space in millimetres around a name, to the names beside it and the table’s edge, and to the names above it."""
_HIGH = 1.25
"""The height of a line of text with free space, in sizes of its type."""
_ROOMY = 5
"""A feature at least this many times as large as its name may have the name inside."""
_NEAREST, _REACHES = 0.7, (3.0, 10.0, 60.0)
"""Least distance in millimetres from a feature to its name, and the greatest distances tried one after the other."""
_OWN = 2.5
"""A name without a line to its piece is at least this many millimetres nearer to its piece than to others."""
_LEAST_LINE = 2.0
"""Least length in millimetres of a line from a name to its piece."""
_LINE_COST, _CROSSING_COST, _COVER_COST, _CROWD_COST = 4.0, 8.0, 16.0, 3.0
"""Costs as distances: of a line to a piece, of each piece that it crosses, and of each line that a name covers.

The last is the cost of each other name or piece within ``_OWN`` of a name.
"""
_STEPS = 1.5, 0.7
"""The distances in millimetres between tried places, across and down."""


class Place(NamedTuple):
    """The place of a name on a map."""

    middle: Point
    line: BaseGeometry | None = None
    """A line from the name to its piece, where another piece is as near."""


class Places:
    """The places on a map that are taken, and the pieces and lines that names should not cover."""

    def __init__(self, room: Box, pieces: Sequence[BaseGeometry], lines: Sequence[BaseGeometry] = ()) -> None:
        """Begin with no place taken; all signs and names must stay in ``room``."""
        self._room, self._pieces, self._lines = room, pieces, shapely.STRtree(lines)
        self._tree = shapely.STRtree(pieces)
        self._taken: list[Box] = []
        self._names: list[BaseGeometry] = []

    def take(self, box: Box) -> None:
        """Mark a box as taken: no later sign or name may overlap it."""
        self._taken.append(box)

    def is_free(self, box: Box) -> bool:
        """Return whether a box is in the room and overlaps no box that is taken. A free box may cover pieces."""
        return bool(len(self._free(np.array([box]))))

    def covered(self, box: Box) -> float:
        """Return what a box hides as a cost in millimetres: edges of pieces, lines, and ground inside pieces."""
        shape = shapely.box(*box)
        touched, lines = (len(tree.query(shape, predicate="intersects")) for tree in (self._tree, self._lines))
        inside = len(self._tree.query(shape, predicate="within"))
        return _COVER_COST * (touched - inside + lines) + _CROSSING_COST * inside

    def inside(self, text: str, size: float, area: BaseGeometry) -> Place | None:
        """Return the highest place for a name that is inside an area and clear of all pieces and lines.

        Mark it as taken. Return None if there is no such place. ``size`` is that of the type in millimetres.
        """
        boxes = self._boxes(area, _half(text, size), 0)
        shapes = np.asarray(shapely.box(*boxes.T))
        shapely.prepare(area)
        clear = shapely.covers(area, shapes)
        for tree in (self._tree, self._lines):
            clear[tree.query(shapes, predicate="intersects")[0]] = False
        return self._taken_place(boxes[clear][0], None) if clear.any() else None

    def name(self, text: str, size: float, area: BaseGeometry, piece: int = -1) -> Place | None:
        """Return the place of a name inside or near the seen part of an area, and take it; None if no place is free.

        ``size`` is that of the type in millimetres. ``piece`` is the index of the area among the pieces, -1 for another
        area. The name covers no other piece, except pieces that hold all of its own piece, such as a hill under a wood.
        A name without a line is nearest to its own piece.
        """
        beneath = [piece, *(index for index in self._tree.query(area) if self._pieces[index].buffer(0.1).covers(area))]
        seen = area.difference(shapely.union_all(self._pieces[piece + 1 :])) if piece >= 0 else area
        area = area if seen.is_empty else seen
        shapely.prepare(area)
        tries = (self._best(_half(text, size), area, piece, beneath, reach) for reach in _REACHES)
        return next(filter(None, tries), None)

    def _best(
        self, half: NDArray[np.float64], area: BaseGeometry, piece: int, beneath: list[int], reach: float
    ) -> Place | None:
        """Return the best place at most ``reach`` from the area, and mark it as taken; None if no place is clear.

        ``half`` is half the size of the name; ``beneath`` are the pieces that the name may cover.
        """
        boxes = self._boxes(area, half, reach)
        shapes = np.asarray(shapely.box(*boxes.T))
        kept = shapely.dwithin(area, shapes, reach)
        kept[_others(self._tree.query(shapes, predicate="intersects"), beneath)] = False
        boxes, shapes = boxes[kept], shapes[kept]
        far = np.asarray(shapely.distance(shapes, area))
        roomy = piece >= 0 and area.area > _ROOMY * 4 * half[0] * half[1]
        within = shapely.covers(area, shapes) & roomy
        near = self._tree.query(shapes, predicate="dwithin", distance=far + _OWN)
        joined = ~within & (np.bincount(_others(near, [piece]), minlength=len(boxes)) > 0)
        kept = within | (far >= np.where(joined, _LEAST_LINE, _NEAREST))
        boxes, shapes, far, joined = boxes[kept], shapes[kept], far[kept], joined[kept]
        lines = np.asarray(shapely.shortest_line(shapes, area))
        crossing = _others(self._tree.query(lines, predicate="intersects"), beneath)
        covered = self._lines.query(shapes, predicate="intersects")[0]
        over, under = (np.bincount(found, minlength=len(boxes)) for found in (crossing, covered))
        close = _others(self._tree.query(shapes, predicate="dwithin", distance=_OWN), beneath)
        named = shapely.STRtree(self._names).query(shapes, predicate="dwithin", distance=_OWN)[0]
        crowd, names = (np.bincount(found, minlength=len(boxes)) for found in (close, named))
        cost = far + joined * (_LINE_COST + _CROSSING_COST * over)
        cost += _COVER_COST * under + _CROWD_COST * (crowd + names)
        aside = np.abs((boxes[:, :2] + boxes[:, 2:]) / 2 - np.array(area.centroid.coords[0]))
        taken = shapely.box(*np.array(self._taken or [(0, 0, 0, 0)]).T)
        for index in np.lexsort((aside.sum(axis=1), aside.min(axis=1), np.round(2 * cost))):
            if cost[index] > reach and reach != _REACHES[-1]:
                return None
            if not joined[index]:
                return self._taken_place(boxes[index], None)
            if not shapely.intersects(lines[index], taken).any():
                return self._taken_place(boxes[index], lines[index])
        return None

    def _taken_place(self, box: NDArray[np.float64], line: BaseGeometry | None) -> Place:
        """Mark a label's box and its leader line as occupied, and return the place of the label."""
        left, top, right, bottom = map(float, box)
        self.take((left - _BESIDE, top - _ABOVE, right + _BESIDE, bottom + _ABOVE))
        self._names.append(shapely.box(left, top, right, bottom))
        if line is not None:
            for far in (*np.arange(0, line.length, 0.5), line.length):
                self.take(line.interpolate(far).buffer(0.5).bounds)
        return Place(((left + right) / 2, (top + bottom) / 2), line)

    def _free(self, boxes: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return the boxes that are in the room and overlap no box that is taken."""
        left, top, right, bottom = self._room
        free = (boxes[:, 0] >= left) & (boxes[:, 1] >= top) & (boxes[:, 2] <= right) & (boxes[:, 3] <= bottom)
        for a, b, c, d in self._taken:
            free &= (boxes[:, 0] >= c) | (boxes[:, 2] <= a) | (boxes[:, 1] >= d) | (boxes[:, 3] <= b)
        return np.asarray(boxes[free])

    def _boxes(self, area: BaseGeometry, half: NDArray[np.float64], reach: float) -> NDArray[np.float64]:
        """Return the free boxes of this half size that are in an area or at most ``reach`` from it, row by row."""
        middle = np.array(area.centroid.coords[0])
        first = np.maximum(np.subtract(area.bounds[:2], half + reach), half + _BESIDE + self._room[:2]) - middle
        last = np.minimum(np.add(area.bounds[2:], half + reach), self._room[2:] - half - _BESIDE) - middle
        xs, ys = (step * np.arange(ceil(a / step), b / step) for step, a, b in zip(_STEPS, first, last, strict=True))
        middles = np.stack(np.meshgrid(xs, ys), axis=-1).reshape(-1, 2) + middle
        return self._free(np.hstack((middles - half, middles + half)))


def name_width(text: str, size: float) -> float:
    """Return the width in millimetres of a name in type of this size, which is in millimetres, too."""
    return length(text, size / POINT, "sans-semibold")


def _half(text: str, size: float) -> NDArray[np.float64]:
    """Return half the width and height of a name with the free space around it."""
    return np.array([name_width(text, size) / 2 + _AIR, size * _HIGH / 2])


def _others(pairs: NDArray[np.int64], own: list[int]) -> NDArray[np.int64]:
    """Return the first index of each pair whose second index is not in ``own``."""
    return np.asarray(pairs[0][~np.isin(pairs[1], own)])
