"""``fieldpress new``, ``convert`` and ``schema``: from nothing to a force that is lawful as it stands."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
import yaml
from jsonschema import Draft202012Validator  # type: ignore[import-untyped] # ships no types

from generator.commands.access import open_library

if TYPE_CHECKING:
    from tests.cli.conftest import Read, Run

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize("rules", open_library().ids())
def test_a_new_force_is_lawful_as_it_stands_and_keeps_its_schema(run: Run, tmp_path: Path, rules: str) -> None:
    folder = tmp_path / "mine"
    made = run("new", str(folder), rules).stdout.splitlines()
    assert made == [str(folder / "force.yaml"), str(folder / "force.schema.json")]
    assert run("check", str(folder / "force.yaml")).stdout == "No problems.\n"
    said = yaml.safe_load((folder / "force.yaml").read_text(encoding="utf-8"))
    Draft202012Validator(json.loads((folder / "force.schema.json").read_text(encoding="utf-8"))).validate(said)


def test_a_new_force_may_be_a_copy_of_a_sample(run: Run, tmp_path: Path) -> None:
    made = run("new", str(tmp_path), "dirtside2-iceburg", "--sample", "volmark-levy").stdout.splitlines()
    assert made == [str(tmp_path / "force.yaml"), str(tmp_path / "force.schema.json")]
    text = (tmp_path / "force.yaml").read_text(encoding="utf-8")
    assert text.startswith("# yaml-language-server: $schema=force.schema.json\n")
    said = yaml.safe_load(text)
    assert (said["force"], said["rules"]) == ("Volmark People’s Levy", ["dirtside2-iceburg"])
    Draft202012Validator(json.loads((tmp_path / "force.schema.json").read_text(encoding="utf-8"))).validate(said)


def test_samples_are_listed_and_named_where_one_is_not_found(run: Run, read: Read, tmp_path: Path) -> None:
    listed = read("ruleset", run("rules", "stargrunt2-quick", "--format", "json"))["samples"]
    known = {tuple(one.values()) for one in listed}
    assert known > {
        ("kestane-marines", "Kestane Marine Detachment", "stargrunt2"),
        ("redwater-guard", "Redwater Colony Guard", "stargrunt2"),
    }
    assert len(known) >= 6
    result = run("new", str(tmp_path / "none"), "stargrunt2-quick", "--sample", "privateers")
    assert result.exit_code == 1
    assert all(one["sample"] in result.stderr for one in listed)
    assert not (tmp_path / "none").exists()


def test_a_finished_battle_is_listed_copied_and_brings_its_own_rules(run: Run, read: Read, tmp_path: Path) -> None:
    listed = read("ruleset", run("rules", "dirtside2-iceburg", "--format", "json"))["battles"]
    assert [tuple(one.values()) for one in listed] == [
        ("sallow-head", "The launchers at Sallow Head", "dirtside2-iceburg"),
        ("three-bridges", "Three bridges over the Ansel", "dirtside2-iceburg"),
    ]
    made = run("new", str(tmp_path), "--battle", "three-bridges").stdout.splitlines()
    assert made == [str(tmp_path / "battle.yaml"), str(tmp_path / "battle.schema.json")]
    assert run("check", made[0]).stdout == "No problems.\n"


@pytest.mark.parametrize("words", [(), ("dirtside2", "--battle", "cantle-row"), ("--battle", "a", "--sample", "b")])
def test_rules_or_a_battle_are_named_and_not_both(run: Run, tmp_path: Path, words: tuple[str, ...]) -> None:
    result = run("new", str(tmp_path / "none"), *words)
    assert (result.exit_code, result.stdout) == (2, "")
    assert "--battle" in result.stderr
    assert not (tmp_path / "none").exists()


def test_a_battle_is_built_by_its_name_wherever_its_file_is(run: Run, tmp_path: Path) -> None:
    result = run("build", "three-bridges", "--only", "roster", "--out", str(tmp_path))
    assert "R319" in result.stderr  # it is a scenario, and has no roster
    assert "did you mean three-bridges?" in run("build", "tree-bridges", "--out", str(tmp_path)).stderr


def test_nothing_is_written_over(run: Run, tmp_path: Path) -> None:
    (tmp_path / "force.yaml").write_text("mine", encoding="utf-8")
    result = run("new", str(tmp_path), "dirtside2")
    assert result.exit_code == 1
    assert "F131" in result.stderr
    assert (tmp_path / "force.yaml").read_text(encoding="utf-8") == "mine"
    assert not (tmp_path / "force.schema.json").exists()


def test_a_force_goes_to_a_spreadsheet_and_back_at_the_same_price(run: Run, read: Read, tmp_path: Path) -> None:
    run("new", str(tmp_path / "a"), "dirtside2-iceburg")
    first, sheet, again = tmp_path / "a" / "force.yaml", tmp_path / "force.csv", tmp_path / "again.yaml"
    assert run("convert", str(first), str(sheet)).stdout == f"{sheet}\n"
    assert run("convert", str(sheet), str(again)).exit_code == 0
    totals = {read("cost", run("cost", str(path), "--format", "json"))["total"] for path in (first, sheet, again)}
    assert len(totals) == 1
    assert run("convert", str(first), str(sheet)).exit_code == 1


def test_the_schema_on_standard_output_is_json(run: Run) -> None:
    Draft202012Validator.check_schema(json.loads(run("schema", "dirtside2").stdout))
    assert run("schema", "dirtsyde").exit_code == 1


@pytest.mark.skipif(sys.platform == "win32", reason="limits of a process are POSIX")
@pytest.mark.parametrize(
    "words", [("new", "mine", "--battle", "three-bridges"), ("convert", "force.yaml", "force.csv")]
)
def test_what_finds_no_room_leaves_nothing_behind(run: Run, tmp_path: Path, words: tuple[str, ...]) -> None:
    import resource

    run("new", str(tmp_path), "dirtside2-iceburg", "--sample", "volmark-levy")
    before = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    folder = str(ROOT)
    ended = subprocess.run(  # noqa: S603 - our own command
        [sys.executable, "-m", "generator", *words],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": folder, "PYTHONDONTWRITEBYTECODE": "1"},
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (1024, 1024)),
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )
    assert ended.returncode == 1
    assert "F131" in ended.stderr
    assert "room" in ended.stderr
    assert {path.name: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()} == before


def test_one_file_that_is_there_keeps_the_other_from_being_written(run: Run, tmp_path: Path) -> None:
    (tmp_path / "battle.schema.json").write_text("mine", encoding="utf-8")
    assert "F131" in run("new", str(tmp_path), "--battle", "three-bridges").stderr
    assert [path.name for path in tmp_path.iterdir()] == ["battle.schema.json"]
