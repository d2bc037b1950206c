"""How high sections will be, at a guess: in millimetres on A4. Of a page of Letter they take the same part."""

from __future__ import annotations

import re
from functools import lru_cache
from itertools import pairwise
from math import ceil
from typing import TYPE_CHECKING

from generator.render.blocks import Chart, Group, Hexes, Prose, Steps, Strip, Table
from generator.render.measure import POINT, length
from generator.render.widths import box_lines, column_widths, in_columns, is_grid

if TYPE_CHECKING:
    from collections.abc import Sequence

    from generator.render.blocks import Block, Cell, Row, Section

ACROSS = 186.0
"""The width of the page."""
BETWEEN = 6.0
"""What parts one column from the next."""
COLUMN = (ACROSS - BETWEEN) / 2
MASTHEAD = 226.0
"""What is left under the masthead of a first page of the shorter paper."""
AIR = 5.5
"""What parts a section from what is below it."""
CLOSE = 1.6
"""What parts one table from the next without a bar."""
_BAR = 5.8
_EM, _LINE, _ROW = 3.175, 4.23, 1.72
"""Of plain type: an em, from line to line, and what a row is higher than its text."""
_DENSE = 3.0, 3.88, 1.18
_GRID = 3.175, 4.23, 1.37
_ROOMY = 3.88, 4.94, 2.28
_PADDING = 2.0
"""What a cell keeps free at its sides."""
_CAPITAL, _HEAD, _HEAD_LINE = 3.4, 2.5, 3.53
"""An em of spaced capitals; a row of heads without its lines, and one of them."""
_DIE, _OVER, _NAMED, _CAPTION = 3.6, 4.9, 4.2, 5.4
"""What a die, a line over the heads, a player's own name there and a caption add to a table."""
_NOTE, _TEXT = (3.2, 4.41), (3.35, 4.76)
"""An em and a line of notes, and of running text."""
_STRIP, _PICTURE = 12.0, 60.0
_UNSEEN = re.compile("[*_\\\\\N{ZERO WIDTH SPACE}]")
"""Marks of type, and places where a word may break."""
_BLANK = 0.25
"""Ems between two words."""
_SIDE_BY_SIDE = 2.4
"""What stands above each line of blocks that stand side by side."""


def section_height(section: Section, across: float = COLUMN) -> float:
    """How high a section will be in a column of that width, with the air below it."""
    bar, air = (_BAR, AIR) if section.title else (0.0, CLOSE)
    if section.abreast > 1:
        wide = (across - BETWEEN * (section.abreast - 1)) / section.abreast
        rows = (section.blocks[at : at + section.abreast] for at in range(0, len(section.blocks), section.abreast))
        return bar + air + sum(_SIDE_BY_SIDE + max(_height(one, wide) for one in row) for row in rows)
    apart = sum(
        CLOSE for one, after in pairwise(section.blocks) if isinstance(after, Table) and not isinstance(one, Group)
    )
    return bar + air + apart + sum(_height(one, across) for one in section.blocks)


def column_height(sections: Sequence[Section], across: float = COLUMN) -> float:
    """How high sections below each other will be."""
    return sum(section_height(one, across) for one in sections)


def row_height(row: Row) -> float:
    """How high a row of columns will be, across the page."""
    shares = row.shares or (1,) * len(row.columns)
    wide = ACROSS - BETWEEN * (len(row.columns) - 1)
    return max(
        column_height(column, wide * share / sum(shares)) for column, share in zip(row.columns, shares, strict=True)
    )


def _height(block: Block, across: float) -> float:
    match block:
        case Table():
            return _table(block, across)
        case Prose(folded=True):
            return 0.0
        case Prose():
            em, line = _NOTE if block.style == "note" else _TEXT
            return 0.8 + sum(1.2 + line * lines(text, across / em, "serif") for text in block.paragraphs)
        case Steps():
            return 1.6 + sum(1.24 + _LINE * lines(text, (across - 6) / _EM) for text in block.steps)
        case Strip():
            return _STRIP
        case Group():
            bar = _BAR if block.title else 0.0
            return bar + sum(_height(one, across) for one in block.blocks)
        case Chart():
            return 18 + (block.height + 10) * ceil(len(block.panels) / 2)
        case Hexes():
            return 8 + block.size * len({one.r for one in block.hexes})
        case _:
            return _PICTURE


@lru_cache(maxsize=1024)  # pages are filled in more ways than one
def _table(table: Table, across: float) -> float:
    em, line, row = (
        _ROOMY if table.roomy else _DENSE if table.dense else _GRID if is_grid(table) else (_EM, _LINE, _ROW)
    )
    room = [across * width / 100 for width in column_widths(table, 100 * across / ACROSS)]
    high = (
        0.4
        + (_CAPTION if table.show_caption else 0.0)
        + (0.0 if not (table.over or table.along) else _NAMED if table.plain_caption else _OVER)
    )
    if any(one.head or one.die for one in table.columns):
        most = max(
            lines(f"{one.head} {one.unit}", (wide - _PADDING) / _CAPITAL)
            for one, wide in zip(table.columns, room, strict=True)
        )
        high += _HEAD + _HEAD_LINE * most + (_DIE if any(one.die for one in table.columns) else 0.0)
    for cells in table.rows:
        high += row + line * _highest(cells, room, em)
    if table.note:
        high += 1.0 + _NOTE[1] * lines(table.note, across / _NOTE[0], "serif")
    return high


def _highest(cells: tuple[Cell, ...], room: Sequence[float], em: float) -> int:
    across = ((cell, (sum(room[at : at + cell.span]) - _PADDING) / em) for at, cell in in_columns(cells))
    return max(max(lines(cell.text, wide), 0 if cell.blank else box_lines(cell.boxes, wide)) for cell, wide in across)


def lines(text: str, room: float, face: str = "sans") -> int:
    """How many lines a text takes in a column of so many ems, broken between words.

    >>> lines("", 4), lines("one", 4), lines("one two three four", 5)
    (1, 1, 2)
    """
    count, left = 1, room
    for word in _UNSEEN.sub("", text).split():
        wide = length(word, 1 / POINT, face)
        if wide > left and left < room:
            count, left = count + 1, room
        left -= wide + _BLANK
    return count
