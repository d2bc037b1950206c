"""Choose units from a force: its units are candidates, each with a size and an arm."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import chain
from typing import TYPE_CHECKING, Any, NamedTuple

from generator.forces.fixes import price_whole
from generator.forces.force import Design, Force, Unit, UnitEntry
from generator.scenarios.check import designs_of
from generator.scenarios.generate.tables import Candidate, ScenarioTables
from generator.scenarios.scenario import fits

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from generator.scenarios.chance import Chance


def chosen(force: Force, names: Iterable[str]) -> Force:
    """Return the force with only the units of these names, and their designs; unknown names are ignored.

    In a force without units, the names are those of designs. The points and problems stay those of the whole force.
    """
    wanted = set(names)
    units = tuple(unit for unit in force.units if unit.name in wanted)
    fielded = {entry.design.name for unit in units for entry in unit.of} if force.units else wanted
    return force._replace(units=units, designs=tuple(item for item in force.designs if item.name in fielded))


def contents_of(force: Force) -> dict[str, Any]:
    """Return a force for a scenario file: its name, options, answers, designs and units.

    Designs and units are the values in the force file or its libraries, not copies; paths of pictures are unchanged.
    In a force without units, each design becomes a unit of one element.
    """
    whole: Any = force.place.inside.value
    settings = {key: whole[key] for key in ("options", "answers") if key in whole}
    designs, units = ([item.place.value() for item in items] for items in (force.designs, force.units))
    units = units or [{"unit": design.name, "of": [{"design": design.name}]} for design in force.designs]
    return {"force": force.name, **settings, "designs": designs, "units": units}


def candidates(force: Force, tables: ScenarioTables, *, moving: bool) -> list[Candidate]:
    """Return the force's units, or its designs if it has no units, as candidates in the order of the force.

    If ``moving``, units that cannot move are left out. The candidates are kept in ``tables``, so that each unit is
    looked at once. Raises ProblemsError (R241) if the rule data gives no price.
    """
    found, known = [], tables.candidates
    for unit in force.units or force.designs:
        if unit.place not in known:
            known[unit.place] = _candidate(unit, force, tables)
        found.append(known[unit.place])
    return [candidate for candidate in found if candidate.moves or not moving]


def _candidate(unit: Unit | Design, force: Force, tables: ScenarioTables) -> Candidate:
    """Return a unit with its size, in points or elements, its arm, and whether it moves.

    The arm is that of the first row of ``arm-members`` that fits one of the unit's designs, or empty. A unit moves
    unless an arm that fits one of its designs does not. Raises ProblemsError (R241) if the rule data gives no price.
    """
    designs = designs_of(unit)
    elements = unit.elements if isinstance(unit, Unit) else 1
    size = elements if tables.by_elements else cost([unit], force)
    arms = [arm for member, arm in tables.members if any(fits(member, design) for design in designs)]
    arm: Any = arms[0] if arms else {"arm": "", "share": 1, "most": 99}
    return Candidate(unit.name, size, arm["arm"], arm["share"], arm["most"], all(row["moves"] for row in arms))


def cost(units: Sequence[Unit | Design], force: Force) -> int:
    """Return the points of a force with these units, rounded down: the points of the units, and the force's own cost.

    ``force`` gives the rules. A unit whose points are not known counts as 0. Raises ProblemsError (R241) if the rule
    data gives no price for the force itself.
    """
    members = [unit.of if isinstance(unit, Unit) else (UnitEntry(unit, 1, unit.place),) for unit in units]
    priced = [unit.priced for unit in units if isinstance(unit, Unit)]
    whole = price_whole(force.rules, chain.from_iterable(members), priced)
    return int(sum(unit.points or 0 for unit in units) + (whole.total if whole is not None else 0))


def is_lawful(force: Force) -> bool:
    """Return whether a force breaks no limit of the kind ``force``; a limit that is only advice counts, too.

    A force without units always passes. Limits of units and designs are not looked at. Raises ProblemsError (R241) if
    the rule data gives no price.
    """
    entries = [entry for unit in force.units for entry in unit.of]
    whole = price_whole(force.rules, entries, [unit.priced for unit in force.units])
    return not force.units or whole is None or not whole.broken


WITHIN = 100
"""A total may be below its target by at most one part in this many."""


class ChosenUnit(NamedTuple):
    """A unit that was chosen for a side's force, with the reason and its place in the draw."""

    unit: Candidate
    need: str
    """The arm that the mission needs; empty for a unit that was drawn."""
    drawn: int
    """The number of the unit in the drawn order, from 1."""


class Chosen(NamedTuple):
    """The units that were taken, in the order in which they were taken."""

    choices: tuple[ChosenUnit, ...]
    total: int
    target: int
    short: bool
    """Whether no choice of units is near enough to the target, so that the nearest total below was taken."""
    lacking: tuple[str, ...]
    """Arms that the mission needs and that no unit could fill."""


def least(target: int) -> int:
    """Return the smallest total that is near enough to the target: at most 1 % below it.

    >>> least(3000), least(850), least(12)
    (2970, 842, 12)
    """
    return target - target // WITHIN


def choose(source: Sequence[Candidate], target: int, most: int, needs: Sequence[str], chance: Chance) -> Chosen:
    """Return at most ``most`` units whose sizes add up to the target or to at most 1 % less; needed arms come first.

    ``needs`` are the ids of the needed arms, an arm twice for two units. ``chance`` draws the order of the units. A
    unit is taken in its turn if the units that are left can bring the total near enough. If no choice of units is near
    enough, the nearest total below the target is taken and ``short`` is set. Units above an arm's ``most`` are left out
    if the total can come near enough without them.
    """
    order = drawn(source, chance)
    plain = _thinned(order, needs)
    if (top := _greatest(plain, most, target)) < least(target):
        plain, top = order, _greatest(order, most, target)
    wanted = min(least(target), top)
    taken: dict[Candidate, str] = {}

    def takes(candidate: Candidate, need: str) -> bool:
        """Add a unit to ``taken`` with its need, an arm or an empty text; return whether the unit was added.

        A unit is added only once, and only while ``taken`` has fewer than ``most`` units. Other units of ``plain`` must
        still be able to bring the total to at least ``wanted`` without passing ``target``.
        """
        rest = [other for other in plain if other is not candidate and other not in taken]
        spent = candidate.size + sum(item.size for item in taken)
        fits = candidate not in taken and len(taken) < most
        fits = fits and _greatest(rest, most - len(taken) - 1, target - spent) >= max(0, wanted - spent)
        if fits:
            taken[candidate] = need
        return fits

    lacking = [need for need in needs if not any(takes(item, need) for item in plain if item.arm == need)]
    for candidate in plain:
        takes(candidate, "")
    choices = tuple(ChosenUnit(unit, need, order.index(unit) + 1) for unit, need in taken.items())
    return Chosen(choices, sum(item.size for item in taken), target, top < least(target), tuple(lacking))


def drawn(source: Sequence[Candidate], chance: Chance) -> list[Candidate]:
    """Return the candidates in a random order in which each arm is spread evenly, in proportion to its share."""
    shuffled, seen = chance.shuffled(source), Counter[str]()
    starts = {name: chance.below(WITHIN) for name in dict.fromkeys(candidate.arm for candidate in source)}
    keys = []
    for index, item in enumerate(shuffled):
        keys.append((Fraction(seen[item.arm] * WITHIN + starts[item.arm], item.share), index))
        seen[item.arm] += 1
    return [shuffled[index] for _, index in sorted(keys)]


def _thinned(order: Sequence[Candidate], needs: Sequence[str]) -> list[Candidate]:
    """Return the units in order, of each arm only the first ones, up to the arm's ``most``.

    Units of no arm count as one arm. An arm that ``needs`` names more often than its ``most`` keeps as many units as it
    is named.
    """
    seen, kept = Counter[str](), []
    for candidate in order:
        seen[candidate.arm] += 1
        if seen[candidate.arm] <= max(candidate.most, needs.count(candidate.arm)):
            kept.append(candidate)
    return kept


def _greatest(source: Sequence[Candidate], most: int, target: int) -> int:
    """Return the greatest total, up to a target, of the sizes of at most ``most`` units; -1 for a target below 0.

    Each unit of ``source`` is taken once at most.
    """
    inside = (1 << max(0, target + 1)) - 1
    totals = [1 & inside] * (most + 1)  # by number of units: a bit for each total
    for candidate in source if inside else ():
        for count in range(most, 0, -1):
            totals[count] |= totals[count - 1] << candidate.size & inside
    return totals[most].bit_length() - 1
