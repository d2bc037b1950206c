"""Write odds as text, from data of the JSON contract."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import pairwise
from typing import Any, TypeVar

from generator.reporting.tables import Format, table

Name = TypeVar("Name")
_BAR = 20
_EIGHTHS = " ▏▎▍▌▋▊▉"
MOST_TOGETHER = 40
"""The most values of a joint figure (a figure whose values are lists) that are listed in text."""

_COUNTED = ("exactly", "no more", "at least", "fraction", "")
"""The heads of the chances of a figure's values."""


def percent(probability: str) -> str:
    """Return a fraction as a percentage with one decimal, halves up.

    >>> percent("77/128"), percent("1"), percent("1/3000")
    ('60.2%', '100.0%', '0.0%')
    """
    tenths = (Fraction(probability) * 2000 + 1) // 2
    return f"{tenths // 10}.{tenths % 10}%"


def bar(probability: str) -> str:
    """Return a chance as a bar of at most twenty characters.

    >>> bar("1/2"), bar("0")
    ('██████████', '')
    """
    full, eighth = divmod(int(Fraction(probability) * _BAR * 8), 8)
    return ("█" * full + _EIGHTHS[eighth]).rstrip()


def hundredths(exact: str) -> str:
    """Return a number with two decimals, halves up.

    >>> hundredths("5/8"), hundredths("-1/3"), hundredths("7")
    ('0.63', '-0.33', '7.00')
    """
    rounded = (Fraction(exact) * 200 + 1) // 2
    return f"{'-' if rounded < 0 else ''}{abs(rounded) // 100}.{abs(rounded) % 100:02}"


def about(exact: str) -> str:
    """Return a number as text; a fraction is followed by its value with two decimals.

    >>> about("7/4"), about("7"), about("")
    ('7/4 (1.75)', '7', '')
    """
    return f"{exact} ({hundredths(exact)})" if "/" in exact else exact


def nested(inputs: Sequence[Mapping[Name, Any]]) -> list[Name]:
    """Return the names of all inputs that cells have; inputs that change least from cell to cell come first.

    ``inputs`` are the values of each cell by name. A cell is the answer for one combination of inputs.

    >>> nested([{"a": 1, "b": 1}, {"a": 2, "b": 1}, {"a": 1, "b": 2}, {"a": 2, "b": 2}])
    ['b', 'a']
    """
    names = dict.fromkeys(name for item in inputs for name in item)
    steps = list(pairwise(inputs))
    return sorted(names, key=lambda name: sum(item.get(name) != other.get(name) for item, other in steps))


def parted(cells: Sequence[Mapping[str, Any]]) -> tuple[list[str], str]:
    """Return the names of the inputs that vary, and the other inputs with their values as one text.

    The other inputs are those of the first cell. Raises IndexError if there are no cells.
    """
    names = nested([cell["inputs"] for cell in cells])
    varied = [name for name in names if len({str(cell["inputs"].get(name)) for cell in cells}) > 1]
    fixed = [f"{name} {spell(value)}" for name, value in cells[0]["inputs"].items() if name not in varied]
    return varied, ", ".join(fixed)


def odds_text(data: Mapping[str, Any], form: Format, width: int | None = None) -> str:
    """Return the odds of a procedure: a single cell as a list of outcomes, several as a grid with outcomes as columns.

    A cell is the answer for one combination of inputs. CSV has a row for each chance of each cell.
    """
    cells = data["cells"]
    if form == "csv":
        return _flat(cells)
    if len(cells) == 1:
        return _single(cells[0], form, width)
    return _grid(cells, form, width)


def _single(cell: Mapping[str, Any], form: Format, width: int | None) -> str:
    """Return a single cell as text: outcomes, events, figures, means and notes."""

    def chances(heads: Sequence[str], named: Iterable[tuple[Sequence[Any], str]]) -> str:
        """Return a table of chances, each with the names in its row."""
        rows = [[*names, percent(chance), chance, bar(chance)] for names, chance in named]
        return table([*heads, "chance", "exact", ""], rows, form, width)

    def of(items: Iterable[Mapping[str, Any]], key: str) -> list[tuple[Sequence[Any], str]]:
        return [([item[key]], item["probability"]) for item in items]

    lines = [", ".join(f"{name} {spell(value)}" for name, value in cell["inputs"].items()), ""]
    lines.append(chances(["outcome"], of(cell["outcomes"], "outcome")))
    if cell["marginals"]:
        lines += ["", chances(["also"], of(cell["marginals"], "event"))]
    for name, values in cell["distributions"].items():
        is_joint = any(isinstance(item["value"], list) for item in values)
        if is_joint and len(values) > MOST_TOGETHER:
            lines += ["", f"{name}: {len(values)} combinations; --format csv and json list them."]
        elif is_joint:
            rows = [([figure(item["value"])], item["probability"]) for item in values]
            lines += ["", chances([name], rows)]
        elif values:
            lines += ["", table([name, *_COUNTED], _counted(values), form, width)]
            lines += ["", f"Mean {name}: {about(cell['means'][name])}"] if name in cell["means"] else []
    return "\n".join([*lines, *below(notes_of(cell["notes"]), form)])


def _counted(values: Sequence[Mapping[str, Any]]) -> list[list[Any]]:
    """Return a row for each value of a figure, lowest first: the chances of it, of no more and of at least as much.

    >>> _counted([{"value": 0, "probability": "1/4"}, {"value": 1, "probability": "3/4"}])[1][:4]
    [1, '75.0%', '100.0%', '75.0%']
    """
    rows, below_it = [], Fraction(0)
    for value in values:
        exact = value["probability"]
        chances = (Fraction(exact), below_it + Fraction(exact), 1 - below_it)
        rows.append([value["value"], *(percent(str(chance)) for chance in chances), exact, bar(exact)])
        below_it += Fraction(exact)
    return rows


def left_out(cells: Iterable[Mapping[str, Any]]) -> list[str]:
    """Return a note that names the figures whose single values a grid does not show; empty if there are none."""
    names = dict.fromkeys(name for cell in cells for name, values in cell["distributions"].items() if values)
    if not names:
        return []
    return [f"for the chances of each {', '.join(names)} ask for one combination, or --format csv"]


def _grid(cells: list[Mapping[str, Any]], form: Format, width: int | None) -> str:
    """Return several cells as a grid: a row for each cell, columns for varying inputs, outcomes, events and means."""
    varied, fixed = parted(cells)
    outcomes = list(dict.fromkeys(item["outcome"] for cell in cells for item in cell["outcomes"]))
    events = list(dict.fromkeys(item["event"] for cell in cells for item in cell["marginals"]))
    means = list(dict.fromkeys(name for cell in cells for name in cell["means"]))
    rows = []
    for cell in cells:
        chances = {item["outcome"]: percent(item["probability"]) for item in cell["outcomes"]}
        event_chances = {item["event"]: percent(item["probability"]) for item in cell["marginals"]}
        row = [spell(cell["inputs"].get(name)) for name in varied]
        row += [chances.get(outcome, "") for outcome in outcomes] + [event_chances.get(event, "") for event in events]
        rows.append(row + [about(cell["means"].get(name, "")) for name in means])
    lines = [fixed, ""] if fixed else []
    heads = [*varied, *outcomes, *events, *(f"mean {name}" for name in means)]
    heads, rows, note_lines = with_marks(heads, rows, [cell["notes"] for cell in cells])
    return "\n".join([*lines, table(heads, rows, form, width), *below([*note_lines, *notes_of(left_out(cells))], form)])


def _flat(cells: list[Mapping[str, Any]]) -> str:
    """Return all cells as CSV: a row for each chance."""
    names = list(dict.fromkeys(name for cell in cells for name in cell["inputs"]))
    rows = []
    for cell in cells:
        inputs = [spell(cell["inputs"].get(name)) for name in names]
        notes = joined(cell["notes"])
        rows += [
            [*inputs, item["outcome"], item["probability"], item["decimal"], notes] for item in _every_chance(cell)
        ]
    return table([*names, "outcome", "probability", "decimal", "notes"], rows, "csv")


def _every_chance(cell: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    """Yield outcomes, events and values of each figure, all with the key ``outcome``."""
    yield from cell["outcomes"]
    yield from ({**event, "outcome": event["event"]} for event in cell["marginals"])
    for name, values in cell["distributions"].items():
        yield from ({**value, "outcome": f"{name} = {figure(value['value'])}"} for value in values)


def figure(value: Any) -> str:
    """Return the value of a figure as text.

    >>> figure(3), figure([3, "none"])
    ('3', '3, none')
    """
    return ", ".join(map(str, value)) if isinstance(value, list) else str(value)


def spell(value: object) -> str:
    """Return the value of an input as people write it.

    >>> spell(True), spell(3), spell(None)
    ('yes', '3', '')
    """
    if isinstance(value, bool):
        return "yes" if value else "no"
    return "" if value is None else str(value)


def notes_of(notes: Iterable[str]) -> list[str]:
    """Return a line "Note: ..." for each note. The notes are about the whole answer, not about a row of its table."""
    return [f"Note: {note}" for note in notes]


def with_marks(
    heads: Sequence[str], rows: Sequence[Sequence[Any]], notes: Sequence[Iterable[str]]
) -> tuple[list[str], list[list[Any]], list[str]]:
    """Return heads and rows with a last column for the numbers of each row's notes, and the notes as lines.

    ``notes`` has the notes of each row. A note that every row has needs no number. Without numbers, there is no such
    column.

    >>> with_marks(["die"], [["D4"], ["D6"]], [["x"], ["x"]])
    (['die'], [['D4'], ['D6']], ['Note: x'])
    >>> with_marks(["die"], [["D4"], ["D6"]], [["x", "y"], ["x"]])
    (['die', 'note'], [['D4', '1'], ['D6', '']], ['Note: x', 'Note 1: y'])
    """
    each = [tuple(note) for note in notes]
    every = dict.fromkeys(note for item in each for note in item)
    common = [note for note in every if all(note in item for item in each)]
    numbers = {note: str(number) for number, note in enumerate((item for item in every if item not in common), start=1)}
    lines = [*notes_of(common), *(f"Note {number}: {note}" for note, number in numbers.items())]
    if not numbers:
        return list(heads), [list(row) for row in rows], lines
    marks = [", ".join(numbers[note] for note in item if note in numbers) for item in each]
    return [*heads, "note"], [[*row, mark] for row, mark in zip(rows, marks, strict=True)], lines


def below(notes: Iterable[str], form: Format) -> list[str]:
    """Return notes as lines below a table, after an empty line; no lines without notes.

    In Markdown each note is a paragraph, because it would otherwise be a row of the table.
    """
    lines = list(notes)
    return [line for item in lines for line in ("", item)] if form == "markdown" else ["", *lines] if lines else []


def joined(notes: Iterable[str]) -> str:
    """Return notes joined to the text of one spreadsheet cell.

    >>> joined(["a die below D4", "no shot"])
    'a die below D4; no shot'
    """
    return "; ".join(notes)


_NOTE = (
    "+1 after a name: one more design is the same target. Designs without a direct shot are left out. Shots are at "
    "middle range, or close range for a weapon that has no other, unless you give a range band."
)
_HEADS = ["force", "firer", "shot", "to", "target", "chance", "elements", "expected", "at least one"]


def matchup_text(data: Mapping[str, Any], form: Format, width: int | None = None) -> str:
    """Return three tables for each force: the chance of one shot, the expected number, and the chance of at least one.

    Each has a row for each way to fire, and a column for each target. The last row of the second and third is for all
    elements of the force, each with its best shot. A force without shots has a sentence instead. CSV is a single table
    with a row for each shot at each target.
    """
    if form == "csv":
        return table(_HEADS, [row for fire in data["fires"] for row in _rows(fire)], form)
    parts = []
    for fire in data["fires"]:
        shots, together = fire["shots"], fire["together"]
        if not shots:
            parts.append(_no_shots(fire))
            continue
        for caption, cells, sums in (
            ("chance of one shot", [percent(shot["chance"]) for shot in shots], []),
            (
                "expected, if all elements fire once",
                *([f"{item['expected']:.2f}" for item in some] for some in (shots, together)),
            ),
            (
                "chance of at least one, if all elements fire once",
                *([percent(str(item["at_least_one"])) for item in some] for some in (shots, together)),
            ),
        ):
            heading = f"{fire['force']} at {fire['at']}: {caption}"
            parts.append(f"## {heading}" if form == "markdown" else heading)
            body = _matrix(shots, cells)
            if sums:
                at = {_target(item): cell for item, cell in zip(together, sums, strict=True)}
                body.append(["all together", "best shot of each", *(at[column] for column in _targets(shots))])
            parts.append(table(["firer", "shot", *_targets(shots)], body, form, width))
    return "\n\n".join([*parts, *([_NOTE] if any(fire["shots"] for fire in data["fires"]) else [])])


def _rows(fire: Mapping[str, Any]) -> Iterator[list[Any]]:
    """Yield a row for each pair of a shot and a target, then one for all elements at each target."""
    all_together = {"firer": "all together", "shot": "best shot of each", "to": "", "chance": ""}
    for shot in (*fire["shots"], *(all_together | item for item in fire["together"])):
        named = [fire["force"], shot["firer"], shot["shot"], shot["to"], ", ".join(shot["targets"])]
        yield [*named, shot["chance"], shot["elements"], shot["expected"], shot["at_least_one"]]


def _no_shots(fire: Mapping[str, Any]) -> str:
    """Return why a force has no odds, and what to ask instead."""
    why = f"{fire['force']} at {fire['at']}: no odds. The rules do not give the figures that its shots need."
    commands = " or ".join(f"fieldpress odds {name}" for name in fire["asks"])
    return f"{why} Ask with your own figures: {commands}" if commands else why


def _targets(shots: Sequence[Mapping[str, Any]]) -> list[str]:
    """Return the heads of the targets."""
    return list(dict.fromkeys(map(_target, shots)))


def _matrix(shots: Sequence[Mapping[str, Any]], cells: Sequence[str]) -> list[list[str]]:
    """Return a row for each way to fire, with a cell for each target."""
    rows: dict[tuple[str, str], dict[str, str]] = {}
    for shot, cell in zip(shots, cells, strict=True):
        firer = f"{shot['elements']} × {shot['firer']}"
        rows.setdefault((firer, f"{shot['shot']}: {shot['to']}"), {})[_target(shot)] = cell
    return [[*names, *(found.get(column, "–") for column in _targets(shots))] for names, found in rows.items()]


def _target(shot: Mapping[str, Any]) -> str:
    """Return the first of the designs that are alike as targets, and the number of others."""
    first, *others = shot["targets"]
    return f"{first} +{len(others)}" if others else first
