"""Two procedures asked the same question, as far as they have the same inputs."""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING, Any, NamedTuple

from generator.errors import ProblemsError
from generator.problems import Problem, Span
from generator.rules.procedures.answers import Answer, answer
from generator.rules.procedures.inputs import complete_one, does_not_apply
from generator.rules.procedures.questions import (
    few_enough,
    read_values,
    said_twice,
    silent,
    unknown_input,
    without_name,
    without_value,
)
from generator.rules.procedures.values import read_input

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from generator.parsing.assignments import Said
    from generator.rules.procedures.procedure import Input, Procedure
    from generator.rules.procedures.questions import Progress

Pair = tuple[Answer, Answer]


class _Axis(NamedTuple):
    """One thing that was said, and what it means to each of the two; no name for one that does not have it."""

    names: tuple[str, str]
    """What each of the two calls it."""
    span: Span
    first: tuple[Any, ...] = ()
    second: tuple[Any, ...] = ()

    @property
    def name(self) -> str:
        """What it is called when it is spoken of once."""
        return self.names[0] or self.names[1]

    def points(self) -> Iterable[tuple[dict[str, Any], dict[str, Any]]]:
        """Each value, for the one and for the other."""
        for place in range(max(len(self.first), len(self.second))):
            yield (
                {self.names[0]: self.first[place]} if self.first else {},
                {self.names[1]: self.second[place]} if self.second else {},
            )


def ask_both(
    first: Procedure,
    second: Procedure,
    both: Sequence[Said],
    own: Sequence[Said],
    ends: tuple[Span, Span],
    progress: Progress = silent,
) -> tuple[Pair, ...]:
    """Every pair of cells, the first varied input outermost.

    Inputs for ``both`` go to each procedure that has such an input. The second's ``own`` inputs go to the second only,
    and win there. A shared input takes the same values in both at a time. ``ends`` is where the words of each end.

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
    told = {}
    for points in product(*(axis.points() for axis in (*varied, *fixed))):
        given = [{name: value for point in points for name, value in point[side].items()} for side in (0, 1)]
        sides = (
            complete_one(first, given[0], spans[0], problems, given[0], ends[0]),
            complete_one(second, given[1], spans[1], problems, given[1], ends[1]),
        )
        told[tuple(tuple(side.items()) for side in sides)] = sides
    completed = list(told.values())
    for axis in axes:
        if not any(name and name in item for sides in completed for name, item in zip(axis.names, sides, strict=True)):
            known = first.input(axis.names[0]) or second.input(axis.names[1])
            assert known is not None  # noqa: S101 - an axis has an input of one of the two
            problems.append(does_not_apply(known, axis.span))
    if problems:
        raise ProblemsError(*_once(problems))
    known_first, known_second = _Memory(first), _Memory(second)
    found = []
    for item, other in completed:
        found.append((known_first.answer(item), known_second.answer(other)))
        progress(len(found), len(completed))
    return tuple(found)


def _once(problems: Iterable[Problem]) -> list[Problem]:
    """Return each problem once: an input missing in both is reported at the end of the shared words."""
    told: dict[tuple[str, str], Problem] = {}
    for problem in problems:
        told.setdefault((problem.code, problem.field), problem)
    return list(told.values())


class _Memory:
    """Answers of a procedure, each worked out once: what only the other one varies does not change them."""

    def __init__(self, procedure: Procedure) -> None:
        self.procedure = procedure
        self.known: dict[tuple[Any, ...], Answer] = {}

    def answer(self, inputs: Mapping[str, Any]) -> Answer:
        key = tuple(inputs.items())
        if key not in self.known:
            self.known[key] = answer(self.procedure, inputs)
        return self.known[key]


def _axes(
    first: Procedure, second: Procedure, both: Sequence[Said], own: Sequence[Said], problems: list[Problem]
) -> list[_Axis]:
    alone = read_values(second, own, problems)
    names = list(dict.fromkeys(item.name for procedure in (first, second) for item in procedure.inputs))
    axes: list[_Axis] = []
    taken: tuple[set[str], set[str]] = set(), set()
    for word in both:
        mine, theirs = _meant(first, second, word.name)
        said_before = mine is not None and mine.name in taken[0]
        if theirs is not None and theirs.name in alone.spans:
            said_before |= mine is None
            theirs = None
        elif theirs is not None:
            said_before |= theirs.name in taken[1]
        known = mine or theirs
        if said_before:
            problems.append(said_twice(word, names))
        elif not word.name or (known is None and "=" not in word.word):
            problems.append(without_name(word, names))
        elif known is None:
            problems.append(unknown_input(word.name, word.span, names, "an input of one of the two procedures"))
        elif not word.value:
            problems.append(without_value(known, word))
        else:
            values = read_input(known, word, problems)
            same = values if mine is None else _same(second, theirs, word, values, problems) if theirs else ()
            both_names = mine.name if mine else "", theirs.name if theirs else ""
            axes.append(_Axis(both_names, word.span, values if mine else (), same))
        for side, item in enumerate((mine, theirs)):
            taken[side].update([item.name] if item else [])
    return axes + [_Axis(("", name), alone.spans[name], (), values) for name, values in alone.values.items()]


def _meant(first: Procedure, second: Procedure, name: str) -> tuple[Input | None, Input | None]:
    """What each of the two calls so, or calls as the other one does what it calls so."""
    mine, theirs = first.called(name), second.called(name)
    return (
        mine or (first.called(theirs.name) if theirs else None),
        theirs or (second.called(mine.name) if mine else None),
    )


def _same(
    second: Procedure, known: Input, said: Said, values: tuple[Any, ...], problems: list[Problem]
) -> tuple[Any, ...]:
    """The second procedure's values of the same names. R313 for those that it does not allow."""
    found = tuple(known.choice.read(value) for value in values)
    lacking = [str(value) for value, theirs in zip(values, found, strict=True) if theirs is None]
    if lacking:
        hint = f"say {known.name} a second time behind --against, for {second.id} alone"
        expected = f"values that {second.id} allows too: {known.choice.spell()}"
        problems.append(Problem("R313", said.value_span, expected, ", ".join(lacking), known.name, hint))
    return found
