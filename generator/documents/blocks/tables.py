"""Tables of the rule set as blocks."""

from __future__ import annotations

import re
import tomllib
from dataclasses import replace
from typing import TYPE_CHECKING, Annotated, Any, Self

from pydantic import Field

from generator.documents.blocks.composition import Composition
from generator.documents.words import NOTHING, cell_text
from generator.problems import suggest
from generator.render.blocks import Align, Cell, Column, Section, Table
from generator.render.drawing import pictograms
from generator.resources import templates
from generator.rules.describe.browse import spell
from generator.rules.entries import tables as data
from generator.rules.entries.compiled import bind, values_of_options
from generator.rules.formulas.scope import VALUE, FormulaText, Scope
from generator.rules.model.base import Block, Entry, Model, Name, Ref, Seq, TableId, Thinned

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from generator.documents.blocks.composition import InPlay
    from generator.rules.check.ruleset import BlockChecker
    from generator.rules.ruleset import RuleSet
    from generator.rules.source.parts import Provenance

FIGURE_SPACE, POINT_SPACE = "\N{FIGURE SPACE}", "\N{NARROW NO-BREAK SPACE}"
_SEVERAL = re.compile(r"\d+(/\d+)*")
_HALF = re.compile(r"\b0?\.5$")
_FIGURE = re.compile(r"(?P<whole>[+−]?\d*)(?P<rest>\.\d+|½)?")
_OPEN = ("gap", "yours")
"""Statuses of rows that may have a missing figure."""
_CENTRED = ("die", "int", "number", "span", "target", "yes_no")


class RowsBlock(Thinned):
    """A block with an entry for each row of the table that its keyword names."""

    def key_of(self, table: data.Table) -> str:
        """Return the name of the column whose values name the entries: the table's first key."""
        return table.key[0]

    def entries(self, rules: RuleSet) -> list[str] | None:
        """Return the text of each row in the column ``key_of``; None if there is no such table.

        A block may leave rows out by these texts.
        """
        table = rules.tables.get(getattr(self, self.keyword))
        return None if table is None else [str(row.values.get(self.key_of(table))) for row in table.rows]

    def in_play(self, rules: RuleSet, play: InPlay) -> Self | None:
        """Return the block without the entries whose rows are all about things not in play; None if none is left.

        An entry stands for all rows with the same value in the column ``key_of``. Rows for which the block's ``where``,
        if it has one, does not hold do not count. The table must exist. Raises FormulaUseError as ``rows_where`` does.
        """
        table = rules.tables[getattr(self, self.keyword)]
        key = self.key_of(table)
        every = {str(row[key]) for row in table.rows}
        rows = rows_where(Composition(rules, table.place, []), table, getattr(self, "where", None))
        there = {str(row[key]) for row in rows if play.has_row(table, row)} if play.has(table.concerns) else set()
        left_out = (*self.without, *sorted(every - there))
        return self.model_copy(update={"without": left_out}) if there.difference(self.without) else None


class TableBlock(RowsBlock):
    """A table of the rule set: all columns, or the named columns in their given order."""

    keyword = "table"

    table: TableId
    """The table."""
    columns: Seq[Annotated[Name, Ref("column", of="table")]] = ()
    """Only these columns, in this order."""
    where: FormulaText | None = None
    """Only the rows for which this holds (the row's columns are its names)."""
    notes: bool = True
    """Whether the rows' marks and notes are printed."""
    blank: Annotated[int, Field(ge=0, le=20)] = 0
    """Number of empty rows at the end, for the players to write in."""
    caption: str = ""
    """A title over the table, where a bar has several; else none is printed."""
    tints: dict[str, Annotated[int, Field(ge=0, le=5)]] = Field(default_factory=dict)
    """The tint of cells with exactly one of these texts: 0 is white, 5 the darkest."""
    pictures: dict[Entry, str] = Field(default_factory=dict)
    """The pictogram of rows, by their first key, printed before its first text."""
    shown_as: Name | None = None
    """The column of the listing table that is printed for a word, such as its tokens."""

    def in_play(self, rules: RuleSet, play: InPlay) -> Self | None:
        """Return the block without the entries and columns about things that no force has.

        An entry is all rows with the same first key. Return None if no entry is left for which ``where`` holds, or if
        columns are left out and only keys and names remain. Raises FormulaUseError as ``rows_where`` does.
        """
        table = rules.tables[self.table]
        block = super().in_play(rules, play)
        shown = shown_columns(table, self.columns)
        columns = tuple(column.name for column in shown if play.has(column.concerns))
        bare = len(columns) < len(shown) and {*columns} <= {*table.key, table.name}
        return None if block is None or bare else block.model_copy(update={"columns": columns})

    def check(self, checker: BlockChecker) -> None:
        """Report R221 to R223, R225, R237 or R241 for errors in ``where``, and R238 (advice) if it holds for no row.

        Report R203 for an unknown pictogram.
        """
        checker.where(self.table, self.where, checker.place)
        for key, name in self.pictures.items():
            if name not in pictograms():
                hint = suggest(name, pictograms())
                checker.refuse("R203", name, "a pictogram", "pictures", key, hint=f"write {hint}" if hint else "")

    def compose(self, context: Composition) -> Table:
        """Return the table with the columns that ``shown_columns`` returns. Values are printed by ``printed_cell``.

        Rows for which ``where`` does not hold and rows under ``without`` are left out. Empty rows follow, as many as
        ``blank`` says. If ``where`` cannot be compiled, its problem is added, and it leaves no row out. Raises
        FormulaUseError as ``rows_where`` does.
        """
        rules = context.ruleset
        table = rules.tables[self.table]
        columns = shown_columns(table, self.columns)
        rows = [row for row in rows_where(context, table, self.where) if str(row[table.key[0]]) not in self.without]
        marks = Marks()
        printed = []
        by_column = [
            _aligned(column, [printed_cell(rules, column, row, self.shown_as) for row in rows]) for column in columns
        ]
        for row, texts in zip(rows, zip(*by_column, strict=True), strict=True):
            # Players' own figures are always marked, at the figure itself.
            mark = marks.mark(row.provenance) if self.notes or row.answered else ""
            mark = _number(context, row) or mark
            places = [index for index, column in enumerate(columns) if column.name in row.answered]
            # The mark of a gap stands at the missing figure, any other mark at the end of the row.
            places = places or [texts.index("") if row.provenance.status == "gap" and "" in texts else len(texts) - 1]
            lacks = row.provenance.status in _OPEN
            cells = [_cell(text, mark if i in places else "", lacks) for i, text in enumerate(texts)]
            cells = [replace(cell, tint=self.tints.get(text, 0)) for cell, text in zip(cells, texts, strict=True)]
            picture = self.pictures.get(str(row[table.key[0]]), "")
            printed.append((replace(cells[0], picture=picture), *cells[1:]))
        printed += [tuple(Cell("", blank=True) for _ in columns)] * self.blank
        heads = tuple(
            Column(column.label, align=_align(column, [row[column.name] for row in rows]), unit=column.unit)
            for column in columns
        )
        title = self.caption or table.title
        return Table(
            heads, tuple(printed), title, show_caption=bool(self.caption), note=marks.note(), dense=bool(self.tints)
        )


class AcrossRow(Model):
    """A row of an across-table: a table's column laid along the shared key."""

    table: TableId
    """The table."""
    column: Annotated[Name, Ref("column", of="table")]
    """The column that is laid along the key."""
    label: str
    """The row’s head."""


class AcrossBlock(Block):
    """Several tables with the same key, with the key along the top."""

    keyword = "across"

    across: Annotated[Seq[AcrossRow], Field(min_length=1)]
    """The rows, from the top."""
    head: str
    """The head of the shared key."""
    keys: Seq[Annotated[str | int, Ref("key across")]] = ()
    """Only these keys, in this order."""
    named: Name | None = None
    """The column of the first table with the printed names of the keys, else its usual names."""
    shown_as: Name | None = None
    """The column of the listing table that is printed for a word, such as its tokens."""
    caption: str = ""
    """A title over the table, where a bar has several; else none is printed."""

    def check(self, checker: BlockChecker) -> None:
        """Report R225 for a table with several keys."""
        for index, row in enumerate(self.across):
            keys = checker.ruleset.tables[row.table].key
            if len(keys) > 1:
                found = f"the table {row.table} with {len(keys)} keys"
                checker.refuse("R225", found, "a table with one key", "across", index, "table")

    def compose(self, context: Composition) -> Table:
        """Return a table with the shared key along the top and a row for each entry of ``across``.

        A key that a table does not have gets a dash. Without ``keys``, the keys are those of the first table.
        """
        rules = context.ruleset
        first = rules.tables[self.across[0].table]
        keys = self.keys or tuple(row[first.key[0]] for row in first.rows)
        rows, marks = [], Marks()
        for across_row in self.across:
            table = rules.tables[across_row.table]
            column = table.column(across_row.column)
            by_key = {row[table.key[0]]: row for row in table.rows}
            cells = (_single(context, column, by_key.get(key), marks, self.shown_as) for key in keys)
            rows.append((Cell(across_row.label), *cells))
        shown = first.column(self.named or first.name or first.key[0])
        said = {row[first.key[0]]: printed_cell(rules, shown, row) for row in first.rows}
        heads = (Column(self.head), *(Column(said.get(key, str(key)), align="centre") for key in keys))
        title = self.caption or f"{self.head}: {', '.join(across_row.label for across_row in self.across)}"
        return Table(heads, tuple(rows), title, note=marks.note(), show_caption=bool(self.caption))


PivotColumn = Annotated[Name, Ref("column", of="pivot")]


class PivotBlock(RowsBlock):
    """A table with two or more keys as a grid: one key down the side, the others along the top."""

    keyword = "pivot"

    pivot: TableId
    """The table."""
    rows: PivotColumn
    """The key column that goes down the side."""
    columns: Annotated[Seq[PivotColumn], Field(min_length=1)]
    """The key columns that go along the top."""
    column: PivotColumn
    """The column whose values fill the grid."""
    where: FormulaText | None = None
    """Only the rows for which this holds (the row's columns are its names)."""
    names: dict[str, str] = Field(default_factory=dict)
    """Printed names of keys; those of several keys are joined by a comma: "armour, no"."""
    head: str = ""
    """The head of the column of row names, else the label of that key."""
    caption: str = ""
    """A title over the table, where a bar has several; else none is printed."""

    def key_of(self, table: data.Table) -> str:
        """Return the name of the key column at the side, whose values name the entries."""
        del table
        return self.rows

    def check(self, checker: BlockChecker) -> None:
        """Report R207 for the first two rows that fall into one cell; check ``where`` as a ``TableBlock`` does."""
        table = checker.ruleset.tables[self.pivot]
        first: dict[tuple[str, ...], data.Row] = {}
        for row in checker.where(self.pivot, self.where, checker.place):
            cell = tuple(spell(table, row, name) for name in (self.rows, *self.columns))
            if first.setdefault(cell, row) is not row:
                left = [name for name in table.key if name not in (self.rows, *self.columns)]
                found = f"two rows of the table {table.id} for the cell {', '.join(cell)}"
                hint = f"name the key column {' and '.join(left)} in rows, columns or where" if left else ""
                checker.refuse("R207", found, "one row for each cell", "pivot", hint=hint)
                return

    def compose(self, context: Composition) -> Table:
        """Return ``column`` as a grid: the key ``rows`` down the side, the keys ``columns`` along the top.

        Rows are left out if ``where`` excludes them or if ``without`` has their key ``rows``. A combination without a
        row has a dash. Adds problems and raises FormulaUseError as ``rows_where`` does.
        """
        rules = context.ruleset
        table = rules.tables[self.pivot]
        rows = [row for row in rows_where(context, table, self.where) if str(row[self.rows]) not in self.without]
        cells = {
            (_said(table, row, self.rows), ", ".join(_said(table, row, key) for key in self.columns)): row
            for row in rows
        }
        down = list(dict.fromkeys(side for side, _ in cells))
        along = list(dict.fromkeys(top for _, top in cells))
        filling, marks = table.column(self.column), Marks()
        printed = [
            (
                Cell(self.names.get(side, side)),
                *(_single(context, filling, cells.get((side, top)), marks) for top in along),
            )
            for side in down
        ]
        head = self.head or table.column(self.rows).label
        heads = (Column(head), *(Column(self.names.get(top, top), align="centre") for top in along))
        title = self.caption or table.title
        return Table(heads, tuple(printed), title, note=marks.note(), show_caption=bool(self.caption))


_TABLES: dict[str, dict[str, Any]] = tomllib.loads((templates() / "tables.toml").read_text(encoding="utf-8"))


def table_of(name: str, rows: Iterable[Sequence[Cell | str | None]], **setting: Any) -> Table:
    """Return a table by its name in ``tables.toml``, without the columns in which every row has None or no cell.

    A row may be shorter than the heads. A text becomes a cell, and None an empty cell. Without rows, all columns are
    kept. ``setting`` are further fields of the table, as in ``Table``, or ``heads`` as in ``tables.toml``; they replace
    those of the file.
    """
    fields = {"dense": True, **_TABLES[name], **setting}
    fields.pop("title", None)
    heads, listed = fields.pop("heads"), [*rows]
    shown = [i for i in range(len(heads)) if not listed or any(i < len(row) and row[i] is not None for row in listed)]
    picked = ([row[i] for i in shown if i < len(row)] for row in listed)
    cells = (tuple(item if isinstance(item, Cell) else Cell(item or "") for item in row) for row in picked)
    return Table(tuple(Column(*heads[i]) for i in shown), tuple(cells), **fields)


def listing(
    name: str, rows: Iterable[Sequence[Cell | str | None]], aside: str = "", *, title: str | None = None, **setting: Any
) -> Section | None:
    """Return a section with a table by its name in ``tables.toml``; None without rows.

    ``aside`` is the text beside the title of the section. The title is that of ``tables.toml`` if none is given. None
    in a row is an empty cell, but a column with only None is left out. ``setting`` are further fields of the table, as
    for :func:`table_of`.
    """
    table = table_of(name, rows, **setting)
    return Section(_TABLES[name].get("title", "") if title is None else title, (table,), aside) if table.rows else None


def _number(context: Composition, row: data.Row) -> str:
    """Return the number of a row's ruling in the list of readings; empty if the context has no number for it."""
    is_ruled = row.provenance.status == "ruled"
    return (context.numbers or {}).get(id(row.provenance), "") if is_ruled else ""


def _cell(text: str, mark: str, lacks: bool) -> Cell:  # noqa: FBT001  of its row
    """Return a cell with a text and the letter or number of its note.

    An empty text gives a line to write on if the row ``lacks`` its figure, or else a dash.
    """
    return Cell(text or ("" if lacks else NOTHING), mark=mark, blank=lacks and not text)


def rows_where(context: Composition, table: data.Table, where: FormulaText | None) -> tuple[data.Row, ...]:
    """Return the rows for which the formula ``where`` holds; all rows without a formula.

    The formula may use columns and options. If it cannot be compiled, its problem is added and all rows are returned.
    Raises FormulaUseError if the formula has no answer for a row.
    """
    if where is None:
        return table.rows
    options = values_of_options(context.ruleset.options)
    scope = Scope(dict.fromkeys((*options, *(column.name for column in table.columns)), VALUE))
    formula = bind(where, scope, context.place / "where", context.problems)
    return tuple(row for row in table.rows if formula is None or formula.holds({**options, **row.values}))


def _aligned(column: data.Column, texts: list[str]) -> list[str]:
    """Return the texts of a number column padded so that their digits line up.

    A half is ½, unless a figure has other decimals. Other columns are returned unchanged.
    """
    if column.type not in ("int", "number"):
        return texts
    if not any("." in text and not text.endswith(".5") for text in texts):
        texts = [_HALF.sub("½", text) for text in texts]
    figures = [_FIGURE.fullmatch(text) if text else None for text in texts]
    parts = [(figure["whole"], figure["rest"] or "") if figure else None for figure in figures]
    before = max((len(part[0]) for part in parts if part), default=0)
    behind = max((_breadth(part[1]) for part in parts if part), default=0)
    return [text if part is None else _filled(*part, before, behind) for text, part in zip(texts, parts, strict=True)]


def _breadth(rest: str) -> int:
    """Return the width, in digits, of what follows the whole number of a figure: a point counts as 1, and ½ as 2."""
    return 2 if rest == "½" else len(rest)


def _filled(whole: str, rest: str, before: int, behind: int) -> str:
    """Return a figure in two parts, ``whole`` and ``rest``, padded with spaces in front and behind.

    ``whole`` gets the width of ``before`` digits, where a sign counts as a digit. ``rest`` gets the ``_breadth``
    ``behind``.
    """
    room = FIGURE_SPACE * (behind - max(_breadth(rest), 1)) + (POINT_SPACE if behind and not rest else "")
    return FIGURE_SPACE * (before - len(whole)) + whole + rest + room


def printed_cell(ruleset: RuleSet, column: data.Column, row: data.Row, shown_as: str | None = None) -> str:
    """Return a row's value for print. A word is printed by its name in the table that lists the word.

    ``shown_as`` is another column of the listing table to print instead of the name, if the table has that column. A
    missing value is a dash, or "" for a cell to fill in if the row is a gap or was filled by players.
    """
    if row[column.name] is None and row.provenance.status in _OPEN:
        return ""
    names = data.listed_names(ruleset.tables, column.listed, printed=True)
    for table_id in column.listed:
        listing = ruleset.tables[table_id]
        for shown in (item for item in listing.columns if item.name == shown_as):
            names |= {item[listing.key[0]]: cell_text(item[shown.name], shown) for item in listing.rows}
    return cell_text(row[column.name], column, names or None)


def shown_columns(table: data.Table, names: Sequence[str] = ()) -> tuple[data.Column, ...]:
    """Return the named columns, in the order of ``names``.

    Without names, return all columns except ``outcome``, and except the first key if the table has printed names.
    """
    if names:
        return tuple(table.column(name) for name in names)
    hidden = {"outcome"} | ({table.key[0]} if table.name else set())
    return tuple(column for column in table.columns if column.name not in hidden)


def _align(column: data.Column, values: Sequence[object]) -> Align:
    """Return the alignment of a column: centred for figures and for yes and no; left for other words.

    A column of texts is centred, too, if each value is a whole number, or several with slashes between them. Missing
    values do not count, but one value must be there.
    """
    several = column.type == "text" and all(value is None or _SEVERAL.fullmatch(str(value)) for value in values)
    return "centre" if column.type in _CENTRED or (several and any(values)) else "left"


def _single(
    context: Composition, column: data.Column, row: data.Row | None, marks: Marks, shown_as: str | None = None
) -> Cell:
    """Return a cell with a row's figure in a column; a dash without a row.

    Its mark is the letter of the row's note if the players filled in the figure, and the note is then kept in
    ``marks``. Else it is the number of a ruling, if there is one. ``shown_as`` is as for ``printed_cell``.
    """
    if row is None:
        return Cell(NOTHING)
    mark = marks.mark(row.provenance) if column.name in row.answered else _number(context, row)
    return _cell(printed_cell(context.ruleset, column, row, shown_as), mark, row.provenance.status in _OPEN)


def _said(table: data.Table, row: data.Row, key: str) -> str:
    return cell_text(row[key], table.column(key))


_LETTERS = "abcdefghijklmnopqrstuvwxyz"


class Marks(dict[str, str]):
    """The footnote letters of one table, by status and note: rows with the same status and note share a letter."""

    def mark(self, provenance: Provenance) -> str:
        """Return the letter of a row that is a ruling, an erratum, a gap or a player's figure; keep status and note.

        Rows with the same status and note share a letter. The letter is empty, and nothing is kept, for a printed or
        read row and for a row without a note. After z come aa, bb and so on.
        """
        if provenance.status in ("plain", "read") or not provenance.note:
            return ""
        note = f"{provenance.status.capitalize()}: {provenance.note}"
        again, index = divmod(len(self), len(_LETTERS))
        return self.setdefault(note, _LETTERS[index] * (again + 1))

    def note(self) -> str:
        """Return all notes in one line, each after its letter and status; empty without notes."""
        return " ".join(f"**{letter}** {note}" for note, letter in self.items())
