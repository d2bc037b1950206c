"""Sheets about the designs of a force, and blank cards and sheets of a game to fill in by hand."""

from __future__ import annotations

import re
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

from generator.documents.force.cards import Fielded, deck, fielded, is_wanted, strap
from generator.documents.force.rosters import hyphened, sheet_about
from generator.documents.sheets import rows_of
from generator.forces.cards import no_figure
from generator.problems import Problem, ProblemsError
from generator.render.blocks import Block, Cell, Figure, Row, Section, Sheet, Strip, Table
from generator.render.cards.columns import needs_back
from generator.render.cards.deck import ABREAST, EACH, FRONT_ROWS, IN_ROW, Boxes, Card, Deck, Line, Percentage, Stat
from generator.render.type.prose import breakable
from generator.rules.formulas.errors import FormulaUseError

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Sequence

    from generator.forces.force import Design, Force
    from generator.rules.cards.card import Card as CardData
    from generator.rules.model.sheet import SectionModel
    from generator.rules.ruleset import Sheet as SheetData

_SHARES = (5, 3)
"""Width shares of hit boxes and of the other sections of each element."""


def sheets_of_designs(force: Force, fingerprint: str, only: Collection[str] = ()) -> Iterator[tuple[str, Sheet]]:
    """Yield, for each sheet of the rules about designs of a kind, a pair for each fielded design of that kind.

    The pair is the sheet's id in the rules, and the sheet about the design. ``only`` names the wanted designs and
    units, and is empty for all. Raises ProblemsError with the problems of the sheet's blocks, or with R241 if a formula
    of a sheet has no answer for a design.
    """
    for data in force.rules.sheets_of_kinds():
        model, taken = data.model, list[str]()
        for about in _designs(force, model.of or "", only):
            design = about[0].design
            try:
                rows = _rows(force, data, design, _elements(about))
            except FormulaUseError as error:
                raise no_figure(error, data.place, design.name or design.kind.title) from None
            taken.append(_unlike(design.name, taken))
            name, title, strap = f"{model.sheet}-{taken[-1]}", breakable(design.name), _strap(about)
            kicker = (model.kicker, breakable(force.name), force.rules.manifest.short)
            said = strap or model.strap
            yield model.sheet, sheet_about(force, name, title, said, kicker, rows, fingerprint, plain_strap=bool(strap))


def _rows(force: Force, data: SheetData, design: Design, elements: Sequence[str]) -> tuple[Row, ...]:
    """Return the rows of a sheet about a design.

    If several ``elements`` share the sheet, add each further element's own sections. ``elements`` are the names from
    ``_elements``. Raises ProblemsError with the problems of the blocks.
    """
    problems: list[Problem] = []
    printed = partial(rows_of, force.rules.as_printed_on(data), data, problems, design=design)
    first, *others = elements

    def of_the_first(section: SectionModel) -> SectionModel | None:
        """Return the section as the first of ``elements`` has it; None if only further elements have it.

        If several ``elements`` share the sheet, the title of a section with ``apiece`` names the first.
        """
        title = f"{section.section}: {first}" if others and section.apiece else section.section
        return None if section.apiece == "others" else section.model_copy(update={"section": title})

    rows = printed(wanted=of_the_first)
    if others:
        own_rows = printed(wanted=lambda section: section if section.apiece in {True, "others"} else None)
        rows = (*rows, *_of_each(own_rows, [f"{breakable(design.name)}: {other}" for other in others]))
    if problems:
        raise ProblemsError(*problems)
    return rows


def _of_each(rows: Sequence[Row], names: Sequence[str]) -> Iterator[Row]:
    """Yield a row for each name: the first section of ``rows``, with the name as its title, beside all other sections.

    Asides and notes of tables are left out. Yield nothing if there are no sections.
    """
    sections = [_bare(section) for row in rows for section in row.sections]
    for name in names if sections else ():
        first, *others = sections
        columns = tuple(filter(None, ((replace(first, title=name),), tuple(others))))
        yield Row(columns, _SHARES[: len(columns)])


def _bare(section: Section) -> Section:
    """Return a section of a further element without its ``aside`` and the notes of its tables.

    The section of the first element on the same sheet has both.
    """
    blocks = (replace(block, note="") if isinstance(block, Table) else block for block in section.blocks)
    return replace(section, aside="", blocks=tuple(blocks))


def _strap(about: Sequence[Fielded]) -> str:
    """Return the units of a design and its note; empty if the design has neither.

    ``about`` is the design in each of these units, or once without a unit.
    """
    names = [item.unit.name for item in about if item.unit]
    units = f"{'Unit' if len(names) == 1 else 'Units'}: {', '.join(names)}" if names else ""
    return breakable(" · ".join(filter(None, (units, about[0].design.note.strip()))))


def _unlike(name: str, taken: Collection[str]) -> str:
    """Return a name as ``hyphened`` does, or "design" if that is empty.

    If the result is ``taken``, add the first free number from 2, as in "tank-2".
    """
    known = hyphened(name) or "design"
    return next(item for item in (known, *(f"{known}-{n}" for n in range(2, len(taken) + 3))) if item not in taken)


_SPACE = "\N{NO-BREAK SPACE}"


def _designs(force: Force, kind: str, only: Collection[str]) -> Iterable[list[Fielded]]:
    """Return a list for each fielded design of the kind: the design in each unit that has it.

    In a force without units, each design is there once. ``only`` names the wanted designs and units. A design in a unit
    is left out if neither the design nor the unit is named. Nothing is left out if ``only`` is empty.
    """
    found: dict[str, list[Fielded]] = {}
    for item in fielded(force):
        if item.design.kind.id == kind and is_wanted(item, only):
            found.setdefault(item.design.name, []).append(item)
    return found.values()


def _elements(about: Iterable[Fielded]) -> list[str]:
    """Return the name of the unit of each element of a design, with a number if the unit has several of them.

    ``about`` is the design in each of its units, or once in a force without units: the name is then empty.
    """
    return [
        (breakable(item.unit.name) if item.unit else "") + (f"{_SPACE}{number}" if item.many > 1 else "")
        for item in about
        for number in range(1, item.many + 1)
    ]


_LINE, _WORD = "…………………", "…………"
"""A line to write a name or a fact on, and one for a word."""
_SLOT = re.compile(r"{\w+}")
"""The place of a word of the design in a label."""
_CELL, _FREE = "\N{NO-BREAK SPACE}", Percentage("", None)
"""An empty figure and an empty chance."""


def blank_deck(force: Force, fingerprint: str) -> Deck:
    """Return a deck with a sheet of four blank cards for each kind of design in the force, if the rules have its card.

    The figures are left out. Their labels stay, unless a design gives them. The deck has no owner and no key of tints.
    Raises ProblemsError as ``deck`` does.
    """
    made = deck(force, fingerprint)
    kinds = {force.rules.kinds[kind.kind].title: kind for kind in force.rules.cards.values()}
    labels = sorted(stat.label for kind in kinds.values() for stat in kind.strip)
    own = next((label[1:-1].capitalize() for label in labels if _SLOT.fullmatch(label)), "")
    blanks = {kind: _blank_card(card, kinds[kind], own) for card in made.cards if (kind := _kind(card)) in kinds}
    cards = tuple(card for card in blanks.values() for _ in range(EACH))
    title, name = f"{force.rules.manifest.title}: blank cards", f"{force.rules.id}-blank-cards"
    return replace(made, id=name, title=title, strap=strap(cards), cards=cards, owner="", bounds=())


def blank_sheets(force: Force, fingerprint: str) -> Iterator[Sheet]:
    """Yield a blank sheet for each sheet of the rules about designs of a kind, if the force has a design of this kind.

    The title, the list entries and the figures of the design become lines to write on. The strap is empty, and the
    kicker loses the force's name. The force must have at most one design of each kind: further designs would be
    elements on the same sheet. Raises ProblemsError as ``sheets_of_designs`` does.
    """
    nameless = tuple(design._replace(name="") for design in force.designs)
    for name, sheet in sheets_of_designs(force._replace(designs=nameless, units=()), fingerprint):
        kicker = (sheet.kicker[0], *sheet.kicker[2:])
        rows = tuple(row.changed(_blank) for row in sheet.rows)
        yield replace(sheet, id=f"{force.rules.id}-blank-{name}", title=_LINE, strap="", kicker=kicker, rows=rows)


def _kind(card: Card) -> str:
    return card.who.partition(" · ")[0]


def _blank_card(card: Card, data: CardData, own: str) -> Card:
    """Return a card to fill in by hand. ``data`` is the card of its kind in the rules.

    A weapon table has four empty rows. Boxes on the front whose number depends on the design are a full row. If all
    boxes of an element are single, or it has none, the card has the numbers of six elements. A test becomes the word
    Test and a line to write on. Texts with such a line stay. Other texts of the design are left out. So are the facts
    if the front has no place for all texts and the back has no boxes.

    A figure's label that is not in ``data``, because the design gives it, becomes ``own``, such as "Quality". The
    design's word in the label of a full row becomes a line to write on. So does its figure in the head of a target.
    """
    beside = data.plan.beside if data.plan else ()
    heads = {stat.label for stat in (*data.strip, *beside, *data.facts)}

    def empty(stats: Iterable[Any], figure: str = "") -> tuple[Stat, ...]:
        return tuple(Stat(figure, stat.label if stat.label in heads else own) for stat in stats)

    def row(box: Boxes) -> Boxes:
        """Return boxes as a full row if their number in ``data``, the card in the rules, is a formula; or unchanged.

        In the label of a full row, a line to write on takes the place of the design's word.
        """
        models = sorted(data.boxes, key=lambda item: "{" in item.label)  # a label without a word goes first
        like = [item for item in models if re.fullmatch(".*".join(map(re.escape, _SLOT.split(item.label))), box.label)]
        if like and not like[0].count.text.isdigit():
            return box._replace(label=_SLOT.sub(_WORD, like[0].label), many=IN_ROW)
        return box

    axes = tuple(
        axis._replace(targets=tuple(_SLOT.sub("…", target.head) for target in of.targets))
        for axis, of in zip(card.axes, data.axes, strict=True)
    )
    line = Line("", "", (_CELL,) * len(card.columns), (_FREE,) * sum(len(axis.targets) for axis in axes))
    boxes = tuple(map(row, card.boxes))
    blank = replace(
        card,
        name=_LINE + _WORD,
        who=_kind(card),
        points="",
        symbol=card.symbol._replace(sign="none"),
        chevrons=0,
        stats=empty(card.stats),
        plan=card.plan._replace(faces=(), beside=empty(beside)),
        axes=axes,
        front=(line,) * (FRONT_ROWS - 1) if card.columns else (),  # the last row’s place is for a line of text
        back=(),
        boxes=boxes,
        elements=tuple(range(1, ABREAST + 1)) if all(box.many == 1 for box in boxes) else card.elements,
        own="",
        test=f"Test {_WORD}" if card.test else "",
        facts=empty(card.facts, _LINE),
        tells=tuple(tell for tell in card.tells if "……" in tell),  # a line to write on
        spare=(),
        note="",
    )
    return blank if blank.runs or not needs_back(blank) else replace(blank, facts=())


def _blank(block: Block) -> Block:
    """Return big figures as lines to write on, and a table with its rows as ``_blank_row`` does; or else the block."""
    if isinstance(block, Strip):
        return Strip(tuple(Figure("", item.label) for item in block.figures))
    return replace(block, rows=tuple(map(_blank_row, block.rows))) if isinstance(block, Table) else block


def _blank_row(cells: Sequence[Cell]) -> tuple[Cell, ...]:
    """Return a row with a line instead of each text after the first cell, if a cell after the first has a line already.

    Any other row is returned unchanged.
    """
    has_line = any(cell.blank for cell in cells[1:])
    return (*cells[:1], *(Cell("", blank=True) if has_line and cell.text else cell for cell in cells[1:]))
