"""Options that several commands share, and the printing of their results and failures."""

from __future__ import annotations

import errno
import functools
import os
import shutil
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn, ParamSpec

import click

from generator.cli.values import Named, OneOf, Word, once
from generator.errors import FieldpressError, ProblemsError, RenderError
from generator.problems import Problem, Span, has_errors

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from generator.rules.source.library import Library
    from generator.rules.source.settings import Settings

P = ParamSpec("P")

_FULL = frozenset(getattr(errno, item) for item in ("ENOSPC", "EDQUOT", "EFBIG") if hasattr(errno, item))
"""Error numbers for a full disk, an exceeded quota or a file that is too large, as far as the system has them."""

PROBLEMS = 1
CANNOT_RENDER = 3


rules_path_option = click.option(
    "--rules-path", multiple=True, type=Named("a folder"), metavar="DIR", help="A folder with rule sets of your own."
)
only_option = click.option(
    "--only", multiple=True, type=Word("a sheet"), metavar="SHEET", help="Only this sheet; may be repeated."
)
theme_option = once(
    "--theme", type=Word("a theme"), metavar="THEME", help="The look: sober, pulp, industrial, or a file."
)
_settings_option = once("--settings", type=Named("a file"), metavar="FILE", help="A file with options and answers.")
_set_option = click.option(
    "--set", "set_", multiple=True, metavar="NAME=VALUE", help="Set an option of the rule set; may be repeated."
)


def settings_options(function: Callable[..., Any]) -> Callable[..., Any]:
    """Add ``--set`` and ``--settings``."""
    return _set_option(_settings_option(function))


def settings_of(settings: Path | None, set_: tuple[str, ...]) -> Settings:
    """Return the player's settings: those of the file, overridden by those of the command line."""
    from generator.rules.source.settings import Settings, read_settings, settings_of_words

    read = read_settings(settings) if settings is not None else Settings()
    return read | settings_of_words(set_) if set_ else read


def format_option(*forms: str) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Add ``--format``; the first form is the default."""
    return once(
        "--format", "form", type=OneOf(*forms), default=forms[0], show_default=True, help="The format of the output."
    )


def out_option(default: str) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Add ``--out``, the folder to write in."""
    folder, about = Named("a folder, or leave --out out"), "The folder to write in."
    return once("--out", type=folder, default=Path(default), show_default=True, help=about)


def folders(rules_path: tuple[Path, ...]) -> tuple[Path, ...]:
    """Return the folders with the user's rule sets, in the order of the search.

    These are the folders of ``--rules-path``, folders beside the files that the command names, folders in
    ``FIELDPRESS_RULES``, and the folder ``rules`` of the user's configuration.
    """
    from generator.rules.source.library import beside

    context = click.get_current_context()
    variable = (Path(name) for name in os.environ.get("FIELDPRESS_RULES", "").split(os.pathsep) if name)
    arguments = (
        context.params[known.name or ""] for known in context.command.params if isinstance(known, click.Argument)
    )
    files = (Path(word) for words in arguments for word in (words if isinstance(words, tuple) else (words,)) if word)
    own = Path(click.get_app_dir("fieldpress")) / "rules"
    return (*context.obj, *rules_path, *beside(files), *variable, *beside([own]))


def with_library(function: Callable[..., None]) -> Callable[..., Any]:
    """Add ``--rules-path``; pass the available rule sets to the command as its first argument.

    Problems and errors become messages and exit codes, as with ``guarded``.
    """

    @functools.wraps(function)
    def run(
        rules_path: tuple[Path, ...], settings: Path | None = None, set_: tuple[str, ...] = (), **arguments: Any
    ) -> None:
        function(library(rules_path, settings, set_), **arguments)

    return rules_path_option(guarded(run))


def with_settings(function: Callable[..., None]) -> Callable[..., Any]:
    """Add ``--settings`` and ``--set`` to what ``with_library`` adds; the rule sets then have these settings."""
    return with_library(settings_options(function))


def library(rules_path: tuple[Path, ...], settings: Path | None = None, set_: tuple[str, ...] = ()) -> Library:
    """Return the available rule sets with the player's settings. Raises ProblemsError: R301 settings of no rule set."""
    from generator.commands.access import open_library
    from generator.rules.source.settings import unknown_rulesets

    rulesets = open_library(*folders(rules_path), settings=settings_of(settings, set_))
    unknown = unknown_rulesets(rulesets.settings, rulesets.ids())
    if unknown:
        raise ProblemsError(*unknown)
    return rulesets


def guarded(function: Callable[P, None]) -> Callable[P, None]:
    """Wrap a command: turn problems, failed pages and OS errors into messages and exit codes, never a traceback."""

    @functools.wraps(function)
    def run(*args: P.args, **kwargs: P.kwargs) -> None:
        form = str(kwargs.get("form", "text"))
        try:
            function(*args, **kwargs)
        except ProblemsError as error:
            fail(error.problems, form)
        except RenderError as error:
            of_machine = Problem("F132", Span("output"), "a page that can be printed", f"an error: {error}")
            fail([error.problem or of_machine], form, CANNOT_RENDER)
        except FieldpressError as error:  # no command has turned it into a problem
            place = getattr(error, "place", None)
            span = place.span() if place is not None else Span("command line")
            fail([Problem("R241", span, "an answer", str(error), hint="report this as an error of fieldpress")], form)
        except BrokenPipeError:
            # The reader has closed the pipe (``| head``): discard the rest of the buffer.
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            click.get_current_context().exit(0)
        except OSError as error:
            fail(out_of_reach(error), form)

    return run


def out_of_reach(error: OSError) -> tuple[Problem]:
    """Return F131 for a disk without room for a file, or F130 for any other error of a file or folder."""
    reason = (error.strerror or str(error)).lower()
    if error.errno in _FULL:
        span = Span(str(error.filename or "output"))
        hint = "free space on its disk and in the folder for temporary files"
        return (Problem("F131", span, "free space for the file", reason, hint=hint),)
    hint = "check its name, its permissions and its folder"
    span = Span(str(error.filename or "command line"))
    return (Problem("F130", span, "a file or folder that can be used", reason, hint=hint),)


def fail(problems: Iterable[Problem], form: str, code: int = PROBLEMS) -> NoReturn:
    """Print the problems of a command without a result, and exit."""
    print_problems(problems, form)
    click.get_current_context().exit(code)


def print_problems(problems: Iterable[Problem], form: str = "text", *, err: bool = True) -> None:
    """Print problems: as JSON on standard output, or as text, which goes to standard error unless ``err`` is false."""
    from generator.reporting.problems import problem_data, problems_text

    if form == "json":
        print_json({"problems": [problem_data(problem) for problem in problems]})
    else:
        click.echo(problems_text(problems), err=err)


def line_width() -> int | None:
    """Return the width of the terminal in characters; None if the output is not a terminal."""
    return shutil.get_terminal_size().columns if sys.stdout.isatty() else None


def print_answer(data: Any, form: str, text: Callable[[Any, Any, int | None], str]) -> None:
    """Print the answer of a command as JSON, or as the text that ``text`` returns for the data, form and width."""
    print_json(data) if form == "json" else click.echo(text(data, form, line_width()))


def exit_if_errors(problems: Sequence[Problem]) -> None:
    """End the command with the exit code for problems, if any of them is more than advice."""
    if has_errors(problems):
        click.get_current_context().exit(PROBLEMS)


def print_json(data: object) -> None:
    """Print data as JSON on standard output."""
    from generator.reporting.tables import to_json

    click.echo(to_json(data))
