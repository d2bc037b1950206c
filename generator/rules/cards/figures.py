"""Compile figures of designs for cards and for sheets of a kind to formulas that read the values of a design."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from generator.rules.entries.choices import chosen
from generator.rules.entries.namespace import Binder, Namespace
from generator.rules.entries.texts import words_of_columns
from generator.rules.formulas.scope import VALUE, Name, Scope
from generator.rules.model.card import MeansColumnModel

if TYPE_CHECKING:
    from collections.abc import Mapping

    from generator.problems import Problem
    from generator.rules.entries.kinds import Kind
    from generator.rules.entries.tables import Table
    from generator.rules.formulas.compiler import Formula
    from generator.rules.model.base import FormulaText
    from generator.rules.model.card import (
        CardColumnModel,
        CardRowModel,
        CardTableModel,
        Figure,
        MeansTableModel,
        StatModel,
    )
    from generator.rules.procedures.procedure import Procedure
    from generator.rules.source.parts import Place


class Shown(NamedTuple):
    """A figure to print: a value, a die or words."""

    value: Formula | None
    die: Formula | None
    unit: str
    when: Formula | None
    text: str = ""


class Stat(NamedTuple):
    """A big figure with its label; the figure may come from a line of the kind."""

    label: str
    shown: Shown
    line: str | None
    join: tuple[tuple[str, Formula], ...]


class Column(NamedTuple):
    """A column of a table with its head."""

    head: str
    shown: Shown
    boxes: Formula | None = None
    """The number of boxes to tick that it prints instead of a figure."""
    write: bool = False
    """Whether it prints a line to write on instead of a figure."""


class Row(NamedTuple):
    """A row of a table: its head, and additional names for the formulas of its figures."""

    label: str
    let: tuple[tuple[str, Formula], ...]
    when: Formula | None
    place: Place
    unit: str = ""
    """The unit of its figures if their columns have none."""
    strong: bool = False


class Target(NamedTuple):
    """An example target: the head of its column, and its inputs for procedures."""

    head: str
    inputs: tuple[tuple[str, Formula], ...]


class Reference(NamedTuple):
    """The targets that odds are printed against."""

    says: str
    targets: tuple[Target, ...]
    place: Place
    guise: str = ""
    """The guise of designs that are such targets."""


class Odds(NamedTuple):
    """A question for each target, and the outcomes whose chances are added up."""

    procedure: Procedure
    inputs: tuple[tuple[str, Formula], ...]
    chance: tuple[str, ...]
    says: str
    at: Reference | None
    """The targets; None if they have a problem."""
    when: Formula | None


class CardTable(NamedTuple):
    """A table, or a table for each entry of a list field (``each``)."""

    id: str
    title: str
    each: str | None
    join: tuple[tuple[str, Formula], ...]
    when: Formula | None
    rows: tuple[Row, ...]
    columns: tuple[Column, ...]
    odds: Odds | None
    through: Table | None = None
    """A table of the rules; each row is repeated for every row of that table."""


class FigureReader:
    """Compiler for figures of the designs of one kind."""

    def __init__(self, kind: Kind, namespace: Namespace, problems: list[Problem]) -> None:
        """Initialize for designs of this kind; problems are added to ``problems``."""
        self.kind = kind
        self.problems = problems
        self.binder = Binder(namespace, problems)
        self.formula, self.label = self.binder.formula, self.binder.label

    def formulas(self, texts: Mapping[str, FormulaText], place: Place, scope: Scope) -> tuple[tuple[str, Formula], ...]:
        """Compile formulas by name; formulas with problems are left out."""
        compiled = ((name, self.formula(text, scope, place / name)) for name, text in texts.items())
        return tuple((name, formula) for name, formula in compiled if formula is not None)

    def inside(self, each: str | None) -> Scope:
        """Return the scope for one entry of the list field ``each``."""
        field = self.kind.field(each) if each is not None else None
        inner = field.fields if field is not None else ()
        return self.kind.scope | {field.name: chosen(field.choice) if field.choice else VALUE for field in inner}

    def shown(self, model: Figure, scope: Scope, place: Place, **others: object) -> Shown:
        """Compile a figure. Adds R224 unless it has exactly one way to show a value (``show``, ``die``, ``others``)."""
        forms = {"show": model.show, "die": model.die, **others}
        if sum(form is not None for form in forms.values()) != 1:
            *most, last = forms
            expected = f"one of {', '.join(most)} and {last}"
            self.problems.append(place.problem("R224", found="several or none", expected=expected))
        return Shown(
            self.formula(model.show, scope, place / "show"),
            self.formula(model.die, scope, place / "die"),
            model.unit,
            self.formula(model.when, scope, place / "when"),
        )

    def stat(self, model: StatModel, place: Place) -> Stat:
        """Compile a big figure."""
        join, scope = self.binder.joins(model.join, self.kind.scope, place / "join")
        label = self.label(model.label, scope, place / "label")
        return Stat(label, self.shown(model, scope, place, line=model.line), model.line, join)

    def table(self, model: CardTableModel | MeansTableModel, place: Place) -> tuple[CardTable, Scope]:
        """Compile a table without its odds; return it with the scope for the odds."""
        join, outer = self.binder.joins(model.join, self.inside(model.each), place / "join")
        through, scope = self.through(getattr(model, "through", None), outer)
        rows, inner = [], scope
        for index, row in enumerate(model.rows):
            rows.append(self.row(row, scope, place / "rows" / index))
            inner |= dict.fromkeys(row.let, VALUE)
        columns = tuple(self.column(item, inner, place / "columns" / i) for i, item in enumerate(model.columns))
        title = self.label(model.title, outer, place / "title")
        when = self.formula(model.when, outer, place / "when")
        return CardTable(model.table, title, model.each, join, when, tuple(rows), columns, None, through), inner

    def through(self, table_id: str | None, scope: Scope) -> tuple[Table | None, Scope]:
        """Return the table of this id, and the scope with its columns added; without an id, None and the scope."""
        if table_id is None:
            return None, scope
        table = self.binder.namespace.table(table_id)
        words = words_of_columns(table, self.binder.namespace.tables)
        return table, scope | {column.name: Name(words=words.get(column.name)) for column in table.columns}

    def row(self, model: CardRowModel, scope: Scope, place: Place) -> Row:
        """Compile a row with the additional names for its columns."""
        let, scope = self.lets(model.let, scope, place / "let")
        label = self.label(model.label, scope, place / "label")
        when = self.formula(model.when, scope, place / "when")
        return Row(label, let, when, place, getattr(model, "unit", ""), getattr(model, "strong", False))

    def lets(
        self, texts: Mapping[str, FormulaText], scope: Scope, place: Place
    ) -> tuple[tuple[tuple[str, Formula], ...], Scope]:
        """Compile named formulas; return them, and the scope with their names. Each can read the names before it."""
        let = []
        for name, text in texts.items():
            formula = self.formula(text, scope, place / name)
            scope |= {name: VALUE}
            if formula is not None:
                let.append((name, formula))
        return tuple(let), scope

    def column(self, model: CardColumnModel, scope: Scope, place: Place) -> Column:
        """Compile a column. On a sheet it may also be boxes, or a line to write on."""
        if not isinstance(model, MeansColumnModel):
            text = "" if model.text is None else self.label(model.text, scope, place / "text")
            return Column(model.head, self.shown(model, scope, place, text=model.text)._replace(text=text))
        shown = self.shown(model, scope, place, boxes=model.boxes, write=model.write or None)
        return Column(model.head, shown, self.formula(model.boxes, scope, place / "boxes"), model.write)
