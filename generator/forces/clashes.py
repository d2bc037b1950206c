"""Which broken limits are told: of several about the same mistake one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from generator.forces.pricing import price
from generator.forces.remedies import blamed, broken_ids, changes_of, clears, same_value

if TYPE_CHECKING:
    from generator.forces.designs import Partial
    from generator.forces.pricing import Broken, Priced
    from generator.rules.kinds import Kind
    from generator.rules.models.manifest import Costs


def independent(kind: Kind, design: Partial, priced: Priced, costs: Costs) -> tuple[Broken, ...]:
    """The limits that are not kept, without those that merely follow: of two entries that clash the later one is told.

    An entry follows from a later one where it is right as soon as that is left out. Of limits that refuse the same
    value the first is told where one remedy clears them all, and advice about a value that is refused is not.
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
    told = [one for one in priced.broken if (one.limit.id, one.entry) not in follows]
    refused = {blamed(one) for one in told if one.limit.severity == "error"}
    told = [one for one in told if one.limit.severity == "error" or blamed(one) not in refused]
    first: dict[object, Broken] = {}
    for one in told:
        first.setdefault(blamed(one), one)
    return tuple(one for one in told if one is first[blamed(one)] or not _cleared_by(kind, design, priced, one, costs))


def _cleared_by(kind: Kind, design: Partial, priced: Priced, broken: Broken, costs: Costs) -> bool:
    """Whether another limit refuses the same value, and one other value keeps both, so that one remedy will do."""
    group = same_value(kind, priced, broken)
    before = broken_ids(priced)
    return len(group) > 1 and any(
        clears(price(kind, one.design, costs), before, [each.limit for each in group])
        for one in changes_of(kind, design, broken)
        if one.where == broken.limit.blame
    )
