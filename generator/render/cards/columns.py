"""The columns of the weapon table, in millimetres, and the columns of text on the back."""

from __future__ import annotations

from functools import lru_cache
from itertools import combinations_with_replacement
from typing import TYPE_CHECKING, Any

from generator.render.cards.deck import FRONT_ROWS, Axis, Card, Column, Line, Listed
from generator.render.cards.drawings import box_rows
from generator.render.type.text_length import length

if TYPE_CHECKING:
    from collections.abc import Sequence

_ACROSS = 113.0
_NARROW, _USUAL, _AIR = 5.7, 11.2, 0.6
"""Least widths of a column of dice and of other figures, and the air at each side of a head."""
_LETTERS = 26
"""About the letters of a line in a column on the back."""
_BAND = 47.0
"""The height of the band between chevrons and emblem."""
_WORD = 21.6
"""The width of the word of a row of boxes."""
_BESIDE_PLAN = 76.0
"""The width beside the plan."""
_CHANCES, _ALONE = (6.2, 9.2), 7.5
"""Least widths of a column of chances: in the first axis, in the second, in a single axis."""

_ROW, _LINE, _FILLED = 4.5, 2.8, 0.92
"""The height of a row of the weapon table and of a line of further text, and the part of a line that is filled."""
_BESIDE_BOXES = 57.0, 14.0
_UNDER_BOXES = 53.0, 11.2
"""Width and height of the place beside the boxes of a card without boxes of its unit, and of the place below them."""


def widths(card: Card) -> tuple[float, ...]:
    """Return the widths of the columns: the heads of the rows, the figures, the chances."""
    return _widths(card.columns, card.axes)


@lru_cache(maxsize=64)
def _widths(columns: tuple[Column, ...], axes: tuple[Axis, ...]) -> tuple[float, ...]:
    figures = [
        max(_NARROW if item.narrow else _USUAL, length(item.head, 7.0, "sans-semibold") + 2 * _AIR) for item in columns
    ]
    chances = []
    for axis, least in zip(axes, _CHANCES if len(axes) > 1 else (_ALONE,), strict=False):
        heads = max(length(head, 7.0, "sans-bold") for head in axis.targets) + 1.5 * _AIR
        title = (length(axis.says, 7.5, "sans-bold") + _AIR) / len(axis.targets)
        chances += [max(least, heads, title)] * len(axis.targets)
    return (_ACROSS - sum(figures) - sum(chances), *figures, *chances)


def uses_axes(rows: Sequence[Line | Axis]) -> bool:
    """Return whether a row of the weapon table has its chances under the targets of the card's axes."""
    return any(isinstance(row, Line) and None not in row.chances for row in rows)


def needs_back(card: Card) -> bool:
    """Return whether something on a card has no room on its front."""
    return bool(card.back or card.runs) or (bool(_further(card)) and not rest_class(card))


def rest_class(card: Card) -> str:
    """Return the class of the place on the front for the text of the back; empty if no place has room for it.

    The places are below the weapon table, at the right of the boxes, and below a single row of boxes.
    """
    below = f"below under{len(card.front)}", _ACROSS, (FRONT_ROWS - len(card.front)) * _ROW
    beside = "beside-boxes", _BESIDE_BOXES[0], 0 if card.ladder or card.ticks else _BESIDE_BOXES[1]
    under = "under-boxes", *(_UNDER_BOXES if len([*box_rows(card)]) <= 1 else (0, 0))
    needed = length(_further(card), 7.0, "sans-semibold")
    places = (name for name, wide, high in (below, beside, under) if int(high / _LINE) * wide * _FILLED >= needed)
    return next(places, "")


def _further(card: Card) -> str:
    """Return the text of a card's back."""
    texts = [f"{item.title} " + "; ".join(map(" ".join, item.rows)) for item in card.lists]
    texts += [f"{fact.label} {fact.figure}" for fact in card.facts]
    return " · ".join(filter(None, (*texts, *card.tells, card.note, card.points)))


def name_class(name: str) -> str:
    """Return the class of a name: large, smaller, or in two lines."""
    if length(name, 17.0, "sans-black") <= _BESIDE_PLAN:
        return "name"
    return "name long" if length(name, 14.0, "sans-black") <= _BESIDE_PLAN else "name two"


def who_class(who: str) -> str:
    """Return the class of the line under the name: of the usual size, or small."""
    return "who" if length(who, 8.5, "serif-italic") <= _BESIDE_PLAN else "who small"


def columns_of(card: Card) -> list[list[Any]]:
    """Return the texts of the back in three columns as equal as can be, a list at the head of each.

    There are none if the front has room for them, or if there are boxes on the back.
    """
    if card.runs or (rest_class(card) and not card.back):
        return []
    texts: list[Any] = [*filter(None, (card.facts,)), *card.tells, *filter(None, (card.note,))]

    def columns(first: int, second: int) -> list[list[Any]]:
        """Return the columns if the texts are cut at these places."""
        parts = texts[:first], texts[first:second], texts[second:]
        return [[*card.lists[at : at + 1], *part] for at, part in enumerate(parts)]

    cuts = combinations_with_replacement(range(len(texts) + 1), 2)
    return min((columns(*cut) for cut in cuts), key=lambda made: max(sum(map(_lines, column)) for column in made))


def _lines(item: Any) -> int:
    """Return about how many lines a text has in a column."""
    if isinstance(item, Listed):
        return 1 + sum(map(_lines, (f"{head} {names}" for head, names in item.rows)))
    text = item if isinstance(item, str) else " · ".join(f"{fact.label} {fact.figure}" for fact in item)
    return -(-len(text) // _LETTERS)


def word_class(label: str) -> str:
    """Return the class of the word of a row of boxes: in one line, or small in two."""
    return "word" if length(label, 8.0, "sans-semibold") <= _WORD else "word two"


def side_class(owner: str) -> str:
    """Return the class of the name on the band: in one line, or small in two."""
    return "side" if length(owner, 9.0, "sans-semibold") <= _BAND else "side two"
