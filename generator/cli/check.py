"""``fieldpress check`` and ``fieldpress explain``."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from generator.cli.options import (
    Progress,
    Word,
    exit_if_errors,
    folders,
    format_option,
    guarded,
    print_problems,
    rules_path_option,
    settings_of,
    settings_options,
    with_library,
)
from generator.rules.source.library import Library


@click.command()
@click.argument(
    "targets", nargs=-1, required=True, type=Word("the file of a force or scenario, or a rule set"), metavar="FILE..."
)
@format_option("text", "json")
@rules_path_option
@settings_options
@guarded
def check(
    *,
    targets: tuple[str, ...],
    form: str,
    rules_path: tuple[Path, ...],
    settings: Path | None,
    set_: tuple[str, ...],
) -> None:
    """Find every problem in a force, a scenario or rule data.

    Name a force or scenario file, or a rule set, its folder or one of its files. Nothing is written.
    """
    from generator.commands import checks

    with Progress(shown=sys.stderr.isatty(), after=1) as bar:
        problems = checks.check(folders(rules_path), targets, settings_of(settings, set_), bar)
    print_problems(problems, form, err=False)
    exit_if_errors(problems)


@click.command()
@click.argument("code", type=Word("a problem code, such as F203"))
@with_library
def explain(rulesets: Library, *, code: str) -> None:
    """Say what a problem code means, with an example and its fix."""
    from generator.commands import rulesets as commands

    click.echo(commands.explain(rulesets, code))
