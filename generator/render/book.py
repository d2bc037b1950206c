"""A book: a cover, contents, chapters of running text with numbered tables and figures, and an index."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from generator.render.blocks import Block, Section, TintKey
from generator.render.cards.deck import INDEX, SIZES, Deck
from generator.render.geometry import PORTRAIT, SHAPES
from generator.render.imprinted import Imprint, Imprinted
from generator.resources import templates

if TYPE_CHECKING:
    from collections.abc import Iterator

    from generator.render.pictures import Picture

ROOM = "card:"
"""The prefix of the name of a place kept for one side of a card.

The number of the side follows: 0 is the first side in the book.
"""
HIGHEST = 90
"""The greatest height of a picture in millimetres: it fits below the picture over the head of a chapter."""


_APART = 2.0
"""The distance of two cards in millimetres, as in ``book.css``."""
_TOGETHER = 2
"""The most cards that stay on one page."""


def card_scale(shape: str, size: str) -> float:
    """Return the factor, at most 1, by which cards are scaled in the text of a book.

    ``shape`` is that of the pages, one of ``SHAPES``, and ``size`` that of the cards, one of ``SIZES``. A page has room
    for an index card, or for two upright cards beside each other.
    """
    abreast = 1 if size == INDEX else 2
    return min(1.0, (SHAPES[shape].wide - _APART * (abreast - 1)) / (abreast * SIZES[size][0]))


class BookBlock(Block):
    """A block that only books have; its macro is in ``book-blocks.html.j2``."""

    __slots__ = ()
    template = templates() / "book-blocks.html.j2"


@dataclass(frozen=True, slots=True)
class Heading(BookBlock):
    """A heading of level 2 or 3."""

    macro = "heading"
    level: int
    number: str
    """Such as "4.1"; empty for level 3."""
    html: str
    """Safe HTML."""
    label: str
    """The plain text, for the bookmark."""
    id: str


@dataclass(frozen=True, slots=True)
class Passage(BookBlock):
    """Paragraphs and lists as safe HTML."""

    macro = "passage"
    html: str


@dataclass(frozen=True, slots=True)
class Captioned(BookBlock):
    """Blocks of rule data or a picture, under a label and a caption."""

    macro = "placed"
    section: Section | None
    picture: Picture | None = None
    label: str = ""
    """Such as "Table 4.1"; empty if it is not numbered."""
    caption: str = ""
    id: str = ""
    wide: bool = False
    """Whether it spans all columns of the page."""
    rooms: tuple[str, ...] = ()
    """The names of places kept for cards, one for each side."""
    room: tuple[float, float] = (0.0, 0.0)
    """The width and height of each of these places in millimetres."""

    @property
    def follows(self) -> bool:
        """Whether the section has only keys of tints: these stay in the column of the grid above them."""
        return self.section is not None and all(isinstance(block, TintKey) for block in self.section.blocks)

    @property
    def long(self) -> bool:
        """Whether this may be divided between pages: it has a breakable block, or rooms for over two sides of cards."""
        blocks = self.section.blocks if self.section else ()
        return len(self.rooms) > _TOGETHER or any(getattr(block, "breakable", False) for block in blocks)


@dataclass(frozen=True, slots=True)
class Box(BookBlock):
    """A tinted box beside the text."""

    macro = "box"
    title: str
    blocks: tuple[Block, ...]

    @property
    def wide(self) -> bool:
        """Whether the box spans all columns of the page, because a block in the box does."""
        return any(getattr(block, "wide", False) for block in self.blocks)


@dataclass(frozen=True, slots=True)
class Tokens(BookBlock):
    """The tokens of the book's theme, each with its value; colours are shown."""

    macro = "tokens"


class Band(NamedTuple):
    """A part of a chapter across the page: blocks in columns side by side, or blocks over the whole width."""

    columns: tuple[tuple[Block, ...], ...]
    wide: bool
    new_page: bool = False


@dataclass(frozen=True, slots=True)
class Chapter:
    """A chapter, which begins on a new page."""

    number: int
    id: str
    title: str
    strap: str
    picture: Picture | None
    """A picture over the head of its first page."""
    blocks: tuple[Block, ...]
    bands: tuple[Band, ...] = ()
    """Its blocks arranged on pages, which :mod:`generator.render.page.columns` does."""
    html: str = ""
    """The title as safe HTML."""

    def runs(self, columns: int) -> Iterator[Band]:
        """Yield the blocks of the chapter in runs: each wide block, and the blocks before, between and after these.

        The run of a wide block has one column: the headings directly before the block, and the block. Each other run
        has as many columns as ``columns`` says, with all blocks in the first column.
        """
        waiting: list[Block] = []
        for block in self.blocks:
            if not getattr(block, "wide", False):
                waiting.append(block)
                continue
            end = len(waiting)
            while end and isinstance(waiting[end - 1], Heading):
                end -= 1
            if end:
                yield Band((tuple(waiting[:end]), *[()] * (columns - 1)), wide=False)
            yield Band(((*waiting[end:], block),), wide=True)
            waiting = []
        if waiting:
            yield Band((tuple(waiting), *[()] * (columns - 1)), wide=False)


class ListEntry(NamedTuple):
    """An entry of a list of tables or figures."""

    label: str
    title: str
    id: str


class Handout(NamedTuple):
    """A part of the file after the book, such as a sheet, which the contents list."""

    id: str
    title: str
    after: int
    """The number of its first page behind the book: 1 is the page after the last page of the book."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Book(Imprinted):
    """The data of a finished book, ready for layout."""

    subtitle: str
    kicker: tuple[str, ...]
    """The lines above the title on the cover, at the left and at the right."""
    cover: Picture | None
    logo: Picture | None = None
    """A small picture on the cover and beside the credits."""
    chapters: tuple[Chapter, ...]
    tables: tuple[ListEntry, ...]
    figures: tuple[ListEntry, ...]
    index: tuple[tuple[str, tuple[str, ...]], ...]
    """Terms in alphabetical order, each with the ids of its places."""
    handouts: tuple[Handout, ...] = ()
    sources: tuple[Imprint, ...] = ()
    """The imprints of the rule sets of the book."""
    credits: tuple[str, ...]
    """Paragraphs of the box with credits and rights."""
    shape: str = PORTRAIT
    """One of ``geometry.SHAPES``."""
    templates: tuple[tuple[str, str], ...] = ()
    """The publisher's own templates: the name of each piece, and the source of its template."""
    bleed: float = 0.0
    """How far pages reach beyond their cut, in millimetres."""
    decks: tuple[Deck, ...] = ()
    """The cards in the text, in the order of their rooms."""

    def own(self, piece: str) -> str:
        """Return the source of the publisher's template for a piece, such as "cover"; empty for the usual look."""
        return dict(self.templates).get(piece, "")
