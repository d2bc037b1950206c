"""A force on paper: the roster, with the working of every total."""

from __future__ import annotations

import re
from dataclasses import replace
from fractions import Fraction
from typing import TYPE_CHECKING

from generator.documents.prices import working_table
from generator.documents.words import NOTHING, date, number, percent
from generator.forces.force import Entry
from generator.problems import has_errors
from generator.render.blocks import Cell, Column, Prose, Row, Section, Sheet, Table
from generator.rules.kinds import UNIT

if TYPE_CHECKING:
    from collections.abc import Iterable

    from generator.forces.force import Design, Force, Unit
    from generator.render.blocks import Block
    from generator.rules.formulas.functions import Number
    from generator.rules.kinds import Field

_NO_LETTER = re.compile(r"[^a-z0-9]+")
_UNKNOWN = "?"


def roster(force: Force, fingerprint: str) -> Sheet:
    """A summary on the first page, then every design with its working. A draft says so on every page."""
    rows = [Row(((_units(force),), (_points(force), *_checked(force))), (3, 2))]
    if force.problems:
        rows.append(Row(((_problems(force),),)))
    designs = _designs(force)
    if designs:
        rows.append(Row(((designs,),)))
    return force_sheet(force, "roster", "What the force fields, what it costs, and why.", tuple(rows), fingerprint)


def force_sheet(force: Force, name: str, strap: str, rows: tuple[Row, ...], fingerprint: str) -> Sheet:
    """A sheet of a force: its head and foot, and the word Draft where there are problems."""
    manifest = force.rules.manifest
    errors = sum(one.severity == "error" for one in force.problems)
    return Sheet(
        id=f"{file_name(force)}-{name}",
        title=force.name,
        strap=strap,
        kicker=(f"force {name}", manifest.short),
        rows=rows,
        author="fieldpress",
        edition=date(manifest.edition),
        fingerprint=fingerprint,
        source=manifest.title,
        rights=manifest.rights,
        created=manifest.edition if "-" in manifest.edition else f"{manifest.edition}-01-01",
        banner=f"Draft: {errors} problem{'s' if errors != 1 else ''}" if errors else "",
    )


def file_name(force: Force) -> str:
    """The force's name as files have it: small letters, digits, hyphens."""
    return _NO_LETTER.sub("-", force.name.lower()).strip("-")[:60] or "force"


def _units(force: Force) -> Section:
    """Every unit with what is in it; of a force without units every design once."""
    kind = force.rules.kinds.get(UNIT)
    fields = tuple(field for field in kind.fields if field.choice is not None) if kind and force.units else ()
    heads = (Column("Unit"), *(Column(one.label) for one in fields), Column("Of"), Column("Points", align="right"))
    rows: list[tuple[Cell, ...]] = []
    begins = []
    for unit in force.units:
        begins.append(len(rows))
        rows += _unit(unit, fields)
    if not force.units:
        heads = (Column("Design"), Column("Kind"), Column("Points", align="right"))
        rows = [(Cell(one.name, plain=True), Cell(one.kind.title), _figure(one.points)) for one in force.designs]
    begins.append(len(rows))
    empty = (Cell(""),) * (len(heads) - 2)
    rows.append((Cell("Total", strong=True), *empty, _figure(force.total if force.whole else None, strong=True)))
    caption = "Units and their points" if force.units else "Designs and their points"
    table = Table(heads, tuple(rows), caption, group_rows=tuple(begins[1:]), breakable=True)
    return Section("Units" if force.units else "Designs", (table, *_note(force.note)))


def _unit(unit: Unit, fields: tuple[Field, ...]) -> Iterable[tuple[Cell, ...]]:
    """A row for each design in it, and one for all of them together where there are several."""
    said = (Cell(unit.name, plain=True, strong=True), *(Cell(_word(field, unit)) for field in fields))
    nothing = (Cell(""),) * len(said)
    for index, entry in enumerate(unit.of):
        of = Cell(f"{entry.count} × {entry.design.name}", plain=True)
        yield *(nothing if index else said), of, _figure(entry.points)
    if len(unit.of) != 1:
        yield *(nothing if unit.of else said), Cell("*together*"), _figure(unit.points)


def _word(field: Field, unit: Unit) -> str:
    """What is said of a unit, by its printed name."""
    value = unit.values.get(field.name)
    if value is None or field.choice is None:
        return NOTHING
    return str(field.choice.names.get(value, value))


def _points(force: Force) -> Section:
    """Points by kind, and what is left of the budget."""
    spent: dict[str, tuple[int, Number]] = {}
    for entry in _fielded(force):
        count, points = spent.get(entry.design.kind.title, (0, 0))
        spent[entry.design.kind.title] = (count + entry.count, points + (entry.points or 0))
    rows = [
        (Cell(title), Cell(str(count)), Cell(number(points)), Cell(f"{percent(_share(points, force))}%"))
        for title, (count, points) in spent.items()
    ]
    total = sum(count for count, _ in spent.values())
    rows.append(
        (Cell("Total", strong=True), Cell(str(total), strong=True), Cell(number(force.total), strong=True), Cell(""))
    )
    heads = tuple(Column(head, align="right" if head else "left") for head in ("", "Number", "Points", "Share"))
    blocks: list[Block] = [Table(heads, tuple(rows), "Points by kind", group_rows=(len(rows) - 1,))]
    if force.budget is not None:
        left = force.budget - force.total
        word = "Left" if left >= 0 else "Over"
        money = [
            (Cell("Budget"), Cell(number(force.budget))),
            (Cell(word, strong=True), Cell(number(max(left, -left)), strong=True)),
        ]
        blocks.append(Table((Column(""), Column("", align="right")), tuple(money), "Budget"))
    return Section("Points", tuple(blocks))


def _share(points: Number, force: Force) -> Number:
    return Fraction(points) / force.total if force.total else 0


def _fielded(force: Force) -> list[Entry]:
    fielded = [entry for unit in force.units for entry in unit.of]
    return fielded if force.units else [Entry(one, 1, one.place) for one in force.designs]


def _checked(force: Force) -> tuple[Section, ...]:
    """What a lawful force was checked against."""
    if has_errors(force.problems):
        return ()
    titles = ", ".join(f"{one.title} ({date(one.edition)})" for one in force.rules.manifests.values())
    return (Section("Checked", (Prose((f"Every design and unit keeps the limits of {titles}.",)),)),)


def _problems(force: Force) -> Section:
    """What is wrong, where, and what would mend it."""
    heads = (Column("Where"), Column("What"), Column("Help"))
    rows = [
        (
            Cell(f"{one.field or one.span.file.rpartition('/')[2]}, line {one.span.line}", plain=True),
            Cell(f"{one.expected}; found {one.found}", plain=True),
            Cell(one.hint, plain=True),
        )
        for one in force.problems
    ]
    return Section("Problems", (Table(heads, tuple(rows), "Problems of this force", breakable=True, wordy=True),))


def _designs(force: Force) -> Section | None:
    """Every design with its working, two abreast."""
    blocks = tuple(_design(one) for one in force.designs)
    return Section("Designs and their working", blocks, abreast=2) if blocks else None


def _design(design: Design) -> Table:
    uses = (("capacity", design.priced.capacity), ("weapon systems", design.priced.systems))
    held = [f"{name} {number(one.used)} of {number(one.allowed)}" for name, one in uses if one.allowed is not None]
    note = f"{design.kind.title}{': ' if held else ''}{', '.join(held)}."
    total = number(design.points) if design.points is not None else _UNKNOWN
    return replace(working_table(design.priced, design.name, total, note), plain_caption=True)


def _note(text: str) -> tuple[Prose, ...]:
    return (Prose(tuple(line for line in text.splitlines() if line.strip())),) if text.strip() else ()


def _figure(points: Number | None, *, strong: bool = False) -> Cell:
    return Cell(_UNKNOWN if points is None else number(points), strong=strong)
