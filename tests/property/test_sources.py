"""The oracle is the writer below: it lays out values as YAML itself and notes where it put each of them."""

from __future__ import annotations

import csv
import io
import json
import re
from dataclasses import dataclass, field
from fractions import Fraction
from typing import TYPE_CHECKING, TypeAlias

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from generator.parsing import yaml12
from generator.parsing.tables import parse_csv
from generator.parsing.yaml12 import parse_yaml

if TYPE_CHECKING:
    from generator.parsing.text import Path, Value
    from generator.problems import Problem

pytestmark = pytest.mark.slow


@dataclass(frozen=True)
class Leaf:
    """A scalar as it is written, and what it should be read as."""

    written: str
    value: str | int | Fraction | bool | None


@dataclass(frozen=True)
class Items:
    """A list."""

    of: tuple[Tree, ...]
    flow: bool


@dataclass(frozen=True)
class Entries:
    """A mapping: each key as it is written and as it should be read, and its value."""

    of: tuple[tuple[Leaf, Tree], ...]
    flow: bool


Tree: TypeAlias = Leaf | Items | Entries

REFUSED = (  # what turns the direction of writing, leaves nothing on the page, or is no character: first and last
    (0x34F, 0x34F), (0x61C, 0x61C), (0x180E, 0x180E), (0x200B, 0x200B), (0x200E, 0x200F), (0x202A, 0x202E),
    (0x2060, 0x206F), (0xFE00, 0xFE0F), (0xFEFF, 0xFEFF), (0xFFF9, 0xFFFB), (0xFFFE, 0xFFFF),
)  # fmt: skip
CHARACTERS = st.characters(
    exclude_categories=["Cc", "Cs", "Zl", "Zp"],
    exclude_characters="".join(chr(one) for first, last in REFUSED for one in range(first, last + 1)),
).filter(lambda one: not 0xE0000 <= ord(one) <= 0xE0FFF)  # tags, and those that are to be unseen
WORDS = st.text(CHARACTERS, max_size=12)
PLAIN_WORDS = st.from_regex(
    r"(?!(?i:null|true|false)\Z)(?!.*: )[A-Za-zé𝄞ßｄ][A-Za-z0-9 é𝄞\u0301:/.+-]{0,8}[a-zé𝄞]", fullmatch=True
)


def decimal(sign: str, whole: str, places: str, exponent: int | None) -> Leaf:
    """Write a decimal; its value by whole numbers alone."""
    written = f"{sign}{whole}.{places}" + ("" if exponent is None else f"e{exponent}")
    number = int((whole + places) or "0") * (-1 if sign == "-" else 1)
    scale = len(places) - (exponent or 0)
    return Leaf(written, Fraction(number, 10**scale) if scale >= 0 else Fraction(number * 10**-scale))


DIGITS = st.text("0123456789", min_size=1, max_size=9)
KEYS = st.one_of(
    PLAIN_WORDS.map(lambda word: Leaf(word, word)),
    WORDS.map(lambda word: Leaf(json.dumps(word, ensure_ascii=False), word)),
    WORDS.map(lambda word: Leaf("'" + word.replace("'", "''") + "'", word)),
    DIGITS.map(lambda digits: Leaf(digits, digits)),
)
LEAVES = st.one_of(
    KEYS.filter(lambda key: not key.written.isdecimal()),
    st.integers(-(10**17), 10**17).map(lambda number: Leaf(str(number), number)),
    st.integers(0, 16**10).map(lambda number: Leaf(f"0x{number:x}", number)),
    DIGITS.map(lambda digits: Leaf(digits, sum(int(d) * 10**n for n, d in enumerate(reversed(digits))))),
    st.builds(decimal, st.sampled_from(["", "-", "+"]), DIGITS, DIGITS, st.none() | st.integers(-30, 30)),
    st.sampled_from([Leaf("true", value=True), Leaf("FALSE", value=False), Leaf("~", None), Leaf("null", None)]),
    st.sampled_from([Leaf(word, word) for word in ("no", "on", "1:30", "2001-12-14", ".inf", "-.nan", "1_0", "D6")]),
)


def entries(trees: st.SearchStrategy[Tree]) -> st.SearchStrategy[Tree]:
    pairs = st.lists(st.tuples(KEYS, trees), min_size=1, max_size=4, unique_by=lambda pair: pair[0].value)
    return st.builds(Entries, pairs.map(tuple), st.booleans())


def items(trees: st.SearchStrategy[Tree]) -> st.SearchStrategy[Tree]:
    return st.builds(Items, st.lists(trees, min_size=1, max_size=4).map(tuple), st.booleans())


TREES: st.SearchStrategy[Tree] = st.recursive(LEAVES, lambda trees: entries(trees) | items(trees), max_leaves=12)


def value_of(tree: Tree) -> Value:
    if isinstance(tree, Leaf):
        return tree.value
    if isinstance(tree, Items):
        return [value_of(inner) for inner in tree.of]
    return {str(key.value): value_of(inner) for key, inner in tree.of}


@dataclass
class Writer:
    """Writes a tree and notes the line and column of each value and key."""

    line_end: str
    done: list[str] = field(default_factory=list)
    line: str = ""
    values: dict[Path, tuple[int, int]] = field(default_factory=dict)
    keys: dict[Path, tuple[int, int]] = field(default_factory=dict)

    @property
    def here(self) -> tuple[int, int]:
        return len(self.done) + 1, len(self.line) + 1

    @property
    def text(self) -> str:
        return self.line_end.join([*self.done, self.line])

    def new_line(self, indent: int) -> None:
        self.done.append(self.line)
        self.line = " " * indent

    def write(self, tree: Tree, path: Path = (), indent: int = 0, *, flow: bool = False) -> None:
        """Write at the end of the line; a block collection goes on below at ``indent``."""
        if isinstance(tree, Leaf):
            self.values[path] = self.here
            self.line += tree.written
        elif flow or tree.flow:
            self.values[path] = self.here
            self.write_flow(tree, path)
        else:
            self.write_block(tree, path, indent)

    def write_flow(self, tree: Items | Entries, path: Path) -> None:
        self.line += "[" if isinstance(tree, Items) else "{"
        for number, entry in enumerate(tree.of):
            if number:
                self.line += ", "
            if isinstance(entry, tuple):
                key, inner = entry
                self.write_key(key, (*path, str(key.value)))
                self.line += " "
                self.write(inner, (*path, str(key.value)), flow=True)
            else:
                self.write(entry, (*path, number), flow=True)
        self.line += "]" if isinstance(tree, Items) else "}"

    def write_block(self, tree: Items | Entries, path: Path, indent: int) -> None:
        if path:
            self.new_line(indent)
        self.values[path] = self.here
        for number, entry in enumerate(tree.of):
            if number:
                self.new_line(indent)
            if isinstance(entry, tuple):
                key, inner = entry
                self.write_key(key, (*path, str(key.value)))
                self.line += " "
                self.write(inner, (*path, str(key.value)), indent + 2)
            else:
                self.line += "- "
                self.write(entry, (*path, number), indent + 2)

    def write_key(self, key: Leaf, path: Path) -> None:
        self.keys[path] = self.here
        self.line += key.written + ":"


@given(TREES, st.sampled_from(["\n", "\r\n", "\r"]), st.booleans())
def test_values_and_places_come_back(tree: Tree, line_end: str, bom: bool) -> None:  # noqa: FBT001 - hypothesis draws it
    writer = Writer(line_end)
    writer.write(tree)
    document, problems = parse_yaml("\ufeff" * bom + writer.text, "a.yaml")
    assert problems == ()
    assert document is not None
    assert document.value == value_of(tree)
    lines = [*writer.done, writer.line]
    for path, (line, column) in writer.values.items():
        span = document.span(path)
        assert (span.file, span.line, span.column, span.text) == ("a.yaml", line, column, lines[line - 1])
        key = document.key_span(path)
        assert (key.line, key.column) == writer.keys.get(path, (line, column))


@given(TREES, st.data())
def test_a_key_that_is_doubled_is_found(tree: Tree, data: st.DataObject) -> None:
    inner = Entries(((Leaf("a", "a"), tree), (Leaf("b", "b"), Leaf("1", 1))), flow=data.draw(st.booleans()))
    writer = Writer("\n")
    writer.write(Items((inner, Leaf("x", "x")), flow=False))
    doubled = writer.text + "\n- a: 1\n  c: 2\n  'a': 3"
    document, (problem,) = parse_yaml(doubled, "a.yaml")
    assert document is not None
    assert document.value == [value_of(inner), "x", {"a": 1, "c": 2}]
    assert (problem.code, problem.span.column, problem.field) == ("F106", 3, "[2].a")
    assert problem.span.line == doubled.count("\n") + 1


JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-(10**17), 10**17) | WORDS,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(WORDS, inner, max_size=4),
    max_leaves=15,
)


@given(JSON, st.sampled_from([None, 0, 1, 4]))
def test_json_is_yaml(value: object, indent: int | None) -> None:
    document, problems = parse_yaml(json.dumps(value, ensure_ascii=False, indent=indent), "a.json")
    assert problems == ()
    assert document is not None
    assert document.value == value


PIECES = st.sampled_from(
    [
        *(
            "a",
            "b: ",
            "- ",
            "- a\n",
            "? ",
            ": ",
            "[",
            "]",
            "{",
            "}",
            ", ",
            "\n",
            "\n  ",
            "\n    ",
            "\t",
            "'",
            '"',
            "\\",
        ),
        *("&x ", "*x", "!t ", "!!int ", "|\n", ">-\n", "---\n", "...\n", "%YAML 1.2\n", "\r", "\r\n", "1", "0x1", "#"),
        *(
            "9" * 19,
            "1e31",
            "1.5",
            "~",
            "null",
            "<<",
            "\ufeff",
            "\0",
            "\x1b",
            "\x85",
            "\u2028",
            "\ud800",
            "𝄞",
            "e\u0301",
        ),
        *(
            '"\\0"',
            "'a': ",
            '"b": ',
            "a: 1\n",
            "  c: 2\n",
            "@",
            "`",
            "%",
            "=",
            " ",
            "\\UFFFFFFFF",
            "\\x",
            '"\\q"',
            "\\ud800",
        ),
    ]
)
TEXTS = st.lists(PIECES, max_size=30).map("".join) | st.text(max_size=40)


def check_problems(text: str, problems: tuple[Problem, ...]) -> None:
    lines = re.split("\r\n|\r|\n", text.removeprefix("\ufeff"))
    for problem in problems:
        assert re.fullmatch(r"F1\d\d", problem.code)
        assert problem.expected
        assert problem.found
        assert problem.hint
        assert problem.found.isprintable()
        assert problem.span.text == lines[problem.span.line - 1]
        assert 1 <= problem.span.column <= len(problem.span.text) + 1


@pytest.mark.parametrize("loader", [yaml.CSafeLoader, yaml.SafeLoader])
@given(text=TEXTS)
def test_no_text_raises_and_every_problem_has_a_place(
    loader: type[yaml.CSafeLoader | yaml.SafeLoader], text: str
) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(yaml12, "LOADER", loader)
        document, problems = parse_yaml(text, "a.yaml")
        assert document is not None or problems
        check_problems(text, problems)
        if document is not None:
            for path in paths_of(document.value):
                assert document.span(path).line >= document.key_span(path).line >= 1


def paths_of(value: Value, path: Path = ()) -> list[Path]:
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return [path] + [deeper for step, each in inner for deeper in paths_of(each, (*path, step))]


def as_text(value: object) -> object:
    """Give the shape alone: all scalars that are not text become None."""
    if isinstance(value, dict):
        return {key: as_text(inner) for key, inner in value.items()}
    if isinstance(value, list):
        return [as_text(inner) for inner in value]
    return value if isinstance(value, str) else None


def mask(value: object, pattern: object) -> object:
    """Make None of every text in ``value`` where ``pattern`` has None."""
    if isinstance(value, dict) and isinstance(pattern, dict):
        return {key: mask(inner, pattern.get(key)) for key, inner in value.items()}
    if isinstance(value, list) and isinstance(pattern, list):
        return [mask(inner, each) for inner, each in zip(value, pattern, strict=True)]
    return None if pattern is None else value


@given(TEXTS)
def test_what_is_read_without_problems_is_what_pyyaml_composes(text: str) -> None:
    document, problems = parse_yaml(text, "a.yaml")
    if document is not None and not problems:
        composed = yaml.load(text, Loader=yaml.CBaseLoader)  # noqa: S506 - it makes nothing but text, lists and mappings
        assert mask(composed, as_text(document.value)) == as_text(document.value)


CELLS = st.text(CHARACTERS | st.sampled_from(',;"\n'), max_size=8)


@given(st.data(), st.integers(1, 5), st.sampled_from([",", ";"]), st.sampled_from(["\n", "\r\n"]))
def test_csv_comes_back(data: st.DataObject, width: int, mark: str, line_end: str) -> None:
    header = [f"column {number}" for number in range(width)]
    rows = data.draw(st.lists(st.lists(CELLS, min_size=width, max_size=width), max_size=5))
    rows = [row for row in rows if any(cell.strip() for cell in row)]
    out = io.StringIO()
    writer = csv.writer(out, delimiter=mark, lineterminator=line_end, quoting=csv.QUOTE_ALL)
    writer.writerows([header, *rows])
    document, problems = parse_csv(out.getvalue(), "a.csv")
    if width == 1 and mark == ";":
        return  # without a second column nothing tells which mark it is, and nothing depends on it
    assert problems == ()
    assert document is not None
    assert document.rows == tuple(dict(zip(header, row, strict=True)) for row in rows)
    lines = re.split("\r\n|\n", out.getvalue())
    line = 2
    for number, row in enumerate(rows):
        column = 1
        for name, cell in zip(header, row, strict=True):
            span = document.span(number, name)
            assert (span.line, span.column, span.text) == (line, column, lines[line - 1])
            line += cell.count("\n")
            written = '"' + cell.replace('"', '""') + '"'
            column = (len(written.rsplit("\n", 1)[1]) + 1 if "\n" in cell else column + len(written)) + 1
        line += 1


CSV_TEXTS = st.lists(
    st.sampled_from(
        ["a", "b", ",", ",", ";", '"', '""', "\n", "\r\n", "\r", " ", "\t", "𝄞", "\0", "\ufeff", "x" * 9000]
    ),
    max_size=40,
).map("".join)


@given(CSV_TEXTS)
def test_no_csv_text_raises(text: str) -> None:
    document, problems = parse_csv(text, "a.csv")
    assert document is not None or problems
    check_problems(text, problems)
    if document is not None:
        for number, row in enumerate(document.rows):
            for name in row:
                document.span(number, name)
