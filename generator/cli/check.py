"""``fieldpress check`` and ``fieldpress explain``."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import click

from generator.cli.options import (
    PROBLEMS,
    folders,
    format_option,
    guarded,
    library,
    print_json,
    rules_path_option,
    settings_of,
    settings_options,
)
from generator.cli.progress import Progress
from generator.cli.values import Word

if TYPE_CHECKING:
    from pathlib import Path


@click.command()
@click.argument(
    "targets", nargs=-1, required=True, type=Word("the file of a force or scenario, or a rule set"), metavar="FILE..."
)
@format_option("text", "json")
@rules_path_option
@settings_options
@click.pass_context
@guarded
def check(
    context: click.Context,
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
    from generator.problems import has_errors
    from generator.reporting.problems import problem_data, problems_text

    with Progress(shown=sys.stderr.isatty(), after=1) as bar:
        problems = checks.check(folders(context, rules_path), targets, settings_of(settings, set_), bar)
    if form == "json":
        print_json({"problems": [problem_data(problem) for problem in problems]})
    else:
        click.echo(problems_text(problems))
    if has_errors(problems):
        context.exit(PROBLEMS)


@click.command()
@click.argument("code", type=Word("a problem code, such as F203"))
@rules_path_option
@click.pass_context
@guarded
def explain(context: click.Context, *, code: str, rules_path: tuple[Path, ...]) -> None:
    """Say what a problem code means, with an example and its fix."""
    from generator.commands import rulesets

    click.echo(rulesets.explain(library(context, rules_path), code))
