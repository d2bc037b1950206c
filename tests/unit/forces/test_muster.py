"""Forces as players write them: priced, checked, every problem with its place and a remedy that was tried."""

from __future__ import annotations

from csv import DictReader
from io import StringIO
from typing import TYPE_CHECKING, Any

import pytest
import yaml
from markdown_it import MarkdownIt

from generator.commands.access import open_library
from generator.commands.forces import cost, force_data, load_force_file, side_by_side
from generator.documents.force.rosters import roster
from generator.forces.starter import starter_force
from generator.problems import ProblemsError
from generator.reporting.forces import compared_text, cost_text

if TYPE_CHECKING:
    from pathlib import Path

    from generator.forces.force import Force
    from tests.conftest import Bench

UNIT = """\
kind: unit
title: Unit
cite: p. 7
fields:
  nerve: {label: Nerve, range: 1..3, default: 2}
lines:
  - {line: drums, label: Drums, when: nerve == 3, points: 5, cite: p. 7}
limits:
  - {limit: crowd, that: elements <= 4, blame: elements, says: At most four in a unit., cite: p. 7}
  - {limit: guns, that: guns < 5 or nerve > 1, blame: guns, says: Five guns need nerve., cite: p. 7}
"""
FORCE = """\
kind: force
title: Force
cite: p. 7
lines:
  - {line: camp, label: Camp, points: 2 * units, cite: p. 7}
limits:
  - {limit: gunless, that: guns > 0, blame: units, says: Somebody has a gun., cite: p. 7}
"""


@pytest.fixture
def army(bench: Bench) -> Bench:
    """The tin soldiers with units and forces; a tank tallies its guns."""
    bench.write("tin/kinds/unit.yaml", UNIT)
    bench.write("tin/kinds/force.yaml", FORCE)
    bench.change("tin/kinds/tank.yaml", "let:\n", "tallies: {guns: sum(weapons.count), walled: wall > 0}\nlet:\n")
    return bench


def write(folder: Path, text: str, name: str = "force.yaml") -> Path:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


def force(bench: Bench, tmp_path: Path, body: str, head: str = "force: Reds\nrules: [tin]\n") -> Force:
    return load_force_file(open_library(bench.folder), write(tmp_path, head + body))


def told(found: Force) -> list[tuple[str, str, str, str]]:
    return [(one.code, one.field, one.found, one.hint) for one in found.problems]


WAGONS = """\
designs:
  - {design: Wagon, kind: Tank, wall: 1, weapons: [{gun: pop, count: 2}]}
  - {design: Cart, kind: tank, wall: 0}
"""


def test_a_unit_costs_what_is_in_it_and_its_own_lines(army: Bench, tmp_path: Path) -> None:
    found = force(
        army,
        tmp_path,
        WAGONS + "units:\n  - {unit: First, nerve: 3, of: [{design: Wagon, count: 2}, {design: Cart}]}\n",
    )
    assert found.problems == ()
    wagon, cart = found.designs
    # hull 10, wall 10 × 1 / 4 = 2.5 → 3, two guns at the price of the table
    gun = found.rules.tables["guns"].find(("pop",))["cost"]
    assert (wagon.points, cart.points) == (10 + 3 + 2 * gun, 10)
    assert found.units[0].points == 2 * (13 + 2 * gun) + 10 + 5
    assert found.total == 2 * (13 + 2 * gun) + 10 + 5 + 2
    assert found.units[0].elements == 3
    kinds = side_by_side([found])["kinds"]
    paid = [(kind["kind"], kind["points"]) for kind in kinds]
    assert paid == [("tank", [2 * (13 + 2 * gun) + 10]), ("unit", [5]), ("force", [2])]
    sections = [section for row in roster(found, "").rows for column in row.columns for section in column]
    table: Any = next(section.blocks[0] for section in sections if section.title == "Points")
    assert [(row[0].text, row[2].text) for row in table.rows][1:3] == [("Units", "5"), ("Whole force", "2")]


def test_the_points_that_a_unit_pays_itself_are_in_its_total(army: Bench, tmp_path: Path) -> None:
    found = force(army, tmp_path, WAGONS + "units:\n  - {unit: First, nerve: 3, of: [{design: Cart}]}\n")
    assert found.units[0].points == 15
    rows = [line.split() for line in cost_text(force_data(found), "text").splitlines()]
    assert ["First", "1", "×", "Cart", "10"] in rows
    assert ["together", "15"] in rows
    assert ["Drums", "5", "5", "3"] in rows  # label, working, points and the number of the source
    assert rows.index(["the", "unit", "itself", "5"]) == rows.index(["together", "15"]) - 1
    (unit,) = force_data(found)["units"]
    assert (unit["own"]["points"], unit["own"]["lines"][0]["line"], unit["own"]["lines"][0]["cite"][-4:]) == (
        5, "Drums", "p. 7",
    )  # fmt: skip
    listed = [row for row in DictReader(StringIO(cost_text(force_data(found), "csv"))) if row["unit"]]
    assert [(row["design"], row["line"], row["points"]) for row in listed] == [
        ("Cart", "", "10"), ("", "Drums", "5"), ("", "Total", "15"),
    ]  # fmt: skip
    sheet: Any = roster(found, "")
    sections = [section for row in sheet.rows for column in row.columns for section in column]
    cells = [
        cell.text
        for section in sections
        for block in section.blocks
        for row in getattr(block, "rows", ())
        for cell in row
    ]
    assert "Cart\N{NO-BREAK SPACE}(10)" in cells


def test_the_least_that_a_force_costs_counts_what_its_units_pay(army: Bench, tmp_path: Path) -> None:
    units = "units:\n  - {unit: First, nerve: 3, of: [{design: Cart}]}\n  - {unit: Second, of: [{design: Crat}]}\n"
    assert "at least 15 points" in cost_text(force_data(force(army, tmp_path, WAGONS + units)), "text")


def test_names_in_cells_of_markdown_are_no_markup(army: Bench, tmp_path: Path) -> None:
    name = r"a*b* _c_ [d](e) f|g <i> \h `j`"
    body = WAGONS.replace("Cart", f"'{name}'") + f"units: [{{unit: '{name}', nerve: 3, of: [{{design: '{name}'}}]}}]\n"
    found = force(army, tmp_path, body, f"force: '{name}'\nrules: [tin]\n")
    for text in (cost_text(force_data(found), "markdown"), compared_text(side_by_side([found, found]), "markdown")):
        tokens = MarkdownIt("commonmark").enable("table").parse(text)
        inner = [item for token in tokens if token.type == "inline" for item in token.children or ()]
        assert {item.type for item in inner} <= {"text", "text_special"}
        printed = ["".join(item.content for item in token.children or ()) for token in tokens if token.type == "inline"]
        assert any(name in said for said in printed)


def test_a_force_whose_units_cannot_be_read_fields_nothing(army: Bench, tmp_path: Path) -> None:
    found = force(army, tmp_path, WAGONS + "units:\n  - {unit: First, nerve: 9, of: [{design: Cart}]}\n")
    assert (found.total, found.shared_points, found.entries, found.elements) == (0, 0, (), 0)
    assert side_by_side([found])["kinds"] == []


def test_a_first_force_has_all_kinds_if_a_limit_allows_none_alone(army: Bench, tmp_path: Path) -> None:
    found = force(army, tmp_path, starter_force(army.rules()), head="")
    assert [design.kind.id for design in found.designs] == ["tank"]
    assert [unit.elements for unit in found.units] == [1]
    assert [problem.code for problem in found.problems] == ["tin/gunless"]


def test_a_tally_is_added_up_over_counts_and_its_limit_blames_the_first_that_adds(army: Bench, tmp_path: Path) -> None:
    found = force(
        army,
        tmp_path,
        WAGONS + "units:\n  - {unit: First, nerve: 1, of: [{design: Cart}, {design: Wagon, count: 3}]}\n",
    )
    assert [(code, field) for code, field, _, _ in told(found)] == [("tin/guns", "units[0].of[1]")]
    assert found.problems[0].found == "3 × Wagon"
    assert found.problems[0].hint.startswith("leave out 1 × Wagon (−")  # two guns each: four are lawful


def test_too_many_in_a_unit_is_told_at_its_list_with_the_number(army: Bench, tmp_path: Path) -> None:
    found = force(
        army, tmp_path, WAGONS + "units:\n  - {unit: First, of: [{design: Cart}, {design: Wagon, count: 4}]}\n"
    )
    (crowd,) = found.problems
    assert (crowd.code, crowd.field, crowd.found) == ("tin/crowd", "units[0].of", "5 elements (not 5 ≤ 4)")
    # leaving out the cart is the smallest change; a wagon would help as well
    assert crowd.hint == "leave out 1 × Cart (−10 points)"


def test_a_force_limit_may_be_mended_by_adding_a_design(army: Bench, tmp_path: Path) -> None:
    found = force(army, tmp_path, WAGONS + "units:\n  - {unit: First, of: [{design: Cart}]}\n")
    assert [(one.code, one.severity) for one in found.problems] == [("F211", "advice"), ("tin/gunless", "error")]
    assert found.problems[1].hint.startswith("add Wagon (+")


def test_a_design_with_a_wrong_field_has_no_price_and_what_depends_on_it_is_not_checked(
    army: Bench, tmp_path: Path
) -> None:
    found = force(
        army,
        tmp_path,
        """\
designs:
  - {design: Wagon, kind: tank, wall: 9, weapons: [{gun: pop, count: 3}, {gun: pop, count: 3}]}
units:
  - {unit: First, of: [{design: Wagon, count: 5}]}
""",
    )
    assert [one.code for one in found.problems] == ["F203"]
    assert (found.designs, found.units[0].points) == ((), None)
    data = force_data(found)
    assert (data["total"], data["designs"], data["units"][0]["points"]) == (None, [], None)


def test_a_remedy_clears_its_problem_adds_none_and_says_its_price(army: Bench, tmp_path: Path) -> None:
    body = "designs: [{design: Wagon, kind: tank, wall: 1, weapons: [{gun: cannon, count: 4}, {gun: pop}]}]\n"
    units = "units: [{unit: First, of: [{design: Wagon}]}]\n"
    found = force(army, tmp_path, body + units)
    (room,) = found.problems
    cannon = found.rules.tables["guns"].find(("cannon",))["cost"]
    assert f"weapons[0].count: 3 (−{cannon} points)" in room.hint
    mended = force(army, tmp_path, body.replace("cannon, count: 4", "cannon, count: 3") + units)
    assert mended.problems == ()
    assert mended.total == found.total - cannon


def test_a_force_without_units_counts_each_design_once(army: Bench, tmp_path: Path) -> None:
    found = force(army, tmp_path, WAGONS)
    assert [one.code for one in found.problems] == ["F212"]
    assert found.total == sum(one.points or 0 for one in found.designs)


def test_the_command_line_goes_over_the_file_and_the_file_over_the_default(tmp_path: Path) -> None:
    from generator.rules.source.settings import settings_of_words

    text = "force: Q\nrules: [stargrunt2-quick]\noptions: {stargrunt2-quick: {fractions: up}}\ndesigns: []\n"
    path = write(tmp_path, text)
    assert load_force_file(open_library(), path).rules.options["fractions"].value == "up"
    given = settings_of_words(("fractions=down",))
    assert load_force_file(open_library(settings=given), path).rules.options["fractions"].value == "down"


def test_libraries_bring_designs_that_need_not_be_fielded(army: Bench, tmp_path: Path) -> None:
    write(tmp_path, WAGONS, "tanks.yaml")
    found = force(army, tmp_path, "libraries: [tanks.yaml]\nunits: [{unit: First, of: [{design: Wagon}]}]\n")
    assert found.problems == ()
    assert [one.name for one in found.designs] == ["Wagon", "Cart"]


def test_a_library_that_says_its_rules_can_be_priced_alone(army: Bench, tmp_path: Path) -> None:
    path = write(tmp_path, "rules: tin\n" + WAGONS, "tanks.yaml")
    found = load_force_file(open_library(army.folder), path)
    assert found.problems == ()
    assert (found.name, found.rules.id, len(found.designs)) == ("tanks", "tin", 2)


def test_a_library_named_twice_or_the_force_itself_is_one_problem(army: Bench, tmp_path: Path) -> None:
    write(tmp_path, WAGONS, "tanks.yaml")
    units = "units: [{unit: First, of: [{design: Wagon}]}]\n"
    found = force(army, tmp_path, "libraries: [tanks.yaml, ./tanks.yaml, force.yaml]\n" + units)
    assert [(one.code, one.field) for one in found.problems] == [("F208", "libraries[1]"), ("F206", "libraries[2]")]
    one_alone = force(army, tmp_path, "libraries: tanks.yaml\n" + units)
    assert one_alone.problems == ()


def test_a_slip_in_a_unit_hides_no_other_of_it(army: Bench, tmp_path: Path) -> None:
    unit = "units: [{unit: First, nerve: 7, of: [{design: Cart, count: 0}, {design: Wagno}]}]\n"
    found = force(army, tmp_path, WAGONS + unit)
    assert sorted((one.code, one.field) for one in found.problems) == [
        ("F203", "units[0].nerve"), ("F209", "units[0].of[1].design"), ("R203", "units[0].of[0].count"),
    ]  # fmt: skip


def test_a_second_design_of_a_name_is_checked_all_the_same_and_the_first_is_named(army: Bench, tmp_path: Path) -> None:
    twice = (
        WAGONS
        + "  - {design: Cart, kind: tank, wall: 9}\nunits: [{unit: First, of: [{design: Cart}, {design: Wagon}]}]\n"
    )
    found = force(army, tmp_path, twice)
    assert [one.code for one in found.problems] == ["F208", "F203"]
    assert found.problems[0].hint.endswith("force.yaml:5")


def test_rules_that_do_not_belong_together_are_told_in_the_file(tmp_path: Path) -> None:
    path = write(tmp_path, "force: Reds\nrules: [dirtside2, sla-3d]\ndesigns: []\n")
    with pytest.raises(ProblemsError) as caught:
        load_force_file(open_library(), path)
    (problem,) = caught.value.problems
    assert (problem.code, problem.span.line, problem.field) == ("R305", 2, "rules")


def test_where_no_one_thing_is_enough_the_points_to_leave_out_are_named(army: Bench, tmp_path: Path) -> None:
    units = "".join(f"  - {{unit: U{number}, of: [{{design: Cart}}]}}\n" for number in range(3))
    found = force(
        army, tmp_path, "budget: 20\n" + WAGONS + "units:\n" + units + "  - {unit: W, of: [{design: Wagon}]}\n"
    )
    (over,) = [one for one in found.problems if one.code == "F210"]
    assert over.hint == f"leave out {found.total - 20} points or more"


TEAMS = """\
force: Dear
rules: [dirtside2-iceburg]
budget: {budget}
designs:
  - {{design: Riders, kind: infantry-team, type: line, role: cavalry}}
  - {{design: Rifles, kind: infantry-team, type: line}}
  - {{design: Spies, kind: commando-team, type: line}}
  - {{design: Sappers, kind: infantry-team, type: line, role: engineer}}
units:
{units}
"""
PRICES = {"Riders": 30, "Rifles": 20, "Spies": 90, "Sappers": 70}
FIELDED = [("Riders", 5), ("Rifles", 7), ("Spies", 2), ("Sappers", 3), ("Spies", 1), ("Riders", 1)]


@pytest.mark.parametrize("budget", range(80, 700, 40))
def test_the_units_to_leave_out_cost_the_least_that_is_enough(tmp_path: Path, budget: int) -> None:
    units = "\n".join(
        f"  - {{unit: U{i}, of: [{{design: {name}, count: {many}}}]}}" for i, (name, many) in enumerate(FIELDED)
    )
    (over,) = [
        one
        for one in load_force_file(open_library(), write(tmp_path, TEAMS.format(budget=budget, units=units))).problems
        if one.code == "F210"
    ]
    worth = [PRICES[name] * many for name, many in FIELDED]
    least = sum(worth) - budget
    fielded = {name: sum(many for other, many in FIELDED if other == name) for name in PRICES}
    parts = [PRICES[name] * count for name, many in fielded.items() for count in range(1, many + 1)]
    enough = [one for one in parts if one >= least]
    expected = f"(−{min(enough)} points)" if enough else f"leave out {least} points or more"
    assert over.hint.endswith(expected), over.hint


def test_advice_that_a_remedy_brings_about_does_not_rule_it_out(tmp_path: Path) -> None:
    units = "  - {unit: Mixed, of: [{design: Spies, count: 3}, {design: Rifles}]}"
    found = load_force_file(open_library(), write(tmp_path, TEAMS.format(budget=900, units=units))).problems
    (apart,) = [one for one in found if one.code == "dirtside2-iceburg/commandos-apart"]
    assert apart.hint == "leave out 1 × Rifles (−20 points)"


def test_problems_of_a_library_name_its_own_file_after_those_of_the_force(army: Bench, tmp_path: Path) -> None:
    write(tmp_path, WAGONS.replace("wall: 0", "wall: 7"), "tanks.yaml")
    found = force(army, tmp_path, "libraries: [tanks.yaml]\nunits: [{unit: First, of: [{design: Wagno}]}]\n")
    assert [(one.code, one.span.file.rpartition("/")[2], one.span.line) for one in found.problems] == [
        ("F209", "force.yaml", 4),
        ("F203", "tanks.yaml", 3),
    ]


# The shipped rules


TANK = {
    "kind": "vehicle", "size": 4, "armour": 4, "plant": "FGP", "mobility": "slow GEV",
    "weapons": [{"weapon": "MDC", "class": 4}], "missiles": [{"missile": "GMS/H", "quality": "enhanced"}],
    "fire_control": "superior", "pds": "enhanced", "ecm": "enhanced", "apfc": "yes", "stealth": 1,
}  # fmt: skip
BATTERY = {
    "kind": "cruise-missile-battery", "launchers": 2,
    "missiles": [{"warhead": "HEF", "count": 3}, {"warhead": "biochem", "count": 1}],
}  # fmt: skip
HULL = {"kind": "vehicle", "size": 3, "armour": 3, "plant": "HMT", "mobility": "fast tracked"}


def shipped(folder: Path, rules: str, design: dict[str, Any], count: int = 1) -> dict[str, Any]:
    text = yaml.safe_dump(
        {
            "force": "One",
            "rules": [rules],
            "designs": [{"design": "A", **design}],
            "units": [{"unit": "U", "of": [{"design": "A", "count": count}]}],
        },
        sort_keys=False,
    )
    return cost(open_library(), [write(folder, text)])[0]


def test_four_of_the_book_s_large_tank_cost_what_it_prints(tmp_path: Path) -> None:
    data = shipped(tmp_path, "dirtside2", TANK, 4)
    assert (data["total"], data["problems"]) == (1424, [])  # Dirtside II p. 53
    assert data["designs"][0]["capacity"] == {"used": 20, "allowed": 20}
    assert sum(line["points"] or 0 for line in data["designs"][0]["lines"]) == 356


def test_a_battery_of_three_hef_and_a_biochem_with_two_launchers_costs_900(tmp_path: Path) -> None:
    data = shipped(tmp_path, "dirtside2-iceburg", BATTERY)
    assert (data["total"], data["problems"]) == (900, [])


@pytest.mark.parametrize(("rules", "points"), [("dirtside2", 10), ("dirtside2-iceburg", 12)])
def test_an_rfac_is_dearer_with_the_house_layer(tmp_path: Path, rules: str, points: int) -> None:
    data = shipped(tmp_path, rules, {**HULL, "weapons": [{"weapon": "RFAC", "class": 2}]})
    (line,) = [one for one in data["designs"][0]["lines"] if "RFAC" in one["line"]]
    assert line["points"] == points


def test_two_superior_fire_controls_cost_18_and_6(tmp_path: Path) -> None:
    guns = [{"weapon": "HKP", "class": 3}, {"weapon": "RFAC", "class": 1}]
    data = shipped(
        tmp_path, "dirtside2-iceburg", {**HULL, "weapons": guns, "fire_control": "superior", "fire_controls": 2}
    )
    lines = {one["line"]: one["points"] for one in data["designs"][0]["lines"]}
    assert (lines["Fire control, Superior"], lines["Fire control 2, Superior"]) == (18, 6)


@pytest.mark.parametrize(("armour", "codes"), [(4, []), (5, ["dirtside2-iceburg/emplacement-armour"])])
def test_an_emplacement_of_size_3_bears_armour_4(tmp_path: Path, armour: int, codes: list[str]) -> None:
    data = shipped(tmp_path, "dirtside2-iceburg", {"kind": "emplacement", "size": 3, "armour": armour, "plant": "FGP"})
    assert [one["code"] for one in data["problems"]] == codes
    (plant,) = [one for one in data["designs"][0]["lines"] if "Power plant" in one["line"]]
    assert plant["working"].startswith(f"{15 + 3 * armour} × 30 ÷ 100")


def test_two_forces_are_compared_kind_by_kind(army: Bench, tmp_path: Path) -> None:
    one = write(tmp_path, "force: A\nrules: [tin]\n" + WAGONS + "units: [{unit: F, of: [{design: Wagon, count: 2}]}]\n")
    two = write(tmp_path, "force: B\nrules: [tin]\n" + WAGONS + "units: [{unit: F, of: [{design: Cart}]}]\n", "b.yaml")
    data, _ = cost(open_library(army.folder), [one, two])
    first, second = data["forces"]
    wagon = first["designs"][0]["points"]
    assert data["kinds"] == [
        {"kind": "tank", "counts": [2, 1], "points": [2 * wagon, 10]},
        {"kind": "force", "counts": [0, 0], "points": [2, 2]},
    ]
    assert (first["total"], second["total"]) == (2 * wagon + 2, 12)
