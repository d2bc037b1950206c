"""Time the grid of chit damage (1 to 5 chits, every set of valid chits, armour 0 to 7) here and in icepool.

Run from the checkout: ``python benchmarks/chits_against_icepool.py [ROUNDS]``. A cell is the chance of each outcome
and of each thing that may also happen. Both must give equal odds, else the run fails. It exits with 1 where icepool
takes less than 3 times as long, or an empty click program less time than the whole grid.

icepool draws from a ``Deck`` of points and marks, its evaluator as lean as they come (marks are bits), and is asked in
two ways: with one evaluation for each cell, and with one for each draw, whose result is compared with every armour
afterwards. The yardstick is the faster of them. Every time is that of a fresh process, so that nothing is known from
an earlier round: of ours, from the loaded procedure on; of icepool's, from the imported library on; of the empty
program, the whole process. They take turns, as ``timeit`` runs them without the garbage collector; what is compared is
the processor's time, and of each ratio the median of all rounds.
"""

from __future__ import annotations

import gc
import os
import subprocess
import sys
from fractions import Fraction
from itertools import product
from pathlib import Path
from statistics import median
from time import process_time
from typing import TYPE_CHECKING, Any, NamedTuple

import icepool

from generator.commands.access import open_library
from generator.parsing.text import split_words
from generator.rules.load.load import load
from generator.rules.procedures.questions import ask

if TYPE_CHECKING:
    from collections.abc import Callable

    from generator.problems import Problem
    from generator.rules.procedures.answers import Answer

State = tuple[int, int, int]
"""Points, marks, and whether there is a numbered counter."""

ROOT = Path(__file__).resolve().parents[1]
ROUNDS = 21
LEAST = 3.0
COUNTERS, ARMOURS = range(1, 6), range(8)
OUTCOMES = ("destroyed", "damaged", "special-only", "firer-down", "no-effect")
EVENTS = ("immobilised", "target-systems-down")
FIRER, BOOM, MOBILITY, TARGET = 1, 2, 4, 8
MARKS = {"firer": FIRER, "boom": BOOM, "mobility": MOBILITY, "target": TARGET}

EMPTY_CLICK = """
import click

@click.group()
def empty():
    "Nothing."

empty(["--help"], prog_name="empty")
"""


class Data(NamedTuple):
    """What the rule set says: counters by group and number, and by mark; which groups count, and how much."""

    numbered: dict[tuple[str, int], int]
    marked: dict[str, int]
    valid: dict[str, tuple[tuple[str, ...], int | Fraction]]


def read() -> tuple[Data, Callable[[], list[Answer]]]:
    """Load the rule set; give its data, and our way to answer the whole grid."""
    problems: list[Problem] = []
    ruleset = load(open_library(), "dirtside2", problems)
    if ruleset is None or problems:
        raise SystemExit("dirtside2 has problems")
    pot, marks, valid = (ruleset.tables[name].rows for name in ("chit-pot", "special-chits", "chit-sets"))
    data = Data(
        {(row["colour"], row["value"]): row["count"] for row in pot},
        {row["chit"]: row["count"] for row in marks},
        {row["valid"]: (row["colours"], row["factor"]) for row in valid},
    )
    procedure = ruleset.procedures["chit-damage"]
    words = split_words(["chits=1..5", f"valid={','.join(data.valid)}", "armour=0..7"])
    return data, lambda: list(ask(procedure, words))


def icepools(data: Data) -> dict[str, Callable[[], list[Any]]]:
    """Give the ways to ask icepool; each answers a die of (outcome, event, event) for every cell."""

    def deck(groups: tuple[str, ...]) -> icepool.Deck[int]:
        """Points as they count, marks as numbers below 0."""
        counters = {-MARKS[mark]: count for mark, count in data.marked.items()}
        for (group, number), count in data.numbered.items():
            points = number if group in groups else 0
            counters[points] = counters.get(points, 0) + count
        return icepool.Deck(counters)

    def judged(points: int, marks: int, numbered: int, factor: int | Fraction, armour: int) -> tuple[str, bool, bool]:
        """The outcome, and what also happens."""
        if marks & FIRER:
            return "firer-down", False, False
        total = points * factor
        if marks & BOOM or total > armour:
            outcome = "destroyed"
        elif numbered if armour == 0 else total == armour:
            outcome = "damaged"
        else:
            outcome = "special-only" if marks else "no-effect"
        return outcome, marks & MOBILITY > 0, marks & TARGET > 0

    class Drawn(icepool.MultisetEvaluator):  # type: ignore[misc] # icepool is not typed here
        """Points, marks, and whether there is a numbered counter."""

        next_state_key = "drawn"

        def initial_state(self, *_: object, **__: object) -> State:
            return 0, 0, 0

        def next_state(self, state: State, order: object, outcome: int, count: int, **_: object) -> State:
            del order
            points, marks, numbered = state
            if count == 0:
                return state
            return (points, marks | -outcome, numbered) if outcome < 0 else (points + outcome * count, marks, 1)

    class Cell(Drawn):
        """What comes of it."""

        def __init__(self, factor: int | Fraction, armour: int) -> None:
            self.factor, self.armour = factor, armour

        def final_outcome(self, final_state: State, *_: object, **__: object) -> tuple[str, bool, bool]:
            points, marks, numbered = final_state
            return judged(points, marks, numbered, self.factor, self.armour)

    def cell_by_cell() -> list[Any]:
        decks = {valid: deck(groups) for valid, (groups, _) in data.valid.items()}
        return [
            Cell(data.valid[valid][1], armour)(decks[valid].deal(counters))
            for counters, valid, armour in product(COUNTERS, data.valid, ARMOURS)
        ]

    def draw_by_draw() -> list[Any]:
        drawn = Drawn()
        decks = {groups: deck(groups) for groups, _ in data.valid.values()}
        draws = {(counters, groups): drawn(decks[groups].deal(counters)) for counters in COUNTERS for groups in decks}
        return [
            draws[counters, groups].map(judged, factor, armour)
            for counters, (groups, factor), armour in product(COUNTERS, data.valid.values(), ARMOURS)
        ]

    return {"cell by cell": cell_by_cell, "draw by draw": draw_by_draw}


def agree(ours: list[Answer], theirs: list[Any]) -> bool:
    """Tell whether both give the same odds for every cell."""
    for mine, other in zip(ours, theirs, strict=True):
        odds = {(*key,): Fraction(other.probability(key)) for key in other.outcomes()}
        for name in OUTCOMES:
            if mine.chance(name) != sum(chance for (outcome, *_), chance in odds.items() if outcome == name):
                return False
        for place, name in enumerate(EVENTS, start=1):
            if mine.events[name] != sum(chance for key, chance in odds.items() if key[place]):
                return False
    return True


def once(way: str) -> float:
    """Time one way in this process."""
    data, ours = read()
    work = {"ours": ours, **icepools(data)}[way]
    gc.collect()
    gc.disable()
    start = process_time()
    work()
    return process_time() - start


def elsewhere(*arguments: str) -> tuple[float, str]:
    """Run a fresh process; give the processor's time for all of it, and what it printed."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    before = os.times()
    run = subprocess.run([sys.executable, *arguments], env=environment, capture_output=True, text=True, check=True)
    after = os.times()
    taken = after.children_user - before.children_user + after.children_system - before.children_system
    return taken, run.stdout


def main(rounds: int) -> int:
    """Compare and print; give the exit code."""
    data, ours = read()
    ways = icepools(data)
    for way, theirs in ways.items():
        if not agree(ours(), theirs()):
            print(f"the odds differ from icepool's ({way})")
            return 1
    times: dict[str, list[float]] = {way: [] for way in ("ours", *ways)}
    empty: list[float] = []
    for _ in range(rounds):
        for way, taken in times.items():
            taken.append(float(elsewhere(__file__, "--once", way)[1]))
        empty.append(elsewhere("-c", EMPTY_CLICK)[0])
    middle = {way: median(taken) for way, taken in times.items()}
    best = min(ways, key=middle.__getitem__)
    ratio = median(theirs / mine for mine, theirs in zip(times["ours"], times[best], strict=True))
    start_up = median(theirs / mine for mine, theirs in zip(times["ours"], empty, strict=True))
    cells = len(COUNTERS) * len(data.valid) * len(ARMOURS)
    print(f"{cells} cells, odds equal; {rounds} rounds: ours {middle['ours'] * 1e3:.1f} ms,", end=" ")
    print(", ".join(f"icepool {way} {middle[way] * 1e3:.1f} ms" for way in ways))
    print(f"icepool takes {ratio:.1f} times as long ({best}; aim: at least {LEAST:.0f})")
    print(f"an empty click program takes {start_up:.1f} times as long (aim: above 1)")
    return 0 if ratio >= LEAST and start_up > 1 else 1


if __name__ == "__main__":
    if sys.argv[1:2] == ["--once"]:
        print(once(sys.argv[2]))
    else:
        sys.exit(main(int(sys.argv[1]) if len(sys.argv) > 1 else ROUNDS))
