"""Odds that help to decide: the JSON contract of comparisons, of what a chance needs and of the best options."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from tests.cli.conftest import Read, Run

CONTRACT = Path(__file__).parents[2] / "docs" / "reference" / "contract"
ARMOUR_FIRE = "dirtside2-fma/armour-fire"


def outcomes(cell: dict[str, Any]) -> dict[str, Fraction]:
    return {one["outcome"]: Fraction(one["probability"]) for one in cell["outcomes"]}


def rounded(exact: Fraction) -> Fraction:
    return Fraction((exact * 2_000_000 + 1) // 2, 1_000_000)


def test_a_cell_is_the_same_in_odds_and_in_a_comparison() -> None:
    alone, compared = (
        json.loads((CONTRACT / f"{name}.schema.json").read_text(encoding="utf-8")) for name in ("odds", "comparison")
    )
    assert compared["$defs"]["cell"] == alone["properties"]["cells"]["items"]


# Two procedures


def test_two_procedures_side_by_side(run: Run, read: Read) -> None:
    words = ("chits=3", "valid=red", "armour=2..3", "--against", ARMOUR_FIRE, "weapon_size=3")
    data = read("comparison", run("odds", "dirtside2/chit-damage", *words, "--format", "json"))
    assert (data["ruleset"], data["procedure"]) == ("dirtside2", "chit-damage")
    assert data["against"] == {"ruleset": "dirtside2-fma", "procedure": "armour-fire"}
    assert [one["first"]["inputs"]["armour"] for one in data["cells"]] == [2, 3]
    for side, name, own in (("first", "dirtside2/chit-damage", "chits=3"), ("second", ARMOUR_FIRE, "weapon_size=3")):
        alone = read("odds", run("odds", name, own, "valid=red", "armour=2..3", "--format", "json"))
        assert [one[side] for one in data["cells"]] == alone["cells"]
    for one in data["cells"]:
        first, second = outcomes(one["first"]), outcomes(one["second"])
        assert [both["outcome"] for both in one["outcomes"]] == [name for name in first if name in second]
        assert {both["outcome"] for both in one["outcomes"]} == {"destroyed", "no-effect"}
        for both in one["outcomes"]:
            found = second[both["outcome"]] - first[both["outcome"]]
            assert both["difference"] == str(found)
            assert Fraction(str(both["decimal"])) == rounded(found)
        assert one["marginals"] == []
        assert one["distributions"] == one["means"] == {}


def test_figures_of_two_procedures_side_by_side(run: Run, read: Read) -> None:
    words = ("skill=6", "--against", "sla-3d", "modifier=1")
    [cell] = read("comparison", run("odds", "sla-3d/skill-roll", *words, "--format", "json"))["cells"]
    assert cell["first"]["inputs"] == {**cell["second"]["inputs"], "modifier": 0}
    assert cell["distributions"]
    for name, values in cell["distributions"].items():
        for side in ("first", "second"):
            alone = {one["value"]: one["probability"] for one in cell[side]["distributions"][name]}
            assert set(alone) <= {one["value"] for one in values}
            assert {one["value"]: one[side] for one in values} == {
                one["value"]: alone.get(one["value"], "0") for one in values
            }
            assert cell["means"][name][side] == cell[side]["means"][name]
        for one in (*values, cell["means"][name]):
            assert Fraction(one["difference"]) == Fraction(one["second"]) - Fraction(one["first"])


@pytest.mark.parametrize(
    ("words", "points"),
    [
        (
            ("paces=1,2", "--against", "duel", "wind=calm,gale"),
            [(1, 1, "calm"), (1, 1, "gale"), (2, 2, "calm"), (2, 2, "gale")],
        ),
        (
            ("paces=1,2", "--against=duel", "paces=3,2"),
            [(1, 3, "calm"), (1, 2, "calm"), (2, 3, "calm"), (2, 2, "calm")],
        ),
        (("--against", "duel/shot", "paces=1", "wind=gale", "--", "x=1"), None),
        (("paces=1", "--against", "duel", "--", "paces=2"), [(1, 2, "calm")]),
    ],
)
def test_pairs_in_their_order(
    run: Run, read: Read, rules: Path, words: tuple[str, ...], points: list[tuple[int, int, str]] | None
) -> None:
    result = run("--rules-path", str(rules), "odds", "--format", "json", "duel/shot", "nerve=steady", *words)
    if points is None:
        assert {one["code"] for one in read("problems", result)["problems"]} == {"R312"}
        return
    data = read("comparison", result)
    assert [
        (one["first"]["inputs"]["paces"], one["second"]["inputs"]["paces"], one["second"]["inputs"]["wind"])
        for one in data["cells"]
    ] == points


def test_one_procedure_under_two_rule_sets(run: Run, read: Read) -> None:
    words = ("fire_control=basic", "band=close", "signature=3", "--against", "dirtside2-iceburg")
    data = read("comparison", run("odds", "dirtside2/fire-to-hit", *words, "--format", "json"))
    assert data["against"] == {"ruleset": "dirtside2-iceburg", "procedure": "fire-to-hit"}
    [cell] = data["cells"]
    assert cell["first"]["inputs"] == cell["second"]["inputs"]


# What a chance needs


def test_what_a_chance_needs(run: Run, read: Read) -> None:
    words = ("valid=red", "armour=3,5")
    asked = ("--by", "weapon_size", "--reach", "destroyed=50%", "--format", "json")
    data = read("reach", run("odds", ARMOUR_FIRE, *words, *asked))
    assert data["reach"] == {"what": "destroyed", "probability": "1/2", "decimal": 0.5}
    assert (data["by"], data["from"]) == ("weapon_size", "least")
    grid = read("odds", run("odds", ARMOUR_FIRE, *words, "weapon_size=1..5", "--format", "json"))
    chances = {
        (cell["inputs"]["armour"], cell["inputs"]["weapon_size"]): outcomes(cell)["destroyed"] for cell in grid["cells"]
    }
    low, high = data["answers"]
    assert low["inputs"] == {"valid": "red", "armour": 3}
    assert (low["reached"], low["value"], low["steady"]) == (True, 3, True)
    assert chances[3, 2] < Fraction(1, 2) <= chances[3, 3] == Fraction(low["probability"])
    assert (high["reached"], high["value"], high["steady"]) == (False, 5, False)
    assert max(chances[5, size] for size in range(1, 6)) == chances[5, 5] == Fraction(high["probability"])
    assert chances[5, 5] < Fraction(1, 2)


def test_the_only_input_that_varies_is_the_one(run: Run, read: Read) -> None:
    words = ("valid=red", "weapon_size=3", "armour=0..7", "--reach", "destroyed=1/2", "--greatest")
    data = read("reach", run("odds", ARMOUR_FIRE, *words, "--format", "json"))
    assert (data["by"], data["from"]) == ("armour", "greatest")
    [answer] = data["answers"]
    # By hand: a D8 and a D6 against a D8 stand above in 203 of 384 rolls, against a D10 in fewer than half.
    assert (answer["value"], answer["probability"], answer["steady"]) == (3, "203/384", True)


# The best of several options


def test_options_are_ranked(run: Run, read: Read) -> None:
    words = ("weapon_size=2,3", "armour=4", "--by", "valid", "--format", "json")
    data = read("best", run("odds", ARMOUR_FIRE, *words, "--best", "destroyed"))
    assert (data["what"], data["measure"], data["first"], data["by"]) == ("destroyed", "chance", "greatest", ["valid"])
    assert [one["inputs"] for one in data["rankings"]] == [{"weapon_size": size, "armour": 4} for size in (2, 3)]
    for one in data["rankings"]:
        gives = [Fraction(option["exact"]) for option in one["options"]]
        assert gives == sorted(gives, reverse=True)
        assert len(gives) == 7
        for option, chance in zip(one["options"], gives, strict=True):
            assert option["rank"] == 1 + sum(other > chance for other in gives)
            assert option["tied"] == (gives.count(chance) > 1)
            assert option["known"] == "1"
        assert any(option["tied"] for option in one["options"])
        assert one["without"] == []
    worst = read("best", run("odds", ARMOUR_FIRE, *words, "--worst", "destroyed"))
    assert worst["first"] == "least"
    exact = [[option["exact"] for option in one["rankings"][0]["options"]] for one in (data, worst)]
    assert exact[0] == exact[1][::-1]


def test_means_are_ranked_with_the_chance_that_there_is_one(run: Run, read: Read) -> None:
    words = ("skill=4,6", "rcl=5", "pen=4", "dam=20", "pv=10", "--format", "json")
    data = read("best", run("odds", "sla-3d/attack", *words, "--best", "damage"))
    grid = read("odds", run("odds", "sla-3d/attack", *words))
    assert data["measure"] == "mean"
    [ranking] = data["rankings"]
    told = {one["inputs"]["skill"]: (one["exact"], Fraction(one["known"])) for one in ranking["options"]}
    assert told == {
        cell["inputs"]["skill"]: (cell["means"]["damage"], 1 - outcomes(cell)["missed"]) for cell in grid["cells"]
    }


def test_a_weapon_that_is_not_made_is_told_as_such_among_the_options(run: Run, read: Read) -> None:
    words = ("quality=regular", "fire_control=basic", "bands=1", "weapon=MDC", "face=soft-skinned", "class=1..5")
    asked = ("odds", "stargrunt2/heavy-fire", *words, "--worst", "missed")
    [ranking] = read("best", run(*asked, "--format", "json"))["rankings"]
    noted = {one["inputs"]["class"]: one["notes"] for one in ranking["options"]}
    # The table of heavy weapons has the MDC in classes 3 to 5.
    missing = ["the weapon is not made in that class"]
    assert noted == {1: missing, 2: missing, 3: [], 4: [], 5: []}
    assert "Note 1: the weapon is not made" in run(*asked).stdout
