"""Rendering of a document as one self-contained HTML page, which fetches nothing.

Each kind of document has a template, style sheets and names for its template.
"""

from __future__ import annotations

import re
from functools import cache
from html import unescape
from itertools import count
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias
from urllib.parse import quote

from jinja2 import Environment, FileSystemLoader, StrictUndefined, Template
from markupsafe import Markup

from generator import resources
from generator.render.assemble import imposition
from generator.render.assemble.impose import BLEED
from generator.render.blocks import Block, Chart, Hexes, Ink, Paper, Sheet, Table
from generator.render.book import HIGHEST, Book
from generator.render.cards import columns, upright
from generator.render.cards.deck import INDEX, POKER, SIZES, Deck
from generator.render.drawing import Drawing, mm, outlines, pictograms
from generator.render.geometry import (
    BOOK_MARGINS,
    CLOSE_MARGINS,
    FOOT_LINE,
    LARGE_MARGIN,
    LYING_NUMBER,
    NUMBER,
    PORTRAIT,
    SHAPES,
    geometry,
)
from generator.render.imprinted import face_rule
from generator.render.language import ENGLISH
from generator.render.own_templates import fill
from generator.render.page.diagrams import draw, draw_chart
from generator.render.type.prose import inline

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from generator.render.assemble.binding import Size
    from generator.render.maps.map import BoardMap
    from generator.render.markers import MarkerSheets

_STYLES_HERE = Markup("<styles/>")
"""A placeholder for the styles, replaced once the page is known. User texts cannot contain it: they are escaped."""
_WHITE = "#ffffff"
_ENDLESS = 100_000
"""The height in millimetres of a page that holds any document."""
_LINK = re.compile(r'<a class="(page|ref)" href="#([^"]+)">(.*?)</a>')
"""A link of a book that names the page of its target."""
_UNNUMBERED = "@page { @bottom-right { content: '' } } .page > .count { visibility: hidden }"
Document: TypeAlias = "Sheet | Deck | MarkerSheets | Book | BoardMap"
"""What can be printed."""


class LayoutOptions(NamedTuple):
    """Layout options for a document; the defaults suit a document that stands alone."""

    loose: frozenset[str] = frozenset()
    """Names of blocks that may be divided between pages, because no page can hold them whole.

    With " rows" behind its name, the rows of a table may be divided; with " wide", its words.
    """
    higher_foot: int = 0
    """Number of foot lines beyond those that every foot has room for."""
    numbered: bool = True
    """Whether page numbers are printed. Parts of a pack are not numbered: binding adds the numbers of the whole."""
    tall: bool = False
    """Whether the document is laid out on one endless page, so that its rows can be measured."""
    pages: Mapping[str, int] = {}
    """The page of each id of a book; empty if it is not known yet."""


USUAL = LayoutOptions()
TEXT, PLAY_TEXT, LARGE = 9, 10.4, 14
"""The size of text in points: on sheets, on play sheets, and in large print."""
_WIDE = 10
"""Fewest columns of a wide table of texts."""


def render_html(document: Document, paper: Paper, ink: Ink, setting: LayoutOptions = USUAL) -> str:
    """Return the document as one HTML page, including its styles, for the PDF engine.

    Raises LayoutError if a text does not fit a marker, or the name of a side does not fit the key of the markers.
    """
    dressed = page_setup_of(document, paper)
    template = environment().get_template(dressed.template)
    html = template.render(
        sheet=document, paper=paper, ink=ink, setting=setting, loose=setting.loose, numbers=count(), **dressed.names
    )
    if isinstance(document, Book):
        html = _with_pages(html, setting.pages, document.say("page"))
    folder = resources.templates() / "css"
    names = (*dressed.styles, f"ink-{ink}.css")
    sheets = "\n".join((folder / name).read_text(encoding="utf-8") for name in names)
    rules = [*dressed.rules]
    if (colour := document.theme.values(ink)["paper"]) != _WHITE:
        rules.append(f"{dressed.ground} {{ background: {colour} }}")
    rules += (face_rule(font.family, font.weight, font.address, italic=font.italic) for font in document.theme.fonts)
    if setting.higher_foot:
        foot = geometry(paper).foot + setting.higher_foot * FOOT_LINE
        rules.append(f"@page {{ margin-bottom: {foot:.2f}mm }}")
    if document.language != ENGLISH.tag:  # a translated word may be longer than the place of the English word
        rules.append("td, th, .card { hyphens: auto; hyphenate-limit-chars: 12 4 4 }")
    if setting.tall:
        rules.append(f"@page {{ size: {dressed.names['page'].paper[0]}mm {_ENDLESS}mm }}")
    if isinstance(document, Sheet) and (of := document.say("of")) != "of":
        rules.append(f'@page {{ @bottom-right {{ content: counter(page) " {of} " counter(pages) }} }}')
    if not setting.numbered:
        rules.append(_UNNUMBERED)
    sheets, html = document.theme.resolve(sheets, ink), document.theme.resolve(html, ink)
    # The engine caches the first style element for all documents and reads the rules of this document each time.
    return html.replace(_STYLES_HERE, "\n".join((sheets, "</style><style>", *rules)), 1)


def _with_pages(html: str, pages: Mapping[str, int], word: str) -> str:
    """Return the HTML of a book with page numbers in the links that name a page; 00 if the page is not known yet.

    ``pages`` has the pages by the ids of targets. A link of the class ``page`` has only the number. A link of the class
    ``ref`` keeps its text, with ``word`` and the number after it. Other links stay as they are.
    """

    def link(found: re.Match[str]) -> str:
        name, target, text = found.groups()
        number = pages.get(unescape(target), "00")
        return f'<a class="{name}" href="#{target}">{number if name == "page" else f"{text}, {word} {number}"}</a>'

    return _LINK.sub(link, html)


def numbers_html(sizes: Sequence[Size], before: int, total: int, of: str) -> str:
    """Return HTML with a page for each size, in millimetres, that has only its page number at the place of the foot.

    ``before`` is the count of pages before the first of these pages; ``total`` is the count of all pages. ``of`` is the
    word between the number and the total.
    """
    names = {size: number for number, size in enumerate(dict.fromkeys(sizes))}
    template = environment().get_template("numbers.html.j2")
    html = template.render(sizes=sizes, names=names, before=before, total=total, of=of, off=NUMBER, lying=LYING_NUMBER)
    rules = [(resources.templates() / "css" / "numbers.css").read_text(encoding="utf-8")]
    rules += [
        f"@page size{name} {{ size: {mm(size.width)}mm {mm(size.height)}mm; margin: 0 }}"
        for size, name in names.items()
    ]
    return html.replace(_STYLES_HERE, "\n".join(rules), 1)


@cache
def environment(*more: Path) -> Environment:
    """Return the environment of our templates and of the templates in the folders ``more``.

    The environment is cached. For the screen, a caller gives a template two more names: ``ids``, which counts the
    parts, and ``distributions``, which collects the distributions of odds cells with an index each. On paper, ``ids``
    is None.
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
    environment.globals.update(ids=None, pictograms=pictograms(), styles_here=_STYLES_HERE)
    return environment


def draw_map(*given: Any) -> Drawing:
    """Return a map as a drawing; the arguments are those of :func:`generator.render.maps.map.draw_map`."""
    from generator.render.maps.map import draw_map  # few documents have a map

    return draw_map(*given)


def qr_code(text: str) -> Any:
    """Return the QR code of a text as segno makes it, with the least error correction.

    Raises DataOverflowError of segno for a text that is too long. ``Code.MOST`` is the limit for a text of capitals
    and digits; the limit is lower for a text with other characters, such as small letters.
    """
    import segno  # few documents have a code

    return segno.make_qr(text, error="L", boost_error=False)


def swatch_address(pattern: str, ink: Ink) -> str:
    """Return a sample of a pattern of terrain, or of the flag of an objective, as the data address of an SVG."""
    from generator.render.maps.terrain import swatch  # few documents have a map

    return f"data:image/svg+xml,{quote(swatch(pattern, ink))}"


def template_of(block: Block) -> Template:
    """Return the template with the macro that prints a block."""
    if block.template is None:
        return environment().get_template("blocks.html.j2")
    return environment(block.template.parent).get_template(block.template.name)


class PageSetup(NamedTuple):
    """How to print a kind of document: its template, style sheets, and names for the template."""

    template: str
    styles: tuple[str, ...]
    names: dict[str, Any]
    """Names for the document's template, in addition to the names of all templates."""
    rules: tuple[str, ...] = ()
    """CSS rules that depend on the document's paper."""
    ground: str = "@page"
    """The CSS selector of the elements whose background is the theme's colour of paper."""


def page_setup_of(document: Document, paper: Paper) -> PageSetup:
    """Return the page setup of a document on this paper.

    The pages of a board, and of cards with a page for each side, do not depend on ``paper``.
    """
    if isinstance(document, Sheet):
        return _large(document, paper) if document.large else _sheet(document, paper)
    if isinstance(document, Deck):
        if document.is_upright_apart:
            return _upright_cards(document)
        setup = _cards("apart" if document.apart else paper)
        styles = (*setup.styles, "upright-frames.css") if document.size != INDEX else setup.styles
        ground = "@page" if document.apart else ".card[data-block]"  # no ink around cards to cut out
        return setup._replace(styles=styles, rules=(_upright(paper),) if document.upright else (), ground=ground)
    if isinstance(document, Book):
        return _book(document, paper)
    from generator.render.maps.map import BoardMap

    return _board(document) if isinstance(document, BoardMap) else _markers(paper)


def zoom_of(document: Document) -> float:
    """Return the factor by which a document is enlarged after layout; 1 for most documents.

    Large print has text of 14 pt. Upright cards with a page for each side have the layout of poker cards.
    """
    if isinstance(document, Deck) and document.is_upright_apart:
        return SIZES[document.size][0] / SIZES[POKER][0]
    if not (isinstance(document, Sheet) and document.large):
        return 1
    return LARGE / (PLAY_TEXT if document.plays else TEXT)


def _large(sheet: Sheet, paper: Paper) -> PageSetup:
    """Return the setup of a sheet in large print: a smaller page that is printed larger.

    Play sheets lie on their sides. Other sheets do if they have a chart or a wide untinted table, but no hexes.
    """
    usual, zoom = _sheet(sheet, paper), zoom_of(sheet)
    page = usual.names["page"]
    wide, high = sorted((length / zoom for length in page.paper), reverse=_lies(sheet))
    rule = f"@page {{ size: {wide:.2f}mm {high:.2f}mm }}"
    if sheet.plays:
        return usual._replace(rules=(rule,))
    width = wide - 2 * LARGE_MARGIN
    names = {"page": page._replace(width=width)}
    return usual._replace(styles=(*usual.styles, "large.css"), names=names, rules=(rule,))


def _lies(sheet: Sheet) -> bool:
    """Return whether the pages of a sheet in large print lie on their sides.

    True for a play sheet. True for a sheet with a chart or a wide table without tints, but not if it has hexes.
    """
    blocks = [block for row in sheet.rows for block in row.blocks]
    wide = (len(block.columns) >= _WIDE for block in blocks if isinstance(block, Table) and not block.tinted)
    high = any(isinstance(block, Hexes) for block in blocks)
    return sheet.plays or (not high and (any(wide) or any(isinstance(block, Chart) for block in blocks)))


def _sheet(sheet: Sheet, paper: Paper) -> PageSetup:
    page = geometry(paper, landscape=sheet.landscape, poster=sheet.poster)
    names, styles = {"page": page}, ("sheet.css", f"paper-{paper}.css")
    if sheet.plays:
        return PageSetup("play.html.j2", (*styles, "play.css", f"play-{paper}.css"), names)
    if not sheet.landscape:
        return PageSetup("sheet.html.j2", styles, names)
    wide, high = page.paper
    return PageSetup("sheet.html.j2", (*styles, "landscape.css"), names, (f"@page {{ size: {wide}mm {high}mm }}",))


def _book(book: Book, paper: Paper) -> PageSetup:
    page, shape = geometry(paper), SHAPES[book.shape]
    short, long = page.paper
    wide, high = {PORTRAIT: (short, long), "landscape": (long, short)}.get(book.shape, (long / 2, short))
    opener = shape.opener * high + book.bleed
    wide, high = wide + 2 * book.bleed, high + 2 * book.bleed
    margins = BOOK_MARGINS if (paper, book.shape) == ("a4", PORTRAIT) else CLOSE_MARGINS
    head, foot = (margin + book.bleed for margin in margins)
    side = (wide - shape.wide) / 2
    names = {
        "page": page,
        "column": page.percent(shape.column),
        "wide": page.percent(shape.wide),
        "picture_height": HIGHEST,
        "room": high - head - foot,
        "columns": shape.columns,
        "fill": fill,
    }
    rules = (
        f"@page {{ size: {wide}mm {high}mm; margin: {head}mm {side}mm {foot}mm }} @page :first {{ margin: 0 }}",
        f".front, .front .art {{ width: {wide}mm; height: {high}mm }} .band {{ width: {shape.table}mm }}",
        f".front .plate:not(.whole), .credit {{ left: {16 + book.bleed}mm; right: {16 + book.bleed}mm }}",
        f".front > .logo {{ right: {16 + book.bleed}mm }}",
        f".opener, .opener .art {{ height: {opener:.1f}mm }}",
        f".opener {{ margin: -{head}mm -{side}mm 8mm }} .opener .plate {{ left: {side}mm; right: {side}mm }}",
    )
    return PageSetup("book.html.j2", ("sheet.css", f"paper-{paper}.css", "book.css"), names, rules)


def _board(board: BoardMap) -> PageSetup:
    from generator.render.maps.map import draw_board

    wide, high = board.size
    rule = f"@page {{ size: {wide}mm {high}mm; margin: 0; @bottom-right {{ content: none }} }} .ground {{ margin: 0 }}"
    return PageSetup("board.html.j2", ("sheet.css",), {"draw_board": draw_board}, (rule,))


def _cards(paper: str) -> PageSetup:
    names = {"columns": columns, "imposition": imposition}
    return PageSetup("cards.html.j2", ("cards.css", f"cards-{paper}.css"), names)


def _upright_cards(deck: Deck) -> PageSetup:
    """Return the setup of a page for each side of an upright card.

    Its lengths are those before the enlargement by :func:`zoom_of`: millimetres of a poker card.
    """
    zoom = zoom_of(deck)
    wide, high, off = (length / zoom for length in (*SIZES[deck.size], BLEED))
    page = f"{wide + 2 * off:.4f}mm", f"{high + 2 * off:.4f}mm"
    head = high - upright.BELOW
    rules = (
        f"@page {{ size: {' '.join(page)}; margin: 0 }} .page {{ width: {page[0]}; height: {page[1]} }}",
        f".face {{ left: {off:.4f}mm; top: {off:.4f}mm; height: {high:.4f}mm }}",
        f".art {{ left: -{off:.4f}mm; top: -{off:.4f}mm; width: {page[0]}; height: {head + off:.4f}mm }}",
        f".stripe {{ left: -{off:.4f}mm; width: {page[0]} }} .front .bar {{ top: {head:.4f}mm }}",
        f".behind .stripe {{ top: -{off:.4f}mm; height: {9.4 + off:.4f}mm }}",
    )
    names = {"columns": columns, "upright": upright}
    return PageSetup("upright-cards.html.j2", ("cards.css", "upright-cards.css"), names, rules)


def _markers(paper: Paper) -> PageSetup:
    from generator.render import drawing, markers
    from generator.render.maps import signs

    names = {"drawing": drawing, "markers": markers, "signs": signs, "size": geometry(paper).paper}
    return PageSetup("markers.html.j2", ("markers.css",), names, (_upright(paper),))


def _upright(paper: Paper) -> str:
    """Return the CSS rules for an upright page without margins."""
    wide, high = geometry(paper).paper
    return f"@page {{ size: {wide}mm {high}mm; margin: 0 }} .page {{ width: {wide}mm; height: {high}mm }}"
