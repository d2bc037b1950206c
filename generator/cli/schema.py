"""``fieldpress schema``."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from generator.cli.options import guarded, library, print_json, rules_path_option
from generator.cli.values import Word

if TYPE_CHECKING:
    from pathlib import Path


@click.command()
@click.argument("ruleset", type=Word("a rule set; fieldpress rules lists them"))
@click.option("--scenario", is_flag=True, help="Print the schema of scenario files.")
@rules_path_option
@click.pass_context
@guarded
def schema(context: click.Context, *, ruleset: str, scenario: bool, rules_path: tuple[Path, ...]) -> None:
    """Print the JSON Schema of a rule set's force files, or of its scenario files.

    An editor that knows it completes fields and marks what is wrong while you write.
    """
    from generator.commands import forces, scenarios

    what = scenarios.schema if scenario else forces.schema
    print_json(what(library(context, rules_path), ruleset))
