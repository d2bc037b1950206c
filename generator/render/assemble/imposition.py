"""Cards on sheets of paper: four to a sheet with backs behind fronts, cutting marks and a ruler to check the size."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from generator.render.assemble.impose import cut_marks
from generator.render.cards.columns import needs_back
from generator.render.cards.deck import INDEX, SIZES

if TYPE_CHECKING:
    from collections.abc import Iterator

    from generator.render.assemble.impose import Line
    from generator.render.cards.deck import Card, Deck

WIDTH, HEIGHT = SIZES[INDEX]
_ACROSS, _DOWN, _GAP = 2, 2, 6
PLACES = [(column * (WIDTH + _GAP), row * (HEIGHT + _GAP)) for row in range(_DOWN) for column in range(_ACROSS)]
"""The upper left corners of the four cards of a page, row by row, in millimetres from the first card."""
_OFF = 1.2
"""The distance of a cutting mark from a card, which has no bleed."""


class Page(NamedTuple):
    """One side of a sheet of paper, with its cards row by row.

    A card is None for a place that stays empty. There are no cards at all for a frame.
    """

    cards: tuple[Card | None, ...]
    is_back: bool


def pages(deck: Deck) -> Iterator[Page]:
    """Yield the sides of all sheets. Backs are in reverse order in each row, because pages turn over the short edge.

    Cards without backs come last. A sheet without backs gets an empty back if another sheet comes after it, so that the
    next front is not printed on it. If no card has a back, sheets have one side. A deck with ``frames`` begins with a
    side without cards for each of these.
    """
    yield from (Page((), is_back) for is_back in deck.frames)
    ordered = sorted(deck.cards, key=needs_back, reverse=True)
    each = _ACROSS * _DOWN
    for start in range(0, len(deck.cards), each):
        cards: list[Card | None] = [*ordered[start : start + each]]
        cards += [None] * (each - len(cards))
        yield Page(tuple(cards), is_back=False)
        backs = [card if card is not None and needs_back(card) else None for card in cards]
        rows = (reversed(backs[row : row + _ACROSS]) for row in range(0, each, _ACROSS))
        if any(backs) or (needs_back(ordered[0]) and start + each < len(ordered)):
            yield Page(tuple(card for row in rows for card in row), is_back=True)


def cuts(cards: tuple[Card | None, ...]) -> list[Line]:
    """Return cutting marks outside the cards of a page; the first cut does not remove them all.

    ``cards`` are the four places of the page; at least one of them has a card. Lengths are millimetres from the upper
    left corner of the first place.
    """
    corners = [place for place, card in zip(PLACES, cards, strict=True) if card]
    return cut_marks(corners, (WIDTH, HEIGHT), _OFF)
