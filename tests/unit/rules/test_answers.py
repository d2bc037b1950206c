"""Procedures and their exact answers: dice against dice, a die against a number, tables, repeated rolls, notes."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Any

import pytest

from generator.problems import Problem, ProblemsError
from generator.rules.check.ruleset import MAX_COMBINATIONS, check_ruleset, combinations
from generator.rules.procedures.answers import answer

if TYPE_CHECKING:
    from generator.rules.procedures.procedure import Procedure
    from tests.conftest import Bench

HEAD = """\
procedure: duel
title: Duel
cite: p. 9
inputs:
  wall: {label: Wall, range: 0..3}
  gun: {label: Gun, from: guns, default: pop}
outcomes:
  - {outcome: hit, label: Hit}
  - {outcome: chipped, label: Chipped}
  - {outcome: missed, label: Missed}
cases:
"""


def duel(bench: Bench, *cases: str, more: str = "") -> Procedure:
    """A procedure with these cases, which has to be without problems."""
    bench.write("tin/procedures/duel.yaml", HEAD + "".join(f"  - {{{case}}}\n" for case in cases) + more)
    return bench.rules().procedures["duel"]


def chances(procedure: Procedure, **inputs: Any) -> dict[str, Fraction]:
    return {one.id: chance for one, chance in answer(procedure, {"wall": 0, "gun": "pop", **inputs}).outcomes}


def odds(hit: str, chipped: str, missed: str) -> dict[str, Fraction]:
    return {"hit": Fraction(hit), "chipped": Fraction(chipped), "missed": Fraction(missed)}


def opposed(attacker: str, defender: str, level: str = "missed") -> str:
    """A case with the best of some dice against the best of others."""
    rolls = ((name, f"{{dice: [{dice}], highest: 1}}") for name, dice in (("mine", attacker), ("theirs", defender)))
    return (
        f"rolls: [{', '.join(f'{{roll: {name}, pool: {pool}}}' for name, pool in rolls)}], results: "
        f"[{{outcome: hit, when: mine > theirs}}, {{outcome: {level}, when: mine == theirs}}, {{outcome: missed}}]"
    )


def against(die: str, passed: str, outcome: str = "hit") -> str:
    """A case with a die that gives an outcome where a condition holds."""
    return (
        f'rolls: [{{roll: it, die: {die}}}], results: [{{outcome: {outcome}, when: "{passed}"}}, {{outcome: missed}}]'
    )


def on_table(die: str) -> str:
    """A case with a die for a look-up in a table."""
    return against(die, "effects[it].outcome == 'chipped'", "chipped")


# Rolls


def test_an_outcome_without_a_roll_is_certain(bench: Bench) -> None:
    assert chances(duel(bench, "always: hit")) == odds("1", "0", "0")


def test_dice_against_dice(bench: Bench) -> None:
    assert chances(duel(bench, opposed("6", "6", "chipped"))) == odds("15/36", "6/36", "15/36")


def test_the_best_of_several_dice_counts_on_either_side(bench: Bench) -> None:
    assert chances(duel(bench, opposed("4, 4", "4", "chipped"))) == odds("34/64", "16/64", "14/64")
    assert chances(duel(bench, opposed("4", "4, 4", "chipped"))) == odds("14/64", "16/64", "34/64")


def test_dice_may_come_from_tables_and_shift(bench: Bench) -> None:
    by_table = duel(bench, opposed('"up(guns[gun].die)"', "8"))
    assert chances(by_table, gun="pop") == odds("35/80", "0", "45/80")
    assert chances(by_table, gun="cannon") == odds("60/96", "0", "36/96")


def test_a_roll_may_go_on_to_a_table(bench: Bench) -> None:
    assert chances(duel(bench, on_table("6"))) == odds("0", "1/2", "1/2")


def test_a_die_against_a_number(bench: Bench) -> None:
    at_least = duel(bench, against("6", "it >= 4 + wall"))
    assert [chances(at_least, wall=wall)["hit"] for wall in range(4)] == [Fraction(n, 6) for n in (3, 2, 1, 0)]
    above = duel(bench, against("6", "it > 4"))
    assert chances(above) == odds("2/6", "0", "4/6")


def test_of_several_rolls_the_outcome_that_is_listed_first_counts(bench: Bench) -> None:
    once = chances(duel(bench, opposed("6", "6", "chipped")))
    thrice = chances(duel(bench, f"{opposed('6', '6', 'chipped')}, times: 3"))
    assert thrice["missed"] == once["missed"] ** 3
    assert thrice["hit"] == 1 - (1 - once["hit"]) ** 3
    assert sum(thrice.values()) == 1


def test_the_first_case_that_fits_is_taken(bench: Bench) -> None:
    several = duel(bench, "when: wall == 0, always: hit", "when: wall < 2, always: chipped", "always: missed")
    assert [chances(several, wall=wall) for wall in (0, 1, 2)] == [
        odds("1", "0", "0"),
        odds("0", "1", "0"),
        odds("0", "0", "1"),
    ]


def test_outcomes_that_do_not_apply_are_left_out(bench: Bench) -> None:
    procedure = duel(bench, "when: wall == 0, always: hit", "always: missed")
    bench.change("tin/procedures/duel.yaml", "label: Chipped}", "label: Chipped, when: wall > 1}")
    procedure = bench.rules().procedures["duel"]
    assert list(chances(procedure, wall=1)) == ["hit", "missed"]
    assert list(chances(procedure, wall=2)) == ["hit", "chipped", "missed"]


def test_notes_of_the_case_and_of_the_procedure_are_carried(bench: Bench) -> None:
    procedure = duel(
        bench, "when: wall == 0, always: hit, note: no wall", "always: missed",
        more="notes:\n  - {when: wall == 0, note: all open}\n  - {when: gun == 'cannon', note: loud}\n",
    )  # fmt: skip
    assert answer(procedure, {"wall": 0, "gun": "cannon"}).notes == ("no wall", "all open", "loud")
    assert answer(procedure, {"wall": 1, "gun": "pop"}).notes == ()


# No answer


@pytest.mark.parametrize(
    ("case", "reason"),
    [
        ("when: wall > 0, always: hit", "no case fits (wall=0 gun=pop)"),
        (opposed('"walls[wall]"', "6"), "there is no die to roll"),
        (opposed("6", '"walls[wall + 3]"'), "the table walls has no row for 3"),
        (opposed("5.5", "6"), "5.5 sides of a die, not 1 to 1000"),
        (opposed("0", "6"), "0 sides of a die, not 1 to 1000"),
        (opposed("1000000000", "6"), "1000000000 sides of a die, not 1 to 1000"),
        (opposed("gun", "6"), "pop sides of a die, not 1 to 1000"),
        (opposed("yes", "6"), "yes sides of a die, not 1 to 1000"),
        (f"{opposed('6', '6')}, times: wall", "0 rolls, not 1 to 1000"),
        (f"{opposed('6', '6')}, times: 3 / 2", "1.5 rolls, not 1 to 1000"),
        (f"{opposed('6', '6')}, times: 100000000", "100000000 rolls, not 1 to 1000"),
        (on_table("8"), "the table effects has no row for 7"),
        (on_table("5.5"), "5.5 sides of a die"),
        (against("6", "it >= gun"), "values that do not go together"),
        ("always: hit, when: gun > 3", "values that do not go together"),
    ],
)
def test_rule_data_without_an_answer_says_why(bench: Bench, case: str, reason: str) -> None:
    procedure = duel(bench, case)
    with pytest.raises(ProblemsError) as caught:
        chances(procedure)
    (problem,) = caught.value.problems
    assert problem.code == "R241"
    assert reason in problem.found
    assert problem.span.file.endswith("procedures/duel.yaml")


def test_an_outcome_that_leans_on_an_input_that_was_not_asked_for_says_so(bench: Bench) -> None:
    duel(bench, "always: hit")
    bench.change("tin/procedures/duel.yaml", "default: pop}", "default: pop, when: wall > 0}")
    bench.change("tin/procedures/duel.yaml", "label: Missed}", "label: Missed, when: gun == 'pop'}")
    with pytest.raises(ProblemsError) as caught:
        answer(bench.rules().procedures["duel"], {"wall": 0})
    assert "gun is not known here (wall=0)" in caught.value.problems[0].found


# Checks of the whole


def checked(bench: Bench) -> list[Problem]:
    problems: list[Problem] = []
    check_ruleset(bench.rules(), problems)
    return problems


def test_a_procedure_that_answers_every_question_is_fine(bench: Bench) -> None:
    duel(bench, "always: hit")
    assert checked(bench) == []


def test_the_first_combination_without_an_answer_is_told(bench: Bench) -> None:
    duel(bench, "when: wall < 2, always: hit")
    (problem,) = checked(bench)
    assert (problem.code, problem.found) == ("R241", "no case fits (wall=2 gun=pop)")


def test_chances_that_do_not_add_up_to_one_are_told(bench: Bench) -> None:
    duel(bench, opposed("6", "6", "chipped"))
    bench.change("tin/procedures/duel.yaml", "label: Chipped}", "label: Chipped, when: wall < 3}")
    (problem,) = checked(bench)
    assert (problem.code, problem.field) == ("R233", "outcomes")
    assert problem.found == "outcomes with the sum 5/6 for wall=3 gun=pop"


def test_each_procedure_is_told_of_once(bench: Bench) -> None:
    duel(bench, "when: wall > 9, always: hit")
    bench.change("tin/procedures/shoot.yaml", "when: wall == 0", "when: wall == 9")
    assert [one.code for one in checked(bench)] == ["R241", "R241"]


def test_combinations_are_those_that_apply_together(bench: Bench) -> None:
    found = list(combinations(bench.rules().procedures["shoot"]))
    assert len(found) == 2 * 3 * (2 + 1 + 1)
    assert {"gun": "pop", "wall": 0, "shots": 1, "aimed": True} in found
    assert {"gun": "pop", "wall": 0, "shots": 2} in found
    assert len({tuple(one.items()) for one in found}) == len(found)


def test_combinations_stop_somewhere(bench: Bench) -> None:
    bench.change("tin/procedures/shoot.yaml", "range: 1..3, default: 1", "range: 1..9999, default: 1")
    bench.change("tin/procedures/shoot.yaml", "{label: Wall, from: walls}", "{label: Wall, range: 0..9999}")
    assert len(list(combinations(bench.rules().procedures["shoot"]))) == MAX_COMBINATIONS


def test_a_condition_of_an_input_that_has_no_answer_is_told(bench: Bench) -> None:
    duel(bench, "always: hit")
    bench.change("tin/procedures/duel.yaml", "default: pop}", 'default: pop, when: "walls[wall] == none"}')
    assert [one.found for one in checked(bench)] == ["the table walls has no row for 3 (wall=3)"]
