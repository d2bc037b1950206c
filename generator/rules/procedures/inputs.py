"""Inputs of a procedure: which of them apply, and the defaults of the inputs that a question leaves out."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from generator.problems import Problem, ProblemsError, Span
from generator.rules.entries.choices import spell_value
from generator.rules.formulas.errors import FormulaUseError

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    from generator.rules.procedures.procedure import Input, Procedure


def complete_one(
    procedure: Procedure,
    inputs: Mapping[str, Any],
    spans: Mapping[str, Span],
    problems: list[Problem],
    passed_over: Collection[str] = (),
    end: Span | None = None,
) -> dict[str, Any]:
    """Return the inputs that apply, in the procedure's order and with defaults.

    The condition (``when``) of an input reads the inputs before it.

    Inputs of ``passed_over`` that do not apply are left out. Adds R314 for a missing input (at ``end``, else at
    the end of the line) and R316 for any other input that does not apply.
    """
    complete: dict[str, Any] = {}
    missing = False
    for item in procedure.inputs:
        try:
            applies = is_asked(procedure, item, complete)
        except ProblemsError:
            if missing:
                continue  # its condition may read the missing input
            raise
        if item.name in inputs:
            if applies:
                complete[item.name] = inputs[item.name]
            elif item.name not in passed_over:
                problems.append(does_not_apply(item, spans.get(item.name, Span("command line"))))
        elif applies and item.required:
            hint = f"{item.label}: {item.choice.spell()}"
            problems.append(Problem("R314", end or _end(spans), f"{item.name}=...", "nothing", item.name, hint))
            missing = True
        elif applies:
            complete[item.name] = item.default
    return complete


def _end(spans: Mapping[str, Span]) -> Span:
    """Return the place after the last word of the command line."""
    span = next(iter(spans.values()), Span("command line"))
    return Span(span.file, 1, max(1, len(span.text) + 1), span.text)


def does_not_apply(item: Input, span: Span) -> Problem:
    """Return R316 for an input that does not apply with the other inputs as given; the hint has its condition."""
    hint = f"leave it out: it applies only when {item.when.text}" if item.when else ""
    return Problem("R316", span, "an input that applies here", item.name, item.name, hint)


def complete_inputs(
    procedure: Procedure, inputs: Mapping[str, Any], passed_over: Collection[str] = ()
) -> dict[str, Any]:
    """Return the inputs that apply, with defaults for the others, as ``complete_one`` does.

    Raises ProblemsError: R314 for a missing input, R316 for an input that does not apply and is not ``passed_over``.
    """
    problems: list[Problem] = []
    complete = complete_one(procedure, inputs, {}, problems, passed_over)
    if problems:
        raise ProblemsError(*problems)
    return complete


def no_answer(procedure: Procedure, inputs: Mapping[str, Any], error: FormulaUseError) -> ProblemsError:
    """Return an error with R241: the rule data has no answer for these inputs.

    The problem points at the formula that failed, or at the procedure if the formula is not known.
    """
    found = f"{error} ({spell_inputs(inputs)})"
    hint = error.hint or "add a case or row for this combination of inputs"
    place = error.place or procedure.place
    return ProblemsError(place.problem("R241", "an answer", found, hint))


def is_asked(procedure: Procedure, item: Input, inputs: Mapping[str, Any]) -> bool:
    """Return whether an input applies, given the inputs before it.

    Raises ProblemsError (R241) if its condition has no answer.
    """
    try:
        return item.when is None or item.when.holds({**procedure.names, **inputs})
    except FormulaUseError as error:
        raise no_answer(procedure, inputs, error) from error


def spell_inputs(inputs: Mapping[str, Any]) -> str:
    """Return inputs as a user writes them in a question.

    >>> spell_inputs({"wall": 2, "aimed": False})
    'wall=2 aimed=no'
    """
    return " ".join(f"{name}={spell_value(value)}" for name, value in inputs.items())
