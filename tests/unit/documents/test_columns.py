"""Sections in two columns: those that follow each other are put together, and both columns end about together."""

from __future__ import annotations

from generator.documents.columns import balanced, height, pooled
from generator.render.blocks import Row, Section, Steps


def section(title: str, steps: int) -> Section:
    return Section(title, (Steps(("One short step.",) * steps),))


def test_what_lost_the_column_beside_it_is_put_with_its_neighbours() -> None:
    one, other, wide = section("One", 3), section("Other", 3), section("Wide", 3)
    rows = pooled([Row(((one,),), half=True), Row(((other,),), half=True), Row(((wide,),))])
    assert [row.columns for row in rows] == [((one,), (other,)), ((wide,),)]


def test_columns_end_together_where_one_after_the_other_would_not() -> None:
    sections = [section("A", 10), section("B", 10), section("C", 10), section("D", 30)]
    left, right = (sum(map(height, column)) for column in balanced(sections))
    assert abs(left - right) < height(section("D", 0)) * 2.5
    assert balanced(sections)[1] == (sections[3],)
