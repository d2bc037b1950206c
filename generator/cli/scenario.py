"""``fieldpress scenario``."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from generator.cli.options import guarded, library, rules_path_option, settings_options

MAX_SEED = 10**18


@click.command()
@click.argument("ruleset")
@click.option("--points", type=click.IntRange(min=1), metavar="N", help="What the stronger side may spend.")
@click.option(
    "--size", type=click.IntRange(min=1), metavar="N", help="How many figures or squads, in a game without points."
)
@click.option(
    "--seed",
    type=click.IntRange(0, MAX_SEED),
    default=1,
    show_default=True,
    metavar="N",
    help="What it is rolled from.",
)
@click.option("--mission", metavar="ID", help="This mission; fieldpress rules RULESET missions lists them.")
@click.option(
    "--side-force",
    "forces",
    multiple=True,
    type=Path,
    metavar="FILE",
    help="A force of yours to choose units from; said twice, the first attacks.",
)
@click.option(
    "--pin",
    type=(str, Path),
    metavar="PARTS FILE",
    help="Keep parts of a scenario, such as map,forces, and roll the rest: mission, forces, map, deployment.",
)
@rules_path_option
@settings_options
@click.pass_context
@guarded
def scenario(context: click.Context, /, *, ruleset: str, rules_path: tuple[Path, ...], **asked: Any) -> None:
    """Roll a scenario: print a file to check, to change and to build.

    The same seed and data give the same scenario.
    """
    from generator.pipeline.generation import Wanted, generate

    forces: tuple[Path, ...] = asked["forces"]
    if len(forces) > 2:  # noqa: PLR2004 - the attacker and the defender
        message = "a scenario that is rolled has two sides: give --side-force at most twice"
        raise click.UsageError(message)
    wanted = Wanted(asked["seed"], asked["points"], asked["size"], asked["mission"], forces, asked["pin"])
    found = library(context, rules_path, asked["settings"], asked["set_"])
    click.echo(generate(found, ruleset, wanted), nl=False)
