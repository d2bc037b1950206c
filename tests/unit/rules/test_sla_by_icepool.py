"""Chains of the 3d System against icepool: three dice in several parts, built a second time from the document."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Any

import icepool
import pytest

if TYPE_CHECKING:
    from collections.abc import Callable

    from generator.odds.distribution import Distribution
    from generator.rules.procedures.answers import Answer

    Ask = Callable[..., Answer]

D6 = icepool.d6
RANGE = {"aimed": (0, 3, 6, 9), "snap": (2, 6, 12, 18), "wild": (3, 7, 15, 22)}
BANDS = ("optimum", "medium", "long", "extreme")


def chances(pool: Any) -> dict[Any, Fraction]:
    return {outcome: Fraction(ways, pool.denominator()) for outcome, ways in pool.items() if ways}


def said(found: Answer) -> dict[str, Fraction]:
    return {outcome.id: Fraction(chance) for outcome, chance in found.outcomes if chance}


def told(numbers: Distribution[Any]) -> dict[Any, Fraction]:
    return {value: numbers.probability(value) for value, _ in numbers.weights}


def among(pool: Any, wanted: Callable[[Any], bool]) -> dict[Any, Fraction]:
    """The chances of what is wanted, among that alone."""
    some = {value: chance for value, chance in chances(pool).items() if wanted(value)}
    return {value: chance / sum(some.values()) for value, chance in some.items()}


def roll_of(rank: int, modifier: int, on: str, needed: int, critical: int) -> Any:
    """Success die where it is made, else nothing: 0. And whether it is a critical."""
    extra, bar = (modifier, needed) if on == "roll" else (0, needed - modifier)

    def settle(success: int, second: int, third: int) -> tuple[int, bool]:
        total = success + second + third + rank + extra
        over = max(0, total - critical)
        return (success + over, over > 0) if total >= bar else (0, False)

    return icepool.map(settle, D6, D6, D6)


def names(value: int, critical: bool) -> str:  # noqa: FBT001 - what a roll came to
    return "critical" if critical else "succeeded" if value else "failed"


@pytest.mark.parametrize("on", ["target", "roll"])
@pytest.mark.parametrize("modifier", [-10, -3, 0, 2])
@pytest.mark.parametrize("rank", [1, 4, 7, 12])
def test_skills_and_stats(shipped: Ask, rank: int, modifier: int, on: str) -> None:
    for name, word, needed, critical in (("skill-roll", "skill", 13, 18), ("stat-roll", "stat", 16, 21)):
        rolled = roll_of(rank, modifier, on, needed, critical)
        found = shipped(f"sla-3d/{name}", modifier=modifier, on=on, **{word: rank})
        assert said(found) == chances(rolled.map(names, star=True))
        if found.chance("failed") < 1:
            shown = rolled.map(lambda value, _: value, star=True)
            assert told(found.numbers["success-die"]) == among(shown, bool)


def test_a_modifier_of_the_target_changes_criticals_above_19_alone(shipped: Ask) -> None:
    for name, word, needed, mark in (("skill-roll", "skill", 13, 19), ("stat-roll", "stat", 16, 22)):
        found = {
            modifier: shipped(f"sla-3d/{name}", modifier=modifier, on="target", **{word: 10}).chance("critical")
            for modifier in range(-10, 11)
        }
        assert {modifier for modifier, chance in found.items() if chance < found[0]} == {
            modifier for modifier in found if needed - modifier > mark
        }


@pytest.mark.parametrize("on", ["target", "roll"])
@pytest.mark.parametrize("modifier", [-5, 0, 3])
@pytest.mark.parametrize("rank", [0, 5, 8, 12])
def test_dodges_and_parries(shipped: Ask, rank: int, modifier: int, on: str) -> None:
    value = roll_of(rank, modifier, on, 13, 18).map(lambda shown, _: shown, star=True)
    dodge = shipped("sla-3d/dodge", skill=rank, modifier=modifier, on=on)
    parry = shipped("sla-3d/parry", skill=rank, modifier=modifier, on=on)
    assert said(dodge) == chances(value.map(lambda one: "dodged" if one else "failed"))
    assert said(parry) == chances(value.map(lambda one: "parried" if one else "failed"))
    assert told(dodge.numbers["value"]) == told(parry.numbers["value"]) == among(value, bool)
    penalty = value.map(lambda one: max(0, 7 - one) if one else -1)
    assert told(dodge.numbers["own-penalty"]) == among(penalty, lambda one: one >= 0)


@pytest.mark.parametrize(("ammunition", "pen", "dam"), [("standard", 6, 10), ("heap", 8, 12), ("hesh", 3, 20)])
@pytest.mark.parametrize("pv", [0, 7, 12])
@pytest.mark.parametrize(("skill", "modifier", "on", "band", "shot", "aims", "marksman", "stance", "rest", "rcl"), [
    (5, 0, "target", "optimum", "aimed", 1, 12, True, False, 5),
    (9, -3, "roll", "medium", "aimed", 6, 3, True, True, 8),
    (11, -2, "target", "long", "snap", 1, 0, False, False, 1), (3, 2, "roll", "extreme", "wild", 1, 0, True, False, 12),
    (0, -10, "target", "extreme", "wild", 1, 0, False, False, 0),
])  # fmt: skip
def test_a_shot(  # noqa: PLR0913, PLR0917 - each is an input of the question
    shipped: Ask, ammunition: str, pen: int, dam: int, pv: int, skill: int, modifier: int, on: str, band: str,
    shot: str, aims: int, marksman: int, stance: bool, rest: bool, rcl: int,  # noqa: FBT001
) -> None:  # fmt: skip
    changed = modifier - (3 if shot == "wild" else 0)
    kick = max(0, rcl - (2 if rest else 1 if stance else 0) + RANGE[shot][BANDS.index(band)])

    def settle(aiming: int, piercing: int, hurting: int) -> tuple[str, int, int, int]:
        total = aiming + piercing + hurting + skill + (changed if on == "roll" else 0)
        needed = 13 - (changed if on == "target" else 0)
        if total < needed:
            return "missed", 0, 0, kick + max(0, 13 - total)  # by the document's example, see the ruling
        back = aiming + max(0, total - 18) + (min(aims - 1, marksman) if shot == "aimed" else 0)
        through = piercing + pen >= pv
        damage = max(0, hurting + dam - pv) if through else 0
        return "penetrated" if through else "stopped", damage, max(0, kick - back), max(0, kick - back)

    rolled = icepool.map(settle, D6, D6, D6)
    more: dict[str, Any] = {"aims": aims, "marksman": marksman} if shot == "aimed" else {}
    found = shipped(
        "sla-3d/attack", skill=skill, modifier=modifier, on=on, range=band, shot=shot, stance=stance, rest=rest,
        rcl=rcl, pen=6, dam=10, pv=pv, ammunition=ammunition, **more,
    )  # fmt: skip
    assert said(found) == chances(rolled.map(lambda what, *_: what, star=True))
    assert told(found.numbers["strays"]) == chances(rolled.map(lambda *one: one[3], star=True))
    expected: dict[tuple[int, int] | None, Fraction] = {}
    for (what, damage, spread, _), chance in chances(rolled).items():
        key = None if what == "missed" else (damage, spread)
        expected[key] = expected.get(key, Fraction(0)) + chance
    assert told(found.which["damage-spread"]) == expected


@pytest.mark.parametrize("runner", [-3, 2, 7, 12])
@pytest.mark.parametrize("gunner", [0, 5, 9, 12])
def test_through_suppressive_fire(shipped: Ask, runner: int, gunner: int) -> None:
    """The runner's success die must beat the gunner's aiming die; each with what its total has above 18."""
    mine = roll_of(runner, 0, "roll", 13, 18).map(lambda value, _: value, star=True)
    theirs = icepool.map(lambda a, b, c: a + max(0, a + b + c + gunner - 18), D6, D6, D6)
    result = icepool.map(lambda one, bar: "caught" if not one else "clear" if one > bar else "clipped", mine, theirs)
    assert said(shipped("sla-3d/suppressive-fire", gunner=gunner, runner=runner)) == chances(result)


@pytest.mark.parametrize("phys", [4, 8, 13])
@pytest.mark.parametrize(("damage", "modifier"), [(3, 0), (8, 0), (10, -2), (16, 0), (17, 1), (30, 0)])
def test_knockback(shipped: Ask, phys: int, damage: int, modifier: int) -> None:
    def settle(total: int) -> str:
        if damage <= phys:
            return "unmoved"
        if damage > 2 * phys:
            return "round-lost" if total + phys + modifier >= 16 else "unconscious"
        return "acts-last" if total + phys + modifier - (damage - phys) >= 16 else "down"

    found = shipped("sla-3d/knockback", damage=damage, phys=phys, modifier=modifier)
    assert said(found) == chances((3 @ D6).map(settle))


@pytest.mark.parametrize("on", ["target", "roll"])
@pytest.mark.parametrize("modifier", [-5, 0, 4])
@pytest.mark.parametrize("cool", [2, 7, 11, 15])
def test_under_fire(shipped: Ask, cool: int, modifier: int, on: str) -> None:
    """Each point past 16 takes one off the 5."""

    def settle(total: int) -> int:
        reached = total + cool + (modifier if on == "roll" else 0)
        needed = 16 - (modifier if on == "target" else 0)
        return min(0, -5 + max(0, reached - 16)) if reached >= needed else -5

    left = (3 @ D6).map(settle)
    found = shipped("sla-3d/under-fire", stat=cool, modifier=modifier, on=on)
    assert told(found.numbers["penalty"]) == chances(left)
    assert said(found) == chances(left.map(lambda one: "shaken" if one == -5 else "calm" if one == 0 else "steadier"))


@pytest.mark.parametrize(
    ("told_jam", "needed"),
    [({}, 4), ({"excess": 2, "jf": 12, "skill": 3}, 11), ({"excess": 5, "jf": 5, "skill": 0}, 4)],
)
def test_jams(shipped: Ask, told_jam: dict[str, int], needed: int) -> None:
    """Three ones; above the rate also a roll below JF less the excess plus 4."""
    jammed = needed > (3 @ D6)
    assert shipped("sla-3d/jam", **told_jam).chance("jammed") == chances(jammed).get(True, 0)
