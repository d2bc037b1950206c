"""``fieldpress scenario``."""

from __future__ import annotations

from typing import Any

import click

from generator.cli.options import FORCE, RULESET, Named, Number, Word, once, with_settings
from generator.rules.source.library import Library

MAX_SEED = 10**18


@click.command()
@click.argument("ruleset", type=RULESET)
@once("--points", type=Number(1), metavar="N", help="The points of the stronger side.")
@once(
    "--size", type=Number(1, such_as=12), metavar="N", help="The number of figures or squads, in a game without points."
)
@once("--seed", type=Number(0, MAX_SEED, 7), default=1, show_default=True, metavar="N", help="The seed of the dice.")
@once(
    "--mission",
    type=Word("a mission"),
    metavar="ID",
    help="This mission; fieldpress rules RULESET missions lists them.",
)
@once(
    "--map",
    "region",
    type=Word("a region"),
    metavar="ID",
    help="A map of this region; fieldpress rules RULESET regions lists them.",
)
@once(
    "--terrain",
    type=Named("the file of your terrain"),
    metavar="FILE",
    help="Lay only the pieces of terrain that you own, as this file lists them.",
)
@click.option(
    "--side-force",
    "forces",
    multiple=True,
    type=FORCE,
    metavar="FILE",
    help="A force to choose units from; if given twice, the first attacks.",
)
@once(
    "--pin",
    type=(Word("parts of a scenario"), Named("the file of a scenario")),
    instead="name all its parts in one, such as --pin map,forces FILE",
    metavar="PARTS FILE",
    help="Keep parts of a scenario (mission, forces, map, deployment), and roll the rest.",
)
@with_settings
def scenario(rulesets: Library, /, *, ruleset: str, **options: Any) -> None:
    """Roll a scenario: print a file to check, to change and to build.

    The same seed and data give the same scenario.
    """
    from generator.commands.scenarios import ScenarioOptions, set_up

    if len(options["forces"]) > 2:  # noqa: PLR2004 - the attacker and the defender
        raise click.UsageError("a rolled scenario has two sides: give --side-force at most twice")
    text, notes = set_up(rulesets, ruleset).roll(ScenarioOptions(**options))
    click.echo(text, nl=False)
    for item in notes:
        click.echo(f"Note: {item.what}: {item.found}\n  help: {item.hint}", err=True)
