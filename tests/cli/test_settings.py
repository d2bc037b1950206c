"""``--set`` and ``--settings``: what players set counts in every command that asks rule data."""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pypdfium2
import pytest

if TYPE_CHECKING:
    from tests.cli.conftest import Read, Run

SHOT = ("odds", "duel/shot", "nerve=steady", "paces=1")


@pytest.fixture
def path(rules: Path) -> tuple[str, str]:
    """The rules, their shots weaker at dusk."""
    shot = rules / "duel" / "procedures" / "shot.yaml"
    text = shot.read_text(encoding="utf-8")
    shot.write_text(text.replace('"up(4, paces)"', '"up(4, paces) if not dusk else 12"'), encoding="utf-8")
    return "--rules-path", str(rules)


@pytest.fixture
def mine(tmp_path: Path) -> Path:
    """A file of settings that makes it dusk."""
    file = tmp_path / "mine.yaml"
    file.write_text("options:\n  duel: {dusk: yes, paces: 3}\n", encoding="utf-8")
    return file


def hit(data: dict[str, Any]) -> str:
    probability: str = data["cells"][0]["outcomes"][0]["probability"]
    return probability


def test_odds_as_the_options_are_set(run: Run, read: Read, path: tuple[str, str], mine: Path) -> None:
    words = (*SHOT, *path, "--format", "json")
    by_day, by_dusk = hit(read("odds", run(*words))), hit(read("odds", run(*words, "--set", "dusk=yes")))
    assert by_day != by_dusk
    assert hit(read("odds", run(*words, "--settings", str(mine)))) == by_dusk
    assert hit(read("odds", run(*words, "--settings", str(mine), "--set", "dusk=no"))) == by_day
    assert hit(read("odds", run(*words, "--set", "dusk=no", "--settings", str(mine)))) == by_day


@pytest.mark.parametrize("form", ["text", "markdown", "csv", "json"])
def test_odds_in_every_format(run: Run, path: tuple[str, str], form: str) -> None:
    by_day = run(*SHOT, *path, "--format", form)
    by_dusk = run(*SHOT, *path, "--format", form, "--set", "dusk=yes")
    assert (by_day.exit_code, by_dusk.exit_code) == (0, 0)
    assert by_day.stdout != by_dusk.stdout


def test_of_two_words_the_last_counts(run: Run, path: tuple[str, str]) -> None:
    words = (*SHOT, *path)
    assert run(*words, "--set", "dusk=yes", "--set", "dusk=no").stdout == run(*words).stdout
    assert run(*words, "--set", "dusk=no", "--set", "dusk=yes").stdout == run(*words, "--set", "dusk=yes").stdout


def test_an_input_is_no_option_and_an_option_no_input(run: Run, path: tuple[str, str]) -> None:
    assert "R331" in run(*SHOT, *path, "--set", "nerve=shaky").stderr
    assert "R312" in run(*SHOT, "dusk=yes", *path).stderr


def test_the_list_of_procedures_shows_what_holds_if_nothing_is_said(
    run: Run, rules: Path, path: tuple[str, str]
) -> None:
    shot = rules / "duel" / "procedures" / "shot.yaml"
    text = shot.read_text(encoding="utf-8")
    shot.write_text(
        text.replace("  rain: {", "  late: {label: Late, option: dusk}\n          rain: {"), encoding="utf-8"
    )
    words = ("odds", "duel", *path, "--format", "csv")
    assert 'shot,late,"no, yes (else no)"' in run(*words).stdout.splitlines()
    assert 'shot,late,"no, yes (else yes)"' in run(*words, "--set", "dusk=yes").stdout.splitlines()


def test_sheets_as_the_options_are_set(run: Run, read: Read, path: tuple[str, str], mine: Path, tmp_path: Path) -> None:
    def text(*words: str) -> str:
        built = run("build", "duel", *path, "--out", str(tmp_path / "out"), "--format", "json", *words)
        [one] = read("build", built)["built"]
        assert Path(one["path"]).parent == tmp_path / "out"
        data = io.BytesIO(Path(one["path"]).read_bytes())
        pages = (page.get_textpage().get_text_range() for page in pypdfium2.PdfDocument(data))
        return "\n".join(pages).replace("\N{NO-BREAK SPACE}", " ")

    assert "LANTERN" not in text()
    assert "BY LANTERN" in text("--set", "dusk=yes")
    assert "Raise a lantern." in text("--settings", str(mine))
    assert "LANTERN" not in text("--settings", str(mine), "--set", "dusk=no")


def test_check_as_the_options_are_set(run: Run, read: Read, rules: Path, path: tuple[str, str], mine: Path) -> None:
    shot = rules / "duel" / "procedures" / "shot.yaml"
    shot.write_text(
        shot.read_text(encoding="utf-8").replace("if not dusk else 12", "if not dusk else none"), encoding="utf-8"
    )
    for word in ("duel", str(rules)):
        assert run("check", word, *path, "--set", "dusk=no").exit_code == 0
        for words in ((), ("--set", "dusk=yes"), ("--settings", str(mine))):  # without any, all ways are tried
            result = run("check", word, *path, *words, "--format", "json")
            assert result.exit_code == 1
            assert [one["code"] for one in read("check", result)["problems"]] == ["R241"]


def test_answers_count_in_every_command(run: Run, rules: Path, path: tuple[str, str], tmp_path: Path) -> None:
    nerves = rules / "duel" / "tables" / "nerves.yaml"
    text = nerves.read_text(encoding="utf-8")
    text = text.replace("{nerve: shaky, die: D4,", "{nerve: shaky, die: null,")
    nerves.write_text(
        text.replace("status: read, raw: d&, note: A smudge.", "status: gap, note: A smudge."), encoding="utf-8"
    )
    mine = tmp_path / "answers.yaml"
    mine.write_text("answers:\n  duel: {'tables.nerves[shaky].die': D12}\n", encoding="utf-8")
    question = ("odds", "duel/shot", "nerve=shaky", "paces=1", *path)
    assert "R241" in run(*question).stderr
    assert run("check", "duel", *path).exit_code == 1
    settings = ("--settings", str(mine))
    assert run(*question, *settings).exit_code == 0
    assert run("check", "duel", *path, *settings).stdout == "No problems.\n"
    assert "yours" in run("rules", "duel", "nerves", *path, *settings).stdout
    assert run("build", "duel", *path, *settings, "--out", str(tmp_path / "out")).exit_code == 0


@pytest.mark.parametrize(
    "words",
    [
        (*SHOT,),
        ("odds", "duel"),
        ("rules", "duel"),
        ("rules", "duel", "nerves"),
        ("rules", "duel", "options"),
        ("check", "duel"),
        ("build", "duel", "--out", "nowhere"),
    ],
    ids=" ".join,
)
@pytest.mark.parametrize(
    ("setting", "code", "place"),
    [
        (("--set", "dsuk=yes"), "R331", "command line:1:1"),
        (("--set", "dusk=late"), "R332", "command line:1:6"),
        (("--set", "dusk=yes", "--set", "paces=4"), "R332", "command line:1:16"),
        (("--set", "dusk"), "R311", "command line:1:1"),
        (("--set", ""), "R311", "command line:1:1"),
        (("--settings", "no-such-file.yaml"), "F101", "no-such-file.yaml"),
        (("--settings", "."), "F102", "."),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, tuple) else None,
)
def test_a_slip_is_told_by_every_command(
    run: Run, path: tuple[str, str], words: tuple[str, ...], setting: tuple[str, ...], code: str, place: str
) -> None:
    result = run(*words, *path, *setting)
    assert result.exit_code == 1
    said = result.stdout if words[0] == "check" and code in ("R331", "R332") else result.stderr
    assert said.startswith(f"{place}: {code}")
    result = run(*words, *path, *setting, "--format", "json")
    assert [one["code"] for one in json.loads(result.stdout)["problems"]] == [code]


@pytest.mark.parametrize("command", ["odds", "rules", "check", "build"])
def test_every_command_that_asks_rule_data_takes_them(run: Run, command: str) -> None:
    helped = run(command, "--help").stdout
    assert "--set NAME=VALUE" in helped
    assert "--settings FILE" in helped
