from __future__ import annotations

import pytest

from generator.render.blocks import Cell, Column, Table
from generator.render.type.table_widths import column_widths, in_columns


def table(*columns: Column, rows: tuple[tuple[str, ...], ...] = (), tint: int = 0) -> Table:
    cells = tuple(tuple(Cell(text, tint=tint if index else 0) for index, text in enumerate(row)) for row in rows)
    return Table(columns, cells, caption="c")


def test_widths_are_percentages_of_the_whole() -> None:
    widths = column_widths(table(Column("A"), Column("Long head"), rows=(("x", "a rather long text"),)))
    assert sum(widths) == pytest.approx(100, abs=0.01)
    assert widths[1] > widths[0]


def test_shares_rule_among_the_columns_that_name_them() -> None:
    first, second, _ = column_widths(table(Column("A", share=1), Column("B", share=3), Column("C")))
    assert second == pytest.approx(3 * first, abs=0.01)


def test_figures_of_a_grid_are_equally_wide_whatever_stands_in_them() -> None:
    grid = table(Column("Row"), Column("A1"), Column("Longest"), rows=(("Row", "1", "100"),), tint=2)
    assert grid.tinted
    _, one, two = column_widths(grid)
    assert one == two


@pytest.mark.parametrize("die", ["", "D10 "])
def test_where_room_is_short_the_names_of_a_grid_go_before_its_figures(die: str) -> None:
    heads = (Column(f"Medium {die}"), *(Column(f"S{number}") for number in range(1, 6)))
    grid = table(*heads, rows=(("Open", *"12345"),), tint=2)
    first = column_widths(grid, 100 / 3)[0]
    # Six spaced capitals of 8 points, and the die where there is one, in a third of a page of 527 points.
    assert first / 100 * (527 - 2 * 17) / 3 > 6 * 8 * 0.62 + (13 if die else 0)


def test_where_room_is_short_a_column_keeps_its_longest_word() -> None:
    words = "many words that will have to run over several lines of the cell " * 3
    figures = table(Column("Points", align="right"), Column("Why"), rows=(("1000", words),))
    assert column_widths(figures, 25)[0] > column_widths(figures, 100)[0]


def test_a_span_moves_the_cells_behind_it() -> None:
    cells = (Cell("a", span=2), Cell("b"))
    assert in_columns(cells) == [(0, cells[0]), (2, cells[1])]
