"""Show the pages of a build in a browser, anew after each change of a file."""

from __future__ import annotations

import gc
import hashlib
import json
import tempfile
import time
from contextlib import suppress
from pathlib import Path
from threading import Lock, Thread
from typing import TYPE_CHECKING, NamedTuple

from generator.commands.server import HOST, TYPES, Handler, open_server
from generator.errors import ProblemsError, RenderError, missing_package
from generator.files import TEMPORARY
from generator.render.assemble.pictures import pictures
from generator.reporting.problems import problems_text
from generator.resources import templates

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from generator.commands.access import Data
    from generator.problems import Problem
    from generator.rules.source.library import Library

DPI = 110
"""A page of A4 is 910 pixels wide, about its own size on a screen."""


class Shown(NamedTuple):
    """What the browser shows: the last good pages, and the text about what is wrong now."""

    pages: tuple[str, ...] = ()
    """The name of each page's picture: the digest of its PDF, and its number in the PDF from 0."""
    files: Mapping[str, bytes] = {}
    """The PDFs, by their digests."""
    problems: str = ""
    stale: bool = False
    """Whether the pages are older than the files, because these have an error."""
    seconds: float = 0
    """How long the last build took."""

    def state(self) -> bytes:
        """Return the names of the pages and the problems as JSON, for the script in the browser."""
        seconds = round(self.seconds, 1)
        state = {"pages": self.pages, "problems": self.problems, "stale": self.stale, "seconds": seconds}
        return json.dumps(state).encode()


def changes(library: Library, what: Sequence[str]) -> Iterator[None]:
    """Yield once, and again after each change of a file from which ``what`` may be built, until Ctrl-C.

    Changes are noticed in the folders of all rule sets, and in the folders of the files in ``what``. Raises RenderError
    if watchfiles, an optional package, is missing.
    """
    try:
        from watchfiles import watch
    except ImportError as error:
        raise missing_package("preview", "watchfiles", "preview") from error
    own = [path if path.is_dir() else path.parent for path in map(Path, what) if path.exists()]
    yield
    with suppress(KeyboardInterrupt):
        for _ in watch(*{folder.path for folder in library.folders}, *own):
            yield


class Preview:
    """Builds pages, and serves them on this machine only."""

    def __init__(self, build: Callable[[Path], tuple[Data, Sequence[Problem]]], port: int = 0) -> None:
        """Start the server. ``build`` writes PDFs into a folder, and returns data and problems.

        ``port`` 0 takes a free port. Raises ProblemsError: F130 for a port in use.
        """
        self._build = build
        self._drawing = Lock()
        """PDFium draws in one thread at a time."""
        self.shown = Shown()
        self._server = open_server(HOST, port, _handler(self))
        self.port: int = self._server.server_address[1]
        Thread(target=self._server.serve_forever, daemon=True).start()

    @property
    def address(self) -> str:
        """The address to open in a browser."""
        return f"http://{HOST}:{self.port}/"

    def rebuild(self) -> Shown:
        """Build again, and show the pages; after an error, show what is wrong over the last good pages.

        Raises the error if the first build fails: then nothing can be shown, and the command itself is wrong.
        """
        before, start = self.shown, time.monotonic()
        files: dict[str, bytes] = {}
        names: list[str] = []
        try:
            with tempfile.TemporaryDirectory(prefix=TEMPORARY) as folder:
                data, problems = self._build(Path(folder))
                for file in data["built"]:
                    pdf = Path(file["path"]).read_bytes()
                    digest = hashlib.sha256(pdf).hexdigest()
                    files[digest] = pdf
                    names += [f"{digest}-{number}" for number in range(file["pages"])]
            shown = Shown(tuple(names), files, problems_text(problems) if problems else "")
        except (ProblemsError, RenderError, OSError) as error:
            if not before.pages:
                raise
            shown = before._replace(problems=_text(error), stale=True)
        gc.collect()  # the command line has switched it off
        self.shown = shown._replace(seconds=time.monotonic() - start)
        return self.shown

    def picture(self, name: str) -> bytes | None:
        """Return the picture of a page; None if no page with this name is shown."""
        shown = self.shown
        if name not in shown.pages:
            return None
        digest, _, number = name.rpartition("-")
        with self._drawing:
            return next(pictures(shown.files[digest], DPI, int(number)))

    def close(self) -> None:
        """Stop serving."""
        self._server.shutdown()
        self._server.server_close()


def _text(error: ProblemsError | RenderError | OSError) -> str:
    """Return the message about why a build has failed."""
    if isinstance(error, ProblemsError):
        return problems_text(error.problems)
    problem = error.problem if isinstance(error, RenderError) else None
    return problems_text([problem]) if problem else str(error)


def _handler(preview: Preview) -> type[Handler]:
    """Return the class that answers requests of the browser."""

    class Pages(Handler):
        def get(self) -> None:
            if self.path == "/state":
                self.answer(preview.shown.state(), "application/json")
            else:
                name = self.path.removeprefix("/") or "index.html"
                content = preview.picture(name.removesuffix(".png")) or _STATIC.get(name)
                self.answer(content, TYPES.get(Path(name).suffix or ".png", ""))

    return Pages


_STATIC = {path.name: path.read_bytes() for path in (templates() / "preview").iterdir()}
