"""Read YAML 1.2 files as plain values: fast at first, and again with the careful reader if something is unusual.

Not allowed: anchors and aliases, tags, several documents, keys that are not plain text, more than 50 levels.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from yaml.error import YAMLError
from yaml.events import (
    AliasEvent,
    DocumentEndEvent,
    MappingEndEvent,
    MappingStartEvent,
    ScalarEvent,
    SequenceEndEvent,
    SequenceStartEvent,
    StreamEndEvent,
)

from generator.errors import FieldpressError
from generator.parsing.document import Document
from generator.parsing.events import MAX_DEPTH, open_events
from generator.parsing.scalars import CONSTANTS, NumberTooLongError, read_plain
from generator.parsing.text import BOM, FORBIDDEN, STDIN, check_characters, read_text

if TYPE_CHECKING:
    import pathlib

    from generator.parsing.document import Scalar, Value
    from generator.parsing.walk import Reading
    from generator.problems import Problem

__all__ = ["MAX_DEPTH", "parse_yaml", "read_yaml"]


class _OddError(FieldpressError):
    """The text holds something that only the careful reader can read or report."""


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
    try:
        value = _read_quickly(text)
    except (_OddError, NumberTooLongError, YAMLError):
        reading = _read_carefully(text, name)
        if not reading.whole:
            return None, tuple(reading.problems)
        document = Document(name, text, reading.value, lambda: reading.root, frozenset(reading.refused))
        return document, tuple(reading.problems)
    return Document(name, text, value, lambda: _read_carefully(text, name).root), ()


def _read_carefully(text: str, name: str) -> Reading:
    from generator.parsing.walk import walk

    return walk(text, name)


def _read_quickly(text: str) -> Value:  # noqa: C901, PLR0912, PLR0915 - one loop without calls is what makes it quick
    """Build the values of a text, without recursion or places. Raises _OddError if it needs the careful reader.

    ``key`` holds a key until its value comes; ``into`` is the open container, ``open_ones`` are the containers around
    it.
    """
    next_event = open_events(text)
    known: dict[str, Scalar] = CONSTANTS.copy()
    root: list[Value] = []
    into: list[Value] | dict[str, Value] = root
    open_ones: list[list[Value] | dict[str, Value]] = []
    key: str | None = None
    next_event()  # the start of the stream
    if type(next_event()) is StreamEndEvent:
        return None
    while True:
        event = next_event()
        kind = type(event)
        if kind is ScalarEvent:
            if event.anchor is not None or event.tag is not None:
                raise _OddError
            content: str = event.value
            style = event.style
            if style == '"' and FORBIDDEN.search(content):
                raise _OddError
            if key is None and type(into) is dict:
                if content in into:
                    raise _OddError
                key = content
                continue
            value: Value
            if style:
                value = content
            else:
                try:
                    value = known[content]
                except KeyError:
                    value = known[content] = read_plain(content)
            if key is None:
                into.append(value)  # type: ignore[union-attr] # a mapping always has its key here
            else:
                into[key] = value  # type: ignore[call-overload] # only a mapping has a key
                key = None
        elif kind is MappingStartEvent or kind is SequenceStartEvent:
            if event.anchor is not None or event.tag is not None or len(open_ones) == MAX_DEPTH:
                raise _OddError
            inner: list[Value] | dict[str, Value] = {} if kind is MappingStartEvent else []
            if key is not None:
                into[key] = inner  # type: ignore[call-overload] # only a mapping has a key
                key = None
            elif type(into) is list:
                into.append(inner)
            else:
                raise _OddError
            open_ones.append(into)
            into = inner
        elif kind is MappingEndEvent or kind is SequenceEndEvent:
            into = open_ones.pop()
        elif kind is AliasEvent:
            raise _OddError
        elif kind is DocumentEndEvent:
            if type(next_event()) is not StreamEndEvent:
                raise _OddError
            return root[0]
