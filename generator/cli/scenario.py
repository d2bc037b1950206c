"""``fieldpress scenario``."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from generator.cli.options import guarded, library, rules_path_option, settings_options

MAX_SEED = 10**18


class Number(click.ParamType):  # type: ignore[type-arg] # no parameters in click 8.2
    """A whole number as people write it: 3000 or 3,000."""

    name = "number"

    def __init__(self, least: int, most: int | None = None, such_as: int = 3000) -> None:
        """From the least to the most, both included."""
        self.least = least
        self.such_as = such_as
        self.most = most

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:
        """The number; a usage error for anything else."""
        if isinstance(value, int):
            return value
        word = str(value).replace(",", "")
        if not (word.lstrip("-").isdecimal() and word.isascii()):
            self.fail(f"{value!r} is no whole number, such as {self.such_as}.", param, ctx)
        number = int(word)
        if number < self.least:
            self.fail(f"{value} is less than {self.least}.", param, ctx)
        if self.most is not None and number > self.most:
            self.fail(f"{value} is more than {self.most:,}.", param, ctx)
        return number


@click.command()
@click.argument("ruleset")
@click.option("--points", type=Number(1), metavar="N", help="What the stronger side may spend.")
@click.option(
    "--size", type=Number(1, such_as=12), metavar="N", help="How many figures or squads, in a game without points."
)
@click.option(
    "--seed",
    type=Number(0, MAX_SEED, 7),
    default=1,
    show_default=True,
    metavar="N",
    help="What it is rolled from.",
)
@click.option("--mission", metavar="ID", help="This mission; fieldpress rules RULESET missions lists them.")
@click.option(
    "--map", "region", metavar="ID", help="A map of this region; fieldpress rules RULESET regions lists them."
)
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
    from generator.pipeline.generation import Wanted, set_up

    forces: tuple[Path, ...] = asked["forces"]
    if len(forces) > 2:  # noqa: PLR2004 - the attacker and the defender
        message = "a scenario that is rolled has two sides: give --side-force at most twice"
        raise click.UsageError(message)
    found = library(context, rules_path, asked.pop("settings"), asked.pop("set_"))
    text, worse = set_up(found, ruleset).rolled(Wanted(**asked))
    click.echo(text, nl=False)
    for one in worse:
        click.echo(f"Note: {one.what}: {one.found}\n  help: {one.hint}", err=True)
