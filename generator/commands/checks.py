"""Check forces, scenarios and rule sets, and report all of their problems at once."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from pathlib import Path

from generator.commands.access import is_players, is_scenario, open_library
from generator.commands.jobs import CARDS, SHEETS
from generator.errors import ProblemsError
from generator.problems import Problem, has_errors
from generator.rules.load.examples import examples, is_example
from generator.rules.source.library import BATTLES, SAMPLES, Library, is_supplement
from generator.rules.source.parts import in_order
from generator.rules.source.settings import NOTHING_SET, Settings, unknown_rulesets
from generator.scenarios.files import misspelt_battle, path_of_battle


def check(
    user_folders: Iterable[Path],
    targets: Sequence[str],
    settings: Settings = NOTHING_SET,
    progress: Callable[[int, int, str], None] = lambda *_: None,
) -> tuple[Problem, ...]:
    """Return every problem of forces, scenarios, folders of supplements, and rule sets named by id, folder or file.

    A rule set is checked with every value of each option that is not set. ``progress`` is called with the number of
    checked parts of a rule set. Nothing is written.
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
            from generator.commands.books import supplement_job  # they import what prints
            from generator.commands.printing import jobs_of

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
        from generator.documents.sheets import proof  # only rule sets need it

        rule_problems = proof(library, name, progress)
        problems += rule_problems if has_errors(rule_problems) else (*rule_problems, *of_examples(library, name))
    once: dict[Problem, Problem] = {}
    for problem in problems:  # of duplicates, the first has the fullest hint
        once.setdefault(problem._replace(hint=""), problem)
    return tuple(once.values())


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
