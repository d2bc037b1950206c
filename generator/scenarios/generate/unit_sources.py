"""Choose units from a force: its units are candidates, each with a size and an arm."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from generator.forces.fixes import added_up, own_points
from generator.forces.force import Design, Entry, Unit
from generator.forces.pricing import price
from generator.rules.entries.choices import spell_value
from generator.rules.entries.kinds import FORCE
from generator.scenarios.advice import designs_of
from generator.scenarios.generate.select_units import Arm, Candidate

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from generator.forces.files import ForceFile
    from generator.forces.force import Force
    from generator.rules.entries.tables import Row
    from generator.rules.formulas.functions import Number
    from generator.scenarios.generate.tables import ScenarioTables

_NOTHING = ("none", "no", "0", "")
ELEMENTS = "elements"


class ForceSource(NamedTuple):
    """A force from which units are chosen."""

    file: ForceFile
    force: Force

    @property
    def name(self) -> str:
        """The name of the force."""
        return self.force.name

    def chosen(self, names: Iterable[str]) -> Force:
        """Return the force with only these units and their designs."""
        wanted = set(names)
        if not self.force.units:
            return self.force._replace(designs=tuple(design for design in self.force.designs if design.name in wanted))
        units = tuple(unit for unit in self.force.units if unit.name in wanted)
        fielded = {entry.design.name for unit in units for entry in unit.of}
        return self.force._replace(
            units=units, designs=tuple(design for design in self.force.designs if design.name in fielded)
        )

    def said(self, force: Force) -> dict[str, Any]:
        """Return a chosen force for a scenario file, with its designs and units as the force file gives them."""
        fielded = {design.name for design in force.designs}
        whole: Any = self.file.place.inside.value
        told: dict[str, Any] = {"force": self.name}
        told |= {key: whole[key] for key in ("options", "answers") if key in whole}
        told["designs"] = [design.given for design in self.file.designs if design.given.get("design") in fielded]
        if force.units:
            names = {unit.name for unit in force.units}
            told["units"] = [unit.given for unit in self.file.units if unit.given.get("unit") in names]
        else:
            told["units"] = [{"unit": design.name, "of": [{"design": design.name}]} for design in force.designs]
        return told


def candidates(force: Force, scenario_tables: ScenarioTables, counts: str, *, moving: bool) -> list[Candidate]:
    """Return the force's units, or its designs if it has no units; only movable units if ``moving``."""
    found = []
    for unit in force.units or force.designs:
        row = _arm(designs_of(unit), scenario_tables)
        if not moving or not standing(designs_of(unit), scenario_tables):
            size = _elements(unit) if counts == ELEMENTS else int((unit.points or 0) + _own_points(unit, force))
            found.append(Candidate(unit.name, size, str(row["arm"]) if row else ""))
    return found


def _own_points(unit: Unit | Design, force: Force) -> Number:
    """Return the points that the whole force pays for this unit, in addition to the unit's own cost."""
    if isinstance(unit, Unit):
        return own_points(force.rules, unit.of, [unit.priced])
    return own_points(force.rules, [Entry(unit, 1, unit.place)])


def _elements(unit: Unit | Design) -> int:
    """Return the number of elements in a unit; a design is one element."""
    return unit.elements if isinstance(unit, Unit) else 1


def arms(scenario_tables: ScenarioTables) -> dict[str, Arm]:
    """Return every arm of the rules, by id."""
    rows = scenario_tables.rows("arms")
    return {str(row["arm"]): Arm(str(row["name"]), row["share"], row["most"]) for row in rows}


def _arm(designs: Sequence[Design], scenario_tables: ScenarioTables) -> Row | None:
    """Return the row of a unit's arm: the first arm with a member that fits a design of the unit; None if none fits."""
    for member in scenario_tables.rows("arm-members"):
        if any(_belongs(member, design) for design in designs):
            return scenario_tables.row("arms", str(member["arm"]))
    return None


def standing(designs: Sequence[Design], scenario_tables: ScenarioTables) -> list[Design]:
    """Return the designs that belong to an arm that cannot move. One such design keeps its whole unit in place."""
    fixed = {str(row["arm"]) for row in scenario_tables.rows("arms") if not row["moves"]}
    fixed_members = [member for member in scenario_tables.rows("arm-members") if str(member["arm"]) in fixed]
    return [design for design in designs if any(_belongs(member, design) for member in fixed_members)]


def _belongs(row: Row, design: Design) -> bool:
    """Return whether a design fits a row of ``arm-members``: its kind, and its field's value if any, match."""
    if design.kind.id not in row["kinds"]:
        return False
    field, values = row["field"], row["values"]
    if not field:
        return True
    given = design.values.get(field)
    if values:
        return given is not None and spell_value(given) in values
    return bool(given) and spell_value(given) not in _NOTHING


def is_lawful(force: Force) -> bool:
    """Return whether a force keeps the rules for a whole force."""
    kind = force.rules.kinds.get(FORCE)
    if kind is None or not force.units:
        return True
    entries = [entry for unit in force.units for entry in unit.of]
    sums = added_up(kind, entries, [unit.priced for unit in force.units])
    return not price(kind, {}, force.rules.manifest.costs, sums).broken
