"""The layout of boxes to tick on cards: their sizes and lines. Lengths are millimetres."""

from __future__ import annotations

from itertools import groupby
from math import ceil
from typing import TYPE_CHECKING, NamedTuple

from generator.render.cards.card_tables import SEMIBOLD
from generator.render.type.line_breaks import broken
from generator.render.type.text_length import length

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from generator.render.cards.deck import Boxes, Ticks

_TICK, _SAID, _SQUARE, _BETWEEN = 7.5, 7.0, 3.75, 2.0
"""Type sizes in points of labels and of headings; width of a box with the space after it; space between groups."""
_BOX, _SAID_LINE = 3.7, 3.0
_BLACK = "sans-black"
_APART = 0.6
"""Least distance between two elements, in addition to the space after the last box."""


class TickPlace(NamedTuple):
    """Boxes of one element with their place."""

    ticks: Ticks
    left: float
    top: float
    width: float
    height: float


def box_width(boxes: Boxes) -> float:
    """Return the width of boxes with their label."""
    return boxes.many * _SQUARE + length(boxes.label, _TICK, SEMIBOLD) + 0.6


def whole(tick: Ticks, room: float, across: float) -> Iterator[Ticks]:
    """Yield the boxes of an element together if a face can hold them, else one entry for each group of boxes."""
    if tick.says or _height_of(tick, across) <= room:
        yield tick
    else:
        yield from (tick._replace(boxes=(boxes,)) for boxes in tick.boxes)


def tick_lines(ticks: Sequence[Ticks], side: float, across: float) -> Iterator[list[TickPlace]]:
    """Yield lines of elements; as many elements with the same boxes as fit stand side by side.

    A heading stands before its elements if all fit on one line, else above them.
    """
    said: TickPlace | None = None
    for what, alike in groupby(ticks, lambda item: (item.says, [box.label for box in item.boxes])):
        if what[0]:
            if said:
                yield [said]
            said = _said(next(alike), side, across)
            continue
        together = list(alike)
        if said:
            used = length(said.ticks.says, _SAID, SEMIBOLD) + _BETWEEN
            if used + len(together) * (_widest(together) + _APART) <= across:
                ((first, *others),) = _alike_lines(together, side + used, across - used)
                yield [said._replace(width=used), first, *others]
                said = None
                continue
            yield [said]
            said = None
        yield from _alike_lines(together, side, across)
    if said:
        yield [said]


def _said(tick: Ticks, side: float, across: float) -> TickPlace:
    return TickPlace(tick, side, 0, across, len(broken(tick.says, across, _SAID, SEMIBOLD)) * _SAID_LINE)


def _widest(ticks: Sequence[Ticks]) -> float:
    boxes = [max(0.0, sum(box_width(box) + _BETWEEN for box in tick.boxes) - _BETWEEN) for tick in ticks]
    return max(_name_width(item) + wide for item, wide in zip(ticks, boxes, strict=True))


def _alike_lines(ticks: Sequence[Ticks], side: float, across: float) -> Iterator[list[TickPlace]]:
    abreast = max(1, int(across // max(_BETWEEN, _widest(ticks) + _APART)))
    each = across / abreast
    for start in range(0, len(ticks), abreast):
        yield [
            TickPlace(tick, side + index * each, 0, each, _height_of(tick, each))
            for index, tick in enumerate(ticks[start : start + abreast])
        ]


def _name_width(tick: Ticks) -> float:
    return length(tick.name, _TICK, _BLACK) + 1.8 if tick.name else 0.0


def _height_of(tick: Ticks, width: float) -> float:
    """Return the height of an element's boxes, in as many lines as they need."""
    lines, used = 1, _name_width(tick)
    for boxes in tick.boxes:
        need = box_width(boxes)
        if used and used + need > width:
            lines, used = lines + 1, 0.0
        if need > width:
            lines += ceil(boxes.many / (width // _SQUARE)) + len(broken(boxes.label, width, _TICK, SEMIBOLD)) - 1
            need = width
        used += need + _BETWEEN
    return lines * _BOX
