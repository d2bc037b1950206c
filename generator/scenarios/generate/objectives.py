"""Lay out the map of a generated scenario: deployment zones, entries, terrain and objectives."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from generator.forces.models import MAX_NAME
from generator.scenarios.chance import Chance
from generator.scenarios.generate.tables import fill
from generator.scenarios.generate.terrain import Ground, Laid
from generator.scenarios.reachability import Marches
from generator.scenarios.scenario import Entry, Objective, Piece, Scenario, Shape, Side, Zone
from generator.scenarios.table.coordinates import spot_in
from generator.scenarios.table.outlines import HALF, Outline, circle, rectangle

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from generator.rules.entries.tables import Row
    from generator.scenarios.generate.tables import Rolled, ScenarioTables
    from generator.scenarios.scenario import Terrain
    from generator.scenarios.table.coordinates import Area, Frame

_HERE = "{here}"
"""The placeholder in a goal for the name of its place."""
_TRIES = 12
"""How often terrain is laid again if an objective cannot be reached."""
_SPOTS = 25
"""How many random spots are tried for an objective before terrain is laid again."""


class Site(NamedTuple):
    """The terrain and the objectives of a map, as the file gives them, in half inches."""

    pieces: tuple[Laid, ...]
    objectives: tuple[dict[str, Any], ...]
    fought_for: frozenset[str]
    """The names of the pieces that have an objective on them."""
    named: str = ""
    """The place of the first objective that has its place in its name."""


class Names:
    """A supply of names for pieces, places and people. Each name is used once."""

    def __init__(self, scenario_tables: ScenarioTables, seed: int) -> None:
        self._lore = scenario_tables
        self._seed = seed
        self._waiting: dict[str, list[str]] = {}
        self._given: set[str] = set()

    def draw(self, group: str) -> str:
        """Return the next unused name of a group; if all names are used, a name with a number."""
        if group not in self._waiting:
            rows = self._lore.rows("names", group=group)
            self._waiting[group] = Chance(self._seed, "names", group).shuffled([str(row["name"]) for row in rows])
        waiting = self._waiting[group]
        name, number = group.capitalize(), 2
        while waiting:
            name = waiting.pop(0)
            if name not in self._given:
                break
        found = name
        while found in self._given:
            found, number = f"{name} {number}", number + 1
        self._given.add(found)
        return found

    def taken(self, names: Iterable[str]) -> None:
        """Mark names as used."""
        self._given |= set(names)

    def copy(self) -> Names:
        """Return a copy of the supply, for terrain that may have to be laid again."""
        other = Names(self._lore, self._seed)
        other._waiting = {group: list(names) for group, names in self._waiting.items()}
        other._given = set(self._given)
        return other

    def settle(self, other: Names) -> None:
        """Take over the used names of a copy."""
        self._waiting, self._given = other._waiting, other._given


class TableLayout:
    """Makes a map: deployment, terrain and objectives."""

    def __init__(
        self,
        scenario_tables: ScenarioTables,
        seed: int,
        frame: Frame,
        sides: Sequence[Side],
        words: Mapping[str, str],
        kinds: Mapping[str, Terrain],
    ) -> None:
        """``sides`` are the attacker and the defender; ``words`` fill the placeholders in names."""
        self.scenario_tables = scenario_tables
        self.seed = seed
        self.frame = frame
        self.sides = tuple(sides)
        self.words = words
        self.kinds = kinds
        self.zones: list[dict[str, Any]] = []
        self.entries: list[dict[str, Any]] = []
        self._begins: list[Zone | Entry] = []
        self._used: set[str] = set()
        self._named = ""

    def _whose(self, row: Row) -> Side:
        """Return the side that a row is for: the defender, or else the attacker."""
        return self.sides[1 if row["who"] == "defender" else 0]

    def deploy(self, deployment: str) -> None:
        """Add the zones and entries of a deployment."""
        place = self.scenario_tables.rules.tables["deployments"].place
        for row in self.scenario_tables.rows("deployment-zones", deployment=deployment):
            area, side = self.frame.area(row["ahead"], row["along"]), self._whose(row)
            name = fill(row, "name", self.words)[:MAX_NAME]
            self.zones.append({"zone": name, "side": side.name, **area.shape(), **_told(row, self.words)})
            self._begins.append(Zone(name, side.name, Shape(_outline(area), round=False, flows=False), "", place))
        for row in self.scenario_tables.rows("deployment-entries", deployment=deployment):
            edge, side = self.frame.edge(row["edge"]), self._whose(row)
            start, end = self.frame.stretch(row["edge"], row["along"])
            name = fill(row, "name", self.words)[:MAX_NAME]
            said = {"entry": name, "side": side.name, "edge": edge, "from": start, "to": end}
            said |= {"turn": row["turn"]} if row["turn"] > 1 else {}
            self.entries.append(said | ({"comes": row["comes"]} if row["comes"] else {}))
            self._begins.append(Entry(name, side.name, edge, start, end, row["turn"], "", place))  # type: ignore[arg-type] # one of four

    def sited(self, region: Row, lane: int, goals: Sequence[Row], names: Names) -> Site:
        """Return the terrain of a region with a mission's objectives on it, all within reach.

        Terrain is laid again, at most ``_TRIES`` times, until every objective can be reached. After that, terrain that
        stops movement is removed.
        """
        rows = self.scenario_tables.rows("region-terrain", region=region["region"])
        made: list[Rolled] = list(self.scenario_tables.rolls)
        for attempt in range(1, _TRIES + 1):
            self.scenario_tables.rolls[:] = made
            if attempt > 1:
                self.scenario_tables.record("region-terrain", attempt, "laid again: an objective was out of reach")
            chance, drawn = Chance(self.seed, "map", attempt), names.copy()
            ground = Ground(self.frame.table, lane, self.kinds)
            ground.lay(rows, self.scenario_tables, chance, drawn.draw)
            objectives = self._objectives(ground.pieces, goals, drawn, Chance(self.seed, "goals", attempt))
            if objectives is not None:
                break
        else:
            ground.pieces = [piece for piece in ground.pieces if not piece.terrain.stops]
            told = "whatever stops anybody was taken off, so that all is in reach"
            self.scenario_tables.admit(
                "region-terrain", "the map", told, "name another region with --map, or take another seed"
            )
            objectives = self._objectives(ground.pieces, goals, drawn, Chance(self.seed, "goals", 0), strict=False)
        names.settle(drawn)
        return Site(_in_order(ground.pieces), tuple(objectives or ()), frozenset(self._used), self._named)

    def kept(self, pieces: Sequence[Laid], goals: Sequence[Row], names: Names) -> Site:
        """Return terrain that is kept, with a mission's objectives on it, within reach where possible."""
        names.taken(piece.name for piece in pieces)
        objectives = self._objectives(pieces, goals, names, Chance(self.seed, "goals", 1), strict=False)
        return Site(tuple(pieces), tuple(objectives or ()), frozenset(self._used), self._named)

    def _objectives(
        self, pieces: Sequence[Laid], goals: Sequence[Row], names: Names, chance: Chance, *, strict: bool = True
    ) -> list[dict[str, Any]] | None:
        """Return an objective for each goal; None if ``strict`` and an objective cannot be reached."""
        marches = Marches(self._scenario(pieces), self.frame.table)
        found: list[dict[str, Any]] = []
        self._used = used = set[str]()
        self._named = ""
        for row in goals:
            area = self.frame.area(row["ahead"], row["along"])
            wide = 2 * row["radius"]
            spots = [*_spots(row, area, pieces, used, chance)]
            anywhere = [spot_in(area, self.frame.table, chance) for _ in range(_SPOTS)]
            spots += [(item, "") for item in self._best_first(anywhere, wide, pieces, found)]
            good = (spot for spot in spots if self._is_open(row, spot[0], wide, marches))
            at, name = next(good, (None, ""))
            if at is None and strict:
                return None
            at = at or spots[-1][0]
            used.add(name)
            said: dict[str, Any] = {"at": list(at), "radius": wide, "points": row["points"]}
            whose = [] if row["who"] == "both" else [self._whose(row).name]
            if whose:
                said["sides"] = whose[0]
            words = {**self.words, "here": name or names.draw("place")}
            label = fill(row, "name", words)[:MAX_NAME]
            if not self._named and _HERE in row["name"]:
                self._named = words["here"]
            found.append({"objective": label, **said, **_told(row, words)})
        return found

    def _best_first(
        self, spots: Iterable[tuple[int, int]], radius: int, pieces: Sequence[Laid], others: Sequence[Mapping[str, Any]]
    ) -> list[tuple[int, int]]:
        """Return spots sorted by their drawbacks, best first.

        Drawbacks, worst first: terrain that stops movement, another objective's circle, the edge of the table.
        """
        table = rectangle((0, 0), (self.frame.table.wide * HALF, self.frame.table.deep * HALF)).box
        taken = [_circle(other["at"], other["radius"]) for other in others]

        def drawbacks(spot: tuple[int, int]) -> tuple[bool, bool, bool]:
            own, at = _circle(spot, radius), (spot[0] * HALF, spot[1] * HALF)
            box = own.box
            stopping = any(piece.terrain.stops and piece.drawn.shape.outline.holds(at) for piece in pieces)
            beyond = box.left < table.left or box.low < table.low or box.right > table.right or box.high > table.high
            return stopping, any(map(own.overlaps, taken)), beyond

        return sorted(spots, key=drawbacks)

    def _is_open(self, row: Row, at: tuple[int, int], radius: int, marches: Marches) -> bool:
        """Return whether every side that may win an objective at this spot can reach it."""
        place = self.scenario_tables.rules.tables["goals"].place
        objective = Objective("", at, radius, 0, (), "", place)
        asked = self.sides if row["who"] == "both" else (self._whose(row),)
        return not any(marches.stopped(side, objective) for side in asked if side.movers)

    def _scenario(self, pieces: Sequence[Laid]) -> Scenario:
        """Return a scenario with only the parts that ``Marches`` needs."""
        place = self.scenario_tables.rules.tables["missions"].place
        terrain = tuple(Piece(piece.name, piece.terrain, piece.drawn.shape, "", place) for piece in pieces)
        return Scenario(
            name="", rules=self.scenario_tables.rules, mission="", situation=(), table=self.frame.table, turns=None,
            light="", weather="", sides=self.sides, terrain=terrain,
            zones=tuple(begin for begin in self._begins if isinstance(begin, Zone)),
            entries=tuple(begin for begin in self._begins if isinstance(begin, Entry)),
            objectives=(), victory=(), special=(), set_pieces=(), markers=(), umpire=(), seed=None,
            edition="", rolls=(), place=place, problems=(),
        )  # fmt: skip


def _outline(area: Area) -> Outline:
    """Return the outline of an area, in outline units."""
    size = (area.right - area.left) * HALF, (area.high - area.low) * HALF
    return rectangle((area.left * HALF, area.low * HALF), size)


def _circle(at: Sequence[int], radius: int) -> Outline:
    """Return the circle within which an objective is held."""
    return circle((at[0] * HALF, at[1] * HALF), radius * HALF)


def _told(row: Row, words: Mapping[str, str]) -> dict[str, str]:
    """Return the note of a row as a key of the file; nothing if the row has none."""
    text = fill(row, "told", words)
    return {"note": text} if text else {}


def _spots(
    row: Row, area: Area, pieces: Sequence[Laid], used: set[str], chance: Chance
) -> Iterator[tuple[tuple[int, int], str]]:
    """Yield spots in an area that are on the kinds of terrain a goal asks for, with the names of the pieces.

    Kinds come in the order of the goal, pieces of a kind in a random order.
    """
    for kind in row["on"] or ():
        for piece in chance.shuffled([piece for piece in pieces if piece.terrain.id == kind]):
            if piece.name and piece.name in used:
                continue
            points = piece.drawn.said.get("path")
            x, y = piece.drawn.shape.outline.middle()
            middles = [(point[0], point[1]) for point in points] if points else [(x // HALF, y // HALF)]
            yield from ((spot, piece.name) for spot in middles if area.holds(spot))


def _in_order(pieces: Sequence[Laid]) -> tuple[Laid, ...]:
    """Return pieces in drawing order: a piece comes before pieces that may lie over it."""
    left, found = list(pieces), list[Laid]()
    while left:
        kinds = {item.terrain.id for item in left}
        free = [item for item in left if not (kinds - {item.terrain.id}) & set(item.terrain.over)]
        lowest = free or left
        found += lowest
        left = [item for item in left if item not in lowest]
    return tuple(found)
