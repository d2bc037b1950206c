"""A scenario as its file and its rules make it."""

from __future__ import annotations

from pathlib import Path

import pytest

from generator.errors import ProblemsError
from generator.pipeline.checks import check, is_scenario
from generator.pipeline.scenarios import staged
from generator.rules.library import open_library
from generator.scenarios.outlines import HALF

TIN = Path(__file__).parents[2] / "cases" / "rules"
FORCE = "{designs: [{design: Wagon, kind: tank, wall: WALL}], units: [{unit: First, of: [{design: Wagon}]}]}"
BATTLE = """\
scenario: Hill
rules: [tin]
mission: Take it
situation: [One., Two.]
table: {width: 24.5, depth: 24}
turns: 6
sides:
  - {side: Red, points: 100, briefing: Go., secret: [They sleep.], force: RED}
  - {side: Blue, force: BLUE}
terrain:
  - {piece: Grove, kind: deep wood, corners: [[10, 0], [14, 0], [14, 24], [10, 24]]}
zones:
  - {zone: West, side: Red, at: [0, 0], size: [4, 24]}
entries:
  - {entry: Gate, side: Blue, edge: east, from: 2, to: 8.5, turn: 2}
objectives:
  - {objective: Well, at: [20, 20], radius: 1, points: 5}
special: [NIGHT, {rule: Mud, says: Slow.}]
set_pieces:
  - {piece: Mines, of: a few tacks, side: Blue, at: [12, 12], secret: yes}
rolls: [{table: weather, roll: 3, result: fine}]
"""


def battle(folder: Path, old: str = "", new: str = "", *, red: int = 1, blue: int = 1) -> Path:
    text = BATTLE.replace("RED", FORCE.replace("WALL", str(red))).replace("BLUE", FORCE.replace("WALL", str(blue)))
    assert not old or text.count(old) == 1
    path = folder / "battle.yaml"
    path.write_text(text.replace(old, new) if old else text, encoding="utf-8")
    return path


def codes(path: Path) -> list[str]:
    return [one.code for one in check((TIN,), [str(path)])]


def test_everything_of_a_file_is_in_the_scenario(tmp_path: Path) -> None:
    found = staged(open_library(TIN), battle(tmp_path))
    assert (found.name, found.mission, found.situation, found.turns) == ("Hill", "Take it", ("One.", "Two."), 6)
    assert found.table == (49, 48)
    red, blue = found.sides
    assert (red.name, red.points, red.briefing, red.secret) == ("Red", 100, ("Go.",), ("They sleep.",))
    assert red.force is not None
    assert red.force.name == "Red"
    assert [one.id for one in red.movers] == ["heavy"]
    assert blue.points is None
    [grove] = found.terrain
    assert (grove.terrain.id, grove.terrain.sight, grove.terrain.stops) == ("wood", "blocked", ("heavy",))
    assert grove.shape.outline.box == (20 * HALF, 0, 28 * HALF, 48 * HALF)
    [gate] = found.entries
    assert (gate.side, gate.edge, gate.start, gate.end, gate.turn) == ("Blue", "east", 4, 17, 2)
    [well] = found.objectives
    assert (well.at, well.radius, well.sides) == ((40, 40), 2, ("Red", "Blue"))
    assert [(one.id, one.name, one.procedure) for one in found.special] == [
        ("night", "Night", "shoot"),
        ("", "Mud", ""),
    ]
    [mines] = found.set_pieces
    assert (mines.of, mines.side, mines.secret, mines.at) == ("a few tacks", "Blue", True, (24, 24))
    assert [tuple(one) for one in found.rolls] == [("weather", "3", "fine")]
    assert [one.code for one in found.problems] == ["S210"]


def test_who_is_not_stopped_gets_there(tmp_path: Path) -> None:
    assert codes(battle(tmp_path, red=0)) == []


def test_a_wood_with_a_gap_lets_pass_and_one_of_a_hair_does_not(tmp_path: Path) -> None:
    assert codes(battle(tmp_path, "[14, 24], [10, 24]", "[14, 23.5], [10, 23.5]")) == []
    assert codes(battle(tmp_path, "[14, 24], [10, 24]", "[14, 24], [10, 23]")) == ["S210"]


def test_what_can_be_used_is_checked_beside_what_cannot(tmp_path: Path) -> None:
    path = battle(tmp_path, "table: {width: 24.5, depth: 24}", "table: {width: 24.5}")
    assert codes(path) == ["R201"]
    path = battle(tmp_path, "turns: 6", "turns: [6]\nzones2: []")
    assert codes(path) == ["R203", "R202", "S210"]


def test_rules_that_nobody_has_stop_it(tmp_path: Path) -> None:
    with pytest.raises(ProblemsError, match="R301"):
        staged(open_library(TIN), battle(tmp_path, "[tin]", "[tinn]"))


def test_forces_in_files_are_read_from_the_folder_below(tmp_path: Path) -> None:
    (tmp_path / "forces").mkdir()
    (tmp_path / "forces" / "red.yaml").write_text(
        "force: Reds\nrules: [tin]\nbudget: 1\ndesigns: [{design: W, kind: tank, wall: 0}]\nunits: []\n",
        encoding="utf-8",
    )
    path = battle(
        tmp_path, f"Go., secret: [They sleep.], force: {FORCE.replace('WALL', '1')}", "Go., force: forces/red.yaml"
    )
    found = staged(open_library(TIN), path)
    assert found.sides[0].force is not None
    assert found.sides[0].force.name == "Reds"
    missing = battle(
        tmp_path, f"Go., secret: [They sleep.], force: {FORCE.replace('WALL', '1')}", "Go., force: red.yaml"
    )
    [problem] = check((TIN,), [str(missing)])
    assert (problem.code, problem.span.line, problem.field) == ("F101", 8, "sides[0].force")


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("scenario: A\n", True),
        ("# A battle\nrules: [tin]\nsides: []\n", True),
        ('{"scenario": "A", "rules": ["tin"]}', True),
        ("force: A\nnote: |\n  scenario: no\n", False),
        ("designs: []\n", False),
    ],
)
def test_a_scenario_is_known_by_its_keys(tmp_path: Path, text: str, meant: bool) -> None:  # noqa: FBT001
    path = tmp_path / "file.yaml"
    path.write_text(text, encoding="utf-8")
    assert is_scenario(path) == meant
