"""Check forces, scenarios and rule sets, and report all of their problems at once."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Sequence
from pathlib import Path

from generator.commands.access import open_library
from generator.commands.jobs import CARDS, SHEETS, Job, Pack
from generator.errors import ProblemsError
from generator.parsing.text import STDIN, read_text
from generator.parsing.workbook import TABLES
from generator.problems import Problem, has_errors
from generator.rules.load.examples import examples, is_example
from generator.rules.source.library import BATTLES, MANIFEST, SAMPLES, Library, is_supplement
from generator.rules.source.parts import in_order
from generator.rules.source.settings import NOTHING_SET, Settings, unknown_rulesets
from generator.scenarios.battles import misspelt_battle, path_of_battle

_BEGINS = re.compile(r"""^(?:\{\s*)?["']?(?:scenario|sides)["']?\s*:""", re.MULTILINE | re.IGNORECASE)
"""A top-level key that a scenario has and a force does not."""


def check(
    user_folders: Iterable[Path],
    targets: Sequence[str],
    settings: Settings = NOTHING_SET,
    progress: Callable[[int, int, str], None] = lambda *_: None,
    jobs_of: Callable[..., list[Job | Pack]] = lambda *_, **__: [],
) -> tuple[Problem, ...]:
    """Return every problem of forces, scenarios, folders of supplements, and rule sets named by id, folder or file.

    A rule set is checked with every value of each option that is not set. ``progress`` is called with the number of
    checked parts of a rule set; ``jobs_of`` returns print jobs of what a book names. Nothing is written.
    """
    problems: list[Problem] = []
    folders = tuple(user_folders)
    rulesets = []
    for target in targets:
        if is_players(Path(target)):
            problems += _players_problems(folders, Path(target), settings)
            continue
        library = open_library(*folders)
        if is_supplement(Path(target)):
            from generator.commands.books import supplement_job  # it imports what prints

            try:
                library = open_library(*folders, settings=settings)
                supplement_job(library, Path(target), problems, jobs_of)
            except ProblemsError as error:
                problems += error.problems
        elif (battle := path_of_battle(library, target)) is not None:
            problems += _players_problems(folders, battle, settings)
        elif (misspelt := misspelt_battle(library, target)) is not None:
            problems.append(misspelt)
        else:
            from generator.rules.load.names import targets_of

            rulesets += targets_of(open_library, folders, target, settings, problems)
    problems += (
        unknown_rulesets(settings, {name for library, _ in rulesets for name in library.ids()}) if rulesets else ()
    )
    for library, name in rulesets:
        from generator.documents.reference.proof import proof  # only rule sets need it

        rule_problems = proof(library, name, progress)
        problems += rule_problems if has_errors(rule_problems) else (*rule_problems, *of_examples(library, name))
    once: dict[Problem, Problem] = {}
    for problem in problems:  # of duplicates, the first has the fullest hint
        once.setdefault(problem._replace(hint=""), problem)
    return tuple(once.values())


def is_players(path: Path) -> bool:
    """Return whether a file is a player's file: outside every rule set, or a sample or battle of a rule set.

    True for standard input; False for a folder or a missing file.
    """
    if path == STDIN:
        return True
    try:
        if path.is_dir() or not path.exists():
            return False
    except OSError:  # a name that is too long
        return False
    return is_example(path) or not any((folder / MANIFEST).is_file() for folder in path.absolute().parents)


def is_scenario(path: Path) -> bool:
    """Return whether a file is meant as a scenario; False for a spreadsheet and for a file that cannot be read."""
    if path.suffix.lower() in TABLES:
        return False
    text, _ = read_text(path, str(path))
    return text is not None and _BEGINS.search(text) is not None


def _players_problems(folders: tuple[Path, ...], path: Path, settings: Settings) -> tuple[Problem, ...]:
    """Return every problem of a player's file and of the settings for it."""
    beside = (path.absolute().parents[2],) if is_example(path) else ()  # the example's rule set and its parents
    library = open_library(*folders, *beside, settings=settings)
    return (*unknown_rulesets(settings, library.ids()), *_problems_of(library, path))


def of_examples(library: Library, name: str) -> list[Problem]:
    """Return the problems of a rule set's own samples and battles.

    Battles are checked with advice, because they are played as they are. Advice on samples is left out, because it
    depends on the battle in which a sample is used.
    """
    own = [folder for part in name.split("+") if (folder := library.find(part)) is not None]
    samples = examples(own, SAMPLES).values()
    sample_problems = [problem for sample in samples for problem in _problems_of(library, sample.path, (CARDS, SHEETS))]
    return [problem for problem in sample_problems if problem.severity == "error"] + [
        problem for item in examples(own, BATTLES).values() for problem in _problems_of(library, item.path)
    ]


def _problems_of(library: Library, path: Path, more: Collection[str] = ()) -> tuple[Problem, ...]:
    """Return the problems of a scenario, or of a force and its printed sheets.

    ``more`` are the parts of the rules to load for a force in addition to its kinds.
    """
    from generator.commands.forces import load_force_file

    try:
        if is_scenario(path):
            from generator.commands.scenarios import load_scenario_file
            from generator.documents.unprintable import strange_signs_of_battle

            scenario = load_scenario_file(library, path)
            return in_order(scenario.place, (*scenario.problems, *strange_signs_of_battle(scenario)))
        from generator.documents.unprintable import strange_signs

        force = load_force_file(library, path, more)
        problems = [*force.problems, *strange_signs(force)]
        try:  # some problems appear only when cards and sheets are made
            if CARDS in more:
                from generator.documents.force.cards import deck

                deck(force, "")
            if force.rules.sheets_of_kinds():
                from generator.documents.force.designs import sheets_of_designs

                list(sheets_of_designs(force, ""))
        except ProblemsError as error:
            problems += error.problems
        return in_order(force.place, problems)
    except ProblemsError as error:
        return error.problems
