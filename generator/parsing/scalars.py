"""Read unquoted scalars as in YAML 1.2's core schema."""

from __future__ import annotations

import re
from fractions import Fraction
from typing import TYPE_CHECKING

from generator.errors import FieldpressError

if TYPE_CHECKING:
    from generator.parsing.document import Scalar

MAX_DIGITS = 18
MAX_EXPONENT = 30

CONSTANTS: dict[str, Scalar] = {
    **dict.fromkeys(("", "~", "null", "Null", "NULL"), None),
    **dict.fromkeys(("true", "True", "TRUE"), True),
    **dict.fromkeys(("false", "False", "FALSE"), False),
}

_NUMBER = re.compile(
    r"[-+]?(?P<mantissa>[0-9]+|[0-9]+\.[0-9]*|\.[0-9]+)(?:[eE](?P<exponent>[-+]?[0-9]+))?"
    r"|(?P<based>0x[0-9a-fA-F]+|0o[0-7]+)"
)


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
    number = _NUMBER.fullmatch(text)
    if number is None:
        return text
    based, mantissa, exponent = number["based"], number["mantissa"] or "", (number["exponent"] or "").lstrip("+-0")
    digits = based[2:] if based else mantissa.replace(".", "")
    if len(digits) > MAX_DIGITS or len(exponent) > len(str(MAX_EXPONENT)) or int(exponent or "0") > MAX_EXPONENT:
        raise NumberTooLongError
    if based or (mantissa.isdigit() and number["exponent"] is None):
        return int(text, 0 if based else 10)
    return Fraction(text)
