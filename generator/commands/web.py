"""Write rule sets as a site, serve a site, and serve the pages of a build anew after each change of a file.

A browser opens a site from the disk, or from a server. Servers answer GET and HEAD only, and only browsers that
address this machine by its own name.
"""

from __future__ import annotations

import gc
import hashlib
import json
import re
import socket
import tempfile
import time
from contextlib import suppress
from html import escape
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Lock, Thread
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import quote, unquote, urlsplit

from generator.commands.access import Data, load_valid, no_sheets, rulesets_named, writing
from generator.commands.forces import load_force_file
from generator.commands.jobs import Findings
from generator.commands.languages import advice_on, load_language
from generator.commands.printing import ruleset_jobs
from generator.documents.web import price_data, said_data, shot_data
from generator.files import TEMPORARY, write_atomically
from generator.parsing.text import check_characters, read_bytes, read_text
from generator.problems import Problem, ProblemsError, RenderError, Span, has_errors, missing_package, refused
from generator.render import web
from generator.render.assemble.pictures import pictures
from generator.render.blocks import Sheet
from generator.render.language import ENGLISH, Language, translated
from generator.render.web import Link, stylesheet, text_pages
from generator.reporting.problems import problems_text
from generator.resources import templates
from generator.rules.entries.kinds import kinds_of_designs
from generator.rules.source.library import SAMPLES, Library, examples

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence


START = "index.html"
OURS = '<meta name="generator" content="fieldpress"/>'
"""What stands in every page of a site: other pages are neither served nor written over."""
FORCE_PAGE, MATRIX_PAGE = "force.html", "matrix.html"
STYLE = "style.css"
TEXTS = "texts"
"""The folder of the pages that are made of Markdown files."""
_PICTURES = (".png", ".jpg", ".jpeg")
WORDS = "words.js"
"""The script with the words of a game, which the search loads when somebody types."""


def build_site(
    library: Library,
    what: Sequence[str],
    out: Path,
    progress: Callable[[int, int, str], None] = lambda _done, _all, _text: None,
    *,
    single: bool = False,
    texts: Path | None = None,
    language: str | None = None,
) -> tuple[tuple[Path, ...], tuple[Problem, ...]]:
    """Write the pages of the named rule sets into a folder; return the pages to open first, and advice on the rules.

    With ``single``, each rule set is written into one file; otherwise one page leads to all rule sets, and to the pages
    of the Markdown files in the folder ``texts``. A ``language`` is a tag such as de; without an entry, a text stays
    English, with advice. Nothing is written if the rule data has errors.

    Raises ProblemsError: R301 for an unknown rule set, R319 for a rule set without sheets, F131 for a folder that
    cannot be written. Raises ProblemsError, too, for texts that cannot be read (F101 to F112).
    """
    names = rulesets_named(library, what)
    missing: dict[str, None] = {}
    spoken = load_language(library, language)[0]._replace(missing=missing.setdefault) if language else ENGLISH
    problems: list[Problem] = []
    games = []
    for done, name in enumerate(names):
        progress(done, len(names), name)
        games.append(_game(library, name, problems, spoken))
    if has_errors(problems):
        raise ProblemsError(*dict.fromkeys(problems))
    scripts = web.scripts(spoken)
    pictures: dict[str, bytes] = {}
    if single:
        files = {f"{link.address}.html": _single(link, pages_of | scripts, spoken) for link, pages_of in games}
        first = [*files]
    else:
        files = {f"{link.address}/{name}": text for link, pages_of in games for name, text in pages_of.items()}
        links = [link._replace(address=f"{link.address}/{START}") for link, _ in games]
        if texts:
            made, pictures, more = _text_pages(texts, spoken)
            files |= made
            links += more
        files[START] = web.start_page(links, spoken)
        files |= {STYLE: _style(files, spoken), **scripts}
        first = [START]
    for start in (out / name for name in first):
        if start.is_file() and OURS not in start.read_text(encoding="utf-8", errors="replace"):
            found, hint = "pages of somebody else", "use another --out"
            raise ProblemsError(Problem("F131", Span(str(start)), "a new folder", found, hint=hint))
    with writing(out, "a folder to write in", "name another folder with --out"):
        for name, content in (pictures | {name: text.encode() for name, text in files.items()}).items():
            (out / name).parent.mkdir(parents=True, exist_ok=True)
            write_atomically(out / name, content)
    return tuple(out / name for name in first), tuple(dict.fromkeys((*problems, *advice_on(missing, spoken.tag))))


def _text_pages(folder: Path, language: Language) -> tuple[dict[str, str], dict[str, bytes], list[Link]]:
    """Return the pages of a folder's Markdown files and its pictures, by address in the site; links to the first pages.

    Raises ProblemsError: F101 for a folder without such files, F101 to F112 for files that cannot be read.
    """
    sources, pictures = {}, {}
    for path in sorted(folder.rglob("*.*")):
        name, kind = path.relative_to(folder).as_posix(), path.suffix.lower()
        if kind not in (".md", *_PICTURES) or not path.resolve().is_relative_to(folder.resolve()):
            continue
        if kind != ".md":
            pictures[name] = read_bytes(path, str(path))
            continue
        sources[name] = read_text(path, str(path))
        if problems := check_characters(sources[name], str(path)):
            raise ProblemsError(*problems)
    if not sources:
        found, hint = "no such file", "name a folder with Markdown files"
        raise ProblemsError(Problem("F101", Span(str(folder)), "Markdown files (.md)", found, hint=hint))
    made, first = text_pages(sources, pictures, language)
    links = [link._replace(address=f"{TEXTS}/{link.address}") for link in first]
    texts = {f"{TEXTS}/{name}": text for name, text in made.items()}
    return texts, {f"{TEXTS}/{name}": content for name, content in pictures.items()}, links


def _style(files: Mapping[str, str], language: Language) -> str:
    pages = (text for name, text in files.items() if name.endswith(".html"))
    return stylesheet([*pages, *language.entries.values()])  # scripts write entries, too


def _single(link: Link, files: Mapping[str, str], language: Language) -> str:
    return web.single_page(link.title, {**files, STYLE: _style(files, language)}, language)


def say_site(library: Library, name: str, language: Language) -> None:
    """Make the pages of a rule set in a language whose ``missing`` function collects the texts without an entry."""
    _game(library, name, [], language)
    web.start_page((), language)
    web.single_page(name, web.scripts(language), language)


def _game(library: Library, name: str, problems: list[Problem], language: Language) -> tuple[Link, dict[str, str]]:
    """Return the link to a rule set, and its pages in a language by the names of their files.

    Adds problems of its sheets to ``problems``.
    """
    say = language.say
    rules = load_valid(library, name)
    jobs = ruleset_jobs(library, [name], (), Findings(problems))
    # The names of sheets are the author's, so that they need a beginning of their own beside the other pages.
    papers = {f"sheet-{job.stem.removeprefix(f'{name}-')}.html": job.paper for job in jobs}
    said = {address: translated(paper, language, language.missing) for address, paper in papers.items()}
    sheets = [web.screen(paper, address, say) for address, paper in said.items() if isinstance(paper, Sheet)]
    if not sheets and not has_errors(problems):
        raise ProblemsError(no_sheets(name))
    title, about = say(rules.manifest.title), say(rules.manifest.about)
    designs = bool(kinds_of_designs(rules.kinds))
    samples = [load_force_file(library, example.path) for example in examples(rules.chain, SAMPLES).values()]
    fight = bool(samples) and any(card.duels for card in rules.cards.values())
    links = [Link(title, START), *([Link(say("Forces"), FORCE_PAGE)] if designs else [])]
    links += [Link(say("Force against force"), MATRIX_PAGE)] if fight else []
    links += [Link(sheet.title, sheet.address) for sheet in sheets]
    files = {sheet.address: web.sheet_page(sheet, links, title, language) for sheet in sheets}
    files |= {sheet.odds_address: web.script("Odds", sheet.odds) for sheet in sheets if sheet.odds}
    files[START] = web.game_page(title, about, links, sheets, language)
    files[WORDS] = web.script("Index", web.search_index(sheets))
    if designs:
        prices = said_data(price_data(rules, samples), say)
        cells = (cell for table in prices["tables"].values() for row in table["rows"] for cell in row)
        words = {cell: language.entries[cell] for cell in cells if isinstance(cell, str) and cell in language.entries}
        files[FORCE_PAGE] = web.tool_page("force", links, title, language, web.RULES)
        files[web.RULES] = web.script("Rules", prices | ({"words": words} if words else {}))
        files[web.ODDS] = web.script("Shots", said_data(shot_data(rules), say))
    if fight:
        files[MATRIX_PAGE] = web.tool_page("matrix", links, title, language, web.RULES, web.ODDS)
    return Link(title, name, about), files


HOST = "127.0.0.1"
TYPES = {".html": "text/html; charset=utf-8", ".css": "text/css", ".js": "text/javascript", ".png": "image/png"}
DPI = 110
"""A page of A4 is 910 pixels wide, about its own size on a screen."""
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
    static = {path.name: path.read_bytes() for path in (templates() / "preview").iterdir()}

    class Pages(Handler):
        def get(self) -> None:
            if self.path == "/state":
                self.answer(preview.shown.state(), "application/json")
            else:
                name = self.path.removeprefix("/") or "index.html"
                content = preview.picture(name.removesuffix(".png")) or static.get(name)
                self.answer(content, TYPES.get(Path(name).suffix or ".png", ""))

    return Pages
