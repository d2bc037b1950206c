"""Files that are there whole or not at all."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path


def write_atomically(path: Path, data: bytes) -> None:
    """Write under another name in the same folder, then rename: the file is there whole or not at all."""
    beside = path.with_name(f".{path.name}.{os.getpid()}.part")
    try:
        with beside.open("xb") as stream:
            stream.write(data)
        beside.replace(path)
    except BaseException:
        beside.unlink(missing_ok=True)
        raise
