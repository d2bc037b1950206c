"""How fast a rule set is loaded with its parents, against a bare parse of the same files in the same run.

Run it with ``python benchmarks/load_ruleset.py``. Loading goes from YAML to a frozen RuleSet: layers applied, every
formula compiled, every certificate read; imports are left out. Aim: at most 3 times the bare parse, for every shipped
rule set. It exits with 1 where one is above that.
"""

from __future__ import annotations

import gc
import statistics
import sys
import time
from typing import TYPE_CHECKING

import yaml

from generator.commands.access import open_library
from generator.parsing.yaml12 import parse_yaml, read_yaml
from generator.rules.load.load import LOADED, load
from generator.rules.source.library import SAMPLES

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from generator.problems import Problem
    from generator.rules.ruleset import RuleSet
    from generator.rules.source.library import Library

ROUNDS = 9
AIM = 3.0


def loaded(library: Library, name: str) -> RuleSet:
    """Load a rule set that has no problems."""
    problems: list[Problem] = []
    ruleset = load(library, name, problems)
    if ruleset is None or problems:
        raise SystemExit(f"{name} has problems")
    return ruleset


def medians(measured: dict[str, Callable[[], object]]) -> dict[str, float]:
    """Give each one's median time in seconds; they take turns, so that noise falls on all alike."""
    times: dict[str, list[float]] = {name: [] for name in measured}
    for _ in range(ROUNDS):
        for name, run in measured.items():
            gc.collect()
            parse_yaml.cache_clear()
            LOADED.clear()
            start = time.perf_counter()
            run()
            times[name].append(time.perf_counter() - start)
    return {name: statistics.median(taken) for name, taken in times.items()}


def compare(library: Library, name: str) -> float:
    """Print one rule set's line and give its ratio to the bare parse."""
    chain = loaded(library, name).chain
    files: list[Path] = [
        file for folder in chain for file in sorted(folder.path.rglob("*.yaml")) if file.parent.name != SAMPLES
    ]
    found = medians(
        {
            "load": lambda: loaded(library, name),
            "parse": lambda: [read_yaml(file, str(file)) for file in files],
            "C loader": lambda: [yaml.load(file.read_text("utf-8"), Loader=yaml.CSafeLoader) for file in files],
        }
    )
    ratio = found["load"] / found["parse"]
    print(
        f"{name:<20} {len(files):4} files   load {found['load'] * 1000:6.1f} ms   parse {found['parse'] * 1000:6.1f} ms"
        f"   {ratio:5.2f} of the parse   {found['load'] / found['C loader']:5.2f} of PyYAML’s C loader"
    )
    return ratio


def main() -> None:
    """Print the ratios."""
    library = open_library()
    gc.disable()
    worst = max([compare(library, name) for name in library.ids()])
    print(f"worst {worst:.2f}, aim {AIM:.0f}")
    sys.exit(worst > AIM)


if __name__ == "__main__":
    main()
