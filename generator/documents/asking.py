"""What documents ask of the odds: a design as a target, and a question with what is known of both sides."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeAlias

from generator.documents.figures import holds
from generator.rules.answers import answer
from generator.rules.formulas.errors import RefusedError
from generator.rules.questions import complete_one

if TYPE_CHECKING:
    from collections.abc import Mapping

    from generator.forces.force import Design, Force
    from generator.problems import Problem
    from generator.rules.answers import Answer
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
