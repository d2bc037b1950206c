"""Load a scenario with its rules and forces, copy a finished battle, and roll a new scenario."""

from __future__ import annotations

from functools import cache, partial
from typing import TYPE_CHECKING, Any, NamedTuple

from generator.commands.access import (
    Data,
    is_scenario,
    load_for_file,
    load_valid,
    name_problems,
    of_another_edition,
    write_with_schema,
)
from generator.forces.load import NO_RULES, load_force, read_force
from generator.problems import Problem, ProblemsError, Span, has_errors, raise_any, raise_errors, refused
from generator.rules.load.load import ALL
from generator.rules.source.library import SAMPLES, SCENARIO, Library, examples
from generator.rules.source.settings import Setting, Settings, unknown_rulesets
from generator.scenarios.files import SideFile, battle_named, battles_in_reach, path_of_battle, read_scenario, within
from generator.scenarios.scenario import MOVERS, SPECIAL, TERRAIN, Scenario, columns_problems
from generator.scenarios.schema import scenario_schema

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence
    from pathlib import Path

    from generator.forces.force import Force
    from generator.rules.model.manifest import PartKey
    from generator.rules.ruleset import RuleSet
    from generator.scenarios.generate.roll import PinnedScenario, ScenarioRequest
    from generator.scenarios.generate.tables import Shortfall

_BUDGET = "F210"
"""The code for a force over its budget. It is ignored here, because the scenario limits the chosen units instead."""

_OVERRULED = (
    ("--points", "points", "forces"),
    ("--size", "size", "forces"),
    ("--side-force", "forces", "forces"),
    ("--mission", "mission", "mission"),
    ("--map", "region", "map"),
    ("--terrain", "terrain", "map"),
)
"""Options that set a part of the scenario: the option, its field in ``ScenarioRequest``, and the part."""


def load_scenario_file(library: Library, path: Path, more: Iterable[PartKey] = ()) -> Scenario:
    """Return the checked scenario of a file, with its forces and the problems of these files.

    Settings of the library override those of the scenario, which override those of its forces. ``more`` are the parts
    of the rules to load in addition to kinds and terrain, such as those for packs.

    Raises ProblemsError if the file cannot be read, or if its rules are missing, unknown, named twice or have errors.
    Raises OSError as ``load_force`` does.
    """
    from generator.scenarios.check import REGIONS
    from generator.scenarios.load import stage

    file = read_scenario(path)
    unknown = [*unknown_rulesets(file.settings, library.ids())]
    for side in file.sides:
        if side.force is not None:
            strange = unknown_rulesets(side.force.settings, library.ids())
            unknown += (within(ruleset, side.model.place / "force") if side.inline else ruleset for ruleset in strange)
    sides = [_of_known_rules(library, side, file.rules, unknown) for side in file.sides]
    file = file._replace(problems=(*file.problems, *unknown), sides=tuple(sides))
    for settings in (file.settings, *(side.force.settings for side in file.sides if side.force)):  # the first wins
        library = library._replace(settings=settings | library.settings)
    keys = [("kinds", ALL), *((SCENARIO, item) for item in (TERRAIN, MOVERS, SPECIAL, REGIONS)), *more]

    def checked(rules: RuleSet, unset: Sequence[Problem] = ()) -> Scenario:
        raise_any(columns_problems(rules))
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

    Names joined by ``+`` become several names. Adds R301 for an unknown rule set, and R207 for a repeated rule set,
    which stays. A side without a force is returned unchanged. So is a side with an inline force with the rules of the
    scenario (``scenario_rules``), because the scenario reports these rules.
    """
    if side.force is None or (side.inline and side.force.rules == tuple(scenario_rules or NO_RULES)):
        return side
    unsound = name_problems(library, side.force.rules, side.force.place / "rules")
    problems += (within(name, side.model.place / "force") if side.inline else name for name in unsound)
    known = (part for name in side.force.rules for part in name.split("+") if library.find(part) is not None)
    return side._replace(force=side.force._replace(rules=tuple(known)))


def schema(library: Library, name: str) -> Data:
    """Return the JSON Schema of a rule set's scenario files. Raises ProblemsError as ``_load_tables`` does."""
    return scenario_schema(_load_tables(library, name))


def _load_tables(library: Library, name: str, *more: PartKey) -> RuleSet:
    """Return the kinds of a rule set and its tables for scenarios, and ``more`` parts.

    Raises ProblemsError: S218 as ``columns_problems``, others as ``load_valid``.
    """
    rules = load_valid(library, name, [("kinds", ALL), (SCENARIO, ALL), *more])
    raise_any(columns_problems(rules))
    return rules


def new_battle(library: Library, name: str, folder: Path) -> tuple[Path, ...]:
    """Write a copy of a finished battle and its schema into a folder; return the paths.

    The files are always ``battle.yaml`` and ``battle.schema.json``; files of forces are not copied. Raises
    ProblemsError: F131 if a file exists or cannot be written, R329 if there is no such battle; others if the battle
    cannot be read or its rules have errors.
    """
    battle = battle_named(battles_in_reach(library), name)
    text, file = battle.document().text, read_scenario(battle.path)
    rules = _load_tables(library, "+".join(file.rules))
    return write_with_schema(folder, "battle", text, scenario_schema(rules))


def _force_of_side(side: SideFile, rules: RuleSet, problems: list[Problem]) -> Force | None:
    """Return the force of a side under the rules of the scenario. Adds the problems of the force.

    Return None if the side has no force, or if the rule data gives no price (R241). A force with errors is returned.
    Raises OSError as ``load_force`` does.
    """
    if side.force is None:
        return None
    try:
        force = load_force(side.force, rules)
    except ProblemsError as error:
        problems += error.problems
        return None
    at = side.model.place / "force"
    problems += [within(problem, at) if side.inline else problem for problem in force.problems]
    return force


class Stage(NamedTuple):
    """The data for generating scenarios of a rule set, read once: its rules, its samples, and their edition."""

    library: Library
    rules: RuleSet
    samples: Mapping[str, Callable[[], Force]]
    """For each sample, by its name: a function that reads it once."""
    mark: str
    """The edition of the rules and samples, as the scenario file records it."""

    def roll(self, request: ScenarioRequest) -> tuple[str, tuple[Shortfall, ...]]:
        """Return the text of a new scenario file, and a note for each result that falls short of the request.

        The files of the request are read here.

        Raises ProblemsError if a file cannot be read or used, or if the scenario cannot be rolled. A force that breaks
        its rules cannot be used, but it may be over its budget.
        """
        from generator.scenarios.generate.scenario import generated, spell_scenario
        from generator.scenarios.generate.tables import read_box

        rules = self.rules
        sources = tuple(_source(self.library, rules, path) for path in request.forces)
        kept = _pinned_scenario(self.library, rules, *request.pin, request) if request.pin is not None else None
        box = read_box(request.terrain, rules) if request.terrain is not None else None
        request = request._replace(sources=sources, box=box, kept=kept)
        said, shortfalls = generated(rules, self.mark, request, [*self.samples.values()])
        return spell_scenario(said | self._settings()), shortfalls

    def _settings(self) -> dict[str, dict[str, dict[str, Any]]]:
        """Return the options of the rules that are not at their defaults, and the answers, as a scenario file has them.

        They are under ``options`` and ``answers``, by rule set and name. Without any, the key is missing.
        """
        nowhere, rules = Span(""), self.rules
        changed = [option for option in rules.options.values() if option.value != option.default]
        options = tuple(Setting(item.owner, item.name, item.value, nowhere, nowhere) for item in changed)
        answers = self.library.settings.answers_for({folder.ruleset for folder in rules.chain})
        return Settings(options, answers).by_ruleset()


def set_up(library: Library, name: str) -> Stage:
    """Return the rules and samples of a rule set. A sample is read when it is first needed.

    Raises ProblemsError as ``_load_tables`` does.
    """
    from generator.rules.describe.differences import fingerprint, samples_fingerprint

    rules = _load_tables(library, name, ("cards", ALL))
    files = examples(rules.chain, SAMPLES).values()
    samples = {file.name: cache(partial(_source, library, rules, file.path)) for file in files}
    data, drawn = fingerprint(rules, scenario=True), samples_fingerprint(rules)
    mark = f"{rules.id}, edition {rules.manifest.edition}, data {data}, samples {drawn}"
    return Stage(library, rules, samples, mark)


def _pinned_scenario(
    library: Library, rules: RuleSet, parts: str, path: Path, request: ScenarioRequest
) -> PinnedScenario:
    """Return an existing scenario of the same rules, with the parts to keep.

    ``parts`` is read by ``pinned``; ``path`` is a file or the name of a finished battle. Raises ProblemsError with the
    problems of the scenario, or with S223: for unknown parts, parts that the ``request`` sets, a file that is no
    scenario, and other rules.
    """
    from generator.scenarios.generate.roll import PinnedScenario, pinned

    parts_kept = pinned(parts)
    for option, field, part in _OVERRULED:
        if part in parts_kept and getattr(request, field):
            hint = f"leave {option} out, or do not keep the {part}"
            word, expected = f"--pin {parts} {option}", f"no option that sets the {part}"
            raise ProblemsError(refused("S223", word, expected, option, hint, "pin"))
    path = path_of_battle(library, str(path)) or path
    if path.is_file() and not is_scenario(path):
        hint = "name a scenario file; use --side-force for a force"
        raise ProblemsError(Problem("S223", Span(str(path)), "a scenario", "something else", "pin", hint))
    scenario = load_scenario_file(library, path)
    raise_errors(scenario.problems)
    if set(scenario.rules.id.split("+")) != set(rules.id.split("+")):
        hint = f"roll for {scenario.rules.id}, or keep parts of another scenario"
        at, found = scenario.place / "rules", f"one of {scenario.rules.id}"
        raise ProblemsError(at.problem("S223", f"a scenario of {rules.id}", found, hint))
    return PinnedScenario(parts_kept, scenario)


def _source(library: Library, rules: RuleSet, path: Path) -> Force:
    """Return the force of a file under the rules of the scenario. The force may be over its budget.

    Raises ProblemsError: the problems of the force, S209 for other rules, R301 and R207 for wrong names of rules.
    """
    file = read_force(path)
    used = {folder.ruleset for folder in rules.chain}
    names = [part for name in file.rules for part in name.split("+")]
    other = [name for name in names if name not in used and library.find(name) is not None]
    unsound = name_problems(library, file.rules, file.place / "rules")
    if other:
        hint = "bring another force" if unsound else f"roll for {'+'.join(file.rules)}, or bring another force"
        at, found = file.place / "rules", f"one for {', '.join(other)}"
        unsound.append(at.problem("S209", f"a force for {rules.id}", found, hint))
    raise_any(unsound)
    force = load_force(file, rules)
    problems = [problem for problem in force.problems if problem.code != _BUDGET]
    if has_errors(problems) or not force.whole:
        raise ProblemsError(*problems)
    return force
