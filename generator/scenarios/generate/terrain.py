"""Lay the terrain of a region: rivers and roads, then what objectives lie on, then pieces until the share is met.

Hills, woods and buildings go where they cut the lines of sight between the sides. Open ground fills the widest gaps.
"""

from __future__ import annotations

from math import atan2, degrees, isqrt
from typing import TYPE_CHECKING

import numpy as np
import shapely

from generator.scenarios.advice import COVERED, SEEN, amiss_of
from generator.scenarios.facts import seen_across, whole
from generator.scenarios.generate.shapes import (
    SHAPES,
    Keys,
    Vector,
    block,
    crossings,
    direction,
    house,
    outline,
    path,
    round_,
    slant,
    span,
)
from generator.scenarios.table.coordinates import Area, spot_in
from generator.scenarios.table.outlines import HALF, STEP, Outline, area, core
from generator.scenarios.table.reach import OPEN, Points, Sight

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping, Sequence

    import numpy.typing as npt

    from generator.rules.entries.tables import Row
    from generator.scenarios.chance import Chance
    from generator.scenarios.generate.box import Box, Owned
    from generator.scenarios.generate.ground import Ground, Room
    from generator.scenarios.scenario import Terrain

_PATHS = ("river", "road", "straight")
_SPANS = ("crossing", "ford")
_WATERS = ("stream", "torrent", "brook", "water")
"""The drawings of paths that are crossed on a bridge or a ford."""
_NEAR = 2
"""How far a piece may bring the share above its target, in percent of the table."""
_TRIES = 30
_AMONG, _BEST = 40, 8
"""The number of random spots among which the best is looked for, and of the best spots that are tried."""
_LINES = 150
"""The number of lines between the sides that are watched while terrain is laid."""
_BANK = 3
"""Half inches that a bridge extends beyond the water."""
_STREET = 12
"""The distance from the middle of a village within which its houses stand, in half inches."""
_APART = 10
"""The least distance between two paths that do not cross, in half inches."""
_SQUARE = 0.5
"""The most that a crossing of two paths may slant: 30 degrees."""


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
        self._waters: list[Outline] = []
        self._roads: list[Outline] = []
        self.target = target
        self._left = [*box.pieces] if box is not None else None
        """The pieces of the box that are not on the table yet."""

    def lay(self, starts: Sequence[Points], wants: Sequence[tuple[Row, Area]]) -> None:
        """Lay everything. ``starts`` are the points where each side begins. Raises RefusalError.

        ``wants`` is the ground that objectives need: a row of the region, and the area in which it must lie.
        """
        self._watch(starts)
        self._lay_paths(wants)
        for row, within in wants:
            if row["form"] not in (*_PATHS, *_SPANS):
                self._lay_wanted(row, within)
        for number, row in self._of("line"):
            for _ in range(self.chance.between(*row["pieces"])):
                self._lay_piece(number)
        self._fill()
        self._judge(starts)

    # ------------------------------------------------------------------------------------------------ sight

    def _watch(self, starts: Sequence[Points]) -> None:
        """Choose the lines of sight that are watched: each joins two random points where opposite sides begin."""
        ends = [points[[self.chance.below(len(points)) for _ in range(_LINES)]] for points in starts[:2]]
        lines = [shapely.LineString(HALF * np.array(line)) for line in zip(*ends, strict=True)] if ends[1:] else []
        self._lines: npt.NDArray[np.object_] = np.array(lines, dtype=object)

    def _is_too_open(self) -> bool:
        """Return whether more lines are open than a table of the region should have when it is finished."""
        floor, ceiling = self.region["seen"]
        return bool(len(self._lines) * 300 > _LINES * (2 * floor + ceiling))

    def _judge(self, starts: Sequence[Points]) -> None:
        """Raise RefusalError if the share or the sight is outside the region's limits, or a row has too few pieces."""
        share = round(self.ground.share)
        amiss = amiss_of(share, self.region["share"], COVERED)
        for number, row in enumerate(self.rows):
            if self.counts[number] < (row["pieces"] or (0, 0))[0]:
                amiss = amiss or f"no room for {self.kinds[row['terrain']].name.lower()}"
        sight = Sight(self.ground.table, ((piece.outline, piece.terrain.sight) for piece in self.ground.pieces))
        begins = [points[sight.is_open(points)] for points in starts]
        seen = seen_across(sight, begins) if all(len(points) for points in begins) else None
        if seen is not None:
            amiss = amiss or amiss_of(seen, self.region["seen"], SEEN)
        if amiss:
            raise RefusalError(amiss)

    # ------------------------------------------------------------------------------------------------ paths

    def _lay_paths(self, wants: Sequence[tuple[Row, Area]]) -> None:
        """Lay rivers, then roads, then what leads over the water."""
        waters = [item for item in self._of(*_PATHS) if self.kinds[item[1]["terrain"]].drawn in _WATERS]
        roads = [item for item in self._of(*_PATHS) if item not in waters]
        over = self._through(wants, {row["terrain"] for _, row in waters}, _SPANS)
        through = over or self._through(wants, {row["terrain"] for _, row in roads}, ("street",))
        upright = bool(self.chance.below(2))
        for number, _ in waters:
            self._lay_across(number, self._waters, upright=not upright, through=over)
        for number, row in roads:
            for _ in range(self.chance.between(*row["pieces"])):
                self._lay_across(number, self._roads, upright=upright, through=through)
                upright, through = not upright, None
        for number, row in self._of("crossing"):
            self._lay_crossings(number, row)
        for number, row in self._of("ford"):
            for _ in range(self.chance.between(*row["pieces"])):
                self._lay_ford(number, row)

    def _of(self, *forms: str) -> list[tuple[int, Row]]:
        """Return the rows of some forms, with their numbers."""
        return [(number, row) for number, row in enumerate(self.rows) if row["form"] in forms]

    def _through(
        self, wants: Sequence[tuple[Row, Area]], kinds: Collection[str], forms: Sequence[str]
    ) -> Vector | None:
        """Return a random spot near the middle of the first wanted area that fits; None if no wanted area fits.

        An area fits if its terrain is in ``kinds``, or has one of the ``forms`` while there are any ``kinds``.
        """
        for row, (left, low, right, high) in wants:
            if row["terrain"] in kinds or (kinds and row["form"] in forms):
                x = self.chance.between((3 * left + right) // 4, (left + 3 * right) // 4)
                return x, self.chance.between((3 * low + high) // 4, (low + 3 * high) // 4)
        return None

    def _add(self, number: int, keys: Keys) -> Outline:
        """Add a piece of a row, and return its outline."""
        row = self.rows[number]
        self.counts[number] += 1
        return self.ground.add(self.kinds[row["terrain"]], keys, row["names"] or "")

    def _lay_across(self, number: int, ways: list[Outline], *, upright: bool, through: Vector | None) -> None:
        """Lay a path from edge to edge, if one of several random paths is sound, and add it to the other ways."""
        for _ in range(_TRIES):
            keys = self._path(self.rows[number], upright=upright, through=through)
            if self._is_sound(outline(keys)):
                ways.append(self._add(number, keys))
                return

    def _path(self, row: Row, *, upright: bool, through: Vector | None) -> Keys:
        """Return a path from edge to edge that leads through a spot, if one is given."""
        long, side = self.ground.table[::-1] if upright else self.ground.table
        at = through[::-1] if through and upright else through
        straight = row["form"] == "straight"
        free = 15 if straight else 35
        base = at[1] if at else self.chance.between(side * free // 100, side * (100 - free) // 100)
        points: list[Vector] = [(0, base), (long, base)]
        if not straight:
            points = [(at[0] - 3, base), (at[0] + 3, base)] if at else []
            for step in range(6):
                here, far = step * long / 5, base + self.chance.between(-side // 10, side // 10)
                if at is None or abs(here - at[0]) > long / 8:
                    points.append((here, min(max(far, side // 8), side * 7 // 8)))
        return path([(y, x) if upright else (x, y) for x, y in sorted(points)], self._size(row))

    def _is_sound(self, road: Outline) -> bool:
        """Return whether a path bends gently, and meets other paths squarely and only once."""
        for (x1, y1), (x2, y2), (x3, y3) in zip(road.corners, road.corners[1:], road.corners[2:], strict=False):
            ahead, turn = (x2 - x1) * (x3 - x2) + (y2 - y1) * (y3 - y2), (x2 - x1) * (y3 - y2) - (y2 - y1) * (x3 - x2)
            if ahead <= abs(turn) / 2:
                return False
        for other in (*self._waters, *self._roads):
            spots = list(crossings(road, other))
            apart = road.margin + other.margin + _APART * HALF
            if len(spots) > 1 or any(slant(road, other, spot) > _SQUARE or self._is_at_edge(spot) for spot in spots):
                return False
            if not spots and core(road).dwithin(core(other), apart):
                return False
        return True

    def _is_at_edge(self, spot: shapely.Point) -> bool:
        """Return whether a spot is so near the edge of the table that a bridge has no room."""
        return bool(whole(self.ground.table).boundary.dwithin(spot, _APART * HALF))

    def _lay_crossings(self, number: int, row: Row) -> None:
        """Lay a bridge where a road crosses a river."""
        for road in self._roads:
            for water in self._waters:
                for spot in crossings(road, water):
                    wide = max(self._size(row), 2 * road.margin // HALF)
                    reach = water.margin // HALF + _BANK
                    self._add(number, span(spot, direction(road, core(road).project(spot)), reach, wide))

    def _lay_ford(self, number: int, row: Row) -> None:
        """Lay a ford over a river, away from every bridge and every other ford."""
        frees = set(self.kinds[row["terrain"]].frees)
        spans = [core(piece.outline) for piece in self.ground.pieces if set(piece.terrain.frees) & frees]
        for _ in range(_TRIES if self._waters else 0):
            water = self._waters[self.chance.below(len(self._waters))]
            long = core(water).length
            at = long * self.chance.between(12, 88) / 100
            spot = core(water).interpolate(at)
            if not self._is_at_edge(spot) and all(other.distance(spot) > long / 6 for other in spans):
                east, north = direction(water, at)
                self._add(number, span(spot, (-north, east), water.margin // HALF + 2, self._size(row)))
                return

    # ------------------------------------------------------------------------------------------------ areas

    def _size(self, row: Row) -> int:
        """Return a random size of a row, in half inches."""
        low, high = row["size"]
        return self.chance.between(2 * low, 2 * high)

    def _lay_wanted(self, row: Row, within: Area) -> None:
        """Lay the ground that an objective needs, in its area. Raises RefusalError if it has no room."""
        if not any(self._lay_piece(self.rows.index(row), within) for _ in range(6)):
            raise RefusalError(f"no room for {self.kinds[row['terrain']].name.lower()} under an objective")

    def _fill(self) -> None:
        """Lay pieces until the share is met: first what each row must have, then what sight needs."""
        full: set[int] = set()
        areas = [n for n, row in enumerate(self.rows) if row["share"]]
        while self.ground.share < self.target - 1 and len(full) < len(areas):
            there = [n for n in areas if n not in full and self._shares[n] < self.rows[n]["share"][1]]
            short = [n for n in there if self._shares[n] < self.rows[n]["share"][0]]
            closed = [n for n in there if self.kinds[self.rows[n]["terrain"]].sight != OPEN]
            wished = closed if self._is_too_open() else [n for n in there if n not in closed]
            among = [n for n in short if n in wished] or short or wished or there
            if not among:
                break
            number = among[self.chance.below(len(among))]
            if not self._lay_piece(number):
                full.add(number)

    def _lay_piece(self, number: int, within: Area | None = None) -> bool:
        """Lay a piece of a row, or a village; return whether there was room."""
        row, first, before = self.rows[number], len(self.ground.pieces), self.ground.share
        street = row["form"] == "street" and self._roads and self._left is None
        (self._lay_street if street else self._lay_area)(row, within or Area(0, 0, *self.ground.table))
        laid = self.ground.pieces[first:]
        self.counts[number] += bool(laid)
        self._shares[number] += self.ground.share - before
        if laid and laid[0].terrain.sight != OPEN:
            over = shapely.union_all([area(piece.outline) for piece in laid])
            self._lines = self._lines[~shapely.intersects(over, self._lines)]
        return bool(laid)

    def _lay_area(self, row: Row, within: Area) -> None:
        """Lay a single piece, or a farm, at the best of several random spots."""
        kind = self.kinds[row["terrain"]]
        for parts, owned in self._offers(row):
            room = self.ground.room(parts, kind, within)
            some = [self.chance.below(len(room.spots)) for _ in range(_AMONG if len(room.spots) else 0)]
            room = room._replace(spots=room.spots[some], close=room.close[some])
            best = room.spots[np.argsort(-self._merit(row, kind, room), kind="stable")[:_BEST]].tolist()
            if any(self.ground.lay(parts, kind, spot, row["names"] or "") for spot in best):
                if self._left is not None and owned is not None:
                    self._left.remove(owned)
                return

    def _offers(self, row: Row) -> Iterator[tuple[tuple[Keys, ...], Owned | None]]:
        """Yield shapes for a row: the pieces that the user owns, in a random order, or a random and a small shape."""
        if self._left is not None:
            kind = row["terrain"]
            for owned in dict.fromkeys(self.chance.shuffled(piece for piece in self._left if piece.kind == kind)):
                turned = STEP * self.chance.below(12)
                yield round_(owned.size[0], self.chance) if owned.round else (house(owned.size, turned),), owned
            return
        low, high = (2 * item for item in row["size"])
        table = self.ground.table
        left = max(0.0, self.target + _NEAR - self.ground.share) * table.wide * table.deep / 100
        high = max(low, min(high, isqrt(int(left * 13 / 10))))
        for size in (self.chance.between(low, high), low):
            yield SHAPES.get(row["form"], block)(size, self.chance), None

    def _merit(self, row: Row, kind: Terrain, room: Room) -> npt.NDArray[np.float64]:
        """Return how good each spot is: the more lines cut, the closer to houses, or the emptier, the better.

        On a table that is closed enough, a spot is better if fewer lines are cut there.
        """
        if kind.sight == OPEN:
            return -room.close
        points = shapely.points(room.spots[:, None] * HALF)
        cut = shapely.dwithin(points, self._lines, room.radius).sum(axis=1)
        together = room.close / 10 if row["form"] == "block" else -room.close / 1000
        merit: npt.NDArray[np.float64] = (cut if self._is_too_open() else -3 * cut) + together
        return merit

    def _lay_street(self, row: Row, within: Area) -> None:
        """Lay a village: houses beside a road, around a random spot on it. The first house bears the name."""
        kind = self.kinds[row["terrain"]]
        near = shapely.Point(*(HALF * at for at in spot_in(within, self.chance)))
        road = min(self._roads, key=lambda road: core(road).distance(near))
        far = core(road).project(near)
        east, north = direction(road, far)
        turned = round(-degrees(atan2(north, east)) / STEP) * STEP % 180
        middle = core(road).interpolate(far)
        x, y = int(middle.x / HALF), int(middle.y / HALF)
        around, name = Area(x - _STREET, y - _STREET, x + _STREET, y + _STREET), row["names"] or ""
        for _ in range(self.chance.between(5, 9)):
            along = self._size(row)
            parts = (house((along, self.chance.between(max(2, along * 6 // 10), along)), turned),)
            spots = [
                spot for spot in self.ground.room(parts, kind, around).spots.tolist() if not name or within.holds(spot)
            ]
            spots.sort(key=lambda spot: core(road).distance(shapely.Point(spot[0] * HALF, spot[1] * HALF)))
            if any(self.ground.lay(parts, kind, spot, name) for spot in spots[:_BEST]):
                name = ""
