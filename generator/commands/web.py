"""Write rule sets and texts in Markdown as a site, which a browser opens from the disk or from a server."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from generator.commands.access import load_valid, no_sheets, rulesets_named, writing
from generator.commands.forces import load_force_file
from generator.commands.jobs import Findings
from generator.commands.languages import advice_on, load_language
from generator.commands.printing import ruleset_jobs
from generator.documents.web import price_data, said_data, shot_data
from generator.files import all_or_none
from generator.parsing.text import check_characters, read_bytes, read_text, split_lines
from generator.problems import Problem, ProblemsError, Span, has_errors, raise_any, raise_errors
from generator.render import web
from generator.render.blocks import Sheet
from generator.render.language import ENGLISH, Language, translated
from generator.render.web import Link
from generator.rules.entries.kinds import kinds_of_designs
from generator.rules.source.library import SAMPLES, Library, examples

START = "index.html"
OURS = '<meta name="generator" content="fieldpress"/>'
"""The mark of every page of a site: a page without it is not written over, and a server does not list it."""
FORCE_PAGE, MATRIX_PAGE = "force.html", "matrix.html"
STYLE = "style.css"
LISTED = ".fieldpress-site"
"""The list of the files of a site, so that the next site in the folder replaces all of them."""
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
    """Write the pages of the named rule sets into a folder; return the pages to open first, and all advice.

    With ``single``, each rule set is one file. Otherwise one page leads to all rule sets and to the Markdown files of
    the folder ``texts``, which ``single`` ignores. Without ``single``, other files of an earlier site are deleted.
    ``language`` is a tag such as de; texts without an entry stay English, with advice. Raises ProblemsError before
    anything is written if the rule data has errors. Codes: R301 or F101 an unknown rule set; R319 no sheets; F131 a
    folder that cannot be written, or has a file of somebody else with the name of a new file; F101 to F112 texts that
    cannot be read; F145 no such language, or entries with mistakes.
    """
    names = rulesets_named(library, what)
    missing: dict[str, None] = {}
    spoken = load_language(library, language)[0]._replace(missing=missing.setdefault) if language else ENGLISH
    problems: list[Problem] = []
    games = []
    for done, name in enumerate(names):
        progress(done, len(names), name)
        games.append(_game(library, name, problems, spoken))
    raise_errors(tuple(dict.fromkeys(problems)))
    scripts = web.scripts(spoken)
    pictures: dict[str, bytes] = {}
    if single:
        files = {f"{link.address}.html": _single(link, pages_of | scripts, spoken) for link, pages_of in games}
        first = [*files]
    else:
        files = {f"{link.address}/{name}": text for link, pages_of in games for name, text in pages_of.items()}
        links = [link._replace(address=f"{link.address}/{START}") for link, _ in games]
        if texts:
            made, pictures, more = _text_pages(texts, spoken, problems)
            files |= made
            links += more
        files[START] = web.page("start", spoken, games=links)
        files |= {STYLE: _style(files, spoken), **scripts}
        first = [START]
    contents = pictures | {name: text.encode() for name, text in files.items()}
    earlier = _earlier_files(out)
    for path in (out / name for name in contents if name not in earlier or name.endswith(".html")):
        if path.is_file() and OURS not in path.read_text(encoding="utf-8", errors="replace"):
            found, hint = "a file of somebody else", "move it away, or use another --out"
            raise ProblemsError(Problem("F131", Span(str(path)), "a new folder", found, hint=hint))
    stale: list[Path] = []
    if not single:
        stale = [out / name for name in earlier if name not in contents]
        contents[LISTED] = "\n".join(contents).encode()
    with writing(out, "a folder to write in", "name another folder with --out"):
        with all_or_none() as write:
            for name, content in contents.items():
                (out / name).parent.mkdir(parents=True, exist_ok=True)
                write(out / name, content)
        for path in stale:
            path.unlink(missing_ok=True)
    return tuple(out / name for name in first), tuple(dict.fromkeys((*problems, *advice_on(missing, spoken.tag))))


def _earlier_files(out: Path) -> list[str]:
    """Return the names of the files of an earlier site in the folder; empty without a list of them or a start page.

    Without the start page of a site, a list in the folder is somebody else's, and so are the files that it names.
    Names of files outside the folder are left out.
    """
    listed = out / LISTED
    is_site = listed.is_file() and (out / START).is_file()
    names = listed.read_text(encoding="utf-8").splitlines() if is_site else []
    return [name for name in names if (out / name).resolve().is_relative_to(out.resolve())]


def _text_pages(
    folder: Path, language: Language, problems: list[Problem]
) -> tuple[dict[str, str], dict[str, bytes], list[Link]]:
    """Return the pages of a folder's Markdown files and its pictures, by address in the site; links to the first pages.

    ``web.text_pages`` says which pages are first. Hidden files, and files in hidden folders, are left out, and so are
    symbolic links out of the folder. Adds advice (F141) for each link to a file or a heading that does not exist, and
    for each missing picture. Raises ProblemsError: F101 for a folder without Markdown files, F101 to F112 for files
    that cannot be read.
    """
    sources, pictures = {}, {}
    for path in sorted(folder.rglob("*.*")):
        name, kind = path.relative_to(folder).as_posix(), path.suffix.lower()
        if "/." in f"/{name}" or kind not in (".md", *_PICTURES) or not path.resolve().is_relative_to(folder.resolve()):
            continue
        if kind != ".md":
            pictures[f"{TEXTS}/{name}"] = read_bytes(path, str(path))
            continue
        sources[f"{TEXTS}/{name}"] = read_text(path, str(path))
        raise_any(check_characters(sources[f"{TEXTS}/{name}"], str(path)))
    if not sources:
        found, hint = "no such file", "name a folder with Markdown files"
        raise ProblemsError(Problem("F101", Span(str(folder)), "Markdown files (.md)", found, hint=hint))
    pages, first, lost = web.text_pages(sources, pictures, language)
    for name, line, address, near in lost:
        file = folder / name.removeprefix(f"{TEXTS}/")
        if near or not (file.parent / address.partition("#")[0]).exists():
            span = Span(str(file), line, 1, split_lines(sources[name])[line - 1])
            hint = near or "correct the link, or put the file into the folder"
            expected = "a link to a heading" if near else "a link to a file"
            problems.append(Problem("F141", span, expected, address, hint=hint, severity="advice"))
    return pages, pictures, first


def _style(files: Mapping[str, str], language: Language) -> str:
    pages = (text for name, text in files.items() if name.endswith(".html"))
    return web.stylesheet([*pages, *language.entries.values()])  # scripts write entries, too


def _single(link: Link, files: Mapping[str, str], language: Language) -> str:
    return web.single_page(link.title, {**files, STYLE: _style(files, language)}, language)


def say_site(library: Library, name: str, language: Language) -> None:
    """Make the pages of a rule set only to collect texts without an entry, by the ``missing`` function of the language.

    The pages are not kept. Raises ProblemsError as ``_game`` does.
    """
    _game(library, name, [], language)
    web.page("start", language, games=())
    web.single_page(name, web.scripts(language), language)


def _game(library: Library, name: str, problems: list[Problem], language: Language) -> tuple[Link, dict[str, str]]:
    """Return the link to a rule set, and its pages and scripts in a language by the names of their files.

    Adds the problems that checks find to ``problems``, such as R319 for a rule set without any sheets. Raises
    ProblemsError for a rule set or a sample that cannot be loaded. Also raises it for a rule set with sheets of kinds
    only (R319), unless ``problems`` has errors.
    """
    say = language.say
    rules = load_valid(library, name)
    jobs = ruleset_jobs(library, [name], (), Findings(problems))
    # The names of sheets are the author's, so that they need a beginning of their own beside the other pages.
    papers = {f"sheet-{job.stem.removeprefix(f'{name}-')}.html": job.paper for job in jobs}
    said = {address: translated(paper, language) for address, paper in papers.items()}
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
    named = {"game": title, "links": links}
    files = {sheet.address: web.page("sheet", language, sheet=sheet, **named) for sheet in sheets}
    files |= {sheet.odds_address: web.script("Odds", sheet.odds) for sheet in sheets if sheet.odds}
    files[START] = web.page("game", language, strap=about, sheets=sheets, **named)
    files[WORDS] = web.script("Index", web.search_index(sheets))
    if designs:
        prices = said_data(price_data(rules, samples), say)
        cells = (cell for table in prices["tables"].values() for row in table["rows"] for cell in row)
        words = {cell: language.entries[cell] for cell in cells if isinstance(cell, str) and cell in language.entries}
        files[FORCE_PAGE] = web.page("tool", language, tool="force", data=(web.RULES,), **named)
        files[web.RULES] = web.script("Rules", prices | ({"words": words} if words else {}))
        files[web.ODDS] = web.script("Shots", said_data(shot_data(rules), say))
    if fight:
        files[MATRIX_PAGE] = web.page("tool", language, tool="matrix", data=(web.RULES, web.ODDS), **named)
    return Link(title, name, about), files
