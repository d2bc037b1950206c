"""Read and write a force as a spreadsheet: a design in each row, list entries in short notation.

Columns for the whole force are filled in once: ``force``, ``rules``, ``budget``, ``force.note``, and ``options.`` or
``answers.`` with a rule set and a name. Columns for designs are ``design``, ``kind``, ``note`` and the fields of the
kinds. Columns for units are ``unit``, ``unit.count``, and ``unit.`` with a field of units or ``note``.

A row may name a unit and a design that another row describes, with the design's fields empty or repeated. Such a row
adds the design to the unit.
"""

from __future__ import annotations

import csv
import io
import re
from typing import TYPE_CHECKING, Any

from generator.forces.notation import read_setting, spell_entries, spell_setting, split_entries
from generator.parsing.csvtable import CsvDocument, is_separator, parse_csv
from generator.parsing.document import Document, Place
from generator.parsing.packed import CODE, packed, packed_text
from generator.parsing.scalars import MAX_DIGITS
from generator.parsing.text import read_text, split_lines
from generator.parsing.workbook import WORKBOOK, workbook_bytes, workbook_text
from generator.problems import Problem, Span
from generator.rules.entries.choices import spell_value
from generator.rules.entries.kinds import Field, unit_fields
from generator.rules.source.model_errors import show
from generator.suggest import CLOSE, nearest

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from generator.forces.force import Design, Force, Unit

_FIRST_ROW = (
    "a force has the columns force, rules, design, kind and the fields of the kind: fieldpress convert writes one"
)
OF_UNIT = "unit."
"""The prefix of the columns for a unit's fields."""
HEAD = {"force": "force", "rules": "rules", "budget": "budget", "libraries": "libraries", "force.note": "note"}
"""Columns for the whole force, and their keys; the first filled cell counts."""
SETTINGS = ("options", "answers")
"""The first word of the columns for settings, such as ``options.tin-soldiers.fog``."""
_OF_DESIGNS = ("design", "kind", "unit", "note")
COUNT = "unit.count"
"""The column for the number of the row's design; ``count`` alone may be a field of a kind."""
_OF_ENTRIES = (("design", "design"), ("count", COUNT))
"""The keys of a unit's entry, and their columns."""
_RUNS = re.compile(r"'*[=+\-@]")
"""How a formula begins, also behind apostrophes that an earlier file added."""
_NUMBER = re.compile(r"[+-]?\d+(?:\.\d+)?")
_WHOLE = re.compile(r"(\d{1,6})\.0+")
_READERS = {WORKBOOK: workbook_text, CODE: packed_text}
"""The readers of files that are not CSV."""
_ALWAYS = {"force", "rules", "design", "unit"}
"""A force has at least one of these columns."""
_OF_UNITS = ("count", "note")
"""The names after ``unit.`` that units have under all rules."""
_KNOWN = (*HEAD, *_OF_DESIGNS, *(f"{OF_UNIT}{unit}" for unit in _OF_UNITS))


def read_spreadsheet(path: Path, name: str) -> tuple[Document | None, tuple[Problem, ...]]:
    """Return a table as the document of a YAML file with the same force; None if it is not a force.

    The file is a workbook if its name ends in ``.xlsx``, a packed line if it ends in ``.qr``, or else CSV.

    Problems: of the text and the table; only F205 if the first row has no column of a force; F216 a cell that
    contradicts an earlier row.
    """
    text, problems = _READERS.get(path.suffix.lower(), read_text)(path, name)
    if text is None:
        return None, problems
    foreign = _foreign(text, name)
    if foreign is not None:
        return None, (foreign,)
    table, problems = parse_csv(text, name)
    if table is None:
        return None, problems
    sheet = _Sheet(table)
    document = sheet.document()
    return document, (*problems, *sheet.clashes)


def _foreign(text: str, name: str) -> Problem | None:
    """Return F205 for an empty file, or for a table without rows or the columns of a force; otherwise None."""
    lines = split_lines(text)
    if not any(line.strip() and not is_separator(line) for line in lines):
        return Problem("F205", Span(name), "a force", "an empty file", hint=_FIRST_ROW)
    at = next((index for index, item in enumerate(lines) if item.strip() and not is_separator(item)), 0)
    head, problems = parse_csv("\n".join(lines[: at + 1]), name)
    if head is None or problems or not any(head.header):
        return None
    span = Span(name, at + 1, 1, lines[at])
    if not _ALWAYS & {*_columns(head.header)}:
        return Problem("F205", span, "a force", show(f"the columns {', '.join(head.header)}"), hint=_FIRST_ROW)
    if not any(line.strip(" ,;\t") for line in lines[at + 1 :]):
        hint = "add a row for each design under the columns"
        return Problem("F205", span, "a force", "columns without a row", hint=hint)
    return None


class _Sheet:
    """Reads a table: collects the value of the document, and the row and column of each part of it."""

    def __init__(self, table: CsvDocument) -> None:
        self.table = table
        self.rows = [{column: _as_meant(cell) for column, cell in row.items()} for row in table.rows]
        self.value: dict[str, Any] = {}
        self.cells: dict[tuple[str | int, ...], tuple[int, str]] = {}
        self.empty: dict[tuple[str | int, ...], tuple[int, str]] = {}
        """The row and column of each cell that is not filled in."""
        self.starts: dict[str, list[int]] = {}
        """The offset of each item in a cell that holds a list, by key."""
        self.clashes: list[Problem] = []
        self.columns = _columns(table.header)
        self.clashes += (*self._misspelt(), *self._without_units())

    def _misspelt(self) -> Iterator[Problem]:
        """Yield R202 for each heading that looks like a misspelt column."""
        for column, heading in self.columns.items():
            if column != _plain(heading):
                span, hint = self.table.header_span(heading), f"did you mean {column}?"
                yield Problem("R202", span, "a known column", f"the column {heading}", heading, hint)

    def _without_units(self) -> Iterator[Problem]:
        """Yield R201 if there are columns about units, but no column with their names."""
        about = [column for column in self.columns if column.startswith(OF_UNIT)]
        if about and "unit" not in self.columns:
            hint = f"add the heading unit, and name in each row the unit that {about[0]} is about"
            yield Problem("R201", self.table.header_span(""), "the column unit", "nothing", "unit", hint)

    def document(self) -> Document:
        """Return the document of the force, row by row."""
        units: dict[str, int] = {}
        designs: dict[str, dict[str, str]] = {}
        settings = {column: path for column in self.table.header if (path := _path_of_setting(column))}
        for number, row in enumerate(self.rows):
            filled = {
                column: cell.strip() for column, item in self.columns.items() if (cell := row.get(item, "")).strip()
            }
            for column, key in HEAD.items():
                if column in filled and not self._is_filled((key,), number, column, filled[column]):
                    self._head(number, column, filled[column])
            for column, path in settings.items():
                if column in filled and not self._is_filled(path, number, column, filled[column]):
                    self._setting(number, column, path, filled[column])
            elsewhere = (*HEAD, *settings, "unit")
            own = {
                item: cell for item, cell in filled.items() if item not in elsewhere and not item.startswith(OF_UNIT)
            }
            name = own.get("design", "")
            alone = own.keys() == {"design"} and (name in designs or "unit" in filled)
            again = alone or ("unit" in filled and own == designs.get(name))
            if own and not again:
                index = len(self.value.setdefault("designs", []))
                designs.setdefault(name, own)
                self._put(("designs", index), number, own)
                self.value["designs"].append({item: _without_nothing(item, cell) for item, cell in own.items()})
            if "unit" in filled:
                self._add_to_unit(number, filled, units)
            elif "unit" in self.columns and (
                about := next((item for item in filled if item.startswith(OF_UNIT)), None)
            ):
                hint = "fill in unit, or leave this cell empty"
                self.clashes.append(Problem("R201", self._span(number, about), "the key unit", "nothing", about, hint))
        lacking = [item for item in HEAD if self.rows and item in self.columns and HEAD[item] not in self.value]
        self.empty |= {(HEAD[item],): (0, item) for item in lacking}
        return Document(self.table.name, self.table.text, self.value, self._places())

    def _is_filled(self, path: tuple[str | int, ...], number: int, column: str, cell: str) -> bool:
        """Return whether an earlier row has filled this in. F216: the earlier row has another value."""
        if path not in self.cells:
            return False
        row, earlier_column = self.cells[path]
        before = self.rows[row][self.columns[earlier_column]].strip()
        if before != cell:
            expected = f"{show(before)}, as line {self._span(row, earlier_column).line} has it"
            hint = "fill in the value once, and leave the other cells empty"
            self.clashes.append(Problem("F216", self._span(number, column), expected, show(cell), column, hint))
        return True

    def _span(self, number: int, column: str) -> Span:
        return self.table.span(number, self.columns.get(column, column))

    def _head(self, number: int, column: str, cell: str) -> None:
        """Add a cell about the whole force."""
        several = column in ("rules", "libraries")
        self.cells[(HEAD[column],)] = (number, column)
        raw = self.rows[number][self.columns[column]]
        names = [*split_entries(raw.replace(",", ";") if column == "rules" else raw)]  # a file's name may have a comma
        self.value[HEAD[column]] = [name for name, _ in names] if several else _number(cell)
        self.starts[HEAD[column]] = [offset for _, offset in names] if several else []

    def _setting(self, number: int, column: str, path: tuple[str, ...], cell: str) -> None:
        """Add the cell of a setting."""
        what, ruleset, name = path
        self.cells[path] = (number, column)
        self.value.setdefault(what, {}).setdefault(ruleset, {})[name] = read_setting(cell)

    def _add_to_unit(self, number: int, filled: dict[str, str], units: dict[str, int]) -> None:
        """Add a row's design to its unit. Values of the unit come from the first row that gives them."""
        name = filled["unit"]
        listed = self.value.setdefault("units", [])
        about = {item.removeprefix(OF_UNIT): cell for item, cell in filled.items() if item.startswith(OF_UNIT)}
        about.pop("count", None)
        if name in units:
            for item, cell in about.items():
                if not self._is_filled(("units", units[name], item), number, f"{OF_UNIT}{item}", cell):
                    listed[units[name]][item] = _without_nothing(item, cell)
                    self.cells["units", units[name], item] = (number, f"{OF_UNIT}{item}")
        else:
            units[name] = len(listed)
            unit_values = {item: _without_nothing(item, cell) for item, cell in about.items()}
            listed.append({"unit": name, **unit_values, "of": []})
            unit = ("units", units[name])
            self.cells[unit] = self.cells[(*unit, "unit")] = (number, "unit")
            self.cells |= {(*unit, item): (number, f"{OF_UNIT}{item}") for item in about}
            others = (column.removeprefix(OF_UNIT) for column in self.columns if column.startswith(OF_UNIT))
            self.empty |= {(*unit, other): (number, f"{OF_UNIT}{other}") for other in others if other not in about}
        of = listed[units[name]]["of"]
        where = ("units", units[name], "of", len(of))
        self.cells[where] = (number, "design")
        self.cells |= {(*where, item): (number, column) for item, column in _OF_ENTRIES if column in self.columns}
        of.append(
            ({"design": filled["design"]} if "design" in filled else {})
            | ({"count": _number(filled[COUNT])} if COUNT in filled else {})
        )

    def _put(self, where: tuple[str | int, ...], number: int, cells: dict[str, str]) -> None:
        """Record the row and column of a design's cells, filled and empty."""
        self.cells[where] = (number, next(iter(cells), "design"))
        self.cells |= {(*where, column): (number, column) for column in cells}
        self.empty |= {(*where, column): (number, column) for column in self.columns if column not in cells}

    def _places(self) -> Place:
        """Return the place of every part of the document in the file."""
        root = Place(1, 1, 1, 1)
        for path, (number, column) in (self.empty | self.cells).items():
            here = root
            of_a_setting = path[0] in SETTINGS
            for depth, step in enumerate(path[:-1]):
                word = self._in_heading(column, path[:depth]) if of_a_setting else (1, 1)
                here = here.inside.setdefault(step, Place(*word, *word))
            span = self._span(number, column)
            if of_a_setting:  # the heading names the setting
                here.inside[path[-1]] = Place(span.line, span.column, *self._in_heading(column, path[:-1]))
                continue
            inside = here.inside[path[-1]].inside if path[-1] in here.inside else {}
            of_a_row = path[0] in ("designs", "units")  # its key is the heading; a missing column is reported there
            named = isinstance(path[-1], str)
            key = self.table.header_span(self.columns.get(column, column) if named else "") if of_a_row else span
            for index, start in enumerate(self.starts.get(column, ()) if path == (column,) else ()):
                at = span.line, _within(span, start)
                inside[index] = Place(*at, *at)
            here.inside[path[-1]] = Place(span.line, span.column, key.line, key.column, inside)
        return root

    def _in_heading(self, heading: str, before: tuple[str | int, ...]) -> tuple[int, int]:
        """Return the line and column of a word in a setting's heading, after the words ``before`` and their dots."""
        span = self.table.header_span(heading)
        return span.line, _within(span, sum(len(str(step)) + 1 for step in before))


def _within(span: Span, offset: int) -> int:
    """Return the column of a character in a cell, allowing for an opening quotation mark."""
    return span.column + offset + (offset > 0 and span.text[span.column - 1 : span.column] == '"')


def _columns(header: tuple[str, ...]) -> dict[str, str]:
    """Return the headings by column. Headings may have capitals, spaces, or a letter or two wrong."""
    plain = {heading: _plain(heading) for heading in header}
    by_column: dict[str, str] = {}
    for heading, column in plain.items():
        missing = [item for item in _KNOWN if item not in plain.values() and item not in by_column]
        known = column in _KNOWN or _path_of_setting(heading)
        likely = column if known else nearest(column, missing, CLOSE) or column
        by_column.setdefault(likely if likely not in by_column else heading, heading)
    return by_column


def _plain(heading: str) -> str:
    """Return a heading in lower case with underscores for spaces; the heading of a setting unchanged."""
    return heading if _path_of_setting(heading) else heading.lower().replace(" ", "_")


def _number(cell: str) -> int | str:
    """Return a cell as a whole number if it is one; otherwise unchanged."""
    return int(cell) if re.fullmatch(rf"-?[0-9]{{1,{MAX_DIGITS}}}", cell) else cell


def _without_nothing(column: str, cell: str) -> str:
    """Return a field's cell without the ``.0`` that spreadsheets may add to whole numbers."""
    whole = _WHOLE.fullmatch(cell) if column not in _OF_DESIGNS else None
    return whole[1] if whole else cell


def _path_of_setting(column: str) -> tuple[str, str, str] | None:
    """Return the path of a setting's column, such as ``options.tin-soldiers.fog``; None for any other column."""
    what, _, rest = column.partition(".")
    ruleset, _, name = rest.partition(".")
    return (what, ruleset, name) if what in SETTINGS and ruleset and name else None


def write_spreadsheet(force: Force) -> str:
    """Return the force as CSV text that reads back as the same force. Default values are left empty."""
    stream = io.StringIO()
    csv.writer(stream, lineterminator="\n").writerows(_table(force))
    return stream.getvalue()


def write_workbook(force: Force) -> bytes:
    """Return the force as a workbook (XLSX) with one sheet, the table of ``write_spreadsheet``."""
    return workbook_bytes(_table(force))


def write_code(force: Force) -> str:
    """Return the force as one line for a QR code or a message."""
    return packed(write_spreadsheet(force))


def _table(force: Force) -> list[list[str]]:
    """Return the headings and the rows of a force."""
    rows = [*_rows(force)]
    columns = list(dict.fromkeys(column for row in rows for column in row))
    order = [column for column in (*HEAD, *filter(_path_of_setting, columns), "unit") if column in columns]
    order += [column for column in columns if column.startswith(OF_UNIT) and column != COUNT]
    order += [item for item in (COUNT, "design", "kind") if item in columns]
    order += [column for column in columns if column not in (*order, "note")] + (["note"] if "note" in columns else [])
    return [order, *([_harmless(row.get(column, "")) for column in order] for row in rows)]


def _harmless(cell: str) -> str:
    """Return a cell that no spreadsheet program runs as a formula: with an apostrophe before its first sign.

    >>> _harmless("=SUM(A1)"), _as_meant("'=SUM(A1)"), _harmless("-3"), _harmless("Sparrow")
    ("'=SUM(A1)", '=SUM(A1)', '-3', 'Sparrow')
    """
    return f"'{cell}" if _RUNS.match(cell) and not _NUMBER.fullmatch(cell) else cell


def _as_meant(cell: str) -> str:
    """Return a cell without the apostrophe before a sign."""
    return cell[1:] if cell.startswith("'") and _RUNS.match(cell) else cell


def _rows(force: Force) -> list[dict[str, str]]:
    """Return the rows of a force by column: entries of units first, then designs without a unit."""
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
    head = {"force": force.name, "rules": "; ".join(force.rules.id.split("+"))}
    head |= {"budget": str(force.budget)} if force.budget is not None else {}
    head |= {"force.note": force.note} if force.note else {}
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
    cells = {}
    for field in fields:
        value = values.get(field.name)
        if field.choice is None:
            text = spell_entries(field.fields, value or ())
        else:
            text = "" if value == field.default else spell_value(value)
        if text:
            cells[field.name] = text
    return cells
