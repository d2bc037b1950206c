"""What the cards of designs say: values of their parts, designs as targets, and the expected exchange of two forces.

The exchange is the share of the enemy that each force puts out of action in one round of fire. Each element fires its
best weapon once, at an enemy element chosen at random, at the range of the rules' ``duels``.
"""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from math import lcm
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple

from generator.forces.designs import COUNT
from generator.forces.force import Design, Force, Unit
from generator.forces.pricing import Values, filled
from generator.problems import Problem, ProblemsError
from generator.rules.formulas.errors import FormulaUseError
from generator.rules.procedures.answers import Answer, answer, complete_one

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

    from generator.rules.cards.card import Card
    from generator.rules.entries.compiled import Compiled
    from generator.rules.formulas.compiler import Formula
    from generator.rules.procedures.procedure import Procedure
    from generator.rules.source.parts import Place


def no_figure(error: FormulaUseError, place: Place, what: str) -> ProblemsError:
    """Return the error R241 for a formula without an answer; ``what`` says what its figure is for.

    An example of ``what`` is "the balance note". The problem is at the formula, or at ``place`` if the formula's place
    is not known.
    """
    return ProblemsError((error.place or place).problem("R241", "a figure to print", f"{error} ({what})", error.hint))


def holds(formula: Formula | None, values: Values) -> bool:
    """Return whether a condition holds; none is no. Return True without a condition.

    Raises FormulaUseError if the condition has no answer, or an answer that is not yes, no or none.
    """
    return formula is None or formula.holds(values)


def with_let(
    let: Iterable[tuple[str, Formula]], here: Values, fixed: Mapping[str, Any] = MappingProxyType({})
) -> Values:
    """Return a copy of the values with the names of ``let`` added, each computed by its formula, in order.

    A formula may read the names before it. A name of ``let`` that is in ``fixed`` has its value from there instead.
    Raises FormulaUseError if a formula has no result.
    """
    inside = here.copied()
    for name, formula in let:
        inside[name] = fixed[name] if name in fixed else formula(inside)
    return inside


def label(text: str, design: Design, each: str | None, values: Values) -> str:
    """Return a text with its placeholders filled in; a leading count of 1 is left out.

    ``each`` is the list field whose entry the ``values`` are about, None for the whole design. Raises KeyError for a
    placeholder without a value.
    """
    return filled(text, design.kind, each, values).removeprefix("1 × ")


def entries(design: Design, part: Compiled) -> Iterator[Values]:
    """Yield the values of each list entry for which a part of a card is printed.

    In a list with counts, entries that are equal otherwise become one entry with the sum of their counts. Without a
    list, the values of the design are the only entry. Entries that do not meet the part's condition are then left out.
    Raises FormulaUseError as ``holds`` does.
    """
    every: Iterable[Values] = design.priced.values.entries(part.each, part.join)
    field = design.kind.field(part.each) if part.each is not None else None
    names = [item.name for item in field.fields] if field is not None else []
    if COUNT in names:
        by_key: dict[tuple[Any, ...], Values] = {}
        for here in every:
            first = by_key.setdefault(tuple(here[name] for name in names if name != COUNT), here)
            if first is not here:
                first[COUNT] += here[COUNT]
        every = by_key.values()
    yield from (here for here in every if holds(part.when, here))


def target_inputs(force: Force, design: Design) -> Mapping[str, Any] | None:
    """Return the inputs of a design as a target; None for a design that cannot be a target.

    Raises ProblemsError (R241) if a formula of its card has no answer.
    """
    card = force.rules.cards.get(design.kind.id)
    if card is None or not card.target:
        return None
    values = design.priced.values
    try:
        return {name: formula(values) for name, formula in card.target} if holds(card.aimed_at, values) else None
    except FormulaUseError as error:
        raise no_figure(error, card.place, f"{design.name} as a target") from None


def asked_at_guises(force: Force, enemies: Iterable[Force]) -> Iterator[str]:
    """Yield the ids of the procedures that the force's cards ask about enemy designs with a guise.

    A guise is another way in which a design can be a target. An id may come twice. Raises FormulaUseError as ``holds``
    does.
    """
    there = {
        guise.guise
        for enemy in enemies
        for design in enemy.designs
        if (card := enemy.rules.cards.get(design.kind.id)) is not None
        for guise in card.guises
        if holds(guise.when, design.priced.values)
    }
    for design in force.designs:
        card = force.rules.cards.get(design.kind.id)
        for odds, table in odds_at_guises(card) if card is not None else ():
            if odds.at is not None and odds.at.guise in there and any(entries(design, table)):
                yield odds.procedure.id


def odds_at_guises(card: Card) -> Iterator[tuple[Compiled, Compiled]]:
    """Yield each odds of a card at targets with a guise, with the table of the card that has the odds."""
    for table in card.tables:
        if table.odds is not None and table.odds.at is not None and table.odds.at.guise:
            yield table.odds, table


def asked(procedure: Procedure, known_inputs: Mapping[str, Any]) -> Answer | None:
    """Return a procedure's answer for the known inputs that it needs; the answer has no figures.

    Return None if a required input is missing, or an input has a value that the rules do not know. Raises ProblemsError
    (R241) if the rules have no answer, such as when no case fits the inputs.
    """
    given = {item.name: known_inputs[item.name] for item in procedure.inputs if item.name in known_inputs}
    if any(item.name in given and given[item.name] not in item.choice.values for item in procedure.inputs):
        return None
    problems: list[Problem] = []
    inputs = complete_one(procedure, given, {}, problems, passed_over=list(given))
    return None if problems else answer(procedure, inputs, whole=False)


class Shot(NamedTuple):
    """One way in which a design fires."""

    design: Design
    name: str
    duel: Compiled
    values: Values

    def chance(self, target: Mapping[str, Any]) -> Fraction | None:
        """Return the chance of success at a target: the product of the chances of all procedures of the shot.

        ``target`` are the inputs of the target, as ``target_inputs`` returns them. None if a required input is
        missing, or an input has a value that the rules do not know. Raises ProblemsError (R241) if a procedure has no
        answer, such as when no case fits. Raises FormulaUseError if a formula of the shot has no answer.
        """
        whole = Fraction(1)
        for ask in self.duel.asks:
            given = {name: formula(self.values) for name, formula in ask.inputs}
            answer = asked(ask.procedure, {**target, **given})
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
        """The first name, and the count of further names, such as "Sledge and 2 more"."""
        more = len(self.names) - 1
        return self.names[0] + (f" and {more} more" if more else "")


def shots(force: Force, fixed: Mapping[str, Any] = MappingProxyType({})) -> Iterator[Shot]:
    """Yield the ways in which the designs in a force's units fire, beginning with the design whose copies cost most.

    All designs count if no unit has a design. A design has only the first of several ways with the same name. ``fixed``
    gives values to names of the cards' shots, such as another range band. Raises FormulaUseError if a formula of a card
    has no answer.
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
    """Return the targets among the designs in a force's units, those with the highest cost of all copies first.

    All designs count if no unit has a design. Designs with equal inputs are one target, in the place of the first of
    them. Raises ProblemsError (R241) if a formula of a card has no answer.
    """
    names: dict[tuple[tuple[str, Any], ...], list[str]] = {}
    for design in _by_weight(force):
        if (inputs := target_inputs(force, design)) is not None:
            names.setdefault((*inputs.items(),), []).append(design.name)
    return [Target(tuple(same), dict(inputs)) for inputs, same in names.items()]


def _by_weight(force: Force) -> Sequence[Design]:
    """Return the designs in units by the cost of all their copies, highest first; of equal cost, the most copies first.

    If no unit has a design, every design counts once.
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
    """The count of elements of each group."""
    hits: tuple[Fraction, Fraction]
    """The expected hits that each group scores in a round."""

    @property
    def shares(self) -> tuple[Fraction, Fraction]:
        """The expected hits of each group in a round, divided by the number of the enemy's elements."""
        return self.hits[0] / self.elements[1], self.hits[1] / self.elements[0]

    def difference(self, first: int, second: int) -> Fraction:
        """Return how much weaker the weaker group is than the stronger group, as a part of 1.

        ``first`` to ``second`` is the ratio that the groups should have. Equal troops in this ratio differ by 0. Their
        shares are in the square of the ratio, because more elements fire and each element is less of the group. Groups
        that cannot hit each other differ by 1, because nothing is known about them.
        """
        mine, theirs = self.shares[0] * second**2, self.shares[1] * first**2
        strong = max(mine, theirs)
        return 1 - min(mine, theirs) / strong if strong else Fraction(1)


class Matchup:
    """Compares units of two forces; each chance is computed once."""

    def __init__(self, first: Force, second: Force) -> None:
        """Compute the chances of both forces against each other.

        Raises ProblemsError (R241) if a formula of a card or a procedure has no answer.
        """
        self.units = _elements_of(first), _elements_of(second)
        try:
            chances = _best_chances(first, second), _best_chances(second, first)
        except FormulaUseError as error:
            raise no_figure(error, first.place, "the balance of the sides") from None
        self._whole = lcm(*(chance.denominator for best in chances for chance in best.values()))
        """The common denominator of all chances: whole numbers are added up much faster than fractions."""
        self.chances = [{pair: int(chance * self._whole) for pair, chance in best.items()} for best in chances]

    def compare(self, mine: Collection[str], theirs: Collection[str]) -> Exchange | None:
        """Return the exchange of the named units of both forces; None if the rules have no odds for the two forces.

        Both groups must have an element. Raises KeyError for a name that is not a unit of its force. In a force without
        units, the names are those of designs.
        """
        if not any(self.chances):
            return None
        group = sum((self.units[0][name] for name in mine), Counter[str]())
        other = sum((self.units[1][name] for name in theirs), Counter[str]())
        hits = _hits(group, other, self.chances[0]), _hits(other, group, self.chances[1])
        elements = group.total(), other.total()
        return Exchange(
            elements, (Fraction(hits[0], self._whole * elements[1]), Fraction(hits[1], self._whole * elements[0]))
        )


def _elements_of(force: Force) -> dict[str, Counter[str]]:
    """Return, by the name of each unit, the count of its elements of each design.

    In a force without units, each design is a unit of one element.
    """
    return {
        unit.name: Counter(
            [entry.design.name for entry in unit.of for _ in range(entry.count)]
            if isinstance(unit, Unit)
            else [unit.name]
        )
        for unit in force.units or force.designs
    }


def _best_chances(firing: Force, fired_at: Force) -> dict[tuple[str, str], Fraction]:
    """Return the best chance of success of each firing design at each target design, by the names of both.

    Pairs without odds are left out. Raises ProblemsError and FormulaUseError as ``targets``, ``shots`` and
    ``Shot.chance`` do.
    """
    best: dict[tuple[str, str], Fraction] = {}
    aims = targets(fired_at)
    for shot in shots(firing):
        for target in aims:
            chance = shot.chance(target.inputs)
            if chance is not None:
                for name in target.names:
                    pair = shot.design.name, name
                    best[pair] = max(best.get(pair, chance), chance)
    return best


def _hits(firing: Counter[str], fired_at: Counter[str], chances: Mapping[tuple[str, str], int]) -> int:
    """Return the sum of the hits of one round, if each element fires at each enemy element.

    Chances are whole numbers: they are multiplied by a common denominator, and so is the sum. A pair without a chance
    adds 0.
    """
    return sum(
        count * others * chances.get((name, other), 0)
        for name, count in firing.items()
        for other, others in fired_at.items()
    )
