"""The ways in which a force fires, and its designs as targets: questions with exact odds."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Any, NamedTuple

from generator.forces.card_values import holds, label, learned
from generator.forces.target_profiles import asked, target_inputs

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from generator.forces.context import Values
    from generator.forces.force import Design, Force
    from generator.forces.target_profiles import Known
    from generator.rules.cards.card import Question
    from generator.rules.cards.compiled import Compiled


class Shot(NamedTuple):
    """One way in which a design fires."""

    design: Design
    name: str
    duel: Compiled
    values: Values

    def chance(self, target: Mapping[str, Any], known: Known) -> Fraction | None:
        """Return the chance to settle a target; None if there is no answer. ``known`` stores answers."""
        whole = Fraction(1)
        for ask in self.duel.asks:
            chance = _asked(ask, self.values, target, known)
            if chance is None:
                return None
            whole *= chance
        return whole


class Target(NamedTuple):
    """A target: designs with equal inputs for procedures."""

    names: tuple[str, ...]
    inputs: Mapping[str, Any]

    @property
    def told(self) -> str:
        """The first name, and the number of further names."""
        more = len(self.names) - 1
        return self.names[0] + (f" and {more} more" if more else "")


def shots(force: Force) -> Iterator[Shot]:
    """Yield the ways in which a force fires, the designs with the highest total points or number first."""
    for design in _by_weight(force):
        card = force.rules.cards.get(design.kind.id)
        names: dict[str, Shot] = {}
        for duel in card.duels if card is not None else ():
            for here in design.priced.values.entries(duel.each, duel.join):
                if holds(duel.when, here):
                    inside = learned(duel.let, here)
                    name = label(duel.name, design, duel.each, inside)
                    names.setdefault(name, Shot(design, name, duel, inside))
        yield from names.values()


def targets(force: Force) -> Sequence[Target]:
    """Return the targets of a force in the same order; designs with equal inputs are one target."""
    found: list[Target] = []
    for design in _by_weight(force):
        inputs = target_inputs(force, design)
        same = next((index for index, item in enumerate(found) if item.inputs == inputs), None)
        if same is not None:
            found[same] = found[same]._replace(names=(*found[same].names, design.name))
        elif inputs is not None:
            found.append(Target((design.name,), inputs))
    return found


def _by_weight(force: Force) -> Sequence[Design]:
    """Return the fielded designs, the most expensive in total first; without points, the most numerous first."""
    counts = force.counts
    designs = [design for design in force.designs if design.name in counts or not counts]

    def weight(design: Design) -> tuple[Fraction | int, int]:
        count = counts.get(design.name, 1)
        return -(design.points or 0) * count, -count

    return sorted(designs, key=weight)


def _asked(question: Question, own: Values, target: Mapping[str, Any], known: Known) -> Fraction | None:
    """Return the chance of the question; None if an input is missing or unknown to the rules."""
    given = {name: formula(own) for name, formula in question.inputs}
    found = asked(question.procedure, {**target, **given}, known)
    return None if found is None else Fraction(found.chance(*question.chance))
