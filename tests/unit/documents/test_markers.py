"""Markers to cut out: as many as the rules' table says, for whom it says, and each whole on its paper."""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import replace
from itertools import combinations
from typing import TYPE_CHECKING

import pytest

from generator.commands.access import open_library
from generator.commands.scenarios import load_scenario_file
from generator.documents.pack.markers import MARKERS, marker_sheet
from generator.problems import LayoutError
from generator.render.drawing import outlines
from generator.render.markers import KEY_LINE, Flag, key, short_names
from generator.render.page.html import render_html
from generator.render.page.pdf import render_pdf
from generator.rules.entries.kinds import kinds_of_designs, unit_fields
from generator.rules.load.load import ALL, load
from generator.rules.source.library import SCENARIO
from tests.conftest import own_manifest

if TYPE_CHECKING:
    from pathlib import Path

    from generator.render.blocks import Paper
    from generator.render.markers import MarkerSheets

pytestmark = pytest.mark.slow

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


def sheet_of(tmp_path: Path, special: str = "", text: str = BATTLE) -> MarkerSheets:
    path = tmp_path / "battle.yaml"
    path.write_text(text.replace("SPECIAL", special), encoding="utf-8")
    scenario = load_scenario_file(open_library(), path, [(SCENARIO, MARKERS)])
    return marker_sheet(scenario, "")


def test_each_unit_has_its_own_with_quality_and_leader_but_no_name(tmp_path: Path) -> None:
    told = [(one.side, one.name, one.word, one.rank, one.figure, one.colour, one.back)
            for one in sheet_of(tmp_path).counters if one.rank]  # fmt: skip
    assert told == [
        (0, "", "Veteran", 3, "1", "Orange", "Done"),
        (0, "", "Green", 1, "3", "Green", "Done"),
        (1, "", "Regular", 2, "2", "Blue", "Done"),
    ]


def test_there_are_as_many_as_are_fielded_and_no_more_than_the_most_of_a_side(tmp_path: Path) -> None:
    many = Counter(one.word for one in sheet_of(tmp_path).counters)
    # What the cards record has no markers.
    assert many["Steady"] == many["Immobile"] == many["Destroyed"] == 0
    assert many["Mines"] == many["Unit?"] == many["Dug in"] == 0
    assert many["Turn"] == 1


def rectangles_of(sheet: MarkerSheets, paper: Paper) -> list[list[tuple[float, ...]]]:
    """Of each page the corner and size of every piece that is cut out."""
    return [
        [(left, row.top, piece.width, piece.height) for row in page for left, piece in row.pieces]
        for page in sheet.pages(paper)
    ]


@pytest.mark.parametrize("paper", ["a4", "letter"])
@pytest.mark.parametrize("extra", range(9))
def test_no_row_is_ragged_but_filled_with_markers_to_write_on(tmp_path: Path, paper: Paper, extra: int) -> None:
    across = {"a4": 10, "letter": 11}[paper]
    sheet = sheet_of(tmp_path, text=BATTLE + f"markers: [{{marker: Blown, count: {extra + 1}}}]\n")
    [page] = rectangles_of(sheet, paper)
    rows = defaultdict[float, float](float)
    for _, y, width, height in page:
        rows[y] += width if height == 18 else 0
    assert {wide for wide in rows.values() if wide} <= {
        18 * across,
        36 * (across // 2),
    }  # folded ones are twice as wide


def test_a_battle_brings_its_own(tmp_path: Path) -> None:
    text = BATTLE + "markers: [{marker: The core}, {marker: Fuse, count: 2, back: Lit}]\n"
    shared = sheet_of(tmp_path, text=text)
    assert [(one.word, one.back, one.side) for one in shared.counters if one.word in ("The core", "Fuse")] == [
        ("Fuse", "Lit", None), ("Fuse", "Lit", None), ("The core", "", None),
    ]  # fmt: skip


def test_a_battle_leaves_out_one_of_its_rules_and_has_some_that_differ_beneath(tmp_path: Path) -> None:
    text = BATTLE + "markers: [{marker: Hidden, count: 0}, {marker: Bay, back: Core}, {marker: Bay, back: Empty}]\n"
    shared = sheet_of(tmp_path, text=text)
    assert not [one for one in shared.counters if one.word == "Hidden"]
    assert {one.back for one in shared.counters if one.word == "Bay"} == {"Core", "Empty"}
    twice = BATTLE + "markers: [{marker: Bay, back: Core}, {marker: bay, back: core}]\n"
    (tmp_path / "battle.yaml").write_text(twice, encoding="utf-8")
    assert "S204" in [one.code for one in load_scenario_file(open_library(), tmp_path / "battle.yaml").problems]


def test_it_is_told_what_chevrons_mean_and_what_some_are_for(tmp_path: Path) -> None:
    shared = sheet_of(tmp_path)
    assert shared.note.startswith("Chevrons: 1 green, 2 regular, 3 veteran. ")
    assert shared.note.count("Hidden: ") == 1
    assert " ".join(shared.note_lines("letter")) == shared.note
    # However long it is, nothing is printed over it.
    long = replace(shared, note=shared.note * 9)
    foot = 17.2 + KEY_LINE * (1 + len(long.note_lines("letter")))
    assert long.track("letter")[0].top > foot
    assert min(top for _, top, *_ in rectangles_of(long, "letter")[0]) > foot + long.track("letter")[0].height


def test_special_rules_bring_theirs(tmp_path: Path) -> None:
    counters = sheet_of(tmp_path, "dummy-counters").counters
    assert [(one.side, one.figure) for one in counters if one.word == "Unit?"] == [
        (0, "1"), (0, "2"), (0, "3"), (0, "4"), (1, "1"), (1, "2"),
    ]  # fmt: skip


def test_an_option_brings_its_own_when_it_is_on(tmp_path: Path) -> None:
    stats = "kind: character, str: 5, dex: 5, dia: 5, conc: 5, phys: 5, cool: 5"
    force = f"{{designs: [{{design: Nix, {stats}}}], units: [{{unit: U, of: [{{design: Nix}}]}}]}}"
    sides = "".join(f"  - {{side: {name}, force: {force}}}\n" for name in ("Red", "Blue"))
    text = f"scenario: S\nrules: [sla-3d]\ntable: {{width: 36, depth: 36}}\nturns: 8\nsides:\n{sides}"
    some = {"Under fire", "Jammed", "Empty"}
    off, on = ({one.word for one in sheet_of(tmp_path, text=text + said).counters} & some
               for said in ("", "options: {sla-3d: {under_fire: yes, jamming: yes}}\n"))  # fmt: skip
    assert (off, on) == ({"Empty"}, some)


def test_what_is_hidden_shows_neither_itself_nor_how_much_there_is(tmp_path: Path) -> None:
    one = "  - {piece: SECRET, side: Red, at: [22, 12], secret: yes}\n"
    for more, wanted in ((0, 6), (5, 6), (6, 12)):
        sheets = sheet_of(tmp_path, text=BATTLE + one * more)
        hidden = [n.figure for n in sheets.counters if n.word == "Hidden"]
        assert hidden == [str(n) for n in range(1, wanted + 1)]
        assert "SECRET" not in repr(sheets)
    assert "SECRET" not in repr(sheet_of(tmp_path, text=BATTLE.replace("secret: yes, ", "")).sides)


def test_only_what_is_in_play_has_markers(tmp_path: Path) -> None:
    field = "{design: Field, kind: minefield, type: pre-laid}"
    mined = BATTLE.replace("        - {design: Rifles,", f"        - {field}\n        - {{design: Rifles,")
    mined = mined.replace(
        "of: [{design: Rifles, count: 3}]", "of: [{design: Rifles, count: 3}, {design: Field, count: 2}]"
    )
    many = Counter(one.word for one in sheet_of(tmp_path, text=mined).counters)
    assert many["Mines"] == 2
    open_ = "".join(line for line in BATTLE.splitlines(keepends=True) if "piece: SECRET" not in line)
    at_edge = BATTLE.replace("at: [22, 12], secret", "at: [0, 12], secret")
    # Nobody learns from the markers whether anything is hidden.
    plain, hidden = ([one.word for one in sheet_of(tmp_path, text=text).counters] for text in (open_, at_edge))
    assert plain.count("Hidden") == hidden.count("Hidden") > 0


def test_the_track_says_who_comes_and_what_happens(tmp_path: Path) -> None:
    turns = sheet_of(tmp_path).turns
    assert [one.number for one in turns] == list(range(1, 10))
    assert {one.number: one.events for one in turns if one.events} == {
        3: ("Red enter at A",),
        5: ("Strike",),
        9: ("The battle ends after this turn",),
    }


def test_the_track_says_who_of_a_side_comes_and_on_what_condition(tmp_path: Path) -> None:
    text = BATTLE.replace("turn: 3}", "turn: 3, comes: the lancers, if: the bell has rung}")
    [turn] = [one for one in sheet_of(tmp_path, text=text).turns if one.number == 3]
    assert turn.events == ("Red enter at A: the lancers, if the bell has rung",)


def test_a_set_piece_has_a_marker_unless_it_is_secret_or_the_battle_brings_it(tmp_path: Path) -> None:
    more = "  - {piece: Mast, of: a lamp, at: [30, 12]}\n  - {piece: Cart, of: a load, at: [31, 12]}\n"
    sheets = sheet_of(tmp_path, text=BATTLE + more + "markers: [{marker: Cart}]\n")
    named = [(one.name, one.word) for one in sheets.counters if one.sign == "crate" or one.word == "Cart"]
    assert sorted(named) == [("", "Cart"), ("Mast", "Set piece"), ("Strike", "Set piece")]


def test_objectives_have_the_numbers_of_the_map(tmp_path: Path) -> None:
    pieces = [piece for sheet in [sheet_of(tmp_path)] for tray in sheet.trays for piece in tray.pieces]
    assert [piece for piece in pieces if isinstance(piece, Flag)] == [Flag("F1", "Mill"), Flag("F2", "Weir")]


def test_a_flag_has_its_name_unless_a_word_would_be_broken() -> None:
    names = "Mill", "Old  mill", "Farm · east", "Farm, p. 3", "Unpronounceableness", ""
    assert [bool(Flag("F1", name).lines()) for name in names] == [True] * 4 + [False] * 2


@pytest.mark.parametrize("paper", ["a4", "letter"])
def test_every_piece_has_its_size_inside_the_margins_and_no_other_lies_on_it(tmp_path: Path, paper: Paper) -> None:
    wide, high = {"a4": (210, 297), "letter": (215.9, 279.4)}[paper]
    for sheet in [sheet_of(tmp_path, "dummy-counters")]:
        pages = rectangles_of(sheet, paper)
        assert sum(map(len, pages)) >= sum(len(tray.pieces) for tray in sheet.trays)
        for page in pages:
            for x, y, width, height in page:
                assert (width, height) in {(24, 24), (48, 24), (18, 18), (36, 18), (34, 13), (14.6, 8)}
                assert 6.3 < x < x + width < wide - 6.3
                assert 6.35 < y < y + height < high - 20
            for one, other in combinations(page, 2):
                apart = [max(one[i], other[i]) - min(one[i] + one[i + 2], other[i] + other[i + 2]) for i in (0, 1)]
                assert max(apart) > -0.02


def test_they_are_printed(tmp_path: Path) -> None:
    rendered = render_pdf(sheet_of(tmp_path), paper="letter", ink="low")
    assert rendered.pages == 1


def test_a_long_name_of_a_side_is_initials_and_is_told_in_the_key(tmp_path: Path) -> None:
    long = "Blue of the very long name indeed"
    assert short_names([long]) == ["Botvlni"]
    assert key(long, "Botvlni", 60) == f"Botvlni: {long}"
    assert render_html(sheet_of(tmp_path), "a4", "colour").count(f">Botvlni: {long}<") == 1
    with pytest.raises(LayoutError, match="too long for the key"):
        key(long, "Botvlni", 20)


@pytest.mark.parametrize(
    "sides",
    [
        ("Grenzschutzregiment", "Grossherzogtum"),
        ("Grenzschutzregiment Nord", "Grenzschutzregiment Nordost"),
        ("Grenzschutzregiment", "Grenzschutzbataillon"),
        ("BCoLP", "Blue Company of Lannick Point"),
        ("Red", "Blue"),
    ],
)
def test_no_two_sides_have_the_same_name_on_their_markers(sides: tuple[str, str]) -> None:
    one, other = short_names(sides)
    assert one != other
    assert all(len(name) > 1 for name in (one, other))


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
    assert all(row["sheet"] for row in rows)
    for row in rows:
        assert (row["sign"] or "turn") in outlines("markers")
        assert {row["grade"], row["figure"], *(row["times"] or ())} - {None} <= fields
        for word in row["kinds"] or ():
            kind, _, asked = word.partition(".")
            field, _, value = asked.partition("=")
            choices = {one.name: one.choice for one in kinds[kind].fields}
            assert not asked or ((choice := choices[field]) is not None and value in choice.values)
        assert row["sign"] or row["numbered"] or row["grade"]
        if row["colour"]:
            table, _, column = row["colour"].partition(".")
            assert all(line[column] for line in rules.tables[table].rows)


def test_a_force_without_units_has_one_for_each_design(tmp_path: Path) -> None:
    sheets = sheet_of(tmp_path, text=BATTLE.replace(", units: [{unit: Third, of: [{design: Foot}]}]", ""))
    assert [one.word for one in sheets.counters if one.side == 1] == ["Command"]


def test_what_is_for_a_value_is_made_for_those_who_have_it(tmp_path: Path) -> None:
    """A battery with a shell of smoke has its markers; one with other shells has none."""
    shell = "{design: Rifles, kind: artillery-ammunition, round: ROUND, artillery: light, guns: 2, count: 2}"
    text = BATTLE.replace("{design: Rifles, kind: infantry-team, type: line}", shell)
    many = [
        Counter(one.word for one in sheet_of(tmp_path, text=text.replace("ROUND", shells)).counters)
        for shells in ("smoke", "HEF")
    ]
    # A round lies face down for each that is bought, and one lies for the smoke of each gun.
    assert [(found["Smoke"], found["HEF"], found["Target"]) for found in many] == [(6 + 12, 0, 3), (0, 6, 3)]


@pytest.mark.parametrize(
    ("kinds", "many"),
    [("vehicle", 1), ('"*"', 3), ('"*.size=3"', 1), ("vehicle.amphibious=yes", 1), ("vehicle.amphibious=no", 0)],
)
def test_a_row_is_for_a_kind_for_all_kinds_or_for_a_value(tmp_path: Path, kinds: str, many: int) -> None:
    """Of a vehicle and two teams. Yes and no are written as in forces."""
    folder = tmp_path / "mine" / "scenario"
    folder.mkdir(parents=True)
    (folder.parent / "ruleset.yaml").write_text(own_manifest("dirtside2"), encoding="utf-8")
    row = f"marker: mine, name: Mine, per: element, many: 1, kinds: [{kinds}], owned: no, numbered: no"
    change = f"{{add: 'tables.markers[mine]', with: {{{row}}}, reason: More, cite: {{own: markers}}}}"
    (folder / "changes.yaml").write_text(f"changes: [{change}]", encoding="utf-8")
    text = BATTLE.replace("superior}", "superior, amphibious: yes}").replace("[dirtside2]", "[mine]")
    path = tmp_path / "battle.yaml"
    path.write_text(text.replace("count: 9", "count: 1").replace("count: 3", "count: 1"), encoding="utf-8")
    scenario = load_scenario_file(open_library(tmp_path), path, [(SCENARIO, MARKERS)])
    assert [one.word for one in marker_sheet(scenario, "").counters].count("Mine") == many
