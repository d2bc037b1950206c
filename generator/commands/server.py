"""Serve a site to the local network, and serve the pages of a build anew after each change of a file."""

from __future__ import annotations

import gc
import hashlib
import json
import re
import socket
import tempfile
import time
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import suppress
from html import escape
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Lock, Thread, Timer
from typing import TYPE_CHECKING, NamedTuple, TypeAlias
from urllib.parse import quote, unquote, urlsplit

from generator.commands.access import Data, problems_of
from generator.commands.web import OURS, START
from generator.files import TEMPORARY
from generator.problems import Problem, ProblemsError, RenderError, missing_package, refused
from generator.render.assemble.pictures import pictures
from generator.reporting.problems import problems_text
from generator.resources import templates

if TYPE_CHECKING:
    from generator.rules.source.library import Library

HOST = "127.0.0.1"
TYPES = {".html": "text/html; charset=utf-8", ".css": "text/css", ".js": "text/javascript", ".png": "image/png"}
TYPES |= {".jpg": "image/jpeg", ".jpeg": "image/jpeg"}
DPI = 110
"""A page of A4 is 910 pixels wide, about its own size on a screen."""
_NAME = re.compile(r"[^./\\:][^/\\:]*")
"""The name of a file or folder in an address. A hidden file, the folder above and a drive have no such name."""
_DEPTH = 9
"""The most parts of an address."""
_ELSEWHERE = ("192.0.2.1", 9)
"""An address that no machine has. The system tells how it would be reached; nothing is sent."""


Answer: TypeAlias = "Callable[[str], tuple[bytes, str] | None]"
"""A function that returns the content for an address and its type; None if nothing is there."""


class Server(ThreadingHTTPServer):
    """A server that answers GET and HEAD requests of browsers that name this machine as the host."""

    daemon_threads = True

    def __init__(
        self,
        host: str,
        port: int,
        answer: Answer,
        names: Collection[str] = ("localhost",),
        policy: str = "default-src 'self'",
    ) -> None:
        """Open a port; 0 opens a free port. Raises ProblemsError (F130) if the port cannot be opened.

        ``answer`` returns the content of an address and its type, or None. ``names`` are the names of this machine, in
        addition to the address of the connection. ``policy`` is the Content-Security-Policy: by default, pages load
        nothing from other hosts.
        """
        self.answer, self.names, self.policy = answer, names, policy
        try:
            super().__init__((host, port), _Handler)
        except OSError as error:
            hint, found = "choose another port with --port", (error.strerror or str(error)).lower()
            raise ProblemsError(refused("F130", f"--port {port}", "a free port", found, hint)) from None

    def handle_error(self, request: object, client_address: object) -> None:
        """Print nothing: a browser has gone away, or a file can no longer be read."""


class _Handler(BaseHTTPRequestHandler):
    server_version, sys_version = "fieldpress", ""
    timeout = 60
    server: Server

    def do_GET(self) -> None:
        """Answer a request, or refuse it if its ``Host`` does not name this machine with the server's port.

        The address of a folder without its last slash leads to the address with the slash.
        """
        # Another site's page may send requests here under its own name (DNS rebinding).
        address, port = self.connection.getsockname()[:2]
        name, _, given = self.headers.get("Host", "").lower().partition(":")
        if name not in (address, *self.server.names) or (given or "80") != str(port):
            self.send_error(HTTPStatus.FORBIDDEN)
            return
        folder = self.path.partition("?")[0] + "/"
        found = self.server.answer(self.path)
        if found is None and self.server.answer(folder) is None:
            self.send_error(HTTPStatus.NOT_FOUND)
            return
        content, kind = found or (b"", TYPES[".html"])
        self.send_response(HTTPStatus.OK if found else HTTPStatus.FOUND)
        headers = {"Content-Type": kind, "Content-Length": str(len(content)), "Cache-Control": "no-store"}
        safe = {"Content-Security-Policy": self.server.policy, "X-Content-Type-Options": "nosniff"}
        moved = {} if found else {"Location": f"./{folder.split('/')[-2]}/"}
        for head, value in {**headers, **safe, **moved}.items():
            self.send_header(head, value)
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(content)

    do_HEAD = do_GET  # noqa: N815 - the name that the standard library has

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the name that the standard library has
        """Log nothing."""


def site_server(folder: Path, port: int) -> Server:
    """Return a server of a site for the local network.

    If the folder has no start page of a site, the address ``/`` gives a list of its pages, and only these are served.
    Raises ProblemsError: F101 if the folder has no page of ``fieldpress web``, F130 if the port cannot be opened.
    """
    root = folder.resolve()
    own = [
        path.name
        for path in sorted(root.glob("*.html"))
        if path.is_file() and OURS in path.read_text(encoding="utf-8", errors="replace")
    ]
    if not own:
        hint = f"write the site first: fieldpress web all --out {folder}"
        raise ProblemsError(refused("F101", str(folder), "a folder that fieldpress web has written", "none", hint))
    links = "".join(f'<li><a href="{quote(page)}">{escape(page)}</a></li>' for page in own)
    contents = (
        f'<!DOCTYPE html><meta name="viewport" content="width=device-width"/><title>fieldpress</title><ul>{links}</ul>'
    )

    def answer(address: str) -> tuple[bytes, str] | None:
        page = find_page(root, address)
        if START not in own:  # pages of one file each, perhaps beside other files
            if address == "/":
                return contents.encode(), TYPES[".html"]
            page = page if page and page.parent == root and page.name in own else None
        return (page.read_bytes(), TYPES[page.suffix.lower()]) if page else None

    name = socket.gethostname().lower()
    return Server("", port, answer, ("localhost", name, f"{name}.local"), "default-src 'self' 'unsafe-inline' data:")


def find_page(root: Path, address: str) -> Path | None:
    """Return the file of a site that an address names; None if there is no such file, or if it may not be served.

    ``root`` is a resolved path. An address that ends with ``/`` names the start page of its folder. Files of types
    outside ``TYPES``, hidden files, symbolic links, names that ``_NAME`` excludes, and addresses of more than
    ``_DEPTH`` parts are not served.
    """
    with suppress(ValueError, OSError):  # an address that cannot be read, or a name that no file can have
        name = unquote(urlsplit(address).path).removeprefix("/")
        parts = (name + START if not name or name.endswith("/") else name).split("/")
        path = root.joinpath(*parts) if len(parts) <= _DEPTH and all(map(_NAME.fullmatch, parts)) else root
        if path.suffix.lower() in TYPES and path.resolve() == path and path.is_file():
            return path
    return None


def addresses(port: int) -> Mapping[str, str]:
    """Return the addresses of a server, by where they work.

    The keys are the printed words "in the local network", if that address can be found, and "on this machine".
    """
    found = {}
    with suppress(OSError), socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        probe.connect(_ELSEWHERE)
        found["in the local network"] = f"http://{probe.getsockname()[0]}:{port}/"
    return {**found, "on this machine": f"http://localhost:{port}/"}


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
        """Return everything but the PDFs as JSON, for the script in the browser."""
        state = {name: value for name, value in self._asdict().items() if name != "files"}
        return json.dumps(state | {"seconds": round(self.seconds, 1)}).encode()


def changes(library: Library, what: Sequence[str]) -> Iterator[None]:
    """Yield once, and again after each change of files in the watched folders, until Ctrl-C.

    These are the folders of all rule sets, each folder in ``what``, and the folder of each file in ``what``. Words of
    ``what`` that are not paths are ignored. Raises RenderError if watchfiles, an optional package, is missing.
    """
    try:
        from watchfiles import watch
    except ImportError as error:
        raise missing_package("preview", "watchfiles", "preview") from error
    own = [path if path.is_dir() else path.parent for path in map(Path, what) if path.exists()]
    begun = False
    with suppress(KeyboardInterrupt):
        # The time limit ends the first wait, so that changes during the first build are noticed, too.
        for found in watch(*{folder.path for folder in library.folders}, *own, rust_timeout=100, yield_on_timeout=True):
            if found or not begun:
                begun = True
                yield


class Preview:
    """Builds pages, and serves them on this machine only."""

    def __init__(self, build: Callable[[Path], tuple[Data, Sequence[Problem]]], port: int = 0) -> None:
        """Start the server without building. ``build`` writes PDFs into a folder, and returns data and problems.

        The data lists the PDFs under ``built``, each with its ``path`` and its number of ``pages``. ``port`` 0 takes a
        free port. Raises ProblemsError (F130) if the port cannot be opened.
        """
        self._build = build
        self._drawing = Lock()
        """PDFium draws in one thread at a time."""
        self._static = {path.name: path.read_bytes() for path in (templates() / "preview").iterdir()}
        self.shown = Shown()
        self.server = Server(HOST, port, self._answer)
        self.port: int = self.server.server_address[1]
        Thread(target=self.server.serve_forever, args=(0.05,), daemon=True).start()

    @property
    def address(self) -> str:
        """The address to open in a browser."""
        return f"http://{HOST}:{self.port}/"

    def rebuild(self) -> Shown:
        """Build again, and return what the browser shows: the new pages, or after an error the last good pages.

        The text of the error is shown over the last good pages. Raises ProblemsError, RenderError or OSError if there
        are no good pages yet: then the command itself is wrong.
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
            shown = before._replace(problems=problems_text(problems_of(error)), stale=True)
        self.shown = shown._replace(seconds=time.monotonic() - start)
        after = Timer(1, gc.collect)  # the command line has switched it off; the browser fetches its pictures first
        after.daemon = True
        after.start()
        return self.shown

    def _answer(self, address: str) -> tuple[bytes, str] | None:
        """Return the state, the picture of a shown page, or a file of the preview's own page, with its type.

        Return None for any other address.
        """
        name, shown = address.removeprefix("/") or "index.html", self.shown
        if name == "state":
            return shown.state(), "application/json"
        if name in self._static:
            return self._static[name], TYPES[Path(name).suffix]
        page = name.removesuffix(".png")
        if page not in shown.pages:
            return None
        digest, _, number = page.rpartition("-")
        with self._drawing:
            return next(pictures(shown.files[digest], DPI, int(number))), TYPES[".png"]
