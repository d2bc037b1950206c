"""Read unquoted scalars as in YAML 1.2's core schema."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from generator.errors import FieldpressError

if TYPE_CHECKING:
    from fractions import Fraction

    from generator.parsing.document import Scalar

MAX_DIGITS = 18
MAX_EXPONENT = 30

CONSTANTS: dict[str, Scalar] = {
    "": None,
    "~": None,
    "null": None,
    "Null": None,
    "NULL": None,
    "true": True,
    "True": True,
    "TRUE": True,
    "false": False,
    "False": False,
    "FALSE": False,
}

_DECIMAL = re.compile(
    r"""[-+]?
    (?: (?P<whole>[0-9]+)
      | (?P<mantissa>[0-9]+\.[0-9]* | \.[0-9]+ | [0-9]+(?=[eE])) (?:[eE](?P<exponent>[-+]?[0-9]+))? )
    """,
    re.VERBOSE,
)
_BASED = re.compile("0(?:x(?P<sixteen>[0-9a-fA-F]+)|o(?P<eight>[0-7]+))")


class NumberTooLongError(FieldpressError):
    """A number has more than :data:`MAX_DIGITS` digits or an exponent beyond :data:`MAX_EXPONENT`."""


def read_plain(text: str) -> Scalar:
    """Return the value of an unquoted scalar: None, bool, int, an exact Fraction for a decimal, or the text itself.

    ``yes``, ``1:30``, dates, ``.inf`` and ``.nan`` are text. Raises :class:`NumberTooLongError`, because a number
    with a million digits or zeros would hang the reader.

    >>> read_plain("012"), read_plain("-2.50"), read_plain("1e3"), read_plain("no")
    (12, Fraction(-5, 2), Fraction(1000, 1), 'no')
    """
    if text in CONSTANTS:
        return CONSTANTS[text]
    if text[0] not in "+-.0123456789":
        return text
    decimal = _DECIMAL.fullmatch(text)
    if decimal is not None:
        if decimal["whole"] is None:
            return _fraction(text, decimal["mantissa"], decimal["exponent"] or "0")
        return _int(text, decimal["whole"], 10)
    based = _BASED.fullmatch(text)
    if based is not None:
        return _int(text, based["sixteen"], 16) if based["sixteen"] else _int(text, based["eight"], 8)
    return text


def _int(text: str, digits: str, base: int) -> int:
    """Return a whole number. Raises NumberTooLongError for too many digits."""
    if len(digits) > MAX_DIGITS:
        raise NumberTooLongError
    return int(text, base)


def _fraction(text: str, mantissa: str, exponent: str) -> Fraction:
    """Return a decimal as a Fraction. Raises NumberTooLongError for too many digits or too large an exponent."""
    zeros = exponent.lstrip("+-0")
    if len(mantissa.replace(".", "")) > MAX_DIGITS or len(zeros) > len(str(MAX_EXPONENT)):
        raise NumberTooLongError
    if zeros and int(zeros) > MAX_EXPONENT:
        raise NumberTooLongError
    import fractions

    return fractions.Fraction(text)
