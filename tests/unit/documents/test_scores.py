"""The score table: a place for each side that may have the points, and nothing secret."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

from generator.commands.access import open_library
from generator.commands.scenarios import load_scenario_file
from generator.documents.pack.public import score
from generator.render.blocks import Cell, Table

if TYPE_CHECKING:
    from pathlib import Path

    from generator.scenarios.scenario import Scenario

pytestmark = pytest.mark.slow

BATTLE = """\
scenario: The mill
rules: [dirtside2]
table: {width: 48, depth: 36}
turns: 9
sides:
  - side: Red
    briefing: BRIEFING
    secret: SECRET
    force:
      designs:
        - {design: Sabre, kind: vehicle, size: 3, armour: 3, plant: HMT, mobility: fast tracked, weapons: HKP/3, fire_control: superior}
        - {design: Rifles, kind: infantry-team, type: line}
      units:
        - {unit: First, quality: veteran, leadership: 1, of: [{design: Sabre, count: 2}]}
        - {unit: Second, quality: green, of: [{design: Rifles, count: 7}]}
  - {side: Blue, force: {designs: [{design: Foot, kind: infantry-team, type: line}], units: [{unit: Third, of: [{design: Foot}]}]}}
entries:
  - {entry: Late ones, side: Red, edge: west, turn: 3}
objectives:
  - {objective: Mill, at: [20, 20], points: 10}
  - {objective: Weir, at: [24, 9], points: 5, sides: Blue, once: yes}
victory:
  - {side: Blue, points: 3, when: Nobody is hurt.}
  - {side: Blue, points: 2, when: The mill stands at the end., once: yes}
set_pieces:
  - {piece: SECRET, side: Red, at: [22, 12], secret: yes, turn: 2}
"""  # noqa: E501


def battle(tmp_path: Path, text: str = BATTLE) -> Scenario:
    path = tmp_path / "battle.yaml"
    path.write_text(text, encoding="utf-8")
    return load_scenario_file(open_library(), path)


def rows_of(scenario: Scenario) -> list[tuple[Cell, ...]]:
    section = score(scenario)
    assert section is not None
    [table] = section.blocks
    assert isinstance(table, Table)
    return list(table.rows)


def test_each_side_has_a_place_for_what_it_may_score(tmp_path: Path) -> None:
    rows = rows_of(battle(tmp_path))
    assert [[cell.text for cell in row[:3]] for row in rows] == [
        ["F1", "Mill, touch it", "10"],
        ["F2", "Weir, touch it. Won once, by the first side alone within the distance.", "5"],
        ["", "Nobody is hurt.", "3"],
        ["", "The mill stands at the end.", "2"],
        ["", "", ""],
        ["", "Total", ""],
    ]
    assert [[cell.blank for cell in row[3:]] for row in rows] == [
        [True, True],
        *[[False, True]] * 3,
        [True, True],
        [True, True],
    ]
    assert "SECRET" not in repr(rows)


def test_objectives_without_points_are_listed_without_places(tmp_path: Path) -> None:
    text = re.sub("points: [0-9]+, |, points: 10", "", BATTLE.partition("victory:")[0])
    rows = rows_of(battle(tmp_path, text=text))
    assert [len(row) for row in rows] == [3, 3]
