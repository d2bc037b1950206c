"""Rolls one after the other, worked out exactly: every way they can go, with its whole-number weight.

A program's state is what its names stand for; names that nothing further on reads are dropped, and states that have
become the same are added up, so that a program costs what is left to tell apart, not every way of rolling it.
"""

from __future__ import annotations

from fractions import Fraction
from math import lcm
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from generator.rules.formulas.errors import FormulaUseError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from generator.rules.formulas.compiler import Formula

Branches: TypeAlias = "tuple[Iterable[tuple[Any, int]], int]"
"""The values that a roll may take with their ways, and all ways together."""

MAX_STATES = 100_000
"""How many states a program may keep apart."""


class Roll(NamedTuple):
    """One thing that chance decides: its name, when it is rolled, what may come, and which names that reads."""

    name: str
    when: Formula | None
    branches: Callable[[Mapping[str, Any]], Branches]
    reads: frozenset[str]


class Program(NamedTuple):
    """Rolls in order, and what they come to."""

    rolls: tuple[Roll, ...]
    results: tuple[tuple[str, Formula | None], ...]
    events: Mapping[str, Formula]
    numbers: Mapping[str, Formula]
    together: Mapping[str, Mapping[str, Formula]]


class Tally(NamedTuple):
    """What a program came to, in whole weights of one total."""

    total: int
    outcomes: Mapping[str, int]
    events: Mapping[str, int]
    numbers: Mapping[str, Mapping[Any, int]]
    """Values with their weights; where a figure is none, it has no weight."""
    together: Mapping[str, Mapping[tuple[Any, ...], int]]


def run(program: Program, values: Mapping[str, Any]) -> Tally:
    """Work a program out for these inputs.

    Raises FormulaUseError where a formula has no value, where no result fits, and where too many states stay apart.
    """
    here = dict(values)
    kept: tuple[str, ...] = ()
    states: dict[tuple[Any, ...], int] = {(): 1}
    for index, roll in enumerate(program.rolls):
        known = (*(name for name in kept if name != roll.name), roll.name)
        needed = _read_later(program, index + 1)
        after = tuple(name for name in known if name in needed)
        states = _grow(roll, states, kept, after, here)
        kept = after
    return _tally(program, states, kept, here)


def _read_later(program: Program, index: int) -> set[str]:
    formulas = [when for _, when in program.results if when is not None]
    formulas += [*program.events.values(), *program.numbers.values()]
    formulas += [formula for some in program.together.values() for formula in some.values()]
    needed = {name for formula in formulas for name in formula.names}
    for roll in program.rolls[index:]:
        needed |= roll.reads
    return needed


def _grow(
    roll: Roll, states: dict[tuple[Any, ...], int], kept: tuple[str, ...], after: tuple[str, ...], here: dict[str, Any]
) -> dict[tuple[Any, ...], int]:
    """The states after a roll. Every branch is brought to the common denominator of all of them."""
    grown = []
    common = 1
    for state, weight in states.items():
        here.update(zip(kept, state, strict=True))
        branches: Branches = ((None, 1),), 1
        if roll.when is None or roll.when(here):
            branches = roll.branches(here)
        grown.append((state, weight, branches))
        common = lcm(common, branches[1])
    places = tuple(kept.index(name) if name != roll.name else -1 for name in after)
    found: dict[tuple[Any, ...], int] = {}
    for state, weight, (pairs, total) in grown:
        scale = weight * (common // total)
        for value, ways in pairs:
            key = tuple(value if place < 0 else state[place] for place in places)
            found[key] = found.get(key, 0) + ways * scale
    if len(found) > MAX_STATES:
        message = f"more than {MAX_STATES} states to tell apart"
        raise FormulaUseError(message)
    return found


def _tally(
    program: Program, states: Mapping[tuple[Any, ...], int], kept: tuple[str, ...], here: dict[str, Any]
) -> Tally:
    outcomes: dict[str, int] = {}
    events = dict.fromkeys(program.events, 0)
    numbers: dict[str, dict[Any, int]] = {name: {} for name in program.numbers}
    together: dict[str, dict[tuple[Any, ...], int]] = {name: {} for name in program.together}
    for state, weight in states.items():
        here.update(zip(kept, state, strict=True))
        for outcome, when in program.results:
            if when is None or when(here):
                outcomes[outcome] = outcomes.get(outcome, 0) + weight
                break
        else:
            message = "the rolls come to none of the results"
            raise FormulaUseError(message)
        for name, formula in program.events.items():
            if formula(here):
                events[name] += weight
        for name, formula in program.numbers.items():
            _count(numbers[name], formula(here), weight)
        for name, formulas in program.together.items():
            _count(together[name], tuple(formula(here) for formula in formulas.values()), weight)
    return Tally(sum(states.values()), outcomes, events, numbers, together)


def _count(counted: dict[Any, int], value: Any, weight: int) -> None:
    """Add a weight, but for what is no figure."""
    if value is not None and not (isinstance(value, tuple) and None in value):
        counted[value] = counted.get(value, 0) + weight


def mean(weights: Mapping[Any, int]) -> Fraction:
    """The mean of values with weights.

    >>> mean({1: 1, 2: 3})
    Fraction(7, 4)
    """
    return Fraction(sum(value * weight for value, weight in weights.items()), sum(weights.values()))
