"""How wide each column of a table is, so that tables of one kind come out alike and the engine need not guess.

Lengths are in ems of a table's type. They are estimates: the guard looks at what the engine made of them.
"""

from __future__ import annotations

import re
from functools import lru_cache
from math import ceil
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from generator.render.blocks import Cell, Column, Table

PAGE = 58.6
"""The narrower paper's room between its margins."""
GUTTER = 1.9
"""What stays free between columns."""

_DENSE = 9 / 8.5
"""A dense table's smaller type has room for more."""
_ROOMY = 9 / 11
"""A roomy one's larger type has room for less."""

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
"""More of it, where figures end and words may follow."""
_CAPITAL = 0.57
"""A spaced capital of a head."""
_HEAVY = 1.08
"""How much wider heavy type is."""
_LONGEST = 26.0
"""A longer text is expected to run over several lines."""
_BOX, _BEHIND_FIVE = 1.23, 0.5
"""A box to tick with the air behind it, and what parts five from the next."""
_SLACK = 0.3
_FIGURES = 2.15
"""The least that one column of many alike asks for."""
_SIDE_BY_SIDE = 40
"""Grids narrower than that stand side by side, so the head over a grid's names may have a width of its own; wider ones
stand below each other and come out alike."""


def column_widths(table: Table, portion: float = 100) -> tuple[float, ...]:
    """Each column's width in percent of the table's; ``portion`` is the table's own in percent of the page's.

    Where there is room, columns are as wide as their content asks. Where there is not, each keeps its longest word
    and they divide the rest by what they still ask for. Columns that name shares divide among themselves, by these,
    what theirs come to together.
    """
    columns = range(len(table.columns))
    texts = _texts(table)
    least = [_least(table, index, texts[index]) for index in columns]
    wanted = [max(_wanted(table, index, texts[index]), least[index]) for index in columns]
    if any(
        cell.boxes or cell.named for row in table.rows for cell in row
    ):  # these leave words no more than they are thought to need
        least = [length + _SLACK for length in least]
        wanted = [max(lengths) for lengths in zip(wanted, least, strict=True)]
    if is_grid(table) and portion < _SIDE_BY_SIDE:
        wanted[0] = max(wanted[0], _head_length(table.columns[0].head) + _air(table, table.columns[0]))
    alike = [index for index in columns if _is_one_of_many(table, index)]
    bare = list(wanted), list(least)
    for lengths in (wanted, least):
        widest = max((lengths[index] for index in alike), default=0)
        for index in alike:
            lengths[index] = max(widest, _FIGURES)
    part = portion / 100
    room = (PAGE * part - GUTTER * (1 - part)) * (_DENSE if table.dense else _ROOMY if table.roomy else 1)
    if is_grid(table):  # its figures ask for little more than they need: the names of its rows go first
        least[0] = max(least[0], min(wanted[0], room - sum(least[1:])))
    if sum(least) <= room:
        widths = _fitted(wanted, least, room)
    else:  # like columns come out as alike as may be without breaking a word
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


def is_grid(table: Table) -> bool:
    """Whether the table is set as a grid of tints."""
    return table.tinted


def in_columns(row: tuple[Cell, ...]) -> list[tuple[int, Cell]]:
    """The cells of a row, each with the index of the column it begins in."""
    placed, index = [], 0
    for cell in row:
        placed.append((index, cell))
        index += cell.span
    return placed


def _fitted(wanted: list[float], least: list[float], room: float) -> list[float]:
    if sum(wanted) <= room:
        return wanted
    spare, short = max(room - sum(least), 0.0), sum(wanted) - sum(least)
    return [low + spare * (high - low) / short if short else low for low, high in zip(least, wanted, strict=True)]


def _level(least: list[float], together: float) -> float:
    """How wide all may be that may be alike, where none is narrower than its least.

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
    """Whether the column is one of a row of like ones: a grid's figures, or what is centred in a table."""
    if index == 0 and table.head_first:
        return False
    return is_grid(table) or table.columns[index].align == "centre"


def _air(table: Table, column: Column) -> float:
    return (_AIR_WHERE_DENSE if table.dense else _AIR) + (_STAND_OFF if column.align == "right" else 0)


def _texts(table: Table) -> list[list[Cell]]:
    """For each column the cells that are in it alone."""
    found: list[list[Cell]] = [[] for _ in table.columns]
    for row in table.rows:
        for start, cell in in_columns(row):
            if cell.span == 1:
                found[start].append(cell)
    return found


def _wanted(table: Table, index: int, cells: list[Cell]) -> float:
    lengths = (
        _weight(table, cell) * _length(cell.text) + 0.4 * len(cell.mark) + _boxes(cell.boxes) + _named(cell)
        for cell in cells
    )
    return min(max(lengths, default=0.0), _LONGEST) + _air(table, table.columns[index])


def _least(table: Table, index: int, cells: list[Cell]) -> float:
    column = table.columns[index]
    head = max((_CAPITAL * len(word) for word in f"{column.head} {column.unit}".split()), default=0.0)
    words = (
        _weight(table, cell) * _longest_word(cell.text) + 0.4 * len(cell.mark) + _boxes(min(cell.boxes, 5))
        for cell in cells
    )
    return max(head, max(words, default=0.0)) + _air(table, column)


def _named(cell: Cell) -> float:
    """Boxes with a word before each."""
    return sum(_length(word) + _BOX + _BEHIND_FIVE for word in cell.named)


def _boxes(many: int) -> float:
    """Boxes to tick, in fives."""
    return _BOX * many + _BEHIND_FIVE * ceil(many / 5)


def _head_length(head: str) -> float:
    """A head in one line, its die with it."""
    return _CAPITAL * len(_DIE.sub("", head)) + 1.5 * len(_DIE.findall(head))


def _weight(table: Table, cell: Cell) -> float:
    """Heavy type is wider."""
    return _HEAVY if cell.strong or "**" in cell.text or is_grid(table) else 1


@lru_cache(maxsize=4096)
def _longest_word(text: str) -> float:
    return max((_length(word) for word in text.replace(_BREAK, " ").split()), default=0.0)


def ems(text: str) -> float:
    """How long a text is, in ems of its type, at a guess.

    >>> ems("Illicit") < ems("Museums")
    True
    """
    return _length(text)


@lru_cache(maxsize=4096)
def _length(text: str) -> float:
    letters = _DIE.sub("", _MARKUP.sub("", text))
    dice = len(_DIE.findall(text))
    return 1.5 * dice + sum(_LETTERS.get(letter, _LETTER) for letter in letters)
