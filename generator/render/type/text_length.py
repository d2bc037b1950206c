"""The length of a line of text in our fonts, and the lines into which a text on a card or marker is broken.

The length is the sum of the widths of the letters, plus a small margin.

Kerning makes most lines shorter, but moves some letters apart. The margin allows for that.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from functools import cache, lru_cache
from unicodedata import category

from generator.render.type.fonts import face_file
from generator.render.type.prose import DRAWN, bound

POINT = 25.4 / 72
"""The length of a point in millimetres."""
_KERNED = 1.01
_PARTED, _APART = re.compile(r"[frVTWY](?=[^\s\w.,;:-])|(?<=[(\[{|\\/])[fjgyVTWY]"), 0.11
"""Letters that kerning moves furthest from punctuation, and the greatest distance in ems."""
_CIRCLE = 0.6
"""Width in ems of the dotted circle that is set under a combining mark without a letter."""
DRAWN_WIDTH = 1.47
"""Width in ems of a drawn mark."""
_SPACE = re.compile(r"[ \t\n\r\f]+")  # where lines may end: other spaces are letters
_UNKNOWN = 1.0
"""Assumed width in ems of a letter that this face does not have."""


@lru_cache(maxsize=8192)
def length(text: str, size: float, face: str = "sans") -> float:
    """Return the length in millimetres of a line at this size in points, with drawn dice and a small margin.

    ``face`` is the id of one of ``FACES``. Raises RenderError if the font is not installed.

    >>> length("Illicit", 8) < length("Museums", 8), length("", 8)
    (True, 0.0)
    """
    widths = _widths(face)
    ems = sum(widths.get(letter, _UNKNOWN) for letter in text)
    for mark in DRAWN.findall(text):
        ems += max(0.0, DRAWN_WIDTH - sum(widths.get(letter, _UNKNOWN) for letter in mark))
    if category(text[:1] or " ").startswith("M"):
        ems += _CIRCLE
    ems += _APART * sum(1 for _ in _PARTED.finditer(text))
    return ems * _KERNED * size * POINT


@lru_cache(maxsize=8192)  # cards repeat many texts
def broken(text: str, width: float, size: float, face: str = "sans") -> tuple[str, ...]:
    """Return the lines of a text, at most ``width`` millimetres wide, at this size in points.

    A word that is wider than a line is broken, but a single letter may be wider. Ordinary spaces, tabs and line ends
    between words count as one space; any other space is a letter. Spaces where no line may end become no-break spaces.
    ``face`` is the id of one of ``FACES``. Raises RenderError as :func:`length` does.

    >>> broken("one two three-hundred-and-four", 12, 8), broken("", 12, 8)
    (('one two', 'three-hun', 'dred-and-', 'four'), ())
    """
    lines: list[str] = []
    used, space = width + 1, length(" ", size, face)
    for word in _SPACE.split(bound(text)):
        long = length(word, size, face)
        if used + space + long <= width:
            lines[-1] += f" {word}"
            used += space + long
        elif word:
            lines += [word] if long <= width else _torn(word, width, size, face)
            used = length(lines[-1], size, face)
    return tuple(lines)


def _torn(word: str, width: float, size: float, face: str) -> Iterator[str]:
    """Yield the pieces of a word at this size in points, each at most ``width`` millimetres long.

    A single letter may be longer. ``face`` is the id of one of ``FACES``.
    """
    piece = ""
    for letter in word:
        if piece and length(piece + letter, size, face) > width:
            yield piece
            piece = ""
        piece += letter
    yield piece


_OF_NOBODY = ("Cn", "Co")
"""Unicode categories of unassigned and private characters."""


def unknown_signs(text: str, more: Collection[str] = ()) -> tuple[str, ...]:
    """Return the characters that neither our fonts nor ``more`` have, each once, in the order of the text.

    Spaces, invisible characters and combining marks do not count, nor does the box ☐, which is drawn. Private and
    unassigned characters count. Raises RenderError if a font is not installed.

    >>> unknown_signs("½ Łódź ΑΩ жук →"), unknown_signs("a‍ 龍龍")
    ((), ('龍', ''))
    """
    known = _widths("sans").keys() | _widths("serif").keys()
    signs = (item for item in dict.fromkeys(text) if item not in known and item not in more and not DRAWN.match(item))
    return tuple(sign for sign in signs if category(sign)[0] in "LNPS" or category(sign) in _OF_NOBODY)


@cache
def _widths(face: str) -> dict[str, float]:
    """Return the width in ems of every character that a face has. Raises RenderError if its font is not installed."""
    from fontTools.ttLib import TTFont

    with TTFont(face_file(face), lazy=True) as font:
        advances, units = font["hmtx"].metrics, font["head"].unitsPerEm
        return {chr(code): advances[name][0] / units for code, name in font.getBestCmap().items()}
