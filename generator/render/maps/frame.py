"""The frame of a map: where the table lies in the drawing, and the features on it as shapes in millimetres."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

import numpy as np
import shapely

from generator.render.blocks import MapPiece
from generator.render.drawing import Point, mm

if TYPE_CHECKING:
    from shapely.geometry.base import BaseGeometry

    from generator.render.blocks import Map, MapShape

Box: TypeAlias = "tuple[float, float, float, float]"
"""Left, top, right and bottom."""
_BEYOND = 12
"""Farthest drawn distance beyond the table in inches, because a draft may have pieces anywhere."""
_THINNEST = 0.7
"""Least width in millimetres of a way."""
_NO_LINE = shapely.LineString()


class Feature(NamedTuple):
    """A piece of terrain in the drawing."""

    pattern: str
    area: BaseGeometry
    """What the piece covers."""
    line: BaseGeometry = _NO_LINE
    """The middle line of a way; empty for an area."""
    wide: float = 0
    """The width of a way; 0 for an area."""
    name: str = ""
    number: int = 0
    models: int = 1
    """The number of models on it: steps of a hill, or houses."""


class Frame(NamedTuple):
    """The position and scale of the table in the drawing."""

    left: float
    top: float
    inch: float
    """Millimetres per inch of the table."""
    width: float
    """Inches from west to east."""
    depth: float
    """Inches from south to north."""

    @property
    def box(self) -> Box:
        """The edges of the table in the drawing."""
        return self.left, self.top, self.left + self.width * self.inch, self.top + self.depth * self.inch

    def at(self, spot: Point) -> Point:
        """Return the point in the drawing for a point in inches from the south-west corner of the table.

        A point more than 12 inches beyond the table is moved to that distance.
        """
        x, y = (
            min(max(item, -_BEYOND), far + _BEYOND) for item, far in zip(spot, (self.width, self.depth), strict=True)
        )
        return self.left + x * self.inch, self.top + (self.depth - y) * self.inch

    def area(self, shape: MapShape) -> BaseGeometry:
        """Return the area that a shape covers in the drawing."""
        return self.feature(MapPiece("", shape)).area

    def feature(self, piece: MapPiece) -> Feature:
        """Return a piece of terrain with its area and its middle line in the drawing.

        A way is at least 0.7 mm wide. Raises ValueError for a polygon of one or two points.
        """
        shape = piece.shape
        points = [self.at(point) for point in shape.points]
        line, wide = _NO_LINE, 0.0
        if shape.radius:
            area = shapely.Point(points[0]).buffer(shape.radius * self.inch, quad_segs=24)
        elif shape.wide:
            line, wide = shapely.LineString(points), max(shape.wide * self.inch, _THINNEST)
            area = line.buffer(wide / 2, cap_style="flat")
        else:
            area = shapely.Polygon(points).buffer(0)
        return Feature(piece.pattern, area, line, wide, piece.name, piece.number, piece.models)


def frame_of(plan: Map, across: float, margins: Box) -> Frame:
    """Return the frame of a table in a drawing ``across`` millimetres wide, inside these margins.

    The table is as large as the width and the greatest height of the map allow.
    """
    left, top, right, bottom = margins
    inch = min((across - left - right) / plan.width, (plan.highest - top - bottom) / plan.depth)
    return Frame(left + (across - left - right - plan.width * inch) / 2, top, inch, plan.width, plan.depth)


def outline(shape: Any) -> str:
    """Return the edges of an area, or a line itself, as SVG path data; empty for a point or an empty shape."""
    if shape.is_empty:
        return ""
    if hasattr(shape, "geoms"):
        return "".join(map(outline, shape.geoms))
    if shape.geom_type == "Polygon":
        return "".join(f"{_points(ring)}Z" for ring in (shape.exterior, *shape.interiors))
    return _points(shape) if shape.geom_type != "Point" else ""


def corners(area: BaseGeometry) -> list[Point]:
    """Return the four corners of the smallest rectangle around an area, which may stand at an angle."""
    spots = shapely.get_coordinates(shapely.minimum_rotated_rectangle(area))[:4]
    return [(float(x), float(y)) for x, y in spots]


def inner_radius(area: BaseGeometry) -> float:
    """Return the radius of the largest circle inside an area; 0 for an area without size."""
    return float(shapely.length(shapely.maximum_inscribed_circle(np.array([area])))[0]) if area.area else 0.0


def _points(line: Any) -> str:
    return "M" + "L".join(f"{mm(x)} {mm(y)}" for x, y in line.coords)
