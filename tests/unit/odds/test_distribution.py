from fractions import Fraction
from typing import Any, cast

import pytest

from generator.odds.distribution import Distribution


def test_weights_keep_their_order_and_scale_and_lose_zeros() -> None:
    odds = Distribution({"b": 4, "none": 0, "a": 2})
    assert odds.weights == (("b", 4), ("a", 2))
    assert odds.total == 6


def test_a_distribution_does_not_change_with_the_mapping_that_it_was_made_of() -> None:
    weights = {"a": 1, "b": 1}
    odds = Distribution(weights)
    weights["a"] = 7
    assert odds.probability("a") == Fraction(1, 2)


@pytest.mark.parametrize("weights", [{}, {"a": 0, "b": 0}])
def test_nothing_that_can_come_up_is_refused(weights: dict[str, int]) -> None:
    with pytest.raises(ValueError, match="needs a value"):
        Distribution(weights)
    with pytest.raises(ValueError, match="needs a value"):
        Distribution(weights)
    with pytest.raises(ValueError, match="needs a value"):
        Distribution.uniform([])


def test_negative_weights_are_refused_even_where_they_would_add_up_to_more_than_nothing() -> None:
    with pytest.raises(ValueError, match="never negative: -1 of 'b'"):
        Distribution({"a": 2, "b": -1})
    with pytest.raises(ValueError, match="never negative: -1 of 'a'"):
        Distribution([("a", 2), ("a", -1)])


@pytest.mark.parametrize("weight", [0.5, Fraction(1, 2), "1"])
def test_weights_that_are_not_whole_are_refused(weight: object) -> None:
    with pytest.raises(TypeError, match="a weight is a whole number"):
        Distribution({"a": cast("int", weight)})


def test_a_distribution_adds_up_what_comes_again() -> None:
    assert Distribution([("a", 1), ("b", 2), ("a", 3)]).weights == (("a", 4), ("b", 2))
    assert Distribution({"a": 4, "b": 2}).weights == (("a", 4), ("b", 2))


def test_uniform_counts_a_repeated_value_each_time() -> None:
    assert Distribution.uniform("aab").weights == (("a", 2), ("b", 1))


def test_certain_is_certain() -> None:
    assert Distribution.certain("a").probability("a") == 1


def test_probability_of_the_absent_is_zero() -> None:
    assert Distribution({"a": 1}).probability("b") == 0
    assert Distribution({"a": 1}).probability(None) == 0


def test_where_adds_up_what_the_predicate_holds_for() -> None:
    odds = Distribution({1: 1, 2: 2, 3: 3})
    assert odds.where(lambda value: value > 1) == Fraction(5, 6)
    assert odds.where(lambda value: value > 3) == 0


def test_mean_of_whole_numbers_and_of_fractions() -> None:
    assert Distribution({1: 1, 4: 2}).mean() == 3
    assert Distribution({Fraction(1, 2): 1, Fraction(1, 3): 1}).mean() == Fraction(5, 12)


@pytest.mark.parametrize("value", ["hit", 0.5])
def test_mean_refuses_what_is_not_exact(value: Any) -> None:
    with pytest.raises(TypeError):
        Distribution.certain(value).mean()


def test_map_merges_and_keeps_the_total() -> None:
    odds = Distribution({1: 1, 2: 2, 3: 3}).map(lambda value: value % 2)
    assert odds.weights == ((1, 4), (0, 2))


def test_combine_multiplies_the_ways_of_the_two() -> None:
    first, second = Distribution({1: 1, 2: 2}), Distribution({1: 3, 2: 4})
    assert first.combine(second, lambda mine, theirs: mine - theirs).weights == ((0, 11), (-1, 4), (1, 6))


def test_lowest_terms_divides_by_what_all_weights_share() -> None:
    assert Distribution({"a": 12, "b": 18}).lowest_terms().weights == (("a", 2), ("b", 3))


def test_equality_compares_probabilities_whatever_the_scale_and_order() -> None:
    odds = Distribution({"a": 1, "b": 2})
    assert odds == Distribution({"b": 200, "a": 100})
    assert odds != Distribution({"a": 2, "b": 1})
    assert odds != Distribution({"a": 1, "b": 2, "c": 1})
    assert odds != Distribution({"a": 1, "c": 2})
    assert odds != Distribution({"a": 10**30, "b": 2 * 10**30 + 1})
    assert odds != {"a": 1, "b": 2}


def test_equal_distributions_hash_alike() -> None:
    odds = Distribution({"a": 1, "b": 2})
    assert len({odds, Distribution({"b": 4, "a": 2}), Distribution({"a": 2, "b": 1})}) == 2


def test_repr_shows_the_weights_as_they_are() -> None:
    odds = Distribution({"a": 2, "b": 4})
    assert repr(odds) == "Distribution({'a': 2, 'b': 4})"
