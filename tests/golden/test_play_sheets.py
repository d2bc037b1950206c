"""Play sheets: two pages on each paper, and type large enough to read at a table; names of rows, on every sheet."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

import pytest

from generator.render.blocks import PAPERS
from generator.render.page.html import render_html
from generator.render.page.pdf import boxes_of
from tests.golden.approved import INKS, SHEETS, is_as_approved, shipped_sheet

if TYPE_CHECKING:
    from collections.abc import Iterator

    from generator.render.blocks import Paper

pytestmark = pytest.mark.slow

SHIPPED = [name for name, path in SHEETS.items() if "phase:" in path.read_text(encoding="utf-8")]
"""All shipped sheets with phases of play."""
LAYERS = [f"{name}/play" for name in ("dirtside2-fma", "dirtside2-iceburg", "stargrunt2-quick")]
"""Play sheets that a layer changes."""
BODY, FIGURES = 10, 10.5
"""Points: the least size of running text, and of texts in tables."""
CELL = 9, 6.2
"""Millimetres: the least width and height of a cell of odds."""
SMALL = {"full", "token", "aside", "sup"}
"""Classes of texts that may be smaller: names in full, the letters of tokens, and words beside a title."""


@cache
def pages(name: str, paper: Paper) -> list[Any]:
    """The boxes of each page of a sheet, laid out once for all tests here."""
    return boxes_of(render_html(shipped_sheet(name), paper, "mono"))


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
    """Yield the last line of each step, note and cell that has several lines."""
    lines = [child for child in getattr(box, "children", ()) if type(child).__name__ == "LineBox"]
    if len(lines) > 1 and box.element is not None and box.element.tag in ("li", "p", "td"):
        yield " ".join(text for text, _, _ in texts(lines[-1])).strip()
    for child in getattr(box, "children", ()):
        yield from last_lines(child)


def divided_names(box: Any) -> Iterator[str]:
    """Yield each name at the beginning of a row that has several lines."""
    element = getattr(box, "element", None)
    if element is not None and element.get("scope") == "row" and type(box).__name__ == "TableCellBox":
        lines = [child for child in box.children if type(child).__name__ == "LineBox"]
        if len(lines) > 1:
            yield " ".join(text for line in lines for text, _, _ in texts(line))
    for child in getattr(box, "children", ()):
        yield from divided_names(child)


@pytest.mark.parametrize("paper", PAPERS)
@pytest.mark.parametrize("name", [*SHIPPED, *LAYERS])
def test_a_sheet_with_phases_keeps_its_pages_and_has_type_to_read_at_a_table(
    name: str, paper: Paper, *, update_golden: bool
) -> None:
    if not update_golden and is_as_approved(name, paper, INKS[paper]):
        return
    boxes = pages(name, paper)
    assert len(boxes) == len(shipped_sheet(name).sides())
    assert len(boxes) == 2 or not name.endswith("/play")
    sizes = [
        (size, text, "tbody" in inside)
        for page in boxes
        for text, size, inside in texts(page)
        if ("tbody" in inside or "prose" in inside or "li" in inside) and not {"disc", *SMALL}.intersection(inside)
    ]
    assert sizes
    assert [text for size, text, in_table in sizes if round(size, 2) < (FIGURES if in_table else BODY)] == []
    assert [line for page in boxes for line in last_lines(page) if len(line.split()) == 1] == []


@pytest.mark.parametrize("name", [*SHEETS, *LAYERS])
def test_names_of_rows_stay_in_one_line(name: str, *, update_golden: bool) -> None:
    if not update_golden and is_as_approved(name, "a4", INKS["a4"]):
        return
    assert [text for page in pages(name, "a4") for text in divided_names(page)] == []  # Letter is wider
