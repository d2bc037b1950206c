"""How problems with values name what stands there, what was expected, and what would help."""

from __future__ import annotations

import re
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from generator.rules.models.base import FORMS
from generator.sources.scalars import MAX_DIGITS
from generator.suggest import suggest

if TYPE_CHECKING:
    from generator.rules.places import Place

_FIGURE = re.compile(r"-?\d{1,9}(?:[.,’'_ \u00a0\u202f]\d{1,9})*")
_WHOLE = re.compile(r"(?P<whole>[1-9]\d{0,2}(?P<mark>[.,’'_ \u00a0\u202f])\d{3}(?:(?P=mark)\d{3})*|\d+)(?:[.,]0+)?")
"""A whole number, with one sign between its thousands or none, and perhaps a fraction of nothing."""
_THOUSANDS = re.compile(r"(\d{1,4})(?:[.,](\d{1,3}))? ?k\b", re.IGNORECASE)
_PLAIN_NUMBER = re.compile(r"[-+.\deE]+")

_LARGEST = 10**6
"""No whole number that is asked for is larger."""

TYPES = {
    "string_type": "a text",
    "int_type": "a whole number",
    "bool_type": "yes or no (true or false)",
    "dict_type": "a list of keys with values",
    "model_type": "a list of keys with values",
    "model_attributes_type": "a list of keys with values",
    "tuple_type": "a list",
}
"""What pydantic calls what it expects, and we."""


def show(value: object) -> str:
    """A value as a problem names it, shortened."""
    if isinstance(value, dict):
        return "a list of keys with values"
    if isinstance(value, list | tuple):
        return "a list" if value else "an empty list"
    if value is None:
        return "nothing"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, Fraction):
        return _decimal(value)
    text = str(value) or "an empty text"
    return text if len(text) <= 60 else text[:57] + "..."  # noqa: PLR2004 - what fits a line


def _decimal(number: Fraction) -> str:
    """A number as files have it: with a point where that comes to an end, as it does in all of them."""
    from decimal import Decimal

    if 10**20 % number.denominator:
        return str(number)
    return f"{Decimal(number.numerator) / number.denominator:f}"


def digits_in(text: str) -> str:
    """The digits of the only number in a text, where that is a whole one.

    >>> digits_in("1,200 points"), digits_in("1.5"), digits_in("6 by 4")
    ('1200', '', '')
    """
    figures = _FIGURE.findall(text)
    meant = _WHOLE.fullmatch(figures[0]) if len(figures) == 1 else None
    return re.sub(r"[^0-9]", "", meant["whole"]) if meant else ""


def expected_of(kind: str, error: Any) -> str:  # noqa: PLR0911 - one for each kind of complaint
    """What a complaint of pydantic wanted, in our words."""
    context = error.get("ctx", {})
    if kind in TYPES:
        return TYPES[kind]
    if kind == "literal_error":
        return f"one of {context['expected']}".replace("'", "").replace(" or ", ", ")
    if kind == "string_pattern_mismatch":
        return FORMS.get(context["pattern"], f"a text of the form {context['pattern']}")
    if kind == "string_too_long":
        return f"at most {context['max_length']} characters"
    if kind == "string_too_short":
        least = context["min_length"]
        return "at least one character" if least == 1 else f"at least {least} characters"
    if kind == "multiple_of":
        return f"a multiple of {context['multiple_of']}"
    if kind in ("greater_than_equal", "less_than_equal"):
        return f"{context['ge']} or more" if "ge" in context else f"{context['le']} or less"
    if kind == "too_short":
        least = context["min_length"]
        return "at least one entry" if least == 1 else f"at least {least} entries"
    if kind == "too_long":
        return f"at most {context['max_length']} entries"
    if kind in ("union_tag_not_found", "union_tag_invalid"):
        return "one of the blocks a sheet knows"
    if kind in (
        "one_action",
        "set_needs",
        "with_needed",
        "turned_odds",
        "backwards",
        "no_date",
        "rising",
        "word_of_formulas",
        "halves",
        "pair",
        "texts",
        "special_rule",
    ):
        return str(error["msg"])
    return "another value"


def written(given: object, where: Place) -> str:
    """A value as a problem names it; a decimal as it stands in its file, where 1.500 may mean thousands."""
    if isinstance(given, Fraction):
        span = where.span()
        number = _PLAIN_NUMBER.match(span.text, max(span.column - 1, 0))
        return number[0] if number else show(given)
    return show(given)


def hint_of(kind: str, error: Any, found: str) -> str:  # noqa: PLR0911 - one for each kind of complaint
    """What would mend what was ``found``, where that can be said of its kind alone; else an empty text."""
    given = error["input"]
    if kind == "int_type":
        return _whole(given, found)
    if kind == "string_too_long":
        return f"it has {len(given)}: take {len(given) - error['ctx']['max_length']} out"
    if kind == "too_long" and isinstance(given, list):
        return f"take {len(given) - error['ctx']['max_length']} out"
    if kind in ("halves", "pair"):
        return str(error["ctx"]["hint"])
    if kind == "texts" and given is None:
        return "write a text behind it, or leave the key out"
    if kind == "texts":
        return "write the words alone" if isinstance(given, dict) else "put quotes around it"
    if kind in ("union_tag_not_found", "union_tag_invalid"):
        from generator.rules.models.sheet import BLOCK_NAMES

        return f"blocks: {', '.join(BLOCK_NAMES)}"
    if kind == "literal_error" and isinstance(given, str):
        words = error["ctx"]["expected"].replace(" or ", ", ").replace("'", "").split(", ")
        return suggest(given, words, "")
    if kind in ("greater_than_equal", "less_than_equal"):
        return f"the least is {error['ctx']['ge']}" if "ge" in error["ctx"] else f"the most is {error['ctx']['le']}"
    if kind == "bool_type" and given in ("yes", "no"):
        return "in rule data write true or false"
    if kind == "string_type" and isinstance(given, dict):
        return "a colon and a space make a key of what is before them: put the text in quotes"
    if kind == "string_type" and given is not None and not isinstance(given, dict | list):
        return "put quotes around it"
    return ""


def _whole(given: object, found: str) -> str:
    """How something that was ``found`` is written as a whole number."""
    if isinstance(given, str) and given.strip().isdecimal() and len(given) <= MAX_DIGITS:
        return "without quotation marks" if given.isascii() else f"did you mean {int(given)}?"
    if isinstance(given, list):
        return "without brackets" if len(given) == 1 and isinstance(given[0], int) else ""
    if not isinstance(given, str | Fraction):
        return ""
    if thousands := _THOUSANDS.search(found):
        return f"did you mean {thousands[1]}{(thousands[2] or '').ljust(3, '0')}?"
    if digits := digits_in(found):
        return f"did you mean {digits}?"
    if isinstance(given, Fraction):
        if given > _LARGEST:
            return "write a smaller one, in digits"
        whole = given.denominator == 1
        return f"did you mean {given}?" if whole else f"without a fraction, such as {max(round(given), 1)}"
    return ""
