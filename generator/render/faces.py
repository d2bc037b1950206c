"""Cards laid out: every part has its place on a face of 5 × 3 inches; what one face cannot hold goes to a second.

Nothing here asks the engine: texts are measured letter by letter, and the guard looks at what came of it.
Lengths are millimetres from the upper left corner of the face.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import count, groupby
from math import ceil
from typing import TYPE_CHECKING, NamedTuple

from generator.render.breaking import broken
from generator.render.card_tables import HEAD, INSET, SEMIBOLD, TEXT, TEXT_LINE, GridPlace, Spacing, cell_lines, placed
from generator.render.measure import length

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from generator.render.deck import Boxes, Card, Grid, Stat, Ticks

WIDTH, HEIGHT = 127.0, 76.2
"""An index card, lying."""
SIDE, TOP, BOTTOM = 4.5, 4.0, 72.4
"""Left and right of the text, and where it begins and ends: nothing that matters is nearer to the cut than 3 mm."""
ROOM = WIDTH - 2 * SIDE

_POINT = 25.4 / 72
_BLACK, _SERIF = "sans-black", "serif-italic"

_SYMBOL, _POINTS = 17.0, 27.0
"""What the symbol and the points take of the head."""
NAMES = ((13.5, 1), (11.0, 1), (9.0, 2), (8.0, 2), (7.0, 3))
"""Sizes of a name in points, from the largest that fits, and in how many lines."""
_LINE = 1.22
"""From line to line, in sizes of the type."""
_STRIP, _LABEL_LINE = 6.4, 2.7
_BOX = 3.9
_HALF = 0.58
"""What a label in two lines needs of its length in one: the lines are seldom alike."""
_TICK, _SQUARE, _BETWEEN = 7.5, 3.75, 2.0
"""The labels of boxes in points, a box with the air behind it, and what parts one from the next."""
_FOOT_LINE = 2.85
OF = 14.0
"""What the number of a face takes of the foot, where there are several."""
_HEAD_LINES = 2
_LEAST_ROOM = 36.0
"""What must be left of a face for it to begin with the big figures again."""


SPACINGS = (Spacing(0.65, 1.1, 4.1), Spacing(0.5, 0.8, 4.1), Spacing(0.3, 0.65, 4.1))
"""Parts stand closer where that saves a face; closer than the last, dice touch rules and words stand on them."""
_CLOSEST = Spacing(0.25, 0.3, 3.45)
"""For a single row that no face could hold otherwise."""
_MOST_BOXES = 0.5
"""How much of the first face boxes take at most; more go behind all else."""
_EVENLY = 20
"""In how many steps it is tried to leave up to half of each face free."""
_FLAVOUR = 2
"""A player's note of no more lines than that is left out where it alone asks for a second face: the roster has it."""


class Words(NamedTuple):
    """A text line by line with its place, and its size in points."""

    lines: tuple[str, ...]
    top: float
    height: float
    size: float
    plain: bool = True
    """Whether it is printed exactly as it stands: a player's own words."""


class StatPlace(NamedTuple):
    """A big figure with its column, and its label line by line."""

    stat: Stat
    left: float
    width: float
    label: tuple[str, ...]


class Strip(NamedTuple):
    """Big figures side by side."""

    top: float
    height: float
    stats: tuple[StatPlace, ...]


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
    """The faces of a card: one where one can hold all of it, or all but a short note of the player's and spare rows.

    Parts stand in their order and are never torn, but for boxes and rows of tables that no face could hold together.
    Of several faces the first has the boxes.
    """
    name = _words(card.name, TOP - 0.6, ROOM - _SYMBOL - _POINTS, NAMES, _BLACK)
    said = " · ".join(filter(None, (card.mark, card.who)))
    who = _words(said, name.top + name.height, ROOM - _SYMBOL - _POINTS, ((8.0, 1), (7.5, 2), (7.0, 3)), _SERIF)
    rule = max(who.top + who.height + 0.6, TOP + 9.8)
    head = _Head(name, who, rule)
    foot = _foot(broken(card.foot, ROOM, 7.0))
    for told in _tellings(card):
        for spacing in SPACINGS:
            pages = _packed(told, rule + 0.6, foot.top - 0.5, spacing)
            if len(pages) == 1:
                return (_face(card, head, foot, (1, 1), pages[0]),)
    foot = _foot(broken(card.foot, ROOM - OF, 7.0) or ("",))  # beside it stands which face of how many this is
    pages = _shared_out(card, rule + 0.6, foot.top - 0.5)
    return tuple(_face(card, head, foot, (index + 1, len(pages)), placed) for index, placed in enumerate(pages))


def tears_heads(face: Face) -> bool:
    """Whether a head over chances is broken within a word, or into more than two lines."""
    return any(
        len(cell_lines(head, wide, HEAD, SEMIBOLD)) > _HEAD_LINES
        or any(length(word, HEAD, SEMIBOLD) > wide - INSET for word in head.split())
        for place in face.grids
        if place.grid.targets
        for head, wide in zip(place.grid.targets, place.widths[-len(place.grid.targets) :], strict=True)
    )


def _shared_out(card: Card, top: float, bottom: float) -> list[list[tuple[float, object]]]:
    """As few faces as hold the card, and about as much on each: so much of each left free as asks for no more."""
    ways = [(again, spacing) for again in (True, False) for spacing in SPACINGS]
    laid = [_packed(card, top, bottom, spacing, again=again) for again, spacing in ways]
    least = min(map(len, laid))
    again, spacing = ways[[len(one) for one in laid].index(least)]
    for step in range(_EVENLY, 0, -1):
        pages = _packed(card, top, bottom, spacing, again=again, free=(bottom - top) * step / _EVENLY / 2)
        if len(pages) == least:
            return pages
    return next(one for one in laid if len(one) == least)


def _tellings(card: Card) -> Iterator[Card]:
    """The card, and what may be tried in one face before it takes a second: less and less of what can be spared."""
    short = card.note and len(broken(card.note, ROOM, TEXT, _SERIF)) <= _FLAVOUR
    many = sum(line.spare for grid in card.grids for line in grid.lines)
    for gone in range(many + 1):
        less = replace(card, grids=_without_spare(card.grids, many - gone))
        yield less
        if short:
            yield replace(less, note="")


def _without_spare(grids: Sequence[Grid], most: int) -> tuple[Grid, ...]:
    """The tables with the first so many of their spare rows."""
    spare = count()
    kept = (
        replace(grid, lines=tuple(one for one in grid.lines if not one.spare or next(spare) < most)) for grid in grids
    )
    return tuple(grid for grid in kept if grid.lines)


def _foot(lines: tuple[str, ...]) -> Words:
    return Words(lines, BOTTOM - len(lines) * _FOOT_LINE, len(lines) * _FOOT_LINE, 7.0)


class _Head(NamedTuple):
    """What stands over the heavy rule, and where that is."""

    name: Words
    who: Words
    rule: float


def _packed(
    card: Card, top: float, bottom: float, spacing: Spacing, *, again: bool = True, free: float = 0.0
) -> list[list[tuple[float, object]]]:
    """Every part with how far down its face it begins; ``again`` has the big figures on every face, if they are few.

    ``free`` is what a face leaves free at its end, unless a part fits on none otherwise.
    """
    page = _Pages(top, bottom, spacing.gap, [(_strip_height(row), row) for row in _strips(card.stats)], again=again)
    page.free = free
    whole = [piece for tick in card.ticks for piece in _whole(tick, page.room)]
    boxes = [(max(one.height for one in line), line) for line in _tick_lines(whole)]
    page.keep(boxes)
    for row in placed(card.grids, SIDE, ROOM, page.room - page.kept, spacing):
        high = max(one.height for one in row)
        if high > page.room and (again or spacing != _CLOSEST):  # a single row of very many lines
            return _packed(card, top, bottom, spacing if again else _CLOSEST, again=False, free=free)
        page.put(high, row)
    for text, face in ((card.also, "sans"), (card.note, _SERIF)):
        for lines in _paragraphs(text, face, page.room - page.kept):
            page.put(len(lines) * TEXT_LINE, Words(lines, 0, len(lines) * TEXT_LINE, TEXT, face == _SERIF))
    for height, line in () if page.kept else boxes:
        page.put(height, line, gap=0.0)
    return page.pages


class _Pages:
    """Parts put below each other, on a further face where one is full; each begins with the big figures, if few."""

    def __init__(
        self, top: float, bottom: float, gap: float, strips: list[tuple[float, object]], *, again: bool
    ) -> None:
        self.top, self.bottom, self.gap, self.at = top, bottom, gap, top
        self.first: list[tuple[float, object]] = []
        self.free = 0.0
        """What it leaves free at the end of each face."""
        self.kept = 0.0
        """What the first face holds free for the boxes at its end."""
        self.pages: list[list[tuple[float, object]]] = [[]]
        for height, strip in strips:
            self.put(height, strip)
        if again and len(self.pages) == 1 and bottom - self.at >= _LEAST_ROOM:
            self.first, self.top = [*self.pages[0]], self.at

    @property
    def room(self) -> float:
        return self.bottom - self.top

    def keep(self, lines: list[tuple[float, list[TickPlace]]]) -> None:
        """Put boxes at the end of the first face, if they leave most of it to the rest."""
        high = sum(height for height, _ in lines)
        if len(self.pages) == 1 and high < (self.bottom - self.at) * _MOST_BOXES:
            self.kept, at = high, self.bottom - high
            for height, line in lines:
                self.pages[0].append((at, line))
                at += height

    def put(self, height: float, what: object, gap: float | None = None) -> None:
        end = self.bottom - self.free - (self.kept if len(self.pages) == 1 else 0.0)
        if self.at + height > end and len(self.pages[-1]) > len(self.first):
            self.pages.append([*self.first])
            self.at = self.top
        self.pages[-1].append((self.at, what))
        self.at += height + (self.gap if gap is None else gap)


def _face(card: Card, head: _Head, foot: Words, number: tuple[int, int], placed: list[tuple[float, object]]) -> Face:
    strips: list[Strip] = []
    grids: list[GridPlace] = []
    texts: list[Words] = []
    ticks: list[TickPlace] = []
    for top, what in placed:
        if isinstance(what, Words):
            texts.append(what._replace(top=top))
        elif isinstance(what, list):
            for one in what:
                (grids if isinstance(one, GridPlace) else ticks).append(one._replace(top=top))
        elif isinstance(what, tuple):
            strips.append(Strip(top, _strip_height(what), _stat_places(what)))
    # Boxes stand at the end of the face, where the hand finds them.
    low = max((one.top + one.height for one in ticks), default=0.0)
    ticks = [one._replace(top=one.top + foot.top - 0.5 - low) for one in ticks]
    return Face(
        card, *number, head.name, head.who, head.rule, tuple(strips), tuple(grids), tuple(texts), tuple(ticks), foot
    )


def _words(text: str, top: float, width: float, sizes: Sequence[tuple[float, int]], face: str) -> Words:
    """A text in the first of the sizes in which it fits."""
    for size, most in sizes:
        lines = broken(text, width, size, face)
        if len(lines) <= most:
            break
    return Words(lines, top, len(lines) * size * _POINT * _LINE, size)


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
    words = (length(word, 7.0, SEMIBOLD) for word in stat.label.split())
    return max(length(stat.figure, 15.0, _BLACK), *words, length(stat.label, 7.0, SEMIBOLD) * _HALF, 9.0) + 1.6


def _stat_places(stats: tuple[Stat, ...]) -> tuple[StatPlace, ...]:
    """Columns as wide as their figures and labels ask, and the rest shared out."""
    needs = [_stat_width(one) for one in stats]
    spare = max(0.0, ROOM - sum(needs)) / len(stats)
    left, places = SIDE, []
    for stat, need in zip(stats, needs, strict=True):
        width = min(need + spare, ROOM)
        places.append(StatPlace(stat, left, width, broken(stat.label, width - 0.9, 7.0, SEMIBOLD)))
        left += width
    return tuple(places)


def _strip_height(stats: tuple[Stat, ...]) -> float:
    return _STRIP + max(len(one.label) for one in _stat_places(stats)) * _LABEL_LINE + 0.5


def _paragraphs(text: str, face: str, room: float) -> Iterator[tuple[str, ...]]:
    """The lines of a text as one paragraph, or in as many as faces are needed for it."""
    most = max(1, int(room // TEXT_LINE))
    lines = broken(text, ROOM, TEXT, face)
    yield from (lines[start : start + most] for start in range(0, len(lines), most))


def box_width(boxes: Boxes) -> float:
    """How much room boxes take with their label."""
    return boxes.many * _SQUARE + length(boxes.label, _TICK, SEMIBOLD) + 0.6


def _whole(tick: Ticks, room: float) -> Iterator[Ticks]:
    """The boxes of an element together, if a face can hold them."""
    if _height_of(tick, ROOM) <= room:
        yield tick
    else:
        yield from (tick._replace(boxes=(boxes,)) for boxes in tick.boxes)


def _tick_lines(ticks: Sequence[Ticks]) -> Iterator[list[TickPlace]]:
    """Elements with the same boxes side by side, as many in a line as there is room for."""
    for _, alike in groupby(ticks, lambda one: [box.label for box in one.boxes]):
        yield from _alike_lines(list(alike))


def _alike_lines(ticks: Sequence[Ticks]) -> Iterator[list[TickPlace]]:
    boxes = [max(0.0, sum(box_width(box) + _BETWEEN for box in one.boxes) - _BETWEEN) for one in ticks]
    widest = max(_name_width(one) + wide for one, wide in zip(ticks, boxes, strict=True))
    abreast = max(1, int(ROOM // max(_BETWEEN, widest)))
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
        if need > width:
            lines += ceil(boxes.many / (width // _SQUARE)) + len(broken(boxes.label, width, _TICK, SEMIBOLD)) - 1
            need = width
        used += need + _BETWEEN
    return lines * _BOX
