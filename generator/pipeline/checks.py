"""Every problem at once."""

from __future__ import annotations

from typing import TYPE_CHECKING

from generator.rules.settings import NOTHING_SET, unknown_rulesets

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from pathlib import Path

    from generator.problems import Problem
    from generator.rules.settings import Settings


def check(
    user_folders: Iterable[Path], targets: Sequence[str], settings: Settings = NOTHING_SET
) -> tuple[Problem, ...]:
    """Every problem of rule sets named by id, folder or file; nothing is written.

    Options that are set stay so; of the others every value is tried.
    """
    from generator.documents.proof import proof
    from generator.rules.targets import targets_of

    problems: list[Problem] = []
    folders = tuple(user_folders)
    asked = [one for target in targets for one in targets_of(folders, target, settings, problems)]
    problems += unknown_rulesets(settings, {name for library, _ in asked for name in library.ids()}) if asked else ()
    for library, name in asked:
        problems += proof(library, name)
    return tuple(dict.fromkeys(problems))
