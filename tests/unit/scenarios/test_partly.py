"""An entry with slips in it keeps its shape, whatever it lacks: each slip is told, and none ends in a traceback."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from generator.pipeline.checks import check

if TYPE_CHECKING:
    from pathlib import Path

BATTLE = """\
scenario: Slips
rules: [dirtside2]
table: {{width: 48, depth: 36}}
sides: [{{side: Red}}, {{side: Blue}}]
{name}: [{entry}]
"""
LISTS = ("terrain", "zones", "entries", "objectives", "victory", "set_pieces", "markers", "rolls", "special")
ENTRIES = ("{}", "{note: x}", "{table: missions}", "{roll: 1, result: x}", "{table: [a], roll: 1, result: x}", "[]")


@pytest.mark.parametrize("entry", ENTRIES)
@pytest.mark.parametrize("name", LISTS)
def test_an_entry_that_lacks_keys_is_told_of(name: str, entry: str, tmp_path: Path) -> None:
    path = tmp_path / "battle.yaml"
    path.write_text(BATTLE.format(name=name, entry=entry), encoding="utf-8")
    found = check((), [str(path)])
    assert any(f"{name}[0]" in one.field for one in found)
