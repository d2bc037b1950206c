"""Roll many scenarios for every game, each held against every check: ``setup/soak.py [SEEDS] [RULESET...]``."""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from generator.commands.access import load_named, open_library
from generator.commands.generation import ScenarioOptions, set_up
from generator.commands.scenarios import load_scenario_file
from generator.rules.source.settings import NOTHING_SET

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from generator.commands.access import PartKey
    from generator.problems import Problem
    from generator.rules.ruleset import RuleSet
    from generator.rules.source.library import Library
    from generator.rules.source.parts import Place
    from generator.scenarios.scenario import Scenario

GAMES = ("dirtside2", "stargrunt2", "fma-skirmish", "sla-3d")
LAYERS = ("dirtside2-iceburg", "dirtside2-fma", "stargrunt2-quick")
SEEDS = 1000
FEWER = 5
"""A layer gets one seed for so many of a game: most of its tables are those of the game below it."""


class Proof:
    """Scenarios of a rule set, rolled and held against every check; its data is read once."""

    def __init__(self, library: Library, ruleset: str, folder: Path) -> None:
        """``folder`` is for the file of the scenario that is looked at."""
        self.library = library
        self.stage = set_up(library, ruleset)
        self.path = folder / "battle.yaml"
        self._rules: RuleSet | None = None

    def load(
        self,
        library: Library,
        names: Sequence[str],
        place: Place,
        told: Sequence[Problem],
        only: Iterable[PartKey],
        passed_over: list[Problem],
    ) -> RuleSet:
        """As ``load_named``, once for all scenarios that set nothing of their own."""
        if library.settings != NOTHING_SET:
            return load_named(library, names, place, told, only, passed_over)
        if self._rules is None:
            self._rules = load_named(library, names, place, told, only, passed_over)
        return self._rules

    def roll(self, wanted: ScenarioOptions) -> tuple[Scenario, list[str]]:
        """A scenario that was rolled, written, read and checked as a player's own; and what is wrong with it."""
        text, worse = self.stage.roll(wanted)
        self.path.write_text(text, encoding="utf-8")
        battle = load_scenario_file(self.library, self.path, load=self.load)
        return battle, [
            *(f"{one.what}: {one.found}" for one in worse),
            *(f"{one.code} {one.found}" for one in battle.problems),
        ]


def soak(ruleset: str, seeds: int, folder: Path) -> int:
    """Return how many scenarios of a rule set have problems; print the problems of each."""
    proof, bad = Proof(open_library(), ruleset, folder), 0
    for seed in range(seeds):
        _, found = proof.roll(ScenarioOptions(seed))
        bad += bool(found)
        for one in found:
            sys.stdout.write(f"{ruleset}, seed {seed}: {one}\n")
    sys.stdout.write(f"{ruleset}: {seeds} seeds, {bad} with problems\n")
    sys.stdout.flush()
    return bad


def main() -> None:
    """Every game and layer, or those named."""
    words = sys.argv[1:]
    seeds = int(words.pop(0)) if words and words[0].isdigit() else SEEDS
    with tempfile.TemporaryDirectory() as folder:
        asked = [(name, seeds) for name in words or GAMES]
        asked += [] if words else [(name, max(1, seeds // FEWER)) for name in LAYERS]
        bad = [soak(name, count, Path(folder)) for name, count in asked]
    sys.exit(1 if any(bad) else 0)


if __name__ == "__main__":
    main()
