"""Read YAML 1.2 files as plain values that know their places.

Not allowed: anchors and aliases, tags, several documents, keys that are not plain text, more than 50 levels.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from generator.parsing.document import Document
from generator.parsing.text import BOM, STDIN, check_characters, read_text
from generator.parsing.walk import MAX_DEPTH, walk

if TYPE_CHECKING:
    import pathlib

    from generator.problems import Problem

__all__ = ["MAX_DEPTH", "parse_yaml", "read_yaml"]


def read_yaml(path: pathlib.Path, name: str) -> tuple[Document | None, tuple[Problem, ...]]:
    """Read a file with :func:`read_text` and :func:`parse_yaml`; return their problems.

    Problems show lines of an unreadable file only if ``is_named_yaml``.
    """
    text, problems = read_text(path, name)
    document, problems = parse_yaml(text, name) if text is not None else (None, problems)
    if document is None and not is_named_yaml(path):
        problems = tuple(
            problem._replace(span=problem.span._replace(text=""), found="another text")
            if problem.span.text
            else problem
            for problem in problems
        )
    return document, problems


def is_named_yaml(path: pathlib.Path) -> bool:
    """Return whether a file has a YAML ending or is standard input. Lines of other files may be private."""
    return path == STDIN or path.suffix.lower() in (".yaml", ".yml")


def parse_yaml(text: str, name: str) -> tuple[Document | None, tuple[Problem, ...]]:
    """Read one YAML 1.2 document; for an empty text, return a document whose value is None.

    With these problems there still is a document: F106 duplicate key (the first wins); F107 anchor or alias; F109 tag
    or a second document; F110 number too long; F111 key that is not plain text. ``Document.refused`` has the paths of
    the refused values. With these there is none: F105 not YAML; F108 too deep; F112 forbidden characters; more than
    100 problems.
    """
    text = text.removeprefix(BOM)
    problems = check_characters(text, name)
    if problems:
        return None, problems
    reading = walk(text, name)
    document = Document(name, text, reading.value, reading.root, frozenset(reading.refused)) if reading.whole else None
    return document, tuple(reading.problems)
