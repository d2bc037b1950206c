"""The schema of scenario files: it lets through what ``check`` does, as far as a schema can tell."""

from __future__ import annotations

import re
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator  # type: ignore[import-untyped] # ships no types

from generator.commands.access import open_library
from generator.commands.scenarios import schema
from generator.parsing.yaml12 import read_yaml

pytestmark = pytest.mark.slow

DOCS = Path(__file__).parents[3] / "docs" / "scenarios.md"
SHIPPED = open_library().ids()


@cache
def validator(rules: str = "dirtside2-iceburg") -> Any:
    return Draft202012Validator(schema(open_library(), rules))


def battle(**changed: Any) -> dict[str, Any]:
    sides = [{"side": "Red", "force": "red.yaml"}, {"side": "Blue", "force": {"designs": [], "units": []}}]
    return {"scenario": "A", "rules": "dirtside2", "table": {"width": 72, "depth": 48.5}, "sides": sides, **changed}


@pytest.mark.parametrize("rules", SHIPPED)
def test_every_rule_set_has_a_schema_that_is_one_and_explains_every_key(rules: str) -> None:
    made = schema(open_library(), rules)
    Draft202012Validator.check_schema(made)
    parts = {name: one for name, one in made["$defs"].items() if name != "Force"}
    silent = [(name, key) for name, one in {"": made, **parts}.items()
              for key, said in one["properties"].items() if not said.get("description")]  # fmt: skip
    assert silent == []


@pytest.mark.parametrize(
    "changed",
    [
        {},
        {
            "terrain": [
                {"kind": "woods", "corners": [[0, 0], [1.5, 0], [0, 2]]},
                {"kind": "Light woods", "at": [1, 1], "radius": 2},
            ]
        },
        {"terrain": [{"piece": "A", "kind": "road", "path": [[0, 0], [9, 9]], "wide": 1.5}]},
        {"special": ["night", "Dug in", {"rule": "Mud", "says": "Slow."}]},
        {"situation": ["One.", "Two."], "umpire": "Three."},
        {"objectives": [{"objective": "Hill", "at": [3, 3], "sides": "Red"}]},
        {"set_pieces": [{"piece": "Mines", "secret": "yes", "side": "Red"}]},
        {"markers": [{"marker": "Blown", "count": 3}, {"marker": "Fuse", "back": "Lit"}]},
    ],
)
def test_it_lets_through(changed: dict[str, Any]) -> None:
    assert list(validator().iter_errors(battle(**changed))) == []


@pytest.mark.parametrize(
    "changed",
    [
        {"table": {"width": 72.25, "depth": 48}},
        {"table": {"width": 7, "depth": 48}},
        {"sides": [{"side": "Red", "force": "red.yaml"}]},
        {"terrain": [{"kind": "wods", "at": [1, 1], "radius": 2}]},
        {"terrain": [{"kind": "woods", "at": [1, 1]}]},
        {"terrain": [{"kind": "woods", "at": [1, 1], "radius": 2, "size": [1, 1]}]},
        {"zones": [{"zone": "A", "side": "Red", "path": [[0, 0], [1, 1]]}]},
        {"special": ["nihgt"]},
        {
            "sides": [
                {"side": "Red", "force": "r"},
                {"side": "Blue", "force": {"designs": [{"design": "A", "kind": "tnk"}]}},
            ]
        },
        {"turms": 3},
    ],
)
def test_it_refuses(changed: dict[str, Any]) -> None:
    assert not validator().is_valid(battle(**changed))


def test_the_scenario_in_the_documentation_keeps_it(tmp_path: Path) -> None:
    [text] = re.findall(r"```yaml\n(# my-battles/bridge\.yaml\n.*?)```", DOCS.read_text(encoding="utf-8"), re.DOTALL)
    path = tmp_path / "bridge.yaml"
    path.write_text(text, encoding="utf-8")
    document, problems = read_yaml(path, "bridge.yaml")
    assert not problems
    assert document is not None
    assert list(validator().iter_errors(plain(document.value))) == []


def plain(value: Any) -> Any:
    if isinstance(value, Fraction):
        return float(value)
    if isinstance(value, dict):
        return {key: plain(inner) for key, inner in value.items()}
    return [plain(inner) for inner in value] if isinstance(value, list) else value


def test_every_key_of_a_scenario_is_explained_in_the_documentation() -> None:
    made = schema(open_library(), "dirtside2")
    text = DOCS.read_text(encoding="utf-8")
    parts = [one for name, one in made["$defs"].items() if name != "Force"]
    keys = {key for one in (made, *parts) for key in one["properties"]}
    assert len(keys) > 40
    assert [key for key in sorted(keys) if not re.search(rf"`{key}\b", text)] == []
