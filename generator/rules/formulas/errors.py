"""What can go wrong with a formula: when it is read, and when it is used."""

from __future__ import annotations

from typing import Any

from generator.errors import FieldpressError
from generator.parsing.text import shown

_LONGEST = 250
"""Characters of a message, whatever values are in it."""


class FormulaError(FieldpressError):
    """A formula that cannot be read. ``offset`` counts characters from 0 into its text."""

    def __init__(self, *, kind: str, found: str, expected: str, hint: str = "", offset: int = 0) -> None:
        """Keep what was found; ``kind`` says what is wrong.

        ``syntax``, ``forbidden``, ``name`` (of a function, a table without its bracket), ``unknown`` (an undeclared
        name) or ``table`` (a missing table). Others are ``form`` (of a table: no such column, or other keys) and
        ``word`` (a text that a value never is).
        """
        super().__init__(f"{found}: expected {expected}")
        self.kind = kind
        self.found = found
        self.expected = expected
        self.hint = hint
        self.offset = offset


class FormulaUseError(FieldpressError):
    """A formula that reads well but has no answer for these values: a missing row, a division by zero."""

    def __init__(self, message: str, place: Any | None = None, hint: str = "") -> None:
        """``place`` is that of the formula, where it is known; ``hint`` what helps."""
        message = shown(message, _LONGEST)
        super().__init__(message)
        self.reason = message
        self.place = place
        self.hint = hint
        self.tables: frozenset[str] = frozenset()
        """The tables that the formula looks up."""

    def at(self, place: Any | None, tables: frozenset[str] = frozenset()) -> FormulaUseError:
        """The same with a place and the tables looked up there, if it has none of its own."""
        self.place = self.place or place
        self.tables = self.tables or tables
        return self

    @property
    def root(self) -> tuple[object, ...]:
        """What is wrong, for reporting it once: a shared fault in a table, or a fault at one place."""
        return self.reason, self.tables or self.place


NO_VALUE = (ZeroDivisionError, KeyError, ValueError, TypeError, AttributeError)
"""What Python raises where a formula has no value."""


def no_value(error: Exception) -> FormulaUseError:
    """What Python says, as people read it."""
    match error:
        case ZeroDivisionError():
            return FormulaUseError("a division by zero")
        case KeyError():
            name = error.args[0]
            return FormulaUseError(f"{name} is not known here", hint=f"read {name} only where it is asked for")
        case ValueError():
            return FormulaUseError(str(error))
        case _:
            said = "values that do not go together (a text in a sum, or nothing where a number belongs)"
            return FormulaUseError(said)
