"""The tables of rolled scenarios, measured on exact polygons that are made from the text of the file."""

from __future__ import annotations

from itertools import combinations
from random import Random
from typing import TYPE_CHECKING, Any, NamedTuple

import pytest
import shapely
import yaml
from shapely import affinity

from generator.scenarios.facts import map_facts
from generator.scenarios.generate.roll import ScenarioRequest

if TYPE_CHECKING:
    from collections.abc import Callable

    from shapely.geometry.base import BaseGeometry

pytestmark = pytest.mark.slow

WAYS = ("road", "street", "bridge", "walkway", "ford")
HOUSES = ("village", "building", "ruin")
GAMES = ("dirtside2", "stargrunt2", "fma-skirmish", "sla-3d")
NEAR = 1
"""A share is rounded to whole percent."""


class Piece(NamedTuple):
    """A piece of the file, in inches."""

    kind: str
    name: str
    shape: BaseGeometry


class Rolled(NamedTuple):
    """A rolled scenario: its rules with every table, the text of its file, the loaded battle, and its pieces."""

    rules: Any
    file: dict[str, Any]
    battle: Any
    pieces: list[Piece]


def shape_of(entry: dict[str, Any]) -> BaseGeometry:
    """The polygon of a piece or a zone, in inches."""
    if "corners" in entry:
        return shapely.Polygon(entry["corners"])
    if "path" in entry:
        return shapely.LineString(entry["path"]).buffer(entry.get("wide", 1) / 2)
    x, y = entry["at"]
    if "radius" in entry:
        return shapely.Point(x, y).buffer(entry["radius"])
    wide, deep = entry["size"]
    turned: BaseGeometry = affinity.rotate(
        shapely.box(x, y, x + wide, y + deep), -entry.get("turned", 0), origin="center"
    )
    return turned


@pytest.fixture(scope="module")
def tables(proofs: Callable[[str], Any]) -> dict[tuple[str, int], Rolled]:
    """Some tables of every game."""
    rolled = {}
    for game in GAMES:
        for seed in range(104, 106):
            proof = proofs(game)
            battle, problems = proof.roll(ScenarioRequest(seed))
            assert problems == [], (game, seed)
            file = yaml.safe_load(proof.path.read_text(encoding="utf-8"))
            pieces = [Piece(entry["kind"], entry.get("piece", ""), shape_of(entry)) for entry in file["terrain"]]
            rolled[game, seed] = Rolled(proof.stage.rules, file, battle, pieces)
    return rolled


def region_of(table: Rolled) -> Any:
    """The row of the region on which a table was rolled."""
    rolls = [roll["result"] for roll in table.file["rolls"] if roll["table"] == "regions"]
    return next(row for row in table.rules.tables["regions"].rows if row["name"] == rolls[-1])


def test_the_share_of_a_table_is_what_its_region_says(tables: dict[tuple[str, int], Rolled]) -> None:
    for key, table in tables.items():
        size = table.file["table"]
        whole = shapely.box(0, 0, size["width"], size["depth"])
        covers = shapely.union_all([piece.shape for piece in table.pieces if piece.kind not in WAYS])
        share = covers.intersection(whole).area / whole.area * 100
        low, high = region_of(table)["share"]
        assert low - NEAR <= share <= high + NEAR, key
        facts = map_facts(table.battle)
        assert abs(share - facts.covered) <= NEAR, key


def test_pieces_do_not_overlap_and_no_road_runs_through_a_house(tables: dict[tuple[str, int], Rolled]) -> None:
    for key, table in tables.items():
        for first, second in combinations(table.pieces, 2):
            shared = first.shape.intersection(second.shape).area
            if first.kind not in WAYS and second.kind not in WAYS:
                assert shared < 0.02, (key, first.kind, second.kind)
            elif {first.kind, second.kind} & set(HOUSES):
                assert shared == 0, (key, first.kind, second.kind)


def test_objectives_lie_on_ground_that_their_rows_ask_for(tables: dict[tuple[str, int], Rolled]) -> None:
    for key, table in tables.items():
        assert any(piece.name and piece.name in table.file["scenario"] for piece in table.pieces), key
        mission = table.file["mission"].partition(":")[0]
        missions = table.rules.tables["missions"].rows
        rows = table.rules.tables["goals"].rows
        goals = [
            row for row in rows for each in missions if each["name"] == mission and row["mission"] == each["mission"]
        ]
        for row, objective in zip(goals, table.file["objectives"], strict=True):
            under = [piece for piece in table.pieces if piece.shape.buffer(0.01).covers(shapely.Point(objective["at"]))]
            assert [piece for piece in under if not row["on"] or piece.kind in row["on"]], (key, objective["objective"])
            if "{here}" in row["name"]:
                assert any(piece.name and piece.name in objective["objective"] for piece in under), key


def test_lines_of_sight_between_the_sides_are_as_open_as_the_region_says(tables: dict[tuple[str, int], Rolled]) -> None:
    for key, table in tables.items():
        facts = map_facts(table.battle)
        zones: dict[str, list[BaseGeometry]] = {}
        for entry in table.file.get("zones", ()):
            zones.setdefault(entry["side"], []).append(shape_of(entry))
        if len(zones) < 2:
            continue
        sight = {row["terrain"]: row["sight"] for row in table.rules.tables["terrain"].rows}
        blocked = shapely.union_all([piece.shape for piece in table.pieces if sight[piece.kind] == "blocked"])
        crests = [piece.shape for piece in table.pieces if sight[piece.kind] == "crest"]
        random, seen, count = Random(7), 0, 0  # noqa: S311 - no secret
        areas = [shapely.union_all(parts) for parts in zones.values()]
        while count < 300:
            ends = [spot_in(area, random) for area in areas[:2]]
            if any(blocked.covers(end) for end in ends):
                continue
            line = shapely.LineString(ends)
            over = [crest for crest in crests if crest.crosses(line) and not any(crest.covers(end) for end in ends)]
            seen += not over and not blocked.intersects(line)
            count += 1
        floor, ceiling = region_of(table)["seen"]
        assert facts.seen_across is not None
        assert floor <= facts.seen_across <= ceiling, key
        assert abs(seen / 3 - facts.seen_across) < 12, key


def spot_in(area: BaseGeometry, random: Random) -> shapely.Point:
    """A random point in an area."""
    left, low, right, high = area.bounds
    while True:
        point = shapely.Point(random.uniform(left, right), random.uniform(low, high))
        if area.covers(point):
            return point


def test_a_road_crosses_water_on_a_bridge(tables: dict[tuple[str, int], Rolled]) -> None:
    crossings = 0
    for key, table in tables.items():
        bridges = shapely.union_all([piece.shape for piece in table.pieces if piece.kind in ("bridge", "walkway")])
        for water in (piece for piece in table.pieces if piece.kind in ("river", "canal")):
            for road in (piece for piece in table.pieces if piece.kind in ("road", "street")):
                wet = road.shape.intersection(water.shape)
                crossings += not wet.is_empty
                assert wet.area <= wet.intersection(bridges).area + 0.75, key
    assert crossings


def test_the_same_seed_gives_the_same_bytes(proofs: Callable[[str], Any]) -> None:
    for game in GAMES:
        stage = proofs(game).stage
        assert stage.roll(ScenarioRequest(104)) == stage.roll(ScenarioRequest(104))
