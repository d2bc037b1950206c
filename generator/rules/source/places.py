"""Where a piece of rule data stands, kept until somebody asks."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from generator.problems import Problem, Severity, Span, name_entry, spell_path

if TYPE_CHECKING:
    from generator.parsing.document import Document, Path
    from generator.rules.source.parts import Part


class Place(NamedTuple):
    """A path inside a part. Line and column are looked up only when a problem needs them.

    A piece that a layer wrote is found in the layer's file.
    """

    inside: Part
    path: Path = ()

    def __truediv__(self, step: str | int) -> Place:
        """The place one step further in."""
        return Place(self.inside, (*self.path, step))

    def written(self) -> tuple[Document, Path]:
        """The document that this was written in, and its path there."""
        return self.inside.written(self.path)

    def refused(self) -> bool:
        """Whether reading the file found fault with this value already (or with one that it is inside of)."""
        document, path = self.written()
        return any(path[:length] in document.refused for length in range(len(path) + 1)) if document.refused else False

    def value(self) -> Any:
        """What is here, as it is read; None where there is nothing."""
        here: Any = self.inside.value
        for step in self.path:
            try:
                here = here[step]
            except (LookupError, TypeError):
                return None
        return here

    def span(self) -> Span:
        """Line and column of the value here (of the nearest thing above it where there is none)."""
        document, path = self.written()
        return document.span(path)

    def problem(
        self,
        code: str,
        *,
        found: str,
        expected: str,
        hint: str = "",
        severity: Severity = "error",
        offset: int | None = None,
        at_key: bool = False,
    ) -> Problem:
        """A problem with the value here, or with its key; ``offset`` counts characters into a text."""
        document, path = self.written()
        span = document.key_span(path) if at_key else document.span(path)
        if offset is not None:
            span = _inside(span, offset)
        where = name_entry(document.value, path)
        return Problem(code, span, expected, found, spell_path(path), hint, severity=severity, where=where)

    def shifted(self, problem: Problem, offset: int) -> Problem:
        """A problem as one with a character inside the text that is here."""
        return problem._replace(span=_inside(self.span(), offset))


def _inside(span: Span, offset: int) -> Span:
    return span._replace(column=_column(span.text, span.column, offset)) if span.line else span


def _column(line: str, column: int, offset: int) -> int:
    """The column of a character inside a text that begins at ``column``, its quotation marks and codes counted.

    The beginning's own where the text goes on over several lines, so that the character stands in another.

    >>> _column("a: 'x''s y'", 4, 4), _column("a: x + y", 4, 4), _column("a: >-", 4, 4)
    (10, 8, 4)
    """
    place = column - 1
    quote = line[place : place + 1]
    if quote not in ("'", '"'):
        inside = place + offset
        return inside + 1 if inside <= len(line) and quote not in (">", "|") else column
    place += 1
    code = "''" if quote == "'" else "\\"
    for _ in range(offset):
        place += 2 if line.startswith(code, place) else 1
    return place + 1 if place < len(line) else column
