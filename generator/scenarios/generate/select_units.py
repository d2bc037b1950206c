"""Units for a battle: from a pool to a target, exactly, with a reason for each.

Units are taken from a drawn order whenever those behind can still bring the total into the window. Which totals those
can reach is known exactly: for every number of units a whole number with a bit for each total.
"""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    from generator.scenarios.chance import Chance

WITHIN = 100
"""A total may fall short of its target by one part in so many."""


class Candidate(NamedTuple):
    """A unit that may be taken."""

    name: str
    size: int
    """What it counts for: points, or figures where the game has no points."""
    arm: str


class Arm(NamedTuple):
    """What a unit is there for."""

    name: str
    share: int = 1
    """How often it comes up among the first that are drawn, against the other arms."""
    most: int = 99
    """How many units of it a force has, but for those that a mission needs."""


class Choice(NamedTuple):
    """A unit that was taken."""

    unit: Candidate
    need: str
    """The arm that the mission asked for; nothing for a unit that was drawn."""
    drawn: int
    """Its number in the drawn order, from 1."""
    total: int
    """What all units up to this one come to."""


class Chosen(NamedTuple):
    """What was taken, in that order."""

    choices: tuple[Choice, ...]
    total: int
    target: int
    short: bool
    """Whether no choice of units comes as near as asked, so that the nearest below was taken."""
    lacking: tuple[str, ...]
    """Arms that the mission needs and that could not be had."""


def least(target: int) -> int:
    """The smallest total that is near enough.

    >>> least(3000), least(850), least(12)
    (2970, 842, 12)
    """
    return target - target // WITHIN


def choose(
    pool: Sequence[Candidate],
    target: int,
    most: int,
    arms: Mapping[str, Arm],
    needs: Sequence[str],
    chance: Chance,
) -> Chosen:
    """At most so many units whose sizes come to the target, or to a little less; those of the needed arms first.

    Support that no battle wants much of is left out where the rest is enough.
    """
    order = drawn(pool, arms, chance)
    plain = _thinned(order, arms, needs)
    wanted = least(target)
    top = _greatest(plain, target, most)
    if top < wanted:
        plain, top = order, _greatest(order, target, most)
    window = min(wanted, top), target
    taken, lacking = _needed(plain, window, most, needs)
    left = _walk([item for item in plain if item not in taken], window, most - len(taken), _sum(taken))
    place = {item.name: number for number, item in enumerate(order, start=1)}
    choices: list[Choice] = []
    total = 0
    for unit, need in [*taken.items(), *((candidate, "") for candidate in left)]:
        total += unit.size
        choices.append(Choice(unit, need, place[unit.name], total))
    return Chosen(tuple(choices), total, target, top < wanted, tuple(lacking))


def drawn(pool: Sequence[Candidate], arms: Mapping[str, Arm], chance: Chance) -> list[Candidate]:
    """The pool in a drawn order in which every arm comes up evenly, as often as its share says."""
    shuffled = chance.shuffled(pool)
    starts = {name: chance.below(WITHIN) for name in dict.fromkeys(candidate.arm for candidate in pool)}
    seen: dict[str, int] = {}
    keys: list[tuple[Fraction, int]] = []
    for index, item in enumerate(shuffled):
        before = seen.get(item.arm, 0)
        seen[item.arm] = before + 1
        share = arms[item.arm].share if item.arm in arms else 1
        keys.append((Fraction(before * WITHIN + starts[item.arm], share), index))
    return [shuffled[index] for _, index in sorted(keys)]


def _thinned(order: Sequence[Candidate], arms: Mapping[str, Arm], needs: Sequence[str]) -> list[Candidate]:
    """Without what is more of an arm than a force has."""
    seen: dict[str, int] = {}
    kept = []
    for candidate in order:
        seen[candidate.arm] = seen.get(candidate.arm, 0) + 1
        most = arms[candidate.arm].most if candidate.arm in arms else Arm("").most
        if seen[candidate.arm] <= max(most, needs.count(candidate.arm)):
            kept.append(candidate)
    return kept


def _needed(
    order: Sequence[Candidate], window: tuple[int, int], most: int, needs: Sequence[str]
) -> tuple[dict[Candidate, str], list[str]]:
    """For each need the first unit of its arm that leaves the window within reach; and needs that nobody meets."""
    taken: dict[Candidate, str] = {}
    lacking = []
    for need in needs:
        for candidate in order:
            if candidate.arm != need or candidate in taken or len(taken) == most:
                continue
            rest = [other for other in order if other is not candidate and other not in taken]
            spent = _sum(taken) + candidate.size
            if spent <= window[1] and _fits(_totals(rest, most - len(taken) - 1, window[1])[0][-1], window, spent):
                taken[candidate] = need
                break
        else:
            lacking.append(need)
    return taken, lacking


def _walk(order: Sequence[Candidate], window: tuple[int, int], most: int, spent: int) -> list[Candidate]:
    """Every unit in turn, if those behind it can still bring the total into the window."""
    behind = _totals(order, most, window[1] - spent)
    taken: list[Candidate] = []
    for index, item in enumerate(order):
        left = most - len(taken) - 1
        with_it = spent + item.size
        if left >= 0 and with_it <= window[1] and _fits(behind[index + 1][left], window, with_it):
            taken.append(item)
            spent = with_it
    return taken


def _totals(order: Sequence[Candidate], most: int, top: int) -> list[list[int]]:
    """For every place in the order and every number of units: the totals of at most so many from there on, as bits."""
    inside = (1 << (top + 1)) - 1
    found = [[1] * (most + 1)]
    for candidate in reversed(order):
        after = found[-1]
        if candidate.size > top:
            found.append(after)
        else:
            more = [(after[count - 1] << candidate.size) & inside for count in range(1, most + 1)]
            found.append([1, *(item | other for item, other in zip(after[1:], more, strict=True))])
    return found[::-1]


def _fits(totals: int, window: tuple[int, int], spent: int) -> bool:
    """Whether one of these totals, on top of what is spent, lies in the window."""
    low, high = max(window[0] - spent, 0), window[1] - spent
    return bool((totals >> low) & ((1 << (high - low + 1)) - 1))


def _greatest(order: Sequence[Candidate], target: int, most: int) -> int:
    """The greatest total that at most so many units come to without going beyond the target."""
    top = min(target, sum(sorted((candidate.size for candidate in order), reverse=True)[:most]))
    return _totals(order, most, top)[0][-1].bit_length() - 1


def _sum(units: Collection[Candidate]) -> int:
    return sum(unit.size for unit in units)
