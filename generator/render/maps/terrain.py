"""Drawings of terrain: patterns in black ink that differ for each kind, and a tint if the ink has one."""

from __future__ import annotations

import re
from functools import lru_cache
from math import dist, hypot, pi
from typing import TYPE_CHECKING, NamedTuple

from generator.render.drawing import line, mm, path
from generator.render.inks import BLACK, WHITE
from generator.render.maps.areas import Area, around, touches, toward

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from generator.render.blocks import Ink
    from generator.render.drawing import Point
    from generator.render.maps.areas import Box

_PLACES = re.compile(r"[ML](-?[\d.]+) (-?[\d.]+)")
_POST = 0.9
"""Half the length, and the thickness, of a post beside a gap, in millimetres."""
_FOUR = 4
_BESIDE = 4.0
"""Largest reach of a sign beyond the points of its path, in millimetres."""


class Look(NamedTuple):
    """The drawing style of a pattern."""

    level: int
    """Height above the ground: lower patterns are drawn first."""
    tints: dict[Ink, str]
    """The fill for each ink; empty for no fill."""
    lines: str
    """The colour of its lines in colour ink."""
    edge: float
    """The width of its edge; 0 for no edge."""
    dashes: str
    signs: Callable[[Area], Iterator[str]]
    """A function that yields the signs inside an area as path data; filled signs begin with a star."""


def _tints(colour: str, mono: str) -> dict[Ink, str]:
    return {"colour": colour, "mono": mono, "low": ""}


def draw_terrain(pattern: str, areas: Iterable[Area], ink: Ink, window: Box | None = None) -> str:
    """Return all areas of a pattern as SVG; ways that meet are joined. With a ``window``, only what touches it."""
    look = LOOKS.get(pattern, LOOKS["plain"])
    colour = look.lines if ink == "colour" else BLACK
    listed = [area for area in areas if window is None or touches(area.box, window)]
    ways = [area for area in listed if area.wide]
    drawn = _ways(pattern, ways, look, ink, colour) if ways else ""
    for area in (area for area in listed if not area.wide):
        drawn += _fill(area, look.tints[ink] or "none", over=not look.edge)
        thin: list[str] = []
        solid: list[str] = []
        for sign, reach in _grown(pattern, area):
            if window is None or touches(reach, window):
                (solid if sign.startswith("*") else thin).append(sign.removeprefix("*"))
        if thin:
            drawn += path(thin, 0.22, colour)
        if solid:
            drawn += f'<path d="{" ".join(solid)}" fill="{colour}"/>'
        if look.edge:
            dashes = f' stroke-dasharray="{look.dashes}"' if look.dashes else ""
            drawn += f'<path d="{area.outline()}" fill="none" stroke="{colour}" stroke-width="{look.edge}"{dashes}'
            drawn += ' stroke-linejoin="round"/>'
    return drawn


@lru_cache(maxsize=512)
def _grown(pattern: str, area: Area) -> tuple[tuple[str, Box], ...]:
    """Return the signs in an area, each with its box. Cached: a large area is drawn again for every window."""
    signs = LOOKS.get(pattern, LOOKS["plain"]).signs(area)
    return tuple((sign, _reach(sign)) for sign in signs)


def _reach(sign: str) -> Box:
    """Return the box around the points of a piece of path data, with the greatest reach of a sign added."""
    spots = [(float(x), float(y)) for x, y in _PLACES.findall(sign)]
    left, top, right, bottom = around(*spots)
    return left - _BESIDE, top - _BESIDE, right + _BESIDE, bottom + _BESIDE


def _fill(area: Area, fill: str, *, over: bool) -> str:
    """Return the fill of an area; with ``over`` it also covers the edge of an area beneath."""
    edge = f' stroke="{fill}" stroke-width="0.7"' if over else ""
    return "" if fill == "none" else f'<path d="{area.outline()}" fill="{fill}"{edge}/>'


def _ways(pattern: str, ways: list[Area], look: Look, ink: Ink, colour: str) -> str:
    """Return roads, rivers, walls and other ways as SVG: edges first, then the fill between them."""
    if pattern == "wall":
        return "".join(_stroke(way, colour, 0.7) for way in ways) + path(
            [tick for way in ways for tick in _ticks(way)], 0.3, colour
        )
    rim = 0.55 if pattern == "bridge" else 0.25
    drawn = "".join(_stroke(way, colour, max(way.wide, 0.7) + 2 * rim) for way in ways)
    drawn += "".join(_stroke(way, look.tints[ink] or WHITE, max(way.wide, 0.7)) for way in ways)
    if pattern == "stream":
        drawn += "".join(
            _stroke(way, colour, 0.2, dashes="3 1.6")
            for way in ways
            if way.wide > 1.4  # noqa: PLR2004 - else full
        )
    if pattern == "brook":
        drawn += "".join(_stroke(way, colour, 0.5, "0.7 0.9") for way in ways)
    if pattern == "ford":
        drawn += "".join(_stroke(way, colour, way.wide * 0.6, "0.5 0.9") for way in ways)
    if pattern == "bridge":
        drawn += "".join(_stroke(way, colour, way.wide, "0.15 1.1") for way in ways)
    return drawn


def _stroke(way: Area, colour: str, wide: float, dashes: str = "") -> str:
    dashed = f' stroke-dasharray="{dashes}"' if dashes else ""
    return (
        f'<path d="{way.outline()}" fill="none" stroke="{colour}" stroke-width="{mm(wide)}"'
        f' stroke-linejoin="round"{dashed}/>'
    )


def _along(points: Iterable[tuple[Point, Point]], gap: float) -> Iterator[tuple[Point, Point]]:
    """Yield points along edges, each with the unit vector across the edge, to the right of the way."""
    for start, end in points:
        length = hypot(end[0] - start[0], end[1] - start[1])
        if not length:
            continue
        across = (end[1] - start[1]) / length, -(end[0] - start[0]) / length
        count = max(1, round(length / gap))
        for number in range(count):
            yield toward(start, end, (number + 0.5) / count), across


def _ticks(way: Area) -> Iterator[str]:
    for (x, y), (dx, dy) in _along(way.edges(), 2):
        yield line((x - dx * 0.7, y - dy * 0.7), (x + dx * 0.7, y + dy * 0.7))


# What stands in areas


def _nothing(_area: Area) -> Iterator[str]:
    yield from ()


def _trees(area: Area) -> Iterator[str]:
    for x, y in area.spread(4.4, 1.3):
        yield f"M{mm(x - 1)} {mm(y)}a1 1 0 1 1 2 0a1 1 0 1 1 -2 0M{mm(x)} {mm(y + 1)}v0.9"


def _thicket(area: Area) -> Iterator[str]:
    for x, y in area.spread(3.0, 1.2, shift=0.35):
        yield f"*M{mm(x)} {mm(y - 1.25)}l0.95 2h-1.9Z"
        yield f"M{mm(x)} {mm(y + 0.7)}v0.6"


def _slope(area: Area) -> Iterator[str]:
    """Yield short strokes down the slope along the edge, and one contour line inside."""
    middle, (left, top, right, bottom) = area.middle, area.box
    long = min(1.5, (right - left) / 6, (bottom - top) / 6)
    for (x, y), (dx, dy) in _along(area.edges(), long * 1.3):
        inward = long if area.holds((x + dx * long / 4, y + dy * long / 4)) else -long
        yield line((x, y), (x + dx * inward, y + dy * inward))
    yield Area(tuple(toward(middle, corner, 0.55) for corner in area.points)).outline()


def _crags(area: Area) -> Iterator[str]:
    for x, y in area.spread(4.6, 1.2):
        yield f"M{mm(x - 1.6)} {mm(y + 1)}l1.6 -2.6l1.6 2.6"
        yield f"*M{mm(x)} {mm(y - 1.6)}l1.6 2.6h-0.9Z"


def _stones(area: Area) -> Iterator[str]:
    for number, (x, y) in enumerate(area.spread(3.4, 0.8)):
        size = 0.55 if number % 3 else 0.85
        up, slant = mm(size * 1.2), mm(size * 0.6)
        yield f"M{mm(x - size)} {mm(y + size * 0.5)}l{slant} -{up}h{mm(size * 0.9)}l{slant} {up}Z"


def _scrub(area: Area) -> Iterator[str]:
    for x, y in area.spread(3.8, 0.9):
        yield f"M{mm(x)} {mm(y + 0.7)}v-1.4M{mm(x)} {mm(y + 0.7)}l-0.8 -1.1M{mm(x)} {mm(y + 0.7)}l0.8 -1.1"


def _furrows(area: Area) -> Iterator[str]:
    for start, end in area.stripes(pi / 12, 1.5):
        yield line(start, end)


def _houses(area: Area) -> Iterator[str]:
    for number, (x, y) in enumerate(area.spread(4.2, 1.6, shift=0.3)):
        wide, high = (2.2, 1.5) if number % 3 else (1.5, 2.1)
        yield f"*M{mm(x - wide / 2)} {mm(y - high / 2)}h{mm(wide)}v{mm(high)}h-{mm(wide)}Z"


def _ruins(area: Area) -> Iterator[str]:
    for number, (x, y) in enumerate(area.spread(4.2, 1.5, shift=0.3)):
        yield f"M{mm(x - 1.1)} {mm(y - 0.8)}v1.6h2.2" + ("v-0.8" if number % 2 else "v-1.6h-0.9")


def _marsh(area: Area) -> Iterator[str]:
    for x, y in area.spread(4.4, 1.1):
        yield f"M{mm(x - 1.3)} {mm(y)}h2.6M{mm(x - 0.7)} {mm(y + 0.75)}h1.4"
        yield f"M{mm(x)} {mm(y)}v-1.2M{mm(x - 0.5)} {mm(y)}l-0.3 -0.9M{mm(x + 0.5)} {mm(y)}l0.3 -0.9"


def _waves(area: Area) -> Iterator[str]:
    for x, y in area.spread(4.6, 1.2, shift=0.3):
        yield f"M{mm(x - 1.5)} {mm(y)}q0.75 -0.9 1.5 0t1.5 0"


def _planks(area: Area) -> Iterator[str]:
    for start, end in area.stripes(pi / 2, 1.1):
        yield line(start, end)


def _shallows(area: Area) -> Iterator[str]:
    for x, y in area.spread(1.3, 0.3, shift=0.2):
        yield f"*M{mm(x - 0.25)} {mm(y)}a0.25 0.25 0 1 1 0.5 0a0.25 0.25 0 1 1 -0.5 0"


def _posts(area: Area) -> Iterator[str]:
    """Yield a post at each of the two shorter edges of a gap."""
    edges = list(area.edges())
    if len(edges) == _FOUR:
        edges = min((edges[start::2] for start in (0, 1)), key=lambda pair: sum(dist(*item) for item in pair))
    for (a, b), (c, d) in sorted(edges, key=lambda edge: dist(*edge))[:2]:
        middle, long = ((a + c) / 2, (b + d) / 2), hypot(c - a, d - b) or 1.0
        x, y = (c - a) / long, (d - b) / long
        across, along = min(long / 2, _POST), _POST / 2
        corners = ((1, 1), (1, -1), (-1, -1), (-1, 1))
        spots = (
            (middle[0] + u * x * across - v * y * along, middle[1] + u * y * across + v * x * along) for u, v in corners
        )
        yield "*M" + "L".join(f"{mm(p)} {mm(q)}" for p, q in spots) + "Z"


def _masonry(area: Area) -> Iterator[str]:
    for start, end in area.stripes(pi / 4, 1.0):
        yield line(start, end)


GREEN, BLUE, BROWN, STONE = "#24502a", "#1d4c7a", "#6f4f20", "#3d3a36"

LOOKS: dict[str, Look] = {
    "plain": Look(1, _tints("#f2f2f2", "#f2f2f2"), STONE, 0.25, "3 1", _nothing),
    "slope": Look(0, _tints("#f3e8d3", "#f4f4f4"), BROWN, 0.35, "", _slope),
    "crags": Look(0, _tints("#e6ddd0", "#e8e8e8"), BROWN, 0.35, "", _crags),
    "trees": Look(1, _tints("#d6e8cc", "#ececec"), GREEN, 0.3, "1.4 0.8", _trees),
    "thicket": Look(1, _tints("#b9d7ad", "#dadada"), GREEN, 0.4, "", _thicket),
    "scrub": Look(1, _tints("#eaf0d4", ""), GREEN, 0.2, "0.6 1", _scrub),
    "stones": Look(1, _tints("#eeeae2", ""), STONE, 0.2, "0.6 1", _stones),
    "furrows": Look(1, _tints("#f7efc9", ""), BROWN, 0.25, "", _furrows),
    "marsh": Look(1, _tints("#dcece8", ""), BLUE, 0.2, "2 0.8 0.4 0.8", _marsh),
    "water": Look(1, _tints("#cbe1f4", "#e2e2e2"), BLUE, 0.4, "", _waves),
    "stream": Look(2, _tints("#cbe1f4", "#e2e2e2"), BLUE, 0.3, "", _waves),
    "torrent": Look(2, _tints("#b5d3ee", "#d0d0d0"), BLUE, 0.5, "", _waves),
    "houses": Look(2, _tints("#ece6e0", "#f4f4f4"), STONE, 0.3, "", _houses),
    "ruins": Look(2, _tints("#f1ede8", ""), STONE, 0.3, "2 1", _ruins),
    "brook": Look(2, _tints("#eaf3fb", ""), BLUE, 0.3, "0.7 0.9", _waves),
    "wall": Look(3, _tints("#e3dcd6", ""), STONE, 0.5, "", _masonry),
    "ford": Look(3, _tints("#e7f1f9", ""), BLUE, 0.25, "0.6 0.6", _shallows),
    "road": Look(3, _tints("#f6ecd8", ""), STONE, 0.25, "", _nothing),
    "gap": Look(4, _tints("#ffffff", "#ffffff"), STONE, 0, "", _posts),
    "bridge": Look(4, _tints("#ffffff", "#ffffff"), STONE, 0.5, "", _planks),
}
"""The drawing style of each pattern."""
