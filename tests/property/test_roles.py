"""Property: units that cannot come near an objective in time are not drawn, and do not come late."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from generator.commands.access import open_library
from generator.commands.scenarios import set_up
from generator.scenarios.check import comes_near, designs_of
from generator.scenarios.generate.draw_forces import ROLES, ForceDrawer
from generator.scenarios.generate.objectives import crossing
from generator.scenarios.generate.shapes import OrientedTable
from generator.scenarios.generate.tables import ScenarioTables
from generator.scenarios.table import Extent

STAGE = set_up(open_library(), "dirtside2")
POOL = STAGE.samples["sarn-fortress"]()
DESIGNS = {unit.name: designs_of(unit) for unit in POOL.units}
WALK = {
    "Pit Section": (2, 48),  # heavy missiles
    "Second Trench": (2, 4),  # militia rifles
    "First Trench": (2, 12),  # line infantry; the machine gun shoots farthest
    "Deep Staff": (0, 0),  # a post
}
"""Inches of a move and of a shot, as the rules print them."""


@given(st.sampled_from(sorted(WALK)), st.integers(0, 80), st.integers(1, 12))
def test_a_unit_on_foot_comes_as_near_as_its_moves_and_its_shot(name: str, distance: int, turns: int) -> None:
    move, shot = WALK[name]
    assert comes_near(DESIGNS[name], distance, turns) == (move * turns + shot >= distance)


@given(st.sampled_from(sorted(WALK)), st.integers(0, 80), st.integers(1, 12))
def test_a_unit_on_foot_leaves_only_where_it_can_march(name: str, out: int, turns: int) -> None:
    move, _ = WALK[name]
    assert comes_near(DESIGNS[name], 0, turns, out) == (move * turns >= out)


@given(st.sampled_from(["First Palisades", "Postern Platoon", "Tower Observers", "Outer Minefield"]))
def test_vehicles_their_passengers_observers_and_mines_are_never_too_slow(name: str) -> None:
    assert comes_near(DESIGNS[name], 10_000, 1)


@given(
    st.sampled_from(["south", "north", "west", "east"]),
    st.sampled_from([row["mission"] for row in STAGE.rules.tables["missions"].rows]),
    st.sampled_from(ROLES),
)
def test_no_way_is_longer_from_the_start_than_across_the_table(facing: str, mission: str, role: str) -> None:
    tables, frame = ScenarioTables(STAGE.rules), OrientedTable(Extent(144, 96), facing)
    row = tables.row("missions", mission)
    assert row is not None
    for name in row["deployments"]:
        deployment = tables.row("deployments", name)
        assert deployment is not None
        assert 0 <= crossing(tables, frame, row, deployment, role)[0] <= 72


@settings(max_examples=25)
@given(st.integers(1, 10**9), st.integers(20, 60))
def test_only_units_that_come_near_are_drawn(seed: int, distance: int) -> None:
    tables = ScenarioTables(STAGE.rules)
    mission, battle = tables.row("missions", "hasty-attack"), STAGE.rules.tables["battle-sizes"].find((3000,))
    assert mission is not None
    drawer = ForceDrawer(tables, seed, mission, battle, 3000, crossings={"attacker": (distance, 0)}, turns=6)
    attacker, defender = drawer.raised([POOL, POOL], [])
    assert all(comes_near(DESIGNS[name], distance, 6) for name in attacker.units)
    assert defender.units


def test_the_way_to_an_exit_by_hand() -> None:
    """A table 72 by 48: from a zone to 14% of 48 inches to the edge across, and no way for the side that stays."""
    tables = ScenarioTables(STAGE.rules)
    mission, line = tables.row("missions", "breakthrough"), tables.row("deployments", "forward-line")
    assert mission is not None
    assert line is not None
    frame = OrientedTable(Extent(144, 96), "south")
    # 14% of 96 half inches end at 13, the strip along the edge begins at 95: 82 half inches.
    assert crossing(tables, frame, mission, line, "attacker")[1] == 41
    assert crossing(tables, frame, mission, line, "defender")[1] == 0


def test_the_distance_of_a_mission_by_hand() -> None:
    """A table 72 by 48: zone to 14% and objective from 50% of 48 inches, held within 4 inches."""
    tables = ScenarioTables(STAGE.rules)
    mission, line = tables.row("missions", "hasty-attack"), tables.row("deployments", "forward-line")
    assert mission is not None
    assert line is not None
    frame = OrientedTable(Extent(144, 96), "south")
    # 14% of 96 half inches end at 13, 50% of them begin at 48: 35 half inches, rounded down to 17 inches, less 4.
    assert crossing(tables, frame, mission, line, "attacker")[0] == 13
    assert crossing(tables, frame, mission, line, "defender")[0] == 0
