"""Record sheets of a scenario: each side's units and elements, with boxes for events and losses."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from math import ceil
from typing import TYPE_CHECKING, NamedTuple

from generator.documents.force.cards import Fielded, boxes_of, fielded
from generator.documents.force.rosters import unit_word
from generator.documents.pack.battle import battle_sheet, slug, turns_of
from generator.documents.words import NOTHING
from generator.render.blocks import Cell, Column, Prose, Row, Section, Sheet, Table
from generator.render.cards.deck import Boxes
from generator.render.geometry import narrowest
from generator.render.page.writing import lines_to_write_on
from generator.render.type.text_length import POINT, length
from generator.rules.entries.kinds import unit_fields

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from generator.forces.force import Force, Unit
    from generator.rules.ruleset import RuleSet
    from generator.scenarios.scenario import Scenario, Side

RECORDS = "records"
"""The table of a rule set, in its folder for scenarios."""
_MOST_BOXES = 10
"""Most boxes of a kind in a column of their own; more boxes stand after their name."""
_SPACE = "\N{NO-BREAK SPACE}"
_RARE = 10
"""A kind of boxes that fewer than one element in this number has is rare."""
_NARROW, _FEW = 3, 6
"""Most kinds of boxes, and most turns, for two units side by side."""
_NAME, _NAME_HALF, _ASIDE, _TURN = 38, 33, 44, 9
"""Column widths in millimetres: a name, a name on half a page, boxes with names, a turn."""
_ABREAST = 12
"""Turns of an element that fit side by side; further turns continue below."""
_WRITTEN, _TURNS_WRITTEN = 10, 10
"""Width of a line to write on for a turn, and most turns with such lines."""
_EM, _BOX, _FIVE, _AIR = 3.1, 3.9, 1.6, 2.6
"""Widths in millimetres: an em, a box, the space after five boxes, a cell's padding."""
MOST_ROWS = 6
"""Most elements with their own row of boxes; for more, all boxes of a kind are in one run."""
_ACTED = "acted"
"""The record that says whether units, elements or neither have boxes for the turns in which they acted."""


class _Kept(NamedTuple):
    """A card, and the names and boxes of its elements."""

    card: Fielded
    elements: tuple[tuple[str, tuple[Boxes, ...]], ...]


class _Grid(NamedTuple):
    """The columns of all tables of a sheet, in millimetres."""

    boxes: dict[str, int]
    """The column width of each kind of boxes with a column."""
    turns: int
    """The width of the turns of elements; 0 if units act."""
    written: tuple[str, ...]
    """The heads of lines to write on for each turn."""
    aside: int
    """The width of boxes after their names; 0 if there are none."""
    name: int
    rest: int
    """The width that stays empty."""
    half: bool
    """Whether two tables stand side by side."""


def record_sheet(scenario: Scenario, side: Side, fingerprint: str) -> Sheet:
    """Return the record sheet of a side, with boxes for every unit and element."""
    half, tables = _tables(scenario, side.force) if side.force is not None else (False, [])
    filling = tuple(tables) or (Prose(("Nothing is fielded.",)),)
    section = Section("Units", filling, abreast=2 if half and tables else 1)
    rows = [Row(((section,),)), lines_to_write_on("Notes")]
    title = f"{scenario.name}: {side.name}"
    strap = "What becomes of every unit and of what is in it. Tick a box when it happens."
    counting = (
        [kind.model.title.lower() for kind in side.force.rules.sheets_of_kinds()] if side.force is not None else []
    )
    if counting:
        strap = f"Every unit at a glance; what counts is ticked on each {counting[0]}."
    kicker = ("record sheet", scenario.rules.manifest.short)
    return battle_sheet(scenario, f"{slug(scenario, side)}-records", title, strap, kicker, rows, fingerprint)


def _tables(scenario: Scenario, force: Force) -> tuple[bool, list[Table]]:
    """Return whether two tables stand side by side, and a table for each unit (or design, without units)."""
    listed = [_Kept(card, tuple(_elements(scenario.rules, card))) for card in fielded(force)]
    written = tuple(_written(scenario, [item.card for item in listed]))
    grid = _grid(scenario, [boxes for kept in listed for _, boxes in kept.elements], written)
    tables = []
    for unit in force.units:
        mine = [item for item in listed if item.card.unit is unit]
        said = "" if all(item.card.design.kind.idle for item in mine) else _said(force, unit)
        tables.append(_table(scenario, f"{unit.name}: {said}" if said else unit.name, mine, grid))
    if not force.units:
        tables += [_table(scenario, item.card.design.name, [item], grid) for item in listed]
    return grid.half, tables


def _said(force: Force, unit: Unit) -> str:
    """Return a unit's quality and other fields, by their printed names."""
    fields = [field for field in unit_fields(force.rules.kinds) if unit_word(field, unit) != NOTHING]
    return ", ".join(f"{field.label} {unit_word(field, unit)}".lower() for field in fields)


def _written(scenario: Scenario, mine: Sequence[Fielded]) -> Iterator[str]:
    """Yield the heads of lines to write on for each turn; nothing if there are too many turns."""
    turns, taking_part = turns_of(scenario), [item for item in mine if not item.design.kind.idle]
    if taking_part and turns <= _TURNS_WRITTEN:
        for name, *_ in _lines(scenario.rules, "turn", taking_part):
            yield from (f"{name}{_SPACE}{turn}" for turn in range(1, turns + 1))


def _grid(scenario: Scenario, every: Sequence[tuple[Boxes, ...]], written: tuple[str, ...]) -> _Grid:
    """Return the columns of the whole sheet: the most common boxes that fit, in the order of the cards."""
    wide = {
        label: _wide(label, max(box.many for boxes in every for box in boxes if box.label == label and _fits(box)))
        for label in _in_order([[box.label for box in boxes if _fits(box)] for boxes in every])
    }
    # Rare boxes come last, so that the others have the same place on every sheet.
    many = Counter(box.label for boxes in every for box in boxes)
    wide = dict(sorted(wide.items(), key=lambda item: many[item[0]] * _RARE < len(every)))
    turns = min(turns_of(scenario), _ABREAST) * _TURN if _acts(scenario.rules) == "element" else 0
    all_in = all(_fits(box) for boxes in every for box in boxes)
    of_turns = turns + _WRITTEN * len(written)
    needed = sum(wide.values()) + of_turns
    page = narrowest()
    half_page, whole_page = int(page.across(50)), int(page.width)
    half = all_in and len(wide) <= _NARROW and turns_of(scenario) <= _FEW and needed + _NAME_HALF <= half_page
    whole, name = (half_page, _NAME_HALF) if half else (whole_page, _NAME)
    if all_in and needed + name <= whole:
        return _Grid(wide, turns, written, 0, name, whole - name - needed, half)
    room, kept = whole - name - of_turns - _ASIDE, set[str]()
    for label, _ in many.most_common():
        if label in wide and wide[label] <= room:
            kept.add(label)
            room -= wide[label]
    return _Grid(
        {label: item for label, item in wide.items() if label in kept}, turns, written, _ASIDE + room, name, 0, half
    )


def _fits(boxes: Boxes) -> bool:
    return boxes.many <= _MOST_BOXES


def _wide(label: str, many: int) -> int:
    """Return the width of a column of boxes with its head."""
    return ceil(max(length(label, _EM / POINT, "sans"), many * _BOX + ceil(many / 5) * _FIVE) + _AIR)


def _in_order(every: Iterable[Sequence[str]]) -> list[str]:
    """Return the items of several lists in an order that agrees with each list as far as possible.

    The longest list comes first; items of others are inserted after the items before them.

    >>> _in_order([["destroyed"], ["damaged", "destroyed"], ["mines", "damaged"]])
    ['mines', 'damaged', 'destroyed']
    """
    order: list[str] = []
    for listed in sorted(every, key=len, reverse=True):
        at = 0
        for number, label in enumerate(listed):
            if label not in order:
                later = (order.index(item) for item in listed[number + 1 :] if item in order)
                order.insert(at or next(later, len(order)), label)
            at = order.index(label) + 1
    return order


def _table(scenario: Scenario, caption: str, mine: Sequence[_Kept], grid: _Grid) -> Table:
    """Return a unit's table: rows for the whole unit, then each element's boxes in columns.

    Boxes without a column stand ``aside``, after their names, one below the other.
    """
    rules = scenario.rules
    cards = [kept.card for kept in mine]
    elements = [element for kept in mine for element in kept.elements]
    here = {box.label for _, boxes in elements for box in boxes}
    takes_part = not all(card.design.kind.idle for card in cards)
    turns, alone, aside = _numbers(turns_of(scenario)), bool(grid.turns), bool(grid.aside)
    rest = grid.rest > 0
    lines = (_WRITTEN,) * len(grid.written)
    own = set(_written(scenario, cards))
    shares = tuple(box for box in (grid.turns, *grid.boxes.values(), *lines, grid.aside, grid.rest) if box)
    kept = [("Acted in turn", turns)] if takes_part and _acts(rules) == "unit" else []
    kept += _whole_unit(rules, cards) if takes_part else []
    rows: list[tuple[Cell, ...]] = [(Cell(name), replace(boxes, span=len(shares))) for name, boxes in kept]
    heads = [*(["Acted in turn"] if alone else []), *(box if box in here else "" for box in grid.boxes)]
    heads += [*(text if text in own else "" for text in grid.written), *[""] * (aside + rest)]
    begins: list[int] = []
    if any(heads):  # heads stand above the elements only
        begins.append(len(rows))
        rows.append((Cell(""), *map(Cell, heads)))
    for name, ticks in elements:
        many = {tick.label: tick.many for tick in ticks if tick.label in grid.boxes and _fits(tick)}
        said = [Cell(f"{tick.label}\N{NO-BREAK SPACE}", boxes=tick.many) for tick in ticks if tick.label not in many]
        for number, other in enumerate(said or [Cell("")]):
            first = number == 0
            cells = (
                *((turns if first and takes_part else Cell(""),) if alone else ()),
                *(Cell("", boxes=many[box]) if first and box in many else Cell("") for box in grid.boxes),
                *(Cell("", blank=first and text in own) for text in grid.written),
                *((other,) if aside else ()),
                *((Cell(""),) if rest else ()),
            )
            rows.append((Cell(name if first else "", plain=True, strong=True), *(cells or (Cell(""),))))
    columns = (Column("", share=share) for share in shares)
    return Table(
        (Column("", share=grid.name), *columns),
        tuple(rows),
        caption,
        show_caption=True,
        plain_caption=True,
        group_rows=tuple(begins),
        dense=True,
    )


def _acts(rules: RuleSet) -> str:
    """Return what has boxes for the turns in which it acted: "unit", unless the rules have another word."""
    table = rules.tables.get(RECORDS)
    rows = table.rows if table is not None else ()
    return next((str(row.values.get("per")) for row in rows if row.values.get("record") == _ACTED), "unit")


def _numbers(turns: int) -> Cell:
    return Cell("", named=tuple(str(turn) for turn in range(1, turns + 1)))


def _whole_unit(rules: RuleSet, mine: Sequence[Fielded]) -> list[tuple[str, Cell]]:
    """Return the records of a whole unit: each record's name, and a cell with its boxes, named if possible."""
    found = []
    for name, says, many, _ in _lines(rules, "unit", mine):
        words = tuple(says.split(", "))
        told = (
            Cell("", named=words)
            if len(words) == many
            else Cell(f"{says}\N{NO-BREAK SPACE}" if says else "", boxes=many)
        )
        found.append((name, told))
    return found


def _elements(rules: RuleSet, one: Fielded) -> Iterator[tuple[str, tuple[Boxes, ...]]]:
    """Yield the name and boxes of each element: the card's boxes and the rules' own; many elements share a row."""
    data = rules.cards.get(one.design.kind.id)
    boxes = boxes_of(data, one) if data is not None else ()
    has = {box.label: box.many for box in boxes}
    more = tuple(
        Boxes(name, has.get(like, many)) for name, _, many, like in _lines(rules, "element", [one]) if name not in has
    )
    every, name = (*boxes, *more), one.design.name
    if one.many <= MOST_ROWS:
        yield from ((f"{name} {number + 1}" if one.many > 1 else name, every) for number in range(one.many))
    else:
        yield f"{name} × {one.many}", tuple(Boxes(box.label, box.many * one.many) for box in every)


def _lines(rules: RuleSet, per: str, mine: Sequence[Fielded]) -> list[tuple[str, str, int, str]]:
    """Return the records that the rules have for units or elements: name, words for the boxes, number of boxes.

    The last item names the boxes of the card, if any, whose number counts instead.
    """
    table, found = rules.tables.get(RECORDS), []
    kinds = {item.design.kind.id for item in mine}
    for row in table.rows if table is not None else ():
        given = row.values
        wanted = given.get("kinds")
        if given.get("per") == per and given.get("record") != _ACTED and (not wanted or kinds & set(wanted)):
            name, says, like = (str(given.get(key) or "") for key in ("name", "says", "like"))
            many = given.get("many")
            found.append((name, says, many if isinstance(many, int) else 1, like))
    return found
