"""The parts of a map's drawing: positions, zones, entries, signs."""

from __future__ import annotations

from math import cos, hypot, isclose, pi, sin
from typing import TYPE_CHECKING, NamedTuple

from generator.render.drawing import line, mm, path
from generator.render.inks import BLACK, COLOURS, WHITE
from generator.render.maps.areas import Area, around, cuts, disc, overlap, touches
from generator.render.maps.terrain import LOOKS

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from generator.render.blocks import Ink, Map, MapEntry, MapMark, MapShape
    from generator.render.drawing import Point
    from generator.render.maps.areas import Box

_GRID, _WIDER, _WIDE = 6, 12, 96
"""Grid step in inches; the step on large tables; the size in inches above which a table is large."""
_BEYOND = 12
"""Farthest drawn distance beyond the table in inches, because a draft may have pieces anywhere."""
DISC = 2.3
"""Millimetres from the middle of a sign to its edge."""
_LOZENGE = 1.25
"""Distance of the corners of a set piece's sign from its middle, in multiples of DISC."""
_ARROW, _TAIL, _HEAD = 2.0, 1.6, 3.6
"""Millimetres from an arrow's middle to its sides, to its tail and to its tip."""
RING = 2.2
"""Radius in millimetres of the ring around an entry's sign."""
_HIDDEN = 20.0
"""A sign on a way up to this length in millimetres, such as a bridge, would hide that way."""
_LEADS = 12.0
"""Largest radius of a circle whose sign may stand on it instead of at its centre."""
_ASIDE, _TURNED = 1.2, 8
"""Space between signs of the same point, and number of directions in which free room is tried."""
_TURNS = (pi / 4, -pi / 4, pi / 2, 0, pi / 8, -pi / 8)
"""The angle of the hatching of each side's zones."""
_DASHES = ("", "2.4 1.2", "0.7 1", "4 1 0.7 1", "1.4 1.4", "5 2")
"""The dashes of the edge of each side's zones."""
_LARGE, _STRIP = 24.0, 4.0
"""A zone larger than this each way, in millimetres, is hatched only along its edge, in a strip of this depth."""
_SIDES = ("#9a2a22", "#1f4f8f", "#2b6a35", "#7a4a8a", "#8a5a10", "#333")
"""The colours of sides that name no known colour, in colour ink."""


class Frame(NamedTuple):
    """The position and scale of the table in the drawing."""

    left: float
    top: float
    inch: float
    """Millimetres per inch of the table."""
    wide: float
    high: float

    def at(self, spot: Point) -> Point:
        """Return the drawing's point for a point of the table in inches from its south-west corner.

        Points far beyond the edge are drawn near it.
        """
        x, y = (min(max(item, -_BEYOND), far + _BEYOND) for item, far in zip(spot, self.size, strict=True))
        return self.left + x * self.inch, self.top + self.high - y * self.inch

    def inches(self, spot: Point) -> Point:
        """Return the table's point, in inches, for a point of the drawing."""
        return (spot[0] - self.left) / self.inch, (self.top + self.high - spot[1]) / self.inch

    @property
    def size(self) -> Point:
        """The size of the table in inches, from west to east and from south to north."""
        return self.wide / self.inch, self.high / self.inch

    def area(self, shape: MapShape) -> Area:
        """Return the area that a shape takes up in the drawing."""
        points = tuple(self.at(point) for point in shape.points)
        if shape.radius:
            return disc(points[0], shape.radius * self.inch)
        return Area(points, shape.wide * self.inch)


def step_of(plan: Map) -> int:
    """Return the step of the grid in inches."""
    return _WIDER if max(plan.width, plan.depth) > _WIDE else _GRID


def grounds(plan: Map, frame: Frame) -> Iterator[tuple[str, list[Area]]]:
    """Yield each pattern with its areas, in drawing order; areas know the ways that run over them."""
    every = [(piece.pattern, frame.area(piece.shape)) for piece in plan.pieces]
    # What lies low first; of one height in the order of the map.
    for pattern in sorted(dict.fromkeys(piece.pattern for piece in plan.pieces), key=level):
        ways = [area for other, area in every if area.wide and level(other) > level(pattern)]
        yield pattern, [_run_over(area, ways) for other, area in every if other == pattern]


def _run_over(area: Area, ways: Sequence[Area]) -> Area:
    """Return the area with the ways that run over it."""
    return area if area.wide else area._replace(under=tuple(way for way in ways if touches(way.box, area.box)))


def level(pattern: str) -> int:
    """Return the height of a pattern above the ground."""
    return LOOKS.get(pattern, LOOKS["plain"]).level


def colour_of(plan: Map, side: int, ink: Ink) -> str:
    """Return the printed colour of a side: the colour that it names, if known, else a default."""
    return paint(plan.colours[side], ink, side)


def paint(word: str, ink: Ink, side: int | None = None) -> str:
    """Return the printed colour for a colour word; for an unknown word the default of this side."""
    if ink != "colour":
        return "#333"
    return COLOURS.get(word.strip().lower(), "#333" if side is None else _SIDES[side % len(_SIDES)])


def hatched(area: Area, side: int, colour: str, gap: float = 3.2) -> str:
    """Return a zone in the hatching of its side; a large one is hatched along its edge alone."""
    stripes = area.stripes(_TURNS[side % len(_TURNS)], gap)
    left, top, right, bottom = area.box
    if min(right - left, bottom - top) > _LARGE:
        stripes = (part for stripe in stripes for part in area.along_edge(*stripe, _STRIP))
    lines = [line(start, end) for start, end in stripes]
    dashes = _DASHES[side % len(_DASHES)]
    broken = f' stroke-dasharray="{dashes}"' if dashes else ""
    edge = f'<path d="{area.outline()}" fill="none" stroke="{colour}" stroke-width="0.6"{broken}/>'
    return (path(lines, 0.16, colour) if lines else "") + edge


def filling(side: int, colour: str, ink: Ink) -> str:
    """Return the SVG fill of a side's arrow head; without colour, every second side has a hollow head."""
    hollow = ink != "colour" and side % 2 == 1
    return f'fill="{WHITE}" stroke="{colour}" stroke-width="0.5"' if hollow else f'fill="{colour}"'


def arrow(tip: Point, inward: Point, colour: str, fill: str = "") -> str:
    """Return an arrow over the edge into the table; ``fill`` is the head's fill, by default ``colour``."""
    (x, y), (dx, dy) = tip, inward
    tail = x - dx * _TAIL, y - dy * _TAIL
    head = (
        f"M{mm(x + dx * _HEAD)} {mm(y + dy * _HEAD)}L{mm(x + dy * _ARROW)} {mm(y + dx * _ARROW)}"
        f"L{mm(x - dy * _ARROW)} {mm(y - dx * _ARROW)}Z"
    )
    fill = fill or f'fill="{colour}"'
    return path([line(tail, tip)], 1.4, colour) + f'<path d="{head}" {fill}/>'


def arrow_box(tip: Point, inward: Point) -> Box:
    """Return the box of an arrow head on the table."""
    (x, y), (dx, dy) = tip, inward
    end = x + dx * _HEAD, y + dy * _HEAD
    across = abs(dy) * _ARROW, abs(dx) * _ARROW
    return around(*((a + sign * across[0], b + sign * across[1]) for a, b in (tip, end) for sign in (-1, 1)))


def ring(at: Point, colour: str) -> str:
    """Return the ring around an entry's sign as SVG."""
    placed = f'cx="{mm(at[0])}" cy="{mm(at[1])}" r="{RING}"'
    return f'<circle {placed} fill="{WHITE}" stroke="{colour}" stroke-width="0.5"/>'


def edge_of(plan: Map, frame: Frame, entry: MapEntry) -> tuple[Point, Point, Point, Point]:
    """Return the two ends of an entry, its middle, and its direction into the table."""
    ways: dict[str, tuple[float, Point]] = {
        "north": (plan.depth, (0, 1)),
        "south": (0, (0, -1)),
        "west": (0, (1, 0)),
        "east": (plan.width, (-1, 0)),
    }
    far, inward = ways[entry.edge]
    along = entry.edge in ("north", "south")
    ends = [frame.at((item, far) if along else (far, item)) for item in (entry.start, entry.end)]
    middle = (ends[0][0] + ends[1][0]) / 2, (ends[0][1] + ends[1][1]) / 2
    return ends[0], ends[1], middle, inward


def held(mark: MapMark, at: Point, inch: float) -> str:
    """Return a mark's circle: dashed around an objective, dotted around a set piece; empty without a radius."""
    if not mark.radius:
        return ""
    circle = f'<circle cx="{mm(at[0])}" cy="{mm(at[1])}" r="{mm(mark.radius * inch)}" fill="none"'
    return (
        f'{circle} stroke="{WHITE}" stroke-width="0.9"/>'
        f'{circle} stroke="{BLACK}" stroke-width="0.4" stroke-dasharray="{"1.4 1" if mark.objective else "0.4 0.6"}"/>'
    )


def sign(mark: MapMark, at: Point) -> str:
    """Return the sign of a mark: a disc for an objective, a lozenge for a set piece."""
    (x, y), size = at, DISC
    if mark.objective:
        return f'<circle cx="{mm(x)}" cy="{mm(y)}" r="{size}" fill="{BLACK}" stroke="{WHITE}" stroke-width="0.5"/>'
    far = mm(size * _LOZENGE)
    corners = f"M{mm(x)} {mm(y - size * _LOZENGE)}l{far} {far}l-{far} {far}l-{far} -{far}Z"
    return f'<path d="{corners}" fill="{WHITE}" stroke="{BLACK}" stroke-width="0.45"/>'


def sign_box(mark: MapMark, at: Point) -> Box:
    """Return the box of a sign, including its edge."""
    reach = DISC * (1 if mark.objective else _LOZENGE) + 0.25
    return at[0] - reach, at[1] - reach, at[0] + reach, at[1] + reach


def spots(plan: Map, frame: Frame) -> list[Point]:
    """Return the place of each mark's sign: on its point, or beside it if it would hide another sign or a bridge.

    Beside its point, a sign stands on the circle around the point, or else off the circles of objectives if possible.
    No other sign is between a point and its sign.
    """
    found = [frame.at(mark.at) for mark in plan.marks]
    ways = (area for area in map(frame.area, (piece.shape for piece in plan.pieces)) if area.wide)
    taken = [area.box for area in ways if max(area.box[2] - area.box[0], area.box[3] - area.box[1]) <= _HIDDEN]
    beside: list[int] = []
    for number, mark in enumerate(plan.marks):
        box = sign_box(mark, found[number])
        if any(overlap(box, other) for other in taken):
            beside.append(number)
        else:
            taken.append(box)
    for number in beside:
        mark, at = plan.marks[number], found[number]
        free = [
            point for point in _about(at, mark, frame) if not any(overlap(sign_box(mark, point), box) for box in taken)
        ]
        clear = [point for point in free if _is_clear(at, point, taken)]
        off = [item for item in clear if not any(_on_ring(sign_box(mark, item), other, frame) for other in plan.marks)]
        own = [item for item in clear if leads(mark, at, item, frame)]
        found[number] = next(iter((*own, *off, *clear, *free)), at)
        taken.append(sign_box(mark, found[number]))
    return found


def _is_clear(at: Point, spot: Point, taken: Sequence[Box]) -> bool:
    """Return whether the line from a point to a spot crosses no taken box, except boxes at the point itself."""
    here = around(at, at)
    return not any(cuts(other, at, spot) and not touches(here, other) for other in taken)


def _on_ring(box: Box, mark: MapMark, frame: Frame) -> bool:
    """Return whether a mark's circle runs through a box."""
    if not mark.radius:
        return False
    (x, y), far = frame.at(mark.at), mark.radius * frame.inch
    left, top, right, bottom = box
    nearest = hypot(max(left - x, 0, x - right), max(top - y, 0, y - bottom))
    farthest = max(hypot(a - x, b - y) for a in (left, right) for b in (top, bottom))
    return nearest <= far <= farthest


def _about(at: Point, mark: MapMark, frame: Frame) -> Iterator[Point]:
    """Yield places for a sign on the table, its own first, then places further and further away."""
    yield at
    reach = sign_box(mark, (0, 0))[2]
    step, ring = 2 * DISC + _ASIDE, mark.radius * frame.inch
    for number in range(_TURNED**2):
        far, angle = step * (number // _TURNED) or ring, 2 * pi * (number % _TURNED) / _TURNED
        x, y = at[0] + far * cos(angle), at[1] + far * sin(angle)
        yield (
            min(max(x, frame.left + reach), frame.left + frame.wide - reach),
            min(max(y, frame.top + reach), frame.top + frame.high - reach),
        )


def leads(mark: MapMark, at: Point, spot: Point, frame: Frame) -> bool:
    """Return whether a moved sign stands on the small circle around its point, so that it needs no line."""
    ring = mark.radius * frame.inch
    return 0 < ring <= _LEADS and isclose(hypot(spot[0] - at[0], spot[1] - at[1]), ring)


def moved(mark: MapMark, spot: Point, frame: Frame) -> str:
    """Return a cross on a moved sign's point and a line to the sign; empty if the sign needs no line."""
    at = frame.at(mark.at)
    if at == spot or leads(mark, at, spot, frame):
        return ""
    x, y = at
    return path([line((x - 1, y), (x + 1, y)), line((x, y - 1), (x, y + 1)), line(at, spot)], 0.2)
