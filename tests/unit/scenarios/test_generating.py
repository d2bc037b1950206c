"""Scenarios that are rolled: lawful, within their points, the same for the same seed."""

from __future__ import annotations

import os
import subprocess
import sys
from itertools import pairwise
from math import cos, hypot, pi, sin
from pathlib import Path
from typing import Any

import pytest

from generator.pipeline.checks import check
from generator.pipeline.generation import Wanted, generate
from generator.pipeline.scenarios import staged
from generator.rules.library import open_library
from generator.sources.yaml12 import parse_yaml

ROOT = Path(__file__).parents[3]
PLAIN = "dirtside2"
LIBRARY = open_library()
BLOCKS = 10


def rolled(seed: int, ruleset: str = PLAIN, **wanted: Any) -> str:
    return generate(LIBRARY, ruleset, Wanted(seed, **wanted))


def read(text: str) -> Any:
    document, problems = parse_yaml(text, "battle.yaml")
    assert document is not None
    assert problems == ()
    return document.value


# An oracle of its own for what a piece takes up: in floating point, from the words of the file alone.

Spot = tuple[float, float]


def _inside(spot: Spot, corners: list[Spot]) -> bool:
    inside = False
    for (x1, y1), (x2, y2) in zip(corners, [*corners[1:], corners[0]], strict=True):
        if (y1 > spot[1]) != (y2 > spot[1]) and spot[0] < x1 + (x2 - x1) * (spot[1] - y1) / (y2 - y1):
            inside = not inside
    return inside


def _away(spot: Spot, start: Spot, end: Spot) -> float:
    dx, dy = end[0] - start[0], end[1] - start[1]
    along = ((spot[0] - start[0]) * dx + (spot[1] - start[1]) * dy) / (dx * dx + dy * dy)
    along = min(max(along, 0), 1)
    return hypot(spot[0] - start[0] - along * dx, spot[1] - start[1] - along * dy)


def takes_up(piece: dict[str, Any], spot: Spot) -> bool:
    """Whether a spot lies well inside a piece: nearer to its edge than a tenth of an inch does not count."""
    if "path" in piece:
        points = [(float(x), float(y)) for x, y in piece["path"]]
        wide = float(piece.get("wide", 1))
        return any(_away(spot, *ends) < wide / 2 - 0.1 for ends in pairwise(points))
    if "radius" in piece:
        x, y = map(float, piece["at"])
        return hypot(spot[0] - x, spot[1] - y) < float(piece["radius"]) - 0.1
    if "corners" in piece:
        corners = [(float(x), float(y)) for x, y in piece["corners"]]
    else:
        (x, y), (wide, deep) = (map(float, piece[key]) for key in ("at", "size"))
        middle, turned = (x + wide / 2, y + deep / 2), -pi * piece.get("turned", 0) / 180
        square = [(-wide / 2, -deep / 2), (wide / 2, -deep / 2), (wide / 2, deep / 2), (-wide / 2, deep / 2)]
        corners = [
            (middle[0] + a * cos(turned) - b * sin(turned), middle[1] + a * sin(turned) + b * cos(turned))
            for a, b in square
        ]
    near = min(_away(spot, *ends) for ends in zip(corners, [*corners[1:], corners[0]], strict=True))
    return near > 0.1 and _inside(spot, corners)


def overlaps(said: dict[str, Any], over: dict[str, tuple[str, ...]]) -> list[tuple[int, int]]:
    """Pairs of pieces with a spot in common, where neither may lie over the other."""
    wide, deep = int(2 * said["table"]["width"]), int(2 * said["table"]["depth"])
    pieces = said["terrain"]
    found = set()
    for x in range(wide):
        for y in range(deep):
            spot = (x / 2 + 0.25, y / 2 + 0.25)
            here = [number for number, piece in enumerate(pieces) if takes_up(piece, spot)]
            found |= {(one, other) for one in here for other in here if one < other}
    return [
        (one, other)
        for one, other in sorted(found)
        if pieces[one]["kind"] not in over[pieces[other]["kind"]]
        and pieces[other]["kind"] not in over[pieces[one]["kind"]]
    ]


def over() -> dict[str, tuple[str, ...]]:
    text = (ROOT / "rulesdata" / PLAIN / "scenario" / "terrain.yaml").read_text(encoding="utf-8")
    return {row["terrain"]: tuple(row.get("over") or ()) for row in read(text)["rows"]}


def test_the_oracle_sees_an_overlap() -> None:
    table = {"width": 20, "depth": 20}
    lake = {"kind": "lake", "at": [8, 8], "radius": 3}
    pieces = [lake, {"kind": "village", "at": [9, 9], "size": [4, 4], "turned": 30}]
    assert overlaps({"table": table, "terrain": pieces}, over()) == [(0, 1)]
    assert overlaps({"table": table, "terrain": [lake, {**pieces[1], "at": [12, 12]}]}, over()) == []
    assert overlaps({"table": table, "terrain": [lake, {"kind": "bridge", "path": [[4, 8], [12, 8]]}]}, over()) == []


@pytest.mark.slow
@pytest.mark.parametrize("block", range(BLOCKS))
def test_twenty_seeds_keep_every_check_and_their_points(block: int, tmp_path: Path) -> None:
    allowed = over()
    for seed in range(block, 20, BLOCKS):
        points = 1000 + 225 * seed
        path = tmp_path / f"{seed}.yaml"
        text = rolled(seed, points=points)
        path.write_text(text, encoding="utf-8")
        battle = staged(LIBRARY, path)
        assert battle.problems == (), seed
        spent = [(side.points, side.force.total) for side in battle.sides if side.force is not None]
        assert max(most or 0 for most, _ in spent) == points
        for most, total in spent:
            assert most is not None
            assert 0.99 * most <= total <= most, seed
        assert all(len(side.force.units) <= 12 for side in battle.sides if side.force is not None)
        if seed % BLOCKS == block and seed < BLOCKS:
            assert overlaps(read(text), allowed) == [], seed


@pytest.mark.slow
@pytest.mark.parametrize("mission", [row["mission"] for row in read(
    (ROOT / "rulesdata" / PLAIN / "scenario" / "missions.yaml").read_text(encoding="utf-8"))["rows"]])  # fmt: skip
def test_every_mission_can_be_rolled_and_both_sides_can_win_it(mission: str, tmp_path: Path) -> None:
    for seed in (1, 2, 3):
        path = tmp_path / "battle.yaml"
        path.write_text(rolled(seed, mission=mission), encoding="utf-8")
        battle = staged(LIBRARY, path)
        assert battle.problems == ()
        most = [
            sum(one.points for one in battle.objectives if side.name in one.sides)
            + sum(max(one.points, 0) for one in battle.victory if one.side in ("", side.name))
            for side in battle.sides
        ]
        assert 2 * min(most) >= max(most) > 0
        assert all(side.briefing and side.secret for side in battle.sides)
        assert not any(word in path.read_text(encoding="utf-8") for word in ("{attacker", "{place", "{here"))


@pytest.mark.slow
@pytest.mark.parametrize("ruleset", ["stargrunt2", "fma-skirmish", "sla-3d"])
def test_games_without_points_are_counted_and_keep_every_check(ruleset: str, tmp_path: Path) -> None:
    missions = set()
    for seed in range(30):
        path = tmp_path / f"{seed}.yaml"
        path.write_text(rolled(seed, ruleset), encoding="utf-8")
        battle = staged(LIBRARY, path)
        assert battle.problems == (), seed
        missions.add(battle.mission.partition(":")[0])
        told = [one.result for one in battle.rolls if one.table.startswith("Units of")]
        assert not [one for one in told if "come nearer" in one], seed
        fielded = [sum(unit.elements for unit in side.force.units) for side in battle.sides if side.force is not None]
        assert max(fielded) == {"stargrunt2": 6, "fma-skirmish": 10, "sla-3d": 6}[ruleset], seed
        assert all(side.points is None for side in battle.sides)
    assert len(missions) == 6


@pytest.mark.parametrize("mission", ["launcher-raid", "destroy-emplacements", "commando-rescue"])
def test_missions_of_a_layer_take_what_they_need(mission: str, tmp_path: Path) -> None:
    path = tmp_path / "raid.yaml"
    path.write_text(rolled(5, "dirtside2-iceburg", mission=mission), encoding="utf-8")
    assert check((), [str(path)]) == ()
    said = read(path.read_text(encoding="utf-8"))
    fielded = [{design["kind"] for design in side["force"]["designs"]} for side in said["sides"]]
    needed = {"launcher-raid": "cruise-missile-battery", "destroy-emplacements": "emplacement"}.get(mission)
    assert needed is None or needed in fielded[1]
    assert mission == "destroy-emplacements" or "commando-team" in fielded[0]
    assert not {"emplacement", "minefield"} & fielded[0]


def test_the_same_seed_gives_the_same_bytes_in_any_process() -> None:
    here = rolled(7, points=3000)
    assert here == rolled(7, points=3000)
    assert here != rolled(8, points=3000)
    command = [sys.executable, "-m", "generator", "scenario", PLAIN, "--points", "3000", "--seed", "7"]
    for hashing in ("1", "4242"):
        environment = {**os.environ, "PYTHONHASHSEED": hashing, "PYTHONPATH": str(ROOT)}
        done = subprocess.run(command, capture_output=True, check=True, env=environment, cwd="/")  # noqa: S603 - our own
        assert done.stdout.decode() == here


def test_every_roll_is_told_and_so_is_where_it_comes_from() -> None:
    said = read(rolled(11))
    tables = {one["table"] for one in said["rolls"]}
    assert {"missions", "turns", "samples", "facings", "deployments", "regions", "region-terrain", "lights", "weathers",
            "complications", "twists"} <= tables  # fmt: skip
    assert said["seed"] == 11
    assert said["edition"].startswith("dirtside2, edition 1993, data ")
    names = {unit["unit"] for side in said["sides"] for unit in side["force"]["units"]}
    told = {one["result"].partition(":")[0] for one in said["rolls"] if one["table"].startswith("Units of")}
    assert names == told


def test_a_mission_that_is_named_leaves_the_other_rolls_as_they_were() -> None:
    rolls = [read(rolled(3, mission=one))["rolls"] for one in ("hasty-attack", "bridgehead")]
    kept = [[one for one in some if one["table"] in ("facings", "regions")] for some in rolls]
    assert kept[0] == kept[1]
    assert [some[0] for some in rolls] == [
        {"table": "missions", "roll": "chosen", "result": "Hasty attack"},
        {"table": "missions", "roll": "chosen", "result": "Bridgehead"},
    ]


def test_forces_of_a_player_are_taken_the_first_as_attacker(tmp_path: Path) -> None:
    force = """\
force: {name}
rules: [dirtside2]
options: {{}}
designs:
  - {{design: Lance, kind: vehicle, size: 3, armour: 3, plant: HMT, mobility: slow GEV, weapons: HKP/3}}
units:
{units}
"""
    for name in ("Reds", "Blues"):
        units = "\n".join(f"  - {{unit: {name} {n}, of: [{{design: Lance, count: {n}}}]}}" for n in range(1, 7))
        (tmp_path / f"{name}.yaml").write_text(force.format(name=name, units=units), encoding="utf-8")
    files = [tmp_path / "Reds.yaml", tmp_path / "Blues.yaml"]
    said = read(rolled(2, points=900, mission="meeting-engagement", forces=files))
    assert [side["side"] for side in said["sides"]] == ["Reds", "Blues"]
    assert not [one for one in said["rolls"] if one["table"] == "samples"]
    twins = read(rolled(2, points=900, mission="meeting-engagement", forces=[files[0], files[0]]))
    assert [side["side"] for side in twins["sides"]] == ["Reds", "Reds (2)"]
    short = read(rolled(2, points=9000, mission="meeting-engagement", forces=files))
    told = [one["result"] for one in short["rolls"] if "come nearer" in one["result"]]
    assert len(told) == 2
