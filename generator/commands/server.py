"""Serve pages from this machine: GET and HEAD only, and only to browsers that address this machine by its own name."""

from __future__ import annotations

import re
import socket
from contextlib import suppress
from html import escape
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import quote, unquote, urlsplit

from generator.errors import ProblemsError
from generator.problems import refused

if TYPE_CHECKING:
    from collections.abc import Mapping

HOST = "127.0.0.1"
START = "index.html"
OURS = '<meta name="generator" content="fieldpress"/>'
"""What stands in every page of a site: other pages are neither served nor written over."""
TYPES = {".html": "text/html; charset=utf-8", ".css": "text/css", ".js": "text/javascript", ".png": "image/png"}
_NAME = re.compile(r"[\w+-][\w.+-]{0,99}")
"""The name of a file or folder in an address. A hidden file, the folder above and a drive have no such name."""
_DEPTH = 9
"""The most parts of an address."""
_ELSEWHERE = ("192.0.2.1", 9)
"""An address that no machine has. The system tells how it would be reached; nothing is sent."""


class Handler(BaseHTTPRequestHandler):
    """Answers GET and HEAD requests of browsers that name this machine as the host."""

    server_version, sys_version = "fieldpress", ""
    timeout = 60
    names: tuple[str, ...] = ("localhost",)
    """The names of this machine, in addition to the address of the connection."""
    policy = "default-src 'self'"
    """What pages may load: nothing of another host."""

    def do_GET(self) -> None:
        """Answer a request, or refuse the request if it names another host."""
        # Another site's page may send requests here under its own name (DNS rebinding).
        address, port = self.connection.getsockname()[:2]
        name, _, given = self.headers.get("Host", "").lower().partition(":")
        if name not in (address, *self.names) or (given or "80") != str(port):
            self.send_error(HTTPStatus.FORBIDDEN)
        else:
            self.get()

    do_HEAD = do_GET  # noqa: N815 - the name that the standard library has

    def get(self) -> None:
        """Answer a request that names this machine; each server has its own answer."""

    def answer(self, content: bytes | None, kind: str) -> None:
        """Send content of a type; without content, send that nothing is there."""
        if content is None:
            self.send_error(HTTPStatus.NOT_FOUND)
            return
        self.send_response(HTTPStatus.OK)
        headers = {"Content-Type": kind, "Content-Length": str(len(content)), "Cache-Control": "no-store"}
        safe = {"Content-Security-Policy": self.policy, "X-Content-Type-Options": "nosniff"}
        for name, value in {**headers, **safe}.items():
            self.send_header(name, value)
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(content)

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the name that the standard library has
        """Log nothing."""


class _Server(ThreadingHTTPServer):
    daemon_threads = True

    def handle_error(self, request: object, client_address: object) -> None:
        """Print nothing: a browser has gone away, or a file can no longer be read."""


def open_server(host: str, port: int, handler: type[Handler]) -> ThreadingHTTPServer:
    """Return a server that is bound to a port; 0 takes a free port. Raises ProblemsError: F130 for a port in use."""
    try:
        return _Server((host, port), handler)
    except OSError as error:
        hint, found = "choose another port with --port", (error.strerror or str(error)).lower()
        raise ProblemsError(refused("F130", f"--port {port}", "a free port", found, hint)) from None


def site_server(folder: Path, port: int) -> ThreadingHTTPServer:
    """Return a server of a site for the local network; pages without a start page get a list of them as such.

    Raises ProblemsError: F101 for a folder without a site, F130 for a port in use.
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

    name = socket.gethostname().lower()

    class Site(Handler):
        names = ("localhost", name, f"{name}.local")
        policy = "default-src 'self' 'unsafe-inline' data:"

        def get(self) -> None:
            page = find_page(root, self.path)
            if START not in own:  # pages of one file each, perhaps beside other files
                page = page if page and page.parent == root and page.name in own else None
                if self.path == "/":
                    self.answer(contents.encode(), TYPES[".html"])
                    return
            self.answer(page.read_bytes() if page else None, TYPES[page.suffix] if page else "")

    return open_server("", port, Site)


def find_page(root: Path, address: str) -> Path | None:
    """Return the file of a site that an address names; None if there is no such file inside the folder.

    ``root`` is a resolved path. A link to a file outside the folder is not followed.
    """
    name = unquote(urlsplit(address).path).removeprefix("/")
    parts = (name + START if not name or name.endswith("/") else name).split("/")
    path = root.joinpath(*parts) if len(parts) <= _DEPTH and all(map(_NAME.fullmatch, parts)) else root
    return path if path.suffix in TYPES and path.resolve() == path and path.is_file() else None


def addresses(port: int) -> Mapping[str, str]:
    """Return the addresses of a server, by who can use them: the local network, if there is one, and this machine."""
    found = {}
    with suppress(OSError), socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        probe.connect(_ELSEWHERE)
        found["in the local network"] = f"http://{probe.getsockname()[0]}:{port}/"
    return {**found, "on this machine": f"http://localhost:{port}/"}
