"""The geometry of pages in millimetres: of papers, cards, markers and books."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from generator.render.blocks import Paper

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
"""The margins above and below the text: of an upright book on A4, and of every other book."""
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
    """The share of the page's height that the picture over the head of a chapter takes."""

    @property
    def wide(self) -> float:
        """The width of the text area in millimetres."""
        return self.columns * self.column + (self.columns - 1) * _BOOK_GUTTER

    @property
    def table(self) -> float:
        """The width in millimetres of all columns, with a gutter after each, also after the last one.

        The columns of a page are the cells of a table of this width.
        """
        return self.columns * (self.column + _BOOK_GUTTER)


PORTRAIT, A5 = "portrait", "a5"
SHAPES = {PORTRAIT: Shape(2, 81.0, 111 / 297), "landscape": Shape(3, 81.0, 0.33), A5: Shape(1, 118.0, 0.37)}
"""The shapes of books, by the word that a manifest uses."""


class Geometry(NamedTuple):
    """The sizes of a page in millimetres: its paper, the area between its margins, and the gap between two columns."""

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

    def across(self, percent: float) -> float:
        """Return the width in millimetres of a column with this percentage of the width between the margins.

        Both widths count with one gutter in addition, which is not in the result: 100 % is the whole width.
        """
        return (self.width + self.gutter) * percent / 100 - self.gutter

    def percent(self, across: float) -> float:
        """Return the percentage of the width between the margins that a column ``across`` millimetres wide has.

        Both widths count with one gutter in addition.
        """
        return (across + self.gutter) * 100 / (self.width + self.gutter)


_PAPERS: dict[Paper, Geometry] = {
    "a4": Geometry((210.0, 297.0), 186.0, 269.5, 261.5, 16.5, 4.0),
    "letter": Geometry((215.9, 279.4), 190.5, 251.9, 244.9, 16.5, 5.0),
}
"""The geometry of upright pages, as in ``paper-a4.css`` and ``paper-letter.css``."""
_TOP, _FIRST_TOP, _SIDE, _FOOT = 14.0, 6.5, 7.0, 10.8
"""The margins of a landscape page, as in ``landscape.css``."""
SIDE_MARGIN = 12.7
"""The margin at the sides of a page of markers, as in ``markers.css``."""


def geometry(paper: Paper, *, landscape: bool = False, poster: bool = False) -> Geometry:
    """Return the geometry of a sheet's page. A ``landscape`` page is wider than high.

    A ``poster`` is two pages wide, but only if it is ``landscape``, too.
    """
    page = _PAPERS[paper]
    if not landscape:
        return page
    wide, high = page.paper
    wide, high = (2 * wide, high) if poster else (high, wide)
    first, height = high - _FIRST_TOP - _FOOT, high - _TOP - _FOOT
    return Geometry((wide, high), wide - 2 * _SIDE, first, height, _FOOT, page.gutter)
