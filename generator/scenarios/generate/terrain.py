"""Lay terrain on a table: rivers and roads first, then crossings and fords, then areas, large pieces before small.

A piece is moved if it overlaps a piece that it may not lie over, or leaves too narrow a lane. A piece that does not
fit after ``_TRIES`` moves is left out.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from generator.scenarios.generate.shapes import Drawn, across, block, crossings, grown, line, patch, round_, span
from generator.scenarios.table.outlines import HALF

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from generator.rules.entries.tables import Row
    from generator.scenarios.chance import Chance
    from generator.scenarios.generate.tables import ScenarioTables
    from generator.scenarios.scenario import Terrain
    from generator.scenarios.table.reach import Extent

_TRIES = 60
"""How often a piece is moved before it is left out."""
_ORDER = ("river", "road", "crossing", "ford", "block", "patch", "round", "line")
_AREAS: dict[str, Callable[[tuple[int, int], int, Chance], Drawn]] = {
    "patch": patch,
    "block": block,
    "round": round_,
    "line": line,
}
_BANK = 3
"""Half inches that a bridge extends beyond the water."""


class Laid(NamedTuple):
    """A piece of terrain on the table."""

    name: str
    terrain: Terrain
    form: str
    drawn: Drawn
    group: str
    """The group of names from which the piece's name comes."""


class Ground:
    """A table on which terrain is laid."""

    def __init__(self, table: Extent, lane: int, kinds: Mapping[str, Terrain]) -> None:
        """``lane`` is the least gap between pieces, in half inches."""
        self.table = table
        self.lane = lane
        self.kinds = kinds
        self.pieces: list[Laid] = []

    def lay(
        self, rows: Sequence[Row], scenario_tables: ScenarioTables, chance: Chance, names: Callable[[str], str]
    ) -> None:
        """Lay the pieces that a region's rows ask for, and record the number of pieces of each row."""
        upright = bool(chance.below(2))
        for row in sorted(rows, key=lambda row: (_ORDER.index(row["form"]), -row["size"][1])):
            low, high = row["pieces"]
            wanted = chance.between(low, high)
            before = len(self.pieces)
            for number, drawn in enumerate(self._drawn(row, wanted, chance, upright=upright)):
                if drawn is not None:
                    name = names(row["names"]) if row["names"] else ""
                    kind = self.kinds[row["terrain"]]
                    self.pieces.append(Laid(name, kind, row["form"], drawn, row["names"] or ""))
                if number + 1 == wanted:
                    break
            laid = len(self.pieces) - before
            told = f"{self.kinds[row['terrain']].name}: {wanted}"
            more = "" if laid == wanted else f", room for {laid}"
            scenario_tables.record("region-terrain", wanted, told + more)

    def _drawn(self, row: Row, wanted: int, chance: Chance, *, upright: bool) -> Iterator[Drawn | None]:
        """Yield the pieces of a row; None for a piece that has no room."""
        if not wanted:
            return
        low, high = (2 * item for item in row["size"])
        match row["form"]:
            case "river" | "road" as form:
                for number in range(wanted):
                    turned = upright == (form == "river") if number % 2 == 0 else upright != (form == "river")
                    yield self._way(row, (low, high), chance, upright=turned)
            case "crossing":
                yield from self._crossings(row, chance.between(low, high))
            case "ford":
                for _ in range(wanted):
                    yield self._ford(row, chance.between(low, high), chance)
            case form:
                for _ in range(wanted):
                    yield self._area(row, _AREAS[form], (low, high), chance)

    def _way(self, row: Row, size: tuple[int, int], chance: Chance, *, upright: bool) -> Drawn | None:
        """Return a road or a river across the table; None if it has no room."""
        for _ in range(_TRIES):
            found = across(self.table, chance.between(*size), chance, upright=upright)
            if self._fits(row, found, lane=0):
                return found
        return None

    def _crossings(self, row: Row, wide: int) -> Iterator[Drawn | None]:
        """Yield a bridge for each place where a road crosses a river; None if the bridge does not fit there."""
        for road in [piece for piece in self.pieces if piece.form == "road"]:
            for river in [piece for piece in self.pieces if piece.form == "river"]:
                for spot, step in crossings(road.drawn, river.drawn):
                    found = span(spot, step, river.drawn.said["wide"] // 2 + _BANK, max(wide, road.drawn.said["wide"]))
                    yield found if self._is_on(found) and self._fits(row, found, lane=0) else None

    def _ford(self, row: Row, size: int, chance: Chance) -> Drawn | None:
        """Return a ford at a bend of a random river; None if there is no river or no room."""
        rivers = [piece for piece in self.pieces if piece.form == "river"]
        for _ in range(_TRIES if rivers else 0):
            points = rivers[chance.below(len(rivers))].drawn.said["path"]
            at = points[chance.between(1, len(points) - 2)]
            found = round_((at[0], at[1]), size + 2, chance)
            if self._is_on(found) and self._fits(row, found, lane=self.lane):
                return found
        return None

    def _area(self, row: Row, shape: Any, size: tuple[int, int], chance: Chance) -> Drawn | None:
        """Return a piece made by ``shape`` at a random spot on the table; None if it has no room."""
        for _ in range(_TRIES):
            spot = chance.between(4, self.table.wide - 4), chance.between(4, self.table.deep - 4)
            found: Drawn = shape(spot, chance.between(*size), chance)
            box = grown(found.shape, self.lane).box
            inside = box.left >= 0 and box.low >= 0
            inside = inside and box.right <= self.table.wide * HALF and box.high <= self.table.deep * HALF
            simple = "corners" not in found.said or found.shape.outline.is_simple()
            if inside and simple and self._fits(row, found, lane=self.lane):
                return found
        return None

    def _is_on(self, drawn: Drawn) -> bool:
        """Return whether a shape is wholly on the table."""
        box = drawn.shape.outline.box
        return box.left >= 0 and box.low >= 0 and (
            box.right <= self.table.wide * HALF and box.high <= self.table.deep * HALF
        )  # fmt: skip

    def _fits(self, row: Row, drawn: Drawn, *, lane: int) -> bool:
        """Return whether a shape keeps a lane's distance from every piece that it may not overlap."""
        kind = self.kinds[row["terrain"]]
        wide = grown(drawn.shape, lane)
        for other in self.pieces:
            free = other.terrain.id in kind.over or kind.id in other.terrain.over
            if not free and wide.overlaps(other.drawn.shape.outline):
                return False
        return True
