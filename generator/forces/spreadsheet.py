"""Read and write a force as a spreadsheet: a design in each row, list entries in short notation.

Columns for the whole force are filled in once: ``force``, ``rules``, ``budget``, ``force.note``, and ``options.`` or
``answers.`` with a rule set and a name. Columns for designs are ``design``, ``kind``, ``note`` and the fields of the
kinds. Columns for units are ``unit``, ``unit.count``, and ``unit.`` with a field of units or ``note``.

A row may name a unit and a design that another row describes, with the design's fields empty or repeated. Such a row
adds the design to the unit.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from generator.forces.designs import given_values, head_values, read_setting, spell_fields, spell_setting, split_entries
from generator.parsing import tables
from generator.parsing.text import Document, Path, ValuePlace, read_text, split_lines
from generator.problems import CLOSE, Problem, ProblemsError, Span, nearest
from generator.rules.entries.kinds import Field, unit_fields
from generator.rules.source.validation import show

if TYPE_CHECKING:
    import pathlib
    from collections.abc import Iterator

    from generator.forces.force import Design, Force, Unit

_FIRST_ROW = (
    "a force has the columns force, rules, design, kind and the fields of the kind: fieldpress convert writes one"
)
OF_UNIT = "unit."
"""The prefix of the columns for a unit's fields."""
HEAD = {item: item for item in ("force", "rules", "budget", "edition", "libraries")} | {"force.note": "note"}
"""Columns for the whole force, and their keys; the first filled cell counts."""
SETTINGS = ("options", "answers")
"""The first word of the columns for settings, such as ``options.tin-soldiers.fog``."""
_OF_DESIGNS = ("design", "kind", "unit", "note")
"""The columns about a row's design and unit that are not fields; their cells are always texts."""
COUNT = "unit.count"
"""The column for the number of the row's design; ``count`` alone may be a field of a kind."""
_OF_ENTRIES = (("design", "design"), ("count", COUNT))
"""The keys of a unit's entry, and their columns."""
_RUNS = re.compile(r"'*[=+\-@]")
"""How a formula begins, also behind apostrophes that an earlier file added."""
_NUMBER = re.compile(r"[+-]?\d+(?:\.\d+)?")
_READERS = {tables.WORKBOOK: tables.workbook_text, tables.CODE: tables.packed_text}
"""The readers of files that are not CSV."""
_ALWAYS = {"force", "rules", "design", "unit"}
"""A force has at least one of these columns."""
_OF_UNITS = ("count", "note")
"""The names after ``unit.`` that units have under all rules."""
_KNOWN = (*HEAD, *_OF_DESIGNS, *(f"{OF_UNIT}{unit}" for unit in _OF_UNITS))


def read_spreadsheet(path: pathlib.Path, name: str) -> tuple[Document | None, tuple[Problem, ...]]:
    """Return a table as the document of a YAML file with the same force; None if it cannot be read or is not a force.

    The file is a workbook if its name ends in ``.xlsx``, a packed line if it ends in ``.qr``, or else CSV. Problems
    name the file ``name``. F1xx is for the text and the table, R201 and R202 are for headings. R201 is also for a unit
    without its name. F216 is for a value of the force or of a unit that contradicts an earlier row. F205 alone if the
    file is empty, or if the table has no row under its headings, or no column of a force.
    """
    try:
        text = _READERS.get(path.suffix.lower(), read_text)(path, name)
    except ProblemsError as error:
        return None, error.problems
    if not any(line.strip() and not tables.SEPARATOR.match(line) for line in split_lines(text)):
        return None, (Problem("F205", Span(name), "a force", "an empty file", hint=_FIRST_ROW),)
    table, problems = tables.parse_csv(text, name)
    if table is None:
        return None, problems
    span = table.header_span("")
    if not _ALWAYS & {*_columns(table.header)}:
        found = show(f"the columns {', '.join(table.header)}")
        return None, (Problem("F205", span, "a force", found, hint=_FIRST_ROW),)
    if not problems and not any(map(any, (row.values() for row in table.rows))):
        hint = "add a row for each design under the columns"
        return None, (Problem("F205", span, "a force", "columns without a row", hint=hint),)
    sheet = _Sheet(table)
    document = sheet.document()
    return document, (*problems, *sheet.clashes)


class _Sheet:
    """Reads a table: collects the value of the document, and the place of each part of it.

    The methods take the ``number`` of a row, counted from 0, and the name of a ``column``.
    """

    def __init__(self, table: tables.CsvDocument) -> None:
        self.table = table
        self.columns = _columns(table.header)
        self.rows = [{column: _as_meant(row[item]) for column, item in self.columns.items()} for row in table.rows]
        self.value: dict[str, Any] = {}
        self.root = ValuePlace(1, 1, 1, 1)
        self.units: dict[str, int] = {}
        """The index of each unit."""
        self.first: dict[Path, tuple[int, str]] = {}
        """The row and column that filled in a value first."""
        self.clashes: list[Problem] = [*self._misspelt(), *self._without_units()]

    def _misspelt(self) -> Iterator[Problem]:
        """Yield R202 for each heading that is nearly a missing column, and F123 for a second spelling of a heading."""
        for column, heading in self.columns.items():
            if column != _plain(heading):
                span, hint = self.table.header_span(heading), f"did you mean {column}?"
                yield Problem("R202", span, "a known column", f"the column {heading}", heading, hint)
        for heading in self.table.header:
            if (first := self.columns.get(_plain(heading), heading)) != heading:
                hint = f"{first} names this column already: rename one or delete one"
                yield Problem("F123", self.table.header_span(heading), "each name once", heading, hint=hint)

    def _without_units(self) -> Iterator[Problem]:
        """Yield R201 if there are columns about units, but no column with their names."""
        about = [column for column in self.columns if column.startswith(OF_UNIT)]
        if about and "unit" not in self.columns:
            hint = f"add the heading unit, and name in each row the unit that {about[0]} is about"
            yield Problem("R201", self.table.header_span(""), "the column unit", "nothing", "unit", hint)

    def document(self) -> Document:
        """Return the document of the force, read row by row.

        Adds to ``clashes`` F216 for a value of the force or of a unit that contradicts an earlier row. Also adds R201
        for a row that describes a unit without its name. A later row with more than the name of a design is a further
        design, unless it names a unit and has the same cells.
        """
        designs: dict[str, dict[str, str]] = {}
        whole: dict[str, Path] = {column: (key,) for column, key in HEAD.items()}
        whole |= {column: setting for column in self.columns if (setting := _path_of_setting(column))}
        for number, row in enumerate(self.rows):
            filled = {column: cell.strip() for column, cell in row.items() if cell.strip()}
            for column, path in whole.items():
                if column in filled and not self._is_filled(path, number, column):
                    self._whole(path, number, column, filled[column])
            about = {item.removeprefix(OF_UNIT): cell for item, cell in filled.items() if item.startswith(OF_UNIT)}
            elsewhere = {*whole, "unit", *(f"{OF_UNIT}{item}" for item in about)}
            own = {item: cell for item, cell in filled.items() if item not in elsewhere}
            name = own.get("design", "")
            alone = own.keys() == {"design"} and (name in designs or "unit" in filled)
            again = alone or ("unit" in filled and own == designs.get(name))
            if own and not again:
                designs.setdefault(name, own)
                self._add_design(number, own)
            if "unit" in filled:
                self._add_to_unit(number, filled, about)
            elif "unit" in self.columns and about:
                column, hint = f"{OF_UNIT}{next(iter(about))}", "fill in unit, or leave this cell empty"
                self.clashes.append(
                    Problem("R201", self._span(number, column), "the key unit", "nothing", column, hint)
                )
        for column, key in HEAD.items():
            if self.rows and column in self.columns and key not in self.value:
                self._record((key,), 0, column)
        return Document(self.table.name, self.table.text, self.value, self.root)

    def _is_filled(self, path: Path, number: int, column: str) -> bool:
        """Return whether an earlier row has filled in the value at a path. If not, record this cell as the first.

        Adds F216 if the earlier row has another value. ``number`` is the row, counted from 0.
        """
        row, earlier_column = self.first.setdefault(path, (number, column))
        if row == number:
            return False
        before, cell = self.rows[row][earlier_column].strip(), self.rows[number][column].strip()
        if before != cell:
            expected = f"{show(before)}, as line {self._span(row, earlier_column).line} has it"
            hint = "fill in the value once, and leave the other cells empty"
            self.clashes.append(Problem("F216", self._span(number, column), expected, show(cell), column, hint))
        return True

    def _span(self, number: int, column: str) -> Span:
        return self.table.span(number, self.columns.get(column, column))

    def _whole(self, path: Path, number: int, column: str, cell: str) -> None:
        """Add a filled cell of a column about the whole force, and record its place: a setting, or the value of a key.

        ``path`` is where a force file has the value. Rules and libraries become lists.
        """
        place = self._record(path, number, column)
        if column not in HEAD:
            what, ruleset, name = map(str, path)
            self.value.setdefault(what, {}).setdefault(ruleset, {})[name] = read_setting(cell)
        elif column in ("rules", "libraries"):
            raw = self.rows[number][column]
            names = [*split_entries(raw.replace(",", ";") if column == "rules" else raw)]  # a file may have a comma
            self.value[column] = [name for name, _ in names]
            for index, (_, offset) in enumerate(names):
                at = place.line, _within(self._span(number, column), offset)
                place.inside[index] = ValuePlace(*at, *at)
        else:
            self.value[HEAD[column]] = _number(_without_nothing(column, cell)) if column == "budget" else cell

    def _add_design(self, number: int, cells: dict[str, str]) -> None:
        """Add a design from the cells of a row, and record the place of each cell. Empty cells have places, too."""
        designs = self.value.setdefault("designs", [])
        where = ("designs", len(designs))
        designs.append({column: _without_nothing(column, cell) for column, cell in cells.items()})
        self._record(where, number, next(iter(cells)))
        for column in self.columns:
            self._record((*where, column), number, column)

    def _add_to_unit(self, number: int, filled: dict[str, str], about: dict[str, str]) -> None:
        """Add a row's design, with its count, to its unit. Values of the unit come from the first row that gives them.

        An entry is added even for a row without a design. ``filled`` has the row's cells without the empty ones.
        ``about`` has those of columns ``unit.NAME``, by NAME. Adds F216 for a value that contradicts an earlier row.
        """
        units = self.value.setdefault("units", [])
        index = self.units.setdefault(filled["unit"], len(units))
        where: Path = ("units", index)
        if index == len(units):
            units.append({"unit": filled["unit"], "of": []})
            self._record(where, number, "unit")
            for column in self.columns:
                if column == "unit" or column.startswith(OF_UNIT):
                    self._record((*where, column.removeprefix(OF_UNIT)), number, column)
        unit = units[index]
        for item, cell in about.items():
            if item not in ("count", "of") and not self._is_filled((*where, item), number, f"{OF_UNIT}{item}"):
                unit[item] = _without_nothing(item, cell)
                self._record((*where, item), number, f"{OF_UNIT}{item}")
        of = (*where, "of", len(unit["of"]))
        self._record(of, number, "design")
        for key, column in _OF_ENTRIES:
            if column in self.columns:
                self._record((*of, key), number, column)
        unit["of"].append(
            ({"design": filled["design"]} if "design" in filled else {})
            | ({"count": _number(_without_nothing(COUNT, filled[COUNT]))} if COUNT in filled else {})
        )

    def _record(self, path: Path, number: int, column: str) -> ValuePlace:
        """Record the place of the cell with the value at a path, and return the place. The cell may be empty.

        ``number`` is the row, counted from 0.
        """
        here, span, header = self.root, self._span(number, column), self.table.header_span
        for depth, step in enumerate(path[:-1]):
            word = self._in_heading(column, path[:depth]) if path[0] in SETTINGS else (1, 1)
            here = here.inside.setdefault(step, ValuePlace(*word, *word))
        key = span.line, span.column
        if path[0] in SETTINGS:  # the heading names the setting
            key = self._in_heading(column, path[:-1])
        elif path[0] in ("designs", "units"):  # the key is the heading; a missing column is reported there
            key = header(self.columns.get(column, column) if isinstance(path[-1], str) else "")[1:3]
        inside = here.inside[path[-1]].inside if path[-1] in here.inside else {}
        here.inside[path[-1]] = ValuePlace(span.line, span.column, *key, inside)
        return here.inside[path[-1]]

    def _in_heading(self, heading: str, before: Path) -> tuple[int, int]:
        """Return the line and column of a word in a setting's heading, after the words ``before`` and their dots."""
        span = self.table.header_span(heading)
        return span.line, _within(span, sum(len(str(step)) + 1 for step in before))


def _within(span: Span, offset: int) -> int:
    """Return the column of a character in a cell, allowing for an opening quotation mark.

    ``span`` is the place of the cell, and ``offset`` counts in its value. At offset 0, return the column of the
    quotation mark.
    """
    return span.column + offset + (offset > 0 and span.text[span.column - 1 : span.column] == '"')


def _columns(header: tuple[str, ...]) -> dict[str, str]:
    """Return the heading of each column, by the column's name, in the order of the headings.

    The heading of a setting must be exact. Any other heading may have capitals or spaces; unless it names a field, a
    letter or two may be wrong. An unknown heading is a column of its own. A second heading of a column is left out.
    """
    plain = {heading: _plain(heading) for heading in header}
    by_column: dict[str, str] = {}
    for heading, column in plain.items():
        missing = [item for item in _KNOWN if item not in plain.values() and item not in by_column]
        known = column in _KNOWN or _path_of_setting(heading)
        likely = column if known else nearest(column, missing, CLOSE) or column
        by_column.setdefault(likely, heading)
    return by_column


def _plain(heading: str) -> str:
    """Return a heading in lower case with underscores for spaces; the heading of a setting unchanged."""
    return heading if _path_of_setting(heading) else heading.lower().replace(" ", "_")


def _number(cell: str) -> int | str:
    """Return a cell of up to 40 digits, also after a minus sign, as a whole number; else return the cell unchanged."""
    return int(cell) if re.fullmatch(r"-?[0-9]{1,40}", cell) else cell


def _without_nothing(column: str, cell: str) -> str:
    """Return a cell without the ``.0`` that spreadsheets may add to whole numbers.

    The cells of the columns ``design``, ``kind``, ``unit`` and ``note`` are texts, and are returned unchanged.
    """
    return cell.partition(".")[0] if column not in _OF_DESIGNS and re.fullmatch(r"-?\d+\.0+", cell) else cell


def _path_of_setting(column: str) -> tuple[str, str, str] | None:
    """Return the path of a setting's column, such as ``options.tin-soldiers.fog``; None for any other column."""
    what, _, rest = column.partition(".")
    ruleset, _, name = rest.partition(".")
    return (what, ruleset, name) if what in SETTINGS and ruleset and name else None


def write_spreadsheet(force: Force) -> str:
    """Return the force as CSV text that reads back as the same force. Default values are left empty.

    Pictures, and units without designs, are left out. The designs of libraries are written with the others. The rows
    are in the order of the units; designs without a unit follow.
    """
    return tables.csv_text(_table(force))


def write_workbook(force: Force) -> bytes:
    """Return the force as a workbook (XLSX) with one sheet, the table of ``write_spreadsheet``."""
    return tables.workbook_bytes(_table(force))


def write_code(force: Force) -> str:
    """Return the force as one line for a QR code or a message: the packed text of ``write_spreadsheet``."""
    return tables.packed(write_spreadsheet(force))


def _table(force: Force) -> list[list[str]]:
    """Return a row of headings, then the rows of a force. A text that begins like a formula gets an apostrophe."""
    rows = [*_rows(force)]
    columns = list(dict.fromkeys(column for row in rows for column in row))
    order = [column for column in (*HEAD, *filter(_path_of_setting, columns), "unit") if column in columns]
    order += [column for column in columns if column.startswith(OF_UNIT) and column != COUNT]
    order += [item for item in (COUNT, "design", "kind") if item in columns]
    order += [column for column in columns if column not in (*order, "note")] + (["note"] if "note" in columns else [])
    return [order, *([_harmless(row.get(column, "")) for column in order] for row in rows)]


def _harmless(cell: str) -> str:
    """Return a cell that no spreadsheet program runs as a formula: with an apostrophe before it, if it begins like one.

    >>> _harmless("=SUM(A1)"), _as_meant("'=SUM(A1)"), _harmless("-3"), _harmless("Sparrow")
    ("'=SUM(A1)", '=SUM(A1)', '-3', 'Sparrow')
    """
    return f"'{cell}" if _RUNS.match(cell) and not _NUMBER.fullmatch(cell) else cell


def _as_meant(cell: str) -> str:
    """Return a cell as before ``_harmless``: without one apostrophe, if only apostrophes are before =, +, - or @."""
    return cell[1:] if cell.startswith("'") and _RUNS.match(cell) else cell


def _rows(force: Force) -> list[dict[str, str]]:
    """Return the rows of a force by column: entries of units first, then designs without a unit.

    A unit's values are only in its first row, and a design's values only in the first row with the design. Later rows
    have only the name. A count of 1 and empty cells are left out. The first row has the values about the whole force.
    """
    rows: list[dict[str, str]] = []
    described: set[str] = set()
    for unit in force.units:
        for entry in unit.of:
            own = {"design": entry.design.name} if entry.design.name in described else _design(entry.design)
            described.add(entry.design.name)
            first = not rows or rows[-1].get("unit") != unit.name
            count = {COUNT: str(entry.count)} if entry.count != 1 else {}
            rows.append({"unit": unit.name} | (_unit(force, unit) if first else {}) | count | own)
    rows += [_design(design) for design in force.designs if design.name not in described]
    values = head_values(force) | {"rules": "; ".join(force.rules.id.split("+"))}
    head = {column: str(values[key]) for column, key in HEAD.items() if key in values}
    head |= {path: spell_setting(value) for path, value in force.settings.by_path().items()}
    return [head | rows[0], *rows[1:]] if rows else [head]


def _design(design: Design) -> dict[str, str]:
    cells = {"design": design.name, "kind": design.kind.id, **_fields(design.kind.fields, design.values)}
    return cells | ({"note": design.note} if design.note else {})


def _unit(force: Force, unit: Unit) -> dict[str, str]:
    fields = unit_fields(force.rules.kinds)
    cells = {f"{OF_UNIT}{name}": cell for name, cell in _fields(fields, unit.values).items()}
    return cells | ({f"{OF_UNIT}note": unit.note} if unit.note else {})


def _fields(fields: tuple[Field, ...], values: Any) -> dict[str, str]:
    given = given_values(fields, values)
    return {name: text for name, text in spell_fields(fields, values).items() if name in given}
