"""Finished files are found again, and nothing that is not what was made."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from generator.render import shelf as shelves
from generator.render.shelf import Shelf, usual_shelf

if TYPE_CHECKING:
    from pathlib import Path

    import pytest


def test_what_was_kept_is_found_again(tmp_path: Path) -> None:
    shelf = Shelf(tmp_path / "shelf")
    assert shelf.find("<p>one") is None
    shelf.keep("<p>one", b"%PDF one", 3)
    assert shelf.find("<p>one") == (b"%PDF one", 3)
    assert shelf.find("<p>two") is None


def test_a_damaged_file_is_not_taken(tmp_path: Path) -> None:
    shelf = Shelf(tmp_path)
    shelf.keep("<p>one", b"%PDF one", 3)
    [path] = tmp_path.iterdir()
    for damaged in (path.read_bytes()[:-1], path.read_bytes() + b"x", b"", b"no head\n%PDF"):
        path.write_bytes(damaged)
        assert shelf.find("<p>one") is None


def test_what_was_not_asked_for_longest_goes_first(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shelves, "_MOST", 3 * (1000 + 70))
    shelf = Shelf(tmp_path)
    for number, name in enumerate("abc"):
        shelf.keep(name, bytes(1000), 1)
        path = max(tmp_path.iterdir(), key=lambda one: one.stat().st_mtime_ns)
        os.utime(path, ns=(number, number))
    assert shelf.find("a") is not None  # asked for: now the newest
    shelf.keep("d", bytes(1000), 1)
    assert [name for name in "abcd" if shelf.find(name) is not None] == ["a", "c", "d"]


def test_a_folder_that_cannot_be_written_is_no_hindrance(tmp_path: Path) -> None:
    taken = tmp_path / "file"
    taken.write_text("")
    shelf = Shelf(taken)
    shelf.keep("<p>one", b"%PDF", 1)
    assert shelf.find("<p>one") is None


def test_the_shelf_is_where_the_player_says(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FIELDPRESS_CACHE", "off")
    assert usual_shelf() is None
    monkeypatch.setenv("FIELDPRESS_CACHE", str(tmp_path))
    shelf = usual_shelf()
    assert shelf is not None
    shelf.keep("<p>one", b"%PDF", 1)
    assert len(list(tmp_path.iterdir())) == 1
    monkeypatch.delenv("FIELDPRESS_CACHE")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "elsewhere"))
    assert usual_shelf() is not None
