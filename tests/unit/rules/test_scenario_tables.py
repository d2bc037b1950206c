"""Tables that scenarios alone lean on: read where they are asked for, changed by layers, and true to their sources."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from generator.commands.access import open_library
from generator.rules.describe.differences import fingerprint
from generator.rules.load.load import ALL, load
from generator.rules.source.library import SCENARIO

if TYPE_CHECKING:
    from generator.problems import Problem
    from generator.rules.ruleset import RuleSet
    from tests.conftest import Bench

WEATHER = """\
table: weather
title: Weather
cite: p. 9
key: [weather]
columns: {weather: {type: word, label: Weather}, gun: {type: word, label: Gun, from: guns}}
rows: [{weather: rain, gun: pop}]
"""
ASKED = [(SCENARIO, ALL)]


def shipped(name: str) -> RuleSet:
    problems: list[Problem] = []
    rules = load(open_library(), name, problems, ASKED)
    assert problems == []
    assert rules is not None
    return rules


def test_nobody_reads_them_who_does_not_ask(bench: Bench) -> None:
    bench.write("tin/scenario/weather.yaml", "no table: [")
    assert "weather" not in bench.rules().tables
    assert "weather" not in bench.rules(only=[("tables", ALL)]).tables
    assert bench.load("tin", ASKED)[1] != []


def test_they_are_tables_like_others(bench: Bench) -> None:
    bench.write("tin/scenario/weather.yaml", WEATHER)
    tables = bench.rules(only=ASKED).tables
    assert set(tables) == {"weather", "guns", "movers", "terrain", "special-rules", "walls", "effects"}
    assert tables["weather"].find(("rain",))["gun"] == "pop"
    assert "weather" not in bench.rules(only=[("tables", ALL)]).tables


def test_layers_change_them_in_a_file_of_their_own(bench: Bench) -> None:
    bench.write("tin/scenario/weather.yaml", WEATHER)
    text = (
        "changes:\n  - {add: 'tables.weather[snow]', with: {weather: snow, gun: cannon}, reason: It snows, cite: p. 1}"
    )
    bench.write("steel/scenario/changes.yaml", text)
    assert [row["weather"] for row in bench.rules("steel", ASKED).tables["weather"].rows] == ["rain", "snow"]
    assert bench.load("steel")[1] == []


def test_one_id_has_one_table(bench: Bench) -> None:
    bench.write("tin/scenario/guns.yaml", WEATHER.replace("table: weather", "table: guns"))
    assert [one.code for one in bench.load("tin", ASKED)[1]] == ["R304"]


def test_only_what_scenarios_print_leans_on_them(bench: Bench) -> None:
    before = fingerprint(bench.rules()), fingerprint(bench.rules(), scenario=True)
    bench.write("tin/scenario/weather.yaml", WEATHER)
    after = fingerprint(bench.rules()), fingerprint(bench.rules(), scenario=True)
    assert before[0] == after[0]
    assert before[1] != after[1]


def test_terrain_stops_whom_the_going_chart_stops() -> None:
    rules = shipped("dirtside2")
    going = {row["terrain"]: row for row in rules.tables["going"].rows}
    movers = rules.tables["movers"].names()
    for row in rules.tables["terrain"].rows:
        if row["terrain"] != "ford":  # the note of the chart: low wheeled cross there
            assert set(row["stops"] or ()) == {one for one in movers if going[row["going"]][one] == "X"}, row["terrain"]


@pytest.mark.parametrize("name", ["dirtside2-iceburg"])
def test_every_kind_that_moves_over_the_ground_has_its_way(name: str) -> None:
    rules = shipped(name)
    whole = load(open_library(), name, [])
    assert whole is not None
    listed = {kind for row in rules.tables["movers"].rows for kind in row["kinds"]}
    assert listed <= set(whole.kinds)
    mobility = {row["mobility"]: row["medium"] for row in whole.tables["mobility-types"].rows}
    values = {value for row in rules.tables["movers"].rows for value in row["values"] or ()}
    assert values == {one for one, medium in mobility.items() if medium == "land"}


@pytest.mark.parametrize("name", open_library().ids())
def test_the_odds_of_a_special_rule_are_there(name: str) -> None:
    rules, whole = shipped(name), load(open_library(), name, [])
    assert whole is not None
    listed = [row["procedure"] for row in rules.tables["special-rules"].rows] if "special-rules" in rules.tables else []
    assert [one for one in listed if one and one not in whole.procedures] == []


@pytest.mark.parametrize("name", open_library().ids())
def test_every_rule_set_has_terrain_that_a_map_can_draw_and_special_rules(name: str) -> None:
    tables = shipped(name).tables
    assert {"terrain", "movers", "special-rules"} <= set(tables)
    assert len(tables["special-rules"].rows) >= 8
    stopping = [row["terrain"] for row in tables["terrain"].rows if row["stops"]]
    freeing = {one for row in tables["terrain"].rows for one in row["frees"] or ()}
    assert stopping
    assert freeing & set(stopping)
