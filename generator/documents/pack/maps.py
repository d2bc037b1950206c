"""The map of a battle: the table with its pieces, zones, entries and objectives, as its readers know it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from generator.documents.imprint import imprint
from generator.documents.pack.battle import file_name, letter, shown_pieces, where
from generator.documents.pack.lay_list import models, numbered
from generator.render.blocks import Map, MapEntry, MapMark, MapPiece, MapShape, MapZone
from generator.render.maps.board import Board
from generator.scenarios.check import inches
from generator.scenarios.table.outlines import HALF

if TYPE_CHECKING:
    from collections.abc import Collection

    from generator.scenarios.scenario import Scenario, Shape
    from generator.scenarios.table.reach import Extent


def battlefield(scenario: Scenario, table: Extent, knowing: Collection[str] = ()) -> Map:
    """Return the public map of the table, with the secrets of the ``knowing`` sides."""
    sides = tuple(side.name for side in scenario.sides)
    marks = [
        MapMark(str(number), _spot(item.at), item.radius / 2, item.name)
        for number, item in enumerate(scenario.objectives, start=1)
    ]
    marks += [
        MapMark(sign, _spot(item.at), item.radius / 2, item.name, objective=False)
        for sign, item in shown_pieces(scenario, knowing)
        if item.at is not None
    ]
    entries = tuple(
        MapEntry(letter(number), item.edge, item.start / 2, item.end / 2, sides.index(item.side), item.turn)
        for number, item in enumerate(scenario.entries)
    )
    return Map(
        table.wide / 2,
        table.deep / 2,
        tuple(
            MapPiece(
                piece.terrain.drawn,
                _shape(piece.shape),
                piece.name,
                number,
                models(piece)[1],
                blocks=piece.terrain.sight == "blocked",
            )
            for number, piece in numbered(scenario)
        ),
        tuple(MapZone(_shape(zone.shape), zone.name, sides.index(zone.side)) for zone in scenario.zones),
        entries,
        tuple(marks),
        tuple(side.colour for side in scenario.sides),
        _alt(scenario, table, knowing),
        scenario.name,
    )


def board(scenario: Scenario, table: Extent, fingerprint: str) -> Board:
    """Return the public map of the table alone, for a virtual table."""
    return Board(
        id=f"{file_name(scenario)}-board",
        title=scenario.name,
        strap=scenario.mission,
        plan=battlefield(scenario, table),
        imprint=imprint(scenario.rules.manifest, fingerprint),
    )


def _spot(at: tuple[int, int]) -> tuple[float, float]:
    return at[0] / 2, at[1] / 2


def _shape(shape: Shape) -> MapShape:
    outline = shape.outline
    points = tuple((x / (2 * HALF), y / (2 * HALF)) for x, y in outline.corners)
    around = outline.margin / (2 * HALF)
    return MapShape(points, around if shape.round else 0, 2 * around if shape.flows else 0)


def _alt(scenario: Scenario, table: Extent, knowing: Collection[str]) -> str:
    """Return a description of the map in words."""
    said = [f"Map of a table of {inches(table.wide)} by {inches(table.deep)}, north up"]
    said += [f"{piece.name or piece.terrain.name}: {piece.terrain.name.lower()}" for piece in scenario.terrain]
    said += [f"{zone.name}: zone of {zone.side}" for zone in scenario.zones]
    said += [
        f"{letter(number)}: entry of {item.side}, {where(item.edge, item.start, item.end)}"
        for number, item in enumerate(scenario.entries)
    ]
    said += [f"objective {number}: {item.name}" for number, item in enumerate(scenario.objectives, start=1)]
    said += [f"{sign}: {item.name}, a set piece" for sign, item in shown_pieces(scenario, knowing)]
    return "; ".join(said)
