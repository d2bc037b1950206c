from __future__ import annotations

from fractions import Fraction

import pytest

from generator.parsing.yaml12 import NumberTooLongError, read_plain


@pytest.mark.parametrize("text", ["", "~", "null", "Null", "NULL"])
def test_nothing(text: str) -> None:
    assert read_plain(text) is None


@pytest.mark.parametrize(
    ("text", "value"),
    [("true", True), ("True", True), ("TRUE", True), ("false", False), ("False", False), ("FALSE", False)],
)
def test_truth(text: str, value: bool) -> None:  # noqa: FBT001 - it is the expected value
    assert read_plain(text) is value


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("0", 0),
        ("-0", 0),
        ("+5", 5),
        ("-17", -17),
        ("012", 12),
        ("0777", 777),
        ("0o14", 12),
        ("0xfF", 255),
        ("0x0", 0),
        ("0o0", 0),
        ("999999999999999999", 999999999999999999),
        ("-999999999999999999", -999999999999999999),
        ("0xffffffffffffffffff", 0xFFFFFFFFFFFFFFFFFF),
    ],
)
def test_whole_numbers(text: str, value: int) -> None:
    read = read_plain(text)
    assert read == value
    assert type(read) is int


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("0.5", Fraction(1, 2)),
        (".5", Fraction(1, 2)),
        ("+.5", Fraction(1, 2)),
        ("-2.50", Fraction(-5, 2)),
        ("1.", Fraction(1)),
        ("1e3", Fraction(1000)),
        ("1E3", Fraction(1000)),
        ("1.e3", Fraction(1000)),
        ("12e-2", Fraction(3, 25)),
        ("-1.5e+2", Fraction(-150)),
        ("1e30", Fraction(10**30)),
        ("1e-30", Fraction(1, 10**30)),
        ("1e0000030", Fraction(10**30)),
        ("0.1", Fraction(1, 10)),
        ("0e0", Fraction(0)),
        ("12345678.9012345678", Fraction(123456789012345678, 10**10)),
    ],
)
def test_decimals_are_exact(text: str, value: Fraction) -> None:
    read = read_plain(text)
    assert read == value
    assert type(read) is Fraction


@pytest.mark.parametrize(
    "text",
    [
        *("yes", "no", "on", "off", "Yes", "NO", "y", "n", "tRUE", "nULL", "=", "<<", "D6", "1/2"),
        *("1:30", "190:20:30", "2001-12-14", ".inf", "-.inf", "+.Inf", ".NaN", ".nan"),
        *(".", "-", "+", "--", "...", "+-1", "1_000", "0b101", "-0x1", "+0o7", "0o8", "0xg", "0x", "0o"),
        *("1e", "1e+", "e3", ".e3", "1.2.3", "1,5", "5-6", "1 000", "1\u00a0", "\u0661", "\uff11"),
    ],
)
def test_all_else_is_text(text: str) -> None:
    assert read_plain(text) == text
    assert type(read_plain(text)) is str


@pytest.mark.parametrize(
    "text",
    [
        "1234567890123456789",
        "-1234567890123456789",
        "0000000000000000001",
        "0x1234567890123456789",
        "0o1234567012345670123",
        "123456789.0123456789",
        "1e31",
        "1e-31",
        "1e100",
        "1e999999999",
        "0e99999999999999999999",
        "9" * 100_000,
        "0." + "9" * 100_000,
        "1e" + "9" * 100_000,
    ],
)
def test_a_number_too_long_is_refused_at_once(text: str) -> None:
    with pytest.raises(NumberTooLongError):
        read_plain(text)
