"""What can go wrong with a formula: when it is read, and when it is used."""

from __future__ import annotations

from generator.errors import FieldpressError


class FormulaError(FieldpressError):
    """A formula that cannot be read. ``offset`` counts characters from 0 into its text."""

    def __init__(self, *, kind: str, found: str, expected: str, hint: str = "", offset: int = 0) -> None:
        """Keep what was found; ``kind`` says what is wrong.

        ``syntax``, ``forbidden``, ``name`` (of a column, a function, a table without its bracket), ``unknown`` (a
        name nobody declared), ``table`` (one that is not there), ``word`` (a text that a value never is), or
        ``unread``: it leans on what a problem that is known already left unread, so there is nothing to say about it.
        """
        super().__init__(f"{found}: expected {expected}")
        self.kind = kind
        self.found = found
        self.expected = expected
        self.hint = hint
        self.offset = offset


class FormulaUseError(FieldpressError):
    """A formula that reads well but has no answer for these values: a missing row, a division by zero."""
