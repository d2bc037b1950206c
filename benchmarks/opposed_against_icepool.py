"""Time every cell of the opposed-roll grid (power x impact x armour, D4 to D12) here and in icepool, in one run.

Run from the checkout: ``python -m benchmarks.opposed_against_icepool [ROUNDS]``. Both must give equal odds, else the
run fails. The benchmark times two questions. The first compares the better of two dice with a third (``opposed``). The
second is the whole shot, with a table after a level roll (``opposed`` and ``chain``). icepool answers each in the
fastest of several ways to ask. The benchmark compares the ratio of medians; rounds of the two alternate, so that a busy
machine slows both. It exits with 1 where icepool takes less than 20 times as long for the first question.
"""

from __future__ import annotations

import sys
from fractions import Fraction
from itertools import product
from statistics import median
from time import perf_counter
from typing import TYPE_CHECKING, Any

import icepool

from generator.odds.chain import chain
from generator.odds.dice import LADDER
from generator.odds.distribution import Distribution
from generator.odds.opposed import opposed

if TYPE_CHECKING:
    from collections.abc import Callable

LEAST = 20.0
CELLS = tuple(product(LADDER, LADDER, LADDER))
LEVEL = {"attacker jammed": 1, "disabled": 5, "immobilised": 2, "defender jammed": 2}
SHOT = {
    "above": Distribution.certain("destroyed"),
    "level": Distribution(LEVEL),
    "below": Distribution.certain("nothing"),
}
ICEPOOL_SHOT = {1: "destroyed", 0: icepool.Die(LEVEL), -1: "nothing"}
SIGNS = {1: "above", 0: "level", -1: "below"}


def our_rolls() -> list[Distribution[Any]]:
    """Answer the first question ourselves."""
    return [opposed((power, impact), (armour,)) for power, impact, armour in CELLS]


def our_shots() -> list[Distribution[Any]]:
    """Answer the second question ourselves."""
    return [chain(opposed((power, impact), (armour,)), SHOT) for power, impact, armour in CELLS]


def by_compare() -> list[Any]:
    """Ask icepool with ``cmp``."""
    return [icepool.highest(icepool.d(p), icepool.d(i)).cmp(icepool.d(a)) for p, i, a in CELLS]


def by_margin() -> list[Any]:
    """Ask icepool for the sign of the margin."""
    return [(icepool.highest(icepool.d(p), icepool.d(i)) - icepool.d(a)).sign() for p, i, a in CELLS]


def by_pool() -> list[Any]:
    """Ask icepool for the sign of the margin of a pool's highest die."""
    return [(icepool.Pool([icepool.d(p), icepool.d(i)]).highest(1).sum() - icepool.d(a)).sign() for p, i, a in CELLS]


def shots_by(rolls: Callable[[], list[Any]]) -> Callable[[], list[Any]]:
    """Have icepool follow its rolls with the table."""
    return lambda: [roll.map(ICEPOOL_SHOT) for roll in rolls()]


def agree(ours: list[Distribution[Any]], theirs: list[Any], names: dict[int, str] | None = None) -> bool:
    """Tell whether both give the same odds for every cell."""
    for mine, other in zip(ours, theirs, strict=True):
        odds = {(names[key] if names else key): Fraction(other.probability(key)) for key in other.outcomes()}
        if {key: chance for key, chance in odds.items() if chance} != {
            value: mine.probability(value) for value, _ in mine.weights
        }:
            return False
    return True


def timed(work: Callable[[], object]) -> float:
    """Time one round."""
    start = perf_counter()
    work()
    return perf_counter() - start


def main(rounds: int) -> int:
    """Compare and print; give the exit code."""
    ways = {"cmp": by_compare, "sign of the margin": by_margin, "pool, sign of the margin": by_pool}
    for way, rolls in ways.items():
        if not (agree(our_rolls(), rolls(), SIGNS) and agree(our_shots(), shots_by(rolls)())):
            print(f"the odds differ from icepool's ({way})")
            return 1
    missed = 0
    print(f"{len(CELLS)} cells, odds equal; medians of {rounds} rounds; icepool {icepool.__version__}")
    for question, ours, theirs in (
        ("opposed roll", our_rolls, ways),
        ("roll and table", our_shots, {way: shots_by(rolls) for way, rolls in ways.items()}),
    ):
        times: dict[str, list[float]] = {way: [] for way in ("ours", *theirs)}
        for _ in range(rounds):
            times["ours"].append(timed(ours))
            for way, work in theirs.items():
                times[way].append(timed(work))
        middle = {way: median(taken) for way, taken in times.items()}
        mine = middle.pop("ours")
        best = min(middle, key=middle.__getitem__)
        print(f"{question}: ours {mine * 1e3:.2f} ms, icepool {middle[best] * 1e3:.2f} ms ({best}),", end=" ")
        ratio = middle[best] / mine
        missed += ours is our_rolls and ratio < LEAST
        print(f"ratio {ratio:.1f}")
    print(f"aim: a ratio of at least {LEAST:.0f} for the opposed roll")
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]) if len(sys.argv) > 1 else 31))
