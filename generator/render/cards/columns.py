"""The columns of the weapon table, in millimetres, and the columns of text on the back."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Any

from generator.render.cards.deck import Boxes
from generator.render.type.text_length import length

if TYPE_CHECKING:
    from generator.render.cards.deck import Axis, Card, Column

_ACROSS = 113.0
_NARROW, _USUAL, _AIR = 5.7, 11.2, 0.6
"""Least widths of a column of dice and of other figures, and the air beside a head."""
_TEXT_COLUMNS, _PARAGRAPH, _PER_BOX = 3, 15, 4
"""Columns of text on the back; the letters that a new paragraph and a box take the room of."""
_BAND = 47.0
"""The height of the band between chevrons and emblem."""
_BESIDE_PLAN = 76.0
"""The width beside the plan."""
_CHANCES, _ALONE = (6.2, 9.2), 7.5
"""Least widths of a column of chances: in the first axis, in the second, in a single axis."""


def widths(card: Card) -> tuple[float, ...]:
    """Return the widths of the columns: the heads of the rows, the figures, the chances."""
    return _widths(card.columns, card.axes)


@lru_cache(maxsize=64)
def _widths(columns: tuple[Column, ...], axes: tuple[Axis, ...]) -> tuple[float, ...]:
    figures = [
        max(_NARROW if item.narrow else _USUAL, length(item.head, 7.0, "sans-semibold") + _AIR) for item in columns
    ]
    chances = []
    for axis, least in zip(axes, _CHANCES if len(axes) > 1 else (_ALONE,), strict=False):
        heads = max(length(head, 7.0, "sans-bold") for head in axis.targets) + _AIR / 2
        title = (length(axis.says, 7.5, "sans-bold") + _AIR) / len(axis.targets)
        chances += [max(least, heads, title)] * len(axis.targets)
    return (_ACROSS - sum(figures) - sum(chances), *figures, *chances)


def name_class(name: str) -> str:
    """Return the class of a name: large, smaller, or in two lines."""
    if length(name, 17.0, "sans-black") <= _BESIDE_PLAN:
        return "name"
    return "name long" if length(name, 14.0, "sans-black") <= _BESIDE_PLAN else "name two"


def who_class(who: str) -> str:
    """Return the class of the line under the name: of the usual size, or small."""
    return "who" if length(who, 8.5, "serif-italic") <= _BESIDE_PLAN else "who small"


def columns_of(card: Card) -> list[list[Any]]:
    """Return the texts of the back in three columns with about equal numbers of letters; lists have the first."""
    texts: list[Any] = [*filter(None, (card.facts,)), *card.tells, *card.runs, *filter(None, (card.note,))]
    columns: list[list[Any]] = [[*card.lists]] if card.lists else []
    free = _TEXT_COLUMNS - len(columns)
    weights = [_letters(item) for item in texts]
    filled: list[list[Any]] = [[] for _ in range(free)]
    for index, item in enumerate(texts):
        middle = sum(weights[:index]) + weights[index] / 2
        filled[min(free - 1, int(free * middle / sum(weights)))].append(item)
    return columns + filled


def _letters(item: Any) -> int:
    if isinstance(item, str):
        return len(item) + _PARAGRAPH
    if isinstance(item, Boxes):
        return len(item.label) + _PER_BOX * item.many
    return sum(len(fact.figure) + len(fact.label) + 3 for fact in item)


def side_class(owner: str) -> str:
    """Return the class of the name on the band: in one line, or small in two."""
    return "side" if length(owner, 9.0, "sans-semibold") <= _BAND else "side two"
