"""A table at full size: measured on the printed sheets, complete, and in as few of them as can be."""

from __future__ import annotations

import io
import re
from typing import TYPE_CHECKING, Any

import pytest

from generator.render.blocks import Map, MapMark, MapPiece, MapShape
from generator.render.imprinted import Imprint
from generator.render.maps.areas import box
from generator.render.maps.terrain import draw_terrain
from generator.render.maps.tiles import draw_tiles
from generator.render.maps.tiling import FLAP, Tiles, tiling
from generator.render.page.pdf import render_pdf

if TYPE_CHECKING:
    from generator.render.blocks import Paper

EMPTY: dict[str, Any] = {
    "width": 30, "depth": 14, "pieces": (), "zones": (), "entries": (), "marks": (), "kinds": (),
    "sides": ("Red", "Blue"), "colours": ("", ""), "alt": "A table", "caption": "Table",
}  # fmt: skip
PAPERS: dict[Paper, tuple[float, float]] = {"a4": (210, 297), "letter": (215.9, 279.4)}
DOT = 25.4 / 300
BARE = 105, 125
"""Heights between which no line runs from left to right, and no text stands."""


def tiles(**changed: Any) -> Tiles:
    plan = Map(**{**EMPTY, **changed})
    return Tiles(
        id="t", title="T", strap="", plan=plan, imprint=Imprint(
            author="fieldpress", edition="1999", fingerprint="", source="Tin", rights="", created="1999-01-01"
        ),
    )  # fmt: skip


def dark_columns(page: Any, top: float, bottom: float, *, throughout: bool) -> list[float]:
    """Where a strip of a page, between two heights in millimetres, is dark: the middle of each line, in millimetres.

    ``throughout`` asks for lines that run through the whole strip, else for any ink.
    """
    picture = page.render(scale=300 / 72, grayscale=True).to_pil()
    strip = picture.crop((0, round(top / DOT), picture.width, round(bottom / DOT)))
    rows = [strip.crop((0, y, strip.width, y + 1)).tobytes() for y in range(strip.height)]
    dark = [(max if throughout else min)(row[x] for row in rows) < 215 for x in range(strip.width)]
    edges = [x for x in range(1, len(dark)) if dark[x] != dark[x - 1]]
    return [(start + end) / 2 * DOT for start, end in zip(edges[::2], edges[1::2], strict=True)]


@pytest.mark.parametrize("paper", ["a4", "letter"])
def test_a_square_of_the_grid_across_a_joint_is_as_long_as_on_the_table(paper: Paper) -> None:
    import pypdfium2

    rendered = render_pdf(tiles(), paper=paper, ink="mono")
    document = pypdfium2.PdfDocument(io.BytesIO(rendered.pdf))
    split = tiling(tiles().plan, paper)
    assert len(document) == len(split.tiles) + 1
    assert split.columns > 1
    one, other = document[1], document[2]
    assert round(one.get_width() / 72 * 25.4, 1) in PAPERS[paper]
    lines, joint = dark_columns(one, *BARE, throughout=True), dark_columns(one, *BARE, throughout=False)
    [broken] = [x for x in joint if all(abs(x - line) > 0.3 for line in lines)]
    cut = dark_columns(other, 6.6, 8.4, throughout=True)[0]
    beyond = dark_columns(other, *BARE, throughout=True)
    before = max(x for x in lines if x < broken)
    assert broken - before + beyond[0] - cut == pytest.approx(6 * 25.4, abs=0.2)
    assert beyond[1] - beyond[0] == pytest.approx(6 * 25.4, abs=0.2) or len(lines) > 2
    after = [x for x in lines if x > broken]  # what is seen twice lies in the same place
    assert all(x - broken == pytest.approx(beyond[0] - cut, abs=0.2) for x in after)
    document.close()


@pytest.mark.parametrize("paper", ["a4", "letter"])
@pytest.mark.parametrize("size", [(72, 48), (48, 48), (12, 12), (240, 240), (97.5, 36), (12, 240)])
def test_every_place_lies_on_one_sheet_and_no_picture_leaves_its_paper(size: tuple[float, float], paper: Paper) -> None:
    plan = tiles(width=size[0], depth=size[1]).plan
    split = tiling(plan, paper)
    wide, deep = size[0] * 25.4, size[1] * 25.4
    assert sorted(split.paper) == list(PAPERS[paper])
    area = sum((right - left) * (bottom - top) for left, top, right, bottom in (one.cell for one in split.tiles))
    assert area == pytest.approx(wide * deep)
    for number in range(200):
        x, y = wide * (number * 37 % 199) / 198, deep * (number * 53 % 197) / 196
        left, top, right, bottom = split.home((x, y)).cell
        assert left - 1e-6 <= x <= right + 1e-6
        assert top - 1e-6 <= y <= bottom + 1e-6
    for tile in split.tiles:
        left, top, right, bottom = tile.shown
        assert right - left <= split.paper[0] - 2 * 6.35
        assert bottom - top <= split.paper[1] - 2 * 6.35
        assert right == pytest.approx(min(tile.cell[2] + FLAP, wide))
        assert bottom == pytest.approx(min(tile.cell[3] + FLAP, deep))
    assert len({one.name for one in split.tiles}) == len(split.tiles)


def test_a_table_of_72_by_48_inches_takes_no_more_sheets_than_it_must() -> None:
    for paper, most in (("a4", 50), ("letter", 56)):
        assert len(tiling(tiles(width=72, depth=48).plan, paper).tiles) == most  # type: ignore[arg-type]


def test_a_name_and_a_number_stand_once_whole_in_one_sheet() -> None:
    wood = MapPiece(
        "trees", MapShape(((2, 2), (28, 2), (28, 12), (2, 12))), "A wood so long that its name is long, too"
    )
    split = tiling(tiles().plan, "a4")
    joint = split.tiles[0].cell[2] / 25.4
    sheet = tiles(pieces=(wood,), marks=(MapMark("7", (joint, 7), 2, "Well"),))
    printed = draw_tiles(sheet, "a4", "colour")
    for wanted, least in ((wood.name, 2.0), ("7", 7.0)):
        found = [(tile, label.style) for tile, page in zip(split.tiles, printed.pages, strict=True)
                 for label in page.drawing.labels if label.text == wanted]  # fmt: skip
        [(tile, style)] = found
        left, wide = (float(re.findall(rf"{key}:([\d.-]+)mm", style)[0]) for key in ("left", "width"))
        middle = left + wide / 2
        reach = wide / 2 if least < 3 else least
        assert reach <= middle + 0.1
        assert middle + reach <= tile.cell[2] - tile.cell[0] + 0.1


def test_a_sheet_draws_no_more_than_it_shows() -> None:
    wood = MapPiece("trees", MapShape(((0, 0), (60, 0), (60, 40), (0, 40))))
    pond = MapPiece("water", MapShape(((66, 44),), radius=3))
    printed = draw_tiles(tiles(width=72, depth=48, pieces=(wood, pond)), "a4", "colour")
    bare = draw_tiles(tiles(width=72, depth=48), "a4", "colour")
    trees = len(draw_terrain("trees", [box(0, 0, 60 * 10.16, 40 * 10.16)], "colour"))
    drawn = sum(len(page.drawing.svg) for page in printed.pages) - sum(len(page.drawing.svg) for page in bare.pages)
    assert trees < drawn < 1.5 * trees  # what lies under two joints is drawn four times
    assert sum("#cbe1f4" in page.drawing.svg for page in printed.pages) <= 4
