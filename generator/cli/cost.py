"""``fieldpress cost``."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from generator.cli.options import PROBLEMS, format_option, line_width, print_json, with_settings
from generator.cli.values import Named

if TYPE_CHECKING:
    from pathlib import Path

    from generator.rules.source.library import Library


@click.command()
@click.argument("forces", nargs=-1, required=True, type=Named("the file of a force"), metavar="FORCE...")
@format_option("text", "markdown", "csv", "json")
@with_settings
def cost(rulesets: Library, *, forces: tuple[Path, ...], form: str) -> None:
    """Price a force file, line by line, with its working, capacity and limits.

    Several files are set side by side, with what each spends on every kind of thing.
    """
    from generator.commands import forces as commands
    from generator.problems import has_errors

    data, problems = commands.cost(rulesets, forces)
    if form == "json":
        print_json(data)
    else:
        from generator.reporting.forces import compared_text, cost_text
        from generator.reporting.problems import problems_text

        write = cost_text if len(forces) == 1 else compared_text
        click.echo(write(data, form, line_width()))  # type: ignore[arg-type] # one of the format option's choices
        if problems:
            click.echo(f"\n{problems_text(problems)}", err=form == "csv")
    if has_errors(problems):
        click.get_current_context().exit(PROBLEMS)
