"""The sample forces as they are shipped: lawful, and a stock from which forces of any size can be chosen."""

from __future__ import annotations

from collections import Counter
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

import pytest
import yaml
from jsonschema import Draft202012Validator  # type: ignore[import-untyped] # ships no types

from generator.commands.access import is_players, open_library
from generator.commands.forces import load_force_file, new, schema
from generator.commands.rulesets import check
from generator.rules.source.library import SAMPLES, Example, examples

if TYPE_CHECKING:
    from pathlib import Path

    from generator.forces.force import Force, Unit

pytestmark = pytest.mark.slow

LIBRARY = open_library()
ALL = [one for name in LIBRARY.ids() if (folder := LIBRARY.find(name)) for one in examples([folder], SAMPLES).values()]
WITH_UNITS = ("dirtside2", "dirtside2-iceburg")
"""The rule sets whose samples are a stock: more units than one battle holds."""
STOCKS = [one for one in ALL if one.folder.ruleset in WITH_UNITS]


def named(one: Example) -> str:
    return one.name


@cache
def force_of(one: Example) -> Force:
    return load_force_file(LIBRARY, one.path)


GAMES = ("dirtside2", "fma-skirmish", "sla-3d", "stargrunt2")


def test_every_game_has_six_samples() -> None:
    counts = Counter(one.folder.ruleset for one in ALL)
    assert counts == {**dict.fromkeys(GAMES, 6), "dirtside2-iceburg": 2}


HULLS = {
    # Hull, then armour, plant and mobility as percentages of points, each rounded by itself; then the equipment.
    # Merlin: hull 15 and 3 x 20% of it make 24; 40% and 60%; laser 2 x 12, fire control 2 x 6, ECM 30.
    "orrin-scouts": ("Merlin", 15 + 9 + 10 + 14 + 2 * 12 + 2 * 6 + 30),
    # Massif: hull 30 and 6 x 30% of it make 84; 60% and 20%; guns 5 x 10 and 2 x 3 x 8, then 5 x 4, PDS 30, APFC 6 x 5.
    "karst-armour": ("Massif", 30 + 54 + 50 + 17 + 50 + 48 + 20 + 30 + 30),
    # Comet: hull 10 and 1 x 20% of it make 12; 60% and 1,000%; ECM 30, one bomb 30.
    "ember-descent": ("Comet", 10 + 2 + 7 + 120 + 30 + 30),
    # Furrow: hull 15 and 2 x 20% of it make 21; 20% and 20%; cannon 5, minelayer 100, one load 100, no fire control.
    "sarn-fortress": ("Furrow", 15 + 6 + 4 + 4 + 100 + 100),
    # In the skirmish game a figure costs what its quality costs.
    "lantern-pathfinders": ("Serel Aune", 25),
    "iron-lodge-breakers": ("Breaker suit", 20),
    "tannery-row-mob": ("Ganger", 15),
    "vault-eleven-guard": ("Night guard", 10),
}


@pytest.mark.parametrize("one", [one for one in ALL if one.name in HULLS], ids=named)
def test_a_design_costs_what_a_sum_by_hand_gives(one: Example) -> None:
    name, points = HULLS[one.name]
    assert [design.points for design in force_of(one).designs if design.name == name] == [points]


@pytest.mark.parametrize("one", ALL, ids=named)
def test_a_sample_musters_without_problems(one: Example) -> None:
    force = force_of(one)
    assert is_players(one.path)
    assert check((), [str(one.path)]) == force.problems
    # A stock has more units than play well in one battle: the one piece of advice that cannot be helped.
    assert [problem.code for problem in force.problems] == (["dirtside2/units"] if one in STOCKS else [])
    assert {problem.severity for problem in force.problems} <= {"advice"}
    assert force.whole
    assert force.rules.id == one.folder.ruleset
    assert force.budget is None


@pytest.mark.parametrize("one", ALL, ids=named)
def test_a_sample_keeps_the_schema_that_an_editor_has(one: Example) -> None:
    said = yaml.safe_load(one.path.read_text(encoding="utf-8"))
    Draft202012Validator(schema(LIBRARY, one.folder.ruleset)).validate(said)


@pytest.mark.parametrize("one", ALL, ids=named)
def test_a_sample_tells_what_each_of_it_is_for(one: Example) -> None:
    force = force_of(one)
    assert force.note.rstrip().count(". ") == 1
    assert [design.name for design in force.designs if not 10 <= len(design.note) <= 65] == []
    assert [design.name for design in force.designs if not design.note.endswith(".")] == []
    least = {"stargrunt2": 6, "fma-skirmish": 8, "sla-3d": 6}.get(one.folder.ruleset, 14)
    assert len(force.designs) >= least


@pytest.mark.parametrize("what", ["force", "design", "unit"])
def test_no_name_is_given_twice(what: str) -> None:
    forces = [force_of(one) for one in ALL]
    names = {
        "force": [one.name for one in ALL] + [force.name for force in forces],
        "design": [design.name for force in forces for design in force.designs],
        "unit": [unit.name for force in forces for unit in force.units],
    }[what]
    assert len(names) >= 10
    assert [name for name, count in Counter(names).items() if count > 1] == []


# A stock


@pytest.mark.parametrize("one", STOCKS, ids=named)
def test_any_points_from_800_to_6000_can_be_chosen_within_one_in_a_hundred(one: Example) -> None:
    """With no more than the twelve units that play well."""
    costs = [int(unit.points) for unit in force_of(one).units if unit.points is not None]
    assert min(costs) >= 40
    assert max(costs) <= 700
    reached: list[set[int]] = [{0}] + [set() for _ in range(12)]
    for cost in costs:
        for before, after in zip(reached[-2::-1], reached[:0:-1], strict=True):
            after |= {points + cost for points in before}
    totals = set.union(*reached)
    near = [{*range(-(-99 * points // 100), 101 * points // 100 + 1)} & totals for points in range(800, 6001)]
    assert [points for points, found in enumerate(near, start=800) if not found] == []


@pytest.mark.parametrize("one", STOCKS, ids=named)
def test_any_choice_of_units_is_lawful(one: Example) -> None:
    """Guns have their shells in their own unit, and teams their carriers."""
    units = force_of(one).units
    assert len(units) >= 14
    assert {sum(entry.count for entry in unit.of) for unit in units} <= {1, 2, 3, 4, 5, 6}
    for unit in units:
        held = needs(unit)
        assert held.guns == held.shelled, unit.name
        assert held.seats >= held.seated or held.seats == 0, unit.name
    assert len({str(unit.values) for unit in units}) > 4, "quality and leadership differ"


class Needs(NamedTuple):
    guns: frozenset[str]
    shelled: frozenset[str]
    seats: int
    """Capacity for teams of its carriers."""
    seated: int


ROOM = {"militia": 4, "line": 4, "powered": 8}
TEAMS = ("infantry-team", "mortar-team", "commando-team")


def needs(unit: Unit) -> Needs:
    guns, shelled = set(), set()
    seats = seated = 0
    for entry in unit.of:
        said = entry.design.values
        match entry.design.kind.id:
            case "artillery-ammunition":
                shelled.add(said["artillery"])
            case "mortar-team":
                guns.add("light")
            case "vehicle" | "emplacement" if said["artillery"] != "none":
                guns.add(said["artillery"])
        if entry.design.kind.id in TEAMS:
            seated += entry.count * ROOM[said["type"]]
        seats += entry.count * sum(ROOM[one["team"]] * one["count"] for one in said.get("carries", ()))
    return Needs(frozenset(guns), frozenset(shelled), seats, seated)


@pytest.mark.parametrize(
    "rules", ["dirtside2-fma", "dirtside2-iceburg", "dirtside2-fma+dirtside2-iceburg", "stargrunt2-quick"]
)
def test_a_layer_takes_the_samples_of_its_parent(tmp_path: Path, rules: str) -> None:
    parent = [one for one in ALL if one.folder.ruleset == rules.split("-", maxsplit=1)[0]]
    assert len(parent) == 6
    for one in parent:
        file, _ = new(LIBRARY, rules, tmp_path / one.name, one.name)
        copy, original = load_force_file(LIBRARY, file), force_of(one)
        assert copy.rules.id == rules
        assert {problem.severity for problem in copy.problems} <= {"advice"}
        assert [design.name for design in copy.designs] == [design.name for design in original.designs]
