"""A scenario as its file and its rules make it."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml

from generator.commands.access import is_scenario, open_library
from generator.commands.rulesets import check
from generator.commands.scenarios import load_scenario_file
from generator.problems import ProblemsError, has_errors
from generator.scenarios.table import HALF

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


MENDED = [
    ("mision:", "mission:"),
    ("light: 7", 'light: "7"'),
    ("points: 100", "points: 900"),
    ("briefng", "briefing"),
    ("HTM", "HMT"),
    ("design: Sabr}", "design: Sabre}"),
    ("800 points", "800"),
    ("dence-woods", "dense-woods"),
    ("turned: 20", "turned: 45"),
    ("[[50],", "[[50, 4],"),
    ("36.25", "36.5"),
    ("[70, 44]", "[69, 44]"),
    ("moon dust", "rough"),
    (", depth: 2", ""),
    ("at: 20,", "at: [20, 30],"),
    ("size: [6, 6], radius: 3}", "radius: 3}"),
    ("kind: wood, at: [18, 42]", "kind: woods, at: [24, 42]"),
    ("side: Bleu, at: [5, 0]", "side: Blue, at: [62, 0]"),
    ("noth", "north"),
    ("to: 96", "to: 72"),
    ("turn: 0", "turn: 1"),
    ("from: 36, to: 20", "from: 20, to: 36"),
    ("[Blue, Green]", "[Blue, Red]"),
    ("at: [14, 10], points: 5", "at: [14, 10], radius: 6, points: 5"),
    ("The mere, at: [80, 10]", "The hill, at: [60, 10]"),
    ("whn", "when"),
    ("dug-inn", "dug-in"),
    ("{rule: Wires}", "{rule: Wires, says: The bridge falls on 8 or more of D10.}"),
    ("turn: 9", "turn: 8"),
    ("secret: maybe", "secret: yes"),
    ("of: mines, at", "of: mines, side: Red, at"),
    ("{text: The second wire is a dummy.}", "The second wire is a dummy."),
]


def battle(folder: Path, old: str = "", new: str = "", *, red: int = 1, blue: int = 1) -> Path:
    text = BATTLE.replace("RED", FORCE.replace("WALL", str(red))).replace("BLUE", FORCE.replace("WALL", str(blue)))
    assert not old or text.count(old) == 1
    path = folder / "battle.yaml"
    path.write_text(text.replace(old, new) if old else text, encoding="utf-8")
    return path


def codes(path: Path) -> list[str]:
    return [one.code for one in check((TIN,), [str(path)])]


def test_everything_of_a_file_is_in_the_scenario(tmp_path: Path) -> None:
    found = load_scenario_file(open_library(TIN), battle(tmp_path))
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
    assert grove.outline.box == (20 * HALF, 0, 28 * HALF, 48 * HALF)
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
    assert [(one.table, one.roll, one.result) for one in found.rolls] == [("weather", 3, "fine")]
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


def test_the_remedies_of_many_mistakes_hold(tmp_path: Path) -> None:
    case = yaml.safe_load((TIN.parent / "problems" / "R202-thirty-mistakes-in-a-scenario.yaml").read_text("utf-8"))
    text = case["files"]["battle.yaml"]
    for wrong, right in MENDED:
        assert text.count(wrong) == 1, wrong
        text = text.replace(wrong, right)
    path = tmp_path / "battle.yaml"
    path.write_text(text, encoding="utf-8")
    assert not has_errors(check((), [str(path)]))


def test_a_set_piece_with_a_problem_is_on_no_map(tmp_path: Path) -> None:
    for said in ("secret: maybe", "hidden: yes", "secret: yes, turn: 0", "secrt: yes"):
        found = load_scenario_file(open_library(TIN), battle(tmp_path, "secret: yes", said))
        assert found.set_pieces == ()
        assert found.problems[-1].code in ("R202", "R203")


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ("objectives:", "objectivs:", ["R202"]),
        ("zones:", "zons:", ["R202"]),
        ("side: Red, at", "side: Rde, at", ["S205"]),
        ("side: Red, at: [0, 0]", "side: Red, at: [0]", ["R203"]),
        ("at: [20, 20]", "at: [20]", ["R203"]),
        ("radius: 1, points: 5", "radius: -1, points: none", ["R203", "R203"]),
        ("kind: deep wood, corners", "kind: deep wod, corners", ["S201"]),
        ("kind: deep wood, corners", "kind: desert, corners", ["S201"]),
        ("edge: east", "edge: eest", ["R203"]),
        ("side: Red, at: [0, 0]", "side: Red, place: [0, 0]", ["R202"]),
        ("edge: east", "edge: middle", ["R203"]),
        ("zones:", "  - {kind: track, path: [[8, 12], [16, 12]]}\nzones:", []),
        ("zones:", "  - {kind: track, path: [[8], [16, 12]]}\nzones:", ["R203"]),
        ("zones:", "  - {kind: ropeway, path: [[8, 12], [16, 12]]}\nzones:", ["S201"]),
        ("special: [NIGHT", "special: [NIHGT", ["S210", "S212"]),
        ("  - {objective: Well, at: [20, 20], radius: 1, points: 5}", "  - Well", ["R203"]),
        ("  - {zone: West, side: Red, at: [0, 0], size: [4, 24]}", "  - West", ["R203"]),
        ("  - {side: Blue, ", "  - {sid: Blue, ", ["R202"]),
        ("  - {side: Blue, ", "  - {name: Blue, ", ["R201", "R202"]),
    ],
)
def test_nothing_follows_from_what_cannot_be_used(tmp_path: Path, old: str, new: str, told: list[str]) -> None:
    """The well lies behind a wood that stops all of Red: checked only where every zone, entry and wood can be used."""
    assert codes(battle(tmp_path, old, new)) == told


def test_rules_that_nobody_has_stop_it(tmp_path: Path) -> None:
    with pytest.raises(ProblemsError, match="R301"):
        load_scenario_file(open_library(TIN), battle(tmp_path, "[tin]", "[pewter]"))


def test_forces_in_files_are_read_from_the_folder_below(tmp_path: Path) -> None:
    (tmp_path / "forces").mkdir()
    (tmp_path / "forces" / "red.yaml").write_text(
        "force: Reds\nrules: [tin]\nbudget: 1\ndesigns: [{design: W, kind: tank, wall: 0}]\nunits: []\n",
        encoding="utf-8",
    )
    path = battle(
        tmp_path, f"Go., secret: [They sleep.], force: {FORCE.replace('WALL', '1')}", "Go., force: forces/red.yaml"
    )
    found = load_scenario_file(open_library(TIN), path)
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
