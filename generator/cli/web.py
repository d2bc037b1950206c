"""``fieldpress web``."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from generator.cli.options import RULESET, Named, once, out_option, print_problems, with_settings
from generator.cli.progress import Progress
from generator.rules.source.library import Library


@click.command()
@click.argument("what", nargs=-1, required=True, type=RULESET, metavar="RULESET...")
@out_option("output/web")
@click.option("--single", is_flag=True, help="One file for each rule set, to send to a phone.")
@once("--texts", type=Named("a folder with Markdown files"), help="Add the Markdown files of a folder as pages.")
@click.option("--quiet", is_flag=True, help="No progress, no address.")
@with_settings
def web(rulesets: Library, *, what: tuple[str, ...], out: Path, single: bool, texts: Path | None, quiet: bool) -> None:
    """Write rule sets (or all) as pages for a screen, which need no network.

    The pages have every sheet, a search, the whole distribution behind each odds cell, and forces to change.
    """
    from generator.commands.web import build_site

    if single and texts:
        raise click.UsageError("--texts is for a folder of pages: leave out --single.")
    with Progress(shown=not quiet and sys.stderr.isatty()) as bar:
        starts, problems = build_site(rulesets, what, out, bar, single=single, texts=texts)
    for start in () if quiet else starts:
        click.echo(start)
    if problems:
        print_problems(problems)
