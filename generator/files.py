"""Write files atomically."""

from __future__ import annotations

from secrets import token_hex
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path


TEMPORARY = "fieldpress-"
"""The prefix of this program's folders for temporary files."""


def write_atomically(path: Path, data: bytes) -> None:
    """Write a file completely or not at all: write under a random name in the same folder, then rename.

    The name is random because process ids repeat: in a container nearly every process has the same one.
    """
    part = path.with_name(f".{token_hex(8)}.part")
    try:
        with part.open("xb") as stream:
            stream.write(data)
        part.replace(path)
    except BaseException:
        part.unlink(missing_ok=True)
        raise
