"""Upright cards: rows in a small table for each axis of chances, and texts on the side that has room.

Lengths are millimetres on a poker card. All other sizes are printed larger.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache
from typing import NamedTuple, TypeAlias

from generator.render.cards.columns import BESIDE_CHEVRONS, who_line
from generator.render.cards.deck import INDEX, POKER, SIZES, Axis, Card, Deck, Line, Listed, Stat
from generator.render.type.prose import TOKEN
from generator.render.type.text_length import broken, length

BELOW = 62.9
"""What the name bar and the rest of the front below the picture take."""
_ACROSS, _LEAST, _AIR = 57.5, 5.2, 1.4
"""The width of the text, of a column of chances at least, and the air beside a head."""
_FRONT, _BACK = 41.6, 74.5
"""The heights for tables and texts on the front, and on the back of a poker card."""
_ROW, _LINE, _GAP, _INDENT = 3.85, 2.9, 0.7, 3.0
"""The heights of a row, of a line of usual type, and of a gap; how far further situations are indented."""
_SMALL, _USUAL, _LARGE = 7.0, 7.5, 9.0
"""Sizes of type in points."""
Text: TypeAlias = "tuple[Stat, ...] | Listed | str"
"""A paragraph: facts, a list, or words."""


class SmallTable(NamedTuple):
    """Rows with chances under the same heads; rows without chances have no heads."""

    says: str
    """What the chances are, or the title of the rows."""
    note: str
    """What the chances are, under the title of the rows; or the heads of the figures in the rows."""
    heads: tuple[str, ...]
    start: int
    """The index of the first of these chances in the ``chances`` of each row."""
    rows: tuple[Line, ...]

    def widths(self) -> tuple[float, ...]:
        """Return the widths of the columns: the heads of the rows, then each column of chances.

        They are millimetres on a poker card.
        """
        chances = [max(_LEAST, length(head, _SMALL, "sans-bold") + _AIR) for head in self.heads]
        return (_ACROSS - sum(chances), *chances)


def small_tables(card: Card, rows: Sequence[Line | Axis]) -> list[SmallTable]:
    """Return rows of a card in small tables, in the order of their first rows.

    Rows whose chances have the same title and heads are in one table, even if other rows are between them. Rows without
    chances, or with only dashes, are in one table, too. An ``Axis`` among the rows gives title and heads to the ``own``
    rows below it. The first row of each table has its own title, even if it is a further situation of the row above it
    on the card.
    """
    tables: dict[tuple[str, str, tuple[str, ...], int], list[Line]] = {}
    without: tuple[str, str, tuple[str, ...], int] = ("", "", (), 0)
    own = without
    for row in rows:
        if isinstance(row, Axis):
            own = (row.title, row.says, row.targets, 0)
            continue
        key, start = without, 0
        for axis in card.axes:
            if any(chance and chance.tint is not None for chance in row.chances[start : start + len(axis.targets)]):
                key = (axis.says, "", axis.targets, start)
            start += len(axis.targets)
        key = own if row.own else key
        row = row if key in tables else row._replace(follows=False)  # noqa: PLW2901 - the row as printed
        tables.setdefault(key, []).append(row)
    made: list[SmallTable] = []
    for (says, note, heads, start), some in tables.items():
        filled = {head for row in some for head, _ in figures(card, row)}
        used = [column for column in card.columns if column.head in filled]
        if not note and (not any(table.heads for table in made) or sum(column.narrow for column in used) > 1):
            note = " · ".join(column.head for column in used)  # noqa: PLW2901 - the note as printed
        made.append(SmallTable(says, note, heads, start, tuple(some)))
    return made


def figures(card: Card, row: Line) -> list[tuple[str, str]]:
    """Return the filled cells of a row, each after the head of its column. A dash counts as empty."""
    return [(column.head, cell) for column, cell in zip(card.columns, row.cells, strict=True) if cell not in ("", "–")]


def is_crowded(card: Card) -> bool:
    """Return whether the labels of all figures, side by side, are too long for one line."""
    return sum(length(stat.label, _SMALL) + _AIR for stat in card.stats) > _ACROSS


@lru_cache(maxsize=64)
def texts(card: Card, size: str) -> tuple[Sequence[Text], Sequence[Text]]:
    """Return the texts of the front, as many as fit, and the other texts for the back, on a card of format ``size``.

    Notes marked ``spare`` are left out from the last one until the back has room. Without them, the back may still be
    too full.
    """
    own = () if card.part[0] > 1 or card.own in who_line(card, BESIDE_CHEVRONS) else (Stat("", card.own),)
    lines = [boxes.label for boxes in card.runs if "…" in boxes.label]
    states = ("**" + boxes.label.replace(":", ":**", 1) for boxes in card.boxes if ":" in boxes.label)
    facts: Text = (*own, *card.facts)
    fixed: list[Text] = [*(text for text in card.tells if text not in card.spare), facts, *states]
    beside = _FRONT - _tables_height(card, card.front) - (_ROW + _GAP if card.test else 0) - _LINE * is_crowded(card)
    below = _back(card, size)
    for most in range(len(card.spare), -1, -1):
        every = [text for text in [*fixed, *card.spare[:most], *card.lists, *lines, card.note] if text]
        heights = [_height(text, _USUAL) for text in every]
        front = max(count for count in range(len(every) + 1) if sum(heights[:count]) <= max(beside, 0))
        if sum(heights[front:]) <= below:
            break
    return every[:front], every[front:]


def with_sides(deck: Deck, size: str, sides: tuple[bool, ...]) -> Deck:
    """Return a deck with a page for each of these sides of each card, True for backs, on cards of format ``size``.

    On upright cards, a card with lists whose texts do not fit becomes two cards, as by :func:`with_lists`. The ``part``
    of each card then has the count of all cards of its design and unit.
    """
    cards = deck.cards if size == INDEX else tuple(part for card in deck.cards for part in with_lists(card, size))
    counts = {(card.name, card.who): card.part[1] for card in sorted(cards, key=lambda card: card.part[1])}
    cards = tuple(replace(card, part=(card.part[0], counts[card.name, card.who])) for card in cards)
    return replace(deck, cards=cards, apart=sides, size=size)


def with_lists(card: Card, size: str) -> list[Card]:
    """Return the card alone if it has no lists, or if all texts of the back fit; else the card in two cards.

    The first card is the card without lists, with an unchanged ``part``. ``size`` is the format of the cards. The
    second card has the lists. It repeats the names, the figures and the drawings, but no weapons, boxes or other texts.
    """
    if not card.lists or sum(_height(text, _USUAL) for text in texts(card, size)[1]) <= _back(card, size):
        return [card]
    alone = Card(
        card.name, card.who, stats=card.stats, plan=card.plan, lists=card.lists, part=(card.part[1] + 1,) * 2,
        symbol=card.symbol, chevrons=card.chevrons, picture=card.picture, mark=card.mark, unit=card.unit,
        which=card.which,
    )  # fmt: skip
    return [replace(card, lists=()), alone]


@lru_cache(maxsize=64)
def is_roomy(card: Card, size: str) -> bool:
    """Return whether the back of a card of format ``size`` has room for its texts in larger type, of 9 points.

    The height of one row must stay free.
    """
    return sum(_height(text, _LARGE) for text in texts(card, size)[1]) <= _back(card, size) - _ROW


def _back(card: Card, size: str) -> float:
    """Return the height that the back has for texts, apart from its rows, in millimetres of a poker card.

    ``size`` is the format of the card, one of ``SIZES``. A format that is longer for its width has more height.
    """
    wide, high = SIZES[size]
    return _BACK + high / wide * SIZES[POKER][0] - SIZES[POKER][1] - _tables_height(card, card.back)


def _tables_height(card: Card, rows: Sequence[Line | Axis]) -> float:
    """Return the approximate height of these rows of a card in small tables, in millimetres of a poker card."""
    high = 0.0
    for table in small_tables(card, rows):
        left = table.widths()[0]
        if table.heads:
            lines = _lines(table.says, left, _USUAL) + (_lines(table.note, left, _SMALL) if table.note else 0)
            high += max(_ROW, _LINE * lines) + _GAP
        for row in table.rows:
            cells = (f"\u00a0{cell}" if table.heads else f" {head}\u00a0{cell}, " for head, cell in figures(card, row))
            words = " ".join(filter(None, (row.title * (not row.follows), row.head))) + "".join(cells)
            lines = _lines(words, left - _INDENT * row.follows, _USUAL, "sans-semibold")
            high += max(_ROW, _LINE * lines + _GAP)
    return high


def _height(text: Text, size: float) -> float:
    """Return the approximate height of a paragraph with the gap below it, in millimetres of a poker card.

    The type has ``size`` points.
    """
    if isinstance(text, Listed):
        return sum(_height(words, size) for words in (text.title, *map(" ".join, text.rows)))
    words = text if isinstance(text, str) else " · ".join(f"{stat.label} {stat.figure}" for stat in text)
    return _LINE * size / _USUAL * _lines(words, _ACROSS, size) + _GAP * size / _USUAL


def _lines(text: str, width: float, size: float, face: str = "sans") -> int:
    """Return the approximate count of lines of a text, which may have tokens and bold words; at least 1.

    ``width`` is millimetres of a poker card, ``size`` is points, and ``face`` is the id of a font face.
    """
    return max(1, len(broken(TOKEN.sub("W", text).replace("**", ""), width, 1.05 * size, face)))
