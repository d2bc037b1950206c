"""What shows only when a rule set is whole: tables that nothing uses, ranges with gaps, and where to stop."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from generator.commands import rulesets
from generator.problems import has_errors
from generator.rules.check.ruleset import check_ruleset

if TYPE_CHECKING:
    from generator.problems import Problem
    from tests.conftest import Bench


def checked(bench: Bench, ruleset: str = "tin") -> list[Problem]:
    problems: list[Problem] = []
    check_ruleset(bench.rules(ruleset), problems)
    return problems


def told(bench: Bench, ruleset: str = "tin") -> list[tuple[str, str, str]]:
    return [(one.code, one.field, one.found) for one in checked(bench, ruleset)]


def table(bench: Bench, *rows: str, name: str = "old-guns", columns: str = "", ruleset: str = "tin") -> None:
    """A table of guns that are called by numbers."""
    bench.write(
        f"{ruleset}/tables/{name}.yaml",
        f"table: {name}\ntitle: {name}\ncite: p. 9\nkey: [no]\ncolumns:\n"
        f"  no: {{type: span, label: No., optional: true}}\n"
        f"  die: {{type: die, label: Die, optional: true}}\n{columns}rows:\n" + "".join(f"  - {row}\n" for row in rows),
    )


UNUSED = ("R235", "table", "the table old-guns, which is used nowhere")


def test_a_rule_set_without_faults_has_no_problems(bench: Bench) -> None:
    assert told(bench) == told(bench, "steel") == []


# R235


def test_a_table_that_nothing_uses_is_advice(bench: Bench) -> None:
    table(bench, "{no: 1, die: D4}")
    (problem,) = checked(bench)
    assert (problem.code, problem.field, problem.found) == UNUSED
    assert problem.severity == "advice"
    assert not has_errors(rulesets.check((bench.folder,), ("tin",)))


OLD = "{label: Old, from: old-guns}"


@pytest.mark.parametrize(
    ("file", "old", "new"),
    [
        ("sheets/quick", "{steps: shoot}", "{table: old-guns}"),
        ("sheets/quick", "{steps: shoot}", "{table: old-guns, when: no}"),
        ("sheets/quick", "{steps: shoot}", "{across: [{table: old-guns, column: die, label: x}], head: x}"),
        ("sheets/quick", "{steps: shoot}", "{pivot: old-guns, rows: no, columns: [die], column: die}"),
        ("sheets/quick", "given: {shots: 2}", "given: {shots: 2}\n              dice: {gun: 'old_guns[1]'}"),
        ("procedures/shoot", 'die: "guns[gun].die"', 'die: "old_guns[1]"'),
        ("procedures/shoot", "when: wall == 0", 'when: "wall == 0 and old_guns[1] == 4"'),
        ("procedures/shoot", "  shots: {", f"  old: {OLD}\n  shots: {{"),
        ("kinds/tank", "points: 10, name", 'points: "old_guns[1]", name'),
        ("kinds/tank", 'join: {g: "guns[gun]"}', 'join: {g: "guns[gun]", o: "old_guns[1]"}'),
        ("kinds/tank", "  crewed: {", f"  old: {OLD}\n  crewed: {{"),
        ("kinds/tank", "capacity: 4,", 'capacity: "old_guns[1]",'),
        ("kinds/tank", "that: capacity_used <= capacity_allowed,", 'that: "old_guns[1] > 2",'),
        ("tables/walls", "range: 0..2}", "range: 0..2}\n  old: {type: word, label: x, from: old-guns, optional: true}"),
    ],
)
def test_whatever_names_a_table_uses_it(bench: Bench, file: str, old: str, new: str) -> None:
    table(bench, "{no: 1, die: D4}")
    bench.change("tin/procedures/shoot.yaml", 'die: "walls[wall]"', 'die: "walls[wall].die"')
    bench.change(f"tin/{file}.yaml", old, new)
    assert UNUSED not in told(bench)


def test_a_table_is_its_own_rule_sets_to_use(bench: Bench) -> None:
    table(bench, "{no: 1, die: D4}")
    assert told(bench, "steel") == []
    table(bench, "{no: 1, die: D4}", name="new-guns", ruleset="steel")
    assert told(bench, "steel") == [("R235", "table", "the table new-guns, which is used nowhere")]


def test_a_table_of_a_parent_is_not_advice_beside_its_layer(bench: Bench) -> None:
    table(bench, "{no: 1, die: D4}")
    assert told(bench, "steel+tin") == told(bench, "tin+steel") == []


# R236


@pytest.mark.parametrize(
    ("spans", "found"),
    [
        (("1", "2", "3"), ""),
        (("1..2", "3..6"), ""),
        (("4..6", "1..3"), ""),
        (("-2..0", "1"), ""),
        (("7",), ""),
        (("1", "3"), "no row for 2"),
        (("1..2", "5..6"), "no row for 3 to 4"),
        (("5..6", "1..2"), "no row for 3 to 4"),
        (("1", "3", "5"), "no row for 2"),
        (("1", "null", "2"), ""),
        (("1", "null", "3"), "no row for 2"),
        (("null",), ""),
    ],
)
def test_ranges_follow_one_another(bench: Bench, spans: tuple[str, ...], found: str) -> None:
    table(bench, *(f"{{no: {span}, die: D4}}" for span in spans))
    gaps = [one for one in checked(bench) if one.code == "R236"]
    assert [one.found for one in gaps][:1] == ([found] if found else [])
    assert all(one.severity == "error" for one in gaps)


def test_a_gap_is_told_at_the_row_behind_it_with_the_end_of_the_one_before(bench: Bench) -> None:
    table(bench, "{no: 5..6, die: D4}", "{no: 1..2, die: D4}", "{no: 9, die: D4}")
    first, second, _ = checked(bench)
    assert (first.field, first.found, first.hint) == ("rows[0].no", "no row for 3 to 4", "the row before ends at 2")
    assert (second.field, second.found, second.hint) == ("rows[2].no", "no row for 7 to 8", "the row before ends at 6")


def test_keys_of_several_columns_may_have_gaps(bench: Bench) -> None:
    bench.change("tin/sheets/quick.yaml", "{steps: shoot}", "{table: old-guns}")
    table(bench, "{no: 1, die: D4}", "{no: 5, die: D6}")
    bench.change("tin/tables/old-guns.yaml", "key: [no]", "key: [no, die]")
    assert told(bench) == []


def test_what_a_gap_leaves_unanswered_is_not_told_as_well(bench: Bench) -> None:
    bench.change("tin/tables/effects.yaml", 'roll: "1..3"', 'roll: "1..2"')
    assert [one.code for one in checked(bench)] == ["R236"]


# Where to stop


def test_a_slip_of_a_sheet_leaves_procedures_and_tables_to_be_checked(bench: Bench) -> None:
    bench.change("tin/sheets/quick.yaml", "{steps: shoot}", "{steps: shot}")
    bench.change("tin/procedures/shoot.yaml", "when: wall == 0", "when: wall == 9")
    table(bench, "{no: 1, die: D4}")
    assert [one.code for one in checked(bench)] == ["R231", "R241", "R235"]


def test_a_procedure_without_dice_has_nothing_to_add_up(bench: Bench) -> None:
    bench.write("tin/procedures/walk.yaml", "procedure: walk\ntitle: Walking\ncite: p. 9\nsteps: [Go.]\n")
    assert told(bench) == []
    assert rulesets.check((bench.folder,), ("tin", "steel")) == ()


def test_what_loading_refuses_is_all_that_is_told(bench: Bench) -> None:
    bench.change("tin/kinds/tank.yaml", "hull * wall / 4", "hull * wal")
    table(bench, "{no: 1, die: D4}", "{no: 5, die: D6}")
    assert [one.code for one in rulesets.check((bench.folder,), ("tin",))] == ["R223"]
