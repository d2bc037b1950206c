"""What the states of a program come to: outcomes, events and figures, each with its whole-number weight."""

from __future__ import annotations

from fractions import Fraction
from itertools import repeat
from operator import itemgetter
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from generator.rules.complaints import show
from generator.rules.formulas.errors import NO_VALUE, FormulaUseError
from generator.rules.formulas.sights import sight

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Mapping, Sequence

    from generator.rules.formulas.compiler import Formula
    from generator.rules.formulas.sights import Sight
    from generator.rules.programs import Program

State: TypeAlias = tuple[Any, ...]
Remainders: TypeAlias = "Mapping[str, Fraction]"
"""For each roll whose dice may be rolled again too often: the chance that one stops though it shows a face to go on."""


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


class Question(NamedTuple):
    """One thing asked of states: the places of what it reads, and the formulas in two steps."""

    places: tuple[int, ...]
    sight: Sight


def question(
    varying: Sequence[str],
    sets: frozenset[str],
    choices: Sequence[Formula | None] = (),
    formulas: Sequence[Formula] = (),
    conditions: Sequence[Formula] = (),
) -> Question:
    """Make it of the formulas that ``sight`` takes."""
    names = {name for one in (*choices, *formulas, *conditions) if one is not None for name in one.names}
    read = [name for name in varying if name in names]
    return Question(tuple(map(varying.index, read)), sight(choices, formulas, read, sets, conditions))


class Questions(NamedTuple):
    """All that is asked of states."""

    outcomes: Question
    events: tuple[tuple[tuple[int, ...], Question], ...]
    """Each with the places of the events that it is about."""
    figures: tuple[Question, ...]


class Seen(NamedTuple):
    """How many ways look how; and where none of the choices holds that are judged, how many of them come to which."""

    ways: Mapping[State, int]
    lasts: Sequence[tuple[tuple[int, int], ...]] = ()
    """For each of the ways."""


class KeptStates(dict[State, int]):
    """States that many questions start from, such as those of a draw: what is made of them is kept with them."""

    __slots__ = ("_narrowed", "_parts", "_seen", "total")

    def __init__(self, states: Mapping[State, int] | Iterable[tuple[State, int]]) -> None:
        """Never changed once made."""
        super().__init__(states)
        self.total = sum(self.values())
        self._narrowed: dict[tuple[int, ...], KeptStates] = {}
        self._parts: dict[tuple[int, ...], dict[State, int]] = {}
        self._seen: dict[int, tuple[Question, Seen | None]] = {}

    def narrowed(self, places: tuple[int, ...]) -> KeptStates:
        """The same states, of which only what stands in these places is told apart."""
        if places not in self._narrowed:
            self._narrowed[places] = KeptStates(merged(self, picker(places)))
        return self._narrowed[places]

    def seen(self, asked: Question) -> Seen | None:
        """How many ways look how. None where somewhere there is nothing to be seen: a value that a formula needs."""
        known = self._seen.get(id(asked))
        if known is None:
            known = self._seen[id(asked)] = asked, self._see(asked)
        return known[1]

    def _see(self, asked: Question) -> Seen | None:
        look = asked.sight.look.function
        found: dict[State, int] = {}
        try:
            fixed = [what({}) for what in asked.sight.look.fixed]
            if fixed:
                look = _with(look, fixed)
            for state, weight in self._part(asked.places).items():
                key = look(*state)
                found[key] = found.get(key, 0) + weight
        except (*NO_VALUE, FormulaUseError):
            return None
        if not asked.sight.last:
            return Seen(found)
        alike: dict[State, list[tuple[int, int]]] = {}
        for key, weight in found.items():
            alike.setdefault(key[:-1], []).append((key[-1], weight))
        ways = {key: sum([weight for _, weight in lasts]) for key, lasts in alike.items()}
        return Seen(ways, tuple(map(tuple, alike.values())))

    def _part(self, places: tuple[int, ...]) -> dict[State, int]:
        """What several questions read."""
        if places == tuple(range(len(next(iter(self))))):
            return self
        if places not in self._parts:
            self._parts[places] = merged(self, picker(places))
        return self._parts[places]


def _with(look: Callable[..., State], fixed: Sequence[Any]) -> Callable[..., State]:
    return lambda *state: look(*state, *fixed)


def merged(states: Mapping[State, int], part: Callable[[State], State]) -> dict[State, int]:
    """The states with a part of each in its place; those that become the same are added up.

    >>> merged({("red", 1): 2, ("red", 2): 3}, picker((0,)))
    {('red',): 5}
    """
    found: dict[State, int] = {}
    for state, weight in states.items():
        key = part(state)
        found[key] = found.get(key, 0) + weight
    return found


def picker(places: tuple[int, ...]) -> Callable[[State], State]:
    """What picks these places of a state.

    >>> picker((1, 0))(("a", "b", "c")), picker((1,))(("a", "b", "c")), picker(())(("a", "b", "c"))
    (('b', 'a'), ('b',), ())
    """
    if len(places) > 1:
        return itemgetter(*places)
    if not places:
        return lambda _: ()
    (place,) = places
    return itemgetter(slice(place, place + 1))


class _Counts(NamedTuple):
    """Weights in the order of the program's results, events and figures."""

    outcomes: list[int]
    """One for each result, then that of no result."""
    events: list[int]
    figures: list[dict[Any, int]]

    @staticmethod
    def of(program: Program) -> _Counts:
        """Nothing counted yet."""
        figures: list[dict[Any, int]] = [{} for _ in (*program.numbers, *program.which, *program.together)]
        return _Counts([0] * (len(program.results) + 1), [0] * len(program.events), figures)


def tally(program: Program, states: Mapping[State, int], kept: tuple[str, ...], here: Mapping[str, Any]) -> Tally:
    """Add up what the states come to; ``kept`` are the names that they hold, ``here`` those that are fixed.

    Raises FormulaUseError for a state that is none of the results, and for a figure that is none. What Python raises
    where a formula has no value is raised as it is.
    """
    sets = several(states, kept)
    counts = _counted_by_sight(program, states, kept, sets, here) if isinstance(states, KeptStates) else None
    outcomes, events, figures = counts or _counted(program, states, kept, sets, here)
    if outcomes.pop() and program.results:
        message = "the rolls come to none of the results"
        raise FormulaUseError(message)
    by_id: dict[str, int] = {}
    for (outcome, _), weight in zip(program.results, outcomes, strict=True):
        by_id[outcome] = by_id.get(outcome, 0) + weight
    if figures:
        _check_sorts(program, figures)
    counted = iter(figures)
    return Tally(
        states.total if isinstance(states, KeptStates) else sum(states.values()),
        by_id,
        dict(zip(program.events, events, strict=True)),
        {name: next(counted) for name in program.numbers},
        {name: next(counted) for name in program.which},
        {name: next(counted) for name in program.together},
    )


def several(states: Mapping[State, int], kept: tuple[str, ...]) -> frozenset[str]:
    """The names that stand for several values."""
    one = next(iter(states))
    return frozenset([name for name, value in zip(kept, one, strict=True) if isinstance(value, frozenset)])


def _counted(
    program: Program,
    states: Mapping[State, int],
    kept: tuple[str, ...],
    sets: frozenset[str],
    here: Mapping[str, Any],
) -> _Counts:
    """Everything asked of each state at once."""
    made = program.function(kept, sets)
    function, fixed = made.function, tuple(what(here) for what in made.fixed)
    counts = _Counts.of(program)
    outcomes, events, figures = counts
    first_figure = 1 + len(events)
    numbers, single = len(program.numbers), len(program.numbers) + len(program.which)
    slices = _slices(program, first_figure + single)
    for state, weight in states.items():
        found = function(*state, *fixed)
        outcomes[found[0]] += weight
        for place in range(len(events)):
            if found[place + 1]:
                events[place] += weight
        for place in range(numbers):
            _count(figures[place], found[first_figure + place], weight)
        for place in range(numbers, single):
            value = found[first_figure + place]
            figures[place][value] = figures[place].get(value, 0) + weight
        for place, part in enumerate(slices, start=single):
            _count(figures[place], found[part], weight)
    return counts


def _counted_by_sight(
    program: Program, states: KeptStates, kept: tuple[str, ...], sets: frozenset[str], here: Mapping[str, Any]
) -> _Counts | None:
    """Each thing asked of what it sees of the states. None where a state cannot be seen by itself."""
    counts = _Counts.of(program)
    asked = program.questions(kept, sets)
    seen = states.seen(asked.outcomes)
    if seen is None:
        return None
    outcomes = counts.outcomes
    for ((choice,), weight), lasts in zip(_judged(asked.outcomes, seen, here), seen.lasts or repeat(()), strict=False):
        for last, ways in lasts if lasts and choice < 0 else ((choice, weight),):
            outcomes[last] += ways
    for places, about in asked.events:
        seen = states.seen(about)
        if seen is None:
            return None
        found = _judged(about, seen, here)
        for index, place in enumerate(places, start=1):
            counts.events[place] = sum([weight for holds, weight in found if holds[index]])
    numbers, single = len(program.numbers), len(program.numbers) + len(program.which)
    for place, (about, figure) in enumerate(zip(asked.figures, counts.figures, strict=True)):
        seen = states.seen(about)
        if seen is None:
            return None
        for (_, *values), weight in _judged(about, seen, here):
            if numbers <= place < single:
                figure[values[0]] = figure.get(values[0], 0) + weight
            else:
                _count(figure, values[0] if place < numbers else tuple(values), weight)
    return counts


def _judged(asked: Question, seen: Seen, here: Mapping[str, Any]) -> Collection[tuple[State, int]]:
    """What comes of all that was seen, with its ways."""
    if asked.sight.judge is None:
        return seen.ways.items()
    judge, fixed = asked.sight.judge.function, [what(here) for what in asked.sight.judge.fixed]
    return [(judge(*state, *fixed), weight) for state, weight in seen.ways.items()]


def _slices(program: Program, start: int) -> list[slice]:
    """Where in what the function gives the figures stand that belong together."""
    found = []
    for some in program.together.values():
        found.append(slice(start, start + len(some)))
        start += len(some)
    return found


def _check_sorts(program: Program, figures: list[dict[Any, int]]) -> None:
    """Whether all figures are of their sort. Raises FormulaUseError."""
    numbers, single = len(program.numbers), len(program.numbers) + len(program.which)
    for name, known in zip(program.numbers, figures, strict=False):
        _check_figures(name, known)
    for name, known in zip(program.which, figures[numbers:single], strict=True):
        if any(isinstance(value, tuple | frozenset) for value in known):
            message = f"{name} comes to a list, not to one value"
            raise FormulaUseError(message)
    for name, known in zip(program.together, figures[single:], strict=True):
        _check_figures(name, (one for some in known for one in some))


def _check_figures(name: str, values: Iterable[Any]) -> None:
    """Whether all are numbers. Raises FormulaUseError."""
    for value in values:
        if isinstance(value, bool) or not isinstance(value, int | Fraction):
            message = f"the figure {name} comes to {show(value)}, not to a number"
            raise FormulaUseError(message)


def _count(counted: dict[Any, int], value: Any, weight: int) -> None:
    """Add a weight, but for what is no figure."""
    if value is not None and not (isinstance(value, tuple) and None in value):
        counted[value] = counted.get(value, 0) + weight
