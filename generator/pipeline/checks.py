"""Every problem at once."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from generator.errors import ProblemsError
from generator.rules.library import MANIFEST
from generator.rules.settings import NOTHING_SET, unknown_rulesets

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from generator.problems import Problem
    from generator.rules.settings import Settings


def check(
    user_folders: Iterable[Path], targets: Sequence[str], settings: Settings = NOTHING_SET
) -> tuple[Problem, ...]:
    """Every problem of forces, and of rule sets named by id, folder or file; nothing is written.

    Options that are set stay so; of the others every value is tried on a rule set.
    """
    problems: list[Problem] = []
    folders = tuple(user_folders)
    asked = []
    for target in targets:
        if is_players(Path(target)):
            problems += _force_problems(folders, Path(target), settings)
        else:
            from generator.rules.targets import targets_of

            asked += targets_of(folders, target, settings, problems)
    problems += unknown_rulesets(settings, {name for library, _ in asked for name in library.ids()}) if asked else ()
    for library, name in asked:
        from generator.documents.proof import proof  # a force leans on no sheet

        problems += proof(library, name)
    return tuple(dict.fromkeys(problems))


def is_players(path: Path) -> bool:
    """Whether this is a file of a player, a force: no part of a rule set."""
    return path.is_file() and not any((folder / MANIFEST).is_file() for folder in path.absolute().parents)


def _force_problems(folders: tuple[Path, ...], path: Path, settings: Settings) -> tuple[Problem, ...]:
    from generator.pipeline.forces import mustered
    from generator.rules.library import open_library

    try:
        return mustered(open_library(*folders, settings=settings), path).problems
    except ProblemsError as error:
        return tuple(error.problems)
