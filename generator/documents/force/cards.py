"""The cards of a force, for its designs and units."""

from __future__ import annotations

from dataclasses import replace
from itertools import chain, zip_longest
from typing import TYPE_CHECKING, Any, NamedTuple

from generator.documents.blocks.designs import MOST_BOXES, figure, rows, stats
from generator.documents.blocks.odds import tint_key
from generator.documents.force.rosters import file_name, unit_word
from generator.documents.words import NOTHING, draft, imprint, percent, points, tint
from generator.forces.cards import asked, entries, holds, label, no_figure, target_inputs, with_let
from generator.forces.force import Design, Force, Unit
from generator.forces.pricing import Values, shown
from generator.render.cards import deck as paper
from generator.render.cards.columns import fits_back, needs_back, shortened
from generator.render.language import Phrase
from generator.render.type.prose import breakable
from generator.rules.entries.kinds import UNIT, unit_fields
from generator.rules.formulas.errors import FormulaUseError

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

    from generator.rules.cards.card import Card as CardData
    from generator.rules.entries.compiled import Compiled


class Fielded(NamedTuple):
    """A design to make a card for, with its unit (None without units) and its count of elements."""

    design: Design
    unit: Unit | None
    many: int
    leads: bool = False
    """Whether the card has the boxes of the unit: the unit's first card that is not idle."""


class _Context(NamedTuple):
    """The context that all cards of a deck share."""

    force: Force
    enemy: Force | None
    """The enemy force whose designs are listed on the cards; None for no list."""
    mark: str
    aside: Collection[str]
    """The procedures that do not apply in this battle; no card has their odds."""


def deck(
    force: Force, fingerprint: str, enemy: Force | None = None, only: Collection[str] = (), aside: Collection[str] = ()
) -> paper.Deck:
    """Return the cards of every design in every unit, or of every design of a force without units.

    A design may need several cards. A card with columns of targets lists the designs of ``enemy`` under the columns
    that apply to them. ``only`` names the designs and units that are wanted, and is empty for all. ``aside`` holds the
    ids of procedures that do not apply in this battle.

    Raises ProblemsError (R241) if the rule data has no answer for a design.
    """
    manifest = force.rules.manifest
    banner = draft(force.problems)
    context = _Context(force, enemy, "Draft" if banner else "", aside)
    cards = tuple(card for one in fielded(force) if is_wanted(one, only) for card in _cards(context, one))
    listed = any(card.lists for card in cards)
    odds = any(isinstance(row, paper.Line) and row.chances for card in cards for row in (*card.front, *card.back))
    return paper.Deck(
        id=f"{file_name(force)}-cards",
        title=f"{breakable(force.name)}: cards",
        strap=strap(cards, Phrase("Backs list the designs of {enemy}.", enemy=enemy.name) if enemy and listed else ""),
        cards=cards,
        owner=force.name,
        bounds=tint_key().bounds if odds else (),
        banner=banner,
        imprint=imprint(manifest, fingerprint),
    )


def by_sides(made: paper.Deck, size: str = paper.INDEX) -> list[paper.Deck]:
    """Return the deck of the cards with backs, then the deck of the cards that are printed on one side.

    The first deck is filled with cards of the second up to whole sheets of four. Cards of a ``size``
    other than index all have backs: they are one deck in their order. A deck without cards is left out.
    """
    if size != paper.INDEX:
        return [made] if made.cards else []
    ordered = tuple(sorted(made.cards, key=needs_back, reverse=True))
    cut = -(-sum(map(needs_back, ordered)) // paper.EACH) * paper.EACH
    if not (ordered[:cut] and ordered[cut:]):
        return [replace(made, cards=ordered)] if ordered else []
    rest = replace(made, id=f"{made.id}-2", cards=ordered[cut:], strap=strap(ordered[cut:]))
    return [replace(made, cards=ordered[:cut]), rest]


def strap(cards: Iterable[paper.Card], more: str = "") -> str:
    """Return the line under the title that says how to print the cards, followed by the text ``more``."""
    sides = paper.SHORT_EDGE if any(map(needs_back, cards)) else paper.ONE_SIDE
    return Phrase.joined(" ", (Phrase(f"{sides} {paper.CUT}"), more))


def fielded(force: Force) -> Iterator[Fielded]:
    """Yield the designs to make cards for, in the order of the units: each design once for each unit that has it.

    In a force without units, each design comes once, with a count of 1.
    """
    for unit in force.units:
        designs = {entry.design.name: entry.design for entry in unit.of}
        leader = next((name for name, design in designs.items() if not design.kind.idle), "")
        for name, design in designs.items():
            many = sum(entry.count for entry in unit.of if entry.design.name == name)
            yield Fielded(design, unit, many, name == leader)
    if not force.units:
        yield from (Fielded(design, None, 1) for design in force.designs)


def is_wanted(one: Fielded, only: Collection[str]) -> bool:
    """Return whether the design or its unit is named in ``only``; True if ``only`` is empty."""
    return not only or one.design.name in only or (one.unit is not None and one.unit.name in only)


def _cards(context: _Context, one: Fielded) -> Iterator[paper.Card]:
    """Yield the card of a design in a unit, and further cards for rows, elements, lists or notes that do not fit on it.

    If an element has a group of more than 12 boxes, each element has a card of its own. A kind without a card in the
    rules gives a card with its cost lines. Raises ProblemsError (R241) if a formula has no answer.
    """
    data, card = context.force.rules.cards.get(one.design.kind.id), _head(context, one)
    if data is None:
        yield replace(card, tells=tuple(f"{line.label} {line.figure}".strip() for line in one.design.priced.lines))
        return
    try:
        apart = one.many > 1 and any(box.many > paper.IN_ROW for box in _boxes(data, one.design, "element"))
        card, lines = _card(context, card, one, data), _lines(context, one.design, data)
    except FormulaUseError as error:
        raise no_figure(error, data.place, f"the card of {one.design.name}") from None
    if apart:
        leads = [one.leads, *[False] * (one.many - 1)]
        own = [card for leader in leads for card in _cards(context, one._replace(many=1, leads=leader))]
        yield from (replace(card, part=(number, len(own))) for number, card in enumerate(own, start=1))
        return
    elements = tuple(range(1, one.many + 1))
    starts = range(0, len(elements) if card.boxes else 1, paper.ABREAST)
    groups = [elements[start : start + paper.ABREAST] for start in starts]
    cards: list[paper.Card] = []
    for some, mine in zip_longest(_parts(lines) or [((), ())], groups):
        front, back = some or ((), ())
        part = replace(card, front=front, back=back, elements=mine or ())
        cards.append(_further(part) if cards else part)
    if (card.lists or card.note) and not fits_back(cards[0]):
        cards[0] = replace(cards[0], lists=(), note="")
        cards.append(replace(_further(card), lists=card.lists, note=card.note, points=""))
    for tell in card.spare:
        more = replace(cards[0], tells=(*cards[0].tells, tell))
        cards[0] = more if fits_back(more) and needs_back(more) == needs_back(cards[0]) else cards[0]
    for number, part in enumerate(cards, start=1):
        yield replace(part if part.elements else replace(part, boxes=()), part=(number, len(cards)))


def _further(card: paper.Card) -> paper.Card:
    """Return a card without the parts that further cards of its design do not repeat, such as test, facts and notes."""
    return replace(card, ticks=(), ladder=(), test="", facts=(), lists=(), tells=(), runs=(), note="", spare=())


def _parts(
    lines: Sequence[paper.Line | paper.Axis],
) -> list[tuple[tuple[paper.Line | paper.Axis, ...], tuple[paper.Line | paper.Axis, ...]]]:
    """Return the rows of each card as a pair, front and back; empty without rows.

    A head row stays with its rows, and is repeated where they continue. The first row of each side names its weapon.
    """
    sides: list[list[paper.Line | paper.Axis]] = []
    axis: paper.Axis | None = None
    for line in lines:
        room = paper.BACK_ROWS if len(sides) % 2 == 0 else paper.FRONT_ROWS
        needed = 2 if isinstance(line, paper.Axis) else 1
        if not sides or len(sides[-1]) + needed > room:
            sides.append([axis] if axis is not None and isinstance(line, paper.Line) and line.own else [])
            line = line._replace(follows=False) if isinstance(line, paper.Line) else line  # noqa: PLW2901 - the row as printed
        axis = line if isinstance(line, paper.Axis) else axis
        sides[-1].append(line)
    sides += [[]] * (len(sides) % 2)
    return [(tuple(front), tuple(back)) for front, back in zip(sides[::2], sides[1::2], strict=True)]


def _head(context: _Context, one: Fielded) -> paper.Card:
    """Return a card with the head of a design: names, kind, points, notes, picture and draft mark.

    The line of kind and unit is that of ``_who``. The card has no figures yet.
    """
    unit = one.unit.name if one.unit is not None else ""
    name = unit if one.unit is not None and context.force.is_namesake(one.unit) else one.design.name
    who, picture = _who(context.force, one), one.design.picture
    notes = (one.design.note.strip(), one.unit.note.strip() if one.unit else "")
    note = shortened([*filter(None, notes)])
    return paper.Card(name, who, _points(one), note=note, picture=picture, mark=context.mark, unit=unit)


def _card(context: _Context, head: paper.Card, one: Fielded, data: CardData) -> paper.Card:
    """Return ``head``, a card from ``_head``, with the figures of the design and its unit, without the rows of tables.

    The first note that the rules have for a card of units is the card's test. Raises FormulaUseError if a formula has
    no answer, and ProblemsError (R241) if a formula of an enemy's card has none.
    """
    design, units = one.design, _unit(context.force, one)
    leading = units if one.leads else []  # boxes and further notes of a unit are only on its first card
    unit_stats = [stat for of, unit in units for stat in _stats(stats(of.strip, unit))]
    own_stats = _stats(stats(data.strip, design, dashed=True))
    room = paper.FIGURES - len(unit_stats)
    boxes, runs = _placed(_boxes(data, design, "element"), one.many)
    of_unit = (box for of, unit in leading for per in ("element", "card") for box in _boxes(of, unit, per))
    shared = (*_boxes(data, design, "card"), *of_unit)
    ticks = [box for box in shared if box.many == 1][: paper.TICKS]
    test, *told = [tell for of, unit in units for tell in _tells(of, unit)] or [""]
    every = ((data, design), *leading)
    chevrons = (of.chevrons(item.priced.values) for of, item in (*units, (data, design)) if of.chevrons is not None)
    return replace(
        head,
        own=label(data.who, design, None, design.priced.values),
        symbol=_symbol(data, design),
        chevrons=next(filter(None, chevrons), 0),
        stats=(*own_stats[:room], *unit_stats),
        plan=_plan(data, design),
        columns=_columns(data),
        axes=tuple(_targets(axis, design) for axis in data.axes),
        boxes=boxes,
        test=test,
        ticks=tuple(box.label for box in ticks),
        ladder=next((of.ladder for of, _ in leading if of.ladder), data.ladder),
        facts=(*own_stats[room:], *_stats(stats(data.facts, design))),
        lists=tuple(_enemies(context, data, design)),
        tells=(*_tells(data, design), *(told if leading else ())),
        spare=tuple(tell for of, item in every for tell in _tells(of, item, spare=True)),
        runs=(*runs, *(_countable(box) for box in shared if box not in ticks)),
    )


def _unit(force: Force, one: Fielded) -> list[tuple[CardData, Design]]:
    """Return the card data of units and the unit as a design, in a list of one pair, for the figures on a card.

    Empty if the rules have no card of units, if there is no unit or it has no price, or if the design is idle.
    """
    data, unit = force.rules.cards.get(UNIT), one.unit
    if data is None or unit is None or unit.priced is None or one.design.kind.idle:
        return []
    return [(data, Design(unit.name, force.rules.kinds[UNIT], unit.values, unit.priced, unit.place, "", ()))]


def _stats(figures: Iterable[tuple[str, str]]) -> tuple[paper.Stat, ...]:
    return tuple(paper.Stat(*figure) for figure in figures)


def _who(force: Force, one: Fielded) -> str:
    """Return the kind, the unit's name unless it equals the design's, and the unit's values, as one line.

    For a card that is named after its unit, the design's name stands instead of the unit's. The values are left out for
    an idle design, and if the rules have a card of units. Without a unit, return only the kind.
    """
    said = [one.design.kind.title]
    if one.unit is not None:
        other = one.design.name if force.is_namesake(one.unit) else one.unit.name
        said += [other] if one.unit.name != one.design.name else []
        told = one.design.kind.idle or UNIT in force.rules.cards  # its card prints them as figures
        for field in () if told else unit_fields(force.rules.kinds):
            word, name = unit_word(field, one.unit), field.label.lower()
            if word not in (NOTHING, "no"):
                said.append(name if word == "yes" else f"{name} {word}" if word[:1].isdigit() else word.lower())
    return " · ".join(said)


def _points(one: Fielded) -> str:
    """Return the points of one element as a text, and of all if there are several; empty for a kind without points."""
    if not one.design.kind.pays:
        return ""
    each = f"{points(one.design.points)} points"
    return each if one.many == 1 else f"{each} each · {points(one.design.points * one.many)} for {one.many}"


def _symbol(data: CardData, design: Design) -> paper.Symbol:
    if data.symbol is None:
        return paper.NO_SYMBOL
    values = design.priced.values
    frame = data.symbol.frame(values)
    sign = next((sign.sign for sign in data.symbol.signs if holds(sign.when, values)), "none")
    size = data.symbol.size(values) if data.symbol.size is not None else 0
    return paper.Symbol(str(frame), sign, size if isinstance(size, int) else 0)


def _plan(data: CardData, design: Design) -> paper.Plan:
    if data.plan is None:
        return paper.NO_PLAN
    values = design.priced.values
    faces = tuple(shown(face, values) for face in data.plan.faces)
    return paper.Plan(str(data.plan.shape(values)), faces, _stats(stats(data.plan.beside, design)))


def _columns(data: CardData) -> tuple[paper.CardColumn, ...]:
    """Return the figure columns of all tables of a card, each head once; a column without words or units is narrow."""
    every = [column for table in data.tables for column in table.columns]
    worded = {column.head for column in every if column.text or column.unit}
    return tuple(paper.CardColumn(head, head not in worded) for head in dict.fromkeys(column.head for column in every))


def _targets(reference: Compiled, design: Design) -> paper.Axis:
    """Return an axis of a card for print: its name, and the head of each target's column, filled in for the design."""
    heads = (label(target.head, design, None, design.priced.values) for target in reference.targets)
    return paper.Axis(reference.says, tuple(heads))


def _lines(context: _Context, design: Design, data: CardData) -> list[paper.Line | paper.Axis]:
    """Return the rows of the weapon table that apply, in the order of the rules.

    A head row names targets without columns of their own, before the rows at them. Tables of procedures that are set
    aside are left out. Raises FormulaUseError if a formula has no answer, and ProblemsError (R241) as ``_chance``
    does.
    """
    found: list[paper.Line | paper.Axis] = []
    axes = [_targets(axis, design) for axis in data.axes]
    columns, before, under, said = [column.head for column in _columns(data)], "", None, ""
    for table in data.tables:
        if table.odds is not None and table.odds.procedure.id in context.aside:
            continue
        for here in entries(design, table):
            title = label(table.title, design, table.each, here)
            at = _targets(table.odds.at, design) if table.odds is not None and table.odds.at is not None else None
            own = at is not None and all(axis.targets != at.targets for axis in axes)
            head_row = None
            if own and at is not None and table.odds is not None and (title, at.targets) != under:
                head_row = paper.Axis(table.odds.says, at.targets, f"{title}: {at.says}" if title else at.says)
                under = title, at.targets
            for _, head, inside in rows(table, design, here):
                if head_row is not None:
                    found.append(head_row)
                    head_row, before, said = None, title, ""
                chances = _chances(axes, at, table.odds, inside)
                cells = {column.head: _cell(column, inside, design, table.each) for column in table.columns}
                named = title != before
                filled = _filled(cells, columns)
                first = next((cell for cell in filled if cell), "")
                if not named and first == said != NOTHING:  # a further situation repeats no range
                    filled = ("",) * (filled.index(first) + 1) + filled[filled.index(first) + 1 :]
                said = first
                found.append(paper.Line("" if own else title, head, filled, chances, not named, own))
                before = title
    return found


def _cell(column: Compiled, values: Values, design: Design, each: str | None) -> str:
    if not holds(column.when, values):
        return NOTHING
    return label(column.text, design, each, values) if column.text else figure(column, values)


def _filled(cells: Mapping[str, str], columns: Sequence[str]) -> tuple[str, ...]:
    """Return a cell for each column of the card: empty before the first cell of the row, then a dash if missing.

    A row without any cell has only dashes.
    """
    filled: list[str] = []
    for head in columns:
        filled.append(cells.get(head, NOTHING if any(filled) else ""))
    return tuple(filled) if any(filled) else (NOTHING,) * len(columns)


def _chances(
    axes: Sequence[paper.Axis], at: paper.Axis | None, odds: Compiled | None, values: Values
) -> tuple[paper.Percentage | None, ...]:
    """Return the chances of a row in the columns of all axes.

    ``axes`` have columns of their own; ``at`` are the row's targets. If these targets have no columns, the row fills
    the first columns, and each further column is None. Columns of other targets have dashes. All chances are dashes if
    the row has no targets or no odds, or if its odds do not apply.
    """
    every = [head for axis in axes for head in axis.targets]
    if at is None or odds is None or not holds(odds.when, values):
        return (paper.NO_CHANCE,) * len(every)
    own = {name: formula(values) for name, formula in odds.inputs}
    found = [
        _chance(odds, {name: formula(values) for name, formula in target.inputs} | own) for target in odds.at.targets
    ]
    if all(axis.targets != at.targets for axis in axes):
        return (*found, *(None for _ in every[len(found) :]))
    rows = (found if axis.targets == at.targets else [paper.NO_CHANCE] * len(axis.targets) for axis in axes)
    return tuple(chain.from_iterable(rows))


def _chance(odds: Compiled, inputs: Mapping[str, Any]) -> paper.Percentage:
    """Return the chance of a question as printed on a card.

    The chance is a dash if an input is missing or has a value that the rules do not know. It is also a dash if the
    rules rule the shot out. Raises ProblemsError (R241) if the rules have no answer.
    """
    found = asked(odds.procedure, inputs)
    chance = found.chance(*odds.chance) if found is not None else 0
    # A shot that the rules rule out with a reason, such as the range, gets a dash, not 0.
    if found is None or (not chance and len(found.notes) > len(found.remainders)):
        return paper.NO_CHANCE
    return paper.Percentage(percent(chance), tint(chance))


def _enemies(context: _Context, data: CardData, own: Design) -> Iterator[paper.Listed]:
    """Yield a list of the enemy's designs for each axis, by the column in which each design is a target.

    An axis without such a design has no list. Yield nothing without an enemy. Raises ProblemsError (R241) if a formula
    of an enemy's card has no answer, and FormulaUseError if a formula of the card of ``own`` has none.
    """
    enemy = context.enemy
    if enemy is None:
        return
    for axis in data.axes:
        found: dict[str, list[str]] = {}
        for target in axis.targets:
            wanted = {name: formula(own.priced.values) for name, formula in target.inputs if name in _varying(axis)}
            for design in enemy.designs:
                inputs = target_inputs(enemy, design)
                if inputs is not None and all(inputs.get(name) == item for name, item in wanted.items()):
                    found.setdefault(target.head, []).append(design.name)
        if found:
            rows = tuple((head, ", ".join(names)) for head, names in found.items())
            yield paper.Listed(f"Enemy: {axis.says.lower()}", rows)


def _varying(axis: Compiled) -> list[str]:
    """Return the names of the first target's inputs that another target omits or changes; none for one target."""
    first, *others = ({name: str(formula.text) for name, formula in target.inputs} for target in axis.targets)
    return [name for name, text in first.items() if any(other.get(name) != text for other in others)]


def _tells(data: CardData, design: Design, *, spare: bool = False) -> tuple[str, ...]:
    """Return the usual notes of a card and the labels of the cost lines that it names, or only its ``spare`` notes.

    A text that occurs several times is returned once. Raises FormulaUseError if a formula has no answer.
    """
    told = [
        label(tell.says, design, tell.each, with_let(tell.let, here))
        for tell in data.tells
        if tell.spare == spare
        for here in entries(design, tell)
    ]
    told += [line.printed_label for name in data.also for line in design.priced.lines if line.id == name and not spare]
    return tuple(dict.fromkeys(told))


def _placed(boxes: Iterable[paper.Boxes], many: int) -> tuple[tuple[paper.Boxes, ...], tuple[paper.Boxes, ...]]:
    """Return the boxes of each element that fit on the front, single boxes first, and all others for the back.

    ``many`` is the count of elements. If it is above 1, only single boxes fit on the front. Rings stay there always.
    After the first group of boxes that does not fit, all further groups go to the back. Boxes on the back are those of
    all elements together; too many boxes become a line to write on.
    """
    front: list[paper.Boxes] = []
    back: list[paper.Boxes] = []
    room = paper.FOOT_ROWS
    for box in sorted(boxes, key=lambda item: item.many > 1):
        if not box.ring and (back or box.many > (min(room, 1) if many > 1 else room * paper.IN_ROW)):
            back.append(_countable(box._replace(many=box.many * many)))
        else:
            front.append(box)
            room -= 0 if box.ring else -(-box.many // paper.IN_ROW)
    return tuple(front), tuple(back)


def _countable(boxes: paper.Boxes) -> paper.Boxes:
    """Return the boxes; above 60, return no boxes but a label with their count and a line to write on."""
    return boxes if boxes.many <= MOST_BOXES else paper.Boxes(f"{boxes.label}: {boxes.many}, less ……………", 0)


def _boxes(data: CardData, design: Design, per: str) -> Iterator[paper.Boxes]:
    for box in data.boxes:
        for here in entries(design, box) if box.per == per else ():
            count = box.count(here)
            if isinstance(count, int) and count > 0:
                yield paper.Boxes(label(box.label, design, box.each, here), count, box.ring)
