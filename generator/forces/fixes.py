"""Find the cheapest change that fixes a design: try one value after another, check and price each."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any, NamedTuple

from generator.forces.designs import example_entry
from generator.forces.notation import COUNT, spell_entries
from generator.forces.pricing import needs_price, price, spell_change, times_broken
from generator.rules.entries.choices import spell_value

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

    from generator.forces.pricing import Broken, Priced
    from generator.rules.entries.kinds import Field, Kind, Limit
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

    Every other value is tried, the field to blame and its nearest values first. An entry is left out only if no other
    change works. If no change fixes the whole group, only the first limit must be fixed.

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


def _only_in_condition(limit: Limit) -> set[str]:
    """Return the fields that only the condition of a limit reads: changing them would evade the rule, not keep it."""

    def names(formula: Formula | None) -> set[str]:
        read = formula.names if formula is not None else frozenset()
        return {*read, *(name for row_name, row in limit.join if row_name in read for name in row.names)}

    return names(limit.when) - names(limit.that)


def _changed_values(kind: Kind, design: Mapping[str, Any], broken: Broken) -> Iterator[Change]:
    """Yield a change for each other value of each field, the field to blame first.

    If the list to blame is empty, also yield changes that give it a first entry.
    """
    blame, evading = broken.limit.blame, _only_in_condition(broken.limit)
    for field in sorted(kind.fields, key=lambda field: field.name != blame):
        value = design[field.name]
        if field.choice is None and field.name == blame and not value:
            yield from _first_entries(field, design)
        elif field.choice is None:
            yield from _changed_entries(field, design, broken, evading)
        elif field.name not in evading:
            for other, text in others(field, value):
                yield Change(f"{field.name}: {text}", {**design, field.name: other})


def _changed_entries(
    field: Field, design: Mapping[str, Any], broken: Broken, evading: Collection[str]
) -> Iterator[Change]:
    """Yield a change for each other value in the entry to blame, or in any entry of a list."""
    entries = design[field.name]
    for index in _to_blame(field, design, broken):
        where = "" if broken.limit.each == field.name else f"{field.name}[{index}]."
        for inner in field.fields:
            if broken.limit.each == field.name and inner.name in evading:
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
    """Yield a change that leaves out the entry to blame, or any entry of a list."""
    for field in kind.fields:
        if field.choice is None:
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
