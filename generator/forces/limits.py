"""Report broken limits as problems: the place, the rule, the values and the fix."""

from __future__ import annotations

import ast
from itertools import islice
from typing import TYPE_CHECKING, Any

from generator.forces.fixes import Fix, own_saved
from generator.forces.pricing import Broken, spell_change
from generator.rules.entries.choices import spell_value
from generator.rules.entries.kinds import ADDED_UP
from generator.rules.formulas.working import spell, working

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

    from generator.forces.force import Entry, Force
    from generator.problems import Problem
    from generator.rules.formulas.compiler import Formula
    from generator.rules.formulas.functions import Number
    from generator.rules.source.parts import Place

_WHERE = {"elements": "of", "units": "units", "points": "of"}
"""The key of a unit or force under which the things that a sum adds up are listed."""
_SIGNS = {"<=": "≤", ">=": "≥", "==": "=", "!=": "≠"}


def limit_problems(limits: Iterable[Broken], place: Place, fix_for: Callable[[Broken], Fix]) -> Iterator[Problem]:
    """Yield a problem for each broken limit. The problem's code is the rule set's id and the limit's id.

    ``fix_for`` returns the change that fixes a limit, and the entry of a unit or force to blame. If there is no change,
    the hint is the rule itself.
    """
    for broken in limits:
        limit, fix = broken.limit, fix_for(broken)
        at, value_text = _blame(broken, place, fix.entry)
        figures = "" if value_text.startswith("no ") else _figures(limit.that, broken.values)
        found = f"{value_text}{f' ({figures})' if figures else ''}" if value_text else figures or "another"
        expected = limit.says.removesuffix(".")
        hint = fix.hint or expected
        problem = at.problem(f"{limit.owner}/{limit.id}", expected, found, hint, severity=limit.severity)
        if problem.span.line < place.span().line:  # a spreadsheet has no column for the value
            problem = problem._replace(span=place.span())
        yield problem._replace(cite=limit.provenance.cite_text)


def _blame(broken: Broken, place: Place, entry: Entry | None) -> tuple[Place, str]:
    """Return the place of the value to change, and the value as text."""
    limit = broken.limit
    if entry is not None:
        return entry.place, f"{entry.count} × {entry.design.name}"
    value = broken.values.get(limit.blame)
    if limit.blame in ADDED_UP:
        return place / _WHERE[limit.blame], f"{value} {limit.blame}"
    entries = broken.values.get(limit.each) if limit.each else None
    if entries is not None and broken.entry is not None and limit.blame in entries[broken.entry]:
        place = place / (limit.each or "") / broken.entry
    if value == ():
        return place / limit.blame, f"no {limit.blame.replace('_', ' ')}"
    text = "" if isinstance(value, tuple) else spell_value(value)
    return place / limit.blame, f"{limit.blame} {text}".strip()


def _figures(formula: Formula, values: Mapping[str, Any]) -> str:
    """Return the figures of a comparison that does not hold. They have their names if the comparison has only names.

    Return an empty text if the formula is not a comparison of order, such as ``<=``.
    """
    tree = formula.tree()
    if not isinstance(tree, ast.Compare) or not all(
        isinstance(item, ast.LtE | ast.GtE | ast.Lt | ast.Gt) for item in tree.ops
    ):
        return ""
    names = [comparator.id for comparator in (tree.left, *tree.comparators) if isinstance(comparator, ast.Name)]
    if len(names) == 1 + len(tree.comparators):
        return ", ".join(f"{name.replace('_', ' ')} {spell(values[name])}" for name in names)
    text = working(formula, values)
    for sign, printed in _SIGNS.items():
        text = text.replace(sign, printed)
    return f"not {text}"


def over_budget(force: Force, budget: int) -> Problem:
    """Return F210 for a force that costs more than its budget. The hint names the cheapest thing to leave out."""
    over = force.total - budget
    more = "" if force.whole else "at least "  # parts without a price are not in the total
    found = f"{more}{spell(force.total)}, over by {more}{spell(over)}"
    return (force.place / "budget").problem("F210", f"at most {spell(budget)} points", found, cheapest_cut(force, over))


def cheapest_cut(force: Force, over: Number) -> str:
    """Return a hint to leave out copies of one design, or one unit, that save at least ``over`` points.

    Of all that save enough, the hint names the one with the least excess. If nothing saves enough, the hint gives only
    the points to save.
    """
    cuts: list[tuple[Number, str]] = []
    for entry, where in [
        *((item, f" of {unit.name}") for unit in force.units for item in unit.of),
        *((entry, "") for entry in force.loose),
    ]:
        each = entry.design.points
        by_count = ((each * count + own_saved(force, [(entry, count)]), count) for count in range(1, entry.count + 1))
        enough = ((saved, f"{count} × {entry.design.name}{where}") for saved, count in by_count if saved >= over)
        cuts += islice(enough, 1)
    for unit in force.units:
        saved = unit.known_points + own_saved(force, [(entry, entry.count) for entry in unit.of])
        cuts += [(saved, unit.name)] if saved >= over else []
    if not cuts:
        return f"leave out {spell(over)} points or more"
    saved, what = min(cuts, key=lambda cut: cut[0])
    return f"leave out {what}{spell_change(-saved)}"
