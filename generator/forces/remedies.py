"""What would mend a design: one value after another is tried, checked and priced."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any, NamedTuple

from generator.forces.pricing import needs_price, price, spell_change, times_broken
from generator.rules.choices import spell_value
from generator.rules.kinds import WAYS

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from generator.forces.designs import Partial
    from generator.forces.pricing import Broken, Priced
    from generator.rules.formulas.compiler import Formula
    from generator.rules.formulas.functions import Number
    from generator.rules.kinds import Field, Kind, Limit, Line
    from generator.rules.models.manifest import Costs

MAX_TRIES = 600
"""How many changes are tried for one problem."""
SHOWN = 3
"""How many remedies the help names."""


class _Change(NamedTuple):
    """One value changed, or one entry left out."""

    where: str
    said: str
    design: Partial


class _Remedy(NamedTuple):
    where: str
    said: str
    points: Number | None
    """How much dearer the design becomes."""


def remedies(kind: Kind, design: Partial, priced: Priced, broken: Broken, costs: Costs) -> str:
    """The changes of one value that clear a broken limit and break nothing else, those that change the price least.

    Every value that the limit leans on is tried, its neighbours first; of each field the nearest that helps is named.
    """
    before = broken_ids(priced)
    found: dict[str, _Remedy] = {}
    quick = not needs_price(kind, broken.limit)
    for tried, change in enumerate(_changes(kind, design, broken)):
        if tried >= MAX_TRIES:
            break
        if change.where in found:
            continue
        if found and broken.limit.severity == "advice":
            break  # one way is advice enough
        if quick and times_broken(kind, change.design, broken.limit) >= before[broken.limit.id]:
            continue  # most changes do not help, and need no price
        after = price(kind, change.design, costs)
        if broken_ids(after)[broken.limit.id] < before[broken.limit.id] and not broken_ids(after) - before:
            points = after.total - priced.total if after.whole and priced.whole else None
            found[change.where] = _Remedy(change.where, change.said, points)
    if not found:
        from generator.forces.together import several_changes  # most need one change

        return several_changes(kind, design, priced, broken, costs, _wanted(kind, broken))
    out = [one for one in found.values() if one.said.startswith("without")]
    if not kind.pays and out:  # which other value is as good, no price tells
        return ", or ".join(one.said for one in out[:SHOWN])
    chosen = [one for one in found.values() if one not in out] or out
    ranked = sorted(chosen, key=lambda one: (abs(one.points or 0), one.where))[:SHOWN]
    return ", or ".join(f"{one.said}{spell_change_of(kind, one.points)}" for one in ranked)


def independent(kind: Kind, design: Partial, priced: Priced, costs: Costs) -> tuple[Broken, ...]:
    """The limits that are not kept, without those that merely follow: of two entries that clash the later one is told.

    An entry follows from a later one where it is right as soon as that is left out.
    """
    groups: dict[str, list[Broken]] = {}
    for broken in priced.broken:
        if broken.limit.each is not None and broken.entry is not None:
            groups.setdefault(broken.limit.id, []).append(broken)
    follows: set[tuple[str, int | None]] = set()
    for name, group in groups.items():
        out: set[int | None] = set()
        for broken in reversed(group) if len(group) > 1 else ():
            field = broken.limit.each or ""
            if (name, broken.entry) in follows:
                continue
            out.add(broken.entry)
            left = [(index, one) for index, one in enumerate(design[field]) if index not in out]
            after = price(kind, design.changed(field, tuple(one for _, one in left)), costs)
            still = {left[one.entry][0] for one in after.broken if one.limit.id == name and one.entry is not None}
            follows |= {(name, one.entry) for one in group if one.entry not in still | out}
    return tuple(one for one in priced.broken if (one.limit.id, one.entry) not in follows)


def spell_change_of(kind: Kind, points: Number | None) -> str:
    """How much dearer a design of this kind becomes, where that is known and the kind has a price."""
    return spell_change(points) if points is not None and kind.pays else ""


def broken_ids(priced: Priced) -> Counter[str]:
    """How often each limit is broken."""
    return Counter(one.limit.id for one in priced.broken)


def _changes(kind: Kind, design: Partial, broken: Broken) -> Iterator[_Change]:
    """Each change to try, the field to blame first."""
    limit = broken.limit
    wanted = _wanted(kind, broken)
    fields = sorted(kind.fields, key=lambda one: one.name != limit.blame)
    for field in fields:
        if field.choice is not None and field.name in wanted and field.name in design:
            for value, said in _others(field, design[field.name]):
                yield _Change(field.name, f"{field.name}: {said}", design.changed(field.name, value))
        elif field.name in design and field.choice is None:
            mine = broken.entry if limit.each == field.name else None
            yield from _entries(field, design, wanted, mine)


def _wanted(kind: Kind, broken: Broken) -> set[str]:
    """The fields whose values may mend it."""
    limit = broken.limit
    return _reads(kind, limit, (limit.that,)) | {limit.blame, f"{limit.each}.{limit.blame}"}


def _entries(field: Field, design: Partial, wanted: set[str], mine: int | None) -> Iterator[_Change]:
    """Changes in the entries of a list: in the one to blame, or in any."""
    entries = design[field.name]
    for index, entry in enumerate(entries):
        if mine is not None and index != mine:
            continue
        where = "" if mine is not None else f"{field.name}[{index}]."
        for inner in field.fields:
            if inner.choice is None or inner.name not in entry or f"{field.name}.{inner.name}" not in wanted:
                continue
            for value, said in _others(inner, entry[inner.name]):
                changed = entry.changed(inner.name, value)
                after = (*entries[:index], changed, *entries[index + 1 :])
                text = f"{where}{inner.name}: {said}"
                yield _Change(f"{where}{inner.name}", text, design.changed(field.name, after))
        if any(one.startswith(f"{field.name}.") for one in wanted):
            left = (*entries[:index], *entries[index + 1 :])
            text = f"without {field.name}[{index}]"
            yield _Change(text, text, design.changed(field.name, left))


def _others(field: Field, value: Any) -> Iterator[tuple[Any, str]]:
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
