"""Every problem at once."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

from generator.errors import ProblemsError
from generator.rules.library import MANIFEST
from generator.rules.settings import NOTHING_SET, unknown_rulesets
from generator.sources.text import read_text

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from generator.problems import Problem
    from generator.rules.settings import Settings

_BEGINS = re.compile(r"""^(?:\{\s*)?["']?(?:scenario|sides)["']?\s*:""", re.MULTILINE)
"""A key of the whole file that no force has."""


def check(
    user_folders: Iterable[Path], targets: Sequence[str], settings: Settings = NOTHING_SET
) -> tuple[Problem, ...]:
    """Every problem of forces and scenarios, and of rule sets named by id, folder or file; nothing is written.

    Options that are set stay so; of the others every value is tried on a rule set.
    """
    problems: list[Problem] = []
    folders = tuple(user_folders)
    asked = []
    for target in targets:
        if is_players(Path(target)):
            problems += _players_problems(folders, Path(target), settings)
        else:
            from generator.rules.targets import targets_of

            asked += targets_of(folders, target, settings, problems)
    problems += unknown_rulesets(settings, {name for library, _ in asked for name in library.ids()}) if asked else ()
    for library, name in asked:
        from generator.documents.proof import proof  # a force leans on no sheet

        problems += proof(library, name)
    return tuple(dict.fromkeys(problems))


def is_players(path: Path) -> bool:
    """Whether this is a file of a player, a force or a scenario: no part of a rule set."""
    return path.is_file() and not any((folder / MANIFEST).is_file() for folder in path.absolute().parents)


def is_scenario(path: Path) -> bool:
    """Whether a file is meant as a scenario. What cannot be read is none."""
    if path.suffix.lower() == ".csv":
        return False
    text, _ = read_text(path, str(path))
    return text is not None and _BEGINS.search(text) is not None


def _players_problems(folders: tuple[Path, ...], path: Path, settings: Settings) -> tuple[Problem, ...]:
    from generator.rules.library import open_library

    library = open_library(*folders, settings=settings)
    try:
        if is_scenario(path):
            from generator.pipeline.scenarios import staged

            return staged(library, path).problems
        from generator.pipeline.forces import mustered

        return mustered(library, path).problems
    except ProblemsError as error:
        return tuple(error.problems)
