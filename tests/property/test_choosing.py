"""Units to a target: the answer is looked for among all choices there are."""

from __future__ import annotations

from itertools import combinations
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from generator.scenarios.chance import Chance
from generator.scenarios.generate.tables import Candidate
from generator.scenarios.generate.units import Chosen, choose, drawn, least

NAMES = ("tanks", "foot", "guns")
ARMS: dict[str, tuple[Any, ...]] = {"tanks": ("tanks", 3), "foot": ("foot", 2), "guns": ("guns", 1, 1)}
"""By name: the arm of a candidate, its share, and its most."""
POOLS = st.lists(st.tuples(st.integers(0, 60), st.sampled_from(NAMES)), max_size=9).map(
    lambda given: [Candidate(f"Unit {number}", size, *ARMS[arm]) for number, (size, arm) in enumerate(given)]
)


def totals(pool: list[Candidate], most: int, target: int) -> set[int]:
    """What every choice of units comes to, as far as it may be spent."""
    choices = (one for count in range(most + 1) for one in combinations(pool, count))
    return {total for total in (sum(one.size for one in choice) for choice in choices) if total <= target}


def run(pool: list[Candidate], target: int, most: int, needs: list[str], seed: int) -> Chosen:
    return choose(pool, target, most, needs, Chance(seed, "units"))


@given(POOLS, st.integers(0, 300), st.integers(0, 6), st.lists(st.sampled_from(NAMES), max_size=3), st.integers(0, 99))
def test_the_total_is_near_where_any_choice_is(
    pool: list[Candidate], target: int, most: int, needs: list[str], seed: int
) -> None:
    found = run(pool, target, most, needs, seed)
    units = [one.unit for one in found.choices]
    assert len(units) <= most
    assert len(set(units)) == len(units)
    assert set(units) <= set(pool)
    assert found.total == sum(one.size for one in units) <= target
    possible = totals(pool, most, target)
    near = [one for one in possible if one >= least(target)]
    assert found.short == (not near)
    if near:
        assert found.total >= least(target)
    else:
        assert found.total == max(possible)


@given(POOLS, st.integers(0, 300), st.integers(1, 6), st.sampled_from(NAMES), st.integers(0, 99))
def test_a_need_is_met_where_any_near_choice_meets_it(
    pool: list[Candidate], target: int, most: int, need: str, seed: int
) -> None:
    found = run(pool, target, most, [need], seed)
    goal = max(totals(pool, most, target)) if found.short else least(target)
    choices = (one for count in range(most + 1) for one in combinations(pool, count))
    meeting = [one for one in choices if goal <= sum(u.size for u in one) <= target and any(u.arm == need for u in one)]
    # Of an arm that a force has little of, some units were left out at first: then fewer choices were open.
    if need != "guns" and sum(one.arm == "guns" for one in pool) <= ARMS["guns"][2]:
        assert (need in found.lacking) == (not meeting)
    if not found.lacking:
        assert found.choices[0].unit.arm == found.choices[0].need == need


@given(POOLS, st.integers(0, 99))
def test_every_unit_is_drawn_once(pool: list[Candidate], seed: int) -> None:
    assert sorted(drawn(pool, Chance(seed))) == sorted(pool)


def test_arms_come_up_by_their_shares() -> None:
    pool = [Candidate(f"{arm} {number}", 1, *ARMS[arm]) for arm in NAMES for number in range(60)]
    for seed in range(20):
        first = [one.arm for one in drawn(pool, Chance(seed))[:60]]
        assert [abs(first.count(arm) - expected) <= 1 for arm, expected in zip(NAMES, (30, 20, 10), strict=True)] == [
            True
        ] * 3


def test_what_a_force_has_little_of_is_not_taken_twice_unless_nothing_else_will_do() -> None:
    pool = [Candidate(f"Gun {number}", 10, *ARMS["guns"]) for number in range(4)] + [
        Candidate("Tank", 20, *ARMS["tanks"])
    ]
    for seed in range(30):
        assert [one.unit.arm for one in run(pool, 30, 9, [], seed).choices].count("guns") == 1
    assert run(pool, 40, 9, [], 1).total == 40


def test_the_same_seed_takes_the_same_units_and_others_take_others() -> None:
    pool = [Candidate(f"Unit {number}", 40 + number, *ARMS[NAMES[number % 3]]) for number in range(30)]
    taken = [tuple(one.unit.name for one in run(pool, 500, 12, ["guns"], seed).choices) for seed in range(40)]
    assert taken == [tuple(one.unit.name for one in run(pool, 500, 12, ["guns"], seed).choices) for seed in range(40)]
    assert len(set(taken)) > 35
    assert {name for names in taken for name in names} == {one.name for one in pool}
