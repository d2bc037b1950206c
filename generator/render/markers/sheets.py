"""Sheets of things to cut out: trays of pieces in rows under each other, below the notes and the turn track."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from generator.errors import LayoutError, Remedy
from generator.render.drawing import mm, rect
from generator.render.geometry import MARKER_EDGES, SIDE_MARGIN, geometry
from generator.render.imprinted import Imprinted
from generator.render.inks import BLACK
from generator.render.maps.signs import border, paint
from generator.render.markers.counters import Counter, short_name
from generator.render.markers.pieces import LEADING, SMALL, Look, Page, Piece, Text, ticks
from generator.render.type.text_length import POINT, broken, length

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

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
