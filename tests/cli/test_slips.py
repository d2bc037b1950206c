"""Slips on the command line: a word that names nothing here gets the word that was meant."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from pathlib import Path

    from tests.cli.conftest import Run

FORCE = "force: Reds\nrules: [dirtside2]\ndesigns: [{design: Foot, kind: infantry-team, type: line}]\n"


@pytest.mark.parametrize(
    ("words", "code", "hint"),
    [
        (("build", "redz.yaml"), "redz.yaml: F101", "did you mean reds.yaml?"),
        (("build", "blues.yaml"), "blues.yaml: F101", "check the spelling; the folder holds reds.yaml"),
        (("build", "reds"), "R301", "did you mean reds.yaml?"),
        (("check", "reds"), "R301", "did you mean reds.yaml?"),
        (("check", "redz.yaml"), "redz.yaml: F101", "did you mean reds.yaml?"),
        (("build", "dirtside"), "R301", "did you mean dirtside2?"),
        (("build", "dirtside2+nope"), "found nope\n", "there are: dirtside2, "),
        (("build", "folder"), "folder: R301", "give the id of a rule set"),
        (("odds", "reds.yaml", "blues.yaml"), "R301", "fieldpress odds --forces reds.yaml blues.yaml"),
        (("build", "volmark-levy"), "R301", "fieldpress new FOLDER dirtside2 --sample volmark-levy"),
        (("diff", "reds.yaml", "redz.yaml"), "redz.yaml: F101", "did you mean reds.yaml?"),
        (("new", "reds.yaml", "dirtside2"), "reds.yaml: F131", "name a folder"),
        (("convert", "reds.yaml", "folder"), "folder: F213", "name the new file: folder/reds.csv"),
        (("new", "folder", "dirtside2", "--sample", "tesaly-brigade"), "R327", "did you mean tessaly-brigade?"),
        (("explain", "nonsense"), "R320", "such as F203"),
        (("explain", "fma-skirmish/foo"), "R320", "there is none"),
    ],
)
def test_a_slip_is_one_problem_with_what_was_meant(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, words: tuple[str, ...], code: str, hint: str
) -> None:
    (tmp_path / "reds.yaml").write_text(FORCE, encoding="utf-8")
    (tmp_path / "folder").mkdir()
    monkeypatch.chdir(tmp_path)
    done = run(*words)
    assert done.exit_code == 1
    said = done.stdout + done.stderr
    assert code in said
    assert f"  help: {hint}" in said or hint in said.split("  help: ", 1)[1]
    assert said.rstrip().endswith("1 problem.")
