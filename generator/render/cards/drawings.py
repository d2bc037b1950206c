"""The drawings of a card: its side band, plan, boxes and ladder, as one SVG for each side of the card.

Lengths are millimetres from the upper left corner of the card. The drawings are ours.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from markupsafe import Markup

from generator.render.cards.deck import ABREAST, FOOT_ROWS, IN_ROW, INDEX, SIZES, Card, Deck, Symbol
from generator.render.drawing import mm, outlines, svg
from generator.render.inks import BLACK, COLOURS, GREY

if TYPE_CHECKING:
    from collections.abc import Iterator

    from generator.render.blocks import Ink

WIDTH, HEIGHT = SIZES[INDEX]
"""An index card in landscape format."""
_BAND, _EDGE = 8, 1.3
_STRIPES = f'fill="none" stroke="#fff" stroke-width="{_EDGE}" stroke-dasharray="{_EDGE}"'
_SIDE = "#1d5b86"
"""The colour of a side without one of its own."""
BOX, _PITCH, _BOXES, FOOT = 5, 5.6, 31.6, 58.6
"""Size and pitch of boxes, the left edge of the first box, and the top of the first row of boxes."""
TICKS, _TICKS_TOP = 67, 61.6
LADDER, LADDER_TOP, RUNG = 99, 55.5, 3.62
_PLAN = 101.4, 3.2
"""The upper left corner of the plan, which is 13.6 wide and 20 high."""

_RULE = f'<path d="M11 13.1H99" stroke="{BLACK}" stroke-width=".55"/>'

_MAN = "M{x} {y}a.9 .9 0 0 1 0 1.8a.9 .9 0 0 1 0 -1.8Zm-1.3 4.2v-1a1.3 1.1 0 0 1 2.6 0v1Z"
_FILLED = ("artillery", "mines", "aircraft", "ammunition")
"""The signs of unit symbols that are filled."""
MOST = 7
"""Most bars above the frame."""


def side_colour(deck: Deck, ink: Ink) -> str:
    """Return the colour of the side band."""
    if ink != "colour":
        return BLACK if deck.emblem == 0 else GREY
    return COLOURS.get(deck.colour, _SIDE)


def draw_front(card: Card, deck: Deck, ink: Ink) -> Markup:
    """Return the drawings of a card's front."""
    says = [f"{card.chevrons} chevrons"] if card.chevrons else []
    parts = [_band(deck, ink, card.chevrons, 0), symbol_paths(card.symbol), _RULE]
    if card.plan.shape:
        parts.append(f'<g transform="translate({_PLAN[0]} {_PLAN[1]})">{_plan(card)}</g>')
        says.append(_plan_words(card))
    parts += _boxes(card)
    if card.boxes or card.ticks or card.ladder:
        says.append("boxes to tick")
    title = f"Symbol of {card.symbol.sign}; " + ", ".join(says) if says else "Side band"
    return svg((0, 0, WIDTH, HEIGHT), title, "".join(parts), "drawing")


def draw_back(card: Card, deck: Deck, ink: Ink) -> Markup:
    """Return the drawings of a card's back: its band, on the other side."""
    return svg((0, 0, WIDTH, HEIGHT), "Side band", _band(deck, ink, card.chevrons, WIDTH - _BAND), "drawing")


def draw_plan(card: Card, scale: float) -> Markup:
    """Return the plan of a card alone."""
    shapes = f'<g transform="scale({scale})">{_plan(card)}</g>'
    return svg((0, 0, 13.6 * scale, 20 * scale), _plan_words(card), shapes, "plan")


def draw_symbol(card: Card) -> Markup:
    """Return the unit symbol of a card alone."""
    return svg((10.5, 1.5, 13, 11), f"Symbol of {card.symbol.sign}", symbol_paths(card.symbol), "symbol")


def draw_emblem(deck: Deck, fill: str, ground: str = "none") -> Markup:
    """Return the emblem of a side in the colour ``fill``, on a disc in the colour ``ground``."""
    disc = f'<path d="M4.5 0A4.5 4.5 0 0 1 4.5 9A4.5 4.5 0 0 1 4.5 0Z" fill="{ground}"/>'
    path = f'<path transform="translate(4.5 4.5)" d="{_emblem(deck)}" fill="{fill}"/>'
    return svg((0, 0, 9, 9), "Emblem of the side", disc + path, "emblem")


def _emblem(deck: Deck) -> str:
    emblems = outlines("emblems")
    return str(emblems[deck.emblem % len(emblems)])


def draw_chevrons(card: Card) -> Markup:
    """Return the chevrons of a card alone, in white."""
    rows = (3.5 + 1.6 * (row - (card.chevrons - 1) / 2) for row in range(card.chevrons))
    marks = "".join(f"M.8 {mm(top + 2.4)}L3.5 {mm(top)}L6.2 {mm(top + 2.4)}" for top in rows)
    path = f'<path d="{marks}" fill="none" stroke="#fff" stroke-width=".9"/>'
    return svg((0, 0, 7, 9.4), f"{card.chevrons} chevrons", path, "chevrons")


def _plan_words(card: Card) -> str:
    faces = ", ".join(filter(None, card.plan.faces))
    return f"plan of its {card.plan.shape}" + (f": {faces}" if faces else "")


def _band(deck: Deck, ink: Ink, chevrons: int, left: float) -> str:
    """Return a band with chevrons at its top and an emblem at its foot.

    Every second emblem gives the band a striped edge.
    """
    marks = "".join(
        f"M1.6 {mm(7.4 + 2.6 * row)}L4 {mm(5 + 2.6 * row)}L6.4 {mm(7.4 + 2.6 * row)}" for row in range(chevrons)
    )
    # One dashed line: a shape for each stripe would be a fifth of all that a page of cards draws.
    outer = _EDGE / 2 if left == 0 else _BAND - _EDGE / 2
    edge = f'<path d="M{mm(outer)} 0V{HEIGHT}" {_STRIPES}/>' if deck.emblem % 2 else ""
    middle = (_BAND + (deck.emblem % 2) * (_EDGE if left == 0 else -_EDGE)) / 2  # of the plain part
    return (
        f'<g transform="translate({mm(left)} 0)"><path d="M0 0H{_BAND}V{HEIGHT}H0Z" fill="{side_colour(deck, ink)}"/>'
        f"{edge}"
        f'<path d="{marks}" fill="none" stroke="#fff" stroke-width="1.1"/>'
        f'<path transform="translate({mm(middle)} 70.4)" d="{_emblem(deck)}" fill="#fff"/></g>'
    )


def _plan(card: Card) -> str:
    plan = card.plan
    drawn = outlines("plans")[plan.shape]
    men = "".join(f'<path d="{_MAN.format(x=x, y=y)}" fill="{BLACK}"/>' for x, y in drawn.get("men", ()))
    size = 2.6 if plan.shape == "body" else 3.6
    letters = "".join(
        f'<text x="{x}" y="{y}" text-anchor="middle" font-size="{size}" font-weight="700" fill="{BLACK}"'
        f' font-family="FP Source Sans">{Markup.escape(text)}</text>'
        for (x, y), text in zip(drawn["figures"], plan.faces, strict=False)
        if text
    )
    lines = f'fill="none" stroke="{BLACK}" stroke-linejoin="round"'
    return (
        f'<path d="{drawn["outline"]}" {lines} stroke-width=".5"/>'
        f'<path d="{drawn.get("front", "")}" {lines} stroke-width="1.1"/>'
        f'<path d="{drawn.get("turret", "")}" fill="none" stroke="{GREY}" stroke-width=".4"/>'
        f"{men}{letters}"
    )


def box_rows(card: Card) -> Iterator[tuple[str, int]]:
    """Yield the label and the count of boxes of each row at the foot of the front. Rings are left out.

    Boxes that do not fit into a row continue in a row without a label.
    """
    for boxes in card.boxes:
        many = 0 if boxes.ring else boxes.many * max(1, len(card.elements))
        for start in range(0, many, IN_ROW):
            yield "" if start else boxes.label, min(many - start, IN_ROW)


def _boxes(card: Card) -> Iterator[str]:
    squares = []
    for row, (label, many) in zip(range(FOOT_ROWS), box_rows(card), strict=False):
        pitch = _PITCH * ABREAST / (max(many, ABREAST) if label else IN_ROW)  # more boxes are narrower
        squares += [(_BOXES + pitch * column, FOOT + BOX * row, pitch - _PITCH + BOX) for column in range(many)]
    squares += [(TICKS, _TICKS_TOP + 6.2 * row, BOX) for row in range(len(card.ticks))]
    d = "".join(f"M{mm(x)} {mm(y)}h{mm(wide)}v{BOX}h-{mm(wide)}Z" for x, y, wide in squares)
    rungs = len(card.ladder)
    d += "".join(f"M{LADDER} {mm(LADDER_TOP + RUNG * row)}h{BOX}v{RUNG}h-{BOX}Z" for row in range(rungs))
    if d:
        yield f'<path d="{d}" fill="none" stroke="{BLACK}" stroke-width=".35"/>'
    if any(boxes.ring for boxes in card.boxes):
        rings = "".join(
            f"M{mm(x)} 55.1a1.55 1.55 0 0 1 0 3.1a1.55 1.55 0 0 1 0 -3.1Z"
            for x in (_BOXES + 2.5 + _PITCH * column for column in range(max(1, len(card.elements))))
        )
        yield f'<path d="{rings}" fill="none" stroke="{BLACK}" stroke-width=".35"/>'


def symbol_paths(symbol: Symbol) -> str:
    """Return the symbol as SVG paths. An unknown frame is drawn as "none", and an unknown sign is left out."""
    frames = outlines("frames")
    frame = frames.get(symbol.frame, frames["none"])
    sign = outlines("signs").get(symbol.sign, "")
    fill = BLACK if symbol.sign in _FILLED else "none"
    size = min(max(symbol.size, 0), MOST)
    start = 7 - (size - 1) * 0.75
    bars = "".join(f"M{mm(start + 1.5 * index)} .2V1.4" for index in range(size))
    lines = f'fill="none" stroke="{BLACK}" stroke-linecap="round" stroke-linejoin="round"'
    return (
        f'<g transform="translate(11 2.2) scale(0.86)"><path d="{bars}" {lines} stroke-width=".8"/>'
        f'<g transform="translate(0 2)"><path d="{sign}" {lines.replace("none", fill, 1)} stroke-width=".6"/>'
        f'<path d="{frame}" {lines} stroke-width=".8"/></g></g>'
    )
