"""What units and forces add up, and what would mend one: leaving something out, or adding a design."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, NamedTuple

from generator.forces.designs import Partial
from generator.forces.pricing import price, spell_change
from generator.forces.remedies import broken_ids, others
from generator.rules.formulas.functions import whole

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from generator.forces.force import Design, Entry, Unit
    from generator.forces.pricing import Broken, Priced
    from generator.rules.formulas.functions import Number
    from generator.rules.kinds import Kind
    from generator.rules.models.manifest import Costs

SHOWN = 2
"""How many remedies the help names."""
MAX_TRIES = 60
"""How many are tried, those of the fewest points first."""


class Way(NamedTuple):
    """Something to leave out or to add, with what it adds to the sums."""

    points: Number
    said: str
    sums: Mapping[str, Number]


def added_up(
    kind: Kind,
    entries: Iterable[Entry],
    units: Sequence[Priced | None] = (),
    *,
    known: bool,
    uncounted: Iterable[Design] = (),
) -> Partial:
    """What the formulas of a unit or force know besides its fields: 0 where nothing adds to a tally.

    What is not known of one of its parts is not known of their sum. Of designs that are ``uncounted`` nobody knows how
    many there are: what they add to is not known.
    """
    parts = [(entry.design.priced, entry.count) for entry in entries]
    sums: dict[str, Number] = dict.fromkeys(kind.added, 0)
    sums |= {"elements": sum(count for _, count in parts), "units": len(units)}
    holes = set() if known else set(kind.added)
    for design in uncounted:
        holes |= {"elements", "points", *(name for name, number in _of_one(design).items() if number)}
        holes |= design.priced.unknown_tallies
    for priced, count in (*parts, *((unit, 1) for unit in units if unit is not None)):
        sums["points"] += priced.total * count
        holes |= priced.unknown_tallies | (set() if priced.whole else {"points"})
        for name, number in priced.tallies.items():
            sums[name] += number * count
    return Partial({name: whole(number) for name, number in sums.items() if name not in holes}, holes)


def first_of_each(entries: Iterable[Entry]) -> dict[str, Entry]:
    """For every tally the first entry that adds to it."""
    first: dict[str, Entry] = {}
    for entry in entries:
        for name, number in entry.design.priced.tallies.items():
            if number:
                first.setdefault(name, entry)
    return first


def mended(
    kind: Kind,
    values: Mapping[str, object],
    priced: Priced,
    sums: Partial,
    ways: Callable[[Broken], Iterable[Way]],
    costs: Costs,
    broken: Broken,
) -> str:
    """What keeps a limit, and breaks no other, by being left out, added or changed: those that change the price least.

    ``sums`` are those of the unit or force as it is. Each way is tried.
    """
    if broken.limit.severity == "advice":
        return ""  # lawful: nobody leaves out a gun because it has no shells yet
    others = {one.limit.id for one in priced.broken} - {broken.limit.id}
    found: list[str] = []
    for way in sorted(ways(broken), key=lambda one: (max(one.points, -one.points), one.said))[:MAX_TRIES]:
        after = Partial({name: number + way.sums.get(name, 0) for name, number in sums.items()}, sums.holes)
        tried = price(kind, Partial(values), costs, after)
        wrong = {one.limit.id for one in tried.broken if one.limit.severity == "error"}
        if after.get("elements", 1) and wrong <= others:
            found.append(f"{way.said}{spell_change(way.points)}")
            if len(found) == SHOWN:
                break
    return ", or ".join(found)


def left_out(entries: Iterable[Entry], units: Iterable[Unit] = ()) -> Iterator[Way]:
    """Every entry, and every unit as a whole, to be left out."""
    for entry in entries:
        if entry.points is not None:
            yield Way(-entry.points, f"leave out {entry.count} × {entry.design.name}", _sums(entry, -1))
    for unit in units:
        if unit.points is not None:
            sums: dict[str, Number] = {"units": -1}
            for entry in unit.of:
                for name, number in _sums(entry, -1).items():
                    sums[name] = sums.get(name, 0) + number
            yield Way(-unit.points, f"leave out {unit.name}", sums)


def one_more(designs: Iterable[Design]) -> Iterator[Way]:
    """Every design, to be added once."""
    for design in designs:
        if design.points is not None:
            yield Way(design.points, f"add {design.name}", _of_one(design))


def changed(entries: Iterable[Entry], costs: Costs, broken: Broken) -> Iterator[Way]:
    """Every word of a design that is to blame changed for another, wherever it stands."""
    counts: Counter[str] = Counter()
    designs: dict[str, Design] = {}
    for entry in entries:
        if entry.design.priced.tallies.get(broken.limit.blame) and entry.design.priced.whole:
            designs[entry.design.name] = entry.design
            counts[entry.design.name] += entry.count
    for name, design in designs.items():
        before = design.priced
        for field in design.kind.fields:
            if field.choice is None or field.choice.is_range or field.name not in design.values:
                continue
            for value, said in others(field, design.values[field.name]):
                after = price(design.kind, design.values.changed(field.name, value), costs)
                moved = {one: number - before.tallies.get(one, 0) for one, number in after.tallies.items()}
                if after.whole and moved.get(broken.limit.blame) and not broken_ids(after) - broken_ids(before):
                    points = after.total - before.total
                    moved = {one: number * counts[name] for one, number in {**moved, "points": points}.items()}
                    yield Way(points * counts[name], f"{field.name}: {said} in {name}", moved)


def _of_one(design: Design) -> dict[str, Number]:
    return {"elements": 1, "points": design.priced.total, **design.priced.tallies}


def _sums(entry: Entry, sign: int) -> dict[str, Number]:
    return {name: number * entry.count * sign for name, number in _of_one(entry.design).items()}
