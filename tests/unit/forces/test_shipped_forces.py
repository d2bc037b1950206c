"""Designs of the shipped rules through a force file. Every figure is a published one, or reckoned by hand beside it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import pytest
import yaml

from generator.commands.access import open_library
from generator.commands.forces import cost

if TYPE_CHECKING:
    from collections.abc import Mapping

CORE, HOUSE = "dirtside2", "dirtside2-iceburg"


def gun(weapon: str, size_class: int, mount: str = "turret", count: int = 1) -> dict[str, Any]:
    return {"weapon": weapon, "class": size_class, "mount": mount, "count": count}


def missile(name: str, quality: str, count: int = 1) -> dict[str, Any]:
    return {"missile": name, "quality": quality, "count": count}


def hull(size: int, armour: int, plant: str, mobility: str, **more: Any) -> dict[str, Any]:
    return {"kind": "vehicle", "size": size, "armour": armour, "plant": plant, "mobility": mobility, **more}


class Case(NamedTuple):
    """A design and what it comes to; capacity where it was reckoned, the ids of the limits that it breaks."""

    rules: str
    design: dict[str, Any]
    points: int
    capacity: int | None = None
    breaks: tuple[str, ...] = ()


B0 = hull(3, 3, "HMT", "fast tracked")
MBT = B0 | {"weapons": [gun("HKP", 3), gun("RFAC", 1)], "fire_control": "superior"}

BOOK = {
    "bare hull": Case(CORE, B0, 44),
    "tank": Case(CORE, MBT | {"pds": "enhanced", "ecm": "enhanced"}, 172),
    "hover tank, which breaks its plant’s limit in print": Case(
        CORE, hull(2, 2, "HMT", "fast GEV", weapons=[gun("MDC", 2)], fire_control="enhanced", ecm="basic",
                   carries=[{"team": "line", "count": 1}]), 71, None, ("plant-for-weapon",)),
    "large tank": Case(
        CORE, hull(4, 4, "FGP", "slow GEV", weapons=[gun("MDC", 4)], missiles=[missile("GMS/H", "enhanced")], stealth=1,
                   fire_control="superior", pds="enhanced", ecm="enhanced", apfc="yes"), 356, 20),
    "carrier": Case(
        CORE, hull(3, 3, "CFE", "high wheeled", amphibious=True, weapons=[gun("MDC", 1)], fire_control="enhanced",
                   ecm="basic", carries=[{"team": "line", "count": 2}]), 70),
}  # fmt: skip

DATABASE = {
    3: Case(CORE, hull(2, 2, "CFE", "high wheeled", amphibious=True, weapons=[gun("RFAC", 1)], fire_control="enhanced",
                       missiles=[missile("GMS/L", "enhanced")], apfc=True), 73),
    10: Case(CORE, hull(2, 2, "CFE", "high wheeled", weapons=[gun("DFFG", 2)],
                        fire_control="enhanced", ecm="basic"), 74),
    16: Case(CORE, hull(4, 4, "HMT", "fast GEV", weapons=[gun("MDC", 3), gun("RFAC", 1)], fire_control="superior",
                        missiles=[missile("GMS/H", "superior")], ecm="superior", stealth=1, lad=1), 385, 17,
             ("plant-for-fast-gev",)),
    26: Case(CORE, hull(4, 4, "FGP", "grav", armour_type="ablative", weapons=[gun("HEL", 3)], fire_control="superior",
                        ecm="superior", stealth=1, lad=1, pds="superior"), 428),
    64: Case(CORE, hull(4, 3, "CFE", "fast tracked", weapons=[gun("RFAC", 1)], fire_control="enhanced",
                        artillery="medium", extra_apsw=1), 164),
    99: Case(CORE, hull(3, 3, "HMT", "fast GEV", weapons=[gun("HVC", 5)], fire_control="superior", ecm="enhanced",
                        apfc=True), 163, 16, ("weapon-class-advice", "capacity")),
    103: Case(CORE, hull(2, 2, "HMT", "fast GEV", weapons=[gun("RFAC", 2)], fire_control="enhanced", ecm="enhanced",
                         stealth=1, apfc=True, pds="enhanced"), 171),
    116: Case(CORE, hull(2, 2, "HMT", "high wheeled", armour_type="reactive", weapons=[gun("HEL", 3), gun("RFAC", 1)],
                         fire_control="enhanced", ecm="enhanced"), 110, 11, ("plant-for-weapon", "capacity")),
    143: Case(CORE, hull(3, 2, "CFE", "slow tracked", armour_type="reactive", weapons=[gun("HVC", 4)],
                         fire_control="basic", extra_apsw=1), 78),
    299: Case(CORE, hull(4, 4, "CFE", "slow tracked", weapons=[gun("HVC", 4)], fire_control="enhanced"), 98),
    344: Case(CORE, hull(4, 4, "FGP", "grav", weapons=[gun("MDC", 2)], fire_control="superior", ecm="superior",
                         stealth=1, missiles=[missile("GMS/H", "superior", 2)], pds="superior"), 431),
}  # fmt: skip

BLIND = ("weapons-without-fire-control",)

VEHICLES = {
    # Capacity as the book works it out on pp. 11-12: fixed 2 x class, turret 3 x, a twin's second barrel 2 x.
    # Hull 15 + 3, CFE 3.6 -> 4, slow tracked 3.6 -> 4: 26 before the guns, at 10 points a class.
    "class 3 fixed": Case(CORE, hull(3, 1, "CFE", "slow tracked", weapons=[gun("HKP", 3, "fixed")]), 56, 6, BLIND),
    "class 3 in a turret": Case(CORE, hull(3, 1, "CFE", "slow tracked", weapons=[gun("HKP", 3)]), 56, 9, BLIND),
    "class 3 twins": Case(CORE, hull(3, 1, "CFE", "slow tracked", weapons=[gun("HKP", 3, count=2)]), 86, 15, BLIND),
    "class 3 side by side": Case(CORE, hull(3, 1, "CFE", "slow tracked",
                                            weapons=[gun("HKP", 3), gun("HKP", 3)]), 86, 15, BLIND),
    "class 4 fixed, class 2 turret, APSW": Case(
        CORE, hull(3, 1, "CFE", "slow tracked", weapons=[gun("HKP", 4, "fixed"), gun("RFAC", 2)],
                              extra_apsw=1), 80, 15, BLIND),
    # 20 + 4, CFE 4.8 -> 5, 4.8 -> 5; 40 + 10
    "class 4 turret, then class 2": Case(
        CORE, hull(4, 1, "CFE", "slow tracked", weapons=[gun("HKP", 4), gun("RFAC", 2)]), 84, 16, BLIND),
    "class 2 named first": Case(
        CORE, hull(4, 1, "CFE", "slow tracked", weapons=[gun("RFAC", 2), gun("HKP", 4)]), 84, 16, BLIND),
    # 5 + 1, 20% and 20% of 6 = 1.2 -> 1 each, amphibious 1.2 -> 1
    "the smallest": Case(CORE, hull(1, 1, "CFE", "slow tracked", amphibious=True), 9, 0),
    # 15 + 30% of 15 = 4.5 -> 5; of 20: CFE 4, low wheeled 2
    "half a point of ablative armour": Case(CORE, hull(3, 1, "CFE", "low wheeled", armour_type="ablative"), 26),
    # 20 + 16 = 36; FGP 21.6 -> 22, walker 36; 3 x 12, 2 x 5; 4 x 3; 15. Always 2 x class: 6 + 4
    "walker with arms": Case(
        CORE, hull(4, 4, "FGP", "combat walker", weapons=[gun("HEL", 3, "arm"), gun("RFAC", 2, "arm")],
                   fire_control="enhanced", ecm="basic"), 167, 10),
    # the same points in a turret, and the same room
    "walker with a turret": Case(
        CORE, hull(4, 4, "FGP", "combat walker", weapons=[gun("HEL", 3), gun("RFAC", 2, "fixed")],
                   fire_control="enhanced", ecm="basic"), 167, 10),
    # 25 + 15 = 40; FGP 24, 80% 32; APSW 4, PDS 30; room 2 x 8 + 1 + 2
    "walking carrier": Case(
        CORE, hull(5, 3, "FGP", "transport walker", carries=[{"team": "powered", "count": 2}], extra_apsw=1,
                   pds="basic"), 130, 19),
    # 15 + 6 = 21; FGP 12.6 -> 13, 500% 105; 24 + 5; 6 x 3; 30; 45. Room 6, chin 3, GMS/H 4
    "VTOL with a chin turret": Case(
        CORE, hull(3, 2, "FGP", "VTOL attack", weapons=[gun("HVC", 3, "fixed"), gun("RFAC", 1, "chin")],
                   missiles=[missile("GMS/H", "enhanced")], fire_control="superior", ecm="enhanced"), 261, 13),
    # 25 + 15 = 40; 24; 1000% 400; 36; 4 loads 120; 12; 45; stealth 5 x 20. Room 6 + 4 x 4
    "bomber": Case(
        CORE, hull(5, 3, "FGP", "aerospace", weapons=[gun("HEL", 3, "fixed")], ordnance=4, fire_control="enhanced",
                   ecm="superior", stealth=1), 777, 22),
    # 20 + 8 = 28; HMT 11.2 -> 11, 40% 11; 24; 30; 2 x 3; 30. Room 9 + 4 + 2
    "hydrofoil": Case(
        CORE, hull(4, 2, "HMT", "hydrofoil", hull_use="assault", weapons=[gun("HVC", 3)], fire_control="basic",
                   missiles=[missile("GMS/H", "basic")], pds="basic"), 140, 15),
    # 10; CFE 2, 10% 1; 5; 2
    "launch": Case(CORE, hull(2, 0, "CFE", "conventional boat", hull_use="patrol", weapons=[gun("RFAC", 1)],
                              fire_control="basic"), 20, 3),
    # 15 + 3 = 18; CFE 3.6 -> 4, 40% 7.2 -> 7; 10; 4
    "air cushion": Case(CORE, hull(3, 1, "CFE", "RSW air cushion", weapons=[gun("MDC", 1)],
                                   fire_control="enhanced"), 43, 3),
    # 30 + 36 = 66; FGP 39.6 -> 40, 20% 13.2 -> 13; 60 + 20; 6 x 5; ADS 200. Room 15 + 4 + 10
    "size 6": Case(CORE, hull(6, 6, "FGP", "slow tracked", weapons=[gun("HEL", 5), gun("MDC", 2)],
                              fire_control="superior", ads="basic"), 429, 29),
    # 35 + 35 x 7 x 30% = 73.5 -> 74: 109; FGP 65.4 -> 65, grav 109; 200; radar 150. Room 18 + 14
    "size 7, reactive": Case(CORE, hull(7, 7, "FGP", "grav", armour_type="reactive", artillery="heavy",
                                        counter_battery_radar="basic"), 633, 32),
    # 15 + 6 = 21; 8.4 -> 8 twice; 20; 4 x 2; 30; 3 x 20; 40; backup 30% of 8 + 30 + 60 + 40 = 41.4 -> 41
    "backup systems": Case(
        CORE, hull(3, 2, "HMT", "fast tracked", weapons=[gun("MDC", 2)], fire_control="enhanced", ecm="enhanced",
                   stealth=1, missiles=[missile("GMS/L", "superior")], backup=True), 236, 8),
    # 28; 11.2 -> 11 twice; 100; 45; 2 x 4; 75. Room 8 + 2 + 2
    "command vehicle": Case(
        CORE, hull(4, 2, "HMT", "slow GEV", command_post=True, ecm="superior", extra_apsw=2, lad=1), 278, 12),
    # 28; 5.6 -> 6 twice; 100; 75 x 4; 50 x 4; 100; 2 x 100; 150. Room 8 + 8
    "engineers": Case(
        CORE, hull(4, 2, "CFE", "slow tracked", engineering=True, repair=True, bridge=4, minelayer=True, mine_loads=2,
                   medical=True), 1090, 16),
    # 25 + 5 = 30; 6; 3. Room 8 x 2 + 4 + 4
    "tank carrier": Case(
        CORE, hull(5, 1, "CFE", "low wheeled", carried_vehicles=[{"size": 2}], carries=[{"team": "militia"}], cargo=1),
        39, 24),
    # 15 + 3 = 18; 3.6 -> 4 twice
    "observer’s car": Case(CORE, hull(3, 1, "CFE", "slow tracked", observer=True), 26, 8),
    # a quarter of 44, a half of 44, neither of the other
    "landing": Case(CORE, B0 | {"interface_landing": True}, 55),
    "drop": Case(CORE, B0 | {"drop_troops": True}, 66),
    "landing and drop": Case(CORE, B0 | {"interface_landing": True, "drop_troops": True}, 77),
    # what the house layer adds counts as well: 44 + 300, and a quarter of it
    "landing with a SAM": Case(HOUSE, B0 | {"sam": "basic", "interface_landing": True}, 430, 10),
    # 28; HMT 11, 20% 5.6 -> 6; 15; 500
    "SAM": Case(HOUSE, hull(4, 2, "HMT", "slow tracked", sam="superior", ecm="basic"), 560, 20),
    # 32; 19.2 -> 19; 320; 24; 4 x 2; 30; 60; 20. Room 4 + 8 + 2
    "fighter": Case(
        HOUSE, hull(4, 3, "FGP", "aerospace", weapons=[gun("HEL", 2, "fixed")], fire_control="enhanced", ecm="enhanced",
                    aam="superior", decoys=True), 513, 14),
    # 10 + 2 = 12; 7.2 -> 7; 60; 30; 20
    "VTOL with AAM and decoys": Case(
        HOUSE, hull(2, 1, "FGP", "VTOL transport", aam="basic", decoys=True), 129, 10),
    # 44; 60; basic 2 x 3, 2 x 3, and 2 x 1 for the free APSW
    "three fire controls": Case(
        HOUSE, B0 | {"weapons": [gun("HKP", 3, count=2)], "fire_control": "basic", "fire_controls": 3}, 118, 15),
    # 20 + 4 = 24; 4.8 -> 5 twice; 50; its room 4 instead of 6
    "light gun": Case(HOUSE, hull(4, 1, "CFE", "slow tracked", artillery="light"), 84, 4),
}  # fmt: skip


def bunker(size: int, armour: int, plant: str, **more: Any) -> dict[str, Any]:
    return {"kind": "emplacement", "size": size, "armour": armour, "plant": plant, **more}


# Hull 5 x size, armour size + 1 at 20% of it a level: together 7, 16, 27, 40, 55, 72, 91; plants 10, 20, 30% of that.
EMPLACED = {1: (8, 8, 9), 2: (18, 19, 21), 3: (30, 32, 35), 4: (44, 48, 52), 5: (61, 66, 72), 6: (79, 86, 94),
            7: (100, 109, 118)}  # fmt: skip
EMPLACEMENTS = {
    f"emplacement {size} {plant}": Case(
        HOUSE, bunker(size, size + 1, plant), points, 0, ("plant-for-oversize",) if size > 5 and plant != "FGP" else ()
    )
    for size, all_three in EMPLACED.items()
    for plant, points in zip(("CFE", "HMT", "FGP"), all_three, strict=True)
} | {
    # 55, FGP 16.5 -> 17; 75, 12; 6 x 5, and 6 x 2 for the second; 30; 5 x 5; 4. Room 15 + 4 + 2 + 1 + 1
    "armed emplacement": Case(
        HOUSE, bunker(5, 6, "FGP", weapons=[gun("DFFG", 5), gun("RFAC", 2)], fire_control="superior", fire_controls=2,
                      pds="basic", apfc=True, extra_apsw=1), 260, 23),
    # 20; 2; 100, and 75
    "hospital": Case(HOUSE, bunker(4, 0, "CFE", medical=True), 122),
    "headquarters": Case(HOUSE, bunker(4, 0, "CFE", command_post=True), 97, 8),
    "beyond its armour": Case(HOUSE, bunker(3, 5, "FGP"), 39, 0, ("emplacement-armour",)),
}  # fmt: skip

TEAM = {"militia": 15, "line": 20, "powered": 40}
EXTRA: dict[str, int] = {"rifle": 0, "assault": 0, "apsw": 10, "engineer": 50, "lad": 75, "observer": 50}
MISSILES = {
    "gms-l": {"basic": 20, "enhanced": 30, "superior": 40},
    "gms-h": {"basic": 30, "enhanced": 45, "superior": 60},
}


def team(type_: str, kind: str = "infantry-team", **more: Any) -> dict[str, Any]:
    return {"kind": kind, "type": type_, **more}


INFANTRY = {
    **{f"{one} {role}": Case(CORE, team(one, role=role), TEAM[one] + EXTRA[role]) for one in TEAM for role in EXTRA},
    **{f"{one} {role} {grade}": Case(CORE, team(one, role=role, missile_quality=grade), TEAM[one] + points)
       for one in TEAM for role, grades in MISSILES.items() for grade, points in grades.items()},
    "militia cavalry": Case(CORE, team("militia", role="cavalry"), 23),  # 15, and 7.5 -> 8
    "line cavalry": Case(CORE, team("line", role="cavalry"), 30),
    "powered cavalry": Case(CORE, team("powered", role="cavalry"), 60),
    "dropped rifles": Case(CORE, team("line", drop_troops=True), 30),
    "dropped engineers": Case(CORE, team("line", role="engineer", drop_troops=True), 105),  # 70, and a half
    "landed cavalry": Case(CORE, team("militia", role="cavalry", interface_landing=True), 29),  # 23, and 5.75 -> 6
    **{f"{one} commandos": Case(HOUSE, team(one, "commando-team"), TEAM[one] + 70) for one in TEAM},
    **{f"{one} mortar": Case(HOUSE, team(one, "mortar-team"), TEAM[one] + 30) for one in TEAM},
    "dropped commandos": Case(HOUSE, team("line", "commando-team", drop_troops=True), 135),  # 90, and a half
    "landed mortar": Case(HOUSE, team("powered", "mortar-team", interface_landing=True), 88),  # 70, and 17.5 -> 18
}  # fmt: skip


def shells(round_: str, artillery: str, guns: int = 1, count: int = 1) -> dict[str, Any]:
    return {"kind": "artillery-ammunition", "round": round_, "artillery": artillery, "guns": guns, "count": count}


SHELLS = {
    **{f"{shell} {size}": Case(CORE, shells(shell, size), points, 4)
       for shell in ("HEF", "MAK") for size, points in {"light": 20, "medium": 30, "heavy": 40}.items()},
    **{f"{shell} {size}": Case(CORE, shells(shell, size), points, 4)
       for shell, points in {"smoke": 10, "DMR": 100, "biochem": 200, "nuclear": 1000}.items()
       for size in ("light", "medium", "heavy")},
    # two markers for three guns: HEF, MAK and smoke are paid for each gun, the others are not; room always is
    **{f"two {shell} for three guns": Case(CORE, shells(shell, "medium", 3, 2), points, 24)
       for shell, points in {"HEF": 180, "MAK": 180, "smoke": 60, "DMR": 200, "biochem": 400, "nuclear": 2000}.items()},
    # one marker of the two is loaded: 3 guns x 1, 3 or 6 for the other
    **{f"house room, {size}": Case(HOUSE, shells("HEF", size, 3, 2), points, room)
       for size, (points, room) in {"light": (120, 3), "medium": (180, 9), "heavy": (240, 18)}.items()},
}  # fmt: skip


def battery(launchers: int, **missiles: int) -> dict[str, Any]:
    listed = [{"warhead": warhead, "count": count} for warhead, count in missiles.items()]
    return {"kind": "cruise-missile-battery", "missiles": listed, "launchers": launchers}


OTHERS = {
    # three HE at 150, two mines at 200; the force pays for the launchers
    **{f"{launchers} launchers": Case(HOUSE, battery(launchers, HE=3, mines=2), 850) for launchers in range(1, 6)},
    "the battery of three HEF": Case(HOUSE, battery(2, HEF=3, biochem=1), 750),
    "MAK and biochem": Case(HOUSE, battery(3, MAK=2, biochem=1), 600),
    "a nuke": Case(HOUSE, battery(1, nuke=1), 1200),
    "minefield": Case(CORE, {"kind": "minefield"}, 80),
    "jumping minefield": Case(CORE, {"kind": "minefield", "type": "jumping"}, 150),
    **{name: Case(CORE, {"kind": "installation", "type": name}, points)
       for name, points in {"medical-post": 100, "command-post": 75, "casevac-ground": 50, "casevac-hover": 75,
                            "Casevac, VTOL": 100}.items()},
}  # fmt: skip

TOGETHER = {
    # Rules that meet. 20 + 16 = 36; FGP 21.6 -> 22, grav 36; 48 + 40 + 10; 6 x 4; 45; 4 x 3 x 20; backup 30% of
    # 24 + 45 + 240 = 92.7 -> 93. The primary is the largest in a turret, not the largest: 8 + 6 + 4 + 4, of 20
    "a fixed gun above its turret": Case(
        CORE, hull(4, 4, "FGP", "grav", weapons=[gun("HEL", 4, "fixed"), gun("MDC", 2, count=2), gun("RFAC", 2)],
                   fire_control="superior", ecm="superior", stealth=3, backup=True), 594, 22, ("capacity",)),
    # 25 + 15 = 40; 16 twice; 40; 100; 24; 60. Room 12 + 12 + 4 of 25; with the house rules' 9 for the gun it fits
    **{f"{rules} gunboat": Case(
        rules, hull(5, 3, "HMT", "hydrofoil", weapons=[gun("HKP", 4)], artillery="medium", fire_control="superior",
                    pds="superior"), 296, room, breaks)
       for rules, room, breaks in ((CORE, 28, ("capacity",)), (HOUSE, 25, ()))},
    # 10 + 2 = 12; CFE 2.4 -> 2, 40% 4.8 -> 5; 10; 2 x 2. Armour 0 and class 1 are the most on water
    "too much for a small boat": Case(
        CORE, hull(2, 1, "CFE", "hydrofoil", weapons=[gun("RFAC", 2)], fire_control="basic"), 33, 6,
        ("watercraft-armour", "watercraft-weapon-class")),
    # 25 + 25 = 50; 30; 50; 40 + 2 x 20; 2 x 4. A walker's turret takes 2 x class, too: 8 + 4 + 4
    "walker with arms and a turret": Case(
        CORE, hull(5, 5, "FGP", "combat walker", weapons=[gun("MDC", 4), gun("MDC", 2, "arm", 2)],
                   fire_control="basic"), 218, 16),
    # 5 + 1 = 6; HMT 2.4 -> 2, 30% 1.8 -> 2; 10; 2. At size 1 an HMT feeds no MDC
    "the smallest gun too many": Case(
        CORE, hull(1, 1, "HMT", "high wheeled", weapons=[gun("MDC", 1)], fire_control="basic"), 22, 3,
        ("plant-for-weapon",)),
    # 10; CFE 2, 10% 1; 2 x 20; 30. Two launchers and a PDS at size 2
    "a system too many": Case(
        CORE, hull(2, 0, "CFE", "low wheeled", missiles=[missile("GMS/L", "basic", 2)], pds="basic"), 83, 6,
        ("weapon-systems",)),
    # 25 + 10 = 35; HMT 14, 20% 7. Room 2 x 4 + 8 + 8 x 1
    "teams and a car": Case(
        CORE, hull(5, 2, "HMT", "slow tracked", carried_vehicles=[{"size": 1}],
                   carries=[{"team": "line", "count": 2}, {"team": "powered"}]), 56, 24),
    # 30 + 42 = 72; FGP 43.2 -> 43, 60% 43. Size 6 has armour 6 at the most, though none is above 7
    "oversize, and too thick": Case(CORE, hull(6, 7, "FGP", "fast GEV"), 158, 0, ("armour-by-size",)),
    # 25 + 5 = 30; HMT 12, 30% 9; 300 + 200. Room 10 + 10
    "SAM and ADS": Case(HOUSE, hull(5, 1, "HMT", "high wheeled", sam="basic", ads="basic"), 551, 20),
    # 10 + 2 = 12; 2; 1; 2 x 2 x 6; first fire control 2 x 2, the second 2 x 2 for the other barrel. Room 6 + 4
    "a fire control for each barrel": Case(
        HOUSE, hull(2, 1, "CFE", "low wheeled", weapons=[gun("RFAC", 2, count=2)], fire_control="basic",
                    fire_controls=2), 47, 10),
    # 10 + 6 = 16; HMT 20% 3.2 -> 3; RFAC 6; GMS/H 60; 6 x 1, and 6 x 1 for the free APSW: missiles are not ranked
    "a fire control for the free APSW": Case(
        HOUSE, bunker(2, 3, "HMT", weapons=[gun("RFAC", 1, "fixed")], missiles=[missile("GMS/H", "superior")],
                      fire_control="superior", fire_controls=2), 97, 6),
    # 3 x 150 + 200 + 300 + 1200, and five launchers 750
    "one of each warhead": Case(HOUSE, battery(5, HEF=1, MAK=1, HE=1, mines=1, biochem=1, nuke=1), 2150),
    # 40 + 60 = 100, a quarter and a half of it
    "landed and dropped missiles": Case(
        CORE, team("powered", role="gms-h", missile_quality="superior", interface_landing=True, drop_troops=True), 175),
}  # fmt: skip

CASES = {**BOOK, **{f"database {n}": one for n, one in DATABASE.items()}, **VEHICLES, **EMPLACEMENTS, **INFANTRY,
         **SHELLS, **OTHERS, **TOGETHER}  # fmt: skip


@pytest.fixture(scope="module")
def found(tmp_path_factory: pytest.TempPathFactory) -> Mapping[str, dict[str, Any]]:
    """Every design as its force file is priced: one file for each rule set."""
    answers: dict[str, dict[str, Any]] = {}
    for rules in (CORE, HOUSE):
        designs = [{"design": name, **one.design} for name, one in CASES.items() if one.rules == rules]
        path = tmp_path_factory.mktemp(rules) / "force.yaml"
        path.write_text(
            yaml.safe_dump({"force": "All", "rules": [rules], "designs": designs}, allow_unicode=True), "utf-8"
        )
        data, _ = cost(open_library(), [path])
        answers |= {one["design"]: one for one in data["designs"]}
    return answers


@pytest.mark.parametrize("name", CASES)
def test_a_design_costs_what_is_printed_or_reckoned(found: Mapping[str, dict[str, Any]], name: str) -> None:
    assert found[name]["points"] == CASES[name].points


@pytest.mark.parametrize("name", [name for name, one in CASES.items() if one.capacity is not None])
def test_a_design_takes_the_room_that_is_reckoned(found: Mapping[str, dict[str, Any]], name: str) -> None:
    assert found[name]["capacity"]["used"] == CASES[name].capacity


@pytest.mark.parametrize("name", CASES)
def test_a_design_is_lawful_unless_it_is_known_for_breaking_a_limit(
    found: Mapping[str, dict[str, Any]], name: str
) -> None:
    assert {one["code"].rpartition("/")[2] for one in found[name]["problems"]} == set(CASES[name].breaks)
