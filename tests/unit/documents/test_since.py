"""Sheets that differ from an earlier print are printed again, and no others."""

from __future__ import annotations

import shutil
from typing import TYPE_CHECKING

from generator.commands.access import open_library
from generator.commands.printer import Output
from generator.commands.printing import build
from tests.conftest import SMALL_RULES

if TYPE_CHECKING:
    from pathlib import Path


def test_only_changed_sheets_are_printed_again(tmp_path: Path) -> None:
    rules, earlier, later = tmp_path / "rules", tmp_path / "earlier", tmp_path / "later"
    shutil.copytree(SMALL_RULES / "tin", rules / "tin")

    def printed(out: Path, since: Path | None = None) -> list[dict[str, str]]:
        data, _ = build(open_library(rules), ["tin"], Output(out, earlier=since, no_cache=True))
        return list(data["built"])

    first = printed(earlier)
    assert first
    assert all("replaces" not in file for file in first)
    assert printed(later, earlier) == []
    manifest = rules / "tin" / "ruleset.yaml"
    manifest.write_text(manifest.read_text(encoding="utf-8") + "# another fingerprint\n", encoding="utf-8")
    assert printed(later, earlier) == []
    sheet = rules / "tin" / "sheets" / "quick.yaml"
    sheet.write_text(sheet.read_text(encoding="utf-8").replace("title: Quick sheet", "title: Slow sheet"), "utf-8")
    again = printed(later, earlier)
    assert [(file["sheet"], file["replaces"]) for file in again] == [("quick", str(earlier / "tin-quick-a4.pdf"))]
