"""The facts of a map as plain data: what is covered, who sees what, what can be reached, how far objectives are.

The facts are measured on the table as the file gives it, for rolled battles and hand-written battles alike. They are
measurements, not a judgement: nothing here weighs one side against another. Lengths are in half inches, shares are
whole percentages.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import shapely

from generator.scenarios.chance import Chance
from generator.scenarios.table import HALF, Extent, Outline, Points, Sight, area, core, mask_of, points_in, rectangle

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from shapely.geometry.base import BaseGeometry

    from generator.scenarios.models import Entry
    from generator.scenarios.scenario import Mover, Scenario, Side


def strip(entry: Entry, table: Extent) -> Outline:
    """Return the outline of an entry: a strip along its edge, half an inch deep, in outline units."""
    start, long = entry.start * HALF, (entry.end - entry.start) * HALF
    north, east = (table.deep - 1) * HALF, (table.wide - 1) * HALF
    corner = {"north": (start, north), "south": (start, 0), "east": (east, start), "west": (0, start)}[entry.edge]
    return rectangle(corner, (long, HALF) if entry.edge in ("north", "south") else (HALF, long))


_NARROW = HALF // 4
"""Half the width of a gap through which nothing passes, in outline units."""


class Marches:
    """The ground that each side of a scenario can reach by each way of moving. Results are cached."""

    def __init__(self, scenario: Scenario) -> None:
        self.scenario = scenario
        self._pieces = [(piece.terrain, area(piece.outline)) for piece in scenario.terrain]
        self._far: dict[tuple[str, str], BaseGeometry | None] = {}

    def far(self, side: Side, mover: Mover) -> BaseGeometry | None:
        """Return the ground that a side can ever reach by a way of moving, in outline units.

        The ground is empty if the side begins only on ground that stops it. None if the side has no zone and no entry.
        Zones and entries whose side is an empty text count as well, because they may belong to this side.
        """
        asked, own = (side.name, mover.id), (side.name, "")
        if asked not in self._far:
            begins = [zone.outline for zone in self.scenario.zones if zone.side in own]
            begins += [strip(entry, self.scenario.table) for entry in self.scenario.entries if entry.side in own]
            start = shapely.union_all([area(outline) for outline in begins])
            stops = [
                ground.difference(shapely.union_all([over for other, over in self._pieces if kind.id in other.frees]))
                for kind, ground in self._pieces
                if mover.id in kind.stops
            ]
            free = whole(self.scenario.table).difference(shapely.union_all(stops)).buffer(-_NARROW)
            parts = [part for part in shapely.get_parts(free) if part.intersects(start)]
            self._far[asked] = shapely.union_all(parts) if begins else None
        return self._far[asked]

    def stopped(self, side: Side, at: tuple[int, int], radius: int) -> tuple[Mover, ...]:
        """Return the side's ways of moving that cannot come within a radius of a place.

        The place and the radius are in half inches; a radius of 0 counts as half an inch. Empty for a side without a
        zone and without an entry.
        """
        place, near = shapely.Point(at[0] * HALF, at[1] * HALF), max(radius, 1) * HALF
        far = [(mover, self.far(side, mover)) for mover in side.movers]
        return tuple(mover for mover, ground in far if ground is not None and not ground.dwithin(place, near))


def whole(table: Extent) -> BaseGeometry:
    """Return a table as a shapely polygon, in outline units."""
    return shapely.box(0, 0, table.wide * HALF, table.deep * HALF)


WAYS = ("road", "bridge", "ford", "gap")
"""The drawings of terrain that covers nothing: it leads through or over other terrain."""
_PAIRS = 400
"""The number of pairs of points from which a share of sight is measured."""
_LANES, _GAPS = 6, 2
"""The distance between the points from which lanes and gaps are measured, in half inches."""
_SPOTS = 48
"""The most points from which lanes are measured, in each direction. On a larger table, the points are further apart."""


class Lane(NamedTuple):
    """The longest line along which two points see each other; the points and the length are in half inches."""

    start: tuple[int, int]
    end: tuple[int, int]
    length: int


class MapFacts(NamedTuple):
    """What is measured on a map."""

    covered: int
    """The percentage of the table that terrain covers; roads, bridges, fords and doors cover nothing."""
    seen_across: int | None
    """The percentage of pairs of points, one from where each of two sides begins, that see each other.

    The sides are the first two that begin where they see something. None if there are fewer.
    """
    seen_from: tuple[tuple[str, int], ...]
    """For each side that begins where it sees something: its name, and how much of the table it sees from there.

    This is the percentage of pairs of points that see each other: a point where the side begins, and any open point.
    """
    lane: Lane | None
    """None if no two points of the grid see each other."""
    gap: int
    """The diameter of the largest circle on the table without any cover in it, in half inches."""
    distances: tuple[tuple[str, tuple[tuple[str, int], ...]], ...]
    """For each objective: its name, and the distance to it from where each side begins, by the name of the side.

    Distances are in half inches. Sides without a zone and an entry are left out.
    """


def map_facts(scenario: Scenario) -> MapFacts:
    """Return the facts of a scenario's map."""
    sight = sight_of(scenario)
    begins = {name: outlines for name, outlines in begins_of(scenario).items() if outlines}
    starts = starts_of(begins, sight)
    across, anywhere = seen_across(sight, [*starts.values()]), points_in(~sight.blocked)
    seen_from = tuple((name, _seen_share(sight, points, anywhere)) for name, points in starts.items())
    ways = ((item, ((name, distance(it, item.at)) for name, it in begins.items())) for item in scenario.objectives)
    away = tuple((item.name, tuple(way)) for item, way in ways)
    return MapFacts(covered_share(scenario), across, seen_from, _longest_lane(sight), _widest_gap(scenario), away)


def sight_of(scenario: Scenario) -> Sight:
    """Return the ``Sight`` of a scenario's table: which points its terrain hides from each other."""
    return Sight(scenario.table, ((piece.outline, piece.terrain.sight) for piece in scenario.terrain))


def _covers(scenario: Scenario) -> list[BaseGeometry]:
    """Return the ground of each piece of terrain but roads, bridges, fords and doors, in outline units."""
    return [area(piece.outline) for piece in scenario.terrain if piece.terrain.drawn not in WAYS]


def covered_share(scenario: Scenario) -> int:
    """Return the percentage of the table that terrain covers, rounded to a whole number.

    Ground beyond the table does not count. Roads, bridges, fords and doors cover nothing.
    """
    cover, table = shapely.union_all(_covers(scenario)), whole(scenario.table)
    return round(cover.intersection(table).area / table.area * 100)


def seen_across(sight: Sight, starts: list[Points]) -> int | None:
    """Return the percentage of point pairs, one point from each of the first two sides, that see each other.

    ``starts`` are the points where each side begins, in half inches. The percentage is measured on 400 pairs, the same
    each time. None for fewer than two sides; 0 if one of these two has no points.
    """
    return _seen_share(sight, starts[0], starts[1]) if len(starts) > 1 else None


def _seen_share(sight: Sight, starts: Points, ends: Points) -> int:
    """Return the percentage of 400 pairs of a start and an end that see each other; 0 without starts or ends.

    The pairs are drawn from a fixed seed: equal points give equal pairs.
    """
    if not len(starts) or not len(ends):
        return 0
    chance = Chance(0, "facts")
    first = starts[[chance.below(len(starts)) for _ in range(_PAIRS)]]
    second = ends[[chance.below(len(ends)) for _ in range(_PAIRS)]]
    return round(int(sight.sees(first, second).sum()) * 100 / _PAIRS)


def begins_of(scenario: Scenario) -> Mapping[str, list[Outline]]:
    """Return the zones of each side, or else the strips along its entries, by the name of the side.

    The list of a side without either is empty.
    """
    found: dict[str, list[Outline]] = {}
    for side in scenario.sides:
        zones = [zone.outline for zone in scenario.zones if zone.side == side.name]
        strips = [strip(entry, scenario.table) for entry in scenario.entries if entry.side == side.name]
        found[side.name] = zones or strips
    return found


def starts_of(begins: Mapping[str, list[Outline]], sight: Sight) -> dict[str, Points]:
    """Return the points where each side begins, by the name of the side, in half inches.

    ``begins`` are the outlines where each side begins. Points are the middles of cells of half an inch. Points inside a
    piece that blocks sight are left out, and so is a side without other points.
    """
    starts = {name: points_within(outlines, sight.extent) for name, outlines in begins.items() if outlines}
    starts = {name: points[sight.is_open(points)] for name, points in starts.items()}
    return {name: points for name, points in starts.items() if len(points)}


def points_within(outlines: Iterable[Outline], table: Extent) -> Points:
    """Return the middles of the cells of half an inch that are inside any of the outlines, in half inches."""
    return points_in(mask_of(shapely.union_all([area(outline) for outline in outlines]), table))


def _grid(table: Extent, step: int) -> Points:
    """Return points a step apart over the whole table, in half inches.

    The first is half a step, rounded down, from west and south.
    """
    east, north = np.meshgrid(np.arange(step // 2, table.wide, step), np.arange(step // 2, table.deep, step))
    return np.stack((east.ravel(), north.ravel()), axis=1).astype(np.float64)


def _longest_lane(sight: Sight) -> Lane | None:
    """Return the longest line between two points of the grid that see each other; None if no two points do."""
    grid = _grid(sight.extent, max(_LANES, -(-max(sight.extent) // _SPOTS)))
    grid = grid[sight.is_open(grid)]
    pairs = np.stack(np.triu_indices(len(grid), 1), axis=1)
    lengths = ((grid[pairs[:, 0]] - grid[pairs[:, 1]]) ** 2).sum(axis=1)
    pairs = pairs[np.argsort(-lengths, kind="stable")]
    step = 500
    for first in range(0, len(pairs), step):
        some = pairs[first : first + step]
        seen = np.flatnonzero(sight.sees(grid[some[:, 0]], grid[some[:, 1]]))
        if len(seen):
            (x1, y1), (x2, y2) = grid[some[seen[0]]].tolist()
            return Lane((int(x1), int(y1)), (int(x2), int(y2)), round(((x1 - x2) ** 2 + (y1 - y2) ** 2) ** 0.5))
    return None


def _widest_gap(scenario: Scenario) -> int:
    """Return the diameter of the largest circle without terrain on the table, in half inches.

    Roads, bridges, fords and doors do not count as terrain. Only circles whose middles are an inch apart are tried. The
    result is rounded down.
    """
    around = [whole(scenario.table).boundary, *_covers(scenario)]
    points = shapely.points(_grid(scenario.table, _GAPS) * HALF)
    away = shapely.STRtree(around).query_nearest(points, return_distance=True, all_matches=False)[1]
    return int(2 * away.max() / HALF)


def distance(outlines: Iterable[Outline], at: tuple[int, int]) -> int:
    """Return the distance from a point to the nearest of several outlines, rounded to half inches; 0 inside of one.

    The point and the distance are in half inches. Raises ValueError without outlines.
    """
    point = shapely.Point(at[0] * HALF, at[1] * HALF)
    return max(0, round(min(core(outline).distance(point) - outline.margin for outline in outlines) / HALF))
