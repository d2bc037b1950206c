"""``fieldpress new``."""

from __future__ import annotations

from pathlib import Path

import click

from generator.cli.options import guarded, library, rules_path_option


@click.command()
@click.argument("folder", type=Path, metavar="DIR")
@click.argument("ruleset")
@click.option("--sample", metavar="NAME", help="Begin with a copy of this sample; fieldpress rules RULESET lists them.")
@rules_path_option
@click.pass_context
@guarded
def new(
    context: click.Context, *, folder: Path, ruleset: str, sample: str | None, rules_path: tuple[Path, ...]
) -> None:
    """Make a folder with a first force to change, and an editor's help for it.

    Nothing that is there already is written over.
    """
    from generator.pipeline import forces

    for path in forces.new(library(context, rules_path), ruleset, folder, sample):
        click.echo(str(path))
