"""Dice: the ladder they shift along, and the results of dice that are rolled together, with or without re-rolls."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from functools import lru_cache, reduce
from itertools import accumulate
from math import comb, prod
from operator import itemgetter
from typing import NamedTuple, TypeAlias

from generator.odds.distribution import DEAR, Distribution, added, check_work, sum_of

Die: TypeAlias = int
"""A die type, given as its number of sides."""

LADDER: tuple[Die, ...] = (4, 6, 8, 10, 12)
"""The die types that a shift goes through, from the smallest up."""


def shift(die: Die, steps: int) -> Die:
    """Return the die type ``steps`` rungs up the ladder, or down if ``steps`` is negative; never beyond its ends.

    Raises ValueError for a die that is not on the ladder.

    >>> shift(8, 1), shift(8, -2), shift(12, 1), shift(4, -3)
    (10, 4, 12, 4)
    """
    if die not in LADDER:
        raise ValueError(f"D{die} is not on the ladder D4, D6, D8, D10, D12")
    return LADDER[min(max(LADDER.index(die) + steps, 0), len(LADDER) - 1)]


def die(sides: int) -> Distribution[int]:
    """Return the distribution of one die with faces 1 to ``sides``; it need not be on the ladder.

    >>> die(4)
    Distribution({1: 1, 2: 1, 3: 1, 4: 1})
    """
    return Distribution.uniform(range(1, sides + 1))


def dice_sum(*sides: int) -> Distribution[int]:
    """Return the distribution of the sum of several dice, one die for each number of sides.

    >>> dice_sum(4, 6)
    Distribution({2: 1, 3: 2, 4: 3, 5: 4, 6: 4, 7: 4, 8: 3, 9: 2, 10: 1})
    """
    ways = [1]  # ways[n]: the number of ways in which the dice so far exceed their least sum by n
    for faces in sides:
        below = [0, *accumulate(ways)]
        top = len(below) - 1
        ways = [below[min(n + 1, top)] - below[max(n + 1 - faces, 0)] for n in range(len(ways) + faces - 1)]
    return Distribution(dict(enumerate(ways, start=len(sides))))


class Pool(NamedTuple):
    """Dice that are rolled together, and how their result is counted."""

    sides: tuple[int, ...]
    """The number of sides of each die."""
    above: int | None = None
    """Count the dice that show more than this (successes). None adds the dice up."""
    keep: int | None = None
    """Add up only this number of the highest dice. None adds up all dice."""
    again: int | None = None
    """Roll a die again if it shows this or more. None means its highest face."""
    most: int = 0
    """How many times a die is rolled again at most."""

    def first_again(self, sides: int) -> int:
        """Return the lowest face on which a die is rolled again; more than ``sides`` if there is no such face.

        If successes are counted, only successes are rolled again. ``most`` makes no difference.

        >>> Pool((6,)).first_again(6), Pool((6,), again=5).first_again(6), Pool((6,), above=5, again=5).first_again(6)
        (6, 5, 6)
        """
        face = sides if self.again is None else max(self.again, 1)
        return face if self.above is None else max(face, self.above + 1)


@lru_cache(maxsize=512)
def roll_pool(pool: Pool) -> Distribution[int]:
    """Return the distribution of the result of a pool, which must have a die.

    A die that is rolled again adds its further rolls to its result; if successes are counted, each further roll may be
    another success. After ``most`` further rolls a die stays as it is (see ``cut_short``).

    Raises ValueError if there are too many results to compute; a plain sum of all dice has no such limit.

    >>> roll_pool(Pool((4, 4), keep=1))
    Distribution({1: 1, 2: 3, 3: 5, 4: 7})
    >>> roll_pool(Pool((6, 6, 6), above=4))
    Distribution({0: 8, 1: 12, 2: 6, 3: 1})
    >>> roll_pool(Pool((2,), most=2))
    Distribution({1: 4, 3: 2, 5: 1, 6: 1})
    """
    keep = len(pool.sides) if pool.keep is None else min(pool.keep, len(pool.sides))
    if pool.above is None and not pool.most and keep == len(pool.sides):
        return dice_sum(*pool.sides)
    dice: Counter[Distribution[int]] = Counter()  # dice of different sides may have equal distributions
    for sides, count in Counter(pool.sides).items():
        dice[_one_die(pool, sides)] += count
    if keep < len(pool.sides):
        return sum_of_highest(dice, keep)
    return reduce(added, (sum_of(item, count) for item, count in dice.items()))


def cut_short(pool: Pool) -> Fraction:
    """Return the chance that one or more dice of the pool show a face to roll again, but have no further roll left.

    The chance is 0 if ``most`` is 0.

    >>> cut_short(Pool((6,), most=3)), cut_short(Pool((6, 6), above=4, again=5, most=1)), cut_short(Pool((6,)))
    (Fraction(1, 1296), Fraction(17, 81), Fraction(0, 1))
    """
    if not pool.most:
        return Fraction(0)
    again = (Fraction(max(sides + 1 - pool.first_again(sides), 0), sides) for sides in pool.sides)
    return 1 - prod((1 - chance ** (pool.most + 1) for chance in again), start=Fraction(1))


def sum_of_highest(dice: Mapping[Distribution[int], int], keep: int) -> Distribution[int]:
    """Return the distribution of the sum of the ``keep`` highest of some dice.

    ``dice`` maps the distribution of each kind of die to the number of such dice. ``keep`` must be at least 1 and less
    than the number of all dice. Raises ValueError if there are too many results to compute.

    >>> sum_of_highest({die(2): 3}, 2)
    Distribution({2: 1, 3: 3, 4: 4})
    """
    sorts = [dict(item.weights) for item in dice]
    most = [item.total for item in dice]
    """For each kind of die, the number of ways to show no more than the current face."""
    states = {(tuple(dice.values()), 0): 1}
    """The number of dice left of each kind, and the sum of the kept dice, with the number of ways to this state."""
    totals: dict[int, int] = {}
    steps = 0
    for face in sorted({face for ways in sorts for face in ways}, reverse=True):
        just = [ways.get(face, 0) for ways in sorts]
        less = [ways - showing for ways, showing in zip(most, just, strict=True)]
        grown: dict[tuple[tuple[int, ...], int], int] = {}
        for (left, total), weight in states.items():
            needed = keep - sum(dice.values()) + sum(left)
            ended = prod(map(pow, most, left))
            for shown, ways in _showing(left, just, needed - 1):
                rest = tuple(map(int.__sub__, left, shown))
                ended -= ways * prod(map(pow, less, rest))
                state = rest, total + face * sum(shown)
                grown[state] = grown.get(state, 0) + weight * ways
                steps += DEAR
            check_work(steps)
            if ended:
                totals[total + face * needed] = totals.get(total + face * needed, 0) + weight * ended
        states, most = grown, less
    return Distribution(dict(sorted(totals.items())))


def _showing(left: Sequence[int], just: Sequence[int], most: int) -> Iterator[tuple[tuple[int, ...], int]]:
    """Yield the numbers of dice of each kind that show a face, at most ``most`` in all, with the number of ways.

    For each kind, ``left`` has the number of dice, and ``just`` the number of ways in which one die shows the face.
    What the other dice show is not counted.
    """
    if not left:
        yield (), 1
        return
    for count in range(min(left[0], most) + 1 if just[0] else 1):
        ways = comb(left[0], count) * just[0] ** count
        for others, more in _showing(left[1:], just[1:], most - count):
            yield (count, *others), ways * more


def _one_die(pool: Pool, sides: int) -> Distribution[int]:
    """Return the distribution of the sum or the successes of one die of a pool, with its further rolls.

    Raises ValueError if there are too many results.
    """
    above, again, rolls = pool.above, pool.first_again(sides), pool.most > 0

    def worth(face: int) -> tuple[int, bool]:
        return face if above is None else int(face > above), rolls and face >= again

    shown = die(sides).map(worth).lowest_terms()
    results = shown.map(itemgetter(0))
    steps = 0
    for _ in range(pool.most):
        steps += DEAR * sum(rolled_again for (_, rolled_again), _ in shown.weights) * len(results.weights)
        check_work(steps)
        totals = Counter[int]()
        for (value, rolled_again), weight in shown.weights:
            for further, ways in results.weights if rolled_again else ((0, results.total),):
                totals[value + further] += weight * ways
        results = Distribution(totals).lowest_terms()
    return results
