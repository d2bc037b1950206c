"""Errors of formulas: when they are read, and when they are used."""

from __future__ import annotations

from typing import Any

from generator.parsing.text import shown
from generator.problems import FieldpressError

_LONGEST = 250
"""The most characters of a message."""


class FormulaError(FieldpressError):
    """A formula that cannot be read. ``offset`` counts characters from 0 into its text."""

    def __init__(self, *, kind: str, found: str, expected: str, hint: str = "", offset: int = 0) -> None:
        """Initialize with what was found and expected; ``kind`` is the kind of error.

        Kinds are ``syntax``, ``forbidden``, ``name`` (wrong use of a name, or an unknown function), ``unknown`` (an
        undeclared name) and ``table`` (a missing table). Others are ``form`` (an unknown column, or a wrong number of
        keys) and ``word`` (a text that a value never is).

        ``offset`` is where the error is: the number of characters before it in the formula without spaces around it.
        """
        super().__init__(f"{found}: expected {expected}")
        self.kind = kind
        self.found = found
        self.expected = expected
        self.hint = hint
        self.offset = offset


class FormulaUseError(FieldpressError):
    """A correct formula has no answer for these values, for example because of a missing row or a division by zero."""

    def __init__(self, message: str, place: Any | None = None, hint: str = "") -> None:
        """Initialize with a message, which is cut at 250 characters.

        ``place`` is the place of the formula, if known, and ``hint`` says what to do.
        """
        message = shown(message, _LONGEST)
        super().__init__(message)
        self.reason = message
        self.place = place
        self.hint = hint
        self.tables: frozenset[str] = frozenset()
        """The tables that the formula looks up."""

    def at(self, place: Any | None, tables: frozenset[str] = frozenset()) -> FormulaUseError:
        """Set the place and the tables, unless the error has its own; return the error itself."""
        self.place = self.place or place
        self.tables = self.tables or tables
        return self

    @property
    def root(self) -> tuple[object, ...]:
        """The cause of the error: a key that is equal for errors of one cause, so that only the first is reported.

        The key is the reason with the tables that the formula looks up. If it looks up none, the key is the reason with
        the place.
        """
        return self.reason, self.tables or self.place


NO_VALUE = (ZeroDivisionError, KeyError, ValueError, TypeError, AttributeError)
"""The exceptions that Python raises if a formula has no value."""


def no_value(error: Exception) -> FormulaUseError:
    """Return an error with a readable message for one of the exceptions in ``NO_VALUE``."""
    match error:
        case ZeroDivisionError():
            return FormulaUseError("a division by zero")
        case KeyError():
            name = error.args[0]
            return FormulaUseError(f"{name} is not known here", hint=f"read {name} only where it is asked for")
        case ValueError():
            return FormulaUseError(str(error))
        case _:
            message = "values that do not go together (a text in a sum, or nothing where a number belongs)"
            return FormulaUseError(message)
