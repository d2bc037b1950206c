"""What documents ask of the odds: a design as a target, and a question with what is known of both sides."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeAlias

from generator.documents.figures import holds
from generator.forces.designs import Partial
from generator.rules.answers import answer
from generator.rules.formulas.errors import RefusedError
from generator.rules.kinds import UNIT
from generator.rules.questions import complete_one

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from generator.forces.force import Design, Force, Unit
    from generator.problems import Problem
    from generator.rules.answers import Answer
    from generator.rules.card import Guise
    from generator.rules.procedures import Procedure

Known: TypeAlias = "dict[tuple[Any, ...], Answer]"
"""Answers by procedure and inputs."""


def target_inputs(force: Force, design: Design) -> Mapping[str, Any] | None:
    """What procedures are told of a design that is fired at; None for one that is not."""
    card = force.rules.cards.get(design.kind.id)
    if card is None or not card.target or not holds(card.aimed_at, design.priced.values):
        return None
    try:
        return {name: formula(design.priced.values) for name, formula in card.target}
    except RefusedError:
        return None


def guises(force: Force, design: Design) -> Iterator[tuple[str, Mapping[str, Any], Sequence[str]]]:
    """What else than its ``target`` a design is aimed at as: the guise, what procedures are told, and in which units.

    The card of the unit adds what it tells under the same guise; what is the same in several units is told once.
    """
    card, of_unit = force.rules.cards.get(design.kind.id), force.rules.cards.get(UNIT)
    for guise in card.guises if card is not None else ():
        if not holds(guise.when, design.priced.values):
            continue
        found: dict[tuple[Any, ...], tuple[Mapping[str, Any], list[str]]] = {}
        for unit in force.units:
            if any(one.design.name == design.name for one in unit.of):
                its = [one for one in of_unit.guises if one.id == guise.id] if of_unit is not None else []
                told = _told(guise, design.priced.values)
                for one in its:
                    told |= _told(one, _values(force, unit))
                found.setdefault(tuple(told.items()), (told, []))[1].append(unit.name)
        yield from ((guise.id, told, units) for told, units in found.values())


def _values(force: Force, unit: Unit) -> Partial:
    """What a unit says of itself, without what was refused."""
    fields = force.rules.kinds[UNIT].fields
    return Partial(unit.values, [one.name for one in fields if one.name not in unit.values])


def _told(guise: Guise, values: Partial) -> dict[str, Any]:
    try:
        return {name: formula(values) for name, formula in guise.inputs}
    except RefusedError:
        return {}


def asked(procedure: Procedure, said: Mapping[str, Any], known: Known) -> Answer | None:
    """The answer for what is said of both sides, as far as the procedure asks for it; ``known`` learns it.

    None where an input is lacking, or is nothing that the rules know.
    """
    given = {one.name: said[one.name] for one in procedure.inputs if one.name in said}
    if any(one.name in given and given[one.name] not in one.choice.values for one in procedure.inputs):
        return None
    problems: list[Problem] = []
    inputs = complete_one(procedure, given, {}, problems, passed_over=list(given))
    if problems:
        return None
    key = (procedure.id, *inputs.values())
    if key not in known:
        known[key] = answer(procedure, inputs, whole=False)
    return known[key]
