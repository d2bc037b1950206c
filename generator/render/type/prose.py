"""Inline prose to safe HTML: bold, italic, drawn dice, status marks, and nothing else.

>>> str(inline("roll D10 <b>"))
'roll <span class="die">D10</span> &lt;b&gt;'
"""

from __future__ import annotations

import re
from functools import cache, lru_cache
from typing import TYPE_CHECKING

from markupsafe import Markup, escape

if TYPE_CHECKING:
    from markdown_it import MarkdownIt

DRAWN = re.compile(r"\b(?:D4|D6|D8|D10|D12)\b|\u2610")
"""The text set in the font of drawn marks: dice as whole words, and the box to tick."""

STATUSES = ("read", "ruled", "erratum", "gap", "yours")

TOKEN = re.compile(r"\{(red|yellow|green|blue|orange|black):([^{}]{1,5})\}")
"""A coloured token with its letter, such as a valid chit: ``{red:R}``."""
STATUS = re.compile(r"\{(" + "|".join(STATUSES) + r")(?:=([^{}]+))?\}")
"""The status of a statement, such as ``{ruled}``, with the word that is printed instead if there is one."""
_JOINED = re.compile(r"(?<![\w/])\w{1,6}/\w{1,6}(?![\w/])")
"""Short words joined by a slash, which the engine would otherwise break after the slash."""
_BOUND = (
    (re.compile(r"\b(pp?\.|see) (?=\d)|(?<=÷) (?=\d)"), "\\1\N{NO-BREAK SPACE}"),
    (re.compile(r" (?=[·×÷=] )"), "\N{NO-BREAK SPACE}"),
)
"""Spaces that may not end a line: before the number of a page, section or divisor, and before a sign."""
_SPANS = re.compile(r"(?:\bpp?\.\N{NO-BREAK SPACE})?(?<![\w–.])\d{1,4}(?:\.\d+)?–\d{1,4}(?:\.\d+)?(?![\w–])″?")
"""A range of numbers, with "p." before it or an inch sign after it."""
_MARKUP = re.compile(r"[*_\\]")
_LONG, _PIECES = re.compile(r"[^\s\u200b]{25,}"), re.compile(r".{1,10}")
_BREAK = "\N{ZERO WIDTH SPACE}"


@lru_cache(maxsize=4096, typed=True)  # a Markup is equal to its text
def inline(text: str) -> Markup:
    """Return inline prose as safe HTML: bold, italic, drawn dice, coloured tokens and status marks.

    All other signs are escaped. A player's own words go here only if they are meant to have markup. A ``Markup``, which
    is safe HTML already, is returned as it is.
    """
    if isinstance(text, Markup):
        return text
    # The parser is slow to import, so it is used only for text with markup.
    html = _parser().renderInline(text) if _MARKUP.search(text) else str(escape(text))
    return Markup(mark_up(html))  # noqa: S704  escaped by both branches


def mark_up(html: str) -> str:
    """Return escaped text as HTML with no-break spaces (:func:`bound`), drawn dice, tokens and status marks.

    Ranges of numbers, and short words joined by a slash, are put in elements that stay on one line. The text may
    have tags without attributes: a text in an attribute would be marked up, too.
    """
    html = bound(html)
    html = _SPANS.sub(r'<span class="joined">\g<0></span>', html) if "–" in html else html
    html = _JOINED.sub(r'<span class="joined">\g<0></span>', html) if "/" in html else html
    html = TOKEN.sub(r'<span class="token \1">\2</span>', html) if "{" in html else html
    html = STATUS.sub(lambda found: f'<span class="status">{found[2] or found[1]}</span>', html)
    # No tag or entity added so far has a capital D before a digit, so every match is text.
    return DRAWN.sub(r'<span class="die">\g<0></span>', html)


def breakable(text: str) -> str:
    """Return a player's text with invisible break points after each ten letters of words of 25 letters or more.

    >>> breakable("short words"), breakable("x" * 30).split("\u200b")
    ('short words', ['xxxxxxxxxx', 'xxxxxxxxxx', 'xxxxxxxxxx'])
    """
    return _LONG.sub(lambda word: _BREAK.join(_PIECES.findall(word[0])), text)


def bound(text: str) -> str:
    """Return the text with no-break spaces where no line may end, such as before the number of a page."""
    for pattern, joined in _BOUND:
        text = pattern.sub(joined, text)
    return text


@cache
def _parser() -> MarkdownIt:
    from markdown_it import MarkdownIt

    return MarkdownIt("zero", {"html": False}).enable(["emphasis", "escape"])
