"""``fieldpress convert``."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from generator.cli.options import guarded, library, rules_path_option, settings_options
from generator.cli.values import Named

if TYPE_CHECKING:
    from pathlib import Path


@click.command()
@click.argument("source", type=Named("the file of a force"), metavar="FORCE")
@click.argument("target", type=Named("the new file, NEW.csv or NEW.yaml"), metavar="NEW")
@rules_path_option
@settings_options
@click.pass_context
@guarded
def convert(
    context: click.Context,
    *,
    source: Path,
    target: Path,
    rules_path: tuple[Path, ...],
    settings: Path | None,
    set_: tuple[str, ...],
) -> None:
    """Write a force as a spreadsheet (NEW.csv) or as YAML (NEW.yaml).

    Designs of libraries are written out with it; what is a default is left out.
    """
    from generator.commands import forces
    from generator.reporting.problems import problems_in_short

    problems = forces.convert(library(context, rules_path, settings, set_), source, target)
    click.echo(str(target))
    if problems:
        click.echo(problems_in_short(forces.reading_problems(problems), problems), err=True)
