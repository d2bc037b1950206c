"""Read the fields of designs: check each value against its kind, fill in defaults. Write forces as YAML.

Entries of a list may be in short notation, as in a cell of a spreadsheet: ``2 x HKP/3 turret; RFAC/1``. Values are in
the order of the fields, separated by spaces or slashes. Fields with a default may be left out. The cell of a setting is
also read and written here, as the value in a file of settings.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from generator.parsing.yaml12 import NumberTooLongError, parse_yaml, read_plain, to_yaml
from generator.problems import Problem, nearest, suggest_key
from generator.rules.entries.choices import Choice, spell_value
from generator.rules.entries.kinds import Field, unit_fields
from generator.rules.source.validation import show

if TYPE_CHECKING:
    from generator.forces.force import Force
    from generator.rules.source.parts import Place

TIMES = re.compile(r"(?P<whole>-?\d{1,40})(?P<part>[.,]\d{1,9})?(?:\s*[x×]\s+|[x×](?=\S))", re.IGNORECASE)
"""The count before an entry, including counts that are not allowed."""
_NUMBER = re.compile(r"-?\d{1,9}(?![^\s/])")
_WORD = re.compile(r"[^\s/]+")
_BETWEEN = re.compile(r"[\s/]*")
COUNT = "count"
"""The field that ``2 x`` before an entry sets."""


class WrittenEntry(NamedTuple):
    """An entry in short notation: its values by field, the unread rest of its text, and the offset of the entry."""

    values: dict[str, Any]
    rest: str
    offset: int
    starts: Mapping[str, int]
    """The offset of each value in the text of all entries; the unread rest has the key ``""``."""


def read_entries(fields: Sequence[Field], text: str) -> Iterator[WrittenEntry]:
    """Yield the entries of a text in short notation, separated by semicolons.

    What cannot be read of an entry is in its ``rest``. Missing values are not filled in. A number need not be
    allowed, and a required field of words takes any word.
    """
    for entry, offset in split_entries(text):
        values: dict[str, Any] = {}
        starts: dict[str, int] = {}
        place = 0
        times = TIMES.match(entry)
        if times and times["whole"].isdigit() and not times["part"] and any(field.name == COUNT for field in fields):
            values[COUNT], starts[COUNT] = int(times["whole"]), offset
            place = times.end()
        for field in fields:
            if field.choice is None or field.name in values:
                continue
            value_and_length = _value_at_start(field.choice, entry[place:], needed=field.required)
            if value_and_length is not None:
                value, length = value_and_length
                values[field.name], starts[field.name] = value, offset + place
                place = _BETWEEN.match(entry, place + length).end()  # type: ignore[union-attr] # it also matches an empty text
        starts[""] = offset + place
        yield WrittenEntry(values, entry[place:], offset, starts)


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


def _value_at_start(choice: Choice, text: str, *, needed: bool) -> tuple[Any, int] | None:
    """Return the value at the start of a text, and its length there; None if the choice has no value there.

    For a choice of whole numbers, any whole number is returned, and nothing else. For any other choice, the value is
    returned as the text spells it; if ``needed``, so is any other word, so that a wrong word is reported later.
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
    """Return the ways to write a value: the value as text, and its printed name, which may be equal.

    True is written only as ``yes``, and False only as ``no``.
    """
    if isinstance(value, bool):
        return (spell_value(value),)
    return str(value), choice.names.get(value, str(value))


def spell_entries(fields: Sequence[Field], entries: Sequence[Mapping[str, Any]]) -> str:
    """Return entries in short notation, without trailing defaults. The text reads back as the same entries.

    Each entry must have a value for every field.
    """
    return "; ".join(_spell(fields, entry) for entry in entries)


def spell_fields(fields: Sequence[Field], values: Mapping[str, Any]) -> dict[str, str]:
    """Return the value of each field as text, by name, also if it is the default; lists are in short notation.

    ``values`` must have a value for every field.
    """
    return {
        field.name: spell_value(values[field.name]) if field.choice else spell_entries(field.fields, values[field.name])
        for field in fields
    }


def _spell(fields: Sequence[Field], entry: Mapping[str, Any]) -> str:
    plain = [field for field in fields if field.name != COUNT]
    told = [place for place, item in enumerate(plain) if entry[item.name] != item.default or item.required]
    last = max(told, default=0)  # an entry without a word would be none
    words = " ".join(spell_value(entry[field.name]) for field in plain[: last + 1])
    counted = next((field for field in fields if field.name == COUNT), None)
    many = counted is not None and entry[COUNT] != counted.default
    return f"{entry[COUNT]} x {words}" if many else words


def read_setting(cell: str) -> Any:
    """Return the value in a setting's cell, read like a value in a file of settings.

    A cell that cannot be read like that is returned unchanged. The cell must not be empty.

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


_CUT = "in braces a comma ends a value: write semicolons between entries, or put the entries in brackets"
"""The hint for an unknown key without a value."""


def read_fields(
    fields: tuple[Field, ...], written: Mapping[str, Any], place: Place, problems: list[Problem]
) -> dict[str, Any] | None:
    """Return the values of a design, a unit or an entry by field name; None if there is a problem.

    ``written`` is the mapping at ``place``, without the keys that all designs or units have. Defaults are included, and
    a list is a tuple of entries. Adds F201 for an unknown field, F202 for a missing field, F203 for a value that is not
    allowed, F204 if a list is needed.

    A field is not reported as missing if an unknown key resembles this field, or resembles no field at all.
    """
    before, names = len(problems), [field.name for field in fields]
    unknown = [key for key in written if key not in names]
    misspelt = {nearest(key, names) for key in written if key not in names}
    problems += (unknown_field(key, written, place, names) for key in unknown)
    values: dict[str, Any] = {}
    for field in fields:
        if field.name in written or not {field.name, ""} & misspelt:
            value = _value(field, written.get(field.name), place / field.name, problems)
            if field.choice is not None or value is not None:
                values[field.name] = value
    return values if len(values) == len(fields) and len(problems) == before else None


def unknown_field(key: str, written: Mapping[str, Any], place: Place, names: Sequence[str], hint: str = "") -> Problem:
    """Return F201 for an unknown key of ``written``, which is the mapping at ``place``.

    Its hint names the nearest of ``names``. If none is near, the hint is ``hint``, or else it lists ``names``, or says
    to remove the key if there are no ``names``. If none is near a key without a value, it is about commas in braces.
    """
    otherwise = hint or (f"fields: {', '.join(names)}" if names else "remove it")
    hint = suggest_key(key, names, written, _CUT if written[key] is None else otherwise)
    return (place / key).problem("F201", "a field of this kind", key, hint, at_key=True)


def _value(field: Field, written: Any, place: Place, problems: list[Problem]) -> Any:
    """Return the value of a field, or its default if nothing is written; ``place`` is the place of the value.

    Returns None and adds F202 if a required value is missing, or F203 if a value is not allowed. A list is read as
    ``_entries`` does.
    """
    if field.choice is None:
        return _entries(field, written, place, problems)
    allowed = field.choice.spell()
    if written is None:
        if field.required:
            expected, hint = f"the field {field.name}: {allowed}", f"add {field.name}: {spell_value(_example(field))}"
            problems.append(place.problem("F202", expected, "nothing", hint))
        return field.default
    value = field.choice.read(written)
    if value is None:
        hint = field.choice.near(written) or f"{field.name}: {spell_value(_example(field))}"
        problems.append(place.problem("F203", allowed, show(written), hint))
    return value


def _example(field: Field) -> Any:
    """Return an allowed value as an example: 1 if a range includes 1, or else the first that is not the default.

    If no other value is allowed, this is the default.
    """
    values = field.choice.values if field.choice else ()
    if field.choice is not None and field.choice.is_range and 1 in values:
        return 1
    return next((value for value in values if value != field.default), values[0])


def example_entry(fields: tuple[Field, ...]) -> dict[str, Any]:
    """Return an entry with an allowed value for every required field, and defaults for all other fields."""
    return {
        field.name: _example(field) if field.required else field.default for field in fields if field.choice is not None
    }


def _entries(field: Field, written: Any, place: Place, problems: list[Problem]) -> tuple[dict[str, Any], ...] | None:
    """Return the entries of a list field, given as mappings or in short notation (``generator.forces.designs``).

    Return an empty tuple if nothing is written. Returns None and adds problems if the value is not a list of entries
    (F204) or if an entry cannot be read (as in ``read_fields``).
    """
    if written is None:
        return ()
    if begins_with_a_number(field):  # a spreadsheet has a number as a text
        written = [_text(item) for item in written] if isinstance(written, list) else _text(written)
    short = isinstance(written, str)
    if not short and not (isinstance(written, list) and all(isinstance(item, Mapping | str) for item in written)):
        hint = f"{field.name}: {spell_entries(field.fields, [example_entry(field.fields)])}"
        hint = "put it in brackets: [{...}]" if isinstance(written, Mapping) else hint
        problems.append(place.problem("F204", "a list of entries", show(written), hint))
        return None
    entries: list[dict[str, Any] | None] = []
    for index, item in enumerate([written] if short else written):
        text = place if short else place / index
        if isinstance(item, str):
            for number, entry in enumerate(read_entries(field.fields, item)):
                entries.append(_short(field.fields, entry, text, text / number if short else text, problems))
        else:
            entries.append(read_fields(field.fields, item, text, problems))
    sound = tuple(entry for entry in entries if entry is not None)
    return sound if len(sound) == len(entries) else None


def begins_with_a_number(field: Field) -> bool:
    """Return whether a number in a list field is read as short notation: all required fields of entries are ranges."""
    return all(inner.choice is not None and inner.choice.is_range for inner in field.fields if inner.required)


def _text(value: Any) -> Any:
    """Return a whole number as text; any other value unchanged."""
    return str(value) if isinstance(value, int) and not isinstance(value, bool) else value


def _short(
    fields: tuple[Field, ...], entry: WrittenEntry, text: Place, at: Place, problems: list[Problem]
) -> dict[str, Any] | None:
    """Return the values of ``entry``, which is in short notation in the text at the place ``text``.

    The entry gets the place ``at``. Adds problems as ``read_fields`` does, but no F202 if there is an F203. Returns
    None if there is a problem. A part of the notation that cannot be read is an F203, too.
    """
    entry_problems: list[Problem] = []
    at.place_words(text, entry.offset, entry.starts)
    values = read_fields(fields, entry.values, at, entry_problems)
    misread = bool(entry.rest) or any(problem.code == "F203" for problem in entry_problems)
    # An unreadable word may be the missing value.
    problems += (item for item in entry_problems if not (misread and item.code == "F202"))
    if not entry.rest:
        return values
    order, example = ", ".join(field.name for field in fields), spell_entries(fields, [example_entry(fields)])
    expected, hint = f"{order}, in this order", f"such as {example}; write semicolons between entries"
    problems.append(at.problem("F203", expected, show(entry.rest), hint)._replace(span=(at / "").span()))
    return None


def write_yaml(force: Force) -> str:
    """Return the force as YAML text that reads back as the same force, with the designs of its libraries in it.

    Designs and entries that are not valid are left out. Pictures are named from the folder of the force, so that they
    are found only by a file in that folder.
    """
    contents = head_values(force) | force.settings.by_ruleset() | {"designs": [], "units": []}
    for design in force.designs:
        keys = {"design": design.name, "kind": design.kind.id} | given_values(design.kind.fields, design.values)
        picture = {"picture": _moved(design.place, force.place)} if design.picture else {}
        contents["designs"].append(keys | _note(design.note) | picture)
    for unit in force.units:
        keys = {"unit": unit.name} | given_values(unit_fields(force.rules.kinds), unit.values) | _note(unit.note)
        of = [{"design": entry.design.name, "count": entry.count} for entry in unit.of]
        contents["units"].append(keys | {"of": of})
    return to_yaml(contents)


def _moved(design: Place, force: Place) -> dict[str, str]:
    """Return the data under ``picture`` of a design, with its ``file`` named from the folder of the force.

    The design must have a picture.
    """
    picture = design.value()["picture"]
    folder, start = (Path(at.inside.document.name).parent for at in (design, force))
    return {**picture, "file": Path(os.path.relpath(folder / picture["file"], start)).as_posix()}


def head_values(force: Force) -> dict[str, Any]:
    """Return the values about the whole force by key, without empty values, settings and libraries.

    The rules are a list of ids.
    """
    values = {"force": force.name, "rules": force.rules.id.split("+"), "budget": force.budget}
    values |= {"edition": force.edition, "note": force.note}
    return {key: value for key, value in values.items() if value not in (None, "")}


def _note(text: str) -> dict[str, str]:
    return {"note": text} if text else {}


def given_values(fields: Iterable[Field], values: Mapping[str, Any]) -> dict[str, Any]:
    """Return the values to write in a file, by field name, without None, defaults and empty lists.

    A list has its entries as mappings, also without defaults.
    """
    written: dict[str, Any] = {}
    for field in fields:
        value = values.get(field.name)
        if field.choice is None:
            written |= {field.name: [given_values(field.fields, entry) for entry in value]} if value else {}
        elif value is not None and (field.required or value != field.default):
            written[field.name] = value
    return written
