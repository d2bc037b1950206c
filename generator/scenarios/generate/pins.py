"""Parts of a scenario that is there already, to be kept while the rest is rolled."""

from __future__ import annotations

from fractions import Fraction
from math import ceil
from typing import TYPE_CHECKING, Any, NamedTuple

from generator.errors import ProblemsError
from generator.problems import Problem, Span
from generator.scenarios.generate.draw_forces import ROLES, DrawnForce
from generator.scenarios.generate.shapes import Drawn
from generator.scenarios.generate.terrain import Laid
from generator.scenarios.generate.unit_sources import ELEMENTS
from generator.suggest import suggest

if TYPE_CHECKING:
    from generator.rules.entries.tables import Row
    from generator.scenarios.generate.tables import ScenarioTables
    from generator.scenarios.generate.unit_sources import Pool
    from generator.scenarios.scenario import Scenario
    from generator.scenarios.table.reach import Extent

PARTS = ("mission", "forces", "map", "deployment")
"""What may be kept: which mission and how long, who fights with what, the table with its terrain, who begins where."""
KEPT = "kept"
_ROLLED = {"mission": "missions", "facing": "facings", "deployment": "deployments"}
_OF_ROLLED = "mission and deployment can be kept of a rolled scenario only, forces and map of any"
_SAID = ("corners", "at", "size", "turned", "radius", "path", "wide", "note")


class Kept(NamedTuple):
    """A scenario, and which parts of it are kept."""

    parts: frozenset[str]
    scenario: Scenario

    @property
    def _file(self) -> dict[str, Any]:
        found: dict[str, Any] = self.scenario.place.inside.value
        return found

    def row(self, scenario_tables: ScenarioTables, what: str) -> Row:
        """The row of a table that the scenario was made by. Raises ProblemsError (S223) where it does not say so."""
        table = _ROLLED[what]
        rolled = next((roll.result for roll in self.scenario.rolls if roll.table == table), "")
        said = rolled or (self.scenario.mission.partition(":")[0] if what == "mission" else "")
        row = scenario_tables.row(table, said) if said else None
        if row is None:
            part = "mission" if what == "mission" else "deployment"
            expected = f"a {part} of these rules" if rolled else "a scenario that was rolled"
            found = rolled or f"no roll for its {part}"
            hint = "keep other parts of it" if rolled else _OF_ROLLED
            hint += "; or name the mission: --mission ID" if part == "mission" else ""
            raise ProblemsError(self.scenario.place.problem("S223", found=found, expected=expected, hint=hint))
        scenario_tables.record(table, KEPT, str(row["name"]))
        return row

    def pieces(self, scenario_tables: ScenarioTables) -> tuple[Laid, ...]:
        """Its terrain, with the words of its file; lengths in half inches, as what is laid anew."""
        found = []
        for piece in self.scenario.terrain:
            said = piece.place.inside.value[piece.place.path[0]][piece.place.path[1]]
            drawn = Drawn({key: _halves(key, said[key]) for key in _SAID if key in said}, piece.shape)
            named = scenario_tables.rows("names", name=piece.name)
            found.append(Laid(piece.name, piece.terrain, "", drawn, str(named[0]["group"]) if named else ""))
        return tuple(found)

    def table(self) -> Extent:
        """How large its table is."""
        if self.scenario.table is None:
            raise ProblemsError(*self.scenario.problems)
        return self.scenario.table

    def size(self, counts: str) -> int | None:
        """What the stronger of its forces has; None where they are not kept."""
        if "forces" not in self.parts:
            return None
        forces = [side.force for side in self.scenario.sides[: len(ROLES)] if side.force is not None]
        if counts == ELEMENTS:
            return max(sum(unit.elements for unit in force.units) or len(force.designs) for force in forces)
        allowed = [side.points for side in self.scenario.sides[: len(ROLES)] if side.points is not None]
        return max(allowed or [ceil(force.total) for force in forces])

    def drawer(self) -> tuple[DrawnForce, ...]:
        """Its first two sides, the attacker first, with their forces as its file says them."""
        found = []
        for role, side, said in zip(ROLES, self.scenario.sides, self._file["sides"], strict=False):
            if side.force is None:
                raise ProblemsError(*self.scenario.problems)
            units = [unit.name for unit in side.force.units or side.force.designs]
            place = side.place / "force"
            found.append(DrawnForce(role, side.name, side.points, side.force, said["force"], units, place))
        return tuple(found)


def pinned(words: str) -> frozenset[str]:
    """The parts that are to be kept, as they stand on the command line. Raises ProblemsError: S223."""
    found = words.replace(",", " ").lower().split()
    for word in found or ("nothing",):
        if word not in PARTS:
            hint = suggest(word, PARTS, f"there are: {', '.join(PARTS)}; the file comes after them")
            span = Span("command line", 1, 1, words)
            raise ProblemsError(Problem("S223", span, "parts of a scenario to keep", word, "pin", hint))
    return frozenset(found)


def _halves(key: str, value: Any) -> Any:
    if key in ("turned", "note"):
        return value
    if isinstance(value, list):
        return [_halves(key, item) for item in value]
    return int(Fraction(value) * 2)


class Wish(NamedTuple):
    """What a scenario is to be like."""

    seed: int
    points: int | None = None
    size: int | None = None
    """How many figures or squads, in a game that has no points."""
    mission: str | None = None
    region: str | None = None
    """The region that the map is to be of."""
    pools: tuple[Pool, ...] = ()
    """Forces of the player's, the attacker's first."""
    kept: Kept | None = None
    """Parts of a scenario that is there already."""

    def keeps(self, part: str) -> Kept | None:
        """The scenario from which a part is kept."""
        return self.kept if self.kept is not None and part in self.kept.parts else None
