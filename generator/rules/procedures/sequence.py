"""Rolls one after the other, worked out exactly: every way they can go, with its whole-number weight.

A state holds the values of the names that later rolls or the results read. Equal states are added up. So a program
costs as much as there are states to tell apart, not as much as there are ways to roll.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import gcd, lcm
from operator import itemgetter
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from generator.rules.formulas.compiler import first_that_holds, function, together
from generator.rules.formulas.errors import NO_VALUE, FormulaUseError
from generator.rules.formulas.functions import size
from generator.rules.source.model_errors import show

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from generator.odds.distribution import Distribution
    from generator.rules.formulas.compiler import Formula

State: TypeAlias = tuple[Any, ...]
Branches: TypeAlias = "tuple[Iterable[tuple[State, int]] | dict[State, int], int]"
"""The values that a roll may take (one for each of its names) with their ways, and all ways together."""
Remainders: TypeAlias = "Mapping[str, Fraction]"
"""For each roll whose dice may be rolled again too often: the chance that one stops though it shows a face to go on."""

MAX_STATES = 100_000
"""How many states a program may keep apart; each entry of a list in a state counts as one more."""


class Tally(NamedTuple):
    """What a program came to, in whole weights of one total."""

    total: int
    outcomes: Mapping[str, int]
    events: Mapping[str, int]
    numbers: Mapping[str, Mapping[Any, int]]
    """Values with their weights; where a figure is none, it has no weight."""
    which: Mapping[str, Mapping[Any, int]]
    """Values that are no numbers, with their weights; none is one of them."""
    together: Mapping[str, Mapping[tuple[Any, ...], int]]
    remainders: Remainders = MappingProxyType({})


class KeptStates(dict[State, int]):
    """States that many questions start from, such as those of a draw. They never change."""

    __slots__ = ("_narrowed", "answers", "total")

    def __init__(self, states: Mapping[State, int] | Iterable[tuple[State, int]]) -> None:
        """Keep the states with their weights."""
        super().__init__(states)
        self.total = sum(self.values())
        self._narrowed: dict[tuple[int, ...], KeptStates] = {}
        self.answers: dict[Question, dict[Any, int]] = {}

    def narrowed(self, places: tuple[int, ...]) -> KeptStates:
        """Return the states with only the values in these places; the result is kept for the next question."""
        if places not in self._narrowed:
            self._narrowed[places] = KeptStates(merged(self, places))
        return self._narrowed[places]


class Question(NamedTuple):
    """Something that is asked of every state."""

    python: str
    """What ``function`` compiles."""
    names: frozenset[str]
    """The names that it reads."""
    formulas: tuple[Formula | None, ...]
    """What it is made of."""
    field: str = ""
    """Where the rule data asks: ``numbers``, ``which``, ``together``; nothing for a condition."""
    name: str = ""

    def refuse(self, here: Mapping[str, Any]) -> None:
        """Raise FormulaUseError with the place of the formula that has no value here."""
        for formula in self.formulas:
            if formula is None or (formula(here) if self.field else formula.holds(here)) is True:
                return

    def check(self, value: Any) -> None:
        """Raise FormulaUseError for a figure of the wrong type."""
        if self.field == "which" and isinstance(value, tuple | frozenset):
            message = f"{self.name} comes to a list, not to one value"
            raise FormulaUseError(message)
        numbers = value if self.field == "together" else [value] if self.field == "numbers" else ()
        for number in numbers:
            if number is not None and (isinstance(number, bool) or not isinstance(number, int | Fraction)):
                message = f"the figure {self.name} comes to {show(number)}, not to a number"
                raise FormulaUseError(message)


def _read(formulas: Iterable[Formula | None]) -> frozenset[str]:
    return frozenset(name for formula in formulas if formula is not None for name in formula.names)


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


@dataclass(frozen=True)
class Program:
    """Rolls in order, and what they come to."""

    rolls: tuple[Roll, ...]
    results: tuple[tuple[str, Formula | None], ...]
    events: Mapping[str, Formula]
    numbers: Mapping[str, Formula]
    which: Mapping[str, Formula]
    together: Mapping[str, Mapping[str, Formula]]

    @cached_property
    def parts(self) -> tuple[Program, ...]:
        """Programs for parts of the figures, each with the rolls that these figures read; the outcomes come first.

        Rolls that nothing reads together need not be told apart. Two such rolls cost the sum of their states, not the
        product.
        """
        main = [when for _, when in self.results if when is not None] + list(self.events.values())
        sets = [self._leans_on(main)]
        places: dict[tuple[str, str], int] = {}
        read = {("numbers", name): [item] for name, item in self.numbers.items()}
        read |= {("which", name): [item] for name, item in self.which.items()}
        read |= {("together", name): list(some.values()) for name, some in self.together.items()}
        for name, formulas in read.items():
            leans = self._leans_on(formulas)
            places[name] = next((index for index, some in enumerate(sets) if leans <= some), len(sets))
            sets += [leans] if places[name] == len(sets) else []
        elsewhere = frozenset[int]().union(*sets[1:]) - sets[0]
        sets[0] = frozenset(range(len(self.rolls))) - elsewhere  # rolls that nothing reads, too
        return tuple(
            Program(
                tuple(roll for index, roll in enumerate(self.rolls) if index in leans),
                () if place else self.results,
                {} if place else self.events,
                {name: item for name, item in self.numbers.items() if places["numbers", name] == place},
                {name: item for name, item in self.which.items() if places["which", name] == place},
                {name: item for name, item in self.together.items() if places["together", name] == place},
            )
            for place, leans in enumerate(sets)
        )

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

    @cached_property
    def choice(self) -> Question:
        """Which of the results comes up: its place, or -1."""
        conditions = [when for _, when in self.results]
        return Question(first_that_holds(conditions), _read(conditions), tuple(conditions))

    @cached_property
    def conditions(self) -> Mapping[str, Question]:
        """Whether an event happens: 0 if it does, else -1."""
        return {name: Question(first_that_holds([event]), event.names, (event,)) for name, event in self.events.items()}

    @cached_property
    def figures(self) -> tuple[Question, ...]:
        """What each figure comes to."""
        single = {"numbers": self.numbers, "which": self.which}
        found = [
            Question(formula.python, formula.names, (formula,), field, name)
            for field, formulas in single.items()
            for name, formula in formulas.items()
        ]
        for name, formulas in self.together.items():
            some = tuple(formulas.values())
            found.append(Question(together(some), _read(some), some, "together", name))
        return tuple(found)

    @cached_property
    def read_after(self) -> tuple[frozenset[str], ...]:
        """For each roll, the names that the later rolls and the results read."""
        formulas = [when for _, when in self.results if when is not None]
        formulas += [*self.events.values(), *self.numbers.values(), *self.which.values()]
        formulas += [formula for some in self.together.values() for formula in some.values()]
        needed = _read(formulas)
        found = []
        for roll in reversed(self.rolls):
            found.append(needed)
            needed |= roll.reads
        return tuple(reversed(found))


def run(program: Program, values: Mapping[str, Any], *, whole: bool = True) -> Tally:
    """Work a program out for these inputs; if not ``whole``, only its outcomes and events and what they lean on.

    Raises FormulaUseError where a formula has no value, where no result fits, and where too many states stay apart.
    """
    main, *others = program.parts
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
    return _run(next(part for part in program.parts if figure in part.numbers), values)


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
    lists: dict[str, int] = {}
    remainders: dict[str, Fraction] = {}
    for roll, needed in zip(program.rolls, program.read_after, strict=True):
        if roll.formula is not None and roll.reads.isdisjoint(varying):
            here[roll.names[0]] = roll.formula(here) if roll.when is None or roll.when.holds(here) else None
            continue
        varying.update(roll.names)
        after = tuple(
            name for name in (*(name for name in kept if name not in roll.names), *roll.names) if name in needed
        )
        if roll.remainders is not None:
            remainders |= _left_open(roll, states, kept, here)
        states = _grow(roll, states, kept, after, here, lists)
        kept = after
    return tally(program, states, kept, here)._replace(remainders=remainders)


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
    roll: Roll,
    states: dict[State, int],
    kept: tuple[str, ...],
    after: tuple[str, ...],
    here: dict[str, Any],
    lists: dict[str, int],
) -> dict[State, int]:
    """Return the states after a roll, whose branches are brought to their common denominator.

    ``lists`` holds, for each name, the entries of its longest list. Raises FormulaUseError above MAX_STATES.
    """
    if not kept and roll.when is None:
        pairs, _ = roll.branches(here)
        if isinstance(pairs, KeptStates):
            return pairs if after == roll.names else pairs.narrowed(tuple(map(roll.names.index, after)))
    if roll.formula is not None:
        return _compute(roll, roll.formula, states, kept, after, here, lists)
    read = tuple(name for name in kept if name in roll.reads)
    key = picker(tuple(map(kept.index, read)))
    before = picker(tuple(kept.index(name) for name in after if name not in roll.names))
    rolled = picker(tuple(roll.names.index(name) for name in after if name in roll.names))
    alike: dict[State, list[tuple[State, int]]] = {}
    for state, weight in states.items():
        alike.setdefault(key(state), []).append((before(state), weight))
    nothing: Branches = ((((None,) * len(roll.names), 1),), 1)
    found: dict[State, int] = {}
    common = 1
    for values, heads in alike.items():
        here.update(zip(read, values, strict=True))
        pairs, total = roll.branches(here) if roll.when is None or roll.when.holds(here) else nothing
        more = total // gcd(common, total)
        if more > 1:
            found = {state: weight * more for state, weight in found.items()}
            common *= more
        scale = common // total
        tails = [(rolled(value), ways * scale) for value, ways in (pairs.items() if isinstance(pairs, dict) else pairs)]
        for head, weight in heads:
            for tail, ways in tails:
                state = head + tail
                found[state] = found.get(state, 0) + weight * ways
            if len(found) > MAX_STATES or lists:
                _check_budget(len(found), after, lists)
    return found


def _compute(
    roll: Roll,
    formula: Formula,
    states: dict[State, int],
    kept: tuple[str, ...],
    after: tuple[str, ...],
    here: dict[str, Any],
    lists: dict[str, int],
) -> dict[State, int]:
    """Return the states with what a formula comes to in each."""
    (name,) = roll.names
    part = picker(tuple(len(kept) if text == name else kept.index(text) for text in after))
    run = function(
        formula.python if roll.when is None else f"{formula.python} if {roll.when.condition} else None", kept
    )
    found: dict[State, int] = {}
    try:
        for state, weight in states.items():
            value = run(here, *state)
            state_after = part((*state, value))
            found[state_after] = found.get(state_after, 0) + weight
            if type(value) is tuple:
                lists[name] = max(lists.get(name, 0), size(value))
                _check_budget(len(found), after, lists)
    except (*NO_VALUE, FormulaUseError):
        here.update(zip(kept, state, strict=True))
        if roll.when is None or roll.when.holds(here):
            formula(here)  # says where the formula is
        raise
    _check_budget(len(found), after, lists)
    return found


def _check_budget(states: int, names: Iterable[str], lists: Mapping[str, int]) -> None:
    """Raise FormulaUseError if so many states hold too much; ``lists`` gives the size of the longest list of a name."""
    if states * (1 + sum(lists.get(name, 0) for name in names)) > MAX_STATES:
        message = f"more than {MAX_STATES} states to tell apart, with the values in their lists"
        raise FormulaUseError(message, hint="keep a sum or a count of a list, or roll fewer dice")


def merged(states: Mapping[State, int], places: tuple[int, ...]) -> dict[State, int]:
    """Return the states with only the values in these places; equal ones are added up.

    >>> merged({("red", 1): 2, ("red", 2): 3}, (0,))
    {('red',): 5}
    """
    part = picker(places)
    found: dict[State, int] = {}
    for state, weight in states.items():
        key = part(state)
        found[key] = found.get(key, 0) + weight
    return found


def picker(places: tuple[int, ...]) -> Callable[[State], State]:
    """Return what picks these places of a state.

    >>> picker((1, 0))(("a", "b", "c")), picker((1,))(("a", "b", "c")), picker(())(("a", "b", "c"))
    (('b', 'a'), ('b',), ())
    """
    if len(places) > 1:
        return itemgetter(*places)
    return itemgetter(slice(places[0], places[0] + 1) if places else slice(0))


def tally(program: Program, states: Mapping[State, int], kept: tuple[str, ...], here: dict[str, Any]) -> Tally:
    """Add up what the states come to; ``kept`` names their values, ``here`` holds the values that are fixed.

    Raises FormulaUseError for a state without a result, for a formula without a value, and for a figure of the wrong
    type.
    """
    results = _answers(program.choice, states, kept, here) if program.results else {}
    if -1 in results:
        message = "the rolls come to none of the results"
        raise FormulaUseError(message)
    outcomes = dict.fromkeys([outcome for outcome, _ in program.results], 0)
    for place, weight in results.items():
        outcomes[program.results[place][0]] += weight
    events = {name: _answers(event, states, kept, here).get(0, 0) for name, event in program.conditions.items()}
    figures: dict[str, dict[str, dict[Any, int]]] = {"numbers": {}, "which": {}, "together": {}}
    for figure in program.figures:
        weights = _answers(figure, states, kept, here)
        figures[figure.field][figure.name] = {
            value: weight
            for value, weight in weights.items()
            if figure.field == "which" or not (value is None or (isinstance(value, tuple) and None in value))
        }
    total = states.total if isinstance(states, KeptStates) else sum(states.values())
    return Tally(total, outcomes, events, figures["numbers"], figures["which"], figures["together"])


def _answers(
    question: Question, states: Mapping[State, int], kept: tuple[str, ...], here: dict[str, Any]
) -> Mapping[Any, int]:
    """Return every answer with its weight. Answers that need no other names are kept with the states."""
    always = question.names.issubset(kept)
    if isinstance(states, KeptStates) and always and question in states.answers:
        return states.answers[question]
    places = tuple(place for place, name in enumerate(kept) if name in question.names)
    names = tuple([kept[place] for place in places])
    run = function(question.python, names)
    if len(places) == len(kept):
        narrowed = states
    else:
        narrowed = states.narrowed(places) if isinstance(states, KeptStates) else merged(states, places)
    found: dict[Any, int] = {}
    try:
        for state, weight in narrowed.items():
            answer = run(here, *state)
            if answer not in found:
                question.check(answer)
                found[answer] = 0
            found[answer] += weight
    except (*NO_VALUE, FormulaUseError):
        here.update(zip(names, state, strict=True))
        question.refuse(here)
        raise
    if isinstance(states, KeptStates) and always:
        states.answers[question] = found
    return found
