"""Options that several commands share, and how their results and failures are printed."""

from __future__ import annotations

import functools
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn, ParamSpec

import click

from generator.errors import ProblemsError, RenderError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from generator.problems import Problem
    from generator.rules.library import Library

P = ParamSpec("P")

PROBLEMS = 1
CANNOT_RENDER = 3


@dataclass(frozen=True, slots=True)
class Settings:
    """What was said before the command."""

    rules_path: tuple[Path, ...] = ()


def rules_path_option(function: Callable[..., Any]) -> Callable[..., Any]:
    """Add ``--rules-path``."""
    return click.option(
        "--rules-path", multiple=True, type=Path, metavar="DIR", help="A folder with rule sets of your own."
    )(function)


def format_option(*forms: str) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Add ``--format``; the first form is the default."""
    return click.option(
        "--format", "form", type=click.Choice(forms), default=forms[0], show_default=True, help="How to print it."
    )


def folders(context: click.Context, rules_path: tuple[Path, ...]) -> tuple[Path, ...]:
    """The user's rule folders, named before or after the command."""
    return (*context.obj.rules_path, *rules_path)


def library(context: click.Context, rules_path: tuple[Path, ...]) -> Library:
    """The rule sets in reach."""
    from generator.rules.library import open_library

    return open_library(*folders(context, rules_path))


def guarded(function: Callable[P, None]) -> Callable[P, None]:
    """Turn problems and failed pages into messages and exit codes, never a traceback."""

    @functools.wraps(function)
    def run(*args: P.args, **kwargs: P.kwargs) -> None:
        form = str(kwargs.get("form", "text"))
        try:
            function(*args, **kwargs)
        except ProblemsError as error:
            fail(error.problems, form)
        except RenderError as error:
            click.echo(f"fieldpress: {error}", err=True)
            click.get_current_context().exit(CANNOT_RENDER)

    return run


def fail(problems: Iterable[Problem], form: str) -> NoReturn:
    """Print problems that leave no result, and exit with 1."""
    from generator.reporting.problems import problem_data, problems_text

    if form == "json":
        print_json({"problems": [problem_data(problem) for problem in problems]})
    else:
        click.echo(problems_text(problems), err=True)
    click.get_current_context().exit(PROBLEMS)


def print_json(data: object) -> None:
    """Data on standard output, as JSON."""
    from generator.reporting.tables import to_json

    click.echo(to_json(data))
