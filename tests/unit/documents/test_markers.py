"""Markers to cut out: as many as the rules' table says, for whom it says, and each whole on its paper."""

from __future__ import annotations

import re
from collections import Counter
from itertools import combinations
from typing import TYPE_CHECKING

import pytest

from generator.documents.leaves import marker_sheet
from generator.documents.markers import MARKERS
from generator.documents.records import RECORDS
from generator.pipeline.scenarios import staged
from generator.render.counters import SIGNS, draw_counters, short_name
from generator.render.packing import SIZE
from generator.render.pdf import render_pdf
from generator.rules.kinds import kinds_of_designs, unit_fields
from generator.rules.library import SCENARIO, open_library
from generator.rules.loading import ALL, load

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from generator.render.blocks import Paper
    from generator.render.counters import Counter as Marker
    from generator.render.counters import Counters

BATTLE = """\
scenario: The mill
rules: [dirtside2]
table: {width: 48, depth: 36}
turns: 9
sides:
  - side: Red
    secret: SECRET
    force:
      designs:
        - {design: Sabre, kind: vehicle, size: 3, armour: 3, plant: HMT, mobility: fast tracked, weapons: HKP/3, fire_control: superior}
        - {design: Rifles, kind: infantry-team, type: line}
      units:
        - {unit: First, quality: veteran, leadership: 1, of: [{design: Sabre, count: 9}]}
        - {unit: Second, quality: green, leadership: 3, of: [{design: Rifles, count: 3}]}
  - {side: Blue of the very long name indeed, force: {designs: [{design: Foot, kind: infantry-team, type: line}], units: [{unit: Third, of: [{design: Foot}]}]}}
entries:
  - {entry: Late ones, side: Red, edge: west, turn: 3}
objectives:
  - {objective: Mill, at: [20, 20]}
  - {objective: Weir, at: [24, 9]}
special: [SPECIAL]
set_pieces:
  - {piece: Strike, of: a strike, side: Red, at: [12, 30], turn: 5}
  - {piece: SECRET, side: Red, at: [22, 12], secret: yes, turn: 2}
"""  # noqa: E501


def sheets_of(tmp_path: Path, special: str = "", text: str = BATTLE) -> list[Counters]:
    """Of each side, then of all."""
    path = tmp_path / "battle.yaml"
    path.write_text(text.replace("SPECIAL", special), encoding="utf-8")
    scenario = staged(open_library(), path, [(SCENARIO, MARKERS)])
    sheets = [marker_sheet(scenario, "", side) for side in (0, 1, None)]
    return [one for one in sheets if one is not None]


def counters_of(sheets: Sequence[Counters]) -> list[Marker]:
    return [one for sheet in sheets for one in sheet.counters]


def test_each_unit_has_its_own_with_name_quality_and_leader(tmp_path: Path) -> None:
    told = [(one.side, one.name, one.word, one.rank, one.figure, one.colour, one.back)
            for one in counters_of(sheets_of(tmp_path)) if one.name]  # fmt: skip
    assert told == [
        (0, "First", "Veteran", 3, "1", "orange", "Done"),
        (0, "Second", "Green", 1, "3", "green", "Done"),
        (1, "Third", "Regular", 2, "2", "blue", "Done"),
    ]


def test_there_are_as_many_as_are_fielded_and_no_more_than_the_most_of_a_side(tmp_path: Path) -> None:
    many = Counter(one.word for one in counters_of(sheets_of(tmp_path)))
    assert many["Steady"] == 3
    assert many["Immobile"] == many["Systems down"] == 4
    assert many["Mines"] == many["Unit or dummy"] == many["Dug in"] == 0
    assert many["Turn"] == 1


@pytest.mark.parametrize("paper", ["a4", "letter"])
def test_every_sheet_is_filled_with_more_of_what_is_used_up_most(tmp_path: Path, paper: Paper) -> None:
    places = {"a4": 7 * 10, "letter": 8 * 9}[paper]  # of 25 mm, and less by rows for the track of turns
    more = Counter({"Under fire": 3, "Damaged": 6, "Destroyed": 8})
    found = Counter[str]()
    for sheet, full in zip(sheets_of(tmp_path), (places, places, places - 16), strict=True):
        assert len(draw_counters(sheet, paper, "mono")) == 1
        assert sum(2 if one.back else 1 for one in sheet.counters) > full * 4 / 5
        found += Counter(one.word for one in sheet.counters if one.word in more)
    assert all(found[word] > many for word, many in more.items())
    vehicles = {"Damaged", "Destroyed"}
    assert vehicles.isdisjoint(one.word for one in sheets_of(tmp_path)[1].counters)  # its side has none


def test_what_has_no_room_with_its_side_is_on_the_sheets_of_all(tmp_path: Path) -> None:
    names = "".join(f", {{unit: U{number}, of: [{{design: Rifles}}]}}" for number in range(24))
    other = "count: 3}]}\n"
    assert BATTLE.count(other) == 1
    text = BATTLE.replace(other, other + names.replace(", {", "        - {").replace("]}", "]}\n"))
    own, _, shared = sheets_of(tmp_path, text=text)
    many = [Counter(one.word for one in sheet.counters) for sheet in (own, shared)]
    assert len([one for one in own.counters if one.name]) == 26
    # Folded ones lie three in a row of A4, ten rows on a sheet: four more have room beside the names of 26 units.
    assert [(one["Steady"], one["Broken"]) for one in many] == [(4, 0), (4, 4)]


def test_special_rules_bring_theirs(tmp_path: Path) -> None:
    counters = counters_of(sheets_of(tmp_path, "dummy-counters"))
    assert [(one.side, one.figure) for one in counters if one.word == "Unit or dummy"] == [
        (0, "1"), (0, "2"), (0, "3"), (0, "4"), (1, "1"), (1, "2"),
    ]  # fmt: skip


def test_an_option_brings_its_own_when_it_is_on(tmp_path: Path) -> None:
    stats = "kind: character, str: 5, dex: 5, dia: 5, conc: 5, phys: 5, cool: 5"
    force = f"{{designs: [{{design: Nix, {stats}}}], units: [{{unit: U, of: [{{design: Nix}}]}}]}}"
    sides = "".join(f"  - {{side: {name}, force: {force}}}\n" for name in ("Red", "Blue"))
    text = f"scenario: S\nrules: [sla-3d]\ntable: {{width: 36, depth: 36}}\nturns: 8\nsides:\n{sides}"
    some = {"Under fire", "Jammed", "Wound"}
    off, on = ({one.word for one in counters_of(sheets_of(tmp_path, text=text + said))} & some
               for said in ("", "options: {sla-3d: {under_fire: yes, jamming: yes}}\n"))  # fmt: skip
    assert (off, on) == ({"Wound"}, some)


def test_what_is_hidden_shows_neither_itself_nor_how_much_there_is(tmp_path: Path) -> None:
    one = "  - {piece: SECRET, side: Red, at: [22, 12], secret: yes}\n"
    for more, wanted in ((0, 6), (5, 6), (6, 12)):
        sheets = sheets_of(tmp_path, text=BATTLE + one * more)
        hidden = [n.figure for n in sheets[-1].counters if n.word == "Hidden"]
        assert hidden == [str(n) for n in range(1, wanted + 1)]
        assert "SECRET" not in repr(sheets)
    assert "SECRET" not in repr(sheets_of(tmp_path, text=BATTLE.replace("secret: yes, ", ""))[-1].sides)


def test_the_track_says_who_comes_and_what_happens(tmp_path: Path) -> None:
    *own, shared = sheets_of(tmp_path)
    assert [one.turns for one in own] == [(), ()]
    turns = shared.turns
    assert [one.number for one in turns] == list(range(1, 10))
    assert {one.number: one.events for one in turns if one.events} == {
        3: ("Red enter at A, west edge 0–36″",),
        5: ("Strike",),
    }


def test_objectives_have_the_numbers_of_the_map(tmp_path: Path) -> None:
    counters = counters_of(sheets_of(tmp_path))
    assert [(one.figure, one.word) for one in counters if one.round] == [("1", "Mill"), ("2", "Weir")]


@pytest.mark.parametrize("paper", ["a4", "letter"])
def test_every_marker_is_a_square_of_25_mm_that_no_other_lies_on(tmp_path: Path, paper: Paper) -> None:
    [sheet, *_] = sheets_of(tmp_path, "dummy-counters")
    wide, high = {"a4": (210, 297), "letter": (215.9, 279.4)}[paper]
    total = 0
    for page in draw_counters(sheet, paper, "mono"):
        corners = [
            (float(x), float(y))
            for x, y, right, same in re.findall(r'd="M([\d.]+) ([\d.]+)L([\d.]+) ([\d.]+) M', "".join(page.lines))
            if float(right) - float(x) == pytest.approx(SIZE, abs=0.011) and y == same
        ]
        total += len(corners)
        for x, y in corners:
            assert x >= 6.35
            assert x + 25 <= wide - 6.35
            assert y >= 6.35
            assert y + 25 <= high - 6.35 - 10
        for one, other in combinations(corners, 2):
            assert abs(one[0] - other[0]) > 24.9 or abs(one[1] - other[1]) > 24.9
    assert total == sum(2 if one.back else 1 for one in sheet.counters)


def test_they_are_printed(tmp_path: Path) -> None:
    rendered = render_pdf(sheets_of(tmp_path)[-1], paper="letter", ink="low")
    assert rendered.pages == 1
    assert rendered.fill[0] > 2 / 3


def test_a_long_name_of_a_side_is_initials_and_is_told_in_the_key(tmp_path: Path) -> None:
    long = "Blue of the very long name indeed"
    assert short_name(long) == "Botvlni"
    [page] = draw_counters(sheets_of(tmp_path)[1], "a4", "colour")
    assert [text.said for text in page.texts if long in text.said] == [f"Botvlni: {long}"]


@pytest.mark.parametrize("name", open_library().ids())
def test_what_a_rule_set_says_of_markers_and_records_is_there(name: str) -> None:
    rules = load(open_library(), name, [], [(SCENARIO, ALL), ("kinds", ALL), ("cards", ALL), ("tables", ALL)])
    assert rules is not None
    kinds = kinds_of_designs(rules.kinds)
    fields = {one.name for one in unit_fields(rules.kinds)} | {
        one.name for kind in kinds.values() for one in kind.fields
    }
    rows = rules.tables[MARKERS].rows
    assert {"objective", "hidden", "turn"} <= {row["marker"] for row in rows}
    assert len([row for row in rows if row["spare"]]) == 3
    for row in rows:
        assert (row["sign"] or "turn") in SIGNS
        assert {row["grade"], row["figure"]} - {None} <= fields
        for word in row["kinds"] or ():
            kind, _, asked = word.partition(".")
            field, _, value = asked.partition("=")
            choices = {one.name: one.choice for one in kinds[kind].fields}
            assert not asked or ((choice := choices[field]) is not None and value in choice.values)
        assert row["sign"] or row["numbered"] or row["named"]
        if row["spare"]:
            assert row["per"] in ("unit", "element")
            assert not any(row[one] for one in ("owned", "named", "numbered"))
        if row["colour"]:
            table, _, column = row["colour"].partition(".")
            assert all(line[column] for line in rules.tables[table].rows)
    for row in rules.tables[RECORDS].rows if RECORDS in rules.tables else ():
        assert set(row["kinds"] or ()) <= set(kinds)


def test_a_force_without_units_has_one_for_each_design(tmp_path: Path) -> None:
    sheets = sheets_of(tmp_path, text=BATTLE.replace(", units: [{unit: Third, of: [{design: Foot}]}]", ""))
    assert [(one.name, one.word) for one in counters_of(sheets) if one.name and one.side] == [("Foot", "Command")]


def test_what_is_for_a_value_is_made_for_those_who_have_it(tmp_path: Path) -> None:
    """A battery with a shell of smoke has its markers; one with other shells has none."""
    shell = "{design: Rifles, kind: artillery-ammunition, round: ROUND, artillery: light}"
    text = BATTLE.replace("{design: Rifles, kind: infantry-team, type: line}", shell)
    many = [
        Counter(one.word for one in counters_of(sheets_of(tmp_path, text=text.replace("ROUND", shells))))
        for shells in ("smoke", "HEF")
    ]
    assert [(found["Smoke"], found["Target"]) for found in many] == [(3, 3), (0, 3)]
