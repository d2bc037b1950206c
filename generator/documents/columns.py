"""Sections in two columns that are about as high as each other, by a guess at how high each will be."""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING

from generator.documents.heights import section_height

if TYPE_CHECKING:
    from collections.abc import Sequence

    from generator.render.blocks import Section

_LAST, _STEP = 8, 8.0
"""Of sections that are balanced with each other, and millimetres that do not matter."""


def balanced(sections: Sequence[Section]) -> tuple[tuple[Section, ...], tuple[Section, ...]]:
    """Two columns: each section goes where there is less so far, the last ones so that both columns end together."""
    columns: tuple[list[Section], list[Section]] = ([], [])
    heights = [0.0, 0.0]
    high = [section_height(section) for section in sections]
    for section, tall, chosen in zip(sections, high, _sides(high), strict=True):
        columns[chosen].append(section)
        heights[chosen] += tall
    return tuple(columns[0]), tuple(columns[1])


def _sides(high: Sequence[float]) -> tuple[int, ...]:
    """Which of two columns each of these heights goes to.

    >>> _sides([30, 20, 50]), _sides([10, 10, 10, 30])
    ((0, 0, 1), (0, 0, 0, 1))
    """
    first = list[int]()
    apart = 0.0  # how much further the left column is
    for tall in high[: max(0, len(high) - _LAST)]:
        first.append(int(apart > 0))
        apart += -tall if apart > 0 else tall
    return min(
        ((*first, *last) for last in product((0, 1), repeat=len(high) - len(first))),
        key=lambda sides: _unevenness(high, sides),
    )


def _unevenness(high: Sequence[float], sides: Sequence[int]) -> tuple[float, float]:
    """How far apart two columns end, in steps that the guess can tell, and how far apart they are on the way."""
    apart, on_the_way = 0.0, 0.0
    for tall, side in zip(high, sides, strict=True):
        apart += -tall if side else tall
        on_the_way += abs(apart)
    return abs(apart) // _STEP, on_the_way
