"""Choose units from a force: its units are candidates, each with a size and an arm."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Any, NamedTuple

from generator.forces.fixes import added_up, own_points
from generator.forces.force import Design, Entry, Force, Unit
from generator.forces.pricing import price
from generator.rules.entries.kinds import FORCE
from generator.scenarios.advice import designs_of
from generator.scenarios.terrain_kinds import fits

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from generator.forces.files import ForceFile
    from generator.rules.entries.tables import Row
    from generator.scenarios.chance import Chance
    from generator.scenarios.generate.tables import ScenarioTables

ELEMENTS = "elements"


class ForceSource(NamedTuple):
    """A force from which units are chosen."""

    file: ForceFile
    force: Force

    @property
    def name(self) -> str:
        """The name of the force."""
        return self.force.name

    def chosen(self, names: Iterable[str]) -> Force:
        """Return the force with only these units and their designs."""
        wanted = set(names)
        if not self.force.units:
            return self.force._replace(designs=tuple(design for design in self.force.designs if design.name in wanted))
        units = tuple(unit for unit in self.force.units if unit.name in wanted)
        fielded = {entry.design.name for unit in units for entry in unit.of}
        return self.force._replace(
            units=units, designs=tuple(design for design in self.force.designs if design.name in fielded)
        )

    def said(self, force: Force) -> dict[str, Any]:
        """Return a chosen force for a scenario file, with its designs and units as the force file gives them."""
        fielded = {design.name for design in force.designs}
        whole: Any = self.file.place.inside.value
        told: dict[str, Any] = {"force": self.name}
        told |= {key: whole[key] for key in ("options", "answers") if key in whole}
        designs, units = ([place.value() for place in places] for places in (self.file.designs, self.file.units))
        told["designs"] = [design for design in designs if design.get("design") in fielded]
        if force.units:
            names = {unit.name for unit in force.units}
            told["units"] = [unit for unit in units if unit.get("unit") in names]
        else:
            told["units"] = [{"unit": design.name, "of": [{"design": design.name}]} for design in force.designs]
        return told


def candidates(force: Force, tables: ScenarioTables, counts: str, *, moving: bool) -> list[Candidate]:
    """Return the force's units, or its designs if it has no units; only movable units if ``moving``."""
    found = []
    for unit in force.units or force.designs:
        row = _arm(designs_of(unit), tables)
        if not moving or not standing(designs_of(unit), tables):
            elements = unit.elements if isinstance(unit, Unit) else 1
            size = elements if counts == ELEMENTS else _cost(unit, force)
            found.append(Candidate(unit.name, size, str(row["arm"]) if row else ""))
    return found


def _cost(unit: Unit | Design, force: Force) -> int:
    """Return the points of a unit, and what the whole force pays for it in addition, rounded down."""
    members, priced = (unit.of, [unit.priced]) if isinstance(unit, Unit) else ([Entry(unit, 1, unit.place)], [])
    return int((unit.points or 0) + own_points(force.rules, members, priced))


def arms(tables: ScenarioTables) -> dict[str, Arm]:
    """Return every arm of the rules, by id."""
    rows = tables.rows("arms")
    return {str(row["arm"]): Arm(str(row["name"]), row["share"], row["most"]) for row in rows}


def _arm(designs: Sequence[Design], tables: ScenarioTables) -> Row | None:
    """Return the row of a unit's arm: the first arm with a member that fits a design of the unit; None if none fits."""
    for member in tables.rows("arm-members"):
        if any(fits(member, design) for design in designs):
            return tables.row("arms", str(member["arm"]))
    return None


def standing(designs: Sequence[Design], tables: ScenarioTables) -> list[Design]:
    """Return the designs that belong to an arm that cannot move. One such design keeps its whole unit in place."""
    fixed = {str(row["arm"]) for row in tables.rows("arms") if not row["moves"]}
    fixed_members = [member for member in tables.rows("arm-members") if str(member["arm"]) in fixed]
    return [design for design in designs if any(fits(member, design) for member in fixed_members)]


def is_lawful(force: Force) -> bool:
    """Return whether a force breaks no limit of the kind ``force``, advice included.

    A force without units always passes.
    """
    kind = force.rules.kinds.get(FORCE)
    if kind is None or not force.units:
        return True
    entries = [entry for unit in force.units for entry in unit.of]
    sums = added_up(kind, entries, [unit.priced for unit in force.units])
    return not price(kind, {}, force.rules.manifest.costs, sums).broken


WITHIN = 100
"""A total may be below its target by at most one part in this many."""


class Candidate(NamedTuple):
    """A unit that may be taken."""

    name: str
    size: int
    """The size of the unit: points, or elements in a game without points."""
    arm: str


class Arm(NamedTuple):
    """An arm: a class of units, such as infantry or armour."""

    name: str
    share: int = 1
    """How often the arm is drawn, relative to the other arms."""
    most: int = 99
    """The most units of the arm in a force; a mission may need more."""


class Choice(NamedTuple):
    """A unit that was chosen for a side's force, with the reason and its place in the draw."""

    unit: Candidate
    need: str
    """The arm that the mission needs; empty for a unit that was drawn."""
    drawn: int
    """The number of the unit in the drawn order, from 1."""
    total: int
    """The total size of all units up to and including this unit."""


class Chosen(NamedTuple):
    """The units that were taken, in the order in which they were taken."""

    choices: tuple[Choice, ...]
    total: int
    target: int
    short: bool
    """Whether no choice of units is near enough to the target, so that the nearest total below was taken."""
    lacking: tuple[str, ...]
    """Arms that the mission needs and that no unit could fill."""


def least(target: int) -> int:
    """Return the smallest total that is near enough to the target.

    >>> least(3000), least(850), least(12)
    (2970, 842, 12)
    """
    return target - target // WITHIN


def choose(
    source: Sequence[Candidate], target: int, most: int, arms: Mapping[str, Arm], needs: Sequence[str], chance: Chance
) -> Chosen:
    """Return at most ``most`` units whose sizes add up to the target or slightly less; needed arms come first.

    Units above an arm's ``most`` are left out if the other units are enough to reach the target.
    """
    order = drawn(source, arms, chance)
    plain = _thinned(order, arms, needs)
    wanted = least(target)
    top = _totals(plain, most, target)[0][-1].bit_length() - 1
    if top < wanted:
        plain, top = order, _totals(order, most, target)[0][-1].bit_length() - 1
    window = min(wanted, top), target
    taken, lacking = _needed(plain, window, most, needs)
    left = _walk(
        [item for item in plain if item not in taken], window, most - len(taken), sum(item.size for item in taken)
    )
    place = {item.name: number for number, item in enumerate(order, start=1)}
    choices: list[Choice] = []
    total = 0
    for unit, need in [*taken.items(), *((candidate, "") for candidate in left)]:
        total += unit.size
        choices.append(Choice(unit, need, place[unit.name], total))
    return Chosen(tuple(choices), total, target, top < wanted, tuple(lacking))


def drawn(source: Sequence[Candidate], arms: Mapping[str, Arm], chance: Chance) -> list[Candidate]:
    """Return the source in a random order in which each arm is spread evenly, in proportion to its share."""
    shuffled = chance.shuffled(source)
    starts = {name: chance.below(WITHIN) for name in dict.fromkeys(candidate.arm for candidate in source)}
    seen: dict[str, int] = {}
    keys: list[tuple[Fraction, int]] = []
    for index, item in enumerate(shuffled):
        before = seen.get(item.arm, 0)
        seen[item.arm] = before + 1
        share = arms[item.arm].share if item.arm in arms else 1
        keys.append((Fraction(before * WITHIN + starts[item.arm], share), index))
    return [shuffled[index] for _, index in sorted(keys)]


def _thinned(order: Sequence[Candidate], arms: Mapping[str, Arm], needs: Sequence[str]) -> list[Candidate]:
    """Return the units in order, without units above their arm's ``most``."""
    seen: dict[str, int] = {}
    kept = []
    for candidate in order:
        seen[candidate.arm] = seen.get(candidate.arm, 0) + 1
        most = arms[candidate.arm].most if candidate.arm in arms else Arm("").most
        if seen[candidate.arm] <= max(most, needs.count(candidate.arm)):
            kept.append(candidate)
    return kept


def _needed(
    order: Sequence[Candidate], window: tuple[int, int], most: int, needs: Sequence[str]
) -> tuple[dict[Candidate, str], list[str]]:
    """Return a unit for each need, and the needs that no unit can fill.

    A unit fills a need if it is of that arm and the remaining units can still bring the total into the window.
    """
    taken: dict[Candidate, str] = {}
    lacking = []
    for need in needs:
        for candidate in order:
            if candidate.arm != need or candidate in taken or len(taken) == most:
                continue
            rest = [other for other in order if other is not candidate and other not in taken]
            spent = candidate.size + sum(item.size for item in taken)
            if spent <= window[1] and _fits(_totals(rest, most - len(taken) - 1, window[1])[0][-1], window, spent):
                taken[candidate] = need
                break
        else:
            lacking.append(need)
    return taken, lacking


def _walk(order: Sequence[Candidate], window: tuple[int, int], most: int, spent: int) -> list[Candidate]:
    """Return the units taken in turn: a unit is taken if the units after it can bring the total into the window."""
    behind = _totals(order, most, window[1] - spent)
    taken: list[Candidate] = []
    for index, item in enumerate(order):
        left = most - len(taken) - 1
        with_it = spent + item.size
        if left >= 0 and with_it <= window[1] and _fits(behind[index + 1][left], window, with_it):
            taken.append(item)
            spent = with_it
    return taken


def _totals(order: Sequence[Candidate], most: int, top: int) -> list[list[int]]:
    """Return the reachable totals, as bits, by position in the order and by number of units.

    ``result[i][n]`` holds the totals of at most ``n`` units from position ``i`` on, up to ``top``.
    """
    inside = (1 << (top + 1)) - 1
    found = [[1] * (most + 1)]
    for candidate in reversed(order):
        after = found[-1]
        if candidate.size > top:
            found.append(after)
        else:
            more = [(after[count - 1] << candidate.size) & inside for count in range(1, most + 1)]
            found.append([1, *(item | other for item, other in zip(after[1:], more, strict=True))])
    return found[::-1]


def _fits(totals: int, window: tuple[int, int], spent: int) -> bool:
    """Return whether one of the totals, added to what is spent, is in the window."""
    low, high = max(window[0] - spent, 0), window[1] - spent
    return bool((totals >> low) & ((1 << (high - low + 1)) - 1))
