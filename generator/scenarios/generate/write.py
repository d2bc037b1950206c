"""Write a scenario as YAML: each value that fits in a line stands in a line. The output is deterministic."""

from __future__ import annotations

import re
from functools import lru_cache
from textwrap import indent
from typing import Any

from generator.parsing.scalars import read_plain
from generator.parsing.yamltext import to_yaml

_WIDE = 140
_PLAIN = re.compile(r"[^\W\d_][\w ’″.()/×+-]*(?<! )", re.UNICODE)
"""A text that needs no quotes: it begins with a letter and has no character that is special in YAML."""


def spell_scenario(said: dict[str, Any]) -> str:
    """Return the contents of a scenario file as YAML text."""
    return "".join(_spelled(f"{key}:", value, "") for key, value in said.items())


def _spelled(head: str, value: Any, before: str) -> str:
    """Return a value after its key or a dash: in a line if it fits, or if it is a list of points."""
    line = f"{before}{head} {in_a_line(value)}\n"
    points = isinstance(value, list) and all(isinstance(item, list) for item in value)
    if isinstance(value, str) and len(line) > _WIDE:
        return indent(to_yaml([value] if head == "-" else {head[:-1]: value}), before)
    if len(line) <= _WIDE or points or not isinstance(value, dict | list):
        return line
    items = [("-", item) for item in value] if isinstance(value, list) else [(f"{key}:", value[key]) for key in value]
    lines = "".join(_spelled(*item, f"{before}  ") for item in items)
    return f"{before}- {lines.lstrip()}" if head == "-" else f"{before}{head}\n{lines}"


def in_a_line(value: Any) -> str:
    """Return a value in YAML's flow style.

    >>> from fractions import Fraction
    >>> in_a_line({"at": [3, Fraction(5, 2)], "name": "Hill 104", "note": "no: none", "yes": True})
    '{at: [3, 2.5], name: Hill 104, note: "no: none", yes: true}'
    >>> in_a_line(["on", "12", "", "null", "a, b"])
    '[on, "12", "", "null", "a, b"]'
    """
    if isinstance(value, dict):
        return f"{{{', '.join(f'{in_a_line(key)}: {in_a_line(item)}' for key, item in value.items())}}}"
    if isinstance(value, list | tuple):
        return f"[{', '.join(map(in_a_line, value))}]"
    return _scalar(value)


@lru_cache(maxsize=4096)
def _scalar(value: Any) -> str:
    """Return a scalar; a text is in quotes if it needs them."""
    plain = isinstance(value, str) and _PLAIN.fullmatch(value) and isinstance(read_plain(value), str)
    return value if plain else to_yaml(value, in_a_line=True)
