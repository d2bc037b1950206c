"""Line breaking for texts on cards and for cover titles, so that the engine breaks no line elsewhere."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING

from generator.render.type.prose import bound
from generator.render.type.text_length import POINT, length

if TYPE_CHECKING:
    from collections.abc import Iterator

_BOUND = "\N{NO-BREAK SPACE}"
_SPACE = re.compile(r"[ \t\n\r\f]+")  # where lines may end: other spaces are letters


@lru_cache(maxsize=8192)  # cards repeat many texts
def broken(text: str, width: float, size: float, face: str = "sans") -> tuple[str, ...]:
    """Return the lines of a text. A word that no line can hold is broken.

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


def evened(text: str, ems: float) -> str:
    """Return a two-line text with lines of about equal length: the words of each line are joined by no-break spaces.

    >>> [one.split() for one in evened("The launchers at Sallow Head", 10.3).split(" ")], evened("Short", 10.3)
    ([['The', 'launchers'], ['at', 'Sallow', 'Head']], 'Short')
    """
    words = text.split(" ")
    ways = [(_BOUND.join(words[:at]), _BOUND.join(words[at:])) for at in range(1, len(words))]
    if len(broken(text, ems, 1 / POINT)) != 2 or not ways:  # noqa: PLR2004 - one line, or more than two
        return text
    longest, best = min((max(length(item, 1 / POINT) for item in way), way) for way in ways)
    return " ".join(best) if longest <= ems else text


def _torn(word: str, width: float, size: float, face: str) -> Iterator[str]:
    """Yield the pieces of a word, each as long as a line can hold."""
    piece = ""
    for letter in word:
        if piece and length(piece + letter, size, face) > width:
            yield piece
            piece = ""
        piece += letter
    yield piece
