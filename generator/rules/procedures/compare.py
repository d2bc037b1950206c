"""Ask two procedures the same question and pair their answers."""

from __future__ import annotations

from functools import cache
from itertools import product
from typing import TYPE_CHECKING, Any, NamedTuple

from generator.errors import ProblemsError
from generator.problems import Problem, Span
from generator.rules.procedures.answers import Answer, answer
from generator.rules.procedures.inputs import complete_one, does_not_apply
from generator.rules.procedures.questions import Progress, few_enough, read_values, read_word, silent

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from generator.parsing.assignments import Assignment
    from generator.rules.procedures.procedure import Input, Procedure

Pair = tuple[Answer, Answer]


class _Axis(NamedTuple):
    """One ``key=value`` of the question, with the input and the values that it means in each of the two procedures."""

    names: tuple[str, str]
    """The name of the input in each procedure, empty in a procedure without it."""
    span: Span
    first: tuple[Any, ...] = ()
    second: tuple[Any, ...] = ()

    @property
    def name(self) -> str:
        """The first procedure's name of the input, or else the second's."""
        return self.names[0] or self.names[1]

    def points(self) -> Iterable[tuple[dict[str, Any], dict[str, Any]]]:
        """Yield each value as the inputs of the first and of the second procedure."""
        for place in range(max(len(self.first), len(self.second))):
            yield (
                {self.names[0]: self.first[place]} if self.first else {},
                {self.names[1]: self.second[place]} if self.second else {},
            )


def ask_both(
    first: Procedure,
    second: Procedure,
    both: Sequence[Assignment],
    own: Sequence[Assignment],
    ends: tuple[Span, Span],
    progress: Progress = silent,
) -> tuple[Pair, ...]:
    """Return the pair of answers for each combination of inputs, in order of the first varied input.

    Inputs for ``both`` go to each procedure that has such an input. The ``own`` inputs go to the second procedure only,
    and win there. A shared input has the same value in both answers of a pair. ``ends`` is where the words of each
    procedure end.

    Raises ProblemsError as ``ask`` does: R312 to R316, R326.
    """
    problems: list[Problem] = []
    axes = _axes(first, second, both, own, problems)
    if problems:
        raise ProblemsError(*problems)
    sizes = [(axis.name, axis.span, max(len(axis.first), len(axis.second))) for axis in axes]
    few_enough([size for size in sizes if size[2] > 1])
    varied = [axis for axis in axes if len(axis.first) > 1 or len(axis.second) > 1]
    fixed = [axis for axis in axes if axis not in varied]
    spans = [{axis.names[side]: axis.span for axis in axes if axis.names[side]} for side in (0, 1)]
    unique = {}
    for points in product(*(axis.points() for axis in (*varied, *fixed))):
        combination = [{name: value for point in points for name, value in point[side].items()} for side in (0, 1)]
        each = zip((first, second), combination, spans, ends, strict=True)
        sides = [complete_one(side, given, at, problems, given, end) for side, given, at, end in each]
        unique[tuple(tuple(side.items()) for side in sides)] = sides
    completed = list(unique.values())
    for axis in axes:
        if not any(name and name in item for sides in completed for name, item in zip(axis.names, sides, strict=True)):
            known = first.input(axis.names[0]) or second.input(axis.names[1])
            assert known is not None  # noqa: S101 - an axis has an input of one of the two
            problems.append(does_not_apply(known, axis.span))
    if problems:
        raise ProblemsError(*_once(problems))

    @cache
    def cached(side: int, inputs: tuple[tuple[str, Any], ...]) -> Answer:
        """Return an answer of a procedure, computed once even if inputs of the other procedure vary."""
        return answer((first, second)[side], dict(inputs))

    pairs = []
    for item, other in completed:
        pairs.append((cached(0, tuple(item.items())), cached(1, tuple(other.items()))))
        progress(len(pairs), len(completed))
    return tuple(pairs)


def _once(problems: Iterable[Problem]) -> list[Problem]:
    """Return the problems without repetitions, so that an input missing in both procedures is reported once."""
    first: dict[tuple[str, str], Problem] = {}
    for problem in problems:
        first.setdefault((problem.code, problem.field), problem)
    return list(first.values())


def _axes(
    first: Procedure, second: Procedure, both: Sequence[Assignment], own: Sequence[Assignment], problems: list[Problem]
) -> list[_Axis]:
    """Return the axes of the question. Adds R311 to R313 for words that cannot be read."""
    alone = read_values(second, own, problems)
    names = list(dict.fromkeys(item.name for procedure in (first, second) for item in procedure.inputs))
    axes: list[_Axis] = []
    used: tuple[set[str], set[str]] = set(), set()
    for word in both:
        mine, theirs = _inputs_named(first, second, word.name)
        repeated = mine is not None and mine.name in used[0]
        if theirs is not None and theirs.name in alone.spans:
            repeated |= mine is None
            theirs = None
        elif theirs is not None:
            repeated |= theirs.name in used[1]
        either = "an input of one of the two procedures"
        values = read_word(word, mine or theirs, names, problems, repeated=repeated, expected=either)
        if values:
            same = values if mine is None else _same(second, theirs, word, values, problems) if theirs else ()
            both_names = mine.name if mine else "", theirs.name if theirs else ""
            axes.append(_Axis(both_names, word.span, values if mine else (), same))
        for side, item in enumerate((mine, theirs)):
            used[side].update([item.name] if item else [])
    return axes + [_Axis(("", name), alone.spans[name], (), values) for name, values in alone.values.items()]


def _inputs_named(first: Procedure, second: Procedure, name: str) -> tuple[Input | None, Input | None]:
    """Return the inputs that a name means in the two procedures.

    A procedure that does not know the name is asked for the input's name in the other procedure.
    """
    mine, theirs = first.find_input(name), second.find_input(name)
    return (
        mine or (first.find_input(theirs.name) if theirs else None),
        theirs or (second.find_input(mine.name) if mine else None),
    )


def _same(
    second: Procedure, known: Input, word: Assignment, values: tuple[Any, ...], problems: list[Problem]
) -> tuple[Any, ...]:
    """Return the second procedure's values of the same spelling. Adds R313 for values that it does not allow."""
    converted = tuple(known.choice.read(value) for value in values)
    refused = [str(value) for value, theirs in zip(values, converted, strict=True) if theirs is None]
    if refused:
        hint = f"say {known.name} a second time behind --against, for {second.id} alone"
        expected = f"values that {second.id} allows too: {known.choice.spell()}"
        problems.append(Problem("R313", word.value_span, expected, ", ".join(refused), known.name, hint))
    return converted
