"""Markers: a word, a drawn sign or a figure; with the name, quality and side of a unit if it has them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from generator.render.drawing import Point, mm, outlines, path, rect
from generator.render.inks import BLACK, WHITE, tone
from generator.render.maps.signs import border, paint
from generator.render.markers.pieces import LEADING, SMALL, Look, Page, Text, block, dots, fold, ground, height_of
from generator.render.type.text_length import POINT, broken

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
