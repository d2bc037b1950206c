"""The rolls of a procedure's case, compiled: each a name and the ways it can go."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from generator.odds.dice import dice_sum, highest
from generator.odds.pot import Pot, draw
from generator.odds.repeat import counts
from generator.rules.formulas.errors import FormulaUseError
from generator.rules.formulas.scope import VALUE, Name, identifier
from generator.rules.programs import Program, Roll

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Mapping, Sequence

    from generator.odds.distribution import Distribution
    from generator.problems import Problem
    from generator.rules.binding import Binder, Shelf
    from generator.rules.formulas.compiler import Formula
    from generator.rules.formulas.scope import Scope
    from generator.rules.models.procedure import AboveModel, AskModel, CaseModel, DrawModel, RollModel
    from generator.rules.places import Place
    from generator.rules.programs import Branches
    from generator.rules.tables import Table

    Ways = Callable[[Mapping[str, Any]], Branches]

WAYS = ("die", "highest", "total", "above", "draw", "ask", "be")
_DRAWN = ("points", "marks", "numbered")
_ALONE = ("",)
MAX_SIDES = 1_000
"""The largest die that is rolled."""
MAX_DICE = 40
"""The most dice, counters or repetitions in one roll."""


class Asked(NamedTuple):
    """What a roll needs of other procedures: who is there, and what an ask comes to."""

    known: Collection[str]
    outcomes: Callable[[str], Sequence[str]]
    """A procedure's outcome ids. KeyError for one that could not be read."""
    answer: Callable[[str, Mapping[str, Any]], Distribution[str]]
    """The outcomes for these inputs. Raises FormulaUseError."""


class RollReader:
    """Compiles the rolls of one case; every name is known from its roll on."""

    def __init__(self, shelf: Shelf, scope: Scope, binder: Binder, asked: Asked, problems: list[Problem]) -> None:
        """``scope`` knows the procedure's inputs."""
        self.shelf = shelf
        self.scope = scope
        self.binder = binder
        self.asked = asked
        self.problems = problems
        self.reads: set[str] = set()

    def program(self, model: CaseModel, place: Place) -> Program:
        """The whole case. Problems as ``Binder`` has; R224 a roll of no or several ways, R225 and R231 for look-ups."""
        rolls = []
        for index, one in enumerate(model.rolls):
            roll = self._roll(one, place / "rolls" / index)
            if roll is not None:
                rolls.append(roll)
        results = tuple(
            (one.outcome, self._formula(one.when, place / "results" / index / "when"))
            for index, one in enumerate(model.results)
        )
        events = self._formulas(model.events, place / "events")
        numbers = self._formulas(model.numbers, place / "numbers")
        together = {name: self._formulas(some, place / "together" / name) for name, some in model.together.items()}
        return Program(tuple(rolls), results, events, numbers, together)

    def _formulas(self, texts: Mapping[str, Any], place: Place) -> dict[str, Formula]:
        bound = ((name, self._formula(text, place / name)) for name, text in texts.items())
        return {name: formula for name, formula in bound if formula is not None}

    def _formula(self, text: Any, place: Place) -> Formula | None:
        formula = self.binder.formula(text, self.scope, place)
        if formula is not None:
            self.reads |= formula.names
        return formula

    def _roll(self, model: RollModel, place: Place) -> Roll | None:
        given = [way for way in WAYS if getattr(model, way) not in (None, ())]
        if len(given) != 1:
            found = " and ".join(given) or "none of them"
            self.problems.append(place.problem("R224", found=found, expected=f"one of {', '.join(WAYS)}"))
            self.scope |= {model.roll: VALUE}
            return None
        self.reads = set()
        when = self._formula(model.when, place / "when")
        way = given[0]
        ways, fields = getattr(self, f"_{way}")(getattr(model, way), place / way)
        self.scope |= {model.roll: VALUE if fields == _ALONE else Name("fields", frozenset(fields))}
        names = tuple(f"{model.roll}.{field}" if field else model.roll for field in fields)
        return None if ways is None else Roll(names, when, ways, frozenset(self.reads), chance=way != "be")

    def _die(self, model: Any, place: Place) -> tuple[Ways | None, tuple[str, ...]]:
        return self._dice((model,), place, highest, single=True)

    def _highest(self, model: Any, place: Place) -> tuple[Ways | None, tuple[str, ...]]:
        return self._dice(model, place, highest)

    def _total(self, model: Any, place: Place) -> tuple[Ways | None, tuple[str, ...]]:
        return self._dice(model, place, dice_sum)

    def _dice(
        self, texts: Sequence[Any], place: Place, count: Callable[..., Distribution[int]], *, single: bool = False
    ) -> tuple[Ways | None, tuple[str, ...]]:
        dice = [self._formula(text, place if single else place / index) for index, text in enumerate(texts)]
        whole = tuple(die for die in dice if die is not None)

        def ways(values: Mapping[str, Any]) -> Branches:
            return _branches(count(*_sides(whole, values)))

        return ways if len(whole) == len(texts) else None, _ALONE

    def _above(self, model: AboveModel, place: Place) -> tuple[Ways | None, tuple[str, ...]]:
        dice = [self._formula(text, place / "dice" / index) for index, text in enumerate(model.dice)]
        than = self._formula(model.than, place / "than")
        whole = tuple(die for die in dice if die is not None)
        if than is None or len(whole) < len(dice):
            return None, _ALONE

        def ways(values: Mapping[str, Any]) -> Branches:
            bar = _number(than(values), "number to come above")
            counted = [1]  # counted[n]: in how many ways n of the dice so far come above the bar
            total = 1
            for sides in _sides(whole, values):
                over = min(max(sides - bar, 0), sides)
                under = sides - over
                counted = [
                    (counted[n] * under if n < len(counted) else 0) + (counted[n - 1] * over if n else 0)
                    for n in range(len(counted) + 1)
                ]
                total *= sides
            return [((n,), ways) for n, ways in enumerate(counted) if ways], total

        return ways, _ALONE

    def _draw(self, model: DrawModel, place: Place) -> tuple[Ways | None, tuple[str, ...]]:
        pot = self.shelf.find(model.pot, place / "pot", self.problems)
        marks = self.shelf.find(model.marks, place / "marks", self.problems) if model.marks is not None else None
        counters = self._formula(model.counters, place / "counters")
        groups = self._formula(model.groups, place / "groups")
        for table, keys, where in ((pot, 2, "pot"), (marks, 1, "marks")):
            if table is not None and not _holds_counters(table, keys):
                expected = f"a table with {keys} key{'s' if keys > 1 else ''} and a column count of whole numbers"
                self.problems.append((place / where).problem("R225", found=table.id, expected=expected))
                return None, _DRAWN
        if pot is None or (marks is None and model.marks is not None) or counters is None or groups is None:
            self.binder.lost = True
            return None, _DRAWN
        group, number = pot.key
        numbered = tuple((row[group], row[number], row["count"]) for row in pot.rows)
        marked = tuple((row[marks.key[0]], row["count"]) for row in marks.rows) if marks is not None else ()
        whole = Pot(numbered, marked)

        known: dict[tuple[int, frozenset[str]], Branches] = {}

        def ways(values: Mapping[str, Any]) -> Branches:
            drawn = min(max(_number(counters(values), "counters to draw"), 0), MAX_DICE)
            asked = drawn, frozenset(groups(values))
            if asked not in known:
                found = draw(whole, *asked)
                known[asked] = {tuple(what): ways for what, ways in found.weights}, found.total
            return known[asked]

        return ways, _DRAWN

    def _ask(self, model: AskModel, place: Place) -> tuple[Ways | None, tuple[str, ...]]:
        inputs = {name: self._formula(text, place / "with" / name) for name, text in model.given.items()}
        times = self._formula(model.times, place / "times")
        if model.procedure not in self.asked.known:
            from generator.rules.options import near

            hint = near(model.procedure, dict.fromkeys(self.asked.known))
            at = place / "procedure"
            self.problems.append(
                at.problem("R231", found=model.procedure, expected="a procedure that is there", hint=hint)
            )
            return None, _ALONE
        try:
            outcomes = self.asked.outcomes(model.procedure)
        except KeyError:
            self.binder.lost = True
            return None, _ALONE
        given = {name: formula for name, formula in inputs.items() if formula is not None}
        answer = self.asked.answer

        def once(values: Mapping[str, Any]) -> Distribution[str]:
            return answer(model.procedure, {name: formula(values) for name, formula in given.items()})

        if times is None:
            return lambda values: _branches(once(values)), _ALONE

        def several(values: Mapping[str, Any]) -> Branches:
            repeated = _number(times(values), "times")
            found = counts(once(values), outcomes, min(max(repeated, 0), MAX_DICE))
            return found.weights, found.total

        return several, tuple(map(identifier, outcomes))

    def _be(self, model: Any, place: Place) -> tuple[Ways | None, tuple[str, ...]]:
        formula = self._formula(model, place)
        return (None if formula is None else lambda values: ((((formula(values),), 1),), 1)), _ALONE


def _holds_counters(table: Table, keys: int) -> bool:
    types = {column.name: column.type for column in table.columns}
    return len(table.key) == keys and types.get("count") == "int" and (keys == 1 or types[table.key[1]] == "int")


def _branches(found: Distribution[Any]) -> Branches:
    """One value, under the roll's own name."""
    return [((value,), ways) for value, ways in found.weights], found.total


def _sides(dice: Sequence[Formula], values: Mapping[str, Any]) -> list[int]:
    """The dice that are there: one that is none is left out, a list of dice is all of them."""
    found: list[Any] = []
    for die in dice:
        value = die(values)
        found += value if isinstance(value, tuple) else [] if value is None else [value]
    for sides in found:
        if not isinstance(sides, int) or isinstance(sides, bool) or not 1 <= sides <= MAX_SIDES:
            message = f"{sides} sides of a die, not 1 to {MAX_SIDES}"
            raise FormulaUseError(message, dice[0].place)
    if not found:
        message, hint = "there is no die to roll", "roll only when there is one: when on the roll, or a case before"
        raise FormulaUseError(message, dice[0].place, hint)
    if len(found) > MAX_DICE:
        message = f"{len(found)} dice, more than {MAX_DICE}"
        raise FormulaUseError(message, dice[0].place)
    return found


def _number(value: Any, what: str) -> int:
    if isinstance(value, bool) or not isinstance(value, int):
        message = f"{value} {what}, not a whole number"
        raise FormulaUseError(message)
    return value
