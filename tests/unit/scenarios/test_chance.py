"""Rolls come up as often as their weights say: Pearson's statistic over fixed seeds, exact up to the last step."""

from __future__ import annotations

from fractions import Fraction
from math import erfc, exp, pi, sqrt

import pytest

from generator.pipeline.access import load_sound
from generator.rules.library import SCENARIO, open_library
from generator.rules.loading import ALL
from generator.scenarios.chance import Chance
from generator.scenarios.lore import TABLES, Lore

SEEDS = 4000
SHARED = 0.001
"""What all of these tests together may be wrong by."""
RULES = ("dirtside2", "dirtside2-iceburg", "stargrunt2", "fma-skirmish", "sla-3d")
WEIGHED = tuple(name for name, columns in TABLES.items() if "weight" in columns)
CASES = [(rules, table) for rules in RULES for table in WEIGHED]


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


@pytest.mark.parametrize(("rules", "table"), CASES)
def test_every_table_is_rolled_by_its_weights(rules: str, table: str) -> None:
    found = load_sound(open_library(), rules, only=[("kinds", ALL), (SCENARIO, ALL)])
    lore = Lore(found)
    rows = lore.rows(table)
    counts = {str(row["name"]): 0 for row in rows}
    for seed in range(SEEDS):
        counts[str(lore.roll(table, Chance(seed, table))["name"])] += 1
    weights = [row["weight"] for row in rows]
    assert beyond(float(statistic(list(counts.values()), weights)), len(rows) - 1) > SHARED / len(CASES)
    assert {one.table for one in lore.rolls} == {table}
    assert {one.roll for one in lore.rolls} == set(range(1, sum(weights) + 1))


def test_every_order_is_as_likely() -> None:
    counts: dict[tuple[int, ...], int] = {}
    for seed in range(SEEDS):
        order = tuple(Chance(seed, "order").shuffled(range(4)))
        counts[order] = counts.get(order, 0) + 1
    assert len(counts) == 24
    assert beyond(float(statistic(list(counts.values()), [1] * 24)), 23) > SHARED
