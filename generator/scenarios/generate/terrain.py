"""Lay the terrain of a region: rivers and roads, then what objectives lie on, then pieces until the share is met.

A table is refused if its share of cover or its lines of sight are not those of the region.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import atan2, degrees, isqrt
from typing import TYPE_CHECKING

import numpy as np
import shapely
from shapely.affinity import translate

from generator.scenarios.check import COVERED, SEEN, amiss_of
from generator.scenarios.facts import WAYS, seen_across, whole
from generator.scenarios.generate import shapes
from generator.scenarios.generate.shapes import Area, Spot, Vector, spot_in
from generator.scenarios.scenario import Piece, Terrain
from generator.scenarios.table import HALF, OPEN, STEP, Extent, Mask, Outline, Points, Sight, area, core, mask_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    import numpy.typing as npt

    from generator.rules.entries.tables import Row
    from generator.scenarios.chance import Chance
    from generator.scenarios.generate.tables import Owned
    from generator.scenarios.models import ShapeModel

_PATHS = ("river", "road", "straight")
_SPANS = ("crossing", "ford")
_WATERS = ("stream", "torrent", "brook", "water")
"""The drawings of paths that are crossed on a bridge or a ford."""
_NEAR = 2
"""How far a piece may bring the share above its target, in percent of the table."""
_TRIES = 30
_LINES = 150
"""The number of lines between the sides that are watched while terrain is laid."""
_BEST = 8
"""The number of spots that are tried for a shape."""
_BANK = 3
"""Half inches that a bridge extends beyond the water."""
_STREET = 12
"""The distance from the middle of a village within which its houses stand, in half inches."""
_APART = 10
"""The least distance between two paths that do not cross, in half inches."""
_SQUARE = 0.5
"""The most that a crossing of two paths may slant: 30 degrees."""
_CLEAR, _SHORE = HALF // 3, 2 * HALF
"""The least distance between two pieces, and from a piece to water, bridges and fords, in outline units."""


def _overlaps(taken: Mask, mask: Mask) -> npt.NDArray[np.float64]:
    """Return, for each place of a mask's south-west cell, the number of taken cells under the mask.

    Numbers are floats that are not exact: compare them with 0.5. A mask that passes an edge of the table goes on at the
    opposite edge.
    """
    product = np.fft.rfft2(taken) * np.conj(np.fft.rfft2(mask, taken.shape))
    counts: npt.NDArray[np.float64] = np.fft.irfft2(product, taken.shape)
    return counts


class RefusalError(Exception):
    """Raised if a rolled table does not fit its region; the message is the reason, and another table is laid."""


@dataclass
class TerrainLayer:
    """Lays the terrain of a region once, on an empty table.

    After ``lay``, ``pieces`` has all pieces, and ``counts`` has the number for each row; a village or farm counts once.
    """

    table: Extent
    lane: int
    """The least gap between pieces that stop somebody, in half inches."""
    region: Row
    rows: Sequence[Row]
    """The region's rows of terrain."""
    kinds: Mapping[str, Terrain]
    """The kinds of terrain of the rules, by id."""
    target: int
    """The share of the table to cover, in percent."""
    chance: Chance
    left: list[Owned] | None
    """The pieces of the user's box that are not on the table yet; None without a box."""

    def __post_init__(self) -> None:
        """Begin with nothing on the table."""
        self.pieces: list[Piece] = []
        self._covered = 0.0
        self._taken = mask_of(whole(self.table).boundary, self.table, HALF // 2)  # the cells along the edges are taken
        self._near_stops = np.zeros_like(self._taken)
        self.counts = [0] * len(self.rows)
        self._shares = [0.0] * len(self.rows)
        self._waters: list[Outline] = []
        self._roads: list[Outline] = []

    def lay(self, starts: Sequence[Points], wants: Sequence[tuple[Row, Area]]) -> None:
        """Lay the whole terrain into ``pieces``. ``starts`` are the points where each side begins.

        ``wants`` is the ground that the mission or an objective needs: a row of the region, and the area for its piece.
        Paths, bridges and fords in ``wants`` are ignored, because their rows are laid anyway. Raises RefusalError if
        the ground has no room, or the finished table does not fit the region.
        """
        ends = [points[[self.chance.below(len(points)) for _ in range(_LINES)]] for points in starts[:2]]
        lines = np.stack(ends, axis=1) if ends[1:] else np.zeros((0, 2, 2))
        self._lines = np.array(shapely.linestrings(HALF * lines), dtype=object)
        self._lay_paths(starts)
        for row, within in wants:
            tries = (self._lay_piece(self.rows.index(row), within) for _ in range(6))
            if row["form"] not in (*_PATHS, *_SPANS) and not any(tries):
                raise RefusalError(f"no room for {self.kinds[row['terrain']].name.lower()} under an objective")
        for number, row in self._of("line"):
            for _ in range(self._number(row)):
                self._lay_piece(number)
        self._fill()
        self._judge(starts)

    def _judge(self, starts: Sequence[Points]) -> None:
        """Raise RefusalError if the share or the sight is outside the region's limits, or a row has too few pieces.

        The sight is not judged for fewer than two sides, or if a side begins only inside pieces that block sight.
        """
        share = round(self.share)
        amiss = amiss_of(share, self.region["share"], COVERED)
        for number, row in enumerate(self.rows):
            if self.counts[number] < (row["pieces"] or (0, 0))[0]:
                amiss = amiss or f"no room for {self.kinds[row['terrain']].name.lower()}"
        sight = Sight(self.table, ((piece.outline, piece.terrain.sight) for piece in self.pieces))
        begins = [points[sight.is_open(points)] for points in starts]
        seen = seen_across(sight, begins) if all(len(points) for points in begins) else None
        if seen is not None:
            amiss = amiss or amiss_of(seen, self.region["seen"], SEEN)
        if amiss:
            raise RefusalError(amiss)

    # ------------------------------------------------------------------------------------------------ paths

    def _lay_paths(self, starts: Sequence[Points]) -> None:
        """Lay a river for each row of rivers, then roads, then bridges and fords.

        Rivers lead across the direction between the first two sides. Unless both sides have points, the direction of
        the rivers is random. Each row of roads gives a random number of roads. Roads lead in turns across the direction
        of the rivers and along it; without a river, the direction of the first road is random. A path is left
        out if none of several tries is sound.
        """
        waters = [item for item in self._of(*_PATHS) if self.kinds[item[1]["terrain"]].drawn in _WATERS]
        roads = [item for item in self._of(*_PATHS) if item not in waters]
        upright = bool(self.chance.below(2))
        if waters and all(len(points) for points in starts[:2]) and starts[1:]:
            east, north = np.abs(starts[0].mean(axis=0) - starts[1].mean(axis=0))
            upright = bool(north > east)
        for number, _ in waters:
            self._lay_across(number, self._waters, upright=not upright)
        for number, row in roads:
            for _ in range(self._number(row)):
                self._lay_across(number, self._roads, upright=upright)
                upright = not upright
        for number, row in self._of("crossing"):
            self._lay_crossings(number, row)
        for number, row in self._of("ford"):
            for _ in range(self._number(row)):
                self._lay_ford(number, row)

    def _of(self, *forms: str) -> list[tuple[int, Row]]:
        """Return the rows of the region with one of these forms, each after its index in ``rows``."""
        return [(number, row) for number, row in enumerate(self.rows) if row["form"] in forms]

    def _add_way(self, number: int, shape: ShapeModel) -> Outline:
        """Add a path, bridge or ford for the row with this number, count it, and return its outline."""
        row = self.rows[number]
        self.counts[number] += 1
        return self._add(self.kinds[row["terrain"]], shape, row["names"] or "")

    def _lay_across(self, number: int, ways: list[Outline], *, upright: bool) -> None:
        """Lay a path of the row with this number from edge to edge, and add it to ``ways``: the rivers, or the roads.

        Nothing is laid if none of several random paths is sound. An ``upright`` path leads from south to north, others
        from west to east.
        """
        for _ in range(_TRIES):
            path = self._path(self.rows[number], upright=upright)
            if self._is_sound(path.outline):
                ways.append(self._add_way(number, path))
                return

    def _path(self, row: Row, *, upright: bool) -> ShapeModel:
        """Return a random path from edge to edge: from south to north if ``upright``, or else from west to east."""
        long, side = self.table[::-1] if upright else self.table
        straight = row["form"] == "straight"
        free = 15 if straight else 35
        base = self.chance.between(side * free // 100, side * (100 - free) // 100)
        points: list[Vector] = [(0, base), (long, base)]
        if not straight:
            points = [(step * long / 5, base + self.chance.between(-side // 10, side // 10)) for step in range(6)]
        return shapes.path([(y, x) if upright else (x, y) for x, y in points], self._size(row))

    def _is_sound(self, road: Outline) -> bool:
        """Return whether a path keeps clear of the other paths, or crosses them well.

        It may cross each other path once, squarely and away from the table's edges. Paths that it does not cross must
        be farther away than ``_APART``.
        """
        for other in (*self._waters, *self._roads):
            spots = shapes.crossings(road, other)
            apart = road.margin + other.margin + _APART * HALF
            if len(spots) > 1 or any(
                shapes.slant(road, other, spot) > _SQUARE or self._is_at_edge(spot) for spot in spots
            ):
                return False
            if not spots and core(road).dwithin(core(other), apart):
                return False
        return True

    def _is_at_edge(self, spot: shapely.Point) -> bool:
        """Return whether a spot is so near the edge of the table that a bridge or ford has no room."""
        return bool(whole(self.table).boundary.dwithin(spot, _APART * HALF))

    def _lay_crossings(self, number: int, row: Row) -> None:
        """Lay a bridge of the kind in ``row``, which has this number, at each place where a road crosses a river."""
        for road in self._roads:
            for water in self._waters:
                for spot in shapes.crossings(road, water):
                    wide = max(self._size(row), 2 * road.margin // HALF)
                    reach = water.margin // HALF + _BANK
                    along = shapes.direction(road, core(road).project(spot))
                    self._add_way(number, shapes.span(spot, along, reach, wide))

    def _lay_ford(self, number: int, row: Row) -> None:
        """Lay a ford of the kind in ``row``, which has this number, over a random river.

        It is away from the table's edges, and from pieces that make the same terrain passable, such as bridges.
        Nothing is laid if there is no river, or if several random spots are too near to these.
        """
        frees = set(self.kinds[row["terrain"]].frees)
        spans = [core(piece.outline) for piece in self.pieces if set(piece.terrain.frees) & frees]
        for _ in range(_TRIES if self._waters else 0):
            water = self._waters[self.chance.below(len(self._waters))]
            long = core(water).length
            at = long * self.chance.between(12, 88) / 100
            spot = core(water).interpolate(at)
            if not self._is_at_edge(spot) and all(other.distance(spot) > long / 6 for other in spans):
                east, north = shapes.direction(water, at)
                self._add_way(number, shapes.span(spot, (-north, east), water.margin // HALF + 2, self._size(row)))
                return

    # ------------------------------------------------------------------------------------------------ areas

    def _number(self, row: Row) -> int:
        """Return a random number of pieces of a row; 1 if the row gives no number."""
        return self.chance.between(*(row["pieces"] or (1, 1)))

    def _size(self, row: Row) -> int:
        """Return a random size between the two sizes of a row, in half inches."""
        low, high = row["size"]
        return self.chance.between(2 * low, 2 * high)

    @property
    def share(self) -> float:
        """The area of its pieces in percent of the table; roads, bridges, fords and doors do not count."""
        return self._covered / whole(self.table).area * 100

    def _add(self, terrain: Terrain, shape: ShapeModel, group: str) -> Outline:
        """Add a piece, without asking whether it has room; return its outline.

        ``group`` is the group of names from which it may get its name later, or empty.
        """
        self.pieces.append(Piece("", terrain, shape, group=group))
        ground = area(shape.outline)
        if terrain.drawn not in WAYS:
            self._covered += ground.intersection(whole(self.table)).area
        wet = terrain.drawn in (*_WATERS, "bridge", "ford")
        self._taken |= mask_of(ground, self.table, _SHORE if wet else _CLEAR)
        if terrain.stops:
            self._near_stops |= mask_of(ground, self.table, self.lane * HALF)
        return shape.outline

    def _lay(self, parts: Sequence[ShapeModel], terrain: Terrain, at: Spot, group: str) -> bool:
        """Add the parts of a shape with its middle at a spot, and return True if no part is over a piece.

        Otherwise add nothing and return False. The spot is in half inches. Only the first part can get a name later,
        from the names of ``group``; an empty ``group`` means no name.
        """
        placed = [shapes.moved(part, at) for part in parts]
        if any(part.outline.overlaps(piece.outline) for part in placed for piece in self.pieces):
            return False
        for number, part in enumerate(placed):
            self._add(terrain, part, "" if number else group)
        return True

    def _room(self, parts: Sequence[ShapeModel], terrain: Terrain, within: Area) -> npt.NDArray[np.intp]:
        """Return every spot in an area for the middle of a shape, so that it is on the table and clear of every piece.

        Clear means ``_SHORE`` away from water, bridges and fords, and ``_CLEAR`` away from other pieces. A shape that
        stops somebody is also at least ``lane`` away from pieces that stop somebody. A shape about as long as the
        shorter side of the table has no spot. Distances are measured from the middles of the shape's cells, so that the
        shape may still overlap a piece. Spots are in half inches, a row of east and north for each.
        """
        shape = shapely.union_all([area(part.outline) for part in parts])
        reach = int(max(map(abs, shape.bounds))) // HALF + 1
        if 2 * reach > min(self.table):
            return np.zeros((0, 2), dtype=np.intp)
        barred = self._taken | self._near_stops if terrain.stops else self._taken
        mask = mask_of(translate(shape, reach * HALF, reach * HALF), Extent(2 * reach, 2 * reach))
        spots = np.argwhere(_overlaps(barred, mask) < 0.5)[:, ::-1] + reach  # noqa: PLR2004 - counts, rounded
        spots %= self.table
        return spots[((spots >= within[:2]) & (spots <= within[2:])).all(axis=1)]

    def _fill(self) -> None:
        """Lay pieces until the covered share is at least the target less one percent of the table.

        Only rows with a ``share`` are used, first those below their least share. A row is used until no further piece
        of it can be laid, or until it has its greatest share. If no row is left, the share stays below the target.
        """
        areas = [number for number, row in enumerate(self.rows) if row["share"]]
        while self.share < self.target - 1:
            there = [number for number in areas if self._shares[number] < self.rows[number]["share"][1]]
            among = [number for number in there if self._shares[number] < self.rows[number]["share"][0]] or there
            if not among:
                break
            number = among[self.chance.below(len(among))]
            if not self._lay_piece(number):
                areas.remove(number)

    def _lay_piece(self, number: int, within: Area | None = None) -> bool:
        """Lay a piece of the row with this number, or a farm or village, in an area; return whether anything was laid.

        Without ``within``, the area is the whole table. Houses of a village may lie outside the area.
        """
        row, first, before = self.rows[number], len(self.pieces), self.share
        street = row["form"] == "street" and self._roads and self.left is None
        (self._lay_street if street else self._lay_area)(row, within or Area(0, 0, *self.table))
        laid = self.pieces[first:]
        self.counts[number] += bool(laid)
        self._shares[number] += self.share - before
        if laid and laid[0].terrain.sight != OPEN:
            self._lines = self._lines[~self._cut([piece.outline for piece in laid])]
        return bool(laid)

    def _lay_area(self, row: Row, within: Area) -> None:
        """Lay a single piece, or a farm, at one of several random spots; lay nothing if there is no room.

        A piece that hides something lies where it cuts most lines of sight if too many are open, or else fewest. A
        piece of the user's box is taken out of ``left``.
        """
        kind = self.kinds[row["terrain"]]
        for parts, owned in self._offers(row):
            room = self._room(parts, kind, within)
            picked = (room[self.chance.below(len(room))] for _ in range(_BEST if len(room) else 0))
            spots = [(int(east), int(north)) for east, north in picked]
            if kind.sight != OPEN:
                cuts = {at: self._cut([shapes.moved(part, at).outline for part in parts]).sum() for at in spots}
                floor, ceiling = self.region["seen"]
                too_open = len(self._lines) * 300 > _LINES * (2 * floor + ceiling)
                spots.sort(key=lambda at: cuts[at], reverse=too_open)
            if any(self._lay(parts, kind, spot, row["names"] or "") for spot in spots):
                if self.left is not None and owned is not None:
                    self.left.remove(owned)
                return

    def _cut(self, outlines: Sequence[Outline]) -> Mask:
        """Return, for each line between the sides that is not cut yet, whether it meets one of the outlines."""
        cut: Mask = shapely.intersects(shapely.union_all([*map(area, outlines)]), self._lines)
        return cut

    def _offers(self, row: Row) -> Iterator[tuple[tuple[ShapeModel, ...], Owned | None]]:
        """Yield shapes for a row, each with the user's piece that it stands for, or None.

        With a box, these are the pieces of the row's kind that are left, equal pieces once, in a random order. Without
        a box, they are a shape of a random size, limited by the cover still needed, and a shape of the smallest size.
        """
        if self.left is not None:
            kind = row["terrain"]
            for owned in dict.fromkeys(self.chance.shuffled(piece for piece in self.left if piece.kind == kind)):
                turned = STEP * self.chance.below(12)
                house = (shapes.house(owned.size, turned),)
                yield shapes.round_(owned.size[0], self.chance) if owned.round else house, owned
            return
        low, high = (2 * item for item in row["size"])
        table = self.table
        left = max(0.0, self.target + _NEAR - self.share) * table.wide * table.deep / 100
        high = max(low, min(high, isqrt(int(left * 13 / 10))))
        for size in (self.chance.between(low, high), low):
            yield shapes.SHAPES.get(row["form"], shapes.block)(size, self.chance), None

    def _lay_street(self, row: Row, within: Area) -> None:
        """Lay a village: houses near the place on a road that is nearest to a random spot of the area ``within``.

        There must be a road. A house without room is left out.

        If the row has names, the first house lies in the area and may get one of them later. All other houses may lie
        outside.
        """
        kind = self.kinds[row["terrain"]]
        near = shapely.Point(*(HALF * at for at in spot_in(within, self.chance)))
        road = min(self._roads, key=lambda road: core(road).distance(near))
        far = core(road).project(near)
        east, north = shapes.direction(road, far)
        turned = round(-degrees(atan2(north, east)) / STEP) * STEP % 180
        middle = core(road).interpolate(far)
        x, y = int(middle.x / HALF), int(middle.y / HALF)
        around, name = Area(x - _STREET, y - _STREET, x + _STREET, y + _STREET), row["names"] or ""
        for _ in range(self.chance.between(5, 9)):
            along = self._size(row)
            parts = (shapes.house((along, self.chance.between(max(2, along * 6 // 10), along)), turned),)
            room = self._room(parts, kind, around.within(within) if name else around)
            nearest = np.argsort(shapely.distance(core(road), shapely.points(room * HALF)), kind="stable")[:_BEST]
            if any(self._lay(parts, kind, (east, north), name) for east, north in room[nearest].tolist()):
                name = ""
