"""Rendering of a document as one self-contained HTML page, which fetches nothing."""

from __future__ import annotations

import re
from functools import cache
from itertools import count
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from jinja2 import Environment, FileSystemLoader, StrictUndefined, Template
from markupsafe import Markup

from generator import resources
from generator.render.blocks import Block, Ink, Paper, Sheet
from generator.render.drawing import mm, outlines, pictograms
from generator.render.geometry import FOOT_LINE, LYING_NUMBER, NUMBER, geometry
from generator.render.imprinted import face_rule
from generator.render.language import ENGLISH
from generator.render.page.diagrams import draw, draw_chart
from generator.render.page.page_setup import USUAL, Document, Setting, page_setup_of
from generator.render.type.fonts import FACE_RULES
from generator.render.type.prose import inline

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from generator.render.assemble.binding import Size
    from generator.render.drawing import Drawing

_STYLED = re.compile(r'(?P<before><\w[^<>]*) style="(?P<style>[^"]*)"(?P<after>[^<>]*>)')
_STYLES_HERE = Markup("<styles/>")
"""A placeholder for the styles, replaced once the page is known. User texts cannot contain it: they are escaped."""
_WHITE = "#ffffff"
_ENDLESS = 100_000
"""The height in millimetres of a page that holds any document."""
_UNNUMBERED = "@page { @bottom-right { content: '' } } .page > .count { visibility: hidden }"


def render_html(document: Document, paper: Paper, ink: Ink, setting: Setting = USUAL) -> str:
    """Return the document as one HTML page, including its styles, for the PDF engine."""
    dressed = page_setup_of(document, paper)
    template = environment().get_template(dressed.template)
    html = template.render(sheet=document, paper=paper, ink=ink, loose=setting.loose, numbers=count(), **dressed.names)
    folder = resources.templates() / "css"
    names = (*dressed.styles, f"ink-{ink}.css")
    sheets = "\n".join((folder / name).read_text(encoding="utf-8") for name in names)
    rules = [FACE_RULES, *dressed.rules]
    if (colour := document.theme.values(ink)["paper"]) != _WHITE:
        rules.append(f"{dressed.ground} {{ background: {colour} }}")
    rules += (face_rule(font.family, font.weight, font.address, italic=font.italic) for font in document.theme.fonts)
    if setting.higher_foot:
        foot = geometry(paper).foot + setting.higher_foot * FOOT_LINE
        rules.append(f"@page {{ margin-bottom: {foot:.2f}mm }}")
    if document.language != ENGLISH.tag:  # a translated word may be longer than the place of the English word
        rules.append("td, th, .card { hyphens: auto; hyphenate-limit-chars: 12 4 4 }")
        rules.append(f'.ref::after {{ content: ", {document.say("page")} " target-counter(attr(href), page) }}')
    if setting.tall:
        rules.append(f"@page {{ size: {dressed.names['page'].paper[0]}mm {_ENDLESS}mm }}")
        rules.append(".page::after { content: '00' } .ref::after { content: ', page 00' }")
    if isinstance(document, Sheet) and (of := document.say("of")) != "of":
        rules.append(f'@page {{ @bottom-right {{ content: counter(page) " {of} " counter(pages) }} }}')
    if not setting.numbered:
        rules.append(_UNNUMBERED)
    sheets, html = document.theme.resolve(sheets, ink), document.theme.resolve(html, ink)
    if not isinstance(document, Sheet):
        html = with_classes(html, rules)
    # The engine caches the first style element for all documents and reads the rules of this document each time.
    return html.replace(_STYLES_HERE, "\n".join((sheets, "</style><style>", *rules)), 1)


def with_classes(html: str, rules: list[str]) -> str:
    """Return the page with its inline styles replaced by classes, and add the CSS of these classes to ``rules``.

    Equal styles share a class, which the engine computes once.
    """
    classes: dict[str, str] = {}

    def with_class(match: re.Match[str]) -> str:
        name = classes.setdefault(match["style"], f"s{len(classes)}")
        tag = match["before"] + match["after"]
        classed = tag.replace('class="', f'class="{name} ', 1)
        return classed if classed != tag else f'{match["before"]} class="{name}"{match["after"]}'

    html = _STYLED.sub(with_class, html)
    rules += (f".{name} {{ {style} }}" for style, name in classes.items())
    return html


def numbers_html(sizes: Sequence[Size], before: int, total: int, of: str) -> str:
    """Return HTML with a page for each size, in millimetres, that has only its page number at the place of the foot.

    ``before`` is the count of pages before the first of these pages; ``total`` is the count of all pages. ``of`` is the
    word between the number and the total.
    """
    names = {size: number for number, size in enumerate(dict.fromkeys(sizes))}
    template = environment().get_template("numbers.html.j2")
    html = template.render(sizes=sizes, names=names, before=before, total=total, of=of, off=NUMBER, lying=LYING_NUMBER)
    rules = [FACE_RULES, (resources.templates() / "css" / "numbers.css").read_text(encoding="utf-8")]
    rules += [
        f"@page size{name} {{ size: {mm(size.width)}mm {mm(size.height)}mm; margin: 0 }}"
        for size, name in names.items()
    ]
    return html.replace(_STYLES_HERE, "\n".join(rules), 1)


@cache
def environment(*more: Path) -> Environment:
    """Return the environment of our templates and of the templates in the folders ``more``.

    In a template, ``catalogue`` collects the distributions of odds cells for the screen. On paper it is None.
    """
    environment = Environment(
        loader=FileSystemLoader([resources.templates(), *more]),
        undefined=StrictUndefined,
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters.update(prose=inline, mm=mm)
    drawings = draw, draw_chart, draw_map, outlines, qr_code, swatch_address
    functions = *drawings, iter, next, template_of
    environment.globals.update({function.__name__: function for function in functions})
    environment.globals.update(catalogue=None, pictograms=pictograms(), styles_here=_STYLES_HERE)
    return environment


def draw_map(*given: Any) -> Drawing:
    """Return a map as a drawing; the arguments are those of :func:`generator.render.maps.map.draw_map`."""
    from generator.render.maps.map import draw_map  # few documents have a map

    return draw_map(*given)


def qr_code(text: str) -> Any:
    """Return the QR code of a text as segno makes it, with the least error correction.

    Raises an error of segno for a text that is too long: see ``Code.MOST``.
    """
    import segno  # few documents have a code

    return segno.make_qr(text, error="L", boost_error=False)


def swatch_address(pattern: str, ink: Ink) -> str:
    """Return a sample of a pattern of terrain as a data address, for the ``src`` of a picture."""
    from generator.render.maps.terrain import swatch  # few documents have a map

    return f"data:image/svg+xml,{quote(swatch(pattern, ink))}"


def template_of(block: Block) -> Template:
    """Return the template with the macro that prints a block."""
    if block.template is None:
        return environment().get_template("blocks.html.j2")
    return environment(block.template.parent).get_template(block.template.name)
