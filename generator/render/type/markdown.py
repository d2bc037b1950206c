"""Markdown of chapters to safe HTML: headings, paragraphs, lists, tables, links; fences are left to the caller.

HTML in the text is not passed on. Pictures and unknown markup are reported as mistakes with their lines.
"""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple

from markupsafe import Markup, escape

from generator.problems import CLOSE, nearest, suggest
from generator.render.blocks import Cell, Column, Table
from generator.render.own_templates import Mistake
from generator.render.type.prose import STATUS, STATUSES, TOKEN, breakable, mark_up

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from markdown_it import MarkdownIt

_ID = re.compile(r"\s*\{#([a-z][a-z0-9-]*)\}\s*$")
_INDEX = re.compile(r"\s?\{index:\s*([^{}]+?)\s*\}")
_MARK = re.compile(r"(?<!\\)\{[^{}]*\}?")
"""A word in braces, or one that is not closed on its line."""
_OPEN = re.compile(r"\*\*|`|\]\(|(?<![\w*])\*(?=\w)|(?<=\w)\*(?![\w*])")
"""Markup that is left in a text because it has no other end."""
_BAR = re.compile(r"(?<!\\)\|")
_TAG = re.compile(r"</?[A-Za-z][^<>]*>|<!--|&#?\w+;|~~|\[\^\w*\]|^[-_*]{3,}$")
"""HTML, and marks of other kinds of Markdown."""
_SITES = ("https://", "http://", "mailto:")
_LITERAL = {"code_inline": "<b>{}</b>", "text_special": "{}"}
"""Text without marks: in backticks, or a sign after a backslash."""
_PLAIN = {
    "em_open": "<em>", "em_close": "</em>", "strong_open": "<strong>", "strong_close": "</strong>",
    "softbreak": " ", "hardbreak": "<br/>", "link_close": "</a>",
    "paragraph_close": "</p>", "bullet_list_open": '<ul class="points">', "bullet_list_close": "</ul>",
    "ordered_list_close": "</ol>", "list_item_close": "</li>", "blockquote_open": "<blockquote>",
    "blockquote_close": "</blockquote>",
}  # fmt: skip
_REFUSED = {
    kind: (f"{what} in a list or quotation", "text", "put it before or behind")
    for kind, what in (("fence", "a fence"), ("heading_open", "a heading"), ("table_open", "a table"))
} | {"image": ("![", "text without pictures", "print a picture with a fence: ``` figure")}
"""What may not stand in text: the mistake, what is expected, and a hint."""


class Node(NamedTuple):
    """A block of Markdown at the top level."""

    kind: str
    """``heading``, ``table``, ``fence`` or ``text``."""
    line: int
    """Its first line in the file, from 1."""
    tokens: tuple[Any, ...]
    """The parser's own tokens."""
    level: int = 0
    """The level of a heading."""
    id: str = ""
    """The id that a heading gives itself: ``## Launch {#launch}``."""
    text: str = ""
    """The source text of a heading without its id, the text inside a fence, the lines of a table."""
    word: str = ""
    """The words behind the opening of a fence."""
    closed: bool = True
    """Whether a fence has a line that ends it."""


def read_markdown(text: str, above: int = 0) -> list[Node]:
    """Return the blocks at the top level of a Markdown text, in order.

    The text begins ``above`` lines below the top of its file, so that the lines of blocks are those of the file.
    """
    nodes = []
    parsed = _parser().parse(text)
    lines = text.splitlines()
    for tokens in _top_level(parsed):
        first = tokens[0]
        source_lines = lines[slice(*first.map)] if first.map else []
        for token in tokens:
            token.map = [above + place for place in token.map] if token.map else None
        line = (first.map or [above])[0] + 1
        if first.type == "heading_open":
            source = tokens[1].content
            named = _ID.search(source)
            text = _ID.sub("", source)
            words = _parser().parseInline(text)[0].children
            level = int(first.tag[1])
            nodes.append(Node("heading", line, tuple(words or ()), level, named[1] if named else "", text))
        elif first.type == "fence":
            closed = len(source_lines) > 1 and source_lines[-1].strip(" >").startswith(first.markup)
            nodes.append(Node("fence", line, (), text=first.content, word=first.info.strip(), closed=closed))
        elif first.type == "table_open":
            nodes.append(Node("table", line, tokens, text="\n".join(source_lines)))
        else:
            nodes.append(Node("text", line, tokens))
    return nodes


def _top_level(tokens: Sequence[Any]) -> Iterator[tuple[Any, ...]]:
    """Yield the tokens of each block at the top level."""
    depth, start = 0, 0
    for index, token in enumerate(tokens):
        depth += token.nesting
        if depth == 0:
            yield tuple(tokens[start : index + 1])
            start = index + 1


class Writer:
    """Writes blocks of a chapter as HTML; collects the terms of the index, and mistakes in the text.

    Mistakes are in ``mistakes``, and do not stop the writer.
    """

    def __init__(self, labels: Mapping[str, str], index: dict[str, list[str]]) -> None:
        """Prepare to write.

        ``labels`` gives the label of each id, such as "Table 4.1"; terms are added to ``index``, with their anchors.
        """
        self._labels = labels
        self.index = index
        self.mistakes: list[Mistake] = []

    def html(self, node: Node) -> Markup:
        """Return a heading or a text as HTML. Mistakes in it are added to ``mistakes``."""
        return Markup("".join(self._pieces(node.tokens, node.line)))  # noqa: S704 - every piece is escaped

    def table(self, node: Node) -> Table:
        """Return a table of Markdown; bold and italic work in its cells. Mistakes in it are added to ``mistakes``.

        Its first row has the heads; a cell beyond the last head is a mistake.
        """
        rows: list[list[str]] = []
        aligned: list[str] = []
        line = node.line
        for token in node.tokens:
            if token.type == "tr_open":
                rows.append([])
                line = token.map[0] + 1
            elif token.type == "th_open":
                aligned.append(str(token.attrGet("style") or ""))
            elif token.type == "inline":
                rows[-1].append(token.content)
                "".join(self._pieces(token.children, line))  # for its mistakes
                if any(child.type == "link_open" for child in token.children):
                    hint = "write the reference in the text above or below the table"
                    self.mistakes.append(Mistake(line, "](", "a table without links", hint))
        columns = tuple(
            Column(head, align="right" if "right" in style else "centre" if "center" in style else "left")
            for head, style in zip(rows[0], aligned, strict=True)
        )
        for line, source in enumerate(node.text.splitlines(), start=node.line):
            found = len(_BAR.split(source.strip().removeprefix("|").removesuffix("|")))
            if found > len(columns):
                hint = "remove cells, or write \\| for the sign itself"
                self.mistakes.append(Mistake(line, source.strip(), f"a row of {len(columns)} cells", hint))
        cells = tuple(tuple(map(Cell, row)) for row in rows[1:])
        return Table(columns, cells, ", ".join(rows[0]), breakable=True)

    def _pieces(self, tokens: Sequence[Any], line: int) -> Iterator[str]:
        counts: list[int] = []
        """The next number of each open list; 0 for a list without numbers."""
        for token, after in zip(tokens, [*tokens, None][1:], strict=True):
            if token.type == "inline":
                yield from self._inline(token)
            elif token.type == "text":
                yield self._text(token.content, line)
            elif token.type in _LITERAL:
                yield _LITERAL[token.type].format(escape(token.content))
            elif token.type == "link_open":
                yield self._link(str(token.attrGet("href")), line, empty=after.type == "link_close")
            elif token.type in _REFUSED:
                self.mistakes.append(Mistake(token.map[0] + 1 if token.map else line, *_REFUSED[token.type]))
            elif token.type == "paragraph_open":
                yield "" if token.hidden else "<p>"
            elif token.type == "paragraph_close" and token.hidden:
                continue
            elif token.type == "ordered_list_open":
                counts.append(int(token.attrGet("start") or 1))
                yield '<ol class="steps">'
            elif token.type == "list_item_open":
                yield f'<li><span class="disc">{counts[-1]}</span>' if counts and counts[-1] else "<li>"
                if counts and counts[-1]:
                    counts[-1] += 1
            else:
                line += token.type == "softbreak"
                if token.type == "bullet_list_open":
                    counts.append(0)
                elif token.type.endswith("list_close"):
                    counts.pop()
                yield _PLAIN.get(token.type, "")

    def _inline(self, token: Any) -> Iterator[str]:
        """Yield the text of a paragraph, in an anchor if it has marks of the index."""
        pieces = self._pieces(token.children, token.map[0] + 1)
        terms = dict.fromkeys(_INDEX.findall(token.content))
        if not terms:
            yield from pieces
            return
        anchor = f"index-{sum(map(len, self.index.values()))}"
        for term in terms:
            self.index.setdefault(term, []).append(anchor)
        yield f'<span id="{anchor}">'
        yield from pieces
        yield "</span>"

    def _text(self, text: str, line: int) -> str:
        self._check_text(text, line)
        for sign in _OPEN.findall(text):
            hint = f"close it, or write \\{sign} for the sign itself"
            self.mistakes.append(Mistake(line, sign, "markup with an end", hint))
        return mark_up(str(escape(breakable(_INDEX.sub("", text)))))

    def _check_text(self, text: str, line: int) -> None:
        for mark in _MARK.findall(_INDEX.sub("", text)):
            if STATUS.fullmatch(mark) or TOKEN.fullmatch(mark):
                continue
            near = nearest(mark.strip("{}"), STATUSES, CLOSE)
            hint = "write {index:a term} on one line; after a heading write {#id} in small letters, digits and hyphens"
            hint = f"did you mean {{{near}}}?" if near else f"{hint}; for the sign itself write \\{{"
            self.mistakes.append(Mistake(line, mark, "a known mark in braces", hint))
        for tag in _TAG.findall(text):
            hint = f"write **bold**, *italic*, lists and fences; for the sign itself write \\{tag[0]}"
            self.mistakes.append(Mistake(line, tag, "plain Markdown", hint))

    def _link(self, address: str, line: int, *, empty: bool) -> str:
        if address.startswith("#"):
            label = self._labels.get(address[1:])
            if label is None:
                hint, expected = suggest(address[1:], self._labels), "the id of a heading, a table or a figure"
                self.mistakes.append(Mistake(line, address, expected, hint))
            return f'<a class="ref" href="{escape(address)}">{escape(label or "") if empty else ""}'
        if not address.startswith(_SITES):
            hint = "write https://... for a page of the web, or #id for a place in this book"
            self.mistakes.append(Mistake(line, address, "the address of a page, or an id", hint))
        return f'<a class="site" href="{escape(address)}">'


@cache
def _parser() -> MarkdownIt:
    from markdown_it import MarkdownIt

    rules = "heading list fence blockquote table emphasis escape backticks link image newline"
    return MarkdownIt("zero", {"html": False}).enable(rules.split()).disable("text_join")
