"""Commands about files of players: ``fieldpress new``, ``cost``, ``convert``, ``schema`` and ``scenario``."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from generator.cli.options import (
    FORCE,
    RULESET,
    Named,
    Number,
    Word,
    exit_if_errors,
    format_option,
    once,
    print_answer,
    print_json,
    with_library,
    with_settings,
)
from generator.rules.source.library import Library


@click.command()
@click.argument("folder", type=Named("a folder for the new files"), metavar="DIR")
@click.argument("ruleset", required=False, type=RULESET)
@once(
    "--sample",
    type=Word("a sample"),
    metavar="NAME",
    help="Begin with a copy of this sample; fieldpress rules RULESET lists them.",
)
@once(
    "--battle",
    type=Word("a finished battle"),
    metavar="ID",
    help="Copy this finished battle instead, with its own rules.",
)
@with_library
def new(rulesets: Library, *, folder: Path, ruleset: str | None, sample: str | None, battle: str | None) -> None:
    """Make a folder with a first force to change, and an editor's help for it.

    With --battle it has a finished battle instead, and RULESET is left out. What is there already is not written over.
    """
    if battle is None and ruleset is None:
        raise click.UsageError("Missing argument 'RULESET'; or name a battle: --battle ID.")
    if battle is not None and (ruleset is not None or sample is not None):
        raise click.UsageError("A battle has its own rules and forces: give only --battle.")
    if battle is not None:
        from generator.commands.scenarios import new_battle

        paths = new_battle(rulesets, battle, folder)
    else:
        from generator.commands import forces

        paths = forces.new(rulesets, str(ruleset), folder, sample)
    for path in paths:
        click.echo(str(path))


@click.command()
@click.argument("forces", nargs=-1, required=True, type=FORCE, metavar="FORCE...")
@format_option("text", "markdown", "csv", "json")
@with_settings
def cost(rulesets: Library, *, forces: tuple[Path, ...], form: str) -> None:
    """Price a force file, line by line, with its working, capacity and limits.

    Several files are set side by side, with what each spends on every kind of thing.
    """
    from generator.commands import forces as commands
    from generator.reporting.forces import compared_text, cost_text
    from generator.reporting.problems import problems_text

    data, problems = commands.cost(rulesets, forces)
    print_answer(data, form, cost_text if len(forces) == 1 else compared_text)
    if problems and form != "json":
        click.echo(f"\n{problems_text(problems)}", err=form == "csv")
    exit_if_errors(problems)


@click.command()
@click.argument("source", type=FORCE, metavar="FORCE")
@click.argument("target", type=Named("the new file, NEW.csv, NEW.xlsx, NEW.qr or NEW.yaml"), metavar="NEW")
@with_settings
def convert(rulesets: Library, *, source: Path, target: Path) -> None:
    """Write a force as a spreadsheet (NEW.csv, NEW.xlsx), a line to send (NEW.qr), or YAML (NEW.yaml).

    Designs of libraries are written out with it; what is a default is left out.
    """
    from generator.commands import forces
    from generator.reporting.problems import problems_in_short

    problems = forces.convert(rulesets, source, target)
    click.echo(str(target))
    if problems:
        click.echo(problems_in_short(forces.reading_problems(problems), problems), err=True)


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
