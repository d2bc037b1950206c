"""Files in the folder of a rule set that nothing reads. Their name or folder is often misspelt."""

from __future__ import annotations

from typing import TYPE_CHECKING

from generator.problems import Problem, Span
from generator.rules.source.library import BATTLES, CHANGES, ERRATA, FOLDERS, MANIFEST, SAMPLES

if TYPE_CHECKING:
    from pathlib import Path

    from generator.rules.source.library import Folder

_HEADS = (MANIFEST, CHANGES, ERRATA)
_FOLDERS = (*FOLDERS, SAMPLES, BATTLES)
_DATA = (".yaml", ".yml", ".json", ".csv")
"""The endings of rule data; other files, such as notes and pictures, are not reported."""


def strays(folder: Folder) -> list[Problem]:
    """Return R239 (advice) for each file that looks like rule data and that nothing reads."""
    found = []
    for file in sorted(folder.path.rglob("*")):
        way = file.relative_to(folder.path)
        hidden = any(part.startswith(".") for part in way.parts)
        if file.suffix.lower() in _DATA and not hidden and file.is_file() and not _is_read(way):
            hint = "rename or move the file, or delete it"
            expected = f"{', '.join(_HEADS)}, or a file ID.yaml right in {'/, '.join(_FOLDERS)}/"
            span = Span(folder.show(*way.parts))
            found.append(Problem("R239", span, expected, "a file that nothing reads", hint=hint, severity="advice"))
    return found


def _is_read(way: Path) -> bool:
    """Return whether the loader reads a file at this path inside a rule set."""
    if len(way.parts) == 1:
        return way.name in _HEADS
    return len(way.parts) == 2 and way.parts[0] in _FOLDERS and way.suffix == ".yaml"  # noqa: PLR2004 - folder, file
