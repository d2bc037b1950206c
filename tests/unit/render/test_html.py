from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from generator.render.blocks import INKS, PAPERS, Cell, Column, Prose, Row, Section, Steps, Table
from generator.render.imprinted import Imprint
from generator.render.page.html import render_html

if TYPE_CHECKING:
    from generator.render.blocks import Block, Ink, Paper, Sheet

HOSTILE = "<script>alert(1)</script> {{ 7 * 7 }} {% endraw %} \"><img src=x onerror=y> '"


def with_block(sheet: Sheet, block: Block) -> Sheet:
    return replace(sheet, rows=(Row(columns=((Section("S", (block,)),),)),))


@pytest.mark.parametrize("paper", PAPERS)
@pytest.mark.parametrize("ink", INKS)
def test_a_page_holds_its_styles_and_asks_for_nothing_else(sheet: Sheet, paper: Paper, ink: Ink) -> None:
    html = render_html(sheet, paper, ink)
    assert html.count("<style>") == 2
    assert "src=" not in html
    assert "href=" not in html
    pictures = html.count("url(\"data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg'")
    assert html.count("url(") == html.count("url(fieldpress-font:") + pictures
    assert pictures == 1


def test_papers_are_laid_out_apart(sheet: Sheet) -> None:
    assert "210mm 297mm" in render_html(sheet, "a4", "mono")
    assert "215.9mm 279.4mm" in render_html(sheet, "letter", "mono")


def test_hostile_text_is_printed_as_it_stands_wherever_it_stands(sheet: Sheet) -> None:
    everywhere = replace(
        sheet,
        title=HOSTILE,
        strap=HOSTILE,
        kicker=(HOSTILE,),
        imprint=Imprint(
            author=HOSTILE,
            source=HOSTILE,
            rights=HOSTILE,
            edition=HOSTILE,
            fingerprint=HOSTILE,
            created=HOSTILE,
        ),
        banner=HOSTILE,
        language=HOSTILE,
        rows=(
            Row(
                columns=(
                    (
                        Section(
                            HOSTILE,
                            (
                                Steps((HOSTILE,)),
                                Prose((HOSTILE,)),
                                Table(
                                    (Column(HOSTILE, unit=HOSTILE, die=HOSTILE),),
                                    ((Cell(HOSTILE, mark=HOSTILE),), (Cell(HOSTILE, plain=True),)),
                                    caption=HOSTILE,
                                    note=HOSTILE,
                                ),
                            ),
                            aside=HOSTILE,
                        ),
                    ),
                )
            ),
        ),
    )
    html = render_html(everywhere, "a4", "mono")
    assert "<script" not in html
    assert "<img" not in html
    assert "49" not in html.split("</style>")[1]
    assert "{{ 7 * 7 }}" in html


def test_cells_have_scopes_spans_and_marks(sheet: Sheet) -> None:
    table = Table(
        (Column("A"), Column("B"), Column("C")),
        ((Cell("head"), Cell("both", span=2, mark="R-1")),),
        caption="Caption D8",
    )
    html = render_html(with_block(sheet, table), "a4", "mono")
    assert html.count('<th scope="col">') == 3
    assert '<th scope="row">head</th>' in html
    assert '<td colspan="2">both<sup>R-1</sup></td>' in html
    assert '<caption class="spoken">Caption D8</caption>' in html


def test_a_table_without_heads_has_no_empty_head_row(sheet: Sheet) -> None:
    html = render_html(with_block(sheet, Table((Column(""),), ((Cell("x"),),), caption="c")), "a4", "mono")
    assert "<thead>" not in html


def test_a_plain_column_draws_no_dice(sheet: Sheet) -> None:
    table = Table((Column("Printed", plain=True),), ((Cell("D8 *dl2*"),),), caption="c")
    html = render_html(with_block(sheet, table), "a4", "mono")
    assert '<th scope="row">D8 *dl2*</th>' in html


def test_blocks_abreast_fill_rows_and_leave_the_last_place_empty(sheet: Sheet) -> None:
    section = Section("Abreast", tuple(Prose((word,)) for word in ("one", "two", "three")), abreast=2)
    html = render_html(replace(sheet, rows=(Row(((section,),)),)), "a4", "mono")
    assert [part.count('class="prose note"') for part in html.split('<div class="columns">')[1:]] == [2, 1]
    assert html.count('<div class="column"></div>') == 1


@pytest.mark.parametrize(("shares", "widths"), [((1, 3), ["25.0", "75.0"]), ((), ["50.0", "50.0"])])
def test_columns_divide_the_width_by_their_shares(sheet: Sheet, shares: tuple[int, ...], widths: list[str]) -> None:
    column = (Section("Column", (Prose(("text",)),)),)
    html = render_html(replace(sheet, rows=(Row((column, column), shares),)), "a4", "mono")
    assert re.findall(r'class="column" style="width:([\d.]+)%', html) == widths
