"""Files of rule data with the changes of layers, places in them, and the provenance of every statement."""

from __future__ import annotations

import pathlib
import re
from contextlib import suppress
from copy import deepcopy
from typing import TYPE_CHECKING, Any, Generic, Literal, NamedTuple, TypeAlias, TypeVar

from generator.parsing.text import Document, Path, near_misses, value_at
from generator.problems import Problem, Severity, Span, name_entry, spell_path
from generator.rules.model.base import Certificate, Cite, Status, Support
from generator.rules.model.manifest import ENTRIES, ChangeModel, Source

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping

    _Entry = tuple[Any, tuple[Document, Path], "Part"]
    Standing: TypeAlias = Status | Literal["yours"]

M = TypeVar("M")

_OWN = frozenset(("kind", "card", "title", "says", "based_on", "without", *Certificate.model_fields))
"""The keys that a part does not inherit."""
INHERITED_LISTS = ENTRIES | dict.fromkeys(("fields", "let", "tallies", "allowed", "also", "target"), "")
"""The keys whose entries a part adds to those that it inherits, each with the key of an entry's id, if it has one."""


class Written(NamedTuple, Generic[M]):
    """A model and the part that it was read from."""

    model: M
    part: Part


class Applied(NamedTuple):
    """A change that was applied: its layer, the key that it changed, and the place where it is written."""

    layer: str
    """The layer's rule set; empty if a player filled a gap."""
    change: ChangeModel
    key: str | int
    """Empty for an entry that the change wrote as a whole."""
    place: Place


class Part:
    """The value of a file with the changes of layers; each piece of it knows the file that it was written in."""

    __slots__ = ("_applied", "_cells", "_gone", "_origins", "document", "last_layer", "overridden", "owner", "value")

    def __init__(self, owner: str, document: Document) -> None:
        """Initialize with the document as read; ``owner`` is the id of its rule set, empty for a player's file."""
        self.owner = owner
        self.last_layer = owner
        """The rule set whose change was the last to be applied to this part, or else the owner of the part."""
        self.document = document
        self.value: Any = deepcopy(document.value)
        self._cells: dict[tuple[int, str | int], tuple[Document, Path]] = {}
        self._applied: dict[int, list[Applied]] = {}
        self._origins: dict[int, Part] = {}
        """The parts from which rows come: missions, and what this part is based on."""
        self._gone: list[Any] = []
        """Values that layers replaced or removed, kept so that no new value has the ``id()`` of one of them."""
        self.overridden: frozenset[str] = frozenset()
        """The inherited entries that the part has again."""

    def place(self, path: Path = ()) -> Place:
        """Return the place at this path of the value, even if there is nothing at the path."""
        return Place(self, path)

    def written(self, path: Path) -> tuple[Document, Path]:
        """Return the document that the value at this path was read from (perhaps a layer's), and its path there."""
        document: Document = self.document
        written_path: Path = ()
        here = self.value
        for step in path:
            cell = self._cells.get((id(here), step))
            document, written_path = cell or (document, (*written_path, step))
            try:
                here = here[step]
            except (KeyError, IndexError, TypeError):
                here = None
        return document, written_path

    def changes_in(self, container: object) -> tuple[Applied, ...]:
        """Return the changes to this row, line or limit: those of layers, and the figures that players gave for gaps.

        ``container`` is the object in ``value`` itself: an equal object has no changes, and neither has an object
        around it. A removed key does not count.
        """
        return tuple(self._applied.get(id(container), ()))

    def last_changed_by(self, container: object) -> str:
        """Return the id of the rule set that changed this row, line, limit or step last, or else that wrote it.

        A removed key does not count as a change.
        """
        layers = (change.layer for change in reversed(self.changes_in(container)) if change.layer)
        return next(layers, self.origin(container).owner)

    def origin(self, container: object) -> Part:
        """Return the part from which this row, line or limit comes, apart from the changes of layers."""
        return self._origins.get(id(container), self)

    def based_on(self, base: Part) -> Part:
        """Return a new part: this part with the values that it inherits from the part ``base``.

        Its own value of a key replaces the base's value. Keys in ``_OWN`` are not inherited. Under a key in
        ``INHERITED_LISTS``, the base's entries come before the part's own entries. An own entry replaces an inherited
        entry of the same id, in its position. Inherited entries that ``without`` names are left out.
        """
        whole = Part(self.owner, self.document)
        whole.value, whole.overridden = {}, base.overridden
        whole._cells, whole._origins = base._cells | self._cells, base._origins | self._origins
        whole._applied = base._applied | self._applied | {id(whole.value): self._applied.get(id(self.value), [])}
        for key in dict.fromkeys((*(key for key in base.value if key not in _OWN), *self.value)):
            last = self if key in self.value else base
            whole.value[key] = whole._joined(base, self, key) if key in INHERITED_LISTS else last.value[key]
            whole._cells[id(whole.value), key] = last.written((key,))
        return whole

    def _joined(self, base: Part, own: Part, key: str) -> Any:
        """Return the entries of both parts under a key, joined as ``based_on`` says.

        Record in this part where each entry is written, and which inherited entries ``own`` has again.
        """
        old, new = base.named(key), own.named(key)
        self.overridden |= old.keys() & new.keys()
        gone = {*own.value.get("without", ())} - new.keys()
        entries = {name: entry for name, entry in old.items() if name not in gone} | new
        is_mapping = isinstance(own.value.get(key) or base.value.get(key), dict)
        joined: Any = {} if is_mapping else [None] * len(entries)
        for index, (name, (item, at, origin)) in enumerate(entries.items()):
            step = name if is_mapping else index
            joined[step], self._cells[id(joined), step], self._origins[id(item)] = item, at, origin
        return joined

    def named(self, key: str) -> dict[Any, _Entry]:
        """Return the entries under a key of ``INHERITED_LISTS`` by name; empty without the key.

        Each entry comes with the document and path where it is written, and with the part that it comes from. A second
        entry of a name is under the pair of the name and its index.
        """
        listed: Any = self.value.get(key) or ()
        entries: dict[Any, _Entry] = {}
        for step, item in listed.items() if isinstance(listed, dict) else enumerate(listed):
            name = step if isinstance(listed, dict) else item[INHERITED_LISTS[key]] if INHERITED_LISTS[key] else item
            name = (name, step) if name in entries else name  # a second entry is reported later
            entries[name] = item, self.written((key, step)), self.origin(item)
        return entries

    def add_row(self, row: dict[str, Any], place: Place) -> None:
        """Add a row to this table, unless its rows are not a list. ``place`` is where another part has the row."""
        rows = self.value.setdefault("rows", [])
        if isinstance(rows, list):
            self._cells[(id(rows), len(rows))] = place.written()
            self._origins[id(row)] = place.inside
            rows.append(row)

    def put(self, container: Any, key: str | int, value: object, place: Place, applied: Applied) -> None:
        """Write a copy of ``value`` into a mapping of this part, under any key, or over an existing entry of a list.

        ``place`` is where the layer's file has the value, and ``applied`` is the change; both are recorded.
        """
        value = deepcopy(value)  # later layers change this copy, not the file of the layer
        self._gone.append(container.get(key) if isinstance(container, dict) else container[key])
        container[key] = value
        self._cells[(id(container), key)] = place.written()
        self._applied.setdefault(id(container), []).append(applied)
        if isinstance(value, dict):
            self._applied.setdefault(id(value), []).append(applied._replace(key=""))

    def drop(self, container: Any, key: str | int, at: Path) -> None:
        """Delete an entry of the container at the path ``at``; later entries of a list keep their places in the file.

        The deletion is not recorded as a change. Raises KeyError or IndexError if there is no such entry.
        """
        if isinstance(key, int):
            places = [self.written((*at, index)) for index in range(len(container)) if index != key]
            self._cells.update({(id(container), index): written for index, written in enumerate(places)})
        self._gone.append(container.pop(key))


class Layer(NamedTuple):
    """The changes of a rule set, each with its place, and all ancestors of the rule set."""

    ruleset: str
    changes: tuple[tuple[ChangeModel, Place], ...]
    ancestors: frozenset[str]


class Place(NamedTuple):
    """A path inside a part. Line and column are computed only when a problem needs them.

    The place of a piece that a layer wrote is in the layer's file.
    """

    inside: Part
    path: Path = ()

    def __truediv__(self, step: str | int) -> Place:
        """Return the place one step further in."""
        return Place(self.inside, (*self.path, step))

    def written(self) -> tuple[Document, Path]:
        """Return the document in which this piece was written, and its path there."""
        return self.inside.written(self.path)

    def value(self) -> Any:
        """Return the value here; None if there is none."""
        with suppress(LookupError, TypeError):
            return value_at(self.inside.value, self.path)
        return None

    def texts(self, without: Collection[str] = ()) -> Iterator[tuple[Place, str]]:
        """Yield the text here, or each text in the lists and mappings here, after its place.

        What stands under a key in ``without`` is left out. Yield nothing for a number, or if there is no value here.
        """
        value = self.value()
        if isinstance(value, str):
            yield self, value
        elif isinstance(value, list | dict):
            for step in range(len(value)) if isinstance(value, list) else value:
                yield from (self / step).texts(without) if step not in without else ()

    def span(self) -> Span:
        """Return the line and column of the value here.

        Without a value here, return the line and column of the key of the nearest value around this place. If that
        value has no key, return where the value begins.
        """
        document, path = self.written()
        return document.span(path)

    def problem(
        self,
        code: str,
        expected: str,
        found: str,
        hint: str = "",
        *,
        severity: Severity = "error",
        offset: int | None = None,
        at_key: bool = False,
    ) -> Problem:
        """Return a problem at the place of the value, or of its key if ``at_key``; the problem is not added anywhere.

        ``offset`` moves the column to this character of a text, counted from 0.
        """
        document, path = self.written()
        span = document.key_span(path) if at_key else document.span(path)
        if offset is not None and span.line:
            span = span._replace(column=_column(span.text, span.column, offset))
        where = name_entry(document.value, path)
        return Problem(code, span, expected, found, spell_path(path), hint, severity=severity, where=where)

    def place_words(self, text: Place, offset: int, starts: Mapping[str, int]) -> None:
        """Record the line and column of the entry at this place, which is part of a text, such as ``2 x Tank``.

        In ``text``, the entry begins at ``offset``, and its values begin at the offsets ``starts``, by key. All offsets
        count from the beginning of ``text``. This changes the document, also for other callers that share it.
        """
        document, path = self.written()
        span = text.span()
        words = {key: (span.line, _column(span.text, span.column, start)) for key, start in starts.items()}
        document.place_words(path, (span.line, _column(span.text, span.column, offset)), words)


def in_order(place: Place, problems: Iterable[Problem]) -> tuple[Problem, ...]:
    """Return each problem once, by file and line; those in the file of ``place`` come first.

    Problems with the same code, place and message count as one.
    """
    own = place.span().file
    once: dict[object, Problem] = {}
    for problem in problems:
        once.setdefault((problem.code, problem.span, problem.expected, problem.found), problem)
    return tuple(sorted(once.values(), key=lambda problem: (problem.span.file != own, problem.span)))


def located(problem: Problem, at: Place) -> Problem:
    """Return a problem of a file; if it is about the whole file, its place is ``at``, where the file is named.

    The hint for a missing file (F101) is then that of ``near_misses``, such as files of a similar name.
    """
    if problem.span.line:
        return problem
    hint = near_misses(pathlib.Path(problem.span.file), at.value()) if problem.code == "F101" else problem.hint
    return at.problem(problem.code, problem.expected, problem.found, hint)


_SIGNS = {"'": "''|.", '"': r'\\(?:x..|u.{4}|U.{8}|.)|""|.'}  # a cell of a spreadsheet doubles its quotation marks
"""For each quotation mark, the pattern of a character in a text inside of such marks."""


def _column(line: str, column: int, offset: int) -> int:
    r"""Return the column of a character inside a text that begins at ``column``; quotation marks and escapes count.

    Columns count from 1. ``offset`` is the place of the character in the text as read, counted from 0. If the character
    is on a later line, the column is the beginning of the text.

    >>> _column("a: 'x''s y'", 4, 4), _column("a: x + y", 4, 4), _column("a: >-", 4, 4)
    (10, 8, 4)
    >>> _column(r'a: "\u00d7 y"', 4, 2), _column(r'a: "\xd7\" y"', 4, 3)
    (12, 12)
    """
    place = column - 1
    quote = line[place : place + 1]
    if quote not in ("'", '"'):
        inside = place + offset
        return inside + 1 if inside <= len(line) and quote not in (">", "|") else column
    signs = re.findall(_SIGNS[quote], line[place + 1 :])
    return place + 2 + len("".join(signs[:offset])) if offset < len(signs) else column


class Citation(NamedTuple):
    """A place in a source: the source's id, its short printed name, and page or section."""

    source: str
    short: str
    place: str

    def __str__(self) -> str:
        return f"{self.short} {self.place}".strip()


class Provenance(NamedTuple):
    """The citations, status and notes of a statement."""

    cite: tuple[Citation, ...]
    status: Standing = "plain"
    """The status in the rule data, or ``yours`` for a figure that the players gave for a gap of the source."""
    support: Support | None = None
    raw: str = ""
    note: str = ""
    used: str = ""
    """The value that is used, in words, if the figure alone does not say it."""

    @property
    def cite_text(self) -> str:
        """The citations as one line."""
        return "; ".join(map(str, self.cite))


class CitationResolver(NamedTuple):
    """Resolver that makes the provenance of statements in one rule set.

    ``own`` is the source of a citation that names no source; ``sources`` are all sources that can be cited.
    """

    own: str
    sources: Mapping[str, Source]
    problems: list[Problem]

    def citations(self, cite: Cite | None, place: Place) -> tuple[Citation, ...]:
        """Return the citations under the key ``cite``; empty for None. ``place`` is the place of the key.

        A ``cite`` that is a text is a place in the rule set's own source. A source that is not listed is left out. Adds
        R208 for it if ``cite`` names it; a missing own source is reported once elsewhere.
        """
        if cite is None:
            return ()
        places = {self.own: cite} if isinstance(cite, str) else cite
        citations = []
        for source, at in places.items():
            if source in self.sources:
                citations.append(Citation(source, self.sources[source].short, at))
                continue
            if isinstance(cite, str):
                continue  # reported at the key source of the rule set
            hint = f"listed under sources: {', '.join(sorted(self.sources))}"
            self.problems.append((place / source).problem("R208", "a listed source", f"the source {source}", hint))
        return tuple(citations)

    def provenance(self, own: Certificate, place: Place, above: Provenance | None = None) -> Provenance:
        """Return the provenance of the statement at ``place``; keys that ``own`` does not set are taken from ``above``.

        ``above`` is the provenance of what holds the statement, such as its table; its ``used`` is left out if ``own``
        sets the status or note. Adds R208 as ``citations`` does. Adds R209 for a missing citation, or else for a
        ruling, erratum or gap without a note; not if ``above`` gives what is wrong, because that was reported.
        """
        cite = self.citations(own.cite, place / "cite") or (above.cite if above else ())
        own_keys = own.model_fields_set
        keys = ("status", "support", "raw", "note")
        status, support, raw, note = (getattr(own if key in own_keys or above is None else above, key) for key in keys)
        if not cite and (above is None or own.cite is not None):
            if own.cite is None:
                expected, hint = "cite: page or section", "add cite: with the place where it is printed"
                self.problems.append(place.problem("R209", expected, "no citation", hint))
        elif status in ("ruled", "erratum", "gap") and not note and (above is None or own_keys & {"status", "note"}):
            hint = "say in a few words what was unclear and what was decided"
            self.problems.append(place.problem("R209", "a note", f"status {status}, no note", hint))
        used = own.used if own_keys & {"used", "status", "note"} or above is None else above.used
        return Provenance(cite, status, support, raw, note, used)


def layer_provenance(applied: Applied, resolver: CitationResolver) -> Provenance:
    """Return the provenance that a layer's change gives; without a note, the change's reason is the note.

    Adds R208 as ``CitationResolver.citations`` does.
    """
    change = applied.change
    cite = resolver.citations(change.cite, applied.place / "cite")
    return Provenance(cite, change.status, change.support, change.raw, change.note or change.reason, change.used)


def provenance_at(
    own: Certificate, place: Place, resolvers: Mapping[str, CitationResolver], above: Provenance | None = None
) -> Provenance:
    """Return the provenance of the entry at a place: that of the last layer that wrote a figure in it, or its own.

    ``above`` is the provenance of what holds the entry, such as its table. It gives the keys that ``own`` does not set.
    If a change of a layer wrote the entry, the change gives these keys; ``above`` then gives only a missing citation.

    If players filled gaps, the status is ``yours``, and the note names the filled columns before the note of the gap.
    Adds R208 and R209 as ``CitationResolver.provenance`` does.
    """
    part, raw = place.inside, place.value()
    changes = part.changes_in(raw)
    whole = (made for made in reversed(changes) if made.key == "" and made.change.action in ("add", "replace"))
    written = next(whole, None)
    resolver = resolvers[written.layer if written else part.origin(raw).owner]
    if written:  # the change that wrote the entry gives what the entry leaves out
        change = layer_provenance(written, resolver)
        above = change._replace(cite=change.cite or (above.cite if above else ()))
    provenance = resolver.provenance(own, place, above)
    for applied in changes:
        if applied.layer and (applied.key != "" or applied.change.action == "set"):
            provenance = layer_provenance(applied, resolvers[applied.layer])
    answered = {applied.key: applied.change.reason for applied in changes if not applied.layer}
    if answered:
        return Provenance(provenance.cite, "yours", None, "", " ".join((*answered.values(), provenance.note)).strip())
    return provenance
