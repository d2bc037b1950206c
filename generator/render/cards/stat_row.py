"""The layout of a card's big figures side by side: column widths and labels. Lengths are millimetres."""

from __future__ import annotations

from math import ceil
from typing import TYPE_CHECKING, NamedTuple

from generator.render.cards.card_tables import SEMIBOLD
from generator.render.type.line_breaks import broken
from generator.render.type.text_length import length

if TYPE_CHECKING:
    from collections.abc import Iterator

    from generator.render.cards.deck import Stat

_BLACK = "sans-black"
_FIGURE_HEIGHT, _LABEL_LINE = 6.4, 2.7
_HALF = 0.58
"""Width of a label in two lines, as a share of its width in one: the lines are rarely equal."""


class StatPlace(NamedTuple):
    """A big figure with its column and the lines of its label."""

    stat: Stat
    left: float
    width: float
    label: tuple[str, ...]


class Strip(NamedTuple):
    """Big figures side by side."""

    top: float
    height: float
    stats: tuple[StatPlace, ...]


def strips(stats: tuple[Stat, ...], across: float) -> Iterator[tuple[Stat, ...]]:
    """Yield the big figures in the fewest rows that hold them, with about equal numbers."""
    for rows in range(1, len(stats) + 1):
        each = ceil(len(stats) / rows)
        cut = [stats[start : start + each] for start in range(0, len(stats), each)]
        if each == 1 or all(sum(map(_width, row)) <= across for row in cut):
            yield from cut
            return


def strip_at(top: float, stats: tuple[Stat, ...], side: float, across: float) -> Strip:
    """Return a row of big figures with its place; labels have one line if there is room for all of them."""
    needs = [_in_one_line(stat) for stat in stats]
    if sum(needs) > across:
        needs = [_width(stat) for stat in stats]
    spare = max(0.0, across - sum(needs)) / len(stats)
    left, places = side, []
    for stat, need in zip(stats, needs, strict=True):
        width = min(need + spare, across)
        places.append(StatPlace(stat, left, width, broken(stat.label, width - 0.9, 7.0, SEMIBOLD)))
        left += width
    height = _FIGURE_HEIGHT + max(len(place.label) for place in places) * _LABEL_LINE + 0.3
    return Strip(top, height, tuple(places))


def _width(stat: Stat) -> float:
    """Return the width that a big figure needs with its label in two lines."""
    words = (length(word, 7.0, SEMIBOLD) for word in stat.label.split())
    return max(length(stat.figure, 15.0, _BLACK), *words, length(stat.label, 7.0, SEMIBOLD) * _HALF, 9.0) + 1.6


def _in_one_line(stat: Stat) -> float:
    """Return the width that a big figure needs with its label in one line."""
    return max(_width(stat), length(stat.label, 7.0, SEMIBOLD) + 1.6)
