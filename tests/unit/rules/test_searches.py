"""Searches among answers: the first value that will do, and options in their order. The answers are made by hand."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from typing import TYPE_CHECKING, Any, cast

from hypothesis import given
from hypothesis import strategies as st

from generator.commands.decisions import rank, reach
from generator.odds.distribution import Distribution
from generator.rules.procedures.answers import Answer
from generator.rules.procedures.goals import Goal
from generator.rules.procedures.questions import Question

if TYPE_CHECKING:
    from generator.rules.procedures.procedure import Outcome

HIT = Goal("lucky", event="lucky")
MEAN = Goal("pips", figure="pips")
HALF = Fraction(1, 2)
KEYS = ("reached", "value", "probability", "steady")


def asked(**values: tuple[Any, ...]) -> Question:
    return Question(values, {})


def answers(question: Question, chances: list[Fraction]) -> list[Answer]:
    points = product(*question.values.values())
    nothing = cast("tuple[tuple[Outcome, Fraction], ...]", ())
    return [
        Answer(dict(zip(question.values, point, strict=True)), nothing, (), {"lucky": chance})
        for point, chance in zip(points, chances, strict=True)
    ]


def tenths(*numbers: int) -> list[Fraction]:
    return [Fraction(number, 10) for number in numbers]


def test_the_first_value_that_reaches_it() -> None:
    question = asked(armour=(0, 1, 2, 3))
    found = answers(question, tenths(9, 5, 6, 4))
    (least,) = reach(found, question, HIT, HALF, "armour")
    assert [least[key] for key in KEYS] == [True, 0, "9/10", False]
    (greatest,) = reach(found, question, HIT, HALF, "armour", greatest=True)
    assert [greatest[key] for key in KEYS] == [True, 2, "3/5", True]


def test_where_none_does_the_nearest_is_told() -> None:
    question = asked(armour=(0, 1, 2, 3))
    found = answers(question, tenths(1, 4, 3, 4))
    (least,) = reach(found, question, HIT, HALF, "armour")
    assert [least[key] for key in KEYS] == [False, 1, "2/5", False]
    (greatest,) = reach(found, question, HIT, HALF, "armour", greatest=True)
    assert (greatest["value"], greatest["reached"]) == (3, False)


def test_each_combination_of_the_others_has_its_answer() -> None:
    question = asked(gun=("pop", "cannon"), armour=(0, 1), band=("near", "far"))
    found = reach(answers(question, tenths(5, 1, 1, 5, 1, 1, 9, 1)), question, HIT, HALF, "armour")
    assert [(one["inputs"], one["value"] if one["reached"] else None) for one in found] == [
        ({"gun": "pop", "band": "near"}, 0),
        ({"gun": "pop", "band": "far"}, 1),
        ({"gun": "cannon", "band": "near"}, 1),
        ({"gun": "cannon", "band": "far"}, None),
    ]


def test_the_values_of_a_joint_figure_are_named_as_they_are_printed() -> None:
    pair = Goal("damage-spread:9, none", figure="damage-spread", word="9, none")
    assert pair.holds((9, None))
    assert not pair.holds((9, 2))


def test_options_that_give_the_same_share_a_rank() -> None:
    question = asked(gun=("a", "b", "c", "d", "e"))
    (ranking,) = rank(answers(question, tenths(3, 7, 3, 1, 7)), question, HIT, ("gun",))
    assert [(one["rank"], one["tied"], one["inputs"]["gun"]) for one in ranking["options"]] == [
        (1, True, "b"), (1, True, "e"), (3, True, "a"), (3, True, "c"), (5, False, "d"),
    ]  # fmt: skip
    (ranking,) = rank(answers(question, tenths(3, 7, 3, 1, 7)), question, HIT, ("gun",), least=True)
    assert [one["inputs"]["gun"] for one in ranking["options"]] == ["d", "a", "c", "b", "e"]


def test_an_option_without_the_figure_is_told_apart() -> None:
    question = asked(gun=("a", "b", "c"))
    some, more = Distribution({1: 1, 2: 1}), Distribution({3: 1})
    made = [
        Answer({"gun": "a"}, (), (), numbers={"pips": some}, total=2),
        Answer({"gun": "b"}, (), ()),
        Answer({"gun": "c"}, (), (), numbers={"pips": more}, total=4),
    ]
    (ranking,) = rank(made, question, MEAN, ("gun",))
    assert [(one["inputs"]["gun"], one["exact"], one["known"]) for one in ranking["options"]] == [
        ("c", "3", "1/4"),
        ("a", "3/2", "1"),
    ]
    assert ranking["without"] == [{"gun": "b"}]


def test_what_only_some_options_ask_for_is_not_told_of_all() -> None:
    question = asked(gun=("a", "b"))
    made = [
        Answer({"gun": "a", "aims": 1, "range": 2}, (), (), {"lucky": HALF}),
        Answer({"gun": "b", "range": 2}, (), (), {"lucky": HALF}),
    ]
    (ranking,) = rank(made, question, HIT, ("gun",))
    assert ranking["inputs"] == {"range": 2}


@given(st.lists(st.integers(0, 10), min_size=1, max_size=8), st.integers(0, 10), st.booleans())
def test_nothing_before_the_value_that_is_told_reaches_it(numbers: list[int], wanted: int, greatest: bool) -> None:  # noqa: FBT001 - hypothesis gives it
    question = asked(armour=tuple(range(len(numbers))))
    (found,) = reach(
        answers(question, tenths(*numbers)), question, HIT, Fraction(wanted, 10), "armour", greatest=greatest
    )
    walked = list(enumerate(numbers))[:: -1 if greatest else 1]
    reaching = [place for place, number in walked if number >= wanted]
    assert found["reached"] == bool(reaching)
    assert found["probability"] == str(Fraction(numbers[found["value"]], 10))
    if reaching:
        assert found["value"] == reaching[0]
        beyond = [
            number for place, number in walked if (place <= found["value"] if greatest else place >= found["value"])
        ]
        assert found["steady"] == all(number >= wanted for number in beyond)
    else:
        assert numbers[found["value"]] == max(numbers)
