"""Translate the errors of the YAML parser into problems of this project.

The parser reports where it stopped, and in a few English words why. These words select a row of a table with the
expected thing and a hint. The parser's words are never shown.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from yaml.error import MarkedYAMLError

from generator.parsing.text import shown
from generator.problems import Problem, Span

if TYPE_CHECKING:
    from yaml.error import YAMLError

_TAB = re.compile(r"[ ]*(?=\t)")
"""Indentation with a tab in it."""
_NO_SPACE = re.compile(r"""[ \t]*(?:-[ ]+)*(?P<key>'[^']*'|"[^"]*"|[^\s:'"\[\]{},#][^:'"\[\]{},#]*):(?=[^\s:/\\])""")
"""A line that begins with ``key:value``, without a space after the colon."""


class _Row(NamedTuple):
    """The expected thing and the hint for one kind of parser error."""

    said: str
    """A pattern for the parser's words."""
    expected: str
    hint: str
    at_start: bool = False
    """Whether the mistake is at the beginning of the unfinished piece, not where the parser stopped."""


_CODES = "type each backslash twice, or put the text between single quotation marks (')"
_ROWS = (
    _Row(
        "quoted.*(end of stream|document)",
        "a closing quotation mark",
        "the text that begins here never ends: add its closing quotation mark",
        at_start=True,
    ),
    _Row("quoted.*(escape|hex)", r"a code such as \n, \t or \u00e9 after a backslash", _CODES),
    _Row("flow (sequence|mapping).*<end>", "a closing bracket", "the bracket here is never closed", at_start=True),
    _Row(
        "flow (sequence|mapping)",
        "a comma or a closing bracket",
        "put commas between entries, and quotation marks around a text that holds , [ ] { } or a colon",
    ),
    _Row(
        "mapping values",
        "one colon for each key",
        "put a text that holds a colon in quotation marks; indent the line like the lines that belong with it",
    ),
    _Row(
        "expected ':'",
        "a key, a colon and a value",
        "write a colon and a space after the key; if the line goes on from the line above, indent it further",
        at_start=True,
    ),
    _Row(
        "cannot start any token|scanning an? (alias|anchor|tag)",
        "a text that begins with a letter or a digit",
        "put the text in quotation marks",
        at_start=True,
    ),
    _Row("sequence entries", "a value on the same line as its key", "begin the list on a new line"),
    _Row(
        "block.*<quote>",
        "nothing after the closing quotation mark",
        "type ' twice inside single quotation marks, or a backslash before \" inside double ones",
    ),
    _Row("block mapping", "the next key, with its colon", "indent the keys of one mapping alike, or quote the text"),
    _Row("block collection", "the next list item, with its dash", "indent the items of one list alike"),
    _Row("node content", "a value", "add the missing value, or put the text in quotation marks"),
    _Row("block scalar", "a line end after | or >", "begin the text on the next line, indented with spaces"),
    _Row("directive|incompatible|version", "a key, a colon and a value", "delete the line", at_start=True),
    _Row("document start", "the end of the file", "close the brackets and quotation marks before this place"),
)
_OTHER = _Row("", "text in YAML", "compare the line with one that is right: indentation, colons, quotation marks")


def diagnose(error: YAMLError, lines: list[str], name: str) -> Problem:
    """Return the problem (F105) for a parser error in a text of these lines."""
    mark = error.problem_mark if isinstance(error, MarkedYAMLError) else None
    if not isinstance(error, MarkedYAMLError) or mark is None:
        # Only the Python parser raises an error without a mark, on an escape beyond Unicode.
        return _problem(lines, name, (0, 0), "text in YAML", "a code beyond Unicode", _CODES)
    at, start = (mark.line, mark.column), error.context_mark
    began = (start.line, start.column) if start is not None else at
    said = f"{error.context or ''}: {error.problem or ''}"
    text = _line(lines, at[0])
    tab = _TAB.match(text)
    if tab is not None and not re.search("quoted|flow", said):
        hint = "press the space bar instead of the tab key: two spaces for each level"
        return _problem(lines, name, (at[0], tab.end()), "spaces in front of the text", "a tab", hint)
    if re.search("expected ':'|mapping values|block mapping|document start", said):
        for line in dict.fromkeys((at[0], began[0], at[0] - 1)):
            match = _NO_SPACE.match(_line(lines, line))
            if match is not None:
                found, hint = shown(_line(lines, line)[match.start("key") :].strip()), "put a space after the colon"
                return _problem(lines, name, (line, match.end()), "a space after the colon", found, hint)
    if not text[at[1] :].strip() or (at[0] > began[0] and _indent(text) <= _indent(_line(lines, began[0]))):
        said += "<end>"  # the piece should have ended earlier
    if text[: at[1]].rstrip().endswith(("'", '"')):
        said += "<quote>"
    row = next((row for row in _ROWS if re.search(row.said, said)), _OTHER)
    place = began if row.at_start else at
    return _problem(lines, name, place, row.expected, "", row.hint)


def _line(lines: list[str], number: int) -> str:
    """Return a line, or an empty text for a number outside the text."""
    return lines[number] if 0 <= number < len(lines) else ""


def _indent(text: str) -> int:
    return len(text) - len(text.lstrip())


def _problem(lines: list[str], name: str, at: tuple[int, int], expected: str, found: str, hint: str) -> Problem:
    """Return F105 at a line and column from 0; without ``found``, the rest of the line is shown."""
    line, column = at
    if line >= len(lines):  # the C parser puts the end of a file on a line of its own
        line, column = len(lines) - 1, len(lines[-1])
    rest = lines[line][column:]
    end = "the end of the line" if any(map(str.strip, lines[line + 1 :])) else "the end of the file"
    here = "a tab" if rest.startswith("\t") else shown(rest.strip()) or end
    span = Span(name, line + 1, min(column, len(lines[line])) + 1, lines[line])
    return Problem("F105", span, expected, found or here, hint=hint)
