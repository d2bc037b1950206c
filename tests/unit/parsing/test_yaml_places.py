from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
import yaml

from generator.parsing import yaml12
from generator.parsing.yaml12 import parse_yaml
from generator.problems import Span

if TYPE_CHECKING:
    from generator.parsing.text import Document, Path


@pytest.fixture(params=["CSafeLoader", "SafeLoader"], autouse=True)
def _loader(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(yaml12, "LOADER", getattr(yaml, request.param))


def read(text: str) -> Document:
    document, _ = parse_yaml(text, "a.yaml")
    assert document is not None
    return document


TEXT = """\
# a comment
force: Red
designs:
  - {name: Sabre, size: 3,
     weapons: [{class: 4}]}
  - name: "Scout"
    notes: |
      first
    empty:
    list:
    - 𝄞 x
    -   - y
"""


@pytest.mark.parametrize(
    ("path", "value", "key"),
    [
        ((), (2, 1), (2, 1)),
        (("force",), (2, 8), (2, 1)),
        (("designs",), (4, 3), (3, 1)),
        (("designs", 0), (4, 5), (4, 5)),
        (("designs", 0, "name"), (4, 12), (4, 6)),
        (("designs", 0, "size"), (4, 25), (4, 19)),
        (("designs", 0, "weapons"), (5, 15), (5, 6)),
        (("designs", 0, "weapons", 0), (5, 16), (5, 16)),
        (("designs", 0, "weapons", 0, "class"), (5, 24), (5, 17)),
        (("designs", 1), (6, 5), (6, 5)),
        (("designs", 1, "name"), (6, 11), (6, 5)),
        (("designs", 1, "notes"), (7, 12), (7, 5)),
        (("designs", 1, "empty"), (9, 11), (9, 5)),
        (("designs", 1, "list"), (11, 5), (10, 5)),
        (("designs", 1, "list", 0), (11, 7), (11, 7)),
        (("designs", 1, "list", 1), (12, 9), (12, 9)),
        (("designs", 1, "list", 1, 0), (12, 11), (12, 11)),
    ],
)
@pytest.mark.parametrize("line_end", ["\n", "\r\n", "\r"])
def test_values_and_keys(path: Path, value: tuple[int, int], key: tuple[int, int], line_end: str) -> None:
    document = read(TEXT.replace("\n", line_end))
    lines = TEXT.split("\n")
    assert document.span(path) == Span("a.yaml", *value, lines[value[0] - 1])
    assert document.key_span(path) == Span("a.yaml", *key, lines[key[0] - 1])


@pytest.mark.parametrize(
    ("path", "place"),
    [
        (("designs", 0, "colour"), (4, 5)),  # an item of a list has no key: the item itself
        (("designs", 0, "weapons", 0, "mount", "deep"), (5, 16)),
        (("designs", 0, "weapons", 7), (5, 6)),
        (("designs", 0, "weapons", -1), (5, 6)),
        (("force", "x"), (2, 1)),
        (("budget",), (2, 1)),
    ],
)
def test_what_is_missing_stands_at_its_nearest_parents_key(path: Path, place: tuple[int, int]) -> None:
    document = read(TEXT)
    assert (document.span(path).line, document.span(path).column) == place
    assert document.key_span(path) == document.span(path)


def test_columns_count_code_points() -> None:
    document = read("𝄞𝄞: {e\u0301: 👩\u200d🚀, 'ü': [ß]}")
    assert document.key_span(("𝄞𝄞", "e\u0301")).column == 6
    assert document.span(("𝄞𝄞", "e\u0301")).column == 10
    assert document.key_span(("𝄞𝄞", "ü")).column == 15
    assert document.span(("𝄞𝄞", "ü", 0)).column == 21


def test_explicit_keys() -> None:
    document = read("? a\n: b\n? c\n: - d")
    assert (document.key_span(("a",)).line, document.span(("a",)).line) == (1, 2)
    assert (document.span(("c", 0)).line, document.span(("c", 0)).column) == (4, 5)


def test_the_place_of_an_empty_file_is_its_start() -> None:
    assert read("# nothing").span(()) == Span("a.yaml", 1, 1, "# nothing")
    assert read("").span(("a", 0)) == Span("a.yaml", 1, 1, "")


def test_a_missing_value_at_the_very_end() -> None:
    assert read("a:").span(("a",)) == Span("a.yaml", 1, 3, "a:")
    assert read("--- \n").span(()).text == ""


def test_of_keys_that_stand_twice_the_first_has_the_place() -> None:
    document = read("a: {x: 1}\nb: 2\na: {x: 3, y: 4}\n")
    assert document.value == {"a": {"x": 1}, "b": 2}
    assert document.key_span(("a",)).line == 1
    assert document.span(("a", "x")).line == 1
    assert document.span(("a", "y")) == document.key_span(("a",))
