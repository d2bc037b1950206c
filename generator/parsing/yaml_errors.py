"""What went wrong where a YAML text cannot be read, in our own words.

The parser says where it gave up, and a few words of its English tell which rule it was at; those words choose the
explanation and are never shown. The lines of the text themselves tell the rest.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from yaml.error import MarkedYAMLError

from generator.parsing.text import shown
from generator.problems import Problem, Span

if TYPE_CHECKING:
    from collections.abc import Callable

    from yaml.error import YAMLError

_LONGEST_KEY = 1024
"""YAML's own limit for a key, in characters."""

_NO_SPACE = re.compile(r"""[ \t]*(?:-[ ]+)*(?P<key>'[^']*'|"[^"]*"|[^\s:'"\[\]{},#][^:'"\[\]{},#]*):(?=[^\s:/\\])""")
"""A line that begins with ``key:value``."""

_CLOSING = {"[": "]", "{": "}"}


class LastScalar(NamedTuple):
    """The scalar that was read last: its start and end (line and column from 0) and its quotation mark."""

    start: tuple[int, int]
    end: tuple[int, int]
    style: str


class _Advice(NamedTuple):
    expected: str
    found: str
    hint: str
    at: tuple[int, int]


@dataclass(slots=True)
class _Stuck:
    """Where the parser gave up (line and column from 0) and what it was at."""

    lines: list[str]
    said: str
    line: int
    column: int
    began: tuple[int, int] | None
    """Where the thing began that could not be finished."""
    last: LastScalar | None

    @property
    def at(self) -> tuple[int, int]:
        return self.line, self.column

    @property
    def text(self) -> str:
        return self.text_of(self.line)

    @property
    def here(self) -> str:
        return self.text[self.column : self.column + 1]

    @property
    def found(self) -> str:
        rest = self.text[self.column :].strip()
        if rest:
            return shown(rest)
        return "the end of the file" if not any(line.strip() for line in self.lines[self.line + 1 :]) else "a line end"

    @property
    def is_first_in_line(self) -> bool:
        return not self.text[: self.column].strip()

    def text_of(self, line: int) -> str:
        return self.lines[line] if line < len(self.lines) else ""

    def indent_of(self, line: int) -> int:
        text = self.text_of(line)
        return len(text) - len(text.lstrip(" "))

    def line_before(self) -> int | None:
        """Give the nearest line above that is neither empty nor a comment."""
        for line in range(min(self.line, len(self.lines)) - 1, -1, -1):
            if self.lines[line].strip() and not self.lines[line].lstrip().startswith("#"):
                return line
        return None


def diagnose(error: YAMLError, lines: list[str], name: str, last: LastScalar | None) -> Problem:
    """Give the problem (F105) for what the parser refused.

    ``lines`` are the text's lines, ``last`` is the scalar that was read before.
    """
    mark = error.problem_mark if isinstance(error, MarkedYAMLError) else None
    if not isinstance(error, MarkedYAMLError) or mark is None:
        # The Python parser alone, on an escape beyond Unicode: it has no mark, so the last scalar has to do.
        at = last.end if last is not None else (0, 0)
        return _problem(_Advice("text in YAML", "something that cannot be read", _CODES, at), lines, name)
    context = error.context_mark
    stuck = _Stuck(
        lines=lines,
        said=f"{error.context or ''}: {error.problem or ''}",
        line=mark.line,
        column=mark.column,
        began=(context.line, context.column) if context is not None else None,
        last=last,
    )
    for explain in _EXPLANATIONS:
        advice = explain(stuck)
        if advice is not None:
            return _problem(advice, lines, name)
    hint = "compare this line and the one above with one that is right: indentation, colons, quotation marks, brackets"
    return _problem(_Advice("text in YAML", stuck.found, hint, stuck.at), lines, name)


def _problem(advice: _Advice, lines: list[str], name: str) -> Problem:
    line, column = advice.at
    if line >= len(lines):  # the C parser puts the end of a file on a line of its own
        line, column = len(lines) - 1, len(lines[-1])
    span = Span(name, line + 1, min(column, len(lines[line])) + 1, lines[line])
    return Problem("F105", span, advice.expected, advice.found, hint=advice.hint)


def _tab(stuck: _Stuck) -> _Advice | None:
    if "quoted" in stuck.said or "flow" in stuck.said:
        return None
    text = stuck.text
    indentation = text[: len(text) - len(text.lstrip(" \t"))]
    if "\t" not in indentation:
        return None
    hint = "press the space bar instead of the tab key: two spaces for each level"
    return _Advice("spaces in front of the text", "a tab", hint, (stuck.line, indentation.index("\t")))


def _unclosed_quote(stuck: _Stuck) -> _Advice | None:
    if "quoted" not in stuck.said or stuck.began is None or not re.search("end of stream|document", stuck.said):
        return None
    line, column = stuck.began
    quote = stuck.lines[line][column]
    hint = f"the text that begins here never ends: add {quote} after its last word"
    if quote == "'":
        hint += ", and write an apostrophe inside it twice ('')"
    return _Advice(f"a closing {quote}", "the end of the file", hint, stuck.began)


_CODES = "between double quotation marks a backslash begins a code: use single ones (') or type the backslash twice"


def _escape(stuck: _Stuck) -> _Advice | None:
    if "quoted" not in stuck.said or not re.search("escape|hex", stuck.said):
        return None
    start = stuck.text.rfind("\\", 0, stuck.column + 1)
    at = (stuck.line, max(start, 0))
    found = shown(stuck.text[at[1] :], 12)
    return _Advice("a code such as \\n, \\t or \\u00e9", found, _CODES, at)


def _after_quote(stuck: _Stuck) -> _Advice | None:
    """Explain something that stands right behind a closing quotation mark."""
    last = stuck.last
    if last is None or last.style not in {"'", '"'} or "flow" in stuck.said:
        return None
    if last.end[0] != stuck.line or stuck.text[last.end[1] : stuck.column].strip() or not stuck.here:
        return None
    if stuck.here == ":":
        if stuck.text[stuck.column + 1 : stuck.column + 2] in {"", " "}:
            return None
        return _Advice("a space after the colon", stuck.found, "put a space after the colon", stuck.at)
    if last.start[0] != last.end[0]:
        line = last.start[0] + 1
        hint = f"the text before it began in line {line}: is a {last.style} missing there?"
    elif last.style == "'":
        hint = "write an apostrophe inside single quotation marks twice (''), or put the text between double ones"
    else:
        hint = 'a " inside the text needs a backslash (\\"), or put the text between single quotation marks'
    return _Advice(f"nothing after the closing {last.style}", stuck.found, hint, stuck.at)


def _brackets(stuck: _Stuck) -> _Advice | None:
    """Explain something inside [ ] or { } that is neither a comma nor the closing bracket."""
    if not re.search("flow (sequence|mapping)", stuck.said) or stuck.began is None:
        return None
    opening = stuck.text_of(stuck.began[0])[stuck.began[1] : stuck.began[1] + 1]
    closing = _CLOSING.get(opening)
    if closing is None:
        return None
    expected = f"a comma or {closing}"
    if stuck.here and stuck.here in "]}":
        hint = f"the {opening} in line {stuck.began[0] + 1} needs a {closing} to close it"
        return _Advice(expected, stuck.found, hint, stuck.at)
    left = stuck.line > stuck.began[0] and stuck.indent_of(stuck.line) <= stuck.indent_of(stuck.began[0])
    if stuck.found == "the end of the file" or (left and stuck.here == ":"):
        return _Advice(
            f"a closing {closing}",
            stuck.found if stuck.here != ":" else f"the next entry, in line {stuck.line + 1}",
            f"the {opening} here is never closed: add {closing}",
            stuck.began,
        )
    hint = "put a comma between two entries, and quotation marks around a text that holds , [ ] { } or a colon"
    return _Advice(expected, stuck.found, hint, stuck.at)


def _colon(stuck: _Stuck) -> _Advice | None:
    """Explain a colon where no key may stand."""
    if "mapping values" not in stuck.said:
        return None
    before = stuck.text[: stuck.column]
    if stuck.column > _LONGEST_KEY:
        hint = "shorten the key; long text belongs after the colon"
        expected = f"a key of at most {_LONGEST_KEY:,} characters"
        return _Advice(expected, "a longer one", hint, (stuck.line, stuck.indent_of(stuck.line)))
    if re.search(r":[ \t]", before):
        hint = "a text that holds a colon and a space needs quotation marks around it"
        return _Advice("one colon", f"a second one: {shown(before.strip() + ':')}", hint, stuck.at)
    above = stuck.line_before()
    if above is None:
        return _Advice("a key before the colon", stuck.found, "put the text in quotation marks", stuck.at)
    return _no_space(stuck, above) or _line_above(stuck, above)


def _line_above(stuck: _Stuck, above: int) -> _Advice:
    """Explain a key where the line above has not ended: most often one of the two is indented wrongly."""
    indent = stuck.indent_of(stuck.line)
    if indent > stuck.indent_of(above):
        hint = f"begin the line as far to the left as line {above + 1}, or give that line nothing after its colon"
        return _Advice("the indentation of the line above", _spaces(indent), hint, (stuck.line, indent))
    hint = f"look at line {above + 1} too: a colon may be missing there, or a text there may need quotation marks"
    return _Advice("one colon for each key", stuck.found, hint, stuck.at)


def _spaces(count: int) -> str:
    return "1 space" if count == 1 else f"{count} spaces"


def _no_space(stuck: _Stuck, line: int) -> _Advice | None:
    match = _NO_SPACE.match(stuck.text_of(line))
    if match is None:
        return None
    found = shown(stuck.text_of(line)[match.start("key") :].strip())
    return _Advice("a space after the colon", found, "put a space after the colon", (line, match.end()))


def _no_colon(stuck: _Stuck) -> _Advice | None:
    """Explain a line that should be ``key: value`` and has no such colon."""
    if "expected ':'" not in stuck.said or stuck.began is None:
        return None
    missing = _no_space(stuck, stuck.began[0])
    if missing is not None:
        return missing
    found = shown(stuck.text_of(stuck.began[0])[stuck.began[1] :].strip())
    hint = "write a colon and a space after the key; if the line goes on from the one above, indent it further"
    return _Advice("a key, a colon and a value", found, hint, stuck.began)


def _reserved(stuck: _Stuck) -> _Advice | None:
    """Explain a character that no plain text may begin with, or a reference or tag with a bad name."""
    if not re.search("cannot start any token|scanning an (alias|anchor)|scanning a tag", stuck.said):
        return None
    at = stuck.began if stuck.began is not None else stuck.at
    character = stuck.text_of(at[0])[at[1] : at[1] + 1]
    what = "a tab" if character == "\t" else shown(character)
    hint = "press the space bar instead of the tab key" if character == "\t" else "put the text in quotation marks"
    return _Advice("a text that begins with a letter or a digit", what, hint, at)


def _list_item(stuck: _Stuck) -> _Advice | None:
    if "sequence entries" not in stuck.said:
        return None
    hint = "begin the list on a new line, or write it as [one, two]; a text that begins with - needs quotation marks"
    return _Advice("a value on the same line as its key", stuck.found, hint, stuck.at)


def _block(stuck: _Stuck) -> _Advice | None:
    """Explain a list or mapping that goes on with something that does not belong to it."""
    if not re.search("block (mapping|collection)", stuck.said):
        return None
    if stuck.here and stuck.here in "]}":
        return _Advice(
            "nothing after the value", stuck.found, f"delete the {stuck.here} or add its opening one", stuck.at
        )
    in_list = "collection" in stuck.said
    expected = "the next list item, with its dash" if in_list else "the next key, with its colon"
    if stuck.is_first_in_line and stuck.began is not None:
        start = stuck.began[1]
        if stuck.column == start:
            hint = "write a list with a dash on each line or a mapping with a key on each line, not both at one level"
        else:
            line = stuck.began[0] + 1
            hint = (
                f"line up the lines that belong together: this list or mapping began in line {line}, column {start + 1}"
            )
        return _Advice(expected, f"{shown(stuck.text.strip())} after {_spaces(stuck.column)}", hint, stuck.at)
    return _Advice(expected, stuck.found, "put the text in quotation marks, or begin a new line", stuck.at)


def _content(stuck: _Stuck) -> _Advice | None:
    if "node content" not in stuck.said:
        return None
    hint = "a value is missing before it, or it is one too many; a text that holds it needs quotation marks"
    return _Advice("a value", stuck.found, hint, stuck.at)


def _block_text(stuck: _Stuck) -> _Advice | None:
    if "block scalar" not in stuck.said:
        return None
    hint = "begin the text on the next line, indented with spaces; a text that begins with | or > needs quotation marks"
    return _Advice("a line end after | or >", stuck.found, hint, stuck.at)


def _directive(stuck: _Stuck) -> _Advice | None:
    if not re.search("directive|incompatible|version", stuck.said):
        return None
    hint = "delete the line: a file begins with its first key"
    at = stuck.began if stuck.began is not None else stuck.at
    return _Advice("a key, a colon and a value", shown(stuck.text_of(at[0])), hint, at)


def _after_end(stuck: _Stuck) -> _Advice | None:
    if "document start" not in stuck.said:
        return None
    hint = "something is left over: check the brackets and quotation marks before it"
    return _Advice("the end of the file", stuck.found, hint, stuck.at)


_EXPLANATIONS: tuple[Callable[[_Stuck], _Advice | None], ...] = (
    _tab,
    _unclosed_quote,
    _escape,
    _after_quote,
    _brackets,
    _colon,
    _no_colon,
    _reserved,
    _list_item,
    _block,
    _content,
    _block_text,
    _directive,
    _after_end,
)
"""Tried in this order; the first that knows the case explains it."""
