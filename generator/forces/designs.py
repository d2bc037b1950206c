"""A design as its kind sees it: fields checked, defaults filled in."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from generator.forces.notation import read_entries
from generator.rules.complaints import show
from generator.rules.formulas.errors import RefusedError
from generator.rules.validation import MERGE, WRITTEN_OUT
from generator.suggest import nearest, suggest

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

    from generator.problems import Problem
    from generator.rules.kinds import Field, Kind
    from generator.rules.places import Place


NOTHING_MEANT: Mapping[str, Any] = MappingProxyType({})


class Partial(dict[str, Any]):
    """Values by name of which some were refused: to read one of these raises RefusedError.

    What does not lean on them can be worked out all the same.
    """

    __slots__ = ("holes", "meant")

    def __init__(
        self, values: Mapping[str, Any], holes: Collection[str] = (), meant: Mapping[str, Any] = NOTHING_MEANT
    ) -> None:
        """``holes`` are the names of those refused; ``meant`` is what some of them were probably meant to be."""
        super().__init__(values)
        self.holes: set[str] = set(holes)
        self.meant = meant

    def changed(self, name: str, value: Any) -> Partial:
        """The same with another value."""
        return Partial({**self, name: value}, self.holes, self.meant)

    def __missing__(self, name: str) -> Any:
        if name in self.holes:
            raise RefusedError(name)
        raise KeyError(name)


def read_design(kind: Kind, given: Mapping[str, Any], place: Place, problems: list[Problem]) -> Partial | None:
    """The design with typed values, defaults included; None when a field was refused.

    Codes: F201 unknown field, F202 field missing, F203 value not allowed, F204 not a list.
    """
    before = len(problems)
    design = examine(kind.fields, given, place, problems)
    return design if len(problems) == before else None


def examine(fields: tuple[Field, ...], given: Mapping[str, Any], place: Place, problems: list[Problem]) -> Partial:
    """As much of a design (or of an entry in it) as can be used, whatever else is wrong with it.

    Codes as ``read_design``. A field whose name is misspelt is a hole, not missing.
    """
    names = [field.name for field in fields]
    meant: set[str] = set()
    torn: set[str] = set()
    if not given.keys() <= {*names} and None in given.values():
        from generator.forces.meant import cut_entries  # most entries are whole

        given, torn = cut_entries(fields, given, place, problems)
    for key in given:
        if key not in names and not (place / key).refused():
            lacking = [name for name in names if name not in given] or names
            meant.add(nearest(key, lacking))
            hint = suggest(key, lacking, f"fields: {', '.join(names)}")
            hint = WRITTEN_OUT if key == MERGE else hint
            problem = (place / key).problem("F201", found=key, expected="a field of this kind", hint=hint, at_key=True)
            problems.append(problem)
    values: dict[str, Any] = {}
    holes: set[str] = set()
    guessed: dict[str, Any] = {}
    for field in fields:
        before = len(problems)
        written = place / (field.name if field.name in given else MERGE)
        merged = MERGE in given and field.name not in given
        if (
            merged
            or field.name in torn
            or (place.inside.document.refused and (written.refused() or (place / field.name).refused()))
        ):
            holes.add(field.name)  # told already, as the file was read or with the key that would bring it in
            continue
        if field.name in given or field.name not in meant:
            values[field.name] = _value(field, given.get(field.name), place / field.name, problems)
        if field.name not in values or (values[field.name] is None and len(problems) > before):
            values.pop(field.name, None)
            holes.add(field.name)
            guess = field.choice.meant(given.get(field.name)) if field.choice and field.name in given else None
            guessed |= {} if guess is None else {field.name: guess}
    return Partial(values, holes, guessed)


def _value(field: Field, given: Any, place: Place, problems: list[Problem]) -> Any:
    """The value that a field has; None with a problem where there is none."""
    if field.choice is None:
        return _records(field, given, place, problems)
    if given is None:
        if field.required:
            hint = f"{field.label}: {field.choice.spell()}"
            problems.append(place.problem("F202", found="nothing", expected=f"the field {field.name}", hint=hint))
        return field.default
    value = field.choice.read(given)
    if value is None:
        hint = field.choice.near(given) or _form(field, given)
        problems.append(place.problem("F203", found=show(given), expected=field.choice.spell(), hint=hint))
    return value


def _records(field: Field, given: Any, place: Place, problems: list[Problem]) -> tuple[Partial, ...] | None:
    """The entries of a list: each with its fields, or in the short way (``generator.forces.notation``)."""
    if given is None:
        return ()
    if begins_with_a_number(field):  # which a spreadsheet has as a text
        given = [_text(one) for one in given] if isinstance(given, list) else _text(given)
    if isinstance(given, str):
        return tuple(_written(field, given, place, problems))
    if not isinstance(given, list) or not all(
        isinstance(one, Mapping | str) or (place / index).refused() for index, one in enumerate(given)
    ):
        hint = f"such as [{{{', '.join(f'{inner.name}: ...' for inner in field.fields)}}}]"
        if isinstance(given, Mapping):
            _entry(field.fields, given, place, problems)  # what is wrong with it by itself
            hint = "put it in brackets: [{...}]"
        problems.append(place.problem("F204", found=show(given), expected="a list of entries", hint=hint))
        return None
    found: list[Partial] = []
    for index, one in enumerate(given):
        if isinstance(one, str):
            found += _written(field, one, place / index, problems, alone=True)
        elif not isinstance(one, Mapping):
            found.append(Partial({}, {inner.name for inner in field.fields}))
        else:
            found.append(_entry(field.fields, one, place / index, problems))
    return tuple(found)


def begins_with_a_number(field: Field) -> bool:
    """Whether a number alone is an entry of a list."""
    return all(inner.choice is not None and inner.choice.is_range for inner in field.fields if inner.required)


def _text(given: Any) -> Any:
    return str(given) if isinstance(given, int) and not isinstance(given, bool) else given


def _entry(fields: tuple[Field, ...], given: Mapping[str, Any], place: Place, problems: list[Problem]) -> Partial:
    """An entry with its fields by name."""
    told: list[Problem] = []
    record = examine(fields, given, place, told)
    if len(told) > 1:
        from generator.forces.meant import in_short  # most entries have nothing wrong

        slip = in_short(fields, given, place)
        if slip is not None:
            told, record = [slip], Partial({}, {one.name for one in fields})
    problems += told
    return record


def _written(
    field: Field, text: str, place: Place, problems: list[Problem], *, alone: bool = False
) -> Iterator[Partial]:
    """Entries in the short way, or one ``alone`` in a list. Problems stand where their entry or word begins."""
    for index, entry in enumerate(read_entries(field.fields, text)):
        told: list[Problem] = []
        at = place if alone else place / index
        record = examine(field.fields, entry.given, at, told)
        if entry.rest or any(one.code == "F203" for one in told):
            from generator.forces.meant import misread  # most can be read

            problems += (place.shifted(*one) for one in misread(field, entry, at, told))
            unknown = {one.name for one in field.fields if one.name not in entry.given}
            known = {name: value for name, value in record.items() if name not in unknown}
            record = Partial(known, record.holes | unknown, record.meant)
        else:
            problems += (place.shifted(one, entry.offset) for one in told)
        yield record


def _form(field: Field, given: Any) -> str:
    from generator.forces.meant import form_of  # most values are allowed

    return form_of(field, given)
