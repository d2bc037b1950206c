"""``fieldpress rules``."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

import click

from generator.cli.options import PROBLEMS, RULESET, Word, format_option, print_answer, print_problems, with_settings
from generator.rules.source.library import Library

if TYPE_CHECKING:
    from generator.problems import Problem


@click.command()
@click.argument("ruleset", required=False, type=RULESET)
@click.argument("thing", required=False, type=Word("a table, a kind or a procedure"), metavar="[TABLE]")
@format_option("text", "markdown", "csv", "json")
@with_settings
def rules(library: Library, *, ruleset: str | None, thing: str | None, form: str) -> None:
    """Show the rule sets and battles, one rule set, or a table.

    Each row of a table is shown with its citation and status. Instead of a table, name a kind, a procedure, the word
    options or the word errata. If an id has two meanings, write procedures/ID, tables/ID or kinds/ID.
    """
    from generator.commands import rulesets
    from generator.reporting.tables import table

    problems: tuple[Problem, ...] = ()
    if ruleset is None:
        data, problems = rulesets.list_rulesets(library)
        heads, listed = ["rule set", "title", "edition", "extends"], data["rulesets"]
        rows = [[item["ruleset"], item["title"], item["edition"], ", ".join(item["extends"])] for item in listed]
    elif thing is None:
        data = rulesets.describe_ruleset(library, ruleset)
        heads, rows = ["", "id", "title", "from"], _things(data)
    else:
        data = rulesets.show(library, ruleset, thing)
        heads, rows = _table(data)
    tables = [(heads, rows)]
    if ruleset is None and form != "csv":
        tables.append((["", "id", "title", "rule set"], [[*item.values()] for item in data["finished"]]))
    print_answer(data, form, lambda _, *shape: "\n\n".join(table(*part, *shape) for part in tables))
    if problems and form != "json":
        print_problems(problems)
    if problems:
        click.get_current_context().exit(PROBLEMS)


def _things(data: dict[str, Any]) -> list[list[str]]:
    """Return the rows for the contents of a rule set.

    An id that several things share is preceded by its folder, such as ``tables/``, as ``fieldpress rules`` then needs.
    """
    shown = ("table", "kind", "procedure")
    ids = Counter(name[what] for what in shown for name in data[f"{what}s"])
    return [
        [
            what,
            f"{what}s/{name[what]}" if what in shown and ids[name[what]] > 1 else name[what],
            name["title"],
            name["from"],
        ]
        for what in (*shown, "sheet", "sample", "battle")
        for name in data[f"{what}s"]
    ]


def _table(data: dict[str, Any]) -> tuple[list[str], list[list[str]]]:
    """Return the heads and rows of a table with its provenance, without empty columns of the provenance."""
    heads = [*data["columns"], "cite", "status", "raw", "note"]
    rows = [[row[head] for head in heads] for row in data["rows"]]
    used = [i for i, head in enumerate(heads) if head in data["columns"] or any(row[i] for row in rows)]
    return [heads[i] for i in used], [[row[i] for i in used] for row in rows]
