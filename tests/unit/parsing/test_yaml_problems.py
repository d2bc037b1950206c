from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
import yaml

from generator.parsing import yaml12
from generator.parsing.text import MAX_PROBLEMS, Value, split_lines
from generator.parsing.yaml12 import parse_yaml

if TYPE_CHECKING:
    from generator.problems import Problem

LOADERS = ("CSafeLoader", "SafeLoader")


@pytest.fixture(params=LOADERS)
def loader(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.setattr(yaml12, "LOADER", getattr(yaml, request.param))
    return str(request.param)


def problems_of(text: str) -> tuple[Problem, ...]:
    document, problems = parse_yaml(text, "a.yaml")
    lines = split_lines(text.removeprefix("\ufeff"))
    for problem in problems:
        assert problem.span.file == "a.yaml"
        assert problem.span.text == lines[problem.span.line - 1]
        assert 1 <= problem.span.column <= len(problem.span.text) + 1
        assert problem.expected
        assert problem.found
        assert problem.hint
        assert len(problem.found) < 120
        assert problem.severity == "error"
    assert problems or document is not None
    return problems


def places(text: str) -> list[str]:
    return [f"{problem.code} {problem.span.line}:{problem.span.column}" for problem in problems_of(text)]


def read(text: str) -> Value:
    """Give the value of a text whose problems leave a document."""
    document, _ = parse_yaml(text, "a.yaml")
    assert document is not None
    return document.value


# F105: each mistake, its place, and what is expected there.
@pytest.mark.usefixtures("loader")
@pytest.mark.parametrize(
    ("text", "place", "expected"),
    [
        # tabs
        ("a:\n\tb: 2", "2:1", "spaces"),
        ("a: 1\n\tb: 2", "2:1", "spaces"),
        ("a:\n  - x\n \t- y: 1", "3:2", "spaces"),
        ("\ta: 1", "1:1", "spaces"),
        ("a: >\n\tq", "2:1", "spaces"),
        ("-\ta: 1", "1:2", "letter"),
        # no space after the colon
        ("a:1\nb: 2", "1:3", "a space after the colon"),
        ("a: 1\nb:2\n", "2:3", "a space after the colon"),
        ("x:\n  - a:1\n    b: 2", "2:7", "a space after the colon"),
        ("'a':1", "1:5", "a space after the colon"),
        ("- x: 1\n  'y':2", "2:7", "a space after the colon"),
        # quotation marks
        ("a: 'x\nb: 2", "1:4", "closing quotation mark"),
        ('b: 1\na: "x\nb: 2\n', "2:4", "closing quotation mark"),
        ('a: "x\n--- y"', "1:4", "closing quotation mark"),
        ('a: "x\nb: "y"\nc: 3', "2:5", "nothing after the closing"),
        ("a: 'it's'", "1:8", "nothing after the closing"),
        ('a: "6" gun"', "1:8", "nothing after the closing"),
        # brackets
        ("a: [1, 2\nb: 3\n", "1:4", "a closing bracket"),
        ("a: [1, 2", "1:4", "a closing bracket"),
        ("x: y\na: {b: 1\nc: 2", "2:4", "a closing bracket"),
        ("a: [1, 2}", "1:9", "comma"),
        ("- {a: 1,\n   b: 2\n   c: 3}", "3:5", "comma"),
        ("rows: [\n  {a: 1}\n  {a: 2}\n]", "3:3", "comma"),
        ('a: ["b" "c"]', "1:9", "comma"),
        ("a: {b: c: d}", "1:9", "comma"),
        ("a: {b: 1}}", "1:10", "no closing bracket"),
        ("- {a: 1}}\n- b", "1:9", "no closing bracket"),
        ("- [1]]", "1:6", "no closing bracket"),
        ("a: ]", "1:4", "a value"),
        ("[,", "1:2", "a value"),
        # indentation
        ("a:\n  b: 1\n c: 2", "3:2", "next key"),
        ("a: 1\n  b: 2", "2:4", "one colon"),
        ("a: 1\n\n  b: 2", "3:4", "one colon"),
        ("a: 1\n# why\n  b: 2", "3:3", "next key"),
        ("- a: 1\n   b: 2", "2:5", "one colon"),
        ("- a\nb: 1", "2:1", "next list item"),
        ("a: 1\n- b", "2:1", "next key"),
        ("a: - 1", "1:4", "same line"),
        # colons and keys
        ("a: b: c", "1:5", "one colon"),
        ("a: 1\nfoo\nb: 2", "2:1", "a key, a colon"),
        ("foo\nbar: 1", "2:4", "one colon"),
        ("a" * 1100 + ": 1", "1:1101", "one colon"),
        ("'" + "a" * 1100 + "': 1", "1:1103", "one colon"),
        # what no text may begin with
        ("a: @x", "1:4", "letter"),
        ("a: `x", "1:4", "letter"),
        ("a: %x", "1:4", "letter"),
        ("a: *bold*", "1:4", "letter"),
        ("a: & b", "1:4", "letter"),
        ("a: |x\n  y", "1:5", "line end"),
        # the rest
        ("%YAML 2.0\n---\na", "1:1", "a key, a colon"),
        ("{a: 1} x", "1:8", "the end of the file"),
        ("a: 1\n...\nb", "3:1", "the end of the file"),
        ("x: {a: 1} y", "1:11", "next key"),
        ("a: ? b", "1:4", "text in YAML"),
    ],
)
def test_a_text_that_is_not_yaml(text: str, place: str, expected: str) -> None:
    (problem,) = problems_of(text)
    assert (problem.code, f"{problem.span.line}:{problem.span.column}") == ("F105", place)
    assert expected in problem.expected
    document, _ = parse_yaml(text, "a.yaml")
    assert document is None


def test_the_parsers_own_english_is_never_shown(loader: str) -> None:
    assert loader in LOADERS
    for text in ("a: ]", "a: b: c", "a: 'x", "- a\nb: 1", "a: @", "%FOO", "a: !<x", "[1\n2: 3"):
        for problem in problems_of(text):
            said = f"{problem.expected} {problem.found} {problem.hint}"
            for word in ("token", "scalar", "scanning", "parsing", "stream", "simple key", "indicator"):
                assert word not in said


@pytest.mark.usefixtures("loader")
def test_a_backslash_that_begins_no_code() -> None:
    (problem,) = problems_of('a: "C:\\games"')
    assert "backslash" in problem.expected


@pytest.mark.usefixtures("loader")
def test_problems_on_line_ends_other_than_lf() -> None:
    assert places("a: 1\r\nb: 'x\r\n") == ["F105 2:4"]
    assert places("a: 1\rb: 'x") == ["F105 2:4"]
    assert places("\ufeffé𝄞: b: c") == ["F105 1:6"]


@pytest.mark.usefixtures("loader")
def test_duplicate_keys() -> None:
    text = "a: 1\nb: {c: 1, d: 2, c: 3}\na: 2\n'a': 3\n"
    problems = problems_of(text)
    assert [(p.code, p.span.line, p.span.column, p.field, p.found) for p in problems] == [
        ("F106", 2, 17, "b.c", "c"),
        ("F106", 3, 1, "a", "a"),
        ("F106", 4, 1, "a", "a"),
    ]
    assert "line 2 already" in problems[0].hint
    assert "line 1 already" in problems[1].hint
    assert "line 1 already" in problems[2].hint
    assert read(text) == {"a": 1, "b": {"c": 1, "d": 2}}


@pytest.mark.usefixtures("loader")
def test_what_is_under_a_duplicate_key_is_checked_but_not_read() -> None:
    text = "a: {x: 1}\na: {x: 2, y: z, x: 3}\nb: [1]"
    assert places(text) == ["F106 2:1", "F106 2:17"]
    assert read(text) == {"a": {"x": 1}, "b": [1]}


@pytest.mark.usefixtures("loader")
def test_keys_are_compared_as_text() -> None:
    assert problems_of("1: a\n01: b\n0x1: c\n1.0: d") == ()
    assert places("1: a\n'1': b") == ["F106 2:1"]
    assert places("'': a\n\"\": b") == ["F106 2:1"]


@pytest.mark.usefixtures("loader")
def test_anchors_and_aliases() -> None:
    text = "a: &one {b: 1}\nc: *one\nd: [&two x, *two]\n&three e: 1\n*one : 2\nf: 3"
    problems = problems_of(text)
    assert [(p.code, p.span.line, p.span.column, p.field) for p in problems] == [
        ("F107", 1, 4, "a"),
        ("F107", 2, 4, "c"),
        ("F107", 3, 5, "d[0]"),
        ("F107", 3, 13, "d[1]"),
        ("F107", 4, 1, "e"),
        ("F107", 5, 1, ""),
    ]
    assert problems[0].found == "&one, a name for a value"
    assert problems[1].found == "*one, a reference to another place"


@pytest.mark.usefixtures("loader")
def test_a_bomb_of_aliases_is_harmless() -> None:
    bomb = "a: &a [x, x]\n" + "".join(
        f"{chr(98 + n)}: &{chr(98 + n)} [*{chr(97 + n)}, *{chr(97 + n)}]\n" for n in range(20)
    )
    assert set(places(bomb)) >= {"F107 1:4", "F107 2:8"}


@pytest.mark.usefixtures("loader")
def test_tags() -> None:
    text = "a: !!str 1\nb: !mine [1]\nc: {d: ! x}\n!!int e: 2\nf: 3"
    problems = problems_of(text)
    assert [(p.code, p.span.line, p.span.column, p.field) for p in problems] == [
        ("F109", 1, 4, "a"),
        ("F109", 2, 4, "b"),
        ("F109", 3, 8, "c.d"),
        ("F109", 4, 1, "e"),
    ]
    assert [p.found for p in problems] == ["!!str, a tag", "!mine, a tag", "!, a tag", "!!int, a tag"]


@pytest.mark.usefixtures("loader")
@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("a: !!str 1", "F109 1:4"),
        ("!t a: 1", "F109 1:1"),
        ("a: !t [1]", "F109 1:4"),
        ("a: &x 1", "F107 1:4"),
        ("&x a: 1", "F107 1:1"),
        ("a: &x {b: 1}", "F107 1:4"),
        ("a: *x", "F107 1:4"),
        ("*x", "F107 1:1"),
    ],
)
def test_a_single_one_is_not_missed(text: str, place: str) -> None:
    assert places(text) == [place]


@pytest.mark.usefixtures("loader")
def test_a_tag_never_runs_code() -> None:
    assert places("!!python/object/apply:os.system ['false']") == ["F109 1:1"]


@pytest.mark.usefixtures("loader")
def test_a_second_document() -> None:
    assert places("a: 1\n---\nb: 2\n") == ["F109 2:1"]
    assert places("--- a\n--- b\n--- c") == ["F109 2:1"]


@pytest.mark.usefixtures("loader")
def test_fifty_one_levels() -> None:
    assert places("[" * 51 + "]" * 51) == ["F108 1:51"]
    assert places("- " * 51 + "x") == ["F108 1:101"]
    (problem,) = problems_of("a:\n" + "".join(f"{' ' * n}b:\n" for n in range(1, 50)) + " " * 50 + "c: 1")
    assert (problem.code, problem.span.line, problem.span.column) == ("F108", 51, 51)
    assert problem.field == "a" + ".b" * 49
    assert parse_yaml("[" * 51, "a.yaml")[0] is None


@pytest.mark.usefixtures("loader")
@pytest.mark.parametrize(
    ("piece", "problem"),
    [
        ("[", "F108 1:51"),
        ("{", "F108 1:51"),
        ("- ", "F108 1:101"),
        ("? ", "F108 1:101"),
        ("{a: ", "F108 1:201"),
        ("[{a: ", "F108 1:126"),
    ],
)
def test_a_hundred_thousand_levels(piece: str, problem: str) -> None:
    found = places(piece * 100_000)
    assert found[-1] == problem
    assert {code[:4] for code in found[:-1]} <= {"F111"}


@pytest.mark.usefixtures("loader")
def test_numbers_too_long() -> None:
    text = "a: 1234567890123456789\nb: [1e31, 1e30, '1e31']\nc: " + "9" * 1000
    problems = problems_of(text)
    assert [(p.code, p.span.line, p.span.column, p.field) for p in problems] == [
        ("F110", 1, 4, "a"),
        ("F110", 2, 5, "b[0]"),
        ("F110", 3, 4, "c"),
    ]
    assert problems_of("1234567890123456789: x") == ()  # a key is text


@pytest.mark.usefixtures("loader")
def test_keys_that_are_not_plain_text() -> None:
    text = "{a: 1}: 2\n[b]: 3\n? - c\n: {d: {e: 9999999999999999999}}\nf: 4\n"
    problems = problems_of(text)
    assert [(p.code, p.span.line, p.span.column) for p in problems] == [
        ("F111", 1, 1),
        ("F111", 2, 1),
        ("F111", 3, 3),
        ("F110", 4, 11),
    ]
    assert [p.found for p in problems[:3]] == ["a mapping", "a list", "a list"]


@pytest.mark.usefixtures("loader")
@pytest.mark.parametrize(
    ("text", "place", "found"),
    [
        ("a: \0", "F112 1:4", "a character without a name (U+0000)"),
        ("a: 1\nb: \x07x", "F112 2:4", "a character without a name (U+0007)"),
        ("a: \x1b[2J", "F112 1:4", "a character without a name (U+001B)"),
        ("a: 𝄞\x7f", "F112 1:5", "a character without a name (U+007F)"),
        ("a: \x85", "F112 1:4", "a character without a name (U+0085)"),
        ("a: x\u2028y", "F112 1:5", "line separator (U+2028)"),
        ("a: x\u2029y", "F112 1:5", "paragraph separator (U+2029)"),
        ("a: '\ud800'", "F112 1:5", "a character without a name (U+D800)"),
        ("a: \ufffe", "F112 1:4", "a character without a name (U+FFFE)"),
        ("a: 1\n\ufeffb: 2", "F112 2:1", "zero width no-break space (U+FEFF)"),
        ("\ufeff\ufeffa: 1", "F112 1:1", "zero width no-break space (U+FEFF)"),
        ("# \x01", "F112 1:3", "a character without a name (U+0001)"),
    ],
)
def test_characters_that_are_not_allowed(text: str, place: str, found: str) -> None:
    assert places(text) == [place]
    assert problems_of(text)[0].found == found
    assert parse_yaml(text, "a.yaml")[0] is None


def test_each_different_character_is_named_once() -> None:
    problems = problems_of("a: \x07\x08\nb: \x07\n\x07")
    assert [(p.span.line, p.span.column) for p in problems] == [(1, 4), (1, 5)]
    assert problems[0].hint.endswith("it stands in 3 places")


@pytest.mark.usefixtures("loader")
@pytest.mark.parametrize("escape", ["\\0", "\\a", "\\e", "\\x1b", "\\u0007", "\\x7f", "\\N", "\\L", "\\P", "\\uFEFF"])
def test_an_escape_does_not_bring_them_in(escape: str) -> None:
    text = f'a: [1, "x{escape}y"]\n"k{escape}": 2\nb: 3'
    assert places(text) == ["F112 1:8", "F112 2:1"]
    assert problems_of(text)[0].field == "a[1]"


@pytest.mark.parametrize("name", LOADERS)
@pytest.mark.parametrize("escape", ["\\ud800", "\\U00110000", "\\UFFFFFFFF"])
def test_escapes_beyond_unicode(name: str, escape: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(yaml12, "LOADER", getattr(yaml, name))
    (problem,) = problems_of(f'a: "x{escape}"')
    assert problem.code in {"F105", "F112"}  # the two parsers notice at different times
    assert problem.span.line == 1


@pytest.mark.usefixtures("loader")
def test_all_problems_come_in_one_pass() -> None:
    assert places("a: *x\nb: !t 1\na: 2\nc: 99999999999999999999\nd: 'never closed") == [
        "F107 1:4",
        "F109 2:4",
        "F106 3:1",
        "F110 4:4",
        "F105 5:4",
    ]


def test_reading_stops_after_many_problems() -> None:
    text = "[" + "*a, " * 5000 + "]"
    problems = problems_of(text)
    assert len(problems) == MAX_PROBLEMS
    assert problems[-1].hint.endswith("reading stopped here, after 100 problems")
    assert parse_yaml(text, "a.yaml")[0] is None


def test_one_problem_fewer_does_not_stop_it() -> None:
    text = "{" + "a: 1, " * 100 + "b: 2}"
    assert len(problems_of(text)) == 99
    assert read(text) == {"a": 1, "b": 2}


@pytest.mark.usefixtures("loader")
def test_what_is_shown_stays_short() -> None:
    text = "k" * 1000 + ": 1\n" + "k" * 1000 + ": " + "9" * 50_000
    first, second = problems_of(text)
    assert (first.code, second.code) == ("F106", "F110")
    assert len(first.found + first.field + second.found + second.field) < 200


def test_a_key_too_far_left_is_blamed_and_not_the_list_item_after_it(loader: str) -> None:
    (problem,) = problems_of("designs:\n- design: A\n  kind: tank\nwall: 1\n- design: B\n")
    assert (loader, problem.code, problem.span.line, problem.span.column) == (loader, "F105", 4, 1)
    assert problem.hint == "put the key below the first key of its list item, in the same column"
