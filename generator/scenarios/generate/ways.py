"""Roads and rivers on a table: their middle lines, where they meet, and at what angle."""

from __future__ import annotations

from math import hypot
from typing import TYPE_CHECKING, NamedTuple

import shapely

if TYPE_CHECKING:
    from collections.abc import Iterator

    from generator.scenarios.generate.shapes import Drawn, Vector
    from generator.scenarios.scenario import Terrain


class Way(NamedTuple):
    """A road or a river on the table."""

    terrain: Terrain
    drawn: Drawn
    upright: bool
    """Whether it leads from south to north rather than from west to east."""
    string: shapely.LineString
    """The middle line of the path, in half inches."""

    @property
    def points(self) -> list[list[int]]:
        """The points of the path, in half inches."""
        points: list[list[int]] = self.drawn.said["path"]
        return points

    @property
    def wide(self) -> int:
        """The width, in half inches."""
        wide: int = self.drawn.said["wide"]
        return wide


class Lot(NamedTuple):
    """A place beside a road for a house."""

    spot: Vector
    step: Vector
    """The direction of the road, as a step of length 1."""
    wide: int
    """The width of the road."""


def meetings(first: shapely.LineString, second: shapely.LineString) -> Iterator[shapely.Point]:
    """Yield the points where two lines cross."""
    for part in shapely.get_parts(first.intersection(second)):
        if not part.is_empty:
            yield part.interpolate(0.5, normalized=True) if isinstance(part, shapely.LineString) else part


def direction(line_: shapely.LineString, at: float) -> Vector:
    """Return the direction of a line at a distance along it, as a step of length 1."""
    (x1, y1), (x2, y2) = line_.interpolate(max(0, at - 1)).coords[0], line_.interpolate(at + 1).coords[0]
    long = hypot(x2 - x1, y2 - y1)
    return (x2 - x1) / long, (y2 - y1) / long


def slant(road: Way, water: Way, spot: shapely.Point) -> float:
    """Return how far a crossing is from square: 0 for a right angle, 1 for a road along the river."""
    first = direction(road.string, road.string.project(spot))
    second = direction(water.string, water.string.project(spot))
    return abs(first[0] * second[0] + first[1] * second[1])
