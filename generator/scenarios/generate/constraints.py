"""Find the missions that two forces can fight: each force must have the arms that the mission needs."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

from generator.errors import ProblemsError
from generator.scenarios.generate.draw_forces import NEEDS, ROLES, lacking, must_move, stands_still
from generator.scenarios.generate.unit_sources import candidates

if TYPE_CHECKING:
    from collections.abc import Sequence

    from generator.forces.force import Force
    from generator.problems import Problem
    from generator.rules.entries.tables import Row
    from generator.rules.source.parts import Place
    from generator.scenarios.generate.pins import ScenarioRequest
    from generator.scenarios.generate.tables import ScenarioTables


class Fighter(NamedTuple):
    """A force that the user named or kept, and its role."""

    role: str
    name: str
    force: Force
    place: Place


class Fitting:
    """The forces that the user gave, and the missions that they can fight."""

    def __init__(self, scenario_tables: ScenarioTables, request: ScenarioRequest, battle: Row) -> None:
        """``battle`` is the row for battles of this size."""
        self.scenario_tables = scenario_tables
        self.request = request
        self.battle = battle
        kept = request.keeps("forces")
        if kept is not None:
            self.fighters = [Fighter(item.role, item.name, item.force, item.place) for item in kept.drawn_forces()]
        else:
            named = zip(ROLES, request.sources, strict=False)
            self.fighters = [Fighter(role, item.name, item.force, item.file.place) for role, item in named]

    @cached_property
    def missions(self) -> list[Row]:
        """The missions that the forces can fight; every mission if no force is given.

        Raises ProblemsError: S220 if the attacker has no unit that moves, S226 if no mission fits the forces.
        """
        rows = self.scenario_tables.rows("missions")
        if not self.fighters:
            return rows
        first = self.fighters[0]
        if not candidates(first.force, self.scenario_tables, self.battle["counts"], moving=True):
            raise ProblemsError(
                stands_still(first.role, first.force, self.scenario_tables, first.place, kept=self._kept)
            )
        fit = [row for row in rows if not self._lacks(row)]
        if fit:
            return fit
        raise ProblemsError(self._none(rows))

    @property
    def _kept(self) -> bool:
        """Whether the forces are kept from an earlier scenario."""
        return self.request.keeps("forces") is not None

    def _lacks(self, mission: Row) -> list[tuple[Fighter, str]]:
        """Return each arm that a mission needs and a side does not have, with that side."""
        found = []
        for fighter in self.fighters:
            moving = must_move(fighter.role, mission)
            there = candidates(fighter.force, self.scenario_tables, self.battle["counts"], moving=moving)
            if there:
                arms = lacking(there, mission[NEEDS[fighter.role]] or ())
                rows = [self.scenario_tables.row("arms", arm) for arm in arms]
                found += [(fighter, str(row["name"])) for row in rows if row is not None]
            else:
                found.append((fighter, "something that moves"))
        return found

    def _none(self, rows: Sequence[Row]) -> Problem:
        """Return S226, naming the mission with the fewest missing arms."""
        nearest = min(rows, key=lambda row: len(self._lacks(row)))
        lacks = self._lacks(nearest)
        told = ", ".join(f"{arm} of {item.name}" for item, arm in lacks)
        found = f"none; {nearest['name']} asks for least: {told}"
        hint = f"bring a force with that, or do without: --mission {nearest['mission']}"
        expected = "a mission that these forces can fight"
        return lacks[0][0].place.problem("S226", found=found, expected=expected, hint=hint)
