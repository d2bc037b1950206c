"""Read and write tables: CSV files, workbooks (XLSX), and lines of text for a QR code or a message.

Every table is read as the text of a CSV file, so that places are lines and columns.
"""

from __future__ import annotations

import binascii
import csv
import io
import re
import warnings
import zlib
from base64 import b32decode, b32encode
from bisect import bisect_right
from collections.abc import Iterable, Iterator
from datetime import date
from pathlib import Path
from typing import Any, NamedTuple
from zipfile import ZipFile

from generator.parsing.text import (
    BOM,
    MAX_BYTES,
    ProblemList,
    StopError,
    check_characters,
    read_bytes,
    read_text,
    shown,
    split_lines,
)
from generator.problems import Problem, ProblemsError, Span

MAX_ROWS = 10_000
"""The most rows after the header."""
MAX_CELL = 10_000
"""The most characters of a cell, in code points."""

SEPARATOR = re.compile('"?sep=(?P<mark>[^"\r\n]?)"?[ \t]*(?:\r\n|\r|\n|$)', re.IGNORECASE)
"""A first line, such as ``sep=;``, that tells a spreadsheet the separator of cells. It is not part of the table."""
_QUOTED = re.compile('"[^"]*(?:""[^"]*)*"')
_CELLS = {
    mark: re.compile(
        f'(?:"(?P<quoted>[^"]*(?:""[^"]*)*)"|(?P<bare>(?!")[^{mark}\r\n]*))(?P<end>{mark}|\r\n|\r|\n|\\Z)?'
    )
    for mark in ",;"
}
"""For each separator, a cell with the separator or the line end after it."""
_LINE_ENDS = re.compile("\r\n|\r|\n")
_HEADER_LOOK = 100_000
"""How many characters are read to tell commas from semicolons."""


class _Record(NamedTuple):
    """A row as it stands in the text."""

    cells: tuple[str, ...]
    offsets: tuple[int, ...]
    """Where each cell begins; a quoted cell begins with its quotation mark."""


class CsvDocument:
    """A table of texts with their places, made by :func:`parse_csv`. Treat it as frozen."""

    def __init__(self, text: str, name: str) -> None:
        """Keep the text for ``read``; it must not begin with a byte order mark.

        ``name`` is the file as the user named it.
        """
        self.text = text
        self.name = name
        self.header: tuple[str, ...] = ()
        """The names of the columns, without spaces around them."""
        self.rows: tuple[dict[str, str], ...] = ()
        """The cells of each row by column, unchanged except that all line ends are LF."""
        self.problems = ProblemList()
        self._records: list[_Record] = []
        """The header and the rows of the document."""
        self._lines = split_lines(text)
        self._starts = [0, *(end.end() for end in _LINE_ENDS.finditer(text))]
        """The offset of each line."""
        self._delimiter = _delimiter(text)
        self._mark = "semicolon" if self._delimiter == ";" else "comma"

    def span(self, row: int, column: str) -> Span:
        """Return the place of the first character of a cell (if quoted, its quotation mark).

        Rows count from 0, without the header. For an unknown column, return the first character of the row. Raises
        IndexError for an unknown row.
        """
        return self._span(row + 1, column)

    def header_span(self, column: str) -> Span:
        """Return where a column's cell in the header begins; without such a column, where the header begins."""
        return self._span(0, column)

    def _span(self, row: int, column: str) -> Span:
        return self._at(self._records[row].offsets[self.header.index(column) if column in self.header else 0])

    def _at(self, offset: int) -> Span:
        """Return the place of the character at ``offset`` in the whole text."""
        line = bisect_right(self._starts, offset)
        return Span(self.name, line, offset - self._starts[line - 1] + 1, self._lines[line - 1])

    def read(self) -> None:
        """Read the header and the rows; problems go to ``problems``. A row with too many or too few cells is left out.

        Empty cells after the last column do not count as too many. Raises StopError if there is no usable header,
        and with F121, F124 or too many problems.
        """
        records = self._every_record()
        if SEPARATOR.match(self.text):
            next(records)
        first = next(records, _Record((), (0,)))
        names = tuple(cell.strip() for cell in first.cells)
        filled = (column for row in self._every_record() for column, cell in enumerate(row.cells, 1) if cell.strip())
        self.header = header = names if any(names[-1:]) else names[: max(filled, default=0)]
        self._records.append(first)
        self._check_header(first, header)
        usable, rows = not self.problems, list[dict[str, str]]()
        for number, record in enumerate(records):
            if number == MAX_ROWS:
                span = self._at(record.offsets[0])
                self.problems.stop("F124", span, f"at most {MAX_ROWS:,} rows", "one more", "split the table up")
            elif len(record.cells) < len(header) or any(cell.strip() for cell in record.cells[len(header) :]):
                self._wrong_count(record, header)
            elif usable:
                self._records.append(record)
                rows.append(dict(zip(header, record.cells[: len(header)], strict=True)))
        if not usable:
            raise StopError
        self.rows = tuple(rows)

    def _every_record(self) -> Iterator[_Record]:
        """Yield each row except blank lines; line ends inside cells become LF. A row of empty cells is not blank.

        Raises StopError: F121 for a wrong quotation mark, F124 for a cell that is too long.
        """
        cells, offsets, start = list[str](), list[int](), 0
        while start < len(self.text) or cells:
            cell = _CELLS[self._delimiter].match(self.text, start)
            if cell is None:
                hint = 'the cell that begins here never ends: add " after its last character'
                self.problems.stop("F121", self._at(start), 'a closing "', "the end of the file", hint)
            text = cell["bare"] if cell["quoted"] is None else cell["quoted"].replace('""', '"')
            if len(text) > MAX_CELL:
                hint = 'check for a " that opens a cell here and is closed too late'
                expected = f"at most {MAX_CELL:,} characters in a cell"
                self.problems.stop("F124", self._at(start), expected, "more than that", hint)
            if cell["end"] is None:
                span = self._at(cell.end())
                found = shown(span.text[span.column - 1 :].strip()) or "a space"
                expected = f'a {self._mark} or a line end after the closing "'
                hint = 'a " inside a cell is written twice (""), and the whole cell stands between two more'
                self.problems.stop("F121", span, expected, found, hint)
            cells.append(text.replace("\r\n", "\n").replace("\r", "\n"))
            offsets.append(start)
            start = cell.end()
            if cell["end"] != self._delimiter:
                if len(cells) > 1 or cell["quoted"] is not None or text.strip():
                    yield _Record(tuple(cells), tuple(offsets))
                cells, offsets = [], []

    def _check_header(self, record: _Record, header: tuple[str, ...]) -> None:
        """Add F123 for an empty file, tabs, a column without a name, or two columns of one name.

        ``record`` is the first row, and ``header`` has its names of columns. Raises StopError for an empty file, for
        tabs, and at the 100th problem.
        """
        whole = self._at(record.offsets[0])
        if not header:
            expected, hint = "a first row that names the columns", "write one, such as: name,class,points"
            self.problems.stop("F123", whole, expected, "an empty file", hint)
        if len(header) == 1 and "\t" in header[0]:
            hint = "save the table with commas or semicolons between the cells"
            self.problems.stop("F123", whole, "commas or semicolons", "tabs", hint)
        first: dict[str, int] = {}
        for number, (column, offset) in enumerate(zip(header, record.offsets, strict=False), 1):
            if not column:
                found = f"no name for column {number}"
                self.problems.add("F123", self._at(offset), "a name for each column", found, "name it, or delete it")
            elif first.setdefault(column, number) != number:
                hint = f"column {first[column]} has this name already: rename one or delete one"
                self.problems.add("F123", self._at(offset), "each name once", shown(column), hint)

    def _wrong_count(self, record: _Record, header: tuple[str, ...]) -> None:
        """Add F122 for a row, which must have more or fewer cells than the header.

        Raises StopError at the 100th problem.
        """
        cells, offset = record.cells, record.offsets[0]
        if len(cells) > len(header):
            offset = record.offsets[len(header)]
            hint = f'a cell that holds a {self._mark} needs " around it, with no space before the first "'
        else:
            hint = f"nothing for {shown(header[len(cells)])}: an empty cell needs its {self._mark} too"
        expected = f"{_cell_count(len(header))}, as in the header"
        self.problems.add("F122", self._at(offset), expected, _cell_count(len(cells)), hint)


def parse_csv(text: str, name: str) -> tuple[CsvDocument | None, tuple[Problem, ...]]:
    """Return a table with a header row, or None, and the problems of its text; cells are quoted as in RFC 4180.

    The separator is a comma or a semicolon: as in a first line ``sep=;``, else as in the header.

    Blank lines are skipped, and so are empty cells after the last column with a name or a filled cell. With F122 (a row
    with too many or too few cells) the row is left out. With these problems there is no document: F112 forbidden
    characters, F121 quotation marks, F123 header, F124 too many rows or too long a cell, and 100 problems.
    """
    text = text.removeprefix(BOM)
    problems = check_characters(text, name)
    if problems:
        return None, problems
    table = CsvDocument(text, name)
    try:
        table.read()
    except StopError:
        return None, tuple(table.problems)
    return table, tuple(table.problems)


def csv_text(rows: Iterable[Iterable[object]]) -> str:
    """Return rows as CSV text: commas between cells, quotation marks where needed, LF after each row.

    None is an empty cell, and other values are written as ``str`` writes them.
    """
    stream = io.StringIO()
    csv.writer(stream, lineterminator="\n").writerows(rows)
    return stream.getvalue()


def _cell_count(count: int) -> str:
    return "1 cell" if count == 1 else f"{count} cells"


def _delimiter(text: str) -> str:
    """Return the separator of cells: that of a line ``sep=;`` or ``sep=,``, else the more frequent in the first row.

    It is a comma or a semicolon; a comma if both are as frequent. Spreadsheets in much of Europe write semicolons.
    """
    first_line = SEPARATOR.match(text)
    if first_line and first_line["mark"] in _CELLS:
        return first_line["mark"]
    text = text[first_line.end() :] if first_line else text
    header = _QUOTED.sub("", text.lstrip()[:_HEADER_LOOK])
    line = split_lines(header)[0]
    return ";" if line.count(";") > line.count(",") else ","


WORKBOOK = ".xlsx"
"""The extension of a workbook."""
CODE = ".qr"
"""The extension of a file with a line for a QR code."""
TABLES = (".csv", WORKBOOK, CODE)
"""The extensions of files that hold a table."""
MAX_COLUMNS = 500
_MAX_UNPACKED = 50_000_000
"""The most bytes of a workbook when it is unpacked."""
_MOST_CELLS = 5
"""How many cells a message names at most."""
_PREFIX = "FIELDPRESS:"
_GROUP = 8
"""The line is made of groups of so many characters; the end of the last group is left out."""
_WHOLE = re.compile(r"0|-?[1-9]\d{0,8}")


def workbook_text(path: Path, name: str) -> str:
    """Return the first sheet of a workbook as CSV text: row 7 is line 7, unless cells above have several lines.

    A formula counts as the value that the program which saved it computed. Rows after the 10,002nd and columns after
    the 500th are not read. Raises ProblemsError as ``read_bytes`` does. Also raises F104: a file that is no workbook or
    has over 50 MB unpacked, a formula without a value, an error such as ``#N/A``.
    """
    data = read_bytes(path, name)
    hint = "open it in a spreadsheet program, correct it, and save it as XLSX or CSV"
    try:
        with warnings.catch_warnings(action="ignore"):  # of odd dates, which are errors in their cells
            rows, unread = _rows(data)
    except Exception:  # noqa: BLE001 - whatever the library raises for a broken file
        problem = Problem("F104", Span(name), "a workbook (XLSX)", "a file that is not one", hint=hint)
        raise ProblemsError(problem) from None
    if unread:
        found = f"no value, or an error, in {', '.join(unread[:_MOST_CELLS])}"
        raise ProblemsError(Problem("F104", Span(name), "cells with values", found, hint=hint))
    return csv_text(rows)


def _rows(data: bytes) -> tuple[list[list[str]], list[str]]:
    """Return the cells of the first sheet as texts, and the names of cells with an error or an uncomputed formula.

    At most ``MAX_ROWS`` + 2 rows and ``MAX_COLUMNS`` columns are read, up to the last filled one. Raises various
    errors for a file that is not a workbook or is too large.
    """
    from openpyxl import load_workbook
    from openpyxl.cell.cell import ERROR_CODES
    from openpyxl.utils import get_column_letter

    unpacked = sum(item.file_size for item in ZipFile(io.BytesIO(data)).infolist())
    if unpacked > _MAX_UNPACKED:
        raise ValueError(unpacked)
    values, written = (
        load_workbook(io.BytesIO(data), read_only=True, data_only=counted)
        .worksheets[0]
        .iter_rows(max_row=MAX_ROWS + 2, max_col=MAX_COLUMNS, values_only=True)
        for counted in (True, False)
    )
    texts, unread = [], []
    for number, (row, formulas) in enumerate(zip(values, written, strict=True), start=1):
        texts.append([_text(cell) for cell in row])
        for column, (cell, formula) in enumerate(zip(row, formulas, strict=True), start=1):
            if cell in ERROR_CODES or (cell is None and formula is not None):
                unread.append(f"{get_column_letter(column)}{number}")
    filled = max((index for row in texts for index, text in enumerate(row) if text), default=-1)
    return [row[: filled + 1] for row in texts], unread


def _text(cell: Any) -> str:
    """Return a cell's value as text: 3 for 3.0, yes or no for a boolean, ISO for a date, an empty text for None."""
    if isinstance(cell, bool):
        return "yes" if cell else "no"
    if isinstance(cell, float) and cell.is_integer():
        return str(int(cell))
    return cell.isoformat().removesuffix("T00:00:00") if isinstance(cell, date) else "" if cell is None else str(cell)


def workbook_bytes(rows: Iterable[Iterable[str]]) -> bytes:
    """Return the bytes of an XLSX file with these rows on one sheet, whose first row stays in view.

    A whole number of up to nine digits, without leading zeros, becomes a number. No text becomes a formula.
    """
    from openpyxl import Workbook

    book = Workbook()
    sheet = book.worksheets[0]
    for number, row in enumerate(rows, start=1):
        for column, text in enumerate(row, start=1):
            cell = sheet.cell(number, column)
            if _WHOLE.fullmatch(text):
                cell.value = int(text)
            elif text:
                cell.value = text
                cell.data_type = "s"
    sheet.freeze_panes = "A2"
    stream = io.BytesIO()
    book.save(stream)
    return stream.getvalue()


def packed(text: str) -> str:
    """Return a text compressed as one line of capitals, digits and a colon, which QR codes store best.

    >>> unpacked(packed("force,rules")), packed("force,rules")[:11]
    ('force,rules', 'FIELDPRESS:')
    """
    data = zlib.compress(text.encode("utf-8"), 9)
    return _PREFIX + b32encode(data).decode("ascii").rstrip("=")


def unpacked(line: str) -> str:
    """Return the text of a line that ``packed`` made.

    Spaces, line ends and small letters do not matter, and the prefix may be missing. Raises ValueError for a line that
    cannot be unpacked, and for a text above ``MAX_BYTES``.
    """
    letters = "".join(line.split()).upper().removeprefix(_PREFIX)
    unpacking = zlib.decompressobj()
    try:
        data = unpacking.decompress(b32decode(letters + "=" * (-len(letters) % _GROUP)), MAX_BYTES)
    except (binascii.Error, zlib.error) as error:
        raise ValueError(str(error)) from None
    if not unpacking.eof:
        message = "the end is missing"
        raise ValueError(message)
    return data.decode("utf-8")


def packed_text(path: Path, name: str) -> str:
    """Return the text in a file with a line that ``packed`` made. Raises ProblemsError: F101 to F104, or F130."""
    line = read_text(path, name)
    try:
        return unpacked(line)
    except ValueError:
        hint = f"copy the whole text of the code, from {_PREFIX} to its end"
        problem = Problem("F104", Span(name), "the text of the code of a force", "another text", hint=hint)
        raise ProblemsError(problem) from None
