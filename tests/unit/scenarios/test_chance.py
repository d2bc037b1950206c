"""Rolls come up as often as their weights say: Pearson's statistic over fixed seeds, exact up to the last step."""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from math import erfc, exp, pi, sqrt
from typing import TYPE_CHECKING, Any, TypeAlias

import pytest

from generator.commands.access import load_valid, open_library
from generator.rules.load.load import ALL
from generator.rules.source.library import SCENARIO
from generator.scenarios.chance import Chance
from generator.scenarios.generate.draw_forces import ROLES
from generator.scenarios.generate.objectives import Names
from generator.scenarios.generate.roll import Picking, ScenarioRequest
from generator.scenarios.generate.scenario import twisted
from generator.scenarios.generate.tables import ScenarioTables
from generator.scenarios.scenario import table_columns, terrains

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from generator.rules.entries.tables import Row
    from generator.rules.ruleset import RuleSet

pytestmark = pytest.mark.slow

Weighed: TypeAlias = "tuple[tuple[Any, int], ...]"
"""Rows that something is picked from, with their weights."""
Counts: TypeAlias = "dict[str, dict[Weighed, dict[Any, int]]]"

SEEDS = 2000
SHARED = 0.001
"""What all of these tests together may be wrong by."""
RULES = ("dirtside2", "dirtside2-iceburg", "stargrunt2", "fma-skirmish", "sla-3d")
PICKED = (*(name for name, columns in table_columns()["columns"].items() if "weight" in columns), "turns")
CASES = [(rules, table) for rules in RULES for table in (*PICKED, "names")]
FEW = 5
"""Where a row is expected less often, the statistic is no chi-square: picks among these rows are not counted."""


def beyond(statistic: float, freedom: int) -> float:
    """The chance of a greater chi-square with so many degrees of freedom: a finite sum for whole numbers of them."""
    half = statistic / 2
    if freedom % 2 == 0:
        term = total = exp(-half)
        for step in range(1, freedom // 2):
            term *= half / step
            total += term
        return total
    total, term = erfc(sqrt(half)), exp(-half) * sqrt(half) * 2 / sqrt(pi)
    for step in range(1, freedom // 2 + 1):
        total += term
        term *= half / (step + Fraction(1, 2))
    return total


def test_the_tail_is_that_of_printed_tables() -> None:
    for freedom, critical in ((1, 10.828), (2, 13.816), (5, 20.515), (8, 26.124), (9, 27.877), (13, 34.528)):
        assert beyond(critical, freedom) == pytest.approx(0.001, rel=0.001)


def statistic(counts: list[int], weights: list[int]) -> Fraction:
    expected = [Fraction(sum(counts) * weight, sum(weights)) for weight in weights]
    return sum(((count - one) ** 2 / one for count, one in zip(counts, expected, strict=True)), start=Fraction(0))


def test_a_loaded_die_is_seen() -> None:
    counts = [0] * 6
    for seed in range(SEEDS):
        index, _ = Chance(seed, "loaded").weighed([10, 10, 10, 10, 10, 15])
        counts[index] += 1
    assert beyond(float(statistic(counts, [1] * 6)), 5) < SHARED / len(CASES)


class Watched(ScenarioTables):
    """Tables whose rolls are counted: how often each row came up, among those that it was rolled with."""

    def __init__(self, rules: RuleSet) -> None:
        self.counts: Counts = {}
        self._found: dict[Any, list[Row]] = {}
        super().__init__(rules)

    def rows(self, table: str, **wanted: Any) -> list[Row]:
        key = (table, *wanted.items())
        if key not in self._found:
            self._found[key] = super().rows(table, **wanted)
        return self._found[key]

    def roll(self, table: str, chance: Chance, among: Sequence[Row] | None = None) -> Row:
        row = super().roll(table, chance, among)
        weighed = tuple((str(one["name"]), one["weight"]) for one in (self.rows(table) if among is None else among))
        self.seen(table, weighed, str(row["name"]))
        return row

    def seen(self, table: str, among: Weighed, what: Any) -> None:
        counts = self.counts.setdefault(table, {}).setdefault(among, dict.fromkeys((one for one, _ in among), 0))
        counts[what] += 1


def chance_of(counts: dict[Weighed, dict[Any, int]]) -> float:
    """The chance of counts as odd as these: what was picked from different rows is added up, degrees and all."""
    total, freedom = Fraction(0), 0
    for among, found in counts.items():
        weights, number = [weight for _, weight in among], sum(found.values())
        if number * min(weights) >= FEW * sum(weights):
            total += statistic(list(found.values()), weights)
            freedom += len(among) - 1
    assert freedom or all(len(among) == 1 for among in counts)
    return beyond(float(total), freedom) if freedom else 1.0


@pytest.fixture(scope="module")
def counted() -> Callable[[str], Counts]:
    """What many seeds pick by a rule set, as the generator picks it: from the rows that fit what came before."""

    @cache
    def of(name: str) -> Counts:
        rules = load_valid(open_library(), name, only=[("kinds", ALL), (SCENARIO, ALL)])
        scenario_tables = Watched(rules)
        kinds, groups = terrains(rules), sorted({str(row["group"]) for row in scenario_tables.rows("names")})
        sizes, every = scenario_tables.rows("battle-sizes"), {str(row["arm"]) for row in scenario_tables.rows("arms")}
        arms = dict.fromkeys(ROLES, every)
        for seed in range(SEEDS):
            request = ScenarioRequest(seed)
            picks = Picking(scenario_tables, request, sizes[0]).picked()
            low, high = picks.mission["turns"]
            twisted(scenario_tables, seed, arms, kinds)
            scenario_tables.seen("turns", tuple((one, 1) for one in range(low, high + 1)), picks.turns)
            names = Names(scenario_tables, seed)
            for group in groups:
                among = tuple((str(row["name"]), 1) for row in scenario_tables.rows("names", group=group))
                scenario_tables.seen("names", among, names.draw(group))
        return scenario_tables.counts

    return of


@pytest.mark.soak
@pytest.mark.parametrize(("rules", "table"), CASES)
def test_every_table_is_rolled_by_its_weights(rules: str, table: str, counted: Callable[[str], Counts]) -> None:
    assert chance_of(counted(rules)[table]) > SHARED / len(CASES)


@pytest.mark.parametrize("table", ["missions", "deployments", "complications", "twists"])
def test_a_weight_that_is_not_kept_is_seen(table: str, counted: Callable[[str], Counts]) -> None:
    counts = counted("dirtside2")[table]
    heavier = max((one for among in counts for one in among), key=lambda one: one[1])
    wrong = {
        tuple((name, weight * (1 + (name == heavier[0]))) for name, weight in among): found
        for among, found in counts.items()
    }
    assert chance_of(wrong) < SHARED / len(CASES)


def test_every_order_is_as_likely() -> None:
    counts: dict[tuple[int, ...], int] = {}
    for seed in range(SEEDS):
        order = tuple(Chance(seed, "order").shuffled(range(4)))
        counts[order] = counts.get(order, 0) + 1
    assert len(counts) == 24
    assert beyond(float(statistic(list(counts.values()), [1] * 24)), 23) > SHARED


def test_what_has_a_name_already_does_not_give_it_to_another() -> None:
    scenario_tables = ScenarioTables(load_valid(open_library(), "dirtside2", only=[(SCENARIO, ALL)]))
    first = Names(scenario_tables, 3).draw("place")
    names = Names(scenario_tables, 3)
    names.taken([first])
    assert names.draw("place") not in (first, f"{first} 2")
