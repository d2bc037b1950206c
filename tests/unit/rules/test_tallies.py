"""Formulas asked of many states, against figures counted by hand."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Any

import pytest

from generator.rules.procedures.answers import answer

if TYPE_CHECKING:
    from tests.conftest import Bench

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
