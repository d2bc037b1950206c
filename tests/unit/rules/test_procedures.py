"""Procedures as they are read: one problem for each mistake, none for what follows from it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from generator.rules.check.ruleset import check_ruleset
from generator.rules.describe.browse import statements

if TYPE_CHECKING:
    from generator.problems import Problem
    from generator.rules.procedures.procedure import Procedure
    from tests.conftest import Bench

SHOOT = "tin/procedures/shoot.yaml"


def test_a_procedure_keeps_its_words_and_its_order(bench: Bench) -> None:
    shoot = bench.rules().procedures["shoot"]
    assert (shoot.id, shoot.owner, shoot.title, shoot.provenance.cite_text) == ("shoot", "tin", "Shooting", "Tin p. 4")
    assert [one.name for one in shoot.inputs] == ["gun", "wall", "shots", "aimed"]
    assert [one.id for one in shoot.outcomes] == ["hit", "chipped", "missed"]
    assert [case.note for case in shoot.cases] == ["no wall", ""]
    assert shoot.input("wall") is shoot.inputs[1]
    assert shoot.input("walls") is None


@pytest.mark.parametrize(
    ("old", "new", "code", "caret"),
    [
        ("always: hit", "always: hits", "R226", "hits"),
        ("outcome: missed}", "outcome: mist}", "R226", "mist"),
        ("effects[effect]", "effect[effect]", "R223", "effect[effect]"),
        ("defence, die: 6", "defence, die: six", "R223", "six"),
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
        (
            "{outcome: missed, label: Missed}",
            "{outcome: missed, label: x}\n  - {outcome: missed, label: y}",
            "R207",
            "missed, label: y",
        ),
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
    assert more == []


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("always: hit", "always: hits"),
        ("range: 1..3, default: 1", "range: 1..3, default: 4"),
        ("when: wall == 0", "when: wal == 0"),
        ("effects[effect]", "walls[effect]"),
        ('"walls[wall]"', '"walls[wal]"'),
        ("times: shots", "times: shuts"),
        ("{when: shots > 2", "{when: shots >"),
        ("label: Chipped}", "label: Chipped, when: wal > 0}"),
        ("cite: p. 4", "cite: {page: p. 4}"),
    ],
)
def test_a_procedure_with_a_slip_is_left_out_and_the_others_are_there(bench: Bench, old: str, new: str) -> None:
    bench.write("tin/procedures/walk.yaml", "procedure: walk\ntitle: Walking\ncite: p. 9\nsteps: [Go.]\n")
    bench.change(SHOOT, old, new)
    rules, _ = bench.load("tin")
    assert rules is not None
    assert set(rules.procedures) == {"walk"}


def test_an_input_that_is_misspelt_is_told_once_however_many_formulas_use_it(bench: Bench) -> None:
    bench.change(SHOOT, "  shots: {label", "  shuts: {label")
    assert [(one.code, one.found) for one in bench.load("tin")[1]] == [("R223", "shots")]


def test_two_names_that_are_not_there_are_two_problems(bench: Bench) -> None:
    bench.change(SHOOT, "when: wall == 0", "when: wal == 0")
    bench.change(SHOOT, "{when: shots > 2", "{when: shuts > 2")
    assert [one.found for one in bench.load("tin")[1]] == ["wal", "shuts"]


def test_an_outcome_that_is_not_there_is_told_once(bench: Bench) -> None:
    bench.change(SHOOT, "{outcome: hit, label", "{outcome: strike, label")
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
    bench.change("tin/tables/effects.yaml", "label: Outcome, free: true", "label: Outcome, free: true, optional: true")
    bench.change("tin/tables/effects.yaml", "outcome: chipped", "outcome: null")
    assert bench.problems() == []


# Steps


WALK = """\
procedure: walk
title: Walking
says: One after the other.
cite: p. 9
steps:
  - Move **every** squad.
  - {step: rest, says: Rest., cite: p. 10}
  - {step: fog, says: Stay together., when: fog}
  - step: camp
    says: Make camp.
    status: ruled
    note: Page 9 forgets it.
"""
FOG = "options: {fog: {label: Fog, yes_no: true, default: false, cite: p. 9}}\n"


def walk(bench: Bench, old: str = "", new: str = "") -> Procedure:
    """A procedure without dice, in a rule set with an option."""
    assert WALK.count(old) == 1 or not old
    bench.write("tin/procedures/walk.yaml", WALK.replace(old, new) if old else WALK)
    head = (bench.folder / "tin/ruleset.yaml").read_text(encoding="utf-8")
    if FOG not in head:
        bench.write("tin/ruleset.yaml", f"{head}{FOG}")
    return bench.rules().procedures["walk"]


def checked(bench: Bench) -> list[Problem]:
    problems: list[Problem] = []
    check_ruleset(bench.rules(), problems)
    return problems


def test_a_procedure_without_dice_is_its_steps_and_has_nothing_to_answer(bench: Bench) -> None:
    steps = walk(bench)
    assert [(one.id, one.says) for one in steps.steps] == [
        ("", "Move **every** squad."),
        ("rest", "Rest."),
        ("fog", "Stay together."),
        ("camp", "Make camp."),
    ]
    assert (steps.inputs, steps.outcomes, steps.cases, steps.remarks) == ((), (), (), ())
    assert checked(bench) == []


def test_a_step_has_a_certificate_where_it_says_something_of_its_own(bench: Bench) -> None:
    plain, rest, fog, camp = walk(bench).steps
    assert (plain.provenance, fog.provenance) == (None, None)
    assert rest.provenance is not None
    assert camp.provenance is not None
    assert (rest.provenance.cite_text, rest.provenance.status) == ("Tin p. 10", "plain")
    assert (camp.provenance.cite_text, camp.provenance.status, camp.provenance.note) == (
        "Tin p. 9",
        "ruled",
        "Page 9 forgets it.",
    )


def test_steps_hold_as_the_options_are_set(bench: Bench) -> None:
    assert [one.id for one in walk(bench).steps_now()] == ["", "rest", "camp"]
    bench.set("fog=yes")
    assert [one.id for one in bench.rules().procedures["walk"].steps_now()] == ["", "rest", "fog", "camp"]


def test_a_condition_of_a_step_may_look_a_table_up(bench: Bench) -> None:
    assert len(walk(bench, "when: fog", 'when: "walls[1] == 6"').steps_now()) == 4


@pytest.mark.parametrize(
    ("old", "new", "code", "caret"),
    [
        ("step: fog", "step: rest", "R207", "rest, says: Stay"),
        ("step: fog, ", "", "R201", "{says: Stay"),
        ("says: Stay together., ", "", "R201", "{step: fog"),
        ("step: fog", "step: Fog", "R203", "Fog"),
        ("step: fog", "stepp: fog", "R202", "stepp"),
        ("when: fog", "when: mist", "R223", "mist"),
        ("when: fog", "when: fog and", "R221", ""),
        ("when: fog", "when: 1 / fog", "R222", "fog"),
        ("when: fog", 'when: "walls[7] == 6"', "R241", '"walls[7]'),
        ("when: fog", 'when: "walls[1] == 6 and walls[wall] == 6"', "R223", "wall]"),
        ("cite: p. 10", "cite: {page: p. 10}", "R208", "p. 10"),
        ("    note: Page 9 forgets it.\n", "", "R209", "step: camp"),
        ("cite: p. 9\n", "", "R209", "procedure: walk"),
        ("  - Move **every** squad.\n", "  - 3\n", "R203", "3"),
        ("  - Move **every** squad.\n", "  - [a]\n", "R203", "[a]"),
    ],
)
def test_a_slip_in_a_step_is_one_problem_at_its_place(bench: Bench, old: str, new: str, code: str, caret: str) -> None:
    walk(bench)
    bench.change("tin/procedures/walk.yaml", old, new)
    (problem,) = bench.load("tin")[1]
    assert problem.code == code
    assert problem.span.file.endswith("tin/procedures/walk.yaml")
    assert problem.span.text[problem.span.column - 1 :].startswith(caret)


def test_a_condition_of_a_step_that_leans_on_a_broken_table_says_nothing(bench: Bench) -> None:
    walk(bench, "when: fog", "when: \"guns['pop'].cost == 3\"")
    bench.change("tin/tables/guns.yaml", "die: D6", "die: D0")
    assert [one[:4] for one in bench.problems()] == ["R206"]


def test_a_condition_is_tried_with_the_options_as_they_are_set(bench: Bench) -> None:
    walk(bench, "when: fog", "when: 1 / (0 if fog else 1) == 1")
    bench.set("fog=yes")
    assert bench.problems() == ["R241 tin/procedures/walk.yaml:8:45 a division by zero"]


@pytest.mark.parametrize(
    ("more", "lacking"),
    [
        ("inputs: {wall: {label: Wall, from: walls}}\n", ["outcomes", "cases"]),
        ("outcomes: [{outcome: gone, label: Gone}]\n", ["inputs", "cases"]),
        ("outcomes: [{outcome: gone, label: Gone}]\ncases: [{always: gone}]\n", ["inputs"]),
        ("inputs: {}\noutcomes: []\n", []),
    ],
)
def test_a_procedure_has_all_its_dice_or_none(bench: Bench, more: str, lacking: list[str]) -> None:
    walk(bench)
    bench.write("tin/procedures/walk.yaml", WALK + more)
    told = [(one.code, one.expected) for one in bench.load("tin")[1]]
    assert told == [("R201", f"the key {name}") for name in lacking]


def test_a_procedure_without_dice_needs_steps(bench: Bench) -> None:
    bench.write("tin/procedures/walk.yaml", "procedure: walk\ntitle: Walking\ncite: p. 9\nsteps: []\n")
    assert [(one.code, one.expected) for one in bench.load("tin")[1]] == [("R201", "the key steps")]


def test_dice_may_have_steps_beside_them(bench: Bench) -> None:
    shoot = bench.rules().procedures["shoot"]
    assert ([one.says for one in shoot.steps], len(shoot.cases)) == (["Roll the dice."], 2)


# Steps in layers


def steel_steps(bench: Bench, *changes: str) -> Procedure:
    walk(bench)
    bench.layer("steel", *changes)
    return bench.rules("steel").procedures["walk"]


def test_a_layer_replaces_a_step_and_owns_it_with_its_certificate(bench: Bench) -> None:
    told = steel_steps(bench, "replace: procedures.walk.steps.rest, with: {step: rest, says: No rest., cite: line 9}, "
                              "reason: Steel never rests.")  # fmt: skip
    _, rest, fog, camp = told.steps
    assert (rest.says, rest.owner) == ("No rest.", "steel")
    assert rest.provenance is not None
    assert rest.provenance.cite_text == "Page line 9"
    assert (fog.owner, camp.owner, told.owner) == ("tin", "tin", "tin")
    assert bench.rules("tin").procedures["walk"].steps[1].says == "Rest."


def test_a_step_without_a_citation_of_its_own_gets_a_certificate_when_a_layer_writes_it(bench: Bench) -> None:
    told = steel_steps(
        bench,
        "replace: procedures.walk.steps.fog, with: {step: fog, says: Hold hands., when: fog}, "
        "reason: Safer., cite: line 7",
    )
    fog = told.steps[2]
    assert fog.provenance is not None
    assert (fog.owner, fog.provenance.cite_text, fog.when and fog.when.text) == ("steel", "Page line 7", "fog")


def test_a_layer_sets_the_words_of_a_step_and_is_cited_with_its_reason(bench: Bench) -> None:
    told = steel_steps(
        bench, "set: procedures.walk.steps.rest.says, was: Rest., to: Rest twice., reason: Heavy boots., cite: line 4"
    )
    rest = told.steps[1]
    assert rest.provenance is not None
    assert (rest.says, rest.owner) == ("Rest twice.", "steel")
    assert (rest.provenance.cite_text, rest.provenance.note) == ("Page line 4", "Heavy boots.")


def test_a_layer_adds_and_removes_steps(bench: Bench) -> None:
    told = steel_steps(
        bench,
        "add: procedures.walk.steps.oil, with: {step: oil, says: Oil the joints., cite: line 5}, reason: Rust.",
        "remove: procedures.walk.steps.camp, reason: Steel does not sleep.",
    )
    assert [(one.id, one.owner) for one in told.steps] == [
        ("", "tin"),
        ("rest", "tin"),
        ("fog", "tin"),
        ("oil", "steel"),
    ]
    assert told.steps[3].provenance is not None
    assert told.steps[3].provenance.cite_text == "Page line 5"


def test_the_steps_of_a_layer_are_statements_of_its_own(bench: Bench) -> None:
    steel_steps(bench, "set: procedures.walk.steps.camp.says, was: Make camp., to: Halt., reason: Why not., cite: x")
    rules = bench.rules("steel")
    assert [(one.subject, one.key, one.value) for one in statements(rules, parents=False)] == [("Walking", "", "Halt.")]
    told = [(one.owner, one.key, one.provenance.status) for one in statements(rules) if one.subject == "Walking"]
    assert told == [("tin", "", "plain"), ("tin", "", "plain"), ("steel", "", "plain")]


@pytest.mark.parametrize(
    ("change", "hint"),
    [
        ("remove: procedures.walk.steps.rset", "did you mean rest?"),
        ("remove: procedures.walk.steps.sing", "there are: rest, fog, camp"),
        ("remove: procedures.walk.steps.0", "there are: rest, fog, camp"),
        ("add: procedures.walk.steps.rest, with: {step: rest, says: x}", "use replace instead of add"),
        (
            "add: procedures.walk.steps.sing, with: {step: song, says: x}",
            "write the same id in the address and in the entry",
        ),
        ("replace: procedures.walk.steps.rest, with: Rest.", "write the same id in the address and in the entry"),
        ("remove: procedures.walk.cases.rest", "did you mean steps?"),
    ],
)
def test_a_change_of_a_step_that_does_not_fit_is_refused(bench: Bench, change: str, hint: str) -> None:
    walk(bench)
    bench.layer("steel", f"{change}, reason: Because., cite: x")
    (problem,) = bench.load("steel")[1]
    assert (problem.code, problem.hint) == ("R210", hint)


def test_steps_that_are_only_texts_have_no_ids_to_name(bench: Bench) -> None:
    bench.write("tin/procedures/walk.yaml", "procedure: walk\ntitle: Walking\ncite: p. 9\nsteps: [Go., Stop.]\n")
    bench.layer("steel", "remove: procedures.walk.steps.go, reason: Because.")
    (problem,) = bench.load("steel")[1]
    assert (problem.code, problem.hint) == ("R210", "the entries of steps have no ids: change the whole list")
