"""Write the drawn marks (five dice and a box to tick) as a small font.

Run from the checkout: ``python setup/dice_font.py templates/fonts/dice.otf``.

A font is the cheapest way to put hundreds of marks on a page. It takes the colour and size of the text around it. A
ligature turns the letters "D8" into one drawing, so the letters can still be searched, copied and read aloud. The
figures inside are outlines of the bold sans, so its licence stands beside the font.
"""

from __future__ import annotations

import io
import math
import sys
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING

from fontTools.fontBuilder import FontBuilder
from fontTools.pens.t2CharStringPen import T2CharStringPen
from fontTools.pens.transformPen import TransformPen
from fontTools.ttLib import TTFont

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from generator.render.type.fonts import face_file

if TYPE_CHECKING:
    from collections.abc import Sequence

UNITS = 1000
ADVANCE = 1470
MIDDLE = 330
"""Half the height of a capital: every mark is centred on it."""
STROKE = 82

_Point = tuple[float, float]
_TALLEST = 1100
_DEEPEST = -440
_BOX = 1000


def _regular(corners: int, radius: float, turn: float = 90) -> tuple[_Point, ...]:
    """Return a regular polygon around (0, 0)."""
    angles = (math.radians(turn + 360 * step / corners) for step in range(corners))
    return tuple((radius * math.cos(angle), radius * math.sin(angle)) for angle in angles)


# A face that cannot write the language of a page is passed over for any face of its family that can, whatever the
# weight asked for. So the marks claim all Latin, Greek and Cyrillic letters, and draw a box for each.
_BLOCKS = ((0x41, 0x5B), (0x61, 0x7B), (0xA0, 0x250), (0x300, 0x530), (0x1E00, 0x1F00))
_LETTERS = (number for block in _BLOCKS for number in range(*block))

# Outlines around (0, 0), anticlockwise; the figure's scale and how far it is moved up.
_DICE: dict[str, tuple[tuple[_Point, ...], float, float]] = {
    "D4": (((0, 690), (-725, -550), (725, -550)), 0.78, -140),
    "D6": (((-600, 600), (-600, -600), (600, -600), (600, 600)), 1.0, 0),
    "D8": (((0, 735), (-735, 0), (0, -735), (735, 0)), 0.95, 0),
    "D10": (((0, 720), (-700, 215), (-545, -365), (0, -720), (545, -365), (700, 215)), 0.86, 0),
    "D12": (_regular(10, 700), 0.88, 0),
}


def inset(outline: Sequence[_Point], by: float) -> tuple[_Point, ...]:
    """Return the outline of a convex, anticlockwise shape moved inwards, with sharp corners."""
    edges = list(pairwise([*outline, outline[0]]))
    moved = []
    for (x1, y1), (x2, y2) in edges:
        length = math.hypot(x2 - x1, y2 - y1)
        dx, dy = -(y2 - y1) / length * by, (x2 - x1) / length * by
        moved.append(((x1 + dx, y1 + dy), (x2 + dx, y2 + dy)))
    return tuple(_crossing(moved[index - 1], moved[index]) for index in range(len(moved)))


def _crossing(one: tuple[_Point, _Point], two: tuple[_Point, _Point]) -> _Point:
    """Return the point where two lines cross."""
    (x1, y1), (x2, y2) = one
    (x3, y3), (x4, y4) = two
    bottom = (x1 - x2) * (y3 - y4) - (y1 - y2) * (x3 - x4)
    first, second = x1 * y2 - y1 * x2, x3 * y4 - y3 * x4
    return ((first * (x3 - x4) - (x1 - x2) * second) / bottom, (first * (y3 - y4) - (y1 - y2) * second) / bottom)


def drawn_font(figures: Path) -> bytes:
    """Return the font of drawn marks as an OpenType file; ``figures`` is the font of the figures inside the dice."""
    letters = {letter: T2CharStringPen(0, None).getCharString() for letter in "D012468"}
    drawings = {}
    with TTFont(figures, lazy=True) as source:
        for die, (outline, scale, lift) in _DICE.items():
            pen = T2CharStringPen(ADVANCE, None)
            _draw_outline(pen, outline)
            _draw_figures(pen, source, die[1:], scale, lift)
            drawings[die] = pen.getCharString()
    half = _BOX / 2
    pen = T2CharStringPen(ADVANCE, None)
    _draw_outline(pen, ((-half, half), (-half, -half), (half, -half), (half, half)))
    box = pen.getCharString()

    names = {letter: f"part{letter}" for letter in letters}
    glyphs = {".notdef": box, "box": box, **{names[letter]: letters[letter] for letter in letters}, **drawings}
    # A builder that makes the font itself reads SOURCE_DATE_EPOCH, and fails if that is not a number.
    builder = FontBuilder(font=TTFont(recalcTimestamp=False))
    builder.setupHead(unitsPerEm=UNITS, created=0, modified=0)
    builder.setupMaxp()
    builder.setupGlyphOrder(list(glyphs))
    unused = dict.fromkeys(_LETTERS, "box")
    builder.setupCharacterMap({**unused, 0x2610: "box", **{ord(letter): name for letter, name in names.items()}})
    # HarfBuzz 10 cannot subset a font without any private value.
    builder.setupCFF("FieldpressDice", {}, glyphs, {"defaultWidthX": ADVANCE})
    parts = set(names.values())
    builder.setupHorizontalMetrics({name: (0 if name in parts else ADVANCE, 0) for name in glyphs})
    builder.setupHorizontalHeader(ascent=_TALLEST, descent=_DEEPEST)
    builder.setupNameTable({"familyName": "Fieldpress Dice", "styleName": "Regular", "psName": "FieldpressDice"})
    builder.setupOS2(sTypoAscender=_TALLEST, sTypoDescender=_DEEPEST, usWinAscent=_TALLEST, usWinDescent=-_DEEPEST)
    builder.setupPost()
    ligatures = "".join(f"sub {' '.join(names[letter] for letter in die)} by {die}; " for die in _DICE)
    # No style can turn off ccmp, but letter spacing drops "liga".
    builder.addOpenTypeFeatures(f"feature ccmp {{ {ligatures} }} ccmp;")
    stream = io.BytesIO()
    builder.save(stream)
    return stream.getvalue()


def _draw_outline(pen: T2CharStringPen, outline: Sequence[_Point]) -> None:
    for contour in (outline, tuple(reversed(inset(outline, STROKE)))):
        points = [(round(x + ADVANCE / 2), round(y + MIDDLE)) for x, y in contour]
        pen.moveTo(points[0])
        for point in points[1:]:
            pen.lineTo(point)
        pen.closePath()


def _draw_figures(pen: T2CharStringPen, source: TTFont, figures: str, scale: float, lift: float) -> None:
    names, outlines, tops = source.getBestCmap(), source.getGlyphSet(), source["OS/2"].sCapHeight
    tight = 0.93 if len(figures) > 1 else 1.0
    widths = [outlines[names[ord(figure)]].width * scale * tight for figure in figures]
    x = (ADVANCE - sum(widths)) / 2
    for figure, width in zip(figures, widths, strict=True):
        nudge = (width - width / tight) / 2
        across = TransformPen(pen, (scale, 0, 0, scale, x + nudge, MIDDLE + lift - tops * scale / 2))
        outlines[names[ord(figure)]].draw(across)
        x += width


if __name__ == "__main__":
    Path(sys.argv[1]).write_bytes(drawn_font(face_file("sans-bold")))
