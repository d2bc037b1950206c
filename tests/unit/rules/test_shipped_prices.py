"""Lines of shipped designs, and what the layer does to them; totals and limits are tests/unit/forces/test_shipped_*."""

from collections.abc import Mapping
from functools import cache
from typing import Any

import pytest

from generator.commands.access import open_library
from generator.forces.designs import read_fields
from generator.forces.pricing import Priced, price
from generator.problems import Problem
from generator.rules.load.load import load
from generator.rules.ruleset import RuleSet

CORE, HOUSE = "dirtside2", "dirtside2-iceburg"


@cache
def rules(ruleset: str) -> RuleSet:
    problems: list[Problem] = []
    loaded = load(open_library(), ruleset, problems)
    assert problems == []
    assert loaded is not None
    return loaded


def priced(kind_id: str, design: Mapping[str, Any], ruleset: str = CORE) -> Priced:
    loaded, problems = rules(ruleset), list[Problem]()
    kind = loaded.kinds[kind_id]
    complete = read_fields(kind.fields, design, kind.place, problems)
    assert problems == []
    assert complete is not None
    return price(kind, complete, loaded.manifest.costs)


def gun(weapon: str, size_class: int, mount: str = "turret", count: int = 1) -> dict[str, Any]:
    return {"weapon": weapon, "class": size_class, "mount": mount, "count": count}


def missile(name: str, quality: str, count: int = 1) -> dict[str, Any]:
    return {"missile": name, "quality": quality, "count": count}


def hull(size: int, armour: int, plant: str, mobility: str, **more: Any) -> dict[str, Any]:
    return {"size": size, "armour": armour, "plant": plant, "mobility": mobility, **more}


B0 = hull(3, 3, "HMT", "fast tracked")
B2 = hull(2, 2, "HMT", "fast GEV", weapons=[gun("MDC", 2)], fire_control="enhanced", ecm="basic",
          carries=[{"team": "line"}])  # fmt: skip
B3 = hull(4, 4, "FGP", "slow GEV", weapons=[gun("MDC", 4)], missiles=[missile("GMS/H", "enhanced")],
          fire_control="superior", pds="enhanced", ecm="enhanced", apfc="yes", stealth=1)  # fmt: skip
B5 = hull(3, 3, "CFE", "high wheeled", amphibious="yes", weapons=[gun("MDC", 1)], fire_control="enhanced",
          ecm="basic", carries=[{"team": "line", "count": 2}])  # fmt: skip


def test_the_book_s_large_tank_has_its_printed_lines_and_is_full() -> None:
    tank = priced("vehicle", B3)
    assert sorted(line.points for line in tank.lines if line.points) == sorted(
        [20, 16, 22, 14, 40, 24, 45, 45, 30, 20, 80]
    )
    assert (tank.capacity.used, tank.capacity.allowed) == (20, 20)
    assert tank.broken == ()


def test_the_basic_points_are_a_subtotal_of_the_rounded_lines() -> None:
    bare = priced("vehicle", B0)
    subtotal = bare.line("bvp")
    assert subtotal is not None
    assert (subtotal.amount, subtotal.points) == (24, None)


def test_mobility_may_be_written_as_it_is_printed() -> None:
    assert priced("vehicle", B5 | {"mobility": "High-mobility wheeled"}).total == 70


# The house rules of 1996


@pytest.mark.parametrize(("ruleset", "points"), [(CORE, 10), (HOUSE, 12)])
def test_a_heavy_rfac_costs_more_with_the_house_rules(ruleset: str, points: int) -> None:
    built = priced("vehicle", hull(2, 1, "CFE", "slow tracked", weapons=[gun("RFAC", 2)]), ruleset)
    assert [line.points for line in built.lines if line.id == "weapons"] == [points]


def test_designs_without_rfac_or_artillery_cost_the_same_with_the_house_rules() -> None:
    assert [priced("vehicle", design, HOUSE).total for design in (B0, B2, B3, B5)] == [44, 71, 356, 70]


@pytest.mark.parametrize(("artillery", "core", "house"), [("light", 6, 4), ("medium", 12, 9), ("heavy", 18, 14)])
def test_artillery_takes_the_room_of_the_layer(artillery: str, core: int, house: int) -> None:
    howitzer = hull(5, 1, "CFE", "slow tracked", artillery=artillery)
    assert priced("vehicle", howitzer, CORE).capacity.used == core
    assert priced("vehicle", howitzer, HOUSE).capacity.used == house


def test_a_second_fire_control_is_paid_for_by_the_second_largest_weapon() -> None:
    tank = hull(3, 3, "HMT", "fast tracked", weapons=[gun("HKP", 3), gun("RFAC", 1)], fire_control="superior")
    built = priced("vehicle", tank | {"fire_controls": 2}, HOUSE)
    first, second = built.line("fire-control"), built.line("extra-fire-control")
    assert first is not None
    assert second is not None
    assert (first.points, second.points) == (18, 6)
    assert built.total == priced("vehicle", tank, HOUSE).total + 6
    assert built.broken == ()


@pytest.mark.parametrize(
    ("quality", "points", "room"), [("basic", 300, 10), ("enhanced", 400, 15), ("superior", 500, 20)]
)
def test_sam_systems(quality: str, points: int, room: int) -> None:
    bare = hull(5, 1, "CFE", "slow tracked")
    built = priced("vehicle", bare | {"sam": quality}, HOUSE)
    assert built.total - priced("vehicle", bare, HOUSE).total == points
    assert built.capacity.used == room


@pytest.mark.parametrize(("quality", "points"), [("basic", 30), ("enhanced", 45), ("superior", 60)])
def test_air_to_air_missiles_and_decoys(quality: str, points: int) -> None:
    bare = hull(4, 2, "FGP", "VTOL attack")
    built = priced("vehicle", bare | {"aam": quality, "decoys": "yes"}, HOUSE)
    assert built.total - priced("vehicle", bare, HOUSE).total == points + 20
    assert built.capacity.used == 8 + 2
    assert built.broken == ()


def test_a_sixth_launcher_is_refused() -> None:
    problems: list[Problem] = []
    kind = rules(HOUSE).kinds["cruise-missile-battery"]
    read_fields(kind.fields, {"missiles": [{"warhead": "HE"}], "launchers": 6}, kind.place, problems)
    assert [problem.code for problem in problems] == ["F203"]


EVERYTHING = hull(
    5, 5, "FGP", "fast tracked", armour_type="reactive", amphibious="yes", stealth=2, carries=[{"team": "powered"}],
    weapons=[gun("HEL", 5), gun("RFAC", 1, "fixed")], missiles=[missile("GMS/L", "basic")], fire_control="superior",
    fire_controls=2, ecm="basic", pds="basic", ads="basic", counter_battery_radar="basic", lad=1, extra_apsw=1,
    ordnance=1, cargo=1, apfc="yes", command_post="yes", backup="yes", artillery="light", sam="basic", aam="basic",
    decoys="yes",
)  # fmt: skip


def test_every_line_shows_its_working() -> None:
    lines = priced("vehicle", EVERYTHING, HOUSE).lines
    assert {line.id for line in lines} >= {"backup-systems", "extra-fire-control", "sam", "aam", "decoys", "ordnance"}
    assert all(line.working for line in lines if line.points)
    assert not [line for line in lines if line.points and ("[" in line.working or "True" in line.working)]


def test_backup_is_a_share_of_the_electronics() -> None:
    backup = priced("vehicle", EVERYTHING, HOUSE).line("backup-systems")
    assert backup is not None
    assert backup.points == 81  # 30 % of 30 + 6 + 15 + 200 + 20, which is 81.3: both fire controls count
