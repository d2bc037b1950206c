"""Line breaking for texts on markers, so that the engine breaks no line elsewhere."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

from generator.render.type.prose import bound
from generator.render.type.text_length import length

_SPACE = re.compile(r"[ \t\n\r\f]+")  # where lines may end: other spaces are letters


@lru_cache(maxsize=8192)  # cards repeat many texts
def broken(text: str, width: float, size: float, face: str = "sans") -> tuple[str, ...]:
    """Return the lines of a text, at most ``width`` millimetres wide. A word that is wider than a line is broken.

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
    """Yield the pieces of a word, each as long as a line allows."""
    piece = ""
    for letter in word:
        if piece and length(piece + letter, size, face) > width:
            yield piece
            piece = ""
        piece += letter
    yield piece
