"""Figures that the sources print, and their worked examples played through the rules with the dice that they name."""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from math import ceil
from typing import TYPE_CHECKING, Any

import pytest

from generator.commands.access import open_library
from generator.odds.distribution import Distribution
from generator.rules.load.load import load
from generator.rules.procedures.answers import complete_inputs
from generator.rules.procedures.sequence import OUTCOME, Program, Reply, run

if TYPE_CHECKING:
    from collections.abc import Callable

    from generator.problems import Problem
    from generator.rules.procedures.answers import Answer
    from generator.rules.procedures.sequence import Tally
    from generator.rules.ruleset import RuleSet

    Ask = Callable[..., Answer]


@cache
def rules(name: str) -> RuleSet:
    problems: list[Problem] = []
    found = load(open_library(), name, problems)
    assert found is not None
    return found


def come_up(told: tuple[Any, ...]) -> Callable[[Any], Any]:
    return lambda _: Reply(Distribution.certain(told if len(told) > 1 else told[0]))


def play(name: str, rolled: dict[str, Any], **inputs: Any) -> Tally:
    """The last case of a procedure, with these rolls come up as said."""
    ruleset, _, wanted = name.partition("/")
    procedure = rules(ruleset).procedures[wanted]
    program = procedure.cases[-1].program
    left = set(rolled)
    rolls = []
    for roll in program.rolls:
        told: tuple[Any, ...] = tuple(rolled[one] for one in roll.names if one in rolled)
        left -= set(roll.names)
        rolls.append(roll._replace(reply=come_up(told), formula=None) if told else roll)
    assert not left, "no such rolls"
    played = Program(tuple(rolls), program.results)
    return run(played, {**procedure.names, **complete_inputs(procedure, inputs)})


def outcome(tally: Tally) -> str:
    (only,) = tally.results[OUTCOME]
    return str(only)


def figure(tally: Tally, name: str) -> Any:
    (only,) = tally.results["numbers", name]
    return only


# Dirtside II

TO_HIT = {
    4: ".375 .25 .1875 .15 .125",
    6: ".5833 .4167 .3125 .25 .2083",
    8: ".6875 .5625 .4375 .35 .2917",
    10: ".75 .65 .55 .45 .375",
    12: ".7917 .7083 .625 .5417 .4583",
}
"""P(firer above target), printed by firer's die against a target of D4 to D12."""
WITH = {
    4: ("basic", "long"),
    6: ("basic", "medium"),
    8: ("basic", "close"),
    10: ("enhanced", "close"),
    12: ("superior", "close"),
}


@pytest.mark.parametrize("die", TO_HIT)
def test_the_printed_table_of_hits(shipped: Ask, die: int) -> None:
    control, band = WITH[die]
    for signature, printed in zip((5, 4, 3, 2, 1), TO_HIT[die].split(), strict=True):
        found = Fraction(
            shipped("dirtside2/fire-to-hit", fire_control=control, band=band, signature=signature).chance("hit")
        )
        places = len(printed) - 1
        assert abs(found - Fraction(printed)) <= Fraction(1, 2 * 10**places)


def test_the_book_s_shot_hits_and_damages(shipped: Ask) -> None:
    """HKP/3, enhanced, 26 inches (medium), size 4 in soft cover: 127/288. Then G2, Y3, R1: 4 is the armour."""
    shot = {"fire_control": "enhanced", "band": "medium", "signature": 4, "cover": "soft"}
    hit = Fraction(shipped("dirtside2/fire-to-hit", **shot).chance("hit"))
    assert hit == Fraction(127, 288)
    assert round(hit * 10**6) == 440972
    drawn = {"hit": "hit", "drawn.points": 3 + 1, "drawn.marks": frozenset(), "drawn.numbered": 3}
    assert outcome(play("dirtside2/direct-fire", drawn, weapon="HKP", armour=4, **shot, **{"class": 3})) == "damaged"
    drawn["drawn.points"] = 2 + 3 + 1
    assert outcome(play("dirtside2/direct-fire", drawn, weapon="HKP", armour=4, **shot, **{"class": 3})) == "destroyed"


@pytest.mark.parametrize(
    ("shown", "expected"), [(1, "down-two"), (2, "down-one"), (3, "down-one"), (4, "passed"), (8, "passed")]
)
def test_the_book_s_nerves(shown: int, expected: str) -> None:
    """Regular, leader 2, threat 1: passes on 4 or more, one level at 2 and 3, two at 1."""
    told = play("dirtside2/morale-test", {"shown": shown}, quality="regular", leadership=2, threat=1)
    assert outcome(told) == expected


# Stargrunt II


def within(number: int, span: tuple[int, int]) -> bool:
    low, high = span
    return low <= number <= high


def printed_as(percent: str) -> Callable[[Fraction], bool]:
    """Whether a chance is what is printed in percent, to all its digits."""
    half = Fraction(1, 2 * 10 ** len(percent.partition(".")[2]))
    return lambda chance: abs(chance * 100 - Fraction(percent)) <= half


@pytest.mark.parametrize(("impact", "armour", "wounded", "killed"), [
    ("D10", "D6", "31.67", "33.33"), ("D12", "D8", "31.25", "31.25"),
    ("D8", "D4", "31.25", "37.5"), ("D12", "D12", "25.0", "20.83"),
])  # fmt: skip
def test_printed_chances_of_a_wound_and_a_kill(
    shipped: Ask, impact: str, armour: str, wounded: str, killed: str
) -> None:
    found = shipped("stargrunt2/casualty", impact=impact, armour=armour)
    assert printed_as(wounded)(Fraction(found.chance("wounded")))
    assert printed_as(killed)(Fraction(found.chance("killed")))


def test_printed_chances_of_a_fire(shipped: Ask) -> None:
    """Range die D8 against D8, D12 and D10."""
    found = shipped("stargrunt2/squad-fire", quality="regular", firepower=12, support="D10", bands=3)
    for name, percent in (("no-effect", "16.875"), ("suppressed", "29.063"), ("hits", "54.062")):
        assert printed_as(percent)(Fraction(found.chance(name)))


@pytest.mark.parametrize(("total", "die"), [(7 * 1, 8), (5 * 2, 10), (1, 4), (4, 4), (13, 12), (36, 12)])
def test_firepower_of_the_book_s_squads(total: int, die: int) -> None:
    table = rules("stargrunt2").tables["firepower-die"]
    assert [row["die"] for row in table.rows if within(total, row["total"])] == [die]


@pytest.mark.parametrize(("cover", "inches"), [("none", 40), ("soft", 32), ("hard", 24)])
def test_how_far_regulars_can_fire(shipped: Ask, cover: str, inches: int) -> None:
    bands = [
        band
        for band in range(1, 6)
        if shipped("stargrunt2/squad-fire", quality="regular", firepower=8, bands=band, cover=cover).chance("no-effect")
        < 1
    ]
    assert 8 * max(bands) == inches


@pytest.mark.parametrize(("again", "hits"), [(1, 3), (2, 3), (3, 2), (8, 2)])
def test_eighteen_on_a_d8_are_two_hits_and_a_third_on_2_or_less(again: int, hits: int) -> None:
    rolled = {"above": 2, "total": 18, "again": again}
    told = play("stargrunt2/squad-fire", rolled, quality="regular", firepower=8, bands=3)
    assert figure(told, "casualties") == hits


@pytest.mark.parametrize(
    ("blow", "guard", "expected"), [(3, 5, "none"), (6, 5, "wounded"), (9, 4, "killed"), (8, 4, "wounded")]
)
def test_impact_against_armour(blow: int, guard: int, expected: str) -> None:
    """The first three are the book's; that exactly twice is a wound is its rule."""
    told = play("stargrunt2/casualty", {"blow": blow, "guard": guard}, impact="D10", armour="D6")
    assert outcome(told) == expected


@pytest.mark.parametrize(("blow", "expected"), [(7, "disabled"), (9, "destroyed")])
def test_a_major_hit_on_armour_2(blow: int, expected: str) -> None:
    """RFAC/1, range die D6: 7 and 5 against 4 are both above. Armour 4 × 2 = 8; impact 7 × 2 = 14, or 9 × 2 = 18."""
    rolled = {"bar": 4, "above": sum(die > 4 for die in (7, 5)), "blow": blow, "guard": 4}
    told = play(
        "stargrunt2/heavy-fire", rolled, quality="regular", fire_control="basic", bands=2, weapon="RFAC",
        armour_class=2, **{"class": 1},
    )  # fmt: skip
    assert told.results["events", "major-hit"][True] == told.total
    assert outcome(told) == expected


def test_a_target_of_size_3_at_40_inches_is_in_the_second_band() -> None:
    stargrunt = rules("stargrunt2")
    (band,) = (row["band"] for row in stargrunt.tables["heavy-bands"].rows if row["size"] == 3)
    (die,) = (row["die"] for row in stargrunt.tables["range-die"].rows if row["band"] == ceil(Fraction(40, band)))
    assert (band, die) == (36, 6)


def test_the_occupants_of_the_jeep() -> None:
    """Rolls of 3 on D4, and 4, 2 and 1 on D6."""
    table = rules("stargrunt2").tables["occupants-small-arms"]
    told = [row["outcome"] for face in (3, 4, 2, 1) for row in table.rows if within(face, row["roll"])]
    assert told == ["unhurt", "unhurt", "wounded", "dead"]


def test_a_jeep_is_hit() -> None:
    """9 against 4 is more than twice: by the rule destroyed, though the book prints disabled (an erratum)."""
    rolled = {"above": 1, "blow": 9, "guard": 4}
    told = play(
        "stargrunt2/heavy-fire", rolled, quality="regular", fire_control="basic", bands=1, weapon="RFAC",
        face="soft-skinned", **{"class": 1},
    )  # fmt: skip
    assert outcome(told) == "destroyed"


@pytest.mark.parametrize(("above", "lowest", "highest"), [(1, 3, 36), (2, 6, 72)])
def test_the_impact_of_an_hkp_3(above: int, lowest: int, highest: int) -> None:
    """Against one point of armour: just above half of it, and no more, is destroyed."""
    weapon = next(row for row in rules("stargrunt2").tables["heavy-weapons"].rows if row["weapon"] == "HKP")
    faces = (1, weapon["impact"])
    assert tuple(face * weapon["per_class"] * 3 * above for face in faces) == (lowest, highest)


# The FMA draft


@pytest.mark.parametrize(("quality", "motivation", "modifier", "passed"), [
    ("regular", 2, 0, Fraction(6, 8)), ("regular", 2, 1, Fraction(5, 8)), ("novice", 3, 1, 0),
])  # fmt: skip
def test_the_draft_s_reaction_tests(shipped: Ask, quality: str, motivation: int, modifier: int, passed: Any) -> None:
    told = {"quality": quality, "motivation": motivation, "modifier": modifier}
    assert shipped("fma-skirmish/reaction-test", **told).chance("passed") == passed


@pytest.mark.parametrize(("impact", "suppressed"), [(1, False), (2, True)])
def test_a_gauss_rifle_and_a_cannon_at_heavy_power_armour(shipped: Ask, impact: int, suppressed: bool) -> None:  # noqa: FBT001
    found = shipped("fma-skirmish/heavy-armour", impact_multiplier=impact, armour_multiplier=2)
    ((name, _),) = [(one.id, chance) for one, chance in found.outcomes if chance]
    assert name == ("suppressed" if suppressed else "not-suppressed")


# The 3d System


@pytest.mark.parametrize(("skill", "on", "dice", "expected", "shown"), [
    (4, "target", (3, 4, 3), "failed", None), (7, "target", (2, 5, 6), "critical", 4),
    (7, "roll", (2, 5, 6), "succeeded", 2),
])  # fmt: skip
def test_the_skill_examples(skill: int, on: str, dice: tuple[int, ...], expected: str, shown: int | None) -> None:
    rolled = dict(zip(("success", "b", "c"), dice, strict=True))
    told = play("sla-3d/skill-roll", rolled, skill=skill, modifier=-3, on=on)
    assert outcome(told) == expected
    assert shown is None or figure(told, "success-die") == shown


def test_a_quick_dodge_and_a_ballet_of_death() -> None:
    """The ballet's printed −2 is an erratum: 7 − 10 is no penalty at all."""
    quick = play("sla-3d/dodge", {"success": 3, "others": 1 + 3}, skill=7)
    assert (figure(quick, "value"), figure(quick, "own-penalty")) == (3, 4)
    ballet = play("sla-3d/dodge", {"success": 5, "others": 6 + 4}, skill=8)
    assert (figure(ballet, "value"), figure(ballet, "own-penalty")) == (10, 0)


@pytest.mark.parametrize(("ammunition", "pen", "dam"), [("standard", 6, 10), ("heap", 8, 12), ("hesh", 3, 20)])
def test_a_rifle_round_of_12_7(ammunition: str, pen: int, dam: int) -> None:
    """PEN 6 DAM 10; HEAP 8 and 12, HESH 3 and 20. A die of 1 more still goes through, 1 less does not."""
    rolled = {"aiming": 6, "piercing": 1, "hurting": 2}
    for pv, through in ((pen + 1, "penetrated"), (pen + 2, "stopped")):
        told = play("sla-3d/attack", rolled, skill=10, rcl=5, pen=6, dam=10, pv=pv, ammunition=ammunition)
        assert outcome(told) == through
        assert figure(told, "damage") == (max(0, 2 + dam - pv) if through == "penetrated" else 0)


def test_a_wild_shot_at_extreme_range_and_one_that_misses() -> None:
    """9 × 2.5 = 22.5, so 22 hexes; and RCL 5, a total of 11, wild: 5 + 2 + 3, whatever the −3 changes."""
    loose = {"shot": "wild", "stance": False, "pen": 0, "dam": 0}
    far = play("sla-3d/attack", {"aiming": 1, "piercing": 6, "hurting": 6}, skill=4, rcl=0, range="extreme", **loose)
    assert figure(far, "spread") == 22 - 1
    for on, hurting in (("target", 3), ("roll", 6)):  # on the roll the total is 14 − 3
        rolled = {"aiming": 4, "piercing": 4, "hurting": hurting}
        missed = play("sla-3d/attack", rolled, skill=0, rcl=5, on=on, **loose)
        assert (outcome(missed), figure(missed, "strays")) == ("missed", 10)


@pytest.mark.parametrize(("rcl", "shots"), [(5, 3), (1, 3)])
def test_shots_of_strength_8_and_dexterity_6(shipped: Ask, rcl: int, shots: int) -> None:
    assert shipped("sla-3d/semi-auto", skill=5, rcl=rcl, strength=8, dexterity=6).numbers["shots"].mean() == shots
