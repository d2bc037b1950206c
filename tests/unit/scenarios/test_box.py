"""The terrain that a player owns: only its pieces are laid, each at most as often as it is owned."""

from __future__ import annotations

import re
import shutil
from collections import Counter
from pathlib import Path

import pytest
import yaml

from generator.commands.access import open_library
from generator.commands.scenarios import set_up
from generator.problems import ProblemsError
from generator.scenarios.generate.roll import ScenarioRequest

RULESDATA = Path(__file__).parents[3] / "rulesdata"
WOODS, HILLS, HOUSES, FIELDS, SCRUB, WALLS = 6, 4, 10, 8, 6, 4
BOX = f"""
box: The club
pieces:
  - {{kind: woods, size: [6, 5], count: {WOODS}}}
  - {{kind: Hill, size: [10, 8], count: {HILLS}}}
  - {{kind: village, size: [3, 4], count: {HOUSES}}}
  - {{kind: fields, size: [6, 6], count: {FIELDS}}}
  - {{kind: scrub, radius: 3, count: {SCRUB}}}
  - {{kind: wall, size: [6, 0.5], count: {WALLS}}}
  - {{kind: road}}
"""


def box(folder: Path, text: str) -> Path:
    path = folder / "box.yaml"
    path.write_text(text, encoding="utf-8")
    return path


@pytest.mark.parametrize("seed", [1, 2])
def test_only_pieces_of_the_box_are_laid(seed: int, tmp_path: Path) -> None:
    text = set_up(open_library(), "stargrunt2").roll(ScenarioRequest(seed, terrain=box(tmp_path, BOX)))[0]
    pieces = yaml.safe_load(text)["terrain"]
    counts = Counter(
        (piece["kind"], tuple(piece.get("size", ())) or piece.get("radius")) for piece in pieces if "path" not in piece
    )
    owned = {
        ("woods", (6, 5)): WOODS,
        ("hill", (10, 8)): HILLS,
        ("village", (3, 4)): HOUSES,
        ("fields", (6, 6)): FIELDS,
        ("scrub", 3): SCRUB,
        ("wall", (6, 0.5)): WALLS,
    }
    assert all(count <= owned[piece] for piece, count in counts.items())
    assert {piece["kind"] for piece in pieces if "path" in piece} <= {"road"}


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("box: A\npieces: [{kind: wodos, radius: 3}]\n", "S201"),
        ("box: A\npieces: [{kind: woods}]\n", "S203"),
        ("box: A\npieces: [{kind: woods, radius: 3, size: [2, 2]}]\n", "S203"),
        ("box: A\npieces: [{kind: woods, radius: 3, counts: 2}]\n", "R202"),
        ("box: A\npieces: [{kind: woods, radius: 3}]\n", "S238"),
        ("", "R201"),
    ],
)
def test_a_box_that_is_wrong_is_refused(text: str, code: str, tmp_path: Path) -> None:
    with pytest.raises(ProblemsError) as refused:
        set_up(open_library(), "stargrunt2").roll(ScenarioRequest(1, terrain=box(tmp_path, text)))[0]
    assert {problem.code for problem in refused.value.problems} == {code}


def test_regions_that_may_be_bare_are_refused_for_a_box_without_enough(tmp_path: Path) -> None:
    shutil.copytree(RULESDATA / "stargrunt2", tmp_path / "stargrunt2")
    regions = tmp_path / "stargrunt2" / "scenario" / "regions.yaml"
    text, count = re.subn(r'share: "\d+', 'share: "0', regions.read_text(encoding="utf-8"))
    assert count > 1
    regions.write_text(text, encoding="utf-8")
    with pytest.raises(ProblemsError) as refused:
        set_up(open_library(tmp_path), "stargrunt2").roll(
            ScenarioRequest(1, terrain=box(tmp_path, "box: A\npieces: [{kind: woods, radius: 1}]\n"))
        )
    assert [problem.code for problem in refused.value.problems] == ["S238"]
