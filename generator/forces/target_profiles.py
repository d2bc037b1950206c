"""Questions to procedures about firer and target, and designs as targets."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, TypeAlias

from generator.forces.card_values import holds, no_figure
from generator.rules.entries.kinds import UNIT
from generator.rules.formulas.errors import FormulaUseError
from generator.rules.procedures.answers import answer
from generator.rules.procedures.inputs import complete_one

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from generator.forces.force import Design, Force, Unit
    from generator.problems import Problem
    from generator.rules.cards.card import Card, Guise
    from generator.rules.formulas.compiler import Formula
    from generator.rules.procedures.answers import Answer
    from generator.rules.procedures.procedure import Procedure

Known: TypeAlias = "dict[tuple[Any, ...], Answer]"
"""Answers by procedure and inputs."""


def target_inputs(force: Force, design: Design) -> Mapping[str, Any] | None:
    """Return the inputs of a design as a target; None for a design that cannot be a target.

    Raises ProblemsError (R241) if a formula of its card has no answer.
    """
    card = force.rules.cards.get(design.kind.id)
    if card is None or not card.target:
        return None
    values = design.priced.values
    with _placed(card, design.name):
        return _told(card.target, values) if holds(card.aimed_at, values) else None


def guises(force: Force, design: Design) -> Iterator[tuple[str, Mapping[str, Any], Sequence[str]]]:
    """Yield the other targets that a design is aimed at as: the guise, the inputs for procedures, and the units.

    The card of the unit adds its inputs under the same guise; equal inputs of several units are yielded once. Raises
    ProblemsError (R241) where a formula of a card has no answer.
    """
    card = force.rules.cards.get(design.kind.id)
    units = [unit for unit in force.units if any(item.design.name == design.name for item in unit.of)]
    for guise in card.guises if card is not None else ():
        with _placed(guise, design.name):
            if not holds(guise.when, design.priced.values):
                continue
            own = _told(guise.inputs, design.priced.values)
        found: dict[tuple[Any, ...], tuple[Mapping[str, Any], list[str]]] = {}
        for unit in units:
            told = own | _told_of_unit(force, unit, guise.id)
            found.setdefault(tuple(told.items()), (told, []))[1].append(unit.name)
        yield from ((guise.id, told, named) for told, named in found.values())


def _told_of_unit(force: Force, unit: Unit, wanted: str) -> dict[str, Any]:
    """Return the inputs of a unit's card under a guise."""
    card = force.rules.cards.get(UNIT)
    guise = next((guise for guise in card.guises if guise.id == wanted), None) if card is not None else None
    if guise is None:
        return {}
    with _placed(guise, unit.name):
        return _told(guise.inputs, unit.values)


@contextmanager
def _placed(part: Card | Guise, name: str) -> Iterator[None]:
    """Raise ProblemsError (R241) at the card or guise if a formula in the block has no answer."""
    try:
        yield
    except FormulaUseError as error:
        raise no_figure(error, part.place, f"{name} as a target") from None


def _told(inputs: Sequence[tuple[str, Formula]], values: Mapping[str, Any]) -> dict[str, Any]:
    """Return the values of the formulas by name."""
    return {name: formula(values) for name, formula in inputs}


def asked(procedure: Procedure, said: Mapping[str, Any], known: Known) -> Answer | None:
    """Return a procedure's answer for the inputs that it needs; ``known`` stores answers.

    Return None if an input is missing or unknown to the rules.
    """
    given = {item.name: said[item.name] for item in procedure.inputs if item.name in said}
    if any(item.name in given and given[item.name] not in item.choice.values for item in procedure.inputs):
        return None
    problems: list[Problem] = []
    inputs = complete_one(procedure, given, {}, problems, passed_over=list(given))
    if problems:
        return None
    key = (procedure.id, *inputs.values())
    if key not in known:
        known[key] = answer(procedure, inputs, whole=False)
    return known[key]
