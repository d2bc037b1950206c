"""Pages as PNG pictures: their size, that nothing is written in them but dots, and that no secret changes a dot."""

from __future__ import annotations

import base64
import io
import json
import re
import struct
from typing import TYPE_CHECKING

import pytest
from PIL import Image

from generator.commands import printing
from generator.commands.access import open_library
from generator.commands.jobs import Selection
from generator.commands.printer import Output
from generator.render.assemble.pictures import grid

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.slow

BATTLE = """\
scenario: The mill
rules: [dirtside2]
table: {width: 48, depth: 36}
turns: 9
sides:
  - {side: Red, force: {designs: [{design: Foot, kind: infantry-team, type: line}]}}
  - {side: Blue, force: {designs: [{design: Foot, kind: infantry-team, type: line}]}}
objectives: [{objective: Mill, at: [20, 20]}]
"""
HIDDEN = "set_pieces: [{piece: Zebra, side: Red, at: [22, 12], secret: yes}]\numpire: Zebra is under the mill.\n"


def chunks(picture: bytes) -> list[bytes]:
    """Return the kinds of chunks in a PNG."""
    assert picture.startswith(b"\x89PNG\r\n\x1a\n")
    at, kinds = 8, []
    while at < len(picture):
        length, kind = struct.unpack(">I4s", picture[at : at + 8])
        kinds.append(kind)
        at += length + 12
    return kinds


def build(text: str, folder: Path, selection: Selection) -> dict[str, bytes]:
    folder.mkdir()
    path = folder / "battle.yaml"
    path.write_text(text, encoding="utf-8")
    out = folder / "out"
    data, _ = printing.build(open_library(), [str(path)], Output(out, dpi=50), selection=selection)
    files = [path for path in out.rglob("*") if path.is_file()]
    assert sorted(file["path"] for file in data["built"]) == sorted(map(str, files))
    return {path.name: path.read_bytes() for path in files}


def test_a_secret_is_in_no_picture_that_everybody_gets(tmp_path: Path) -> None:
    parts = ("1-table", "1-board", "6-markers", "5-cards-blue")
    selection = Selection(parts=parts)
    plain, marked = (build(BATTLE + more, tmp_path / f"with{more[:3]}", selection) for more in ("", HIDDEN))
    assert plain == marked
    assert {name.partition("-a4")[0] for name in plain} == {*parts}
    pages = {name: picture for name, picture in plain.items() if re.search(r"-a4-\d+\.png$", name)}
    for name, picture in pages.items():
        assert {*chunks(picture)} == {b"IHDR", b"pHYs", b"IDAT", b"IEND"}
        if name.startswith("1-board"):
            continue
        short, long = sorted(struct.unpack(">II", picture[16:24]))
        assert abs(short - 210 / 25.4 * 50) <= 1
        assert abs(long - 297 / 25.4 * 50) <= 1


def test_the_parts_of_a_battle_are_apart_even_if_it_is_bound(tmp_path: Path) -> None:
    some = Selection(bind=True, parts=("2-red", "2-blue"))
    names = {name.rpartition("-a4-")[0] for name in build(BATTLE, tmp_path / "all", some)}
    assert names == {*some.parts}


def test_a_board_has_its_grid_and_lines_of_sight_and_cards_have_sheets(tmp_path: Path) -> None:
    wall = (
        "terrain: [{piece: Grove, kind: woods, at: [10, 6], size: [8, 9]}, {kind: rough, at: [30, 6], size: [4, 4]}]\n"
    )
    files = build(BATTLE + wall, tmp_path / "battle", Selection(parts=("1-board", "5-cards-blue")))
    board = json.loads(files["1-board-a4.uvtt"])
    inch = board["resolution"]["pixels_per_grid"]
    assert board["resolution"]["map_size"] == {"x": 48, "y": 36}
    with Image.open(io.BytesIO(base64.b64decode(board["image"]))) as picture:
        assert picture.size == (48 * inch, 36 * inch)
    [ring] = board["line_of_sight"]  # y runs down from the north edge
    assert {(spot["x"], spot["y"]) for spot in ring} == {(10, 30), (18, 30), (18, 21), (10, 21)}
    sheets = {name: picture for name, picture in files.items() if "faces" in name or "backs" in name}
    assert {name.removeprefix("5-cards-blue-a4-") for name in sheets} == {"faces1-2x2.png", "backs1-2x2.png"}
    for sheet in sheets.values():
        assert {*chunks(sheet)} == {b"IHDR", b"IDAT", b"IEND"}
        with Image.open(io.BytesIO(sheet)) as picture:
            assert max(picture.size) <= 4096
            assert picture.width / picture.height == pytest.approx(127 / 76.2, abs=0.01)


@pytest.mark.parametrize("many", range(1, 70))
def test_a_sheet_of_cards_keeps_its_last_place_free(many: int) -> None:
    across, down = grid(many, 5 / 3)
    assert 2 <= across <= 10
    assert 2 <= down <= 7
    assert many < across * down
