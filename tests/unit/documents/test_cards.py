"""Cards of designs: figures by hand from the book, what changes them, and what a player writes on them."""

from __future__ import annotations

import math
import re
from fractions import Fraction
from itertools import product
from typing import TYPE_CHECKING, NamedTuple

import pytest

from generator.commands.access import open_library
from generator.commands.decks import force_jobs
from generator.commands.forces import load_force_file
from generator.commands.jobs import Selection
from generator.documents.force.cards import deck
from generator.documents.force.odds_on_cards import Aim
from generator.errors import ProblemsError
from generator.render.cards.card_foot import foot_lines
from generator.render.cards.card_tables import cell_lines
from generator.render.cards.deck import Boxes, Deck, Target
from generator.render.cards.faces import faces
from generator.render.page.html import render_html
from generator.render.page.pdf import render_pdf
from generator.rules.load.load import load

if TYPE_CHECKING:
    from pathlib import Path

    from generator.problems import Problem
    from generator.render.cards.deck import Card, Grid
    from tests.conftest import Bench
    from tests.unit.documents.conftest import Divide

pytestmark = pytest.mark.slow

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

SPACE = "\N{NO-BREAK SPACE}"


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

    def since(self, new: str, old: str = FORCE) -> list[tuple[str, str]]:
        """Name and unit of the cards that are to be printed again."""
        wanted = Selection(only=("cards",), since=self.write(old, "old"))
        jobs = force_jobs(open_library(), [self.write(new)], wanted, {}, [], [], [])
        return [(card.name, card.who.split(" ·")[0]) for job in jobs for card in cards_of(job.paper)]


def cards_of(paper: object) -> tuple[Card, ...]:
    assert isinstance(paper, Deck)
    return paper.cards


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    return Desk(tmp_path)


def rows(grid: Grid) -> list[tuple[str, ...]]:
    """Each row: its head, its figures, its chances."""
    return [(line.head, *line.cells, *(one.text for one in line.chances)) for line in grid.lines]


def foot_of(card: Card) -> str:
    return " ".join(foot_lines([one for grid in card.grids for one in grid.asked], 118))


def figures(card: Card) -> dict[str, str]:
    return {one.label: one.figure for one in card.stats}


def hulls(sizes: list[tuple[int, int]], name: str) -> str:
    """Grav vehicles of these sizes and armours, numbered in their order, as a force has them."""
    return "".join(
        f"  - {{design: {name}{n}, kind: vehicle, size: {size}, armour: {armour}, plant: FGP, mobility: grav}}\n"
        for n, (size, armour) in enumerate(sizes)
    )


def test_a_gun_has_its_ranges_dice_and_odds_by_the_book(desk: Desk) -> None:
    guns, *_ = desk.deck().cards[0].grids
    assert (guns.title, guns.heads, guns.targets) == (
        "At vehicles", ("To", "Die", "Chits", "Valid"), ("A1", "A2", "A3", "A4", "A5")
    )  # fmt: skip
    assert [row[:5] for row in rows(guns)] == [
        ("HKP/3 Turret, close", "18″", "D12", "3", "All"),
        ("HKP/3, medium", "30″", "D10", "3", "Red & yellow"),
        ("HKP/3, long", "42″", "D8", "3", "Red"),
        ("RFAC/1 Turret, close", "8″", "D12", "1", "Red & yellow"),
        ("RFAC/1, medium", "12″", "D10", "1", "Red"),
        ("RFAC/1, long", "16″", "D8", "1", "Green"),
    ]
    # D10 over D8 is .55; three chits, red and yellow, kill armour 1 with .789719, armour 4 with .314295.
    assert (rows(guns)[1][5], rows(guns)[1][8]) == (f"{55 * 0.789719:.0f}", f"{55 * 0.314295:.0f}")


def test_a_vehicle_has_its_odds_at_infantry_as_a_team_has(desk: Desk) -> None:
    tank, foot, *_ = desk.deck(FORCE.replace("type: line", "type: line, role: apsw")).cards
    apsw, guns = (grid for grid in tank.grids if grid.targets == ("Mil.", "Line", "Pow."))
    firefight = rows(foot.grids[0])[:3]
    assert apsw.title.replace(SPACE, " ") == "APSW 12″, 3 chits"
    assert [row[0] for row in rows(apsw)] == ["Open: Red & yellow", "Soft cover: Red", "Dug in, urban: Yellow"]
    assert [row[1:] for row in rows(apsw)] == [row[1:] for row in firefight]  # three chits, as an APSW team draws
    # Two yellow chits, p. 36: a militia element takes 3, and the RFAC/1 reaches 12″ at medium range.
    assert (guns.title, guns.heads) == ("Guns", ("To", "Chits", "Valid"))
    assert [row[:5] for row in rows(guns)] == [("RFAC/1", "12″", "2", "Yellow", "10")]


def test_a_laser_reaches_infantry_as_far_as_its_own_table_says(desk: Desk) -> None:
    """HEL, p. 36: two yellow chits up to 36″, whatever its band at vehicles."""
    force = FORCE.replace("{weapon: RFAC, class: 1}", "{weapon: HEL, class: 2}").replace("plant: HMT", "plant: FGP")
    *_, guns = desk.deck(force).cards[0].grids
    assert [row[:4] for row in rows(guns)] == [("HEL/2", "36″", "2", "Yellow")]


def test_going_stands_once_on_a_card_for_all(desk: Desk) -> None:
    mule = "{design: Mule, kind: vehicle, size: 2, armour: 0, plant: CFE, mobility: low wheeled}"
    text = (
        FORCE.replace("designs:\n", f"designs:\n  - {mule}\n")
        + "  - {unit: 3 Troop, of: [{design: Sabre}, {design: Mule}]}\n"
    )
    *others, going = desk.deck(text).cards
    assert (going.name, going.points, going.ticks) == ("Going", "", ())
    costs, inches = going.grids
    assert (costs.title, costs.heads) == ("Terrain", ("Fast tracked", "On foot", "Low-mobility wheeled"))
    # Tracks, p. 26: easy on roads, normal in the open, poor on rough ground, none through swamp; then foot.
    by_terrain = {head: letters for head, *letters in rows(costs)}
    assert [by_terrain[one] for one in ("Road", "Open", "Rough", "Swamp")] == [
        ["E", "E", "E"], ["N", "N", "P"], ["P", "N", "X"], ["X", "P", "X"]
    ]  # fmt: skip
    assert (by_terrain["River"], by_terrain["Ford"]) == (["D", "D", "X"], ["D", "D", "D"])
    assert by_terrain["Open water"] == ["X", "X", "X"]
    assert [row[1:] for row in rows(inches)] == [("½", "1", "2", "3", "not at all")]
    assert all("Going" not in grid.title for card in others for grid in card.grids)


def test_open_water_is_for_what_swims(desk: Desk) -> None:
    wheels = "kind: vehicle, size: 2, armour: 0, plant: CFE, mobility: high wheeled"
    walker = "kind: vehicle, size: 3, armour: 1, plant: FGP"
    designs = [
        f"{{design: Otter, {wheels}, amphibious: yes}}",
        f"{{design: Mule, {wheels}}}",
        f"{{design: Strider, {walker}, mobility: combat walker}}",
        f"{{design: Porter, {walker}, mobility: transport walker}}",
        "{design: Suits, kind: infantry-team, type: powered}",
    ]
    going = desk.deck(f"force: R\nrules: [dirtside2]\ndesigns: [{', '.join(designs)}]\n").cards[-1]
    water = next(letters for head, *letters in rows(going.grids[0]) if head == "Open water")
    assert water == ["P", "X", "P", "X", "P"]


def test_the_foot_of_a_face_is_about_that_face_and_of_two_lines(desk: Desk) -> None:
    names = "".join(
        f"  - {{design: Lancer{n}, kind: vehicle, size: 5, armour: {1 + n % 5}, plant: FGP, mobility: grav, "
        f"stealth: {n // 5}}}\n"
        for n in range(30)
    )
    foot = "  - {design: Foot, kind: infantry-team, type: militia}\n"
    weapons = "{weapon: RFAC, class: 1}, {weapon: MDC, class: 1}, {weapon: HVC, class: 2}"
    force = FORCE.replace("{weapon: RFAC, class: 1}", weapons)
    made = desk.deck(force, f"force: Blues\nrules: [dirtside2]\ndesigns:\n{names}{foot}units: []\n")
    first, second, *_ = faces(made.cards[0])
    said = [" ".join(face.foot.lines) for face in (first, second)]
    assert ["kill infantry" in one for one in said] == [False, True]
    assert all(1 <= len(face.foot.lines) <= 2 for card in made.cards for face in faces(card) if card.name == "Sabre")


def test_equal_guns_of_two_entries_are_one_block_with_their_number(desk: Desk) -> None:
    said = "[{weapon: HKP, class: 3}, {weapon: RFAC, class: 1}]"
    assert said in FORCE
    apart = "[{weapon: RFAC, class: 1}, {weapon: RFAC, class: 2}, {weapon: RFAC, class: 1}]"
    grids = desk.deck(FORCE.replace(said, apart)).cards[0].grids
    assert [row[0] for row in rows(grids[0])][::3] == ["2 × RFAC/1 Turret, close", "RFAC/2 Turret, close"]


def test_infantry_has_the_published_chances_of_a_firefight(desk: Desk) -> None:
    firefight = desk.deck().cards[1].grids[0]
    assert rows(firefight)[:3] == [
        ("Open: Red & yellow", "36", "16", "6"),  # .364051 / .158952 / .061957
        ("Soft cover: Red", "22", "7", "3"),  # .219342 / .071215 / .027774
        ("Dug in, urban: Yellow", "10", "2", "1"),  # .095570 / .016522 / .006409
    ]


def test_a_tank_shows_what_the_enemy_asks_for(desk: Desk) -> None:
    found = figures(desk.deck().cards[0])
    assert found["Size class"] == "3"
    assert found["Target die"] == "D8"
    assert found["Fast tracked"] == "12″"
    assert (found["ECM"], found["PDS"]) == ("D8", "D8")


def test_a_design_that_one_unit_has_twice_is_one_card_and_in_two_units_two(desk: Desk) -> None:
    found = desk.deck().cards[:-1]
    assert [(card.name, card.who.split(" ·")[0]) for card in found] == [
        ("Sabre", "1 Troop"), ("Rifles", "1 Troop"), ("Sabre", "2 Troop")
    ]  # fmt: skip
    assert found[0].under_points == ("points each", "516 for 3")
    assert [tick.name for tick in found[0].ticks] == ["", "1", "2", "3", "Unit"]
    said = "D damaged, I immobile, S systems down, X destroyed:"
    assert (found[0].ticks[0].says.replace(SPACE, " "), found[0].ticks[0].boxes) == (said, ())
    assert [tick.boxes for tick in found[0].ticks[1:4]] == [(Boxes("", 4, "DISX"),)] * 3
    assert [tick.name for tick in found[2].ticks] == ["", "Unit"]
    assert [tick.name for tick in found[1].ticks] == [""]


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
    assert found == [("First", "Rifles"), ("Rifles", "Second"), ("Guns", "Third")]


@pytest.mark.parametrize(("many", "boxes"), [(6, None), (7, 7), (60, 60)])
def test_of_many_elements_each_box_is_so_many_in_a_run(desk: Desk, many: int, boxes: int | None) -> None:
    card = desk.deck(FORCE.replace("count: 2", f"count: {many - 1}")).cards[0]
    if boxes is None:
        assert [one.name for one in card.ticks[1:-1]] == [str(number) for number in range(1, many + 1)]
    else:
        assert [one.many for tick in card.ticks[:-1] for one in tick.boxes] == [boxes] * 4


def test_of_too_many_for_boxes_there_is_a_line_to_write_on(desk: Desk) -> None:
    tick, *_ = desk.deck(FORCE.replace("count: 2", "count: 998")).cards[0].ticks
    assert tick.boxes[0] == Boxes("Damaged: 999, less ……………", 0)


def test_every_kind_that_is_fielded_has_a_card() -> None:
    library = open_library()
    for name in library.ids():
        problems: list[Problem] = []
        rules = load(library, name, problems)
        assert rules is not None
        missing = {one for one in rules.kinds if one not in rules.cards} - {"unit", "force"}
        assert missing == set(), name


def test_a_layer_changes_a_card(desk: Desk) -> None:
    text = FORCE.replace("pds: enhanced", "pds: enhanced, sam: enhanced").replace("[dirtside2]", "[dirtside2-iceburg]")
    card = desk.deck(text).cards[0]
    book = desk.deck().cards[0]
    assert {*figures(card)} - {*figures(book)}
    assert "Radar on" in figures(card)


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
    text = f"force: Reds\nrules: [{rules}]\ndesigns: [{{design: Own, armour: 1, plant: FGP, {design}}}]\nunits: []\n"
    card = desk.deck(text).cards[0]
    assert (figures(card)["Target die"], figures(card)["Radar on"]) == (radar_off, radar_on)
    assert "no ECM" in card.also
    assert "no stealth" in card.also


@pytest.mark.parametrize(
    ("mobility", "weapons", "titles"),
    [
        ("aerospace", "HEL/1 fixed", {"At aircraft", "At a cruise missile"}),
        ("aerospace", "RFAC/1 fixed", {"At aircraft", "At a cruise missile"}),
        ("aerospace", "RFAC/2 fixed", set()),
        ("VTOL attack", "HEL/1 nose", set()),
        ("VTOL attack", "RFAC/1 nose", set()),
    ],
)
def test_only_aerospace_craft_have_odds_of_guns_in_the_air(
    desk: Desk, mobility: str, weapons: str, titles: set[str]
) -> None:
    hull = f"kind: vehicle, size: 4, armour: 1, plant: FGP, fire_control: enhanced, mobility: {mobility}"
    design = f"{{design: Own, {hull}, weapons: {weapons}}}"
    text = f"force: Reds\nrules: [dirtside2-iceburg]\ndesigns: [{design}]\nunits: []\n"
    grids = {grid.title: grid for card in desk.deck(text).cards for grid in card.grids}
    assert titles == {"At aircraft", "At a cruise missile"} & grids.keys()
    if titles:
        # Enhanced fire control: D6, D8, D10 by pilot, against D8 (signature 3). A hit draws one chit of 119; those
        # that destroy or send home armour 1: red 1, 2 and 3 (45), BOOM (5) and mobility (7).
        harm = Fraction(20 + 15 + 10 + 5 + 7, 119)
        column = grids["At aircraft"].targets.index("S3")
        shown = [line.chances[column].text for line in grids["At aircraft"].lines]
        assert shown == [str(math.floor(100 * above(die, 8) * harm + Fraction(1, 2))) for die in (6, 8, 10)]


def test_a_draft_says_so(desk: Desk) -> None:
    assert desk.deck(FORCE.replace("armour: 3", "armour: many")).banner == "Draft: 1 problem"
    assert desk.deck().banner == ""


def test_a_design_with_an_invalid_value_has_no_card(desk: Desk) -> None:
    names = [one.name for one in desk.deck().cards]
    assert [one.name for one in desk.deck(FORCE.replace("class: 3", "class: 77")).cards] == [
        name for name in names if name != names[0]
    ]


def test_a_card_has_the_die_of_its_unit_and_the_first_its_boxes(desk: Desk) -> None:
    tank, foot, other, _ = desk.deck().cards
    dice = {"Veteran": "D10", "Regular": "D8"}  # core rules p. 22
    assert [(one.label, one.figure) for one in (tank.stats[-1], foot.stats[-1])] == [("Veteran", dice["Veteran"])] * 2
    assert (other.stats[-1].label, other.stats[-1].figure) == ("Regular", dice["Regular"])
    boxes = [box.label for box in tank.ticks[-1].boxes]
    assert boxes == ["Confident", "Steady", "Shaken", "Broken", "Routed", "Under fire"]


def test_parts_are_named_by_design_or_unit(desk: Desk) -> None:
    assert [card.name for card in desk.deck(only=("Rifles",)).cards] == ["Rifles", "Going"]
    assert [card.who.split(" ·")[0] for card in desk.deck(only=("2 Troop",)).cards] == ["2 Troop", "Dirtside II"]


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


def test_odds_are_against_the_designs_of_the_enemy(desk: Desk) -> None:
    made = desk.deck(against=ENEMY)
    tank, foot = made.cards[:2]
    assert made.strap == "Dirtside II. Odds against Blues."
    assert tank.grids[0].targets == ("Large", "Small*")  # the dearest first
    assert foot.grids[0].targets == ("Foot",)
    assert "hit and destroy (Small* also Same); kill infantry." in foot_of(tank)
    assert "Large" not in foot_of(tank)
    # Medium: D10 over the D12 of size 1 is .375, at armour 1 times .789719.
    assert rows(tank.grids[0])[1][6] == f"{37.5 * 0.789719:.0f}"


def test_an_enemy_with_nothing_to_aim_at_is_not_named_over_the_cards(desk: Desk) -> None:
    mines = "force: Blues\nrules: [dirtside2]\ndesigns: [{design: Belt, kind: minefield, type: pre-laid}]\nunits: []\n"
    assert desk.deck(against=mines).strap == "Dirtside II."


def test_mines_have_nothing_of_their_unit_and_do_not_lead_it(desk: Desk) -> None:
    belt = "{design: Belt, kind: minefield, type: pre-laid}"
    foot = "{design: Foot, kind: infantry-team, type: line}"
    text = f"force: R\nrules: [dirtside2]\ndesigns: [{belt}, {foot}]\n"
    mines, team, _ = desk.deck(f"{text}units: [{{unit: A, of: [{{design: Belt}}, {{design: Foot}}]}}]\n").cards
    assert (mines.who, [box.label for tick in mines.ticks for box in tick.boxes]) == ("A", ["Found", "Cleared"])
    assert "Regular" not in [stat.label for stat in mines.stats]
    assert "Regular" in [stat.label for stat in team.stats]
    assert [tick.name for tick in team.ticks] == ["", "Unit"]


def test_what_is_shot_at_knows_the_enemys_own_guns_and_no_others(desk: Desk) -> None:
    lorry = (
        "force: Reds\nrules: [dirtside2]\ndesigns:\n  - {design: Lorry, kind: vehicle, size: 3, armour: 1, plant: CFE, "
    )
    lorry += "mobility: low wheeled, carries: line}\nunits: []\n"
    tank = (
        "force: Blues\nrules: [dirtside2]\ndesigns:\n  - {design: Tank, kind: vehicle, size: 3, armour: 3, plant: CFE, "
    )
    tank += "mobility: slow tracked, weapons: HKP/3 turret; RFAC/1 turret, fire_control: basic}\nunits: []\n"
    alone, faced = (desk.deck(lorry, against=text).cards[0] for text in ("", tank))
    shot_at = next(grid for grid in faced.grids if grid.title == "Shot at, armour")
    assert shot_at.asked[0].targets == tuple(
        Target(head, (name,), clear=True)
        for head, name in zip(shot_at.targets, ("HKP/3 Basic", "RFAC/1 Basic"), strict=True)
    )
    assert "enhanced fire control" not in shot_at.asked[0].of
    assert "HVC/3" in next(grid for grid in alone.grids if grid.title == "Shot at, armour").targets


@pytest.mark.parametrize(
    ("design", "title"),
    [
        ("kind: minefield, type: pre-laid", "At vehicles"),
        ("kind: artillery-ammunition, artillery: medium, round: DMR, guns: 2", "Mines at vehicles"),
    ],
)
def test_mines_strike_the_enemy_from_below(desk: Desk, design: str, title: str) -> None:
    own = f"force: Reds\nrules: [dirtside2]\ndesigns: [{{design: Own, {design}}}]\nunits: []\n"
    hull = "kind: vehicle, size: 3, armour: 3, plant: CFE, mobility: slow tracked, weapons: HKP/3 turret"
    tank = f"force: Blues\nrules: [dirtside2]\ndesigns: [{{design: Tank, {hull}}}]\nunits: []\n"
    alone, faced = (
        next(grid for grid in desk.deck(own, against=text).cards[0].grids if grid.title == title) for text in ("", tank)
    )
    assert faced.targets == ("Tank",)
    column = alone.targets.index("B1")  # two less than in front
    assert [line.chances[0] for line in faced.lines] == [line.chances[column] for line in alone.lines]


@pytest.mark.parametrize(
    ("rules", "design", "enemy", "titles"),
    [
        ("dirtside2", "weapons: HKP/3 turret, lad: 2", "kind: vehicle, mobility: VTOL attack", {"Air defence"}),
        ("dirtside2", "weapons: HKP/3 turret, lad: 2", "kind: vehicle, mobility: slow tracked", set()),
        ("dirtside2-iceburg", "sam: basic", "kind: vehicle, mobility: slow tracked", set()),
        ("dirtside2-iceburg", "sam: basic", "kind: cruise-missile-battery, missiles: HEF, launchers: 1", set()),
        (
            "dirtside2-iceburg",
            "sam: basic, ads: basic",
            "kind: cruise-missile-battery, missiles: HEF, launchers: 1",
            {"At a cruise missile"},
        ),
        (
            "dirtside2-iceburg",
            "weapons: HKP/3 turret, lad: 2",
            "kind: cruise-missile-battery, missiles: HEF, launchers: 1",
            {"At a cruise missile"},
        ),
        (
            "dirtside2-iceburg",
            "mobility: VTOL attack, aam: basic",
            "kind: cruise-missile-battery, missiles: HEF, launchers: 1",
            set(),
        ),
        (
            "dirtside2-iceburg",
            "mobility: aerospace, fire_control: basic, weapons: HEL/1",
            "kind: cruise-missile-battery, missiles: HEF, launchers: 1",
            {"At a cruise missile"},
        ),
        ("dirtside2-iceburg", "ads: basic", "kind: vehicle, mobility: VTOL attack", {"Air defence"}),
    ],
)
def test_what_is_for_aircraft_is_left_out_against_an_enemy_who_has_none(
    desk: Desk, rules: str, design: str, enemy: str, titles: set[str]
) -> None:
    hull = "kind: vehicle, size: 3, armour: 1, plant: HMT, mobility: slow tracked"
    hull = hull.replace(", mobility: slow tracked", "") if "mobility" in design else hull
    own = f"force: Reds\nrules: [{rules}]\ndesigns: [{{design: Own, {hull}, {design}}}]\nunits: []\n"
    theirs = enemy.replace("vehicle,", "vehicle, size: 3, armour: 1, plant: HMT,")
    foe = f"force: Blues\nrules: [{rules}]\ndesigns: [{{design: Foe, {theirs}}}]\nunits: []\n"
    of_air = {"Air defence", "SAM, radar on, any distance", "Air-to-air missiles", "At a cruise missile"}
    alone, faced = ({grid.title for grid in desk.deck(own, against=one).cards[0].grids} for one in ("", foe))
    assert alone & of_air
    assert faced & of_air == titles


def above(attack: int, *defence: int) -> Fraction:
    """The chance that a die is above each of the others, counted."""
    every = list(product(*(range(1, sides + 1) for sides in (attack, *defence))))
    return Fraction(sum(first > max(others) for first, *others in every), len(every))


def test_air_defence_is_told_against_the_enemys_own_pilots(desk: Desk) -> None:
    own = "{design: Own, kind: vehicle, size: 3, armour: 1, plant: HMT, mobility: slow tracked, sam: basic, lad: 1}"
    foe = "kind: vehicle, size: 3, armour: 1, plant: HMT, mobility: VTOL attack, ecm: basic"
    units = [
        "{unit: First, quality: veteran, leadership: 1, of: [{design: Kite}]}",
        "{unit: Second, quality: green, leadership: 3, of: [{design: Kite}, {design: Lark}]}",
        "{unit: Third, quality: green, leadership: 3, of: [{design: Lark}]}",
    ]
    designs = f"designs: [{{design: Kite, {foe}}}, {{design: Lark, {foe.replace('basic', 'none')}}}]"
    card, *_ = desk.deck(
        f"force: Reds\nrules: [dirtside2-iceburg]\ndesigns: [{own}]\nunits: []\n",
        against=f"force: Blues\nrules: [dirtside2-iceburg]\n{designs}\nunits: [{', '.join(units)}]\n",
    ).cards
    sam, lad = (next(grid for grid in card.grids if grid.title.startswith(one)) for one in ("SAM", "Air defence"))
    # One of each design before any has two.
    assert [one.names for one in sam.asked[0].targets] == [("Kite (First)",), ("Lark",), ("Kite (Second)",)]
    # Veteran and good: 3 to 10 of a D10 pass at threat 1. Green and poor: 5 and 6 of a D6. Equal dice miss.
    passed = {"First": Fraction(8, 10), "Second": Fraction(2, 6)}
    straight = [(passed["First"], above(6, 6)), (passed["Second"], above(6, 4)), (passed["Second"], above(6, 6))]
    evading = [
        (passed["First"], above(6, 6, 10)),
        (passed["Second"], above(6, 4, 6)),  # a hull without ECM has a D4
        (passed["Second"], above(6, 6, 6)),
    ]
    for line, expected in zip(sam.lines[:2], (straight, evading), strict=True):
        whole = [100 * (1 - stays + stays * hit) for stays, hit in expected]
        assert [one.text for one in line.chances] == [str(math.floor(one + Fraction(1, 2))) for one in whole]
    assert lad.targets == sam.targets


def test_a_pilot_whose_quality_was_refused_is_not_guessed(desk: Desk) -> None:
    own = "{design: Own, kind: vehicle, size: 3, armour: 1, plant: HMT, mobility: slow tracked, lad: 1}"
    foe = "{design: Kite, kind: vehicle, size: 3, armour: 1, plant: FGP, mobility: VTOL attack}"
    unit = "{unit: First, quality: veterann, of: [{design: Kite}]}"
    card, *_ = desk.deck(
        f"force: Reds\nrules: [dirtside2]\ndesigns: [{own}]\nunits: []\n",
        against=f"force: Blues\nrules: [dirtside2]\ndesigns: [{foe}]\nunits: [{unit}]\n",
    ).cards
    lad = next(grid for grid in card.grids if grid.title == "Air defence")
    assert lad.targets == ("None", "Basic", "Enhanced", "Superior")


@pytest.mark.parametrize(
    ("changed", "was", "of"),
    [
        ("cards.vehicle.guises.in-flight.inputs.armour", "armour", "Kite"),
        ("cards.unit.guises.in-flight.inputs.pilot", "quality", "First"),
        ("cards.infantry-team.target.type", "type", "Foot"),
    ],
)
def test_a_target_that_has_no_answer_is_told_where_the_rule_data_asks(
    divide: Divide, tmp_path: Path, changed: str, was: str, of: str
) -> None:
    kite = "{design: Kite, kind: vehicle, size: 3, armour: 1, plant: FGP, mobility: VTOL attack}"
    foot = "{design: Foot, kind: infantry-team, type: line}"
    force = tmp_path / "force.yaml"
    force.write_text(
        f"force: R\nrules: [house]\ndesigns: [{kite}, {foot}]\n"
        "units: [{unit: First, of: [{design: Kite}, {design: Foot}]}]\n",
        encoding="utf-8",
    )
    mine = load_force_file(divide(changed, was), force, ["cards"])
    with pytest.raises(ProblemsError) as caught:
        deck(mine, "abcd 1234", mine)
    (problem,) = caught.value.problems
    assert (problem.code, problem.found) == ("R241", f"a division by zero ({of} as a target)")
    assert (problem.span.file.rpartition("/")[2], problem.span.line) == ("changes.yaml", 4)


def test_a_launcher_is_a_target_where_it_stands_on_the_table(desk: Desk) -> None:
    gun = "{design: Own, kind: vehicle, size: 3, armour: 1, plant: HMT, mobility: slow tracked, weapons: HKP/3 turret, "
    own = f"force: Reds\nrules: [dirtside2-iceburg]\ndesigns: [{gun}fire_control: basic}}]\nunits: []\n"
    foe = (
        "force: Blues\nrules: [dirtside2-iceburg]\ndesigns: [{design: Arm, kind: cruise-missile-battery, missiles: HE, "
    )
    lorry = "kind: vehicle, size: 4, armour: 1, plant: CFE, mobility: low wheeled"  # a target of the same figures
    off, there, like = (
        next(grid for grid in desk.deck(own, against=text).cards[0].grids if grid.title == "At vehicles")
        for text in (
            f"{foe}launchers: 1}}]\nunits: []\n",
            f"{foe}launchers: 1, site: on-table}}]\nunits: []\n",
            f"force: Blues\nrules: [dirtside2-iceburg]\ndesigns: [{{design: Arm, {lorry}}}]\nunits: []\n",
        )
    )
    assert off.targets == ("A1", "A2", "A3", "A4", "A5")
    assert there.targets == ("Arm",)
    assert rows(there) == rows(like)


def test_commandos_are_harder_to_kill_in_close_assault_in_woods_and_urban_ground(desk: Desk) -> None:
    """Their own total there is two more (Iceburg, Infantry Commandos): these rows are theirs alone."""
    foot = "force: Reds\nrules: [dirtside2-iceburg]\n"
    foot += "designs: [{design: Foot, kind: infantry-team, type: line}]\nunits: []\n"
    raid = "{design: Raid, kind: commando-team, type: line}"
    guard = "{design: Guard, kind: infantry-team, type: line}"
    blues = "force: Blues\nrules: [dirtside2-iceburg]\ndesigns: [{0}]\nunits: [{1}]\n"
    one, other = (f"{{unit: {name}s, quality: regular, leadership: 2, of: [{{design: {name}}}]}}"
                  for name in ("Raid", "Guard"))  # fmt: skip
    for designs, units, fight in (
        (raid, one, "Raid"), (f"{raid}, {guard}", f"{one}, {other}", "Raid*"), (guard, other, "Guard"),
    ):  # fmt: skip
        enemy = blues.format(designs, units)
        grids = {grid.title: grid for grid in desk.deck(foot, against=enemy).cards[0].grids}
        assert (grids["Firefight"].targets, grids["Close assault"].targets) == ((fight,), (fight,))
        there = grids.get("Assault at commandos")
        assert (there.targets if there else ()) == (("Raid",) if raid in designs else ())
    alike = foot.replace("infantry-team", "commando-team")  # three chits for two: more of them fall
    enemy = blues.format(raid, one)
    by = []
    for mine in (foot, alike):
        grids = {grid.title: grid for grid in desk.deck(mine, enemy).cards[0].grids}
        usual, harder = ([int(line.chances[0].text) for line in grids[title].lines[-2:]]
                         for title in ("Close assault", "Assault at commandos"))  # fmt: skip
        assert all(one < other for one, other in zip(harder, usual, strict=True))  # woods are soft cover, too
        by.append(harder)
    assert by[0] < by[1]


def test_a_target_that_does_not_tell_of_the_face_struck_is_not_asked_about() -> None:
    """Its armour in front says nothing about mines, which strike from below."""
    rules = load(open_library(), "dirtside2", [])
    assert rules is not None
    (odds,) = (one.odds for one in rules.cards["minefield"].tables if one.title == "At vehicles")
    assert odds is not None
    told = {"armour": 3, "bottom": 1, "armour_type": "normal", "target": "vehicle"}
    assert Aim(("Tank",), told).told_to(odds) is not None
    assert Aim(("Tank",), {name: one for name, one in told.items() if name != "bottom"}).told_to(odds) is None


@pytest.mark.parametrize(
    ("worn", "chance"),
    [("", "14"), (", armour_type: reactive", "11"), (", apfc: yes", "9"), (", armour_type: reactive, apfc: yes", "9")],
)
def test_a_rocket_counts_what_the_special_armour_leaves_it(desk: Desk, worn: str, chance: str) -> None:
    """Two chits against armour 4: red and yellow, red, yellow; counted from the pot of 119 by hand."""
    foot = "force: Reds\nrules: [dirtside2]\ndesigns: [{design: Foot, kind: infantry-team, type: line}]\nunits: []\n"
    hull = f"kind: vehicle, size: 4, armour: 4, plant: HMT, mobility: slow tracked, weapons: HKP/4 turret{worn}"
    tank = f"force: Blues\nrules: [dirtside2]\ndesigns: [{{design: Tank, {hull}}}]\nunits: []\n"
    grid = next(one for one in desk.deck(foot, against=tank).cards[0].grids if one.title == "At vehicles")
    assert (grid.targets, [one.text for one in grid.lines[0].chances]) == (("Tank",), [chance])


def test_seven_targets_at_most_and_the_dearest(desk: Desk) -> None:
    designs = "".join(
        f"  - {{design: T{n}, kind: vehicle, size: 5, armour: {1 + n % 5}, plant: FGP, mobility: grav, "
        f"stealth: {n // 5}}}\n"
        for n in range(10)
    )
    made = desk.deck(against=f"force: Blues\nrules: [dirtside2]\ndesigns:\n{designs}units: []\n")
    shown = made.cards[0].grids[0].targets
    _, rest = foot_of(made.cards[0]).split("no column for ")
    assert len(shown) == 7
    assert sorted([*shown, *re.findall(r"T\d", rest)]) == [f"T{n}" for n in range(10)]


def test_names_that_find_no_room_over_their_columns_are_letters(desk: Desk) -> None:
    designs = "".join(
        f"  - {{design: Unpronounceable{n}, kind: vehicle, size: 5, armour: {1 + n % 5}, plant: FGP, mobility: grav, "
        f"stealth: {n // 5}}}\n"
        for n in range(6)
    )
    made = desk.deck(against=f"force: Blues\nrules: [dirtside2]\ndesigns:\n{designs}units: []\n")
    card = made.cards[0]
    assert card.grids[0].targets == tuple("ABCDEF")
    assert all(f"{letter} = Unpronounceable" in foot_of(card).replace("\N{NO-BREAK SPACE}", " ") for letter in "ABCDEF")


def test_what_no_question_tells_apart_has_one_column(desk: Desk) -> None:
    """A gun asks for size and armour and for no ECM; the dearest of each armour gives its name."""
    force = FORCE.replace("dirtside2", "dirtside2-fma")
    foot = "  - {design: Foot, kind: infantry-team, type: militia}\n"
    tanks = "".join(
        f"  - {{design: T{n}, kind: vehicle, size: 4, armour: {1 + n // 3}, plant: FGP, mobility: grav, ecm: {ecm}}}\n"
        for n, ecm in enumerate(2 * ("basic", "enhanced", "superior"))
    )
    made = desk.deck(force, f"force: Blues\nrules: [dirtside2-fma]\ndesigns:\n{foot}{tanks}units: []\n")
    sabre = made.cards[0]
    at_vehicles = {grid.targets for grid in sabre.grids if grid.title == "At vehicles"}
    assert at_vehicles == {("T5*", "T2*")}
    long = "".join(
        f"  - {{design: Unpronounceable{n}, kind: vehicle, size: 3, armour: {n}, plant: FGP, mobility: grav}}\n"
        for n in range(1, 6)
    )
    made = desk.deck(force, f"force: Blues\nrules: [dirtside2-fma]\ndesigns:\n{foot}{long}units: []\n")
    assert {grid.targets for grid in made.cards[0].grids if grid.title == "At vehicles"} == {tuple("ABCDE")}


@pytest.mark.parametrize(
    ("rounds", "shown"),
    [([], ["HEF", "MAK"]), (["HEF", "smoke"], ["HEF"]), (["smoke"], []), (["MAK", "HEF"], ["HEF", "MAK"])],
)
def test_a_gun_has_odds_for_the_shells_that_its_force_has(desk: Desk, rounds: list[str], shown: list[str]) -> None:
    gun = "{design: Gun, kind: vehicle, size: 3, armour: 1, plant: HMT, mobility: slow tracked, artillery: medium}"
    shells = [
        f"{{design: {one}, kind: artillery-ammunition, artillery: medium, round: {one}, guns: 1}}" for one in rounds
    ]
    designs = ", ".join([gun, *shells])
    card, *_ = desk.deck(f"force: Reds\nrules: [dirtside2]\ndesigns: [{designs}]\nunits: []\n").cards
    at = [[line.head for line in grid.lines] for grid in card.grids if grid.title.startswith("Shells at")]
    assert at == ([shown, shown] if shown else [])


def test_a_letter_is_one_design_on_every_card(desk: Desk) -> None:
    """Armour alone tells these apart for a mine, size too for a gun: the letters of a mine's columns have gaps."""
    long = hulls([(5, 4), (4, 4), (4, 3), (3, 3), (2, 2)], "Unpronounceable" * 4)
    own = f"{FORCE.partition('units')[0]}  - {{design: Belt, kind: minefield, type: pre-laid}}\nunits: []\n"
    gun, _, mine, *_ = desk.deck(own, f"force: Blues\nrules: [dirtside2]\ndesigns:\n{long}units: []\n").cards
    at = [next(grid for grid in card.grids if grid.title == "At vehicles") for card in (gun, mine)]
    assert [grid.targets for grid in at] == [tuple("ABCDE"), ("A", "C", "E")]
    assert [one.names[0][-1] for one in at[1].asked[0].targets] == ["0", "2", "4"]


def test_columns_of_letters_stand_back_before_a_row_takes_two_lines(desk: Desk) -> None:
    long = hulls([(5, 4), (4, 4), (4, 3), (3, 3), (3, 2), (2, 2), (2, 1)], "Unpronounceable")
    card, *_ = desk.deck(FORCE, f"force: Blues\nrules: [dirtside2]\ndesigns:\n{long}units: []\n").cards
    guns = next(place for place in faces(card)[0].grids if place.grid.title == "At vehicles")
    assert guns.grid.targets == tuple("ABCDEFG")
    assert [len(cell_lines(line.head, guns.widths[0])) for line in guns.grid.lines] == [1] * len(guns.grid.lines)
    assert {len(cell_lines(line.cells[3], guns.widths[4])) for line in guns.grid.lines} == {1}
    assert 6.6 <= guns.widths[-1] < 8.3


def test_every_design_of_a_column_is_named(desk: Desk) -> None:
    alike = "".join(f"  - {{design: Foot {n}, kind: infantry-team, type: militia}}\n" for n in range(5))
    alike += hulls([(3, 3)], "Tank")
    foot = foot_of(desk.deck(against=f"force: Blues\nrules: [dirtside2]\ndesigns:\n{alike}units: []\n").cards[1])
    assert "kill infantry (Foot 0* also Foot 1, Foot 2, Foot 3, Foot 4);" in foot


def test_most_of_an_enemy_who_is_told_whole_are_all_others(desk: Desk) -> None:
    crew = "force: Crew\nrules: [fma-skirmish]\noptions: {fma-skirmish: {detailed_fire: no, range_bands: no}}\n"
    crew += "answers: {fma-skirmish: {'tables.armours[other].die': D6, 'tables.weapons[gauss-rifle].firepower': D8}}\n"
    crew += "designs:\n"
    plain = "".join(f"  - {{design: Hand {n}, kind: figure, quality: green, armour: other}}\n" for n in range(3))
    suit = "  - {design: Pell, kind: figure, quality: green, armour: heavy-powered}\n"
    armed = f"{crew}  - {{design: Gun, kind: figure, quality: green, armour: other, arms: gauss-rifle}}\nunits: []\n"
    for designs, heads in (
        (plain + suit, ("All others", "Pell")),
        (plain, ("Any of them",)),
        (plain.split("\n", 1)[1] + suit, ("Hand 1*", "Pell")),  # two have room by name
    ):
        card = desk.deck(armed, f"{crew}{designs}units: []\n").cards[0]
        [grid] = (one for one in card.grids if one.title == "Weapons")
        assert grid.targets == heads
        assert ("Hand 2" in foot_of(card)) == (heads[0] == "Hand 1*")


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
    from markupsafe import escape

    text = FORCE.replace("Rifles", f"'{name}'").replace("1 Troop", f"'{name} troop'").replace("Reds", f"'{name}'")
    html = render_html(desk.deck(text), "a4", "mono")
    said = escape(name)
    assert f">{said}</h2>" in html
    assert f">{said} troop · veteran" in html.replace("\N{NO-BREAK SPACE}", " ")
    assert f">{said}: cards</h1>" in html


def test_rules_without_cards_print_name_points_and_the_working(bench: Bench, tmp_path: Path) -> None:
    text = "force: Tins\nrules: [tin]\ndesigns:\n  - {design: T, kind: tank, wall: 2, weapons: 2 x pop}\nunits: []\n"
    path = tmp_path / "tins.yaml"
    path.write_text(text, encoding="utf-8")
    force = load_force_file(open_library(bench.folder), path, ["cards"])
    (card,) = deck(force, "abcd 1234").cards
    assert (card.name, card.who, card.points) == ("T", "Tank", "21")  # 10, 10 × 2 ÷ 4 and 2 × 3
    assert card.also.startswith("Hull")
    assert (card.stats, card.grids, card.ticks) == ((), (), ())


@pytest.mark.parametrize("rules", ["dirtside2", "dirtside2-iceburg"])
@pytest.mark.parametrize("last", ["DFFG/1", "SLAM/3"])
def test_the_longest_list_of_weapons_goes_on_further_cards_with_every_row(desk: Desk, rules: str, last: str) -> None:
    """Five systems are all that size 5 may have: five weapons of three ranges each."""
    text = (
        f"force: Reds\nrules: [{rules}]\ndesigns:\n"
        "  - {design: Hedgehog, kind: vehicle, size: 5, armour: 1, plant: FGP, mobility: fast tracked, "
        f"weapons: HKP/3; HVC/3; MDC/1; RFAC/1; {last}, fire_control: superior}}\n"
        "units: [{unit: A, of: [{design: Hedgehog, count: 4}]}]\n"
    )
    made = desk.deck(text)
    assert made.banner == ""
    card, _ = made.cards
    found = faces(card)
    assert len(found) == 3
    kept = [(place.grid.title, line) for face in found for place in face.grids for line in place.grid.lines]
    assert kept == [(grid.title, line) for grid in card.grids for line in grid.lines]
    assert all(face.grids for face in found)
    assert render_pdf(made, paper="a4", ink="mono").pages == 1  # going has the fourth place


def test_fire_is_headed_by_distances_of_the_squad(desk: Desk) -> None:
    made = desk.deck(
        "force: Reds\nrules: [stargrunt2]\ndesigns:\n"
        "  - {design: Hunters, kind: squad, quality: veteran, men: 5 x hunting-rifle}\n"
        "  - {design: Hands, kind: squad, quality: untrained, men: 9 x improvised}\n"
    )
    hunters, hands = made.cards
    fire = [grid for card in made.cards for grid in card.grids if grid.targets]
    assert [grid.targets for grid in fire] == [("10″", "20″", "30″", "40″", "50″"), ("4″",)]
    assert "one band more" in foot_of(hunters)
    assert foot_of(hands) == "Percent: suppress or hit in the open."  # one band is all that its arms reach


def test_what_fires_otherwise_near_than_far_has_one_row(desk: Desk) -> None:
    squad = "quality: veteran, men: 4 x assault-shotgun; 2 x gauss-rifle"
    made = desk.deck(
        f"force: Reds\nrules: [stargrunt2-quick]\ndesigns:\n  - {{design: Boarders, kind: squad, {squad}}}\n"
    )
    [card] = made.cards
    [fire] = [one for one in card.grids if one.title == "Fire, to"]
    [line] = fire.lines
    near = Fraction(sum(far * far for far in range(1, 5)), 4 * 10 * 12)  # D10 and D12 of 16, neither above a D4
    far = Fraction(sum(far * min(far, 4) for far in range(1, 7)), 6 * 10 * 4)  # D10 and D4 of 4, neither above a D6
    assert [one.text for one in line.chances][:2] == [str(round(100 * (1 - near))), str(round(100 * (1 - far)))]
    assert "–" not in {one.text for one in line.chances}
    assert f"Small arms past{SPACE}10″: firepower D4" in card.also
    assert figures(card)["Firepower, to 10″"] == "D12"


def test_a_gun_without_figures_has_blanks_to_fill_in(desk: Desk) -> None:
    text = (
        "force: Reds\nrules: [fma-skirmish]\ndesigns: [{design: Hand, kind: figure, quality: green, arms: cannon-20}]\n"
    )
    gun, fire, *_ = desk.deck(text).cards[0].grids
    blank = "……………"
    assert rows(gun) == [("Firepower", blank), ("Range bands", blank), ("Impact", "D12"), ("Impact times", "2")]
    assert fire.targets == ("D4", "D6", "D8", "D10", "D12")
    assert [row[1] for row in rows(fire)] == ["38", "43", "46", "48"]  # both above it: 54/144, 82/192, 110/240, 138/288
    known = text.replace(
        "[fma-skirmish]\n", '[fma-skirmish]\nanswers: {fma-skirmish: {"tables.weapons[cannon-20].firepower": D8}}\n'
    )
    (gun, *_) = desk.deck(known).cards[0].grids
    assert rows(gun) == [("20 mm cannon", "D8", "………", "D12", "2", "43", "30", "22", "18", "15")]


def test_a_card_tells_what_suppresses_heavy_armour_and_keeps_only_what_is_played(desk: Desk) -> None:
    text = (
        "force: Reds\nrules: [fma-skirmish]\ndesigns:\n"
        "  - {design: Suit, kind: figure, quality: green, armour: heavy-powered, arms: cannon-20}\n"
        "  - {design: Hand, kind: figure, quality: green, arms: gauss-rifle}\n"
    )
    suit, hand = (card.also.replace(SPACE, " ") for card in desk.deck(text).cards)
    assert "Suppressed only by impact times 2 or more" in suit
    assert "does not suppress" not in suit
    assert "Gauss rifle: does not suppress heavy power armour" in hand
    assert "Suppressed only" not in hand
    known = 'answers: {fma-skirmish: {"tables.weapons[cannon-20].firepower": D8}}\n'
    plain = "options: {fma-skirmish: {detailed_fire: no, range_bands: no}}\n"
    for more, head, box in (("", ["Range bands"], {"Wounded"}), (plain, [], set[str]())):
        card = desk.deck(text + known + more).cards[0]
        assert [one for one in card.grids[0].heads if one == "Range bands"] == head
        assert {one.label for tick in card.ticks for one in tick.boxes} & {"Wounded"} == box


NOTED = """\
force: Reds
rules: [dirtside2]
designs:
  - {design: Cart, note: Stays behind., kind: vehicle, size: 3, armour: 0, plant: CFE, mobility: low wheeled, WHAT}
units:
  - {unit: A, of: [{design: Cart}]}
  - {unit: B, note: Late., of: [{design: Cart, count: 6}]}
"""


@pytest.mark.parametrize(
    ("what", "expected"),
    [("carries: 3 x militia", ["Stays behind.", "Stays behind. Late."]), ("artillery: medium", ["", "Late."])],
)
def test_a_note_of_a_design_is_on_every_card_of_it_or_on_none(desk: Desk, what: str, expected: list[str]) -> None:
    """A single gun has room for the note and six guns have none; the note of a unit stands on its own card."""
    made = desk.deck(NOTED.replace("WHAT", what))
    assert [card.note for card in made.cards[:2]] == expected
    assert len({len(faces(card)) for card in made.cards[:2]}) == 1


@pytest.mark.parametrize(
    ("worn", "title", "cells"),
    [
        ("armour: padquil-flak", "ID·Hits: fill in", ("–·……", "8·……", "8·……", "–·……", "–·……", "–·……", "–·……")),
        ("deathsuit: medium", "ID·Hits: fill in", ("……·……",) * 7),
        ("unarmoured: yes", "Armour and hits", ("………",) * 7),
    ],
)
def test_hits_that_are_filled_in_stand_beside_the_id(desk: Desk, worn: str, title: str, cells: tuple[str, ...]) -> None:
    stats = "kind: character, str: 5, dex: 5, dia: 5, conc: 5, phys: 5, cool: 5"
    [card] = desk.deck(f"force: F\nrules: [sla-3d]\ndesigns:\n  - {{design: Shiv, {stats}, {worn}}}\n").cards
    assert [(one.title, one.lines[0].cells) for one in card.grids][-1] == (title, cells)


def test_a_foot_takes_further_lines_for_names_where_its_face_has_room(desk: Desk) -> None:
    designs = "".join(
        f"  - {{design: A rather long name of a team {n}, kind: infantry-team, type: {kind}}}\n"
        for kind in ("militia", "line")
        for n in (range(4) if kind == "line" else range(4, 8))
    )
    designs += hulls([(3, 3)], "Tank")  # where nothing is without a column most are all others
    foot = desk.deck(against=f"force: Blues\nrules: [dirtside2]\ndesigns:\n{designs}units: []\n").cards[1]
    lines = faces(foot)[0].foot.lines
    assert len(lines) > 2
    assert all(f"team {n}" in " ".join(lines) for n in range(8))
