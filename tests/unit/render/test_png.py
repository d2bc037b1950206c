"""Pages as PNG pictures: their size, that nothing is written in them but dots, and that no secret changes a dot."""

from __future__ import annotations

import struct
from typing import TYPE_CHECKING

from generator.commands import printing
from generator.commands.access import open_library
from generator.commands.jobs import Selection

if TYPE_CHECKING:
    from pathlib import Path

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
    data, _ = printing.build(open_library(), [str(path)], out, selection=selection, dpi=50)
    files = [path for path in out.rglob("*") if path.is_file()]
    assert sorted(file["path"] for file in data["built"]) == sorted(map(str, files))
    return {path.name: path.read_bytes() for path in files}


def test_a_secret_is_in_no_picture_that_everybody_gets(tmp_path: Path) -> None:
    parts = ("1-table", "6-markers", "5-cards-blue")
    selection = Selection(parts=parts)
    plain, marked = (build(BATTLE + more, tmp_path / f"with{more[:3]}", selection) for more in ("", HIDDEN))
    assert plain == marked
    assert {name.rpartition("-a4-")[0] for name in plain} == {*parts}
    for picture in plain.values():
        assert {*chunks(picture)} == {b"IHDR", b"pHYs", b"IDAT", b"IEND"}
        short, long = sorted(struct.unpack(">II", picture[16:24]))
        assert abs(short - 210 / 25.4 * 50) <= 1
        assert abs(long - 297 / 25.4 * 50) <= 1


def test_the_parts_of_a_battle_are_apart_even_if_it_is_bound(tmp_path: Path) -> None:
    names = {name.rpartition("-a4-")[0] for name in build(BATTLE, tmp_path / "all", Selection(bind=True))}
    assert {"1-table", "2-red", "3-umpire"} <= names
    assert not [name for name in names if "pack" in name]
