"""``fieldpress scenario``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from generator.cli.options import guarded, library, rules_path_option, settings_options
from generator.cli.values import Named, Number, Word, once

if TYPE_CHECKING:
    from pathlib import Path

MAX_SEED = 10**18


@click.command()
@click.argument("ruleset", type=Word("a rule set; fieldpress rules lists them"))
@once("--points", type=Number(1), metavar="N", help="What the stronger side may spend.")
@once("--size", type=Number(1, such_as=12), metavar="N", help="How many figures or squads, in a game without points.")
@once(
    "--seed",
    type=Number(0, MAX_SEED, 7),
    default=1,
    show_default=True,
    metavar="N",
    help="What it is rolled from.",
)
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
@click.option(
    "--side-force",
    "forces",
    multiple=True,
    type=Named("the file of a force"),
    metavar="FILE",
    help="A force of yours to choose units from; said twice, the first attacks.",
)
@once(
    "--pin",
    type=(Word("parts of a scenario"), Named("the file of a scenario")),
    instead="name all its parts in one, such as --pin map,forces FILE",
    metavar="PARTS FILE",
    help="Keep parts of a scenario, such as map,forces, and roll the rest: mission, forces, map, deployment.",
)
@rules_path_option
@settings_options
@click.pass_context
@guarded
def scenario(context: click.Context, /, *, ruleset: str, rules_path: tuple[Path, ...], **options: Any) -> None:
    """Roll a scenario: print a file to check, to change and to build.

    The same seed and data give the same scenario.
    """
    from generator.commands.generation import ScenarioOptions, set_up

    forces: tuple[Path, ...] = options["forces"]
    if len(forces) > 2:  # noqa: PLR2004 - the attacker and the defender
        message = "a scenario that is rolled has two sides: give --side-force at most twice"
        raise click.UsageError(message)
    rulesets = library(context, rules_path, options.pop("settings"), options.pop("set_"))
    text, notes = set_up(rulesets, ruleset).roll(ScenarioOptions(**options))
    click.echo(text, nl=False)
    for item in notes:
        click.echo(f"Note: {item.what}: {item.found}\n  help: {item.hint}", err=True)
