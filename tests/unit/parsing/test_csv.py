from __future__ import annotations

import csv

import pytest

from generator.parsing.tables import MAX_CELL, MAX_ROWS, CsvDocument, parse_csv
from generator.parsing.text import split_lines
from generator.problems import Problem, Span


def good(text: str) -> CsvDocument:
    document, problems = parse_csv(text, "a.csv")
    assert problems == ()
    assert document is not None
    return document


def problems_of(text: str) -> tuple[Problem, ...]:
    _, problems = parse_csv(text, "a.csv")
    lines = split_lines(text.removeprefix("\ufeff"))
    for problem in problems:
        assert problem.span.file == "a.csv"
        assert problem.span.text == lines[problem.span.line - 1]
        assert problem.expected
        assert problem.found
        assert problem.hint
        assert len(problem.found) < 120
    return problems


def places(text: str) -> list[str]:
    return [f"{problem.code} {problem.span.line}:{problem.span.column}" for problem in problems_of(text)]


def place(span: Span) -> tuple[int, int]:
    return span.line, span.column


def test_a_table() -> None:
    document = good("name,class,points\nSabre,3,120\nScout,1,\n")
    assert document.header == ("name", "class", "points")
    assert document.rows == (
        {"name": "Sabre", "class": "3", "points": "120"},
        {"name": "Scout", "class": "1", "points": ""},
    )


@pytest.mark.parametrize("line_end", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("mark", [",", ";"])
def test_places(line_end: str, mark: str) -> None:
    lines = ["𝄞ne, two ,three", "a,bb,ccc", "", '"x, ""y""",e\u0301,', '"first', 'second",b,"c', '"', "last,p,q"]
    text = line_end.join(lines).replace(",", mark)
    document = good("\ufeff" + text)
    assert document.header == ("𝄞ne", "two", "three")
    assert [document.header_span(column).column for column in document.header] == [1, 5, 11]
    assert [place(document.span(0, column)) for column in document.header] == [(2, 1), (2, 3), (2, 6)]
    assert [place(document.span(1, column)) for column in document.header] == [(4, 1), (4, 12), (4, 15)]
    assert [place(document.span(2, column)) for column in document.header] == [(5, 1), (6, 9), (6, 11)]
    assert [place(document.span(3, column)) for column in document.header] == [(8, 1), (8, 6), (8, 8)]
    assert document.span(2, "two").text == lines[5].replace(",", mark)
    assert document.rows[1] == {"𝄞ne": f'x{mark} "y"', "two": "e\u0301", "three": ""}
    assert document.rows[2] == {"𝄞ne": "first\nsecond", "two": "b", "three": "c\n"}


def test_a_place_that_is_not_there() -> None:
    document = good("a,b\n1,2")
    assert place(document.span(0, "c")) == (2, 1)
    assert place(document.header_span("c")) == (1, 1)
    with pytest.raises(IndexError):
        document.span(1, "a")


def test_one_column_needs_no_comma() -> None:
    assert good('name\nSabre\n""\n').rows == ({"name": "Sabre"}, {"name": ""})


def test_a_semicolon_in_a_quoted_name_does_not_count() -> None:
    assert good('"a;b;c",d\n1,2').header == ("a;b;c", "d")
    assert good('"a,b,c";d\n1;2,5').rows == ({"a,b,c": "1", "d": "2,5"},)


def test_inches_need_no_quotation_marks() -> None:
    assert good('range,move\n24",6"\n').rows == ({"range": '24"', "move": '6"'},)


def test_blank_lines_are_passed_over() -> None:
    document = good("\n\na,b\n  \n1,2\n\n\n3,4\n\n")
    assert document.rows == ({"a": "1", "b": "2"}, {"a": "3", "b": "4"})
    assert [document.span(row, "b").line for row in (0, 1)] == [5, 8]
    assert document.header_span("b").line == 3


def test_a_header_alone_is_a_table_without_rows() -> None:
    assert good("a,b").rows == ()


def test_rows_with_too_many_or_too_few_cells() -> None:
    text = "a,b,c\n1,2,3\n1,2\n1,2,3,4,5\n7,8,9\n"
    problems = problems_of(text)
    assert places(text) == ["F122 3:1", "F122 4:7"]
    assert [(p.expected, p.found) for p in problems] == [
        ("3 cells, as in the header", "2 cells"),
        ("3 cells, as in the header", "5 cells"),
    ]
    assert problems[0].hint == "nothing for c: an empty cell needs its comma too"
    document, _ = parse_csv(text, "a.csv")
    assert document is not None
    assert [row["a"] for row in document.rows] == ["1", "7"]
    assert document.span(1, "c") == Span("a.csv", 5, 5, "7,8,9")


def test_a_wrong_row_in_a_table_with_semicolons() -> None:
    (problem,) = problems_of("a;b\n1")
    assert (problem.found, problem.hint) == ("1 cell", "nothing for b: an empty cell needs its semicolon too")


def test_quotation_marks() -> None:
    assert places('a,b\n1,"2') == ["F121 2:3"]
    assert places('a,b\n1,"2\n3,4\n') == ["F121 2:3"]
    assert places('a,b\n1,"2" x\n') == ["F121 2:6"]
    assert places('a,b\n"1\n2"x,3\n') == ["F121 3:3"]
    assert places('"a') == ["F121 1:1"]
    assert places('a,",') == ["F121 1:3"]
    assert problems_of('a,b\n1,"2" x\n')[0].found == "x"
    assert parse_csv('a,b\n1,"2', "a.csv")[0] is None


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("", ["F123 1:1"]),
        ("\n\n", ["F123 1:1"]),
        ("\ufeff", ["F123 1:1"]),
        ("a,,c\n1,2,3", ["F123 1:3"]),
        ("a,b,\n1,2,3", ["F123 1:5"]),
        ("a,b,a, b\n1,2,3,4", ["F123 1:5", "F123 1:7"]),
        ("a,a\n1,2,3\n", ["F123 1:3", "F122 2:5"]),
        ("a\tb\n1\t2", ["F123 1:1"]),
    ],
)
def test_headers(text: str, found: list[str]) -> None:
    assert places(text) == found
    assert parse_csv(text, "a.csv")[0] is None


def test_columns_that_are_empty_throughout_are_passed_over_after_the_last_one() -> None:
    for text in ("a,b,, \n1,2,,\n3,4,\n", "sep=;\na;b;\n1;2;\n3;4;\n"):
        document = good(text)
        assert document.header == ("a", "b")
        assert document.rows == ({"a": "1", "b": "2"}, {"a": "3", "b": "4"})
    assert document.span(1, "b").column == 3
    assert places("a,b,,\n1,2,,\n1,2,3,\n") == ["F123 1:5"]
    assert places(",,\n") == ["F123 1:1"]


def test_a_name_that_stands_twice_says_where_it_stood_first() -> None:
    (problem,) = problems_of("a,b,a\n")
    assert (problem.found, problem.hint[:8]) == ("a", "column 1")


def test_the_most_rows() -> None:
    text = "a\n" + "1\n" * MAX_ROWS
    assert len(good(text).rows) == MAX_ROWS
    assert places(text + "1") == [f"F124 {MAX_ROWS + 2}:1"]
    assert parse_csv(text + "1", "a.csv")[0] is None


def test_the_longest_cell() -> None:
    assert good(f"a,b\n1,{'x' * MAX_CELL}").rows[0]["b"] == "x" * MAX_CELL
    assert places(f"a,b\n1,{'x' * (MAX_CELL + 1)}") == ["F124 2:3"]
    assert places(f'a,b\n1,"{"x" * (MAX_CELL + 1)}"\n') == ["F124 2:3"]


@pytest.mark.parametrize("cell", ["x" * 200_000, '"' + "x" * 200_000 + '"', '"' + "x\n" * 100_000 + '"'])
def test_a_cell_beyond_the_csv_modules_own_limit(cell: str) -> None:
    assert csv.field_size_limit() < 200_000
    assert places(f"a,b,c\n1,{cell},3\n") == ["F124 2:3"]


def test_a_quotation_mark_that_swallows_a_long_file() -> None:
    assert places('a,b\n1,"2\n' + "3,4\n" * 50_000) == ["F121 2:3"]


def test_characters_that_are_not_allowed() -> None:
    assert places("a,b\n1,\0") == ["F112 2:3"]
    assert places("a,b\n1,\ufeff") == ["F112 2:3"]


def test_reading_stops_after_many_problems() -> None:
    problems = problems_of("a,b\n" + "1\n" * 500)
    assert len(problems) == 100
    assert problems[-1].hint.endswith("reading stopped here, after 100 problems")
    assert len(problems_of("," * 500 + "x")) == 100
