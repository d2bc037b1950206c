"""Where rolled scenarios put things: regions with the ground of a mission, tables refused, areas in percent."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest

from generator.commands.access import open_library
from generator.commands.scenarios import load_scenario_file, set_up
from generator.problems import ProblemsError
from generator.scenarios.chance import Chance
from generator.scenarios.generate.roll import ScenarioRequest
from generator.scenarios.generate.shapes import OrientedTable, spot_in
from generator.scenarios.table import Extent

pytestmark = pytest.mark.slow

HEAD = """\
ruleset: odd
title: Odd
short: Odd
edition: "2024"
authors: [Nobody]
rights: Free.
source: book
sources: {book: {title: Book, short: Book}}
extends: [dirtside2]
"""
RULESDATA = Path(__file__).parents[3] / "rulesdata" / "dirtside2"


def odd(folder: Path, changes: str = "") -> None:
    """A layer over the core rules with these changes to its tables for scenarios."""
    (folder / "odd" / "scenario").mkdir(parents=True)
    (folder / "odd" / "ruleset.yaml").write_text(HEAD, encoding="utf-8")
    if changes:
        text = "changes:\n" + changes
        (folder / "odd" / "scenario" / "changes.yaml").write_text(text, encoding="utf-8")


def change(address: str, was: str, to: str) -> str:
    return f'  - {{set: "tables.{address}", was: {was}, to: {to}, reason: To see., cite: p. 1}}\n'


def test_a_region_without_the_ground_of_a_mission_is_not_drawn(tmp_path: Path) -> None:
    odd(tmp_path, change("goals[hasty-attack, 1].on", "[village, hill]", "[lake]"))
    stage = set_up(open_library(tmp_path), "odd")
    for seed in range(6):
        text, _ = stage.roll(ScenarioRequest(seed, 900, mission="hasty-attack"))
        assert "result: Marshland" in text or "result: Lake country" in text, seed  # the two regions with lakes
    with pytest.raises(ProblemsError) as refused:
        stage.roll(ScenarioRequest(1, 900, mission="hasty-attack", region="hills"))
    assert [problem.code for problem in refused.value.problems] == ["S231"]


@pytest.mark.soak
def test_a_share_that_cannot_be_met_is_refused_with_the_reason(tmp_path: Path) -> None:
    odd(tmp_path, change("regions[farmland].share", '"20..28"', '"80..90"'))
    with pytest.raises(ProblemsError) as refused:
        set_up(open_library(tmp_path), "odd").roll(ScenarioRequest(5, 900, region="farmland"))
    problem = refused.value.problems[0]
    assert problem.code == "S231"
    assert "instead of 80 to 90 %" in problem.found


@pytest.mark.parametrize(
    ("facing", "area", "edge", "stretch"),
    [
        ("west", (0, 24, 24, 48), "south", (0, 24)),
        ("east", (72, 24, 96, 48), "south", (72, 96)),
        ("south", (48, 0, 96, 12), "west", (0, 12)),
        ("north", (48, 36, 96, 48), "west", (36, 48)),
    ],
)
def test_percentages_are_counted_from_the_attackers_edge(
    facing: str, area: tuple[int, ...], edge: str, stretch: tuple[int, int]
) -> None:
    frame = OrientedTable(Extent(96, 48), facing)
    assert tuple(frame.area((0, 25), (50, 100))) == area
    assert frame.edge("attacker") == facing
    assert (frame.edge("low"), frame.stretch("low", (0, 25))) == (edge, stretch)
    found = frame.area((0, 25), (50, 100))
    assert all(found.holds(spot_in(found, Chance(seed))) for seed in range(50))


def copied(folder: Path, name: str, old: str, new: str) -> None:
    """The core rules as a player's own, with a change in a table for scenarios."""
    shutil.copytree(RULESDATA, folder / "dirtside2")
    path = folder / "dirtside2" / "scenario" / name
    text = path.read_text(encoding="utf-8")
    assert text.count(old) == 1
    path.write_text(text.replace(old, new), encoding="utf-8")


def test_a_side_without_a_zone_or_an_entry_is_rolled_all_the_same(tmp_path: Path) -> None:
    zone = "{deployment: facing, zone: 1, who: %s"
    copied(tmp_path, "deployment-zones.yaml", zone % "attacker", zone % "defender")
    stage = set_up(open_library(tmp_path), "dirtside2")
    path = tmp_path / "battle.yaml"
    path.write_text(stage.roll(ScenarioRequest(1, 900, mission="meeting-engagement"))[0], encoding="utf-8")
    assert "S214" in [problem.code for problem in load_scenario_file(open_library(tmp_path), path).problems]


def test_roads_and_fords_without_a_number_are_laid_once(tmp_path: Path) -> None:
    shutil.copytree(RULESDATA, tmp_path / "dirtside2")
    path = tmp_path / "dirtside2" / "scenario" / "region-terrain.yaml"
    text, count = re.subn(r'(form: (?:road|ford), )pieces: "[\d.]+", ', r"\1", path.read_text(encoding="utf-8"))
    assert count > 1
    path.write_text(text, encoding="utf-8")
    rolled, _ = set_up(open_library(tmp_path), "dirtside2").roll(ScenarioRequest(1, 900, region="river-valley"))
    assert re.findall(r'result: "((?:Road|Ford): .*)"', rolled) == ["Road: 1", "Ford: 1"]


@pytest.mark.parametrize(
    ("name", "pattern", "new", "found"),
    [
        ("lights.yaml", r"(weight: |range: )\d+", r"\g<1>0", "none that fits"),
        ("deployment-zones.yaml", r"\battacker\b", "invader", "invader"),
        ("regions.yaml", r'share: "20\.\.28"', 'share: "-5..28"', "-5..28"),
        ("movers.yaml", r"\bkinds:", "bearers:", "no column kinds"),
    ],
)
def test_values_that_no_scenario_can_use_are_told(
    tmp_path: Path, name: str, pattern: str, new: str, found: str
) -> None:
    shutil.copytree(RULESDATA, tmp_path / "dirtside2")
    path = tmp_path / "dirtside2" / "scenario" / name
    path.write_text(re.sub(pattern, new, path.read_text(encoding="utf-8")), encoding="utf-8")
    with pytest.raises(ProblemsError) as refused:
        set_up(open_library(tmp_path), "dirtside2").roll(ScenarioRequest(1, 900))
    assert {one.code for one in refused.value.problems} == {"S218"}
    assert found in refused.value.problems[0].found


@pytest.mark.parametrize(
    ("name", "old", "new", "found"),
    [
        (
            "battle-sizes.yaml",
            "{type: int, label: Units at most, range: 1..60}",
            "{type: text, label: Units}",
            "units of",
        ),
        (
            "facings.yaml",
            "weight: {type: int, label: Weight, range: 1..100}",
            "share: {type: int, label: W}",
            "no column",
        ),
    ],
)
def test_tables_of_another_shape_are_told_and_nothing_is_rolled(
    tmp_path: Path, name: str, old: str, new: str, found: str
) -> None:
    copied(tmp_path, name, old, new)
    path = tmp_path / "dirtside2" / "scenario" / name
    text = path.read_text(encoding="utf-8")
    text = re.sub(r"weight: ([23]\})", r"share: \1", text)
    path.write_text(re.sub(r"units: (\d+)", r'units: "\1"', text), encoding="utf-8")
    with pytest.raises(ProblemsError) as refused:
        set_up(open_library(tmp_path), "dirtside2").roll(ScenarioRequest(1))[0]
    assert [one.code for one in refused.value.problems] == ["S218"]
    assert found in refused.value.problems[0].found
