"""``fieldpress templates``."""

from __future__ import annotations

import click


@click.command()
def templates() -> None:
    """List the pieces of a book that a template of your own may replace, with their values.

    fieldpress check BOOK checks the templates of a book.
    """
    from generator.render.own_templates import PIECES
    from generator.reporting.tables import table

    rows = [[name, ", ".join(piece.values), piece.needed] for name, piece in PIECES.items()]
    click.echo(table(("Piece", "Values", "Must print"), rows, "text"))
