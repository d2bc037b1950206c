"""``fieldpress diff``."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import click

from generator.cli.options import (
    PROBLEMS,
    Word,
    folders,
    format_option,
    guarded,
    library,
    print_answer,
    rules_path_option,
)

if TYPE_CHECKING:
    from generator.commands.access import Data
    from generator.reporting.tables import Format

_OTHER = Word("two rule sets or two files of forces")


@click.command()
@click.argument("a", type=_OTHER)
@click.argument("b", type=_OTHER)
@format_option("text", "markdown", "csv", "json")
@rules_path_option
@guarded
def diff(*, a: str, b: str, form: str, rules_path: tuple[Path, ...]) -> None:
    """Show what rule set B changes in rule set A, or force B in force A.

    Name two force files to list designs and units of only one force, and fields and points that differ. Name two rule
    sets by id or folder to list rows, price lines, limits and steps that differ, with both citations and the reason. A
    table, kind or procedure of only one rule set is one difference.
    """
    from generator.commands import forces, rulesets
    from generator.commands.access import is_players

    are_forces = [is_players(Path(word)) for word in (a, b)]
    if any(are_forces):  # the other word is then also meant as a force
        data, problems = forces.diff(library(rules_path), Path(a), Path(b))
    else:
        data, problems = rulesets.diff(folders(rules_path), a, b), ()
    print_answer(data, form, partial(_text, of_forces=any(are_forces)))
    if problems:
        from generator.reporting.problems import problems_in_short

        unread = forces.reading_problems(problems)
        click.echo(f"\n{problems_in_short(unread, problems)}", err=True)
        if unread:
            click.get_current_context().exit(PROBLEMS)


def _text(data: Data, form: Format, width: int | None, *, of_forces: bool) -> str:
    """Return the differences as a table; for text about unrelated rule sets only their numbers."""
    from generator.reporting.tables import table

    if not data["changes"] and form == "text":
        return "No differences."
    if not data["related"] and form == "text" and not of_forces:
        a, b = data["a"], data["b"]
        rows = [[item["what"], item["only_a"], item["only_b"], item["both"]] for item in data["counts"]]
        numbers = table(["", f"only {a}", f"only {b}", "both, by id"], rows, form, width)
        head = f"{a} and {b} have no rule set in common: neither is based on the other."
        return f"{head}\n\n{numbers}\n\nTo list every row, use --format json, csv or markdown."
    heads = ["kind", "what", "from", "to"] + ([] if of_forces else ["reason", "cite"])
    return table(heads, [[item[head] for head in heads] for item in data["changes"]], form, width)
