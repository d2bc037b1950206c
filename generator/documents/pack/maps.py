"""The map of a scenario on paper: the table to scale, and who begins where and fights for what beside it."""

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
"""Millimetres that the table itself takes from north to south at least, and on its own page at the most."""
_BESIDE = 3, 2
"""Widths of a map that is no wider than high, and of who deploys where."""
_SPACE = "\N{NO-BREAK SPACE}"


def map_sheet(scenario: Scenario, table: Extent, fingerprint: str) -> Sheet:
    """The map with its legend, then deployment, objectives and set pieces; what is secret stands nowhere."""
    plan = replace(battlefield(scenario, table), least=_LOWEST, highest=_HIGHEST)
    begin, aims = deployment(scenario), (objectives(scenario), set_pieces(scenario), agreed(scenario))
    sections = [one for one in (begin, *aims) if one is not None]
    rows = [Row(((Section("", (plan,)),),))]
    if begin is not None and table.deep >= table.wide:
        rows = [Row(((Section("", (replace(plan, least=0),)),), (begin,)), shares=_BESIDE)]
        del sections[0]
    rows += [Row(((one,),), half=True) for one in sections]
    facts = (
        scenario.mission,
        f"{inches(table.wide)} × {inches(table.deep)}",
        f"{scenario.turns} turns" if scenario.turns else "",
        scenario.light,
        scenario.weather,
    )
    strap = " · ".join(one for one in facts if one)
    kicker = ("map", scenario.rules.manifest.short)
    return battle_sheet(scenario, "map", scenario.name, strap, kicker, rows, fingerprint, flows=True)


def key_of_signs(scenario: Scenario, knowing: Collection[str]) -> Prose | None:
    """What the signs of a map stand for that has no tables on its page; None where it has no signs."""
    told = [(str(number), one.name) for number, one in enumerate(scenario.objectives, start=1)]
    told += [(letter(number), bare(one.side, one.name)) for number, one in enumerate(scenario.entries)]
    told += [(sign, one.name) for sign, one in shown_pieces(scenario, knowing)]
    said = DOT.join(f"{sign}{_SPACE}{name}" for sign, name in told)
    return Prose((said,), plain=True, folded=False) if told else None  # on those the map has the whole page


def unnamed(plan: Map) -> Map:
    """The same without names, where it is too small for them."""
    return replace(
        plan,
        pieces=tuple(replace(one, name="") for one in plan.pieces),
        zones=tuple(replace(one, name="") for one in plan.zones),
        marks=tuple(replace(one, name="") for one in plan.marks),
    )


def battlefield(scenario: Scenario, table: Extent, knowing: Collection[str] = ()) -> Map:
    """The table as everybody knows it, with the secrets of those sides that the reader is ``knowing``."""
    sides = tuple(one.name for one in scenario.sides)
    kinds: dict[str, dict[str, None]] = {}
    for piece in scenario.terrain:
        kinds.setdefault(piece.terrain.drawn, {})[piece.terrain.name] = None
    marks = [
        MapMark(str(number), _spot(one.at), one.radius / 2, one.name)
        for number, one in enumerate(scenario.objectives, start=1)
    ]
    marks += [
        MapMark(sign, _spot(one.at), one.radius / 2, one.name, objective=False)
        for sign, one in shown_pieces(scenario, knowing)
        if one.at is not None
    ]
    entries = tuple(
        MapEntry(letter(number), one.edge, one.start / 2, one.end / 2, sides.index(one.side))
        for number, one in enumerate(scenario.entries)
    )
    return Map(
        table.wide / 2,
        table.deep / 2,
        tuple(MapPiece(one.terrain.drawn, _shape(one.shape), one.name) for one in scenario.terrain),
        tuple(MapZone(_shape(one.shape), one.name, sides.index(one.side)) for one in scenario.zones),
        entries,
        tuple(marks),
        tuple((drawn, ", ".join(names)) for drawn, names in kinds.items()),
        sides,
        tuple(one.colour for one in scenario.sides),
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
    """The map in words."""
    said = [f"Map of a table of {inches(table.wide)} by {inches(table.deep)}, north up"]
    said += [f"{one.name or one.terrain.name}: {one.terrain.name.lower()}" for one in scenario.terrain]
    said += [f"{one.name}: zone of {one.side}" for one in scenario.zones]
    said += [
        f"{letter(number)}: entry of {one.side}, {where(one.edge, one.start, one.end)}"
        for number, one in enumerate(scenario.entries)
    ]
    said += [f"objective {number}: {one.name}" for number, one in enumerate(scenario.objectives, start=1)]
    said += [f"{sign}: {one.name}, a set piece" for sign, one in shown_pieces(scenario, knowing)]
    return "; ".join(said)
