"""Who can get where over the ground: from zones and entries to objectives, by each way of moving."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from generator.scenarios.table.outlines import HALF, Outline, circle, rectangle
from generator.scenarios.table.reach import blocked, cells_of, meet, reached, together, without

if TYPE_CHECKING:
    from generator.scenarios.scenario import Entry, Mover, Objective, Scenario, Side
    from generator.scenarios.table.reach import Cells, Extent


def strip(entry: Entry, table: Extent) -> Outline:
    """The half inch along an edge that an entry takes up."""
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
    """The ground of a scenario, as far as it was asked about."""

    def __init__(self, scenario: Scenario, table: Extent) -> None:
        """Nothing is worked out before it is asked for."""
        self.scenario = scenario
        self.table = table
        self._free: dict[str, Cells] = {}
        self._far: dict[tuple[str, str], Cells | None] = {}

    @cached_property
    def _pieces(self) -> tuple[Cells, ...]:
        return tuple(cells_of(piece.shape.outline, self.table) for piece in self.scenario.terrain)

    def free(self, mover: Mover) -> Cells:
        """Where one may move who moves so."""
        if mover.id not in self._free:
            listed = [*zip(self.scenario.terrain, self._pieces, strict=True)]
            stopping = [(piece, cells) for piece, cells in listed if mover.id in piece.terrain.stops]
            ways = [[over for item, over in listed if piece.terrain.id in item.terrain.frees] for piece, _ in stopping]
            taken = blocked([cells for _, cells in stopping], ways, self.table)
            self._free[mover.id] = without(self.table.all(), taken)
        return self._free[mover.id]

    def start(self, side: Side) -> Cells | None:
        """Where a side begins: its zones, and a strip along its entries. None where it has neither.

        Those of nobody that is known may be its own.
        """
        own = (side.name, "")
        zones = [zone.shape.outline for zone in self.scenario.zones if zone.side in own]
        strips = [strip(entry, self.table) for entry in self.scenario.entries if entry.side in own]
        begins = [cells_of(zone, self.table) for zone in (*zones, *strips)]
        return together(begins, self.table) if begins else None

    def far(self, side: Side, mover: Mover) -> Cells | None:
        """Every cell that a side can get to, moving so; None where it begins nowhere."""
        asked = side.name, mover.id
        if asked not in self._far:
            start = self.start(side)
            self._far[asked] = None if start is None else reached(start, self.free(mover))
        return self._far[asked]

    def goal(self, objective: Objective) -> Cells:
        """The cells from which an objective is held; at least those around its middle."""
        x, y = objective.at
        return cells_of(circle((x * HALF, y * HALF), max(objective.radius, 1) * HALF), self.table)

    def stopped(self, side: Side, objective: Objective) -> tuple[Mover, ...]:
        """The ways of moving by which a side cannot get to an objective."""
        goal = self.goal(objective)
        far = [(mover, self.far(side, mover)) for mover in side.movers]
        return tuple(mover for mover, cells in far if cells is not None and not meet(cells, goal))
