"""What all drawings are made of: lines as SVG, one unit to the millimetre, and texts that stand over them.

The texts are no part of the picture: they are set in our fonts, found by a search, and guarded like all others.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from markupsafe import Markup

from generator.render.inks import BLACK

if TYPE_CHECKING:
    from collections.abc import Sequence

Point: TypeAlias = tuple[float, float]

SIDES = ((1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1), (1, -1))
"""The neighbour behind each side, clockwise (axial coordinates): from the lower right one on where a flat side is up,
else from the right one on."""
SMALLEST = 2.83
"""The smallest type of a sheet, in millimetres: 8 points."""


class Label(NamedTuple):
    """A text, and the box in millimetres that it stands in the middle of."""

    text: str
    style: Markup


class Drawing(NamedTuple):
    """The lines as SVG, the texts over it, and the size of both in millimetres."""

    svg: Markup
    labels: tuple[Label, ...]
    style: Markup


def boxed(text: str, middle: Point, width: float, high: float, more: str = "", lines: int = 1) -> Label:
    """A text of this height around a point: of one line, or of several that begin where the one would stand."""
    style = Markup("left:{}mm;top:{}mm;width:{}mm;font-size:{}mm;line-height:{}mm{}").format(
        mm(middle[0] - width / 2), mm(middle[1] - high * 0.62), mm(width), mm(high), mm(high * 1.2), more
    )
    return Label(text, style + (";white-space:normal" if lines > 1 else ""))


def path(lines: Sequence[str], width: float, colour: str = BLACK) -> str:
    """Several lines of one width."""
    return f'<path d="{" ".join(lines)}" fill="none" stroke="{colour}" stroke-width="{width}" stroke-linecap="round"/>'


def line(start: Point, end: Point) -> str:
    """One straight line of a path."""
    return f"M{mm(start[0])} {mm(start[1])}L{mm(end[0])} {mm(end[1])}"


def mm(number: float) -> str:
    """A length to the hundredth of a millimetre: the same text on every machine.

    >>> mm(-0.001), mm(2.5)
    ('0', '2.5')
    """
    text = f"{number:.2f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text
