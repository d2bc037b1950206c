"""Commands for translators and authors: ``fieldpress words`` and ``fieldpress templates``."""

from __future__ import annotations

import click

from generator.cli.options import RULESET, Word, once, with_library
from generator.rules.source.library import Library


@click.command()
@click.argument("names", nargs=-1, required=True, type=RULESET, metavar="NAME...")
@once("--language", required=True, type=Word("the tag of a language"), metavar="TAG", help="Such as de.")
@with_library
def words(rulesets: Library, *, names: tuple[str, ...], language: str) -> None:
    """Print a catalogue of the texts of rule sets and battles.

    Fill in the empty entries, and save the catalogue as words/LANGUAGE.po in the folder of the rule set.
    """
    from generator.commands.languages import catalogue
    from generator.commands.printing import jobs_of

    click.echo(catalogue(rulesets, names, language, lambda wanted: jobs_of(rulesets, names, wanted)), nl=False)


@click.command()
def templates() -> None:
    """List the pieces of a book that a template of your own may replace, with their values.

    fieldpress check BOOK checks the templates of a book.
    """
    from generator.render.own_templates import PIECES
    from generator.reporting.tables import table

    rows = [[name, ", ".join(piece.values), piece.needed] for name, piece in PIECES.items()]
    click.echo(table(("Piece", "Values", "Must print"), rows, "text"))
