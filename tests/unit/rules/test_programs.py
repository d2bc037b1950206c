"""Rolls one after the other, against every way of rolling counted by hand."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import product
from typing import TYPE_CHECKING, Any

import pytest

from generator.commands.access import open_library
from generator.commands.decisions import Query, ask
from generator.problems import ProblemsError
from generator.rules.procedures.answers import answer

if TYPE_CHECKING:
    from tests.conftest import Bench

HEAD = "procedure: duel\ntitle: Duel\ncite: p. 1\ninputs: {men: {label: Men, range: 1..4}}\n"
OUTCOMES = "outcomes: [{outcome: won, label: Won}, {outcome: lost, label: Lost}]\n"


def asked(bench: Bench, case: str, men: int = 2) -> Any:
    bench.write("tin/procedures/duel.yaml", f"{HEAD}{OUTCOMES}cases:\n  - {case}\n")
    return answer(bench.rules().procedures["duel"], {"men": men})


def test_dice_one_after_the_other(bench: Bench) -> None:
    case = (
        "rolls: [{roll: bar, pool: {dice: [6, 4], highest: 1}}, {roll: sum, pool: {dice: [4, 6]}}, "
        "{roll: above, pool: {dice: ['times(6, men)'], above: bar}}]\n"
        "    results: [{outcome: won, when: above > 0 and sum > bar}, {outcome: lost}]\n"
        "    events: {level: sum == bar}\n"
        "    numbers: {margin: sum - bar, hits: above}\n"
        "    which: {both: '[above, bar]'}"
    )
    found = asked(bench, case)
    won, level = Counter[bool](), Counter[bool]()
    margin, both = Counter[int](), Counter[tuple[int, int]]()
    faces = [range(1, sides + 1) for sides in (6, 4, 4, 6, 6, 6)]
    for a, b, c, d, e, f in product(*faces):
        bar, total = max(a, b), c + d
        above = (e > bar) + (f > bar)
        won[above > 0 and total > bar] += 1
        level[total == bar] += 1
        margin[total - bar] += 1
        both[above, bar] += 1
    everything = sum(won.values())
    assert found.chance("won") == Fraction(won[True], everything)
    assert found.events == {"level": Fraction(level[True], everything)}
    for name, counted in (("margin", margin),):
        assert {value: found.numbers[name].probability(value) for value in counted} == {
            value: Fraction(ways, everything) for value, ways in counted.items()
        }
    joint = found.which["both"]
    assert {value: joint.probability(value) for value in both} == {
        value: Fraction(ways, everything) for value, ways in both.items()
    }


def test_what_is_no_number_stands_between_figures_and_figures_that_belong_together(bench: Bench) -> None:
    case = (
        "rolls: [{roll: first, die: 4}]\n    results: [{outcome: won}]\n    numbers: {twice: 2 * first}\n"
        "    which: {place: \"'head' if first == 4 else 'arm' if first > 1 else none\", both: '[first, 5 - first]'}"
    )
    found = asked(bench, case)
    assert sorted(found.numbers["twice"].weights) == [(2, 1), (4, 1), (6, 1), (8, 1)]
    assert dict(found.which["place"].weights) == {"head": 1, "arm": 2, None: 1}
    assert sorted(found.which["both"].weights) == [((1, 4), 1), ((2, 3), 1), ((3, 2), 1), ((4, 1), 1)]


@pytest.mark.parametrize(
    ("what", "found"),
    [
        ('which: {place: "[1, [2, d]]"}', "place comes to a list of lists"),
        ("numbers: {loss: \"'much' if d > 3 else 2\"}", "the figure loss comes to much, not to a number"),
        ("numbers: {loss: d > 3}", "the figure loss comes to yes, not to a number"),
    ],
)
def test_what_rolls_come_to_must_be_of_its_sort(bench: Bench, what: str, found: str) -> None:
    with pytest.raises(ProblemsError) as caught:
        asked(bench, f"rolls: [{{roll: d, die: 6}}]\n    results: [{{outcome: won}}]\n    {what}")
    (problem,) = caught.value.problems
    assert (problem.code, problem.found.partition(" (")[0].replace("comes to no,", "comes to yes,")) == ("R241", found)


def test_a_roll_that_is_not_made_is_none_and_no_figure(bench: Bench) -> None:
    case = (
        "rolls: [{roll: first, die: 6}, {roll: second, when: first > 4, die: 4}]\n"
        "    results: [{outcome: won, when: first > 4}, {outcome: lost}]\n"
        "    numbers: {second: second}"
    )
    found = asked(bench, case)
    assert found.chance("won") == Fraction(1, 3)
    assert dict(found.numbers["second"].lowest_terms().weights) == {1: 1, 2: 1, 3: 1, 4: 1}
    assert found.numbers["second"].mean() == Fraction(5, 2)


def test_another_procedure_is_asked_so_many_times(bench: Bench) -> None:
    case = (
        "rolls: [{roll: shots, ask: {procedure: shoot, with: {gun: \"'pop'\", wall: 1}, times: men}}]\n"
        "    results: [{outcome: won, when: shots.hit > 1}, {outcome: lost}]\n"
        "    numbers: {hits: shots.hit}"
    )
    found = asked(bench, case, men=3)
    rules = bench.rules()
    shot = rules.procedures["shoot"]
    from generator.rules.procedures.answers import complete_inputs

    hit = Fraction(answer(shot, complete_inputs(shot, {"gun": "pop", "wall": 1})).chance("hit"))
    expected = {n: comb * hit**n * (1 - hit) ** (3 - n) for n, comb in enumerate((1, 3, 3, 1))}
    assert {n: found.numbers["hits"].probability(n) for n in expected} == expected
    assert found.chance("won") == expected[2] + expected[3]


def test_the_same_whether_a_name_is_a_chance_or_not(bench: Bench) -> None:
    plain = asked(
        bench, "rolls: [{roll: d, die: 8}]\n    results: [{outcome: won, when: d >= 2 * men}, {outcome: lost}]"
    )
    named = asked(
        bench,
        "rolls: [{roll: twice, be: 2 * men}, {roll: d, die: 8}, {roll: far, be: d - twice}]\n"
        "    results: [{outcome: won, when: far >= 0}, {outcome: lost}]",
    )
    assert plain.outcomes == named.outcomes
    assert plain.chance("won") == Fraction(5, 8)


@pytest.mark.parametrize(
    ("case", "message"),
    [
        ("rolls: [{roll: d, die: 6}]\n    results: [{outcome: won, when: d > 9}]", "none of the results"),
        ("rolls: [{roll: d, die: men - 4}]\n    results: [{outcome: won}]", "sides of a die"),
        ("rolls: [{roll: d, pool: {dice: [none], highest: 1}}]\n    results: [{outcome: won}]", "no die to roll"),
        ("rolls: [{roll: d, when: no, die: 6}]\n    results: [{outcome: won, when: d > 1}]", "do not go together"),
        ("rolls: [{roll: d, die: 6}]\n    results: [{outcome: won, when: 1 / (d - d) > 1}]", "zero"),
        ("rolls: [{roll: d, die: 6}]\n    results: [{outcome: won, when: 1 / (d - 5) < 1}]", "zero"),
        (
            "rolls: [{roll: d, die: 6}]\n    results: [{outcome: won}]\n    events: {odd: 3 if d > 5 else no}",
            "yes or no",
        ),
        ("rolls: [{roll: d, ask: {procedure: duel, with: {men: men}}}]\n    results: [{outcome: won}]", "asks itself"),
        (
            "rolls: [{roll: d, ask: {procedure: shoot, with: {shots: 9}}}]\n    results: [{outcome: won}]",
            "knows no shots=9",
        ),
        ("rolls: [{roll: d, pool: {dice: ['times(6, 41)'], above: 3}}]\n    results: [{outcome: won}]", "more than 40"),
    ],
)
def test_what_has_no_answer_says_why(bench: Bench, case: str, message: str) -> None:
    with pytest.raises(ProblemsError, match="R241") as refused:
        asked(bench, case)
    assert message in refused.value.problems[0].found


def test_the_contract_has_all_of_it(bench: Bench) -> None:
    case = (
        "rolls: [{roll: d, die: 2}]\n    results: [{outcome: won, when: d > 1}, {outcome: lost}]\n"
        "    events: {odd: d == 1}\n    numbers: {half: d / 2}\n    which: {pair: '[d, d / 2]'}"
    )
    bench.write("tin/procedures/duel.yaml", f"{HEAD}{OUTCOMES}cases:\n  - {case}\n")
    [cell] = ask(Query(open_library(bench.folder), "tin", "duel", ["men=1"]))["cells"]
    half = {"probability": "1/2", "decimal": 0.5}
    assert cell["marginals"] == [{"event": "odd", **half}]
    assert cell["distributions"] == {
        "half": [{"value": "1/2", **half}, {"value": 1, **half}],
        "pair": [{"value": [1, "1/2"], **half}, {"value": [2, 1], **half}],
    }
    assert cell["means"] == {"half": "3/4"}
