"""The geometry of a page in millimetres, read from the style sheets, which are its only source."""

from __future__ import annotations

import re
from functools import cache
from typing import NamedTuple

from generator import resources
from generator.render.blocks import PAPERS, Paper

_RULE = re.compile(
    r"(?P<selector>@page(?: :first)?|\.columns > \.column|\.cards|\.strap) \{(?P<body>[^}]*?[{}])", re.DOTALL
)
_LENGTHS = re.compile(r"(?:^|[\s;{])(size|margin|margin-top|padding|left|top): ((?:[\d.]+(?:mm)?\s*)+)")
FOOT_LINE = 3.53
"""The height of one more line in the foot."""
NUMBER, LYING_NUMBER = 13.5, 10.1
"""The distance from the lower edge of a page to the line of its page number; of a page that is wider than high."""
POSTERS = {"a4": "a3", "letter": "tabloid"}
"""The name of a paper as wide as two sheets."""


class Geometry(NamedTuple):
    """The sizes of a page: its paper, the area between its margins, and the gap between two columns."""

    paper: tuple[float, float]
    """Width and height."""
    width: float
    """The width between the margins."""
    first: float
    """The height between the margins of the first page."""
    height: float
    """The height between the margins of each further page."""
    foot: float
    """The lower margin."""
    gutter: float
    share: float = 1
    """The width in proportion to the page that tables are made for; less in large print."""

    def across(self, percent: float) -> float:
        """Return the width of a column that has this share of the page."""
        return (self.width + self.gutter) * percent / 100 - self.gutter

    def percent(self, across: float) -> float:
        """Return the share of the page of a column with this width."""
        return (across + self.gutter) * 100 / (self.width + self.gutter)


@cache
def geometry(paper: Paper, *, landscape: bool = False, poster: bool = False) -> Geometry:
    """Return the geometry of a sheet's page; a ``landscape`` page is wider than high, a ``poster`` two pages wide."""
    rules = _lengths(f"paper-{paper}.css")
    wide, high = rules["@page", "size"]
    if landscape:
        rules |= _lengths("landscape.css")
        wide, high = (2 * wide, high) if poster else (high, wide)
    top, side, foot = rules["@page", "margin"]
    (first,) = rules["@page :first", "margin-top"]
    _, padding = rules[".columns > .column", "padding"]
    return Geometry((wide, high), wide - 2 * side, high - first - foot, high - top - foot, foot, 2 * padding)


class CardPage(NamedTuple):
    """A page of cards: its paper, and the upper left corner of its first card."""

    width: float
    height: float
    left: float
    top: float


@cache
def card_page(paper: Paper) -> CardPage:
    """Return the geometry of a page of cards."""
    rules = _lengths(f"cards-{paper}.css")
    return CardPage(*rules["@page", "size"], *rules[".cards", "left"], *rules[".cards", "top"])


@cache
def side_margin() -> float:
    """Return the margin at the sides of a page of markers or of a map at full size."""
    return _lengths("markers.css")[".strap", "left"][0]


def narrowest() -> Geometry:
    """Return the geometry of the paper with the least width between its margins."""
    return min(map(geometry, PAPERS), key=lambda page: page.width)


def _lengths(sheet: str) -> dict[tuple[str, str], list[float]]:
    """Return the lengths in a style sheet (sizes, margins, paddings, positions), by selector and property."""
    css = (resources.templates() / "css" / sheet).read_text(encoding="utf-8")
    return {
        (rule["selector"], name): [float(part.removesuffix("mm")) for part in values.split()]
        for rule in _RULE.finditer(css)
        for name, values in _LENGTHS.findall(rule["body"])
    }
