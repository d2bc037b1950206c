"""Sheets of things to cut out: trays of pieces in rows under each other, below the notes and the turn track.

Pieces are markers, flags, the counters of a pot, a grid of dice that draws from it, templates, rulers and boards.
The template ``markers.html.j2`` draws them.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import accumulate
from math import cos, pi, sin
from typing import TYPE_CHECKING, ClassVar, NamedTuple, TypeAlias

from markupsafe import Markup

from generator.problems import LayoutError, Remedy
from generator.render.drawing import mm
from generator.render.geometry import MARKER_EDGES, SIDE_MARGIN, geometry
from generator.render.imprinted import Imprinted
from generator.render.language import CENTIMETRES
from generator.render.type.text_length import POINT, broken, length

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from generator.render.blocks import Paper

HEAD, _AFTER = 4.2, 3.6
"""Height of a tray's title, and the gap after a tray."""
_TURN, _NARROW, _TURNS_HIGH, _AFTER_TURNS = 22.0, 18.4, 16.0, 5
KEY_SIZE, KEY_LINE, ABREAST, _KEY_LINES = 8, 3.5, 3, 2
"""The key above the markers: its type size, line height, number of sides per line, and number of lines with room."""
LEADING = 1.16
SMALL = 7
"""The smallest type, in points."""
SIDE, BASE, CHIT = 18.0, 24.0, 15.0
"""The side of a marker in millimetres; of a marker with a name, which lies on a base of 25 mm; and of a chit."""
_FLAG = 17.0, 13.0
_PLAIN_HEAD, _OWNED_HEAD = 1.4, 5.6
"""The height of a marker's head without and with the strip of its side, above the name of a unit."""
_SIZES: tuple[float, ...] = (9, 8, 7)
_LARGE = (13, 11, *_SIZES)
"""Type sizes, in points, of a word with other content, and of a word alone on its marker."""
_CELL, _CELL_HIGH, _HEADS = 14.6, 8.0, 8.0
"""A cell of the grid of draws, and the width and height of its heads."""
UNITS = {"″": 25.4, CENTIMETRES["″"]: 10.0}
"""The millimetres of each unit of length."""
WIDEST = 196.0
"""The widest template, in millimetres, that both papers hold."""
_QUARTER = 120.0
"""A circle that is wider prints as a quarter."""
_WHOLE = 360


class Turn(NamedTuple):
    """A box of the turn track."""

    number: int
    events: tuple[str, ...] = ()


class Text(NamedTuple):
    """A text as it fits a piece."""

    size: float
    """In points."""
    lines: Markup
    height: float
    """In millimetres."""


@dataclass(frozen=True, slots=True)
class Counter:
    """A marker. Its texts are printed without markup."""

    word: str
    """The meaning of the marker; empty for a marker to write on."""
    name: str = ""
    """The name of the marker's unit."""
    figure: str = ""
    """A large number instead of a sign."""
    sign: str = ""
    rank: int = 0
    """The quality of the unit, shown as this number of chevrons."""
    colour: str = ""
    """The word for the colour of the unit's quality."""
    side: int | None = None
    """The number of the side that owns it; None if all sides use it."""
    back: str = ""
    """The text of the back; if set, the marker is folded."""
    tone: str = ""
    """The word for the colour of its ground."""

    @property
    def height(self) -> float:
        """The height in millimetres, which is also the width of the front; a marker with a name is larger."""
        return BASE if self.name else SIDE

    @property
    def width(self) -> float:
        """The width in millimetres; for a folded marker, of both halves together."""
        return self.height * (2 if self.back else 1)

    def texts(self) -> tuple[Text, Text, Text]:
        """Return the name, the word and the back, each broken into lines that fit the marker.

        ``fitted`` chooses their sizes of type. Raises LayoutError if one of them is too long.
        """
        alone = not (self.name or self.figure or self.sign or self.rank)
        face, sizes, wide = "sans-semibold" if self.name else "sans-bold", _LARGE if alone else _SIZES, self.height - 2
        return fitted(self.name, wide, _SIZES), fitted(self.word, wide, sizes, face), fitted(self.back, wide, _LARGE)

    def middle(self) -> tuple[float, float]:
        """Return the top and the height, in millimetres, of the place for a sign or figure between name and word.

        The top is measured from the top of the marker. If the marker has only a word, the word stands in the middle:
        the place above it is as high as the room below it. Raises LayoutError if a text is too long.
        """
        name, word, _ = self.texts()
        top = (_PLAIN_HEAD if self.side is None else _OWNED_HEAD) + name.height
        room = self.height - top - word.height
        return top, room - _PLAIN_HEAD if self.name or self.figure or self.sign or self.rank else room / 2


@dataclass(frozen=True, slots=True)
class Flag:
    """The flag of an objective, folded round a pin: its number on both sides, and its name if there is room."""

    figure: str
    name: str

    width: ClassVar[float] = 2 * _FLAG[0]
    height: ClassVar[float] = _FLAG[1]

    def lines(self) -> Sequence[str]:
        """Return the name in at most two lines; no lines if the name does not fit there, or is empty."""
        lines = broken(self.name, _FLAG[0] - 2, SMALL, "sans-semibold")
        return lines if len(lines) <= 2 and " ".join(lines).split() == self.name.split() else ()  # noqa: PLR2004 - the room


@dataclass(frozen=True, slots=True)
class Chit:
    """A counter of a pot: a number of a group, or a mark."""

    figure: str
    word: str
    """The group's colour, or the meaning of a mark."""
    group: int | None = None
    """The number of the group from 0, which decides its frame; None for a mark, whose figure is larger."""

    width: ClassVar[float] = CHIT
    height: ClassVar[float] = CHIT

    @property
    def tone(self) -> str:
        """The word for the colour of its ground: that of its group, or black for a mark."""
        return "black" if self.group is None else self.word

    def size(self, radius: float) -> float:
        """Return the type size in points of the figure in a frame of this radius in millimetres."""
        size = radius * (4.2 if self.group is None else 3.4)
        while size > SMALL and length(self.figure, size, "sans-bold") > 2.7 * radius:
            size -= 0.5
        return size


@dataclass(frozen=True, slots=True)
class Draws:
    """A grid of chits, in which two dice find a cell. ``chits`` fill the cells row by row.

    Each cell behind the last chit says to roll again.
    """

    down: int
    """The sides of the die of the rows."""
    across: int
    chits: tuple[Chit, ...]

    @property
    def width(self) -> float:
        """The width of the grid with the heads of its rows, in millimetres."""
        return _HEADS + self.across * _CELL

    @property
    def height(self) -> float:
        """The height of the grid with the heads of its columns, in millimetres."""
        return _HEADS + self.down * _CELL_HIGH


@dataclass(frozen=True, slots=True)
class Template:
    """A circle, ring or arc. A circle wider than 120 mm is printed as a quarter."""

    name: str
    radius: float
    inner: float = 0
    """The radius of a ring's hole."""
    degrees: int = _WHOLE
    unit: str = "″"

    @property
    def angle(self) -> int:
        """The printed angle in degrees; a circle wider than 120 mm is printed as a quarter."""
        return 90 if self.degrees == _WHOLE and 2 * self.reach > _QUARTER else self.degrees

    @property
    def reach(self) -> float:
        """The radius in millimetres."""
        return self.radius * UNITS[self.unit]

    @property
    def width(self) -> float:
        """The printed width in millimetres: the diameter of a whole circle, or the chord of a sector or a quarter."""
        return 2 * self.reach * (1 if self.angle == _WHOLE else sin(pi * self.angle / 360))

    @property
    def height(self) -> float:
        """The printed height in millimetres: the diameter of a whole circle, or the radius of a sector or a quarter."""
        return self.reach * (2 if self.angle == _WHOLE else 1)

    def outline(self, radius: float) -> str:
        """Return a circle of this radius as path data; for a printed angle below 360°, a sector that opens upwards.

        ``radius`` is in the unit of the template. A sector must be at most half a circle. Each arc is at most a quarter
        of a circle, because the engine draws longer arcs in the wrong place.
        """
        x, y, far, half = self.width / 2, self.reach, radius * UNITS[self.unit], pi * self.angle / 360
        turns = (-half, 0, half) if self.angle < _WHOLE else [pi * quarter / 2 for quarter in range(5)]
        points = [f"{mm(x + far * sin(turn))} {mm(y - far * cos(turn))}" for turn in turns]
        begin = f"M{mm(x)} {mm(y)}L" if self.angle < _WHOLE else "M"
        return begin + f"A{mm(far)} {mm(far)} 0 0 1 ".join(points) + "Z"


@dataclass(frozen=True, slots=True)
class Ruler:
    """A ruler with a mark at each quarter of its unit, in true size."""

    name: str
    long: int
    """Its length in units."""
    unit: str = "″"

    height: ClassVar[float] = 13.0

    @property
    def width(self) -> float:
        """The width in millimetres."""
        return self.long * UNITS[self.unit]


@dataclass(frozen=True, slots=True)
class Board:
    """Boxes side by side in which models or counters lie."""

    name: str
    boxes: tuple[str, ...]

    height: ClassVar[float] = 40.0

    @property
    def width(self) -> float:
        """The width in millimetres."""
        return len(self.boxes) * 58.0


Piece: TypeAlias = Counter | Flag | Chit | Draws | Template | Ruler | Board
"""A thing to cut out. The template has macros for each class."""


class Tray(NamedTuple):
    """Pieces that are printed together, under a title if they have one."""

    pieces: tuple[Piece, ...]
    title: str = ""
    gap: float = 0
    """Millimetres between pieces; without a gap one cut parts two of them."""


class MarkerRow(NamedTuple):
    """A row of pieces on a page, in millimetres."""

    top: float
    height: float
    left: float
    cut: float
    """The length of the cuts above and below it; 0 for pieces with gaps."""
    pieces: tuple[tuple[float, Piece], ...]
    """Each piece after its left edge."""
    title: str
    """The title of the tray, above its first row on each page; empty for other rows."""


class TurnRow(NamedTuple):
    """A row of the turn track, in millimetres."""

    top: float
    height: float
    left: float
    width: float
    """The width of a turn."""
    turns: tuple[tuple[int, Markup], ...]
    """The number of each turn, and the lines of its events."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MarkerSheets(Imprinted):
    """A document of things to cut out: markers, counters, templates, rulers and a turn track."""

    trays: tuple[Tray, ...]
    turns: tuple[Turn, ...] = ()
    sides: tuple[str, ...] = ()
    colours: tuple[str, ...] = ()
    note: str = ""
    """A note on the use of some markers, printed once above the first marker."""

    @property
    def counters(self) -> tuple[Counter, ...]:
        """The markers of all trays, in order; other pieces, such as flags and chits, are left out."""
        return tuple(piece for tray in self.trays for piece in tray.pieces if isinstance(piece, Counter))

    def owners(self) -> list[int]:
        """Return the numbers of the sides that own a marker, in ascending order."""
        return sorted({counter.side for counter in self.counters if counter.side is not None})

    def note_lines(self, paper: Paper) -> tuple[str, ...]:
        """Return the note on the use of markers in lines that fit between the margins; no lines without a note."""
        return broken(self.note, _room(paper), KEY_SIZE, "sans-semibold")

    def track(self, paper: Paper) -> list[TurnRow]:
        """Return the rows of the turn track, which is below the key of the sides and the note.

        Without turns, return one row without turns, of height 0, at the place of the track.
        """
        room, many = _room(paper), len(self.turns)
        above = -(-len(self.owners()) // ABREAST) + len(self.note_lines(paper)) - _KEY_LINES if self.note else 0
        down, rows = MARKER_EDGES.top + max(0, above) * KEY_LINE, list[TurnRow]()
        width = room / many if many and _NARROW <= room / many < _TURN else _TURN
        each = round(room / width) if width < _TURN else int(room / width)
        left = (geometry(paper).paper[0] - each * width) / 2
        for start in range(0, max(many, 1), each):
            events = [
                [line for event in turn.events for line in broken(f"{event}.", width - 2, SMALL, "sans-semibold")]
                for turn in self.turns[start : start + each]
            ]
            more = max((len(lines) for lines in events), default=0) * SMALL * POINT * LEADING - 3
            turns = tuple((number, _lines(lines)) for number, lines in enumerate(events, start=start + 1))
            rows.append(TurnRow(down, _TURNS_HIGH + max(0, more) if turns else 0, left, width, turns))
            down += rows[-1].height
        return rows

    def pages(self, paper: Paper) -> list[list[MarkerRow]]:
        """Return the rows of each page with every piece in order. A new row begins where the next piece does not fit.

        Rows of a tray without gaps begin at the same place, so that one cut goes through all of them. The last row of a
        tray of markers is filled with blank markers.
        """
        (wide, high), edges = geometry(paper).paper, MARKER_EDGES
        pages, track = list[list[MarkerRow]]([[]]), self.track(paper)[-1]
        down = track.top + track.height + (_AFTER_TURNS if self.turns else 0)
        for tray in self.trays:
            head, rows = HEAD if tray.title else 0, [*_rows(tray, wide - 2 * edges.side)]
            grid = max(_length(row, tray.gap) for row in rows)
            for number, row in enumerate(rows):
                tall = max(piece.height for piece in row)
                above = tray.gap if number else head
                begins = down + above + tall > high - edges.foot
                if begins:
                    pages.append([])
                    down, above = edges.top, head
                left = (wide - (_length(row, tray.gap) if tray.gap else grid)) / 2
                lefts = accumulate((piece.width + tray.gap for piece in row), initial=left)
                title = tray.title if begins or not number else ""
                places = tuple(zip(lefts, row, strict=False))
                pages[-1].append(MarkerRow(down + above, tall, left, 0 if tray.gap else grid, places, title))
                down += above + tall
            down += _AFTER
        return pages


def _room(paper: Paper) -> float:
    return geometry(paper).paper[0] - 2 * SIDE_MARGIN


def _rows(tray: Tray, room: float) -> Iterator[list[Piece]]:
    """Yield the pieces of each row, which is at most ``room`` millimetres wide; a wider piece has its own row.

    The last row of markers is filled with blank markers.
    """
    row: list[Piece] = []
    for piece in tray.pieces:
        if row and _length([*row, piece], tray.gap) > room:
            yield row
            row = []
        row.append(piece)
    if row and isinstance(row[-1], Counter):
        blank = Counter("", name=row[-1].name and " ")
        grid = room // tray.pieces[0].width * tray.pieces[0].width
        row += [blank] * int((grid - _length(row, tray.gap)) / blank.width + 0.5)
    if row:
        yield row


def _length(row: Sequence[Piece], gap: float) -> float:
    return sum(piece.width for piece in row) + gap * (len(row) - 1)


def short_names(sides: Sequence[str]) -> list[str]:
    """Return the name of each side as printed on the strips of its markers.

    A name that does not fit on one line is replaced by the first letters of its words. A single word that does not fit
    is cut. Both have at most eight letters. Texts that would be the same for several sides are cut after the seventh
    letter, and end with the number of the side, counted from 1. So they differ, unless another side is named like that.

    >>> short_names(["Red", "Lannick Point Garrison", "Grenzschutzregiment"])
    ['Red', 'LPG', 'Grenzsch']
    """
    names = []
    for side in sides:
        first, *more = broken(side, SIDE - 6, SMALL, "sans-bold")
        initials = "".join(word[0] for word in side.split())
        names.append((initials if len(initials) > 1 else first)[:8] if more else side)
    return [name if names.count(name) == 1 else f"{name[:7]}{number}" for number, name in enumerate(names, start=1)]


def key(side: str, short: str, room: float) -> str:
    """Return the text of a side in the key: its name, after its short name if that differs.

    Raises LayoutError if the text is longer than ``room`` millimetres.
    """
    text = side if short == side else f"{short}: {side}"
    if length(text, KEY_SIZE, "sans-semibold") > room:
        msg = f"{side!r} is too long for the key of the markers"
        raise LayoutError(msg, "markers", side, Remedy("shorten the name of the side"))
    return text


def fitted(text: str, wide: float, sizes: Sequence[float], face: str = "sans-bold", most: int = 4) -> Text:
    """Return a text in the largest of the ``sizes`` in which it needs at most two lines, and no word is broken.

    If ``most`` is 1, the text must fit on one line. ``sizes`` are points, from the largest; ``wide`` is millimetres;
    ``face`` is the id of a font face. If the text fits in no size, the last size is used, in which a word may be
    broken. Raises LayoutError if the text then needs more than ``most`` lines.
    """
    for size in sizes:
        lines = broken(text, wide - 0.4, size, face)
        torn = any(length(word, size, face) > wide - 0.4 for word in text.split())
        if len(lines) <= min(2, most) and not torn:
            break
    if len(lines) > most:
        msg = f"{text!r} is too long for a marker of {wide:g} mm"
        raise LayoutError(msg, "markers", text, Remedy("shorten the name"))
    return Text(size, _lines(lines), len(lines) * size * POINT * LEADING)


def _lines(lines: Sequence[str]) -> Markup:
    return Markup("<br/>").join(lines)


def length_words(number: float, unit: str) -> str:
    """Return a length as text; any fraction is printed as a half.

    >>> length_words(2, "″"), length_words(1.5, "″")
    ('2″', '1½″')
    """
    return f"{int(number) or ''}½{unit}" if number % 1 else f"{int(number)}{unit}"
