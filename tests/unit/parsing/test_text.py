from __future__ import annotations

import os
import pathlib

import pytest

from generator.parsing import text as text_module
from generator.parsing.text import MAX_BYTES, place_of, read_text, shown, split_lines
from generator.problems import Problem, ProblemsError, Span


def only_problem(path: pathlib.Path) -> Problem:
    with pytest.raises(ProblemsError) as raised:
        read_text(path, "asked/for.yaml")
    (problem,) = raised.value.problems
    assert problem.span.file == "asked/for.yaml"
    assert problem.expected
    assert problem.found
    assert problem.hint
    return problem


def test_a_file_is_read_as_it_stands_but_for_the_byte_order_mark(tmp_path: pathlib.Path) -> None:
    path = tmp_path / "a.yaml"
    path.write_bytes("\ufeffé: 1\r\nb: 𝄞\r".encode())
    assert read_text(path, "a") == "é: 1\r\nb: 𝄞\r"


def test_an_empty_file_is_an_empty_text(tmp_path: pathlib.Path) -> None:
    path = tmp_path / "a.yaml"
    path.touch()
    assert read_text(path, "a") == ""


def test_a_near_miss_is_named(tmp_path: pathlib.Path) -> None:
    for name in ("red.yaml", "blue.yaml", "green.yaml"):
        (tmp_path / name).touch()
    span, found = Span("asked/for.yaml"), "nothing with that name"
    for name in ("redd.yaml", "RED.yaml", "red.yml", "red"):
        expected = Problem("F101", span, "a file", found, hint="did you mean asked/red.yaml?")
        assert only_problem(tmp_path / name) == expected


def test_without_a_near_miss_the_folder_is_listed(tmp_path: pathlib.Path) -> None:
    for name in ("red.yaml", "blue.yaml", "notes.txt", ".hidden.yaml"):
        (tmp_path / name).touch()
    assert only_problem(tmp_path / "x.yaml").hint == "check the spelling; the folder holds blue.yaml, red.yaml"
    assert only_problem(tmp_path / "x.csv").hint == "check the spelling; the folder holds blue.yaml, red.yaml"
    assert only_problem(tmp_path / "x.toml").hint == (
        "check the spelling; the folder holds blue.yaml, notes.txt, red.yaml"
    )


def test_no_folder_is_named_where_a_file_is_needed(tmp_path: pathlib.Path) -> None:
    (tmp_path / "reds.yml").mkdir()
    assert only_problem(tmp_path / "reds.yaml").hint == "check the spelling; the folder holds no file"
    (tmp_path / "blue.yaml").touch()
    assert only_problem(tmp_path / "reds.yaml").hint == "check the spelling; the folder holds blue.yaml"


def test_a_long_folder_is_listed_in_part(tmp_path: pathlib.Path) -> None:
    for number in range(8):
        (tmp_path / f"file{number}.yaml").touch()
    assert only_problem(tmp_path / "q.yaml").hint.endswith(
        "holds file0.yaml, file1.yaml, file2.yaml, file3.yaml, file4.yaml and 3 more"
    )


def test_an_empty_folder_and_no_folder(tmp_path: pathlib.Path) -> None:
    assert only_problem(tmp_path / "a.yaml").hint == "check the spelling; the folder holds no file"
    gone = only_problem(tmp_path / "nowhere" / "a.yaml")
    assert (gone.code, gone.hint) == ("F101", f"there is no folder {tmp_path / 'nowhere'}")


def test_a_file_in_the_place_of_a_folder(tmp_path: pathlib.Path) -> None:
    (tmp_path / "red.yaml").touch()
    assert only_problem(tmp_path / "red.yaml" / "a.yaml").code == "F101"


def test_names_that_no_file_can_have(tmp_path: pathlib.Path) -> None:
    assert only_problem(tmp_path / "a\0b").code == "F101"
    assert only_problem(pathlib.Path()).code == "F102"


def test_a_name_too_long_is_a_problem(tmp_path: pathlib.Path) -> None:
    assert only_problem(tmp_path / ("a" * 5000)).code == "F130"


def test_file_names_in_hints_cannot_disturb_a_terminal(tmp_path: pathlib.Path) -> None:
    (tmp_path / "re\x1b[2Jd.yaml").touch()
    assert "\x1b" not in only_problem(tmp_path / "red.yaml").hint


def test_a_folder(tmp_path: pathlib.Path) -> None:
    problem = only_problem(tmp_path)
    assert (problem.code, problem.found) == ("F102", "a folder")
    (tmp_path / "RED.YAML").touch()
    (tmp_path / "red.schema.json").touch()
    assert only_problem(tmp_path).hint == f"name a file: {tmp_path / 'RED.YAML'}"


def test_a_pipe_is_not_waited_for(tmp_path: pathlib.Path) -> None:
    os.mkfifo(tmp_path / "pipe.yaml")
    problem = only_problem(tmp_path / "pipe.yaml")
    assert (problem.code, problem.found) == ("F102", "a device or a pipe")


def test_a_device() -> None:
    assert only_problem(pathlib.Path(os.devnull)).code == "F102"


def test_the_largest_file_is_read_and_one_byte_more_is_not(tmp_path: pathlib.Path) -> None:
    path = tmp_path / "large.yaml"
    path.write_bytes(b"a" * MAX_BYTES)
    assert read_text(path, "a") == "a" * MAX_BYTES
    path.write_bytes(b"a" * (MAX_BYTES + 10))
    problem = only_problem(path)
    assert (problem.code, problem.expected, problem.found) == ("F103", "at most 2,097,152 bytes", "2,097,162 bytes")


def test_a_file_that_lies_about_its_size_is_read_no_further_than_the_limit(
    tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    small, large = tmp_path / "small", tmp_path / "large"
    small.touch()
    large.write_bytes(b"a" * (MAX_BYTES + 10))
    size_of_small = small.stat()
    monkeypatch.setattr(pathlib.Path, "stat", lambda _: size_of_small)
    problem = only_problem(large)
    assert (problem.code, problem.found) == ("F103", "more than that")


def test_no_permission(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "a.yaml").touch()

    def refuse(*_: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(pathlib.Path, "open", refuse)
    problem = only_problem(tmp_path / "a.yaml")
    assert (problem.code, problem.expected, problem.found) == ("F130", "a file that may be read", "permission denied")


@pytest.mark.parametrize(
    ("data", "span", "found"),
    [
        (b"caf\xe9: 1\nb: 2", Span("asked/for.yaml", 1, 4, "caf\ufffd: 1"), "the byte 0xE9"),
        (b"a\r\nb: \xf0\x9d\x84\x9e\xff!\r\nc", Span("asked/for.yaml", 2, 5, "b: \U0001d11e\ufffd!"), "the byte 0xFF"),
        (b"\xef\xbb\xbfa\xff", Span("asked/for.yaml", 1, 2, "a\ufffd"), "the byte 0xFF"),
        (b"a\rb\xe2\x82", Span("asked/for.yaml", 2, 2, "b\ufffd"), "the byte 0xE2"),
        (b"\xff\xfea\x00", Span("asked/for.yaml", 1, 1, ""), "text in UTF-16"),
        (b"\xfe\xff\x00a", Span("asked/for.yaml", 1, 1, ""), "text in UTF-16"),
    ],
)
def test_bytes_that_are_not_utf8(tmp_path: pathlib.Path, data: bytes, span: Span, found: str) -> None:
    path = tmp_path / "a.yaml"
    path.write_bytes(data)
    problem = only_problem(path)
    assert (problem.code, problem.span, problem.found) == ("F104", span, found)
    assert "UTF-8" in problem.hint


def test_lines_end_with_lf_crlf_or_cr_and_nothing_else() -> None:
    assert split_lines("a\nb\r\nc\rd\x0be\u2028f") == ["a", "b", "c", "d\x0be\u2028f"]
    assert split_lines("") == [""]
    assert split_lines("\n\r") == ["", "", ""]


@pytest.mark.parametrize(
    ("offset", "place"), [(0, (1, 1)), (1, (1, 2)), (2, (1, 3)), (4, (2, 1)), (5, (2, 2)), (6, (3, 1))]
)
def test_places_count_code_points(offset: int, place: tuple[int, int]) -> None:
    assert place_of("𝄞e\r\nb\nc", offset) == place


def test_what_is_shown_is_short_and_visible() -> None:
    assert shown("a\tb\x1b\u2028é𝄞") == "a\\tb\\x1b\\u2028é𝄞"
    assert shown("x" * 41) == "x" * 39 + "…"
    assert shown("x" * 40) == "x" * 40
    assert text_module.BOM == "\ufeff"
