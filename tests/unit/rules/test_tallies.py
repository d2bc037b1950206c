"""Formulas asked of many states, against the formulas themselves."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from typing import TYPE_CHECKING, Any

import pytest

from generator.rules.formulas.compiler import compile_formula, first_that_holds, function
from generator.rules.formulas.scope import VALUE, Name, Scope
from generator.rules.procedures.answers import answer

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
    whole = function(first_that_holds(choices), tuple(VARYING))
    for state in states():
        fixed = {name: value for name, value in state.items() if name not in VARYING}
        expected = came_to(lambda state=state: next((i for i, one in enumerate(choices) if one.holds(state)), -1))
        found = came_to(lambda state=state, fixed=fixed: whole(fixed, *map(state.__getitem__, VARYING)))
        assert found == expected or (isinstance(found, str) and isinstance(expected, str))


def test_a_choice_without_a_condition_always_holds() -> None:
    choices = [compile_formula("size > 2", SCOPE), None, compile_formula("size > 1", SCOPE)]
    assert [function(first_that_holds(choices))({"size": size}) for size in (3, 2)] == [0, 1]
    assert function(first_that_holds([]))({}) == -1


def test_several_values_at_once() -> None:
    text = "[drawn.points * size, drawn.points * factor - 0.5, 3]"
    made = function(compile_formula(text, SCOPE).python, ("drawn.points", "factor"))
    for state in states():
        points, size, factor = state["drawn.points"], state["size"], state["factor"]
        assert made({"size": size}, points, factor) == (points * size, points * factor - Fraction(1, 2), 3)


def test_a_text_never_stands_for_a_name() -> None:
    text = "'size' == 'size' and 'values[size]' != \"a0\" and size == 3"
    assert function(compile_formula(text, SCOPE).python, ("size",))({}, 3) is True


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
        "    which: {kind: \"'much' if drawn.points > wall else none\", both: '[drawn.points, drawn.points * wall]'}"
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
        assert found.which["both"].probability((2, 2 * wall)) == two
