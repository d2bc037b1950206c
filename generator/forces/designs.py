"""Read the fields of a design: check each value against its kind, fill in defaults."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from generator.forces.notation import Written, read_entries, spell_entries
from generator.rules.entries.choices import spell_value
from generator.rules.source.model_errors import show
from generator.suggest import nearest, suggest_key

if TYPE_CHECKING:
    from generator.problems import Problem
    from generator.rules.entries.kinds import Field, Kind
    from generator.rules.source.parts import Place

_CUT = "in braces a comma ends a value: write semicolons between entries, or put the entries in brackets"
"""The hint for an unknown key without a value."""


def read_design(kind: Kind, fields: Mapping[str, Any], place: Place, problems: list[Problem]) -> dict[str, Any] | None:
    """Return the design with typed values, defaults included; None if a field has a problem.

    Adds F201 for an unknown field, F202 for a missing field, F203 for a value that is not allowed, F204 if a list is
    needed.
    """
    return read_fields(kind.fields, fields, place, problems)


def read_fields(
    fields: tuple[Field, ...], written: Mapping[str, Any], place: Place, problems: list[Problem]
) -> dict[str, Any] | None:
    """Return the values of a design, a unit or an entry by field; None if a field has a problem.

    The problems are added.

    An unknown key may be the misspelt name of a missing field: then the field is not reported as missing.
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
    """Return F201 for an unknown key. Its hint is the nearest field, or else ``hint`` or the list of fields."""
    otherwise = hint or (f"fields: {', '.join(names)}" if names else "remove it")
    hint = suggest_key(key, names, written, _CUT if written[key] is None else otherwise)
    return (place / key).problem("F201", "a field of this kind", key, hint, at_key=True)


def _value(field: Field, written: Any, place: Place, problems: list[Problem]) -> Any:
    """Return the value of a field, or its default if nothing is written.

    Adds F202 if a required value is missing, or F203 if a value is not allowed, and returns None.
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
    """Return an allowed value as an example: 1 in a range, or else the first value that is not the default."""
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
    """Return the entries of a list, given as mappings or in short notation (``generator.forces.notation``).

    Return an empty tuple if nothing is written. Adds a problem and returns None if an entry cannot be read.
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
    """Return whether a number alone can be an entry of a list: all required fields are ranges."""
    return all(inner.choice is not None and inner.choice.is_range for inner in field.fields if inner.required)


def _text(value: Any) -> Any:
    """Return a whole number as text; any other value unchanged."""
    return str(value) if isinstance(value, int) and not isinstance(value, bool) else value


def _short(
    fields: tuple[Field, ...], entry: Written, text: Place, at: Place, problems: list[Problem]
) -> dict[str, Any] | None:
    """Return the values of an entry in short notation, which is part of ``text`` and gets the place ``at``.

    Adds F203 and returns None if a part of the notation cannot be read.
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
