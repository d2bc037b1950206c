"""Cards laid out: every part has its place on a face of 5 × 3 inches; what one face cannot hold goes to a second.

Nothing here asks the engine: texts are measured letter by letter, and the guard looks at what came of it.
Lengths are millimetres from the upper left corner of the face.
"""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache
from itertools import product
from typing import TYPE_CHECKING, NamedTuple

from generator.render.cards.card_foot import FOOTS, foot_lines
from generator.render.cards.card_tables import TEXT, TEXT_LINE, GridPlace, Spacing, placed, tears
from generator.render.cards.deck import NO_SYMBOL
from generator.render.cards.stat_row import Strip, strip_at, strips
from generator.render.cards.tick_places import TickPlace, tick_lines, whole
from generator.render.type.line_breaks import broken
from generator.render.type.prose import DRAWN

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from generator.render.cards.deck import Asked, Card, Grid

WIDTH, HEIGHT = 127.0, 76.2
"""An index card, lying."""
SIDE, TOP, BOTTOM = 4.5, 4.0, 73.2
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
_FOOT_LINE, _OVER_FOOT, _OVER_BOXES = 2.85, 0.3, 0.5
"""From line to line of the foot, what parts it from the boxes, and these from the rule of a table over them."""
OF = 14.0
"""What the number of a face takes of the foot, where there are several."""
_DICE_LINE = 3.6
"""From line to line of a text with drawn dice, which are higher than letters."""
_LEAST_ROOM = 36.0
"""What must be left of a face for it to begin with the big figures again."""


SPACINGS = (
    Spacing(0.65, 1.1, 4.1, 1.5),
    Spacing(0.5, 0.9, 4.1, 1.2),
    Spacing(0.35, 0.8, 4.1, 1.0),
    Spacing(0.22, 0.7, 4.0, 1.0),
    Spacing(0.22, 0.4, 4.0, 0.5),
)
"""Parts stand closer where that saves a face; closer than the last, dice touch rules and words stand on them."""
_CLOSEST = Spacing(0.25, 0.3, 3.45, 0.3)
"""For a single row that no face could hold otherwise."""
_MOST_AIR = 0.8
"""What a part is set apart by at most where a face has room."""
_MOST_BOXES = 0.5
"""How much of the first face boxes take at most; more go behind all else."""
_HALVINGS = 4
"""How often the search for what each face can leave free is halved: it is at most half of the face."""
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


class Face(NamedTuple):
    """One face of a card, ready to be printed."""

    card: Card
    number: int
    of: int
    left: float
    """Where name and unit begin: beside the symbol, if there is one."""
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
    """The faces of a card: one where one can hold all of it, or all but a short note of the player's.

    Parts stand in their order and are never torn, but for boxes and rows of tables that no face could hold together.
    Of several faces the first has the boxes.
    """
    return tuple(
        face._replace(card=card) for face in _faces(card, card.mark, card.like)
    )  # its unit is not compared either


@lru_cache(maxsize=512)  # cards are laid out to choose their words, then to be printed; mark and like are not compared
def _faces(card: Card, _mark: str, like: Card | None) -> tuple[Face, ...]:
    head = _head(card)
    if like is None:
        feet = dict.fromkeys(foot_lines(_asked(card.grids), ROOM, most) for most in FOOTS)
        for foot, (told, spacings) in product(map(_foot, feet), _tellings(card)):
            for spacing in spacings:
                packed = _packed(told, _Way(head.rule + 0.6, foot.top - _OVER_FOOT, spacing))
                if len(packed.pages) == 1:
                    return (_face(card, head, foot, (1, 1), _aired(packed)),)
    way = _shared_out(like or card, card.mark)
    pages = _packed(card, way).pages
    head = head._replace(rule=max(head.rule, way.top - 0.6))
    return tuple(
        _face(card, head, _foot_of(placed), (index + 1, len(pages)), placed) for index, placed in enumerate(pages)
    )


def demand(card: Card) -> tuple[int, float]:
    """How much room a card asks for, to be compared with others of its design: faces, and the height of its boxes."""
    return len(faces(card)), _head(card).rule + sum(
        line[0].height for line in tick_lines(card.ticks, SIDE, ROOM) if line
    )


def has_note(card: Card) -> bool:
    """Whether its note, if it has one, is on it."""
    return not card.note or any(words.plain for face in faces(card) for words in face.texts)


def _head(card: Card) -> _Head:
    left = SIDE + (_SYMBOL if card.symbol != NO_SYMBOL else 0.0)
    wide = SIDE + ROOM - left - _POINTS
    name = _words(card.name, TOP - 0.6, wide, NAMES, _BLACK)
    said = " · ".join(filter(None, (card.mark, card.who)))
    who = _words(said, name.top + name.height, wide, ((8.0, 1), (7.5, 2), (7.0, 3)), _SERIF)
    return _Head(left, name, who, max(who.top + who.height + 0.6, TOP + 9.4))


def tears_heads(face: Face) -> bool:
    """Whether a head over chances is broken within a word, or into more than two lines."""
    return any(
        tears(head, wide)
        for place in face.grids
        if place.grid.targets
        for head, wide in zip(place.grid.targets, place.widths[-len(place.grid.targets) :], strict=True)
    )


class _Way(NamedTuple):
    """How a card is shared out to faces: what is the same for all cards of a design, whatever the number of boxes."""

    top: float
    bottom: float
    spacing: Spacing
    again: bool = True
    """Whether the big figures are on every face, if they are few."""
    free: float = 0.0
    """What a face leaves free at its end, unless a part fits on none otherwise."""
    kept: float | None = None
    """What boxes at the end of the first face take; 0 where they stand behind all else; None: to be found."""


@lru_cache(maxsize=128)  # all cards of a design are shared out as the largest of them
def _shared_out(card: Card, _mark: str) -> _Way:
    """Return the fewest faces that hold the card, about equally full, with the free room that each part asks for."""
    top = _head(card).rule + 0.6
    most = max(1, len(foot_lines(_asked(card.grids), ROOM - OF)))
    laid_out = (_evenly(card, top, BOTTOM - lines * _FOOT_LINE - _OVER_FOOT) for lines in range(1, most + 1))
    fits = (way for lines, way in enumerate(laid_out, 1) if _highest_foot(_packed(card, way)) <= lines)
    return next(fits, _evenly(card, top, BOTTOM - most * _FOOT_LINE - _OVER_FOOT))


def _highest_foot(pages: _Pages) -> int:
    return max(len(_foot_of(placed).lines) for placed in pages.pages)


def _evenly(card: Card, top: float, bottom: float) -> _Way:
    """Shared out to faces between these heights."""
    ways = [_Way(top, bottom, spacing, again) for again in (True, False) for spacing in SPACINGS[::2]]
    laid = [_packed(card, way) for way in ways]
    least = min(len(item.pages) for item in laid)
    way, found = next(item for item in zip(ways, laid, strict=True) if len(item[1].pages) == least)
    step = (bottom - top) / 2
    for _ in range(_HALVINGS):
        step /= 2
        evener = way._replace(free=way.free + step)
        tried = _packed(card, evener)
        if len(tried.pages) == least:
            way, found = evener, tried
    return way._replace(kept=found.kept)


def _tellings(card: Card) -> Iterator[tuple[Card, Sequence[Spacing]]]:
    """The card, and what may be tried in one face before it takes a second: to leave out a short note.

    That goes before all stands nearly as close as it can.
    """
    short = card.note and len(broken(card.note, ROOM, TEXT, _SERIF)) <= _FLAVOUR
    yield card, SPACINGS[:-2] if short else SPACINGS
    if short:
        yield replace(card, note=""), SPACINGS


def _asked(grids: Iterable[Grid]) -> Iterator[Asked]:
    return (item for grid in grids for item in grid.asked)


def _foot_of(placed: list[tuple[float, object]]) -> Words:
    """The foot of one face of several, about what is on it; beside it stands which of how many this is."""
    rows = (what for _, what in placed if isinstance(what, list))
    grids = [item.grid for row in rows for item in row if isinstance(item, GridPlace)]
    return _foot(foot_lines(_asked(grids), ROOM - OF) or ("",))


def _foot(lines: tuple[str, ...]) -> Words:
    return Words(lines, BOTTOM - len(lines) * _FOOT_LINE, len(lines) * _FOOT_LINE, 7.0)


class _Head(NamedTuple):
    """What stands over the heavy rule, and where that is."""

    left: float
    name: Words
    who: Words
    rule: float


def _packed(card: Card, way: _Way) -> _Pages:
    """Every part with how far down its face it begins."""
    spacing = way.spacing
    rows = [strip_at(0, row, SIDE, ROOM) for row in strips(card.stats, ROOM)]
    figures: list[tuple[float, object]] = [(row.height, row) for row in rows]
    page = _Pages(way.top, way.bottom, spacing, figures, again=way.again)
    page.free = way.free
    pieces = [piece for tick in card.ticks for piece in whole(tick, page.room, ROOM)]
    boxes = [(max(item.height for item in line), line) for line in tick_lines(pieces, SIDE, ROOM)]
    page.keep(boxes, way.kept)
    for row in placed(card.grids, SIDE, ROOM, page.room - page.kept, spacing):
        high = max(item.height for item in row)
        if high > page.room and (way.again or spacing != _CLOSEST):  # a single row of very many lines
            return _packed(card, way._replace(spacing=spacing if way.again else _CLOSEST, again=False))
        page.put(high, row)
    for text, face in ((card.also, "sans"), (card.note, _SERIF)):
        high = _DICE_LINE if face != _SERIF and DRAWN.search(text) else TEXT_LINE
        for lines in _paragraphs(text, face, page.room - page.kept, high):
            page.put(len(lines) * high, Words(lines, 0, len(lines) * high, TEXT, face == _SERIF))
    for height, line in () if page.kept else boxes:
        page.put(height, line, gap=0.0)
    return page


class _Pages:
    """Parts put below each other, on a further face where one is full; each begins with the big figures, if few."""

    def __init__(
        self, top: float, bottom: float, spacing: Spacing, strips: list[tuple[float, object]], *, again: bool
    ) -> None:
        self.top, self.bottom, self.spacing, self.at = top, bottom, spacing, top
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

    def keep(self, lines: list[tuple[float, list[TickPlace]]], room: float | None) -> None:
        """Put boxes at the end of the first face, if they leave most of it to the rest; or in this ``room``."""
        high = sum(height for height, _ in lines)
        most = (self.bottom - self.at) * _MOST_BOXES if room is None else room
        if len(self.pages) == 1 and (high < most or high == room):
            self.kept, at = max(high + _OVER_BOXES, room or 0.0) if lines else 0.0, self.bottom - high
            for height, line in lines:
                self.pages[0].append((at, line))
                at += height

    def put(self, height: float, what: object, gap: float | None = None) -> None:
        end = self.bottom - self.free - (self.kept if len(self.pages) == 1 else 0.0)
        if self.pages[-1] and _is_tables(what) and _is_tables(self.pages[-1][-1][1]):
            self.at += self.spacing.between - self.spacing.gap
        if self.at + height > end and len(self.pages[-1]) > len(self.first):
            self.pages.append([*self.first])
            self.at = self.top
        self.pages[-1].append((self.at, what))
        self.at += height + (self.spacing.gap if gap is None else gap)


def _aired(page: _Pages) -> list[tuple[float, object]]:
    """What is on a single face, its tables and texts set apart by what is left over, within reason."""
    moved = [isinstance(what, Words) or _is_tables(what) for _, what in page.pages[0]]
    left = page.bottom - page.kept - page.at
    air = min(max(left, 0.0) / (sum(moved) + 1), _MOST_AIR)
    return [(at + air * sum(moved[: index + 1]) * moved[index], what)
            for index, (at, what) in enumerate(page.pages[0])]  # fmt: skip


def _is_tables(what: object) -> bool:
    return isinstance(what, list) and isinstance(what[0], GridPlace)


def _face(card: Card, head: _Head, foot: Words, number: tuple[int, int], placed: list[tuple[float, object]]) -> Face:
    figures: list[Strip] = []
    grids: list[GridPlace] = []
    texts: list[Words] = []
    ticks: list[TickPlace] = []
    for top, what in placed:
        if isinstance(what, Strip):
            figures.append(what._replace(top=top))
        elif isinstance(what, Words):
            texts.append(what._replace(top=top))
        elif isinstance(what, list):
            for item in what:
                (grids if isinstance(item, GridPlace) else ticks).append(item._replace(top=top))
    # Boxes stand at the end of the face, where the hand finds them.
    low = max((tick.top + tick.height for tick in ticks), default=0.0)
    ticks = [tick._replace(top=tick.top + foot.top - _OVER_FOOT - low) for tick in ticks]
    return Face(
        card,
        *number,
        head.left,
        head.name,
        head.who,
        head.rule,
        tuple(figures),
        tuple(grids),
        tuple(texts),
        tuple(ticks),
        foot,
    )


def _words(text: str, top: float, width: float, sizes: Sequence[tuple[float, int]], face: str) -> Words:
    """A text in the first of the sizes in which it fits."""
    for size, most in sizes:
        lines = broken(text, width, size, face)
        if len(lines) <= most:
            break
    return Words(lines, top, len(lines) * size * _POINT * _LINE, size)


def _paragraphs(text: str, face: str, room: float, high: float) -> Iterator[tuple[str, ...]]:
    """The lines of a text as one paragraph, or in as many as faces are needed for it."""
    most = max(1, int(room // high))
    lines = broken(text, ROOM, TEXT, face)
    yield from (lines[start : start + most] for start in range(0, len(lines), most))
