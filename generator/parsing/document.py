"""A file's values as plain Python containers, and the places in the text where they stand."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, TypeAlias

from generator.parsing.text import split_lines
from generator.problems import Span

if TYPE_CHECKING:
    from collections.abc import Callable
    from fractions import Fraction  # costs an import that most files do not need

Path: TypeAlias = tuple[str | int, ...]
"""Steps from the whole document to one value: a key of a mapping, or an item's index from 0."""
Scalar: TypeAlias = "str | int | Fraction | bool | None"
Value: TypeAlias = "Scalar | list[Value] | dict[str, Value]"


@dataclass(slots=True)
class Place:
    """Where a value and its key begin (1-based), and the places of what is inside."""

    line: int
    column: int
    key_line: int
    key_column: int
    inside: dict[str | int, Place] = field(default_factory=dict)


class Document:
    """What a file says, and where it says it. Treat it as frozen.

    Places are worked out when the first one is asked for: a file without problems is read once, and fast.
    """

    __slots__ = ("_lines", "_locate", "_root", "name", "refused", "text", "value")

    name: str
    """The file as the user named it."""
    text: str
    """All of the text, without a byte order mark."""
    value: Value
    """Plain values. The same containers each time: do not change them."""
    refused: frozenset[Path]
    """The paths of values that were reported already and should be passed over. Usually empty."""

    def __init__(
        self, name: str, text: str, value: Value, locate: Callable[[], Place], refused: frozenset[Path] = frozenset()
    ) -> None:
        """``locate`` gives the root's place; it is called once, and only when a place is asked for."""
        self.name = name
        self.text = text
        self.value = value
        self.refused = refused
        self._locate = locate
        self._root: Place | None = None
        self._lines: list[str] | None = None

    def __repr__(self) -> str:
        return f"Document({self.name!r})"

    def inside(self, path: Path) -> Document:
        """What stands at a path, as a document of its own, whose places are those of the whole file."""
        value = self.value
        for step in path:
            value = value[step]  # type: ignore[index] # who asks knows that it is there
        refused = frozenset(item[len(path) :] for item in self.refused if item[: len(path)] == path)
        return Document(self.name, self.text, value, lambda: self._find(path)[0], refused)

    def span(self, path: Path) -> Span:
        """Give the first character of the value at ``path`` (a quoted text's is its quotation mark).

        A value that is left out stands right after its key's colon. Where nothing is at ``path``, this is the key of
        the nearest parent that is there: the place to name for a missing field.
        """
        place, found = self._find(path)
        return self._span(place.line, place.column) if found else self._span(place.key_line, place.key_column)

    def key_span(self, path: Path) -> Span:
        """Give the first character of the key at ``path``; for an item of a list and for the whole document, its own.

        Where nothing is at ``path``, the key of the nearest parent that is there.
        """
        place, _ = self._find(path)
        return self._span(place.key_line, place.key_column)

    def _find(self, path: Path) -> tuple[Place, bool]:
        if self._root is None:
            self._root = self._locate()
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
