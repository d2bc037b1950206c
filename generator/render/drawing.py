"""The parts of all drawings: lines as SVG, one unit to the millimetre, and texts laid over the lines.

The texts are not in the SVG, so they are set in our fonts, can be searched for, and are checked like other texts.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from markupsafe import Markup

from generator.render.inks import BLACK

if TYPE_CHECKING:
    from collections.abc import Sequence

Point: TypeAlias = tuple[float, float]

SIDES = ((1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1), (1, -1))
"""The neighbour at each side of a hex, clockwise, in axial coordinates.

The first is at the lower right if a flat side is at the top, else at the right.
"""
SMALLEST = 2.83
"""The smallest type of a sheet, in millimetres: 8 points."""


class Label(NamedTuple):
    """A text with the CSS style of its box, in which it is centred."""

    text: str
    style: Markup


class Drawing(NamedTuple):
    """The lines as SVG, the texts over them, and the CSS style with the size of both."""

    svg: Markup
    labels: tuple[Label, ...]
    style: Markup


def boxed(text: str, middle: Point, width: float, high: float, more: str = "", lines: int = 1) -> Label:
    """Return a label of type ``high`` millimetres high centred on a point; further lines follow below the first."""
    style = Markup("left:{}mm;top:{}mm;width:{}mm;font-size:{}mm;line-height:{}mm{}").format(
        mm(middle[0] - width / 2), mm(middle[1] - high * 0.62), mm(width), mm(high), mm(high * 1.2), more
    )
    return Label(text, style + (";white-space:normal" if lines > 1 else ""))


def path(lines: Sequence[str], width: float, colour: str = BLACK) -> str:
    """Return an SVG path of several lines of one width."""
    return f'<path d="{" ".join(lines)}" fill="none" stroke="{colour}" stroke-width="{width}" stroke-linecap="round"/>'


def line(start: Point, end: Point) -> str:
    """Return a straight line as SVG path data."""
    return f"M{mm(start[0])} {mm(start[1])}L{mm(end[0])} {mm(end[1])}"


def mm(number: float) -> str:
    """Return a length rounded to hundredths of a millimetre: the same text on every machine.

    >>> mm(-0.001), mm(2.5)
    ('0', '2.5')
    """
    text = f"{number:.2f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text
