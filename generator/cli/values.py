"""Values of options and arguments, and the problems of values that cannot be used."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from generator.suggest import nearest

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

_NUMBER = re.compile(r"-?(?:[0-9]+|[0-9]{1,3}(?:,[0-9]{3})+)")


class Word(click.ParamType):  # type: ignore[type-arg] # no parameters in click 8.2
    """A word that is not empty."""

    name = "word"

    def __init__(self, what: str) -> None:
        """``what`` is to be named, as it goes on behind “name”."""
        self.what = what

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """The word; a usage error for an empty one, which a variable of a shell may have left."""
        if not str(value).strip():
            self.fail(f"{value!r} is empty: name {self.what}.", param, ctx)
        return value

    def get_missing_message(self, param: click.Parameter, ctx: click.Context | None = None) -> str:  # noqa: ARG002 - click's
        """What is missing."""
        return f"Name {self.what}."


class Named(Word):
    """The name of a file or folder."""

    name = "path"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Path:
        """The path; an empty name would mean the folder that one is in."""
        return value if isinstance(value, Path) else Path(super().convert(value, param, ctx))


class OneOf(click.Choice[str]):
    """One of a few words, in small letters or in capitals."""

    def __init__(self, *words: str) -> None:
        """Of these."""
        super().__init__(words, case_sensitive=False)

    def get_invalid_choice_message(self, value: Any, ctx: click.Context | None) -> str:  # noqa: ARG002 - click's
        """What there is, and the nearest of it."""
        near = nearest(value, self.choices)
        return f"{value!r} is not one of {', '.join(self.choices)}." + (f" Did you mean {near}?" if near else "")


class Number(click.ParamType):  # type: ignore[type-arg] # as above
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
        number = int(value.replace(",", "")) if len(value) <= _DIGITS and _NUMBER.fullmatch(value) else None
        if number is None or number < self.least or (self.most is not None and number > self.most):
            reach = f"from {self.least} on" if self.most is None else f"from {self.least} to {self.most:,}"
            self.fail(f"{value!r} is no whole number {reach}, such as {self.such_as}.", param, ctx)
        return number


_DIGITS = 1000
"""Signs of a number that are read."""


def once(*names: str, instead: str = "say it once", **more: Any) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """An option that may be said once: click by itself takes the last of several, and passes over the others."""

    def only(context: click.Context, _: click.Parameter, values: Sequence[Any]) -> Any:
        if len(values) > 1:
            message = f"{names[0]} is said {len(values)} times: {instead}."
            raise click.UsageError(message, context)
        for word in map(str, values[0]) if values and isinstance(values[0], tuple) else ():
            if word.startswith("--"):
                message = f"{names[0]} took the option {word} for a value. It is written {names[0]} {more['metavar']}."
                raise click.UsageError(message, context)
        return values[0] if values else None

    if "default" in more:
        more["default"] = [more["default"]]
    return click.option(*names, multiple=True, callback=only, **more)


class Commands(click.Group):
    """Commands that say what an option takes where its value is missing."""

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command."""
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
