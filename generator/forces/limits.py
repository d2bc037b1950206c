"""Limits that are not kept, as problems: where, which rule, what stood there, what would mend it."""

from __future__ import annotations

import ast
from itertools import islice
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from generator.forces.notation import read_entries
from generator.forces.pricing import spell_change
from generator.rules.choices import spell_value
from generator.rules.formulas.working import spell, working
from generator.rules.kinds import ADDED_UP

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from generator.forces.files import ForceFile
    from generator.forces.force import Entry, Unit
    from generator.forces.pricing import Broken, Priced
    from generator.problems import Problem
    from generator.rules.formulas.compiler import Formula
    from generator.rules.formulas.functions import Number
    from generator.rules.kinds import Field, Kind
    from generator.rules.places import Place

MAX_TRIED = 60
"""Units or designs of which every choice is weighed."""
NOBODY: Mapping[str, Entry] = MappingProxyType({})
_WHERE = {"elements": "of", "units": "units", "points": "of"}
"""Where what is added up stands, in a unit or a force."""
_SIGNS = {"<=": "≤", ">=": "≥", "==": "=", "!=": "≠"}


def limit_problems(
    priced: Priced,
    place: Place,
    mend: Callable[[Broken], str],
    counted: Mapping[str, Entry] = NOBODY,
    kind: Kind | None = None,
) -> Iterator[Problem]:
    """Each limit that is not kept. Its code is the rule set's id and its own.

    ``mend`` finds what would help. ``counted`` says of a unit or force which entry is the first of each tally, ``kind``
    of a design what it is, to find entries that are written in the short way.
    """
    for broken in priced.broken:
        limit = broken.limit
        at, said = _blame(broken, place, counted)
        figures = "" if said.startswith("no ") else _figures(limit.that, broken.values)
        found = f"{said}{f' ({figures})' if figures else ''}" if said else figures or "another"
        expected = limit.says.removesuffix(".")
        hint = mend(broken)
        problem = at.problem(
            f"{limit.owner}/{limit.id}", found=found, expected=expected, hint=hint, severity=limit.severity
        )
        if limit.blame in counted and (start := counted[limit.blame].offset) is not None:
            problem = at.shifted(problem, start)
        field = kind.field(limit.each) if kind is not None and limit.each is not None else None
        if field is not None and broken.entry is not None:
            problem = _in_text(problem, place / field.name, field, broken)
        yield problem._replace(cite=limit.birth.cite_text)


def _in_text(problem: Problem, place: Place, field: Field, broken: Broken) -> Problem:
    """The problem where its word stands in entries that are written in the short way."""
    entry = broken.entry or 0
    for at, number in ((place, entry), (place / entry, 0)):
        text = at.value()
        written = [*islice(read_entries(field.fields, text), number, number + 1)] if isinstance(text, str) else []
        for one in written:
            return at.shifted(problem, one.starts.get(broken.limit.blame, one.offset))
    return problem


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
    if value == ():
        return place / limit.blame, f"no {limit.blame.replace('_', ' ')}"
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


def over_budget(
    file: ForceFile, units: Sequence[Unit], loose: Sequence[Entry], total: Number, *, at_least: bool
) -> Problem:
    """F210: a force costs more than it may, ``at_least`` so much. The help is the least that has to be left out."""
    budget = file.budget or 0
    more = "at least " if at_least else ""  # what could not be priced comes on top
    found = f"{more}{spell(total)}, over by {more}{spell(total - budget)}"
    expected, hint = f"at most {spell(budget)} points", cheapest_cut(units, loose, total - budget)
    return (file.place / "budget").problem("F210", found=found, expected=expected, hint=hint)


def cheapest_cut(units: Sequence[Unit], loose: Sequence[Entry], over: Number) -> str:
    """The least that has to be left out to save so many points; nothing where no choice does."""
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
        return f"leave out {what}{spell_change(-saved)}"
    return _several([*_priced(units)] or [(_said(one), one.points) for one in loose], over)


def _priced(units: Iterable[Unit]) -> Iterator[tuple[str, Number | None]]:
    """Every unit; of one in which something has no price, what has one."""
    for unit in units:
        if unit.points is not None:
            yield unit.name, unit.points
        else:
            yield from ((f"{_said(one)} of {unit.name}", one.points) for one in unit.of)


def _said(entry: Entry) -> str:
    return f"{entry.count} × {entry.design.name}"


def _several(items: Iterable[tuple[str, Number | None]], over: Number) -> str:
    """The items that cost the least of all that together cost enough; of very many, the dearest until the rest fits."""
    ranked = sorted(((name, cost) for name, cost in items if cost), key=lambda one: -one[1])
    whole = len(ranked) <= MAX_TRIED and all(isinstance(cost, int) for _, cost in ranked)
    chosen = _least(ranked, over) if whole else _dearest(ranked, over)
    saved = sum(cost for _, cost in chosen)
    names = both_of([name for name, _ in chosen])
    return f"leave out {names}{spell_change(-saved)}" if saved >= over else ""


def both_of(names: Sequence[str]) -> str:
    """Names as one says them together.

    >>> both_of(["a"]), both_of(["a", "b", "c"])
    ('a', 'a, b and c')
    """
    return " and ".join([", ".join(names[:-1]), names[-1]]) if len(names) > 1 else "".join(names)


def _dearest(items: Sequence[tuple[str, Number]], over: Number) -> list[tuple[str, Number]]:
    chosen: list[tuple[str, Number]] = []
    saved: Number = 0
    for item in items:
        if saved < over:
            chosen.append(item)
            saved += item[1]
    return chosen


def _least(items: Sequence[tuple[str, Number]], over: Number) -> list[tuple[str, Number]]:
    """The sums that the items can come to are the bits of a number: one more for each item that is looked at."""
    sums = [1]
    for _, cost in items:
        sums.append(sums[-1] | sums[-1] << int(cost))
    enough = sums[-1] >> int(over)
    if not enough:
        return []
    left = int(over) + (enough & -enough).bit_length() - 1
    chosen: list[tuple[str, Number]] = []
    for item, before in zip(reversed(items), reversed(sums[:-1]), strict=True):
        if not before >> left & 1:
            chosen.insert(0, item)
            left -= int(item[1])
    return chosen
