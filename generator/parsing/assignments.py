"""Words ``key=value`` as people type them, each with its place on the line."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from generator.errors import ProblemsError
from generator.problems import Problem, Span

if TYPE_CHECKING:
    from collections.abc import Sequence


class Said(NamedTuple):
    """One ``key=value`` and where it stands. In a word that is none, the name or the value is empty."""

    name: str
    value: str
    span: Span
    value_span: Span
    word: str = ""
    """The whole of it, as it was typed."""


def split_words(
    words: Sequence[str], shown: str = "command line", before: str = "", after: str = ""
) -> tuple[Said, ...]:
    """Each ``key=value`` of a command line; positions count into the words joined by spaces.

    ``before`` and ``after`` are what else stands on that line. Raises ProblemsError (R311) for words without an
    equals sign.
    """
    said = part_words(words, shown, before, after)
    hint = "the name of an option and its value, no spaces around ="
    problems = [_not_said(word, hint, "name=yes") for word in said if not word.name or not word.value]
    if problems:
        raise ProblemsError(*problems)
    return said


def part_words(
    words: Sequence[str], shown: str = "command line", before: str = "", after: str = ""
) -> tuple[Said, ...]:
    """Return the same with the broken words among them: the reader of broken words knows what is missing."""
    line = " ".join([*filter(None, [before]), *words, *filter(None, [after])])
    said: list[Said] = []
    column = len(before) + 2 if before else 1
    for word in words:
        name, _, value = word.partition("=")
        at = Span(shown, 1, column, line)
        said.append(Said(name.strip(), value.strip(), at, Span(shown, 1, column + len(name) + 1, line), word))
        column += len(word) + 1
    return tuple(said)


def _not_said(said: Said, hint: str, example: str, field: str = "") -> Problem:
    return Problem("R311", said.span, f"key=value, such as {example}", said.word or "nothing", field, hint)
