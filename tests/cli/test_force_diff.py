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
