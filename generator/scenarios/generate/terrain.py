"""Lay the terrain of a region: rivers and roads, then what objectives lie on, then pieces until the share is met.

Hills, woods and buildings go where they cut the lines of sight between the sides. Open ground fills the widest gaps.
"""

from __future__ import annotations

from math import atan2, degrees, hypot, isqrt
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import shapely

from generator.scenarios.advice import COVERED, SEEN, Limits, limits
from generator.scenarios.facts import seen_across
from generator.scenarios.generate.box import Box, Owned, Remaining
from generator.scenarios.generate.ground import Ground, Stamp, cuts, random_stamp, stamp
from generator.scenarios.generate.shapes import (
    Drawn,
    Lot,
    Spot,
    Vector,
    Way,
    direction,
    grown,
    house,
    meetings,
    path,
    slant,
    span,
    winding,
)
from generator.scenarios.table.outlines import HALF, STEP
from generator.scenarios.table.reach import CREST, OPEN, Points

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    import numpy.typing as npt

    from generator.rules.entries.tables import Row
    from generator.scenarios.chance import Chance
    from generator.scenarios.scenario import Terrain
    from generator.scenarios.table.coordinates import Area

_PATHS = ("river", "road", "straight")
_SPANS = ("crossing", "ford")
_WATERS = ("stream", "torrent", "brook", "water")
"""The drawings of paths that are crossed on a bridge or a ford."""
_NEAR = 3
"""How far the share may be from its target, in percent of the table."""
_TRIES = 30
_AMONG = 40
"""The number of random spots among which the best is taken."""
_LINES = 150
"""The number of lines between the sides that are watched while terrain is laid."""
_BANK = 3
"""Half inches that a bridge extends beyond the water."""
_STREET = 16
"""The distance from the middle of a village within which its houses stand, in half inches."""
_APART = 10
"""The least distance of a second road or a ford from a bridge, in half inches."""


class Want(NamedTuple):
    """Ground that an objective needs: a row of the region, and the area in which it must lie."""

    row: Row
    area: Area


class RefusalError(Exception):
    """A table that is not kept: why."""


class TerrainLayer:
    """Lays the terrain of a region once, on an empty table."""

    def __init__(
        self,
        ground: Ground,
        region: Row,
        rows: Sequence[Row],
        kinds: Mapping[str, Terrain],
        target: int,
        chance: Chance,
        box: Box | None,
    ) -> None:
        """``kinds`` are the kinds of terrain of the rules, by id; ``target`` is the share to cover, in percent.

        With a ``box``, only its pieces are laid.
        """
        self.ground = ground
        self.region = region
        self.rows = rows
        self.kinds = kinds
        self.chance = chance
        self.counts = [0] * len(rows)
        self._shares = [0.0] * len(rows)
        self._waters: list[Way] = []
        self._roads: list[Way] = []
        self._places: list[Lot] = []
        self.target = target
        self._remaining = Remaining(box) if box is not None else None

    def lay(self, starts: Sequence[Points], wants: Sequence[Want]) -> None:
        """Lay everything. ``starts`` are the points where each side begins. Raises RefusalError."""
        self._watch(starts)
        areas = [want for want in wants if want.row["form"] not in (*_PATHS, *_SPANS)]
        straight = any(row["form"] == "straight" for row in self.rows)
        for want in areas if straight else ():
            self._lay_wanted(want)
        self._lay_paths(wants)
        for want in () if straight else areas:
            self._lay_wanted(want)
        for number, row in self._of("line"):
            wanted = self.chance.between(*row["pieces"])
            self.counts[number] += sum(self._lay_piece(number) for _ in range(wanted))
        self._fill()
        self._judge(starts)

    # ------------------------------------------------------------------------------------------------ sight

    def _watch(self, starts: Sequence[Points]) -> None:
        """Choose the lines of sight that are watched: each joins two random points where opposite sides begin."""
        empty = np.zeros((0, 2))
        self._from, self._to = empty, empty
        self._seen: tuple[Points, Points, float] | None = None
        if len(starts) > 1:
            draws = [[self.chance.below(len(points)) for _ in range(_LINES)] for points in starts[:2]]
            self._from, self._to = starts[0][draws[0]], starts[1][draws[1]]

    def _open_lines(self) -> tuple[Points, Points, float]:
        """Return the lines along which points see each other, and their percentage."""
        if self._seen is None:
            sight = self.ground.sight
            there = sight.is_open(self._from) & sight.is_open(self._to)
            starts, ends = self._from[there], self._to[there]
            seen = sight.sees(starts, ends)
            self._seen = starts[seen], ends[seen], float(seen.mean()) * 100 if len(seen) else 0.0
        return self._seen

    def _is_too_open(self) -> bool:
        """Return whether more lines are open than a table of the region should have when it is finished."""
        floor, ceiling = self.region["seen"]
        return bool(self._open_lines()[2] > (2 * floor + ceiling) / 3)

    def _judge(self, starts: Sequence[Points]) -> None:
        """Raise RefusalError if the share or the sight is outside the region's limits, or a row has too few pieces."""
        share = round(self.ground.share)
        near = Limits(self.target - _NEAR, self.target + _NEAR)
        amiss = limits([self.region.values], "share").amiss(share, COVERED) or near.amiss(share, COVERED)
        for number, row in enumerate(self.rows):
            if self.counts[number] < (row["pieces"] or (0, 0))[0]:
                amiss = amiss or f"no room for {self.kinds[row['terrain']].name.lower()}"
        sight = self.ground.sight
        begins = [points[sight.is_open(points)] for points in starts]
        seen = seen_across(sight, begins) if all(len(points) for points in begins) else None
        if seen is not None:
            amiss = amiss or limits([self.region.values], "seen").amiss(seen, SEEN)
        if amiss:
            raise RefusalError(amiss)

    # ------------------------------------------------------------------------------------------------ paths

    def _lay_paths(self, wants: Sequence[Want]) -> None:
        """Lay rivers, then roads, then what leads over the water."""
        paths = self._of(*_PATHS)
        waters = [item for item in paths if self.kinds[item[1]["terrain"]].drawn in _WATERS]
        roads = [item for item in paths if item not in waters]
        upright = bool(self.chance.below(2))
        over, area = self._through(wants, {row["terrain"] for _, row in waters}, _SPANS)
        if area is not None:
            upright = area.right - area.left > area.high - area.low  # the water lies across the way to it
        for number, row in waters:
            for _ in range(self.chance.between(*row["pieces"])):
                self._add_path(number, self._waters, self._road(row, upright=not upright, through=over))
        through, _ = self._through(wants, {row["terrain"] for _, row in roads}, ("street",))
        for number, row in roads:
            for _ in range(self.chance.between(*row["pieces"])):
                road = self._road(row, upright=upright, through=through)
                if self._add_path(number, self._roads, road):
                    upright, through = (not upright if row["form"] == "straight" else upright), None
        for number, row in self._of("crossing"):
            self._lay_crossings(number, row)
        for number, row in self._of("ford"):
            for _ in range(self.chance.between(*row["pieces"])):
                self._lay_ford(number, row)

    def _of(self, *forms: str) -> list[tuple[int, Row]]:
        """Return the rows of some forms, with their numbers."""
        return [(number, row) for number, row in enumerate(self.rows) if row["form"] in forms]

    def _through(
        self, wants: Sequence[Want], kinds: set[str], forms: Sequence[str]
    ) -> tuple[Spot, Area] | tuple[None, None]:
        """Return a spot that the first path must lead through, and the area of its objective; None without one."""
        for want in wants:
            if want.row["terrain"] in kinds or (kinds and want.row["form"] in forms):
                area = want.area
                x = self.chance.between((3 * area.left + area.right) // 4, (area.left + 3 * area.right) // 4)
                y = self.chance.between((3 * area.low + area.high) // 4, (area.low + 3 * area.high) // 4)
                return (x, y), area
        return None, None

    def _lengths(self, *, upright: bool) -> tuple[int, int]:
        """Return the length of the table along a path, and across it."""
        return self.ground.table if not upright else self.ground.table[::-1]

    def _add_path(self, number: int, ways: list[Way], way: Way | None) -> bool:
        """Add a path to the table and to the other ways; return whether there is one."""
        if way is not None:
            ways.append(way)
            self._add(number, way.drawn)
        return way is not None

    def _add(self, number: int, drawn: Drawn) -> None:
        """Add a piece of a row."""
        row = self.rows[number]
        self.ground.add(self.kinds[row["terrain"]], drawn, row["names"] or "")
        self.counts[number] += 1

    def _path(self, row: Row, *, upright: bool, through: Spot | None) -> Way:
        """Return a path from edge to edge that leads through a spot, if one is given."""
        long, side = self._lengths(upright=upright)
        wide = self._size(row)
        at = (through[1], through[0]) if through and upright else through
        free = 15 if row["form"] == "straight" else 35
        base = at[1] if at else self.chance.between(side * free // 100, side * (100 - free) // 100)
        if row["form"] == "straight":
            return self._way(row, [(0, base), (long, base)], wide, upright=upright)
        points: list[Vector] = []
        for step in range(6):
            here = step * long / 5
            if at is None or abs(here - at[0]) > long / 8:
                far = min(max(base + self.chance.between(-side // 8, side // 8), side // 8), side * 7 // 8)
                points.append((here, far))
        if at is not None:
            points += [(at[0] - 3, base), (at[0] + 3, base)]
        return self._way(row, sorted(points), wide, upright=upright)

    def _way(self, row: Row, points: Sequence[Vector], wide: int, *, upright: bool) -> Way:
        """Return a path through points given as along and across."""
        turned = [(y, x) if upright else (x, y) for x, y in points]
        straight = row["form"] == "straight"
        drawn = path([(round(x), round(y)) for x, y in turned], wide) if straight else winding(turned, wide)
        return Way(self.kinds[row["terrain"]], drawn, upright, shapely.LineString(drawn.said["path"]))

    def _road(self, row: Row, *, upright: bool, through: Spot | None) -> Way | None:
        """Return the next road: the first leads from edge to edge and over the water, the others branch off."""
        for _ in range(_TRIES):
            if row["form"] in ("straight", "river") or not (self._roads or self._waters):
                road = self._path(row, upright=upright, through=through)
            else:
                road = self._branch(row) if self._roads else self._over_water(row, self._waters[0], through)
            if self._is_sound(row, road):
                return road
            if row["form"] == "straight":
                through = None
        return None

    def _is_sound(self, row: Row, road: Way) -> bool:
        """Return whether a road keeps to the table, bends gently, and meets other paths squarely and only once."""
        points = road.points
        if not self._is_on_table(points):
            return False
        for (x1, y1), (x2, y2), (x3, y3) in zip(points, points[1:], points[2:], strict=False):
            ahead, turn = (x2 - x1) * (x3 - x2) + (y2 - y1) * (y3 - y2), (x2 - x1) * (y3 - y2) - (y2 - y1) * (x3 - x2)
            if ahead <= abs(turn) / 2:
                return False
        for water in self._waters:
            meets = list(meetings(road.string, water.string))
            if not meets and road.string.distance(water.string) < (road.wide + water.wide) / 2 + 3:
                return False
            if len(meets) > 1 or any(slant(road, water, spot) > 0.5 for spot in meets):  # noqa: PLR2004 - 30 degrees
                return False
        if row["form"] == "straight":
            beside = (other for other in self._roads if other.upright == road.upright)
            clear = all(road.string.distance(other.string) > 2 * _APART for other in beside)
            return clear and not self._is_on_area(road.drawn)
        return not self._roads or self._leaves(road)

    def _is_on_table(self, points: Iterable[Sequence[int]]) -> bool:
        table = self.ground.table
        return all(0 <= x <= table.wide and 0 <= y <= table.deep for x, y in points)

    def _is_on_area(self, drawn: Drawn) -> bool:
        """Return whether a path lies on a piece that is not a path, or beside it."""
        outline = grown(drawn.shape, 1)
        areas = (piece.drawn.shape for piece in self.ground.pieces if not piece.drawn.shape.flows)
        return any(outline.overlaps(area.outline) for area in areas)

    def _leaves(self, road: Way) -> bool:
        """Return whether a branch keeps its distance from other roads, once it has left them."""
        rest = shapely.LineString(road.points[len(road.points) // 3 :])
        return all(rest.distance(other.string) > _APART for other in self._roads)

    def _over_water(self, row: Row, water: Way, through: Spot | None) -> Way:
        """Return a road that crosses a river squarely, and leads through a spot, if one is given."""
        upright = not water.upright
        long, side = self._lengths(upright=upright)
        reach = water.wide / 2 + _BANK + 3
        line_ = water.string
        spot = self._on_water(line_, through)
        x, y = line_.interpolate(spot).coords[0]
        east, north = direction(line_, spot)
        over = (-north, east) if upright == (abs(east) > abs(north)) else (north, -east)
        step = over[1] if upright else over[0]
        over = (-over[0], -over[1]) if step < 0 else over
        middle, across = ((y, x), (over[1], over[0])) if upright else ((x, y), over)
        bridge = [(middle[0] + sign * across[0] * reach, middle[1] + sign * across[1] * reach) for sign in (-1, 1)]
        points: list[Vector] = [*bridge]
        if through is not None:
            at = (through[1], through[0]) if upright else through
            if abs(at[0] - middle[0]) > reach + 8:
                points += [(at[0] - 5, at[1]), (at[0] + 5, at[1])]
        points.sort()
        first, last = points[0], points[-1]
        leaning = (far + self.chance.between(-side // 10, side // 10) for far in (first[1], last[1]))
        ends = [min(max(far, side // 12), side * 11 // 12) for far in leaning]
        return self._way(row, [(0, ends[0]), *points, (long, ends[1])], self._size(row), upright=upright)

    def _on_water(self, water: shapely.LineString, through: Spot | None) -> float:
        """Return how far along a river it is crossed: not far from a spot, if one is given."""
        whole = water.length
        if through is None:
            return whole * self.chance.between(30, 70) / 100
        near = water.project(shapely.Point(through))
        return min(max(near + self.chance.between(-6, 6), whole * 0.15), whole * 0.85)

    def _branch(self, row: Row) -> Way:
        """Return a road that leaves the first road squarely and leads to an edge beside it."""
        main = self._roads[0]
        upright = not main.upright
        spot = main.string.length * self.chance.between(20, 80) / 100
        x, y = main.string.interpolate(spot).coords[0]
        start = (y, x) if upright else (x, y)
        long, side = self._lengths(upright=upright)
        end = long if self.chance.below(2) else 0
        sign = 1 if end else -1
        far = min(max(start[1] + self.chance.between(-side // 6, side // 6), side // 10), side * 9 // 10)
        points = [start, (start[0] + sign * 10, start[1]), (start[0] + (end - start[0]) * 2 / 3, far), (end, far)]
        return self._way(row, points, self._size(row), upright=upright)

    def _lay_crossings(self, number: int, row: Row) -> None:
        """Lay a bridge where a road crosses a river."""
        for road in self._roads:
            for water in self._waters:
                for spot in meetings(road.string, water.string):
                    step = direction(road.string, road.string.project(spot))
                    wide = max(self._size(row), road.wide)
                    self._add(number, span((spot.x, spot.y), step, water.wide // 2 + _BANK, wide))

    def _lay_ford(self, number: int, row: Row) -> None:
        """Lay a ford over a river, away from every bridge and every other ford."""
        kind = self.kinds[row["terrain"]]
        spans = [piece.drawn for piece in self.ground.pieces if set(piece.terrain.frees) & set(kind.frees)]
        for _ in range(_TRIES if self._waters else 0):
            water = self._waters[self.chance.below(len(self._waters))]
            at = water.string.length * self.chance.between(12, 88) / 100
            spot = water.string.interpolate(at)
            near = [shapely.LineString(drawn.said["path"]).distance(spot) for drawn in spans]
            if all(away > water.string.length / 6 for away in near):
                east, north = direction(water.string, at)
                found = span((spot.x, spot.y), (-north, east), water.wide // 2 + 2, self._size(row))
                if self._is_on_table(found.said["path"]) and not self._is_on_area(found):
                    self._add(number, found)
                    return

    # ------------------------------------------------------------------------------------------------ areas

    def _size(self, row: Row) -> int:
        """Return a random size of a row, in half inches."""
        low, high = row["size"]
        return self.chance.between(2 * low, 2 * high)

    def _lay_wanted(self, want: Want) -> None:
        """Lay the ground that an objective needs, in its area. Raises RefusalError if it has no room."""
        number = self.rows.index(want.row)
        if not any(self._lay_piece(number, want.area) for _ in range(6)):
            raise RefusalError(f"no room for {self.kinds[want.row['terrain']].name.lower()} under an objective")
        self.counts[number] += 1

    def _fill(self) -> None:
        """Lay pieces until the share is met: first what each row must have, then what sight needs."""
        full: set[int] = set()
        areas = [n for n, row in enumerate(self.rows) if row["share"]]
        while self.ground.share < self.target - 1 and len(full) < len(areas):
            if len(self._from) and self._open_lines()[2] < self.region["seen"][0] / 2:
                break
            there = [n for n in areas if n not in full and self._shares[n] < self.rows[n]["share"][1]]
            short = [n for n in there if self._shares[n] < self.rows[n]["share"][0]]
            closed = [n for n in there if self.kinds[self.rows[n]["terrain"]].sight != OPEN]
            wished = closed if self._is_too_open() else [n for n in there if n not in closed]
            among = [n for n in short if n in wished] or short or wished or there
            if not among:
                break
            number = among[self.chance.below(len(among))]
            if self._lay_piece(number):
                self.counts[number] += 1
            else:
                full.add(number)

    def _lay_piece(self, number: int, area: Area | None = None) -> bool:
        """Lay a piece of a row, or a village; return whether there was room."""
        before = self.ground.share
        row = self.rows[number]
        street = row["form"] == "street" and self._roads and self._remaining is None
        laid = self._lay_street(row, area) if street else self._lay_area(row, area)
        self._shares[number] += self.ground.share - before
        if self.kinds[row["terrain"]].sight != OPEN:
            self._seen = None
        return laid

    def _lay_area(self, row: Row, area: Area | None) -> bool:
        """Lay a single piece, or a farm, at the best of several random spots."""
        kind = self.kinds[row["terrain"]]
        found = ((shape, owned, self.ground.spots(shape, kind, area)) for shape, owned in self._offers(row))
        first = next((item for item in found if len(item[2])), None)
        if first is None:
            return False
        shape, owned, spots = first
        spots = spots[[self.chance.below(len(spots)) for _ in range(_AMONG)]]
        order = np.argsort(-self._merit(row, kind, shape, spots), kind="stable")
        group = row["names"] or ""
        laid = any(self.ground.lay(shape, kind, (int(spots[n][0]), int(spots[n][1])), group) for n in order[:8])
        if laid and self._remaining is not None and owned is not None:
            self._remaining.take(owned)
        return laid

    def _offers(self, row: Row) -> Iterator[tuple[Stamp, Owned | None]]:
        """Yield shapes for a row: the pieces that the user owns, or a random shape and a small shape."""
        if self._remaining is not None:
            yield from self._remaining.offers(row["terrain"], self.chance)
            return
        low, high = (2 * item for item in row["size"])
        table = self.ground.table
        left = max(0.0, self.target + _NEAR - 1 - self.ground.share) * table.wide * table.deep / 100
        high = max(low, min(high, isqrt(int(left * 13 / 10))))
        for size in (self.chance.between(low, high), low):
            yield random_stamp(row["form"], size, self.chance), None

    def _merit(self, row: Row, kind: Terrain, shape: Stamp, spots: npt.NDArray[np.intp]) -> npt.NDArray[np.float64]:
        """Return how good each spot is: the more lines cut, the closer to houses, or the emptier, the better.

        On a table that is closed enough, a spot is better if fewer lines are cut there.
        """
        close = self.ground.neighbours(shape, spots).astype(np.float64)
        if kind.sight == OPEN:
            return -close
        starts, ends, _ = self._open_lines()
        radius = (shape.area / 3.14) ** 0.5 * (0.8 if kind.sight == CREST else 0.9)
        cut = cuts(spots, radius, starts, ends).astype(np.float64)
        together = close / 10 if row["form"] == "block" else -close / 1000
        return (cut if self._is_too_open() else -3 * cut) + together

    def _lay_street(self, row: Row, area: Area | None) -> bool:
        """Lay a village: houses on both sides of a road, from its middle outwards. The first house bears the name."""
        kind, wanted = self.kinds[row["terrain"]], self.chance.between(5, 9)
        laid: list[Spot] = []
        for lot in self._lots(area):
            if laid and hypot(lot.spot[0] - laid[0][0], lot.spot[1] - laid[0][1]) > _STREET:
                continue
            along = self._size(row)
            deep = self.chance.between(max(2, along * 6 // 10), along)
            turned = round(-degrees(atan2(lot.step[1], lot.step[0])) / STEP) * STEP % 180
            away = lot.wide / 2 + deep / 2 + 1.5
            for side in (1, -1) if self.chance.below(2) else (-1, 1):
                at = round(lot.spot[0] - side * lot.step[1] * away), round(lot.spot[1] + side * lot.step[0] * away)
                if self.ground.is_taken(at) or (area is not None and not laid and not area.holds(at)):
                    continue
                middle = 2 * along + 4, 2 * along + 4
                shape = stamp((house(middle, (along, deep), turned),), middle)
                named = not laid and not self._is_beside_named(at, row)
                fits = self.ground.has_room(shape, kind, at)
                if fits and self.ground.lay(shape, kind, at, row["names"] or "" if named or area else ""):
                    laid.append(at)
                    area = None
            if len(laid) >= wanted:
                break
        return bool(laid)

    def _is_beside_named(self, at: Spot, row: Row) -> bool:
        """Return whether a village with a name of the same group is so near that both are one village."""
        middles = [piece.drawn.shape.outline.middle() for piece in self.ground.pieces if piece.group == row["names"]]
        return any(hypot(at[0] - x / HALF, at[1] - y / HALF) < 2 * _STREET for x, y in middles)

    def _lots(self, area: Area | None) -> list[Lot]:
        """Return places along the roads, from the middle of a village outwards."""
        if not self._places:
            for road in self._roads:
                for far in range(4, int(road.string.length) - 3, 2):
                    spot = road.string.interpolate(far).coords[0]
                    self._places.append(Lot((spot[0], spot[1]), direction(road.string, far), road.wide))
        if area is not None:
            x, y = (area.left + area.right) / 2, (area.low + area.high) / 2
        else:
            x, y = self._places[self.chance.below(len(self._places))].spot
        return sorted(self._places, key=lambda lot: (lot.spot[0] - x) ** 2 + (lot.spot[1] - y) ** 2)
