"""Cards of designs: figures by hand from the book, their fixed places, and what a player writes on them."""

from __future__ import annotations

import math
import re
from dataclasses import replace
from fractions import Fraction
from itertools import product
from typing import TYPE_CHECKING, NamedTuple

import pytest
from markupsafe import escape
from pypdfium2 import PdfDocument

from generator.commands.access import open_library
from generator.commands.forces import load_force_file
from generator.commands.jobs import Findings, Selection
from generator.commands.printer import Output, frames_of
from generator.commands.printing import build, force_jobs
from generator.documents.force.cards import _parts, by_sides, deck
from generator.render.assemble.impose import CORNERS, CUTTER, FOLD, GUIDES, NO_MARKS, SHEETS, Imposition
from generator.render.assemble.imposition import pages
from generator.render.cards.columns import back_texts, front_texts, needs_back, who_line
from generator.render.cards.deck import BACK_ROWS, FRONT_ROWS, POKER, Axis, Boxes, Deck, Line
from generator.render.cards.upright import small_tables
from generator.render.page.html import render_html
from generator.render.page.pdf import render_pdf
from generator.rules.load.load import load
from tests.unit.documents.conftest import HOUSE
from tests.unit.rules.test_cards import CARD

if TYPE_CHECKING:
    from pathlib import Path

    from generator.problems import Problem
    from generator.render.cards.deck import Card
    from tests.conftest import Bench

pytestmark = pytest.mark.slow

TANK = "force: Reds\nrules: [tin]\ndesigns: [{design: Wolf, kind: tank, wall: 1, weapons: pop}]\n"
FORCE = """\
force: Reds
rules: [dirtside2]
budget: 900
designs:
  - {design: Sabre, kind: vehicle, size: 3, armour: 3, plant: HMT, mobility: fast tracked, fire_control: superior,
     weapons: [{weapon: HKP, class: 3}, {weapon: RFAC, class: 1}], pds: enhanced, ecm: enhanced}
  - {design: Rifles, kind: infantry-team, type: line}
units:
  - {unit: 1 Troop, quality: veteran, of: [{design: Sabre, count: 2}, {design: Rifles}, {design: Sabre}]}
  - {unit: 2 Troop, of: [{design: Sabre}]}
"""

RED, YELLOW, GREEN = "{red:R}", "{yellow:Y}", "{green:G}"


class Desk(NamedTuple):
    """Where forces are written and made into decks."""

    folder: Path

    def write(self, text: str, name: str = "force") -> Path:
        path = self.folder / f"{name}.yaml"
        path.write_text(text, encoding="utf-8")
        return path

    def deck(self, text: str = FORCE, against: str = "", only: tuple[str, ...] = ()) -> Deck:
        force = load_force_file(open_library(), self.write(text), ["cards"])
        enemy = load_force_file(open_library(), self.write(against, "enemy"), ["cards"]) if against else None
        return deck(force, "abcd 1234", enemy, only)

    def card(self, design: str, rules: str = "dirtside2") -> Card:
        """The first card of a force of one design."""
        return self.deck(f"force: Reds\nrules: [{rules}]\ndesigns: [{{design: Own, {design}}}]\nunits: []\n").cards[0]

    def since(self, new: str, old: str = FORCE) -> list[tuple[str, str]]:
        """Name and unit of the cards that are to be printed again."""
        wanted = Selection(only=("cards",), since=self.write(old, "old"))
        jobs = force_jobs(open_library(), [self.write(new)], wanted, Findings())
        decks = [job.paper for job in jobs]
        return [(card.name, card.unit) for made in decks if isinstance(made, Deck) for card in made.cards]


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    return Desk(tmp_path)


def rows(card: Card) -> list[tuple[str, ...]]:
    """Each row of the weapon table: its weapon, its situation, its figures, its chances; front before back."""
    lines = [row for row in (*card.front, *card.back) if isinstance(row, Line)]
    return [(line.title, line.head, *line.cells, *(one.text if one else "" for one in line.chances)) for line in lines]


def figures(card: Card) -> dict[str, str]:
    return {one.label: one.figure for one in (*card.stats, *card.facts)}


def above(attack: int, *defence: int) -> Fraction:
    """The chance that a die is above each of the others, counted."""
    every = list(product(*(range(1, sides + 1) for sides in (attack, *defence))))
    return Fraction(sum(first > max(others) for first, *others in every), len(every))


def percent(chance: Fraction) -> str:
    return str(math.floor(100 * chance + Fraction(1, 2)))


def test_a_gun_has_its_ranges_dice_and_odds_by_the_book(desk: Desk) -> None:
    card = desk.deck().cards[0]
    assert [column.head for column in card.columns] == ["Range", "Die", "Chits"]
    assert card.axes == (
        Axis("Destroys armour", ("1", "2", "3", "4", "5")), Axis("Kills infantry", ("Militia", "Line", "Powered"))
    )  # fmt: skip
    found = rows(card)
    assert [row[2:5] for row in found[:6]] == [
        ("0–18″", "D12", f"3 {RED}{YELLOW}{GREEN}"),
        ("18–30″", "D10", f"3 {RED}{YELLOW}"),
        ("30–42″", "D8", f"3 {RED}"),
        ("0–8″", "D12", f"1 {RED}{YELLOW}"),
        ("8–12″", "D10", f"1 {RED}"),
        ("12–16″", "D8", f"1 {GREEN}"),
    ]
    assert [row[0] for row in found[:6]] == ["HKP/3"] * 3 + ["RFAC/1"] * 3
    # D10 over D8 is .55; three chits, red and yellow, kill armour 1 with .789719, armour 4 with .314295.
    assert (found[1][5], found[1][8]) == (f"{55 * 0.789719:.0f}", f"{55 * 0.314295:.0f}")
    assert found[1][10:] == ("–", "–", "–")


def test_infantry_has_the_published_chances_of_a_firefight(desk: Desk) -> None:
    found = rows(desk.deck().cards[1])
    assert [(row[1], row[4], row[10:]) for row in found[:3]] == [
        ("open", f"2 {RED}{YELLOW}", ("36", "16", "6")),  # .364051 / .158952 / .061957
        ("soft cover", f"2 {RED}", ("22", "7", "3")),  # .219342 / .071215 / .027774
        ("dug in or urban", f"2 {YELLOW}", ("10", "2", "1")),  # .095570 / .016522 / .006409
    ]


def test_a_laser_reaches_infantry_as_far_as_its_own_table_says(desk: Desk) -> None:
    """HEL, p. 36: two yellow chits up to 36″, whatever its band at vehicles."""
    force = FORCE.replace("{weapon: RFAC, class: 1}", "{weapon: HEL, class: 2}").replace("plant: HMT", "plant: FGP")
    row = rows(desk.deck(force).cards[0])[-1]
    assert row[:5] == ("HEL/2", "infantry", "to 36″", "–", f"2 {YELLOW}")


def test_every_figure_has_its_place_on_every_card_of_a_kind(desk: Desk) -> None:
    plain = desk.card("kind: vehicle, size: 2, armour: 0, plant: CFE, mobility: low wheeled")
    tank = desk.deck().cards[0]
    assert [one.label for one in plain.stats] == [one.label for one in tank.stats[:4]]
    assert (plain.own, tank.own) == ("Low-mobility wheeled, size 2", "Fast tracked, size 3")
    assert [one.figure for one in plain.stats] == ["10″", "D10", "D4", "–"]
    assert [one.figure for one in tank.stats] == ["12″", "D8", "D8", "D8", "D10"]
    assert tank.chevrons == 3
    assert re.findall(r"D10|leader.2|threat", tank.test) == ["D10", "leader\N{NO-BREAK SPACE}2", "threat"]  # p. 22
    assert tank.plan.faces == ("3", "2", "2", "2")
    assert [one.figure for one in tank.plan.beside] == ["2", "1"]


def test_a_card_says_how_many_of_its_design_are_in_its_unit(desk: Desk) -> None:
    found = desk.deck().cards
    assert [(card.name, card.unit, card.elements) for card in found] == [
        ("Sabre", "1 Troop", (1, 2, 3)), ("Rifles", "1 Troop", (1,)), ("Sabre", "2 Troop", (1,))
    ]  # fmt: skip
    assert found[0].points == "172 points each · 516 for 3"
    assert [(box.label.partition(":")[0], box.ring) for box in found[0].boxes] == [
        ("Damaged", False),
        ("Immobile", False),
        ("Systems down", False),
        ("Destroyed", True),
    ]
    assert [card.ladder for card in found[:2]] == [("Confident", "Steady", "Shaken", "Broken", "Routed"), ()]
    assert [card.ticks for card in found[:2]] == [("Under fire", "Activated"), ()]


def test_a_third_box_of_the_card_has_no_room_beside_those_of_the_unit(desk: Desk) -> None:
    house = desk.folder / "house"
    house.mkdir()
    (house / "ruleset.yaml").write_text(HOUSE, encoding="utf-8")
    (house / "changes.yaml").write_text(
        "changes:\n  - {add: cards.vehicle.boxes.stuck, with: {box: stuck, label: Stuck, per: card}, reason: To see.,"
        " cite: p. 1}\n",
        encoding="utf-8",
    )
    force = load_force_file(open_library(desk.folder), desk.write(FORCE.replace("dirtside2", "house")), ["cards"])
    card = deck(force, "abcd 1234").cards[0]
    assert card.ticks == ("Stuck", "Under fire")
    assert [boxes.label for boxes in card.runs] == ["Activated"]


def test_more_elements_and_rows_than_a_card_holds_go_on_a_further_card(desk: Desk) -> None:
    """Five systems are all that size 5 may have: five weapons of three ranges each, and seven vehicles."""
    text = (
        "force: Reds\nrules: [dirtside2]\ndesigns:\n"
        "  - {design: Hedgehog, kind: vehicle, size: 5, armour: 1, plant: FGP, mobility: fast tracked, "
        "weapons: HKP/3; HVC/3; MDC/1; RFAC/1; SLAM/3, fire_control: superior}\n"
        "units: [{unit: A, of: [{design: Hedgehog, count: 7}]}]\n"
    )
    made = desk.deck(text)
    assert made.banner == ""
    assert [card.part for card in made.cards] == [(1, 2), (2, 2)]
    assert [card.elements for card in made.cards] == [(1, 2, 3, 4, 5, 6), (7,)]
    assert all(len(card.front) <= FRONT_ROWS and len(card.back) <= BACK_ROWS for card in made.cards)
    assert len({row[:4] for card in made.cards for row in rows(card)}) >= 17
    assert render_pdf(made, paper="letter", ink="mono").pages == 2


def test_cards_without_backs_are_sheets_of_their_own(desk: Desk) -> None:
    """Two tanks have backs and fill their sheet with two of the six teams; no side of a sheet is empty."""
    more = "".join(f"  - {{unit: {number} Platoon, of: [{{design: Rifles}}]}}\n" for number in range(3, 8))
    both, one = by_sides(desk.deck(FORCE + more))
    assert [card.name for card in both.cards] == ["Sabre", "Sabre", "Rifles", "Rifles"]
    assert [card.name for card in one.cards] == ["Rifles"] * 4
    assert ("both sides" in both.strap, "on one side" in one.strap) == (True, True)
    assert [page.is_back for made in (both, one) for page in pages(made)] == [False, True, False]
    assert all(any(page.cards) for made in (both, one) for page in pages(made))


@pytest.mark.parametrize("name", ["army.yaml", "battle.yaml"])
def test_upright_cards_of_a_force_are_one_file_in_order(desk: Desk, name: str) -> None:
    """Teams have no backs as index cards; a tank after them has one. As upright cards, all of them have backs."""
    teams = "".join(f"  - {{unit: {number} Platoon, of: [{{design: Rifles}}]}}\n" for number in range(3, 8))
    path = desk.write(FORCE.replace("units:\n", f"units:\n{teams}"), "army")
    battle = (
        "scenario: Hill\nrules: [dirtside2]\nturns: 6\ntable: {width: 48, depth: 36}\n"
        "sides: [{side: Reds, force: army.yaml}, {side: Blues, force: army.yaml}]\n"
        "objectives: [{objective: Well, at: [20, 20], radius: 1, points: 5}]\n"
    )
    if name == "battle.yaml":
        path = desk.write(battle, "battle")
    output = Output(desk.folder / "out", imposition=Imposition(SHEETS, size=POKER), no_cache=True, jobs=1)
    parts = ("cards",) if name == "army.yaml" else ("5-cards-reds",)
    [file] = build(open_library(), [str(path)], output, selection=Selection(only=parts))[0]["built"]
    text = "".join(page.get_textpage().get_text_bounded() for page in PdfDocument(file["path"]))
    assert "7 Platoon" in text
    assert text.index("7 Platoon") < text.index("1 Troop")


def test_boxes_of_several_for_each_of_several_elements_are_on_the_back(desk: Desk) -> None:
    text = FORCE.replace("ecm: enhanced}", "ecm: enhanced, minelayer: yes, mine_loads: 3}")
    card = desk.deck(text).cards[0]
    assert card.runs == (Boxes("Mines laid", 9),)
    assert desk.deck(text.replace("count: 2", "count: 998")).cards[0].runs == (
        Boxes("Mines laid: 2997, less ……………", 0),
    )


def test_up_to_twelve_boxes_are_one_row_and_more_go_on_below(desk: Desk) -> None:
    rows = {12: [12], 13: [12, 1], 24: [12, 12]}
    for men, boxes in rows.items():
        card = desk.card(f"kind: squad, quality: green, men: {men} x hunting-rifle", "stargrunt2")
        assert [*card.box_rows()] == [("Suppressed", 3), *zip(("Men lost", ""), boxes, strict=False)]
        assert not card.runs
    more = desk.card("kind: squad, quality: green, men: 25 x hunting-rifle", "stargrunt2")
    assert more.runs == (Boxes("Men lost", 25),)


def test_only_a_sheet_with_marks_says_to_cut_along_them(desk: Desk) -> None:
    made = desk.deck()
    for way, words in product((SHEETS, FOLD), ((CORNERS, True), (GUIDES, True), (NO_MARKS, False), (CUTTER, False))):
        frames = frames_of(made, Imposition(way, marks=words[0]), "a4")
        assert ("along the marks" in frames.strap) == words[1]


def test_imposed_files_of_other_options_have_other_names() -> None:
    assert Imposition(SHEETS).words == "-sheets"
    assert Imposition(SHEETS, 80, gap=0, marks=GUIDES, size="poker").words == "-poker-sheets-80mm-gap-0mm-guides"
    assert Imposition(FOLD, marks=CUTTER).words == "-fold-cutter"


def test_a_theme_and_a_width_are_in_the_name_of_the_file(desk: Desk) -> None:
    output = Output(desk.folder / "out", theme="pulp", imposition=Imposition(SHEETS, width=130), no_cache=True, jobs=1)
    build(open_library(), [str(desk.write(FORCE))], output, selection=Selection(only=("cards",)))
    assert [file.name for file in (desk.folder / "out").iterdir()] == ["reds-cards-pulp-a4-sheets-130mm.pdf"]


def test_a_squad_of_several_alike_goes_by_the_name_of_its_unit(desk: Desk) -> None:
    squads = """\
force: Reds
rules: [stargrunt2]
designs:
  - {design: Rifles, kind: squad, quality: green, men: 6 x hunting-rifle}
  - {design: Guns, kind: squad, quality: green, support: 2 x saw}
units:
  - {unit: First, of: [{design: Rifles}]}
  - {unit: Second, of: [{design: Rifles, count: 2}]}
  - {unit: Third, of: [{design: Guns}]}
"""
    found = [(card.name, card.who) for card in desk.deck(squads).cards]
    assert found == [("First", "Squad · Rifles"), ("Rifles", "Squad · Second"), ("Guns", "Squad · Third")]


def test_every_kind_that_is_fielded_has_a_card() -> None:
    library = open_library()
    for name in library.ids():
        problems: list[Problem] = []
        rules = load(library, name, problems)
        assert rules is not None
        missing = {one for one in rules.kinds if one not in rules.cards} - {"unit", "force"}
        assert missing == set(), name


@pytest.mark.parametrize(
    ("rules", "design", "radar_off", "radar_on"),
    [
        ("dirtside2-iceburg", "kind: vehicle, size: 3, stealth: 1, mobility: slow tracked, sam: basic", "D10", "D6"),
        ("dirtside2-iceburg", "kind: vehicle, size: 2, mobility: transport walker, sam: basic", "D8", "D6"),
        ("dirtside2-iceburg", "kind: emplacement, size: 4, stealth: 2, sam: enhanced", "D10", "D4"),
        ("dirtside2-iceburg", "kind: emplacement, size: 5, ads: basic", "D4", "D4"),
        ("dirtside2", "kind: vehicle, size: 3, mobility: slow tracked, ads: basic", "D8", "D6"),
    ],
)
def test_a_radar_that_is_on_takes_the_target_die_down_one_type(
    desk: Desk, rules: str, design: str, radar_off: str, radar_on: str
) -> None:
    """Signature one larger, no stealth: sizes 1 to 5 roll D12, D10, D8, D6, D4."""
    card = desk.card(f"{design}, armour: 1, plant: FGP", rules)
    assert (figures(card)["Target die"], figures(card)["Radar on"]) == (radar_off, radar_on)


def test_targets_of_another_kind_have_a_head_row_of_their_own(desk: Desk) -> None:
    """A basic SAM: the pilot stays with 3 to 8 of a D8; the ECM dice D4, D6, D8, D10 stand over their chances."""
    card = desk.card(
        "kind: vehicle, size: 3, armour: 1, plant: HMT, mobility: slow tracked, sam: basic", "dirtside2-iceburg"
    )
    every = [*card.front, *card.back]
    at = next(index for index, row in enumerate(every) if isinstance(row, Axis))
    head, straight = every[at : at + 2]
    assert isinstance(head, Axis)
    assert isinstance(straight, Line)
    assert head.targets == ("D4", "D6", "D8", "D10")
    stays = Fraction(5, 8)
    whole = [percent(1 - stays + stays * above(6, sides)) for sides in (4, 6, 8, 10)]
    assert [one.text if one else "" for one in straight.chances] == [*whole, "", "", "", ""]


def test_as_many_targets_as_a_card_has_columns_stand_under_their_own_heads(bench: Bench, tmp_path: Path) -> None:
    mine = "{table: mine, title: Mine, rows: [{label: near}], odds: {ask: shoot, with: {gun: \"'pop'\"}, AT}}"
    mine = mine.replace("AT", "chance: [hit], says: hit, at: tops")
    tops = "{reference: tops, says: the tops, targets: [{head: T1, inputs: {wall: 2}}]}"
    text = CARD.replace("tables:\n", f"axes: [walls]\ntables:\n  - {mine}\n")
    bench.write("tin/cards/tank.yaml", f"{text}  - {tops}\n")
    (tmp_path / "reds.yaml").write_text(TANK, encoding="utf-8")
    (card,) = deck(load_force_file(open_library(bench.folder), tmp_path / "reds.yaml", ["cards"]), "").cards
    assert [table.heads for table in small_tables(card, card.front)] == [("T1",), ("W1",)]
    # On the next side, the head row is repeated.
    rows = [card.front[0], *[card.front[1]] * (FRONT_ROWS + BACK_ROWS)]
    assert all(isinstance(side[0], Axis) for pair in _parts(rows) for side in pair if side)


def test_only_aerospace_craft_have_odds_of_guns_in_the_air(desk: Desk) -> None:
    hull = "kind: vehicle, size: 4, armour: 1, plant: FGP, fire_control: enhanced"
    craft = desk.card(f"{hull}, mobility: aerospace, weapons: HEL/1 fixed", "dirtside2-iceburg")
    # Enhanced fire control: D6, D8, D10 by pilot, against D8 (signature 3). A hit draws one chit of 119; those
    # that destroy or send home armour 1: red 1, 2 and 3 (45), BOOM (5) and mobility (7).
    harm = Fraction(20 + 15 + 10 + 5 + 7, 119)
    shown = [row[7] for row in rows(craft) if "pilot" in row[1]][:3]
    assert shown == [percent(above(die, 8) * harm) for die in (6, 8, 10)]
    other = desk.card(f"{hull}, mobility: aerospace, weapons: RFAC/2 fixed", "dirtside2-iceburg")
    assert not any("pilot" in row[1] for row in rows(other))


def test_a_draft_says_so(desk: Desk) -> None:
    assert desk.deck(FORCE.replace("armour: 3", "armour: many")).banner == "Draft: 1 problem"
    assert desk.deck().banner == ""


def test_a_design_with_an_invalid_value_has_no_card(desk: Desk) -> None:
    names = [one.name for one in desk.deck().cards]
    found = [one.name for one in desk.deck(FORCE.replace("class: 3", "class: 77")).cards]
    assert found == [name for name in names if name != names[0]]


def test_parts_are_named_by_design_or_unit(desk: Desk) -> None:
    assert [card.name for card in desk.deck(only=("Rifles",)).cards] == ["Rifles"]
    assert [card.unit for card in desk.deck(only=("2 Troop",)).cards] == ["2 Troop"]


ENEMY = """\
force: Blues
rules: [dirtside2]
designs:
  - {design: Small, kind: vehicle, size: 1, armour: 1, plant: CFE, mobility: fast tracked}
  - {design: Large, kind: vehicle, size: 5, armour: 5, plant: FGP, mobility: grav, ecm: superior}
  - {design: Same, kind: vehicle, size: 1, armour: 1, plant: CFE, mobility: slow tracked}
  - {design: Foot, kind: infantry-team, type: militia}
units:
  - {unit: A, of: [{design: Small}, {design: Large}, {design: Same}, {design: Foot}]}
"""


def test_a_back_lists_the_designs_of_a_named_enemy_by_their_columns(desk: Desk) -> None:
    tank = desk.deck(against=ENEMY).cards[0]
    assert [one.rows for one in tank.lists] == [(("1", "Small, Same"), ("5", "Large")), (("Militia", "Foot"),)]
    assert rows(tank) == rows(desk.deck().cards[0])


def test_a_list_without_room_on_the_back_has_a_card_of_its_own(desk: Desk) -> None:
    small = next(line for line in ENEMY.splitlines() if "Small" in line)
    names = [f"Picket boat {number}" for number in range(30)]
    many = ENEMY.replace(small, "\n".join(small.replace("Small", name) for name in names)).replace("Small", names[0])
    made = desk.deck(against=many)
    first, second, *_ = made.cards
    assert (first.part, first.lists, second.part) == ((1, 2), (), (2, 2))
    assert [one.rows for one in second.lists] == [
        (("1", ", ".join((*names, "Same"))), ("5", "Large")), (("Militia", "Foot"),)
    ]  # fmt: skip
    assert (second.boxes, second.front, second.note, second.points) == ((), (), "", "")
    assert render_pdf(made, paper="letter", ink="mono").pages == 3  # two sheets, of the second only its front


def test_what_a_design_is_stands_under_its_name_or_is_its_first_fact(desk: Desk) -> None:
    tank = desk.deck().cards[0]
    assert who_line(tank) == "Vehicle · 1 Troop · Fast tracked, size 3"
    long = replace(tank, who="Vehicle · The Second Heavy Assault Troop of the Guard")
    assert who_line(long) == long.who
    assert (*front_texts(long)[1], *back_texts(long))[0] == tank.own


def test_what_has_room_on_the_front_is_not_on_the_back(desk: Desk) -> None:
    hand = desk.card("kind: figure, quality: green, arms: gauss-rifle", "fma-skirmish")
    place, front = front_texts(hand)
    assert place == "beside-boxes"
    assert any("in the open" in str(text) for text in front)
    assert [*front, *back_texts(hand)] == [*hand.facts, *hand.tells]  # the points are at the head of the back
    assert needs_back(replace(hand, points="9 points, " * 40, back=(), tells=()))


def test_mines_have_nothing_of_their_unit_and_do_not_lead_it(desk: Desk) -> None:
    belt = "{design: Belt, kind: minefield, type: pre-laid}"
    foot = "{design: Foot, kind: infantry-team, type: line}"
    text = f"force: R\nrules: [dirtside2]\ndesigns: [{belt}, {foot}]\n"
    mines, team = desk.deck(f"{text}units: [{{unit: A, of: [{{design: Belt}}, {{design: Foot}}]}}]\n").cards
    assert (mines.test, mines.ladder, [box.label for box in mines.boxes]) == ("", (), ["Found", "Cleared"])
    assert team.ladder
    assert "Regular" in [stat.label for stat in team.stats]
    assert "Regular" not in [stat.label for stat in mines.stats]


def test_fire_is_headed_by_distances_of_the_squad(desk: Desk) -> None:
    card = desk.card("kind: squad, quality: veteran, men: 5 x hunting-rifle", "stargrunt2")
    assert [axis.targets for axis in card.axes] == [("10″", "20″", "30″", "40″", "50″")]
    hands = desk.card("kind: squad, quality: untrained, men: 9 x improvised", "stargrunt2")
    assert rows(hands)[0][5:] == ("–",) * 4  # one band is all that its arms reach


def test_fire_near_and_further_away_has_its_own_rows(desk: Desk) -> None:
    card = desk.card("kind: squad, quality: veteran, men: 4 x assault-shotgun; 2 x gauss-rifle", "stargrunt2-quick")
    near, far = rows(card)[:2]
    first = Fraction(sum(far * far for far in range(1, 5)), 4 * 10 * 12)  # D10 and D12 of 16, neither above a D4
    second = Fraction(sum(far * min(far, 4) for far in range(1, 7)), 6 * 10 * 4)  # D10 and D4 of 4, neither above a D6
    assert (near[4], far[5]) == (percent(1 - first), percent(1 - second))


def test_a_gun_without_known_firepower_has_the_chances_of_every_die(desk: Desk) -> None:
    card = desk.card("kind: figure, quality: green, arms: cannon-20", "fma-skirmish")
    gun, *fire = rows(card)[:5]
    assert gun[:5] == ("20 mm cannon", "", "–", "D12", "2")
    assert card.axes[0].targets == ("D4", "D6", "D8", "D10", "D12")
    assert [row[5] for row in fire] == ["38", "43", "46", "48"]  # both above it: 54/144, 82/192, 110/240, 138/288


def test_a_card_tells_what_suppresses_heavy_armour(desk: Desk) -> None:
    suit = desk.card("kind: figure, quality: green, armour: heavy-powered, arms: cannon-20", "fma-skirmish")
    hand = desk.card("kind: figure, quality: green, arms: gauss-rifle", "fma-skirmish")
    assert any("impact times 2 or more" in one for one in suit.tells)
    assert any("does not suppress heavy power armour" in one for one in hand.tells)
    assert not any("does not suppress" in one for one in suit.tells)


def test_a_character_has_lines_to_write_on_for_hits_and_three_figures_of_a_gun(desk: Desk) -> None:
    """Actions: a tenth of 5 + 5 + 9. Wounded above PHYS, knocked down above twice PHYS."""
    stats = "kind: character, str: 5, dex: 5, dia: 5, conc: 5, phys: 5, cool: 9, armour: padquil-flak"
    card = desk.card(f"{stats}, stock_guns: fen-603 4", "sla-3d")
    assert [one.figure for one in card.stats] == ["1", "12", "5", "5", "10"]
    assert card.plan.faces == ("–", "8", "–", "–", "–", "–")
    assert [(run.label, run.many) for run in card.runs if run.many > 15] == [("Incap …………………", 40)]
    assert rows(card)[0].count("…") == 3  # PEN, DAM and AD
    assert card.tells[0].startswith("Move\N{NO-BREAK SPACE}…")
    assert "…" not in repr(replace(card, runs=(), front=(), tells=card.tells[1:]))
    places = "head 5; torso 9; abdomen 7; right-arm 6; left-arm 6; right-leg 8; left-leg 8"
    known = desk.card(f"{stats}, body: {places}, incap: 25", "sla-3d")
    assert "…" not in repr(replace(known, tells=known.tells[1:]))
    assert sum(run.many for run in known.runs) + sum(box.many for box in known.boxes) == 7 + 49 + 25 + 10
    assert rows(card)[0][2:4] == ("4", "9+")  # 13 less the rank


CHANGES = {
    "nothing": ("", "", []),
    "a field": ("type: line", "type: militia", [("Rifles", "1 Troop")]),
    "a count": ("count: 2", "count: 3", [("Sabre", "1 Troop")]),
    "the quality of a unit": ("quality: veteran", "quality: green", [("Sabre", "1 Troop"), ("Rifles", "1 Troop")]),
    "a note": ("type: line}", "type: line, note: Tired}", [("Rifles", "1 Troop")]),
    "the name of a unit": ("unit: 2 Troop", "unit: 3 Troop", [("Sabre", "3 Troop")]),
    "the name of the force": ("force: Reds", "force: Reds again", []),
    "a budget that is not kept": ("budget: 900", "budget: 9", []),
    "a weapon": ("weapon: RFAC, class: 1", "weapon: MDC, class: 1", [("Sabre", "1 Troop"), ("Sabre", "2 Troop")]),
}


@pytest.mark.parametrize("what", CHANGES)
def test_only_what_has_changed_is_printed_again(desk: Desk, what: str) -> None:
    old, new, expected = CHANGES[what]
    assert desk.since(FORCE.replace(old, new) if old else FORCE) == expected


@pytest.mark.parametrize("name", ["<b>", "**x**", "D8", "{ruled}", "a & b", "{{ 7 * 7 }}", "*a* _b_ \\\\"])
def test_what_players_write_is_printed_as_it_stands(desk: Desk, name: str) -> None:
    text = FORCE.replace("Rifles", f"'{name}'").replace("1 Troop", f"'{name} troop'").replace("Reds", f"'{name}'")
    html = render_html(desk.deck(text), "a4", "mono")
    said = escape(name)
    assert f">{said}</h2>" in html
    assert f" · {said} troop · Fast tracked, size 3</p>" in html
    assert f">{said}: cards</h1>" in html


def test_rules_without_cards_print_name_points_and_the_working(bench: Bench, tmp_path: Path) -> None:
    text = "force: Tins\nrules: [tin]\ndesigns:\n  - {design: T, kind: tank, wall: 2, weapons: 2 x pop}\nunits: []\n"
    path = tmp_path / "tins.yaml"
    path.write_text(text, encoding="utf-8")
    force = load_force_file(open_library(bench.folder), path, ["cards"])
    (card,) = deck(force, "abcd 1234").cards
    assert (card.name, card.who, card.points) == ("T", "Tank", "21 points")  # 10, 10 × 2 ÷ 4 and 2 × 3
    assert card.tells[0].startswith("Hull")
    assert (card.stats, card.front, card.boxes) == ((), (), ())


def test_long_names_and_notes_end_with_an_ellipsis_and_stop_no_card(desk: Desk) -> None:
    """Every text of a player has as many letters as it may have."""
    name = "Rifles of the third northern home guard battalion of the lower valley of Ember"
    text = FORCE.replace("Rifles", name).replace("1 Troop", "W" * 80).replace("Reds", f"'{'W ' * 39}W'")
    text = text.replace("type: line}", f"type: line, note: {'Tired and far from home. ' * 60}}}")
    made = desk.deck(text)
    assert [card.note.endswith("…") for card in made.cards] == [False, True, False]
    assert render_pdf(made, paper="a4", ink="mono").pages == 2
    html = render_html(made, "a4", "mono")
    assert "home guard<br/>battalion" in html
    assert "W…</p>" in html


def test_a_long_note_of_a_design_leaves_room_for_the_note_of_its_unit(desk: Desk) -> None:
    text = FORCE.replace("type: line}", f"type: line, note: {'Tired and far from home. ' * 60}}}")
    short = text.replace("1 Troop, ", "1 Troop, note: Holds the bridge., ")
    assert desk.deck(short).cards[1].note.endswith("… Holds the bridge.")
    long = text.replace("1 Troop, ", f"1 Troop, note: {'Holds the bridge. ' * 60}, ")
    made = desk.deck(long)
    (note,) = (card.note for card in made.cards if "Tired" in card.note)
    assert note.count("…") == 2
    assert note.endswith("…")
    assert 0.4 < len(note.partition("…")[0]) / len(note) < 0.6
    assert render_pdf(made, paper="a4", ink="mono").pages > 1


def test_spare_texts_make_no_back_and_no_further_card(desk: Desk) -> None:
    tank, rifles, other = desk.deck().cards
    assert any("Confidence test" in text for text in tank.tells)
    assert not any("Confidence test" in text for text in rifles.tells)  # the unit's first card has it
    assert all(card.part == (1, 1) for card in (tank, rifles, other))
    squad = desk.card("kind: squad, quality: green, men: 6 x hunting-rifle; 1 x smg", "stargrunt2")
    assert needs_back(squad) == needs_back(replace(squad, tells=squad.tells[:2]))


def test_each_element_has_a_card_if_its_boxes_are_too_many_for_the_front(desk: Desk) -> None:
    figures = "str: 5, dex: 6, dia: 5, conc: 5, phys: 6, cool: 5"
    units = "units: [{unit: Nave, of: [{design: Verger, count: 3}]}]"
    text = f"force: Choir\nrules: [sla-3d]\ndesigns: [{{design: Verger, kind: character, {figures}}}]\n{units}\n"
    cards = desk.deck(text).cards
    assert [card.part for card in cards] == [(1, 3), (2, 3), (3, 3)]
    assert all(("Torso 8–23 ………", 15) in [(run.label, run.many) for run in card.runs] for card in cards)
