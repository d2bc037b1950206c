"""The sheet of a map: what everybody may know of a battle, on one page of either paper."""

from __future__ import annotations

from math import cos, radians, sin
from pathlib import Path

import pytest
import shapely

from generator.commands.access import open_library
from generator.commands.jobs import Selection
from generator.commands.printer import Output
from generator.commands.printing import build
from generator.commands.scenarios import load_scenario_file
from generator.documents.pack.battle import letter, set_pieces, shown_pieces, terrain, winning
from generator.documents.pack.maps import battlefield, lay_list, numbered
from generator.documents.pack.public import score, table_sheet
from generator.render.blocks import Map, Prose, Table
from generator.render.page.pdf import render_pdf
from generator.scenarios.files import battles_in_reach
from generator.scenarios.table import HALF

pytestmark = pytest.mark.slow

TIN = Path(__file__).parents[2] / "cases" / "rules"
FORCE = "{designs: [{design: Wagon, kind: tank, wall: 0}], units: [{unit: First, of: [{design: Wagon}]}]}"
BATTLE = f"""\
scenario: The hill
rules: [tin]
mission: Take it
situation: Everybody knows this.
table: {{width: 48, depth: 36}}
turns: 6
sides:
  - {{side: Red, briefing: BRIEFING, secret: [SECRET-RED], force: {FORCE}}}
  - {{side: Blue, secret: SECRET-BLUE, force: {FORCE}}}
terrain:
  - {{piece: Grove, kind: wood, at: [10, 6], size: [8, 9], turned: 30}}
  - {{kind: pond, at: [30, 20], radius: 4.5}}
zones:
  - {{zone: West, side: Red, at: [0, 0], size: [4, 36], note: By nightfall.}}
entries:
  - {{entry: Gate, side: Blue, edge: east, from: 2, to: 8.5, turn: 2}}
objectives:
  - {{objective: Well, at: [20, 20], radius: 1, points: 5}}
  - {{objective: Gallows, at: [24, 9], points: 3, sides: Blue}}
victory: [{{side: Red, points: 2, when: Nobody is hurt.}}]
special: [night]
set_pieces:
  - {{piece: Cannon, of: a cannon, side: Red, at: [12, 30], radius: 2.5}}
  - {{piece: SECRET-MINES, side: Blue, at: [22, 12], secret: yes}}
umpire: SECRET-UMPIRE
"""

_SPACE = "\N{NO-BREAK SPACE}"


@pytest.fixture
def battle(tmp_path: Path) -> Path:
    path = tmp_path / "battle.yaml"
    path.write_text(BATTLE, encoding="utf-8")
    return path


def test_it_says_what_all_may_know_and_nothing_else(battle: Path) -> None:
    scenario = load_scenario_file(open_library(TIN), battle)
    assert scenario.problems == ()
    sheet = table_sheet(scenario, scenario.table, (), "0000 0000")
    said = repr(sheet)
    for wanted in ("Grove", "West", "Gate", "Well", "Gallows", "Cannon", "48″ × 36″", "6 turns", "By nightfall."):
        assert wanted in said
    for secret in ("SECRET", "BRIEFING"):
        assert secret not in said
    assert sheet.banner == ""
    tables = {block.caption: block for row in sheet.rows for column in row.columns for section in column
              for block in section.blocks if isinstance(block, Table)}  # fmt: skip
    rows = [[cell.text for cell in row] for row in tables["Who deploys where"].rows]
    assert rows == [["Red"], ["", "West", f"0–4″{_SPACE}east, 0–36″{_SPACE}north", "start"],
                    ["", "By nightfall."], ["Blue"],
                    ["A", "Gate", "east edge, 2″\N{NO-BREAK SPACE}to\N{NO-BREAK SPACE}8.5″", "2"]]  # fmt: skip
    rows = [[cell.text for cell in row[:3]] for row in tables["What is worth points"].rows]
    assert rows[:2] == [
        ["F1", "Well, within 1″", "5"],
        ["F2", "Gallows, touch it", "3"],
    ]
    [plan] = [block for row in sheet.rows for column in row.columns for section in column
              for block in section.blocks if isinstance(block, Map)]  # fmt: skip
    assert plan.pieces[1].shape.points == ((30, 20),)
    assert plan.pieces[1].shape.radius == 4.5
    marks = [(one.sign, one.at, one.radius) for one in plan.marks]
    assert marks == [("F1", (20, 20), 1), ("F2", (24, 9), 0), ("Z", (12, 30), 2.5)]
    assert "Z: Cannon, a set piece" in plan.alt
    pieces = set_pieces(scenario)
    assert pieces is not None
    assert "A cannon, 2.5″ all round" in repr(pieces)


def test_a_set_piece_on_an_edge_is_an_arrow(battle: Path) -> None:
    more = "  - {piece: Exit, of: way out, side: Red, at: [48, 12]}\n"
    more += "  - {piece: Late, side: Red, at: [20, 0], turn: 3, secret: yes}\n"
    battle.write_text(BATTLE.replace("umpire:", f"{more}umpire:"), encoding="utf-8")
    scenario = load_scenario_file(open_library(TIN), battle)
    arrows = battlefield(scenario, scenario.table, ("Red",)).entries[:2]
    assert [(one.edge, one.start, one.turn, one.leaves) for one in arrows] == [
        ("east", 12, None, True),
        ("south", 20, 3, False),
    ]
    assert {one.name for one in battlefield(scenario, scenario.table).marks} == {"Well", "Gallows", "Cannon"}
    pieces = set_pieces(scenario)
    assert pieces is not None
    assert pieces.title == "Set pieces"


@pytest.mark.parametrize(
    "told",
    ["turn: 3", "turn: 3, side: Red", "turn: 3, of: a storm", "of: a storm", "side: Red", "turn: 3, secret: yes"],
)
def test_the_note_of_what_lies_nowhere_is_printed_once_for_everybody(battle: Path, told: str) -> None:
    more = f"  - {{piece: Rain, {told}, note: WET-ROADS}}\n"
    battle.write_text(BATTLE.replace("umpire:", f"{more}umpire:"), encoding="utf-8")
    scenario = load_scenario_file(open_library(TIN), battle)
    public = repr(table_sheet(scenario, scenario.table, (), ""))
    assert public.count("WET-ROADS") == (told not in ("side: Red", "turn: 3, secret: yes"))  # these have another page


def test_a_set_piece_has_one_sign_for_all_who_know_of_it(battle: Path) -> None:
    more = "".join(
        f"  - {{piece: {name}, side: {side}, at: [{at}, 12], secret: {secret}}}\n"
        for name, side, at, secret in (
            ("Pit", "Red", 14, "yes"),
            ("Flag", "Blue", 16, "no"),
            ("Wire", "Blue", 18, "yes"),
        )
    )
    battle.write_text(BATTLE.replace("umpire:", f"{more}umpire:"), encoding="utf-8")
    scenario = load_scenario_file(open_library(TIN), battle)
    signs = {
        knowing: {one.name: sign for sign, one in shown_pieces(scenario, knowing)}
        for knowing in ((), ("Red",), ("Blue",), ("Red", "Blue"))
    }
    assert signs[()] == {"Cannon": "Y", "Flag": "Z"}
    assert signs["Red",] == {"Cannon": "Y", "Flag": "Z", "Pit": "Q"}
    assert signs["Red", "Blue"].keys() == {"Cannon", "SECRET-MINES", "Pit", "Flag", "Wire"}
    assert len(set(signs["Red", "Blue"].values())) == 5
    key = repr(set_pieces(scenario, ("Red",)))  # the key of this side's map
    assert {name for name in signs["Red", "Blue"] if name in key} == {"Cannon", "Flag", "Pit"}
    for shown in signs.values():  # whatever a reader is shown, he calls it as the umpire does
        assert shown.items() <= signs["Red", "Blue"].items()
    battle.write_text(BATTLE.replace("  - {piece: SECRET-MINES, side: Blue, at: [22, 12], secret: yes}\n", more))
    fewer = load_scenario_file(open_library(TIN), battle)  # no sign tells one side how much the other hides
    assert {sign for sign, _ in shown_pieces(fewer, ("Red",))} == set(signs["Red",].values())


@pytest.mark.parametrize("sides", [4, 5, 6])
def test_each_set_piece_of_many_sides_has_a_sign_of_its_own(battle: Path, sides: int) -> None:
    names = ["Red", "Blue", "Green", "Grey", "White", "Black"][:sides]
    more = "".join(f"  - {{side: {name}, force: {FORCE}}}\n" for name in names[2:])
    mines = "".join(f"  - {{piece: {name} {n}, side: {name}, at: [9, {n}], secret: yes}}\n" for name in names
                    for n in range(1, 6))  # fmt: skip
    gates = "".join(f"  - {{entry: To {name}, side: {name}, edge: south}}\n" for name in names)
    text = BATTLE.replace("terrain:\n", f"{more}terrain:\n").replace("umpire:", f"{mines}umpire:")
    battle.write_text(text.replace("objectives:", f"{gates}objectives:"), encoding="utf-8")
    scenario = load_scenario_file(open_library(TIN), battle)
    shown = shown_pieces(scenario, names)
    signs = [sign for sign, _ in shown] + [letter(number) for number in range(len(scenario.entries))]
    assert len(set(signs)) == len(signs)
    assert len(shown) == 5 * sides + 2


def test_one_with_problems_is_a_draft(battle: Path, tmp_path: Path) -> None:
    battle.write_text(BATTLE.replace("kind: pond", "kind: pool"), encoding="utf-8")
    data, problems = build(
        open_library(TIN), [str(battle)], Output(tmp_path / "out"), selection=Selection(("1-table",))
    )
    assert [one["path"] for one in data["built"]] == [str(tmp_path / "out" / "the-hill" / "1-table-a4.pdf")]
    assert [one.code for one in problems] == ["S201"]
    scenario = load_scenario_file(open_library(TIN), battle)
    assert table_sheet(scenario, scenario.table, (), "").banner == "Draft: 1 problem"


def test_the_situation_tells_what_the_ground_means_and_what_else_all_may_know(battle: Path) -> None:
    scenario = load_scenario_file(open_library(TIN), battle)
    sheet = table_sheet(scenario, scenario.table, (), "")
    said = repr(sheet)
    assert all(wanted in said for wanted in ("Everybody knows this.", "Nobody is hurt.", "Night", "48″ × 36″"))
    assert not any(secret in said for secret in ("SECRET", "BRIEFING"))
    tables = {block.caption: block for row in sheet.rows for column in row.columns for section in column
              for block in section.blocks if isinstance(block, Table)}  # fmt: skip
    rows = [[cell.text for cell in row] for row in tables["Kinds of terrain on this table"].rows]
    assert rows == [["Deep wood", "blocked", "–"], ["Pond", "open", "Light"]]


def test_long_names_in_narrow_columns_do_not_push_words_over_the_page(battle: Path) -> None:
    deeds = "".join(f"  - {{side: Red, points: {n}, when: The wagons are home.}}\n" for n in range(3))
    said = BATTLE.replace("victory: [{side: Red, points: 2, when: Nobody is hurt.}]\n", f"victory:\n{deeds}")
    battle.write_text(said.replace("side: Red,", "side: Red Volunteers Company,"), encoding="utf-8")
    scenario = load_scenario_file(open_library(TIN), battle)
    assert scenario.problems == ()
    sheet = table_sheet(scenario, scenario.table, (), "")
    rendered = render_pdf(sheet, paper="a4", ink="mono")
    assert rendered.pages == 2


def test_a_draft_with_pieces_far_away_is_drawn_all_the_same(battle: Path) -> None:
    far = "corners: [[-480, 0], [480, 0], [0, 480]]"
    battle.write_text(BATTLE.replace("at: [30, 20], radius: 4.5", far), encoding="utf-8")
    scenario = load_scenario_file(open_library(TIN), battle)
    assert "S202" in {one.code for one in scenario.problems}
    assert render_pdf(table_sheet(scenario, scenario.table, (), ""), paper="a4", ink="mono").pages == 2


def test_who_begins_is_the_battle_s_own_word_or_the_rule_book_s(battle: Path) -> None:
    def told() -> str:
        [text] = winning(load_scenario_file(open_library(TIN), battle)).blocks
        assert isinstance(text, Prose)
        return text.paragraphs[0]

    assert "as your rule book says" in told()
    battle.write_text(f"{BATTLE}\nfirst: the reds, in both\n", encoding="utf-8")
    assert told() == "The reds, in both."


def test_what_is_won_once_says_so(battle: Path) -> None:
    battle.write_text(BATTLE.replace("radius: 1, points: 5", "radius: 1, points: 5, once: yes"), encoding="utf-8")
    found = score(load_scenario_file(open_library(TIN), battle))
    assert found is not None
    [table] = [block for block in found.blocks if isinstance(block, Table)]
    assert "Won once" in table.rows[0][1].text
    assert table.rows[1][1].text.startswith("Gallows")


@pytest.mark.parametrize(
    ("battle_id", "row", "note"),
    [
        ("surveyor-of-redwater", ["Buildings", "blocked", "Hard cover"], ""),
        ("bond-store-nine", ["Crates, Rough", "open", "Difficult ground", "Hard cover", "–"], ""),
        (
            "three-bridges",
            ["Hill", "to its crest", "–", "–"],
            (
                "Counted: Deep river as Open water; Bridge as Road; Ford as River. Low wheels cross at a ford as "
                "difficult going (DSII p. 26). That all others cross a ford as a river is fieldpress’s own ruling."
            ),
        ),
    ],
)
def test_terrain_tells_what_it_counts_as(battle_id: str, row: list[str], note: str) -> None:
    library = open_library()
    found = terrain(load_scenario_file(library, battles_in_reach(library)[battle_id].path))
    assert found is not None
    [table] = [block for block in found.blocks if isinstance(block, Table)]
    assert row in [[cell.text for cell in one] for one in table.rows]
    assert table.note == note


def test_what_few_kinds_count_as_is_a_column_where_most_are_called_otherwise() -> None:
    library = open_library()
    scenario = load_scenario_file(library, battles_in_reach(library)["surveyor-of-redwater"].path)
    one_of_each = {one.terrain.name: one for one in scenario.terrain}
    few = tuple(one_of_each[name] for name in ("Buildings", "Scrub", "Road"))  # three kinds, three covers
    found = terrain(scenario._replace(terrain=few))
    assert found is not None
    [table] = [block for block in found.blocks if isinstance(block, Table)]
    assert [[cell.text for cell in one] for one in table.rows] == [
        ["Buildings", "blocked", "Hard cover"], ["Scrub", "open", "Soft cover"], ["Road", "open", "–"],
    ]  # fmt: skip
    assert table.note == ""


def test_maps_and_the_lay_list_have_the_same_models_on_each_piece() -> None:
    library = open_library()
    for found in battles_in_reach(library).values():
        scenario = load_scenario_file(library, found.path)
        lay = lay_list(scenario)
        assert lay is not None
        rows = [row for block in lay.blocks if isinstance(block, Table) for row in block.rows[1:]]
        said = {row[0].text: row[-1].text.partition(", ")[2] for row in rows if row[1].swatch == "houses"}
        plan = battlefield(scenario, scenario.table)
        drawn = {str(piece.number): piece.models for piece in plan.pieces if piece.pattern == "houses"}
        assert said == {number: f"{many} house{'s' if many > 1 else ''}" for number, many in drawn.items()}


def test_every_piece_is_in_the_lay_list_where_the_file_puts_it() -> None:
    """A reader who lays the pieces from the list alone has each within an inch."""
    library = open_library()
    for found in battles_in_reach(library).values():
        scenario = load_scenario_file(library, found.path)
        lay = lay_list(scenario)
        assert lay is not None
        listed = [row for block in lay.blocks if isinstance(block, Table) for row in block.rows[1:]]
        rows = {row[0].text: row for row in listed if row[0].text and row[1].swatch != "flag"}
        assert len(rows) == len(scenario.terrain)
        flags = [[cell.text.rstrip("″") for cell in row[-3:-1]] for row in listed if row[1].swatch == "flag"]
        assert [[float(text) * 2 for text in flag] for flag in flags] == [[*item.at] for item in scenario.objectives]
        for number, piece in numbered(scenario):
            row = rows[str(number)]
            left, low, right, high = (side / (2 * HALF) for side in piece.outline.box)
            if piece.outline.flows:
                at = listed.index(row)
                text = row[-2].text or listed[at + 1][-1].text
                spots = [tuple(map(float, spot.strip("()").split(","))) for spot in text.split(" → ")]
                line = [(x / (2 * HALF), y / (2 * HALF)) for x, y in piece.outline.corners]
                way = shapely.LineString(spots)
                assert way.hausdorff_distance(shapely.LineString(line)) <= 1
                continue
            east, north = (float(cell.text.rstrip("″")) for cell in row[-3:-1])
            turn = radians(float(row[-4].text.rstrip("°") or 0))
            long, short = (
                float(text.removesuffix(" across").rstrip("″")) for text in (row[-5].text.split(" × ") * 2)[:2]
            )
            spots = [(-long / 2, -short / 2), (long / 2, -short / 2), (long / 2, short / 2), (-long / 2, short / 2)]
            laid = shapely.Polygon(
                [(east + x * sin(turn) + y * cos(turn), north + x * cos(turn) - y * sin(turn)) for x, y in spots]
            )
            corners = [(x / (2 * HALF), y / (2 * HALF)) for x, y in piece.outline.corners]
            if piece.outline.round:
                assert shapely.Point(corners[0]).distance(shapely.Point(east, north)) <= 1
                continue
            assert all(laid.distance(shapely.Point(corner)) <= 1 for corner in corners)
            assert shapely.box(left - 1, low - 1, right + 1, high + 1).contains(shapely.Point(east, north))
            if len(corners) == 4:
                assert laid.hausdorff_distance(shapely.Polygon(corners).minimum_rotated_rectangle) <= 1
