"""The command ``fieldpress`` and its exit codes.

Exit codes: 0 success, 1 problems in data, inputs or files, 2 an unknown command or option, 3 rendering failed.
"""

from __future__ import annotations

import atexit
import gc
import io
import os
import signal
import sys
import threading
import warnings
from pathlib import Path
from typing import Any

import click

from generator import __version__
from generator.cli.build import build, cache, doctor, preview, serve, web
from generator.cli.data import check, convert, cost, diff, explain, new, odds, rules, scenario, schema, templates, words
from generator.cli.options import PROBLEMS, rules_path_option


class Commands(click.Group):
    """A group of commands whose message for a missing option value says how the option is written."""

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command. If an option of it has no value, the message also says how the option is written."""
        try:
            return super().invoke(ctx)
        except click.BadOptionUsage as error:
            command = self.get_command(ctx, ctx.invoked_subcommand or "")
            for option in command.params if command else ():
                if error.option_name in option.opts and not getattr(option, "is_flag", False):
                    inner = click.Context(command, ctx, ctx.invoked_subcommand)  # type: ignore[arg-type] # it has one
                    message = f"{error.message} It is written {error.option_name} {option.make_metavar(inner)}."
                    raise click.UsageError(message, inner) from None
            raise


@click.group(cls=Commands, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 110})
@click.version_option(__version__, prog_name="fieldpress")
@rules_path_option
@click.pass_context
def fieldpress(context: click.Context, rules_path: tuple[Path, ...]) -> None:
    """Printable references, exact odds and point costs for miniature wargames."""
    context.obj = rules_path


for command in (new, build, preview, web, serve, cost, convert, scenario, odds, rules, diff, check, explain, schema,
                templates, words, doctor, cache):  # fmt: skip
    fieldpress.add_command(command)


def end_later(missed: sys.UnraisableHookArgs) -> None:
    """End the process a moment later if SystemExit or KeyboardInterrupt was raised where Python ignores exceptions.

    One example is a callback. ``missed`` is what Python passes to ``sys.unraisablehook``. Any other exception is
    reported as usual.
    """
    signals = {SystemExit: signal.SIGTERM, KeyboardInterrupt: signal.SIGINT}
    if missed.exc_type not in signals:
        sys.__unraisablehook__(missed)
    else:
        threading.Timer(0.01, os.kill, (os.getpid(), signals[missed.exc_type])).start()


def main() -> None:
    """Run the command line, and end the process with its exit code."""
    # A command is short: garbage collection at start-up costs more time than it saves memory. Long builds collect
    # explicitly after every sheet. At exit nothing needs to be collected.
    gc.disable()
    atexit.register(gc.freeze)
    # The search for pydantic plug-ins reads the metadata of every installed package; there are no plug-ins to find.
    os.environ.setdefault("PYDANTIC_DISABLE_PLUGINS", "__all__")
    # numpy starts threads for large matrices, which no command multiplies.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    # A character that the terminal's encoding does not have is escaped instead of raising an error. Output that goes
    # into a file is UTF-8 on every machine, because scenarios and JSON are read again.
    # If the caller has closed a stream, its output is discarded.
    sys.stdout, sys.stderr = sys.stdout or io.StringIO(), sys.stderr or io.StringIO()
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(encoding=None if stream.isatty() else "utf-8", errors="backslashreplace")
    # Pillow warns of damaged data of a camera in a picture, which is printed all the same.
    warnings.filterwarnings("ignore", module="PIL")
    # On SIGTERM and SIGHUP exit normally, so that temporary files are deleted.
    for name in ("SIGTERM", "SIGHUP"):
        if hasattr(signal, name) and signal.getsignal(getattr(signal, name)) == signal.SIG_DFL:
            signal.signal(getattr(signal, name), lambda number, _: sys.exit(128 + number))
    sys.unraisablehook = end_later
    try:
        fieldpress(prog_name="fieldpress")
    except OSError as error:  # raised when click itself writes, such as help on a full disk
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        from generator.commands.access import problems_of
        from generator.reporting.problems import problems_text

        click.echo(problems_text(problems_of(error)), err=True)
        sys.exit(PROBLEMS)
