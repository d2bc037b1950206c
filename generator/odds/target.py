"""One die against a number."""

from __future__ import annotations

from typing import Literal, TypeAlias

from generator.odds.distribution import Distribution

TestResult: TypeAlias = Literal["passed", "failed"]


def target_roll(die: int, needed: int, modifier: int = 0, *, strictly: bool = False) -> Distribution[TestResult]:
    """Give the odds that a die of so many sides, ``modifier`` added, comes to ``needed`` or more ("passed") or less.

    ``strictly`` asks for more than ``needed``. A change to the number to reach is no modifier: it belongs in
    ``needed``. A number out of reach always fails and one that every face reaches always passes; the weights are
    numbers of faces. Raises ValueError for a die with less than one side.

    >>> target_roll(8, 3)
    Distribution({'passed': 6, 'failed': 2})
    >>> target_roll(8, 3, strictly=True)
    Distribution({'passed': 5, 'failed': 3})
    >>> target_roll(4, 6, modifier=1)
    Distribution({'failed': 4})
    """
    if die < 1:
        message = f"a die has at least one side, not {die}"
        raise ValueError(message)
    short = needed - modifier - (not strictly)  # the highest face that is not enough
    failed = min(max(short, 0), die)
    return Distribution({"passed": die - failed, "failed": failed})
