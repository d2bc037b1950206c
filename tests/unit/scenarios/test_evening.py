"""Both sides at the ratio of the mission, where one of them has too few units for its part."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Any

import pytest

from generator.commands.access import open_library
from generator.commands.rulesets import check
from generator.commands.scenarios import load_scenario_file
from generator.parsing.yaml12 import parse_yaml
from generator.scenarios.generate.roll import ScenarioRequest
from tests.conftest import stage_of

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = [pytest.mark.slow, pytest.mark.soak]

LIBRARY = open_library()
ROLES = ("attacker", "defender")


def read(text: str) -> Any:
    document, _ = parse_yaml(text, "battle.yaml")
    assert document is not None
    return document.value


def ratio(ruleset: str, said: Any) -> Fraction:
    """What the attacker has for each of the defender's, by the mission that is played."""
    name = said["mission"].partition(":")[0]
    [row] = [one for one in stage_of(ruleset).rules.tables["missions"].rows if one["name"] == name]
    return Fraction(row["attacker"], row["defender"])


@pytest.mark.parametrize("seed", range(3, 6))
def test_more_points_than_the_samples_have_leave_the_ratio_as_it_is(seed: int, tmp_path: Path) -> None:
    stage, wanted = stage_of("dirtside2-iceburg"), ScenarioRequest(seed, points=20_000)
    text, worse = stage.roll(wanted)
    assert stage.roll(wanted) == (text, worse)
    path = tmp_path / "battle.yaml"
    path.write_text(text, encoding="utf-8")
    assert check((), [str(path)]) == ()
    sides = load_scenario_file(LIBRARY, path).sides
    allowed = [side.points or 0 for side in sides]
    totals = [side.force.total if side.force else 0 for side in sides]
    assert max(allowed) < 7000
    wished = ratio("dirtside2-iceburg", read(text))
    assert abs(Fraction(allowed[0], allowed[1]) / wished - 1) < Fraction(1, 100)
    assert abs(Fraction(totals[0]) / Fraction(totals[1]) / wished - 1) < Fraction(1, 20)
    assert sum("the ratio of the mission is kept" in one.found for one in worse) == 1
    assert sum("the ratio of the mission is kept" in one["result"] for one in read(text)["rolls"]) == 1


@pytest.mark.parametrize("seed", range(3))
def test_more_squads_than_the_samples_have_are_as_even_as_few(seed: int, tmp_path: Path) -> None:
    text, worse = stage_of("stargrunt2").roll(ScenarioRequest(seed, size=30))
    path = tmp_path / "battle.yaml"
    path.write_text(text, encoding="utf-8")
    sides = [side.force for side in load_scenario_file(LIBRARY, path).sides if side.force]
    assert 10 <= max(force.elements for force in sides) <= 12
    assert any("squads instead of 30" in one.found for one in worse)


FORCE = """\
force: {name}
rules: [dirtside2]
designs:
  - {{design: Lance, kind: vehicle, size: 3, armour: 3, plant: HMT, mobility: slow GEV, weapons: HKP/3}}
units: [{{unit: {name} Troop, of: [{{design: Lance, count: {count}}}]}}]
"""


def test_a_side_of_which_nothing_so_small_will_do_stays_as_it_is(tmp_path: Path) -> None:
    paths = [tmp_path / "few.yaml", tmp_path / "many.yaml"]
    for path, count in zip(paths, (2, 8), strict=True):
        path.write_text(FORCE.format(name=path.stem, count=count), encoding="utf-8")
    text, worse = stage_of("dirtside2").roll(ScenarioRequest(2, points=600, mission="meeting-engagement", forces=paths))
    few, many = read(text)["sides"]
    assert (few["points"], many["points"]) == (148, 592)
    assert [one["unit"] for one in many["force"]["units"]] == ["many Troop"]
    assert "148 points instead of 600 beside the 148 of few would keep the ratio of the mission" in worse[1].found


def test_sides_that_reach_their_part_have_what_was_asked_for() -> None:
    text, worse = stage_of("dirtside2").roll(ScenarioRequest(5, points=3000))
    assert worse == ()
    assert max(side["points"] for side in read(text)["sides"]) == 3000
