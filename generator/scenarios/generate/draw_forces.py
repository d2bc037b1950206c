"""Draw the forces of a generated scenario: which forces fight, and with which units."""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from itertools import accumulate, product
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from generator.forces.cards import Matchup
from generator.problems import Problem, ProblemsError, refused
from generator.scenarios.chance import Chance
from generator.scenarios.check import units_near
from generator.scenarios.generate import units as pool
from generator.scenarios.generate.tables import Candidate, ScenarioTables, has_one
from generator.scenarios.scenario import fits

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Mapping, Sequence

    from generator.forces.force import Force
    from generator.rules.entries.tables import Row
    from generator.rules.source.parts import Place

    _Fight: TypeAlias = tuple[Sequence["_Draw"], Fraction]
    """The draws of both sides, and by how much they differ."""

Samples: TypeAlias = "Sequence[Callable[[], Force]]"
"""The sample forces to draw from: for each, a function that reads it once."""
UNEQUAL = Fraction(15, 100)
"""The most that two sides may differ in expected exchange."""


ROLES = ("attacker", "defender")
"""The sides of a generated scenario, in this order everywhere."""
NEEDS = {"attacker": "attack_needs", "defender": "defence_needs"}
"""For each role, the column of a mission with the arms that the role needs."""
_TRIES = 20
"""The most draws for a side until its force keeps the rules and the points, and the most pairs of forces tried."""
_DRAWS = 12
"""How many draws of each size are compared in a game that counts elements."""
_TEN = 10


class DrawnForce(NamedTuple):
    """The force drawn or kept for a side."""

    role: str
    name: str
    target: int | None
    """The points that the side may spend, or the number of elements it may field; None without a limit."""
    force: Force
    said: dict[str, Any] | str
    """The force as the scenario file gives it; empty if it is not written."""
    units: Sequence[str]
    """The names of the units, in the order in which they were taken; of a kept force, in the order of the file.

    In a force without units, these are the names of its designs. Empty for a force that is not drawn yet.
    """
    place: Place
    """The place in a file where the force is given."""


class _Side(NamedTuple):
    """A side, and the units that it may take."""

    role: str
    number: int
    """The number of its source among the samples in random order, from 0."""
    name: str
    source: Force
    candidates: Sequence[Candidate]
    serves: bool
    """Whether it has enough units, and every arm that the mission needs."""
    slow: Sequence[str]
    """The names of the units that were left out because they cannot come near an objective in time."""


class _Draw(NamedTuple):
    """The units drawn for a side; ``attempt`` counts the tries that were needed, from 1."""

    side: _Side
    chosen: pool.Chosen
    attempt: int
    force: Force
    target: int
    """The points or elements that the side may have: fewer than asked for if a side has too few units."""
    cut: str = ""
    """Why this side is smaller than asked for, or too strong: the other side has too few units. Empty otherwise."""

    @property
    def names(self) -> list[str]:
        """The names of the units, in the order in which they were taken."""
        return [choice.unit.name for choice in self.chosen.choices]


def must_move(role: str, mission: Row) -> bool:
    """Return whether every unit of a side must be able to move: True for the attacker and in ``mobile`` missions."""
    return role == ROLES[0] or bool(mission["mobile"])


def lacking(candidates: Sequence[Candidate], needs: Sequence[str]) -> list[str]:
    """Return the arms, such as infantry, with fewer candidates than a mission needs, each once.

    An arm that ``needs`` names twice needs two candidates.
    """
    there = [candidate.arm for candidate in candidates]
    return [arm for arm in dict.fromkeys(needs) if there.count(arm) < needs.count(arm)]


def miss(tables: ScenarioTables, name: str, needs: Sequence[str]) -> None:
    """Record each missing arm as a shortfall of the force with this name, and set ``missed`` of the tables.

    ``needs`` are the ids of the missing arms. If there are none, nothing changes.
    """
    tables.missed = tables.missed or bool(needs)
    for need in dict.fromkeys(needs):
        row = tables.row("arms", need)
        told = f"the mission asks for {row['name'] if row else need}, and not enough could be had"
        tables.admit(f"Units of {name}", name, told, "name another mission, or bring a force that has them")


def stands_still(role: str, force: Force, tables: ScenarioTables, place: Place) -> Problem:
    """Return S220 for a force that has no units, or none that can move, although its ``role`` needs them."""
    found, hint = "a force without any", "write units: into it, or bring another force"
    if force.units or force.designs:
        fixed = [member for member, arm in tables.members if not arm["moves"]]
        names = [design.name for design in force.designs if any(fits(member, design) for member in fixed)]
        found = f"none that moves: {', '.join(names)}"
        other = "put another side first, because the first attacks" if role == ROLES[0] else "name another mission"
        hint = f"{other}; or bring a force with a unit that moves"
    return place.problem("S220", f"units for the {role}", found, hint)


def check_kept(forces: Iterable[DrawnForce], tables: ScenarioTables, mission: Row) -> None:
    """Record each kept force as a roll, and each needed arm with too few units as a shortfall.

    Raises ProblemsError: S220 if a force has no unit that its role can use, R241 if the rule data gives no price.
    """
    for role, name, _, force, _, _, place in forces:
        tables.record("samples", "kept", f"{role}: {name}")
        there = pool.candidates(force, tables, moving=must_move(role, mission))
        if not there:
            raise ProblemsError(stands_still(role, force, tables, place))
        miss(tables, name, lacking(there, mission[NEEDS[role]] or ()))


@dataclass
class ForceDrawer:
    """Draws the units of both sides from their forces, in a ratio that the mission gives.

    ``size`` is the points or elements of the stronger side.
    """

    tables: ScenarioTables
    seed: int
    mission: Row
    battle: Row
    """The row for battles of this size."""
    size: int
    kept_away: Collection[str] = ()
    """The arms that are drawn only if nothing else is left."""
    crossings: Mapping[str, tuple[int, int]] = field(default_factory=dict)
    """For each role, the inches to the nearest objective, and the inches to the exit."""
    turns: int = 0
    """The turns of the battle."""

    def __post_init__(self) -> None:
        """Set each side's points or elements by the mission's ratio. The stronger side gets the full size."""
        most = max(self.mission["attacker"], self.mission["defender"])
        self.by_elements = self.tables.by_elements
        self.targets = {role: self._share(self.size, self.mission[role], most) for role in ROLES}

    def _share(self, size: int, part: int, whole: int) -> int:
        """Return a side's share of a size: ``part`` of ``whole``.

        Elements, and points if the size is below 100, are rounded to the nearest whole number, at least 1. Other points
        are rounded down to tens; the share of a part that equals ``whole`` is the exact size.
        """
        if self.by_elements or size < _TEN * _TEN:
            return max(1, (2 * size * part + whole) // (2 * whole))
        return size if part == whole else size * part // whole // _TEN * _TEN

    def raised(self, given: Sequence[Force], samples: Samples) -> tuple[DrawnForce, ...]:
        """Return the drawn forces of the attacker and the defender, in this order, and record how they were drawn.

        They are drawn from the given sources, the attacker's first; a side without a source draws from one of the
        samples. In a game that counts elements, up to 20 pairs of forces are tried: the first even fight is taken, or
        else the most even. In a game that counts points, the first pair is taken. Raises ProblemsError: S220 if a side
        gets no unit or has no source, R241 if a formula has no answer. The problems of a sample are raised, too.
        """
        draws, difference = _evenest(self._matched(pair) for pair in self._pairs(given, samples)[:_TRIES])
        for draw in draws[len(given) :]:
            side = draw.side
            self.tables.record("samples", side.number + 1, f"{side.role}: {side.source.name}")
        self._tell_balance(draws, difference)
        return tuple(self._levy(draw) for draw in draws)

    def _matched(self, sides: Sequence[_Side]) -> _Fight:
        """Return the draws of both sides, and their difference as in ``_balanced``; 0 in a game that counts points.

        Both are drawn again without the candidates that ``_useful`` leaves out, unless more sides would then have too
        few units. Raises ProblemsError: S220 if a side gets no unit, R241 if a formula has no answer.
        """
        drawn = [self._draw(side, self.targets[side.role]) for side in sides]
        for draw in drawn:
            if not draw.chosen.choices:
                raise ProblemsError(self._nothing(draw.side))
        draws, difference = self._balanced(drawn) if self.by_elements else (self._evened(drawn), Fraction(0))
        useful = [self._useful(draw, enemy) for draw, enemy in zip(draws, reversed(draws), strict=True)]
        if useful == sides:
            return draws, difference
        again = self._matched(useful)
        return (draws, difference) if _shortages(again[0]) > _shortages(draws) else again

    def _useful(self, draw: _Draw, enemy: _Draw) -> _Side:
        """Return the side of a draw without the candidates of arms that have nothing to do in this battle.

        Only arms of units in the draws are looked at. An arm with ``serves`` needs one of these arms on its own side,
        and an arm with ``opposes`` needs one on the other. Arms that the mission needs stay. All candidates stay if
        every other candidate is too large.
        """
        mine, theirs = ({choice.unit.arm for choice in each.chosen.choices} for each in (draw, enemy))
        rows = [row for row in self.tables.rows("arms") if row["arm"] in mine]
        idle = {row["arm"] for row in rows if not (has_one(row, "serves", mine) and has_one(row, "opposes", theirs))}
        idle -= {*(self.mission[NEEDS[draw.side.role]] or ())}
        useful = [unit for unit in draw.side.candidates if unit.arm not in idle]
        fits = any(unit.size <= self.targets[draw.side.role] for unit in useful)
        return draw.side._replace(candidates=useful) if fits else draw.side

    def _pairs(self, given: Sequence[Force], samples: Samples) -> list[Sequence[_Side]]:
        """Return pairs of sides, the attacker first: the given sources, and samples in random order for other sides.

        In a pair with a sample, the forces have different names. The sample has enough units, and the arms that the
        mission needs. If there is no such pair, a single other pair is returned, if possible with different names. If
        both forces have the same name, the defender's gets " (2)". Raises ProblemsError (S220) if a side needs a sample
        and there is none. The problems of a sample are raised, too.
        """
        rolled = ROLES[len(given) :]
        order = Chance(self.seed, "stocks").shuffled(samples) if rolled else []
        if rolled and not order:
            hint = "name two forces of yours: --side-force FILE --side-force FILE"
            raise ProblemsError(refused("S220", self.tables.rules.id, "sample forces to choose from", "none", hint))
        drawn = [read() for read in order]
        pools = [*([source] for source in given), *[drawn] * len(rolled)]
        sides = [
            [self._side(role, number, source) for number, source in enumerate(sources)]
            for role, sources in zip(ROLES, pools, strict=True)
        ]
        pairs: list[Sequence[_Side]] = [*product(*sides)]
        pairs = [pair for pair in pairs if not rolled or pair[0].name != pair[1].name] or pairs[:1]
        pairs = [pair for pair in pairs if all(side.serves for side in pair if side.role in rolled)] or pairs[:1]
        return [[a, b._replace(name=f"{b.name} (2)") if a.name == b.name else b] for a, b in pairs]

    def _side(self, role: str, number: int, source: Force) -> _Side:
        """Return a side with the units that it may take. ``number`` is the index of its source.

        Units that cannot move are left out if every unit of the side must be able to move (see ``must_move``). Units
        that cannot come near an objective and march to the exit in time are left out unless nothing else is left. The
        same goes for units of ``kept_away`` arms. An attacker must march to the objective: fire alone does not take it.
        """
        moving, needs = must_move(role, self.mission), self.mission[NEEDS[role]] or ()
        found = pool.candidates(source, self.tables, moving=moving)
        inches, out = self.crossings.get(role, (0, 0))
        near = units_near(source, inches, self.turns, max(out, inches) if role == ROLES[0] else out)
        quick = [candidate for candidate in found if candidate.name in near] or found
        slow = [candidate.name for candidate in found if candidate not in quick]
        found = [candidate for candidate in quick if candidate.arm not in self.kept_away] or quick
        chosen = pool.choose(found, self.targets[role], self.battle["units"], needs, Chance(self.seed))
        return _Side(role, number, source.name, source, found, not chosen.short and not chosen.lacking, slow)

    def _balanced(self, drawn: Sequence[_Draw]) -> _Fight:
        """Return draws whose expected exchange fits the mission's ratio, and by how much they differ from it.

        ``drawn`` are first draws of both sides. One side has the most elements that any side can reach, at most
        ``size``; the other side has as many or fewer. Sizes next to the mission's ratio are tried first. The first
        draws that differ by at most ``UNEQUAL`` are returned, otherwise those that differ least. Without odds or draws
        to compare, the result is that of ``_evened``, and the difference is 0.
        """
        first, second = (draw.side.source for draw in drawn)
        matchup = Matchup(first, second)
        reach = [self._draw(draw.side, self.size).chosen.total for draw in drawn]
        sizes = [pair for pair in product(*(range(1, most + 1) for most in reach)) if max(pair) == max(reach)]
        sizes.sort(key=lambda pair: sum(abs(size - draw.target) for size, draw in zip(pair, drawn, strict=True)))
        fights = (
            (draws, exchange.difference(self.mission["attacker"], self.mission["defender"]))
            for pair in (sizes if any(matchup.chances) else ())
            for draws in product(*(self._several(draw, size) for draw, size in zip(drawn, pair, strict=True)))
            if (exchange := matchup.compare(*(draw.names for draw in draws)))
        )
        draws, difference = _evenest(fights)
        return (draws, difference) if draws else (self._evened(drawn), Fraction(0))

    def _tell_balance(self, draws: Sequence[_Draw], difference: Fraction) -> None:
        """Record a shortfall if both sides are smaller than asked for, and one if ``difference`` is over ``UNEQUAL``.

        ``difference`` says how far the expected exchange of fire is from the ratio of the mission.

        Smaller sides are not recorded here if one of them is short of units. Nothing is recorded in a game that counts
        points.
        """
        if not self.by_elements:
            return
        counted, full = self.battle["name"], max(draw.chosen.total for draw in draws)
        if full < self.size and not any(draw.chosen.short for draw in draws):
            told = f"{_many(full, counted)} instead of {self.size:,}: neither force has more"
            self.tables.admit("Balance", "Balance", told, f"ask for fewer {counted}, or bring larger forces")
        if difference > UNEQUAL:
            told = "no units of these forces come nearer to an even fight"
            self.tables.admit("Balance", "Balance", told, "ask for another size, or bring other forces")

    def _several(self, draw: _Draw, size: int) -> list[_Draw]:
        """Return up to 12 draws of exactly ``size`` elements for the side of ``draw``, no two with the same units.

        One of them may have the units of ``draw``, and they may share units. They miss no more of the arms that the
        mission needs than ``draw`` does. The list may be empty.
        """
        most = len(draw.chosen.lacking)
        draws = (self._draw(draw.side, size, first) for first in range(1, _DRAWS + 1))
        fit = (item for item in draws if item.chosen.total == size and len(item.chosen.lacking) <= most)
        return list({frozenset(item.names): item for item in fit}.values())

    def _draw(self, side: _Side, target: int, first: int = 1) -> _Draw:
        """Return units drawn for a side: draw up to ``_TRIES`` times, until they are a lawful force within the target.

        The last try is returned even if it breaks a limit or costs too much. ``target`` is in points or elements.
        ``first`` is the number of the first of these tries: another number may give other units.
        """
        needs, over = self.mission[NEEDS[side.role]] or (), 0
        for attempt in range(1, _TRIES + 1):
            chance = Chance(self.seed, "units", side.role, first + attempt - 1)
            chosen = pool.choose(side.candidates, target - over, self.battle["units"], needs, chance)
            force = pool.chosen(side.source, (choice.unit.name for choice in chosen.choices))
            paid = chosen.total if self.by_elements else pool.cost(force.units or force.designs, force)
            if pool.is_lawful(force) and paid <= target:
                break
            over += min(max(0, paid - target), (target - over) // 2)  # half always leaves room for a unit
        return _Draw(side, chosen, attempt, force, target)

    def _evened(self, drawn: Sequence[_Draw]) -> Sequence[_Draw]:
        """Return both draws at the mission's ratio, the attacker's first.

        If a side has too few units, its own target becomes what it has, and the other side's target is reduced. If both
        have too few, the side with the smaller part of its target counts. If no draw is small enough, or only one that
        misses more needed arms, the other side stays stronger. The other side's ``cut`` says what happened.
        """
        short = [draw for draw in drawn if draw.chosen.short]
        if not short:
            return drawn
        weak = min(short, key=lambda item: Fraction(item.chosen.total, item.target))
        strong = next(draw for draw in drawn if draw is not weak)
        has, counted, role = weak.chosen.total, self.battle["name"], strong.side.role
        fair = self._share(has, self.mission[role], self.mission[weak.side.role])
        if fair < strong.target:
            least = max(fair, min(candidate.size for candidate in strong.side.candidates))
            again = self._draw(strong.side, least) if strong.chosen.total > fair else strong
            told = f"{_many(fair, counted)} instead of {strong.target:,} beside the {has:,} of {weak.side.name}"
            lacks = len(again.chosen.lacking) > len(strong.chosen.lacking)
            strong = strong if lacks else again
            if least > fair or lacks:
                cut = f"{told} would keep the ratio of the mission, and nothing so small will do"
                strong = strong._replace(cut=cut)
            else:
                strong = strong._replace(target=fair, cut=f"{told}: the ratio of the mission is kept")
        return sorted((weak._replace(target=has), strong), key=lambda draw: ROLES.index(draw.side.role))

    def _levy(self, draw: _Draw) -> DrawnForce:
        """Return the force of a draw. Record in ``tables`` why each unit was taken, and where the force falls short."""
        tables, chosen, counted = self.tables, draw.chosen, self.battle["name"]
        (role, _, name, source, *_), units = draw.side, f"Units of {draw.side.name}"
        if draw.attempt > 1:
            tables.record(units, draw.attempt, "drawn again: the rules or the points of a whole force were broken")
        totals = accumulate(choice.unit.size for choice in chosen.choices)
        for choice, total in zip(chosen.choices, totals, strict=True):
            arm = next((row["name"] for row in tables.rows("arms", arm=choice.need)), choice.need)
            why = f"for the mission: {arm}" if choice.need else f"drawn as number {choice.drawn}"
            size = f"{_many(choice.unit.size, counted)}, brings the total to {total:,}"
            tables.record(units, choice.drawn, f"{choice.unit.name}: {why}, {size}")
        fewer = f"ask for fewer {counted}, or bring a force with more units"
        if draw.cut:
            tables.admit(units, name, draw.cut, fewer)
        if chosen.short:
            told = f"no units of this force come nearer to {_many(chosen.target, counted)} than {chosen.total:,}"
            told += f"; too slow for this mission: {', '.join(draw.side.slow)}" if draw.side.slow else ""
            alone = "each of its designs counts as one unit: write units: into the force, of several elements each"
            tables.admit(units, name, told, fewer if source.units else alone)
        miss(tables, name, chosen.lacking)
        contents = pool.contents_of(draw.force)
        return DrawnForce(role, name, draw.target, draw.force, contents, draw.names, source.place)

    def _nothing(self, side: _Side) -> Problem:
        """Return S220 for a source without a unit that is small enough, or without any unit that can be used."""
        role, source, counted = side.role, side.source, self.battle["name"]
        if not side.candidates:
            return stands_still(role, source, self.tables, source.place)
        target, least = self.targets[role], min(side.candidates, key=lambda candidate: candidate.size)
        hint = f"ask for more, or bring smaller units: {least.name}, the smallest, has {_many(least.size, counted)}"
        found = f"nothing for {_many(target, counted)} in {source.name}"
        if target != self.size:
            found += f"; {self.mission['name']} gives the {role} {target:,} of {self.size:,}"
        return refused("S220", str(self.size), f"units for the {role}", found, hint)


def _evenest(fights: Iterable[_Fight]) -> _Fight:
    """Return the first fight whose sides differ by at most ``UNEQUAL``, or else the fight whose sides differ least.

    Without fights, the result has no draws and a difference of 2.
    """
    best: _Fight = (), Fraction(2)
    for fight in fights:
        best = fight if fight[1] < best[1] else best
        if best[1] <= UNEQUAL:
            break
    return best


def _shortages(draws: Sequence[_Draw]) -> int:
    """Return for how many of the draws no choice of units came near enough to the target."""
    return sum(draw.chosen.short for draw in draws)


def _many(number: int, counted: str) -> str:
    """Return a number with the word for what a game counts, singular or plural.

    >>> _many(1, "points"), _many(1200, "points")
    ('1 point', '1,200 points')
    """
    return f"{number:,} {counted.removesuffix('s') if number == 1 else counted}"
