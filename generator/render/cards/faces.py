"""The layout of cards: places of all parts on faces of 5 × 3 inches, with further faces if one is too small.

Nothing here uses the engine: texts are measured letter by letter, and the guard checks the printed result.
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
"""An index card in landscape format."""
SIDE, TOP, BOTTOM = 4.5, 4.0, 73.2
"""Side margins, top and bottom of the text: nothing important is nearer to the cut than 3 mm."""
ROOM = WIDTH - 2 * SIDE

_POINT = 25.4 / 72
_BLACK, _SERIF = "sans-black", "serif-italic"

_SYMBOL, _POINTS = 17.0, 27.0
"""Widths of the symbol and the points in the head."""
NAMES = ((13.5, 1), (11.0, 1), (9.0, 2), (8.0, 2), (7.0, 3))
"""Sizes of a name in points, the largest first, each with its most lines."""
_LINE = 1.22
"""Line height, in multiples of the type size."""
_FOOT_LINE, _OVER_FOOT, _OVER_BOXES = 2.85, 0.3, 0.5
"""Line height of the foot, space between boxes and foot, and space between a table and boxes."""
OF = 14.0
"""Width of the face number in the foot, if a card has several faces."""
_DICE_LINE = 3.6
"""Line height of a text with drawn dice, which are higher than letters."""
_LEAST_ROOM = 36.0
"""Least free height of a face that repeats the big figures at its top."""


SPACINGS = (
    Spacing(0.65, 1.1, 4.1, 1.5),
    Spacing(0.5, 0.9, 4.1, 1.2),
    Spacing(0.35, 0.8, 4.1, 1.0),
    Spacing(0.22, 0.7, 4.0, 1.0),
    Spacing(0.22, 0.4, 4.0, 0.5),
)
"""Spacings, from loose to close; closer ones are used to save a face. Any closer, dice and words would touch rules."""
_CLOSEST = Spacing(0.25, 0.3, 3.45, 0.3)
"""The spacing for a single row that fits on no face otherwise."""
_MOST_AIR = 0.8
"""Most extra space between parts on a face with room."""
_MOST_BOXES = 0.5
"""Largest share of the first face for boxes; more boxes come after all other parts."""
_HALVINGS = 4
"""Number of halvings in the search for the free height of each face, which is at most half a face."""
_FLAVOUR = 2
"""A player's note with at most this number of lines is left out if only the note needs a second face.

The roster has the note, too.
"""


class Words(NamedTuple):
    """The lines of a text with their place and type size in points."""

    lines: tuple[str, ...]
    top: float
    height: float
    size: float
    plain: bool = True
    """Whether the text is printed without markup, as a player's own words are."""


class Face(NamedTuple):
    """One face of a card, ready to be printed."""

    card: Card
    number: int
    of: int
    left: float
    """Left edge of name and unit, to the right of the symbol if there is one."""
    name: Words
    who: Words
    rule: float
    """Position of the heavy rule under the head."""
    strip: tuple[Strip, ...]
    grids: tuple[GridPlace, ...]
    texts: tuple[Words, ...]
    """The other equipment, and the player's note."""
    ticks: tuple[TickPlace, ...]
    foot: Words


def faces(card: Card) -> tuple[Face, ...]:
    """Return the faces of a card: one face if it can hold everything, or everything but a player's short note.

    Parts keep their order. Only boxes and table rows that no face could hold together are divided. If there are several
    faces, the boxes are on the first.
    """
    return tuple(
        face._replace(card=card) for face in _faces(card, card.mark, card.like)
    )  # equal cards may have different units


@lru_cache(maxsize=512)  # called to choose a card's words, then to print it; mark and like are not compared
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
    """Return the number of faces of a card and the height of head and boxes, for comparison within its design."""
    return len(faces(card)), _head(card).rule + sum(
        line[0].height for line in tick_lines(card.ticks, SIDE, ROOM) if line
    )


def has_note(card: Card) -> bool:
    """Return whether the card's faces have its note; True if it has no note."""
    return not card.note or any(words.plain for face in faces(card) for words in face.texts)


def _head(card: Card) -> _Head:
    left = SIDE + (_SYMBOL if card.symbol != NO_SYMBOL else 0.0)
    wide = SIDE + ROOM - left - _POINTS
    name = _words(card.name, TOP - 0.6, wide, NAMES, _BLACK)
    said = " · ".join(filter(None, (card.mark, card.who)))
    who = _words(said, name.top + name.height, wide, ((8.0, 1), (7.5, 2), (7.0, 3)), _SERIF)
    return _Head(left, name, who, max(who.top + who.height + 0.6, TOP + 9.4))


def tears_heads(face: Face) -> bool:
    """Return whether any head over chances on the face has a broken word or more than two lines."""
    return any(
        tears(head, wide)
        for place in face.grids
        if place.grid.targets
        for head, wide in zip(place.grid.targets, place.widths[-len(place.grid.targets) :], strict=True)
    )


class _Way(NamedTuple):
    """How a card is divided into faces. All cards of a design are divided in the same way, with any number of boxes."""

    top: float
    bottom: float
    spacing: Spacing
    again: bool = True
    """Whether the big figures are repeated on every face, if they are few."""
    free: float = 0.0
    """Height left free at the end of each face, unless a part needs it."""
    kept: float | None = None
    """Height of the boxes at the end of the first face; 0 if they come after all other parts; None if not known yet."""


@lru_cache(maxsize=128)  # the same for all cards of a design: the largest card decides
def _shared_out(card: Card, _mark: str) -> _Way:
    """Return the division of a card into the fewest faces, about equally full, with room for its foot."""
    top = _head(card).rule + 0.6
    most = max(1, len(foot_lines(_asked(card.grids), ROOM - OF)))
    laid_out = (_evenly(card, top, BOTTOM - lines * _FOOT_LINE - _OVER_FOOT) for lines in range(1, most + 1))
    fits = (way for lines, way in enumerate(laid_out, 1) if _highest_foot(_packed(card, way)) <= lines)
    return next(fits, _evenly(card, top, BOTTOM - most * _FOOT_LINE - _OVER_FOOT))


def _highest_foot(pages: _Pages) -> int:
    return max(len(_foot_of(placed).lines) for placed in pages.pages)


def _evenly(card: Card, top: float, bottom: float) -> _Way:
    """Return the division into the fewest, about equally full faces with ``top`` and ``bottom`` as limits."""
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
    """Yield versions of the card, with spacings to try, that may fit on one face: a short note may be left out.

    The note is left out before the closest spacings are tried.
    """
    short = card.note and len(broken(card.note, ROOM, TEXT, _SERIF)) <= _FLAVOUR
    yield card, SPACINGS[:-2] if short else SPACINGS
    if short:
        yield replace(card, note=""), SPACINGS


def _asked(grids: Iterable[Grid]) -> Iterator[Asked]:
    return (item for grid in grids for item in grid.asked)


def _foot_of(placed: list[tuple[float, object]]) -> Words:
    """Return the foot of one of several faces, for the tables on it; the face's number stands beside the foot."""
    rows = (what for _, what in placed if isinstance(what, list))
    grids = [item.grid for row in rows for item in row if isinstance(item, GridPlace)]
    return _foot(foot_lines(_asked(grids), ROOM - OF) or ("",))


def _foot(lines: tuple[str, ...]) -> Words:
    return Words(lines, BOTTOM - len(lines) * _FOOT_LINE, len(lines) * _FOOT_LINE, 7.0)


class _Head(NamedTuple):
    """The parts of a card above the heavy rule, and the rule's position."""

    left: float
    name: Words
    who: Words
    rule: float


def _packed(card: Card, way: _Way) -> _Pages:
    """Return all parts of a card with their faces and tops."""
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
        if high > page.room and (way.again or spacing != _CLOSEST):  # a single table row with very many lines
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
    """Faces that are filled from the top; each new face may begin with the big figures again."""

    def __init__(
        self, top: float, bottom: float, spacing: Spacing, strips: list[tuple[float, object]], *, again: bool
    ) -> None:
        self.top, self.bottom, self.spacing, self.at = top, bottom, spacing, top
        self.first: list[tuple[float, object]] = []
        self.free = 0.0
        """Height left free at the end of each face."""
        self.kept = 0.0
        """Height reserved for boxes at the end of the first face."""
        self.pages: list[list[tuple[float, object]]] = [[]]
        for height, strip in strips:
            self.put(height, strip)
        if again and len(self.pages) == 1 and bottom - self.at >= _LEAST_ROOM:
            self.first, self.top = [*self.pages[0]], self.at

    @property
    def room(self) -> float:
        return self.bottom - self.top

    def keep(self, lines: list[tuple[float, list[TickPlace]]], room: float | None) -> None:
        """Put boxes at the end of the first face if they fill ``room``, or, if None, leave most of the face free."""
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
    """Return the parts of a single face, with its spare height spread between tables and texts, up to a limit."""
    moved = [isinstance(what, Words) or _is_tables(what) for _, what in page.pages[0]]
    left = page.bottom - page.kept - page.at
    air = min(max(left, 0.0) / (sum(moved) + 1), _MOST_AIR)
    return [(at + air * sum(moved[: index + 1]) * moved[index], what)
            for index, (at, what) in enumerate(page.pages[0])]  # fmt: skip


def _is_tables(what: object) -> bool:
    return isinstance(what, list) and isinstance(what[0], GridPlace)


def _face(card: Card, head: _Head, foot: Words, number: tuple[int, int], placed: list[tuple[float, object]]) -> Face:
    """Return a face with these placed parts; its boxes are moved to the end."""
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
    # Boxes are at the end of the face, where they are easy to reach.
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
    """Return a text in the first size in which it fits, else in the last size."""
    for size, most in sizes:
        lines = broken(text, width, size, face)
        if len(lines) <= most:
            break
    return Words(lines, top, len(lines) * size * _POINT * _LINE, size)


def _paragraphs(text: str, face: str, room: float, high: float) -> Iterator[tuple[str, ...]]:
    """Yield the lines of a text in groups that fit on a face."""
    most = max(1, int(room // high))
    lines = broken(text, ROOM, TEXT, face)
    yield from (lines[start : start + most] for start in range(0, len(lines), most))
