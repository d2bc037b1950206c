"""Formulas: their syntax, their values, and the problems of formulas that cannot be read."""

from __future__ import annotations

from fractions import Fraction
from keyword import kwlist
from typing import TYPE_CHECKING, Any

import pytest

from generator.rules.formulas.compiler import MAX_LENGTH, compile_formula, compile_lookup
from generator.rules.formulas.errors import FormulaError, FormulaUseError
from generator.rules.formulas.functions import FUNCTIONS, MAX_LIST
from generator.rules.formulas.scope import TRUTH, VALUE, Name, Scope, Words
from generator.rules.formulas.working import working

if TYPE_CHECKING:
    from generator.rules.formulas.scope import FormulaText


class Pairs:
    """A table as formulas see one: rows by their keys."""

    def __init__(self, rows: dict[tuple[Any, ...], dict[str, Any]]) -> None:
        self.rows = rows

    def find(self, keys: tuple[Any, ...]) -> dict[str, Any]:
        if keys not in self.rows:
            message = f"no row for {keys}"
            raise FormulaUseError(message)
        return self.rows[keys]


def texts(*words: str) -> Words:
    """What a key column holds."""
    return Words(frozenset(words), ", ".join(words))


SCOPE = Scope(
    {
        "size": VALUE,
        "class": VALUE,
        "mount": VALUE,
        "stealth": VALUE,
        "w": Name("row", frozenset({"cost", "class"})),
        "weapons": Name("records", frozenset({"class", "count", "mount"})),
        "plants": Name("table", frozenset({"plant", "percent"}), (texts("HMT"),), "percent"),
        "guns": Name("table", frozenset({"gun", "cost", "die"}), (texts("pop", "cannon"),)),
        "impact": Name(
            "table", frozenset({"shell", "target", "die"}), (texts("HEF"), texts("armour", "infantry")), "die"
        ),
    }
)
VALUES: dict[str, Any] = {
    "size": 3,
    "class": 2,
    "mount": "turret",
    "stealth": None,
    "w": {"cost": 7, "class": 4},
    "weapons": ({"class": 3, "count": 1, "mount": "turret"}, {"class": 1, "count": 2, "mount": "fixed"}),
    "plants": Pairs({("HMT",): {"plant": "HMT", "percent": 40}}),
    "guns": Pairs({("pop",): {"gun": "pop", "cost": 3, "die": 6}}),
    "impact": Pairs({("HEF", "armour"): {"die": 4}, ("HEF", "infantry"): {"die": None}}),
}


FUNCTION_CASES: list[tuple[str, object]] = [
    ("min(3, 1, 2)", 1),
    ("min(weapons.count)", 1),
    ("max(())", 0),
    ("floor(7 / 2)", 3),
    ("ceil(7 / 2)", 4),
    ("floor(-7 / 2)", -4),
    ("round_half_up(5 / 2)", 3),
    ("round_half_up(-5 / 2)", -2),
    ("round_half_up(2.4)", 2),
    ("count(weapons.class)", 2),
    ("sum(weapons.count)", 3),
    ("sum(())", 0),
    ("nth((3, 1, 2), 1)", 3),
    ("nth((3, 1, 2), 3)", 1),
    ("times(weapons.class, weapons.count)", (3, 1, 1)),
    ("times(1, 3)", (1, 1, 1)),
    ("times(weapons.class, weapons.count) + (9,)", (3, 1, 1, 9)),
    ("where(weapons.class, weapons.mount, 'fixed')", (1,)),
    ("up(8)", 10),
    ("up(8, 2)", 12),
    ("up(12)", 12),
    ("down(6, 3)", 4),
    ("up(stealth) == none", True),
]


def value(text: FormulaText) -> Any:
    return compile_formula(text, SCOPE)(VALUES)


def refused(text: str | int, scope: Scope = SCOPE) -> FormulaError:
    with pytest.raises(FormulaError) as caught:
        compile_formula(text, scope)
    return caught.value


def unanswered(text: str) -> str:
    with pytest.raises(FormulaUseError) as caught:
        value(text)
    return str(caught.value)


# What formulas come to


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("2 + 3 * 4", 14),
        ("(2 + 3) * 4", 20),
        ("7 - 2 - 1", 4),
        ("-size + 1", -2),
        ("7 // 2", 3),
        ("-7 // 2", -4),
        ("7 % 3", 1),
        ("5.5 % 1.5", 1),
        ("1 / 3 + 1 / 6", Fraction(1, 2)),
        ("4 / 2", 2),
        ("0.1 + 0.2", Fraction(3, 10)),
        ("0.2 * 15", 3),
        (".5 + 5.", Fraction(11, 2)),
        ("96 / 10", Fraction(48, 5)),
        (12, 12),
        (Fraction(1, 4), Fraction(1, 4)),
        (Fraction(-5, 2), Fraction(-5, 2)),
    ],
)
def test_numbers_are_exact(text: str | int | Fraction, expected: int | Fraction) -> None:
    assert value(text) == expected


@pytest.mark.parametrize("text", ["0.5 + 0.5", "1.5 * 2", "3 / 3", "2.5 - 0.5", "5.5 % 1.5", "sum((0.5, 0.5))"])
def test_a_whole_result_is_an_int(text: str) -> None:
    assert type(value(text)) is int


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("size == 3", True),
        ("size != 3", False),
        ("1 < size < 3", False),
        ("1 < size <= 3", True),
        ("size >= 3 and class > 1", True),
        ("size > 3 or class == 2", True),
        ("not size > 3", True),
        ("mount == 'turret'", True),
        ('mount in ("turret", "fixed")', True),
        ("mount not in ['fixed']", True),
        ("stealth == none", True),
        ("size == none", False),
        ("yes", True),
        ("no", False),
        (True, True),
        (False, False),
        ("mount == 'Légion'", False),
    ],
)
def test_conditions_are_true_or_false(text: str | bool, expected: bool) -> None:  # noqa: FBT001 - what comes out
    assert value(text) is expected


def test_only_the_branch_that_is_taken_is_reckoned() -> None:
    assert value("5 if size > 2 else 1 / 0") == 5
    assert value("1 / 0 if size > 3 else 6") == 6


def test_and_and_or_stop_at_the_first_that_settles_it() -> None:
    assert value("size > 3 and 1 / 0 > 1") is False
    assert value("size == 3 or 1 / 0 > 1") is True


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("w.cost * size", 21),
        ("w.class + class", 6),
        ("weapons.class", (3, 1)),
        ("max(weapons.class)", 3),
        ("plants['HMT']", 40),
        ("plants['HMT'].percent / 100", Fraction(2, 5)),
        ("guns['pop'].die", 6),
        ("impact['HEF', 'armour']", 4),
        ("impact['HEF', 'infantry'] == none", True),
    ],
)
def test_columns_come_from_joined_rows_lists_and_look_ups(text: str, expected: object) -> None:
    assert value(text) == expected


@pytest.mark.parametrize(
    "word", ["as", "class", "def", "del", "for", "from", "global", "import", "is", "pass", "return"]
)
def test_a_field_may_be_named_as_python_names_its_own_things(word: str) -> None:
    assert compile_formula(f"2 * {word}", Scope({word: VALUE}))({word: 21}) == 42


@pytest.mark.parametrize("word", [word for word in kwlist if word.islower()])
def test_names_may_be_words_of_python_but_not_of_formulas(word: str) -> None:
    if word in ("and", "else", "if", "in", "lambda", "not", "or"):
        with pytest.raises(FormulaError):
            compile_formula(f"1 + {word}", Scope({word: VALUE}))
    else:
        assert compile_formula(f"1 + {word}", Scope({word: VALUE}))({word: 2}) == 3


def test_a_reserved_word_in_quotes_stays_a_text() -> None:
    assert value("'class'") == "class"
    assert value("'a class of its own' == 'a class of its own'") is True


@pytest.mark.parametrize(("text", "expected"), FUNCTION_CASES)
def test_functions(text: str, expected: object) -> None:
    assert value(text) == expected


def test_every_function_is_tried_above_and_says_what_it_does() -> None:
    tried = {name for name in FUNCTIONS for text, _ in FUNCTION_CASES if f"{name}(" in text}
    assert tried == set(FUNCTIONS)
    assert all(function.says and function.least <= function.most for function in FUNCTIONS.values())


def test_a_formula_may_run_over_lines_and_begin_with_spaces() -> None:
    assert value("  size +\n  class\n") == 5


def test_a_formula_knows_which_tables_it_looks_up() -> None:
    assert compile_formula("plants['HMT'] + guns['pop'].cost + size", SCOPE).uses == {"plants", "guns"}


# What is refused when a formula is read


@pytest.mark.parametrize(
    ("text", "kind", "found", "offset"),
    [
        ("", "syntax", "the end of the formula", 0),
        ("size +", "syntax", "the end of the formula", 6),
        ("size size", "syntax", "size", 5),
        ("(size", "syntax", "(size", 0),
        ("size)", "syntax", ")", 4),
        ("size = 3", "syntax", "= 3", 5),
        ("size × 2", "syntax", "×", 5),
        ("'a\\n'", "syntax", "\\", 2),
        ("mount == “turret”", "syntax", "“", 9),
        ("010", "syntax", "010", 0),
        ("1; 2", "syntax", "; 2", 1),
        ("size ** 2", "forbidden", "size ** 2", 0),
        ("2 + size << 1", "forbidden", "2 + size << 1", 0),
        ("1 + ~size", "forbidden", "~size", 4),
        ("+size", "forbidden", "+size", 0),
        ("lambda: 1", "forbidden", "lambda: 1", 0),
        ("2 + f'{size}'", "forbidden", "f'{size}'", 4),
        ("(x := 1)", "forbidden", "x := 1", 1),
        ("{1: 2}", "forbidden", "{1: 2}", 0),
        ("max(*weapons.class)", "forbidden", "*weapons.class", 4),
        ("guns['a':'b']", "forbidden", "'a':'b'", 5),
        ("(size + 1).real", "forbidden", "(size + 1).real", 0),
        ("w.cost.real", "forbidden", "w.cost.real", 0),
        ("(guns)['pop']['x']", "forbidden", "(guns)['pop']['x']", 0),
        ("b'x'", "forbidden", "b'x'", 0),
        ("1j", "forbidden", "1j", 0),
        ("...", "forbidden", "...", 0),
        ("size == None", "forbidden", "None", 8),
        ("99999999999999999999", "forbidden", "99999999999999999999", 0),
        ("1e3", "forbidden", "1e3", 0),
        ("1e999999999", "forbidden", "1e999999999", 0),
        ("1e-999999999", "forbidden", "1e-999999999", 0),
        ("0x10", "forbidden", "0x10", 0),
        ("1_000", "forbidden", "1_000", 0),
        ("size * 'x'", "forbidden", "'x'", 7),
        ("1 + plants['HTM']", "word", "HTM", 11),
        ("guns['pop' if size > 1 else 'canon'].cost", "word", "canon", 28),
        ("impact['HEF', 'infntry']", "word", "infntry", 14),
        ("'x' + 'y'", "forbidden", "'x'", 0),
        ("size is 3", "syntax", "is 3", 5),
        ("max(size, default=1)", "forbidden", "default=...", 0),
        ("floor()", "forbidden", "0 arguments", 0),
        ("1 + floor(1, 2)", "forbidden", "2 arguments", 4),
        ("2 * siez", "unknown", "siez", 4),
        ("2 * siez.cost", "unknown", "siez", 4),
        ("2 * w.kost", "form", "kost", 6),
        ("weapons.weight", "form", "weight", 8),
        ("1 + guns['pop'].kost", "form", "kost", 16),
        ("size.cost", "name", "size.cost", 0),
        ("size.__class__", "name", "size.__class__", 0),
        ("w.__class__", "form", "__class__", 2),
        ("2 * guns", "name", "guns", 4),
        ("size[1]", "name", "size", 0),
        ("impact['HEF']", "form", "1 key", 0),
        ("plants['HMT', 3]", "form", "2 keys", 0),
        ("1 + open('x')", "name", "open", 4),
        ("eval('1')", "name", "eval", 0),
        ("__import__('os').system('x')", "name", "__import__('os').system", 0),
        ("2 + plant['HMT']", "table", "plant", 4),
    ],
)
def test_what_is_not_allowed_is_refused_at_its_place(text: str, kind: str, found: str, offset: int) -> None:
    error = refused(text)
    assert (error.kind, error.found, error.offset) == (kind, found, offset)


def test_a_place_is_counted_from_the_first_letter_of_the_formula() -> None:
    assert refused("   2 * siez").offset == 4
    assert refused("class * class * siez").offset == 16


@pytest.mark.parametrize(
    ("text", "hint"),
    [
        ("siez", "did you mean size?"),
        ("weapon.class", "did you mean weapons?"),
        ("w.clas", "did you mean class?"),
        ("gun['pop'].cost", "did you mean guns?"),
        ("rond_half_up(1)", "did you mean round_half_up?"),
        ("colour", ""),
        ("size × 2", "write *"),
        ("size x 2", "write *"),
        ("size = 2", "write =="),
        ("size => 2", "write >="),
        ("not (size = 2)", "write =="),
        ("max(size x 4, 2)", "write *"),
        ("size > 1 && size < 3", "write and"),
        ("size === 2", "check brackets and signs"),
        ("= size", "check brackets and signs"),
    ],
)
def test_a_near_miss_is_named(text: str, hint: str) -> None:
    assert refused(text).hint == hint


def test_the_names_that_there_are_are_listed_and_tables_only_where_one_is_wanted() -> None:
    assert refused("colour").expected == "one of class, mount, size, stealth, w, weapons"
    assert refused("colours[1]").hint == "tables here: guns, impact, plants"
    assert refused("colour", Scope()).expected == "no names here"


# Limits


def test_a_formula_may_be_as_long_as_a_paragraph_and_no_longer() -> None:
    longest = "1" + " + 1" * 20
    assert value(longest.ljust(MAX_LENGTH)) == 21
    assert refused(longest.ljust(MAX_LENGTH + 1)).kind == "forbidden"


@pytest.mark.parametrize("text", ["not " * 90 + "size", "-" * 90 + "1", "2 ** " + "-" * 400 + "1", "-" * 499 + "1"])
def test_nesting_ends_somewhere_and_never_in_a_crash(text: str) -> None:
    assert refused(text).kind == "forbidden"


def test_brackets_that_python_cannot_count_are_a_slip_like_any_other() -> None:
    assert value("(" * 60 + "size" + ")" * 60) == 3
    assert refused("(" * 240 + "size" + ")" * 240).kind == "syntax"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (f"sum([{', '.join(['size'] * 60)}])", 180),
        (f"count(({', '.join(['size'] * 60)}))", 60),
        (" and ".join(["size == 3"] * 35), True),
        (" or ".join(["size == 4"] * 35), False),
        ("+".join(["size"] * 70), 210),
        (" - ".join(["100", *["size"] * 60]), -80),
        ("1 <= " * 80 + "1", True),
        (" + ".join(["(size - 1)"] * 35), 70),
        (f"({'+'.join(['1'] * 45)}) * ({'+'.join(['1'] * 45)}) * ({'+'.join(['1'] * 45)})", 45**3),
    ],
)
def test_a_formula_may_be_wide_without_being_deep(text: str, expected: object) -> None:
    assert value(text) == expected
    assert working(compile_formula(text, SCOPE), VALUES)


def test_a_long_sum_is_reckoned_from_the_left() -> None:
    assert value("100 - 1 + 2 - 3 * 4 / 2 // 1 % 5") == 100
    assert value("2 - 3 - 4 - (5 - 6)") == -4
    assert value("(1,) + (2,) + (3,)") == (1, 2, 3)
    assert unanswered("1 / 0 + mount") == "a division by zero"
    assert refused("1 ** 2 + siez * 3").found == "1 ** 2"
    assert refused("1 + siez + 'x'").found == "'x'"
    assert refused("colour + siez").found == "colour"


def test_brackets_inside_a_long_sum_count_as_they_nest() -> None:
    assert refused("1 + " * 3 + "-" * 90 + "1").found == "deep nesting"
    assert value("1 + " * 3 + "-" * 30 + "1") == 4


def test_thirty_levels_are_no_problem() -> None:
    assert value("-" * 30 + "size") == 3


def test_numbers_grow_to_sixty_digits_and_no_further() -> None:
    assert value("999999999999999999 * 999999999999999999") == 999999999999999999**2
    assert "sixty digits" in unanswered(
        "999999999999999999 * 999999999999999999 * 999999999999999999 * 999999999999999999"
    )
    assert "sixty digits" in unanswered("1" + " / 999999999999999999" * 4)


def test_lists_end_somewhere() -> None:
    assert len(value(f"times(1, {MAX_LIST})")) == MAX_LIST
    assert str(MAX_LIST) in unanswered(f"times(1, {MAX_LIST + 1})")
    assert str(MAX_LIST) in unanswered(f"times(1, {MAX_LIST}) + (1,)")
    assert "-1" in unanswered(f"times((1, 2), ({10**18}, -1))")


# What has no answer when a formula is used


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("1 / 0", "a division by zero"),
        ("size // (class - 2)", "a division by zero"),
        ("size % 0", "a division by zero"),
        ("mount * size", "values that do not go together"),
        ("size + mount", "values that do not go together"),
        ("stealth + 1", "values that do not go together"),
        ("size < mount", "values that do not go together"),
        ("3 * (1, 2)", "values that do not go together"),
        ("(1, 2) * 3", "values that do not go together"),
        ("(1, 2) - (1,)", "values that do not go together"),
        ("'a' in 'abc'", "values that do not go together"),
        ("floor(mount)", "values that do not go together"),
        ("round_half_up(mount)", "values that do not go together"),
        ("[times(1, 6000), times(1, 6000)]", "at most 10000"),
        ("times(times(1, 100), 101)", "at most 10000"),
        ("sum(size)", "values that do not go together"),
        ("-mount", "values that do not go together"),
        ("nth((1, 2), 3)", "there is no number 3 in a list of 2"),
        ("nth((1, 2), 0)", "there is no number 0 in a list of 2"),
        ("times((1, 2), (1, 2, 3))", "lists of 2 and 3 entries that go together"),
        ("where(weapons.class, (1, 2, 3), 1)", "lists of 2 and 3 entries that go together"),
        ("up(7)", "D7 is not on the ladder"),
        ("plants[mount]", "no row for ('turret',)"),
    ],
)
def test_what_has_no_answer_says_why(text: str, reason: str) -> None:
    assert reason in unanswered(text)


def test_a_name_without_a_value_says_which() -> None:
    with pytest.raises(FormulaUseError, match="class is not known here"):
        compile_formula("size + class", SCOPE)({"size": 3})


# Rows


def test_a_look_up_can_give_the_row_itself_even_of_a_table_with_one_value() -> None:
    formula, table = compile_lookup("plants['HMT']", SCOPE)
    assert formula(VALUES) == {"plant": "HMT", "percent": 40}
    assert table.columns == {"plant", "percent"}


@pytest.mark.parametrize("text", ["size", "plants['HMT'].percent", "plants['HMT'] + 1", "3", "'x'"])
def test_only_a_look_up_gives_a_row(text: str) -> None:
    with pytest.raises(FormulaError) as caught:
        compile_lookup(text, SCOPE)
    assert (caught.value.kind, caught.value.found) == ("forbidden", text)


def test_a_row_is_refused_as_any_formula_is() -> None:
    for text in ("x" * (MAX_LENGTH + 1), "plants[“HMT”]", "plants['HMT'"):
        with pytest.raises(FormulaError):
            compile_lookup(text, SCOPE)


# Working


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("5 * size - 1", "5 × 3 − 1"),
        ("w.cost * class", "7 × 2"),
        ("size * plants['HMT'] / 100", "3 × 40 ÷ 100"),
        ("guns['pop'].cost + max(weapons.class)", "3 + 3"),
        ("5 if size > 2 else 1", "5"),
        ("size if size > 3 else class * 2", "2 × 2"),
        ("(size + 1) * 2", "(3 + 1) × 2"),
        ("0.5 * size", "0.5 × 3"),
    ],
)
def test_the_working_shows_the_figures(text: str, told: str) -> None:
    assert working(compile_formula(text, SCOPE), VALUES) == told


def test_the_working_shows_a_value_as_a_decimal() -> None:
    assert working(compile_formula("size / 2 + 0.5", SCOPE), {**VALUES, "size": Fraction(48, 5)}) == "9.6 ÷ 2 + 0.5"


@pytest.mark.parametrize("value", ["(a) b", tuple(range(100))])
def test_the_working_keeps_the_brackets_of_a_value(value: object) -> None:
    told = working(compile_formula("size", SCOPE), {**VALUES, "size": value})
    assert str(value).startswith(told.rstrip("…"))


def test_looking_at_the_working_leaves_the_formula_as_it_was() -> None:
    formula = compile_formula("size + 1", SCOPE)
    working(formula, VALUES)
    assert formula({"size": 10}) == 11
    assert formula.text == "size + 1"


TYPED = Scope({"flag": TRUTH, "number": VALUE})


@pytest.mark.parametrize(
    "text",
    [
        "flag + 1", "-flag", "2 * (number > 1)", "flag > 0", "flag == 1", "max(number, flag)", "count('abc')",
        "1 if number + 1 else 2", "not (1, 2)", "flag and 3", "floor('3')",
    ],
)  # fmt: skip
def test_a_slip_of_sorts_is_refused_where_it_stands(text: str) -> None:
    with pytest.raises(FormulaError) as refused:
        compile_formula(text, TYPED)
    assert refused.value.kind == "forbidden"
    assert text[refused.value.offset :].startswith(refused.value.found)


@pytest.mark.parametrize(
    "text", ["number + 1", "-number", "number > 0", "number == 1", "sum([number])", "number in [2, 1]"]
)
def test_yes_is_no_number_where_only_the_value_tells(text: str) -> None:
    formula = compile_formula(text, TYPED)
    assert formula({"number": 1}) == eval(text.replace("number", "1"))  # noqa: S307 - Python's own arithmetic
    with pytest.raises(FormulaUseError, match="yes or no"):
        formula({"number": True})


def test_a_mark_of_yes_is_not_the_number_1() -> None:
    formula = compile_formula("where([5], [number], 1)", TYPED)
    assert formula({"number": 1}) == (5,)
    with pytest.raises(FormulaUseError, match="yes or no"):
        formula({"number": True})


def test_a_number_is_no_condition_where_only_the_value_tells() -> None:
    formula = compile_formula("1 if number else 2", TYPED)
    assert [formula({"number": value}) for value in (True, False, None)] == [1, 2, 2]
    with pytest.raises(FormulaUseError, match="condition"):
        formula({"number": 3})


def test_a_working_says_yes_and_no() -> None:
    assert working(compile_formula("1 if flag == yes else 2", TYPED), {"flag": True}) == "1"
    assert working(compile_formula("flag == no", TYPED), {"flag": True}) == "yes = no"


def test_a_working_keeps_the_signs_in_texts() -> None:
    formula = compile_formula("kind != 'a - b' and size - 1 <= 3", Scope({"kind": VALUE, "size": VALUE}))
    assert working(formula, {"kind": "<= c / d", "size": 3}) == "<= c / d ≠ a - b and 3 − 1 ≤ 3"


def test_many_states_at_once_give_what_single_calls_give() -> None:
    formula = compile_formula("class / size > 1 and 'turret' in [mount]", SCOPE)
    values, states = {"mount": "turret"}, [(1, 3), (3, 1), (2, 2)]
    expected = [formula({**values, "size": size, "class": number}) for size, number in states]
    assert formula.each(dict(values), ["size", "class"], states, holds=False) == expected == [True, False, False]
    assert compile_formula("7", SCOPE).each({}, [], {(): 5}, holds=False) == [7]


@pytest.mark.parametrize(
    ("text", "holds"), [("12 / size", False), ("12 / size > 1", True), ("size if size < 1 else yes", True)]
)
def test_a_state_without_an_answer_has_the_error_of_a_call(text: str, holds: bool) -> None:  # noqa: FBT001 - a case
    formula = compile_formula(text, SCOPE)
    formula.place = "here"
    with pytest.raises(FormulaUseError) as single:
        (formula.holds if holds else formula)({"size": 0})
    with pytest.raises(FormulaUseError) as several:
        formula.each({}, ["size"], [(3,), (0,), (2,)], holds=holds)
    assert (several.value.reason, several.value.place) == (single.value.reason, "here")


def test_a_product_of_yes_is_refused_after_the_same_product_of_1() -> None:
    formula = compile_formula("class * size", SCOPE)
    assert formula({"class": 1, "size": Fraction(1, 2)}) == Fraction(1, 2)
    with pytest.raises(FormulaUseError, match="yes or no"):
        formula({"class": True, "size": Fraction(1, 2)})
