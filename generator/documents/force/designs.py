"""Sheets about a design: what a rule set describes for a kind, printed for each design of it in a force."""

from __future__ import annotations

import re
from dataclasses import replace
from functools import partial
from itertools import groupby
from typing import TYPE_CHECKING, Any, NamedTuple

from generator.documents.force.duplicates import alike
from generator.documents.force.figures import MOST_BOXES, entries, figure, holds, label, no_figure, rows, stats
from generator.documents.force.rosters import file_name, force_sheet, hyphened
from generator.documents.reference.sheet import rows_of
from generator.documents.words import NOTHING, breakable
from generator.errors import ProblemsError
from generator.render.blocks import Cell, Column, Figure, Row, Strip, Table
from generator.render.page.writing import lines_to_write_on
from generator.rules.cards.figures import FigureReader, read_means, read_strip
from generator.rules.formulas.errors import FormulaUseError
from generator.rules.model.design_blocks import MeansBlock, StripBlock

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence

    from generator.documents.force.duplicates import About
    from generator.documents.reference.sheet import Printer
    from generator.forces.context import Values
    from generator.forces.force import Design, Force
    from generator.problems import Problem
    from generator.render.blocks import Block, Section, Sheet
    from generator.rules.cards.figures import CardTable
    from generator.rules.cards.figures import Column as DataColumn
    from generator.rules.cards.figures import Row as DataRow
    from generator.rules.model.sheet import SectionModel
    from generator.rules.ruleset import RuleSet
    from generator.rules.ruleset import Sheet as SheetData
    from generator.rules.source.parts import Place

_FIGURE = re.compile(r"[+−]?\d|D\d|[–?]$")
_AS_LONG_AS = 10
"""Boxes that such a line has room for, to be drawn or counted on it."""
_LEFT_OF = ", left:"
_PLAYERS = " · "
_FIRST, _OTHERS = "first", "others"
_SHARES = (5, 3)
"""Widths of hit boxes and of what else each has for itself."""


class Printed(NamedTuple):
    """A sheet of one design, and the name of the description that it follows."""

    name: str
    sheet: Sheet


def sheets_of_designs(force: Force, fingerprint: str, only: Collection[str] = ()) -> Iterator[Printed]:
    """Every sheet that the rules have for a kind, for every design of it that is fielded; ``only`` as for cards.

    Raises ProblemsError (R241) where a formula of a sheet has no answer for a design.
    """
    for data in force.rules.sheets_of_kinds():
        taken: set[str] = set()
        compiled: dict[Place, Any] = {}
        for about in alike(force, data.model.of or "", only):
            own = any(section.apiece for section in _sections(data))
            try:
                rows = _rows(force, data, about, compiled)
            except FormulaUseError as error:
                raise no_figure(error, data.place, about.design.name) from None
            for one in about.sheets() if own else (about.as_one(),):
                yield Printed(data.model.sheet, _sheet(force, data, one, rows, fingerprint, taken))


def _sections(data: SheetData) -> Iterator[SectionModel]:
    return (section for row in data.model.rows for column in row.columns for section in column)


def _rows(force: Force, data: SheetData, about: About, compiled: dict[Place, Any]) -> tuple[Row, ...]:
    """What a sheet says; behind it, of three and more alike, what each but the first has for itself."""
    problems: list[Problem] = []
    printers = _printers(about.design, compiled)
    printed = partial(rows_of, force.rules.as_printed_on(data), data, problems, more=printers)
    rows = printed(wanted=lambda section: None if section.apiece == _OTHERS else section)
    first, *others = about.each
    if about.shared:
        own = {section.section for section in _sections(data) if section.apiece in {True, _FIRST}}
        rows = tuple(_of_the_first(row, own, first.which) for row in rows)
    if data.model.notes:
        rows += (lines_to_write_on("Notes"),)
    if about.shared:
        own_rows = printed(wanted=lambda section: section if section.apiece in {True, _OTHERS} else None)
        rows += tuple(_of_each(own_rows, [one.called(about.design) for one in others]))
    if problems:
        raise ProblemsError(*problems)
    return rows


def _of_each(rows: Sequence[Row], names: Sequence[str]) -> Iterator[Row]:
    """Yield the sections of these rows for each of the names, from the top of a page on."""
    sections = [_bare(section) for row in rows for column in row.columns for section in column]
    if not sections:
        return
    first, *others = sections
    for number, name in enumerate(names):
        columns = ((replace(first, title=name),), tuple(others)) if others else ((replace(first, title=name),),)
        yield Row(columns, _SHARES[: len(columns)], new_page=number == 0)
    yield lines_to_write_on("Notes")


def _bare(section: Section) -> Section:
    """Return a section without what stands on the first sheet already."""
    blocks = (replace(one, note="") if isinstance(one, Table) else one for one in section.blocks)
    return replace(section, aside="", blocks=tuple(blocks))


def _of_the_first(row: Row, own: Collection[str], which: str) -> Row:
    """Return the row with the first one's number behind the titles of what each has for itself."""
    columns = (
        tuple(replace(one, title=f"{one.title}: {which}") if one.title in own else one for one in column)
        for column in row.columns
    )
    return replace(row, columns=tuple(columns))


def _sheet(
    force: Force,
    data: SheetData,
    about: About,
    rows: tuple[Row, ...],
    fingerprint: str,
    taken: set[str],
) -> Sheet:
    model, design = data.model, about.design
    said = _PLAYERS.join(text for text in (about.units, design.note.strip()) if text)
    sheet = force_sheet(force, model.sheet, breakable(said) or model.strap, rows, fingerprint)
    return replace(
        sheet,
        id=_id(f"{file_name(force)}-{model.sheet}", design, taken),
        title=about.title,
        plain_strap=bool(said),
        kicker=(model.kicker, breakable(force.name), *sheet.kicker[1:]),
    )


def _id(before: str, design: Design, taken: set[str]) -> str:
    """A name of its own for each file, however alike the names of designs are."""
    name = hyphened(design.name) or "design"
    found = next(one for one in (name, *(f"{name}-{n}" for n in range(2, len(taken) + 3))) if one not in taken)
    taken.add(found)
    return f"{before}-{found}"


def _printers(design: Design, compiled: dict[Place, Any]) -> dict[type, Printer]:
    """What prints the blocks that are about a design. ``compiled`` keeps what designs of one kind share."""

    def strip(ruleset: RuleSet, block: StripBlock, place: Place, problems: list[Problem]) -> tuple[Block, ...]:
        if place not in compiled:
            compiled[place] = read_strip(FigureReader(design.kind, ruleset.namespace(), problems), block, place)
        figures = stats(compiled[place], design)
        found = tuple(Figure("" if said == NOTHING else said, below) for said, below in figures)
        return (Strip(found),) if found else ()

    def means(ruleset: RuleSet, block: MeansBlock, place: Place, problems: list[Problem]) -> tuple[Block, ...]:
        if place not in compiled:
            compiled[place] = read_means(FigureReader(design.kind, ruleset.namespace(), problems), block, place)
        return _means(block, compiled[place], design)

    return {StripBlock: strip, MeansBlock: means}


def _means(block: MeansBlock, tables: Sequence[CardTable], design: Design) -> tuple[Table, ...]:
    """Tables with a row at least, those of one title and the same heads as one."""
    made = [one for table in tables for one in _tables(table, design, empty=block.least > 0)]
    printed = []
    for _, same in groupby(made, lambda one: (one.caption, one.columns)):
        first, *others = same
        printed.append(replace(first, rows=(*first.rows, *(row for one in others for row in one.rows))))
    printed = [one for one in printed if one.rows or (block.least and one is printed[-1])]
    if not printed:
        return ()
    last = printed[-1]
    lacking = block.least - sum(len(one.rows) for one in printed)
    blank = tuple(Cell("", blank=True) for _ in last.columns)
    printed[-1] = replace(last, rows=(*last.rows, *(blank,) * lacking), note=block.note)
    return tuple(map(_aligned, printed))


def _tables(table: CardTable, design: Design, *, empty: bool) -> Iterator[Table]:
    """A table, or one for each entry of its list; where it may be ``empty``, its heads at least."""
    heads = tuple(Column(one.head, align="centre") for one in table.columns)
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
    """Words, boxes and columns of mere lines stand at the left, figures in the middle."""
    found = list(zip(*table.rows, strict=True))
    left = {index for index, cells in enumerate(found) if any(map(_is_left, cells))}
    left |= {0, *(index for index, cells in enumerate(found) if all(cell.blank for cell in cells))}
    columns = (replace(one, align="left") if index in left else one for index, one in enumerate(table.columns))
    return replace(table, columns=tuple(columns))


def _is_left(cell: Cell) -> bool:
    return cell.boxes > 0 or bool(cell.text and not _FIGURE.match(cell.text))


def _cell(column: DataColumn, row: DataRow, values: Values) -> Cell:
    """A figure; a dash where the column's ``when`` does not hold, a line to write on where nobody knows it."""
    if not holds(column.shown.when, values):
        return Cell(NOTHING)
    if column.write:
        return Cell("", blank=True)
    if column.boxes is not None:
        return _boxes(column, values)
    if _lacks(column, values):
        return Cell("", blank=True, boxes=0 if column.head else _AS_LONG_AS)  # alone behind its words: all that is left
    unit = column.shown.unit or row.unit
    return Cell(figure(column.shown._replace(unit=unit), values), strong=row.strong)


def _lacks(column: DataColumn, values: Values) -> bool:
    """Whether the rules do not have what is to be shown."""
    return all(one(values) is None for one in (*column.shown.values, *filter(None, (column.shown.die,))))


def _boxes(column: DataColumn, values: Values) -> Cell:
    many: Any = column.boxes(values) if column.boxes is not None else None
    if not isinstance(many, int) or many <= 0:
        return Cell("", blank=True, boxes=_AS_LONG_AS)
    return Cell("", boxes=many) if many <= MOST_BOXES else Cell(f"{many}{_LEFT_OF}", blank=True)
