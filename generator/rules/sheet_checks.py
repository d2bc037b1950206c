"""What a sheet shows must be there: tables, columns, procedures, inputs, outcomes, kinds and fields."""

from __future__ import annotations

from difflib import get_close_matches
from typing import TYPE_CHECKING

from generator.rules.choices import missing_table
from generator.rules.models import sheet as models

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator

    from generator.problems import Problem
    from generator.rules.kinds import Field
    from generator.rules.places import Place
    from generator.rules.ruleset import RuleSet, Sheet


def check_sheet(ruleset: RuleSet, sheet: Sheet, problems: list[Problem]) -> None:
    """Codes R225 no such table, R231 no such procedure or kind, R232 no such column, input, outcome or field."""
    for block, place in _blocks(sheet):
        checker = _Checker(ruleset, place, problems)
        match block:
            case models.StepsBlock():
                checker.known(block.steps, ruleset.procedures, "procedure", "steps")
            case models.TableBlock():
                checker.table(block.table, block.columns, "table")
            case models.AcrossBlock():
                checker.across(block)
            case models.PivotBlock():
                checker.table(block.pivot, (block.rows, *block.columns, block.column, *block.given), "pivot")
            case models.GridBlock():
                checker.grid(block)
            case models.PricesBlock():
                checker.prices(block)
            case models.WorkingBlock():
                checker.known(block.working, ruleset.kinds, "kind", "working")
            case _:
                pass


def _blocks(sheet: Sheet) -> Iterator[tuple[models.BlockModel, Place]]:
    for r, row in enumerate(sheet.model.rows):
        for c, column in enumerate(row.columns):
            for s, section in enumerate(column):
                for b, block in enumerate(section.blocks):
                    yield block, sheet.place / "rows" / r / "columns" / c / s / "blocks" / b


class _Checker:
    """Looks names up for one block and notes those that are not there."""

    def __init__(self, ruleset: RuleSet, place: Place, problems: list[Problem]) -> None:
        self.ruleset = ruleset
        self.place = place
        self.problems = problems

    def known(self, word: str, known: Collection[str], what: str, *path: str | int, code: str = "R231") -> bool:
        """Whether ``word`` is among those known; a problem at ``path`` in the block if it is not."""
        if word in known:
            return True
        near = get_close_matches(word, known, n=1)
        hint = f"did you mean {near[0]}?" if near else f"there are: {', '.join(known)}"
        place = self.place
        for step in path:
            place /= step
        self.problems.append(place.problem(code, found=word, expected=f"a {what} that is there", hint=hint))
        return False

    def table(self, table_id: str, columns: Iterable[str], *path: str | int) -> None:
        table = self.ruleset.tables.get(table_id)
        if table is None:
            place = self.place
            for step in path:
                place /= step
            self.problems.append(missing_table(table_id, self.ruleset.tables, place))
            return
        names = [column.name for column in table.columns]
        for column in columns:
            self.known(column, names, "column", *path, code="R232")

    def across(self, block: models.AcrossBlock) -> None:
        for index, row in enumerate(block.across):
            self.table(row.table, (row.column,), "across", index, "table")

    def grid(self, block: models.GridBlock) -> None:
        if not self.known(block.grid, self.ruleset.procedures, "procedure", "grid"):
            return
        procedure = self.ruleset.procedures[block.grid]
        inputs = [one.name for one in procedure.inputs]
        for key, name in (("rows", block.rows), ("columns", block.columns), ("each", block.each)):
            if name is not None:
                self.known(name, inputs, "input", key, code="R232")
        for name, given in block.given.items():
            if self.known(name, inputs, "input", "given", name, code="R232"):
                choice = next(one.choice for one in procedure.inputs if one.name == name)
                at = self.place / "given" / name
                for value in given if isinstance(given, list) else [given]:
                    if choice.read(value) is None:
                        hint = choice.near(value)
                        self.problems.append(at.problem("R203", found=str(value), expected=choice.spell(), hint=hint))
        outcomes = [one.id for one in procedure.outcomes]
        for index, outcome in enumerate(block.measure.outcomes):
            self.known(outcome, outcomes, "outcome", "measure", "outcomes", index, code="R232")

    def prices(self, block: models.PricesBlock) -> None:
        if not self.known(block.prices, self.ruleset.kinds, "kind", "prices"):
            return
        names = list(_field_names(self.ruleset.kinds[block.prices].fields))
        for key, name in (("rows", block.rows), ("columns", block.columns), ("each", block.each)):
            if name is not None:
                self.known(name, names, "field", key, code="R232")
        for name in block.given:
            self.known(name, names, "field", "given", name, code="R232")


def _field_names(fields: tuple[Field, ...], before: str = "") -> Iterator[str]:
    for field in fields:
        yield f"{before}{field.name}"
        yield from _field_names(field.fields, f"{before}{field.name}.")
