"""Pages of things to cut out: their lines, texts and colours."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple, Protocol

from generator.errors import LayoutError, Remedy
from generator.render.drawing import Point, line, path, rect
from generator.render.inks import BLACK, GREY, WHITE
from generator.render.type.text_length import POINT, broken, length

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from generator.render.blocks import Ink

LEADING = 1.16
SMALL = 7
"""The smallest type, in points."""
_CUT = "#999"


class Text(NamedTuple):
    """A line of text, placed in millimetres from the corner of the page."""

    text: str
    left: float
    top: float
    wide: float
    size: float
    """In points."""
    heavy: bool = False
    colour: str = BLACK
    begins: bool = False
    """Whether the line is set from the left instead of centred."""


@dataclass(slots=True)
class Page:
    """A page under construction: ``lines`` holds SVG elements, ``texts`` holds text placed in millimetres."""

    lines: list[str] = field(default_factory=list)
    texts: list[Text] = field(default_factory=list)


class Look(NamedTuple):
    """The ink of a page, and the names and colours of the sides."""

    ink: Ink
    sides: Sequence[str] = ()
    colours: Sequence[str] = ()
    say: Callable[[str], str] = str
    """A function that returns a label in the language of the document."""


class Piece(Protocol):
    """A thing to cut out. Its size is in millimetres."""

    @property
    def width(self) -> float:
        """The width in millimetres; for a folded piece, of both halves together."""

    @property
    def height(self) -> float:
        """The height in millimetres."""

    def draw(self, page: Page, at: Point, look: Look) -> None:
        """Add the piece to a page; ``at`` is its upper left corner.

        Raises LayoutError if a text is too long for the piece.
        """


def ground(at: Point, size: Point, fill: str) -> str:
    """Return a piece's filled rectangle, with its edges as lines to cut along, as SVG."""
    return rect(at, size, f'fill="{fill}" stroke="{_CUT}" stroke-width="0.12"')


def fold(x: float, y: float, high: float) -> str:
    """Return the broken line along which a piece is folded, as SVG; ``high`` is its length."""
    down = line((x, y), (x, y + high))
    dashes = f'stroke="{GREY}" stroke-width="0.2" stroke-dasharray="1.6 1.2"'
    return f'<path d="{down}" fill="none" stroke="{WHITE}" stroke-width="0.5"/><path d="{down}" fill="none" {dashes}/>'


def dots(x: float, y: float, wide: float) -> str:
    """Return a dotted line to write on, as SVG; ``wide`` is its length in millimetres."""
    dotted = f'stroke="{GREY}" stroke-width="0.35" stroke-linecap="round" stroke-dasharray="0 1"'
    return f'<path d="{line((x, y), (x + wide, y))}" fill="none" {dotted}/>'


def ticks(at: Point, size: Point) -> str:
    """Return short marks outside the four corners of a row of pieces, in line with its cuts, as SVG."""
    (x, y), (wide, high) = at, size
    marks = [line((edge + way, height), (edge + 3 * way, height))
             for edge, way in ((x, -1), (x + wide, 1)) for height in (y, y + high)]  # fmt: skip
    return path(marks, 0.15)


def block(
    text: str, at: Point, wide: float, sizes: Sequence[float], *, heavy: bool, most: int = 4, colour: str = BLACK
) -> Iterator[Text]:
    """Yield the lines of a text, in the largest of the ``sizes`` that needs at most two lines and breaks no word.

    ``sizes`` are points, from the largest; ``wide`` is millimetres. If no size is small enough, the last is used.
    Raises LayoutError if the text needs more than ``most`` lines.
    """
    x, y = at
    face = "sans-bold" if heavy else "sans-semibold"
    for size in sizes:
        lines = broken(text, wide - 0.4, size, face)
        torn = max(length(word, size, face) for word in text.split()) > wide - 0.4 if text.split() else False
        if len(lines) <= min(2, most) and not torn:
            break
    if len(lines) > most:
        msg = f"{text!r} is too long for a marker of {wide:g} mm"
        raise LayoutError(msg, "markers", text, Remedy("shorten the name"))
    for number, words in enumerate(lines):
        yield Text(words, x, y + number * size * POINT * LEADING, wide, size, heavy, colour)


def height_of(texts: Sequence[Text]) -> float:
    """Return the height in millimetres of lines of text below each other."""
    return sum(text.size * POINT * LEADING for text in texts)
