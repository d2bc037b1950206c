"""What a block of a sheet must fulfil when every name in it is there: formulas have answers, cells one row each."""

from __future__ import annotations

from math import prod
from typing import TYPE_CHECKING, Any, TypeAlias

from generator.errors import ProblemsError
from generator.rules.cards.figures import read_means, read_strip, reader_of
from generator.rules.check.references import References, references
from generator.rules.check.statements import spell
from generator.rules.entries.choices import chosen
from generator.rules.entries.dice import dice_of
from generator.rules.entries.kinds import Owner, kinds_of_designs
from generator.rules.entries.namespace import bind, names_of, option_names, table_scope
from generator.rules.entries.texts import words_of_columns
from generator.rules.formulas.errors import FormulaUseError
from generator.rules.formulas.scope import Name, Scope
from generator.rules.model import sheet as models
from generator.rules.model.design_blocks import MeansBlock, StripBlock
from generator.rules.model.pictures import ChartBlock, HexesBlock
from generator.rules.model.table_blocks import AcrossBlock, GridBlock, PivotBlock, TableBlock
from generator.rules.procedures.inputs import complete_inputs, spell_inputs
from generator.rules.source.model_errors import show
from generator.rules.source.parts import Place

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from generator.problems import Problem
    from generator.rules.entries.kinds import Kind
    from generator.rules.entries.tables import Row
    from generator.rules.model.base import FormulaText
    from generator.rules.procedures.procedure import Procedure
    from generator.rules.ruleset import RuleSet, Sheet

    Case: TypeAlias = tuple[str, Mapping[str, Any]]
    """A case for a formula to try: its name in messages, and the values of its names."""

MAX_CELLS = 2_000
"""The most cells of one grid."""
MAX_PANELS, MAX_SIDE_BY_SIDE = 6, 3
"""The most charts of one block, and the most bars for one value that can be told apart without colour."""


def check_sheet(ruleset: RuleSet, sheet: Sheet, problems: list[Problem], *, whole: bool = False) -> frozenset[str]:
    """Check what a sheet names and what its formulas come to; return the tables that its formulas look up.

    Unless all kinds are read (``whole``), what its parts are only for is not looked up. Codes: R203, R207, R221 to
    R225, R228, R231, R232, R238, R241, F202, R314, R316.
    """
    walker = References(ruleset, problems, whole=whole)
    kind = kinds_of_designs(ruleset.kinds).get(sheet.model.of or "")
    owner = Owner.of(kind)
    walker.look_up(one for one in references(sheet.model, sheet.place) if "blocks" not in one.place.path)
    uses: set[str] = set()
    for block, place in _blocks(sheet):
        checker = _Checker(ruleset, place, problems)
        about_design = isinstance(block, StripBlock | MeansBlock)
        if about_design and sheet.model.of is None:
            key = "strip" if isinstance(block, StripBlock) else "means"
            hint = "say of: and the kind whose designs the sheet is printed for"
            checker.refuse("R203", f"{key} without of", "a sheet of a kind", key, hint=hint, at_key=True)
        elif (kind is not None or not about_design) and walker.check(block, place, owner):
            checker.condition(block.when, place / "when")
            if type(block) in _CHECKS:
                _CHECKS[type(block)](checker, block, kind)
        uses |= checker.uses
    for section, place in _sections(sheet):
        _Checker(ruleset, place, problems).condition(section.when, place / "when")
    for r, row in enumerate(sheet.model.rows):
        if row.shares and len(row.shares) != len(row.columns):
            expected, found = f"a number for each of {len(row.columns)} columns", f"{len(row.shares)} of them"
            problems.append((sheet.place / "rows" / r / "shares").problem("R203", found=found, expected=expected))
    return frozenset(uses)


def tables_of(blocks: Iterable[models.BlockModel]) -> set[str]:
    """Return the ids of the tables that blocks print."""
    nowhere = Place(None)  # type: ignore[arg-type] # nothing is reported
    return {one.word for block in blocks for one in references(block, nowhere) if one.ref.what == "table"}


def statuses_of(sheet: models.SheetModel) -> set[str]:
    """Return the statuses whose statements a sheet lists."""
    return {status for block in sheet.blocks() if isinstance(block, models.ReadingsBlock) for status in block.readings}


def values_of(procedure: Procedure, name: str, given: Mapping[str, Any]) -> tuple[Any, ...]:
    """Return the values of an input that a block prints: those that are given, else all."""
    choice = procedure.input(name).choice  # type: ignore[union-attr] # the sheet was checked
    wanted = given.get(name)
    if wanted is None:
        return choice.values
    return tuple(choice.read(one) for one in (wanted if isinstance(wanted, list) else [wanted]))


def _sections(sheet: Sheet) -> Iterator[tuple[models.SectionModel, Place]]:
    for r, row in enumerate(sheet.model.rows):
        for c, column in enumerate(row.columns):
            for s, section in enumerate(column):
                yield section, sheet.place / "rows" / r / "columns" / c / s


def _blocks(sheet: Sheet) -> Iterator[tuple[models.BlockModel, Place]]:
    for section, place in _sections(sheet):
        for b, block in enumerate(section.blocks):
            yield block, place / "blocks" / b


class _Checker:
    """Tries the formulas and values of one block."""

    def __init__(self, ruleset: RuleSet, place: Place, problems: list[Problem]) -> None:
        self.ruleset = ruleset
        self.place = place
        self.problems = problems
        self.uses: set[str] = set()

    def refuse(self, code: str, found: str, expected: str, *path: str | int, **more: Any) -> None:
        place = self.place
        for step in path:
            place /= step
        self.problems.append(place.problem(code, found=found, expected=expected, **more))

    def condition(self, text: FormulaText | None, place: Place) -> None:
        """R221 to R225, R241: a condition over the options that has no answer."""
        if text is not None:
            self.reckon(text, Scope(), [("", {})], place, as_condition=True)

    def reckon(
        self, text: FormulaText, scope: Scope, cases: Iterable[Case], place: Place, *, as_condition: bool
    ) -> list[Any] | None:
        """Return what a formula comes to in every case that it will be asked about: yes or no, else a die."""
        formula = bind(text, Scope(option_names(self.ruleset.options)) | scope.names, place, self.problems)
        if formula is None:
            return None
        self.uses |= formula.uses
        names = names_of(self.ruleset.tables, self.ruleset.options)
        found = []
        for said, values in cases:
            try:
                found.append((formula.holds if as_condition else formula)({**names, **values}))
                if not as_condition and found[-1] is not None:
                    dice_of(found[-1])
            except FormulaUseError as error:
                reason = f"{error} ({said})" if said else str(error)
                self.problems.append(place.problem("R241", found=reason, expected="an answer", hint=error.hint))
                return None
        return found

    def where(self, table_id: str, where: FormulaText | None) -> list[Row]:
        """Return the rows of a table that are shown. R238 (advice): there is none."""
        table = self.ruleset.tables[table_id]
        if where is None:
            return list(table.rows)
        words = words_of_columns(table, self.ruleset.tables)
        scope = Scope({column.name: Name(words=words.get(column.name)) for column in table.columns})
        cases = [(spell_inputs({name: row[name] for name in table.key}), row.values) for row in table.rows]
        found = self.reckon(where, scope, cases, self.place / "where", as_condition=True)
        if found is not None and not any(found):
            expected, hint = "a condition that holds for a row at least", "a table without rows prints “None”"
            self.refuse("R238", "no row", expected, "where", hint=hint, severity="advice")
        return [row for row, holds in zip(table.rows, found or (), strict=False) if holds]

    def given(self, given: Mapping[str, Any], varied: Sequence[str | None], *path: str | int) -> bool:
        """Return whether each fixed input or field has one value. R203: a list, or one without values."""
        before = len(self.problems)
        for name, value in given.items():
            if value == []:
                self.refuse("R203", show(value), "a value", *path, "given", name, hint="leave it out for all of them")
            elif isinstance(value, list) and name not in varied:
                self.refuse("R203", show(value), "one value", *path, "given", name)
        return len(self.problems) == before

    def complete(self, procedure: Procedure, given: Mapping[str, Any], place: Place, *codes: str) -> None:
        """R314, R316: whether these inputs are a question that the procedure answers; each problem once."""
        try:
            complete_inputs(procedure, given)
        except ProblemsError as error:
            for one in error.problems:
                at = place / "given" / one.field
                problem = at.problem(one.code, found=one.found, expected=one.expected, hint=one.hint)
                if problem not in self.problems and (not codes or one.code in codes):
                    self.problems.append(problem)


def _table(checker: _Checker, block: TableBlock, _: Kind | None) -> None:
    checker.where(block.table, block.where)


def _across(checker: _Checker, block: AcrossBlock, _: Kind | None) -> None:
    for index, row in enumerate(block.across):
        keys = checker.ruleset.tables[row.table].key
        if len(keys) > 1:
            found = f"the table {row.table} with {len(keys)} keys"
            checker.refuse("R225", found, "a table with one key", "across", index, "table")


def _pivot(checker: _Checker, block: PivotBlock, _: Kind | None) -> None:
    """R207: two of the rows that are shown fall into one cell."""
    table = checker.ruleset.tables[block.pivot]
    first: dict[tuple[str, ...], Row] = {}
    for row in checker.where(block.pivot, block.where):
        if any(spell(table, row, name) != str(value) for name, value in block.given.items()):
            continue
        cell = tuple(spell(table, row, name) for name in (block.rows, *block.columns))
        if first.setdefault(cell, row) is not row:
            left = [name for name in table.key if name not in (block.rows, *block.columns, *block.given)]
            found = f"two rows of the table {table.id} for the cell {', '.join(cell)}"
            hint = f"name the key column {' and '.join(left)} in rows, columns, where or given" if left else ""
            checker.refuse("R207", found, "one row for each cell", "pivot", hint=hint)
            return


def _grid(checker: _Checker, block: GridBlock, _: Kind | None) -> None:
    procedure = checker.ruleset.procedures[block.grid]
    varied = [name for name in (block.rows, block.columns, block.each) if name is not None]
    if not checker.given(block.given, varied):
        return
    values = {name: values_of(procedure, name, block.given) for name in {*block.given, *varied}}
    cells = prod(len(values[name]) for name in varied)
    if cells > MAX_CELLS:
        hint = "list the values to print under given"
        checker.refuse("R203", f"{cells} cells", f"at most {MAX_CELLS}", "grid", hint=hint)
    # Whether an input applies differs from cell to cell.
    checker.complete(procedure, {name: some[0] for name, some in values.items()}, checker.place, "R314")
    tables = table_scope(checker.ruleset.tables.values())
    for name, text in block.dice.items():
        scope = tables | {name: chosen(procedure.input(name).choice)}  # type: ignore[union-attr] # it is known
        cases = [
            (spell_inputs(case), case) for value in values_of(procedure, name, block.given) if (case := {name: value})
        ]
        checker.reckon(text, scope, cases, checker.place / "dice" / name, as_condition=False)


def _prices(checker: _Checker, block: models.PricesBlock, _: Kind | None) -> None:
    """F202: a field without a default is neither varied nor held at a value."""
    varied = [name for name in (block.rows, block.columns, block.each) if name is not None]
    checker.given(block.given, varied)
    fields = checker.ruleset.kinds[block.prices].fields
    named = {*varied, *block.given}
    lists = {name.partition(".")[0] for name in named if "." in name}
    every = [("", field) for field in fields]
    every += [(f"{field.name}.", inner) for field in fields if field.name in lists for inner in field.fields]
    for before, field in every:
        name = f"{before}{field.name}"
        if field.choice is not None and field.required and name not in named:
            hint = f"{field.label}: {field.choice.spell()}"
            checker.refuse("F202", "nothing", f"the field {name}", "given", name, hint=hint)


def _hexes(checker: _Checker, block: HexesBlock, _: Kind | None) -> None:
    """R232, R225: a table that has no place for each hex; and what is wrong with the odds."""
    table = checker.ruleset.tables[block.hexes]
    missing = [name for name in ("q", "r") if name not in [column.name for column in table.columns]]
    for name in missing:
        checker.refuse("R232", name, f"a column of {table.id}", "hexes", hint="a hex stands at its columns q and r")
    if missing:
        return
    places = [(row["q"], row["r"]) for row in table.rows]
    odd = next((at for at in places if not all(type(one) is int for one in at)), None)
    twice = next((at for index, at in enumerate(places) if at in places[:index]), None)
    if at := odd or twice:
        found = f"the table {table.id} with {'a hex' if odd else 'two hexes'} at {', '.join(map(show, at))}"
        checker.refuse("R225", found, "a table with whole numbers q and r, each pair of them once", "hexes")
    if block.odds is None:
        return
    if len(table.key) > 1:
        checker.refuse("R225", f"the table {table.id} with {len(table.key)} keys", "a table with one key", "hexes")
        return
    procedure = checker.ruleset.procedures[block.odds.procedure]
    aim = procedure.input(block.odds.aim) if block.odds.aim else None
    if aim is not None and not table.names().keys() >= set(aim.choice.values):
        checker.refuse("R232", aim.name, f"an input with the key of {table.id}", "odds", "aim")
    checker.given(block.odds.given, (), "odds")
    for index, one in enumerate(block.odds.maps):
        if checker.given(one.given, (), "odds", "maps", index):
            given = {**block.odds.given, **one.given}
            question = {name: values_of(procedure, name, given)[0] for name in given}
            checker.complete(procedure, question, checker.place / "odds" / "maps" / index)


def _chart(checker: _Checker, block: ChartBlock, _: Kind | None) -> None:
    before = len(checker.problems)
    for key, needs in (("lack", "number"), ("most", "number"), ("beside", "each")):
        if getattr(block, key) and getattr(block, needs) is None:
            hint = f"say {needs}, or leave {key} out"
            checker.refuse("R203", f"{key} without {needs}", f"{key} together with {needs}", key, hint=hint)
    procedure = checker.ruleset.procedures[block.chart]
    checker.given(block.given, (block.each,))
    wanted = values_of(procedure, block.each, block.given) if block.each else (None,)
    most = MAX_SIDE_BY_SIDE if block.beside else MAX_PANELS
    if len(wanted) > most:
        hint = "list the values to draw under given"
        checker.refuse("R203", f"{len(wanted)} values", f"at most {most}", "each", hint=hint)
    for value in wanted if len(checker.problems) == before else ():
        fixed = {name: values_of(procedure, name, block.given)[0] for name in block.given}
        checker.complete(procedure, fixed | ({block.each: value} if block.each else {}), checker.place)


def _about_design(checker: _Checker, block: StripBlock | MeansBlock, kind: Kind | None) -> None:
    reader = reader_of(kind, checker.ruleset.tables, checker.ruleset.options, checker.problems)  # type: ignore[arg-type] # such a sheet has one
    if isinstance(block, StripBlock):
        read_strip(reader, block, checker.place)
    else:
        read_means(reader, block, checker.place)
    checker.uses |= reader.binder.shelf.used


_CHECKS: Mapping[type[models.BlockModel], Callable[[_Checker, Any, Kind | None], None]] = {
    TableBlock: _table,
    AcrossBlock: _across,
    PivotBlock: _pivot,
    GridBlock: _grid,
    models.PricesBlock: _prices,
    HexesBlock: _hexes,
    ChartBlock: _chart,
    StripBlock: _about_design,
    MeansBlock: _about_design,
}
