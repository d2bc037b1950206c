"""A cache of finished PDFs and of measured heights, found by what they are made of.

Nothing depends on it: a missing PDF is rendered again.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import re
import stat
import sys
from functools import cache
from importlib.metadata import version
from pathlib import Path
from typing import NamedTuple

from generator import resources
from generator.files import write_atomically
from generator.render.libraries import versions
from generator.render.type.fonts import FACES, face_file

OFF = "off"
"""The value of FIELDPRESS_CACHE that turns the cache off."""
_PACKAGES = (
    "weasyprint", "pydyf", "tinycss2", "cssselect2", "tinyhtml5", "fonttools", "jinja2", "markupsafe", "markdown-it-py",
    "pillow", "segno", "shapely",
)  # fmt: skip
_LIMIT = 256 * 1024 * 1024
"""Largest total size of the cache in bytes after a build; the least recently used entries are deleted first."""
_OWN = re.compile(r"[0-9a-f]{64}\.fieldpress|\.[0-9a-f]{16}\.part")
"""The names of our files: entries, and files that :func:`write_atomically` has not renamed yet."""
_HEAD = re.compile(rb"(\d{1,6}) ([0-9a-f]{64})\n")


class CachedFile(NamedTuple):
    """A file of the cache."""

    used: int
    """The time of its last use, in nanoseconds."""
    size: int
    path: Path


class PdfCache:
    """A folder of finished PDFs and heights, found by a text that says what they are made of.

    Nothing is read from or written to a folder that other users can change. Only files of the cache are changed.
    """

    def __init__(self, folder: Path) -> None:
        """Use this folder, which need not exist yet."""
        self.folder = folder

    def find(self, made_of: str) -> tuple[bytes, int] | None:
        """Return the data stored for ``made_of``, and its page count; None if the cache has no valid entry.

        The entry then counts as just used. No entry is found if the folder is not private or cannot be changed. An
        entry that was made with another :func:`engine_digest` is never found. Raises RenderError as that function does.
        """
        if not self.is_private():
            return None
        key = _key(made_of)
        try:
            data = (self.folder / key).read_bytes()
            os.utime(self.folder / key)
            os.utime(self.folder)
        except OSError:
            return None
        head = _HEAD.match(data)
        if head is None or _digest(key, int(head[1]), data[head.end() :]).encode() != head[2]:
            return None
        return data[head.end() :], int(head[1])

    def keep(self, made_of: str, data: bytes, pages: int) -> None:
        """Store data under ``made_of``, a text that says what the data is made of.

        Do nothing if the folder cannot be written or is not private. Call :meth:`shrink` after the last entry. Raises
        RenderError as :func:`engine_digest` does.
        """
        key = _key(made_of)
        with contextlib.suppress(OSError):
            self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            if self.is_private():
                write_atomically(self.folder / key, f"{pages} {_digest(key, pages, data)}\n".encode() + data)

    def is_private(self) -> bool:
        """Return whether the folder belongs to this user and no other user can write to it.

        False if there is no folder, or only a link to a folder. On Windows, every folder counts as private.
        """
        try:
            status = self.folder.lstat()
        except OSError:
            return False
        ours = os.name == "nt" or (status.st_uid == os.getuid() and not status.st_mode & 0o022)
        return stat.S_ISDIR(status.st_mode) and ours

    def entries(self) -> list[CachedFile]:
        """Return the files of the cache, the least recently used first; empty if the folder is not private."""
        found: list[CachedFile] = []
        for file in os.scandir(self.folder) if self.is_private() else ():
            with contextlib.suppress(FileNotFoundError):  # another build may delete it meanwhile
                if _OWN.fullmatch(file.name) and file.is_file(follow_symlinks=False):
                    status = file.stat(follow_symlinks=False)
                    found.append(CachedFile(status.st_mtime_ns, status.st_size, Path(file.path)))
        return sorted(found)

    def last_used(self) -> int:
        """Return the time of the last use or change of the cache, in nanoseconds since 1970.

        This is the time of the folder. It changes if a file is used, stored or deleted. 0 without a private folder.
        """
        return self.folder.stat().st_mtime_ns if self.is_private() else 0

    def clear(self) -> None:
        """Delete all files of the cache, if its folder is private. Raises OSError if a file cannot be deleted."""
        for entry in self.entries():
            entry.path.unlink(missing_ok=True)

    def shrink(self) -> None:
        """Delete the least recently used files until the cache has at most 256 MiB.

        Stop without an error if a file cannot be deleted.
        """
        with contextlib.suppress(OSError):
            entries = self.entries()
            left = sum(entry.size for entry in entries)
            for entry in entries:
                if left <= _LIMIT:
                    return
                entry.path.unlink(missing_ok=True)
                left -= entry.size


def open_cache() -> PdfCache | None:
    """Return the user's cache, in a folder of its own; None if FIELDPRESS_CACHE is ``off``.

    FIELDPRESS_CACHE names the parent folder, which may hold other files.
    """
    named = os.environ.get("FIELDPRESS_CACHE")
    if named == OFF:
        return None
    if named:
        return PdfCache(Path(named, "fieldpress-cache"))
    from platformdirs import user_cache_path

    return PdfCache(user_cache_path() / "fieldpress")


def _key(made_of: str) -> str:
    return hashlib.sha256(engine_digest() + made_of.encode()).hexdigest() + ".fieldpress"


def _digest(key: str, pages: int, data: bytes) -> str:
    """Return the checksum of an entry; it includes the key, so that a renamed entry is not valid."""
    return hashlib.sha256(f"{key} {pages} ".encode() + data).hexdigest()


@cache
def engine_digest() -> bytes:
    """Return a digest of the program that renders PDFs.

    It includes the code of ``generator.render``, the templates and our fonts. It also includes the versions of Python,
    Pango, HarfBuzz and the packages that make HTML, drawings and PDF.
    Raises RenderError if the package of a font is not installed.
    """
    ours = [*Path(__file__).parent.rglob("*.py"), *resources.templates().rglob("*.*")]
    files = sorted(ours) + [face_file(face.id) for face in FACES]
    found = [sys.version, *versions(), *map(version, _PACKAGES)]
    return hashlib.sha256(b"\n".join([*map(str.encode, found), *(_file_digest(file) for file in files)])).digest()


def _file_digest(file: Path) -> bytes:
    return hashlib.sha256(file.read_bytes()).digest()
