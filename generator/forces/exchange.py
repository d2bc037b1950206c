"""The expected exchange of two forces: the share of the enemy that each puts out of action in one round of fire.

Each element fires its best weapon once, at an enemy element chosen at random, at the range of the rules' ``duels``.
"""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple

from generator.forces.card_values import holds, label, no_figure, with_let
from generator.forces.force import Design, Force, Unit
from generator.forces.target_profiles import Known, asked, target_inputs
from generator.rules.formulas.errors import FormulaUseError

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping, Sequence

    from generator.forces.context import Values
    from generator.rules.entries.compiled import Compiled


class Shot(NamedTuple):
    """One way in which a design fires."""

    design: Design
    name: str
    duel: Compiled
    values: Values

    def chance(self, target: Mapping[str, Any], known: Known) -> Fraction | None:
        """Return the chance to settle a target; None if the rules have no answer. ``known`` stores answers."""
        whole = Fraction(1)
        for ask in self.duel.asks:
            given = {name: formula(self.values) for name, formula in ask.inputs}
            answer = asked(ask.procedure, {**target, **given}, known)
            if answer is None:
                return None
            whole *= answer.chance(*ask.chance)
        return whole


class Target(NamedTuple):
    """A target: designs with equal inputs for procedures."""

    names: tuple[str, ...]
    inputs: Mapping[str, Any]

    @property
    def label(self) -> str:
        """The first name, and the count of further names."""
        more = len(self.names) - 1
        return self.names[0] + (f" and {more} more" if more else "")


def shots(force: Force, fixed: Mapping[str, Any] = MappingProxyType({})) -> Iterator[Shot]:
    """Yield the ways in which a force fires, the designs with the highest total points or count first.

    ``fixed`` gives values to names of the cards' shots, such as another range band.
    """
    for design in _by_weight(force):
        card = force.rules.cards.get(design.kind.id)
        names: dict[str, Shot] = {}
        for duel in card.duels if card is not None else ():
            for here in design.priced.values.entries(duel.each, duel.join):
                if holds(duel.when, here):
                    inside = with_let(duel.let, here, fixed)
                    name = label(duel.name, design, duel.each, inside)
                    names.setdefault(name, Shot(design, name, duel, inside))
        yield from names.values()


def targets(force: Force) -> Sequence[Target]:
    """Return the targets of a force, the designs with the highest total points or count first.

    Designs with equal inputs are one target. Designs that cannot be targets are left out.
    """
    merged: list[Target] = []
    for design in _by_weight(force):
        inputs = target_inputs(force, design)
        same = next((index for index, item in enumerate(merged) if item.inputs == inputs), None)
        if same is not None:
            merged[same] = merged[same]._replace(names=(*merged[same].names, design.name))
        elif inputs is not None:
            merged.append(Target((design.name,), inputs))
    return merged


def _by_weight(force: Force) -> Sequence[Design]:
    """Return the fielded designs, the most expensive in total first; without points, the most numerous first.

    If the force fields nothing, every design counts once.
    """
    counts = force.counts
    designs = [design for design in force.designs if design.name in counts or not counts]

    def weight(design: Design) -> tuple[Fraction | int, int]:
        count = counts.get(design.name, 1)
        return -(design.points or 0) * count, -count

    return sorted(designs, key=weight)


class Exchange(NamedTuple):
    """Two groups of units compared, the first group first."""

    elements: tuple[int, int]
    hits: tuple[Fraction, Fraction]
    """The expected hits of each group in a round."""

    @property
    def shares(self) -> tuple[Fraction, Fraction]:
        """The share of the enemy's elements that each group hits in a round."""
        return self.hits[0] / self.elements[1], self.hits[1] / self.elements[0]

    def weighed(self, first: int, second: int) -> tuple[Fraction, Fraction]:
        """Return the shares, weighted so that they are equal for equal troops in the ratio ``first`` to ``second``."""
        return self.shares[0] * second**2, self.shares[1] * first**2

    def difference(self, first: int, second: int) -> Fraction:
        """Return how much weaker the weaker group is than the stronger group, as a part of 1.

        ``first`` to ``second`` is the ratio that the groups should have. Equal troops in this ratio differ by 0. Their
        shares are in the square of the ratio, because more elements fire and each element is less of the group. Groups
        that cannot hit each other differ by 1, because nothing is known about them.
        """
        mine, theirs = self.weighed(first, second)
        strong = max(mine, theirs)
        return 1 - min(mine, theirs) / strong if strong else Fraction(1)


class Matchup:
    """Compares units of two forces; each chance is computed once."""

    def __init__(self, first: Force, second: Force, known: Known) -> None:
        """``known`` stores answers of the rules. Raises ProblemsError (R241) if a formula of a card has no answer."""
        self.units = _elements_of(first), _elements_of(second)
        try:
            self.chances = _best_chances(first, second, known), _best_chances(second, first, known)
        except FormulaUseError as error:
            raise no_figure(error, first.place, "the balance of the sides") from None

    def compare(self, mine: Collection[str], theirs: Collection[str]) -> Exchange | None:
        """Return the exchange of the named units of both forces; None if the rules have no odds for the two forces."""
        if not any(self.chances):
            return None
        group = sum((self.units[0][name] for name in mine), Counter[str]())
        other = sum((self.units[1][name] for name in theirs), Counter[str]())
        mine_hit, they_hit = self.chances
        hits = _hits(group, other, mine_hit), _hits(other, group, they_hit)
        return Exchange((group.total(), other.total()), hits)


def _elements_of(force: Force) -> dict[str, Counter[str]]:
    """Return the count of elements of each design in each unit.

    In a force without units, each design is a unit of one element.
    """
    return {
        unit.name: Counter(
            {entry.design.name: entry.count for entry in unit.of} if isinstance(unit, Unit) else [unit.name]
        )
        for unit in force.units or force.designs
    }


def _best_chances(firing: Force, fired_at: Force, known: Known) -> dict[tuple[str, str], Fraction]:
    """Return the best chance of each firing design to settle each target design; pairs without odds are left out."""
    best: dict[tuple[str, str], Fraction] = {}
    aims = targets(fired_at)
    for shot in shots(firing):
        for target in aims:
            chance = shot.chance(target.inputs, known)
            if chance is not None:
                for name in target.names:
                    pair = shot.design.name, name
                    best[pair] = max(best.get(pair, chance), chance)
    return best


def _hits(firing: Counter[str], fired_at: Counter[str], chances: Mapping[tuple[str, str], Fraction]) -> Fraction:
    """Return the expected hits of one round; each element fires at an enemy element chosen at random."""
    hits = sum(
        count * others * chances.get((name, other), Fraction(0))
        for name, count in firing.items()
        for other, others in fired_at.items()
    )
    return Fraction(hits, fired_at.total())
