"""Diagrams of hexes as SVG, one unit to the millimetre."""

from __future__ import annotations

from math import cos, pi, sin, sqrt
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from markupsafe import Markup, escape

if TYPE_CHECKING:
    from generator.render.blocks import Hex, Hexes

Point: TypeAlias = tuple[float, float]

SIDES = ((1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1), (1, -1))
"""The neighbour behind each side, clockwise (axial coordinates): from the lower right one on where a flat side is up,
else from the right one on."""
_LINE = 0.9
"""Half the widest line, in millimetres, that must not be cut off at the edge."""


class Label(NamedTuple):
    """A text, and the box in millimetres that it stands in the middle of."""

    text: str
    style: Markup


class Drawing(NamedTuple):
    """The lines as SVG, the texts over it, and the size of both in millimetres."""

    svg: Markup
    labels: tuple[Label, ...]
    style: Markup


def draw(diagram: Hexes) -> Drawing:
    """The diagram: cells with their texts, thin lines within a group, heavy ones around it."""
    side = diagram.size / sqrt(3)
    middles = {(one.q, one.r): _middle(one.q, one.r, side, flat=diagram.flat) for one in diagram.hexes}
    corners = {at: _corners(middle, side, flat=diagram.flat) for at, middle in middles.items()}
    everything = [corner for six in corners.values() for corner in six]
    left, top = (min(corner[axis] for corner in everything) - _LINE for axis in (0, 1))
    right, bottom = (max(corner[axis] for corner in everything) + _LINE for axis in (0, 1))
    width, height = right - left, bottom - top
    groups = {(one.q, one.r): one.group for one in diagram.hexes}
    thin: list[str] = []
    heavy: list[str] = []
    for one in diagram.hexes:
        at, six = (one.q, one.r), corners[one.q, one.r]
        for index, (q, r) in enumerate(SIDES):
            beyond = groups.get((one.q + q, one.r + r))
            if beyond is not None and at > (one.q + q, one.r + r):
                continue
            (heavy if beyond != one.group else thin).append(_line(six[index], six[(index + 1) % 6]))
    longest = max(len(one.text) for one in diagram.hexes)
    labels = tuple(
        _label(one, (middles[one.q, one.r][0] - left, middles[one.q, one.r][1] - top), diagram.size, longest)
        for one in diagram.hexes
        if one.text
    )
    view = f"{_n(left)} {_n(top)} {_n(width)} {_n(height)}"
    svg = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{view}" width="{_n(width)}mm" height="{_n(height)}mm">'
        f"<title>{escape(diagram.alt)}</title>{_path(thin, 0.18)}{_path(heavy, 0.55)}</svg>"
    )
    style = Markup("width:{}mm;height:{}mm").format(_n(width), _n(height))
    return Drawing(Markup(svg), labels, style)  # noqa: S704 - numbers of our own, and a text that is escaped


def _middle(q: int, r: int, side: float, *, flat: bool) -> Point:
    """Where a hex stands.

    >>> _middle(0, -1, 1, flat=True)[0]
    0.0
    """
    if flat:
        return 1.5 * side * q, sqrt(3) * side * (r + q / 2)
    return sqrt(3) * side * (q + r / 2), 1.5 * side * r


def _corners(middle: Point, side: float, *, flat: bool) -> list[Point]:
    start = 0 if flat else -pi / 6
    turns = (start + index * pi / 3 for index in range(6))
    return [(middle[0] + side * cos(turn), middle[1] + side * sin(turn)) for turn in turns]


def _label(one: Hex, middle: Point, size: float, longest: int) -> Label:
    high = size * (0.46 if longest < 3 else 0.34)  # noqa: PLR2004 - one size for all: the longest must fit
    style = Markup("left:{}mm;top:{}mm;width:{}mm;font-size:{}mm;line-height:{}mm").format(
        _n(middle[0] - size / 2), _n(middle[1] - high * 0.62), _n(size), _n(high), _n(high * 1.2)
    )
    return Label(one.text, style)


def _path(lines: list[str], width: float) -> str:
    return f'<path d="{" ".join(lines)}" fill="none" stroke="#111" stroke-width="{width}" stroke-linecap="round"/>'


def _line(start: Point, end: Point) -> str:
    return f"M{_n(start[0])} {_n(start[1])}L{_n(end[0])} {_n(end[1])}"


def _n(number: float) -> str:
    """A length to the hundredth of a millimetre: the same text on every machine.

    >>> _n(-0.001), _n(2.5)
    ('0', '2.5')
    """
    text = f"{number:.2f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text
