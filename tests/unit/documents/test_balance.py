"""The balance note: how many shots settle a target, against rolls that are counted one by one."""

from __future__ import annotations

from fractions import Fraction
from itertools import permutations, product
from typing import TYPE_CHECKING

import pytest

from generator.commands.access import open_library
from generator.commands.forces import load_force_file
from generator.commands.scenarios import load_scenario_file, set_up
from generator.documents.pack.side_sheets import balance, balance_sheet, expected
from generator.forces.cards import shots, targets
from generator.problems import ProblemsError
from generator.render.blocks import Section, Table
from generator.render.page.pdf import render_pdf
from generator.rules.load.load import ALL
from generator.scenarios.files import battles_in_reach
from generator.scenarios.generate.roll import ScenarioRequest

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence
    from pathlib import Path

    from generator.rules.source.library import Library
    from tests.unit.documents.conftest import Divide

LIBRARY = open_library()
TANKS = """\
designs:
  - {design: Gun, kind: vehicle, size: 3, armour: 2, plant: CFE, mobility: high wheeled, weapons: RFAC/2,
     fire_control: basic}
  - {design: Car, kind: vehicle, size: 2, armour: 1, plant: CFE, mobility: high wheeled}
  - {design: Rifles, kind: infantry-team, type: line}
units:
  - {unit: 1 Troop, of: [{design: Gun, count: 2}, {design: Car, count: 2}]}
  - {unit: 1 Platoon, of: [{design: Rifles, count: 3}]}
"""
SQUADS = """\
designs:
  - {design: Hunters, kind: squad, quality: regular, armour: partial-light, men: 6 x hunting-rifle}
units: [{unit: Hunters, of: [{design: Hunters}]}]
"""
FIGURES = """\
answers: {fma-skirmish: {"tables.weapons[gauss-rifle].firepower": D8}}
designs:
  - {design: Guard, kind: figure, quality: veteran, armour: heavy-powered, arms: gauss-rifle}
  - {design: Clerk, kind: figure, quality: green}
  - {design: Stranger, kind: figure, quality: green, armour: other}
units: [{unit: Guards, of: [{design: Guard}, {design: Clerk}, {design: Stranger}]}]
"""
CHARACTERS = """\
designs:
  - {design: Singer, kind: character, str: 7, dex: 8, dia: 5, conc: 5, phys: 8, cool: 6, stock_guns: ga47 5,
     armour: striker}
units: [{unit: Singer, of: [{design: Singer}]}]
"""


OPEN = """\
scenario: Open ground
rules: [dirtside2]
table: {width: 48, depth: 36}
sides: [{side: Red, force: {}}, {side: Blue, force: {}}]
zones:
  - {zone: West, side: Red, at: [0, 0], size: [4, 36]}
  - {zone: East, side: Blue, at: [44, 0], size: [4, 36]}
"""


@pytest.mark.parametrize(
    ("objectives", "rows"),
    [
        ("objectives: [{objective: Well, at: [20, 20], points: 5}]\n", ["To F1", "Of the table seen"]),
        ("", ["Of the table seen"]),
    ],
)
def test_what_sides_see_is_there_also_without_objectives(tmp_path: Path, objectives: str, rows: list[str]) -> None:
    path = tmp_path / "battle.yaml"
    path.write_text(OPEN + objectives, encoding="utf-8")
    sheet = balance_sheet(load_scenario_file(LIBRARY, path, [("cards", ALL)]), "")
    assert sheet is not None
    (section,) = sheet.rows[0].columns[0]
    (table,) = section.blocks
    assert isinstance(table, Table)
    assert [row[0].text for row in table.rows] == rows


def die(sides: int) -> range:
    return range(1, sides + 1)


def share(rolls: Iterable[bool]) -> Fraction:
    found = list(rolls)
    return Fraction(sum(found), len(found))


def by_chits() -> Fraction:
    """A basic fire control (D6 at middle range) at a small target (D10); two chits, red ones valid, at armour 1."""
    pot = [0] * 5 + [1] * 20 + [2] * 15 + [3] * 10  # red
    marks = ["firer"] * 2 + ["boom"] * 5 + ["other"] * (7 + 5) + ["other"] * 2 * (3 + 10 + 7 + 5)

    def destroyed(drawn: Sequence[object]) -> bool:
        points = sum(one for one in drawn if isinstance(one, int))
        return "firer" not in drawn and ("boom" in drawn or points > 1)

    hit = share(one > other for one, other in product(die(6), die(10)))
    return hit * share(destroyed(drawn) for drawn in permutations([*pot, *marks], 2))


def by_dice() -> Fraction:
    """The same roll to hit; then power D6 and impact D6 at armour D4, where equal dice destroy nothing."""
    hit = share(one > other for one, other in product(die(6), die(10)))
    return hit * share(max(power, impact) > armour for power, impact, armour in product(die(6), die(6), die(4)))


def by_squads(holds: Fraction) -> Fraction:
    """Quality D8 and firepower D6 against a range die of D8 in the third band; each hit stopped by such a chance."""
    lost = Fraction(0)
    for quality, firepower, reach in product(die(8), die(6), die(8)):
        if quality > reach and firepower > reach:
            hits, rest = divmod(quality + firepower, 8)
            one_more = Fraction(rest, 8)
            lost += 1 - holds**hits * (one_more * holds + 1 - one_more)
    return lost / (8 * 6 * 8)


CASES: dict[str, tuple[str, str, str, Callable[[], Fraction]]] = {
    "dirtside2": (TANKS, "Gun", "Car", by_chits),
    "dirtside2-fma": (TANKS, "Gun", "Car", by_dice),
    "stargrunt2": (
        SQUADS, "Hunters", "Hunters",
        lambda: by_squads(share(impact <= armour for impact, armour in product(die(10), die(6)))),
    ),
    "stargrunt2-quick": (SQUADS, "Hunters", "Hunters", lambda: by_squads(Fraction(3, 10))),
    "fma-skirmish": (
        FIGURES, "Guard", "Guard",
        lambda: share(min(quality, power) > armour for quality, power, armour in product(die(10), die(8), die(12))),
    ),
    "sla-3d": (
        CHARACTERS, "Singer", "Singer",
        lambda: share(sum(rolls) + 5 >= 13 for rolls in product(die(6), die(6), die(6))),
    ),
}  # fmt: skip


@pytest.mark.parametrize("ruleset", CASES)
def test_a_pairing_of_each_game_is_as_likely_as_rolls_that_are_counted(ruleset: str, tmp_path: Path) -> None:
    text, firer, target, count = CASES[ruleset]
    path = tmp_path / "force.yaml"
    path.write_text(f"force: Reds\nrules: [{ruleset}]\n{text}", encoding="utf-8")
    force = load_force_file(LIBRARY, path, ("cards",))
    shot = next(one for one in shots(force) if one.design.name == firer)
    aimed = next(one for one in targets(force) if target in one.names)
    assert shot.chance(aimed.inputs) == count()


@pytest.mark.parametrize("sides", [4, 6, 8, 10, 12])
def test_the_armour_that_players_give_is_the_armour_of_the_target(sides: int, tmp_path: Path) -> None:
    path = tmp_path / "force.yaml"
    answers = FIGURES.replace("D8}}", f'D8, "tables.armours[other].die": D{sides}}}}}')
    path.write_text(f"force: Reds\nrules: [fma-skirmish]\n{answers}", encoding="utf-8")
    force = load_force_file(LIBRARY, path, ("cards",))
    shot = next(one for one in shots(force) if one.design.name == "Guard")
    aimed = next(one for one in targets(force) if "Stranger" in one.names)
    rolls = product(die(10), die(8), die(sides))
    assert shot.chance(aimed.inputs) == share(min(quality, power) > armour for quality, power, armour in rolls)


@pytest.mark.parametrize("ruleset", ["stargrunt2", "stargrunt2-quick"])
def test_a_weapon_of_one_band_is_reckoned_in_that_band_with_all_who_reach_it(ruleset: str, tmp_path: Path) -> None:
    def told(men: str) -> dict[str, Fraction | None]:
        path = tmp_path / "force.yaml"
        path.write_text(
            f"force: Reds\nrules: [{ruleset}]\n{SQUADS.replace('6 x hunting-rifle', men)}", encoding="utf-8"
        )
        force = load_force_file(LIBRARY, path, ("cards",))
        return {one.name: one.chance(targets(force)[0].inputs) for one in shots(force)}

    both, rifles = told("4 x assault-shotgun; 2 x hunting-rifle"), told("2 x hunting-rifle")
    assert [*both] == ["Assault shotgun, small arms to 8″", "Hunting rifle, small arms to 24″"]
    assert both["Hunting rifle, small arms to 24″"] == rifles["Hunting rifle, small arms to 24″"]
    assert [*told("4 x assault-shotgun")] == ["Assault shotgun, small arms to 8″"]


def by_a_gun(holds: Fraction) -> Fraction:
    """A gunner of quality D8 with a machine gun (D8) at the third band, D8."""
    lost = Fraction(0)
    for quality, firepower, reach in product(die(8), repeat=3):
        if quality > reach and firepower > reach:
            hits, rest = divmod(quality + firepower, 8)
            lost += 1 - holds**hits * (Fraction(rest, 8) * holds + 1 - Fraction(rest, 8))
    return lost / 8**3


@pytest.mark.parametrize(
    ("ruleset", "holds"),
    [
        ("stargrunt2", share(impact <= armour for impact, armour in product(die(10), die(6)))),
        ("stargrunt2-quick", Fraction(3, 10)),
    ],
)
def test_a_support_weapon_has_a_row_of_its_own(ruleset: str, holds: Fraction, tmp_path: Path) -> None:
    path = tmp_path / "force.yaml"
    squads = SQUADS.replace("6 x hunting-rifle", "6 x hunting-rifle; 2 x low-tech-rifle, support: saw")
    path.write_text(f"force: Reds\nrules: [{ruleset}]\n{squads}", encoding="utf-8")
    force = load_force_file(LIBRARY, path, ("cards",))
    gun = next(one for one in shots(force) if one.name == "Machine gun (SAW) alone to 24″")
    assert gun.chance(targets(force)[0].inputs) == by_a_gun(holds)


def test_a_design_has_two_rows_of_ways_that_differ() -> None:
    path, more = battles_in_reach(LIBRARY)["surveyor-of-redwater"].path, ("cards", "procedures", "tables")
    section = balance(load_scenario_file(LIBRARY, path, [(one, ALL) for one in more]))
    assert section is not None
    marines, _ = [block for block in section.blocks if isinstance(block, Table)]
    rows = [[cell.text for cell in row[:2]] for row in marines.rows[1:]]
    assert [way for name, way in rows if name == "Marine squad"] == [
        "Gauss rifle, small arms to 30″", "Gauss SAW alone to 30″"
    ]  # fmt: skip


def test_what_cannot_be_aimed_at_is_no_target_and_what_cannot_be_asked_has_no_chance(tmp_path: Path) -> None:
    path = tmp_path / "force.yaml"
    path.write_text(f"force: Reds\nrules: [dirtside2]\n{TANKS}", encoding="utf-8")
    force = load_force_file(LIBRARY, path, ("cards",))
    gun, *others = shots(force)
    assert (gun.name, [one.name for one in others]) == ("RFAC/2, 18″", ["Firefight in the open, 6″", "IAVR, 4″"])
    rifles = next(one for one in targets(force) if "Rifles" in one.names)
    assert gun.chance(rifles.inputs) is None


def test_expected_shots_are_told_to_a_tenth() -> None:
    assert [expected(one) for one in (Fraction(5, 12), Fraction(1), Fraction(0), None)] == ["2.4", "1.0", "never", "–"]


@pytest.mark.parametrize("ruleset", ["dirtside2", "fma-skirmish"])
def test_a_scenario_tells_both_ways(ruleset: str, tmp_path: Path) -> None:
    path = tmp_path / "battle.yaml"
    path.write_text(set_up(LIBRARY, ruleset).roll(ScenarioRequest(7))[0], encoding="utf-8")
    assert balance(load_scenario_file(LIBRARY, path)) is None
    battle = load_scenario_file(LIBRARY, path, [("cards", ALL)])
    section = balance(battle)
    assert section is not None
    one, other = (side.name for side in battle.sides)
    captions = [f"{one} at {other}: shots needed", f"{other} at {one}: shots needed"]
    assert [block.caption for block in section.blocks if isinstance(block, Table)] == captions


def duel(folder: Path, names: tuple[str, str], rules: str = "dirtside2", library: Library = LIBRARY) -> Section:
    """The balance of a tank against another of the same make."""
    tank = (
        "designs: [{{design: {0}, kind: vehicle, size: 3, armour: 2, plant: CFE, mobility: high wheeled, "
        "fire_control: basic, weapons: RFAC/1; HVC/3}}]\nunits: [{{unit: {0}s, of: {0}}}]\n"
    )
    sides = []
    for name in names:
        path = folder / f"{name}.yaml"
        path.write_text(f"force: {name}\nrules: [{rules}]\n" + tank.format(name), encoding="utf-8")
        sides.append(f"  - {{side: {name}, force: {path.name}}}\n")
    battle = folder / "battle.yaml"
    battle.write_text(
        f"scenario: Duel\nrules: [{rules}]\ntable: {{width: 48, depth: 36}}\nsides:\n{''.join(sides)}",
        encoding="utf-8",
    )
    section = balance(load_scenario_file(library, battle, [("cards", ALL), ("procedures", ALL), ("tables", ALL)]))
    assert section is not None
    return section


def test_a_shot_without_an_answer_is_told_where_the_rule_data_asks(divide: Divide, tmp_path: Path) -> None:
    library = divide(
        "cards.vehicle.duels.guns.let.reach",
        "\"r.close if band == 'close' or r.medium == none else r.medium if band == 'medium' else r.long\"",
    )
    with pytest.raises(ProblemsError) as caught:
        duel(tmp_path, ("Red", "Blue"), "house", library)
    (problem,) = caught.value.problems
    assert (problem.code, problem.found) == ("R241", "a division by zero (the balance note)")
    assert (problem.span.file.rpartition("/")[2], problem.span.line) == ("changes.yaml", 4)


def test_a_name_that_is_longer_than_its_column_is_broken(tmp_path: Path) -> None:
    duel(tmp_path, ("Red", "Panzerjaegerersatzkompaniefuehreranwaerter"))
    more = [("cards", ALL), ("procedures", ALL), ("tables", ALL)]
    sheet = balance_sheet(load_scenario_file(LIBRARY, tmp_path / "battle.yaml", more), "abcd 1234")
    assert sheet is not None
    assert render_pdf(sheet, paper="a4", ink="mono").pages, "a word that runs over its cell raises LayoutError"


def test_two_ways_of_a_design_that_come_to_the_same_are_one_row(tmp_path: Path) -> None:
    section = duel(tmp_path, ("Red", "Blue"))
    for table in (block for block in section.blocks if isinstance(block, Table)):
        assert len({(row[0].text, *(cell.text for cell in row[2:])) for row in table.rows}) == len(table.rows)
