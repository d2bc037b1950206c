"""A table as one line of capitals and digits, for a QR code or a message."""

from __future__ import annotations

import binascii
import zlib
from base64 import b32decode, b32encode
from typing import TYPE_CHECKING

from generator.parsing.text import MAX_BYTES, read_text
from generator.problems import Problem, Span

if TYPE_CHECKING:
    from pathlib import Path

CODE = ".qr"
"""The extension of a file with such a line."""
_PREFIX = "FIELDPRESS:"
_GROUP = 8
"""The line is made of groups of so many characters; the end of the last group is left out."""


def packed(text: str) -> str:
    """Return a text as one line of capitals, digits and a colon, which QR codes store best.

    >>> unpacked(packed("force,rules")), packed("force,rules")[:11]
    ('force,rules', 'FIELDPRESS:')
    """
    data = zlib.compress(text.encode("utf-8"), 9)
    return _PREFIX + b32encode(data).decode("ascii").rstrip("=")


def unpacked(line: str) -> str:
    """Return the text of a line that ``packed`` made; spaces and line ends inside do not matter.

    Raises ValueError for any other line, and for a text above ``MAX_BYTES``.
    """
    letters = "".join(line.split()).upper().removeprefix(_PREFIX)
    unpacking = zlib.decompressobj()
    try:
        data = unpacking.decompress(b32decode(letters + "=" * (-len(letters) % _GROUP)), MAX_BYTES)
    except (binascii.Error, zlib.error) as error:
        raise ValueError(str(error)) from None
    if not unpacking.eof:
        message = "the end is missing"
        raise ValueError(message)
    return data.decode("utf-8")


def packed_text(path: Path, name: str) -> tuple[str | None, tuple[Problem, ...]]:
    """Return the text in a file with a packed line. Without text there is a problem: F101 to F104, F130."""
    line, problems = read_text(path, name)
    if line is None:
        return None, problems
    try:
        return unpacked(line), ()
    except ValueError:
        hint = f"copy the whole text of the code, from {_PREFIX} to its end"
        return None, (Problem("F104", Span(name), "the text of the code of a force", "another text", hint=hint),)
