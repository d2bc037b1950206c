"""What each of several alike has for itself, such as its own hit boxes: behind the sheet that they share."""

from __future__ import annotations

from dataclasses import replace
from math import ceil
from typing import TYPE_CHECKING, NamedTuple

from generator.documents.heights import row_height
from generator.render.blocks import Cell, Column, Row, Section, Table
from generator.render.writing import LINE, lines_to_write_on

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

_PAGE = 258.0
"""Millimetres of a page, less what the guess may be off."""
_OFF = 12.0
"""How far a guess may be too high: what is no more over a page than that may stand on it, and no lines stand below."""
_HEAD = 6.0
"""What a table of lines to write on takes besides them."""
_BAR = 8.0
"""The bar over lines for notes, and the air above it."""
_NOTES = _HEAD + LINE
"""As much room for notes at least."""
_MOST, _LONG = 12, 11
"""Lines for notes at most, and how many times as long as the word before them they are."""
_SHARES = (5, 3)
_TITLE = 21.0
"""What stands over the first row of a sheet."""
_WORTH = 20.0
"""No lines for notes where no more is left of a page."""


def apiece(rows: Sequence[Row], names: Sequence[str], spare: Collection[str] = ()) -> tuple[Row, ...]:
    """These sections for each of these names, as many on each page, with lines for notes.

    Those with ``spare`` titles are left out where they would cost a page.
    """
    sections = [_bare(section) for row in rows for column in row.columns for section in column]
    if not sections:
        return ()
    needed = [one for one in sections if one.title not in spare]
    columns, shares, high, pages = _laid(sections, len(names))
    if needed and (without := _laid(needed, len(names))).pages < pages:
        columns, shares, high, pages = without
    each = ceil(len(names) / pages)
    lines = int((_PAGE / each - high - _HEAD) // LINE)
    blank, words = Cell("", blank=True), ("Notes", *("",) * (min(_MOST, lines) - 1))
    heads = (Column("", share=1), Column("", share=_LONG))
    written = tuple((Cell(word), blank) for word in words) if lines > 0 else ()
    notes = Table(heads, written, "Lines for notes")
    return tuple(
        row
        for number, name in enumerate(names)
        for row in (
            _row(columns, shares, name, new_page=number % each == 0),
            *((Row(((Section("", (notes,)),),)),) if notes.rows else ()),
        )
    )


def notes(rows: Sequence[Row]) -> tuple[Row, ...]:
    """Lines for notes on what these leave free of their last page; none where that is little."""
    used = _TITLE
    for row in rows:
        high = row_height(row)
        used = high if row.new_page or used + high > _PAGE + _OFF else used + high
    free = _PAGE - used - _BAR
    if free < _WORTH:
        return ()
    lines = lines_to_write_on(int(free // LINE), "Lines for notes")
    return (Row(((Section("Notes", (lines,)),),)),)


class _Laid(NamedTuple):
    """The columns of one, how wide and how high they are, and how many pages all take."""

    columns: tuple[tuple[Section, ...], ...]
    shares: tuple[int, ...]
    high: float
    pages: int


def _laid(sections: Sequence[Section], many: int) -> _Laid:
    first, *others = sections
    columns = ((first,), tuple(others)) if others else ((first,),)
    shares = _SHARES[: len(columns)]
    high = row_height(Row(columns, shares))
    return _Laid(columns, shares, high, ceil(many / max(1, _PAGE // (high + _NOTES))))


def _bare(section: Section) -> Section:
    """A section without what is said on the first sheet already."""
    blocks = (replace(one, note="") if isinstance(one, Table) else one for one in section.blocks)
    return replace(section, aside="", blocks=tuple(blocks))


def of_the_first(row: Row, own: Collection[str], which: str) -> Row:
    """The row with which one it is behind those titles that are about what each has for itself."""
    columns = (
        tuple(replace(one, title=f"{one.title}: {which}") if one.title in own else one for one in column)
        for column in row.columns
    )
    return replace(row, columns=tuple(columns))


def _row(columns: tuple[tuple[Section, ...], ...], shares: tuple[int, ...], name: str, *, new_page: bool) -> Row:
    """The columns of one, under its name."""
    (first, *below), *others = columns
    return Row(((replace(first, title=name), *below), *others), shares, new_page=new_page)
