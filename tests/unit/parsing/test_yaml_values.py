from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

import pytest
import yaml

from generator.parsing import yaml12
from generator.parsing.yaml12 import parse_yaml, read_yaml

if TYPE_CHECKING:
    import pathlib

    from generator.parsing.text import Document, Value


@pytest.fixture(params=["CSafeLoader", "SafeLoader"], autouse=True)
def _loader(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(yaml12, "LOADER", getattr(yaml, request.param))


def good(text: str) -> Document:
    document, problems = parse_yaml(text, "a.yaml")
    assert problems == ()
    assert document is not None
    return document


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("a: 1", {"a": 1}),
        ("- a\n- 2\n- 0.5", ["a", 2, Fraction(1, 2)]),
        ("a:\n- 1\n- - 2\n  - 3\nb: {c: [4, {d: e}]}", {"a": [1, [2, 3]], "b": {"c": [4, {"d": "e"}]}}),
        ("- a: 1\n  b: 2\n- {}\n- []", [{"a": 1, "b": 2}, {}, []]),
        ("a:\nb: ~\nc: null\nd: ''", {"a": None, "b": None, "c": None, "d": ""}),
        ("[yes, no, on, off, True, false]", ["yes", "no", "on", "off", True, False]),
        ("['1', \"2\", '~', \"true\", '0.5']", ["1", "2", "~", "true", "0.5"]),
        ("a: |\n  1\n  2\nb: >-\n  3\n  4\n", {"a": "1\n2\n", "b": "3 4"}),
        ("one line\nand another", "one line and another"),
        ("12", 12),
        ("1: a\ntrue: b\nnull: c\n1.5: d\n~: e", {"1": "a", "true": "b", "null": "c", "1.5": "d", "~": "e"}),
        ("'1': a\n\"q: r\": b", {"1": "a", "q: r": "b"}),
        ("? a\n: b", {"a": "b"}),
        ("[a: 1, b]", [{"a": 1}, "b"]),
        ("{a, b: }", {"a": None, "b": None}),
        ('{"a":1,"b":[2]}', {"a": 1, "b": [2]}),
        ("<<: {a: 1}\n=: 2", {"<<": {"a": 1}, "=": 2}),
        ("a: 1:30\nb: 2001-12-14\nc: 012\nd: 0o14", {"a": "1:30", "b": "2001-12-14", "c": 12, "d": 12}),
        ("a: [.inf, -.inf, .nan]", {"a": [".inf", "-.inf", ".nan"]}),
        ("a: b # c\n# d\n", {"a": "b"}),
        ("%YAML 1.2\n---\na: 1\n...\n", {"a": 1}),
        ('a: "\\u00e9 \\x41 \\U0001D11E \\t"', {"a": "é A 𝄞 \t"}),
    ],
)
def test_values(text: str, value: Value) -> None:
    assert good(text).value == value


def test_a_tab_may_stand_between_a_key_and_its_value(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(yaml12, "LOADER", yaml.CSafeLoader)  # the Python parser asks for a space
    assert good("a:\tb").value == {"a": "b"}


def test_equal_looking_scalars_keep_their_types() -> None:
    value = good("[1, true, '1', 1.0, 0x1]").value
    assert isinstance(value, list)
    assert [type(item) for item in value] == [int, bool, str, Fraction, int]


@pytest.mark.parametrize("text", ["", "\n", "# nothing\n", "\ufeff", "   ", "\r\n\r\n", "---\n", "null"])
def test_an_empty_file_is_none(text: str) -> None:
    document = good(text)
    assert document.value is None
    assert document.span(()).line >= 1


def test_fifty_levels_are_read() -> None:
    value = good("[" * 50 + "x" + "]" * 50).value
    for _ in range(50):
        assert isinstance(value, list)
        (value,) = value
    assert value == "x"


def test_a_byte_order_mark_is_dropped() -> None:
    document = good("\ufeffa: 1")
    assert document.text == "a: 1"
    assert document.key_span(("a",)).column == 1


def test_line_ends_inside_texts_become_lf() -> None:
    assert good('a: |\r\n  x\r\n  y\r\nb: "p\r\n\r\n  q"\r\n').value == {"a": "x\ny\n", "b": "p\nq"}


def test_containers_are_never_shared() -> None:
    value = good("- []\n- []\n- {}\n- {}").value
    assert isinstance(value, list)
    assert len({id(item) for item in value}) == 4


def test_reading_a_file(tmp_path: pathlib.Path) -> None:
    path = tmp_path / "a.yaml"
    path.write_text("a: [1, x]\n", encoding="utf-8")
    document, problems = read_yaml(path, "mine.yaml")
    assert problems == ()
    assert document is not None
    assert (document.name, document.value) == ("mine.yaml", {"a": [1, "x"]})


def test_reading_a_file_that_is_not_there(tmp_path: pathlib.Path) -> None:
    document, (problem,) = read_yaml(tmp_path / "a.yaml", "mine.yaml")
    assert document is None
    assert (problem.code, problem.span.file) == ("F101", "mine.yaml")
