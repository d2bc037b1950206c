"""Compile the formulas of rule data; an error in a formula becomes a problem with line and column."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from generator.problems import Problem, suggest
from generator.rules.entries.choices import Option, chosen, words_of_columns, words_of_keys
from generator.rules.entries.dice import read_dice
from generator.rules.formulas.compiler import Formula, compile_formula, compile_lookup
from generator.rules.formulas.errors import FormulaError
from generator.rules.formulas.scope import FormulaText, Name, Scope, identifier

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from generator.rules.entries.tables import Table
    from generator.rules.source.parts import Place

NO_OPTIONS: Mapping[str, Option] = MappingProxyType({})
PLACEHOLDER = re.compile(r"\{([^{}]*)\}")
"""A place in a label that a value fills, such as ``{size}``."""
_CODES = {"syntax": "R221", "forbidden": "R222", "table": "R225", "word": "R237"}
_CODES |= dict.fromkeys(("name", "unknown", "form"), "R223")


class Namespace:
    """The tables and options that formulas and choices may name while a rule set is read.

    A missing table or column is reported once, even if many formulas name it.
    """

    __slots__ = ("options", "reported", "scope", "tables")

    def __init__(
        self, tables: Mapping[str, Table], options: Mapping[str, Option] = NO_OPTIONS, scope: Scope | None = None
    ) -> None:
        """Initialize with the tables and options; ``scope`` is their scope, if it exists already."""
        self.tables = tables
        self.options = options
        self.scope = table_scope(tables.values()) if scope is None else scope
        self.reported: set[str] = set()

    def name_options(self, options: Mapping[str, Option]) -> None:
        """Set the options and add their names to the scope."""
        self.options = options
        self.scope |= {name: chosen(option.choice) for name, option in options.items()}

    def names(self) -> dict[str, Any]:
        """Return what formulas read under the names of tables and options: the tables, and the set values."""
        return names_of(self.tables, self.options)


@dataclass(slots=True)
class Binder:
    """Compiler for the formulas of one procedure or kind; it reports each unknown name once."""

    namespace: Namespace
    problems: list[Problem]
    reported: set[str] = field(default_factory=set)
    names: set[str] = field(default_factory=set)
    """The names that the formulas read, without tables."""
    asks: set[str] = field(default_factory=set)
    """The ids of the procedures that the procedure asks."""

    def formula(self, text: FormulaText | None, scope: Scope, place: Place, *, number: bool = False) -> Any:
        """Compile a formula; None if there is no text. With ``number``, its result must not be yes or no.

        Adds R221 syntax, R222 not allowed, R223 unknown name, R225 unknown table, or R237 a text that a value never is.
        Then the result stands in for the formula in an entry that is not used.
        """
        if text is None:
            return None
        try:
            return self._noted(compile_formula(text, scope, number=number), place)
        except FormulaError as error:
            self._refuse(error, place)
            return Formula.constant("none", None, scope)

    def dice(self, text: FormulaText, scope: Scope, place: Place) -> Formula:
        """Compile a formula for dice, which may be written as D8 or 2D6; problems as for ``formula``."""
        dice = read_dice(text) if text not in scope.names else None
        found: Formula = self.formula(text, scope, place) if dice is None else Formula.constant(str(text), dice, scope)
        return self._noted(found, place)

    def _noted(self, formula: Formula, place: Place) -> Formula:
        """Note what a formula reads and where it is written; return it."""
        self.names |= formula.names
        formula.place = place
        return formula

    def label(self, label: str, scope: Scope, place: Place) -> str:
        """Return a label (a text with places such as ``{size}``) unchanged.

        Adds R223 for each place in it whose name is not a value in the scope, unless the name was reported before.
        """
        values = [name for name, what in scope.names.items() if what.shape == "value"]
        for match in PLACEHOLDER.finditer(label):
            if match[1] not in (*values, *self.reported):
                found, offset, expected = match[0], match.start(), "a value that is known here"
                self.problems.append(place.problem("R223", expected, found, suggest(match[1], values), offset=offset))
        return label

    def joins(
        self, joins: Mapping[str, FormulaText], scope: Scope, place: Place
    ) -> tuple[tuple[tuple[str, Formula], ...], Scope]:
        """Compile look-ups of rows, such as ``guns[gun]``, which formulas then read by name, such as ``g.cost``.

        Return the look-ups by name, and the scope with their names added. A look-up with a problem is left out;
        problems as for ``formula``.
        """
        bound = []
        for name, text in joins.items():
            try:
                row, table = compile_lookup(text, scope)
            except FormulaError as error:
                self._refuse(error, place / name)
                self.reported.add(name)  # formulas that read this name are not reported as well
                continue
            scope |= {name: Name("row", table.columns, inside=table.inside)}
            bound.append((name, self._noted(row, place / name)))
        return tuple(bound), scope

    def _refuse(self, error: FormulaError, place: Place) -> None:
        """Add the problem of a formula, unless the same unknown table, column or name was reported before."""
        once = {"table": self.namespace.reported, "form": self.namespace.reported, "unknown": self.reported}
        reported = once.get(error.kind, set())
        what = f"{error.found}, not {error.expected}" if error.kind == "form" else error.found
        if what not in reported:
            self.problems.append(_problem(error, place))
        reported.add(what)


def bind(text: FormulaText, scope: Scope, place: Place, problems: list[Problem]) -> Formula | None:
    """Compile a single formula; None with a problem as for ``Binder.formula``."""
    try:
        return compile_formula(text, scope)
    except FormulaError as error:
        problems.append(_problem(error, place))
        return None


def _problem(error: FormulaError, place: Place) -> Problem:
    found = f"the table {error.found}" if error.kind == "table" else error.found
    return place.problem(_CODES[error.kind], error.expected, found, error.hint, offset=error.offset)


def names_of(tables: Mapping[str, Table], options: Mapping[str, Option]) -> dict[str, Any]:
    """Return what formulas read under the names of tables and options: the tables, and the set values.

    Hyphens in the ids of tables are underscores. An option goes before a table of the same name.
    """
    by_name: dict[str, Any] = {identifier(table_id): table for table_id, table in tables.items()}
    return by_name | {name: option.value for name, option in options.items()}


def table_scope(tables: Iterable[Table]) -> Scope:
    """Return a scope with the names under which formulas look up the tables."""
    names = {}
    known = {table.id: table for table in tables}
    for table in known.values():
        others = [column.name for column in table.columns if column.name not in (*table.key, table.name)]
        only = others[0] if len(others) == 1 else ""
        columns = frozenset(column.name for column in table.columns)
        inside = words_of_columns(table, known)
        names[identifier(table.id)] = Name("table", columns, words_of_keys(table), only, inside=inside)
    return Scope(names)
