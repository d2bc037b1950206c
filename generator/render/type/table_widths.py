"""Column widths of tables, so that similar tables look alike and the engine need not guess.

Lengths are in ems of a table's type. They are estimates: the guard checks the engine's result.
"""

from __future__ import annotations

import re
from functools import lru_cache
from math import ceil
from typing import TYPE_CHECKING

from generator.render.drawing import pictogram_width
from generator.render.type.prose import TOKEN

if TYPE_CHECKING:
    from generator.render.blocks import Cell, Column, Table

PAGE = 58.6
"""The width between the margins of the narrower paper."""
GUTTER = 1.26
"""Space between columns."""

_DENSE = 9 / 8.5
"""The factor for a dense table's room, as its type is smaller."""
_ROOMY = 9 / 11
"""The factor for a roomy table's room, as its type is larger."""

_BREAK = "\N{ZERO WIDTH SPACE}"
_MARKUP = re.compile(r"[*_\\]|\{[a-z]+\}")
_DIE = re.compile(r"\bD(?:4|6|8|10|12)\b")
_LETTERS = {
    letter: width
    for width, letters in (
        (0.22, " ',.:;ijl|’·"),
        (0.31, "!()-I[]frt{}/"),
        (0.42, 'sxz*"“”'),
        (0.56, "BCDGKNPRUbdpq&"),
        (0.67, "HMOQw"),
        (0.83, "%@Wm—½¼¾"),
    )
    for letter in letters
}
_LETTER = 0.5
"""Any other letter, and every figure."""

_AIR = 0.68
_AIR_WHERE_DENSE = 0.55
"""A cell's padding."""
_STAND_OFF = 0.5
"""Extra padding of a right-aligned column, as words may follow the figures."""
_CAPITAL, _LETTER_WHERE_ROOMY, _LETTER_IN_GRID = 0.57, 0.46, 0.4
"""Width of a letter of a head, in ems of the table's type: a spaced capital, and a small letter in larger tables."""
_HEAVY = 1.08
"""Factor for bold type, which is wider."""
_LONGEST = 26.0
"""Widest text that asks for a single line."""
_BOX, _BEHIND_FIVE = 1.23, 0.5
"""Width of a box to tick with the space after it, and space after five boxes."""
_PICTURE = 0.16
"""Width of a unit of a pictogram's drawing."""
_SLACK = 0.3
_FIGURES, _FIGURES_WHERE_ROOMY = 2.15, 2.38
"""Least width of each of several equal columns: 9 mm where narrow grids have larger type."""
_NAMES = 0.55
"""Names of rows stay in one line if they need less than this part of a table with other texts."""
_SIDE_BY_SIDE = 40
"""Grids narrower than this percentage stand side by side, and the head of their names may widen its column. Wider grids
stand below each other and get equal widths.
"""


def column_widths(table: Table, portion: float = 100) -> tuple[float, ...]:
    """Return each column's width in percent of the table's width; together they are 100.

    ``portion`` is the table's own width in percent of the page. If there is room, columns are as wide as their content
    asks. Otherwise each column keeps the width of its longest word, and the columns divide the rest by what they still
    ask for. Columns with shares divide their joint width by these shares.
    """
    columns = range(len(table.columns))
    texts = _texts(table)
    least = [_least(table, index, texts[index]) for index in columns]
    wanted = [max(_wanted(table, index, texts[index]), least[index]) for index in columns]
    if any(cell.boxes for row in table.rows for cell in row):  # such tables leave words no spare room
        least = [length + _SLACK for length in least]
        wanted = [max(lengths) for lengths in zip(wanted, least, strict=True)]
    if table.tinted and portion < _SIDE_BY_SIDE:  # the head of row names in one line, including its die
        head = table.columns[0].head
        long = _capital(table) * len(_DIE.sub("", head)) + 1.5 * len(_DIE.findall(head))
        wanted[0] = max(wanted[0], long + _air(table, table.columns[0]))
    alike = [index for index in columns if _is_one_of_many(table, index)]
    bare = list(wanted), list(least)
    for lengths in (wanted, least):
        widest = max((lengths[index] for index in alike), default=0)
        for index in alike:
            lengths[index] = max(widest, _FIGURES_WHERE_ROOMY if table.roomy and portion < _SIDE_BY_SIDE else _FIGURES)
    part = portion / 100
    room = (PAGE * part - GUTTER * (1 - part)) * (_DENSE if table.dense else _ROOMY if table.roomy else 1)
    figures = len(columns) > 1 and [*columns][1:] == alike
    if figures and not table.tinted and sum(wanted) > room:
        wanted, least = bare
    if table.tinted or figures or (table.head_first and wanted[0] < room * _NAMES):  # names of rows come first
        least[0] = max(least[0], min(wanted[0] + _SLACK, room - sum(least[1:])))
    if sum(least) <= room:
        widths = _fitted(wanted, least, room)
    else:  # make similar columns as equal as possible without breaking a word
        widths = _fitted(*bare, room)
        widths = [width * max(room / sum(widths), 1) for width in widths]
        level = _level([bare[1][index] for index in alike], sum(widths[index] for index in alike))
        widths = [max(bare[1][i], level) if i in alike else width for i, width in enumerate(widths)]
    shares = [column.share for column in table.columns]
    together = sum(width for width, share in zip(widths, shares, strict=True) if share)
    if together:
        whole = sum(shares)
        widths = [together * share / whole if share else width for width, share in zip(widths, shares, strict=True)]
    return tuple(round(100 * width / sum(widths), 3) for width in widths)


def in_columns(row: tuple[Cell, ...]) -> list[tuple[int, Cell]]:
    """Return the cells of a row, each after the index of its first column, as cells may span several columns."""
    placed, index = [], 0
    for cell in row:
        placed.append((index, cell))
        index += cell.span
    return placed


def _fitted(wanted: list[float], least: list[float], room: float) -> list[float]:
    """Return widths that fill the room, between least and wanted widths in proportion.

    Return the wanted widths if they fit.
    """
    if sum(wanted) <= room:
        return wanted
    more = [max(high - low, 0.0) for low, high in zip(least, wanted, strict=True)]
    spare, short = max(room - sum(least), 0.0), sum(more)
    return [low + spare * high / short if short else low for low, high in zip(least, more, strict=True)]


def _level(least: list[float], together: float) -> float:
    """Return the equal width of columns that have this width ``together``, if wider columns keep their least width.

    >>> _level([1, 2, 9], 15)
    3.0
    """
    for taken, low in enumerate(reversed(rising := sorted(least))):
        rest = rising[: len(rising) - taken]
        if together / len(rest) >= low:
            return together / len(rest)
        together -= low
    return 0.0


def _is_one_of_many(table: Table, index: int) -> bool:
    """Return whether a column is one of several equal columns: the figures of a grid, or centred columns."""
    if index == 0 and table.head_first:
        return False
    return table.tinted or table.columns[index].align == "centre"


def _air(table: Table, column: Column) -> float:
    return (_AIR_WHERE_DENSE if table.dense else _AIR) + (_STAND_OFF if column.align == "right" else 0)


def _texts(table: Table) -> list[list[Cell]]:
    """Return the cells of each column, without cells that span several columns."""
    found: list[list[Cell]] = [[] for _ in table.columns]
    for row in table.rows:
        for start, cell in in_columns(row):
            if cell.span == 1:
                found[start].append(cell)
    return found


def _wanted(table: Table, index: int, cells: list[Cell]) -> float:
    """Return the width that a column asks for."""
    lengths = (_weight(table, cell) * ems(cell.text) + _beside(cell, cell.boxes) for cell in cells)
    return min(max(lengths, default=0.0), _LONGEST) + _air(table, table.columns[index])


def _least(table: Table, index: int, cells: list[Cell]) -> float:
    """Return the width of a column's longest word."""
    column = table.columns[index]
    heads = f"{column.head} {column.unit}".split(" ")
    if table.roomy:  # its heads are small letters, so that an arrow fits beside them
        heads = [word.rstrip("\u00a0↓") for word in heads]
    head = max(_capital(table) * len(word) for word in heads)
    words = (
        _weight(table, cell) * max(map(ems, cell.text.replace(_BREAK, " ").split(" ")))
        + _beside(cell, min(cell.boxes, 5))
        for cell in cells
    )
    return max(head, max(words, default=0.0)) + _air(table, column)


def _beside(cell: Cell, boxes: int) -> float:
    """Return the width of a cell's pictogram, its mark and a count of boxes to tick, which are set in fives."""
    picture = pictogram_width(cell.picture) * _PICTURE if cell.picture else 0
    return picture + 0.4 * len(cell.mark) + _BOX * boxes + _BEHIND_FIVE * ceil(boxes / 5)


def _capital(table: Table) -> float:
    """Return the width of a letter of a head."""
    if not table.roomy:
        return _CAPITAL
    return _LETTER_IN_GRID if table.tinted else _LETTER_WHERE_ROOMY


def _weight(table: Table, cell: Cell) -> float:
    """Return the factor for a cell's type: bold is wider."""
    return _HEAVY if cell.strong or "**" in cell.text or table.tinted else 1


@lru_cache(maxsize=4096)
def ems(text: str) -> float:
    """Return the estimated length of a text in ems of its type. A drawn die or a token counts as 1.5.

    >>> ems("Illicit") < ems("Museums")
    True
    """
    plain, tokens = TOKEN.subn("", text)
    letters = _DIE.sub("", _MARKUP.sub("", plain))
    return 1.5 * (len(_DIE.findall(text)) + tokens) + sum(_LETTERS.get(letter, _LETTER) for letter in letters)
