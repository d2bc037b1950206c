"""``fieldpress schema``."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from generator.cli.options import guarded, library, print_json, rules_path_option

if TYPE_CHECKING:
    from pathlib import Path


@click.command()
@click.argument("ruleset")
@rules_path_option
@click.pass_context
@guarded
def schema(context: click.Context, *, ruleset: str, rules_path: tuple[Path, ...]) -> None:
    """Print the JSON Schema of a rule set's force files.

    An editor that knows it completes fields and marks what is wrong while you write.
    """
    from generator.pipeline import forces

    print_json(forces.schema(library(context, rules_path), ruleset))
