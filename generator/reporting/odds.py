"""Write odds, and decisions by odds, as text, from data of the JSON contract."""

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

_KINDS = (("outcome", "outcomes"), ("event", "marginals"))
"""The keys of the name of an outcome or event, and of the list with its chance."""
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


def _single(cell: Mapping[str, Any], form: Format, width: int | None) -> str:
    """Return a single cell as text: outcomes, events, figures, means and notes."""

    def chances(head: str, items: Iterable[Mapping[str, Any]], key: str) -> str:
        """Return a table of the chances of items, each named by its value of ``key``."""
        exact = [(figure(item[key]), item["probability"]) for item in items]
        rows = [[name, percent(chance), chance, bar(chance)] for name, chance in exact]
        return table([head, "chance", "exact", ""], rows, form, width)

    lines = [", ".join(f"{name} {spell(value)}" for name, value in cell["inputs"].items()), ""]
    lines.append(chances("outcome", cell["outcomes"], "outcome"))
    if cell["marginals"]:
        lines += ["", chances("also", cell["marginals"], "event")]
    for name, values in cell["distributions"].items():
        is_joint = any(isinstance(item["value"], list) for item in values)
        if is_joint and len(values) > MOST_TOGETHER:
            lines += ["", f"{name}: {len(values)} combinations; --format csv and json list them."]
        elif is_joint:
            lines += ["", chances(name, values, "value")]
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
    columns = list(dict.fromkeys((kind, item[kind]) for kind, key in _KINDS for cell in cells for item in cell[key]))
    means = list(dict.fromkeys(name for cell in cells for name in cell["means"]))
    rows = []
    for cell in cells:
        chances = {(kind, item[kind]): percent(item["probability"]) for kind, key in _KINDS for item in cell[key]}
        row = [*_row(cell["inputs"], varied), *(chances.get(column, "") for column in columns)]
        rows.append(row + [about(cell["means"].get(name, "")) for name in means])
    lines = [fixed, ""] if fixed else []
    heads = [*varied, *(name for _, name in columns), *(f"mean {name}" for name in means)]
    heads, rows, note_lines = with_marks(heads, rows, [cell["notes"] for cell in cells])
    return "\n".join([*lines, table(heads, rows, form, width), *below([*note_lines, *notes_of(left_out(cells))], form)])


def _flat(cells: list[Mapping[str, Any]]) -> str:
    """Return all cells as CSV: a row for each chance."""
    names = _names(cells)
    rows = [
        [*_row(cell["inputs"], names), item["outcome"], item["probability"], item["decimal"], "; ".join(cell["notes"])]
        for cell in cells
        for item in _every_chance(cell)
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


def answer_text(data: Mapping[str, Any], form: Format, width: int | None = None) -> str:
    """Return any answer of ``fieldpress odds`` as text, Markdown or CSV: odds, a comparison, a search or a ranking.

    Odds have a cell for each combination of inputs: a single cell is a list of outcomes, several cells are a grid.
    ``width`` is the most characters of a line of text; None for no limit.
    """
    if "against" in data:
        return compared_text(data, form, width)
    if "reach" in data:
        return _reached(data, form, width)
    if "rankings" in data:
        return _ranked(data, form, width)
    cells = data["cells"]
    if form == "csv":
        return _flat(cells)
    return _single(cells[0], form, width) if len(cells) == 1 else _grid(cells, form, width)


# The value that reaches a chance


def _reached(data: Mapping[str, Any], form: Format, width: int | None) -> str:
    """Return the answer of ``--reach`` as text: the value that reaches the chance, for each combination."""
    answers = data["answers"]
    by = data["by"]
    if form == "csv":
        names = _names(answers)
        rows = [
            [*_row(answer["inputs"], names), spell(answer["reached"]), answer["value"], answer["probability"],
             answer["decimal"], spell(answer["steady"]), "; ".join(answer["notes"])]
            for answer in answers
        ]  # fmt: skip
        return table([*names, "reached", by, "probability", "decimal", "steady", "notes"], rows, "csv")
    varied, fixed = parted(answers)
    rows = []
    for answer in answers:
        value = spell(answer["value"])
        needed, remark = value, "not for every later value"
        if not answer["reached"]:
            needed, remark = "none", f"the highest chance, at {value}"
        chance, remark = answer["probability"], "" if answer["steady"] else remark
        rows.append([*_row(answer["inputs"], varied), needed, percent(chance), chance, remark])
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
             option["exact"], option["decimal"], option["known"], "; ".join(option["notes"])]
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
    without = []
    for ranking in rankings:
        inputs = {name: ranking["inputs"][name] for name in varied if name in ranking["inputs"]}
        without += [
            ", ".join(f"{name} {spell(value)}" for name, value in (inputs | option).items())
            for option in ranking["without"]
        ]
    marked = [option["notes"] for ranking in rankings for option in ranking["options"]]
    heads, rows, note_lines = with_marks([*varied, "rank", *by, *heads], rows, marked)
    notes = [f"no {data['what']} is possible: {'; '.join(without)}"] if without else []
    if not always_known:
        notes.append(f"the mean counts only rolls with a {data['what']}; known is the chance of such a roll")
    return _titled(title, fixed, table(heads, rows, form, width), [*note_lines, *notes_of(notes)], form)


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
    names = {side: _names(pair[side] for pair in pairs) for side in SIDES}
    rows = []
    for pair in pairs:
        inputs = [text for side in SIDES for text in _row(pair[side]["inputs"], names[side])]
        rows += [[*inputs, *row, "; ".join(_notes(pair))] for _, row in _exact_rows(pair)]
    heads = [f"{side} {name}" for side in SIDES for name in names[side]]
    return table([*heads, "outcome", *SIDES, "difference", "decimal", "notes"], rows, "csv")


def _exact_rows(pair: Mapping[str, Any]) -> Iterator[tuple[str, list[Any]]]:
    """Yield a row for everything that either cell has, with its kind: outcome, event, figure or mean.

    A row has the name, both values and their difference as fractions, and the difference as a decimal. What only one
    cell has, has no difference.
    """
    for kind, key in _KINDS:
        alone = [{item[kind]: item["probability"] for item in pair[side][key]} for side in SIDES]
        yield from _side_by_side(kind, {item[kind]: item for item in pair[key]}, alone)
    parts = [pair, *(pair[side] for side in SIDES)]
    for name in dict.fromkeys(name for side in SIDES for name in pair[side]["distributions"]):
        items = [part["distributions"].get(name, ()) for part in parts]
        shared, *own = ({f"{name} = {figure(item['value'])}": item for item in some} for some in items)
        alone = [{label: item["probability"] for label, item in some.items()} for some in own]
        yield from _side_by_side("figure", shared, alone)
    means = [{f"mean {name}": item for name, item in part["means"].items()} for part in parts]
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
