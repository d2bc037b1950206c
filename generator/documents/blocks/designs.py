"""Blocks about designs: prices, workings, big figures, and tables of abilities.

The figures, computed from formulas and formatted for print, are also those of cards.
"""

from __future__ import annotations

import re
from dataclasses import replace
from itertools import groupby
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Literal

from pydantic import Field

from generator.documents.blocks.tables import FIGURE_SPACE, table_of
from generator.documents.words import NOTHING, number, points
from generator.forces.cards import entries, holds, label, with_let
from generator.forces.designs import read_fields
from generator.forces.pricing import Priced, Values, price, shown
from generator.render.blocks import Align, Cell, Column, Figure, Strip, Table
from generator.rules.entries.compiled import Compiled, Compiler
from generator.rules.entries.kinds import Field as KindField
from generator.rules.entries.kinds import every_field
from generator.rules.model.base import Block, Id, Name, Ref, Seq
from generator.rules.model.kind import MeansTableModel, StatModel
from generator.rules.source.validation import check_ids

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from generator.documents.blocks.composition import Composition
    from generator.forces.force import Design
    from generator.rules.check.ruleset import BlockChecker
    from generator.rules.formulas.functions import Number

KindId = Annotated[Id, Ref("kind")]
PricedField = Annotated[str, Ref("field", of="prices")]
PricedChoice = Annotated[str, Ref("field with values", of="prices")]


class PricesBlock(Block):
    """Prices of a kind over one field of the design or two.

    A field inside a list is named with a dot (``missiles.count``: the first entry's). A design that breaks a limit of
    the kind has a dash. A row without a lawful design is left out.
    """

    keyword = "prices"

    prices: KindId
    """The kind."""
    rows: PricedChoice
    """The field that goes down the side."""
    columns: PricedChoice | None = None
    """The field that goes along the top; without one there is a single column."""
    given: dict[PricedField, Annotated[Any, Ref("value of a field", of="prices")]] = Field(default_factory=dict)
    """Fixed fields; a list of values for a field that rows or columns vary over."""
    show: Literal["total", "sum", "capacity"] = "total"
    """The total, the sum of the lines with the total, or the capacity used."""
    panel: str = ""
    """A title over the table."""
    head: str = ""
    """The head of the column of row names, else the label of that field."""

    def check(self, checker: BlockChecker) -> None:
        """Report R203 for an empty list under ``given``, and for a list of values for a field that does not vary."""
        checker.check_values(self.given, [name for name in (self.rows, self.columns) if name is not None])

    def compose(self, context: Composition) -> Table:
        """Return the table of prices; a table without rows if a field of a design is missing or wrong.

        A design that breaks a limit, other than advice, has a dash. A row with only dashes is left out. Adds F202 for a
        required field without a value, and F201, F203 or F204 for other wrong fields. Raises ProblemsError (R241) if
        the rule data gives no price for a design.
        """
        kind = context.ruleset.kinds[self.prices]
        fields = dict(every_field(kind.fields))
        head = "Capacity" if self.show == "capacity" else "Points"
        columns = self._values(fields, self.columns) if self.columns else {None: head}
        given = {name: value for name, value in self.given.items() if name not in (self.rows, self.columns)}
        found: list[tuple[str, list[Priced | None]]] = []
        for row, name in self._values(fields, self.rows).items():
            lawful: list[Priced | None] = []
            for column in columns:
                said = {**given, self.rows: row} | ({self.columns: column} if self.columns else {})
                design = read_fields(kind.fields, nested(said), context.place / "given", context.problems)
                if design is None:
                    return table_of("working", (), caption=self.panel)
                priced = price(kind, design, context.ruleset.manifest.costs)
                lawful.append(priced if priced.lawful else None)
            if any(lawful):
                found.append((name, lawful))
        paid = {line.id for _, some in found for item in some if item for line in item.lines if line.points}
        terms = [line.id for line in kind.lines if line.id in paid]
        shown = [[_shown(item, self.show, terms) if item else NOTHING for item in some] for _, some in found]
        if self.show != "sum":  # align the digits
            widest = [max(map(len, texts)) for texts in zip(*shown, strict=True)]
            shown = [
                [text.rjust(wide, FIGURE_SPACE) for text, wide in zip(texts, widest, strict=True)] for texts in shown
            ]
        rows = [(Cell(name), *map(Cell, texts)) for (name, _), texts in zip(found, shown, strict=True)]
        align: Align = "right" if self.show == "sum" else "centre"
        heads = (
            Column(self.head or fields[self.rows].label),
            *(Column(text, align=align) for text in columns.values()),
        )
        return Table(heads, tuple(rows), self.panel or kind.title, show_caption=bool(self.panel), dense=True)

    def _values(self, fields: Mapping[str, KindField], name: str) -> dict[Any, str]:
        """Return the values that a field varies over, with their printed names: the given values, else all values."""
        choice: Any = fields[name].choice  # the sheet was checked
        wanted = self.given.get(name, list(choice.values))
        return {
            value: choice.names.get(value, str(value)) for value in (wanted if isinstance(wanted, list) else [wanted])
        }


class WorkingBlock(Block):
    """The full working of an example design."""

    keyword = "working"

    working: KindId
    """The kind."""
    title: str
    """Printed above the working."""
    design: dict[Name, Any]
    """The example: a value for each field that it sets."""

    def compose(self, context: Composition) -> Table:
        """Return the working of the design, as ``working_table`` does; a note names the broken limits, without advice.

        Adds F201 to F204 for wrong fields of the design; the table then has no rows. Raises ProblemsError (R241) if the
        rule data gives no price for the design.
        """
        kind = context.ruleset.kinds[self.working]
        design = read_fields(kind.fields, self.design, context.place / "design", context.problems)
        if design is None:
            return table_of("working", (), caption=self.title)
        priced = price(kind, design, context.ruleset.manifest.costs)
        broken = " ".join(dict.fromkeys(item.limit.says for item in priced.broken if item.limit.severity == "error"))
        note = f"**Breaks a limit:** {broken}" if broken else ""
        return working_table(priced, self.title, number(priced.total), note)


def _shown(priced: Priced, show: str, terms: Sequence[str]) -> str:
    """Return the text of a cell by ``show``: the used ``capacity``, the ``total``, or a ``sum`` with the total in bold.

    The sum has the points of all lines with the ids ``terms``, in this order; 0 for an id without points.
    """
    if show == "capacity":
        return number(priced.capacity.used)
    if show == "total":
        return number(priced.total)
    points = [[line.points for line in priced.lines if line.id == term and line.points] or [0] for term in terms]
    return f"{' + '.join(number(item) for some in points for item in some)} = **{number(priced.total)}**"


def nested(said: Mapping[str, Any]) -> dict[str, Any]:
    """Return a design from field names with dots; a name with a dot sets a field of the first entry of a list.

    >>> nested({"size": 3, "missiles.count": 2, "missiles.warhead": "HE"})
    {'size': 3, 'missiles': [{'count': 2, 'warhead': 'HE'}]}
    """
    design: dict[str, Any] = {}
    for name, value in said.items():
        first, dot, rest = name.partition(".")
        if dot:
            design.setdefault(first, [{}])[0][rest] = value
        else:
            design[first] = value
    return design


def working_table(priced: Priced, title: str, total: str, note: str, *, held: bool = False) -> Table:
    """Return a table of a design's lines that cost or show something, with the total; subtotals are in italics.

    ``title``, ``total`` and ``note`` are printed texts. With ``held``, the table shows capacity and weapon systems,
    and also has the lines that only use these. If all lines show a figure instead of points, the table has no points,
    capacity, systems or total.
    """
    shown = [bool(line.figure) for line in priced.lines]
    only = bool(shown) and all(shown)
    figures = any(shown) and not only and not held
    name = "figures" if only else "held" if held else "shown" if figures else "working"
    rows, many = [], {"held": 5, "shown": 4}.get(name, 3)
    for line in priced.lines:
        paid = points(line.amount) if line.points is not None else f"*{points(line.amount)}*"
        said = line.figure or (paid if line.amount else "")
        shows = (line.figure, paid if line.amount and not line.figure else "") if figures else (said,)
        cells = (line.printed_label, line.working, *shows, *_holds(line.capacity, line.systems))
        if said or (held and (line.capacity or line.systems)):
            rows.append(tuple(map(Cell, cells[:many])))
    if only:
        return table_of(name, rows, caption=title, show_caption=True, note=note)
    sums = ("Total", "", *(("",) if figures else ()), total, *_holds(priced.capacity.used, priced.systems.used))
    rows.append(tuple(Cell(text, strong=True) for text in sums[:many]))
    return table_of(name, rows, caption=title, show_caption=True, note=note, group_rows=(len(rows) - 1,))


def _holds(capacity: Number, systems: Number) -> tuple[str, str]:
    return (number(capacity) if capacity else "", number(systems) if systems else "")


_FIGURE = re.compile(r"[+−]?\d|D\d|[–?]$")
_AS_LONG_AS = 10
"""Length of a line to write on, in boxes, instead of too many boxes."""


class _DesignBlock(Block):
    """A block about a design, whose figures are compiled for its kind."""

    of_design = True
    item_id: ClassVar[str]
    """The key with the id of an item: of a figure or a table."""

    def check(self, checker: BlockChecker) -> None:
        """Report R207 for each figure or table with the id of an earlier one in the block.

        Report R203, R221 to R223, R225 or R237 for formulas and labels, as ``Compiler.value`` does.
        """
        self.compiled(checker, checker.kind)

    def compiled(self, work: BlockChecker | Composition, kind: Any) -> tuple[Compiled, ...]:
        """Return the items of the block with their formulas compiled for a kind; problems are added to ``work``."""
        items, place = getattr(self, self.keyword), work.place / self.keyword
        check_ids([getattr(item, self.item_id) for item in items], place, self.item_id, work.problems)
        compiler = Compiler(work.ruleset.namespace(work.problems))
        return tuple(compiler.entry(item, place / index, kind.scope) for index, item in enumerate(items))


class StripFigureModel(StatModel):
    """A big figure over a small label, on a sheet: exactly one of ``show``, ``die`` and ``line``."""


class StripBlock(_DesignBlock):
    """Big figures over small labels, side by side."""

    keyword = "strip"
    item_id = "stat"
    strip: Annotated[Seq[StripFigureModel], Field(min_length=1)]
    """The figures, from the left."""

    def compose(self, context: Composition) -> tuple[Strip, ...]:
        """Return a strip with the figures that apply to the design; empty if none applies.

        A figure whose formula gives ``none`` becomes a line to write on. Raises FormulaUseError for a formula without
        an answer, such as a division by 0.
        """
        design: Any = context.design
        printed = stats(self.compiled(context, design.kind), design)
        figures = tuple(Figure("" if text == NOTHING else text, below) for text, below in printed)
        return (Strip(figures),) if figures else ()


class MeansBlock(_DesignBlock):
    """Tables of a design's equipment and abilities."""

    keyword = "means"
    item_id = "table"
    means: Annotated[Seq[MeansTableModel], Field(min_length=1)]
    """The tables, from the top. If the design has no row for any table, the block is left out."""
    least: Annotated[int, Field(ge=0, le=40)] = 0
    """Least number of rows: empty rows to write in are added to the last table."""
    note: str = ""
    """The note under the last table."""

    def compose(self, context: Composition) -> tuple[Table, ...]:
        """Return the tables that have rows; empty if none has. Neighbours with the same title and heads are joined.

        If the block asks for a least number of rows, the last table that applies is kept even without rows of its own.
        Empty rows to write in are added to it until all tables together have so many rows. Raises FormulaUseError for a
        formula without an answer.
        """
        design: Any = context.design
        tables = self.compiled(context, design.kind)
        made = [item for table in tables for item in _tables(table, design, empty=self.least > 0)]
        printed = []
        for _, same in groupby(made, lambda item: (item.caption, item.columns)):
            first, *others = same
            printed.append(replace(first, rows=(*first.rows, *(row for other in others for row in other.rows))))
        printed = [item for item in printed if item.rows or (self.least and item is printed[-1])]
        if not printed:
            return ()
        last = printed[-1]
        lacking = self.least - sum(len(item.rows) for item in printed)
        blank = tuple(Cell("", blank=True) for _ in last.columns)
        printed[-1] = replace(last, rows=(*last.rows, *(blank,) * lacking), note=self.note)
        return tuple(map(_aligned, printed))


def _tables(table: Compiled, design: Design, *, empty: bool) -> Iterator[Table]:
    """Yield a table if its condition holds, or a table for each entry of its list for which the condition holds.

    Entries that are equal but for their count give one table. Without ``empty``, tables without rows are left out. With
    ``empty``, a list without entries gives a table without rows, or none if the title needs an entry. The head of a row
    without a label is a line to write on. A design without a name is that of a blank sheet: each entry of its list is
    one row of lines. A title that needs an entry is then empty.
    """
    heads = tuple(Column(column.head, align="centre") for column in table.columns)
    if table.each is not None and not design.priced.values[table.each]:
        if empty and "{" not in table.title:
            yield Table((Column(table.title), *heads), (), table.title, head_first=True)
        return
    for here in entries(design, table):
        title = label(table.title, design, table.each, here)
        found = tuple(
            (Cell(head, blank=not head), *(_cell(column, row, inside) for column in table.columns))
            for row, head, inside in rows(table, design, here)
        )
        if table.each is not None and not design.name:
            title, found = "" if "{" in table.title else title, ((Cell("", blank=True),) * (1 + len(heads)),)
        if found or empty:
            yield Table((Column(title), *heads), found, title)


def _aligned(table: Table) -> Table:
    """Return a table with these columns set left: the first, those with a word or boxes, and those of only lines."""
    found = list(zip(*table.rows, strict=True))
    words = [any(cell.boxes or (cell.text and not _FIGURE.match(cell.text)) for cell in cells) for cells in found]
    left = {index for index, is_words in enumerate(words) if is_words}
    left |= {0, *(index for index, cells in enumerate(found) if all(cell.blank for cell in cells))}
    columns = (replace(item, align="left") if index in left else item for index, item in enumerate(table.columns))
    return replace(table, columns=tuple(columns))


def _cell(column: Compiled, row: Compiled, values: Values) -> Cell:
    """Return the cell of a row: a figure, boxes to mark, a line to write on, or a dash if the column does not apply."""
    if not holds(column.when, values):
        return Cell(NOTHING)
    if column.write:
        return Cell("", blank=True)
    if column.boxes is not None:
        return _boxes(column, values)
    if all(formula(values) is None for formula in (column.show, column.die) if formula is not None):
        boxes = 0 if column.head else _AS_LONG_AS  # without a head, the line takes all the space left
        return Cell("", blank=True, boxes=boxes)
    return Cell(figure(column, values, row.unit))


def _boxes(column: Compiled, values: Values) -> Cell:
    many: Any = column.boxes(values) if column.boxes is not None else None
    if not isinstance(many, int) or many <= 0:
        return Cell("", blank=True, boxes=_AS_LONG_AS)
    return Cell("", boxes=many) if many <= MOST_BOXES else Cell(f"{many}, left:", blank=True)


MOST_BOXES = 60
"""Most boxes that are printed; for more, a line to write on is printed."""


def figure(what: Compiled, values: Values, unit: str = "") -> str:
    """Return a figure for print, from a formula of a card or a sheet; a dash for no value.

    ``what`` is the figure or its column. The result of its ``die`` is printed as dice. The result of its ``show`` is
    printed with the unit of ``what``, or else with ``unit``. Raises FormulaUseError as ``shown`` does.
    """
    unit = what.unit or unit
    if what.die is not None:
        return shown(what.die, values, unit, die=True)
    text = shown(what.show, values) if what.show is not None else NOTHING
    return text + unit if text != NOTHING else text


def rows(table: Compiled, design: Design, here: Values) -> Iterator[tuple[Compiled, str, Values]]:
    """Yield the rows of a table whose condition holds, each with its head and the values for its columns.

    ``here`` are the values of the design, or of an entry of its list. If the table names a table of the rules under
    ``through``, its rows come once for each row of that table. The values of that row are then added.
    """
    through = getattr(table, "through", None)  # tables of cards have none
    for repeated in [row.values for row in through.rows] if through is not None else [{}]:
        within = here.copied()
        within.update(repeated)
        for row in table.rows:
            inside = with_let(row.let, within)
            if holds(row.when, inside):
                yield row, label(row.label, design, table.each, inside), inside


def stats(strip: Iterable[Compiled], design: Design, *, dashed: bool = False) -> Iterator[tuple[str, str]]:
    """Yield the text and the label of each figure whose condition holds. A formula without a value gives a dash.

    A figure of a cost line that the design does not have is left out. With ``dashed``, the figures left out, and those
    whose condition does not hold, are yielded with a dash. Raises FormulaUseError as ``figure`` does.
    """
    for stat in strip:
        here = next(iter(design.priced.values.entries(None, stat.join)))
        text = NOTHING
        if holds(stat.when, here):
            if stat.line is None:
                text = figure(stat, here)
            elif (line := design.priced.line(stat.line)) is not None:
                text = line.figure or number(line.amount)
            else:
                text = ""
        elif not dashed:
            continue
        if text or dashed:
            yield text or NOTHING, label(stat.label, design, None, here)
