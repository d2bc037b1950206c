"""Pages for a screen, made of the same blocks as paper: sheets, texts in Markdown, tools, and their style sheet."""

from __future__ import annotations

import json
import re
from base64 import b64encode
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from fractions import Fraction
from functools import cache, lru_cache
from html import unescape
from io import BytesIO
from itertools import count
from posixpath import dirname, join, normpath, relpath
from typing import TYPE_CHECKING, Any, NamedTuple
from urllib.parse import quote, unquote

from markupsafe import Markup

from generator import resources
from generator.problems import suggest
from generator.render.geometry import geometry
from generator.render.imprinted import face_rule
from generator.render.language import ENGLISH, Language
from generator.render.page.html import environment
from generator.render.type.fonts import DICE, FACES, Face, face_file

if TYPE_CHECKING:
    from markdown_it import MarkdownIt

    from generator.render.blocks import Sheet

_PARTED = re.compile(r'<(?P<tag>section|h2) id="(?P<id>[^"]*)"[^>]* data-block="(?P<title>[^"]*)"[^>]*>')
_STYLED = re.compile(r'(?P<before><\w[^<>]*) style="(?P<style>[^"]*)"(?P<after>[^<>]*>)')
_EMPTY_HEAD = re.compile(r'<th(?: [^>]*)?>(<div class="line"></div>)?</th>')
FRAMED = re.compile(r"<table.*?</table>", re.DOTALL)
_ROW_END = re.compile(r"</(?:tr|li|p|h2|h3|caption)>")
_CELL_END = re.compile(r"</(?:td|th)>")
_TAG = re.compile(r"<[^>]*>")
_SPACE = re.compile(r"\s+")
RULES, ODDS = "rules.js", "odds.js"
"""The scripts with the prices and the odds of a game."""
_SAID = re.compile(r'\bsay\("([^"]*)"')
"""A text in a script."""
MOST_ROWS = 400
"""The most rows of one part in the index of the search."""


class LinkedPart(NamedTuple):
    """A part of a sheet that a link can lead to, with its rows in plain words."""

    id: str
    title: str
    rows: tuple[str, ...]
    is_phase: bool


class Screen(NamedTuple):
    """A sheet as a web page: its address, HTML, styles, parts to link to, and odds."""

    sheet: Sheet
    address: str
    body: Markup
    styles: Markup
    parts: tuple[LinkedPart, ...]
    odds: Sequence[Any]
    """The distributions of its odds cells: each a list of outcomes with their exact chances."""

    @property
    def title(self) -> str:
        """The title of the sheet, or the first words of its kicker if the name of its game begins with this title."""
        kind, *game = self.sheet.kicker or ("",)
        return kind.split(" · ")[0] if any(name.startswith(self.sheet.title) for name in game) else self.sheet.title

    @property
    def odds_address(self) -> str:
        """The address of the script with the distributions.

        The page loads the script when a reader asks for a distribution.
        """
        return f"{self.address.removesuffix('.html')}-odds.js"

    @property
    def contents(self) -> Sequence[LinkedPart]:
        """The parts that a list of contents names: the phases of a play sheet, or the titled sections of any other."""
        return [part for part in self.parts if part.is_phase == self.sheet.plays and part.title]


class Link(NamedTuple):
    """A page in the navigation: its title, its address relative to the page, and what it is about."""

    title: str
    address: str
    says: str = ""


def screen(sheet: Sheet, address: str, say: Callable[[str], str]) -> Screen:
    """Return a sheet rendered for the screen; ``address`` is the name of its file, which ends in ``.html``.

    ``say`` translates the outcomes in its distributions.
    """
    distributions: dict[tuple[tuple[str, Fraction], ...], int] = {}
    counters = {"numbers": count(), "ids": count(1), "distributions": distributions}
    template = environment().get_template("web/body.html.j2")
    html = template.render(sheet=sheet, page=geometry("a4"), ink="colour", loose=frozenset(), **counters)
    html = sheet.theme.resolve(html, "colour")
    html = _EMPTY_HEAD.sub(r"<td>\1</td>", html)
    odds = [[[say(label), str(chance)] for label, chance in cells] for cells in distributions]
    html, styles = _with_classes(html)
    body = Markup(html)  # noqa: S704 - made of our templates
    return Screen(sheet, address, body, Markup(styles), _parts(html), odds)  # noqa: S704 - made of our templates


def _with_classes(html: str) -> tuple[str, str]:
    """Return HTML with classes instead of its inline styles, and the CSS of these classes.

    Equal styles share a class, because maps of hexes repeat their long styles.
    """
    classes: dict[str, str] = {}

    def with_class(match: re.Match[str]) -> str:
        name = classes.setdefault(match["style"], f"s{len(classes)}")
        tag = match["before"] + match["after"]
        classed = tag.replace('class="', f'class="{name} ', 1)
        return classed if classed != tag else f'{match["before"]} class="{name}"{match["after"]}'

    html = _STYLED.sub(with_class, html)
    return html, "".join(f".{name} {{ {style} }}" for style, name in classes.items())


def _parts(html: str) -> tuple[LinkedPart, ...]:
    """Return the parts of a rendered sheet: its phases, without rows, and its sections.

    A section without a title has the title of its phase, and at most MOST_ROWS rows of a section are kept.
    """
    parts = []
    phase = ""
    found = [*_PARTED.finditer(html)]
    ends = [*(match.start() for match in found[1:]), len(html)]
    for match, end in zip(found, ends, strict=True):
        title = unescape(match["title"])
        phase = title if match["tag"] == "h2" else phase
        rows = _rows(html[match.end() : end]) if match["tag"] == "section" else []
        rows = rows[1:] if title else rows  # the first row is the title
        parts.append(LinkedPart(match["id"], title or phase, tuple(rows[:MOST_ROWS]), match["tag"] == "h2"))
    return tuple(parts)


def _rows(html: str) -> list[str]:
    """Return the lines of text in HTML: each row, item, paragraph, heading and caption, with dots between the cells."""
    rows = (_CELL_END.sub(" · ", row) for row in _ROW_END.split(html))
    texts = (_SPACE.sub(" ", unescape(_TAG.sub(" ", row))).strip(" ·") for row in rows)
    return [text for text in texts if text]


def scripts(language: Language) -> dict[str, str]:
    """Return the JavaScript of the site by file name.

    Unless the language is English, ``elements.js`` begins with the texts of all scripts in the language.
    """
    paths = sorted((resources.templates() / "web").glob("*.js"))
    found = {path.name: path.read_text(encoding="utf-8") for path in paths}
    texts = {text: language.say(text) for code in found.values() for text in _SAID.findall(code)}
    table = script("Says", texts) if language != ENGLISH else ""
    return found | {"elements.js": table + found["elements.js"]}


def single_page(title: str, files: Mapping[str, str], language: Language) -> str:
    """Return a site of one game in one HTML file.

    ``files`` are its pages, styles and scripts by name; ``single.js``, which shows the pages, must be one.
    """
    pages = {name: text for name, text in files.items() if name.endswith(".html")}
    site = {"pages": pages, "files": {name: text for name, text in files.items() if name not in pages}}
    script = Markup(files["single.js"])  # noqa: S704 - ours
    return page("single", language, title=title, site=_data(site), script=script)


def search_index(sheets: Sequence[Screen]) -> list[dict[str, Any]]:
    """Return what the search of a game looks through: an entry for each part of its sheets that has rows.

    An entry has the ``title`` of the screen, the address and title of the part, and its rows as plain text, at most
    ``MOST_ROWS``. A part without a title has the title of the screen.
    """
    parts = ((shown, part) for shown in sheets for part in shown.parts if part.rows)
    return [
        {"sheet": of.title, "address": f"{of.address}#{part.id}", "title": part.title or of.title, "rows": part.rows}
        for of, part in parts
    ]


def script(name: str, data: Any) -> str:
    """Return the JavaScript that stores data for pages in a global variable: ``fieldpress`` and then ``name``.

    ``name`` begins with a capital, such as ``Odds``.
    """
    return f"globalThis.fieldpress{name} = {_data(data)};\n"


def page(name: str, language: Language, **names: Any) -> str:
    """Return a page as HTML, made by the template ``web/NAME.html.j2`` with these names.

    The labels of the template are in the language. The template also gets ``lang`` and ``say``, which replace names of
    the caller. Raises an error of Jinja if a name that the template needs is missing.
    """
    names |= {"lang": language.tag, "say": language.say}
    return environment().get_template(f"web/{name}.html.j2").render(**names)


def to_script(data: Any) -> str:
    """Return data as JSON for a script: a fraction as its text under "/", and several dice as a text such as "2D6".

    >>> to_script((Fraction(3, 2), 4, None, True))
    '[{"/":"3/2"},4,null,true]'
    """

    def plain(value: object) -> object:
        if isinstance(value, Fraction):
            return {"/": str(value)}
        return dict(value) if isinstance(value, Mapping) else str(value)

    return json.dumps(data, ensure_ascii=False, separators=(",", ":"), default=plain)


def _data(data: Any) -> Markup:
    """Return data as JSON that can stand inside a script element."""
    text = to_script(data).replace("</", "<\\/").replace("<!--", "<\\u0021--").replace("\u2028", "\\u2028")
    return Markup(text)  # noqa: S704 - neither the end of the element nor a comment can be in it


_SITES = ("https://", "http://", "mailto:")
_NO_ID = re.compile(r"[^\w\- ]")


def address_of(name: str) -> str:
    """Return the address of the page of a Markdown file: its name with ``.html`` instead of ``.md``.

    ``name`` must end in ``.md``. A README.md is the page of its folder, ``index.html``.
    """
    return re.sub(r"(^|/)README\.md$", r"\1index.md", name)[: -len(".md")] + ".html"


def text_pages(
    texts: Mapping[str, str], pictures: Collection[str], language: Language
) -> tuple[dict[str, str], list[Link], list[tuple[str, int, str, str]]]:
    """Return the pages by their addresses, links to the first pages, and the lost links.

    A lost link or picture leads to a heading or a file that is missing. It has the text's name, the line, the address
    and a hint; the hint is empty unless the heading is missing.

    ``texts`` are in Markdown, by their names in the site, such as "texts/README.md"; there is at least one.
    ``pictures`` are the names of pictures in the site. The first page is the README of the top folder. Without this
    README, all texts nearest to the top are first pages. Raw HTML is shown as text. A link to a file that is
    not in the site becomes plain text, and so does a picture that is not in the site.
    """
    made = {name: _Text(name, text, {*texts, *pictures}) for name, text in texts.items()}
    depth = min(name.count("/") for name in texts)
    first = [name for name in texts if name.count("/") == depth]
    first = [name for name in first if name.count("/") == 1 and name.endswith("/README.md")] or first
    pages = {}
    for name in sorted(made, key=lambda name: name.endswith("README.md")):  # a README wins over an index.md
        folder = dirname(name)
        links = [Link(made[home].title, quote(relpath(address_of(home), folder))) for home in first]
        up, here = "../" * name.count("/"), quote(relpath(address_of(name), folder))
        pages[address_of(name)] = page("text", language, up=up, text=made[name], links=links, here=here)
    lost = [
        (name, line, address, suggest(part, made[to].parts) if to in made else "")
        for name, text in made.items()
        for line, address, to, part in text.links
        if (part not in made[to].parts if to in made else to not in pictures)
    ]
    return pages, [Link(made[name].title, quote(address_of(name))) for name in first], lost


class _Text:
    """A text in Markdown as HTML, without its title."""

    def __init__(self, name: str, text: str, known: Collection[str]) -> None:
        self._name, self._folder = name, dirname(name)
        self._known = known
        self.title = name.partition("/")[2]
        self.links: list[tuple[int, str, str, str]] = []
        """The line and address of each link to a heading or an unknown file, with the file's name and the heading."""
        self.parts: list[str] = []
        """The ids of its headings."""
        tokens, parts = _parser().parse(text), Counter[str]()
        for number, token in enumerate(tokens):
            if token.type == "heading_open":
                part = _NO_ID.sub("", tokens[number + 1].content.lower()).replace(" ", "-")
                self.parts.append(f"{part}-{parts[part]}" if parts[part] else part)
                token.attrs["id"] = self.parts[-1]
                parts[part] += 1
            self._lead(token.children or (), token.map[0] + 1 if token.map else 1)
        if len(tokens) > 1 and tokens[0].tag == "h1":
            self.title = "".join(token.content for token in tokens[1].children or ())
            tokens = tokens[3:]
        html = _parser().renderer.render(tokens, _parser().options, {})
        # What is wide scrolls, also by keys.
        html = FRAMED.sub(r'<div class="frame" tabindex="0">\g<0></div>', html.replace("<pre>", '<pre tabindex="0">'))
        self.body = Markup(html)  # noqa: S704 - raw HTML is escaped

    def _lead(self, tokens: Any, line: int) -> None:
        """Let links and pictures in ``tokens`` lead to files of the site; those of unknown files become plain text.

        Links to web sites and mail addresses stay. Pictures from web sites become plain text. Links to headings, and
        links and pictures of unknown files, are added to ``self.links``. ``line`` is the line of the first token.
        """
        opened: Any = None
        for token in tokens:
            line += token.type in ("softbreak", "hardbreak")
            if token.type == "link_open":
                opened = token
                token.attrs["href"] = self._address(str(token.attrs["href"]), line)
            if token.type in ("link_open", "link_close") and not opened.attrs.get("href"):
                token.tag = "span"
                token.attrs = {}
            if token.type == "image":
                token.attrs["src"] = address = self._address(str(token.attrs["src"]), line)
                if not address or address.startswith((*_SITES, "#")):
                    token.type = "text"

    def _address(self, address: str, line: int) -> str:
        """Return the address of a link for its page; empty for an unknown file. An address of another site stays.

        Links to unknown files and to headings are added to ``self.links``. A query, such as ``?raw`` in
        ``list.csv?raw``, is in the returned address, but not in ``self.links``.
        """
        if address.startswith(_SITES):
            return address
        before, mark, part = address.partition("#")
        path, *query = before.partition("?")
        name = normpath(join(self._folder, unquote(path))) if path else self._name
        if part or name not in self._known:
            self.links.append((line, unquote(f"{path}{mark}{part}"), name, unquote(part)))
        if not path or name not in self._known:
            return "" if path else address
        address = address_of(name) if name.lower().endswith(".md") else name
        return "".join((quote(relpath(address, self._folder)), *query, mark, part))


@cache
def _parser() -> MarkdownIt:
    from markdown_it import MarkdownIt

    return MarkdownIt("commonmark", {"html": False}).enable("table")


_USED = ("sans", "sans-semibold", "sans-bold", "sans-black", "serif", "serif-italic", DICE)
"""The faces that the style sheet of the site uses."""
_ALWAYS = {*map(chr, range(32, 127)), *"×÷−–—’“”…·≤≥≠½±▾▴◐✕✓"}
"""Letters that scripts may write."""


def stylesheet(pages: Iterable[str]) -> str:
    """Return the style sheet for these pages, given as HTML, with fonts that have the letters of these pages.

    Fonts are inside, because some browsers read no font from a disk. Raises RenderError if a font is not installed.
    """
    letters = frozenset(_ALWAYS.union(*map(set, pages)))
    rules = []
    for face in (face for face in FACES if face.id in _USED):
        address = f"data:font/woff2;base64,{b64encode(_cut(face, letters)).decode()}"
        rules.append(face_rule(face.family, face.weight, address, italic=face.italic))
    css = (resources.templates() / "web" / "site.css").read_text(encoding="utf-8")
    return "\n".join([*rules, css])


@lru_cache(maxsize=32)
def _cut(face: Face, letters: frozenset[str]) -> bytes:
    """Return a face as WOFF2 with only these letters. The result is cached, because most sites have the same letters.

    The face of drawn dice keeps all letters, because its dice are ligatures.
    """
    import logging

    from fontTools.subset import Options, Subsetter
    from fontTools.ttLib import TTFont

    logging.getLogger("fontTools").setLevel(logging.ERROR)  # it warns of the dates in the face of the dice
    stream = BytesIO()
    # A lazy font reads only the kerning of the letters that stay.
    with TTFont(face_file(face.id), recalcTimestamp=False, lazy=True) as font:
        if face.id != DICE:
            cutter = Subsetter(Options(layout_features=["kern", "liga", "tnum"], hinting=False))
            cutter.populate(text="".join(letters))
            cutter.subset(font)
        font.flavor = "woff2"
        font.save(stream)
    return stream.getvalue()
