"""Places on a table as the attacker sees it, and random shapes of terrain.

The attacker's coordinates are percentages: ahead from the attacker's edge, and along that edge. A shape, such as a
patch, a farm or a winding path, is given by its keys in a scenario file, in half inches. It is made around the origin
and moved to its place.
"""

from __future__ import annotations

from itertools import pairwise
from math import cos, hypot, radians, sin
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

import shapely
from shapely import affinity

from generator.scenarios.models import ShapeModel
from generator.scenarios.table import HALF, Extent, Outline, core

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from generator.scenarios.chance import Chance


Span = tuple[int, int]
_ACROSS = {"west": "east", "east": "west", "south": "north", "north": "south"}
WHOLE = 100
"""All of a length, in percent."""


class Area(NamedTuple):
    """An upright rectangle, in half inches."""

    left: int
    low: int
    right: int
    high: int

    def shape(self) -> dict[str, Any]:
        """Return the rectangle as ``at`` and ``size``, as in a zone of a scenario file, but in half inches."""
        return {"at": [self.left, self.low], "size": [self.right - self.left, self.high - self.low]}

    def within(self, other: Area) -> Area:
        """Return the part of the rectangle that is also in another.

        If the two share no spot, the result holds no spot.
        """
        return Area(*map(max, self[:2], other[:2]), *map(min, self[2:], other[2:]))

    def holds(self, spot: tuple[int, int]) -> bool:
        """Return whether a spot is in the rectangle or on its edge."""
        return self.left <= spot[0] <= self.right and self.low <= spot[1] <= self.high


class OrientedTable(NamedTuple):
    """A table, and the edge from which the attacker comes: ``north``, ``south``, ``east`` or ``west``."""

    table: Extent
    facing: str

    def area(self, ahead: Span, along: Span) -> Area:
        """Return the part of the table between these percentages, at least half an inch wide and deep.

        ``ahead`` begins at the attacker's edge. ``along`` runs along that edge, from the west or the south.
        """
        level = self.facing in ("west", "east")
        far = (self.table.wide, self.table.deep) if level else (self.table.deep, self.table.wide)
        near, side = _part(ahead, far[0]), _part(along, far[1])
        if self.facing in ("east", "north"):
            near = far[0] - near[1], far[0] - near[0]
        return Area(near[0], side[0], near[1], side[1]) if level else Area(side[0], near[0], side[1], near[1])

    def edge(self, word: str) -> str:
        """Return the edge for a word: ``attacker``, ``defender``, or ``low`` or ``high`` for the edges between them.

        ``low`` is the southern or western of these edges. Raises KeyError for any other word.
        """
        if word in ("attacker", "defender"):
            return self.facing if word == "attacker" else _ACROSS[self.facing]
        level = self.facing in ("west", "east")
        return {"low": "south" if level else "west", "high": "north" if level else "east"}[word]

    def stretch(self, word: str, along: Span) -> Span:
        """Return the part of an edge between these percentages, in half inches from the west or the south.

        ``word`` is as in ``edge``; KeyError is raised for any other word. On edges between the sides, percentages begin
        at the attacker's end.
        """
        edge = self.edge(word)
        long = self.table.wide if edge in ("north", "south") else self.table.deep
        start, end = _part(along, long)
        if word in ("low", "high") and self.facing in ("east", "north"):
            return long - end, long - start
        return start, end


def _part(span: Span, long: int) -> Span:
    """Return two percentages of a length as half inches, rounded down and at least half an inch apart."""
    start, end = span[0] * long // WHOLE, span[1] * long // WHOLE
    return (start, end) if start < end else (min(start, long - 1), min(start, long - 1) + 1)


def spot_in(area: Area, chance: Chance) -> tuple[int, int]:
    """Return a random spot in an area, in half inches, on whole inches."""
    east, north = (
        2 * chance.between((low + 1) // 2, max(high // 2, (low + 1) // 2))
        for low, high in ((area.left, area.right), (area.low, area.high))
    )
    return east, north


Spot: TypeAlias = tuple[int, int]
Vector: TypeAlias = tuple[float, float]


def _shape(**keys: Any) -> ShapeModel:
    """Return a shape with these keys, which are not checked."""
    return ShapeModel.model_construct(**keys)


def _turned(points: Iterable[Vector], degrees: int) -> list[list[int]]:
    """Return points in half inches, turned counter-clockwise about the origin and rounded to whole half inches.

    Each point is in the list once.
    """
    line_ = affinity.rotate(shapely.LineString(points), degrees, (0, 0))
    return [list(point) for point in dict.fromkeys((round(x), round(y)) for x, y in line_.coords)]


def patch(size: int, chance: Chance) -> tuple[ShapeModel, ...]:
    """Return one irregular shape of twelve corners around the origin, usually a little shorter than the size.

    The size is in half inches; below 2 inches, it counts as 2 inches. The shape is squeezed by up to 40 % in one
    direction. The corners are in whole half inches, so that a very small shape may have fewer corners.
    """
    size = max(size, 4)  # the corners of a smaller shape fall together
    narrow, turned = chance.between(60, 100) / 100, 30 * chance.below(12)
    corners: list[Vector] = []
    part = chance.between(75, 100)
    for angle in map(radians, range(0, 360, 30)):
        part = (part + chance.between(70, 100)) // 2
        corners.append((cos(angle) * size * part / 200, sin(angle) * size * part * narrow / 200))
    return (_shape(corners=_turned(corners, turned)),)


def house(size: Spot, turned: int) -> ShapeModel:
    """Return a rectangle around the origin, turned clockwise by ``turned`` degrees.

    ``size`` is in half inches, and ``turned`` must be a multiple of 15.
    """
    return _shape(at=[-size[0] // 2, -size[1] // 2], size=list(size), **({"turned": turned} if turned else {}))


def block(size: int, chance: Chance) -> tuple[ShapeModel, ...]:
    """Return one upright rectangle, such as a house; its longer side is as long as the size, in half inches."""
    deep = chance.between(max(2, size * 6 // 10), size)
    return (house((size, deep) if chance.below(2) else (deep, size), 0),)


def farm(size: int, chance: Chance) -> tuple[ShapeModel, ...]:
    """Return one, two or four rectangular fields that share their hedges, turned by 0, 30 or 60 degrees.

    The sides of each field are about 60 % to 100 % as long as the size. The size is in half inches; below 2 inches, it
    counts as 2 inches. Corners are rounded to half inches, so that turned fields are not exactly rectangular.
    """
    size = max(size, 4)  # the corners of a smaller shape fall together
    turned = 30 * chance.below(3)
    columns, rows = ((1, 1), (2, 1), (1, 2), (2, 2))[chance.below(4)]
    wide, deep = ([chance.between(size * 6 // 10, size) for _ in range(number)] for number in (columns, rows))

    def corner(column: int, row: int) -> Vector:
        return sum(wide[:column]) - sum(wide) / 2, sum(deep[:row]) - sum(deep) / 2

    return tuple(
        _shape(corners=_turned([corner(i, j), corner(i + 1, j), corner(i + 1, j + 1), corner(i, j + 1)], turned))
        for i in range(columns)
        for j in range(rows)
    )


def round_(size: int, _: Chance) -> tuple[ShapeModel, ...]:
    """Return one circle; its diameter is about the size, in half inches."""
    return (_shape(at=[0, 0], radius=max(1, size // 2)),)


def line(size: int, chance: Chance) -> tuple[ShapeModel, ...]:
    """Return a straight wall in a random direction, about as long as the size, and half an inch wide.

    The size is in half inches. The direction is a multiple of 30 degrees; then the ends are rounded to whole half
    inches.
    """
    return (_shape(path=_turned([(-size / 2, 0), (size / 2, 0)], 30 * chance.below(12)), wide=1),)


SHAPES = {"patch": patch, "round": round_, "line": line, "farm": farm}
"""The function that makes the shapes of each form; ``block`` makes the shapes of all other forms of an area."""


def path(points: Sequence[Vector], wide: int) -> ShapeModel:
    """Return a road, a river, a bridge or a ford along points, in whole half inches.

    The points are in half inches, and so is ``wide``, the width. A path of more than two points is smoothed: only its
    ends stay. Points that fall together are left out.
    """
    for _ in range(2 if len(points) > 2 else 0):  # noqa: PLR2004 - a straight path has no corners to cut
        cut = [points[0]]
        for (x1, y1), (x2, y2) in pairwise(points):
            cut += [(0.75 * x1 + 0.25 * x2, 0.75 * y1 + 0.25 * y2), (0.25 * x1 + 0.75 * x2, 0.25 * y1 + 0.75 * y2)]
        points = [*cut, points[-1]]
    return _shape(path=_turned(points, 0), wide=wide)


def span(spot: shapely.Point, step: Vector, reach: int, wide: int) -> ShapeModel:
    """Return a bridge or a ford at a spot, in the direction of a step, extending ``reach`` half inches each way.

    Its ends are in whole half inches. The spot is in outline units, the step has length 1, and ``wide`` is in half
    inches.
    """
    ends = [(spot.x / HALF + sign * step[0] * reach, spot.y / HALF + sign * step[1] * reach) for sign in (-1, 1)]
    return path(ends, wide)


def moved(shape: ShapeModel, by: Spot) -> ShapeModel:
    """Return a shape moved by half inches east and north."""

    def shift(point: Sequence[int]) -> list[int]:
        return [point[0] + by[0], point[1] + by[1]]

    keys = keys_of(shape)
    several = {key: [shift(point) for point in keys[key]] for key in ("corners", "path") if key in keys}
    return _shape(**(keys | several | ({"at": shift(keys["at"])} if "at" in keys else {})))


def keys_of(shape: ShapeModel) -> dict[str, Any]:
    """Return the keys that give a shape in a scenario file, with their values; lengths are in half inches."""
    return {key: getattr(shape, key) for key in ShapeModel.model_fields if key in shape.model_fields_set}


def crossings(first: Outline, second: Outline) -> list[shapely.Point]:
    """Return the points where the middle lines of two paths cross or touch, in outline units; empty if they do not.

    Where the lines run together, the points are the middles of the straight parts of this stretch.
    """
    parts = shapely.get_parts(core(first).intersection(core(second)))
    return [part.centroid for part in parts if not part.is_empty]


def direction(path_: Outline, at: float) -> Vector:
    """Return the direction of a path, as a step of length 1, at a distance in outline units from its start.

    The direction is measured over half an inch each way, less at an end. The distance must be on the path.
    """
    string = core(path_)
    (x1, y1), (x2, y2) = (string.interpolate(max(0, at + step)).coords[0] for step in (-HALF, HALF))
    long = hypot(x2 - x1, y2 - y1)
    return (x2 - x1) / long, (y2 - y1) / long


def slant(road: Outline, other: Outline, spot: shapely.Point) -> float:
    """Return how far a crossing at a spot is from square: 0 for a right angle, 1 for a road along the other path.

    The spot is in outline units. The result is the cosine of the angle between the paths.
    """
    first, second = (direction(path_, core(path_).project(spot)) for path_ in (road, other))
    return abs(first[0] * second[0] + first[1] * second[1])
