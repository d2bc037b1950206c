"""Score sheets and record sheets: a box for every turn, objective and element, and nothing of the other side's."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

from generator.commands.access import open_library
from generator.commands.scenarios import load_scenario_file
from generator.documents.pack.battle import ENDS
from generator.documents.pack.records import RECORDS, record_sheet
from generator.documents.pack.scores import score_sheet
from generator.render.blocks import Cell, Table
from generator.render.page.html import render_html
from generator.render.page.pdf import render_pdf
from generator.rules.load.load import ALL
from generator.rules.source.library import SCENARIO
from generator.scenarios.battles import battles_in_reach

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
    return load_scenario_file(open_library(), path, [(SCENARIO, RECORDS), ("cards", ALL)])


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


def test_each_side_has_its_own_with_the_boxes_of_its_cards(tmp_path: Path) -> None:
    scenario = battle(tmp_path)
    sheet, other = (record_sheet(scenario, side, "") for side in scenario.sides)
    assert sheet.id != other.id
    rows = rows_of(sheet, "First")
    assert [(row[0].text, row[1].named, row[1].span) for row in rows[:2]] == [
        ("Acted in turn", ("1", "2", "3", "4", "5", "6", "7", "8", "9"), 6),
        ("Confidence", ("confident at first", "steady", "shaken", "broken", "routed"), 6),
    ]
    assert [[(cell.text, cell.boxes) for cell in row] for row in rows[2:]] == [
        # Over the elements, under what is the unit's; one column is for the boxes of another unit, one stays empty.
        [("", 0), ("Damaged", 0), ("Immobile", 0), ("Systems down", 0), ("Destroyed", 0), ("", 0), ("", 0)],
        [("Sabre 1", 0), ("", 1), ("", 1), ("", 1), ("", 1), ("", 0), ("", 0)],
        [("Sabre 2", 0), ("", 1), ("", 1), ("", 1), ("", 1), ("", 0), ("", 0)],
    ]
    # Of very many alike the card has all boxes in one row.
    assert [(cell.text, cell.boxes) for cell in rows_of(sheet, "Second")[-1] if cell != Cell("")] == [
        ("Rifles × 7", 0), ("", 7)
    ]  # fmt: skip
    assert "First: quality veteran, leadership 1 good" in repr(sheet)
    for word in ("Foot", "Third", "SECRET"):
        assert word not in repr(sheet)
    for word in ("Sabre", "First", "SECRET"):
        assert word not in repr(other)


def test_mines_have_neither_turns_nor_quality_nor_confidence(tmp_path: Path) -> None:
    mines = "{design: Foot, kind: minefield, type: pre-laid}"
    path = tmp_path / "battle.yaml"
    text = BATTLE.replace("TURNS", "9").replace("{design: Foot, kind: infantry-team, type: line}", mines)
    path.write_text(text, encoding="utf-8")
    scenario = load_scenario_file(open_library(), path, [(SCENARIO, RECORDS), ("cards", ALL)])
    sheet = record_sheet(scenario, scenario.sides[1], "")
    assert [[(cell.text, cell.boxes) for cell in row] for row in rows_of(sheet, "Third")] == [
        [("", 0), ("Found", 0), ("Cleared", 0), ("", 0)],  # and what stays empty
        [("Foot", 0), ("", 1), ("", 1), ("", 0)],
    ]
    assert "quality" not in repr(sheet)


def of_side(tmp_path: Path, text: str, side: int = 0) -> Sheet:
    path = tmp_path / "battle.yaml"
    path.write_text(text.replace("TURNS", "9"), encoding="utf-8")
    scenario = load_scenario_file(open_library(), path, [(SCENARIO, RECORDS), ("cards", ALL)])
    return record_sheet(scenario, scenario.sides[side], "")


def test_what_hardly_anyone_has_comes_behind_what_most_have(tmp_path: Path) -> None:
    """So the boxes of most have one place on the sheets of all sides."""
    one = "        - {unit: First, quality: veteran, leadership: 1, of: [{design: Sabre, count: 2}]}\n"
    more = "".join(one.replace("First", f"Nr {number}") for number in range(5))
    rounds = "        - {design: Sabre HEF, kind: artillery-ammunition, round: HEF, artillery: light, count: 2}\n"
    text = BATTLE.replace(one, one.replace("}]}", "}, {design: Sabre HEF}]}") + more).replace("count: 7", "count: 3")
    sheet = of_side(tmp_path, text.replace("      units:\n", rounds + "      units:\n", 1))
    heads = [[cell.text for cell in row if cell.text] for row in rows_of(sheet, "First")[2:]]
    assert heads[0] == ["Damaged", "Immobile", "Systems down", "Destroyed", "Markers"]
    places = [number for number, cell in enumerate(rows_of(sheet, "First")[-1]) if cell.boxes]
    assert places == [6]  # the fifth is "Lost" of the riflemen


def test_there_are_as_many_boxes_for_wounds_as_a_squad_has_men(tmp_path: Path) -> None:
    squads = "[{design: Foot, kind: squad, quality: regular, men: 7 x gauss-rifle, support: gauss-saw}]"
    start, end = BATTLE.index("    force:\n"), BATTLE.index("  - {side: Blue")
    text = BATTLE[:start] + f"    force: {{designs: {squads}, units: [{{unit: First, of: [Foot]}}]}}\n" + BATTLE[end:]
    cells = [
        cell for row in rows_of(of_side(tmp_path, text.replace("dirtside2", "stargrunt2")), "First") for cell in row
    ]
    assert [cell.boxes for cell in cells if cell.boxes == 8] == [8, 8]
    assert any("Wounded" in cell.text for cell in cells)


def characters(tmp_path: Path, turns: int) -> Scenario:
    stats = "kind: character, str: 5, dex: 5, dia: 5, conc: 5, phys: 5, cool: 5"
    designs = f"[{{design: Shiv, {stats}, stock_guns: fen-603 4}}, {{design: Nix, {stats}, unarmoured: yes}}]"
    units = "[{unit: Point, of: [{design: Shiv}]}, {unit: Rear, of: [{design: Nix}]}]"
    sides = "".join(f"  - {{side: {one}, force: {{designs: {designs}, units: {units}}}}}\n" for one in ("Red", "Blue"))
    path = tmp_path / "battle.yaml"
    path.write_text(
        f"scenario: S\nrules: [sla-3d]\ntable: {{width: 36, depth: 36}}\nturns: {turns}\nsides:\n{sides}",
        encoding="utf-8",
    )
    return load_scenario_file(open_library(), path, [(SCENARIO, RECORDS), ("cards", ALL)])


def test_where_turns_are_kept_elsewhere_there_are_none_and_who_has_no_gun_has_no_magazines(tmp_path: Path) -> None:
    scenario = characters(tmp_path, turns=8)
    sheet = record_sheet(scenario, scenario.sides[0], "")
    assert "Acted" not in repr(sheet)
    assert [cell.boxes for cell in rows_of(sheet, "Point")[1] if not cell.blank] == [0, 7, 5, 0]
    assert [cell.boxes for cell in rows_of(sheet, "Rear")[1] if not cell.blank] == [0, 7, 0, 0]


@pytest.mark.parametrize(("turns", "lines"), [(8, 8), (10, 10), (11, 0)])
def test_what_is_written_down_in_each_turn_has_a_line_for_each_where_there_is_room(
    tmp_path: Path, turns: int, lines: int
) -> None:
    scenario = characters(tmp_path, turns)
    heads, cells, *_ = rows_of(record_sheet(scenario, scenario.sides[0], ""), "Point")
    assert [place for place, cell in enumerate(cells) if cell.blank] == [
        place for place, head in enumerate(heads) if head.text.startswith("INI")
    ]
    assert [head.text for head in heads if head.text.startswith("INI")] == [
        f"INI\N{NO-BREAK SPACE}{turn + 1}" for turn in range(lines)
    ]


def test_record_sheets_are_printed(tmp_path: Path) -> None:
    scenario = battle(tmp_path)
    sheet = record_sheet(scenario, scenario.sides[0], "")
    html = render_html(sheet, "a4", "low")
    assert 'broken <span class="box">' in html
    rendered = render_pdf(sheet, paper="a4", ink="low")
    assert rendered.pages == 1
    assert rendered.fill[0] > 2 / 3


@pytest.mark.parametrize("turns", [12, 13, 30])
def test_a_long_battle_has_boxes_for_all_turns_of_each_element(tmp_path: Path, turns: int) -> None:
    """More turns than stand side by side go on below them."""
    path = tmp_path / "long.yaml"
    made = battles_in_reach(open_library())["bond-store-nine"]
    text = made.path.read_text(encoding="utf-8")
    path.write_text(re.sub(r"(?m)^turns: .*", f"turns: {turns}", text), encoding="utf-8")
    scenario = load_scenario_file(open_library(), path, [("cards", ALL), (SCENARIO, ALL)])
    sheet = record_sheet(scenario, scenario.sides[0], "")
    tables = [one for one in sheet.rows[0].columns[0][0].blocks if isinstance(one, Table)]
    boxes = [cell.named for one in tables for row in one.rows for cell in row if cell.named]
    assert boxes
    assert {named[-1] for named in boxes} == {str(turns)}
    assert render_pdf(sheet, paper="letter", ink="mono").torn == ()
