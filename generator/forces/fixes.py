"""Find the cheapest change that fixes a design: try one value after another, check and price each."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any, NamedTuple

from generator.forces.designs import example_entry
from generator.forces.notation import COUNT, spell_entries
from generator.forces.pricing import needs_price, price, spell_change, times_broken
from generator.rules.entries.choices import spell_value
from generator.rules.entries.kinds import LINE_RESULTS

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

    from generator.forces.pricing import Broken, Priced
    from generator.rules.entries.kinds import Field, Kind, Limit, Line
    from generator.rules.formulas.compiler import Formula
    from generator.rules.formulas.functions import Number
    from generator.rules.model.manifest import Costs

MAX_TRIES = 600
"""The most changes tried for one problem."""


class Change(NamedTuple):
    """A design with one value or one entry changed, and the change as text."""

    text: str
    design: Mapping[str, Any]


def by_value(kind: Kind, broken: Iterable[Broken]) -> list[list[Broken]]:
    """Return broken limits in groups: limits that refuse the same value form a group, errors before advice.

    A limit on a sum, such as capacity, does not refuse a single value; it is a group of its own.
    """
    groups: dict[object, list[Broken]] = {}
    for item in broken:
        value = item.limit.each, item.entry, item.limit.blame
        groups.setdefault((item.limit.id, value) if needs_price(kind, item.limit) else value, []).append(item)
    return [sorted(group, key=lambda item: item.limit.severity != "error") for group in groups.values()]


def cheapest_fix(
    kind: Kind,
    design: Mapping[str, Any],
    priced: Priced,
    group: Sequence[Broken],
    costs: Costs,
    paid: Collection[str] = (),
) -> str:
    """Return the change that fixes a group of broken limits, breaks no other limit and changes the price least.

    Every value that the first limit depends on is tried, the field to blame and its nearest values first. An entry is
    left out only if no other change works. If no change fixes the whole group, only the first limit must be fixed.

    Return an empty text if no single change fixes the first limit. The text gives no points if the change affects a
    tally that the whole force pays for (``paid``).
    """
    for limits in (group, group[:1]):
        for changes in (_changed_values(kind, design, group[0]), _left_out(kind, design, group[0])):
            if fix := _cheapest(changes, kind, priced, [limit.limit for limit in limits], costs, paid):
                return fix
    return ""


def _cheapest(
    changes: Iterable[Change], kind: Kind, priced: Priced, limits: Sequence[Limit], costs: Costs, paid: Collection[str]
) -> str:
    """Return the first change that keeps the limits and changes the price least; empty if there is none."""
    before = broken_ids(priced)
    quick = not needs_price(kind, limits[0])
    fixes: list[tuple[Number, int, str]] = []
    for order, change in zip(range(MAX_TRIES), changes, strict=False):
        if quick and times_broken(kind, change.design, limits[0]) >= before[limits[0].id]:
            continue  # most changes do not help and need not be priced
        after = price(kind, change.design, costs)
        ids = broken_ids(after)
        if all(ids[limit.id] < before[limit.id] for limit in limits) and not ids - before:
            points = after.total - priced.total
            moved = any(after.tallies.get(name) != priced.tallies.get(name) for name in paid)
            price_change = spell_change(points) if kind.pays and not moved else ""
            fixes.append((max(points, -points), order, f"{change.text}{price_change}"))
    return min(fixes)[-1] if fixes else ""


def broken_ids(priced: Priced) -> Counter[str]:
    """Return how often each limit is broken."""
    return Counter(item.limit.id for item in priced.broken)


def _depends_on(kind: Kind, broken: Broken) -> set[str]:
    """Return the fields (``list.field`` in a list) whose values may fix a limit."""
    limit = broken.limit
    return _reads(kind, limit, (limit.that,)) | {limit.blame, f"{limit.each}.{limit.blame}"}


def _changed_values(kind: Kind, design: Mapping[str, Any], broken: Broken) -> Iterator[Change]:
    """Yield a change for each other value of each field that the limit depends on, the field to blame first.

    If the list to blame is empty, also yield changes that give it a first entry.
    """
    limit, names = broken.limit, _depends_on(kind, broken)
    for field in sorted(kind.fields, key=lambda field: field.name != limit.blame):
        value = design[field.name]
        if field.choice is None:
            if field.name == limit.blame and not value:
                yield from _first_entries(field, design)
            yield from _changed_entries(field, design, broken, names)
        elif field.name in names:
            for other, text in others(field, value):
                yield Change(f"{field.name}: {text}", {**design, field.name: other})


def _changed_entries(field: Field, design: Mapping[str, Any], broken: Broken, names: set[str]) -> Iterator[Change]:
    """Yield a change for each other value in the entry to blame, or in any entry of a list."""
    entries = design[field.name]
    for index in _to_blame(field, design, broken):
        where = "" if broken.limit.each == field.name else f"{field.name}[{index}]."
        for inner in field.fields:
            if inner.choice is None or f"{field.name}.{inner.name}" not in names:
                continue
            for other, text in others(inner, entries[index][inner.name]):
                changed = {**entries[index], inner.name: other}
                after = (*entries[:index], changed, *entries[index + 1 :])
                yield Change(f"{where}{inner.name}: {text}", {**design, field.name: after})


def _first_entries(field: Field, design: Mapping[str, Any]) -> Iterator[Change]:
    """Yield a change that gives an empty list one entry, for each count and each value of the first field."""
    choices = {item.name: item.choice.values for item in field.fields if item.choice is not None}
    first = next(iter(choices))
    for count in choices.get(COUNT, (1,)):
        for value in choices[first]:
            entry = {**example_entry(field.fields), first: value} | ({COUNT: count} if COUNT in choices else {})
            text = f"{field.name}: {spell_entries(field.fields, [entry])}"
            yield Change(text, {**design, field.name: (entry,)})


def _left_out(kind: Kind, design: Mapping[str, Any], broken: Broken) -> Iterator[Change]:
    """Yield a change that leaves out the entry to blame, or any entry that the limit depends on."""
    names = _depends_on(kind, broken)
    for field in kind.fields:
        if field.choice is None and any(name.startswith(f"{field.name}.") for name in names):
            entries = design[field.name]
            for index in _to_blame(field, design, broken):
                text = f"leave out {spell_entries(field.fields, [entries[index]])}"
                yield Change(text, {**design, field.name: (*entries[:index], *entries[index + 1 :])})


def _to_blame(field: Field, design: Mapping[str, Any], broken: Broken) -> Iterable[int]:
    """Return the index of the entry to blame, or the indices of all entries of a list."""
    if broken.limit.each == field.name and broken.entry is not None:
        return (broken.entry,)
    return range(len(design[field.name]))


def others(field: Field, value: Any) -> Iterator[tuple[Any, str]]:
    """Yield every other value that a field may have, with its text; values nearest to ``value`` come first."""
    values = field.choice.values if field.choice else ()
    here = values.index(value) if value in values else 0
    for other in sorted(values, key=lambda item: abs(values.index(item) - here)):
        if other != value or isinstance(other, bool) is not isinstance(value, bool):
            yield other, spell_value(other)


def _reads(kind: Kind, limit: Limit, formulas: Iterable[Formula | None]) -> set[str]:
    """Return the fields (``list.field`` in a list) on which formulas depend, directly or through other values."""
    fields: set[str] = set()
    seen: set[str] = set()
    lets, lines = dict(kind.let), {line.name: line for line in kind.lines if line.name}
    lists = {field.name: {inner.name for inner in field.fields} for field in kind.fields if field.choice is None}
    plain = {field.name for field in kind.fields if field.choice is not None}
    waiting: list[tuple[str, str | None]] = []

    def read(formulas: Iterable[Formula | None], each: str | None) -> None:
        """Add the names in formulas to the names to follow."""
        waiting.extend((name, each) for formula in formulas if formula is not None for name in formula.names)

    def rule(rule_of: Limit | Line, formulas: Iterable[Formula | None]) -> None:
        """Add the names in formulas of a limit or line, and in the joined rows that these formulas use."""
        names = {name for formula in formulas if formula is not None for name in formula.names}
        read((*formulas, *(row for name, row in rule_of.join if name in names)), rule_of.each)

    rule(limit, formulas)
    while waiting:
        name, each = waiting.pop()
        if (key := f"{each}/{name}") in seen:
            continue
        seen.add(key)
        if each is not None and name in lists.get(each, ()):
            fields.add(f"{each}.{name}")
        elif name in plain:
            fields.add(name)
        elif name in lists:
            fields |= {f"{name}.{inner}" for inner in lists[name]}
        elif name in lets:
            read((lets[name],), None)
        elif name in lines:
            rule(
                lines[name],
                (*(getattr(lines[name], key_of_result) for key_of_result in LINE_RESULTS), lines[name].when),
            )
        elif name in ("capacity_used", "systems_used"):
            for line in kind.lines:
                amount = line.capacity if name == "capacity_used" else line.systems
                if amount is not None:
                    rule(line, (amount, line.when))
        elif name in ("capacity_allowed", "systems_allowed"):
            read((kind.capacity if name == "capacity_allowed" else kind.systems,), None)
    return fields
