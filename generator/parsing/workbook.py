"""Read and write tables that are not CSV files: workbooks (XLSX), and lines of text for a QR code or a message.

A table is read as the text of a CSV file, so that places are lines and columns.
"""

from __future__ import annotations

import binascii
import io
import re
import zlib
from base64 import b32decode, b32encode
from datetime import date
from typing import TYPE_CHECKING, Any
from zipfile import ZipFile

from generator.parsing.csvtable import MAX_ROWS, csv_text
from generator.parsing.text import MAX_BYTES, read_bytes, read_text
from generator.problems import Problem, Span

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

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


def workbook_text(path: Path, name: str) -> tuple[str | None, tuple[Problem, ...]]:
    """Return the first sheet of a workbook as CSV text: row 7 is line 7, unless cells above have several lines.

    A formula counts as the value that the program which saved it computed. Columns after the 500th are not read. If
    the text is None, there is a problem: those of ``read_bytes``, and F104 for a file that is not a workbook, or for a
    cell without a value that can be read.
    """
    data, problems = read_bytes(path, name)
    if data is None:
        return None, problems
    hint = "open it in a spreadsheet program and save it as XLSX, or as CSV"
    try:
        rows, unread = _rows(data)
    except Exception:  # noqa: BLE001 - whatever the library raises for a broken file
        return None, (Problem("F104", Span(name), "a workbook (XLSX)", "a file that is not one", hint=hint),)
    if unread:
        found = f"a formula without a value in {', '.join(unread[:_MOST_CELLS])}"
        return None, (Problem("F104", Span(name), "cells with values", found, hint=hint),)
    return csv_text(rows), ()


def _rows(data: bytes) -> tuple[list[list[str]], list[str]]:
    """Return the cells of the first sheet as texts, and the names of cells whose formula has no value or an error.

    Raises various errors for a file that is not a workbook.
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
    """Return a cell as text."""
    if isinstance(cell, bool):
        return "yes" if cell else "no"
    if isinstance(cell, float) and cell.is_integer():
        return str(int(cell))
    return cell.isoformat() if isinstance(cell, date) else "" if cell is None else str(cell)


def workbook_bytes(rows: Iterable[Iterable[str]]) -> bytes:
    """Return the bytes of an XLSX file with these rows on one sheet, whose first row stays in view.

    A text of a whole number of up to nine digits becomes a number. No text becomes a formula.
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
    """Return a text as one line of capitals, digits and a colon, which QR codes store best.

    >>> unpacked(packed("force,rules")), packed("force,rules")[:11]
    ('force,rules', 'FIELDPRESS:')
    """
    data = zlib.compress(text.encode("utf-8"), 9)
    return _PREFIX + b32encode(data).decode("ascii").rstrip("=")


def unpacked(line: str) -> str:
    """Return the text of a line that ``packed`` made; spaces, line ends and small letters do not matter.

    Raises ValueError for any other line, and for a text above ``MAX_BYTES``.
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


def packed_text(path: Path, name: str) -> tuple[str | None, tuple[Problem, ...]]:
    """Return the text in a file with a line that ``packed`` made.

    If the text is None, there is one problem: F101 to F104, or F130.
    """
    line, problems = read_text(path, name)
    if line is None:
        return None, problems
    try:
        return unpacked(line), ()
    except ValueError:
        hint = f"copy the whole text of the code, from {_PREFIX} to its end"
        return None, (Problem("F104", Span(name), "the text of the code of a force", "another text", hint=hint),)
