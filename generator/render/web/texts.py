"""Render a folder of Markdown files as pages of the site."""

from __future__ import annotations

import re
from collections import Counter
from functools import cache
from posixpath import dirname, join, normpath, relpath
from typing import TYPE_CHECKING, Any
from urllib.parse import quote, unquote

from markupsafe import Markup

from generator.render.web.pages import FRAMED, Link, page

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    from markdown_it import MarkdownIt

_SITES = ("https://", "http://", "#")
_NO_ID = re.compile(r"[^\w\- ]")


def address_of(name: str) -> str:
    """Return the address of the page of a Markdown file: its name with ``.html`` instead of ``.md``.

    A README.md is the page of its folder, ``index.html``.
    """
    return re.sub(r"(^|/)README\.md$", r"\1index.md", name)[: -len(".md")] + ".html"


def text_pages(texts: Mapping[str, str], pictures: Collection[str]) -> tuple[dict[str, str], list[Link]]:
    """Return the pages by their addresses in the folder, and links to the first pages.

    The first page is the README of the folder; without a README, all texts nearest to the top are first pages.
    ``texts`` are in Markdown, by their names in the folder; there is at least one. Raw HTML is printed as it is
    written. ``pictures`` are the names of pictures in the folder. A link to another file, and a picture that is not
    there, become plain text.
    """
    made = {name: _Text(name, text, {*texts, *pictures}) for name, text in texts.items()}
    depth = min(name.count("/") for name in texts)
    first = [name for name in texts if name.count("/") == depth]
    first = ["README.md"] if "README.md" in texts else first
    pages = {}
    for name in sorted(made, key=lambda name: name.endswith("README.md")):  # a README wins over an index.md
        folder = dirname(name) or "."
        links = [Link(made[home].title, quote(relpath(address_of(home), folder))) for home in first]
        pages[address_of(name)] = page(
            "text", up="../" * (name.count("/") + 1), title=made[name].title, strap="", game="", links=links,
            here=quote(relpath(address_of(name), folder)), scripts=(), body=made[name].body,
        )  # fmt: skip
    return pages, [Link(made[name].title, quote(address_of(name))) for name in first]


class _Text:
    """A text in Markdown as HTML, without its title."""

    def __init__(self, name: str, text: str, known: Collection[str]) -> None:
        self._folder = dirname(name)
        self._known = known
        self.title = name
        tokens = _parser().parse(text)
        if len(tokens) > 1 and tokens[0].tag == "h1":
            self.title = "".join(token.content for token in tokens[1].children or ())
            tokens = tokens[3:]
        parts = Counter[str]()
        for number, token in enumerate(tokens):
            if token.type == "heading_open":
                part = _NO_ID.sub("", tokens[number + 1].content.lower()).replace(" ", "-")
                token.attrs["id"] = f"{part}-{parts[part]}" if parts[part] else part
                parts[part] += 1
            self._lead(token.children or ())
        html = _parser().renderer.render(tokens, _parser().options, {})
        # What is wide scrolls, also by keys.
        html = FRAMED.sub(r'<div class="frame" tabindex="0">\g<0></div>', html.replace("<pre>", '<pre tabindex="0">'))
        self.body = Markup(html)  # noqa: S704 - raw HTML is escaped

    def _lead(self, tokens: Any) -> None:
        """Let links and pictures lead to files of the site, or to nothing."""
        opened: Any = None
        for token in tokens:
            if token.type == "link_open":
                opened = token
                token.attrs["href"] = self._address(str(token.attrs["href"]))
            if token.type in ("link_open", "link_close") and not opened.attrs.get("href"):
                token.tag = "span"
                token.attrs = {}
            if token.type == "image":
                token.attrs["src"] = address = self._address(str(token.attrs["src"]))
                if not address or address.startswith(_SITES):
                    token.type = "text"

    def _address(self, address: str) -> str:
        if address.startswith(_SITES):
            return address
        path, mark, part = address.partition("#")
        name = normpath(join(self._folder, unquote(path)))
        if name not in self._known:
            return ""
        address = address_of(name) if name.lower().endswith(".md") else name
        return quote(relpath(address, self._folder or ".")) + mark + part


@cache
def _parser() -> MarkdownIt:
    from markdown_it import MarkdownIt

    return MarkdownIt("commonmark", {"html": False}).enable("table")
