"""``fieldpress cost``: a force with its working, as people and as programs read it."""

from __future__ import annotations

import csv
import io
from typing import TYPE_CHECKING

import pytest

from generator.reporting.odds import bar

if TYPE_CHECKING:
    from pathlib import Path

    from tests.cli.conftest import Read, Run
    from tests.conftest import Bench

FORCE = """\
force: Reds
rules: [dirtside2]
budget: 300
designs:
  - {design: Sabre, kind: vehicle, size: 3, armour: 3, plant: HMT, mobility: fast tracked,
     weapons: [{weapon: HKP, class: 3}, {weapon: RFAC, class: 1}], fire_control: superior, pds: enhanced, ecm: enhanced}
  - {design: Rifles, kind: infantry-team, type: line}
units:
  - {unit: 1 Troop, of: [{design: Sabre}, {design: Rifles, count: 2}]}
"""


@pytest.fixture
def reds(tmp_path: Path) -> str:
    path = tmp_path / "reds.yaml"
    path.write_text(FORCE, encoding="utf-8")
    return str(path)


def test_the_text_has_the_working_the_room_and_what_is_left(run: Run, reds: str) -> None:
    result = run("cost", reds)
    assert result.exit_code == 0
    assert "Total: 212 points of 300, 88 left." in result.stdout  # the book's 172 and two teams of 20
    assert "Capacity 14 of 15 ██████████████████▋, weapon systems 3 of 3 ████████████████████." in result.stdout
    assert "24 × 40 ÷ 100 = 9.6" in result.stdout
    assert "(24)" in result.stdout


def test_a_share_of_capacity_is_a_bar_of_its_size(run: Run, bench: Bench) -> None:
    bench.change("tin/kinds/tank.yaml", "capacity: count,", "capacity: count * 5 / 2,")
    bench.change("tin/kinds/tank.yaml", "{capacity: 4,", '{capacity: "wall / 2 + 5",')
    tank = "{design: Tank, kind: tank, wall: 1, weapons: [{gun: cannon}]}"
    bench.write("tanks.yaml", f"force: Tanks\nrules: [tin]\ndesigns: [{tank}]\n")
    result = run("cost", str(bench.folder / "tanks.yaml"), "--rules-path", str(bench.folder))
    assert f"Capacity 5/2 of 11/2 {bar('5/11')}." in result.stdout


def test_the_json_keeps_the_contract(run: Run, read: Read, reds: str) -> None:
    data = read("cost", run("cost", reds, "--format", "json"))
    assert (data["total"], data["budget"], data["problems"]) == (212, 300, [])
    assert data["units"][0]["of"][1] == {"design": "Rifles", "count": 2, "points": 40}
    both = read("forces", run("cost", reds, reds, "--format", "json"))
    assert both["kinds"][1] == {"kind": "vehicle", "counts": [1, 1], "points": [172, 172]}


def test_csv_has_every_line_and_totals_that_fit(run: Run, reds: str) -> None:
    rows = list(csv.DictReader(io.StringIO(run("cost", reds, "--format", "csv").stdout)))
    tank = [row for row in rows if row["design"] == "Sabre" and not row["unit"]]
    assert tank[-1]["line"] == "Total"
    assert sum(int(row["points"] or 0) for row in tank[:-1]) == int(tank[-1]["points"]) == 172


def test_csv_has_units_the_total_and_the_budget(run: Run, reds: str, tmp_path: Path) -> None:
    def told(path: str) -> list[list[str]]:
        rows = csv.DictReader(io.StringIO(run("cost", path, "--format", "csv").stdout))
        columns = ("unit", "count", "design", "kind", "line", "points")
        return [[row[one] for one in columns] for row in rows if row["unit"] or not row["design"]]

    assert told(reds) == [
        ["1 Troop", "1", "Sabre", "vehicle", "", "172"],
        ["1 Troop", "2", "Rifles", "infantry-team", "", "40"],
        ["1 Troop", "", "", "", "Total", "212"],
        ["", "", "", "", "Total", "212"],
        ["", "", "", "", "Budget", "300"],
    ]
    bare = tmp_path / "bare.yaml"
    bare.write_text(FORCE.replace("budget: 300\n", "").partition("units:")[0].replace("type: line", "type: lin"))
    assert told(str(bare)) == [["", "", "", "", "Total", ""]]  # the price of one design is not known


def test_a_force_with_problems_is_priced_and_exits_with_1(run: Run, read: Read, tmp_path: Path) -> None:
    path = tmp_path / "broken.yaml"
    path.write_text(FORCE.replace("budget: 300", "budget: 200").replace("type: line", "type: lin"), encoding="utf-8")
    result = run("cost", str(path))
    assert result.exit_code == 1
    assert "Total: at least 172 points of 200." in result.stdout
    assert "F203: Rifles: type" in result.stdout
    data = read("cost", run("cost", str(path), "--format", "json"))
    assert (data["total"], len(data["designs"]), data["units"][0]["points"]) == (None, 1, None)
    assert [one["code"] for one in data["problems"]] == ["F203"]


def test_what_leaves_nothing_to_price_is_a_problem(run: Run, read: Read, tmp_path: Path) -> None:
    path = tmp_path / "nobody.yaml"
    path.write_text("force: Reds\nrules: [moonbase]\n", encoding="utf-8")
    data = read("problems", run("cost", str(path), "--format", "json"))
    (problem,) = data["problems"]
    assert (problem["code"], problem["line"], problem["column"]) == ("R301", 2, 9)
    assert problem["hint"].startswith("there are: ")


def test_markdown_can_go_into_a_document(run: Run, reds: str) -> None:
    text = run("cost", reds, "--format", "markdown").stdout
    assert text.startswith("# Reds\n")
    assert "| Hull, size 3" in text


def test_forces_of_one_name_are_told_apart(run: Run, reds: str) -> None:
    (heads, *_) = csv.reader(io.StringIO(run("cost", reds, reds, "--format", "csv").stdout))
    assert heads == ["", "Reds (1)", "points", "Reds (2)", "points"]


def test_an_entry_that_nobody_knows_leaves_the_rest_counted(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "reds.yaml"
    path.write_text(FORCE.replace("{design: Rifles, count: 2}]", "{design: Riffles, count: 2}]"), encoding="utf-8")
    assert "Total: at least 172 points of 300." in run("cost", str(path)).stdout
