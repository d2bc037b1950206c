"""Terrain and objectives of scenarios that are rolled: within reach, with lanes between, laid again where not."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from generator.commands.access import open_library
from generator.commands.generation import ScenarioOptions, generate
from generator.commands.scenarios import load_scenario_file
from generator.errors import ProblemsError
from generator.scenarios.chance import Chance
from generator.scenarios.generate import objectives as table_layout
from generator.scenarios.table.coordinates import Frame, spot_in
from generator.scenarios.table.outlines import HALF
from generator.scenarios.table.reach import Extent

if TYPE_CHECKING:
    from collections.abc import Callable

pytestmark = pytest.mark.slow

HEAD = """\
ruleset: odd
title: Odd
short: Odd
edition: "2024"
authors: [Nobody]
rights: Free.
source: book
sources: {book: {title: Book, short: Book}}
extends: [dirtside2]
"""
RULESDATA = Path(__file__).parents[3] / "rulesdata" / "dirtside2"


def odd(folder: Path, changes: str = "") -> None:
    """A layer over the core rules with these changes to its tables for scenarios."""
    (folder / "odd" / "scenario").mkdir(parents=True)
    (folder / "odd" / "ruleset.yaml").write_text(HEAD, encoding="utf-8")
    if changes:
        text = "changes:\n" + changes
        (folder / "odd" / "scenario" / "changes.yaml").write_text(text, encoding="utf-8")


def change(address: str, was: str, to: str) -> str:
    return f'  - {{set: "tables.{address}", was: {was}, to: {to}, reason: To see., cite: p. 1}}\n'


def test_an_objective_that_would_lie_in_a_lake_is_put_elsewhere(tmp_path: Path, proof_of: Callable[[str], Any]) -> None:
    changes = change("goals[hasty-attack, 1].on", "[village, hill]", "[lake]")
    changes += change("goals[hasty-attack, 1].radius", "4", "1")
    changes += change("goals[hasty-attack, 1].ahead", '"50..70"', '"0..100"')
    changes += change("goals[hasty-attack, 1].along", '"30..70"', '"0..100"')
    changes += change("regions[marsh].weight", "2", "100")
    odd(tmp_path, changes)
    proof, wet = proof_of("odd"), 0
    for seed in range(12):
        battle, found = proof.roll(ScenarioOptions(seed, 900, mission="hasty-attack"))
        wet += any(one.terrain.id == "lake" for one in battle.terrain)
        assert found == [], seed
    assert wet >= 6


def test_an_objective_that_may_lie_anywhere_keeps_off_water_woods_edges_and_other_circles(
    proofs: Callable[[str], Any],
) -> None:
    for seed in range(12):
        battle, _ = proofs("dirtside2").roll(ScenarioOptions(seed, 900, mission="deliberate-attack"))
        redoubts = [one for one in battle.objectives if one.name.endswith("redoubt")]
        assert len(redoubts) == 2
        for one in redoubts:
            at = one.at[0] * HALF, one.at[1] * HALF
            assert not [piece for piece in battle.terrain if piece.terrain.stops and piece.shape.outline.holds(at)], (
                seed
            )
            assert one.radius <= one.at[0] <= battle.table.wide - one.radius, seed
            assert one.radius <= one.at[1] <= battle.table.deep - one.radius, seed
        (left, low), (right, high) = redoubts[0].at, redoubts[1].at
        assert (left - right) ** 2 + (low - high) ** 2 >= (redoubts[0].radius + redoubts[1].radius) ** 2, seed


@pytest.mark.parametrize(
    ("tries", "wanted"),
    [(12, "laid again"), (1, "whatever stops anybody was taken off, so that all is in reach")],
)
def test_a_table_on_which_somebody_does_not_get_there_is_laid_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, tries: int, wanted: str
) -> None:
    # Open water from edge to edge, and nothing that leads over it.
    changes = change("region-terrain[farmland, 1].terrain", "road", "lake")
    changes += change("region-terrain[farmland, 1].form", "road", "river")
    changes += change("region-terrain[farmland, 1].size", "1", "3")
    changes += change("regions[farmland].weight", "4", "100")
    changes += change("goals[breakthrough, 1].radius", "5", "1")
    odd(tmp_path, changes)
    monkeypatch.setattr(table_layout, "_TRIES", tries)
    library = open_library(tmp_path)
    told: set[str] = set()
    for seed in (5, 7):
        path = tmp_path / "battle.yaml"
        path.write_text(generate(library, "odd", ScenarioOptions(seed, 900, mission="breakthrough")), encoding="utf-8")
        battle = load_scenario_file(library, path)
        assert battle.problems == (), seed
        told |= {one.result.partition(":")[0] for one in battle.rolls if one.table == "region-terrain"}
    assert wanted in told


def test_lanes_between_pieces_are_as_wide_as_the_table_says(proofs: Callable[[str], Any]) -> None:
    for seed in range(8):
        battle, _ = proofs("dirtside2").roll(ScenarioOptions(seed, 3000))
        pieces = battle.terrain
        for index, one in enumerate(pieces):
            grown = one.shape.outline._replace(margin=one.shape.outline.margin + 2 * 3 * HALF)
            for other in pieces[:index]:
                free = one.terrain.id in other.terrain.over or other.terrain.id in one.terrain.over
                ways = {"road", "river", "bridge"} & {one.terrain.id, other.terrain.id}
                assert free or ways or not grown.overlaps(other.shape.outline), (seed, one.name, other.name)


@pytest.mark.parametrize(
    ("facing", "area", "edge", "stretch"),
    [
        ("west", (0, 24, 24, 48), "south", (0, 24)),
        ("east", (72, 24, 96, 48), "south", (72, 96)),
        ("south", (48, 0, 96, 12), "west", (0, 12)),
        ("north", (48, 36, 96, 48), "west", (36, 48)),
    ],
)
def test_percentages_are_counted_from_the_attackers_edge(
    facing: str, area: tuple[int, ...], edge: str, stretch: tuple[int, int]
) -> None:
    frame = Frame(Extent(96, 48), facing)
    assert tuple(frame.area((0, 25), (50, 100))) == area
    assert frame.edge("attacker") == facing
    assert (frame.edge("low"), frame.stretch("low", (0, 25))) == (edge, stretch)
    found = frame.area((0, 25), (50, 100))
    assert all(found.holds(spot_in(found, frame.table, Chance(seed))) for seed in range(50))


def copied(folder: Path, name: str, old: str, new: str) -> None:
    """The core rules as a player's own, with a change in a table for scenarios."""
    shutil.copytree(RULESDATA, folder / "dirtside2")
    path = folder / "dirtside2" / "scenario" / name
    text = path.read_text(encoding="utf-8")
    assert text.count(old) == 1
    path.write_text(text.replace(old, new), encoding="utf-8")


@pytest.mark.parametrize(
    ("name", "old", "new", "found"),
    [
        (
            "battle-sizes.yaml",
            "{type: int, label: Units at most, range: 1..60}",
            "{type: text, label: Units}",
            "units of",
        ),
        (
            "facings.yaml",
            "weight: {type: int, label: Weight, range: 1..100}",
            "share: {type: int, label: W}",
            "no column",
        ),
    ],
)
def test_tables_of_another_shape_are_told_and_nothing_is_rolled(
    tmp_path: Path, name: str, old: str, new: str, found: str
) -> None:
    copied(tmp_path, name, old, new)
    path = tmp_path / "dirtside2" / "scenario" / name
    text = path.read_text(encoding="utf-8")
    text = (
        text.replace("weight: 3}", "share: 3}").replace("weight: 2}", "share: 2}").replace("units: 12", 'units: "12"')
    )
    path.write_text(text, encoding="utf-8")
    with pytest.raises(ProblemsError) as refused:
        generate(open_library(tmp_path), "dirtside2", ScenarioOptions(1))
    assert [one.code for one in refused.value.problems] == ["S218"]
    assert found in refused.value.problems[0].found
