"""Blank cards and blank sheets of a game, to be filled in by hand: from a small force with a design of every kind."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from generator.documents.force.cards import deck
from generator.documents.force.designs import sheets_of_designs
from generator.render.blocks import Block, Figure, Row, Sheet, Strip
from generator.render.cards.deck import ABREAST, CUT, EACH, FRONT_ROWS, Card, Deck, Line, Stat

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from generator.forces.force import Force

_LINE = "…………………"
_TEST = "Test …………"


def blank_deck(force: Force, fingerprint: str) -> Deck:
    """Return a sheet of blank cards for each kind of design that has a card."""
    made, kinds = deck(force, fingerprint), force.rules.cards.values()
    heads = {stat.label for kind in kinds for stat in (*kind.strip, *(kind.plan.beside if kind.plan else ()))}
    heads |= {target.head for kind in kinds for axis in kind.axes for target in axis.targets}
    blanks = {_kind(card): _blank_card(card, heads) for card in made.cards}
    return replace(
        made,
        id=f"{force.rules.id}-blank-cards",
        title=f"{force.rules.manifest.title}: blank cards",
        strap=f"Print on stiff paper, on one side.{CUT}",
        cards=tuple(card for card in blanks.values() for _ in range(EACH)),
        owner="",
    )


def blank_sheets(force: Force, fingerprint: str) -> Iterator[Sheet]:
    """Yield a blank sheet for each kind of design that has a sheet of its own."""
    for name, sheet in sheets_of_designs(force, fingerprint):
        kicker = (sheet.kicker[0], *sheet.kicker[2:])
        rows = tuple(_blank_row(row) for row in sheet.rows)
        yield replace(sheet, id=f"{force.rules.id}-blank-{name}", title=_LINE, strap=_LINE, kicker=kicker, rows=rows)


def _kind(card: Card) -> str:
    return card.who.partition(" · ")[0]


def _blank_card(card: Card, heads: set[str]) -> Card:
    """Return a card with its heads and boxes alone. A label that is not one of the ``heads`` is the design's own."""

    def known(head: str) -> str:
        return head if head in heads else ""

    def empty(stats: Iterable[Stat]) -> tuple[Stat, ...]:
        return tuple(Stat("", known(stat.label)) for stat in stats)

    free = (None,) * sum(len(axis.targets) for axis in card.axes)
    line = Line("", "", ("",) * len(card.columns), free)
    return replace(
        card,
        name=_LINE,
        who=_kind(card),
        points="",
        symbol=card.symbol._replace(sign="none"),
        chevrons=0,
        stats=empty(card.stats),
        plan=card.plan._replace(faces=(), beside=empty(card.plan.beside)),
        axes=tuple(axis._replace(targets=tuple(map(known, axis.targets))) for axis in card.axes),
        front=(line,) * FRONT_ROWS if card.columns else (),
        back=(),
        elements=tuple(range(1, ABREAST + 1)) if all(box.many == 1 for box in card.boxes) else card.elements,
        own="",
        test=_TEST if card.test else "",
        facts=(),
        tells=(),
        runs=(),
        note="",
    )


def _blank_row(row: Row) -> Row:
    columns = (
        tuple(replace(section, blocks=tuple(map(_blank_block, section.blocks))) for section in column)
        for column in row.columns
    )
    return replace(row, columns=tuple(columns))


def _blank_block(block: Block) -> Block:
    """Return big figures as lines to write on, and all other blocks as they are."""
    if not isinstance(block, Strip):
        return block
    return replace(block, figures=tuple(Figure("", figure.label) for figure in block.figures))
