"""Tables of the rule set as blocks."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from generator.documents.blocks.footnotes import Marks
from generator.documents.words import NOTHING, cell_text
from generator.render.blocks import Align, Cell, Column, Table
from generator.rules.entries.namespace import bind, names_of
from generator.rules.entries.tables import listed_names
from generator.rules.formulas.scope import VALUE, Scope

if TYPE_CHECKING:
    from collections.abc import Sequence

    from generator.problems import Problem
    from generator.rules.entries.tables import Column as DataColumn
    from generator.rules.entries.tables import Row as DataRow
    from generator.rules.entries.tables import Table as DataTable
    from generator.rules.model.base import FormulaText
    from generator.rules.model.table_blocks import AcrossBlock, PivotBlock, TableBlock
    from generator.rules.ruleset import RuleSet
    from generator.rules.source.parts import Place

FIGURE_SPACE, POINT_SPACE = "\N{FIGURE SPACE}", "\N{NARROW NO-BREAK SPACE}"
DAGGER = "†"
"""Stands at what a layer changed."""
_SEVERAL = re.compile(r"\d+(/\d+)*")
_FIGURE = re.compile(r"(?P<whole>[+−]?\d*)(?P<rest>\.\d+|½)?")
_OPEN = ("gap", "yours")
"""Statuses of rows that may have a figure missing."""
_CENTRED = ("die", "int", "number", "span", "target", "yes_no")


def table_block(ruleset: RuleSet, block: TableBlock, place: Place, problems: list[Problem]) -> Table:
    """A table with all its columns, or those named; the key's short words give way to the printed names."""
    table = ruleset.tables[block.table]
    columns = shown_columns(table, block.columns)
    rows = [
        row
        for row in _where(ruleset, table, block.where, place, problems)
        if str(row[table.key[0]]) not in block.without
    ]
    marks = Marks()
    printed = []
    by_column = [_aligned(column, [printed_cell(ruleset, column, row) for row in rows]) for column in columns]
    for row, texts in zip(rows, zip(*by_column, strict=True), strict=True):
        # What is the players' own is marked whatever the sheet says, and where it stands.
        mark = marks.mark(row.birth) if block.notes or row.answered else ""
        places = [index for index, column in enumerate(columns) if column.name in row.answered]
        # A gap's mark stands where the figure lacks, any other at the end of the row.
        places = places or [texts.index("") if row.birth.status == "gap" and "" in texts else len(texts) - 1]
        lacks = row.birth.status in _OPEN
        changed = {str(one.key) for one in row.changes if one.layer} if block.changed else set()
        daggers = [DAGGER if column.name in changed else "" for column in columns]
        printed.append(
            tuple(
                _cell(text, (mark if i in places else "") + daggers[i], lacks, strong=text in block.heavy)
                for i, text in enumerate(texts)
            )
        )
    printed += [tuple(Cell("", blank=True) for _ in columns)] * block.blank
    heads = tuple(
        Column(column.label, align=_align(column, [row[column.name] for row in rows]), unit=column.unit)
        for column in columns
    )
    title = block.caption or table.title
    return Table(
        heads, tuple(printed), title, show_caption=bool(block.caption), note=marks.note(), breakable=block.long
    )


def _cell(text: str, mark: str, lacks: bool, *, strong: bool = False) -> Cell:  # noqa: FBT001  of its row
    """A cell; where there is nothing to print, a line to write on if it ``lacks``, else a dash."""
    return Cell(text or ("" if lacks else NOTHING), strong=strong, mark=mark, blank=lacks and not text)


def _where(
    ruleset: RuleSet, table: DataTable, where: FormulaText | None, place: Place, problems: list[Problem]
) -> tuple[DataRow, ...]:
    """The rows for which a formula over their columns and the options holds; without one, all."""
    if where is None:
        return table.rows
    options = names_of({}, ruleset.options)
    scope = Scope(dict.fromkeys((*options, *(column.name for column in table.columns)), VALUE))
    formula = bind(where, scope, place / "where", problems)
    return tuple(row for row in table.rows if formula is None or formula.holds({**options, **row.values}))


def _aligned(column: DataColumn, texts: list[str]) -> list[str]:
    """Figures of one column at equal length, filled up with spaces as wide as a figure: unit stands under unit."""
    if column.type not in ("int", "number"):
        return texts
    texts = _halves(texts)
    parts = [_FIGURE.fullmatch(text) if text else None for text in texts]
    before = max((len(one["whole"]) for one in parts if one), default=0)
    behind = max((_breadth(one["rest"]) for one in parts if one), default=0)
    return [text if one is None else _filled(one["whole"], one["rest"] or "", before, behind)
            for text, one in zip(texts, parts, strict=True)]  # fmt: skip


def _halves(texts: list[str]) -> list[str]:
    """Figures with a sign for a half, where no finer fraction stands among them.

    >>> _halves(["0.5", "1", "2.5", ""]), _halves(["0.5", "0.3"])
    (['½', '1', '2½', ''], ['0.5', '0.3'])
    """
    if any("." in text and not text.endswith(".5") for text in texts):
        return texts
    return [text.replace("0.5", "½") if text in ("0.5", "−0.5") else text.replace(".5", "½") for text in texts]


def _breadth(rest: str | None) -> int:
    """How many figures wide it is what stands behind the whole number."""
    return 2 if rest == "½" else len(rest or "")


def _filled(whole: str, rest: str, before: int, behind: int) -> str:
    """A figure with so many signs before and behind its point."""
    room = FIGURE_SPACE * (behind - max(_breadth(rest), 1)) + (POINT_SPACE if behind and not rest else "")
    return FIGURE_SPACE * (before - len(whole)) + whole + rest + room


def printed_cell(ruleset: RuleSet, column: DataColumn, row: DataRow) -> str:
    """A row's value as print shows it, words by the names of the table that lists them.

    What no source gives is left blank, for the players to write in.
    """
    if row[column.name] is None and row.birth.status in _OPEN:
        return ""
    return cell_text(row[column.name], column, listed_names(ruleset.tables, column.listed, printed=True) or None)


def shown_columns(table: DataTable, names: Sequence[str] = ()) -> tuple[DataColumn, ...]:
    """The columns named, else all but what is no more than a key."""
    if names:
        return tuple(table.column(name) for name in names)
    hidden = {"outcome"} | ({table.key[0]} if table.name else set())
    return tuple(column for column in table.columns if column.name not in hidden)


def _align(column: DataColumn, values: Sequence[object]) -> Align:
    """Figures are centred, several with a stroke too; words are not."""
    several = column.type == "text" and all(value is None or _SEVERAL.fullmatch(str(value)) for value in values)
    return "centre" if column.type in _CENTRED or (several and any(values)) else "left"


def across_block(ruleset: RuleSet, block: AcrossBlock) -> Table:
    """Tables with one shared key, the key along the top and a row for each."""
    first = ruleset.tables[block.across[0].table]
    keys = block.keys or tuple(row[first.key[0]] for row in first.rows)
    rows, marks = [], Marks()
    for one in block.across:
        table = ruleset.tables[one.table]
        column = table.column(one.column)
        by_key = {row[table.key[0]]: row for row in table.rows}
        rows.append((Cell(one.label), *(_single(ruleset, [column], by_key.get(key), marks) for key in keys)))
    shown = first.column(first.name or first.key[0])
    said = {row[first.key[0]]: printed_cell(ruleset, shown, row) for row in first.rows}
    heads = (Column(block.head), *(Column(said.get(key, str(key)), align="centre") for key in keys))
    title = block.caption or f"{block.head}: {', '.join(one.label for one in block.across)}"
    return Table(heads, tuple(rows), title, note=marks.note(), show_caption=bool(block.caption))


def _single(
    ruleset: RuleSet, columns: Sequence[DataColumn], row: DataRow | None, marks: Marks, lack: str = NOTHING
) -> Cell:
    """Figures of a row that stand for themselves; a mark says where one is the players' own."""
    if row is None:
        return Cell(lack)
    said = [printed_cell(ruleset, column, row) for column in columns]
    first = f"**{said[0]}**" if len(said) > 1 else said[0]
    text = ", ".join([first, *(more for more in said[1:] if more not in ("", NOTHING))])
    answered = any(column.name in row.answered for column in columns)
    return _cell(text, marks.mark(row.birth) if answered else "", row.birth.status in _OPEN)


def pivot_block(ruleset: RuleSet, block: PivotBlock, place: Place, problems: list[Problem]) -> Table:
    """A table with one key down the side and the others along the top; a dash where there is no row."""
    table = ruleset.tables[block.pivot]
    rows = [
        row
        for row in _where(ruleset, table, block.where, place, problems)
        if str(row[block.rows]) not in block.without
        and all(_said(table, row, key) == str(value) for key, value in block.given.items())
    ]
    cells = {
        (_said(table, row, block.rows), ", ".join(_said(table, row, key) for key in block.columns)): row for row in rows
    }
    down = list(dict.fromkeys(side for side, _ in cells))
    along = list(dict.fromkeys(top for _, top in cells))
    filling, marks = [table.column(name) for name in (block.column, *block.more)], Marks()
    printed = [
        (
            Cell(block.names.get(side, side)),
            *(_single(ruleset, filling, cells.get((side, top)), marks, block.lack or NOTHING) for top in along),
        )
        for side in down
    ]
    head = block.head or table.column(block.rows).label
    heads = (Column(head), *(Column(block.names.get(top, top), align="centre") for top in along))
    title = block.caption or table.title
    return Table(heads, tuple(printed), title, note=marks.note(), show_caption=bool(block.caption))


def _said(table: DataTable, row: DataRow, key: str) -> str:
    return cell_text(row[key], table.column(key))
