"""Property: sides of a game without points differ by at most 15 % in expected exchange."""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from itertools import product
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from generator.commands.access import open_library
from generator.commands.scenarios import Stage, set_up
from generator.forces.cards import Exchange, Matchup
from generator.scenarios.generate.draw_forces import ForceDrawer
from generator.scenarios.generate.tables import ScenarioTables

if TYPE_CHECKING:
    from generator.forces.force import Force
    from generator.rules.entries.tables import Row

GAMES = (
    pytest.param("stargrunt2", marks=pytest.mark.slow),
    "fma-skirmish",
    pytest.param("sla-3d", marks=pytest.mark.slow),
)
USUAL = {"stargrunt2": 6, "fma-skirmish": 10, "sla-3d": 6}


@cache
def stage(game: str) -> Stage:
    return set_up(open_library(), game)


def force(game: str, name: str) -> Force:
    return stage(game).samples[name]()


# By hand

RANKS = {
    "cold-tap-squad": (6, 7, 8, 0, 5, 5),
    "grey-stair-marksmen": (8, 9, 6, 6, 3, 3, 3, 3, 5, 5, 5),
}
"""The best rank in a gun of each character, from the files; 0 for a character without a gun."""


def roll(rank: int) -> Fraction:
    """The chance of 13 or more on three D6 and the rank, by counting; a character without a gun does not fire."""
    hits = sum(sum(dice) + rank >= 13 for dice in product(range(1, 7), repeat=3))
    return Fraction(hits, 216) if rank else Fraction(0)


def test_expected_hits_are_those_counted_roll_by_roll() -> None:
    squad, marksmen = (force("sla-3d", name) for name in RANKS)
    exchange = Matchup(squad, marksmen).compare(*([unit.name for unit in item.units] for item in (squad, marksmen)))
    hits = [sum(map(roll, ranks), start=Fraction(0)) for ranks in RANKS.values()]
    assert exchange == Exchange((6, 11), (hits[0], hits[1]))
    assert exchange.shares == (hits[0] / 11, hits[1] / 6)


@given(st.integers(1, 9), st.integers(1, 9), st.integers(1, 5), st.fractions(min_value=Fraction(1, 9), max_value=1))
def test_equal_troops_in_the_ratio_do_not_differ(first: int, second: int, times: int, chance: Fraction) -> None:
    elements = first * times, second * times
    assert Exchange(elements, (chance * elements[0], chance * elements[1])).difference(first, second) == 0


def test_a_side_that_hits_half_as_often_has_half_as_much() -> None:
    assert Exchange((4, 4), (Fraction(1), Fraction(2))).difference(1, 1) == Fraction(1, 2)
    assert Exchange((4, 4), (Fraction(0), Fraction(2))).difference(1, 1) == 1
    assert Exchange((4, 4), (Fraction(0), Fraction(0))).difference(1, 1) == 1


def both_above(quality: int, firepower: int, armour: int) -> Fraction:
    """The chance that both dice of the firer beat the armour die, by counting."""
    rolls = list(product(*(range(1, sides + 1) for sides in (quality, firepower, armour))))
    return Fraction(sum(min(first, second) > best for first, second, best in rolls), len(rolls))


def test_dice_that_cannot_be_read_are_d8_on_both_sides() -> None:
    guard, mob = force("fma-skirmish", "vault-eleven-guard"), force("fma-skirmish", "tannery-row-mob")
    exchange = Matchup(guard, mob).compare(["First barricade"], ["Gangers"])
    assert exchange == Exchange((3, 3), (3 * both_above(8, 8, 4), 3 * both_above(8, 8, 8)))


def test_a_design_counts_as_often_as_its_unit_lists_it() -> None:
    guard, mob = force("fma-skirmish", "vault-eleven-guard"), force("fma-skirmish", "tannery-row-mob")
    first, *others = guard.units
    twice = guard._replace(units=(first._replace(of=(*first.of, *first.of)), *others))
    assert Matchup(twice, mob).units[0][first.name].total() == 2 * Matchup(guard, mob).units[0][first.name].total()


# The draw


def drawn(game: str, seed: int, mission: Row) -> tuple[Exchange, ScenarioTables]:
    rules, size = stage(game).rules, USUAL[game]
    tables = ScenarioTables(rules)
    drawer = ForceDrawer(tables, seed, mission, rules.tables["battle-sizes"].find((size,)), size)
    mine, theirs = drawer.raised([], [*stage(game).samples.values()])
    exchange = Matchup(mine.force, theirs.force).compare(mine.units, theirs.units)
    assert exchange is not None
    return exchange, tables


@pytest.mark.parametrize("game", GAMES)
def test_drawn_sides_differ_by_at_most_15_percent(game: str) -> None:
    for mission in stage(game).rules.tables["missions"].rows:
        exchange, _ = drawn(game, 3, mission)
        assert exchange.difference(mission["attacker"], mission["defender"]) <= Fraction(15, 100), mission


@pytest.mark.parametrize("game", GAMES)
@settings(max_examples=20)
@given(data=st.data())
def test_one_side_has_the_full_size_and_a_larger_difference_is_reported(game: str, data: st.DataObject) -> None:
    mission = data.draw(st.sampled_from(stage(game).rules.tables["missions"].rows))
    exchange, tables = drawn(game, data.draw(st.integers(1, 10**9)), mission)
    assert max(exchange.elements) == USUAL[game]
    differs = exchange.difference(mission["attacker"], mission["defender"]) > Fraction(15, 100)
    assert differs == any("even fight" in worse.found for worse in tables.shortfalls)
