"""``fieldpress convert``."""

from __future__ import annotations

from pathlib import Path

import click

from generator.cli.options import FORCE, Named, with_settings
from generator.rules.source.library import Library


@click.command()
@click.argument("source", type=FORCE, metavar="FORCE")
@click.argument("target", type=Named("the new file, NEW.csv, NEW.xlsx, NEW.qr or NEW.yaml"), metavar="NEW")
@with_settings
def convert(rulesets: Library, *, source: Path, target: Path) -> None:
    """Write a force as a spreadsheet (NEW.csv, NEW.xlsx), a line to send (NEW.qr), or YAML (NEW.yaml).

    Designs of libraries are written out with it; what is a default is left out.
    """
    from generator.commands import forces
    from generator.reporting.problems import problems_in_short

    problems = forces.convert(rulesets, source, target)
    click.echo(str(target))
    if problems:
        click.echo(problems_in_short(forces.reading_problems(problems), problems), err=True)
