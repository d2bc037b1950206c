"""``fieldpress cost``."""

from __future__ import annotations

from pathlib import Path

import click

from generator.cli.options import FORCE, exit_if_errors, format_option, print_answer, with_settings
from generator.rules.source.library import Library


@click.command()
@click.argument("forces", nargs=-1, required=True, type=FORCE, metavar="FORCE...")
@format_option("text", "markdown", "csv", "json")
@with_settings
def cost(rulesets: Library, *, forces: tuple[Path, ...], form: str) -> None:
    """Price a force file, line by line, with its working, capacity and limits.

    Several files are set side by side, with what each spends on every kind of thing.
    """
    from generator.commands import forces as commands
    from generator.reporting.forces import compared_text, cost_text
    from generator.reporting.problems import problems_text

    data, problems = commands.cost(rulesets, forces)
    print_answer(data, form, cost_text if len(forces) == 1 else compared_text)
    if problems and form != "json":
        click.echo(f"\n{problems_text(problems)}", err=form == "csv")
    exit_if_errors(problems)
