"""The sheets of a whole force: its roster with the working of every total, and its odds against another force."""

from __future__ import annotations

import re
from dataclasses import replace
from fractions import Fraction
from pathlib import PurePath
from typing import TYPE_CHECKING, Any
from unicodedata import combining, normalize

from generator.documents.blocks.designs import working_table
from generator.documents.blocks.tables import listing, table_of
from generator.documents.words import (
    NOTES,
    NOTHING,
    date,
    decimal,
    draft,
    gauge,
    imprint,
    number,
    percent,
    points,
    tint,
)
from generator.forces.pricing import cited
from generator.forces.spreadsheet import write_code
from generator.render.blocks import Cell, Code, Column, Prose, Row, Section, Sheet, Table
from generator.render.language import Phrase, spoken_list
from generator.render.type.prose import breakable
from generator.render.type.text_length import length
from generator.reporting.problems import wrong
from generator.rules.entries.kinds import Field, unit_fields

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from generator.forces.force import Design, Force, Unit, UnitEntry
    from generator.problems import Problem
    from generator.rules.formulas.functions import Number
    from generator.scenarios.scenario import Scenario


_LONGEST_NAME = 60
_UNKNOWN = "?"
_SPACE = "\N{NO-BREAK SPACE}"
"""The space that keeps a count, its design and its points on one line."""
_MANY = 45
"""Most lines of a working that is half as wide as the page."""
_TALL = 24
"""Most rows of a table that must stay on one page."""
_ABREAST = 8
"""Most designs side by side in one table."""
_NAMES, _APART = 115.0, 3.0
"""Total width of the names of designs side by side, and space between names, in millimetres."""
_NAME, _BOLD = 9.0, "sans-bold"
"""Type size in points and face, with which names of designs are measured."""
_WHOLE_FORCE = "Whole force"


def roster(force: Force, fingerprint: str) -> Sheet:
    """Return the roster: a summary, then every design with its working.

    Designs whose kind has a sheet of its own are listed without their working. Problems are listed. A force with errors
    is marked as a draft on every page.
    """
    errors = [problem for problem in force.problems if problem.severity == "error"]
    advice = [problem for problem in force.problems if problem.severity == "advice"]
    pays = force.pays
    rows = (
        *(Section("", (note,)) for note in _note(force.note)),
        Row(((_points(force),), (_checked(force, errors, advice),)), (3, 2)),
        Section("Designs fielded", (designs_table(force, pays=pays),)) if pays or not force.units else None,
        Section("Units", (units_table(force, pays=pays),)) if force.units else None,
        *(problem_section(title, some) for title, some in (("Problems", errors), ("Advice", advice)) if some),
        *_design_rows(force),
        _whole_force(force),
        _sources(force),
    )
    strap = "What is fielded, what it costs, and why." if pays else "What is fielded, and what follows from it."
    kicker = ("force roster", force.rules.manifest.short)
    return sheet_about(force, "roster", breakable(force.name), strap, kicker, rows, fingerprint, flows=True)


def with_code(sheet: Sheet, force: Force) -> Sheet:
    """Return the roster with a QR code of its force at the end.

    The roster is unchanged if a part of the force could not be read, or if the force is too long for a code.
    """
    text = write_code(force) if force.whole else ""
    if not 0 < len(text) <= Code.MOST:
        return sheet
    blocks = (Code(text, f"QR code with the force {force.name}"), Prose((*NOTES["force_code"],)))
    return replace(sheet, rows=(*sheet.rows, *in_rows([Section("This force as a code", blocks, abreast=2)])))


def in_rows(items: Iterable[Row | Section | None]) -> tuple[Row, ...]:
    """Return the rows of a sheet. A section gets a row of its own; None is left out."""
    return tuple(Row(((item,),)) if isinstance(item, Section) else item for item in items if item is not None)


def sheet_about(
    item: Force | Scenario,
    name: str,
    title: str,
    strap: str,
    kicker: tuple[str, ...],
    rows: Iterable[Row | Section | None],
    fingerprint: str,
    **setting: Any,
) -> Sheet:
    """Return a sheet about a force or battle with its head and foot, and the draft warning if there are errors.

    ``name`` ends the sheet's id, such as "roster". ``kicker`` are the small texts at the right of the title. ``rows``
    are as ``in_rows`` takes them. ``setting`` are further fields of ``Sheet``. The strap is printed without markup,
    unless ``setting`` has ``plain_strap=False``.
    """
    return Sheet(
        id=f"{file_name(item)}-{name}",
        title=title,
        strap=strap,
        kicker=kicker,
        rows=in_rows(rows),
        banner=draft(item.problems),
        imprint=imprint(item.rules.manifest, fingerprint),
        **{"plain_strap": True, **setting},
    )


def file_name(item: Force | Scenario) -> str:
    """Return the name of a force or battle for file names, as ``hyphened`` does.

    If that is empty, take the name of its file without the ending in the same way, or else ``force`` or ``scenario``.
    """
    return hyphened(item.name) or hyphened(PurePath(item.place.span().file).stem) or type(item).__name__.lower()


def unaccented(said: str) -> str:
    """Return a text in small letters without accents, for comparison; letters such as ł keep their stroke."""
    return "".join(item for item in normalize("NFKD", said).casefold() if not combining(item))


def hyphened(said: str) -> str:
    """Return a name for file names: small letters a to z, digits and hyphens, at most 60 characters.

    Accents are left out, and all other characters become hyphens. The name is empty if no letter or digit is left.

    >>> hyphened("Red Company (2nd)"), hyphened("Große Brücke"), hyphened("№ 5"), hyphened("Ω")
    ('red-company-2nd', 'grosse-brucke', 'no-5', '')
    """
    name = re.sub(r"[^a-z0-9]+", "-", unaccented(said)).strip("-")
    if len(name) > _LONGEST_NAME:
        name = name[:_LONGEST_NAME].rpartition("-")[0] or name[:_LONGEST_NAME]
    return name


def designs_table(force: Force, *, pays: bool) -> Table:
    """Return a table of all designs, with the count of elements of each; in a force without units, each counts once.

    If the force ``pays``, the table also has the points of one element and of all elements. The last three designs
    stay on one page.
    """
    counts, rows = _counts(force), []
    for design in force.designs:
        many = counts.get(design.name, 0)
        row = _own(design.name), design.kind.title, number(many), points(design.points), points(design.points * many)
        rows.append(row if pays else row[:3])
    return table_of("fielded", rows, follows=tuple(range(max(1, len(rows) - 2), len(rows))))


def units_table(force: Force, *, pays: bool) -> Table:
    """Return a table of every unit with its values, designs and note.

    If the force ``pays``, the table also has points, what the force itself costs apart from its units, and the total.
    Points that are not known are a question mark.
    """
    fields = tuple(field for field in unit_fields(force.rules.kinds) if field.choice is not None)
    heads = ("Unit",), *((field.label,) for field in fields), ("Made up of",), ("Points", 0, "right")
    rows = [row for unit in force.units for row in _unit(unit, fields, pays=pays)]
    total: tuple[int, ...] = ()
    if pays:
        between = (Cell(""),) * (len(fields) + 1)
        if own := force.own_points:
            rows.append((Cell(_WHOLE_FORCE), *between, Cell(points(own))))
        total = (len(rows),)
        rows.append((Cell("Total", strong=True), *between, _total(force)))
    notes = tuple(index for index, row in enumerate(rows) if not row[0].text)  # on the page of their unit
    return table_of("units", rows, heads=heads, more=notes, group_rows=total, follows=total)


def _unit(unit: Unit, fields: tuple[Field, ...], *, pays: bool) -> Iterable[tuple[Cell, ...]]:
    """Yield the row of a unit, and a row below with its player's note if it has one.

    For a unit of a single element, the note of its design is in the unit's row. ``fields`` have a column each. If
    the force ``pays``, a last column has the points.
    """
    differ = pays and [item.points for item in unit.of] != [unit.points] and any(item.points for item in unit.of)
    of = ", ".join(counted(item) + (f"{_SPACE}({points(item.points)})" if differ else "") for item in unit.of)
    if [item.count for item in unit.of] == [1] and unit.of[0].design.note.strip():  # it says more than a single name
        design = unit.of[0].design
        note = breakable(design.note.strip())
        of = note if design.name == unit.name else f"{breakable(design.name)}: {note}"
    said = tuple(Cell(unit_word(field, unit)) for field in fields)
    money = (Cell(_spell(unit.points)),) if pays else ()
    yield (_named(unit.name), *said, Cell(of or NOTHING, plain=True), *money)
    if unit.note.strip():
        yield Cell(""), Cell(breakable(unit.note.strip()), plain=True, span=len(fields) + 1 + len(money))


def counted(item: UnitEntry) -> str:
    """Return a design's name as ``breakable`` text, after its count if there are several, such as "3 × Sledge"."""
    return (f"{item.count}{_SPACE}×{_SPACE}" if item.count > 1 else "") + breakable(item.design.name)


def unit_word(field: Field, unit: Unit) -> str:
    """Return the printed name of the value of a unit's field; a dash for a list or without a value.

    A dash also for a unit of idle designs, for which the fields of units have no effect.
    """
    value = unit.values.get(field.name)
    idle = bool(unit.of) and all(item.design.kind.idle for item in unit.of)
    if value is None or field.choice is None or idle:
        return NOTHING
    return str(field.choice.names.get(value, value))


def _points(force: Force) -> Section:
    """Return a section with counts and points by kind, in the order of the designs, and the rest of the budget.

    If the force does not pay, there are only counts.
    """
    rows: list[tuple[Cell | str, ...]] = []
    for title in dict.fromkeys(design.kind.title for design in force.designs):
        some = [entry for entry in force.entries if entry.design.kind.title == title]
        cost = sum((entry.points for entry in some), start=0)
        if some:
            rows.append((title, str(sum(entry.count for entry in some)), points(cost), _share(cost, force)))
    for title, cost in (("Units", force.shared_points - force.own_points), (_WHOLE_FORCE, force.own_points)):
        if cost:
            rows.append((title, "", points(cost), _share(cost, force)))
    begins = (len(rows),)
    rows.append((_strong("Total"), _strong(str(force.elements)), _total(force), ""))
    if force.pays and force.budget is not None:
        left = force.budget - force.total
        rows.append(("Budget", "", points(force.budget), ""))
        said = _spell(max(left, -left) if force.whole or left < 0 else None)
        rows.append((_strong("Left" if left >= 0 else "Over"), "", _strong(said), ""))
    title = "Points" if force.pays else "Fielded"
    shown = rows if force.pays else [row[:2] for row in rows]
    return Section(title, (table_of("points", shown, caption=f"{title} by kind", group_rows=begins),))


def _share(cost: Number, force: Force) -> str:
    """Return a cost as a percentage of the force's total; empty if the total is 0 or a part of it is not known."""
    return f"{percent(Fraction(cost) / force.total)}%" if force.whole and force.total else ""


def _checked(force: Force, errors: Sequence[Problem], advice: Sequence[Problem]) -> Section:
    """Return the section on the rule sets that the force was checked against, and the result."""
    manifests = force.rules.manifests.values()
    listed = spoken_list([Phrase("{title} ({date})", title=item.title, date=date(item.edition)) for item in manifests])
    if errors:
        text = Phrase("**Not lawful yet** by {rules}: see the problems below.", rules=listed)
    else:
        more = f"{len(advice)} piece{'s' if len(advice) != 1 else ''} of advice below." if advice else ""
        kept = Phrase("Every design and unit keeps the limits of {rules}.", rules=listed)
        text = Phrase.joined(" ", (kept, Phrase(more)))
    return Section("Checked", (Prose((text,)),))


def _note(text: str) -> tuple[Prose, ...]:
    lines = tuple(breakable(line) for line in text.splitlines() if line.strip())
    return (Prose(lines, plain=True),) if lines else ()


def _own(text: str) -> Cell:
    return Cell(breakable(text), plain=True)


def _named(text: str) -> Cell:
    return Cell(breakable(text), plain=True, strong=True)


def _strong(text: str) -> Cell:
    return Cell(text, strong=True)


def _total(force: Force) -> Cell:
    return _strong(_spell(force.total if force.whole else None))


def _spell(cost: Number | None) -> str:
    return _UNKNOWN if cost is None else points(cost)


def _counts(force: Force) -> dict[str, int]:
    """Return the count of elements of each design that is in a unit, by name; without units, 1 for each design."""
    return force.counts if force.units else dict.fromkeys((design.name for design in force.designs), 1)


def _design_rows(force: Force) -> Iterator[Row | Section]:
    """Yield lists and figures of designs with a sheet of their own, then, under one title, the working of the others.

    A working is half as wide as the page. A working of more than 45 lines is as wide as the page, and comes last.
    """
    counts = _counts(force)
    worked = _worked(force)
    yield from _elsewhere(force, counts)
    if worked:
        pays = any(design.kind.pays for design in worked)
        yield Section("Designs and their working" if pays else "Designs and their figures", ())

    def is_high(design: Design) -> bool:  # too high to stand beside another table, perhaps higher than a page
        return len(design.priced.lines) > _MANY

    for design in sorted(worked, key=is_high):
        table, high = _design(design, counts), is_high(design)
        yield Row(((Section("", (replace(table, breakable=high or table.breakable),)),),), half=not high)


def _whole_force(force: Force) -> Section | None:
    """Return a section with the working of what the whole force pays and carries.

    None if no such line of the rules applies, or if a part of the force could not be read.
    """
    if force.priced is None or not force.priced.lines:
        return None
    used, allowed = force.priced.capacity.used, force.priced.capacity.allowed
    table = working_table(force.priced, _WHOLE_FORCE, points(force.own_points), "", held=bool(used))
    full = f"capacity {number(used)} of {number(allowed)}" if used and allowed is not None else ""
    return Section(_WHOLE_FORCE, (replace(table, show_caption=False),), full)


def _sources(force: Force) -> Section | None:
    """Return the section with the sources of the cost lines of designs and of the whole force; None if none is cited.

    Designs that have a sheet of their own are left out.
    """
    own = {manifest.source for manifest in force.rules.manifests.values()}
    every = [*(design.priced for design in _worked(force)), *([force.priced] if force.priced else [])]
    rows = [(item.cite, ", ".join(item.lines)) for item in cited(every, own)]
    return listing("cited", rows, breakable=len(rows) > _TALL)


def _worked(force: Force) -> list[Design]:
    """Return the designs whose kind names no sheet for its figures in ``on_sheet``."""
    return [design for design in force.designs if not design.kind.on_sheet]


def _elsewhere(force: Force, counts: dict[str, int]) -> Iterable[Section]:
    """For each sheet that kinds of designs name in ``on_sheet``, yield a section that lists the designs of these kinds.

    It says the kind, count and note of each. After it follow sections with the figures of each kind's designs side by
    side. ``counts`` is the count of elements of each design, by name.
    """
    for sheet in dict.fromkeys(design.kind.on_sheet for design in force.designs if design.kind.on_sheet):
        designs = [design for design in force.designs if design.kind.on_sheet == sheet]
        rows = []
        for design in designs:
            many, note = number(counts.get(design.name, 0)), _own(design.note.strip() or NOTHING)
            rows.append((_named(design.name), design.kind.title, many, note))
        yield Section("Designs and their sheets", (table_of("noted", rows),), "figures: on the card of each")
        for kind in dict.fromkeys(design.kind.title for design in designs):
            alike = [design for design in designs if design.kind.title == kind]
            longest = max(length(word, _NAME, _BOLD) for design in alike for word in design.name.split())
            each = max(1, min(_ABREAST, int(_NAMES // (longest + _APART))))
            for start in range(0, len(alike), each):
                yield from _side_by_side(kind, alike[start : start + each])


def _side_by_side(kind: str, designs: Sequence[Design]) -> Iterable[Section]:
    """Yield a section with a table of a kind's designs: a row for each figure and a column for each design.

    ``kind`` is the printed title of the kind that all ``designs`` have. Figures are the kind's lines that every design
    has: lines of list entries and with conditions are left out. So are lines with placeholders in their labels. Yield
    nothing if no line is left.
    """
    lines = [
        line for line in designs[0].kind.lines if line.each is None and line.when is None and "{" not in line.label
    ]
    if lines:
        names = (Cell("Design"), *(_named(design.name) for design in designs))
        rows = ((Cell(line.label), *(Cell(_line_figure(design, line.id)) for design in designs)) for line in lines)
        columns = (Column(""), *(Column("", align="centre") for _ in designs))
        yield Section(f"{kind}s side by side", (Table(columns, (names, *rows), "What each of them has", dense=True),))


def _line_figure(design: Design, name: str) -> str:
    line = design.priced.line(name)
    return number(0) if line is None else line.figure or number(line.amount)  # a price leaves lines of 0 points out


def _design(design: Design, counts: dict[str, int]) -> Table:
    """Return the working of a design as a table.

    The last rows are its capacity and its weapon systems, if they have a limit, and its note. They stay with the
    working. ``counts`` is the count of elements of each design, by name; the head says it unless it is 1.
    """
    uses = (("Capacity", design.priced.capacity), ("Weapon systems", design.priced.systems))
    held = [(name, item.used, item.allowed) for name, item in uses if item.allowed is not None]
    table = working_table(design.priced, breakable(design.name), points(design.points), "", held=bool(held))
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


def problem_section(title: str, problems: Sequence[Problem]) -> Section:
    """Return a section with a table of problems: the place, what is wrong, the fix and the code.

    The words are those of ``fieldpress check``. The column of fixes is left out if no problem has a fix.
    """
    rows = []
    for problem in problems:
        where = problem.where or problem.field or f"line {problem.span.line}"
        hint = _own(problem.hint) if problem.hint else None
        rows.append((_own(where), _own(wrong(problem)), hint, _own(problem.code)))
    return Section(title, (table_of("problems", rows, caption=f"{title} of this force"),))


_TARGETS = 6
"""The most targets beside each other."""


def matchup_sheet(force: Force, enemy: str, fires: Sequence[Mapping[str, Any]], fingerprint: str) -> Sheet:
    """Return the sheet of odds of a force and its enemy, whose name is ``enemy``.

    ``fires`` holds the odds of each force against the other, as ``fires_of`` in ``generator.commands.forces`` returns
    them. A force without odds against the other has no section.
    """
    rows = [
        Section(
            Phrase("{force} at {enemy}", force=fire["force"], enemy=fire["at"]),
            _tables(fire),
            "percent (expected successes)",
        )
        for fire in fires
        if fire["shots"]
    ]
    rows.append(Section("", (Prose((NOTES["matchup"],)),)))
    strap = Phrase("{force} and {enemy}", force=force.name, enemy=enemy)
    kicker = ("Odds", force.rules.manifest.short)
    return sheet_about(force, "matchup", "Force against force", strap, kicker, rows, fingerprint)


def _tables(fire: Mapping[str, Any]) -> tuple[Table | Prose, ...]:
    """Return a table for every six targets: a row for each way to fire, and last rows for all elements together.

    There is a last row for each effect that shots have at these targets, such as "destroy". Names of designs that are
    alike as targets stand below. ``fire`` holds the odds of one force against the other, as in ``matchup_sheet``.
    """
    groups = dict.fromkeys((*shot["targets"],) for shot in fire["shots"])
    named = [(f"{name} +{len(others)}" if others else name, [name, *others]) for name, *others in groups]
    tables = (_table(fire, named[start : start + _TARGETS]) for start in range(0, len(named), _TARGETS))
    alike = [f"{head}: {', '.join(names[1:])}" for head, names in named if names[1:]]
    return (*tables, *([Prose((*alike,), plain=True)] if alike else ()))


def _table(fire: Mapping[str, Any], named: Sequence[tuple[str, list[str]]]) -> Table:
    """Return a table with a column for each target (at most six), and a row for each way to fire.

    The last rows are for all elements together, one for each effect. A target is the head of its column, and the names
    of all designs that are alike as targets. ``fire`` holds the odds, as in ``matchup_sheet``.
    """
    targets = [names for _, names in named]
    odds: dict[Cell, dict[str, Cell]] = {}
    for shot in fire["shots"]:
        if shot["targets"] in targets:
            name = _own(f"{shot['elements']} × {shot['firer']}, {shot['shot']}: {shot['to']}")
            chance = Fraction(shot["chance"])
            odds.setdefault(name, {})[shot["targets"][0]] = _odds(chance, chance * shot["elements"])
    ways = len(odds)
    for item in fire["together"]:
        if item["targets"] in targets:
            name = _strong(Phrase.joined(", ", ("All together", item["to"])))
            numbers = (Fraction(str(item[key])) for key in ("at_least_one", "expected"))
            odds.setdefault(name, {})[item["targets"][0]] = _odds(*numbers, strong=True)
    rows = tuple((name, *(cells.get(names[0], Cell(NOTHING)) for names in targets)) for name, cells in odds.items())
    heads = (Column("Firer and shot", share=7), *(Column(head, align="centre", share=2) for head, _ in named))
    caption = f"{fire['force']} at {fire['at']}"
    return Table(heads, rows, caption, plain_caption=True, breakable=True, group_rows=(ways,))


def _odds(chance: Fraction, expected: Fraction, *, strong: bool = False) -> Cell:
    """Return the tinted cell of a chance in percent and the expected successes: "60 (1.2)"; bold if ``strong``."""
    return Cell(f"{percent(chance)} ({decimal(expected, 1)})", tint(chance), strong=strong)
