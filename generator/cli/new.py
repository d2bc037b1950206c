"""``fieldpress new``."""

from __future__ import annotations

from pathlib import Path

import click

from generator.cli.options import RULESET, Named, Word, once, with_library
from generator.rules.source.library import Library


@click.command()
@click.argument("folder", type=Named("a folder for the new files"), metavar="DIR")
@click.argument("ruleset", required=False, type=RULESET)
@once(
    "--sample",
    type=Word("a sample"),
    metavar="NAME",
    help="Begin with a copy of this sample; fieldpress rules RULESET lists them.",
)
@once(
    "--battle",
    type=Word("a finished battle"),
    metavar="ID",
    help="Copy this finished battle instead, with its own rules.",
)
@with_library
def new(rulesets: Library, *, folder: Path, ruleset: str | None, sample: str | None, battle: str | None) -> None:
    """Make a folder with a first force to change, and an editor's help for it.

    With --battle it has a finished battle instead, and RULESET is left out. What is there already is not written over.
    """
    if battle is None and ruleset is None:
        raise click.UsageError("Missing argument 'RULESET'; or name a battle: --battle ID.")
    if battle is not None and (ruleset is not None or sample is not None):
        raise click.UsageError("A battle has its own rules and forces: give only --battle.")
    if battle is not None:
        from generator.commands.scenarios import new_battle

        paths = new_battle(rulesets, battle, folder)
    else:
        from generator.commands import forces

        paths = forces.new(rulesets, str(ruleset), folder, sample)
    for path in paths:
        click.echo(str(path))
