"""Write tables in every format that a command can print."""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Sequence
from typing import Any, Literal, TypeAlias

Format: TypeAlias = Literal["text", "markdown", "csv", "json"]

WIDEST = 60
"""The most characters in a text column before it is wrapped."""
MANY = 6
"""With more columns than this, each column may have at most ``WIDEST_OF_MANY`` characters."""
WIDEST_OF_MANY = 36
NARROWEST = 6
"""The fewest characters of a column, however narrow the line."""
BETWEEN, HEAD = 2, 2
"""Spaces between columns, and spaces that the library leaves beside a head."""


_SPELLED: dict[object, str] = {None: "–", True: "yes", False: "no"}
"""The cells that are not printed as they are."""
_SIGN = re.compile(r"(\||<(?=[A-Za-z/!?]))")
"""A character that would end a cell of Markdown or begin HTML."""


def table(heads: Sequence[str], rows: Sequence[Sequence[Any]], form: Format, width: int | None = None) -> str:
    """Return the rows as text with a rule under the heads, as Markdown or as CSV, without a line end after the last.

    Every row has a cell for each head. ``width`` is the most characters of a line of text, if its columns can shrink so
    far (see ``NARROWEST``); None for no limit. In text, cells of more than ``WIDEST`` characters are wrapped, or with
    more than ``MANY`` columns, of more than ``WIDEST_OF_MANY``. None is printed as a dash, and booleans as yes and no.
    The format ``json`` gives text, too: use :func:`to_json` for data.

    >>> print(table(["die", "chance"], [["D4", "1/4"]], "csv"))
    die,chance
    D4,1/4
    """
    rows = [[_SPELLED[cell] if cell is None or isinstance(cell, bool) else cell for cell in row] for row in rows]
    if form == "csv":
        stream = io.StringIO()
        csv.writer(stream, lineterminator="\n").writerows([heads, *rows])
        return stream.getvalue().rstrip("\n")
    from tabulate import tabulate

    aligned = [_align([row[i] for row in rows]) for i in range(len(heads))]
    shape: Any = {"disable_numparse": True, "colalign": aligned if rows else None}
    if form == "markdown":
        top, *safe = [[_SIGN.sub(r"\\\1", str(cell)).replace("\n", " ") for cell in row] for row in (heads, *rows)]
        return tabulate(safe, top, "github", **shape)
    texts = [[str(cell) for cell in row] for row in rows]
    widths = _widths(heads, texts, width) if rows else []
    narrow = None if width is None else [item - HEAD for item in widths]
    return tabulate(texts, list(heads), "simple", maxcolwidths=widths or None, maxheadercolwidths=narrow, **shape)


def _widths(heads: Sequence[str], rows: Sequence[Sequence[str]], width: int | None) -> list[int]:
    """Return the most characters of each column. To fit ``width``, the widest columns shrink.

    Cells widen a column to at most WIDEST, or WIDEST_OF_MANY with many columns; longer words are broken. Other words
    are broken only if shrinking is not enough; words in columns without spaces, such as keys, are broken last. No
    column shrinks below NARROWEST, so the table may be wider than ``width``. Without ``width``, each column has WIDEST
    or WIDEST_OF_MANY characters. With ``width``, there must be a row.

    >>> _widths(["die", "note"], [["D4", "a note of twenty one"]], 19), _widths(["die"], [["D4"]], None)
    ([5, 12], [60])
    """
    most = WIDEST if len(heads) <= MANY else WIDEST_OF_MANY
    if width is None:
        return [most] * len(heads)
    cells = [[line for cell in column for line in cell.split("\n")] for column in zip(*rows, strict=True)]
    columns = [*zip(heads, cells, strict=True)]
    widths = [max(len(head) + HEAD, *(min(most, len(line)) for line in column)) for head, column in columns]
    words = [
        max(HEAD + max(map(len, head.split()), default=0), *(len(word) for line in column for word in line.split()), 0)
        for head, column in columns
    ]
    spaced = [any(" " in line for line in column) for column in cells]
    names = [NARROWEST if has_spaces else word for word, has_spaces in zip(words, spaced, strict=True)]
    for floors in (words, names, [NARROWEST] * len(heads)):
        for widest in range(max(NARROWEST, *widths), NARROWEST - 1, -1):
            fitted = [min(has, max(widest, floor)) for has, floor in zip(widths, floors, strict=True)]
            if sum(fitted) + BETWEEN * (len(heads) - 1) <= width:
                return fitted
    return fitted


def _align(cells: Sequence[Any]) -> str:
    """Return the alignment of a column: right if it has filled cells and all of them are figures, else left."""
    figures = [_is_figure(cell) for cell in cells if cell not in ("", _SPELLED[None])]
    return "right" if figures and all(figures) else "left"


def _is_figure(cell: object) -> bool:
    """Return whether a cell is a decimal number, a percentage or a range, such as 2.5, 50% or 3–5.

    A + or - may stand in front, and brackets around all. Fractions and real minus signs are not accepted.
    """
    return str(cell).strip("()").lstrip("+-").rstrip("%").replace(".", "").replace("–", "").isdigit()


def to_json(data: object) -> str:
    r"""Return data as indented JSON, in the order in which it was built.

    Raises TypeError for a value of a type that JSON does not have, such as a Fraction.

    Lone surrogates, as in odd file names, are escaped.

    >>> print(to_json(["½", "\udcff"]))
    [
      "½",
      "\udcff"
    ]
    """
    return json.dumps(data, ensure_ascii=False, indent=2).encode("utf-8", "backslashreplace").decode()
