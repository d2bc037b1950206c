"""What two rule sets say differently."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from generator.rules.differences import Difference, differences

if TYPE_CHECKING:
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
