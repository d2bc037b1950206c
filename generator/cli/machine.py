"""Commands about this machine: ``fieldpress doctor`` and ``fieldpress cache``."""

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


_MEGABYTE = 1_000_000


@click.command()
@click.option("--clear", is_flag=True, help="Delete the PDFs in it.")
@guarded
def cache(*, clear: bool) -> None:
    """Show where finished PDFs are kept for the next build, and how much room they take."""
    from generator.render.pdf_cache import open_cache

    pdf_cache = open_cache()
    if pdf_cache is None:
        click.echo("There is no cache: FIELDPRESS_CACHE is off.")
        return
    if pdf_cache.folder.exists() and not pdf_cache.is_private():
        click.echo(f"{pdf_cache.folder} is not used: it must be your own folder, and nobody else may write into it.")
        return
    entries = pdf_cache.entries()
    size = sum(entry.size for entry in entries) / _MEGABYTE
    if clear:
        pdf_cache.clear()
    click.echo(f"{pdf_cache.folder}: {len(entries)} files, {size:.1f} MB{', deleted' if clear else ''}")
