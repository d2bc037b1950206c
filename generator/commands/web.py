"""Write rule sets as a site: a folder of pages that a browser opens from the disk, without a server."""

from __future__ import annotations

from typing import TYPE_CHECKING

from generator import resources
from generator.commands.access import load_valid, no_sheets, rulesets_named, writing
from generator.commands.forces import load_force_file
from generator.commands.jobs import Findings
from generator.commands.printing import ruleset_jobs
from generator.commands.server import OURS, START
from generator.documents.web import price_data, shot_data
from generator.files import write_atomically
from generator.parsing.text import check_characters, read_bytes, read_text
from generator.problems import Problem, ProblemsError, Span, has_errors
from generator.render import web
from generator.render.blocks import Sheet
from generator.render.web import Link, stylesheet, text_pages
from generator.rules.entries.kinds import kinds_of_designs
from generator.rules.source.library import SAMPLES, Library, examples

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from pathlib import Path

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
) -> tuple[tuple[Path, ...], tuple[Problem, ...]]:
    """Write the pages of the named rule sets into a folder; return the pages to open first, and advice on the rules.

    With ``single``, each rule set is written into one file; otherwise one page leads to all rule sets, and to the pages
    of the Markdown files in the folder ``texts``. Nothing is written if the rule data has errors.

    Raises ProblemsError: R301 for an unknown rule set, R319 for a rule set without sheets, F131 for a folder that
    cannot be written. Raises ProblemsError, too, for texts that cannot be read (F101 to F112).
    """
    names = rulesets_named(library, what)
    problems: list[Problem] = []
    games = []
    for done, name in enumerate(names):
        progress(done, len(names), name)
        games.append(_game(library, name, problems))
    if has_errors(problems):
        raise ProblemsError(*dict.fromkeys(problems))
    paths = (resources.templates() / "web").glob("*.js")
    scripts = {path.name: path.read_text(encoding="utf-8") for path in paths}
    pictures: dict[str, bytes] = {}
    if single:
        files = {f"{link.address}.html": _single(link, pages_of | scripts) for link, pages_of in games}
        first = [*files]
    else:
        files = {f"{link.address}/{name}": text for link, pages_of in games for name, text in pages_of.items()}
        links = [link._replace(address=f"{link.address}/{START}") for link, _ in games]
        if texts:
            made, pictures, more = _text_pages(texts)
            files |= made
            links += more
        files[START] = web.start_page(links)
        files |= {STYLE: _style(files), **scripts}
        first = [START]
    for start in (out / name for name in first):
        if start.is_file() and OURS not in start.read_text(encoding="utf-8", errors="replace"):
            found, hint = "pages of somebody else", "use another --out"
            raise ProblemsError(Problem("F131", Span(str(start)), "a new folder", found, hint=hint))
    with writing(out, "a folder to write in", "name another folder with --out"):
        for name, content in (pictures | {name: text.encode() for name, text in files.items()}).items():
            (out / name).parent.mkdir(parents=True, exist_ok=True)
            write_atomically(out / name, content)
    return tuple(out / name for name in first), tuple(dict.fromkeys(problems))


def _text_pages(folder: Path) -> tuple[dict[str, str], dict[str, bytes], list[Link]]:
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
    made, first = text_pages(sources, pictures)
    links = [link._replace(address=f"{TEXTS}/{link.address}") for link in first]
    texts = {f"{TEXTS}/{name}": text for name, text in made.items()}
    return texts, {f"{TEXTS}/{name}": content for name, content in pictures.items()}, links


def _style(files: Mapping[str, str]) -> str:
    return stylesheet(text for name, text in files.items() if name.endswith(".html"))


def _single(link: Link, files: Mapping[str, str]) -> str:
    return web.single_page(link.title, {**files, STYLE: _style(files)})


def _game(library: Library, name: str, problems: list[Problem]) -> tuple[Link, dict[str, str]]:
    """Return the link to a rule set, and its pages by the names of their files.

    Adds problems of its sheets to ``problems``.
    """
    rules = load_valid(library, name)
    jobs = ruleset_jobs(library, [name], (), Findings(problems))
    # The names of sheets are the author's, so that they need a beginning of their own beside the other pages.
    papers = {f"sheet-{job.stem.removeprefix(f'{name}-')}.html": job.paper for job in jobs}
    sheets = [web.screen(paper, address) for address, paper in papers.items() if isinstance(paper, Sheet)]
    if not sheets and not has_errors(problems):
        raise ProblemsError(no_sheets(name))
    manifest = rules.manifest
    designs = bool(kinds_of_designs(rules.kinds))
    samples = [load_force_file(library, example.path) for example in examples(rules.chain, SAMPLES).values()]
    fight = bool(samples) and any(card.duels for card in rules.cards.values())
    links = [Link(manifest.title, START), *([Link("Forces", FORCE_PAGE)] if designs else [])]
    links += [Link("Force against force", MATRIX_PAGE)] if fight else []
    links += [Link(sheet.title, sheet.address) for sheet in sheets]
    files = {sheet.address: web.sheet_page(sheet, links, manifest.title) for sheet in sheets}
    files |= {sheet.odds_address: web.script("Odds", sheet.odds) for sheet in sheets if sheet.odds}
    files[START] = web.game_page(manifest.title, manifest.about, links, sheets)
    files[WORDS] = web.script("Index", web.search_index(sheets))
    if designs:
        files[FORCE_PAGE] = web.tool_page("force", links, manifest.title, web.RULES)
        files[web.RULES] = web.script("Rules", price_data(rules, samples))
        files[web.ODDS] = web.script("Shots", shot_data(rules))
    if fight:
        files[MATRIX_PAGE] = web.tool_page("matrix", links, manifest.title, web.RULES, web.ODDS)
    return Link(manifest.title, name, manifest.about), files
