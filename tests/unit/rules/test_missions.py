"""Mission files: their rows, in which order, whose they are, and where their problems are."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from generator.rules.source.library import SCENARIO
from generator.scenarios.scenario import table_columns

if TYPE_CHECKING:
    from generator.rules.ruleset import RuleSet
    from tests.conftest import Bench

HEADS = {
    "missions": "key: [mission]\ncolumns: {mission: {type: word, label: M}, "
    + ", ".join(
        f"{name}: {{type: {column['type']}, label: L}}"
        for name, column in table_columns()["columns"]["missions"].items()
        if name[-1] != "?" and name != "mission"
    )
    + "}\n",
    "goals": "key: [mission, goal]\ncolumns: {mission: {type: word, label: M, from: missions}, "
    "goal: {type: int, label: G}, points: {type: int, label: P, range: 0..9}}\n",
}
MISSION = """\
weight: 1
attacker: 1
defender: 1
turns: 6
mobile: yes
deployments: []
attack_needs: []
defence_needs: []
special: []
title: T
says: S
situation: S
attack: A
defence: D
"""
ALL_OF_THEM = [(SCENARIO, name) for name in HEADS]


@pytest.fixture
def ground(bench: Bench) -> Bench:
    """Rules with tables of missions and goals without rows, and a layer on top of them."""
    for name, columns in HEADS.items():
        bench.write(f"tin/scenario/{name}.yaml", f"table: {name}\ntitle: T\ncite: p. 1\n{columns}rows: []\n")
    change = '{set: "tables.goals[march, 2].points", was: 2, to: 3, reason: more, cite: p. 1}'
    bench.write("steel/scenario/changes.yaml", f"changes: [{change}]\n")
    bench.write("tin/missions/ambush.yaml", "mission: ambush\nname: Ambush\ngoals: [{points: 1}]\n" + MISSION)
    bench.write(
        "tin/missions/march.yaml",
        "mission: march\norder: 1\nname: March\ngoals: [{points: 1}, {points: 2}]\n" + MISSION,
    )
    bench.write(
        "steel/missions/alarm.yaml", "mission: alarm\nname: Alarm\ncite: p. 7\ngoals: [{points: 4}]\n" + MISSION
    )
    return bench


def cells(rules: RuleSet, table: str) -> list[tuple[object, ...]]:
    """The values of the rows of a table."""
    return [tuple(row.values.values())[:3] for row in rules.tables[table].rows]


def test_missions_of_parents_come_first_each_in_order(ground: Bench) -> None:
    rules = ground.rules("steel", ALL_OF_THEM)
    assert [row["name"] for row in rules.tables["missions"].rows] == ["March", "Ambush", "Alarm"]
    assert cells(rules, "goals") == [("march", 1, 1), ("march", 2, 3), ("ambush", 1, 1), ("alarm", 1, 4)]
    assert cells(ground.rules("tin", ALL_OF_THEM), "goals")[:2] == [("march", 1, 1), ("march", 2, 2)]


def test_a_certificate_of_a_mission_holds_for_all_its_rows(ground: Bench) -> None:
    rules = ground.rules("steel", ALL_OF_THEM)
    cited = {row["mission"]: str(row.provenance.cite) for row in rules.tables["goals"].rows if not row.changes}
    assert "p. 7" in cited["alarm"]
    assert "p. 1" in cited["ambush"]


@pytest.mark.parametrize(
    ("text", "code", "line", "found"),
    [
        ("mission: ambush\nname: A\ngoals:\n  - {points: 12}\n", "R206", 4, "12"),
        ("mission: ambush\nname: A\ngoals:\n  - {point: 1, points: 1}\n", "R205", 4, "the column point"),
        ("mission: ambush\nnames: A\nname: B\n", "R202", 2, "the key names"),
        ("mission: ambush\nname: A\ngoals: 3\n", "R203", 3, "3"),
        ("mission: ambus\nname: A\n", "R303", 1, "mission: ambus"),
    ],
)
def test_a_problem_of_a_mission_is_in_its_file(ground: Bench, text: str, code: str, line: int, found: str) -> None:
    ground.write("tin/missions/ambush.yaml", text + MISSION)
    _, problems = ground.load("tin", ALL_OF_THEM)
    (problem,) = problems
    assert problem.span.file.endswith("tin/missions/ambush.yaml")
    assert (problem.code, problem.span.line, problem.found) == (code, line, found)
