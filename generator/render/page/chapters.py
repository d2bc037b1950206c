"""Fill the pages of a book: measured blocks go into columns of equal height, and wide blocks between them.

Lengths are the pixels of the engine, 96 to the inch.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from typing import TYPE_CHECKING, Any, NamedTuple

from generator.render.book import Band, Book, Chapter, Heading
from generator.render.page.html import render_html
from generator.render.page.measure import PIXEL, LayOut, bottom, has, top, walk
from generator.render.page.page_setup import Setting, page_setup_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from generator.render.blocks import Block, Ink, Paper

_LEAST = 1 / 3
"""The part of a page that must be free where a block begins that is continued on the next page."""

_GAP = 4.4 / PIXEL
"""The distance of two bands, as in ``book.css``."""


class _Run(NamedTuple):
    """Blocks below each other, with the top and bottom of each block on one endless page."""

    band: Band
    tops: tuple[float, ...]
    bottoms: tuple[float, ...]
    gap: float
    """The free space below it."""

    @property
    def blocks(self) -> tuple[Block, ...]:
        return self.band.columns[0]

    def height(self, start: int, end: int) -> float:
        """Return the height of the blocks from the index ``start`` up to, but without, the index ``end``."""
        return self.bottoms[end - 1] - self.tops[start] if end > start else 0.0

    def filled(self, start: int, limit: float, columns: int) -> list[int]:
        """Return the end index of each column, if each takes the blocks that fit.

        No column ends with a heading, or above the key of its grid.
        """
        ends = []
        for _ in range(columns):
            end = start
            while end < len(self.blocks) and self.height(start, end + 1) <= limit:
                end += 1
            while start < end < len(self.blocks) and (
                isinstance(self.blocks[end - 1], Heading) or getattr(self.blocks[end], "follows", False)
            ):
                end -= 1
            ends.append(end)
            start = end
        return ends

    def balanced(self, start: int, room: float, columns: int) -> list[int]:
        """Return the end index of each column, with the lowest columns that hold all blocks from ``start`` on.

        If no columns hold all blocks, all columns are full.
        """
        numbers = range(start, len(self.blocks))
        heights = sorted(self.height(first, last + 1) for first in numbers for last in numbers if first <= last)
        limits = (limit for limit in heights if limit <= room)
        ways = (self.filled(start, limit, columns) for limit in limits)
        return next((ends for ends in ways if ends[-1] == len(self.blocks)), self.filled(start, room, columns))


def arranged_book(book: Book, paper: Paper, ink: Ink, lay_out: LayOut) -> Book:
    """Return the book with the blocks of its chapters arranged in columns on pages of this paper.

    ``lay_out`` lays out the book on endless pages, so that its blocks can be measured.
    """
    names = page_setup_of(book, paper).names
    room, columns = names["room"] / PIXEL, names["columns"]
    chapters = tuple(replace(chapter, bands=tuple(chapter.runs(columns))) for chapter in book.chapters)
    pages = lay_out(render_html(replace(book, chapters=chapters), paper, ink, Setting(tall=True)))
    heads = [
        (page, box) for page in pages for box in walk(page) if box.element_tag == "section" and has(box, "chapter")
    ]
    made = []
    for chapter, (page, box) in zip(chapters, heads, strict=True):
        runs = _measured(chapter, box)
        used = runs[0].tops[0] - page.content_box_y() if runs else 0.0
        made.append(replace(chapter, bands=tuple(_bands(runs, used, room, columns))))
    return replace(book, chapters=tuple(made))


def _measured(chapter: Chapter, box: Any) -> list[_Run]:
    """Return the measured runs of a chapter."""
    found = [part for part in walk(box) if (has(part, "flow") or has(part, "spread")) and part.children]
    insides = [[child for child in part.children if child.element is not None] for part in found]
    places = [(tuple(map(top, inside)), tuple(map(bottom, inside))) for inside in insides]
    gaps = [below[0][0] - above[1][-1] for above, below in pairwise(places)]
    parts = zip(chapter.bands, places, [*gaps, 0.0], strict=False)  # a chapter may have a title alone
    return [_Run(band, tops, bottoms, gap) for band, (tops, bottoms), gap in parts]


def _bands(runs: Sequence[_Run], used: float, room: float, columns: int) -> Iterator[Band]:
    """Yield the parts of a chapter across its pages.

    ``used`` is the height of the chapter's head, ``room`` the height of a page.
    """
    new_page = False
    for run in runs:
        start, is_long = 0, run.band.wide and any(getattr(block, "long", False) for block in run.blocks)
        while start < len(run.blocks):
            left = room - used
            ends = [len(run.blocks)] if run.band.wide else run.balanced(start, left, columns)
            height = max(run.height(first, last) for first, last in zip([start, *ends], ends, strict=False))
            whole = ends[-1] > start and height <= left
            if not whole and used and not (is_long and left > _LEAST * room):
                used, new_page = 0.0, True
                continue
            if whole:
                parts = zip([start, *ends], ends, strict=False)
                made = tuple(run.blocks[first:last] for first, last in parts)
                yield Band(made, wide=run.band.wide, new_page=new_page)
                start = ends[-1]
                used += height + (_GAP if start < len(run.blocks) else run.gap)
            else:  # no page has room for it: the engine divides it
                end = len(run.blocks) if run.band.wide else start + 1
                yield Band((run.blocks[start:end],), wide=True, new_page=new_page)
                start, used = end, room
            new_page = False
