"""``fieldpress doctor``."""

from __future__ import annotations

from pathlib import Path

import click

from generator.cli.options import CANNOT_RENDER, format_option, guarded, out_option, print_json


@click.command()
@out_option("output")
@format_option("text", "json")
@click.pass_context
@guarded
def doctor(context: click.Context, *, out: Path, form: str) -> None:
    """Check everything that printing needs, and show how to get what is missing.

    Exits with an error code if printing is not possible.
    """
    from generator.doctor import can_make_pdfs, examine

    checks = examine(out)
    if form == "json":
        print_json({"checks": [{"check": item.check, "ok": item.ok, **item._asdict()} for item in checks]})
    else:
        for check in checks:
            click.echo(f"{'ok     ' if check.ok else 'MISSING'}  {check.check}: {check.found}")
            if not check.ok:
                click.echo("\n".join(f"         {line}" for line in check.hint.splitlines()))
    if not can_make_pdfs(checks):
        context.exit(CANNOT_RENDER)
