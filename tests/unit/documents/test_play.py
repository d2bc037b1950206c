"""Play sheets: two pages on each paper, and type large enough to read at a table."""

from __future__ import annotations

from functools import cache
from itertools import cycle
from typing import TYPE_CHECKING, Any

import pytest

from generator import resources
from generator.commands.access import open_library
from generator.documents.reference.sheet import compose
from generator.render.blocks import PAPERS
from generator.render.page.html import render_html
from generator.render.page.pdf import boxes_of, render_pdf
from generator.rules.check.sheets import check_sheet
from generator.rules.load.load import load

if TYPE_CHECKING:
    from collections.abc import Iterator

    from generator.problems import Problem
    from generator.render.blocks import Paper, Sheet
    from tests.conftest import Bench
    from tests.unit.documents.conftest import Print, Printer

FILES = {(path.parents[1].name, path.stem): path for path in resources.rulesdata().glob("*/sheets/*.yaml")}
SHIPPED_SHEETS = sorted(FILES)
SHIPPED = [item for item in SHIPPED_SHEETS if "phase:" in FILES[item].read_text(encoding="utf-8")]
"""All shipped sheets with phases of play."""
BODY, FIGURES = 10, 10.5
"""Points: the least size of running text, and of texts in tables."""
CELL = 9, 6.2
"""Millimetres: the least width and height of a cell of odds."""
SMALL = {"full", "token", "aside", "sup"}
"""Classes of texts that may be smaller: names in full, the letters of tokens, and words beside a title."""


@cache
def sheet_of(name: str, sheet_id: str) -> Sheet:
    """Return a printable sheet of a shipped rule set."""
    problems: list[Problem] = []
    rules = load(open_library(), name, problems, [("sheets", sheet_id)])
    assert rules is not None, problems
    printed = compose(rules, rules.sheets[sheet_id], "", problems)
    assert problems == []
    return printed


def texts(box: Any, inside: tuple[str, ...] = ()) -> Iterator[tuple[str, float, tuple[str, ...]]]:
    """Yield each text of a page with its size in points, and the tags and classes around it."""
    element = getattr(box, "element", None)
    if element is not None:
        inside = (*inside, element.tag, *(element.get("class") or "").split())
    if getattr(box, "text", "").strip():
        yield box.text, box.style["font_size"] * 0.75, inside
    for child in getattr(box, "children", ()):
        yield from texts(child, inside)


def cells_of_odds(box: Any, *, inside: bool = False) -> Iterator[tuple[float, float]]:
    """Yield the width and height in millimetres of each cell of a grid of odds."""
    element = getattr(box, "element", None)
    classes = {*(element.get("class") or "").split()} if element is not None else set()
    if element is not None and element.tag == "table":
        inside = "grid" in classes and "dense" not in classes
    if inside and type(box).__name__ == "TableCellBox" and element is not None and element.tag == "td":
        yield round(box.border_width() * 25.4 / 96, 2), round(box.border_height() * 25.4 / 96, 2)
    for child in getattr(box, "children", ()):
        yield from cells_of_odds(child, inside=inside)


def last_lines(box: Any) -> Iterator[str]:
    """Yield the last line of each step and note that has several lines."""
    lines = [child for child in getattr(box, "children", ()) if type(child).__name__ == "LineBox"]
    if len(lines) > 1 and box.element is not None and box.element.tag in ("li", "p"):
        yield " ".join(text for text, _, _ in texts(lines[-1])).strip()
    for child in getattr(box, "children", ()):
        yield from last_lines(child)


@pytest.mark.parametrize(
    ("name", "sheet_id", "paper"), [(*item, paper) for item, paper in zip(SHIPPED, cycle(PAPERS), strict=False)]
)
def test_a_sheet_with_phases_keeps_its_pages_and_has_type_to_read_at_a_table(
    name: str, sheet_id: str, paper: Paper
) -> None:
    sheet = sheet_of(name, sheet_id)
    pages = render_pdf(sheet, paper=paper, ink="mono").pages
    assert pages == len(sheet.sides())
    assert pages == 2 or sheet_id != "play"
    boxes = boxes_of(render_html(sheet, paper, "mono"))
    sizes = [
        (size, text, "tbody" in inside)
        for page in boxes
        for text, size, inside in texts(page)
        if ("tbody" in inside or "prose" in inside or "li" in inside) and not {"disc", *SMALL}.intersection(inside)
    ]
    assert sizes
    assert [text for size, text, in_table in sizes if round(size, 2) < (FIGURES if in_table else BODY)] == []
    assert [line for page in boxes for line in last_lines(page) if len(line.split()) == 1] == []


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
    strip = printed(f"{{weapons: toys, full: long, groups: [{group}]}}")
    assert strip.groups[0].columns == ("1", "2")
    assert [(weapon.name, weapon.full, weapon.cells) for weapon in strip.weapons] == [
        ("PG", "Popgun", ("**2** 4", "**3**")),
        ("SG", "Slingshot", ("none", "none")),
    ]


@pytest.mark.parametrize(
    ("steps", "words"),
    [("[A, B, C, D, E, F]", "6 steps"), (f"[{' '.join(['roll'] * 15)}]", "15 words")],
)
def test_long_steps_are_refused(bench: Bench, steps: str, words: str) -> None:
    bench.write(
        "tin/sheets/own.yaml",
        "sheet: own\ntitle: Own\nstrap: Made up.\nkicker: Test\nrows:\n  - phase: Fire\n    columns:\n"
        f"      - - section: S\n          blocks: [{{short_steps: {steps}}}]\n",
    )
    rules, problems = bench.rules(), list[Any]()
    check_sheet(rules, rules.sheets["own"], problems)
    assert [(problem.code, words in problem.found) for problem in problems] == [("R203", True)]
