"""Inputs of a procedure: which of them are asked for, and what stands for those that were not given."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from generator.errors import ProblemsError
from generator.problems import Problem, Span
from generator.rules.formulas.errors import FormulaUseError

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    from generator.rules.procedures.procedure import Input, Procedure


def complete_one(
    procedure: Procedure,
    given: Mapping[str, Any],
    spans: Mapping[str, Span],
    problems: list[Problem],
    passed_over: Collection[str] = (),
    end: Span | None = None,
) -> dict[str, Any]:
    """All inputs in the procedure's order, defaults filled in; each ``when`` sees the inputs before it.

    Those of ``passed_over`` may be given where they do not apply. R314 (at ``end``, else at the end of the line) and
    R316 are added to the problems.
    """
    complete: dict[str, Any] = {}
    missing = False
    for item in procedure.inputs:
        try:
            asked = is_asked(procedure, item, complete)
        except ProblemsError:
            if missing:
                continue  # whether it is asked for depends on an input that is missing
            raise
        if item.name in given:
            if asked:
                complete[item.name] = given[item.name]
            elif item.name not in passed_over:
                problems.append(does_not_apply(item, spans.get(item.name, Span("command line"))))
        elif asked and item.required:
            hint = f"{item.label}: {item.choice.spell()}"
            problems.append(Problem("R314", end or _end(spans), f"{item.name}=...", "nothing", item.name, hint))
            missing = True
        elif asked:
            complete[item.name] = item.default
    return complete


def _end(spans: Mapping[str, Span]) -> Span:
    span = next(iter(spans.values()), Span("command line"))
    return Span(span.file, 1, max(1, len(span.text) + 1), span.text)


def does_not_apply(one: Input, span: Span) -> Problem:
    """R316: an input that is not asked for with the others as they are."""
    hint = f"it is asked for only when {one.when.text}" if one.when else ""
    return Problem("R316", span, "no such input here", one.name, one.name, hint)


def complete_inputs(procedure: Procedure, given: Mapping[str, Any]) -> dict[str, Any]:
    """Typed values with the defaults of the others filled in. Raises ProblemsError as ``ask`` does."""
    problems: list[Problem] = []
    complete = complete_one(procedure, given, {}, problems)
    if problems:
        raise ProblemsError(*problems)
    return complete


def no_answer(procedure: Procedure, inputs: Mapping[str, Any], error: FormulaUseError) -> ProblemsError:
    """R241: the rule data has no answer for these inputs. It points at the formula where that is known."""
    found = f"{error} ({spell_inputs(inputs)})"
    hint = error.hint or "the rule data must cover every combination of inputs"
    place = error.place or procedure.place
    return ProblemsError(place.problem("R241", found=found, expected="an answer", hint=hint))


def is_asked(procedure: Procedure, one: Input, given: Mapping[str, Any]) -> bool:
    """Whether an input is asked for, as the inputs before it are. Raises ProblemsError (R241)."""
    try:
        return one.when is None or one.when.holds({**procedure.names, **given})
    except FormulaUseError as error:
        raise no_answer(procedure, given, error) from error


def spell_inputs(inputs: Mapping[str, Any]) -> str:
    """Inputs as a question says them.

    >>> spell_inputs({"wall": 2, "aimed": False})
    'wall=2 aimed=no'
    """
    words = {True: "yes", False: "no"}
    return " ".join(f"{name}={words[value] if isinstance(value, bool) else value}" for name, value in inputs.items())
