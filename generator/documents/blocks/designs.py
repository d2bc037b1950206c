"""Blocks about a design, for sheets ``of`` a kind: big figures, and tables of the design's abilities.

The figures, computed from formulas and formatted for print, are also those of cards.
"""

from __future__ import annotations

import re
from dataclasses import replace
from itertools import groupby
from typing import TYPE_CHECKING, Annotated, Any

from pydantic import Field

from generator.documents.words import NOTHING, number
from generator.forces.card_values import entries, holds, label, with_let
from generator.forces.context import Values, shown
from generator.render.blocks import Cell, Column, Figure, Strip, Table
from generator.rules.entries.compiled import Compiled, Compiler
from generator.rules.model.base import Seq
from generator.rules.model.block import Block
from generator.rules.model.card import MeansTableModel, StatModel
from generator.rules.source.validation import check_ids

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from generator.documents.blocks.composition import Composition
    from generator.forces.force import Design
    from generator.rules.check.sheets import BlockChecker
    from generator.rules.source.parts import Place

_FIGURE = re.compile(r"[+−]?\d|D\d|[–?]$")
_AS_LONG_AS = 10
"""Length of a line to write on, in boxes, instead of too many boxes."""
_LEFT_OF = ", left:"


class _DesignBlock(Block):
    """A block about a design, whose figures are compiled for its kind."""

    of_design = True

    def check(self, checker: BlockChecker) -> None:
        """Report R207 for a repeated id, and R221 to R225 for errors in formulas."""
        self.read(_reader(checker, checker.kind), checker.place)

    def read(self, reader: Compiler, place: Place) -> Any:
        """Return the block with its formulas compiled."""

    def compiled(self, context: Composition, design: Design) -> Any:
        """Return the block with its formulas compiled, once for all designs of the sheet."""
        known = {} if context.compiled is None else context.compiled
        if context.place not in known:
            known[context.place] = self.read(_reader(context, design.kind), context.place)
        return known[context.place]


def _reader(work: BlockChecker | Composition, kind: Any) -> Compiler:
    return Compiler(kind.scope, work.ruleset.namespace(), work.problems)


class StripFigureModel(StatModel):
    """A big figure over a small label, on a sheet: exactly one of ``show``, ``die`` and ``line``."""


class StripBlock(_DesignBlock):
    """Big figures over small labels, side by side."""

    keyword = "strip"
    strip: Annotated[Seq[StripFigureModel], Field(min_length=1)]
    """The figures, from the left."""

    def compose(self, context: Composition) -> tuple[Strip, ...]:
        """Return the figures of the design; empty if no figure applies."""
        design: Any = context.design
        printed = stats(self.compiled(context, design), design)
        figures = tuple(Figure("" if text == NOTHING else text, below) for text, below in printed)
        return (Strip(figures),) if figures else ()

    def read(self, reader: Compiler, place: Place) -> tuple[Compiled, ...]:
        """Return the figures with their formulas compiled; problems of formulas are added to those of the reader."""
        check_ids([item.stat for item in self.strip], place / "strip", "stat", reader.problems)
        return tuple(reader.entry(item, place / "strip" / index) for index, item in enumerate(self.strip))


class MeansBlock(_DesignBlock):
    """Tables of a design's equipment and abilities."""

    keyword = "means"
    means: Annotated[Seq[MeansTableModel], Field(min_length=1)]
    """The tables, from the top. If the design has no row for any table, the block is left out."""
    least: Annotated[int, Field(ge=0, le=40)] = 0
    """Least number of rows: empty rows to write in are added to the last table."""
    note: str = ""
    """The note under the last table."""

    def compose(self, context: Composition) -> tuple[Table, ...]:
        """Return the tables that have rows. Neighbouring tables with the same title and heads are joined.

        If the block asks for a least number of rows, empty rows to write in are added to the last table.
        """
        design: Any = context.design
        tables = self.compiled(context, design)
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

    def read(self, reader: Compiler, place: Place) -> tuple[Compiled, ...]:
        """Return the tables with their formulas compiled; problems of formulas are added to those of the reader."""
        check_ids([mean.table for mean in self.means], place / "means", "table", reader.problems)
        return tuple(reader.entry(item, place / "means" / index) for index, item in enumerate(self.means))


def _tables(table: Compiled, design: Design, *, empty: bool) -> Iterator[Table]:
    """Yield a table, or one table for each entry of its list. Tables without rows are left out, unless ``empty``."""
    heads = tuple(Column(column.head, align="centre") for column in table.columns)
    if table.each is not None and not design.priced.values[table.each]:
        if empty and "{" not in table.title:
            yield Table((Column(table.title), *heads), (), table.title, head_first=True)
        return
    for here in entries(design, table):
        title = label(table.title, design, table.each, here)
        found = tuple(
            (Cell(head, strong=row.strong), *(_cell(column, row, inside) for column in table.columns))
            for row, head, inside in rows(table, design, here)
        )
        if found or empty:
            yield Table((Column(title), *heads), found, title)


def _aligned(table: Table) -> Table:
    """Return a table with its columns of figures centred, and its columns of words, boxes and lines set left."""
    found = list(zip(*table.rows, strict=True))
    left = {index for index, cells in enumerate(found) if any(map(_is_left, cells))}
    left |= {0, *(index for index, cells in enumerate(found) if all(cell.blank for cell in cells))}
    columns = (replace(item, align="left") if index in left else item for index, item in enumerate(table.columns))
    return replace(table, columns=tuple(columns))


def _is_left(cell: Cell) -> bool:
    return cell.boxes > 0 or bool(cell.text and not _FIGURE.match(cell.text))


def _cell(column: Compiled, row: Compiled, values: Values) -> Cell:
    """Return the cell of a row: a dash if the column does not apply, a line to write on if the value is unknown."""
    if not holds(column.when, values):
        return Cell(NOTHING)
    if column.write:
        return Cell("", blank=True)
    if column.boxes is not None:
        return _boxes(column, values)
    if all(formula(values) is None for formula in (column.show, column.die) if formula is not None):
        boxes = 0 if column.head else _AS_LONG_AS  # without a head, the line takes all the space left
        return Cell("", blank=True, boxes=boxes)
    return Cell(figure(column, values, row.unit), strong=row.strong)


def _boxes(column: Compiled, values: Values) -> Cell:
    many: Any = column.boxes(values) if column.boxes is not None else None
    if not isinstance(many, int) or many <= 0:
        return Cell("", blank=True, boxes=_AS_LONG_AS)
    return Cell("", boxes=many) if many <= MOST_BOXES else Cell(f"{many}{_LEFT_OF}", blank=True)


MOST_BOXES = 60
"""Most boxes that are printed; for more, a line to write on is printed."""


def figure(what: Compiled, values: Values, unit: str = "") -> str:
    """Return the result of a card's formula for print, with its own unit or else with ``unit``; a dash for no value.

    Raises FormulaUseError if the formula has no answer for these values.
    """
    unit = what.unit or unit
    if what.die is not None:
        return shown(what.die, values, unit, die=True)
    text = shown(what.show, values) if what.show is not None else NOTHING
    return text + unit if text != NOTHING else text


def rows(table: Compiled, design: Design, here: Values) -> Iterator[tuple[Compiled, str, Values]]:
    """Yield the rows of a table whose condition holds, each with its head and the values for its columns.

    ``here`` are the values of the design. If the table repeats for the rows of another table, the values of these rows
    are added.
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
    """Yield the figures whose condition holds, each as text and before its label. Figures without a value are left out.

    With ``dashed``, all other figures are yielded, too, with a dash. Raises FormulaUseError as ``figure`` does.
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
