"""The JSON Schemas of a rule set's force and scenario files, with which an editor completes and checks them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from generator.forces.designs import begins_with_a_number
from generator.forces.models import DesignModel, EntryModel, ForceModel, UnitModel
from generator.rules.describe.schemas import schema_of
from generator.rules.entries.kinds import Field, kinds_of_designs, unit_fields
from generator.rules.source.pictures import PictureModel
from generator.scenarios.models import ScenarioModel
from generator.scenarios.scenario import special_rules, terrains

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from pydantic import BaseModel

    from generator.rules.ruleset import RuleSet


def force_schema(rules: RuleSet) -> dict[str, Any]:
    """Return the JSON Schema for these rules that holds for force files and for libraries with ``rules``."""
    schema = schema_of(ForceModel, {"title": f"A force for {rules.manifest.title}"})
    schema["required"] = ["rules"]  # a library of designs has no name
    keys = schema["properties"]
    picture = {"description": "A picture at the head of upright cards.", **_plain(PictureModel)}
    designs = [
        _with_fields(DesignModel, kind.title, kind.fields, kind={"enum": _forms(kind.id, kind.title)}, picture=picture)
        for kind in kinds_of_designs(rules.kinds).values()
    ]
    keys["designs"]["items"] = {"oneOf": designs} if designs else False
    entries = _entries(_plain(EntryModel), "string")
    keys["units"]["items"] = _with_fields(UnitModel, "Unit", unit_fields(rules.kinds), of=entries)
    return schema


def _plain(model: type[BaseModel]) -> dict[str, Any]:
    """Return the schema of a model without ``$schema``, description and ``$defs``, to put it into another schema.

    Each ``$ref`` in the result leads to ``$defs`` that the other schema must have.
    """
    schema = schema_of(model, {})
    return {key: schema[key] for key in ("type", "additionalProperties", "required", "properties")}


def _with_fields(model: type[BaseModel], title: str, fields: Iterable[Field], **more: Any) -> dict[str, Any]:
    """Return the schema of a design or a unit: the keys of its model, some of them as in ``more``, and its fields."""
    schema = _plain(model)
    schema["properties"] |= more
    return {"title": title, **_added(schema, fields)}


def _added(schema: dict[str, Any], fields: Iterable[Field]) -> dict[str, Any]:
    """Return the schema of a mapping with these fields added."""
    by_name = {field.name: field for field in fields}
    required = [*schema["required"], *(name for name, field in by_name.items() if field.required)]
    properties = schema["properties"] | {name: _field(field) for name, field in by_name.items()}
    return {**schema, "required": required, "properties": properties}


def _entries(entry: dict[str, Any], *short: str) -> dict[str, Any]:
    """Return the schema of a list of entries, where ``entry`` is the schema of an entry.

    An entry, or the whole list, may also be in short notation: a value of one of the JSON types ``short``.
    """
    kinds = {"type": list(short)}
    notation = {**kinds, "description": "In the short way, semicolons between entries."}
    return {"oneOf": [{"type": "array", "items": {"oneOf": [entry, kinds]}}, notation]}


def _field(field: Field) -> dict[str, Any]:
    about: dict[str, Any] = {"description": field.label}
    if field.choice is None:
        empty: dict[str, Any] = {"type": "object", "additionalProperties": False, "required": [], "properties": {}}
        entry = _added(empty, field.fields)
        return about | _entries(entry, "string", *(["integer"] if begins_with_a_number(field) else []))
    if field.default is not None:
        about["default"] = field.default
    values = field.choice.values
    if field.choice.is_range:
        return about | {"type": "integer", "minimum": values[0], "maximum": values[-1]}
    if True in values:
        return about | {"enum": [True, False, "yes", "no"]}
    return about | {"enum": [form for value in values for form in _forms(value, field.choice.names.get(value, value))]}


def _forms(value: Any, name: Any) -> list[Any]:
    """Return the ways to write a value: as itself and, if that differs, by its printed name."""
    return [value] if value == name else [value, name]


_SHAPES = (("corners",), ("at", "size"), ("at", "radius"), ("path",))
"""The keys of each way to give a shape. A shape uses exactly one way; the checks enforce that, not the model."""


def scenario_schema(rules: RuleSet) -> dict[str, Any]:
    """Return the JSON Schema of a scenario for these rules, with forces inside the scenario or in their own files."""
    schema = schema_of(ScenarioModel, {"title": f"A scenario for {rules.manifest.title}"})
    parts = schema["$defs"]
    force = force_schema(rules)
    parts["Force"] = {key: force[key] for key in ("type", "additionalProperties", "properties")}
    parts["Force"]["title"] = "A force, written into its scenario"
    parts["Side"]["properties"]["force"] = {
        "description": parts["Side"]["properties"]["force"]["description"],
        "anyOf": [{"type": "string", "minLength": 1}, {"$ref": "#/$defs/Force"}],
    }
    parts["Piece"]["properties"]["kind"] |= {"enum": _forms_of(terrains(rules))}
    special = schema["properties"]["special"]
    special["items"] = {"anyOf": [{"enum": _forms_of(special_rules(rules))}, {"$ref": "#/$defs/Rule"}]}
    for name, ways in (("Piece", _SHAPES), ("Zone", _SHAPES[:-1])):
        parts[name]["oneOf"] = [{"required": list(keys)} for keys in ways]
    return schema


def _forms_of(known: Mapping[str, Any]) -> list[str]:
    """Return the ids and the printed names of the known things."""
    return list(dict.fromkeys(form for key, item in known.items() for form in (key, item.name)))
