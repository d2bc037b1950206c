from fractions import Fraction
from itertools import product

import icepool
import pytest

from generator.odds.chain import chain
from generator.odds.dice import LADDER
from generator.odds.distribution import Distribution
from generator.odds.opposed import opposed

LEVEL_FACES = ["attacker-weapon-jammed", *["disabled"] * 5, *["immobilised"] * 2, *["defender-weapon-jammed"] * 2]
"""What each face of a D10 gives where the two sides come up level."""

SHOT = {
    "above": Distribution.certain("destroyed"),
    "level": Distribution.uniform(LEVEL_FACES),
    "below": Distribution.certain("no-effect"),
}


def shot(power: int, impact: int, armour: int) -> Distribution[str]:
    return chain(opposed([power, impact], [armour]), SHOT)


def enumerated(power: int, impact: int, armour: int) -> dict[str, Fraction]:
    odds: dict[str, Fraction] = {}
    each = Fraction(1, power * impact * armour * 10)
    for mine, other, theirs, face in product(range(power), range(impact), range(armour), range(10)):
        best = max(mine, other)
        outcome = "destroyed" if best > theirs else LEVEL_FACES[face] if best == theirs else "no-effect"
        odds[outcome] = odds.get(outcome, Fraction()) + each
    return odds


def test_the_known_figure_of_three_d8() -> None:
    odds = shot(8, 8, 8)
    assert {outcome: odds.probability(outcome) for outcome, _ in odds.weights} == {
        "destroyed": Fraction(77, 128),
        "attacker-weapon-jammed": Fraction(1, 80),
        "disabled": Fraction(1, 16),
        "immobilised": Fraction(1, 40),
        "defender-weapon-jammed": Fraction(1, 40),
        "no-effect": Fraction(35, 128),
    }


@pytest.mark.parametrize("armour", LADDER)
def test_every_cell_of_the_grid_agrees_with_enumeration(armour: int) -> None:
    for power, impact in product(LADDER, LADDER):
        odds = shot(power, impact, armour)
        assert {name: odds.probability(name) for name, _ in odds.weights} == enumerated(power, impact, armour)


@pytest.mark.parametrize("armour", LADDER)
def test_every_cell_of_the_grid_agrees_with_icepool(armour: int) -> None:
    faces = icepool.Die(LEVEL_FACES)
    for power, impact in product(LADDER, LADDER):
        best = icepool.highest(icepool.d(power), icepool.d(impact))
        theirs = (best - icepool.d(armour)).sign().map({1: "destroyed", 0: faces, -1: "no-effect"})
        odds = shot(power, impact, armour)
        assert set(theirs.outcomes()) >= {name for name, _ in odds.weights}
        assert all(odds.probability(name) == theirs.probability(name) for name in theirs.outcomes())


def test_what_the_mapping_leaves_out_stays_where_it_was() -> None:
    first = Distribution({"hit": 1, "jam": 1, "miss": 4})
    odds = chain(first, {"hit": Distribution({"dead": 1, "hurt": 2})})
    assert odds.weights == (("dead", 1), ("hurt", 2), ("jam", 3), ("miss", 12))


def test_what_the_mapping_names_besides_has_no_effect() -> None:
    first = Distribution({"hit": 1, "miss": 1})
    assert chain(first, {"jam": Distribution({"dead": 1, "hurt": 6})}).weights == first.weights


def test_a_function_is_asked_about_every_outcome() -> None:
    odds = chain(Distribution.uniform([1, 2, 3]), lambda count: Distribution.uniform(range(count)))
    assert odds == Distribution({0: 11, 1: 5, 2: 2})


def test_outcomes_that_meet_again_are_added_up() -> None:
    first = Distribution({"hit": 1, "miss": 1})
    odds = chain(first, {"hit": Distribution({"miss": 1, "dead": 3})})
    assert odds == Distribution({"miss": 5, "dead": 3})


def test_branches_meet_on_their_least_common_denominator() -> None:
    first = Distribution({"a": 1, "b": 1})
    odds = chain(first, {"a": Distribution.uniform(range(4)), "b": Distribution.uniform(range(6))})
    assert odds.total == 2 * 12


def test_a_chain_of_chains() -> None:
    tested = Distribution({"passed": 6, "failed": 2})
    fired = chain(tested, {"passed": Distribution({"hit": 1, "miss": 2}), "failed": Distribution.certain("miss")})
    wounded = chain(fired, {"hit": Distribution({"dead": 1, "hurt": 1})})
    assert wounded == Distribution({"dead": 1, "hurt": 1, "miss": 6})
