"""The designs of a force on its roster: number fielded, points, and the working of each."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from generator.documents.blocks.prices import working_table
from generator.documents.words import NOTHING, gauge, number, points
from generator.forces.cited import cited
from generator.render.blocks import Cell, Column, Row, Section, Table
from generator.render.type.prose import breakable
from generator.render.type.text_length import length

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from generator.forces.force import Design, Force
    from generator.rules.formulas.functions import Number

_UNKNOWN = "?"
_FEW, _MANY = 3, 45
"""Most lines of a design without its own table, and most lines of a table of half the page's width."""
_TALL = 24
"""Most rows of a table that must stay on one page."""
_BESIDE = 12
"""Least number of designs for a list in two columns."""
_ABREAST = 8
"""Most designs side by side in one table."""
_NAMES, _APART = 115.0, 3.0
"""Total width of their names, and space between names, in millimetres."""
_NAME, _BOLD = 9.0, "sans-bold"
"""Type size and face assumed for names."""
_SHARES = (28, 30, 15, 12, 15)
"""Width shares of that list's columns: the kind has the longest words."""
_TOLD = "Designs and their working"
WHOLE_FORCE = "Whole force"


def fielded_row(force: Force) -> Row:
    """Return the list of designs with number, points each and in total; a long list in two columns."""
    counts = _counts(force)
    rows = []
    for design in force.designs:
        many = counts.get(design.name, 0)
        all_of = design.points * many
        name = Cell(breakable(design.name), plain=True)
        rows.append((name, Cell(design.kind.title), Cell(number(many)), _points(design.points), _points(all_of)))
    heads = (Column("Design"), Column("Kind"), *_right("Fielded", "Each", "Points"))
    if len(rows) < _BESIDE:
        return Row(((_fielded("Designs fielded", heads, rows),),))
    heads = tuple(replace(item, share=share) for item, share in zip(heads, _SHARES, strict=True))
    half = (len(rows) + 1) // 2
    parts = (("Designs fielded", rows[:half]), ("Designs fielded, continued", rows[half:]))
    return Row(tuple((_fielded(title, heads, some),) for title, some in parts), (1, 1))


def _fielded(title: str, heads: tuple[Column, ...], rows: Sequence[tuple[Cell, ...]]) -> Section:
    return Section(title, (Table(heads, tuple(rows), "Designs, how many and for what", breakable=True, dense=True),))


def design_rows(force: Force) -> list[Row]:
    """Return every design's working: tables of half the width; designs of a few lines share a table.

    Designs with a sheet of their own are only listed.
    """
    counts = _counts(force)
    told = _told(force)
    long = [item for item in told if len(item.priced.lines) > _FEW]
    short = [item for item in told if len(item.priced.lines) <= _FEW]
    high = [item for item in long if len(item.priced.lines) > _MANY]
    title = _TOLD if any(item.kind.pays for item in long) else "Designs and their figures"
    rows: list[Row] = [Row(((item,),)) for item in _elsewhere(force, counts)]
    if long != high:
        tables = [_design(item, counts) for item in long if item not in high]
        rows.append(Row(((Section(title, ()),),)))
        rows += [Row(((Section("", (table,)),),), half=True) for table in tables]
    # Too high to stand beside another table, perhaps higher than a page.
    for item in high:
        table = replace(_design(item, counts), breakable=True)
        rows.append(Row(((Section(f"{item.kind.title} and its working", (table,)),),)))
    if short:
        rows.append(Row(((_list("Designs of a few lines" if long else title, short),),)))
    return rows


def whole_force_rows(force: Force) -> list[Row]:
    """Return the working of what the whole force pays and carries; empty if its rules have no such lines."""
    if force.priced is None or not force.priced.lines:
        return []
    used, allowed = force.priced.capacity.used, force.priced.capacity.allowed
    table = working_table(force.priced, WHOLE_FORCE, points(force.own_points), "", held=bool(used))
    full = f"capacity {number(used)} of {number(allowed)}" if used and allowed is not None else ""
    return [Row(((Section(WHOLE_FORCE, (replace(table, show_caption=False),), full),),))]


def sources_row(force: Force) -> Row | None:
    """Return the sources of the designs' lines; None if nothing is cited."""
    own = {manifest.source for manifest in force.rules.manifests.values()}
    every = [*(item.priced for item in _told(force)), *([force.priced] if force.priced else [])]
    rows = tuple((Cell(item.cite), Cell(", ".join(item.lines))) for item in cited(every, own))
    heads = (Column("Source", share=6), Column("Lines", share=7))
    table = Table(heads, rows, "Sources of the lines", breakable=len(rows) > _TALL, dense=True, head_first=False)
    return Row(((Section("Where the lines come from", (table,)),),)) if rows else None


def _told(force: Force) -> list[Design]:
    """Return the designs without a sheet of their own for their figures."""
    return [design for design in force.designs if not design.kind.on_sheet]


def _elsewhere(force: Force, counts: dict[str, int]) -> Iterable[Section]:
    """Yield a list of designs with their notes for each sheet of designs, then their figures side by side."""
    by_sheet: dict[str, list[Design]] = {}
    for design in force.designs:
        if design.kind.on_sheet:
            by_sheet.setdefault(design.kind.on_sheet, []).append(design)
    for sheet, designs in by_sheet.items():
        heads = (Column("Design"), Column("Kind"), *_right("Fielded"), Column("Note"))
        rows = tuple(
            (
                Cell(breakable(design.name), plain=True, strong=True),
                Cell(design.kind.title),
                Cell(number(counts.get(design.name, 0))),
                Cell(breakable(design.note.strip()) or NOTHING, plain=True),
            )
            for design in designs
        )
        aside = f"figures: on the {sheet.replace('-', ' ')} of each"
        table = Table(heads, rows, "Designs, how many, and what is noted of them", breakable=True)
        yield Section("Designs and their sheets", (table,), aside)
        for kind in dict.fromkeys(design.kind.title for design in designs):
            alike = [design for design in designs if design.kind.title == kind]
            longest = max(length(word, _NAME, _BOLD) for design in alike for word in design.name.split())
            each = max(1, min(_ABREAST, int(_NAMES // (longest + _APART))))
            for start in range(0, len(alike), each):
                yield from _side_by_side(kind, alike[start : start + each])


def _side_by_side(kind: str, designs: Sequence[Design]) -> Iterable[Section]:
    """Yield a table of a kind's designs with a row for each figure and a column for each design."""
    lines = [
        line for line in designs[0].kind.lines if line.each is None and line.when is None and "{" not in line.label
    ]
    if lines:
        names = (Cell("Design"), *(Cell(breakable(design.name), plain=True, strong=True) for design in designs))
        rows = ((Cell(line.label), *(Cell(_figure(design, line.id)) for design in designs)) for line in lines)
        columns = (Column(""), *(Column("", align="centre") for _ in designs))
        yield Section(f"{kind}s side by side", (Table(columns, (names, *rows), "What each of them has", dense=True),))


def _figure(design: Design, name: str) -> str:
    line = design.priced.line(name)
    return _UNKNOWN if line is None else line.figure or number(line.amount)


def _right(*heads: str) -> tuple[Column, ...]:
    return tuple(Column(head, align="right") for head in heads)


def _counts(force: Force) -> dict[str, int]:
    """Return the number of each design in the force; 1 of each in a force without units."""
    return force.counts if force.units else dict.fromkeys((design.name for design in force.designs), 1)


def _design(design: Design, counts: dict[str, int]) -> Table:
    """Return the working of a design as a table, with its note in the last row, so that they stay together."""
    uses = (("Capacity", design.priced.capacity), ("Weapon systems", design.priced.systems))
    held = [(name, item.used, item.allowed) for name, item in uses if item.allowed is not None]
    table = working_table(design.priced, breakable(design.name), _spell(design.points), "", held=bool(held))
    across = len(table.columns)
    full = tuple(
        (Cell(f"{name} {number(used)} of {number(allowed)}"), Cell(gauge(used, allowed), span=across - 1))
        for name, used, allowed in held
    )
    many = counts.get(design.name, 0)
    fielded = [f"{many} fielded"] if many > 1 else [] if many else ["none fielded"]
    said = breakable(design.note.strip())
    note = ((Cell(said, plain=True, span=across),),) if said else ()
    rows = (*table.rows, *full, *note)
    follows = tuple(range(len(table.rows) - 1, len(rows)))
    # The engine repeats heads on each page, but not captions, so the name is a head.
    along = " · ".join((design.kind.title, *fielded))
    named = replace(table, show_caption=False, plain_caption=True, over=table.caption, along=along)
    return replace(named, rows=rows, breakable=len(rows) > _TALL, follows=follows)


def _list(title: str, designs: Sequence[Design]) -> Section:
    rows: list[tuple[Cell, ...]] = []
    more: list[int] = []
    for design in designs:
        own = list(_short(design))
        more += range(len(rows) + 1, len(rows) + len(own))
        rows += own
    heads = (Column("Design"), Column("Kind"), Column("Line"), *_right("Points", "Each"))
    if not any(design.kind.pays for design in designs):
        heads = (*heads[:3], replace(heads[3], head="Figure"))
        rows = [row[:4] if len(row) > len(heads) else (row[0], replace(row[1], span=3)) for row in rows]
    table = Table(heads, tuple(rows), title, breakable=True, more=tuple(more), dense=True)
    return Section(title, (table,))


def _short(design: Design) -> Iterable[tuple[Cell, ...]]:
    """Yield the rows of a short design: a row for each line with points, the total in the first row."""
    priced = [line for line in design.priced.lines if line.points or line.figure]
    names = Cell(breakable(design.name), plain=True, strong=True), Cell(design.kind.title)
    for index, line in enumerate(priced):
        before, each = (names, _points(design.points)) if index == 0 else ((Cell(""), Cell("")), Cell(""))
        yield (*before, Cell(line.label), Cell(line.figure or _spell(line.points)), each)
    if not priced:
        yield (*names, Cell(NOTHING), Cell(""), _points(design.points))
    if design.note.strip():
        yield Cell(""), Cell(breakable(design.note.strip()), plain=True, span=4)


def _points(value: Number | None) -> Cell:
    return Cell(_spell(value))


def _spell(value: Number | None) -> str:
    return _UNKNOWN if value is None else points(value)
