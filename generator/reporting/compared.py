"""Write the comparison of two procedures as text, from data of the JSON contract."""

from __future__ import annotations

from fractions import Fraction
from operator import itemgetter
from typing import TYPE_CHECKING, Any

from generator.reporting.notes import below, joined, notes_of, with_marks
from generator.reporting.odds import about, every_joint, left_out, nested, percent, spell
from generator.reporting.tables import Format, table

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

SIDES = ("first", "second")


def points(difference: str) -> str:
    """Return a difference of chances in percentage points, with sign and one decimal; halves round away from zero.

    >>> points("1/8"), points("-1/2000"), points("-1/3000"), points("0")
    ('+12.5', '-0.1', '-0.0', '0.0')
    """
    exact = Fraction(difference)
    sign = "+" if exact > 0 else "-" if exact < 0 else ""
    return f"{sign}{percent(str(abs(exact))).rstrip('%')}"


def signed(difference: str) -> str:
    """Return a difference with its sign.

    >>> signed("1/8"), signed("-2"), signed("0")
    ('+1/8', '-2', '0')
    """
    return difference if difference.startswith("-") or difference == "0" else f"+{difference}"


def compared_text(data: Mapping[str, Any], form: Format, width: int | None = None) -> str:
    """Return all pairs of cells as text: a single pair as lists of outcomes, several as a table of outcomes."""
    pairs = data["cells"]
    if form == "csv":
        return _compared_flat(pairs)
    columns, fixed = _axes(pairs)
    named = dict(zip(SIDES, (data, data["against"]), strict=True))
    lines = []
    for side, (of, spelled) in zip(SIDES, zip(named.values(), fixed, strict=True), strict=True):
        said = f"{side}: {of['ruleset']}/{of['procedure']}"
        lines += [f"{said}, {spelled}" if spelled else said, *([""] if form == "markdown" else [])]
    lines += [] if form == "markdown" else [""]
    if len(pairs) == 1:
        lines += _one_pair(pairs[0], form, width)
        notes = notes_of(_notes(pairs[0]))
    else:
        told = [
            ([*(take(pair) for _, take in columns), *row], _notes(pair)) for pair in pairs for row in _whole_pair(pair)
        ]
        heads = [*(name for name, _ in columns), "outcome", *SIDES, "difference"]
        heads, rows, notes = with_marks(heads, [row for row, _ in told], [item for _, item in told])
        notes += notes_of(left_out(pair[side] for pair in pairs for side in SIDES))
        lines.append(table(heads, rows, form, width))
    said = "The difference is second less first; of chances, in percentage points."
    return "\n".join([*lines, "", said, *below(notes, form)])


def _notes(pair: Mapping[str, Any]) -> list[str]:
    """Return the notes of both cells, each with its side."""
    return [f"{side}: {note}" for side in SIDES for note in pair[side]["notes"]]


def _axes(pairs: Sequence[Mapping[str, Any]]) -> tuple[list[tuple[str, Any]], list[str]]:
    """Return the varying inputs as columns with a function for their values, and each side's other inputs as text."""
    columns: list[tuple[int, str, Any]] = []
    fixed = []
    outwards = nested(
        [{(side, name): value for side in SIDES for name, value in pair[side]["inputs"].items()} for pair in pairs]
    )
    names = [list(dict.fromkeys(name for pair in pairs for name in pair[side]["inputs"])) for side in SIDES]
    varied = [
        {name for name in names[at] if len({str(pair[side]["inputs"].get(name)) for pair in pairs}) > 1}
        for at, side in enumerate(SIDES)
    ]
    same = {
        name
        for name in varied[0] & varied[1]
        if all(_value(pair, "first", name) == _value(pair, "second", name) for pair in pairs)
    }
    for at, side in enumerate(SIDES):
        still = [(name, _value(pairs[0], side, name)) for name in names[at] if name not in varied[at]]
        fixed.append(", ".join(f"{name} {value}" for name, value in still))
        for name in names[at]:
            if name in varied[at] and not (at and name in same):
                head = name if name in same or name not in varied[1 - at] else f"{side} {name}"
                place = outwards.index((side, name))
                columns.append((place, head, lambda pair, side=side, name=name: _value(pair, side, name)))
    return [(head, take) for _, head, take in sorted(columns, key=itemgetter(0))], fixed


def _value(pair: Mapping[str, Any], side: str, name: str) -> str:
    return spell(pair[side]["inputs"].get(name))


def _one_pair(pair: Mapping[str, Any], form: Format, width: int | None) -> list[str]:
    """Return the lines for a single pair: a table for outcomes, for events, for each figure and for means."""
    heads = (*SIDES, "difference")
    lines = [table(["outcome", *heads], list(_chances(pair, "outcomes", "outcome")), form, width)]
    if pair["first"]["marginals"] or pair["second"]["marginals"]:
        lines += ["", table(["also", *heads], list(_chances(pair, "marginals", "event")), form, width)]
    for name, values in pair["distributions"].items():
        rows = [
            [value["value"], percent(value["first"]), percent(value["second"]), points(value["difference"])]
            for value in values
        ]
        lines += ["", table([name, *heads], rows, form, width)]
    means = list(_means(pair))
    return [*lines, "", table(["", *heads], means, form, width)] if means else lines


def _whole_pair(pair: Mapping[str, Any]) -> Iterator[list[str]]:
    """Yield the rows of a pair in a table of several pairs: outcomes, events and means."""
    yield from _chances(pair, "outcomes", "outcome")
    yield from ([f"also {name}", *row] for name, *row in _chances(pair, "marginals", "event"))
    yield from _means(pair)


def _chances(pair: Mapping[str, Any], kind: str, key: str) -> Iterator[list[str]]:
    """Yield a row for each outcome or event of either cell; a cell without it has an empty chance."""
    chances = [{name[key]: percent(name["probability"]) for name in pair[side][kind]} for side in SIDES]
    differences = {name[key]: points(name["difference"]) for name in pair[kind]}
    for name in dict.fromkeys((*chances[0], *chances[1])):
        yield [name, chances[0].get(name, ""), chances[1].get(name, ""), differences.get(name, "")]


def _means(pair: Mapping[str, Any]) -> Iterator[list[str]]:
    """Yield a row for each mean of either cell."""
    first, second = pair["first"]["means"], pair["second"]["means"]
    for name in dict.fromkeys((*first, *second)):
        both = pair["means"].get(name)
        difference = signed(about(both["difference"])) if both else ""
        yield [f"mean {name}", about(first.get(name, "")), about(second.get(name, "")), difference]


def _compared_flat(pairs: Sequence[Mapping[str, Any]]) -> str:
    """Return all pairs as CSV, with exact values."""
    names = [list(dict.fromkeys(name for pair in pairs for name in pair[side]["inputs"])) for side in SIDES]
    rows = []
    for pair in pairs:
        inputs = [_value(pair, side, name) for side, some in zip(SIDES, names, strict=True) for name in some]
        rows += [[*inputs, *row, joined(_notes(pair))] for row in _flat_pair(pair)]
    heads = [f"{side} {name}" for side, some in zip(SIDES, names, strict=True) for name in some]
    return table([*heads, "outcome", *SIDES, "difference", "decimal", "notes"], rows, "csv")


def _flat_pair(pair: Mapping[str, Any]) -> Iterator[list[Any]]:
    """Yield an exact row for everything that either cell has, with the difference if both have it."""
    for kind, key in (("outcomes", "outcome"), ("marginals", "event")):
        yield from _flat_rows(
            {name[key]: name for name in pair[kind]},
            [{name[key]: name["probability"] for name in pair[side][kind]} for side in SIDES],
        )
    figures = [pair[side]["distributions"] for side in SIDES]
    for name in dict.fromkeys((*figures[0], *figures[1])):
        shared = pair["distributions"].get(name, ())
        alone = [{item["value"]: item["probability"] for item in some.get(name, ())} for some in figures]
        for row in _flat_rows({item["value"]: item for item in shared}, alone):
            yield [f"{name} = {row[0]}", *row[1:]]
    joint = [{item["outcome"]: item["probability"] for item in every_joint(pair[side])} for side in SIDES]
    yield from _flat_rows({}, joint)
    for row in _flat_rows(pair["means"], [pair[side]["means"] for side in SIDES]):
        yield [f"mean {row[0]}", *row[1:]]


def _flat_rows(shared: Mapping[Any, Mapping[str, Any]], alone: Sequence[Mapping[Any, str]]) -> Iterator[list[Any]]:
    """Yield a row for each name: with the difference if it is shared, else with each cell's own value."""
    for name in dict.fromkeys((*shared, *alone[0], *alone[1])):
        if name in shared:
            one = shared[name]
            yield [name, one["first"], one["second"], one["difference"], one["decimal"]]
        else:
            yield [name, alone[0].get(name, ""), alone[1].get(name, ""), "", ""]
