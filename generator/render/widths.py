"""How wide each column of a table is, so that tables of one kind come out alike and the engine need not guess."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from generator.render.blocks import Cell, Column, Table

_MARKUP = re.compile(r"[*_\\]|\{[a-z]+\}")
_AIR = 2.2
"""A cell's padding, counted in letters."""
_STAND_OFF = 1
"""More of it, where figures end and words may follow."""
_CAPITALS = 1.3
"""A spaced capital of a head is so much wider than a letter."""
_LONGEST = 36
"""A longer text is expected to run over several lines."""
_FIGURES = 5.2
"""The least that one column of many alike asks for."""


def column_widths(table: Table) -> tuple[float, ...]:
    """Each column's width as a percentage of the table's.

    Columns that name no share get what their content asks for; the others divide among themselves, by their shares,
    what theirs ask for together.
    """
    asked = [_ask(table, index) for index in range(len(table.columns))]
    alike = [index for index in range(len(asked)) if _is_one_of_many(table, index)]
    widest = max((asked[index] for index in alike), default=0)
    for index in alike:
        asked[index] = max(widest, _FIGURES)
    shares = [column.share for column in table.columns]
    if any(shares):
        together = sum(width for width, share in zip(asked, shares, strict=True) if share)
        asked = [
            together * share / sum(shares) if share else width for width, share in zip(asked, shares, strict=True)
        ]
    whole = sum(asked)
    return tuple(round(100 * width / whole, 3) for width in asked)


def is_grid(table: Table) -> bool:
    """Whether the table is set as a grid of tints."""
    return table.grid or any(cell.tint for row in table.rows for cell in row)


def in_columns(row: tuple[Cell, ...]) -> list[tuple[int, Cell]]:
    """The cells of a row, each with the index of the column it begins in."""
    placed, index = [], 0
    for cell in row:
        placed.append((index, cell))
        index += cell.span
    return placed


def _is_one_of_many(table: Table, index: int) -> bool:
    """Whether the column is one of a row of like ones: a grid's figures, or what is centred in a table."""
    if index == 0 and table.head_first:
        return False
    return is_grid(table) or table.columns[index].align == "centre"


def _ask(table: Table, index: int) -> float:
    width = _head(table.columns[index])
    for row in table.rows:
        for start, cell in in_columns(row):
            if start == index and cell.span == 1:
                width = max(width, _text(cell.text) + 0.7 * len(cell.mark))
    return width + _AIR + (_STAND_OFF if table.columns[index].align == "right" else 0)


def _head(column: Column) -> float:
    words = f"{column.head} {column.unit}".split()
    return max((len(word) for word in words), default=0) * _CAPITALS


@lru_cache(maxsize=4096)
def _text(text: str) -> float:
    letters = _MARKUP.sub("", text)
    words = letters.split()
    longest = max((len(word) for word in words), default=0)
    return max(longest, min(len(letters), _LONGEST))
