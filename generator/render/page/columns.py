"""Fills pages: sections of half the width go side by side into two columns, maps and lines grow into what is left.

Every height is measured. Lengths are millimetres.
"""

from __future__ import annotations

from dataclasses import replace
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple

from generator.render.blocks import Map, Row, Table
from generator.render.geometry import FOOT_LINE, geometry
from generator.render.page.measure import Measure, Measured

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from generator.render.blocks import Block, Ink, Paper, Sheet
    from generator.render.page.measure import LayOut
    from generator.render.page.page_setup import Setting

_PASSED = 4
"""How many items a later one may overtake to fill the page before them."""
_LEAST = 5
"""Rows that each part of a divided table has at least, and lines to write on that are worth their title."""
_BEGUN = 0.1
"""The least part of a page that a row takes if it ends on another page."""
_LEVEL = 4.0
"""Columns whose ends differ by less end together: their order counts more."""
_ROUNDING = 0.1
"""What a page keeps free, because drawings have their sizes in hundredths of a millimetre."""
_SHORT = 0.3
"""The part of its last page that a sheet may take with closer rows instead."""
_CONTINUED = ", continued"


class _Item(NamedTuple):
    """A row to be placed, or a section in a row of half the width."""

    row: Row
    size: Measured
    lines: _Item | None = None
    """Lines to write on that stand below it where it is the last of its page."""

    @property
    def is_title(self) -> bool:
        """Whether it is nothing but the bar over what follows."""
        return not any(_blocks(self.row))

    @property
    def least(self) -> float:
        """The least of it that a title can stand over."""
        return min((item.at for item in self.size.breaks), default=self.size.height)


class _Columns(NamedTuple):
    """Sections in two columns, with the ways to divide them that have room."""

    items: tuple[_Item, ...] = ()
    ways: Mapping[int, tuple[float, tuple[int, ...]]] = MappingProxyType({0: (0.0, ())})
    """By the rounded height of the left column: that height, and for each section its column, 0 or 1."""

    @property
    def total(self) -> float:
        """The height of both columns, with the gap below each section."""
        return sum(item.size.height + item.size.gap for item in self.items)

    def taking(self, item: _Item, room: float) -> _Columns | None:
        """Return them with one more; None where it has room in neither column."""
        made = _Columns((*self.items, item))
        room += min(each.size.gap for each in made.items)
        ways: dict[int, tuple[float, tuple[int, ...]]] = {}
        for left, sides in self.ways.values():
            for way in ((left + item.size.height + item.size.gap, (*sides, 0)), (left, (*sides, 1))):
                if max(way[0], made.total - way[0]) <= room:
                    key = int(way[0])
                    ways[key] = min(way, ways.get(key, way), key=lambda each: each[1])
        return made._replace(ways=ways) if ways else None

    def level(self) -> tuple[tuple[_Item, ...], tuple[_Item, ...]]:
        """Return the columns that end together, or nearly; of several the first sections stand at the left."""
        total = self.total
        _, sides = min(self.ways.values(), key=lambda way: (max(way[0], total - way[0]) // _LEVEL, way[1]))
        left, right = (tuple(item for item, at in zip(self.items, sides, strict=True) if at == side) for side in (0, 1))
        return left, right

    def gap(self, room: float) -> float:
        """Return the most that one column can have left while the other holds all it can."""
        return room - min(min(left, self.total - left) for left, _ in self.ways.values())


class _Page:
    """A page while it is filled."""

    def __init__(self, measure: Measure, room: float, used: float, lines: _Item | None) -> None:
        """``used`` is what the end of a row takes that began on the page before, ``lines`` may stand below that."""
        self._measure, self._gap = measure, measure.rows(())[0].gap
        self._room, self._used, self._lines = room, used, lines
        self._continues = used > 0
        self._items: list[_Item] = []
        self._columns = _Columns()
        self.over: tuple[int, float] = 0, 0.0
        """On how many more pages its last row goes on, and what it takes of the last of them."""

    @property
    def used(self) -> float:
        """The part of the page that is used."""
        return self._used / self._room

    @property
    def _left(self) -> float:
        return self._room - self._used - (self._gap if self._used else 0)

    @property
    def _is_empty(self) -> bool:
        return not self._used and not self._columns.items

    @property
    def lines(self) -> _Item | None:
        """The lines that may stand below its last item."""
        return self._items[-1].lines if self._items else self._lines

    def fill(self, waiting: Sequence[_Item], room: float, *, cut: bool) -> list[_Item]:
        """Take what has room, and return the rest; the next page has this ``room``.

        A section may overtake a few items that have no room.
        """
        rest: list[_Item] = []
        for number, item in enumerate(waiting):
            begins = not self._is_empty and (item.row.new_page or item.row.new_leaf)
            if begins or self.over[0] or len(rest) > _PASSED or any(item.is_title for item in rest):
                rest += waiting[number:]
                break
            if item.row.half:
                rest += self._section(item, cut=cut and not rest)
            elif rest or not self._row(item, waiting[number + 1 : number + 2], room):
                rest.append(item)
        self._close(room)
        return rest

    def _section(self, item: _Item, *, cut: bool) -> list[_Item]:
        """Take a section, or a part of it; return what has no room."""
        columns, rest = self._columns.taking(item, self._left), []
        if columns is None and (parts := self._parts(item, self._columns.gap(self._left), cut=cut)):
            columns, rest = self._columns.taking(parts[0], self._left), [parts[1]]
        if columns is None and self._is_empty:  # no page holds it
            columns, rest = _Columns((item,), {0: (0.0, (0,))}), []
        self._columns = columns or self._columns
        return rest if columns else [item]

    def _parts(self, item: _Item, room: float, *, cut: bool) -> tuple[_Item, _Item] | None:
        """Return the one table of a section in two, the first no higher than ``room``; None where it stays whole."""
        (section,), size = item.row.columns[0], item.size
        table = section.blocks[0] if len(section.blocks) == 1 else None
        if not isinstance(table, Table) or not (table.breakable or (cut and table.over)):
            return None
        heads, kept = size.height - sum(size.lines), (*table.follows, *table.more)
        for at in range(len(table.rows) - _LEAST, _LEAST - 1, -1):
            if at not in kept and heads + sum(size.lines[:at]) <= room:
                parts = [_some(table, 0, at), _some(table, at, len(table.rows))]
                rows = [replace(item.row, columns=((replace(section, blocks=(part,)),),)) for part in parts]
                above, below = map(_Item, rows, self._measure.rows(rows)[1:])
                return above, below._replace(lines=item.lines)
        return None

    def _row(self, item: _Item, behind: Sequence[_Item], room: float) -> bool:
        """Take a row below what there is, if it has room or no page holds it; return whether it was taken."""
        high, left, empty = item.size.height, self._left, self._is_empty
        if self._columns.items:
            left -= _height(self._columns.level()) + self._gap
        under = self._gap + behind[0].least if item.is_title and behind else 0.0
        grows = _growing(item.row) is not None
        over: tuple[int, float] | None = (0, 0.0)
        if high + under > left and not (empty and grows):  # alone on its page a map is made smaller
            over = None if (grows or item.is_title) and not empty else _over(item.size, left, room, forced=empty)
        if over is None:
            return False
        self._close(room)
        self._items.append(item)
        self._used, self.over = self._room - self._left + high, over
        return True

    def _close(self, room: float) -> None:
        """Put the sections so far side by side; a single one with a title has the whole width."""
        columns = self._columns
        if not columns.items:
            return
        self._columns = _Columns()
        lines = next((item.lines for item in reversed(columns.items) if item.lines), None)
        if len(columns.items) == 1 and (section := columns.items[0].row.columns[0][0]).title:
            row = Row(((section,),))
            size = self._measure.rows((row,))[1]
        else:
            level = columns.level()
            row = Row(tuple(tuple(item.row.columns[0][0] for item in column) for column in level))
            size = Measured(_height(level), self._gap)
        if size.height > self._left:
            row, self.over = replace(row, loose=True), _over(size, self._left, room, forced=True) or (0, 0.0)
        self._used = self._room - self._left + size.height
        self._items.append(_Item(row, size, lines))

    def rows(self, ink: Ink, width: float, *, first: bool) -> Iterator[Row]:
        """Yield the rows of the page; a map in them, then lines below them have grown into what is left."""
        free, lines = self._room - self._used, self.lines
        for number, item in enumerate(self._items):
            begins = number == 0 and not (first or self._continues or item.row.new_leaf)
            row = replace(item.row, new_page=begins, half=False)
            if (plan := _growing(row)) is not None:
                row, taken = _grown(row, plan, ink, width, free)
                free -= taken
            yield row
        if lines is not None and not self.over[0] and lines.size.height <= (left := free - self._gap):
            more = int((left - lines.size.height) / lines.size.lines[0])
            yield _with_lines(lines.row, _LEAST + more)


def arranged(sheet: Sheet, paper: Paper, ink: Ink, setting: Setting, lay_out: LayOut) -> Sheet:
    """Return the sheet with its rows on the pages of this paper; a sheet in which nothing flows or grows as it is."""
    rows = [row for row in sheet.rows if not (setting.folded and _is_lines(row))]
    if not sheet.flows and not any(_is_lines(row) or _growing(row) for row in rows):
        return replace(sheet, rows=tuple(rows))
    pages = _laid(sheet, rows, paper, ink, setting, lay_out)
    if len(pages) > 1 and pages[-1].used < _SHORT:
        close = replace(sheet, close=True)
        closer = _laid(close, rows, paper, ink, setting, lay_out)
        if len(closer) < len(pages):
            sheet, pages = close, closer
    width = geometry(paper, folded=setting.folded).width
    made = (row for page in pages for row in page.rows(ink, width, first=page is pages[0]))
    return replace(sheet, rows=tuple(made))


def _laid(sheet: Sheet, rows: Sequence[Row], paper: Paper, ink: Ink, setting: Setting, lay_out: LayOut) -> list[_Page]:
    """Return the pages that the rows fill."""
    page, kept = geometry(paper, folded=setting.folded), setting.higher_foot * FOOT_LINE + _ROUNDING
    measure = Measure(sheet, paper, ink, lay_out, folded=setting.folded)
    masthead, *sizes = measure.rows(_with_lines(row, _LEAST) if _is_lines(row) else _smallest(row) for row in rows)
    items: list[_Item] = []
    for row, size in zip(rows, sizes, strict=True):
        if _is_lines(row) and items:
            items[-1] = items[-1]._replace(lines=_Item(row, size))
        else:
            items.append(_Item(row, size))
    rooms = page.first - masthead.height - kept, page.height - kept
    # A table that stays whole is easier to read: one is divided only where that saves a page.
    return min((_pages(items, measure, rooms, cut=cut) for cut in (False, True)), key=len)


def _pages(items: Sequence[_Item], measure: Measure, rooms: tuple[float, float], *, cut: bool) -> list[_Page]:
    """Put all items on pages: the first has the first of the ``rooms``, each further page the second."""
    pages: list[_Page] = []
    waiting, used, lines = list(items), 0.0, None
    while waiting or used:
        page = _Page(measure, rooms[bool(pages)], used, lines)
        waiting = page.fill(waiting, rooms[1], cut=cut)
        more, used = page.over
        lines = page.lines
        pages += [page, *(_Page(measure, rooms[1], rooms[1], None) for _ in range(more - 1))]
    return pages


def _over(size: Measured, left: float, room: float, *, forced: bool) -> tuple[int, float] | None:
    """Return on how many more pages a row goes on, and what it takes of the last; None where it begins on the next.

    Only a long table, or what no page holds, is divided. A row that is ``forced`` begins here. Where no page holds a
    part of it, the engine divides that part.
    """
    start = again = 0.0
    pages = 0
    if not forced and size.height <= room and not any(item.again for item in size.breaks):
        return None
    while size.height - start + again > left:
        ends = [item for item in size.breaks if item.at > start and item.at - start + again <= left]
        if not (forced or pages) and (not ends or ends[-1].at < _BEGUN * room):
            return None
        start, again = ends[-1] if ends else (start + max(left - again, 1.0), again)
        pages, left = pages + 1, room
    return pages, size.height - start + again if pages else 0.0


def _height(columns: Sequence[Sequence[_Item]]) -> float:
    """Return how far down the longer of the columns ends."""
    there = filter(None, columns)
    return max(sum(item.size.height + item.size.gap for item in column) - column[-1].size.gap for column in there)


def _blocks(row: Row) -> Iterator[Block]:
    return (block for column in row.columns for section in column for block in section.blocks)


def _is_lines(row: Row) -> bool:
    return any(section.filling for column in row.columns for section in column)


def _with_lines(row: Row, many: int) -> Row:
    """Return lines to write on with so many of them."""
    (section,) = row.columns[0]
    tables = (replace(block, rows=block.rows[:1] * many) for block in section.blocks if isinstance(block, Table))
    return replace(row, columns=((replace(section, blocks=tuple(tables)),),))


def _growing(row: Row) -> Map | None:
    """Return the map in the row that grows."""
    return next((block for block in _blocks(row) if isinstance(block, Map) and block.least), None)


def _smallest(row: Row) -> Row:
    """Return the row with its map as small as may be."""
    plan = _growing(row)
    return row if plan is None else _with_map(row, plan, replace(plan, highest=plan.least))


def _grown(row: Row, plan: Map, ink: Ink, width: float, free: float) -> tuple[Row, float]:
    """Return the row with its map as high as what is ``free`` allows, and how much of that it takes."""
    from generator.render.maps.map import fitted, whole_height  # few documents have a map

    least = whole_height(replace(plan, highest=plan.least), ink, width)
    made = fitted(plan, ink, width, least + free)
    return _with_map(row, plan, made), whole_height(made, ink, width) - least


def _with_map(row: Row, plan: Map, made: Map) -> Row:
    """Return the row with another map instead of this one."""
    columns = (
        tuple(replace(item, blocks=tuple(made if block is plan else block for block in item.blocks)) for item in column)
        for column in row.columns
    )
    return replace(row, columns=tuple(columns))


def _some(table: Table, start: int, end: int) -> Table:
    """Return some rows of a table; those behind the first part stand under a head that says so."""
    over = f"{table.over.removesuffix(_CONTINUED)}{_CONTINUED}" if start and table.over else table.over

    def inside(indices: tuple[int, ...]) -> tuple[int, ...]:
        return tuple(index - start for index in indices if start <= index < end)

    return replace(
        table,
        over=over,
        rows=table.rows[start:end],
        group_rows=inside(table.group_rows),
        follows=inside(table.follows),
        more=inside(table.more),
    )
