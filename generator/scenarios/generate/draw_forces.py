"""Draw the forces of a generated scenario: which forces fight, and with which units."""

from __future__ import annotations

from fractions import Fraction
from itertools import islice, product
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from generator.errors import ProblemsError
from generator.forces.exchange import Matchup
from generator.problems import Problem, Span
from generator.scenarios.advice import units_near
from generator.scenarios.chance import Chance
from generator.scenarios.generate.even_sides import UNEQUAL, percent
from generator.scenarios.generate.select_units import choose
from generator.scenarios.generate.unit_sources import ELEMENTS, arms, candidates, is_lawful, standing

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator, Mapping, Sequence

    from generator.forces.force import Force
    from generator.rules.entries.tables import Row
    from generator.rules.source.parts import Place
    from generator.scenarios.generate.select_units import Arm, Candidate, Chosen
    from generator.scenarios.generate.tables import ScenarioTables
    from generator.scenarios.generate.unit_sources import ForceSource

    _Pair: TypeAlias = tuple[tuple[int, ForceSource], tuple[int, ForceSource]]

ROLES = ("attacker", "defender")
NEEDS = {"attacker": "attack_needs", "defender": "defence_needs"}
_TRIES = 20
"""How often units are drawn again if the drawn force breaks the rules for a whole force."""
_DRAWS = 12
"""How many draws of each size are compared in a game without points."""
_TEN = 10
_NAMED = 3


class DrawnForce(NamedTuple):
    """The force drawn or kept for a side."""

    role: str
    name: str
    target: int | None
    """The points that the side may spend, or the number of elements it may field."""
    force: Force
    said: dict[str, Any] | str
    """The force as the scenario file gives it."""
    units: Sequence[str]
    """The names of the units, in the order in which they were taken."""
    place: Place
    """The place in a file where the force is given."""


class _Draw(NamedTuple):
    """The units drawn for a side."""

    role: str
    name: str
    source: ForceSource
    chosen: Chosen
    attempt: int
    force: Force
    target: int
    """The points that the side may spend: fewer than asked for if a side has too few units."""
    cut: str = ""
    """Why this side has fewer points than asked for: the other side has too few units."""

    @property
    def names(self) -> list[str]:
        """The names of the units, in the order in which they were taken."""
        return [choice.unit.name for choice in self.chosen.choices]


class SampleForce(NamedTuple):
    """A sample force to draw from: its name on disk, and a function that reads it."""

    name: str
    read: Callable[[], ForceSource]


def targets(mission: Row, size: int, counts: str) -> dict[str, int]:
    """Return each side's points or elements by the mission's ratio. The stronger side gets the full size."""
    most = max(mission["attacker"], mission["defender"])
    return {role: _share(size, mission[role], most, counts) for role in ROLES}


def _share(size: int, part: int, whole: int, counts: str) -> int:
    """Return a side's share of a size, ``part`` of ``whole``.

    Elements, and sizes below 100, are rounded to the nearest whole number, at least 1; points are rounded down to tens.
    """
    if counts == ELEMENTS or size < _TEN * _TEN:
        return max(1, (2 * size * part + whole) // (2 * whole))
    return size if part == whole else size * part // whole // _TEN * _TEN


def must_move(role: str, mission: Row) -> bool:
    """Return whether every unit of a side must be able to move."""
    return role == ROLES[0] or bool(mission["mobile"])


def lacking(candidates: Sequence[Candidate], needs: Sequence[str]) -> list[str]:
    """Return the arms with fewer candidates than a mission needs."""
    there = [candidate.arm for candidate in candidates]
    return [arm for arm in dict.fromkeys(needs) if there.count(arm) < needs.count(arm)]


def miss(scenario_tables: ScenarioTables, name: str, needs: Sequence[str]) -> None:
    """Record each arm that the mission needs and a force does not have."""
    scenario_tables.missed = scenario_tables.missed or bool(needs)
    for need in needs:
        row = scenario_tables.row("arms", need)
        told = f"the mission asks for {row['name'] if row else need}, and none could be had"
        scenario_tables.admit(f"Units of {name}", name, told, "name another mission, or bring a force that has them")


def stands_still(role: str, force: Force, scenario_tables: ScenarioTables, place: Place, *, kept: bool) -> Problem:
    """Return S220 for a force that has no units, or none that can move."""
    if not (force.units or force.designs):
        hint = "write units: into it, or bring another force"
        return place.problem("S220", found="a force without any", expected=f"units for the {role}", hint=hint)
    found = standing(force.designs, scenario_tables)
    names = [design.name for design in found]
    more = f" and {len(names) - _NAMED} more" if len(names) > _NAMED else ""
    stand = "stands" if len(names) == 1 else "stand"
    told = f"none that moves: {', '.join(names[:_NAMED])}{more} {stand} still"
    if role != ROLES[0]:
        hint = "name another mission"
    elif kept:
        hint = "the first of the sides attacks: put another first"
    else:
        hint = "the first that is named attacks: name another first"
    hint += f", or bring one with a unit without {'it' if len(names) == 1 else 'them'}"
    return place.problem("S220", found=told, expected=f"units for the {role}", hint=hint)


class ForceDrawer:
    """Draws the forces of both sides."""

    def __init__(
        self,
        scenario_tables: ScenarioTables,
        seed: int,
        mission: Row,
        battle: Row,
        size: int,
        kept_away: Collection[str] = (),
        crossings: Mapping[str, tuple[int, int]] = MappingProxyType({}),
    ) -> None:
        """``battle`` is the row for this size. Arms in ``kept_away`` are drawn only if nothing else is left.

        ``crossings`` has, for each role, the inches that a unit must cross, and in how many turns.
        """
        self.scenario_tables = scenario_tables
        self.seed = seed
        self.mission = mission
        self.battle = battle
        self.size = size
        self.kept_away = kept_away
        self.crossings = crossings
        self.targets = targets(mission, size, battle["counts"])
        self.arms: Mapping[str, Arm] = arms(scenario_tables)

    def raised(self, given: Sequence[ForceSource], samples: Sequence[SampleForce]) -> tuple[DrawnForce, ...]:
        """Return a force for each side, from the given sources (the attacker's first) or from the samples.

        In a game without points, pairs of samples are tried until their units make an even fight. Raises ProblemsError
        (S220) if a side has nothing to choose from.
        """
        pairs = islice(self._sources(given, samples), _TRIES)
        pair = next(pairs)
        draws, difference = self._fought(pair)
        while difference > UNEQUAL and (other := next(pairs, None)) is not None:
            fought = self._fought(other)
            if fought[1] < difference:
                pair, (draws, difference) = other, fought
        self._drawn(ROLES[len(given) :], pair[len(given) :])
        self._tell_balance(draws, difference)
        return tuple(self._levy(draw) for draw in draws)

    def _fought(self, pair: _Pair) -> tuple[Sequence[_Draw], Fraction]:
        """Return the draws of both sides, and by how much they differ in a game without points.

        Raises ProblemsError (S220) if a side has nothing to choose from.
        """
        sources = [source for _, source in pair]
        names = sources[0].name, sources[1].name + (" (2)" if sources[0].name == sources[1].name else "")
        drawn = [self._draw(*item, self.targets[item[0]]) for item in zip(ROLES, names, sources, strict=True)]
        for item in drawn:
            if not item.chosen.choices:
                raise ProblemsError(self._nothing(item.role, item.source))
        return self._balanced(drawn) if self.battle["counts"] == ELEMENTS else (self._evened(drawn), Fraction(0))

    def _sources(self, given: Sequence[ForceSource], samples: Sequence[SampleForce]) -> Iterator[_Pair]:
        """Yield sources for both sides, with their numbers: the given sources, then samples in a random order.

        Pairs that have the arms that the mission needs are yielded. If there is no such pair, the first two are.
        """
        order = Chance(self.seed, "stocks").shuffled(samples)
        if len(given) < len(ROLES) and not order:
            hint = "name two forces of yours: --side-force FILE --side-force FILE"
            span = Span("command line", 1, 1, self.scenario_tables.rules.id)
            raise ProblemsError(Problem("S220", span, "sample forces to choose from", "none", hint=hint))
        read: dict[str, ForceSource] = {}

        def source(number: int) -> ForceSource:
            """Return the source of a sample in the random order; each sample is read once."""
            sample = order[number]
            if sample.name not in read:
                read[sample.name] = sample.read()
            return read[sample.name]

        fixed = [0] * len(given)
        firsts = fixed[:1] or range(len(order))
        best: tuple[ForceSource, ForceSource] | None = None
        served = False
        for first in firsts:
            attacker = given[0] if given else source(first)
            if not given and not self._serves(ROLES[0], attacker):
                continue
            for second in fixed[1:] or range(len(order)):
                defender = given[1] if len(given) > 1 else source(second)
                if len(given) > 1 or (defender.name != attacker.name and self._serves(ROLES[1], defender)):
                    served = True
                    yield (first, attacker), (second, defender)
                best = best or ((attacker, defender) if defender.name != attacker.name else None)
        if not served:
            attacker, defender = best or (given[0] if given else source(0), source(min(1, len(order) - 1)))
            yield (0, attacker), (0, defender)

    def _drawn(self, roles: Sequence[str], sources: Sequence[tuple[int, ForceSource]]) -> None:
        """Record the sample that was drawn for each role."""
        for role, (number, source) in zip(roles, sources, strict=True):
            self.scenario_tables.record("samples", number + 1, f"{role}: {source.name}")

    def _candidates(self, role: str, source: ForceSource) -> list[Candidate]:
        """Return the units that a side may take.

        Units that cannot come near an objective, and ``kept_away`` arms, are taken only if nothing else is left.
        """
        moving = must_move(role, self.mission)
        found = candidates(source.force, self.scenario_tables, self.battle["counts"], moving=moving)
        near = units_near(source.force, *self.crossings.get(role, (0, 0)))
        found = [candidate for candidate in found if candidate.name in near] or found
        return [candidate for candidate in found if candidate.arm not in self.kept_away] or found

    def _serves(self, role: str, source: ForceSource) -> bool:
        """Return whether a sample has enough units, and every arm that the mission needs."""
        candidates = self._candidates(role, source)
        needs = self.mission[NEEDS[role]] or ()
        if not set(needs) <= {candidate.arm for candidate in candidates}:
            return False
        chosen = choose(candidates, self.targets[role], self.battle["units"], self.arms, needs, Chance(self.seed))
        return not chosen.short and not chosen.lacking

    def _balanced(self, drawn: Sequence[_Draw]) -> tuple[Sequence[_Draw], Fraction]:
        """Return draws whose expected exchange fits the mission's ratio, and by how much they differ.

        One side has the full size. Sizes next to the mission's ratio are tried first. The first draws that differ by at
        most ``UNEQUAL`` are returned, otherwise those that differ least.
        """
        matchup = Matchup(drawn[0].source.force, drawn[1].source.force)
        reach = [self._draw(*draw[:3], self.size).chosen.total for draw in drawn]
        sizes = [pair for pair in product(*(range(1, most + 1) for most in reach)) if max(pair) == max(reach)]
        sizes.sort(key=lambda pair: sum(abs(size - draw.target) for size, draw in zip(pair, drawn, strict=True)))
        best: tuple[Sequence[_Draw], Fraction] | None = None
        for pair in sizes:
            several = [self._several(draw, size) for draw, size in zip(drawn, pair, strict=True)]
            for draws in product(*several):
                exchange = matchup.compare(*(draw.names for draw in draws))
                if exchange is None:
                    return self._evened(drawn), Fraction(0)
                difference = exchange.difference(self.mission["attacker"], self.mission["defender"])
                if best is None or difference < best[1]:
                    best = draws, difference
                if difference <= UNEQUAL:
                    return best
        return best or (self._evened(drawn), Fraction(0))

    def _tell_balance(self, draws: Sequence[_Draw], difference: Fraction) -> None:
        """Record where sides without points are smaller than asked for, or differ by too much."""
        if self.battle["counts"] != ELEMENTS:
            return
        counted, full = self.battle["name"], max(draw.chosen.total for draw in draws)
        if full < self.size and not any(draw.chosen.short for draw in draws):
            told = f"{_many(full, counted)} instead of {self.size:,}: neither force has more"
            self.scenario_tables.admit("Balance", "Balance", told, f"ask for fewer {counted}, or bring larger forces")
        if difference > UNEQUAL:
            told = f"no units of these forces come nearer to an even fight: the sides differ by {percent(difference)}"
            self.scenario_tables.admit("Balance", "Balance", told, "ask for another size, or bring other forces")

    def _several(self, draw: _Draw, size: int) -> list[_Draw]:
        """Return different draws of exactly this size that meet as many needs of the mission."""
        draws = (self._draw(*draw[:3], size, first) for first in range(1, _DRAWS + 1))
        fit = [
            item for item in draws if item.chosen.total == size and len(item.chosen.lacking) <= len(draw.chosen.lacking)
        ]
        return list({frozenset(item.names): item for item in fit}.values())

    def _draw(self, role: str, name: str, source: ForceSource, target: int, first: int = 1) -> _Draw:
        """Draw units for a side until they keep the rules for a whole force, at most ``_TRIES`` times.

        ``first`` is the first of these tries: another number gives another draw.
        """
        candidates, needs = self._candidates(role, source), self.mission[NEEDS[role]] or ()
        for attempt in range(1, _TRIES + 1):
            chance = Chance(self.seed, "units", role, first + attempt - 1)
            chosen = choose(candidates, target, self.battle["units"], self.arms, needs, chance)
            force = source.chosen(choice.unit.name for choice in chosen.choices)
            if is_lawful(force):
                break
        return _Draw(role, name, source, chosen, attempt, force, target)

    def _evened(self, drawn: Sequence[_Draw]) -> list[_Draw]:
        """Return both draws at the mission's ratio. If a side has too few units, the other side's target is reduced."""
        short = [draw for draw in drawn if draw.chosen.short]
        if not short:
            return [*drawn]
        weak = min(short, key=lambda item: Fraction(item.chosen.total, item.target))
        has = weak.chosen.total

        def evened(draw: _Draw) -> _Draw:
            """Return a draw, or a smaller draw for the side that is too strong."""
            if draw is weak:
                return draw._replace(target=has)
            fair = min(
                _share(has, self.mission[draw.role], self.mission[weak.role], self.battle["counts"]), draw.target
            )
            if fair == draw.target:
                return draw
            again = self._draw(draw.role, draw.name, draw.source, fair) if draw.chosen.total > fair else draw
            told = f"{_many(fair, self.battle['name'])} instead of {draw.target:,} beside the {has:,} of {weak.name}"
            if not again.chosen.choices or len(again.chosen.lacking) > len(draw.chosen.lacking):
                return draw._replace(cut=f"{told} would keep the ratio of the mission, and nothing so small will do")
            return again._replace(target=fair, cut=f"{told}: the ratio of the mission is kept")

        return [evened(draw) for draw in drawn]

    def _levy(self, drawn: _Draw) -> DrawnForce:
        """Return the force of a draw, and record the draw."""
        self._tell(drawn)
        source = drawn.source
        said = source.said(drawn.force)
        return DrawnForce(drawn.role, drawn.name, drawn.target, drawn.force, said, drawn.names, source.file.place)

    def _nothing(self, role: str, source: ForceSource) -> Problem:
        """Return S220 for a source without a unit that is small enough, or without any unit that can be used."""
        candidates = self._candidates(role, source)
        expected, counted = f"units for the {role}", self.battle["name"]
        if not candidates:
            return stands_still(role, source.force, self.scenario_tables, source.file.place, kept=False)
        target, least = self.targets[role], min(candidates, key=lambda candidate: candidate.size)
        hint = f"ask for more, or bring smaller units: {least.name}, the smallest, has {_many(least.size, counted)}"
        span = Span("command line", 1, 1, str(self.size))
        found = f"nothing for {_many(target, counted)} in {source.name}"
        if target != self.size:
            found += f"; {self.mission['name']} gives the {role} {target:,} of {self.size:,}"
        return Problem("S220", span, expected, found, hint=hint)

    def _tell(self, drawn: _Draw) -> None:
        """Record why each unit was taken, and where the force falls short of what was asked for."""
        name, chosen = drawn.name, drawn.chosen
        if drawn.attempt > 1:
            self.scenario_tables.record(
                f"Units of {name}", drawn.attempt, "drawn again: the rules of a whole force were broken"
            )
        counted = self.battle["name"]
        for choice in chosen.choices:
            arm = self.arms[choice.need].name if choice.need in self.arms else choice.need
            why = f"for the mission: {arm}" if choice.need else f"drawn {_nth(choice.drawn)}"
            told = (
                f"{choice.unit.name}: {why}, {_many(choice.unit.size, counted)}, brings the total to {choice.total:,}"
            )
            self.scenario_tables.record(f"Units of {name}", choice.drawn, told)
        fewer = f"ask for fewer {counted}, or bring a force with more units"
        if drawn.cut:
            self.scenario_tables.admit(f"Units of {name}", name, drawn.cut, fewer)
        if chosen.short:
            told = f"no units of this force come nearer to {_many(chosen.target, counted)} than {chosen.total:,}"
            alone = "each of its designs counts as one unit: write units: into the force, of several elements each"
            self.scenario_tables.admit(f"Units of {name}", name, told, fewer if drawn.source.force.units else alone)
        miss(self.scenario_tables, name, chosen.lacking)


def _many(number: int, counted: str) -> str:
    """Return a number with the word for what a game counts, singular or plural.

    >>> _many(1, "points"), _many(1200, "points")
    ('1 point', '1,200 points')
    """
    return f"{number:,} {counted.removesuffix('s') if number == 1 else counted}"


def _nth(number: int) -> str:
    """Return an ordinal number.

    >>> [_nth(one) for one in (1, 2, 3, 4, 11, 12, 13, 21, 102, 111)]
    ['1st', '2nd', '3rd', '4th', '11th', '12th', '13th', '21st', '102nd', '111th']
    """
    teen = number // 10 % 10 == 1
    return f"{number}{'th' if teen else {1: 'st', 2: 'nd', 3: 'rd'}.get(number % 10, 'th')}"
