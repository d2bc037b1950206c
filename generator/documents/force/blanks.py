"""Blank cards and blank sheets of a game, to be filled in by hand: from a small force with a design of every kind."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from generator.documents.force.cards import deck, strap
from generator.documents.force.designs import sheets_of_designs
from generator.render.blocks import Figure, Section, Sheet, Strip
from generator.render.cards.columns import needs_back
from generator.render.cards.deck import ABREAST, EACH, FRONT_ROWS, IN_ROW, Card, Chance, Deck, Line, Stat

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from generator.forces.force import Force

_LINE = "…………………"
_TEST = "Test …………"
_CELL, _FREE = "\N{NO-BREAK SPACE}", Chance("", None)
"""An empty figure and an empty chance."""


def blank_deck(force: Force, fingerprint: str) -> Deck:
    """Return a deck with four blank cards, a whole sheet, for each kind of design that the force has.

    The labels of figures stay; the figures are left out. Raises ProblemsError as ``deck`` does.
    """
    made, kinds = deck(force, fingerprint), force.rules.cards.values()
    stats = [stat for kind in kinds for stat in (*kind.strip, *(kind.plan.beside if kind.plan else ()), *kind.facts)]
    heads = {stat.label for stat in stats}
    heads |= {target.head for kind in kinds for axis in kind.axes for target in axis.targets}
    names = [label[1:-1].capitalize() for label in sorted(heads) if label[:1] == "{" and label[1:-1].isidentifier()]
    counted = {box.label for kind in kinds for box in kind.boxes if not str(box.count.text).isdigit()}
    blanks = {_kind(card): _blank_card(card, heads, "".join(names[:1]), counted) for card in made.cards}
    cards = tuple(card for card in blanks.values() for _ in range(EACH))
    title = f"{force.rules.manifest.title}: blank cards"
    return replace(made, id=f"{force.rules.id}-blank-cards", title=title, strap=strap(cards), cards=cards, owner="")


def blank_sheets(force: Force, fingerprint: str) -> Iterator[Sheet]:
    """Yield a blank sheet for each design of the force whose kind has a sheet of its own.

    Big figures become lines to write on. Raises ProblemsError as ``sheets_of_designs`` does.
    """
    for name, sheet in sheets_of_designs(force, fingerprint):
        kicker = (sheet.kicker[0], *sheet.kicker[2:])
        rows = tuple(row.changed(_blank_section) for row in sheet.rows)
        yield replace(sheet, id=f"{force.rules.id}-blank-{name}", title=_LINE, strap=_LINE, kicker=kicker, rows=rows)


def _kind(card: Card) -> str:
    return card.who.partition(" · ")[0]


def _blank_card(card: Card, heads: set[str], own: str, counted: set[str]) -> Card:
    """Return a card to fill in by hand, with a full row of boxes for each label in ``counted``.

    Labels that are not in ``heads`` are replaced by ``own``, such as "Quality".
    """

    def empty(stats: Iterable[Stat], figure: str = "") -> tuple[Stat, ...]:
        return tuple(Stat(figure, stat.label if stat.label in heads else own) for stat in stats)

    axes = tuple(
        axis._replace(targets=tuple(head if head in heads else "" for head in axis.targets)) for axis in card.axes
    )
    line = Line("", "", (_CELL,) * len(card.columns), (_FREE,) * sum(len(axis.targets) for axis in axes))
    boxes = tuple(box._replace(many=IN_ROW) if box.label in counted else box for box in card.boxes)
    blank = replace(
        card,
        name=_LINE,
        who=_kind(card),
        points="",
        symbol=card.symbol._replace(sign="none"),
        chevrons=0,
        stats=empty(card.stats),
        plan=card.plan._replace(faces=(), beside=empty(card.plan.beside)),
        axes=axes,
        front=(line,) * FRONT_ROWS if card.columns else (),
        back=(),
        boxes=boxes,
        elements=tuple(range(1, ABREAST + 1)) if all(box.many == 1 for box in boxes) else card.elements,
        own="",
        test=_TEST if card.test else "",
        facts=empty(card.facts, "………"),
        tells=(),
        spare=(),
        note="",
    )
    return blank if blank.runs or not needs_back(blank) else replace(blank, facts=())


def _blank_section(section: Section) -> Section:
    """Return a section with its big figures as lines to write on, and all other blocks as they are."""
    blocks = (
        Strip(tuple(Figure("", item.label) for item in block.figures)) if isinstance(block, Strip) else block
        for block in section.blocks
    )
    return replace(section, blocks=tuple(blocks))
