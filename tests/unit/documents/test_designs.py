"""Sheets about a design: what they say for characters worked out by hand, and for designs of any kind."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from generator.commands.access import open_library
from generator.commands.forces import load_force_file
from generator.commands.printer import Output
from generator.commands.printing import build
from generator.documents.force.designs import sheets_of_designs
from generator.render.blocks import Cell, Group, Hexes, Strip, Table
from generator.render.page.html import render_html
from generator.render.page.pdf import render_pdf

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from generator.render.blocks import Block, Sheet
    from tests.conftest import Bench

pytestmark = pytest.mark.slow

SHIV = """\
force: Rich
rules: [sla-3d]
designs:
  - design: Shiv
    note: Quick D6 **hands**.
    kind: character
    str: 8
    dex: 11
    dia: 9
    conc: 7
    phys: 10
    cool: 12
    incap: 28
    body: head 5; torso 14; left-leg 11
    skills: marksman 6; martial-arts 5; blade-1h 7
    advantages: rapid-fire
    guns: mal-anvil 6
    stock_guns: fen-603 4
    melee: mac-knife 7; power-claymore 4
    armour: exo-base
units:
  - {unit: Point, of: [{design: Shiv}]}
"""
LINE = "____"
SPACE = "\N{NO-BREAK SPACE}"


def sheets(folder: Path, text: str = SHIV, *only: str) -> list[Sheet]:
    path = folder / "force.yaml"
    path.write_text(text, encoding="utf-8")
    force = load_force_file(open_library(), path, ("sheets",))
    return [sheet for _, sheet in sheets_of_designs(force, "abcd 1234", only)]


def blocks(sheet: Sheet) -> Iterator[Block]:
    waiting = [block for row in sheet.rows for column in row.columns for part in column for block in part.blocks]
    while waiting:
        block = waiting.pop(0)
        if isinstance(block, Group):
            waiting = [*block.blocks, *waiting]
        yield block


def told(cell: Cell) -> str:
    if cell.blank:
        return cell.text + LINE
    return cell.text or "#" * cell.boxes


def table(sheet: Sheet, head: str, *more: str) -> dict[str, list[str]]:
    """The table with this head, by the heads of its rows."""
    (found,) = (
        one
        for one in blocks(sheet)
        if isinstance(one, Table) and one.columns[0].head == head and {*more} <= {column.head for column in one.columns}
    )
    return {told(row[0]): [told(cell) for cell in row[1:]] for row in found.rows}


def strips(sheet: Sheet) -> dict[str, str]:
    return {figure.label: figure.text for one in blocks(sheet) if isinstance(one, Strip) for figure in one.figures}


# Worked by hand: STR 8, DEX 11, DIA 9, CONC 7, PHYS 10, COOL 12


def test_stats_and_what_follows_from_them(tmp_path: Path) -> None:
    (shiv,) = sheets(tmp_path)
    assert strips(shiv) == {
        "STR": "8", "DEX": "11", "DIA": "9", "CONC": "7", "PHYS": "10", "COOL": "12",
        "Actions": "3",  # 31 / 10
        "Free parries": "1",  # half of 3
        "INI": "21",  # 42 / 2
        "INI, martial arts": "26",  # and rank 5
        "Martial bonus": "2",  # 5 / 2
        "Wound above": "10", "Knock\N{SOFT HYPHEN}back above": "10", "Down above": "20",
        "Strength bonus": "2",  # 8 / 3
    }  # fmt: skip


def test_skills_have_their_numbers_and_rows_to_write_in(tmp_path: Path) -> None:
    (shiv,) = sheets(tmp_path)
    skills = table(shiv, "Skill")
    assert skills.pop(LINE) == [LINE, LINE]
    assert skills == {"Marksman": ["6", "7+"], "Martial Arts": ["5", "8+"], "Blade, 1h": ["7", "6+"]}  # 13 - rank


def test_every_location_has_its_hits_and_its_armour(tmp_path: Path) -> None:
    (shiv,) = sheets(tmp_path)
    unsaid = "#" * 15  # to cross off from
    assert table(shiv, "Location") == {  # Exo Base: PV 7, ID 10, 20, 15, 17
        "Head 1–7": ["7", "10", LINE, "#" * 5],
        "Torso 8–23": ["7", "20", LINE, "#" * 14],
        "Abdomen 24–34": ["7", "20", LINE, unsaid],
        "Right arm 35–42": ["7", "15", LINE, unsaid],
        "Left arm 43–50": ["7", "15", LINE, unsaid],
        "Right leg 51–62": ["7", "17", LINE, unsaid],
        "Left leg 63–74": ["7", "17", LINE, "#" * 11],
    }


def armour(folder: Path, said: str) -> dict[str, list[str]]:
    text = SHIV.replace("armour: exo-base", said)
    return {where.split()[0]: cells[:2] for where, cells in table(sheets(folder, text)[0], "Location").items()}


def test_armour_that_leaves_a_location_bare_says_so_and_none_is_a_line(tmp_path: Path) -> None:
    flak = armour(tmp_path, "armour: padquil-flak")  # the torso alone: PV 3, ID 8
    assert (flak["Head"], flak["Torso"], flak["Abdomen"]) == (["–", "–"], ["3", "8"], ["3", "8"])
    assert armour(tmp_path, "armour: none")["Head"] == [LINE, LINE]
    bare = armour(tmp_path, "unarmoured: yes")
    assert all(cells == ["–", "–"] for cells in bare.values())


def test_deathsuits_layers_and_skin_protect_as_the_rules_have_it(tmp_path: Path) -> None:
    suit = armour(tmp_path, "deathsuit: medium")  # PV 7, its ID is in no list
    assert suit["Head"] == ["7", LINE]
    both = armour(tmp_path, "deathsuit: medium\n    armour: padquil-flak")
    assert (both["Torso"], both["Head"]) == (["8", LINE], ["7", LINE])  # the better one + 1; bare of flak
    skin = armour(tmp_path, "xeno: yes")  # PV 7, ID three times the hits
    assert (skin["Head"], skin["Torso"], skin["Abdomen"]) == (["7", "15"], ["7", "42"], ["7", LINE])


def tracks(sheet: Sheet) -> dict[str, str]:
    (found,) = (one for one in blocks(sheet) if isinstance(one, Table) and told(one.rows[-1][0]) == "Wounds")
    return {told(row[0]): told(row[1]) for row in found.rows}


def test_incap_is_one_track_of_boxes_with_ten_beyond(tmp_path: Path) -> None:
    (shiv,) = sheets(tmp_path)
    assert tracks(shiv) == {"Incap": "#" * 28, "Beyond": "#" * 10, "Wounds": "#" * 7}
    (unsaid,) = sheets(tmp_path, SHIV.replace("incap: 28", "incap: 0"))
    assert tracks(unsaid) == {"1–20": "#" * 20, "21–40": "#" * 20, "Beyond": "#" * 10, "Wounds": "#" * 7}


def test_the_body_is_drawn_with_all_its_hexes(tmp_path: Path) -> None:
    (shiv,) = sheets(tmp_path)
    (body,) = (one for one in blocks(shiv) if isinstance(one, Hexes))
    assert [one.text for one in body.hexes] == [str(number) for number in range(1, 75)]


def test_a_gun_of_the_chart_hits_and_spreads_by_range(tmp_path: Path) -> None:
    (shiv,) = sheets(tmp_path)
    assert table(shiv, "MAL Anvil") == {  # rank 6: 13 - 6; RCL 5 and 0, 3, 6, 9; Rapid Fire: 2, 6, 12, 18
        "To hit, aimed": ["7+"] * 4,
        "To hit, no aim (snap)": ["7+"] * 4,
        "Up to": [LINE] * 4,
        "Spread, aimed": ["5", "8", "11", "14"],
        "Spread, firing stance": ["4", "7", "10", "13"],
        "Spread, stance and rest": ["3", "6", "9", "12"],
        "Spread, no aim": ["7", "11", "17", "23"],
    }
    guns = table(shiv, "Gun", "RCL")
    assert guns["MAL Anvil"] == ["6", "5", "–", "Semi-automatic", "3", *[LINE] * 4]  # STR 8 - RCL 5
    slow = sheets(tmp_path, SHIV.replace("    advantages: rapid-fire\n", "    advantages: []\n"))[0]
    wild = table(slow, "MAL Anvil")
    assert wild["To hit, no aim (wild)"] == ["10+"] * 4  # 3 harder
    assert wild["Spread, no aim"] == ["8", "12", "20", "27"]  # 3, 7, 15, 22
    weak = sheets(tmp_path, SHIV.replace("str: 8", "str: 3"))[0]
    assert table(weak, "Gun", "RCL")["MAL Anvil"][1:5] == ["5", "−2", "Semi-automatic", "1"]  # RCL 2 above STR


def test_what_players_answer_fills_the_gaps(tmp_path: Path) -> None:
    answers = "answers: {sla-3d: {'tables.firearms[mal-anvil].rng': 20, 'tables.action-phases[3].phases': '1, 2, 3'}}\n"
    (shiv,) = sheets(tmp_path, SHIV + answers)
    assert table(shiv, "MAL Anvil")["Up to"] == ["20 m", "40 m", "80 m", "160 m"]  # 1, 2, 4, 8 times
    assert any(
        isinstance(one, Table)
        and [told(cell) for cell in one.rows[0]] == ["Phases to act in (from your copy)", "1, 2, 3"]
        for one in blocks(shiv)
    )


def test_a_stock_gun_has_its_number_and_boxes_for_its_clip(tmp_path: Path) -> None:
    (shiv,) = sheets(tmp_path)
    assert table(shiv, "Gun", "Recoil") == {"FEN 603": ["4", "12 m", "3", "3", "#" * 20]}
    assert table(shiv, "From your copy") == {"FEN 603": [LINE] * 7}
    bands = [str(number) for number in (1, 2, 4, 8)]
    beside = table(shiv, "FEN 603")  # beside one of the chart
    assert (beside["To hit, aimed"], beside["Up to RNG ×"]) == (["9+"] * 4, bands)
    (alone,) = sheets(tmp_path, SHIV.replace("    guns: mal-anvil 6\n", ""))
    assert table(alone, "Gun", "Extreme") == {
        "Up to RNG ×": ["–", "–", *bands],
        "FEN 603": ["9+", "9+", *[LINE] * 4],  # 13 - 4, and Rapid Fire: its range is of another edition, and no RNG
        LINE: [LINE] * 6,
        "Added to RCL, aimed": ["–", "–", "0", "3", "6", "9"],
        "Added to RCL, no aim": ["–", "–", "2", "6", "12", "18"],
    }
    (loud,) = sheets(tmp_path, SHIV.replace("fen-603", "bla-646m"))
    assert table(loud, "Gun", "Recoil")["BLA 646M"][-1] == f"180, left:{LINE}"


def test_blows_add_the_strength_and_martial_arts(tmp_path: Path) -> None:
    (shiv,) = sheets(tmp_path)
    assert table(shiv, "Weapon") == {
        "MAC knife": ["7", "6+", "4", "6", "1", "1", "wounds", LINE],  # 4 + 2
        "Power claymore": ["4", "9+", "6", "8", "4", "3", "wounds", LINE],  # 6 + 2
        "Fists, Martial Arts": ["5", "8+", "0", "4", LINE, LINE, "as you choose", LINE],  # 2 + 5 / 3, counted up
    }
    (club,) = sheets(tmp_path, SHIV.replace("mac-knife 7; power-claymore 4", "club 1"))
    assert table(club, "Weapon")["Club"] == ["1", "12+", "2", "4", "−1", "0", "bruising", LINE]


def test_who_fights_without_guns_has_no_tables_of_guns_and_an_empty_sheet_has(tmp_path: Path) -> None:
    bare = SHIV.replace("    guns: mal-anvil 6\n", "").replace("    stock_guns: fen-603 4\n", "")
    heads = [one.columns[0].head for one in blocks(sheets(tmp_path, bare)[0]) if isinstance(one, Table)]
    assert "Weapon" in heads
    assert "Gun" not in heads
    stats = "kind: character, str: 5, dex: 5, dia: 5, conc: 5, phys: 5, cool: 5"
    (empty,) = sheets(tmp_path, f"force: F\nrules: [sla-3d]\ndesigns:\n  - {{design: Nix, {stats}}}\n")
    assert table(empty, "Gun", "Extreme")[LINE] == [LINE] * 6


def test_an_option_brings_its_situations(tmp_path: Path) -> None:
    assert "Under fire (option)" not in table(sheets(tmp_path)[0], "Situation")
    (shot_at,) = sheets(tmp_path, SHIV + "options: {sla-3d: {under_fire: yes}}\n")
    assert table(shot_at, "Situation")["Under fire (option)"] == ["−5"]


def test_eight_rounds_have_a_box_for_each_phase_and_free_parry(tmp_path: Path) -> None:
    (shiv,) = sheets(tmp_path, SHIV.replace("    stock_guns: fen-603 4\n", ""))
    assert table(shiv, "Round") == {str(number): [LINE, "#", "#", "#", "#"] for number in range(1, 9)}
    (quick,) = sheets(tmp_path, SHIV.replace("dia: 9", "dia: 20"))  # 42 / 10 = 4 actions
    assert table(quick, "Round")["1"] == [LINE, "##", "##", "##", "##"]
    (slow,) = sheets(tmp_path, SHIV.replace("dia: 9", "dia: 1").replace("cool: 12", "cool: 2"))  # 13 / 10
    assert table(slow, "Round")["1"] == [LINE, "#", "#", "#", "–"]


# Which sheets there are


def test_a_design_is_printed_once_with_the_units_that_field_it_and_its_note(tmp_path: Path) -> None:
    (shiv,) = sheets(tmp_path)
    assert (shiv.title, shiv.strap, shiv.kicker) == (
        "Shiv", "Unit: Point · Quick D6 **hands**.", ("Combat sheet", "Rich", "SLA · 3d System"),
    )  # fmt: skip
    assert "Quick D6 **hands**." in render_html(shiv, "a4", "mono")
    assert sheets(tmp_path, SHIV, "Nobody") == []
    assert len(sheets(tmp_path, SHIV, "Point")) == 1


def test_elements_of_several_units_are_called_by_their_units(tmp_path: Path) -> None:
    rear = f"{SHIV}  - {{unit: Rear, of: [{{design: Shiv}}]}}\n"
    assert [(one.title, one.strap.split(" · ")[0]) for one in sheets(tmp_path, rear)] == [
        ("Shiv", "Units: Point, Rear")
    ]
    assert [one.title for one in sheets(tmp_path, rear, "Rear")] == ["Shiv"]
    (shared,) = sheets(
        tmp_path, rear.replace("{design: Shiv}]}\n  - {unit: R", "{design: Shiv, count: 2}]}\n  - {unit: R")
    )
    assert (shared.title, shared.strap.split(" · ")[0]) == ("Shiv", "Units: Point, Rear")
    titles = [part.title for row in shared.rows for column in row.columns for part in column]
    assert f"Hits and armour: Point{SPACE}1" in titles
    assert [one for one in titles if one.startswith("Shiv")] == [f"Shiv: Point{SPACE}2", "Shiv: Rear"]


@pytest.mark.parametrize("many", [2, 3, 8])
def test_of_more_alike_each_has_hits_of_its_own_behind_the_sheet_of_all(tmp_path: Path, many: int) -> None:
    (shiv,) = sheets(tmp_path, SHIV.replace("{design: Shiv}", f"{{design: Shiv, count: {many}}}"))
    assert shiv.title == "Shiv"
    titles = [part.title for row in shiv.rows for column in row.columns for part in column]
    assert titles.count(f"Hits and armour: Point{SPACE}1") == titles.count("Stats") == 1
    # Of the rounds in a gun the first alone is told in the part of all; the others have theirs behind it.
    assert titles.count(f"Stock guns: Point{SPACE}1") == titles.count(f"Actions by phase: Point{SPACE}1") == 1
    assert not {"Stock guns", "Actions by phase"} & {*titles}
    named = [title for title in titles if title.startswith("Shiv")]
    assert named == [f"Shiv: Point{SPACE}{number}" for number in range(2, many + 1)]
    hits = [one for one in blocks(shiv) if isinstance(one, Table) and "Hits" in {head.head for head in one.columns}]
    assert len(hits) == many
    assert {one.rows for one in hits} == {hits[0].rows}


def test_the_record_of_a_second_that_is_alike_follows_on_the_same_page(tmp_path: Path) -> None:
    stats = "kind: character, str: 5, dex: 5, dia: 5, conc: 5, phys: 5, cool: 5"
    pair = "units: [{unit: U, of: [{design: Nix, count: 2}]}]\n"
    (nix,) = sheets(tmp_path, f"force: F\nrules: [sla-3d]\ndesigns: [{{design: Nix, {stats}}}]\n{pair}")
    assert render_pdf(nix, paper="letter", ink="mono").pages == 2


def test_names_that_look_alike_have_files_of_their_own(tmp_path: Path) -> None:
    stats = "kind: character, str: 5, dex: 5, dia: 5, conc: 5, phys: 5, cool: 5"
    names = ("Nix", "Nix!", "Ω", "nix 2")
    designs = "".join(f'  - {{design: "{name}", {stats}}}\n' for name in names)
    found = [one.id for one in sheets(tmp_path, f"force: F\nrules: [sla-3d]\ndesigns:\n{designs}")]
    assert len({*found}) == len(names)
    assert found[0] == "f-combat-sheet-nix"


def test_a_design_with_an_invalid_value_has_no_sheet(tmp_path: Path) -> None:
    assert list(sheets(tmp_path, SHIV.replace("str: 8", "str: 99"))) == []


LOG = """\
sheet: log
title: Log
strap: Of one tank.
kicker: Log
of: tank
rows:
  - columns:
      - - section: Walls
          blocks:
            - strip: [{stat: wall, label: "Wall {wall}", show: wall}, {stat: hull, label: Hull, line: hull}]
            - means:
                - table: guns
                  title: Gun
                  each: weapons
                  rows: [{label: "{gun}", let: {many: count}}]
                  columns: [{head: Many, boxes: many}, {head: Die, die: "guns[gun].die"}]
                - table: more
                  title: Gun
                  rows: [{label: Horn}]
                  columns: [{head: Many, boxes: 0}, {head: Die, write: true}]
            - means:
                - table: all
                  title: Any gun
                  through: guns
                  rows: [{label: "{words}", when: cost > 5, unit: " p"}]
                  columns: [{head: Cost, show: cost}, {head: Walls, show: wall, when: wall > 1}]
              least: 5
"""
TANKS = "force: F\nrules: [tin]\ndesigns:\n  - {design: Cart, kind: tank, wall: 1, weapons: pop 3}\n"


def test_sheets_are_for_any_kind_of_any_rules(bench: Bench) -> None:
    bench.write("tin/sheets/log.yaml", LOG)
    bench.write("force.yaml", TANKS)
    force = load_force_file(open_library(bench.folder), bench.folder / "force.yaml", ("sheets",))
    ((name, sheet),) = sheets_of_designs(force, "")
    assert name == "log"
    assert strips(sheet) == {"Wall 1": "1", "Hull": "10"}
    guns = bench.rules().tables["guns"]
    pop = next(row for row in guns.rows if row["gun"] == "pop")
    assert table(sheet, "Gun") == {str(pop["words"]): ["###", f"D{pop['die']}"], "Horn": [LINE, LINE]}
    dear = {str(row["words"]): [f"{row['cost']} p", "–"] for row in guns.rows if row["cost"] > 5}
    found = table(sheet, "Any gun")
    assert found.pop(LINE) == [LINE, LINE]
    assert found == dear


def test_only_a_section_of_each_element_has_the_name_of_the_first(bench: Bench) -> None:
    strip = "          blocks: [{strip: [{stat: wall, label: Wall, show: wall}]}]\n"
    own = "apiece: true"
    bench.write("tin/sheets/log.yaml", f"{LOG}        - section: Walls\n          {own}\n{strip}")
    bench.write("force.yaml", f"{TANKS}units: [{{unit: U, of: [{{design: Cart, count: 2}}]}}]\n")
    force = load_force_file(open_library(bench.folder), bench.folder / "force.yaml", ("sheets",))
    ((_, sheet),) = sheets_of_designs(force, "")
    titles = [part.title for row in sheet.rows for column in row.columns for part in column]
    assert titles == ["Walls", f"Walls: U{SPACE}1", f"Cart: U{SPACE}2"]


def test_a_rule_set_is_built_without_the_sheets_of_its_kinds(bench: Bench, tmp_path: Path) -> None:
    bench.write("tin/sheets/log.yaml", LOG)
    bench.write("force.yaml", TANKS)
    library = open_library(bench.folder)
    data, _ = build(library, ["tin"], Output(tmp_path / "out"))
    assert [one["sheet"] for one in data["built"]] == ["quick"]
    data, _ = build(library, [str(bench.folder / "force.yaml")], Output(tmp_path / "out"))
    assert [one["sheet"] for one in data["built"]] == ["roster", "cards", "log"]
    assert data["built"][-1]["path"].endswith("f-log-cart-a4.pdf")


def test_a_character_has_two_full_pages(tmp_path: Path) -> None:
    bare = SHIV[: SHIV.index("    incap")] + SHIV[SHIV.index("units:") :]
    for text in (SHIV, bare):
        (shiv,) = sheets(tmp_path, text)
        rendered = render_pdf(shiv, paper="letter", ink="mono")
        assert rendered.pages == 2
        assert all(used > 2 / 3 for used in rendered.fill), rendered.fill
