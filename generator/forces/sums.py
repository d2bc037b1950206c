"""What units and forces add up, and what would mend one: leaving something out, or adding a design."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from fractions import Fraction
from typing import TYPE_CHECKING, NamedTuple

from generator.forces.designs import Partial
from generator.forces.pricing import CostLine, price, spell_change
from generator.forces.remedies import MAX_TRIES, broken_ids, others
from generator.rules.formulas.functions import whole
from generator.rules.formulas.working import spell
from generator.rules.kinds import FORCE

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from generator.forces.force import Design, Entry, Force, Unit
    from generator.forces.pricing import Broken, Priced
    from generator.rules.formulas.functions import Number
    from generator.rules.kinds import Kind
    from generator.rules.models.manifest import Costs
    from generator.rules.ruleset import RuleSet

SHOWN = 2
"""How many remedies the help names."""


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


def own_points(rules: RuleSet, entries: Iterable[Entry], units: Sequence[Priced | None] = ()) -> Number:
    """Return the points that a force pays as a whole for these entries; 0 where its rules have no kind ``force``."""
    kind = rules.kinds.get(FORCE)
    if kind is None or not kind.pays:
        return 0
    return price(kind, Partial({}), rules.manifest.costs, added_up(kind, entries, units, known=True)).total


def own_saved(force: Force, left_out: Iterable[tuple[Entry, int]]) -> Number:
    """Return how much less the force pays as a whole without so many of these entries."""
    kind, priced = force.rules.kinds.get(FORCE), force.priced
    if kind is None or priced is None or not priced.total:
        return 0
    sums = {name: priced.values[name] for name in kind.added if name in priced.values}
    for entry, count in left_out:
        for name, number in _of_one(entry.design).items():
            if name in sums:
                sums[name] -= number * count
    return priced.total - price(kind, Partial({}), force.rules.manifest.costs, Partial(sums, priced.values.holes)).total


def with_shares(design: Design, force: Priced) -> Design:
    """Return the design with its share of each cost of the whole force, in proportion to its tally.

    Shares are shown in the working and do not count: the force pays.
    """
    shares = []
    for line in force.lines:
        tallies = line.formula.names & design.priced.tallies.keys() if line.points and line.formula else ()
        for tally in sorted(tallies):
            mine, every = design.priced.tallies[tally], line.values[tally]
            if mine:
                label = f"{line.label}: share for {spell(mine)}"
                figure = f"{spell(whole(Fraction(line.amount * mine) / every))} of {spell(line.amount)}"
                share = CostLine(line.id, label, None, 0, 0, 0, None, {}, line.birth, figure, line.template)
                shares.append(share)
    return design._replace(priced=replace(design.priced, lines=(*design.priced.lines, *shares))) if shares else design


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
    """Return the changes that keep a limit and break no other, the least change of price first.

    ``sums`` are those of the unit or force as it is. Each way is tried, and priced with what the whole then costs.
    """
    if broken.limit.severity == "advice":
        return ""  # lawful: nobody leaves out a gun because it has no shells yet
    others = {one.limit.id for one in priced.broken} - {broken.limit.id}
    found: list[tuple[Number, str]] = []
    for way in sorted(ways(broken), key=lambda one: (abs(one.points), one.said))[:MAX_TRIES]:
        after = Partial({name: number + way.sums.get(name, 0) for name, number in sums.items()}, sums.holes)
        tried = price(kind, Partial(values), costs, after)
        wrong = {one.limit.id for one in tried.broken if one.limit.severity == "error"}
        if after.get("elements", 1) and wrong <= others:
            found.append((whole(way.points + tried.total - priced.total), way.said))
    cheapest = sorted(found, key=lambda one: (abs(one[0]), one[1]))[:SHOWN]
    return ", or ".join(f"{said}{spell_change(points)}" for points, said in cheapest)


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
            if field.choice is None or field.name not in design.values:
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
