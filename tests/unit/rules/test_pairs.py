"""Two procedures asked at once: which procedure takes which input, and missing inputs."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from generator.parsing.text import split_words
from generator.problems import ProblemsError, Span
from generator.rules.procedures.questions import ask, ask_both

if TYPE_CHECKING:
    from generator.rules.procedures.answers import Answer
    from tests.conftest import Bench

THROW = """\
procedure: throw
title: Throwing
cite: p. 4
inputs:
  shots: {label: Shots, range: 1..2, default: 1}
  far: {label: Far, yes_no: true, default: false}
  aimed: {label: Aimed, yes_no: true, when: far}
  sort: {label: Sort, of: [big, pop], default: pop}
outcomes:
  - {outcome: hit, label: Hit}
cases:
  - {always: hit}
"""


@pytest.fixture
def both(bench: Bench) -> Bench:
    bench.write("tin/procedures/throw.yaml", THROW)
    return bench


def pairs(bench: Bench, first: str, second: str, names: str = "shoot throw") -> list[tuple[Answer, Answer]]:
    one, two = (bench.rules().procedures[name] for name in names.split())
    ends = Span("first", 1, 1), Span("second", 1, 1)
    return list(ask_both(one, two, split_words(first.split()), split_words(second.split()), ends))


def inputs(bench: Bench, first: str, second: str = "") -> list[tuple[dict[str, object], dict[str, object]]]:
    return [(dict(one.inputs), dict(two.inputs)) for one, two in pairs(bench, first, second)]


def refused(bench: Bench, first: str, second: str = "") -> list[tuple[str, str, str]]:
    with pytest.raises(ProblemsError) as caught:
        pairs(bench, first, second)
    return [(one.code, one.field, one.found) for one in caught.value.problems]


def test_each_answers_as_it_does_alone(both: Bench) -> None:
    shoot, throw = (both.rules().procedures[name] for name in ("shoot", "throw"))
    found = pairs(both, "gun=pop wall=1 shots=1..2", "")
    assert [one for one, _ in found] == list(ask(shoot, split_words(["gun=pop", "wall=1", "shots=1..2"])))
    assert [two for _, two in found] == list(ask(throw, split_words(["shots=1..2"])))


def test_what_only_the_second_has_may_stand_before_it(both: Bench) -> None:
    ((_, second),) = inputs(both, "gun=pop wall=1 sort=big")
    assert second["sort"] == "big"


def test_what_the_second_does_not_allow_may_be_said_for_it_alone(both: Bench) -> None:
    assert refused(both, "gun=pop wall=1 shots=3") == [("R313", "shots", "3")]
    ((first, second),) = inputs(both, "gun=pop wall=1 shots=3", "shots=2")
    assert (first["shots"], second["shots"]) == (3, 2)


def test_an_input_of_both_may_apply_to_one_alone(both: Bench) -> None:
    ((first, second),) = inputs(both, "gun=pop wall=1 shots=1 aimed=yes")
    assert first["aimed"] is True
    assert "aimed" not in second
    ((first, second),) = inputs(both, "gun=pop wall=1 shots=2 far=yes aimed=yes")
    assert "aimed" not in first
    assert second["aimed"] is True
    assert refused(both, "gun=pop wall=1 shots=2 aimed=yes") == [("R316", "aimed", "aimed")]


def test_what_is_said_for_the_second_alone_must_apply_to_it(both: Bench) -> None:
    assert refused(both, "gun=pop wall=1", "aimed=yes") == [("R316", "aimed", "aimed")]


@pytest.mark.parametrize(
    ("first", "second", "expected"),
    [
        ("gun=pop wall=1 gun=pop", "", [("R312", "gun", "gun twice")]),
        ("gun=pop wall=1", "shots=1 shots=2", [("R312", "shots", "shots twice")]),
        ("gun=pop wall=1 sort=big", "sort=pop", [("R312", "sort", "sort")]),
        ("gun=pop wall=1 sot=big", "", [("R312", "sot", "sot")]),
        ("gun=pop wall=1", "gun=pop", [("R312", "gun", "gun")]),
        ("gun=pup wall=9", "", [("R313", "gun", "pup"), ("R313", "wall", "9")]),
        ("gun=pop", "", [("R314", "wall", "nothing")]),
        ("gun=pop wall=1", "far=yes", [("R314", "aimed", "nothing")]),
    ],
)
def test_slips(both: Bench, first: str, second: str, expected: list[tuple[str, str, str]]) -> None:
    assert refused(both, first, second) == expected


def test_what_is_missing_is_told_where_it_belongs(both: Bench) -> None:
    with pytest.raises(ProblemsError) as caught:
        pairs(both, "gun=pop", "far=yes")
    assert [(one.field, one.span.file) for one in caught.value.problems] == [("wall", "first"), ("aimed", "second")]


def test_a_range_of_both_goes_by_the_order_of_the_first(both: Bench) -> None:
    both.change(
        "tin/procedures/throw.yaml", "sort: {label: Sort, of: [big, pop]", "gun: {label: Sort, of: [cannon, pop]"
    )
    found = inputs(both, "gun=pop..cannon wall=1")
    assert [(one["gun"], two["gun"]) for one, two in found] == [("pop", "pop"), ("cannon", "cannon")]


def test_a_word_feeds_each_under_the_name_that_each_has_for_it(both: Bench) -> None:
    both.change(
        "tin/procedures/shoot.yaml", "shots: {label: Shots,", "shots: {label: Shots, also: [far_shots, rounds],"
    )
    both.change("tin/procedures/throw.yaml", "shots: {label: Shots,", "far_shots: {label: Shots,")
    found = inputs(both, "gun=pop wall=1 far_shots=1..2")
    assert [(one["shots"], two["far_shots"]) for one, two in found] == [(1, 1), (2, 2)]
    # A name that only the first has means its input alone; the second's default stays.
    assert [(one["shots"], two["far_shots"]) for one, two in inputs(both, "gun=pop wall=1 rounds=2")] == [(2, 1)]
    # What the second says of its own goes there first.
    assert [
        (one["shots"], two["far_shots"]) for one, two in inputs(both, "gun=pop wall=1 far_shots=2", "far_shots=1")
    ] == [(2, 1)]
    assert refused(both, "gun=pop wall=1 far_shots=2 rounds=1") == [("R312", "rounds", "rounds twice")]


def test_what_applies_to_one_pair_is_left_out_of_the_others(both: Bench) -> None:
    found = inputs(both, "gun=pop wall=1 shots=1..2 far=no", "")
    assert [("aimed" in one, "aimed" in two) for one, two in found] == [(True, False), (False, False)]
    aimed = inputs(both, "gun=pop wall=1 shots=1..2 aimed=yes", "")
    assert [one.get("aimed") for one, _ in aimed] == [True, None]
