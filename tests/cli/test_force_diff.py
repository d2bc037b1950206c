"""``fieldpress diff`` of two forces: what has to be printed again."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

    from tests.cli.conftest import Read, Run

FORCE = """\
force: Reds
rules: [dirtside2]
designs:
  - {design: Foot, kind: infantry-team, type: line}
  - {design: Guns, kind: infantry-team, type: line, role: apsw}
units:
  - {unit: First, of: [{design: Foot, count: 2}, {design: Guns}]}
  - {unit: Second, of: [{design: Foot}]}
"""


def changes(run: Run, read: Read, tmp_path: Path, text: str) -> list[tuple[str, str, str | None, str | None]]:
    first, second = tmp_path / "a.yaml", tmp_path / "b.yaml"
    first.write_text(FORCE, encoding="utf-8")
    second.write_text(text, encoding="utf-8")
    data = read("diff", run("diff", str(first), str(second), "--format", "json"))
    return [(one["what"], one["kind"], one["from"], one["to"]) for one in data["changes"]]


def test_a_force_is_no_change_of_itself_however_it_is_written(run: Run, read: Read, tmp_path: Path) -> None:
    again = FORCE.replace("type: line}", "type: Line, role: Rifle}").replace(
        "unit: First", "unit: First, quality: regular"
    )
    assert changes(run, read, tmp_path, again) == []
    assert run("diff", str(tmp_path / "a.yaml"), str(tmp_path / "b.yaml")).stdout == "No differences.\n"


def test_designs_and_units_are_told_by_name_with_their_points(run: Run, read: Read, tmp_path: Path) -> None:
    other = FORCE.replace("type: line}", "type: powered}").replace("unit: Second", "unit: Third")
    assert changes(run, read, tmp_path, other) == [
        ("designs.Foot.type", "changed", "line", "powered"),
        ("designs.Foot.points", "changed", "20", "40"),
        ("units.First.points", "changed", "70", "110"),
        ("units.Second", "removed", "20", None),
        ("units.Third", "added", None, "40"),
        ("total", "changed", "90", "150"),
    ]
    table = run("diff", str(tmp_path / "a.yaml"), str(tmp_path / "b.yaml")).stdout
    assert "reason" not in table
    assert "units.Third" in table


def test_a_new_name_note_or_option_of_the_force_is_a_change(run: Run, read: Read, tmp_path: Path) -> None:
    other = FORCE.replace("force: Reds", "force: Crimsons\nnote: Back for more.").replace(
        "designs:\n", "budget: 90\ndesigns:\n"
    )
    assert changes(run, read, tmp_path, other) == [
        ("force", "changed", "Reds", "Crimsons"),
        ("note", "changed", "", "Back for more."),
        ("budget", "changed", None, "90"),
    ]


SQUADS = """\
force: Watch
rules: [stargrunt2]
designs:
  - {design: Rifles, kind: squad, quality: regular, leadership: 2, motivation: medium, men: 5 x gauss-rifle}
  - {design: Guns, kind: squad, quality: regular, leadership: 2, motivation: medium, men: 5 x gauss-rifle}
units:
  - {unit: First, of: [{design: Rifles, count: 2}, {design: Guns}]}
"""


def test_where_the_rules_have_no_points_none_are_told(run: Run, tmp_path: Path) -> None:
    first, second = tmp_path / "a.yaml", tmp_path / "b.yaml"
    first.write_text(SQUADS, encoding="utf-8")
    second.write_text(SQUADS.replace("count: 2}, {design: Guns}", "count: 3}"), encoding="utf-8")
    cost = run("cost", str(first)).stdout
    assert "stargrunt2. 3 elements in 1 unit. Its rules have no points." in cost
    units, _, _ = cost[cost.index("\nunit ") :].partition("\n\nSources")
    assert units.split("\n") == [
        "",
        "unit    of",
        "------  ----------",
        "First   2 × Rifles",
        "        1 × Guns",
    ]
    lines = run("diff", str(first), str(second)).stdout.splitlines()[2:]
    assert [line.split(maxsplit=2)[:2] for line in lines] == [["changed", "units.First.of"]]
    both = run("cost", str(first), str(second)).stdout.splitlines()
    assert ["total", "3", "–", "3", "–"] in [line.split() for line in both]
    refused = SQUADS.replace("design: Guns, kind: squad, quality: regular", "design: Guns, kind: squad, quality: x")
    first.write_text(refused, encoding="utf-8")
    assert "2 elements in 1 unit. Its rules have no points." in run("cost", str(first)).stdout


def test_of_problems_only_those_are_told_that_keep_a_force_from_being_read(run: Run, tmp_path: Path) -> None:
    first, second = tmp_path / "a.yaml", tmp_path / "b.yaml"
    first.write_text(FORCE.replace("rules: [dirtside2]", "rules: [dirtside2]\nbudget: 50"), encoding="utf-8")
    second.write_text(FORCE.replace("role: apsw", "role: apws"), encoding="utf-8")
    result = run("diff", str(first), str(second))
    assert result.exit_code == 1
    assert "designs.Guns" in result.stdout
    assert result.stderr.count("F203") == 1
    assert "F210" not in result.stderr
    assert result.stderr.endswith(f"\n{first}: 1 problem. fieldpress check shows more.\n")
    assert run("diff", str(first), str(first)).exit_code == 0
    assert "F203" in run("convert", str(second), str(tmp_path / "new.csv")).stderr
    assert run("convert", str(first), str(tmp_path / "new.csv")).stderr == (
        f"{first}: 1 problem. fieldpress check shows more.\n"
    )


def test_what_is_wrong_with_a_force_that_cards_are_compared_with_is_counted(run: Run, tmp_path: Path) -> None:
    first, second = tmp_path / "a.yaml", tmp_path / "b.yaml"
    first.write_text(FORCE, encoding="utf-8")
    second.write_text(FORCE.replace("designs:", "budget: 1\ndesigns:", 1), encoding="utf-8")
    result = run("build", str(first), "--only", "cards", "--since", str(second), "--out", str(tmp_path / "out"))
    assert (result.exit_code, result.stdout) == (0, "No cards have changed.\n")
    assert result.stderr == f"{second}: 1 problem. fieldpress check shows more.\n"
