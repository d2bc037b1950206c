"""Die types by their number of sides: the ladder they shift along, and the results of one or several dice."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate
from typing import Literal, TypeAlias, overload

from generator.odds.distribution import Distribution

Die: TypeAlias = int
"""A die type, given as its number of sides."""

LADDER: tuple[Die, ...] = (4, 6, 8, 10, 12)
"""The die types that a shift goes through, from the smallest up."""


@overload
def shift(die: Die, steps: int, beyond: Literal["stay"] = "stay") -> Die: ...
@overload
def shift(die: Die, steps: int, beyond: Literal["stay", "none"]) -> Die | None: ...
def shift(die: Die, steps: int, beyond: Literal["stay", "none"] = "stay") -> Die | None:
    """Return the die type ``steps`` rungs up the ladder, or down if ``steps`` is negative.

    ``beyond`` is for a shift past either end: "stay" returns the last rung, "none" returns None (no die). Raises
    ValueError for a die that is not on the ladder.

    >>> shift(8, 1), shift(8, -2), shift(12, 1), shift(4, -3)
    (10, 4, 12, 4)
    >>> shift(6, -2, beyond="none") is None
    True
    """
    if die not in LADDER:
        raise ValueError(f"D{die} is not on the ladder D4, D6, D8, D10, D12")
    rung = LADDER.index(die) + steps
    if 0 <= rung < len(LADDER):
        return LADDER[rung]
    if beyond == "none":
        return None
    return LADDER[0] if rung < 0 else LADDER[-1]


def die(sides: int) -> Distribution[int]:
    """Return the result of one die with faces 1 to ``sides``; it need not be on the ladder.

    Raises ValueError for less than one side.

    >>> die(4)
    Distribution({1: 1, 2: 1, 3: 1, 4: 1})
    """
    return highest(sides)


def highest(*sides: int) -> Distribution[int]:
    """Return the highest result of several dice, one die for each number of sides.

    Raises ValueError if there is no die, or a die with less than one side.

    >>> highest(4, 4)
    Distribution({1: 1, 2: 3, 3: 5, 4: 7})
    >>> highest(6, 4).mean()
    Fraction(47, 12)
    """
    ways = ways_at_most(sides)
    return Distribution({face: ways[face] - ways[face - 1] for face in range(1, len(ways))})


def dice_sum(*sides: int) -> Distribution[int]:
    """Return the sum of several dice, one die for each number of sides.

    Raises ValueError if there is no die, or a die with less than one side.

    >>> dice_sum(4, 6)
    Distribution({2: 1, 3: 2, 4: 3, 5: 4, 6: 4, 7: 4, 8: 3, 9: 2, 10: 1})
    """
    _check(sides)
    ways = [1]  # ways[n]: the number of ways in which the dice so far exceed their least sum by n
    for faces in sides:
        below = [0, *accumulate(ways)]
        top = len(below) - 1
        ways = [below[min(n + 1, top)] - below[max(n + 1 - faces, 0)] for n in range(len(ways) + faces - 1)]
    return Distribution(dict(enumerate(ways, start=len(sides))))


def ways_at_most(sides: Sequence[int]) -> list[int]:
    """Return, for each number from 0 to the largest of ``sides``, the number of ways in which no die shows more.

    The last number counts all ways. The time grows with the number of dice and the sides of the largest die.
    Raises ValueError if there is no die, or a die with less than one side.

    >>> ways_at_most([4, 6])
    [0, 1, 4, 9, 16, 20, 24]
    """
    _check(sides)
    ways = [0]
    within, open_dice = 1, len(sides)  # ways of dice with no more sides than the number; count of larger dice
    for faces in sorted(sides):
        ways += [within * number**open_dice for number in range(len(ways), faces + 1)]
        within *= faces
        open_dice -= 1
    return ways


def _check(sides: Sequence[int]) -> None:
    """Raise ValueError if there is no die, or a die with less than one side."""
    if not sides:
        raise ValueError("no dice to roll")
    if min(sides) < 1:
        raise ValueError(f"a die has at least one side, not {min(sides)}")
