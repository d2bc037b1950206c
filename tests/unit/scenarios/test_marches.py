"""Who can get where: rivers, bridges, fords and woods of shipped rules, told by the going chart."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from generator.commands.rulesets import check

if TYPE_CHECKING:
    from pathlib import Path

WHEELS = "{design: Truck, kind: vehicle, size: 2, armour: 0, plant: CFE, mobility: low wheeled}"
TRACKS = "{design: Tank, kind: vehicle, size: 2, armour: 1, plant: CFE, mobility: slow tracked}"
HOVER = "{design: Skimmer, kind: vehicle, size: 2, armour: 0, plant: HMT, mobility: slow GEV}"
FOOT = "{design: Rifles, kind: infantry-team, type: line}"
FLYER = "{design: Bird, kind: vehicle, size: 2, armour: 0, plant: FGP, mobility: VTOL transport}"
BATTLE = """\
scenario: Crossing
rules: [dirtside2]
table: {{width: 48, depth: 24}}
sides:
  - {{side: Red, force: {{designs: [{design}], units: [{{unit: A, of: [{{design: {name}}}]}}]}}}}
  - {{side: Blue, force: {{designs: [{foot}], units: [{{unit: A, of: [{{design: Rifles}}]}}]}}}}
terrain:
{terrain}
zones:
  - {{zone: West, side: Red, at: [0, 0], size: [6, 24]}}
  - {{zone: East, side: Blue, at: [42, 0], size: [6, 24]}}
objectives: [{{objective: Far bank, at: [36, 12], points: 5}}]
"""
RIVER = "  - {kind: river, path: [[24, 0], [22, 12], [24, 24]], wide: 2}\n"
LAKE = "  - {kind: lake, at: [20, 0], size: [8, 24]}\n"
WOOD = "  - {kind: woods, at: [20, 0], size: [8, 24]}\n"


def codes(folder: Path, design: str, terrain: str) -> list[str]:
    name = design.split(",", 1)[0].removeprefix("{design: ")
    path = folder / "crossing.yaml"
    path.write_text(BATTLE.format(design=design, name=name, foot=FOOT, terrain=terrain), encoding="utf-8")
    return [one.code for one in check((), [str(path)]) if one.code in ("S207", "S210", "S211")]


@pytest.mark.parametrize(
    ("design", "terrain", "stopped"),
    [
        (WHEELS, RIVER, True),
        (TRACKS, RIVER, False),
        (WHEELS, RIVER + "  - {kind: ford, at: [20.5, 11], size: [3, 2]}\n", False),
        (WHEELS, RIVER + "  - {kind: ford, at: [22.5, 11], size: [3, 2]}\n", True),
        (WHEELS, RIVER + "  - {kind: bridge, path: [[20, 12], [25, 12]], wide: 1}\n", False),
        (WHEELS, RIVER + "  - {kind: road, path: [[0, 12], [48, 12]], wide: 1}\n", True),
        (TRACKS, LAKE, True),
        (HOVER, LAKE, False),
        (TRACKS, LAKE + "  - {kind: bridge, path: [[18, 5], [30, 20]], wide: 1.5}\n", False),
        (HOVER, WOOD, True),
        (TRACKS, WOOD, False),
        (HOVER, WOOD + "  - {kind: road, path: [[0, 3], [48, 20]], wide: 1}\n", False),
        (FLYER, LAKE, False),
    ],
)
def test_a_side_gets_across_where_the_chart_lets_it(tmp_path: Path, design: str, terrain: str, stopped: bool) -> None:  # noqa: FBT001
    found = codes(tmp_path, design, terrain)
    assert found == (["S210"] if stopped else [])
