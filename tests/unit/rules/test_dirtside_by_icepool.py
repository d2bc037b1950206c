"""Chains of Dirtside II against icepool: the rules built a second time, from the sources and not from our data."""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple

import icepool
import pytest

if TYPE_CHECKING:
    from collections.abc import Callable

    from generator.rules.procedures.answers import Answer

    Ask = Callable[..., Answer]

POT = {
    **{("red", number): count for number, count in enumerate((5, 20, 15, 10))},
    **{("yellow", number): count for number, count in enumerate((3, 10, 7, 5))},
    **{("green", number): count for number, count in enumerate((3, 10, 7, 5))},
    ("boom", 0): 5, ("mobility", 0): 7, ("target", 0): 5, ("firer", 0): 2,
}  # fmt: skip
COLOURS = {"Y": ["yellow"], "G": ["green"], "R": ["red"], "RY": ["red", "yellow"], "ALL": ["red", "yellow", "green"]}
FIRE = {"basic": (8, 6, 4), "enhanced": (10, 8, 6), "superior": (12, 10, 8)}
BANDS = ("close", "medium", "long")
SIGNATURE = {1: 12, 2: 10, 3: 8, 4: 6, 5: 4, 6: 4, 7: 4}
SECOND = {"soft": 6, "popup": 6, "evading": 8, "hull-down": 10, "dug-in": 10, "turret-down": 12}
DEFENCE = {"basic": 6, "enhanced": 8, "superior": 10}
QUALITY = {"green": 6, "regular": 8, "veteran": 10}
KILL = {"militia": 3, "line": 4, "powered": 5}
WORST = ("destroyed", "damaged", "special-only", "firer-down", "no-effect")


class Hand(NamedTuple):
    points: int
    numbered: int
    firer: bool
    boom: bool
    other: bool


class Drawn(icepool.MultisetEvaluator):  # type: ignore[misc] # icepool's own parameters
    """What a hand of chits holds."""

    def __init__(self, colours: str) -> None:
        self.colours = COLOURS[colours]

    def next_state(self, state: Any, order: Any, outcome: Any, count: int) -> Any:  # noqa: ARG002 - called by name
        points, numbered, firer, boom, other = state or (0, 0, False, False, False)
        colour, number = outcome
        if not count:
            return points, numbered, firer, boom, other
        marked = colour in ("boom", "mobility", "target", "firer")
        return (
            points + (number * count if colour in self.colours else 0),
            numbered + (0 if marked else count),
            firer or colour == "firer",
            boom or colour == "boom",
            other or colour in ("mobility", "target"),
        )


@cache
def drawn(chits: int, colours: str) -> Any:
    """The hands of so many chits out of the full pot, nothing put back."""
    return Drawn(colours)(icepool.Deck(POT).deal(chits))


def damage(chits: int, colours: str, armour: int, factor: Fraction = Fraction(1)) -> Any:
    def settle(*hand: Any) -> str:
        points, numbered, firer, boom, other = hand
        if firer:
            return "firer-down"
        if boom or points * factor > armour:
            return "destroyed"
        if points * factor == armour and (armour > 0 or numbered):
            return "damaged"
        return "special-only" if other else "no-effect"

    return drawn(chits, colours).map(settle, star=True)


def chances(pool: Any) -> dict[str, Fraction]:
    return {outcome: Fraction(ways, pool.denominator()) for outcome, ways in pool.items() if ways}


def said(found: Answer) -> dict[str, Fraction]:
    return {outcome.id: Fraction(chance) for outcome, chance in found.outcomes if chance}


def hits(firer: int, *target: int) -> Any:
    """Whether the firer's die comes above the best of the target's."""
    return icepool.map(
        lambda mine, theirs: mine > theirs, icepool.d(firer), icepool.highest([icepool.d(die) for die in target])
    )


@pytest.mark.parametrize(("weapon", "size", "band", "colours", "factor"), [
    ("RFAC", 1, "close", "RY", 1), ("RFAC", 2, "long", "G", 1), ("HVC", 4, "medium", "R", 1),
    ("HKP", 3, "close", "ALL", 1), ("HKP", 5, "medium", "RY", 1), ("MDC", 2, "long", "R", 1),
    ("DFFG", 3, "close", "ALL", 2), ("DFFG", 5, "medium", "ALL", 1), ("DFFG", 3, "long", "ALL", Fraction(1, 2)),
    ("SLAM", 4, "long", "RY", 1),
])  # fmt: skip
@pytest.mark.parametrize(("control", "signature", "cover", "moved", "armour"), [
    ("basic", 4, "none", False, 0), ("enhanced", 1, "soft", False, 2), ("superior", 7, "dug-in", True, 3),
    ("enhanced", 3, "turret-down", True, 5), ("superior", 2, "evading", False, 7),
])  # fmt: skip
def test_direct_fire(  # noqa: PLR0913, PLR0917 - each is an input of the question
    shipped: Ask, weapon: str, size: int, band: str, colours: str, factor: Any,
    control: str, signature: int, cover: str, moved: bool, armour: int,  # noqa: FBT001
) -> None:  # fmt: skip
    die = FIRE[control][BANDS.index(band)] - (2 if moved else 0)
    target = [SIGNATURE[signature], *([SECOND[cover]] if cover != "none" else [])]
    hurt = damage(size, colours, armour, Fraction(factor))
    expected = {"missed": Fraction(1)} if die < 4 else chances(hits(die, *target).map({True: hurt, False: "missed"}))
    found = shipped(
        "dirtside2/direct-fire", weapon=weapon, band=band, fire_control=control, signature=signature, cover=cover,
        moved=moved, armour=armour, **{"class": size},
    )  # fmt: skip
    assert said(found) == expected


@pytest.mark.parametrize("band", BANDS)
@pytest.mark.parametrize(("armour_type", "colours"), [("standard", "R"), ("reactive", "R"), ("ablative", "G")])
def test_a_laser_is_always_close_and_weak_against_ablative(
    shipped: Ask, band: str, armour_type: str, colours: str
) -> None:
    found = shipped(
        "dirtside2/direct-fire", weapon="HEL", band=band, fire_control="basic", signature=3, armour=3,
        armour_type=armour_type, **{"class": 4},
    )  # fmt: skip
    assert said(found) == chances(hits(8, 8).map({True: damage(4, colours, 3), False: "missed"}))


@pytest.mark.parametrize(("armour_type", "colours"), [("standard", "RY"), ("reactive", "R"), ("ablative", "RY")])
@pytest.mark.parametrize(("missile", "chits"), [("GMS/L", 3), ("GMS/H", 5)])
@pytest.mark.parametrize(("guidance", "ecm", "pds", "armour"), [
    ("basic", "none", "none", 0), ("enhanced", "basic", "superior", 2), ("superior", "enhanced", "none", 4),
    ("superior", "superior", "basic", 7),
])  # fmt: skip
def test_missile_fire(  # noqa: PLR0913, PLR0917 - each is an input of the question
    shipped: Ask, armour_type: str, colours: str, missile: str, chits: int, guidance: str, ecm: str, pds: str,
    armour: int,
) -> None:  # fmt: skip
    target = [{"none": 4, **DEFENCE}[ecm], *([DEFENCE[pds]] if pds != "none" else [])]
    expected = hits(DEFENCE[guidance], *target).map({True: damage(chits, colours, armour), False: "missed"})
    found = shipped(
        "dirtside2/missile-fire", missile=missile, guidance=guidance, ecm=ecm, pds=pds, armour=armour,
        armour_type=armour_type,
    )  # fmt: skip
    assert said(found) == chances(expected)


@pytest.mark.parametrize(("system", "lads", "die", "chits"), [
    ("basic", 1, 6, 2), ("enhanced", 1, 8, 3), ("superior", 1, 10, 4), ("lad", 1, 6, 2), ("lad", 4, 12, 2),
])  # fmt: skip
@pytest.mark.parametrize(("pilot", "grade", "ecm", "armour"), [
    ("green", 3, "none", 0), ("regular", 2, "enhanced", 1), ("veteran", 1, "superior", 3), ("veteran", 2, "basic", 7),
])  # fmt: skip
def test_air_defence(  # noqa: PLR0913, PLR0917 - each is an input of the question
    shipped: Ask, system: str, lads: int, die: int, chits: int, pilot: str, grade: int, ecm: str, armour: int
) -> None:
    own = QUALITY[pilot] + 2 * (2 - grade)
    target = icepool.highest([icepool.d(one) for one in (own, *([DEFENCE[ecm]] if ecm != "none" else []))])

    def settle(*hand: Any) -> str:
        points, numbered, *_ = hand
        same = points == armour and (armour > 0 or numbered)
        return "shot-down" if points > armour else "damaged" if same else "aborts"

    hurt = drawn(chits, "ALL").map(settle, star=True)
    margin = icepool.map(lambda mine, theirs: (mine > theirs) - (mine < theirs), icepool.d(die), target)
    flown = margin.map({1: hurt, 0: "aborts", -1: "through"})
    if system != "lad":
        flown = icepool.d(QUALITY[pilot]).map(lambda nerve: flown if nerve > grade + 1 else "breaks-off")
    more = {"lads": lads} if system == "lad" else {}
    found = shipped("dirtside2/air-defence", system=system, pilot=pilot, grade=grade, ecm=ecm, armour=armour, **more)
    assert said(found) == chances(flown)


@pytest.mark.parametrize(("guns", "sheaf"), [(1, "open"), (4, "open"), (3, "closed"), (6, "closed")])
@pytest.mark.parametrize(("artillery", "chits"), [("light", 1), ("medium", 2), ("heavy", 3)])
@pytest.mark.parametrize(("shell", "dug_in", "colours"), [
    ("HEF", False, "Y"), ("HEF", True, None), ("MAK", False, "RY"), ("MAK", True, "R"),
])  # fmt: skip
@pytest.mark.parametrize("armour", [0, 2])
def test_a_barrage_on_a_vehicle(  # noqa: PLR0913, PLR0917 - each is an input of the question
    shipped: Ask, guns: int, sheaf: str, artillery: str, chits: int, shell: str,
    dug_in: bool, colours: str | None, armour: int,  # noqa: FBT001
) -> None:  # fmt: skip
    expected = {"no-effect": Fraction(1)}
    if colours:
        ranks = damage(chits, colours, armour).map(WORST.index)
        expected = chances(ranks.lowest(guns if sheaf == "closed" else 1).map(dict(enumerate(WORST))))
    found = shipped(
        "dirtside2/artillery-barrage", artillery=artillery, round=shell, target="vehicle", armour=armour,
        dug_in=dug_in, sheaf=sheaf, guns=guns,
    )  # fmt: skip
    assert said(found) == expected


@pytest.mark.parametrize("guns", [1, 3, 6])
@pytest.mark.parametrize(("artillery", "chits"), [("light", 2), ("medium", 3), ("heavy", 4)])
@pytest.mark.parametrize(
    ("shell", "dug_in", "colours"), [("HEF", False, "RY"), ("HEF", True, "R"), ("MAK", False, "Y")]
)
@pytest.mark.parametrize("troops", KILL)
def test_a_barrage_on_infantry(  # noqa: PLR0913, PLR0917 - each is an input of the question
    shipped: Ask, guns: int, artillery: str, chits: int, shell: str,
    dug_in: bool, colours: str, troops: str,  # noqa: FBT001
) -> None:  # fmt: skip
    survives = drawn(chits, colours).map(lambda *hand: hand[0] < KILL[troops], star=True)
    expected = (guns @ survives == guns).map({True: "survives", False: "killed"})
    found = shipped(
        "dirtside2/artillery-barrage", artillery=artillery, round=shell, target="infantry", type=troops,
        dug_in=dug_in, sheaf="closed", guns=guns,
    )  # fmt: skip
    assert said(found) == chances(expected)


@pytest.mark.parametrize("leadership", [1, 2, 3])
@pytest.mark.parametrize(("firer", "chits"), [("militia", 2), ("line", 2), ("powered", 3), ("apsw", 3)])
@pytest.mark.parametrize(("quality", "under_fire", "elements", "cover", "colours", "troops"), [
    ("green", True, 5, "open", "RY", "militia"), ("regular", False, 4, "soft", "R", "line"),
    ("veteran", True, 1, "dug-in", "Y", "powered"), ("veteran", False, 3, "urban", "Y", "line"),
])  # fmt: skip
def test_a_firefight(  # noqa: PLR0913, PLR0917 - each is an input of the question
    shipped: Ask, leadership: int, firer: str, chits: int, quality: str,
    under_fire: bool, elements: int, cover: str, colours: str, troops: str,  # noqa: FBT001
) -> None:  # fmt: skip
    shown = icepool.d(QUALITY[quality] - (2 if under_fire else 0))
    kills = drawn(chits, colours).map(lambda *hand: hand[0] >= KILL[troops], star=True)
    firing = shown.map(
        lambda face: 0 if face < leadership else elements if face >= 2 * leadership else -(-elements // 2)
    )
    lost = firing.map(lambda number: (number @ kills).map(lambda count: (number, int(count))) if number else (0, 0))
    expected = lost.map(lambda number, count: "losses" if count else "no-losses" if number else "no-fire", star=True)
    found = shipped(
        "dirtside2/infantry-firefight", firer=firer, elements=elements, quality=quality, leadership=leadership,
        under_fire=under_fire, target=troops, cover=cover,
    )  # fmt: skip
    assert said(found) == chances(expected)
    assert found.numbers["killed"].mean() == lost.map(lambda _, count: count, star=True).mean()


@pytest.mark.parametrize(("cover", "turn", "colours"), [
    ("open", 1, "ALL"), ("soft", 1, "RY"), ("dug-in", 1, "R"), ("dug-in", 2, "ALL"),
])  # fmt: skip
@pytest.mark.parametrize(
    ("mine", "team", "my_chits"), [("line", "rifle", 2), ("powered", "rifle", 3), ("line", "assault", 3)]
)
@pytest.mark.parametrize(("theirs", "their_chits"), [("militia", 2), ("powered", 3)])
def test_a_close_assault(  # noqa: PLR0913, PLR0917 - each is an input of the question
    shipped: Ask, cover: str, turn: int, colours: str, mine: str, team: str, my_chits: int, theirs: str,
    their_chits: int,
) -> None:  # fmt: skip
    struck = drawn(my_chits, colours).map(lambda *hand: hand[0] >= KILL[theirs], star=True)
    falls = drawn(their_chits, "ALL").map(lambda *hand: hand[0] >= KILL[mine], star=True)
    names = {(True, True): "both-lost", (True, False): "defender-lost", (False, True): "attacker-lost"}
    expected = icepool.map(lambda one, other: names.get((one, other), "none-lost"), struck, falls)
    found = shipped(
        "dirtside2/close-assault", attacker=mine, attacker_team=team, defender=theirs, cover=cover, round=turn
    )
    assert said(found) == chances(expected)
