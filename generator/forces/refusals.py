"""What a refused value should be, seen together with the rest of its design."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from generator.forces.pricing import price
from generator.problems import spell_path
from generator.rules.choices import spelling

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from generator.forces.designs import Partial
    from generator.problems import Problem
    from generator.rules.kinds import Field, Kind
    from generator.rules.models.manifest import Costs
    from generator.rules.places import Place

_END = re.compile(r"the (most|least) is -?\d+$")
"""The hint at a number that is out of its range."""
_WHERE = re.compile(r"(\w+)(?:\[(\d+)\]\.(\w+))?$")


class _Refused(NamedTuple):
    """A field of a design or of an entry, whose value was refused."""

    field: Field
    outer: Field | None
    entry: int


def in_sight(kind: Kind, design: Partial, problems: Sequence[Problem], place: Place, costs: Costs) -> list[Problem]:
    """The problems, with better remedies for F203 where the rest of the design shows one.

    A number out of its range is told the last that is lawful here; a word that another field knows, which field it is.
    """
    base = f"{spell_path(place.written()[1])}."
    told = list(problems)
    followed: list[Problem] = []
    for index, problem in enumerate(problems):
        refused = _refused(kind, problem.field.removeprefix(base)) if problem.code == "F203" else None
        if refused is None:
            continue
        if _END.match(problem.hint):
            others = {one.field for one in problems if one is not problem}
            filled = _fillable(refused, design, others, base)
            told[index] = problem._replace(hint=_lawful_end(kind, filled, refused, problem.hint, costs))
        elif hint := _elsewhere(kind, refused, problem):
            told[index] = problem._replace(hint=hint)
            entry = problem.field.rpartition(".")[0] + "."
            lacking = [one for one in told if one.code == "F202" and one.field.startswith(entry)]
            followed += lacking
    return [one for one in told if one not in followed]


def _refused(kind: Kind, path: str) -> _Refused | None:
    found = _WHERE.match(path)
    outer = kind.field(found[1]) if found else None
    if found is None or outer is None:
        return None
    if found[3] is None:
        return _Refused(outer, None, 0)
    inner = next((one for one in outer.fields if one.name == found[3]), None)
    return _Refused(inner, outer, int(found[2])) if inner is not None else None


def _fillable(refused: _Refused, design: Partial, others: set[str], base: str) -> Partial:
    """The design with defaults where the entry of the refused value was not read on, and nothing else is wrong."""
    field, outer, index = refused
    if outer is None or outer.name not in design or index >= len(design[outer.name]):
        return design
    at = f"{base}{outer.name}[{index}]"
    entry = design[outer.name][index]
    if at in others:
        return design
    for one in outer.fields:
        if one is not field and one.name in entry.holes and not one.required and f"{at}.{one.name}" not in others:
            entry = _with(entry, one.name, one.default)
    return _put(design, outer, index, entry)


def _with(values: Partial, name: str, value: object) -> Partial:
    changed = values.changed(name, value)
    changed.holes = values.holes - {name}
    return changed


def _put(design: Partial, outer: Field, index: int, entry: Partial) -> Partial:
    entries = design[outer.name]
    return design.changed(outer.name, (*entries[:index], entry, *entries[index + 1 :]))


def _lawful_end(kind: Kind, design: Partial, refused: _Refused, hint: str, costs: Costs) -> str:
    """The hint with the last number that breaks no limit, if there is one."""
    field, outer, index = refused
    entries = design.get(outer.name, ()) if outer is not None else ()
    if field.choice is None or (
        outer is not None and (index >= len(entries) or field.name not in entries[index].holes)
    ):
        return hint
    before = _errors(kind, design, costs)
    most = hint.startswith("the most")
    ordered = field.choice.values[::-1] if most else field.choice.values
    for value in ordered:
        tried = (
            _with(design, field.name, value)
            if outer is None
            else _put(design, outer, index, _with(entries[index], field.name, value))
        )
        if _errors(kind, tried, costs) <= before:
            return hint if value == ordered[0] else f"the {'most' if most else 'least'} that is lawful here is {value}"
    return hint


def _errors(kind: Kind, design: Partial, costs: Costs) -> set[tuple[str, int | None]]:
    broken = price(kind, design, costs).broken
    return {(one.limit.id, one.entry) for one in broken if one.limit.severity == "error"}


def _elsewhere(kind: Kind, refused: _Refused, problem: Problem) -> str:
    """Which other field knows this word, where none of this one is nearly it."""
    choice = refused.field.choice
    if choice is None or choice.is_range or problem.hint.startswith("did you mean"):
        return ""
    word = spelling(problem.found)
    for field in kind.fields:
        if field not in (refused.field, refused.outer) and word in _known(field):
            how = field.choice.spell() if field.choice else ", ".join(one.name for one in field.fields)
            return f"write it under {field.name}: {how}"
    return ""


def _known(field: Field) -> Iterator[str]:
    """The words of a field: its own, and those that its entries begin with."""
    yield from (spelling(field.name), *spelling(field.label).split())
    first = next((one.choice for one in field.fields if one.choice and one.required), None)
    if first is not None and not first.is_range:
        for value in first.values:
            yield from (spelling(str(value)), spelling(str(value)).partition("/")[0])
