"""Read files as text, check their characters, and find lines and columns of values; split ``key=value``.

Lines end with LF, CRLF or CR, as in YAML 1.2. Lines and columns count from 1, in code points.
"""

from __future__ import annotations

import functools
import itertools
import os
import pathlib
import re
import stat
import sys
import unicodedata
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, NamedTuple, NoReturn, TextIO, TypeAlias

from generator.problems import FieldpressError, Problem, ProblemsError, Span, nearest, raise_any

MAX_BYTES = 2 * 1024 * 1024
"""The size of the largest file that is read, in bytes."""

MAX_PROBLEMS = 100
"""Reading a file stops after this many problems."""

STDIN = pathlib.Path("-")
"""The path that means standard input."""

BOM = "\ufeff"

_UNSEEN = (
    "\u034f\u061c\u180e\u200b\u200e\u200f\u2060-\u2065\u206a-\u206f\ufe00-\ufe0f\ufff9-\ufffb\U000e0000-\U000e0fff"
)
FORBIDDEN = re.compile(
    "[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069\ud800-\udfff\ufeff\ufffe\uffff"
    f"{_UNSEEN}]"
)
"""Characters that are not allowed in a text, not even as an escape.

They are control characters, surrogates, non-characters, marks that change the direction of writing, and invisible
characters, with which two different names look equal. Line ends that only some programs count are also forbidden,
because line numbers would differ. Zero-width joiners and soft hyphens are allowed: they change the printed page.
"""

ENDINGS = (".yaml", ".yml", ".csv", ".xlsx")
"""The endings of players' files, which are suggested for each other."""
_LISTED = 5
"""How many file names a hint lists at most."""
_LOOKED_AT = 1000
"""How many entries of a folder are read for a hint, and how many bytes of a file to see if it is a text."""
_OF_SPREADSHEETS = (b"PK\x03\x04", b"\xd0\xcf\x11\xe0")
"""The first bytes of spreadsheet programs' own files."""
_UTF_16 = (b"\xff\xfe", b"\xfe\xff")
_CONTROLS = re.compile(rb"[\x00-\x08\x0e-\x1a\x1c-\x1f]")
"""Control bytes that texts hardly ever hold."""


def split_lines(text: str) -> list[str]:
    r"""Return the lines without their ends; there is always at least one line.

    >>> split_lines("a\r\nb\n")
    ['a', 'b', '']
    """
    return re.split("\r\n|\r|\n", text) if "\r" in text else text.split("\n")


def place_of(text: str, offset: int) -> tuple[int, int]:
    r"""Return the line and column of the code point at ``offset``.

    >>> place_of("a\r\nbc", 4)
    (2, 2)
    """
    lines = split_lines(text[:offset])
    return len(lines), len(lines[-1]) + 1


def shown(text: str, limit: int = 40) -> str:
    r"""Return ``text`` as a problem shows it: on one line, with invisible characters spelled out.

    A ``text`` of more than ``limit`` characters is first cut, with an ellipsis at its end; the result may be longer
    than ``limit``.

    >>> shown("a\tb"), shown("x" * 50, 8)
    ('a\\tb', 'xxxxxxx…')
    """
    short = text if len(text) <= limit else text[: limit - 1] + "…"
    return short if short.isprintable() else "".join(c if c.isprintable() else ascii(c)[1:-1] for c in short)


def check_characters(text: str, name: str) -> tuple[Problem, ...]:
    """Return one problem (F112) for each different forbidden character in a text, at its first place."""
    problems = []
    for character, count in Counter(FORBIDDEN.findall(text)).items():
        line, column = place_of(text, text.index(character))
        span = Span(name, line, column, split_lines(text)[line - 1])
        more = f"; it stands in {count} places" if count > 1 else ""
        problems.append(forbidden(character, span, more=more))
    return tuple(problems)


def forbidden(character: str, span: Span, more: str = "", *, escaped: bool = False) -> Problem:
    """Return the problem (F112) for a forbidden character; ``escaped`` if it is written as an escape.

    ``more`` is added to the hint, but not for an escape.
    """
    if escaped:
        hint = "delete the backslash and its code: they stand for a character that cannot be printed"
    elif character == "\x00":
        hint = f"this may not be a text file: save it as plain text, UTF-8{more}"
    elif character in "\x85\u2028\u2029":
        hint = f"put an ordinary line end or a space there{more}"
    else:
        hint = f"delete it: it cannot be seen and cannot be printed{more}"
    name = unicodedata.name(character, "a character without a name").lower()
    return Problem("F112", span, "characters that can be printed", f"{name} (U+{ord(character):04X})", hint=hint)


class StopError(FieldpressError):
    """Reading cannot go on; the problem is already recorded."""


class ProblemList(list[Problem]):
    """The problems of a text that is being read, at most :data:`MAX_PROBLEMS`."""

    def add(self, code: str, span: Span, expected: str, found: str, hint: str, field: str = "") -> None:
        """Add a problem. Raises StopError if the list is then full; the hint of that last problem says so."""
        if len(self) == MAX_PROBLEMS - 1:
            last = f"{hint}; reading stopped here, after {MAX_PROBLEMS} problems"
            self.stop(code, span, expected, found, last, field)
        self.append(Problem(code, span, expected, found, field, hint))

    def stop(self, code: str, span: Span, expected: str, found: str, hint: str, field: str = "") -> NoReturn:
        """Add a problem, and raise StopError."""
        self.append(Problem(code, span, expected, found, field, hint))
        raise StopError


def read_bytes(path: pathlib.Path, name: str) -> bytes:
    """Return the bytes of a whole file of at most ``MAX_BYTES``; :data:`STDIN` is read once and cached.

    ``name`` is the file as the user named it. Raises ProblemsError: F101 not found, F102 not a file, F103 too large,
    F130 cannot be read.
    """
    try:
        if path == STDIN:
            data = _read_once(sys.stdin)
        else:
            _check_file(path, name)
            with path.open("rb") as file:
                data = file.read(MAX_BYTES + 1)
    except (FileNotFoundError, NotADirectoryError, ValueError):  # ValueError: a zero byte in the name
        problem = Problem("F101", Span(name), "a file", "nothing with that name", hint=near_misses(path, name))
        raise ProblemsError(problem) from None
    except OSError as error:
        hint = "check who may read the file and the folders that it is in"
        reason = (error.strerror or "it cannot be read").lower()
        raise ProblemsError(Problem("F130", Span(name), "a file that may be read", reason, hint=hint)) from None
    if len(data) > MAX_BYTES:  # it may have grown, or its size may not have been known
        raise _too_large("more than that", name)
    return data


def read_text(path: pathlib.Path, name: str) -> str:
    """Return the text of a whole file in UTF-8, without a byte order mark; line ends are not changed.

    ``name`` is the file as the user named it. Raises ProblemsError as :func:`read_bytes` does, and F104 for a file that
    is not text in UTF-8.
    """
    data = read_bytes(path, name)
    _check_text(data, name)
    try:
        return data.decode("utf-8").removeprefix(BOM)
    except UnicodeDecodeError as error:
        raise ProblemsError(_not_utf8(data, error.start, name)) from None


@functools.lru_cache(maxsize=1)
def _read_once(stream: TextIO | None) -> bytes:
    """Return the first ``MAX_BYTES`` + 1 bytes of standard input, empty without a stream; they are cached."""
    return stream.buffer.read(MAX_BYTES + 1) if stream is not None else b""


def _check_text(data: bytes, name: str) -> None:
    """Raise ProblemsError (F104) if the bytes are not a text: a spreadsheet, an archive, a picture, a program.

    Only the beginning is examined. Text in UTF-16 with a byte order mark passes; the caller reports it.
    """
    start = data[:_LOOKED_AT]
    if data.startswith(_OF_SPREADSHEETS):
        found, hint = "a spreadsheet program’s own file", "open it there, save the table as CSV (UTF-8) and name that"
    elif not data.startswith(_UTF_16) and len(_CONTROLS.findall(start)) > max(3, len(start) // 50):
        found, hint = "not a text file", "check that it is the file you meant; if so, save it as plain text in UTF-8"
    else:
        return
    raise ProblemsError(Problem("F104", Span(name), "text in UTF-8", found, hint=hint))


def name_a_file(folder: pathlib.Path) -> str:
    """Return the hint for a folder where a player's file is expected: a few files that are directly in it.

    The hint is empty if the folder holds no file with one of ``ENDINGS``. Raises OSError for a folder that cannot be
    read.
    """
    files = sorted(shown(str(file), 200) for file in folder.iterdir() if file.suffix.lower() in ENDINGS)
    return f"name a file: {', '.join(files[:_LISTED])}" if files else ""


def _check_file(path: pathlib.Path, name: str) -> None:
    """Raise ProblemsError: F102 for a folder, a device or a pipe, F103 for a file that is too large.

    Raises OSError for a path that cannot be looked up, such as a missing file, and for a folder that cannot be read.
    """
    status = path.stat()
    if stat.S_ISDIR(status.st_mode):
        found, hint = "a folder", name_a_file(path) or "name a file: this folder holds no file of a force or battle"
    elif not stat.S_ISREG(status.st_mode):
        found, hint = "a device or a pipe", "name - to read standard input, or save the text to a file and name that"
    elif status.st_size > MAX_BYTES:
        raise _too_large(f"{status.st_size:,} bytes", name)
    else:
        return
    raise ProblemsError(Problem("F102", Span(name), "a file", found, hint=hint))


def _too_large(found: str, name: str) -> ProblemsError:
    """Return the error with F103 for a file of more than :data:`MAX_BYTES`; ``found`` says its size."""
    hint = "split it into several files, or check that it is the file you meant"
    return ProblemsError(Problem("F103", Span(name), f"at most {MAX_BYTES:,} bytes", found, hint=hint))


def near_misses(path: pathlib.Path, name: str, *, folders: bool = False) -> str:
    """Return a hint for a missing file: files of a similar name, or else a few files beside it.

    With ``folders``, the hint names folders, too. Similar names have the folder of ``name``, which is the missing file
    as the user named it. Broken links, missing folders and folders without files have hints of their own.
    """
    try:
        if path.is_symlink():
            return f"it is a link to {shown(str(path.readlink()), 200)}, which is not there"
        with os.scandir(path.parent) as entries:
            some = (e for e in itertools.islice(entries, _LOOKED_AT) if not e.name.startswith("."))
            files = sorted(entry.name for entry in some if folders or not entry.is_dir())
    except (OSError, ValueError):
        return f"there is no folder {shown(str(path.parent), 200)}" if path.parent.name else "check the spelling"
    by_stem: dict[str, list[str]] = {}
    for file in files:
        by_stem.setdefault(pathlib.PurePath(file).stem.lower(), []).append(file)
    if close := by_stem.get(nearest(path.stem, by_stem)):
        folder = pathlib.PurePath(name).parent
        return f"did you mean {' or '.join(shown(str(folder / file), 200) for file in close[:_LISTED])}?"
    endings = ENDINGS if path.suffix in ENDINGS else (path.suffix,)
    alike = [file for file in files if file.endswith(endings)] or files
    if not alike:
        return "check the spelling; the folder holds no file"
    listed = ", ".join(shown(file) for file in alike[:_LISTED])
    more = f" and {len(alike) - _LISTED} more" if len(alike) > _LISTED else ""
    return f"check the spelling; the folder holds {listed}{more}"


def _not_utf8(data: bytes, start: int, name: str) -> Problem:
    """Return F104 at the first byte that is not UTF-8, which is at index ``start``."""
    before = data[:start].decode("utf-8").removeprefix(BOM)
    line, column = place_of(before, len(before))
    rest = re.split(rb"[\r\n]", data[start:], maxsplit=1)[0]
    text = split_lines(before)[-1] + rest.decode("utf-8", errors="replace")
    found = f"the byte 0x{data[start]:02X}"
    hint = "save the file as UTF-8; letters with accents are the usual cause"
    if data.startswith(_UTF_16):
        found, text = "text in UTF-16", ""
        hint = "save it again and choose UTF-8 as its encoding ('Unicode' in some editors is UTF-16)"
    return Problem("F104", Span(name, line, column, text), "text in UTF-8", found, hint=hint)


Path: TypeAlias = tuple[str | int, ...]
"""Steps from the whole document to one value: a key of a mapping, or an item's index from 0."""
Scalar: TypeAlias = "str | int | Fraction | bool | None"
Value: TypeAlias = "Scalar | list[Value] | dict[str, Value]"


def value_at(value: Any, path: Path) -> Any:
    """Return what is at a path of a value. Raises KeyError, IndexError or TypeError if there is nothing."""
    for step in path:
        value = value[step]
    return value


@dataclass(slots=True)
class ValuePlace:
    """The line and column of a value and of its key (from 1), and the places of the values inside it."""

    line: int
    column: int
    key_line: int
    key_column: int
    inside: dict[str | int, ValuePlace] = field(default_factory=dict)


@dataclass(slots=True, eq=False, repr=False)
class Document:
    """The values of a file and their places. Treat it as frozen."""

    name: str
    """The file as the user named it."""
    text: str
    """The whole text, without a byte order mark."""
    value: Value
    """The plain values. Do not change them: every access returns the same containers."""
    _root: ValuePlace
    """The place of the whole value, with the places inside it."""
    _lines: list[str] | None = field(default=None, init=False)

    def under(self, value: Value, path: Path) -> Document:
        """Return a document with this ``value``; the value of this document is in it at ``path``.

        The places of this document stay. Everything around them is at the place of this document's whole value.
        """
        root = self._root
        for step in reversed(path):
            root = ValuePlace(root.line, root.column, root.line, root.column, {step: root})
        return Document(self.name, self.text, value, root)

    def inside(self, path: Path) -> Document:
        """Return the value at a path as a document of its own, with the same places in the file.

        Raises KeyError, IndexError or TypeError if nothing is at the path.
        """
        return Document(self.name, self.text, value_at(self.value, path), self._find(path)[0])

    def span(self, path: Path) -> Span:
        """Return the place of the first character of the value at ``path`` (for a quoted text, the quotation mark).

        The place of an empty value is after its key, or after the dash of its item. If nothing is at ``path``, return
        what ``key_span`` returns, to report a missing field at its parent.
        """
        place, exists = self._find(path)
        return self._span(place.line, place.column) if exists else self._span(place.key_line, place.key_column)

    def key_span(self, path: Path) -> Span:
        """Return the place of the first character of the key at ``path``.

        An item of a list, and the whole file, have no key: return the place of their first character. If nothing is at
        ``path``, return the place of the key of the nearest parent that exists.
        """
        place, _ = self._find(path)
        return self._span(place.key_line, place.key_column)

    def place_words(self, path: Path, start: tuple[int, int], words: Mapping[str, tuple[int, int]]) -> None:
        """Record the places of an entry that the file writes as a text, such as ``2 x Tank`` for a design and a count.

        ``path`` leads to the entry. It is not empty, and its parent exists. ``start`` is the line and column of the
        entry. ``words`` has the line and column of each of its values by key. This changes the document, also for other
        callers that share it.
        """
        inside: dict[str | int, ValuePlace] = {key: ValuePlace(*at, *at) for key, at in words.items()}
        self._find(path[:-1])[0].inside[path[-1]] = ValuePlace(*start, *start, inside)

    def _find(self, path: Path) -> tuple[ValuePlace, bool]:
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


class Assignment(NamedTuple):
    """One ``key=value`` with its place. In a word of another form, the name or the value is empty."""

    name: str
    value: str
    span: Span
    value_span: Span
    word: str = ""
    """The whole word as it was typed."""


def split_words(words: Sequence[str]) -> tuple[Assignment, ...]:
    """Split each ``key=value`` of a command line at its first ``=``; columns count in the words joined by spaces.

    Spaces around names and values are removed. A repeated name is returned each time.
    Raises ProblemsError (R311) for a word without a name or a value.
    """
    assignments = part_words(words)
    hint = "the name of an option and its value, no spaces around ="
    problems = [invalid_assignment(word, hint, "name=yes") for word in assignments if not word.name or not word.value]
    raise_any(problems)
    return assignments


def part_words(words: Sequence[str], before: str = "", after: str = "") -> tuple[Assignment, ...]:
    """Split words as ``split_words`` does, but keep words without a name or a value for the caller to report.

    ``before`` and ``after`` are the texts before and after the words on the command line, so that places fit the whole
    line.
    """
    line = " ".join([*filter(None, [before]), *words, *filter(None, [after])])
    assignments: list[Assignment] = []
    column = len(before) + 2 if before else 1
    for word in words:
        name, _, value = word.partition("=")
        at = Span("command line", 1, column, line)
        value_at = at._replace(column=column + len(name) + 1)
        assignments.append(Assignment(name.strip(), value.strip(), at, value_at, word))
        column += len(word) + 1
    return tuple(assignments)


def invalid_assignment(word: Assignment, hint: str, example: str, field: str = "") -> Problem:
    """Return R311 for a word that is not ``key=value``, at the place of the word.

    ``example`` is a correct word that the message shows. ``field`` is the name of the option or input, if it is known.
    """
    return Problem("R311", word.span, f"key=value, such as {example}", word.word or "nothing", field, hint)
