"""Lay out the map of a generated scenario: deployment zones, entries, terrain and objectives."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import chain, count
from math import dist
from typing import TYPE_CHECKING, Any, NamedTuple

import shapely

from generator.forces.models import MAX_NAME
from generator.problems import Problem, ProblemsError, refused
from generator.scenarios.chance import Chance
from generator.scenarios.facts import Marches, begins_of, points_within
from generator.scenarios.generate.draw_forces import ROLES
from generator.scenarios.generate.shapes import WHOLE, Area, OrientedTable, Span, Spot
from generator.scenarios.generate.tables import ScenarioTables, fill
from generator.scenarios.generate.terrain import RefusalError, TerrainLayer
from generator.scenarios.models import Entry, Zone
from generator.scenarios.scenario import Piece, Scenario, Side, terrains
from generator.scenarios.table import HALF, OPEN, core

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from shapely.geometry.base import BaseGeometry

    from generator.rules.entries.tables import Row

_TRIES = 100
"""How often terrain is laid before a region is refused."""
_PATH_STEP = 4 * HALF
"""The distance between spots on a road or a river that are tried for an objective, in outline units."""


class Site(NamedTuple):
    """The terrain and the objectives of a map, as the file gives them, in half inches."""

    pieces: tuple[Piece, ...]
    objectives: tuple[dict[str, Any], ...]
    named: str
    """The name of the first objective's piece; without objectives, the first name of a piece, or a new name."""


class GoalSite(NamedTuple):
    """Where an objective lies."""

    row: Row
    at: Spot
    piece: int
    """The index of the piece on which it lies; ``at`` is in half inches."""


class Names:
    """A supply of names for pieces, places and people. Each name is used once."""

    def __init__(self, tables: ScenarioTables, seed: int) -> None:
        self.tables = tables
        self._seed = seed
        self._given: set[str] = set()

    def draw(self, group: str, *, numbered: bool = True) -> str:
        """Return the next unused name of a group of names, such as the group "village", and mark it as used.

        If all names are used, return the group with an unused number, such as "Village 1", or an empty text if not
        ``numbered``.
        """
        rows = self.tables.rows("names", group=group)
        order = Chance(self._seed, "names", group).shuffled(str(row["name"]) for row in rows)
        more = (f"{group.capitalize()} {number}" for number in count(1)) if numbered else iter([""])
        name = next(name for name in chain(order, more) if name not in self._given or not name)
        self._given.add(name)
        return name

    def taken(self, names: Iterable[str]) -> None:
        """Mark names as used."""
        self._given |= set(names)


@dataclass
class TableLayout:
    """Makes a map: deployment, terrain and objectives.

    ``zones`` and ``entries`` are entries of the file, with lengths in half inches.
    """

    tables: ScenarioTables
    seed: int
    frame: OrientedTable
    sides: tuple[Side, ...]
    """The attacker and the defender."""
    words: Mapping[str, str]
    """The words for the placeholders in names."""

    deployment: str
    """The id of the deployment."""

    def __post_init__(self) -> None:
        """Begin with the kinds of terrain, and an empty table with the zones and entries of the deployment.

        Raises ProblemsError (S219) for a placeholder without a word.
        """
        rules, deployment = self.tables.rules, self.deployment
        self.kinds = terrains(rules)
        self.zones = [*map(self._zone, self.tables.rows("deployment-zones", deployment=deployment))]
        self.entries = [*map(self._entry, self.tables.rows("deployment-entries", deployment=deployment))]
        zones = tuple(Zone.model_construct(**zone) for zone in self.zones)
        entries = tuple(Entry.model_construct(**entry) for entry in self.entries)
        place = rules.tables["missions"].place
        self.empty = Scenario("", rules, place, self.frame.table, sides=self.sides, zones=zones, entries=entries)

    def _whose(self, row: Row) -> Side:
        """Return the side that a row is for: the defender if the row says so, otherwise the attacker."""
        return self.sides[1 if row["who"] == "defender" else 0]

    def _zone(self, row: Row) -> dict[str, Any]:
        """Return a deployment zone with the keys of a scenario file; lengths are in half inches.

        Raises ProblemsError (S219) for a placeholder without a word.
        """
        shape, note = self.frame.area(row["ahead"], row["along"]).shape(), fill(row, "told", self.words)
        return {"zone": fill(row, "name", self.words)[:MAX_NAME], "side": self._whose(row).name, **shape, "note": note}

    def _entry(self, row: Row) -> dict[str, Any]:
        """Return a stretch of edge where a side enters, with the keys of a scenario file; lengths are in half inches.

        Raises ProblemsError (S219) for a placeholder without a word.
        """
        start, end = self.frame.stretch(row["edge"], row["along"])
        name, edge = fill(row, "name", self.words)[:MAX_NAME], self.frame.edge(row["edge"])
        said = {"entry": name, "side": self._whose(row).name, "edge": edge, "from": start, "to": end}
        return {**said, "turn": row["turn"], "comes": row["comes"]}

    def sited(self, region: Row, lane: int, mission: Row, goals: Sequence[Row], names: Names) -> Site:
        """Return new terrain of a region with a mission's objectives on it, and record what was laid.

        ``goals`` are the rows of the objectives. ``lane`` is the least gap, in half inches, between pieces that stop
        somebody. Terrain is laid again until the table passes, at most 100 times. Its share of cover and its lines of
        sight must fit the region, and its objectives the mission. Raises ProblemsError: S231 if no table passes, S219
        for a placeholder without a word.
        """
        rows = self.tables.rows("region-terrain", region=region["region"])
        outlines = [each for each in begins_of(self.empty).values() if each]
        starts = [points_within(each, self.frame.table) for each in outlines]
        low, high = region["share"]
        box = self.tables.box
        most = low + 1 if box is not None else (low + high) // 2
        target = Chance(self.seed, "map", "share").between(low + 1, most)
        reasons: list[str] = []
        for attempt in range(1, _TRIES + 1):
            chance = Chance(self.seed, "map", attempt)
            left = None if box is None else [*box.pieces]
            layer = TerrainLayer(self.frame.table, lane, region, rows, self.kinds, target, chance, left)
            try:
                layer.lay(starts, self._wants(mission, goals, rows, chance))
                found = self._goals(layer.pieces, goals, chance, strict=True)
            except RefusalError as refusal:
                reasons.append(str(refusal))
                continue
            for row, laid in zip(rows, layer.counts, strict=True):
                self.tables.record("region-terrain", laid, f"{self.kinds[row['terrain']].name}: {laid}")
            told = f"{round(layer.share)} % of the table covered, table {attempt}"
            self.tables.record("region-terrain", target, told)
            return self._named(layer.pieces, found, names)
        raise ProblemsError(self._refused(region, reasons))

    def _refused(self, region: Row, reasons: Sequence[str]) -> Problem:
        """Return S231 for a region without a table that passes, with the most frequent reason."""
        name, hint = str(region["name"]), "take another seed, or another region with --map"
        if self.tables.box is not None:
            hint = f"add pieces to the box, or {hint}"
        found = f"{len(reasons)} refused: {max(reasons, key=reasons.count)}"
        return refused("S231", name, f"a table of {name} that passes", found, hint, "map")

    def kept(self, pieces: Sequence[Piece], goals: Sequence[Row], names: Names) -> Site:
        """Return terrain that is kept, with a mission's objectives on it.

        ``goals`` are the rows of the objectives. An objective lies on a piece of its ground: the nearest to its area
        that its sides can reach, or else the nearest. Pieces with neither a name nor a group of names are used only if
        there are no others. An objective is left out if each piece of its ground is taken, or too near to another
        objective. A piece under an objective gets a name if it has none. The names of the pieces are marked as used in
        ``names``. Raises ProblemsError (S219) for a placeholder without a word.
        """
        names.taken(piece.name for piece in pieces)
        return self._named(pieces, self._goals(pieces, goals, Chance(self.seed, "goals"), strict=False), names)

    def _wants(self, mission: Row, goals: Sequence[Row], rows: Sequence[Row], chance: Chance) -> list[tuple[Row, Area]]:
        """Return the ground that a mission and its objectives need: rows of the region, each with the area for it.

        For an objective, one of the rows that fit is drawn.
        A need is left out if no row that is sure to be laid has its terrain.
        A need of the mission is also left out if an objective already has that terrain.
        """
        wants: list[tuple[Row, Area]] = []
        for goal in goals:
            fit = [row for row in sure(rows) if row["terrain"] in (goal["on"] or ())]
            if fit:
                row = fit[chance.below(len(fit))]
                wants.append((row, self.frame.area(goal["ahead"], goal["along"])))
        there = {row["terrain"] for row, _ in wants}
        whole = self.frame.area((0, WHOLE), (0, WHOLE))
        for kind in mission.values.get("needs") or ():
            fit = [row for row in sure(rows) if row["terrain"] == kind and kind not in there]
            wants += [(row, whole) for row in fit[:1]]
        return wants

    def _goals(self, pieces: Sequence[Piece], goals: Sequence[Row], chance: Chance, *, strict: bool) -> list[GoalSite]:
        """Return a place for each goal, on a piece that has a name or a group of names.

        The piece is of the goal's ground; a goal that names no ground may be on any piece. No two goals share a piece,
        and their circles do not overlap.

        If ``strict``, the place is in the goal's area and within reach of its sides; RefusalError is raised if there is
        none. Otherwise it is the place within reach that is nearest to the area, or else just the nearest. Unless
        ``strict``, a piece without a name or group is used if there is no other; a goal without a place is left out.
        """
        marches = Marches(self.empty._replace(terrain=tuple(pieces)))
        found: list[GoalSite] = []
        for row in goals:
            area, wide = self.frame.area(row["ahead"], row["along"]), 2 * row["radius"]
            within = shapely.box(*area)
            spots = [
                (spot, number)
                for number in chance.shuffled(range(len(pieces)))
                if not row["on"] or pieces[number].terrain.id in row["on"]
                for spot in _spots_on(pieces[number])
                if area.holds(spot) or not strict
                if all(goal.piece != number and dist(goal.at, spot) >= wide + 2 * goal.row["radius"] for goal in found)
            ]
            among = [(spot, n) for spot, n in spots if pieces[n].group or pieces[n].name]
            if not strict:
                among = sorted(among or spots, key=lambda item: within.distance(shapely.Point(item[0])))
            asked = [side for side in self.sides if side.movers and (row["who"] == "both" or side is self._whose(row))]
            good = ((spot, n) for spot, n in among if not any(marches.stopped(side, spot, wide) for side in asked))
            place = next(good, None if strict else next(iter(among), None))
            if place is not None:
                found.append(GoalSite(row, *place))
            elif strict:
                raise RefusalError("no place within reach for an objective")
        return found

    def _named(self, pieces: Sequence[Piece], goals: Sequence[GoalSite], names: Names) -> Site:
        """Return the map: the pieces with names, an objective for each goal, and a name for the place of the battle.

        In the texts of an objective, ``{here}`` is the name of its piece. A piece under an objective always has a name.
        Paths, and pieces that hide something, get an unused name of their group if there is one. Other pieces get no
        new name. Raises ProblemsError (S219) for a placeholder without a word.
        """
        named = list(pieces)
        fought_for = [goal.piece for goal in goals]
        for number in dict.fromkeys((*fought_for, *range(len(named)))):
            piece = named[number]
            if number in fought_for and not piece.name:
                named[number] = piece._replace(name=names.draw(piece.group or "place"))
            elif piece.group and not piece.name and (piece.terrain.sight != OPEN or piece.outline.flows):
                named[number] = piece._replace(name=names.draw(piece.group, numbered=False))
        objectives = []
        for goal in goals:
            words = {**self.words, "here": named[goal.piece].name}
            name, worth = fill(goal.row, "name", words)[:MAX_NAME], goal.row["points"]
            whose = {} if goal.row["who"] == "both" else {"sides": self._whose(goal.row).name}
            said = {"objective": name, "at": list(goal.at), "radius": 2 * goal.row["radius"], "points": worth}
            objectives.append({**said, **whose, "note": fill(goal.row, "told", words)})
        first = named[fought_for[0]].name if fought_for else next((piece.name for piece in named if piece.name), "")
        return Site(tuple(named), tuple(objectives), first or names.draw("place"))


def sure(rows: Sequence[Row]) -> list[Row]:
    """Return the rows of a region whose terrain a mission can count on.

    These are rows whose highest share, or whose least number of pieces, is above 0.
    """
    none = (0, 0)
    return [row for row in rows if (row["share"] or none)[1] or (row["pieces"] or none)[0]]


def _spots_on(piece: Piece) -> list[Spot]:
    """Return the spots on a piece where an objective may lie, in half inches.

    On a path of more than two corners, there is a spot every two inches, but none at its ends. Any other piece has one
    spot, in its middle if possible.
    """
    ground = core(piece.outline)
    if piece.outline.flows and len(piece.outline.corners) > 2:  # noqa: PLR2004 - a road or a river
        spots = [ground.interpolate(step) for step in range(_PATH_STEP, int(ground.length), _PATH_STEP)]
    else:
        middle = ground.centroid
        spots = [middle if ground.covers(middle) else ground.representative_point()]
    return [(round(spot.x / HALF), round(spot.y / HALF)) for spot in spots]


_NEAR, _FAR = (0, 0), (WHOLE, WHOLE)


def crossing(tables: ScenarioTables, frame: OrientedTable, mission: Row, deployment: Row, role: str) -> tuple[int, int]:
    """Return two distances of a side in whole inches: to the nearest objective that it may win, and to its exit.

    They are measured from its zones and entries and rounded down. The first goes to the area where the objective may
    lie, less the objective's radius. An exit is a set piece of the side on its own edge or on the enemy's edge: the
    whole edge is the way out. A distance to what a side does not have is 0. A side without a zone and an entry begins
    anywhere.
    """

    def box(ahead: Span, along: Span = (0, WHOLE)) -> BaseGeometry:
        return shapely.box(*frame.area(ahead, along))

    theirs = {"deployment": deployment["deployment"], "who": role}
    starts = [box(row["ahead"], row["along"]) for row in tables.rows("deployment-zones", **theirs)]
    for row in tables.rows("deployment-entries", **theirs):
        end = _NEAR if row["edge"] in ("attacker", "low") else _FAR
        starts.append(box(end, row["along"]) if row["edge"] in ROLES else box(row["along"], end))
    start, key = shapely.union_all(starts or [box((0, WHOLE))]), mission["mission"]
    goals = [row for row in tables.rows("goals", mission=key) if row["who"] in ("both", role)]
    ways = [start.distance(box(row["ahead"], row["along"])) // 2 - row["radius"] for row in goals]
    exits = [row for row in tables.rows("fixtures", mission=key, who=role) if row["ahead"] in (_NEAR, _FAR)]
    out = min((start.distance(box(row["ahead"])) // 2 for row in exits), default=0)
    return max(0, int(min(ways, default=0))), int(out)
