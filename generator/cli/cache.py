"""``fieldpress cache``."""

from __future__ import annotations

import click

from generator.cli.options import guarded

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
