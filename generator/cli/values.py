"""The types of option and argument values, with messages for invalid values."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import click
from click.core import ParameterSource

from generator.suggest import nearest

_NUMBER = re.compile(r"-?(?:[0-9]+|[0-9]{1,3}(?:,[0-9]{3})+)")


class Word(click.ParamType):  # type: ignore[type-arg] # no parameters in click 8.2
    """The type of a word that must not be empty."""

    name = "word"

    def __init__(self, what: str) -> None:
        """``what`` is the thing to name, as it follows “name” in a message."""
        self.what = what

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Return the word. Raises a usage error for an empty word, such as from an empty shell variable."""
        if not str(value).strip():
            self.fail(f"{value!r} is empty: name {self.what}.", param, ctx)
        return value

    def get_missing_message(self, param: click.Parameter, ctx: click.Context | None = None) -> str:  # noqa: ARG002 - click's
        """Return the message for a missing argument."""
        return f"Name {self.what}."


class Named(Word):
    """The type of a file or folder name."""

    name = "path"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Path:
        """Return the path. Raises a usage error for an empty name, which would mean the current folder."""
        return value if isinstance(value, Path) else Path(super().convert(value, param, ctx))


RULESET = Word("a rule set; fieldpress rules lists them")
FORCE = Named("the file of a force")


class OneOf(click.Choice[str]):
    """The type of a choice from a few words, ignoring case."""

    def __init__(self, *words: str) -> None:
        """``words`` are the words to choose from."""
        super().__init__(words, case_sensitive=False)

    def get_invalid_choice_message(self, value: Any, ctx: click.Context | None) -> str:  # noqa: ARG002 - click's
        """Return the message for an invalid choice, with the allowed words and the nearest of them."""
        near = nearest(value, self.choices)
        return f"{value!r} is not one of {', '.join(self.choices)}." + (f" Did you mean {near}?" if near else "")


class Number(click.ParamType):  # type: ignore[type-arg] # as above
    """The type of a whole number, with or without commas: 3000 or 3,000."""

    name = "number"

    def __init__(self, least: int, most: int | None = None, such_as: int = 3000) -> None:
        """The number is from ``least`` to ``most``, both included."""
        self.least = least
        self.such_as = such_as
        self.most = most

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:
        """Return the number. Raises a usage error for anything else."""
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
        """Return the distances. Raises a usage error for anything else than two numbers of 10 mm at most."""
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


def once(*names: str, instead: str = "give it once", **more: Any) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Return an option that may be given only once; click alone takes the last of several and ignores the others."""

    def only(context: click.Context, _: click.Parameter, values: Sequence[Any]) -> Any:
        """Return the option's single value. Raises a usage error for a second value, or an option as the value."""
        if len(values) > 1:
            raise click.UsageError(f"{names[0]} is given {len(values)} times: {instead}.", context)
        for word in map(str, values[0]) if values and isinstance(values[0], tuple) else ():
            if word.startswith("--"):
                message = f"{names[0]} took the option {word} for a value. It is written {names[0]} {more['metavar']}."
                raise click.UsageError(message, context)
        return values[0] if values else None

    if "default" in more:
        more["default"] = [more["default"]]
    return click.option(*names, multiple=True, callback=only, **more)


class Commands(click.Group):
    """A group of commands whose message for a missing option value says how the option is written."""

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command, completing the message for a missing option value."""
        try:
            return super().invoke(ctx)
        except click.BadOptionUsage as error:
            command = self.get_command(ctx, ctx.invoked_subcommand or "")
            for option in command.params if command else ():
                if error.option_name in option.opts:
                    inner = click.Context(command, ctx, ctx.invoked_subcommand)  # type: ignore[arg-type] # it has one
                    message = f"{error.message} It is written {error.option_name} {option.make_metavar(inner)}."
                    raise click.UsageError(message, inner) from None
            raise
