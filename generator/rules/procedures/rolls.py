"""Compile the rolls of a procedure's case: each roll has a name and its possible values with their weights."""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from typing import TYPE_CHECKING, Any, NamedTuple, overload

from generator.odds.distribution import Distribution
from generator.odds.hexes import stray
from generator.odds.opposed import opposed
from generator.odds.pool import Pool, cut_short, roll_pool
from generator.odds.pot import Pot, ways_to_draw
from generator.odds.repeat import counts, sum_of
from generator.rules.entries.dice import MAX_DICE, dice_of, whole_number, within
from generator.rules.formulas.errors import FormulaUseError
from generator.rules.formulas.scope import TRUTH, VALUE, FormulaText, Name, Scope, identifier
from generator.rules.model.procedure import (
    AskModel,
    CaseModel,
    DrawModel,
    FollowUp,
    Opposed,
    PoolModel,
    RollModel,
    StrayModel,
    Target,
    WalkModel,
)
from generator.rules.procedures.hexes import MAX_FAR, Field, distances, has_spots, spot_of, walk_over
from generator.rules.procedures.sequence import Branches, Program, Remainders, Reply, Roll, figure_of, repeated
from generator.rules.source.model_errors import show
from generator.rules.source.validation import check_ids
from generator.suggest import suggest

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Mapping, Sequence

    from generator.problems import Problem
    from generator.rules.entries.namespace import Binder, Namespace
    from generator.rules.entries.tables import Table
    from generator.rules.formulas.compiler import Formula
    from generator.rules.source.parts import Place

    Compiled = tuple[Callable[[Mapping[str, Any]], Branches], tuple[str, ...]]
    """The branches of a roll, and the names of its fields."""

_DRAWN = ("points", "marks", "numbered")
_ALONE = ("",)
_ROLLED, _FURTHER = "Rolled", "Further"
"""Names of the rolls of simple cases. Names in rule data have no capitals, so that these are always free."""


class Callbacks(NamedTuple):
    """Callbacks with which a roll (``ask``) uses other procedures."""

    outcomes: Callable[[str], Sequence[str]]
    """Return the outcome ids of a procedure."""
    reply: Callable[[str, Mapping[str, Any], str], Reply]
    """Return the odds of a procedure's outcomes, or of a number (None: no value). Raises FormulaUseError."""


@dataclass
class RollReader:
    """Compiler for the rolls of one case. Formulas after a roll can read the roll's name."""

    namespace: Namespace
    scope: Scope
    """The names of the procedure's inputs, and of the rolls so far."""
    binder: Binder
    callbacks: Callbacks
    problems: list[Problem]
    reads: set[str] = field(default_factory=set)
    """The names that the current roll reads."""
    remainders: Callable[[Mapping[str, Any]], Remainders] | None = None
    """The chances that dice of the current roll stop although they would be rolled again; None if they cannot."""

    def case(self, model: CaseModel, outcomes: Sequence[str], place: Place) -> Program:
        """Compile the roll of a case, whose results are among ``outcomes``.

        Adds the problems that ``Binder`` finds, and these: R207 the name of a roll is already in use; R225 and R231 a
        look-up does not fit its table; R226 an outcome in a table is unknown.
        """
        if model.always is not None:
            return Program((), ((model.always, None),), {}, {})
        if model.target is not None:
            return self._target(model.target, place / "target")
        if model.opposed is not None:
            return self._opposed(model.opposed, outcomes, place / "opposed")
        return self._program(model, place)

    def _target(self, model: Target, place: Place) -> Program:
        """Compile a die against a number as a roll that passes or not."""
        dice, needed = self._dice((model.die,), [place / "die"]), self.formula(model.needed, place / "needed")

        def branches(values: Mapping[str, Any]) -> Branches:
            try:
                least = whole_number(needed(values), "to be rolled") + model.strict
            except FormulaUseError as error:
                raise error.at(needed.place) from None
            return _branches(roll_pool(Pool(_sides(dice, values))).map(lambda result: result >= least))

        self.scope |= {_ROLLED: TRUTH}
        roll = Roll((_ROLLED,), None, branches, frozenset(self.reads))
        passed = self.formula(_ROLLED, place)
        return Program((roll,), ((model.passed, passed), (model.failed, None)), {}, {})

    def _opposed(self, model: Opposed, outcomes: Sequence[str], place: Place) -> Program:
        """Compile dice against dice as a roll that is above, level or below, and perhaps a roll on a table."""
        attacker = self._dice(model.attacker, [place / "attacker" / index for index in range(len(model.attacker))])
        defender = self._dice(model.defender, [place / "defender" / index for index in range(len(model.defender))])

        def branches(values: Mapping[str, Any]) -> Branches:
            return _branches(opposed(_every_die(attacker, values), _every_die(defender, values)))

        rolls = [Roll((_ROLLED,), None, branches, frozenset(self.reads))]
        self.scope |= {_ROLLED: VALUE}
        conditions = [(model.above, "'above'"), (model.below, "'below'")]
        results: list[tuple[str, Formula | None]] = [
            (outcome, self.formula(f"{_ROLLED} == {word}", place)) for outcome, word in conditions
        ]
        if isinstance(model.level, str):
            return Program((*rolls,), (*results, (model.level, None)), {}, {})
        further, further_results = self._follow(model.level, outcomes, place / "level")
        return Program((*rolls, further), (*results, *further_results), {}, {})

    def _follow(
        self, model: FollowUp, outcomes: Sequence[str], place: Place
    ) -> tuple[Roll, list[tuple[str, Formula | None]]]:
        """Compile a further roll on a table, and a result for each outcome of the table.

        Adds R225 for an unfit table, R226 for an outcome that the procedure does not have.
        """
        table = self.namespace.table(model.table)
        types = {column.name: column.type for column in table.columns}
        at = place / "table"
        if len(table.key) != 1 or types.get("outcome") != "word":
            expected = "a table with one key, the roll, and a column outcome of words"
            self.problems.append(at.problem("R225", expected, model.table))
            return Roll((_FURTHER,), None, _never, frozenset()), []
        possible = sorted({row["outcome"] for row in table.rows} - {None})
        for outcome in possible:
            if outcome not in outcomes:
                hint, expected = suggest(outcome, outcomes), "an outcome of this procedure"
                self.problems.append(at.problem("R226", expected, outcome, hint))
        self.reads = {_ROLLED}
        branches, _ = self._die(model.roll, place / "roll")
        die = Roll((_FURTHER,), self.formula(f"{_ROLLED} == 'level'", place), branches, frozenset(self.reads))
        self.scope |= {_FURTHER: VALUE}
        found = f"{identifier(table.id)}[{_FURTHER}].outcome"
        return die, [(outcome, self.formula(f"{found} == '{outcome}'", place / "roll")) for outcome in possible]

    def _program(self, model: CaseModel, place: Place) -> Program:
        """Compile the rolls, results and figures of a case."""
        self._check_names([roll.roll for roll in model.rolls], place / "rolls")
        rolls = tuple(self._roll(item, place / "rolls" / index) for index, item in enumerate(model.rolls))
        results = tuple(
            (item.outcome, self.formula(item.when, place / "results" / index / "when"))
            for index, item in enumerate(model.results)
        )
        events = self._formulas(model.events, place / "events")
        figures = {}
        for key in ("numbers", "which"):
            for name, formula in self._formulas(getattr(model, key), place / key).items():
                figures[key, name] = figure_of((key, name), {name: formula})
        for name, group in model.together.items():
            key_of_group = "together", name
            figures[key_of_group] = figure_of(key_of_group, self._formulas(group, place / "together" / name))
        return Program(rolls, results, events, figures)

    def _check_names(self, names: Sequence[str], place: Place) -> None:
        """Add R207 for two rolls of one name, and for a roll that would hide an input or option of its name."""
        check_ids(names, place, "roll", self.problems)
        for index, name in enumerate(names):
            if name in self.scope.names and self.scope.names[name].shape == "value":
                found, expected = f"the roll {name}, which is an input or option", "a name that is not used yet"
                self.problems.append((place / index / "roll").problem("R207", expected, found))

    def _formulas(self, texts: Mapping[str, Any], place: Place) -> dict[str, Formula]:
        """Compile formulas by name."""
        return {name: self.formula(text, place / name) for name, text in texts.items()}

    @overload
    def formula(self, text: FormulaText, place: Place) -> Formula: ...

    @overload
    def formula(self, text: FormulaText | None, place: Place) -> Formula | None: ...

    def formula(self, text: FormulaText | None, place: Place) -> Formula | None:
        """Compile a formula that may read earlier rolls, and note the names it reads. Adds problems of ``Binder``."""
        formula = self.binder.formula(text, self.scope, place)
        if formula is not None:
            self.reads |= formula.names
        return formula

    def _roll(self, model: RollModel, place: Place) -> Roll:
        """Compile a roll and add its names to the scope."""
        roll_type = next(key for key in model.one_of if getattr(model, key) is not None)
        self.reads, self.remainders = set(), None
        when = self.formula(model.when, place / "when")
        formula = self.formula(model.be, place / "be")
        compile_roll = getattr(self, f"_{roll_type}")
        branches, fields = compile_roll(formula or getattr(model, roll_type), place / roll_type)
        single = TRUTH if formula is not None and formula.is_truth() else VALUE
        self.scope |= {model.roll: single if fields == _ALONE else Name("fields", frozenset(fields))}
        names = tuple(f"{model.roll}.{field}" if field else model.roll for field in fields)
        return Roll(
            names, when, branches, frozenset(self.reads), formula, slow=roll_type == "walk", remainders=self.remainders
        )

    def _be(self, formula: Formula, _place: Place) -> Compiled:
        """Return the one value that a formula gives. Each such method returns the branches and the roll's fields."""
        return lambda values: ((((formula(values),), 1),), 1), _ALONE

    def _die(self, model: FormulaText, place: Place) -> Compiled:
        """Return how a single die can fall."""
        dice = self._dice((model,), [place])
        return lambda values: _branches(roll_pool(Pool(_sides(dice, values)))), _ALONE

    def _dice(self, texts: Sequence[FormulaText], places: Sequence[Place]) -> tuple[Formula, ...]:
        """Compile formulas for dice."""
        dice = tuple(self.binder.dice(text, self.scope, place) for text, place in zip(texts, places, strict=True))
        self.reads.update(*(die.names for die in dice))
        return dice

    def _pool(self, model: PoolModel, place: Place) -> Compiled:
        """Return the values of a pool of dice."""
        dice = self._dice(model.dice, [place / "dice" / index for index in range(len(model.dice))])
        bar_name = next((name for name in model.one_of if getattr(model, name) is not None), "")
        bar = self.formula(getattr(model, bar_name), place / bar_name) if bar_name else None
        again = self.formula(model.again.on, place / "again" / "on") if model.again is not None else None
        most = 0 if model.again is None else model.again.most

        def pool(values: Mapping[str, Any]) -> Pool:
            sides = _sides(dice, values)
            limit = whole_number(bar(values), f"for {bar_name}") if bar is not None else None
            keep = within(limit, "dice to keep", 1, MAX_DICE) if bar_name == "highest" else None
            above = limit if bar_name == "above" else None if limit is None or keep else limit - 1
            face = whole_number(again(values), "as the face that is rolled again") if again is not None else None
            return Pool(sides, above, keep, face, most)

        if most:
            self.remainders = lambda values: {"": cut_short(pool(values))}
        return lambda values: _branches(roll_pool(pool(values))), _ALONE

    def _draw(self, model: DrawModel, place: Place) -> Compiled:
        """Return the values of a draw of counters from a pot."""
        pot = self.namespace.table(model.pot)
        marks = self.namespace.table(model.marks) if model.marks is not None else None
        counters = self.formula(model.counters, place / "counters")
        groups = self.formula(model.groups, place / "groups")
        for table, keys, where in ((pot, 2, "pot"), (marks, 1, "marks")):
            if table is not None and not _holds_counters(table, keys):
                expected = f"a table with {keys} key{'s' if keys > 1 else ''} and a column count of whole numbers"
                self.problems.append((place / where).problem("R225", expected, table.id))
                return _never, _DRAWN
        before = len(self.problems)
        group, number = pot.key
        for table, name in ((pot, "count"), (pot, number), *([(marks, "count")] if marks is not None else [])):
            _counted(table, name, self.problems)
        if len(self.problems) > before:
            return _never, _DRAWN
        in_pot = frozenset(row[group] for row in pot.rows)
        numbered = tuple((row[group], row[number], row["count"]) for row in pot.rows)
        marked = tuple((row[marks.key[0]], row["count"]) for row in marks.rows) if marks is not None else ()
        whole = Pot(numbered, marked)

        most = min(whole.size, MAX_DICE)
        what = f"counters drawn from a pot of {whole.size}"

        def branches(values: Mapping[str, Any]) -> Branches:
            drawn = within(counters(values), what, 0, most)
            states = dict[tuple[Any, ...], int](ways_to_draw(whole, drawn, _groups(groups(values), in_pot, pot)))
            return states, sum(states.values())

        return branches, _DRAWN

    def _ask(self, model: AskModel, place: Place) -> Compiled:
        """Return the answers of another procedure, once or several times."""
        once, times = self.asking(model, place), self.formula(model.times, place / "times")

        def often(values: Mapping[str, Any]) -> int:
            return 1 if times is None else within(times(values), "times", 0, MAX_DICE)

        self.remainders = lambda values: repeated(once(values).remainders, often(values))
        if times is None:
            return lambda values: _branches(once(values).odds), _ALONE
        if model.figure is not None:
            return lambda values: _branches(sum_of(once(values).odds.map(_or_nothing), often(values))), _ALONE
        outcomes = self.callbacks.outcomes(model.procedure)

        def several(values: Mapping[str, Any]) -> Branches:
            sums = counts(once(values).odds, outcomes, often(values))
            return sums.weights, sums.total

        return several, tuple(map(identifier, outcomes))

    def asking(self, model: AskModel, place: Place) -> Callable[[Mapping[str, Any]], Reply]:
        """Return a function that asks another procedure for its outcome or for one of its figures."""
        formulas = self._formulas(model.inputs, place / "with")
        self.binder.asks.add(model.procedure)
        known: dict[tuple[Any, ...], Reply] = {}

        def once(values: Mapping[str, Any]) -> Reply:
            inputs = {name: formula(values) for name, formula in formulas.items()}
            key = tuple(inputs.values())
            if key not in known:
                known[key] = self.callbacks.reply(model.procedure, inputs, model.figure or "")
            return known[key]

        return once

    def _stray(self, model: StrayModel, place: Place) -> Compiled:
        """Return the branches of one shot: the hex it strikes (none outside the field) and that place's coordinates."""
        field = _field(self, model, place)
        start = _start(self, model, place)
        by = self.formula(model.by, place / "by")

        def branches(values: Mapping[str, Any]) -> Branches:
            far = within(by(values), "hexes to stray", 0, MAX_FAR)
            ends = stray(spot_of(start, values), far, field.directions)
            struck = [((field.key(field.places.get(spot)), *spot), weight) for spot, weight in ends.items()]
            return struck, len(field.directions)

        return branches, STRAYED

    def _walk(self, model: WalkModel, place: Place) -> Compiled:
        """Return the branches of several shots: how many strike the field, or the hex that any one of them strikes."""
        field = _field(self, model, place)
        start = _start(self, model, place)
        by = _far(self, model, place)
        shots = self.formula(model.shots, place / "shots")
        steered = self.formula(model.steered, place / "steered")
        target = tuple(field.places.items())

        def branches(values: Mapping[str, Any]) -> Branches:
            spread = by(values)
            count = within(shots(values), "shots", 0, MAX_DICE)
            turns = within(steered(values), "shots that are steered", 0, MAX_DICE)
            walk = walk_over(target, field.directions, tuple(spread.weights), count, turns)
            spot = spot_of(start, values)
            if model.gives == "strikes":
                strikes = walk.strikes(spot)
                return [((number,), weight) for number, weight in strikes.weights], strikes.total
            struck = walk.struck(spot)
            return [((field.key(where),), weight) for where, weight in struck.weights], struck.total

        return branches, _ALONE

    def _chance(self, model: Any, place: Place) -> Compiled:
        """Return yes and no, with the chance that a formula gives for yes."""
        formula = self.formula(model, place)

        def branches(values: Mapping[str, Any]) -> Branches:
            chance = formula(values)
            if isinstance(chance, bool) or not isinstance(chance, int | Fraction) or not 0 <= chance <= 1:
                raise FormulaUseError(f"{show(chance)} for a chance, not 0 to 1", place)
            whole = chance.denominator
            yes = chance.numerator
            return [((answer,), weight) for answer, weight in ((True, yes), (False, whole - yes)) if weight], whole

        return branches, _ALONE


def _never(_values: Mapping[str, Any]) -> Branches:
    """Return no branches: stands in for a roll with a problem, in a procedure that is not used."""
    return (), 1


def _holds_counters(table: Table, keys: int) -> bool:
    """Return whether a table has so many keys and a whole-number ``count``; a second key must be a whole number."""
    types = {column.name: column.type for column in table.columns}
    return len(table.key) == keys and types.get("count") == "int" and (keys == 1 or types[table.key[1]] == "int")


def _or_nothing(figure: Any) -> Any:
    """Return a figure of another procedure, or 0 if it has no value."""
    return 0 if figure is None else figure


def _branches(odds: Distribution[Any]) -> Branches:
    """Return the values of a distribution as branches of a roll with a single field."""
    return [((value,), weight) for value, weight in odds.weights], odds.total


def _sides(dice: Sequence[Formula], values: Mapping[str, Any]) -> tuple[int, ...]:
    """Return the sides of all dice, sorted. A die that is none is left out; a list of dice counts each of its dice.

    Raises FormulaUseError if no die is left.
    """
    try:
        sides = dice_of(tuple([die(values) for die in dice]))
    except FormulaUseError as error:
        raise error.at(dice[0].place, dice[0].uses) from None
    if not sides:
        message, hint = "there is no die to roll", "add a case before this one for no die, or add when to the roll"
        raise FormulaUseError(message, hint=hint).at(dice[0].place, dice[0].uses)
    return tuple(sorted(sides))


def _every_die(dice: Sequence[Formula], values: Mapping[str, Any]) -> list[int]:
    """Return the sides of all dice. Raises FormulaUseError if one of them is no die."""
    return [side for die in dice for side in _sides((die,), values)]


def _groups(value: Any, known: Collection[str], pot: Table) -> frozenset[str]:
    """Return the groups whose numbers count, if the pot has them. Raises FormulaUseError for anything else."""
    if not isinstance(value, tuple):
        raise FormulaUseError(f"{show(value)} for the groups that count, not a list")
    for group in value:
        if group not in known:
            raise FormulaUseError(f"the group {show(group)}, which the table {pot.id} does not have")
    return frozenset(value)


def _counted(table: Table, name: str, problems: list[Problem]) -> None:
    """Add R206 for each row whose number in the column ``name`` is missing or below 0."""
    for row in table.rows:
        if row[name] is None or row[name] < 0:
            at, expected = row.place / name, "0 or more, as counters in a pot have it"
            problems.append(at.problem("R206", expected, show(row[name])))


STRAYED = ("hex", "q", "r")


def _field(reader: RollReader, model: StrayModel, place: Place) -> Field:
    """Read the tables of hexes and directions. Adds R225 for a table without one key and whole numbers q and r."""
    tables = []
    for name in ("field", "ways"):
        table = reader.namespace.table(getattr(model, name))
        if not has_spots(table):
            expected = "a table with one key and columns q and r of whole numbers"
            reader.problems.append((place / name).problem("R225", expected, table.id))
            return Field({}, (), ())
        tables.append(table)
    field, directions = tables
    keys = tuple(row[field.key[0]] for row in field.rows)
    places = {(row["q"], row["r"]): index for index, row in enumerate(field.rows)}
    return Field(places, keys, tuple((row["q"], row["r"]) for row in directions.rows))


def _start(reader: RollReader, model: StrayModel, place: Place) -> tuple[Formula, ...]:
    """Compile the two coordinates of the hex that the shots start from."""
    return tuple(reader.formula(text, place / "start" / index) for index, text in enumerate(model.start))


def _far(reader: RollReader, model: WalkModel, place: Place) -> Callable[[Mapping[str, Any]], Distribution[Any]]:
    """Return a function for the distance that shots stray: a number, or a figure of another procedure."""
    if isinstance(model.by, AskModel):
        ask = reader.asking(model.by, place / "by")
        return lambda values: distances(ask(values), place / "by")
    by = reader.formula(model.by, place / "by")
    return lambda values: distances(Reply(Distribution.certain(by(values)), {}), place / "by")
