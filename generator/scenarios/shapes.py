"""Turn a shape in a scenario file into its outline."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from generator.scenarios.scenario import Shape
from generator.scenarios.table.outlines import HALF, Outline, circle, rectangle, way

if TYPE_CHECKING:
    from generator.problems import Problem
    from generator.scenarios.files import Given
    from generator.scenarios.models import ShapeModel

WAYS = ("corners", "size", "radius", "path")
_LISTED = "corners; at and size; at and radius; or path"


def shape(given: Given, problems: list[Problem]) -> Shape | None:
    """Return the shape of a piece or a zone; None if it has no valid shape.

    S203: no shape, several shapes, a size or a radius without ``at``, or corners that do not enclose an area.
    """
    model = given.model
    said = [item for item in WAYS if getattr(model, item) is not None]
    halved = said in (["size"], ["radius"]) and model.at is None
    if len(said) != 1:
        found, at = " and ".join(said) or "no shape", given.at(said[1]) if said else given.place
        hint = f"take {' or '.join(said)} out" if said else "add at: and size:, at: and radius:, corners: or path:"
        expected = f"one shape: {_LISTED}"
        problems.append(at.problem("S203", found=found, expected=expected, hint=hint, at_key=bool(said)))
        return None
    if halved:
        found, where = f"{said[0]} alone", "south-west corner" if said == ["size"] else "middle"
        hint = f"add at: its {where}, [east, north]"
        at = given.at(said[0])
        problems.append(at.problem("S203", found=found, expected=_LISTED, hint=hint, at_key=True))
        return None
    made = _shape(model)
    if model.corners is not None and not made.outline.is_simple():
        found, hint = "corners that enclose nothing, or an edge that meets another", "go around it once, in order"
        problems.append(given.at("corners").problem("S203", found=found, expected="an area", hint=hint))
        return None
    return made


def _shape(model: ShapeModel) -> Shape:
    """Return the shape of a model that gives exactly one shape."""

    def units(halves: Any) -> tuple[int, int]:
        """Return a point or a size in outline units."""
        return halves[0] * HALF, halves[1] * HALF

    at = units(model.at or (0, 0))
    if model.path is not None:
        return Shape(way([units(spot) for spot in model.path], model.wide * HALF), round=False, flows=True)
    if model.radius is not None:
        return Shape(circle(at, model.radius * HALF), round=True, flows=False)
    if model.size is not None:
        return Shape(rectangle(at, units(model.size), model.turned), round=False, flows=False)
    corners = tuple(units(corner) for corner in model.corners or ())
    return Shape(Outline(corners, closed=True), round=False, flows=False)
