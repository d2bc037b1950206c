"""Sheets of a table at full size: each draws what touches it, in the look of the map. And the plan that joins them."""

from __future__ import annotations

from dataclasses import replace
from math import hypot
from typing import TYPE_CHECKING, NamedTuple

from markupsafe import Markup, escape

from generator.render.drawing import SMALLEST, Drawing, boxed, line, mm, path
from generator.render.inks import BLACK, WHITE
from generator.render.maps.areas import Area, around, touches, toward
from generator.render.maps.assembly import cut_marks, first_page, key, placed
from generator.render.maps.battlefield import (
    DISC,
    Frame,
    arrow,
    colour_of,
    edge_of,
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
from generator.render.maps.terrain import draw_terrain
from generator.render.maps.tiling import EDGE, FLAP, INCH, MARGIN, UNDER, tile_name, tiling

if TYPE_CHECKING:
    from collections.abc import Iterator

    from generator.render.blocks import Ink, Map, MapEntry, Paper
    from generator.render.drawing import Label, Point
    from generator.render.maps.areas import Box
    from generator.render.maps.assembly import First
    from generator.render.maps.tiling import Tile, Tiles, Tiling

_ZOOM = 2.5
"""How much larger than on a map everything is drawn: trees, lines, names."""
_GAP = 5.0
"""Between the lines of a zone: it lies lightly on the ground."""
_STRETCH = 200
"""Places at which a way is looked at."""


class Page(NamedTuple):
    """A sheet as the template prints it."""

    name: str
    left: str
    top: str
    drawing: Drawing
    marks: Markup
    key: Markup
    key_wide: float


class Sheets(NamedTuple):
    """All that is printed: millimetres of the paper, the plan, the sheets."""

    wide: float
    high: float
    first: First
    pages: tuple[Page, ...]
    strip: float
    """Where it begins that is under the picture."""


def paper_size(sheet: Tiles, paper: Paper) -> Point:
    """The paper as it is used, lying or standing."""
    return tiling(sheet.plan, paper).paper


def draw_tiles(sheet: Tiles, paper: Paper, ink: Ink) -> Sheets:
    """Every sheet, and the plan."""
    plan, split = sheet.plan, tiling(sheet.plan, paper)
    wide, high = split.paper
    table = Frame(0, 0, INCH / _ZOOM, plan.width * INCH / _ZOOM, plan.depth * INCH / _ZOOM)
    homes = _homes(plan, table, split)
    pages = []
    for tile in split.tiles:
        drawing = _ground(plan, table, tile, homes.get(tile.name, Home([], [], [])), split, ink)
        small, small_wide = key(split, tile)
        pages.append(Page(tile.name, mm(MARGIN), mm(MARGIN), drawing, cut_marks(split, tile), small, small_wide))
    return Sheets(wide, high, first_page(plan, split, paper, ink), tuple(pages), high - EDGE - UNDER + 3.0)


# What stands in which sheet


class Home(NamedTuple):
    """What is named or numbered in one sheet: the indices of pieces, zones and marks whose middle lies there."""

    pieces: list[int]
    zones: list[int]
    marks: list[int]


def _homes(plan: Map, table: Frame, split: Tiling) -> dict[str, Home]:
    found: dict[str, Home] = {}

    def home(at: Point) -> Home:
        return found.setdefault(_home(split, at).name, Home([], [], []))

    for number, piece in enumerate(plan.pieces):
        if piece.name:
            home(table.area(piece.shape).middle).pieces.append(number)
    for number, zone in enumerate(plan.zones):
        home(table.area(zone.shape).middle).zones.append(number)
    for number, mark in enumerate(plan.marks):
        home(table.at(mark.at)).marks.append(number)
    return found


def _home(split: Tiling, at: Point) -> Tile:
    return split.home((at[0] * _ZOOM, at[1] * _ZOOM))


def _small(box: Box) -> Box:
    """Millimetres as lengths of the drawing."""
    left, top, right, bottom = box
    return left / _ZOOM, top / _ZOOM, right / _ZOOM, bottom / _ZOOM


def _within(at: Point, cell: Box, around: float) -> Point:
    """A place, moved as little as needed for a sign to stand whole in a cell."""
    x, y = (
        min(max(one, low + around), max(high - around, low + around))
        for one, low, high in zip(at, cell[:2], cell[2:], strict=True)
    )
    return x, y


# One sheet


def _ground(plan: Map, table: Frame, tile: Tile, home: Home, split: Tiling, ink: Ink) -> Drawing:
    """The picture of one sheet, in lengths of a map that is so many times as large."""
    window, cell = _small(tile.shown), _small(tile.cell)
    wide, high = tile.shown[2] - tile.shown[0], tile.shown[3] - tile.shown[1]
    names = Names(cell, SMALLEST / _ZOOM)
    shapes = [
        *(_terrain(plan, table, window, ink)),
        _grid(plan, table, window),
        *_zones(plan, table, window, ink),
        _border(table),
        *_entries(plan, table, tile, split, ink, names),
        *_marks_here(plan, table, tile, split, names),
    ]
    _measures(plan, table, tile, names)
    _call(plan, table, home, cell, names)
    labels = [one.label((window[0], window[1]), _ZOOM) for one in names.placed]
    labels += _flaps(split, tile)
    said = escape(f"Sheet {tile.name} of the table")
    view = " ".join(f"{one:.4f}" for one in (*window[:2], window[2] - window[0], window[3] - window[1]))
    svg = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{view}" width="{wide:.3f}mm" height="{high:.3f}mm">'
        f'<title>{said}</title><clipPath id="sheet-{tile.name}"><rect {placed(window)}/></clipPath>'
        f'<g clip-path="url(#sheet-{tile.name})">{"".join(shapes)}</g></svg>'
    )
    style = Markup("width:{:.3f}mm;height:{:.3f}mm").format(wide, high)
    return Drawing(Markup(svg), tuple(labels), style)  # noqa: S704 - numbers of our own, and a text that is escaped


def _terrain(plan: Map, table: Frame, window: Box, ink: Ink) -> Iterator[str]:
    return (draw_terrain(pattern, areas, ink, window) for pattern, areas in grounds(plan, table))


def _grid(plan: Map, table: Frame, window: Box) -> str:
    """Lines of the map's grid that run through here; exact, since joints are laid by them."""
    step = step_of(plan) * table.inch
    left, top, right, bottom = window
    lines = [
        f"M{number * step:.4f} {top:.4f}V{bottom:.4f}"
        for number in range(int(plan.width / step_of(plan)) + 1)
        if left <= number * step <= right
    ]
    south = plan.depth * table.inch
    lines += [
        f"M{left:.4f} {south - number * step:.4f}H{right:.4f}"
        for number in range(int(plan.depth / step_of(plan)) + 1)
        if top <= south - number * step <= bottom
    ]
    return f'<g stroke-opacity="0.45">{path(lines, 0.1, BLACK)}</g>' if lines else ""


def _zones(plan: Map, table: Frame, window: Box, ink: Ink) -> Iterator[str]:
    for zone in plan.zones:
        area = table.area(zone.shape)
        if touches(area.box, window):
            yield hatched(area, zone.side, colour_of(plan, zone.side, ink), _GAP, window)


def _border(table: Frame) -> str:
    return (
        f'<rect x="0" y="0" width="{table.wide:.4f}" height="{table.high:.4f}" fill="none" stroke="{BLACK}"'
        ' stroke-width="0.6"/>'
    )


def _entries(plan: Map, table: Frame, tile: Tile, split: Tiling, ink: Ink, names: Names) -> Iterator[str]:
    """A bar along the edge in every sheet that it runs through; arrow and sign in the sheet of its middle."""
    window = _small(tile.shown)
    for entry in plan.entries:
        start, end, tip, inward = edge_of(plan, table, entry)
        colour = colour_of(plan, entry.side, ink)
        if touches(around(start, end), window):
            yield path([line(start, end)], 1.4, colour)
        home = _home(split, tip)
        if home != tile:
            continue
        tip = _along_edge(entry, tip, _small(home.cell))
        yield arrow(tip, inward, colour)
        before = tip[0] + inward[0] * 6.4, tip[1] + inward[1] * 6.4
        yield ring(before, colour)
        names.sign(entry.sign, before)


def _along_edge(entry: MapEntry, tip: Point, cell: Box) -> Point:
    moved = _within(tip, cell, 3.0)
    return (moved[0], tip[1]) if entry.edge in ("north", "south") else (tip[0], moved[1])


def _marks_here(plan: Map, table: Frame, tile: Tile, split: Tiling, names: Names) -> Iterator[str]:
    """What is fought for. A cross is where it lies; its sign keeps to one sheet."""
    window = _small(tile.shown)
    for mark, stands in zip(plan.marks, spots(plan, table), strict=True):
        x, y = at = table.at(mark.at)
        reach = max(mark.radius * table.inch, hypot(stands[0] - x, stands[1] - y) + 2 * DISC)
        if not touches((x - reach, y - reach, x + reach, y + reach), window):
            continue
        home = _home(split, at)
        spot = _within(stands, _small(home.cell), 1.4 * DISC)
        yield held(mark, at, table.inch)
        yield moved(mark, spot, table)
        if touches((spot[0] - 2 * DISC, spot[1] - 2 * DISC, spot[0] + 2 * DISC, spot[1] + 2 * DISC), window):
            yield sign(mark, spot)
        if home == tile:
            names.taken(sign_box(mark, spot))
            names.figure(mark.sign, spot, WHITE if mark.objective else BLACK)


def _measures(plan: Map, table: Frame, tile: Tile, names: Names) -> None:
    """Inches at the southern and the western edge of the table."""
    left, top, right, bottom = _small(tile.cell)
    step = step_of(plan)
    if abs(bottom - table.high) < 1e-6:  # noqa: PLR2004 - the same
        for x in range(step, int(plan.width) + 1, step):
            if left + 4 < x * table.inch < right - 4:
                names.measure(f"{x}″", (x * table.inch, table.high - 2.2))
    if left < 1e-6:  # noqa: PLR2004 - nothing
        for y in range(step, int(plan.depth) + 1, step):
            if top + 2 < table.high - y * table.inch < bottom - 2:
                names.measure(f"{y}″", (3.4, table.high - y * table.inch))


def _call(plan: Map, table: Frame, home: Home, cell: Box, names: Names) -> None:
    pieces = [Named(table.area(one.shape), one.name) for one in plan.pieces]
    zones = [Named(table.area(one.shape), one.name, zone=True) for one in plan.zones]
    calls = [pieces[number] for number in home.pieces] + [zones[number] for number in home.zones]
    here = (replace(one, area=_stretch(one.area, cell)) if one.area.wide else one for one in calls)
    names.call([Called(one) for one in here], [one for one in [*pieces, *zones] if touches(one.area.box, cell)])


def _stretch(way: Area, cell: Box) -> Area:
    """As much of a way about its middle as runs through a cell."""
    spots = [way.along(number / _STRETCH) for number in range(_STRETCH + 1)]
    first = last = _STRETCH // 2
    while first > 0 and touches(around(spots[first - 1]), cell):
        first -= 1
    while last < _STRETCH and touches(around(spots[last + 1]), cell):
        last += 1
    ends = spots[first : last + 1] if last > first else [spots[first], toward(spots[first], spots[first - 1], 0.5)]
    return Area(tuple(ends), way.wide)


def _flaps(split: Tiling, tile: Tile) -> Iterator[Label]:
    """On what is under a neighbour: which sheet that is."""
    left, top, right, bottom = tile.cell
    plain = Markup(";font-weight:600;background:#fff")
    if tile.column + 1 < split.columns:
        at = right - left + FLAP / 2, (bottom - top) / 2
        yield boxed(tile_name(tile.column + 1, tile.row), at, FLAP - 1.5, SMALLEST, plain)
    if tile.row + 1 < split.rows:
        at = (right - left) / 2, bottom - top + FLAP / 2
        yield boxed(tile_name(tile.column, tile.row + 1), at, FLAP - 1.5, SMALLEST, plain)
