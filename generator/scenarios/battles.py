"""The finished battles of rule sets: to play as they stand, or to copy and change."""

from __future__ import annotations

from difflib import get_close_matches
from typing import TYPE_CHECKING

from generator.errors import ProblemsError
from generator.problems import Problem, Span
from generator.rules.examples import examples
from generator.rules.library import BATTLES

if TYPE_CHECKING:
    from collections.abc import Mapping

    from generator.rules.examples import Example
    from generator.rules.library import Library


def battles_in_reach(library: Library) -> dict[str, Example]:
    """Those of every rule set in reach, by name; of two with one name the user's comes before the shipped one."""
    return dict(sorted(examples(reversed(library.folders), BATTLES).items()))


def battle_named(known: Mapping[str, Example], name: str) -> Example:
    """The battle of this name. Raises ProblemsError: R329 no such battle."""
    if name not in known:
        near = get_close_matches(name, known, n=1)
        listed = f"there are: {', '.join(known)}" if known else "there is none: roll one with fieldpress scenario"
        hint = f"did you mean {near[0]}?" if near else listed
        span = Span("command line", 1, 1, name)
        raise ProblemsError(Problem("R329", span, "a finished battle", name, "battle", hint))
    return known[name]
