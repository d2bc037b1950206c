"""Finished files, found again by what they were made of: the page, the engine, its fonts, and our own part in it."""

from __future__ import annotations

import contextlib
import hashlib
import os
import re
from functools import cache
from importlib.metadata import version
from pathlib import Path

from generator import resources

_ENGINES = ("weasyprint", "pydyf", "jinja2", "font-source-sans-pro", "font-source-serif-pro")
_MOST = 256 * 1024 * 1024
"""Bytes on the shelf; what was not asked for longest goes first."""
_HEAD = re.compile(rb"(\d{1,6}) ([0-9a-f]{64})\n")


class Shelf:
    """A folder of finished files. What cannot be read or written there is made again: nothing depends on it."""

    def __init__(self, folder: Path) -> None:
        """Look in this folder, which need not be there yet."""
        self._folder = folder

    def find(self, html: str) -> tuple[bytes, int] | None:
        """The file that was made of this page, and how many pages it has."""
        path = self._path(html)
        try:
            data = path.read_bytes()
            os.utime(path)
        except OSError:
            return None
        head = _HEAD.match(data)
        if head is None or hashlib.sha256(data[head.end() :]).hexdigest().encode() != head[2]:
            return None
        return data[head.end() :], int(head[1])

    def keep(self, html: str, pdf: bytes, pages: int) -> None:
        """Keep what was made of this page."""
        from generator.files import write_atomically

        head = f"{pages} {hashlib.sha256(pdf).hexdigest()}\n".encode()
        with contextlib.suppress(OSError):
            self._folder.mkdir(parents=True, exist_ok=True)
            write_atomically(self._path(html), head + pdf)
            self._tidy()

    def _path(self, html: str) -> Path:
        return self._folder / made_of(html)

    def _tidy(self) -> None:
        """Throw away the oldest while there is too much."""
        with os.scandir(self._folder) as entries:
            files = sorted((one.stat().st_mtime_ns, one.stat().st_size, one.path) for one in entries if one.is_file())
        left = sum(size for _, size, _ in files)
        for _, size, path in files:
            if left <= _MOST:
                return
            Path(path).unlink(missing_ok=True)
            left -= size


def made_of(html: str) -> str:
    """The name of the file that is made of a page: the same page, engine and hand of ours in it make the same file."""
    return hashlib.sha256(_hand() + html.encode()).hexdigest()


@cache
def _hand() -> bytes:
    parts = [f"{name} {version(name)}".encode() for name in _ENGINES]
    for folder in (Path(__file__).parent, resources.templates()):
        files = (path for path in sorted(folder.rglob("*")) if path.suffix in {".py", ".j2", ".css"})
        parts += [hashlib.sha256(path.read_bytes()).digest() for path in files]
    return b"\n".join(parts)


def usual_shelf() -> Shelf | None:
    """The player's own shelf: the folder that FIELDPRESS_CACHE names, else where the system keeps such things."""
    named = os.environ.get("FIELDPRESS_CACHE")
    if named == "off":
        return None
    if named:
        return Shelf(Path(named))
    from platformdirs import user_cache_path

    return Shelf(user_cache_path("fieldpress", appauthor=False))
