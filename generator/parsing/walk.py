"""Read a YAML text carefully: its values, their places, and all problems.

This slower reader is used if the quick reader in ``yaml12`` finds something unusual, and when a place is needed.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, cast

from yaml.error import YAMLError
from yaml.events import (
    AliasEvent,
    DocumentStartEvent,
    MappingEndEvent,
    MappingStartEvent,
    ScalarEvent,
    SequenceEndEvent,
    SequenceStartEvent,
    StreamEndEvent,
)

from generator.errors import FieldpressError
from generator.parsing.document import Place
from generator.parsing.events import MAX_DEPTH, open_events
from generator.parsing.scalars import MAX_DIGITS, MAX_EXPONENT, NumberTooLongError, read_plain
from generator.parsing.text import FORBIDDEN, MAX_PROBLEMS, forbidden, shown, split_lines, stopped
from generator.parsing.yaml_errors import diagnose
from generator.problems import Problem, Span, spell_path

if TYPE_CHECKING:
    from yaml.error import Mark
    from yaml.events import Event

    from generator.parsing.document import Path, Scalar, Value


@dataclass(slots=True)
class Reading:
    """The result of the careful reader."""

    value: Value
    root: Place
    problems: list[Problem]
    refused: set[Path]
    whole: bool
    """Whether the reader reached the end of the document, so that the value can be used."""


def walk(text: str, name: str) -> Reading:
    """Read all of ``text`` (without a byte order mark); problems as in :func:`generator.parsing.yaml12.parse_yaml`."""
    return _Walker(text, name).walk()


@dataclass(slots=True)
class _Frame:
    """An open list or mapping."""

    into: list[Value] | dict[str, Value]
    place: Place
    path: Path
    key: str = ""
    key_place: tuple[int, int] = (1, 1)
    awaits_value: bool = False
    drops_value: bool = False
    """Whether the next value belongs to a refused key."""
    dropped: bool = False
    """Whether the whole list or mapping belongs to a refused key, and so is not part of the document."""


class _StopError(FieldpressError):
    """Reading cannot go on; the problem is already recorded."""


@dataclass(slots=True)
class _Walker:
    """One careful reading of a text."""

    text: str
    name: str
    lines: list[str] = field(init=False)
    problems: list[Problem] = field(default_factory=list)
    refused: set[Path] = field(default_factory=set)
    frames: list[_Frame] = field(init=False)

    def __post_init__(self) -> None:
        self.lines = split_lines(self.text)
        self.frames = [_Frame([], Place(1, 1, 1, 1), ())]

    def walk(self) -> Reading:
        """Read the text to its end, or to the first problem that stops the reading."""
        whole = True
        try:
            self._read()
        except _StopError:
            whole = False
        except YAMLError as error:
            self.problems.append(diagnose(error, self.lines, self.name))
            whole = False
        bottom = self.frames[0]
        values = cast("list[Value]", bottom.into)
        return Reading(
            value=values[0] if values else None,
            root=bottom.place.inside.get(0) or bottom.place,
            problems=self.problems,
            refused=self.refused,
            whole=whole,
        )

    def _read(self) -> None:
        """Build the values from the events of the parser. Raises _StopError if reading cannot go on."""
        next_event = open_events(self.text)
        documents = 0
        while not isinstance(event := next_event(), StreamEndEvent):
            if isinstance(event, ScalarEvent):
                self._scalar(event)
            elif isinstance(event, (MappingStartEvent, SequenceStartEvent)):
                self._open(event)
            elif isinstance(event, (MappingEndEvent, SequenceEndEvent)):
                self.frames.pop()
            elif isinstance(event, AliasEvent):
                self._alias(event)
            elif isinstance(event, DocumentStartEvent):
                documents += 1
                if documents > 1:
                    hint = "keep one document to a file; what follows this line is not read"
                    self._problem("F109", event, "the end of the file", "a second document", hint)
                    return

    def _scalar(self, event: ScalarEvent) -> None:
        """Read a scalar as a key or a value. Adds F110 for too long a number."""
        content: str = event.value
        frame = self.frames[-1]
        if isinstance(frame.into, dict) and not frame.awaits_value:
            self._key(frame, content, event)
            return
        self._check_tags(event)
        refused = event.tag is not None
        value: Scalar = content
        if event.style == '"':
            refused = self._check_escapes(content, event) or refused
        elif not event.style:
            try:
                value = read_plain(content)
            except NumberTooLongError:
                expected = f"a number of at most {MAX_DIGITS} digits, with an exponent of at most {MAX_EXPONENT}"
                hint = "check for a slip of the finger; if it is meant as text, put it in quotation marks"
                self._problem("F110", event, expected, shown(content), hint)
                refused = True
        self._put(value, event, refused=refused)

    def _key(self, frame: _Frame, key: str, event: ScalarEvent) -> None:
        """Read a key. Adds F106 for a key that occurs a second time; its value is dropped."""
        place = frame.place.inside.get(key)
        frame.awaits_value = True
        frame.drops_value = place is not None
        frame.key = key
        frame.key_place = _place(event)
        self._check_tags(event)
        if place is not None:
            what = shown(key) or "a key without a name"
            hint = f"it stands in line {place.key_line} already: rename one or delete one; the first one counts"
            self._problem("F106", event, "each key once", what, hint)
        if event.style == '"' and self._check_escapes(key, event):
            frame.drops_value = True

    def _open(self, event: MappingStartEvent | SequenceStartEvent) -> None:
        """Open a list or mapping. Adds F108 for too many levels, and F111 for a list or mapping as a key."""
        if len(self.frames) > MAX_DEPTH:
            hint = "check for brackets or dashes that were typed too often"
            expected = f"at most {MAX_DEPTH} lists and mappings inside one another"
            self.problems.append(self._make("F108", event, expected, "one more", hint))
            raise _StopError
        self._check_tags(event)
        frame = self.frames[-1]
        into: list[Value] | dict[str, Value] = {} if isinstance(event, MappingStartEvent) else []
        if isinstance(frame.into, dict) and not frame.awaits_value:
            frame.awaits_value = frame.drops_value = True
            what = "a mapping" if isinstance(into, dict) else "a list"
            hint = "give the key a name; a text that begins with { or [ needs quotation marks around it"
            self._problem("F111", event, "plain text before the colon", what, hint)
            self.frames.append(_Frame(into, Place(1, 1, 1, 1), frame.path, dropped=True))
            return
        path, dropped = self._path(), frame.dropped or frame.drops_value
        place = self._put(into, event, refused=event.tag is not None)
        self.frames.append(_Frame(into, place, path, dropped=dropped))

    def _alias(self, event: AliasEvent) -> None:
        """Add F107 for an alias, and put None in its place."""
        hint = "write the value out again; a text that begins with * needs quotation marks around it"
        self._problem("F107", event, "a value", f"*{shown(event.anchor or '')}, a reference to another place", hint)
        frame = self.frames[-1]
        if isinstance(frame.into, dict) and not frame.awaits_value:
            frame.awaits_value = frame.drops_value = True
        else:
            self._put(None, event, refused=True)

    def _put(self, value: Value, event: Event, *, refused: bool) -> Place:
        """Add a value to the open list or mapping, and return its place."""
        frame = self.frames[-1]
        if refused and not (frame.dropped or frame.drops_value):
            self.refused.add(self._path())
        line, column = _place(event)
        place = Place(line, column, line, column)
        if isinstance(frame.into, list):
            frame.place.inside[len(frame.into)] = place
            frame.into.append(value)
        else:
            if not frame.drops_value:
                place.key_line, place.key_column = frame.key_place
                frame.place.inside[frame.key] = place
                frame.into[frame.key] = value
            frame.awaits_value = frame.drops_value = False
        return place

    def _path(self) -> Path:
        """Return the path of the next value: the key of the open mapping, or the next index of the open list."""
        frame = self.frames[-1]
        if len(self.frames) == 1:
            return ()
        if isinstance(frame.into, list):
            return (*frame.path, len(frame.into))
        return (*frame.path, frame.key) if frame.awaits_value else frame.path

    def _check_tags(self, event: ScalarEvent | MappingStartEvent | SequenceStartEvent) -> None:
        """Add F107 for an anchor and F109 for a tag."""
        if event.anchor is not None:
            hint = (
                "delete it, and write the value out where it is used; a text that begins with & needs quotation marks"
            )
            self._problem("F107", event, "a value", f"&{shown(event.anchor)}, a name for a value", hint)
        if event.tag is not None:
            hint = "delete it; a text that begins with ! needs quotation marks around it"
            tag = event.tag.replace("tag:yaml.org,2002:", "!!")
            self._problem("F109", event, "a value", f"{shown(tag)}, a tag", hint)

    def _check_escapes(self, content: str, event: ScalarEvent) -> bool:
        """Add F112 for a forbidden character in a quoted text; return whether there is one."""
        match = FORBIDDEN.search(content)
        if match is None:
            return False
        self._add(forbidden(match.group(), self._span(event), spell_path(_short(self._path())), escaped=True))
        return True

    def _problem(self, code: str, event: Event, expected: str, found: str, hint: str) -> None:
        self._add(self._make(code, event, expected, found, hint))

    def _make(self, code: str, event: Event, expected: str, found: str, hint: str) -> Problem:
        return Problem(code, self._span(event), expected, found, field=spell_path(_short(self._path())), hint=hint)

    def _add(self, problem: Problem) -> None:
        """Add a problem. Raises _StopError if it is the last of MAX_PROBLEMS."""
        if len(self.problems) == MAX_PROBLEMS - 1:
            self.problems.append(stopped(problem))
            raise _StopError
        self.problems.append(problem)

    def _span(self, event: Event) -> Span:
        line, column = _place(event)
        return Span(self.name, line, column, self.lines[line - 1] if line <= len(self.lines) else "")


def _place(event: Event) -> tuple[int, int]:
    """Return the line and column of an event, from 1."""
    mark = _start(event)
    return mark.line + 1, mark.column + 1


def _start(event: Event) -> Mark:
    return cast("Mark", event.start_mark)  # the parsers mark all events


def _short(path: Path) -> Path:
    """Return a path with its texts shortened for printing."""
    return tuple(shown(step) if isinstance(step, str) else step for step in path)
