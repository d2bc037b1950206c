"""Roll many scenarios for every game, each held against every check: ``setup/soak.py [SEEDS] [RULESET...]``."""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

from generator.pipeline.generation import Wanted, generate
from generator.pipeline.scenarios import staged
from generator.rules.library import open_library

GAMES = ("dirtside2", "dirtside2-iceburg", "stargrunt2", "fma-skirmish", "sla-3d")
SHORT = "come nearer"


def soak(ruleset: str, seeds: int, folder: Path) -> int:
    """How many scenarios of a rule set have a problem, or a force far from its points; each is told."""
    library, bad = open_library(), 0
    for seed in range(seeds):
        text = generate(library, ruleset, Wanted(seed))
        path = folder / f"{ruleset}-{seed}.yaml"
        path.write_text(text, encoding="utf-8")
        found = [f"{one.code} {one.found}" for one in staged(library, path).problems]
        found += ["a force far from its points"] if SHORT in text else []
        bad += bool(found)
        for one in found:
            sys.stdout.write(f"{ruleset}, seed {seed}: {one}\n")
        path.unlink()
    sys.stdout.write(f"{ruleset}: {seeds} seeds, {bad} with problems\n")
    return bad


def main() -> None:
    """Every game, or those named."""
    words = sys.argv[1:]
    seeds = int(words.pop(0)) if words and words[0].isdigit() else 1000
    with tempfile.TemporaryDirectory() as folder:
        bad = [soak(ruleset, seeds, Path(folder)) for ruleset in words or GAMES]
    sys.exit(1 if any(bad) else 0)


if __name__ == "__main__":
    main()
