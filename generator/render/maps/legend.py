"""The legend below a map: its scale, its patterns and signs, and the names without room on the map."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from markupsafe import Markup

from generator.render.drawing import SMALLEST, boxed, mm, path
from generator.render.inks import BLACK, WHITE
from generator.render.maps.areas import Area, box
from generator.render.maps.battlefield import colour_of, filling, hatched, level, step_of
from generator.render.maps.terrain import draw_terrain
from generator.render.type.table_widths import ems
from generator.render.type.text_length import POINT, length

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from generator.render.blocks import Ink, Map
    from generator.render.drawing import Label, Point
    from generator.render.maps.battlefield import Frame

_ROW, _NAME, _SAMPLE = 5.6, 4.6, 8.0
"""Height of a row, height of a row of names, and width of a sample, in millimetres."""
_AREAS = ("houses", "ruins", "gap")
"""Patterns above the ground that are areas, not ways."""
_SHORTEST = 0.5
"""Half the scale bar, in inches, if no longer bar fits."""
_NORTH = 14.0
"""Width of the north arrow beside the scale."""
_HEAD = "Names on the map"


class Told(NamedTuple):
    """A name listed below the map with its number on the map; the number is empty if it has no room there."""

    number: str
    name: str


def legend_height(plan: Map, room: float, names: Sequence[Told] = ()) -> float:
    """Return the height of the legend in millimetres for a width of ``room``."""
    high = _raster([text for text, _ in _meanings(plan, "mono")], room)[1] * _ROW
    return high + (_ROW + _raster([name.name for name in names], room)[1] * _NAME if names else 0)


def draw_legend(
    plan: Map,
    ink: Ink,
    place: tuple[float, float],
    shapes: list[str],
    labels: list[Label],
    names: Sequence[Told] = (),
) -> float:
    """Draw the meanings of patterns and signs in equal columns, then the numbered names; return the height."""
    top, room = place
    entries = list(_meanings(plan, ink))
    columns, rows = _raster([text for text, _ in entries], room)
    for number, (text, draw) in enumerate(entries):
        left, y = number // rows * room / columns, top + number % rows * _ROW
        shapes.append(f'<g transform="translate({mm(left)} {mm(y)})">{draw}</g>')
        labels.append(_beside(text, (left, y), room / columns))
    if not names:
        return rows * _ROW
    top += rows * _ROW
    labels.append(_at_left(_HEAD, (0, top + 2.1), room, 700))
    columns, under = _raster([name.name for name in names], room)
    for number, item in enumerate(names):
        left, y = number // under * room / columns, top + _ROW + number % under * _NAME
        if item.number:
            at = left + _SAMPLE / 2, y + 2.1
            shapes.append(tag(at, number_size(len(item.number))))
            labels.append(tagged(item.number, at))
        labels.append(_beside(item.name, (left, y), room / columns))
    return (rows + 1) * _ROW + under * _NAME


def number_size(digits: int) -> Point:
    """Return the width and height of a number that stands for a name."""
    return 1.5 * max(2, digits) + 1.0, 3.6


def tag(at: Point, size: Point) -> str:
    """Return the frame of a number that stands for a name, as SVG."""
    wide, high = size[0] - 0.4, size[1] - 0.4
    return (
        f'<rect x="{mm(at[0] - wide / 2)}" y="{mm(at[1] - high / 2)}" width="{mm(wide)}" height="{mm(high)}"'
        f' fill="{WHITE}" stroke="{BLACK}" stroke-width="0.3"/>'
    )


def tagged(number: str, at: Point) -> Label:
    """Return the label of a number in its frame."""
    return boxed(number, at, number_size(len(number))[0] - 0.4, SMALLEST, Markup(";font-weight:700"))


def _beside(text: str, place: Point, pitch: float) -> Label:
    """Return the label of a text beside a sample."""
    return _at_left(text, (place[0] + _SAMPLE + 1, place[1] + 2.1), pitch - _SAMPLE - 1, 400)


def _at_left(text: str, at: Point, wide: float, weight: int) -> Label:
    label = boxed(text, (at[0] + wide / 2, at[1]), wide, SMALLEST, Markup(";font-weight:{}").format(weight))
    return label._replace(style=label.style + ";text-align:left")


def _raster(texts: Sequence[str], room: float) -> tuple[int, int]:
    """Return the numbers of columns and rows for these texts."""
    longest = max((ems(text) for text in texts), default=1) * SMALLEST * 1.14 + _SAMPLE + 4
    columns = max(1, min(int(room / longest), len(texts)))
    return columns, -(-len(texts) // columns)


def _meanings(plan: Map, ink: Ink) -> Iterator[tuple[str, str]]:
    """Yield each text with its sample, an SVG drawing in a box of 8 by 4.2 millimetres."""
    if not plan.legend:
        return
    for pattern, text in plan.kinds:
        way = level(pattern) > 1 and pattern not in _AREAS
        area = Area(((0.4, 2.1), (_SAMPLE - 0.4, 2.1)), 2.4) if way else box(0.3, 0.2, _SAMPLE - 0.6, 3.8)
        wall = ""
        if pattern == "gap":  # a gap is shown in a piece of wall
            area, wall = box(2.4, 1.5, _SAMPLE - 4.8, 1.2), path([f"M0.4 2.1h{_SAMPLE - 0.8}"], 0.5)
        yield text, wall + draw_terrain(pattern, [area], ink)
    for side in dict.fromkeys(zone.side for zone in plan.zones):
        yield (
            f"Zone of {plan.sides[side]}",
            hatched(box(0.3, 0.2, _SAMPLE - 0.6, 3.8), side, colour_of(plan, side, ink), 1.6),
        )
    for side in dict.fromkeys(entry.side for entry in plan.entries):
        colour = colour_of(plan, side, ink)
        fill = filling(side, colour, ink)
        arrow = path(["M0.6 2.1h3"], 1.2, colour) + f'<path d="M2.6 0.6l3.4 1.5l-3.4 1.5Z" {fill}/>'
        yield f"Entry of {plan.sides[side]}", arrow
    if any(mark.objective for mark in plan.marks):
        yield "Objective", f'<circle cx="4" cy="2.1" r="2" fill="{BLACK}"/>'
    if any(mark.objective and mark.radius for mark in plan.marks):
        broken = f'stroke="{BLACK}" stroke-width="0.4" stroke-dasharray="1.2 0.8"'
        yield "Held within", f'<circle cx="4" cy="2.1" r="2" fill="none" {broken}/>'
    if any(not mark.objective for mark in plan.marks):
        yield "Set piece", f'<path d="M4 0.1l2 2l-2 2l-2 -2Z" fill="{WHITE}" stroke="{BLACK}" stroke-width="0.4"/>'
    if any(not mark.objective and mark.radius for mark in plan.marks):
        dotted = f'stroke="{BLACK}" stroke-width="0.4" stroke-dasharray="0.4 0.5"'
        yield "Its reach", f'<circle cx="4" cy="2.1" r="2" fill="none" {dotted}/>'


# The scale


def draw_scale(plan: Map, frame: Frame, top: float, room: float, labels: list[Label]) -> list[str]:
    """Draw the scale bar in inches and the north arrow to its right; return their SVG."""
    half, said, wide = next(bar for bar in _bars(plan, frame, room) if bar is not None)
    y, left = top + 2.4, min(frame.left, room - 2 * half * frame.inch - wide - _NORTH)
    drawn = []
    for number in range(2):
        start = left + number * half * frame.inch
        fill = BLACK if number % 2 == 0 else WHITE
        drawn.append(
            f'<rect x="{mm(start)}" y="{mm(y)}" width="{mm(half * frame.inch)}" height="1.3" fill="{fill}"'
            f' stroke="{BLACK}" stroke-width="0.25"/>'
        )
    at = left + 2 * half * frame.inch + 2 + wide / 2, y + 0.65
    labels.append(boxed(said, at, wide, SMALLEST, Markup(";font-weight:400")))
    x = min(max(frame.left + frame.wide - 3, at[0] + wide / 2 + 8), room - 3)  # after the text, even on small maps
    drawn.append(f'<path d="M{mm(x)} {mm(y - 2.6)}l1.5 4.6l-1.5 -1.1l-1.5 1.1Z" fill="{BLACK}"/>')
    labels.append(boxed("N", (x - 3.6, y - 0.1), 4, 3.6, Markup(";font-weight:700")))
    return drawn


def _bars(plan: Map, frame: Frame, room: float) -> Iterator[tuple[float, str, float] | None]:
    """Yield half the bar in inches, the text beside it and that text's width; None if the bar is too long."""
    for half in (step_of(plan), 3, 2, 1, _SHORTEST):
        said = f"{2 * half:g}″ on the table; 1″ is {frame.inch:.1f} mm on the map"
        wide = length(said, SMALLEST / POINT, "sans") + 0.6
        yield (half, said, wide) if half == _SHORTEST or 2 * half * frame.inch + wide + _NORTH <= room else None
