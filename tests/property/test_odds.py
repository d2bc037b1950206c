"""What holds for any dice at all, not for the examples alone."""

from fractions import Fraction
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from generator.odds.dice import LADDER, Pool, dice_sum, die, roll_pool
from generator.odds.distribution import Distribution, first_of

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


@given(SIDES)
def test_the_highest_and_the_sum_of_one_die_are_the_die(sides: int) -> None:
    alone = Distribution.uniform(range(1, sides + 1))
    assert roll_pool(Pool((sides,), keep=1)) == dice_sum(sides) == die(sides) == alone


@given(SMALL_POOL)
def test_highest_and_sum_agree_with_enumeration(sides: list[int]) -> None:
    highest = roll_pool(Pool(tuple(sides), keep=1))
    assert highest.weights == Distribution.uniform(sorted(max(roll) for roll in rolls(sides))).weights
    assert dice_sum(*sides).weights == Distribution.uniform(sorted(sum(roll) for roll in rolls(sides))).weights


@given(POOL)
def test_the_mean_of_a_sum_is_the_sum_of_means(sides: list[int]) -> None:
    assert dice_sum(*sides).mean() == sum(Fraction(faces + 1, 2) for faces in sides)


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
