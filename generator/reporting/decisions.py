"""Write odds for decisions as text, from data of the JSON contract."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any

from generator.reporting.odds import (
    about,
    below,
    figure,
    hundredths,
    joined,
    left_out,
    nested,
    notes_of,
    odds_text,
    parted,
    percent,
    spell,
    with_marks,
)
from generator.reporting.tables import Format, table


def answer_text(data: Mapping[str, Any], form: Format, width: int | None = None) -> str:
    """Return any answer of ``fieldpress odds`` as text, Markdown or CSV: odds, a comparison, a search or a ranking.

    ``width`` is the most characters of a line of text; None for no limit.
    """
    if "against" in data:
        return compared_text(data, form, width)
    if "reach" in data:
        return _reached(data, form, width)
    if "rankings" in data:
        return _ranked(data, form, width)
    return odds_text(data, form, width)


# The value that reaches a chance


def _reached(data: Mapping[str, Any], form: Format, width: int | None) -> str:
    """Return the answer of ``--reach`` as text: the value that reaches the chance, for each combination."""
    answers = data["answers"]
    by = data["by"]
    if form == "csv":
        names = _names(answers)
        rows = [
            [*_row(answer["inputs"], names), spell(answer["reached"]), answer["value"], answer["probability"],
             answer["decimal"], spell(answer["steady"]), joined(answer["notes"])]
            for answer in answers
        ]  # fmt: skip
        return table([*names, "reached", by, "probability", "decimal", "steady", "notes"], rows, "csv")
    varied, fixed = parted(answers)
    rows = []
    for answer in answers:
        value = spell(answer["value"])
        remark = (
            ""
            if answer["steady"]
            else "not for every later value"
            if answer["reached"]
            else f"the highest chance, at {value}"
        )
        needed = value if answer["reached"] else "none"
        rows.append(
            [*_row(answer["inputs"], varied), needed, percent(answer["probability"]), answer["probability"], remark]
        )
    goal = data["reach"]
    title = f"The {data['from']} {by} for {goal['what']} at {_exactly(goal['probability'])} or more"
    heads, rows, notes = with_marks([*varied, by, "chance", "exact", ""], rows, [answer["notes"] for answer in answers])
    return _titled(title, fixed, table(heads, rows, form, width), notes, form)


def _titled(title: str, fixed: str, rows: str, notes: Iterable[str], form: Format) -> str:
    """Return a table under its title and the inputs that do not vary, with the notes below it."""
    lines = [title, *([fixed] if fixed and form == "text" else ["", fixed] if fixed else []), ""]
    return "\n".join([*lines, rows, *below(notes, form)])


def _exactly(probability: str) -> str:
    """Return a chance as a percentage if that is exact, else as a fraction.

    >>> _exactly("1/8"), _exactly("1/3")
    ('12.5%', '1/3')
    """
    return percent(probability) if Fraction(probability) * 1000 % 1 == 0 else probability


# The best of several options


def _ranked(data: Mapping[str, Any], form: Format, width: int | None) -> str:
    """Return the answer of ``--best`` or ``--worst`` as text: the options by rank, for each combination."""
    rankings, by, measure = data["rankings"], data["by"], data["measure"]
    if form == "csv":
        names = _names(rankings)
        rows = [
            [*_row(ranking["inputs"], names), option["rank"], spell(option["tied"]), *_row(option["inputs"], by),
             option["exact"], option["decimal"], option["known"], joined(option["notes"])]
            for ranking in rankings
            for option in ranking["options"]
        ]  # fmt: skip
        return table([*names, "rank", "tied", *by, measure, "decimal", "known", "notes"], rows, "csv")
    varied, fixed = parted(rankings)
    always_known = all(option["known"] == "1" for ranking in rankings for option in ranking["options"])
    rows = []
    for ranking in rankings:
        for option in ranking["options"]:
            exact = option["exact"]
            gives = [percent(exact), exact]
            if measure == "mean":
                gives = [exact, hundredths(exact), *([] if always_known else [percent(option["known"])])]
            place = f"{option['rank']}{'=' if option['tied'] else ''}"
            rows.append([*_row(ranking["inputs"], varied), place, *_row(option["inputs"], by), *gives])
    title = f"{', '.join(by)}: the {data['first']} {measure} of {data['what']} first"
    heads = ["chance", "exact"] if measure == "chance" else ["mean", "about", *([] if always_known else ["known"])]
    without = [
        ", ".join(f"{name} {spell(value)}" for name, value in {**_some(ranking["inputs"], varied), **option}.items())
        for ranking in rankings
        for option in ranking["without"]
    ]
    marked = [option["notes"] for ranking in rankings for option in ranking["options"]]
    heads, rows, note_lines = with_marks([*varied, "rank", *by, *heads], rows, marked)
    notes = [f"no {data['what']} is possible: {'; '.join(without)}"] if without else []
    if not always_known:
        notes.append(f"the mean counts only rolls with a {data['what']}; known is the chance of such a roll")
    return _titled(title, fixed, table(heads, rows, form, width), [*note_lines, *notes_of(notes)], form)


def _some(inputs: Mapping[str, Any], names: Iterable[str]) -> dict[str, Any]:
    return {name: inputs[name] for name in names if name in inputs}


def _names(answers: Iterable[Mapping[str, Any]]) -> list[str]:
    return list(dict.fromkeys(name for answer in answers for name in answer["inputs"]))


def _row(inputs: Mapping[str, Any], names: Iterable[str]) -> list[str]:
    return [spell(inputs.get(name)) for name in names]


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
    """Return a difference, a number or fraction as text, with its sign; 0 has none.

    >>> signed("1/8"), signed("-2"), signed("0")
    ('+1/8', '-2', '0')
    """
    return difference if difference.startswith("-") or difference == "0" else f"+{difference}"


def compared_text(data: Mapping[str, Any], form: Format, width: int | None = None) -> str:
    """Return the comparison of two questions as a table of outcomes, events and means, with their differences.

    A cell is the answer for one combination of inputs; a pair has a cell of each question. A single pair also shows the
    values of its figures. CSV shows them for every pair, with exact fractions.
    """
    pairs = data["cells"]
    if form == "csv":
        return _compared_flat(pairs)
    columns, fixed = _axes(pairs)
    by_side = dict(zip(SIDES, (data, data["against"]), strict=True))
    lines = []
    for side, (of, spelled) in zip(SIDES, zip(by_side.values(), fixed, strict=True), strict=True):
        line = f"{side}: {of['ruleset']}/{of['procedure']}"
        lines += [f"{line}, {spelled}" if spelled else line, *([""] if form == "markdown" else [])]
    lines += [] if form == "markdown" else [""]
    alone = len(pairs) == 1
    rows, marked = [], []
    for place, pair in enumerate(pairs):
        for kind, row in _exact_rows(pair):
            if kind in _ALWAYS or (alone and kind == "figure"):
                rows.append([*(column[place] for column in columns.values()), *_in_words(kind, row)])
                marked.append(_notes(pair))
    heads, rows, notes = with_marks([*columns, "outcome", *SIDES, "difference"], rows, marked)
    notes += [] if alone else notes_of(left_out(pair[side] for pair in pairs for side in SIDES))
    lines.append(table(heads, rows, form, width))
    line = "The difference is second minus first, for chances in percentage points."
    return "\n".join([*lines, "", line, *below(notes, form)])


def _notes(pair: Mapping[str, Any]) -> list[str]:
    """Return the notes of both cells, each with its side."""
    return [f"{side}: {note}" for side in SIDES for note in pair[side]["notes"]]


def _axes(pairs: Sequence[Mapping[str, Any]]) -> tuple[dict[str, list[str]], list[str]]:
    """Return the values of the varying inputs for each pair, by head, and each side's other inputs as text.

    An input that varies alike on both sides is one column.
    """
    sides = [{(side, name): value for side in SIDES for name, value in pair[side]["inputs"].items()} for pair in pairs]
    values = {key: [spell(side.get(key)) for side in sides] for key in nested(sides)}
    varied = {key: column for key, column in values.items() if len(set(column)) > 1}
    columns: dict[str, list[str]] = {}
    for (side, name), column in varied.items():
        others = [varied.get((other, name), column) for other in SIDES]
        columns.setdefault(name if others[0] == others[1] else f"{side} {name}", column)
    still = {key: column[0] for key, column in values.items() if key not in varied}
    return columns, [", ".join(f"{key[1]} {value}" for key, value in still.items() if key[0] == at) for at in SIDES]


def _value(pair: Mapping[str, Any], side: str, name: str) -> str:
    return spell(pair[side]["inputs"].get(name))


_ALWAYS = ("outcome", "event", "mean")
"""The kinds of rows in every text; a single pair has those of figures, too."""


def _in_words(kind: str, row: Sequence[Any]) -> list[str]:
    """Return an exact row as text; what only one cell has, has an empty cell for the other."""
    name, first, second, difference, _ = row
    if kind == "mean":
        return [name, about(first), about(second), difference and signed(about(difference))]
    name = f"also {name}" if kind == "event" else name
    return [name, first and percent(first), second and percent(second), difference and points(difference)]


def _compared_flat(pairs: Sequence[Mapping[str, Any]]) -> str:
    """Return all pairs as CSV, with exact values."""
    names = [list(dict.fromkeys(name for pair in pairs for name in pair[side]["inputs"])) for side in SIDES]
    rows = []
    for pair in pairs:
        inputs = [_value(pair, side, name) for side, some in zip(SIDES, names, strict=True) for name in some]
        rows += [[*inputs, *row, joined(_notes(pair))] for _, row in _exact_rows(pair)]
    heads = [f"{side} {name}" for side, some in zip(SIDES, names, strict=True) for name in some]
    return table([*heads, "outcome", *SIDES, "difference", "decimal", "notes"], rows, "csv")


def _exact_rows(pair: Mapping[str, Any]) -> Iterator[tuple[str, list[Any]]]:
    """Yield a row for everything that either cell has, with its kind: outcome, event, figure or mean.

    A row has the name, both values and their difference as fractions, and the difference as a decimal. What only one
    cell has, has no difference.
    """
    for kind, key in (("outcome", "outcomes"), ("event", "marginals")):
        alone = [{item[kind]: item["probability"] for item in pair[side][key]} for side in SIDES]
        yield from _side_by_side(kind, {item[kind]: item for item in pair[key]}, alone)
    figures = [pair[side]["distributions"] for side in SIDES]
    for name in dict.fromkeys((*figures[0], *figures[1])):
        shared = {f"{name} = {figure(item['value'])}": item for item in pair["distributions"].get(name, ())}
        alone = [
            {f"{name} = {figure(item['value'])}": item["probability"] for item in some.get(name, ())}
            for some in figures
        ]
        yield from _side_by_side("figure", shared, alone)
    means = [
        {f"mean {name}": item for name, item in of["means"].items()} for of in (pair, *(pair[side] for side in SIDES))
    ]
    yield from _side_by_side("mean", means[0], means[1:])


def _side_by_side(
    kind: str, shared: Mapping[Any, Mapping[str, Any]], alone: Sequence[Mapping[Any, str]]
) -> Iterator[tuple[str, list[Any]]]:
    """Yield the rows of one kind, from what the cells share and from what each has alone."""
    for name in dict.fromkeys((*shared, *alone[0], *alone[1])):
        if name in shared:
            yield kind, [name, *(shared[name][key] for key in (*SIDES, "difference", "decimal"))]
        else:
            yield kind, [name, alone[0].get(name, ""), alone[1].get(name, ""), "", ""]
