"""Report broken limits, each with the cheapest change that fixes it: try one change after another, price each."""

from __future__ import annotations

import ast
from collections import Counter
from dataclasses import replace
from fractions import Fraction
from itertools import islice
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple

from generator.forces.designs import COUNT, example_entry, spell_entries
from generator.forces.pricing import (
    Broken,
    CostLine,
    Priced,
    names_read,
    needs_price,
    price,
    spell_change,
    times_broken,
)
from generator.problems import Problem, ProblemsError
from generator.rules.entries.choices import spell_value
from generator.rules.entries.kinds import ADDED_UP, FORCE, Field, Kind
from generator.rules.formulas.errors import FormulaUseError
from generator.rules.formulas.functions import Number, whole
from generator.rules.formulas.working import spell, working

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence

    from generator.forces.force import Design, Force, Unit, UnitEntry
    from generator.rules.entries.compiled import Compiled
    from generator.rules.formulas.compiler import Formula
    from generator.rules.ruleset import RuleSet
    from generator.rules.source.parts import Place

MAX_TRIES = 600
"""The most changes tried for one problem."""


class Change(NamedTuple):
    """A change of a design, a unit or a force: its text and its effects."""

    text: str
    fields: Mapping[str, Any] | None = None
    """All values of the changed design; None if the fields stay."""
    points: Number = 0
    """By how much the price of the entries of a unit or force changes; 0 for a change of a design."""
    sums: Mapping[str, Number] = MappingProxyType({})
    """By how much the sums of a unit or force change, by name."""
    design: str = ""
    """The design of a unit or force that the change concerns, if it concerns a single design."""
    is_out: bool = False
    """Whether something is left out."""


def _after(priced: Priced, change: Change) -> Priced:
    """Return a design, a unit or a force with its price after a change.

    The price of a unit or force is what it costs itself, without its entries. Raises ProblemsError if the rules give no
    price for a value.
    """
    before = priced.values
    sums = {name: before[name] + change.sums.get(name, 0) for name in priced.kind.added if name in before}
    return price(priced.kind, priced.fields if change.fields is None else change.fields, priced.costs, sums)


class Fix(NamedTuple):
    """A change that works, and what it does.

    ``after`` is the design, unit or force with its price after the change. ``points`` is by how much the price changes.
    """

    change: Change
    after: Priced
    points: Number


def _cheapest(priced: Priced, changes: Iterable[Change], limits: Sequence[Compiled]) -> Fix | None:
    """Return the change that fixes the limits and changes the price least; None if no change works.

    A change fixes a limit if the limit is broken less often than before. Changes that leave something out come last. A
    change does not work if it breaks any limit more often, has no price, or leaves a unit or force without elements.
    """
    before, fixes = _broken_ids(priced), []
    for change in changes:
        try:
            after = _after(priced, change)
        except ProblemsError:
            continue  # the rules give no price for this value
        ids = _broken_ids(after)
        fixed = all(ids[limit.id] < before[limit.id] for limit in limits) and not ids - before
        if fixed and after.values.get("elements", 1):
            fixes.append(Fix(change, after, whole(change.points + after.total - priced.total)))
    return min(fixes, key=lambda fix: (fix.change.is_out, abs(fix.points)), default=None)


def _by_value(kind: Kind, broken: Iterable[Broken]) -> list[list[Broken]]:
    """Return broken limits in groups: limits that refuse the same value form a group. Errors come first in a group.

    A limit on a sum, such as capacity, does not refuse a single value. It forms a group of its own.
    """
    groups: dict[object, list[Broken]] = {}
    for item in broken:
        value = item.limit.each, item.entry, item.limit.blame
        groups.setdefault((item.limit.id, value) if needs_price(kind, item.limit) else value, []).append(item)
    return [sorted(group, key=lambda item: item.limit.severity != "error") for group in groups.values()]


def cheapest_fix(design: Priced, group: Sequence[Broken]) -> Fix | None:
    """Return the change that fixes a group of broken limits, breaks no other limit and changes the price least.

    Other values are tried, the field to blame and its nearest values first, up to ``MAX_TRIES`` values. Fields, except
    lists, that only the condition of the first limit reads are not changed. Changes that leave an entry out come last.

    If no change fixes the whole group, only the first limit must be fixed; None if no single change fixes it. ``group``
    must not be empty.
    """
    changes = [*islice(_changed_values(design, group[0]), MAX_TRIES), *_left_out(design, group[0])]
    limits = [broken.limit for broken in group]
    if not needs_price(design.kind, limits[0]):  # most changes fail, and a price takes long
        changes = [change for change in changes if _fixes(design, limits[0], change)]
    return _cheapest(design, changes, limits) or _cheapest(design, changes, limits[:1])


def _fixes(design: Priced, limit: Compiled, change: Change) -> bool:
    """Return whether a design breaks a limit less often after a change of its fields.

    The limit must need no price. False if a formula of the limit has no answer after the change.
    """
    try:
        return times_broken(design.kind, change.fields or {}, limit) < _broken_ids(design)[limit.id]
    except FormulaUseError:
        return False  # then the changed design has no price


def _broken_ids(priced: Priced) -> Counter[str]:
    """Return how often each limit is broken, by the id of the limit; advice counts as well."""
    return Counter(item.limit.id for item in priced.broken)


def _changed_values(design: Priced, broken: Broken) -> Iterator[Change]:
    """Yield a change for each other value of each field, the field to blame first.

    Fields, except lists, that only the condition of the limit reads are left out. For a list, yield changes of its
    entries. If the list to blame is empty, yield changes that give it a first entry.
    """
    blame, limit = broken.limit.blame, broken.limit
    evading = names_read(limit, limit.when) - names_read(limit, limit.that)  # changing them would evade the rule
    for field in sorted(design.kind.fields, key=lambda field: field.name != blame):
        value = design.fields[field.name]
        if field.choice is None and field.name == blame and not value:
            yield from _first_entries(field, design.fields)
        elif field.choice is None:
            yield from _changed_entries(field, design.fields, broken, evading)
        elif field.name not in evading:
            for other, text in _others(field, value):
                yield Change(f"{field.name}: {text}", {**design.fields, field.name: other})


def _changed_entries(
    field: Field, design: Mapping[str, Any], broken: Broken, evading: Collection[str]
) -> Iterator[Change]:
    """Yield a change for each other value in the entry to blame, or in any entry if no entry of the list is to blame.

    If the limit is about this list, the fields in ``evading`` are left out: only the condition of the limit reads them.
    """
    entries = design[field.name]
    for index in _to_blame(field, design, broken):
        where = "" if broken.limit.each == field.name else f"{field.name}[{index}]."
        for inner in field.fields:
            if broken.limit.each == field.name and inner.name in evading:
                continue
            for other, text in _others(inner, entries[index][inner.name]):
                changed = {**entries[index], inner.name: other}
                after = (*entries[:index], changed, *entries[index + 1 :])
                yield Change(f"{where}{inner.name}: {text}", {**design, field.name: after})


def _first_entries(field: Field, design: Mapping[str, Any]) -> Iterator[Change]:
    """Yield a change that gives an empty list one entry, for each count and each value of an entry's first field.

    The first field is the first one with a choice of values. Other fields have the values of ``example_entry``.
    """
    choices = {item.name: item.choice.values for item in field.fields if item.choice is not None}
    first = next(iter(choices))
    for count in choices.get(COUNT, (1,)):
        for value in choices[first]:
            entry = {**example_entry(field.fields), first: value} | ({COUNT: count} if COUNT in choices else {})
            text = f"{field.name}: {spell_entries(field.fields, [entry])}"
            yield Change(text, {**design, field.name: (entry,)})


def _left_out(design: Priced, broken: Broken) -> Iterator[Change]:
    """Yield one change for each entry that may be left out.

    If the limit is about each entry of a list, only the entry that breaks the limit may be left out of this list.
    Each entry of the other lists may be left out.
    """
    for field in design.kind.fields:
        if field.choice is None:
            entries = design.fields[field.name]
            for index in _to_blame(field, design.fields, broken):
                text = f"leave out {spell_entries(field.fields, [entries[index]])}"
                without = {**design.fields, field.name: (*entries[:index], *entries[index + 1 :])}
                yield Change(text, without, is_out=True)


def _to_blame(field: Field, design: Mapping[str, Any], broken: Broken) -> Iterable[int]:
    """Return the index of the entry to blame for a limit on each entry of ``field``; for other limits, all indices."""
    if broken.limit.each == field.name and broken.entry is not None:
        return (broken.entry,)
    return range(len(design[field.name]))


def _others(field: Field, value: Any) -> Iterator[tuple[Any, str]]:
    """Yield the other values of a field's choice, with their texts; values listed nearest to ``value`` come first."""
    values = field.choice.values if field.choice else ()
    here = values.index(value) if value in values else 0
    for other in sorted(values, key=lambda item: abs(values.index(item) - here)):
        if other != value or isinstance(other, bool) is not isinstance(value, bool):
            yield other, spell_value(other)


def added_up(kind: Kind, entries: Iterable[UnitEntry], units: Sequence[Priced | None] = ()) -> dict[str, Number]:
    """Return the sums that formulas of a unit or force can use in addition to its fields, by name; an empty tally is 0.

    These are the elements, points and tallies of all entries, and the number of units. The points and tallies of the
    priced ``units`` are added. ``units`` has None for a unit without a price, and is empty for the sums of a unit.
    """
    sums = dict.fromkeys(kind.added, 0) | _sums_of((entry.design, entry.count) for entry in entries)
    sums["units"] = len(units)
    for unit in units:
        for name, number in ({"points": unit.total, **unit.tallies} if unit is not None else {}).items():
            sums[name] += number
    return {name: whole(number) for name, number in sums.items()}


def _sums_of(counted: Iterable[tuple[Design, int]]) -> dict[str, Number]:
    """Return the elements, points and tallies of some designs, each multiplied by its count and added up.

    Without designs, elements and points are 0, and there are no tallies.
    """
    sums: dict[str, Number] = {"elements": 0, "points": 0}
    for design, count in counted:
        for name, number in {"elements": 1, "points": design.priced.total, **design.priced.tallies}.items():
            sums[name] = sums.get(name, 0) + number * count
    return sums


def _counted(entries: Iterable[UnitEntry]) -> dict[str, tuple[Design, int]]:
    """Return each design by its name, with its count in all entries together."""
    counted: dict[str, tuple[Design, int]] = {}
    for entry in entries:
        _, count = counted.get(entry.design.name, (entry.design, 0))
        counted[entry.design.name] = entry.design, count + entry.count
    return counted


def price_whole(rules: RuleSet, entries: Iterable[UnitEntry], units: Sequence[Priced | None] = ()) -> Priced | None:
    """Return the force's own price and limits, for these entries and priced units; None without a kind ``force``.

    The price does not include the points of the entries and units. ``units`` has None for a unit without a price.
    Raises ProblemsError (R241) if the rule data gives no price.
    """
    kind = rules.kinds.get(FORCE)
    return price(kind, {}, rules.manifest.costs, added_up(kind, entries, units)) if kind is not None else None


def with_shares(design: Design, force: Priced) -> Design:
    """Return the design with its share of each cost that the whole force pays for a tally.

    A tally is a figure of designs that the force adds up. The share is that of one element, in proportion to its tally.
    Shares are further cost lines of the design, of 0 points, because the force pays them. A tally of 0 has no share.
    """
    shares = []
    for line in force.lines:
        tallies = line.formula.names & design.priced.tallies.keys() if line.points and line.formula else ()
        for tally in sorted(tallies):
            own_tally, total_tally = design.priced.tallies[tally], line.values[tally]
            if own_tally:
                label = f"{line.label}: share for {spell(own_tally)}"
                figure = f"{spell(whole(Fraction(line.amount * own_tally) / total_tally))} of {spell(line.amount)}"
                shares.append(CostLine(line.id, label, None, 0, 0, 0, None, {}, line.provenance, figure, line.template))
    return design._replace(priced=replace(design.priced, lines=(*design.priced.lines, *shares))) if shares else design


def _entry_to_blame(entries: Iterable[UnitEntry], broken: Broken, design: str) -> UnitEntry | None:
    """Return the entry to blame for a broken sum; None if no entry adds to it, or if it is not a tally.

    This is the first entry of ``design`` that adds to the tally, or else the entry that adds most.
    """
    adds = [(entry.design.priced.tallies.get(broken.limit.blame, 0) * entry.count, entry) for entry in entries]
    adding = [(number, entry) for number, entry in adds if number]
    of_change = [item for item in adding if item[1].design.name == design]
    return max(of_change[:1] or adding, key=lambda item: item[0], default=(0, None))[1]


def removals(entries: Iterable[UnitEntry], units: Iterable[Unit] = ()) -> Iterator[Change]:
    """Yield changes that leave something out: 1, 2, 3 and so on up to all copies of each design, and each whole unit.

    Copies of a design are counted in all entries together.
    """
    for name, (design, most) in _counted(entries).items():
        for count in range(1, most + 1):
            sums = _sums_of([(design, -count)])
            text = f"leave out {count} × {name}"
            yield Change(text, None, -design.points * count, sums, name, is_out=True)
    for unit in units:
        sums = {"units": -1, **_sums_of((entry.design, -entry.count) for entry in unit.of)}
        yield Change(f"leave out {unit.name}", None, -unit.known_points, sums, is_out=True)


def additions(designs: Iterable[Design]) -> Iterator[Change]:
    """Yield a change for adding each design once."""
    for design in designs:
        yield Change(f"add {design.name}", None, design.points, _sums_of([(design, 1)]))


def value_changes(entries: Iterable[UnitEntry], broken: Broken) -> Iterator[Change]:
    """Yield a change for each other value of each field, in each design that adds to the tally to blame.

    Values in lists stay. A change applies to all copies of the design. A change is left out if it has no price or
    leaves the tally as it is. It is also left out if the design would break any limit of its own more often.
    """
    adding = [entry for entry in entries if entry.design.priced.tallies.get(broken.limit.blame)]
    for name, (design, count) in _counted(adding).items():
        before = design.priced
        for field in design.kind.fields:
            if field.choice is None:
                continue
            for value, text in _others(field, design.values[field.name]):
                try:
                    after = price(design.kind, {**design.values, field.name: value}, before.costs)
                except ProblemsError:
                    continue  # the rules give no price for this value
                moved = {item: number - before.tallies.get(item, 0) for item, number in after.tallies.items()}
                if moved.get(broken.limit.blame) and not _broken_ids(after) - _broken_ids(before):
                    points = after.total - before.total
                    moved = {item: number * count for item, number in {**moved, "points": points}.items()}
                    yield Change(f"{field.name}: {text} in {name}", None, points * count, moved, name)


def design_problems(design: Priced, paid: Collection[str], place: Place) -> Iterator[Problem]:
    """Yield a problem for each value of a design that limits refuse, and each broken limit on a sum.

    The hint is the change that moves the price least, up or down, or the rule itself if no change works. To leave
    something out is proposed only if nothing else works. The hint gives no points if the rules have no prices for the
    design, or if the change affects a tally in ``paid``: the whole force pays for these tallies, so that its price
    changes, too. ``place`` is the place of the design.
    """
    for group in _by_value(design.kind, design.broken):
        fix = cheapest_fix(design, group)
        moved = fix and any(fix.after.tallies.get(name) != design.tallies.get(name) for name in paid)
        points = spell_change(fix.points) if fix and design.kind.pays and not moved else ""
        yield _limit_problem(group[0], place, fix.change.text + points if fix else "")


def sum_problems(
    summed: Priced, entries: Sequence[UnitEntry], changes: Callable[[Broken], Iterable[Change]], place: Place
) -> Iterator[Problem]:
    """Yield a problem for each broken limit of a unit or force; ``changes`` returns the changes to try for a limit.

    ``summed`` is the unit or force, and ``entries`` are its designs. The hint is the change that moves the price least,
    up or down, or the rule itself if no change works. Changes that leave something out come last. For advice no change
    is tried, because the unit or force is lawful. At most ``MAX_TRIES`` changes are tried, those with the least effect
    on the price of the entries.
    """
    for broken in summed.broken:
        tried = () if broken.limit.severity == "advice" else changes(broken)
        tried = sorted(tried, key=lambda change: (abs(change.points), change.text))[:MAX_TRIES]
        fix = _cheapest(summed, tried, [broken.limit])
        text = f"{fix.change.text}{spell_change(fix.points)}" if fix else ""
        entry = _entry_to_blame(entries, broken, fix.change.design if fix else "")
        yield _limit_problem(broken, place, text, entry)


def _limit_problem(broken: Broken, place: Place, fix: str, entry: UnitEntry | None = None) -> Problem:
    """Return the problem of a broken limit. Its code has the rule set and the limit, such as ``tin-soldiers/hands``.

    ``place`` is the place of the design, unit or force. The hint is the text ``fix``, or the rule itself if ``fix`` is
    empty. ``entry`` is the entry of a unit or force to blame.
    """
    limit = broken.limit
    at, value_text = _blame(broken, place, entry)
    figures = "" if value_text.startswith("no ") else _figures(limit.that, broken.values)
    found = f"{value_text}{f' ({figures})' if figures else ''}" if value_text else figures or "another"
    expected = limit.says.removesuffix(".")
    hint = fix or expected
    problem = at.problem(f"{limit.owner}/{limit.id}", expected, found, hint, severity=limit.severity)
    if problem.span.line < place.span().line:  # a spreadsheet has no column for the value
        problem = problem._replace(span=place.span())
    return problem._replace(cite=limit.provenance.cite_text)


def _blame(broken: Broken, place: Place, entry: UnitEntry | None) -> tuple[Place, str]:
    """Return the place of the value to change, and the value as text, such as "size 5", "no weapons" or "12 elements".

    A list with entries has only its name. If there is an ``entry`` of a unit or force, return its place and a text such
    as "2 × Sabre". ``place`` is the place of the design, unit or force.
    """
    limit = broken.limit
    if entry is not None:
        return entry.place, f"{entry.count} × {entry.design.name}"
    value = broken.values.get(limit.blame)
    if limit.blame in ADDED_UP:
        key = "units" if (place / "of").value() is None else "of"  # of a force or of a unit
        return place / key, f"{value} {limit.blame}"
    entries = broken.values.get(limit.each) if limit.each else None
    if entries is not None and broken.entry is not None and limit.blame in entries[broken.entry]:
        place = place / (limit.each or "") / broken.entry
    if value == ():
        return place / limit.blame, f"no {limit.blame.replace('_', ' ')}"
    text = "" if isinstance(value, tuple) else spell_value(value)
    return place / limit.blame, f"{limit.blame} {text}".strip()


def _figures(formula: Formula, values: Mapping[str, Any]) -> str:
    """Return the figures of a comparison that does not hold, such as "size 5, armour 3" or "not 5 + 1 ≤ 3".

    The first form is for a comparison of names alone. The text is empty if the formula is not a comparison of order,
    such as ``<=``.
    """
    tree = formula.tree()
    if not isinstance(tree, ast.Compare) or not all(
        isinstance(item, ast.LtE | ast.GtE | ast.Lt | ast.Gt) for item in tree.ops
    ):
        return ""
    names = [comparator.id for comparator in (tree.left, *tree.comparators) if isinstance(comparator, ast.Name)]
    if len(names) == 1 + len(tree.comparators):
        return ", ".join(f"{name.replace('_', ' ')} {spell(values[name])}" for name in names)
    return f"not {working(formula, values)}"


def over_budget(force: Force, budget: int, at: Place) -> Problem:
    """Return F210 at a place for a force whose total is higher than ``budget``.

    The hint names the cheapest cut; if no single cut is enough, it gives the points to save. The caller compares the
    total with the budget.
    """
    over = force.total - budget
    more = "" if force.whole else "at least "  # parts without a price are not in the total
    found = f"{more}{spell(force.total)}, over by {more}{spell(over)}"
    return at.problem("F210", f"at most {spell(budget)} points", found, _cheapest_cut(force, over))


def _cheapest_cut(force: Force, over: Number) -> str:
    """Return a hint to leave out copies of one design, or one unit, that save at least ``over`` points.

    The hint names the smallest saving that is enough. If no saving is enough, the hint gives only the points to save.
    """
    cuts = []
    for change in removals(force.entries, force.units):
        try:
            own = _after(force.priced, change).total if force.priced is not None else 0
        except ProblemsError:
            continue  # the rules give no price for what is left
        if (saved := force.own_points - own - change.points) >= over:
            cuts.append((saved, change.text))
    if not cuts:
        return f"leave out {spell(over)} points or more"
    points, text = min(cuts, key=lambda cut: cut[0])
    return f"{text}{spell_change(-points)}"
