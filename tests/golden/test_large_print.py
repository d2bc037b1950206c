"""Large print: text of 14 pt on the same paper, in one column, with the same contents."""

from __future__ import annotations

from io import BytesIO

import pypdfium2 as pdfium
import pytest
from pypdfium2 import raw

from generator.render.page.html import LARGE
from generator.render.page.pdf import render_pdf
from tests.golden.approved import is_as_approved, shipped_sheet
from tests.golden.test_odds_sheets import blocks_of

A4 = 595.3, 841.9


@pytest.mark.parametrize(
    ("name", "page"),
    [(f"dirtside2/{name}", page) for name, page in (("reference", A4), ("odds", A4), ("play", A4[::-1]))],
)
def test_text_has_14_pt_and_nothing_is_lost(name: str, page: tuple[float, float], *, update_golden: bool) -> None:
    if not update_golden and is_as_approved(name, "a4", "colour"):
        return
    usual = shipped_sheet(name)
    large = usual.enlarged()
    assert [*map(repr, blocks_of(large))] == [*map(repr, blocks_of(usual))]
    assert large.plays or all(len(row.columns) == 1 for row in large.rows)
    pdf = pdfium.PdfDocument(BytesIO(render_pdf(large, paper="a4", ink="mono").pdf))
    assert pdf[0].get_size() == pytest.approx(page, abs=0.2)
    texts = pdf[0].get_objects(filter=[raw.FPDF_PAGEOBJ_TEXT])
    sizes = {round(abs(item.get_matrix().d) * item.get_font_size(), 1) for item in texts}
    assert any(size == pytest.approx(LARGE, abs=0.1) for size in sizes)


@pytest.mark.parametrize("name", ["stargrunt2-quick/book-or-option", "sla-3d/odds"])
def test_no_page_is_left_empty(name: str, *, update_golden: bool) -> None:
    if not update_golden and is_as_approved(name, "a4", "colour"):
        return
    pdf = pdfium.PdfDocument(BytesIO(render_pdf(shipped_sheet(name).enlarged(), paper="a4", ink="mono").pdf))
    for page in pdf:
        width, height = page.get_size()
        body = page.get_textpage().get_text_bounded(0, height * 0.1, width, height * 0.9)
        assert len(body.split()) > 10, page
