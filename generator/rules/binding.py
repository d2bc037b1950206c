"""Formulas of rule data, compiled where they stand; what is wrong with one is a problem with its line and column."""

from __future__ import annotations

from typing import TYPE_CHECKING

from generator.rules.formulas.compiler import Formula, compile_formula, compile_lookup
from generator.rules.formulas.errors import FormulaError
from generator.rules.formulas.scope import Name, Scope, identifier

if TYPE_CHECKING:
    from collections.abc import Iterable

    from generator.problems import Problem
    from generator.rules.models.base import FormulaText
    from generator.rules.places import Place
    from generator.rules.tables import Table

_CODES = {"syntax": "R221", "forbidden": "R222", "name": "R223"}


def bind(text: FormulaText, scope: Scope, place: Place, problems: list[Problem]) -> Formula | None:
    """The formula ready to run, or None with a problem (R221 syntax, R222 not allowed, R223 unknown name)."""
    try:
        return compile_formula(text, scope)
    except FormulaError as error:
        problems.append(_problem(error, place))
        return None


def bind_row(text: FormulaText, scope: Scope, place: Place, problems: list[Problem]) -> tuple[Formula, Name] | None:
    """A look-up that gives a row, and its table's name; None with a problem as ``bind`` has."""
    try:
        return compile_lookup(text, scope)
    except FormulaError as error:
        problems.append(_problem(error, place))
        return None


def _problem(error: FormulaError, place: Place) -> Problem:
    return place.problem(
        _CODES[error.kind], found=error.found, expected=error.expected, hint=error.hint, offset=error.offset
    )


def table_scope(tables: Iterable[Table]) -> Scope:
    """The names under which formulas look tables up."""
    names = {}
    for table in tables:
        others = [column.name for column in table.columns if column.name not in (*table.key, table.name)]
        only = others[0] if len(others) == 1 else ""
        columns = frozenset(column.name for column in table.columns)
        names[identifier(table.id)] = Name("table", columns, len(table.key), only)
    return Scope(names)
