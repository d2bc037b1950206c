"""The full check of a rule set: it is read and checked, and its sheets are made, with every option setting."""

from __future__ import annotations

from typing import TYPE_CHECKING

from generator.documents.sheets import compose
from generator.errors import ProblemsError
from generator.problems import Problem, Span, has_errors
from generator.rules.check.ruleset import MAX_COMBINATIONS, check_ruleset, check_words, untouched
from generator.rules.entries.options import other_settings
from generator.rules.load.load import ALL, load
from generator.rules.procedures.inputs import spell_inputs
from generator.rules.source.library import BATTLES, CHANGES, ERRATA, FOLDERS, MANIFEST, MISSIONS, SAMPLES, SCENARIO
from generator.scenarios.terrain_kinds import check_names

if TYPE_CHECKING:
    from collections.abc import Callable, Collection
    from pathlib import Path

    from generator.rules.ruleset import RuleSet
    from generator.rules.source.library import Folder, Library


def proof(library: Library, name: str, progress: Callable[[int, int, str], None] = lambda *_: None) -> list[Problem]:
    """Return all problems of a rule set. If there is no error, the rule set is also checked with other option settings.

    ``progress`` is called with the count of parts done, the count of all parts, and the current part. A rule set that
    cannot be loaded gives the problems of loading.
    """
    ruleset, problems = _proof(library, name, progress=progress)
    if ruleset is not None and any(folder.scenario_ids() for folder in ruleset.chain):
        whole = not has_errors(problems)  # after an error, further checks would only report consequences
        ground = load(library, name, problems, only=[(SCENARIO, ALL)])
        if ground is not None and whole:
            check_names(ground, ruleset, problems)
            check_words(ground.tables.values(), ground.own, problems)
    problems += [stray for folder in map(library.find, name.split("+")) if folder for stray in unused_files(folder)]
    if ruleset is None or has_errors(problems):
        return problems
    return problems + _otherwise(library, ruleset, progress)


def _proof(
    library: Library,
    name: str,
    parts: int = 1,
    changed: Collection[str] | None = None,
    progress: Callable[[int, int, str], None] = lambda *_: None,
) -> tuple[RuleSet | None, list[Problem]]:
    """Return a rule set and its problems; None if the rule set cannot be loaded.

    Each of several ``parts`` tries only its share of the combinations of inputs. If options are ``changed``, odds that
    do not depend on these options are not checked again.
    """
    problems: list[Problem] = []
    ruleset = load(library, name, problems)
    seen = () if ruleset is None or changed is None else untouched(ruleset.procedures, changed)
    try:
        if ruleset is not None and not problems:
            check_ruleset(ruleset, problems, MAX_COMBINATIONS // parts, seen)
        if ruleset is not None and not has_errors(problems):
            sheets = ruleset.own_sheets()
            for index, sheet in enumerate(sheets):  # some problems only appear when a sheet is made: designs, prices
                progress(index, len(sheets), f"{name}, {sheet.model.title}")
                compose(ruleset, sheet, "", problems, seen)
    except ProblemsError as error:
        problems += error.problems
    return ruleset, problems


def _otherwise(library: Library, ruleset: RuleSet, progress: Callable[[int, int, str], None]) -> list[Problem]:
    """Return the errors that occur only with other option settings, each once, with the settings that cause it."""
    held = {option.name for option in library.settings.options_for({folder.ruleset for folder in ruleset.chain})}
    ways = other_settings(ruleset.options, held)
    problems: dict[tuple[str, Span, str], Problem] = {}
    for index, way in enumerate(ways):
        progress(index, len(ways), f"{ruleset.id} with {spell_inputs(way)}")
        for problem in _proof(library.with_options(way), ruleset.id, len(ways), way)[1]:
            if problem.severity == "error":
                said = problem._replace(found=f"{problem.found}, with {spell_inputs(way)}")
                problems.setdefault((problem.code, problem.span, problem.field), said)
    return list(problems.values())


_HEADS = (MANIFEST, CHANGES, ERRATA)


_FOLDERS = (*FOLDERS, MISSIONS, SAMPLES, BATTLES)


_DATA = (".yaml", ".yml", ".json", ".csv")
"""The endings of rule data; other files, such as notes and pictures, are not reported."""


def unused_files(folder: Folder) -> list[Problem]:
    """Return R239 (advice) for each file of a rule set that looks like rule data and that nothing reads.

    Rule data are .yaml, .yml, .json and .csv files in any folder below the rule set; hidden files do not count.
    """
    found = []
    for file in sorted(folder.path.rglob("*")):
        way = file.relative_to(folder.path)
        hidden = any(part.startswith(".") for part in way.parts)
        if file.suffix.lower() in _DATA and not hidden and file.is_file() and not _is_read(way):
            hint = "rename or move the file, or delete it"
            expected = f"{', '.join(_HEADS)}, or a file ID.yaml right in {'/, '.join(_FOLDERS)}/"
            span = Span(folder.show(*way.parts))
            found.append(Problem("R239", span, expected, "a file that nothing reads", hint=hint, severity="advice"))
    return found


def _is_read(way: Path) -> bool:
    """Return whether the loader reads a file at this path inside a rule set."""
    if len(way.parts) == 1:
        return way.name in _HEADS
    return len(way.parts) == 2 and way.parts[0] in _FOLDERS and way.suffix == ".yaml"  # noqa: PLR2004 - folder, file
