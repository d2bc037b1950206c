"""From files to a rule set: parents, siblings, wanted parts, circles, and problems that are reported only once."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from generator.commands import rulesets
from generator.commands.access import open_library
from generator.problems import ProblemsError
from generator.reporting.problems import problem_text

if TYPE_CHECKING:
    from pathlib import Path

    from tests.conftest import Bench


# Where rule sets are found


def test_a_folder_of_rule_sets_and_a_rule_set_itself_may_be_named(bench: Bench) -> None:
    assert {"steel", "tin"} <= set(open_library(bench.folder).ids())
    assert open_library(bench.folder / "tin").find("tin") is not None
    assert open_library(bench.folder / "tin").find("steel") is None


def test_the_shipped_rule_sets_are_always_in_reach(bench: Bench) -> None:
    shipped = set(open_library().ids())
    assert shipped
    assert {folder.ruleset for folder in open_library(bench.folder).folders if folder.shipped} == shipped
    assert shipped <= set(open_library(bench.folder).ids())


def test_of_two_rule_sets_with_one_id_the_first_folder_counts(bench: Bench) -> None:
    other = bench.folder.parent / "other"
    for file in ("ruleset.yaml",):
        (other / "tin").mkdir(parents=True)
        (other / "tin" / file).write_text((bench.folder / "tin" / file).read_text(encoding="utf-8"), encoding="utf-8")
    found = open_library(other, bench.folder).find("tin")
    assert found is not None
    assert found.path == other / "tin"


@pytest.mark.parametrize(("name", "code"), [("nosuch", "F101"), ("tin/ruleset.yaml", "F102"), ("tin/tables", "R301")])
def test_a_folder_without_rule_sets_is_told(bench: Bench, name: str, code: str) -> None:
    with pytest.raises(ProblemsError) as caught:
        open_library(bench.folder / name)
    assert [one.code for one in caught.value.problems] == [code]


# Parents


def test_a_rule_set_has_everything_of_its_parents_with_its_owner(bench: Bench) -> None:
    bench.write("steel/tables/bolts.yaml", "table: bolts\ntitle: Bolts\ncite: line 4\nkey: [id]\ncolumns:\n"
                "  id: {type: int, label: No.}\nrows: [{id: 1}]\n")  # fmt: skip
    rules = bench.rules("steel")
    assert {table.id: table.owner for table in rules.tables.values()} == {
        "effects": "tin", "guns": "tin", "walls": "tin", "bolts": "steel",
    }  # fmt: skip
    assert [folder.ruleset for folder in rules.chain] == ["tin", "steel"]
    assert set(rules.sources) == {"book", "page"}
    assert rules.own_sheets() == ()
    assert [sheet.model.sheet for sheet in bench.rules("tin").own_sheets()] == ["quick"]


def test_a_sheet_of_the_same_id_takes_its_parents_place(bench: Bench) -> None:
    text = (bench.folder / "tin/sheets/quick.yaml").read_text(encoding="utf-8")
    bench.write("steel/sheets/quick.yaml", text.replace("title: Quick sheet", "title: Steel sheet"))
    (own,) = bench.rules("steel").own_sheets()
    assert own.model.title == "Steel sheet"


def test_a_changed_file_is_read_again(bench: Bench) -> None:
    before = bench.rules("tin")
    assert bench.rules("tin") is before
    bench.change("tin/sheets/quick.yaml", "title: Quick sheet", "title: Other sheet")
    (own,) = bench.rules("tin").own_sheets()
    assert own.model.title == "Other sheet"


def test_siblings_are_read_as_one(bench: Bench) -> None:
    bench.layer("brass", 'set: "tables.guns[cannon].cost", was: 8, to: 7, reason: Cheaper., cite: x')
    rules = bench.rules("steel+brass")
    assert [folder.ruleset for folder in rules.chain] == ["tin", "steel", "brass"]
    manifest = rules.manifest
    assert (manifest.title, manifest.short, manifest.edition) == (
        "Steel Soldiers + brass",
        "Steel + brass",
        "2003-03-03",
    )
    assert (manifest.authors, manifest.rights) == (("Nobody",), "Made up for the tests.")


def test_a_parent_that_two_rule_sets_share_is_read_once(bench: Bench) -> None:
    bench.layer("brass", 'set: "tables.guns[cannon].cost", was: 8, to: 7, reason: Cheaper., cite: x')
    bench.layer("alloy", 'set: "tables.walls[1].die", was: D6, to: D8, reason: Harder., cite: x')
    bench.change("alloy/ruleset.yaml", "extends: [tin]", "extends: [steel, brass]")
    rules = bench.rules("alloy")
    assert [folder.ruleset for folder in rules.chain] == ["tin", "steel", "brass", "alloy"]
    assert [row["cost"] for row in rules.tables["guns"].rows] == [4, 7]


def test_a_source_counts_for_its_own_rule_set_and_those_above_it_alone(bench: Bench) -> None:
    bench.change("tin/tables/walls.yaml", "cite: p. 2", "cite: {page: p. 2}")
    assert bench.problems("steel") == ["R208 tin/tables/walls.yaml:3:14 the source page"]
    bench.change("tin/tables/walls.yaml", "cite: {page: p. 2}", "cite: {book: p. 2}")
    bench.write("steel/tables/bolts.yaml", "table: bolts\ntitle: Bolts\ncite: {book: p. 4}\nkey: [id]\ncolumns:\n"
                "  id: {type: int, label: No.}\nrows: [{id: 1}]\n")  # fmt: skip
    assert bench.rules("steel").tables["bolts"].provenance.cite_text == "Tin p. 4"


@pytest.mark.parametrize("ruleset", ["tin", "steel", "iron"])
def test_a_circle_of_rule_sets_is_the_same_problem_from_wherever_it_is_entered(bench: Bench, ruleset: str) -> None:
    bench.change("tin/ruleset.yaml", "source: book\n", "extends: [steel]\nsource: book\n")
    bench.layer("iron", 'set: "tables.guns[pop].cost", was: 3, to: 7, reason: Dearer., cite: x')
    assert bench.problems(ruleset) == ["R302 steel/ruleset.yaml:7:11 steel > tin > steel"]


def test_a_parent_that_is_not_there_leaves_nothing_to_go_on_with(bench: Bench) -> None:
    bench.change("steel/ruleset.yaml", "extends: [tin]", "extends: [tin, zinc]")
    rules, problems = bench.load("steel")
    assert rules is None
    assert [(one.code, one.field, one.found) for one in problems] == [("R301", "extends[1]", "zinc")]


def test_a_head_without_its_own_source_is_one_problem(bench: Bench) -> None:
    bench.change("tin/ruleset.yaml", "source: book\n", "source: boook\n")
    assert bench.problems() == ["R208 tin/ruleset.yaml:7:9 the source boook"]


# Only what is wanted


def test_only_the_categories_that_are_wanted_and_what_they_lean_on_are_read(bench: Bench) -> None:
    rules = bench.rules(only=[("procedures", "shoot")])
    assert (set(rules.tables), set(rules.kinds), set(rules.sheets)) == ({"guns", "walls", "effects"}, set(), set())
    assert set(rules.procedures) == {"shoot"}
    assert bench.rules(only=[("tables", "walls")]).procedures == {}
    assert bench.rules(only=()).tables == {}


def test_a_slip_elsewhere_does_not_stand_in_the_way(bench: Bench) -> None:
    bench.change("tin/kinds/tank.yaml", "hull * wall / 4", "hull * wal")
    assert bench.rules(only=[("procedures", "shoot")]).procedures["shoot"].title == "Shooting"


def test_a_kind_brings_the_kinds_that_it_is_based_on(bench: Bench) -> None:
    bench.write("tin/kinds/cart.yaml", "kind: cart\ntitle: Cart\ncite: p. 8\nbased_on: tank\n")
    assert set(bench.rules(only=[("kinds", "cart")]).kinds) == {"cart", "tank"}


def test_a_table_is_found_behind_a_minus_sign_without_spaces(bench: Bench) -> None:
    columns = "  wall: {type: int, label: x}\n  steps: {type: int, label: x}\n"
    head = "table: step-ups\ntitle: x\ncite: x\nkey: [wall]\n"
    bench.write("tin/tables/step-ups.yaml", f"{head}columns:\n{columns}rows: [{{wall: 1, steps: 1}}]\n")
    bench.change("tin/procedures/shoot.yaml", "when: wall == 0", 'when: "wall-step_ups[1] == 0"')
    assert "step-ups" in bench.rules(only=[("procedures", "shoot")]).tables


# Told once


def test_a_slip_of_a_parent_is_told_once_for_all_rule_sets_that_are_checked(bench: Bench) -> None:
    bench.change("tin/kinds/tank.yaml", "hull * wall / 4", "hull * wal")
    assert [one.code for one in rulesets.check((bench.folder,), ("steel", "tin"))] == ["R223"]


@pytest.mark.parametrize(
    ("old", "new", "code"),
    [
        ("die: D6", "die: !!str D6", "F109"),
        ("die: D6", "die: &six D6", "F107"),
        ("cost: 3}", f"cost: {'3' * 20}}}", "F110"),
        ("words: Pop gun", 'words: "Pop\\x01gun"', "F112"),
        ("die: D6", "die: *six", "F107"),
        ("title: Guns\n", "title: Guns\ntitle: Cannons\n", "F106"),
    ],
)
def test_what_reading_a_file_refuses_is_told_and_nothing_follows_from_it(
    bench: Bench, old: str, new: str, code: str
) -> None:
    bench.change("tin/tables/guns.yaml", old, new)
    assert [one.code for one in rulesets.check((bench.folder,), ("steel", "tin"))] == [code]


@pytest.mark.parametrize(
    "part", ["ruleset.yaml", "tables/guns.yaml", "kinds/tank.yaml", "procedures/shoot.yaml", "sheets/quick.yaml"]
)
@pytest.mark.parametrize("text", ["", "[]\n", "3\n", "- a\n- b\n", "a: [\n", "{}\n"])
def test_a_file_of_another_shape_is_a_problem_of_its_own_alone(bench: Bench, part: str, text: str) -> None:
    bench.write(f"tin/{part}", text)
    problems = rulesets.check((bench.folder,), ("steel", "tin"))
    assert problems
    assert {one.span.file.removeprefix(f"{bench.folder}/") for one in problems} == {f"tin/{part}"}


def test_a_file_may_be_named_as_a_rule_sets_file(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    bench.change("tin/tables/guns.yaml", "die: D6", "die: D0")
    monkeypatch.chdir(bench.folder)
    (problem,) = rulesets.check((), ("tin/tables/walls.yaml",))
    assert (problem.code, problem.span.file) == ("R206", "tin/tables/guns.yaml")


def test_nothing_of_it_needs_the_current_folder(bench: Bench, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert rulesets.check((bench.folder,), ("tin", "steel")) == ()


def test_a_link_that_leads_out_of_the_rule_set_is_not_followed(bench: Bench, tmp_path: Path) -> None:
    secret = tmp_path / "secret.yaml"
    secret.write_text("password: swordfish\n", encoding="utf-8")
    (bench.folder / "tin/tables/more.yaml").symlink_to(secret)
    (problem,) = bench.load("tin")[1]
    assert (problem.code, problem.span.file.endswith("tin/tables/more.yaml")) == ("F102", True)
    assert "swordfish" not in repr(problem)


def test_the_name_of_a_file_cannot_command_the_terminal(bench: Bench) -> None:
    bench.write("tin/tables/a\x1b[2J.yaml", "table: a\n")
    problems = bench.load("tin")[1]
    assert [problem.code for problem in problems] == ["R303"]
    assert "\x1b" in problems[0].expected
    assert all(line.isprintable() for line in problem_text(problems[0]).splitlines())
