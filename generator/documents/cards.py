"""Designs and units of a force as cards."""

from __future__ import annotations

from itertools import groupby
from operator import attrgetter
from typing import TYPE_CHECKING, Any, NamedTuple

from generator.documents.odds_on_cards import Aim, aims, chances
from generator.documents.rosters import file_name
from generator.documents.words import NOTHING, date, number
from generator.forces.values import filled, shown
from generator.render.deck import Boxes, Card, Deck, Grid, Line, Stat, Symbol, Ticks
from generator.render.faces import MOST_ROWS
from generator.rules.formulas.errors import RefusedError
from generator.rules.kinds import unit_fields

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence

    from generator.forces.force import Design, Entry, Force, Unit
    from generator.forces.values import Values
    from generator.rules.card import Box, CardTable, Column, Shown, Target, Tell
    from generator.rules.card import Card as CardData
    from generator.rules.formulas.compiler import Formula

_MOST_BOXES = 60
"""More than that are no boxes but a line to write on."""
_MOST_TARGETS = 6
_UNKNOWN = "?"


class Fielded(NamedTuple):
    """A card to be made: a design, the unit that fields it, and how many of it."""

    design: Design
    unit: Unit | None
    many: int


def deck(force: Force, fingerprint: str, enemy: Force | None = None, only: Collection[str] = ()) -> Deck:
    """A card for every design in every unit; of a force without units, one for each design.

    ``enemy`` is what the odds are against, else the targets of reference. ``only`` names designs and units.
    """
    manifest = force.rules.manifest
    errors = sum(one.severity == "error" for one in force.problems)
    facing = aims(enemy) if enemy is not None else ()
    strap = f"{manifest.title}. Odds against {enemy.name}." if enemy is not None else f"{manifest.title}."
    return Deck(
        id=f"{file_name(force)}-cards",
        title=f"{force.name}: cards",
        strap=strap,
        cards=tuple(_card(force, one, facing, enemy) for one in fielded(force) if _is_wanted(one, only)),
        author="fieldpress",
        edition=date(manifest.edition),
        fingerprint=fingerprint,
        source=manifest.title,
        rights=manifest.rights,
        created=manifest.edition if "-" in manifest.edition else f"{manifest.edition}-01-01",
        banner=f"Draft: {errors} problem{'s' if errors != 1 else ''}" if errors else "",
    )


def fielded(force: Force) -> Iterator[Fielded]:
    """What cards there are, in the order of the units."""
    for unit in force.units:
        for entry in _together(unit.of):
            yield Fielded(entry[0], unit, entry[1])
    if not force.units:
        yield from (Fielded(design, None, 1) for design in force.designs)


def _together(entries: Sequence[Entry]) -> list[tuple[Design, int]]:
    """Entries of one design are one."""
    counts: dict[str, tuple[Design, int]] = {}
    for one in entries:
        counts[one.design.name] = (one.design, counts.get(one.design.name, (one.design, 0))[1] + one.count)
    return list(counts.values())


def _is_wanted(one: Fielded, only: Collection[str]) -> bool:
    return not only or one.design.name in only or (one.unit is not None and one.unit.name in only)


def _card(force: Force, one: Fielded, facing: tuple[Aim, ...], enemy: Force | None) -> Card:
    design = one.design
    data = force.rules.cards.get(design.kind.id)
    grids: tuple[Grid, ...] = ()
    foot: dict[str, list[str]] = {}
    if data is not None:
        tables = [grid for table in data.tables for grid in _grids(table, design, facing, enemy, foot)]
        grids = tuple(_joined(tables))
    return Card(
        design.name,
        _who(force, one),
        _points(design),
        _under_points(one) if design.kind.pays else (),
        _symbol(data, design),
        tuple(_stats(data, design)) if data is not None else (),
        grids,
        _also(data, design),
        _note(one),
        _ticks(data, one) if data is not None else (),
        _foot(foot),
    )


def _who(force: Force, one: Fielded) -> str:
    """The unit and what its player says of it; of a force without units, the kind."""
    if one.unit is None:
        return one.design.kind.title
    fields = [field for field in unit_fields(force.rules.kinds) if field.choice is not None]
    said = []
    for field in fields:
        value = one.unit.values.get(field.name)
        if value is not None and field.choice is not None:
            word = str(field.choice.names.get(value, value))
            said.append(f"{field.label.lower()} {word}" if word[:1].isdigit() else word.lower())
    return " · ".join([one.unit.name, *([", ".join(said)] if said else [])])


def _points(design: Design) -> str:
    """Its price; nothing for what has none by the rules."""
    if not design.kind.pays:
        return ""
    return _UNKNOWN if design.points is None else number(design.points)


def _under_points(one: Fielded) -> tuple[str, ...]:
    if one.many == 1 or one.design.points is None:
        return ("points",)
    return ("points each", f"{number(one.design.points * one.many)} for {one.many}")


def _note(one: Fielded) -> str:
    return " ".join(text.strip() for text in (one.design.note, one.unit.note if one.unit else "") if text.strip())


def _symbol(data: CardData | None, design: Design) -> Symbol:
    if data is None or data.symbol is None:
        return Symbol("none", "none")
    values = design.priced.values
    frame = _value(data.symbol.frame, values)
    sign = next((name for name, when in data.symbol.signs if _holds(when, values)), "none")
    size = _value(data.symbol.size, values) if data.symbol.size is not None else 0
    return Symbol(str(frame), sign, size if isinstance(size, int) else 0)


def _value(formula: Formula, values: Values) -> Any:
    """What a formula comes to; None where it leans on a value that was refused."""
    try:
        return formula(values)
    except RefusedError:
        return None


def _holds(formula: Formula | None, values: Values) -> bool:
    """Whether a condition holds; not so where it leans on a value that was refused."""
    try:
        return formula is None or formula.holds(values)
    except RefusedError:
        return False


def _stats(data: CardData, design: Design) -> Iterator[Stat]:
    for one in data.strip:
        here = next(iter(design.priced.values.entries(None, one.join)))
        if not _holds(one.shown.when, here):
            continue
        label = _label(one.label, design, None, here)
        if one.line is None:
            yield Stat(_figure(one.shown, here), label)
        elif (line := design.priced.line(one.line)) is not None:
            yield Stat(line.figure or number(line.amount), label)


def _label(text: str, design: Design, each: str | None, values: Values) -> str:
    try:
        return filled(text, design.kind, each, values)
    except RefusedError:
        return _UNKNOWN


def _figure(what: Shown, values: Values) -> str:
    """A figure as it is printed; several side by side."""
    try:
        if what.die is not None:
            return shown(what.die, values, what.unit, die=True)
        parts = [shown(one, values) for one in what.values]
    except RefusedError:
        return _UNKNOWN
    return "·".join(parts) + (what.unit if parts != [NOTHING] else "")


def _grids(
    table: CardTable, design: Design, facing: tuple[Aim, ...], enemy: Force | None, foot: dict[str, list[str]]
) -> Iterator[Grid]:
    """A table, or one for each entry of its list; ``foot`` learns what its chances are and against whom."""
    if table.each is not None and table.each in design.priced.values.holes:
        return
    for here in design.priced.values.entries(table.each, table.join):
        if not _holds(table.when, here):
            continue
        title = _label(table.title, design, table.each, here)
        against: Sequence[Aim | Target] = ()
        if table.odds is not None and table.odds.at is not None and _holds(table.odds.when, here):
            fitting = [one for one in facing if one.fits(table.odds)][:_MOST_TARGETS]
            against = fitting if enemy is not None else table.odds.at.targets
            told = foot.setdefault(table.odds.says, [])
            told += [one.told for one in fitting] if enemy is not None else [table.odds.at.says]
        lines = []
        for head, inside in _rows(table, design, here):
            cells = tuple(_cell(column, inside) for column in table.columns)
            lines.append(Line(head, cells, chances(table.odds, inside, against) if table.odds else ()))
        heads = tuple(column.head for column in table.columns)
        if lines:
            yield Grid(title, heads, tuple(one.head for one in against), tuple(lines))


def _rows(table: CardTable, design: Design, here: Values) -> Iterator[tuple[str, Values]]:
    for row in table.rows:
        inside = _learned(row.let, here)
        if _holds(row.when, inside):
            yield _label(row.label, design, table.each, inside), inside


def _learned(let: Sequence[tuple[str, Formula]], here: Values) -> Values:
    inside = here.copied()
    for name, formula in let:
        inside.learn(name, formula)
    return inside


def _cell(column: Column, values: Values) -> str:
    return _figure(column.shown, values) if _holds(column.shown.when, values) else NOTHING


def _joined(grids: Sequence[Grid]) -> Iterator[Grid]:
    """Tables with the same heads that stand together and have one title are one."""
    for (title, heads, targets), alike in groupby(grids, attrgetter("title", "heads", "targets")):
        yield Grid(title, heads, targets, tuple(line for grid in alike for line in grid.lines))


def _also(data: CardData | None, design: Design) -> str:
    """Lines of the working told by their labels; where the rules have no card for the kind, all with their figures."""
    if data is None:
        return " · ".join(f"{line.label} {line.figure}".strip() for line in design.priced.lines)
    told = [text for one in data.tells for text in _told(one, design)]
    told += [line.label for name in data.also for line in design.priced.lines if line.id == name]
    return " · ".join(dict.fromkeys(told))


def _told(tell: Tell, design: Design) -> Iterator[str]:
    if tell.each is not None and tell.each in design.priced.values.holes:
        return
    for here in design.priced.values.entries(tell.each, tell.join):
        if _holds(tell.when, here):
            yield _label(tell.says, design, tell.each, _learned(tell.let, here))


def _ticks(data: CardData, one: Fielded) -> tuple[Ticks, ...]:
    """Boxes for each element; of many elements, so many of each box in a run."""
    each = tuple(_boxes(data, one.design, "element"))
    shared = tuple(_boxes(data, one.design, "card"))
    found: list[Ticks] = []
    if each and one.many <= MOST_ROWS:
        found += [Ticks(str(index + 1) if one.many > 1 else "", each) for index in range(one.many)]
    elif each:
        found.append(Ticks("", tuple(Boxes(box.label, box.many * one.many) for box in each)))
    if shared:
        found.append(Ticks("", shared))
    return tuple(Ticks(tick.name, tuple(map(_countable, tick.boxes))) for tick in found)


def _countable(boxes: Boxes) -> Boxes:
    return boxes if boxes.many <= _MOST_BOXES else Boxes(f"{boxes.label}: {boxes.many}, less ……………", 0)


def _boxes(data: CardData, design: Design, per: str) -> Iterator[Boxes]:
    for box in data.boxes:
        if box.per == per and (box.each is None or box.each not in design.priced.values.holes):
            yield from _boxes_of(box, design)


def _boxes_of(box: Box, design: Design) -> Iterator[Boxes]:
    for here in design.priced.values.entries(box.each, box.join):
        if _holds(box.when, here):
            count = _value(box.count, here)
            if isinstance(count, int) and count > 0:
                yield Boxes(_label(box.label, design, box.each, here), count)


def _foot(told: dict[str, list[str]]) -> str:
    """What the percentages are, and against whom."""
    said = [f"{says} {'; '.join(dict.fromkeys(against))}" for says, against in told.items() if against]
    return f"Percent: {'; '.join(said)}." if said else ""
