"""A scenario that is rolled: from a rule set, a size and a seed to the text of a file."""

from __future__ import annotations

from functools import cache, partial
from typing import TYPE_CHECKING, Any, NamedTuple

from generator.commands.access import load_sound, unsound_names
from generator.errors import ProblemsError
from generator.problems import Problem, Span, has_errors

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from generator.rules.ruleset import RuleSet
    from generator.rules.source.library import Library
    from generator.scenarios.generate.draw_forces import Stock
    from generator.scenarios.generate.pins import Kept
    from generator.scenarios.generate.tables import Worse
    from generator.scenarios.generate.unit_sources import Pool

_BUDGET = "F210"
"""A stock costs more than its own file allows: what is chosen from it is measured by the scenario."""

_OVERRULED = (
    ("--points", "points", "forces"),
    ("--size", "size", "forces"),
    ("--side-force", "forces", "forces"),
    ("--mission", "mission", "mission"),
    ("--map", "region", "map"),
)
"""Options that say what a part is to be, where they stand in ``Wanted``, and the part."""
_TABLES = {"S222": "missions", "S225": "regions"}


class Wanted(NamedTuple):
    """What was asked for on the command line."""

    seed: int
    points: int | None = None
    size: int | None = None
    mission: str | None = None
    forces: Sequence[Path] = ()
    pin: tuple[str, Path] | None = None
    """Parts to keep, and the scenario that has them."""
    region: str | None = None


class Stage(NamedTuple):
    """What scenarios of a rule set are rolled from, read once: its rules, its samples, and the state of both."""

    library: Library
    rules: RuleSet
    stocks: tuple[Stock, ...]
    mark: str

    def rolled(self, wanted: Wanted) -> tuple[str, tuple[Worse, ...]]:
        """The text of a scenario file, and what came out worse than was asked for.

        Raises ProblemsError where it cannot be rolled, or a force is not lawful.
        """
        from generator.scenarios.generate.pins import Wish
        from generator.scenarios.generate.scenario import generated
        from generator.scenarios.generate.write import spell_scenario

        rules = self.rules
        pools = tuple(_pool(self.library, rules, path) for path in wanted.forces)
        kept = _kept(self.library, rules, *wanted.pin, wanted) if wanted.pin is not None else None
        wish = Wish(wanted.seed, wanted.points, wanted.size, wanted.mission, wanted.region, pools, kept)
        try:
            found = generated(rules, self.mark, wish, self.stocks)
        except ProblemsError as error:
            raise ProblemsError(*(_elsewhere(self.library, rules, problem) for problem in error.problems)) from None
        return spell_scenario(found.said | self._settings()), found.worse

    def _settings(self) -> dict[str, dict[str, dict[str, Any]]]:
        """What was set otherwise than usual for the roll, as a scenario says it: its pack goes by it."""
        said: dict[str, dict[str, dict[str, Any]]] = {}
        for option in self.rules.options.values():
            if option.value != option.default:
                said.setdefault("options", {}).setdefault(option.owner, {})[option.name] = option.value
        for given in self.library.settings.answers_for({folder.ruleset for folder in self.rules.chain}):
            said.setdefault("answers", {}).setdefault(given.ruleset, {})[given.name] = given.value
        return said


def set_up(library: Library, name: str) -> Stage:
    """The rules and samples of a rule set; a sample is read when it is first asked for. Raises ProblemsError."""
    from generator.rules.describe.editions import fingerprint, samples_fingerprint
    from generator.rules.load.examples import examples
    from generator.rules.load.load import ALL
    from generator.rules.source.library import SAMPLES, SCENARIO
    from generator.scenarios.generate.draw_forces import Stock

    rules = load_sound(library, name, only=[("kinds", ALL), (SCENARIO, ALL)])
    samples = examples(rules.chain, SAMPLES).values()
    stocks = tuple(Stock(sample.name, cache(partial(_pool, library, rules, sample.path))) for sample in samples)
    data, drawn = fingerprint(rules, scenario=True), samples_fingerprint(rules)
    mark = f"{rules.id}, edition {rules.manifest.edition}, data {data}, samples {drawn}"
    return Stage(library, rules, stocks, mark)


def generate(library: Library, name: str, wanted: Wanted) -> str:
    """The text of a scenario file. Raises ProblemsError where it cannot be rolled, or a force is not lawful."""
    text, _ = set_up(library, name).rolled(wanted)
    return text


def _kept(library: Library, rules: RuleSet, parts: str, path: Path, asked: Wanted) -> Kept:
    """A scenario of the same rules, and what is kept of it. Raises ProblemsError: S223, and its own problems."""
    from generator.commands.checks import is_scenario
    from generator.commands.scenarios import staged
    from generator.scenarios.battles import path_of_battle
    from generator.scenarios.generate.pins import Kept, pinned

    wanted = pinned(parts)
    for option, said, part in _OVERRULED:
        if part in wanted and getattr(asked, said):
            hint = f"leave {option} out, or do not keep the {part}"
            span = Span("command line", 1, 1, f"--pin {parts} {option}")
            raise ProblemsError(Problem("S223", span, f"nothing else that says the {part}", option, "pin", hint))
    path = path_of_battle(library, str(path)) or path
    if path.is_file() and not is_scenario(path):
        hint = "fieldpress scenario rolls one; a force is named by --side-force"
        raise ProblemsError(Problem("S223", Span(str(path)), "a scenario", "something else", "pin", hint))
    scenario = staged(library, path)
    if has_errors(scenario.problems):
        raise ProblemsError(*scenario.problems)
    if set(scenario.rules.id.split("+")) != set(rules.id.split("+")):
        hint = f"roll for {scenario.rules.id}, or keep parts of another scenario"
        at, found = scenario.place / "rules", f"one of {scenario.rules.id}"
        raise ProblemsError(at.problem("S223", found=found, expected=f"a scenario of {rules.id}", hint=hint))
    return Kept(wanted, scenario)


def _elsewhere(library: Library, rules: RuleSet, problem: Problem) -> Problem:
    """The same problem; where another rule set has the mission or region that is asked for, its help says so."""
    from generator.rules.source.library import SCENARIO

    table = _TABLES.get(problem.code)
    if table is None or problem.hint.startswith("did you mean"):
        return problem
    for name in library.ids():
        try:
            found = load_sound(library, name, only=[(SCENARIO, table)]).tables.get(table)
        except ProblemsError:
            continue
        if found is not None and any(problem.found.lower() == str(row[found.key[0]]) for row in found.rows):
            return problem._replace(hint=f"{name} has it, {rules.id} has not")
    return problem


def _pool(library: Library, rules: RuleSet, path: Path) -> Pool:
    """A force under the rules of the scenario.

    Raises ProblemsError: what is wrong with it, S209 for other rules, R301 and R207 for unsound names of rules.
    """
    from generator.forces.files import read_force
    from generator.forces.load import muster
    from generator.scenarios.generate.unit_sources import Pool

    file = read_force(path)
    used = {folder.ruleset for folder in rules.chain}
    names = [part for name in file.rules for part in name.split("+")]
    other = [name for name in names if name not in used and library.find(name) is not None]
    unsound = unsound_names(library, file.rules, file.place / "rules")
    if other:
        hint = f"roll for {'+'.join(file.rules)}, or bring another force" if not unsound else "bring another force"
        at, found = file.place / "rules", f"one for {', '.join(other)}"
        unsound.append(at.problem("S209", found=found, expected=f"a force for {rules.id}", hint=hint))
    if other or not used.issuperset(library.nearest(name) for name in names if name not in used):
        raise ProblemsError(*unsound)
    force = muster(file, rules)
    problems = [*unsound, *(problem for problem in force.problems if problem.code != _BUDGET)]
    if has_errors(problems) or not force.whole:
        raise ProblemsError(*problems)
    return Pool(file, force)
