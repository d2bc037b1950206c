"""The short way to write an entry of a list, as in a cell of a spreadsheet: ``2 x HKP/3 turret; RFAC/1``.

The values stand in the order of the fields, with spaces or slashes between them; what has a default may be left out.
And how the cell of a setting is written: as the value in a file of settings.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, NamedTuple

from generator.parsing.scalars import NumberTooLongError, read_plain
from generator.parsing.yaml12 import parse_yaml
from generator.parsing.yamltext import to_yaml
from generator.rules.entries.choices import spell_value

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from generator.rules.entries.choices import Choice
    from generator.rules.entries.kinds import Field

_TIMES = re.compile(r"(\d{1,9})(?:\s*[x×]\s+|[x×](?=\S))", re.IGNORECASE)
_NUMBER = re.compile(r"-?\d{1,9}(?![^\s/])")
_WORD = re.compile(r"[^\s/]+")
_BETWEEN = re.compile(r"[\s/]*")
COUNT = "count"
"""The field that ``2 x`` in front of an entry stands for."""


class Written(NamedTuple):
    """An entry as it was written: its values by field, what nobody understood, and where it begins in the text."""

    text: str
    given: dict[str, Any]
    rest: str
    offset: int
    starts: Mapping[str, int]
    """Where each value begins in the text of all entries; what nobody understood under no name."""


def read_entries(fields: Sequence[Field], text: str) -> Iterator[Written]:
    """The entries of a text, with semicolons between them."""
    offset = 0
    for part in text.split(";"):
        if part.strip():
            begins = offset + len(part) - len(part.lstrip())
            yield read_entry(fields, part.strip(), begins)
        offset += len(part) + 1


def read_entry(fields: Sequence[Field], text: str, offset: int = 0) -> Written:
    """One entry, which begins at ``offset`` of a longer text."""
    given: dict[str, Any] = {}
    starts: dict[str, int] = {}
    place = 0
    times = _TIMES.match(text)
    if times and any(field.name == COUNT for field in fields):
        given[COUNT], starts[COUNT] = int(times[1]), offset
        place = times.end()
    for field in fields:
        if field.choice is None or field.name in given:
            continue
        said = _value(field.choice, text[place:], needed=field.required)
        if said is not None:
            value, length = said
            given[field.name], starts[field.name] = value, offset + place
            place = _BETWEEN.match(text, place + length).end()  # type: ignore[union-attr] # it matches nothing, too
    starts[""] = offset + place
    return Written(text, given, text[place:], offset, starts)


def _value(choice: Choice, text: str, *, needed: bool) -> tuple[Any, int] | None:
    """The value at the beginning of a text and how long it is written; None where this field is left out."""
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
    if isinstance(value, bool):
        return (spell_value(value),)
    return str(value), choice.names.get(value, str(value))


def spell_entries(fields: Sequence[Field], entries: Sequence[Mapping[str, Any]]) -> str:
    """Entries in the short way, each value up to the last that is no default, so that they read back the same."""
    return "; ".join(_spell(fields, entry) for entry in entries)


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
    """What a cell that holds something sets, as a file of settings reads it; what cannot be read so is a text.

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
    """The cell that is read as this value."""
    if isinstance(value, str) and value.isprintable() and value.strip() == value != "" and read_setting(value) == value:
        return value
    return to_yaml(value, in_a_line=True)
