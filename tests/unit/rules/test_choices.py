"""What an input or a field may be, and the words that a person may use for it."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Any

import pytest

from generator.rules.entries.choices import Choice

if TYPE_CHECKING:
    from tests.conftest import Bench

RANGE = Choice((1, 2, 3), {})
GAPPED = Choice((1, 2, 5), {})
WORDS = Choice(("HMT", "fast GEV", "red+yellow"), {"HMT": "High-mobility tracks"}, words={"half track": "HMT"})
PLAIN = Choice(("clear", "rough"), {})
HALVES = Choice((Fraction(1, 2), 1, 2), {})
EIGHTHS = Choice((0, Fraction(7, 8), 1, Fraction(23, 8), 5), {}, description="0 to 5, or a fraction of 8 parts")
YES_NO = Choice((False, True), {False: "no", True: "yes"})


@pytest.mark.parametrize(
    ("choice", "given", "expected"),
    [
        (RANGE, 2, 2),
        (RANGE, "2", 2),
        (RANGE, " 3 ", 3),
        (RANGE, 4, None),
        (RANGE, 0, None),
        (RANGE, "two", None),
        (RANGE, "", None),
        (RANGE, "-1", None),
        (RANGE, "--1", None),
        (RANGE, "1.0", None),
        (RANGE, "٢", None),
        (RANGE, "9" * 5000, None),
        (RANGE, True, None),
        (RANGE, None, None),
        (RANGE, [1], None),
        (Choice((-1, 0), {}), "-1", -1),
        (GAPPED, "5", 5),
        (GAPPED, "3", None),
        (WORDS, "HMT", "HMT"),
        (WORDS, "hmt", "HMT"),
        (WORDS, "high-mobility TRACKS", "HMT"),
        (WORDS, "Fast gev", "fast GEV"),
        (WORDS, "high mobility tracks", "HMT"),
        (WORDS, "FAST-gev", "fast GEV"),
        (WORDS, "Half-track", "HMT"),
        (WORDS, "red", None),
        (WORDS, 3, None),
        (WORDS, {"a": 1}, None),
        (WORDS, "-", None),
        (PLAIN, "Rough", "rough"),
        (PLAIN, "-", None),
        (PLAIN, "_", None),
        (PLAIN, "", None),
        (RANGE, Fraction(3), 3),
        (HALVES, "2", 2),
        (HALVES, "1/2", Fraction(1, 2)),
        (HALVES, "yes", None),
        (EIGHTHS, "2 7/8", Fraction(23, 8)),
        (EIGHTHS, " 2  7/8 ", Fraction(23, 8)),
        (EIGHTHS, "2.875", Fraction(23, 8)),
        (EIGHTHS, "2 3", None),
        (EIGHTHS, "1/2 1/2", None),
        (EIGHTHS, "1 15/8", None),
        (EIGHTHS, "0 1 7/8", None),
        (EIGHTHS, "", None),
        (YES_NO, "yes", True),
        (YES_NO, "No", False),
        (YES_NO, "TRUE", True),
        (YES_NO, "false", False),
        (YES_NO, True, True),
        (YES_NO, False, False),
        (YES_NO, 1, None),
        (YES_NO, "1", None),
        (YES_NO, "maybe", None),
    ],
)
def test_a_value_is_read_as_people_write_it(choice: Choice, given: object, expected: Any) -> None:
    found = choice.read(given)
    assert found == expected
    assert type(found) is type(expected)


@pytest.mark.parametrize(
    ("choice", "told"),
    [
        (RANGE, "1 to 3"),
        (Choice((1, 2), {}), "1, 2"),
        (GAPPED, "1, 2, 5"),
        (WORDS, "HMT, fast GEV, red+yellow"),
        (YES_NO, "no, yes"),
    ],
)
def test_what_is_allowed_is_told_in_short(choice: Choice, told: str) -> None:
    assert choice.spell() == told


@pytest.mark.parametrize(
    ("choice", "given", "hint"),
    [
        (WORDS, "hmz", "did you mean HMT?"),
        (WORDS, "Fast-GEV", "did you mean fast GEV?"),
        (WORDS, 77, ""),
        (YES_NO, "yep", ""),
        (GAPPED, 0, "the least is 1"),
        (GAPPED, 4, ""),
        (GAPPED, 6, "the most is 5"),
        (Choice((3, 2, 1), {}), 0, "the least is 1"),
        (Choice((3, 2, 1), {}), 4, "the most is 3"),
    ],
)
def test_a_near_miss_is_named(choice: Choice, given: object, hint: str) -> None:
    assert choice.near(given) == hint


INPUT = "  shots: {label: Shots, range: 1..3, default: 1}"


def choice_of(bench: Bench, declared: str) -> tuple[Choice, Any, bool]:
    """The choice, default and need of an input that is declared so."""
    bench.change("tin/procedures/shoot.yaml", INPUT, f"{INPUT}\n  extra: {{label: Extra, {declared}}}")
    found = bench.rules().procedures["shoot"].input("extra")
    assert found is not None
    return found.choice, found.default, found.required


@pytest.mark.parametrize(
    ("declared", "values", "names"),
    [
        ("range: -1..2", (-1, 0, 1, 2), {}),
        ("of: [a, b]", ("a", "b"), {}),
        ("yes_no: true", (False, True), {False: "no", True: "yes"}),
        ("from: guns", ("pop", "cannon"), {"pop": "Pop gun", "cannon": "Big cannon"}),
        ("from: walls", (0, 1, 2), {0: "0", 1: "1", 2: "2"}),
    ],
)
def test_each_way_of_saying_what_is_allowed(
    bench: Bench, declared: str, values: tuple[object, ...], names: dict[object, str]
) -> None:
    choice, default, required = choice_of(bench, declared)
    assert (choice.values, choice.names) == (values, names)
    assert (default, required) == (None, True)


@pytest.mark.parametrize(
    ("declared", "default"),
    [
        ("range: 0..2, default: 0", 0),
        ("yes_no: true, default: false", False),
        ("from: guns, default: Big cannon", "cannon"),
    ],
)
def test_a_default_is_read_as_any_value_and_makes_the_input_optional(
    bench: Bench, declared: str, default: object
) -> None:
    assert choice_of(bench, declared)[1:] == (default, False)
