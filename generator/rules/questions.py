"""Questions as people put them: ``key=value``, with ranges and lists for a grid."""

from __future__ import annotations

from difflib import get_close_matches
from itertools import product
from math import prod
from operator import itemgetter
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from generator.errors import ProblemsError
from generator.problems import Problem, Span
from generator.rules.answers import Answer, answer, is_asked

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Mapping, Sequence

    from generator.rules.procedures import Input, Procedure

MAX_VARIED = 3
"""How many inputs may vary in one grid: more cannot be read on paper or screen."""
MAX_CELLS = 2_000
"""How many combinations one question may have: the slowest procedures answer so many in less than a minute."""

Progress: TypeAlias = "Callable[[int, int], None]"
"""Told after each combination: how many are done, of how many."""


class Said(NamedTuple):
    """One ``key=value`` and where it stands."""

    name: str
    value: str
    span: Span
    value_span: Span


class Question(NamedTuple):
    """What is asked of a procedure: the values of each input that was said, and where it was said."""

    values: Mapping[str, tuple[Any, ...]]
    spans: Mapping[str, Span]

    @property
    def varied(self) -> tuple[str, ...]:
        """The inputs of several values, as they were said."""
        return tuple(name for name, choices in self.values.items() if len(choices) > 1)


def split_words(
    words: Sequence[str], shown: str = "command line", before: str = "", after: str = ""
) -> tuple[Said, ...]:
    """Each ``key=value`` of a command line; positions count into the words joined by spaces.

    ``before`` and ``after`` are what else stands on that line. Raises ProblemsError (R311) for words without an
    equals sign.
    """
    line = " ".join([*filter(None, [before]), *words, *filter(None, [after])])
    said: list[Said] = []
    problems: list[Problem] = []
    column = len(before) + 2 if before else 1
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


def silent(done: int, total: int) -> None:
    """Progress that nobody looks at."""


def ask(procedure: Procedure, said: Iterable[Said], progress: Progress = silent) -> tuple[Answer, ...]:
    """Every cell of the question, the first varied input outermost.

    Raises ProblemsError: R312 unknown or doubled input, R313 value not allowed, R314 input missing, R315 too many
    varied inputs, R316 an input that does not apply, R326 too many combinations.
    """
    return answer_all(procedure, read_question(procedure, said), progress)


def read_question(
    procedure: Procedure, said: Iterable[Said], whole: Mapping[str, Span] = MappingProxyType({})
) -> Question:
    """The values that a question names. Inputs of ``whole`` (with their places) take all of theirs where it is silent.

    Raises ProblemsError: R312, R313, R315 as ``ask`` does.
    """
    problems: list[Problem] = []
    question = read_values(procedure, said, problems)
    values, spans = dict(question.values), dict(question.spans)
    for name, span in whole.items():
        known = procedure.input(name)
        if known is None:
            problems.append(unknown_input(name, span, [one.name for one in procedure.inputs]))
        elif name not in values:
            values[name], spans[name] = known.choice.values, span
    if problems:
        raise ProblemsError(*problems)
    few_enough([(name, spans[name], len(choices)) for name, choices in values.items() if len(choices) > 1])
    return Question(values, spans)


def few_enough(varied: Sequence[tuple[str, Span, int]]) -> None:
    """Raise ProblemsError where more inputs vary than a grid may have (R315), or their values make too many (R326)."""
    if len(varied) > MAX_VARIED:
        names = ", ".join(name for name, _, _ in varied)
        hint = "fix some of them to one value"
        at = varied[MAX_VARIED][1]
        raise ProblemsError(Problem("R315", at, f"at most {MAX_VARIED} inputs that vary", names, hint=hint))
    cells = prod(count for _, _, count in varied)
    if cells > MAX_CELLS:
        name, at, count = max(varied, key=itemgetter(2))
        others = cells // count
        most = MAX_CELLS // others
        hint = f"give {name} one value" if others <= MAX_CELLS else "give two of them one value"
        hint += f", or at most {most} of its {count}" if most > 1 else ""
        found = f"{cells} ({' times '.join(str(count) for _, _, count in varied)})"
        raise ProblemsError(Problem("R326", at, f"at most {MAX_CELLS} combinations of inputs", found, name, hint))


def answer_all(procedure: Procedure, question: Question, progress: Progress = silent) -> tuple[Answer, ...]:
    """The answer for every combination. Raises ProblemsError: R314, R316 as ``ask`` does."""
    problems: list[Problem] = []
    combined = _combinations(question.values, question.varied)
    complete = [complete_one(procedure, one, question.spans, problems) for one in combined]
    if problems:
        raise ProblemsError(*dict.fromkeys(problems))
    found = []
    for one in complete:
        found.append(answer(procedure, one))
        progress(len(found), len(complete))
    return tuple(found)


def _combinations(values: Mapping[str, tuple[Any, ...]], varied: Sequence[str]) -> list[dict[str, Any]]:
    fixed = {name: choices[0] for name, choices in values.items() if name not in varied}
    grid = product(*(values[name] for name in varied))
    return [{**fixed, **dict(zip(varied, point, strict=True))} for point in grid]


def read_values(procedure: Procedure, said: Iterable[Said], problems: list[Problem]) -> Question:
    """The values of each input that is said, with R312 and R313 among the problems."""
    values: dict[str, tuple[Any, ...]] = {}
    spans: dict[str, Span] = {}
    names = [one.name for one in procedure.inputs]
    for one in said:
        known = procedure.called(one.name)
        if known is None:
            problems.append(unknown_input(one.name, one.span, names))
        elif known.name in spans:
            problems.append(said_twice(one, names))
        else:
            spans[known.name] = one.span
            values[known.name] = read_input(known, one, problems)
    return Question(values, spans)


def unknown_input(name: str, span: Span, names: Sequence[str], expected: str = "an input of this procedure") -> Problem:
    """R312: an input that is not there."""
    near = get_close_matches(name, names, n=1)
    hint = f"did you mean {near[0]}?" if near else f"inputs: {', '.join(names)}"
    return Problem("R312", span, expected, name, name, hint)


def said_twice(said: Said, names: Sequence[str]) -> Problem:
    """R312: an input that was said before."""
    hint = f"inputs: {', '.join(names)}"
    return Problem("R312", said.span, "each input once", f"{said.name} twice", said.name, hint)


def read_input(known: Input, said: Said, problems: list[Problem]) -> tuple[Any, ...]:
    """The values that one ``key=value`` names, with R313 among the problems."""
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
            elif one.name not in passed_over:
                problems.append(does_not_apply(one, spans.get(one.name, Span("command line"))))
        elif asked and one.required:
            hint = f"{one.label}: {one.choice.spell()}"
            problems.append(Problem("R314", end or _end(spans), f"{one.name}=...", "nothing", one.name, hint))
            missing = True
        elif asked:
            complete[one.name] = one.default
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
