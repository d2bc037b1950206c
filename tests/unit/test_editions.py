"""The record of editions: which is meant by a word, and which sheets have changed since then."""

from __future__ import annotations

import json
from typing import Any

import pytest

from generator.commands import jobs as job_types
from generator.commands.access import open_library
from generator.commands.jobs import RECORD, Edition, Job, Selection, edition_of
from generator.commands.printing import jobs_of
from generator.problems import ProblemsError


@pytest.fixture(autouse=True)
def record(tmp_path: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    entries = [
        {"edition": edition, "date": date, "marks": {}}
        for edition, date in (("0.2.0", "2026-11-27"), ("0.3.0", "2027-01-05"))
    ]
    (tmp_path / RECORD).write_text(json.dumps(entries), encoding="utf-8")
    monkeypatch.setattr(job_types, "rulesdata", lambda: tmp_path)


@pytest.mark.parametrize(
    ("word", "meant"),
    [
        ("0.2.0", "0.2.0"),
        ("2026-11-27", "0.2.0"),
        ("2027-01-04", "0.2.0"),
        ("2027-01-05", "0.3.0"),
        ("2026-13-40", None),
        ("cards", None),
    ],
)
def test_an_edition_is_meant_by_its_number_or_by_a_day(word: str, meant: str | None) -> None:
    found = edition_of(word)
    assert (found.edition if found else None) == meant


@pytest.mark.parametrize("word", ["0.4.0", "2026-11-26"])
def test_without_such_an_edition_the_editions_are_named(word: str) -> None:
    with pytest.raises(ProblemsError) as error:
        edition_of(word)
    assert "0.2.0 of 2026-11-27, 0.3.0 of 2027-01-05" in error.value.problems[0].hint


def test_only_sheets_that_say_something_else_are_printed() -> None:
    jobs = jobs_of(open_library(), ["fma-skirmish"], Selection())
    marks = {job.stem: job.paper.mark() for job in jobs if isinstance(job, Job)}
    assert len(marks) > 2
    first, second, *_ = marks
    marks[first] = "other"
    edition = Edition("0.2.0", "2026-11-27", marks)
    assert [job.stem for job in edition.changed(jobs)] == [first]
    del marks[second]  # a sheet that is new
    assert [job.stem for job in edition.changed(jobs)] == [first, second]
