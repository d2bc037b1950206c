"""Templates of a publisher: pieces of a book in HTML with values in braces, checked before anything is printed.

A template has no way to Python: it may print its values, and leave parts out where a value is empty.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from itertools import product
from typing import NamedTuple
from xml.parsers import expat

from jinja2 import StrictUndefined, TemplateSyntaxError, nodes
from jinja2.sandbox import ImmutableSandboxedEnvironment
from markupsafe import Markup

from generator.problems import suggest
from generator.render.imprinted import tokens_of


class BookPiece(NamedTuple):
    """A piece of a book that a template may replace."""

    values: tuple[str, ...]
    """The names of its values."""
    needed: str
    """The value that the template must print, so that nothing is lost."""


PIECES = {
    "cover": BookPiece(("title", "subtitle", "first", "second", "author", "rights", "picture", "logo"), "title"),
    "chapter": BookPiece(("number", "title", "strap", "picture"), "title"),
    "box": BookPiece(("title", "text"), "text"),
    "caption": BookPiece(("label", "text"), "label"),
}
"""The pieces that a template may replace, by name: what each template may and must print."""
_NODES = (nodes.Template, nodes.Output, nodes.TemplateData, nodes.Name, nodes.If, nodes.Not, nodes.And, nodes.Or)
_ELEMENTS = ("div", "p", "span", "b", "strong", "i", "em", "br", "hr")
_STYLE = re.compile(
    r"(?is)(?!.*(url|expression|@|\\|/\*))(\s*(background(-color)?|(border|margin|padding)[\w-]*|color|"
    r"font(-family)?(?=[^;]*-font\))|font-[^f]\w+|letter-spacing|(line|min)-height|"
    r"text-(align|decoration|transform))\s*:[^;]*(;|$))*\s*"
)
"""A style without an address, with no other fonts than those of the theme, that leads no text out of its piece."""


_SAMPLE = Markup("<b>{}</b>")
"""A value in a tag or an attribute would not be HTML."""


class Mistake(NamedTuple):
    """A part of a template or of Markdown that is refused, with its line."""

    line: int
    found: str
    expected: str
    hint: str


def mistakes(name: str, source: str) -> Iterator[Mistake]:
    """Yield the first mistake in each line of a publisher's template for the piece ``name``, one of ``PIECES``.

    Yield nothing if the template keeps the contract. A template that cannot be read has one mistake. The HTML is
    checked only if nothing in braces is wrong or missing, and only up to its first syntax error. A mistake
    may be named at an earlier line, too, as if parts with empty values were not there.
    """
    piece = PIECES[name]
    try:
        found = [*_refused(tree := _environment().parse(source), piece)]
        filled = {} if found else _filled(source, piece)
    except TemplateSyntaxError as error:
        yield Mistake(error.lineno, error.message or "", "HTML with values in {{ }}", "close every {{ and {% if %}")
        return
    except (RecursionError, ValueError, SyntaxError):  # Python's limits
        told = "brackets nested too deep, {% if %} too, or a number that is too long"
        yield Mistake(1, told, "HTML with values in {{ }}", "print values only")
        return
    if any(filled.values()):
        named = any(node.name == piece.needed for node in tree.find_all(nodes.Name))
        hint = "print it outside conditions, or the text is lost" if named else "print it, or the text is lost"
        found = [Mistake(1, "nothing", f"{{{{ {piece.needed} }}}}", hint)]
    found = found or [mistake for html in filled for mistake in _refused_html(html)]
    first = {mistake.line: mistake for mistake in reversed(found)}
    yield from (first[line] for line in sorted(first))


def fill(source: str, **values: str) -> Markup:
    """Return a template filled with values. A value that is not Markup is escaped.

    Raises an error of Jinja for a value that is missing, so check the template with :func:`mistakes` first.
    """
    return Markup(_environment().from_string(source).render(**values))  # noqa: S704 - checked, and values are escaped


def _filled(source: str, piece: BookPiece) -> dict[str, bool]:
    """Return the HTML of a template for each choice of empty values, with whether it lost the value that is needed.

    The HTML with all values comes first.
    """
    found: dict[str, bool] = {}
    template = _environment().from_string(source)
    for choice in product(*((_SAMPLE.format(name), "") for name in piece.values)):  # with all values, lines are right
        values = dict(zip(piece.values, choice, strict=True))
        html = template.render(values)
        found[html] = values[piece.needed] not in html or found.get(html, False)
    return found


def _refused(tree: nodes.Node, piece: BookPiece) -> Iterator[Mistake]:
    known = ", ".join(piece.values)
    for node in tree.find_all(nodes.Node):
        if isinstance(node, nodes.Name) and node.name not in piece.values:
            yield Mistake(node.lineno, node.name, f"one of {known}", suggest(node.name, piece.values))
        elif not isinstance(node, _NODES) and node.lineno:  # a node without a line is inside another one
            found = f"{type(node).__name__.lower()} in braces"
            yield Mistake(node.lineno, found, "a value or {% if value %}", f"print values only: {known}")


def _refused_html(html: str) -> Iterator[Mistake]:
    parser = expat.ParserCreate()
    found: list[Mistake] = []

    def start(tag: str, attributes: dict[str, str]) -> None:
        line = parser.CurrentLineNumber
        if tag not in (*_ELEMENTS, "template"):
            found.append(Mistake(line, f"<{tag}>", f"one of {', '.join(_ELEMENTS)}", "write it with div and span"))
        for key, value in attributes.items():
            if key != "class" and (key != "style" or not _STYLE.fullmatch(value)):
                what, hint = f'{key}="{value[:40]}"', "remove it; name a font by its token, such as var(--head-font)"
                found.append(Mistake(line, what, "a class, or a style of space, lines and type", hint))
            unknown = sorted({*re.findall(r"var\(\s*--([\w-]*)", value)}.difference(tokens_of("colour")))
            found.extend(Mistake(line, name, "a token", suggest(name, tokens_of("colour"))) for name in unknown)

    def comment(_: str) -> None:
        found.append(Mistake(parser.CurrentLineNumber, "a comment", "HTML that is printed", "remove it"))

    parser.StartElementHandler, parser.CommentHandler = start, comment
    try:
        parser.Parse(f"<template>{html}</template>", True)  # noqa: FBT003 - as expat wants it
    except expat.ExpatError as error:
        message = expat.errors.messages[error.code]
        hint = "close it, such as <br/>, and print values outside tags"
        found.append(Mistake(error.lineno, message, "HTML whose elements are closed", hint))
    yield from found


@cache
def _environment() -> ImmutableSandboxedEnvironment:
    environment = ImmutableSandboxedEnvironment(undefined=StrictUndefined, autoescape=True)
    environment.globals.clear()
    environment.filters.clear()
    environment.tests.clear()
    return environment
