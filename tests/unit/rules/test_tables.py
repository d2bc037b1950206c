"""Tables: what a cell may hold, how rows are looked up, and the problems of bad cells."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Any

import pytest

from generator.parsing.yaml12 import read_yaml
from generator.resources import rulesdata
from generator.rules.formulas.errors import FormulaUseError

if TYPE_CHECKING:
    from generator.rules.entries.tables import Table
    from tests.conftest import Bench

HEAD = "table: things\ntitle: Things\ncite: p. 7\nkey: [id]\ncolumns:\n  id: {type: int, label: No.}\n"


def things(bench: Bench, column: str, *cells: str) -> None:
    """A table whose rows 1, 2, 3... hold these cells in a column ``it``."""
    rows = "".join(f"  - {{id: {number}, it: {cell}}}\n" for number, cell in enumerate(cells, start=1))
    bench.write("tin/tables/things.yaml", f"{HEAD}  it: {{{column}, label: It}}\nrows:\n{rows}")


def values(bench: Bench) -> list[Any]:
    return [row["it"] for row in bench.rules().tables["things"].rows]


@pytest.mark.parametrize(
    ("column", "cells", "expected"),
    [
        ("type: int", ["3", "-2", "0"], [3, -2, 0]),
        ("type: int, range: 1..3", ["1", "3"], [1, 3]),
        ("type: number", ["2.5", "3", "-0.1"], [Fraction(5, 2), 3, Fraction(-1, 10)]),
        ("type: die", ["D4", "D6", "D8", "D10", "D12"], [4, 6, 8, 10, 12]),
        ("type: die, optional: true", ["D4", "null", "~"], [4, None, None]),
        ("type: word", ["turret", "no"], ["turret", "no"]),
        ("type: word, of: [a, b]", ["a", "b"], ["a", "b"]),
        ("type: word, from: guns", ["pop", "cannon"], ["pop", "cannon"]),
        ("type: text", ["Any text.", '"3"'], ["Any text.", "3"]),
        ("type: yes_no", ["yes", "no", "true", "false"], [True, False, True, False]),
        ("type: span", ["3", '"2..6"', '"-3..-1"'], [(3, 3), (2, 6), (-3, -1)]),
        ("type: words", ["[a, b]", "[]"], [("a", "b"), ()]),
        ("type: words, of: [a, b]", ["[b]"], [("b",)]),
        ("type: words, from: guns", ["[pop, cannon]"], [("pop", "cannon")]),
    ],
)
def test_a_column_holds_what_its_type_says(bench: Bench, column: str, cells: list[str], expected: list[Any]) -> None:
    things(bench, column, *cells)
    assert values(bench) == expected


@pytest.mark.parametrize(
    ("column", "cell", "expected"),
    [
        ("type: int", "2.5", "a whole number"),
        ("type: int", '"3"', "a whole number"),
        ("type: int", "true", "a whole number"),
        ("type: int, range: 1..3", "4", "1 to 3"),
        ("type: number", "x", "a number"),
        ("type: number", "false", "a number"),
        ("type: number, range: 1..3", "3.01", "1 to 3"),
        *(
            ("type: die", cell, "a die such as D8, D20 or 2D6")
            for cell in ("D1", "D1001", "41D6", "0D6", "8", "[D8]", "2D")
        ),
        *(("type: target", cell, "a number to reach") for cell in ("x", "4++", '"-4"', "4.5", "yes")),
        ("type: target, range: 2..6", "7+", "2 to 6"),
        ("type: word", "3", "a word"),
        ("type: word, of: [a, b]", "c", "one of a, b"),
        ("type: text", "3", "a text"),
        ("type: yes_no", "maybe", "yes or no"),
        ("type: yes_no", "1", "yes or no"),
        ("type: yes_no", "[yes]", "yes or no"),
        ("type: span", "x", 'a number, or from and to such as "2..6"'),
        ("type: span", '"6..2"', "the smaller number first"),
        ("type: span", "[1, 2]", 'a number, or from and to such as "2..6"'),
        ("type: span", f'"{"9" * 5000}"', 'a number, or from and to such as "2..6"'),
        ("type: words", "a", "a list of words in square brackets"),
        ("type: words", "[1]", "a list of words in square brackets"),
        ("type: words, of: [a, b]", "[a, c]", "one of a, b"),
        ("type: int", "null", "a value for it"),
    ],
)
def test_a_wrong_cell_is_refused_at_its_place(bench: Bench, column: str, cell: str, expected: str) -> None:
    things(bench, column, cell)
    (problem,) = bench.load("tin")[1]
    assert (problem.code, problem.field, problem.expected) == ("R206", "rows[0].it", expected)
    assert problem.span.text[problem.span.column - 1 :].startswith(cell)


@pytest.mark.parametrize(
    ("column", "cell"), [("type: word, from: guns", "canon"), ("type: words, from: guns", "[pop, canon]")]
)
def test_a_word_must_be_in_the_table_that_lists_the_words(bench: Bench, column: str, cell: str) -> None:
    things(bench, column, cell)
    (problem,) = bench.load("tin")[1]
    assert (problem.code, problem.expected, problem.hint) == ("R206", "one of pop, cannon", "did you mean cannon?")


def test_words_of_a_table_that_could_not_be_read_are_taken_as_they_are(bench: Bench) -> None:
    things(bench, "type: word, from: guns", "canon")
    bench.change("tin/tables/guns.yaml", "die: D6", "die: D0")
    assert bench.problems() == ["R206 tin/tables/guns.yaml:12:37 D0"]


def test_all_slips_of_a_table_are_told_at_once(bench: Bench) -> None:
    things(bench, "type: die", "D1", "D6", "D0")
    assert bench.problems() == ["R206 tin/tables/things.yaml:9:17 D1", "R206 tin/tables/things.yaml:11:17 D0"]


def test_a_table_with_a_slip_does_not_make_others_complain(bench: Bench) -> None:
    bench.change("tin/tables/guns.yaml", "{gun: pop,", "{gun: 3,")
    bench.change("tin/kinds/tank.yaml", "{label: Gun, from: guns}", "{label: Gun, from: guns, default: pop}")
    assert bench.problems() == ["R206 tin/tables/guns.yaml:12:11 3"]
    rules, _ = bench.load("tin")
    assert rules is not None
    assert "guns" not in rules.tables
    assert "shoot" not in rules.procedures


def test_what_leans_on_a_table_with_a_slip_is_checked_once_the_table_is_right(bench: Bench) -> None:
    bench.change("tin/tables/guns.yaml", "die: D6", "die: D0")
    bench.change("tin/kinds/tank.yaml", "count * g.cost", "count * g.kost")
    assert bench.problems() == ["R206 tin/tables/guns.yaml:12:37 D0"]
    bench.change("tin/tables/guns.yaml", "die: D0", "die: D6")
    assert bench.problems() == ["R223 tin/kinds/tank.yaml:17:101 kost"]


# Look-ups


def walls(bench: Bench) -> Table:
    return bench.rules().tables["walls"]


def test_a_row_is_found_by_its_key(bench: Bench) -> None:
    assert walls(bench).find((2,))["die"] == 8


def test_a_key_without_a_row_says_so(bench: Bench) -> None:
    with pytest.raises(FormulaUseError, match="the table walls has no row for 3"):
        walls(bench).find((3,))


def test_a_span_is_found_by_every_number_in_it(bench: Bench) -> None:
    effects = bench.rules().tables["effects"]
    assert [effects.find((face,))["outcome"] for face in range(1, 7)] == ["chipped"] * 3 + ["missed"] * 3
    with pytest.raises(FormulaUseError, match="no row for 7"):
        effects.find((7,))


def test_a_key_of_several_columns_is_found_as_a_whole(bench: Bench) -> None:
    bench.write(
        "tin/tables/pairs.yaml",
        "table: pairs\ntitle: Pairs\ncite: x\nkey: [a, roll]\ncolumns:\n  a: {type: word, label: A}\n"
        '  roll: {type: span, label: Roll}\n  it: {type: int, label: It}\nrows:\n  - {a: x, roll: "1..3", it: 1}\n'
        '  - {a: y, roll: "1..3", it: 2}\n  - {a: x, roll: 4, it: 3}\n',
    )
    pairs = bench.rules().tables["pairs"]
    assert [pairs.find(key)["it"] for key in (("x", 2), ("y", 3), ("x", 4))] == [1, 2, 3]


def test_the_names_of_a_table_are_those_of_its_name_column(bench: Bench) -> None:
    tables = bench.rules().tables
    assert tables["guns"].names() == {"pop": "Pop gun", "cannon": "Big cannon"}
    assert tables["walls"].names() == {0: "0", 1: "1", 2: "2"}


def test_a_die_without_a_printed_name_is_named_as_a_die(bench: Bench) -> None:
    columns = "{die: {type: die, label: Die}, words: {type: text, label: Words, optional: true}}"
    rows = "[{die: D6, words: Green}, {die: D8}]"
    text = f"table: luck\ntitle: Luck\ncite: x\nkey: [die]\nname: words\ncolumns: {columns}\nrows: {rows}\n"
    bench.write("tin/tables/luck.yaml", text)
    bench.change("tin/kinds/tank.yaml", "{label: Wall, range: 0..2}", "{label: Wall, from: luck}")
    rules = bench.rules()
    assert rules.tables["luck"].names() == {6: "Green", 8: "D8"}
    assert next(field.choice.read("D8") for field in rules.kinds["tank"].fields if field.choice) == 8


def test_columns_are_asked_for_by_name(bench: Bench) -> None:
    assert walls(bench).column("die").label == "Die"
    with pytest.raises(KeyError):
        walls(bench).column("dye")


# Certificates


def test_a_row_has_the_certificate_of_its_table_but_for_what_it_says_itself(bench: Bench) -> None:
    nothing, low, _ = walls(bench).rows
    assert (nothing.provenance.cite_text, nothing.provenance.status, nothing.provenance.note) == (
        "Tin p. 2",
        "ruled",
        "No wall, no die.",
    )
    assert (low.provenance.cite_text, low.provenance.status, low.provenance.note) == ("Tin p. 2", "plain", "")


def test_a_row_takes_status_and_note_of_its_table_and_may_say_otherwise(bench: Bench) -> None:
    bench.change(
        "tin/tables/effects.yaml", "cite: p. 3\n", "cite: p. 3\nstatus: read\nsupport: agreed\nnote: A blot.\n"
    )
    bench.change("tin/tables/effects.yaml", "outcome: missed", 'outcome: missed, status: plain, note: "", cite: p. 4')
    first, second = bench.rules().tables["effects"].rows
    assert (first.provenance.status, first.provenance.support, first.provenance.note) == ("read", "agreed", "A blot.")
    assert (second.provenance.status, second.provenance.note, second.provenance.cite_text) == ("plain", "", "Tin p. 4")


def test_a_citation_may_name_several_sources(bench: Bench) -> None:
    bench.change("tin/ruleset.yaml", "short: Tin}", "short: Tin}\n  post: {title: A posting, short: Post}")
    bench.change("tin/tables/effects.yaml", "cite: p. 3", "cite: {book: p. 3, post: second line}")
    assert bench.rules().tables["effects"].provenance.cite_text == "Tin p. 3; Post second line"


def test_the_dice_of_the_shipped_games_are_those_that_shift() -> None:
    """Any die may stand in a table; these games have none but D4 to D12."""
    dice = 0
    for file in rulesdata().glob("*/tables/*.yaml"):
        document, _ = read_yaml(file, file.name)
        assert document is not None
        table: Any = document.value
        columns = [name for name, one in table["columns"].items() if one["type"] == "die"]
        for cell in (row.get(name) for row in table["rows"] for name in columns):
            assert cell in (None, "D4", "D6", "D8", "D10", "D12"), file
            dice += cell is not None
    assert dice > 100
