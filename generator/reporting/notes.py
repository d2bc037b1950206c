"""Write the notes of answers under their table, and mark the rows that they are about."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from generator.reporting.tables import Format


def notes_of(notes: Iterable[str]) -> list[str]:
    """Return the lines of notes that are about the whole answer."""
    return [f"Note: {note}" for note in notes]


def with_marks(
    heads: Sequence[str], rows: Sequence[Sequence[Any]], notes: Sequence[Iterable[str]]
) -> tuple[list[str], list[list[Any]], list[str]]:
    """Return a table whose last column has the numbers of each row's notes, and the notes.

    A note that every row has needs no number.

    >>> with_marks(["die"], [["D4"], ["D6"]], [["x"], ["x"]])
    (['die'], [['D4'], ['D6']], ['Note: x'])
    >>> with_marks(["die"], [["D4"], ["D6"]], [["x", "y"], ["x"]])
    (['die', 'note'], [['D4', '1'], ['D6', '']], ['Note: x', 'Note 1: y'])
    """
    each = [tuple(note) for note in notes]
    every = dict.fromkeys(note for item in each for note in item)
    common = [note for note in every if all(note in item for item in each)]
    numbers = {note: str(number) for number, note in enumerate((item for item in every if item not in common), start=1)}
    lines = [*notes_of(common), *(f"Note {number}: {note}" for note, number in numbers.items())]
    if not numbers:
        return list(heads), [list(row) for row in rows], lines
    marks = [", ".join(numbers[note] for note in item if note in numbers) for item in each]
    return [*heads, "note"], [[*row, mark] for row, mark in zip(rows, marks, strict=True)], lines


def below(notes: Iterable[str], form: Format) -> list[str]:
    """Return notes as lines below a table; in Markdown each is a paragraph, or it would be a row of the table."""
    lines = list(notes)
    return [line for item in lines for line in ("", item)] if form == "markdown" else ["", *lines] if lines else []


def joined(notes: Iterable[str]) -> str:
    """Return notes joined to the text of one spreadsheet cell.

    >>> joined(["a die below D4", "no shot"])
    'a die below D4; no shot'
    """
    return "; ".join(notes)
