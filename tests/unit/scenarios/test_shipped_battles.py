"""The finished battles as they are shipped: lawful, secret where they are secret, to be built and copied by name."""

from __future__ import annotations

import re
from collections import Counter
from functools import cache
from typing import TYPE_CHECKING

import pytest
import yaml
from jsonschema import Draft202012Validator  # type: ignore[import-untyped] # ships no types

from generator.commands.access import is_players, open_library
from generator.commands.rulesets import check
from generator.commands.scenarios import load_scenario_file, new_battle, schema
from generator.documents.pack.battle import due_in
from generator.documents.pack.public import table_sheet
from generator.scenarios.files import battles_in_reach

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from generator.render.blocks import Sheet
    from generator.rules.source.library import Example
    from generator.scenarios.scenario import Scenario

pytestmark = pytest.mark.slow

LIBRARY = open_library()
BATTLES = list(battles_in_reach(LIBRARY).values())
of_each = pytest.mark.parametrize("one", BATTLES, ids=[one.name for one in BATTLES])


@cache
def scenario_of(one: Example) -> Scenario:
    return load_scenario_file(LIBRARY, one.path)


def map_of(one: Example) -> Sheet:
    scenario = scenario_of(one)
    return table_sheet(scenario, scenario.table, (), "")


def untold(scenario: Scenario) -> Iterator[str]:
    """What no map may say: sentences of briefings, secrets and the umpire's, and pieces that are secret."""
    texts = [text for side in scenario.sides for text in (*side.briefing, *side.secret)]
    for text in (*texts, *scenario.umpire):
        yield from re.split(r"(?<=[.?!])\s+", text)
    for piece in scenario.set_pieces:
        if piece.secret:
            yield from filter(None, (piece.name, piece.of, piece.note))


def test_there_are_six_and_every_game_has_one() -> None:
    counts = Counter(one.folder.ruleset for one in BATTLES)
    assert counts.pop("dirtside2-iceburg") == 2
    assert counts == dict.fromkeys(["dirtside2-fma", "fma-skirmish", "stargrunt2-quick", "sla-3d"], 1)


@pytest.mark.parametrize(("battle", "turn"), [("corrie-main", 7), ("three-bridges", 8)])
def test_a_rule_of_the_last_turns_stands_beside_the_first_of_them(battle: str, turn: int) -> None:
    scenario = scenario_of(battles_in_reach(LIBRARY)[battle])
    told = [number for number in range(1, 10) if "Sudden end from now on" in due_in(scenario, number)]
    assert (scenario.turns, told) == (turn + 1, [turn])


@of_each
def test_a_battle_is_lawful_without_so_much_as_advice(one: Example) -> None:
    assert scenario_of(one).problems == ()
    assert is_players(one.path)


@of_each
def test_a_battle_tells_each_side_and_the_umpire_what_is_theirs(one: Example) -> None:
    scenario = scenario_of(one)
    assert len(scenario.situation) > 1
    assert [side.name for side in scenario.sides if len(side.briefing) < 2 or len(side.secret) < 2] == []
    events = [one for one in scenario.set_pieces if one.secret and not one.side]
    assert scenario.umpire
    assert events
    assert scenario.turns
    assert len(scenario.special) > 2
    assert 15 <= len(scenario.terrain) <= 30


@of_each
def test_a_battle_is_fair_on_paper(one: Example) -> None:
    scenario = scenario_of(one)
    forces = [side.force for side in scenario.sides if side.force is not None]
    assert len(forces) == len(scenario.sides)
    for side, force in zip(scenario.sides, forces, strict=True):
        assert side.points is None or side.points * 97 / 100 <= force.total <= side.points
    spent = [force.total for side, force in zip(scenario.sides, forces, strict=True) if side.points is not None]
    assert not spent or 2 * max(spent) <= 3 * min(spent)
    for side in scenario.sides:
        deeds = [deed for deed in scenario.victory if deed.side in ("", side.name) and deed.points > 0]
        assert len([aim for aim in scenario.objectives if aim.points and side.name in aim.sides] + deeds) > 2


@of_each
def test_what_is_agreed_of_a_piece_of_terrain_stands_beside_the_map(one: Example) -> None:
    sheet = repr(map_of(one))
    assert [piece.note for piece in scenario_of(one).terrain if piece.note not in sheet] == []


@of_each
def test_the_map_that_everybody_sees_holds_no_secret(one: Example) -> None:
    sheet = repr(map_of(one))
    public = {rule.name for rule in scenario_of(one).special}
    assert [said for said in untold(scenario_of(one)) if said in sheet and said not in public] == []
    assert scenario_of(one).objectives[0].name in sheet


@of_each
def test_a_battle_says_who_deploys_and_who_acts_first(one: Example) -> None:
    assert scenario_of(one).first


@of_each
def test_a_copy_of_a_battle_is_lawful_and_keeps_its_schema(one: Example, tmp_path: Path) -> None:
    copy, schema_file = new_battle(LIBRARY, one.name, tmp_path / "mine")
    text = copy.read_text(encoding="utf-8")
    assert text == f"# yaml-language-server: $schema={schema_file.name}\n{one.path.read_text(encoding='utf-8')}"
    Draft202012Validator(schema(LIBRARY, one.folder.ruleset)).validate(yaml.safe_load(text))


def test_a_battle_is_checked_by_its_name() -> None:
    assert check((), ["cantle-row"]) == ()
    assert [one.code for one in check((), ["cantle-rown"])] == ["R301"]
