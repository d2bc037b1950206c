"""Every problem at once."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from generator.errors import ProblemsError
from generator.forces.samples import is_sample, samples
from generator.pipeline.jobs import SHEETS
from generator.problems import has_errors
from generator.rules.library import MANIFEST
from generator.rules.settings import NOTHING_SET, unknown_rulesets

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Sequence

    from generator.problems import Problem
    from generator.rules.library import Library
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

        found = proof(library, name)
        problems += found if has_errors(found) else (*found, *_sample_problems(library, name))
    return tuple(dict.fromkeys(problems))


def is_players(path: Path) -> bool:
    """Whether this is a file of a player, a force: no part of a rule set, unless it is one of its samples."""
    if not path.is_file():
        return False
    return is_sample(path) or not any((folder / MANIFEST).is_file() for folder in path.absolute().parents)


def _force_problems(folders: tuple[Path, ...], path: Path, settings: Settings) -> tuple[Problem, ...]:
    from generator.rules.library import open_library

    beside = (path.absolute().parents[2],) if is_sample(path) else ()  # its rule set, and the parents of that
    return _mustered_problems(open_library(*folders, *beside, settings=settings), path)


def _sample_problems(library: Library, name: str) -> list[Problem]:
    """What is wrong with a rule set's own samples. Advice is for the battle that a force goes to, so it is left out."""
    own = [folder for one in name.split("+") if (folder := library.find(one)) is not None]
    found = [problem for one in samples(own).values() for problem in _mustered_problems(library, one.path, (SHEETS,))]
    return [problem for problem in found if problem.severity == "error"]


def _mustered_problems(library: Library, path: Path, more: Collection[str] = ()) -> tuple[Problem, ...]:
    """What is wrong with a force, and with the sheets of its designs where the rules are read with these."""
    from generator.pipeline.forces import mustered

    try:
        force = mustered(library, path, more)
        if force.rules.sheets_of_kinds():
            from generator.documents.designs import sheets_of_designs

            for _ in sheets_of_designs(force, ""):  # what only shows when one is made
                pass
        return force.problems  # noqa: TRY300 - what is made may raise
    except ProblemsError as error:
        return tuple(error.problems)
