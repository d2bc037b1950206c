"""Write odds for decisions as text, from data of the JSON contract."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Any

from generator.reporting.compared import compared_text
from generator.reporting.notes import below, joined, notes_of, with_marks
from generator.reporting.odds import hundredths, nested, odds_text, percent, spell
from generator.reporting.tables import Format, table

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence


def answer_text(data: Mapping[str, Any], form: Format, width: int | None = None) -> str:
    """Return any answer of ``fieldpress odds`` as text."""
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
    varied, fixed = _parted(answers)
    rows = []
    for answer in answers:
        value = spell(answer["value"])
        remark = (
            ""
            if answer["steady"]
            else "not with every one further on"
            if answer["reached"]
            else f"the most there is, with {value}"
        )
        needed = value if answer["reached"] else "none"
        rows.append(
            [*_row(answer["inputs"], varied), needed, percent(answer["probability"]), answer["probability"], remark]
        )
    asked = data["reach"]
    said = f"The {data['from']} {by} for {asked['what']} at {_exactly(asked['probability'])} or more"
    lines = [said, *([fixed] if fixed and form == "text" else ["", fixed] if fixed else []), ""]
    heads, rows, notes = with_marks([*varied, by, "chance", "exact", ""], rows, [answer["notes"] for answer in answers])
    return "\n".join([*lines, table(heads, rows, form, width), *below(notes, form)])


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
    varied, fixed = _parted(rankings)
    whole = all(option["known"] == "1" for ranking in rankings for option in ranking["options"])
    rows = []
    for ranking in rankings:
        for option in ranking["options"]:
            exact = option["exact"]
            gives = [percent(exact), exact]
            if measure == "mean":
                gives = [exact, hundredths(exact), *([] if whole else [percent(option["known"])])]
            place = f"{option['rank']}{'=' if option['tied'] else ''}"
            rows.append([*_row(ranking["inputs"], varied), place, *_row(option["inputs"], by), *gives])
    said = f"{', '.join(by)}: the {data['first']} {measure} of {data['what']} first"
    lines = [said, *([fixed] if fixed and form == "text" else ["", fixed] if fixed else []), ""]
    heads = ["chance", "exact"] if measure == "chance" else ["mean", "about", *([] if whole else ["known"])]
    without = [
        ", ".join(f"{name} {spell(value)}" for name, value in {**_some(ranking["inputs"], varied), **option}.items())
        for ranking in rankings
        for option in ranking["without"]
    ]
    marked = [option["notes"] for ranking in rankings for option in ranking["options"]]
    heads, rows, noted = with_marks([*varied, "rank", *by, *heads], rows, marked)
    notes = [f"no {data['what']} at all: {'; '.join(without)}"] if without else []
    if not whole:
        notes.append(
            f"the mean is of those rolls alone in which there is a {data['what']}; known is the chance of that"
        )
    return "\n".join([*lines, table(heads, rows, form, width), *below([*noted, *notes_of(notes)], form)])


def _some(inputs: Mapping[str, Any], names: Iterable[str]) -> dict[str, Any]:
    return {name: inputs[name] for name in names if name in inputs}


def _names(answers: Iterable[Mapping[str, Any]]) -> list[str]:
    return list(dict.fromkeys(name for answer in answers for name in answer["inputs"]))


def _row(inputs: Mapping[str, Any], names: Iterable[str]) -> list[str]:
    return [spell(inputs.get(name)) for name in names]


def _parted(answers: Sequence[Mapping[str, Any]]) -> tuple[list[str], str]:
    """Return the names of the inputs that vary, and the other inputs with their values as text."""
    names = nested([answer["inputs"] for answer in answers])
    varied = [name for name in names if len({str(answer["inputs"].get(name)) for answer in answers}) > 1]
    fixed = [f"{name} {spell(answers[0]['inputs'][name])}" for name in answers[0]["inputs"] if name not in varied]
    return varied, ", ".join(fixed)
