"""Limits that are not kept, as problems: where, which rule, what stood there, what would mend it."""

from __future__ import annotations

import ast
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from generator.forces.pricing import spell_change
from generator.rules.choices import spell_value
from generator.rules.formulas.working import spell, working
from generator.rules.kinds import ADDED_UP

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from generator.forces.files import ForceFile
    from generator.forces.force import Entry, Unit
    from generator.forces.pricing import Broken, Priced
    from generator.problems import Problem
    from generator.rules.formulas.compiler import Formula
    from generator.rules.formulas.functions import Number
    from generator.rules.places import Place

MAX_TRIED = 60
"""Units of which every choice is weighed."""
NOBODY: Mapping[str, Entry] = MappingProxyType({})
_WHERE = {"elements": "of", "units": "units", "points": "of"}
"""Where what is added up stands, in a unit or a force."""
_SIGNS = {"<=": "≤", ">=": "≥", "==": "=", "!=": "≠"}


def limit_problems(
    priced: Priced, place: Place, mend: Callable[[Broken], str], counted: Mapping[str, Entry] = NOBODY
) -> Iterator[Problem]:
    """Each limit that is not kept. Its code is the rule set's id and its own.

    ``mend`` finds what would help. ``counted`` says of a unit or force which entry is the first of each tally.
    """
    for broken in priced.broken:
        limit = broken.limit
        at, said = _blame(broken, place, counted)
        figures = _figures(limit.that, broken.values)
        found = f"{said}{f' ({figures})' if figures else ''}" if said else figures or "another"
        expected = limit.says.removesuffix(".")
        hint = mend(broken)
        problem = at.problem(
            f"{limit.owner}/{limit.id}", found=found, expected=expected, hint=hint, severity=limit.severity
        )
        yield problem._replace(cite=limit.birth.cite_text)


def _blame(broken: Broken, place: Place, counted: Mapping[str, Entry]) -> tuple[Place, str]:
    """Where the value to change stands, and that value."""
    limit = broken.limit
    if limit.blame in counted:
        entry = counted[limit.blame]
        return entry.place, f"{entry.count} × {entry.design.name}"
    value = broken.values.get(limit.blame)
    if limit.blame in ADDED_UP:
        return place / _WHERE[limit.blame], f"{value} {limit.blame}"
    entries = broken.values.get(limit.each) if limit.each else None
    if entries is not None and broken.entry is not None and limit.blame in entries[broken.entry]:
        place = place / (limit.each or "") / broken.entry
    said = "" if isinstance(value, tuple) else spell_value(value)
    return place / limit.blame, f"{limit.blame} {said}".strip()


def _figures(formula: Formula, values: Mapping[str, Any]) -> str:
    """The comparison that does not hold, with its figures; nothing where it is about more than figures."""
    tree = formula.tree()
    if not isinstance(tree, ast.Compare) or not all(
        isinstance(one, ast.LtE | ast.GtE | ast.Lt | ast.Gt) for one in tree.ops
    ):
        return ""
    text = working(formula, values)
    for sign, printed in _SIGNS.items():
        text = text.replace(sign, printed)
    return f"not {text}"


def over_budget(file: ForceFile, units: Sequence[Unit], loose: Sequence[Entry], total: Number) -> Problem:
    """F210: a force costs more than it may. The help is the least that has to be left out."""
    budget = file.budget or 0
    over = total - budget
    ways: list[tuple[Number, str]] = []
    for entry, where in [
        *((one, f" of {unit.name}") for unit in units for one in unit.of),
        *((one, "") for one in loose),
    ]:
        each = entry.design.points
        if each:
            count = -(-over // each)
            if count <= entry.count:
                ways.append((each * count, f"{count} × {entry.design.name}{where}"))
    ways += [(unit.points, unit.name) for unit in units if unit.points and unit.points >= over]
    if ways:
        saved, what = min(ways, key=lambda one: one[0])
        hint = f"leave out {what}{spell_change(-saved)}"
    else:
        hint = _several(units, over)
    at = file.place / "budget"
    found = f"{spell(total)}, over by {spell(over)}"
    return at.problem("F210", found=found, expected=f"at most {spell(budget)} points", hint=hint)


def _several(units: Sequence[Unit], over: Number) -> str:
    """The units that cost the least of all that together cost enough; of very many, the dearest until the rest fits."""
    ranked = sorted((unit for unit in units if unit.points), key=lambda one: -(one.points or 0))
    whole = len(ranked) <= MAX_TRIED and all(isinstance(unit.points, int) for unit in ranked)
    chosen = _least(ranked, over) if whole else _dearest(ranked, over)
    saved = sum(unit.points or 0 for unit in chosen)
    return f"leave out {', '.join(unit.name for unit in chosen)}{spell_change(-saved)}" if saved >= over else ""


def _dearest(units: Sequence[Unit], over: Number) -> list[Unit]:
    chosen: list[Unit] = []
    saved: Number = 0
    for unit in units:
        if saved < over:
            chosen.append(unit)
            saved += unit.points or 0
    return chosen


def _least(units: Sequence[Unit], over: Number) -> list[Unit]:
    """The sums that the units can come to are the bits of a number: one more for each unit that is looked at."""
    sums = [1]
    for unit in units:
        sums.append(sums[-1] | sums[-1] << int(unit.points or 0))
    enough = sums[-1] >> int(over)
    if not enough:
        return []
    left = int(over) + (enough & -enough).bit_length() - 1
    chosen: list[Unit] = []
    for unit, before in zip(reversed(units), reversed(sums[:-1]), strict=True):
        if not before >> left & 1:
            chosen.insert(0, unit)
            left -= int(unit.points or 0)
    return chosen
