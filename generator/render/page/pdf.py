"""A sheet as a tagged PDF: same input, same bytes; any complaint of the engine is a failure."""

from __future__ import annotations

import atexit
import contextlib
import gc
import io
import logging
import re
import shutil
from contextlib import ExitStack
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path
from tempfile import mkdtemp
from threading import Lock
from typing import TYPE_CHECKING, Any, NamedTuple
from unicodedata import name as character_name
from urllib.parse import unquote_to_bytes
from xml.etree import ElementTree as ET

from generator.errors import LayoutError, Remedy, RenderError
from generator.files import TEMPORARY
from generator.render.assemble.binding import EMPTY
from generator.render.assemble.slim import slim
from generator.render.blocks import Sheet
from generator.render.page.columns import arranged
from generator.render.page.guard import FOOT, check_layout, find_text
from generator.render.page.html import numbers_html, render_html
from generator.render.page.page_setup import Setting
from generator.render.type.fonts import FAMILIES, font_file

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from generator.render.assemble.binding import Size
    from generator.render.blocks import Ink, Paper
    from generator.render.page.guard import Layout
    from generator.render.page.page_setup import Document

_VARIANT = "pdf/ua-1"
_SVG = "image/svg+xml"
_PICTURE = f"data:{_SVG},"
_FORBIDDEN = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]")
"""Characters that XML does not allow."""
_LONG = 12
"""Pages of a document whose layout leaves too much memory behind to write the PDF before it is collected."""
_ALONE = Lock()
"""Held while a document is rendered: what listens to the engine listens to all threads."""


@dataclass(frozen=True, slots=True)
class Rendered:
    """A finished file."""

    pdf: bytes
    pages: int
    fill: tuple[float, ...] = ()
    """For each page, how far down its room is used: 1 is full."""
    torn: tuple[str, ...] = ()
    """Words that a narrow column broke."""


class Laid(NamedTuple):
    """A page of HTML laid out, and not yet written."""

    name: str
    """The document's id, for complaints."""
    document: Any
    """The engine's own document."""
    root: Any
    """The element tree of the page."""
    layout: Layout

    @property
    def pages(self) -> int:
        """How many pages of paper it has."""
        return len(self.layout.fill)

    def holds(self, setting: Setting) -> bool:
        """Whether everything that the ``setting`` keeps together stands on one page, and the foot has room."""
        return self.layout.divided <= setting.loose and self.layout.foot <= FOOT + setting.higher_foot


def lay_out(html: str, name: str, fonts: Any) -> Laid:
    """Lay out a page of HTML and check every box of it. ``fonts`` come from :func:`open_fonts`.

    Raises RenderError (LayoutError where a text does not fit).
    """
    weasyprint = load_engine()
    gc.collect()  # the boxes of the layout before would double the memory
    with _no_complaints(name):
        try:
            page, sheets = _parse(html)
            document = page.render(pdf_variant=_VARIANT, font_config=fonts, stylesheets=sheets)
        except weasyprint.urls.FatalURLFetchingError as error:
            msg = f"sheet {name!r}: {error}"
            raise RenderError(msg) from error
        return Laid(name, document, page.etree_element, check_layout(name, document, page.etree_element))


def write(laid: Laid) -> bytes:
    """Return the PDF of a page that is laid out. Raises RenderError where our fonts have no glyph for a letter."""
    if laid.pages > _LONG:
        gc.collect()
    with _no_complaints(laid.name):
        pdf: bytes = laid.document.write_pdf(pdf_variant=_VARIANT, finisher=_finish)
        _check_fonts(laid.name, laid.document, laid.root)
    return pdf


def render_pdf(document: Document, *, paper: Paper, ink: Ink, numbered: bool = True, folded: bool = False) -> Rendered:
    """Return one document, laid out and written. Raises :class:`RenderError` that names what is wrong.

    A part of a pack is not ``numbered``. A ``folded`` document has pages of half the paper, in reading order.
    """
    with _ALONE, _without_collector(), ExitStack() as fonts:

        def laid_out(setting: Setting) -> Laid:
            page = arranged(document, paper, ink, setting, boxes_of) if isinstance(document, Sheet) else document
            html = render_html(page, paper, ink, setting)
            return lay_out(html, document.id, fonts.enter_context(open_fonts()))

        setting = Setting(numbered=numbered, folded=folded)
        while not (laid := laid_out(setting)).holds(setting):
            # No page can hold these: let them begin where they stand instead of on a page of their own.
            divided, foot = setting.loose | laid.layout.divided, max(0, laid.layout.foot - FOOT)
            setting = setting._replace(loose=divided, higher_foot=foot)
            del laid
        return Rendered(write(laid), laid.pages, laid.layout.fill, laid.layout.torn)


def boxes_of(html: str) -> list[Any]:
    """Return the boxes of the pages of an HTML text, laid out and neither checked nor written."""
    gc.collect()  # as in lay_out
    with open_fonts() as fonts:
        page, sheets = _parse(html)
        laid = page.render(font_config=fonts, stylesheets=sheets)
        return [page._page_box for page in laid.pages]  # noqa: SLF001 - the engine's box tree has no public door


def render_numbers(sizes: Sequence[Size], title: str) -> bytes:
    """Pages of these sizes with nothing but their numbers."""
    with _ALONE, _without_collector(), open_fonts() as fonts:
        return write(lay_out(numbers_html(sizes, title), title, fonts))


def _finish(document: Any, pdf: Any) -> None:
    """Slim the file, and mark the pages left empty before a leaf of its own: binding says so beside their numbers."""
    slim(pdf)
    for page, number in zip(document.pages, pdf.pages["Kids"][::3], strict=True):
        if page._page_box.page_type.blank:  # noqa: SLF001 - the engine tells it nowhere else
            pdf.objects[number][EMPTY.removeprefix("/")] = "true"


@cache
def load_engine() -> Any:
    """Return WeasyPrint. Raises RenderError where it cannot be imported."""
    try:
        # Where Pango lacks, the engine prints a banner to standard output, which belongs to results.
        with contextlib.redirect_stdout(io.StringIO()):
            import weasyprint
            import weasyprint.urls
    except (ImportError, OSError) as error:
        msg = f"PDFs cannot be made here ({error}): `fieldpress doctor` says what is missing"
        raise RenderError(msg) from error
    # What dies with the process needs no tidying: without this, the last sheet's boxes are searched for cycles.
    atexit.register(gc.freeze)
    return weasyprint


@contextlib.contextmanager
def open_fonts() -> Iterator[Any]:
    """The engine's fonts for one sheet; it writes them into a folder of its own, which is gone when this ends."""
    from weasyprint.text.fonts import FontConfiguration

    fonts = FontConfiguration()
    # Set here, so that the sweep knows its name: the engine would tidy up when the object dies, which may be never.
    fonts._folder = folder = Path(mkdtemp(prefix=TEMPORARY))  # noqa: SLF001 - it has no public door
    try:
        yield fonts
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _parse(html: str) -> tuple[Any, list[Any]]:
    """Return the engine's page for HTML that is well-formed XML, and its style sheets.

    The engine's own parser takes twelve times longer. Of two ``style`` elements the first has the sheets that many
    documents share.
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


@lru_cache(maxsize=8)
def _style_sheet(css: str) -> Any:
    return load_engine().CSS(string=css, url_fetcher=_fetcher())


def _fetcher() -> Any:
    """Fetches our own fonts and the pictures that our style sheets hold, and refuses everything else."""
    from weasyprint.urls import FatalURLFetchingError, URLFetcher, URLFetcherResponse

    class Closed(URLFetcher):  # type: ignore[misc]  # the engine is untyped
        def __init__(self) -> None:
            """Set up nothing that could reach a network or a file."""
            self._fail_on_errors = True

        def fetch(self, url: str, headers: object = None) -> Any:  # noqa: ARG002  as the engine calls it
            if url.startswith(_PICTURE):
                return URLFetcherResponse(url, unquote_to_bytes(url.removeprefix(_PICTURE)), {"Content-Type": _SVG})
            font = font_file(url)
            if font is None:
                msg = f"refused to fetch {url!r}: a page holds nothing but our own fonts and templates"
                raise FatalURLFetchingError(msg)
            return URLFetcherResponse(url, font, {"Content-Type": "font/otf"})

    return Closed()


def _check_fonts(sheet: str, document: Any, root: Any) -> None:
    """Fail if the engine took a glyph from a font of the system's because ours have none."""
    strange = {chr(code) for font in document.fonts.values() for code in font.missing}
    for font in document.fonts.values():
        if font.family not in FAMILIES:
            strange.update(*font.to_unicode.values())
    if strange:
        named = ", ".join(
            f"{letter!r} (U+{ord(letter):04X} {character_name(letter, '')}) in {find_text(root, letter)!r}"
            for letter in sorted(strange)
        )
        first = min(strange)
        found, remedy = f"our fonts have no glyph for {named}", Remedy("write it with other signs")
        raise LayoutError(found, find_text(root, first), first, remedy, sheet=sheet)


@contextlib.contextmanager
def _without_collector() -> Iterator[None]:
    """Render without looking for cycles: the engine is a hundred thousand objects, and a page is more.

    What the document before has left is collected; all else is put out of the collector's sight.
    """
    was_on = gc.isenabled()
    gc.disable()
    if load_engine.cache_info().currsize:
        gc.collect()
    try:
        load_engine()
        gc.freeze()
        yield
    finally:
        if was_on:
            gc.unfreeze()
            gc.enable()


class _Complaints(logging.Handler):
    def __init__(self) -> None:
        super().__init__(logging.WARNING)
        self.heard: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        """Keep the words."""
        self.heard.append(record.getMessage())


@contextlib.contextmanager
def _no_complaints(sheet: str) -> Iterator[None]:
    """Whatever the engine logs as a warning or worse is an error of ours, and the only one shown."""
    logger = logging.getLogger("weasyprint")
    listener = _Complaints()
    handlers, propagates = logger.handlers, logger.propagate
    logger.handlers, logger.propagate = [listener], False
    try:
        yield
    finally:
        logger.handlers, logger.propagate = handlers, propagates
    if listener.heard:
        msg = f"sheet {sheet!r}: the engine complained: {'; '.join(dict.fromkeys(listener.heard))}"
        raise RenderError(msg)
