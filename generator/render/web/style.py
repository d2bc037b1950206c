"""The style sheet of the site, with the fonts inside: cut down to the letters of its pages."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Iterable
from io import BytesIO

from generator import resources
from generator.render.theme import face_rule
from generator.render.type.fonts import DICE, FACES, Face, face_file

_USED = ("sans", "sans-semibold", "sans-bold", "sans-black", "serif", "serif-italic", DICE)
"""The faces that the style sheet of the site uses."""
_ALWAYS = {*map(chr, range(32, 127)), *"×÷−–—’“”…·≤≥≠½±▾▴◐✕✓"}
"""Letters that scripts may write."""


def stylesheet(pages: Iterable[str]) -> str:
    """Return the style sheet for these pages, given as HTML, with fonts that have the letters of these pages.

    Fonts are inside, because some browsers read no font from a disk.
    """
    letters = _ALWAYS.union(*map(set, pages))
    rules = []
    for face in (face for face in FACES if face.id in _USED):
        address = f"data:font/woff2;base64,{b64encode(_cut(face, letters)).decode()}"
        rules.append(face_rule(face.family, face.weight, address, italic=face.italic))
    css = (resources.templates() / "web" / "site.css").read_text(encoding="utf-8")
    return "\n".join([*rules, css])


def _cut(face: Face, letters: Iterable[str]) -> bytes:
    """Return a face as WOFF2 with only these letters.

    The face of drawn dice is kept whole, because its dice are ligatures.
    """
    import logging

    from fontTools.subset import Options, Subsetter
    from fontTools.ttLib import TTFont

    logging.getLogger("fontTools").setLevel(logging.ERROR)  # it warns of the dates in the face of the dice
    font = TTFont(face_file(face.id), recalcTimestamp=False)
    if face.id != DICE:
        cutter = Subsetter(Options(layout_features=["kern", "liga", "tnum"], hinting=False))
        cutter.populate(text="".join(letters))
        cutter.subset(font)
    font.flavor = "woff2"
    stream = BytesIO()
    font.save(stream)
    return stream.getvalue()
