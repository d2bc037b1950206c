"""Designs and units of a force as cards."""

from __future__ import annotations

from itertools import groupby
from operator import attrgetter
from typing import TYPE_CHECKING, NamedTuple

from generator.documents.figures import (
    MOST_BOXES,
    UNKNOWN,
    entries,
    figure,
    holds,
    label,
    learned,
    no_figure,
    rows,
    stats,
    value,
)
from generator.documents.grids import tint_key
from generator.documents.imprint import draft, imprint
from generator.documents.odds_on_cards import Aim, aims, chances, untold
from generator.documents.rosters import file_name, unit_word
from generator.documents.words import NOTHING, breakable, points
from generator.forces.designs import Partial
from generator.forces.force import Design
from generator.render.deck import Boxes, Card, Deck, Grid, Line, Stat, Symbol, Ticks
from generator.render.faces import faces, tears_heads
from generator.rules.formulas.errors import FormulaUseError
from generator.rules.kinds import UNIT, unit_fields

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence

    from generator.documents.asking import Known
    from generator.forces.force import Entry, Force, Unit
    from generator.forces.values import Values
    from generator.rules.card import Card as CardData
    from generator.rules.card import Tell
    from generator.rules.figures import CardTable, Column, Target
    from generator.rules.ruleset import RuleSet

MOST_ROWS = 6
"""Elements with a row of boxes of their own; of more, each box is so many in a run."""
_MOST_TARGETS = 6


class Fielded(NamedTuple):
    """A card to be made: a design, the unit that fields it, and how many of it."""

    design: Design
    unit: Unit | None
    many: int
    leads: bool = False
    """Whether it has the boxes of its unit: the first card of what they concern."""


class _Context(NamedTuple):
    """What all cards of a deck share."""

    facing: tuple[Aim, ...]
    """The enemy's designs; none where the odds are against targets of reference."""
    known: Known
    met: set[str]
    """Learns the enemy's letters that some card has odds against."""
    draft: bool


def deck(force: Force, fingerprint: str, enemy: Force | None = None, only: Collection[str] = ()) -> Deck:
    """A card for every design in every unit; of a force without units, one for each design.

    ``enemy`` is what the odds are against, else the targets of reference. ``only`` names designs and units.

    Raises ProblemsError (R241) where the rule data has no answer for a design.
    """
    manifest = force.rules.manifest
    banner = draft(force.problems)
    context = _Context(aims(enemy) if enemy is not None else (), {}, set(), draft=bool(banner))
    cards = tuple(_told_card(force, one, context) for one in fielded(force) if is_wanted(one, only))
    against = f" Odds against {enemy.name}." if enemy is not None and context.met else ""
    odds = any(grid.targets for card in cards for grid in card.grids)
    return Deck(
        id=f"{file_name(force)}-cards",
        title=f"{breakable(force.name)}: cards",
        strap=f"{manifest.title}.{against}",
        cards=cards,
        bounds=tint_key().bounds if odds else (),
        banner=banner,
        imprint=imprint(manifest, fingerprint),
    )


def fielded(force: Force) -> Iterator[Fielded]:
    """What cards there are, in the order of the units."""
    for unit in force.units:
        together = _together(unit.of)
        leader = next((design.name for design, _ in together if not is_idle(force.rules, design)), "")
        yield from (Fielded(design, unit, many, design.name == leader) for design, many in together)
    if not force.units:
        yield from (Fielded(design, None, 1) for design in force.designs)


def is_idle(rules: RuleSet, design: Design) -> bool:
    """Whether nothing of its unit is kept of it, such as quality and confidence."""
    card = rules.cards.get(design.kind.id)
    return card is not None and card.idle


def _together(entries: Sequence[Entry]) -> list[tuple[Design, int]]:
    """Entries of one design are one."""
    counts: dict[str, tuple[Design, int]] = {}
    for one in entries:
        counts[one.design.name] = (one.design, counts.get(one.design.name, (one.design, 0))[1] + one.count)
    return list(counts.values())


def is_wanted(one: Fielded, only: Collection[str]) -> bool:
    """Whether this design or its unit is among those named."""
    return not only or one.design.name in only or (one.unit is not None and one.unit.name in only)


def _told_card(force: Force, one: Fielded, context: _Context) -> Card:
    """A card; what has no answer is told where the rule data asks for it."""
    try:
        return _card(force, one, context)
    except FormulaUseError as error:
        raise no_figure(error, force.rules.cards[one.design.kind.id].place, f"the card of {one.design.name}") from None


def _card(force: Force, one: Fielded, context: _Context) -> Card:
    """The card with the names of its targets over their odds; with letters where these need room that it has not."""
    lettered = _lettered(force, one, context)
    if not any(aim.head in grid.targets for grid in lettered.grids for aim in context.facing):
        return lettered
    named = _lettered(force, one, context._replace(facing=tuple(aim.named for aim in context.facing)))
    laid = faces(named)
    return named if len(laid) <= len(faces(lettered)) and not any(map(tears_heads, laid)) else lettered


def _lettered(force: Force, one: Fielded, context: _Context) -> Card:
    design = one.design
    data = force.rules.cards.get(design.kind.id)
    of_unit = _of_unit(force, one)
    grids: tuple[Grid, ...] = ()
    foot: dict[str, list[str]] = {}
    if data is not None:
        tables = [grid for table in data.tables for grid in _grids(table, design, context, foot)]
        grids = tuple(_joined(tables))
    return Card(
        design.name,
        _who(force, one),
        _points(design),
        _under_points(one) if design.kind.pays else (),
        _symbol(data, design),
        (*(Stat(*one) for one in (stats(data.strip, design) if data is not None else ())), *of_unit.stats),
        grids,
        " · ".join(filter(None, (_also(data, design), of_unit.also))),
        _note(one),
        (*(ticks_of(data, one) if data is not None else ()), *of_unit.ticks),
        _foot(foot),
        "Draft" if context.draft else "",
    )


class _OfUnit(NamedTuple):
    """What a card tells of the unit."""

    stats: tuple[Stat, ...] = ()
    also: str = ""
    ticks: tuple[Ticks, ...] = ()


def _of_unit(force: Force, one: Fielded) -> _OfUnit:
    """Figures of the unit on each of its cards, its boxes and what is told of it on the first."""
    data, unit = force.rules.cards.get(UNIT), one.unit
    if data is None or unit is None or unit.priced is None or is_idle(force.rules, one.design):
        return _OfUnit()
    design = Design(unit.name, force.rules.kinds[UNIT], Partial(unit.values), unit.priced, unit.place, "", ())
    found = tuple(Stat(*one) for one in stats(data.strip, design))
    if not one.leads:
        return _OfUnit(found)
    boxes = tuple(box for per in ("element", "card") for box in _boxes(data, design, per))
    return _OfUnit(found, _also(data, design), (Ticks(design.kind.title, boxes),) if boxes else ())


def _who(force: Force, one: Fielded) -> str:
    """The unit and what its player says of it; of a force without units, the kind."""
    if one.unit is None:
        return one.design.kind.title
    said = []
    for field in () if is_idle(force.rules, one.design) else unit_fields(force.rules.kinds):
        word = unit_word(field, one.unit)
        if word != NOTHING:
            said.append(f"{field.label.lower()} {word}" if word[:1].isdigit() else word.lower())
    return " · ".join([one.unit.name, *([", ".join(said)] if said else [])])


def _points(design: Design) -> str:
    """Its price; nothing for what has none by the rules."""
    if not design.kind.pays:
        return ""
    return UNKNOWN if design.points is None else points(design.points)


def _under_points(one: Fielded) -> tuple[str, ...]:
    if one.many == 1 or one.design.points is None:
        return ("points",)
    return ("points each", f"{points(one.design.points * one.many)} for {one.many}")


def _note(one: Fielded) -> str:
    return " ".join(text.strip() for text in (one.design.note, one.unit.note if one.unit else "") if text.strip())


def _symbol(data: CardData | None, design: Design) -> Symbol:
    if data is None or data.symbol is None:
        return Symbol("none", "none")
    values = design.priced.values
    frame = value(data.symbol.frame, values)
    sign = next((name for name, when in data.symbol.signs if holds(when, values)), "none")
    size = value(data.symbol.size, values) if data.symbol.size is not None else 0
    return Symbol(str(frame), sign, size if isinstance(size, int) else 0)


def _grids(table: CardTable, design: Design, context: _Context, foot: dict[str, list[str]]) -> Iterator[Grid]:
    """A table, or one for each entry of its list; ``foot`` learns what its chances are and against whom."""
    for here in entries(design, table):
        title = label(table.title, design, table.each, here)
        against: Sequence[Aim | Target] = ()
        if table.odds is not None and table.odds.at is not None and holds(table.odds.when, here):
            fitting = [one for one in context.facing if one.fits(table.odds)]
            against = fitting[:_MOST_TARGETS] or table.odds.at.targets
            told = foot.setdefault(table.odds.says, [])
            told += [one.told for one in fitting[:_MOST_TARGETS]] or [table.odds.at.says]
            told += [untold(fitting[_MOST_TARGETS:])] if len(fitting) > _MOST_TARGETS else []
        lines = []
        for _, head, inside in rows(table, design, here):
            cells = tuple(_cell(column, inside) for column in table.columns)
            lines.append(Line(head, cells, chances(table.odds, inside, against, context.known) if table.odds else ()))
        heads = tuple(column.head for column in table.columns)
        if lines:
            context.met.update(one.head for one in against if isinstance(one, Aim))
            yield Grid(title, heads, tuple(one.head for one in against), tuple(lines))


def _cell(column: Column, values: Values) -> str:
    return figure(column.shown, values) if holds(column.shown.when, values) else NOTHING


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
    for here in entries(design, tell):
        yield label(tell.says, design, tell.each, learned(tell.let, here))


def ticks_of(data: CardData, one: Fielded) -> tuple[Ticks, ...]:
    """Boxes for each element; of many elements, so many of each box in a run."""
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


def _countable(boxes: Boxes) -> Boxes:
    return boxes if boxes.many <= MOST_BOXES else Boxes(f"{boxes.label}: {boxes.many}, less ……………", 0)


def _boxes(data: CardData, design: Design, per: str) -> Iterator[Boxes]:
    for box in data.boxes:
        for here in entries(design, box) if box.per == per else ():
            count = value(box.count, here)
            if isinstance(count, int) and count > 0:
                yield Boxes(label(box.label, design, box.each, here), count)


def _foot(told: dict[str, list[str]]) -> str:
    """What the percentages are, and against whom."""
    said = [f"{says} {'; '.join(filter(None, dict.fromkeys(against)))}".strip() for says, against in told.items()]
    return f"Percent: {'; '.join(said)}." if said else ""
