"""Sections in two columns that are about as high as each other, by a guess at how high each will be."""

from __future__ import annotations

from itertools import product
from math import ceil
from typing import TYPE_CHECKING

from generator.render.blocks import Group, Prose, Steps, Strip, Table
from generator.render.widths import ems

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from generator.render.blocks import Block, Cell, Section

COLUMN, PAGE = 90.0, 186.0
"""Millimetres across one of two columns, and across the narrower page."""
_SECTION, _ROW, _LINE, _EM = 15.8, 1.1, 3.9, 3.1
"""Those of a section without its rows, of a row of small type without its lines, of a line, and of an em."""
_BLANK = 0.25
"""Ems between two words."""
_PLAIN_ROW, _PLAIN_LINE = 1.54, 4.23
"""Those of a row and a line of plain type."""
_PICTURE = 60.0
_LAST, _STEP = 8, 8.0
"""Of sections that are balanced with each other, and millimetres that do not matter."""


def balanced(
    sections: Sequence[Section], guess: Callable[[Section], float] | None = None
) -> tuple[tuple[Section, ...], tuple[Section, ...]]:
    """Two columns: each section goes where there is less so far, the last ones so that both columns end together.

    Their heights are by another ``guess`` than ``height`` where there is a better one.
    """
    columns: tuple[list[Section], list[Section]] = ([], [])
    heights = [0.0, 0.0]
    high = [(guess or height)(section) for section in sections]
    for section, tall, chosen in zip(sections, high, _sides(high), strict=True):
        columns[chosen].append(section)
        heights[chosen] += tall
    return tuple(columns[0]), tuple(columns[1])


def _sides(high: Sequence[float]) -> tuple[int, ...]:
    """Which of two columns each of these heights goes to.

    >>> _sides([30, 20, 50]), _sides([10, 10, 10, 30])
    ((0, 0, 1), (0, 0, 0, 1))
    """
    first = list[int]()
    apart = 0.0  # how much further the left column is
    for tall in high[: max(0, len(high) - _LAST)]:
        first.append(int(apart > 0))
        apart += -tall if apart > 0 else tall
    return min(
        ((*first, *last) for last in product((0, 1), repeat=len(high) - len(first))),
        key=lambda sides: _unevenness(high, sides),
    )


def _unevenness(high: Sequence[float], sides: Sequence[int]) -> tuple[float, float]:
    """How far apart two columns end, in steps that the guess can tell, and how far apart they are on the way."""
    apart, on_the_way = 0.0, 0.0
    for tall, side in zip(high, sides, strict=True):
        apart += -tall if side else tall
        on_the_way += abs(apart)
    return abs(apart) // _STEP, on_the_way


def height(section: Section, wide: float = COLUMN) -> float:
    """How high a section of this width will be, in millimetres: a rough guess, for what a map must leave free."""
    high = [_height(block, wide) for block in section.blocks]
    if section.abreast > 1:
        return _SECTION + max(high, default=0) * ceil(len(high) / section.abreast)
    return _SECTION + sum(high)


def _height(block: Block, wide: float) -> float:
    match block:
        case Table():
            return _table(block, wide)
        case Prose():
            return sum(2 + 4.6 * lines(text, wide / 3.5) for text in block.paragraphs)
        case Steps():
            return sum(1.3 + _PLAIN_LINE * lines(text, (wide - 6) / _EM) for text in block.steps)
        case Strip():
            return 12.0
        case Group():
            return 5 + sum(_height(one, wide) for one in block.blocks)
        case _:
            return _PICTURE


def _table(table: Table, wide: float) -> float:
    """The widths that columns do not say are taken as equal."""
    shares = [column.share or 1 for column in table.columns]
    whole = sum(shares)
    row, line = (_ROW, _LINE) if table.dense else (_PLAIN_ROW, _PLAIN_LINE)
    high = 0.0
    for cells in table.rows:
        high += row + line * _highest(cells, shares, whole, wide)
    return high


def _highest(cells: Sequence[Cell], shares: Sequence[int], whole: int, wide: float) -> int:
    at, most = 0, 1
    for cell in cells:
        share = sum(shares[at : at + cell.span])
        most = max(most, lines(cell.text, (wide * share / whole - 1.6) / _EM))
        at += cell.span
    return most


def lines(text: str, room: float) -> int:
    """How many lines a text takes in a column of so many ems, broken between words.

    >>> lines("", 4), lines("one", 4), lines("one two three four", 4)
    (1, 1, 2)
    """
    count, left = 1, room
    for word in text.split():
        wide = ems(word)
        if wide > left and left < room:
            count, left = count + 1, room
        left -= wide + _BLANK
    return count
