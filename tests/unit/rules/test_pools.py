"""Pools, dice that are rolled again, sums of figures and dice of any size in procedures, against other counts."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import product
from typing import TYPE_CHECKING, Any

import icepool
import pytest

from generator.commands import decisions
from generator.commands.access import open_library
from generator.documents.words import cell_text
from generator.parsing.text import part_words
from generator.problems import ProblemsError
from generator.rules.describe.browse import plain_row
from generator.rules.procedures.answers import Answer, answer
from generator.rules.procedures.questions import ask

if TYPE_CHECKING:
    from tests.conftest import Bench

HEAD = """\
procedure: {id}
title: Duel
cite: p. 1
inputs: {{men: {{label: Men, range: 1..20}}}}
outcomes: [{{outcome: won, label: Won}}, {{outcome: lost, label: Lost}}]
cases:
  - {case}
"""
AT_LEAST = 'rolls: [{{roll: d, die: {die}}}]\n    results: [{{outcome: won, when: "d >= {needed}"}}, {{outcome: lost}}]'
RESULTS = "results: [{outcome: won}]"
SIXES = "rolls: [{roll: d, pool: {dice: [D6], again: {on: 6, most: 3}}}]\n    " + RESULTS + "\n    numbers: {shown: d}"


def write(bench: Bench, case: str, name: str = "duel") -> None:
    bench.write(f"tin/procedures/{name}.yaml", HEAD.format(id=name, case=case))


def asked(bench: Bench, case: str, men: int = 2) -> Answer:
    write(bench, case)
    return answer(bench.rules().procedures["duel"], {"men": men})


def rolled(bench: Bench, roll: str, men: int = 2) -> dict[Any, Fraction]:
    found = asked(bench, f"rolls: [{{roll: d, {roll}}}]\n    {RESULTS}\n    numbers: {{shown: d}}", men).numbers[
        "shown"
    ]
    return {value: found.probability(value) for value, _ in found.weights}


def known(die: Any) -> dict[Any, Fraction]:
    return {value: Fraction(ways, die.denominator()) for value, ways in die.items()}


def every(counted: Counter[Any]) -> dict[Any, Fraction]:
    return {value: Fraction(ways, sum(counted.values())) for value, ways in counted.items()}


def test_sixes_are_rolled_again_three_times_and_no_more(bench: Bench) -> None:
    counted, open_ = Counter[int](), 0
    for faces in product(range(1, 7), repeat=4):
        last = next((place for place, face in enumerate(faces) if face < 6), 3)
        counted[sum(faces[: last + 1])] += 1
        open_ += min(faces) == 6
    found = asked(bench, SIXES)
    shown = found.numbers["shown"]
    assert {value: shown.probability(value) for value, _ in shown.weights} == every(counted)
    assert found.remainders == {"d": Fraction(open_, 6**4)} == {"d": Fraction(1, 1296)}
    [note] = found.notes
    assert "1/1296" in note


@pytest.mark.parametrize(
    ("roll", "expected"),
    [
        ("die: 2D6", 2 @ icepool.d6),
        ("die: d20", icepool.d20),
        ("die: D100", icepool.d(100)),
        ("pool: {dice: [2D6, d8, 4]}", 2 @ icepool.d6 + icepool.d8 + icepool.d4),
        ("pool: {dice: ['times(6, men)'], highest: 3}", icepool.d6.highest(20, 3)),
        ("pool: {dice: ['times(10, men)'], at_least: 8}", 20 @ (icepool.d10 >= 8)),
        ("pool: {dice: ['times(10, men)'], above: 8}", 20 @ (icepool.d10 > 8)),
        ("pool: {dice: [2D6, D6, none], highest: 5, again: {on: 5, most: 2}}", 3 @ icepool.d6.explode([5, 6], depth=2)),
        ("pool: {dice: [3D6], highest: 2, again: {most: 2}}", icepool.d6.explode(depth=2).highest(3, 2)),
    ],
)
def test_a_pool_is_what_icepool_says(bench: Bench, roll: str, expected: Any) -> None:
    assert rolled(bench, roll, men=20) == known(expected)


def test_each_success_that_shows_the_face_gives_a_further_die(bench: Bench) -> None:
    counted = Counter[int]()
    for a, b, c in product(range(1, 7), repeat=3):
        counted[(a >= 4) + (a == 6) * ((b >= 4) + (b == 6) * (c >= 4))] += 1
    assert rolled(bench, "pool: {dice: [6], at_least: 4, again: {on: 6, most: 2}}") == every(counted)


def test_ten_dice_of_another_procedure_add_up(bench: Bench) -> None:
    write(bench, SIXES, "burst")
    case = (
        "rolls: [{roll: total, ask: {procedure: burst, with: {men: 1}, figure: shown, times: men}}]\n"
        f"    {RESULTS}\n    numbers: {{shown: total}}"
    )
    found = asked(bench, case, men=10)
    shown = found.numbers["shown"]
    assert {value: shown.probability(value) for value, _ in shown.weights} == known(10 @ icepool.d6.explode(depth=3))
    assert found.remainders == {"total, d": 1 - Fraction(1295, 1296) ** 10}


def test_an_asking_without_a_figure_adds_nothing(bench: Bench) -> None:
    write(
        bench, f"rolls: [{{roll: d, die: 4}}]\n    {RESULTS}\n    numbers: {{odd: d if d % 2 == 1 else none}}", "burst"
    )
    case = f"rolls: [{{roll: d, ask: {{procedure: burst, with: {{men: 1}}, figure: odd, times: men}}}}]\n    {RESULTS}"
    found = asked(bench, f"{case}\n    numbers: {{shown: d}}", men=3).numbers["shown"]
    once = icepool.Die({0: 2, 1: 1, 3: 1})
    assert {value: found.probability(value) for value, _ in found.weights} == known(3 @ once)


def test_a_remainder_counts_as_often_as_its_dice_are_rolled(bench: Bench) -> None:
    case = (
        "rolls: [{roll: first, die: 4}, "
        "{roll: d, when: first == 4, pool: {dice: [2D6], again: {on: 6, most: 1}}}]\n"
        "    results: [{outcome: won, when: first == 4}, {outcome: lost}]\n    numbers: {shown: d}"
    )
    assert asked(bench, case).remainders == {"d": Fraction(1, 4) * (1 - Fraction(35, 36) ** 2)}
    assert asked(bench, f"{case}\n    times: 2").remainders == {"d": 1 - (1 - Fraction(71, 1296) / 4) ** 2}
    assert asked(bench, case.replace("first == 4, pool", "men > 2, pool")).remainders == {}


@pytest.mark.parametrize(
    ("case", "code", "words"),
    [
        ("rolls: [{roll: d, pool: {dice: [6], above: 3, highest: 1}}]", "R224", "at_least"),
        ("rolls: [{roll: d, pool: {dice: [6], highest: 41}}]", "R241", "41 dice to keep"),
        ("rolls: [{roll: d, pool: {dice: [6], above: \"'x'\"}}]", "R241", "x for above, not a whole number"),
        ("rolls: [{roll: d, pool: {dice: ['times(1000, 40)'], again: {most: 20}}}]", "R241", "too many"),
        ("rolls: [{roll: d, pool: {dice: [6], again: {most: 0}}}]", "R203", "0"),
        ("rolls: [{roll: d, die: D1}]", "R223", "D1"),
        ("rolls: [{roll: d, ask: {procedure: duel, with: {men: men}}}]", "R241", "a pool with again"),
        (
            "rolls: [{roll: d, ask: {procedure: shoot, with: {gun: \"'pop'\", wall: 1}, times: 2}}, {roll: e, be: d}]",
            "R223",
            "figure and times",
        ),
    ],
)
def test_what_is_wrong_with_dice_is_named(bench: Bench, case: str, code: str, words: str) -> None:
    write(bench, f"{case}\n    {RESULTS}")
    try:
        problems = bench.load("tin")[1]
        if not problems:
            answer(bench.rules().procedures["duel"], {"men": 1})
    except ProblemsError as error:
        problems = list(error.problems)
    assert [one.code for one in problems] == [code]
    assert words in f"{problems[0].found} {problems[0].expected} {problems[0].hint}"


GUNS = "columns:\n  gun: {type: word, label: Gun}\n  words: {type: text, label: Gun}\n"


def test_a_die_column_takes_any_die_and_sums(bench: Bench) -> None:
    bench.change("tin/tables/guns.yaml", "die: D6", "die: 2d6")
    bench.change("tin/tables/guns.yaml", "die: D10", "die: d20")
    pop, cannon = bench.rules().tables["guns"].rows
    table = bench.rules().tables["guns"]
    assert [plain_row(table, row)["die"] for row in (pop, cannon)] == ["2D6", "D20"]
    assert [cell_text(row["die"], table.column("die")) for row in (pop, cannon)] == ["2D6", "D20"]
    gun = "guns['pop'].die"
    assert rolled(bench, f'die: "{gun}"') == known(2 @ icepool.d6)
    assert rolled(bench, f'pool: {{dice: ["{gun}"], highest: 1}}') == known(icepool.d6.highest(2, 1))
    assert rolled(bench, f'pool: {{dice: ["times({gun}, men)"]}}') == known(4 @ icepool.d6)


def test_a_question_may_name_a_die_as_it_likes(bench: Bench) -> None:
    table = "table: sizes\ntitle: Sizes\ncite: p. 1\nkey: [die]\ncolumns: {die: {type: die, label: Die}}\n"
    bench.write("tin/tables/sizes.yaml", f"{table}rows: [{{die: D6}}, {{die: d20}}, {{die: 2D6}}]\n")
    text = HEAD.format(id="duel", case=AT_LEAST.format(die="size", needed="6"))
    bench.write(
        "tin/procedures/duel.yaml", text.replace("men: {label: Men, range: 1..20}", "size: {label: S, from: sizes}")
    )
    duel = bench.rules().procedures["duel"]
    for word, chance in (("d6", "1/6"), ("D20", "15/20"), ("2d6", "26/36"), ("20", "15/20")):
        [found] = ask(duel, part_words([f"size={word}"]))
        assert found.chance("won") == Fraction(chance), word


def test_a_target_prints_with_its_plus_and_computes_as_a_number(bench: Bench) -> None:
    table = "table: nerves\ntitle: Nerves\ncite: p. 1\nkey: [nerve]\ncolumns:\n  nerve: {type: word, label: N}\n"
    rows = "  needed: {type: target, label: Needed}\nrows: [{nerve: raw, needed: 5+}, {nerve: old, needed: 3}]\n"
    bench.write("tin/tables/nerves.yaml", table + rows)
    nerves = bench.rules().tables["nerves"]
    assert [row["needed"] for row in nerves.rows] == [5, 3]
    assert [cell_text(row["needed"], nerves.column("needed")) for row in nerves.rows] == ["5+", "3+"]
    assert [plain_row(nerves, row)["needed"] for row in nerves.rows] == ["5+", "3+"]
    case = AT_LEAST.format(die="D6", needed="nerves['raw'].needed + 1")
    assert asked(bench, case).chance("won") == Fraction(1, 6)


def test_every_declared_figure_is_a_key_of_each_cell(bench: Bench) -> None:
    case = (
        "when: men == 1\n    always: lost\n"
        f"  - rolls: [{{roll: d, die: men}}]\n    {RESULTS}\n    numbers: {{shown: d, high: d if d > 9 else none}}\n"
        "    which: {word: \"'yes'\", pair: '[d, d]'}"
    )
    write(bench, case)
    one, two = decisions.ask(decisions.Query(open_library(bench.folder), "tin", "duel", ["men=1,2"]))["cells"]
    assert {name: list(values) for name, values in one["distributions"].items()} == {
        "shown": [],
        "high": [],
        "word": [],
        "pair": [],
    }
    assert {name: len(values) for name, values in two["distributions"].items()} == {
        "shown": 2,
        "high": 0,
        "word": 1,
        "pair": 2,
    }
    assert [list(cell["means"]) for cell in (one, two)] == [[], ["shown"]]
