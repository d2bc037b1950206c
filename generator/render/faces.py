"""Cards laid out: every part has its place on a face of 5 × 3 inches; what one face cannot hold goes to a second.

Nothing here asks the engine: texts are measured letter by letter, and the guard looks at what came of it.
Lengths are millimetres from the upper left corner of the face.
"""

from __future__ import annotations

from math import ceil
from typing import TYPE_CHECKING, NamedTuple

from generator.render.deck import Grid
from generator.render.measure import length

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from generator.render.deck import Boxes, Card, Line, Stat, Ticks

WIDTH, HEIGHT = 127.0, 76.2
"""An index card, lying."""
SIDE, TOP, BOTTOM = 4.5, 4.0, 72.4
"""Left and right of the text, and where it begins and ends: nothing that matters is nearer to the cut than 3 mm."""
ROOM = WIDTH - 2 * SIDE

_POINT = 25.4 / 72
_SEMIBOLD, _BOLD, _BLACK, _SERIF = "sans-semibold", "sans-bold", "sans-black", "serif-italic"

_SYMBOL, _POINTS = 17.0, 27.0
"""What the symbol and the points take of the head."""
NAMES = ((13.5, 1), (11.0, 1), (9.0, 2), (8.0, 2), (7.0, 3))
"""Sizes of a name in points, from the largest that fits, and in how many lines."""
_LINE = 1.22
"""From line to line, in sizes of the type."""
_TEXT, _TEXT_LINE = 8.0, 3.05
_STRIP, _LABEL_LINE = 6.4, 2.7
_BOX = 4.4
_HALF = 0.58
"""What a label in two lines needs of its length in one: the lines are seldom alike."""
_TICK, _SQUARE, _BETWEEN = 7.5, 3.75, 2.0
"""The labels of boxes in points, a box with the air behind it, and what parts one from the next."""
_LEAST_COLUMN = 8.3
_FOOT_LINE = 2.85
MOST_ROWS = 12
"""Elements with a row of boxes of their own; of more, each box is so many in a run."""


class Spacing(NamedTuple):
    """What a row of a table is higher than its text, and what parts one part from the next."""

    air: float
    gap: float


SPACINGS = (Spacing(0.65, 1.1), Spacing(0.5, 0.7), Spacing(0.35, 0.4))
"""Parts stand closer where that saves a second face."""


class Words(NamedTuple):
    """A text with its place, and its size in points."""

    text: str
    top: float
    height: float
    size: float
    plain: bool = True
    """Whether it is printed exactly as it stands: a player's own words."""


class StatPlace(NamedTuple):
    """A big figure with its column."""

    stat: Stat
    left: float
    width: float


class Strip(NamedTuple):
    """Big figures side by side."""

    top: float
    height: float
    stats: tuple[StatPlace, ...]


class GridPlace(NamedTuple):
    """A table with the widths of its columns and the heights of its rows."""

    grid: Grid
    top: float
    height: float
    widths: tuple[float, ...]
    rows: tuple[float, ...]


class TickPlace(NamedTuple):
    """Boxes of one element with their place."""

    ticks: Ticks
    left: float
    top: float
    width: float
    height: float


class Face(NamedTuple):
    """One face of a card, ready to be printed."""

    card: Card
    number: int
    of: int
    name: Words
    who: Words
    rule: float
    """How far down the heavy rule under the head is."""
    strip: tuple[Strip, ...]
    grids: tuple[GridPlace, ...]
    texts: tuple[Words, ...]
    """What else is on board, and the player's note."""
    ticks: tuple[TickPlace, ...]
    foot: Words


def faces(card: Card) -> tuple[Face, ...]:
    """The faces of a card: one where one can hold all of it.

    Parts stand in their order and are never torn, but for boxes and rows of tables that no face could hold together.
    """
    name = _words(card.name, TOP - 0.6, ROOM - _SYMBOL - _POINTS, NAMES, _BLACK)
    who = _words(card.who, name.top + name.height, ROOM - _SYMBOL - _POINTS, ((8.0, 1), (7.5, 2), (7.0, 3)), _SERIF)
    rule = max(who.top + who.height + 0.6, TOP + 9.8)
    foot_lines = _lines(card.foot, ROOM - 14, 7.0)
    end = BOTTOM - foot_lines * _FOOT_LINE
    tries = (_packed(card, rule + 1.0, end - 0.5, spacing) for spacing in SPACINGS)
    pages = next((one for one in tries if len(one) == 1), None) or _packed(card, rule + 1.0, end - 0.5, SPACINGS[0])
    of = len(pages)
    foot = Words(card.foot, end, foot_lines * _FOOT_LINE, 7.0)
    head = _Head(name, who, rule)
    return tuple(_face(card, head, foot, (index + 1, of), placed) for index, placed in enumerate(pages))


class _Head(NamedTuple):
    """What stands over the heavy rule, and where that is."""

    name: Words
    who: Words
    rule: float


def _packed(card: Card, top: float, bottom: float, spacing: Spacing) -> list[list[tuple[float, object]]]:
    """Every part with how far down its face it begins."""
    page = _Pages(top, bottom, spacing.gap)
    for row in _strips(card.stats):
        page.put(_strip_height(row), row)
    shared = _shared(card.grids)
    for grid in card.grids:
        for piece in _pieces(grid, page.room, shared, spacing.air):
            page.put(piece.height, piece)
    for text, plain in ((card.also, False), (card.note, True)):
        for lines, words in _paragraphs(text, _TEXT, page.room, _SERIF if plain else "sans"):
            page.put(lines * _TEXT_LINE, Words(words, 0, lines * _TEXT_LINE, _TEXT, plain))
    for line in _tick_lines(card.ticks):
        page.put(_tick_height(line), line, gap=0.0)
    return page.pages


class _Pages:
    """Parts put below each other, on a further face where one is full."""

    def __init__(self, top: float, bottom: float, gap: float) -> None:
        self.top, self.bottom, self.at, self.gap = top, bottom, top, gap
        self.pages: list[list[tuple[float, object]]] = [[]]

    @property
    def room(self) -> float:
        return self.bottom - self.top

    def put(self, height: float, what: object, gap: float | None = None) -> None:
        if self.at + height > self.bottom and self.pages[-1]:
            self.pages.append([])
            self.at = self.top
        self.pages[-1].append((self.at, what))
        self.at += height + (self.gap if gap is None else gap)


def _face(card: Card, head: _Head, foot: Words, number: tuple[int, int], placed: list[tuple[float, object]]) -> Face:
    strips, grids, texts, ticks = [], [], [], []
    for top, what in placed:
        if isinstance(what, GridPlace):
            grids.append(what._replace(top=top))
        elif isinstance(what, Words):
            texts.append(what._replace(top=top))
        elif isinstance(what, list):
            ticks += [one._replace(top=top) for one in what]
        elif isinstance(what, tuple):
            strips.append(Strip(top, _strip_height(what), _stat_places(what)))
    # Boxes stand at the end of the face, where the hand finds them.
    low = max((one.top + one.height for one in ticks), default=0.0)
    ticks = [one._replace(top=one.top + foot.top - 0.5 - low) for one in ticks]
    return Face(
        card, *number, head.name, head.who, head.rule, tuple(strips), tuple(grids), tuple(texts), tuple(ticks), foot
    )


def _lines(text: str, width: float, size: float, face: str = "sans") -> int:
    """In how many lines a text may stand: words go whole to the next line, and too long ones are broken.

    >>> _lines("", 10, 8), _lines("one two three four", 12, 8)
    (0, 2)
    """
    lines, used = 0, width + 1
    for word in filter(None, text.split(" ")):
        long = length(word, size, face)
        space = length(" ", size, face)
        if used + space + long <= width:
            used += space + long
            continue
        lines += max(1, ceil(long / width))
        used = min(long, width)
    return lines


def _words(text: str, top: float, width: float, sizes: Sequence[tuple[float, int]], face: str) -> Words:
    """A text in the first of the sizes in which it fits."""
    for size, most in sizes:
        lines = _lines(text, width, size, face)
        if lines <= most:
            break
    return Words(text, top, lines * size * _POINT * _LINE, size)


def _strips(stats: tuple[Stat, ...]) -> Iterator[tuple[Stat, ...]]:
    """Big figures in as few rows as hold them, each of about as many."""
    for rows in range(1, len(stats) + 1):
        each = ceil(len(stats) / rows)
        cut = [stats[start : start + each] for start in range(0, len(stats), each)]
        if each == 1 or all(sum(map(_stat_width, row)) <= ROOM for row in cut):
            yield from cut
            return


def _stat_width(stat: Stat) -> float:
    """What a big figure asks for, and its label in two lines."""
    words = (length(word, 7.0, _SEMIBOLD) for word in stat.label.split())
    return max(length(stat.figure, 15.0, _BLACK), *words, length(stat.label, 7.0, _SEMIBOLD) * _HALF, 9.0) + 1.6


def _stat_places(stats: tuple[Stat, ...]) -> tuple[StatPlace, ...]:
    """Columns as wide as their figures and labels ask, and the rest shared out."""
    needs = [_stat_width(one) for one in stats]
    spare = max(0.0, ROOM - sum(needs)) / len(stats)
    left, places = SIDE, []
    for stat, need in zip(stats, needs, strict=True):
        width = min(need + spare, ROOM)
        places.append(StatPlace(stat, left, width))
        left += width
    return tuple(places)


def _strip_height(stats: tuple[Stat, ...]) -> float:
    labels = [_lines(one.stat.label, one.width - 0.9, 7.0, _SEMIBOLD) for one in _stat_places(stats)]
    return _STRIP + max(labels) * _LABEL_LINE + 0.5


def _shared(grids: tuple[Grid, ...]) -> dict[tuple[int, str], float]:
    """How wide the columns of all tables of a card are that have one head at one place, so that they stand in line."""
    found: dict[tuple[int, str], float] = {}
    for grid in grids:
        for index, head in enumerate(grid.heads):
            wanted = max(length(head, 7.0, _SEMIBOLD), *(length(line.cells[index], 8.0) for line in grid.lines)) + 2.6
            found[index, head] = max(found.get((index, head), 0.0), wanted)
    return found


def _pieces(grid: Grid, room: float, shared: dict[tuple[int, str], float], air: float) -> Iterator[GridPlace]:
    """The table with its columns; in several pieces where no face could hold it."""
    widths = _column_widths(grid, shared)
    head = max(1, _lines(grid.title, widths[0] - 1.6, 8.0, _BOLD)) * _TEXT_LINE + air
    heights = [_line_height(line, widths, air) for line in grid.lines]
    start = 0
    while start < len(heights):
        end, used = start, head
        while end < len(heights) and (used + heights[end] <= room or end == start):
            used += heights[end]
            end += 1
        piece = Grid(grid.title, grid.heads, grid.targets, grid.lines[start:end])
        yield GridPlace(piece, 0, used, widths, (head, *heights[start:end]))
        start = end


def _line_height(line: Line, widths: tuple[float, ...], air: float) -> float:
    texts = [line.head, *line.cells]
    lines = [_lines(text, width - 1.6, 8.0) for text, width in zip(texts, widths, strict=False)]
    return max(1, *lines) * _TEXT_LINE + air


def _column_widths(grid: Grid, shared: dict[tuple[int, str], float]) -> tuple[float, ...]:
    """Chances alike, the others as wide as they ask; the first takes what is left."""
    chance = max(_LEAST_COLUMN, *(length(one, 7.0, _SEMIBOLD) + 1.6 for one in grid.targets)) if grid.targets else 0.0
    room = ROOM - chance * len(grid.targets)
    wanted = [shared[index, head] for index, head in enumerate(grid.heads)]
    first = max(length(grid.title, 8.0, _BOLD), *(length(line.head, 8.0) for line in grid.lines)) + 2.0
    if first + sum(wanted) <= room:
        return (room - sum(wanted), *wanted, *(chance for _ in grid.targets))
    least_first = min(first, max(24.0, room - sum(wanted)))
    short = (room - least_first) / sum(wanted) if wanted else 1.0
    columns = [one * min(1.0, short) for one in wanted]
    return (room - sum(columns), *columns, *(chance for _ in grid.targets))


def _paragraphs(text: str, size: float, room: float, face: str) -> Iterator[tuple[int, str]]:
    """A text as one paragraph, or in as many as faces are needed for it."""
    most = int(room // _TEXT_LINE)
    taken: list[str] = []
    for word in text.split():
        if taken and _lines(" ".join([*taken, word]), ROOM, size, face) > most:
            yield most, " ".join(taken)
            taken = []
        taken.append(word)
    if taken:
        yield _lines(" ".join(taken), ROOM, size, face), " ".join(taken)


def box_width(boxes: Boxes) -> float:
    """How much room boxes take with their label."""
    return boxes.many * _SQUARE + length(boxes.label, _TICK, _SEMIBOLD) + 0.6


def _tick_lines(ticks: tuple[Ticks, ...]) -> Iterator[list[TickPlace]]:
    """Elements side by side, as many in a line as there is room for."""
    if not ticks:
        return
    widths = [_name_width(one) + sum(box_width(box) + _BETWEEN for box in one.boxes) - _BETWEEN for one in ticks]
    abreast = max(1, int(ROOM // max(widths)))
    each = ROOM / abreast
    for start in range(0, len(ticks), abreast):
        yield [
            TickPlace(tick, SIDE + index * each, 0, each, _height_of(tick, each))
            for index, tick in enumerate(ticks[start : start + abreast])
        ]


def _name_width(tick: Ticks) -> float:
    return length(tick.name, _TICK, _BLACK) + 1.8 if tick.name else 0.0


def _height_of(tick: Ticks, width: float) -> float:
    """Boxes in as many lines as they need."""
    lines, used = 1, _name_width(tick)
    for boxes in tick.boxes:
        need = box_width(boxes)
        if used and used + need > width:
            lines, used = lines + 1, 0.0
        lines += max(0, ceil(need / width) - 1)
        used += need + _BETWEEN
    return lines * _BOX


def _tick_height(line: list[TickPlace]) -> float:
    return max(one.height for one in line)
