"""Names in rule data are looked up: a slip is refused where it stands, with the name that was meant."""

from __future__ import annotations

from copy import deepcopy
from typing import TYPE_CHECKING, Any

import pytest

from generator.commands.access import open_library
from generator.rules.check.references import check_cells
from generator.rules.check.ruleset import check_sheet
from generator.rules.entries.tables import Table, read_table
from generator.rules.load.load import ALL, load
from generator.rules.model.table import TableModel
from generator.rules.source.library import SCENARIO
from generator.rules.source.parts import CitationResolver, Part

if TYPE_CHECKING:
    from generator.problems import Problem
    from generator.rules.ruleset import RuleSet
    from tests.conftest import Bench

LONG = 3
"""Letters of a word that is still like the one meant when two of them change places."""


def with_tables(name: str) -> RuleSet:
    """A shipped rule set with its tables, those for scenarios too."""
    problems: list[Problem] = []
    rules = load(open_library(), name, problems, [("tables", ALL), (SCENARIO, ALL)])
    assert problems == []
    assert rules is not None
    return rules


def slip(word: str) -> str:
    """The word with its last two letters that differ turned round.

    >>> slip("HVC"), slip("line")
    ('HCV', 'lien')
    """
    turned = next((n for n in range(len(word) - 1, 0, -1) if word[n] != word[n - 1]), 0)
    return word[: turned - 1] + word[turned] + word[turned - 1] + word[turned + 1 :] if turned else f"{word}x"


def changed(rules: RuleSet, table: Table, row: int, column: str, value: object) -> tuple[Table, list[Problem]]:
    """A table with one cell changed in memory, and the problems of reading it."""
    was: Part = table.place.inside
    part = Part(was.owner, was.document)
    part.value = deepcopy(was.value)
    part.value["rows"][row][column] = value
    problems: list[Problem] = []
    resolvers = {
        owner: CitationResolver(head.source, rules.sources, problems) for owner, head in rules.manifests.items()
    }
    return read_table(part, TableModel.model_validate(part.value), resolvers), problems


@pytest.mark.parametrize("name", open_library().ids())
def test_a_slip_in_any_key_column_of_a_shipped_table_is_refused(name: str) -> None:
    rules = with_tables(name)
    tried = 0
    for table in rules.tables.values():
        for column in table.key if table.owner == name and table.rows else ():
            if table.rows[-1].place.span().file != table.place.span().file:
                continue  # rows in a mission's file have the name of the file and a number as their key
            cell: Any = table.place.inside.value["rows"][-1][column]
            about = table.column(column)
            if table.id == "names":
                continue  # any name of a place is right
            wrong = slip(cell) if about.type in ("word", "text") else "x"
            there, problems = changed(rules, table, len(table.rows) - 1, column, wrong)
            if not problems:
                check_cells(there, rules.tables, problems)
            [problem] = [one for one in problems if one.code == "R206"]
            place = table.rows[-1].place / column
            assert (problem.span, problem.found) == (place.span(), wrong)
            if about.type in ("word", "text"):
                assert problem.hint.startswith("did you mean") or len(cell) < LONG, (table.id, column)
                assert cell in problem.hint + problem.expected
            tried += 1
    assert tried > 0


def test_heavy_vehicle_cannons_are_not_misspelt_on_paper() -> None:
    rules = with_tables("dirtside2")
    table = rules.tables["weapon-ranges"]
    row = next(number for number, row in enumerate(table.rows) if row["weapon"] == "HVC")
    there, problems = changed(rules, table, row, "weapon", "HCV")
    check_cells(there, rules.tables, problems)
    [problem] = problems
    assert (problem.code, problem.found, problem.hint) == ("R206", "HCV", "did you mean HVC?")
    assert problem.span.text[problem.span.column - 1 :].startswith("HVC")


def test_a_column_and_an_input_may_take_the_words_of_several_tables(bench: Bench) -> None:
    bench.write(
        "tin/tables/bows.yaml",
        "table: bows\ntitle: Bows\ncite: p. 9\nkey: [bow]\ncolumns:\n"
        "  bow: {type: word, label: Bow}\nrows:\n  - {bow: long}\n",
    )
    bench.write(
        "tin/tables/shots.yaml",
        "table: shots\ntitle: Shots\ncite: p. 9\nkey: [arm]\ncolumns:\n"
        "  arm: {type: word, label: Arm, from: [guns, bows]}\nrows:\n  - {arm: pop}\n  - {arm: long}\n",
    )
    bench.change("tin/procedures/shoot.yaml", "gun: {label: Gun, from: guns}", "gun: {label: Gun, from: [guns, bows]}")
    assert bench.problems() == []
    choice = bench.rules().procedures["shoot"].input("gun")
    assert choice is not None
    assert choice.choice.values == ("pop", "cannon", "long")
    bench.change("tin/tables/shots.yaml", "arm: long", "arm: logn")
    assert bench.problems() == ["R206 tin/tables/shots.yaml:9:11 logn"]


def test_each_table_of_a_list_is_there(bench: Bench) -> None:
    bench.change("tin/procedures/shoot.yaml", "gun: {label: Gun, from: guns}", "gun: {label: Gun, from: [guns, bows]}")
    assert bench.problems() == ["R225 tin/procedures/shoot.yaml:5:34 the table bows"]


def test_a_table_that_several_parts_miss_is_reported_once(bench: Bench) -> None:
    bench.change("tin/procedures/shoot.yaml", "gun: {label: Gun, from: guns}", "gun: {label: Gun, from: gunz}")
    bench.change("tin/kinds/tank.yaml", "{label: Gun, from: guns}", "{label: Gun, from: gunz}")
    rules, problems = bench.load("tin")
    assert [one.code for one in problems] == ["R225"]
    assert rules is not None
    assert not rules.kinds
    assert not rules.procedures


def test_a_name_that_is_right_in_one_model_is_wrong_in_another(bench: Bench) -> None:
    limits = ("{limit: one, each: weapons, that: count <= 9", "{limit: two, that: wall <= 9")
    text = "".join(f"  - {limit}, blame: gun, says: A., cite: p. 6}}\n" for limit in limits)
    bench.change("tin/kinds/tank.yaml", "limits:\n", f"limits:\n{text}")
    assert bench.problems() == ["R223 tin/kinds/tank.yaml:21:42 gun"]


def test_a_list_stands_for_what_varies_alone(bench: Bench) -> None:
    bench.change("tin/sheets/quick.yaml", "given: {shots: 2}", "given: {shots: [1, 2]}")
    rules = bench.rules()
    problems: list[Problem] = []
    check_sheet(rules, rules.sheets["quick"], problems)
    assert [(one.code, one.found) for one in problems] == [("R203", "a list")]
