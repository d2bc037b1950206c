"""Problems of files and questions, as data.

A :class:`Problem` has its place, the value found, the expected value and the fix. Each stage collects problems and
continues. Problems are not exceptions; these are in ``generator.errors``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, NamedTuple, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Iterable

Severity: TypeAlias = Literal["error", "advice"]


class Span(NamedTuple):
    """A place in a text: line and column count from 1, columns in code points; 0 means the whole file."""

    file: str
    line: int = 0
    column: int = 0
    text: str = ""
    """The source line, without its line end."""


class Problem(NamedTuple):
    """A fault to fix. ``code`` never changes its meaning; ``fieldpress explain CODE`` explains the code."""

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
    """Return a problem with a word of the command line."""
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
