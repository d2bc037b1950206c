"""Maps of tables as SVG, to scale, one unit to the millimetre: north is up, the grid counts inches."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache
from itertools import islice
from math import ceil, inf
from typing import TYPE_CHECKING, NamedTuple

from markupsafe import Markup, escape

from generator.render.drawing import SMALLEST, Drawing, boxed, line, mm, path
from generator.render.inks import BLACK, WHITE
from generator.render.maps.areas import Area, disc
from generator.render.maps.battlefield import (
    RING,
    Frame,
    arrow,
    arrow_box,
    colour_of,
    edge_of,
    filling,
    grounds,
    hatched,
    held,
    moved,
    ring,
    sign,
    sign_box,
    spots,
    step_of,
)
from generator.render.maps.label_places import Named
from generator.render.maps.labels import Called, Names
from generator.render.maps.legend import Told, draw_legend, draw_scale, legend_height, number_size, tag, tagged
from generator.render.maps.terrain import draw_terrain
from generator.render.type.text_length import POINT, length

if TYPE_CHECKING:
    from collections.abc import Iterator

    from generator.render.blocks import Ink, Map
    from generator.render.drawing import Label, Point
    from generator.render.maps.areas import Box
    from generator.render.maps.labels import Numbered

_LEFT, _RIGHT, _TOP, _BOTTOM = 8.0, 6.0, 6.0, 9.0
"""Margins around the table, for measurements and the arrows of entries."""
_SCALE_ROW = 7.0
_NEXT, _TRIED = 5.1, 40
"""Distance between places for an entry's sign, and number of places tried each way."""
_BAND = 12.0
"""Height in millimetres of the bands in which names are numbered from west to east."""
_LEAST = 20.0
"""Least height of a table in millimetres, however much stands below it."""
_TRIES = 8
"""Number of times a table's height is computed again while names move to the list below it."""


class _Over(NamedTuple):
    """The drawing above the terrain: lines, texts, and the names listed with numbers."""

    shapes: list[str]
    labels: list[Label]
    told: list[Told]


def draw_map(plan: Map, ink: Ink, across: float) -> Drawing:
    """Return the map with its legend as a drawing that is ``across`` millimetres wide."""
    frame = _frame(plan, across)
    ground = "".join((_table(frame), *_terrain(plan, frame, ink), _grid(plan, frame), *_zones(plan, frame, ink)))
    over = _over(replace(plan, highest=0), frame, ink)
    shapes = [_clip(frame), f'<g clip-path="url(#table)">{ground}</g>', _border(frame), *over.shapes]
    labels = [*_measures(plan, frame), *over.labels]
    below = frame.top + frame.high + _BOTTOM
    shapes += draw_scale(plan, frame, below, across, labels)
    total = below + _SCALE_ROW + draw_legend(plan, ink, (below + _SCALE_ROW, across), shapes, labels, over.told)
    svg = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {mm(across)} {mm(total)}" width="{mm(across)}mm"'
        f' height="{mm(total)}mm"><title>{escape(plan.alt)}</title>{"".join(shapes)}</svg>'
    )
    style = Markup("width:{}mm;height:{}mm").format(mm(across), mm(total))
    return Drawing(Markup(svg), tuple(labels), style)  # noqa: S704 - numbers of our own, and a text that is escaped


def whole_height(plan: Map, ink: Ink, across: float) -> float:
    """Return the height in millimetres of the map with its margins, scale and legend."""
    frame = _frame(plan, across)
    return frame.high + _around(plan, frame, ink, across)


def fitted(plan: Map, ink: Ink, across: float, room: float) -> Map:
    """Return the map with a table as high as ``room`` allows, including scale and legend, up to its ``highest``.

    A smaller table has room for fewer names, so more names are listed below it.
    """
    high = plan.highest
    for _ in range(_TRIES):
        frame = _frame(replace(plan, highest=high), across)
        if (lower := room - _around(plan, frame, ink, across)) >= frame.high:
            break
        high = max(lower, _LEAST)
    return replace(plan, highest=high)


def _around(plan: Map, frame: Frame, ink: Ink, across: float) -> float:
    """Return the height of everything above and below the table itself: margins, scale and legend."""
    told = _over(replace(plan, highest=0), frame, ink).told
    return _TOP + _BOTTOM + _SCALE_ROW + legend_height(plan, across, told)


def _frame(plan: Map, across: float) -> Frame:
    """Return the position and scale of the table in its drawing."""
    inch = min((across - _LEFT - _RIGHT) / plan.width, plan.highest / plan.depth)
    wide, high = plan.width * inch, plan.depth * inch
    return Frame(_LEFT + (across - _LEFT - _RIGHT - wide) / 2, _TOP, inch, wide, high)


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
    return f'<g stroke-opacity="0.4">{path(lines, 0.1, BLACK)}</g>'  # so that an edge on a grid line stays visible


def _measures(plan: Map, frame: Frame) -> Iterator[Label]:
    """Yield the inch labels of the southern and western edges, at every grid line or as often as they fit."""
    plain, step = Markup(";font-weight:400"), step_of(plan) * frame.inch
    apart = length(f"{max(plan.width, plan.depth):.0f}″", SMALLEST / POINT, "sans") + 0.8
    for x in islice(_counts(plan, plan.width), 0, None, ceil(apart / step)):
        yield boxed(f"{x}″", (frame.at((x, 0))[0], frame.top + frame.high + 4.6), 9, SMALLEST, plain)
    for y in islice(_counts(plan, plan.depth), 0, None, ceil(SMALLEST * 1.2 / step)):
        yield boxed(f"{y}″", (frame.left - 5.2, frame.at((0, y))[1]), 6, SMALLEST, plain)


def _terrain(plan: Map, frame: Frame, ink: Ink) -> Iterator[str]:
    """Yield the terrain: low patterns first, patterns of one height in the map's order."""
    return (draw_terrain(pattern, areas, ink) for pattern, areas in grounds(plan, frame))


# Zones


def _zones(plan: Map, frame: Frame, ink: Ink) -> Iterator[str]:
    for zone in plan.zones:
        yield hatched(frame.area(zone.shape), zone.side, colour_of(plan, zone.side, ink))


# What stands over the ground


@lru_cache(maxsize=64)  # a map is measured and then drawn
def _over(plan: Map, frame: Frame, ink: Ink) -> _Over:
    """Return the signs and names above the terrain; names get the room that signs leave."""
    first = _first_number(plan)
    digits = len(str(first + len(plan.pieces) + len(plan.zones)))
    size = number_size(digits)
    names = Names((frame.left, frame.top, frame.left + frame.wide, frame.top + frame.high), number=size)
    stands = spots(plan, frame)
    for mark, spot in zip(plan.marks, stands, strict=True):
        names.taken(sign_box(mark, spot))
    shapes = [*_entries(plan, frame, ink, names)]
    places = list(zip(plan.marks, stands, strict=True))
    circles = "".join(held(mark, frame.at(mark.at), frame.inch) for mark, _ in places)
    shapes += [f'<g clip-path="url(#table)">{circles}</g>'] if circles else []
    shapes += [moved(mark, spot, frame) for mark, spot in places]  # a line ends where the sign over it begins
    for mark, spot in places:
        shapes.append(sign(mark, spot))
        names.figure(mark.sign, spot, WHITE if mark.objective else BLACK)
        names.shun(disc(frame.at(mark.at), mark.radius * frame.inch))
    _call(plan, frame, ink, names)
    labels, told = names.labels, []
    for number, item in enumerate(sorted(names.numbered, key=_reading), start=first):
        if item.at is None:
            east, north = frame.inches(item.end)
            told.append(Told("", f"{item.text} ({east:.0f}″ east, {north:.0f}″ north)"))
            continue
        if item.leads:
            shapes.insert(0, path([line(item.at, item.end)], 0.25))
        shapes.append(tag(item.at, size))
        labels.append(tagged(str(number), item.at))
        told.append(Told(str(number), item.text))
    return _Over(shapes, labels, told)


def _first_number(plan: Map) -> int:
    """Return the first number for names, above the numbers of objectives: 11, 21 and so on."""
    return (sum(mark.objective for mark in plan.marks) // 10 + 1) * 10 + 1


def _reading(numbered: Numbered) -> tuple[float, float, str]:
    """Return the sort key of a numbered name: from the north-west, in bands; names without a place last."""
    x, y = numbered.at or (inf, inf)
    return y // _BAND if numbered.at else inf, x, numbered.text


def _entries(plan: Map, frame: Frame, ink: Ink, names: Names) -> Iterator[str]:
    """Yield each entry's bar, arrow and ring, and place its sign; a sign moves along the edge if its place is taken."""
    for entry in plan.entries:
        start, end, _, _ = edge_of(plan, frame, entry)
        yield path([line(start, end)], 1.4, colour_of(plan, entry.side, ink))
    for entry in plan.entries:
        start, end, middle, inward = edge_of(plan, frame, entry)
        places = _along(start, end, frame, entry.edge)
        clear = (place for place in places if all(map(names.free, _sign_and_arrow(place, inward))))
        spot = next(clear, None) or _beside(middle, inward, names)
        colour = colour_of(plan, entry.side, ink)
        names.taken(_sign_and_arrow(spot, inward)[1])
        yield arrow(_from_ring(spot, inward), inward, colour, filling(entry.side, colour, ink)) + ring(spot, colour)
        names.sign(entry.sign, spot)


def _along(start: Point, end: Point, frame: Frame, edge: str) -> Iterator[Point]:
    """Yield places for an entry's sign: the middle of its stretch, further along it, then the rest of the edge."""
    lies = 0 if edge in ("north", "south") else 1
    whole = ((frame.left, frame.left + frame.wide), (frame.top, frame.top + frame.high))[lies]
    own = sorted((start[lies], end[lies]))
    offs = [0.0, *(way * number * _NEXT for number in range(1, _TRIED) for way in (1, -1))]
    ways = [sum(own) / 2 + off for off in offs]
    for low, high in (own, whole):
        for item in ways:
            if low <= item <= high:
                yield (item, start[1]) if lies == 0 else (start[0], item)


def _beside(middle: Point, inward: Point, names: Names) -> Point:
    """Return the nearest free place for a sign if the edge is too short for all, even beyond a corner."""
    places = ((middle[0] + off * inward[1], middle[1] + off * inward[0]) for off in (0.0, _NEXT, -_NEXT))
    return next((place for place in places if names.free(_ring_box(place))), middle)


def _sign_and_arrow(spot: Point, inward: Point) -> tuple[Box, Box]:
    """Return the boxes of an entry's sign and of its arrow."""
    return _ring_box(spot), arrow_box(_from_ring(spot, inward), inward)


def _from_ring(spot: Point, inward: Point) -> Point:
    """Return the start of an arrow at the edge of its sign's ring."""
    return spot[0] + inward[0] * RING, spot[1] + inward[1] * RING


def _ring_box(at: Point) -> Box:
    return at[0] - RING, at[1] - RING, at[0] + RING, at[1] + RING


def _call(plan: Map, frame: Frame, ink: Ink, names: Names) -> None:
    """Place the names of pieces, small ones first as they have less choice, then of zones."""
    zones = [Named(frame.area(zone.shape), zone.name, zone=True) for zone in plan.zones]
    pieces = [Named(frame.area(piece.shape), piece.name) for piece in plan.pieces]
    for zone in zones:
        names.shun(zone.area)
    calls = [Called(piece) for piece in sorted(pieces, key=lambda piece: _size(piece.area))]
    calls += [Called(item, colour_of(plan, zone.side, ink)) for item, zone in zip(zones, plan.zones, strict=True)]
    names.call([call for call in calls if call.named.name], [*pieces, *zones])


def _size(area: Area) -> float:
    left, top, right, bottom = area.box
    return (right - left) * (bottom - top)
