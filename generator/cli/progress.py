"""A progress bar on standard error."""

from __future__ import annotations

from time import monotonic
from types import TracebackType
from typing import Self

import click

_WIDTH = 24
_CLEAR = "\r\x1b[K"


class Progress:
    """A progress bar, shown once the work has lasted ``after`` seconds, and removed at the end."""

    def __init__(self, *, shown: bool, after: float = 0) -> None:
        self.shown = shown
        self.begin = monotonic() + after
        self.drawn = False

    def __call__(self, done: int, total: int, name: str = "") -> None:
        """Redraw the bar for ``done`` of ``total`` steps."""
        if not self.shown or monotonic() < self.begin:
            return
        filled = _WIDTH * done // max(total, 1)
        line = f"[{'#' * filled}{'-' * (_WIDTH - filled)}] {done}/{total} {name}".rstrip()
        click.echo(f"{_CLEAR}{line}" if done < total else _CLEAR, err=True, nl=False)
        self.drawn = done < total

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Remove the bar, also after a failure."""
        self.clear()

    def clear(self) -> None:
        """Remove the bar until it is drawn again."""
        if self.drawn:
            click.echo(_CLEAR, err=True, nl=False)
        self.drawn = False
