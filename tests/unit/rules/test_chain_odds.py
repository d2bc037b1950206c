"""Procedures that roll one thing after the other: each against all its dice written out."""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from itertools import product
from math import ceil, comb, floor
from typing import TYPE_CHECKING, Any

import pytest

from generator.commands.access import open_library
from generator.rules.load.load import load
from generator.rules.procedures.answers import answer, complete_inputs

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from generator.problems import Problem
    from generator.rules.procedures.answers import Answer

pytestmark = pytest.mark.slow

LADDER = (4, 6, 8, 10, 12)
QUALITY = {"green": 6, "regular": 8, "veteran": 10}
ECM = {"none": 4, "basic": 6, "enhanced": 8, "superior": 10}
ATTACK = {"basic": 6, "enhanced": 8, "superior": 10}


@cache
def ruleset(name: str, procedure: str) -> Any:
    problems: list[Problem] = []
    found = load(open_library(), name, problems, only=[("procedures", procedure)])
    assert problems == []
    assert found is not None
    return found.procedures[procedure]


def ask(name: str, procedure: str, **inputs: Any) -> Answer:
    asked = ruleset(name, procedure)
    return answer(asked, complete_inputs(asked, inputs))


def chances(found: Answer) -> dict[str, Fraction]:
    return {outcome.id: chance for outcome, chance in found.outcomes if chance}


def counted(dice: Iterable[int], outcome: Callable[..., str | None]) -> dict[str, Fraction]:
    """The chance of each outcome, over every way that the dice can fall."""
    sides = list(dice)
    ways = list(product(*(range(1, one + 1) for one in sides)))
    found: dict[str, Fraction] = {}
    for way in ways:
        said = outcome(*way)
        if said is not None:
            found[said] = found.get(said, Fraction(0)) + Fraction(1, len(ways))
    return found


# Air attacks


def second_die(quality: str, *, evades: bool, decoys: bool) -> int:
    """The target's second die: his marker's, one type up with decoys; decoys alone D4; none a die of one side."""
    if not evades:
        return 4 if decoys else 1
    return LADDER[LADDER.index(QUALITY[quality]) + decoys]


@pytest.mark.parametrize("sam", ATTACK)
@pytest.mark.parametrize("quality", QUALITY)
@pytest.mark.parametrize(("ecm", "evades", "decoys"), [
    ("none", False, False), ("basic", True, False), ("superior", False, True), ("enhanced", True, True),
])  # fmt: skip
@pytest.mark.parametrize("leadership", [1, 3])
def test_a_sam(sam: str, quality: str, ecm: str, evades: bool, decoys: bool, leadership: int) -> None:  # noqa: FBT001
    def settle(nerve: int, missile: int, first: int, second: int) -> str:
        if nerve <= leadership + 1:
            return "left-area"
        return "shot-down" if missile > max(first, second) else "survived"

    dice = QUALITY[quality], ATTACK[sam], ECM[ecm], second_die(quality, evades=evades, decoys=decoys)
    told = {"sam": sam, "quality": quality, "leadership": leadership, "ecm": ecm, "evades": evades, "decoys": decoys}
    assert chances(ask("dirtside2-iceburg", "sam-attack", **told)) == counted(dice, settle)


def test_an_aam_against_a_veteran_who_evades_and_drops_decoys() -> None:
    found = ask(
        "dirtside2-iceburg", "aam-attack", aam="superior", quality="veteran", ecm="basic", evades=True, decoys=True
    )

    def settle(missile: int, first: int, second: int) -> str:
        return "shot-down" if missile > max(first, second) else "survived"

    assert chances(found) == counted((10, 6, 12), settle)


@pytest.mark.parametrize("armour", [0, 1, 2, 3])
@pytest.mark.parametrize(("pilot", "die"), [("green", 6), ("regular", 8), ("veteran", 10)])
def test_guns_in_the_air(armour: int, pilot: str, die: int) -> None:
    pot = [("red", 0)] * 5 + [("red", 1)] * 20 + [("red", 2)] * 15 + [("red", 3)] * 10
    pot += [("other", 0)] * 50 + [("boom", 0)] * 5 + [("mobility", 0)] * 7 + [("target", 0)] * 5 + [("firer", 0)] * 2

    def settle(gun: int, target: int, chit: int) -> str:
        colour, number = pot[chit - 1]
        if gun <= target or colour in ("firer", "target"):
            return "unharmed"
        if colour in ("boom", "mobility") or (colour == "red" and number > armour):
            return "destroyed"
        same = number == armour if colour == "red" else armour == 0
        return "damaged" if same else "unharmed"

    found = ask("dirtside2-iceburg", "air-guns", fire_control="enhanced", pilot=pilot, signature=3, armour=armour)
    assert chances(found) == counted((die, 8, 119), settle)


def test_a_cruise_missile_shot_at_by_an_ads_two_lads_and_a_gun() -> None:
    stops = {6: Fraction(sum(a > b for a, b in product(range(1, 7), range(1, 13))), 72)}
    stops[8] = Fraction(sum(a > b for a, b in product(range(1, 9), range(1, 13))), 96)
    through = (1 - stops[6]) * (1 - stops[8]) * (1 - stops[6])
    no_firer = Fraction(1)
    for drawn in range(5):
        no_firer *= Fraction(117 - drawn, 119 - drawn)
    found = chances(ask("dirtside2-iceburg", "cruise-missile", ads="basic", lads=2, guns=1))
    assert found == {"intercepted": 1 - through, "dud": through * (1 - no_firer), "hits": through * no_firer}


def test_a_dogfight_of_a_missile_against_guns() -> None:
    missile = Fraction(sum(a > b for a, b in product(range(1, 7), range(1, 5))), 24)
    guns = ask("dirtside2-iceburg", "air-guns", fire_control="basic", signature=3, armour=1)
    harm = guns.chance("destroyed", "damaged")
    found = chances(ask("dirtside2-iceburg", "dogfight", attacker_aam="basic", defender_guns="basic"))
    assert found == {
        "defender-out": missile,
        "attacker-out": (1 - missile) * harm,
        "none-out": (1 - missile) * (1 - harm),
    }


# Figures in the open


@pytest.mark.parametrize("motivation", [1, 2, 3])
@pytest.mark.parametrize("cover_distance", [1, 5, 9])
def test_a_figure_caught_in_the_open(motivation: int, cover_distance: int) -> None:
    def settle(first: int, ran: int, second: int) -> str:
        if first > motivation:
            return "removed-first"
        if ran < cover_distance:
            return "removed-in-open" if second > motivation else "retreated"
        return "removed-in-cover" if second > motivation else "in-cover-suppressed"

    told = {"quality": "regular", "motivation": motivation, "cover_distance": cover_distance}
    answer = ask("fma-skirmish", "suppressed-in-open", **told)
    assert chances(answer) == counted((8, 8, 8), settle)
    # Two tries of a D8 above the motivation, wherever the figure stands: 15/16 for motivation 2.
    shaken_off = 1 - Fraction(motivation, 8) ** 2
    assert answer.events["rid-of-it"] == shaken_off
    assert answer.chance("removed-first", "removed-in-cover", "removed-in-open") == shaken_off
    tries = ask("fma-skirmish", "suppression-removal", quality="regular", motivation=motivation, actions=2)
    assert tries.chance("removed") == shaken_off


@pytest.mark.parametrize(("words", "inches"), [
    ({}, 8), ({"actions": 2}, 16), ({"terrain": "difficult"}, 4), ({"obstacle": True}, 4),
    ({"terrain": "difficult", "obstacle": True, "actions": 2}, 6), ({"grade": "fast", "actions": 2}, 24),
])  # fmt: skip
def test_how_far_a_figure_moves(words: dict[str, Any], inches: int) -> None:
    assert ask("fma-skirmish", "move", **words).numbers["inches"].mean() == inches


# Casualties


@pytest.mark.parametrize("fraction", ["roll", "up", "down"])
@pytest.mark.parametrize("potential", [Fraction(23, 8), Fraction(1, 2), 3, 0])
def test_casualties_of_a_part_of_a_man(fraction: str, potential: Fraction) -> None:
    wound = Fraction(6, 10)  # D10 above a rating of 4
    numbers = {floor(potential): 1 - (potential - floor(potential)), ceil(potential): potential - floor(potential)}
    if fraction != "roll" or potential == floor(potential):
        numbers = {(ceil if fraction == "up" else floor)(potential): Fraction(1)}
    mean = sum(chance * number * wound for number, chance in numbers.items())
    none = sum(chance * (1 - wound) ** number for number, chance in numbers.items())
    found = ask("stargrunt2-quick", "casualties", impact="D10", armour="D8", potential=potential, fraction=fraction)
    assert found.numbers["casualties"].mean() == mean
    assert found.chance("none") == none


# Both systems


@pytest.mark.parametrize(("size", "valid", "armour"), [(1, "red", 1), (3, "red+yellow", 2), (5, "all-double", 5)])
def test_chits_or_fma_tells_what_each_of_them_does(size: int, valid: str, armour: int) -> None:
    both = ask("dirtside2-fma", "chits-or-fma", **{"class": size, "valid": valid, "armour": armour})
    chits = ask("dirtside2", "chit-damage", chits=size, valid=valid, armour=armour)
    fma = ask("dirtside2-fma", "armour-fire", weapon_size=size, valid=valid, armour=armour)
    assert both.events["chits-destroyed"] == chits.chance("destroyed")
    assert both.events["fma-destroyed"] == fma.chance("destroyed")
    assert both.events["chits-any-effect"] == 1 - chits.chance("firer-down", "no-effect")
    assert both.events["fma-any-effect"] == 1 - fma.chance("no-effect", "attacker-weapon-jammed")
    assert both.chance("both") == chits.chance("destroyed") * fma.chance("destroyed")
    effect = ask(
        "dirtside2-fma", "chits-or-fma", **{"class": size, "valid": valid, "armour": armour}, counts="any-effect"
    )
    assert effect.chance("both", "chits-only") == both.events["chits-any-effect"]
    assert effect.chance("both", "fma-only") == both.events["fma-any-effect"]


# Three dice, several parts


@pytest.mark.parametrize(("told", "needed", "back", "kick", "pen", "dam", "pv"), [
    ({"skill": 5, "rcl": 4, "pen": 3, "dam": 5, "pv": 6}, 13, 0, 3, 3, 5, 6),
    ({"skill": 9, "rcl": 5, "pen": 6, "dam": 10, "pv": 9, "ammunition": "heap"}, 13, 0, 4, 8, 12, 9),
    ({"skill": 3, "rcl": 5, "pen": 6, "dam": 10, "pv": 4, "ammunition": "hesh", "shot": "wild", "stance": False,
      "range": "extreme"}, 16, 0, 27, 3, 20, 4),
    ({"skill": 7, "rcl": 6, "pen": 2, "dam": 3, "aims": 4, "marksman": 2, "rest": True, "range": "medium",
      "modifier": -2}, 15, 2, 7, 2, 3, 0),
])  # fmt: skip
def test_a_shot_with_three_dice(
    told: dict[str, Any], needed: int, back: int, kick: int, pen: int, dam: int, pv: int
) -> None:
    skill = told["skill"]
    joint: dict[tuple[int, int], int] = {}

    def settle(aiming: int, piercing: int, hurting: int) -> str:
        total = aiming + piercing + hurting + skill
        if total < needed:
            return "missed"
        spread = max(0, kick - aiming - max(0, total - 18) - back)
        through = piercing + pen >= pv
        damage = max(0, hurting + dam - pv) if through else 0
        joint[damage, spread] = joint.get((damage, spread), 0) + 1
        return "penetrated" if through else "stopped"

    found = ask("sla-3d", "attack", **told)
    assert chances(found) == counted((6, 6, 6), settle)
    together = found.which["damage-spread"]
    assert {pair: together.probability(pair) for pair in joint} == {
        pair: Fraction(ways, 216) for pair, ways in joint.items()
    }


def test_a_missed_shot_strays_by_recoil_points_missed_and_haste() -> None:
    """RCL 5, total 11, wild: 5 + 2 + 3, the document's example. The 3 that wild adds to the target does not count."""
    ways: dict[int, int] = {}
    for dice in product(range(1, 7), repeat=3):
        total = sum(dice)
        if total < 16:
            far = 5 + 3 + max(0, 13 - total)
            ways[far] = ways.get(far, 0) + 1
    assert ways[10] == 27  # the rolls of three dice that come to 11
    unused_files = ask("sla-3d", "attack", skill=0, rcl=5, pen=0, dam=0, shot="wild", stance=False).numbers["strays"]
    assert {far: unused_files.probability(far) for far in ways} == {far: Fraction(n, 216) for far, n in ways.items()}


@pytest.mark.parametrize(("aims", "stance", "rest", "notes"), [
    (4, False, False, 0), (5, True, False, 0), (6, True, True, 0), (5, False, False, 1), (6, True, False, 1),
    (8, False, False, 2),
])  # fmt: skip
@pytest.mark.parametrize("name", ["attack", "shot-location", "burst", "semi-auto"])
def test_aims_without_the_stance_or_rest_that_they_need_carry_a_note(
    name: str, aims: int, stance: bool, rest: bool, notes: int  # noqa: FBT001 - each is an input of the question
) -> None:  # fmt: skip
    more = {"attack": {"pen": 0, "dam": 0}, "semi-auto": {"strength": 5, "dexterity": 2}, "burst": {"bullets": 2}}
    answer = ask("sla-3d", name, skill=5, rcl=5, aims=aims, stance=stance, rest=rest, **more.get(name, {}))
    assert sum("aims" in note for note in answer.notes) == notes


def test_where_a_shot_lands() -> None:
    found = ask("sla-3d", "hit-location", hex=17, spread=3, aiming=2)
    assert found.which["hex"].total == 6
    assert found.chance("torso") == 1
    far = ask("sla-3d", "hit-location", hex=17, spread=40)
    assert far.chance("beside") == 1
    near = ask("sla-3d", "hit-location", hex=1, spread=1)
    assert near.chance("head") + near.chance("beside") == 1


def test_a_burst_of_two_bullets_that_goes_straight_to_its_hex() -> None:
    """No spread at all: the first bullet strikes its hex, the next one of the six around it."""
    told = {"skill": 12, "modifier": 10, "rcl": 0, "bullets": 2, "fa": 1}
    found = ask("sla-3d", "burst", **told)
    assert found.chance("hit") == 1
    assert found.numbers["strikes"].mean() == 2
    edge = ask("sla-3d", "burst", **told, hex=1)  # the top of the head: three of its neighbours are beside it
    assert edge.numbers["strikes"].mean() == 1 + Fraction(3, 6)


def test_semi_automatic_fire_is_as_fast_as_strength_and_dexterity_let_it() -> None:

    def shots(**told: int) -> Fraction:
        return ask("sla-3d", "semi-auto", skill=5, **told).numbers["shots"].mean()

    assert shots(rcl=5, strength=8, dexterity=6) == 3
    assert shots(rcl=1, strength=8, dexterity=6) == 3
    assert shots(rcl=9, strength=8, dexterity=6) == 1


WAYS = ((0, -1), (1, -1), (1, 0), (0, 1), (-1, 1), (-1, 0))


@pytest.mark.parametrize(
    ("told", "aim", "needed", "kick"),
    [
        ({"skill": 6, "rcl": 6, "hex": 17}, (0, 0), 13, 5),
        ({"skill": 3, "rcl": 3, "hex": 4, "shot": "snap", "stance": False}, (0, -4), 13, 5),
        ({"skill": 9, "rcl": 4, "hex": 30, "shot": "wild", "range": "medium"}, (0, 3), 16, 10),
    ],
)
def test_the_hex_that_one_shot_strikes(told: dict[str, Any], aim: tuple[int, int], needed: int, kick: int) -> None:
    """Three dice and a direction, all written out; where the hexes stand is read off the table."""
    loaded = load(open_library(), "sla-3d", [], only=[("tables", "body-hexes")])
    assert loaded is not None
    hexes = {(row["q"], row["r"]): row["hex"] for row in loaded.tables["body-hexes"].rows}
    ways: dict[int | None, int] = {}
    for a, b, c, (q, r) in product(range(1, 7), range(1, 7), range(1, 7), WAYS):
        total = a + b + c + told["skill"]
        far = max(0, kick - a - max(0, total - 18)) if total >= needed else kick + max(0, 13 - total)
        struck = hexes.get((aim[0] + q * far, aim[1] + r * far))
        ways[struck] = ways.get(struck, 0) + 1
    found = ask("sla-3d", "shot-location", **told)
    which = found.which["hex"]
    assert {hex_: Fraction(count, 1296) for hex_, count in ways.items()} == {
        value: which.probability(value) for value, _ in which.weights
    }
    assert found.chance("nobody") == Fraction(ways[None], 1296)
    assert found.chance("aimed-at") == Fraction(ways[told["hex"]], 1296)


@pytest.mark.parametrize(
    ("told", "dice", "target", "impact", "armour"),
    [
        ({"quality": "regular", "firepower": 10, "bands": 2, "impact": "D10", "armour": "D6"}, (8, 10), 6, 10, 6),
        (
            {"quality": "green", "firepower": 4, "bands": 1, "impact": "D8", "armour": "D4", "cover": "soft"},
            (6, 4),
            6,
            8,
            6,
        ),
    ],
)
def test_casualties_of_a_fire_are_its_potential_ones_against_the_armour(
    told: dict[str, Any], dice: tuple[int, int], target: int, impact: int, armour: int
) -> None:
    ways = list(product(range(1, impact + 1), range(1, armour + 1)))
    falls = Fraction(sum(one > other for one, other in ways), len(ways))
    expected: dict[int, Fraction] = {}

    def add(count: int, chance: Fraction) -> None:
        expected[count] = expected.get(count, Fraction(0)) + chance

    for first, second, bar, again in product(*(range(1, one + 1) for one in (*dice, target, target))):
        weight = Fraction(1, dice[0] * dice[1] * target * target)
        if min(first, second) <= bar:
            add(0, weight)
            continue
        hits, rest = divmod(first + second, target)
        hits += again <= rest
        for falling in range(hits + 1):
            add(falling, weight * comb(hits, falling) * falls**falling * (1 - falls) ** (hits - falling))
    found = ask("stargrunt2", "fire-casualties", **told)
    numbers = found.numbers["casualties"]
    assert {value: numbers.probability(value) for value, _ in numbers.weights} == {
        count: chance for count, chance in expected.items() if chance
    }
    assert found.chance("none") == expected[0]


def test_a_fire_past_the_last_range_die_makes_no_casualty() -> None:
    told = {"quality": "elite", "firepower": 12, "bands": 5, "impact": "D12", "armour": "D4"}
    assert ask("stargrunt2", "fire-casualties", **told).chance("some") > 0
    assert ask("stargrunt2", "fire-casualties", **told, cover="soft").chance("none") == 1
