"""What stands over the ground of a map: zones, entries, flags, set pieces, numbers of pieces, and names.

No text stands over another text, and no name over a piece that is not its own.
"""

from __future__ import annotations

from itertools import product
from math import ceil, cos, dist, pi, sin
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import shapely
from markupsafe import Markup

from generator.render.drawing import BLACK, COLOURS, WHITE, Label, boxed, colour_word, line, mm, path, placed, sign
from generator.render.maps.terrain import Box, Feature, Frame, outline, steps
from generator.render.type.text_length import POINT, length

if TYPE_CHECKING:
    from collections.abc import Container, Iterator, Sequence

    from numpy.typing import NDArray
    from shapely.geometry.base import BaseGeometry

    from generator.render.blocks import Ink, Map, MapEntry, MapMark, MapZone
    from generator.render.drawing import Point

NUMBER = 2.6
"""The type size in millimetres of numbers and turns: 7.4 points."""
_DISC = 1.95
"""The radius of the disc around a piece's number."""
_POLE, _CLOTH, _DEEP = 7.2, 5.2, 3.6
"""The height of a flag's pole, and the width and depth of its cloth, as in ``drawings.toml``."""
_LOZENGE = 2.7
"""The distance of a set piece's corners from its middle."""
_BAND, _THIN = 1.7, 0.8
"""The width of a zone's border along the table's edge and elsewhere."""
_TIP = 6.6
"""The length of an arrow."""
_BAR = 1.3
"""The width of the bar beyond the edge along an entry."""
_PITCH = 4.5
"""The distance between tried places along an edge."""
_DASHES = ("", "4 1.6", "1.2 1.2", "6 1.2 1.2 1.2", "2.4 2.4", "8 3")
"""The dashes of each side's borders."""
_SMALL = ("bridge", "ford", "gap", "steps")
"""The patterns whose number would hide the piece: it stands beside the piece."""
_INWARD: dict[str, Point] = {"north": (0, 1), "south": (0, -1), "west": (1, 0), "east": (-1, 0)}


def paint(word: str, ink: Ink, side: int | None = None) -> str:
    """Return the SVG colour for a colour word such as "red"; black if the ink is not colour.

    An unknown word gives the default colour of the side with the index ``side``; without a side, dark grey.
    """
    if ink != "colour":
        return BLACK
    return COLOURS.get(word.strip().lower(), "#333") if side is None else COLOURS[colour_word(word, side)]


def colour_of(plan: Map, side: int, ink: Ink) -> str:
    """Return the SVG colour of the side with the index ``side``; black if the ink is not colour.

    In colour, it is the colour that the side names, if known, else a default.
    """
    return paint(plan.colours[side], ink, side)


def border(data: str, side: int, colour: str, wide: float) -> str:
    """Return a side's line as SVG. Each of the first six sides has its own dashes; the line of side 0 is solid.

    ``data`` is the path data of the line, ``wide`` its width in millimetres.
    """
    dashes = _DASHES[side % len(_DASHES)]
    dashed = f' stroke-dasharray="{dashes}"' if dashes else ""
    return f'<path d="{data}" fill="none" stroke="{colour}" stroke-width="{wide}"{dashed}/>'


def zones(plan: Map, frame: Frame, ink: Ink) -> Iterator[str]:
    """Yield two SVG texts for each zone: a band for its border along the table's edges, a thin line for the rest."""
    for zone in plan.zones:
        colour, (along, across) = colour_of(plan, zone.side, ink), _borders(zone, frame)
        # Half of the band is beyond the table, where it is cut off.
        for part, wide in ((along, 2 * _BAND), (across, _THIN)):
            merged = shapely.line_merge(part) if part.geom_type == "MultiLineString" else part
            yield border(outline(merged), zone.side, colour, wide)


def _borders(zone: MapZone, frame: Frame) -> tuple[BaseGeometry, BaseGeometry]:
    """Return the part of a zone's border along the edges of the table, and the rest of its border, in the drawing."""
    edge, around = shapely.box(*frame.box).boundary.buffer(0.05), frame.area(zone.shape).boundary
    return around.intersection(edge), around.difference(edge)


def drawn_lines(plan: Map, frame: Frame, features: Sequence[Feature]) -> Iterator[BaseGeometry]:
    """Yield the lines that names should not cover: borders of zones, circles around marks, and contours of hills.

    Borders are as wide as they are drawn.
    """
    for zone in plan.zones:
        along, across = _borders(zone, frame)
        yield along.buffer(_BAND).union(across.buffer(_THIN / 2))
    circles = ((shapely.Point(frame.at(mark.at)), mark.radius * frame.inch) for mark in plan.marks if mark.radius)
    yield from (middle.buffer(radius).boundary.buffer(0.3) for middle, radius in circles)
    yield from (step.boundary for feature in features if feature.pattern == "slope" for step in steps(feature))


def zone_names(plan: Map, frame: Frame, ink: Ink, places: Places, size: float) -> Iterator[tuple[str, Label]]:
    """Yield the names of zones, each with the SVG of its line to the zone, which is empty without a line.

    A name is inside its zone or beside it, and covers only pieces that hold the whole zone. Its place is taken in
    ``places``. If the name with its side has no free place, the name alone is tried. A zone without a free place, or
    far beyond the table, is left out. ``size`` is the type size in millimetres.
    """
    for zone in plan.zones:
        area = frame.area(zone.shape)
        inner = area.buffer(-_BAND)
        for name in filter(None, () if area.is_empty else (zone.name, zone.own)):
            place = None if inner.is_empty else places.inside(name, size, inner)
            place = place or places.name(name, size, area)
            if place is not None:
                more = Markup(";font-weight:700;color:{}").format(colour_of(plan, zone.side, ink))
                wide = 1.06 * name_width(name, size) + 0.6  # bold is wider
                yield leader(place), boxed(name, place.middle, wide, size, more)
                break


def leader(place: NamePlace) -> str:
    """Return the line from a name to its piece or zone as SVG, with a point at its end; empty if there is no line."""
    if place.line is None:
        return ""
    x, y = place.line.coords[-1]
    return path([outline(place.line)], 0.25) + sign("end", (x, y))


def entries(plan: Map, frame: Frame, ink: Ink, places: Places) -> Iterator[tuple[str, Label]]:
    """Yield the SVG and the text of each entry or exit.

    The SVG is its stretch of the edge, and an arrow into or out of the table. The text is its letter, and its turn if
    it has one. The arrow is at the free place along the stretch where it hides least, or in the middle if no place is
    free. Each place is taken in ``places``.
    """
    for entry in plan.entries:
        colour, text = colour_of(plan, entry.side, ink), entry.sign
        text += f" · {plan.turn} {entry.turn}" if entry.turn else ""
        wide = name_width(text, NUMBER) + 2.4
        start, end, (dx, dy) = _edge_of(frame, entry)
        tries = [(_tip_box(spot, (dx, dy), wide), spot) for spot in _along(start, end)]
        free = [item for item in tries if places.is_free(item[0])] or tries[:1]
        box, spot = min(free, key=lambda item: places.covered(item[0]))
        places.take(box)
        middle = _pill(spot, (dx, dy), wide)
        hollow = entry.side % 2 == 1
        fill = WHITE if hollow else colour
        bar = line(*((x - dx * _BAR / 2, y - dy * _BAR / 2) for x, y in (start, end)))
        back = f" translate({_TIP} 0) scale(-1 1)" if entry.leaves else ""
        pill = f'<rect x="{mm(-wide / 2)}" y="-1.9" width="{mm(wide)}" height="3.8" rx="1.9"/>'
        drawn = f'<path d="{bar}" stroke="{colour}" stroke-width="{_BAR}"/>'
        drawn += f'<g fill="{fill}" stroke="{colour}" stroke-width="0.45">'
        drawn += f"{sign('arrow', spot, (dx, dy), back)}{placed(pill, middle)}</g>"
        more = Markup(";font-weight:700;color:{}").format(colour if hollow else WHITE)
        yield drawn, boxed(text, middle, wide, NUMBER, more)


def _edge_of(frame: Frame, entry: MapEntry) -> tuple[Point, Point, Point]:
    """Return the two ends of an entry in the drawing, and its direction into the table as a unit vector."""
    far = {"north": frame.depth, "south": 0, "west": 0, "east": frame.width}[entry.edge]
    across = entry.edge in ("north", "south")
    start, end = (frame.at((item, far) if across else (far, item)) for item in (entry.start, entry.end))
    return start, end, _INWARD[entry.edge]


def _along(start: Point, end: Point) -> Iterator[Point]:
    """Yield places along a stretch of an edge, from its middle outwards on both sides; the middle comes twice."""
    far = max(abs(end[0] - start[0]), abs(end[1] - start[1]))
    for number in range(1 + int(far / 2 / _PITCH)):
        for way in (1, -1):
            part = 0.5 + (way * number * _PITCH / far if far else 0)
            yield start[0] + (end[0] - start[0]) * part, start[1] + (end[1] - start[1]) * part


def _pill(spot: Point, inward: Point, wide: float) -> Point:
    """Return the middle of an entry's sign, which is beyond the inner end of the arrow.

    ``spot`` is the entry's place on the edge, and ``inward`` the unit vector into the table. ``wide`` is the width of
    the sign in millimetres.
    """
    far = _TIP + 0.6 + (wide / 2 if inward[0] else 1.9)
    return spot[0] + inward[0] * far, spot[1] + inward[1] * far


def _tip_box(spot: Point, inward: Point, wide: float) -> Box:
    """Return the box around an entry's arrow and sign; the arguments are those of :func:`_pill`."""
    x, y = _pill(spot, inward, wide)
    half = (wide / 2 + 0.3, 2.2)
    return shapely.MultiPoint(((x - half[0], y - half[1]), (x + half[0], y + half[1]), spot)).bounds


def rings(plan: Map, frame: Frame) -> str:
    """Return the circles around objectives and set pieces as SVG, to scale. A mark without a radius has no circle."""
    drawn = ""
    for mark in plan.marks:
        (x, y), radius = frame.at(mark.at), mark.radius * frame.inch
        if radius:
            circle = f'<circle cx="{mm(x)}" cy="{mm(y)}" r="{mm(radius)}" fill="none"'
            dashes = "2.2 1.4" if mark.objective else "0.5 0.8"
            drawn += f'{circle} stroke="{WHITE}" stroke-width="0.9"/>'
            drawn += f'{circle} stroke="{BLACK}" stroke-width="0.4" stroke-dasharray="{dashes}"/>'
    return drawn


def marks(plan: Map, frame: Frame, places: Places) -> Iterator[tuple[str, Label]]:
    """Yield the flag of each objective and the lozenge of each set piece: its SVG, and its letter or number.

    A sign that is moved has a line to its point. A lozenge may also move in order to cover less. If no place is free,
    the sign stays on its point. Each place is taken in ``places``.
    """
    for mark in plan.marks:
        at = frame.at(mark.at)
        tries = [(spot, way) for spot in _about(at) for way in ((1, -1) if mark.objective else (1,))]
        free = [item for item in tries if places.is_free(_mark_box(mark, *item))] or tries[:1]
        if not mark.objective:
            free.sort(key=lambda item: dist(at, item[0]) + places.covered(_mark_box(mark, *item)))
        spot, way = free[0]
        places.take(_mark_box(mark, spot, way))
        lead = path([line(at, spot)], 0.25) if spot != at else ""
        name = "flag" if mark.objective else "lozenge"
        drawn = lead + sign("point", at) + sign(name, spot, more=" scale(-1 1)" if way < 0 else "")
        cloth = spot[0] + way * (_CLOTH - 0.8) / 2, spot[1] - _POLE + _DEEP / 2
        more = Markup(";font-weight:900;color:{}").format(WHITE if mark.objective else BLACK)
        size, middle = (NUMBER * 1.15, cloth) if mark.objective else (NUMBER, spot)
        yield drawn, boxed(mark.sign, middle, 5, size, more)


def _about(at: Point) -> Iterator[Point]:
    """Yield 37 places for a sign: its point, then 12 places around it at each of three growing distances."""
    yield at
    for far, turn in product((7.0, 10.0, 14.0), range(12)):
        yield at[0] + far * sin(turn * pi / 6), at[1] - far * cos(turn * pi / 6)


def _mark_box(mark: MapMark, at: Point, way: int) -> Box:
    x, y = at
    if not mark.objective:
        return x - _LOZENGE, y - _LOZENGE, x + _LOZENGE, y + _LOZENGE
    left, right = (x - 0.7, x + _CLOTH + 0.4) if way > 0 else (x - _CLOTH - 0.4, x + 0.7)
    return left, y - _POLE - 0.3, right, y + 0.7


def discs(features: Sequence[Feature], named: Container[int], places: Places) -> Iterator[tuple[str, Label]]:
    """Yield a disc for each numbered piece: its SVG, and its label with the number of the piece.

    The SVG of a disc beside its piece has a line to the piece.

    Pieces whose index in ``features`` is in ``named`` have no disc. The disc is on the piece, or beside it if no place
    on it is free. For bridges, fords, gaps and steps, places beside the piece come first. If no place is free, the
    piece has no disc.

    ``features`` are in the order in which they are drawn. If it can, a disc on a piece avoids the pieces that are drawn
    over that piece. Each place is taken in ``places``.
    """
    for index, feature in enumerate(features):
        if not feature.number or index in named:
            continue
        half = _DISC + 0.1
        above = shapely.GeometryCollection([other.area for other in features[index + 1 :]])
        tries = [(x - half, y - half, x + half, y + half) for x, y in _on(feature, above)]
        box = next(filter(places.is_free, tries), None)
        if box is None:
            continue
        places.take(box)
        at = (box[0] + box[2]) / 2, (box[1] + box[3]) / 2
        way = shapely.shortest_line(shapely.Point(at), feature.area)
        lead = path([outline(way)], 0.2) if way.length > _DISC else ""
        yield lead + sign("disc", at), boxed(str(feature.number), at, 2 * _DISC, NUMBER, Markup(";font-weight:700"))


def _on(feature: Feature, above: BaseGeometry) -> Iterator[Point]:
    """Yield places for the number of a piece: first on the piece, then around it.

    Places on an area are sorted from its middle outwards, places on a way by their distance from a point three
    tenths along it. Of the places on the piece, those clear of ``above``, the area of other pieces, come first. For
    bridges, fords, gaps and steps, the places around the piece come before those on it, and once more after them.
    """
    if feature.wide:
        spots = [feature.line.interpolate(part, normalized=True) for part in np.linspace(0.1, 0.9, 33)]
        spots.sort(key=feature.line.interpolate(0.3, normalized=True).distance)
    else:
        middle = feature.area.centroid
        middle = middle if feature.area.covers(middle) else feature.area.representative_point()
        spots = [middle]
        left, top, right, bottom = feature.area.bounds
        shapely.prepare(feature.area)
        raster = shapely.points([(x, y) for x in np.arange(left, right, 2) for y in np.arange(top, bottom, 2)])
        spots += sorted(raster[shapely.covers(feature.area, raster)], key=middle.distance)
    spots.sort(key=lambda spot: bool(above.distance(spot) < _DISC))
    if feature.pattern in _SMALL:
        yield from _beside(feature)
    yield from ((spot.x, spot.y) for spot in spots)
    yield from _beside(feature)


def _beside(feature: Feature) -> Iterator[Point]:
    """Yield places around a piece, just outside its edge."""
    edge = feature.area.buffer(_DISC + 0.5).boundary
    for part in range(24):
        spot = edge.interpolate(part / 24, normalized=True)
        yield spot.x, spot.y


_AIR, _BESIDE, _ABOVE = 0.5, 2.0, 0.5
"""Free space in millimetres around a name, to the names beside it and the table’s edge, and to the names above it."""
_HIGH = 1.25
"""The height of a line of text with free space, in sizes of its type."""
_ROOMY = 5
"""A feature at least this many times as large as its name may have the name inside."""
_NEAREST, _REACHES = 0.7, (3.0, 10.0, 60.0)
"""Least distance in millimetres from a feature to its name, and the greatest distances tried one after the other."""
_OWN = 2.5
"""A name without a line to its piece is at least this many millimetres nearer to its piece than to others."""
_LEAST_LINE = 2.0
"""Least length in millimetres of a line from a name to its piece."""
_LINE_COST, _CROSSING_COST, _COVER_COST, _CROWD_COST = 4.0, 8.0, 16.0, 3.0
"""Costs as distances: of a line to a piece, of each piece that it crosses, and of each line that a name covers.

The last is the cost of each other name or piece within ``_OWN`` of a name.
"""
_STEPS = 1.5, 0.7
"""The distances in millimetres between tried places, across and down."""


class NamePlace(NamedTuple):
    """The place of a name on a map."""

    middle: Point
    line: BaseGeometry | None = None
    """A line from the name to its piece, if another piece is about as near; else None."""


class Places:
    """The places on a map that are taken, and the pieces and lines that names should not cover."""

    def __init__(self, room: Box, pieces: Sequence[BaseGeometry], lines: Sequence[BaseGeometry] = ()) -> None:
        """Begin with no place taken; all signs and names must stay in ``room``.

        ``pieces`` are the areas of pieces in the order in which they are drawn. ``lines`` are further shapes that names
        should not cover.
        """
        self._room, self._pieces, self._lines = room, np.array(pieces, object), shapely.STRtree(lines)
        self._tree = shapely.STRtree(pieces)
        self._taken = np.empty((0, 4))
        self._names: list[BaseGeometry] = []

    def take(self, boxes: Box | NDArray[np.float64]) -> None:
        """Mark a box, or the boxes in the rows of an array, as taken, so that an overlapping place is not free."""
        self._taken = np.vstack((self._taken, boxes))

    def is_free(self, box: Box) -> bool:
        """Return whether a box is in the room and overlaps no box that is taken. A free box may cover pieces."""
        (left, top, right, bottom), room = box, self._room
        inside = left >= room[0] and top >= room[1] and right <= room[2] and bottom <= room[3]
        a, b, c, d = self._taken.T
        return inside and not ((left < c) & (right > a) & (top < d) & (bottom > b)).any()

    def covered(self, box: Box) -> float:
        """Return the cost of what a box hides, as a distance in millimetres.

        Each piece whose edge the box hides or touches has a fixed cost, and so has each line. A piece that has the
        whole box inside costs less.
        """
        shape = shapely.box(*box)
        touched, lines = (len(tree.query(shape, predicate="intersects")) for tree in (self._tree, self._lines))
        inside = len(self._tree.query(shape, predicate="within"))
        return _COVER_COST * (touched - inside + lines) + _CROSSING_COST * inside

    def inside(self, text: str, size: float, area: BaseGeometry) -> NamePlace | None:
        """Return the topmost free place for a name that is inside an area and clear of all pieces and lines.

        Mark the place as taken. Return None if there is no such place. ``size`` is the type size in millimetres.
        """
        boxes = self._boxes(area, _half(text, size), 0)
        shapes = np.asarray(shapely.box(*boxes.T))
        shapely.prepare(area)
        clear = shapely.covers(area, shapes)
        for tree in (self._tree, self._lines):
            clear[tree.query(shapes, predicate="intersects")[0]] = False
        return self._taken_place(boxes[clear][0], None) if clear.any() else None

    def name(self, text: str, size: float, area: BaseGeometry, piece: int = -1) -> NamePlace | None:
        """Return the place of a name beside or inside the visible part of an area, and mark the place as taken.

        None if no place within 60 mm is free. ``size`` is the type size in mm. ``piece`` is the index of the area
        among the pieces, or -1 for an area that is not a piece, whose name is always outside. The name covers no other
        piece, except pieces that hold all of its own piece, such as a hill under a wood. A name without a line is
        nearest to its own piece.
        """
        half = _half(text, size)
        foreign = np.arange(len(self._pieces)) != piece
        beneath = foreign & shapely.covers(shapely.buffer(self._pieces, 0.1), area)
        seen = area.difference(shapely.union_all(self._pieces[piece + 1 :])) if piece >= 0 else area
        area = area if seen.is_empty else seen
        strangers = self._pieces[foreign & ~beneath]
        closed = shapely.union_all(strangers)
        shapely.prepare((area, closed))
        roomy, joined = piece >= 0 and area.area > _ROOMY * 4 * half[0] * half[1], beneath.any()

        def best(reach: float) -> NamePlace | None:
            """Return the cheapest clear place for the name of ``area``, and mark the place as taken.

            It is at most ``reach`` millimetres from the area. None if no place is clear. Also None if the place costs
            more than ``reach``, unless ``reach`` is the last of ``_REACHES``.
            """
            boxes = self._boxes(area, half, reach)
            boxes = boxes[~shapely.contains_xy(closed, boxes[:, :2] + half)]
            shapes = np.asarray(shapely.box(*boxes.T))
            kept = ~shapely.intersects(closed, shapes)
            kept[kept] = shapely.dwithin(area, shapes[kept], reach)
            boxes, shapes = boxes[kept], shapes[kept]
            far = np.asarray(shapely.distance(shapes, area))
            within = shapely.covers(area, shapes) & roomy
            near = shapely.dwithin(closed, shapes, far + _OWN)  # type: ignore[call-overload] # its types know one distance
            lined = ~within & (joined | near)
            kept = within | (far >= np.where(lined, _LEAST_LINE, _NEAREST))
            boxes, shapes, far, lined = boxes[kept], shapes[kept], far[kept], lined[kept]
            lines = np.asarray(shapely.shortest_line(shapes, area))
            tree = shapely.STRtree(shapes)
            found = (
                shapely.STRtree(lines).query(strangers, predicate="intersects"),
                tree.query(self._lines.geometries, predicate="intersects"),
                tree.query(strangers, predicate="dwithin", distance=_OWN),
                tree.query(np.array(self._names, object), predicate="dwithin", distance=_OWN),
            )
            over, under, crowd, names = (np.bincount(pairs[1], minlength=len(boxes)) for pairs in found)
            cost = far + lined * (_LINE_COST + _CROSSING_COST * over)
            cost += _COVER_COST * under + _CROWD_COST * (crowd + names)
            aside = np.abs((boxes[:, :2] + boxes[:, 2:]) / 2 - np.array(area.centroid.coords[0]))
            taken = shapely.box(*self._taken.T)
            for index in np.lexsort((aside.sum(axis=1), aside.min(axis=1), np.round(2 * cost))):
                if cost[index] > reach and reach != _REACHES[-1]:
                    return None
                if not lined[index]:
                    return self._taken_place(boxes[index], None)
                if not shapely.intersects(lines[index], taken).any():
                    return self._taken_place(boxes[index], lines[index])
            return None

        return next(filter(None, map(best, _REACHES)), None)

    def _taken_place(self, box: NDArray[np.float64], line: BaseGeometry | None) -> NamePlace:
        """Return the place of a name. Mark its box with a margin around it, and its line (if any), as taken."""
        self.take(np.add(box, (-_BESIDE, -_ABOVE, _BESIDE, _ABOVE)))
        self._names.append(shapely.box(*box))
        if line is not None:
            spots = shapely.line_interpolate_point([line], np.append(np.arange(0, line.length, 0.5), line.length))
            self.take(np.add(shapely.bounds(spots), (-0.5, -0.5, 0.5, 0.5)))
        left, top, right, bottom = map(float, box)
        return NamePlace(((left + right) / 2, (top + bottom) / 2), line)

    def _boxes(self, area: BaseGeometry, half: NDArray[np.float64], reach: float) -> NDArray[np.float64]:
        """Return the free boxes in and around an area, from the top down. Their middles are points of a grid.

        Each row of the array is a box: its left, top, right and bottom. A free box is at least 2 mm inside the edges
        of the room, and overlaps no place that is taken. ``half`` is half the width and half the height of a box.
        Each box is at most ``reach`` from the area's bounding box across, and at most ``reach`` from it down. All
        lengths are millimetres.
        """
        middle = np.array(area.centroid.coords[0])
        first = np.maximum(np.subtract(area.bounds[:2], half + reach), half + _BESIDE + self._room[:2]) - middle
        last = np.minimum(np.add(area.bounds[2:], half + reach), self._room[2:] - half - _BESIDE) - middle
        steps = (step * np.arange(ceil(a / step), b / step) for step, a, b in zip(_STEPS, first, last, strict=True))
        xs, ys = (step + at for step, at in zip(steps, middle, strict=True))
        free = np.ones((len(ys), len(xs)), bool)
        left, top, right, bottom = self._taken.T
        across = np.searchsorted(xs + half[0], left, "right"), np.searchsorted(xs - half[0], right)
        down = np.searchsorted(ys + half[1], top, "right"), np.searchsorted(ys - half[1], bottom)
        for start, end, first_row, last_row in zip(*across, *down, strict=True):
            free[first_row:last_row, start:end] = False
        middles = np.stack(np.meshgrid(xs, ys), axis=-1)[free]
        return np.hstack((middles - half, middles + half))


def name_width(text: str, size: float) -> float:
    """Return the width in millimetres of a name; ``size`` is the type size in millimetres.

    Raises RenderError if the font is not installed.
    """
    return length(text, size / POINT, "sans-semibold")


def _half(text: str, size: float) -> NDArray[np.float64]:
    """Return half the width and half the height of a name with the free space around it; ``size`` is its type size.

    All are in millimetres.
    """
    return np.array([name_width(text, size) / 2 + _AIR, size * _HIGH / 2])
