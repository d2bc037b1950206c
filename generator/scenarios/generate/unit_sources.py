"""Where the units of a battle come from: a force as a stock, every unit with its size and its arm."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from generator.forces.force import Design, Entry, Unit
from generator.forces.pricing import price
from generator.forces.sums import added_up, own_points
from generator.rules.entries.choices import spell_value
from generator.rules.entries.kinds import FORCE
from generator.scenarios.generate.select_units import Arm, Candidate

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from generator.forces.files import ForceFile
    from generator.forces.force import Force
    from generator.rules.entries.tables import Row
    from generator.rules.formulas.functions import Number
    from generator.scenarios.generate.tables import Lore

_NOTHING = ("none", "no", "0", "")
ELEMENTS = "elements"


class Pool(NamedTuple):
    """A force to choose from."""

    file: ForceFile
    force: Force

    @property
    def name(self) -> str:
        """The name of the force."""
        return self.force.name

    def candidates(self, lore: Lore, counts: str, *, moving: bool) -> list[Candidate]:
        """Its units, or its designs where it has no units; those alone that move, where that is asked."""
        return candidates(self.force, lore, counts, moving=moving)

    def chosen(self, names: Iterable[str]) -> Force:
        """The force with these units alone, and the designs in them."""
        wanted = set(names)
        if not self.force.units:
            return self.force._replace(designs=tuple(one for one in self.force.designs if one.name in wanted))
        units = tuple(one for one in self.force.units if one.name in wanted)
        fielded = {entry.design.name for one in units for entry in one.of}
        return self.force._replace(units=units, designs=tuple(one for one in self.force.designs if one.name in fielded))

    def said(self, force: Force) -> dict[str, Any]:
        """What a scenario says of a force that was chosen from it, in the words of its file."""
        fielded = {one.name for one in force.designs}
        whole: Any = self.file.place.inside.value
        told: dict[str, Any] = {"force": self.name}
        told |= {key: whole[key] for key in ("options", "answers") if key in whole}
        told["designs"] = [_plain(one.given) for one in self.file.designs if one.given.get("design") in fielded]
        if force.units:
            names = {one.name for one in force.units}
            told["units"] = [_plain(one.given) for one in self.file.units if one.given.get("unit") in names]
        else:
            told["units"] = [{"unit": one.name, "of": [{"design": one.name}]} for one in force.designs]
        return told


def candidates(force: Force, lore: Lore, counts: str, *, moving: bool) -> list[Candidate]:
    """The units of a force, or its designs where it has no units; those alone that move, where that is asked."""
    found = []
    for one in force.units or force.designs:
        row = _arm(designs_of(one), lore)
        if not moving or not standing(designs_of(one), lore):
            size = _elements(one) if counts == ELEMENTS else int((one.points or 0) + _own_points(one, force))
            found.append(Candidate(one.name, size, str(row["arm"]) if row else ""))
    return found


def designs_of(one: Unit | Design) -> list[Design]:
    """What stands in a unit; of a force without units a design is one."""
    return [entry.design for entry in one.of] if isinstance(one, Unit) else [one]


def _plain(given: Any) -> Any:
    return given


def _own_points(one: Unit | Design, force: Force) -> Number:
    """Return what a force pays as a whole for this unit alone."""
    if isinstance(one, Unit):
        return own_points(force.rules, one.of, [one.priced])
    return own_points(force.rules, [Entry(one, 1, one.place)])


def _elements(one: Unit | Design) -> int:
    return one.elements if isinstance(one, Unit) else 1


def arms(lore: Lore) -> dict[str, Arm]:
    """Every arm of the rules."""
    rows = lore.rows("arms")
    return {str(row["arm"]): Arm(str(row["name"]), row["share"], row["most"]) for row in rows}


def _arm(designs: Sequence[Design], lore: Lore) -> Row | None:
    """The arm of a unit: that of the first row that fits any design in it."""
    for member in lore.rows("arm-members"):
        if any(_belongs(member, one) for one in designs):
            return lore.row("arms", str(member["arm"]))
    return None


def standing(designs: Sequence[Design], lore: Lore) -> list[Design]:
    """Those of an arm that does not move, whatever else they may be, too: who fields one keeps its unit where it is."""
    fixed = {str(row["arm"]) for row in lore.rows("arms") if not row["moves"]}
    fixed_members = [member for member in lore.rows("arm-members") if str(member["arm"]) in fixed]
    return [one for one in designs if any(_belongs(member, one) for member in fixed_members)]


def _belongs(row: Row, design: Design) -> bool:
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
    """Whether nothing that the rules say of a whole force is broken by it."""
    kind = force.rules.kinds.get(FORCE)
    if kind is None or not force.units:
        return True
    entries = [entry for unit in force.units for entry in unit.of]
    sums = added_up(kind, entries, [unit.priced for unit in force.units])
    return not price(kind, {}, force.rules.manifest.costs, sums).broken
