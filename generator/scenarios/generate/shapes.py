"""Random shapes of terrain, in half inches: a patch, a house, a farm, a circle, a wall, a winding path.

Shapes are made around a middle and moved to their place afterwards.
"""

from __future__ import annotations

from itertools import pairwise
from math import hypot
from typing import TYPE_CHECKING, Any, NamedTuple

import shapely

from generator.scenarios.scenario import Shape, Terrain
from generator.scenarios.table.outlines import HALF, Outline, circle, rectangle, way

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from generator.scenarios.chance import Chance

Spot = tuple[int, int]
Vector = tuple[float, float]
_CLOCK = ((1000, 0), (866, 500), (500, 866), (0, 1000), (-500, 866), (-866, 500), (-1000, 0), (-866, -500),
          (-500, -866), (0, -1000), (500, -866), (866, -500))  # fmt: skip
"""Twelve directions, 30 degrees apart, as steps east and north in thousandths."""
_CUTS = 2
"""How often the corners of a path are cut."""


class Drawn(NamedTuple):
    """A shape as the keys of the file, in half inches, and its outline."""

    said: dict[str, Any]
    shape: Shape


def patch(middle: Spot, size: int, chance: Chance) -> tuple[Drawn, ...]:
    """Return an irregular shape of twelve corners, about as long as the size and up to 40 % narrower."""
    narrow, axis = chance.between(60, 100), _CLOCK[chance.below(len(_CLOCK))]
    corners: list[Spot] = []
    part = chance.between(75, 100)
    for east, north in _CLOCK:
        part = (part + chance.between(70, 100)) // 2
        along, beside = east * size * part // 200, north * size * part * narrow // 20_000
        corner = (
            middle[0] + _rounded(along * axis[0] - beside * axis[1], 10**6),
            middle[1] + _rounded(along * axis[1] + beside * axis[0], 10**6),
        )
        corners += [corner] if corner not in corners else []
    return (polygon(corners),)


def polygon(corners: Sequence[Spot]) -> Drawn:
    """Return a shape with these corners."""
    outline = Outline(tuple((x * HALF, y * HALF) for x, y in corners), closed=True)
    return Drawn({"corners": [list(corner) for corner in corners]}, Shape(outline, round=False, flows=False))


def _rounded(number: int, by: int) -> int:
    """Return ``number`` divided by ``by``, rounded to the nearest whole number, halves up."""
    return (2 * number + by) // (2 * by)


def house(middle: Spot, size: Spot, turned: int) -> Drawn:
    """Return a rectangle around a middle, turned clockwise by a number of degrees."""
    at = middle[0] - size[0] // 2, middle[1] - size[1] // 2
    said: dict[str, Any] = {"at": list(at), "size": list(size)} | ({"turned": turned} if turned else {})
    outline = rectangle((at[0] * HALF, at[1] * HALF), (size[0] * HALF, size[1] * HALF), turned)
    return Drawn(said, Shape(outline, round=False, flows=False))


def farm(middle: Spot, size: int, chance: Chance) -> tuple[Drawn, ...]:
    """Return one to four fields that share their hedges; each is at most as long as the size."""
    axis = _CLOCK[chance.below(3)]
    columns, rows = ((1, 1), (2, 1), (1, 2), (2, 2))[chance.below(4)]
    wide = [chance.between(size * 6 // 10, size) for _ in range(columns)]
    deep = [chance.between(size * 6 // 10, size) for _ in range(rows)]

    def corner(column: int, row: int) -> Spot:
        along, beside = sum(wide[:column]) - sum(wide) // 2, sum(deep[:row]) - sum(deep) // 2
        return (
            middle[0] + _rounded(along * axis[0] - beside * axis[1], 1000),
            middle[1] + _rounded(along * axis[1] + beside * axis[0], 1000),
        )

    return tuple(
        polygon([corner(i, j), corner(i + 1, j), corner(i + 1, j + 1), corner(i, j + 1)])
        for i in range(columns)
        for j in range(rows)
    )


def round_(middle: Spot, size: int, _: Chance) -> tuple[Drawn, ...]:
    """Return a circle around a middle; its diameter is about the size."""
    radius = max(1, size // 2)
    outline = circle((middle[0] * HALF, middle[1] * HALF), radius * HALF)
    return (Drawn({"at": list(middle), "radius": radius}, Shape(outline, round=True, flows=False)),)


def line(middle: Spot, size: int, chance: Chance) -> tuple[Drawn, ...]:
    """Return a straight wall through a middle, as long as the size and half an inch wide."""
    east, north = _CLOCK[chance.below(len(_CLOCK))]
    over = _rounded(east * size, 2000), _rounded(north * size, 2000)
    return (path([(middle[0] - over[0], middle[1] - over[1]), (middle[0] + over[0], middle[1] + over[1])], 1),)


def path(points: Sequence[Spot], wide: int) -> Drawn:
    """Return a road, a river or a wall through these points."""
    outline = way([(x * HALF, y * HALF) for x, y in points], wide * HALF)
    return Drawn({"path": [list(point) for point in points], "wide": wide}, Shape(outline, round=False, flows=True))


def winding(points: Sequence[Vector], wide: int) -> Drawn:
    """Return a road or a river along these points, with its corners cut until it bends smoothly."""
    for _ in range(_CUTS):
        cut = [points[0]]
        for (x1, y1), (x2, y2) in pairwise(points):
            cut += [(0.75 * x1 + 0.25 * x2, 0.75 * y1 + 0.25 * y2), (0.25 * x1 + 0.75 * x2, 0.25 * y1 + 0.75 * y2)]
        points = [*cut, points[-1]]
    rounded = dict.fromkeys((round(x), round(y)) for x, y in points)
    return path([*rounded], wide)


def span(spot: Vector, step: Vector, reach: int, wide: int) -> Drawn:
    """Return a bridge over a spot in the direction of a step, extending ``reach`` half inches each way."""
    long = hypot(*step)
    over = step[0] * reach / long, step[1] * reach / long
    ends = (spot[0] - over[0], spot[1] - over[1]), (spot[0] + over[0], spot[1] + over[1])
    return path([(round(x), round(y)) for x, y in ends], wide)


def moved(drawn: Drawn, by: Spot) -> Drawn:
    """Return a shape moved by half inches east and north."""
    said = dict(drawn.said)
    for key in ("corners", "path"):
        if key in said:
            said[key] = [[x + by[0], y + by[1]] for x, y in said[key]]
    if "at" in said:
        said["at"] = [said["at"][0] + by[0], said["at"][1] + by[1]]
    corners = tuple((x + by[0] * HALF, y + by[1] * HALF) for x, y in drawn.shape.outline.corners)
    return Drawn(said, drawn.shape._replace(outline=drawn.shape.outline._replace(corners=corners)))


def grown(shape: Shape, margin: int) -> Outline:
    """Return the outline of a shape with ``margin`` half inches around it."""
    return shape.outline._replace(margin=shape.outline.margin + margin * HALF)


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
