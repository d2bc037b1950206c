"""Questions to procedures about firer and target, and designs as targets."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeAlias

from generator.forces.card_values import entries, holds, no_figure
from generator.rules.formulas.errors import FormulaUseError
from generator.rules.procedures.answers import Answer, answer
from generator.rules.procedures.inputs import complete_one

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from generator.forces.force import Design, Force
    from generator.problems import Problem
    from generator.rules.cards.card import Card
    from generator.rules.entries.compiled import Compiled
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
    try:
        return {name: formula(values) for name, formula in card.target} if holds(card.aimed_at, values) else None
    except FormulaUseError as error:
        raise no_figure(error, card.place, f"{design.name} as a target") from None


def every_guise(force: Force) -> set[str]:
    """Return the guises of all designs of a force."""
    designs = ((design, force.rules.cards.get(design.kind.id)) for design in force.designs)
    return {
        guise.guise
        for design, card in designs
        for guise in (card.guises if card is not None else ())
        if holds(guise.when, design.priced.values)
    }


def asked_at_guises(force: Force, enemies: Iterable[Force]) -> Iterator[str]:
    """Yield the procedures that the force's cards ask about enemy designs with a guise. A procedure may come twice."""
    there = set[str]().union(*map(every_guise, enemies))
    for design in force.designs:
        card = force.rules.cards.get(design.kind.id)
        for odds, table in odds_at_guises(card) if card is not None else ():
            if odds.at is not None and odds.at.guise in there and any(entries(design, table)):
                yield odds.procedure.id


def odds_at_guises(card: Card) -> Iterator[tuple[Compiled, Compiled]]:
    """Yield the odds of a card at targets with a guise, each with its table."""
    for table in card.tables:
        if table.odds is not None and table.odds.at is not None and table.odds.at.guise:
            yield table.odds, table


def asked(procedure: Procedure, known_inputs: Mapping[str, Any], known: Known) -> Answer | None:
    """Return a procedure's answer for the inputs that the procedure needs; ``known`` stores answers.

    Return None if an input is missing or unknown to the rules.
    """
    given = {item.name: known_inputs[item.name] for item in procedure.inputs if item.name in known_inputs}
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
