"""The heights of rows and sections, read from boxes that the engine lays out on one endless page.

Lengths are millimetres. A height here equals the height on the final page, rounded to a millionth.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from hashlib import sha256
from itertools import pairwise
from typing import Any, NamedTuple, TypeAlias

from generator.render.blocks import Figure, Ink, Paper, Row, Section, Sheet, Strip
from generator.render.page.html import LayoutOptions, render_html

LayOut: TypeAlias = "Callable[[str], list[Any]]"
"""A function that returns the boxes of the pages of an HTML text."""

PIXEL = 25.4 / 96
"""A pixel of the engine in millimetres."""
_PROBE = Row(((Section("", (Strip((Figure(".", "."),)),)),),))
"""A row that stands twice at the top of the page, so that every measured row has the usual gap above it."""
_END = Section("", ())
"""An empty section below a measured section, so that the usual gap between sections is measured."""


class Break(NamedTuple):
    """A place where a row may be divided between two pages."""

    at: float
    """The distance below the top of the row."""
    again: float
    """The height of the table heads that the next page repeats."""


class Measured(NamedTuple):
    """The measured size of a row, or of a section in a half-width column."""

    height: float
    gap: float
    """The free space above a row, or below a section."""
    lines: tuple[float, ...] = ()
    """The heights of the rows of its tables, without heads, and of the items of its lists without marks."""
    breaks: tuple[Break, ...] = ()


Heights: TypeAlias = "dict[str, Measured]"
"""Measurements by a digest of what was measured. They are the same in every build with the same engine."""


def read_heights(data: bytes) -> Heights:
    """Return the heights that :func:`write_heights` wrote; an empty mapping for empty data."""
    stored = json.loads(data or b"{}")
    return {
        key: Measured(height, gap, tuple(lines), tuple(Break(*item) for item in breaks))
        for key, (height, gap, lines, breaks) in stored.items()
    }


def write_heights(heights: Heights) -> bytes:
    """Return heights as JSON, which keeps every bit of a number; empty if there are no heights."""
    return json.dumps(heights).encode() if heights else b""


class Measurer:
    """A measurer of the rows of one sheet, which lays out all rows without a known height together."""

    def __init__(self, sheet: Sheet, *, paper: Paper, ink: Ink, lay_out: LayOut, heights: Heights) -> None:
        """Prepare to measure rows of a sheet.

        Rows with an entry in ``heights`` are not measured again. New heights are added to ``heights``.
        """
        self._sheet, self._lay_out, self._heights = replace(sheet, rows=()), lay_out, heights
        self._paper, self._ink = paper, ink
        self._of = paper, ink, sheet.language, sheet.theme, sheet.close, sheet.landscape, sheet.poster, sheet.large

    def rows(self, rows: Iterable[Row]) -> list[Measured]:
        """Return the measurements of the masthead, and then of each row in order.

        The masthead is all above the first row; its gap is the usual gap between rows. For a row of ``half`` the width,
        only the section is measured.
        """
        parts = [self._sheet, *(replace(row, new_page=False) for row in rows)]
        keys = [sha256(repr((part, *self._of)).encode()).hexdigest() for part in parts]
        new = {key: part for key, part in zip(keys, parts, strict=True) if key not in self._heights}
        if new:
            fresh = {key: part for key, part in new.items() if isinstance(part, Row)}
            self._heights.update(zip([keys[0], *fresh], self._measured([*fresh.values()]), strict=True))
        return [self._heights[key] for key in keys]

    def _measured(self, rows: Sequence[Row]) -> Iterator[Measured]:
        """Yield the measurements of the masthead and of each row, laid out together on one page."""
        shown = (replace(row, columns=((*row.columns[0], _END), ())) if row.half else row for row in rows)
        sheet = replace(self._sheet, rows=(_PROBE, _PROBE, *(replace(row, loose=True) for row in shown)))
        (page,) = self._lay_out(render_html(sheet, self._paper, self._ink, LayoutOptions(tall=True)))
        probe, below, *boxes = next(box for box in walk(page) if box.element_tag == "main").children
        yield Measured(_mm(top(probe) - page.content_box_y()), _mm(below.margin_top))
        for row, box in zip(rows, boxes, strict=True):
            sections = (candidate for candidate in walk(box) if candidate.element_tag == "section")
            whole = next(sections) if row.half else box
            gap = whole.margin_bottom if row.half else whole.margin_top
            lines = tuple(_mm(line.border_height()) for line in _lines(whole))
            breaks = tuple(_breaks(whole, top(whole))) if len(row.columns) == 1 else ()
            yield Measured(_mm(whole.border_height()), _mm(gap), lines, breaks)


def _mm(pixels: float) -> float:
    """Return a length of the engine in millimetres, rounded to a millionth.

    Smaller digits depend on the place on the page.
    """
    return round(pixels * PIXEL, 6)


def _breaks(box: Any, top: float) -> Iterator[Break]:
    """Yield the places where the engine may end a page within a row, a section or a text.

    ``top`` is the top of the whole row, in pixels of the engine. Places are in millimetres below it.
    """
    above = None
    for child in (child for child in box.children if child.element is not None and child.height):
        titled = above is not None and (has(above, "bar") or (has(above, "prose") and child.element_tag == "table"))
        if above is not None and not (titled or has(child, "under")):
            yield Break(_mm(bottom(above) - top), 0)
        if child.element_tag == "section" or has(child, "prose"):
            yield from _breaks(child, top)
        elif has(child, "long"):
            heads = sum(candidate.height for candidate in walk(child) if candidate.element_tag == "thead")
            for line, below in pairwise(_lines(child)):
                if not has(below, "follows"):
                    yield Break(_mm(bottom(line) - top), _mm(heads))
        above = child


def walk(box: Any) -> Iterator[Any]:
    """Yield the boxes of all elements inside a box of the engine, in document order, without the box itself.

    An element may have several boxes: the boxes of its lines and texts are its boxes, too.
    """
    for child in getattr(box, "children", ()):
        if child.element is not None:
            yield child
        yield from walk(child)


def has(box: Any, name: str) -> bool:
    """Return whether the element of a box has this class. The box must have an element."""
    return name in (box.element.get("class") or "").split()


def _lines(box: Any) -> Iterator[Any]:
    """Yield the rows of tables without their heads, and the items of lists that are printed instead of tables.

    Such a list is a table of one column without heads.
    """
    for candidate in (box, *walk(box)):
        if type(candidate).__name__ == "TableRowBox" and candidate.element_tag == "tr":
            if not (has(candidate, "heads") or has(candidate, "panel")):
                yield candidate
        elif candidate.element is not None and has(candidate, "list"):
            yield from (item for item in candidate.children if item.element_tag == "li")


def top(box: Any) -> float:
    """Return where the border of a box begins, in the engine's pixels from the top of its page."""
    return float(box.border_box_y())


def bottom(box: Any) -> float:
    """Return where the border of a box ends, in the engine's pixels from the top of its page."""
    return top(box) + float(box.border_height())
