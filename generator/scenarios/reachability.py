"""Find which objectives a side can reach over the ground from its zones and entries, by each way of moving."""

from __future__ import annotations

from typing import TYPE_CHECKING

from generator.scenarios.table.outlines import HALF, Outline, circle, rectangle
from generator.scenarios.table.reach import mask_of, reached, union_of

if TYPE_CHECKING:
    from generator.scenarios.scenario import Entry, Mover, Scenario, Side
    from generator.scenarios.table.reach import Extent, Mask


def strip(entry: Entry, table: Extent) -> Outline:
    """Return the outline of an entry: a strip along its edge, half an inch deep."""
    start, long = entry.start * HALF, (entry.end - entry.start) * HALF
    match entry.edge:
        case "north":
            return rectangle((start, (table.deep - 1) * HALF), (long, HALF))
        case "south":
            return rectangle((start, 0), (long, HALF))
        case "east":
            return rectangle(((table.wide - 1) * HALF, start), (HALF, long))
        case "west":
            return rectangle((0, start), (HALF, long))


class Marches:
    """The ground of a scenario: where each way of moving can go. Results are cached."""

    def __init__(self, scenario: Scenario, table: Extent) -> None:
        """``table`` is the size of the scenario's table."""
        self.scenario = scenario
        self.table = table
        self._pieces = [(piece.terrain, mask_of(piece.shape.outline, table)) for piece in scenario.terrain]
        self._far: dict[tuple[str, str], Mask | None] = {}

    def free(self, mover: Mover) -> Mask:
        """Return the cells that this way of moving can enter."""
        stops = [
            cells & ~union_of((over for other, over in self._pieces if kind.id in other.frees), self.table)
            for kind, cells in self._pieces
            if mover.id in kind.stops
        ]
        return ~union_of(stops, self.table)

    def far(self, side: Side, mover: Mover) -> Mask | None:
        """Return every cell that a side can reach by a way of moving; None if the side has no zone and no entry.

        Zones and entries without a valid side count as well, because they may belong to this side.
        """
        asked, own = (side.name, mover.id), (side.name, "")
        if asked not in self._far:
            begins = [zone.shape.outline for zone in self.scenario.zones if zone.side in own]
            begins += [strip(entry, self.table) for entry in self.scenario.entries if entry.side in own]
            start = union_of((mask_of(outline, self.table) for outline in begins), self.table)
            self._far[asked] = reached(start, self.free(mover)) if begins else None
        return self._far[asked]

    def stopped(self, side: Side, at: tuple[int, int], radius: int) -> tuple[Mover, ...]:
        """Return the side's ways of moving that cannot come within a radius of a place, or half an inch of it."""
        near = mask_of(circle((at[0] * HALF, at[1] * HALF), max(radius, 1) * HALF), self.table)
        far = [(mover, self.far(side, mover)) for mover in side.movers]
        return tuple(mover for mover, cells in far if cells is not None and not (cells & near).any())
