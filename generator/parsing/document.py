"""The values of a file as plain Python containers, with their places in the text."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, TypeAlias

from generator.parsing.text import split_lines
from generator.problems import Span

if TYPE_CHECKING:
    from collections.abc import Mapping
    from fractions import Fraction  # costs an import that most files do not need

Path: TypeAlias = tuple[str | int, ...]
"""Steps from the whole document to one value: a key of a mapping, or an item's index from 0."""
Scalar: TypeAlias = "str | int | Fraction | bool | None"
Value: TypeAlias = "Scalar | list[Value] | dict[str, Value]"


@dataclass(slots=True)
class Place:
    """The line and column of a value and of its key (from 1), and the places of the values inside it."""

    line: int
    column: int
    key_line: int
    key_column: int
    inside: dict[str | int, Place] = field(default_factory=dict)


@dataclass(slots=True, eq=False, repr=False)
class Document:
    """The values of a file and their places. Treat it as frozen."""

    name: str
    """The file as the user named it."""
    text: str
    """The whole text, without a byte order mark."""
    value: Value
    """The plain values. Do not change them: every access returns the same containers."""
    _root: Place
    """The place of the whole value, with the places inside it."""
    _lines: list[str] | None = field(default=None, init=False)

    def under(self, value: Value, path: Path) -> Document:
        """Return a document with this ``value``, which holds the value of this document at ``path``.

        The places of this document stay. Everything around them is at the place of this document's whole value.
        """
        root = self._root
        for step in reversed(path):
            root = Place(root.line, root.column, root.line, root.column, {step: root})
        return Document(self.name, self.text, value, root)

    def inside(self, path: Path) -> Document:
        """Return the value at a path as a document of its own, with the same places in the file.

        Raises KeyError, IndexError or TypeError if nothing is at the path.
        """
        value = self.value
        for step in path:
            value = value[step]  # type: ignore[index] # who asks knows that it is there
        return Document(self.name, self.text, value, self._find(path)[0])

    def span(self, path: Path) -> Span:
        """Return the place of the first character of the value at ``path`` (for a quoted text, the quotation mark).

        The place of an empty value is right after the colon of its key. If nothing is at ``path``, return the key of
        the nearest parent that exists, which is the place to report for a missing field.
        """
        place, exists = self._find(path)
        return self._span(place.line, place.column) if exists else self._span(place.key_line, place.key_column)

    def key_span(self, path: Path) -> Span:
        """Return the place of the first character of the key at ``path``.

        An item of a list, and the whole document, have no key: return the place of their first character. If nothing is
        at ``path``, return the key of the nearest parent that exists.
        """
        place, _ = self._find(path)
        return self._span(place.key_line, place.key_column)

    def place_words(self, path: Path, start: tuple[int, int], words: Mapping[str, tuple[int, int]]) -> None:
        """Record the places of an entry that the file writes as a text, such as ``2 x Tank`` for a design and a count.

        ``start`` is the line and column of the entry, ``words`` are those of its values by key. The path is not empty.
        """
        inside: dict[str | int, Place] = {key: Place(*at, *at) for key, at in words.items()}
        self._find(path[:-1])[0].inside[path[-1]] = Place(*start, *start, inside)

    def _find(self, path: Path) -> tuple[Place, bool]:
        """Return the place at a path, or of its nearest parent, and whether the path exists."""
        place = self._root
        for step in path:
            inner = place.inside.get(step)
            if inner is None:
                return place, False
            place = inner
        return place, True

    def _span(self, line: int, column: int) -> Span:
        if self._lines is None:
            self._lines = split_lines(self.text)
        return Span(self.name, line, column, self._lines[line - 1] if line <= len(self._lines) else "")
