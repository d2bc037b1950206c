"""Markers to cut out, their layout on sheets of paper, and the turn track above them."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

from markupsafe import Markup

from generator.errors import LayoutError, Remedy
from generator.render.drawing import line, mm, path
from generator.render.geometry import geometry, side_margin
from generator.render.imprinted import Imprinted
from generator.render.inks import BLACK, GREY, WHITE
from generator.render.maps.signs import border, paint
from generator.render.markers.packing import SIZE, TOP, Packing
from generator.render.type.line_breaks import broken
from generator.render.type.text_length import length

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from generator.render.blocks import Ink, Paper

_INSET, _BAND = 1.9, 4.0
"""Distance of a side's strip from the edge of its marker, and height of the strip."""
_ROOM = 21.6
_POINT = 25.4 / 72
_LINE = 1.16
_SIZES: tuple[float, ...] = (9, 8, 7)
_LARGE = (13, 11, *_SIZES)
"""Type sizes, in points, of a word with other content, and of a word alone on its marker."""
_LEAST_LINES, _MOST_LINES = 2, 4
_TURN, _NARROW, _TURNS_HIGH = 22.0, 18.4, 16.0
_SMALL, _KEY = 7, 8
_KEY_TOP, _KEY_LINE, _KEY_LINES, _ABREAST = 16.2, 3.5, 2, 3
"""The key above the markers: its top, line height, number of lines with room, and number of sides per line."""
_INITIALS = 8
SIGNS = {
    "fire": "M6 .6V3M6 6.2V8.6M1.2 4.6H4M8 4.6H10.8M6 1.8A2.8 2.8 0 0 1 6 7.4A2.8 2.8 0 0 1 6 1.8Z",
    "burst": "M6 .4L7.2 3L10 1.6L8.8 4.2L11.4 5L8.8 5.8L10 8.4L7.2 7L6 9.4"
    "L4.8 7L2 8.4L3.2 5.8L.6 5L3.2 4.2L2 1.6L4.8 3Z",
    "shell": "M4.2 9V4.4Q4.2 1.6 6 .6Q7.8 1.6 7.8 4.4V9ZM4.2 7.2H7.8",
    "smoke": "M2.6 8A2 2 0 0 1 2.4 4.2A2.6 2.6 0 0 1 7 2.6A2.2 2.2 0 0 1 9.8 5A1.6 1.6 0 0 1 9.4 8Z",
    "mine": "M3 6.6A3 3 0 0 1 9 6.6ZM1.4 6.6H10.6M6 3.6V1.6M3.6 4.4L2.2 3M8.4 4.4L9.8 3",
    "flag": "M3.4 9.2V.8M3.4 1.2H9.6L8 3.1L9.6 5H3.4",
    "drop": "M6 .8Q9 4.6 9 6.2A3 3 0 0 1 3 6.2Q3 4.6 6 .8Z",
    "fallen": "M1 8.4H11M2.2 6.6A1.2 1.2 0 0 1 2.2 4.2A1.2 1.2 0 0 1 2.2 6.6ZM4 5.4L10.4 6.4M6 5.8L8 3.6",
    "dug-in": "M.8 8.2H3L4.6 4.4H7.4L9 8.2H11.2M4 2.6H8",
    "bolt": "M7 .4L2.8 5.4H5.6L4.8 9.2L9.2 3.8H6.4Z",
    "stop": "M3.8 .8H8.2L11 3.4V6.2L8.2 8.8H3.8L1 6.2V3.4ZM3.2 4.8H8.8",
    "down": "M6 .8V8.2M2.8 5L6 8.4L9.2 5",
    "target": "M6 .6A4.2 4.2 0 0 1 6 9A4.2 4.2 0 0 1 6 .6ZM6 3A1.8 1.8 0 0 1 6 6.6A1.8 1.8 0 0 1 6 3Z"
    "M6 .6V9M1.8 4.8H10.2",
    "eye": "M1 4.8Q6 -.4 11 4.8Q6 10 1 4.8ZM6 3.4A1.4 1.4 0 0 1 6 6.2A1.4 1.4 0 0 1 6 3.4Z",
    "empty": "M4 9V4Q4 1.6 6 .6Q8 1.6 8 4V9ZM2 8.6L10 1.2",
    "jam": "M1.2 3H8.4V5.2H5.4L4.6 8.2H2.2L3 5.2H1.2ZM8 7L11 9.4M11 7L8 9.4",
    "missile": "M6 9V4.2M4.4 9H7.6M4.4 5.4Q4.4 2.2 6 .6Q7.6 2.2 7.6 5.4V9M4.4 5.4V9",
    "person": "M6 .6A1.5 1.5 0 0 1 6 3.6A1.5 1.5 0 0 1 6 .6ZM2.8 9V7.4A3.2 2.8 0 0 1 9.2 7.4V9",
    "turn": "M3 .8H9M3 8.8H9M3.6 .8Q3.6 3.4 6 4.8Q8.4 3.4 8.4 .8M3.6 8.8Q3.6 6.2 6 4.8Q8.4 6.2 8.4 8.8",
    "wreck": "M1 8.4H11M2.4 8.2L3.2 5.6H8.8L9.6 8.2M6.6 5.6L10.4 3.2M4 4.4Q3 3 4.2 2.2Q5.4 1.2 4.4 .4",
}
"""The drawings on markers, in a box of 12 by 9.8. The marker's word always stands under the drawing."""


@dataclass(frozen=True, slots=True)
class Counter:
    """A marker. Its texts are printed without markup."""

    word: str
    """The meaning of the marker."""
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
    round: bool = False
    """Whether the figure is on a black disc, as on the map."""

    @property
    def places(self) -> int:
        """The number of squares that it takes."""
        return 2 if self.back else 1


class Turn(NamedTuple):
    """A box of the turn track."""

    number: int
    events: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Counters(Imprinted):
    """A document of markers."""

    counters: tuple[Counter, ...]
    turns: tuple[Turn, ...]
    sides: tuple[str, ...]
    colours: tuple[str, ...]
    note: str = ""
    """A note on the use of some markers, printed once above the first marker."""


class Text(NamedTuple):
    """A line of text, placed in millimetres from the corner of the page."""

    said: str
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
    """The lines and texts on a sheet of paper."""

    lines: list[str] = field(default_factory=list)
    texts: list[Text] = field(default_factory=list)

    @property
    def drawn(self) -> Markup:
        """The lines as one piece of SVG."""
        return Markup("".join(self.lines))  # noqa: S704 - numbers of our own


def draw_counters(sheet: Counters, paper: Paper, ink: Ink) -> list[Page]:
    """Return pages with every marker in order, each in the first free place; folded markers take two places.

    The rest of a row is filled with blank markers to write on, so that every row is full on any paper.
    """
    wide = geometry(paper).paper[0]
    pages = [Page()]
    _track(sheet, pages[0], wide, _notes(sheet, pages[0], wide))
    packing = packing_of(sheet, paper)
    for counter in sheet.counters:
        number, x, y = packing.place(counter.places)
        if number == len(pages):
            pages.append(Page())
        _counter(sheet, counter, (x, y), pages[number], ink)
    for number, x, y in packing.rest():
        pages[number].lines.append(_cut(x, y) + _blank(x, y))
    for page in pages:
        _key(sheet, page, wide, ink)
    return pages


def packing_of(sheet: Counters, paper: Paper) -> Packing:
    """Return the sheets of paper before any marker is placed; room for notes and the turn track is taken."""
    wide = geometry(paper).paper[0]
    notes = _notes(sheet, Page(), wide)
    return Packing(geometry(paper).paper, notes + _track(sheet, Page(), wide, notes))


# One marker


def _counter(sheet: Counters, counter: Counter, at: tuple[float, float], page: Page, ink: Ink) -> None:
    x, y = at
    colour = paint(counter.colour, ink)
    page.lines.append(_cut(x, y))
    if counter.colour and ink == "colour":
        inner = f'x="{mm(x + 0.8)}" y="{mm(y + 0.8)}" width="{SIZE - 1.6}" height="{SIZE - 1.6}"'
        page.lines.append(f'<rect {inner} fill="none" stroke="{colour}" stroke-width="0.9"/>')
    down = y + 1.6
    if counter.side is not None:
        down = _band(sheet, counter.side, (x, y), page, ink)
    for text in _block(counter.name, down, x, heavy=True) if counter.name else ():
        page.texts.append(text)
        down = text.top + text.size * _POINT * _LINE
    alone = not (counter.name or counter.figure or counter.sign or counter.rank)
    words = list(_block(counter.word, 0, x, heavy=not counter.name, sizes=_LARGE if alone else _SIZES))
    high = sum(text.size * _POINT * _LINE for text in words)
    foot = down + (y + SIZE - down - high) / 2 if alone else y + SIZE - 1.6 - high
    page.texts += [text._replace(top=text.top + foot) for text in words]
    _middle(counter, (x, down), foot - down, page, colour)
    if counter.back:
        _back(sheet, counter, (x + SIZE, y), page, ink)


def _middle(counter: Counter, at: tuple[float, float], high: float, page: Page, colour: str) -> None:
    """Add a figure or a sign between name and word, with the chevrons of the quality beside it."""
    x, y = at
    middle = x + SIZE / 2, y + high / 2
    if counter.rank:
        step = min(2.0, high / (counter.rank + 1))
        tops = [middle[1] + (number - (counter.rank - 1) / 2) * step for number in range(counter.rank)]
        page.lines.append(path([f"M{mm(x + 3)} {mm(top + 0.7)}l2 -1.4l2 1.4" for top in tops], 0.6, colour))
    if counter.figure:
        size = max(_SMALL, min(20, high / _POINT / _LINE))
        if counter.round:
            circle = f'cx="{mm(middle[0])}" cy="{mm(middle[1])}" r="{mm(min(5.2, high / 2))}"'
            page.lines.append(f'<circle {circle} fill="{BLACK}"/>')
            size = min(size, 17)
        shown = WHITE if counter.round else BLACK
        top = middle[1] - size * _POINT * 0.6
        page.texts.append(Text(counter.figure, x + 7, top, SIZE - 14, size, heavy=True, colour=shown))
    elif counter.sign in SIGNS:
        zoom = min(1.0, high / 10.4)
        move = f"translate({mm(middle[0] - 6 * zoom)} {mm(middle[1] - 4.9 * zoom)}) scale({zoom:.3f})"
        drawn = (
            f'<path d="{SIGNS[counter.sign]}" fill="none" stroke="{BLACK}" stroke-width="0.6" stroke-linejoin="round"/>'
        )
        page.lines.append(f'<g transform="{move}">{drawn}</g>')


def _back(sheet: Counters, counter: Counter, at: tuple[float, float], page: Page, ink: Ink) -> None:
    """Add the back of a marker beside its front; folded along the line between, it reads correctly."""
    x, y = at
    page.lines.append(_cut(x, y, folded=True))
    down = _band(sheet, counter.side, at, page, ink) if counter.side is not None else y + 1.6
    names = list(_block(counter.name, down, x, heavy=False)) if counter.name else []
    page.texts += names
    down += sum(text.size * _POINT * _LINE for text in names)
    words = list(_block(counter.back, 0, x, heavy=True, sizes=_LARGE))
    high = sum(text.size * _POINT * _LINE for text in words)
    start = down + (y + SIZE - down - high) / 2
    page.texts += [text._replace(top=text.top + start) for text in words]


def _band(sheet: Counters, side: int, at: tuple[float, float], page: Page, ink: Ink) -> float:
    """Add the owner's name on a strip in the dashes of its zones on the map; return the strip's lower end."""
    x, y = at
    name = short_name(sheet.sides[side])
    strip = f"M{mm(x + _INSET)} {mm(y + _INSET + _BAND / 2)}h{mm(SIZE - 2 * _INSET)}"
    page.lines.append(border(strip, side, paint(sheet.colours[side], ink, side), _BAND))
    plate = f'x="{mm(x + 3.8)}" y="{mm(y + _INSET + 0.6)}" width="{mm(SIZE - 7.6)}" height="{mm(_BAND - 1.2)}"'
    page.lines.append(f'<rect {plate} fill="{WHITE}"/>')
    top = y + _INSET + (_BAND - _SMALL * _POINT * _LINE) / 2
    page.texts.append(Text(name, x + 2, top, SIZE - 4, _SMALL, heavy=True))
    return y + _INSET + _BAND + 0.2


def short_name(side: str) -> str:
    """Return a side's name as printed on a marker's strip; a long name as its initials.

    >>> short_name("Red"), short_name("Lannick Point Garrison")
    ('Red', 'LPG')
    """
    if len(broken(side, _ROOM - 4, _SMALL, "sans-bold")) == 1:
        return side
    return "".join(word[0] for word in side.split())[:_INITIALS] or side[:_INITIALS]


def _key(sheet: Counters, page: Page, wide: float, ink: Ink) -> None:
    """Add the key of the sides' hatchings above the markers. Raise LayoutError if a name is too long."""
    owned = _owners(sheet)
    abreast = min(len(owned), _ABREAST)
    for place, side in enumerate(owned):
        pitch = (wide - 2 * side_margin()) / abreast
        x, y = side_margin() + place % abreast * pitch, _KEY_TOP + place // abreast * _KEY_LINE
        page.lines.append(border(f"M{mm(x)} {mm(y + 1.7)}h8", side, paint(sheet.colours[side], ink, side), 3))
        name = sheet.sides[side]
        said = name if short_name(name) == name else f"{short_name(name)}: {name}"
        long = length(said, _KEY, "sans-semibold")
        if long > pitch - 11:
            msg = f"{name!r} is too long for the key of the markers"
            raise LayoutError(msg, "markers", name, Remedy("shorten the name of the side"))
        page.texts.append(Text(said, x + 9.5, y, long + 0.4, _KEY))


def _owners(sheet: Counters) -> list[int]:
    return [number for number in range(len(sheet.sides)) if any(counter.side == number for counter in sheet.counters)]


def _notes(sheet: Counters, page: Page, wide: float) -> float:
    """Add the note on the use of markers under the key; return how much lower everything else must stand."""
    room, keys = wide - 2 * side_margin(), -(-len(_owners(sheet)) // _ABREAST)
    lines = broken(sheet.note, room, _KEY, "sans-semibold") if sheet.note else []
    for number, said in enumerate(lines, start=keys):
        page.texts.append(Text(said, side_margin(), _KEY_TOP + number * _KEY_LINE, room, _KEY, begins=True))
    return max(0, keys + len(lines) - _KEY_LINES) * _KEY_LINE if lines else 0


def _blank(x: float, y: float) -> str:
    """Return a dotted line to write on."""
    dots = f'stroke="{GREY}" stroke-width="0.35" stroke-linecap="round" stroke-dasharray="0 1"'
    return f'<path d="{line((x + 3, y + 9), (x + SIZE - 3, y + 9))}" fill="none" {dots}/>'


def _block(said: str, top: float, left: float, *, heavy: bool, sizes: Sequence[float] = _SIZES) -> Iterator[Text]:
    """Yield the lines of a text in the largest type that needs at most two lines, else in the smallest.

    Raises LayoutError if the text needs more than four lines.
    """
    face = "sans-bold" if heavy else "sans-semibold"
    for size in sizes:
        lines = broken(said, _ROOM, size, face)
        if len(lines) <= _LEAST_LINES:
            break
    if len(lines) > _MOST_LINES:
        msg = f"{said!r} is too long for a marker of {SIZE:g} mm"
        raise LayoutError(msg, "markers", said, Remedy("shorten the name"))
    for number, text in enumerate(lines):
        yield Text(text, left + 1.4, top + number * size * _POINT * _LINE, SIZE - 2.8, size, heavy)


def _cut(x: float, y: float, *, folded: bool = False) -> str:
    """Return the lines to cut along; the line between the two sides of a folded marker is broken."""
    sides = [
        line((x, y), (x + SIZE, y)),
        line((x + SIZE, y), (x + SIZE, y + SIZE)),
        line((x, y + SIZE), (x + SIZE, y + SIZE)),
    ]
    left = line((x, y), (x, y + SIZE))
    if not folded:
        return path([*sides, left], 0.12, "#999")
    over = f'<path d="{left}" fill="none" stroke="{WHITE}" stroke-width="0.4"/>'
    fold = f'<path d="{left}" fill="none" stroke="{GREY}" stroke-width="0.2" stroke-dasharray="1.6 1.2"/>'
    return path(sides, 0.12, "#999") + over + fold


# The track


def _track(sheet: Counters, page: Page, wide: float, lower: float) -> float:
    """Add rows of turn boxes with their events, ``lower`` millimetres further down; return the track's height."""
    if not sheet.turns:
        return 0
    room, many = wide - 2 * side_margin(), len(sheet.turns)
    box = room / many if _NARROW <= room / many < _TURN else _TURN
    each = round(room / box) if box < _TURN else int(room / box)
    left, down = (wide - each * box) / 2, TOP + lower
    for start in range(0, len(sheet.turns), each):
        row = sheet.turns[start : start + each]
        told = [
            [said for event in turn.events for said in broken(event, box - 2, _SMALL, "sans-semibold")] for turn in row
        ]
        step = _SMALL * _POINT * _LINE
        high = _TURNS_HIGH + max(0.0, max(map(len, told)) * step - 3)
        for number, (item, lines) in enumerate(zip(row, told, strict=True)):
            x = left + number * box
            frame = f'x="{mm(x)}" y="{mm(down)}" width="{mm(box)}" height="{mm(high)}"'
            page.lines.append(f'<rect {frame} fill="none" stroke="{BLACK}" stroke-width="{0.7 if lines else 0.3}"/>')
            page.texts.append(Text("Turn", x + 1, down + 0.8, box - 2, _SMALL))
            page.texts.append(Text(str(item.number), x + 1, down + 2.8, box - 2, 20, heavy=True))
            page.texts += [
                Text(said, x + 1, down + 11.6 + index * step, box - 2, _SMALL) for index, said in enumerate(lines)
            ]
        down += high
    return down - TOP - lower + 5
