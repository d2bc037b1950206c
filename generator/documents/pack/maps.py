"""The map of a battle, and the list of its pieces of terrain with their sizes and places, to lay the table from."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from math import atan2, degrees, floor
from typing import TYPE_CHECKING

import shapely
from shapely.affinity import rotate, scale

from generator.documents.blocks.tables import listing
from generator.documents.force.rosters import file_name
from generator.documents.pack import battle
from generator.documents.words import NOTES, imprint
from generator.render.blocks import Cell, Map, MapEntry, MapMark, MapPiece, MapShape, MapZone, Section
from generator.render.language import Phrase
from generator.render.maps.map import BoardMap
from generator.render.maps.terrain import FLAG, area_of, corners, inner_radius, level
from generator.scenarios.check import inches
from generator.scenarios.table import HALF, Extent, Outline

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator

    from shapely.geometry.base import BaseGeometry

    from generator.scenarios.models import Objective
    from generator.scenarios.scenario import Piece, Scenario

_STEPPED = 2.5, 5.5
"""The radius in inches of the largest circle in a hill from which it has a second and a third step."""
_MODELS = {"trees": ("tree", 5.0), "thicket": ("tree", 3.0), "houses": ("house", 6.0)}
"""For each pattern with models: the kind of model, and the square inches of terrain for each model."""
_TURN = 5
"""Directions are rounded to this number of degrees."""
_BEND = 0.5
"""A point of a way that is at most this many inches beside the line between its neighbours is left out."""
_STRAIGHT = 2
_NEAR = 1.0
"""A piece whose outline is this number of inches or more from a rectangle and from an oval has its corners listed."""
OPENING = "gap"
"""The pattern of a door: an opening in a wall or building, without a model."""


def lay_list(scenario: Scenario) -> Section | None:
    """Return a section with the lay list: all pieces of terrain and the objectives' flags, with sizes and places.

    Lengths are in inches, rounded to a quarter of an inch. Never None: the list begins with a note.
    """
    rows: list[tuple[Cell, ...]] = [(Cell(f"*{NOTES['lay_list']}*", span=8, align="left"),)]
    rows += [row for number, piece in numbered(scenario) for row in _rows(number, piece)]
    rows += [_flag(sign, item) for sign, item in battle.flags(scenario)]
    more = tuple(index for index, cells in enumerate(rows) if not cells[0].text)
    return listing("lay_list", rows, more=more)


def numbered(scenario: Scenario) -> Iterator[tuple[int, Piece]]:
    """Yield the number on the map and the piece for every piece of terrain, in the order in which they are drawn.

    Numbers begin with 1. Low patterns come first. Pieces with the same pattern follow each other.
    """
    kinds = sorted(dict.fromkeys(piece.terrain.drawn for piece in scenario.terrain), key=level)
    yield from enumerate(sorted(scenario.terrain, key=lambda piece: kinds.index(piece.terrain.drawn)), start=1)


def models(piece: Piece) -> tuple[str, int]:
    """Return the kind of model on a piece of terrain and the count of models, which is at least 1.

    Kinds are "step" (of a hill, at most 3), "tree", "house" and "building". Other terrain is one "piece".
    """
    area = _area(piece)
    if piece.terrain.drawn == "slope":
        radius = inner_radius(area)
        return "step", 1 + sum(radius >= least for least in _STEPPED)
    if piece.terrain.drawn == "building":
        return "building", 1
    model, each = _MODELS.get(piece.terrain.drawn, ("piece", 0.0))
    return model, max(1, round(area.area / each)) if each else 1


def _rows(number: int, piece: Piece) -> Iterator[tuple[Cell, ...]]:
    """Yield the row of the lay list for a piece, which has this number on the map.

    The points of a bent way, or the corners of an irregular area, follow in a second row.
    """
    name = Cell(piece.name or piece.terrain.name, plain=True, strong=bool(piece.name))
    head = (Cell(str(number), strong=True), Cell("", swatch=piece.terrain.drawn), name)
    model, many = models(piece)
    counted = "" if model in ("piece", "building") else f", {many} {model}{'s' if many > 1 else ''}"
    opening = ", no model" if piece.terrain.drawn == OPENING else ""
    kind = Cell(f"{piece.terrain.name.lower()}{counted}{opening}")
    if piece.outline.flows:
        line = shapely.LineString(_shape(piece.outline).points)
        wide = f"{_plain(line.length)} × {inches(2 * piece.outline.margin // HALF)}"
        spots = line.simplify(_BEND).coords
        straight = len(spots) <= _STRAIGHT
        yield (*head, Cell(wide), Cell(_through(spots) if straight else "", span=3), kind)
        if not straight:
            yield Cell(""), Cell(""), Cell(_through(spots), span=6)
        return
    area = _area(piece)
    box = corners(area)
    sides = sorted((shapely.Point(a).distance(shapely.Point(b)), a, b) for a, b in pairwise(box[:3]))
    (short, *_), (long, a, b) = sides
    east, north = (sum(ends) / len(box) for ends in zip(*box, strict=True))
    square = _quarters(long) == _quarters(short)
    bearing = degrees(atan2(b[0] - a[0], b[1] - a[1]))
    turn = round(bearing / _TURN) * _TURN % (90 if square else 180)
    place = Cell(_quarters(east)), Cell(_quarters(north))
    if piece.outline.round:
        yield (*head, Cell(f"{_quarters(long)} across"), Cell(""), *place, kind)
        return
    oval = rotate(scale(shapely.Point(east, north).buffer(0.5), short, long), -bearing)
    to_box, to_oval = (area.boundary.hausdorff_distance(shape.boundary) for shape in (shapely.Polygon(box), oval))
    if to_oval < min(to_box, _NEAR):
        kind = replace(kind, text=f"{kind.text}, oval")
    yield (*head, Cell(f"{_plain(long)} × {_quarters(short)}"), Cell(f"{turn}°"), *place, kind)
    if min(to_box, to_oval) >= _NEAR:
        yield Cell(""), Cell(""), Cell(_through(shapely.get_coordinates(area.simplify(_BEND))[:-1]), span=6)


def _through(spots: Iterable[tuple[float, ...]]) -> str:
    """Return points in brackets and with arrows between them, such as "(3, 0) → (3.5, 12)".

    The points are given in inches, and are rounded to a quarter of an inch.
    """
    return " → ".join(f"({_plain(x)},\u00a0{_plain(y)})" for x, y in spots)


def _flag(sign: str, item: Objective) -> tuple[Cell, ...]:
    """Return the row of the lay list for an objective's flag, which has this sign on the map."""
    east, north = (inches(at) for at in item.at)
    within = f", within {inches(item.radius)}" if item.radius else ""
    name = Cell(item.name, plain=True, strong=True)
    places = Cell(""), Cell(""), Cell(east), Cell(north)
    return (Cell(sign, strong=True), Cell("", swatch=FLAG), name, *places, Cell(f"objective{within}"))


def _area(piece: Piece) -> BaseGeometry:
    """Return the area that a piece covers, in inches."""
    shape = _shape(piece.outline)
    return area_of(shape.points, shape.radius, shape.wide)


def _quarters(length: float) -> str:
    """Return a length, given in inches, rounded to a quarter of an inch, with the inch sign."""
    return f"{floor(4 * length + 0.5) / 4:g}″"


def _plain(length: float) -> str:
    return _quarters(length).rstrip("″")


def battlefield(scenario: Scenario, table: Extent, knowing: Collection[str] = ()) -> Map:
    """Return the map of the table with all that is public, and secret set pieces of sides that are in ``knowing``.

    ``knowing`` holds names of sides. Set pieces without a place are left out. Raises ValueError if a zone, an entry, or
    a set piece on an edge of the table names an unknown side.
    """
    sides, arrows = tuple(side.name for side in scenario.sides), _arrows(scenario, knowing)
    marks = [MapMark(sign, _spot(item.at), item.radius / 2, item.name) for sign, item in battle.flags(scenario)]
    marks += [
        MapMark(sign, _spot(item.at), item.radius / 2, item.name, objective=False)
        for sign, item in battle.shown_pieces(scenario, knowing)
        if item.at is not None and sign not in arrows
    ]
    entries = tuple(
        MapEntry(battle.letter(number), item.edge, item.start / 2, item.end / 2, sides.index(item.side), item.turn)
        for number, item in enumerate(scenario.entries)
    )
    zones = []
    for zone in scenario.zones:
        whole, own = battle.of_side(zone.side, zone.name), zone.name.removeprefix(f"{zone.side}: ")
        zones.append(MapZone(_shape(zone.outline), whole, sides.index(zone.side), own))
    pieces = []
    for number, piece in numbered(scenario):
        kind, shape, blocks = piece.terrain, _shape(piece.outline), piece.terrain.sight == "blocked"
        pieces.append(MapPiece(kind.drawn, shape, piece.name, number, models(piece)[1], blocks=blocks))
    return Map(
        table.wide / 2,
        table.deep / 2,
        tuple(pieces),
        tuple(zones),
        (*arrows.values(), *entries),
        tuple(marks),
        tuple(side.colour for side in scenario.sides),
        _alt(scenario, table, knowing),
        scenario.name,
    )


def _arrows(scenario: Scenario, knowing: Collection[str]) -> dict[str, MapEntry]:
    """Return an arrow for each set piece of a side that lies on an edge of the table, by its sign.

    Secret pieces are left out unless ``knowing`` has the name of their side. The arrow of a piece with a text ``of``,
    such as an exit, points out of the table. Any other arrow points into it.
    """
    arrows, sides = {}, [side.name for side in scenario.sides]
    for sign, item in battle.shown_pieces(scenario, knowing):
        edge = battle.edge_of(scenario, item)
        if edge is not None and item.at is not None:
            along = item.at[edge in ("west", "east")] / 2
            arrows[sign] = MapEntry(sign, edge, along, along, sides.index(item.side), item.turn, leaves=bool(item.of))
    return arrows


def board(scenario: Scenario, table: Extent, fingerprint: str) -> BoardMap:
    """Return a document with the public map, without secrets, for a virtual tabletop.

    The page shows the whole table without a margin, at six millimetres to an inch of the table.
    """
    return BoardMap(
        id=f"{file_name(scenario)}-board",
        title=scenario.name,
        strap=scenario.mission,
        plan=battlefield(scenario, table),
        imprint=imprint(scenario.rules.manifest, fingerprint),
    )


def _spot(at: tuple[int, int]) -> tuple[float, float]:
    return at[0] / 2, at[1] / 2


def _shape(outline: Outline) -> MapShape:
    points = tuple((x / (2 * HALF), y / (2 * HALF)) for x, y in outline.corners)
    around = outline.margin / (2 * HALF)
    return MapShape(points, around if outline.round else 0, 2 * around if outline.flows else 0)


def _alt(scenario: Scenario, table: Extent, knowing: Collection[str]) -> str:
    """Return a list in words of what the map shows: table size, terrain, zones, entries, objectives and set pieces.

    A secret set piece is listed only if its side is in ``knowing``.
    """
    said = [Phrase(f"Map of a table of {inches(table.wide)} by {inches(table.deep)}, north up")]
    said += [
        Phrase.joined(": ", (piece.name or piece.terrain.name, Phrase(piece.terrain.name.lower())))
        for piece in scenario.terrain
    ]
    said += [Phrase("{name}: zone of {side}", name=zone.name, side=zone.side) for zone in scenario.zones]
    for number, item in enumerate(scenario.entries):
        lies = Phrase(battle.where(item.edge, item.start, item.end))
        said.append(Phrase("{sign}: entry of {side}, {where}", sign=battle.letter(number), side=item.side, where=lies))
    said += [Phrase("objective {sign}: {name}", sign=sign, name=item.name) for sign, item in battle.flags(scenario)]
    shown = battle.shown_pieces(scenario, knowing)
    said += [Phrase("{sign}: {name}, a set piece", sign=sign, name=item.name) for sign, item in shown]
    return Phrase.joined("; ", said)
