from collections import Counter
from itertools import product

import icepool
import pytest

from generator.odds.distribution import Distribution, counts, first_of

SHOT = Distribution({"nothing": 35, "dead": 77, "jammed": 6, "hurt": 10})
WORST_FIRST = ["dead", "hurt", "jammed", "nothing"]


@pytest.mark.parametrize("times", [1, 2, 3])
def test_first_of_counts_every_salvo(times: int) -> None:
    small = Distribution({"nothing": 3, "dead": 2, "jammed": 1, "hurt": 2})
    faces = [value for value, weight in small.weights for _ in range(weight)]
    counted = Counter(min(salvo, key=WORST_FIRST.index) for salvo in product(faces, repeat=times))
    assert dict(first_of(small, WORST_FIRST, times).weights) == counted


@pytest.mark.parametrize("times", [1, 4, 9])
def test_icepool_says_the_same(times: int) -> None:
    ranks = icepool.Die({WORST_FIRST.index(value): weight for value, weight in SHOT.weights})
    theirs = icepool.lowest([ranks] * times)
    odds = first_of(SHOT, WORST_FIRST, times)
    assert all(odds.probability(WORST_FIRST[rank]) == theirs.probability(rank) for rank in theirs.outcomes())


def test_the_result_keeps_to_the_order_and_drops_what_cannot_come_up() -> None:
    odds = first_of(Distribution({"c": 1, "a": 1}), ["a", "b", "c"], 2)
    assert odds.weights == (("a", 3), ("c", 1))


def test_a_hundred_rolls_stay_exact() -> None:
    assert first_of(SHOT, WORST_FIRST, 100).total == 128**100


def test_an_order_without_a_value_is_refused() -> None:
    with pytest.raises(ValueError, match="'jammed' is missing"):
        first_of(SHOT, ["dead", "hurt", "nothing"], 1)


def test_too_many_counts_are_refused_and_not_worked_out() -> None:
    assert len(counts(Distribution.uniform(range(3)), range(12), 40).weights) == 861
    with pytest.raises(ValueError, match="too many"):
        counts(Distribution.uniform(range(12)), range(12), 40)
