"""What would mend a design: one value after another is tried, checked and priced."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any, NamedTuple

from generator.forces.pricing import needs_price, price, spell_change, times_broken
from generator.rules.choices import spell_value
from generator.rules.kinds import WAYS

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from generator.forces.designs import Partial
    from generator.forces.pricing import Broken, Priced
    from generator.rules.formulas.compiler import Formula
    from generator.rules.formulas.functions import Number
    from generator.rules.kinds import Field, Kind, Limit, Line
    from generator.rules.models.manifest import Costs

MAX_TRIES = 600
"""How many changes are tried for one problem."""
_OUT = "without "
SHOWN = 3
"""How many remedies the help names."""


class Change(NamedTuple):
    """One value changed, or one entry left out."""

    where: str
    said: str
    design: Partial

    @property
    def is_out(self) -> bool:
        """Whether an entry is left out."""
        return self.said.startswith(_OUT)


class _Remedy(NamedTuple):
    where: str
    said: str
    points: Number | None
    """How much dearer the design becomes."""

    @property
    def by(self) -> Number:
        """How much the price changes."""
        return 0 if self.points is None else max(self.points, -self.points)


def remedies(kind: Kind, design: Partial, priced: Priced, broken: Broken, costs: Costs) -> str:
    """The changes of one value that clear a broken limit and break nothing else, those that change the price least.

    Every value that the limit leans on is tried, its neighbours first; of each field the nearest that helps is named,
    of a word to blame each that costs the same, and what can be left out where that changes the price less than any
    other value. Limits that blame the same value are cleared together.
    """
    group = [one.limit for one in same_value(kind, priced, broken)]
    found = _single(kind, design, priced, broken, costs, group)
    if not found and len(group) > 1:
        found = _single(kind, design, priced, broken, costs, [broken.limit])
    if not found:
        from generator.forces.together import first_entry, several_changes, two_changes  # most need one change

        return (
            first_entry(kind, design, priced, broken, costs)
            or several_changes(kind, design, priced, broken, costs, wanted_fields(kind, broken))
            or two_changes(kind, design, priced, broken, costs)
        )
    out = [one for one in found if one.said.startswith(_OUT)]
    if not kind.pays and out:  # which other value is as good, no price tells
        return ", or ".join(one.said for one in out[:SHOWN])
    kept = [one for one in found if one not in out]
    least = min((one.by for one in kept), default=0)
    cheaper = [one for one in sorted(out, key=lambda one: one.by) if one.by < least][:1]
    ranked = sorted([*kept, *cheaper] or out, key=lambda one: (one.by, one.where))[:SHOWN]
    said = [f"{one.said}{spell_change_of(kind, one.points)}" for one in ranked]
    if not kept and broken.limit.severity == "error":
        from generator.forces.together import two_changes  # most need one change

        said = [*filter(None, [two_changes(kind, design, priced, broken, costs)]), *said][:SHOWN]
    return ", or ".join(said)


def same_value(kind: Kind, priced: Priced, broken: Broken) -> list[Broken]:
    """The limits that refuse the same value as this one, which is among them.

    Those on sums (room, weapon systems) and advice stand alone: they refuse no value by itself.
    """
    if broken.limit.severity != "error" or needs_price(kind, broken.limit):
        return [broken]
    return [
        one
        for one in priced.broken
        if blamed(one) == blamed(broken) and one.limit.severity == "error" and not needs_price(kind, one.limit)
    ]


def blamed(broken: Broken) -> tuple[str | None, int | None, str]:
    """Which value a limit refuses: the entry of its list, and the field."""
    return broken.limit.each, broken.entry, broken.limit.blame


def clears(after: Priced, before: Counter[str], limits: Iterable[Limit]) -> bool:
    """Whether a change clears these limits, and breaks nothing else."""
    ids = broken_ids(after)
    return all(ids[one.id] < before[one.id] for one in limits) and not ids - before


def _single(
    kind: Kind, design: Partial, priced: Priced, broken: Broken, costs: Costs, limits: Sequence[Limit]
) -> list[_Remedy]:
    """What clears the limits by one change."""
    before = broken_ids(priced)
    found: dict[str, _Remedy] = {}
    more: list[_Remedy] = []
    quick = not needs_price(kind, broken.limit)
    field = kind.field(broken.limit.each or broken.limit.blame)
    inner = next((one for one in field.fields if one.name == broken.limit.blame), field) if field else None
    words = broken.limit.blame if kind.pays and inner and inner.choice and not inner.choice.is_range else None
    tried = 0
    for change in changes_of(kind, design, broken):
        tried += not change.is_out  # what may be left out is always tried
        if tried > MAX_TRIES and not change.is_out:
            continue
        if change.where in found and change.where != words:
            continue
        if found and broken.limit.severity == "advice":
            break  # one way is advice enough
        if quick and times_broken(kind, change.design, broken.limit) >= before[broken.limit.id]:
            continue  # most changes do not help, and need no price
        after = price(kind, change.design, costs)
        if not clears(after, before, limits):
            continue
        remedy = _Remedy(change.where, change.said, change_of_price(priced, after))
        if change.where not in found:
            found[change.where] = remedy
        elif remedy.points is not None and remedy.points == found[change.where].points:
            more.append(remedy)  # between words nothing is nearest
    return [*found.values(), *more]


def change_of_price(before: Priced, after: Priced) -> Number | None:
    """How much dearer a design becomes, where both prices are known."""
    return after.total - before.total if after.whole and before.whole else None


def spell_change_of(kind: Kind, points: Number | None) -> str:
    """How much dearer a design of this kind becomes, where that is known and the kind has a price."""
    return spell_change(points) if points is not None and kind.pays else ""


def broken_ids(priced: Priced) -> Counter[str]:
    """How often each limit is broken."""
    return Counter(one.limit.id for one in priced.broken)


def changes_of(kind: Kind, design: Partial, broken: Broken) -> Iterator[Change]:
    """Each change to try, the field to blame first."""
    limit = broken.limit
    wanted = wanted_fields(kind, broken)
    fields = sorted(kind.fields, key=lambda one: one.name != limit.blame)
    for field in fields:
        if field.choice is not None and field.name in wanted and field.name in design:
            for value, said in others(field, design[field.name]):
                yield Change(field.name, f"{field.name}: {said}", design.changed(field.name, value))
        elif field.name in design and field.choice is None:
            mine = broken.entry if limit.each == field.name else None
            yield from _entries(field, design, wanted, mine)


def wanted_fields(kind: Kind, broken: Broken) -> set[str]:
    """The fields whose values may mend it."""
    limit = broken.limit
    return _reads(kind, limit, (limit.that,)) | {limit.blame, f"{limit.each}.{limit.blame}"}


def _entries(field: Field, design: Partial, wanted: set[str], mine: int | None) -> Iterator[Change]:
    """Changes in the entries of a list: in the one to blame, or in any."""
    entries = design[field.name]
    for index, entry in enumerate(entries):
        if mine is not None and index != mine:
            continue
        where = "" if mine is not None else f"{field.name}[{index}]."
        for inner in field.fields:
            if inner.choice is None or inner.name not in entry or f"{field.name}.{inner.name}" not in wanted:
                continue
            for value, said in others(inner, entry[inner.name]):
                changed = entry.changed(inner.name, value)
                after = (*entries[:index], changed, *entries[index + 1 :])
                text = f"{where}{inner.name}: {said}"
                yield Change(f"{where}{inner.name}", text, design.changed(field.name, after))
        if any(one.startswith(f"{field.name}.") for one in wanted):
            left = (*entries[:index], *entries[index + 1 :])
            text = f"{_OUT}{field.name}[{index}]"
            yield Change(text, text, design.changed(field.name, left))


def others(field: Field, value: Any) -> Iterator[tuple[Any, str]]:
    """Every other value that a field may have, those beside it first."""
    values = field.choice.values if field.choice else ()
    here = values.index(value) if value in values else 0
    for other in sorted(values, key=lambda one: abs(values.index(one) - here)):
        if other != value or isinstance(other, bool) is not isinstance(value, bool):
            yield other, spell_value(other)


def _reads(kind: Kind, limit: Limit, formulas: Iterable[Formula | None]) -> set[str]:
    """The fields (``list.field`` in a list) that formulas lean on, through whatever they are worked out from."""
    found: set[str] = set()
    seen: set[str] = set()
    lets, lines = dict(kind.let), {line.name: line for line in kind.lines if line.name}
    lists = {field.name: {inner.name for inner in field.fields} for field in kind.fields if field.choice is None}
    plain = {field.name for field in kind.fields if field.choice is not None}
    waiting: list[tuple[str, str | None]] = []

    def read(formulas: Iterable[Formula | None], each: str | None) -> None:
        waiting.extend((name, each) for formula in formulas if formula is not None for name in formula.names)

    def rule(one: Limit | Line, formulas: Iterable[Formula | None]) -> None:
        names = {name for formula in formulas if formula is not None for name in formula.names}
        read((*formulas, *(row for name, row in one.join if name in names)), one.each)

    rule(limit, formulas)
    while waiting:
        name, each = waiting.pop()
        if (key := f"{each}/{name}") in seen:
            continue
        seen.add(key)
        if each is not None and name in lists.get(each, ()):
            found.add(f"{each}.{name}")
        elif name in plain:
            found.add(name)
        elif name in lists:
            found |= {f"{name}.{inner}" for inner in lists[name]}
        elif name in lets:
            read((lets[name],), None)
        elif name in lines:
            rule(lines[name], (*(getattr(lines[name], way) for way in WAYS), lines[name].when))
        elif name in ("capacity_used", "systems_used"):
            for line in kind.lines:
                amount = line.capacity if name == "capacity_used" else line.systems
                if amount is not None:
                    rule(line, (amount, line.when))
        elif name in ("capacity_allowed", "systems_allowed"):
            read((kind.capacity if name == "capacity_allowed" else kind.systems,), None)
    return found
