"""When documents begin to be rendered."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from generator.commands.access import open_library
from generator.commands.jobs import Findings, Job, Pack, Selection
from generator.commands.packs import scenario_jobs
from generator.commands.printer import Output, Printer
from generator.render.executors import warm_up
from generator.render.pdf_cache import open_cache

LATE = 4_000_000_000 * 10**9
"""A time in the year 2096, in nanoseconds."""


@pytest.mark.parametrize(("changed", "expected"), [(0, []), (LATE, [warm_up])])
def test_the_engine_is_warmed_up_only_if_a_file_is_newer_than_the_last_build(
    changed: int, expected: list[object], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FIELDPRESS_CACHE", str(tmp_path / "cache"))
    cache, file = open_cache(), tmp_path / "battle.yaml"
    assert cache is not None
    cache.keep("a page", b"%PDF", 1)
    file.touch()
    os.utime(file, ns=(changed, changed))
    called: list[object] = []
    monkeypatch.setattr(Printer, "_submit", lambda _, call: called.append(call))
    with Printer(Output(tmp_path, jobs=2)) as printer:
        printer.warm_up([file, tmp_path / "nowhere.yaml"])
    assert called == expected


def test_every_part_of_a_pack_begins_before_the_pack_is_whole() -> None:
    rulesets = Path(__file__).parents[2] / "rulesdata"
    begun: list[Job] = []
    battle = rulesets / "fma-skirmish" / "battles" / "bond-store-nine.yaml"
    [pack] = scenario_jobs(open_library(), battle, Selection(bind=True), Findings(), begun.append)
    assert isinstance(pack, Pack)
    assert begun == [*pack.parts]
