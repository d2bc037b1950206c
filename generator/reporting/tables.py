"""Rows under heads in every format that a command can print."""

from __future__ import annotations

import csv
import io
import json
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Sequence

Format: TypeAlias = Literal["text", "markdown", "csv", "json"]
FORMATS: tuple[Format, ...] = ("text", "markdown", "csv", "json")

WIDEST = 60
"""Characters in a text column before it is wrapped."""
MANY = 6
"""Columns from which on each has less room."""
WIDEST_OF_MANY = 36


def table(heads: Sequence[str], rows: Sequence[Sequence[Any]], form: Format) -> str:
    """The rows as text (ruled), Markdown or CSV.

    >>> print(table(["die", "chance"], [["D4", "1/4"]], "csv"))
    die,chance
    D4,1/4
    """
    if form == "csv":
        stream = io.StringIO()
        csv.writer(stream, lineterminator="\n").writerows([heads, *rows])
        return stream.getvalue().rstrip("\n")
    from tabulate import tabulate

    aligned = [_align([row[i] for row in rows]) for i in range(len(heads))]
    if form == "markdown":
        safe = [[str(cell).replace("|", "\\|").replace("\n", " ") for cell in row] for row in rows]
        return tabulate(safe, list(heads), "github", disable_numparse=True, colalign=aligned if rows else None)
    return tabulate(
        [[str(cell) for cell in row] for row in rows],
        list(heads),
        "simple",
        disable_numparse=True,
        colalign=aligned if rows else None,
        maxcolwidths=[WIDEST if len(heads) <= MANY else WIDEST_OF_MANY] * len(heads) if rows else None,
    )


def _align(cells: Sequence[Any]) -> str:
    return "right" if all(_is_figure(cell) for cell in cells) else "left"


def _is_figure(cell: object) -> bool:
    return isinstance(cell, int) or str(cell).rstrip("%").replace(".", "").replace("–", "").isdigit()


def to_json(data: object) -> str:
    r"""Data as JSON, in the order in which it was built. Half characters, as odd file names bring, are escaped.

    >>> print(to_json(["½", "\udcff"]))
    [
      "½",
      "\udcff"
    ]
    """
    return json.dumps(data, ensure_ascii=False, indent=2).encode("utf-8", "backslashreplace").decode()
