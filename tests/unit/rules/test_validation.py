"""From pydantic's complaints to ours: one for each mistake, at its place, in words."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Any

import pytest

from generator.documents.blocks.registry import BLOCKS
from generator.parsing.yaml12 import parse_yaml
from generator.rules.model.kind import KindModel
from generator.rules.model.manifest import Manifest
from generator.rules.model.procedure import ProcedureModel
from generator.rules.model.sheet import sheet_model
from generator.rules.model.table import TableModel
from generator.rules.source.parts import Part
from generator.rules.source.validation import keys_at, show, validate

if TYPE_CHECKING:
    from pydantic import BaseModel

    from generator.problems import Problem


def complaints(model: type[BaseModel], text: str) -> list[Problem]:
    document, unread = parse_yaml(text, "a.yaml")
    assert document is not None
    problems: list[Problem] = []
    part = Part("tin", document)
    validate(model, part.value, part.place, problems)
    return [*unread, *problems]


def told(model: type[BaseModel], text: str) -> list[str]:
    """Each complaint as "R203 field: expected"."""
    return [f"{one.code} {one.field}: {one.expected}" for one in complaints(model, text)]


HEAD = """\
ruleset: tin
title: Tin
short: Tin
edition: "2001-01-01"
authors: [Nobody]
rights: none
source: book
"""
PROCEDURE = """\
procedure: shoot
title: Shooting
cite: p. 1
inputs: {wall: {label: Wall, range: 0..2}}
outcomes: [{outcome: hit, label: Hit}]
cases:
"""


def test_what_is_right_gives_the_model_and_no_complaint() -> None:
    assert complaints(Manifest, HEAD) == []


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ("title: Tin\n", "", ["R201 title: the key title"]),
        ("title: Tin\n", "titel: Tin\n", ["R202 titel: a known key"]),
        ("title: Tin", "title: 3", ["R203 title: a text"]),
        ("title: Tin", "title:", ["R203 title: a text"]),
        ("[Nobody]", "Nobody", ["R203 authors: a list"]),
        ("[Nobody]", "[]", ["R203 authors: at least one entry"]),
        ("[Nobody]", "[1]", ["R203 authors[0]: a text"]),
        ('"2001-01-01"', "2001", ["R203 edition: a text"]),
        ("source: book", "source: The Book", ["R203 source: small letters and digits, in words joined by hyphens"]),
        ("source: book", f"source: {'b' * 61}", ["R203 source: at most 60 characters"]),
        ("rights: none\n", "rights: none\ncosts: {line: up}\n", ["R203 costs.line: one of half-up, none"]),
        ("rights: none\n", "rights: none\nsources: [x]\n", ["R203 sources: a list of keys with values"]),
        ("title: Tin\nshort: Tin\n", "", ["R201 title: the key title", "R201 short: the key short"]),
    ],
)
def test_each_mistake_is_told_once_and_in_words(old: str, new: str, expected: list[str]) -> None:
    assert HEAD.count(old) == 1
    assert told(Manifest, HEAD.replace(old, new)) == expected


def test_a_misspelt_key_that_may_mean_a_missing_one_is_one_mistake() -> None:
    (problem,) = complaints(Manifest, HEAD.replace("title: Tin", "titel: Tin"))
    assert problem.hint == "did you mean title?"
    assert (problem.span.line, problem.span.column) == (2, 1)


def test_a_misspelt_key_beside_the_right_one_is_to_be_removed() -> None:
    (problem,) = complaints(Manifest, HEAD + "tittle: Tin\n")
    assert "title is there already" in problem.hint


def test_two_mistakes_are_two() -> None:
    text = HEAD.replace("title: Tin", "titel: Tin").replace("rights: none\n", "")
    assert told(Manifest, text) == ["R201 rights: the key rights", "R202 titel: a known key"]


def test_a_wrong_key_of_a_mapping_is_found_at_the_key() -> None:
    columns = "  gun: {type: word, label: Gun}\n  big-gun: {type: word, label: x}\n"
    text = f"table: guns\ntitle: Guns\nkey: [gun]\ncolumns:\n{columns}"
    (problem,) = complaints(TableModel, text)
    assert (problem.code, problem.field, problem.span.line, problem.span.column) == ("R203", "columns.big-gun", 6, 3)
    assert problem.found == "big-gun"


@pytest.mark.parametrize(
    ("cases", "expected"),
    [
        ("[{always: 3}]", ["R203 cases[0].always: a text"]),
        ("[{always: hit, when: [1]}]", ["R203 cases[0].when: a formula"]),
        ("[{always: hit, times: {a: 1}}]", ["R203 cases[0].times: a formula"]),
        (
            "[{rolls: [{roll: a, walk: {field: a, ways: a, start: [0, 0], by: {proc: a}, shots: 1, gives: struck}}]}]",
            ["R202 cases[0].rolls[0].walk.by.proc: a known key"],
        ),
    ],
)
def test_where_several_shapes_would_do_the_one_that_was_meant_is_judged(cases: str, expected: list[str]) -> None:
    assert told(ProcedureModel, f"{PROCEDURE}  {cases}\n") == expected


@pytest.mark.parametrize("given", ["[1]", "{a: 1}", "yes", "3"])
def test_anything_can_stand_where_yes_or_no_belongs(given: str) -> None:
    text = f"kind: tank\ntitle: Tank\ncite: x\nfields: {{a: {{label: A, yes_no: {given}}}}}\n"
    (problem,) = complaints(KindModel, text)
    assert (problem.code, problem.field) == ("R203", "fields.a.yes_no")
    assert "true or false" in problem.hint


def sheet(block: str) -> str:
    head = "sheet: quick\ntitle: Q\nstrap: s\nkicker: k\nrows:\n"
    return f"{head}  - columns:\n      - - section: S\n          blocks:\n            - {block}\n"


BLOCK = "rows[0].columns[0][0].blocks[0]"


@pytest.mark.parametrize(
    ("block", "expected"),
    [
        ("{table: guns, colums: [a]}", [f"R202 {BLOCK}.colums: a known key"]),
        ("{table: 3}", [f"R203 {BLOCK}.table: a text"]),
        ("{table: [guns]}", [f"R203 {BLOCK}.table: a text"]),
        ("{grid: shoot, rows: a, columns: b}", [f"R201 {BLOCK}.measure: the key measure"]),
        (
            "{grid: shoot, rows: a, columns: b, measure: {outcomes: []}}",
            [f"R203 {BLOCK}.measure.outcomes: at least one entry"],
        ),
        ("{graph: guns}", [f"R203 {BLOCK}: a known block"]),
        ("guns", [f"R203 {BLOCK}: a known block"]),
        ("{sources: all}", [f"R203 {BLOCK}.sources: one of cited"]),
    ],
)
def test_a_block_of_a_sheet_is_judged_as_the_block_that_it_is(block: str, expected: list[str]) -> None:
    assert told(sheet_model(BLOCKS), sheet(block)) == expected


def test_the_hint_for_a_block_names_its_own_keys_alone() -> None:
    (problem,) = complaints(sheet_model(BLOCKS), sheet("{steps: shoot, zzz: 1}"))
    assert problem.hint == "known here: steps, when, without"


def test_the_keys_of_a_place() -> None:
    value: dict[str, Any] = {"columns": {"gun": {"type": "word"}}}
    assert "key" in keys_at(TableModel, (), value)
    assert keys_at(TableModel, ("columns", "gun"), value) == {
        "type",
        "label",
        "unit",
        "optional",
        "of",
        "from",
        "range",
        "signed",
        "free",
        "concerns",
    }


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        ("word", "word"),
        (3, "3"),
        (Fraction(7, 2), "3.5"),
        (Fraction(-1, 4), "-0.25"),
        (True, "yes"),
        (False, "no"),
        (None, "nothing"),
        ({}, "a list of keys with values"),
        ([1], "a list"),
        ([], "an empty list"),
        ("x" * 61, "x" * 57 + "..."),
    ],
)
def test_a_value_is_shown_as_it_was_written(value: object, shown: str) -> None:
    assert show(value) == shown
