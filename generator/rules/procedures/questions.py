"""Questions as people put them: ``key=value``, with ranges and lists for a grid."""

from __future__ import annotations

from itertools import product
from math import prod
from operator import itemgetter
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from generator.errors import ProblemsError
from generator.parsing.assignments import Said, _not_said
from generator.problems import Problem, Span
from generator.rules.procedures.answers import Answer, answer
from generator.rules.procedures.inputs import complete_one, does_not_apply
from generator.rules.procedures.values import read_input
from generator.suggest import suggest

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Mapping, Sequence

    from generator.rules.procedures.procedure import Input, Procedure

MAX_VARIED = 3
"""How many inputs may vary in one grid: more cannot be read on paper or screen."""
MAX_CELLS = 2_000
"""How many combinations one question may have: the slowest procedures answer so many in less than a minute."""

Progress: TypeAlias = "Callable[[int, int], None]"
"""Told after each combination: how many are done, of how many."""


class Question(NamedTuple):
    """What is asked of a procedure: the values of each input that was said, and where it was said."""

    values: Mapping[str, tuple[Any, ...]]
    spans: Mapping[str, Span]

    @property
    def varied(self) -> tuple[str, ...]:
        """The inputs of several values, as they were said."""
        return tuple(name for name, choices in self.values.items() if len(choices) > 1)


def without_value(known: Input, said: Said) -> Problem:
    """R311: an input that is named, and no value of it."""
    first = known.choice.values[0]
    example = f"{known.name}={'yes' if isinstance(first, bool) else first}"
    return _not_said(said, f"{known.label}: {known.choice.spell()}", example, known.name)


def without_name(said: Said, names: Sequence[str]) -> Problem:
    """R311: a value, or a word that is nothing, and no input."""
    return _not_said(said, f"no spaces around =; inputs: {', '.join(names)}", f"{names[0]}=..." if names else "a=b")


def silent(done: int, total: int) -> None:
    """Progress that nobody looks at."""


def ask(procedure: Procedure, said: Iterable[Said], progress: Progress = silent) -> tuple[Answer, ...]:
    """Every cell of the question, the first varied input outermost.

    Raises ProblemsError: R312 unknown or doubled input; R313 value not allowed; R314 input missing; R315 too many
    varied inputs; R316 an input that does not apply; R326 too many combinations.
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
        known = procedure.called(name)
        if known is None:
            problems.append(unknown_input(name, span, [item.name for item in procedure.inputs]))
        elif known.name not in values:
            values[known.name], spans[known.name] = known.choice.values, span
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


def answer_all(
    procedure: Procedure, question: Question, progress: Progress = silent, needed: Collection[str] = ()
) -> tuple[Answer, ...]:
    """The answer for every combination, each told once: an input counts only where it applies.

    Raises ProblemsError: R314 as ``ask`` does, R316 for an input that applies nowhere, or not everywhere if ``needed``.
    """
    problems: list[Problem] = []
    combined = _combinations(question.values, question.varied)
    free = [name for name in question.values if name not in needed]
    completed = [complete_one(procedure, combination, question.spans, problems, free) for combination in combined]
    complete = list({tuple(item.items()): item for item in completed}.values())
    for name in free:
        known = procedure.input(name)
        if known is not None and not any(name in item for item in complete):
            problems.append(does_not_apply(known, question.spans.get(name, Span("command line"))))
    if problems:
        raise ProblemsError(*dict.fromkeys(problems))
    found = []
    for item in complete:
        found.append(answer(procedure, item))
        progress(len(found), len(complete))
    return tuple(found)


def _combinations(values: Mapping[str, tuple[Any, ...]], varied: Sequence[str]) -> list[dict[str, Any]]:
    fixed = {name: choices[0] for name, choices in values.items() if name not in varied}
    grid = product(*(values[name] for name in varied))
    return [{**fixed, **dict(zip(varied, point, strict=True))} for point in grid]


def read_values(procedure: Procedure, said: Iterable[Said], problems: list[Problem]) -> Question:
    """The values of each input that is said, with R311 to R313 among the problems."""
    values: dict[str, tuple[Any, ...]] = {}
    spans: dict[str, Span] = {}
    names = [item.name for item in procedure.inputs]
    for item in said:
        known = procedure.called(item.name)
        if not item.name or (known is None and "=" not in item.word):
            problems.append(without_name(item, names))
        elif known is None:
            problems.append(unknown_input(item.name, item.span, names))
        elif known.name in spans:
            problems.append(said_twice(item, names))
        else:
            spans[known.name] = item.span
            if item.value:
                values[known.name] = read_input(known, item, problems)
            else:
                problems.append(without_value(known, item))
    return Question(values, spans)


def unknown_input(name: str, span: Span, names: Sequence[str], expected: str = "an input of this procedure") -> Problem:
    """R312: an input that is not there."""
    hint = suggest(name.lower().replace("-", "_"), names, f"inputs: {', '.join(names)}")
    return Problem("R312", span, expected, name, name, hint)


def said_twice(said: Said, names: Sequence[str]) -> Problem:
    """R312: an input that was said before."""
    hint = f"inputs: {', '.join(names)}"
    return Problem("R312", said.span, "each input once", f"{said.name} twice", said.name, hint)
