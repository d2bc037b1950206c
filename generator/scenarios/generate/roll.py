"""Roll a scenario's mission, map and conditions, or keep parts of an existing scenario.

Each row fits the rows picked before. Each table has its own stream of random numbers, so a row that is named or kept
does not change the other rolls.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from math import ceil
from typing import TYPE_CHECKING, Any, NamedTuple

from generator.problems import ProblemsError, refused, suggest
from generator.scenarios.chance import Chance
from generator.scenarios.generate.draw_forces import NEEDS, ROLES, DrawnForce, lacking, must_move, stands_still
from generator.scenarios.generate.objectives import sure
from generator.scenarios.generate.shapes import WHOLE
from generator.scenarios.generate.tables import ARRIVALS, OwnTerrain, ScenarioTables, not_buildable
from generator.scenarios.generate.units import candidates, contents_of

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence
    from pathlib import Path

    from generator.forces.force import Force
    from generator.rules.entries.tables import Row
    from generator.scenarios.scenario import Piece, Scenario

PARTS = ("mission", "forces", "map", "deployment")
"""The parts that can be kept: the mission with its turns, the forces, the map with its terrain, the deployment."""
KEPT = "kept"
"""The roll that is recorded for a part that was kept."""
_OF_ROLLED = "mission and deployment can be kept of a rolled scenario only, forces and map of any"


class PinnedScenario(NamedTuple):
    """An existing scenario without errors, and the parts that are kept."""

    parts: frozenset[str]
    scenario: Scenario

    def row(self, tables: ScenarioTables, table: str) -> Row:
        """Return the row of a table from which the scenario was rolled, and record it in ``tables`` as kept.

        The table is ``missions``, ``facings`` or ``deployments``. The last of several rolls on the table counts.
        Without a roll on ``missions``, the mission that the scenario names counts. Raises ProblemsError (S223) if
        there is no roll on this table, or the row no longer exists.
        """
        rolls = reversed(self.scenario.rolls)  # the last one counts: a mission may have been rolled again
        rolled = next((roll.result for roll in rolls if roll.table == table), "")
        said = rolled or (self.scenario.mission.partition(":")[0] if table == "missions" else "")
        row = tables.row(table, said) if said else None
        if row is None:
            part = "mission" if table == "missions" else "deployment"
            expected = f"a {part} of these rules" if rolled else "a scenario that was rolled"
            found = rolled or f"no roll for its {part}"
            hint = f"{_OF_ROLLED}; or name the mission: --mission ID" if part == "mission" else _OF_ROLLED
            raise ProblemsError(self.scenario.place.problem("S223", expected, found, hint))
        tables.record(table, KEPT, str(row["name"]))
        return row

    def pieces(self, tables: ScenarioTables) -> tuple[Piece, ...]:
        """Return the terrain of the scenario; each piece has the group that its name has in the table ``names``.

        A piece whose name is not in the table has no group.
        """
        groups = {row["name"]: str(row["group"]) for row in reversed(tables.rows("names"))}
        return tuple(piece._replace(group=groups.get(piece.name, "")) for piece in self.scenario.terrain)

    def size(self, *, by_elements: bool) -> int | None:
        """Return the points of the stronger force, or its elements if ``by_elements``; None if the forces are not kept.

        Points are the highest limit of the first two sides. If neither has a limit, they are the most that one of their
        forces costs, rounded up.
        """
        if "forces" not in self.parts:
            return None
        forces = [side.force for side in self.scenario.sides[: len(ROLES)] if side.force is not None]
        if by_elements:
            return max(force.elements for force in forces)
        allowed = [side.points for side in self.scenario.sides[: len(ROLES)] if side.points is not None]
        return max(allowed or [ceil(force.total) for force in forces])

    def drawn_forces(self) -> tuple[DrawnForce, ...]:
        """Return the forces of the first two sides as the file gives them, the attacker first.

        What is in force files and libraries is copied, because the new scenario may be written into another folder. A
        side whose force could not be read is left out.
        """
        found = []
        for role, side in zip(ROLES, self.scenario.sides, strict=False):
            if side.force is not None:
                units, at = [unit.name for unit in side.force.units or side.force.designs], side.place / "force"
                said = at.value()
                said = contents_of(side.force) if isinstance(said, str) or "libraries" in said else said
                found.append(DrawnForce(role, side.name, side.points, side.force, said, units, at))
        return tuple(found)


def pinned(words: str) -> frozenset[str]:
    """Return the parts to keep from an option's value: one or several of ``PARTS``, with commas or spaces between them.

    Raises ProblemsError (S223) for an unknown part, and for an empty value.
    """
    found = words.replace(",", " ").lower().split()
    for word in found or ("nothing",):
        if word not in PARTS:
            hint = suggest(word, PARTS, f"there are: {', '.join(PARTS)}; the file comes after them")
            raise ProblemsError(refused("S223", words, "parts of a scenario to keep", word, hint, "pin"))
    return frozenset(found)


class ScenarioRequest(NamedTuple):
    """The user's wishes for a generated scenario; None for what the user does not say.

    ``points`` and ``size`` are those of the stronger side. In a game that counts elements, such as figures or squads,
    ``size`` is their number.
    ``mission`` and ``region`` are ids or names from the tables. ``sources``, ``box`` and ``kept`` are read from the
    files that the user names.
    """

    seed: int
    points: int | None = None
    size: int | None = None
    mission: str | None = None
    forces: Sequence[Path] = ()
    """The files of forces to choose units from, the attacker's first."""
    pin: tuple[str, Path] | None = None
    """The parts to keep, and the scenario file from which they are kept."""
    region: str | None = None
    """The region of the map."""
    terrain: Path | None = None
    """The file of the terrain that the user owns."""
    sources: tuple[Force, ...] = ()
    """The user's forces, the attacker's first."""
    box: OwnTerrain | None = None
    """The terrain that the user owns."""
    kept: PinnedScenario | None = None
    """The existing scenario, and the parts of it to keep."""

    def keeps(self, part: str) -> PinnedScenario | None:
        """Return the scenario from which a part is kept; None if the part is not kept."""
        return self.kept if self.kept is not None and part in self.kept.parts else None


class Picked(NamedTuple):
    """The table rows from which a scenario is made."""

    mission: Row
    turns: int
    facing: Row
    """The attacker's edge."""
    deployment: Row
    region: Row | None
    """None if the map is kept."""
    light: Row
    weather: Row
    complication: Row
    special: tuple[str, ...]
    """The ids of the special rules that the rows add; an id may come twice."""


@dataclass(frozen=True)
class Picking:
    """Picks a row of each table, and knows the forces that the user gave and the missions that they can fight."""

    tables: ScenarioTables
    request: ScenarioRequest
    battle: Row
    """The row for battles of this size."""

    @cached_property
    def fighters(self) -> tuple[DrawnForce, ...]:
        """The forces that the user kept or gave, the attacker's first; empty if all are to be drawn.

        A given force has all its units, not only those that are drawn from it. A single given force is the attacker's.
        """
        if kept := self.request.keeps("forces"):
            return kept.drawn_forces()
        named = zip(ROLES, self.request.sources, strict=False)
        return tuple(DrawnForce(role, item.name, None, item, "", (), item.place) for role, item in named)

    @cached_property
    def missions(self) -> list[Row]:
        """The missions that the forces can fight on the named region or the kept map.

        Every mission fits if nothing is given. If none fits the ground, the ground is not looked at. Raises
        ProblemsError: S220 if the attacker has no unit that moves, S226 if no mission fits the forces. R241 if the rule
        data gives no price.
        """
        rows = self.tables.rows("missions")
        first = self.fighters[0] if self.fighters else None
        if first and not candidates(first.force, self.tables, moving=True):
            raise ProblemsError(stands_still(first.role, first.force, self.tables, first.place))
        nearest = min(rows, key=lambda row: len(self._lacks(row)))
        if lacks := self._lacks(nearest):
            arms = ", ".join(f"{arm} of {item.name}" for item, arm in lacks)
            hint = f"bring a force with that, or do without: --mission {nearest['mission']}"
            expected, found = "a mission that these forces can fight", f"none; {nearest['name']} asks for least: {arms}"
            raise ProblemsError(lacks[0][0].place.problem("S226", expected, found, hint))
        rows = [row for row in rows if not self._lacks(row)]
        region = self.tables.row("regions", self.request.region or "")  # an unknown region is refused later
        if region is not None:
            rows = [row for row in rows if not lacking_ground(self.tables, region, row)] or rows
        return [row for row in rows if not self._lacks_on_map(row)] or rows

    def _lacks(self, mission: Row) -> list[tuple[DrawnForce, str]]:
        """Return each arm with fewer units in a force than a mission needs: the force, and the name of the arm.

        Units that cannot move do not count for the attacker, or if the mission demands movement. For a force without
        units that count, the only name is "something that moves".
        """
        found = []
        for fighter in self.fighters:
            moving = must_move(fighter.role, mission)
            there = candidates(fighter.force, self.tables, moving=moving)
            arms = lacking(there, mission[NEEDS[fighter.role]] or ()) if there else ()
            rows = [self.tables.row("arms", arm) for arm in arms]
            found += [(fighter, str(row["name"])) for row in rows if row is not None]
            found += [] if there else [(fighter, "something that moves")]
        return found

    def picked(self, barred: Collection[str] = ()) -> Picked:
        """Return the rows from which a scenario is made: named, kept or rolled.

        A rolled mission is one that the forces can fight. ``barred`` has the ids of missions that are not rolled. The
        order of picks matters, because a rolled row should fit the rows before it. Raises ProblemsError: S222 for an
        unknown mission, S225 for an unknown region. Further codes: S218 for a table without a row to roll, S223 for
        kept parts, S231 and S238 for the ground. S220, S226 and R241 for the forces.
        """
        mission = self._mission(barred)
        turns = self._turns(mission)
        facing, deployment = self._deployment(mission)
        region = self._region(mission)
        special = list(mission["special"] or ())
        light = self._fitting("lights", "light", special, mission)
        weather = self._fitting("weathers", "weather", special, mission)
        complication = self._fitting("complications", "complication", special, mission, self._never_late(deployment))
        return Picked(mission, turns, facing, deployment, region, light, weather, complication, tuple(special))

    def _never_late(self, deployment: Row) -> set[Any]:
        """Return the roles that no complication may make late.

        These are the roles with entries of their own, and the defender if a zone of the attacker reaches the defender's
        edge.
        """
        key = deployment["deployment"]
        zones = self.tables.rows("deployment-zones", deployment=key, who=ROLES[0])
        surrounded = [ROLES[1] for zone in zones if zone["ahead"][1] == WHOLE]
        return {*surrounded, *(row["who"] for row in self.tables.rows("deployment-entries", deployment=key))}

    def _chance(self, *part: str) -> Chance:
        return Chance(self.request.seed, *part)

    def _mission(self, barred: Collection[str]) -> Row:
        """Return the named or kept mission, or else roll a mission that is not in ``barred``.

        A named or kept mission is returned even if the forces cannot fight it, or if it is in ``barred``.

        Raises ProblemsError: S222 for an unknown name, S223 for a kept scenario without a mission of these rules. For a
        rolled mission: S220 or S226 if the forces can fight no mission, S218 if there is none to roll, R241 if the rule
        data gives no price.
        """
        if (named := self._named("missions", self.request.mission, "S222", "mission")) is not None:
            return named
        if kept := self.request.keeps("mission"):
            return kept.row(self.tables, "missions")
        left = [mission for mission in self.missions if mission["mission"] not in barred]
        again = [str(len(barred))] if barred else []
        return self.tables.roll("missions", self._chance("mission", *again), left)

    def _turns(self, mission: Row) -> int:
        """Return the number of turns, and record it: kept with the mission if its scenario has one, or else rolled."""
        kept = self.request.keeps("mission")
        before = kept.scenario.turns if kept else None
        turns = before or self._chance("turns").between(*mission["turns"])
        self.tables.record("turns", KEPT if before else turns, f"{turns} turns")
        return turns

    def _deployment(self, mission: Row) -> tuple[Row, Row]:
        """Return the attacker's edge and the deployment, kept or rolled. Only deployments of the mission are rolled.

        Raises ProblemsError: S223 if the kept scenario records no roll for them, or a row that no longer exists. S218
        if no row can be rolled.
        """
        kept = self.request.keeps("deployment")
        if kept is not None:
            return kept.row(self.tables, "facings"), kept.row(self.tables, "deployments")
        rows = [row for row in self.tables.rows("deployments") if row["deployment"] in mission["deployments"]]
        facing = self.tables.roll("facings", self._chance("facing"))
        return facing, self.tables.roll("deployments", self._chance("deployment"), rows)

    def _region(self, mission: Row) -> Row | None:
        """Return the region that the user named, or roll a region with the mission's ground; None if the map is kept.

        Raises ProblemsError: S225 for an unknown region, S231 for missing ground, S238 if the user's own terrain cannot
        build the named region. S218 if no region can be rolled.
        """
        tables, kept = self.tables, self.request.keeps("map")
        regions = [row for row in tables.rows("regions") if row["region"] not in tables.unbuildable]
        hint = "name another mission with --mission, or add this ground to the box"
        named = self._named("regions", self.request.region, "S225", "map")
        if named is not None:
            if tables.box and (reason := tables.unbuildable.get(named["region"])):
                raise ProblemsError(not_buildable(tables.box, f"terrain for {named['name']}", reason))
            regions, hint = [named], "name another region with --map, or leave --map out"
        nearest = min(regions, key=lambda row: len(lacking_ground(tables, row, mission)))
        lacks, where = lacking_ground(tables, nearest, mission), nearest["name"]
        if kept is not None:
            lacks, where = self._lacks_on_map(mission), "a kept map"
            hint = "name another mission with --mission, or roll a new map"
        if lacks:
            word, found = self.request.region or mission["mission"], f"{where} without {lacks}"
            raise ProblemsError(refused("S231", word, f"ground for {mission['name']}", found, hint, "map"))
        if named is not None or kept is not None:
            return named
        fit = [row for row in regions if not lacking_ground(tables, row, mission)]
        return tables.roll("regions", self._chance("region"), fit)

    def _lacks_on_map(self, mission: Row) -> str:
        """Return in words the ground that a mission needs and a kept map does not have.

        Empty if nothing is missing, and without a kept map.
        """
        kept = self.request.keeps("map")
        return _without(self.tables, {piece.terrain.id for piece in kept.scenario.terrain}, mission) if kept else ""

    def _fitting(self, table: str, part: str, special: list[str], mission: Row, on_time: Collection[Any] = ()) -> Row:
        """Roll a row that fits the mission and the special rules so far; add the row's special rules to ``special``.

        ``part`` is the key column of the table. A complication does not fit if it has an arrival without a turn
        for a role in ``on_time``. If no row fits, any row may be rolled. Raises ProblemsError (S218) if all rows to
        roll have the weight 0.
        """
        late = {row["cause"] for row in self.tables.rows(ARRIVALS) if not row["turn"] and row["who"] in on_time}
        rows = [row for row in self.tables.rows(table) if row[part] not in late]
        rows = [row for row in rows if mission["mission"] not in (row["not_in"] or ())]
        rows = [row for row in rows if not set(row["not_with"] or ()) & set(special)]
        row = self.tables.roll(table, self._chance(part), rows or None)
        special += row["special"] or ()
        return row

    def _named(self, table: str, word: str | None, code: str, what: str) -> Row | None:
        """Return the row with the id or name that the user gave, and record it; None if the user gave none.

        Raises ProblemsError with this code, about the option ``what``, if there is no such row.
        """
        if word is None:
            return None
        row = self.tables.row(table, word)
        if row is None:
            column = self.tables.rules.tables[table].key[0]
            known = [str(row[column]) for row in self.tables.rows(table)]
            hint = suggest(word.strip().lower(), known, f"{table}: {', '.join(known)}")
            raise ProblemsError(refused(code, word, f"one of the {table} of these rules", word, hint, what))
        self.tables.record(table, "chosen", str(row["name"]))
        return row


def lacking_ground(tables: ScenarioTables, region: Row, mission: Row) -> str:
    """Return the ground that a mission needs and a region does not have, in words; empty if it has everything.

    The region has a kind of ground if a mission can count on it (see ``sure``).
    """
    rows = tables.rows("region-terrain", region=region["region"])
    return _without(tables, {row["terrain"] for row in sure(rows)}, mission)


def _without(tables: ScenarioTables, there: Collection[str], mission: Row) -> str:
    """Return in words the ground that a mission needs and that is not in ``there``, the ids of kinds of terrain.

    An objective needs only one of its kinds of terrain. Empty if nothing is missing.
    """
    goals = tables.rows("goals", mission=mission["mission"])
    asked = [(kind,) for kind in mission.values.get("needs") or ()] + [goal["on"] for goal in goals if goal["on"]]
    names = {str(row["terrain"]): str(row["name"]).lower() for row in tables.rows("terrain")}
    lacks = [" or ".join(names[kind] for kind in kinds) for kinds in asked if not set(kinds) & set(there)]
    return ", ".join(dict.fromkeys(lacks))
