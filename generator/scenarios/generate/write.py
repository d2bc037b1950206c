"""Write a scenario as YAML: one line for each short entry, long prose in blocks. The output is deterministic."""

from __future__ import annotations

import re
from collections.abc import Iterator
from fractions import Fraction
from functools import lru_cache
from textwrap import wrap
from typing import Any

from generator.parsing.scalars import NumberTooLongError, read_plain

_WIDE = 110
_LONG = 90
_PLAIN = re.compile(r"[^\W\d_][\w ’″.()/×+-]*", re.UNICODE)
"""A text that needs no quotes: it begins with a letter and has no character that is special in YAML."""
_UNEVEN = re.compile(r"[\x00-\x1f\x7f-\x9f]|  |^ | $")
"""Characters and spaces that a folded block would not preserve."""
_CODES = {'"': '\\"', "\\": "\\\\"}


def spell_scenario(said: dict[str, Any]) -> str:
    """Return the text of a scenario file."""
    return "\n".join(line for key, value in said.items() for line in _spelled(f"{key}:", value, "")) + "\n"


def _spelled(head: str, value: Any, before: str) -> Iterator[str]:
    """Yield the lines of a value after its key or a dash: a single line if it is short."""
    if isinstance(value, dict) and (any(map(_is_long, value.values())) if head == "-" else _is_long(value)):
        lines = [each for key, item in value.items() for each in _spelled(f"{key}:", item, f"{before}  ")]
        yield from [f"{before}- {lines[0].lstrip()}", *lines[1:]] if head == "-" else [f"{before}{head}", *lines]
        return
    of_mappings = isinstance(value, list) and value and isinstance(value[0], dict)
    line = "" if of_mappings else f"{before}{head} {in_a_line(value)}"
    if of_mappings or (isinstance(value, list) and len(line) > _WIDE):
        yield f"{before}{head}"
        for item in value:
            yield from _spelled("-", item, f"{before}  ")
    elif isinstance(value, str) and len(line) > _WIDE and not _UNEVEN.search(value):
        yield f"{before}{head} >-"
        for text in wrap(value, _WIDE, break_long_words=False, break_on_hyphens=False):
            yield f"{before}  {text}"
    else:
        yield line


def _is_long(value: Any) -> bool:
    """Return whether a value is written over several lines: a long text, or a mapping with a list of mappings."""
    if isinstance(value, dict):
        return any(isinstance(item, list) and item and isinstance(item[0], dict) for item in value.values())
    if isinstance(value, list):
        return any(map(_is_long, value))
    return isinstance(value, str) and len(value) > _LONG and not _UNEVEN.search(value)


def in_a_line(value: Any) -> str:
    """Return a value in YAML's flow style.

    >>> in_a_line({"at": [3, Fraction(5, 2)], "name": "Hill 104", "note": "no: none", "yes": True})
    '{at: [3, 2.5], name: Hill 104, note: "no: none", yes: true}'
    >>> in_a_line(["on", "12", "", "null", "a, b"])
    '[on, "12", "", "null", "a, b"]'
    """
    if isinstance(value, dict):
        return f"{{{', '.join(f'{in_a_line(key)}: {in_a_line(item)}' for key, item in value.items())}}}"
    if isinstance(value, list | tuple):
        return f"[{', '.join(map(in_a_line, value))}]"
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, Fraction):
        return _decimal(value)
    return _text(value) if isinstance(value, str) else str(value)


@lru_cache(maxsize=4096)
def _text(text: str) -> str:
    """Return a text as a YAML scalar, in quotes if it needs them."""
    plain = _PLAIN.fullmatch(text) and text == text.strip() and _means_text(text)
    return text if plain else f'"{"".join(map(_code, text))}"'


def _code(sign: str) -> str:
    """Return a character as it is written in double quotes, escaped if necessary."""
    control = ord(sign) < ord(" ") or "\x7f" <= sign <= "\x9f"
    return _CODES.get(sign) or (f"\\x{ord(sign):02x}" if control else sign)


def _means_text(text: str) -> bool:
    """Return whether YAML reads an unquoted text as a string, not as a number or another value."""
    try:
        return isinstance(read_plain(text), str)
    except NumberTooLongError:
        return False


@lru_cache(maxsize=4096)
def _decimal(number: Fraction) -> str:
    """Return a fraction as a YAML number."""
    from generator.parsing.yamltext import to_yaml

    return str(number.numerator) if number.denominator == 1 else to_yaml(number, in_a_line=True)
