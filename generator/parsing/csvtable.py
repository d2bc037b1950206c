"""Read CSV files as spreadsheets save them: a header row, then rows of text cells with known lines and columns."""

from __future__ import annotations

import csv
import io
import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from generator.parsing.text import (
    BOM,
    ProblemList,
    StopError,
    check_characters,
    shown,
    split_lines,
)
from generator.problems import Problem, Span

MAX_ROWS = 10_000
"""The most rows after the header."""
MAX_CELL = 10_000
"""The most characters of a cell, in code points."""

_SEPARATOR = re.compile('"?sep=(?P<mark>[^"\r\n]?)"?[ \t]*(?:\r\n|\r|\n|$)', re.IGNORECASE)
"""A first line, such as ``sep=;``, that tells a spreadsheet the separator of cells. It is not part of the table."""
_QUOTED = re.compile('"[^"]*(?:""[^"]*)*"')
_BARE = {",": re.compile("[^,\r\n]*"), ";": re.compile("[^;\r\n]*")}
_LINE_END = re.compile("\r\n|\r|\n|\\Z")
_LINE_ENDS = re.compile("\r\n|\r|\n")
_HEADER_LOOK = 100_000
"""How many characters are read to tell commas from semicolons."""


def is_separator(line: str) -> bool:
    """Return whether a first line only names the separator of cells, such as ``sep=;``."""
    return _SEPARATOR.match(line) is not None


class _Record(NamedTuple):
    """A row as it stands in the text."""

    cells: tuple[str, ...]
    offsets: tuple[int, ...]
    """Where each cell begins; a quoted cell begins with its quotation mark."""


class CsvDocument:
    """A table of texts with their places, made by :func:`parse_csv`. Treat it as frozen."""

    def __init__(self, text: str, name: str) -> None:
        """``text`` is the whole text, without a byte order mark; ``name`` the file as the user named it."""
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
        """Return the place of the first character of a cell (if quoted, its quotation mark); rows count from 0.

        For an unknown column, return the first character of the row. Raises IndexError for an unknown row.
        """
        if not 0 <= row < len(self.rows):
            raise IndexError(row)
        return self._span(row + 1, column)

    def header_span(self, column: str) -> Span:
        """Return the place of a column's name, or of the header if there is no such column."""
        return self._span(0, column)

    def _span(self, row: int, column: str) -> Span:
        return self._at(self._records[row].offsets[self.header.index(column) if column in self.header else 0])

    def _at(self, offset: int) -> Span:
        """Return the place of an offset."""
        line = bisect_right(self._starts, offset)
        return Span(self.name, line, offset - self._starts[line - 1] + 1, self._lines[line - 1])

    def read(self) -> None:
        """Read the header and the rows. Raises StopError if there is no usable header."""
        records = self._every_record()
        if _SEPARATOR.match(self.text):
            next(records)
        first = next(records, _Record((), (0,)))
        self.header = header = tuple(cell.strip() for cell in first.cells)
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
        """Yield each row that is not blank; line ends inside cells become LF."""
        text, offset = self.text, 0
        while offset < len(text):
            record, end = self._record(offset)
            if text[offset:end].splitlines()[0].strip():
                yield record
            offset = end

    def _record(self, offset: int) -> tuple[_Record, int]:
        """Return the row that begins at an offset, and the offset of the next. Stops with F121 or F124."""
        cells, offsets = list[str](), [offset]
        while True:
            start = offsets[-1]
            quoted = self.text.startswith('"', start)
            cell = (_QUOTED if quoted else _BARE[self._delimiter]).match(self.text, start)
            if cell is None:
                hint = 'the cell that begins here never ends: add " after its last character'
                self.problems.stop("F121", self._at(start), 'a closing "', "the end of the file", hint)
            text = cell[0][1:-1].replace('""', '"') if quoted else cell[0]
            if len(text) > MAX_CELL:
                hint = 'check for a " that opens a cell here and is closed too late'
                expected = f"at most {MAX_CELL:,} characters in a cell"
                self.problems.stop("F124", self._at(start), expected, "more than that", hint)
            cells.append(text.replace("\r\n", "\n").replace("\r", "\n"))
            if self.text.startswith(self._delimiter, cell.end()):
                offsets.append(cell.end() + 1)
                continue
            end = _LINE_END.match(self.text, cell.end())
            if end is None:
                span = self._at(cell.end())
                found = shown(span.text[span.column - 1 :].strip()) or "a space"
                expected = f'a {self._mark} or a line end after the closing "'
                hint = 'a " inside a cell is written twice (""), and the whole cell stands between two more'
                self.problems.stop("F121", span, expected, found, hint)
            return _Record(tuple(cells), tuple(offsets)), end.end()

    def _check_header(self, record: _Record, header: tuple[str, ...]) -> None:
        """Add F123 for an empty file, tabs, a column without a name, or two columns of one name."""
        whole = self._at(record.offsets[0])
        if not header:
            expected, hint = "a first row that names the columns", "write one, such as: name,class,points"
            self.problems.stop("F123", whole, expected, "an empty file", hint)
        if len(header) == 1 and "\t" in header[0]:
            hint = "save the table with commas or semicolons between the cells"
            self.problems.stop("F123", whole, "commas or semicolons", "tabs", hint)
        first: dict[str, int] = {}
        for number, (column, offset) in enumerate(zip(header, record.offsets, strict=True), 1):
            if not column:
                hint = "name the column, or delete it"
                found = f"no name for column {number}"
                self.problems.add("F123", self._at(offset), "a name for each column", found, hint)
            elif first.setdefault(column, number) != number:
                hint = f"column {first[column]} has this name already: rename one or delete one"
                self.problems.add("F123", self._at(offset), "each name once", shown(column), hint)

    def _wrong_count(self, record: _Record, header: tuple[str, ...]) -> None:
        """Add F122 for a row with too many or too few cells."""
        cells, offset = record.cells, record.offsets[0]
        if len(cells) > len(header):
            offset = record.offsets[len(header)]
            hint = f'a cell that holds a {self._mark} needs " around it, with no space before the first "'
        else:
            hint = f"nothing for {shown(header[len(cells)])}: an empty cell needs its {self._mark} too"
        expected = f"{_cells(len(header))}, as in the header"
        self.problems.add("F122", self._at(offset), expected, _cells(len(cells)), hint)


def parse_csv(text: str, name: str) -> tuple[CsvDocument | None, tuple[Problem, ...]]:
    """Read a table with a header row; cells are quoted as in RFC 4180.

    The separator is a comma or a semicolon: as in a first line ``sep=;``, else as in the header.

    Empty lines are skipped, and so are empty cells after the last column. With F122 (a row with too many or too few
    cells) the row is left out. With these problems there is no document: F112 forbidden characters, F121 quotation
    marks, F123 header, F124 too many rows or too long a cell, and more than 100 problems.
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


def _cells(count: int) -> str:
    return "1 cell" if count == 1 else f"{count} cells"


def _delimiter(text: str) -> str:
    """Return the separator of cells, a comma or a semicolon; spreadsheets in much of Europe write semicolons."""
    first_line = _SEPARATOR.match(text)
    if first_line and first_line["mark"] in _BARE:
        return first_line["mark"]
    text = text[first_line.end() :] if first_line else text
    header = _QUOTED.sub("", text.lstrip()[:_HEADER_LOOK])
    line = split_lines(header)[0]
    return ";" if line.count(";") > line.count(",") else ","
