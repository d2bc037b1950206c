"""The geometry of pages in millimetres: read from the style sheets, or said here where CSS cannot say it."""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

from generator import resources

if TYPE_CHECKING:
    from generator.render.blocks import Paper

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
HALVES = {"a4": "a5", "letter": "half-letter"}
"""The name of a half of a sheet."""
LARGE_MARGIN = 5
"""The margin at the sides of a page in large print, before it is enlarged."""
BOOK_MARGINS, CLOSE_MARGINS = (25, 28), (20, 22)
"""The margins above and below the text of a book, and of a book on lower pages."""
_BOOK_GUTTER = 8.0
"""The distance of two columns of a book."""


class Edges(NamedTuple):
    """The free space at the top, at each side and at the foot of a sheet of paper, in millimetres."""

    top: float
    side: float
    foot: float


MARKER_EDGES, IMPOSED_EDGES, UPRIGHT_EDGES = Edges(25.8, 6.35, 21.0), Edges(18.0, 9.5, 24.0), Edges(13.0, 12.4, 13.0)
"""The edges of a sheet of markers, of imposed cards, and of imposed upright cards."""


class Shape(NamedTuple):
    """The shape of a book's pages. Lengths are millimetres, the same on every paper."""

    columns: int
    column: float
    """The width of a column."""
    opener: float
    """The part of the page that the picture over the head of a chapter takes."""

    @property
    def wide(self) -> float:
        """The width of the text area."""
        return self.columns * self.column + (self.columns - 1) * _BOOK_GUTTER

    @property
    def table(self) -> float:
        """The width of all columns, each with its gutter."""
        return self.columns * (self.column + _BOOK_GUTTER)


PORTRAIT, A5 = "portrait", "a5"
SHAPES = {PORTRAIT: Shape(2, 81.0, 111 / 297), "landscape": Shape(3, 81.0, 0.33), A5: Shape(1, 118.0, 0.37)}
"""By the word that a manifest has for it."""


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
        """Return the width of a column that has this percentage of the page."""
        return (self.width + self.gutter) * percent / 100 - self.gutter

    def percent(self, across: float) -> float:
        """Return the percentage of the page that a column of this width has."""
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


@cache
def card_page(paper: Paper) -> tuple[float, ...]:
    """Return the width and height of a page of cards, and the left and upper edge of its first card."""
    rules = _lengths(f"cards-{paper}.css")
    return (*rules["@page", "size"], *rules[".cards", "left"], *rules[".cards", "top"])


@cache
def side_margin() -> float:
    """Return the margin at the sides of a page of markers or of a map at full size."""
    return _lengths("markers.css")[".strap", "left"][0]


def _lengths(sheet: str) -> dict[tuple[str, str], list[float]]:
    """Return the lengths in a style sheet (sizes, margins, paddings, positions), by selector and property."""
    css = (resources.templates() / "css" / sheet).read_text(encoding="utf-8")
    return {
        (rule["selector"], name): [float(part.removesuffix("mm")) for part in values.split()]
        for rule in _RULE.finditer(css)
        for name, values in _LENGTHS.findall(rule["body"])
    }
