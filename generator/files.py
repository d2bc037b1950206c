"""Files that are there whole or not at all."""

from __future__ import annotations

from secrets import token_hex
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path


TEMPORARY = "fieldpress-"
"""The names of our folders for temporary files begin with this."""


def write_atomically(path: Path, data: bytes) -> None:
    """Write under a random name in the same folder, then rename: the file is there whole or not at all.

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
