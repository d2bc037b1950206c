"""The page's geometry is what the style sheets say and what the engine makes of them."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from generator.render.blocks import PAPERS, Paper, Prose, Row, Section
from generator.render.geometry import geometry
from generator.render.page.html import render_html
from generator.render.page.pdf import boxes_of

if TYPE_CHECKING:
    from generator.render.blocks import Sheet

PIXEL = 25.4 / 96


@pytest.mark.parametrize("paper", PAPERS)
@pytest.mark.parametrize("landscape", [False, True])
def test_the_engine_makes_the_same_page(sheet: Sheet, paper: Paper, *, landscape: bool) -> None:
    text = Prose(("A paragraph.",) * 60)
    two = replace(
        sheet, landscape=landscape, rows=(Row(((Section("One", (text,)),), (Section("Two", ()),)), loose=True),)
    )
    first, second, *_ = boxes_of(render_html(two, paper, "mono"))
    page = geometry(paper, landscape=landscape)
    for box, height in ((first, page.first), (second, page.height)):
        assert (box.width * PIXEL, box.height * PIXEL) == pytest.approx((page.width, height))
        assert (box.margin_width() * PIXEL, box.margin_height() * PIXEL) == pytest.approx(page.paper)


@pytest.mark.parametrize("paper", PAPERS)
def test_two_columns_and_their_gap_are_as_wide_as_the_page(paper: Paper) -> None:
    page = geometry(paper)
    assert page.across(100) == pytest.approx(page.width)
    assert 2 * page.across(50) + page.gutter == pytest.approx(page.width)


def test_the_narrowest_page_is_that_of_a4() -> None:
    assert min(geometry(paper).width for paper in PAPERS) == geometry("a4").width == 210 - 2 * 12
