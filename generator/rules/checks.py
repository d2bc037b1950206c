"""What loading does not see: sheets that name nothing, procedures that leave a combination without an answer."""

from __future__ import annotations

from difflib import get_close_matches
from itertools import product
from typing import TYPE_CHECKING

from generator.errors import ProblemsError
from generator.rules.answers import answer
from generator.rules.choices import missing_table
from generator.rules.models import sheet as models

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

    from generator.problems import Problem
    from generator.rules.kinds import Field, Kind
    from generator.rules.places import Place
    from generator.rules.procedures import Procedure
    from generator.rules.ruleset import RuleSet, Sheet

MAX_COMBINATIONS = 5_000
"""Combinations of inputs tried for each procedure: all of them for every one shipped."""


def check_ruleset(ruleset: RuleSet, problems: list[Problem]) -> None:
    """Every problem that shows only when the whole rule set is there."""
    for sheet in ruleset.sheets.values():
        check_sheet(ruleset, sheet, problems)
    for procedure in ruleset.procedures.values():
        _check_total(procedure, problems)


def check_sheet(ruleset: RuleSet, sheet: Sheet, problems: list[Problem]) -> None:
    """Codes R225 no such table, R231 no such procedure or kind, R232 no such column, input, outcome or field."""
    for block, place in _blocks(sheet):
        match block:
            case models.StepsBlock():
                _known(block.steps, ruleset.procedures, "procedure", place / "steps", problems)
            case models.TableBlock():
                table = ruleset.tables.get(block.table)
                if table is None:
                    problems.append(missing_table(block.table, ruleset.tables, place / "table"))
                    continue
                columns = [column.name for column in table.columns]
                for index, name in enumerate(block.columns):
                    _named(name, columns, "column", place / "columns" / index, problems)
            case models.AcrossBlock():
                _check_across(ruleset, block, place, problems)
            case models.PivotBlock():
                table = ruleset.tables.get(block.pivot)
                if table is None:
                    problems.append(missing_table(block.pivot, ruleset.tables, place / "pivot"))
                    continue
                columns = [column.name for column in table.columns]
                for name in (block.rows, *block.columns, block.column, *block.given):
                    _named(name, columns, "column", place, problems)
            case models.GridBlock():
                if _known(block.grid, ruleset.procedures, "procedure", place / "grid", problems):
                    _check_grid(ruleset.procedures[block.grid], block, place, problems)
            case models.PricesBlock():
                if _known(block.prices, ruleset.kinds, "kind", place / "prices", problems):
                    _check_prices(ruleset.kinds[block.prices], block, place, problems)
            case models.WorkingBlock():
                _known(block.working, ruleset.kinds, "kind", place / "working", problems)
            case _:
                pass


def _blocks(sheet: Sheet) -> Iterator[tuple[models.BlockModel, Place]]:
    for r, row in enumerate(sheet.model.rows):
        for c, column in enumerate(row.columns):
            for s, section in enumerate(column):
                for b, block in enumerate(section.blocks):
                    yield block, sheet.place / "rows" / r / "columns" / c / s / "blocks" / b


def _known(word: str, known: Collection[str], what: str, place: Place, problems: list[Problem]) -> bool:
    if word in known:
        return True
    problems.append(_missing("R231", word, known, what, place))
    return False


def _named(word: str, known: Collection[str], what: str, place: Place, problems: list[Problem]) -> None:
    if word not in known:
        problems.append(_missing("R232", word, known, what, place))


def _missing(code: str, word: str, known: Collection[str], what: str, place: Place) -> Problem:
    near = get_close_matches(word, known, n=1)
    hint = f"did you mean {near[0]}?" if near else f"there are: {', '.join(known)}"
    return place.problem(code, found=word, expected=f"a {what} that is there", hint=hint)


def _check_across(ruleset: RuleSet, block: models.AcrossBlock, place: Place, problems: list[Problem]) -> None:
    for index, row in enumerate(block.across):
        table = ruleset.tables.get(row.table)
        if table is None:
            problems.append(missing_table(row.table, ruleset.tables, place / "across" / index / "table"))
        else:
            columns = [column.name for column in table.columns]
            _named(row.column, columns, "column", place / "across" / index / "column", problems)


def _check_grid(procedure: Procedure, block: models.GridBlock, place: Place, problems: list[Problem]) -> None:
    inputs = [one.name for one in procedure.inputs]
    _named(block.rows, inputs, "input", place / "rows", problems)
    _named(block.columns, inputs, "input", place / "columns", problems)
    if block.each:
        _named(block.each, inputs, "input", place / "each", problems)
    for name, given in block.given.items():
        if name not in inputs:
            problems.append(_missing("R232", name, inputs, "input", place / "given" / name))
            continue
        choice = next(one.choice for one in procedure.inputs if one.name == name)
        for value in given if isinstance(given, list) else [given]:
            if choice.read(value) is None:
                at = place / "given" / name
                problems.append(at.problem("R203", found=str(value), expected=choice.spell(), hint=choice.near(value)))
    outcomes = [one.id for one in procedure.outcomes]
    for index, outcome in enumerate(block.measure.outcomes):
        _named(outcome, outcomes, "outcome", place / "measure" / "outcomes" / index, problems)


def _check_prices(kind: Kind, block: models.PricesBlock, place: Place, problems: list[Problem]) -> None:
    names = set(_field_names(kind.fields))
    for key in ("rows", "columns", "each"):
        name = getattr(block, key)
        if name is not None:
            _named(name, names, "field", place / key, problems)
    for name in block.given:
        _named(name, names, "field", place / "given" / name, problems)


def _field_names(fields: tuple[Field, ...], before: str = "") -> Iterator[str]:
    for field in fields:
        yield f"{before}{field.name}"
        yield from _field_names(field.fields, f"{before}{field.name}.")


def _check_total(procedure: Procedure, problems: list[Problem]) -> None:
    """R233: a combination of inputs that no case answers, or whose outcomes do not add up to 1."""
    for inputs in combinations(procedure):
        try:
            chances = sum(chance for _, chance in answer(procedure, inputs).outcomes)
        except ProblemsError as error:
            problems.extend(error.problems[:1])
            return
        if chances != 1:
            said = ", ".join(f"{name}={value}" for name, value in inputs.items())
            found = f"outcomes that add up to {chances} for {said}"
            hint = "an outcome that comes up is missing, or its when leaves it out"
            problems.append((procedure.place / "outcomes").problem("R233", found=found, expected="1", hint=hint))
            return


def combinations(procedure: Procedure) -> Iterator[dict[str, object]]:
    """Combinations of inputs that apply together, in order, at most MAX_COMBINATIONS of them."""
    waiting: list[dict[str, object]] = [{}]
    for one in procedure.inputs:
        waiting = [
            {**given, one.name: value} if one.when is None or one.when({**procedure.tables, **given}) else given
            for given, value in product(waiting, one.choice.values)
        ]
        seen = {tuple(given.items()): given for given in waiting}
        waiting = list(seen.values())[:MAX_COMBINATIONS]
    yield from waiting
