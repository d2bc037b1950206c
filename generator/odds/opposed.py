"""The highest die of one side against the highest die of the other side."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, TypeAlias

from generator.odds.dice import ways_at_most
from generator.odds.distribution import Distribution

Opposition: TypeAlias = Literal["above", "level", "below"]


def opposed(attacker: Sequence[int], defender: Sequence[int]) -> Distribution[Opposition]:
    """Return the odds that the attacker's highest die is above, level with or below the defender's highest die.

    The dice of each side are given by their numbers of sides. The total weight is the product of all numbers of sides.
    Raises ValueError for a side without dice, or a die with less than one side.

    >>> opposed([8, 8], [8])
    Distribution({'above': 308, 'level': 64, 'below': 140})
    >>> opposed([8, 8], [8]).probability("above")
    Fraction(77, 128)
    """
    mine, theirs = ways_at_most(attacker), ways_at_most(defender)
    shared = min(len(mine), len(theirs)) - 1  # the highest face that both sides can show
    above, level = (mine[-1] - mine[shared]) * theirs[-1], 0
    my_less = their_less = 0
    for my_ways, their_ways in zip(mine[1 : shared + 1], theirs[1 : shared + 1], strict=True):
        just_this = my_ways - my_less
        above += just_this * their_less
        level += just_this * (their_ways - their_less)
        my_less, their_less = my_ways, their_ways
    return Distribution({"above": above, "level": level, "below": mine[-1] * theirs[-1] - above - level})
