"""Word pydantic's errors for problems: the value found, the value expected, and a hint."""

from __future__ import annotations

import re
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from generator.rules.formulas.working import spell
from generator.rules.model.base import FORMS
from generator.suggest import suggest

if TYPE_CHECKING:
    from generator.rules.source.parts import Place

_PLAIN_NUMBER = re.compile(r"[-+.\deE]+")

_MAPPING_TYPES = ("dict_type", "model_type", "model_attributes_type")
_EXPECTED = {
    "string_type": "a text",
    "int_type": "a whole number",
    "bool_type": "yes or no (true or false)",
    **dict.fromkeys(_MAPPING_TYPES, "a list of keys with values"),
    "tuple_type": "a list",
    "string_too_long": "at most {max_length} characters",
    "string_too_short": "at least {min_length} characters",
    "multiple_of": "a multiple of {multiple_of}",
    "greater_than_equal": "{ge} or more",
    "less_than_equal": "{le} or less",
    "too_short": "at least {min_length} entries",
    "too_long": "at most {max_length} entries",
    "is_instance_of": "a formula",
}
"""The expected value for each type of pydantic error."""

_HINTS = {
    "int_type": "write digits only, without quotation marks",
    "bool_type": "write true or false",
    "tuple_type": "write a list in brackets: [...]",
    **dict.fromkeys(_MAPPING_TYPES, "write keys with values: {key: value, ...}"),
}
"""The hint for each type of pydantic error whose hint does not depend on the value."""


def show(value: object) -> str:
    """Return a value as a problem prints it, cut at 60 characters; a list or mapping is only described."""
    if isinstance(value, dict):
        return "a list of keys with values"
    if isinstance(value, list | tuple):
        return "a list" if value else "an empty list"
    if value is None:
        return "nothing"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, Fraction):
        return spell(value)
    text = str(value) or "an empty text"
    return text if len(text) <= 60 else text[:57] + "..."  # noqa: PLR2004 - what fits a line


def expected_of(errors: list[Any]) -> str:
    """Return what pydantic expected of a value, in words; several errors come from the members of a union."""
    error = errors[0]
    kind, context = error["type"], error.get("ctx", {})
    if any(error["type"] == "is_instance_of" for error in errors):
        kind = "is_instance_of"
    if kind == "literal_error":
        return f"one of {', '.join(_choices(error))}"
    if kind == "string_pattern_mismatch":
        return FORMS.get(context["pattern"], f"a text of the form {context['pattern']}")
    return _EXPECTED[kind].format(**context).replace(" 1 entries", " one entry") if kind in _EXPECTED else error["msg"]


def written(value: object, where: Place) -> str:
    """Return a value as a problem prints it; a decimal is copied from the file, because 1.500 may mean thousands."""
    if isinstance(value, Fraction):
        span = where.span()
        number = _PLAIN_NUMBER.match(span.text, max(span.column - 1, 0))
        return number[0] if number else show(value)
    return show(value)


def hint_of(error: Any) -> str:
    """Return a hint for a pydantic error, or an empty text."""
    kind, value, context = error["type"], error["input"], error.get("ctx", {})
    if "hint" in context:
        return str(context["hint"])
    if kind in ("string_too_long", "too_long"):
        return f"remove {len(value) - context['max_length']}"
    if kind == "literal_error":
        return suggest(value, _choices(error), "") if isinstance(value, str) else ""
    if kind in ("string_type", "texts") and value is not None:
        return "write one text, without brackets" if isinstance(value, list) else "put the text in quotes"
    return _HINTS.get(kind, "")


def _choices(error: Any) -> list[str]:
    """Return the allowed values that a pydantic error lists."""
    return str(error["ctx"]["expected"]).replace("'", "").replace(" or ", ", ").split(", ")
