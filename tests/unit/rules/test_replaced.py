"""Procedures that a layer replaces: they do not answer, and nothing that is printed asks them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from generator.commands import decisions, rulesets
from generator.commands.access import Data, open_library
from generator.documents.blocks.odds import GridBlock
from generator.documents.blocks.texts import StepsBlock
from generator.problems import Problem, ProblemsError
from generator.rules.check.ruleset import check_ruleset

if TYPE_CHECKING:
    from tests.conftest import Bench

SHOOT = """\
procedure: shoot
title: Shooting steel
cite: line 5
replaces: [shoot]
inputs: {gun: {label: Gun, from: guns}}
outcomes: [{outcome: hit, label: Hit}]
cases: [{always: hit}]
"""
VOLLEY = """\
procedure: volley
title: A volley
cite: line 5
replaces: [shoot]
inputs: {gun: {label: Gun, also: [barrel], from: guns}, wall: {label: Wall, from: walls, default: 1}}
outcomes: [{outcome: hit, label: Hit}, {outcome: chipped, label: Chipped}]
cases: [{always: hit}]
steps: [Roll many dice.]
"""


def blocks(bench: Bench, ruleset: str, sheet: str) -> list[str]:
    """The procedures that a sheet still names."""
    found = bench.rules(ruleset).sheets[sheet].model.blocks()
    named = (
        one.steps if isinstance(one, StepsBlock) else one.grid if isinstance(one, GridBlock) else "" for one in found
    )
    return [one for one in named if one]


def ask(bench: Bench, procedure: str, *words: str) -> Data:
    return decisions.ask(decisions.Query(open_library(bench.folder), "steel", procedure, words))


def refused(bench: Bench, procedure: str, *words: str) -> Problem:
    with pytest.raises(ProblemsError) as error:
        ask(bench, procedure, *words)
    (problem,) = error.value.problems
    return problem


# Under the same id


def test_a_procedure_may_replace_its_parents(bench: Bench) -> None:
    bench.write("steel/procedures/shoot.yaml", SHOOT)
    shoot = bench.rules("steel").procedures["shoot"]
    assert (shoot.owner, shoot.title, shoot.provenance.cite_text) == ("steel", "Shooting steel", "Steel line 5")


def test_a_grid_of_a_parent_goes_where_the_new_procedure_has_other_inputs(bench: Bench) -> None:
    bench.write("steel/procedures/shoot.yaml", SHOOT.replace("cases:", "steps: [Roll.]\ncases:"))
    assert blocks(bench, "tin", "quick") == ["shoot", "shoot"]
    assert blocks(bench, "steel", "quick") == ["shoot"]


def test_a_procedure_that_does_not_say_so_replaces_nothing(bench: Bench) -> None:
    bench.write("steel/procedures/shoot.yaml", SHOOT.replace("replaces: [shoot]\n", ""))
    assert bench.problems("steel") == ["R304 steel/procedures/shoot.yaml:1:12 procedure shoot, which tin has"]


def test_a_layer_above_says_it_again(bench: Bench) -> None:
    bench.write("steel/procedures/shoot.yaml", SHOOT)
    bench.layer("chrome")
    bench.change("chrome/ruleset.yaml", "extends: [tin]", "extends: [steel]")
    bench.write("chrome/changes.yaml", "changes: []\n")
    bench.write("chrome/procedures/shoot.yaml", SHOOT.replace("replaces: [shoot]\n", ""))
    assert bench.problems("chrome") == ["R304 chrome/procedures/shoot.yaml:1:12 procedure shoot, which steel has"]
    bench.write("chrome/procedures/shoot.yaml", SHOOT.replace("cite: line 5", "cite: line 9"))
    assert bench.rules("chrome").procedures["shoot"].owner == "chrome"


# Under another id


def test_a_replaced_procedure_is_answered_by_its_replacement_which_says_so(bench: Bench) -> None:
    bench.write("steel/procedures/volley.yaml", VOLLEY)
    (cell,) = ask(bench, "shoot", "barrel=pop", "wall=2")["cells"]
    assert cell["inputs"] == {"gun": "pop", "wall": 2}
    assert cell["outcomes"][0]["probability"] == "1"
    (note,) = cell["notes"]
    assert "volley" in note
    assert "shoot" in note


@pytest.mark.parametrize("words", [("gun=pop", "shots=2"), ("wall=2",), ()])
def test_a_question_that_the_replacement_does_not_take_is_refused_and_names_it(
    bench: Bench, words: tuple[str, ...]
) -> None:
    bench.write("steel/procedures/volley.yaml", VOLLEY)
    problem = refused(bench, "shoot", *words)
    assert problem.code == "R318"
    assert "volley" in problem.found
    assert "steel/volley" in problem.hint
    assert "gun, wall" in problem.hint


def test_nothing_lists_or_prints_it(bench: Bench) -> None:
    bench.write("steel/procedures/volley.yaml", VOLLEY)
    assert "shoot" not in bench.rules("steel").procedures
    assert blocks(bench, "steel", "quick") == []
    library = open_library(bench.folder)
    assert "shoot" not in [one["procedure"] for one in decisions.list_procedures(library, "steel")["procedures"]]
    assert "shoot" not in [one["procedure"] for one in rulesets.describe_ruleset(library, "steel")["procedures"]]
    with pytest.raises(ProblemsError) as error:
        rulesets.show(library, "steel", "procedures/shoot")
    assert [(one.code, "volley" in one.hint) for one in error.value.problems] == [("R317", True)]


def test_a_sheet_of_the_layer_may_not_name_it(bench: Bench) -> None:
    bench.write("steel/procedures/volley.yaml", VOLLEY)
    bench.write("steel/sheets/own.yaml", "sheet: own\ntitle: x\nstrap: x\nkicker: x\nrows:\n"
                "  - columns: [[{section: x, blocks: [{steps: shoot}]}]]\n")  # fmt: skip
    problems: list[Problem] = []
    check_ruleset(bench.rules("steel"), problems)
    assert [(one.code, one.found, "volley" in one.hint) for one in problems] == [("R231", "shoot", True)]


def test_a_layer_above_replaces_the_replacement(bench: Bench) -> None:
    bench.write("steel/procedures/volley.yaml", VOLLEY)
    bench.layer("chrome")
    bench.change("chrome/ruleset.yaml", "extends: [tin]", "extends: [steel]")
    bench.write("chrome/changes.yaml", "changes: []\n")
    bench.write("chrome/procedures/salvo.yaml", VOLLEY.replace("volley", "salvo").replace("[shoot]", "[volley]"))
    assert bench.rules("chrome").replaced == {"shoot": "salvo", "volley": "salvo"}


# Slips


def test_what_no_parent_has_cannot_be_replaced(bench: Bench) -> None:
    bench.write("steel/procedures/volley.yaml", VOLLEY.replace("[shoot]", "[shoot, shot]"))
    assert bench.problems("steel") == ["R210 steel/procedures/volley.yaml:4:19 shot"]


def test_two_procedures_of_a_layer_cannot_replace_the_same(bench: Bench) -> None:
    bench.write("steel/procedures/volley.yaml", VOLLEY)
    bench.write("steel/procedures/salvo.yaml", VOLLEY.replace("volley", "salvo"))
    (problem,) = bench.problems("steel")
    assert problem.startswith("R212 steel/procedures/volley.yaml:4:12 shoot")


def test_two_layers_beside_each_other_cannot_replace_the_same(bench: Bench) -> None:
    bench.layer("brass")
    bench.write("brass/changes.yaml", "changes: []\n")
    bench.write("steel/procedures/volley.yaml", VOLLEY)
    bench.write("brass/procedures/salvo.yaml", VOLLEY.replace("volley", "salvo"))
    for names in ("steel+brass", "brass+steel"):
        assert [one[:4] for one in bench.problems(names)] == ["R212"]


# As shipped


@pytest.mark.parametrize(
    ("question", "words", "answering"),
    [
        ("dirtside2-fma/chit-damage", "chits=3 valid=red+yellow armour=3", "armour-fire"),
        ("stargrunt2-quick/armour-holds", "impact=D4 armour=D8", "casualty"),
        (
            "stargrunt2-quick/fire-casualties",
            "quality=regular firepower=14 bands=1 impact=D10 armour=D6",
            "fire-by-rating",
        ),
    ],
)
def test_the_shipped_layers_answer_by_their_own_rules(question: str, words: str, answering: str) -> None:
    ruleset, _, procedure = question.partition("/")
    cells = decisions.ask(decisions.Query(open_library(), ruleset, procedure, words.split()))["cells"]
    own = decisions.ask(
        decisions.Query(open_library(), ruleset, answering, words.replace("chits=", "weapon_size=").split())
    )["cells"]
    assert [one["outcomes"] for one in cells] == [one["outcomes"] for one in own]
    assert all(answering in " ".join(one["notes"]) for one in cells)


def test_a_change_of_a_procedure_that_a_sibling_replaces_is_advice(bench: Bench) -> None:
    bench.write("steel/procedures/volley.yaml", VOLLEY)
    bench.layer("chrome", "set: procedures.shoot.title, was: Shooting, to: Aiming, reason: Ours., cite: p. 4")
    (problem,) = bench.load("steel+chrome")[1]
    assert (problem.code, problem.severity, "steel" in problem.found) == ("R210", "advice", True)
    assert bench.load("chrome")[1] == []
