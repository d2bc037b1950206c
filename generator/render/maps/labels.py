"""The places of signs and names on a map: tried round each feature, never over a feature or another text."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import shapely

from generator.render.type.text_length import POINT, length

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from numpy.typing import NDArray
    from shapely.geometry.base import BaseGeometry

    from generator.render.drawing import Point
    from generator.render.maps.frame import Box

_AIR, _APART, _OWN = 0.5, 2.5, 1.25
"""Free space in millimetres around a name, further space between names, and how many times nearer its own piece is."""
_OFFSETS = (0.7, 1.6, 2.8, 4.5, 6.5)
"""Tried distances in millimetres from a feature to its name."""
_SAMPLES = 24
"""Number of points on the edge of a feature around which places are tried."""
_ANCHORS = np.array([(x, y) for y in (-1, 0, 1) for x in (-1, -0.5, 0, 0.5, 1) if (x, y) != (0, 0)])
"""Directions from a point of the edge to the middle of a name."""
_HIGH = 1.15
"""The height of a line of text, in sizes of its type."""
_ROOMY = 8
"""A feature at least this many times as large as its name may have the name inside, clear of other features."""
_TOGETHER = 50
"""Number of places that are tried together: the first few usually have a free one."""
_STEP = 1.5
"""The step in millimetres between tried places inside an area."""


class Places:
    """The places of a map that are taken, and the features that no name may cover."""

    def __init__(self, room: Box, features: Sequence[BaseGeometry], lines: Sequence[BaseGeometry] = ()) -> None:
        """Begin with nothing taken; everything must stay in ``room``, and no name crosses one of the ``lines``."""
        self._room, self._features = room, [*features, *lines]
        self._tree, self._pieces = shapely.STRtree(self._features), shapely.STRtree(features)
        self._lines = set(range(len(features), len(self._features)))
        self._taken: list[Box] = []

    def take(self, box: Box) -> None:
        """Mark a box as taken."""
        self._taken.append(box)

    def is_free(self, box: Box) -> bool:
        """Return whether a box is in the room and overlaps nothing that is taken; it may cover features."""
        return bool(self._free(np.array([box]))[0])

    def first_free(self, boxes: Iterable[Box]) -> Box | None:
        """Return the first free box, and take it; None if none is free."""
        box = next((box for box in boxes if self.is_free(box)), None)
        if box is not None:
            self.take(box)
        return box

    def name(
        self, text: str, size: float, area: BaseGeometry, line: BaseGeometry | None = None, *, needed: bool = False
    ) -> Point | None:
        """Return the middle of the place for the name of a feature, and take it; None if it has no place.

        The place is clear of all features, and no other feature is as near as this one. Without such a place it lies
        on a feature that holds this one, such as a hill under a wood. A way, and a large area, may hold its name
        itself: a way along its ``line`` first of all. A name that is ``needed`` may lie on a small feature
        of its own, and cross lines.
        """
        shapely.prepare(area)
        half = np.array([name_width(text, size) / 2 + _AIR, size * _HIGH / 2])
        around = _around(area, half)
        holding = {number for number in self._tree.query(area) if self._features[number].buffer(0.1).covers(area)}
        inside = _within(area, half) if line is None else _along(line, area, half)
        tries: list[tuple[NDArray[np.float64], set[int], BaseGeometry | None]]
        tries = [(around, set(), area), (around, holding, area)]
        tries.insert(2 if line is None else 0, (inside, holding, None))
        crossing = holding | self._lines
        tries += [(around, crossing, area), (_within(area, half, 0), crossing, None)] if needed else []
        return next((place for boxes in tries if (place := self._first_clear(*boxes))), None)

    def _own(self, boxes: NDArray[np.float64], area: BaseGeometry) -> NDArray[np.float64]:
        """Return the boxes that are nearer to this feature than to all others, except those that touch the feature."""
        shapes = np.asarray(shapely.box(*boxes.T))
        near = np.asarray(shapely.distance(shapes, area))
        box, piece = self._pieces.query(shapes, predicate="dwithin", distance=_OWN * near)
        touching = self._pieces.query(area, predicate="intersects")
        return np.delete(boxes, box[~np.isin(piece, touching)], axis=0)

    def inside(self, text: str, size: float, area: BaseGeometry) -> Point | None:
        """Return the middle of the place for a name inside an area and clear of all features, and take it."""
        shapely.prepare(area)
        half = np.array([name_width(text, size) / 2 + _AIR, size * _HIGH / 2])
        return self._first_clear(_within(area, half), set(), None)

    def _first_clear(self, boxes: NDArray[np.float64], beneath: set[int], owner: BaseGeometry | None) -> Point | None:
        """Return the middle of the first free box that covers no feature except those ``beneath``, and take it.

        No feature may be as near to the box as its ``owner``, if there is one.
        """
        free = boxes[self._free(boxes)]
        for start in range(0, len(free), _TOGETHER):
            some = free[start : start + _TOGETHER]
            box, feature = self._tree.query(shapely.box(*some.T), predicate="intersects")
            some = np.delete(some, box[~np.isin(feature, [*beneath])], axis=0)
            if owner is not None:
                some = self._own(some, owner)
            if len(some):
                left, top, right, bottom = map(float, some[0])
                self.take((left - _APART, top - _APART, right + _APART, bottom + _APART))
                return (left + right) / 2, (top + bottom) / 2
        return None

    def _free(self, boxes: NDArray[np.float64]) -> NDArray[np.bool_]:
        """Return for each box whether it is in the room and overlaps nothing that is taken."""
        left, top, right, bottom = self._room
        free = (boxes[:, 0] >= left) & (boxes[:, 1] >= top) & (boxes[:, 2] <= right) & (boxes[:, 3] <= bottom)
        for a, b, c, d in self._taken:
            free &= (boxes[:, 0] >= c) | (boxes[:, 2] <= a) | (boxes[:, 1] >= d) | (boxes[:, 3] <= b)
        return np.asarray(free)


def name_width(text: str, size: float) -> float:
    """Return the width in millimetres of a name of this type size in millimetres."""
    return length(text, size / POINT, "sans-semibold")


def _around(area: BaseGeometry, half: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return boxes around a feature, the nearest first; of equal ones the box most in line with its middle."""
    spots = shapely.get_coordinates(area.boundary.interpolate(np.linspace(0, 1, _SAMPLES), normalized=True))
    reach = [_ANCHORS * (half + off) for off in _OFFSETS]
    middles = (spots[:, None, :] + np.concatenate(reach)[None, :, :]).reshape(-1, 2)
    boxes = np.hstack((middles - half, middles + half))
    far = np.round(np.asarray(shapely.distance(np.asarray(shapely.box(*boxes.T)), area)), 1)
    kept = (far >= _OFFSETS[0] - 0.1) & (far <= _OFFSETS[-1])
    off = np.abs(middles - np.array(area.centroid.coords[0])).min(axis=1)
    order = np.lexsort((np.round(off, 1)[kept], far[kept]))
    return np.asarray(boxes[kept][order])


def _along(line: BaseGeometry, area: BaseGeometry, half: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return boxes inside a way along its line, the nearest to its middle first."""
    parts = sorted(np.arange(0, line.length, _STEP), key=lambda far: abs(far - line.length / 2))
    middles = np.array([line.interpolate(part).coords[0] for part in parts]).reshape(-1, 2)
    boxes = np.hstack((middles - half, middles + half))
    return np.asarray(boxes[shapely.covers(area, shapely.box(*boxes.T))])


def _within(area: BaseGeometry, half: NDArray[np.float64], roomy: int = _ROOMY) -> NDArray[np.float64]:
    """Return boxes inside an area, row by row; none in an area that is less than ``roomy`` times as large as a box."""
    if area.area < roomy * 4 * half[0] * half[1]:
        return np.empty((0, 4))
    left, top, right, bottom = area.bounds
    xs, ys = np.meshgrid(np.arange(left, right, _STEP), np.arange(top, bottom, _STEP))
    middles = np.stack((xs.ravel(), ys.ravel()), axis=1)
    boxes = np.hstack((middles - half, middles + half))
    return np.asarray(boxes[shapely.covers(area, shapely.box(*boxes.T))])
