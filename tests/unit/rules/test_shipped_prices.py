"""What the shipped rule data makes of published designs. Every expected figure is a published one, never our own."""

from collections.abc import Mapping
from functools import cache
from typing import Any

import pytest

from generator.forces.designs import read_design
from generator.forces.pricing import Priced, price
from generator.problems import Problem
from generator.rules.library import open_library
from generator.rules.loading import load
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
    complete = read_design(kind, design, kind.place, problems)
    assert problems == []
    assert complete is not None
    return price(kind, complete, loaded.manifest.costs)


def broken(kind_id: str, design: Mapping[str, Any], ruleset: str = CORE) -> set[str]:
    return {one.limit.id for one in priced(kind_id, design, ruleset).broken if one.limit.severity == "error"}


def gun(weapon: str, size_class: int, mount: str = "turret", count: int = 1) -> dict[str, Any]:
    return {"weapon": weapon, "class": size_class, "mount": mount, "count": count}


def missile(name: str, quality: str, count: int = 1) -> dict[str, Any]:
    return {"missile": name, "quality": quality, "count": count}


def hull(size: int, armour: int, plant: str, mobility: str, **more: Any) -> dict[str, Any]:
    return {"size": size, "armour": armour, "plant": plant, "mobility": mobility, **more}


B0 = hull(3, 3, "HMT", "fast tracked")
B1 = B0 | {
    "weapons": [gun("HKP", 3), gun("RFAC", 1)],
    "fire_control": "superior",
    "pds": "enhanced",
    "ecm": "enhanced",
}
B2 = hull(2, 2, "HMT", "fast GEV", weapons=[gun("MDC", 2)], fire_control="enhanced", ecm="basic",
          carries=[{"team": "line"}])  # fmt: skip
B3 = hull(4, 4, "FGP", "slow GEV", weapons=[gun("MDC", 4)], missiles=[missile("GMS/H", "enhanced")],
          fire_control="superior", pds="enhanced", ecm="enhanced", apfc="yes", stealth=1)  # fmt: skip
B5 = hull(3, 3, "CFE", "high wheeled", amphibious="yes", weapons=[gun("MDC", 1)], fire_control="enhanced",
          ecm="basic", carries=[{"team": "line", "count": 2}])  # fmt: skip


@pytest.mark.parametrize(
    ("design", "points"), [(B0, 44), (B1, 172), (B2, 71), (B3, 356), (B5, 70)], ids=["B0", "B1", "B2", "B3", "B5"]
)
def test_vehicles_of_the_rule_book_cost_what_it_prints(design: dict[str, Any], points: int) -> None:
    assert priced("vehicle", design).total == points


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


DATABASE = {
    3: (hull(2, 2, "CFE", "high wheeled", amphibious="yes", weapons=[gun("RFAC", 1)], fire_control="enhanced",
             missiles=[missile("GMS/L", "enhanced")], apfc="yes"), 73),
    10: (hull(2, 2, "CFE", "high wheeled", weapons=[gun("DFFG", 2)], fire_control="enhanced", ecm="basic"), 74),
    16: (hull(4, 4, "HMT", "fast GEV", weapons=[gun("MDC", 3), gun("RFAC", 1)], fire_control="superior",
              missiles=[missile("GMS/H", "superior")], ecm="superior", stealth=1, lad=1), 385),
    26: (hull(4, 4, "FGP", "grav", armour_type="ablative", weapons=[gun("HEL", 3)], fire_control="superior",
              ecm="superior", stealth=1, lad=1, pds="superior"), 428),
    64: (hull(4, 3, "CFE", "fast tracked", weapons=[gun("RFAC", 1)], fire_control="enhanced", artillery="medium",
              extra_apsw=1), 164),
    99: (hull(3, 3, "HMT", "fast GEV", weapons=[gun("HVC", 5)], fire_control="superior", ecm="enhanced",
              apfc="yes"), 163),
    103: (hull(2, 2, "HMT", "fast GEV", weapons=[gun("RFAC", 2)], fire_control="enhanced", ecm="enhanced", stealth=1,
               apfc="yes", pds="enhanced"), 171),
    116: (hull(2, 2, "HMT", "high wheeled", armour_type="reactive", weapons=[gun("HEL", 3), gun("RFAC", 1)],
               fire_control="enhanced", ecm="enhanced"), 110),
    143: (hull(3, 2, "CFE", "slow tracked", armour_type="reactive", weapons=[gun("HVC", 4)], fire_control="basic",
               extra_apsw=1), 78),
    299: (hull(4, 4, "CFE", "slow tracked", weapons=[gun("HVC", 4)], fire_control="enhanced"), 98),
    344: (hull(4, 4, "FGP", "grav", weapons=[gun("MDC", 2)], fire_control="superior", ecm="superior", stealth=1,
               missiles=[missile("GMS/H", "superior", 2)], pds="superior"), 431),
}  # fmt: skip


@pytest.mark.parametrize("number", DATABASE)
def test_vehicles_of_the_force_database_cost_what_it_lists(number: int) -> None:
    design, points = DATABASE[number]
    assert priced("vehicle", design).total == points


@pytest.mark.parametrize(("number", "limit"), [(16, "plant-for-fast-gev"), (116, "plant-for-weapon")])
def test_two_of_them_ask_too_much_of_their_plant(number: int, limit: str) -> None:
    assert limit in broken("vehicle", DATABASE[number][0])


def test_mobility_may_be_written_as_it_is_printed() -> None:
    assert priced("vehicle", B5 | {"mobility": "High-mobility wheeled"}).total == 70


@pytest.mark.parametrize(
    ("type_", "role", "points"),
    [("militia", "rifle", 15), ("powered", "assault", 40), ("line", "engineer", 70), ("line", "lad", 95)],
)
def test_infantry_teams_of_the_rule_book(type_: str, role: str, points: int) -> None:
    assert priced("infantry-team", {"type": type_, "role": role}).total == points


@pytest.mark.parametrize(
    ("size", "weapons", "apsw", "used"),
    [
        (3, [gun("HKP", 3, "fixed")], 0, 6),
        (3, [gun("HKP", 3)], 0, 9),
        (3, [gun("HKP", 3, count=2)], 0, 15),
        (3, [gun("HKP", 3), gun("HKP", 3)], 0, 15),
        (3, [gun("HKP", 4, "fixed"), gun("RFAC", 2)], 1, 15),
        (4, [gun("HKP", 4), gun("RFAC", 2)], 0, 16),
        (4, [gun("RFAC", 2), gun("HKP", 4)], 0, 16),
    ],
)
def test_capacity_as_the_rule_book_works_it_out(size: int, weapons: list[dict[str, Any]], apsw: int, used: int) -> None:
    built = priced("vehicle", hull(size, 1, "FGP", "fast tracked", weapons=weapons, extra_apsw=apsw))
    assert (built.capacity.used, built.capacity.allowed) == (used, 5 * size)


def test_a_walker_pays_the_lower_capacity_for_every_mount() -> None:
    walker = hull(4, 4, "FGP", "combat walker", weapons=[gun("HEL", 3, "arm"), gun("HVC", 3)])
    assert priced("vehicle", walker).capacity.used == 12


@pytest.mark.parametrize(
    ("design", "limit"),
    [
        (hull(3, 4, "HMT", "fast tracked"), "armour-by-size"),
        (hull(2, 2, "HMT", "fast tracked", weapons=[gun("HKP", 4)]), "capacity"),
        (hull(1, 1, "CFE", "slow tracked", extra_apsw=2), "weapon-systems"),
        (hull(3, 3, "HMT", "fast tracked", weapons=[gun("HKP", 2)]), "weapon-classes"),
        (B2, "plant-for-weapon"),
        (hull(2, 2, "HMT", "high wheeled", weapons=[gun("HEL", 3, "fixed")]), "plant-for-weapon"),
        (DATABASE[16][0], "plant-for-fast-gev"),
        (hull(4, 4, "CFE", "slow GEV"), "plant-for-slow-gev"),
        (hull(5, 3, "HMT", "RSW air cushion"), "plant-for-air-cushion"),
        (hull(3, 3, "HMT", "grav"), "plant-for-grav-or-walker"),
        (hull(4, 3, "CFE", "transport walker"), "plant-for-grav-or-walker"),
        (hull(6, 6, "HMT", "slow tracked"), "plant-for-oversize"),
        (hull(3, 2, "HMT", "VTOL attack"), "plant-for-aircraft"),
        (hull(5, 3, "FGP", "VTOL attack"), "vtol-armour"),
        (hull(3, 3, "FGP", "aerospace"), "aerospace-armour"),
        (hull(5, 2, "FGP", "aerospace", weapons=[gun("HEL", 4, "fixed")]), "aircraft-weapon-class"),
        (hull(5, 2, "FGP", "aerospace", weapons=[gun("HEL", 3)]), "aircraft-mount"),
        (hull(4, 2, "FGP", "VTOL attack", weapons=[gun("RFAC", 2, "chin")]), "chin-turret"),
        (hull(4, 2, "FGP", "fast tracked", weapons=[gun("RFAC", 2, "arm")]), "arm-mount"),
        (hull(2, 1, "CFE", "conventional boat"), "watercraft-armour"),
        (hull(3, 1, "CFE", "hydrofoil", weapons=[gun("HVC", 3)]), "watercraft-weapon-class"),
        (hull(3, 3, "FGP", "combat walker"), "walker-size"),
    ],
)
def test_a_design_that_breaks_one_rule_is_told_that_one(design: dict[str, Any], limit: str) -> None:
    assert broken("vehicle", design) == {limit}


@pytest.mark.parametrize(
    "design",
    [
        hull(4, 2, "FGP", "VTOL attack", weapons=[gun("HEL", 3, "fixed"), gun("RFAC", 1, "chin")], ordnance=1),
        hull(5, 3, "CFE", "conventional boat", weapons=[gun("HVC", 4)]),
        hull(7, 7, "FGP", "slow tracked", weapons=[gun("HEL", 5)]),
        hull(5, 5, "FGP", "combat walker", weapons=[gun("HEL", 5, "arm")]),
        hull(4, 4, "HMT", "slow GEV", weapons=[gun("HEL", 3)]),
    ],
)
def test_a_design_within_the_rules_is_left_alone(design: dict[str, Any]) -> None:
    assert broken("vehicle", design) == set()


@pytest.mark.parametrize(
    ("design", "points", "room"),
    [
        ({"round": "HEF", "artillery": "light"}, 20, 4),
        ({"round": "MAK", "artillery": "heavy", "guns": 3}, 120, 12),
        ({"round": "smoke", "artillery": "medium", "guns": 2, "count": 2}, 40, 16),
        ({"round": "nuclear", "artillery": "heavy", "guns": 3}, 1000, 12),
    ],
)
def test_artillery_markers(design: dict[str, Any], points: int, room: int) -> None:
    marker = priced("artillery-ammunition", design)
    assert (marker.total, marker.capacity.used) == (points, room)


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


@pytest.mark.parametrize(("artillery", "room"), [("light", 1), ("medium", 3), ("heavy", 6)])
def test_a_marker_takes_the_room_of_the_layer(artillery: str, room: int) -> None:
    marker = priced("artillery-ammunition", {"round": "HEF", "artillery": artillery}, HOUSE)
    assert marker.capacity.used == room


def test_a_second_fire_control_is_paid_for_by_the_second_largest_weapon() -> None:
    tank = hull(3, 3, "HMT", "fast tracked", weapons=[gun("HKP", 3), gun("RFAC", 1)], fire_control="superior")
    built = priced("vehicle", tank | {"fire_controls": 2}, HOUSE)
    first, second = built.line("fire-control"), built.line("extra-fire-control")
    assert first is not None
    assert second is not None
    assert (first.points, second.points) == (18, 6)
    assert built.total == priced("vehicle", tank, HOUSE).total + 6
    assert built.broken == ()


def test_fire_controls_go_by_size_and_by_weapons() -> None:
    tank = hull(3, 3, "HMT", "fast tracked", weapons=[gun("HKP", 3)], fire_control="basic")
    assert broken("vehicle", tank | {"fire_controls": 2}, HOUSE) == set()
    assert broken("vehicle", tank | {"fire_controls": 3}, HOUSE) == {"fire-controls-and-weapons"}
    assert broken("vehicle", tank | {"fire_controls": 3, "extra_apsw": 1}, HOUSE) == set()
    assert "fire-controls" in broken("vehicle", tank | {"fire_controls": 4}, HOUSE)


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


def test_air_to_air_missiles_and_decoys_stay_off_the_ground() -> None:
    design = hull(4, 2, "FGP", "fast tracked", aam="basic", decoys="yes")
    assert broken("vehicle", design, HOUSE) == {"aam", "decoys"}


def test_a_battery_of_cruise_missiles() -> None:
    missiles = [{"warhead": "HEF", "count": 3}, {"warhead": "biochem"}]
    assert priced("cruise-missile-battery", {"missiles": missiles, "launchers": 2}, HOUSE).total == 900


@pytest.mark.parametrize(("launchers", "points"), [(1, 50), (2, 150), (3, 300), (4, 500), (5, 750)])
def test_launchers_have_one_price_together(launchers: int, points: int) -> None:
    battery = priced("cruise-missile-battery", {"missiles": [{"warhead": "nuke"}], "launchers": launchers}, HOUSE)
    assert battery.total == 1200 + points


def test_a_sixth_launcher_is_refused() -> None:
    problems: list[Problem] = []
    kind = rules(HOUSE).kinds["cruise-missile-battery"]
    read_design(kind, {"missiles": [{"warhead": "HE"}], "launchers": 6}, kind.place, problems)
    assert [problem.code for problem in problems] == ["F203"]


@pytest.mark.parametrize(("plant", "points"), [("CFE", 3), ("HMT", 6), ("FGP", 9)])
def test_the_plant_of_an_emplacement_costs_half(plant: str, points: int) -> None:
    bunker = priced("emplacement", {"size": 3, "armour": 5, "plant": plant}, HOUSE)
    line = bunker.line("plant")
    assert line is not None
    assert line.points == points  # of 15 + 15 basic points
    assert bunker.total == 15 + 15 + points
    assert {one.limit.id for one in bunker.broken} == {"emplacement-armour"}


def test_an_emplacement_has_armour_up_to_size_and_one_more() -> None:
    bunker = {"size": 3, "armour": 4, "plant": "FGP", "weapons": [gun("HEL", 3)], "fire_control": "basic"}
    assert priced("emplacement", bunker, HOUSE).broken == ()
    assert broken("emplacement", bunker | {"plant": "CFE"}, HOUSE) == {"plant-for-weapon"}


def test_the_command_centre_of_an_emplacement_is_cheaper() -> None:
    bare = {"size": 3, "armour": 1, "plant": "CFE"}
    with_post = priced("emplacement", bare | {"command_post": "yes"}, HOUSE)
    assert with_post.total - priced("emplacement", bare, HOUSE).total == 75


@pytest.mark.parametrize(
    ("type_", "commandos", "mortar"), [("militia", 85, 45), ("line", 90, 50), ("powered", 110, 70)]
)
def test_commandos_and_mortars_cost_a_rifle_team_and_more(type_: str, commandos: int, mortar: int) -> None:
    assert priced("commando-team", {"type": type_}, HOUSE).total == commandos
    assert priced("mortar-team", {"type": type_}, HOUSE).total == mortar


EVERYTHING = hull(
    5, 5, "FGP", "fast tracked", armour_type="reactive", amphibious="yes", stealth=2, carries=[{"team": "powered"}],
    weapons=[gun("HEL", 5), gun("RFAC", 1, "fixed")], missiles=[missile("GMS/L", "basic")], fire_control="superior",
    fire_controls=2, ecm="basic", pds="basic", ads="basic", counter_battery_radar="basic", lad=1, extra_apsw=1,
    ordnance=1, cargo=1, apfc="yes", command_post="yes", backup="yes", artillery="light", sam="basic", aam="basic",
    decoys="yes",
)  # fmt: skip


def test_every_line_shows_its_working() -> None:
    lines = priced("vehicle", EVERYTHING, HOUSE).lines
    assert {line.id for line in lines} >= {"backup", "extra-fire-control", "sam", "aam", "decoys", "ordnance"}
    assert all(line.working for line in lines if line.points)
    assert not [line for line in lines if line.points and ("[" in line.working or "True" in line.working)]


def test_backup_is_a_share_of_the_electronics() -> None:
    backup = priced("vehicle", EVERYTHING, HOUSE).line("backup")
    assert backup is not None
    assert backup.points == 80  # 30 % of 30 + 15 + 200 + 20, which is 79.5
