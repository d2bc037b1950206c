"""Write a force as YAML: with the designs of its libraries, and without default values."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from generator.parsing.yamltext import to_yaml
from generator.rules.entries.kinds import Field, unit_fields

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from generator.forces.force import Force


def write_yaml(force: Force) -> str:
    """Return the force as YAML text that reads back as the same force."""
    contents = head_values(force) | force.settings.by_ruleset()
    contents["designs"] = [
        {
            "design": design.name,
            "kind": design.kind.id,
            **given_values(design.kind.fields, design.values),
            **_note(design.note),
            **({"picture": design.place.value()["picture"]} if design.picture else {}),
        }
        for design in force.designs
    ]
    contents["units"] = [
        {
            "unit": unit.name,
            **given_values(unit_fields(force.rules.kinds), unit.values),
            **_note(unit.note),
            "of": [{"design": entry.design.name, "count": entry.count} for entry in unit.of],
        }
        for unit in force.units
    ]
    return to_yaml(contents)


def head_values(force: Force) -> dict[str, Any]:
    """Return the values about the whole force, without empty values and settings."""
    values = {"force": force.name, "rules": force.rules.id.split("+"), "budget": force.budget}
    values |= {"edition": force.edition, "note": force.note}
    return {key: value for key, value in values.items() if value not in (None, "")}


def _note(text: str) -> dict[str, str]:
    return {"note": text} if text else {}


def given_values(fields: Iterable[Field], values: Mapping[str, Any]) -> dict[str, Any]:
    """Return the values of fields as a file gives them, without defaults and empty lists."""
    written: dict[str, Any] = {}
    for field in fields:
        value = values.get(field.name)
        if field.choice is None:
            written |= {field.name: [given_values(field.fields, entry) for entry in value]} if value else {}
        elif value is not None and (field.required or value != field.default):
            written[field.name] = value
    return written
