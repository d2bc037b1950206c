"""Keep parts of an existing scenario while the rest is rolled again."""

from __future__ import annotations

from math import ceil
from typing import TYPE_CHECKING, NamedTuple

from generator.errors import ProblemsError
from generator.problems import refused
from generator.scenarios.generate.draw_forces import ROLES, DrawnForce
from generator.scenarios.generate.terrain import Laid
from generator.scenarios.generate.units import ELEMENTS, ForceSource
from generator.scenarios.models import ShapeModel
from generator.suggest import suggest

if TYPE_CHECKING:
    from generator.rules.entries.tables import Row
    from generator.scenarios.generate.box import Box
    from generator.scenarios.generate.tables import ScenarioTables
    from generator.scenarios.scenario import Scenario

PARTS = ("mission", "forces", "map", "deployment")
"""The parts that can be kept: the mission with its turns, the forces, the map with its terrain, the deployment."""
KEPT = "kept"
_ROLLED = {"mission": "missions", "facing": "facings", "deployment": "deployments"}
_OF_ROLLED = "mission and deployment can be kept of a rolled scenario only, forces and map of any"


class PinnedScenario(NamedTuple):
    """An existing scenario without errors, and the parts that are kept."""

    parts: frozenset[str]
    scenario: Scenario

    def row(self, tables: ScenarioTables, what: str) -> Row:
        """Return the table row that the scenario was rolled from, and record it.

        ``what`` is mission, facing or deployment. Raises ProblemsError (S223) if the scenario does not record a roll on
        this table, or the row no longer exists.
        """
        table = _ROLLED[what]
        rolled = next((roll.result for roll in self.scenario.rolls if roll.table == table), "")
        said = rolled or (self.scenario.mission.partition(":")[0] if what == "mission" else "")
        row = tables.row(table, said) if said else None
        if row is None:
            part = "mission" if what == "mission" else "deployment"
            expected, found = (
                (f"a {part} of these rules", rolled)
                if rolled
                else ("a scenario that was rolled", f"no roll for its {part}")
            )
            hint = f"{_OF_ROLLED}; or name the mission: --mission ID" if part == "mission" else _OF_ROLLED
            raise ProblemsError(self.scenario.place.problem("S223", expected, found, hint))
        tables.record(table, KEPT, str(row["name"]))
        return row

    def pieces(self, tables: ScenarioTables) -> tuple[Laid, ...]:
        """Return the terrain of the scenario as its file gives it, with lengths in half inches."""
        found = []
        for piece in self.scenario.terrain:
            said = piece.place.value()
            shape = ShapeModel.model_validate({key: said[key] for key in ShapeModel.model_fields if key in said})
            keys = shape.model_dump(exclude_unset=True) | ({"note": piece.note} if piece.note else {})
            named = tables.rows("names", name=piece.name)
            found.append(Laid(piece.name, piece.terrain, keys, piece.outline, str(named[0]["group"]) if named else ""))
        return tuple(found)

    def size(self, counts: str) -> int | None:
        """Return the points, or the elements if ``counts`` is "elements", of the stronger force.

        None if the forces are not kept. Points are those that a side may spend, or else the cost of its force.
        """
        if "forces" not in self.parts:
            return None
        forces = [side.force for side in self.scenario.sides[: len(ROLES)] if side.force is not None]
        if counts == ELEMENTS:
            return max(sum(unit.elements for unit in force.units) or len(force.designs) for force in forces)
        allowed = [side.points for side in self.scenario.sides[: len(ROLES)] if side.points is not None]
        return max(allowed or [ceil(force.total) for force in forces])

    def drawn_forces(self) -> tuple[DrawnForce, ...]:
        """Return the forces of the first two sides as the file gives them, the attacker first.

        A side whose force could not be read is left out.
        """
        found = []
        for role, side in zip(ROLES, self.scenario.sides, strict=False):
            if side.force is not None:
                units, at = [unit.name for unit in side.force.units or side.force.designs], side.place / "force"
                found.append(DrawnForce(role, side.name, side.points, side.force, at.value(), units, at))
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
    """The user's wishes for a generated scenario."""

    seed: int
    points: int | None = None
    size: int | None = None
    """The number of figures or squads, in a game without points."""
    mission: str | None = None
    region: str | None = None
    """The region of the map."""
    sources: tuple[ForceSource, ...] = ()
    """The user's forces, the attacker's first."""
    box: Box | None = None
    """The terrain that the user owns."""
    kept: PinnedScenario | None = None
    """The existing scenario, and the parts of it to keep."""

    def keeps(self, part: str) -> PinnedScenario | None:
        """Return the scenario from which a part is kept; None if the part is not kept."""
        return self.kept if self.kept is not None and part in self.kept.parts else None
