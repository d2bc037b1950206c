"""Card faces on sheets of paper: four to a page, edge to edge, with cutting marks and a ruler to check the size."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from markupsafe import Markup

from generator.render.cards.faces import HEIGHT, ROOM, WIDTH, faces
from generator.render.drawing import line, mm, path
from generator.render.geometry import card_page
from generator.render.type.line_breaks import broken

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from generator.render.blocks import Paper
    from generator.render.cards.deck import Deck
    from generator.render.cards.faces import Face

_ACROSS, _DOWN = 2, 2
_PLACES = _ACROSS * _DOWN
_OFF, _MARK = 1.0, 5.0
"""Distance of a cutting mark from the card, and its length."""
_RULER = 100


class Spot(NamedTuple):
    """A face and the position of its upper left corner on the page."""

    face: Face
    left: float
    top: float


class Blank(NamedTuple):
    """A place without a card, for notes."""

    left: float
    top: float
    owner: tuple[str, ...]
    """The lines of the owner's name."""


class Page(NamedTuple):
    """The contents of one sheet of paper."""

    spots: tuple[Spot, ...]
    blanks: tuple[Blank, ...]
    places: tuple[Spot | Blank | None, ...]
    """Faces and blanks, row by row; None for a place that stays empty."""
    marks: Markup
    ruler: Markup


class _Piece(NamedTuple):
    """One or two faces of a card that stay together, and the card's unit."""

    faces: tuple[Face, ...]
    unit: str


def pages(deck: Deck, paper: Paper) -> tuple[Page, ...]:
    """Return pages with all faces in order, row by row; two faces of one card are side by side.

    Free places become blanks for notes, unless the deck has only one page.
    """
    width, height, left, top = card_page(paper)
    corners = [(left + column * WIDTH, top + line * HEIGHT) for line in range(_DOWN) for column in range(_ACROSS)]
    found = []
    every = list(_shared_out(_pieces(deck)))
    owner = broken(deck.owner, ROOM, 8.0, "serif-italic")
    for placed in every:
        spots = tuple(Spot(face, *at) for face, at in zip(placed, corners, strict=False) if face is not None)
        taken = [(spot.left, spot.top) for spot in spots]
        free = [at for at in corners if at not in taken] if len(every) > 1 else []
        blanks = tuple(Blank(x, y, owner) for x, y in free)
        used: tuple[Spot | Blank, ...] = (*spots, *blanks)
        places = tuple(next((item for item in used if (item.left, item.top) == at), None) for at in corners)
        found.append(Page(spots, blanks, places, _marks(used, width, height), ruler()))
    return tuple(found)


def _pieces(deck: Deck) -> list[_Piece]:
    """Return the cards in pieces of one or two faces that must stay together."""
    found = []
    for card in deck.cards:
        made = faces(card)
        found += [_Piece(made[start : start + _ACROSS], card.unit) for start in range(0, len(made), _ACROSS)]
    return found


def _shared_out(pieces: Sequence[_Piece]) -> Iterator[list[Face | None]]:
    """Yield the faces of each page, row by row, filling a single free place with a one-face card of the same unit.

    If no such card is left, the place stays free: a card from much later would not be found there.
    """
    left = list(pieces)
    while left:
        page: list[_Piece] = []
        while left and _used(page) + len(left[0].faces) <= _PLACES:
            page.append(left.pop(0))
        if left and _used(page) < _PLACES:  # one place is free, and two faces come next
            units = {page[-1].unit, left[0].unit}
            mate = next((piece for piece in left if len(piece.faces) == 1 and piece.unit in units), None)
            if mate is not None:
                left.remove(mate)
                page.append(mate)
            elif len(page[-1].faces) == 1 and page[-1].unit == left[0].unit:  # swap the two
                page[-1], left[0] = left[0], page[-1]
        yield _laid(page)


def _used(page: Sequence[_Piece]) -> int:
    return sum(len(piece.faces) for piece in page)


def _laid(page: Sequence[_Piece]) -> list[Face | None]:
    """Return the faces of a page row by row; two faces after a single one go into the next row.

    The card after them fills the place before them.
    """
    every: list[Face | None] = [face for piece in page for face in piece.faces]
    if [len(piece.faces) for piece in page[:2]] != [1, _ACROSS]:
        return every
    first, (one, other), *rest = (piece.faces for piece in page)
    if not rest:
        return [*first, None, one, other]
    (last,) = rest[0]
    return [*first, last, one, other]


def _marks(spots: tuple[Spot | Blank, ...], width: float, height: float) -> Markup:
    """Return hairlines to cut along, and marks outside them that remain after the first cut."""
    across = sorted({x for spot in spots for x in (spot.left, spot.left + WIDTH)})
    down = sorted({y for spot in spots for y in (spot.top, spot.top + HEIGHT)})
    low, high = down[0], down[-1]
    outer = [line((x, y), (x, y + step)) for x in across for y, step in ((low - _OFF, -_MARK), (high + _OFF, _MARK))]
    outer += [
        line((x, y), (x + step, y))
        for y in down
        for x, step in ((across[0] - _OFF, -_MARK), (across[-1] + _OFF, _MARK))
    ]
    inner = [f"M{mm(spot.left)} {mm(spot.top)}h{WIDTH}v{HEIGHT}h-{WIDTH}Z" for spot in spots]
    return Markup(  # noqa: S704 - numbers of our own
        f'<svg class="marks" xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}mm" '
        f'height="{height}mm"><title>Lines and marks to cut by</title>'
        f"{path(inner, 0.1, '#999')}{path(outer, 0.15)}</svg>"
    )


def ruler() -> Markup:
    """Return a ruler of 100 mm with a tick every 10 mm."""
    ticks = [line((x, 0), (x, 2.2 if x % 50 == 0 else 1.4)) for x in range(0, _RULER + 1, 10)]
    lines = path([*ticks, line((0, 0), (_RULER, 0))], 0.2)
    return Markup(  # noqa: S704 - numbers of our own
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="-.2 -.2 {_RULER}.4 3" width="{_RULER}.4mm" height="3mm">'
        f"<title>A ruler of {_RULER} mm</title>{lines}</svg>"
    )
