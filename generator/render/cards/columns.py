"""The columns of the weapon table, in millimetres, and the columns of text on the back."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import combinations_with_replacement
from typing import Any, TypeAlias

from markupsafe import Markup

from generator.render.cards.deck import FRONT_ROWS, Axis, Card, Line, Listed, Stat
from generator.render.type.text_length import broken, length

_ACROSS, _HEADS = 113.0, 21.0
"""The width of the weapon table, and the least width of the heads of its rows."""
_NARROW, _USUAL, _AIR = 5.7, 11.2, 0.6
"""Least widths of a column of dice and of other figures, and the air at each side of a head."""
_BESIDE_PLAN = 76.0
"""The width beside the plan."""
BESIDE_CHEVRONS = 49.0
"""The width of the name bar of an upright card."""
_SIZES = {
    "name": ("sans-black", _BESIDE_PLAN, (("name", 17.0, 1), ("name long", 14.0, 1), ("name two", 10.5, 2))),
    "back": ("sans-black", 72.0, (("name", 12.0, 1), ("name two", 7.0, 2))),
    "side": ("sans-semibold", 47.0, (("side", 9.0, 1), ("side two", 7.0, 2))),
    "who": ("serif-italic", _BESIDE_PLAN, (("who", 8.5, 1), ("who small", 7.0, 1))),
    "word": ("sans-semibold", 21.6, (("word", 8.0, 1), ("word two", 7.0, 2))),
    "title": ("sans-black", BESIDE_CHEVRONS, (("title", 13.0, 1), ("title long", 10.5, 1), ("title two", 8.0, 2))),
    "under": ("serif-italic", BESIDE_CHEVRONS, (("under", 8.0, 1), ("under small", 7.0, 1))),
}
"""Texts of several sizes: the name on both sides, the side on the band, the line under the name, the word of boxes.

The last two are the name and the line under it on upright cards.

For each the face, the room in millimetres, and for each size its class, its points, and its number of lines.
"""
_CHANCES, _ALONE = (6.2, 9.2), 7.5
"""Least widths of a column of chances: in the first axis, in the second, in a single axis."""

_ROW, _LINE = 4.5, 2.8
"""The height of a row of the weapon table, and of a line of further text; on a blank card, a line is a row high."""
_BESIDE_BOXES, _UNDER_BOXES, _FOR_TEST = (57.0, 14.0), (53.0, 8.4), (31.0, 5.6)
"""Width and height of the places beside the boxes, below them, and of the test."""
_BACK, _BACK_HEADS, _BACK_ROW, _COLUMN, _APART = 64.0, 8.8, 4.4, 33.0, 0.6
"""On the back: the height of all, of the heads of the table, of its rows; the width of a column, and the gap of texts.

The width is that of a list's row, which hangs.
"""
_NOTE = 18
"""Most lines of a note."""
Text: TypeAlias = "Stat | Listed | str"
"""A text of a card: a fact, a list, or words."""


def widths(card: Card) -> tuple[float, ...]:
    """Return the widths of the columns of the weapon table in millimetres: heads of the rows, figures, chances.

    Together they are as wide as the table.
    """
    figures = [
        max(_NARROW if item.narrow else _USUAL, length(item.head, 7.0, "sans-semibold") + 2 * _AIR)
        for item in card.columns
    ]
    chances = []
    for axis, least in zip(card.axes, _CHANCES if len(card.axes) > 1 else (_ALONE,), strict=False):
        heads = max(length(head, 7.0, "sans-bold") for head in axis.targets) + 1.5 * _AIR
        title = (length(axis.says, 7.5, "sans-bold") + _AIR) / len(axis.targets)
        chances += [max(least, heads, title)] * len(axis.targets)
    others = (*figures, *chances)
    narrower = min(1, (_ACROSS - _HEADS) / sum(others)) if others else 1  # long heads of a translation
    return (_ACROSS - narrower * sum(others), *(narrower * width for width in others))


def uses_axes(rows: Sequence[Line | Axis]) -> bool:
    """Return whether any line of the weapon table has no head row of its own: it needs the heads of the card's axes.

    An axis is a group of columns with the chances against several targets. A line without chances, or of a card
    without axes, counts, too. False without lines.
    """
    return any(isinstance(row, Line) and not row.own for row in rows)


def is_blank(card: Card) -> bool:
    """Return whether a card is to be filled in by hand: its name begins with the dots of a line to write on."""
    return card.name.startswith("……")


def needs_back(card: Card) -> bool:
    """Return whether an index card needs its back for rows or boxes, or for texts that do not fit on its front."""
    return bool(card.back or card.runs) or _front(card)[1] < len(_texts(card))


def front_texts(card: Card) -> tuple[str, Sequence[Text]]:
    """Return the CSS class of the place on the front that holds the most texts of the card, and these texts.

    The class is empty if no place holds a text.
    """
    place, count = _front(card)
    return place, _texts(card)[:count]


def back_texts(card: Card) -> Sequence[Text]:
    """Return the texts that do not fit on the front.

    The points are left out, because they are at the head of the back.
    """
    return [text for text in _texts(card)[_front(card)[1] :] if text is not card.points]


@lru_cache(maxsize=64)
def _front(card: Card) -> tuple[str, int]:
    """Return the class of the place on the front that holds the most texts, and the count of these texts.

    Of several such places, the first is taken. On a blank card it is the last, because the first takes room from the
    weapon table; each line of text is then as high as a row of that table. If no place holds a text, the class is
    empty.
    """
    texts, best = [*map(_plain, _texts(card))], ("", 0)
    line, step = (_ROW, -1) if is_blank(card) else (_LINE, 1)
    for place, wide, high in [*_places(card)][::step]:
        count = best[1]
        while count < len(texts) and _count_lines(texts[: count + 1], wide, 7.0) * line <= high:
            best = place, (count := count + 1)
    return best


def _places(card: Card) -> Iterator[tuple[str, float, float]]:
    """Yield the CSS class of each place on the front of a card that is free for texts.

    With the class come the width and the height of the place in millimetres. The height below a full table is 0.
    """
    yield f"below under{len(card.front)}", _ACROSS, (FRONT_ROWS - len(card.front)) * _ROW
    if not card.ladder and not card.ticks:
        yield "beside-boxes", *_BESIDE_BOXES
    if not card.test:
        yield "for-test", *_FOR_TEST
    if len([*card.box_rows()]) <= 1:
        yield "under-boxes", *_UNDER_BOXES


def _texts(card: Card) -> tuple[Text, ...]:
    """Return the texts of a card for its free places and its back, in the order in which the front has them.

    ``own`` is left out if the line under the name has it, and the points if the back has rows or boxes.
    """
    own = "" if card.own in who_line(card) else card.own
    points = "" if card.back or card.runs else card.points
    return (*filter(None, (own,)), *card.facts, *card.tells, *card.lists, *filter(None, (card.note, points)))


def _count_lines(texts: Iterable[str], width: float, size: float) -> int:
    """Return the count of lines of texts that run on, with dots between them.

    ``width`` is the length of a line in millimetres, and ``size`` the size of the type in points.
    """
    return len(broken(" · ".join(texts), width, size, "sans-semibold"))


def _plain(text: Text) -> str:
    if isinstance(text, Listed):
        return f"{text.title} " + "; ".join(map(" ".join, text.rows))
    return f"{text.label}\N{NO-BREAK SPACE}{text.figure}" if isinstance(text, Stat) else text


def fitted(what: str, text: str) -> tuple[str, Markup]:
    """Return the CSS class and the lines of a text, with breaks between them, in its largest size that fits.

    If no size fits, the text ends with an ellipsis. ``what`` is the use of the text: ``name``, ``back``, ``side``,
    ``who``, ``word``, ``title`` or ``under``.
    """
    face, width, sizes = _SIZES[what]
    for style, size, most in sizes:  # noqa: B007 - the last is taken
        lines = (text,) if length(text, size, face) <= width else broken(text, width, size, face)
        if len(lines) <= most:
            break
    return style, Markup("<br/>").join(cut_off(lines, most))


def cut_off(lines: Sequence[str], most: int) -> Sequence[str]:
    """Return the first ``most`` lines; ``most`` is at least 1.

    If there are more lines, an ellipsis replaces the last word of the last returned line. In a line of one word, it
    replaces the last two letters.

    >>> cut_off(("Old guns", "on the hill", "and more"), 2), cut_off(("Sledgehammer", "II"), 1)
    (('Old guns', 'on the…'), ('Sledgehamm…',))
    """
    if len(lines) <= most:
        return lines
    last = lines[most - 1]
    return (*lines[: most - 1], f"{last.rpartition(' ')[0] or last[:-2]}…")


def who_line(card: Card, width: float = _BESIDE_PLAN) -> str:
    """Return the line under the name: the warning, kind and unit, what the design is, and the card's place among cards.

    What the design is (``own``) is left out if it does not fit. ``width`` is the room in millimetres.
    """
    parts = card.mark, card.who, card.own, part_words(card)
    line, short = (" · ".join(filter(None, some)) for some in (parts, (*parts[:2], parts[3])))
    return line if length(line, 7.0, "serif-italic") <= width else short


def part_words(card: Card) -> str:
    """Return the place of a card among the cards of its design and unit, such as "card 1 of 2".

    Empty for the only card.
    """
    number, count = map(str, card.part)
    return card.which.replace("{number}", number).replace("{count}", count) if count != "1" else ""


def shortened(notes: Sequence[str]) -> str:
    """Return one or two notes as a text that fits a column of the back; empty without notes.

    Notes that are too long are cut and end with an ellipsis. A note with at most half of the lines stays whole.
    """
    texts = [(note, broken(note, _COLUMN, 7.2, "sans-semibold")) for note in notes]
    total = sum(len(lines) for _, lines in texts)
    rooms = [_NOTE - min(_NOTE // 2, total - len(lines)) for _, lines in texts]
    cut = (" ".join(cut_off(lines, room)) for (_, lines), room in zip(texts, rooms, strict=True))
    return " ".join(notes if total <= _NOTE else cut)


def columns_of(card: Card) -> list[list[Any]]:
    """Return the texts of the back in three columns whose highest is as low as possible.

    A column has ``Listed``, tuples of ``Stat`` and words. Each ``Listed`` starts a column; a card has at most three
    lists. The facts stay together. Return no columns if the back has boxes (``runs``) or no texts.
    """
    back = back_texts(card) if not card.runs else ()
    facts = tuple(text for text in back if isinstance(text, Stat))
    lists = [text for text in back if isinstance(text, Listed)]
    texts: list[Any] = [*filter(None, (facts,)), *(text for text in back if isinstance(text, str))]

    def columns(first: int, second: int) -> list[list[Any]]:
        """Return the back's ``texts``, cut at two indices, as three columns; each of its ``lists`` begins a column."""
        parts = texts[:first], texts[first:second], texts[second:]
        return [[*lists[at : at + 1], *part] for at, part in enumerate(parts)]

    cuts = [*combinations_with_replacement(range(len(texts) + 1), 2)]
    return min((columns(*cut) for cut in reversed(cuts)), key=_highest) if back else []


def fits_back(card: Card, enlarged: float = 1) -> bool:
    """Return whether the back of an index card has room for its columns of texts below its rows.

    True for a back with boxes (``runs``), which has no columns. ``enlarged`` is the factor by which the texts are
    larger than usual.
    """
    room = _BACK - (_BACK_HEADS + _BACK_ROW * len(card.back) if card.back else 0)
    return enlarged * _highest(columns_of(card)) <= room


def _highest(columns: list[list[Any]]) -> float:
    """Return the approximate height of the highest column, in millimetres; 0 without columns."""
    return max((sum(map(_height, column)) for column in columns), default=0.0)


@lru_cache(maxsize=1000)
def _height(item: Any) -> float:
    """Return the approximate height in millimetres of an item of a column: a text, a list, or a tuple of facts.

    The height of a text or of facts includes the gap to the next item.
    """
    if isinstance(item, Listed):
        return _LINE + sum(_height(f"{head} {names}") - _APART for head, names in item.rows)
    return _count_lines([item] if isinstance(item, str) else map(_plain, item), _COLUMN, 7.2) * _LINE + _APART
