"""Markdown of chapters to safe HTML: headings, paragraphs, lists, tables, links; fences are left to the caller.

HTML in the text is not passed on. Pictures and unknown markup are reported as mistakes with their lines.
"""

from __future__ import annotations

import re
from functools import cache
from itertools import chain
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import unquote

from markupsafe import Markup, escape

from generator.problems import CLOSE, nearest, suggest
from generator.render.blocks import Align, Cell, Column, Table
from generator.render.own_templates import Mistake
from generator.render.type.prose import STATUS, STATUSES, TOKEN, breakable, mark_up

if TYPE_CHECKING:
    from collections.abc import Mapping

    from markdown_it import MarkdownIt
    from markdown_it.tree import SyntaxTreeNode


_ID = re.compile(r"\s*\{#([a-z][a-z0-9-]*)\}\s*$")
_INDEX = re.compile(r"\s?\{index:\s*([^{}]+?)\s*\}")
_MARK = re.compile(r"(?<!\\)\{[^{}]*\}?")
"""A word in braces, or one that is not closed on its line."""
_OPEN = re.compile(r"\*\*|`|\]\(|(?<![\w*])\*(?=\w)|(?<=\w)\*(?![\w*])")
"""Markup that is left in a text because it has no other end."""
_BAR = re.compile(r"(?<!\\)\|")
_TAG = re.compile(r"</?[A-Za-z][^<>]*>|<!--|&#?\w+;|~~|\[\^\w*\]|^[-_*]{3,}$")
"""HTML, and marks of other kinds of Markdown."""
_ALIGNS: dict[str, Align] = {"text-align:right": "right", "text-align:center": "centre"}
_SITES = ("https://", "http://", "mailto:")
_ELEMENTS = {
    "em": "<em>{}</em>", "strong": "<strong>{}</strong>", "paragraph": "<p>{}</p>", "list_item": "<li>{}</li>",
    "bullet_list": '<ul class="points">{}</ul>', "blockquote": "<blockquote>{}</blockquote>",
}  # fmt: skip
_REFUSED = {
    kind: (f"{what} in a list or quotation", "text", "put it before or behind")
    for kind, what in (("fence", "a fence"), ("heading", "a heading"), ("table", "a table"))
} | {"image": ("![", "text without pictures", "print a picture with a fence: ``` figure")}
"""What may not stand in text: the mistake, what is expected, and a hint."""


class Node(NamedTuple):
    """A block of Markdown at the top level."""

    kind: str
    """``heading``, ``table``, ``fence`` or ``text``."""
    line: int
    """Its first line in the file, from 1."""
    tree: SyntaxTreeNode
    """The parser's own tree of the block; of a heading, the tree of its words."""
    level: int = 0
    """The level of a heading."""
    id: str = ""
    """The id that a heading gives itself: ``## Launch {#launch}``."""
    text: str = ""
    """The source text of a heading without its id and index terms, the text inside a fence, the lines of a table."""
    word: str = ""
    """The words behind the opening of a fence."""
    closed: bool = True
    """Whether a fence has a line that ends it."""


def read_markdown(text: str, above: int = 0) -> list[Node]:
    """Return the blocks at the top level of a Markdown text, in order.

    The text begins ``above`` lines below the top of its file, so that the lines of blocks are those of the file.
    """
    from markdown_it.tree import SyntaxTreeNode

    nodes, text = [], "\n" * above + text
    lines = text.splitlines()
    for tree in SyntaxTreeNode(_parser().parse(text)).children:
        start, end = tree.map or (above, above)
        line, source_lines = start + 1, lines[start:end]
        if tree.type == "heading":
            source = tree.children[0].content
            named, title = _ID.search(source), _ID.sub("", source)
            words = _parser().parseInline(title)
            words[0].map = [start, end]
            id_ = named[1] if named else ""
            title = _INDEX.sub("", title)
            nodes.append(Node("heading", line, SyntaxTreeNode(words).children[0], int(tree.tag[1]), id_, title))
        elif tree.type == "fence":
            closed = len(source_lines) > 1 and source_lines[-1].strip(" >").startswith(tree.markup)
            nodes.append(Node("fence", line, tree, text=tree.content, word=tree.info.strip(), closed=closed))
        elif tree.type == "table":
            nodes.append(Node("table", line, tree, text="\n".join(source_lines)))
        else:
            nodes.append(Node("text", line, tree))
    return nodes


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
        self._line = 0
        """The line of the text that is being written."""

    def html(self, node: Node) -> Markup:
        """Return a text as HTML, or the words of a heading as HTML without the element around them.

        Mistakes in it are added to ``mistakes``, and its index terms to ``index``.
        """
        return Markup(self._html(node.tree))  # noqa: S704 - every piece is escaped

    def table(self, node: Node) -> Table:
        """Return a table of Markdown. Mistakes in it are added to ``mistakes``.

        Its first row has the heads. Cells are written as HTML, and their index terms are added to ``index``. A link,
        and a cell beyond the last head, are mistakes.
        """
        rows = [row.children for part in node.tree.children for row in part.children]
        written = []
        for cell in chain.from_iterable(rows):
            written.append(Markup(self._html(cell.children[0])))  # noqa: S704 - every piece is escaped
            if any(part.type == "link" for part in cell.walk()):
                hint = "write the reference in the text above or below the table"
                self.mistakes.append(Mistake(self._line, "](", "a table without links", hint))
        html_of_cells = iter(written)
        columns = tuple(
            Column(html, align=_ALIGNS.get(str(head.attrs.get("style")), "left"))
            for head, html in zip(rows[0], html_of_cells, strict=False)
        )
        for line, source in enumerate(node.text.splitlines(), start=node.line):
            found = len(_BAR.split(source.strip().removeprefix("|").removesuffix("|")))
            if found > len(columns):
                hint = "remove cells, or write \\| for the sign itself"
                self.mistakes.append(Mistake(line, source.strip(), f"a row of {len(columns)} cells", hint))
        cells = tuple(tuple(Cell(next(html_of_cells)) for _ in row) for row in rows[1:])
        caption = Markup(", ").join(column.head for column in columns).striptags()
        return Table(columns, cells, caption, breakable=True)

    def _inside(self, node: SyntaxTreeNode) -> str:
        """Return what is inside a part of a text as HTML. Adds to ``mistakes`` as ``_html`` does."""
        self._line = _line(node, self._line)
        return "".join(map(self._html, node.children))

    def _html(self, node: SyntaxTreeNode) -> str:
        """Return a part of a text as HTML.

        A part that may not stand in a text is left out, and added to ``mistakes``.
        """
        if node.type in _REFUSED:
            self.mistakes.append(Mistake(_line(node, self._line), *_REFUSED[node.type]))
            return ""
        match node.type:
            case "text":
                return self._text(node.content)
            case "code_inline":
                return f"<b>{escape(node.content)}</b>"
            case "text_special":  # a sign after a backslash
                return str(escape(node.content))
            case "softbreak" | "hardbreak":
                self._line += 1
                return " " if node.type == "softbreak" else "<br/>"
            case "link":
                return self._link(node)
            case "inline":
                return self._inline(node)
            case "ordered_list":
                items = enumerate(node.children, int(node.attrs.get("start") or 1))
                steps = (f'<li><span class="disc">{number}</span>{self._inside(item)}</li>' for number, item in items)
                return f'<ol class="steps">{"".join(steps)}</ol>'
            case kind:
                inside = self._inside(node)
                return inside if node.hidden else _ELEMENTS[kind].format(inside)

    def _inline(self, node: SyntaxTreeNode) -> str:
        """Return the words of a paragraph, heading or cell as HTML.

        If they have index terms, add the terms to ``index``, and put an anchor around the words.
        """
        texts = (part.content for part in node.walk() if part.type == "text")
        terms = dict.fromkeys(term for text in texts for term in _INDEX.findall(text))
        if not terms:
            return self._inside(node)
        anchor = f"index-{sum(map(len, self.index.values()))}"
        for term in terms:
            self.index.setdefault(term, []).append(anchor)
        return f'<span id="{anchor}">{self._inside(node)}</span>'

    def _text(self, text: str) -> str:
        for mark in _MARK.findall(_INDEX.sub("", text)):
            if STATUS.fullmatch(mark) or TOKEN.fullmatch(mark):
                continue
            near = nearest(mark.strip("{}"), STATUSES, CLOSE)
            hint = "write {index:a term} on one line; after a heading write {#id} in small letters, digits and hyphens"
            hint = f"did you mean {{{near}}}?" if near else f"{hint}; for the sign itself write \\{{"
            self.mistakes.append(Mistake(self._line, mark, "a known mark in braces", hint))
        for tag in _TAG.findall(text):
            hint = f"write **bold**, *italic*, lists and fences; for the sign itself write \\{tag[0]}"
            self.mistakes.append(Mistake(self._line, tag, "plain Markdown", hint))
        for sign in _OPEN.findall(text):
            hint = f"close it, or write \\{sign} for the sign itself"
            self.mistakes.append(Mistake(self._line, sign, "markup with an end", hint))
        return mark_up(str(escape(breakable(_INDEX.sub("", text)))))

    def _link(self, node: SyntaxTreeNode) -> str:
        """Return a link as HTML. A link without a text has the label of the place in this book.

        An unknown place, and any other address that is not of the web or of mail, are linked, too, and added to
        ``mistakes``.
        """
        address = str(node.attrs["href"])
        if address.startswith("#"):
            address = unquote(address)
            label = self._labels.get(address[1:])
            if label is None:
                hint, expected = suggest(address[1:], self._labels), "the id of a heading or a numbered table or figure"
                self.mistakes.append(Mistake(self._line, address, expected, hint))
            return f'<a class="ref" href="{escape(address)}">{self._inside(node) or escape(label or "")}</a>'
        if not address.startswith(_SITES):
            hint = "write https://... for a page of the web, or #id for a place in this book"
            self.mistakes.append(Mistake(self._line, address, "the address of a page, or an id", hint))
        return f'<a class="site" href="{escape(address)}">{self._inside(node)}</a>'


def _line(node: SyntaxTreeNode, above: int) -> int:
    """Return the line where a part of a text begins, from 1; ``above`` for a part whose line is not known."""
    return node.map[0] + 1 if node.map else above


@cache
def _parser() -> MarkdownIt:
    from markdown_it import MarkdownIt

    rules = "heading list fence blockquote table emphasis escape backticks link image newline"
    return MarkdownIt("zero", {"html": False}).enable(rules.split()).disable("text_join")
