"""Misspell every key that a shipped table defines, one at a time: ``setup/slips.py [RULESET...]``.

A slip is harmless in an id that nothing names and no sheet prints: all sheets of the rule set stay as they are. Some of
these ids are listed in ``tests/coverage``, where a test finds the slip. Any other slip is at fault unless ``check``
refuses it and names the misspelt key.
"""

from __future__ import annotations

import shutil
import sys
import tempfile
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Any

from generator.commands.access import open_library
from generator.commands.checks import of_examples
from generator.documents.reference.sheet import compose
from generator.errors import ProblemsError
from generator.parsing.yaml12 import read_yaml
from generator.resources import rulesdata
from generator.rules.check.ruleset import check_ruleset
from generator.rules.load import chain
from generator.rules.load.load import ALL, load
from generator.rules.source.library import SCENARIO
from generator.scenarios.terrain_kinds import check_names

if TYPE_CHECKING:
    from collections.abc import Iterator

    from generator.parsing.document import Document
    from generator.problems import Problem
    from generator.rules.entries.tables import Table
    from generator.rules.source.library import Library
    from generator.rules.source.parts import Place


def slip(word: str) -> str:
    """The word with its last two letters that differ turned round.

    >>> slip("HVC"), slip("line")
    ('HCV', 'lien')
    """
    turned = next((n for n in range(len(word) - 1, 0, -1) if word[n] != word[n - 1]), 0)
    return word[: turned - 1] + word[turned] + word[turned - 1] + word[turned + 1 :] if turned else f"{word}x"


COVERAGE = "".join(path.read_text("utf-8") for path in sorted(Path("tests/coverage/places").glob("*.yaml")))
"""Where the items of the documents are in the rule data."""


def defining(tables: Iterator[Table], owner: str) -> Iterator[tuple[str, Place, set[Any]]]:
    """Yield each key that a table of the owner defines, its place, and all keys of the table."""
    for table in tables:
        column = table.column(table.key[0])
        if table.owner == owner and column.type == "word" and not column.listed and not column.of:
            keys = {row[column.name] for row in table.rows}
            yield from ((row[column.name], row.place / column.name, keys) for row in table.rows)


def judged(library: Library, name: str) -> tuple[list[Problem], str]:
    """What ``check`` finds with the options as they are, and the sheets of a rule set without problems."""
    problems: list[Problem] = []
    try:
        rules = load(library, name, problems)
        if rules is None or problems:
            return problems, ""
        ground = load(library, name, problems, only=[(SCENARIO, ALL)])
        if ground is not None and not problems:
            check_names(ground, rules, problems)
        if not problems:
            check_ruleset(rules, problems)
        problems = problems or of_examples(library, name)
        sheets = [] if problems else [compose(rules, sheet, "", problems) for sheet in rules.own_sheets()]
    except ProblemsError as error:
        return [*problems, *error.problems], ""
    return problems, "".join(repr(sheet.rows) for sheet in sheets)


class Slips:
    """One rule set in a folder of its own, with one key of it misspelt at a time. Other files are read once."""

    def __init__(self, name: str, folder: Path) -> None:
        """Copy the rule set."""
        self.name = name
        self.folder = folder / name
        shutil.copytree(rulesdata() / name, self.folder)
        self.library = open_library(self.folder)
        known: dict[Any, tuple[Document | None, tuple[Problem, ...]]] = {}

        def read_once(path: Path, *more: str) -> tuple[Document | None, tuple[Problem, ...]]:
            if path == self.wrong:
                return read_yaml(path, *more)
            if (path, more) not in known:
                known[path, more] = read_yaml(path, *more)
            return known[path, more]

        self.wrong: Path | None = None
        vars(chain)["read_yaml"] = read_once
        self.problems, self.sheets = judged(self.library, name)

    def verdict(self, word: str, place: Place, keys: set[Any]) -> str:
        """``refused``, ``unprinted``, or what is at fault."""
        wrong = slip(word) if slip(word) not in keys else f"{word}x"
        span = place.span()
        self.wrong = next(
            path
            for path in self.folder.rglob("*.yaml")
            if span.file.endswith(str(path.relative_to(self.folder.parent)))
        )
        text = self.wrong.read_text("utf-8")
        lines = text.split("\n")
        before, after = lines[span.line - 1][: span.column - 1], lines[span.line - 1][span.column - 1 :]
        lines[span.line - 1] = before + after.replace(word, wrong, 1)
        self.wrong.write_text("\n".join(lines), "utf-8")
        try:
            problems, sheets = judged(self.library, self.name)
        finally:
            self.wrong.write_text(text, "utf-8")
        if problems:
            named = any(wrong in f"{one.hint} {one.found} {one.expected}" for one in problems)
            return "refused" if named else f"not named: {problems[0].code} {problems[0].found}"
        return "unprinted" if sheets == self.sheets else "prints other sheets"


def main(names: list[str]) -> int:
    """Try every key of every rule set, or of those named; 1 if a slip is at fault."""
    bad = 0
    for name in names or open_library().ids():
        with tempfile.TemporaryDirectory() as folder:
            slips = Slips(name, Path(folder))
            rules = load(open_library(), name, [], [("tables", ALL), (SCENARIO, ALL)])
            tables = () if rules is None else rules.tables.values()
            verdicts = Counter[str]()
            for word, place, keys in defining(iter(tables), name):
                verdict = slips.verdict(word, place, keys)
                listed = f"{name}/tables.{Path(place.span().file).stem}[{word}" in COVERAGE
                verdict = "listed" if verdict == "unprinted" and listed else verdict
                at_fault = verdict not in {"refused", "unprinted", "listed"}
                verdicts["at fault" if at_fault else verdict] += 1
                if at_fault:
                    sys.stdout.write(f"{place.span().file}:{place.span().line} {word}: {verdict}\n")
        bad += verdicts["at fault"]
        counts = ", ".join(f"{count} {verdict}" for verdict, count in sorted(verdicts.items()))
        sys.stdout.write(f"{name}: {verdicts.total()} keys: {counts}\n")
        sys.stdout.flush()
    return int(bool(bad))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
