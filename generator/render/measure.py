"""How long a text is in one of our faces: sums of the letters' own widths, which is what a line of it takes.

Kerning makes lines a little shorter, so a text is never longer than told here.
"""

from __future__ import annotations

from functools import cache, lru_cache

from generator.render.fonts import face_file
from generator.render.glyphs import ADVANCE, UNITS
from generator.render.prose import DRAWN

_POINT = 25.4 / 72


@lru_cache(maxsize=8192)
def length(text: str, size: float, face: str = "sans") -> float:
    """Millimetres of a line in this size (points) and face, dice drawn.

    >>> length("Illicit", 8) < length("Museums", 8), length("", 8)
    (True, 0.0)
    """
    drawn = len(DRAWN.findall(text)) * ADVANCE / UNITS
    widths = _widths(face)
    return (drawn + sum(widths.get(letter, 1.0) for letter in DRAWN.sub("", text))) * size * _POINT


@cache
def _widths(face: str) -> dict[str, float]:
    """Each letter's advance in ems."""
    from fontTools.ttLib import TTFont

    with TTFont(face_file(face), lazy=True) as font:
        advances, units = font["hmtx"].metrics, font["head"].unitsPerEm
        return {chr(code): advances[name][0] / units for code, name in font.getBestCmap().items()}
