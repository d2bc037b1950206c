"""The drawings of a card: its side band, plan, boxes and ladder, as one SVG for each side of the card.

Lengths are millimetres from the upper left corner of the card. The drawings are ours.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from markupsafe import Markup

from generator.render.cards.deck import ABREAST, FOOT_ROWS, IN_ROW, INDEX, SIZES, Card, Deck, Symbol
from generator.render.drawing import mm, svg
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

EMBLEMS = (
    "M0 -3.2L3.2 0L0 3.2L-3.2 0Z",
    "M-3 3V-3H-1.4V-1.6H-.8V-3H.8V-1.6H1.4V-3H3V3Z",
    "M0 -3.2L3.1 2.6H-3.1Z",
    "M-2.8 -2.8H2.8V.6Q2.8 2.6 0 3.4Q-2.8 2.6 -2.8 .6Z",
)
"""The emblems at the foot of the band, centred."""
SHAPES = {
    "hull": "M3.4 .6H10.2L13 5V15L10.6 19.4H3L.6 15V5Z",
    "hover": "M3.4 .6H10.2L13 5V15L10.6 19.4H3L.6 15V5ZM1.7 15.2L3.6 18.6H10L11.9 15.2",
    "tracks": "M2.6 2H11V18H2.6ZM.6 .6H2.6V19.4H.6ZM11 .6H13V19.4H11Z",
    "wheels": "M2.6 .6H11V19.4H2.6ZM.8 3H2.6V7H.8ZM.8 13H2.6V17H.8ZM11 3H12.8V7H11ZM11 13H12.8V17H11Z",
    "legs": "M3.6 3H10V14H3.6ZM1 8H3.6V18.6H1ZM10 8H12.6V18.6H10Z",
    "craft": "M6.8 .2L9.4 4L13.4 12V14.6L9.6 14V19.6H4V14L.2 14.6V12L4.2 4Z",
    "ship": "M6.8 .6Q11.4 4 11 10V18H2.6V10Q2.2 4 6.8 .6Z",
    "block": "M1.6 2.6H12V17.4H1.6Z",
    "base": "M6.8 3.4A6.4 6.4 0 0 1 6.8 16.6A6.4 6.4 0 0 1 6.8 3.4Z",
    "figure": "M6.8 3.4A6.4 6.4 0 0 1 6.8 16.6A6.4 6.4 0 0 1 6.8 3.4Z",
    "body": "M6.8 .6A2 2 0 0 1 6.8 4.6A2 2 0 0 1 6.8 .6ZM4 5H9.6V12.4H4ZM.2 5.2H3.6V11.6H.2ZM10 5.2H13.4V11.6H10Z"
    "M3.4 13H6.6V19.6H3.4ZM7 13H10.2V19.6H7Z",
}
"""The outlines of plans, in a box of 13.6 by 20."""
_FRONTS = {
    "hull": "M.6 5L3.4 .6H10.2L13 5",
    "hover": "M.6 5L3.4 .6H10.2L13 5",
    "tracks": "M2.6 2H11",
    "wheels": "M2.6 .6H11",
}
"""The front plate, drawn heavily."""
_TURRETS = {"hull", "hover", "tracks", "wheels"}
_TURRET = "M6.8 9.3A.7 .7 0 0 1 6.8 10.7A.7 .7 0 0 1 6.8 9.3ZM6.8 9.3V6.8"
_MAN = "M{x} {y}a.9 .9 0 0 1 0 1.8a.9 .9 0 0 1 0 -1.8Zm-1.3 4.2v-1a1.3 1.1 0 0 1 2.6 0v1Z"
_MEN = {"base": ((4.2, 8.2), (6.8, 6), (9.4, 8.2)), "figure": ((6.8, 7.8),)}
"""One man, and where men stand on a base."""
_FACES = ((6.8, 3.9), (2.7, 10.9), (10.9, 10.9), (6.8, 17.4))
_OTHER_FACES = {
    "body": ((6.8, 3.5), (6.8, 9.7), (1.9, 9.4), (11.7, 9.4), (5, 17.3), (8.6, 17.3)),
    "block": ((6.8, 6.8), (3.8, 11.2), (9.8, 11.2), (6.8, 15.8)),
    "tracks": ((6.8, 5.6), (4.2, 11.2), (9.4, 11.2), (6.8, 16.8)),
    "wheels": ((6.8, 4.6), (4.2, 11.2), (9.4, 11.2), (6.8, 17.6)),
    "craft": ((6.8, 5.6), (4.2, 12.4), (9.4, 12.4), (6.8, 17.8)),
}
"""The middles of the figures on a plan: in front, left, right, behind; on a body: head, trunk, arms, legs."""


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
    path = f'<path transform="translate(4.5 4.5)" d="{EMBLEMS[deck.emblem % len(EMBLEMS)]}" fill="{fill}"/>'
    return svg((0, 0, 9, 9), "Emblem of the side", disc + path, "emblem")


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
        f'<path transform="translate({mm(middle)} 70.4)" d="{EMBLEMS[deck.emblem % len(EMBLEMS)]}" fill="#fff"/></g>'
    )


def _plan(card: Card) -> str:
    plan = card.plan
    shape = SHAPES[plan.shape]
    heavy, inner = _FRONTS.get(plan.shape, ""), _TURRET if plan.shape in _TURRETS else ""
    men = "".join(f'<path d="{_MAN.format(x=x, y=y)}" fill="{BLACK}"/>' for x, y in _MEN.get(plan.shape, ()))
    middles = _OTHER_FACES.get(plan.shape, _FACES)
    size = 2.6 if plan.shape == "body" else 3.6
    letters = "".join(
        f'<text x="{x}" y="{y}" text-anchor="middle" font-size="{size}" font-weight="700" fill="{BLACK}"'
        f' font-family="FP Source Sans">{Markup.escape(text)}</text>'
        for (x, y), text in zip(middles, plan.faces, strict=False)
        if text
    )
    lines = f'fill="none" stroke="{BLACK}" stroke-linejoin="round"'
    return (
        f'<path d="{shape}" {lines} stroke-width=".5"/>'
        f'<path d="{heavy}" {lines} stroke-width="1.1"/>'
        f'<path d="{inner}" fill="none" stroke="{GREY}" stroke-width=".4"/>'
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


FRAMES = {
    "land": "M.4 .4H13.6V8.8H.4Z",
    "fixed": "M.4 .4H13.6V8.8H.4ZM.4 7.6H13.6",
    "foot": "M.4 .4H13.6V8.8H.4Z",
    "air": "M.4 8.8V4.6A6.6 4.2 0 0 1 13.6 4.6V8.8",
    "water": "M.4 .4V4.6A6.6 4.2 0 0 0 13.6 4.6V.4",
    "none": "M7 .4A4.2 4.2 0 0 1 7 8.8A4.2 4.2 0 0 1 7 .4Z",
}
"""The outlines of the frames, in a box of 14 by 9.2."""
SIGNS = {
    "none": "",
    "armour": "M4.4 2.6H9.6A2 2 0 0 1 9.6 6.6H4.4A2 2 0 0 1 4.4 2.6Z",
    "tracked": "M4.4 2.6H9.6A2 2 0 0 1 9.6 6.6H4.4A2 2 0 0 1 4.4 2.6ZM2.6 7.6H11.4",
    "wheeled": "M4.4 2.4H9.6A1.7 1.7 0 0 1 9.6 5.8H4.4A1.7 1.7 0 0 1 4.4 2.4ZM4.4 7.6h.01M7 7.6h.01M9.6 7.6h.01",
    "hover": "M4.4 2.4H9.6A1.7 1.7 0 0 1 9.6 5.8H4.4A1.7 1.7 0 0 1 4.4 2.4ZM3 7.4q1 -.9 2 0t2 0t2 0t2 0",
    "grav": "M4.4 2.2H9.6A1.7 1.7 0 0 1 9.6 5.6H4.4A1.7 1.7 0 0 1 4.4 2.2ZM5 6.6L7 7.9L9 6.6",
    "walker": "M4.4 1.8H9.6A1.6 1.6 0 0 1 9.6 5H4.4A1.6 1.6 0 0 1 4.4 1.8ZM5.4 5V7.7H4.4M8.6 5V7.7H9.6",
    "infantry": "M.4 .4L13.6 8.8M13.6 .4L.4 8.8",
    "artillery": "M7 3.3A1.3 1.3 0 0 1 7 5.9A1.3 1.3 0 0 1 7 3.3Z",
    "missile": "M7 7.4V3.2M5.6 7.4H8.4M5.6 4.4Q5.6 2.2 7 1.6Q8.4 2.2 8.4 4.4V7.4M5.6 4.4V7.4",
    "air-defence": "M2.4 8.8A4.6 5.6 0 0 1 11.6 8.8",
    "aircraft": "M7 4.7L3.2 3V6.4L7 4.7L10.8 3V6.4Z",
    "rotor": "M3 3.4H11M7 3.4V5M5.2 5H8.8V7H5.2Z",
    "ship": "M3.4 4.4H10.6L9.4 6.8H4.6ZM7 4.4V2",
    "engineer": "M3.6 6.8V3H10.4V6.8M7 3V6.8",
    "supply": "M.4 6.8H13.6",
    "ammunition": "".join(f"M{x - 0.8:.1f} 7.2v-3q0 -1.5 .8 -2.3q.8 .8 .8 2.3v3Z" for x in (4.2, 7, 9.8)),
    "medical": "M7 1.8V7.4M4.2 4.6H9.8",
    "command": "M4.6 7.6V2H9.6V4.6H4.6",
    "observer": "M3 4.6Q7 .9 11 4.6Q7 8.3 3 4.6ZM7 3.8A.8 .8 0 0 1 7 5.4A.8 .8 0 0 1 7 3.8Z",
    "mines": "".join(f"M{x} {y}a.8 .8 0 0 1 0 1.6a.8 .8 0 0 1 0 -1.6Z" for x, y in ((4.2, 5.4), (7, 2.6), (9.8, 5.4))),
    "person": "M7 1.7A1.1 1.1 0 0 1 7 3.9A1.1 1.1 0 0 1 7 1.7ZM4.9 7.5V6.2A2.1 1.7 0 0 1 9.1 6.2V7.5",
}
"""The signs inside the frame."""
_FILLED = ("artillery", "mines", "aircraft", "ammunition")
MOST = 7
"""Most bars above the frame."""


def symbol_paths(symbol: Symbol) -> str:
    """Return the symbol as SVG paths. An unknown frame is drawn as "none", and an unknown sign is left out."""
    frame = FRAMES.get(symbol.frame, FRAMES["none"])
    sign = SIGNS.get(symbol.sign, "")
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
