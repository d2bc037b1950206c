"""Faces of cards on sheets of paper: four to a page, edge to edge, with marks to cut by and a ruler to check by."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from markupsafe import Markup

from generator.render.drawing import line, mm, path
from generator.render.faces import HEIGHT, WIDTH, faces

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from generator.render.blocks import Paper
    from generator.render.deck import Deck
    from generator.render.faces import Face

_SIZES: dict[Paper, tuple[float, float]] = {"a4": (297.0, 210.0), "letter": (279.4, 215.9)}
"""Paper, lying."""
_TOPS: dict[Paper, float] = {"a4": 25.0, "letter": 28.0}
_ACROSS, _DOWN = 2, 2
_OFF, _MARK = 1.0, 5.0
"""How far a mark stays off the card, and its length."""
_RULER = 100


class Spot(NamedTuple):
    """A face and where its upper left corner is on the page."""

    face: Face
    left: float
    top: float


class Page(NamedTuple):
    """What one sheet of paper holds."""

    spots: tuple[Spot, ...]
    marks: Markup
    ruler: Markup


def pages(deck: Deck, paper: Paper) -> tuple[Page, ...]:
    """Every face in its order, row by row; the faces of one card stand side by side."""
    rows = _rows([faces(card) for card in deck.cards])
    width, height = _SIZES[paper]
    left, top = (width - _ACROSS * WIDTH) / 2, _TOPS[paper]
    found = []
    for start in range(0, len(rows), _DOWN):
        spots = tuple(
            Spot(face, left + column * WIDTH, top + line * HEIGHT)
            for line, row in enumerate(rows[start : start + _DOWN])
            for column, face in enumerate(row)
        )
        found.append(Page(spots, _marks(spots, width, height), ruler()))
    return tuple(found)


def _rows(cards: Iterable[Sequence[Face]]) -> list[list[Face]]:
    """Rows of faces: a card of several begins a row; the place that is free before it goes to a later single card."""
    rows: list[list[Face]] = []
    free: list[list[Face]] = []
    for card in cards:
        for start in range(0, len(card), _ACROSS):
            part = card[start : start + _ACROSS]
            if len(card) == 1 and free:
                free[0] += part
                if len(free[0]) == _ACROSS:
                    free.pop(0)
                continue
            rows.append([*part])
            if len(part) < _ACROSS:
                free.append(rows[-1])
    return rows


def _marks(spots: tuple[Spot, ...], width: float, height: float) -> Markup:
    """Hairlines where to cut, and marks outside of them that stay when the first cut is made."""
    across = sorted({x for spot in spots for x in (spot.left, spot.left + WIDTH)})
    down = sorted({y for spot in spots for y in (spot.top, spot.top + HEIGHT)})
    low, high = down[0], down[-1]
    outer = [line((x, y), (x, y + step)) for x in across for y, step in ((low - _OFF, -_MARK), (high + _OFF, _MARK))]
    outer += [
        line((x, y), (x + step, y))
        for y in down
        for x, step in ((across[0] - _OFF, -_MARK), (across[-1] + _OFF, _MARK))
    ]
    inner = [f"M{mm(one.left)} {mm(one.top)}h{WIDTH}v{HEIGHT}h-{WIDTH}Z" for one in spots]
    return Markup(  # noqa: S704 - numbers of our own
        f'<svg class="marks" xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}mm" '
        f'height="{height}mm"><title>Lines and marks to cut by</title>'
        f"{path(inner, 0.1, '#999')}{path(outer, 0.15)}</svg>"
    )


def ruler() -> Markup:
    """100 mm with a tick at each 10."""
    ticks = [line((x, 0), (x, 2.2 if x % 50 == 0 else 1.4)) for x in range(0, _RULER + 1, 10)]
    lines = path([*ticks, line((0, 0), (_RULER, 0))], 0.2)
    return Markup(  # noqa: S704 - numbers of our own
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="-.2 -.2 {_RULER}.4 3" width="{_RULER}.4mm" height="3mm">'
        f"<title>A ruler of {_RULER} mm</title>{lines}</svg>"
    )
