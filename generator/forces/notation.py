"""Short notation for the entries of a list, as in a cell of a spreadsheet: ``2 x HKP/3 turret; RFAC/1``.

Values are in the order of the fields, separated by spaces or slashes. Fields with a default may be left out. The cell
of a setting is also read and written here, as the value in a file of settings.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, NamedTuple

from generator.parsing.scalars import NumberTooLongError, read_plain
from generator.parsing.yaml12 import parse_yaml
from generator.parsing.yamltext import to_yaml
from generator.rules.entries.choices import Choice, spell_value

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from generator.rules.entries.kinds import Field

_TIMES = re.compile(r"(\d{1,9})(?:\s*[x×]\s+|[x×](?=\S))", re.IGNORECASE)
_NUMBER = re.compile(r"-?\d{1,9}(?![^\s/])")
_WORD = re.compile(r"[^\s/]+")
_BETWEEN = re.compile(r"[\s/]*")
COUNT = "count"
"""The field that ``2 x`` before an entry sets."""


class Written(NamedTuple):
    """An entry in short notation: its values by field, the unread rest of the text, and its offset."""

    values: dict[str, Any]
    rest: str
    offset: int
    starts: Mapping[str, int]
    """The offset of each value in the text of all entries; the unread rest has the key ``""``."""


def read_entries(fields: Sequence[Field], text: str) -> Iterator[Written]:
    """Yield the entries of a text, separated by semicolons. What cannot be read is in ``rest``."""
    for entry, offset in split_entries(text):
        values: dict[str, Any] = {}
        starts: dict[str, int] = {}
        place = 0
        times = _TIMES.match(entry)
        if times and any(field.name == COUNT for field in fields):
            values[COUNT], starts[COUNT] = int(times[1]), offset
            place = times.end()
        for field in fields:
            if field.choice is None or field.name in values:
                continue
            value_and_length = _value(field.choice, entry[place:], needed=field.required)
            if value_and_length is not None:
                value, length = value_and_length
                values[field.name], starts[field.name] = value, offset + place
                place = _BETWEEN.match(entry, place + length).end()  # type: ignore[union-attr] # it also matches an empty text
        starts[""] = offset + place
        yield Written(values, entry[place:], offset, starts)


def split_entries(text: str) -> Iterator[tuple[str, int]]:
    """Yield the texts between semicolons, without spaces around them, and the offset of each; empty texts are left out.

    >>> list(split_entries("2 x tank;; car"))
    [('2 x tank', 0), ('car', 11)]
    """
    offset = 0
    for part in text.split(";"):
        if part.strip():
            yield part.strip(), offset + len(part) - len(part.lstrip())
        offset += len(part) + 1


def _value(choice: Choice, text: str, *, needed: bool) -> tuple[Any, int] | None:
    """Return the value at the start of a text, and its length there; None if no value of the field is there.

    With ``needed``, any word is taken as the value, so that a wrong word is reported later.
    """
    if choice.is_range:
        number = _NUMBER.match(text)
        return (int(number[0]), number.end()) if number else None
    forms = sorted({form for value in choice.values for form in _forms(choice, value)}, key=len, reverse=True)
    lower = text.lower()
    for form in forms:
        if lower.startswith(form.lower()) and lower[len(form) : len(form) + 1] in ("", " ", "/", "\t", "\n"):
            return text[: len(form)], len(form)
    word = _WORD.match(text)
    return (word[0], word.end()) if needed and word else None


def _forms(choice: Choice, value: Any) -> tuple[str, ...]:
    """Return the ways to write a value: the value itself, and its printed name."""
    if isinstance(value, bool):
        return (spell_value(value),)
    return str(value), choice.names.get(value, str(value))


def spell_entries(fields: Sequence[Field], entries: Sequence[Mapping[str, Any]]) -> str:
    """Return entries in short notation, without trailing defaults. The text reads back as the same entries."""
    return "; ".join(_spell(fields, entry) for entry in entries)


def spell_fields(fields: Sequence[Field], values: Mapping[str, Any]) -> dict[str, str]:
    """Return the value of each field as text, including defaults."""
    return {
        field.name: spell_value(values[field.name]) if field.choice else spell_entries(field.fields, values[field.name])
        for field in fields
    }


def _spell(fields: Sequence[Field], entry: Mapping[str, Any]) -> str:
    plain = [field for field in fields if field.name != COUNT]
    last = max(
        (place for place, item in enumerate(plain) if entry[item.name] != item.default or item.required), default=-1
    )
    words = " ".join(spell_value(entry[field.name]) for field in plain[: last + 1])
    counted = next((field for field in fields if field.name == COUNT), None)
    many = counted is not None and entry[COUNT] != counted.default
    return f"{entry[COUNT]} x {words}" if many else words


def read_setting(cell: str) -> Any:
    """Return the value in a setting's cell, read as in a file of settings. Any other cell is a text.

    >>> read_setting("3"), read_setting("yes"), read_setting('"3"'), read_setting("[a, b]")
    (3, 'yes', '3', ['a', 'b'])
    """
    if cell[0] in "\"'[{":
        document, problems = parse_yaml(cell, "")
        return cell if document is None or problems else document.value
    try:
        return read_plain(cell)
    except NumberTooLongError:
        return cell


def spell_setting(value: Any) -> str:
    """Return the text of a cell that ``read_setting`` reads as this value."""
    if isinstance(value, str) and value.isprintable() and value.strip() == value != "" and read_setting(value) == value:
        return value
    return to_yaml(value, in_a_line=True)
