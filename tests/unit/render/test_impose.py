"""Pages on sheets: edges are measured in the file and in pictures of it; tags, links and bookmarks follow."""

from __future__ import annotations

import io
import re
from dataclasses import replace
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import pikepdf
import pypdfium2
import pytest

from generator.commands.jobs import Job
from generator.commands.printer import frames_of, imposed
from generator.problems import LayoutError, Problem, ProblemsError
from generator.render.assemble.binding import join
from generator.render.assemble.impose import (
    BOOKLET,
    CARDS,
    CUTTER,
    FOLD,
    GUIDES,
    NO_MARKS,
    SHEETS,
    TEST,
    Imposition,
    booklet,
    cut_lines,
    impose,
    scales,
)
from generator.render.page.pdf import render_pdf
from tests.tag_walker import findings
from tests.unit.render.test_binding import sheet
from tests.unit.render.test_decks import DECK, MM, SIZES

if TYPE_CHECKING:
    from generator.render.blocks import Paper

pytestmark = pytest.mark.slow

CARD = (127.0, 76.2)


@pytest.fixture(scope="module")
def deck() -> bytes:
    apart = replace(DECK, cards=DECK.cards[:3], apart=(False, True), colour="red")
    return render_pdf(apart, paper="a4", ink="colour", numbered=False).pdf


def mm(numbers: Any) -> list[float]:
    return [round(float(number) / MM, 3) for number in numbers]


def words(pdf: bytes) -> str:
    return " ".join(page.get_textpage().get_text_range() for page in pypdfium2.PdfDocument(pdf))


def edges(pdf: bytes, page: int) -> list[tuple[float, float]]:
    """Where the coloured bands begin and end across a page, in millimetres, in a row of points through its middle."""
    picture = pypdfium2.PdfDocument(pdf)[page].render(scale=10 / MM).to_pil().convert("RGB")
    scale = picture.width / float(pypdfium2.PdfDocument(pdf)[page].get_width()) * MM
    row = [picture.getpixel((x, int(60 * scale))) for x in range(picture.width)]
    coloured = [pixel[0] - pixel[2] > 60 for pixel in row]
    ends = [x for x, (before, after) in enumerate(pairwise([False, *coloured, False])) if before != after]
    return [(left / scale, right / scale) for left, right in zip(ends[::2], ends[1::2], strict=True)]


@pytest.mark.parametrize("paper", ["a4", "letter"])
@pytest.mark.parametrize("way", [CARDS, SHEETS, FOLD])
def test_every_card_is_found_once_with_sound_tags(deck: bytes, way: str, paper: Paper) -> None:
    pdf, count = impose(deck, Imposition(way), SIZES[paper])
    with pikepdf.open(io.BytesIO(pdf)) as file:
        assert len(file.pages) == count == {CARDS: 6, SHEETS: 2, FOLD: 2}[way]
        assert findings(file) == []
    assert sorted(words(pdf).split()) == sorted(words(deck).split())
    assert impose(deck, Imposition(way), SIZES[paper]) == (pdf, count)


def test_a_card_for_a_print_shop_has_its_trim_and_its_bleed(deck: bytes) -> None:
    pdf, _ = impose(deck, Imposition(CARDS, width=254), SIZES["a4"])
    with pikepdf.open(io.BytesIO(pdf)) as file:
        for page in file.pages:
            assert mm(page.obj.MediaBox) == mm(page.obj.BleedBox) == [0, 0, 266, 164.4]
            assert mm(page.obj.TrimBox) == [6, 6, 260, 158.4]
    left, right = edges(pdf, 0)[0]
    assert abs(left) < 0.1
    assert abs(right - 22) < 0.2


@pytest.mark.parametrize("paper", ["a4", "letter"])
@pytest.mark.parametrize("gap", [0.0, 6.0])
def test_backs_lie_behind_their_fronts(deck: bytes, paper: Paper, gap: float) -> None:
    pdf, _ = impose(deck, Imposition(SHEETS, gap=gap, marks=NO_MARKS), SIZES[paper])
    wide = SIZES[paper][0]
    bleed = gap / 2
    left = (wide - 2 * CARD[0] - gap) / 2
    fronts = [(x - bleed, x + 8) for x in (left, left + CARD[0] + gap)]
    for found, wanted in zip(edges(pdf, 0), fronts, strict=True):
        assert found == pytest.approx(wanted, abs=0.1)
    for found, wanted in zip(
        edges(pdf, 1), [(wide - end, wide - start) for start, end in reversed(fronts)], strict=True
    ):
        assert found == pytest.approx(wanted, abs=0.1)


def test_backs_are_moved_as_the_printer_needs(deck: bytes) -> None:
    still, moved = (
        edges(impose(deck, Imposition(SHEETS, marks=NO_MARKS, shift=shift), SIZES["a4"])[0], 1)
        for shift in ((0.0, 0.0), (1.5, -1.0))
    )
    assert [left + 1.5 for left, _ in still] == pytest.approx([left for left, _ in moved], abs=0.1)


def test_a_card_to_fold_has_its_back_beside_it(deck: bytes) -> None:
    pdf, _ = impose(deck, Imposition(FOLD, marks=GUIDES), SIZES["a4"])
    left = (297 - 2 * CARD[0]) / 2
    (front, back) = edges(pdf, 0)
    assert front == pytest.approx((left - 3, left + 8), abs=0.1)
    assert back == pytest.approx((297 - left - 8, 297 - left + 3), abs=0.1)


@pytest.mark.parametrize("paper", ["a4", "letter"])
@pytest.mark.parametrize("imposition", [Imposition(SHEETS), Imposition(FOLD), Imposition(SHEETS, 170, marks=GUIDES)])
def test_sheets_have_a_ruler_a_key_and_rights_around_the_cards(
    deck: bytes, imposition: Imposition, paper: Paper
) -> None:
    around = frames_of(replace(DECK, cards=DECK.cards[:3]), imposition, paper)
    frames = render_pdf(around, paper=paper, ink="colour").pdf
    pdf, count = impose(join([deck, frames], None), imposition, SIZES[paper], len(around.frames))
    assert count == len(around.frames)
    for page in pypdfium2.PdfDocument(pdf):
        text = page.get_textpage().get_text_range()
        assert "100 mm: print at 100 %" in text
        assert DECK.imprint.rights in text
        assert all(bound in text for bound in DECK.bounds)
    with pikepdf.open(io.BytesIO(pdf)) as file:
        assert findings(file) == []
        sizes = [sorted(mm(page.mediabox)[2:]) for page in file.pages]
        assert sizes == [pytest.approx(sorted(SIZES[paper]), abs=0.01)] * count


def test_a_cutter_gets_the_outlines_of_all_cards() -> None:
    for paper, (wide, high) in (("a4", (297, 210)), ("letter", (279.4, 215.9))):
        drawing = cut_lines(Imposition(SHEETS, marks=CUTTER), SIZES[paper]).decode()
        assert f'width="{wide}mm" height="{high}mm" viewBox="0 0 {wide} {high}"' in drawing
        corners = re.findall(r"M([0-9.]+) [0-9.]+h127.000v76.200h-127.000z", drawing)
        left = (wide - 2 * 127 - 6) / 2
        assert [float(x) for x in corners] == pytest.approx([left, left + 133] * 2, abs=0.001)
        assert f"M5 5h5v5h-5zM{wide - 25:g} 5h20" in drawing


def test_a_sheet_for_a_cutter_has_its_three_registration_marks_and_nothing_else_there(deck: bytes) -> None:
    pdf, _ = impose(deck, Imposition(SHEETS, marks=CUTTER), SIZES["a4"])
    scale = 10
    page = pypdfium2.PdfDocument(pdf)[0].render(scale=scale * 25.4 / 72).to_pil().convert("L")
    assert page.size == pytest.approx((2970, 2100), abs=1)
    boxes = {
        (0, 0, 120, 120): (50, 50, 100, 100),
        (2700, 0, 2970, 252): (2720, 50, 2920, 250),
        (0, 1848, 300, 2100): (50, 1850, 250, 2050),
    }
    for (left, top, *ends), expected in boxes.items():
        dark = page.crop((left, top, *ends)).point(lambda tone: 255 if tone < 128 else 0).getbbox()
        assert dark is not None
        assert [dark[0] + left, dark[1] + top, dark[2] + left, dark[3] + top] == pytest.approx(expected, abs=2)


@pytest.mark.parametrize("shift", [(0.0, 0.0), (1.5, -2.0)])
def test_the_cross_of_a_test_page_is_moved_from_the_middle_of_its_scales(shift: tuple[float, float]) -> None:
    front, back = scales(shift, (210, 297))
    ticks = [(left, top) for left, top, right, _ in front.lines if left == right]
    (line,) = [(left, top, foot) for left, top, right, foot in back.lines if left == right]
    assert sum(left for left, _ in ticks) / len(ticks) == pytest.approx(line[0] - shift[0]) == pytest.approx(148.5)
    assert all(line[1] < top < line[2] for _, top in ticks)
    job = Job(DECK, "cards", "reds-cards", None)  # type: ignore[arg-type] # unused
    (prepared,) = imposed([job], Imposition(TEST, shift=shift), ["a4"])
    assert isinstance(prepared, Job)
    pdf, count = impose(
        render_pdf(prepared.paper, paper="a4", ink="mono").pdf, Imposition(TEST, shift=shift), SIZES["a4"]
    )
    with pikepdf.open(io.BytesIO(pdf)) as file:
        assert len(file.pages) == count == 2
        assert findings(file) == []


def test_a_poster_is_no_booklet() -> None:
    poster = replace(sheet("Map", 1), landscape=True, poster=True)
    with pytest.raises(ProblemsError) as refused:
        imposed([Job(poster, "1-poster", "map", None)], Imposition(BOOKLET), ["a4"])  # type: ignore[arg-type] # unused
    assert refused.value.problems[0].found == "a poster"


def test_pages_of_a_booklet_are_in_order_when_it_is_folded() -> None:
    # Counted on a folded sheet of paper: outside 8 and 1, inside 2 and 7, then 6 and 3, 4 and 5.
    sides = [[place.page + 1 for place in side.places] for side in booklet([(210.0, 297.0)] * 8, (210, 297))]
    assert sides == [[8, 1], [2, 7], [6, 3], [4, 5]]


def test_a_booklet_keeps_links_bookmarks_and_tags() -> None:
    pages = render_pdf(sheet("Long", 5, "part:x"), paper="a4", ink="mono").pdf
    pdf, count = impose(pages, Imposition(BOOKLET), SIZES["a4"])
    with pikepdf.open(io.BytesIO(pages)) as before, pikepdf.open(io.BytesIO(pdf)) as file:
        assert count == len(file.pages) == 4
        assert findings(file) == []
        places = {page.obj.objgen for page in file.pages}
        with file.open_outline() as outline:
            marks: list[Any] = [item.destination for root in outline.root for item in (root, *root.children)]
        assert marks
        assert {mark[0].objgen for mark in marks} <= places
        links = [note for page in file.pages for note in page.obj.get("/Annots", [])]
        assert len(links) == sum(len(page.obj.get("/Annots", [])) for page in before.pages) > 0
        assert all(note.P.objgen in places for note in links)
        wide, high = (float(end) for end in file.pages[0].mediabox[2:])
        assert all(0 <= float(end) <= max(wide, high) for note in links for end in note.Rect)
    assert sorted(words(pdf).split()) == sorted(words(pages).split())


def test_what_cannot_be_imposed_is_refused() -> None:
    def blame(error: LayoutError) -> Problem:
        raise AssertionError(error)

    cards, rules = Job(DECK, "cards", "reds-cards", blame), Job(sheet("Quick", 1), "quick", "quick", blame)
    for jobs, way in (([rules], Imposition(FOLD)), ([cards], Imposition(BOOKLET)), ([cards], Imposition(FOLD, 160))):
        with pytest.raises(ProblemsError) as refused:
            imposed(jobs, way, ["a4"])
        assert [problem.code for problem in refused.value.problems] == ["R328"]
    prepared = imposed([rules, cards], Imposition(SHEETS, 160), ["a4"])
    assert [getattr(job.paper, "apart", None) for job in prepared if isinstance(job, Job)] == [None, (False, True)]
