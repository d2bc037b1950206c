"""The names of the shipped procedures: what people ask by, and what scripts read, stays as it is."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

import pytest

from generator.commands.access import open_library
from generator.parsing.text import split_words
from generator.problems import Problem, ProblemsError
from generator.rules.load.load import load
from generator.rules.procedures.answers import Answer, answer
from generator.rules.procedures.questions import ask

if TYPE_CHECKING:
    from generator.rules.procedures.procedure import Procedure

DICE = ["D4", "D6", "D8", "D10", "D12"]
GRADES = ["basic", "enhanced", "superior"]
ALL_GRADES = ["none", *GRADES]
PILOTS = ["green", "regular", "veteran"]
QUALITIES = ["novice", "green", "regular", "veteran", "elite"]
SQUADS = ["untrained", "green", "regular", "veteran", "elite"]
TROOPS = ["militia", "line", "powered"]
COVERS = ["none", "soft", "hard"]
BANDS = ["close", "medium", "long"]
YES_NO = [False, True]
VALID = ["red", "yellow", "green", "red+yellow", "all", "all-half", "all-double"]
HIT = ["destroyed", "damaged", "special-only", "firer-down", "no-effect"]
FIRED = ["missed", *HIT]
RANGES = ["optimum", "medium", "long", "extreme"]
SHOTS = ["wild", "snap", "aimed"]
ON = ["target", "roll"]
LOCATIONS = ["head", "torso", "abdomen", "right-arm", "left-arm", "right-leg", "left-leg", "beside"]
ROUNDS = ["standard", "ap", "hp", "heap", "hesh"]
TARGET_COVERS = ["none", "soft", "popup", "evading", "hull-down", "dug-in", "turret-down"]
ANY: list[Any] = []
"""Whatever values there are."""


def upto(high: int, low: int = 1) -> list[int]:
    return list(range(low, high + 1))


INPUTS: dict[str, dict[str, list[Any]]] = {
    "dirtside2/fire-to-hit": {
        "fire_control": GRADES, "band": BANDS, "signature": upto(7), "cover": TARGET_COVERS, "moved": YES_NO,
    },
    "dirtside2/chit-damage": {"chits": upto(5), "valid": VALID, "armour": upto(7, 0)},
    "dirtside2/direct-fire": {
        "weapon": ["RFAC", "HVC", "HKP", "MDC", "HEL", "DFFG", "SLAM"], "class": upto(5), "band": BANDS,
        "fire_control": GRADES, "signature": upto(7), "cover": TARGET_COVERS, "moved": YES_NO, "armour": upto(7, 0),
        "armour_type": ["standard", "ablative", "reactive"],
    },
    "dirtside2/infantry-chits": {"chits": upto(5), "valid": VALID, "type": TROOPS},
    "dirtside2/missile-fire": {
        "missile": ["GMS/L", "GMS/H"], "guidance": GRADES, "ecm": ALL_GRADES, "pds": ALL_GRADES, "armour": upto(7, 0),
        "armour_type": ["standard", "ablative", "reactive"],
    },
    "dirtside2/air-defence": {"system": [*GRADES, "lad"], "pilot": PILOTS, "ecm": ALL_GRADES, "armour": upto(7, 0)},
    "dirtside2/artillery-barrage": {
        "artillery": ["light", "medium", "heavy"], "round": ["HEF", "MAK"], "target": ["vehicle", "infantry"],
        "armour": upto(7, 0), "type": TROOPS, "dug_in": YES_NO, "sheaf": ["open", "closed"], "guns": upto(6),
    },
    "dirtside2/morale-test": {"quality": PILOTS, "leadership": upto(3), "threat": upto(4, 0)},
    "dirtside2/infantry-firefight": {"firer": [*TROOPS, "apsw"], "quality": PILOTS, "leadership": upto(3)},
    "dirtside2/close-assault": {"attacker": TROOPS, "defender": TROOPS, "round": upto(2)},
    "dirtside2-fma/armour-fire": {"weapon_size": upto(5), "valid": VALID, "armour": upto(7, 0)},
    "dirtside2-fma/infantry-fire": {
        "firer": ["powered", "apsw", "other"], "cover": ["open", "soft", "dug-in"], "target": TROOPS,
    },
    "dirtside2-fma/vehicle-at-infantry": {"chits": upto(5), "cover": ["open", "soft", "dug-in"], "target": TROOPS},
    "dirtside2-fma/close-assault": {
        "firer": ["powered", "apsw", "other"], "cover": ["open", "soft", "dug-in"], "target": TROOPS,
    },
    "dirtside2-fma/artillery-fire": {
        "artillery": ["light", "medium", "heavy"], "round": ["HEF", "MAK"], "target": ["armour", "infantry"],
        "armour": upto(7, 0), "type": TROOPS, "dug_in": YES_NO, "sheaf": ["open", "closed"], "guns": upto(6),
    },
    "dirtside2-fma/chits-or-fma": {"class": upto(5), "valid": VALID, "armour": upto(7, 0)},
    "dirtside2-iceburg/sam-attack": {
        "sam": GRADES, "quality": PILOTS, "leadership": upto(3), "ecm": ALL_GRADES, "evades": YES_NO, "decoys": YES_NO,
    },
    "dirtside2-iceburg/aam-attack": {
        "aam": GRADES, "quality": PILOTS, "ecm": ALL_GRADES, "evades": YES_NO, "decoys": YES_NO,
    },
    "dirtside2-iceburg/air-guns": {
        "fire_control": GRADES, "pilot": PILOTS, "signature": upto(7), "marker": PILOTS, "evades": YES_NO,
        "armour": upto(7, 0),
    },
    "dirtside2-iceburg/dogfight": {"attacker_aam": ALL_GRADES, "defender_guns": ALL_GRADES},
    "dirtside2-iceburg/cruise-missile": {"ads": ALL_GRADES, "lads": upto(4, 0), "guns": upto(4, 0)},
    "dirtside2-iceburg/assault-vehicle-hit": {"cover": ["open", "soft", "hull-down"]},
    "dirtside2-iceburg/rfac-infantry": {"band": BANDS, "type": TROOPS},
    "dirtside2-iceburg/commando-assault": {"type": TROOPS, "enemy": TROOPS},
    "fma-skirmish/reaction-test": {"quality": QUALITIES, "motivation": upto(3), "modifier": upto(6, 0)},
    "fma-skirmish/suppression-removal": {"quality": QUALITIES, "motivation": upto(3), "actions": upto(2)},
    "fma-skirmish/suppressed-in-open": {
        "quality": QUALITIES, "motivation": upto(3), "cover_distance": upto(13),
        "move": ["heavily-encumbered", "encumbered", "normal", "light", "fast"],
    },
    "fma-skirmish/quick-fire": {"quality": QUALITIES, "firepower": DICE, "armour": DICE, "cover": COVERS},
    "fma-skirmish/move": {"terrain": ["open", "difficult"], "obstacle": YES_NO, "actions": upto(2)},
    "stargrunt2/squad-fire": {
        "quality": SQUADS, "firepower": upto(36), "support": ["none", *DICE[1:]], "bands": upto(5), "cover": COVERS,
    },
    "stargrunt2/casualty": {"impact": DICE, "armour": DICE, "cover": COVERS},
    "stargrunt2/heavy-fire": {"quality": SQUADS, "fire_control": ALL_GRADES, "bands": upto(5), "cover": COVERS},
    "stargrunt2-quick/casualty": {"impact": DICE, "armour": [*DICE, "non-combatant"], "cover": COVERS},
    "stargrunt2-quick/casualties": {
        "impact": DICE, "armour": [*DICE, "non-combatant"], "cover": COVERS, "fraction": ["roll", "up", "down"],
        "potential": ANY,
    },
    "sla-3d/skill-roll": {"skill": upto(12, 0), "modifier": upto(10, -10), "on": ON},
    "sla-3d/stat-roll": {"skill": upto(15), "stat": upto(15), "modifier": upto(10, -10), "on": ON},
    "sla-3d/attack": {
        "skill": upto(12, 0), "modifier": upto(10, -10), "modifiers": upto(10, -10), "on": ON, "range": RANGES,
        "shot": SHOTS, "aims": upto(12), "stance": YES_NO, "rest": YES_NO, "rcl": upto(20, 0), "RCL": upto(20, 0),
        "PEN": upto(30, -5), "DAM": upto(60, 0), "PV": upto(40, 0), "ammunition": ROUNDS,
    },
    "sla-3d/hit-location": {"hex": upto(74), "spread": upto(40, 0), "aiming": upto(30, 0)},
    "sla-3d/semi-auto": {"skill": upto(12, 0), "rcl": upto(20, 0), "strength": upto(12), "dexterity": upto(12)},
    "sla-3d/burst": {"skill": upto(12, 0), "rcl": upto(20, 0), "bullets": upto(20, 2), "support": upto(12, 0)},
    "sla-3d/suppressive-fire": {"gunner": upto(12, 0), "runner": upto(12, -3)},
    "sla-3d/dodge": {"skill": upto(12, 0), "modifier": upto(10, -10)},
    "sla-3d/parry": {"skill": upto(12, 0), "modifier": upto(10, -10)},
    "sla-3d/knockback": {"damage": upto(40, 0), "phys": upto(15)},
    "sla-3d/jam": {"excess": upto(9, 0), "jf": upto(20)},
    "sla-3d/under-fire": {"cool": upto(15), "modifier": upto(10, -10)},
}  # fmt: skip

OUTCOMES = {
    "dirtside2/fire-to-hit": ["hit", "miss"],
    "dirtside2/chit-damage": HIT,
    "dirtside2/direct-fire": FIRED,
    "dirtside2/infantry-chits": ["killed", "survives"],
    "dirtside2/missile-fire": FIRED,
    "dirtside2/morale-test": ["passed", "down-one", "down-two"],
    "dirtside2-fma/armour-fire": [
        "destroyed", "attacker-weapon-jammed", "disabled", "immobilised", "defender-weapon-jammed", "no-effect",
    ],
    "dirtside2-fma/infantry-fire": ["element-destroyed", "under-fire", "no-effect"],
    "dirtside2-fma/vehicle-at-infantry": ["element-destroyed", "under-fire", "no-effect"],
    "dirtside2-fma/close-assault": ["element-destroyed", "under-fire", "no-effect"],
    "dirtside2-iceburg/sam-attack": ["left-area", "shot-down", "survived"],
    "dirtside2-iceburg/aam-attack": ["shot-down", "survived"],
    "dirtside2-iceburg/air-guns": ["destroyed", "damaged", "unharmed"],
    "dirtside2-iceburg/cruise-missile": ["intercepted", "dud", "hits"],
    "fma-skirmish/reaction-test": ["passed", "failed"],
    "fma-skirmish/suppression-removal": ["removed", "suppressed"],
    "fma-skirmish/suppressed-in-open": [
        "removed-first", "removed-in-cover", "in-cover-suppressed", "removed-in-open", "retreated",
    ],
    "stargrunt2/squad-fire": ["no-effect", "suppressed", "hits"],
    "stargrunt2/casualty": ["none", "wounded", "killed"],
    "stargrunt2-quick/casualty": ["none", "wounded"],
    "stargrunt2-quick/casualties": ["none", "some"],
    "sla-3d/skill-roll": ["failed", "succeeded", "critical"],
    "sla-3d/stat-roll": ["failed", "succeeded", "critical"],
    "sla-3d/attack": ["missed", "stopped", "penetrated"],
    "sla-3d/hit-location": LOCATIONS,
}  # fmt: skip

QUESTIONS = {
    "dirtside2/fire-to-hit": "fire_control=basic band=close signature=3",
    "dirtside2/chit-damage": "chits=2 valid=red+yellow armour=2",
    "dirtside2/direct-fire": "weapon=MDC class=2 band=close fire_control=basic signature=3 armour=2",
    "dirtside2/infantry-chits": "chits=2 valid=red type=line",
    "dirtside2/missile-fire": "missile=GMS/L guidance=basic armour=2",
    "dirtside2/morale-test": "quality=regular leadership=2 threat=1",
    "dirtside2-fma/armour-fire": "weapon_size=3 valid=red+yellow armour=3",
    "dirtside2-fma/infantry-fire": "firer=apsw cover=soft target=line",
    "dirtside2-fma/vehicle-at-infantry": "chits=3 cover=soft target=line",
    "dirtside2-fma/close-assault": "firer=apsw cover=soft target=line",
    "dirtside2-iceburg/sam-attack": "sam=basic quality=regular leadership=2 ecm=none evades=yes decoys=no",
    "dirtside2-iceburg/aam-attack": "aam=basic quality=regular ecm=none evades=yes decoys=no",
    "dirtside2-iceburg/air-guns": "fire_control=basic pilot=regular signature=3 marker=regular evades=no armour=1",
    "dirtside2-iceburg/cruise-missile": "ads=basic lads=1 guns=1",
    "fma-skirmish/reaction-test": "quality=regular motivation=2 modifier=1",
    "fma-skirmish/suppression-removal": "quality=regular motivation=2 actions=2",
    "fma-skirmish/suppressed-in-open": "quality=regular motivation=2 move=normal cover_distance=4",
    "stargrunt2/squad-fire": "quality=regular firepower=10 support=D10 bands=3 cover=none",
    "stargrunt2/casualty": "impact=D10 armour=D6",
    "stargrunt2-quick/casualty": "impact=10 armour=d8 cover=soft",
    "stargrunt2-quick/casualties": "impact=D10 armour=D8 cover=none potential=23/8 fraction=roll",
    "sla-3d/skill-roll": "skill=7 modifier=-3 on=roll",
    "sla-3d/stat-roll": "skill=9 modifier=-3 on=target",
    "sla-3d/attack": "skill=7 RCL=5 PEN=6 DAM=10 PV=9 shot=aimed aims=2 stance=yes rest=no ammunition=standard",
    "sla-3d/hit-location": "hex=17 spread=5 aiming=3",
}
TOLD = {
    "dirtside2/chit-damage": ["immobilised", "target-systems-down"],
    "dirtside2/direct-fire": ["immobilised", "target-systems-down"],
    "dirtside2/missile-fire": ["immobilised", "target-systems-down"],
    "stargrunt2/squad-fire": ["casualties"],
    "stargrunt2-quick/casualties": ["casualties"],
    "sla-3d/skill-roll": ["success-die"],
    "sla-3d/stat-roll": ["success-die"],
    "sla-3d/attack": ["damage", "spread", "strays", "damage-spread"],
    "sla-3d/hit-location": ["hex"],
}
"""What an answer tells beside its outcomes: events, figures, places and what comes together."""


@cache
def procedure(name: str) -> Procedure:
    ruleset, _, asked = name.partition("/")
    problems: list[Problem] = []
    found = load(open_library(), ruleset, problems, only=[("procedures", asked)])
    assert found is not None
    assert problems == []
    return found.procedures[asked]


def put(name: str) -> Answer:
    (found,) = ask(procedure(name), split_words(QUESTIONS[name].split()))
    return found


@pytest.mark.parametrize("name", INPUTS)
def test_the_inputs_have_their_names_and_values(name: str) -> None:
    for asked, values in INPUTS[name].items():
        known = procedure(name).find_input(asked)
        assert known is not None, asked
        assert values is ANY or sorted(map(str, known.choice.values)) == sorted(map(str, values)), asked


@pytest.mark.parametrize("name", OUTCOMES)
def test_the_outcomes_have_their_names_and_order_and_add_up_to_one(name: str) -> None:
    found = put(name)
    assert [outcome.id for outcome, _ in found.outcomes] == OUTCOMES[name]
    assert sum(chance for _, chance in found.outcomes) == 1


@pytest.mark.parametrize("name", TOLD)
def test_what_an_answer_tells_beside_has_its_names(name: str) -> None:
    found = put(name)
    assert [*found.events, *found.numbers, *found.which] == TOLD[name]


@pytest.mark.parametrize("name", OUTCOMES)
def test_other_inputs_than_the_listed_ones_have_defaults(name: str) -> None:
    listed = {found.name for asked in INPUTS[name] if (found := procedure(name).find_input(asked))}
    assert {one.name for one in procedure(name).inputs if one.required} <= listed


@pytest.mark.parametrize("armour", ["D8", "d8", "8"])
def test_a_die_is_named_in_any_of_three_ways(armour: str) -> None:
    (found,) = ask(procedure("stargrunt2/casualty"), split_words(["impact=D10", f"armour={armour}"]))
    assert found.inputs["armour"] == "D8"


def test_several_dice_are_named_by_their_sides() -> None:
    found = ask(procedure("stargrunt2/casualty"), split_words(["impact=4..12", "armour=8"]))
    assert [one.inputs["impact"] for one in found] == DICE


@pytest.mark.parametrize(("name", "told", "nothing", "note"), [
    ("dirtside2/fire-to-hit",
     {"fire_control": "basic", "band": "long", "signature": 1, "cover": "none", "moved": True},
     "miss", "a die below D4 cannot fire"),
    ("dirtside2/direct-fire",
     {"weapon": "HKP", "class": 1, "band": "close", "fire_control": "basic", "signature": 1, "cover": "none",
      "moved": False, "armour": 1, "armour_type": "standard"},
     "missed", "the weapon is not made in that class"),
    ("stargrunt2/squad-fire",
     {"support": "none", "cover": "hard", "position": False, "bands": 4, "quality": "elite", "firepower": 12},
     "no-effect", "the range die goes past D12: no shot"),
])  # fmt: skip
def test_what_cannot_be_comes_to_nothing_and_says_why(name: str, told: dict[str, Any], nothing: str, note: str) -> None:
    found = answer(procedure(name), told)
    assert found.chance(nothing) == 1
    assert note in found.notes


@pytest.mark.parametrize("signature", [6, 7])
def test_a_craft_of_size_6_or_more_never_evades(signature: int) -> None:
    guns = procedure("dirtside2-iceburg/air-guns")
    with pytest.raises(ProblemsError) as refused:
        ask(guns, split_words(["fire_control=basic", f"signature={signature}", "armour=1", "evades=yes"]))
    assert [(problem.code, problem.field) for problem in refused.value.problems] == [("R316", "evades")]
