"""Movement over the ground on a grid of half inches: each row is an integer with a bit for each cell.

A cell belongs to a piece if the piece's outline holds the middle of the cell. Moves cross the edge between two
cells, never a corner, so nothing passes between two pieces that touch at a corner.
"""

from __future__ import annotations

from fractions import Fraction
from math import isqrt
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from generator.scenarios.table.outlines import HALF

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from generator.scenarios.table.outlines import Outline, Point

Cells: TypeAlias = "tuple[int, ...]"
"""A set of cells: one integer for each row, from the south; the lowest bit is the westernmost cell."""


class Extent(NamedTuple):
    """The size of a table, in half inches."""

    wide: int
    deep: int

    def all(self) -> Cells:
        """Return every cell of the table."""
        return ((1 << self.wide) - 1,) * self.deep

    def none(self) -> Cells:
        """Return an empty set of cells."""
        return (0,) * self.deep


def cells_of(outline: Outline, extent: Extent) -> Cells:
    """Return the cells whose middle is in an outline."""
    rows = [0] * extent.deep
    box = outline.box
    first, last = max(0, -(-(box.low - HALF // 2) // HALF)), min(extent.deep - 1, (box.high - HALF // 2) // HALF)
    for row in range(first, last + 1):
        for left, right in spans(outline, row * HALF + HALF // 2):
            start, end = max(0, -(-(left - HALF // 2) // HALF)), min(extent.wide - 1, (right - HALF // 2) // HALF)
            if start <= end:
                rows[row] |= ((1 << (end - start + 1)) - 1) << start
    return tuple(rows)


def together(parts: Iterable[Cells], extent: Extent) -> Cells:
    """Return the union of several sets of cells."""
    rows = list(extent.none())
    for part in parts:
        rows = [item | other for item, other in zip(rows, part, strict=True)]
    return tuple(rows)


def without(cells: Cells, taken: Cells) -> Cells:
    """Return the cells of the first set that are not in the second."""
    return tuple(item & ~other for item, other in zip(cells, taken, strict=True))


def meet(cells: Cells, other: Cells) -> bool:
    """Return whether two sets have a cell in common."""
    return any(here & there for here, there in zip(cells, other, strict=True))


def reached(start: Cells, free: Cells) -> Cells:
    """Return every cell that can be reached from the start over free cells."""
    rows = [here & open_ for here, open_ in zip(start, free, strict=True)]
    waiting = [number for number, row in enumerate(rows) if row]
    rows = [_spread(row, open_) for row, open_ in zip(rows, free, strict=True)]
    while waiting:
        number = waiting.pop()
        for beside in (number - 1, number + 1):
            if 0 <= beside < len(rows):
                grown = rows[number] & free[beside] & ~rows[beside]
                if grown:
                    rows[beside] = _spread(rows[beside] | grown, free[beside])
                    waiting.append(beside)
    return tuple(rows)


def _spread(row: int, free: int) -> int:
    """Return a row grown east and west over its free cells, in steps of 1, 2, 4 ... cells."""
    west = east = row
    west_free = east_free = free
    step = 1
    while step <= free.bit_length():
        east |= east_free & (east << step)
        east_free &= east_free << step
        west |= west_free & (west >> step)
        west_free &= west_free >> step
        step *= 2
    return east | west


def blocked(pieces: Sequence[Cells], freed: Sequence[Sequence[Cells]], extent: Extent) -> Cells:
    """Return the cells that pieces block. ``freed`` has, for each piece, the cells that lead through it."""
    taken = [without(piece, together(ways, extent)) for piece, ways in zip(pieces, freed, strict=True)]
    return together(taken, extent)


def spans(outline: Outline, level: int) -> list[tuple[int, int]]:
    """Return the stretches of an east-west line inside an outline, from the first whole unit inside to the last."""
    found = _spans_of_polygon(outline.corners, level) if outline.closed else []
    if outline.margin:
        for edge in outline.edges():
            found += _spans_of_way(edge, level, outline.margin)
    return found


def _spans_of_polygon(corners: Sequence[Point], level: int) -> list[tuple[int, int]]:
    """Return the stretches of an east-west line that are in a polygon."""
    meets: list[Fraction] = []
    found: list[tuple[int, int]] = []
    start = corners[-1]
    for end in corners:
        if start[1] == end[1] == level:
            found.append((min(start[0], end[0]), max(start[0], end[0])))
        elif (start[1] > level) != (end[1] > level):
            meets.append(start[0] + Fraction((end[0] - start[0]) * (level - start[1]), end[1] - start[1]))
        elif end[1] == level:
            found.append((end[0], end[0]))
        start = end
    meets.sort()
    found += [(-(-left // 1), right // 1) for left, right in zip(meets[::2], meets[1::2], strict=True)]
    return [(left, right) for left, right in found if left <= right]


def _spans_of_way(edge: tuple[Point, Point], level: int, margin: int) -> list[tuple[int, int]]:
    """Return the stretches of an east-west line within a margin of an edge: in its two round ends and its band."""
    (x1, y1), (x2, y2) = edge
    found = []
    for x, y in {(x1, y1), (x2, y2)}:
        beside = margin * margin - (level - y) ** 2
        if beside >= 0:
            found.append((x - isqrt(beside), x + isqrt(beside)))
    along_x, along_y = x2 - x1, y2 - y1
    length = along_x * along_x + along_y * along_y
    if not length:
        return found
    up = level - y1
    # Along the edge: 0 <= (x - x1) along_x + up along_y <= length.
    # Across it: (along_x up - along_y (x - x1))² <= margin² length.
    left, right = (x1 - 10 * (length + margin), x1 + 10 * (length + margin))
    if along_x > 0:
        left, right = max(left, x1 + -(up * along_y // along_x)), min(right, x1 + (length - up * along_y) // along_x)
    elif along_x < 0:
        left, right = max(left, x1 - (length - up * along_y) // -along_x), min(right, x1 + up * along_y // -along_x)
    elif not 0 <= up * along_y <= length:
        return found
    reach = isqrt(margin * margin * length)
    if along_y:
        ends = sorted(((along_x * up - reach) * _sign(along_y), (along_x * up + reach) * _sign(along_y)))
        left, right = max(left, x1 + -(-ends[0] // abs(along_y))), min(right, x1 + ends[1] // abs(along_y))
    elif abs(along_x * up) > reach:
        return found
    return [*found, (left, right)] if left <= right else found


def _sign(number: int) -> int:
    return 1 if number > 0 else -1
