"""Choose units for a battle whose sizes add up to a target, and record the reason for each unit.

Units are shuffled. Each unit is taken if the units after it can still bring the total into the allowed window. The
totals that they can reach are computed exactly: an integer for each number of units, with a bit for each total.
"""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    from generator.scenarios.chance import Chance

WITHIN = 100
"""A total may be below its target by at most one part in this many."""


class Candidate(NamedTuple):
    """A unit that may be taken."""

    name: str
    size: int
    """The size of the unit: points, or elements in a game without points."""
    arm: str


class Arm(NamedTuple):
    """An arm: a class of units, such as infantry or armour."""

    name: str
    share: int = 1
    """How often the arm is drawn, relative to the other arms."""
    most: int = 99
    """The most units of the arm in a force; a mission may need more."""


class Choice(NamedTuple):
    """A unit that was taken."""

    unit: Candidate
    need: str
    """The arm that the mission needs; empty for a unit that was drawn."""
    drawn: int
    """The number of the unit in the drawn order, from 1."""
    total: int
    """The total size of all units up to and including this unit."""


class Chosen(NamedTuple):
    """The units that were taken, in the order in which they were taken."""

    choices: tuple[Choice, ...]
    total: int
    target: int
    short: bool
    """Whether no choice of units is near enough to the target, so that the nearest total below was taken."""
    lacking: tuple[str, ...]
    """Arms that the mission needs and that no unit could fill."""


def least(target: int) -> int:
    """Return the smallest total that is near enough to the target.

    >>> least(3000), least(850), least(12)
    (2970, 842, 12)
    """
    return target - target // WITHIN


def choose(
    source: Sequence[Candidate],
    target: int,
    most: int,
    arms: Mapping[str, Arm],
    needs: Sequence[str],
    chance: Chance,
) -> Chosen:
    """Return at most ``most`` units whose sizes add up to the target or slightly less; needed arms come first.

    Units above an arm's ``most`` are left out if the other units are enough to reach the target.
    """
    order = drawn(source, arms, chance)
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


def drawn(source: Sequence[Candidate], arms: Mapping[str, Arm], chance: Chance) -> list[Candidate]:
    """Return the source in a random order in which each arm is spread evenly, in proportion to its share."""
    shuffled = chance.shuffled(source)
    starts = {name: chance.below(WITHIN) for name in dict.fromkeys(candidate.arm for candidate in source)}
    seen: dict[str, int] = {}
    keys: list[tuple[Fraction, int]] = []
    for index, item in enumerate(shuffled):
        before = seen.get(item.arm, 0)
        seen[item.arm] = before + 1
        share = arms[item.arm].share if item.arm in arms else 1
        keys.append((Fraction(before * WITHIN + starts[item.arm], share), index))
    return [shuffled[index] for _, index in sorted(keys)]


def _thinned(order: Sequence[Candidate], arms: Mapping[str, Arm], needs: Sequence[str]) -> list[Candidate]:
    """Return the units in order, without units above their arm's ``most``."""
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
    """Return a unit for each need, and the needs that no unit can fill.

    A unit fills a need if it is of that arm and the remaining units can still bring the total into the window.
    """
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
    """Return the units taken in turn: a unit is taken if the units after it can bring the total into the window."""
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
    """Return the reachable totals, as bits, by position in the order and by number of units.

    ``result[i][n]`` holds the totals of at most ``n`` units from position ``i`` on, up to ``top``.
    """
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
    """Return whether one of the totals, added to what is spent, is in the window."""
    low, high = max(window[0] - spent, 0), window[1] - spent
    return bool((totals >> low) & ((1 << (high - low + 1)) - 1))


def _greatest(order: Sequence[Candidate], target: int, most: int) -> int:
    """Return the greatest total of at most ``most`` units that does not exceed the target."""
    top = min(target, sum(sorted((candidate.size for candidate in order), reverse=True)[:most]))
    return _totals(order, most, top)[0][-1].bit_length() - 1


def _sum(units: Collection[Candidate]) -> int:
    return sum(unit.size for unit in units)
