"""Search answers: find the first value of an input that reaches a chance, and rank options by their results."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Any, NamedTuple

from generator.errors import ProblemsError
from generator.problems import Problem, Span

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from generator.rules.procedures.answers import Answer
    from generator.rules.procedures.goals import Goal
    from generator.rules.procedures.procedure import Procedure
    from generator.rules.procedures.questions import Question


class Reach(NamedTuple):
    """The value of an input that reaches the chance, for one combination of the other inputs."""

    inputs: Mapping[str, Any]
    """The other inputs."""
    reached: bool
    value: Any
    """The first value that reaches the chance, or the value that comes nearest if none does."""
    chance: Fraction
    steady: bool
    """Whether each later value reaches the chance, too."""
    notes: tuple[str, ...]


class Ranked(NamedTuple):
    """An option with its rank. Equal options share a rank, and the next rank is skipped: 1, 1, 3."""

    rank: int
    tied: bool
    inputs: Mapping[str, Any]
    """The inputs that the player chooses."""
    gives: Fraction
    known: Fraction
    """The chance that the figure of a mean has a value; 1 if the goal is a chance."""
    notes: tuple[str, ...] = ()


class Ranking(NamedTuple):
    """All options for one combination of the other inputs, the best first."""

    inputs: Mapping[str, Any]
    """The inputs that the player does not choose, with the values that all options share."""
    ranked: tuple[Ranked, ...]
    without: tuple[Mapping[str, Any], ...]
    """The options for which the figure has no value."""


def check_ordered(procedure: Procedure, question: Question, by: str, span: Span) -> None:
    """Raise ProblemsError if an input's values cannot be searched in order: R324 no order, R325 a single value."""
    _check_varies(question, by, span)
    known, values = procedure.input(by), question.values[by]
    assert known is not None  # noqa: S101 - the question was read with it
    order = [known.choice.values.index(value) for value in values]
    if isinstance(values[0], bool):
        expected, found = "an input whose values have an order", f"{by}, which is yes or no"
        hint = f"leave out --reach and ask for both: {by}=no,yes"
    elif order != sorted(order):
        printed = ",".join(str(known.choice.values[place]) for place in sorted(order))
        found = f"{by}={','.join(map(str, values))}"
        expected, hint = "values in their printed order", f"write {by}={printed}"
    else:
        return
    raise ProblemsError(Problem("R324", question.spans[by], expected, found, by, hint))


def check_choices(question: Question, by: Sequence[str], span: Span) -> None:
    """Raise ProblemsError (R325) if the question has only one option."""
    for text in by:
        _check_varies(question, text, span)
    if not question.varied:
        hint = "give an input several values: a list such as one,two or a range such as 1..5"
        raise ProblemsError(Problem("R325", span, "several options", "a single value", hint=hint))


def _check_varies(question: Question, name: str, span: Span) -> None:
    """Raise ProblemsError (R325) if an input has only one value."""
    if len(question.values[name]) < 2:  # noqa: PLR2004 - several
        hint = f"give {name} a list or a range, or leave it out to use all its values"
        at = question.spans.get(name, span)
        raise ProblemsError(Problem("R325", at, f"several values of {name}", "a single value", name, hint))


def reach(
    answers: Iterable[Answer], question: Question, goal: Goal, chance: Fraction, by: str, *, greatest: bool = False
) -> tuple[Reach, ...]:
    """Return the first value of the input ``by`` that reaches the chance, or the last such value if ``greatest``.

    The result has one entry for each combination of the other inputs.
    """
    reaches = []
    for group in _groups(answers, question, (by,)):
        walked = group[::-1] if greatest else group
        chances = [goal.result(item) or Fraction(0) for item in walked]
        place = next((place for place, item in enumerate(chances) if item >= chance), None)
        best = chances.index(max(chances)) if place is None else place
        inputs = {name: value for name, value in walked[best].inputs.items() if name != by}
        steady = place is not None and min(chances[place:]) >= chance
        value = walked[best].inputs[by]
        reaches.append(Reach(inputs, place is not None, value, chances[best], steady, walked[best].notes))
    return tuple(reaches)


def rank(
    answers: Iterable[Answer], question: Question, goal: Goal, by: Sequence[str], *, least: bool = False
) -> tuple[Ranking, ...]:
    """Rank the values of the inputs ``by`` for each combination of the other inputs.

    The greatest result comes first, or the least if ``least``.
    """
    rankings = []
    for group in _groups(answers, question, by):
        results = [(item, goal.result(item)) for item in group]
        counted = [(item, gives) for item, gives in results if gives is not None]
        counted.sort(key=lambda pair: pair[1], reverse=not least)
        ranked: list[Ranked] = []
        for place, (item, gives) in enumerate(counted, start=1):
            tied = bool(ranked) and ranked[-1].gives == gives
            if tied:
                ranked[-1] = ranked[-1]._replace(tied=True)
            known = goal.has_value(item) if goal.is_mean else Fraction(1)
            ranked.append(Ranked(ranked[-1].rank if tied else place, tied, _select(item, by), gives, known, item.notes))
        without = tuple(_select(item, by) for item, gives in results if gives is None)
        rankings.append(Ranking(_alike(group, by), tuple(ranked), without))
    return tuple(rankings)


def _alike(group: Sequence[Answer], by: Sequence[str]) -> dict[str, Any]:
    """Return the inputs outside ``by`` that all answers of the group have."""
    alike = {name: value for name, value in group[0].inputs.items() if name not in by}
    for answer in group:
        alike = {name: value for name, value in alike.items() if name in answer.inputs}
    return alike


def _select(answer: Answer, by: Sequence[str]) -> dict[str, Any]:
    """Return the inputs of an answer that are among ``by``."""
    return {name: answer.inputs[name] for name in by if name in answer.inputs}


def _groups(answers: Iterable[Answer], question: Question, by: Sequence[str]) -> list[list[Answer]]:
    """Group the answers that differ only in the inputs ``by``, in the order of the question."""
    others = [name for name in question.varied if name not in by]
    groups: dict[tuple[Any, ...], list[Answer]] = {}
    for answer in answers:
        groups.setdefault(tuple(answer.inputs.get(name) for name in others), []).append(answer)
    return list(groups.values())
