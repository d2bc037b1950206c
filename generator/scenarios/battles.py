"""The finished battles of rule sets: to play as they stand, or to copy and change."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from generator.errors import ProblemsError
from generator.problems import Problem, Span
from generator.rules.load.examples import examples
from generator.rules.source.library import BATTLES
from generator.suggest import nearest, suggest

if TYPE_CHECKING:
    from collections.abc import Mapping

    from generator.rules.load.examples import Example
    from generator.rules.source.library import Library


def battles_in_reach(library: Library) -> dict[str, Example]:
    """Those of every rule set in reach, by name; of two with one name the user's comes before the shipped one."""
    return dict(sorted(examples(reversed(library.folders), BATTLES).items()))


def path_of_battle(library: Library, word: str) -> Path | None:
    """The file of the finished battle of this name, unless a rule set or a file of one's own is called so."""
    battle = battles_in_reach(library).get(word)
    return battle.path if battle and library.find(word) is None and not Path(word).is_file() else None


def misspelt_battle(library: Library, word: str) -> Problem | None:
    """R301 for a word that is nearer to the name of a battle than to a rule set's, and is nothing else."""
    known = battles_in_reach(library)
    near = nearest(word, (*library.ids(), *known))
    if near not in known or word in known or Path(word).exists() or "+" in word:
        return None
    span, hint = Span("command line", 1, 1, word), f"did you mean {near}?"
    return Problem("R301", span, "a rule set, a battle or a file", word, hint=hint)


def battle_named(known: Mapping[str, Example], name: str) -> Example:
    """The battle of this name. Raises ProblemsError: R329 no such battle."""
    if name not in known:
        hint = suggest(name, known, None if known else "there is none: roll one with fieldpress scenario")
        span = Span("command line", 1, 1, name)
        raise ProblemsError(Problem("R329", span, "a finished battle", name, "battle", hint))
    return known[name]
