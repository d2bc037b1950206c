"""Compare two forces: designs by name and field by field, units, settings and points."""

from __future__ import annotations

from typing import TYPE_CHECKING

from generator.forces.notation import spell_fields
from generator.rules.describe.differences import Difference, Entry, compare, shared
from generator.rules.entries.choices import spell_value
from generator.rules.entries.kinds import Field, unit_fields
from generator.rules.formulas.working import spell

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from generator.forces.force import Design, Force, Unit
    from generator.rules.formulas.functions import Number


def force_differences(first: Force, second: Force) -> Iterator[Difference]:
    """Yield every difference between two forces: designs, then units, then settings, budget and total."""
    yield from compare(_entries(first), _entries(second))
    yield from compare({"": _entry(_whole(first))}, {"": _entry(_whole(second))})


def force_counts(first: Force, second: Force) -> dict[str, tuple[int, int, int]]:
    """Return, for designs and for units, how many are only in the first force, only in the second force, and in both.

    Designs and units are the same if they have the same name.
    """
    return {
        what: shared(*({item.name for item in getattr(force, what)} for force in (first, second)))
        for what in ("designs", "units")
    }


def _entries(force: Force) -> dict[str, Entry]:
    """Return the designs and the units, by address."""
    fields = unit_fields(force.rules.kinds)
    designs = {f"designs.{design.name}": _entry(_design(design)) for design in force.designs}
    return designs | {f"units.{unit.name}": _entry(_unit(unit, fields)) for unit in force.units}


def _entry(values: Mapping[str, str]) -> Entry:
    """Return the values of a design, a unit or a force as an entry to compare.

    The entry's short content is the points, or else the designs, or else the kind.
    """
    return Entry(values.get("points", values.get("of", values.get("kind"))), values)


def _whole(force: Force) -> dict[str, str]:
    """Return the values of the force itself: name, rules, note, settings, budget and total.

    Without points, the total is the count of elements.
    """
    values = {"force": force.name, "rules": force.rules.id, "note": force.note}
    values |= {path: spell_value(value) for path, value in force.settings.by_path().items()}
    values |= {} if force.budget is None else {"budget": _points(force.budget)}
    if force.pays:
        return values | {"total": _points(force.total if force.whole else None)}
    return values | {"elements": spell(force.elements)}


def _design(design: Design) -> dict[str, str]:
    values = {"kind": design.kind.id, **spell_fields(design.kind.fields, design.values)}
    return values | {"note": design.note} | ({"points": _points(design.points)} if design.kind.pays else {})


def _unit(unit: Unit, fields: Sequence[Field]) -> dict[str, str]:
    of = ", ".join(f"{item.count} × {item.design.name}" for item in unit.of)
    values = {**spell_fields(fields, unit.values), "of": of, "note": unit.note}
    return values | ({"points": _points(unit.points)} if unit.pays else {})


def _points(points: Number | None) -> str:
    return "?" if points is None else spell(points)
