"""What holds for any pot, any repetition and any burst, not for the examples alone."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import product
from math import comb
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from generator.odds.dice import Pool, dice_sum, roll_pool
from generator.odds.distribution import Distribution, counts
from generator.odds.hexes import Walk
from generator.odds.pot import Draw, Pot, draw

if TYPE_CHECKING:
    from collections.abc import Sequence

    from generator.odds.hexes import Spot

pytestmark = pytest.mark.slow

COLOURS = ["red", "green", "yellow"]
GROUPS = st.frozensets(st.sampled_from(COLOURS))
POTS = st.builds(
    lambda numbered, marked: Pot(tuple((*key, count) for key, count in numbered.items()), tuple(marked.items())),
    st.dictionaries(st.tuples(st.sampled_from(COLOURS), st.integers(0, 4)), st.integers(0, 4), min_size=1, max_size=5),
    st.dictionaries(st.sampled_from(["boom", "stop", "jam"]), st.integers(0, 3), max_size=3),
).filter(lambda pot: pot.size > 0)
VALUES = ["a", "b", "c"]
ODDS = (
    st.dictionaries(st.sampled_from(VALUES), st.integers(0, 9), min_size=1)
    .filter(lambda weights: any(weights.values()))
    .map(Distribution)
)


def pots_and_counters(pots: st.SearchStrategy[Pot] = POTS) -> st.SearchStrategy[tuple[Pot, int]]:
    return pots.flatmap(lambda pot: st.tuples(st.just(pot), st.integers(0, pot.size)))


def counting(pot: Pot, groups: frozenset[str]) -> int:
    """All points in the pot that count."""
    return sum(number * count for group, number, count in pot.numbered if group in groups)


@given(pots_and_counters(), GROUPS)
def test_the_ways_to_draw_are_the_ways_to_choose(some: tuple[Pot, int], groups: frozenset[str]) -> None:
    pot, counters = some
    assert draw(pot, counters, groups).total == comb(pot.size, counters)
    assert all(ways > 0 for ways in (ways for _, ways in draw(pot, counters, groups).weights))


@given(POTS, GROUPS)
def test_drawing_all_is_what_lies_in_the_pot(pot: Pot, groups: frozenset[str]) -> None:
    marks = frozenset(mark for mark, count in pot.marked if count)
    numbered = sum(count for *_, count in pot.numbered)
    assert draw(pot, pot.size, groups).weights == ((Draw(counting(pot, groups), marks, numbered), 1),)
    assert draw(pot, 0, groups).weights == ((Draw(0, frozenset(), 0), 1),)


@given(pots_and_counters(), GROUPS)
def test_each_counter_brings_its_share_of_the_points(some: tuple[Pot, int], groups: frozenset[str]) -> None:
    pot, counters = some
    points = draw(pot, counters, groups).map(lambda what: what.points)
    assert points.mean() == Fraction(counters * counting(pot, groups), pot.size)


@given(pots_and_counters(), GROUPS)
def test_what_is_drawn_and_what_is_left_have_the_same_odds(some: tuple[Pot, int], groups: frozenset[str]) -> None:
    pot, counters = some
    left = draw(pot, pot.size - counters, groups).map(lambda what: counting(pot, groups) - what.points)
    assert draw(pot, counters, groups).map(lambda what: what.points) == left


@given(pots_and_counters())
def test_a_mark_stays_in_the_pot_as_often_as_all_others_are_chosen_without_it(some: tuple[Pot, int]) -> None:
    pot, counters = some
    for mark, count in pot.marked:
        without = draw(pot, counters, frozenset(COLOURS)).where(lambda what, mark=mark: mark not in what.marks)  # type: ignore[misc]
        assert without == Fraction(comb(pot.size - count, counters), comb(pot.size, counters))


@given(pots_and_counters(), GROUPS, st.randoms(use_true_random=False))
def test_how_the_pot_is_written_down_does_not_matter(
    some: tuple[Pot, int], groups: frozenset[str], random: object
) -> None:
    """Another order, and each sort of counters as two lines."""
    pot, counters = some
    lines = [(group, number, part) for group, number, count in pot.numbered for part in (count // 2, -(-count // 2))]
    marked = [(mark, part) for mark, count in pot.marked for part in (1, count - 1) if count]
    random.shuffle(lines)  # type: ignore[attr-defined]
    random.shuffle(marked)  # type: ignore[attr-defined]
    assert draw(Pot(tuple(lines), tuple(marked)), counters, groups) == draw(pot, counters, groups)


@given(pots_and_counters(), GROUPS, st.integers(0, 5))
def test_numbers_that_are_worth_more_scale_the_points(some: tuple[Pot, int], groups: frozenset[str], by: int) -> None:
    pot, counters = some
    scaled = Pot(tuple((group, number * by, count) for group, number, count in pot.numbered), pot.marked)
    expected = draw(pot, counters, groups).map(lambda what: what._replace(points=what.points * by))
    assert draw(scaled, counters, groups) == expected


@given(pots_and_counters(), GROUPS, GROUPS)
def test_more_groups_and_more_counters_never_make_points_rarer(
    some: tuple[Pot, int], groups: frozenset[str], more: frozenset[str]
) -> None:
    pot, counters = some
    for armour in range(counting(pot, groups | more) + 1):

        def over(what: Draw, armour: int = armour) -> bool:
            return what.points > armour

        chance = draw(pot, counters, groups).where(over)
        assert draw(pot, counters, groups | more).where(over) >= chance
        assert draw(pot, min(counters + 1, pot.size), groups).where(over) >= chance
        assert draw(pot, counters, groups).where(lambda what, armour=armour: what.points > armour + 1) <= chance  # type: ignore[misc]


@settings(max_examples=40)
@given(ODDS, st.integers(0, 5), st.integers(0, 5))
def test_rolls_counted_apart_add_up(odds: Distribution[str], some: int, more: int) -> None:
    def added(one: tuple[int, ...], other: tuple[int, ...]) -> tuple[int, ...]:
        return tuple(map(sum, zip(one, other, strict=True)))

    together = counts(odds, VALUES, some + more)
    assert together == counts(odds, VALUES, some).combine(counts(odds, VALUES, more), added)
    assert together.total == odds.total ** (some + more)


@given(ODDS, st.integers(0, 6))
def test_each_value_comes_up_as_often_as_it_is_likely(odds: Distribution[str], times: int) -> None:
    found = counts(odds, VALUES, times)
    for place, value in enumerate(VALUES):
        assert found.map(lambda several, place=place: several[place]).mean() == times * odds.probability(value)  # type: ignore[misc]
    assert found.where(lambda several: sum(several) != times) == 0


@given(st.lists(st.integers(1, 20), min_size=1, max_size=5), st.randoms(use_true_random=False))
def test_sums_are_even_about_their_middle_and_dice_have_no_order(sides: list[int], random: object) -> None:
    found = dice_sum(*sides)
    ends = len(sides) + sum(sides)
    assert found == found.map(lambda total: ends - total)
    shuffled = list(sides)
    random.shuffle(shuffled)  # type: ignore[attr-defined]
    assert dice_sum(*shuffled).weights == found.weights
    assert roll_pool(Pool(tuple(shuffled), keep=1)).weights == roll_pool(Pool(tuple(sides), keep=1)).weights


RING: Sequence[Spot] = ((0, -1), (1, -1), (1, 0), (0, 1), (-1, 1), (-1, 0))
SPOTS = st.tuples(st.integers(-2, 2), st.integers(-2, 2))
TARGETS = st.sets(SPOTS, min_size=1, max_size=6).map(lambda spots: {spot: n for n, spot in enumerate(sorted(spots))})
STRAYS = (
    st.dictionaries(st.one_of(st.none(), st.integers(0, 3)), st.integers(1, 4), min_size=1, max_size=3)
    .map(Distribution)
)  # fmt: skip
SHOTS = st.integers(0, 4)


def turned(spot: Spot) -> Spot:
    """A sixth of a full turn."""
    return -spot[1], spot[0] + spot[1]


@settings(max_examples=40)
@given(TARGETS, SPOTS, STRAYS, SHOTS, st.integers(0, 2))
def test_as_many_strikes_are_expected_as_the_hexes_get(
    target: dict[Spot, int], start: Spot, by: Distribution[int | None], shots: int, steered: int
) -> None:
    walk = Walk(target, RING, by, shots, steered)
    strikes, struck = walk.strikes(start), walk.struck(start)
    assert strikes.mean() == (shots + 1) * (1 - struck.probability(None))
    assert max(number for number, _ in strikes.weights) <= shots + 1


@settings(max_examples=40)
@given(TARGETS, SPOTS, STRAYS, SHOTS, SPOTS)
def test_a_burst_knows_no_place_and_no_direction(
    target: dict[Spot, int], start: Spot, by: Distribution[int | None], shots: int, moved: Spot
) -> None:
    """Everything moved, or turned by a sixth: the same odds."""
    found = Walk(target, RING, by, shots, 0).struck(start)
    there = {(q + moved[0], r + moved[1]): place for (q, r), place in target.items()}
    assert Walk(there, RING, by, shots, 0).struck((start[0] + moved[0], start[1] + moved[1])) == found
    round_ = {turned(spot): place for spot, place in target.items()}
    assert Walk(round_, RING, by, shots, 0).struck(turned(start)) == found


@settings(max_examples=40)
@given(TARGETS, SPOTS, STRAYS, SHOTS, SPOTS)
def test_more_shots_or_more_of_a_target_are_never_struck_less(
    target: dict[Spot, int], start: Spot, by: Distribution[int | None], shots: int, another: Spot
) -> None:
    found = Walk(target, RING, by, shots, 0).strikes(start)
    larger = Walk({**target, another: target.get(another, len(target))}, RING, by, shots, 0).strikes(start)
    longer = Walk(target, RING, by, shots + 1, 0).strikes(start)
    for number in range(1, shots + 2):
        enough = found.where(lambda strikes, number=number: strikes >= number)  # type: ignore[misc]
        assert larger.where(lambda strikes, number=number: strikes >= number) >= enough  # type: ignore[misc]
        assert longer.where(lambda strikes, number=number: strikes >= number) >= enough  # type: ignore[misc]


@settings(max_examples=15)
@given(TARGETS, SPOTS, st.integers(0, 3))
def test_a_burst_of_single_steps_is_every_way_of_going(target: dict[Spot, int], start: Spot, shots: int) -> None:
    counted: Counter[int] = Counter()
    for ways in product(RING, repeat=shots):
        at, strikes = start, int(start in target)
        for q, r in ways:
            at = at[0] + q, at[1] + r
            strikes += at in target
        counted[strikes] += 1
    assert Walk(target, RING, Distribution.certain(1), shots, 0).strikes(start) == Distribution(counted)
