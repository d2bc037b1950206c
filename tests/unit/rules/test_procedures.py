"""Procedures as they are read: one problem for each mistake, none for what follows from it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from tests.conftest import Bench

SHOOT = "tin/procedures/shoot.yaml"


def test_a_procedure_keeps_its_words_and_its_order(bench: Bench) -> None:
    shoot = bench.rules().procedures["shoot"]
    assert (shoot.id, shoot.owner, shoot.title, shoot.birth.cite_text) == ("shoot", "tin", "Shooting", "Tin p. 4")
    assert [one.name for one in shoot.inputs] == ["gun", "wall", "shots", "aimed"]
    assert [one.id for one in shoot.outcomes] == ["hit", "chipped", "missed"]
    assert [case.note for case in shoot.cases] == ["no wall", ""]
    assert shoot.input("wall") is shoot.inputs[1]
    assert shoot.input("walls") is None


@pytest.mark.parametrize(
    ("old", "new", "code", "caret"),
    [
        ("always: hit", "always: hits", "R226", "hits"),
        ("above: hit", "above: hits", "R226", "hits"),
        ("below: missed", "below: mist", "R226", "mist"),
        ("level: {roll: 6, table: effects}", "level: levelled", "R226", "levelled"),
        ("table: effects", "table: effect", "R225", "effect}"),
        ("table: effects", "table: walls", "R225", "walls}"),
        ("roll: 6", "roll: six", "R223", "six"),
        ("times: shots", "times: shot", "R223", "shot"),
        ('"guns[gun].die"', '"guns[gun].dye"', "R223", "dye"),
        ('"walls[wall]"', '"walls[wall, 1]"', "R223", "walls[wall, 1]"),
        ("when: shots == 1", "when: aimed", "R223", "aimed"),
        ("when: shots == 1", "when: shot == 1", "R223", "shot"),
        ("{when: shots > 2", "{when: shots >", "R221", ", note"),
        ("range: 1..3, default: 1", "range: 1..3, default: 4", "R203", "4"),
        ("range: 1..3, default: 1", "range: 1..3, of: [a]", "R224", "{label: Shots"),
        ("range: 1..3, default: 1", "range: 3..1", "R203", "3..1"),
        ("yes_no: true, default: false", "yes_no: true, default: never", "R203", "never"),
        ("from: walls", "from: wals", "R225", "wals"),
        ("{outcome: chipped, label: Chipped}", "{outcome: hit, label: Chipped}", "R207", "hit, label: Chipped"),
        ("cite: p. 4\n", "", "R209", "procedure: shoot"),
        ("cite: p. 4", "cite: {page: p. 4}", "R208", "p. 4"),
        ("    always: hit\n    note: no wall\n", "    note: no wall\n", "R224", "when: wall == 0"),
    ],
)
def test_a_slip_is_one_problem_at_its_place(bench: Bench, old: str, new: str, code: str, caret: str) -> None:
    bench.change(SHOOT, old, new)
    first, *more = bench.load("tin")[1]
    assert first.code == code
    assert first.span.file.endswith(SHOOT)
    assert first.span.text[first.span.column - 1 :].startswith(caret)
    if code != "R207":  # there the table rolls an outcome that is gone
        assert more == []


def test_an_input_that_is_misspelt_is_told_once_however_many_formulas_use_it(bench: Bench) -> None:
    bench.change(SHOOT, "  shots: {label", "  shuts: {label")
    assert [(one.code, one.found) for one in bench.load("tin")[1]] == [("R223", "shots")]


def test_two_names_that_are_not_there_are_two_problems(bench: Bench) -> None:
    bench.change(SHOOT, "when: wall == 0", "when: wal == 0")
    bench.change(SHOOT, "{when: shots > 2", "{when: shuts > 2")
    assert [one.found for one in bench.load("tin")[1]] == ["wal", "shuts"]


def test_an_outcome_that_is_not_there_is_told_once(bench: Bench) -> None:
    bench.change(SHOOT, "{outcome: hit,", "{outcome: strike,")
    assert [(one.code, one.found) for one in bench.load("tin")[1]] == [("R226", "hit")]


@pytest.mark.parametrize("slip", ["gun: 3, words", "gun: pop, gun: pip, words"])
def test_a_table_that_could_not_be_read_to_the_end_makes_no_procedure_complain(bench: Bench, slip: str) -> None:
    bench.change("tin/tables/guns.yaml", "gun: pop, words", slip)
    bench.change(SHOOT, "{label: Gun, from: guns}", "{label: Gun, from: guns, default: pop}")
    assert len(bench.load("tin")[1]) == 1


def test_a_table_of_outcomes_that_could_not_be_read_makes_no_procedure_complain(bench: Bench) -> None:
    bench.change("tin/tables/effects.yaml", "outcome: chipped", "outcome: 3")
    assert [one.code for one in bench.load("tin")[1]] == ["R206"]
    bench.write("tin/tables/effects.yaml", "table: [\n")
    assert [one.code for one in bench.load("tin")[1]] == ["F105"]


def test_a_column_without_an_outcome_in_some_row_is_no_unknown_outcome(bench: Bench) -> None:
    bench.change(
        "tin/tables/effects.yaml", "{type: word, label: Outcome}", "{type: word, label: Outcome, optional: true}"
    )
    bench.change("tin/tables/effects.yaml", "outcome: chipped", "outcome: null")
    assert bench.problems() == []
