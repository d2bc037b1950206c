"""Sheets of things to cut out: trays of pieces in rows under each other, below the notes and the turn track.

The pieces are markers: a word, a drawn sign or a figure; with the name, quality and side of a unit if it has them.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, ClassVar, NamedTuple, Protocol

from generator.problems import LayoutError, Remedy
from generator.render.drawing import BLACK, GREY, WHITE, Point, line, mm, outlines, path, rect, tone
from generator.render.geometry import MARKER_EDGES, SIDE_MARGIN, geometry
from generator.render.imprinted import Imprinted
from generator.render.maps.signs import border, paint
from generator.render.type.text_length import POINT, broken, length

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from generator.render.blocks import Ink, Paper

_HEAD, _AFTER = 4.2, 3.6
"""Height of a tray's title, and the gap after a tray."""
_TURN, _NARROW, _TURNS_HIGH = 22.0, 18.4, 16.0
_KEY = 8
_KEY_TOP, _KEY_LINE, _KEY_LINES, _ABREAST = 17.2, 3.5, 2, 3
"""The key above the markers: its top, line height, number of lines with room, and number of sides per line."""


class Turn(NamedTuple):
    """A box of the turn track."""

    number: int
    events: tuple[str, ...] = ()


class Tray(NamedTuple):
    """Pieces that are printed together, under a title if they have one."""

    pieces: tuple[Piece, ...]
    title: str = ""
    gap: float = 0
    """Millimetres between pieces; without a gap one cut parts two of them."""


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
        """The markers of all trays, in order."""
        return tuple(piece for tray in self.trays for piece in tray.pieces if isinstance(piece, Counter))


def draw_sheets(sheet: MarkerSheets, paper: Paper, ink: Ink) -> list[Page]:
    """Return pages with every piece in order. A new row begins where the next piece does not fit.

    Rows without gaps begin at the same place, so that one cut goes through all of them. Raises LayoutError if a text
    does not fit, and ValueError for a tray without pieces.
    """
    wide, high = geometry(paper).paper
    pages = [Page()]
    down = MARKER_EDGES.top + _notes(sheet, pages[0], wide)
    down += _track(sheet, pages[0], wide, down)
    look = Look(ink, sheet.sides, sheet.colours, sheet.say)
    for tray in sheet.trays:
        head, rows = _HEAD if tray.title else 0, [*_rows(tray, wide - 2 * MARKER_EDGES.side)]
        grid = max(_length(row, tray.gap) for row in rows)
        for number, row in enumerate(rows):
            tall = max(piece.height for piece in row)
            above = tray.gap if number else head
            if down + above + tall > high - MARKER_EDGES.foot:
                pages.append(Page())
                down, above = MARKER_EDGES.top, head
            if tray.title and (not number or down == MARKER_EDGES.top):
                pages[-1].texts.append(Text(tray.title, SIDE_MARGIN, down, wide, _KEY, heavy=True, begins=True))
            down += above
            left = (wide - (_length(row, tray.gap) if tray.gap else grid)) / 2
            if not tray.gap:
                pages[-1].lines.append(ticks((left, down), (grid, tall)))
            for piece in row:
                piece.draw(pages[-1], (left, down), look)
                left += piece.width + tray.gap
            down += tall
        down += _AFTER
    for page in pages:
        _key(sheet, page, wide, ink)
    return pages


def _rows(tray: Tray, room: float) -> Iterator[list[Piece]]:
    """Yield the pieces of each row, which is at most ``room`` wide.

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


def _key(sheet: MarkerSheets, page: Page, wide: float, ink: Ink) -> None:
    """Add the key of the sides' hatchings above the markers. Raise LayoutError if a name is too long."""
    owned = _owners(sheet)
    abreast = min(len(owned), _ABREAST)
    for place, side in enumerate(owned):
        pitch = (wide - 2 * SIDE_MARGIN) / abreast
        x, y = SIDE_MARGIN + place % abreast * pitch, _KEY_TOP + place // abreast * _KEY_LINE
        page.lines.append(border(f"M{mm(x)} {mm(y + 1.7)}h8", side, paint(sheet.colours[side], ink, side), 3))
        name = sheet.sides[side]
        text = name if short_name(name) == name else f"{short_name(name)}: {name}"
        long = length(text, _KEY, "sans-semibold")
        if long > pitch - 11:
            msg = f"{name!r} is too long for the key of the markers"
            raise LayoutError(msg, "markers", name, Remedy("shorten the name of the side"))
        page.texts.append(Text(text, x + 9.5, y, long + 0.4, _KEY))


def _owners(sheet: MarkerSheets) -> list[int]:
    owners = {counter.side for counter in sheet.counters}
    return [number for number in range(len(sheet.sides)) if number in owners]


def _notes(sheet: MarkerSheets, page: Page, wide: float) -> float:
    """Add the note on the use of markers under the key.

    Return how much lower all other content must begin; 0 without a note.
    """
    room, keys = wide - 2 * SIDE_MARGIN, -(-len(_owners(sheet)) // _ABREAST)
    lines = broken(sheet.note, room, _KEY, "sans-semibold") if sheet.note else ()
    for number, text in enumerate(lines, start=keys):
        page.texts.append(Text(text, SIDE_MARGIN, _KEY_TOP + number * _KEY_LINE, room, _KEY, begins=True))
    return max(0, keys + len(lines) - _KEY_LINES) * _KEY_LINE if lines else 0


def _track(sheet: MarkerSheets, page: Page, wide: float, down: float) -> float:
    """Add rows of turn boxes with their events, from ``down`` on; return the height of the track, 0 without turns."""
    if not sheet.turns:
        return 0
    room, many, top = wide - 2 * SIDE_MARGIN, len(sheet.turns), down
    width = room / many if _NARROW <= room / many < _TURN else _TURN
    each = round(room / width) if width < _TURN else int(room / width)
    left = (wide - each * width) / 2
    for start in range(0, len(sheet.turns), each):
        row = sheet.turns[start : start + each]
        events = [
            [text for event in turn.events for text in broken(f"{event}.", width - 2, SMALL, "sans-semibold")]
            for turn in row
        ]
        step = SMALL * POINT * LEADING
        high = _TURNS_HIGH + max(0.0, max(map(len, events)) * step - 3)
        for number, (item, lines) in enumerate(zip(row, events, strict=True)):
            x = left + number * width
            frame = f'fill="none" stroke="{BLACK}" stroke-width="{0.7 if lines else 0.3}"'
            page.lines.append(rect((x, down), (width, high), frame))
            page.texts.append(Text(sheet.say("Turn"), x + 1, down + 0.8, width - 2, SMALL))
            page.texts.append(Text(str(item.number), x + 1, down + 2.8, width - 2, 20, heavy=True))
            page.texts += [
                Text(text, x + 1, down + 11.6 + index * step, width - 2, SMALL) for index, text in enumerate(lines)
            ]
        down += high
    return down - top + 5


SIDE, BASE = 18.0, 24.0
"""The side of a marker in millimetres; of a marker with a name, which lies on a base of 25 mm."""
FLAG = 17.0, 13.0
_INSET, _BAND = 1.4, 4.0
"""Distance of a side's strip from the edge of its marker, and height of the strip."""
_SIZES: tuple[float, ...] = (9, 8, 7)
_LARGE = (13, 11, *_SIZES)
"""Type sizes, in points, of a word with other content, and of a word alone on its marker."""
_INITIALS = 8


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
    def square(self) -> float:
        """The length of a side of the front, in millimetres; a marker with a name is larger."""
        return BASE if self.name else SIDE

    @property
    def width(self) -> float:
        """The width in millimetres; for a folded marker, of both halves together."""
        return self.square * (2 if self.back else 1)

    @property
    def height(self) -> float:
        """The height in millimetres."""
        return self.square

    def draw(self, page: Page, at: Point, look: Look) -> None:
        """Add the marker to a page, its back beside its front. ``at`` is the upper left corner of the front.

        Raises LayoutError if a text is too long for it.
        """
        (x, y), size = at, self.square
        fill, on = tone(self.tone, look.ink)
        page.lines.append(ground(at, (self.width, size), fill))
        if not self.word:
            page.lines.append(dots(x + 2, y + size * 0.4, size - 4))
            return
        shade = paint(self.colour, look.ink) if self.colour else on
        if self.colour and look.ink == "colour":
            frame = f'fill="none" stroke="{shade}" stroke-width="0.9"'
            page.lines.append(rect((x + 0.6, y + 0.6), (size - 1.2, size - 1.2), frame))
        down = self._head(page, at, look, on)
        alone = not (self.name or self.figure or self.sign or self.rank)
        sizes = _LARGE if alone else _SIZES
        words = [*block(self.word, (x + 1, 0), size - 2, sizes, heavy=not self.name, colour=on)]
        foot = y + size - 1.4 - height_of(words)
        if alone:
            foot = down + (y + size - down - height_of(words)) / 2
        page.texts += [text._replace(top=text.top + foot) for text in words]
        self._middle(page, (x + size / 2, down), foot - down, (on, shade))
        if self.back:
            self._back(page, (x + size, y), look, on)

    def _head(self, page: Page, at: Point, look: Look, on: str) -> float:
        """Add the strip of the side and the name of the unit; return the lower end of the head.

        ``on`` is the colour of the text.
        """
        x, y = at
        down = y + 1.4
        if self.side is not None:
            down = _band(look, self.side, at, self.square, page)
        names = [*block(self.name, (x + 1, down), self.square - 2, _SIZES, heavy=True, colour=on)] if self.name else []
        page.texts += names
        return down + height_of(names)

    def _middle(self, page: Page, at: Point, high: float, colours: tuple[str, str]) -> None:
        """Add a figure or a sign between name and word, with the chevrons of the quality beside it."""
        x, middle = at[0], at[1] + high / 2
        on, shade = colours
        if self.rank:
            step, left = min(2.0, high / (self.rank + 1)), x - self.square * 0.38
            tops = [middle + (number - (self.rank - 1) / 2) * step for number in range(self.rank)]
            page.lines.append(path([f"M{mm(left)} {mm(top + 0.7)}l2 -1.4l2 1.4" for top in tops], 0.6, shade))
        if self.figure:
            size = max(SMALL, min(20, high / POINT / LEADING))
            top, wide = middle - size * POINT * 0.6, self.square / 2
            page.texts.append(Text(self.figure, x - wide / 2, top, wide, size, heavy=True, colour=on))
        elif sign := outlines("markers").get(self.sign):
            zoom = min(1.0, high / 10.4)
            move = f"translate({mm(x - 6 * zoom)} {mm(middle - 4.9 * zoom)}) scale({zoom:.3f})"
            stroke = f'stroke="{on}" stroke-width="0.7" stroke-linejoin="round"'
            page.lines.append(f'<g transform="{move}"><path d="{sign}" fill="none" {stroke}/></g>')

    def _back(self, page: Page, at: Point, look: Look, on: str) -> None:
        """Add the back, which reads correctly if the marker is folded along the line between front and back."""
        (x, y), size = at, self.square
        page.lines.append(fold(x, y, size))
        down = self._head(page, at, look, on)
        words = [*block(self.back, (x + 1, 0), size - 2, _LARGE, heavy=True, colour=on)]
        start = down + (y + size - down - height_of(words)) / 2
        page.texts += [text._replace(top=text.top + start) for text in words]


@dataclass(frozen=True, slots=True)
class Flag:
    """The flag of an objective, folded round a pin: its number on both sides, and its name if there is room."""

    figure: str
    name: str

    width: ClassVar[float] = 2 * FLAG[0]
    height: ClassVar[float] = FLAG[1]

    def draw(self, page: Page, at: Point, look: Look) -> None:  # noqa: ARG002 - the same in every ink
        """Add both halves to a page."""
        (x, y), (wide, high) = at, FLAG
        page.lines += [ground(at, (self.width, high), WHITE), fold(x + wide, y, high)]
        lines = broken(self.name, wide - 2, SMALL, "sans-semibold")
        fits = len(lines) <= 2 and " ".join(lines) == self.name  # noqa: PLR2004 - the room under the number
        lines = lines if fits else ()
        radius = 4.6 if not lines else 3.2
        top = y + (high - 2 * radius - len(lines) * SMALL * POINT * LEADING) / 2
        for left in (x, x + wide):
            disc = f'cx="{mm(left + wide / 2)}" cy="{mm(top + radius)}" r="{mm(radius)}"'
            page.lines.append(f'<circle {disc} fill="{BLACK}"/>')
            size = radius * 3.6
            over = top + radius - size * POINT * LEADING / 2
            page.texts.append(Text(self.figure, left + 3, over, wide - 6, size, heavy=True, colour=WHITE))
            page.texts += [
                Text(text, left + 0.8, top + 2 * radius + number * SMALL * POINT * LEADING, wide - 1.6, SMALL)
                for number, text in enumerate(lines)
            ]


def _band(look: Look, side: int, at: Point, size: float, page: Page) -> float:
    """Add the owner's name on a strip in the dashes of its zones on the map; return the strip's lower end."""
    x, y = at
    strip = f"M{mm(x + _INSET)} {mm(y + _INSET + _BAND / 2)}h{mm(size - 2 * _INSET)}"
    page.lines.append(border(strip, side, paint(look.colours[side], look.ink, side), _BAND))
    page.lines.append(rect((x + 2.8, y + _INSET + 0.6), (size - 5.6, _BAND - 1.2), f'fill="{WHITE}"'))
    top = y + _INSET + (_BAND - SMALL * POINT * LEADING) / 2
    page.texts.append(Text(short_name(look.sides[side]), x + 1.6, top, size - 3.2, SMALL, heavy=True))
    return y + _INSET + _BAND + 0.2


def short_name(side: str) -> str:
    """Return a side's name as printed on a marker's strip; for a long name, its initials.

    >>> short_name("Red"), short_name("Lannick Point Garrison")
    ('Red', 'LPG')
    """
    if len(broken(side, SIDE - 6, SMALL, "sans-bold")) == 1:
        return side
    return "".join(word[0] for word in side.split())[:_INITIALS] or side[:_INITIALS]


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
    """Return the broken line along which a piece is folded, as SVG.

    The line runs straight down from the point (x, y); ``high`` is its length.
    """
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
