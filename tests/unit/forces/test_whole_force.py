"""What a whole force pays and carries: launchers of cruise missiles, and room for the markers of artillery."""

from __future__ import annotations

from csv import DictReader
from fractions import Fraction
from io import StringIO
from itertools import combinations_with_replacement, product
from typing import TYPE_CHECKING, Any

import pytest
import yaml

from generator.commands.access import open_library
from generator.commands.forces import cost, load_force_file, side_by_side
from generator.commands.scenarios import load_scenario_file, set_up
from generator.documents.force.rosters import roster
from generator.documents.pack.markers import MARKERS, markers_of_battle
from generator.render.blocks import Table
from generator.render.markers import Counter
from generator.reporting.forces import cost_text
from generator.rules.source.library import SCENARIO
from generator.scenarios.generate.roll import ScenarioRequest

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from generator.commands.access import Data
    from generator.problems import Problem

pytestmark = pytest.mark.slow

HOUSE = "dirtside2-iceburg"
LAUNCHERS = {1: 50, 2: 150, 3: 300, 4: 500, 5: 750}
"""Printed by the house rules."""
GUN = {"kind": "vehicle", "armour": 1, "plant": "CFE", "mobility": "low wheeled"}
SPLITS = [
    split for many in range(1, 6) for split in combinations_with_replacement(range(1, 6), many) if sum(split) <= 5
]
"""Every way to share up to five launchers among batteries."""


def battery(launchers: int) -> dict[str, Any]:
    return {
        "kind": "cruise-missile-battery",
        "missiles": [{"warhead": "HE", "count": launchers}],
        "launchers": launchers,
    }


def shells(artillery: str, count: int, guns: int = 1) -> dict[str, Any]:
    return {"kind": "artillery-ammunition", "round": "HEF", "artillery": artillery, "count": count, "guns": guns}


def written(folder: Path, *designs: dict[str, Any], rules: str = HOUSE, **more: Any) -> Path:
    """A force in which each design is a unit of its own; ``many`` of it, where the design says so."""
    path = folder / "force.yaml"
    listed = [{"design": f"D{n}", **one} for n, one in enumerate(designs)]
    units = [
        {"unit": f"U{n}", "of": [{"design": f"D{n}", "count": one.pop("many", 1)}]} for n, one in enumerate(listed)
    ]
    path.write_text(
        yaml.safe_dump({"force": "F", "rules": [rules], "designs": listed, "units": units, **more}), "utf-8"
    )
    return path


def priced(path: Path) -> tuple[Data, tuple[Problem, ...]]:
    return cost(open_library(), [path])


def errors(problems: Sequence[Problem]) -> dict[str, Problem]:
    return {one.code.rpartition("/")[2]: one for one in problems if one.severity == "error"}


def test_five_batteries_with_a_launcher_and_a_missile_each_cost_1500(tmp_path: Path) -> None:
    data, problems = priced(written(tmp_path, {**battery(1), "many": 2}, {**battery(1), "many": 3}))
    assert not problems
    assert [one["points"] for one in data["units"]] == [300, 450]
    assert data["whole"]["points"] == 750
    assert data["total"] == 300 + 450 + 750 == 5 * 150 + 750


@pytest.mark.parametrize("split", SPLITS, ids=lambda split: "+".join(map(str, split)))
def test_the_price_of_launchers_goes_by_their_sum_and_shares_add_up_to_it(
    tmp_path: Path, split: tuple[int, ...]
) -> None:
    data, problems = priced(written(tmp_path, *map(battery, split)))
    assert not errors(problems)
    whole = LAUNCHERS[sum(split)]
    assert data["whole"]["points"] == whole
    assert data["total"] == 150 * sum(split) + whole
    shares = [next(line["figure"] for line in one["lines"] if line["figure"]) for one in data["designs"]]
    assert shares == [f"{Fraction(whole * mine, sum(split))} of {whole}" for mine in split]


@pytest.mark.parametrize(("split", "lawful"), [((5, 1), False), ((4, 1), True), ((5, 5), False), ((1,) * 6, False)])
def test_a_force_has_five_launchers_at_most(tmp_path: Path, split: tuple[int, ...], *, lawful: bool) -> None:
    _, problems = priced(written(tmp_path, *map(battery, split)))
    assert set(errors(problems)) == (set() if lawful else {"launchers"})


def test_the_hint_for_too_many_launchers_is_a_single_change_that_helps(tmp_path: Path) -> None:
    _, problems = priced(written(tmp_path, battery(5), battery(1)))
    hint = errors(problems)["launchers"].hint
    assert hint.startswith("launchers: 4 in D0")  # and not to leave a battery out
    _, after = priced(written(tmp_path, {**battery(5), "launchers": 4}, battery(1)))
    assert not errors(after)


def test_a_hint_for_the_budget_counts_what_the_whole_force_saves(tmp_path: Path) -> None:
    def hint(budget: int) -> str:
        return errors(priced(written(tmp_path, {**battery(1), "many": 5}, budget=budget))[1])["F210"].hint

    assert "1 × D0" in hint(1400)
    assert "−400" in hint(1400)  # 150 for the missile, 750 - 500 for the launcher
    assert "3 × D0" in hint(500)
    assert "−1050" in hint(500)  # 450, and 750 - 150; two of them save 300 + 450, too little


def test_refused_launchers_leave_the_force_without_a_total(tmp_path: Path) -> None:
    data, problems = priced(written(tmp_path, {**battery(2), "launchers": 7}, battery(1)))
    assert set(errors(problems)) == {"F203"}
    assert data["total"] is None
    assert data["whole"] is None


def test_without_units_each_battery_counts_once(tmp_path: Path) -> None:
    path = tmp_path / "force.yaml"
    designs = [{"design": name, **battery(1)} for name in ("A", "B")]
    path.write_text(yaml.safe_dump({"force": "F", "rules": [HOUSE], "designs": designs}), "utf-8")
    assert priced(path)[0]["total"] == 300 + 150


def test_every_report_adds_up(tmp_path: Path) -> None:
    path = written(tmp_path, battery(2), battery(3))
    data, _ = priced(path)
    rows = [row for row in DictReader(StringIO(cost_text(data, "csv"))) if not row["design"]]
    units = sum(int(row["points"]) for row in rows if row["unit"] and row["line"] == "Total")
    (own,) = [int(row["points"]) for row in rows if row["line"].startswith("Launchers")]
    (total,) = [int(row["points"]) for row in rows if row["line"] == "Total" and not row["unit"]]
    assert (units, own, total) == (750, 750, 1500)
    text = cost_text(data, "text")
    assert "Whole force: 750 points" in text
    assert (
        sum(sum(one["points"]) for one in side_by_side([load_force_file(open_library(), path)])["kinds"])
        == data["total"]
    )


def test_the_roster_shows_the_sum_the_shares_and_a_total_of_all_rows(tmp_path: Path) -> None:
    sheet = roster(load_force_file(open_library(), written(tmp_path, battery(2), battery(3))), "abcd 1234")
    sections = [section for row in sheet.rows for column in row.columns for section in column]
    tables = [block for section in sections for block in section.blocks if isinstance(block, Table)]
    units = next(one for one in tables if one.caption == "Units and their points")
    *parts, total = [row[-1].text.replace(",", "") for row in units.rows]
    assert sum(map(int, parts)) == int(total) == 1500
    texts = {cell.text for one in tables for row in one.rows for cell in row}
    assert {"300 of 750", "450 of 750"} <= texts
    working = next(one for one in tables if one.caption == "Whole force")
    assert [row[-1].text for row in working.rows] == ["750", "750"]


def test_a_heavy_gun_of_size_5_carries_two_markers_and_not_twenty(tmp_path: Path) -> None:
    gun = {**GUN, "size": 5, "artillery": "heavy"}
    assert not errors(priced(written(tmp_path, gun, shells("heavy", 2)))[1])  # 25 - 14 leaves 11, one further takes 6
    problem = errors(priced(written(tmp_path, gun, shells("heavy", 20)))[1])["marker-room"]
    assert "114" in problem.found  # 19 x 6
    assert "11" in problem.found.replace("114", "")
    assert "count: 2 in D1 (−720 points)" in problem.hint


def test_the_markers_that_the_hint_changes_are_to_blame(tmp_path: Path) -> None:
    guns = ({**GUN, "size": 5, "artillery": "heavy"}, {**GUN, "size": 3, "artillery": "light"})
    problem = errors(priced(written(tmp_path, *guns, shells("light", 1), shells("heavy", 20)))[1])["marker-room"]
    assert problem.found.startswith("1 × D3")
    assert "in D3" in problem.hint


@pytest.mark.parametrize("counts", [[10], [2] * 5, [1] * 10])
def test_five_launchers_too_many_are_left_out_at_once(tmp_path: Path, counts: list[int]) -> None:
    path = tmp_path / "force.yaml"
    units = [{"unit": f"U{n}", "of": f"{count} x Arm"} for n, count in enumerate(counts)]
    force = {"force": "F", "rules": [HOUSE], "designs": [{"design": "Arm", **battery(1)}], "units": units}
    path.write_text(yaml.safe_dump(force), "utf-8")
    # The price of launchers ends at five, so the force saves five missiles of 150 points.
    assert errors(priced(path)[1])["launchers"].hint == "leave out 5 × Arm (−750 points)"


@pytest.mark.parametrize(
    ("carrier", "artillery", "count", "lawful"),
    [
        ({**GUN, "size": 3, "artillery": "heavy"}, "heavy", 1, True),  # 15 - 14: the loaded marker needs no room
        ({**GUN, "size": 3, "artillery": "heavy"}, "heavy", 3, False),
        ({"kind": "mortar-team", "type": "line"}, "light", 1, True),
        ({"kind": "mortar-team", "type": "line"}, "light", 9, False),
    ],
)
def test_a_marker_that_is_not_loaded_takes_room(
    tmp_path: Path, carrier: dict[str, Any], artillery: str, count: int, *, lawful: bool
) -> None:
    _, problems = priced(written(tmp_path, carrier, shells(artillery, count)))
    assert set(errors(problems)) == (set() if lawful else {"marker-room"})


def test_a_supply_vehicle_carries_markers_for_a_mortar(tmp_path: Path) -> None:
    mortar, truck = {"kind": "mortar-team", "type": "line"}, {**GUN, "size": 2, "cargo": 2}
    assert not errors(priced(written(tmp_path, mortar, truck, shells("light", 11)))[1])  # 10 further, room 2 x 4 + 2
    assert set(errors(priced(written(tmp_path, mortar, truck, shells("light", 12)))[1])) == {"marker-room"}


def test_four_markers_of_three_heavy_guns_need_room_for_three_of_them(tmp_path: Path) -> None:
    data, _ = priced(written(tmp_path, shells("heavy", 4, guns=3)))
    assert data["designs"][0]["capacity"]["used"] == (4 - 1) * 3 * 6 == 54


def fits(rooms: tuple[int, ...], markers: tuple[int, ...]) -> bool:
    """Whether markers of these sizes can be put into these rooms, by trying every way."""
    if not markers:
        return True
    first, *rest = markers
    return any(
        room >= first and fits((*rooms[:n], room - first, *rooms[n + 1 :]), tuple(rest)) for n, room in enumerate(rooms)
    )


@pytest.mark.parametrize(("heavy", "medium", "light"), [*product((0, 3), (0, 2, 3), (0, 11))])
def test_no_marker_is_divided_between_two_vehicles(tmp_path: Path, heavy: int, medium: int, light: int) -> None:
    # Two trucks of size 2 have 10 each, a truck of size 1 has 5; the guns fill their hulls but for 1 and 1 and 0.
    guns = {"heavy": (3, 1), "medium": (2, 1), "light": (1, 1)}
    designs = [{**GUN, "size": size, "artillery": name} for name, (size, _) in guns.items()]
    trucks = [{**GUN, "size": 2, "cargo": 1, "many": 2}, {**GUN, "size": 1, "armour": 0, "cargo": 1}]
    markers = [shells(name, 1 + more) for name, more in (("heavy", heavy), ("medium", medium), ("light", light))]
    found = errors(priced(written(tmp_path, *designs, *trucks, *markers))[1])
    assert not {*found} - {"marker-room", "medium-marker-room", "heavy-marker-room"}
    rooms = (15 - 14, 10 - 9, 5 - 4, 10, 10, 5)
    assert (not found) is fits(rooms, (6,) * heavy + (3,) * medium + (1,) * light)


@pytest.mark.parametrize("seed", range(2))
def test_a_drawn_force_keeps_its_points_with_the_launchers_paid(tmp_path: Path, seed: int) -> None:
    path = tmp_path / "raid.yaml"
    path.write_text(
        set_up(open_library(), HOUSE).roll(ScenarioRequest(seed, mission="launcher-raid", points=2600))[0], "utf-8"
    )
    scenario = load_scenario_file(open_library(), path)
    garrison = next(one for one in scenario.sides if one.force and one.force.own_points)
    assert garrison.force is not None
    assert garrison.points is not None
    assert garrison.force.total == sum(one.points or 0 for one in garrison.force.units) + garrison.force.own_points
    assert garrison.points * 9 <= garrison.force.total * 10 <= garrison.points * 10


@pytest.mark.parametrize("launchers", range(1, 6))
def test_there_are_markers_for_the_missiles_of_two_turns_and_two_dummies(tmp_path: Path, launchers: int) -> None:
    arm = {"design": "Arm", **battery(launchers)}
    path = tmp_path / "battle.yaml"
    side = {"side": "Red", "force": {"designs": [arm], "units": [{"unit": "U", "of": [{"design": "Arm"}]}]}}
    battle = {"scenario": "B", "rules": [HOUSE], "table": {"width": 48, "depth": 36}, "turns": 6, "sides": [side]}
    path.write_text(yaml.safe_dump(battle), "utf-8")
    scenario = load_scenario_file(open_library(), path, [(SCENARIO, MARKERS)])
    pieces = [made.piece for made in markers_of_battle(scenario)]
    made = [piece for piece in pieces if isinstance(piece, Counter) and "issile" in piece.word]
    assert len(made) >= 2 * launchers + 2
    assert len({one.figure for one in made}) == len(made)


FIRE_CONTROLS = [
    # 18 for the first, 3 x 6 for the second, ECM 15: 30 % of 51 is 15.3
    ({"size": 3, "weapons": "HKP/3; HVC/3", "fire_control": "superior", "fire_controls": 2, "ecm": "basic",
      "backup": True}, {"Fire control, Superior": 18, "Fire control 2, Superior": 18, "Backup systems": 15}),
    # APSWs alone: the first costs nothing by the core rules, the second and third 6 x 1
    ({"size": 4, "extra_apsw": 2, "fire_control": "superior", "fire_controls": 3},
     {"Fire control 2, Superior": 6, "Fire control 3, Superior": 6}),
]  # fmt: skip


@pytest.mark.parametrize(("design", "lines"), FIRE_CONTROLS)
def test_backup_systems_cover_every_fire_control_and_apsws_price_further_ones_only(
    tmp_path: Path, design: dict[str, Any], lines: dict[str, int]
) -> None:
    data, problems = priced(written(tmp_path, {**GUN, **design}))
    assert not errors(problems)
    found = {one["line"]: one["points"] for one in data["designs"][0]["lines"]}
    shown = {name: points for name, points in found.items() if "ire control" in name or name == "Backup systems"}
    assert shown == lines


def test_a_hint_that_changes_what_the_whole_force_pays_names_no_points(tmp_path: Path) -> None:
    design = {**battery(2), "design": "CM", "launchers": 4}
    force = {"force": "Idle", "rules": HOUSE, "designs": [design], "units": [{"unit": "A", "of": "CM"}]}
    path = tmp_path / "idle.yaml"
    path.write_text(yaml.safe_dump(force), encoding="utf-8")
    _, problems = cost(open_library(), [path])
    assert [problem.hint for problem in problems if problem.code.endswith("idle-launchers")] == ["launchers: 2"]
