"""Exit codes, what goes to standard output and what to standard error, and that nothing ever ends in a traceback."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

import pytest
from click.testing import CliRunner
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image

from generator import __version__
from generator.cli.group import fieldpress
from generator.problems import RenderError
from generator.rules.formulas.errors import FormulaUseError
from tests.conftest import SMALL_RULES

if TYPE_CHECKING:
    from tests.cli.conftest import Read, Run

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[2]
SHOT = ("odds", "dirtside2-fma/armour-fire", "weapon_size=3", "valid=red", "armour=2")


def process(
    *words: str | bytes, stdout: int = subprocess.PIPE, encoding: str = "utf-8"
) -> subprocess.CompletedProcess[bytes]:
    """The command in a process of its own."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "PYTHONIOENCODING": f"{encoding}:strict"}
    command = [sys.executable, "-m", "generator", *words]
    return subprocess.run(  # noqa: S603 - our own command
        command, stdout=stdout, stderr=subprocess.PIPE, env=environment, timeout=60, check=False
    )


@pytest.mark.parametrize(
    ("words", "code"),
    [
        (("--version",), 0),
        (("--help",), 0),
        (("odds", "-h"), 0),
        (("rules",), 0),
        (("rules", "dirtside2"), 0),
        (("odds", "dirtside2-fma"), 0),
        (SHOT, 0),
        (("check", "tin", "--rules-path", str(SMALL_RULES)), 0),
        ((), 2),
        (("nosuch",), 2),
        (("--nosuch",), 2),
        (("odds",), 2),
        (("check",), 2),
        (("build",), 2),
        (("explain",), 2),
        (("rules", "a", "b", "c"), 2),
        (("rules", "--nosuch"), 2),
        (("odds", "--format", "html", "dirtside2-fma"), 2),
        (("build", "dirtside2-fma", "--paper", "a5"), 2),
        (("check", "dirtside2-fma", "--format", "csv"), 2),
        (("rules", "--rules-path"), 2),
        (("odds", "nosuch"), 1),
        (("odds", ""), 2),
        (("odds", "nosuch/armour-fire"), 1),
        (("odds", "dirtside2-fma/nosuch"), 1),
        (("odds", "dirtside2-fma", "armour=3"), 1),
        ((*SHOT, "armour=3"), 1),
        ((*SHOT, "colour=3"), 1),
        (("odds", "dirtside2-fma/armour-fire", "weapon_size=3"), 1),
        (("odds", "dirtside2-fma/armour-fire", "weapon_size=9", "valid=red", "armour=2"), 1),
        (("odds", "dirtside2-fma/armour-fire", "weapon_size"), 1),
        (("rules", "nosuch"), 1),
        (("rules", "dirtside2", "nosuch"), 1),
        (("check", "nosuch"), 1),
        (("check", "no/such/folder"), 1),
        (("build", "nosuch"), 1),
        (("build", "all", "nosuch"), 1),
        (("build", "all", "--only", "nosuch"), 1),
        (("explain", "dirtside2/nosuch"), 1),
        (("explain", "X999"), 1),
        (("rules", "--rules-path", "no-such-folder"), 1),
        (("--rules-path", "no-such-folder", "rules"), 1),
    ],
    ids=lambda value: " ".join(value) or "nothing" if isinstance(value, tuple) else None,
)
def test_exit_codes(run: Run, words: tuple[str, ...], code: int) -> None:
    result = run(*words)
    assert result.exit_code == code
    if code == 0:
        assert result.stdout
        assert result.stderr == ""
    else:
        said = result.stdout + result.stderr
        assert said.strip()
        # Problems are what check is asked for; every other command has no result here.
        assert bool(result.stdout) == (words[0] == "check" and code == 1 if words else False)


@pytest.mark.parametrize(
    "words",
    [
        ("odds", "nosuch"),
        ("odds", "dirtside2-fma/nosuch"),
        ("odds", "dirtside2-fma/armour-fire", "x"),
        ("odds", "dirtside2-fma/armour-fire", "weapon_size=3"),
        ("rules", "nosuch"),
        ("rules", "dirtside2", "nosuch"),
        ("check", "nosuch"),
        ("check", "no/such"),
        ("build", "nosuch"),
        ("build", "dirtside2-fma", "--only", "nosuch"),
        ("rules", "--rules-path", "no-such-folder"),
        ("rules", "--rules-path", "x" * 5000),
    ],
    ids=lambda words: " ".join(words)[:50],
)
def test_problems_are_the_result_where_json_is_wanted(run: Run, read: Read, words: tuple[str, ...]) -> None:
    result = run(*words, "--format", "json")
    assert result.exit_code == 1
    assert read("problems", result)["problems"]


def test_version(run: Run) -> None:
    assert __version__ in run("--version").stdout


def test_rules_path_is_taken_before_and_after_the_command(run: Run, rules: Path) -> None:
    path = ("--rules-path", str(rules))
    before, after = run(*path, "rules", "duel"), run("rules", "duel", *path)
    assert before.exit_code == after.exit_code == 0
    assert before.stdout == after.stdout
    assert run("rules", "duel", "--rules-path", str(rules / "duel")).stdout == after.stdout
    assert run("rules", "duel").exit_code == 1


def test_a_sheet_that_is_not_there_is_not_passed_over(run: Run, rules: Path, tmp_path: Path) -> None:
    words = ("--rules-path", str(rules), "--out", str(tmp_path / "out"))
    result = run("build", "duel", "--only", "card", "--only", "nosuch", *words)
    assert result.exit_code == 1
    assert "nosuch" in result.stderr
    assert not (tmp_path / "out").exists()


def test_a_rule_set_without_sheets_says_so(run: Run, rules: Path, tmp_path: Path) -> None:
    (rules / "duel" / "sheets" / "card.yaml").unlink()
    result = run("build", "duel", "--rules-path", str(rules), "--out", str(tmp_path / "out"))
    assert result.exit_code == 1
    assert "R319" in result.stderr
    named = ("build", "sla-3d", "duel", "--only", "play", "--rules-path", str(rules), "--out", str(tmp_path / "out"))
    assert "R319" in run(*named).stderr


def test_a_page_that_cannot_be_made(
    run: Run, read: Read, rules: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_words: object, **_options: object) -> NoReturn:
        message = "sheet 'card': it does not fit"
        raise RenderError(message)

    monkeypatch.setattr("generator.render.page.pdf.render_pdf", fail)
    words = ("build", "duel", "--rules-path", str(rules), "--out", str(tmp_path / "out"))
    result = run(*words)
    assert (result.exit_code, result.stdout) == (3, "")
    assert "it does not fit" in result.stderr
    result = run(*words, "--format", "json")
    assert result.exit_code == 3
    [problem] = read("problems", result)["problems"]
    assert problem["found"] == "an error: sheet 'card': it does not fit"


@pytest.mark.parametrize("out", ["file", "file/inside", "x" * 5000], ids=["file", "inside a file", "long name"])
def test_a_folder_that_cannot_be_written(run: Run, rules: Path, tmp_path: Path, out: str) -> None:
    (tmp_path / "file").write_text("mine", encoding="utf-8")
    result = run("build", "duel", "--rules-path", str(rules), "--out", str(tmp_path / out))
    assert result.exit_code == 1
    assert "F131" in result.stderr
    assert (tmp_path / "file").read_text(encoding="utf-8") == "mine"


def test_a_file_that_another_program_has_open(
    run: Run, rules: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(part: Path, path: Path) -> None:
        raise PermissionError(13, "Permission denied", str(part), None, str(path))

    monkeypatch.setattr(Path, "replace", refuse)
    result = run("build", "duel", "--rules-path", str(rules), "--out", str(tmp_path))
    assert result.exit_code == 1
    assert f"{tmp_path}/duel-card-a4.pdf: F131" in result.stderr
    assert [path for path in tmp_path.iterdir() if path != rules] == []


def test_a_file_that_cannot_be_written(run: Run, rules: Path, tmp_path: Path) -> None:
    (tmp_path / "duel-card-a4.pdf" / "inside").mkdir(parents=True)
    result = run("build", "duel", "--rules-path", str(rules), "--out", str(tmp_path))
    assert result.exit_code == 1
    assert "F131" in result.stderr
    assert [path.name for path in tmp_path.iterdir() if path.suffix == ".part"] == []


def test_quiet_says_nothing(run: Run, rules: Path, tmp_path: Path) -> None:
    result = run("build", "duel", "--quiet", "--rules-path", str(rules), "--out", str(tmp_path))
    assert (result.exit_code, result.output) == (0, "")


# ---------------------------------------------------------------- nothing ends in a traceback

NASTY = [
    "", " ", "=", "=x", "x=", "a=b=c", "a==", "armour=", "armour=1..", "armour=..", "armour=1..2..3",
    "armour=5..1", "armour=1,,2", "armour=٣", "armour=\uff11", "armour=1e9", "armour=" + "9" * 4000, "valid=red,",
    "valid=RED", "valid=\x1b[2J", "weapon_size=²", "weapon_size=+3", "weapon_size=0x3", "weapon_size=-1",
    "x" * 4000, "é" * 300, "é=é", "\ud800", "\udcff=\udcff", "💥", "a\nb", "\r", "\x7f", "\u202e", "-", "--",
    "---", "-x", "--format", "--format=json", "--format=", "--rules-path=", "--rules-path=.", "..", ".", "/",
    "//", "../..", "~", "*", "dirtside2+", "dirtside2+dirtside2", "dirtside2/", "/dirtside2", "dirtside2//x",
    "dirtside2-fma/armour-fire", "rulesdata/fma-skirmish", "pyproject.toml", "rulesdata/dirtside2-fma/ruleset.yaml",
    "$(date)", "`date`", "%s", "{0}", "{x!r}", "'", '"', "\\", "None", "[]", "*.yaml", "CON", "F101", "f101",
    "F-1", "+", "a+b", "a+",
]  # fmt: skip


@pytest.mark.soak
@pytest.mark.parametrize("command", ["odds", "rules", "check", "explain", ""])
@pytest.mark.parametrize("form", ["text", "json"])
def test_nasty_words(run: Run, rules: Path, command: str, form: str) -> None:
    before = (command,) if command else ()
    after = ("--format", form) if command not in ("", "explain") else ()
    for number, word in enumerate(NASTY):
        if command and (number % 2 == 0) != (form == "text"):  # each word in one of the forms
            continue
        assert run(*before, *after, word).exit_code in (0, 1, 2)
        if command == "odds":
            assert run(*before, *after, "dirtside2-fma/armour-fire", word).exit_code in (0, 1, 2)
            assert run(*before, *after, *SHOT[1:4], word).exit_code in (0, 1, 2)
        if command == "rules":
            assert run(*before, *after, "duel", word, "--rules-path", str(rules)).exit_code in (0, 1, 2)


@pytest.mark.soak
@pytest.mark.parametrize("option", ["--set", "--settings"])
def test_nasty_settings(run: Run, rules: Path, tmp_path: Path, option: str) -> None:
    for word in [*NASTY, "dusk=" + "y" * 4000, "dusk=\x1b[2J", "dusk=٣", "garb=\ud800", "paces=²"]:
        assert run("rules", "duel", "options", "--rules-path", str(rules), option, word).exit_code in (0, 1, 2)
    file = tmp_path / "mine.yaml"
    for word in (
        *(word for word in NASTY if "\ud800" not in word and "\udcff" not in word),
        "options:",
        "answers: {duel: }",
    ):
        file.write_text(word, encoding="utf-8")
        assert run("rules", "duel", "options", "--rules-path", str(rules), "--settings", str(file)).exit_code in (0, 1)
        file.write_text(json.dumps({"answers": {"duel": {word: word}}, "options": {"duel": {"garb": word}}}))
        assert run("check", "duel", "--rules-path", str(rules), "--settings", str(file)).exit_code in (0, 1)


words_of_any_kind = st.lists(
    st.one_of(
        st.sampled_from(NASTY),
        st.sampled_from(["odds", "rules", "check", "explain", "doctor", *SHOT]),
        st.text(st.characters(exclude_characters="\0", exclude_categories=()), max_size=20),
        st.builds("{}={}".format, st.sampled_from(["armour", "valid", "weapon_size"]), st.text(max_size=8)),
    ),
    max_size=5,
)


@settings(max_examples=30)
@given(words_of_any_kind)
def test_words_of_any_kind(words: list[str]) -> None:
    if "build" in words:
        return
    result = CliRunner().invoke(fieldpress, words, prog_name="fieldpress")
    assert isinstance(result.exception, SystemExit | None)
    assert result.exit_code in (0, 1, 2, 3)
    if result.exit_code == 2:
        assert result.stdout == ""


# ---------------------------------------------------------------- in processes of their own


def test_results_and_talk_of_a_real_process() -> None:
    fine = process(*SHOT)
    assert (fine.returncode, fine.stderr) == (0, b"")
    assert "destroyed" in fine.stdout.decode()
    broken = process("odds", "nosuch")
    assert (broken.returncode, broken.stdout) == (1, b"")
    assert broken.stderr.startswith(b"command line:1:1: R301")
    usage = process("nosuch")
    assert (usage.returncode, usage.stdout) == (2, b"")
    assert usage.stderr.startswith(b"Usage: fieldpress ")


@pytest.mark.parametrize("words", [("rules", "dirtside2-fma"), (*SHOT, "--format", "json"), ("check", "nosuch")])
def test_a_closed_pipe_is_no_error(words: tuple[str, ...]) -> None:
    reading, writing = os.pipe()
    os.close(reading)
    try:
        result = process(*words, stdout=writing)
    finally:
        os.close(writing)
    assert (result.returncode, result.stderr) == (0, b"")


def test_help_into_a_closed_pipe_ends_quietly() -> None:
    reading, writing = os.pipe()
    os.close(reading)
    try:
        assert process("--help", stdout=writing).stderr == b""
    finally:
        os.close(writing)


@pytest.mark.parametrize("form", ["text", "json"])
def test_a_word_that_is_not_utf8(form: str) -> None:
    result = process("odds", b"\xff\x1b[2J", "--format", form)
    assert result.returncode == 1
    said = result.stdout + result.stderr
    assert b"Traceback" not in said
    assert rb"\udcff" in said
    assert b"\x1b" not in said


def test_a_terminal_without_the_signs() -> None:
    reading, terminal = os.openpty()
    result = process(*SHOT, encoding="latin-1", stdout=terminal)
    os.close(terminal)
    assert (result.returncode, result.stderr) == (0, b"")
    assert rb"\u2588" in os.read(reading, 100_000)
    os.close(reading)


def test_damaged_data_of_a_camera_is_no_news(tmp_path: Path) -> None:
    Image.new("RGB", (600, 600)).save(tmp_path / "wolf.jpg", exif=b"Exif\0\0II*\0\x08\0\0\0\x01\0\x12\x01")
    wolf = "{design: Wolf, kind: tank, wall: 1, picture: {file: wolf.jpg, alt: A wolf}}"
    (tmp_path / "reds.yaml").write_text(f"force: Reds\nrules: [tin]\ndesigns: [{wolf}]\n", encoding="utf-8")
    words = ("--rules-path", str(SMALL_RULES), "--card-size", "poker", "--no-cache", "--out", str(tmp_path))
    result = process("build", str(tmp_path / "reds.yaml"), "--only", "cards", *words)
    assert (result.returncode, b"Warning" in result.stderr) == (0, False)


def test_what_goes_into_a_file_is_utf8_on_every_machine() -> None:
    words = ("rules", "dirtside2-fma")
    told = process(*words).stdout
    assert "’" in told.decode()
    assert process(*words, encoding="latin-1").stdout == told


def test_an_error_that_nobody_foresaw_is_a_message(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> NoReturn:
        raise FormulaUseError("x" * 1000)

    monkeypatch.setattr("generator.commands.rulesets.explain", fail)
    done = run("explain", "F203")
    assert done.exit_code == 1
    assert "R241" in done.stderr
    assert len(done.stderr) < 500


def test_a_force_or_battle_on_standard_input_is_checked() -> None:
    for command in ("check", "cost"):
        done = CliRunner().invoke(fieldpress, [command, "-"], input="force: Reds\nrules: [nosuch]\n")
        assert done.exit_code == 1
        assert "-:2:9: R301" in done.stderr + done.stdout
    battle = CliRunner().invoke(fieldpress, ["scenario", "fma-skirmish", "--seed", "7"]).stdout
    done = CliRunner().invoke(fieldpress, ["check", "-"], input=battle)
    assert (done.exit_code, done.stderr) == (0, "")


def test_a_broken_rule_set_hides_none_of_its_neighbours(run: Run, rules: Path) -> None:
    (rules / "broken").mkdir()
    (rules / "broken" / "ruleset.yaml").write_text("ruleset: broken\n", encoding="utf-8")
    done = run("rules", "--rules-path", str(rules))
    assert done.exit_code == 1
    assert "duel" in done.stdout
    assert "broken/ruleset.yaml" in done.stderr


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no full disk to write to")
@pytest.mark.parametrize("word", ["--help", "--version"])
def test_help_on_a_full_disk_is_a_message(word: str) -> None:
    with Path("/dev/full").open("w", encoding="utf-8") as full:
        done = process(word, stdout=full.fileno())
    assert (done.returncode, b"F131" in done.stderr, b"Traceback" in done.stderr) == (1, True, False)


def test_an_end_that_falls_into_a_callback_is_not_lost() -> None:
    script = (
        "import sys, time; from generator.cli.group import end_later; sys.unraisablehook = end_later\n"
        "class Late:\n    def __del__(self): sys.exit(143)\n"
        "Late()\ntime.sleep(20)\n"
    )
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    run = subprocess.run(  # noqa: S603 - our own
        [sys.executable, "-c", script], env=environment, capture_output=True, timeout=60, check=False
    )
    assert (run.returncode, run.stderr) == (-signal.SIGTERM, b"")
