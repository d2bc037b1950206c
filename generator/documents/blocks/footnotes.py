"""Status marks: footnotes to the rows of a sheet's tables, lettered in printed order."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from generator.rules.source.provenance import Provenance

_LETTERS = "abcdefghijklmnopqrstuvwxyz"


class Marks:
    """The footnote marks of one table: rows with the same note share a mark."""

    def __init__(self) -> None:
        """Begin without marks."""
        self._notes: list[str] = []

    def mark(self, provenance: Provenance) -> str:
        """Return the mark of a row that is a ruling, an erratum or a gap; empty for printed or merely read rows."""
        if provenance.status in ("plain", "read") or not provenance.note:
            return ""
        note = f"{provenance.status.capitalize()}: {provenance.note}"
        if note not in self._notes:
            self._notes.append(note)
        return _LETTERS[self._notes.index(note) % len(_LETTERS)]

    def note(self) -> str:
        """Return all notes in one line, each after its mark."""
        return " ".join(f"**{_LETTERS[i % len(_LETTERS)]}** {note}" for i, note in enumerate(self._notes))
