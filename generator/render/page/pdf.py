"""Rendering of a document as a tagged PDF. The same input gives the same bytes; engine warnings are errors."""

from __future__ import annotations

import atexit
import contextlib
import ctypes.util
import gc
import io
import logging
import re
import sys
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache, lru_cache, partial
from threading import Lock
from typing import TYPE_CHECKING, Any, NamedTuple
from unicodedata import name as character_name
from urllib.request import DataHandler, Request
from xml.etree import ElementTree as ET

from generator.problems import LayoutError, Remedy, RenderError
from generator.render.blocks import Ink, Paper, Sheet
from generator.render.book import Book
from generator.render.imprinted import THEME_FAMILY
from generator.render.language import ENGLISH
from generator.render.page.columns import arranged, arranged_book
from generator.render.page.guard import FOOT, Layout, check_layout, find_text
from generator.render.page.html import Document, LayoutOptions, numbers_html, render_html, zoom_of
from generator.render.page.measure import Heights, Measurer
from generator.render.type.fonts import FACE_RULES, FAMILIES, font_file

if TYPE_CHECKING:
    from generator.render.assemble.binding import Size

_VARIANT = "pdf/ua-1"
_FORBIDDEN = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]")
"""Characters that XML does not allow."""
_TRIES = 16
"""Most layouts of a translated document, with smaller letters each time: at the last, a third of their size."""
_ROUNDS = 4
"""Most layouts of a book, until its references name the pages on which their targets are."""
_pages_of: dict[str, dict[str, int]] = {}
"""By the id of a book, the page of each id in its last layout. The next layout begins with these pages."""
_ALONE = Lock()
"""A lock held while a document is rendered, because the engine's logger is shared by all threads."""


@dataclass(frozen=True, slots=True)
class Rendered:
    """A finished PDF."""

    pdf: bytes
    pages: int
    fill: tuple[float, ...] = ()
    """For each page, how far down its room is used: 1 is full."""
    heights: Heights = field(default_factory=dict)
    """The heights that were known, and those that were measured."""


class Laid(NamedTuple):
    """A document after its layout, before its PDF is written."""

    name: str
    """The document's id, for error messages."""
    document: Any
    """The engine's own document."""
    root: Any
    """The element tree of the HTML."""
    layout: Layout

    def pages(self) -> dict[str, int]:
        """Return the number of the first page that has each id, by id. Pages count from 1."""
        numbered = [*enumerate(self.document.pages, start=1)]
        return {name: number for number, page in reversed(numbered) for name in page.anchors}

    def holds(self, setting: LayoutOptions) -> bool:
        """Return whether the foot fits, no table is too wide, and each block or row to keep together is on one page.

        Blocks, rows and tables that ``setting.loose`` names do not count. ``setting.higher_foot`` adds room for the
        foot.
        """
        return self.layout.loose <= setting.loose and self.layout.foot <= FOOT + setting.higher_foot


def lay_out(html: str, name: str) -> Laid:
    """Return a document after layout, with every box checked.

    ``name`` is the document's id for messages. In a translation, a text that does not fit gets smaller letters, unless
    it is in the head or foot of the page. Raises RenderError if the engine cannot be loaded, logs a warning or refuses
    an address. Raises LayoutError if a text is lost or does not fit in the end, or if a diagram does not fit.
    """
    weasyprint, fonts = load_engine(), _fonts_of(html)
    with _no_complaints(name):
        try:
            page, sheets = _parse(html)
            root = page.etree_element
            foreign = root.get("lang", ENGLISH.tag) != ENGLISH.tag
            for number in range(_TRIES, 0, -1):
                document = page.render(pdf_variant=_VARIANT, font_config=fonts, stylesheets=sheets)
                layout = check_layout(name, document, root, squeezes=foreign and number > 1)
                if not layout.squeezed:
                    break
        except weasyprint.urls.FatalURLFetchingError as error:
            raise RenderError(f"sheet {name!r}: {error}") from error
        return Laid(name, document, root, layout)


def write(laid: Laid, zoom: float = 1) -> bytes:
    """Return the PDF of a document after layout, enlarged by the factor ``zoom``.

    Raises LayoutError if neither our fonts nor the theme's have a glyph for a letter. Raises RenderError if the engine
    logs a warning.
    """
    with _no_complaints(laid.name):
        pdf: bytes = laid.document.write_pdf(
            pdf_variant=_VARIANT, finisher=lambda _, pdf: simplify_drawing(pdf), zoom=zoom
        )
        _check_fonts(laid.name, laid.document, laid.root)
    return pdf


def render_pdf(
    document: Document, *, paper: Paper, ink: Ink, numbered: bool = True, heights: Heights | None = None
) -> Rendered:
    """Return one document as a PDF. Raises :class:`RenderError`, which names the cause.

    Parts of a pack are not ``numbered``, because binding adds the page numbers. Known ``heights`` save time, and do not
    change the PDF. ``heights`` stays as it is: the result has the known and the new heights.
    """
    heights = dict(heights or {})
    measure_of = partial(Measurer, paper=paper, ink=ink, lay_out=boxes_of, heights=heights)
    with _ALONE:
        gc.collect(0)  # the boxes of the document before are many, and the command line has switched the collector off

        def laid_out(setting: LayoutOptions) -> Laid:
            if not isinstance(document, Book):
                page = arranged(document, paper, setting, measure_of) if isinstance(document, Sheet) else document
                return lay_out(render_html(page, paper, ink, setting), document.id)
            book = arranged_book(document, paper, ink, boxes_of)
            for _ in range(_ROUNDS):
                pages = _pages_of.get(book.id, {})
                laid = lay_out(render_html(book, paper, ink, setting._replace(pages=pages)), book.id)
                _pages_of[book.id] = laid.pages()
                if laid.pages() == pages:
                    break
            return laid

        setting = LayoutOptions(numbered=numbered)
        while not (laid := laid_out(setting)).holds(setting):
            # No page can hold these blocks, so allow dividing them instead of moving each to a new page.
            loose, foot = setting.loose | laid.layout.loose, max(0, laid.layout.foot - FOOT)
            setting = setting._replace(loose=loose, higher_foot=foot)
        pdf, fill = write(laid, zoom_of(document)), laid.layout.fill
        return Rendered(pdf, len(fill), fill, heights)


def boxes_of(html: str) -> list[Any]:
    """Return the box of each page of an HTML text after layout, for measuring. The boxes are not checked.

    Raises RenderError if the engine cannot be loaded, and FatalURLFetchingError of the engine for a foreign address.
    """
    page, sheets = _parse(html)
    laid = page.render(font_config=_fonts_of(html), stylesheets=sheets)
    return [page._page_box for page in laid.pages]  # noqa: SLF001 - the engine's box tree has no public door


def render_numbers(sizes: Sequence[Size], before: int, total: int, of: str) -> bytes:
    """Return a PDF with a page of each size, in millimetres, that has only its page number.

    ``before`` is the count of earlier pages, ``total`` the count of all pages. ``of`` is the word between the page
    number and the total. Raises RenderError as :func:`lay_out` and :func:`write` do.
    """
    with _ALONE:
        return write(lay_out(numbers_html(sizes, before, total, of), "page numbers"))


@cache
def load_engine() -> Any:
    """Return the module of WeasyPrint. Raises RenderError if it, or a library that it needs, cannot be loaded."""
    try:
        # Without Pango, the engine prints a banner to standard output, which is reserved for results.
        with contextlib.redirect_stdout(io.StringIO()), _without_compiler():
            import weasyprint
            import weasyprint.urls
    except (ImportError, OSError) as error:
        raise RenderError(f"PDFs cannot be made here ({error}): `fieldpress doctor` says what is missing") from error
    # What is there before the first page is never garbage.
    gc.freeze()
    return weasyprint


@contextlib.contextmanager
def _without_compiler() -> Iterator[None]:
    """Make the engine find its libraries on Linux only by the names that the linker knows.

    For each of the engine's guesses at other names, the search would start a compiler. This would take as long as all
    the rest.
    """
    usual = ctypes.util.find_library
    if sys.platform == "linux":
        ctypes.util.find_library = lambda name: None  # noqa: ARG005 - its callers may name it
    try:
        yield
    finally:
        ctypes.util.find_library = usual


def _parse(html: str) -> tuple[Any, list[Any]]:
    """Return the engine's ``HTML`` object for a text, and a list of shared style sheets.

    The text must be well-formed XML; the engine's own parser takes twelve times longer. If the head has several
    ``style`` elements, the first is shared by many documents; it is in the list, and no longer in the object.
    Characters that XML forbids are replaced.
    """
    from cssselect2 import ElementWrapper

    page_class = load_engine().HTML
    page = page_class.__new__(page_class)
    page.base_url, page.url_fetcher, page.media_type = None, _fetcher(), "print"
    root = ET.fromstring(_FORBIDDEN.sub("\N{REPLACEMENT CHARACTER}", html))  # noqa: S314 - from our templates
    sheets = []
    head = root.find("head")
    if head is not None and len(styles := head.findall("style")) > 1:
        head.remove(styles[0])
        sheets.append(_style_sheet(styles[0].text))
    page.wrapper_element = ElementWrapper.from_html_root(root, content_language=None)
    page.etree_element = page.wrapper_element.etree_element
    return page, sheets


def _fonts_of(html: str) -> Any:
    """Return the engine's fonts for an HTML text: new ones if it has fonts of its own, or else the shared ones.

    Raises RenderError if a face cannot be loaded.
    """
    return _new_fonts() if "@font-face" in html else _shared_fonts(tempfile.gettempdir())


def _new_fonts() -> Any:
    """Return the engine's fonts with all of our faces, in copies among the temporary files.

    Raises RenderError if a face cannot be loaded.
    """
    fonts = load_engine().text.fonts.FontConfiguration()
    with _no_complaints("fonts"):
        load_engine().CSS(string=FACE_RULES, url_fetcher=_fetcher(), font_config=fonts)
    return fonts


@lru_cache(maxsize=1)
def _shared_fonts(folder: str) -> Any:  # noqa: ARG001 - the copies are gone with the folder of temporary files
    """Return the fonts for all documents without fonts of their own, loaded once for a folder of temporary files."""
    return _new_fonts()


atexit.register(_shared_fonts.cache_clear)  # the engine deletes its copies with the fonts


@lru_cache(maxsize=16)
def _style_sheet(css: str) -> Any:
    return load_engine().CSS(string=css, url_fetcher=_fetcher())


def _fetcher() -> Any:
    """Return a fetcher for our own fonts and for data addresses.

    It raises FatalURLFetchingError for every other address.
    """
    from weasyprint.urls import FatalURLFetchingError, URLFetcher, URLFetcherResponse

    class Closed(URLFetcher):  # type: ignore[misc]  # the engine is untyped
        def __init__(self) -> None:
            """Let each error of a fetch stop the layout, and set up no access to a network or to files."""
            self._fail_on_errors = True

        def fetch(self, url: str, headers: object = None) -> Any:  # noqa: ARG002  as the engine calls it
            if url.startswith("data:"):
                data = DataHandler().data_open(Request(url))  # noqa: S310 - it opens nothing
                return URLFetcherResponse(url, data, data.headers)
            font = font_file(url)
            if font is None:
                msg = f"refused to fetch {url!r}: a page holds nothing but our own fonts and templates"
                raise FatalURLFetchingError(msg)
            return URLFetcherResponse(url, font, {"Content-Type": "font/otf"})

    return Closed()


def _check_fonts(sheet: str, document: Any, root: Any) -> None:
    """Raise LayoutError for letters without a glyph in our fonts and the theme's, even if a system font has it.

    ``sheet`` is the id for messages, ``document`` the engine's document, and ``root`` the element tree of its HTML.
    """
    strange = {chr(code) for font in document.fonts.values() for code in font.missing}
    for font in document.fonts.values():
        if font.family not in FAMILIES and not font.family.startswith(THEME_FAMILY):
            strange.update(*font.to_unicode.values())
    if strange:
        blocks = {letter: find_text(root, letter) for letter in sorted(strange)}
        named = ", ".join(
            f"{letter!r} (U+{ord(letter):04X} {character_name(letter, '')})" + (f" in {block!r}" if block else "")
            for letter, block in blocks.items()
        )
        first = min(strange)
        found, remedy = f"our fonts have no glyph for {named}", Remedy("write it with other signs")
        raise LayoutError(found, blocks[first], first, remedy, sheet=sheet)


@contextlib.contextmanager
def _no_complaints(sheet: str) -> Iterator[None]:
    """Raise RenderError, which names the ``sheet``, if the engine logs a warning or an error; print no log line.

    An exception in the body passes unchanged.
    """
    logger, heard = logging.getLogger("weasyprint"), list[str]()

    def listen(record: logging.LogRecord) -> bool:
        heard.extend([record.getMessage()] if record.levelno >= logging.WARNING else [])
        return False

    logger.addFilter(listen)
    try:
        yield
    finally:
        logger.removeFilter(listen)
    if heard:
        raise RenderError(f"sheet {sheet!r}: the engine complained: {'; '.join(dict.fromkeys(heard))}")


_NUMBER = r"-?[\d.]+"
_SETTINGS = r"((?:[^\n]+ (?:gs|rg|g)\n)*)"
_TINT = re.compile(
    rf"q\n(?P<box>(?:{_NUMBER} ){{4}}re)\nW\nn\n/Artifact\nBMC\nq\n{_SETTINGS}(?P=box)\nW\nn\n(?P=box)\nf\nQ\nEMC\nQ"
)
_BOX = rf"((?:{_NUMBER} ){{4}})re\n"
_LINE = re.compile(rf"q\n((?:{_NUMBER} {_NUMBER} [ml]\n){{4}})W\*\nn\n{_SETTINGS}{_BOX}{_BOX}f\*\nQ")
_DRAW = re.compile(rb"/(x\d+) Do")
_SAME = 0.01
"""Tolerance for equal areas, in square points."""


def simplify_drawing(pdf: Any) -> None:
    """Replace operations of a PDF of the engine (a pydyf object) in place by simpler operations that draw the same.

    The engine puts each picture of a style sheet into a transparent group of the size of the page. A sheet may have
    hundreds of such pictures, because lines to write on are pictures. The engine draws a tint of a cell as three
    rectangles. It draws a line on one side of a cell as a clip and two rectangles.
    """
    for number in pdf.pages["Kids"][::3]:
        page = pdf.objects[number]
        resources = _object(pdf, page["Resources"])
        content = _object(pdf, page["Contents"])
        pieces = [piece for item in content.stream for piece in _inlined(pdf, resources, item)]
        drawn = b"\n".join(map(_bytes, pieces)).decode("latin-1")
        drawn = _TINT.sub(r"/Artifact\nBMC\nq\n\2\g<box>\nf\nQ\nEMC", drawn)
        content.stream = [_LINE.sub(_line, drawn).encode("latin-1")]


def _object(pdf: Any, reference: bytes) -> Any:
    return pdf.objects[int(reference.split()[0])]


def _inlined(pdf: Any, resources: Any, item: Any) -> Iterator[Any]:
    """Yield an operation of a page, or the operations of the vector picture that the operation draws.

    Such a picture is then removed from the PDF. A picture with text, patterns, shadings or nested pictures stays as it
    is.
    """
    match = _DRAW.fullmatch(item) if isinstance(item, bytes) else None
    name = match[1].decode() if match else ""
    form = _object(pdf, resources["XObject"][name]) if name else None
    own = _object(pdf, form.extra["Resources"]) if form and "Resources" in form.extra else None
    if form is None or own is None or own["XObject"] or own["Pattern"] or own["Shading"] or b"BT" in form.stream:
        yield item
        return
    resources["ExtGState"].update(own["ExtGState"])  # equal names mean equal settings
    del resources["XObject"][name]
    for unused in (form, own):  # empty, because the engine writes a wrong index for objects marked as free
        pdf.objects[unused.number] = empty = type(pdf.pages)()
        empty.number = unused.number
    yield from (b"q", *form.stream, b"Q")


def _bytes(operation: Any) -> bytes:
    """Return an operation of a page (bytes, a text, or an object of pydyf) as the bytes that the engine would write."""
    return operation if isinstance(operation, bytes) else getattr(operation, "data", None) or str(operation).encode()


def _line(match: re.Match[str]) -> str:
    """Return operations that fill a rectangle, instead of the matched operations: a clip and a frame of two rectangles.

    Return the matched text unchanged if the part that the clip leaves is not a rectangle.
    """
    corners = [tuple(map(float, corner.split()[:2])) for corner in match[1].splitlines()]
    inner, outer = ([*map(float, box.split())] for box in match.group(3, 4))
    (left, *_, right), (low, *_, high) = (sorted(ends) for ends in zip(*corners, strict=True))
    upright = {*corners} == {(x, y) for x in (left, right) for y in (low, high)}
    rest = abs(outer[2] * outer[3]) - abs(inner[2] * inner[3])
    if not upright or abs(rest - (right - left) * (high - low)) > _SAME:
        return match[0]
    return f"q\n{match[2]}{left:.3f} {low:.3f} {right - left:.3f} {high - low:.3f} re\nf\nQ"
