"""What each of several alike has for itself, such as its own hit boxes: behind the sheet that they share."""

from __future__ import annotations

from dataclasses import replace
from math import ceil
from typing import TYPE_CHECKING, NamedTuple

from generator.documents.heights import ACROSS, BETWEEN, column_height
from generator.render.blocks import Cell, Column, Row, Section, Table

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

_PAGE = 258.0
"""Millimetres of a page, less what the guess may be off."""
_LINE, _HEAD = 7.5, 6.0
"""A line to write on, and what a table of them takes besides."""
_NOTES = _HEAD + _LINE
"""As much room for notes at least."""
_MOST, _LONG = 12, 11
"""Lines for notes at most, and how many times as long as the word before them they are."""
_SHARES = (5, 3)
_SPACE = "\N{NO-BREAK SPACE}"


def apiece(rows: Sequence[Row], name: str, many: int, spare: Collection[str] = ()) -> tuple[Row, ...]:
    """These sections for the second of so many, the third and so on, as many on each page, with lines for notes.

    Those with ``spare`` titles are left out where they would cost a page.
    """
    sections = [_bare(section) for row in rows for column in row.columns for section in column]
    if not sections:
        return ()
    needed = [one for one in sections if one.title not in spare]
    columns, shares, high, pages = _laid(sections, many)
    if needed and (without := _laid(needed, many)).pages < pages:
        columns, shares, high, pages = without
    each = ceil((many - 1) / pages)
    lines = int((_PAGE / each - high - _HEAD) // _LINE)
    blank, words = Cell("", blank=True), ("Notes", *("",) * (min(_MOST, lines) - 1))
    heads = (Column("", share=1), Column("", share=_LONG))
    written = tuple((Cell(word), blank) for word in words) if lines > 0 else ()
    notes = Table(heads, written, "Lines for notes")
    return tuple(
        row
        for number in range(many - 1)
        for row in (
            _row(columns, shares, f"{name}{_SPACE}{number + 2}", new_page=number % each == 0),
            *((Row(((Section("", (notes,)),),)),) if notes.rows else ()),
        )
    )


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
    wide = ACROSS - BETWEEN * (len(columns) - 1)
    across = [wide * share / sum(shares) for share in shares]
    high = max(map(column_height, columns, across))
    return _Laid(columns, shares, high, ceil((many - 1) / max(1, _PAGE // (high + _NOTES))))


def _bare(section: Section) -> Section:
    """A section without what is said on the first sheet already."""
    blocks = (replace(one, note="") if isinstance(one, Table) else one for one in section.blocks)
    return replace(section, aside="", blocks=tuple(blocks))


def of_the_first(row: Row, own: Collection[str]) -> Row:
    """The row with a number behind those titles that are about what each has for itself."""
    columns = (
        tuple(replace(one, title=f"{one.title}: 1") if one.title in own else one for one in column)
        for column in row.columns
    )
    return replace(row, columns=tuple(columns))


def _row(columns: tuple[tuple[Section, ...], ...], shares: tuple[int, ...], name: str, *, new_page: bool) -> Row:
    """The columns of one, under its name."""
    (first, *below), *others = columns
    return Row(((replace(first, title=name), *below), *others), shares, new_page=new_page)
