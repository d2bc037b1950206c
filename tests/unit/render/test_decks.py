"""A deck in print: what the file says of itself, and its measures in the geometry of the page."""

from __future__ import annotations

import io
from typing import TYPE_CHECKING, Any

import pikepdf
import pypdfium2
import pytest

from generator.render.assemble.imposition import PLACES, pages
from generator.render.cards.deck import (
    NO_CHANCE,
    Axis,
    Boxes,
    Card,
    CardColumn,
    Deck,
    Line,
    Percentage,
    Plan,
    Stat,
    Symbol,
)
from generator.render.imprinted import Imprint
from generator.render.page.pdf import Rendered, render_pdf
from tests.tag_walker import findings

if TYPE_CHECKING:
    from collections.abc import Iterator

    from generator.render.blocks import Paper

pytestmark = pytest.mark.slow

MM = 72 / 25.4
SIZES = {"a4": (297.0, 210.0), "letter": (279.4, 215.9)}
EDGE = 6.35
FIRST = {"a4": (18.5, 25.5), "letter": (9.7, 28.0)}


def places(paper: Paper) -> list[tuple[float, float]]:
    """Return the upper left corners of the cards of a page, in millimetres."""
    left, top = FIRST[paper]
    return [(left + x, top + y) for x, y in PLACES]


def card(name: str) -> Card:
    lines = tuple(Line("HKP/3", band, ("12″", "D8"), (Percentage("60", 3), NO_CHANCE)) for band in ("close", "medium"))
    return Card(
        name, "Vehicle · 1 Troop", "179 points", Symbol("land", "tracked", 3), 2,
        (Stat("3", "Size"), Stat("D8", "Target die")), Plan("hull", ("3", "2", "2", "2"), (Stat("2", "Top"),)),
        (CardColumn("Range", narrow=False), CardColumn("Die", narrow=True)), (Axis("Destroys armour", ("1", "2")),),
        lines, lines[:1],
        elements=(1, 2), boxes=(Boxes("Damaged", 1), Boxes("Destroyed", 1, ring=True)), ticks=("Under fire",),
        ladder=("Confident", "Steady"), tells=("Backup systems", "Long. " * 35, "Longer. " * 35), note="Mine.",
    )  # fmt: skip


DECK = Deck(
    id="reds-cards", title="Reds: cards", strap="The rules.",
    cards=tuple(card(f"Card {number}") for number in range(5)),
    imprint=Imprint(
        author="A. Author", edition="1998", fingerprint="7c1e 04a9", source="The rules", rights="Shared with thanks.",
        created="1998-02-15",
    ),
)  # fmt: skip


@pytest.fixture(scope="module", params=["a4", "letter"])
def paper(request: pytest.FixtureRequest) -> Paper:
    return "a4" if request.param == "a4" else "letter"


@pytest.fixture(scope="module")
def printed(paper: Paper) -> Rendered:
    return render_pdf(DECK, paper=paper, ink="mono")


def test_the_file_says_what_it_is(printed: Rendered, paper: Paper) -> None:
    with pikepdf.open(io.BytesIO(printed.pdf)) as file:
        assert file.check_pdf_syntax() == []
        assert str(file.docinfo["/Title"]).startswith("Reds: cards")
        assert str(file.docinfo["/CreationDate"]).startswith("D:19980215")
        assert str(file.Root.Lang) == "en-GB"
        assert bool(file.Root.MarkInfo.Marked)
        with file.open_metadata() as metadata:
            assert metadata["pdfuaid:part"] == "1"
        size = tuple(float(side) / MM for side in list(file.pages[0].MediaBox)[2:])
        assert size == pytest.approx(SIZES[paper], abs=0.1)
        assert len(file.pages) == 4


def test_cards_are_bookmarks_and_headings(printed: Rendered) -> None:
    with pikepdf.open(io.BytesIO(printed.pdf)) as file:
        with file.open_outline() as outline:
            (title,) = outline.root
            assert [one.title for one in title.children] == [f"Card {number}" for number in range(5)]
        tags = [str(one["/S"]) for one in file.objects if isinstance(one, pikepdf.Dictionary) and "/S" in one]
        assert tags.count("/H1") == 1
        assert tags.count("/H2") == 5
        assert tags.count("/Table") == tags.count("/Caption") == 10


def test_its_fonts_are_ours(printed: Rendered) -> None:
    with pikepdf.open(io.BytesIO(printed.pdf)) as file:
        fonts = [one for one in file.objects if isinstance(one, pikepdf.Dictionary) and "/BaseFont" in one]
        names = {str(font["/BaseFont"]).partition("+")[2] for font in fonts}
    assert names
    assert all(name.startswith(("FP-Source-Sans", "FP-Source-Serif")) for name in names)


def boxes(printed: Rendered) -> Iterator[tuple[int, tuple[float, float, float, float]]]:
    """Everything drawn or written on each page: left, top, right, bottom in millimetres from the upper left corner."""
    for number, page in enumerate(pypdfium2.PdfDocument(printed.pdf)):
        height = page.get_height()
        for one in page.get_objects(max_depth=1):  # deeper ones have the coordinates of their drawing
            left, bottom, right, top = one.get_bounds()
            if right > left or top > bottom:
                yield number, (left / MM, (height - top) / MM, right / MM, (height - bottom) / MM)


def test_cards_and_ruler_have_their_size(printed: Rendered, paper: Paper) -> None:
    """Hairlines around two cards by two with gaps of 6 mm, and the ruler: bounds go round a line by its width."""
    left, top = places(paper)[0]
    for page in (0, 1):
        drawn = [box for number, box in boxes(printed) if number == page]
        cards = [one for one in drawn if one[2] - one[0] == pytest.approx(2 * 127.0 + 6 + 2 * 0.1, abs=0.05)]
        assert len(cards) == 1
        assert cards[0][3] - cards[0][1] == pytest.approx(2 * 76.2 + 6 + 2 * 0.1, abs=0.05)
        assert cards[0][:2] == pytest.approx((left - 0.1, top - 0.1), abs=0.05)
        assert left + 127 + 3 == pytest.approx(SIZES[paper][0] / 2)  # fronts and backs lie on each other
    rulers = [one for one in drawn if one[3] - one[1] < 4 and one[2] - one[0] == pytest.approx(100 + 2 * 0.2, abs=0.05)]
    assert len(rulers) == 1


def test_only_cards_have_frames(printed: Rendered, paper: Paper) -> None:
    """The last sheet has one card: nothing is drawn at the other three places."""
    for page, place in ((2, 0), (3, 1)):
        left, top = places(paper)[place]
        drawn = [box for number, box in boxes(printed) if number == page]
        (frame,) = (one for one in drawn if one[2] - one[0] == pytest.approx(127.2, abs=0.05))
        assert frame == pytest.approx((left - 0.1, top - 0.1, left + 127.1, top + 76.3), abs=0.05)


def test_each_back_lies_behind_its_front() -> None:
    front, back, *_ = pages(DECK)
    assert [one.name if one else "" for one in front.cards] == ["Card 0", "Card 1", "Card 2", "Card 3"]
    assert [one.name if one else "" for one in back.cards] == ["Card 1", "Card 0", "Card 3", "Card 2"]
    assert back.is_back
    assert not front.is_back


def test_turned_on_the_short_edge_each_back_is_behind_its_front(printed: Rendered, paper: Paper) -> None:
    """A wide page that is turned on its short edge has its left edge behind its right edge, and its top at the top."""
    wide, _ = SIZES[paper]
    document = pypdfium2.PdfDocument(printed.pdf)
    names = [one.name for one in DECK.cards[:4]]
    front, back = ({name: middle_of_card(document[side], name, paper) for name in names} for side in (0, 1))
    for name in names:
        x, y = front[name]
        assert back[name] == pytest.approx((wide - x, y), abs=0.1)


def middle_of_card(page: Any, name: str, paper: Paper) -> tuple[float, float]:
    """The middle of the card on which a name is printed, in millimetres from the upper left corner."""
    text = page.get_textpage()
    index, _ = text.search(name).get_next()
    left, bottom, _, _ = text.get_charbox(index)
    spot = left / MM, (page.get_height() - bottom) / MM
    corners = [corner for corner in places(paper) if corner[0] <= spot[0] and corner[1] <= spot[1]]
    x, y = max(corners)
    return x + 127 / 2, y + 76.2 / 2


def test_the_tags_of_a_deck_have_nothing_to_stumble_over(printed: Rendered) -> None:
    with pikepdf.open(io.BytesIO(printed.pdf)) as file:
        assert findings(file) == []


def test_the_text_of_every_card_is_found_on_its_front_and_its_back(printed: Rendered) -> None:
    document = pypdfium2.PdfDocument(printed.pdf)
    said = [document[number].get_textpage().get_text_bounded() for number in range(4)]
    assert [[text.count(f"Card {number}") for text in said] for number in range(5)] == [[1, 1, 0, 0]] * 4 + [
        [0, 0, 1, 1]
    ]
    assert [text.count("Backup systems") for text in said] == [4, 0, 1, 0]
    assert [text.count("Mine.") for text in said] == [0, 4, 0, 1]
    assert [text.count("Under fire") for text in said] == [4, 0, 1, 0]


def test_nothing_is_where_printers_cannot_print(printed: Rendered, paper: Paper) -> None:
    width, height = SIZES[paper]
    for _, (left, top, right, bottom) in boxes(printed):
        if right - left > width - 1:  # the page itself
            continue
        assert left >= EDGE - 0.01
        assert top >= EDGE - 0.01
        assert right <= width - EDGE + 0.01
        assert bottom <= height - EDGE + 0.01


def test_the_same_deck_is_the_same_bytes(printed: Rendered, paper: Paper) -> None:
    assert render_pdf(DECK, paper=paper, ink="mono").pdf == printed.pdf
