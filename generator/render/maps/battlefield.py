"""What stands on the drawing of a table: places, zones, signs."""

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
"""Inches of the grid, and those of a table that is wider than this."""
_BEYOND = 12
"""Inches: a draft may have pieces that lie anywhere."""
DISC = 2.3
"""Millimetres from the middle of a sign to its edge."""
_LOZENGE = 1.25
"""How much further the corners of a set piece's sign are from its middle."""
_ARROW, _TAIL, _HEAD = 2.0, 1.6, 3.6
"""Millimetres from an arrow's middle to its sides, to its tail and to its tip."""
RING = 2.2
"""Those of the ring that an entry's sign stands in, to its edge."""
_HIDDEN = 20.0
"""Millimetres: a sign on a way that is no longer, such as a bridge, would hide what that is."""
_LEADS = 12.0
"""How wide a circle may be for a sign on it to be seen as that of its middle."""
_ASIDE, _TURNED = 1.2, 8
"""How far signs stand off each other that lie on one place, and in how many directions room is looked for."""
_TURNS = (pi / 4, -pi / 4, pi / 2, 0, pi / 8, -pi / 8)
"""How the hatching of each side's zones lies."""
_DASHES = ("", "2.4 1.2", "0.7 1", "4 1 0.7 1", "1.4 1.4", "5 2")
"""How the edge of each side's zones is broken."""
_LARGE, _STRIP = 24.0, 4.0
"""Millimetres: a zone on a map that is wider each way is hatched along its edge alone, so far in."""
_SIDES = ("#9a2a22", "#1f4f8f", "#2b6a35", "#7a4a8a", "#8a5a10", "#333")
"""What they are drawn in where there is colour, and the side names none."""


class Frame(NamedTuple):
    """Where the table lies in the drawing."""

    left: float
    top: float
    inch: float
    """Millimetres of an inch."""
    wide: float
    high: float

    def at(self, spot: Point) -> Point:
        """A place of the table, from its south-west corner. What lies far beyond its edge is drawn near it."""
        x, y = (min(max(item, -_BEYOND), far + _BEYOND) for item, far in zip(spot, self.size, strict=True))
        return self.left + x * self.inch, self.top + self.high - y * self.inch

    def inches(self, spot: Point) -> Point:
        """The place of the table that a spot of the drawing shows."""
        return (spot[0] - self.left) / self.inch, (self.top + self.high - spot[1]) / self.inch

    @property
    def size(self) -> Point:
        """Inches from west to east and from south to north."""
        return self.wide / self.inch, self.high / self.inch

    def area(self, shape: MapShape) -> Area:
        """What a shape takes up in the drawing."""
        points = tuple(self.at(point) for point in shape.points)
        if shape.radius:
            return disc(points[0], shape.radius * self.inch)
        return Area(points, shape.wide * self.inch)


def step_of(plan: Map) -> int:
    """Inches from one line of the grid to the next."""
    return _WIDER if max(plan.width, plan.depth) > _WIDE else _GRID


def grounds(plan: Map, frame: Frame) -> Iterator[tuple[str, list[Area]]]:
    """The areas of each pattern, in the order in which they are drawn, with the ways that run over them."""
    every = [(piece.pattern, frame.area(piece.shape)) for piece in plan.pieces]
    # What lies low first; of one height in the order of the map.
    for pattern in sorted(dict.fromkeys(piece.pattern for piece in plan.pieces), key=level):
        ways = [area for other, area in every if area.wide and level(other) > level(pattern)]
        yield pattern, [_run_over(area, ways) for other, area in every if other == pattern]


def _run_over(area: Area, ways: Sequence[Area]) -> Area:
    return area if area.wide else area._replace(under=tuple(way for way in ways if touches(way.box, area.box)))


def level(pattern: str) -> int:
    """How high a pattern lies above the ground."""
    return LOOKS.get(pattern, LOOKS["plain"]).level


def colour_of(plan: Map, side: int, ink: Ink) -> str:
    """A side's own colour where it names one that is known, else one of the row."""
    return paint(plan.colours[side], ink, side)


def paint(word: str, ink: Ink, side: int | None = None) -> str:
    """What a colour is printed in; of a word that is not known, what the side of this number has."""
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
    """How the head of a side's arrow is filled: where there is no colour to tell them apart, every other is hollow."""
    hollow = ink != "colour" and side % 2 == 1
    return f'fill="{WHITE}" stroke="{colour}" stroke-width="0.5"' if hollow else f'fill="{colour}"'


def arrow(tip: Point, inward: Point, colour: str, fill: str = "") -> str:
    """An arrow from beyond an edge into the table, its head filled with its colour or as ``filling`` says."""
    (x, y), (dx, dy) = tip, inward
    tail = x - dx * _TAIL, y - dy * _TAIL
    head = (
        f"M{mm(x + dx * _HEAD)} {mm(y + dy * _HEAD)}L{mm(x + dy * _ARROW)} {mm(y + dx * _ARROW)}"
        f"L{mm(x - dy * _ARROW)} {mm(y - dx * _ARROW)}Z"
    )
    fill = fill or f'fill="{colour}"'
    return path([line(tail, tip)], 1.4, colour) + f'<path d="{head}" {fill}/>'


def arrow_box(tip: Point, inward: Point) -> Box:
    """What an arrow takes up of the table."""
    (x, y), (dx, dy) = tip, inward
    end = x + dx * _HEAD, y + dy * _HEAD
    across = abs(dy) * _ARROW, abs(dx) * _ARROW
    return around(*((a + sign * across[0], b + sign * across[1]) for a, b in (tip, end) for sign in (-1, 1)))


def ring(at: Point, colour: str) -> str:
    """What the sign of an entry stands in."""
    placed = f'cx="{mm(at[0])}" cy="{mm(at[1])}" r="{RING}"'
    return f'<circle {placed} fill="{WHITE}" stroke="{colour}" stroke-width="0.5"/>'


def edge_of(plan: Map, frame: Frame, entry: MapEntry) -> tuple[Point, Point, Point, Point]:
    """The two ends of an entry, its middle, and the direction in which it leads."""
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
    """The circle within which an objective is held, dashed, or that a set piece fills, dotted; nothing without one."""
    if not mark.radius:
        return ""
    circle = f'<circle cx="{mm(at[0])}" cy="{mm(at[1])}" r="{mm(mark.radius * inch)}" fill="none"'
    return (
        f'{circle} stroke="{WHITE}" stroke-width="0.9"/>'
        f'{circle} stroke="{BLACK}" stroke-width="0.4" stroke-dasharray="{"1.4 1" if mark.objective else "0.4 0.6"}"/>'
    )


def sign(mark: MapMark, at: Point) -> str:
    """A disc for an objective, a square on its corner for what stands there."""
    (x, y), size = at, DISC
    if mark.objective:
        return f'<circle cx="{mm(x)}" cy="{mm(y)}" r="{size}" fill="{BLACK}" stroke="{WHITE}" stroke-width="0.5"/>'
    far = mm(size * _LOZENGE)
    corners = f"M{mm(x)} {mm(y - size * _LOZENGE)}l{far} {far}l-{far} {far}l-{far} -{far}Z"
    return f'<path d="{corners}" fill="{WHITE}" stroke="{BLACK}" stroke-width="0.45"/>'


def sign_box(mark: MapMark, at: Point) -> Box:
    """What a sign takes up, its edge with it."""
    reach = DISC * (1 if mark.objective else _LOZENGE) + 0.25
    return at[0] - reach, at[1] - reach, at[0] + reach, at[1] + reach


def spots(plan: Map, frame: Frame) -> list[Point]:
    """Where the sign of each mark stands: on its place, or beside it where it would hide another, or a bridge.

    A sign beside its place stands on the circle around the place, or else off the circles around objectives if it can.
    No other sign is on the way.
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
    """Whether nothing stands on the way from a place but what stands on the place itself."""
    here = around(at, at)
    return not any(cuts(other, at, spot) and not touches(here, other) for other in taken)


def _on_ring(box: Box, mark: MapMark, frame: Frame) -> bool:
    """Whether the circle within which something is held runs through it."""
    if not mark.radius:
        return False
    (x, y), far = frame.at(mark.at), mark.radius * frame.inch
    left, top, right, bottom = box
    nearest = hypot(max(left - x, 0, x - right), max(top - y, 0, y - bottom))
    farthest = max(hypot(a - x, b - y) for a in (left, right) for b in (top, bottom))
    return nearest <= far <= farthest


def _about(at: Point, mark: MapMark, frame: Frame) -> Iterator[Point]:
    """Places for a sign, further and further from its own, all on the table."""
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
    """Whether the circle around its place leads to a sign, as that stands on it."""
    ring = mark.radius * frame.inch
    return 0 < ring <= _LEADS and isclose(hypot(spot[0] - at[0], spot[1] - at[1]), ring)


def moved(mark: MapMark, spot: Point, frame: Frame) -> str:
    """A cross on a place whose sign stands beside it, and a line that leads there; nothing where that needs none."""
    at = frame.at(mark.at)
    if at == spot or leads(mark, at, spot, frame):
        return ""
    x, y = at
    return path([line((x - 1, y), (x + 1, y)), line((x, y - 1), (x, y + 1)), line(at, spot)], 0.2)
