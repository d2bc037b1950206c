"""Split words ``key=value`` of a command line, with the place of each word."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from generator.errors import ProblemsError
from generator.problems import Problem, Span


class Assignment(NamedTuple):
    """One ``key=value`` with its place. In a word of another form, the name or the value is empty."""

    name: str
    value: str
    span: Span
    value_span: Span
    word: str = ""
    """The whole word as it was typed."""


def split_words(words: Sequence[str]) -> tuple[Assignment, ...]:
    """Split each ``key=value`` of a command line at its first ``=``; columns count in the words joined by spaces.

    A repeated name is returned each time.
    Raises ProblemsError (R311) for a word without a name or a value.
    """
    assignments = part_words(words)
    hint = "the name of an option and its value, no spaces around ="
    problems = [invalid_assignment(word, hint, "name=yes") for word in assignments if not word.name or not word.value]
    if problems:
        raise ProblemsError(*problems)
    return assignments


def part_words(words: Sequence[str], before: str = "", after: str = "") -> tuple[Assignment, ...]:
    """Split words as ``split_words`` does, but keep words without a name or a value for the caller to report.

    ``before`` and ``after`` are the texts before and after the words on the command line, so that places fit the whole
    line.
    """
    line = " ".join([*filter(None, [before]), *words, *filter(None, [after])])
    assignments: list[Assignment] = []
    column = len(before) + 2 if before else 1
    for word in words:
        name, _, value = word.partition("=")
        at = Span("command line", 1, column, line)
        value_at = at._replace(column=column + len(name) + 1)
        assignments.append(Assignment(name.strip(), value.strip(), at, value_at, word))
        column += len(word) + 1
    return tuple(assignments)


def invalid_assignment(word: Assignment, hint: str, example: str, field: str = "") -> Problem:
    """Return R311 for a word that is not ``key=value``; ``example`` is a correct word that the message shows."""
    return Problem("R311", word.span, f"key=value, such as {example}", word.word or "nothing", field, hint)
