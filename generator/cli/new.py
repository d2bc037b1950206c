"""``fieldpress new``."""

from __future__ import annotations

from pathlib import Path

import click

from generator.cli.options import guarded, library, rules_path_option


@click.command()
@click.argument("folder", type=Path, metavar="DIR")
@click.argument("ruleset")
@rules_path_option
@click.pass_context
@guarded
def new(context: click.Context, *, folder: Path, ruleset: str, rules_path: tuple[Path, ...]) -> None:
    """Make a folder with a first force to change, and an editor's help for it.

    Nothing that is there already is written over.
    """
    from generator.pipeline import forces

    for path in forces.new(library(context, rules_path), ruleset, folder):
        click.echo(str(path))
