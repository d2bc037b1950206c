"""Questions as people put them: ``key=value``, with ranges and lists for a grid."""

from __future__ import annotations

from difflib import get_close_matches
from itertools import product
from typing import TYPE_CHECKING, Any, NamedTuple

from generator.errors import ProblemsError
from generator.problems import Problem, Span
from generator.rules.answers import Answer, answer, is_asked

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from generator.rules.procedures import Input, Procedure

MAX_VARIED = 3
"""How many inputs may vary in one grid: more cannot be read on paper or screen."""


class Said(NamedTuple):
    """One ``key=value`` and where it stands."""

    name: str
    value: str
    span: Span
    value_span: Span


def split_words(words: Sequence[str], shown: str = "command line") -> tuple[Said, ...]:
    """Each ``key=value`` of a command line; positions count into the words joined by spaces.

    Raises ProblemsError (R311) for words without an equals sign.
    """
    line = " ".join(words)
    said: list[Said] = []
    problems: list[Problem] = []
    column = 1
    for word in words:
        name, equals, value = word.partition("=")
        span = Span(shown, 1, column, line)
        if equals and name and value:
            said.append(Said(name.strip(), value.strip(), span, Span(shown, 1, column + len(name) + 1, line)))
        else:
            problems.append(
                Problem("R311", span, "key=value, such as armour=3", word or "nothing", hint="no spaces around =")
            )
        column += len(word) + 1
    if problems:
        raise ProblemsError(*problems)
    return tuple(said)


def ask(procedure: Procedure, said: Iterable[Said]) -> tuple[Answer, ...]:
    """Every cell of the question, the first varied input outermost.

    Raises ProblemsError: R312 unknown or doubled input, R313 value not allowed, R314 input missing, R315 too many
    varied inputs, R316 an input that does not apply.
    """
    problems: list[Problem] = []
    values, spans = _values(procedure, said, problems)
    if problems:
        raise ProblemsError(*problems)
    varied = [name for name, choices in values.items() if len(choices) > 1]
    if len(varied) > MAX_VARIED:
        names = ", ".join(varied)
        hint = "fix some of them to one value"
        at = spans[varied[MAX_VARIED]]
        raise ProblemsError(Problem("R315", at, f"at most {MAX_VARIED} inputs that vary", names, hint=hint))
    complete = [_complete(procedure, one, spans, problems) for one in _combinations(values, varied)]
    if problems:
        raise ProblemsError(*dict.fromkeys(problems))
    return tuple(answer(procedure, one) for one in complete)


def _combinations(values: Mapping[str, tuple[Any, ...]], varied: list[str]) -> list[dict[str, Any]]:
    fixed = {name: choices[0] for name, choices in values.items() if name not in varied}
    grid = product(*(values[name] for name in varied))
    return [{**fixed, **dict(zip(varied, point, strict=True))} for point in grid]


def _values(
    procedure: Procedure, said: Iterable[Said], problems: list[Problem]
) -> tuple[dict[str, tuple[Any, ...]], dict[str, Span]]:
    values: dict[str, tuple[Any, ...]] = {}
    spans: dict[str, Span] = {}
    names = [one.name for one in procedure.inputs]
    for one in said:
        known = procedure.called(one.name)
        if known is None or known.name in spans:
            near = get_close_matches(one.name, names, n=1)
            hint = f"did you mean {near[0]}?" if near and known is None else f"inputs: {', '.join(names)}"
            expected = "an input of this procedure" if known is None else "each input once"
            found = one.name if known is None else f"{one.name} twice"
            problems.append(Problem("R312", one.span, expected, found, one.name, hint))
            continue
        spans[known.name] = one.span
        values[known.name] = _read(known, one, problems)
    return values, spans


def _read(known: Input, said: Said, problems: list[Problem]) -> tuple[Any, ...]:
    whole = known.choice.read(said.value)
    if whole is not None:
        return (whole,)
    found: list[Any] = []
    column = said.value_span.column
    for piece in said.value.split(","):
        values = _piece(known, piece)
        if values:
            found.extend(value for value in values if value not in found)
        else:
            span = Span(said.span.file, 1, column, said.span.text)
            near = "a range runs upwards: 1..5" if ".." in piece else known.choice.near(piece)
            problems.append(Problem("R313", span, known.choice.spell(), piece or "nothing", said.name, near))
        column += len(piece) + 1
    return tuple(found)


def _piece(known: Input, piece: str) -> tuple[Any, ...]:
    low, dots, high = piece.partition("..")
    if not dots:
        value = known.choice.read(piece)
        return () if value is None else (value,)
    first, last = known.choice.read(low), known.choice.read(high)
    if first is None or last is None:
        return ()
    order = known.choice.values
    return order[order.index(first) : order.index(last) + 1]


def _complete(
    procedure: Procedure, given: Mapping[str, Any], spans: Mapping[str, Span], problems: list[Problem]
) -> dict[str, Any]:
    """All inputs in the procedure's order, defaults filled in; each ``when`` sees the inputs before it."""
    complete: dict[str, Any] = {}
    missing = False
    for one in procedure.inputs:
        try:
            asked = is_asked(procedure, one, complete)
        except ProblemsError:
            if missing:
                continue  # whether it is asked for depends on an input that is missing
            raise
        if one.name in given:
            if asked:
                complete[one.name] = given[one.name]
            else:
                hint = f"it is asked for only when {one.when.text}" if one.when else ""
                span = spans.get(one.name, Span("command line"))
                problems.append(Problem("R316", span, "no such input here", one.name, one.name, hint))
        elif asked and one.required:
            span = next(iter(spans.values()), Span("command line"))
            nowhere = Span(span.file, 1, max(1, len(span.text) + 1), span.text)
            hint = f"{one.label}: {one.choice.spell()}"
            problems.append(Problem("R314", nowhere, f"{one.name}=...", "nothing", one.name, hint))
            missing = True
        elif asked:
            complete[one.name] = one.default
    return complete


def complete_inputs(procedure: Procedure, given: Mapping[str, Any]) -> dict[str, Any]:
    """Typed values with the defaults of the others filled in. Raises ProblemsError as ``ask`` does."""
    problems: list[Problem] = []
    complete = _complete(procedure, given, {}, problems)
    if problems:
        raise ProblemsError(*problems)
    return complete
