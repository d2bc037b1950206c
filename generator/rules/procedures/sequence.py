"""Compute a sequence of rolls exactly: every state that the rolls can reach, with a whole-number weight.

A state holds the values of the names that later rolls or the results read. The weights of equal states are added up.
So the cost of a program depends on the number of different states, not on the number of ways to roll.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from math import gcd
from operator import itemgetter
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from generator.odds.distribution import Distribution
from generator.rules.formulas.errors import FormulaUseError
from generator.rules.formulas.functions import size
from generator.rules.source.validation import show

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from generator.rules.formulas.compiler import Formula

State: TypeAlias = tuple[Any, ...]
Remainders: TypeAlias = "Mapping[str, Fraction]"
"""For each roll with re-rolled dice: the chance that a die reaches the last re-roll and would be rolled again."""

ResultKey: TypeAlias = tuple[str, str]
"""A result of a case: the key of the rule data (``events``, ``numbers`` or ``which``) and its name, or ``OUTCOME``."""
OUTCOME: ResultKey = ("results", "")

MAX_STATES = 100_000
"""How many different states a program may have; each entry of a list in a state counts as one more."""


class Reply(NamedTuple):
    """The odds of the values of a roll, or of a procedure's answer to another procedure that asks it."""

    odds: Distribution[Any]
    remainders: Remainders = MappingProxyType({})
    """The chances that its dice stop although they would be rolled again."""


class Tally(NamedTuple):
    """The results of a program, as whole-number weights of one total."""

    total: int
    results: Mapping[ResultKey, Mapping[Any, int]]
    """The values of each result with their weights; none is not a value of ``numbers``."""
    remainders: Remainders = MappingProxyType({})

    def named(self, field: str) -> dict[str, Mapping[Any, int]]:
        """Return the weights of each result under ``field``, such as ``numbers``, by its name.

        A result under ``numbers`` that never has a value is left out.
        """
        return {name: weights for (key, name), weights in self.results.items() if key == field and weights}


class Roll(NamedTuple):
    """A roll: its names, the condition for making it, its possible values, and the names that they depend on."""

    names: tuple[str, ...]
    when: Formula | None
    reply: Callable[[Mapping[str, Any]], Reply]
    """Return the odds of its values: a value, or for a roll with fields a value for each of its names."""
    reads: frozenset[str]
    formula: Formula | None = None
    """The roll's value, if it is computed without chance (``be``)."""
    slow: bool = False
    """Whether the roll takes far longer to compute than dice."""


@dataclass(frozen=True, eq=False)
class Program:
    """The rolls of a case in order, and the formulas of its results. Each program equals only itself."""

    rolls: tuple[Roll, ...]
    results: Mapping[ResultKey, Formula]

    @cached_property
    def without_figures(self) -> Program:
        """The program for only its outcomes and events."""
        figures = ("numbers", "which")
        return replace(self, results={key: item for key, item in self.results.items() if key[0] not in figures})

    def only(self, key: ResultKey) -> Program:
        """Return the program for only one result, with the rolls on which the result depends."""
        return Program(needed_rolls(self.rolls, self.results[key].names)[0], {key: self.results[key]})

    @cached_property
    def rolled(self) -> frozenset[str]:
        """The names of the program's rolls; a roll with fields has only a name for each field: ``drawn.points``."""
        return frozenset(name for roll in self.rolls for name in roll.names)

    @cached_property
    def given(self) -> tuple[str, ...]:
        """The names that its rolls read, without the names of rolls."""
        return tuple({name for roll in self.rolls for name in roll.reads} - self.rolled)

    @cached_property
    def read_after(self) -> tuple[frozenset[str], ...]:
        """For each roll, the names that the later rolls and the results read."""
        needed = frozenset(name for formula in self.results.values() for name in formula.names)
        sets = []
        for roll in reversed(self.rolls):
            sets.append(needed)
            needed |= roll.reads
        return tuple(reversed(sets))


def needed_rolls(rolls: Sequence[Roll], names: Iterable[str]) -> tuple[tuple[Roll, ...], set[str]]:
    """Return the rolls that these names depend on, in order; and these names, with all names that those rolls read."""
    needed: tuple[Roll, ...] = ()
    read = set(names)
    for roll in reversed(rolls):
        if not read.isdisjoint(roll.names):
            needed, read = (roll, *needed), read | roll.reads
    return needed, read


def repeated(remainders: Remainders, times: int) -> Remainders:
    """Return for each roll the chance that a die is cut short in at least one of ``times`` independent repetitions.

    Cut short means that it would be rolled again, but has no further roll left.
    """
    return {name: 1 - (1 - chance) ** times for name, chance in remainders.items()}


class _Rolled(NamedTuple):
    """The states after all rolls of a program, and all that follows from them."""

    names: tuple[str, ...]
    """The names of the values of a state."""
    states: Mapping[State, int]
    here: dict[str, Any]
    """It has the values that are the same in all states; its other values are not read."""
    remainders: Remainders
    weights: dict[tuple[ResultKey, State], Mapping[Any, int]]
    """The weights of each result that was computed from these states, by it and the other values that it reads."""
    parts: dict[tuple[int, ...], Mapping[State, int]]
    """For each choice of positions that a result reads: the states with only these values."""


_LAST: dict[tuple[Program, State], _Rolled] = {}
"""The rolls of the last run, by its program and the values that they read. The cells of a grid often share them."""


def run(program: Program, values: Mapping[str, Any]) -> Tally:
    """Return the results of a program for these inputs: make its rolls in order, and add up the results of all states.

    Raises FormulaUseError if a formula has no value or no result fits, for a figure of the wrong type, and for too many
    states. Raises ValueError if a roll has too many results to compute.
    """
    key = program, tuple(values.get(name) for name in program.given)
    rolled = _LAST.get(key)
    if rolled is None:
        rolled = _rolled(program, values)
        _LAST.clear()
        _LAST[key] = rolled
    return tally(program, rolled, values)


def _rolled(program: Program, values: Mapping[str, Any]) -> _Rolled:
    """Return the states after all rolls of a program. Raises FormulaUseError and ValueError as ``run`` does."""
    here = dict(values)
    names: tuple[str, ...] = ()
    states: dict[State, int] = {(): 1}
    varying: set[str] = set()
    lists: dict[str, int] = {}
    remainders: dict[str, Fraction] = {}
    for roll, needed in zip(program.rolls, program.read_after, strict=True):
        if roll.formula is not None and roll.reads.isdisjoint(varying):
            here[roll.names[0]] = roll.formula(here) if roll.when is None or roll.when.holds(here) else None
            continue
        varying.update(roll.names)
        after = tuple(
            name for name in (*(name for name in names if name not in roll.names), *roll.names) if name in needed
        )
        states = _grow(roll, states, names, after, here, lists, remainders)
        names = after
    fixed = {name: value for name, value in here.items() if name in program.rolled}
    return _Rolled(names, states, fixed, remainders, {}, {tuple(range(len(names))): states})


def _grow(
    roll: Roll,
    states: dict[State, int],
    names: tuple[str, ...],
    after: tuple[str, ...],
    here: dict[str, Any],
    lists: dict[str, int],
    remainders: dict[str, Fraction],
) -> dict[State, int]:
    """Return the states after a roll; all weights are scaled to a common total.

    ``names`` and ``after`` name the values of a state before and after the roll. ``here`` holds the fixed values, and
    is changed. ``lists`` holds, for each name, the ``size`` of its largest list; the list of a computed roll is added.
    Adds to ``remainders`` the chances that dice of the roll are cut short, over all states. Raises FormulaUseError as
    ``_check_budget`` does, and if a formula of the roll has no value, or a value that the roll cannot use. Raises
    ValueError as ``run`` does.
    """
    read = tuple(name for name in names if name in roll.reads)
    key = picker(tuple(map(names.index, read)))
    before = picker(tuple(names.index(name) for name in after if name not in roll.names))
    rolled = picker(tuple(roll.names.index(name) for name in after if name in roll.names))
    alike: dict[State, list[tuple[State, int]]] = {}
    for state, weight in states.items():
        alike.setdefault(key(state), []).append((before(state), weight))
    own, has_fields, _ = roll.names[0].partition(".")
    grown: dict[State, int] = {}
    if roll.formula is not None:
        for values, value in _computed(roll, roll.formula, read, list(alike), here).items():
            if type(value) is tuple:
                lists[own] = max(lists.get(own, 0), size(value))
            for head, weight in alike[values]:
                state = head + rolled((value,))
                grown[state] = grown.get(state, 0) + weight
        _check_budget(len(grown), after, lists)
        return grown
    nothing = Reply(Distribution.certain((None,) * len(roll.names) if has_fields else None))
    before_roll = sum(states.values())
    common = 1
    for values, heads in alike.items():
        here.update(zip(read, values, strict=True))
        odds, cut_short = roll.reply(here) if roll.when is None or roll.when.holds(here) else nothing
        for name, chance in cut_short.items():
            label = f"{own}, {name}" if name else own
            reached = Fraction(sum(weight for _, weight in heads), before_roll)
            remainders[label] = remainders.get(label, Fraction(0)) + chance * reached
        more = odds.total // gcd(common, odds.total)
        if more > 1:
            grown = {state: weight * more for state, weight in grown.items()}
            common *= more
        scale = common // odds.total
        tails = [(rolled(value if has_fields else (value,)), count * scale) for value, count in odds.weights]
        for head, weight in heads:
            for tail, count in tails:
                state = head + tail
                grown[state] = grown.get(state, 0) + weight * count
            if len(grown) > MAX_STATES or lists:
                _check_budget(len(grown), after, lists)
    return grown


def _computed(
    roll: Roll, formula: Formula, read: tuple[str, ...], parts: list[State], here: dict[str, Any]
) -> dict[State, Any]:
    """Return the value of a roll without chance for each of ``parts``, by the part; None if its condition fails.

    ``parts`` are the values of the names ``read`` in the states. ``here`` has all other values, and is changed. Raises
    FormulaUseError if a formula has no value.
    """
    holds = [True] * len(parts) if roll.when is None else roll.when.each(here, read, parts, holds=True)
    made = [part for part, it_holds in zip(parts, holds, strict=True) if it_holds]
    values = formula.each(here, read, made, holds=False)
    return dict.fromkeys(parts) | dict(zip(made, values, strict=True))


def _check_budget(states: int, names: Iterable[str], lists: Mapping[str, int]) -> None:
    """Raise FormulaUseError for too many states; a list in a state counts as many more as its ``size``.

    ``names`` name the values of a state, and ``lists`` gives the ``size`` of the largest list of each name.
    """
    if states * (1 + sum(lists.get(name, 0) for name in names)) > MAX_STATES:
        message = f"more than {MAX_STATES} states to tell apart, with the values in their lists"
        raise FormulaUseError(message, hint="use the sum or count of a list, or roll fewer dice")


def merged(states: Mapping[State, int], places: tuple[int, ...]) -> dict[State, int]:
    """Return the states with only the values at these positions; the weights of equal states are added up.

    >>> merged({("red", 1): 2, ("red", 2): 3}, (0,))
    {('red',): 5}
    """
    part = picker(places)
    sums: dict[State, int] = {}
    for state, weight in states.items():
        key = part(state)
        sums[key] = sums.get(key, 0) + weight
    return sums


def picker(places: tuple[int, ...]) -> Callable[[State], State]:
    """Return a function that returns the values at these positions of a state.

    >>> picker((1, 0))(("a", "b", "c")), picker((1,))(("a", "b", "c")), picker(())(("a", "b", "c"))
    (('b', 'a'), ('b',), ())
    """
    if len(places) > 1:
        return itemgetter(*places)
    return itemgetter(slice(places[0], places[0] + 1) if places else slice(0))


def tally(program: Program, rolled: _Rolled, values: Mapping[str, Any]) -> Tally:
    """Return the results of all states, added up for these inputs. They are kept in ``rolled`` for the next call.

    Raises FormulaUseError for a state without an outcome, for a formula without a value, and for a figure of the wrong
    type.
    """
    results: dict[ResultKey, Mapping[Any, int]] = {}
    for key, formula in program.results.items():
        read = tuple(values.get(name) for name in formula.names - program.rolled)
        if (key, read) not in rolled.weights:
            weights = _weights(key, formula, rolled, {**values, **rolled.here})
            for value in weights:
                _check_value(key, value)
            if key[0] == "numbers":
                weights.pop(None, None)
            rolled.weights[key, read] = weights
        results[key] = rolled.weights[key, read]
    return Tally(sum(rolled.states.values()), results, rolled.remainders)


def _check_value(key: ResultKey, value: Any) -> None:
    """Raise FormulaUseError for an outcome that is None, and for a figure of the wrong type.

    Under ``numbers``, a figure must be a number or None. Under ``which``, it must not be a list with lists in it.
    """
    field, name = key
    if key == OUTCOME and value is None:
        raise FormulaUseError("the rolls come to none of the results")
    if field == "numbers" and (isinstance(value, bool) or not isinstance(value, int | Fraction | None)):
        raise FormulaUseError(f"the figure {name} comes to {show(value)}, not to a number")
    if field == "which" and size(value) > 1 + len(value if isinstance(value, tuple) else ()):
        raise FormulaUseError(f"{name} comes to a list of lists")


def _weights(key: ResultKey, formula: Formula, rolled: _Rolled, here: dict[str, Any]) -> dict[Any, int]:
    """Return the values of a result over all states, with their weights. ``here`` is changed.

    Raises FormulaUseError if the formula has no value.
    """
    places = tuple(place for place, name in enumerate(rolled.names) if name in formula.names)
    if places not in rolled.parts:
        rolled.parts[places] = merged(rolled.states, places)
    states = rolled.parts[places]
    results = formula.each(here, [rolled.names[place] for place in places], states, holds=key[0] == "events")
    weights: dict[Any, int] = {}
    for value, weight in zip(results, states.values(), strict=True):
        weights[value] = weights.get(value, 0) + weight
    return weights
