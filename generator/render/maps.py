"""Maps of tables as SVG, to scale, one unit to the millimetre: north is up, the grid counts inches."""

from __future__ import annotations

from typing import TYPE_CHECKING

from markupsafe import Markup, escape

from generator.render.areas import Area, box
from generator.render.battlefield import (
    DISC,
    Frame,
    arrow,
    colour_of,
    edge_of,
    hatched,
    held,
    level,
    patterns,
    ring,
    sign,
    step_of,
)
from generator.render.drawing import SMALLEST, Drawing, boxed, line, mm, path
from generator.render.inks import BLACK, WHITE
from generator.render.names import Names
from generator.render.terrain import draw_terrain
from generator.render.widths import ems

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from generator.render.blocks import Ink, Map, Paper
    from generator.render.drawing import Label

_PAGE, _GUTTER = 186.0, 6.0
"""The narrower paper's room between its margins, and what stays free between columns."""
_LEFT, _RIGHT, _TOP, _BOTTOM = 8.0, 6.0, 6.0, 9.0
"""What lies around the table: measurements, and the arrows of entries."""
_TALLER: dict[Paper, float] = {"letter": 0, "a4": 8}
"""How much higher a table may be on a paper than on the lower one, whose rows are lower, too."""
_SCALE_ROW, _LEGEND_ROW, _SAMPLE = 7.0, 5.6, 8.0
_AREAS = ("houses", "ruins")
"""Patterns above the ground that are areas, no ways."""


def draw_map(plan: Map, ink: Ink, portion: float, paper: Paper = "letter") -> Drawing:
    """The map with its legend, as wide as its place; ``portion`` is the place's width in percent of the page's."""
    room = (_PAGE + _GUTTER) * portion / 100 - _GUTTER
    inch = min((room - _LEFT - _RIGHT) / plan.width, (plan.highest + _TALLER[paper]) / plan.depth)
    wide, high = plan.width * inch, plan.depth * inch
    frame = Frame(_LEFT + (room - _LEFT - _RIGHT - wide) / 2, _TOP, inch, wide, high)
    names = Names((frame.left, frame.top, frame.left + wide, frame.top + high))
    ground = "".join((_table(frame), *_terrain(plan, frame, ink), _grid(plan, frame), *_zones(plan, frame, ink)))
    shapes = [_clip(frame), f'<g clip-path="url(#table)">{ground}</g>', _border(frame)]
    shapes += [*_entries(plan, frame, ink, names), *_marks(plan, frame, names)]
    _call(plan, frame, names)
    labels = [*_measures(plan, frame), *names.labels]
    below = frame.top + high + _BOTTOM
    shapes += _scale(plan, frame, below, room, labels)
    total = below + _SCALE_ROW + draw_legend(plan, ink, (below + _SCALE_ROW, room), shapes, labels)
    svg = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {mm(room)} {mm(total)}" width="{mm(room)}mm"'
        f' height="{mm(total)}mm"><title>{escape(plan.alt)}</title>{"".join(shapes)}</svg>'
    )
    style = Markup("width:{}mm;height:{}mm").format(mm(room), mm(total))
    return Drawing(Markup(svg), tuple(labels), style)  # noqa: S704 - numbers of our own, and a text that is escaped


# The table


def _rectangle(frame: Frame) -> str:
    return f'x="{mm(frame.left)}" y="{mm(frame.top)}" width="{mm(frame.wide)}" height="{mm(frame.high)}"'


def _clip(frame: Frame) -> str:
    return f'<clipPath id="table"><rect {_rectangle(frame)}/></clipPath>'


def _table(frame: Frame) -> str:
    return f'<rect {_rectangle(frame)} fill="{WHITE}"/>'


def _border(frame: Frame) -> str:
    return f'<rect {_rectangle(frame)} fill="none" stroke="{BLACK}" stroke-width="0.6"/>'


def _counts(plan: Map, length: float) -> Iterator[int]:
    return iter(range(0, int(length) + 1, step_of(plan)))


def _grid(plan: Map, frame: Frame) -> str:
    lines = [line(frame.at((x, 0)), frame.at((x, plan.depth))) for x in _counts(plan, plan.width)]
    lines += [line(frame.at((0, y)), frame.at((plan.width, y))) for y in _counts(plan, plan.depth)]
    return f'<g stroke-opacity="0.4">{path(lines, 0.1, BLACK)}</g>'  # an edge that lies on a line shows through


def _measures(plan: Map, frame: Frame) -> Iterator[Label]:
    """Inches along the southern and the western edge."""
    plain = Markup(";font-weight:400")
    for x in _counts(plan, plan.width):
        yield boxed(f"{x}″", (frame.at((x, 0))[0], frame.top + frame.high + 4.6), 9, SMALLEST, plain)
    for y in _counts(plan, plan.depth):
        yield boxed(f"{y}″", (frame.left - 5.2, frame.at((0, y))[1]), 6, SMALLEST, plain)


def _terrain(plan: Map, frame: Frame, ink: Ink) -> Iterator[str]:
    """What lies low first; of one height in the order of the map."""
    for pattern in patterns(plan):
        areas = [frame.area(one.shape) for one in plan.pieces if one.pattern == pattern]
        yield draw_terrain(pattern, areas, ink)


# Who begins where


def _zones(plan: Map, frame: Frame, ink: Ink) -> Iterator[str]:
    for zone in plan.zones:
        yield hatched(frame.area(zone.shape), zone.side, colour_of(plan, zone.side, ink))


def _entries(plan: Map, frame: Frame, ink: Ink, names: Names) -> Iterator[str]:
    """A bar along the edge, an arrow in, and its sign beside it."""
    for entry in plan.entries:
        colour = colour_of(plan, entry.side, ink)
        start, end, tip, inward = edge_of(plan, frame, entry)
        yield path([line(start, end)], 1.4, colour)
        yield arrow(tip, inward, colour)
        before = tip[0] + inward[0] * 6.4, tip[1] + inward[1] * 6.4
        yield ring(before, colour)
        names.sign(entry.sign, before)


# What is fought for


def _marks(plan: Map, frame: Frame, names: Names) -> Iterator[str]:
    for mark in plan.marks:
        x, y = frame.at(mark.at)
        yield held(mark, (x, y), frame.inch)
        yield sign(mark, (x, y))
        names.taken((x - DISC, y - DISC, x + DISC, y + DISC))
        names.figure(mark.sign, (x, y), WHITE if mark.objective else BLACK)


def _call(plan: Map, frame: Frame, names: Names) -> None:
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


def _scale(plan: Map, frame: Frame, top: float, room: float, labels: list[Label]) -> list[str]:
    """A bar of inches at the left, north at the right."""
    step = step_of(plan)
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
    x = min(max(frame.left + frame.wide - 3, at[0] + wide / 2 + 8), room - 3)  # behind the words, however small the map
    drawn.append(f'<path d="M{mm(x)} {mm(y - 2.6)}l1.5 4.6l-1.5 -1.1l-1.5 1.1Z" fill="{BLACK}"/>')
    labels.append(boxed("N", (x - 3.6, y - 0.1), 4, 3.6, Markup(";font-weight:700")))
    return drawn


def high_below(plan: Map) -> float:
    """Millimetres of all that stands around the table, its legend among them, on the narrower paper."""
    return _TOP + _BOTTOM + _SCALE_ROW + legend_height(plan, _PAGE)


def legend_height(plan: Map, room: float) -> float:
    """Millimetres of the legend where it has so much room from side to side."""
    return _raster([text for text, _ in _entries_of_legend(plan, "mono")], room)[1] * _LEGEND_ROW


def _raster(texts: Sequence[str], room: float) -> tuple[int, int]:
    """Columns and rows of the legend."""
    longest = max((ems(text) for text in texts), default=1) * SMALLEST * 1.14 + _SAMPLE + 4
    columns = max(1, min(int(room / longest), len(texts)))
    return columns, -(-len(texts) // columns)


def draw_legend(plan: Map, ink: Ink, place: tuple[float, float], shapes: list[str], labels: list[Label]) -> float:
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
        way = level(pattern) > 1 and pattern not in _AREAS
        area = Area(((0.4, 2.1), (_SAMPLE - 0.4, 2.1)), 2.4) if way else box(0.3, 0.2, _SAMPLE - 0.6, 3.8)
        yield text, draw_terrain(pattern, [area], ink)
    for side in dict.fromkeys(one.side for one in plan.zones):
        yield (
            f"Zone of {plan.sides[side]}",
            hatched(box(0.3, 0.2, _SAMPLE - 0.6, 3.8), side, colour_of(plan, side, ink), 1.6),
        )
    for side in dict.fromkeys(one.side for one in plan.entries):
        colour = colour_of(plan, side, ink)
        arrow = f'<path d="M2.6 0.6l3.4 1.5l-3.4 1.5Z" fill="{colour}"/>' + path(["M0.6 2.1h3"], 1.2, colour)
        yield f"Entry of {plan.sides[side]}", arrow
    if any(one.objective for one in plan.marks):
        yield "Objective", f'<circle cx="4" cy="2.1" r="2" fill="{BLACK}"/>'
    if any(one.objective and one.radius for one in plan.marks):
        broken = f'stroke="{BLACK}" stroke-width="0.4" stroke-dasharray="1.2 0.8"'
        yield "Held within", f'<circle cx="4" cy="2.1" r="2" fill="none" {broken}/>'
    if any(not one.objective for one in plan.marks):
        yield "Set piece", f'<path d="M4 0.1l2 2l-2 2l-2 -2Z" fill="{WHITE}" stroke="{BLACK}" stroke-width="0.4"/>'
