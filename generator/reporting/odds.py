"""Write odds, and decisions by odds, as text, from data of the JSON contract."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import pairwise
from typing import Any, TypeAlias

from generator.reporting.tables import Format, table

_Row: TypeAlias = "tuple[list[Any], Sequence[str]]"
"""The cells of a row, and its notes."""
_BAR = 20
_EIGHTHS = " ▏▎▍▌▋▊▉"
MOST_TOGETHER = 40
"""The most values of a joint figure (a figure whose values are lists) that are listed in text."""

_KINDS = (("outcome", "outcomes"), ("event", "marginals"))
"""For outcomes and for events: the key of an item's name, and the key of the list of items in a cell."""
_COUNTED = ("exactly", "no more", "at least", "fraction", "")
"""The heads of the chances of a figure's values."""


def percent(probability: str) -> str:
    """Return a chance, given as the text of a fraction, as a percentage with one decimal, halves up.

    >>> percent("77/128"), percent("1"), percent("1/3000")
    ('60.2%', '100.0%', '0.0%')
    """
    tenths = (Fraction(probability) * 2000 + 1) // 2
    return f"{tenths // 10}.{tenths % 10}%"


def bar(probability: str) -> str:
    """Return a chance from 0 to 1, given as the text of a fraction, as a bar of at most twenty characters.

    A chance below 1/160 has an empty text.

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


def nested(inputs: Sequence[Mapping[str, Any]]) -> list[str]:
    """Return the name of every input that any cell has; inputs that change least from cell to cell come first.

    ``inputs`` are the values of each cell by name. A cell is the answer for one combination of inputs.

    >>> nested([{"a": 1, "b": 1}, {"a": 2, "b": 1}, {"a": 1, "b": 2}, {"a": 2, "b": 2}])
    ['b', 'a']
    """
    names = dict.fromkeys(name for item in inputs for name in item)
    steps = list(pairwise(inputs))
    return sorted(names, key=lambda name: sum(item.get(name) != other.get(name) for item, other in steps))


def _parted(cells: Sequence[Mapping[str, Any]]) -> tuple[list[str], str]:
    """Return the names of the inputs that vary, and the other inputs with their values as one text.

    The other inputs are those of the first cell. Raises IndexError if there are no cells.
    """
    names = nested([cell["inputs"] for cell in cells])
    varied = [name for name in names if len({str(cell["inputs"].get(name)) for cell in cells}) > 1]
    return varied, _spelled({name: value for name, value in cells[0]["inputs"].items() if name not in varied})


def _single(cell: Mapping[str, Any], form: Format, width: int | None) -> str:
    """Return a single cell as text: inputs, outcomes, events, figures, means and notes.

    A joint figure with more than MOST_TOGETHER values is one line with their number. A figure without values is left
    out.
    """

    def chances(head: str, items: Iterable[Mapping[str, Any]], key: str) -> str:
        """Return a table of the chances of items as text; ``form`` and ``width`` are as in ``table``.

        Each row begins with the item's value of ``key``; ``head`` is the word over these values.
        """
        exact = [(figure(item[key]), item["probability"]) for item in items]
        rows = [[name, percent(chance), chance, bar(chance)] for name, chance in exact]
        return table([head, "chance", "exact", ""], rows, form, width)

    lines = [_spelled(cell["inputs"]), ""]
    lines.append(chances("outcome", cell["outcomes"], "outcome"))
    if cell["marginals"]:
        lines += ["", chances("also", cell["marginals"], "event")]
    for name, values in cell["distributions"].items():
        is_joint = any(isinstance(item["value"], list) for item in values)
        if is_joint and len(values) > MOST_TOGETHER:
            lines += ["", f"{name}: {len(values)} combinations; --format csv and json list them."]
        elif values and name not in cell["means"]:  # words, which are not in an order, or numbers together
            lines += ["", chances(name, values, "value")]
        elif values:
            lines += ["", table([name, *_COUNTED], _counted(values), form, width)]
            lines += ["", f"Mean {name}: {about(cell['means'][name])}"]
    return "\n".join([*lines, *below(notes_of(cell["notes"]), form)])


def _counted(values: Sequence[Mapping[str, Any]]) -> list[list[Any]]:
    """Return a row for each value of a figure, in the order of ``values``; earlier values count as lower.

    A row has the value, the chances of it, of no more and of at least as much, the exact chance, and a bar.

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
    """Return a list of one note that names the figures whose single values a grid does not show; empty without any."""
    names = dict.fromkeys(name for cell in cells for name, values in cell["distributions"].items() if values)
    return [f"for the chances of each {', '.join(names)} ask for one combination, or --format csv"] if names else []


def _grid(cells: Sequence[Mapping[str, Any]], form: Format, width: int | None) -> str:
    """Return several cells as a grid: a row for each cell, columns for varying inputs, outcomes, events and means."""
    columns = list(dict.fromkeys((kind, item[kind]) for kind, key in _KINDS for cell in cells for item in cell[key]))
    means = list(dict.fromkeys(name for cell in cells for name in cell["means"]))

    def row(cell: Mapping[str, Any]) -> Iterator[_Row]:
        chances = {(kind, item[kind]): percent(item["probability"]) for kind, key in _KINDS for item in cell[key]}
        averages = (about(cell["means"].get(name, "")) for name in means)
        yield [*(chances.get(column, "") for column in columns), *averages], cell["notes"]

    heads = [*(name for _, name in columns), *(f"mean {name}" for name in means)]
    return _listed(cells, heads, row, form, width, notes=left_out(cells))


def _flat(cell: Mapping[str, Any]) -> Iterator[_Row]:
    """Yield a CSV row, without the inputs, for each outcome, event and value of a figure of a cell."""
    for item in _every_chance(cell):
        yield [item["outcome"], item["probability"], item["decimal"]], cell["notes"]


def _every_chance(cell: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    """Yield outcomes, events and values of each figure, all with the key ``outcome``: "hits = 3" for a value."""
    yield from cell["outcomes"]
    yield from ({**event, "outcome": event["event"]} for event in cell["marginals"])
    for name, values in cell["distributions"].items():
        yield from ({**value, "outcome": f"{name} = {figure(value['value'])}"} for value in values)


def figure(value: Any) -> str:
    """Return the value of a figure as text.

    >>> figure(3), figure([True, "none"])
    ('3', 'yes, none')
    """
    return ", ".join(map(spell, value)) if isinstance(value, list) else spell(value)


def spell(value: object) -> str:
    """Return the value of an input, or of a figure that is not a list, as people write it; None is empty.

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


def _listed(
    answers: Sequence[Mapping[str, Any]],
    heads: Sequence[str],
    rows: Callable[[Mapping[str, Any]], Iterable[_Row]],
    form: Format,
    width: int | None = None,
    *,
    around: tuple[str, str] = ("", ""),
    notes: Iterable[str] = (),
) -> str:
    """Return answers as one table: first the inputs that vary (in CSV all inputs), then the columns under ``heads``.

    ``rows`` returns the rows of an answer: each has the cells under ``heads``, and its notes. The texts ``around`` are
    a title and an end. ``notes`` are about all answers.

    The title and the inputs that do not vary stand above the table; the end and all notes stand below it. If some rows
    have other notes than others, a last column has the numbers of each row's notes. CSV is only the table, with the
    notes of each row as text in its last column; ``around`` and ``notes`` are left out.
    """
    names, fixed = (_names(answers), "") if form == "csv" else _parted(answers)
    found = [([*_row(item["inputs"], names), *row], said) for item in answers for row, said in rows(item)]
    if form == "csv":
        return table([*names, *heads, "notes"], [[*row, "; ".join(said)] for row, said in found], form)
    heads, cells, lines = with_marks([*names, *heads], [row for row, _ in found], [said for _, said in found])
    above = ("\n" if form == "text" else "\n\n").join(filter(None, (around[0], fixed)))
    shown = "\n\n".join(filter(None, (above, table(heads, cells, form, width), around[1])))
    return "\n".join([shown, *below([*lines, *notes_of(notes)], form)])


def answer_text(data: Mapping[str, Any], form: Format, width: int | None = None) -> str:
    """Return an answer about procedures as text, Markdown or CSV: odds, a comparison, a search or a ranking.

    ``data`` is what ``fieldpress odds`` prints as JSON for a procedure. Odds have a cell for each combination of
    inputs: a single cell is a list of outcomes, several cells are a grid. In CSV, each chance of odds has a row.
    ``width`` is as for ``table``; titles and notes may be wider.
    """
    if "against" in data:
        return compared_text(data, form, width)
    if "reach" in data:
        return _reached(data, form, width)
    if "rankings" in data:
        return _ranked(data, form, width)
    cells = data["cells"]
    if form == "csv":
        return _listed(cells, ["outcome", "probability", "decimal"], _flat, form)
    return _single(cells[0], form, width) if len(cells) == 1 else _grid(cells, form, width)


# The value that reaches a chance


def _reached(data: Mapping[str, Any], form: Format, width: int | None) -> str:
    """Return the answer of ``--reach``: a row for each combination, with the value that reaches the chance.

    If no value reaches it, the row has "none" and the highest chance with its value. A remark stands beside a value
    that is not ``steady``, as ``decisions.reach`` explains. CSV has the columns ``reached`` and ``steady`` instead.
    """
    by, goal, rest = data["by"], data["reach"], "earlier" if data["from"] == "greatest" else "later"

    def flat(answer: Mapping[str, Any]) -> Iterator[_Row]:
        reached, steady = spell(answer["reached"]), spell(answer["steady"])
        yield [reached, answer["value"], answer["probability"], answer["decimal"], steady], answer["notes"]

    def row(answer: Mapping[str, Any]) -> Iterator[_Row]:
        value, chance = spell(answer["value"]), answer["probability"]
        needed, remark = value, "" if answer["steady"] else f"not for every {rest} value"
        if not answer["reached"]:
            needed, remark = "none", "" if answer["steady"] else f"the highest chance, at {value}"
        yield [needed, percent(chance), chance, remark], answer["notes"]

    if form == "csv":
        return _listed(data["answers"], ["reached", by, "probability", "decimal", "steady"], flat, form)
    title = f"The {data['from']} {by} for {goal['what']} at {_exactly(goal['probability'])} or more"
    return _listed(data["answers"], [by, "chance", "exact", ""], row, form, width, around=(title, ""))


def _exactly(probability: str) -> str:
    """Return a chance as a percentage with one decimal if that is exact, else as a fraction.

    >>> _exactly("1/8"), _exactly("1/3")
    ('12.5%', '1/3')
    """
    return percent(probability) if Fraction(probability) * 1000 % 1 == 0 else probability


# The best of several options


def _ranked(data: Mapping[str, Any], form: Format, width: int | None) -> str:
    """Return the answer of ``--best`` or ``--worst``: the options by rank, for each combination."""
    rankings, by, measure, what = data["rankings"], data["by"], data["measure"], data["what"]
    always_known = all(option["known"] == "1" for ranking in rankings for option in ranking["options"])

    def flat(ranking: Mapping[str, Any]) -> Iterator[_Row]:
        for option in ranking["options"]:
            place = [option["rank"], spell(option["tied"]), *_row(option["inputs"], by)]
            yield [*place, option["exact"], option["decimal"], option["known"]], option["notes"]

    def rows(ranking: Mapping[str, Any]) -> Iterator[_Row]:
        for option in ranking["options"]:
            exact = option["exact"]
            gives = [percent(exact), exact]
            if measure == "mean":
                gives = [exact, hundredths(exact), *([] if always_known else [percent(option["known"])])]
            place = f"{option['rank']}{'=' if option['tied'] else ''}"
            yield [place, *_row(option["inputs"], by), *gives], option["notes"]

    if form == "csv":
        return _listed(rankings, ["rank", "tied", *by, measure, "decimal", "known"], flat, form)
    title = f"{', '.join(by)}: the {data['first']} {measure} of {what} first"
    heads = ["chance", "exact"] if measure == "chance" else ["mean", "about", *([] if always_known else ["known"])]
    varied, _ = _parted(rankings)
    without = []
    for ranking in rankings:
        inputs = {name: ranking["inputs"][name] for name in varied if name in ranking["inputs"]}
        without += [_spelled(inputs | option) for option in ranking["without"]]
    notes = [f"no {what} is possible: {'; '.join(without)}"] if without else []
    if not always_known:
        notes.append(f"the mean counts only rolls with a {what}; known is the chance of such a roll")
    return _listed(rankings, ["rank", *by, *heads], rows, form, width, around=(title, ""), notes=notes)


def _spelled(inputs: Mapping[str, Any]) -> str:
    return ", ".join(f"{name} {spell(value)}" for name, value in inputs.items())


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
    values of its figures. CSV shows them for every pair, with exact fractions. ``width`` is as for ``answer_text``.
    """
    pairs, cells = data["cells"], [pair[side] for pair in data["cells"] for side in SIDES]

    def rows(pair: Mapping[str, Any]) -> Iterator[_Row]:
        notes = [f"{side}: {note}" for side in SIDES for note in pair[side]["notes"]]
        for kind, row in _exact_rows(pair):
            if form == "csv":
                yield row, notes
            elif kind != "figure" or len(pairs) == 1:
                yield _in_words(kind, row), notes

    heads = ["outcome", *SIDES, "difference"]
    inputs = [{(side, name): spell(value) for side in SIDES for name, value in pair[side]["inputs"].items()}
              for pair in pairs]  # fmt: skip
    if form == "csv":
        named = ({f"{side} {name}": value for (side, name), value in item.items()} for item in inputs)
        answers = [{**pair, "inputs": item} for pair, item in zip(pairs, named, strict=True)]
        return _listed(answers, [*heads, "decimal"], rows, form)
    varied, fixed = _varied(inputs)
    answers = [{**pair, "inputs": item} for pair, item in zip(pairs, varied, strict=True)]
    asked = (f"{side}: {of['ruleset']}/{of['procedure']}"
             for side, of in zip(SIDES, (data, data["against"]), strict=True))  # fmt: skip
    lines = (", ".join(filter(None, texts)) for texts in zip(asked, fixed, strict=True))
    title = ("\n" if form == "text" else "\n\n").join(lines)
    end = "The difference is second minus first, for chances in percentage points."
    notes = left_out(cells) if len(pairs) > 1 else []
    return _listed(answers, heads, rows, form, width, around=(title, end), notes=notes)


def _varied(inputs: Sequence[Mapping[tuple[str, str], str]]) -> tuple[list[dict[str, str]], list[str]]:
    """Return the varying inputs of each pair by their heads, and for each side a text of its other inputs.

    A text is empty if the side has no other inputs. ``inputs`` are the inputs of each pair by side and name. An input
    that varies alike on both sides is one column. The side is part of a head only if the other side has other values
    of the input.
    """
    values = {key: [item.get(key, "") for item in inputs] for item in inputs for key in item}
    varied = {key: column for key, column in values.items() if len(set(column)) > 1}
    columns: dict[str, list[str]] = {}
    for (side, name), column in varied.items():
        others = [values.get((other, name), column) for other in SIDES]
        columns.setdefault(name if others[0] == others[1] else f"{side} {name}", column)
    still = {key: column[0] for key, column in values.items() if key not in varied}
    fixed = [", ".join(f"{name} {value}" for (side, name), value in still.items() if side == at) for at in SIDES]
    return [{head: column[place] for head, column in columns.items()} for place in range(len(inputs))], fixed


def _in_words(kind: str, row: Sequence[Any]) -> list[str]:
    """Return a row of ``_exact_rows`` for text, without its last column (the decimal).

    Chances are percentages, and their difference is in percentage points. Means are numbers as ``about`` writes them.
    Empty texts stay empty. The name of an event begins with "also".
    """
    name, first, second, difference, _ = row
    if kind == "mean":
        return [name, about(first), about(second), difference and signed(about(difference))]
    name = f"also {name}" if kind == "event" else name
    return [name, first and percent(first), second and percent(second), difference and points(difference)]


def _exact_rows(pair: Mapping[str, Any]) -> Iterator[tuple[str, list[Any]]]:
    """Yield a row for everything that either cell of a pair has, with its kind: outcome, event, figure or mean.

    A row has the name, both values, the second value less the first as a fraction, and this difference as a decimal. If
    only one cell has the outcome, event, figure or mean, the other value and the differences are empty texts.
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
    """Yield ``kind`` and a row for each item: first for items in ``shared``, then for other items of only one cell.

    Rows are as in ``_exact_rows``. ``shared`` has both values and the differences by name. ``alone`` has, for each of
    the two cells, its own values by name.
    """
    for name in dict.fromkeys((*shared, *alone[0], *alone[1])):
        if name in shared:
            yield kind, [name, *(shared[name][key] for key in (*SIDES, "difference", "decimal"))]
        else:
            yield kind, [name, alone[0].get(name, ""), alone[1].get(name, ""), "", ""]
