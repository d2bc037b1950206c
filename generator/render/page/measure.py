"""The heights of rows and sections, read from boxes that the engine lays out on one endless page.

Lengths are millimetres. A height here equals the height on the final page to the last bit.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple, TypeAlias

from generator.render.blocks import Figure, Ink, Paper, Row, Section, Sheet, Strip
from generator.render.page.html import render_html
from generator.render.page.page_setup import Setting

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

LayOut: TypeAlias = "Callable[[str], list[Any]]"
"""A function that returns the boxes of the pages of an HTML text."""

PIXEL = 25.4 / 96
"""A pixel of the engine in millimetres."""
_PROBE = Row(((Section("", (Strip((Figure(".", "."),)),)),),))
"""A row that stands twice at the top of the page, so that every measured row has the usual gap above it."""
_END = Section("", ())
"""An empty section below a measured section, so that the usual gap between sections is measured."""
_REMEMBERED = 4096


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
    """The heights of the rows of its tables."""
    breaks: tuple[Break, ...] = ()


class Measure:
    """A measurer of the rows of one sheet, which lays out all rows without a known height together."""

    _known: ClassVar[dict[tuple[object, ...], Measured]] = {}
    """All measurements of this process, by content."""

    def __init__(self, sheet: Sheet, paper: Paper, ink: Ink, lay_out: LayOut) -> None:
        self._sheet, self._lay_out = replace(sheet, rows=()), lay_out
        self._of = paper, ink, sheet.close, sheet.landscape, sheet.poster

    def rows(self, rows: Iterable[Row]) -> list[Measured]:
        """Return the measurements of the masthead (with the usual gap between rows) and of each row.

        For a row of ``half`` the width, its section is measured.
        """
        parts = [self._sheet, *(replace(row, new_page=False) for row in rows)]
        new = [part for part in dict.fromkeys(parts) if (part, *self._of) not in self._known]
        if new:
            fresh = [part for part in new if isinstance(part, Row)]
            for part, measured in zip([self._sheet, *fresh], self._measured(fresh), strict=True):
                self._known[part, *self._of] = measured
        found = [self._known[part, *self._of] for part in parts]
        if len(self._known) > _REMEMBERED:
            self._known.clear()
        return found

    def _measured(self, rows: Sequence[Row]) -> Iterator[Measured]:
        """Yield the measurements of the masthead and the rows, laid out on one page."""
        paper, ink, *_ = self._of
        shown = (replace(row, columns=((*row.columns[0], _END), ())) if row.half else row for row in rows)
        sheet = replace(self._sheet, rows=(_PROBE, _PROBE, *(replace(row, loose=True) for row in shown)))
        (page,) = self._lay_out(render_html(sheet, paper, ink, Setting(tall=True)))
        probe, below, *boxes = next(box for box in walk(page) if box.element_tag == "main").children
        yield Measured((top(probe) - page.content_box_y()) * PIXEL, below.margin_top * PIXEL)
        for row, box in zip(rows, boxes, strict=True):
            whole = (
                next(candidate for candidate in walk(box) if candidate.element_tag == "section") if row.half else box
            )
            gap = whole.margin_bottom if row.half else whole.margin_top
            lines = tuple(line.border_height() * PIXEL for line in _lines(whole))
            breaks = tuple(_breaks(whole, top(whole))) if len(row.columns) == 1 else ()
            yield Measured(whole.border_height() * PIXEL, gap * PIXEL, lines, breaks)


def _breaks(box: Any, top: float) -> Iterator[Break]:
    """Yield the places where the engine may end a page within a row, a section or a text."""
    above = None
    for child in (child for child in box.children if child.element is not None and child.height):
        titled = above is not None and (has(above, "bar") or (has(above, "prose") and child.element_tag == "table"))
        if above is not None and not (titled or has(child, "under")):
            yield Break((bottom(above) - top) * PIXEL, 0)
        if child.element_tag == "section" or has(child, "prose"):
            yield from _breaks(child, top)
        elif has(child, "long"):
            heads = sum(candidate.height for candidate in walk(child) if candidate.element_tag == "thead")
            for line, below in pairwise(_lines(child)):
                if not has(below, "follows"):
                    yield Break((bottom(line) - top) * PIXEL, heads * PIXEL)
        above = child


def walk(box: Any) -> Iterator[Any]:
    """Yield the boxes of all elements inside a box, in document order."""
    for child in getattr(box, "children", ()):
        if child.element is not None:
            yield child
        yield from walk(child)


def has(box: Any, name: str) -> bool:
    """Return whether the element of a box has this class."""
    return name in (box.element.get("class") or "").split()


def _lines(box: Any) -> Iterator[Any]:
    """Yield the rows of the bodies of tables, and the items of lists without marks."""
    for candidate in (box, *walk(box)):
        if type(candidate).__name__ == "TableRowBox" and candidate.element_tag == "tr":
            if not (has(candidate, "heads") or has(candidate, "panel")):
                yield candidate
        elif candidate.element is not None and has(candidate, "list"):
            yield from (item for item in candidate.children if item.element_tag == "li")


def top(box: Any) -> float:
    """Return where the border of a box begins."""
    return float(box.border_box_y())


def bottom(box: Any) -> float:
    """Return where the border of a box ends."""
    return top(box) + float(box.border_height())
