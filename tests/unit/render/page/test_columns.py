"""Pages are filled by measured heights: nothing is lost, columns end where pages do, what grows takes what is left."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from itertools import product
from random import Random
from typing import TYPE_CHECKING, Any

import pytest

from generator.render.blocks import PAPERS, Cell, Column, Map, Paper, Row, Section, Steps, Table
from generator.render.geometry import geometry
from generator.render.page.columns import _Columns, _Item, _over, arranged
from generator.render.page.html import LayoutOptions, render_html
from generator.render.page.measure import Break, Heights, Measured, Measurer, read_heights, write_heights
from generator.render.page.pdf import boxes_of

if TYPE_CHECKING:
    from generator.render.blocks import Sheet

pytestmark = pytest.mark.slow

PIXEL = 25.4 / 96


def section(title: str, steps: int) -> Section:
    return Section(title, (Steps(("One short step.",) * steps),))


def halves(*sections: Section) -> tuple[Row, ...]:
    return tuple(Row(((one,),), half=True) for one in sections)


def long_table(name: str, count: int, **more: Any) -> Section:
    rows = tuple((Cell(f"{name} {number}"), Cell("1")) for number in range(count))
    columns = (Column("Line"), Column("Figure"))
    return Section("", (Table(columns, rows, name, over=name, **{"breakable": True, **more}),))


def measure(sheet: Sheet, paper: Paper) -> Measurer:
    return Measurer(sheet, paper=paper, ink="mono", lay_out=boxes_of, heights={})


def laid(sheet: Sheet, *rows: Row, paper: Paper = "a4") -> tuple[Sheet, list[Any]]:
    """The sheet on its pages, and the boxes of these."""
    made = arranged(replace(sheet, rows=rows, flows=True), paper, LayoutOptions(), partial(measure, paper=paper))
    return made, boxes_of(render_html(made, paper, "mono"))


def titles(row: Row) -> list[str]:
    return [one.title for column in row.columns for one in column]


def tables(sheet: Sheet) -> list[Table]:
    sections = (one for row in sheet.rows for column in row.columns for one in column)
    return [block for one in sections for block in one.blocks if isinstance(block, Table)]


def lowest(box: Any) -> float:
    """How far down the text of a page goes, in millimetres below its upper margin."""
    main = next(one for one in box.descendants() if getattr(one, "element_tag", "") == "main")
    return float(main.position_y + main.margin_height() - box.content_box_y()) * PIXEL


@pytest.mark.parametrize("paper", PAPERS)
def test_a_row_is_measured_as_high_as_it_is_on_its_page(sheet: Sheet, paper: Paper) -> None:
    rows = [*halves(section("A", 3), long_table("B", 9)), Row(((section("C", 5),), (section("D", 2),)))]
    masthead, *sizes = measure(sheet, paper).rows(rows)
    shown = [replace(row, columns=(row.columns[0], ())) if row.half else row for row in rows]
    (page,) = boxes_of(render_html(replace(sheet, rows=tuple(shown)), paper, "mono"))
    main = next(one for one in page.descendants() if getattr(one, "element_tag", "") == "main")
    heights = [box.border_height() * PIXEL for box in main.children]
    assert [one.height for one in sizes] == pytest.approx(heights, abs=1e-6)
    assert masthead.height == pytest.approx((main.position_y - page.content_box_y()) * PIXEL)
    assert [masthead.gap] * 2 == pytest.approx([box.margin_top * PIXEL for box in main.children][1:])


def test_sections_are_divided_where_any_way_has_room() -> None:
    chance = Random(7)  # noqa: S311 - not for secrets
    for _ in range(200):
        heights = [chance.choice([10, 20, 35, 50]) for _ in range(chance.randint(1, 7))]
        columns: _Columns | None = _Columns()
        for high in heights:
            columns = columns and columns.taking(_Item(Row(()), Measured(high, 0)), 100)
        ways = product((0, 1), repeat=len(heights))
        ends = [
            [sum(high for high, side in zip(heights, way, strict=True) if side == at) for at in (0, 1)] for way in ways
        ]
        assert (columns is not None) == any(max(one) <= 100 for one in ends)
        if columns is not None:
            level = [sum(one.size.height for one in column) for column in columns.level()]
            assert max(level) - min(map(max, ends)) < 4


def test_every_section_is_printed_once_and_pages_before_the_last_are_full(sheet: Sheet) -> None:
    sections = [section(str(number), 2 + number * 7 % 11) for number in range(40)]
    made, pages = laid(sheet, *halves(*sections))
    assert sorted(int(title) for row in made.rows for title in titles(row)) == list(range(40))
    assert len(pages) == len(made.rows) > 2
    for page in pages[1:-1]:
        assert lowest(page) > geometry("a4").height * 0.93


def test_a_single_section_has_the_whole_width_and_two_stand_side_by_side(sheet: Sheet) -> None:
    one, other, wide = section("One", 3), section("Other", 3), section("Wide", 3)
    made, _ = laid(sheet, *halves(one, other), Row(((wide,),)), *halves(one))
    assert [row.columns for row in made.rows] == [((one,), (other,)), ((wide,),), ((one,),)]


def test_later_sections_fill_the_page_before_a_row_that_has_no_room(sheet: Sheet) -> None:
    wide = Row(((section("Wide", 34),),))
    rows = [*halves(section("A", 15), section("B", 15)), wide, *halves(section("C", 8), section("D", 8))]
    made, pages = laid(sheet, *rows)
    assert [set(titles(row)) for row in made.rows] == [{"A", "B", "C", "D"}, {"Wide"}]
    assert len(pages) == 2


def test_a_title_stands_with_the_first_of_what_it_is_over(sheet: Sheet) -> None:
    used, bar = Row(((section("Units", 32),),)), Row(((Section("Designs", ()),),))
    made, pages = laid(sheet, used, bar, *halves(section("A", 30), section("B", 30)))
    assert [(titles(row), row.new_page) for row in made.rows] == [
        (["Units"], False), (["Designs"], True), (["A", "B"], False),
    ]  # fmt: skip
    assert len(pages) == 2


def test_what_no_page_holds_is_printed_all_the_same(sheet: Sheet) -> None:
    made, pages = laid(sheet, *halves(section("Long", 60), section("Short", 2)))
    assert {title for row in made.rows for title in titles(row)} == {"Long", "Short"}
    assert len(pages) == 2


def test_long_tables_are_cut_between_rows_and_lose_none(sheet: Sheet) -> None:
    names = ("A", "B", "C", "D")
    made, pages = laid(sheet, *halves(*(long_table(name, 30) for name in names)))
    cells = sorted(row[0].text for one in tables(made) for row in one.rows)
    assert cells == sorted(f"{name} {n}" for name in names for n in range(30))
    assert any(one.over.endswith(", continued") for one in tables(made))
    assert min(len(one.rows) for one in tables(made)) >= 5
    assert len(pages) == len(made.rows)


def test_a_cut_parts_no_row_from_the_one_above_that_it_follows(sheet: Sheet) -> None:
    follows = tuple(number for number in range(60) if number % 3)
    made, _ = laid(sheet, *halves(long_table("A", 60, follows=follows)))
    assert len(tables(made)) > 1
    for part in tables(made):
        assert int(part.rows[0][0].text.split()[1]) % 3 == 0
        assert part.follows == tuple(at for at, row in enumerate(part.rows) if int(row[0].text.split()[1]) % 3)


def test_rows_stand_closer_where_that_saves_a_page(sheet: Sheet) -> None:
    for count, expected in ((34, (False, 1)), (42, (True, 1)), (60, (False, 2))):
        made, pages = laid(sheet, Row(((replace(long_table("A", count), title="A"),),)))
        assert (made.close, len(pages)) == expected


@pytest.mark.parametrize(
    ("left", "room", "forced", "expected"),
    [
        (60, 100, False, (1, 40 + 5)),  # of 100 the first 60 have room; heads of 5 are repeated
        (8, 100, False, None),  # less than a tenth of the next page: it begins there
        (8, 100, True, (1, 92)),  # nothing ends there: it is divided anywhere
        (30, 40, False, (3, 10 + 5)),  # 30, 30 and 30: a further page has 35 beside the heads
        (120, 200, False, (0, 0)),
    ],
)
def test_a_row_that_goes_on_takes_of_the_last_page_what_is_left_of_it(
    left: float, room: float, *, forced: bool, expected: tuple[int, float] | None
) -> None:
    size = Measured(100, 0, (), tuple(Break(float(at), 5.0) for at in range(10, 100, 10)))
    assert _over(size, left, room, forced=forced) == expected


def plan(**more: Any) -> Map:
    return Map(48, 36, (), (), (), (), (), "A table", "Table", **more)


@pytest.mark.parametrize("paper", PAPERS)
@pytest.mark.parametrize("steps", [2, 12, 22])
def test_a_map_takes_what_is_left_of_its_page(sheet: Sheet, paper: Paper, steps: int) -> None:
    row = Row(((Section("Map", (plan(least=40, highest=100),)),),))
    made, pages = laid(sheet, row, Row(((section("A", steps),),)), paper=paper)
    assert len(pages) == 1
    (drawn,) = (one for one in made.rows[0].columns[0][0].blocks if isinstance(one, Map))
    assert 40 <= drawn.highest <= 100
    assert drawn.highest == 100 or lowest(pages[0]) > geometry(paper).first - 45


def test_a_map_too_high_for_its_page_is_made_smaller(sheet: Sheet) -> None:
    high = Row(((Section("Map", (replace(plan(least=250, highest=400), width=10, depth=40),)),),))
    _, pages = laid(sheet, high)
    assert len(pages) == 1


def test_a_sheet_in_which_nothing_flows_or_grows_is_not_measured(sheet: Sheet) -> None:
    def never(_sheet: Sheet) -> Measurer:
        raise AssertionError

    assert arranged(sheet, "a4", LayoutOptions(), never).rows == sheet.rows


def test_only_a_changed_row_is_measured_again(sheet: Sheet) -> None:
    pages: list[str] = []

    def laid_out(html: str) -> list[Any]:
        pages.append(html)
        return boxes_of(html)

    rows = halves(section("Same", 3), section("Before", 4), long_table("Table", 9))
    changed = (rows[0], *halves(section("After", 6)), rows[2])
    made = [
        Measurer(sheet, paper="a4", ink="mono", lay_out=laid_out, heights={}).rows(some) for some in (rows, changed)
    ]
    heights: Heights = {}
    for some, expected in zip((rows, changed), made, strict=True):
        heights = read_heights(write_heights(heights))
        assert Measurer(sheet, paper="a4", ink="mono", lay_out=laid_out, heights=heights).rows(some) == expected
    assert "After" in pages[-1]
    assert "Same" not in pages[-1]


def test_a_phase_of_a_play_sheet_goes_on_over_a_new_page_with_its_number(sheet: Sheet) -> None:
    moves = (
        Row(((section("", 1),),), phase="Move"),
        Row(((section("", 1),),)),
        Row(((section("", 1),),), new_page=True),
    )
    fire = Row(((section("", 1),),), phase="Fire")
    sides = replace(sheet, rows=(*moves, fire)).sides()
    assert [[(number, name, len(rows)) for number, name, rows in side] for side in sides] == [
        [(1, "Move", 2)],
        [(1, "Move", 1), (2, "Fire", 1)],
    ]
