"""Score sheets: a box for every turn and objective, and nothing secret."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from generator.commands.access import open_library
from generator.commands.scenarios import load_scenario_file
from generator.documents.pack.battle import ENDS
from generator.documents.pack.scores import score_sheet
from generator.render.blocks import Cell, Table
from generator.render.page.pdf import render_pdf
from generator.rules.load.load import ALL

if TYPE_CHECKING:
    from pathlib import Path

    from generator.render.blocks import Sheet
    from generator.scenarios.scenario import Scenario

pytestmark = pytest.mark.slow

BATTLE = """\
scenario: The mill
rules: [dirtside2]
table: {width: 48, depth: 36}
turns: TURNS
sides:
  - side: Red
    briefing: BRIEFING
    secret: SECRET
    force:
      designs:
        - {design: Sabre, kind: vehicle, size: 3, armour: 3, plant: HMT, mobility: fast tracked, weapons: HKP/3, fire_control: superior}
        - {design: Rifles, kind: infantry-team, type: line}
      units:
        - {unit: First, quality: veteran, leadership: 1, of: [{design: Sabre, count: 2}]}
        - {unit: Second, quality: green, of: [{design: Rifles, count: 7}]}
  - {side: Blue, force: {designs: [{design: Foot, kind: infantry-team, type: line}], units: [{unit: Third, of: [{design: Foot}]}]}}
entries:
  - {entry: Late ones, side: Red, edge: west, turn: 3}
objectives:
  - {objective: Mill, at: [20, 20], points: 10}
  - {objective: Weir, at: [24, 9], points: 5, sides: Blue, once: yes}
victory:
  - {side: Blue, points: 3, when: Nobody is hurt.}
  - {side: Blue, points: 2, when: The mill stands at the end., once: yes}
set_pieces:
  - {piece: SECRET, side: Red, at: [22, 12], secret: yes, turn: 2}
"""  # noqa: E501


def battle(tmp_path: Path, turns: int = 9) -> Scenario:
    path = tmp_path / "battle.yaml"
    path.write_text(BATTLE.replace("TURNS", str(turns)), encoding="utf-8")
    return load_scenario_file(open_library(), path, [("cards", ALL)])


def rows_of(sheet: Sheet, caption: str) -> list[tuple[Cell, ...]]:
    sections = (section for row in sheet.rows for column in row.columns for section in column)
    tables = (block for section in sections for block in section.blocks if isinstance(block, Table))
    [table] = [one for one in tables if one.caption.startswith(caption)]
    return list(table.rows)


def test_the_score_sheet_has_a_box_for_each_turn_and_what_a_side_may_win(tmp_path: Path) -> None:
    sheet = score_sheet(battle(tmp_path), "")
    red, blue = (rows_of(sheet, f"Points of {side} by turn") for side in ("Red", "Blue"))
    told = [[[cell.text for cell in row if cell.text] for row in rows if any(cell.text for cell in row)]
            for rows in (red, blue)]  # fmt: skip
    assert told == [
        [["1", "Mill", "10"], ["Running total"]],
        [
            ["1", "Mill", "10"],
            ["2", "Weir", "5", "won in turn"],
            ["Nobody is hurt.", "3"],
            ["The mill stands at the end.", "2"],
            ["Running total"],
        ],
    ]
    assert [sum(cell.boxes for cell in row) for row in blue[:3]] == [9, 0, 0]  # one is won once, and not held
    lines = [sum(cell.blank for cell in row) for row in blue]
    assert lines[:4] == [1, 2, 10, 2]  # a score; the turn in which it is won; a line for each turn, or one for all
    assert lines[-1] == 10
    assert len(red) + 3 == len(blue)  # as many free lines
    assert {sum(cell.blank for cell in row) for row in blue[4:-1]} == {12}
    log = rows_of(sheet, "Turn by turn")
    assert [row[1].text for row in log] == ["", "", "Red enter at A, west edge 0–36″ (Late ones)", *[""] * 5, ENDS]
    assert [[cell.text for cell in row if cell.text] for row in rows_of(sheet, "Who played")] == [
        ["Red, played by", "Date"], ["Blue, played by", "Umpire"],
    ]  # fmt: skip
    assert all(sum(cell.blank for cell in row) == 2 for row in rows_of(sheet, "Who played"))
    assert "SECRET" not in repr(sheet)
    assert "BRIEFING" not in repr(sheet)


@pytest.mark.parametrize(("turns", "paper"), [(9, "letter"), (30, "a4")])
def test_the_score_sheet_is_printed(tmp_path: Path, turns: int, paper: str) -> None:
    sheet = score_sheet(battle(tmp_path, turns), "")
    [first, *_] = rows_of(sheet, "Points of Red")
    assert sum(cell.boxes for cell in first) == turns
    rendered = render_pdf(sheet, paper=paper, ink="mono")  # type: ignore[arg-type]
    assert rendered.fill[0] > 2 / 3
