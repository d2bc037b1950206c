"""What every command begins with: a rule set without problems, and a word that nobody knows."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeAlias

from generator.errors import ProblemsError
from generator.problems import Problem, Span, has_errors

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from generator.rules.library import Library
    from generator.rules.ruleset import RuleSet

Data: TypeAlias = "dict[str, Any]"
"""What a command gives: the JSON contract as Python has it."""
PartKey: TypeAlias = "tuple[str, str]"


def load_sound(library: Library, name: str, only: Iterable[PartKey] | None = None) -> RuleSet:
    """The rule set, or as much of it as is asked for. Raises ProblemsError."""
    from generator.rules.loading import load

    problems: list[Problem] = []
    ruleset = load(library, name, problems, only)
    if ruleset is None or has_errors(problems):
        raise ProblemsError(*problems)
    return ruleset


def unknown(code: str, what: str, word: str, known: Sequence[str]) -> Problem:
    """A problem with a word of the command line, and the nearest that is known."""
    from difflib import get_close_matches

    near = get_close_matches(word, known, n=1)
    hint = f"did you mean {near[0]}?" if near else f"there are: {', '.join(known)}"
    return Problem(
        code, Span("command line", 1, 1, word), f"a {what} of this rule set", word, what.partition(",")[0], hint
    )
