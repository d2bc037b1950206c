"""What each sort of document is set with: its template, its style sheets, and what these need to know."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from generator.render.blocks import Sheet
from generator.render.geometry import geometry

if TYPE_CHECKING:
    from generator.render.blocks import Paper
    from generator.render.cards.deck import Deck
    from generator.render.markers.counters import Counters

    Document: TypeAlias = Sheet | Deck | Counters


class Setting(NamedTuple):
    """How a document is set otherwise than it usually is."""

    loose: frozenset[str] = frozenset()
    """What may be divided between pages, because no page holds it."""
    higher_foot: int = 0
    """How many lines the foot needs beyond those that it has room for."""
    numbered: bool = True
    """A part of a pack is not: its pages get the numbers of the whole when it is bound."""
    folded: bool = False
    """On half of the paper."""
    tall: bool = False
    """On one endless page, to be measured."""


USUAL = Setting()


class PageSetup(NamedTuple):
    """How a document is set."""

    template: str
    styles: tuple[str, ...]
    names: dict[str, Any]
    """Names for its template, in addition to the names of all templates."""
    rules: tuple[str, ...] = ()
    """Rules of style that depend on it."""


def page_setup_of(document: Document, paper: Paper, *, folded: bool = False) -> PageSetup:
    """How this document is set on this paper; a ``folded`` sheet on half of it, in type of the same size.

    What only some sorts need is imported when it is needed.
    """
    if isinstance(document, Sheet):
        return _sheet(paper, folded=folded)
    from generator.render.cards.deck import Deck

    if isinstance(document, Deck):
        return _cards(paper)
    return _counters(paper)


def _sheet(paper: Paper, *, folded: bool) -> PageSetup:
    page, styles = geometry(paper, folded=folded), ("sheet.css", f"paper-{paper}.css")
    names = {"page": page, "folded": folded}
    if not folded:
        return PageSetup("sheet.html.j2", styles, names)
    wide, high = page.paper
    return PageSetup("sheet.html.j2", (*styles, "folded.css"), names, (f"@page {{ size: {wide}mm {high}mm }}",))


def _cards(paper: Paper) -> PageSetup:
    from generator.render.assemble.imposition import pages, ruler
    from generator.render.cards.card_tables import cell_lines, head_lines
    from generator.render.cards.faces import OF, ROOM
    from generator.render.cards.tick_places import box_width
    from generator.render.cards.unit_icons import draw_symbol
    from generator.render.drawing import mm

    names = {
        "box_width": box_width,
        "cell_lines": cell_lines,
        "head_lines": head_lines,
        "draw_symbol": draw_symbol,
        "mm": mm,
        "of_width": OF,
        "pages": pages,
        "room": ROOM,
        "ruler": ruler,
    }
    return PageSetup("cards.html.j2", ("cards.css", f"cards-{paper}.css"), names)


def _counters(paper: Paper) -> PageSetup:
    from generator.render.assemble.imposition import ruler
    from generator.render.drawing import mm
    from generator.render.markers.counters import draw_counters

    size = geometry(paper).paper
    names = {"draw_counters": draw_counters, "mm": mm, "size": size, "ruler": ruler}
    wide, high = size
    rule = f"@page {{ size: {wide}mm {high}mm; margin: 0 }} .page {{ width: {wide}mm; height: {high}mm }}"
    return PageSetup("markers.html.j2", ("markers.css",), names, (rule,))
