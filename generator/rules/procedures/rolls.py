"""Compile the rolls of a procedure's case: each roll has a name and its possible values with their weights."""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from functools import cache, lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple

from generator.odds.dice import Pool, cut_short, roll_pool
from generator.odds.distribution import Distribution, counts, sum_of
from generator.odds.hexes import Spot, Walk
from generator.odds.pot import Pot, draw
from generator.rules.entries.dice import MAX_DICE, dice_of, whole_number, within
from generator.rules.formulas.compiler import Formula, first_that_holds
from generator.rules.formulas.errors import FormulaUseError
from generator.rules.formulas.scope import TRUTH, VALUE, FormulaText, Name, Scope, identifier
from generator.rules.model.procedure import AskModel, CaseModel, DrawModel, PoolModel, RollModel, StrayModel, WalkModel
from generator.rules.procedures.sequence import OUTCOME, Program, Reply, Roll, repeated
from generator.rules.source.validation import check_ids, show

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Mapping, Sequence

    from generator.rules.entries.compiled import Compiler
    from generator.rules.entries.tables import Table
    from generator.rules.source.parts import Place

    Compiled = tuple[Callable[[Mapping[str, Any]], Reply], tuple[str, ...]]
    """The function that returns the odds of a roll, and the names of the roll's fields."""
    _Field = tuple[dict[Spot, Any], tuple[Spot, ...], tuple[Formula, ...]]
    """The hexes that shots can strike with their keys, the directions, and the coordinates of the start."""

_DRAWN = ("points", "marks", "numbered")
_STRAYED = ("hex", "q", "r")
_ALONE = ("",)
MAX_FAR = 1_000
"""The greatest distance that a shot may stray, in hexes."""


class Callbacks(NamedTuple):
    """Functions with which a roll asks other procedures, which are found by id."""

    outcomes: Callable[[str], Sequence[str]]
    """Return the outcome ids of a procedure."""
    reply: Callable[[str, Mapping[str, Any], str], Reply]
    """Return the odds of a number of a procedure, or of its outcomes if the number's name is empty.

    The arguments are the procedure's id, its inputs and the number's name. The value None stands for no value. Raises
    FormulaUseError if there is no answer.
    """


@dataclass
class RollReader:
    """Compiler for the rolls of one case. Formulas after a roll can read the roll's name."""

    scope: Scope
    """The names of the procedure's inputs, and of the rolls so far."""
    compiler: Compiler
    callbacks: Callbacks
    reads: set[str] = field(default_factory=set)
    """The names that the current roll reads."""

    def case(self, model: CaseModel, place: Place) -> Program:
        """Compile the rolls, results, events and figures of a case; for ``always``, only the outcome.

        Adds R207 as ``_check_names`` does, and R225 if a table does not fit its roll. Adds R224 for ``results``,
        ``events``, ``numbers``, ``which`` or ``times`` beside ``always``. Also adds the problems that ``Compiler``
        finds.
        """
        if model.always is not None:
            of_rolls = ("results", "events", "numbers", "which", "times")
            if beside := [key for key in of_rolls if key in model.model_fields_set]:
                found = f"always and {' and '.join(beside)}"
                hint = "write rolls for it, or delete what is beside always"
                self.compiler.problems.append((place / "always").problem("R224", "always alone", found, hint))
            return Program((), {OUTCOME: first_that_holds([(model.always, None)], self.scope)})
        self._check_names([roll.roll for roll in model.rolls], place / "rolls")
        rolls = tuple(self._roll(item, place / "rolls" / index) for index, item in enumerate(model.rolls))
        outcomes = [
            (item.outcome, self.formula(item.when, place / "results" / index / "when"))
            for index, item in enumerate(model.results)
        ]
        results = {
            (key, name): formula
            for key in ("events", "numbers", "which")
            for name, formula in self._formulas(getattr(model, key), place / key).items()
        }
        return Program(rolls, {OUTCOME: first_that_holds(outcomes, self.scope), **results})

    def _check_names(self, names: Sequence[str], place: Place) -> None:
        """Add R207 for two rolls of one name, and for a roll that would hide an input or option of its name.

        ``place`` is the place of the list of rolls.
        """
        check_ids(names, place, "roll", self.compiler.problems)
        for index, name in enumerate(names):
            if name in self.scope.names and self.scope.names[name].shape == "value":
                found, expected = f"the roll {name}, which is an input or option", "a name that is not used yet"
                self.compiler.problems.append((place / index / "roll").problem("R207", expected, found))

    def _formulas(self, texts: Mapping[str, Any], place: Place) -> dict[str, Formula]:
        """Compile formulas by name, and add the names that they read to ``reads``.

        Adds the problems of ``Compiler.formula``. A formula with a problem always gives None.
        """
        return {name: self.formula(text, place / name) for name, text in texts.items()}

    def formula(self, text: FormulaText | None, place: Place) -> Any:
        """Compile a formula that may read earlier rolls, and add the names it reads to ``reads``; None for no text.

        Adds the problems of ``Compiler.formula``. After an error, the result is a formula that always gives None.
        """
        formula = self.compiler.formula(text, self.scope, place)
        if formula is not None:
            self.reads |= formula.names
        return formula

    def _roll(self, model: RollModel, place: Place) -> Roll:
        """Compile a roll, and add its name to the scope for later formulas."""
        roll_type = next(key for key in model.one_of if getattr(model, key) is not None)
        self.reads = set()
        when = self.formula(model.when, place / "when")
        formula = self.formula(model.be, place / "be")
        compile_roll = getattr(self, f"_{roll_type}")
        reply, fields = compile_roll(formula or getattr(model, roll_type), place / roll_type)
        single = TRUTH if formula is not None and self.scope.is_truth(formula.tree()) else VALUE
        self.scope |= {model.roll: single if fields == _ALONE else Name("fields", frozenset(fields))}
        names = tuple(f"{model.roll}.{field}" if field else model.roll for field in fields)
        return Roll(names, when, reply, frozenset(self.reads), formula, slow=roll_type == "walk")

    def _be(self, _formula: Formula, _place: Place) -> Compiled:
        """Return a function that is never called, and one empty field name: a roll ``be`` has a formula, not odds."""
        return _never, _ALONE

    def _die(self, model: FormulaText, place: Place) -> Compiled:
        """Compile ``die``: the result of one die, or the sum of dice such as 2D6.

        Adds the names that it reads to ``reads``, and the problems that ``Compiler.dice`` finds.
        """
        die = self._one_die(model, place)
        return lambda values: Reply(roll_pool(Pool(_sides((die,), values)))), _ALONE

    def _one_die(self, text: FormulaText, place: Place) -> Formula:
        """Compile a formula for one die or several dice, and add the names that it reads to ``reads``.

        Adds the problems that ``Compiler.dice`` finds.
        """
        die = self.compiler.dice(text, self.scope, place)
        self.reads |= die.names
        return die

    def _pool(self, model: PoolModel, place: Place) -> Compiled:
        """Compile ``pool``: the sum of dice, the sum of the highest dice, or the number of successes."""
        dice = [self._one_die(text, place / "dice" / index) for index, text in enumerate(model.dice)]
        bar_name = next((name for name in model.one_of if getattr(model, name) is not None), "")
        bar = self.formula(getattr(model, bar_name), place / bar_name) if bar_name else None
        again = self.formula(model.again.on, place / "again" / "on") if model.again is not None else None
        most = 0 if model.again is None else model.again.most

        def reply(values: Mapping[str, Any]) -> Reply:
            sides = _sides(dice, values)
            limit = whole_number(bar(values), f"for {bar_name}") if bar is not None else None
            keep = within(limit, "dice to keep", 1, MAX_DICE) if bar_name == "highest" else None
            above = limit if bar_name == "above" else None if limit is None or keep else limit - 1
            face = whole_number(again(values), "as the face that is rolled again") if again is not None else None
            rolled = Pool(sides, above, keep, face, most)
            return Reply(roll_pool(rolled), {"": chance} if (chance := cut_short(rolled)) else {})

        return reply, _ALONE

    def _draw(self, model: DrawModel, place: Place) -> Compiled:
        """Compile ``draw``: the points, the marks and the number of numbered counters drawn from a pot."""
        pot = self._table(model.pot, place / "pot", 2, "count", least=0)
        marks = self._table(model.marks, place / "marks", 1, "count", least=0) if model.marks is not None else None
        counters = self.formula(model.counters, place / "counters")
        groups = self.formula(model.groups, place / "groups")
        if pot is None or (model.marks is not None and marks is None):
            return _never, _DRAWN
        group, number = pot.key
        in_pot = frozenset(row[group] for row in pot.rows)
        numbered = tuple((row[group], row[number], row["count"]) for row in pot.rows)
        marked = tuple((row[marks.key[0]], row["count"]) for row in marks.rows) if marks is not None else ()
        whole = Pot(numbered, marked)

        most = min(whole.size, MAX_DICE)
        what = f"counters drawn from a pot of {whole.size}"

        def reply(values: Mapping[str, Any]) -> Reply:
            drawn = within(counters(values), what, 0, most)
            return Reply(draw(whole, drawn, _groups(groups(values), in_pot, pot)))

        return reply, _DRAWN

    def _ask(self, model: AskModel, place: Place) -> Compiled:
        """Compile ``ask``: the outcome or a figure of another procedure.

        With ``times``, there is a field for each outcome: how often it came up. A figure is added up instead; no value
        adds 0.
        """
        once, times = self.asking(model, place), self.formula(model.times, place / "times")
        several = times is not None and model.figure is None
        outcomes = self.callbacks.outcomes(model.procedure) if several else ()

        def reply(values: Mapping[str, Any]) -> Reply:
            odds, remainders = once(values)
            if times is None:
                return Reply(odds, remainders)
            often = within(times(values), "times", 0, MAX_DICE)
            if model.figure is not None:
                odds = sum_of(odds.map(lambda figure: figure or 0), often)
            else:
                odds = counts(odds, outcomes, often)
            return Reply(odds, repeated(remainders, often))

        return reply, tuple(map(identifier, outcomes)) or _ALONE

    def asking(self, model: AskModel, place: Place) -> Callable[[Mapping[str, Any]], Reply]:
        """Return a function from the values of names to the reply of another procedure: its outcomes or one figure.

        The formulas of the inputs are compiled as ``formula`` does, and the procedure is added to the compiler's
        ``asks``.

        The function caches replies. It raises FormulaUseError if a formula of an input or the procedure has no
        answer. It raises ValueError if a figure has too many results to compute.
        """
        formulas = self._formulas(model.inputs, place / "with")
        self.compiler.asks.add(model.procedure)

        @cache
        def reply(*inputs: Any) -> Reply:
            given = dict(zip(formulas, inputs, strict=True))
            return self.callbacks.reply(model.procedure, given, model.figure or "")

        return lambda values: reply(*[formula(values) for formula in formulas.values()])

    def _stray(self, model: StrayModel, place: Place) -> Compiled:
        """Compile ``stray``: the hex of the field that a shot strikes, and the coordinates of the strike.

        The hex is none for a strike outside the field.
        """
        places, directions, start = self._field(model, place)
        by = self.formula(model.by, place / "by")

        def reply(values: Mapping[str, Any]) -> Reply:
            far = within(by(values), "hexes to stray", 0, MAX_FAR)
            x, y = _spot(start, values)
            ends = ((x + far * q, y + far * r) for q, r in directions)
            return Reply(Distribution(((places.get(end), *end), 1) for end in ends))

        return reply, _STRAYED

    def _walk(self, model: WalkModel, place: Place) -> Compiled:
        """Compile ``walk``: by ``gives``, how many shots strike the field, or the hex that a random shot strikes.

        The hex is none outside the field. The first shot, which strikes at ``start``, counts too.
        """
        places, directions, start = self._field(model, place)
        by = self._far(model.by, place / "by")
        shots = self.formula(model.shots, place / "shots")
        steered = self.formula(model.steered, place / "steered")
        target = tuple((spot, number) for number, spot in enumerate(places))
        hexes: dict[int | None, Any] = dict(enumerate(places.values()))

        @cache
        def strikes(walk: Walk, spot: Spot) -> Distribution[Any]:
            return walk.strikes(spot) if model.gives == "strikes" else walk.struck(spot).map(hexes.get)

        def reply(values: Mapping[str, Any]) -> Reply:
            spread = by(values)
            count = within(shots(values), "shots", 0, MAX_DICE)
            turns = within(steered(values), "shots that are steered", 0, MAX_DICE)
            walk = _walk_over(target, directions, spread, count, turns)
            return Reply(strikes(walk, _spot(start, values)))

        return reply, _ALONE

    def _table(self, table_id: str, place: Place, keys: int, *numbers: str, least: int = -MAX_FAR) -> Table | None:
        """Return a table; None, with R225 added, if it does not fit.

        A table fits if it has rows and ``keys`` keys. The columns ``numbers`` and all keys after the first must hold
        whole numbers from ``least`` up.
        """
        table = self.compiler.namespace.tables[table_id]
        numbers = (*numbers, *table.key[1:])
        types = {column.name: column.type for column in table.columns}
        cells = [row[name] for row in table.rows for name in numbers if types.get(name) == "int"]
        fits = len(table.key) == keys and len(cells) == len(table.rows) * len(numbers) and bool(cells)
        if fits and all(cell is not None and cell >= least for cell in cells):
            return table
        kept = f"{keys} key{'s' if keys > 1 else ''} and whole numbers{' from 0' if least == 0 else ''}"
        expected = f"a table with {kept} in {' and '.join(numbers)}"
        self.compiler.problems.append(place.problem("R225", expected, table_id))
        return None

    def _field(self, model: StrayModel, place: Place) -> _Field:
        """Return the hexes of the field with their keys, the directions, and the formulas of the start.

        Without two tables that fit, there are no hexes and no directions. Adds R225 as ``_table`` does: each table must
        have exactly one key, and whole numbers in the columns q and r.
        """
        field = self._table(model.field, place / "field", 1, "q", "r")
        ways = self._table(model.ways, place / "ways", 1, "q", "r")
        start = tuple(self.formula(text, place / "start" / index) for index, text in enumerate(model.start))
        if field is None or ways is None:
            return {}, (), start
        places = {(row["q"], row["r"]): row[field.key[0]] for row in field.rows}
        return places, tuple((row["q"], row["r"]) for row in ways.rows), start

    def _far(self, model: FormulaText | AskModel, place: Place) -> Callable[[Mapping[str, Any]], Distribution[Any]]:
        """Return a function for the odds of how many hexes a shot strays; with the value None, it strikes nothing.

        The distance is a number, or a figure of another procedure. The function raises FormulaUseError without an
        answer, and for dice that may be cut short. It also raises it for a distance other than None or a whole number
        from 0 to MAX_FAR. It raises ValueError as the function of ``asking`` does.
        """
        ask = self.asking(model, place) if isinstance(model, AskModel) else None
        formula = None if isinstance(model, AskModel) else self.formula(model, place)

        def distances(values: Mapping[str, Any]) -> Distribution[Any]:
            reply = ask(values) if ask else Reply(Distribution.certain(formula(values) if formula else None))
            if reply.remainders:
                raise FormulaUseError("a figure with dice that are rolled again, for how far a shot strays", place)
            for far, _ in reply.odds.weights:
                if far is not None:
                    within(far, "hexes to stray", 0, MAX_FAR)
            return reply.odds

        return distances

    def _chance(self, model: Any, place: Place) -> Compiled:
        """Compile ``chance``: yes and no, with the chance that a formula gives for yes."""
        formula = self.formula(model, place)

        def reply(values: Mapping[str, Any]) -> Reply:
            chance = formula(values)
            if isinstance(chance, bool) or not isinstance(chance, int | Fraction) or not 0 <= chance <= 1:
                raise FormulaUseError(f"{show(chance)} for a chance, not 0 to 1", place)
            return Reply(Distribution({True: chance.numerator, False: chance.denominator - chance.numerator}))

        return reply, _ALONE


def _never(_values: Mapping[str, Any]) -> Reply:
    """Return None as the certain value, for a roll without odds (``be``) or with a problem that was reported."""
    return Reply(Distribution.certain(None))


def _sides(dice: Sequence[Formula], values: Mapping[str, Any]) -> tuple[int, ...]:
    """Return the sides of all dice, sorted. A die that is none is left out; a list of dice counts each of its dice.

    Raises FormulaUseError if no die is left, for too many dice, and for a value that is not a die.
    """
    try:
        sides = dice_of(tuple([die(values) for die in dice]))
    except FormulaUseError as error:
        raise error.at(dice[0].place, dice[0].uses) from None
    if not sides:
        message, hint = "there is no die to roll", "add a case before this one for no die, or add when to the roll"
        raise FormulaUseError(message, hint=hint).at(dice[0].place, dice[0].uses)
    return tuple(sorted(sides))


def _groups(value: Any, known: Collection[str], pot: Table) -> frozenset[str]:
    """Return ``value``, the list of groups whose numbers count, as a set.

    Raises FormulaUseError if it is not a list, or if a group is not ``known``. ``pot`` is the table for the message.
    """
    if not isinstance(value, tuple):
        raise FormulaUseError(f"{show(value)} for the groups that count, not a list")
    for group in value:
        if group not in known:
            raise FormulaUseError(f"the group {show(group)}, which the table {pot.id} does not have")
    return frozenset(value)


@lru_cache(maxsize=256)
def _walk_over(target: tuple[tuple[Spot, int], ...], *parts: Any) -> Walk:
    """Return a walk over this field. It is cached, so that rolls and rule sets with the same field share its sums.

    ``target`` has the hexes with their numbers, and ``parts`` are the other arguments of ``Walk`` in order.
    """
    return Walk(dict(target), *parts)


def _spot(start: tuple[Formula, ...], values: Mapping[str, Any]) -> Spot:
    """Return the coordinates of a hex. Raises FormulaUseError if they are not whole numbers."""
    q, r = (whole_number(formula(values), "for the place of a hex") for formula in start)
    return q, r
