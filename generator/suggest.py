"""Find the known word nearest to a misspelt word, and write the hint that names it."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Collection, Container, Iterable

MOST = 12
"""The most known words that a hint lists."""
CLOSE = 0.8
"""The likeness of two words that differ by a letter or two: enough to take one for the other."""


def nearest(word: object, known: Iterable[object], cutoff: float = 0.6) -> str:
    """Return the known word that is spelt most like ``word``, ignoring case; empty if none is near.

    >>> nearest("Exmaple", ["example", "other"]), nearest("xyz", ["example"])
    ('example', '')
    """
    from difflib import get_close_matches  # few words are misspelt

    spelled = {str(candidate).lower(): str(candidate) for candidate in known}
    close = get_close_matches(str(word).lower(), spelled, n=1, cutoff=cutoff)
    return spelled[close[0]] if close else ""


def suggest_key(key: object, known: Collection[object], present: Container[object], otherwise: str) -> str:
    """Return the hint for an unknown key beside the keys that are ``present``.

    >>> suggest_key("armor", ["armour"], [], ""), suggest_key("armor", ["armour"], ["armour"], "")
    ('did you mean armour?', 'remove it: armour is there already')
    """
    near = nearest(key, known)
    return f"remove it: {near} is there already" if near and near in present else suggest(key, known, otherwise)


def suggest(word: object, known: Iterable[object], otherwise: str | None = None) -> str:
    """Return a hint that names the nearest known word; if none is near, ``otherwise``, or else the first known words.

    >>> suggest("gnus", ["guns", "walls"]), suggest("xyz", ["guns", "walls"]), suggest("gnus", [])
    ('did you mean guns?', 'there are: guns, walls', 'there is none')
    >>> suggest("guns:2", ["guns"])
    'put a space after the colon: guns: 2'
    """
    words = list(dict.fromkeys(map(str, known)))
    head, colon, value = str(word).partition(":")
    if colon and value and head in words:
        return f"put a space after the colon: {head}: {value}"
    near = nearest(word, words)
    if near:
        return f"did you mean {near}?"
    if otherwise is not None:
        return otherwise
    more = ", ..." if len(words) > MOST else ""
    return f"there are: {', '.join(words[:MOST])}{more}" if words else "there is none"
