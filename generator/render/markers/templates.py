"""Templates at the size of the table: circles, rings, arcs, rulers, and boards of boxes."""

from __future__ import annotations

from dataclasses import dataclass
from math import cos, pi, sin
from typing import TYPE_CHECKING, ClassVar, NamedTuple

from generator.render.drawing import line, mm, path
from generator.render.inks import BLACK, WHITE
from generator.render.markers.pieces import SMALL, Text, tone

if TYPE_CHECKING:
    from generator.render.drawing import Point
    from generator.render.markers.pieces import Look, Page

INCH = 25.4
WIDEST = 196.0
"""The widest template, in millimetres, that both papers hold."""
_QUARTER = 120.0
"""A circle that is wider prints as a quarter."""
_BOX = 58.0, 40.0
_RULER, _WHOLE = 13.0, 360


class Template(NamedTuple):
    """A template to cut out. Lengths are in inches."""

    name: str
    shape: str
    """``circle``, ``arc`` or ``ruler``."""
    reach: float
    """The radius, or the length of a ruler."""
    inner: float = 0
    """The radius of a ring's hole."""
    degrees: int = _WHOLE

    @property
    def _angle(self) -> int:
        """The angle that prints: a large circle prints as a quarter."""
        return 90 if self.degrees == _WHOLE and 2 * self.reach * INCH > _QUARTER else self.degrees

    @property
    def width(self) -> float:
        """The width in millimetres."""
        if self.shape == "ruler":
            return self.reach * INCH
        return self.reach * INCH * (2 if self._angle > _WHOLE / 2 else 2 * sin(pi * self._angle / 360))

    @property
    def height(self) -> float:
        """The height in millimetres."""
        if self.shape == "ruler":
            return _RULER
        return self.reach * INCH * (2 if self._angle == _WHOLE else 1)

    def draw(self, page: Page, at: Point, look: Look) -> None:
        """Add the template to a page, with its name and size."""
        fill, on = tone("pale", look.ink)
        style = f'fill="{fill}" stroke="{on}" stroke-width="0.25"'
        if self.shape == "ruler":
            self._ruler(page, at, style)
            return
        x, y = at[0] + self.width / 2, at[1]
        radius, hole = self.reach * INCH, self.inner * INCH
        middle = x, y + radius
        for reach, look_of_it in ((radius, style), (hole, f'fill="{WHITE}" stroke="{on}" stroke-width="0.25"')):
            if reach and self._angle == _WHOLE:
                page.lines.append(f'<circle cx="{mm(x)}" cy="{mm(middle[1])}" r="{mm(reach)}" {look_of_it}/>')
            elif reach:
                page.lines.append(f'<path d="{_sector(middle, reach, self._angle)}" {look_of_it}/>')
        if self._angle == _WHOLE:
            cross = [line((x - 2, middle[1]), (x + 2, middle[1])), line((x, middle[1] - 2), (x, middle[1] + 2))]
            page.lines.append(path(cross, 0.2))
        else:  # the middle line, above the words
            page.lines.append(path([line((x, y), (x, y + radius * 0.3))], 0.2, on))
        large = "one quarter; " if self._angle != self.degrees else ""
        size = (
            f"{self.degrees}°"
            if self.degrees != _WHOLE
            else f"{large}radius {_inches(self.reach)}{f', hole {_inches(self.inner)}' if self.inner else ''}"
        )
        for number, text in enumerate((self.name, size)):
            page.texts.append(
                Text(text, x - self.width / 2, y + radius * 0.33 + number * 3.6, self.width, 8, heavy=not number)
            )

    def _ruler(self, page: Page, at: Point, style: str) -> None:
        x, y = at
        box = f'x="{mm(x)}" y="{mm(y)}" width="{mm(self.width)}" height="{mm(_RULER)}"'
        page.lines.append(f"<rect {box} {style}/>")
        quarters = range(int(self.reach * 4) + 1)
        marks = [
            line((x + step * INCH / 4, y), (x + step * INCH / 4, y + (4 if step % 4 == 0 else 2))) for step in quarters
        ]
        page.lines.append(path(marks, 0.2))
        for number in range(1, int(self.reach)):
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
        wide, high = _BOX
        for number, word in enumerate(self.boxes):
            x, y = at[0] + number * wide, at[1]
            box = f'x="{mm(x)}" y="{mm(y)}" width="{mm(wide)}" height="{mm(high)}"'
            page.lines.append(f'<rect {box} fill="{WHITE}" stroke="{BLACK}" stroke-width="0.3"/>')
            page.texts.append(Text(word, x + 1, y + 1.2, wide - 2, 10, heavy=True))


def _sector(middle: Point, radius: float, degrees: int) -> str:
    """Return the outline of a sector that opens upwards from its middle."""
    x, y = middle
    half = pi * degrees / 360
    (left, right), top = (x - radius * sin(half), x + radius * sin(half)), y - radius * cos(half)
    far = int(degrees > 180)  # noqa: PLR2004 - an arc of more than half a circle
    return f"M{mm(x)} {mm(y)}L{mm(left)} {mm(top)}A{mm(radius)} {mm(radius)} 0 {far} 1 {mm(right)} {mm(top)}Z"


def _inches(number: float) -> str:
    """Return a length in inches, with a half as a fraction.

    >>> _inches(2), _inches(1.5)
    ('2″', '1½″')
    """
    whole, half = int(number), number % 1
    return f"{whole or ''}½″" if half else f"{whole}″"
