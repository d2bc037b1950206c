"""Read a player's goal and chance, and check that a question can be searched or ranked by them."""

from __future__ import annotations

import re
from fractions import Fraction
from typing import TYPE_CHECKING, Any, NamedTuple

from generator.problems import Problem, ProblemsError, Span, suggest
from generator.rules.entries.choices import spell_value, spelling

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from generator.rules.procedures.answers import Answer
    from generator.rules.procedures.procedure import Procedure
    from generator.rules.procedures.questions import Question


_NUMBER = r"-?\d{1,9}(?:\.\d{1,9}|/\d{1,9})?"
_VALUES = re.compile(rf"(?P<low>{_NUMBER})(?:(?P<more>\+)|(?P<less>-)|\.\.(?P<high>{_NUMBER}))?", re.ASCII)
_CHANCE = re.compile(r"(?P<number>\d{1,30}(?:\.\d{0,30}|/\d{1,30})?|\.\d{1,30})(?P<percent>%?)", re.ASCII)
_SPACED = re.compile(r"\s*(?P<sign>[/%])\s*")

MOST_VALUES = 12
"""How many values of a figure a problem lists at most."""


class Goal(NamedTuple):
    """A player's goal: an outcome, an event, values of a figure, or its mean (a figure without values).

    ``text`` is the goal as it was written.
    """

    text: str
    outcomes: tuple[str, ...] = ()
    event: str = ""
    figure: str = ""
    low: Fraction | None = None
    high: Fraction | None = None
    word: str | None = None
    """The value that a figure must have, if its values are not numbers."""

    @property
    def is_mean(self) -> bool:
        """Whether the goal is a mean, not a chance."""
        return bool(self.figure) and self.low is None and self.high is None and self.word is None

    def result(self, answer: Answer) -> Fraction | None:
        """Return the chance of the goal in an answer, or the mean of its figure.

        A number without a value does not meet the goal. The chance is 0 if the answer does not have the outcome, event
        or figure. The mean counts only the rolls in which the figure has a value, and is None if there are no such
        rolls.
        """
        if self.outcomes:
            return Fraction(answer.chance(*self.outcomes))
        if self.event:
            return answer.events.get(self.event, Fraction(0))
        if self.word is not None:
            there = answer.which.get(self.figure)
            return there.where(self.holds) if there else Fraction(0)
        numbers = answer.numbers.get(self.figure)
        if self.is_mean:
            return numbers.mean() if numbers else None
        return numbers.where(self.holds) * self.has_value(answer) if numbers else Fraction(0)

    def has_value(self, answer: Answer) -> Fraction:
        """Return the chance that the goal's number has a value; 0 for other goals, and if the number is not there."""
        return 1 - answer.none(self.figure)

    def holds(self, value: Any) -> bool:
        """Return whether a value of the figure meets the goal: a number in range, or the word in any letter case."""
        if self.word is not None:
            return _spell(value).lower() == self.word.lower()
        return (self.low is None or value >= self.low) and (self.high is None or value <= self.high)


def names_in(procedure: Procedure) -> dict[str, tuple[str, ...]]:
    """Return the names that a goal can use, under ``outcomes``, ``events``, ``numbers`` and ``which``.

    Outcomes are all that the procedure declares; other names are those of all its cases, each once.
    """
    return {
        "outcomes": tuple(outcome.id for outcome in procedure.outcomes),
        **{key: procedure.results(key) for key in ("events", "numbers", "which")},
    }


def read_goal(procedure: Procedure, text: str, span: Span, *, means: bool) -> Goal:
    """Read a goal: outcomes with commas between them, an event, or a figure with its values.

    After a figure come a colon and a word, or a colon and numbers such as 3, 3+, 3- and 1..3. If ``means``, the
    name of a number alone is allowed, and is read as the goal of its mean.

    Raises ProblemsError (R322) if the procedure has no such outcome, event or figure. Also raises it if the values of a
    figure are missing or cannot be read. Whether these values can come up is left to ``check_possible``.
    """
    names = names_in(procedure)
    text = text.strip()
    outcomes = _outcomes(procedure)
    several = tuple(dict.fromkeys(part.strip() for part in text.split(",")))
    if spelling(text) in outcomes:  # a printed name may hold a comma
        several = (text,)
    if all(spelling(item) in outcomes for item in several):
        return Goal(text, tuple(dict.fromkeys(outcomes[spelling(item)] for item in several)))
    event = _find_name(text, names["events"])
    if event:
        return Goal(text, event=event)
    name, _, values = (item.strip() for item in text.partition(":"))
    figure = _find_name(name, names["which"])
    if figure and values:
        return Goal(text, figure=figure, word=values)
    figure = _find_name(name, names["numbers"])
    if not figure:
        raise ProblemsError(_unknown(text, span, names, tuple(outcomes.get(spelling(item), item) for item in several)))
    if not values and means:
        return Goal(text, figure=figure)
    match = _VALUES.fullmatch(values)
    bounds = _bounds(match) if match else None
    if bounds is None:
        hint = "" if values else "give the values of the number"
        expected = f"{figure}:3, {figure}:3+ (or more), {figure}:3- (or less) or {figure}:1..3"
        raise ProblemsError(Problem("R322", span, expected, text or "nothing", figure, hint))
    return Goal(text, figure=figure, low=bounds[0], high=bounds[1])


def check_possible(goal: Goal, answers: Iterable[Answer], span: Span) -> None:
    """Raise ProblemsError (R322) if the goal's figure has values in these answers, but none that meets the goal.

    Nothing is raised for an outcome, an event or a mean.
    """
    if goal.is_mean or not goal.figure:
        return
    figures = [answer.which if goal.word is not None else answer.numbers for answer in answers]
    values = {value for figure in figures if goal.figure in figure for value, _ in figure[goal.figure].weights}
    if not values or any(goal.holds(value) for value in values):
        return
    numbers = sorted(value for value in values if type(value) in (int, Fraction))  # yes and no are words
    words = sorted(_spell(value) for value in values if type(value) not in (int, Fraction))
    hint = suggest(goal.word, words, "") if goal.word is not None else ""
    known = [*map(str, numbers), *(f"“{word}”" if "," in word else word for word in words)]
    more = ", ..." if len(known) > MOST_VALUES else ""
    expected = f"a value that {goal.figure} has here: {', '.join(known[:MOST_VALUES])}{more}"
    raise ProblemsError(Problem("R322", span, expected, goal.text, goal.figure, hint))


def _find_name(text: str, names: Sequence[str]) -> str:
    """Return the name that ``text`` spells: exactly, or else as ``spelling`` compares them; empty if there is none."""
    return text if text in names else next((name for name in names if spelling(name) == spelling(text)), "")


def _outcomes(procedure: Procedure) -> dict[str, str]:
    """Return the outcome ids by ``spelling`` of ids and printed names; of two that are spelled alike, the id counts."""
    labels = {spelling(outcome.label): outcome.id for outcome in reversed(procedure.outcomes)}
    return labels | {spelling(outcome.id): outcome.id for outcome in procedure.outcomes}


def _bounds(match: re.Match[str]) -> tuple[Fraction | None, Fraction | None] | None:
    """Return the least and the greatest value (None: no limit), or None for a division by zero or a downward range."""
    try:
        low = Fraction(match["low"])
        high = Fraction(match["high"]) if match["high"] else low
    except ZeroDivisionError:
        return None
    if high < low:
        return None
    return None if match["less"] else low, None if match["more"] else high


def _unknown(text: str, span: Span, names: Mapping[str, tuple[str, ...]], several: tuple[str, ...]) -> Problem:
    """Return R322 for a goal with an unknown name, with names that do not go together, or without a needed value.

    ``names`` is as in ``names_in``. ``several`` has the parts of the text between commas, known outcomes as their ids.
    """
    every = [name for listed in names.values() for name in listed]
    strange = next((text for text in several if text not in names["outcomes"]), text)
    bare = strange.partition(":")[0]
    hint = "" if bare in every else suggest(bare, every, "")
    if len(several) > 1 and bare in every:
        hint = "name only outcomes, or one event or figure"
    elif bare in names["which"]:
        hint = f"add a value: {bare}:..."
    return Problem("R322", span, f"one of {', '.join(every)}", strange or "nothing", hint=hint)


def read_chance(text: str, span: Span) -> Fraction:
    """Return the exact chance that a text names. Raises ProblemsError (R323) unless it is a chance from 0 to 1.

    >>> here = Span("command line")
    >>> read_chance("1/2", here), read_chance("12.5 %", here), read_chance("0.9", here)
    (Fraction(1, 2), Fraction(1, 8), Fraction(9, 10))
    """
    match = _CHANCE.fullmatch(_SPACED.sub(r"\g<sign>", text.strip()))
    try:
        chance = Fraction(match["number"]) / (100 if match["percent"] else 1) if match else None
    except ZeroDivisionError:
        chance = None
    if chance is None or chance > 1:
        expected = "a chance from 0 to 1, such as 1/2, 50% or 0.5"
        raise ProblemsError(Problem("R323", span, expected, text.strip() or "nothing"))
    return chance


def _spell(value: Any) -> str:
    """Return a value of a figure as answers print it: yes, no, none, and the values of a list with commas between."""
    if isinstance(value, tuple):
        return ", ".join(map(_spell, value))
    return "none" if value is None else spell_value(value)


def check_ordered(procedure: Procedure, question: Question, by: str, span: Span) -> None:
    """Raise ProblemsError unless the values of the input ``by`` can be searched in order.

    Codes: R324 yes and no, or values that are not in their printed order; R325 a single value. They are reported where
    the question names the input; R325 is reported at ``span`` if that place is not known.
    """
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
    """Raise ProblemsError (R325) if an input of ``by``, or every input of the question, has a single value.

    R325 is reported where the question names the input of ``by``, or else at ``span``.
    """
    for text in by:
        _check_varies(question, text, span)
    if not question.varied:
        hint = "give an input several values: a list such as one,two or a range such as 1..5"
        raise ProblemsError(Problem("R325", span, "several options", "a single value", hint=hint))


def _check_varies(question: Question, name: str, span: Span) -> None:
    """Raise ProblemsError (R325) if the question has only one value for the input ``name``.

    R325 is reported where the question names the input, or at ``span`` if that place is not known.
    """
    if len(question.values[name]) < 2:  # noqa: PLR2004 - several
        hint = f"give {name} a list or a range, or leave it out to use all its values"
        at = question.spans.get(name, span)
        raise ProblemsError(Problem("R325", at, f"several values of {name}", "a single value", name, hint))
