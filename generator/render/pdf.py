"""A sheet as a tagged PDF: same input, same bytes; any complaint of the engine is a failure."""

from __future__ import annotations

import atexit
import contextlib
import gc
import io
import logging
import shutil
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple
from unicodedata import name as character_name

from generator.errors import LayoutError, Remedy, RenderError
from generator.render.binding import EMPTY
from generator.render.blocks import Sheet
from generator.render.dress import Setting
from generator.render.fonts import FAMILIES, font_file
from generator.render.guard import FOOT, check_layout, find_text
from generator.render.html import numbers_html, render_html
from generator.render.page.columns import arranged

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from generator.render.binding import Size
    from generator.render.blocks import Ink, Paper
    from generator.render.dress import Document
    from generator.render.guard import Layout
    from generator.render.shelf import Shelf

_VARIANT = "pdf/ua-1"


@dataclass(frozen=True, slots=True)
class Rendered:
    """A finished file."""

    pdf: bytes
    pages: int
    fill: tuple[float, ...] = ()
    """For each page, how far down its room is used: 1 is full."""
    torn: tuple[str, ...] = ()
    """Words that a narrow column broke."""
    reused: bool = False
    """Whether it was made before: then only file and pages are told."""


def render_pdf(
    document: Document,
    *,
    paper: Paper,
    ink: Ink,
    numbered: bool = True,
    folded: bool = False,
    shelf: Shelf | None = None,
) -> Rendered:
    """Lay out and write one document, or raise :class:`RenderError` that names what is wrong.

    What the ``shelf`` has of the same page is taken from there. A part of a pack is not ``numbered``; what is
    ``folded`` has pages of half the paper, in the order in which they are read.
    """
    setting = Setting(numbered=numbered, folded=folded)

    def page(setting: Setting) -> str:
        laid = arranged(document, paper, ink, setting, boxes_of) if isinstance(document, Sheet) else document
        return render_html(laid, paper, ink, setting)

    first = f"{document!r} {paper} {ink} {setting}"
    found = shelf.find(first) if shelf is not None else None
    if found is not None:
        return Rendered(*found, reused=True)
    with _without_collector():
        rendered = _laid_out(document, page, setting)
    if shelf is not None:
        shelf.keep(first, rendered.pdf, rendered.pages)
    return rendered


class _Laid(NamedTuple):
    """A document as it was laid out once."""

    rendered: Rendered
    layout: Layout
    setting: Setting

    @property
    def holds(self) -> bool:
        """Whether nothing is divided that was to be kept together, and the foot has room."""
        allowed = self.layout.foot <= FOOT + self.setting.higher_foot
        return self.layout.divided <= self.setting.loose and allowed


def _laid_out(document: Document, page: Callable[[Setting], str], setting: Setting) -> Rendered:
    """The file, with what no page can hold divided, and a foot that is high enough."""
    while True:
        laid = _Laid(*_render(page(setting), document.id), setting)
        if laid.holds:
            break
        # No page can hold these: let them begin where they stand instead of on a page of their own.
        divided, foot = setting.loose | laid.layout.divided, max(0, laid.layout.foot - FOOT)
        setting = setting._replace(loose=divided, higher_foot=foot)
    return laid.rendered


def render_numbers(sizes: Sequence[Size], title: str) -> bytes:
    """Pages of these sizes with nothing but their numbers."""
    with _without_collector():
        return _render(numbers_html(sizes, title), title)[0].pdf


def boxes_of(html: str) -> list[Any]:
    """Return the boxes of the pages of an HTML text, laid out and neither checked nor written."""
    weasyprint = _engine()
    with _fonts() as fonts:
        laid = weasyprint.HTML(string=html, url_fetcher=_fetcher()).render(font_config=fonts)
        return [page._page_box for page in laid.pages]  # noqa: SLF001 - the engine's box tree has no public door


def _render(html: str, sheet: str) -> tuple[Rendered, Layout]:
    weasyprint = _engine()
    with _no_complaints(sheet), _fonts() as fonts:
        try:
            page = weasyprint.HTML(string=html, url_fetcher=_fetcher())
            document = page.render(pdf_variant=_VARIANT, font_config=fonts)
            layout = check_layout(sheet, document, page.etree_element)
            pdf = document.write_pdf(pdf_variant=_VARIANT, finisher=_tell_empty)
            _check_fonts(sheet, document, page.etree_element)
        except weasyprint.urls.FatalURLFetchingError as error:
            msg = f"sheet {sheet!r}: {error}"
            raise RenderError(msg) from error
    return Rendered(pdf, len(document.pages), layout.fill, layout.torn), layout


def _tell_empty(document: Any, pdf: Any) -> None:
    """Mark the pages left empty before a leaf of its own: whoever binds the file says so beside their numbers."""
    for page, number in zip(document.pages, pdf.pages["Kids"][::3], strict=True):
        if page._page_box.page_type.blank:  # noqa: SLF001 - the engine tells it nowhere else
            pdf.objects[number][EMPTY.removeprefix("/")] = "true"


@cache
def _engine() -> Any:
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
def _fonts() -> Iterator[Any]:
    """The engine's fonts for one sheet; it writes them into a folder of its own, which is gone when this ends."""
    from weasyprint.text.fonts import FontConfiguration

    fonts = FontConfiguration()
    try:
        yield fonts
    finally:
        folder = fonts._folder  # noqa: SLF001 - the engine would tidy up when the object dies, which may be never
        if folder:
            shutil.rmtree(folder, ignore_errors=True)


def _fetcher() -> Any:
    """Fetches our own fonts and refuses everything else."""
    from weasyprint.urls import FatalURLFetchingError, URLFetcher, URLFetcherResponse

    class Closed(URLFetcher):  # type: ignore[misc]  # the engine is untyped
        def __init__(self) -> None:
            """Set up nothing that could reach a network or a file."""
            self._fail_on_errors = True

        def fetch(self, url: str, headers: object = None) -> Any:  # noqa: ARG002  as the engine calls it
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
    """The engine is a hundred thousand objects and a page is more: looking for cycles among them costs a sixth.

    What a sheet leaves behind is put out of the collector's sight, and cleared away when there is a next sheet.
    """
    was_on = gc.isenabled()
    gc.disable()
    if _engine.cache_info().currsize:
        gc.collect()
    try:
        yield
    finally:
        gc.freeze()
        gc.unfreeze()  # into the oldest generation, unseen
        if was_on:
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
