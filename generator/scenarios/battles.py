"""The finished battles of rule sets: play them as they are, or copy and change them."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from generator.errors import ProblemsError
from generator.problems import Problem, refused
from generator.rules.load.examples import Example, examples
from generator.rules.source.library import BATTLES, Library
from generator.suggest import nearest, suggest


def battles_in_reach(library: Library) -> dict[str, Example]:
    """Return the finished battles of every available rule set, by name.

    If a user's battle and a shipped battle have the same name, the user's battle is returned.
    """
    return dict(sorted(examples(reversed(library.folders), BATTLES).items()))


def path_of_battle(library: Library, word: str) -> Path | None:
    """Return the file of the finished battle with this name; None if there is no such battle.

    None also if a rule set or an existing file has the name: they come first.
    """
    battle = battles_in_reach(library).get(word)
    return battle.path if battle and library.find(word) is None and not Path(word).is_file() else None


def misspelt_battle(library: Library, word: str) -> Problem | None:
    """Return R301 if a word looks like a misspelt battle name; None if it is a battle, a path or several rule sets.

    None also for a word that is not near any name. The word must be nearer to the name of a battle than to the id of a
    rule set.
    """
    known = battles_in_reach(library)
    near = nearest(word, (*library.ids(), *known))
    if near not in known or word in known or Path(word).exists() or "+" in word:
        return None
    return refused("R301", word, "a rule set, a battle or a file", word, f"did you mean {near}?")


def battle_named(known: Mapping[str, Example], name: str) -> Example:
    """Return the battle with this name. Raises ProblemsError (R329) if there is no such battle."""
    if name not in known:
        hint = suggest(name, known, None if known else "there is none: roll one with fieldpress scenario")
        raise ProblemsError(refused("R329", name, "a finished battle", name, hint, "battle"))
    return known[name]
