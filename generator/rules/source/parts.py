"""One file as read, and what later layers did to it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

from generator.problems import Problem, Severity, Span, name_entry, spell_path
from generator.rules.model.change import ChangeModel

if TYPE_CHECKING:
    from generator.parsing.document import Document, Path
    from generator.rules.model.change import ChangeModel, PartKey


class Applied(NamedTuple):
    """A change that took hold: which layer made it, to which key, and what stood there before."""

    layer: str
    """The rule set that made it; nothing where a player answered a gap."""
    change: ChangeModel
    key: str | int
    before: Any
    place: Place


class Part:
    """A file's value with the changes of layers in it; every piece still knows the file it was written in."""

    __slots__ = ("_applied", "_cells", "_own", "document", "owner", "value")

    def __init__(self, owner: str, document: Document) -> None:
        """``owner`` is the rule set that brings it."""
        self.owner = owner
        self.document = document
        self.value: Any = document.value
        self._own = False
        self._cells: dict[tuple[int, str | int], tuple[Document, Path]] = {}
        self._applied: dict[int, list[Applied]] = {}

    def place(self, path: Path = ()) -> Place:
        """The place of this piece of the layered value."""
        return Place(self, path)

    def written(self, path: Path) -> tuple[Document, Path]:
        """The document that the piece at this path was written in (a layer's, perhaps), and its path there."""
        document: Document = self.document
        way: Path = ()
        here = self.value
        for step in path:
            cell = self._cells.get((id(here), step))
            document, way = cell or (document, (*way, step))
            try:
                here = here[step]
            except (KeyError, IndexError, TypeError):
                here = None
        return document, way

    def changes_in(self, container: object) -> tuple[Applied, ...]:
        """What layers changed in this row, line or limit."""
        return tuple(self._applied.get(id(container), ()))

    def last_hand(self, container: object) -> str:
        """The rule set that wrote this row, line or limit, or changed it last."""
        return next((change.layer for change in reversed(self.changes_in(container)) if change.layer), self.owner)

    def make_own(self) -> None:
        """Copy the value before the first change, so that the document itself stays as it was read."""
        if not self._own:
            self.value = _copy(self.value)
            self._own = True

    def put(self, container: Any, key: str | int, value: object, place: Place, applied: Applied) -> None:
        """Write ``value`` into a container of this part, and remember who did and why."""
        value = _copy(value)  # later layers change what is here, not what this one says
        container[key] = value
        self._cells[(id(container), key)] = place.written()
        self._applied.setdefault(id(container), []).append(applied)
        if isinstance(value, dict):
            self._applied.setdefault(id(value), []).append(applied)

    def drop(self, container: Any, key: str | int, at: Path) -> None:
        """Take an entry out; those after it in a list keep the places where they were written."""
        if isinstance(key, int):
            places = [self.written((*at, index)) for index in range(len(container))]
            del container[key], places[key]
            self._cells.update({(id(container), index): written for index, written in enumerate(places)})
        else:
            del container[key]


def _copy(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _copy(inner) for key, inner in value.items()}
    if isinstance(value, list):
        return [_copy(inner) for inner in value]
    return value


@dataclass(frozen=True, slots=True)
class Layer:
    """A rule set's changes, each with the place where it was written, and all rule sets it stands on."""

    ruleset: str
    changes: tuple[tuple[ChangeModel, Place], ...]
    ancestors: frozenset[str]

    @property
    def addressed(self) -> set[PartKey]:
        """The parts that it changes."""
        return {change.part for change, _ in self.changes if change.part is not None}


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
