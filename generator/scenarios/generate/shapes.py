"""Random shapes: an irregular patch, a turned block, a circle, a wall, a road or a river from edge to edge."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise
from math import isqrt
from typing import TYPE_CHECKING, Any, NamedTuple

from generator.scenarios.scenario import Shape
from generator.scenarios.table.outlines import HALF, STEP, Outline, circle, rectangle, way

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from generator.scenarios.chance import Chance
    from generator.scenarios.table.reach import Extent

Spot = tuple[int, int]
_COMPASS = ((1000, 0), (707, 707), (0, 1000), (-707, 707), (-1000, 0), (-707, -707), (0, -1000), (707, -707))
"""The eight compass directions as steps east and north, in thousandths."""
_BENDS = 4
"""The number of straight stretches of a road or a river."""
_TURNS = (0, 0, 15, 30, 45, 60, 75)


class Drawn(NamedTuple):
    """A shape as the keys of the file, in half inches, and its outline."""

    said: dict[str, Any]
    shape: Shape


def patch(middle: Spot, size: int, chance: Chance) -> Drawn:
    """Return an irregular shape of eight corners around a middle.

    Corners are at most half the size (in half inches) away. The patch may be longer in one direction.
    """
    long, short = size, chance.between(size * 7 // 10, size)
    wide, deep = (long, short) if chance.below(2) else (short, long)
    corners = []
    for east, north in _COMPASS:
        part = chance.between(70, 100)
        corners.append((
            middle[0] + _rounded(east * wide * part, 200_000),
            middle[1] + _rounded(north * deep * part, 200_000),
        ))  # fmt: skip
    outline = Outline(tuple((x * HALF, y * HALF) for x, y in corners), closed=True)
    return Drawn({"corners": [list(corner) for corner in corners]}, Shape(outline, round=False, flows=False))


def _rounded(number: int, by: int) -> int:
    """Return ``number`` divided by ``by``, rounded to the nearest whole number, halves up."""
    return (2 * number + by) // (2 * by)


def block(middle: Spot, size: int, chance: Chance) -> Drawn:
    """Return a rectangle around a middle, with sides at most the size, turned by a random angle."""
    wide, deep = size, chance.between(max(2, size * 6 // 10), size)
    if chance.below(2):
        wide, deep = deep, wide
    turned = _TURNS[chance.below(len(_TURNS))]
    at = middle[0] - wide // 2, middle[1] - deep // 2
    said: dict[str, Any] = {"at": list(at), "size": [wide, deep]}
    if turned:
        said["turned"] = turned
    outline = rectangle((at[0] * HALF, at[1] * HALF), (wide * HALF, deep * HALF), turned // STEP * STEP)
    return Drawn(said, Shape(outline, round=False, flows=False))


def round_(middle: Spot, size: int, chance: Chance) -> Drawn:
    """Return a circle around a middle; its diameter is about the size."""
    radius = max(1, (size + chance.below(2)) // 2)
    outline = circle((middle[0] * HALF, middle[1] * HALF), radius * HALF)
    return Drawn({"at": list(middle), "radius": radius}, Shape(outline, round=True, flows=False))


def line(middle: Spot, size: int, chance: Chance) -> Drawn:
    """Return a straight wall through a middle, as long as the size and half an inch wide."""
    east, north = _COMPASS[chance.below(len(_COMPASS) // 2)]
    half = max(1, size // 2)
    over = _rounded(east * half, 1000), _rounded(north * half, 1000)
    return path([(middle[0] - over[0], middle[1] - over[1]), (middle[0] + over[0], middle[1] + over[1])], 1)


def across(table: Extent, wide: int, chance: Chance, *, upright: bool) -> Drawn:
    """Return a road or a river with bends between opposite edges: south to north if ``upright``, else west to east."""
    long, side = (table.deep, table.wide) if upright else (table.wide, table.deep)
    base = chance.between(side * 3 // 10, side * 7 // 10)
    points: list[Spot] = []
    for bend in range(_BENDS + 1):
        base += chance.between(-side // 12, side // 12)
        base = min(max(base, side // 6), side * 5 // 6)
        here = bend * long // _BENDS
        points.append((base, here) if upright else (here, base))
    return path(points, wide)


def path(points: Sequence[Spot], wide: int) -> Drawn:
    """Return a road or a river through these points."""
    outline = way([(x * HALF, y * HALF) for x, y in points], wide * HALF)
    return Drawn({"path": [list(point) for point in points], "wide": wide}, Shape(outline, round=False, flows=True))


def crossings(drawn: Drawn, other: Drawn) -> Iterator[tuple[Spot, Spot]]:
    """Yield each spot where two paths cross, and the direction of the first path there, in half inches."""
    for start, end in pairwise(drawn.said["path"]):
        for first, last in pairwise(other.said["path"]):
            spot = _meeting(start, end, first, last)
            if spot is not None:
                yield spot, (end[0] - start[0], end[1] - start[1])


def _meeting(start: Sequence[int], end: Sequence[int], first: Sequence[int], last: Sequence[int]) -> Spot | None:
    """Return the spot where two edges cross, rounded to the half inch; None if they do not cross."""
    dx, dy, ex, ey = end[0] - start[0], end[1] - start[1], last[0] - first[0], last[1] - first[1]
    slant = dx * ey - dy * ex
    if slant == 0:
        return None
    along = Fraction((first[0] - start[0]) * ey - (first[1] - start[1]) * ex, slant)
    beside = Fraction((first[0] - start[0]) * dy - (first[1] - start[1]) * dx, slant)
    if not (0 <= along <= 1 and 0 <= beside <= 1):
        return None
    return round(start[0] + along * dx), round(start[1] + along * dy)


def span(spot: Spot, step: Spot, reach: int, wide: int) -> Drawn:
    """Return a bridge over a spot in the direction of a step, extending ``reach`` half inches each way."""
    long = isqrt(step[0] ** 2 + step[1] ** 2) or 1
    over = _rounded(step[0] * reach, long), _rounded(step[1] * reach, long)
    return path([(spot[0] - over[0], spot[1] - over[1]), (spot[0] + over[0], spot[1] + over[1])], wide)


def grown(shape: Shape, margin: int) -> Outline:
    """Return the outline of a shape with ``margin`` half inches around it."""
    return shape.outline._replace(margin=shape.outline.margin + margin * HALF)
