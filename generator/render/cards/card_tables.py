"""The layout of tables on cards: column widths, row heights, and which tables stand side by side.

Lengths are millimetres from the upper left corner of the face.
"""

from __future__ import annotations

import re
from functools import lru_cache
from math import ceil
from typing import TYPE_CHECKING, NamedTuple

from generator.render.cards.deck import Grid
from generator.render.type.line_breaks import broken
from generator.render.type.prose import DRAWN
from generator.render.type.text_length import length

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from generator.render.cards.deck import Line

TEXT, TEXT_LINE = 8.0, 3.05
HEAD = 7.0
DIE = 9.0
"""Type size of drawn dice; the figure in a die is up to a fifth smaller."""
SEMIBOLD, _BOLD = "sans-semibold", "sans-bold"
INSET = 1.6
"""Padding of a cell, both sides together."""
_HEAD_INSET = 0.8
"""Space between the heads of two columns of chances."""
_LEAST_COLUMN, _LEAST_FIRST = 8.3, 22.0
HEAD_ROOM = _LEAST_COLUMN - _HEAD_INSET
"""Width of the longest word that fits over a column of chances of any width."""
_NARROWEST = 6.6
"""Least width of a column of chances that is narrowed to keep text beside it on one line."""
_SPARE = 0.4
"""Extra width of a first column, if there is room."""
_GUTTER = 5.0
"""Space between tables side by side."""
_LONG, _SHORT = 6, 3
"""Least number of rows of a narrow table set in several columns, and least number of rows in each column."""
_STEPS = 8
_HEAD_LINES = 2
_FIGURE = re.compile(r"[+−<>]?\d|D\d|[A-Z–?]?$")
"""The start of a figure, or a substitute for one, such as a dash or a single letter."""


class Spacing(NamedTuple):
    """Vertical spacing on a card: padding of table rows, and space between parts."""

    air: float
    gap: float
    die: float
    """Least height of a row with a die, without padding."""
    between: float
    """Space between tables."""


class GridPlace(NamedTuple):
    """A table with its place, the widths of its columns and the heights of its rows."""

    grid: Grid
    left: float
    top: float
    width: float
    height: float
    widths: tuple[float, ...]
    rows: tuple[float, ...]
    centred: tuple[bool, ...]
    """For each column, whether it has figures, which are centred; words are set left."""


def placed(
    grids: Sequence[Grid], side: float, across: float, room: float, spacing: Spacing
) -> Iterator[list[GridPlace]]:
    """Yield lists of tables, in order; tables in a list stand side by side. Tables higher than a face are divided.

    ``side`` is the left edge, ``across`` the available width and ``room`` the available height.
    """
    shared = _shared(grids)
    for beside in _beside(tuple(grids), across):
        row = _in_line(beside, side, across, room, spacing) if len(beside) > 1 else []
        if len(row) == len(beside):
            yield row
        else:  # a single table, or tables that do not fit on a face side by side
            yield from ([piece] for item in beside for piece in _pieces(item, side, across, room, shared, spacing))


def _in_line(beside: Sequence[Grid], left: float, across: float, room: float, spacing: Spacing) -> list[GridPlace]:
    """Return the places of tables side by side, with heads of equal height and the spare width shared equally."""
    room_for_all = across - _GUTTER * (len(beside) - 1)
    ways = ([_natural(grid, lines, heads) for grid in beside] for lines, heads in ((1, 1), (1, 2)))
    least = [_natural(grid, lines=2, heads=2) for grid in beside]
    asked = next((way for way in ways if sum(way) <= room_for_all), least)
    spare = (room_for_all - sum(asked)) / len(beside)

    def row(head: float = 0.0) -> list[GridPlace]:
        found, start = [], left
        for item, need in zip(beside, asked, strict=True):
            found += _pieces(item, start, need + spare, room, _shared([item]), spacing, head)
            start += need + spare + _GUTTER
        return found

    return row(max((item.rows[0] for item in row()), default=0.0))


def cell_lines(text: str, width: float, size: float = TEXT, face: str = "sans") -> tuple[str, ...]:
    """Return the lines of a text in a table column."""
    return broken(text, width - INSET, max(size, DIE) if DRAWN.search(text) else size, face)


def head_lines(head: str, width: float) -> tuple[str, ...]:
    """Return the lines of a head over chances: one line, or two of about equal length, if they fit."""
    room = width - _HEAD_INSET
    for way in ((head,), *sorted(_halves(head), key=lambda way: max(map(_over, way)))):
        if all(_over(line) <= room for line in way):
            return way
    return broken(head, room, max(HEAD, DIE) if DRAWN.search(head) else HEAD, SEMIBOLD)


def tears(head: str, width: float) -> bool:
    """Return whether a head over chances has a broken word or more than two lines."""
    words = (length(word, HEAD, SEMIBOLD) for word in head.split(" "))
    return len(head_lines(head, width)) > _HEAD_LINES or any(word > width - _HEAD_INSET for word in words)


@lru_cache(maxsize=512)  # a card is laid out with several spacings and heights
def _beside(grids: tuple[Grid, ...], across: float) -> list[list[Grid]]:
    """Return lists of tables that fit side by side; a long, narrow table is divided into several columns."""
    found: list[list[Grid]] = []
    row: list[Grid] = []
    used = 0.0
    for grid in grids:
        parts = _columns(grid, across)
        need = sum(_natural(part, lines=2, heads=2) for part in parts) + _GUTTER * (len(parts) - 1)
        if row and (len(parts) > 1 or used + _GUTTER + need > across):
            found.append(row)
            row, used = [], 0.0
        used += need + (_GUTTER if row else 0.0)
        row += parts
    return [*found, row] if row else found


def _columns(grid: Grid, across: float) -> list[Grid]:
    """Return a long, narrow table in several columns of rows; other tables unchanged."""
    many = min(int((across + _GUTTER) // (_natural(grid) + _GUTTER)), len(grid.lines) // _SHORT)
    if len(grid.lines) < _LONG or many < 2:  # noqa: PLR2004 - one column is no columns
        return [grid]
    each = ceil(len(grid.lines) / many)
    return [_part(grid, start, start + each) for start in range(0, len(grid.lines), each)]


def _part(grid: Grid, start: int, end: int) -> Grid:
    return Grid(grid.title, grid.heads, grid.targets, grid.lines[start:end], grid.asked)


@lru_cache(maxsize=2048)
def _natural(grid: Grid, lines: int = 1, heads: int = 1) -> float:
    """Return a table's natural width if its first column has ``lines`` and its heads ``heads`` lines of text."""
    wanted = _shared([grid])
    chances = _chance(grid, heads) * len(grid.targets)
    return _first(grid, lines) + sum(wanted[head] for head in enumerate(grid.heads)) + chances


@lru_cache(maxsize=2048)
def _first(grid: Grid, lines: int = 1) -> float:
    """Return the width of a table's first column with at most this number of lines per row."""
    texts = [(grid.title, _BOLD), *((line.head, "sans") for line in grid.lines)]
    whole = max(length(text, DIE if DRAWN.search(text) else TEXT, face) for text, face in texts) + INSET + _SPARE
    if lines == 1:
        return whole
    least = whole / lines  # a width below this cannot do, so take the first wider one that needs no further lines
    steps = (least + (whole - least) * step / _STEPS for step in range(_STEPS))
    fits = (w for w in steps if all(len(cell_lines(text, w, TEXT, face)) <= lines for text, face in texts))
    return min(whole, max(_LEAST_FIRST, next(fits, whole)))


def _chance(grid: Grid, lines: int = 1) -> float:
    """Return the width of the columns of chances if their heads have one or two lines."""
    return max((_LEAST_COLUMN, *(_head_width(target, lines) + 1.7 for target in grid.targets)))


def _narrowest(grid: Grid) -> float:
    """Return the least width of the columns of chances that holds three figures and the heads."""
    return max(_NARROWEST, *(_head_width(target, lines=2) + 1 for target in grid.targets))


@lru_cache(maxsize=4096)
def _head_width(head: str, lines: int) -> float:
    """Return the width of the longer line of a head, if the head is divided as evenly as possible."""
    return min(max(map(_over, way)) for way in ((head,), *(_halves(head) if lines > 1 else ())))


def _halves(head: str) -> list[tuple[str, str]]:
    """Return all ways to divide a head into two lines."""
    words = head.split(" ")
    return [(" ".join(words[:at]), " ".join(words[at:])) for at in range(1, len(words))]


def _over(head: str) -> float:
    """Return the width of a head in one line."""
    return length(head, DIE if DRAWN.search(head) else HEAD, SEMIBOLD)


def _length(text: str) -> float:
    return length(text, DIE if DRAWN.search(text) else TEXT)


def _shared(grids: Sequence[Grid], heads: int = 1) -> dict[tuple[int, str], float]:
    """Return a width for each column place and head, so that such columns line up on all tables of a card.

    ``heads`` is the number of lines that heads may have, one or two.
    """
    found: dict[tuple[int, str], float] = {}
    for grid in grids:
        for index, head in enumerate(grid.heads):
            wanted = max(_head_width(head, heads), *(_length(line.cells[index]) for line in grid.lines)) + 2.6
            found[index, head] = max(found.get((index, head), 0.0), wanted)
    return found


def _pieces(
    grid: Grid,
    left: float,
    width: float,
    room: float,
    shared: dict[tuple[int, str], float],
    spacing: Spacing,
    least_head: float = 0.0,
) -> list[GridPlace]:
    """Return a table with its column widths and row heights, in several pieces if no face could hold it."""
    widths = _column_widths(grid, width, shared)
    texts, chances = widths[1 : len(grid.heads) + 1], widths[len(grid.heads) + 1 :]
    heads = [len(cell_lines(*item, HEAD, SEMIBOLD)) for item in zip(grid.heads, texts, strict=True)]
    heads += [len(head_lines(*item)) for item in zip(grid.targets, chances, strict=True)]
    head = max(1, len(cell_lines(grid.title, widths[0], TEXT, _BOLD)), *heads) * TEXT_LINE + spacing.air
    head = max(head, least_head)
    heights = [_line_height(line, widths, spacing) for line in grid.lines]
    centred = tuple(all(_FIGURE.match(line.cells[index]) for line in grid.lines) for index in range(len(grid.heads)))
    start = 0
    found = []
    while start < len(heights):
        end, used = start, head
        while end < len(heights) and (used + heights[end] <= room or end == start):
            used += heights[end]
            end += 1
        end = _whole_end(grid.lines, start, end)
        used = head + sum(heights[start:end])
        part = _part(grid, start, end)
        found.append(GridPlace(part, left, 0, width, used, widths, (head, *heights[start:end]), centred))
        start = end
    return found


def _whole_end(lines: Sequence[Line], start: int, end: int) -> int:
    """Return the end of a piece of a table, moved up so that related rows stay together, if a face can hold them."""
    whole = end
    while start < whole < len(lines) and lines[whole].goes_on:
        whole -= 1
    return whole if whole > start else end


def _line_height(line: Line, widths: tuple[float, ...], spacing: Spacing) -> float:
    texts = zip([line.head, *line.cells], widths, strict=False)
    high = ((spacing.die if DRAWN.search(text[0]) else TEXT_LINE) * len(cell_lines(*text)) for text in texts)
    return max(TEXT_LINE, *high) + spacing.air


def _column_widths(grid: Grid, across: float, shared: dict[tuple[int, str], float]) -> tuple[float, ...]:
    """Return the column widths: equal for chances, as needed for the others; the first column gets the rest."""
    chances = len(grid.targets)
    wanted = [shared[index, head] for index, head in enumerate(grid.heads)]
    first = _first(grid, lines=2) + sum(wanted)
    chance = min(_chance(grid), max(_LEAST_COLUMN, across / 2 / chances)) if chances else 0.0
    if chances and chance < _chance(grid):  # heads of chances get two lines before words are broken
        chance = min(_chance(grid, lines=2), max(chance, (across - first) / chances))
    close = (
        max(_LEAST_COLUMN, *(_head_width(target, lines=2) + _HEAD_INSET for target in grid.targets)) if chances else 0.0
    )
    if close * chances <= across - (_first(grid) - _SPARE) - sum(wanted) < chance * chances:
        chance = close  # no word beside the chances has to go into a second line
    room = across - chance * chances
    if first > room + 1e-9:  # heads of columns take two lines, too
        in_two = _shared([grid], heads=2)
        wanted = [min(item, in_two[index]) for item, index in zip(wanted, enumerate(grid.heads), strict=True)]
        first = _first(grid, lines=2) + sum(wanted)
    if first > room + 1e-9:
        whole = _first(grid) + sum(wanted)
        chance = min(_LEAST_COLUMN, max(_narrowest(grid), (across - whole) / chances)) if chances else 0.0
        room = across - chance * chances
        first = min(_first(grid), max(_LEAST_FIRST, room - sum(wanted)))
        wanted = _portions(wanted, room - first)
    return (room - sum(wanted), *wanted, *(chance for _ in grid.targets))


def _portions(wanted: Sequence[float], room: float) -> list[float]:
    """Return the widths wanted, each limited to an equal share of what is still free.

    >>> _portions([2, 9, 3], 9)
    [2, 4.0, 3]
    """
    found = list(wanted)
    for place, index in enumerate(sorted(range(len(wanted)), key=wanted.__getitem__)):
        found[index] = min(wanted[index], room / (len(wanted) - place))
        room -= found[index]
    return found
