"""What odds cost as they tell more apart: the time of a question over its number of distinct states.

Run from the checkout: ``python benchmarks/states.py [ROUNDS]``. Each mechanic is asked questions of growing size, all
in one run and in turns. Its states are the cases that it must keep apart, such as the sum of a draw or the
count of each outcome. The benchmark prints the growth of the time for one state: the largest factor over a
smaller question. It exits with 1 where that factor is above 3. It also prints the growth of the ways to roll, which is
the cost of counting them one by one.
"""

from __future__ import annotations

import gc
import sys
from math import comb
from statistics import median
from time import perf_counter
from typing import TYPE_CHECKING, NamedTuple

from generator.odds.dice import dice_sum, die, sum_of_highest
from generator.odds.distribution import Distribution, counts
from generator.odds.hexes import Walk
from generator.odds.pot import Pot, draw

if TYPE_CHECKING:
    from collections.abc import Callable

ROUNDS = 31
MOST = 3.0
SHOT = Distribution({"out": 2, "hurt": 5, "shaken": 4, "missed": 9})
ROUND = ((1, 0), (1, -1), (0, -1), (-1, 0), (-1, 1), (0, 1))
"""The ways that a shot may stray from a hex."""
BODY = {(q, r): q * 7 + r for q in range(3) for r in range(7)}


class Question(NamedTuple):
    """A question of some size: how it is asked in one round, its states, and its ways of rolling."""

    ask: Callable[[int], object]
    states: int
    ways: int


def pot(more: int) -> Pot:
    """A pot with so many counters more of a sort than there would be, so that nobody has drawn from it before."""
    numbered = (("red", 0, 5), ("red", 1, 20), ("red", 2, 15), ("red", 3, 10 + more), ("green", 2, 25))
    return Pot(numbered, (("boom", 5), ("stop", 7), ("jam", 5), ("blind", 2)))


def draws() -> dict[int, Question]:
    """Counters drawn from a pot that nobody has drawn from."""
    return {
        counters: Question(
            lambda turn, counters=counters: draw(pot(turn * 100 + counters), counters, frozenset({"red"})),  # type: ignore[misc]
            len(draw(pot(1), counters, frozenset({"red"})).weights),
            comb(pot(1).size, counters),
        )
        for counters in (1, 2, 3, 4, 5, 10, 20)
    }


def repeats() -> dict[int, Question]:
    """How often each of four outcomes comes up."""
    order = [value for value, _ in SHOT.weights]
    return {
        times: Question(
            lambda _, times=times: counts(SHOT, order, times),  # type: ignore[misc]
            len(counts(SHOT, order, times).weights),
            SHOT.total**times,
        )
        for times in (1, 2, 4, 8, 16)
    }


def sums() -> dict[int, Question]:
    """What several dice show together."""
    return {
        dice: Question(
            lambda _, dice=dice: dice_sum(*[6] * dice),  # type: ignore[misc]
            sum(5 * number + 1 for number in range(1, dice + 1)),
            6**dice,
        )
        for dice in (1, 2, 4, 8, 16, 32)
    }


def highest() -> dict[int, Question]:
    """The sum of the three highest of several dice: for each face, how many dice are kept so far and their sum."""
    return {
        dice: Question(
            lambda _, dice=dice: sum_of_highest({die(6): dice}, 3),  # type: ignore[misc]
            sum(1 + 2 * (6 - face) + 1 for face in range(1, 7)),
            6**dice,
        )
        for dice in (4, 8, 16, 20, 32)
    }


def bursts() -> dict[int, Question]:
    """How many shots of a burst strike, each straying a hex from the last one."""

    def places(shots: int) -> int:
        """In how many hexes a shot may strike, for each of the shots."""
        spots, found = {(1, 3)}, 1
        for _ in range(shots):
            spots = {(q + way[0], r + way[1]) for q, r in spots for way in ROUND}
            found += len(spots)
        return found

    return {
        shots: Question(
            lambda _, shots=shots: Walk(BODY, ROUND, Distribution.certain(1), shots, 0).strikes((1, 3)),  # type: ignore[misc]
            places(shots),
            6**shots,
        )
        for shots in (1, 2, 4, 8, 12, 16)
    }


def growth(costs: list[float]) -> float:
    """How many times a smaller question's cost the cost of one is, at most."""
    return max(cost / min(costs[: place + 1]) for place, cost in enumerate(costs))


def main(rounds: int) -> int:
    """Print the cost of each question, and the growths; give the exit code."""
    mechanics = {
        "draws": draws(), "repeats": repeats(),
        "sums": sums(), "highest": highest(), "bursts": bursts(),
    }  # fmt: skip
    times: dict[tuple[str, int], list[float]] = {(name, size): [] for name, some in mechanics.items() for size in some}
    gc.collect()
    gc.disable()
    for turn in range(2, rounds + 2):
        for (name, size), taken in times.items():
            start = perf_counter()
            mechanics[name][size].ask(turn)
            taken.append(perf_counter() - start)
    missed = 0
    for name, questions in mechanics.items():
        costs = [median(times[name, size]) / question.states for size, question in questions.items()]
        for (size, question), cost in zip(questions.items(), costs, strict=True):
            print(f"{name:<8} {size:>3}   {question.states:>6} states   {cost * 1e6:7.2f} us for each")
        small, *_, large = questions.values()
        grown = growth(costs)
        missed += grown > MOST
        word = "ABOVE its aim" if grown > MOST else "aim"
        print(f"{name:<8} growth {grown:.2f} ({word}: at most {MOST:.0f})", end="; ")
        print(f"states grow {large.states / small.states:.0f} times, ways {large.ways / small.ways:.1e} times")
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]) if len(sys.argv) > 1 else ROUNDS))
