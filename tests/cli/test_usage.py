"""Usage errors: what stood on the command line, what was expected, and what to write instead."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click
import pytest

from generator.cli.group import fieldpress
from generator.cli.options import Number, Shift
from generator.render.assemble.impose import MARKS, WAYS
from generator.render.cards.deck import SIZES

if TYPE_CHECKING:
    from pathlib import Path

    from tests.cli.conftest import Run


def every_option() -> list[tuple[str, click.Option]]:
    """Each option of each command that takes a value."""
    commands = fieldpress.commands.items()
    options = ((name, one) for name, command in commands for one in command.params if isinstance(one, click.Option))
    return [(name, one) for name, one in options if not one.is_flag and one.expose_value]


ALL = every_option()
NAMES = [f"{name} {option.opts[0]}" for name, option in ALL]
MANY = {"--only", "--part", "--set", "--by", "--rules-path", "--side-force"}
"""What may be said several times, in addition to the papers and inks of a build."""


def sample_of(option: click.Option) -> list[str]:
    """A value that the option takes."""
    match option.type:
        case click.Choice(choices=choices):
            return [choices[0]]
        case Number(such_as=number):
            return [str(number)]
        case Shift():
            return ["1,1"]
        case _:
            return ["3"] * option.nargs


@pytest.mark.parametrize(("command", "option"), ALL, ids=NAMES)
def test_an_option_said_twice_is_told_unless_it_may_be(run: Run, command: str, option: click.Option) -> None:
    word, value = option.opts[0], sample_of(option)
    said = run(command, word, *value, word, *value, "one", "two").stderr
    many = word in MANY or f"{command} {word}" in ("build --paper", "build --ink")
    assert (f"Error: {word} is given 2 times" in said) != many


def test_the_words_of_imposition_are_those_that_it_knows() -> None:
    # The command line does not import them, because every command would wait for it.
    kinds = {option.opts[0]: option.type for name, option in ALL if name == "build"}
    for word, known in (("--impose", WAYS), ("--marks", MARKS), ("--card-size", tuple(SIZES))):
        kind = kinds[word]
        assert isinstance(kind, click.Choice)
        assert tuple(kind.choices) == known


@pytest.mark.parametrize(
    ("words", "variable", "expected"),
    [
        (["--shift-backs", "1,1"], "", "--shift-backs needs --impose sheets or test."),
        (["--impose", "fold", "--shift-backs", "1,1"], "", "--shift-backs needs --impose sheets or test."),
        (["--impose", "trim", "--marks", "guides"], "", "--marks guides needs --impose sheets or fold."),
        (["--impose", "cards", "--gap", "3"], "", "--gap needs --impose sheets or fold."),
        (["--impose", "booklet", "--card-size", "poker"], "", "--card-size needs --impose cards or fronts or backs"),
        (
            ["--card-size", "poker", "--card-width", "130"],
            "",
            "--card-width 130 is not from 63.5 to 127, for poker cards.",
        ),
        (["--impose", "cards", "--card-width", "100"], "", "--card-width 100 is not from 127 to 254, for index cards."),
        ([], "far", "The variable FIELDPRESS_SHIFT_BACKS has a wrong value: 'far' is not two numbers"),
    ],
)
def test_an_option_of_imposition_that_does_nothing_is_refused(
    run: Run, words: list[str], variable: str, expected: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    if variable:
        monkeypatch.setenv("FIELDPRESS_SHIFT_BACKS", variable)
    done = run("build", "nothing", *words)
    assert done.exit_code == 2
    assert expected in done.stderr


@pytest.mark.parametrize(("command", "option"), [one for one in ALL if one[1].opts[0] != "--set"])
def test_an_empty_value_is_told_and_what_to_write(run: Run, command: str, option: click.Option) -> None:
    word = option.opts[0]
    done = run(command, word, *[""] * option.nargs, "one", "two")
    assert done.exit_code == 2
    told = ("'' is empty: name ", "'' is not one of ", "'' is not a whole number from ", "'' is not two numbers")
    assert sum(one in done.stderr for one in told) == 1


@pytest.mark.parametrize(("command", "option"), ALL, ids=NAMES)
def test_where_a_value_is_missing_the_way_to_write_it_is_told(run: Run, command: str, option: click.Option) -> None:
    done = run(command, "one", "two", option.opts[0])
    assert done.exit_code == 2
    assert f"It is written {option.opts[0]} " in done.stderr


@pytest.mark.parametrize("command", ["build", "check", "convert", "cost", "odds", "schema", "explain", "scenario"])
def test_what_a_command_is_about_is_told_where_it_is_missing(run: Run, command: str) -> None:
    assert ". Name " in run(command).stderr
    assert "'' is empty: name " in run(command, "").stderr


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("build", "tin", "--ink", "color"), "'color' is not one of colour, mono, low. Did you mean colour?"),
        (("build", "tin", "--paper", "a5"), "'a5' is not one of a4, letter."),
        (("scenario", "tin", "--seed", "--1"), "'--1' is not a whole number from 0 to 1,000,000,000,000,000,000"),
        (("scenario", "tin", "--points", "-5"), "'-5' is not a whole number from 1 on, such as 3000."),
        (("scenario", "tin", "--points", "1,0,0"), "'1,0,0' is not a whole number"),
        (("scenario", "tin", "--points", "9" * 5000), "9' is not a whole number"),
        (("scenario", "tin", "--pin", "map", "a", "--pin", "forces", "a"), "such as --pin map,forces FILE"),
        (
            ("scenario", "tin", "--pin", "map", "--seed", "3"),
            "took the option --seed for a value. It is written --pin PARTS",
        ),
    ],
)
def test_what_stood_there_and_what_was_expected(run: Run, words: tuple[str, ...], told: str) -> None:
    done = run(*words)
    assert done.exit_code == 2
    assert told in done.stderr


def test_an_option_without_a_value_is_not_said_to_have_one(run: Run) -> None:
    done = run("build", "tin", "--bind=1")
    assert done.exit_code == 2
    assert "written" not in done.stderr


def test_a_word_of_few_may_be_in_capitals(run: Run, tmp_path: Path) -> None:
    done = run("build", "sla-3d", "--only", "readings", "--paper", "A4", "--ink", "Mono", "--out", str(tmp_path))
    assert done.exit_code == 0
    assert [one.name for one in tmp_path.iterdir()] == ["sla-3d-readings-a4-mono.pdf"]
