"""Formulas in two steps and as one function, against the formulas themselves."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from typing import TYPE_CHECKING, Any

import pytest

from generator.rules.answers import answer
from generator.rules.formulas.compiler import compile_formula
from generator.rules.formulas.native import native
from generator.rules.formulas.scope import VALUE, Name, Scope
from generator.rules.formulas.sights import sight

if TYPE_CHECKING:
    from tests.conftest import Bench

SCOPE = Scope({"size": VALUE, "factor": VALUE, "drawn": Name("fields", frozenset({"points", "marks"}))})
VARYING = ["drawn.points", "drawn.marks"]
MARKS = [frozenset[str](), frozenset({"boom"}), frozenset({"stop"}), frozenset({"boom", "stop"})]

CHOICES = [
    ["'stop' in drawn.marks", "'boom' in drawn.marks or drawn.points * factor > size", "drawn.points * factor == size"],
    ["drawn.points > size or 'boom' in drawn.marks", "drawn.points * factor > 2 and drawn.points * factor < size"],
    ["'boom' in drawn.marks or 'stop' in drawn.marks", "drawn.points > 2", "count(drawn.marks) + drawn.points > 1"],
    ["'stop' in drawn.marks or drawn.points == 3 or size > 2 or drawn.points == 1", "yes"],
    ["size > 1 and drawn.points > 0 and 6 / drawn.points > size", "6 / (drawn.points + 1) > factor"],
    ["none", "drawn.points + size > 4", "(drawn.points + size) * (drawn.points + size) > 9 or drawn.points + size < 3"],
    ["drawn.points if size > 2 else drawn.points > 1", "1 < drawn.points + size < drawn.points * size"],
    ["not ('stop' in drawn.marks)", "'boom' in drawn.marks"],
    ["'boom' in drawn.marks and drawn.points + size > 4", "drawn.points + size > 2"],
    ["2 < size < drawn.points + size", "(drawn.points + size if size > 1 else 3) > 4", "drawn.points + size > 2"],
    ["'boom' in drawn.marks or drawn.points > size", "'boom' in drawn.marks and drawn.points + size > 1", "size > 2"],
]


def states() -> list[dict[str, Any]]:
    return [
        {"drawn.points": points, "drawn.marks": marks, "size": size, "factor": factor}
        for points, marks, size, factor in product(range(5), MARKS, range(4), (Fraction(1, 2), 1, 2))
    ]


def came_to(work: Any) -> Any:
    """What it gives, or that it has no value."""
    try:
        return work()
    except Exception as error:  # noqa: BLE001 - whatever a formula without a value raises
        return type(error).__name__ if "FormulaUse" in type(error).__name__ else "no value"


@pytest.mark.parametrize("texts", CHOICES)
def test_the_first_choice_that_holds(texts: list[str]) -> None:
    choices = [compile_formula(text, SCOPE) for text in texts]
    whole = native(choices, [], VARYING, {"drawn.marks"})
    apart = sight(choices, [], VARYING, {"drawn.marks"})

    def plainly(state: dict[str, Any]) -> Any:
        return (next((place for place, one in enumerate(choices) if one.holds(state)), -1),)

    def wholly(state: dict[str, Any]) -> Any:
        return whole.function(*map(state.__getitem__, VARYING), *(one(state) for one in whole.fixed))

    def apartly(state: dict[str, Any]) -> Any:
        seen = apart.look.function(*map(state.__getitem__, VARYING), *(one({}) for one in apart.look.fixed))
        if apart.judge is None:
            return seen
        *views, last = seen
        found = apart.judge.function(*views, *(one(state) for one in apart.judge.fixed))
        return found if found[0] >= 0 else (last,)

    for state in states():
        expected = came_to(lambda state=state: plainly(state))
        if isinstance(expected, str):
            assert isinstance(came_to(lambda state=state: wholly(state)), str)
            continue
        assert wholly(state) == expected
        found = came_to(lambda state=state: apartly(state))
        assert found == expected or (isinstance(found, str) and "/ drawn.points >" in texts[0])


def test_what_stands_beside_the_choice_does_not_lean_on_tests_that_were_not_reached() -> None:
    choices = [compile_formula(text, SCOPE) for text in ("size > drawn.points", "drawn.points * size > 3")]
    figures = [compile_formula(text, SCOPE) for text in ("drawn.points * size", "drawn.points * size + 1")]
    made = native(choices, figures, VARYING, {"drawn.marks"}, [compile_formula("drawn.points * size > 2", SCOPE)])
    for state in states():
        found = made.function(*map(state.__getitem__, VARYING), *(one(state) for one in made.fixed))
        product_ = state["drawn.points"] * state["size"]
        first = 0 if state["size"] > state["drawn.points"] else 1 if product_ > 3 else -1
        assert found == (first, product_ > 2, product_, product_ + 1)


def test_what_sight_decides_is_seen_alike() -> None:
    """The mark that comes first hides the points: all its ways are one."""
    choices = [compile_formula(text, SCOPE) for text in CHOICES[0]]
    look = sight(choices, [], VARYING, {"drawn.marks"}).look.function
    seen = [{look(points, marks) for points in range(5)} for marks in MARKS]
    assert [len(some) for some in seen] == [5, 1, 1, 1]
    assert seen[2] == seen[3] != seen[1]


POT = """table: pot
title: Pot
cite: p. 1
key: [group, number]
columns:
  group: {type: word, label: Group, of: [red]}
  number: {type: int, label: Number}
  count: {type: int, label: Counters}
rows: [{group: red, number: 0, count: 2}, {group: red, number: 2, count: 3}]
"""
HEAD = "procedure: pull\ntitle: Pull\ncite: p. 1\ninputs: {wall: {label: Wall, range: 0..4}}\n"
OUTCOMES = "outcomes: [{outcome: won, label: Won}, {outcome: lost, label: Lost}]\n"
DRAWN = "{roll: drawn, draw: {pot: pot, counters: 1, groups: \"['red']\"}}"


@pytest.mark.parametrize(
    ("when", "chances"),
    [
        ("drawn.points > wall", [Fraction(3, 5)] * 2 + [0] * 3),
        # six over nothing has no value, but nobody asks for it where nothing was drawn
        ("drawn.points > 0 and 6 / drawn.points > wall", [Fraction(3, 5)] * 3 + [0] * 2),
        ("wall > 0 and drawn.points > 0 and 6 / drawn.points > wall", [0, Fraction(3, 5), Fraction(3, 5), 0, 0]),
        ("drawn.points >= wall and (drawn.points == 0 or 6 / drawn.points > wall)", [1, *[Fraction(3, 5)] * 2, 0, 0]),
        ("(none if drawn.points > wall else drawn.points) == none", [Fraction(3, 5)] * 2 + [0] * 3),
    ],
)  # fmt: skip
def test_many_questions_about_one_draw(bench: Bench, when: str, chances: list[Any]) -> None:
    bench.write("tin/tables/pot.yaml", POT)
    case = (
        f'rolls: [{DRAWN}]\n    results: [{{outcome: won, when: "{when}"}}, {{outcome: lost}}]\n'
        "    events: {some: drawn.points > 0, more: drawn.points > wall}\n"
        "    numbers: {sum: drawn.points + wall, half: drawn.points / 2}\n"
        "    which: {kind: \"'much' if drawn.points > wall else none\"}\n"
        "    together: {both: {a: drawn.points, b: drawn.points * wall}}"
    )
    bench.write("tin/procedures/pull.yaml", f"{HEAD}{OUTCOMES}cases:\n  - {case}\n")
    procedure = bench.rules().procedures["pull"]
    two = Fraction(3, 5)
    for wall, chance in enumerate(chances):
        found = answer(procedure, {"wall": wall})
        assert found.chance("won") == chance
        assert found.events == {"some": two, "more": two if wall < 2 else 0}
        assert {value: found.numbers["sum"].probability(value) for value in (wall, wall + 2)} == {
            wall: 1 - two, wall + 2: two,
        }  # fmt: skip
        assert sorted(found.numbers["half"].weights) == [(0, 2), (1, 3)]
        assert found.which["kind"].probability("much") == (two if wall < 2 else 0)
        assert found.together["both"][1].probability((2, 2 * wall)) == two
