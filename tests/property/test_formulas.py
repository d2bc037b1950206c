"""Random formulas agree with Python's own exact arithmetic, and none of them does anything but compute."""

from __future__ import annotations

import operator
from fractions import Fraction
from typing import TYPE_CHECKING, NamedTuple

from hypothesis import given
from hypothesis import strategies as st

from generator.rules.formulas.compiler import compile_formula
from generator.rules.formulas.errors import FormulaError, FormulaUseError
from generator.rules.formulas.functions import round_half_up
from generator.rules.formulas.scope import VALUE, Name, Scope, Words
from generator.rules.formulas.working import working

if TYPE_CHECKING:
    from collections.abc import Callable

NAMES = {"size": 3, "class": 5, "armour": 0}
SCOPE = Scope(dict.fromkeys(NAMES, VALUE))


class Sum(NamedTuple):
    """A formula's text, and what it should come to: None where it has no answer."""

    text: str
    value: Fraction | None


def both(sign: str, act: Callable[[Fraction, Fraction], Fraction]) -> Callable[[tuple[Sum, Sum]], Sum]:
    def join(pair: tuple[Sum, Sum]) -> Sum:
        left, right = pair
        text = f"({left.text}) {sign} ({right.text})"
        if left.value is None or right.value is None or (sign in "/ // %" and right.value == 0):
            return Sum(text, None)
        return Sum(text, Fraction(act(left.value, right.value)))

    return join


SIGNS: dict[str, Callable[[Fraction, Fraction], Fraction]] = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "/": operator.truediv,
    "//": operator.floordiv,
    "%": operator.mod,
}


def negative(one: Sum) -> Sum:
    return Sum(f"-({one.text})", None if one.value is None else -one.value)


whole_numbers = st.integers(0, 999).map(lambda number: Sum(str(number), Fraction(number)))
decimals = st.tuples(st.integers(0, 99), st.integers(0, 999)).map(
    lambda parts: Sum(f"{parts[0]}.{parts[1]:03}", Fraction(parts[0] * 1000 + parts[1], 1000))
)
names = st.sampled_from(sorted(NAMES)).map(lambda name: Sum(name, Fraction(NAMES[name])))
sums = st.recursive(
    whole_numbers | decimals | names,
    lambda inner: st.one_of(
        *(st.tuples(inner, inner).map(both(sign, act)) for sign, act in SIGNS.items()), inner.map(negative)
    ),
    max_leaves=8,
)


@given(sums)
def test_arithmetic_agrees_with_fractions(one: Sum) -> None:
    try:
        found = compile_formula(one.text, SCOPE)(NAMES)
    except FormulaUseError as error:
        assert one.value is None or "sixty digits" in str(error)  # noqa: PT017 - either way is right for some formulas
        return
    assert found == one.value
    assert isinstance(found, int) == (found.denominator == 1)


@given(sums)
def test_the_working_comes_to_the_same_as_the_formula(one: Sum) -> None:
    formula = compile_formula(one.text, SCOPE)
    plain = working(formula, NAMES).replace("×", "*").replace("÷", "/").replace("−", "-")
    assert not any(name in plain for name in NAMES)
    try:
        expected = formula(NAMES)
    except FormulaUseError:
        return
    assert compile_formula(plain, Scope())({}) == expected


@given(sums, sums)
def test_comparisons_agree_with_fractions(one: Sum, other: Sum) -> None:
    if one.value is None or other.value is None:
        return
    for sign, act in (("<", operator.lt), ("<=", operator.le), ("==", operator.eq), ("!=", operator.ne)):
        try:
            found = compile_formula(f"({one.text}) {sign} ({other.text})", SCOPE)(NAMES)
        except (FormulaError, FormulaUseError):
            return  # too long, or its numbers too large
        assert found is act(one.value, other.value)


@given(st.fractions(max_denominator=1000))
def test_rounding_a_half_upwards(number: Fraction) -> None:
    rounded = round_half_up(number)
    assert rounded - Fraction(1, 2) <= number < rounded + Fraction(1, 2)


WORDS = [
    *NAMES,
    *("guns", "weapons", "w", "none", "yes", "max", "times", "nth", "up", "import", "lambda", "__import__"),
    *("0", "3", "0.5", "1e9", "'pop'", '"x"', "(", ")", "[", "]", "{", "}", ",", ".", ":", "+", "-", "*", "**", "/"),
    *(
        "//",
        "%",
        "<",
        "==",
        "!=",
        "in",
        "not",
        "and",
        "or",
        "if",
        "else",
        "for",
        "is",
        "~",
        "@",
        "\\",
        "×",
        " ",
        "#",
        "=",
    ),
]
ANY_SCOPE = Scope(
    {
        **SCOPE.names,
        "w": Name("row", frozenset({"cost"})),
        "weapons": Name("records", frozenset({"class"})),
        "guns": Name("table", frozenset({"gun", "cost"}), (Words(frozenset(["guns"])),), "cost"),
    }
)


@given(st.lists(st.sampled_from(WORDS), max_size=14).map(" ".join) | st.text(max_size=40))
def test_whatever_is_typed_is_read_or_refused_with_a_place_inside_it(text: str) -> None:
    try:
        formula = compile_formula(text, ANY_SCOPE)
    except FormulaError as error:
        assert 0 <= error.offset <= len(text)  # noqa: PT017 - either way is right for some texts
        return
    try:
        formula({**NAMES, "w": {"cost": 2}, "weapons": ({"class": 1},)})
    except FormulaUseError as error:
        assert str(error)  # noqa: PT017 - as above
