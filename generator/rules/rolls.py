"""The rolls of a procedure's case, compiled: each a name and the ways it can go."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Any, NamedTuple

from generator.odds.dice import dice_sum, highest
from generator.odds.pot import Pot, ways_to_draw
from generator.odds.repeat import counts
from generator.rules.complaints import show
from generator.rules.formulas.errors import FormulaUseError
from generator.rules.formulas.scope import TRUTH, VALUE, Name, identifier
from generator.rules.programs import Program, Roll
from generator.rules.tallies import KeptStates
from generator.rules.validation import check_ids

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Mapping, Sequence

    from generator.odds.distribution import Distribution
    from generator.problems import Problem
    from generator.rules.binding import Binder, Shelf
    from generator.rules.formulas.compiler import Formula
    from generator.rules.formulas.scope import Scope
    from generator.rules.models.procedure import (
        AboveModel,
        AskModel,
        CaseModel,
        DrawModel,
        RollModel,
        StrayModel,
        WalkModel,
    )
    from generator.rules.places import Place
    from generator.rules.programs import Branches
    from generator.rules.tables import Table

    Ways = Callable[[Mapping[str, Any]], Branches]

WAYS = ("die", "highest", "total", "above", "draw", "ask", "stray", "walk", "chance", "be")
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
    figures: Callable[[str], Collection[str]]
    """The names of a procedure's numbers. KeyError for one that could not be read."""
    figure: Callable[[str, Mapping[str, Any], str], Distribution[Any]]
    """One of its numbers for these inputs, None where it is none. Raises FormulaUseError."""


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
        """The whole case.

        Problems as ``Binder`` has; R207 a roll with the name of something else, R224 one of no or several ways, R225
        and R231 for look-ups.
        """
        self._check_names([one.roll for one in model.rolls], place / "rolls")
        rolls = []
        for index, one in enumerate(model.rolls):
            roll = self._roll(one, place / "rolls" / index)
            if roll is not None:
                rolls.append(roll)
        results = tuple(
            (one.outcome, self.formula(one.when, place / "results" / index / "when"))
            for index, one in enumerate(model.results)
        )
        events = self._formulas(model.events, place / "events")
        numbers = self._formulas(model.numbers, place / "numbers")
        which = self._formulas(model.which, place / "which")
        together = {name: self._formulas(some, place / "together" / name) for name, some in model.together.items()}
        return Program(tuple(rolls), results, events, numbers, which, together)

    def _check_names(self, names: Sequence[str], place: Place) -> None:
        """R207: two rolls have one name, or a roll that of an input or option, which formulas could not read then."""
        check_ids(names, place, "roll", self.problems)
        for index, name in enumerate(names):
            if name in self.scope.names and self.scope.names[name].shape == "value":
                found, expected = f"the roll {name}, which is an input or option", "a name of its own"
                self.problems.append((place / index / "roll").problem("R207", found=found, expected=expected))

    def _formulas(self, texts: Mapping[str, Any], place: Place) -> dict[str, Formula]:
        bound = ((name, self.formula(text, place / name)) for name, text in texts.items())
        return {name: formula for name, formula in bound if formula is not None}

    def formula(self, text: Any, place: Place) -> Formula | None:
        """A formula that may read what was rolled before. Problems as ``Binder`` has."""
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
        when = self.formula(model.when, place / "when")
        way = given[0]
        formula = self.formula(model.be, place / way) if way == "be" else None
        ways, fields = getattr(self, f"_{way}")(getattr(model, way), place / way) if way != "be" else _be(formula)
        single = TRUTH if formula is not None and formula.is_truth() else VALUE
        self.scope |= {model.roll: single if fields == _ALONE else Name("fields", frozenset(fields))}
        names = tuple(f"{model.roll}.{field}" if field else model.roll for field in fields)
        if ways is None:
            return None
        return Roll(names, when, ways, frozenset(self.reads), formula, dear=way == "walk")

    def _die(self, model: Any, place: Place) -> tuple[Ways | None, tuple[str, ...]]:
        return self._dice((model,), place, highest, single=True)

    def _highest(self, model: Any, place: Place) -> tuple[Ways | None, tuple[str, ...]]:
        return self._dice(model, place, highest)

    def _total(self, model: Any, place: Place) -> tuple[Ways | None, tuple[str, ...]]:
        return self._dice(model, place, dice_sum)

    def _dice(
        self, texts: Sequence[Any], place: Place, count: Callable[..., Distribution[int]], *, single: bool = False
    ) -> tuple[Ways | None, tuple[str, ...]]:
        dice = [self.formula(text, place if single else place / index) for index, text in enumerate(texts)]
        whole = tuple(die for die in dice if die is not None)

        def ways(values: Mapping[str, Any]) -> Branches:
            return _branches(count(*_sides(whole, values)))

        return ways if len(whole) == len(texts) else None, _ALONE

    def _above(self, model: AboveModel, place: Place) -> tuple[Ways | None, tuple[str, ...]]:
        dice = [self.formula(text, place / "dice" / index) for index, text in enumerate(model.dice)]
        than = self.formula(model.than, place / "than")
        whole = tuple(die for die in dice if die is not None)
        if than is None or len(whole) < len(dice):
            return None, _ALONE

        def ways(values: Mapping[str, Any]) -> Branches:
            bar = whole_number(than(values), "to come above")
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
        counters = self.formula(model.counters, place / "counters")
        groups = self.formula(model.groups, place / "groups")
        for table, keys, where in ((pot, 2, "pot"), (marks, 1, "marks")):
            if table is not None and not _holds_counters(table, keys):
                expected = f"a table with {keys} key{'s' if keys > 1 else ''} and a column count of whole numbers"
                self.problems.append((place / where).problem("R225", found=table.id, expected=expected))
                return None, _DRAWN
        if pot is None or (marks is None and model.marks is not None) or counters is None or groups is None:
            self.binder.lost = True
            return None, _DRAWN
        before = len(self.problems)
        group, number = pot.key
        for table, name in ((pot, "count"), (pot, number), *([(marks, "count")] if marks is not None else [])):
            _counted(table, name, self.problems)
        if len(self.problems) > before:
            return None, _DRAWN
        in_pot = frozenset(row[group] for row in pot.rows)
        numbered = tuple((row[group], row[number], row["count"]) for row in pot.rows)
        marked = tuple((row[marks.key[0]], row["count"]) for row in marks.rows) if marks is not None else ()
        whole = Pot(numbered, marked)

        most = min(whole.size, MAX_DICE)
        said = f"counters drawn from a pot of {whole.size}"
        known: dict[tuple[int, frozenset[str]], Branches] = {}

        def ways(values: Mapping[str, Any]) -> Branches:
            drawn = within(counters(values), said, 0, most)
            asked = drawn, _groups(groups(values), in_pot, pot)
            if asked not in known:
                states = KeptStates(ways_to_draw(whole, *asked))
                known[asked] = states, states.total
            return known[asked]

        return ways, _DRAWN

    def _ask(self, model: AskModel, place: Place) -> tuple[Ways | None, tuple[str, ...]]:
        once = self.asking(model, place)
        times = self.formula(model.times, place / "times")
        if once is None:
            return None, _ALONE
        if times is None:
            return lambda values: _branches(once(values)), _ALONE
        outcomes = self.asked.outcomes(model.procedure)

        def several(values: Mapping[str, Any]) -> Branches:
            found = counts(once(values), outcomes, within(times(values), "times", 0, MAX_DICE))
            return found.weights, found.total

        return several, tuple(map(identifier, outcomes))

    def asking(self, model: AskModel, place: Place) -> Callable[[Mapping[str, Any]], Distribution[Any]] | None:
        """Another procedure's outcome, or one of its figures. R231: no such procedure; R232: no such figure."""
        inputs = {name: self.formula(text, place / "with" / name) for name, text in model.given.items()}
        given = {name: formula for name, formula in inputs.items() if formula is not None}
        wanted, figure = model.procedure, model.figure
        if wanted not in self.asked.known:
            self._unknown("R231", wanted, "a procedure that is there", self.asked.known, place / "procedure")
            return None
        self.binder.asked.add(wanted)
        try:
            figures = self.asked.figures(wanted)
        except KeyError:
            self.binder.lost = True
            return None
        if figure is not None and figure not in figures:
            self._unknown("R232", figure, f"a number of {wanted}", figures, place / "figure")
            return None
        asked = self.asked
        known: dict[tuple[Any, ...], Distribution[Any]] = {}

        def once(values: Mapping[str, Any]) -> Distribution[Any]:
            said = {name: formula(values) for name, formula in given.items()}
            key = tuple(said.values())
            if key not in known:
                known[key] = asked.answer(wanted, said) if figure is None else asked.figure(wanted, said, figure)
            return known[key]

        return once

    def _unknown(self, code: str, found: str, expected: str, known: Collection[str], place: Place) -> None:
        from generator.rules.options import near

        hint = near(found, dict.fromkeys(known))
        self.problems.append(place.problem(code, found=found, expected=expected, hint=hint))

    def _stray(self, model: StrayModel, place: Place) -> tuple[Ways | None, tuple[str, ...]]:
        from generator.rules.hex_rolls import STRAYED, stray_roll

        return stray_roll(self, model, place), STRAYED

    def _walk(self, model: WalkModel, place: Place) -> tuple[Ways | None, tuple[str, ...]]:
        from generator.rules.hex_rolls import walk_roll

        return walk_roll(self, model, place), _ALONE

    def _chance(self, model: Any, place: Place) -> tuple[Ways | None, tuple[str, ...]]:
        formula = self.formula(model, place)

        def ways(values: Mapping[str, Any]) -> Branches:
            found = formula(values) if formula is not None else 0
            if isinstance(found, bool) or not isinstance(found, int | Fraction) or not 0 <= found <= 1:
                message = f"{show(found)} for a chance, not 0 to 1"
                raise FormulaUseError(message, place)
            whole = found.denominator
            yes = found.numerator
            return [((said,), ways) for said, ways in ((True, yes), (False, whole - yes)) if ways], whole

        return None if formula is None else ways, _ALONE


def _be(formula: Formula | None) -> tuple[Ways | None, tuple[str, ...]]:
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
        try:
            sides_of(sides)
        except FormulaUseError as error:
            raise error.at(dice[0].place, dice[0].uses) from None
    if not found:
        message, hint = "there is no die to roll", "roll only when there is one: when on the roll, or a case before"
        raise FormulaUseError(message, dice[0].place, hint)
    if len(found) > MAX_DICE:
        message = f"{len(found)} dice, more than {MAX_DICE}"
        raise FormulaUseError(message, dice[0].place)
    return found


def sides_of(value: Any) -> int:
    """A number of sides that a die may have. Raises FormulaUseError for anything else."""
    return within(value, "sides of a die", 1, MAX_SIDES)


def within(value: Any, what: str, least: int, most: int) -> int:
    """A whole number from the least to the most. Raises FormulaUseError for anything else."""
    if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= most:
        message = f"{show(value)} {what}, not {least} to {most}"
        raise FormulaUseError(message)
    return value


def whole_number(value: Any, what: str) -> int:
    """Any whole number. Raises FormulaUseError for anything else."""
    if isinstance(value, bool) or not isinstance(value, int):
        message = f"{show(value)} {what}, not a whole number"
        raise FormulaUseError(message)
    return value


def _groups(value: Any, known: Collection[str], pot: Table) -> frozenset[str]:
    """The groups whose numbers count, each of which the pot has. Raises FormulaUseError for anything else."""
    if not isinstance(value, tuple):
        message = f"{show(value)} for the groups that count, not a list"
        raise FormulaUseError(message)
    for group in value:
        if group not in known:
            message = f"the group {show(group)}, which the table {pot.id} does not have"
            raise FormulaUseError(message)
    return frozenset(value)


def _counted(table: Table, name: str, problems: list[Problem]) -> None:
    """R206: a number of counters, or on one, that is below 0 or lacks."""
    for row in table.rows:
        if row[name] is None or row[name] < 0:
            at, expected = row.place / name, "0 or more, as counters in a pot have it"
            problems.append(at.problem("R206", found=show(row[name]), expected=expected))
