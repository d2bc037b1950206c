"""Upright cards: measured in the file, every text once, tags and pictures, and the shipped forces."""

from __future__ import annotations

import io
import re
from dataclasses import replace
from functools import cache
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import pikepdf
import pypdfium2
import pytest

from generator.commands.access import open_library
from generator.commands.forces import convert, load_force_file
from generator.commands.jobs import Job, Selection
from generator.commands.printer import Output, frames_of, imposed
from generator.commands.printing import build
from generator.documents.force.cards import deck
from generator.problems import LayoutError, Problem, Remedy, Span
from generator.render.assemble.binding import join
from generator.render.assemble.impose import CARDS, CUTTER, FOLD, NO_MARKS, SHEETS, Imposition, cut_lines, impose
from generator.render.cards.deck import NO_CHANCE, POKER, TAROT, Axis, Card, Deck, Line, Listed, Percentage, Stat
from generator.render.cards.upright import small_tables, texts, with_lists, with_sides
from generator.render.page.pdf import render_pdf
from generator.render.pictures import read_picture
from generator.rules.source.library import SAMPLES, examples
from tests.tag_walker import findings
from tests.unit.documents.test_supplements import png
from tests.unit.render.test_decks import DECK, MM, SIZES, card

if TYPE_CHECKING:
    from pathlib import Path

    from generator.render.blocks import Paper

pytestmark = pytest.mark.slow

LIBRARY = open_library()
NATURAL = {POKER: (63.5, 88.9), TAROT: (70.0, 120.0)}
"""The sizes that printers of cards offer."""
SVG = b'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 8 4"><path d="M0 0H8V4H0Z" fill="#00f"/></svg>'
PICTURE = read_picture(SVG, "A wagon at dawn")
FORCE = """\
force: Reds
rules: [stargrunt2]
designs:
  - {design: Rifles, kind: squad, quality: green, men: 6 x hunting-rifle, picture: {file: FILE, alt: A wagon at dawn}}
units:
  - {unit: First, of: [{design: Rifles}]}
"""


def made(size: str, *, sides: tuple[bool, ...] = (False, True), cards: tuple[Card, ...] = DECK.cards[:3]) -> bytes:
    one = replace(DECK, cards=cards, apart=sides, size=size, colour="red")
    return render_pdf(one, paper="a4", ink="colour", numbered=False).pdf


@pytest.fixture(scope="module", params=[POKER, TAROT])
def size(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture(scope="module")
def printed(size: str) -> bytes:
    return made(size)


def words(pdf: bytes) -> str:
    return " ".join(page.get_textpage().get_text_range() for page in pypdfium2.PdfDocument(pdf))


def mm(numbers: Any) -> list[float]:
    return [float(number) / MM for number in numbers]


def red(pdf: bytes, page: int, *, x: float = 0, y: float = 0) -> list[tuple[float, float]]:
    """Where red begins and ends in millimetres, in the row at ``y``, or in the column at ``x``."""
    whole = pypdfium2.PdfDocument(pdf)[page]
    width, height = whole.get_size()
    left, top = max(0, x - 1), max(0, y - 1)
    strip = (0, height - (top + 2) * MM, 0, top * MM) if y else (left * MM, 0, width - (left + 2) * MM, 0)
    picture = whole.render(scale=20 / MM, crop=strip).to_pil().convert("RGB")
    points = [(at, 20) for at in range(picture.width)] if y else [(20, at) for at in range(picture.height)]
    pixels: list[Any] = [picture.getpixel(point) for point in points]
    is_red = [False, *(pixel[0] - pixel[2] > 60 for pixel in pixels), False]
    ends = [at / 20 for at, (before, after) in enumerate(pairwise(is_red)) if before != after]
    return list(zip(ends[::2], ends[1::2], strict=True))


def test_a_card_for_a_print_shop_has_its_size_and_3_mm_of_bleed(printed: bytes, size: str) -> None:
    pdf, count = impose(printed, Imposition(CARDS, size=size), SIZES["a4"])
    wide, high = NATURAL[size]
    with pikepdf.open(io.BytesIO(pdf)) as file:
        assert len(file.pages) == count == 6
        for page in file.pages:
            assert mm(page.obj.MediaBox) == pytest.approx([0, 0, wide + 6, high + 6], abs=0.02)
            assert mm(page.obj.BleedBox) == pytest.approx([0, 0, wide + 6, high + 6], abs=0.02)
            assert mm(page.obj.TrimBox) == pytest.approx([3, 3, wide + 3, high + 3], abs=0.02)
        assert findings(file) == []
    assert red(pdf, 1, y=2) == [pytest.approx((0, wide + 6), abs=0.1)]  # the name bar fills the bleed
    assert red(pdf, 1, x=1)[0] == pytest.approx((0, 3 + 9.4 * wide / 63.5), abs=0.1)


@pytest.mark.parametrize("paper", ["a4", "letter"])
def test_backs_lie_behind_their_fronts(printed: bytes, size: str, paper: Paper) -> None:
    pdf, count = impose(printed, Imposition(SHEETS, gap=10, marks=NO_MARKS, size=size), SIZES[paper])
    assert count == 2
    page = pypdfium2.PdfDocument(pdf)[0]
    across, down = (float(side) / MM for side in page.get_size())
    wide, high = NATURAL[size]
    columns, rows = int((across - 24.8 + 10) // (wide + 10)), int((down - 26 + 10) // (high + 10))
    left, top = (across - columns * (wide + 10) + 10) / 2, (down - rows * (high + 10) + 10) / 2
    behind = [(start - 3, end + 3) for start, end in [(across - left - wide, across - left)]]
    assert red(pdf, 1, y=top + 1)[-1] == pytest.approx(behind[0], abs=0.1)
    assert red(pdf, 1, x=across - left - 1)[0] == pytest.approx((top - 3, top + 9.4 * wide / 63.5), abs=0.1)
    bar = top + high - 62.9 * wide / 63.5 + 1
    assert red(pdf, 0, y=bar)[0] == pytest.approx((left - 3, left + wide + 3), abs=0.1)


@pytest.mark.parametrize(
    ("size", "paper", "most"), [(POKER, "a4", 8), (POKER, "letter", 6), (TAROT, "a4", 4), (TAROT, "letter", 4)]
)
def test_as_many_cards_as_fit_are_on_a_sheet(size: str, paper: Paper, most: int) -> None:
    drawing = cut_lines(Imposition(SHEETS, marks=CUTTER, size=size), SIZES[paper]).decode()
    wide, high = NATURAL[size]
    assert len(re.findall(rf"h{wide:.3f}v{high:.3f}h-{wide:.3f}z", drawing)) == most


@pytest.mark.parametrize("paper", ["a4", "letter"])
@pytest.mark.parametrize("way", [SHEETS, FOLD])
def test_sheets_have_a_ruler_a_key_and_rights_around_the_cards(
    printed: bytes, size: str, way: str, paper: Paper
) -> None:
    imposition = Imposition(way, size=size)
    one = replace(DECK, cards=DECK.cards[:3], size=size, bounds=("under 20", "20–39"), banner="Draft")
    around = frames_of(one, imposition, paper)
    frames = render_pdf(around, paper=paper, ink="colour").pdf
    pdf, count = impose(join([printed, frames], None), imposition, SIZES[paper], len(around.frames))
    assert count == len(around.frames)
    assert ("long edge" in around.strap) == (around.upright and "flip" in one.strap)
    for page in pypdfium2.PdfDocument(pdf):
        text = page.get_textpage().get_text_range()
        assert all(text.count(said) == 1 for said in ("100 mm: print at 100 %", DECK.imprint.rights, "20–39", "Draft"))
    with pikepdf.open(io.BytesIO(pdf)) as file:
        assert findings(file) == []


def test_every_text_of_a_card_is_found_once(size: str) -> None:
    one = replace(
        card("Wolf"), tells=("Hunts alone", "Padding. " * 30, "Howls", "Sees in the dark"),
        spare=("Sees in the dark", "Swims badly"), own="Grey",
        facts=(Stat("D7", "Hunger"),), points="31 points", test="Test: over 4", stats=(Stat("9″", "Pace"),),
    )  # fmt: skip
    found = words(made(size, cards=(one,)))
    for said in (
        "Hunts alone", "Howls", "Sees in the dark", "Swims badly", "Grey", "Hunger", "D7", "31 points", "over 4",
        "Pace", "9″", "Mine.", "Destroys armour", "medium", "1 Troop",
    ):  # fmt: skip
        assert found.count(said) == (2 if said in ("Destroys armour", "close") else 1), said
    assert found.count("close") == 2  # a row of the front, a row of the back
    assert "Under fire" not in found  # sleeved cards use markers


def test_spare_texts_that_have_no_room_are_left_out() -> None:
    long = tuple(f"Text {number}. " * 30 for number in range(9))
    one = replace(card("Wolf"), tells=("Hunts alone", *long[:2]), spare=long)
    front, back = texts(one, POKER)
    assert "Hunts alone" in (*front, *back)
    assert 0 < sum(text in long for text in (*front, *back)) < 9
    assert sum(text in long for side in texts(one, TAROT) for text in side) > sum(
        text in long for text in (*front, *back)
    )


def test_a_list_that_has_no_room_has_a_card_of_its_own() -> None:
    enemies = Listed("Enemy", tuple((str(number), "Long name, " * 9) for number in range(8)))
    short = replace(card("Wolf"), lists=(enemies._replace(rows=enemies.rows[:1]),))
    long = replace(card("Wolf"), lists=(enemies,), tells=("Words. " * 60,))
    assert with_lists(short, POKER) == [short]
    first, second = with_lists(long, POKER)
    assert (first.lists, second.lists, second.part, second.tells) == ((), (enemies,), (2, 2), ())
    both = (replace(long, part=(1, 2)), replace(card("Wolf"), part=(2, 2)))
    decks = (with_sides(replace(DECK, cards=cards), POKER, (False,)) for cards in ((long,), both))
    assert [[one.part for one in deck.cards] for deck in decks] == [[(1, 2), (2, 2)], [(1, 3), (3, 3), (2, 3)]]


def test_rows_stand_in_a_table_for_each_axis_of_chances() -> None:
    axes = (Axis("Destroys", ("1", "2")), Axis("Kills", ("Line",)))
    dash, half = NO_CHANCE, Percentage("50", 2)
    rows = (
        Line("Gun", "near", ("12″", "D8"), (half, dash, dash)),
        Line("Gun", "far", ("", "D6"), (dash, dash, half), follows=True),
        Line("Knife", "", ("–", "D4"), (dash, dash, dash)),
        Axis("are stopped", ("D4", "D6"), "At aircraft"),
        Line("", "Flak", ("24″", "–"), (half, half, None), own=True),
    )
    found = small_tables(replace(card("Wolf"), axes=axes), rows)
    assert [(table.says, table.note, table.heads, table.start) for table in found] == [
        ("Destroys", "Range · Die", ("1", "2"), 0), ("Kills", "", ("Line",), 2), ("", "", (), 0),
        ("At aircraft", "are stopped", ("D4", "D6"), 0),
    ]  # fmt: skip
    assert [row.follows for table in found for row in table.rows] == [False] * 4  # a table begins with the weapon


def test_a_picture_fills_its_place_and_has_its_words(size: str) -> None:
    pdf = made(size, sides=(False,), cards=(replace(card("Wolf"), picture=PICTURE),))
    scale = NATURAL[size][0] / 63.5
    foot = 3 + NATURAL[size][1] - 62.9 * scale
    page = pypdfium2.PdfDocument(pdf)[0].render(scale=10 / MM).to_pil().convert("RGB")
    blue = [page.getpixel((10 * x, int(10 * y))) == (0, 0, 255) for x in (1, 68) for y in (1, foot - 1)]
    assert all(blue)
    assert page.getpixel((10, int(10 * (foot + 1)))) != (0, 0, 255)
    with pikepdf.open(io.BytesIO(pdf)) as file:
        spoken = [str(one.Alt) for one in file.objects if isinstance(one, pikepdf.Dictionary) and "/Alt" in one]
        assert spoken.count("A wagon at dawn") == 1
        assert findings(file) == []


def test_a_card_without_room_is_named_and_sent_to_index_cards() -> None:
    one = replace(card("Wolf"), tells=("Far too long. " * 300,))
    with pytest.raises(LayoutError) as refused:
        made(POKER, cards=(one,))
    assert refused.value.block == "Wolf, back"
    job = Job(DECK, "cards", "reds", lambda error: Problem("F132", Span("reds.yaml"), "a page", error.found))
    (prepared,) = imposed([job], Imposition(CARDS, size=POKER), ["a4"])
    assert isinstance(prepared, Job)
    problem = prepared.blame(LayoutError("too long", "Wolf", "", Remedy("x")))
    assert "--card-size index" in problem.hint


def write(folder: Path, picture: bytes, name: str = "wagon.svg") -> Path:
    (folder / name).write_bytes(picture)
    path = folder / "force.yaml"
    path.write_text(FORCE.replace("FILE", name), encoding="utf-8")
    return path


def test_the_picture_of_a_design_is_printed_on_its_card(tmp_path: Path) -> None:
    path, out = write(tmp_path, SVG), tmp_path / "out"
    output = Output(out, imposition=Imposition(SHEETS, size=POKER), no_cache=True, jobs=1)
    data, problems = build(LIBRARY, [str(path)], output, selection=Selection(only=("cards",)))
    assert [problem for problem in problems if problem.severity == "error"] == []
    assert [file["path"] for file in data["built"]] == [str(out / "reds-cards-a4-poker-sheets.pdf")]
    with pikepdf.open(out / "reds-cards-a4-poker-sheets.pdf") as file:
        assert any(
            str(one.get("/Alt")) == "A wagon at dawn" for one in file.objects if isinstance(one, pikepdf.Dictionary)
        )


def test_upright_cards_that_have_not_changed_are_not_printed_again(tmp_path: Path) -> None:
    path = write(tmp_path, SVG)
    output = Output(tmp_path / "out", imposition=Imposition(SHEETS, size=POKER), no_cache=True, jobs=1)
    data, _ = build(LIBRARY, [str(path)], output, selection=Selection(since=path))
    assert data["built"] == []


def test_a_force_that_is_converted_keeps_its_pictures(tmp_path: Path) -> None:
    path = write(tmp_path, SVG)
    for name in ("again.yaml", "again.csv"):
        convert(LIBRARY, path, tmp_path / name)
    first, again, table = (load_force_file(LIBRARY, tmp_path / name) for name in (path.name, "again.yaml", "again.csv"))
    assert again.designs[0].picture == first.designs[0].picture == PICTURE
    assert table.designs[0].picture is None


def test_a_library_in_a_folder_below_has_its_pictures_there(tmp_path: Path) -> None:
    (tmp_path / "lib").mkdir()
    library = write(tmp_path / "lib", SVG)
    designs = FORCE.partition("units:")[0].partition("designs:")
    library.write_text(f"designs:{designs[2]}".replace("FILE", "wagon.svg"), encoding="utf-8")
    path = tmp_path / "reds.yaml"
    path.write_text(f"{designs[0]}libraries: [lib/force.yaml]\nunits: [{{unit: A, of: [Rifles]}}]\n", encoding="utf-8")
    convert(LIBRARY, path, tmp_path / "again.yaml")
    for name in ("reds.yaml", "again.yaml"):
        assert load_force_file(LIBRARY, tmp_path / name).designs[0].picture == PICTURE


def test_a_bomb_is_refused_and_a_coarse_picture_gets_advice(tmp_path: Path) -> None:
    for data, severity, found in (
        (png(50_000, 50_000, 1), "error", "more pixels than that"), (png(60, 60, 60), "advice", "60 pixels across"),
    ):  # fmt: skip
        force = load_force_file(LIBRARY, write(tmp_path, data, "wagon.png"))
        (problem,) = (problem for problem in force.problems if problem.code == "F142")
        assert (problem.severity, problem.found, problem.span.file) == (severity, found, str(tmp_path / "wagon.png"))


@cache
def fullest() -> dict[str, Deck]:
    """For each rule set, a deck of the cards of its sample forces that have most to say."""
    decks: dict[str, Deck] = {}
    for name in LIBRARY.ids():
        folder = LIBRARY.find(name)
        for sample in examples([folder], SAMPLES).values() if folder else ():
            one = deck(load_force_file(LIBRARY, sample.path, ["cards"]), "abcd 1234")
            before = decks[name].cards if name in decks else ()
            decks[name] = replace(one, cards=tuple(dict.fromkeys((*before, *one.cards))))
    most = {name: sorted(one.cards, key=lambda item: len(repr(item)), reverse=True)[:3] for name, one in decks.items()}
    return {name: replace(one, cards=tuple(most[name])) for name, one in decks.items()}


@pytest.mark.parametrize("name", ["dirtside2", "dirtside2-iceburg", "fma-skirmish", "sla-3d", "stargrunt2"])
def test_the_fullest_cards_of_the_samples_have_room(name: str) -> None:
    one = replace(fullest()[name], apart=(False, True), size=POKER)
    assert render_pdf(one, paper="a4", ink="mono", numbered=False).pages == 6
