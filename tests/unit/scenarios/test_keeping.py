"""Parts of a scenario that are kept while the rest is rolled."""

from __future__ import annotations

import re
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from generator.commands.access import open_library
from generator.commands.rulesets import check
from generator.parsing.yaml12 import parse_yaml, to_yaml
from generator.problems import ProblemsError, has_errors
from generator.scenarios.files import battles_in_reach
from generator.scenarios.generate.roll import ScenarioRequest
from generator.scenarios.generate.scenario import in_a_line
from tests.conftest import stage_of

pytestmark = pytest.mark.slow

LIBRARY = open_library()
POINTS = 1400
"""Fewer than are usual: the table is smaller."""


def read(text: str) -> Any:
    document, _ = parse_yaml(text, "battle.yaml")
    assert document is not None
    return document.value


@pytest.fixture(scope="module")
def first(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("battles") / "first.yaml"
    path.write_text(stage_of("dirtside2").roll(ScenarioRequest(5, POINTS))[0], encoding="utf-8")
    return path


def again(first: Path, parts: str, seed: int = 6, **wanted: Any) -> Any:
    points = None if "forces" in parts else POINTS
    text = stage_of("dirtside2").roll(ScenarioRequest(seed, points, pin=(parts, first), **wanted))[0]
    path = first.with_name(f"{parts}-{seed}.yaml")
    path.write_text(text, encoding="utf-8")
    assert not has_errors(check((), [str(path)]))
    return read(text)


def forces(said: Any) -> Any:
    return [(side["side"], side["points"], side["force"]) for side in said["sides"]]


def test_a_map_that_is_kept_is_the_same_and_the_rest_is_not(first: Path) -> None:
    old, new = read(first.read_text(encoding="utf-8")), again(first, "map")
    assert (new["table"], new["terrain"]) == (old["table"], old["terrain"])
    assert forces(new) != forces(old)


def test_forces_that_are_kept_are_the_same(first: Path) -> None:
    old, new = read(first.read_text(encoding="utf-8")), again(first, "forces", mission="rearguard")
    assert forces(new) == forces(old)
    assert new["terrain"] != old["terrain"]
    assert new["table"] == old["table"] == {"width": 60, "depth": 48}
    assert new["mission"].startswith("Rearguard")


def edgeless(text: str) -> str:
    """A text without the edge that it names: the deployment is rolled again, and with it the edges of the sides."""
    return re.sub(r"the (north|east|south|west) edge", "the edge", text)


def test_a_mission_that_is_kept_has_its_turns_and_its_points(first: Path) -> None:
    old, new = read(first.read_text(encoding="utf-8")), again(first, "mission", 9)
    for key in ("mission", "turns"):
        assert new[key] == old[key]
    assert [(one["points"], edgeless(one["when"])) for one in new["victory"]] == [
        (one["points"], edgeless(one["when"])) for one in old["victory"]
    ]
    assert {"table": "missions", "roll": "kept", "result": old["mission"].partition(":")[0]} in new["rolls"]


def test_everything_kept_leaves_little_to_roll(first: Path) -> None:
    old, new = read(first.read_text(encoding="utf-8")), again(first, "mission,map,forces,deployment", 77)
    for key in ("mission", "table", "terrain", "zones"):
        assert new.get(key) == old.get(key)
    assert forces(new) == forces(old)
    assert new["seed"] == 77


def test_a_finished_battle_is_kept_by_its_name() -> None:
    battle = battles_in_reach(LIBRARY)["three-bridges"].path
    by_name, by_path = (
        stage_of("dirtside2-iceburg").roll(ScenarioRequest(4, POINTS, pin=("map", one)))[0]
        for one in (Path("three-bridges"), battle)
    )
    assert by_name == by_path
    assert "The Ansel" in by_name


def test_terrain_that_was_changed_by_hand_is_kept_as_it_is(first: Path) -> None:
    text = first.read_text(encoding="utf-8")
    head, _, rest = text.partition("terrain:\n")
    changed = first.with_name("changed.yaml")
    lake = "  - {piece: New pond, kind: lake, at: [3, 3.5], radius: 1.5, note: Dug this week.}\n"
    ground = "  - {kind: hill, at: [30, 24], radius: 5}\n  - {kind: village, at: [40, 24], size: [5, 5]}\n"
    tail = rest[rest.index("\nzones:") + 1 :] if "\nzones:" in rest else rest[rest.index("\nentries:") + 1 :]
    changed.write_text(f"{head}terrain:\n{lake}{ground}{tail}", encoding="utf-8")
    pond, *_ = again(changed, "map", mission="meeting-engagement")["terrain"]
    assert pond == {"piece": "New pond", "kind": "lake", "at": [3, 7 / 2], "radius": 3 / 2, "note": "Dug this week."}


def test_a_scenario_of_other_rules_keeps_nothing(first: Path) -> None:
    with pytest.raises(ProblemsError) as refused:
        stage_of("dirtside2-iceburg").roll(ScenarioRequest(6, pin=("map", first)))[0]
    assert [one.code for one in refused.value.problems] == ["S223"]


def test_a_scenario_written_by_hand_says_no_deployment(first: Path) -> None:
    plain = first.with_name("plain.yaml")
    plain.write_text(first.read_text(encoding="utf-8").partition("seed: ")[0], encoding="utf-8")
    again(plain, "map,forces,mission")
    with pytest.raises(ProblemsError) as refused:
        stage_of("dirtside2").roll(ScenarioRequest(6, pin=("deployment", plain)))[0]
    [problem] = refused.value.problems
    assert (problem.code, problem.found) == ("S223", "no roll for its deployment")
    assert problem.expected == "a scenario that was rolled"
    assert problem.hint == "mission and deployment can be kept of a rolled scenario only, forces and map of any"


def test_yes_is_not_written_as_the_number_1() -> None:
    assert in_a_line([Fraction(1), True, Fraction(0), False]) == "[1.0, true, 0.0, false]"


@pytest.mark.parametrize("where", ["file", "battle"])
def test_what_is_kept_of_files_is_copied_so_that_it_works_in_another_folder(
    first: Path, tmp_path: Path, where: str
) -> None:
    old = read(first.read_text(encoding="utf-8"))
    force = old["sides"][0]["force"]
    shared = tmp_path / "shared"
    shared.mkdir()
    (shared / "library.yaml").write_text(to_yaml({"rules": old["rules"], "designs": force["designs"]}), "utf-8")
    said = {"rules": ["dirtside2"], "libraries": ["shared/library.yaml"], "units": force["units"]}
    (tmp_path / "reds.yaml").write_text(to_yaml({"force": "Reds", **said}), "utf-8")
    battle = {**old, "sides": [{**old["sides"][0], "force": "reds.yaml" if where == "file" else said}, old["sides"][1]]}
    (tmp_path / "battle.yaml").write_text(to_yaml(battle), "utf-8")
    text = stage_of("dirtside2").roll(ScenarioRequest(6, pin=("forces", tmp_path / "battle.yaml")))[0]
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "elsewhere" / "battle.yaml").write_text(text, "utf-8")
    assert not has_errors(check((), [str(tmp_path / "elsewhere" / "battle.yaml")]))
    kept = read(text)["sides"][0]["force"]
    assert (kept["designs"], kept["units"]) == (force["designs"], force["units"])
