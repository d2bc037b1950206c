"""The facts of maps whose measures are plain from their drawing."""

from __future__ import annotations

import tracemalloc
from typing import TYPE_CHECKING

import numpy as np
import pytest

from generator.commands.access import open_library
from generator.commands.scenarios import load_scenario_file
from generator.scenarios.facts import MapFacts, _longest_lane, map_facts
from generator.scenarios.table import Extent, Sight, rectangle, units_of

if TYPE_CHECKING:
    from pathlib import Path

FORCE = "{designs: [{design: Rifles, kind: infantry-team, type: line}], units: [{unit: A, of: [{design: Rifles}]}]}"
BATTLE = """\
scenario: Facts
rules: [dirtside2]
table: {{width: 48, depth: 24}}
sides:
  - {{side: Red, force: {force}}}
  - {{side: Blue, force: {force}}}
terrain: [{terrain}]
zones:
  - {{zone: South, side: Red, at: [0, 0], size: [48, 4]}}
  - {{zone: North, side: Blue, at: [0, 20], size: [48, 4]}}
objectives: [{{objective: Middle, at: [24, 10], points: 5}}]
"""


def facts_of(folder: Path, terrain: str) -> MapFacts:
    """The facts of a table of 48 by 24 inches with this terrain."""
    path = folder / "facts.yaml"
    path.write_text(BATTLE.format(force=FORCE, terrain=terrain), encoding="utf-8")
    return map_facts(load_scenario_file(open_library(), path))


def test_a_bare_table_hides_nobody(tmp_path: Path) -> None:
    facts = facts_of(tmp_path, "{kind: road, path: [[0, 12], [48, 12]], wide: 2}")
    assert (facts.covered, facts.seen_across, dict(facts.seen_from)) == (0, 100, {"Red": 100, "Blue": 100})
    assert facts.distances == (("Middle", (("Red", 12), ("Blue", 20))),)
    assert facts.lane is not None
    assert facts.lane.length == round((90**2 + 42**2) ** 0.5)


def test_the_largest_table_is_measured_in_little_memory() -> None:
    sight = Sight(Extent(480, 480), [])
    tracemalloc.start()
    lane, most = _longest_lane(sight), tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert lane is not None
    assert lane.length > 0.95 * 480 * 2**0.5
    assert most < 500e6


@pytest.mark.parametrize(("kind", "seen"), [("village", 0), ("hill", 0), ("scrub", 100)])
def test_a_piece_across_the_table_hides_the_sides_if_its_kind_limits_sight(
    tmp_path: Path, kind: str, seen: int
) -> None:
    facts = facts_of(tmp_path, f"{{kind: {kind}, at: [0, 11], size: [48, 2]}}")
    assert (facts.covered, facts.seen_across, facts.gap) == (8, seen, 22)


def test_a_unit_on_a_crest_sees_over_it(tmp_path: Path) -> None:
    facts = facts_of(tmp_path, "{kind: hill, at: [0, 0], size: [48, 12]}")
    assert (facts.covered, facts.seen_across) == (50, 100)


def test_a_hill_on_a_hill_hides_only_from_those_below_it() -> None:
    extent = Extent(20, 4)
    hills = [(rectangle((0, 0), units_of((12, 4))), "crest"), (rectangle(units_of((4, 0)), units_of((4, 4))), "crest")]
    dots = [(rectangle(units_of((0, 3)), (1, 1)), "crest")] * 62
    for order in (hills, hills[::-1], [hills[0], *dots, hills[1]]):
        sight = Sight(extent, order)
        low, top, far, plain = (np.array([[east, 2.0]]) for east in (2, 6, 10, 18))
        seen = [sight.sees(start, end).all() for start, end in ((top, plain), (plain, top), (far, plain), (low, plain))]
        assert seen == [True, True, True, False]
