"""Sections in two columns that end about together."""

from __future__ import annotations

from generator.documents.columns import balanced
from generator.documents.heights import column_height, section_height
from generator.render.blocks import Section, Steps


def section(title: str, steps: int) -> Section:
    return Section(title, (Steps(("One short step.",) * steps),))


def test_columns_end_together_where_one_after_the_other_would_not() -> None:
    sections = [section("A", 10), section("B", 10), section("C", 10), section("D", 30)]
    left, right = (column_height(column) for column in balanced(sections))
    assert abs(left - right) < section_height(section("D", 0)) * 2.5
    assert balanced(sections)[1] == (sections[3],)
