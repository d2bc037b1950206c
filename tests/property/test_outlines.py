"""The geometry of tables against plainer ways to the same answer: spots one by one, and polygons cut to size."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise
from typing import TYPE_CHECKING

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from generator.scenarios.table import HALF, Extent, Outline, core, mask_of, rectangle

if TYPE_CHECKING:
    from collections.abc import Sequence

pytestmark = pytest.mark.slow

SMALL = st.integers(0, 6)
SPOT = st.tuples(SMALL, SMALL)
SCALED = SPOT.map(lambda spot: (spot[0] * HALF, spot[1] * HALF))


def circle(middle: tuple[int, int], radius: int) -> Outline:
    return Outline((middle,), closed=False, margin=radius)


def way(points: Sequence[tuple[int, int]], wide: int) -> Outline:
    return Outline(tuple(points), closed=False, margin=wide // 2)


def hull(points: Sequence[tuple[int, int]]) -> tuple[tuple[int, int], ...]:
    """The convex polygon around points, against the clock."""

    def half(ordered: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
        found: list[tuple[int, int]] = []
        for x, y in ordered:
            while len(found) > 1:
                (ax, ay), (bx, by) = found[-2:]
                if (bx - ax) * (y - ay) - (by - ay) * (x - ax) > 0:
                    break
                found.pop()
            found.append((x, y))
        return found[:-1]

    ordered = sorted(set(points))
    return tuple(half(ordered) + half(ordered[::-1]))


CONVEX = st.lists(SCALED, min_size=3, max_size=7).map(hull).filter(lambda corners: len(corners) > 2)


@st.composite
def star(draw: st.DrawFn) -> tuple[tuple[int, int], ...]:
    """A simple polygon, mostly not convex: on each of eight spokes around a middle a corner."""
    spokes = ((1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1), (0, -1), (1, -1))
    x, y = draw(SPOT)
    far = draw(st.lists(st.integers(1, 4), min_size=8, max_size=8))
    return tuple(((x + dx * far[n]) * HALF, (y + dy * far[n]) * HALF) for n, (dx, dy) in enumerate(spokes))


def inside(corners: Sequence[tuple[int, int]], x: Fraction, y: Fraction) -> bool:
    """By winding: how often the corners go round a spot that lies on no edge."""
    turns = 0
    for (ax, ay), (bx, by) in zip(corners, (*corners[1:], corners[0]), strict=True):
        left = (bx - ax) * (y - ay) - (by - ay) * (x - ax)
        if ay <= y < by and left > 0:
            turns += 1
        elif by <= y < ay and left < 0:
            turns -= 1
    return turns != 0


def distance(x: Fraction, y: Fraction, ends: tuple[tuple[int, int], tuple[int, int]]) -> Fraction:
    """The square of the distance from an edge: by the nearest point on it."""
    (ax, ay), (bx, by) = ends
    length = (bx - ax) ** 2 + (by - ay) ** 2
    part = Fraction((x - ax) * (bx - ax) + (y - ay) * (by - ay)) / length if length else Fraction(0)
    part = min(max(part, Fraction(0)), Fraction(1))
    return (ax + part * (bx - ax) - x) ** 2 + (ay + part * (by - ay) - y) ** 2


def cut(
    corners: list[tuple[Fraction, Fraction]], a: tuple[int, int], b: tuple[int, int]
) -> list[tuple[Fraction, Fraction]]:
    """What of a convex polygon lies to the left of a line."""
    kept: list[tuple[Fraction, Fraction]] = []
    for here, there in zip(corners, corners[1:] + corners[:1], strict=True):
        sides = [Fraction((b[0] - a[0]) * (p[1] - a[1]) - (b[1] - a[1]) * (p[0] - a[0])) for p in (here, there)]
        if sides[0] >= 0:
            kept.append(here)
        if sides[0] * sides[1] < 0:
            part = sides[0] / (sides[0] - sides[1])
            kept.append((here[0] + part * (there[0] - here[0]), here[1] + part * (there[1] - here[1])))
    return kept


def shared(one: Sequence[tuple[int, int]], other: Sequence[tuple[int, int]]) -> Fraction:
    """Twice the area that two convex polygons, both against the clock, have in common."""
    rest = [(Fraction(x), Fraction(y)) for x, y in one]
    for a, b in zip(other, (*other[1:], other[0]), strict=True):
        rest = cut(rest, a, b)
    return sum((a[0] * b[1] - b[0] * a[1] for a, b in zip(rest, rest[1:] + rest[:1], strict=True)), Fraction(0))


@given(CONVEX, CONVEX)
def test_convex_polygons_overlap_where_they_share_an_area(
    one: tuple[tuple[int, int], ...], other: tuple[tuple[int, int], ...]
) -> None:
    assert Outline(one, closed=True).overlaps(Outline(other, closed=True)) == (shared(one, other) > 0)


@given(star(), star())
@settings(max_examples=60)
def test_polygons_overlap_where_a_spot_lies_in_both(
    one: tuple[tuple[int, int], ...], other: tuple[tuple[int, int], ...]
) -> None:
    """Stars are cut into the triangles between their spokes, which are convex: they share what these share."""
    found = any(shared(first, second) > 0 for first in triangles(one) for second in triangles(other))
    assert Outline(one, closed=True).overlaps(Outline(other, closed=True)) == found
    assert Outline(other, closed=True).overlaps(Outline(one, closed=True)) == found


def triangles(corners: Sequence[tuple[int, int]]) -> list[tuple[tuple[int, int], ...]]:
    """A star, from its middle: where the lines of the spokes 0 and 4, and 2 and 6, meet."""
    middle = corners[2][0], corners[0][1]
    return [(middle, a, b) for a, b in zip(corners, (*corners[1:], corners[0]), strict=True)]


@given(star())
def test_a_star_is_simple_and_one_with_two_corners_changed_is_not(corners: tuple[tuple[int, int], ...]) -> None:
    assert Outline(corners, closed=True).is_simple()
    crossed = (corners[0], corners[4], *corners[2:4], corners[1], *corners[5:])
    assert not Outline(crossed, closed=True).is_simple()
    assert not Outline((corners[0], corners[1], corners[0]), closed=True).is_simple()


@given(SCALED, st.integers(1, 5), SCALED, st.integers(1, 5))
@example((0, 0), 2, (3 * HALF, 4 * HALF), 3)
def test_circles_overlap_where_their_middles_are_nearer_than_their_radii(
    one: tuple[int, int], first: int, other: tuple[int, int], second: int
) -> None:
    apart = (one[0] - other[0]) ** 2 + (one[1] - other[1]) ** 2
    overlap = apart < ((first + second) * HALF) ** 2
    assert circle(one, first * HALF).overlaps(circle(other, second * HALF)) == overlap


@given(st.lists(SCALED, min_size=2, max_size=4), st.integers(1, 4), CONVEX)
@settings(max_examples=60)
def test_a_way_overlaps_what_is_nearer_than_half_its_width(
    points: list[tuple[int, int]], wide: int, corners: tuple[tuple[int, int], ...]
) -> None:
    road = way(points, wide * HALF)
    edges = list(pairwise(points))
    sides = list(zip(corners, (*corners[1:], corners[0]), strict=True))
    apart = [distance(Fraction(x), Fraction(y), side) for a, b in edges for x, y in (a, b) for side in sides]
    apart += [distance(Fraction(x), Fraction(y), edge) for x, y in corners for edge in edges]
    meets = any(inside_or_on(corners, x, y) for a, b in edges for x, y in (a, b)) or any(
        crosses(edge, side) for edge in edges for side in sides
    )
    assert road.overlaps(Outline(corners, closed=True)) == (meets or min(apart) < Fraction(wide * HALF, 2) ** 2)


def inside_or_on(corners: Sequence[tuple[int, int]], x: int, y: int) -> bool:
    sides = zip(corners, (*corners[1:], corners[0]), strict=True)
    return all((b[0] - a[0]) * (y - a[1]) - (b[1] - a[1]) * (x - a[0]) >= 0 for a, b in sides)


def crosses(one: tuple[tuple[int, int], tuple[int, int]], other: tuple[tuple[int, int], tuple[int, int]]) -> bool:
    """Whether two edges have one point in common, by solving for it; parallel ones are left to the distances."""
    (ax, ay), (bx, by), (cx, cy), (dx, dy) = *one, *other
    below = (bx - ax) * (dy - cy) - (by - ay) * (dx - cx)
    if not below:
        return False
    t = Fraction((cx - ax) * (dy - cy) - (cy - ay) * (dx - cx), below)
    u = Fraction((cx - ax) * (by - ay) - (cy - ay) * (bx - ax), below)
    return 0 <= t <= 1 and 0 <= u <= 1


OUTLINES = st.one_of(
    star().map(lambda corners: Outline(corners, closed=True)),
    st.builds(circle, SCALED, st.integers(1, 4).map(lambda radius: radius * HALF)),
    st.builds(way, st.lists(SCALED, min_size=2, max_size=4), st.integers(1, 3).map(lambda wide: wide * HALF)),
    st.builds(rectangle, SCALED, st.tuples(st.integers(1, 5), st.integers(1, 5)).map(
        lambda size: (size[0] * HALF, size[1] * HALF)), st.integers(0, 23).map(lambda steps: steps * 15)),
)  # fmt: skip


def plainly_holds(outline: Outline, x: int, y: int) -> bool:
    corners = outline.corners
    ends = (*corners[1:], corners[0]) if outline.closed else corners[1:] or corners
    edges = list(zip(corners, ends, strict=False))
    near = any(distance(Fraction(x), Fraction(y), edge) <= outline.margin**2 for edge in edges)
    return near or (outline.closed and inside(corners, Fraction(x), Fraction(y)))


@given(OUTLINES, st.integers(-HALF, 7 * HALF), st.integers(-HALF, 7 * HALF))
def test_an_outline_holds_a_spot_inside_it_or_on_its_edge(outline: Outline, x: int, y: int) -> None:
    assert outline.holds((x, y)) == plainly_holds(outline, x, y)


@given(OUTLINES)
@settings(max_examples=60)
def test_cells_are_those_whose_middle_is_inside(outline: Outline) -> None:
    extent = Extent(7, 6)
    found = mask_of(core(outline), extent, outline.margin)
    for row in range(extent.deep):
        for column in range(extent.wide):
            middle = column * HALF + HALF // 2, row * HALF + HALF // 2
            assert bool(found[row, column]) == plainly_holds(outline, *middle)
