"""Page filling: half-width sections go into two columns; maps grow into free space; blocks of books go into columns.

Every height is measured. Lengths are millimetres; those of books are the pixels of the engine, 96 to the inch.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import pairwise
from types import MappingProxyType
from typing import Any, NamedTuple

from generator.render.blocks import Block, Ink, Map, Paper, Row, Sheet, Table
from generator.render.book import Band, Book, Chapter, Heading
from generator.render.geometry import FOOT_LINE, geometry
from generator.render.page.html import LayoutOptions, page_setup_of, render_html
from generator.render.page.measure import PIXEL, LayOut, Measured, Measurer, bottom, has, top, walk

_PASSED = 4
"""Number of items that a later item may be moved ahead of, to fill a page."""
_LEAST = 5
"""Fewest rows in each part of a divided table."""
_BEGUN = 0.1
"""Smallest share of a page that a row must fill if it continues on the next page."""
_LEVEL = 4.0
"""Column heights that differ by less than this count as equal, so that the order of the sections decides."""
_ROUNDING = 0.1
"""Space kept free on each page, because drawings have sizes in hundredths of a millimetre."""
_SHORT = 0.3
"""If less of the last page than this share is used, closer rows are tried to save that page."""


class _Item(NamedTuple):
    """A row to be placed, or a section in a row of half the width."""

    row: Row
    size: Measured

    @property
    def is_title(self) -> bool:
        """Whether the item is only a title bar over the next items."""
        return not self.row.blocks

    @property
    def least(self) -> float:
        """The height in millimetres down to the first place where the item may be divided, else its whole height.

        This part of the item must be on the page of the title above it.
        """
        return min((item.at for item in self.size.breaks), default=self.size.height)


class _Columns(NamedTuple):
    """Sections in two columns, with the divisions of them that fit: one for each whole height of the left column."""

    items: tuple[_Item, ...] = ()
    ways: Mapping[int, tuple[float, tuple[int, ...]]] = MappingProxyType({0: (0.0, ())})
    """By the rounded height of the left column: that height, and for each section its column, 0 or 1."""

    @property
    def total(self) -> float:
        """The height of all sections of both columns, with the gap below each section."""
        return sum(item.size.height + item.size.gap for item in self.items)

    def taking(self, item: _Item, room: float) -> _Columns | None:
        """Return the columns with this item added; None if no division into two columns was found.

        ``room`` is the height of a column in millimetres. Earlier items may change columns to make room.
        """
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
        """Return the left and right columns at about equal height.

        Each keeps the order of the sections. Of equally good divisions, take the one with earlier sections at the left.
        """
        total = self.total
        _, sides = min(self.ways.values(), key=lambda way: (max(way[0], total - way[0]) // _LEVEL, way[1]))
        left, right = (tuple(item for item, at in zip(self.items, sides, strict=True) if at == side) for side in (0, 1))
        return left, right

    def gap(self, room: float) -> float:
        """Return the most free height of a column in any of the ``ways``; ``room`` is the height of a column."""
        return room - min(min(left, self.total - left) for left, _ in self.ways.values())


class _Page:
    """A page that is being filled."""

    def __init__(self, measure: Measurer, room: float, used: float) -> None:
        """Begin a page of the height ``room``. A row from the page before takes the height ``used`` at its top."""
        self._measure, self._gap = measure, measure.rows(())[0].gap
        self._room, self._used = room, used
        self._continues = used > 0
        self._items: list[_Item] = []
        self._columns = _Columns()
        self.over: tuple[int, float] = 0, 0.0
        """The number of further pages that the last row continues on, and the height it uses on the last of them."""

    @property
    def used(self) -> float:
        """The height of the page's rows as a part of the page's height.

        More than 1 if the last row does not fit on the page, because the row counts as a whole.
        """
        return self._used / self._room

    @property
    def _left(self) -> float:
        return self._room - self._used - (self._gap if self._used else 0)

    @property
    def _is_empty(self) -> bool:
        return not self._used and not self._columns.items

    def fill(self, waiting: Sequence[_Item], room: float, *, cut: bool) -> list[_Item]:
        """Put the items that fit on this page, and return the other items. ``room`` is the height of the next page.

        An empty page takes its first item, or a part of this item, in any case. An item with ``new_page`` stays for the
        next page unless this page is empty. A section may be moved ahead of a few items that do not fit. With ``cut``,
        tables with a line above their heads may be divided, too.
        """
        rest: list[_Item] = []
        for number, item in enumerate(waiting):
            begins = not self._is_empty and item.row.new_page
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
        """Put a section, or a part of it, on the page; return the items that do not fit.

        An empty page takes a section that does not fit and cannot be divided. With ``cut``, a table with a line above
        its heads may be divided, too.
        """
        columns, rest = self._columns.taking(item, self._left), []
        if columns is None and (parts := self._parts(item, self._columns.gap(self._left), cut=cut)):
            columns, rest = self._columns.taking(parts[0], self._left), [parts[1]]
        if columns is None and self._is_empty:  # no page holds it
            columns, rest = _Columns((item,), {0: (0.0, (0,))}), []
        self._columns = columns or self._columns
        return rest if columns else [item]

    def _parts(self, item: _Item, room: float, *, cut: bool) -> tuple[_Item, _Item] | None:
        """Return a section as two parts, divided as late in its table as fits; None if no place for a division fits.

        Only a section whose single block is a ``breakable`` table can be divided. With ``cut``, the block may also be a
        table with a line above its heads. The first part is at most ``room`` high. Each part has at least five rows.
        """
        (section,) = item.row.columns[0]
        table = section.blocks[0] if len(section.blocks) == 1 else None
        if not isinstance(table, Table) or not (table.breakable or (cut and table.over)):
            return None

        def parts(*tables: Table) -> Iterator[_Item]:
            rows = [replace(item.row, columns=((replace(section, blocks=(part,)),),)) for part in tables]
            return map(_Item, rows, self._measure.rows(rows)[1:])

        [(_, size)] = parts(replace(table, note=""))
        heads, kept = size.height - sum(size.lines), (*table.follows, *table.more)
        for at in range(len(table.rows) - _LEAST, _LEAST - 1, -1):
            if at not in kept and heads + sum(size.lines[:at]) <= room:
                above, below = parts(_some(table, 0, at), _some(table, at, len(table.rows)))
                return above, below
        return None

    def _row(self, item: _Item, behind: Sequence[_Item], room: float) -> bool:
        """Put a row on the page if it fits or can be divided, or the page is empty; return whether the row was put.

        ``behind`` holds the next item, if any: a title stays with the start of that item. ``room`` is the height of the
        next page. How far a divided row continues on the next pages is then in ``over``.
        """
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
        """Put the sections so far into one row of two columns. A single section with a title gets the full width.

        ``room`` is the height of the next page. How far the row continues on the next pages is then in ``over``.
        """
        columns = self._columns
        if not columns.items:
            return
        self._columns = _Columns()
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
        self._items.append(_Item(row, size))

    def rows(self, width: float, *, first: bool) -> Iterator[Row]:
        """Yield the rows of the page; maps, ``width`` millimetres wide, grow into the free height.

        ``first`` is for the first page of a sheet. Each other page begins with a page break, unless a row from the
        page before goes on at its top.
        """
        free = self._room - self._used
        for number, item in enumerate(self._items):
            begins = number == 0 and not (first or self._continues)
            row = replace(item.row, new_page=begins, half=False)
            if (plan := _growing(row)) is not None:
                from generator.render.maps.map import height  # few documents have a map

                least = height(replace(plan, highest=plan.least), width)
                made = replace(plan, highest=min(least + free, plan.highest))
                row, free = _with_map(row, plan, made), free - (height(made, width) - least)
            yield row


def arranged(sheet: Sheet, paper: Paper, setting: LayoutOptions, measure_of: Callable[[Sheet], Measurer]) -> Sheet:
    """Return the sheet with its rows arranged on pages of this paper.

    Sections of half the width go into two columns, and maps grow into free space. Rows are closer together if this
    saves a last page with little on it. Unchanged if the sheet does not flow and has no map that grows. ``measure_of``
    returns a measurer for a sheet.
    """
    if not sheet.flows and not any(map(_growing, sheet.rows)):
        return sheet
    pages = _laid(sheet, paper, setting, measure_of(sheet))
    if len(pages) > 1 and pages[-1].used < _SHORT:
        close = replace(sheet, close=True)
        closer = _laid(close, paper, setting, measure_of(close))
        if len(closer) < len(pages):
            sheet, pages = close, closer
    width = geometry(paper, landscape=sheet.landscape, poster=sheet.poster).width
    made = (row for page in pages for row in page.rows(width, first=page is pages[0]))
    return replace(sheet, rows=tuple(made))


def _laid(sheet: Sheet, paper: Paper, setting: LayoutOptions, measure: Measurer) -> list[_Page]:
    """Return the pages that the rows of a sheet fill.

    Tables with a line above their heads may be divided, too, if this saves a page.
    """
    page = geometry(paper, landscape=sheet.landscape, poster=sheet.poster)
    kept = setting.higher_foot * FOOT_LINE + _ROUNDING
    masthead, *sizes = measure.rows(map(_smallest, sheet.rows))
    items = [*map(_Item, sheet.rows, sizes)]
    rooms = page.first - masthead.height - kept, page.height - kept
    pages = _pages(items, measure, rooms, cut=False)
    # A whole table is easier to read, so tables are divided only if that saves a page.
    return min(pages, _pages(items, measure, rooms, cut=True), key=len) if len(pages) > 1 else pages


def _pages(items: Sequence[_Item], measure: Measurer, rooms: tuple[float, float], *, cut: bool) -> list[_Page]:
    """Return pages with all items. ``rooms`` are the height of the first page, and the height of each further page.

    With ``cut``, tables with a line above their heads may be divided, too.
    """
    pages: list[_Page] = []
    waiting, used = list(items), 0.0
    while waiting or used:
        page = _Page(measure, rooms[bool(pages)], used)
        waiting = page.fill(waiting, rooms[1], cut=cut)
        more, used = page.over
        pages += [page, *(_Page(measure, rooms[1], rooms[1]) for _ in range(more - 1))]
    return pages


def _over(size: Measured, left: float, room: float, *, forced: bool) -> tuple[int, float] | None:
    """Return the count of further pages that a row needs, and its height on the last of them; 0 and 0 if it needs none.

    None if the row must begin on the next page. ``left`` is the free height of this page, ``room`` the height of each
    further page. Unless ``forced``, the row must be higher than ``left``.

    Unless ``forced``, only a row with a long table that has heads, or a row that no page can hold, is divided. A
    ``forced`` row begins on this page. If no page can hold a part of the row, the engine divides that part.
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
    """Return the height of the higher column."""
    there = filter(None, columns)
    return max(sum(item.size.height + item.size.gap for item in column) - column[-1].size.gap for column in there)


def _growing(row: Row) -> Map | None:
    """Return the map in the row that can grow; None if the row has no such map."""
    return next((block for block in row.blocks if isinstance(block, Map) and block.least), None)


def _smallest(row: Row) -> Row:
    """Return a row to measure: a map that can grow is empty and has its least height.

    A row without such a map is unchanged.
    """
    plan = _growing(row)
    if plan is None:
        return row
    return _with_map(row, plan, replace(plan, highest=plan.least, pieces=(), zones=(), entries=(), marks=()))


def _with_map(row: Row, plan: Map, made: Map) -> Row:
    """Return the row with the map ``made`` instead of ``plan``."""
    return row.changed(lambda block: made if block is plan else block)


def _some(table: Table, start: int, end: int) -> Table:
    """Return a table with only the rows from ``start`` up to, but without, ``end``.

    In a later part, "continued" is added to the line above its heads, if there is one. Only the last part has the note.
    """
    end_word = f", {table.continued}"
    over = f"{table.over.removesuffix(end_word)}{end_word}" if start and table.over else table.over

    def inside(indices: tuple[int, ...]) -> tuple[int, ...]:
        return tuple(index - start for index in indices if start <= index < end)

    return replace(
        table,
        over=over,
        rows=table.rows[start:end],
        note=table.note if end == len(table.rows) else "",
        group_rows=inside(table.group_rows),
        follows=inside(table.follows),
        more=inside(table.more),
    )


_LEAST_PART = 1 / 3
"""The part of a page that must be free where a block begins that is continued on the next page."""

_GAP = 4.4 / PIXEL
"""The distance of two bands, as in ``book.css``."""


class _Run(NamedTuple):
    """Blocks below each other, with the top and bottom of each block on one endless page."""

    band: Band
    tops: tuple[float, ...]
    bottoms: tuple[float, ...]
    gap: float
    """The free space between its last block and the next run; 0 below the last run."""

    @property
    def blocks(self) -> tuple[Block, ...]:
        """The blocks of the run, which are all in its first column."""
        return self.band.columns[0]

    def height(self, start: int, end: int) -> float:
        """Return the height in pixels of the blocks from the index ``start`` up to, but without, the index ``end``."""
        return self.bottoms[end - 1] - self.tops[start] if end > start else 0.0

    def filled(self, start: int, limit: float, columns: int) -> list[int]:
        """Return the end index of each column, if each takes the blocks that fit into ``limit`` pixels of height.

        The first column begins with the block ``start``. No column ends between a heading and the block below it, or
        between a grid and its key. A column into which nothing fits is empty.
        """
        ends = []
        for _ in range(columns):
            end = start
            while end < len(self.blocks) and self.height(start, end + 1) <= limit:
                end += 1
            while start < end < len(self.blocks) and (
                isinstance(self.blocks[end - 1], Heading) or getattr(self.blocks[end], "follows", False)
            ):
                end -= 1
            ends.append(end)
            start = end
        return ends

    def balanced(self, start: int, room: float, columns: int) -> list[int]:
        """Return the end index of each column, with the lowest columns that hold all blocks from ``start`` on.

        Columns are at most ``room`` pixels high. If no columns hold all blocks, each takes the blocks that fit.
        """
        numbers = range(start, len(self.blocks))
        heights = sorted(self.height(first, last + 1) for first in numbers for last in numbers if first <= last)
        limits = (limit for limit in heights if limit <= room)
        ways = (self.filled(start, limit, columns) for limit in limits)
        return next((ends for ends in ways if ends[-1] == len(self.blocks)), self.filled(start, room, columns))


def arranged_book(book: Book, paper: Paper, ink: Ink, lay_out: LayOut) -> Book:
    """Return the book with the blocks of its chapters arranged in columns on pages of this paper.

    ``lay_out`` returns the boxes of an HTML text; it is called with the book on endless pages, to measure its blocks.
    """
    names = page_setup_of(book, paper).names
    room, columns = names["room"] / PIXEL, names["columns"]
    chapters = tuple(replace(chapter, bands=tuple(chapter.runs(columns))) for chapter in book.chapters)
    pages = lay_out(render_html(replace(book, chapters=chapters), paper, ink, LayoutOptions(tall=True)))
    heads = [
        (page, box) for page in pages for box in walk(page) if box.element_tag == "section" and has(box, "chapter")
    ]
    made = []
    for chapter, (page, box) in zip(chapters, heads, strict=True):
        runs = _measured(chapter, box)
        used = runs[0].tops[0] - page.content_box_y() if runs else 0.0
        made.append(replace(chapter, bands=tuple(_bands(runs, used, room, columns))))
    return replace(book, chapters=tuple(made))


def _measured(chapter: Chapter, box: Any) -> list[_Run]:
    """Return the measured runs of a chapter; ``box`` is the engine's box of the chapter."""
    found = [part for part in walk(box) if (has(part, "flow") or has(part, "spread")) and part.children]
    insides = [[child for child in part.children if child.element is not None] for part in found]
    places = [(tuple(map(top, inside)), tuple(map(bottom, inside))) for inside in insides]
    gaps = [below[0][0] - above[1][-1] for above, below in pairwise(places)]
    parts = zip(chapter.bands, places, [*gaps, 0.0], strict=False)  # a chapter may have a title alone
    return [_Run(band, tops, bottoms, gap) for band, (tops, bottoms), gap in parts]


def _bands(runs: Sequence[_Run], used: float, room: float, columns: int) -> Iterator[Band]:
    """Yield the bands of a chapter: the blocks of its runs in columns, with a new band on each page.

    A run of the full width is one wide band, and so is a block that no page can hold. The engine divides a wide band
    that is too high for its page. A wide run with a ``long`` block may begin on any page that has a third free.

    ``used`` is the height of the chapter's head, ``room`` the height of a page, both in pixels.
    """
    new_page = False
    for run in runs:
        start, is_long = 0, run.band.wide and any(getattr(block, "long", False) for block in run.blocks)
        while start < len(run.blocks):
            left = room - used
            ends = [len(run.blocks)] if run.band.wide else run.balanced(start, left, columns)
            height = max(run.height(first, last) for first, last in zip([start, *ends], ends, strict=False))
            whole = ends[-1] > start and height <= left
            if not whole and used and not (is_long and left > _LEAST_PART * room):
                used, new_page = 0.0, True
                continue
            if whole:
                parts = zip([start, *ends], ends, strict=False)
                made = tuple(run.blocks[first:last] for first, last in parts)
                yield Band(made, wide=run.band.wide, new_page=new_page)
                start = ends[-1]
                used += height + (_GAP if start < len(run.blocks) else run.gap)
            else:  # no page has room for it: the engine divides it
                end = len(run.blocks) if run.band.wide else start + 1
                yield Band((run.blocks[start:end],), wide=True, new_page=new_page)
                start, used = end, room
            new_page = False
