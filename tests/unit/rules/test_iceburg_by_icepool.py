"""Chains of Iceburg's house rules against icepool: built a second time, from the document and the core figures."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from typing import TYPE_CHECKING, Any

import icepool
import pytest

if TYPE_CHECKING:
    from collections.abc import Callable

    from generator.rules.procedures.answers import Answer

    Ask = Callable[..., Answer]

LADDER = (4, 6, 8, 10, 12)
QUALITY = {"green": 6, "regular": 8, "veteran": 10}
GRADE = {"basic": 6, "enhanced": 8, "superior": 10}
ECM = {"none": 4, **GRADE}
SIGNATURE = {1: 12, 2: 10, 3: 8, 4: 6, 5: 4, 6: 4, 7: 4}
KILL = {"militia": 3, "line": 4, "powered": 5}
REDS = {0: 5, 1: 20, 2: 15, 3: 10}
ONE_CHIT = icepool.Die({
    **{("red", number): count for number, count in REDS.items()}, ("number", 0): 50,
    ("boom", 0): 5, ("mobility", 0): 7, ("target", 0): 5, ("firer", 0): 2,
})  # fmt: skip
# What red, red and yellow, or all numbers of the pot come to; the rest of its 119 chits count nothing.
WORTH = {
    "R": {1: 20, 2: 15, 3: 10}, "RY": {1: 30, 2: 22, 3: 15}, "Y": {1: 10, 2: 7, 3: 5}, "ALL": {1: 40, 2: 29, 3: 20},
}  # fmt: skip


def chances(pool: Any) -> dict[str, Fraction]:
    return {outcome: Fraction(ways, pool.denominator()) for outcome, ways in pool.items() if ways}


def said(found: Answer) -> dict[str, Fraction]:
    return {outcome.id: Fraction(chance) for outcome, chance in found.outcomes if chance}


def points(chits: int, colours: str) -> Any:
    worth = WORTH[colours]
    return icepool.Deck({0: 119 - sum(worth.values()), **worth}).deal(chits).sum()


def above(mine: int, *theirs: int) -> Any:
    best = icepool.highest([icepool.d(one) for one in theirs])
    return icepool.map(lambda one, other: one > other, icepool.d(mine), best)


def target_dice(ecm: str, quality: str, *, evades: bool, decoys: bool) -> list[int]:
    """ECM, and a second die: the marker's, one type up with decoys; decoys alone D4."""
    own = QUALITY[quality]
    second = [LADDER[LADDER.index(own) + 1] if decoys else own] if evades else [4] if decoys else []
    return [ECM[ecm], *second]


DEFENCES = [
    {"ecm": ecm, "quality": quality, "evades": evades, "decoys": decoys}
    for ecm, quality, evades, decoys in product(("none", "enhanced"), QUALITY, (False, True), (False, True))
]


@pytest.mark.parametrize("told", DEFENCES)
@pytest.mark.parametrize("missile", GRADE)
def test_missiles_at_aircraft(shipped: Ask, missile: str, told: dict[str, Any]) -> None:
    shot = above(GRADE[missile], *target_dice(**told)).map({True: "shot-down", False: "survived"})
    assert said(shipped("dirtside2-iceburg/aam-attack", aam=missile, **told)) == chances(shot)
    for leadership in (1, 2, 3):
        stays = icepool.d(QUALITY[told["quality"]]).map(lambda nerve: nerve > leadership + 1)  # noqa: B023 - used at once
        expected = stays.map({True: shot, False: "left-area"})
        found = shipped("dirtside2-iceburg/sam-attack", sam=missile, leadership=leadership, **told)
        assert said(found) == chances(expected)


def guns(control: str, pilot: str, signature: int, armour: int, evading: int | None = None) -> Any:
    die = LADDER[LADDER.index(GRADE[control]) + {"green": -1, "regular": 0, "veteran": 1}[pilot]]

    def chit(colour: str, number: int) -> str:
        if colour == "firer":
            return "unharmed"
        if colour in ("boom", "mobility") or (colour == "red" and number > armour):
            return "destroyed"
        if colour in ("red", "number") and number == armour and (colour == "red" or armour == 0):
            return "damaged"
        return "unharmed"

    hit = above(die, SIGNATURE[signature], *([evading] if evading else []))
    return hit.map({True: ONE_CHIT.map(chit, star=True), False: "unharmed"})


@pytest.mark.parametrize(("control", "pilot", "signature", "armour", "marker"), [
    ("basic", "green", 5, 0, None), ("enhanced", "regular", 3, 1, "green"), ("superior", "veteran", 1, 2, "veteran"),
    ("superior", "green", 2, 3, "regular"), ("basic", "veteran", 7, 1, None),
])  # fmt: skip
def test_guns_in_the_air(
    shipped: Ask, control: str, pilot: str, signature: int, armour: int, marker: str | None
) -> None:
    evading = QUALITY[marker] if marker else None
    more = {"marker": marker, "evades": True} if marker else {}
    found = shipped(
        "dirtside2-iceburg/air-guns", fire_control=control, pilot=pilot, signature=signature, armour=armour, **more
    )
    assert said(found) == chances(guns(control, pilot, signature, armour, evading))


@pytest.mark.parametrize(("ads", "systems", "lads", "planes", "control", "pilot"), [
    ("none", 0, 0, 0, "basic", "regular"), ("basic", 1, 0, 0, "basic", "regular"),
    ("superior", 3, 2, 1, "enhanced", "green"), ("none", 0, 4, 2, "superior", "veteran"),
    ("enhanced", 2, 1, 0, "basic", "regular"),
])  # fmt: skip
@pytest.mark.parametrize(("warhead", "target", "chits"), [
    ("HE", None, 5), ("HEF", "vehicle", 3), ("MAK", "infantry", 4), ("nuke", None, 0),
])  # fmt: skip
def test_a_cruise_missile(  # noqa: PLR0913, PLR0917 - each is an input of the question
    shipped: Ask, ads: str, systems: int, lads: int, planes: int, control: str, pilot: str, warhead: str,
    target: str | None, chits: int,
) -> None:  # fmt: skip
    die = LADDER[LADDER.index(GRADE[control]) + {"green": -1, "regular": 0, "veteran": 1}[pilot]]
    shots = [above(GRADE[ads], 12)] * systems if ads != "none" else []
    shots += [above(min(12, 4 + 2 * lads), 12)] if lads else []
    shots += [above(die, 12)] * planes
    down = icepool.map(lambda *struck: any(struck), *shots) if shots else icepool.Die([False])
    strikes: Any = "hits"
    if chits:
        firers = icepool.Deck({1: 2, 0: 117}).deal(chits).sum()
        strikes = firers.map(lambda count: "dud" if count else "hits")
    more: dict[str, Any] = {"systems": systems} if systems else {}
    more |= {"fire_control": control, "pilot": pilot} if planes else {}
    more |= {"target": target} if target else {}
    found = shipped("dirtside2-iceburg/cruise-missile", warhead=warhead, ads=ads, lads=lads, guns=planes, **more)
    assert said(found) == chances(down.map({True: "intercepted", False: strikes}))


@pytest.mark.parametrize(("mine", "theirs"), [
    (("basic", None), ("superior", None)), (("enhanced", None), (None, "superior")),
    ((None, "basic"), (None, "enhanced")), ((None, "superior"), ("basic", None)), ((None, None), ("basic", None)),
])  # fmt: skip
@pytest.mark.parametrize(("pilots", "decoys", "armours"), [
    (("regular", "regular"), (False, False), (1, 1)), (("veteran", "green"), (True, False), (0, 2)),
])  # fmt: skip
def test_a_dogfight(shipped: Ask, mine: Any, theirs: Any, pilots: Any, decoys: Any, armours: Any) -> None:
    """Missiles first, at the same time; then the guns of those still flying that fired no missile."""

    def missile(aam: str | None, target: int) -> Any:
        if aam is None:
            return icepool.Die([False])
        dice = target_dice("none", pilots[target], evades=False, decoys=decoys[target])
        return above(GRADE[aam], *dice)

    def burst(control: str | None, firer: int, target: int) -> Any:
        if control is None:
            return icepool.Die([False])
        return guns(control, pilots[firer], 3, armours[target]).map(lambda what: what != "unharmed")

    def fight(struck: bool, hurt: bool) -> Any:  # noqa: FBT001 - what the missiles did
        my_guns = icepool.Die([False]) if hurt else burst(mine[1], 0, 1)
        their_guns = icepool.Die([False]) if struck else burst(theirs[1], 1, 0)
        names = {(True, True): "both-out", (True, False): "defender-out", (False, True): "attacker-out"}
        return icepool.map(
            lambda one, other: names.get((struck or one, hurt or other), "none-out"), my_guns, their_guns
        )

    expected = icepool.map(fight, missile(mine[0], 1), missile(theirs[0], 0))
    told: dict[str, Any] = {}
    for index, (side, (aam, gun)) in enumerate((("attacker", mine), ("defender", theirs))):
        told |= {f"{side}_pilot": pilots[index], f"{side}_decoys": decoys[index], f"{side}_armour": armours[index]}
        told |= {f"{side}_aam": aam} if aam else {f"{side}_guns": gun or "none"}
    assert said(shipped("dirtside2-iceburg/dogfight", **told)) == chances(expected)


@pytest.mark.parametrize(("mine", "theirs"), [
    (("basic", "enhanced"), ("superior", "basic")), (("enhanced", "superior"), ("none", "basic")),
    (("none", "basic"), ("none", "enhanced")), (("superior", "none"), ("basic", "none")),
])  # fmt: skip
def test_a_dogfight_in_which_all_survivors_fire_guns(shipped: Ask, mine: Any, theirs: Any) -> None:
    """The other setting of the option: a craft that fired an AAM fires its guns too, unless an AAM hit it first."""

    def missile(aam: str) -> Any:
        return icepool.Die([False]) if aam == "none" else above(GRADE[aam], ECM["none"])

    def burst(control: str) -> Any:
        if control == "none":
            return icepool.Die([False])
        return guns(control, "regular", 3, 1).map(lambda harm: harm != "unharmed")

    def fight(struck: bool, hurt: bool) -> Any:  # noqa: FBT001 - what the missiles did
        bursts = [icepool.Die([False]) if out else burst(side[1]) for out, side in ((hurt, mine), (struck, theirs))]
        names = {(True, True): "both-out", (True, False): "defender-out", (False, True): "attacker-out"}
        return icepool.map(lambda my, their: names.get((struck or my, hurt or their), "none-out"), *bursts)

    expected = chances(icepool.map(fight, missile(mine[0]), missile(theirs[0])))
    arms = {
        f"{side}_{arm}": value
        for side, values in (("attacker", mine), ("defender", theirs))
        for arm, value in zip(("aam", "guns"), values, strict=True)
    }
    assert said(shipped("dirtside2-iceburg/dogfight", guns="all-survivors", **arms)) == expected


@pytest.mark.parametrize(("troops", "chits"), [("militia", 2), ("line", 2), ("powered", 3)])
@pytest.mark.parametrize(("cover", "colours"), [("open", "RY"), ("soft", "R"), ("dug-in", "Y")])
@pytest.mark.parametrize("elements", [1, 2, 3])
def test_every_commando_element_fires_to_effect(
    shipped: Ask, troops: str, chits: int, cover: str, colours: str, elements: int
) -> None:
    killed = points(chits, colours).map(lambda total: total >= KILL["line"])
    losses = icepool.map(lambda *struck: any(struck), *[killed] * elements)
    answer = shipped("dirtside2-iceburg/commando-firefight", type=troops, elements=elements, target="line", cover=cover)
    assert said(answer) == chances(losses.map({True: "losses", False: "no-losses"}))


def test_a_gun_that_sees_the_point_itself_needs_no_roll(shipped: Ask) -> None:
    answer = shipped("dirtside2-iceburg/call-for-fire", self_spotting=True)
    assert answer.chance("answered") == 1
    assert answer.notes
    for guns_stand, needed in (("on-table", 4), ("off-table", 6)):
        observed = shipped("dirtside2-iceburg/call-for-fire", observer="specialist", guns=guns_stand)
        assert observed.chance("answered") == Fraction(12 - needed + 1, 12)


@pytest.mark.parametrize("troops", KILL)
@pytest.mark.parametrize(("band", "chits"), [("close", 3), ("medium", 2), ("long", 0)])
def test_rapid_fire_at_infantry(shipped: Ask, band: str, chits: int, troops: str) -> None:
    expected = {"survives": Fraction(1)}
    if chits:
        expected = chances(points(chits, "Y").map(lambda sum_: "killed" if sum_ >= KILL[troops] else "survives"))
    assert said(shipped("dirtside2-iceburg/rfac-infantry", band=band, type=troops)) == expected


@pytest.mark.parametrize(("ground", "colours", "harder"), [
    ("open", "ALL", 0), ("soft", "RY", 0), ("woods", "RY", 2), ("dug-in", "R", 0), ("urban", "R", 2),
])  # fmt: skip
@pytest.mark.parametrize(("mine", "my_chits"), [("militia", 3), ("line", 3), ("powered", 4)])
@pytest.mark.parametrize(("theirs", "team", "their_chits"), [
    ("line", "rifle", 2), ("powered", "apsw", 3), ("line", "commando", 3), ("powered", "commando", 4),
])  # fmt: skip
@pytest.mark.parametrize(("cover", "seen"), [("open", "ALL"), ("dug-in", "R")])
def test_commandos(  # noqa: PLR0913, PLR0917 - each is an input of the question
    shipped: Ask, ground: str, colours: str, harder: int, mine: str, my_chits: int, theirs: str, team: str,
    their_chits: int, cover: str, seen: str,
) -> None:  # fmt: skip
    struck = points(my_chits, seen).map(lambda sum_: sum_ >= KILL[theirs])
    falls = points(their_chits, colours).map(lambda sum_: sum_ >= KILL[mine] + harder)
    names = {(True, True): "both-lost", (True, False): "enemy-lost", (False, True): "commandos-lost"}
    expected = icepool.map(lambda one, other: names.get((one, other), "none-lost"), struck, falls)
    found = shipped(
        "dirtside2-iceburg/commando-assault", type=mine, enemy=theirs, enemy_team=team, enemy_cover=cover, ground=ground
    )
    assert said(found) == chances(expected)


@pytest.mark.parametrize(("cover", "faces"), [("open", 3), ("soft", 2), ("hull-down", 1)])
def test_vehicles_in_an_assault(shipped: Ask, cover: str, faces: int) -> None:
    assert shipped("dirtside2-iceburg/assault-vehicle-hit", cover=cover).chance("hit") == Fraction(faces, 6)
