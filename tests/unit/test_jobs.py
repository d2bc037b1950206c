"""The problem of a player's text that no page can hold."""

from __future__ import annotations

from typing import Any

import pytest

from generator.commands.access import open_library
from generator.commands.jobs import BOOK, Job, Pack, Selection, in_large_print, unprintable
from generator.commands.printing import jobs_of
from generator.parsing.yaml12 import parse_yaml
from generator.problems import LayoutError, Remedy
from generator.rules.source.parts import Part

FOUND = "'Woooord' is wider than its cell in 'head'"


@pytest.mark.parametrize(
    "remedy", [Remedy("write it in several words", "give it a wider column"), Remedy("write it in several words")]
)
def test_a_player_is_told_what_a_player_can_do(remedy: Remedy) -> None:
    document, _ = parse_yaml("force: Reds\nnote: A Woooord\n", "reds.yaml")
    assert document is not None
    error = LayoutError(FOUND, "head", "Woooord", remedy, sheet="reds-cards", page=2)
    problem = unprintable(Part("", document).place(), error)
    assert (problem.code, problem.span.line, problem.span.column) == ("F132", 2, 9)
    assert problem.hint == "write it in several words"
    ours = unprintable(Part("", document).place(), LayoutError("'D12' runs off", "head", "D12", remedy, page=3))
    assert (ours.span.line, ours.span.column) == (1, 1)
    assert "rules" in ours.hint
    assert str(error) == "sheet 'reds-cards', page 2: 'Woooord' is wider than its cell in 'head'"
    assert problem.found == "page 2: 'Woooord' is wider than its cell in 'head'"


def test_a_sheet_that_large_print_does_not_hold_can_be_printed_at_the_usual_size() -> None:
    [job] = jobs_of(open_library(), ["dirtside2"], Selection(("play",)))
    large = in_large_print(job)
    problem = large.blame(LayoutError(FOUND, "", "Woooord", Remedy("shorten it")))
    assert large.stem == f"{job.stem}-large"
    assert problem.found == FOUND
    assert "--size usual" in problem.hint


def test_only_a_file_with_a_part_in_large_print_is_named_large() -> None:
    [job] = jobs_of(open_library(), ["dirtside2"], Selection(("play",)))
    assert isinstance(job, Job)
    cover: Any = None  # it is not composed here
    book = Pack((), cover, "rulebook", {}, job.blame, BOOK)
    assert in_large_print(book).stem == "rulebook"
    assert in_large_print(book._replace(parts=(job,))).stem == "rulebook-large"


@pytest.mark.parametrize(
    ("printed", "place"),
    [
        ("Hold the well and the mill", (1, 7)),  # lines end elsewhere in the file
        (f"seven {'W' * 30}:", (4, 7)),  # a line of print goes on where the file has emphasis
        ("HOLD THE WELL", (1, 7)),  # printed in capitals
        ("old", None),  # part of another word
        ("Roll D6 (first): burn it!", (5, 10)),  # emphasis beside punctuation
        ("burn it", (5, 32)),  # all in emphasis
        ("two*three_four", (6, 7)),  # signs that may be marks
        ("____", (6, 23)),
    ],
)
def test_a_printed_text_is_found_in_the_file_of_its_writer(printed: str, place: tuple[int, int] | None) -> None:
    text = f"note: Hold the *well*\n  and the mill\n\nmore: {'W' * 30}, seven\n"
    text += "burn: '**Roll** D6 (*first*): _burn it_!'\nline: two\\*three_four ____\n"
    document, _ = parse_yaml(text, "reds.yaml")
    assert document is not None
    problem = unprintable(Part("", document).place(), LayoutError("too long", "", printed, Remedy("shorten it")))
    assert (problem.span.line, problem.span.column) == (place or (1, 1))
    assert (problem.hint == "shorten it") == (place is not None)
