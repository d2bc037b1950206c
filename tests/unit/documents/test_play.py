"""Play sheets: two pages on each paper, and type large enough to read at a table."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pypdfium2
import pytest

from generator.render.blocks import Table
from generator.render.page.pdf import render_pdf
from generator.rules.check.ruleset import check_sheet
from tests.golden.approved import ruleset, shipped_sheet
from tests.golden.test_odds_sheets import blocks_of

if TYPE_CHECKING:
    from tests.conftest import Bench
    from tests.unit.documents.conftest import Print, Printer


def test_the_phases_of_play_are_numbered_over_both_sides(printer: Printer) -> None:
    block = "    columns:\n      - - section: S\n          blocks: [{short_steps: [Roll.]}]\n"
    rows = "".join(f"  - phase: {name}\n{more}{block}" for name, more in
                   (("Move", ""), ("Fire", "    new_page: true\n"), ("Test", "")))  # fmt: skip
    sides = printer(rows + "  -\n" + block).sides()
    assert [[(number, name, len(rows)) for number, name, rows in side] for side in sides] == [
        [(1, "Move", 1)],
        [(2, "Fire", 1), (3, "Test", 2)],
    ]


def test_a_strip_has_a_cell_for_each_weapon_and_column(bench: Bench, printed: Print) -> None:
    bench.write(
        "tin/tables/toys.yaml",
        "table: toys\ntitle: Toys\ncite: p. 1\nkey: [gun]\ncolumns:\n  gun: {type: word, label: Gun}\n"
        "  long: {type: text, label: Name}\nrows: [{gun: PG, long: Popgun}, {gun: SG, long: Slingshot}]\n",
    )
    bench.write(
        "tin/tables/reach.yaml",
        "table: reach\ntitle: Reach\ncite: p. 1\nkey: [gun, size]\ncolumns:\n"
        "  gun: {type: word, label: Gun, from: toys}\n  size: {type: int, label: Size, range: 1..2}\n"
        "  near: {type: int, label: Near}\n  far: {type: int, label: Far, optional: true}\n"
        "rows: [{gun: PG, size: 1, near: 2, far: 4}, {gun: PG, size: 2, near: 3, far: null}]\n",
    )
    group = "{head: Reach, table: reach, across: size, columns: [near, far], share: 50, lack: none}"
    strip = printed(f"{{weapons: toys, full: long, groups: [{group}], further: [{{name: Bow, says: 'Far, once.'}}]}}")
    assert strip.groups[0].columns == ("1", "2")
    assert [(weapon.name, weapon.full, weapon.cells) for weapon in strip.weapons] == [
        ("PG", "Popgun", ("**2** 4", "**3**")),
        ("SG", "Slingshot", ("none", "none")),
        ("Bow", "", ("Far, once.",)),
    ]


RANGES = (
    "table: ranges\ntitle: Ranges\ncite: p. 1\nkey: [band]\ncolumns:\n  band: {type: int, label: Band, range: 1..2}\n"
    "  die: {type: die, label: Die}\n  near: {type: int, label: Near}\n  far: {type: int, label: Far}\n"
    "rows: [{band: 1, die: D4, near: 4, far: 6}, {band: 2, die: D6, near: 8, far: 12}]\n"
)


def test_bands_are_as_wide_as_they_are_long(bench: Bench, printed: Print) -> None:
    """A narrow box has only its end, not its die."""
    bench.write("tin/tables/ranges.yaml", RANGES.replace("near: 4", "near: 1"))
    table = printed("{bands: ranges, named: die, ends: [near, far]}")
    assert [[(cell.text, cell.span) for cell in row] for row in table.rows] == [
        [("Near", 1), ("1", 1), ("D6 8", 7), ("", 4)],
        [("Far", 1), ("D4 6", 6), ("D6 12", 6)],
    ]
    assert len(table.columns) == 13


def test_bands_that_do_not_grow_are_refused(bench: Bench) -> None:
    bench.write("tin/tables/ranges.yaml", RANGES.replace("near: 8", "near: 4"))
    bench.write(
        "tin/sheets/own.yaml",
        "sheet: own\ntitle: Own\nstrap: Made up.\nkicker: Test\nrows:\n  - columns:\n"
        "      - - section: S\n          blocks: [{bands: ranges, named: die, ends: [far, near]}]\n",
    )
    rules, problems = bench.rules(), list[Any]()
    check_sheet(rules, rules.sheets["own"], problems)
    assert [(problem.code, problem.found) for problem in problems] == [("R203", "near")]


def test_a_long_name_of_a_phase_stays_on_its_tab(printer: Printer) -> None:
    name = "Crossing the river under fire, and what follows when it is done"
    sheet = printer(f"  - phase: {name}\n    columns: [[{{section: S, blocks: [{{short_steps: [Roll.]}}]}}]]\n")
    text = pypdfium2.PdfDocument(render_pdf(sheet, paper="a4", ink="colour").pdf)[0].get_textpage()
    start = text.get_text_range().index("Crossing")
    boxes = [text.get_charbox(start + index) for index in range(len(name))]
    assert max(box[2] for box in boxes) < 17.4 / 25.4 * 72  # the margin is 7 mm wide, the rail 10.4 mm
    number = next(box for index, box in enumerate(map(text.get_charbox, range(text.count_chars())))
                  if text.get_text_range(index, 1) == "1" and box[2] < 17.4 / 25.4 * 72)  # fmt: skip
    assert max(box[3] for box in boxes) < number[1]


@pytest.mark.parametrize(
    ("steps", "expected"),
    [
        ("[A, B, C, D, E, F]", "at most 5 entries"),
        (f"[{' '.join(['roll'] * 15)}]", "a step of at most 14 words"),
    ],
)
def test_long_steps_are_refused(bench: Bench, steps: str, expected: str) -> None:
    bench.write(
        "tin/sheets/own.yaml",
        "sheet: own\ntitle: Own\nstrap: Made up.\nkicker: Test\nrows:\n  - phase: Fire\n    columns:\n"
        f"      - - section: S\n          blocks: [{{short_steps: {steps}}}]\n",
    )
    assert [(problem.code, problem.expected) for problem in bench.load("tin")[1]] == [("R203", expected)]


@pytest.mark.parametrize("rules", ["dirtside2", "stargrunt2", "sla-3d"])
def test_a_ruling_on_a_play_sheet_has_the_number_of_its_reading(rules: str) -> None:
    """The data give the note; the list of readings has the note under the number that stands at the row."""
    readings = {
        row[0].text: row[1].text
        for block in blocks_of(shipped_sheet(f"{rules}/readings"))
        if isinstance(block, Table)
        for row in block.rows
        if len(row) > 1
    }
    play = [block for block in blocks_of(shipped_sheet(f"{rules}/play")) if isinstance(block, Table)]
    marks = {(row[0].text, cell.mark) for block in play for row in block.rows for cell in row if cell.mark}
    notes = {
        str(row.values.get(table.name or table.key[0])): row.provenance.note
        for table in ruleset(rules).tables.values()
        for row in table.rows
        if row.provenance.status == "ruled"
    }
    assert marks
    named = {(name, mark) for name, mark in marks if name in notes}  # a table along its keys has labels instead
    assert named
    assert [name for name, mark in named if not notes[name] or notes[name] not in readings[mark]] == []
    assert {mark for _, mark in marks} <= set(readings)
