"""Problems of files and questions as data, hints that name the nearest known word, and exceptions.

A :class:`Problem` has its place, the value found, the expected value and the fix. Each stage collects problems and
continues. The exceptions are for control flow only: users read a problem.
"""

from __future__ import annotations

from collections.abc import Collection, Container, Iterable
from typing import Any, Literal, NamedTuple, TypeAlias

Severity: TypeAlias = Literal["error", "advice"]


class Span(NamedTuple):
    """A place in a file or on the command line. Line and column count from 1, the column in code points.

    ``file`` is the path as messages show it, or ``command line``. Line 0 means the whole file.
    """

    file: str
    line: int = 0
    column: int = 0
    text: str = ""
    """The source line, without its line end."""


class Problem(NamedTuple):
    """A fault to fix: its place, the expected value, the value found, and the fix.

    ``code`` never changes its meaning; ``fieldpress explain CODE`` explains the code. ``field`` is the path of the key
    or the name of the input at fault. ``hint`` says what to do. ``cite`` is the citation of a broken limit. The code of
    a limit is ``ruleset/limit-id``; ``expected`` is then the text of the limit. A problem of severity ``advice`` stops
    no command.
    """

    code: str
    span: Span
    expected: str
    found: str
    field: str = ""
    hint: str = ""
    cite: str = ""
    severity: Severity = "error"
    where: str = ""
    """The field with the name of its entry in front, for people; empty if ``field`` alone is enough."""


def refused(code: str, word: str, expected: str, found: str, hint: str = "", field: str = "") -> Problem:
    """Return an error about a word of the command line.

    Messages show ``word`` as the source line, with the caret at its start. ``field`` names the option or input.
    """
    return Problem(code, Span("command line", 1, 1, word), expected, found, field, hint)


def has_errors(problems: Iterable[Problem]) -> bool:
    """Return whether any problem is more than advice."""
    return any(problem.severity == "error" for problem in problems)


_NAMED_BY = {
    "designs": "design",
    "units": "unit",
    "sides": "side",
    "terrain": "piece",
    "zones": "zone",
    "entries": "entry",
    "objectives": "objective",
    "set_pieces": "piece",
    "markers": "marker",
}
"""The lists of players' files, and the key that names an entry of each."""


def name_entry(value: object, path: tuple[str | int, ...]) -> str:
    """Return a field as people call it: the name of its entry first, or the number of an entry without a name.

    ``value`` is the value of the whole file. Return an empty text for a field outside the lists of named entries, such
    as ``designs``.

    >>> name_entry({"designs": [{"design": "Sabre"}, {}]}, ("designs", 0, "weapons", 1, "class"))
    'Sabre: weapons[1].class'
    >>> name_entry({"designs": [{"design": "Sabre"}, {}]}, ("designs", 1)), name_entry({"rows": [1]}, ("rows", 0))
    ('design 2', '')
    """
    key = _NAMED_BY.get(str(path[0])) if len(path) > 1 else None
    if key is None or not isinstance(value, dict) or not isinstance(path[1], int):
        return ""
    entries = value.get(path[0])
    entry = entries[path[1]] if isinstance(entries, list) and path[1] < len(entries) else None
    name = entry.get(key) if isinstance(entry, dict) else None
    shown_name = name if isinstance(name, str) and name.strip() else f"{key} {path[1] + 1}"
    return f"{shown_name}: {spell_path(path[2:])}" if len(path) > 2 else shown_name  # noqa: PLR2004 - the list and the entry


def spell_path(path: tuple[str | int, ...]) -> str:
    """Return the full path of a field as people write it.

    >>> spell_path(("designs", 0, "weapons", 1, "class"))
    'designs[0].weapons[1].class'
    """
    spelled = ""
    for step in path:
        if isinstance(step, int):
            spelled += f"[{step}]"
        else:
            spelled += f".{step}" if spelled else step
    return spelled


MOST = 12
"""The most known words that a hint lists."""
CLOSE = 0.8
"""A ``cutoff`` for ``nearest``: words at least this alike differ by a letter or two."""


def nearest(word: object, known: Iterable[object], cutoff: float = 0.6) -> str:
    """Return the known word that is spelt most like ``word``, ignoring case; empty if none is near.

    ``cutoff`` is the least likeness of a near word, from 0 to 1, where 1 means equal.

    >>> nearest("Exmaple", ["example", "other"]), nearest("xyz", ["example"])
    ('example', '')
    """
    from difflib import get_close_matches  # few words are misspelt

    spelled = {str(candidate).lower(): str(candidate) for candidate in known}
    close = get_close_matches(str(word).lower(), spelled, n=1, cutoff=cutoff)
    return spelled[close[0]] if close else ""


def suggest_key(key: object, known: Collection[object], present: Container[object], otherwise: str) -> str:
    """Return the hint of ``suggest`` for an unknown key, or to remove it if the nearest known key is ``present``.

    ``otherwise`` is as for ``suggest``.

    >>> suggest_key("armor", ["armour"], [], ""), suggest_key("armor", ["armour"], ["armour"], "")
    ('did you mean armour?', 'remove it: armour is there already')
    """
    near = nearest(key, known)
    return f"remove it: {near} is there already" if near and near in present else suggest(key, known, otherwise)


def suggest(word: object, known: Iterable[object], otherwise: str | None = None) -> str:
    """Return a hint that names the nearest known word; if none is near, ``otherwise``, or else the first known words.

    >>> suggest("gnus", ["guns", "walls"]), suggest("xyz", ["guns", "walls"]), suggest("gnus", [])
    ('did you mean guns?', 'there are: guns, walls', 'there is none')
    >>> suggest("guns:2", ["guns"])
    'put a space after the colon: guns: 2'
    """
    words = list(dict.fromkeys(map(str, known)))
    head, colon, value = str(word).partition(":")
    if colon and value and head in words:
        return f"put a space after the colon: {head}: {value}"
    near = nearest(word, words)
    if near:
        return f"did you mean {near}?"
    if otherwise is not None:
        return otherwise
    more = ", ..." if len(words) > MOST else ""
    return f"there are: {', '.join(words[:MOST])}{more}" if words else "there is none"


class FieldpressError(Exception):
    """The base class of all exceptions that this program raises on purpose."""


class ProblemsError(FieldpressError):
    """Raised if work cannot continue; ``problems`` say why."""

    def __init__(self, *problems: Problem) -> None:
        """Keep the problems; the message is the code of the first, and what it expects, or says that there is none."""
        super().__init__(f"{problems[0].code}: {problems[0].expected}" if problems else "no problem given")
        self.problems = problems


def raise_any(problems: Iterable[Problem]) -> None:
    """Raise ProblemsError with the problems, if there are any."""
    if found := tuple(problems):
        raise ProblemsError(*found)


def raise_errors(problems: Collection[Problem]) -> None:
    """Raise ProblemsError with all the problems, advice included, if any of them is more than advice."""
    if has_errors(problems):
        raise ProblemsError(*problems)


class RenderError(FieldpressError):
    """Raised if a page cannot be made: the engine is missing or reports an error, or a text does not fit."""

    def __init__(self, message: str, problem: Problem | None = None) -> None:
        """Keep the message, and the ``problem``: the fault in the data, if it is known."""
        super().__init__(message)
        self.problem = problem


def missing_package(what: str, package: str, extra: str) -> RenderError:
    """Return the error for an optional package that is not installed.

    ``what`` is the command or option that needs the package, and ``extra`` is the extra of fieldpress that installs it.
    """
    return RenderError(f"{what} needs the package {package}. Install it: pip install 'fieldpress[{extra}]'")


class Remedy(NamedTuple):
    """Two hints: for the author of the text, and for the author of the sheet.

    ``to_sheet`` is empty if both authors get the same hint.
    """

    to_text: str
    to_sheet: str = ""


class LayoutError(RenderError):
    """Raised if the content of a sheet cannot be laid out."""

    def __init__(self, found: str, block: str, text: str, remedy: Remedy, sheet: str = "", page: int = 0) -> None:
        """Keep what was ``found``, the ``remedy``, and the printed name of the ``block``, empty for the whole sheet.

        ``text`` is the text at fault, empty for a diagram. ``sheet`` and ``page`` are only for the message. ``sheet``
        is the id of the sheet, empty if it is not known. ``page`` counts from 1; 0 means that it is not known.
        """
        self.found = f"page {page}: {found}" if page else found
        """The message without the id of the sheet, which players do not know."""
        super().__init__(f"sheet {sheet!r}{', ' if page else ': '}{self.found}" if sheet else self.found)
        self.block = block
        self.text = text
        self.remedy = remedy
        self._arguments = found, block, text, remedy, sheet, page

    def __reduce__(self) -> tuple[type[LayoutError], tuple[Any, ...]]:
        """Return how to pickle the exception, so that it can pass between processes."""
        return LayoutError, self._arguments
