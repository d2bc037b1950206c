"""Load a scenario with its rules and forces, and create scenario files."""

from __future__ import annotations

from typing import TYPE_CHECKING

from generator.commands.access import (
    Data,
    load_for_file,
    load_named,
    load_valid,
    name_problems,
    of_another_edition,
    write_with_schema,
)
from generator.errors import ProblemsError
from generator.rules.load.load import ALL
from generator.rules.source.library import SCENARIO
from generator.scenarios.files import NO_RULES, SideFile, read_scenario, within
from generator.scenarios.schema import scenario_schema

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from pathlib import Path

    from generator.forces.force import Force
    from generator.problems import Problem
    from generator.rules.model.change import PartKey
    from generator.rules.ruleset import RuleSet
    from generator.rules.source.library import Library
    from generator.scenarios.scenario import Scenario


def load_scenario_file(library: Library, path: Path, more: Iterable[PartKey] = ()) -> Scenario:
    """Return the checked scenario of a file, with its forces. Settings of the library override settings of the files.

    ``more`` are the parts of the rules to load in addition to kinds and terrain, such as those for packs.

    Raises ProblemsError if nothing can be used: a file that cannot be read, or unknown rules.
    """
    from generator.rules.source.settings import unknown_rulesets
    from generator.scenarios.advice import REGIONS
    from generator.scenarios.load import stage
    from generator.scenarios.terrain_kinds import MOVERS, SPECIAL, TERRAIN

    file = read_scenario(path)
    unknown = [*unknown_rulesets(file.settings, library.ids())]
    for side in file.sides:
        if side.force is not None:
            strange = unknown_rulesets(side.force.settings, library.ids())
            unknown += (within(ruleset, side.place / "force") if side.inline else ruleset for ruleset in strange)
    sides = [_of_known_rules(library, side, file.rules, unknown) for side in file.sides]
    file = file._replace(problems=(*file.problems, *unknown), sides=tuple(sides))
    for side in file.sides:
        library = library._replace(settings=(side.force.settings if side.force else file.settings) | library.settings)
    library = library._replace(settings=file.settings | library.settings)
    keys = [("kinds", ALL), *((SCENARIO, item) for item in (TERRAIN, MOVERS, SPECIAL, REGIONS)), *more]

    def checked(rules: RuleSet, unset: Sequence[Problem] = ()) -> Scenario:
        hint = "roll the scenario again, or check it against the new rules"
        problems = [*unset, *of_another_edition("S239", file.plain.edition, file.place, library, rules, hint)]
        forces = [_force_of_side(side, rules, problems) for side in file.sides]
        return stage(file, rules, forces, problems)

    unset: list[Problem] = []
    rules = load_for_file(library, file, keys, unset, lambda rules: checked(rules).problems)
    return checked(rules, unset)


def _of_known_rules(
    library: Library, side: SideFile, scenario_rules: Sequence[str], problems: list[Problem]
) -> SideFile:
    """Return a side whose force names only known rules.

    Adds R301 for an unknown rule set, and R207 for a repeated rule set. An inline force with the rules of the scenario
    (``scenario_rules``) is returned unchanged, because the scenario reports these rules.
    """
    if side.force is None or (side.inline and side.force.rules == tuple(scenario_rules or NO_RULES)):
        return side
    unsound = name_problems(library, side.force.rules, side.force.place / "rules")
    problems += (within(name, side.place / "force") if side.inline else name for name in unsound)
    known = (part for name in side.force.rules for part in name.split("+") if library.find(part) is not None)
    return side._replace(force=side.force._replace(rules=tuple(known)))


def schema(library: Library, name: str) -> Data:
    """Return the JSON Schema of a rule set's scenario files. Raises ProblemsError for rules that cannot be read."""
    return scenario_schema(load_valid(library, name, only=[("kinds", ALL), (SCENARIO, ALL)]))


def new_battle(library: Library, name: str, folder: Path) -> tuple[Path, ...]:
    """Write a copy of a finished battle and its schema into a folder; return the paths.

    Raises ProblemsError: F131 if a file exists already, R329 if there is no such battle.
    """
    from generator.scenarios.battles import battle_named, battles_in_reach

    battle = battle_named(battles_in_reach(library), name)
    text, file = battle.document().text, read_scenario(battle.path)
    rules = load_named(library, file, [("kinds", ALL), (SCENARIO, ALL)], [])
    return write_with_schema(folder, "battle", text, scenario_schema(rules))


def _force_of_side(side: SideFile, rules: RuleSet, problems: list[Problem]) -> Force | None:
    """Return the force of a side under the rules of the scenario. Adds the problems of the force.

    Return None if the side has no force, or if the force cannot be priced.
    """
    from generator.forces.load import load_force

    if side.force is None:
        return None
    try:
        force = load_force(side.force, rules)
    except ProblemsError as error:
        problems += error.problems
        return None
    at = side.place / "force"
    problems += [within(problem, at) if side.inline else problem for problem in force.problems]
    return force
