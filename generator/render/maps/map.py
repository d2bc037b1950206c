"""Maps of tables as SVG, to scale, one unit to the millimetre: north is up, squares have letters and numbers."""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil
from typing import TYPE_CHECKING

import shapely

from generator.render.drawing import BLACK, SMALLEST, WHITE, Drawing, Label, Point, boxed, drawing, line, mm, path, sign
from generator.render.imprinted import Imprinted
from generator.render.maps import signs
from generator.render.maps.terrain import LOOKS, Feature, Frame, draw_terrain, frame_of, level
from generator.render.type.text_length import POINT, length

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from generator.render.blocks import Ink, Map

_MARGINS = 5.0, 4.4, 5.0, 5.6
"""Left, top, right and bottom margin around the table, for the letters and numbers of squares and for the facts."""
_SQUARE, _HALF = 12, 6
"""The side of a square in inches, and half of it."""
_FIGURE = 3.5
"""The type size of a fact, in millimetres."""

_GROUND: dict[Ink, str] = {"colour": "#fbfaf3", "mono": WHITE, "low": WHITE}
"""The colour of the ground in each ink."""


def height(plan: Map, across: float) -> float:
    """Return the height in millimetres of the map and its margins, in a drawing ``across`` millimetres wide.

    At most ``plan.highest``.
    """
    return frame_of(plan, across, _MARGINS).box[3] + _MARGINS[3]


def draw_map(plan: Map, ink: Ink, across: float, point: str = ".") -> Drawing:
    """Return the map as a drawing that is ``across`` millimetres wide and at most ``plan.highest`` millimetres high.

    If the height is too small for the table at this width, the table is drawn smaller, in the middle. ``point`` is the
    sign before decimals.
    """
    frame = frame_of(plan, across, _MARGINS)
    around = *_squares(frame), *_strip(plan, frame, across, point)
    north = sign("north", (frame.box[2] - 1.4, frame.box[3] + 0.9))
    return _drawn(plan, ink, frame, (across, frame.box[3] + _MARGINS[3]), around, north)


def draw_board(board: BoardMap, ink: Ink) -> Drawing:
    """Return the map without margins, from edge to edge of the table, at six millimetres to the inch."""
    frame = Frame(0, 0, BOARD_INCH, board.plan.width, board.plan.depth)
    return _drawn(board.plan, ink, frame, frame.box[2:], (), "")


def _drawn(plan: Map, ink: Ink, frame: Frame, size: Point, around: Iterable[Label], beside: str) -> Drawing:
    """Return the table in its frame with the labels ``around`` it and the SVG ``beside`` it.

    ``size`` is the width and height of the drawing in millimetres. Pieces without an area are left out.
    """
    features = [feature for feature in map(frame.feature, plan.pieces) if feature.area.area]  # a draft may have none
    features.sort(key=lambda feature: level(feature.pattern))
    left, top, right, bottom = frame.box
    table = f'<rect x="{mm(left)}" y="{mm(top)}" width="{mm(right - left)}" height="{mm(bottom - top)}"'
    below = *_terrain(features, ink), *_grid(frame), *signs.zones(plan, frame, ink), signs.rings(plan, frame)
    ground = f'{table} fill="{_GROUND[ink]}"/>{"".join(below)}'
    areas, lines = [feature.area for feature in features], [*signs.drawn_lines(plan, frame, features)]
    places = signs.Places(frame.box, areas, lines)
    over = [*signs.marks(plan, frame, places), *signs.entries(plan, frame, ink, places)]
    over += signs.zone_names(plan, frame, ink, places, SMALLEST)
    names = _names(features, places, ink)
    over += [*names.values(), *signs.discs(features, names, places)]
    labels = [*(label for _, label in over), *around]
    shapes = (
        f'<clipPath id="map:ground">{table}/></clipPath><g clip-path="url(#map:ground)">{ground}</g>'
        f'{table} fill="none" stroke="{BLACK}" stroke-width="0.6"/>'
        f"{''.join(drawn for drawn, _ in over)}{beside}"
    )
    return drawing((0, 0, *size), plan.alt, shapes, labels)


def _terrain(features: list[Feature], ink: Ink) -> Iterator[str]:
    """Yield, for each pattern, the SVG of all its features together; ``features`` have low patterns first.

    Except for hills, buildings and ships, no sign of an area is drawn on a way above the area, unless ways cover the
    whole area.
    """
    for pattern in dict.fromkeys(feature.pattern for feature in features):
        ways = [item.area for item in features if item.wide and level(item.pattern) > level(pattern)]
        above = shapely.union_all(ways) if ways else None
        yield draw_terrain(pattern, [feature for feature in features if feature.pattern == pattern], ink, above)


def _grid(frame: Frame) -> Iterator[str]:
    """Yield one SVG text for all lines between squares, then one for all dotted lines inside squares.

    The dotted lines are six inches from the northern and western edges of the squares. A text without lines is left
    out.
    """
    left, top, right, bottom = frame.box
    for start, wide, dashes in ((_SQUARE, 0.22, ""), (_HALF, 0.14, ' stroke-dasharray="0.3 1.7"')):
        xs, ys = ([step * frame.inch for step in _steps(start, far)] for far in (frame.width, frame.depth))
        lines = [line((left + x, bottom), (left + x, top)) for x in xs]
        lines += [line((left, top + y), (right, top + y)) for y in ys]
        if lines:
            yield f'<g stroke-opacity="0.6"{dashes}>{path(lines, wide)}</g>'


def _steps(start: int, end: float) -> Iterator[int]:
    return (number for number in range(start, int(end) + 1, _SQUARE) if number < end)


def square_of(east: float, north: float, width: float, depth: float) -> str:
    """Return the name of the square of 12 inches at a point: letters from the west, numbers from the north.

    ``east`` and ``north`` are inches from the south-west corner, ``width`` and ``depth`` the size of the table in
    inches. A point on the edge of the table is in the square beside it. A point on a line between two squares is in
    the eastern or southern one.

    >>> square_of(0, 48, 72, 48), square_of(30, 1, 72, 48), square_of(72, 0, 72, 48)
    ('A1', 'C4', 'F4')
    """
    pairs = (east, width), (depth - north, depth)
    column, row = (min(int(at // _SQUARE), max(0, -int(-size // _SQUARE) - 1)) for at, size in pairs)
    return f"{_letter(column)}{row + 1}"


def _letter(number: int) -> str:
    return "ABCDEFGHIJKLMNOPQRSTUVWXYZ"[number % 26]


def _squares(frame: Frame) -> Iterator[Label]:
    """Yield the letters of squares above the table, and the numbers of squares at its left and right."""
    left, top, right, _ = frame.box
    for number, middle in enumerate(_middles(frame.width)):
        yield boxed(_letter(number), (left + middle * frame.inch, top - 2.9), 5, SMALLEST, ";font-weight:700")
    for number, middle in enumerate(_middles(frame.depth), start=1):
        for x in (left - 2.5, right + 2.5):
            yield boxed(str(number), (x, top + middle * frame.inch), 4, SMALLEST, ";font-weight:700")


def _middles(far: float) -> Iterator[float]:
    """Yield the middle of each square of 12 inches along a side of ``far`` inches; the last square may be smaller."""
    return ((start + min(start + _SQUARE, far)) / 2 for start in range(0, ceil(far), _SQUARE))


def _names(features: list[Feature], places: signs.Places, ink: Ink) -> dict[int, tuple[str, Label]]:
    """Return the line and the label of each piece whose name has a free place, by its index in ``features``.

    The line leads from the label to the piece. It is SVG, empty if none is needed. A label is the piece's number, if it
    has one, and its name. Small pieces choose their place first, and each place is taken in ``places``.
    """
    names = {}
    for index, feature in sorted(enumerate(features), key=lambda item: item[1].area.length):
        text = f"{feature.number} {feature.name}" if feature.number else feature.name
        place = places.name(text, SMALLEST, feature.area, index) if feature.name else None
        if place is not None:
            spot = shapely.Point(place.middle)
            below = next((item.pattern for item in reversed(features) if item.area.contains(spot)), "")
            fill = (LOOKS[below].fill(ink) or WHITE) if below else _GROUND[ink]
            more = f";background:{fill}" if below != "slope" else ""  # a slope has several tints
            wide = signs.name_width(text, SMALLEST) + 0.6
            names[index] = signs.leader(place), boxed(text, place.middle, wide, SMALLEST, more)
    return names


def _strip(plan: Map, frame: Frame, across: float, point: str) -> Iterator[Label]:
    """Yield the first facts of the table, as many as fit in a line below it, and the scale at the right.

    ``across`` is the width of the drawing in millimetres. ``point`` is the sign before decimals.
    """
    scale = f"{plan.scale} {f'{frame.inch:.1f}'.replace('.', point)} mm."
    x, y = frame.box[0], frame.box[3] + 3.7
    wide = length(scale, signs.NUMBER / POINT, "sans") + 0.6
    end = min(frame.box[2] - 4, across) - wide
    for name, value in plan.facts:
        parts = ((name, signs.NUMBER, "400"), (value, _FIGURE, "700"))
        sizes = [length(text, size / POINT, "sans-bold") + 0.4 for text, size, _ in parts]
        if x + sum(sizes) > end:
            break
        for (text, size, weight), long in zip(parts, sizes, strict=True):
            yield boxed(text, (x + long / 2, y), long, size, f";font-weight:{weight}")
            x += long + 0.9
        x += 2.6
    yield boxed(scale, (max(end, frame.box[0]) + wide / 2, y), wide, signs.NUMBER, ";font-weight:400")


BOARD_INCH = 6.0
"""Millimetres of the page to an inch of the table."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BoardMap(Imprinted):
    """A document of one page that is exactly the table."""

    plan: Map

    @property
    def size(self) -> tuple[float, float]:
        """The width and height of the page in millimetres."""
        return self.plan.width * BOARD_INCH, self.plan.depth * BOARD_INCH
