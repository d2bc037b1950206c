"""The JSON Schema of a rule set's scenario files, with which an editor completes and checks them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from generator.forces.schema import force_schema
from generator.rules.describe.schemas import schema_of
from generator.scenarios.models import ScenarioModel
from generator.scenarios.terrain_kinds import special_rules, terrains

if TYPE_CHECKING:
    from collections.abc import Mapping

    from generator.rules.ruleset import RuleSet

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
    names = {"type": "array", "items": {"type": "string"}, "minItems": 1}
    schema["properties"]["rules"] = {
        "description": schema["properties"]["rules"]["description"],
        "anyOf": [{"type": "string"}, names],
    }
    parts["Piece"]["properties"]["kind"] |= {"enum": _forms(terrains(rules))}
    special = schema["properties"]["special"]
    special["items"] = {"anyOf": [{"enum": _forms(special_rules(rules))}, {"$ref": "#/$defs/Rule"}]}
    for name, ways in (("Piece", _SHAPES), ("Zone", _SHAPES[:-1])):
        parts[name]["oneOf"] = [{"required": list(keys)} for keys in ways]
    return schema


def _forms(known: Mapping[str, Any]) -> list[str]:
    """Return the ids and the printed names of the known things."""
    return list(dict.fromkeys(form for key, item in known.items() for form in (key, item.name)))
