"""What a sheet shows must be there: tables, columns, procedures, inputs, outcomes, kinds and fields."""

from __future__ import annotations

from difflib import get_close_matches
from typing import TYPE_CHECKING, Any, TypeAlias

from generator.rules.answers import spell_inputs
from generator.rules.binding import bind, missing_table, names_of, option_names, table_scope
from generator.rules.formulas.errors import FormulaUseError
from generator.rules.formulas.scope import Name, Scope
from generator.rules.models import sheet as models
from generator.rules.rolls import sides_of
from generator.rules.statements import spell
from generator.rules.validation import show
from generator.rules.wording import chosen, words_of_columns

MAX_CELLS = 2_000
"""The most cells of one grid."""

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping

    from generator.problems import Problem
    from generator.rules.choices import Choice
    from generator.rules.kinds import Field
    from generator.rules.models.base import FormulaText
    from generator.rules.places import Place
    from generator.rules.procedures import Procedure
    from generator.rules.ruleset import RuleSet, Sheet
    from generator.sources.document import Path

    _Case: TypeAlias = tuple[str, Mapping[str, Any]]
    """What a formula is tried with: how that is told, and the values of its names."""


def check_sheet(ruleset: RuleSet, sheet: Sheet, problems: list[Problem]) -> frozenset[str]:
    """Whether everything that a sheet names is there, and its formulas read and have answers.

    Codes: R203 a value that is not allowed, R221 to R223 for a formula, R225 no such table or one that does not fit,
    R231 no such procedure or kind, R232 no such column, input, outcome or field, R241 a formula without an answer,
    F202 and R314 a field or input without a value. Returns the tables that its formulas look up.
    """
    uses: set[str] = set()
    for when, place in _conditions(sheet):
        _Checker(ruleset, place, problems).reckon(when, Scope(), [("", {})], place)
    for r, row in enumerate(sheet.model.rows):
        if row.shares and len(row.shares) != len(row.columns):
            expected, found = f"a number for each of {len(row.columns)} columns", f"{len(row.shares)} of them"
            problems.append((sheet.place / "rows" / r / "shares").problem("R203", found=found, expected=expected))
    for block, place in _blocks(sheet):
        checker = _Checker(ruleset, place, problems)
        match block:
            case models.StepsBlock():
                told = [name for name, one in ruleset.procedures.items() if one.steps]
                checker.known(block.steps, told, "a procedure with steps", "steps")
            case models.TableBlock():
                checker.table(block.table, [(name, ("columns", i)) for i, name in enumerate(block.columns)], "table")
                checker.where(block.table, block.where)
            case models.AcrossBlock():
                checker.across(block)
            case models.PivotBlock():
                checker.given_keys(block)
                along = [(name, ("columns", i)) for i, name in enumerate(block.columns)]
                held = [(name, ("given", name)) for name in block.given]
                filling = [(block.column, ("column",)), *((name, ("more", i)) for i, name in enumerate(block.more))]
                checker.table(block.pivot, [(block.rows, ("rows",)), *along, *filling, *held], "pivot")
                checker.where(block.pivot, block.where)
            case models.GridBlock():
                checker.grid(block)
            case models.PricesBlock():
                checker.prices(block)
            case models.WorkingBlock():
                checker.known(block.working, ruleset.kinds, "a kind", "working")
            case models.LimitsBlock():
                checker.known(block.limits, ruleset.kinds, "a kind", "limits")
            case models.HexesBlock():
                checker.hexes(block)
            case _:
                pass
        uses |= checker.uses
    return frozenset(uses)


def _blocks(sheet: Sheet) -> Iterator[tuple[models.BlockModel, Place]]:
    for r, row in enumerate(sheet.model.rows):
        for c, column in enumerate(row.columns):
            for s, section in enumerate(column):
                for b, block in enumerate(section.blocks):
                    yield block, sheet.place / "rows" / r / "columns" / c / s / "blocks" / b


def _conditions(sheet: Sheet) -> Iterator[tuple[FormulaText, Place]]:
    """Every ``when`` of the sheet."""
    for block, place in _blocks(sheet):
        if block.when is not None:
            yield block.when, place / "when"
    for r, row in enumerate(sheet.model.rows):
        for c, column in enumerate(row.columns):
            for s, section in enumerate(column):
                if section.when is not None:
                    yield section.when, sheet.place / "rows" / r / "columns" / c / s / "when"


def tables_of(sheet: models.SheetModel) -> set[str]:
    """The tables that a sheet prints."""
    found: set[str] = set()
    for block in sheet.blocks():
        match block:
            case models.TableBlock():
                found.add(block.table)
            case models.AcrossBlock():
                found.update(row.table for row in block.across)
            case models.PivotBlock():
                found.add(block.pivot)
            case models.HexesBlock():
                found.add(block.hexes)
            case _:
                pass
    return found


def statuses_of(sheet: models.SheetModel) -> set[str]:
    """The statuses of which a sheet lists every statement."""
    return {status for block in sheet.blocks() if isinstance(block, models.ReadingsBlock) for status in block.readings}


class _Checker:
    """Looks names up for one block and notes those that are not there."""

    def __init__(self, ruleset: RuleSet, place: Place, problems: list[Problem]) -> None:
        self.ruleset = ruleset
        self.place = place
        self.problems = problems
        self.uses: set[str] = set()
        """The tables that its formulas look up, as these spell them."""

    def known(self, word: str, known: Collection[str], what: str, *path: str | int, code: str = "R231") -> bool:
        """Whether ``word`` is among those known; a problem at ``path`` in the block if it is not."""
        if word in known:
            return True
        near = get_close_matches(word, known, n=1)
        hint = f"did you mean {near[0]}?" if near else f"there are: {', '.join(known)}"
        place = self.at(*path)
        self.problems.append(place.problem(code, found=word, expected=f"{what} that is there", hint=hint))
        return False

    def at(self, *path: str | int) -> Place:
        place = self.place
        for step in path:
            place /= step
        return place

    def table(self, table_id: str, columns: Iterable[tuple[str, Path]], *path: str | int) -> None:
        """The table, and the columns each of which is named at a place of its own."""
        table = self.ruleset.tables.get(table_id)
        if table is None:
            self.problems.append(missing_table(table_id, self.ruleset.tables, self.at(*path)))
            return
        names = [column.name for column in table.columns]
        for column, where in columns:
            self.known(column, names, "a column", *where, code="R232")

    def reckon(
        self, text: FormulaText, scope: Scope, cases: Iterable[_Case], place: Place, *, die: bool = False
    ) -> list[Any] | None:
        """What a formula, over the options and more, comes to in every case that it will be asked about."""
        options = names_of({}, self.ruleset.options)
        formula = bind(text, Scope(option_names(self.ruleset.options)) | scope.names, place, self.problems)
        if formula is None:
            return None
        self.uses |= formula.uses
        names = names_of(self.ruleset.tables, {}) | options
        found = []
        for said, values in cases:
            try:
                found.append(formula({**names, **values}))
                if die and found[-1] is not None:
                    sides_of(found[-1])
            except FormulaUseError as error:
                reason = f"{error} ({said})" if said else str(error)
                self.problems.append(place.problem("R241", found=reason, expected="an answer", hint=error.hint))
                return None
        return found

    def hexes(self, block: models.HexesBlock) -> None:
        before = len(self.problems)
        grouped = [(block.group, ("group",))] if block.group is not None else []
        self.table(block.hexes, [("q", ("hexes",)), ("r", ("hexes",)), (block.text, ("text",)), *grouped], "hexes")
        if len(self.problems) > before:
            return
        rows = self.ruleset.tables[block.hexes].rows
        places = [(row["q"], row["r"]) for row in rows]
        odd = next((at for at in places if not all(type(one) is int for one in at)), None)
        twice = next((at for index, at in enumerate(places) if at in places[:index]), None)
        at = odd or twice
        if at is not None:
            found = f"the table {block.hexes} with {'a hex' if odd else 'two hexes'} at {', '.join(map(show, at))}"
            expected = "a table with whole numbers q and r, each pair of them once"
            self.problems.append(self.at("hexes").problem("R225", found=found, expected=expected))

    def where(self, table_id: str, where: FormulaText | None) -> None:
        """Which rows of a table are shown: at least one of them (R238, advice)."""
        table = self.ruleset.tables.get(table_id)
        if table is not None and where is not None:
            words = words_of_columns(table, self.ruleset.tables)
            scope = Scope({column.name: Name(words=words.get(column.name)) for column in table.columns})
            keyed = [{name: row[name] for name in table.key} for row in table.rows]
            cases = [(spell_inputs(key), row.values) for key, row in zip(keyed, table.rows, strict=True)]
            found = self.reckon(where, scope, cases, self.place / "where")
            if found is not None and not any(found):
                expected, hint = "a condition that holds for a row at least", "a table without rows prints “None”"
                at = self.place / "where"
                problem = at.problem("R238", found="no row", expected=expected, hint=hint, severity="advice")
                self.problems.append(problem)

    def given_keys(self, block: models.PivotBlock) -> None:
        """R203: a key column is held at a value that no row has."""
        table = self.ruleset.tables.get(block.pivot)
        for name, given in block.given.items() if table is not None else ():
            if table is not None and name in (column.name for column in table.columns):
                there = [spell(table, row, name) for row in table.rows]
                self.known(str(given), dict.fromkeys(there), "a value", "given", name, code="R203")

    def across(self, block: models.AcrossBlock) -> None:
        for index, row in enumerate(block.across):
            self.table(row.table, [(row.column, ("across", index, "column"))], "across", index, "table")

    def grid(self, block: models.GridBlock) -> None:
        rolled = [name for name, one in self.ruleset.procedures.items() if one.cases]
        if not self.known(block.grid, rolled, "a procedure with dice", "grid"):
            return
        before = len(self.problems)
        procedure = self.ruleset.procedures[block.grid]
        inputs = [one.name for one in procedure.inputs]
        for key, name in (("rows", block.rows), ("columns", block.columns), ("each", block.each)):
            if name is not None:
                self.known(name, inputs, "an input", key, code="R232")
        for name, given in block.given.items():
            if self.known(name, inputs, "an input", "given", name, code="R232"):
                self.allowed(name, given, next(one.choice for one in procedure.inputs if one.name == name))
        named = {block.rows, block.columns, block.each, *block.given}
        lacking = [one for one in procedure.inputs if one.required and one.when is None and one.name not in named]
        for one in lacking if len(self.problems) == before else ():
            self.missing("R314", one.name, f"{one.name}: ...", f"{one.label}: {one.choice.spell()}")
        if len(self.problems) == before:
            self.small_enough(block, procedure)
        for name, text in block.dice.items():
            if self.known(name, inputs, "an input", "dice", name, code="R232"):
                choice = next(one.choice for one in procedure.inputs if one.name == name)
                given = block.given.get(name, list(choice.values))
                values = map(choice.read, given if isinstance(given, list) else [given])
                cases = [{name: value} for value in values if value is not None]
                self.dice(name, text, choice, [(spell_inputs(case), case) for case in cases])
        outcomes = [one.id for one in procedure.outcomes]
        for index, outcome in enumerate(block.measure.outcomes):
            self.known(outcome, outcomes, "an outcome", "measure", "outcomes", index, code="R232")

    def small_enough(self, block: models.GridBlock, procedure: Procedure) -> None:
        """R203: a grid of more cells than anybody reads, each of which takes its time."""
        cells = 1
        for name in (block.rows, block.columns, block.each):
            known = procedure.input(name) if name is not None else None
            given = block.given.get(name or "")
            if known is not None:
                cells *= len(known.choice.values) if given is None else len(given) if isinstance(given, list) else 1
        if cells > MAX_CELLS:
            hint = "list the values to print under given"
            self.problems.append(
                self.at("grid").problem("R203", found=f"{cells} cells", expected=f"at most {MAX_CELLS}", hint=hint)
            )

    def dice(self, name: str, text: FormulaText, choice: Choice, cases: Iterable[_Case]) -> None:
        scope = table_scope(self.ruleset.tables.values()) | option_names(self.ruleset.options) | {name: chosen(choice)}
        self.reckon(text, scope, cases, self.place / "dice" / name, die=True)

    def prices(self, block: models.PricesBlock) -> None:
        if not self.known(block.prices, self.ruleset.kinds, "a kind", "prices"):
            return
        before = len(self.problems)
        fields = dict(_fields(self.ruleset.kinds[block.prices].fields))
        choices = {name: field.choice for name, field in fields.items() if field.choice is not None}
        for key, name in (("rows", block.rows), ("columns", block.columns), ("each", block.each)):
            if name is not None:
                self.known(name, choices, "a field", key, code="R232")
        for name, given in block.given.items():
            if self.known(name, fields, "a field", "given", name, code="R232") and name in choices:
                self.allowed(name, given, choices[name])
        named = {name for name in (block.rows, block.columns, block.each, *block.given) if name is not None}
        lists = {name.rpartition(".")[0] for name in named} | {""}
        open_ones = [name for name in choices if name not in named and name.rpartition(".")[0] in lists]
        for name in open_ones if len(self.problems) == before else ():
            if fields[name].required:
                self.missing("F202", name, f"the field {name}", f"{fields[name].label}: {choices[name].spell()}")

    def allowed(self, name: str, given: Any, choice: Choice) -> None:
        """Whether the value held, or each of those varied over, is one that may be (R203)."""
        at, several = self.place / "given" / name, isinstance(given, list)
        for index, value in enumerate(given if several else [given]):
            if choice.read(value) is None:
                expected, hint = choice.spell(), choice.near(value)
                there = at / index if several else at
                self.problems.append(there.problem("R203", found=show(value), expected=expected, hint=hint))

    def missing(self, code: str, name: str, expected: str, hint: str) -> None:
        """Something that has no default and is neither varied nor held at a value."""
        self.problems.append((self.place / "given" / name).problem(code, found="nothing", expected=expected, hint=hint))


def _fields(fields: tuple[Field, ...], before: str = "") -> Iterator[tuple[str, Field]]:
    for field in fields:
        yield f"{before}{field.name}", field
        yield from _fields(field.fields, f"{before}{field.name}.")
