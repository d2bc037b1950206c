"""Sections in two columns, page by page: each page takes of those that come next what fills both its columns."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations, groupby, takewhile
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from generator.documents.columns import balanced
from generator.documents.flowing import flowed, splits
from generator.documents.heights import AIR, CLOSE, column_height, row_height, section_height
from generator.render.blocks import Row, Section, Table

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

_FIRST, _PAGE = 249.0, 263.0
"""Millimetres that a first page and a further one have for rows, less what the guess may be off."""
_AGAIN = 9.0
"""What a table takes more that runs over the end of a page: its heads once more, and the last row's place."""
_ANYWHERE, _TRIED = 200.0, 7
"""How much of both columns is filled in order, and of how many sections behind that every way is tried."""
_LATE = 12.0
"""Millimetres that may stay empty before one section goes ahead of another."""
_LITTLE = 20.0
"""Less room than that is left as it is."""
_HALF, _QUARTER, _ENOUGH, _SPILT = 0.5, 0.28, 0.4, 0.1
"""Of two pages one that is less full than a half gets some of the other, of more one that is less full than about a
quarter, until it has enough. A last one with less still is spared by taking air."""
_LOWER = (0.97, 0.94, 0.91, 0.88, 0.85, 0.82, 0.79, 0.76)
"""How much of each page may be used then, of the first one where that of the others is too little."""
_PART = 40.0
"""What the first part of a table takes that is cut, about."""
_OVER = 8.0
"""What may stand out below the other column."""
_AFTER = AIR - CLOSE
"""What parts tables without a bar from the row below."""
_LITTLE_ON_IT, _NEARLY_ALL = 0.4, 0.8
"""Parts of a last page between which it is left as it is."""

Item: TypeAlias = Row | Section


class Paged(NamedTuple):
    """Rows over pages."""

    rows: tuple[Row, ...]
    evened: bool
    """Whether air should be tried: the last page has little, or so much that a line may be left over."""


def paged(rows: Sequence[Row]) -> Paged:
    """The rows, those of two equal columns put together and divided anew, so that columns end where pages do.

    Others stay as they are; where one of them does not fit on a page, sections from behind it fill what is left. Tables
    of designs are cut between rows where that saves a page.
    """
    items = list(_items(rows))
    laid, cut = _Pages(1).laid(items), _Pages(1, cut=True).laid(items)
    if len(cut.used) < len(laid.used):
        laid = cut
    least = (_HALF if len(laid.used) == 2 else _QUARTER) * _PAGE  # noqa: PLR2004 - one and the other
    if len(laid.used) > 1 and min(laid.used) < least and laid.used[-1] > _SPILT * _PAGE:
        tries = (_Pages(part, cut=laid is cut, full=full).laid(items) for full in (True, False) for part in _LOWER)
        alike = [one for one in tries if len(one.used) == len(laid.used)]
        enough = (one for one in alike if min(one.used) >= _ENOUGH * _PAGE)
        laid = next(enough, None) or max((laid, *alike), key=lambda one: min(one.used))
    return Paged(tuple(laid.rows), not _LITTLE_ON_IT * _PAGE < laid.used[-1] < _NEARLY_ALL * _PAGE)


def _items(rows: Sequence[Row]) -> Iterator[Item]:
    for row in rows:
        if row.half or (len(row.columns) == 2 and not row.shares):  # noqa: PLR2004 - two columns
            yield from (section for column in row.columns for section in column)
        else:
            yield row


class _Pages:
    """Pages of which a part may be used, the first perhaps in ``full``; with less than all, each begins by force.

    Tables are ``cut`` or kept.
    """

    def __init__(self, part: float, *, cut: bool = False, full: bool = False) -> None:
        self._part, self._cut, self._full = part, cut, full
        self.rows: list[Row] = []
        self.used = [0.0]
        """How much of each page is used."""
        self._begins = False

    def laid(self, items: Sequence[Item]) -> _Pages:
        """Everything put on them."""
        waiting = list(items)
        while waiting:
            first = waiting[0]
            if isinstance(first, Section):
                waiting = self._sections(waiting)
            elif not self.used[-1] or _fits(first, self._room() - self._under(first, waiting[1:])):
                self._put(first, row_height(first))
                del waiting[0]
            elif _is_bar(first):
                self._turn()
            else:
                waiting = self._sections(waiting)
                self._turn()
        return self

    def _room(self) -> float:
        part = 1 if self._full and len(self.used) == 1 else self._part
        return self._whole() * part - self.used[-1]

    def _whole(self) -> float:
        return _FIRST if len(self.used) == 1 else _PAGE

    def _under(self, row: Row, behind: Sequence[Item]) -> float:
        """The room that a bar needs for the first of what it is the title of; nothing for another row."""
        if not _is_bar(row) or not behind or not isinstance(behind[0], Section):
            return 0.0
        high = section_height(behind[0])
        return min(high, _PART) if splits(behind[0], every=self._cut) else high

    def _sections(self, waiting: list[Item]) -> list[Item]:
        """The next sections, and later ones that fill the page where the row behind does not fit; what is left."""
        room = self._room()
        run = [one for one in takewhile(lambda one: isinstance(one, Section), waiting) if isinstance(one, Section)]
        later = [one for one in waiting[len(run) :] if isinstance(one, Section)]
        if not run and room < _LITTLE:
            return waiting
        if any(splits(one, every=self._cut) for one in run):
            columns, left_over = flowed(run, room, every=self._cut)
            self._row(columns)
            if left_over:
                self._turn()
            return [*left_over, *waiting[len(run) :]]
        columns, placed = _filled(run, room, alone=not self.used[-1])
        behind = waiting[len(run)] if len(run) < len(waiting) else None
        if isinstance(behind, Row) and len(placed) == len(run):
            left = room - max(map(column_height, columns))
            if not _fits(behind, left):
                columns, placed = _filled([*run, *later], room, alone=not self.used[-1])
            elif len(run) == 1:
                columns[1].extend(_beside(run[0], later, room))
                placed = [*columns[0], *columns[1]]
        self._row(columns)
        rest = [one for one in waiting if not any(one is other for other in placed)]
        if run and rest[:1] and isinstance(rest[0], Section):
            self._turn()
        return rest

    def _row(self, columns: Sequence[Sequence[Section]]) -> None:
        there = tuple(tuple(_together(one)) for one in columns if one)
        if there:
            whole = all(one.title for column in there for one in column)
            high = max(map(column_height, columns))
            after = 0.0 if whole else min(_AFTER, max(0.0, self._room() - high))
            if len(there) == 1 and not whole:
                there = (*there, ())  # a table of half the width is as wide here as on other pages
            self._put(Row(there, loose=True, whole=whole), high + after)

    def _put(self, row: Row, high: float) -> None:
        forced = self._begins and (self._part < 1 or _tears(row))
        self.rows.append(replace(row, new_page=row.new_page or forced))
        self._begins = False
        self.used[-1] += high
        while self.used[-1] > (most := self._whole()):  # what no page can hold runs over the next
            self.used += [self.used[-1] - most + _AGAIN]
            self.used[-2] = most

    def _turn(self) -> None:
        self.used.append(0.0)
        self._begins = True


def _is_bar(row: Row) -> bool:
    """Whether it is nothing but a title."""
    return not any(section.blocks for column in row.columns for section in column)


def _together(sections: Sequence[Section]) -> Iterator[Section]:
    """Those without a bar that follow each other are one: their tables stand closer."""
    for bare, alike in groupby(sections, lambda one: not one.title):
        if bare:
            yield Section("", tuple(block for one in alike for block in one.blocks))
        else:
            yield from alike


def _filled(
    sections: Sequence[Section], room: float, *, alone: bool
) -> tuple[tuple[list[Section], list[Section]], list[Section]]:
    """Two columns that are as full as may be, and which sections they hold.

    Those that are higher than any page go to one that they have ``alone``.
    """
    high = [section_height(one) for one in sections]
    whole = balanced(sections)
    if max(map(column_height, whole)) <= room:
        return (list(whole[0]), list(whole[1])), list(sections)
    begun, apart = list[int](), [0.0, 0.0]
    for tall in high:  # in order, where the end of the page is still far
        side = apart.index(min(apart))
        if sum(apart) + tall > _ANYWHERE or apart[side] + tall > room:
            break
        apart[side] += tall
        begun.append(side)
    tried = high[len(begun) : len(begun) + _TRIED]
    best = min(_ways(tried, apart, room), key=lambda way: _waste(way, tried, apart, room))
    columns: tuple[list[Section], list[Section]] = ([], [])
    for one, chosen in zip(sections, (*begun, *best), strict=False):
        if chosen is not None:
            columns[chosen].append(one)
    if alone and not any(columns):
        columns[0].append(sections[0])
    return columns, [*columns[0], *columns[1]]


def _beside(section: Section, later: Sequence[Section], room: float) -> list[Section]:
    """What of the later sections stands beside one that would be alone: about as much as that."""
    tall = section_height(section)
    nearest = later[:_TRIED]
    ways = (way for many in range(len(nearest) + 1) for way in combinations(nearest, many))
    fitting = (list(way) for way in ways if column_height(way) <= min(tall + _OVER, room))
    return max(fitting, key=lambda way: (column_height(way) // _OVER, -len(way)))


def _ways(high: Sequence[float], apart: Sequence[float], room: float) -> Iterator[tuple[int | None, ...]]:
    """Every way to put these on the left (0), on the right (1), or off the page, as far as there is room."""
    if not high:
        yield ()
        return
    for side in (0, 1):
        if apart[side] + high[0] <= room:
            longer = (apart[0] + high[0], apart[1]) if side == 0 else (apart[0], apart[1] + high[0])
            yield from ((side, *rest) for rest in _ways(high[1:], longer, room))
    yield from ((None, *rest) for rest in _ways(high[1:], apart, room))


def _waste(
    way: Sequence[int | None], high: Sequence[float], apart: Sequence[float], room: float
) -> tuple[float, float]:
    """What stays empty, and what it costs that some go ahead of others; then how far the columns are apart."""
    ends = [apart[one] + sum(tall for tall, side in zip(high, way, strict=True) if side == one) for one in (0, 1)]
    late = sum(any(after is not None for after in way[at:]) for at, side in enumerate(way) if side is None)
    return 2 * room - sum(ends) + _LATE * late, abs(ends[0] - ends[1])


def _fits(row: Row, room: float) -> bool:
    return not row.new_page and ((_runs_over(row) and room > _LITTLE) or row_height(row) <= room)


def _runs_over(row: Row) -> bool:
    """Whether it may begin on one page and end on another."""
    return row.loose or any(_breakable(row))


def _tears(row: Row) -> bool:
    """Whether a design of it would begin on a page that has room for a few of its lines."""
    return any(table.over for table in _breakable(row))


def _breakable(row: Row) -> Iterator[Table]:
    """Its tables that may run over pages."""
    blocks = (block for column in row.columns for section in column for block in section.blocks)
    return (block for block in blocks if isinstance(block, Table) and block.breakable)
