"""The schema of force files: what it lets through is what ``check`` does, as far as a schema can tell."""

from __future__ import annotations

from typing import Any

import pytest
from jsonschema import Draft202012Validator  # type: ignore[import-untyped] # ships no types

from generator.commands.access import open_library
from generator.commands.forces import schema

SHIPPED = open_library().ids()


def validator(rules: str = "dirtside2-iceburg") -> Any:
    return Draft202012Validator(schema(open_library(), rules))


def force(**design: Any) -> dict[str, Any]:
    return {"force": "Reds", "rules": ["dirtside2-iceburg"], "designs": [{"design": "A", **design}], "units": []}


TANK = {"kind": "vehicle", "size": 3, "armour": 3, "plant": "HMT", "mobility": "fast tracked"}


@pytest.mark.parametrize("rules", SHIPPED)
def test_every_rule_set_has_a_schema_that_is_one(rules: str) -> None:
    Draft202012Validator.check_schema(schema(open_library(), rules))


@pytest.mark.parametrize(
    "design",
    [
        TANK,
        {**TANK, "kind": "Vehicle", "mobility": "Fast tracked", "amphibious": "yes", "backup": True},
        {**TANK, "weapons": [{"weapon": "HKP", "class": 3}, "RFAC/1"]},
        {**TANK, "weapons": "2 x HKP/3"},
        {**TANK, "carried_vehicles": 1},
        {**TANK, "carried_vehicles": [1, "2 x 1", {"size": 1}]},
        {"kind": "cruise-missile-battery", "launchers": 2, "missiles": [{"warhead": "HEF", "count": 3}]},
    ],
)
def test_lawful_designs_pass(design: dict[str, Any]) -> None:
    assert validator().is_valid(force(**design))


@pytest.mark.parametrize(
    "design",
    [
        {**TANK, "size": 8},
        {**TANK, "plant": "HTM"},
        {**TANK, "colour": "red"},
        {**TANK, "weapons": [{"weapon": "HKP"}]},
        {**TANK, "weapons": 3},
        {name: value for name, value in TANK.items() if name != "armour"},
        {"kind": "tank"},
    ],
)
def test_what_check_refuses_is_refused(design: dict[str, Any]) -> None:
    assert not validator().is_valid(force(**design))


def test_units_have_the_fields_that_the_rules_give_them() -> None:
    said = {**force(**TANK), "units": [{"unit": "U", "quality": "veteran", "of": [{"design": "A", "count": 2}]}]}
    assert validator().is_valid(said)
    assert not validator().is_valid({**said, "units": [{"unit": "U", "quality": "elite", "of": []}]})
    assert not validator().is_valid({**said, "units": [{"unit": "U"}]})
