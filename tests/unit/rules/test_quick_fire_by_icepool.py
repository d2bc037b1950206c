"""The revised quick fire against icepool, and what its design notes claim, cell by cell."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from math import ceil, comb, floor, prod
from typing import TYPE_CHECKING, Any

import icepool
import pytest

from generator.commands.access import open_library
from generator.rules.load.load import load

if TYPE_CHECKING:
    from collections.abc import Callable

    from generator.rules.procedures.answers import Answer

    Ask = Callable[..., Answer]

pytestmark = pytest.mark.slow

LADDER = (4, 6, 8, 10, 12)
STEPS = {"none": 0, "soft": 1, "hard": 2}


def chances(pool: Any) -> dict[Any, Fraction]:
    return {outcome: Fraction(ways, pool.denominator()) for outcome, ways in pool.items() if ways}


def shifted(armour: int, cover: str) -> int:
    return LADDER[min(4, LADDER.index(armour) + STEPS[cover])]


def apart(impact: int, armour: int) -> int:
    return abs(LADDER.index(impact) - LADDER.index(armour))


@pytest.mark.parametrize("cover", STEPS)
@pytest.mark.parametrize("armour", LADDER)
@pytest.mark.parametrize("impact", LADDER)
@pytest.mark.parametrize("hybrid", [False, True])
def test_one_impact_die(shipped: Ask, impact: int, armour: int, cover: str, hybrid: bool) -> None:  # noqa: FBT001
    guard = shifted(armour, cover)
    found = shipped("stargrunt2-quick/casualty", impact=f"D{impact}", armour=f"D{armour}", cover=cover, hybrid=hybrid)
    by_book = hybrid and apart(impact, guard) >= 3
    hurt = icepool.d(impact) > (icepool.d(guard) if by_book else guard // 2)
    assert found.chance("none") == chances(hurt).get(False, 0)
    assert found.chance("wounded-or-killed" if by_book else "wounded") == chances(hurt).get(True, 0)


@pytest.mark.parametrize("fraction", ["roll", "up", "down"])
@pytest.mark.parametrize("potential", [Fraction(23, 8), Fraction(7, 4), Fraction(11, 12), Fraction(31, 6), 0, 1, 4])
@pytest.mark.parametrize(
    ("impact", "armour", "cover"), [(10, 8, "none"), (8, 4, "soft"), (12, 12, "hard"), (4, 8, "none")]
)
def test_casualties_of_a_fire(
    shipped: Ask, fraction: str, potential: Fraction | int, impact: int, armour: int, cover: str
) -> None:
    rest = Fraction(potential) - floor(potential)
    more = icepool.coin(rest.numerator, rest.denominator)
    if fraction != "roll":
        more = icepool.Die([fraction == "up" and rest > 0])
    hurt = icepool.d(impact) > shifted(armour, cover) // 2
    fallen = more.map(lambda one: (floor(potential) + int(one)) @ hurt)
    found = shipped(
        "stargrunt2-quick/casualties", impact=f"D{impact}", armour=f"D{armour}", cover=cover, potential=potential,
        fraction=fraction,
    )  # fmt: skip
    numbers = found.numbers["casualties"]
    assert {value: numbers.probability(value) for value, _ in numbers.weights} == chances(fallen)
    assert numbers.mean() == Fraction(fallen.mean())
    assert found.chance("none") == chances(fallen).get(0, 0)
    assert max(chances(fallen)) <= ceil(potential)


@pytest.mark.parametrize("fraction", ["roll", "up", "down"])
@pytest.mark.parametrize("hybrid", [False, True])
@pytest.mark.parametrize(
    "told",
    [
        {"bands": 1, "impact": 10, "armour": 6},
        {"bands": 2, "impact": 12, "armour": 4, "support": "D8"},
        {"bands": 1, "impact": 8, "armour": 8, "support": "D4", "second_support": "D6", "position": True},
        {"bands": 1, "impact": 6, "armour": 6, "support": "D6", "position": True, "cover": "soft"},
    ],
)
def test_a_fire_with_support_weapons_counted_roll_by_roll(
    shipped: Ask,
    told: dict[str, Any],
    hybrid: bool,  # noqa: FBT001 - an input
    fraction: str,
) -> None:
    impact, cover = told["impact"], told.get("cover", "none")
    guard = shifted(told["armour"], cover)
    range_die = LADDER[told["bands"] - 1 + STEPS[cover] + told.get("position", False)]
    joined = (told[one] for one in ("support", "second_support") if one in told)
    dice = [6, 8, *(int(one[1:]) for one in joined)]  # green, firepower 7
    if hybrid and apart(impact, guard) >= 3:
        hurt = Fraction(
            sum(max(0, mine - 1) if mine <= guard else guard for mine in range(1, impact + 1)), impact * guard
        )
    else:
        hurt = Fraction(max(0, impact - guard // 2), impact)
    expected: dict[int, Fraction] = {}

    def add(hits: int, weight: Fraction) -> None:
        for fallen in range(hits + 1):
            chance = weight * comb(hits, fallen) * hurt**fallen * (1 - hurt) ** (hits - fallen)
            expected[fallen] = expected.get(fallen, Fraction(0)) + chance

    for bar, *rolled in product(*(range(1, one + 1) for one in (range_die, *dice))):
        weight = Fraction(1, range_die * prod(dice))
        if sum(one > bar for one in rolled) < 2:
            add(0, weight)
            continue
        hits, rest = divmod(sum(rolled), range_die)
        if fraction == "roll":
            add(hits + 1, weight * Fraction(rest, range_die))
            add(hits, weight * (1 - Fraction(rest, range_die)))
        else:
            add(hits + (fraction == "up" and rest > 0), weight)
    asked = told | {"impact": f"D{impact}", "armour": f"D{told['armour']}", "hybrid": hybrid, "fraction": fraction}
    found = shipped("stargrunt2-quick/fire-by-rating", quality="green", firepower=7, **asked)
    numbers = found.numbers["casualties"]
    assert {value: numbers.probability(value) for value, _ in numbers.weights} == {
        count: chance for count, chance in expected.items() if chance
    }
    assert found.chance("none") == expected[0]


BOOK_RARER = {(4, 8), (4, 10), (4, 12), (6, 10), (6, 12), (8, 12)}
"""Impact and armour where the option wounds more rarely than the book; the readings list these six."""


def test_the_option_against_the_book(shipped: Ask) -> None:
    """Of 25 cells 18 are higher, 1 equal, 6 lower; the notes' own D10 against D8 is 6 of 10 against 44 of 80."""
    signs: dict[tuple[int, int], int] = {}
    for impact in LADDER:
        for armour in LADDER:
            told = {"impact": f"D{impact}", "armour": f"D{armour}"}
            option = shipped("stargrunt2-quick/casualty", **told).chance("wounded")
            book = shipped("stargrunt2/casualty", **told).chance("wounded", "killed")
            assert book == chances(icepool.d(impact) > icepool.d(armour))[True]
            signs[impact, armour] = (option > book) - (option < book)
            if (impact, armour) == (10, 8):
                assert (option, book) == (Fraction(6, 10), Fraction(44, 80))
    assert {cell for cell, sign in signs.items() if sign < 0} == BOOK_RARER
    assert [cell for cell, sign in signs.items() if sign == 0] == [(4, 6)]
    assert sum(sign > 0 for sign in signs.values()) == 18


def test_what_the_notes_say_cannot_happen(shipped: Ask) -> None:
    never = {
        (impact, armour)
        for impact in LADDER
        for armour in LADDER
        if not shipped("stargrunt2-quick/casualty", impact=f"D{impact}", armour=f"D{armour}").chance("wounded")
    }
    assert never == {(4, 8), (4, 10), (4, 12), (6, 12)}


@pytest.mark.parametrize("cover", STEPS)
@pytest.mark.parametrize("armour", LADDER)
@pytest.mark.parametrize("impact", LADDER)
def test_both_ways_by_one_impact_die(shipped: Ask, impact: int, armour: int, cover: str) -> None:
    guard = shifted(armour, cover)

    def settle(blow: int, other: int) -> str:
        by_option, by_book = blow > guard // 2, blow > other
        return {(True, True): "both", (True, False): "option-only", (False, True): "book-only"}.get(
            (by_option, by_book), "neither"
        )

    found = shipped("stargrunt2-quick/book-or-option", impact=f"D{impact}", armour=f"D{armour}", cover=cover)
    settled = chances(icepool.map(settle, icepool.d(impact), icepool.d(guard)))
    assert {outcome.id: chance for outcome, chance in found.outcomes if chance} == settled
    killed = chances(icepool.d(impact) > 2 * icepool.d(guard)).get(True, 0)
    assert found.events["book-killed"] == killed
    option, book = found.events["option-casualty"], found.events["book-casualty"]
    assert found.numbers["difference"].mean() == option - book


def test_the_table_of_signs_says_what_the_chances_say(shipped: Ask) -> None:
    ruleset = load(open_library(), "stargrunt2-quick", [])
    assert ruleset is not None
    rows = ruleset.tables["compared"].rows
    assert len(rows) == 25
    for row in rows:
        found = shipped("stargrunt2-quick/book-or-option", impact=row["impact"], armour=row["armour"])
        option, book = found.events["option-casualty"], found.events["book-casualty"]
        sign = (option > book) - (option < book)
        assert (row["casualties"], row["sign"]) == {1: ("more", "+"), 0: ("same", "="), -1: ("fewer", "−")}[sign]
        assert row["hybrid"] == (apart(int(row["impact"][1:]), int(row["armour"][1:])) >= 3)


def test_what_rounding_down_takes_off(shipped: Ask) -> None:
    """D10 against D8, 2 7/8 potential casualties: the figures of the claim."""
    told = {"impact": "D10", "armour": "D8", "potential": Fraction(23, 8)}
    means = [
        shipped("stargrunt2-quick/casualties", fraction=one, **told).numbers["casualties"].mean()
        for one in ("roll", "up", "down")
    ]
    book = shipped("stargrunt2/casualty", impact="D10", armour="D8").chance("wounded", "killed") * Fraction(23, 8)
    assert [f"{float(one):.1f}" for one in (book, *means)] == ["1.6", "1.7", "1.8", "1.2"]
