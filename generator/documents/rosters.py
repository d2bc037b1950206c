"""A force on paper: the roster, with the working of every total."""

from __future__ import annotations

import re
from dataclasses import replace
from fractions import Fraction
from typing import TYPE_CHECKING

from generator.documents.imprint import draft, imprint
from generator.documents.prices import working_table
from generator.documents.words import NOTHING, breakable, date, number, percent
from generator.forces.force import Entry
from generator.render.blocks import Cell, Column, Prose, Row, Section, Sheet, Table
from generator.rules.kinds import unit_fields

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from generator.forces.force import Design, Force, Unit
    from generator.problems import Problem
    from generator.rules.formulas.functions import Number
    from generator.rules.kinds import Field

_NO_LETTER = re.compile(r"[^a-z0-9]+")
_PART = re.compile(r"(designs|units)\[(\d+)\]\.?(.*)")
_LONGEST_NAME = 60
_UNKNOWN = "?"
_SPACE = "\N{NO-BREAK SPACE}"
"""A count, what is counted and its points stay together."""
_FEW, _MANY = 3, 30
"""Lines up to which a design has no table of its own, and above which it has a section of its own."""


def roster(force: Force, fingerprint: str) -> Sheet:
    """A summary on the first page, then every design with its working. A draft says so on every page."""
    errors = [one for one in force.problems if one.severity == "error"]
    advice = [one for one in force.problems if one.severity == "advice"]
    said = tuple(Section("", (note,)) for note in _note(force.note))
    rows = [Row((said,))] if said else []
    rows.append(Row(((_points(force),), _checked(force, errors, advice)), (3, 2)))
    rows.append(Row(((_units(force),),)))
    rows += [
        Row(((_problems(force, title, some),),)) for title, some in (("Problems", errors), ("Advice", advice)) if some
    ]
    rows += [Row(((section,),)) for section in _designs(force)]
    strap = "What is fielded, what it costs, and why." if _pays(force) else "What is fielded, and what follows from it."
    return force_sheet(force, "roster", strap, tuple(rows), fingerprint)


def force_sheet(force: Force, name: str, strap: str, rows: tuple[Row, ...], fingerprint: str) -> Sheet:
    """A sheet of a force: its head and foot, and the word Draft where there are problems."""
    manifest = force.rules.manifest
    return Sheet(
        id=f"{file_name(force)}-{name}",
        title=breakable(force.name),
        strap=strap,
        kicker=(f"force {name}", manifest.short),
        rows=rows,
        banner=draft(force.problems),
        **imprint(manifest, fingerprint),
    )


def file_name(force: Force) -> str:
    """The force's name as files have it: whole words of small letters and digits, joined by hyphens."""
    return hyphened(force.name) or "force"


def hyphened(said: str) -> str:
    """A name as files have it; empty for one without a letter or digit that files may have.

    >>> hyphened("Red Company (2nd)"), hyphened("Ω")
    ('red-company-2nd', '')
    """
    name = _NO_LETTER.sub("-", said.lower()).strip("-")
    if len(name) > _LONGEST_NAME:
        name = name[:_LONGEST_NAME].rpartition("-")[0] or name[:_LONGEST_NAME]
    return name


def _pays(force: Force) -> bool:
    """Whether any of its designs has a price by its rules."""
    return any(one.kind.pays for one in force.designs) or bool(force.total)


def _units(force: Force) -> Section:
    """Every unit with what is in it; of a force without units every design once. Points where the rules have them."""
    pays = _pays(force)
    fields = tuple(field for field in unit_fields(force.rules.kinds) if field.choice is not None)
    if force.units:
        title, caption = "Units", "Units and their points"
        heads = [Column("Unit"), *(Column(one.label) for one in fields), Column("Made up of")]
        rows = [row for unit in force.units for row in _unit(unit, fields, pays=pays)]
    else:
        title, caption = "Designs", "Designs and their points"
        heads = [Column("Design"), Column("Kind")]
        rows = [
            (Cell(breakable(one.name), plain=True), Cell(one.kind.title), *((_figure(one.points),) if pays else ()))
            for one in force.designs
        ]
    if not pays:
        return Section(title, (Table(tuple(heads), tuple(rows), caption, breakable=True),))
    rows.append((Cell("Total", strong=True), *(Cell(""),) * (len(heads) - 1), _total(force)))
    columns = (*heads, Column("Points", align="right"))
    return Section(title, (Table(columns, tuple(rows), caption, group_rows=(len(rows) - 1,), breakable=True),))


def _unit(unit: Unit, fields: tuple[Field, ...], *, pays: bool) -> Iterable[tuple[Cell, ...]]:
    """A unit, and what its player says of it in a row below."""
    several = len(unit.of) > 1 and any(one.design.kind.pays for one in unit.of)
    of = ", ".join(
        f"{one.count}{_SPACE}×{_SPACE}{breakable(one.design.name)}"
        + (f"{_SPACE}({_spell(one.points)})" if several else "")
        for one in unit.of
    )
    said = tuple(Cell(unit_word(field, unit)) for field in fields)
    points = (_figure(unit.points),) if pays else ()
    yield (Cell(breakable(unit.name), plain=True, strong=True), *said, Cell(of or NOTHING, plain=True), *points)
    if unit.note.strip():
        yield Cell(""), Cell(breakable(unit.note.strip()), plain=True, span=len(fields) + 1 + len(points))


def unit_word(field: Field, unit: Unit) -> str:
    """What is said of a unit, by its printed name; a dash where nothing is."""
    value = unit.values.get(field.name)
    if value is None or field.choice is None:
        return NOTHING
    return str(field.choice.names.get(value, value))


def _points(force: Force) -> Section:
    """Points by kind, in the order of the designs, and what is left of the budget."""
    fielded = [entry for unit in force.units for entry in unit.of]
    fielded = fielded if force.units else [Entry(one, 1, one.place) for one in force.designs]
    spent: dict[str, tuple[int, Number | None]] = {one.kind.title: (0, 0) for one in force.designs}
    for entry in fielded:
        count, points = spent[entry.design.kind.title]
        known = points is not None and entry.points is not None
        spent[entry.design.kind.title] = (count + entry.count, (points or 0) + (entry.points or 0) if known else None)
    rows = [
        (Cell(title), Cell(str(count)), _figure(points), Cell(_share(points, force)))
        for title, (count, points) in spent.items()
        if count
    ]
    count = sum(count for count, _ in spent.values())
    rows.append((Cell("Total", strong=True), Cell(str(count), strong=True), _total(force), Cell("")))
    begins = [len(rows) - 1]
    if force.budget is not None:
        left = force.budget - force.total
        word = "Left" if left >= 0 else "Over"
        rows.append((Cell("Budget"), Cell(""), Cell(number(force.budget)), Cell("")))
        rows.append((Cell(word, strong=True), Cell(""), Cell(number(max(left, -left)), strong=True), Cell("")))
    if not _pays(force):
        kinds = tuple((kind, Cell(number.text, strong=number.strong)) for kind, number, *_ in rows)
        two = (Column("Kind"), Column("Number", align="right"))
        return Section("Fielded", (Table(two, kinds, "Designs by kind", group_rows=(len(kinds) - 1,)),))
    heads = (Column("Kind"), *(Column(head, align="right") for head in ("Number", "Points", "Share")))
    return Section("Points", (Table(heads, tuple(rows), "Points by kind", group_rows=tuple(begins)),))


def _share(points: Number | None, force: Force) -> str:
    """Of the whole; nothing where that is not known."""
    if points is None or not force.whole or not force.total:
        return ""
    return f"{percent(Fraction(points) / force.total)}%"


def _checked(force: Force, errors: Sequence[Problem], advice: Sequence[Problem]) -> tuple[Section, ...]:
    """What the force was checked against, and what came of it."""
    titles = [f"{one.title} ({date(one.edition)})" for one in force.rules.manifests.values()]
    listed = " and ".join([", ".join(titles[:-1]), titles[-1]] if len(titles) > 1 else titles)
    if errors:
        text = f"**Not lawful yet** by {listed}: see the problems below."
    else:
        text = f"Every design and unit keeps the limits of {listed}."
        text += f" {len(advice)} piece{'s' if len(advice) != 1 else ''} of advice below." if advice else ""
    return (Section("Checked", (Prose((text,)),)),)


def _problems(force: Force, title: str, problems: Sequence[Problem]) -> Section:
    """What is wrong or odd, where, and what would mend it."""
    heads = (Column("Where"), Column("What"), *((Column("Help"),) if any(one.hint for one in problems) else ()))
    rows = []
    for one in problems:
        cells = (_where(force, one), f"{one.expected}; found {one.found}", one.hint)
        rows.append(tuple(Cell(breakable(text), plain=True) for text in cells[: len(heads)]))
    return Section(title, (Table(heads, tuple(rows), f"{title} of this force", breakable=True, wordy=True),))


def _where(force: Force, problem: Problem) -> str:
    """The design or unit by its name, and the field; else the field, else the line."""
    found = _PART.match(problem.field)
    value = force.place.inside.value
    if found and isinstance(value, dict) and problem.span.file == force.place.span().file:
        what, index, rest = found[1], int(found[2]), found[3]
        entry = value[what][index]
        said = entry.get(what.removesuffix("s")) if isinstance(entry, dict) else None
        if isinstance(said, str):
            return f"{said}: {rest}" if rest and not rest.startswith("of") else said
    return problem.field or f"line {problem.span.line}"


def _designs(force: Force) -> list[Section]:
    """Every design with its working: a table for each, two abreast; those of a few lines share one."""
    free = [one for one in force.designs if not one.kind.pays]
    long = [one for one in force.designs if one.kind.pays and len(one.priced.lines) > _FEW]
    short = [one for one in force.designs if one.kind.pays and len(one.priced.lines) <= _FEW]
    found = []
    if free:
        heads = (Column("Design"), Column("What follows from it"))
        rows = [row for one in free for row in _free(one)]
        title = "Designs and their figures"
        found.append(Section(title, (Table(heads, tuple(rows), title, breakable=True, wordy=True),)))
    high = [one for one in long if len(one.priced.lines) > _MANY]
    title = "Designs and their working"
    if long != high:
        blocks = tuple(_design(one) for one in long if one not in high)
        found.append(Section(title, blocks, abreast=2))
    # Too high to stand beside another, perhaps for a page.
    found += [Section(f"{one.kind.title} and its working", (replace(_design(one), breakable=True),)) for one in high]
    if short:
        columns = (Column("Design"), Column("Kind"), Column("Working"), Column("Points", align="right"))
        rows = [row for one in short for row in _short(one)]
        title = "Designs of a few lines" if long else "Designs and their working"
        found.append(Section(title, (Table(columns, tuple(rows), title, breakable=True),)))
    return found


def _design(design: Design) -> Table:
    uses = (("capacity", design.priced.capacity), ("weapon systems", design.priced.systems))
    held = [f"{name} {number(one.used)} of {number(one.allowed)}" for name, one in uses if one.allowed is not None]
    note = f"{design.kind.title}{': ' if held else ''}{', '.join(held)}."
    table = working_table(design.priced, breakable(design.name), _spell(design.points), note, held=bool(held))
    said = breakable(design.note.strip())
    rows = (*table.rows, (Cell(said, plain=True, span=len(table.columns)),)) if said else table.rows
    return replace(table, plain_caption=True, rows=rows)


def _free(design: Design) -> Iterable[tuple[Cell, ...]]:
    """A design of a kind without points: its figures in a run, and what its player says of it."""
    told = " · ".join(f"{line.label} **{line.figure}**" for line in design.priced.lines)
    yield Cell(breakable(design.name), plain=True, strong=True), Cell(told or NOTHING)
    if design.note.strip():
        yield Cell(""), Cell(breakable(design.note.strip()), plain=True)


def _short(design: Design) -> Iterable[tuple[Cell, ...]]:
    priced = [line for line in design.priced.lines if line.points]
    working = " + ".join(f"{line.label} {number(line.points or 0)}" for line in priced)
    yield (
        Cell(breakable(design.name), plain=True),
        Cell(design.kind.title),
        Cell(working or NOTHING),
        _figure(design.points),
    )
    if design.note.strip():
        yield Cell(""), Cell(breakable(design.note.strip()), plain=True, span=3)


def _note(text: str) -> tuple[Prose, ...]:
    return (
        (Prose(tuple(breakable(line) for line in text.splitlines() if line.strip()), plain=True),)
        if text.strip()
        else ()
    )


def _total(force: Force) -> Cell:
    return _figure(force.total if force.whole else None, strong=True)


def _figure(points: Number | None, *, strong: bool = False) -> Cell:
    return Cell(_spell(points), strong=strong)


def _spell(points: Number | None) -> str:
    return _UNKNOWN if points is None else number(points)
