"""Questions: key=value, ranges and lists, defaults, and every slip at its place."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

import pytest

from generator.parsing.text import split_words
from generator.problems import Problem, ProblemsError
from generator.rules.procedures.answers import complete_inputs
from generator.rules.procedures.questions import answer_all, ask, read_question

if TYPE_CHECKING:
    from generator.rules.procedures.answers import Answer
    from tests.conftest import Bench


def answers(bench: Bench, *words: str) -> tuple[Answer, ...]:
    return ask(bench.rules().procedures["shoot"], split_words(words))


def inputs(bench: Bench, *words: str) -> list[dict[str, object]]:
    return [dict(one.inputs) for one in answers(bench, *words)]


def refused(bench: Bench, *words: str) -> tuple[Problem, ...]:
    with pytest.raises(ProblemsError) as caught:
        answers(bench, *words)
    return caught.value.problems


def test_a_question_is_completed_with_defaults_in_the_order_of_the_procedure(bench: Bench) -> None:
    (only,) = inputs(bench, "wall=1", "gun=pop")
    assert list(only.items()) == [("gun", "pop"), ("wall", 1), ("shots", 1), ("aimed", False)]


def test_an_input_that_does_not_apply_is_left_out(bench: Bench) -> None:
    assert inputs(bench, "gun=pop", "wall=1", "shots=2") == [{"gun": "pop", "wall": 1, "shots": 2}]


def test_names_are_read_as_people_write_them(bench: Bench) -> None:
    (only,) = inputs(bench, "gun=big CANNON", "wall=1", "aimed=Yes")
    assert (only["gun"], only["aimed"]) == ("cannon", True)


@pytest.mark.parametrize(
    ("said", "walls"),
    [
        ("0..2", [0, 1, 2]),
        ("1..1", [1]),
        ("0,2", [0, 2]),
        ("2,0", [2, 0]),
        ("0..1,2", [0, 1, 2]),
        ("1,0..2", [1, 0, 2]),
    ],
)
def test_ranges_and_lists_make_several_cells(bench: Bench, said: str, walls: list[int]) -> None:
    assert [one["wall"] for one in inputs(bench, "gun=pop", f"wall={said}")] == walls


def test_a_range_of_words_goes_by_their_order(bench: Bench) -> None:
    assert [one["gun"] for one in inputs(bench, "gun=pop..cannon", "wall=1")] == ["pop", "cannon"]


def test_the_first_input_that_varies_is_outermost(bench: Bench) -> None:
    cells = [(one["gun"], one["wall"]) for one in inputs(bench, "wall=0..1", "gun=pop,cannon")]
    assert cells == [("pop", 0), ("cannon", 0), ("pop", 1), ("cannon", 1)]


def test_a_printed_name_with_a_comma_is_one_value(bench: Bench) -> None:
    bench.change("tin/tables/guns.yaml", "words: Big cannon", 'words: "Cannon, big"')
    assert [one["gun"] for one in inputs(bench, "gun=Cannon, big", "wall=1")] == ["cannon"]


def test_the_chances_are_those_of_the_inputs(bench: Bench) -> None:
    (no_wall, low) = answers(bench, "gun=pop", "wall=0..1")
    assert no_wall.chance("hit") == 1
    assert low.chance("hit") == Fraction(15, 36)
    assert low.chance("chipped", "missed") == Fraction(21, 36)


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (("gun=pop", "wall"), [("R311", 9, "wall")]),
        (("gun=", "=1"), [("R311", 1, "gun="), ("R311", 6, "=1")]),
        (("", "wall=1"), [("R311", 1, "nothing")]),
        (("gun=pop", "wal=1", "walll=1"), [("R312", 9, "wal"), ("R312", 15, "walll")]),
        (("gun=pop", "gun=pop"), [("R312", 9, "gun twice")]),
        (("gun=pup", "wall=1,3,2,x"), [("R313", 5, "pup"), ("R313", 16, "3"), ("R313", 20, "x")]),
        (("gun=pop", "wall=2..0"), [("R313", 14, "2..0")]),
        (("gun=pop", "wall=0..9"), [("R313", 14, "0..9")]),
        (("gun=pop", "wall=1,"), [("R313", 16, "nothing")]),
        (("wall=1",), [("R314", 7, "nothing")]),
        ((), [("R314", 1, "nothing"), ("R314", 1, "nothing")]),
        (("gun=pop", "wall=1", "shots=2..3", "aimed=yes"), [("R316", 27, "aimed")]),
    ],
)
def test_slips_are_told_at_their_columns(
    bench: Bench, words: tuple[str, ...], expected: list[tuple[str, int, str]]
) -> None:
    problems = refused(bench, *words)
    assert [(one.code, one.span.column, one.found) for one in problems] == expected
    assert {(one.span.file, one.span.line) for one in problems} == {("command line", 1)}


def test_missing_inputs_are_told_together_with_what_they_may_be(bench: Bench) -> None:
    assert [(one.expected, one.hint) for one in refused(bench)] == [
        ("gun=...", "Gun: pop, cannon"),
        ("wall=...", "Wall: 0 to 2"),
    ]


def test_what_hangs_on_a_missing_input_is_not_asked_for(bench: Bench) -> None:
    bench.change("tin/procedures/shoot.yaml", "aimed: {label: Aimed, yes_no: true, default: false, when: shots == 1}",
                 "aimed: {label: Aimed, yes_no: true, when: wall == 1}")  # fmt: skip
    assert [one.field for one in refused(bench)] == ["gun", "wall"]


def test_at_most_three_inputs_vary(bench: Bench) -> None:
    bench.change("tin/procedures/shoot.yaml", ", when: shots == 1", "")
    varied = ("gun=pop,cannon", "wall=1..2", "shots=1..2")
    assert len(answers(bench, *varied)) == 8
    (problem,) = refused(bench, *varied, "aimed=yes,no")
    assert (problem.code, problem.span.column) == ("R315", 37)


def test_inputs_with_values_of_their_own_type_are_completed_too(bench: Bench) -> None:
    shoot = bench.rules().procedures["shoot"]
    assert complete_inputs(shoot, {"gun": "pop", "wall": 2}) == {"gun": "pop", "wall": 2, "shots": 1, "aimed": False}
    with pytest.raises(ProblemsError) as caught:
        complete_inputs(shoot, {"gun": "pop"})
    assert [one.code for one in caught.value.problems] == ["R314"]


def test_a_condition_without_an_answer_is_a_problem_of_the_rule_data(bench: Bench) -> None:
    bench.change("tin/procedures/shoot.yaml", "when: shots == 1", 'when: "walls[shots].die == 6"')
    (problem,) = refused(bench, "gun=pop", "wall=1", "shots=3")
    assert (problem.code, problem.found) == ("R241", "the table walls has no row for 3 (gun=pop wall=1 shots=3)")


def test_an_input_answers_to_its_other_names(bench: Bench) -> None:
    declared = "  shots: {label: Shots, range: 1..3, default: 1}"
    bench.change("tin/procedures/shoot.yaml", declared, declared.replace("Shots,", "Shots, also: [rounds, n_shots],"))
    for name in ("shots", "SHOTS", "rounds", "n-shots"):
        assert [one["shots"] for one in inputs(bench, "gun=pop", "wall=1", f"{name}=2")] == [2]
    (problem,) = refused(bench, "gun=pop", "wall=1", "shots=2", "rounds=2")
    assert (problem.code, problem.found) == ("R312", "rounds twice")


@pytest.mark.parametrize(
    "text", ["1..99999999999999", "-99999999999999..1", "..1", "1..", "0...2", "2..0", "low..high"]
)
def test_a_wrong_range_is_refused_with_a_right_one(bench: Bench, text: str) -> None:
    (problem,) = refused(bench, "gun=pop", f"wall={text}")
    assert (problem.code, problem.found) == ("R313", text)
    assert "0..2" in problem.hint


def test_a_range_of_fractions_with_whole_ends_has_whole_numbers(bench: Bench) -> None:
    declared = "shots: {label: Shots, range: 1..3, default: 1}"
    fractions = "shots: {label: Shots, fractions: {to: 3, parts: [2, 4]}, default: 1}"
    bench.change("tin/procedures/shoot.yaml", declared, fractions)
    bench.change("tin/procedures/shoot.yaml", "times: shots", "times: 1")

    def shots(said: str) -> list[object]:
        return [one["shots"] for one in inputs(bench, "gun=pop", "wall=1", f"shots={said}")]

    assert shots("0..3") == [0, 1, 2, 3]
    assert shots("1/2..1") == [Fraction(1, 2), Fraction(3, 4), 1]
    (problem,) = refused(bench, "gun=pop", "wall=1", "shots=1e999999999")
    assert problem.found == "1e999999999"
    (problem,) = refused(bench, "gun=pop", "wall=1", "shots=1/3")
    assert problem.expected == "0 to 3, or a fraction of 2 or 4 parts such as 11/4"


def test_an_input_counts_where_it_applies_when_it_does_so_anywhere(bench: Bench) -> None:
    aimed = [
        (one["shots"], one.get("aimed")) for one in inputs(bench, "gun=pop", "wall=1", "aimed=no,yes", "shots=1..3")
    ]
    assert aimed == [(1, False), (2, None), (3, None), (1, True)]


def test_an_input_that_is_looked_along_applies_everywhere(bench: Bench) -> None:
    shoot = bench.rules().procedures["shoot"]
    question = read_question(shoot, split_words(("gun=pop", "wall=1", "shots=1..2", "aimed=no,yes")))
    with pytest.raises(ProblemsError) as caught:
        answer_all(shoot, question, needed=("aimed",))
    assert [(one.code, one.field) for one in caught.value.problems] == [("R316", "aimed")]
