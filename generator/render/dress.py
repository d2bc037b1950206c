"""What each sort of document is set with: its template, its style sheets, and what these need to know."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from generator.render.blocks import Sheet

if TYPE_CHECKING:
    from generator.render.blocks import Paper
    from generator.render.deck import Deck
    from generator.render.tiling import Tiles

    Document: TypeAlias = Sheet | Deck | Tiles


class Dress(NamedTuple):
    """How a document is set."""

    template: str
    styles: tuple[str, ...]
    names: dict[str, Any]
    """What its template knows besides what all know."""
    rules: tuple[str, ...] = ()
    """Rules of style that depend on it."""


def dress(document: Document, paper: Paper) -> Dress:
    """How this document is set on this paper. What only some sorts need is imported when it is needed."""
    if isinstance(document, Sheet):
        return Dress("sheet.html.j2", ("sheet.css", f"paper-{paper}.css"), {})
    from generator.render.deck import Deck

    return _cards(paper) if isinstance(document, Deck) else _tiles(document, paper)


def _cards(paper: Paper) -> Dress:
    from generator.render.drawing import mm
    from generator.render.faces import OF, ROOM, box_width, cell_lines
    from generator.render.imposition import pages, ruler
    from generator.render.symbols import draw_symbol

    names = {
        "box_width": box_width,
        "cell_lines": cell_lines,
        "draw_symbol": draw_symbol,
        "mm": mm,
        "of_width": OF,
        "pages": pages,
        "room": ROOM,
        "ruler": ruler,
    }
    return Dress("cards.html.j2", ("cards.css", f"cards-{paper}.css"), names)


def _tiles(tiles: Tiles, paper: Paper) -> Dress:
    from generator.render.drawing import mm
    from generator.render.imposition import ruler
    from generator.render.tiles import draw_tiles, paper_size

    wide, high = paper_size(tiles, paper)
    rule = f"@page {{ size: {wide}mm {high}mm; margin: 0 }} .page {{ width: {wide}mm; height: {high}mm }}"
    return Dress("tiles.html.j2", ("tiles.css",), {"draw_tiles": draw_tiles, "mm": mm, "ruler": ruler}, (rule,))
