"""List and load the procedures with odds, and return odds as data of the JSON contract."""

from __future__ import annotations

from dataclasses import replace
from operator import attrgetter
from typing import TYPE_CHECKING, Any

from generator.commands.access import Data, load_valid, unknown
from generator.errors import ProblemsError
from generator.problems import refused
from generator.rules.load.load import ALL

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from fractions import Fraction

    from generator.rules.procedures.answers import Answer
    from generator.rules.procedures.procedure import Procedure
    from generator.rules.source.library import Library


def list_procedures(library: Library, name: str) -> Data:
    """Return the procedures of a rule set that have odds, with their inputs and allowed values."""
    loaded = load_valid(library, name, only=[("procedures", ALL)]).procedures.values()
    procedures = sorted(loaded, key=attrgetter("id"))
    return {"ruleset": name, "procedures": [_describe(procedure) for procedure in procedures if procedure.cases]}


def _describe(procedure: Procedure) -> Data:
    inputs = []
    for item in procedure.inputs:
        default = None if item.required else item.default
        when = item.when.text if item.when else ""
        inputs.append(
            {"input": item.name, "label": item.label, "allowed": item.choice.spell(), "default": default, "when": when}
        )
    outcomes = [outcome.id for outcome in procedure.outcomes]
    return {"procedure": procedure.id, "title": procedure.title, "inputs": inputs, "outcomes": outcomes}


def load_procedure(library: Library, name: str, procedure_id: str, inputs: Sequence[str]) -> Procedure:
    """Return a procedure with dice, or the procedure that replaces it, if the replacement takes these ``inputs``.

    Answers of a replacement have a note. Raises ProblemsError: the problems of the rule set, or R318. R318 means that
    there is no such procedure, that it has no dice, or that its replacement needs other inputs.
    """
    ruleset = load_valid(library, name, only=[("procedures", procedure_id)])
    procedure = ruleset.procedure(procedure_id)
    if procedure is None:
        ids = {text for folder in ruleset.chain for text in folder.ids("procedures")}
        raise ProblemsError(unknown("R318", "procedure", procedure_id, sorted(ids - ruleset.replaced.keys())))
    if not procedure.cases:
        found = f"{procedure_id}, which has steps but no dice"
        hint = f"read them: fieldpress rules {name} {procedure_id}"
        raise ProblemsError(
            refused("R318", f"{name}/{procedure_id}", "a procedure with dice", found, hint, "procedure")
        )
    return procedure if procedure.id == procedure_id else _answering(procedure, name, procedure_id, inputs)


def _answering(procedure: Procedure, name: str, replaced: str, inputs: Sequence[str]) -> Procedure:
    """Return a replacement with a note that it replaces the procedure ``replaced``.

    Raises ProblemsError (R318) if the replacement does not take these ``inputs``, or needs others.
    """
    from generator.rules.procedures.procedure import Remark

    inputs_named = [procedure.find_input(text) for text in inputs]
    missing = [item for item in procedure.inputs if item.required and item.when is None and item not in inputs_named]
    if None in inputs_named or missing:
        expected = "a procedure that holds in this rule set"
        found = f"{replaced}, which {procedure.id} of {procedure.owner} replaces"
        hint = f"ask {name}/{procedure.id} with {', '.join(item.name for item in procedure.inputs)}"
        raise ProblemsError(refused("R318", f"{name}/{replaced}", expected, found, hint, "procedure"))
    note = f"{procedure.id} of {procedure.owner} answers: it replaces {replaced}"
    return replace(procedure, remarks=(Remark(None, note), *procedure.remarks))


def cell_data(procedure: Procedure, answer: Answer) -> Data:
    """Return the odds of one combination of inputs as data of the JSON contract.

    A figure that cannot occur has an empty list.
    """
    return {
        "inputs": inputs_data(answer.inputs),
        "outcomes": [{"outcome": item.id, **probability_data(chance)} for item, chance in answer.outcomes],
        "marginals": [{"event": name, **probability_data(chance)} for name, chance in answer.events.items()],
        "distributions": dict.fromkeys(procedure.figures("numbers", "which"), ())
        | {
            name: [
                {"value": figure_data(value), **probability_data(distribution.probability(value))}
                for value, _ in sorted(distribution.weights, key=by_value)
            ]
            for name, distribution in (*answer.numbers.items(), *answer.which.items())
        },
        "means": {name: str(numbers.mean()) for name, numbers in answer.numbers.items()},
        "notes": list(answer.notes),
    }


def inputs_data(inputs: Mapping[str, Any]) -> Data:
    """Return inputs as data of the JSON contract: numbers, words, true and false."""
    return {name: value if isinstance(value, bool) else figure_data(value) for name, value in inputs.items()}


def by_value(weighed: tuple[Any, int]) -> list[tuple[bool, Any, str]]:
    """Return a sort key for weighted values: numbers by size, then all other values."""
    values = weighed[0] if isinstance(weighed[0], tuple) else (weighed[0],)
    texts = [value is None or isinstance(value, str) for value in values]
    return [(text, 0 if text else value, str(value)) for text, value in zip(texts, values, strict=True)]


def figure_data(value: Any) -> Any:
    """Return a figure as data of the JSON contract: a whole number, a text or a list. None becomes ``none``."""
    if isinstance(value, tuple):
        return [*map(figure_data, value)]
    return value if isinstance(value, int) else "none" if value is None else str(value)


def probability_data(chance: Fraction) -> Data:
    """Return a chance as data of the JSON contract: exact, and rounded."""
    return {"probability": str(chance), "decimal": decimal(chance)}


def decimal(number: Fraction) -> float:
    """Return a fraction as a decimal number rounded to six places, halves up.

    >>> from fractions import Fraction
    >>> decimal(Fraction(2, 3)), decimal(Fraction(-1, 3))
    (0.666667, -0.333333)
    """
    return ((number * 2_000_000 + 1) // 2) / 1_000_000
