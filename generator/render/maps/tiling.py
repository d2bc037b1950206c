"""A table in sheets of paper, one inch as long as an inch: where each sheet begins and what it shows."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from math import ceil
from typing import TYPE_CHECKING, NamedTuple

from generator.render.geometry import geometry
from generator.render.imprinted import Imprinted

if TYPE_CHECKING:
    from generator.render.blocks import Map, Paper
    from generator.render.drawing import Point
    from generator.render.maps.areas import Box

INCH = 25.4
FLAP = 10.0
"""Millimetres that a sheet shows beyond its joint, under its neighbour."""
EDGE = 6.35
"""What printers cannot reach."""
MARGIN = 9.0
"""From the edge of the paper to the picture: there is room for marks."""
UNDER = 15.4
"""Between the picture and what printers cannot reach: a key, a ruler, who and what."""
_LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"


@dataclass(frozen=True, slots=True, kw_only=True)
class Tiles(Imprinted):
    """One document: a table at full size."""

    plan: Map


class Tile(NamedTuple):
    """One sheet, in millimetres from the north-west corner of the table."""

    column: int
    row: int
    cell: Box
    """What is its own: every place of the table is in the cell of one sheet."""
    shown: Box
    """The same with what it shows beyond its joints."""

    @property
    def name(self) -> str:
        """Its column as a letter, its row as a number."""
        return tile_name(self.column, self.row)


class Tiling(NamedTuple):
    """All sheets of a table."""

    paper: Point
    """Width and height as they are used."""
    columns: int
    rows: int
    tiles: tuple[Tile, ...]
    """Row by row."""

    def home(self, at: Point) -> Tile:
        """The sheet that has a place in its cell; of one beyond the table, the nearest."""
        column = next((one.column for one in self.tiles[: self.columns - 1] if at[0] < one.cell[2]), self.columns - 1)
        rows = self.tiles[:: self.columns]
        row = next((one.row for one in rows[: self.rows - 1] if at[1] < one.cell[3]), self.rows - 1)
        return self.tiles[row * self.columns + column]


def tile_name(column: int, row: int) -> str:
    """What a sheet is called: A1 in the north-west, AA behind Z.

    >>> tile_name(1, 2), tile_name(27, 0)
    ('B3', 'AB1')
    """
    before = column // len(_LETTERS)
    return f"{_LETTERS[before - 1] if before else ''}{_LETTERS[column % len(_LETTERS)]}{row + 1}"


def tiling(plan: Map, paper: Paper) -> Tiling:
    """The table in as few sheets as can be, lying or standing, all of one column or row alike."""
    wide, high = geometry(paper).paper
    return min((_split(plan, sheet) for sheet in ((wide, high), (high, wide))), key=lambda one: len(one.tiles))


def _split(plan: Map, sheet: Point) -> Tiling:
    across = _joints(plan.width * INCH, sheet[0] - 2 * MARGIN)
    down = _joints(plan.depth * INCH, sheet[1] - MARGIN - UNDER - EDGE)
    tiles = []
    for row, (top, bottom) in enumerate(pairwise(down)):
        for column, (left, right) in enumerate(pairwise(across)):
            shown = left, top, min(right + FLAP, across[-1]), min(bottom + FLAP, down[-1])
            tiles.append(Tile(column, row, (left, top, right, bottom), shown))
    return Tiling(sheet, len(across) - 1, len(down) - 1, tuple(tiles))


def _joints(long: float, room: float) -> list[float]:
    """Where the sheets of a row begin, and where the last of them ends. The last one needs no flap."""
    count = max(1, ceil((long - FLAP) / (room - FLAP) - 1e-9))
    each = min(long / count, room - FLAP) if count > 1 else long
    return [*(each * number for number in range(count)), long]
