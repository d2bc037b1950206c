"""Rule sets of the user's are found beside files, by a variable and in the folder of the configuration."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from click.testing import CliRunner, Result

from generator.cli.group import fieldpress

if TYPE_CHECKING:
    from pathlib import Path

RULES = """
ruleset: hoops
title: Hoops
short: Hoops
edition: "2020-02-29"
authors: [Nobody]
rights: Free to copy.
source: book
sources: {book: {title: The book of hoops, short: Hoops}}
"""
KIND = """
kind: hoop
title: Hoop
says: A ring.
cite: p. 3
fields: {size: {label: Size, range: 1..5}}
lines: [{line: size, label: Size, points: size * 7, cite: p. 4}]
"""
SHEET = """
sheet: reference
title: Hoops
strap: Rings
kicker: Reference
rows: [{columns: [[{section: Play, blocks: [{prose: [Roll the hoop.]}]}]]}]
"""
FORCE = """
force: Ring
rules: hoops
designs: [{design: Big, kind: hoop, size: 3}]
units: [{unit: First, of: Big}]
"""


@pytest.fixture
def game(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    files = {
        "games/hoops/ruleset.yaml": RULES,
        "games/hoops/kinds/hoop.yaml": KIND,
        "games/hoops/sheets/reference.yaml": SHEET,
        "games/ring.yaml": FORCE,
        "games/forces/ring.yaml": FORCE,
        "elsewhere/ring.yaml": FORCE,
    }
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.delenv("XDG_CONFIG_HOME", raising=False)
    return tmp_path


def run(*words: str) -> Result:
    return CliRunner().invoke(fieldpress, list(words))


@pytest.mark.parametrize("file", ["games/ring.yaml", "games/forces/ring.yaml"])
def test_a_rule_set_beside_a_force_is_found(game: Path, file: str) -> None:
    assert game.is_dir()
    assert "21" in run("cost", file).stdout


@pytest.mark.parametrize(("folder", "file"), [("forces", "ring.yaml"), ("forces/old", "../ring.yaml")])
def test_a_rule_set_above_the_folder_of_a_force_is_found_from_any_folder(
    game: Path, monkeypatch: pytest.MonkeyPatch, folder: str, file: str
) -> None:
    (game / "games/forces/old").mkdir()
    monkeypatch.chdir(game / "games" / folder)
    assert "21" in run("cost", file).stdout


@pytest.mark.parametrize(("name", "place"), [("FIELDPRESS_RULES", "games"), ("", "home/.config/fieldpress/rules")])
def test_a_variable_or_the_configuration_names_rule_sets(
    game: Path, monkeypatch: pytest.MonkeyPatch, name: str, place: str
) -> None:
    assert run("cost", "elsewhere/ring.yaml").exit_code == 1
    if name:
        monkeypatch.setenv(name, str(game / place))
    else:
        (game / place).parent.mkdir(parents=True)
        (game / "games").rename(game / place)
    assert "21" in run("cost", "elsewhere/ring.yaml").stdout


def test_a_variable_that_names_no_folder_is_refused(game: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FIELDPRESS_RULES", str(game / "nowhere"))
    assert "F101" in run("rules").stderr


@pytest.mark.parametrize("word", ["..", "../ruleset.yaml", "../../hoops", "hoop.yaml"])
def test_a_rule_set_is_checked_from_a_folder_inside_it(game: Path, monkeypatch: pytest.MonkeyPatch, word: str) -> None:
    monkeypatch.chdir(game / "games/hoops/kinds")
    assert run("check", word).exit_code == 0


def test_a_linked_rule_set_in_a_folder_is_checked(game: Path) -> None:
    (game / "mine").mkdir()
    (game / "mine/hoops").symlink_to(game / "games/hoops")
    (game / "games/hoops/kinds/hoop.yaml").write_text("kind: [", encoding="utf-8")
    assert run("check", "mine").exit_code == 1


@pytest.mark.parametrize("folder", ["games", "games/hoops"])
def test_build_prints_the_rule_sets_of_a_folder(game: Path, folder: str) -> None:
    result = run("build", folder, "--no-cache", "--out", "out")
    assert (result.exit_code, [file.name for file in (game / "out").iterdir()]) == (0, ["hoops-reference-a4.pdf"])
