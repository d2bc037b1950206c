"""What holds for any dice at all, not for the examples alone."""

from fractions import Fraction
from itertools import product

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from generator.odds.chain import chain
from generator.odds.dice import LADDER, dice_sum, die, highest, shift
from generator.odds.distribution import Distribution
from generator.odds.opposed import opposed
from generator.odds.repeat import first_of

pytestmark = pytest.mark.slow

OUTCOMES = ["a", "b", "c", "d", "e"]

SIDES = st.integers(1, 30)
POOL = st.lists(SIDES, min_size=1, max_size=8)
SMALL_POOL = st.lists(st.integers(1, 5), min_size=1, max_size=3)
LADDER_DIE = st.sampled_from(LADDER)
LADDER_POOL = st.lists(LADDER_DIE, min_size=1, max_size=4)
ODDS = (
    st.dictionaries(st.sampled_from(OUTCOMES), st.integers(0, 60), min_size=1)
    .filter(lambda weights: any(weights.values()))
    .map(Distribution)
)


def probabilities(odds: Distribution[str]) -> dict[str, Fraction]:
    return {value: odds.probability(value) for value, _ in odds.weights}


def rolls(sides: list[int]) -> list[tuple[int, ...]]:
    return list(product(*(range(1, faces + 1) for faces in sides)))


@given(POOL, POOL)
def test_opposed_odds_add_up_to_one(attacker: list[int], defender: list[int]) -> None:
    assert sum(probabilities(opposed(attacker, defender)).values()) == 1


@given(SMALL_POOL, SMALL_POOL)
def test_opposed_agrees_with_enumeration(attacker: list[int], defender: list[int]) -> None:
    pairs = [(max(mine), max(theirs)) for mine in rolls(attacker) for theirs in rolls(defender)]
    above, level = sum(mine > theirs for mine, theirs in pairs), sum(mine == theirs for mine, theirs in pairs)
    assert opposed(attacker, defender) == Distribution(
        {"above": above, "level": level, "below": len(pairs) - above - level}
    )


@given(POOL, POOL)
def test_swapping_the_sides_swaps_above_and_below(attacker: list[int], defender: list[int]) -> None:
    swapped = {"above": "below", "level": "level", "below": "above"}
    assert opposed(attacker, defender) == opposed(defender, attacker).map(swapped.__getitem__)


@given(POOL, POOL, SIDES)
def test_another_die_for_the_attacker_never_lowers_above(attacker: list[int], defender: list[int], more: int) -> None:
    assert opposed([*attacker, more], defender).probability("above") >= opposed(attacker, defender).probability("above")


@given(POOL, POOL, SIDES)
def test_another_die_for_the_defender_never_raises_above(attacker: list[int], defender: list[int], more: int) -> None:
    assert opposed(attacker, [*defender, more]).probability("above") <= opposed(attacker, defender).probability("above")


@given(LADDER_POOL, LADDER_POOL, st.data())
def test_a_bigger_die_on_the_ladder_never_lowers_above(
    attacker: list[int], defender: list[int], data: st.DataObject
) -> None:
    place = data.draw(st.integers(0, len(attacker) - 1))
    bigger = [*attacker]
    bigger[place] = shift(bigger[place], data.draw(st.integers(0, 5)))
    assert opposed(bigger, defender).probability("above") >= opposed(attacker, defender).probability("above")


@given(POOL, POOL)
def test_the_order_of_the_dice_does_not_matter(attacker: list[int], defender: list[int]) -> None:
    assert opposed(attacker, defender) == opposed(attacker[::-1], sorted(defender))


@given(SIDES)
def test_the_highest_and_the_sum_of_one_die_are_the_die(sides: int) -> None:
    alone = Distribution.uniform(range(1, sides + 1))
    assert highest(sides) == dice_sum(sides) == die(sides) == alone


@given(SMALL_POOL)
def test_highest_and_sum_agree_with_enumeration(sides: list[int]) -> None:
    assert highest(*sides).weights == Distribution.uniform(sorted(max(roll) for roll in rolls(sides))).weights
    assert dice_sum(*sides).weights == Distribution.uniform(sorted(sum(roll) for roll in rolls(sides))).weights


@given(POOL)
def test_the_mean_of_a_sum_is_the_sum_of_means(sides: list[int]) -> None:
    assert dice_sum(*sides).mean() == sum(Fraction(faces + 1, 2) for faces in sides)


@given(LADDER_DIE, st.integers(-4, 4))
def test_a_shift_up_then_down_inside_the_ladder_leads_back(sides: int, steps: int) -> None:
    there = shift(sides, steps, beyond="none")
    assume(there is not None)
    assert there is not None
    assert shift(there, -steps) == sides
    assert LADDER.index(there) - LADDER.index(sides) == steps


@given(LADDER_DIE, st.integers(-9, 9))
def test_the_ends_of_the_ladder_differ_only_past_them(sides: int, steps: int) -> None:
    ended = shift(sides, steps, beyond="none")
    assert shift(sides, steps) == (ended if ended is not None else LADDER[0] if steps < 0 else LADDER[-1])


@given(ODDS)
def test_odds_add_up_to_one_and_are_never_zero(odds: Distribution[str]) -> None:
    assert sum(probabilities(odds).values()) == 1
    assert all(probability > 0 for probability in probabilities(odds).values())


@given(ODDS, st.integers(1, 50))
def test_lowest_terms_keeps_probabilities_whatever_the_scale(odds: Distribution[str], scale: int) -> None:
    scaled = Distribution({value: weight * scale for value, weight in odds.weights})
    assert probabilities(scaled.lowest_terms()) == probabilities(odds)
    assert scaled.lowest_terms().weights == odds.lowest_terms().weights
    assert scaled == odds
    assert hash(scaled) == hash(odds)


@given(ODDS, ODDS)
def test_equality_is_equality_of_probabilities(mine: Distribution[str], theirs: Distribution[str]) -> None:
    assert (mine == theirs) == (probabilities(mine) == probabilities(theirs))


@given(ODDS)
def test_a_chain_that_follows_with_the_same_is_no_change(odds: Distribution[str]) -> None:
    assert chain(odds, Distribution.certain) == odds
    assert chain(odds, {value: Distribution.certain(value) for value, _ in odds.weights}).weights == odds.weights
    nothing: dict[str, Distribution[str]] = {}
    assert chain(odds, nothing).weights == odds.weights


@given(ODDS, st.dictionaries(st.sampled_from(OUTCOMES), ODDS))
def test_a_chain_follows_the_law_of_total_probability(
    odds: Distribution[str], follow: dict[str, Distribution[str]]
) -> None:
    expected = {
        value: sum(
            odds.probability(first) * (follow[first].probability(value) if first in follow else int(first == value))
            for first in OUTCOMES
        )
        for value in OUTCOMES
    }
    assert {value: chain(odds, follow).probability(value) for value in OUTCOMES} == expected


@given(ODDS)
def test_first_of_one_roll_is_the_roll(odds: Distribution[str]) -> None:
    assert first_of(odds, OUTCOMES, 1) == odds


@given(ODDS, st.permutations(OUTCOMES), st.integers(1, 12))
def test_another_roll_never_makes_the_worst_state_better(odds: Distribution[str], order: list[str], times: int) -> None:
    fewer, more = first_of(odds, order, times), first_of(odds, order, times + 1)
    for count in range(1, len(order) + 1):
        bad = order[:count]
        assert more.where(bad.__contains__) >= fewer.where(bad.__contains__)


@given(ODDS, st.permutations(OUTCOMES), st.integers(1, 5))
def test_first_of_is_each_roll_combined_with_the_next(odds: Distribution[str], order: list[str], times: int) -> None:
    worst = odds
    for _ in range(times - 1):
        worst = worst.combine(odds, lambda one, other: min(one, other, key=order.index))
    assert first_of(odds, order, times) == worst


@given(ODDS, st.permutations(OUTCOMES))
def test_first_of_refuses_an_order_that_is_short(odds: Distribution[str], order: list[str]) -> None:
    last = [value for value in order if odds.probability(value)][-1]
    with pytest.raises(ValueError, match="missing"):
        first_of(odds, [value for value in order if value != last], 2)
