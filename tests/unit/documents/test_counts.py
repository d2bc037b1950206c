"""The counts that an appendix prints are those of the rule files, counted here without the program.

Every appendix tells what its own rule set says: its own files, and what its changes make of its parents' statements.
"""

from __future__ import annotations

from collections import Counter
from html.parser import HTMLParser
from typing import TYPE_CHECKING, Any

import pytest
import yaml

from generator.documents.sheet import compose
from generator.render.html import render_html
from generator.resources import rulesdata
from generator.rules.library import open_library
from generator.rules.loading import load
from generator.rules.models.sheet import CountsBlock

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

SHIPPED = sorted(folder.name for folder in rulesdata().iterdir() if (folder / "ruleset.yaml").is_file())
CERTIFICATE = {"cite", "status", "support", "raw", "note"}
PRINTED = ("plain", "read", "ruled", "erratum", "gap")


# The rule files, counted


def read(path: Path) -> Any:
    return yaml.safe_load(path.read_text(encoding="utf-8"))


def files(folder: Path, category: str) -> Iterator[Any]:
    return map(read, sorted((folder / category).glob("*.yaml")))


def status(thing: Any, above: Any = None) -> str:
    return str(thing.get("status") or (above or {}).get("status") or "plain")


def statuses(folder: Path) -> Iterator[str]:
    """That of every row, procedure, certified step, kind, line, limit, option and erratum of a rule set's own."""
    for table in files(folder, "tables"):
        yield from (status(row, table) for row in table["rows"])
    for procedure in files(folder, "procedures"):
        yield status(procedure)
        steps = [step for step in procedure.get("steps", ()) if isinstance(step, dict)]
        yield from (status(step, procedure) for step in steps if CERTIFICATE & set(step))
    for kind in files(folder, "kinds"):
        yield status(kind)
        yield from (status(one) for what in ("lines", "limits") for one in kind.get(what, ()))
    yield from (status(option) for option in read(folder / "ruleset.yaml").get("options", {}).values())
    if (folder / "errata.yaml").is_file():
        yield from ("erratum" for _ in read(folder / "errata.yaml")["errata"])
    if (folder / "changes.yaml").is_file():
        yield from changed(read(folder / "changes.yaml")["changes"]).values()


def changed(changes: list[Any]) -> dict[str, str]:
    """The statements of parents that a layer makes its own, by address: its last word on each is what counts."""
    found: dict[str, str] = {}
    for change in changes:
        action = next(one for one in ("set", "add", "replace", "remove") if one in change)
        statement = statement_at(change[action])
        if statement and action == "remove":
            found.pop(statement, None)
        elif statement:
            entry = change.get("with") if action != "set" else None
            found[statement] = status(entry or change, change)
    return found


def statement_at(address: str) -> str:
    """The row, line, limit or step that an address is about or leads into; nothing for all else.

    >>> statement_at("tables.guns[pop, 1].cost"), statement_at("kinds.tank.lines.hull.points")
    ('tables.guns[pop, 1]', 'kinds.tank.lines.hull')
    >>> statement_at("kinds.tank.says"), statement_at("kinds.tank.fields.wall")
    ('', '')
    """
    if address.startswith("tables.") and "[" in address:
        return address.partition("]")[0] + "]"
    parts = address.split(".")
    return ".".join(parts[:4]) if len(parts) > 3 and parts[2] in ("lines", "limits", "steps") else ""


# The appendix, read


class Counts(HTMLParser):
    """The cells of the tables that count statements, row by row."""

    def __init__(self) -> None:
        super().__init__()
        self.rows: list[list[str]] = []
        self.inside = self.cell = False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag == "table":
            self.inside = dict(attrs).get("data-block") == "Statements by status"
        if self.inside and tag == "tr":
            self.rows.append([])
        if self.inside and tag in ("th", "td"):
            self.cell = True
            self.rows[-1].append("")

    def handle_endtag(self, tag: str) -> None:
        self.cell = self.cell and tag not in ("th", "td")

    def handle_data(self, data: str) -> None:
        if self.inside and self.cell:
            self.rows[-1][-1] += data


def printed(name: str) -> Counter[str]:
    """The last row of the counts, which is that of all statements."""
    problems: list[Any] = []
    rules = load(open_library(), name, problems)
    assert rules is not None
    (sheet,) = [
        one for one in rules.own_sheets() if any(isinstance(block, CountsBlock) for block in one.model.blocks())
    ]
    page = Counts()
    page.feed(render_html(compose(rules, sheet, "", problems), "a4", "mono"))
    assert problems == []
    heads, last = page.rows[0], page.rows[-1]
    assert (heads[0], last[0]) == ("Subject", "All")
    return Counter({head.lower(): int(count) for head, count in zip(heads[1:], last[1:], strict=True)})


@pytest.mark.parametrize("name", SHIPPED)
def test_the_counts_of_an_appendix_are_those_of_the_rule_files(name: str) -> None:
    counted, found = Counter(statuses(rulesdata() / name)), printed(name)
    assert {one: found[one] for one in PRINTED} == {one: counted[one] for one in PRINTED}
    assert set(found) - {*PRINTED, "disputed"} == set()
