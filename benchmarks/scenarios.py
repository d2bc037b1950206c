"""How long it takes to roll a scenario, start-up left out, over an empty click program: time of the processor.

Start-up is everything before the first roll, at any seed: Python, the libraries, and reading and checking rule data and
samples. The timed part is everything after that, for each seed anew: rolling on the tables, choosing units, laying
terrain, siting objectives within reach, and spelling the text of the file. The time of the whole command is printed
beside it.

Run from the checkout: ``python benchmarks/scenarios.py [ROUNDS]``. See the README beside this file for how to read it.
"""

from __future__ import annotations

import json
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from benchmarks.cards import run
from benchmarks.start_up import EMPTY_CLICK, ROOT, compile_all

ROUNDS = 5
SEEDS = 12
MOST = 5.0
GAMES = ("dirtside2", "dirtside2-iceburg", "stargrunt2", "fma-skirmish", "sla-3d")

ROLLED = """
import json, sys, time
from generator.commands.scenarios import set_up
from generator.scenarios.generate.roll import ScenarioRequest
from generator.commands.access import open_library

stage = set_up(open_library(), sys.argv[1])
for read in stage.samples.values():
    read()
taken = []
for seed in range(int(sys.argv[2])):
    start = time.process_time()
    stage.roll(ScenarioRequest(seed))
    taken.append(time.process_time() - start)
print(json.dumps(taken))
"""


def rolled(ruleset: str) -> list[float]:
    """The time of each seed, the first with all late imports, in a process of its own."""
    command = [sys.executable, "-c", ROLLED, ruleset, str(SEEDS)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    found: list[float] = json.loads(done.stdout)
    return found


def main(rounds: int) -> int:
    """Print times and ratios; 1 if a scenario takes too long."""
    compile_all()
    empty: list[float] = []
    whole: dict[str, list[float]] = {name: [] for name in GAMES}
    each: dict[str, list[list[float]]] = {name: [] for name in GAMES}
    with tempfile.TemporaryDirectory() as folder:
        for _ in range(rounds):
            empty.append(run(("-c", EMPTY_CLICK), folder).seconds)
            for name in GAMES:
                each[name].append(rolled(name))
                whole[name].append(run(("-m", "generator", "scenario", name), folder).seconds)
    yardstick = statistics.median(empty)
    print(f"empty click program {yardstick * 1000:.0f} ms of the processor; medians of {rounds} rounds, {SEEDS} seeds")
    missed = 0
    for name in GAMES:
        seeds = [statistics.median(one) for one in zip(*each[name], strict=True)]
        worst = max(seeds)
        missed += worst > MOST * yardstick
        word = "ABOVE its aim" if worst > MOST * yardstick else "aim"
        print(
            f"{name:<18} median {statistics.median(seeds) * 1000:4.0f} ms, {statistics.median(seeds) / yardstick:.2f}; "
            f"worst {worst * 1000:4.0f} ms, {worst / yardstick:.2f} ({word}: at most {MOST:.0f}); "
            f"whole command {statistics.median(whole[name]) / yardstick:.1f}"
        )
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]) if len(sys.argv) > 1 else ROUNDS))
