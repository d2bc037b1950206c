"""``fieldpress schema``."""

from __future__ import annotations

import click

from generator.cli.options import RULESET, print_json, with_library
from generator.rules.source.library import Library


@click.command()
@click.argument("ruleset", type=RULESET)
@click.option("--scenario", is_flag=True, help="Print the schema of scenario files.")
@with_library
def schema(rulesets: Library, *, ruleset: str, scenario: bool) -> None:
    """Print the JSON Schema of a rule set's force files, or of its scenario files.

    An editor that knows it completes fields and marks what is wrong while you write.
    """
    from generator.commands import forces, scenarios

    what = scenarios.schema if scenario else forces.schema
    print_json(what(rulesets, ruleset))
