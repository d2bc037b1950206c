"""What two rule sets say differently."""

from __future__ import annotations

import shutil
from typing import TYPE_CHECKING, Any

import pytest
from click.testing import CliRunner

from generator.cli.group import fieldpress
from generator.commands import rulesets
from generator.rules.describe.differences import Difference, counts, differences, related

if TYPE_CHECKING:
    from pathlib import Path

    from tests.conftest import Bench

WHY = "reason: Because., cite: line 9"


def between(bench: Bench, before: str = "tin", after: str = "steel") -> list[Difference]:
    return list(differences(bench.rules(before), bench.rules(after)))


def test_a_value_that_a_layer_sets_has_its_reason_and_both_citations(bench: Bench) -> None:
    assert between(bench) == [
        Difference("tables.guns[pop].cost", "changed", 3, 4, "Steel pop guns are dearer.", "Tin p. 1 > Steel line 1")
    ]


def test_nothing_differs_from_itself(bench: Bench) -> None:
    assert between(bench, "steel", "steel") == []


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        (
            'add: "tables.guns[sling]", with: {gun: sling, words: Sling, die: D4, cost: 1}',
            [("tables.guns[sling]", "added", None, "Die D4, Points 1")],
        ),
        (
            'replace: "tables.guns[pop]", with: {gun: pop, words: Air gun, die: D8, cost: 3}',
            [
                ("tables.guns[pop].words", "changed", "Pop gun", "Air gun"),
                ("tables.guns[pop].die", "changed", "D6", "D8"),
            ],
        ),
        ('remove: "tables.guns[cannon]"', [("tables.guns[cannon]", "removed", "Die D10, Points 8", None)]),
    ],
)
def test_rows_that_come_and_go(bench: Bench, change: str, expected: list[tuple[Any, ...]]) -> None:
    bench.layer("steel", f"{change}, {WHY}")
    found = [one for one in between(bench) if one.what.startswith("tables.")]
    assert [one[:4] for one in found] == expected
    assert {one.reason for one in found} == {"Because."}
    backwards = [one for one in between(bench, "steel", "tin") if one.what.startswith("tables.")]
    assert {(one.what, one.before, one.after) for one in backwards} == {
        (what, now, was) for what, _, was, now in expected
    }
    assert {one.reason for one in backwards} == {"Taken back: Because."}


def test_a_table_that_only_one_has_is_told_once(bench: Bench) -> None:
    bench.write(
        "steel/tables/bolts.yaml",
        "table: bolts\ntitle: Bolts\ncite: x\nkey: [bolt]\ncolumns:\n  bolt: {type: word, label: Bolt}\n"
        "rows: [{bolt: long}, {bolt: short}]\n",
    )
    found = [one for one in between(bench) if "bolts" in one.what]
    assert [one[:4] for one in found] == [("tables.bolts", "added", None, "Bolts: 2 rows")]


def test_a_price_and_a_limit_and_a_way_of_rolling(bench: Bench) -> None:
    line = bench.rules().kinds["tank"].lines[0]
    limit = bench.rules().kinds["tank"].limits[0]
    assert line.points is not None
    bench.layer(
        "steel",
        f"set: kinds.tank.lines.{line.id}.points, was: {line.points.text}, to: 99, {WHY}",
        f"remove: kinds.tank.limits.{limit.id}, {WHY}",
        f"replace: procedures.shoot.cases, with: [{{always: missed}}], {WHY}",
    )
    found = {one.what: one for one in between(bench)}
    assert found[f"kinds.tank.lines.{line.id}.points"][1:5] == ("changed", line.points.text, "99", "Because.")
    assert found[f"kinds.tank.limits.{limit.id}"][1:5] == ("removed", limit.says, None, "Because.")
    assert found["procedures.shoot.cases"][3] == "always: missed"
    assert len(found) == 3


def test_between_siblings_the_later_reason_goes_before_what_is_taken_back(bench: Bench) -> None:
    bench.layer("brass", 'set: "tables.guns[pop].cost", was: 3, to: 9, reason: Brass is dear., cite: x')
    assert [(one.before, one.after, one.reason) for one in between(bench, "steel", "brass")] == [
        (4, 9, "Brass is dear.")
    ]


def test_another_citation_alone_is_no_difference(bench: Bench) -> None:
    bench.layer("steel", 'set: "tables.guns[pop].note", was: null, to: Seen elsewhere., reason: It is., cite: line 7')
    assert between(bench) == []


def unrelated(bench: Bench) -> None:
    head = (bench.folder / "tin/ruleset.yaml").read_text(encoding="utf-8")
    bench.write("lead/ruleset.yaml", head.replace("ruleset: tin", "ruleset: lead"))
    for name in ("guns", "masts", "sails"):
        bench.write(
            f"lead/tables/{name}.yaml",
            f"table: {name}\ntitle: T\ncite: x\nkey: [id]\ncolumns:\n  id: {{type: int, label: No.}}\n"
            "rows: [{id: 1}]\n",
        )


def test_games_of_their_own_are_counted(bench: Bench) -> None:
    unrelated(bench)
    tin, lead = bench.rules(), bench.rules("lead")
    assert not related(tin, lead)
    assert counts(tin, lead) == {
        "tables": (2, 2, 1),
        "kinds": (1, 0, 0),
        "procedures": (1, 0, 0),
        "options": (0, 0, 0),
    }
    told = CliRunner().invoke(fieldpress, ["diff", "tin", "lead", "--rules-path", str(bench.folder)]).stdout
    assert told.startswith("tin and lead have no rule set in common")
    assert "mast" not in told
    assert [line.split() for line in told.splitlines()[4:6]] == [["tables", "2", "2", "1"], ["kinds", "1", "0", "0"]]


def test_layers_and_editions_are_related(bench: Bench) -> None:
    bench.layer("brass", "remove: kinds.tank.limits.room, reason: Roomy., cite: x")
    shutil.copytree(bench.folder / "tin", bench.folder / "tin2")
    bench.change("tin2/ruleset.yaml", "ruleset: tin", "ruleset: tin2")
    rules = bench.rules()
    assert related(rules, bench.rules("steel"))
    assert related(bench.rules("brass"), bench.rules("steel"))
    assert related(rules, bench.rules("tin2"))


@pytest.mark.parametrize("apart", [False, True])
def test_both_may_be_named_by_their_folders(bench: Bench, tmp_path: Path, *, apart: bool) -> None:
    tin, steel = bench.folder / "tin", bench.folder / "steel"
    if apart:
        steel = steel.rename(tmp_path / "steel")
    (change,) = rulesets.diff((), str(tin), str(steel))["changes"]
    assert (change["what"], change["to"]) == ("tables.guns[pop].cost", 4)
    (change,) = rulesets.diff((), str(steel), str(tin))["changes"]
    assert change["reason"] == "Taken back: Steel pop guns are dearer."


def test_a_layer_is_checked_by_its_folder_with_the_parent_beside_it(bench: Bench) -> None:
    assert rulesets.check((), [str(bench.folder / "steel")]) == ()
