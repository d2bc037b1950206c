"""Roll many scenarios for every game, each held against every check: ``setup/soak.py [SEEDS] [RULESET...]``.

Prints for each game what its tables are like: cover, lines of sight, objectives, names, crossings and
processor seconds.
"""

from __future__ import annotations

import resource
import subprocess
import sys
import tempfile
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING

from generator.commands.access import open_library
from generator.commands.scenarios import load_scenario_file, set_up
from generator.problems import ProblemsError
from generator.scenarios.check import HOUSES, PATHS, pieces_under
from generator.scenarios.facts import map_facts
from generator.scenarios.generate.roll import ScenarioRequest

if TYPE_CHECKING:
    from collections.abc import Sequence

    from generator.rules.source.library import Library
    from generator.scenarios.scenario import Scenario

GAMES = ("dirtside2", "stargrunt2", "fma-skirmish", "sla-3d")
LAYERS = ("dirtside2-iceburg", "dirtside2-fma", "stargrunt2-quick")
SEEDS = 1000
FEWER = 5
"""A layer gets one seed for so many of a game: most of its tables are those of the game below it."""
TIMED = 5
"""One battle in so many is rolled by a process of its own, and timed."""


class Proof:
    """Scenarios of a rule set, rolled and held against every check."""

    def __init__(self, library: Library, ruleset: str, folder: Path) -> None:
        """``folder`` is for the file of the scenario that is looked at."""
        self.library = library
        self.stage = set_up(library, ruleset)
        self.path = folder / "battle.yaml"

    def roll(self, wanted: ScenarioRequest) -> tuple[Scenario, list[str]]:
        """A scenario that was rolled, written, read and checked as a player's own; and what is wrong with it."""
        text, worse = self.stage.roll(wanted)
        self.path.write_text(text, encoding="utf-8")
        battle = load_scenario_file(self.library, self.path)
        return battle, [
            *(f"{one.what}: {one.found}" for one in worse),
            *(f"{one.code} {one.found}" for one in battle.problems),
        ]


class Tally:
    """What the tables of a game are like."""

    def __init__(self) -> None:
        self.covered: list[int] = []
        self.seen: list[int] = []
        self.seconds: list[float] = []
        self.counts: Counter[str] = Counter()

    def add(self, battle: Scenario) -> None:
        """Measure the table of a battle."""
        facts = map_facts(battle)
        self.covered.append(facts.covered)
        self.seen += [] if facts.seen_across is None else [facts.seen_across]
        names = [piece.name for piece in battle.terrain if piece.name]
        self.counts["titles"] += any(name in battle.name for name in names)
        for objective in battle.objectives:
            under = pieces_under(objective, battle.terrain)
            self.counts["objectives"] += 1
            self.counts["on a piece"] += bool(under)
            self.counts["own-named"] += any(piece.name and piece.name in objective.name for piece in under)
        roads = [piece.outline for piece in battle.terrain if piece.terrain.drawn in PATHS]
        houses = [piece.outline for piece in battle.terrain if piece.terrain.drawn in HOUSES]
        self.counts["roads through houses"] += sum(road.overlaps(house) for road in roads for house in houses)

    def lines(self, seeds: int) -> list[str]:
        """The measurements, one line each."""
        counts, seconds = self.counts, sorted(self.seconds) or [0.0]
        return [
            f"covered {_spread(self.covered)} %, seen across {_spread(self.seen)} %",
            f"objectives {counts['objectives']}: on a piece {counts['on a piece']}, own-named {counts['own-named']}",
            f"titles on the map {counts['titles']} of {len(self.covered)}",
            f"roads through houses {counts['roads through houses']}, refused {counts['refused']} of {seeds}",
            f"processor seconds: median {seconds[len(seconds) // 2]:.2f}, 99 % {seconds[len(seconds) * 99 // 100]:.2f}",
        ]


def _seconds() -> float:
    """Return the processor seconds of all processes that were started and have ended."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def _spread(numbers: Sequence[int]) -> str:
    """Return the mean of numbers, and the least and the most."""
    return f"{sum(numbers) / len(numbers):.1f} ({min(numbers)} to {max(numbers)})" if numbers else "-"


def soak(ruleset: str, seeds: int, folder: Path) -> int:
    """Return how many scenarios of a rule set have problems; print their problems and the tally."""
    proof, bad, tally = Proof(open_library(), ruleset, folder), 0, Tally()
    for seed in range(seeds):
        if seed % TIMED == 0:
            start = _seconds()
            call = [sys.executable, "-m", "generator", "scenario", ruleset, "--seed", str(seed)]
            text = subprocess.run(call, check=False, capture_output=True).stdout  # noqa: S603 - our own program
            tally.seconds.append(_seconds() - start)
        try:
            battle, found = proof.roll(ScenarioRequest(seed))
        except ProblemsError as error:
            tally.counts["refused"] += 1
            found = [f"{problem.code} {problem.found}" for problem in error.problems]
        else:
            tally.add(battle)
            if seed % TIMED == 0 and text != proof.path.read_bytes():
                found.append("another process rolled other bytes")
        bad += bool(found)
        for one in found:
            sys.stdout.write(f"{ruleset}, seed {seed}: {one}\n")
    sys.stdout.write(f"{ruleset}: {seeds} seeds, {bad} with problems\n")
    sys.stdout.write("".join(f"  {each}\n" for each in tally.lines(seeds)))
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
