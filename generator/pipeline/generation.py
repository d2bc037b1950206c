"""A scenario that is rolled: from a rule set, a size and a seed to the text of a file."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, NamedTuple

from generator.errors import ProblemsError
from generator.pipeline.access import load_sound
from generator.problems import has_errors

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from generator.rules.library import Library
    from generator.rules.ruleset import RuleSet
    from generator.scenarios.keeping import Kept
    from generator.scenarios.pools import Pool

_BUDGET = "F210"
"""A stock costs more than its own file allows: what is chosen from it is measured by the scenario."""


class Wanted(NamedTuple):
    """What was asked for on the command line."""

    seed: int
    points: int | None = None
    size: int | None = None
    mission: str | None = None
    forces: Sequence[Path] = ()
    pin: tuple[str, Path] | None = None
    """Parts to keep, and the scenario that has them."""


def generate(library: Library, name: str, wanted: Wanted) -> str:
    """The text of a scenario file. Raises ProblemsError where it cannot be rolled, or a force is not lawful."""
    from generator.forces.samples import samples
    from generator.rules.editions import fingerprint
    from generator.rules.library import SCENARIO
    from generator.rules.loading import ALL
    from generator.scenarios.generating import Wish, generated
    from generator.scenarios.levying import Stock
    from generator.scenarios.spelling import spell_scenario

    rules = load_sound(library, name, only=[("kinds", ALL), (SCENARIO, ALL)])
    pools = tuple(_pool(rules, path) for path in wanted.forces)
    stocks = [Stock(one.name, partial(_pool, rules, one.path)) for one in samples(rules.chain).values()]
    kept = _kept(library, rules, *wanted.pin) if wanted.pin is not None else None
    wish = Wish(wanted.seed, wanted.points, wanted.size, wanted.mission, pools, kept)
    mark = f"{rules.id}, edition {rules.manifest.edition}, data {fingerprint(rules, scenario=True, samples=True)}"
    return spell_scenario(generated(rules, mark, wish, stocks))


def _kept(library: Library, rules: RuleSet, parts: str, path: Path) -> Kept:
    """A scenario of the same rules, and what is kept of it. Raises ProblemsError: S223, and its own problems."""
    from generator.pipeline.scenarios import staged
    from generator.scenarios.keeping import Kept, pinned

    wanted = pinned(parts)
    scenario = staged(library, path)
    if has_errors(scenario.problems):
        raise ProblemsError(*scenario.problems)
    if set(scenario.rules.id.split("+")) != set(rules.id.split("+")):
        hint = f"roll for {scenario.rules.id}, or keep parts of another scenario"
        at, found = scenario.place / "rules", f"one of {scenario.rules.id}"
        raise ProblemsError(at.problem("S223", found=found, expected=f"a scenario of {rules.id}", hint=hint))
    return Kept(wanted, scenario)


def _pool(rules: RuleSet, path: Path) -> Pool:
    """A force under the rules of the scenario. Raises ProblemsError: what is wrong with it, S209 for other rules."""
    from generator.forces.files import read_force
    from generator.forces.muster import muster
    from generator.scenarios.pools import Pool

    file = read_force(path)
    used = {folder.ruleset for folder in rules.chain}
    other = [one for name in file.rules for one in name.split("+") if one not in used]
    if other:
        hint = f"roll for {'+'.join(file.rules)}, or bring another force"
        at, found = file.place / "rules", f"one for {', '.join(other)}"
        raise ProblemsError(at.problem("S209", found=found, expected=f"a force for {rules.id}", hint=hint))
    force = muster(file, rules)
    problems = [one for one in force.problems if one.code != _BUDGET]
    if has_errors(problems) or not force.whole:
        raise ProblemsError(*problems)
    return Pool(file, force)
