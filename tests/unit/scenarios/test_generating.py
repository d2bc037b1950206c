"""Scenarios that are rolled: lawful, within their points, the same for the same seed."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
import yaml

from generator.commands.access import open_library
from generator.commands.rulesets import check
from generator.commands.scenarios import set_up
from generator.parsing.yaml12 import parse_yaml
from generator.problems import ProblemsError, refused
from generator.rules.source.settings import settings_of_words
from generator.scenarios.generate import scenario
from generator.scenarios.generate.roll import ScenarioRequest
from tests.conftest import stage_of
from tests.unit.scenarios.test_terrain import shape_of

if TYPE_CHECKING:
    from collections.abc import Callable

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[3]
PLAIN = "dirtside2"
SEEDS = 20
PLAIN_SEED = 14
"""The seed that every run rolls; ``make soak`` rolls all."""
SIZES: dict[str, tuple[str, list[int]]] = {
    "dirtside2": ("points", list(range(900, 4900, 100))),
    "stargrunt2": ("size", list(range(1, 11))),
    "fma-skirmish": ("size", list(range(2, 13))),
    "sla-3d": ("size", [2, 4, 6]),
}
"""How each game is counted, and sizes that its samples can fill."""


def rolled(seed: int, ruleset: str = PLAIN, **wanted: Any) -> str:
    return stage_of(ruleset).roll(ScenarioRequest(seed, **wanted))[0]


def read(text: str) -> Any:
    document, problems = parse_yaml(text, "battle.yaml")
    assert document is not None
    assert problems == ()
    return document.value


MISSIONS = [
    (ruleset, path.stem)
    for ruleset in SIZES
    for path in sorted((ROOT / "rulesdata" / ruleset / "missions").glob("*.yaml"))
]
assert MISSIONS


def overlaps(said: dict[str, Any], over: dict[str, tuple[str, ...]]) -> list[tuple[int, int]]:
    """Pairs of pieces that share more ground than their edges, where neither may lie over the other."""
    pieces = [(piece["kind"], shape_of(piece).buffer(-0.1)) for piece in said["terrain"]]
    return [
        (number, number + more)
        for number, (kind, shape) in enumerate(pieces)
        for more, (other, ground) in enumerate(pieces[number:])
        if more and kind not in over[other] and other not in over[kind] and shape.intersects(ground)
    ]


def over(ruleset: str = PLAIN) -> dict[str, tuple[str, ...]]:
    text = (ROOT / "rulesdata" / ruleset / "scenario" / "terrain.yaml").read_text(encoding="utf-8")
    return {row["terrain"]: tuple(row.get("over") or ()) for row in read(text)["rows"]}


def unmapped(said: dict[str, Any], ruleset: str) -> list[str]:
    """Places that the title and the texts name, and nothing on the map does; "none" where they name no place."""
    text = (ROOT / "rulesdata" / ruleset / "scenario" / "names.yaml").read_text(encoding="utf-8")
    names = [row["name"] for row in read(text)["rows"] if row["group"] not in ("officer", "operation")]
    told = [said["scenario"], said["mission"], *said["situation"]]
    told += [one for side in said["sides"] for one in side["briefing"]]
    for side in said["sides"]:
        told = [one.replace(side["side"], "") for one in told]
    there = [one["objective"] for one in said["objectives"]] + [one.get("piece", "") for one in said["terrain"]]
    found = [one for one in names if _names(told, one)]
    return [one for one in found if not _names(there, one)] if found else ["none"]


def _names(texts: list[str], name: str) -> bool:
    return any(re.search(rf"(?<!\w){re.escape(name)}(?!\w)", one) for one in texts)


def test_the_oracle_sees_a_place_that_is_on_no_map() -> None:
    said = {"scenario": "The mast at Wend", "mission": "", "situation": [], "sides": [], "terrain": []}
    assert unmapped({**said, "objectives": [{"objective": "The mast"}]}, PLAIN) == ["Wend"]
    assert unmapped({**said, "objectives": [{"objective": "Wendle"}]}, PLAIN) == ["Wend"]
    assert unmapped({**said, "objectives": [{"objective": "The mast at Wend"}]}, PLAIN) == []


def test_the_oracle_sees_an_overlap() -> None:
    lake = {"kind": "lake", "at": [8, 8], "radius": 3}
    pieces = [lake, {"kind": "village", "at": [9, 9], "size": [4, 4], "turned": 30}]
    assert overlaps({"terrain": pieces}, over()) == [(0, 1)]
    assert overlaps({"terrain": [lake, {**pieces[1], "at": [12, 12]}]}, over()) == []
    assert overlaps({"terrain": [lake, {"kind": "bridge", "path": [[4, 8], [12, 8]]}]}, over()) == []


@pytest.mark.parametrize(
    "seed", [pytest.param(item, marks=() if item == PLAIN_SEED else pytest.mark.soak) for item in range(SEEDS)]
)
@pytest.mark.parametrize("ruleset", SIZES)
def test_many_seeds_keep_every_check_and_their_size(ruleset: str, seed: int, proofs: Callable[[str], Any]) -> None:
    counted, sizes = SIZES[ruleset]
    proof = proofs(ruleset)
    size = sizes[seed % len(sizes)]
    wanted = ScenarioRequest(seed, points=size) if counted == "points" else ScenarioRequest(seed, size=size)
    battle, found = proof.roll(wanted)
    assert found == []
    spent = [
        side.force.total if counted == "points" else sum(unit.elements for unit in side.force.units)
        for side in battle.sides
    ]
    assert max(side.points or 0 for side in battle.sides) == (size if counted == "points" else 0)
    for side, total in zip(battle.sides, spent, strict=True):
        assert counted == "size" or 0.99 * side.points <= total <= side.points
        assert len(side.force.units) <= 12
    assert 0.99 * size <= max(spent) <= size
    assert overlaps(yaml.safe_load(proof.path.read_text(encoding="utf-8")), over(ruleset)) == []


@pytest.mark.soak
@pytest.mark.parametrize(("ruleset", "mission"), MISSIONS)
def test_every_mission_can_be_rolled_and_both_sides_can_win_it(
    ruleset: str, mission: str, proofs: Callable[[str], Any]
) -> None:
    proof = proofs(ruleset)
    for seed in (1, 2):
        battle, found = proof.roll(ScenarioRequest(seed, mission=mission))
        assert found == []
        most = [
            sum(one.points for one in battle.objectives if side.name in one.sides)
            + sum(max(one.points, 0) for one in battle.victory if one.side in ("", side.name))
            for side in battle.sides
        ]
        assert 2 * min(most) >= max(most) > 0
        assert all(side.briefing and side.secret for side in battle.sides)
        text = proof.path.read_text(encoding="utf-8")
        assert not any(word in text for word in ("{attacker", "{place", "{here"))
        assert unmapped(read(text), ruleset) == [], seed


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
    assert unmapped(said, PLAIN) == []
    assert not {"emplacement", "minefield"} & fielded[0]


@pytest.mark.parametrize(("site", "raided"), [("", set[str]()), (", site: on-table", {"Far"})])
def test_launchers_off_the_table_are_no_launchers_to_raid(tmp_path: Path, site: str, raided: set[str]) -> None:
    """And those on it do not come late."""
    foot = "{design: Foot, kind: infantry-team, type: line}"
    arm = f"{{design: Arm, kind: cruise-missile-battery, missiles: HE, launchers: 1{site}}}"
    units = "".join(f"  - {{unit: U{n}, of: [{{design: Foot, count: 4}}]}}\n" for n in range(30))
    paths = []
    for name, more in (("Attackers", ""), ("Defenders", "  - {unit: Far, of: [{design: Arm}]}\n")):
        paths.append(tmp_path / f"{name}.yaml")
        designs = ", ".join([foot, *([arm] if more else [])])
        said = f"force: {name}\nrules: [dirtside2-iceburg]\ndesigns: [{designs}]\nunits:\n{units}{more}"
        paths[-1].write_text(said, encoding="utf-8")
    for seed in range(4):
        text = rolled(seed, "dirtside2-iceburg", mission="launcher-raid", points=1500, forces=paths)
        fielded = {unit["unit"] for unit in read(text)["sides"][1]["force"]["units"]}
        assert fielded & {"Far"} == raided
        assert "einforced by Far" not in text


STAFF = """\
changes:
  - add: kinds.force.lines.staff
    with: {line: staff, label: Staff, points: 50 * units * (units - 1), cite: p. 1}
    reason: More units need a larger staff.
    cite: p. 1
"""


def test_a_whole_force_that_costs_far_more_than_its_units_is_drawn_smaller(tmp_path: Path) -> None:
    (tmp_path / "staff").mkdir()
    manifest = (ROOT / "rulesdata" / "stargrunt2-quick" / "ruleset.yaml").read_text(encoding="utf-8")
    manifest = manifest.partition("options:")[0].replace("stargrunt2-quick", "staff").replace("stargrunt2", PLAIN)
    (tmp_path / "staff" / "ruleset.yaml").write_text(manifest, encoding="utf-8")
    (tmp_path / "staff" / "changes.yaml").write_text(STAFF, encoding="utf-8")
    foot = "{design: Foot, kind: infantry-team, type: line}"
    units = "".join(f"  - {{unit: U{n}, of: [{{design: Foot, count: {n % 4 + 3}}}]}}\n" for n in range(7))
    path = tmp_path / "force.yaml"
    path.write_text(f"force: Foot\nrules: [staff]\ndesigns: [{foot}]\nunits:\n{units}", encoding="utf-8")
    request = ScenarioRequest(1, points=600, mission="meeting-engagement", forces=[path, path])
    said = read(set_up(open_library(tmp_path), "staff").roll(request)[0])
    assert all(side["force"]["units"] for side in said["sides"])


@pytest.mark.parametrize(("ruleset", "seed"), [("dirtside2", 27), (PLAIN, 222)])
def test_what_stands_still_does_not_come_late(ruleset: str, seed: int) -> None:
    text = rolled(seed, ruleset, points=6000)
    assert "einforced by Mines" not in text


def test_what_cannot_fly_in_a_weather_is_not_drawn_in_it() -> None:
    said = read(rolled(5, "dirtside2-iceburg"))  # which has a transport in fine weather
    assert said["weather"] == "Heavy rain"
    fielded = {design.get("mobility", "") for side in said["sides"] for design in side["force"]["designs"]}
    assert not {one for one in fielded if "VTOL" in one or one == "aerospace"}


def test_an_arm_is_drawn_only_where_it_has_something_to_do() -> None:
    """Air defence needs aircraft to shoot at, and observers need guns; read from the fields of the designs."""
    defended = 0
    rolls = [("dirtside2-iceburg", seed, {"mission": "launcher-raid"}) for seed in range(1, 4)]
    for ruleset, seed, wanted in [*rolls, *((PLAIN, seed, {}) for seed in range(5, 9))]:
        forces = [side["force"]["designs"] for side in read(rolled(seed, ruleset, **wanted))["sides"]]
        flown = [any(str(design.get("mobility")).startswith(("VTOL", "aero")) for design in force) for force in forces]
        for force, enemy_flies in zip(forces, reversed(flown), strict=True):
            shoots = any(design.keys() & {"sam", "ads", "lad"} or design.get("role") == "lad" for design in force)
            assert enemy_flies or not shoots, (seed, [design["design"] for design in force])
            sees = any(design.get("role") == "observer" for design in force)
            guns = any("artillery" in design or design["kind"] == "mortar-team" for design in force)
            assert guns or not sees, (seed, [design["design"] for design in force])
            defended += shoots
    assert defended


def test_an_arm_with_nothing_to_do_is_drawn_if_the_others_are_too_large(tmp_path: Path) -> None:
    foot, lads = (f"{{design: {role}, kind: infantry-team, type: line, role: {role}}}" for role in ("rifle", "lad"))
    paths = []
    for name, designs, units in (
        ("Rifles", foot, "{unit: Rifles, of: [{design: rifle, count: 9}]}"),
        ("Lads", f"{foot}, {lads}", "{unit: All, of: [{design: rifle, count: 60}]}, {unit: Few, of: [{design: lad}]}"),
    ):
        paths.append(tmp_path / f"{name}.yaml")
        said = f"force: {name}\nrules: [dirtside2]\ndesigns: [{designs}]\nunits: [{units}]\n"
        paths[-1].write_text(said, encoding="utf-8")
    said = read(rolled(1, points=300, mission="meeting-engagement", forces=paths))
    assert [[unit["unit"] for unit in side["force"]["units"]] for side in said["sides"]] == [["Rifles"], ["Few"]]


def test_the_same_seed_gives_the_same_bytes_in_any_process() -> None:
    here = rolled(7, points=3000)
    assert here == rolled(7, points=3000)
    assert here != rolled(8, points=3000)
    command = [sys.executable, "-m", "generator", "scenario", PLAIN, "--points", "3000", "--seed", "7"]
    other = "4242" if os.environ.get("PYTHONHASHSEED") == "1" else "1"
    environment = {**os.environ, "PYTHONHASHSEED": other, "PYTHONPATH": str(ROOT)}
    done = subprocess.run(command, capture_output=True, check=True, env=environment, cwd="/")  # noqa: S603 - our own
    assert done.stdout.decode() == here


def test_what_was_set_for_the_roll_stands_in_the_scenario(tmp_path: Path) -> None:
    usual, asked = settings_of_words(["detailed_fire=yes"]), settings_of_words(["detailed_fire=no", "range_bands=no"])
    for set_so, options in ((usual, None), (asked, {"fma-skirmish": {"detailed_fire": False, "range_bands": False}})):
        text = set_up(open_library(settings=set_so), "fma-skirmish").roll(ScenarioRequest(3))[0]
        assert read(text).get("options") == options
        (tmp_path / "battle.yaml").write_text(text, encoding="utf-8")
        assert check((), [str(tmp_path / "battle.yaml")]) == ()


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
    kept = [[one for one in some if one["table"] == "facings"] for some in rolls]
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


def test_a_force_too_small_without_its_slow_units_names_them(tmp_path: Path) -> None:
    lance = "{design: Lance, kind: vehicle, size: 3, armour: 3, plant: HMT, mobility: slow GEV, weapons: HKP/3}"
    rifles = "{design: Rifles, kind: infantry-team, type: line}"
    for name, foot in (("Reds", "Foot"), ("Blues", "Walkers")):
        units = f"{{unit: {name}, of: [{{design: Lance}}]}}, {{unit: {foot}, of: [{{design: Rifles, count: 8}}]}}"
        text = f"force: {name}\nrules: [dirtside2]\ndesigns: [{lance}, {rifles}]\nunits: [{units}]\n"
        (tmp_path / f"{name}.yaml").write_text(text, encoding="utf-8")
    files = [tmp_path / "Reds.yaml", tmp_path / "Blues.yaml"]
    _, found = stage_of(PLAIN).roll(ScenarioRequest(2, points=300, mission="breakthrough", forces=files))
    (told,) = (one.found for one in found if one.what == "Reds")
    assert told == "no units of this force come nearer to 300 points than 74; too slow for this mission: Foot"
    _, found = stage_of(PLAIN).roll(ScenarioRequest(2, points=300, mission="hasty-attack", forces=files))
    assert not [one.found for one in found if "slow" in one.found]


def test_forces_may_have_the_longest_names(tmp_path: Path, proofs: Callable[[str], Any]) -> None:
    tank = "{design: Lance, kind: vehicle, size: 3, armour: 3, plant: HMT, mobility: slow GEV, weapons: HKP/3}"
    files = [tmp_path / f"{letter}.yaml" for letter in "AB"]
    for path in files:
        units = ", ".join(f"{{unit: {path.stem} {n}, of: [{{design: Lance, count: {n}}}]}}" for n in range(1, 4))
        force = f"force: {path.stem * 80}\nrules: [dirtside2]\ndesigns: [{tank}]\nunits: [{units}]\n"
        path.write_text(force, encoding="utf-8")
    _, found = proofs(PLAIN).roll(ScenarioRequest(1, points=300, forces=files, mission="delaying-action"))
    assert [text for text in found if text.startswith("R203")] == []


def test_forces_are_sent_on_missions_that_they_can_fight(tmp_path: Path) -> None:
    """Tanks and rifles against bunkers: nothing that asks for guns, launchers or a defender that moves."""
    tanks, forts = tmp_path / "tanks.yaml", tmp_path / "forts.yaml"
    lance = "{design: Lance, kind: vehicle, size: 3, armour: 3, plant: HMT, mobility: slow GEV, weapons: HKP/3}"
    bunker = "{design: Bunker, kind: emplacement, size: 3, armour: 3, plant: FGP, weapons: HKP/3}"
    rifles = "{design: Rifles, kind: infantry-team, type: line}"
    for path, designs, units in (
        (tanks, [lance, rifles], ["{unit: Troop, of: [{design: Lance}]}", "{unit: Foot, of: [{design: Rifles}]}"]),
        (forts, [bunker], ["{unit: Forts, of: [{design: Bunker, count: 2}]}"]),
    ):
        listed = f"designs: [{', '.join(designs)}]\nunits: [{', '.join(units)}]\n"
        path.write_text(f"force: {path.stem}\nrules: [dirtside2-iceburg]\n{listed}", encoding="utf-8")
    stage = stage_of("dirtside2-iceburg")
    told = [stage.roll(ScenarioRequest(seed, points=200, forces=[tanks, forts])) for seed in range(12)]
    missions = {read(text)["rolls"][0]["result"] for text, _ in told}
    assert missions == {"Hasty attack", "Reconnaissance in force", "Raid on a depot", "Destroy the emplacements"}
    assert not [one.found for _, worse in told for one in worse if "asks for" in one.found]
    text, worse = stage.roll(ScenarioRequest(1, points=200, forces=[tanks, forts], mission="launcher-raid"))
    lacking = [f"{one.what}: {one.found}" for one in worse if "asks for" in one.found]
    assert lacking == [
        "tanks: the mission asks for commandos, and not enough could be had",
        "forts: the mission asks for cruise-missile launchers, and not enough could be had",
    ]
    kept = tmp_path / "kept.yaml"
    kept.write_text(text, encoding="utf-8")
    again = [stage.roll(ScenarioRequest(seed, pin=("forces", kept))) for seed in range(6)]
    assert {read(text)["rolls"][0]["result"] for text, _ in again} <= missions
    assert [worse for _, worse in again if worse] == []
    _, worse = stage.roll(ScenarioRequest(1, pin=("mission,forces", kept)))
    assert [f"{one.what}: {one.found}" for one in worse] == lacking


@pytest.mark.parametrize("teams", [0, 1])
def test_an_arm_that_is_needed_twice_is_missed_once(teams: int, tmp_path: Path) -> None:
    head = "title: Odd\nshort: Odd\nedition: '2024'\nauthors: [Nobody]\nrights: Free.\nextends: [dirtside2]"
    change = "set: 'tables.missions[hasty-attack].attack_needs', was: null, to: [infantry, infantry]"
    (tmp_path / "odd" / "scenario").mkdir(parents=True)
    (tmp_path / "odd" / "ruleset.yaml").write_text(
        f"ruleset: odd\n{head}\nsource: b\nsources: {{b: {{title: Book, short: Book}}}}\n"
    )
    (tmp_path / "odd" / "scenario" / "changes.yaml").write_text(
        f"changes: [{{{change}, reason: Reason, cite: p. 1}}]\n"
    )
    lance = "{design: Lance, kind: vehicle, size: 3, armour: 3, plant: HMT, mobility: slow GEV, weapons: HKP/3}"
    rifles = "{design: Rifles, kind: infantry-team, type: line}"
    units = ["{unit: Troop, of: 2 x Lance}", *["{unit: Foot, of: Rifles}"] * teams]
    reds = tmp_path / "reds.yaml"
    reds.write_text(f"force: Reds\nrules: dirtside2\ndesigns: [{lance}, {rifles}]\nunits: [{', '.join(units)}]\n")
    _, worse = set_up(open_library(tmp_path), "odd").roll(
        ScenarioRequest(1, points=300, mission="hasty-attack", forces=[reds])
    )
    missed = [one.found for one in worse if "asks for" in one.found]
    assert missed == ["the mission asks for infantry, and not enough could be had"]


def test_a_mission_for_which_nobody_has_enough_is_rolled_again(tmp_path: Path) -> None:
    """At 500 points no sample fields the guns and engineers that a prepared attack needs."""
    stage = stage_of(PLAIN)
    text, worse = stage.roll(ScenarioRequest(1, points=500))
    assert worse == ()
    missions = [one["result"] for one in read(text)["rolls"] if one["table"] == "missions"]
    assert missions[:-1] == ["Deliberate attack: rolled again, nobody has what it asks for at this size"]
    assert read(text)["mission"].partition(":")[0] == missions[-1] != "Deliberate attack"
    path = tmp_path / "rolled.yaml"
    path.write_text(text, encoding="utf-8")
    kept, _ = stage.roll(ScenarioRequest(2, points=500, pin=("mission", path)))
    assert read(kept)["mission"] == read(text)["mission"]
    _, worse = stage.roll(ScenarioRequest(1, points=500, mission="deliberate-attack"))
    assert ["the mission asks for" in one.found for one in worse] == [True]


def test_a_mission_with_too_few_points_for_a_side_is_rolled_again(tmp_path: Path) -> None:
    """Most missions give the defender fewer points than its only unit costs."""
    foot = "{design: Foot, kind: infantry-team, type: line}"
    path = tmp_path / "force.yaml"
    units = "{unit: Foot, of: [{design: Foot, count: 10}]}"
    path.write_text(f"force: Foot\nrules: [dirtside2]\ndesigns: [{foot}]\nunits: [{units}]\n", encoding="utf-8")
    stage = stage_of(PLAIN)
    for seed in range(6):
        assert stage.roll(ScenarioRequest(seed, points=200, forces=[path, path]))[1] == ()


def test_a_mission_that_lacks_an_arm_is_better_than_no_mission(monkeypatch: pytest.MonkeyPatch) -> None:
    drawn = scenario._Generation._levies

    def draw(self: Any, picks: Any) -> Any:
        if picks.mission["mission"] != "hasty-attack":
            raise ProblemsError(refused("S220", "3000", "units", "nothing"))
        self.tables.missed = True
        return drawn(self, picks)

    monkeypatch.setattr(scenario._Generation, "_levies", draw)
    assert read(rolled(1))["mission"].startswith("Hasty attack")


def test_a_fault_of_the_rules_under_one_mission_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    drawn = scenario._Generation._levies

    def draw(self: Any, picks: Any) -> Any:
        if picks.mission["mission"] != "hasty-attack":
            raise ProblemsError(refused("R241", "3000", "a price", "1 / 0"))
        return drawn(self, picks)

    monkeypatch.setattr(scenario._Generation, "_levies", draw)
    with pytest.raises(ProblemsError, match="R241"):
        rolled(1)


def test_the_last_mission_with_ground_on_the_named_map_stays(monkeypatch: pytest.MonkeyPatch) -> None:
    """As if no side had every arm that a mission needs."""
    drawn = scenario._Generation._levies

    def draw(self: Any, picks: Any) -> Any:
        self.tables.missed = True
        return drawn(self, picks)

    monkeypatch.setattr(scenario._Generation, "_levies", draw)
    assert read(rolled(1, points=300, region="badlands"))["terrain"]
