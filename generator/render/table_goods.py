"""Table goods: the counters of a pot, a grid of dice that draws from the pot, templates, rulers and boards of boxes.

Templates and rulers have the size of the table.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import cos, pi, sin
from typing import ClassVar, NamedTuple

from generator.render.drawing import WHITE, Point, line, mm, path, tone
from generator.render.language import CENTIMETRES
from generator.render.markers import LEADING, SMALL, Look, Page, Text, block, ground, height_of
from generator.render.type.text_length import POINT, length

SIDE = 15.0
_CELL, _CELL_HIGH, _HEAD = 14.6, 8.0, 8.0
"""A cell of the grid, and the width and height of its heads."""
_POLYGONS = ((3, -pi / 2, 1.3), (4, -pi / 4, 1.25), (4, 0, 1.1), (6, 0, 1.05))
"""Corners, turn and size of the frames of the second and further groups; the first group has a ring."""


@dataclass(frozen=True, slots=True)
class Chit:
    """A counter of a pot: a number of a group, or a mark."""

    figure: str
    word: str
    """The group's colour, or the meaning of a mark."""
    group: int | None = None
    """The number of the group from 0, which decides its frame; None for a mark."""

    width: ClassVar[float] = SIDE
    height: ClassVar[float] = SIDE

    def draw(self, page: Page, at: Point, look: Look) -> None:
        """Add the chit to a page: the figure in the frame of its group, above its word.

        Raises LayoutError for a word that needs more than one line.
        """
        x, y = at
        fill, colour = tone("black" if self.group is None else self.word, look.ink)
        page.lines.append(ground(at, (SIDE, SIDE), fill))
        self.draw_figure(page, (x + SIDE / 2, y + (6.2 if self.word else SIDE / 2)), 4.6, colour)
        words = [*block(self.word, (x + 0.5, 0), SIDE - 1, (SMALL,), heavy=False, most=1, colour=colour)]
        page.texts += [text._replace(top=y + SIDE - 1 - height_of(words)) for text in words]

    def draw_figure(self, page: Page, middle: Point, radius: float, colour: str) -> None:
        """Add the figure in the frame of its group. The figure of a mark has no frame, and is larger."""
        x, y = middle
        size = radius * 3.4 if self.group is not None else radius * 4.2
        while size > SMALL and length(self.figure, size, "sans-bold") > 2.7 * radius:
            size -= 0.5
        if self.group is not None:
            page.lines.append(frame(self.group, middle, radius, colour))
            y += radius * 0.24 if self.group == 1 else 0  # a triangle is widest at its foot
        top = y - size * POINT * LEADING / 2
        page.texts.append(Text(self.figure, x - SIDE / 2 + 0.2, top, SIDE - 0.4, size, heavy=True, colour=colour))


def frame(group: int, middle: Point, radius: float, colour: str) -> str:
    """Return the frame of a group as SVG: for group 0 a ring, then triangle, square, diamond, hexagon.

    After the hexagon, they begin again at the triangle.
    """
    x, y = middle
    style = f'fill="none" stroke="{colour}" stroke-width="{mm(radius / 9)}" stroke-linejoin="round"'
    if group == 0:
        return f'<circle cx="{mm(x)}" cy="{mm(y)}" r="{mm(radius)}" {style}/>'
    corners, turn, times = _POLYGONS[(group - 1) % len(_POLYGONS)]
    if corners == 3:  # noqa: PLR2004 - a triangle's middle is nearer its foot
        y += radius * 0.24
    steps = [turn + 2 * pi * corner / corners for corner in range(corners)]
    points = " ".join(f"{mm(x + radius * times * cos(step))},{mm(y + radius * times * sin(step))}" for step in steps)
    return f'<polygon points="{points}" {style}/>'


class Draws(NamedTuple):
    """A grid with a chit in each cell, found by two dice. A cell without a chit says to roll again."""

    down: int
    """The sides of the die of the rows."""
    across: int
    chits: tuple[Chit, ...]

    @property
    def width(self) -> float:
        """The width in millimetres."""
        return _HEAD + self.across * _CELL

    @property
    def height(self) -> float:
        """The height in millimetres."""
        return _HEAD + self.down * _CELL_HIGH

    def draw(self, page: Page, at: Point, look: Look) -> None:
        """Add the grid to a page."""
        x, y = at
        heads = [(f"D{self.across}", (x + _HEAD, y - 0.2), self.width - _HEAD), (f"D{self.down}", (x, y + 3.6), _HEAD)]
        page.texts += [Text(text, *corner, wide, SMALL, heavy=True) for text, corner, wide in heads]
        for number in range(self.across):
            page.texts.append(Text(str(number + 1), x + _HEAD + number * _CELL, y + 3.4, _CELL, 9, heavy=True))
        for number in range(self.down):
            page.texts.append(Text(str(number + 1), x, y + _HEAD + number * _CELL_HIGH + 2, _HEAD, 9, heavy=True))
            for place in range(self.across):
                index = number * self.across + place
                corner = x + _HEAD + place * _CELL, y + _HEAD + number * _CELL_HIGH
                self._cell(page, corner, look, self.chits[index] if index < len(self.chits) else None)

    def _cell(self, page: Page, at: Point, look: Look, chit: Chit | None) -> None:
        x, y = at
        if chit is None:
            page.lines.append(ground(at, (_CELL, _CELL_HIGH), "#fff"))
            page.texts.append(Text(look.say("roll again"), x, y + 2.6, _CELL, SMALL))
            return
        fill, colour = tone("black" if chit.group is None else chit.word, look.ink)
        page.lines.append(ground(at, (_CELL, _CELL_HIGH), fill))
        left = _CELL if chit.group is None else _CELL / 2
        chit.draw_figure(page, (x + left / 2, y + _CELL_HIGH / 2), 2.7, colour)
        if chit.group is not None:
            page.texts.append(Text(chit.word, x + left - 0.8, y + 2.6, _CELL - left + 0.4, SMALL, colour=colour))


UNITS = {"″": 25.4, CENTIMETRES["″"]: 10.0}
"""The millimetres of each unit of length."""
WIDEST = 196.0
"""The widest template, in millimetres, that both papers hold."""
_QUARTER = 120.0
"""A circle that is wider prints as a quarter."""
_BOX = 58.0, 40.0
_WHOLE = 360


class Template(NamedTuple):
    """A circle, ring or arc."""

    name: str
    radius: float
    inner: float = 0
    """The radius of a ring's hole."""
    degrees: int = _WHOLE
    unit: str = "″"

    @property
    def _angle(self) -> int:
        """The angle that is printed: a large circle is printed as a quarter."""
        return 90 if self.degrees == _WHOLE and 2 * self.radius * UNITS[self.unit] > _QUARTER else self.degrees

    @property
    def width(self) -> float:
        """The width in millimetres."""
        return 2 * self.radius * UNITS[self.unit] * (1 if self._angle == _WHOLE else sin(pi * self._angle / 360))

    @property
    def height(self) -> float:
        """The height in millimetres."""
        return self.radius * UNITS[self.unit] * (2 if self._angle == _WHOLE else 1)

    def draw(self, page: Page, at: Point, look: Look) -> None:
        """Add the template to a page, with its name and size. A circle wider than 120 mm is printed as a quarter."""
        fill, on = tone("pale", look.ink)
        x, y = at[0] + self.width / 2, at[1]
        middle = x, y + self.radius * UNITS[self.unit]
        for reach, inside in ((self.radius, fill), (self.inner, WHITE)):
            if reach:
                outline = _outline(middle, reach * UNITS[self.unit], self._angle)
                page.lines.append(f'<path d="{outline}" fill="{inside}" stroke="{on}" stroke-width="0.25"/>')
        cross = [line((x - 2, middle[1]), (x + 2, middle[1])), line((x, middle[1] - 2), (x, middle[1] + 2))]
        above = [line((x, y), (x, y + self.height * 0.3))]
        page.lines.append(path(cross if self._angle == _WHOLE else above, 0.2, on))
        size = (
            f"{self.degrees}°" if self.degrees != _WHOLE else f"{look.say('radius')} {_length(self.radius, self.unit)}"
        )
        size += f", {look.say('hole')} {_length(self.inner, self.unit)}" if self.inner else ""
        size += f", {look.say('one quarter')}" if self._angle != self.degrees else ""
        for text, down in ((self.name, 0.0), (size, 3.6)):
            top = y + self.radius * UNITS[self.unit] * 0.33 + down
            page.texts.append(Text(text, x - self.width / 2, top, self.width, 8, heavy=not down))


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

    def draw(self, page: Page, at: Point, look: Look) -> None:
        """Add the ruler to a page."""
        (x, y), unit = at, UNITS[self.unit]
        page.lines.append(ground(at, (self.width, self.height), tone("pale", look.ink)[0]))
        marks = [(x + step * unit / 4, 2 if step % 4 else 4) for step in range(self.long * 4 + 1)]
        page.lines.append(path([line((left, y), (left, y + down)) for left, down in marks], 0.2))
        for number in range(1, self.long):
            page.texts.append(Text(f"{number}{self.unit}", x + number * unit - 6, y + 4.2, 12, 9, heavy=True))
        page.texts.append(Text(self.name, x + 2, y + 8.8, self.width - 4, SMALL, begins=True))


@dataclass(frozen=True, slots=True)
class Board:
    """Boxes side by side in which models or counters lie."""

    name: str
    boxes: tuple[str, ...]

    height: ClassVar[float] = _BOX[1]

    @property
    def width(self) -> float:
        """The width in millimetres."""
        return len(self.boxes) * _BOX[0]

    def draw(self, page: Page, at: Point, look: Look) -> None:  # noqa: ARG002 - the same in every ink
        """Add the boxes with their words to a page."""
        wide = _BOX[0]
        for number, word in enumerate(self.boxes):
            x, y = at[0] + number * wide, at[1]
            page.lines.append(ground((x, y), _BOX, WHITE))
            page.texts.append(Text(word, x + 1, y + 1.2, wide - 2, 10, heavy=True))


def _outline(middle: Point, radius: float, degrees: int) -> str:
    """Return the outline of a circle, or of a sector of at most half a circle that opens upwards.

    Each arc is at most a quarter of a circle, because the engine draws longer arcs in the wrong place.
    """
    (x, y), half = middle, pi * degrees / 360
    turns = (-half, 0, half) if degrees < _WHOLE else [pi * quarter / 2 for quarter in range(5)]
    points = [f"{mm(x + radius * sin(turn))} {mm(y - radius * cos(turn))}" for turn in turns]
    begin = f"M{mm(x)} {mm(y)}L" if degrees < _WHOLE else "M"
    return begin + f"A{mm(radius)} {mm(radius)} 0 0 1 ".join(points) + "Z"


def _length(number: float, unit: str) -> str:
    """Return a length in whole or half units as text.

    >>> _length(2, "″"), _length(1.5, "″")
    ('2″', '1½″')
    """
    whole, half = int(number), number % 1
    return f"{whole or ''}½{unit}" if half else f"{whole}{unit}"
