"""A scenario file under its rules, with its forces."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from generator.errors import ProblemsError
from generator.pipeline.access import load_named, load_sound
from generator.pipeline.jobs import CARDS, MAP, MARKERS, RECORDS, SCORE_SHEET, TILES, Job, unprintable

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from generator.forces.force import Force
    from generator.pipeline.access import Data
    from generator.pipeline.jobs import Wanted
    from generator.problems import Problem
    from generator.rules.library import Library
    from generator.rules.ruleset import RuleSet
    from generator.scenarios.files import SideFile
    from generator.scenarios.scenario import Scenario


def staged(library: Library, path: Path, more: Sequence[tuple[str, str]] = ()) -> Scenario:
    """A scenario, checked, and its forces mustered. What the library's player set goes over what the files set.

    ``more`` names what is to be read of its rules besides what the checks lean on.

    Raises ProblemsError where there is nothing to go on with: a file that cannot be read, rules that nobody has.
    """
    from generator.rules.library import SCENARIO
    from generator.rules.loading import ALL
    from generator.scenarios.files import read_scenario
    from generator.scenarios.ground import MOVERS, SPECIAL, TERRAIN
    from generator.scenarios.staging import stage

    file = read_scenario(path)
    for side in file.sides:
        library = library._replace(settings=(side.force.settings if side.force else file.settings) | library.settings)
    library = library._replace(settings=file.settings | library.settings)
    wanted = [("kinds", ALL), *((SCENARIO, one) for one in (TERRAIN, MOVERS, SPECIAL)), *more]
    rules = load_named(library, file.rules, file.place, file.problems, wanted)
    found: list[Problem] = []
    forces = [_mustered(one, rules, found) for one in file.sides]
    return stage(file, rules, forces, found)


def scenario_jobs(
    library: Library, path: Path, wanted: Wanted, known: dict[str, None], faults: list[Problem]
) -> list[Job]:
    """The sheets of a scenario, drafts where it has ``faults``; ``known`` learns the names of sheets.

    Raises ProblemsError: as ``staged`` does, and for a scenario without a table.
    """
    from generator.documents.maps import map_sheet, tile_sheets
    from generator.documents.markers import marker_sheet
    from generator.documents.records import record_sheets
    from generator.documents.scores import score_sheet
    from generator.rules.editions import fingerprint
    from generator.rules.library import SCENARIO
    from generator.rules.loading import ALL

    known.update(dict.fromkeys((MAP, TILES, MARKERS, SCORE_SHEET, RECORDS)))
    more = [(SCENARIO, one) for one in (MARKERS, RECORDS) if one in wanted.only]
    scenario = staged(library, path, [*more, (CARDS, ALL)] if RECORDS in wanted.only else more)
    if scenario.table is None:
        raise ProblemsError(*scenario.problems)
    faults += scenario.problems
    mark, blame = fingerprint(scenario.rules, scenario=True), partial(unprintable, scenario.place)
    jobs = []
    if wanted.sheet(MAP):
        sheet = map_sheet(scenario, scenario.table, mark)
        jobs.append(Job(sheet, MAP, sheet.id, blame))
    if TILES in wanted.only:
        tiles = tile_sheets(scenario, scenario.table, mark)
        jobs.append(Job(tiles, TILES, tiles.id, blame))
    if MARKERS in wanted.only:
        counters = marker_sheet(scenario, mark)
        jobs.append(Job(counters, MARKERS, counters.id, blame))
    if SCORE_SHEET in wanted.only:
        sheet = score_sheet(scenario, mark)
        jobs.append(Job(sheet, SCORE_SHEET, sheet.id, blame))
    if RECORDS in wanted.only:
        jobs += [Job(one, RECORDS, one.id, blame) for _, one in record_sheets(scenario, mark)]
    return jobs


def schema(library: Library, name: str) -> Data:
    """The JSON Schema of a rule set's scenario files. Raises ProblemsError for rules that cannot be read."""
    from generator.rules.library import SCENARIO
    from generator.rules.loading import ALL
    from generator.scenarios.schema import scenario_schema

    return scenario_schema(load_sound(library, name, only=[("kinds", ALL), (SCENARIO, ALL)]))


def _mustered(side: SideFile, rules: RuleSet, found: list[Problem]) -> Force | None:
    """The force of a side under the rules of the scenario; None where it was not read, or has no answer."""
    from generator.forces.muster import muster
    from generator.scenarios.files import within

    if side.force is None:
        return None
    try:
        force = muster(side.force, rules)
    except ProblemsError as error:
        found += error.problems
        return None
    at = side.place / "force"
    found += [within(one, at) if side.inline else one for one in force.problems]
    return force
