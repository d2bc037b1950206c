"""Two procedures asked the same question, as far as they have the same inputs."""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING, Any, NamedTuple

from generator.errors import ProblemsError
from generator.problems import Problem, Span
from generator.rules.answers import Answer, answer
from generator.rules.questions import (
    complete_one,
    does_not_apply,
    few_enough,
    read_input,
    read_values,
    said_twice,
    silent,
    unknown_input,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from generator.rules.procedures import Procedure
    from generator.rules.questions import Progress, Said

Pair = tuple[Answer, Answer]


class _Axis(NamedTuple):
    """One thing that was said, and what it means to each of the two; nothing for one that does not have it."""

    name: str
    span: Span
    first: tuple[Any, ...] = ()
    second: tuple[Any, ...] = ()

    def points(self) -> Iterable[tuple[dict[str, Any], dict[str, Any]]]:
        """Each value, for the one and for the other."""
        for place in range(max(len(self.first), len(self.second))):
            yield (
                {self.name: self.first[place]} if self.first else {},
                {self.name: self.second[place]} if self.second else {},
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

    What is said of ``both`` goes to each that has such an input, what is the second's ``own`` to that one alone and
    before what was said of both. An input of both takes the same values in both at a time. ``ends`` is where the words
    of each end.

    Raises ProblemsError as ``ask`` does: R312 to R316, R326.
    """
    problems: list[Problem] = []
    axes = _axes(first, second, both, own, problems)
    if problems:
        raise ProblemsError(*problems)
    sizes = [(one.name, one.span, max(len(one.first), len(one.second))) for one in axes]
    few_enough([one for one in sizes if one[2] > 1])
    varied = [one for one in axes if len(one.first) > 1 or len(one.second) > 1]
    fixed = [one for one in axes if one not in varied]
    shared = {one.name for one in axes if one.first and one.second}
    spans = [{one.name: one.span for one in axes if one.first}, {one.name: one.span for one in axes if one.second}]
    completed = []
    for points in product(*(one.points() for one in (*varied, *fixed))):
        given = [{name: value for one in points for name, value in one[side].items()} for side in (0, 1)]
        sides = (
            complete_one(first, given[0], spans[0], problems, shared, ends[0]),
            complete_one(second, given[1], spans[1], problems, shared, ends[1]),
        )
        for name in shared:
            known = first.input(name)
            if known is not None and name not in sides[0] and name not in sides[1]:
                problems.append(does_not_apply(known, spans[0][name]))
        completed.append(sides)
    if problems:
        raise ProblemsError(*_once(problems))
    known_first, known_second = _Memory(first), _Memory(second)
    found = []
    for one, other in completed:
        found.append((known_first.answer(one), known_second.answer(other)))
        progress(len(found), len(completed))
    return tuple(found)


def _once(problems: Iterable[Problem]) -> list[Problem]:
    """Each problem once: an input that both lack is missing where what is said of both ends."""
    told: dict[tuple[str, str], Problem] = {}
    for one in problems:
        told.setdefault((one.code, one.field), one)
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
    names = list(dict.fromkeys(one.name for procedure in (first, second) for one in procedure.inputs))
    axes: dict[str, _Axis] = {}
    for word in both:
        meant = first.called(word.name) or second.called(word.name)
        said = word._replace(name=meant.name) if meant else word
        mine, theirs = first.input(said.name), second.input(said.name)
        if mine is None and theirs is None:
            problems.append(unknown_input(said.name, said.span, names, "an input of one of the two procedures"))
        elif said.name in axes or (mine is None and said.name in alone.values):
            problems.append(said_twice(said, names))
        elif mine is None and theirs is not None:
            axes[said.name] = _Axis(said.name, said.span, (), read_input(theirs, said, problems))
        elif mine is not None:
            values = read_input(mine, said, problems)
            same = theirs is not None and said.name not in alone.values
            axes[said.name] = _Axis(said.name, said.span, values, _same(second, said, values, problems) if same else ())
    found = list(axes.values())
    return found + [_Axis(name, alone.spans[name], (), values) for name, values in alone.values.items()]


def _same(second: Procedure, said: Said, values: tuple[Any, ...], problems: list[Problem]) -> tuple[Any, ...]:
    """The second procedure's values of the same names. R313 for those that it does not allow."""
    known = second.input(said.name)
    assert known is not None  # noqa: S101 - it was asked for just before
    found = tuple(known.choice.read(value) for value in values)
    lacking = [str(value) for value, theirs in zip(values, found, strict=True) if theirs is None]
    if lacking:
        hint = f"say {said.name} a second time behind --against, for {second.id} alone"
        expected = f"values that {second.id} allows too: {known.choice.spell()}"
        problems.append(Problem("R313", said.value_span, expected, ", ".join(lacking), said.name, hint))
    return found
