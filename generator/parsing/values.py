"""Plain values of files: how scalars are read, where values stand in the text, and how values are written as YAML."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from fractions import Fraction
from typing import TYPE_CHECKING, Any, TypeAlias

from generator.parsing.text import split_lines
from generator.problems import FieldpressError, Span

if TYPE_CHECKING:
    from collections.abc import Mapping


Path: TypeAlias = tuple[str | int, ...]
"""Steps from the whole document to one value: a key of a mapping, or an item's index from 0."""
Scalar: TypeAlias = "str | int | Fraction | bool | None"
Value: TypeAlias = "Scalar | list[Value] | dict[str, Value]"


@dataclass(slots=True)
class Place:
    """The line and column of a value and of its key (from 1), and the places of the values inside it."""

    line: int
    column: int
    key_line: int
    key_column: int
    inside: dict[str | int, Place] = field(default_factory=dict)


@dataclass(slots=True, eq=False, repr=False)
class Document:
    """The values of a file and their places. Treat it as frozen."""

    name: str
    """The file as the user named it."""
    text: str
    """The whole text, without a byte order mark."""
    value: Value
    """The plain values. Do not change them: every access returns the same containers."""
    _root: Place
    """The place of the whole value, with the places inside it."""
    _lines: list[str] | None = field(default=None, init=False)

    def under(self, value: Value, path: Path) -> Document:
        """Return a document with this ``value``, which holds the value of this document at ``path``.

        The places of this document stay. Everything around them is at the place of this document's whole value.
        """
        root = self._root
        for step in reversed(path):
            root = Place(root.line, root.column, root.line, root.column, {step: root})
        return Document(self.name, self.text, value, root)

    def inside(self, path: Path) -> Document:
        """Return the value at a path as a document of its own, with the same places in the file.

        Raises KeyError, IndexError or TypeError if nothing is at the path.
        """
        value = self.value
        for step in path:
            value = value[step]  # type: ignore[index] # who asks knows that it is there
        return Document(self.name, self.text, value, self._find(path)[0])

    def span(self, path: Path) -> Span:
        """Return the place of the first character of the value at ``path`` (for a quoted text, the quotation mark).

        The place of an empty value is right after the colon of its key. If nothing is at ``path``, return the key of
        the nearest parent that exists, which is the place to report for a missing field.
        """
        place, exists = self._find(path)
        return self._span(place.line, place.column) if exists else self._span(place.key_line, place.key_column)

    def key_span(self, path: Path) -> Span:
        """Return the place of the first character of the key at ``path``.

        An item of a list, and the whole document, have no key: return the place of their first character. If nothing is
        at ``path``, return the key of the nearest parent that exists.
        """
        place, _ = self._find(path)
        return self._span(place.key_line, place.key_column)

    def place_words(self, path: Path, start: tuple[int, int], words: Mapping[str, tuple[int, int]]) -> None:
        """Record the places of an entry that the file writes as a text, such as ``2 x Tank`` for a design and a count.

        ``start`` is the line and column of the entry, ``words`` are those of its values by key. The path is not empty.
        """
        inside: dict[str | int, Place] = {key: Place(*at, *at) for key, at in words.items()}
        self._find(path[:-1])[0].inside[path[-1]] = Place(*start, *start, inside)

    def _find(self, path: Path) -> tuple[Place, bool]:
        """Return the place at a path, or of its nearest parent, and whether the path exists."""
        place = self._root
        for step in path:
            inner = place.inside.get(step)
            if inner is None:
                return place, False
            place = inner
        return place, True

    def _span(self, line: int, column: int) -> Span:
        if self._lines is None:
            self._lines = split_lines(self.text)
        return Span(self.name, line, column, self._lines[line - 1] if line <= len(self._lines) else "")


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


_WIDTH = 118


def to_yaml(value: Any, *, in_a_line: bool = False) -> str:
    """Return mappings and lists of texts, numbers, booleans and None as YAML, in their own order.

    Fractions become decimals. If ``in_a_line``, all is on one line without a line end, with every text in quotation
    marks. Raises yaml.YAMLError for values of other types.

    >>> print(to_yaml({"force": "Reds", "rules": ["tin"], "note": "no"}), end="")
    force: Reds
    rules:
    - tin
    note: 'no'
    >>> to_yaml(["a, b", "08", Fraction(-5, 2)], in_a_line=True)
    '["a, b", "08", -2.5]'
    """
    import yaml

    class Dumper(yaml.SafeDumper):
        """A dumper of YAML 1.1 whose output means the same in YAML 1.2."""

    def text(dumper: Dumper, content: str) -> yaml.ScalarNode:
        style = '"' if in_a_line else "'" if _is_more(content) else None
        return dumper.represent_scalar("tag:yaml.org,2002:str", content, style)

    def number(dumper: Dumper, figure: Fraction) -> yaml.ScalarNode:
        return dumper.represent_scalar("tag:yaml.org,2002:float", _decimal(figure))

    Dumper.add_representer(str, text)
    Dumper.add_representer(Fraction, number)
    width = float("inf") if in_a_line else _WIDTH
    dumped: str = yaml.dump(
        value, Dumper=Dumper, sort_keys=False, allow_unicode=True, width=width, default_flow_style=in_a_line
    )
    return dumped.removesuffix("\n").removesuffix("\n...") if in_a_line else dumped


def _is_more(text: str) -> bool:
    """Return whether a text without quotes would be read as another type, such as the number 08."""
    try:
        return not isinstance(read_plain(text), str)
    except NumberTooLongError:
        return True


def _decimal(number: Fraction) -> str:
    """Return a fraction as a decimal with all its places.

    >>> _decimal(Fraction(1, 8)), _decimal(Fraction(1000)), _decimal(Fraction(10**30))
    ('0.125', '1000.0', '1.0e+30')
    """
    from decimal import Context

    context = Context(prec=60)
    quotient = context.divide(number.numerator, number.denominator)
    digits = len(quotient.as_tuple().digits)
    mantissa, _, exponent = str(quotient if digits <= MAX_DIGITS else quotient.normalize(context)).partition("E")
    mantissa += "" if "." in mantissa else ".0"
    return f"{mantissa}e{exponent}" if exponent else mantissa
