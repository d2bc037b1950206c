"""The JSON Schema of a rule set's force files, with which an editor completes and checks them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from generator.forces.designs import begins_with_a_number
from generator.forces.models import MAX_COUNT
from generator.rules.entries.kinds import kinds_of_designs, unit_fields

if TYPE_CHECKING:
    from collections.abc import Iterable

    from generator.rules.entries.kinds import Field, Kind
    from generator.rules.ruleset import RuleSet

DIALECT = "https://json-schema.org/draft/2020-12/schema"
_NAME = {"type": "string", "minLength": 1, "maxLength": 80}
_NOTE = {"type": "string", "description": "Whatever you want to read on paper."}


def force_schema(rules: RuleSet) -> dict[str, Any]:
    """Return the JSON Schema of a force, or of a library of designs, for these rules."""
    kinds = kinds_of_designs(rules.kinds).values()
    settings = {"type": "object", "additionalProperties": {"type": "object"}}
    return {
        "$schema": DIALECT,
        "title": f"A force for {rules.manifest.title}",
        "type": "object",
        "required": ["rules"],
        "additionalProperties": False,
        "properties": {
            "force": {**_NAME, "description": "Its name."},
            "rules": {
                "description": "The rule set, or the layers that are used together.",
                "oneOf": [{"type": "string"}, {"type": "array", "items": {"type": "string"}, "minItems": 1}],
            },
            "budget": {"type": "integer", "minimum": 0, "description": "How many points it may cost."},
            "note": _NOTE,
            "libraries": {
                "type": "array",
                "items": {"type": "string"},
                "description": "Files with designs, in the folder of the force.",
            },
            "options": {**settings, "description": "Options of rule sets."},
            "answers": {**settings, "description": "Figures that are a gap in the sources."},
            "designs": {"type": "array", "items": {"oneOf": [_design(kind) for kind in kinds]} if kinds else False},
            "units": {"type": "array", "items": _unit(unit_fields(rules.kinds))},
        },
    }


def _design(kind: Kind) -> dict[str, Any]:
    head = {
        "design": {**_NAME, "description": "Its name."},
        "kind": {"enum": _forms(kind.id, kind.title)},
        "note": _NOTE,
    }
    return _object(kind.title, head, kind.fields)


def _unit(fields: Iterable[Field]) -> dict[str, Any]:
    count = {"type": "integer", "minimum": 1, "maximum": MAX_COUNT, "default": 1}
    entry = {
        "type": "object",
        "required": ["design"],
        "additionalProperties": False,
        "properties": {"design": {**_NAME, "description": "The name of a design."}, "count": count},
    }
    short = {"type": "string", "description": "In the short way, semicolons between entries."}
    of = {"oneOf": [{"type": "array", "items": {"oneOf": [entry, {"type": "string"}]}}, short]}
    head = {"unit": {**_NAME, "description": "Its name."}, "of": of, "note": _NOTE}
    return _object("Unit", head, fields)


def _object(title: str, head: dict[str, Any], fields: Iterable[Field]) -> dict[str, Any]:
    """Return the schema of a design or unit from its common properties and its fields."""
    own = tuple(fields)
    return {
        "title": title,
        "type": "object",
        "required": [name for name in head if name != "note"] + [field.name for field in own if field.required],
        "additionalProperties": False,
        "properties": head | {field.name: _field(field) for field in own},
    }


def _field(field: Field) -> dict[str, Any]:
    about: dict[str, Any] = {"description": field.label}
    if field.choice is None:
        inner = {
            "type": "object",
            "required": [item.name for item in field.fields if item.required],
            "additionalProperties": False,
            "properties": {item.name: _field(item) for item in field.fields},
        }
        kinds = {"type": ["integer", "string"] if begins_with_a_number(field) else "string"}
        short = {**kinds, "description": "In the short way, semicolons between entries."}
        return about | {"oneOf": [{"type": "array", "items": {"oneOf": [inner, kinds]}}, short]}
    if field.default is not None:
        about["default"] = field.default
    values = field.choice.values
    if field.choice.is_range:
        return about | {"type": "integer", "minimum": values[0], "maximum": values[-1]}
    if True in values:
        return about | {"enum": [True, False, "yes", "no"]}
    return about | {"enum": [form for value in values for form in _forms(value, field.choice.names.get(value, value))]}


def _forms(value: Any, name: Any) -> list[Any]:
    """Return the ways to write a value: as itself, and by its printed name."""
    return [value] if value == name else [value, name]
