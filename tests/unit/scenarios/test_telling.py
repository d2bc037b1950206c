"""The briefing of a side in a rolled scenario: secrets that its arms and its ground allow, and events by turn."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, cast

import pytest

from generator.commands.access import load_valid, open_library
from generator.commands.scenarios import load_scenario_file, set_up
from generator.documents.pack.battle import due_in
from generator.documents.pack.public import table_sheet
from generator.documents.pack.side_sheets import umpire_sheet
from generator.parsing.yaml12 import parse_yaml
from generator.render.blocks import Section, Sheet, Table
from generator.rules.describe.differences import fingerprint
from generator.rules.load.load import ALL
from generator.rules.source.library import SCENARIO
from generator.scenarios.generate.roll import ScenarioRequest
from generator.scenarios.generate.scenario import twisted
from generator.scenarios.generate.tables import ScenarioTables, fill
from tests.conftest import own_manifest, stage_of

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.slow

LIBRARY = open_library()
FOOT = """\
force: Foot
rules: [dirtside2]
designs: [{design: Rifles, kind: infantry-team, type: line}]
units: [{unit: First, of: [{design: Rifles, count: 4}]}, {unit: Second, of: [{design: Rifles, count: 4}]}]
"""


def read(text: str) -> Any:
    document, _ = parse_yaml(text, "battle.yaml")
    assert document is not None
    return document.value


@pytest.mark.parametrize(
    ("name", "printed"),
    [("Hallam Engineers", "have"), ("Grey Stair Marksmen", "have"), ("Cold Tap Squad", "has"), ("Iron Mass", "has")],
)
def test_a_verb_agrees_with_the_name_of_a_side(name: str, printed: str) -> None:
    tables = ScenarioTables(load_valid(LIBRARY, "dirtside2", only=[("kinds", ALL), (SCENARIO, ALL)]))
    row = tables.row("missions", "depot-raid")
    assert row is not None
    words = {"attacker": name, "defender": "Levy", "place": "Hill"}
    assert f"{name} {printed} found a way to it." in fill(row, "situation", words)


def test_no_secret_speaks_of_arms_or_ground_that_are_not_there() -> None:
    scenario_tables = ScenarioTables(load_valid(LIBRARY, "dirtside2", only=[("kinds", ALL), (SCENARIO, ALL)]))

    def told(arms: set[str], ground: set[str]) -> set[str]:
        both = {"attacker": arms, "defender": arms}
        return {str(row["twist"]) for seed in range(60) for row in twisted(scenario_tables, seed, both, ground)}

    everything = {str(row["twist"]) for row in scenario_tables.rows("twists")}
    assert told({"tanks", "infantry"}, {"woods", "village"}) == everything
    assert told({"infantry"}, {"village"}) == everything - {"low-fuel", "ranged-in", "wrong-map"}
    assert told({"artillery"}, {"hill"}) == everything - {"low-fuel", "wrong-map", "cellar"}


def test_a_secret_without_weight_is_never_rolled(monkeypatch: pytest.MonkeyPatch) -> None:
    """All other secrets have no weight: both sides get the same one."""
    tables = ScenarioTables(load_valid(LIBRARY, "dirtside2", only=[("kinds", ALL), (SCENARIO, ALL)]))
    every = tables.rows("twists")
    usual = next(row for row in every if row["twist"] == "first-blood")
    for row in every:
        monkeypatch.setitem(cast("dict[str, Any]", row.values), "weight", 1 if row is usual else 0)
    assert twisted(tables, 1, {"attacker": set(), "defender": set()}, set()) == (usual, usual)


def test_infantry_alone_hears_nothing_of_its_tanks(tmp_path: Path) -> None:
    path = tmp_path / "foot.yaml"
    path.write_text(FOOT, encoding="utf-8")
    stage = stage_of("dirtside2")
    for seed in range(8):
        text, _ = stage.roll(ScenarioRequest(seed, 200, mission="meeting-engagement", forces=[path, path]))
        assert not [one for side in read(text)["sides"] for one in side["secret"] if "tanks" in one], seed


def test_a_secret_with_a_turn_is_listed_beside_a_set_piece_of_this_turn(tmp_path: Path) -> None:
    path = tmp_path / "battle.yaml"
    path.write_text(stage_of("fma-skirmish").roll(ScenarioRequest(73))[0], encoding="utf-8")
    battle = load_scenario_file(LIBRARY, path)
    assert [piece.turn for piece in battle.set_pieces] == [4]
    told = [row[1].partition(": ")[2] for row in turns_of(umpire_sheet(battle, "")) if row[0] == "4"]
    (secret,) = (text for side in battle.sides for text in side.secret if "turn 4" in text)
    assert any(sentence and sentence in secret for sentence in told)


def test_who_comes_later_stands_in_the_umpires_turns_and_in_no_others(tmp_path: Path) -> None:
    stage, path = stage_of("dirtside2"), tmp_path / "battle.yaml"
    text, _ = stage.roll(ScenarioRequest(20, mission="air-defence-suppression"))
    path.write_text(text, encoding="utf-8")
    battle = load_scenario_file(LIBRARY, path)
    told = {side.name: " ".join(side.briefing) for side in battle.sides}
    [first, second] = told
    assert "Your aircraft may come on from turn 2." in told[first]  # it has VTOLs, the other has nothing that flies
    late = re.search(r"(\S+ \S+) (?:is|are) late\. Entry: turn 2", told[second])
    assert late is not None
    sheet = umpire_sheet(battle, "")
    fuel = "From turn 6 on, one unit of vehicles of your choice does not move in each turn."
    assert any(fuel in text for text in battle.sides[1].secret)
    aircraft, patrol = f"{first}: Aircraft may come on from now on.", f"{second}: Entry of {late[1]}."
    assert [row for row in turns_of(sheet) if "edge" not in row[1]] == [
        ["2", patrol], ["2", aircraft], ["6", f"{second}: {fuel}"],
        [str(battle.turns), "The battle ends after this turn."],
    ]  # fmt: skip
    spoken = battle._replace(situation=("Be quiet. In turns 4 and 5 nobody fires. From turn 2 on it rains.",))
    assert [row for row in turns_of(umpire_sheet(spoken, "")) if row not in turns_of(sheet)] == [
        ["4", "In turns 4 and 5 nobody fires."],
    ]  # fmt: skip
    assert {"To be placed", "To come"}.isdisjoint(one.title for one in sections_of(sheet))
    everybody = table_sheet(battle, battle.table, (), "")
    assert "In which turn" not in [one.title for one in sections_of(everybody)]
    [sides] = [one.blocks[0] for one in sections_of(everybody) if one.title == "Who fights"]
    assert isinstance(sides, Table)
    heads = ["Side", "Units", "Models", "Cost"]  # each force is called as its side
    assert [head.head for head in sides.columns] == heads


def test_what_public_texts_say_of_a_turn_stands_on_the_turn_track(tmp_path: Path) -> None:
    path = tmp_path / "battle.yaml"
    path.write_text(stage_of("dirtside2").roll(ScenarioRequest(20, mission="bridgehead"))[0], encoding="utf-8")
    battle = load_scenario_file(LIBRARY, path)._replace(turns=9, entries=(), special=(), victory=(), situation=())
    train = battle.set_pieces[0]
    battle = battle._replace(set_pieces=(train.model_copy(update={"note": "It waits. It moves after turn 2."}),))
    rule = load_scenario_file(LIBRARY, path).special[0]._replace(last_turns=0)
    award = load_scenario_file(LIBRARY, path).victory[0]
    said = battle._replace(
        situation=("It is cold. From turn 4 on each side may leave.",),
        special=(
            rule._replace(name="Quiet", says="In turn 1 nobody fires. In turn 1 nobody speaks."),
            rule._replace(name="Dawn", says="Sight is 12″ in turn 1 and grows; from turn 5 on it has no limit."),
        ),
        victory=(award.model_copy(update={"when": "Blue holds the ford at the end of turn 5."}),),
    )
    assert [due_in(said, turn) for turn in range(1, 7)] == [
        ["Quiet", "Dawn"], [train.name], [], ["From turn 4 on each side may leave"],
        ["Blue holds the ford at the end of turn 5", "Dawn"], [],
    ]  # fmt: skip
    hidden = said._replace(set_pieces=(said.set_pieces[0].model_copy(update={"secret": True}),))
    assert due_in(hidden, 2) == []
    by_hand = said._replace(rolls=())
    assert not any(due_in(by_hand, turn) for turn in range(1, 7))


def sections_of(sheet: Sheet) -> list[Section]:
    return [one for row in sheet.rows for column in row.columns for one in column]


def turns_of(sheet: Sheet) -> list[list[str]]:
    """Turn by turn what happens."""
    [table] = [one.blocks[0] for one in sections_of(sheet) if one.title == "In which turn"]
    assert isinstance(table, Table)
    return [[cell.text for cell in row] for row in table.rows]


def test_a_file_has_the_fingerprint_of_its_pack_and_one_of_its_samples(tmp_path: Path) -> None:
    (tmp_path / "mine" / "samples").mkdir(parents=True)
    (tmp_path / "mine" / "ruleset.yaml").write_text(own_manifest("stargrunt2"), encoding="utf-8")
    path, library = tmp_path / "battle.yaml", open_library(tmp_path)
    path.write_text(set_up(library, "mine").roll(ScenarioRequest(1))[0], encoding="utf-8")
    battle = load_scenario_file(library, path)
    data = fingerprint(battle.rules, scenario=True)
    before = battle.edition.partition(", samples ")
    assert before[0] == f"mine, edition 2001-12-31, data {data}"
    (tmp_path / "mine" / "samples" / "more.yaml").write_text("force: More\n", encoding="utf-8")
    after = set_up(library, "mine").mark.partition(", samples ")
    assert after[0] == before[0]
    assert after[2] != before[2] != ""


@pytest.mark.parametrize("seed", range(4))
def test_the_attacker_of_unaware_guards_acts_first(seed: int) -> None:
    said = set_up(open_library(), "fma-skirmish").roll(ScenarioRequest(seed, mission="break-in"))[0]
    attacker = said.partition("Attacker: ")[2].partition(".")[0]
    assert f"First to act in turn 1: {attacker}" in said
