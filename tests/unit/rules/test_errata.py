"""Errata: examples of a source that break its own rule, and their arithmetic."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from generator.rules.check.ruleset import check_ruleset
from generator.rules.describe.browse import statements
from generator.rules.formulas.compiler import compile_formula
from generator.rules.formulas.scope import VALUE, Scope
from generator.rules.formulas.working import arithmetic

if TYPE_CHECKING:
    from generator.problems import Problem
    from generator.rules.entries.compiled import Compiled
    from tests.conftest import Bench


def entry(working: str = "10 // 3", holds: str = "3", erratum: str = "crate", cite: str = "p. 3") -> str:
    said = f", working: {working}" if working else ""
    return (
        f"  - {{erratum: {erratum}, title: Shots at a crate, printed: 6, holds: {holds}{said}, cite: {cite}, "
        "note: Rounded up.}\n"
    )


def write(bench: Bench, *entries: str, ruleset: str = "tin") -> None:
    bench.write(f"{ruleset}/errata.yaml", "errata:\n" + "".join(entries))


def errata(bench: Bench, ruleset: str = "tin") -> tuple[Compiled, ...]:
    return bench.rules(ruleset).errata


# What is read


def test_a_rule_set_need_not_have_any(bench: Bench) -> None:
    assert errata(bench) == ()


def test_an_erratum_keeps_its_words_and_is_certified_as_one(bench: Bench) -> None:
    write(bench, entry())
    (one,) = errata(bench)
    assert (one.id, one.owner, one.title, one.printed, one.holds) == ("crate", "tin", "Shots at a crate", "6", "3")
    assert one.working == "10 // 3"
    assert (one.provenance.cite_text, one.provenance.status, one.provenance.note) == (
        "Tin p. 3",
        "erratum",
        "Rounded up.",
    )


def test_what_holds_may_be_words_where_nothing_is_reckoned(bench: Bench) -> None:
    write(bench, entry(working="", holds="as many as you like"))
    (one,) = errata(bench)
    assert (one.holds, one.working) == ("as many as you like", "")


def test_the_errata_of_parents_come_first(bench: Bench) -> None:
    write(bench, entry(erratum="b"), entry(erratum="a"))
    write(bench, entry(erratum="c", cite="line 9"), ruleset="steel")
    assert [(one.id, one.owner) for one in errata(bench, "steel")] == [("b", "tin"), ("a", "tin"), ("c", "steel")]
    assert errata(bench, "steel")[2].provenance.cite_text == "Steel line 9"
    assert [one.id for one in errata(bench)] == ["b", "a"]


def test_a_layer_may_have_an_erratum_of_the_same_id(bench: Bench) -> None:
    write(bench, entry())
    write(bench, entry(), ruleset="steel")
    assert [one.owner for one in errata(bench, "steel")] == ["tin", "steel"]


def test_an_erratum_is_a_statement(bench: Bench) -> None:
    write(bench, entry())
    told = [one for one in statements(bench.rules("steel")) if one.provenance.status == "erratum"]
    assert [(one.owner, one.subject, one.key, one.value) for one in told] == [
        ("tin", "Example", "Shots at a crate", "3, not 6")
    ]
    assert [one for one in statements(bench.rules("steel"), parents=False) if one.provenance.status == "erratum"] == []


def test_errata_are_read_with_sheets_alone(bench: Bench) -> None:
    write(bench, entry(holds="4"))
    assert bench.problems() == ["R234 tin/errata.yaml:2:66 4"]
    assert bench.rules(only=[("procedures", "shoot")]).errata == ()
    assert [one.code for one in bench.load("tin", only=[("sheets", "quick")])[1]] == ["R234"]


# The arithmetic


@pytest.mark.parametrize(
    ("working", "holds"),
    [
        ("6 * 3 + 6 * 3", "36"),
        ("10 / 2", "5"),
        ("48 / 5", '"9.6"'),
        ("1 / 3", '"1/3"'),
        ("1 / 2", '"1/2"'),
        ("1 / 2", '"0.50"'),
        ("-1 / 2", '"-2/4"'),
        ("10 // 3", '"3"'),
        ("floor((10 * 5 - 28) / 5)", "4"),
        ("guns['cannon'].cost - guns['pop'].cost", "5"),
        ("walls[2]", "8"),
        ("'pop' if guns['pop'].cost < 4 else 'cannon'", "pop"),
        ("2 > 1", '"yes"'),
        ("17", "17"),
    ],
)
def test_a_working_comes_to_what_holds(bench: Bench, working: str, holds: str) -> None:
    write(bench, entry(f'"{working}"', holds))
    assert len(errata(bench)) == 1


@pytest.mark.parametrize(
    ("working", "holds", "expected"),
    [
        ("6 * 3", "36", "18"),
        ("48 / 5", "9", "9.6"),
        ("1 / 3", '"0.33"', "1/3"),
        ("1 / 2", '"1/0"', "0.5"),
        ("walls[0]", "8", "nothing"),
        ("2 > 1", "1", "yes"),
        ("(1, 2)", "1", "a list"),
    ],
)
def test_a_working_that_comes_to_something_else_is_told_at_what_holds(
    bench: Bench, working: str, holds: str, expected: str
) -> None:
    write(bench, entry(f'"{working}"', holds))
    (problem,) = bench.load("tin")[1]
    assert (problem.code, problem.field, problem.found) == ("R234", "errata[0].holds", holds.strip('"'))
    assert problem.expected == expected


def test_a_working_knows_the_options(bench: Bench) -> None:
    bench.change("tin/ruleset.yaml", "source: book\n",
                 "source: book\noptions: {level: {label: Level, range: 0..9, default: 3, cite: p. 9}}\n")  # fmt: skip
    write(bench, entry("10 // level"))
    assert len(errata(bench)) == 1
    write(bench, entry("9 // level", "4"))
    assert bench.problems() == ["R234 tin/errata.yaml:2:66 4"]


def test_an_erratum_speaks_of_its_source_however_players_set_the_options(bench: Bench) -> None:
    bench.change("tin/ruleset.yaml", "source: book\n",
                 "source: book\noptions: {level: {label: Level, range: 0..9, default: 3, cite: p. 9}}\n")  # fmt: skip
    write(bench, entry("10 // level"))
    bench.set("level=0")
    assert [one.working for one in errata(bench)] == ["10 // level"]


def test_an_erratum_speaks_of_its_source_whatever_layers_change(bench: Bench) -> None:
    write(bench, entry("\"guns['pop'].cost * 2\"", "6"))
    write(bench, entry("\"guns['pop'].cost * 2\"", "8", cite="line 9"), ruleset="steel")
    assert [one.holds for one in errata(bench)] == ["6"]
    assert [one.holds for one in errata(bench, "steel")] == ["6", "8"]
    write(bench, entry("\"guns['pop'].cost * 2\"", "6"), ruleset="steel")
    bench.layer("brass", 'set: "tables.guns[cannon].cost", was: 8, to: 7, reason: Cheaper., cite: x')
    for asked in ("steel", "steel+brass"):
        assert bench.problems(asked) == ["R234 steel/errata.yaml:2:66 6"]


@pytest.mark.parametrize(
    ("working", "code", "caret"),
    [
        ("10 / 0", "R234", '"10 / 0"'),
        ("walls[7]", "R234", '"walls[7]"'),
        ("'pop' * size", "R222", "'pop'"),
        ("10 / crates", "R223", "crates"),
        ("guns['pop'].kost", "R223", "kost"),
        ("gunz['pop'].cost", "R225", "gunz"),
        ("10 /", "R221", ""),
        ("open('x')", "R223", "open"),
    ],
)
def test_a_working_that_has_no_answer_is_one_problem_at_its_place(
    bench: Bench, working: str, code: str, caret: str
) -> None:
    write(bench, entry(f'"{working}"'))
    (problem,) = bench.load("tin")[1]
    assert problem.code == code
    assert problem.field == "errata[0].working"
    assert problem.span.text[problem.span.column - 1 :].startswith(caret)


@pytest.mark.parametrize("slip", ["unreadable", "row", "word"])
def test_nothing_is_said_of_a_working_that_leans_on_a_broken_table(bench: Bench, slip: str) -> None:
    write(bench, entry("\"guns['pop'].cost + 1\"", "99"))
    if slip == "unreadable":
        bench.write("tin/tables/guns.yaml", "table: [\n")
    elif slip == "row":
        bench.change("tin/tables/guns.yaml", "die: D6", "die: D0")
    else:
        bench.change("tin/tables/guns.yaml", "{type: text, label: Gun}", "{type: text, label: Gun, from: walls}")
    assert "R234" not in {one[:4] for one in bench.problems()}
    assert len(bench.problems()) == (2 if slip == "word" else 1)


def test_a_table_that_only_a_working_leans_on_is_used(bench: Bench) -> None:
    bench.write(
        "tin/tables/crates.yaml",
        "table: crates\ntitle: Crates\ncite: p. 3\nkey: [crate]\ncolumns:\n  crate: {type: word, label: Crate}\n"
        "  hits: {type: int, label: Hits}\nrows: [{crate: wood, hits: 3}]\n",
    )

    def told() -> list[str]:
        problems: list[Problem] = []
        check_ruleset(bench.rules(), problems)
        return [one.code for one in problems]

    assert told() == ["R235"]
    write(bench, entry("\"crates['wood']\""))
    assert told() == []


# Slips of the file


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("errata: []\n", "R203 tin/errata.yaml:1:9 an empty list"),
        ("errata: {}\n", "R203 tin/errata.yaml:1:9 a list of keys with values"),
        ("", "R203 tin/errata.yaml:1:1 nothing"),
        ("erata: [x]\n", "R202 tin/errata.yaml:1:1 the key erata"),
        ("errata:\n" + entry() + entry(), "R207 tin/errata.yaml:3:15 the erratum crate again"),
        ("errata:\n" + entry(cite="{page: p. 9}"), "R208 tin/errata.yaml:2:100 the source page"),
        ("errata:\n" + entry().replace(", cite: p. 3", ""), "R201 tin/errata.yaml:2:5 nothing"),
        ("errata:\n" + entry().replace(", note: Rounded up.", ""), "R201 tin/errata.yaml:2:5 nothing"),
        ("errata:\n" + entry().replace("Rounded up.", "x"), "R203 tin/errata.yaml:2:105 x"),
        ("errata:\n" + entry(holds="9.6"), "R203 tin/errata.yaml:2:66 9.6"),
        ("errata:\n" + entry(erratum="A crate"), "R203 tin/errata.yaml:2:15 A crate"),
        ("errata:\n" + entry("[3]"), "R203 tin/errata.yaml:2:78 a list"),
    ],
)
def test_a_slip_is_one_problem(bench: Bench, text: str, problem: str) -> None:
    bench.write("tin/errata.yaml", text)
    assert bench.problems() == [problem]
    assert bench.problems("steel") == [problem]


# In print


@pytest.mark.parametrize(
    ("text", "printed"),
    [
        ("6 * 3 + 10 / 5 - 1", "6 × 3 + 10 ÷ 5 − 1"),
        ("-3 * -2", "-3 × -2"),
        ("floor(7 / 2)", "7 ÷ 2, rounded down"),
        ("ceil(7 / 2)", "7 ÷ 2, rounded up"),
        ("round_half_up(7 / 2)", "7 ÷ 2, rounded, a half up"),
        ("floor(7 / 2) + 1", "(7 ÷ 2, rounded down) + 1"),
        ("max(floor(7 / 2), 1)", "(7 ÷ 2, rounded down), at least 1"),
        ("min(9, size) * 2", "(size, at most 9) × 2"),
        ("max(size, 1, 2)", "max(size, 1, 2)"),
        ("(2 + 3) * 4", "(2 + 3) × 4"),
        ("size * 2", "size × 2"),
        (5, "5"),
    ],
)
def test_a_working_is_printed_as_it_stands_in_printed_signs(text: str | int, printed: str) -> None:
    assert arithmetic(compile_formula(text, Scope({"size": VALUE}))) == printed
