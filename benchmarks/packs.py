"""A scenario pack of some thirty pages: over its parts built apart, and built again after one changed sentence.

Run from the checkout: ``python benchmarks/packs.py [ROUNDS]``. See the README beside this file for how to read it.
"""

from __future__ import annotations

import re
import statistics
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from benchmarks.cards import run
from benchmarks.start_up import ONE_PAGE, compile_all
from generator.resources import rulesdata

BATTLE = rulesdata() / "stargrunt2-quick" / "battles" / "surveyor-of-redwater.yaml"
SITUATION = re.compile(r"^situation:$", re.MULTILINE)
"""The briefing for everybody: a list of sentences."""
MOST_COLD, MOST_AGAIN, MOST_WAIT = 1.15, 0.25, 2.0
ROUNDS = 3


def main(rounds: int) -> int:
    """Print times and ratios; 1 if one is above its aim."""
    compile_all()
    text = BATTLE.read_text(encoding="utf-8")
    spent: dict[str, list[float]] = {"parts apart": [], "the pack": [], "after a changed sentence": []}
    waits: dict[str, list[float]] = {"after a changed sentence": [], "one-page WeasyPrint document": []}
    for number in range(rounds):
        with tempfile.TemporaryDirectory() as made:
            folder = Path(made)
            path = folder / "battle.yaml"
            path.write_text(text, encoding="utf-8")
            build = ("-m", "generator", "build", str(path), "--out", made)
            apart = run(build, made, cache=str(folder / "apart"))
            whole = run((*build, "--bind"), made, cache=str(folder / "whole"))
            path.write_text(SITUATION.sub(rf"\g<0>\n  - Day {number} has come.", text, count=1), encoding="utf-8")
            again = run((*build, "--bind"), made, cache=str(folder / "whole"))
            page = run(("-c", ONE_PAGE), made)
        for name, one in zip(spent, (apart, whole, again), strict=True):
            spent[name].append(one.seconds)
        for name, one in zip(waits, (again, page), strict=True):
            waits[name].append(one.wall)
    apart_, whole_, again_ = (statistics.median(runs) for runs in spent.values())
    wait, yardstick = (statistics.median(runs) for runs in waits.values())
    for what, times in (("of processor", spent), ("to wait", waits)):
        print(what, ", ".join(f"{name} {statistics.median(runs):.2f} s" for name, runs in times.items()), sep=": ")
    found = (
        ("a cold pack to the sum of its parts", whole_ / apart_, MOST_COLD),
        ("a pack after one changed sentence to a cold one", again_ / whole_, MOST_AGAIN),
        ("the wait after one changed sentence to that for a one-page WeasyPrint document", wait / yardstick, MOST_WAIT),
    )
    for what, ratio, most in found:
        print(f"{what}: {ratio:.2f} ({'ABOVE its aim' if ratio > most else 'aim'}: at most {most})")
    return int(any(ratio > most for _, ratio, most in found))


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]) if len(sys.argv) > 1 else ROUNDS))
