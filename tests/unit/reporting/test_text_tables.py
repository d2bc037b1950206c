"""Tables of text keep to the line that they are given."""

from __future__ import annotations

import sys
from collections import Counter

import pytest

from generator.cli.options import line_width
from generator.reporting.tables import table

HEADS: list[str] = ["gun", "range of it", "note"]
ROWS = [
    ["rifle", "60", "Seen by everybody who was in the room at the time, and by some who were not."],
    ["field-gun", "120", "A blot."],
]


def letters(text: str) -> Counter[str]:
    return Counter("".join(text.split()).replace("-", ""))


@pytest.mark.parametrize("width", range(30, 130, 7))
def test_no_line_is_wider_and_no_letter_is_lost(width: int) -> None:
    text = table(HEADS, ROWS, "text", width)
    assert max(map(len, text.splitlines())) <= width
    cells = "".join(str(cell) for row in [*ROWS, HEADS] for cell in row)
    assert letters(text) == letters(cells)


def test_a_bar_in_a_head_divides_no_column_of_markdown() -> None:
    assert table(["A|B", "C"], [["1|2", "3"]], "markdown").count("\\|") == 2
    assert "a \\<b>" in table(["A"], [["a <b>"]], "markdown")


def test_words_stay_whole_where_there_is_room() -> None:
    words = table(HEADS, ROWS, "text", 44).split()
    assert {"field-gun", "everybody", "range"} <= set(words)


def test_names_stay_whole_where_words_of_prose_do_not() -> None:
    rows = [["a_key_of_twenty_chars", "incomprehensibilities of a note"], ["b", "words"]]
    assert "a_key_of_twenty_chars" in table(["key", "note"], rows, "text", 34).split()


def test_columns_without_rows_are_heads_alone() -> None:
    assert table(HEADS, [], "text", 40).splitlines()[0].split() == ["gun", "range", "of", "it", "note"]


def test_figures_stay_aligned_beside_a_dash() -> None:
    assert table(["gun", "chance"], [["a", "2.3%"], ["b", "–"], ["c", "12.6%"]], "text").splitlines()[2:] == [
        "a          2.3%", "b             –", "c         12.6%",
    ]  # fmt: skip


def test_without_a_terminal_lines_do_not_depend_on_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "33")
    assert line_width() is None
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True, raising=False)
    assert line_width() == 33
