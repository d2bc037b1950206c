"""Tables in two columns that flow as in a newspaper: down the left, then down the right, cut between rows."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, TypeAlias

from generator.documents.heights import column_height, section_height
from generator.render.blocks import Section, Table

if TYPE_CHECKING:
    from collections.abc import Sequence

_LEAST = 5
"""Rows that each part of a table has at least."""
_AFTER = "continued"


def splits(section: Section, *, every: bool = False) -> bool:
    """Whether it is a table that may run over pages, or of ``every`` kind with a name, and long enough to be cut."""
    if len(section.blocks) != 1:
        return False
    (table,) = section.blocks
    if not isinstance(table, Table) or len(table.rows) < 2 * _LEAST:
        return False
    return table.breakable or (every and bool(table.over))


Columns: TypeAlias = tuple[list[Section], list[Section]]


def flowed(sections: Sequence[Section], room: float, *, every: bool = False) -> tuple[Columns, list[Section]]:
    """Two columns of a page that has this room, in order, and what is left for the next; the last ones end level."""
    waiting = list(sections)
    level = column_height(waiting) / 2
    columns: Columns = ([], [])
    for column, free in zip(columns, (min(level, room), room), strict=True):
        left = free
        while waiting:
            first, rest = _cut(waiting[0], left, every=every)
            if first is None and (column or column is columns[1] or level <= room):
                break
            column.append(first or waiting[0])
            left -= section_height(column[-1])
            waiting[:1] = [rest] if rest is not None else []
            if rest is not None:
                break
    return columns, waiting


def _cut(section: Section, room: float, *, every: bool) -> tuple[Section | None, Section | None]:
    """What of it finds room, and what goes on behind."""
    if section_height(section) <= room:
        return section, None
    if splits(section, every=every):
        (table,) = section.blocks
        if isinstance(table, Table):
            for at in range(len(table.rows) - _LEAST, _LEAST - 1, -1):
                above = replace(section, blocks=(_rows(table, 0, at),))
                if at not in (*table.follows, *table.more) and section_height(above) <= room:
                    return above, replace(section, blocks=(_rows(table, at, len(table.rows)),))
    return None, None


def _rows(table: Table, start: int, end: int) -> Table:
    """Some of its rows, those behind the first under a head that says so."""
    over = f"{table.over}, {_AFTER}" if start and table.over and not table.over.endswith(_AFTER) else table.over
    return replace(
        table,
        over=over,
        rows=table.rows[start:end],
        group_rows=tuple(one - start for one in table.group_rows if start <= one < end),
        follows=tuple(one - start for one in table.follows if start <= one < end),
        more=tuple(one - start for one in table.more if start <= one < end),
    )
