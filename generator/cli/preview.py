"""``fieldpress preview``."""

from __future__ import annotations

import functools
from typing import Any

import click

from generator.cli.options import Number, OneOf, Word, once, only_option, theme_option, with_settings
from generator.rules.source.library import Library


@click.command()
@click.argument(
    "what",
    nargs=-1,
    required=True,
    type=Word("what fieldpress build can print, such as the file of a force"),
    metavar="WHAT...",
)
@once("--paper", type=OneOf("a4", "letter"), default="a4", show_default=True, help="The paper.")
@once("--ink", type=OneOf("colour", "mono", "low"), default="colour", show_default=True, help="The ink.")
@only_option
@theme_option
@once("--port", type=Number(1, 65535, 8000), metavar="PORT", help="The port to serve on instead of a free one.")
@with_settings
def preview(rulesets: Library, *, what: tuple[str, ...], port: int | None, **options: Any) -> None:
    """Serve the pages of a build as pictures on this machine, and print the address.

    Rebuild them after each change of a file, until Ctrl-C.
    """
    from generator.commands.jobs import Selection
    from generator.commands.preview import Preview, changes
    from generator.commands.printer import Workers
    from generator.commands.printing import build

    make = functools.partial(
        build, rulesets, what, papers=(options["paper"],), inks=(options["ink"],),
        selection=Selection(options["only"]), theme=options["theme"] or "", workers=Workers(1),
    )  # fmt: skip
    pages = Preview(make, port or 0)
    for number, _ in enumerate(changes(rulesets, what)):
        shown = pages.rebuild()
        if not number:
            click.echo(f"Open {pages.address} in a browser. Ctrl-C stops.")
        state = "has problems" if shown.stale else f"{len(shown.pages)} page{'s' if len(shown.pages) != 1 else ''}"
        click.echo(f"{state}  {shown.seconds:.1f} s")
        if shown.problems:
            click.echo(shown.problems, err=True)
