"""Formulas of rule data, compiled where they stand; what is wrong with one is a problem with its line and column."""

from __future__ import annotations

from difflib import get_close_matches
from typing import TYPE_CHECKING, Any

from generator.rules.complaints import show
from generator.rules.formulas.compiler import Formula, compile_formula, compile_lookup
from generator.rules.formulas.errors import FormulaError
from generator.rules.formulas.scope import UNREAD, Name, Scope, identifier
from generator.rules.wording import chosen, words_of_columns

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping

    from generator.problems import Problem
    from generator.rules.models.base import FormulaText
    from generator.rules.options import Option
    from generator.rules.places import Place
    from generator.rules.tables import Table

_CODES = {"syntax": "R221", "forbidden": "R222", "table": "R225", "word": "R237"}
_CODES |= dict.fromkeys(("name", "unknown", "form"), "R223")


class Shelf:
    """The tables that formulas and choices may name while a rule set is read.

    ``unread`` are those that are there but could not be read: whatever leans on them is passed over. A table that is
    not there at all is said once, however many formulas and choices name it, and so is a column that one lacks.
    ``options`` are names like any other.
    """

    __slots__ = ("misread", "missed", "options", "scope", "tables", "unread", "unread_options", "used")

    def __init__(self, tables: Mapping[str, Table], unread: Collection[str] = ()) -> None:
        """Put the tables where formulas find them."""
        self.tables = tables
        self.unread = unread
        self.options: Mapping[str, Option] = {}
        self.unread_options: Collection[str] = ()
        self.scope = table_scope(tables.values()) | {identifier(table_id): UNREAD for table_id in unread}
        self.missed: set[str] = set()
        self.misread: set[str] = set()
        """What formulas ask of tables that these do not have."""
        self.used: set[str] = set()
        """The tables that something leans on, as formulas spell them."""

    def name_options(self, options: Mapping[str, Option], unread: Collection[str] = ()) -> None:
        """Let formulas know the options, and those that are declared and could not be read."""
        self.options = options
        self.unread_options = unread
        self.scope |= option_names(options) | dict.fromkeys(unread, UNREAD)

    def names(self) -> dict[str, Any]:
        """What formulas find behind the names of tables and options."""
        return names_of(self.tables, self.options)

    def sound(self, formula: Formula) -> bool:
        """Whether every table that a formula looks up was read to its end: else what it comes to says nothing."""
        return all(table.whole for table in self.tables.values() if identifier(table.id) in formula.uses)

    def find(self, wanted: str, place: Place, problems: list[Problem]) -> Table | None:
        """The table of this id. None for one that was not read to its end, and for one that is not there (R225)."""
        self.used.add(identifier(wanted))
        table = self.tables.get(wanted)
        if table is not None:
            return table if table.whole else None
        if wanted not in self.unread and identifier(wanted) not in self.missed:
            self.missed.add(identifier(wanted))
            problems.append(missing_table(wanted, self.tables, place))
        return None


class Binder:
    """Compiles the formulas of one procedure or kind, and says once of each unknown name that it is not there."""

    __slots__ = ("asked", "lost", "names", "problems", "shelf", "unknown")

    def __init__(self, shelf: Shelf, problems: list[Problem]) -> None:
        """Nothing is lost yet."""
        self.shelf = shelf
        self.problems = problems
        self.unknown: set[str] = set()
        self.names: set[str] = set()
        """What the formulas read, but for tables."""
        self.asked: set[str] = set()
        """The procedures that it asks."""
        self.lost = False
        """Whether a formula could not be compiled, be it for a problem that was said elsewhere."""

    def formula(self, text: FormulaText | None, scope: Scope, place: Place) -> Formula | None:
        """The formula ready to run.

        None with a problem: R221 syntax, R222 not allowed, R223 name, R225 table, R237 a text that no value is.
        """
        if text is None:
            return None
        try:
            formula = compile_formula(text, scope)
        except FormulaError as error:
            self._refuse(error, place)
            return None
        self.shelf.used |= formula.uses
        self.names |= formula.names
        formula.place = place
        return formula

    def number(self, text: FormulaText | None, scope: Scope, place: Place) -> Formula | None:
        """The formula of a number, as ``formula``; R222 for one that comes to yes or no."""
        formula = self.formula(text, scope, place)
        if formula is None or not formula.is_truth():
            return formula
        hint = "choose a number by it, such as 1 if ... else 0"
        error = FormulaError(kind="forbidden", found=show(formula.text), expected="a number", hint=hint)
        self._refuse(error, place)
        return None

    def row(self, text: FormulaText, scope: Scope, place: Place) -> tuple[Formula, Name] | None:
        """A look-up that gives a row, and its table's name; None with a problem as ``formula`` has."""
        try:
            row, table = compile_lookup(text, scope)
        except FormulaError as error:
            self._refuse(error, place)
            return None
        self.shelf.used |= row.uses
        self.names |= row.names
        row.place = place
        return row, table

    def joins(
        self, joins: Mapping[str, FormulaText], scope: Scope, place: Place
    ) -> tuple[tuple[tuple[str, Formula], ...], Scope]:
        """Rows joined under names of their own, and a scope that knows their columns."""
        bound = []
        for name, text in joins.items():
            found = self.row(text, scope, place / name)
            scope |= {name: UNREAD if found is None else Name("row", found[1].columns, inside=found[1].inside)}
            if found is not None:
                bound.append((name, found[0]))
        return tuple(bound), scope

    def _refuse(self, error: FormulaError, place: Place) -> None:
        self.lost = True
        if error.kind == "unread" or place.refused():
            return
        said = {"table": self.shelf.missed, "unknown": self.unknown, "form": self.shelf.misread}.get(error.kind, set())
        what = f"{error.found}, not {error.expected}" if error.kind == "form" else error.found
        if what not in said:
            said.add(what)
            self.problems.append(_problem(error, place))


def bind(text: FormulaText, scope: Scope, place: Place, problems: list[Problem]) -> Formula | None:
    """One formula ready to run, or None with a problem as a Binder has."""
    try:
        return compile_formula(text, scope)
    except FormulaError as error:
        problems.append(_problem(error, place))
        return None


def _problem(error: FormulaError, place: Place) -> Problem:
    found = f"the table {error.found}" if error.kind == "table" else error.found
    return place.problem(_CODES[error.kind], found=found, expected=error.expected, hint=error.hint, offset=error.offset)


def names_of(tables: Mapping[str, Table], options: Mapping[str, Option]) -> dict[str, Any]:
    """What formulas find behind the names of tables and options."""
    by_name: dict[str, Any] = {identifier(table_id): table for table_id, table in tables.items()}
    return by_name | {name: option.value for name, option in options.items()}


def option_names(options: Mapping[str, Option]) -> dict[str, Name]:
    """What formulas know of the options."""
    return {name: chosen(option.choice) for name, option in options.items()}


def table_scope(tables: Iterable[Table]) -> Scope:
    """The names under which formulas look tables up."""
    names = {}
    known = {table.id: table for table in tables}
    for table in known.values():
        others = [column.name for column in table.columns if column.name not in (*table.key, table.name)]
        only = others[0] if len(others) == 1 else ""
        columns = frozenset(column.name for column in table.columns)
        inside = words_of_columns(table, known)
        names[identifier(table.id)] = Name("table", columns, len(table.key), only, inside=inside)
    return Scope(names)


def missing_table(wanted: str, tables: Collection[str], place: Place) -> Problem:
    """R225: a table is named that neither the rule set nor its parents have."""
    near = get_close_matches(wanted, tables, n=1)
    hint = f"did you mean {near[0]}?" if near else f"tables here: {', '.join(sorted(tables))}"
    return place.problem(
        "R225", found=f"the table {wanted}", expected="a table of this rule set or its parents", hint=hint
    )
