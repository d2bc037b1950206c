"""Every limit of the shipped rules: a design that breaks it alone, and the lawful one beside it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import pytest
import yaml

from generator.commands.access import open_library
from generator.commands.forces import cost
from generator.rules.load.load import load

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from generator.commands.access import Data
    from generator.problems import Problem

pytestmark = pytest.mark.slow

CORE, HOUSE, SQUADS, PEOPLE = "dirtside2", "dirtside2-iceburg", "stargrunt2", "sla-3d"


def gun(weapon: str, size_class: int, mount: str = "turret", count: int = 1) -> dict[str, Any]:
    return {"weapon": weapon, "class": size_class, "mount": mount, "count": count}


def hull(size: int, armour: int, plant: str, mobility: str, *guns: dict[str, Any], **more: Any) -> dict[str, Any]:
    head = {"kind": "vehicle", "size": size, "armour": armour, "plant": plant, "mobility": mobility}
    return head | {"weapons": list(guns), "fire_control": "basic" if guns else "none", **more}


def car(size: int, armour: int, *guns: dict[str, Any], **more: Any) -> dict[str, Any]:
    return hull(size, armour, "CFE", "low wheeled", *guns, **more)


def bunker(size: int, armour: int, *guns: dict[str, Any], **more: Any) -> dict[str, Any]:
    head = {"kind": "emplacement", "size": size, "armour": armour, "plant": "FGP"}
    return head | {"weapons": list(guns), "fire_control": "basic" if guns else "none", **more}


def battery(*missiles: int, launchers: int) -> dict[str, Any]:
    listed = [{"warhead": "HE", "count": count} for count in missiles]
    return {"kind": "cruise-missile-battery", "missiles": listed, "launchers": launchers}


def squad(**more: Any) -> dict[str, Any]:
    return {"kind": "squad", "quality": "regular", "men": [{"weapon": "gauss-rifle"}], **more}


def character(**more: Any) -> dict[str, Any]:
    stats = {"str": 4, "dex": 6, "dia": 7, "conc": 5, "phys": 9, "cool": 8}
    return {"kind": "character", **stats, **more}


class Pair(NamedTuple):
    """A design that breaks one limit, and one that keeps it."""

    rules: str
    broken: dict[str, Any]
    kept: dict[str, Any]


TRUCK = car(3, 1)
JET = ("FGP", "aerospace")
GUNSHIP = ("FGP", "VTOL attack")
GRAV = ("FGP", "grav")
WALKS = ("FGP", "combat walker")
LEGS = ("FGP", "transport walker")
BOAT = ("CFE", "conventional boat")
WALKER = hull(4, 4, *WALKS, gun("HVC", 3, "arm"))

PAIRS = {
    "armour-by-size": Pair(CORE, car(3, 4), car(3, 3)),
    "capacity": Pair(CORE, car(2, 1, gun("HVC", 3), cargo=1),
                     car(2, 1, gun("HVC", 3))),
    "weapon-systems": Pair(CORE, car(1, 1, extra_apsw=2), car(1, 1, extra_apsw=1)),
    "weapon-classes": Pair(CORE, car(3, 1, gun("HKP", 2)), car(3, 1, gun("HKP", 3))),
    "weapon-class-advice": Pair(CORE, car(2, 1, gun("HVC", 4, "fixed")),
                                car(2, 1, gun("HVC", 3, "fixed"))),
    "plant-for-weapon": Pair(CORE, hull(3, 1, "HMT", "low wheeled", gun("HEL", 3)),
                             hull(3, 1, "HMT", "low wheeled", gun("HEL", 2))),
    "plant-for-slow-gev": Pair(CORE, hull(4, 1, "CFE", "slow GEV"), hull(3, 1, "CFE", "slow GEV")),
    "plant-for-fast-gev": Pair(CORE, hull(4, 1, "HMT", "fast GEV"), hull(3, 1, "HMT", "fast GEV")),
    "plant-for-air-cushion": Pair(CORE, hull(4, 1, "CFE", "RSW air cushion"), hull(4, 1, "HMT", "RSW air cushion")),
    "plant-for-grav-or-walker": Pair(CORE, hull(3, 1, "HMT", "grav"), hull(3, 1, *GRAV)),
    "plant-for-oversize": Pair(CORE, hull(6, 6, "HMT", "slow tracked"), hull(6, 6, "FGP", "slow tracked")),
    "plant-for-aircraft": Pair(CORE, hull(3, 1, "HMT", "VTOL transport"), hull(3, 1, "FGP", "VTOL transport")),
    "vtol-armour": Pair(CORE, hull(5, 3, *GUNSHIP), hull(5, 2, *GUNSHIP)),
    "aerospace-armour": Pair(CORE, hull(5, 4, *JET), hull(5, 3, *JET)),
    "aircraft-weapon-class": Pair(CORE, hull(4, 2, *JET, gun("HVC", 4, "fixed")),
                                  hull(4, 2, *JET, gun("HVC", 3, "fixed"))),
    "aircraft-mount": Pair(CORE, hull(4, 2, *JET, gun("RFAC", 2)), hull(4, 2, *JET, gun("RFAC", 2, "fixed"))),
    "chin-turret": Pair(CORE, hull(4, 2, *GUNSHIP, gun("RFAC", 2, "chin")),
                        hull(4, 2, *GUNSHIP, gun("RFAC", 1, "chin"))),
    "chin-turrets": Pair(CORE, hull(4, 2, *GUNSHIP, gun("RFAC", 1, "chin"), gun("MDC", 1, "chin")),
                         hull(4, 2, *GUNSHIP, gun("RFAC", 1, "chin"), gun("MDC", 1, "fixed"))),
    "arm-mount": Pair(CORE, hull(4, 4, *GRAV, gun("HVC", 3, "arm")), WALKER),
    "walker-size": Pair(CORE, hull(3, 3, *WALKS), hull(4, 3, *WALKS)),
    "watercraft-armour": Pair(CORE, hull(3, 2, *BOAT), hull(3, 1, *BOAT)),
    "watercraft-weapon-class": Pair(CORE, hull(3, 1, *BOAT, gun("HVC", 3)), hull(4, 1, *BOAT, gun("HVC", 3))),
    "watercraft-artillery": Pair(CORE, hull(4, 1, *BOAT, artillery="medium"), hull(5, 1, *BOAT, artillery="medium")),
    "watercraft-missiles": Pair(CORE, hull(2, 0, *BOAT, missiles=[{"missile": "GMS/H", "quality": "basic"}]),
                                hull(3, 0, *BOAT, missiles=[{"missile": "GMS/H", "quality": "basic"}])),
    "aircraft-artillery": Pair(CORE, hull(5, 1, *GUNSHIP, artillery="medium"), hull(5, 1, *GUNSHIP, artillery="light")),
    "hull-use": Pair(CORE, TRUCK | {"hull_use": "patrol"}, hull(3, 1, *BOAT, hull_use="patrol")),
    "mines-without-layer": Pair(CORE, TRUCK | {"mine_loads": 1}, TRUCK | {"mine_loads": 1, "minelayer": True}),
    "amphibious-gear": Pair(CORE, hull(3, 1, "CFE", "slow GEV", amphibious=True), TRUCK | {"amphibious": True}),
    "stealth-floor": Pair(CORE, TRUCK | {"stealth": 3}, TRUCK | {"stealth": 2}),
    "weapons-without-fire-control": Pair(CORE, car(3, 1, gun("HVC", 3), gun("RFAC", 1), fire_control="none"),
                                         car(3, 1, gun("RFAC", 1), fire_control="none")),
    "missile-quality": Pair(CORE, {"kind": "infantry-team", "type": "line", "role": "gms-l"},
                            {"kind": "infantry-team", "type": "line", "role": "gms-l", "missile_quality": "basic"}),
    "missile-without-role": Pair(CORE, {"kind": "infantry-team", "type": "line", "missile_quality": "basic"},
                                 {"kind": "infantry-team", "type": "line"}),
    "fire-controls": Pair(HOUSE, TRUCK | {"fire_controls": 4, "extra_apsw": 3, "fire_control": "basic"},
                          TRUCK | {"fire_controls": 3, "extra_apsw": 3, "fire_control": "basic"}),
    "fire-controls-and-weapons": Pair(HOUSE, TRUCK | {"fire_controls": 2, "fire_control": "basic"},
                                      TRUCK | {"fire_controls": 2, "extra_apsw": 1, "fire_control": "basic"}),
    "fire-controls-of-no-quality": Pair(HOUSE, TRUCK | {"fire_controls": 2, "extra_apsw": 1},
                                        TRUCK | {"fire_controls": 2, "extra_apsw": 1, "fire_control": "basic"}),
    "chin-barrels": Pair(CORE, hull(4, 2, *GUNSHIP, gun("RFAC", 1, "chin", 2)),
                         hull(4, 2, *GUNSHIP, gun("RFAC", 1, "chin"))),
    "ordnance-from-the-air": Pair(CORE, TRUCK | {"ordnance": 1}, hull(3, 1, *JET, ordnance=1)),
    "nothing-to-back-up": Pair(CORE, TRUCK | {"backup": True}, TRUCK | {"backup": True, "ecm": "basic"}),
    "aam": Pair(HOUSE, TRUCK | {"aam": "basic"}, hull(3, 1, *GUNSHIP, aam="basic")),
    "decoys": Pair(HOUSE, TRUCK | {"decoys": True}, hull(3, 1, *JET, decoys=True)),
    "emplacement-armour": Pair(HOUSE, bunker(3, 5), bunker(3, 4)),
    "emplacement-mount": Pair(HOUSE, bunker(3, 4, gun("MDC", 3, "chin")), bunker(3, 4, gun("MDC", 3, "fixed"))),
    "modular": Pair(HOUSE, bunker(6, 3) | {"modular": True}, bunker(6, 3)),
    "missiles": Pair(HOUSE, battery(launchers=1), battery(1, launchers=1)),
    "idle-launchers": Pair(HOUSE, battery(1, 1, launchers=3), battery(1, 2, launchers=3)),
    "armed": Pair(SQUADS, squad(men=[]), squad(men=[], support=[{"weapon": "saw"}])),
    "power-armour-moves": Pair(SQUADS, squad(armour="light-power"), squad(armour="light-power", troops="slow-power")),
    "power-moves": Pair(SQUADS, squad(troops="fast-power"), squad(armour="heavy-power", troops="fast-power")),
    "skill-once": Pair(PEOPLE, character(skills=[{"skill": "dodge", "rank": 3}, {"skill": "dodge", "rank": 4}]),
                       character(skills=[{"skill": "dodge", "rank": 3}, {"skill": "acrobatics", "rank": 4}])),
    "advantage-once": Pair(PEOPLE, character(advantages=[{"advantage": "quick-draw"}] * 2),
                           character(advantages=[{"advantage": "quick-draw"}])),
    "location-once": Pair(PEOPLE, character(body=[{"location": "head", "hits": 5}, {"location": "head", "hits": 6}]),
                          character(body=[{"location": "head", "hits": 5}, {"location": "torso", "hits": 6}])),
    "layers": Pair(PEOPLE, character(armour="striker", deathsuit="light"), character(deathsuit="light")),
    "unarmoured": Pair(PEOPLE, character(unarmoured=True, armour="striker"), character(unarmoured=True)),
    "heavy-recoil": Pair(PEOPLE, character(guns=[{"gun": "mal-anvil"}]), character(guns=[{"gun": "nemesis"}])),
}  # fmt: skip

# The same limits where an emplacement, a walker or the smallest boat has them otherwise.
MORE = [
    ("stealth-floor", Pair(CORE, WALKER | {"stealth": 5}, WALKER | {"stealth": 4})),
    ("stealth-floor", Pair(HOUSE, bunker(3, 4, stealth=3), bunker(3, 4, stealth=2))),
    ("plant-for-weapon", Pair(HOUSE, bunker(3, 4, gun("HEL", 3)) | {"plant": "HMT"}, bunker(3, 4, gun("HEL", 3)))),
    ("plant-for-weapon", Pair(CORE, car(3, 1, gun("MDC", 2)),
                              car(3, 1, gun("MDC", 1)))),
    ("plant-for-oversize", Pair(HOUSE, bunker(7, 8) | {"plant": "HMT"}, bunker(7, 8))),
    ("capacity", Pair(HOUSE, bunker(2, 1, gun("HVC", 3), cargo=1), bunker(2, 1, gun("HVC", 3)))),
    ("mines-without-layer", Pair(HOUSE, bunker(3, 1, mine_loads=1), bunker(3, 1, mine_loads=1, minelayer=True))),
    ("plant-for-grav-or-walker", Pair(CORE, hull(4, 1, "CFE", "transport walker"), hull(4, 1, *LEGS))),
    ("plant-for-slow-gev", Pair(CORE, hull(5, 1, "HMT", "slow GEV"), hull(5, 1, "FGP", "slow GEV"))),
    ("plant-for-fast-gev", Pair(CORE, hull(3, 1, "CFE", "fast GEV"), hull(2, 1, "CFE", "fast GEV"))),
    ("armour-by-size", Pair(CORE, car(1, 2), car(1, 1))),
    ("vtol-armour", Pair(CORE, hull(2, 2, *GUNSHIP), hull(2, 1, *GUNSHIP))),
    ("aerospace-armour", Pair(CORE, hull(3, 3, *JET), hull(3, 2, *JET))),
    ("watercraft-armour", Pair(CORE, hull(2, 1, *BOAT), hull(2, 0, *BOAT))),
    ("watercraft-weapon-class", Pair(CORE, hull(1, 0, *BOAT, gun("RFAC", 2, "fixed")),
                                     hull(1, 0, *BOAT, gun("RFAC", 1)))),
    ("chin-turret", Pair(CORE, hull(4, 2, *GRAV, gun("RFAC", 1, "chin")), hull(4, 2, *GRAV, gun("RFAC", 1)))),
    ("walker-size", Pair(CORE, hull(6, 3, *LEGS), hull(5, 3, *LEGS))),
    ("weapons-without-fire-control", Pair(HOUSE, bunker(3, 4, gun("MDC", 1, "fixed"), fire_control="none"),
                                          bunker(3, 4, gun("MDC", 1, "fixed"), fire_control="basic"))),
    ("weapon-systems", Pair(CORE, car(2, 1, gun("RFAC", 1, count=2), lad=1),
                            car(2, 1, gun("RFAC", 1), lad=1))),
]  # fmt: skip
ALL = [*PAIRS.items(), *MORE]


def priced(path: Path, rules: str, designs: Mapping[str, Mapping[str, Any]], units: object = None) -> Data:
    force = {"force": "One", "rules": [rules], "designs": [{"design": name, **one} for name, one in designs.items()]}
    path.write_text(yaml.dump(force | ({"units": units} if units else {}), Dumper=_Plain, allow_unicode=True), "utf-8")
    return cost(open_library(), [path])[0]


class _Plain(yaml.SafeDumper):
    """YAML without anchors."""

    def ignore_aliases(self, data: object) -> bool:
        return data is not None


def codes(problems: list[Data]) -> set[str]:
    return {one["code"].rpartition("/")[2] for one in problems}


@pytest.fixture(scope="module")
def found(tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[Data]]:
    """The problems of every design."""
    answers: dict[str, list[Data]] = {}
    for rules in (CORE, HOUSE, SQUADS, PEOPLE):
        designs: dict[str, dict[str, Any]] = {}
        for number, (limit, pair) in enumerate(ALL):
            if pair.rules == rules:
                designs |= {f"{limit} {number} broken": pair.broken, f"{limit} {number} kept": pair.kept}
        data = priced(tmp_path_factory.mktemp(rules) / "force.yaml", rules, designs)
        answers |= {one["design"]: one["problems"] for one in data["designs"]}
    return answers


@pytest.mark.parametrize("number", range(len(ALL)), ids=[limit for limit, _ in ALL])
def test_a_limit_is_broken_alone_and_kept_by_its_neighbour(found: dict[str, list[Data]], number: int) -> None:
    limit, _ = ALL[number]
    assert codes(found[f"{limit} {number} broken"]) == {limit}
    assert found[f"{limit} {number} kept"] == []


@pytest.mark.parametrize("number", range(len(ALL)), ids=[limit for limit, _ in ALL])
def test_a_broken_limit_has_its_page_and_a_remedy(found: dict[str, list[Data]], number: int) -> None:
    limit, _ = ALL[number]
    for problem in found[f"{limit} {number} broken"]:
        assert problem["cite"]
        assert problem["hint"]
        assert problem["severity"] == "error" or ", or " not in problem["hint"]  # one way is advice enough


@pytest.mark.parametrize(("mobility", "armour"), [("VTOL attack", 3), ("aerospace", 4), ("hydrofoil", 4)])
def test_armour_is_mended_by_what_bounds_it_and_not_by_another_way_to_move(
    tmp_path: Path, mobility: str, armour: int
) -> None:
    heavy = {"kind": "vehicle", "size": 5, "armour": armour, "plant": "FGP", "mobility": mobility}
    (problem,) = priced(tmp_path / "force.yaml", CORE, {"heavy": heavy})["designs"][0]["problems"]
    assert problem["field"] == "designs[0].armour"
    assert problem["hint"].startswith("armour: ")
    assert "mobility" not in problem["hint"]


CARRIER = {"kind": "vehicle", "size": 3, "armour": 1, "plant": "CFE", "mobility": "low wheeled"}
FIELDED: dict[str, dict[str, Any]] = {
    "truck": CARRIER,
    **{f"{one} gun": CARRIER | {"size": 5, "artillery": one} for one in ("light", "medium", "heavy")},
    **{f"{one} shells": {"kind": "artillery-ammunition", "round": "HEF", "artillery": one}
       for one in ("light", "medium", "heavy")},
    "mortar": {"kind": "mortar-team", "type": "line"},
    "commandos": {"kind": "commando-team", "type": "line"},
    "rifles": {"kind": "infantry-team", "type": "line"},
    "arm": battery(1, launchers=1),
}  # fmt: skip

UNITS = [
    ("empty-unit", [{}], [{"truck": 1}]),
    ("commandos-apart", [{"commandos": 1, "rifles": 1}], [{"commandos": 2}, {"rifles": 1}]),
    (
        "commandos-apart",
        [{"commandos": 2, "mortar": 1, "light shells": 1}],
        [{"commandos": 2, "truck": 1}, {"mortar": 1, "light shells": 1}],
    ),
    ("commando-units", [{"commandos": 3}], [{"commandos": 2}]),
    (
        "commando-units",
        [{"commandos": 3, "truck": 1}],
        [{"commandos": 2, "truck": 2, "light shells": 1}, {"mortar": 1}],
    ),
    *(
        pair
        for one in ("light", "medium", "heavy")
        for pair in [
            (f"{one}-ammunition-without-guns", [{f"{one} shells": 1}], [{f"{one} shells": 1, f"{one} gun": 1}]),
            (f"{one}-guns-without-ammunition", [{f"{one} gun": 1}], [{f"{one} gun": 1}, {f"{one} shells": 1}]),
        ]
    ),
    ("light-guns-without-ammunition", [{"mortar": 1}], [{"mortar": 1, "light shells": 1}]),
    ("units", [{"truck": 1}] * 13, [{"truck": 1}] * 12),
    ("launchers", [{"arm": 3}, {"arm": 3}], [{"arm": 3}, {"arm": 2}]),
    # size 5 has 25: a light gun leaves 21, a medium gun 16, a heavy gun 11. One marker is loaded in each gun.
    ("marker-room", [{"light gun": 1, "light shells": 23}], [{"light gun": 1, "light shells": 22}]),
    ("marker-room", [{"mortar": 2, "light shells": 3}], [{"mortar": 2, "light shells": 2}]),
    # 3 x 16 is 48, but each gun holds only five markers of 3
    ("medium-marker-room", [{"medium gun": 3, "medium shells": 19}], [{"medium gun": 3, "medium shells": 18}]),
    # 2 x 11 is 22, but each gun holds only one marker of 6
    ("heavy-marker-room", [{"heavy gun": 2, "heavy shells": 5}], [{"heavy gun": 2, "heavy shells": 4}]),
]


def load_force_file(path: Path, units: list[dict[str, int]]) -> set[str]:
    listed = [
        {"unit": f"Unit {number}", "of": [{"design": name, "count": count} for name, count in one.items()]}
        for number, one in enumerate(units)
    ]
    named = {name for one in units for name in one} or {"truck"}
    data = priced(path, HOUSE, {name: FIELDED[name] for name in FIELDED if name in named}, listed)
    return codes(data["problems"]) - {"F211"}


@pytest.mark.parametrize(("limit", "broken", "kept"), UNITS, ids=[one[0] for one in UNITS])
def test_a_unit_or_force_breaks_its_limit_alone(
    tmp_path: Path, limit: str, broken: list[dict[str, int]], kept: list[dict[str, int]]
) -> None:
    assert load_force_file(tmp_path / "force.yaml", broken) == {limit}
    assert load_force_file(tmp_path / "force.yaml", kept) == set()


def test_no_limit_is_left_out() -> None:
    limits = set()
    for name in (HOUSE, SQUADS, PEOPLE, "fma-skirmish"):
        problems: list[Problem] = []
        loaded = load(open_library(), name, problems)
        assert loaded is not None, problems
        limits |= {limit.id for kind in loaded.kinds.values() for limit in kind.limits}
    assert limits == {*PAIRS, *(one[0] for one in UNITS)}
