"""Maps of tables as SVG, to scale, one unit to the millimetre: north is up, the grid counts inches."""

from __future__ import annotations

from math import pi
from typing import TYPE_CHECKING, NamedTuple

from markupsafe import Markup, escape

from generator.render.areas import Area, box, disc
from generator.render.drawing import SMALLEST, Drawing, boxed, line, mm, path
from generator.render.inks import BLACK, WHITE
from generator.render.names import Names
from generator.render.terrain import LOOKS, draw_terrain
from generator.render.widths import ems

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from generator.render.blocks import Ink, Map, MapEntry, MapMark, MapShape, Paper
    from generator.render.drawing import Label, Point

_PAGE, _GUTTER = 186.0, 6.0
"""The narrower paper's room between its margins, and what stays free between columns."""
_LEFT, _RIGHT, _TOP, _BOTTOM = 8.0, 6.0, 6.0, 9.0
"""What lies around the table: measurements, and the arrows of entries."""
_TALLER: dict[Paper, float] = {"letter": 0, "a4": 8}
"""How much higher a table may be on a paper than on the lower one, whose rows are lower, too."""
_SCALE_ROW, _LEGEND_ROW, _SAMPLE = 7.0, 5.6, 8.0
_GRID, _WIDER, _WIDE = 6, 12, 96
"""Inches of the grid, and those of a table that is wider than this."""
_BEYOND = 12
"""Inches: a draft may have pieces that lie anywhere."""
_DISC = 2.3
_AREAS = ("houses", "ruins")
"""Patterns above the ground that are areas, no ways."""
_ARROW = 2.0
_TURNS = (pi / 4, -pi / 4, pi / 2, 0, pi / 8, -pi / 8)
"""How the hatching of each side's zones lies."""
_DASHES = ("", "2.4 1.2", "0.7 1", "4 1 0.7 1", "1.4 1.4", "5 2")
"""How the edge of each side's zones is broken."""
_SIDES = ("#9a2a22", "#1f4f8f", "#2b6a35", "#7a4a8a", "#8a5a10", "#333")
"""What they are drawn in where there is colour, and the side names none."""
_COLOURS = {
    "red": "#9a2a22",
    "blue": "#1f4f8f",
    "green": "#2b6a35",
    "yellow": "#8a6a00",
    "orange": "#b0560f",
    "purple": "#6a3f86",
    "brown": "#6b4423",
    "grey": "#555",
    "black": "#111",
}


class _Frame(NamedTuple):
    """Where the table lies in the drawing."""

    left: float
    top: float
    inch: float
    """Millimetres of an inch."""
    wide: float
    high: float

    def at(self, spot: Point) -> Point:
        """A place of the table, from its south-west corner. What lies far beyond its edge is drawn near it."""
        x, y = (min(max(one, -_BEYOND), far + _BEYOND) for one, far in zip(spot, self.size, strict=True))
        return self.left + x * self.inch, self.top + self.high - y * self.inch

    @property
    def size(self) -> Point:
        """Inches from west to east and from south to north."""
        return self.wide / self.inch, self.high / self.inch

    def area(self, shape: MapShape) -> Area:
        """What a shape takes up in the drawing."""
        points = tuple(self.at(one) for one in shape.points)
        if shape.radius:
            return disc(points[0], shape.radius * self.inch)
        return Area(points, shape.wide * self.inch)


def draw_map(plan: Map, ink: Ink, portion: float, paper: Paper = "letter") -> Drawing:
    """The map with its legend, as wide as its place; ``portion`` is the place's width in percent of the page's."""
    room = (_PAGE + _GUTTER) * portion / 100 - _GUTTER
    inch = min((room - _LEFT - _RIGHT) / plan.width, (plan.highest + _TALLER[paper]) / plan.depth)
    wide, high = plan.width * inch, plan.depth * inch
    frame = _Frame(_LEFT + (room - _LEFT - _RIGHT - wide) / 2, _TOP, inch, wide, high)
    names = Names((frame.left, frame.top, frame.left + wide, frame.top + high))
    ground = "".join((_table(frame), *_terrain(plan, frame, ink), _grid(plan, frame), *_zones(plan, frame, ink)))
    shapes = [_clip(frame), f'<g clip-path="url(#table)">{ground}</g>', _border(frame)]
    shapes += [*_entries(plan, frame, ink, names), *_marks(plan, frame, names)]
    _call(plan, frame, names)
    labels = [*_measures(plan, frame), *names.labels]
    below = frame.top + high + _BOTTOM
    shapes += _scale(plan, frame, below, room, labels)
    total = below + _SCALE_ROW + _legend(plan, ink, (below + _SCALE_ROW, room), shapes, labels)
    svg = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {mm(room)} {mm(total)}" width="{mm(room)}mm"'
        f' height="{mm(total)}mm"><title>{escape(plan.alt)}</title>{"".join(shapes)}</svg>'
    )
    style = Markup("width:{}mm;height:{}mm").format(mm(room), mm(total))
    return Drawing(Markup(svg), tuple(labels), style)  # noqa: S704 - numbers of our own, and a text that is escaped


# The table


def _rectangle(frame: _Frame) -> str:
    return f'x="{mm(frame.left)}" y="{mm(frame.top)}" width="{mm(frame.wide)}" height="{mm(frame.high)}"'


def _clip(frame: _Frame) -> str:
    return f'<clipPath id="table"><rect {_rectangle(frame)}/></clipPath>'


def _table(frame: _Frame) -> str:
    return f'<rect {_rectangle(frame)} fill="{WHITE}"/>'


def _border(frame: _Frame) -> str:
    return f'<rect {_rectangle(frame)} fill="none" stroke="{BLACK}" stroke-width="0.6"/>'


def _step(plan: Map) -> int:
    return _WIDER if max(plan.width, plan.depth) > _WIDE else _GRID


def _counts(plan: Map, length: float) -> Iterator[int]:
    return iter(range(0, int(length) + 1, _step(plan)))


def _grid(plan: Map, frame: _Frame) -> str:
    lines = [line(frame.at((x, 0)), frame.at((x, plan.depth))) for x in _counts(plan, plan.width)]
    lines += [line(frame.at((0, y)), frame.at((plan.width, y))) for y in _counts(plan, plan.depth)]
    return f'<g stroke-opacity="0.4">{path(lines, 0.1, BLACK)}</g>'  # an edge that lies on a line shows through


def _measures(plan: Map, frame: _Frame) -> Iterator[Label]:
    """Inches along the southern and the western edge."""
    plain = Markup(";font-weight:400")
    for x in _counts(plan, plan.width):
        yield boxed(f"{x}″", (frame.at((x, 0))[0], frame.top + frame.high + 4.6), 9, SMALLEST, plain)
    for y in _counts(plan, plan.depth):
        yield boxed(f"{y}″", (frame.left - 5.2, frame.at((0, y))[1]), 6, SMALLEST, plain)


def _terrain(plan: Map, frame: _Frame, ink: Ink) -> Iterator[str]:
    """What lies low first; of one height in the order of the map."""
    patterns = sorted(dict.fromkeys(one.pattern for one in plan.pieces), key=_level)
    for pattern in patterns:
        areas = [frame.area(one.shape) for one in plan.pieces if one.pattern == pattern]
        yield draw_terrain(pattern, areas, ink)


def _level(pattern: str) -> int:
    return LOOKS.get(pattern, LOOKS["plain"]).level


# Who begins where


def _colour(plan: Map, side: int, ink: Ink) -> str:
    """A side's own colour where it names one that is known, else one of the row."""
    if ink != "colour":
        return "#333"
    return _COLOURS.get(plan.colours[side].lower(), _SIDES[side % len(_SIDES)])


def _zones(plan: Map, frame: _Frame, ink: Ink) -> Iterator[str]:
    for zone in plan.zones:
        yield _hatched(frame.area(zone.shape), zone.side, _colour(plan, zone.side, ink))


def _hatched(area: Area, side: int, colour: str, gap: float = 3.2) -> str:
    lines = [line(start, end) for start, end in area.stripes(_TURNS[side % len(_TURNS)], gap)]
    dashes = _DASHES[side % len(_DASHES)]
    broken = f' stroke-dasharray="{dashes}"' if dashes else ""
    edge = f'<path d="{area.outline()}" fill="none" stroke="{colour}" stroke-width="0.6"{broken}/>'
    return (path(lines, 0.16, colour) if lines else "") + edge


def _entries(plan: Map, frame: _Frame, ink: Ink, names: Names) -> Iterator[str]:
    """A bar along the edge, an arrow in, and its sign beside it."""
    for entry in plan.entries:
        colour = _colour(plan, entry.side, ink)
        start, end, tip, inward = _edge(plan, frame, entry)
        yield path([line(start, end)], 1.4, colour)
        (x, y), (dx, dy) = tip, inward
        tail = x - dx * 1.6, y - dy * 1.6
        head = (
            f"M{mm(x + dx * 3.6)} {mm(y + dy * 3.6)}L{mm(x + dy * _ARROW)} {mm(y + dx * _ARROW)}"
            f"L{mm(x - dy * _ARROW)} {mm(y - dx * _ARROW)}Z"
        )
        yield path([line(tail, tip)], 1.4, colour) + f'<path d="{head}" fill="{colour}"/>'
        before = x + dx * 6.4, y + dy * 6.4
        yield _ring(before, colour)
        names.sign(entry.sign, before)


def _ring(at: Point, colour: str) -> str:
    around = f'cx="{mm(at[0])}" cy="{mm(at[1])}" r="2.2"'
    return f'<circle {around} fill="{WHITE}" stroke="{colour}" stroke-width="0.5"/>'


def _edge(plan: Map, frame: _Frame, entry: MapEntry) -> tuple[Point, Point, Point, Point]:
    """The two ends of an entry, its middle, and the direction in which it leads."""
    ways: dict[str, tuple[float, Point]] = {
        "north": (plan.depth, (0, 1)),
        "south": (0, (0, -1)),
        "west": (0, (1, 0)),
        "east": (plan.width, (-1, 0)),
    }
    level, inward = ways[entry.edge]
    along = entry.edge in ("north", "south")
    ends = [frame.at((one, level) if along else (level, one)) for one in (entry.start, entry.end)]
    middle = (ends[0][0] + ends[1][0]) / 2, (ends[0][1] + ends[1][1]) / 2
    return ends[0], ends[1], middle, inward


# What is fought for


def _marks(plan: Map, frame: _Frame, names: Names) -> Iterator[str]:
    for mark in plan.marks:
        x, y = frame.at(mark.at)
        if mark.radius:
            around = f'cx="{mm(x)}" cy="{mm(y)}" r="{mm(mark.radius * frame.inch)}"'
            yield f'<circle {around} fill="none" stroke="{WHITE}" stroke-width="0.9"/>'
            yield f'<circle {around} fill="none" stroke="{BLACK}" stroke-width="0.4" stroke-dasharray="1.4 1"/>'
        yield _sign(mark, (x, y))
        names.taken((x - _DISC, y - _DISC, x + _DISC, y + _DISC))
        names.figure(mark.sign, (x, y), WHITE if mark.objective else BLACK)


def _sign(mark: MapMark, at: Point) -> str:
    """A disc for an objective, a square on its corner for what stands there."""
    (x, y), size = at, _DISC
    if mark.objective:
        return f'<circle cx="{mm(x)}" cy="{mm(y)}" r="{size}" fill="{BLACK}" stroke="{WHITE}" stroke-width="0.5"/>'
    far = mm(size * 1.25)
    corners = f"M{mm(x)} {mm(y - size * 1.25)}l{far} {far}l-{far} {far}l-{far} -{far}Z"
    return f'<path d="{corners}" fill="{WHITE}" stroke="{BLACK}" stroke-width="0.45"/>'


def _call(plan: Map, frame: _Frame, names: Names) -> None:
    """The names of pieces and zones, where there is room for them: the small ones first, which have less choice."""
    zones = [(frame.area(one.shape), one.name, True) for one in plan.zones]
    pieces = [(frame.area(one.shape), one.name, False) for one in plan.pieces if one.name]
    grounds = [frame.area(one.shape) for one in plan.pieces]
    for area, name, strong in [*sorted(pieces, key=lambda one: _size(one[0])), *zones]:
        names.call(name, area, [one for one in grounds if one != area], strong=strong)


def _size(area: Area) -> float:
    left, top, right, bottom = area.box
    return (right - left) * (bottom - top)


# Below the table


def _scale(plan: Map, frame: _Frame, top: float, room: float, labels: list[Label]) -> list[str]:
    """A bar of inches at the left, north at the right."""
    step = _step(plan)
    y, left = top + 2.4, frame.left
    drawn = []
    for number in range(2):
        start = left + number * step * frame.inch
        fill = BLACK if number % 2 == 0 else WHITE
        drawn.append(
            f'<rect x="{mm(start)}" y="{mm(y)}" width="{mm(step * frame.inch)}" height="1.3" fill="{fill}"'
            f' stroke="{BLACK}" stroke-width="0.25"/>'
        )
    said = f"{2 * step}″ on the table; 1″ is {frame.inch:.1f} mm on the map"
    wide = ems(said) * SMALLEST * 1.1
    at = left + 2 * step * frame.inch + 2 + wide / 2, y + 0.65
    labels.append(boxed(said, at, wide, SMALLEST, Markup(";font-weight:400")))
    x = min(frame.left + frame.wide, room) - 3
    drawn.append(f'<path d="M{mm(x)} {mm(y - 2.6)}l1.5 4.6l-1.5 -1.1l-1.5 1.1Z" fill="{BLACK}"/>')
    labels.append(boxed("N", (x - 3.6, y - 0.1), 4, 3.6, Markup(";font-weight:700")))
    return drawn


def high_below(plan: Map) -> float:
    """Millimetres of all that stands around the table, its legend among them, on the narrower paper."""
    rows = _raster([text for text, _ in _entries_of_legend(plan, "mono")], _PAGE)[1]
    return _TOP + _BOTTOM + _SCALE_ROW + rows * _LEGEND_ROW


def _raster(texts: Sequence[str], room: float) -> tuple[int, int]:
    """Columns and rows of the legend."""
    longest = max((ems(text) for text in texts), default=1) * SMALLEST * 1.14 + _SAMPLE + 4
    columns = max(1, min(int(room / longest), len(texts)))
    return columns, -(-len(texts) // columns)


def _legend(plan: Map, ink: Ink, place: tuple[float, float], shapes: list[str], labels: list[Label]) -> float:
    """What every pattern and sign means, in columns of equal width; gives its height."""
    top, room = place
    entries = list(_entries_of_legend(plan, ink))
    columns, rows = _raster([text for text, _ in entries], room)
    pitch = room / columns
    for number, (text, draw) in enumerate(entries):
        left, y = number // rows * pitch, top + number % rows * _LEGEND_ROW
        shapes.append(f'<g transform="translate({mm(left)} {mm(y)})">{draw}</g>')
        width = pitch - _SAMPLE - 1
        label = boxed(text, (left + _SAMPLE + 1 + width / 2, y + 2.1), width, SMALLEST, Markup(";font-weight:400"))
        labels.append(label._replace(style=label.style + ";text-align:left"))
    return rows * _LEGEND_ROW


def _entries_of_legend(plan: Map, ink: Ink) -> Iterator[tuple[str, str]]:
    """Texts, and samples in a box of 8 by 4.2 millimetres."""
    for pattern, text in plan.kinds:
        way = LOOKS.get(pattern, LOOKS["plain"]).level > 1 and pattern not in _AREAS
        area = Area(((0.4, 2.1), (_SAMPLE - 0.4, 2.1)), 2.4) if way else box(0.3, 0.2, _SAMPLE - 0.6, 3.8)
        yield text, draw_terrain(pattern, [area], ink)
    for side in dict.fromkeys(one.side for one in plan.zones):
        yield (
            f"Zone of {plan.sides[side]}",
            _hatched(box(0.3, 0.2, _SAMPLE - 0.6, 3.8), side, _colour(plan, side, ink), 1.6),
        )
    for side in dict.fromkeys(one.side for one in plan.entries):
        colour = _colour(plan, side, ink)
        arrow = f'<path d="M2.6 0.6l3.4 1.5l-3.4 1.5Z" fill="{colour}"/>' + path(["M0.6 2.1h3"], 1.2, colour)
        yield f"Entry of {plan.sides[side]}", arrow
    if any(one.objective for one in plan.marks):
        yield "Objective", f'<circle cx="4" cy="2.1" r="2" fill="{BLACK}"/>'
    if any(one.objective and one.radius for one in plan.marks):
        broken = f'stroke="{BLACK}" stroke-width="0.4" stroke-dasharray="1.2 0.8"'
        yield "Held within", f'<circle cx="4" cy="2.1" r="2" fill="none" {broken}/>'
    if any(not one.objective for one in plan.marks):
        yield "Set piece", f'<path d="M4 0.1l2 2l-2 2l-2 -2Z" fill="{WHITE}" stroke="{BLACK}" stroke-width="0.4"/>'
