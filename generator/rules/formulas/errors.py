"""What can go wrong with a formula: when it is read, and when it is used."""

from __future__ import annotations

from generator.errors import FieldpressError


class FormulaError(FieldpressError):
    """A formula that cannot be read. ``offset`` counts characters from 0 into its text."""

    def __init__(self, *, kind: str, found: str, expected: str, hint: str = "", offset: int = 0) -> None:
        """``kind`` is ``syntax``, ``forbidden`` or ``name``."""
        super().__init__(f"{found}: expected {expected}")
        self.kind = kind
        self.found = found
        self.expected = expected
        self.hint = hint
        self.offset = offset


class FormulaUseError(FieldpressError):
    """A formula that reads well but has no answer for these values: a missing row, a division by zero."""
