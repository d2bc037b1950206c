"""Compile formulas of rule data, and entries whose keys are formulas, labels or such entries."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, TypeAlias

from generator.problems import Problem, suggest
from generator.rules.entries.choices import Option, words_of_columns, words_of_keys
from generator.rules.entries.dice import read_dice
from generator.rules.formulas.compiler import Formula, compile_formula, compile_lookup
from generator.rules.formulas.errors import FormulaError
from generator.rules.formulas.scope import VALUE, FormulaText, Name, Role, Scope, identifier
from generator.rules.model.base import Model, markers

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from generator.rules.entries.tables import Table
    from generator.rules.source.parts import CitationResolver, Place
    from generator.rules.source.validation import ReferenceChecker


PLACEHOLDER = re.compile(r"\{([^{}]*)\}")
"""A place in a label that a value fills, such as ``{size}``."""
_CODES = {"syntax": "R221", "forbidden": "R222", "table": "R225", "word": "R237"}
_CODES |= dict.fromkeys(("name", "unknown", "form"), "R223")


@dataclass(slots=True)
class Namespace:
    """The tables and options that formulas and choices may name while a rule set is read."""

    tables: Mapping[str, Table]
    options: Mapping[str, Option]
    scope: Scope
    """The names of the tables and options."""
    problems: list[Problem]
    reported: set[str] = field(default_factory=set)
    """Missing tables and columns: each is reported once, even if many formulas name it."""

    def names(self) -> dict[str, Any]:
        """Return what formulas read under the names of tables and options: the tables, and the set values.

        Hyphens in the ids of tables are underscores. An option goes before a table of the same name.
        """
        by_name: dict[str, Any] = {identifier(table_id): table for table_id, table in self.tables.items()}
        return by_name | values_of_options(self.options)


@dataclass(slots=True, kw_only=True)
class Reading(Namespace):
    """The namespace of a rule set that is being read, with the checkers of its citations and references."""

    resolvers: Mapping[str, CitationResolver]
    references: ReferenceChecker


def values_of_options(options: Mapping[str, Option]) -> dict[str, Any]:
    """Return the set value of each option by name, as formulas read it."""
    return {name: option.value for name, option in options.items()}


def bind(text: FormulaText, scope: Scope, place: Place, problems: list[Problem]) -> Formula | None:
    """Compile a formula that belongs to no entry. The formula keeps no place; ``place`` is only for its problem.

    Returns None if it has a problem, which is added: R221 to R223, R225 or R237 as for ``Compiler.formula``.
    """
    try:
        return compile_formula(text, scope)
    except FormulaError as error:
        problems.append(_problem(error, place))
        return None


def _problem(error: FormulaError, place: Place) -> Problem:
    found = f"the table {error.found}" if error.kind == "table" else error.found
    return place.problem(_CODES[error.kind], error.expected, found, error.hint, offset=error.offset)


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


Named: TypeAlias = "tuple[tuple[str, Formula], ...]"
"""Formulas with their names, in order."""


class Compiled:
    """An entry of rule data with its formulas compiled.

    Its attributes are those of its model. A formula is a ``Formula``, a mapping of formulas is a tuple of pairs, and
    ``through`` is the table. ``place`` is the place of the entry.
    """

    def __init__(self, place: Place, values: Mapping[str, Any]) -> None:
        """Initialize with the compiled values by attribute."""
        self.place = place
        self.__dict__.update(values)

    def replaced(self, **values: Any) -> Compiled:
        """Return a copy of the entry with other values of some attributes; new attributes may be added."""
        return Compiled(self.place, {**self.__dict__, **values})

    if TYPE_CHECKING:

        def __getattr__(self, name: str) -> Any: ...


_SCOPED = ("each", "for_n", "join")
"""Keys that add names for all other keys of an entry; they are compiled first."""


@dataclass(slots=True)
class Compiler:
    """Compiler for the formulas and entries of one procedure, kind or card.

    It reports each name that is unknown in formulas once.
    """

    namespace: Namespace
    reported: set[str] = field(default_factory=set)
    names: set[str] = field(default_factory=set)
    """The names that the formulas read, without tables."""
    asks: set[str] = field(default_factory=set)
    """The ids of the procedures that the procedure asks."""

    @property
    def problems(self) -> list[Problem]:
        """The problems of the namespace: of everything read so far, not only of this compiler."""
        return self.namespace.problems

    def formula(self, text: FormulaText | None, scope: Scope, place: Place, *, number: bool = False) -> Any:
        """Compile a formula; None if there is no text.

        With ``number``, a formula is not allowed (R222) if it is a text or its result is known to be yes or no.

        Adds R221 syntax, R222 not allowed, R223 unknown name, R225 unknown table, or R237 a text that a value never is.
        An unknown name, column or table, or a wrong number of keys, is not reported again if it was reported before.
        After an error, the result is a formula that always gives None. The formula gets its place, and the names
        that it reads are added to ``names``.
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
        """Set the place of a formula, and add the names that it reads to ``names``; return the formula."""
        self.names |= formula.names
        formula.place = place
        return formula

    def label(self, label: str, scope: Scope, place: Place) -> str:
        """Return a label unchanged: a text with placeholders such as ``{size}``, which values fill.

        Adds R223 for each placeholder whose name is not a value in the scope, unless a formula or a look-up has already
        reported the name.
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
        """Compile look-ups of rows by name: if ``g`` is ``guns[gun]``, formulas then read ``g.cost``.

        Return the look-ups by name, and the scope with their names added. A look-up with a problem is left out, and
        formulas that read its name are not reported. Problems as for ``formula``. ``place`` is that of all ``joins``.
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
        """Add the problem of a formula, unless the same unknown table, column or name was reported before.

        The same wrong number of keys of one table is also reported once.
        """
        once = {"table": self.namespace.reported, "form": self.namespace.reported, "unknown": self.reported}
        reported = once.get(error.kind, set())
        what = f"{error.found}, not {error.expected}" if error.kind == "form" else error.found
        if what not in reported:
            self.problems.append(_problem(error, place))
        reported.add(what)

    def entry(self, model: Model, place: Place, scope: Scope) -> Compiled:
        """Return an entry, such as a line or a card, with its formulas compiled. Adds problems as ``value`` does.

        Its formulas and labels can read the names of ``scope``, and names that keys compiled before them add. ``each``,
        ``for_n`` and ``join`` come first, in this order, then the other keys in the order of the model. ``through``,
        ``let`` and ``rows`` also add names.
        """
        values: dict[str, Any] = {name: getattr(model, name, None) for name in _SCOPED}
        scope = self._inside(values["each"], scope)
        if values["for_n"] is not None:
            values["for_n"] = self.value(Role("formula"), values["for_n"], place / "for_n", scope)
            scope |= {"n": VALUE}
        values["join"], scope = self.joins(values["join"] or {}, scope, place / "join")
        for name, key, role in markers(type(model), Role):
            value = getattr(model, name)
            if name == "through":
                values[name], scope = self._through(value, scope)
            elif name == "let":
                values[name], scope = self.lets(value, scope, place / key)
            elif name not in _SCOPED:
                values[name] = self.value(role, value, place / key, scope)
                if name == "rows":  # the columns and odds beside them can read what rows name
                    scope |= dict.fromkeys((inner for row in value for inner in row.let), VALUE)
        return Compiled(place, values)

    def value(self, role: Any, value: Any, place: Place, scope: Scope) -> Any:
        """Compile the value of a key: a formula, a label, a model, a mapping of formulas, or a list of these.

        ``role`` is the marker of the key as in ``markers``: a Role, a pair for a mapping, or None. Models become
        entries, and a mapping becomes pairs of name and formula. None, and other values without a role, are returned as
        they are.

        Adds problems as ``formula`` and ``label`` do, and R203 for a possible result that is not a word of the role.
        """
        if isinstance(value, Model):
            return self.entry(value, place, scope)
        if isinstance(value, tuple):
            return tuple(self.value(role, item, place / index, scope) for index, item in enumerate(value))
        if role is None or value is None:
            return value
        if isinstance(value, dict):
            return tuple((name, self.formula(text, scope, place / name)) for name, text in value.items())
        if role.name == "label":
            return self.label(value, scope, place)
        formula: Formula = self.formula(value, scope, place, number=role.name == "number")
        for found in sorted(scope.texts_of(formula.tree()) - {*role.words}) if role.words else ():
            expected = f"one of {', '.join(role.words)}"
            self.problems.append(place.problem("R203", expected, found, suggest(found, role.words)))
        return formula

    def _inside(self, each: str | None, scope: Scope) -> Scope:
        """Return the scope with the fields of the list field ``each`` as single values, or the same scope for None."""
        if each is None:
            return scope
        listed = scope.names[each]
        words = {name: item._replace(listed=False) for name, item in listed.inside.items()}
        return scope | {name: Name(words=words.get(name)) for name in listed.columns}

    def _through(self, table_id: str | None, scope: Scope) -> tuple[Table | None, Scope]:
        """Return the table of this id, and the scope with its columns added; without an id, None and the scope.

        The table must exist.
        """
        if table_id is None:
            return None, scope
        table = self.namespace.tables[table_id]
        words = words_of_columns(table, self.namespace.tables)
        return table, scope | {column.name: Name(words=words.get(column.name)) for column in table.columns}

    def lets(self, texts: Mapping[str, FormulaText], scope: Scope, place: Place) -> tuple[Named, Scope]:
        """Compile named formulas; each can read the names before it. Adds problems as ``formula`` does.

        Return the formulas with their names, and the scope with these names added.
        """
        let = []
        for name, text in texts.items():
            let.append((name, self.formula(text, scope, place / name)))
            scope |= {name: VALUE}
        return tuple(let), scope
