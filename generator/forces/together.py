"""What would mend a design where no single change does: the fewest values that go together."""

from __future__ import annotations

from itertools import combinations, islice, product
from typing import TYPE_CHECKING, Any, NamedTuple

from generator.forces.designs import Partial
from generator.forces.limits import both_of
from generator.forces.notation import COUNT, spell_entries
from generator.forces.pricing import price
from generator.forces.remedies import (
    broken_ids,
    change_of_price,
    changes_of,
    clears,
    same_value,
    spell_change_of,
)
from generator.rules.choices import spell_value

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence

    from generator.forces.pricing import Broken, Priced
    from generator.rules.formulas.functions import Number
    from generator.rules.kinds import Kind
    from generator.rules.models.manifest import Costs

MAX_TRIES = 600
"""How many ways are tried for one problem."""
_MOST = 4
"""Changes that are made together."""


class _Cut(NamedTuple):
    """A field set to another value, or an entry of a list left out."""

    field: str
    entry: int | None
    value: Any


def several_changes(
    kind: Kind, design: Partial, priced: Priced, broken: Broken, costs: Costs, wanted: Collection[str]
) -> str:
    """The fewest changes that together clear a broken limit and break nothing else; of those the cheapest.

    Tried are what may be left out of the fields ``wanted``, and other values of the field to blame.
    """
    before = broken_ids(priced)
    cuts = [*_cuts(kind, design, broken, wanted)]
    tried = 0
    for many in range(2, _MOST + 1):
        found = []
        for chosen in islice(combinations(cuts, many), MAX_TRIES - tried):
            tried += 1
            if len({(one.field, one.entry) for one in chosen}) < many:
                continue
            after = price(kind, _without(design, chosen), costs)
            left = broken_ids(after)
            if left[broken.limit.id] < before[broken.limit.id] and not left - before:
                points = change_of_price(priced, after)
                found.append((abs(points or 0), _said(chosen), points))
        if found:
            _, said, points = min(found, key=lambda one: one[:2])
            return f"{said}{spell_change_of(kind, points)}"
    return ""


def two_changes(kind: Kind, design: Partial, priced: Priced, broken: Broken, costs: Costs) -> str:
    """A change that clears a broken limit at the price of another, and the change that clears that; the cheapest such.

    Tried are other values, the nearest of each field; nothing is left out.
    """
    before = broken_ids(priced)
    limits = [one.limit for one in same_value(kind, priced, broken)]
    found: dict[tuple[str, str], tuple[Any, str, Number | None]] = {}
    tried = 0
    for first in changes_of(kind, design, broken):
        if tried >= MAX_TRIES or first.said.startswith("without"):
            continue
        tried += 1
        between = price(kind, first.design, costs)
        ids = broken_ids(between)
        new = [one for one in between.broken if one.limit.id in ids - before]
        if len(new) != 1 or any(ids[one.id] >= before[one.id] for one in limits):
            continue
        for second in changes_of(kind, first.design, new[0]):
            key = (first.where, second.where)
            if second.where == first.where or second.said.startswith("without") or key in found:
                continue
            tried += 1
            after = price(kind, second.design, costs)
            if clears(after, before, limits):
                points = change_of_price(priced, after)
                found[key] = (abs(points or 0), f"{first.said} and {second.said}", points)
    if not found:
        return ""
    _, said, points = min(found.values(), key=lambda one: one[:2])
    return f"{said}{spell_change_of(kind, points)}"


def first_entry(kind: Kind, design: Partial, priced: Priced, broken: Broken, costs: Costs) -> str:
    """Where a list to blame is empty: the cheapest entry, or number of it, that clears the limit and breaks nothing."""
    field = kind.field(broken.limit.blame)
    if field is None or field.choice is not None or design.get(field.name) != ():
        return ""
    before, tried = broken_ids(priced), 0
    inner = [one for one in field.fields if one.choice is not None]
    values = [one.choice.values if one.required else (one.default,) for one in inner if one.choice]
    counts = next((one.choice.values for one in inner if one.name == COUNT and one.choice), (None,))
    for count in counts:
        found: list[tuple[Any, int, str, Number | None]] = []
        for chosen in product(*values):
            tried += 1
            given = dict(zip([one.name for one in inner], chosen, strict=True))
            entry = Partial(given if count is None else given | {COUNT: count})
            after = price(kind, design.changed(field.name, (entry,)), costs)
            if clears(after, before, [broken.limit]):
                points = change_of_price(priced, after)
                found.append((abs(points or 0), len(found), spell_entries(field.fields, [entry]), points))
            if tried >= MAX_TRIES:
                break
        if found:
            _, _, said, points = min(found)
            return f"{field.name}: {said}{spell_change_of(kind, points)}"
        if tried >= MAX_TRIES:
            break
    return ""


def _cuts(kind: Kind, design: Partial, broken: Broken, wanted: Collection[str]) -> Iterator[_Cut]:
    for field in kind.fields:
        if field.name not in design:
            continue
        value = design[field.name]
        if field.choice is None:
            if any(one.startswith(f"{field.name}.") for one in wanted):
                yield from (_Cut(field.name, index, None) for index in range(len(value)))
        elif field.name == broken.limit.blame:
            yield from (_Cut(field.name, None, other) for other in field.choice.values if other != value)
        elif field.name in wanted and not field.required and value != field.default:
            yield _Cut(field.name, None, field.default)


def _without(design: Partial, cuts: Sequence[_Cut]) -> Partial:
    values: dict[str, Any] = {**design}
    gone = {(cut.field, cut.entry) for cut in cuts if cut.entry is not None}
    for cut in cuts:
        if cut.entry is None:
            values[cut.field] = cut.value
        else:
            entries = enumerate(design[cut.field])
            values[cut.field] = tuple(one for index, one in entries if (cut.field, index) not in gone)
    return Partial(values, design.holes, design.meant)


def _said(cuts: Sequence[_Cut]) -> str:
    """``pds: none and without weapons[0] and weapons[2]``."""
    values = [f"{cut.field}: {spell_value(cut.value)}" for cut in cuts if cut.entry is None]
    gone = [f"{cut.field}[{cut.entry}]" for cut in cuts if cut.entry is not None]
    return " and ".join([*([both_of(values)] if values else []), *([f"without {both_of(gone)}"] if gone else [])])
