"""The roster of a force, with the working of every total."""

from __future__ import annotations

import re
from dataclasses import replace
from fractions import Fraction
from pathlib import PurePath
from typing import TYPE_CHECKING
from unicodedata import combining, normalize

from generator.documents.force.roster_designs import (
    WHOLE_FORCE,
    design_rows,
    fielded_row,
    sources_row,
    whole_force_rows,
)
from generator.documents.imprint import draft, imprint
from generator.documents.words import NOTHING, date, percent, points
from generator.documents.words import points as spelled
from generator.forces.spreadsheet import write_code
from generator.render.blocks import Cell, Code, Column, Prose, Row, Section, Sheet, Table
from generator.render.type.prose import breakable
from generator.rules.entries.kinds import Field, Kind, unit_fields

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from generator.forces.force import Force, Unit
    from generator.problems import Problem
    from generator.rules.formulas.functions import Number

_NO_LETTER = re.compile(r"[^a-z0-9]+")
_LONGEST_NAME = 60
_UNKNOWN = "?"
_SPACE = "\N{NO-BREAK SPACE}"
"""The space that keeps a count, its design and its points on one line."""


def roster(force: Force, fingerprint: str) -> Sheet:
    """Return the roster: a summary, then every design with its working. A draft is marked on every page."""
    errors = [problem for problem in force.problems if problem.severity == "error"]
    advice = [problem for problem in force.problems if problem.severity == "advice"]
    said = tuple(Section("", (note,)) for note in _note(force.note))
    rows = [Row((said,))] if said else []
    rows.append(Row(((_points(force),), _checked(force, errors, advice)), (3, 2)))
    if _pays(force):
        rows.append(fielded_row(force))
    rows.append(Row(((_units(force),),)))
    rows += [
        Row(((problem_section(force, title, some),),))
        for title, some in (("Problems", errors), ("Advice", advice))
        if some
    ]
    rows += design_rows(force)
    rows += whole_force_rows(force)
    sources = sources_row(force)
    rows += [sources] if sources else []
    strap = "What is fielded, what it costs, and why." if _pays(force) else "What is fielded, and what follows from it."
    sheet = force_sheet(force, "roster", strap, tuple(rows), fingerprint)
    return replace(sheet, flows=True, plain_strap=True)


def with_code(sheet: Sheet, force: Force) -> Sheet:
    """Return a roster with a QR code of its force at the end, unless a part of the force is not valid or none fits."""
    text = write_code(force) if force.whole else ""
    if not 0 < len(text) <= Code.MOST:
        return sheet
    how = (
        "The code holds the whole force. Scan it and save the text as a file whose name ends in .qr.",
        "Every command reads this file. To change the force, write: fieldpress convert force.qr force.yaml",
    )
    blocks = (Code(text, f"QR code with the force {force.name}"), Prose(how))
    return replace(sheet, rows=(*sheet.rows, Row(((Section("This force as a code", blocks, abreast=2),),))))


def force_sheet(force: Force, name: str, strap: str, rows: tuple[Row, ...], fingerprint: str) -> Sheet:
    """Return a sheet of a force with its head and foot, and the draft warning if there are errors."""
    manifest = force.rules.manifest
    return Sheet(
        id=f"{file_name(force)}-{name}",
        title=breakable(force.name),
        strap=strap,
        kicker=(f"force {name}", manifest.short),
        rows=rows,
        banner=draft(force.problems),
        imprint=imprint(manifest, fingerprint),
    )


def file_name(force: Force) -> str:
    """Return the force's name for file names: words of small letters and digits, joined by hyphens."""
    return hyphened(force.name) or hyphened(PurePath(force.place.span().file).stem) or "force"


def hyphened(said: str) -> str:
    """Return a name for file names; empty if it has no letter or digit that files may have.

    >>> hyphened("Red Company (2nd)"), hyphened("Ölbrück"), hyphened("Ω")
    ('red-company-2nd', 'olbruck', '')
    """
    plain = "".join(item for item in normalize("NFKD", said.lower()) if not combining(item))
    name = _NO_LETTER.sub("-", plain).strip("-")
    if len(name) > _LONGEST_NAME:
        name = name[:_LONGEST_NAME].rpartition("-")[0] or name[:_LONGEST_NAME]
    return name


def _pays(force: Force) -> bool:
    """Return whether any design or the force has points by its rules."""
    return any(design.kind.pays for design in force.designs) or bool(force.total)


def _units(force: Force) -> Section:
    """Return every unit with its designs, or every design of a force without units, with points if any."""
    pays = _pays(force)
    fields = tuple(field for field in unit_fields(force.rules.kinds) if field.choice is not None)
    if force.units:
        title, caption = "Units", "Units and their points"
        heads = [Column("Unit"), *(Column(field.label) for field in fields), Column("Made up of")]
        rows = [row for unit in force.units for row in _unit(unit, fields, pays=pays)]
    else:
        title, caption = "Designs", "Designs and their points"
        heads = [Column("Design"), Column("Kind")]
        rows = [
            (
                Cell(breakable(design.name), plain=True),
                Cell(design.kind.title),
                *((_figure(design.points),) if pays else ()),
            )
            for design in force.designs
        ]
    total: tuple[int, ...] = ()
    if pays:
        if own := force.own_points:
            rows.append((Cell(WHOLE_FORCE), *(Cell(""),) * (len(heads) - 1), _figure(own)))
        total = (len(rows),)
        rows.append((Cell("Total", strong=True), *(Cell(""),) * (len(heads) - 1), _total(force)))
        heads.append(Column("Points", align="right"))
    notes = tuple(index for index, row in enumerate(rows) if not row[0].text)  # on the page of their unit
    table = Table(tuple(heads), tuple(rows), caption, breakable=True, more=notes, dense=True)
    return Section(title, (replace(table, group_rows=total, follows=total),))


def _unit(unit: Unit, fields: tuple[Field, ...], *, pays: bool) -> Iterable[tuple[Cell, ...]]:
    """Yield the row of a unit, and a row below with its player's note."""
    several = len(unit.of) > 1 and any(item.design.kind.pays for item in unit.of)
    of = ", ".join(
        f"{item.count}{_SPACE}×{_SPACE}{breakable(item.design.name)}"
        + (f"{_SPACE}({_spell(item.points)})" if several else "")
        for item in unit.of
    )
    said = tuple(Cell(unit_word(field, unit)) for field in fields)
    points = (_figure(unit.points),) if pays else ()
    yield (Cell(breakable(unit.name), plain=True, strong=True), *said, Cell(of or NOTHING, plain=True), *points)
    if unit.note.strip():
        yield Cell(""), Cell(breakable(unit.note.strip()), plain=True, span=len(fields) + 1 + len(points))


def unit_word(field: Field, unit: Unit) -> str:
    """Return the value of a unit's field by its printed name; a dash for no value and for a value without effect."""
    value = unit.values.get(field.name)
    idle = bool(unit.of) and all(item.design.kind.idle for item in unit.of)
    if value is None or field.choice is None or idle:
        return NOTHING
    return str(field.choice.names.get(value, value))


def _points(force: Force) -> Section:
    """Return points by kind, in the order of the designs, and the rest of the budget."""
    fielded = [*(entry for unit in force.units for entry in unit.of), *force.loose]
    spent: dict[str, tuple[int, Number | None]] = {design.kind.title: (0, 0) for design in force.designs}
    for entry in fielded:
        count, points = spent[entry.design.kind.title]
        known = points is not None and entry.points is not None
        spent[entry.design.kind.title] = (count + entry.count, (points or 0) + (entry.points or 0) if known else None)
    rows = [
        (Cell(title), Cell(str(count)), _figure(points), Cell(_share(points, force)))
        for title, (count, points) in spent.items()
        if count
    ]
    if own := force.own_points:
        rows.append((Cell(WHOLE_FORCE), Cell(""), _figure(own), Cell(_share(own, force))))
    count = sum(count for count, _ in spent.values())
    rows.append((Cell("Total", strong=True), Cell(str(count), strong=True), _total(force), Cell("")))
    begins = [len(rows) - 1]
    if force.budget is not None:
        left = force.budget - force.total
        word = "Left" if left >= 0 else "Over"
        rows.append((Cell("Budget"), Cell(""), Cell(spelled(force.budget)), Cell("")))
        rows.append((Cell(word, strong=True), Cell(""), Cell(spelled(max(left, -left)), strong=True), Cell("")))
    if not _pays(force):
        kinds = tuple((kind, Cell(number.text, strong=number.strong)) for kind, number, *_ in rows)
        two = (Column("Kind"), Column("Number", align="right"))
        return Section("Fielded", (Table(two, kinds, "Designs by kind", group_rows=(len(kinds) - 1,)),))
    heads = (Column("Kind"), *(Column(head, align="right") for head in ("Number", "Points", "Share")))
    return Section("Points", (Table(heads, tuple(rows), "Points by kind", group_rows=tuple(begins)),))


def _share(points: Number | None, force: Force) -> str:
    """Return the percentage of the force's total; empty if the total is not known."""
    if points is None or not force.whole or not force.total:
        return ""
    return f"{percent(Fraction(points) / force.total)}%"


def _checked(force: Force, errors: Sequence[Problem], advice: Sequence[Problem]) -> tuple[Section, ...]:
    """Return the rule sets that the force was checked against, and the result."""
    titles = [f"{manifest.title} ({date(manifest.edition)})" for manifest in force.rules.manifests.values()]
    listed = " and ".join([", ".join(titles[:-1]), titles[-1]] if len(titles) > 1 else titles)
    if errors:
        text = f"**Not lawful yet** by {listed}: see the problems below."
    else:
        text = f"Every design and unit keeps the limits of {listed}."
        text += f" {len(advice)} piece{'s' if len(advice) != 1 else ''} of advice below." if advice else ""
    return (Section("Checked", (Prose((text,)),)),)


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
    return _UNKNOWN if points is None else spelled(points)


_PART = re.compile(r"(designs|units)\[(\d+)\]\.?(.*)")


_STEP = re.compile(r"\w+|\[\d+\]")


_PATH = re.compile(r"\b[a-z_]+(?:\[\d+\])?(?:\.[a-z_]+)?")


_FIGURES = re.compile(r" \(not [^()]*(?:\([^()]*\)[^()]*)*\)$")


_LARGE = re.compile(r"(?<![\w.,])\d{4,9}(?![\w.])")


_CHANGE = re.compile(_PATH.pattern + ": ")


_OWN = {"of": "what is in it", "budget": "Budget", "units": "Units", "design": "", "unit": ""}
"""Printed names of the fields of the file itself."""


def problem_section(force: Force, title: str, problems: Sequence[Problem]) -> Section:
    """Return the table of problems: the place, the problem, its fix and code."""
    helped = any(_helps(problem, None) for problem in problems)
    heads = (Column("Where"), Column("What"), *((Column("What helps"),) if helped else ()), Column("Code"))
    rows = []
    for problem in problems:
        name, kind, field = _where(force, problem)
        where = (Cell(breakable(", ".join(filter(None, (name, field)))) or f"line {problem.span.line}", plain=True),)
        cells = (
            Cell(breakable(_told(problem, kind)), plain=True),
            *([Cell(breakable(_helps(problem, kind)), plain=True)] if helped else []),
        )
        rows.append((*where, *cells, Cell(problem.code, plain=True)))
    return Section(
        title, (Table(heads, tuple(rows), f"{title} of this force", breakable=True, wordy=True, dense=True),)
    )


def _told(problem: Problem, kind: Kind | None) -> str:
    """Return the problem as sentences: for a limit the rule and the facts, else what was expected and found."""
    found = _plain(_FIGURES.sub("", problem.found), kind)
    if _is_limit(problem):
        return f"{_grouped(problem.expected)}. Here: {_grouped(found)}."
    if problem.code == "F210":
        return f"Expected {_grouped(problem.expected)}, found {_grouped(found)}."
    return f"Expected {problem.expected}, found {problem.found or 'nothing'}."


def _helps(problem: Problem, kind: Kind | None) -> str:
    """Return the fix as a sentence: for a limit with field labels, for a slip as it is written in the file."""
    said = problem.hint if problem.hint != problem.expected else ""  # a limit that no change fixes repeats its rule
    if _is_limit(problem):
        sets = _CHANGE.match(said) is not None
        said = f"set {_plain(said, kind).replace(': ', ' to ')}" if sets else _plain(said, kind)
    if _is_limit(problem) or problem.code == "F210":
        said = _grouped(said)
    return said and said[0].upper() + said[1:] + ("" if said.endswith(("?", ".", "!")) else ".")


def _is_limit(problem: Problem) -> bool:
    return "/" in problem.code


def _grouped(text: str) -> str:
    """Return a text with a comma in its large numbers."""
    return _LARGE.sub(lambda match: points(int(match[0])), text)


def _where(force: Force, problem: Problem) -> tuple[str, Kind | None, str]:
    """Return the name of a problem's design or unit, its kind, and the label of the field."""
    found = _PART.match(problem.field)
    value = force.place.inside.value
    if not found or not isinstance(value, dict) or problem.span.file != force.place.span().file:
        return "", None, _OWN.get(problem.field, problem.field)
    what, index, rest = found[1], int(found[2]), found[3]
    entry = value[what][index]
    said = entry.get(what.removesuffix("s")) if isinstance(entry, dict) else None
    kinds = force.rules.kinds
    kind = kinds.get(str(entry.get("kind")) if what == "designs" else "unit") if isinstance(entry, dict) else None
    name = said if isinstance(said, str) else f"{what.removesuffix('s')} {index + 1}"
    return name, kind, _label(rest, kind)


def _label(path: str, kind: Kind | None) -> str:
    """Return a field path as printed labels, with list entries by number.

    >>> _label("weapons[1].class", None), _label("of[0]", None), _label("", None)
    ('weapons 2, class', 'what is in it', '')
    """
    fields: Iterable[Field] = kind.fields if kind is not None else ()
    parts: list[str] = []
    for step in _STEP.findall(path):
        if step.startswith("["):
            parts[-1] += f" {int(step[1:-1]) + 1}"
            continue
        if step in _OWN:
            return _OWN[step]
        field = next((field for field in fields if field.name == step), None)
        label = field.label if field is not None else step.replace("_", " ")
        parts.append(label[:1].lower() + label[1:] if not label[:2].isupper() else label)
        fields = field.fields if field is not None else ()
    return ", ".join(parts)


def _plain(text: str, kind: Kind | None) -> str:
    """Return a message with the kind's field names replaced by their labels."""
    if kind is None:
        return text
    names = {field.name for field in kind.fields} | {inner.name for field in kind.fields for inner in field.fields}

    def told(match: re.Match[str]) -> str:
        first = re.split(r"[.\[]", match[0])[0]
        if first not in names or (match[0] == first and not _is_named(text, match)):
            return match[0]
        return _label(match[0], kind) if any(field.name == first for field in kind.fields) else _inner(first, kind)

    return _PATH.sub(told, text)


def _is_named(text: str, match: re.Match[str]) -> bool:
    """Return whether a match is a field name, not a plain word: it begins the text or a change."""
    return match.start() == 0 or text[match.end() : match.end() + 2] == ": "


def _inner(name: str, kind: Kind) -> str:
    label = next(inner.label for field in kind.fields for inner in field.fields if inner.name == name)
    return label[:1].lower() + label[1:]
