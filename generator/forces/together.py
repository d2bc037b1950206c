"""What would mend a design where no single change does: the fewest values that go together."""

from __future__ import annotations

from itertools import combinations, islice
from typing import TYPE_CHECKING, Any, NamedTuple

from generator.forces.designs import Partial
from generator.forces.limits import both_of
from generator.forces.pricing import price
from generator.forces.remedies import broken_ids, spell_change_of
from generator.rules.choices import spell_value

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence

    from generator.forces.pricing import Broken, Priced
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
                points = after.total - priced.total if after.whole and priced.whole else None
                found.append((abs(points or 0), _said(chosen), points))
        if found:
            _, said, points = min(found, key=lambda one: one[:2])
            return f"{said}{spell_change_of(kind, points)}"
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
