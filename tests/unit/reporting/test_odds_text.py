"""Odds as text and CSV: joint figures, two procedures side by side, what a chance needs, ranked options."""

from __future__ import annotations

import csv
import io
from typing import Any

import pytest

from generator.reporting.odds import MOST_TOGETHER, answer_text


def chance(exact: str, **more: Any) -> dict[str, Any]:
    return {**more, "probability": exact, "decimal": 0.0}


def cell(inputs: dict[str, Any], outcomes: dict[str, str], **more: Any) -> dict[str, Any]:
    told = [chance(exact, outcome=name) for name, exact in outcomes.items()]
    nothing: dict[str, Any] = {"marginals": [], "distributions": {}, "means": {}, "notes": []}
    return {"inputs": inputs, "outcomes": told, **nothing, **more}


def joint(count: int) -> dict[str, Any]:
    return {"pair": [chance(f"1/{count}", value=[place, "1/2"]) for place in range(count)]}


def lines(text: str) -> list[list[str]]:
    return [line.split() for line in text.splitlines()]


def rows(text: str) -> list[list[str]]:
    return list(csv.reader(io.StringIO(text)))


def test_words_are_neither_more_nor_less_than_others() -> None:
    arm = [chance("1/4", value="arm"), chance("3/4", value="leg")]
    lost = [chance("1/4", value=1), chance("3/4", value=2)]
    of = cell({"gun": "pop"}, {"hit": "1"}, distributions={"limb": arm, "lost": lost}, means={"lost": "7/4"})
    heads = {line[0]: line for line in lines(answer_text({"cells": [of]}, "text")) if {"exact", "exactly"} & {*line}}
    assert ("least" in heads["limb"], "least" in heads["lost"]) == (False, True)


@pytest.mark.parametrize("form", ["text", "markdown"])
def test_joint_figures_are_a_table_under_the_cell(form: Any) -> None:
    data = {"cells": [cell({"gun": "pop"}, {"hit": "1"}, distributions=joint(MOST_TOGETHER))]}
    found = [[word for word in words if word != "|"] for words in lines(answer_text(data, form))]
    start = found.index(["pair", "chance", "exact"])
    assert found[start + 2][:4] == ["0,", "1/2", "2.5%", "1/40"]
    assert found[-1][:4] == [f"{MOST_TOGETHER - 1},", "1/2", "2.5%", "1/40"]


def test_too_many_joint_figures_are_counted() -> None:
    data = {"cells": [cell({"gun": "pop"}, {"hit": "1"}, distributions=joint(MOST_TOGETHER + 1))]}
    text = answer_text(data, "text")
    assert text.endswith("\npair: 41 combinations; --format csv and json list them.")
    assert "1/41" not in text


def test_a_grid_says_what_it_leaves_out() -> None:
    figures = {"down": [chance("1", value=2)], "never": [], **joint(2)}
    cells = [cell({"gun": gun}, {"hit": "1"}, distributions=figures) for gun in ("pop", "big")]
    assert answer_text({"cells": cells}, "text").splitlines()[-1] == (
        "Note: for the chances of each down, pair ask for one combination, or --format csv"
    )
    plain = [cell({"gun": gun}, {"hit": "1"}) for gun in ("pop", "big")]
    assert "Note" not in answer_text({"cells": plain}, "text")


def test_csv_has_all_joint_figures() -> None:
    found = rows(answer_text({"cells": [cell({"gun": "pop"}, {"hit": "1"}, distributions=joint(50))]}, "csv"))
    assert found[1] == ["pop", "hit", "1", "0.0", ""]
    assert found[2] == ["pop", "pair = 0, 1/2", "1/50", "0.0", ""]
    assert len(found) == 52


def pair(armour: int, own: int) -> dict[str, Any]:
    first = cell({"gun": "pop", "armour": armour}, {"hit": "1/2", "miss": "1/2"}, means={"down": "1"}, notes=["wet"])
    second = cell({"armour": own, "die": 6}, {"hit": "2/3", "jam": "1/3"}, means={"down": "1/2"})
    return {
        "first": first, "second": second, "marginals": [], "distributions": {},
        "outcomes": [{"outcome": "hit", "first": "1/2", "second": "2/3", "difference": "1/6", "decimal": 0.166667}],
        "means": {"down": {"first": "1", "second": "1/2", "difference": "-1/2", "decimal": -0.5}},
    }  # fmt: skip


def compared(*pairs: dict[str, Any]) -> dict[str, Any]:
    other = {"ruleset": "steel", "procedure": "throw"}
    return {"ruleset": "tin", "procedure": "shoot", "against": other, "problems": [], "cells": list(pairs)}


def test_one_pair_is_told_side_by_side() -> None:
    found = lines(answer_text(compared(pair(1, 1)), "text"))
    assert found[:2] == [
        ["first:", "tin/shoot,", "gun", "pop,", "armour", "1"],
        ["second:", "steel/throw,", "armour", "1,", "die", "6"],
    ]
    assert found[3] == ["outcome", "first", "second", "difference"]
    assert found[5:8] == [["hit", "50.0%", "66.7%", "+16.7"], ["miss", "50.0%"], ["jam", "33.3%"]]
    assert ["mean", "down", "1", "1/2", "(0.50)", "-1/2", "(-0.50)"] in found
    assert found[-1] == ["Note:", "first:", "wet"]


def test_several_pairs_are_one_table() -> None:
    same = lines(answer_text(compared(pair(1, 1), pair(2, 2)), "text"))
    assert same[0] == ["first:", "tin/shoot,", "gun", "pop"]
    assert same[3] == ["armour", "outcome", "first", "second", "difference"]
    assert ["2", "hit", "50.0%", "66.7%", "+16.7"] in same
    apart = lines(answer_text(compared(pair(1, 3), pair(2, 4)), "text"))
    assert apart[3] == ["first", "armour", "second", "armour", "outcome", "first", "second", "difference"]
    assert ["2", "4", "hit", "50.0%", "66.7%", "+16.7"] in apart
    alone = lines(answer_text(compared(pair(1, 3), pair(2, 3)), "text"))
    assert alone[3] == ["first", "armour", "outcome", "first", "second", "difference"]


def test_a_comparison_as_csv_is_exact() -> None:
    told = pair(1, 3)
    told["first"]["distributions"] = joint(1)
    found = rows(answer_text(compared(told), "csv"))
    inputs = ["first gun", "first armour", "second armour", "second die"]
    assert found == [
        [*inputs, "outcome", "first", "second", "difference", "decimal", "notes"],
        ["pop", "1", "3", "6", "hit", "1/2", "2/3", "1/6", "0.166667", "first: wet"],
        ["pop", "1", "3", "6", "miss", "1/2", "", "", "", "first: wet"],
        ["pop", "1", "3", "6", "jam", "", "1/3", "", "", "first: wet"],
        ["pop", "1", "3", "6", "pair = 0, 1/2", "1/1", "", "", "", "first: wet"],
        ["pop", "1", "3", "6", "mean down", "1", "1/2", "-1/2", "-0.5", "first: wet"],
    ]  # fmt: skip


REACH = {
    "reach": {"what": "hit", "probability": "1/3", "decimal": 0.333333}, "by": "gun", "from": "greatest",
    "answers": [
        chance("1/2", inputs={"wall": 0, "wet": False}, reached=True, value="pop", steady=True, notes=[]),
        chance("1/2", inputs={"wall": 1, "wet": False}, reached=True, value="pop", steady=False, notes=["far"]),
        chance("1/4", inputs={"wall": 2, "wet": False}, reached=False, value="big", steady=False, notes=[]),
    ],
}  # fmt: skip


def test_what_a_chance_needs() -> None:
    found = lines(answer_text(REACH, "text"))
    assert answer_text(REACH, "text").startswith("The greatest gun for hit at 1/3 or more\nwet no\n\n")
    assert found[5:8] == [
        ["0", "pop", "50.0%", "1/2"],
        ["1", "pop", "50.0%", "1/2", "not", "for", "every", "earlier", "value", "1"],
        ["2", "none", "25.0%", "1/4", "the", "highest", "chance,", "at", "big"],
    ]
    assert found[-1] == ["Note", "1:", "far"]
    assert rows(answer_text(REACH, "csv"))[2:] == [
        ["1", "no", "yes", "pop", "1/2", "0.0", "no", "far"],
        ["2", "no", "no", "big", "1/4", "0.0", "no", ""],
    ]


def ranked(measure: str, known: str, without: list[dict[str, Any]]) -> dict[str, Any]:
    one = {"exact": "5/8", "decimal": 0.625, "known": known}
    options = [
        {"rank": 1, "tied": True, "inputs": {"gun": "pop"}, **one, "notes": []},
        {"rank": 1, "tied": True, "inputs": {"gun": "big"}, **one, "notes": ["not made", "loud"]},
    ]
    ranking = {"inputs": {"wall": 1}, "options": options, "without": without}
    return {"what": "down", "measure": measure, "first": "least", "by": ["gun"], "rankings": [ranking]}


def test_ranked_options() -> None:
    found = lines(answer_text(ranked("chance", "1", []), "text"))
    assert answer_text(ranked("chance", "1", []), "text").startswith("gun: the least chance of down first\nwall 1\n\n")
    assert found[3:] == [
        ["rank", "gun", "chance", "exact", "note"],
        ["------", "-----", "--------", "-------", "------"],
        ["1=", "pop", "62.5%", "5/8"],
        ["1=", "big", "62.5%", "5/8", "1,", "2"],
        [],
        ["Note", "1:", "not", "made"],
        ["Note", "2:", "loud"],
    ]
    assert rows(answer_text(ranked("chance", "1", []), "csv")) == [
        ["wall", "rank", "tied", "gun", "chance", "decimal", "known", "notes"],
        ["1", "1", "yes", "pop", "5/8", "0.625", "1", ""],
        ["1", "1", "yes", "big", "5/8", "0.625", "1", "not made; loud"],
    ]


def test_ranked_means_say_where_there_is_none() -> None:
    assert lines(answer_text(ranked("mean", "1", []), "text"))[5] == ["1=", "pop", "5/8", "0.63"]
    text = answer_text(ranked("mean", "3/4", [{"gun": "toy"}]), "text")
    assert lines(text)[5] == ["1=", "pop", "5/8", "0.63", "75.0%"]
    assert "Note: no down is possible: gun toy" in text
    assert "known is the chance of such a roll" in text


def test_a_grid_marks_the_rows_of_its_notes_and_nests_as_it_was_asked() -> None:
    cells = [
        cell({"gun": gun, "wall": wall}, {"hit": "1"}, means={"down": "7/4"}, notes=notes)
        for wall in (0, 1)
        for gun, notes in (("pop", ["wet"]), ("big", ["wet", "not made"]))
    ]
    found = lines(answer_text({"cells": cells}, "text"))
    assert found[0] == ["wall", "gun", "hit", "mean", "down", "note"]
    assert found[2] == ["0", "pop", "100.0%", "7/4", "(1.75)"]
    assert found[5] == ["1", "big", "100.0%", "7/4", "(1.75)", "1"]
    assert found[6:] == [[], ["Note:", "wet"], ["Note", "1:", "not", "made"]]
    assert answer_text({"cells": cells}, "markdown").endswith("\n\nNote: wet\n\nNote 1: not made")


def test_a_comparison_of_several_cells_marks_and_nests_too() -> None:
    dry = pair(1, 1)
    dry["first"] = {**dry["first"], "notes": []}
    found = lines(answer_text(compared(dry, pair(2, 2)), "text"))
    assert found[3][-1] == "note"
    assert ["1", "hit", "50.0%", "66.7%", "+16.7"] in found
    assert ["2", "hit", "50.0%", "66.7%", "+16.7", "1"] in found
    assert found[-1] == ["Note", "1:", "first:", "wet"]
    turned = lines(answer_text(compared(pair(1, 1), pair(2, 1), pair(1, 2), pair(2, 2)), "text"))
    assert turned[3][:4] == ["second", "armour", "first", "armour"]
