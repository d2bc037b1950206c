"""Designs as a kind sees them: fields checked, words understood, defaults filled in."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from generator.forces.designs import read_fields
from generator.parsing.yaml12 import parse_yaml
from generator.rules.source.parts import Part

if TYPE_CHECKING:
    from generator.problems import Problem
    from tests.conftest import Bench


def read(bench: Bench, text: str) -> tuple[dict[str, Any] | None, list[Problem]]:
    document, unread = parse_yaml(text, "force.yaml")
    assert document is not None
    assert unread == ()
    assert isinstance(document.value, dict)
    problems: list[Problem] = []
    kind = bench.rules().kinds["tank"]
    return read_fields(kind.fields, document.value, Part("", document).place(), problems), problems


def complete(bench: Bench, text: str) -> dict[str, Any]:
    design, problems = read(bench, text)
    assert problems == []
    assert design is not None
    return design


def told(bench: Bench, text: str) -> list[tuple[str, str, str]]:
    """Each problem as its code, its field and the text that the caret stands at."""
    design, problems = read(bench, text)
    assert design is None
    return [(one.code, one.field, one.span.text[one.span.column - 1 :]) for one in problems]


def test_a_design_is_completed_with_defaults(bench: Bench) -> None:
    assert complete(bench, "wall: 2\n") == {"wall": 2, "crewed": True, "weapons": ()}


def test_entries_of_a_list_are_completed_too(bench: Bench) -> None:
    design = complete(bench, "wall: 1\nweapons: [{gun: pop}, {gun: cannon, count: 2}]\n")
    assert design["weapons"] == ({"gun": "pop", "count": 1}, {"gun": "cannon", "count": 2})


@pytest.mark.parametrize(
    ("text", "field", "value"),
    [
        ("wall: '1'\n", "wall", 1),
        ("wall: 1\ncrewed: no\n", "crewed", False),
        ("wall: 1\ncrewed: false\n", "crewed", False),
        ("wall: 1\ncrewed: Yes\n", "crewed", True),
        ("wall: 1\nweapons: [{gun: Big cannon}]\n", "weapons", ({"gun": "cannon", "count": 1},)),
        ("wall: 1\nweapons: [{gun: POP, count: '2'}]\n", "weapons", ({"gun": "pop", "count": 2},)),
        ("wall: 1\nweapons:\n", "weapons", ()),
        ("wall: 1\nweapons: 2 x pop\n", "weapons", ({"gun": "pop", "count": 2},)),
        (
            "wall: 1\nweapons: [pop, Big cannon]\n",
            "weapons",
            ({"gun": "pop", "count": 1}, {"gun": "cannon", "count": 1}),
        ),
    ],
)
def test_words_are_read_as_people_write_them(bench: Bench, text: str, field: str, value: object) -> None:
    assert complete(bench, text)[field] == value


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("wall: 1\ncolour: red\n", [("F201", "colour", "colour: red")]),
        ("wall: 1\ncrewd: no\n", [("F201", "crewd", "crewd: no")]),
        ("wal: 1\n", [("F201", "wal", "wal: 1")]),
        ("wall: 1\ncrewed: 3\nweapons: []\ncrewd: no\n", [("F201", "crewd", "crewd: no"), ("F203", "crewed", "3")]),
        ("crewed: no\n", [("F202", "wall", "crewed: no")]),
        ("wall:\n", [("F202", "wall", "")]),
        ("wall: 3\n", [("F203", "wall", "3")]),
        ("wall: [1]\n", [("F203", "wall", "[1]")]),
        ("wall: {a: 1}\n", [("F203", "wall", "{a: 1}")]),
        ("wall: 1.5\n", [("F203", "wall", "1.5")]),
        ("wall: true\n", [("F203", "wall", "true")]),
        ("wall: 1\ncrewed: 1\n", [("F203", "crewed", "1")]),
        ("wall: 1\nweapons: 3\n", [("F204", "weapons", "3")]),
        ("wall: 1\nweapons: [3]\n", [("F204", "weapons", "[3]")]),
        ("wall: 1\nweapons: [pop, canon]\n", [("F203", "weapons[1].gun", "canon]")]),
        ("wall: 1\nweapons: pop; cannon 9\n", [("F203", "weapons[1].count", "9")]),
        ("wall: 1\nweapons: {gun: pop}\n", [("F204", "weapons", "{gun: pop}")]),
        ("wall: 1\nweapons: [{count: 1}]\n", [("F202", "weapons[0].gun", "{count: 1}]")]),
        ("wall: 1\nweapons: [{gun: pop}, {gnu: pop}]\n", [("F201", "weapons[1].gnu", "gnu: pop}]")]),
        (
            "wall: 9\nweapons: [{gun: pop, count: 9}, {gun: x}]\nwheels: 4\n",
            [
                ("F201", "wheels", "wheels: 4"),
                ("F203", "wall", "9"),
                ("F203", "weapons[0].count", "9}, {gun: x}]"),
                ("F203", "weapons[1].gun", "x}]"),
            ],
        ),
    ],
)
def test_every_slip_is_told_once_and_at_its_place(
    bench: Bench, text: str, expected: list[tuple[str, str, str]]
) -> None:
    assert told(bench, text) == expected


def test_a_hint_says_what_may_be_meant_or_what_there_is(bench: Bench) -> None:
    hints = [one.hint for one in read(bench, "wal: 1\ncolour: red\nweapons: [{gun: canon}]\n")[1]]
    assert hints == ["did you mean wall?", "fields: wall, crewed, weapons", "did you mean cannon?"]
    assert read(bench, "crewed: no\n")[1][0].hint == "add wall: 1"
    assert (
        read(bench, "wall: 1\ncrewed: no\nweapons: []\ncrewd: no\n")[1][0].hint == "remove it: crewed is there already"
    )
    assert read(bench, "wall: 1\nweapons: 3\n")[1][0].hint == "weapons: pop"
