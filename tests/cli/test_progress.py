"""The bar on standard error: for people, after a while, and gone at the end."""

from __future__ import annotations

import pytest

from generator.cli.options import Progress


def drawn(capsys: pytest.CaptureFixture[str], *, shown: bool = True, after: float = 0) -> str:
    bar = Progress(shown=shown, after=after)
    for done in (1, 2, 3):
        bar(done, 3)
    return capsys.readouterr().err


def test_a_bar_counts_and_is_wiped_away_at_the_end(capsys: pytest.CaptureFixture[str]) -> None:
    one, two = "[########----------------] 1/3", "[################--------] 2/3"
    # What wipes the rest of a line is for terminals: click leaves it out elsewhere.
    assert drawn(capsys) == f"\r{one}\r{two}\r"


def test_nobody_is_told_of_what_is_done_before_one_waits(capsys: pytest.CaptureFixture[str]) -> None:
    assert drawn(capsys, after=3600) == ""
    assert drawn(capsys, shown=False) == ""


def test_a_failure_leaves_no_bar_behind(capsys: pytest.CaptureFixture[str]) -> None:
    def break_off() -> None:
        with Progress(shown=True) as bar:
            bar(1, 3)
            bar(1 // 0, 3)

    with pytest.raises(ZeroDivisionError):
        break_off()
    assert capsys.readouterr().err.endswith("1/3\r")


def test_every_question_tells_how_far_it_is() -> None:
    from generator.commands.access import open_library
    from generator.commands.decisions import Query, ask

    library, told = open_library(), []
    words = ("weapon_size=1..2", "valid=red", "armour=2")
    plain = Query(
        library, "dirtside2-fma", "armour-fire", words, progress=lambda done, total: told.append((done, total))
    )
    for query in (
        plain,
        plain._replace(best="destroyed"),
        plain._replace(reach="destroyed=1/2"),
        plain._replace(against="dirtside2-fma"),
    ):
        ask(query)
    assert told == [(1, 2), (2, 2)] * 4
