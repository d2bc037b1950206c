"""A design as its kind sees it: fields checked, defaults filled in."""

from __future__ import annotations

from collections.abc import Mapping
from difflib import get_close_matches
from typing import TYPE_CHECKING, Any

from generator.rules.validation import show

if TYPE_CHECKING:
    from generator.problems import Problem
    from generator.rules.kinds import Field, Kind
    from generator.rules.places import Place

Design = Mapping[str, Any]


def read_design(kind: Kind, given: Mapping[str, Any], place: Place, problems: list[Problem]) -> dict[str, Any] | None:
    """The design with typed values, defaults included; None when a field was refused.

    Codes: F201 unknown field, F202 field missing, F203 value not allowed, F204 not a list.
    """
    return _record(kind.fields, given, place, problems)


def _record(
    fields: tuple[Field, ...], given: Mapping[str, Any], place: Place, problems: list[Problem]
) -> dict[str, Any] | None:
    before = len(problems)
    names = [field.name for field in fields]
    meant: set[str] = set()
    for key in given:
        if key not in names:
            near = get_close_matches(key, [name for name in names if name not in given] or names, n=1)
            meant.update(near)
            hint = f"did you mean {near[0]}?" if near else f"fields: {', '.join(names)}"
            problem = (place / key).problem("F201", found=key, expected="a field of this kind", hint=hint, at_key=True)
            problems.append(problem)
    values = {
        field.name: _value(field, given.get(field.name), place / field.name, problems)
        for field in fields
        if field.name in given or field.name not in meant
    }
    return values if len(problems) == before else None


def _value(field: Field, given: Any, place: Place, problems: list[Problem]) -> Any:
    if field.choice is None:
        return _records(field, given, place, problems)
    if given is None:
        if field.required:
            hint = f"{field.label}: {field.choice.spell()}"
            problems.append(place.problem("F202", found="nothing", expected=f"the field {field.name}", hint=hint))
        return field.default
    value = field.choice.read(given)
    if value is None:
        hint = field.choice.near(given)
        problems.append(place.problem("F203", found=show(given), expected=field.choice.spell(), hint=hint))
    return value


def _records(field: Field, given: Any, place: Place, problems: list[Problem]) -> tuple[Any, ...]:
    if given is None:
        return ()
    if not isinstance(given, list) or not all(isinstance(one, Mapping) for one in given):
        hint = f"such as [{{{', '.join(f'{inner.name}: ...' for inner in field.fields)}}}]"
        problems.append(place.problem("F204", found=show(given), expected="a list of entries", hint=hint))
        return ()
    records = [_record(field.fields, one, place / index, problems) for index, one in enumerate(given)]
    return tuple(record for record in records if record is not None)
