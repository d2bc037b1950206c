"""Boxes to tick on cards: how much room they take, and which of them stand side by side. Lengths are millimetres."""

from __future__ import annotations

from itertools import groupby
from math import ceil
from typing import TYPE_CHECKING, NamedTuple

from generator.render.breaking import broken
from generator.render.card_tables import SEMIBOLD
from generator.render.measure import length

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from generator.render.deck import Boxes, Ticks

_TICK, _SQUARE, _BETWEEN = 7.5, 3.75, 2.0
"""The labels of boxes in points, a box with the air behind it, and what parts one from the next."""
_BOX = 3.7
_BLACK = "sans-black"


class TickPlace(NamedTuple):
    """Boxes of one element with their place."""

    ticks: Ticks
    left: float
    top: float
    width: float
    height: float


def box_width(boxes: Boxes) -> float:
    """How much room boxes take with their label."""
    return boxes.many * _SQUARE + length(boxes.label, _TICK, SEMIBOLD) + 0.6


def whole(tick: Ticks, room: float, across: float) -> Iterator[Ticks]:
    """The boxes of an element together, if a face can hold them."""
    if _height_of(tick, across) <= room:
        yield tick
    else:
        yield from (tick._replace(boxes=(boxes,)) for boxes in tick.boxes)


def tick_lines(ticks: Sequence[Ticks], side: float, across: float) -> Iterator[list[TickPlace]]:
    """Elements with the same boxes side by side, as many in a line as there is room for."""
    for _, alike in groupby(ticks, lambda one: [box.label for box in one.boxes]):
        yield from _alike_lines(list(alike), side, across)


def _alike_lines(ticks: Sequence[Ticks], side: float, across: float) -> Iterator[list[TickPlace]]:
    boxes = [max(0.0, sum(box_width(box) + _BETWEEN for box in one.boxes) - _BETWEEN) for one in ticks]
    widest = max(_name_width(one) + wide for one, wide in zip(ticks, boxes, strict=True))
    abreast = max(1, int(across // max(_BETWEEN, widest)))
    each = across / abreast
    for start in range(0, len(ticks), abreast):
        yield [
            TickPlace(tick, side + index * each, 0, each, _height_of(tick, each))
            for index, tick in enumerate(ticks[start : start + abreast])
        ]


def _name_width(tick: Ticks) -> float:
    return length(tick.name, _TICK, _BLACK) + 1.8 if tick.name else 0.0


def _height_of(tick: Ticks, width: float) -> float:
    """Boxes in as many lines as they need."""
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
