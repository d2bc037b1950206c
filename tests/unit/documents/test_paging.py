"""Sections in two columns over pages: columns end where pages do, and what comes later fills what would stay empty."""

from __future__ import annotations

from dataclasses import replace

import pytest

from generator.documents import paging
from generator.documents.heights import ACROSS, section_height
from generator.render.blocks import Cell, Column, Row, Section, Steps, Table

PAGE = 260.0
"""Millimetres that every page has at least, but for the first."""


def section(title: str, steps: int) -> Section:
    return Section(title, (Steps(("One short step.",) * steps),))


def paged(rows: list[Row]) -> tuple[Row, ...]:
    return paging.paged(rows).rows


def halves(*sections: Section) -> list[Row]:
    return [Row(((one,),), half=True) for one in sections]


def titles(rows: tuple[Row, ...]) -> list[tuple[str, ...]]:
    return [tuple(one.title for column in row.columns for one in column) for row in rows]


def test_what_lost_the_column_beside_it_is_put_with_its_neighbours() -> None:
    one, other, wide = section("One", 3), section("Other", 3), section("Wide", 3)
    rows = paged([*halves(one, other), Row(((wide,),))])
    assert [row.columns for row in rows] == [((one,), (other,)), ((wide,),)]


def test_every_section_is_printed_once_and_no_page_is_overfull() -> None:
    sections = [section(str(number), 2 + number * 7 % 11) for number in range(60)]
    rows = paged(halves(*sections))
    assert sorted(int(title) for row in titles(rows) for title in row) == list(range(60))
    assert len(rows) > 2
    for row in rows:
        assert max(sum(map(section_height, column)) for column in row.columns) <= PAGE + 5


def test_pages_between_the_first_and_the_last_have_no_holes() -> None:
    sections = [section(str(number), 2 + number * 7 % 11) for number in range(60)]
    for row in paged(halves(*sections))[1:-1]:
        assert min(sum(map(section_height, column)) for column in row.columns) > PAGE * 0.85


def test_later_sections_fill_the_page_before_a_row_that_does_not_fit() -> None:
    wide = Row(((section("Wide", 34),),))
    rows = paged([*halves(section("A", 15), section("B", 15)), wide, *halves(section("C", 8), section("D", 8))])
    assert [set(one) for one in titles(rows)] == [{"A", "B", "C", "D"}, {"Wide"}]


def test_a_section_that_would_stand_alone_gets_a_later_one_beside_it() -> None:
    wide = Row(((section("Wide", 3),),))
    rows = paged([*halves(section("A", 8)), wide, *halves(section("B", 7), section("C", 30))])
    assert titles(rows)[0] == ("A", "B")


def test_what_no_page_can_hold_is_printed_all_the_same() -> None:
    rows = paged(halves(section("Long", 90), section("Short", 2)))
    assert {title for row in titles(rows) for title in row} == {"Long", "Short"}


@pytest.mark.parametrize("count", [12, 13])
def test_a_last_page_gets_some_of_those_before_it(count: int) -> None:
    """A page and a little: both pages then hold about as much."""
    rows = paged(halves(*(section(str(number), 6) for number in range(count))))
    first, second = (sum(map(section_height, (one for column in row.columns for one in column))) for row in rows)
    assert second > first * 0.45
    assert rows[1].new_page


def long_table(name: str, count: int) -> Section:
    rows = tuple((Cell(f"{name} {number}"), Cell("1")) for number in range(count))
    return Section("", (Table((Column("Line"), Column("Figure")), rows, name, over=name, breakable=True),))


def test_long_tables_are_cut_between_rows_and_lose_none() -> None:
    names = ("A", "B", "C", "D", "E")
    rows = paged(halves(*(long_table(name, 40) for name in names)))
    tables = [
        block for row in rows for column in row.columns for section in column for block in section.blocks
        if isinstance(block, Table)
    ]  # fmt: skip
    assert [row[0].text for one in tables for row in one.rows] == [f"{name} {n}" for name in names for n in range(40)]
    assert {one.over for one in tables} > {"A", "B", "B, continued"}
    assert min(len(one.rows) for one in tables) >= 5
    for row in rows:
        assert max(sum(map(section_height, column)) for column in row.columns) <= PAGE + 5


def test_a_cut_parts_no_row_from_the_one_above_that_it_follows() -> None:
    section = long_table("A", 90)
    (table,) = section.blocks
    assert isinstance(table, Table)
    follows = tuple(number for number in range(90) if number % 3)
    rows = paged(halves(replace(section, blocks=(replace(table, follows=follows),))))
    parts = [one.blocks[0] for row in rows for column in row.columns for one in column]
    assert len(parts) > 1
    for part in parts:
        assert isinstance(part, Table)
        assert int(part.rows[0][0].text.split()[1]) % 3 == 0
        assert [int(part.rows[at][0].text.split()[1]) % 3 > 0 for at in range(len(part.rows))] == [
            at in part.follows for at in range(len(part.rows))
        ]


def test_where_a_little_is_over_air_is_taken() -> None:
    a_page_and_a_little = [Row(((replace(long_table("A", 39), title="A"),),))]
    assert paging._FIRST < section_height(a_page_and_a_little[0].columns[0][0], ACROSS) < PAGE
    assert paging.paged(a_page_and_a_little).evened


def test_a_table_that_runs_over_the_end_of_a_page_has_its_heads_once_more() -> None:
    (table,) = long_table("A", 60).blocks
    one = Row(((Section("Units", (table,)),),))
    high = section_height(one.columns[0][0], ACROSS)
    used = paging._Pages(1).laid(list(paging._items([one]))).used
    assert used[0] == paging._FIRST
    assert high - used[0] + 6 < used[1] < high - used[0] + 12


def test_a_bar_stands_with_the_first_of_what_it_is_the_title_of() -> None:
    bar, tables = Row(((Section("Designs", ()),),)), halves(section("A", 30), section("B", 30))
    used = [Row(((section("Units", 26),),)), Row(((section("More", 7),),))]
    room = paging._FIRST - sum(section_height(row.columns[0][0]) for row in used)
    assert section_height(section("A", 30)) > room > section_height(Section("Designs", ()))
    pages = paging._Pages(1).laid(list(paging._items([*used, bar, *tables])))
    assert pages.used[0] < paging._FIRST - room + 1  # the bar is not there
    assert len(pages.used) == 2
