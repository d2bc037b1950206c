"""The types of lengths and points in a scenario file: whole or half inches, stored as half inches."""

from __future__ import annotations

from fractions import Fraction
from typing import Annotated, Any, TypeAlias

from pydantic import BeforeValidator, Field, WithJsonSchema
from pydantic_core import PydanticCustomError

from generator.rules.source.model_errors import show

LEAST, MOST = 12, 240
"""The shortest and the longest side of a table, in inches."""
_HALF = Fraction(1, 2)


def _inches(least: int | Fraction, most: int) -> BeforeValidator:
    """Return a validator that turns inches between two limits into half inches."""
    said = f"whole or half inches, {float(least):g} to {most}"

    def read(given: Any) -> int:
        number = isinstance(given, int | Fraction) and not isinstance(given, bool)
        doubled = given * 2 if number else _HALF
        if doubled.denominator != 1 or not 2 * least <= doubled <= 2 * most:
            code = "halves"
            hint = _nearest(given, least, most) if number else "write inches as a plain number"
            raise PydanticCustomError(code, "{said}", {"said": said, "hint": hint})
        return int(doubled)

    return BeforeValidator(read)


def _nearest(given: int | Fraction, least: int | Fraction, most: int) -> str:
    """Return a hint with the valid lengths that are nearest to an invalid number."""
    if given < least:
        return f"the least is {show(Fraction(least))}"
    if given > most:
        return f"the most is {most}"
    below = Fraction(2 * given // 1, 2)
    return f"{show(below)} or {show(below + _HALF)}"


def _schema(least: float, most: int) -> WithJsonSchema:
    """Return the JSON Schema of a length in whole or half inches."""
    return WithJsonSchema({"type": "number", "minimum": least, "maximum": most, "multipleOf": 0.5})


def _pair(given: Any) -> Any:
    """Return a value if it is a list of two items; pydantic validates the items afterwards."""
    if not isinstance(given, list) or len(given) != 2:  # noqa: PLR2004 - east and north
        code = "pair"
        context = {"hint": _completed(given)}
        if isinstance(given, list):
            context["found"] = show(f"[{', '.join(map(show, given))}]")
        raise PydanticCustomError(code, "two numbers in brackets: [east, north]", context)
    return given


def _completed(given: Any) -> str:
    """Return a hint for a point with too few or too many numbers; empty if the first item is not a number."""
    one = given[0] if isinstance(given, list) and given else given
    if isinstance(one, bool) or not isinstance(one, int | Fraction):
        return ""
    if isinstance(given, list) and len(given) > 1:
        return "take out what is no part of it"
    return f"add the other: [{show(one)}, ...]"


Inches: TypeAlias = Annotated[int, _inches(-2 * MOST, 2 * MOST), _schema(-2 * MOST, 2 * MOST)]
"""A coordinate on or near the table: a later check reports places beyond the table's edge."""
Length: TypeAlias = Annotated[int, _inches(Fraction(1, 2), 2 * MOST), _schema(0.5, 2 * MOST)]
Radius: TypeAlias = Annotated[int, _inches(0, MOST), _schema(0, MOST)]
Side: TypeAlias = Annotated[int, _inches(LEAST, MOST), _schema(LEAST, MOST)]
Spot: TypeAlias = Annotated[tuple[Inches, Inches], BeforeValidator(_pair), Field(strict=False)]
Size: TypeAlias = Annotated[tuple[Length, Length], BeforeValidator(_pair), Field(strict=False)]
