"""``fieldpress web`` and ``fieldpress serve``."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from generator.cli.options import (
    RULESET,
    Named,
    Number,
    Progress,
    guarded,
    once,
    out_option,
    print_problems,
    with_settings,
)
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


@click.command()
@click.argument("folder", default="output/web", type=Named("the folder of a site"), metavar="[FOLDER]")
@once("--port", type=Number(1, 65535, 8000), metavar="PORT", default=8000, show_default=True, help="The port.")
@guarded
def serve(*, folder: Path, port: int) -> None:
    """Serve a site of fieldpress web to phones in the local network, until Ctrl-C.

    Only pages of the folder are served. Everybody in the network can read them.
    """
    from generator.commands.server import addresses, site_server

    server = site_server(folder, port)
    for who, address in addresses(port).items():
        click.echo(f"{address}  {who}")
    click.echo("Ctrl-C stops.")
    try:
        server.serve_forever()
    except KeyboardInterrupt:
        server.server_close()
