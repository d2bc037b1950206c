"""The map sheet of a scenario: the table to scale, with deployment, objectives and set pieces."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from generator.documents.pack.battle import (
    agreed,
    bare,
    battle_sheet,
    deployment,
    letter,
    objectives,
    set_pieces,
    shown_pieces,
    where,
)
from generator.render.blocks import (
    Map,
    MapEntry,
    MapMark,
    MapPiece,
    MapShape,
    MapZone,
    Prose,
    Row,
    Section,
)
from generator.rules.model.manifest import DOT
from generator.scenarios.check import inches
from generator.scenarios.table.outlines import HALF

if TYPE_CHECKING:
    from collections.abc import Collection

    from generator.render.blocks import Sheet
    from generator.scenarios.scenario import Scenario, Shape
    from generator.scenarios.table.reach import Extent

_LOWEST, _HIGHEST = 78.0, 172.0
"""Least height of the table in millimetres, and greatest height on a page of its own."""
_BESIDE = 3, 2
"""Width shares of a map that is not wider than high, and of the deployment beside it."""
_SPACE = "\N{NO-BREAK SPACE}"


def map_sheet(scenario: Scenario, table: Extent, fingerprint: str) -> Sheet:
    """Return the map with its legend, then deployment, objectives and set pieces. It shows no secrets."""
    plan = replace(battlefield(scenario, table), least=_LOWEST, highest=_HIGHEST)
    begin, aims = deployment(scenario), (objectives(scenario), set_pieces(scenario), agreed(scenario))
    sections = [aim for aim in (begin, *aims) if aim is not None]
    rows = [Row(((Section("", (plan,)),),))]
    if begin is not None and table.deep >= table.wide:
        rows = [Row(((Section("", (replace(plan, least=0),)),), (begin,)), shares=_BESIDE)]
        del sections[0]
    rows += [Row(((section,),), half=True) for section in sections]
    facts = (
        scenario.mission,
        f"{inches(table.wide)} × {inches(table.deep)}",
        f"{scenario.turns} turns" if scenario.turns else "",
        scenario.light,
        scenario.weather,
    )
    strap = " · ".join(fact for fact in facts if fact)
    kicker = ("map", scenario.rules.manifest.short)
    return battle_sheet(scenario, "map", scenario.name, strap, kicker, rows, fingerprint, flows=True)


def key_of_signs(scenario: Scenario, knowing: Collection[str]) -> Prose | None:
    """Return the key of a map's signs, for pages without tables of them; None if the map has no signs."""
    told = [(str(number), item.name) for number, item in enumerate(scenario.objectives, start=1)]
    told += [(letter(number), bare(item.side, item.name)) for number, item in enumerate(scenario.entries)]
    told += [(sign, item.name) for sign, item in shown_pieces(scenario, knowing)]
    said = DOT.join(f"{sign}{_SPACE}{name}" for sign, name in told)
    return Prose((said,), plain=True, folded=False) if told else None  # on folded pages the map has the whole page


def unnamed(plan: Map) -> Map:
    """Return a map without names, for maps too small for names."""
    return replace(
        plan,
        pieces=tuple(replace(piece, name="") for piece in plan.pieces),
        zones=tuple(replace(zone, name="") for zone in plan.zones),
        marks=tuple(replace(mark, name="") for mark in plan.marks),
    )


def battlefield(scenario: Scenario, table: Extent, knowing: Collection[str] = ()) -> Map:
    """Return the public map of the table, with the secrets of the ``knowing`` sides."""
    sides = tuple(side.name for side in scenario.sides)
    kinds: dict[str, dict[str, None]] = {}
    for piece in scenario.terrain:
        kinds.setdefault(piece.terrain.drawn, {})[piece.terrain.name] = None
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
        MapEntry(letter(number), item.edge, item.start / 2, item.end / 2, sides.index(item.side))
        for number, item in enumerate(scenario.entries)
    )
    return Map(
        table.wide / 2,
        table.deep / 2,
        tuple(MapPiece(piece.terrain.drawn, _shape(piece.shape), piece.name) for piece in scenario.terrain),
        tuple(MapZone(_shape(zone.shape), zone.name, sides.index(zone.side)) for zone in scenario.zones),
        entries,
        tuple(marks),
        tuple((drawn, ", ".join(names)) for drawn, names in kinds.items()),
        sides,
        tuple(side.colour for side in scenario.sides),
        _alt(scenario, table, knowing),
        scenario.name,
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
