"""What a player wishes for: how it is read, and what it comes to in an answer."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

import pytest

from generator.parsing.text import split_words
from generator.problems import ProblemsError, Span
from generator.rules.procedures.goals import check_possible, read_chance, read_goal
from generator.rules.procedures.questions import ask

if TYPE_CHECKING:
    from generator.rules.procedures.answers import Answer
    from generator.rules.procedures.procedure import Procedure
    from tests.conftest import Bench

HERE = Span("command line", 1, 8, "--best x")
COIN = """\
procedure: coin
title: A coin, then a die
cite: p. 4
inputs:
  sides: {label: Sides, range: 4..6}
outcomes:
  - {outcome: heads, label: "Heads up, at last"}
  - {outcome: edge, label: Edge}
  - {outcome: tails, label: Tails}
cases:
  - when: sides == 5
    always: edge
  - rolls:
      - {roll: coin, die: 2}
      - {roll: face, when: coin == 1, die: sides}
    results: [{outcome: heads, when: coin == 1}, {outcome: tails}]
    events: {lucky: "coin == 1 and face == 1"}
    numbers: {pips: face - 2 if coin == 1 else none}
    which:
      low: coin == 1 and face < 3
      both: "[coin == 1, face]"
      colour: "none if coin == 2 else ('red' if face > 2 else 'blue')"
"""


@pytest.fixture
def coin(bench: Bench) -> Procedure:
    bench.write("tin/procedures/coin.yaml", COIN)
    return bench.rules().procedures["coin"]


def answer(coin: Procedure, sides: int) -> Answer:
    (only,) = ask(coin, split_words([f"sides={sides}"]))
    return only


@pytest.mark.parametrize(
    ("said", "four", "six"),
    [
        ("heads", "1/2", "1/2"),
        ("edge", "0", "0"),
        ("heads,tails", "1", "1"),
        ("heads , heads", "1/2", "1/2"),
        ("lucky", "1/8", "1/12"),
        # Half of the rolls have no pips at all: they count among the others.
        ("pips:1+", "1/4", "1/3"),
        ("pips:0", "1/8", "1/12"),
        ("pips:0-", "1/4", "1/6"),
        ("pips:-1..1", "3/8", "1/4"),
        ("pips:1/2+", "1/4", "1/3"),
        ("pips:0.5+", "1/4", "1/3"),
        ("pips:9", "0", "0"),
        ("low:yes", "1/4", "1/6"),
        ("low:No", "3/4", "5/6"),
        ("both:yes, 3", "1/8", "1/12"),
        ("both:no, none", "1/2", "1/2"),
        ("colour:red", "1/4", "1/3"),
        ("colour:none", "1/2", "1/2"),
        ("colour:green", "0", "0"),
        ("pips", "1/2", "3/2"),
        # Capitals, hyphens and printed names.
        ("HEADS", "1/2", "1/2"),
        ("heads up, AT LAST", "1/2", "1/2"),
        ("Lucky", "1/8", "1/12"),
        ("Pips:1+", "1/4", "1/3"),
        ("Colour:Red", "1/4", "1/3"),
    ],
)
def test_what_a_wish_comes_to(coin: Procedure, said: str, four: str, six: str) -> None:
    wish = read_goal(coin, said, HERE, means=True)
    assert [wish.result(answer(coin, sides)) for sides in (4, 6)] == [Fraction(four), Fraction(six)]


def test_what_cannot_come_up_has_no_chance_and_no_mean(coin: Procedure) -> None:
    still = answer(coin, 5)
    for said in ("heads", "lucky", "pips:0+", "colour:red"):
        assert read_goal(coin, said, HERE, means=True).result(still) == 0
    assert read_goal(coin, "edge", HERE, means=True).result(still) == 1
    mean = read_goal(coin, "pips", HERE, means=True)
    assert mean.result(still) is None
    assert mean.has_value(still) == 0
    assert mean.has_value(answer(coin, 6)) == Fraction(1, 2)


@pytest.mark.parametrize(
    ("said", "found"),
    [
        ("", "nothing"),
        ("head", "head"),
        ("heads,", "nothing"),
        ("heads,pips:1", "pips:1"),
        ("lucky,heads", "lucky"),
        ("colour", "colour"),
        ("colour:", "colour:"),
        ("heads:1", "heads:1"),
        ("pips:", "pips:"),
        ("pips:x", "pips:x"),
        ("pips:1/0", "pips:1/0"),
        ("pips:2..1", "pips:2..1"),
        ("pips:1++", "pips:1++"),
        ("pips>1", "pips>1"),
        ("pips:99999999999999999999", "pips:99999999999999999999"),
        ("pips:٣", "pips:٣"),
    ],
)
def test_what_is_no_wish(coin: Procedure, said: str, found: str) -> None:
    with pytest.raises(ProblemsError) as caught:
        read_goal(coin, said, HERE, means=False)
    (problem,) = caught.value.problems
    assert (problem.code, problem.span, problem.found) == ("R322", HERE, found)
    assert problem.expected


@pytest.mark.parametrize(
    ("said", "chance"),
    [
        ("1/2", "1/2"), ("50%", "1/2"), ("0.5", "1/2"), (".5", "1/2"), ("50 %", "1/2"), (" 1 ", "1"), ("0", "0"),
        ("100%", "1"), ("33.3%", "333/1000"), ("1/3%", "1/300"), ("2/6", "1/3"), ("1.", "1"),
        ("0.123456789", "123456789/1000000000"), ("1 / 2", "1/2"),
        ("50\u00a0%", "1/2"), ("62.5\u202f%", "5/8"),
    ],
)  # fmt: skip
def test_a_chance_is_read_exactly(said: str, chance: str) -> None:
    assert read_chance(said, HERE) == Fraction(chance)


@pytest.mark.parametrize(
    "text",
    [
        "", "half", "-1/2", "3/2", "101%", "1/0", "1e-1", "nan", "٣", "1/2/3", "%", "50", "9" * 5_000, "0,5", "62,5%",
        "50 per cent", "½", "1½", "²",
    ],
)  # fmt: skip
def test_what_is_no_chance(text: str) -> None:
    with pytest.raises(ProblemsError) as caught:
        read_chance(text, HERE)
    (problem,) = caught.value.problems
    assert (problem.code, problem.found) == ("R323", text or "nothing")


@pytest.mark.parametrize(
    ("said", "expected", "hint"),
    [
        ("pips:9", "a value that pips has here: -1, 0, 1, 2, 3, 4", ""),
        ("pips:5+", "a value that pips has here: -1, 0, 1, 2, 3, 4", ""),
        ("pips:-2", "a value that pips has here: -1, 0, 1, 2, 3, 4", ""),
        ("pips:1/2", "a value that pips has here: -1, 0, 1, 2, 3, 4", ""),
        ("low:ys", "a value that low has here: no, yes", "did you mean yes?"),
        ("colour:rde", "a value that colour has here: blue, none, red", "did you mean red?"),
    ],
)
def test_values_that_a_figure_never_has_are_told(coin: Procedure, said: str, expected: str, hint: str) -> None:
    wish = read_goal(coin, said, HERE, means=False)
    with pytest.raises(ProblemsError) as caught:
        check_possible(wish, [answer(coin, sides) for sides in (4, 5, 6)], HERE)
    [problem] = caught.value.problems
    assert (problem.code, problem.expected, problem.found, problem.hint) == ("R322", expected, said, hint)


def test_a_value_that_comes_up_anywhere_may_be_asked_for(coin: Procedure) -> None:
    several = [answer(coin, sides) for sides in (4, 5, 6)]
    for said in ("pips:4", "pips:1/2+", "colour:BLUE", "heads", "lucky", "pips"):
        check_possible(read_goal(coin, said, HERE, means=True), several, HERE)
    # Where there is no figure at all, it has no value, and that is its answer.
    check_possible(read_goal(coin, "pips:9", HERE, means=False), several[1:2], HERE)
