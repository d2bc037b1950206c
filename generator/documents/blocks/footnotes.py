"""Status marks: which rows of a sheet's tables carry a note, numbered in the order in which they are printed."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from generator.rules.source.provenance import Provenance

_LETTERS = "abcdefghijklmnopqrstuvwxyz"


class Marks:
    """The marks of one table: rows with the same note share one."""

    def __init__(self) -> None:
        """No marks yet."""
        self._notes: list[str] = []

    def mark(self, provenance: Provenance) -> str:
        """The mark of a row that was ruled, is an erratum or a gap; nothing for what was printed or merely read."""
        if provenance.status in ("plain", "read") or not provenance.note:
            return ""
        note = f"{provenance.status.capitalize()}: {provenance.note}"
        if note not in self._notes:
            self._notes.append(note)
        return _LETTERS[self._notes.index(note) % len(_LETTERS)]

    def note(self) -> str:
        """All notes in one line, each behind its mark."""
        return " ".join(f"**{_LETTERS[i % len(_LETTERS)]}** {note}" for i, note in enumerate(self._notes))
