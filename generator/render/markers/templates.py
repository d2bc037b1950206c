"""Templates at the size of the table: circles, rings, arcs, rulers, and boards of boxes."""

from __future__ import annotations

from dataclasses import dataclass
from math import cos, pi, sin
from typing import ClassVar, NamedTuple

from generator.render.drawing import Point, line, mm, path
from generator.render.inks import WHITE
from generator.render.markers.pieces import SMALL, Look, Page, Text, ground, tone

INCH = 25.4
WIDEST = 196.0
"""The widest template, in millimetres, that both papers hold."""
_QUARTER = 120.0
"""A circle that is wider prints as a quarter."""
_BOX = 58.0, 40.0
_WHOLE = 360


class Template(NamedTuple):
    """A circle, ring or arc. Lengths are in inches."""

    name: str
    radius: float
    inner: float = 0
    """The radius of a ring's hole."""
    degrees: int = _WHOLE

    @property
    def _angle(self) -> int:
        """The angle that is printed: a large circle is printed as a quarter."""
        return 90 if self.degrees == _WHOLE and 2 * self.radius * INCH > _QUARTER else self.degrees

    @property
    def width(self) -> float:
        """The width in millimetres."""
        return 2 * self.radius * INCH * (1 if self._angle == _WHOLE else sin(pi * self._angle / 360))

    @property
    def height(self) -> float:
        """The height in millimetres."""
        return self.radius * INCH * (2 if self._angle == _WHOLE else 1)

    def draw(self, page: Page, at: Point, look: Look) -> None:
        """Add the template to a page, with its name and size."""
        fill, on = tone("pale", look.ink)
        x, y = at[0] + self.width / 2, at[1]
        middle = x, y + self.radius * INCH
        for radius, inside in ((self.radius * INCH, fill), (self.inner * INCH, WHITE)):
            if radius:
                outline = _outline(middle, radius, self._angle)
                page.lines.append(f'<path d="{outline}" fill="{inside}" stroke="{on}" stroke-width="0.25"/>')
        cross = [line((x - 2, middle[1]), (x + 2, middle[1])), line((x, middle[1] - 2), (x, middle[1] + 2))]
        above = [line((x, y), (x, y + self.height * 0.3))]
        page.lines.append(path(cross if self._angle == _WHOLE else above, 0.2, on))
        size = f"{self.degrees}°" if self.degrees != _WHOLE else f"radius {_inches(self.radius)}"
        size += f", hole {_inches(self.inner)}" if self.inner else ""
        size += ", one quarter" if self._angle != self.degrees else ""
        for text, down in ((self.name, 0.0), (size, 3.6)):
            top = y + self.radius * INCH * 0.33 + down
            page.texts.append(Text(text, x - self.width / 2, top, self.width, 8, heavy=not down))


@dataclass(frozen=True, slots=True)
class Ruler:
    """A ruler with a mark at each quarter of an inch."""

    name: str
    inches: int

    height: ClassVar[float] = 13.0

    @property
    def width(self) -> float:
        """The width in millimetres."""
        return self.inches * INCH

    def draw(self, page: Page, at: Point, look: Look) -> None:
        """Add the ruler to a page."""
        x, y = at
        page.lines.append(ground(at, (self.width, self.height), tone("pale", look.ink)[0]))
        marks = [(x + step * INCH / 4, 2 if step % 4 else 4) for step in range(self.inches * 4 + 1)]
        page.lines.append(path([line((left, y), (left, y + long)) for left, long in marks], 0.2))
        for number in range(1, self.inches):
            page.texts.append(Text(f"{number}″", x + number * INCH - 6, y + 4.2, 12, 9, heavy=True))
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


def _inches(number: float) -> str:
    """Return a length in whole or half inches as text.

    >>> _inches(2), _inches(1.5)
    ('2″', '1½″')
    """
    whole, half = int(number), number % 1
    return f"{whole or ''}½″" if half else f"{whole}″"
