"""A force on paper: who fields what, what it costs, and that a draft says so."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

from pypdfium2 import PdfDocument

from generator.commands.access import open_library
from generator.commands.forces import load_force_file
from generator.documents.force.rosters import in_rows, roster
from generator.render.blocks import Code, Prose, Section, Table
from generator.render.page.html import qr_code, render_html
from generator.render.page.pdf import render_pdf

if TYPE_CHECKING:
    from pathlib import Path

    from generator.render.blocks import Sheet
    from tests.conftest import Bench

SPACE = "\N{NO-BREAK SPACE}"
TIMES = f"{SPACE}×{SPACE}"

FORCE = """\
force: Reds & <Blues>
rules: [dirtside2]
budget: 300
note: Holds the **road**.
designs:
  - {design: Sabre, kind: vehicle, size: 3, armour: 3, plant: HMT, mobility: fast tracked,
     weapons: [{weapon: HKP, class: 3}, {weapon: RFAC, class: 1}], fire_control: superior, pds: enhanced, ecm: enhanced}
  - {design: "*Rifles* D6", kind: infantry-team, type: line}
units:
  - {unit: 1 Troop, quality: veteran, of: [{design: Sabre}, {design: "*Rifles* D6", count: 2}]}
  - {unit: 2 Troop, leadership: 1, of: [{design: "*Rifles* D6"}]}
"""


def made(tmp_path: Path, text: str = FORCE) -> Sheet:
    path = tmp_path / "force.yaml"
    path.write_text(text, encoding="utf-8")
    return roster(load_force_file(open_library(), path), "abcd 1234")


def sections(sheet: Sheet) -> dict[str, Section]:
    return {section.title: section for row in sheet.rows for column in row.columns for section in column}


def design(sheet: Sheet, *names: str) -> Table:
    """The working of a design: the last table over which one of these names stands."""
    tables = [
        block for row in sheet.rows for column in row.columns for section in column for block in section.blocks
        if isinstance(block, Table) and block.over in names
    ]  # fmt: skip
    return tables[-1]


def cells(section: Section, index: int = 0) -> list[list[str]]:
    table = section.blocks[index]
    assert isinstance(table, Table)
    return [[cell.text for cell in row] for row in table.rows]


def test_no_single_design_of_a_list_stands_on_the_next_page(tmp_path: Path) -> None:
    teams = [f"Team {number}." for number in range(37)]
    designs = "".join(f"  - {{design: {team}, kind: infantry-team, type: line}}\n" for team in teams)
    sheet = made(tmp_path, f"force: Reds\nrules: [dirtside2]\ndesigns:\n{designs}")
    table = sections(sheet)["Designs fielded"].blocks[0]
    assert isinstance(table, Table)
    assert table.follows == (35, 36)
    page = PdfDocument(render_pdf(sheet, paper="a4", ink="mono").pdf)[1].get_textpage().get_text_bounded()
    assert sum(team in page.partition("working")[0] for team in teams) not in (1, 2)


def test_the_code_of_a_small_force_is_large_enough_for_a_phone(tmp_path: Path) -> None:
    sheet = made(tmp_path)
    for text in ("A", "A" * 2000):
        html = render_html(replace(sheet, rows=in_rows([Section("Code", (Code(text, "code"),))])), "a4", "mono")
        (width,) = re.findall(r'<p class="code".*?width:([0-9.]+)mm', html)
        squares = qr_code(text).symbol_size(border=0)[0]
        drawn = float(width) * squares / (squares + 8)
        assert drawn >= 25
        assert drawn / squares >= 0.4


def test_units_show_what_the_rules_know_of_them_and_their_points(tmp_path: Path) -> None:
    assert cells(sections(made(tmp_path))["Units"]) == [
        ["1 Troop", "Veteran", "2 average", f"Sabre{SPACE}(172), 2{TIMES}*Rifles* D6{SPACE}(40)", "212"],
        ["2 Troop", "Regular", "1 good", "*Rifles* D6", "20"],
        ["Total", "", "", "", "232"],
    ]


def test_a_unit_without_a_crew_has_no_quality(tmp_path: Path) -> None:
    mines = "  - {design: Mines, kind: minefield}\nunits:\n  - {unit: Field, of: [{design: Mines}]}"
    mixed = "  - {unit: Both, of: [{design: Mines}, {design: Sabre}]}\n  - {unit: 1 Troop"
    text = FORCE.replace("units:", mines).replace("  - {unit: 1 Troop", mixed)
    told = {row[0]: row[1:3] for row in cells(sections(made(tmp_path, text))["Units"])}
    assert told["Field"] == ["–", "–"]
    assert told["Both"] == ["Regular", "2 average"]


def test_points_are_told_by_kind_and_what_is_left_of_the_budget(tmp_path: Path) -> None:
    assert cells(sections(made(tmp_path))["Points"]) == [
        ["Vehicle", "1", "172", "74%"],
        ["Infantry team", "3", "60", "26%"],
        ["Total", "4", "232", ""],
        ["Budget", "", "300", ""],
        ["Left", "", "68", ""],
    ]


def test_nothing_is_left_for_certain_if_a_design_has_no_points(tmp_path: Path) -> None:
    sheet = made(tmp_path, FORCE.replace("size: 3", "size: 99"))
    assert cells(sections(sheet)["Points"])[-1] == ["Left", "", "?", ""]


def test_every_design_shows_its_working_and_the_room_it_has(tmp_path: Path) -> None:
    sheet = made(tmp_path)
    tank = design(sheet, "Sabre")
    *lines, total, room, systems = tank.rows
    assert [cell.text for cell in total] == ["Total", "", "172", "14", "3"]
    assert [cell.text for cell in room] == ["Capacity 14 of 15", "■■■■■■■■■■■■■■–"]
    assert [cell.text for cell in systems] == ["Weapon systems 3 of 3", "■■■"]
    assert tank.along == "Vehicle"
    held = [sum(int(row[place].text or 0) for row in lines) for place in (3, 4)]
    assert held == [14, 3]
    rifles = design(sheet, "*Rifles* D6")
    assert [[cell.text for cell in row] for row in rifles.rows] == [["Line team", "20", "20"], ["Total", "", "20"]]
    assert rifles.along == "Infantry team · 3 fielded"


def test_designs_are_listed_with_how_many_are_fielded_and_for_what(tmp_path: Path) -> None:
    assert cells(sections(made(tmp_path))["Designs fielded"]) == [
        ["Sabre", "Vehicle", "1", "172", "172"],
        ["*Rifles* D6", "Infantry team", "3", "20", "60"],
    ]
    many = made(tmp_path, FORCE.replace("{design: Sabre}, ", "{design: Sabre, count: 9}, "))
    assert cells(sections(many)["Designs fielded"])[0] == ["Sabre", "Vehicle", "9", "172", "1,548"]
    assert design(many, "Sabre", "Sabre, continued").along == "Vehicle · 9 fielded"


def test_what_players_note_of_units_and_designs_is_printed(tmp_path: Path) -> None:
    text = FORCE.replace("quality: veteran,", "quality: veteran, note: Old **hands**,")
    text = text.replace("design: Sabre, kind", "design: Sabre, note: Two left, kind").replace(
        'D6", kind', 'D6", note: Tired, kind'
    )
    assert cells(sections(made(tmp_path, text))["Units"])[1] == ["", "Old **hands**"]
    tank = design(made(tmp_path, text), "Sabre")
    assert tank.rows[-1][0].text == "Two left"
    assert len(tank.rows) - 1 in tank.follows
    assert made(tmp_path, text).rows[0].columns[0][0].blocks == (Prose(("Holds the **road**.",), plain=True),)


def test_a_lawful_force_says_what_it_was_checked_against(tmp_path: Path) -> None:
    (words,) = sections(made(tmp_path))["Checked"].blocks
    assert words == Prose(("Every design and unit keeps the limits of Dirtside II (1993).",))
    assert made(tmp_path).banner == ""


def test_a_draft_says_so_on_every_page_and_lists_its_problems(tmp_path: Path) -> None:
    sheet = made(tmp_path, FORCE.replace("budget: 300", "budget: 200").replace("armour: 3,", "armour: 4,"))
    assert sheet.banner == "Draft: 2 problems"
    found = sections(sheet)
    (words,) = found["Checked"].blocks
    assert words == Prose(("**Not lawful yet** by Dirtside II (1993): see the problems below.",))
    rows = cells(found["Problems"])
    assert [row[0] for row in rows] == ["budget", "Sabre: armour"]
    assert [row[3] for row in rows] == ["F210", "dirtside2/armour-by-size"]
    assert cells(found["Points"])[-1][0] == "Over"
    assert "Advice" not in found


def test_advice_is_no_problem(tmp_path: Path) -> None:
    text = FORCE[: FORCE.index("  - {unit: 2")].replace("{design: Sabre}, ", "")
    sheet = made(tmp_path, text)
    found = sections(sheet)
    assert sheet.banner == ""
    assert cells(found["Advice"])[0][0].startswith("Sabre")
    assert "Problems" not in found
    assert found["Checked"].blocks[0].paragraphs[0].endswith("1 piece of advice below.")  # type: ignore[attr-defined]


def test_a_design_with_a_wrong_field_leaves_its_unit_and_the_force_without_a_price(tmp_path: Path) -> None:
    found = sections(made(tmp_path, FORCE.replace("plant: HMT", "plant: XXX")))
    assert [row[-1] for row in cells(found["Units"])] == ["?", "20", "?"]
    assert "Sabre" not in cells(found["Units"])[0][3]


def test_a_force_without_units_lists_its_designs(tmp_path: Path) -> None:
    sheet = made(tmp_path, FORCE[: FORCE.index("units:")])
    assert cells(sections(sheet)["Designs fielded"])[0] == ["Sabre", "Vehicle", "1", "172", "172"]
    assert "Units" not in sections(sheet)


def test_what_players_write_is_printed_as_it_stands(tmp_path: Path) -> None:
    html = render_html(made(tmp_path), "a4", "colour")
    assert "<Blues>" not in html
    assert "Reds &amp; &lt;Blues&gt;" in html
    assert made(tmp_path).id == "reds-blues-roster"
    assert made(tmp_path, FORCE.replace("Reds & <Blues>", "A" * 30 + " " + "b" * 40)).id == "a" * 30 + "-roster"


SQUADS = """\
force: Sentries
rules: [stargrunt2]
designs:
  - {design: Gate guard, kind: squad, quality: regular, men: 4 x smg, note: Stays at the gate.}
units:
  - {unit: First, of: [{design: Gate guard, count: 2}], note: By night.}
  - {unit: Second, of: [{design: Gate guard}]}
"""


def test_what_has_no_points_is_told_without_columns_of_them(tmp_path: Path) -> None:
    found = sections(made(tmp_path, SQUADS))
    assert "Points" not in found
    assert cells(found["Fielded"]) == [["Squad", "3"], ["Total", "3"]]
    assert sections(made(tmp_path, f"budget: 300\n{SQUADS}"))["Fielded"] == found["Fielded"]
    assert cells(found["Units"]) == [
        ["First", f"2{TIMES}Gate guard"],
        ["", "By night."],
        ["Second", "Gate guard: Stays at the gate."],
    ]
    assert found["Designs and their figures"].blocks == ()
    guard = design(made(tmp_path, SQUADS), "Gate guard")
    *figures, note = [[cell.text for cell in row] for row in guard.rows]
    assert (guard.along, note) == ("Squad · 3 fielded", ["Stays at the gate."])
    # Four of 3 points of firepower each (p. 34) roll the highest die, a regular squad rolls D8.
    assert [(label, figure) for label, _, figure in figures][:3] == [
        ("Quality, Regular", "D8"), ("Leadership", "2"), ("Motivation", "medium"),
    ]  # fmt: skip
    assert ["Firepower, 4 × SMG", "4 × 3", "12"] in figures
    assert ["Firepower die of all men", "", "D12"] in figures
    assert [column.head for column in guard.columns] == ["Item", "Working", "Value"]


def test_what_has_a_sheet_of_its_own_is_listed_with_what_it_has(tmp_path: Path) -> None:
    figures = "str: 5, dex: 6, dia: 5, conc: 5, phys: 6, cool: 5"
    designs = f"  - {{design: Verger, kind: character, {figures}, note: Runs.}}"
    of = "[{design: Verger, count: 3}]"
    sheet = made(
        tmp_path, f"force: Choir\nrules: [sla-3d]\ndesigns:\n{designs}\nunits:\n  - {{unit: Nave, of: {of}}}\n"
    )
    found = sections(sheet)
    assert cells(found["Designs and their sheets"]) == [["Verger", "Character", "3", "Runs."]]
    assert found["Designs and their sheets"].aside == "figures: on the card of each"
    assert not {"Designs and their figures", "Where the lines come from"} & set(found)
    has = dict(cells(found["Characters side by side"]))
    assert (has["Design"], has["STR"], has["Actions a round"]) == ("Verger", "5", "1")  # 16 / 10


def test_a_line_without_points_is_0_beside_the_others(bench: Bench, tmp_path: Path) -> None:
    bench.change("tin/kinds/tank.yaml", "points: 10", "points: 0")
    bench.change("tin/kinds/tank.yaml", "title: Tank", "title: Tank\non_sheet: log")
    strip = "{strip: [{stat: hull, label: Hull, line: hull}]}"
    rows = f"rows: [{{columns: [[{{section: Log, blocks: [{strip}]}}]]}}]\n"
    bench.write("tin/sheets/log.yaml", f"sheet: log\nof: tank\ntitle: Log\nstrap: A tank.\nkicker: Log\n{rows}")
    path = tmp_path / "force.yaml"
    path.write_text("force: Reds\nrules: [tin]\ndesigns: [{design: Wagon, kind: tank, wall: 1}]\n", encoding="utf-8")
    made = roster(load_force_file(open_library(bench.folder), path), "abcd 1234")
    assert cells(sections(made)["Tanks side by side"]) == [["Design", "Wagon"], ["Hull", "0"]]


def test_figures_of_many_stand_side_by_side_in_several_tables(tmp_path: Path) -> None:
    stats = "kind: character, str: 5, dex: 6, dia: 5, conc: 5, phys: 6, cool: 5"
    names = ["**D6**", *(f"{'W' * 20}{number}" for number in range(8))]
    designs = "".join(f'  - {{design: "{name}", {stats}}}\n' for name in names)
    sheet = made(tmp_path, f"force: Choir\nrules: [sla-3d]\ndesigns:\n{designs}")
    tables = [
        one for row in sheet.rows for column in row.columns for one in column if one.title == "Characters side by side"
    ]
    assert [len(cells(one)[0]) for one in tables] == [1 + 2] * 4 + [1 + 1]  # as many as their names have room for
    assert "**D6**" in render_html(sheet, paper="a4", ink="mono")
    assert render_pdf(sheet, paper="letter", ink="mono").pages


def test_a_word_that_no_line_holds_is_parted(tmp_path: Path) -> None:
    long = "W" * 60
    said = FORCE.replace("Sabre", long).replace("1 Troop", long).replace("Holds the", long).replace("Reds &", long)
    sheet = made(tmp_path, said)
    html = render_html(sheet, paper="a4", ink="mono")
    assert long not in html
    assert html.replace("\u200b", "").count(long) >= said.count(long)
    assert render_pdf(sheet, paper="a4", ink="mono").pages, "a word that runs over its cell raises LayoutError"


def test_the_name_of_a_design_is_repeated_where_its_working_goes_over_a_page(tmp_path: Path) -> None:
    """It stands in the heads, which the engine repeats, and as its player wrote it."""
    html = render_html(made(tmp_path, FORCE.replace("Sabre", "'*Sabre* D8'")), "a4", "mono")
    heads = [part.split("</thead>")[0] for part in html.split("<thead>")[1:]]
    assert any("*Sabre* D8</th>" in head for head in heads)
