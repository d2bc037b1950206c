"""Options and their types, the rule sets that commands use, and the printing of results and failures."""

from __future__ import annotations

import functools
import os
import re
import shutil
import sys
from collections.abc import Callable, Iterable, Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from time import monotonic
from typing import Any, NoReturn, TypeAlias

import click
from click.core import ParameterSource

from generator.problems import FieldpressError, Problem, RenderError, has_errors, nearest, raise_any
from generator.rules.source.library import Library, beside
from generator.rules.source.settings import Settings, read_settings, settings_of_words, unknown_rulesets

PROBLEMS = 1
"""The exit code for problems in data, inputs or files."""
CANNOT_RENDER = 3
"""The exit code if pages cannot be made."""
_NUMBER = re.compile(r"-?(?:[0-9]+|[0-9]{1,3}(?:,[0-9]{3})+)")


class Word(click.ParamType):  # type: ignore[type-arg] # no parameters in click 8.2
    """The type of a word that must not be empty."""

    name = "word"

    def __init__(self, what: str) -> None:
        """``what`` is the thing to name, as it follows “name” in a message."""
        self.what = what

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Return the word. Raises a usage error for an empty or blank word, such as from an empty shell variable."""
        if not str(value).strip():
            self.fail(f"{value!r} is empty: name {self.what}.", param, ctx)
        return value

    def get_missing_message(self, param: click.Parameter, ctx: click.Context | None = None) -> str:  # noqa: ARG002 - click's
        """Return the message for a missing argument: what to name, such as "Name a mission."."""
        return f"Name {self.what}."


class Named(Word):
    """The type of a file or folder name."""

    name = "path"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Path:
        """Return the path. Raises a usage error for an empty or blank name: ``Path("")`` is the current folder."""
        return value if isinstance(value, Path) else Path(super().convert(value, param, ctx))


RULESET = Word("a rule set; fieldpress rules lists them")
FORCE = Named("the file of a force")


class OneOf(click.Choice[str]):
    """The type of a choice from a few words, ignoring case."""

    def __init__(self, *words: str) -> None:
        """``words`` are the words to choose from; a user may write them in upper or lower case."""
        super().__init__(words, case_sensitive=False)

    def get_invalid_choice_message(self, value: Any, ctx: click.Context | None) -> str:  # noqa: ARG002 - click's
        """Return the message for an invalid choice, with the allowed words and the nearest of them, if any is near."""
        near = nearest(value, self.choices)
        return f"{value!r} is not one of {', '.join(self.choices)}." + (f" Did you mean {near}?" if near else "")


class Number(click.ParamType):  # type: ignore[type-arg] # as above
    """The type of a whole number, with or without commas: 3000 or 3,000."""

    name = "number"

    def __init__(self, least: int, most: int | None = None, such_as: int = 3000) -> None:
        """The number is from ``least`` to ``most``, both included; without ``most`` there is no upper limit.

        ``such_as`` is the example in the message for anything else.
        """
        self.least = least
        self.such_as = such_as
        self.most = most

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:
        """Return the number that a text has; an int is returned unchanged.

        Raises a usage error for a text that is not a whole number, has more than 1,000 characters, or has a number
        outside the limits.
        """
        if isinstance(value, int):
            return value
        number = int(value.replace(",", "")) if len(value) <= _DIGITS and _NUMBER.fullmatch(value) else None
        if number is None or number < self.least or (self.most is not None and number > self.most):
            reach = f"from {self.least} on" if self.most is None else f"from {self.least} to {self.most:,}"
            self.fail(f"{value!r} is not a whole number {reach}, such as {self.such_as}.", param, ctx)
        return number


class Shift(click.ParamType):  # type: ignore[type-arg] # as above
    """The type of two distances in millimetres: to the right and down."""

    name = "shift"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> tuple[float, float]:
        """Return the two distances in a text such as ``0.5,-1``; a tuple is returned unchanged.

        Each distance is from -10 to 10 mm, with at most 3 decimals. Raises a usage error for any other text.
        """
        if isinstance(value, tuple):
            return value
        parts = _DISTANCES.fullmatch(value)
        if parts is None or max(abs(float(part)) for part in parts.groups()) > _FARTHEST:
            message = f"{value!r} is not two numbers of at most {_FARTHEST} mm, such as 0.5,-1."
            if param and ctx and ctx.get_parameter_source(param.name or "") is ParameterSource.ENVIRONMENT:
                message = f"The variable {param.envvar} has a wrong value: {message}"
                raise click.UsageError(message, ctx)
            self.fail(message, param, ctx)
        return float(parts[1]), float(parts[2])


_DISTANCES = re.compile(r"(-?[0-9]{1,2}(?:\.[0-9]{1,3})?),(-?[0-9]{1,2}(?:\.[0-9]{1,3})?)")
_FARTHEST = 10
_DIGITS = 1000
"""The most characters of a number that are read."""


_Decorator: TypeAlias = Callable[[Callable[..., Any]], Callable[..., Any]]


def several(name: str, kind: Any, metavar: str | None, about: str, **more: Any) -> _Decorator:
    """Return an option that may be given several times; the command gets a tuple of the values.

    ``kind`` is the type of a value, ``metavar`` its name in the help (None: as the type says), and ``about`` the help.
    ``dest`` is the name of the command's parameter, if it is not the name of the option. ``more`` goes to click.
    """
    names = (name, more.pop("dest")) if "dest" in more else (name,)
    return click.option(*names, type=kind, metavar=metavar, help=about, multiple=True, **more)


def once(
    name: str, kind: Any, metavar: str | None, about: str, instead: str = "give it once", **more: Any
) -> _Decorator:
    """Return an option that may be given only once; click alone takes the last of several and ignores the others.

    The command gets the value. Without the option it gets the ``default``, or None if there is no default.
    ``instead`` says in the message what to do instead of giving the option twice. A word of a pair of values must not
    begin with ``--``. The other arguments are those of ``several``.
    """

    def only(context: click.Context, _: click.Parameter, values: Sequence[Any]) -> Any:
        """Return the only value of the option ``name``; None without values.

        Raises click.UsageError for a second value. Raises it also for a pair of words if one of them begins with
        ``--``, as an option does.
        """
        if len(values) > 1:
            raise click.UsageError(f"{name} is given {len(values)} times: {instead}.", context)
        for word in map(str, values[0]) if values and isinstance(values[0], tuple) else ():
            if word.startswith("--"):
                message = f"{name} took the option {word} for a value. It is written {name} {metavar}."
                raise click.UsageError(message, context)
        return values[0] if values else None

    if "default" in more:
        more["default"] = [more["default"]]
    return several(name, kind, metavar, about, callback=only, **more)


def words_argument(name: str, kind: Word, metavar: str) -> _Decorator:
    """Return an argument of one word or more; the command gets a tuple."""
    return click.argument(name, nargs=-1, required=True, type=kind, metavar=metavar)


rules_path_option = several("--rules-path", Named("a folder"), "DIR", "A folder with rule sets of your own.")
only_option = several("--only", Word("a sheet"), "SHEET", "Only this sheet; may be repeated.")
theme_option = once("--theme", Word("a theme"), "THEME", "The look: sober, pulp, industrial, or a file.")
_settings_option = once("--settings", Named("a file"), "FILE", "A file with options and answers.")
_set_option = several("--set", str, "NAME=VALUE", "Set an option of the rule set; may be repeated.", dest="set_")


def settings_options(function: Callable[..., Any]) -> Callable[..., Any]:
    """Add the options ``--set`` and ``--settings`` to a command, with the parameters ``set_`` and ``settings``."""
    return _set_option(_settings_option(function))


def settings_of(settings: Path | None, set_: tuple[str, ...]) -> Settings:
    """Return the player's settings: those of the file, overridden by those of the command line.

    Raises ProblemsError as ``read_settings`` and ``settings_of_words`` do.
    """
    read = read_settings(settings) if settings is not None else Settings()
    return read | settings_of_words(set_) if set_ else read


def format_option(*forms: str) -> _Decorator:
    """Return the option ``--format``, which the command gets as ``form``; the first form is the default."""
    return once(
        "--format", OneOf(*forms), None, "The format of the output.", dest="form", default=forms[0], show_default=True
    )


def out_option(default: str, about: str = "The folder to write in.") -> _Decorator:
    """Return the option ``--out``, a folder; the command gets a path. ``about`` is its help."""
    folder = Named("a folder, or leave --out out")
    return once("--out", folder, None, about, default=Path(default), show_default=True)


def folders(rules_path: tuple[Path, ...]) -> tuple[Path, ...]:
    """Return the folders with the user's rule sets, in the order of the search.

    These are the folders of ``--rules-path``, and those that ``beside`` finds for the arguments of the command. Then
    come the folders in ``FIELDPRESS_RULES``, and the folder ``rules`` of the user's configuration if it has rule sets.
    """
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

    The values of ``--settings`` and ``--set``, if the command has these options, are used for the rule sets and not
    passed. Problems and errors become messages and exit codes, as with ``guarded``.
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
    """Return the available rule sets with the player's settings. Call it only while a command runs.

    Raises ProblemsError: R301 if a settings file names an unknown rule set; others as ``open_library`` and
    ``settings_of`` do.
    """
    from generator.commands.access import open_library

    rulesets = open_library(*folders(rules_path), settings=settings_of(settings, set_))
    raise_any(unknown_rulesets(rulesets.settings, rulesets.ids()))
    return rulesets


def guarded(function: Callable[..., None]) -> Callable[..., None]:
    """Wrap a command: turn FieldpressError and OSError into messages and exit codes instead of a traceback.

    The messages are JSON if the command's parameter ``form`` is ``json``, and text otherwise. If the reader of the
    output closes the pipe, the command ends without a message, with exit code 0.
    """

    @functools.wraps(function)
    def run(*args: Any, **kwargs: Any) -> None:
        form = str(kwargs.get("form", "text"))
        try:
            function(*args, **kwargs)
        except BrokenPipeError:
            # The reader has closed the pipe (``| head``): discard the rest of the buffer.
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            click.get_current_context().exit(0)
        except (FieldpressError, OSError) as error:
            from generator.commands.access import problems_of

            fail(problems_of(error), form, CANNOT_RENDER if isinstance(error, RenderError) else PROBLEMS)

    return run


def fail(problems: Iterable[Problem], form: str, code: int = PROBLEMS) -> NoReturn:
    """Print the problems of a command without a result, as ``print_problems`` does, and exit with this code."""
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


def finish(problems: Sequence[Problem], form: str) -> None:
    """Print the problems, unless ``form`` is JSON, and end the command if any problem is an error.

    JSON data have the problems already. The exit code is that of ``exit_if_errors``.
    """
    if problems and form != "json":
        print_problems(problems)
    exit_if_errors(problems)


def exit_if_errors(problems: Sequence[Problem]) -> None:
    """End the command with the exit code for problems, if any of them is more than advice."""
    if has_errors(problems):
        click.get_current_context().exit(PROBLEMS)


def print_json(data: object) -> None:
    """Print data as JSON on standard output."""
    from generator.reporting.tables import to_json

    click.echo(to_json(data))


_WIDTH = 24
_CLEAR = "\r\x1b[K"


class Progress(AbstractContextManager["Progress"]):
    """A progress bar, shown once the work has lasted ``after`` seconds, and removed at the end."""

    def __init__(self, *, shown: bool, after: float = 0) -> None:
        self.shown = shown
        self.begin = monotonic() + after
        self.drawn = False

    def __call__(self, done: int, total: int, name: str = "") -> None:
        """Redraw the bar for ``done`` of ``total`` steps, with ``name`` after the numbers; remove it at the end.

        Do nothing if the bar is not to be shown, or not yet.
        """
        if not self.shown or monotonic() < self.begin:
            return
        filled = _WIDTH * done // max(total, 1)
        line = f"[{'#' * filled}{'-' * (_WIDTH - filled)}] {done}/{total} {name}".rstrip()
        click.echo(f"{_CLEAR}{line}" if done < total else _CLEAR, err=True, nl=False)
        self.drawn = done < total

    def __exit__(self, *error: object) -> None:
        """Remove the bar, also after a failure."""
        if self.drawn:
            click.echo(_CLEAR, err=True, nl=False)
