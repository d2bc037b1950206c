"""Sheets of odds, measured on their PDFs: cells, figures, tints, axes and a worked example."""

from __future__ import annotations

from ctypes import c_uint
from itertools import combinations, pairwise
from typing import TYPE_CHECKING

import pypdfium2 as pdfium
import pytest
from pypdfium2 import raw

from generator.documents.blocks.odds import BEST
from generator.render.blocks import INKS, Prose, Table
from generator.render.drawing import TINTS
from generator.render.imprinted import SOBER, luminance
from generator.render.page.html import render_html
from generator.render.page.pdf import boxes_of, render_pdf
from tests.golden.approved import SHEETS, is_as_approved, shipped_sheet
from tests.golden.boxes import cells_of_odds, texts

if TYPE_CHECKING:
    from collections.abc import Iterator

    from generator.render.blocks import Block, Ink, Sheet

ODDS = [name for name in SHEETS if "odds" in name]
COMPARED = ["dirtside2-fma/comparison", "stargrunt2/casualties", "stargrunt2-quick/book-or-option"]
"""Sheets of other names that print odds to look up."""
CELL = 9, 6.2
"""Millimetres: the least width and height of a cell of odds."""
FIGURE = 11
"""Points: the size of a chance in a grid."""
STEP = 1.6
"""The least contrast of a tint with the next one, white included."""


def blocks_of(sheet: Sheet) -> Iterator[Block]:
    """Yield each block of a sheet, with its groups taken apart."""
    for row in sheet.rows:
        for column in row.columns:
            for section in column:
                for block in section.blocks:
                    yield from getattr(block, "blocks", (block,))


def grids_of(sheet: Sheet) -> list[Table]:
    """Return the grids of odds of a sheet."""
    return [block for block in blocks_of(sheet) if isinstance(block, Table) and block.grid]


def fills_of(pdf: bytes) -> set[str]:
    """Return the colours of filled areas of a PDF."""
    found = set()
    for page in pdfium.PdfDocument(pdf):
        for item in page.get_objects(filter=[raw.FPDF_PAGEOBJ_PATH]):
            parts = [c_uint() for _ in range(4)]
            if raw.FPDFPageObj_GetFillColor(item.raw, *parts):
                found.add("#" + "".join(f"{part.value:02x}" for part in parts[:3]))
    return found


@pytest.mark.parametrize("name", [*ODDS, *COMPARED])
def test_a_sheet_of_odds_has_an_example(name: str) -> None:
    assert any(isinstance(block, Prose) and block.style == "example" for block in blocks_of(shipped_sheet(name)))


@pytest.mark.parametrize("name", ODDS)
def test_cells_and_figures_of_a_sheet_of_odds(name: str, *, update_golden: bool) -> None:
    if not update_golden and is_as_approved(name, "a4", "colour"):
        return
    boxes = boxes_of(render_html(shipped_sheet(name), "a4", "mono"))
    cells = [cell for page in boxes for cell in cells_of_odds(page)]
    assert cells
    assert [cell for cell in cells if cell[0] < CELL[0] or cell[1] < CELL[1]] == []
    figures = [
        (size, text)
        for page in boxes
        for text, size, inside in texts(page)
        if "grid" in inside and "td" in inside and text != BEST
    ]
    assert [text for size, text in figures if round(size, 2) < FIGURE] == []


@pytest.mark.parametrize("ink", [ink for ink in INKS if ink != "low"])
def test_tints_on_paper_are_apart(ink: Ink, *, update_golden: bool) -> None:
    if not update_golden and is_as_approved("dirtside2/odds", "a4", "colour"):
        return
    names = [f"step-{step}" for step in range(1, 6)]
    tints = [SOBER.values("colour")[name] for name in names] if ink == "colour" else TINTS[ink][1:]
    pdf = render_pdf(shipped_sheet("dirtside2/odds"), paper="a4", ink=ink).pdf
    assert fills_of(pdf).issuperset(tints)
    levels = [luminance(tint) + 0.05 for tint in ("#ffffff", *tints)]
    assert [pair for pair in pairwise(levels) if pair[0] / pair[1] < STEP] == []


@pytest.mark.parametrize("rules", sorted({name.partition("/")[0] for name in ODDS}))
def test_no_grid_is_another_one_turned_over(rules: str) -> None:
    grids = [grid for name in ODDS if name.startswith(f"{rules}/") for grid in grids_of(shipped_sheet(name))]
    figures = [[[cell.text for cell in row[1:]] for row in grid.rows] for grid in grids]
    turned = [
        (grids[i].caption, grids[j].caption)
        for (i, first), (j, second) in combinations(enumerate(figures), 2)
        if len(first) > 2 and first != second and [*map(list, zip(*first, strict=True))] == second
    ]
    assert turned == []


@pytest.mark.parametrize("name", SHEETS)
def test_every_grid_names_both_axes(name: str) -> None:
    """Rows carry an arrow down, columns an arrow across, so that nobody asks whose die is whose."""
    for grid in grids_of(shipped_sheet(name)):
        names = grid.columns[0].head, grid.along
        assert [name[-1] for name in names] == ["↓", "→"], grid.caption
        assert all(len(name) > 2 for name in names), grid.caption
