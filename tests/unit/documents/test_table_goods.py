"""The things to cut out of a rule set: the whole pot, the grid of draws, templates, and their sizes on paper."""

from __future__ import annotations

import re
from collections import Counter
from functools import cache
from math import cos, pi, sin
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

import pikepdf
import pypdfium2
import pytest

from generator.commands import printing
from generator.commands.access import load_valid, open_library
from generator.commands.jobs import MARKERS, Selection
from generator.commands.printer import Output
from generator.documents.pack.markers import TEMPLATES, table_goods
from generator.problems import ProblemsError
from generator.render.markers import Board, Chit, Draws, Flag, MarkerSheets, Ruler, Template
from generator.render.markers import Counter as Marker
from generator.render.page.html import render_html
from generator.render.page.pdf import render_pdf
from tests.tag_walker import findings

if TYPE_CHECKING:
    from PIL import Image

    from generator.render.blocks import Paper
    from generator.rules.ruleset import RuleSet

pytestmark = pytest.mark.slow

P = TypeVar("P")
TIN = Path(__file__).parents[2] / "cases" / "rules"
MARKERS_ALONE = Selection(only=(MARKERS,))
GAMES = ("dirtside2", "dirtside2-iceburg", "dirtside2-fma", "stargrunt2", "stargrunt2-quick", "fma-skirmish", "sla-3d")
CHITS = {"red": {0: 5, 1: 20, 2: 15, 3: 10}, "yellow": {0: 3, 1: 10, 2: 7, 3: 5}, "green": {0: 3, 1: 10, 2: 7, 3: 5}}
"""The pot as the book prints it, on page 5."""
DOTS = 20
"""Pixels to the millimetre, for measuring."""


@cache
def rules_of(name: str) -> RuleSet:
    from generator.rules.load.load import ALL
    from generator.rules.source.library import SCENARIO

    parts = [("kinds", ALL), ("procedures", ALL), ("tables", ALL), (SCENARIO, "markers"), (SCENARIO, TEMPLATES)]
    return load_valid(open_library(), name, parts)


@cache
def goods_of(name: str) -> MarkerSheets:
    return table_goods(rules_of(name), "")


def pieces_of(name: str, kind: type[P]) -> list[P]:
    return [piece for tray in goods_of(name).trays for piece in tray.pieces if isinstance(piece, kind)]


def test_the_pot_is_whole() -> None:
    chits = Counter(pieces_of("dirtside2", Chit))
    wanted = {(str(number), word): many for word, counts in CHITS.items() for number, many in counts.items()}
    assert {(chit.figure, chit.word): many for chit, many in chits.items() if chit.group is not None} == wanted
    marks = {chit.figure: many for chit, many in chits.items() if chit.group is None}
    assert marks == {"F": 2, "BOOM": 5, "M": 7, "T": 5}
    assert chits.total() == 119


def test_a_group_of_chits_is_told_by_its_frame_too() -> None:
    frames = {chit.word: chit.group for chit in pieces_of("dirtside2", Chit) if chit.group is not None}
    assert frames == {"red": 0, "yellow": 1, "green": 2}
    assert not pieces_of("stargrunt2", Chit)


def test_a_layer_with_dice_instead_of_chits_has_no_pot() -> None:
    assert len(pieces_of("dirtside2-iceburg", Chit)) == 119
    assert not pieces_of("dirtside2-fma", Chit)
    assert not pieces_of("dirtside2-fma", Draws)


def test_two_dice_find_every_chit_once() -> None:
    [grid] = pieces_of("dirtside2", Draws)
    assert (grid.down, grid.across) == (10, 12)
    assert Counter(grid.chits) == Counter(pieces_of("dirtside2", Chit))


@pytest.mark.parametrize("name", GAMES)
def test_every_game_has_markers_flags_and_a_ruler(name: str) -> None:
    assert {marker.sign for marker in pieces_of(name, Marker)} > {"turn", ""}
    assert [flag.figure for flag in pieces_of(name, Flag)] == [str(number) for number in range(1, 9)]
    assert [ruler.long for ruler in pieces_of(name, Ruler)] == [7]


def test_command_markers_show_each_quality_with_each_leader() -> None:
    shown = [(marker.word, marker.rank, marker.figure) for marker in pieces_of("dirtside2", Marker) if marker.rank]
    words = ["Green", "Regular", "Veteran"]
    assert shown == [(word, rank, str(grade)) for rank, word in enumerate(words, start=1) for grade in (1, 2, 3)]


def test_a_template_has_the_size_that_the_rules_have() -> None:
    tables = rules_of("dirtside2").tables
    templates = {row["template"]: row for row in tables[TEMPLATES].rows}
    assert {row["across"] for row in tables["sheaves"].rows} == {2 * templates["beaten-zone"]["reach"]}
    assert tables["mounts"].find(("fixed",))["arc"] == templates["fixed"]["degrees"]
    zones = [row["up_to"] for row in tables["nuclear-zones"].rows]
    assert [templates["nuclear-middle"][name] for name in ("inner", "reach")] == zones[:2]
    tables = rules_of("stargrunt2").tables
    bursts = {f"{row['burst']}-burst": row["radius"] for row in tables["burst-radius"].rows}
    reaches = {row["template"]: row["reach"] for row in tables[TEMPLATES].rows if row["shape"] == "circle"}
    assert reaches == {name: radius for name, radius in bursts.items() if name != "very-large-burst"}


def test_aircraft_have_a_board() -> None:
    assert [board.boxes for board in pieces_of("dirtside2-iceburg", Board)] == [
        ("Craft over the battle area", "Craft away")
    ]


@pytest.mark.parametrize("paper", ["a4", "letter"])
@pytest.mark.parametrize("name", GAMES)
def test_no_type_is_under_seven_points(name: str, paper: Paper) -> None:
    sizes = re.findall(r"font-size:([\d.]+)pt", render_html(goods_of(name), paper, "colour"))
    assert min(map(float, sizes)) >= 7


@pytest.fixture(scope="module")
def pages() -> list[Image.Image]:
    pdf = pypdfium2.PdfDocument(render_pdf(goods_of("dirtside2"), paper="a4", ink="low").pdf)
    return [page.render(scale=DOTS * 25.4 / 72, grayscale=True).to_pil() for page in pdf]


def span(picture: Image.Image, top: float) -> tuple[float, float]:
    """Return the first and last dark place of a line of a page, in millimetres."""
    row = picture.crop((0, round(top * DOTS), picture.width, round(top * DOTS) + 1)).point(lambda shade: shade < 200)
    left, _, right, _ = row.getbbox()  # type: ignore[misc]
    return left / DOTS, right / DOTS


def test_the_ruler_is_100_mm_on_paper(pages: list[Image.Image]) -> None:
    for page in pages:
        left, right = span(page, 297 - 19 + 0.8)  # through the ticks at both ends, which are 0.2 mm wide
        assert right - left - 0.2 == pytest.approx(100, abs=0.1)


def test_the_beaten_zone_is_4_inches_across_in_every_direction(pages: list[Image.Image]) -> None:
    rows = [(number, row) for number, page in enumerate(goods_of("dirtside2").pages("a4")) for row in page]
    number, left, top = next(
        (number, left, row.top)
        for number, row in rows
        for left, piece in row.pieces
        if isinstance(piece, Template) and piece.name.startswith("Beaten zone")
    )
    radius = 50.8
    for step in range(32):
        way = cos(step * pi / 16), sin(step * pi / 16)
        near = [radius + offset / DOTS for offset in range(-DOTS, DOTS)]
        places = [(left + radius + way[0] * reach, top + radius + way[1] * reach) for reach in near]
        dark = [
            reach
            for reach, (x, y) in zip(near, places, strict=True)
            if pages[number].getpixel((int(x * DOTS), int(y * DOTS))) < 128  # type: ignore[operator]
        ]
        assert (min(dark) + max(dark)) / 2 == pytest.approx(radius, abs=0.1)


def test_chits_are_cut_at_15_mm(pages: list[Image.Image]) -> None:
    left, right = span(pages[0], goods_of("dirtside2").pages("a4")[0][0].top + 12)
    assert right - left == pytest.approx(13 * 15, abs=0.1 + 0.12)
    assert left == pytest.approx((210 - 13 * 15) / 2, abs=0.1)


@pytest.mark.parametrize("paper", ["a4", "letter"])
def test_a_rule_set_prints_them_by_name(tmp_path: Path, paper: Paper) -> None:
    data, _ = printing.build(open_library(), ["sla-3d"], Output(tmp_path, papers=(paper,)), selection=MARKERS_ALONE)
    assert [(file["sheet"], file["pages"]) for file in data["built"]] == [("markers", 1)]
    with pikepdf.open(data["built"][0]["path"]) as pdf:
        assert findings(pdf) == []


def test_a_rule_set_without_markers_has_no_such_sheet(tmp_path: Path) -> None:
    with pytest.raises(ProblemsError) as caught:
        printing.build(open_library(TIN), ["tin"], Output(tmp_path), selection=MARKERS_ALONE)
    assert [problem.code for problem in caught.value.problems] == ["R319"]
