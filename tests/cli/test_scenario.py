"""``fieldpress scenario`` as a newcomer types it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from pathlib import Path

    from tests.cli.conftest import Run

FORCE = """\
force: Reds
rules: [dirtside2]
designs:
  - {design: Lance, kind: vehicle, size: 3, armour: 3, plant: HMT, mobility: slow GEV, weapons: HKP/3}
"""
UNITS = "units:\n  - {unit: 1 Troop, of: [{design: Lance, count: 3}]}\n"


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ("--points abc", "'--points': 'abc' is not a whole number from 1 on, such as 3000."),
        ("--points 2.5", "'--points': '2.5' is not a whole number from 1 on, such as 3000."),
        ("--points 0", "'--points': '0' is not a whole number from 1 on"),
        ("--seed -1", "'--seed': '-1' is not a whole number from 0 to"),
        (f"--seed {10**18 + 1}", f"'--seed': '{10**18 + 1}' is not a whole number from 0 to {10**18:,},"),
    ],
)
def test_a_number_that_is_none_is_a_matter_of_usage(run: Run, words: str, told: str) -> None:
    done = run("scenario", "dirtside2", *words.split())
    assert done.exit_code == 2
    assert told in done.stderr


def test_numbers_may_be_written_with_commas_and_a_region_be_named(run: Run) -> None:
    plain, commas = (run("scenario", "stargrunt2", "--seed", one).stdout for one in ("1000", "1,000"))
    assert plain == commas
    named = run("scenario", "stargrunt2", "--seed", "1", "--map", "woods").stdout
    assert "{table: regions, roll: chosen, result: Woods}" in named


@pytest.mark.parametrize(
    ("force", "told"),
    [
        (FORCE, "each of its designs counts as one unit"),
        (FORCE + UNITS, "ask for fewer points, or bring a force with more units"),
    ],
)
def test_a_force_that_cannot_be_had_as_large_as_asked_is_told_beside_the_scenario(
    run: Run, tmp_path: Path, force: str, told: str
) -> None:
    path = tmp_path / "reds.yaml"
    path.write_text(force, encoding="utf-8")
    done = run("scenario", "dirtside2", "--side-force", str(path), "--mission", "reconnaissance")
    assert done.exit_code == 0
    assert "Note: Reds: no units of this force come nearer to" in done.stderr
    assert told in done.stderr
    assert "Note:" not in done.stdout
