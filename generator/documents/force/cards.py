"""The cards of a force, for its designs and units."""

from __future__ import annotations

import re
from dataclasses import replace
from itertools import groupby
from operator import attrgetter
from typing import TYPE_CHECKING, NamedTuple

from generator.documents.blocks.grids import tint_key
from generator.documents.figures import MOST_BOXES, entries, figure, rows, stats, value
from generator.documents.force.odds_on_cards import (
    NO_CHANCE,
    Aim,
    Heads,
    Letters,
    Style,
    aims,
    chances,
    columns_of,
    shots_of,
    told_apart,
)
from generator.documents.force.rosters import file_name, unit_word
from generator.documents.imprint import draft, imprint
from generator.documents.relevance import fielding, is_had
from generator.documents.words import NOTHING, breakable, points, within
from generator.forces.card_values import holds, label, learned, no_figure
from generator.forces.force import Design
from generator.render.cards.deck import NO_SYMBOL, Asked, Boxes, Card, Deck, Grid, Line, Stat, Symbol, Target, Ticks
from generator.render.cards.faces import demand, faces, has_note, tears_heads
from generator.rules.entries.kinds import UNIT, unit_fields
from generator.rules.formulas.errors import FormulaUseError
from generator.rules.model.block import is_played

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Sequence

    from generator.forces.context import Values
    from generator.forces.force import Entry, Force, Unit
    from generator.forces.target_profiles import Known
    from generator.rules.cards.card import Card as CardData
    from generator.rules.cards.card import Tell
    from generator.rules.cards.figures import CardTable, Column, Odds
    from generator.rules.cards.figures import Target as Reference

MOST_ROWS = 6
"""Most elements with their own row of boxes; for more, all boxes of a kind are in one run."""
_SPACE = "\N{NO-BREAK SPACE}"
_HELD = re.compile(r" (?=×)|(?<=×) |(?<=\d) (?=×)|(?<=[\d″]) (?=[a-z])|(?<=[\w:]) (?=\d)")
"""Spaces in a card's notes that must not end a line, such as between a figure and its unit."""
_IN_SHORT = 2
"""Least number of elements for which boxes are named once for all."""


class Fielded(NamedTuple):
    """A design to make a card for, with its unit and its number of elements."""

    design: Design
    unit: Unit | None
    many: int
    leads: bool = False
    """Whether the card has the boxes of the unit: the unit's first card that is not idle."""


class _Context(NamedTuple):
    """The context that all cards of a deck share."""

    enemy: Force | None
    """The enemy force; None for odds against reference targets."""
    facing: tuple[Aim, ...]
    """The enemy's designs as targets."""
    letters: Letters
    """The letters of the targets whose names do not fit a column."""
    known: Known
    met: set[str]
    """The enemy's designs that cards have odds against, collected while cards are made."""
    draft: bool
    aside: Collection[str]
    """The procedures that do not apply in this battle; no card has their odds."""
    against: frozenset[str]
    """The kinds, fields and values that the enemy uses."""
    own: frozenset[str]
    """The kinds, fields and values that the force uses."""

    def prints(self, odds: Odds) -> bool:
        """Return whether a table's odds apply, and concern anything that a named enemy has."""
        only_for = odds.at.only_for if odds.at is not None and self.enemy is not None else ()
        return odds.procedure.id not in self.aside and is_played(only_for, [self.against])


def deck(
    force: Force, fingerprint: str, enemy: Force | None = None, only: Collection[str] = (), aside: Collection[str] = ()
) -> Deck:
    """Return a deck with a card for every design in every unit, or for every design of a force without units.

    Odds are against ``enemy``, or against reference targets. ``only`` names the designs and units that are wanted.
    ``aside`` names the procedures that do not apply in this battle.

    Raises ProblemsError (R241) if the rule data has no answer for a design.
    """
    manifest = force.rules.manifest
    banner = draft(force.problems)
    facing = aims(enemy) if enemy is not None else ()
    played = fielding(enemy), fielding(force)
    context = _Context(enemy, facing, Letters(facing), {}, set(), bool(banner), aside, *played)
    cards = tuple(_told_cards(force, only, context))
    against = f" Odds against {enemy.name}." if enemy is not None and context.met else ""
    odds = any(grid.targets for card in cards for grid in card.grids)
    return Deck(
        id=f"{file_name(force)}-cards",
        title=f"{breakable(force.name)}: cards",
        strap=f"{manifest.title}.{against}",
        cards=cards,
        owner=force.name,
        bounds=tint_key().bounds if odds else (),
        banner=banner,
        imprint=imprint(manifest, fingerprint),
    )


def fielded(force: Force) -> Iterator[Fielded]:
    """Yield the designs to make cards for, in the order of the units."""
    for unit in force.units:
        together = _together(unit.of)
        leader = next((design.name for design, _ in together if not design.kind.idle), "")
        yield from (Fielded(design, unit, many, design.name == leader) for design, many in together)
    if not force.units:
        yield from (Fielded(design, None, 1) for design in force.designs)


def _together(entries: Sequence[Entry]) -> list[tuple[Design, int]]:
    """Return each design with the total count of its entries."""
    counts: dict[str, tuple[Design, int]] = {}
    for entry in entries:
        counts[entry.design.name] = (entry.design, counts.get(entry.design.name, (entry.design, 0))[1] + entry.count)
    return list(counts.values())


def is_wanted(one: Fielded, only: Collection[str]) -> bool:
    """Return whether this design or its unit is named in ``only``; True if ``only`` is empty."""
    return not only or one.design.name in only or (one.unit is not None and one.unit.name in only)


def _told_cards(force: Force, only: Collection[str], context: _Context) -> Iterator[Card]:
    """Yield the wanted cards, then the shared cards. Raise ProblemsError if a formula has no answer."""
    every = list(fielded(force))
    made: dict[int, Card] = {}
    shared: list[Shared] = []
    for index, item in enumerate(every):
        if not is_wanted(item, only):
            continue
        try:
            if index not in made:  # for all units, wanted or not: the largest card decides the division into faces
                alike = {at: other for at, other in enumerate(every) if other.design.name == item.design.name}
                made |= zip(alike, _cards(force, [*alike.values()], context), strict=True)
                shared += _shared(force, item.design, context)
        except FormulaUseError as error:
            place = force.rules.cards[item.design.kind.id].place
            raise no_figure(error, place, f"the card of {item.design.name}") from None
        yield made[index]
    yield from shared_cards(force, shared, "Draft" if context.draft else "")


def _cards(force: Force, alike: Sequence[Fielded], context: _Context) -> list[Card]:
    """Return a design's cards on the fewest faces, with column heads as names, else short names, else letters."""
    best: tuple[int, list[Card]] | None = None
    ways: Sequence[Style] = ("names", "short", "letters")
    for style in ways:
        heads = Heads(context.letters, style)
        made = [_headed(force, item, context, heads) for item in alike]
        laid = [face for item in made for face in faces(item)]
        whole = not heads or style == "letters" or not any(map(tears_heads, laid))
        if whole and (best is None or len(laid) < best[0]):
            best = len(laid), made
        if not heads or (best is not None and best[0] == len(alike)):
            break  # no style needs fewer faces
    return _noted_alike(alike, _shared_out_alike(best[1] if best is not None else []))


def _shared_out_alike(cards: list[Card]) -> list[Card]:
    """Return a design's cards, all divided into faces like the largest of them."""
    largest = max(cards, key=demand)
    if len(faces(largest)) == 1:
        return cards
    return [replace(card, like=largest) for card in cards]


def _noted_alike(alike: Sequence[Fielded], cards: list[Card]) -> list[Card]:
    """Return the cards with their design's note on all of them, or on none if one card has no room for it."""
    if all(map(has_note, cards)):
        return cards
    return [replace(card, note=_note(item, of_design=False)) for item, card in zip(alike, cards, strict=True)]


def _shared(force: Force, design: Design, context: _Context) -> Iterator[Shared]:
    """Yield a design's tables for cards shared with other designs."""
    data = force.rules.cards.get(design.kind.id)
    for table in data.tables if data is not None else ():
        if table.shared:
            for grid in _grids(table, design, context, Heads(context.letters, "letters")):
                yield Shared(table.shared, grid, turned=table.turned)


def _headed(force: Force, one: Fielded, context: _Context, heads: Heads) -> Card:
    """Return the card of a design, with these column heads over its odds."""
    design = one.design
    data = force.rules.cards.get(design.kind.id)
    of_unit = _of_unit(force, one)
    grids: tuple[Grid, ...] = ()
    if data is not None:
        asked_of = [table.odds for table in data.tables if table.odds is not None and list(entries(design, table))]
        aimed_at = context._replace(facing=told_apart(context.facing, asked_of))
        tables = [grid for table in data.tables if not table.shared for grid in _grids(table, design, aimed_at, heads)]
        grids = tuple(joined(tables))
    return Card(
        one.unit.name if one.unit is not None and force.is_namesake(one.unit) else design.name,
        _who(force, one),
        _points(design),
        _under_points(one) if design.kind.pays else (),
        _symbol(data, design),
        (*(Stat(*stat) for stat in (stats(data.strip, design) if data is not None else ())), *of_unit.stats),
        grids,
        " · ".join(filter(None, (_also(data, design), of_unit.also))),
        _note(one),
        (*in_short(ticks_of(data, one) if data is not None else ()), *of_unit.ticks),
        "Draft" if context.draft else "",
        one.unit.name if one.unit else "",
    )


class _OfUnit(NamedTuple):
    """The part of a card about the unit."""

    stats: tuple[Stat, ...] = ()
    also: str = ""
    ticks: tuple[Ticks, ...] = ()


def _of_unit(force: Force, one: Fielded) -> _OfUnit:
    """Return the figures of the unit for each of its cards, and its boxes and notes for the first."""
    data, unit = force.rules.cards.get(UNIT), one.unit
    if data is None or unit is None or unit.priced is None or one.design.kind.idle:
        return _OfUnit()
    design = Design(unit.name, force.rules.kinds[UNIT], unit.values, unit.priced, unit.place, "", ())
    found = tuple(Stat(*stat) for stat in stats(data.strip, design))
    if not one.leads:
        return _OfUnit(found)
    boxes = tuple(box for per in ("element", "card") for box in _boxes(data, design, per))
    return _OfUnit(found, _also(data, design), (Ticks(design.kind.title, boxes),) if boxes else ())


def _who(force: Force, one: Fielded) -> str:
    """Return the unit's name, unless it equals the design's, and its values; else the title of the kind.

    If the card has the unit's name, the design's name is given instead.
    """
    if one.unit is None:
        return one.design.kind.title
    said = []
    for field in () if one.design.kind.idle else unit_fields(force.rules.kinds):
        word = unit_word(field, one.unit)
        if word != NOTHING:
            said.append(f"{field.label.lower()} {word}" if word[:1].isdigit() else word.lower())
    other = one.design.name if force.is_namesake(one.unit) else one.unit.name
    named = other if one.unit.name != one.design.name else ""
    return " · ".join(filter(None, (named, ", ".join(said)))) or one.design.kind.title


def _points(design: Design) -> str:
    """Return a design's points; empty for a kind without points."""
    return points(design.points) if design.kind.pays else ""


def _under_points(one: Fielded) -> tuple[str, ...]:
    if one.many == 1:
        return ("points",)
    return ("points each", f"{points(one.design.points * one.many)} for {one.many}")


def _note(one: Fielded, *, of_design: bool = True) -> str:
    notes = (one.design.note if of_design else "", one.unit.note if one.unit else "")
    return " ".join(text.strip() for text in notes if text.strip())


def _symbol(data: CardData | None, design: Design) -> Symbol:
    if data is None or data.symbol is None:
        return NO_SYMBOL
    values = design.priced.values
    frame = value(data.symbol.frame, values)
    sign = next((name for name, when in data.symbol.signs if holds(when, values)), "none")
    size = value(data.symbol.size, values) if data.symbol.size is not None else 0
    return Symbol(str(frame), sign, size if isinstance(size, int) else 0)


def _grids(table: CardTable, design: Design, context: _Context, heads: Heads) -> Iterator[Grid]:
    """Yield a table of the card, or a table for each entry of its list."""
    if table.odds is not None and not context.prints(table.odds):
        return
    for here in entries(design, table):
        title = label(table.title, design, table.each, here)
        against: Sequence[Aim | Reference] = ()
        asked: tuple[Asked, ...] = ()
        if table.odds is not None and table.odds.at is not None and holds(table.odds.when, here):
            theirs = table.odds.at.theirs if context.enemy is not None else ""
            facing = shots_of(context.enemy, table.odds) if context.enemy and theirs else context.facing
            fitting = [shot for shot in facing if shot.fits(table.odds)]
            named, untold = columns_of(fitting, facing)
            shown = [heads.over(item) for item in named]
            against = shown or table.odds.at.targets
            told = tuple(Target(item.head, item.names, item.clear) for item in shown)
            asked = (Asked(table.odds.says, theirs if shown else table.odds.at.says, told, untold),)
        lines: list[Line] = []
        for row, head, inside in rows(table, design, here):
            if not is_had(row.only_with, context.own):
                continue
            cells = tuple(_cell(column, inside) for column in table.columns)
            found = chances(table.odds, inside, against, context.known) if table.odds else ()
            lines.append(Line(head, cells, found, goes_on=bool(lines)))
        if lines:
            context.met.update(item.names[0] for item in against if isinstance(item, Aim))
            over = tuple(column.head for column in table.columns)
            at = (
                item.head if isinstance(item, Aim) else label(item.head, design, table.each, here) for item in against
            )
            grid = Grid(title, over, tuple(at), tuple(lines), asked)
            yield turned(grid) if table.turned and not table.shared else grid


def _cell(column: Column, values: Values) -> str:
    return figure(column.shown, values) if holds(column.shown.when, values) else NOTHING


def _also(data: CardData | None, design: Design) -> str:
    """Return the card's notes and the lines of the working that it names; without card data, all lines."""
    if data is None:
        return " · ".join(f"{line.label} {line.figure}".strip() for line in design.priced.lines)
    told = [text for tell in data.tells for text in _told(tell, design)]
    told += [line.label for name in data.also for line in design.priced.lines if line.id == name]
    return " · ".join(_HELD.sub(_SPACE, item) for item in dict.fromkeys(told))


def _told(tell: Tell, design: Design) -> Iterator[str]:
    for here in entries(design, tell):
        yield label(tell.says, design, tell.each, learned(tell.let, here))


def ticks_of(data: CardData, one: Fielded) -> tuple[Ticks, ...]:
    """Return the boxes of each element, then the boxes of the card; many elements share one run of each box."""
    each = tuple(_boxes(data, one.design, "element"))
    shared = tuple(_boxes(data, one.design, "card"))
    found: list[Ticks] = []
    if each and one.many <= MOST_ROWS:
        found += [Ticks(str(index + 1) if one.many > 1 else "", each) for index in range(one.many)]
    elif each:
        found += [Ticks("", (Boxes(box.label, box.many * one.many),)) for box in each]
    if shared:
        found.append(Ticks("", shared))
    return tuple(Ticks(tick.name, tuple(map(_countable, tick.boxes))) for tick in found)


def in_short(ticks: Sequence[Ticks]) -> Sequence[Ticks]:
    """Return the boxes with their names once before all elements, then a number and boxes for each element."""
    of_each = [tick for tick in ticks if tick.name]
    boxes = of_each[0].boxes if of_each else ()
    lettered = len(boxes) > 1 and all(box.letters for box in boxes)
    if len(of_each) < _IN_SHORT or any(box.many != 1 for box in boxes if not lettered):
        return [Ticks(tick.name, tuple(box._replace(letters="") for box in tick.boxes)) for tick in ticks]
    words = [within(box.label) for box in boxes]
    if lettered:
        said = [f"{box.letters[0]}{_SPACE}{word}" for box, word in zip(boxes, words, strict=True)]
    else:
        said = [boxes[0].label, *words[1:]]
    run = Boxes("", sum(box.many for box in boxes), "".join(box.letters for box in boxes) if lettered else "")
    over = Ticks("", (), f"{', '.join(said)}:")
    return [over, *(Ticks(tick.name, (run,)) for tick in of_each), *(tick for tick in ticks if not tick.name)]


def _countable(boxes: Boxes) -> Boxes:
    """Return the boxes, or, if there are too many, a label with their number and a line to write on."""
    return boxes if boxes.many <= MOST_BOXES else Boxes(f"{boxes.label}: {boxes.many}, less ……………", 0)


def _boxes(data: CardData, design: Design, per: str) -> Iterator[Boxes]:
    for box in data.boxes:
        for here in entries(design, box) if box.per == per else ():
            count = value(box.count, here)
            if isinstance(count, int) and count > 0:
                yield Boxes(label(box.label, design, box.each, here), count, box.letter * count)


def joined(grids: Sequence[Grid]) -> Iterator[Grid]:
    """Yield the tables, with neighbours joined that have the same title and heads."""
    for (title, heads, targets), alike in groupby(grids, attrgetter("title", "heads", "targets")):
        together = list(alike)
        asked = tuple(dict.fromkeys(item for grid in together for item in grid.asked))
        yield Grid(title, heads, targets, tuple(_at_once(line for grid in together for line in grid.lines)), asked)


def _at_once(lines: Iterable[Line]) -> list[Line]:
    """Return lines with equal ones joined if at most one has a chance in each column, such as near and far fire."""
    found: list[Line] = []
    for line in lines:
        same = next((at for at, item in enumerate(found) if _goes_with(item, line)), None)
        if same is None:
            found.append(line)
        else:
            both = zip(found[same].chances, line.chances, strict=True)
            found[same] = found[same]._replace(chances=tuple(two if item == NO_CHANCE else item for item, two in both))
    return found


def _goes_with(line: Line, other: Line) -> bool:
    """Return whether two lines can be joined: equal, and at most one has a chance in each column."""
    alike = line.head == other.head and line.cells == other.cells and bool(line.chances)
    return alike and all(NO_CHANCE in both for both in zip(line.chances, other.chances, strict=True))


class Shared(NamedTuple):
    """A table of one design for a card shared with other designs."""

    card: str
    grid: Grid
    turned: bool


def shared_cards(force: Force, shared: Sequence[Shared], mark: str) -> Iterator[Card]:
    """Yield a card for each card name, with every row once."""
    for name in dict.fromkeys(item.card for item in shared):
        tables: dict[tuple[str, tuple[str, ...], bool], dict[Line, None]] = {}
        for item in (item for item in shared if item.card == name):
            lines = tables.setdefault((item.grid.title, item.grid.heads, item.turned), {})
            lines.update(dict.fromkeys(item.grid.lines))
        grids = (
            (Grid(title, heads, (), tuple(lines)), is_turned) for (title, heads, is_turned), lines in tables.items()
        )
        laid = tuple(turned(grid) if is_turned else grid for grid, is_turned in grids)
        yield Card(name, force.rules.manifest.title, "", (), NO_SYMBOL, (), laid, "", "", (), mark)


def turned(grid: Grid) -> Grid:
    """Return the table with rows and columns exchanged."""
    rows = zip(*(line.cells for line in grid.lines), strict=True)
    lines = (Line(head, cells, ()) for head, cells in zip(grid.heads, rows, strict=True))
    return Grid(grid.title, tuple(line.head for line in grid.lines), (), tuple(lines))
