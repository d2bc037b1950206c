"""Write files completely or not at all."""

from __future__ import annotations

import errno
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import cache
from pathlib import Path
from secrets import token_hex
from time import time

TEMPORARY = "fieldpress-"
"""The prefix of this program's folders for temporary files."""


@contextmanager
def all_or_none() -> Iterator[Callable[[Path, bytes], None]]:
    """Yield a function that writes a file from its path and its bytes. The files appear together when the block ends.

    If the block fails, no file appears. An existing file is replaced. The function raises OSError if the file
    cannot be written, such as if its folder is missing or its path is a folder. The end of the block raises OSError if
    a file cannot be renamed; files that were renamed before stay.

    Until the block ends, each file has a random name in its folder. The name is random because process ids repeat: in a
    container nearly every process has the same one. Files with such names that a killed process left there are removed
    after a day.
    """
    parts: dict[Path, Path] = {}

    def write(path: Path, data: bytes) -> None:
        if path.is_dir():
            raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), str(path))
        part = path.with_name(f".{token_hex(8)}.part")
        parts[part] = path
        with part.open("xb") as stream:
            stream.write(data)

    try:
        yield write
        for part, path in parts.items():
            part.replace(path)
    except BaseException:
        for part in parts:
            part.unlink(missing_ok=True)
        raise
    for folder in {path.parent for path in parts}:
        _sweep(folder)


@cache  # once in a process: a folder may have many files, and be written to often
def _sweep(folder: Path) -> None:
    """Delete files older than a day that killed processes left in a folder under the names of ``all_or_none``.

    A second call for the same folder does nothing. A file that cannot be deleted stays.
    """
    for part in folder.glob(f".{'[0-9a-f]' * 16}.part"):
        with suppress(OSError):
            if part.stat().st_mtime < time() - 24 * 3600:
                part.unlink()


def real_path(path: Path) -> Path:
    """Return the absolute path without links.

    A link to itself stays as it is; ``Path.resolve`` of older versions of Python raises RuntimeError for it.
    """
    return Path(os.path.realpath(path))


def write_atomically(path: Path, data: bytes) -> None:
    """Write a file completely or not at all. An existing file is replaced.

    Raises OSError if the file cannot be written.
    """
    with all_or_none() as write:
        write(path, data)
