"""Read YAML 1.2 files as plain values that know their places, with all of their problems, and write YAML.

Not allowed: anchors and aliases, tags, several documents, keys that are not plain text, more than 50 levels.
"""

from __future__ import annotations

import pathlib
import re
from collections.abc import Callable
from decimal import Context
from fractions import Fraction
from functools import cache, lru_cache
from typing import Any, cast

import yaml
from yaml import events
from yaml.error import Mark, MarkedYAMLError, YAMLError

from generator.parsing.text import (
    BOM,
    FORBIDDEN,
    STDIN,
    Document,
    Path,
    ProblemList,
    Scalar,
    StopError,
    Value,
    ValuePlace,
    check_characters,
    forbidden,
    read_text,
    shown,
    split_lines,
)
from generator.problems import FieldpressError, Problem, ProblemsError, Span, spell_path

MAX_DEPTH = 50
"""How many levels of lists and mappings a file may have."""

LOADER: type[yaml.CSafeLoader | yaml.SafeLoader] = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
"""The loader. Only its event parser is used, because the C composer crashes on deep nesting."""


def read_yaml(path: pathlib.Path, name: str) -> tuple[Document | None, tuple[Problem, ...]]:
    """Return the document in a file, or None, and the problems of :func:`read_text` and :func:`parse_yaml`.

    ``name`` is the file as the user named it. If there is no document, problems show lines of the file only if
    ``is_named_yaml``, because other files may be private.
    """
    try:
        document, problems = parse_yaml(read_text(path, name), name)
    except ProblemsError as error:
        document, problems = None, error.problems
    if document is None and not is_named_yaml(path):
        problems = tuple(
            problem._replace(span=problem.span._replace(text=""), found="another text")
            if problem.span.text
            else problem
            for problem in problems
        )
    return document, problems


def is_named_yaml(path: pathlib.Path) -> bool:
    """Return whether a file has a YAML ending or is standard input. Lines of other files may be private."""
    return path == STDIN or path.suffix.lower() in (".yaml", ".yml")


@lru_cache(maxsize=1024)
def parse_yaml(text: str, name: str) -> tuple[Document | None, tuple[Problem, ...]]:
    """Return the document of a YAML 1.2 text, or None, and its problems.

    An empty text gives a document with the value None. The last 1,024 results are cached, so that callers with the same
    text and name share the document.

    With F106 (a duplicate key; the first wins) there still is a document. With these problems there is none: F105 not
    YAML; F107 anchor or alias; F108 too deep; F109 tag or a second document; F110 number too long; F111 key that is not
    plain text; F112 forbidden characters. Reading stops at the 100th problem, without a document.
    """
    text = text.removeprefix(BOM)
    problems = check_characters(text, name)
    if problems:
        return None, problems
    reader = _Reader(text, name)
    return reader.document(), tuple(reader.problems)


class _Reader:
    """One reading of a text without a byte order mark. Methods that add a problem raise StopError at the 100th."""

    def __init__(self, text: str, name: str) -> None:
        self.text = text
        self.name = name
        self.lines = split_lines(text)
        self.problems = ProblemList()
        self.depth = 0
        """How many lists and mappings are open."""

    def document(self) -> Document | None:
        """Read the text and return its document; problems go to ``problems``.

        Return None if there is a problem other than F106, or if reading stopped at the 100th problem.
        """
        value, place = None, ValuePlace(1, 1, 1, 1)
        try:
            self.next_event: Callable[[], Any] = LOADER(self.text).get_event
            self.next_event()  # the start of the text
            if isinstance(self.next_event(), events.DocumentStartEvent):
                value, place = self._value(self.next_event(), ())
                self.next_event()  # the end of the document
                if isinstance(event := self.next_event(), events.DocumentStartEvent):
                    hint = "keep one document to a file; what follows this line is not read"
                    self._problem("F109", event, (), "the end of the file", "a second document", hint)
        except StopError:
            return None
        except (YAMLError, ValueError, OverflowError) as error:  # the Python parser: an escape beyond Unicode
            self.problems.append(diagnose(error, self.lines, self.name))
        if any(problem.code != "F106" for problem in self.problems):
            return None
        return Document(self.name, self.text, value, place)

    def _value(self, event: Any, path: Path) -> tuple[Value, ValuePlace]:
        """Read the value that begins with an event, and return it with its place; an alias has the value None.

        Adds F107 for an alias or anchor, F109 for a tag, and the problems of keys and scalars. Adds F108, and raises
        StopError, for too many levels.
        """
        line, column = _place(event)
        place = ValuePlace(line, column, line, column)
        if isinstance(event, events.AliasEvent):
            hint = "write the value out again; a text that begins with * needs quotation marks around it"
            found = f"*{shown(event.anchor or '')}, a reference to another place"
            self._problem("F107", event, path, "a value", found, hint)
            return None, place
        if isinstance(event, events.ScalarEvent):
            return self._scalar(event, path), place
        if self.depth == MAX_DEPTH:
            hint = "check for brackets or dashes that were typed too often"
            expected = f"at most {MAX_DEPTH} lists and mappings inside one another"
            self.problems.stop("F108", self._span(event), expected, "one more", hint, _field(path))
        self._check_tags(event, path)
        self.depth += 1
        is_mapping = isinstance(event, events.MappingStartEvent)
        value: Value = self._mapping(path, place) if is_mapping else self._list(path, place)
        self.depth -= 1
        return value, place

    def _list(self, path: Path, place: ValuePlace) -> list[Value]:
        """Read and return the items of the list at ``path``; record their places in ``place``, the place of the list.

        Adds problems and raises StopError as ``_value`` does for an item.
        """
        items: list[Value] = []
        while not isinstance(event := self.next_event(), events.SequenceEndEvent):
            item, place.inside[len(items)] = self._value(event, (*path, len(items)))
            items.append(item)
        return items

    def _mapping(self, path: Path, place: ValuePlace) -> dict[str, Value]:
        """Read and return the mapping at ``path``; record places of its values in ``place``, the place of the mapping.

        The first of equal keys wins. Adds problems and raises StopError as ``_key`` and ``_value`` do.
        """
        values: dict[str, Value] = {}
        while not isinstance(event := self.next_event(), events.MappingEndEvent):
            key = self._key(event, path, place)
            value, inner = self._value(self.next_event(), (*path, key))
            if key not in values:
                inner.key_line, inner.key_column = _place(event)
                values[key], place.inside[key] = value, inner
        return values

    def _key(self, event: Any, path: Path, place: ValuePlace) -> str:
        """Return a key as text; empty for a list, a mapping or an alias.

        ``path`` and ``place`` are those of the mapping. Adds F106 for a key that the mapping already has, F107 for an
        alias or anchor, and F109 for a tag. Adds F111 for a list or mapping, and F112 for a forbidden character.
        """
        if not isinstance(event, events.ScalarEvent):
            if not isinstance(event, events.AliasEvent):
                what = "a mapping" if isinstance(event, events.MappingStartEvent) else "a list"
                hint = "give the key a name; a text that begins with { or [ needs quotation marks around it"
                self._problem("F111", event, path, "plain text before the colon", what, hint)
            self._value(event, path)
            return ""
        key: str = event.value
        self._check_tags(event, (*path, key))
        if key in place.inside:
            what = shown(key) or "a key without a name"
            line = place.inside[key].key_line
            hint = f"it stands in line {line} already: rename one or delete one; the first one counts"
            self._problem("F106", event, (*path, key), "each key once", what, hint)
        self._check_escapes(event, (*path, key))
        return key

    def _scalar(self, event: events.ScalarEvent, path: Path) -> Scalar:
        """Read a value that is not a list or a mapping. Adds F110 for too long a number, which remains a text.

        Adds F107 for an anchor, F109 for a tag, and F112 for an escape that stands for a forbidden character.
        """
        content: str = event.value
        self._check_tags(event, path)
        self._check_escapes(event, path)
        try:
            return content if event.style else read_plain(content)
        except NumberTooLongError:
            expected = f"a number of at most {MAX_DIGITS} digits, with an exponent of at most {MAX_EXPONENT}"
            hint = "check for a slip of the finger; if it is meant as text, put it in quotation marks"
            self._problem("F110", event, path, expected, shown(content), hint)
            return content

    def _check_tags(self, event: events.ScalarEvent | events.CollectionStartEvent, path: Path) -> None:
        """Add F107 for an anchor and F109 for a tag."""
        if event.anchor is not None:
            hint = (
                "delete it, and write the value out where it is used; a text that begins with & needs quotation marks"
            )
            self._problem("F107", event, path, "a value", f"&{shown(event.anchor)}, a name for a value", hint)
        if event.tag is not None:
            hint = "delete it; a text that begins with ! needs quotation marks around it"
            tag = event.tag.replace("tag:yaml.org,2002:", "!!")
            self._problem("F109", event, path, "a value", f"{shown(tag)}, a tag", hint)

    def _check_escapes(self, event: events.ScalarEvent, path: Path) -> None:
        """Add F112 for the first forbidden character that an escape stands for, between double quotation marks."""
        match = FORBIDDEN.search(event.value) if event.style == '"' else None
        if match is not None:
            problem = forbidden(match.group(), self._span(event), escaped=True)
            self._problem(problem.code, event, path, problem.expected, problem.found, problem.hint)

    def _problem(self, code: str, event: events.Event, path: Path, expected: str, found: str, hint: str) -> None:
        self.problems.add(code, self._span(event), expected, found, hint, _field(path))

    def _span(self, event: events.Event) -> Span:
        line, column = _place(event)
        return Span(self.name, line, column, self.lines[line - 1] if line <= len(self.lines) else "")


def _field(path: Path) -> str:
    """Return a path as a problem shows it, with long keys shortened and invisible characters spelled out."""
    return spell_path(tuple(shown(step) if isinstance(step, str) else step for step in path))


def _place(event: events.Event) -> tuple[int, int]:
    """Return the line and column of an event, from 1."""
    mark = cast("Mark", event.start_mark)  # the parsers mark all events
    return mark.line + 1, mark.column + 1


_TAB = re.compile(r"[ ]*(?=\t)")
"""Indentation with a tab in it."""


_NO_SPACE = re.compile(r"""[ \t]*(?:-[ ]+)*(?P<key>'[^']*'|"[^"]*"|[^\s:'"\[\]{},#][^:'"\[\]{},#]*):(?=[^\s:/\\])""")
"""A line that begins with ``key:value``, without a space after the colon."""


_KEY = re.compile(r"\s*[\w -]+:(\s|$)")
_KEY_OF_ITEM = re.compile(r"\s*-\s+[\w -]+:(\s|$)")
"""A line that begins with a key, and a line that begins a list item with a key."""


_CODES = "type each backslash twice, or put the text between single quotation marks (')"


@cache
def _advice() -> list[dict[str, Any]]:
    """Return the entries of ``yaml_errors.yaml`` in order: the pattern and the words for each kind of parser error."""
    text = pathlib.Path(__file__).with_name("yaml_errors.yaml").read_text(encoding="utf-8")
    return cast("Any", _Reader(text, "").document()).value  # type: ignore[no-any-return]


def diagnose(error: Exception, lines: list[str], name: str) -> Problem:
    """Return F105 for a parser error: the place in ``lines`` to correct, and a hint. ``name`` is the file's name.

    An error without a place is reported at line 1.
    """
    mark = error.problem_mark if isinstance(error, MarkedYAMLError) else None
    if not isinstance(error, MarkedYAMLError) or mark is None:
        # Only the Python parser raises an error without a mark, on an escape beyond Unicode.
        return _problem(lines, name, (0, 0), "text in YAML", "a code beyond Unicode", _CODES)
    at, start = (mark.line, mark.column), error.context_mark
    began = (start.line, start.column) if start is not None else at
    message = f"{error.context or ''}: {error.problem or ''}"
    text = _line(lines, at[0])
    tab = _TAB.match(text)
    if tab is not None and not re.search("quoted|flow", message):
        hint = "press the space bar instead of the tab key: two spaces for each level"
        return _problem(lines, name, (at[0], tab.end()), "spaces in front of the text", "a tab", hint)
    if re.search("expected ':'|mapping values|block mapping|document start", message):
        for line in dict.fromkeys((at[0], began[0], at[0] - 1)):
            match = _NO_SPACE.match(_line(lines, line))
            if match is not None:
                found, hint = shown(_line(lines, line)[match.start("key") :].strip()), "put a space after the colon"
                return _problem(lines, name, (line, match.end()), "a space after the colon", found, hint)
    if not text[at[1] :].strip() or (at[0] > began[0] and _indent(text) <= _indent(_line(lines, began[0]))):
        message += "<end>"  # the piece should have ended earlier
    if text[: at[1]].rstrip().endswith(("'", '"')):
        message += "<quote>"
    if _KEY.match(text) and _KEY_OF_ITEM.match(_line(lines, began[0])):
        message += "<key>"
    message += f"<{text[at[1] : at[1] + 1]}>"  # such as a closing bracket that nothing opens
    if "block mapping" in message and text[at[1] :].startswith("- "):
        # A list item after a key with a value: the key is too far left to belong to the item above it.
        above = (line for line in range(at[0] - 1, began[0], -1) if _indent(lines[line]) == at[1])
        key = next(above, at[0])
        if _KEY.match(lines[key]):
            at, message = (key, at[1]), "block collection<key>"
    words = next(words for words in _advice() if re.search(words["pattern"], message))
    place = began if words.get("at_start") else at
    return _problem(lines, name, place, words["expected"], "", words["hint"])


def _line(lines: list[str], number: int) -> str:
    """Return the line with this index, which counts from 0; an empty text if there is no such line."""
    return lines[number] if 0 <= number < len(lines) else ""


def _indent(text: str) -> int:
    return len(text) - len(text.lstrip())


def _problem(lines: list[str], name: str, at: tuple[int, int], expected: str, found: str, hint: str) -> Problem:
    """Return F105 at a line and column from 0.

    If ``found`` is empty, the problem names a tab, the rest of the line, or the end of the line or file.
    """
    line, column = at
    if line >= len(lines):  # the C parser puts the end of a file on a line of its own
        line, column = len(lines) - 1, len(lines[-1])
    rest = lines[line][column:]
    end = "the end of the line" if any(map(str.strip, lines[line + 1 :])) else "the end of the file"
    here = "a tab" if rest.startswith("\t") else shown(rest.strip()) or end
    span = Span(name, line + 1, min(column, len(lines[line])) + 1, lines[line])
    return Problem("F105", span, expected, found or here, hint=hint)


MAX_DIGITS = 18
MAX_EXPONENT = 30

CONSTANTS: dict[str, Scalar] = {
    **dict.fromkeys(("", "~", "null", "Null", "NULL"), None),
    **dict.fromkeys(("true", "True", "TRUE"), True),
    **dict.fromkeys(("false", "False", "FALSE"), False),
}

_NUMBER = re.compile(
    r"[-+]?(?P<mantissa>[0-9]+|[0-9]+\.[0-9]*|\.[0-9]+)(?:[eE](?P<exponent>[-+]?[0-9]+))?"
    r"|(?P<based>0x[0-9a-fA-F]+|0o[0-7]+)"
)


class NumberTooLongError(FieldpressError):
    """A number has more than :data:`MAX_DIGITS` digits or an exponent beyond :data:`MAX_EXPONENT`."""


def read_plain(text: str) -> Scalar:
    """Return the value of an unquoted scalar: None, bool, int, an exact Fraction for a decimal, or the text itself.

    ``yes``, ``1:30``, dates, ``.inf`` and ``.nan`` are text. Raises :class:`NumberTooLongError` for more than 18
    digits, or an exponent above 30 or below -30. A number with a million digits or zeros would hang the reader.

    >>> read_plain("012"), read_plain("-2.50"), read_plain("1e3"), read_plain("no")
    (12, Fraction(-5, 2), Fraction(1000, 1), 'no')
    """
    if text in CONSTANTS:
        return CONSTANTS[text]
    if text[0] not in "+-.0123456789":
        return text
    number = _NUMBER.fullmatch(text)
    if number is None:
        return text
    based, mantissa, exponent = number["based"], number["mantissa"] or "", (number["exponent"] or "").lstrip("+-0")
    digits = based[2:] if based else mantissa.replace(".", "")
    if len(digits) > MAX_DIGITS or len(exponent) > len(str(MAX_EXPONENT)) or int(exponent or "0") > MAX_EXPONENT:
        raise NumberTooLongError
    if based or (mantissa.isdigit() and number["exponent"] is None):
        return int(text, 0 if based else 10)
    return Fraction(text)


_WIDTH = 118


def to_yaml(value: Any, *, in_a_line: bool = False) -> str:
    """Return mappings and lists of texts, numbers, booleans and None as YAML, in their own order.

    Fractions become decimals. If ``in_a_line``, all is on one line without a line end, with every text in quotation
    marks. Raises yaml.YAMLError for values of types that ``yaml.SafeDumper`` cannot write.

    >>> print(to_yaml({"force": "Reds", "rules": ["tin"], "note": "no"}), end="")
    force: Reds
    rules:
    - tin
    note: 'no'
    >>> to_yaml(["a, b", "08", Fraction(-5, 2)], in_a_line=True)
    '["a, b", "08", -2.5]'
    """

    class Dumper(yaml.SafeDumper):
        """A dumper of YAML 1.1 whose output means the same in YAML 1.2. It writes no anchors, which we do not read."""

        def ignore_aliases(self, _data: Any) -> bool:
            """Return True: an object that occurs again is written in full again."""
            return True

    def text(dumper: Dumper, content: str) -> yaml.ScalarNode:
        style = '"' if in_a_line else "'" if _is_more(content) else None
        return dumper.represent_scalar("tag:yaml.org,2002:str", content, style)

    def number(dumper: Dumper, figure: Fraction) -> yaml.ScalarNode:
        return dumper.represent_scalar("tag:yaml.org,2002:float", _decimal(figure))

    Dumper.add_representer(str, text)
    Dumper.add_representer(Fraction, number)
    width = float("inf") if in_a_line else _WIDTH
    dumped: str = yaml.dump(
        value, Dumper=Dumper, sort_keys=False, allow_unicode=True, width=width, default_flow_style=in_a_line
    )
    return dumped.removesuffix("\n").removesuffix("\n...") if in_a_line else dumped


def _is_more(text: str) -> bool:
    """Return whether ``read_plain`` reads a text as another type, such as 08 as a number, or refuses it."""
    try:
        return not isinstance(read_plain(text), str)
    except NumberTooLongError:
        return True


def _decimal(number: Fraction) -> str:
    """Return a fraction as a decimal with all its places, or rounded to 60 digits.

    >>> _decimal(Fraction(1, 8)), _decimal(Fraction(1000)), _decimal(Fraction(10**30))
    ('0.125', '1000.0', '1.0e+30')
    """
    context = Context(prec=60)
    quotient = context.divide(number.numerator, number.denominator)
    digits = len(quotient.as_tuple().digits)
    mantissa, _, exponent = str(quotient if digits <= MAX_DIGITS else quotient.normalize(context)).partition("E")
    mantissa += "" if "." in mantissa else ".0"
    return f"{mantissa}e{exponent}" if exponent else mantissa
