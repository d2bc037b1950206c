"""Diagrams of hexes as SVG, one unit to the millimetre."""

from __future__ import annotations

from math import cos, pi, sin, sqrt
from typing import TYPE_CHECKING

from markupsafe import Markup

from generator.render.drawing import SIDES, SMALLEST, Drawing, Label, Point, boxed, drawing, line, mm, path
from generator.render.inks import BLACK, FRAMED, TINTS, UNDERLINED, WEIGHTS, figure_colour

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from generator.render.blocks import Hex, Hexes, Ink

_LINE = 0.9
"""Half the widest line, in millimetres, that must not be cut off at the edge."""
_FIGURE = 0.5
"""Height of a percentage, as a share of the size of its hex."""
_LINES = 0.86
"""Line height within a hex, as a multiple of the smallest type: capitals and figures have no descenders."""


def draw(diagram: Hexes, ink: Ink = "mono") -> Drawing:
    """Return the diagram as a drawing: tinted hexes with texts, thin lines within a group, heavy lines around it.

    The diagram must have at least one hex.
    """
    side = diagram.size / sqrt(3)
    middles = {(item.q, item.r): _middle(item.q, item.r, side, flat=diagram.flat) for item in diagram.hexes}
    corners = {at: _corners(middle, side, flat=diagram.flat) for at, middle in middles.items()}
    everything = [corner for six in corners.values() for corner in six]
    left, top = (min(corner[axis] for corner in everything) - _LINE for axis in (0, 1))
    right, bottom = (max(corner[axis] for corner in everything) + _LINE for axis in (0, 1))
    width, height = right - left, bottom - top
    groups = {(item.q, item.r): item.group for item in diagram.hexes}
    thin: list[tuple[Point, Point]] = []
    heavy: list[tuple[Point, Point]] = []
    for item in diagram.hexes:
        at, six = (item.q, item.r), corners[item.q, item.r]
        for index, (q, r) in enumerate(SIDES):
            beyond = groups.get((item.q + q, item.r + r))
            if beyond is not None and at > (item.q + q, item.r + r):
                continue
            (heavy if beyond != item.group else thin).append((six[index], six[(index + 1) % 6]))
    longest = max(len(item.text) for item in diagram.hexes)
    labels: list[Label] = []
    for item in diagram.hexes:
        x, y = middles[item.q, item.r]
        labels += _labels(item, (x - left, y - top), diagram.size, longest, ink)
    for name in diagram.names:
        x, y = _middle(name.q, name.r, side, flat=diagram.flat)
        labels.append(boxed(name.text, (x - left, y - top), diagram.size, max(diagram.size * _FIGURE, SMALLEST)))
    tints = "".join(_tint(item, middles[item.q, item.r], corners[item.q, item.r], ink) for item in diagram.hexes)
    shapes = tints + path(_joined(thin), 0.18) + path(_joined(heavy), 0.55)
    return drawing((left, top, width, height), diagram.alt, shapes, labels)


def _joined(lines: Sequence[tuple[Point, Point]]) -> list[str]:
    """Return a few long SVG paths that draw all these lines: many short paths print slowly."""
    beyond: dict[str, list[str]] = {}
    for pair in lines:
        start, end = (f"{mm(x)} {mm(y)}" for x, y in pair)
        beyond.setdefault(start, []).append(end)
        beyond.setdefault(end, []).append(start)
    paths = []
    # Paths that begin where an odd number of lines meet need fewer pieces.
    for corner in sorted(beyond, key=lambda name: len(beyond[name]) % 2 == 0):
        while beyond[corner]:
            drawn = [corner]
            while beyond[drawn[-1]]:
                drawn.append(beyond[drawn[-1]].pop())
                beyond[drawn[-1]].remove(drawn[-2])
            paths.append("M" + "L".join(drawn))
    return paths


def _middle(q: int, r: int, side: float, *, flat: bool) -> Point:
    """Return the centre of a hex, from its axial coordinates and the length of its side.

    ``flat`` hexes have a side at the top.

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


def _labels(one: Hex, middle: Point, size: float, longest: int, ink: Ink) -> Iterable[Label]:
    """Return the labels of a hex: its text, or its percentage in the style of its tint with the text below."""
    if one.tint is None:
        high = size * (0.46 if longest < 3 else 0.34)  # noqa: PLR2004 - one size for all: the longest must fit
        return [boxed(one.text, middle, size, high)] if one.text else []
    high = max(size * _FIGURE, SMALLEST)
    colour, weight = figure_colour(ink, one.tint), WEIGHTS[ink][one.tint]
    (x, y), off = middle, SMALLEST * _LINES / 2 if one.below else 0
    style = Markup(";color:{};font-weight:{}").format(colour, weight)
    if one.tint in UNDERLINED[ink]:
        style += Markup(";text-decoration:underline")
    figure = boxed(one.text, (x, y - off), size, high, style)
    if not one.below:
        return (figure,)
    return figure, boxed(one.below, (x, y + off), size, SMALLEST, Markup(";color:{};font-weight:400").format(colour))


def _tint(one: Hex, middle: Point, corners: list[Point], ink: Ink) -> str:
    """Return the SVG under the lines and figures of a hex: its fill or frame, and the marks of an aimed hex.

    Empty for a hex without odds.
    """
    if one.tint is None:
        return ""
    fill, drawn = TINTS[ink][one.tint], ""
    if fill:
        drawn += f'<path d="{_ring(corners)}" fill="{fill}"/>'
    elif one.tint == FRAMED:
        drawn += f'<path d="{_ring([_toward(middle, corner, 0.8) for corner in corners])}" fill="none" stroke="{BLACK}"'
        drawn += ' stroke-width="0.3"/>'
    if one.aim:
        drawn += path(_ticks(middle, corners), 0.45, figure_colour(ink, max(one.tint, 1)))
    return drawn


def _ticks(middle: Point, corners: list[Point]) -> list[str]:
    """Return short strokes in the corners of a hex, except beside its figure, where they could be minus signs."""
    beside = (corner for corner in corners if abs(corner[1] - middle[1]) > _LINE * 0.1)
    return [line(_toward(middle, corner, 0.93), _toward(middle, corner, 0.66)) for corner in beside]


def _toward(middle: Point, corner: Point, part: float) -> Point:
    return middle[0] + (corner[0] - middle[0]) * part, middle[1] + (corner[1] - middle[1]) * part


def _ring(corners: list[Point]) -> str:
    return "M" + "L".join(f"{mm(x)} {mm(y)}" for x, y in corners) + "Z"
