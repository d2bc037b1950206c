"""Write the costs of forces as text, from data of the JSON contract."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from fractions import Fraction
from typing import Any

from generator.reporting.odds import bar, percent
from generator.reporting.problems import visible
from generator.reporting.tables import Format, table

_UNKNOWN = "?"
_TOGETHER = "together"
_WHOLE, _ITSELF = "Whole force", "the unit itself"
_COLUMNS = (
    "unit", "count", "design", "kind", "line", "formula", "working", "points", "figure", "capacity", "systems", "cite",
)  # fmt: skip
"""The columns of the CSV. A row with neither unit nor design is about the force; with only a unit, its own or total."""
_MARKUP, _ESCAPED = re.compile(r"([\\`*_{}\[\]<>#|])"), r"\\\1"
_MARKUP_IN_CELL = re.compile(r"([\\`*_\[\]])")
"""The characters that Markdown would read as markup in a cell, except those that ``table`` escapes."""


def cost_text(data: Mapping[str, Any], form: Format, width: int | None = None) -> str:
    """Return the costs of a force: its total, the working of every design, units and sources; CSV is one table.

    ``data`` is what ``fieldpress cost`` prints as JSON for one force. Points that are not known are a question mark, or
    an empty cell in CSV. If the total is not known, the text says "at least" and the known points, if any. If the
    rules have no points, the text counts elements instead, unless no design is valid. ``width`` is the most
    characters of a line of a table as text; None for no limit.
    """
    if form == "csv":
        return table(_COLUMNS, [[_cell(row.get(column), "") for column in _COLUMNS] for row in _flat(data)], "csv")
    parts = [_title(data["force"], form), f"{data['rules']}. {_spent(data)}"]
    numbers = _numbered(data)
    for design in _parts(data):
        only = _shows_only(design)
        title = design["design"] if only else f"{design['design']}: {_points(design['points'])}"
        parts += [_title(title, form, 2), _usage(design)]
        heads = ["line", "working", "figure" if only else "points", "capacity", "systems", "source"]
        rows = list(_worked(design, numbers))
        used = [place for place in range(len(heads)) if any(row[place] != "" for row in rows)]
        cells = [[row[index] for index in used] for row in rows]
        parts.append(_table([heads[index] for index in used], cells, form, width))
    if data["units"]:
        heads = ["unit", "of"] if _has_no_points(data) else ["unit", "of", "points"]
        rows = [row[: len(heads)] for row in _units(data) if len(heads) > 2 or row[1] not in ("", _TOGETHER)]  # noqa: PLR2004 - without points
        parts += [_title("Units", form, 2), _table(heads, rows, form, width)]
    if numbers:
        rows = [[number, cite] for cite, number in numbers.items()]
        parts += [_title("Sources", form, 2), _table(["source", "where it stands"], rows, form, width)]
    return "\n\n".join(part for part in parts if part)


def _parts(data: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """Return every design, then the own costs of each unit and of the whole force, if they have any lines."""
    own = [*((f"{unit['unit']}, {_ITSELF}", unit["own"]) for unit in data["units"]), (_WHOLE, data["whole"])]
    return [*data["designs"], *({"design": name, **costs} for name, costs in own if costs and costs["lines"])]


def compared_text(data: Mapping[str, Any], form: Format, width: int | None = None) -> str:
    """Return forces side by side as one table: the number and points of each kind, the total and the budget.

    ``data`` is what ``fieldpress cost`` prints as JSON for several forces. A force whose rules have no points has
    dashes for points, and points that are not known are a question mark. Forces of the same name are numbered.
    ``width`` is as for ``cost_text``.
    """
    forces = data["forces"]
    names = [force["force"] for force in forces]
    titles = [
        f"{item} ({names[: place + 1].count(item)})" if names.count(item) > 1 else item
        for place, item in enumerate(names)
    ]
    heads = ["", *(head for item in titles for head in (item, "points"))]
    free = [_has_no_points(force) for force in forces]

    def row(head: str, counts: Iterable[int], points: Iterable[Any]) -> list[Any]:
        """Return ``head``, then the number and the points of each force, in the order of ``data``.

        Points are a dash if ``free`` says that the force has no points, and a question mark for None.
        """
        cells = zip(counts, points, free, strict=True)
        return [head, *(cell for n, cost, none in cells for cell in (n, "–" if none else _cell(cost)))]

    rows = [row(kind["kind"], kind["counts"], kind["points"]) for kind in data["kinds"]]
    counts = [sum(kind["counts"][place] for kind in data["kinds"]) for place in range(len(forces))]
    rows.append(row("total", counts, [force["total"] for force in forces]))
    rows.append(["budget", *(cell for force in forces for cell in ("", _cell(force["budget"], "–")))])
    return _table(heads, rows, form, width)


def _table(heads: list[str], rows: list[list[Any]], form: Format, width: int | None) -> str:
    """Return a table as ``table`` does; in Markdown, signs of emphasis, code and links in it are escaped."""
    if form == "markdown":
        rows = [[_MARKUP_IN_CELL.sub(_ESCAPED, str(cell)) for cell in row] for row in (heads, *rows)]
        heads, rows = rows[0], rows[1:]
    return table(heads, rows, form, width)


def _title(text: str, form: Format, level: int = 1) -> str:
    """Return a title with control characters escaped.

    In Markdown it is a heading of this level, and characters that Markdown would read as markup are escaped, too.
    """
    shown = visible(text)
    return f"{'#' * level} {_MARKUP.sub(_ESCAPED, shown)}" if form == "markdown" else shown


def _points(points: Any) -> str:
    return f"{_cell(points)} point{'' if points == 1 else 's'}"


def _cell(points: Any, nothing: str = _UNKNOWN) -> Any:
    return nothing if points is None else points


def _spent(data: Mapping[str, Any]) -> str:
    """Return the total and budget of a force as a sentence; the number of elements if its rules have no points."""
    total, budget = data["total"], data["budget"]
    if _has_no_points(data):
        count = sum(entry["count"] for unit in data["units"] for entry in unit["of"]) or len(data["designs"])
        units = f" in {len(data['units'])} unit{'' if len(data['units']) == 1 else 's'}" if data["units"] else ""
        return f"{count} element{'' if count == 1 else 's'}{units}. Its rules have no points."
    text = f"Total: {_points(total) if total is not None else _at_least(data)}"
    if budget is None:
        return f"{text}."
    if not isinstance(total, int):
        return f"{text} of {budget}."
    return f"{text} of {budget}, {f'{budget - total} left' if total <= budget else f'over by {total - budget}'}."


def _at_least(data: Mapping[str, Any]) -> str:
    """Return "at least N points" for a force in which something has no price; "? points" if the known sum is 0.

    If no unit has a valid entry, each design counts once.
    """
    fielded = [entry["points"] for unit in data["units"] for entry in unit["of"]]
    fielded = fielded or [design["points"] for design in data["designs"]]
    fielded += [own["points"] for own in (data["whole"], *(unit["own"] for unit in data["units"])) if own]
    least = sum(Fraction(item or 0) for item in fielded)
    return f"at least {least} point{'' if least == 1 else 's'}" if least else _points(None)


def _usage(design: Mapping[str, Any]) -> str:
    """Return the used and allowed capacity and weapon systems of a design; empty if it has none."""
    uses = []
    for what, name in (("capacity", "capacity"), ("systems", "weapon systems")):
        used, allowed = design[what]["used"], design[what]["allowed"]
        if allowed is not None and (allowed or used):
            share = Fraction(used) / Fraction(allowed) if Fraction(allowed) > 0 else Fraction(0)
            uses.append(f"{name} {used} of {allowed} {bar(str(max(0, min(share, 1))))}".rstrip())
        elif used != 0:
            uses.append(f"{name} {used}")
    text = ", ".join(uses)
    return f"{text[:1].upper()}{text[1:]}." if text else ""


def _numbered(data: Mapping[str, Any]) -> dict[str, int]:
    """Return a number for each citation of a line, from 1 in the order in which the citations first occur."""
    cites = (line["cite"] for design in _parts(data) for line in design["lines"])
    return {cite: number for number, cite in enumerate(dict.fromkeys(filter(None, cites)), start=1)}


def _worked(design: Mapping[str, Any], numbers: Mapping[str, int]) -> Iterator[list[Any]]:
    """Yield a row for each line of a design, then its total. A subtotal is in brackets.

    Zeros are empty, except in a subtotal and in the total of points. ``numbers`` gives the number of each source. A
    figure is printed instead of points. A design that shows only figures has no total.
    """
    for line in design["lines"]:
        points = line["figure"] or (f"({line['subtotal']})" if line["points"] is None else line["points"] or "")
        source = numbers.get(line["cite"], "")
        yield [line["line"], line["working"], points, line["capacity"] or "", line["systems"] or "", source]
    used = [design[what]["used"] or "" for what in ("capacity", "systems")]
    if not _shows_only(design):
        yield ["Total", "", _cell(design["points"]), *used, ""]


def _shows_only(design: Mapping[str, Any]) -> bool:
    """Return whether a design has lines and all of them are figures, because its kind has no points."""
    return bool(design["lines"]) and all(line["figure"] for line in design["lines"])


def _has_no_points(data: Mapping[str, Any]) -> bool:
    """Return whether a force has no points because all lines of its designs show figures instead.

    False without valid designs, if a design has no lines, or if the total is known and not 0.
    """
    return bool(data["designs"]) and not data["total"] and all(map(_shows_only, data["designs"]))


def _flat(data: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    """Yield CSV rows: for each design its lines and then its total; for each unit its entries, own lines and total.

    Then follow the whole force's own lines, its total, and its budget if it has one.
    """
    for design in data["designs"]:
        own = {"design": design["design"], "kind": design["kind"]}
        yield from ({**own, **line} for line in design["lines"])
        used = {what: design[what]["used"] for what in ("capacity", "systems")}
        yield {**own, "line": "Total", "points": design["points"], **used}
    kinds = {design["design"]: design["kind"] for design in data["designs"]}
    for unit in data["units"]:
        yield from ({"unit": unit["unit"], **entry, "kind": kinds[entry["design"]]} for entry in unit["of"])
        yield from ({"unit": unit["unit"], **line} for line in (unit["own"] or {"lines": ()})["lines"])
        yield {"unit": unit["unit"], "line": "Total", "points": unit["points"]}
    yield from (data["whole"] or {"lines": ()})["lines"]
    yield {"line": "Total", "points": data["total"]}
    if data["budget"] is not None:
        yield {"line": "Budget", "points": data["budget"]}


def _units(data: Mapping[str, Any]) -> Iterator[list[Any]]:
    """Yield the rows of the table of units, with a total for each unit whose total is not that of a single entry.

    A unit that pays points itself has a row for them. Then follow a row for the whole force's own points, if there are
    any, and a row for the force's total.
    """
    for unit in data["units"]:
        name = unit["unit"]
        for entry in unit["of"]:
            yield [name, f"{entry['count']} × {entry['design']}", _cell(entry["points"])]
            name = ""
        if unit["own"] and unit["own"]["points"]:
            yield [name, _ITSELF, unit["own"]["points"]]
            name = ""
        if [unit["points"]] != [entry["points"] for entry in unit["of"]]:  # a unit may pay points itself
            yield [name, _TOGETHER, _cell(unit["points"])]
    if data["whole"] and data["whole"]["points"]:
        yield [_WHOLE, "", data["whole"]["points"]]
    yield ["Total", "", _cell(data["total"])]


_NOTE = (
    "+1 after a name: one more design is the same target. Designs without a direct shot are left out. Shots are at "
    "middle range, or close range for a weapon that has no other, unless you give a range band."
)


_ALL_TOGETHER = {"firer": "all together", "shot": "best shot of each", "chance": ""}
"""The cells of a row for all elements of a force, in the place of those of a shot."""
_MATCHUPS: tuple[tuple[str, str, Callable[[Any], str]], ...] = (
    ("chance of one shot", "chance", percent),
    ("expected, if all elements fire once", "expected", "{:.2f}".format),
    ("chance of at least one, if all elements fire once", "at_least_one", lambda chance: percent(str(chance))),
)
"""The tables of a force: what they show, the key of their figures, and how figures are written."""
_HEADS = ["force", "firer", "shot", "to", "target", "chance", "elements", "expected", "at least one"]


def matchup_text(data: Mapping[str, Any], form: Format, width: int | None = None) -> str:
    """Return three tables for each force: the chance of one shot, then two tables for one shot by each element.

    ``data`` is what ``fieldpress odds --forces`` prints as JSON. The last two tables have the expected number of
    successful shots, and the chance of at least one. Each table has a row for each way to fire, and a column for each
    target. The last rows of the last two are for all elements of the force, each with its best shot: a row for each
    effect of the shots, such as "destroy". A force without shots has a sentence instead, and nothing in CSV. CSV is a
    single table. For each force, it has a row for each shot at each target, then rows for all elements at each target,
    one for each effect. ``width`` is as for ``cost_text``.
    """
    if form == "csv":
        return table(_HEADS, [row for fire in data["fires"] for row in _rows(fire)], form)
    parts = []
    for fire in data["fires"]:
        if not fire["shots"]:
            parts.append(_no_shots(fire))
            continue
        targets = list(dict.fromkeys(map(_target, fire["shots"])))
        for caption, key, write in _MATCHUPS:
            rows: dict[tuple[str, str], dict[str, str]] = {}
            for shot in fire["shots"]:
                way = f"{shot['elements']} × {shot['firer']}", f"{shot['shot']}: {shot['to']}"
                rows.setdefault(way, {})[_target(shot)] = write(shot[key])
            for item in fire["together"] if key != "chance" else ():
                way = _ALL_TOGETHER["firer"], f"{_ALL_TOGETHER['shot']}: {item['to']}"
                rows.setdefault(way, {})[_target(item)] = write(item[key])
            parts.append(_title(f"{fire['force']} at {fire['at']}: {caption}", form, 2))
            cells = [[*way, *(found.get(target, "–") for target in targets)] for way, found in rows.items()]
            parts.append(_table(["firer", "shot", *targets], cells, form, width))
    return "\n\n".join([*parts, *([_NOTE] if any(fire["shots"] for fire in data["fires"]) else [])])


def _rows(fire: Mapping[str, Any]) -> Iterator[list[Any]]:
    """Yield a row for each pair of a shot and a group of targets, then rows for all elements at each group.

    These are a row for each effect of the shots at the group. A group has the designs that are alike as targets.
    """
    for shot in (*fire["shots"], *(_ALL_TOGETHER | item for item in fire["together"])):
        named = [fire["force"], shot["firer"], shot["shot"], shot["to"], ", ".join(shot["targets"])]
        yield [*named, shot["chance"], shot["elements"], shot["expected"], shot["at_least_one"]]


def _no_shots(fire: Mapping[str, Any]) -> str:
    """Return why a force has no odds, and the commands to ask instead, if its rules have any."""
    why = f"{fire['force']} at {fire['at']}: no odds. It has no shots, or the rules do not give all of their figures."
    commands = " or ".join(f"fieldpress odds {name}" for name in fire["asks"])
    return f"{why} Ask with your own figures: {commands}" if commands else why


def _target(shot: Mapping[str, Any]) -> str:
    """Return the first of the designs that are alike as targets, with the number of others: ``Sabre +2``."""
    first, *others = shot["targets"]
    return f"{first} +{len(others)}" if others else first
