"""``fieldpress cost``."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from generator.cli.options import (
    PROBLEMS,
    format_option,
    guarded,
    library,
    line_width,
    print_json,
    rules_path_option,
    settings_options,
)
from generator.cli.values import Named

if TYPE_CHECKING:
    from pathlib import Path


@click.command()
@click.argument("forces", nargs=-1, required=True, type=Named("the file of a force"), metavar="FORCE...")
@format_option("text", "markdown", "csv", "json")
@rules_path_option
@settings_options
@click.pass_context
@guarded
def cost(
    context: click.Context,
    *,
    forces: tuple[Path, ...],
    form: str,
    rules_path: tuple[Path, ...],
    settings: Path | None,
    set_: tuple[str, ...],
) -> None:
    """Price a force file, line by line, with its working, capacity and limits.

    Several files are set side by side, with what each spends on every kind of thing.
    """
    from generator.commands import forces as commands
    from generator.problems import has_errors

    data, problems = commands.cost(library(context, rules_path, settings, set_), forces)
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
        context.exit(PROBLEMS)
