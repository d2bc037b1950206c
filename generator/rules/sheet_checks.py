"""What a sheet shows must be there: tables, columns, procedures, inputs, outcomes, kinds and fields."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from generator.rules.answers import spell_inputs
from generator.rules.block_checks import Checker
from generator.rules.design_blocks import check_design_block
from generator.rules.formulas.scope import Name, Scope
from generator.rules.grid_checks import check_grid
from generator.rules.kinds import kinds_of_designs
from generator.rules.models import design_blocks, pictures
from generator.rules.models import sheet as models
from generator.rules.models.block import ALSO, BOTH, Thinned, beginning
from generator.rules.models.table_blocks import AcrossBlock, GridBlock, PivotBlock, TableBlock
from generator.rules.picture_checks import check_chart, check_hexes
from generator.rules.statements import spell
from generator.rules.wording import words_of_columns

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from generator.problems import Problem
    from generator.rules.kinds import Field
    from generator.rules.models.base import FormulaText
    from generator.rules.places import Place
    from generator.rules.ruleset import RuleSet, Sheet
    from generator.rules.tables import Row
    from generator.sources.document import Path

ANY_KIND = "*"
"""Where a section says what it is only for: a kind of any name."""
SPECIAL = "special-rules.procedure"
"""Where a section says what it is only for: the procedure of a special rule of the battle."""
_SPECIAL_WORD = "special"
"""What begins so, and is no kind, is meant for that."""


def check_sheet(ruleset: RuleSet, sheet: Sheet, problems: list[Problem]) -> frozenset[str]:
    """Whether everything that a sheet names is there, and its formulas read and have answers.

    Codes: R203 a value that is not allowed, R207 two rows for one cell or two entries of one id, R221 to R224 for a
    formula, R225 no such table or one that does not fit, R228 no such list, R231 no such procedure, kind or line, R232
    no such column, input, outcome, number or field, R241 a formula without an answer, F202 and R314 a field or input
    without a value, R316 an input that does not apply.
    Returns the tables that its formulas look up.
    """
    uses: set[str] = set()
    for when, place in _conditions(sheet):
        _Checker(ruleset, place, problems).reckon(when, Scope(), [("", {})], place, as_condition=True)
    _check_shares(sheet, problems)
    if sheet.model.of is not None:
        kinds = kinds_of_designs(ruleset.kinds)
        _Checker(ruleset, sheet.place, problems).known(sheet.model.of, kinds, "a kind", "of")
    for block, place in _blocks(sheet):
        checker = _Checker(ruleset, place, problems)
        _check_block(ruleset, checker, block, sheet.model.of)
        uses |= checker.uses
    return frozenset(uses)


def _check_shares(sheet: Sheet, problems: list[Problem]) -> None:
    for r, row in enumerate(sheet.model.rows):
        if row.shares and len(row.shares) != len(row.columns):
            expected, found = f"a number for each of {len(row.columns)} columns", f"{len(row.shares)} of them"
            problems.append((sheet.place / "rows" / r / "shares").problem("R203", found=found, expected=expected))


def check_handout(ruleset: RuleSet, sheet: Sheet, problems: list[Problem]) -> None:
    """What sections say they are only for must be there: R231, R232, R203. All kinds must have been read."""
    for words, place in _wishes(sheet):
        check_play(ruleset, words, place, problems)


def check_play(ruleset: RuleSet, words: Sequence[str], place: Place, problems: list[Problem]) -> None:
    """R231, R232 or R203 for what ``only_for`` names and is not there. All kinds and procedures must be read."""
    checker = Checker(ruleset, place, problems)
    kinds = kinds_of_designs(ruleset.kinds)
    for index, word in enumerate(words):
        path, _, value = word.removeprefix(BOTH).removeprefix(ALSO).partition("=")
        kind, _, name = path.partition(".")
        if path == SPECIAL and word.startswith(BOTH):
            alone = word.removeprefix(BOTH)
            hint = f"a special rule is of the battle and of no side: write {alone}"
            problems.append((place / index).problem("R203", found=word, expected=alone, hint=hint))
            continue
        if path == SPECIAL:
            checker.known(value, [*ruleset.procedures, *ruleset.replaced], "a procedure", index)
            continue
        if kind not in kinds and kind.startswith(_SPECIAL_WORD):
            hint = f"such as {SPECIAL}={next(iter(ruleset.procedures), 'attack')}"
            problems.append((place / index).problem("R231", found=word, expected=f"{SPECIAL}=, a procedure", hint=hint))
            continue
        if not checker.known(kind, {**kinds, ANY_KIND: None}, "a kind", index) or not name:
            continue
        meant = kinds.values() if kind == ANY_KIND else [ruleset.kinds[kind]]
        found = [(path, field) for one in meant for path, field in _fields(one.fields)]
        names = dict.fromkeys(path for path, _ in found)
        if not checker.known(name, names, "a field", index, code="R232") or not value:
            continue
        choices = [field.choice for path, field in found if path == name and field.choice is not None]
        values = [str(value) for choice in choices for value in choice.values]
        checker.known(value, list(dict.fromkeys(values)), "a value", index, code="R203")


def _check_block(ruleset: RuleSet, checker: _Checker, block: models.BlockModel, of: str | None) -> None:
    match block:
        case models.StepsBlock():
            told = [name for name, one in ruleset.procedures.items() if one.steps]
            if checker.known(block.steps, told, "a procedure with steps", "steps"):
                _check_entries(checker, block, [one.id for one in ruleset.procedures[block.steps].steps if one.id])
        case TableBlock():
            _check_table(ruleset, checker, block)
        case models.NotesBlock():
            _check_entries(checker, block, list(filter(None, map(beginning, block.notes))), "the bold start of a note")
        case AcrossBlock():
            checker.across(block)
        case PivotBlock():
            checker.pivot(block)
            pivoted = ruleset.tables.get(block.pivot)
            rows = pivoted.rows if pivoted is not None else ()
            _check_entries(checker, block, [str(row.values.get(block.rows)) for row in rows])
        case GridBlock():
            check_grid(checker, block)
        case models.PricesBlock():
            checker.prices(block)
        case models.WorkingBlock():
            checker.known(block.working, ruleset.kinds, "a kind", "working")
        case models.LimitsBlock():
            checker.known(block.limits, ruleset.kinds, "a kind", "limits")
        case pictures.HexesBlock():
            check_hexes(checker, block)
        case pictures.ChartBlock():
            check_chart(checker, block)
        case design_blocks.StripBlock() | design_blocks.MeansBlock():
            check_design_block(checker, block, of)
        case _:
            pass


def _check_table(ruleset: RuleSet, checker: _Checker, block: TableBlock) -> None:
    checker.table(block.table, [(name, ("columns", i)) for i, name in enumerate(block.columns)], "table")
    checker.where(block.table, block.where)
    if block.table in ruleset.tables:
        table = ruleset.tables[block.table]
        _check_entries(checker, block, [str(row[table.key[0]]) for row in table.rows])
        names = [one.name for one in table.columns]
        for one in block.columns_for:
            checker.known(one, names, "a column", "columns_for", one, code="R232")


def _check_entries(checker: _Checker, block: Thinned, known: Sequence[str], expected: str = "a row or step") -> None:
    """R231 for a row, step or note that is left out, and is not there."""
    for one in block.only_for:
        checker.known(one, list(dict.fromkeys(known)), expected, "only_for", one)
    for index, one in enumerate(block.without):
        checker.known(one, list(dict.fromkeys(known)), expected, "without", index)


def _blocks(sheet: Sheet) -> Iterator[tuple[models.BlockModel, Place]]:
    for r, row in enumerate(sheet.model.rows):
        for c, column in enumerate(row.columns):
            for s, section in enumerate(column):
                for b, block in enumerate(section.blocks):
                    yield block, sheet.place / "rows" / r / "columns" / c / s / "blocks" / b


def _wishes(sheet: Sheet) -> Iterator[tuple[Sequence[str], Place]]:
    """What each section, and each of its rows and steps, is only for."""
    for r, row in enumerate(sheet.model.rows):
        for c, column in enumerate(row.columns):
            for s, section in enumerate(column):
                yield section.only_for, sheet.place / "rows" / r / "columns" / c / s / "only_for"
    for block, place in _blocks(sheet):
        if isinstance(block, Thinned):
            yield from ((words, place / "only_for" / one) for one, words in block.only_for.items())
        if isinstance(block, TableBlock):
            yield from ((words, place / "columns_for" / one) for one, words in block.columns_for.items())


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


def tables_of(blocks: Iterable[models.BlockModel]) -> set[str]:
    """The tables that blocks print."""
    found: set[str] = set()
    for block in blocks:
        match block:
            case TableBlock():
                found.add(block.table)
            case AcrossBlock():
                found.update(row.table for row in block.across)
            case PivotBlock():
                found.add(block.pivot)
            case pictures.HexesBlock():
                found.add(block.hexes)
            case design_blocks.MeansBlock():
                found.update(one.through for one in block.means if one.through is not None)
            case _:
                pass
    return found


def statuses_of(sheet: models.SheetModel) -> set[str]:
    """The statuses of which a sheet lists every statement."""
    return {status for block in sheet.blocks() if isinstance(block, models.ReadingsBlock) for status in block.readings}


class _Checker(Checker):
    """The checks of blocks of tables and prices."""

    def where(self, table_id: str, where: FormulaText | None) -> list[Row]:
        """Which rows of a table are shown: at least one of them (R238, advice)."""
        table = self.ruleset.tables.get(table_id)
        shown = list(table.rows) if table is not None else []
        if table is not None and where is not None:
            words = words_of_columns(table, self.ruleset.tables)
            scope = Scope({column.name: Name(words=words.get(column.name)) for column in table.columns})
            keyed = [{name: row[name] for name in table.key} for row in table.rows]
            cases = [(spell_inputs(key), row.values) for key, row in zip(keyed, table.rows, strict=True)]
            found = self.reckon(where, scope, cases, self.place / "where", as_condition=True)
            if found is not None and not any(found):
                expected, hint = "a condition that holds for a row at least", "a table without rows prints “None”"
                at = self.place / "where"
                problem = at.problem("R238", found="no row", expected=expected, hint=hint, severity="advice")
                self.problems.append(problem)
            shown = [row for row, holds in zip(table.rows, found or (), strict=False) if holds]
        return shown

    def pivot(self, block: PivotBlock) -> None:
        self.given_keys(block)
        before = len(self.problems)
        along = [(name, ("columns", i)) for i, name in enumerate(block.columns)]
        held = [(name, ("given", name)) for name in block.given]
        filling = [(block.column, ("column",)), *((name, ("more", i)) for i, name in enumerate(block.more))]
        self.table(block.pivot, [(block.rows, ("rows",)), *along, *filling, *held], "pivot")
        shown = self.where(block.pivot, block.where)
        if len(self.problems) == before:
            self.cells(block, shown)

    def given_keys(self, block: PivotBlock) -> None:
        """R203: a key column is held at a value that no row has."""
        table = self.ruleset.tables.get(block.pivot)
        for name, given in block.given.items() if table is not None else ():
            if table is not None and name in (column.name for column in table.columns):
                there = [spell(table, row, name) for row in table.rows]
                self.known(str(given), dict.fromkeys(there), "a value", "given", name, code="R203")

    def cells(self, block: PivotBlock, shown: Iterable[Row]) -> None:
        """R207: two of the rows that are shown fall into one cell."""
        table = self.ruleset.tables[block.pivot]
        first: dict[tuple[str, ...], Row] = {}
        for row in shown:
            if any(spell(table, row, name) != str(value) for name, value in block.given.items()):
                continue
            cell = tuple(spell(table, row, name) for name in (block.rows, *block.columns))
            if first.setdefault(cell, row) is not row:
                left = [name for name in table.key if name not in (block.rows, *block.columns, *block.given)]
                found = f"two rows of the table {table.id} for the cell {', '.join(cell)}"
                hint = f"name the key column {' and '.join(left)} in rows, columns, where or given" if left else ""
                problem = self.at("pivot").problem("R207", found=found, expected="one row for each cell", hint=hint)
                self.problems.append(problem)
                return

    def across(self, block: AcrossBlock) -> None:
        before, keys = len(self.problems), dict[Any, None]()
        for index, row in enumerate(block.across):
            at: Path = ("across", index, "table")
            self.table(row.table, [(row.column, ("across", index, "column"))], *at)
            table = self.ruleset.tables.get(row.table)
            if table is not None and len(table.key) > 1:
                found, expected = f"the table {table.id} with {len(table.key)} keys", "a table with one key"
                self.problems.append(self.at(*at).problem("R225", found=found, expected=expected))
            elif table is not None:
                keys |= dict.fromkeys(row[table.key[0]] for row in table.rows)
        for index, key in enumerate(block.keys) if len(self.problems) == before else ():
            self.known(key, keys, "a key", "keys", index, code="R203")

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


def _fields(fields: tuple[Field, ...], before: str = "") -> Iterator[tuple[str, Field]]:
    for field in fields:
        yield f"{before}{field.name}", field
        yield from _fields(field.fields, f"{before}{field.name}.")
