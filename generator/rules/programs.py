"""Rolls one after the other, worked out exactly: every way they can go, with its whole-number weight.

A program's state is what its names stand for; names that nothing further on reads are dropped, and states that have
become the same are added up, so that a program costs what is left to tell apart, not every way of rolling it.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from math import lcm
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from generator.rules.formulas.errors import NO_VALUE, FormulaUseError, no_value
from generator.rules.formulas.native import Native, native
from generator.rules.tallies import KeptStates, Questions, State, Tally, merged, picker, question, several, tally

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from generator.odds.distribution import Distribution
    from generator.rules.formulas.compiler import Formula
    from generator.rules.tallies import Remainders

Branches: TypeAlias = "tuple[Iterable[tuple[State, int]] | dict[State, int], int]"
"""The values that a roll may take (one for each of its names) with their ways, and all ways together."""

MAX_STATES = 100_000
"""How many states a program may keep apart."""


class Reply(NamedTuple):
    """What a procedure answers another one."""

    odds: Distribution[Any]
    """Its outcomes, or the values of one of its figures."""
    remainders: Remainders


class Roll(NamedTuple):
    """One thing that chance decides: its names, when it is rolled, what may come, and which names that reads."""

    names: tuple[str, ...]
    when: Formula | None
    branches: Callable[[Mapping[str, Any]], Branches]
    reads: frozenset[str]
    formula: Formula | None = None
    """What it comes to, for a mere name without chance."""
    dear: bool = False
    """Takes far longer than dice do."""
    remainders: Callable[[Mapping[str, Any]], Remainders] | None = None
    """What it leaves open, where it can leave anything open."""


@dataclass(frozen=True, slots=True)
class Program:
    """Rolls in order, and what they come to."""

    rolls: tuple[Roll, ...]
    results: tuple[tuple[str, Formula | None], ...]
    events: Mapping[str, Formula]
    numbers: Mapping[str, Formula]
    which: Mapping[str, Formula]
    together: Mapping[str, Mapping[str, Formula]]
    _made: dict[tuple[tuple[str, ...], frozenset[str]], Native] = field(default_factory=dict, repr=False)
    """The function of what the rolls come to, by the names that vary: built when first asked for."""
    named: dict[tuple[int, tuple[str, ...], frozenset[str]], Native] = field(default_factory=dict, repr=False)
    """The functions of rolls without chance, by their formula and the names that vary."""
    _parts: list[Program] = field(default_factory=list, repr=False)
    _read: dict[int, frozenset[str]] = field(default_factory=dict, repr=False)
    _questions: dict[tuple[tuple[str, ...], frozenset[str]], Questions] = field(default_factory=dict, repr=False)

    def parts(self) -> tuple[Program, ...]:
        """Programs that come to the same, each with the rolls that its figures lean on: the outcomes’ own first.

        Rolls that nothing reads together need not be told apart: two that take their time cost what they cost alone,
        not every pair of what they come to.
        """
        if not self._parts:
            self._parts.extend(self._split())
        return tuple(self._parts)

    def _split(self) -> list[Program]:
        main = [when for _, when in self.results if when is not None] + list(self.events.values())
        sets = [self._leans_on(main)]
        places: dict[tuple[str, str], int] = {}
        read = {("numbers", name): [one] for name, one in self.numbers.items()}
        read |= {("which", name): [one] for name, one in self.which.items()}
        read |= {("together", name): list(some.values()) for name, some in self.together.items()}
        for name, formulas in read.items():
            leans = self._leans_on(formulas)
            places[name] = next((index for index, some in enumerate(sets) if leans <= some), len(sets))
            sets += [leans] if places[name] == len(sets) else []
        elsewhere = frozenset[int]().union(*sets[1:]) - sets[0]
        sets[0] = frozenset(range(len(self.rolls))) - elsewhere  # rolls that nothing reads, too
        return [
            Program(
                tuple(roll for index, roll in enumerate(self.rolls) if index in leans),
                () if place else self.results,
                {} if place else self.events,
                {name: one for name, one in self.numbers.items() if places["numbers", name] == place},
                {name: one for name, one in self.which.items() if places["which", name] == place},
                {name: one for name, one in self.together.items() if places["together", name] == place},
            )
            for place, leans in enumerate(sets)
        ]

    def _leans_on(self, formulas: Iterable[Formula]) -> frozenset[int]:
        """The rolls that formulas read, and those that these read."""
        names = {name for formula in formulas for name in formula.names}
        found = set()
        for index in range(len(self.rolls) - 1, -1, -1):
            roll = self.rolls[index]
            if not names.isdisjoint(roll.names):
                found.add(index)
                names |= roll.reads
        return frozenset(found)

    def read_after(self, index: int) -> frozenset[str]:
        """The names that the rolls from this one on read, or what they come to."""
        if index not in self._read:
            self._read[index] = self._names_read(index)
        return self._read[index]

    def _names_read(self, index: int) -> frozenset[str]:
        formulas = [when for _, when in self.results if when is not None]
        formulas += [*self.events.values(), *self.numbers.values(), *self.which.values()]
        formulas += [formula for some in self.together.values() for formula in some.values()]
        needed = frozenset(name for formula in formulas for name in formula.names)
        return needed.union(*(roll.reads for roll in self.rolls[index:]))

    def function(self, varying: tuple[str, ...], sets: frozenset[str]) -> Native:
        """Which outcome the rolls come to, and what each event and figure is, as a function of what varies."""
        if (varying, sets) not in self._made:
            formulas = [*self.numbers.values(), *self.which.values()]
            formulas += [formula for some in self.together.values() for formula in some.values()]
            whens = [when for _, when in self.results]
            self._made[varying, sets] = native(whens, formulas, varying, sets, list(self.events.values()))
        return self._made[varying, sets]

    def questions(self, varying: tuple[str, ...], sets: frozenset[str]) -> Questions:
        """The same apart: what is asked for the outcomes, for events that read the same, and for each figure."""
        if (varying, sets) not in self._questions:
            figures = [[one] for one in (*self.numbers.values(), *self.which.values())]
            figures += [list(some.values()) for some in self.together.values()]
            alike: dict[frozenset[str], dict[int, Formula]] = {}
            for place, event in enumerate(self.events.values()):
                alike.setdefault(event.names.intersection(varying), {})[place] = event
            self._questions[varying, sets] = Questions(
                question(varying, sets, choices=[when for _, when in self.results]),
                tuple(
                    (tuple(some), question(varying, sets, conditions=list(some.values()))) for some in alike.values()
                ),
                tuple(question(varying, sets, formulas=figure) for figure in figures),
            )
        return self._questions[varying, sets]


def run(program: Program, values: Mapping[str, Any], *, whole: bool = True) -> Tally:
    """Work a program out for these inputs; if not ``whole``, only its outcomes and events and what they lean on.

    Raises FormulaUseError where a formula has no value, where no result fits, and where too many states stay apart.
    """
    main, *others = program.parts()
    first = _run(main, values)
    for part in others if whole else ():
        other = _run(part, values)
        common = lcm(first.total, other.total)
        first, scaled = _scaled(first, common), _scaled(other, common)
        first = first._replace(
            numbers={**first.numbers, **scaled.numbers},
            which={**first.which, **scaled.which},
            together={**first.together, **scaled.together},
            remainders={**first.remainders, **scaled.remainders},
        )
    return first


def repeated(remainders: Remainders, times: int) -> Remainders:
    """Return the chances that at least one of several independent rolls leaves something open."""
    return {name: 1 - (1 - chance) ** times for name, chance in remainders.items()}


def run_figure(program: Program, values: Mapping[str, Any], figure: str) -> Tally:
    """Work out what one of the program's numbers leans on, and nothing else. Raises FormulaUseError as ``run``."""
    return _run(next(part for part in program.parts() if figure in part.numbers), values)


def _scaled(tally: Tally, total: int) -> Tally:
    """The same in whole weights of another total."""
    by = total // tally.total

    def each(some: Mapping[Any, int]) -> dict[Any, int]:
        return {value: weight * by for value, weight in some.items()}

    def all_of(some: Mapping[str, Mapping[Any, int]]) -> dict[str, dict[Any, int]]:
        return {name: each(weights) for name, weights in some.items()}

    return Tally(
        total, each(tally.outcomes), each(tally.events),
        all_of(tally.numbers), all_of(tally.which), all_of(tally.together), tally.remainders,
    )  # fmt: skip


def _run(program: Program, values: Mapping[str, Any]) -> Tally:
    here = dict(values)
    kept: tuple[str, ...] = ()
    states: dict[State, int] = {(): 1}
    varying: set[str] = set()
    remainders: dict[str, Fraction] = {}
    for index, roll in enumerate(program.rolls):
        if roll.formula is not None and roll.reads.isdisjoint(varying):
            ((value, _),), _ = (
                roll.branches(here) if roll.when is None or roll.when.holds(here) else ((((None,), 1),), 1)
            )
            here[roll.names[0]] = value[0]
            varying.discard(roll.names[0])
            continue
        varying.update(roll.names)
        needed = program.read_after(index + 1)
        after = tuple(
            name for name in (*(name for name in kept if name not in roll.names), *roll.names) if name in needed
        )
        if roll.remainders is not None:
            remainders |= _left_open(roll, states, kept, here)
        states = _grow(program, roll, states, kept, after, here)
        kept = after
    try:
        return tally(program, states, kept, here)._replace(remainders=remainders)
    except NO_VALUE as error:
        raise no_value(error) from error


def _left_open(
    roll: Roll, states: Mapping[State, int], kept: tuple[str, ...], here: dict[str, Any]
) -> dict[str, Fraction]:
    """Return the chance of each remainder of a roll, over all states in which it is rolled."""
    found: dict[str, Fraction] = {}
    for state, weight in states.items():
        here.update(zip(kept, state, strict=True))
        if roll.remainders is not None and (roll.when is None or roll.when.holds(here)):
            for name, chance in roll.remainders(here).items():
                found[name] = found.get(name, Fraction(0)) + chance * weight
    total, own = sum(states.values()), roll.names[0].partition(".")[0]
    return {f"{own}, {name}" if name else own: chance / total for name, chance in found.items() if chance}


def _grow(
    program: Program,
    roll: Roll,
    states: dict[State, int],
    kept: tuple[str, ...],
    after: tuple[str, ...],
    here: dict[str, Any],
) -> dict[State, int]:
    """The states after a roll. Every branch is brought to the common denominator of all of them."""
    if not kept and roll.when is None:
        pairs, _ = roll.branches(here)
        places = tuple(map(roll.names.index, after))
        if isinstance(pairs, KeptStates):
            return pairs if after == roll.names else pairs.narrowed(places)
        states = dict(pairs)
        return states if after == roll.names else merged(states, picker(places))
    if roll.formula is not None and roll.when is None:
        return _named(program, roll, states, kept, after, here)
    grown = []
    common = 1
    nothing: Branches = ((((None,) * len(roll.names), 1),), 1)
    alike = roll.branches(here) if roll.when is None and roll.reads.isdisjoint(kept) else None  # whatever the state
    for state, weight in states.items():
        if alike is None:
            here.update(zip(kept, state, strict=True))
        branches = alike or (roll.branches(here) if roll.when is None or roll.when.holds(here) else nothing)
        grown.append((state, weight, branches))
        common = lcm(common, branches[1])
    before = picker(tuple(kept.index(name) for name in after if name not in roll.names))
    rolled = picker(tuple(roll.names.index(name) for name in after if name in roll.names))
    found: dict[State, int] = {}
    for state, weight, (pairs, total) in grown:
        scale = weight * (common // total)
        head = before(state)
        for value, ways in pairs.items() if isinstance(pairs, dict) else pairs:
            key = head + rolled(value)
            found[key] = found.get(key, 0) + ways * scale
    if len(found) > MAX_STATES:
        message = f"more than {MAX_STATES} states to tell apart"
        raise FormulaUseError(message)
    return found


def _named(
    program: Program,
    roll: Roll,
    states: dict[State, int],
    kept: tuple[str, ...],
    after: tuple[str, ...],
    here: Mapping[str, Any],
) -> dict[State, int]:
    """The states with what a formula comes to in each; one function for all of them."""
    sets = several(states, kept)
    key = id(roll.formula), kept, sets
    if key not in program.named:
        assert roll.formula is not None  # noqa: S101 - or it would be a roll
        program.named[key] = native((), [roll.formula], kept, sets)
    made = program.named[key]
    part = picker(tuple(len(kept) if name == roll.names[0] else kept.index(name) for name in after))
    found: dict[State, int] = {}
    fixed = tuple(what(here) for what in made.fixed)
    try:
        for state, weight in states.items():
            after_it = part((*state, made.function(*state, *fixed)[1]))
            found[after_it] = found.get(after_it, 0) + weight
    except NO_VALUE as error:
        raise no_value(error) from error
    return found
