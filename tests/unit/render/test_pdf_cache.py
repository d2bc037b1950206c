"""Finished PDFs are found again, nothing else is, and no file of anybody else is touched."""

from __future__ import annotations

import hashlib
import os
import stat
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from generator.render import pdf_cache
from generator.render.pdf_cache import PdfCache, engine_digest, open_cache

if TYPE_CHECKING:
    from collections.abc import Callable

PDF = b"%PDF-1.7 one"


@pytest.fixture
def cache(tmp_path: Path) -> PdfCache:
    return PdfCache(tmp_path / "cache")


def the_entry(cache: PdfCache) -> Path:
    [path] = cache.folder.iterdir()
    return path


def test_what_was_kept_is_found_again(cache: PdfCache) -> None:
    assert cache.find("one") is None
    cache.keep("one", PDF, 3)
    assert cache.find("one") == (PDF, 3)
    assert cache.find("two") is None


def test_nobody_else_may_look_into_a_new_folder(cache: PdfCache) -> None:
    cache.keep("one", PDF, 3)
    assert stat.S_IMODE(cache.folder.stat().st_mode) == 0o700


DAMAGE: dict[str, Callable[[bytes], bytes]] = {
    "cut": lambda data: data[:-1],
    "longer": lambda data: data + b"x",
    "empty": lambda _: b"",
    "no head": lambda _: PDF,
    "other pages": lambda data: b"4" + data[1:],
    "no PDF": lambda _: b"3 " + hashlib.sha256(b"no pdf").hexdigest().encode() + b"\nno pdf",
    "planted": lambda _: b"3 " + hashlib.sha256(PDF).hexdigest().encode() + b"\n" + PDF,
}


@pytest.mark.parametrize("damage", DAMAGE)
def test_a_file_that_is_not_what_was_kept_is_not_taken_and_made_anew(cache: PdfCache, damage: str) -> None:
    cache.keep("one", PDF, 3)
    the_entry(cache).write_bytes(DAMAGE[damage](the_entry(cache).read_bytes()))
    assert cache.find("one") is None
    cache.keep("one", PDF, 3)
    assert cache.find("one") == (PDF, 3)


def test_an_entry_under_another_name_is_not_taken(cache: PdfCache) -> None:
    cache.keep("one", PDF, 3)
    data = the_entry(cache).read_bytes()
    the_entry(cache).unlink()
    cache.keep("two", b"%PDF two", 1)
    the_entry(cache).write_bytes(data)
    assert cache.find("two") is None


def test_a_link_is_replaced(cache: PdfCache) -> None:
    cache.keep("one", PDF, 3)
    entry = the_entry(cache)
    entry.unlink()
    target = entry.with_name("target")
    target.write_bytes(PDF)
    entry.symlink_to(target)
    assert cache.find("one") is None
    cache.keep("one", PDF, 3)
    assert cache.find("one") == (PDF, 3)
    assert target.read_bytes() == PDF


@pytest.mark.parametrize("mode", [0o777, 0o770, 0o702])
def test_a_folder_that_others_may_write_into_is_not_used(cache: PdfCache, mode: int) -> None:
    cache.keep("one", PDF, 3)
    cache.folder.chmod(mode)
    before = the_entry(cache).read_bytes()
    assert cache.find("one") is None
    cache.keep("two", PDF, 3)
    cache.clear()
    assert the_entry(cache).read_bytes() == before


def test_a_folder_of_somebody_else_or_a_link_to_one_is_not_used(
    cache: PdfCache, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    cache.keep("one", PDF, 3)
    linked = PdfCache(tmp_path / "link")
    linked.folder.symlink_to(cache.folder)
    assert linked.find("one") is None
    monkeypatch.setattr(os, "getuid", lambda: os.geteuid() + 1)
    assert cache.find("one") is None
    cache.keep("two", PDF, 3)
    assert len([*cache.folder.iterdir()]) == 1


def test_what_was_not_used_for_longest_goes_first(cache: PdfCache, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pdf_cache, "_LIMIT", 3 * (1000 + 70))
    for number, name in enumerate("abc"):
        cache.keep(name, b"%PDF" + bytes(996), 1)
        path = max(cache.folder.iterdir(), key=lambda one: one.stat().st_mtime_ns)
        os.utime(path, ns=(number, number))
    assert cache.find("a") is not None  # used: now the newest
    cache.keep("d", b"%PDF" + bytes(996), 1)
    cache.shrink()
    assert [name for name in "abcd" if cache.find(name) is not None] == ["a", "c", "d"]


def test_files_that_are_not_ours_stay(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """FIELDPRESS_CACHE names a folder of documents, 300 MB in all."""
    monkeypatch.setenv("FIELDPRESS_CACHE", str(tmp_path))
    cache = open_cache()
    assert cache is not None
    cache.folder.mkdir(mode=0o700)
    names = ("thesis.odt", ".netrc", "video.mp4", "fieldpress-cache/notes.txt", f"fieldpress-cache/{64 * 'b'}")
    for name in names:
        (tmp_path / name).write_text(name)
        os.truncate(tmp_path / name, 60_000_000)
        os.utime(tmp_path / name, ns=(0, 0))
    monkeypatch.setattr(pdf_cache, "_LIMIT", 0)
    cache.keep("one", PDF, 1)
    cache.keep("two", PDF, 1)
    cache.shrink()
    cache.clear()
    assert {str(path.relative_to(tmp_path)) for path in tmp_path.rglob("*") if path.is_file()} == {*names}


def test_a_folder_that_cannot_be_written_is_no_hindrance(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    cache = PdfCache(tmp_path / "file" / "fieldpress")
    cache.keep("one", PDF, 1)
    assert cache.find("one") is None
    assert cache.entries() == []


def test_other_libraries_and_other_code_make_other_files(monkeypatch: pytest.MonkeyPatch) -> None:
    before = engine_digest()
    changes: dict[str, Callable[..., object]] = {
        "versions": lambda: ("1.99", "99.0"), "version": lambda _: "99", "_file_digest": lambda _: b"",
    }  # fmt: skip
    for name, change in changes.items():
        engine_digest.cache_clear()
        with monkeypatch.context() as patch:
            patch.setattr(pdf_cache, name, change)
            assert engine_digest() != before
    engine_digest.cache_clear()
    assert engine_digest() == before


def test_every_module_that_renders_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    read: list[Path] = []

    def record(file: Path) -> bytes:
        read.append(file)
        return b""

    monkeypatch.setattr(pdf_cache, "_file_digest", record)
    engine_digest.cache_clear()
    engine_digest()
    engine_digest.cache_clear()
    modules = Path(pdf_cache.__file__).parent.rglob("*.py")
    assert {*modules} <= {*read}


def test_the_cache_is_where_the_user_says(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FIELDPRESS_CACHE", "off")
    assert open_cache() is None
    folders = {"FIELDPRESS_CACHE": "fieldpress-cache", "XDG_CACHE_HOME": "fieldpress"}
    for variable in folders if sys.platform == "linux" else ("FIELDPRESS_CACHE",):
        monkeypatch.delenv("FIELDPRESS_CACHE", raising=False)
        monkeypatch.setenv(variable, str(tmp_path / variable))
        cache = open_cache()
        assert cache is not None
        assert cache.folder == tmp_path / variable / folders[variable]
