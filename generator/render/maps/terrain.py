"""Terrain on maps: the frame of the table in the drawing, pieces as shapes in millimetres, and their patterns.

A pattern differs from all others in black ink, too.
"""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from math import atan2, ceil, floor, hypot, pi
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

import numpy as np
import shapely
from shapely.affinity import rotate
from shapely.geometry.polygon import orient

from generator import resources
from generator.render.blocks import Ink, Map, MapPiece, MapShape
from generator.render.drawing import BLACK, WHITE, Point, line, mm, path, placed, sign

if TYPE_CHECKING:
    from shapely.geometry.base import BaseGeometry


Box: TypeAlias = "tuple[float, float, float, float]"
"""Left, top, right and bottom, in millimetres of the drawing."""
_BEYOND = 12
"""Farthest drawn distance beyond the table in inches, because a draft may have pieces anywhere."""
_THINNEST = 0.7
"""Least width in millimetres of a way."""
_NO_LINE = shapely.LineString()


class Feature(NamedTuple):
    """A piece of terrain in the drawing."""

    pattern: str
    area: BaseGeometry
    """The ground that the piece covers, in millimetres of the drawing."""
    line: BaseGeometry = _NO_LINE
    """The middle line of a way; empty for an area."""
    wide: float = 0
    """The width of a way in millimetres; 0 for an area."""
    name: str = ""
    number: int = 0
    models: int = 1
    """The number of models on it: steps of a hill, or houses."""


class Frame(NamedTuple):
    """The position and scale of the table in the drawing."""

    left: float
    top: float
    inch: float
    """Millimetres per inch of the table."""
    width: float
    """Inches from west to east."""
    depth: float
    """Inches from south to north."""

    @property
    def box(self) -> Box:
        """The edges of the table in the drawing, in millimetres: left, top, right and bottom."""
        return self.left, self.top, self.left + self.width * self.inch, self.top + self.depth * self.inch

    def at(self, spot: Point) -> Point:
        """Return the point in the drawing for a point in inches from the south-west corner of the table.

        A point more than 12 inches beyond the table is moved to that distance.
        """
        sides = zip(spot, (self.width, self.depth), strict=True)
        x, y = (min(max(item, -_BEYOND), far + _BEYOND) for item, far in sides)
        return self.left + x * self.inch, self.top + (self.depth - y) * self.inch

    def area(self, shape: MapShape) -> BaseGeometry:
        """Return the area that a shape covers in the drawing. Raises the errors of :meth:`feature`."""
        return self.feature(MapPiece("", shape)).area

    def feature(self, piece: MapPiece) -> Feature:
        """Return a piece of terrain with its area and its middle line in the drawing.

        A way is at least 0.7 mm wide. Raises the errors of :func:`area_of`.
        """
        shape = piece.shape
        points = [self.at(point) for point in shape.points]
        line, wide = _NO_LINE, 0.0
        if shape.wide:
            line, wide = shapely.LineString(points), max(shape.wide * self.inch, _THINNEST)
        area = area_of(points, shape.radius * self.inch, wide)
        return Feature(piece.pattern, area, line, wide, piece.name, piece.number, piece.models)


def area_of(points: Sequence[Point], radius: float, wide: float) -> BaseGeometry:
    """Return the area of a circle with this radius, or else of a way with this width, or else of a polygon.

    ``radius`` and ``wide`` are in the unit of the ``points``, and 0 for other shapes. The circle is around the first
    point. Raises ValueError for a polygon of one or two points, and GEOSException of shapely for a way of one point.
    """
    if radius:
        return shapely.Point(points[0]).buffer(radius, quad_segs=24)
    if wide:
        return shapely.LineString(points).buffer(wide / 2, cap_style="flat")
    return shapely.Polygon(points).buffer(0)


def frame_of(plan: Map, across: float, margins: Box) -> Frame:
    """Return the frame of a table in a drawing ``across`` millimetres wide, inside these margins.

    The table is as large as the width and the greatest height, ``plan.highest``, allow. It is in the middle between
    the left and right margins.
    """
    left, top, right, bottom = margins
    inch = min((across - left - right) / plan.width, (plan.highest - top - bottom) / plan.depth)
    return Frame(left + (across - left - right - plan.width * inch) / 2, top, inch, plan.width, plan.depth)


def outline(shape: Any) -> str:
    """Return the edges of an area, or a line itself, as SVG path data; empty for a point or an empty shape."""
    if shape.is_empty:
        return ""
    if hasattr(shape, "geoms"):
        return "".join(map(outline, shape.geoms))
    if shape.geom_type == "Polygon":
        return "".join(f"{line(*ring.coords)}Z" for ring in (shape.exterior, *shape.interiors))
    return line(*shape.coords) if shape.geom_type != "Point" else ""


def corners(area: BaseGeometry) -> list[Point]:
    """Return the four corners of the smallest rectangle around an area, one after another. It may be a turned one."""
    spots = shapely.get_coordinates(shapely.minimum_rotated_rectangle(area))[:4]
    return [(float(x), float(y)) for x, y in spots]


def inner_radius(area: BaseGeometry) -> float:
    """Return the radius of the largest circle inside an area; 0 for an area without size."""
    return float(shapely.length(shapely.maximum_inscribed_circle(np.array([area])))[0]) if area.area else 0.0


_FAR, _NEAR = 9.0, 1.5
"""The largest and least distance in millimetres between the middles of houses."""
_CLEAR = 1.0
"""Least distance in millimetres between a way and the signs of the area it crosses."""
FLAG = "flag"
"""The pattern name that gives the flag of an objective; only :func:`swatch` draws it."""
_FLAG = f'<path d="M2.6 .2h5l-1 1.3l1 1.3h-4.5v1.3h-.5Z" fill="{BLACK}"/>'
"""The flag of an objective in a sample."""


class Look(NamedTuple):
    """The drawing style of a pattern, from ``terrain.toml``."""

    level: int
    """Height above the ground: lower patterns are drawn first."""
    tints: tuple[str, str]
    """The fill in colour and in mono ink; empty for no fill. Low ink has no tints."""
    lines: str
    """The colour of its lines in colour ink."""
    edge: float = 0
    """The width of its edge; 0 for no edge."""
    dashes: str = ""
    way: bool = False
    """Whether the pattern is usually a way; a swatch shows it as a way."""
    gap: float = 0
    """The distance of its scattered signs; 0 for a pattern without such signs."""
    margin: float = 0
    """The distance of the signs from the edge."""
    sway: float = 0.5
    """The range in which a sign is moved, as a part of the gap: half of it to each side."""
    signs: tuple[tuple[tuple[str, float, float, str], ...], ...] = ()
    """Signs that take turns, each in parts: a star for a filled part, its start beside the place, further path data."""

    def fill(self, ink: Ink) -> str:
        """Return the colour that fills the pattern in this ink; empty for no fill."""
        return {"colour": self.tints[0], "mono": self.tints[1], "low": ""}[ink]

    def scattered(self, area: BaseGeometry) -> Iterator[str]:
        """Yield the parts of signs scattered over an area as path data; a filled part begins with ``*``."""
        for number, (x, y) in enumerate(_spread(area, self.gap, self.margin, self.sway) if self.gap else ()):
            parts = self.signs[number % len(self.signs)]
            yield from (f"{star}M{mm(x + right)} {mm(y + down)}{rest}" for star, right, down, rest in parts)


_FILE = tomllib.loads((resources.templates() / "terrain.toml").read_text(encoding="utf-8"))
LOOKS = {name: Look(**look) for name, look in _FILE.items()}
"""The drawing style of each pattern, by its name."""


def draw_terrain(pattern: str, features: Sequence[Feature], ink: Ink, above: BaseGeometry | None = None) -> str:
    """Return features as SVG, all drawn as ``pattern``, or as "plain" if the pattern is not known.

    ``above`` is the ground of ways above the pattern. No sign of an area is drawn there, unless ``above`` covers the
    whole area, or the area is a hill, a building or a ship.
    """
    look = LOOKS.get(pattern, LOOKS["plain"])
    colour = look.lines if ink == "colour" else BLACK
    ways = [feature for feature in features if feature.wide]
    drawn = _draw_ways(pattern, ways, look, ink, colour) if ways else ""
    for feature in (feature for feature in features if not feature.wide):
        if pattern == "slope":
            drawn += _draw_hill(feature, ink, colour)
            continue
        area = feature.area
        if fill := look.fill(ink):
            drawn += f'<path d="{outline(area)}" fill="{fill}"/>'
        room = area if above is None else area.difference(above.buffer(_CLEAR))
        room = room if not room.is_empty else area
        signs = list(_signs(pattern, look, room, feature.models))
        thin = [sign for sign in signs if not sign.startswith("*")]
        solid = [sign[1:] for sign in signs if sign.startswith("*")]
        drawn += path(thin, 0.2, colour) if thin else ""
        drawn += f'<path d="{" ".join(solid)}" fill="{colour}"/>' if solid else ""
        if look.edge:
            edge = _scalloped(area) if pattern in ("trees", "thicket") else outline(area)
            drawn += _stroke(edge, colour, look.edge, look.dashes)
    return drawn


def swatch(pattern: str, ink: Ink) -> str:
    """Return a sample of a pattern, or of the flag of an objective, as SVG, 9 by 4.2 millimetres.

    An unknown pattern is drawn as "plain".
    """
    if pattern in LOOKS and LOOKS[pattern].way:
        middle = shapely.LineString(((-1, 2.1), (10, 2.1)))
        features = [Feature(pattern, middle.buffer(1.1), middle, 2.2)]
    elif pattern == "slope":
        features = [Feature(pattern, shapely.Point(4.5, 2.1).buffer(1.9))]
    else:
        room = 0.7 if pattern in ("trees", "thicket") else 0  # for the loops of their outline
        features = [Feature(pattern, shapely.box(0.4 + room, 0.3 + room, 8.6 - room, 3.9 - room))]
    return (
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 4.2" width="9mm" height="4.2mm">'
        f"{_FLAG if pattern == FLAG else draw_terrain(pattern, features, ink)}</svg>"
    )


def level(pattern: str) -> int:
    """Return the height of a pattern above the ground: lower patterns are drawn first.

    An unknown pattern is as high as "plain".
    """
    return LOOKS.get(pattern, LOOKS["plain"]).level


def steps(hill: Feature) -> Iterator[BaseGeometry]:
    """Yield the area of each step of a hill, the lowest first. The count of steps is ``hill.models``."""
    radius = inner_radius(hill.area)
    return (hill.area.buffer(-radius * number / hill.models) for number in range(hill.models))


def _draw_hill(hill: Feature, ink: Ink, colour: str) -> str:
    """Return a hill of at most three steps as SVG: a contour for each step, and short strokes along its foot.

    The tint of a step darkens what is below, so that a hill on a hill is darker than the lower hill.
    """
    tint = {"colour": "#be8a07", "mono": "#a5a5a5"}.get(ink, "none")
    drawn = ""
    for number, step in enumerate(steps(hill)):
        look = f'fill="{tint}" fill-opacity="0.23" stroke="{colour}" stroke-width="{0.35 if number else 0.45}"'
        drawn += f'<path d="{outline(step)}" {look}/>'
    return drawn + path([line(*tick) for tick in _ticks(hill.area, 3.2, 1.1)], 0.2, colour)


def _stroke(data: str, colour: str, wide: float, dashes: str = "") -> str:
    dashed = f' stroke-dasharray="{dashes}"' if dashes else ""
    return f'<path d="{data}" fill="none" stroke="{colour}" stroke-width="{mm(wide)}" stroke-linejoin="round"{dashed}/>'


def _draw_ways(pattern: str, ways: Sequence[Feature], look: Look, ink: Ink, colour: str) -> str:
    """Return ways, all drawn as ``pattern``, as SVG. Ways that meet are joined; rails are drawn over each other."""
    lines = [(outline(way.line), way.wide) for way in ways]
    if pattern == "wall":
        drawn = "".join(_stroke(data, colour, max(0.9, min(wide, 1.6))) for data, wide in lines)
        return drawn + path([_post(spot) for way in ways for spot, _ in _along(way.line, 5)], 0.2, colour)
    if pattern == "rail":
        ties = [line(*tick) for way in ways for tick in _crossing(way.line, 1.5, min(way.wide, 2.6) / 2)]
        beds = "".join(_stroke(data, WHITE, min(wide, 2.6)) for data, wide in lines)
        rails = "".join(_stroke(data, BLACK, 1.3) + _stroke(data, WHITE, 0.7) for data, _ in lines)
        return beds + path(ties, 0.35, BLACK) + rails
    drawn = "".join(_stroke(data, colour, wide + 2 * look.edge) for data, wide in lines)
    drawn += "".join(_stroke(data, look.fill(ink) or WHITE, wide) for data, wide in lines)
    if pattern in ("stream", "torrent", "brook"):
        drawn += _flow(ways, colour, twice=pattern == "torrent")
    if pattern == "road":
        drawn += "".join(_stroke(data, colour, 0.18, "2.2 1.8") for data, wide in lines if wide > 1)
    if pattern == "ford":
        drawn += path([line(*tick) for way in ways for tick in _crossing(way.line, 1.2, way.wide / 2)], 0.3, colour)
    if pattern == "bridge":
        drawn += "".join(_abutments(way, colour) for way in ways)
    return drawn


def _flow(ways: Sequence[Feature], colour: str, *, twice: bool) -> str:
    """Return the current of rivers as SVG: a broken line along the middle, and an arrow at intervals.

    With ``twice``, there are two lines, one on each side of the middle. A river that is narrower than 1.4 mm has no
    arrows.
    """
    drawn = ""
    for way in ways:
        offsets = (-way.wide / 5, way.wide / 5) if twice else (0.0,)
        for number, off in enumerate(offsets):
            aside = shapely.offset_curve(way.line, off) if off else way.line
            drawn += _stroke(outline(aside), colour, 0.2, "3 2" if number == 0 else "1.4 1.2")
        if way.wide < 1.4:  # noqa: PLR2004 - an arrow has no room
            continue
        currents = "".join(sign("current", *place) for place in _along(way.line, 45))
        drawn += f'<g fill="{colour}" stroke="{colour}">{currents}</g>'
    return drawn


def _abutments(way: Feature, colour: str) -> str:
    """Return the splayed ends of a bridge's parapets as SVG."""
    half, points = mm(way.wide / 2 + 0.3), way.line.coords
    ends = path([f"M0 {half}l1.1 1.1", f"M0 -{half}l1.1 -1.1"], 0.6, colour)
    places = ((points[0], points[1]), (points[-1], points[-2]))
    return "".join(placed(ends, (x, y), (x - inner[0], y - inner[1])) for (x, y), inner in places)


def _along(way: BaseGeometry, gap: float) -> Iterator[tuple[Point, Point]]:
    """Yield points along a line, about ``gap`` apart, each with the line's direction there as a unit vector.

    Yield nothing for a line without length.
    """
    many = max(1, round(way.length / gap)) if way.length else 0
    far = [way.length * (number + 0.5) / many for number in range(many)]
    spots, ahead, behind = (
        shapely.get_coordinates(shapely.line_interpolate_point([way], np.clip(np.add(far, step), 0, way.length)))
        for step in (0, 0.1, -0.1)
    )
    for (x, y), (dx, dy) in zip(spots, ahead - behind, strict=True):
        long = hypot(dx, dy) or 1.0
        yield (x, y), (dx / long, dy / long)


def _crossing(way: BaseGeometry, gap: float, reach: float) -> Iterator[tuple[Point, Point]]:
    """Yield lines across a way, about ``gap`` millimetres apart; each reaches ``reach`` millimetres to both sides."""
    for (x, y), (dx, dy) in _along(way, gap):
        yield (x - dy * reach, y + dx * reach), (x + dy * reach, y - dx * reach)


def _ticks(area: BaseGeometry, gap: float, long: float) -> Iterator[tuple[Point, Point]]:
    """Yield strokes ``long`` millimetres inwards from the outer edge of an area, about ``gap`` millimetres apart."""
    for ring in _rings(area):
        for (x, y), (dx, dy) in _along(ring, gap):
            yield (x, y), (x - dy * long, y + dx * long)


def _rings(area: BaseGeometry) -> Iterator[BaseGeometry]:
    """Yield the outer edge of each polygon of an area, all in the same direction."""
    return (orient(part).exterior for part in shapely.get_parts(area) if part.geom_type == "Polygon")


def _post(spot: Point) -> str:
    return f"M{mm(spot[0] - 0.6)} {mm(spot[1] - 0.6)}h1.2v1.2h-1.2Z"


def _scalloped(area: BaseGeometry) -> str:
    """Return the outer edge of a wood as path data: small arcs outwards."""
    data = ""
    for ring in _rings(area):
        many = max(8, round(ring.length / 3.0))
        spots = [ring.interpolate(number / many, normalized=True) for number in range(many)]
        radius = mm(ring.length / many * 0.6)
        data += f"M{mm(spots[0].x)} {mm(spots[0].y)}"
        data += "".join(f"A{radius} {radius} 0 0 1 {mm(spot.x)} {mm(spot.y)}" for spot in (*spots[1:], spots[0]))
    return data


def _spread(area: BaseGeometry, gap: float, margin: float, shift: float = 0.5) -> Iterator[Point]:
    """Yield points inside an area in staggered rows. If no point fits, yield one point anywhere inside.

    Each point is moved a little, always in the same way. ``gap`` is the distance in a row, ``margin`` the least
    distance from the edge. ``shift`` is the range of the movement as a part of the gap: half of it to each side.
    """
    inner = area.buffer(-margin)
    middle = (area if inner.is_empty else inner).representative_point()
    if inner.is_empty:
        yield middle.x, middle.y
        return
    shapely.prepare(inner)
    (left, top, right, bottom), rise = inner.bounds, gap * 0.86
    raster = np.mgrid[floor(top / rise) : ceil(bottom / rise) + 1, floor(left / gap) - 1 : ceil(right / gap) + 1]
    rows, columns = raster.reshape(2, -1)
    chance = ((rows * 73856093 ^ columns * 19349663) & 0xFFFFFF) * 2654435761 & 0xFFFFFFFF  # fixed, not random
    aside, down = (((chance >> bits & 0xFF) / 255 - 0.5) * gap * shift for bits in (8, 20))
    xs, ys = (columns + rows % 2 / 2) * gap + aside, rows * rise + down
    inside = shapely.contains_xy(inner, xs, ys)
    yield from zip(xs[inside], ys[inside], strict=True) if inside.any() else [(middle.x, middle.y)]


def _stripes(area: BaseGeometry, turn: float, gap: float) -> Iterator[str]:
    """Yield path data as one text, perhaps empty: lines in an area, ``gap`` apart, ``turn`` radians from horizontal."""
    middle = shapely.Point(0, 0)
    left, top, right, bottom = rotate(area, -turn, origin=middle, use_radians=True).bounds
    levels = (number * gap for number in range(ceil(top / gap), floor(bottom / gap) + 1))
    lines = [((left - 1, y), (right + 1, y)) for y in levels]
    cut = rotate(shapely.MultiLineString(lines), turn, origin=middle, use_radians=True).intersection(area)
    yield outline(cut)


def _furrows(area: BaseGeometry) -> Iterator[str]:
    (ax, ay), (bx, by) = corners(area)[:2]
    yield from _stripes(area, atan2(by - ay, bx - ax), 1.3)


def _slip(area: BaseGeometry) -> Iterator[str]:
    """Yield the rails of a slipway along its long axis and the sleepers across them, as one text of path data."""
    axis = shapely.LineString(_long_axis(area))
    rails = [shapely.offset_curve(axis, side).coords for side in (-0.7, 0.7)]
    yield outline(shapely.MultiLineString([*rails, *_crossing(axis, 1.4, 1.4)]).intersection(area))


def _signs(pattern: str, look: Look, area: BaseGeometry, models: int) -> Iterator[str]:
    """Yield the signs of a pattern inside an area as path data; filled signs begin with ``*``.

    ``models`` is the count of houses; other patterns do not use it.
    """
    if pattern == "houses":
        return _houses(area, models)
    return _SIGNS[pattern](area) if pattern in _SIGNS else look.scattered(area)


def _houses(area: BaseGeometry, many: int) -> Iterator[str]:
    """Yield ``many`` houses as path data that begins with ``*``, spread over the area.

    A single house fills the area. In an area that is too small, several houses are at the same place.
    """
    if many == 1:
        body = area.buffer(-0.35, join_style="mitre")
        yield f"*{outline((body if body.area else area).difference(shapely.LineString(_long_axis(area)).buffer(0.18)))}"
        return
    gaps = (float(gap) for gap in np.arange(_FAR, _NEAR, -0.25))
    found = ((gap, [*_spread(area, gap, gap / 3, 0.2)]) for gap in gaps)
    gap, spots = next((item for item in found if len(item[1]) >= many), (_NEAR, [*_spread(area, _NEAR, 0, 0)]))
    size = min(3.8, gap * 0.55)
    for number in range(many):
        x, y = spots[number * len(spots) // many]
        wide, high = (size, size * 0.7) if number % 3 else (size * 0.7, size)
        yield f"*M{mm(x - wide / 2)} {mm(y - high / 2)}h{mm(wide)}v{mm(high)}h-{mm(wide)}Z"


def _building(area: BaseGeometry) -> Iterator[str]:
    """Yield the lines of the roof of one building as path data."""
    (ax, ay), (bx, by) = _long_axis(area)
    start, end = (ax * 0.72 + bx * 0.28, ay * 0.72 + by * 0.28), (ax * 0.28 + bx * 0.72, ay * 0.28 + by * 0.72)
    yield line(start, end)
    for corner in corners(area):
        yield line(min(start, end, key=lambda top: hypot(top[0] - corner[0], top[1] - corner[1])), corner)


def _posts(area: BaseGeometry) -> Iterator[str]:
    """Yield a filled post at each end of a long area, such as a doorway, as path data that begins with ``*``."""
    for spot in _long_axis(area):
        yield f"*{_post(spot)}"


def _decks(area: BaseGeometry) -> Iterator[str]:
    """Yield the edge of a ship's deck, then hatches along its long axis, as path data; hatches begin with ``*``."""
    yield outline(area.buffer(-0.9))
    (ax, ay), (bx, by) = _long_axis(area)
    for part in (0.3, 0.5, 0.7):
        x, y = ax + (bx - ax) * part, ay + (by - ay) * part
        yield f"*M{mm(x - 0.8)} {mm(y - 0.8)}h1.6v1.6h-1.6Z"


def _terraces(area: BaseGeometry) -> Iterator[str]:
    """Yield path data for the three steps of a quarry from its edge down: for each an outline, then strokes down it."""
    for number in range(3):
        step = area.buffer(-1.6 * number)
        yield outline(step)
        yield from (line(*tick) for tick in _ticks(step, 1.4, 0.8))


def _long_axis(area: BaseGeometry) -> tuple[Point, Point]:
    """Return the middles of the two shorter sides of the smallest rectangle around an area."""
    a, b, c, d = corners(area)
    if hypot(a[0] - b[0], a[1] - b[1]) > hypot(b[0] - c[0], b[1] - c[1]):
        a, b, c, d = b, c, d, a
    return ((a[0] + b[0]) / 2, (a[1] + b[1]) / 2), ((c[0] + d[0]) / 2, (c[1] + d[1]) / 2)


_SIGNS: dict[str, Callable[[BaseGeometry], Iterator[str]]] = {
    "quarry": _terraces,
    "furrows": _furrows,
    "building": _building,
    "ship": _decks,
    "gap": _posts,
    "wall": partial(_stripes, turn=pi / 4, gap=1.0),
    "steps": partial(_stripes, turn=pi / 2, gap=0.7),
    "slipway": _slip,
    "bridge": partial(_stripes, turn=pi / 2, gap=1.1),
}
"""The functions that yield the signs of a pattern whose signs follow the shape of the area."""
