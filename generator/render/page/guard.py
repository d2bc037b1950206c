"""Checks of a page after its layout: no text is lost or runs past its edge. Errors name the block."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from generator.problems import LayoutError, Remedy

_EPSILON = 0.5
"""Tolerance for rounding, in pixels of 1/96 inch."""
_LOW_ROWS = 2
"""Pixels by which the last rows of a table may stand below their calculated position."""

_RISE, _FALL = 0.75, 0.22
"""How far a letter reaches above and below its baseline, in sizes of its font."""

_QUOTED = 40
"""Number of letters of a text that a message quotes."""

_FOOT = "@bottom-left"
FOOT, HIGHEST_FOOT = 2, 4
"""Number of lines that every foot has room for, and the most that a foot may have."""

_WRITE = "shorten it, or write it in several words"
_NARROWER = Remedy(
    _WRITE, "shorten the text, print fewer columns, or give it a wider column: in a book wide: true, else other shares"
)
_SHORTER = Remedy(_WRITE, "shorten the text, or let the table run over pages (long: true)")
_SMALLER = Remedy("put less on it", "give the diagram a smaller size, or a wider column")
_HEAD_OR_FOOT = Remedy(_WRITE, "shorten the title of the sheet or chapter, or short, title or rights of the rule set")

_SMALLER_TEXT = 0.93
"""How much smaller a translated text is set each time that it does not fit."""
_SPOKEN = "spoken"
_DRAWINGS, _LABELS, _LINE = ("hexes", "chart", "ground"), ("hex", "tick", "spot"), ("line",)
_DRAWN = "{http://www.w3.org/2000/svg}"


@dataclass(frozen=True, slots=True)
class TextFrame:
    """The rectangle that a text must stay inside, in pixels of the engine, and the name of its block for messages."""

    left: float
    top: float
    right: float
    bottom: float
    name: str


@dataclass(frozen=True, slots=True)
class Layout:
    """What the check of a laid-out sheet found, apart from errors."""

    fill: tuple[float, ...]
    """For each page, how far down its room is used: 1 is full."""
    loose: frozenset[str]
    """Blocks to keep together that are on several pages, and too wide tables: names as in ``LayoutOptions.loose``."""
    foot: int
    """Number of lines that the foot needs."""
    squeezed: bool
    """Whether translated texts that did not fit now have smaller letters in the element tree."""


@dataclass(slots=True)
class PageFindings:
    """Data that is collected while the boxes of all pages are checked."""

    sheet: str
    cell: Any
    """The engine's class of table cells and columns of sections."""
    block: Any
    """The engine's class of block boxes."""
    page: int = 0
    lowest: float = 0
    foot: int = 0
    """Number of lines of the highest foot."""
    letters: dict[Any, int] = field(default_factory=dict)
    """The number of letters laid out, by the element whose text they are."""
    kept: dict[Any, set[int]] = field(default_factory=dict)
    """The page numbers of each element that should be kept together."""
    wide: set[str] = field(default_factory=set)
    """The tables that are wider than their place, because their words are long: names with " wide" behind."""
    squeezes: bool = False
    """Whether a text that does not fit gets smaller letters: its author cannot see the place that it must fit."""
    squeezed: set[Any] = field(default_factory=set)
    """The elements that have got smaller letters."""

    def refuse(self, box: Any, text: str, what: str, name: str, remedy: Remedy) -> None:
        """Give the element of a text box smaller letters if texts may be squeezed, or raise LayoutError.

        Raises LayoutError, too, for a text that the style sheet adds. The other arguments are those of :meth:`fail`. An
        element that has got smaller letters in this layout is not changed again.
        """
        if not self.squeezes or "::" in box.element_tag:
            self.fail(text, what, name, remedy)
        if box.element not in self.squeezed:
            size = f"font-size: {_SMALLER_TEXT * box.style['font_size']:.2f}px"
            box.element.set("style", f"{box.element.get('style', '')}; {size}".lstrip("; "))
            self.squeezed.add(box.element)

    def fail(self, text: str, what: str, name: str, remedy: Remedy) -> None:
        """Raise LayoutError: ``text`` is the text at fault, ``what`` says what is wrong, ``name`` names the block.

        ``text`` is empty for a diagram. ``remedy`` says what the author can do. A long text is cut in the message.
        """
        text = text.replace("\N{NO-BREAK SPACE}", " ")
        found = (f"{_quoted(text)} {what}" if text else what) + (f" in {name!r}" if name else "")
        raise LayoutError(found, name, text, remedy, sheet=self.sheet, page=self.page)


def _quoted(text: str) -> str:
    """Return a text in quotation marks for a message. A long text is cut, and its length is given."""
    text = text.replace("\N{ZERO WIDTH SPACE}", "")
    if len(text) <= _QUOTED:
        return repr(text)
    what = "a text" if len(text.split()) > 1 else "a word"
    return f"{text[: _QUOTED - 1] + '…'!r}, {what} of {len(text):,} letters,"


def check_layout(sheet: str, document: Any, root: Any, *, squeezes: bool = False) -> Layout:
    """Return the layout of a sheet after the check of all its texts and diagrams.

    ``sheet`` is the id for messages, ``document`` the engine's document, and ``root`` the element tree of its HTML.
    Raises LayoutError if a text is lost, or if a text or diagram runs past its cell, column or page. Raises
    LayoutError, too, if the head or foot has no room. With ``squeezes``, the elements of texts past their edge get
    smaller letters in ``root`` instead, for another layout.
    """
    from weasyprint.formatting_structure.boxes import BlockBox, TableCellBox

    findings = PageFindings(sheet, TableCellBox, BlockBox, squeezes=squeezes)
    fill = []
    for page in document.pages:
        findings.page += 1
        box = page._page_box  # noqa: SLF001  the engine's box tree has no public door
        left, top = box.content_box_x(), box.content_box_y()
        frame = TextFrame(left, top, left + box.width, top + box.height, "")
        findings.lowest = top
        for child in box.children:
            if child.element_tag == "html":
                _walk(child, frame, frame, findings)
            else:
                _check_margin_box(child, findings)
        fill.append(round((findings.lowest - top) / box.height, 3))
    for element, text, name in _own_texts(root):
        said = " ".join(text.replace("\0", "").split())
        if findings.letters.get(element, 0) < len(said.replace(" ", "")):
            findings.fail(said, "was lost", name, _SHORTER)
    divided = [element for element, pages in findings.kept.items() if len(pages) > 1]
    loose = findings.wide.union(_keep_name(element, root) for element in divided)
    return Layout(tuple(fill), frozenset(loose), findings.foot, bool(findings.squeezed))


def _walk(box: Any, page: TextFrame, room: TextFrame, findings: PageFindings) -> None:
    """Check a box and all boxes inside it, and add what is found to ``findings``.

    ``page`` is the frame of the page. ``room`` is the frame for texts, which is narrower in cells and labels. Raises
    LayoutError for a text or diagram past its place. If ``findings`` squeezes, a text gets smaller letters instead.
    """
    box = getattr(box, "_box", box)
    element = box.element
    if element is not None:
        room = _room(box, page, room, findings)
        if _is_kept(element):
            findings.kept.setdefault(element, set()).add(findings.page)
        if element.tag == "table" and box.position_x + box.margin_width() > room.right + _EPSILON:
            findings.wide.add(f"{element.get('data-keep')} wide")
        if _is(box, _DRAWINGS, findings):
            _check_diagram(box, room, findings)
        if _is(box, _LINE, findings):  # a line to write on uses the page as a text does
            findings.lowest = max(findings.lowest, box.border_box_y() + box.border_height())
    text = getattr(box, "text", None)
    if text is not None:
        _check_text(box, text, room, findings)
        return
    for child in getattr(box, "children", ()):
        _walk(child, page, room, findings)


def _is_kept(element: Any) -> bool:
    """Return whether an element should stay on one page.

    Rows of tables should, except heads. Other elements need ``data-keep``: tables and lists without the class ``long``,
    and elements of the class ``kept``.
    """
    classes = (element.get("class") or "").split()
    if element.tag == "tr":
        return "heads" not in classes  # they are repeated on every page
    whole = "kept" in classes or (element.tag in ("table", "ul") and "long" not in classes)
    return whole and bool(element.get("data-keep"))


def _keep_name(element: Any, root: Any) -> str:
    """Return the name of an element that is kept together; for a row of the table NAME, this is "NAME rows"."""
    if element.tag != "tr":
        return str(element.get("data-keep"))
    table = next(table for table in root.iter("table") if element in set(table.iter("tr")))
    return f"{table.get('data-keep')} rows"


def _room(box: Any, page: TextFrame, room: TextFrame, findings: PageFindings) -> TextFrame:
    """Return the frame for the texts in a box: narrower in cells, labels and places of fixed size.

    Texts in cells and labels may rise to the top of the page. They may go ``_LOW_ROWS`` pixels lower than ``room``, but
    not off the page. Any other box keeps the rectangle of ``room``. The frame has the name of the box's block.

    ``page`` is the frame of the page, ``room`` the frame for the texts around the box. ``findings`` has the engine's
    classes of boxes.
    """
    name = box.element.get("data-block") or room.name
    if isinstance(box, findings.cell) or _is(box, _LABELS, findings):
        left, bottom = box.position_x, min(page.bottom, room.bottom + _LOW_ROWS)
        gutter = box.padding_right if box.element.get("class") == "flow" else 0
        return TextFrame(left, page.top, left + box.margin_width() - gutter, bottom, name)
    if isinstance(box, findings.block) and box.element.get("data-room") is not None:  # a place of fixed size
        left, top = box.position_x, box.position_y
        return TextFrame(left, top, left + box.margin_width(), top + box.margin_height(), name)
    return room if name == room.name else TextFrame(room.left, room.top, room.right, room.bottom, name)


def _is(box: Any, names: tuple[str, ...], findings: PageFindings) -> bool:
    """Return whether a box is a block box of the engine whose only class is one of ``names``.

    ``findings`` has the engine's class of block boxes.
    """
    return isinstance(box, findings.block) and box.element.get("class") in names


def _check_diagram(box: Any, room: TextFrame, findings: PageFindings) -> None:
    right, bottom = box.border_box_x() + box.border_width(), box.border_box_y() + box.border_height()
    if right > room.right + _EPSILON:
        findings.fail("", "the diagram is wider than its place", room.name, _SMALLER)
    if bottom > room.bottom + _EPSILON:
        findings.fail("", "the diagram runs off the page", room.name, _SMALLER)
    findings.lowest = max(findings.lowest, bottom)


def _check_text(box: Any, text: str, room: TextFrame, findings: PageFindings) -> None:
    letters = len("".join(text.split()))
    if not letters:
        return
    if box.element_tag is not None and "::" not in box.element_tag:
        findings.letters[box.element] = findings.letters.get(box.element, 0) + letters
    if box.element.get("class") == _SPOKEN:
        return
    right, (top, bottom) = box.position_x + box.width, _reach(box)
    if box.position_x < room.left - _EPSILON or right > room.right + _EPSILON:
        findings.refuse(box, text.strip(), "is wider than its place", room.name, _NARROWER)
    if top < room.top - _EPSILON or bottom > room.bottom + _EPSILON:
        findings.refuse(box, text.strip(), "runs off the page", room.name, _SHORTER)
    findings.lowest = max(findings.lowest, bottom)


def _reach(box: Any) -> tuple[float, float]:
    """Return the estimated top and bottom of a text's letters, in pixels of the engine from the top of the page.

    The engine's box is higher: it has the font's whole line.
    """
    size, baseline = box.style["font_size"], box.position_y + box.baseline
    return baseline - _RISE * size, baseline + _FALL * size


def _check_margin_box(box: Any, findings: PageFindings) -> None:
    top = box.content_box_y()
    if box.at_keyword == _FOOT:
        findings.foot = max(findings.foot, len({round(leaf.position_y) for leaf in _texts(box)}))
        if findings.foot <= HIGHEST_FOOT:
            return  # the page gives it as many lines as it needs
    for leaf in _texts(box):
        highest, lowest = _reach(leaf)
        if highest < top - _EPSILON or lowest > top + box.height + _EPSILON:
            findings.fail(leaf.text.strip(), "does not fit", "running head or foot", _HEAD_OR_FOOT)


def _texts(box: Any) -> Iterator[Any]:
    if getattr(box, "text", None) is not None:
        yield box
    for child in getattr(box, "children", ()):
        yield from _texts(child)


def find_text(root: Any, wanted: str) -> str:
    """Return the name of the block around the first element whose own text contains ``wanted``.

    An element's own text is without the texts of elements inside it. Drawings are left out. Empty if there is no such
    element, or if the first is outside blocks, such as in the head or the foot.
    """
    return next((name for _, text, name in _own_texts(root) if wanted in text.replace("\0", "")), "")


def _own_texts(root: Any) -> Iterator[tuple[Any, str, str]]:
    """Yield each element of the body with its own text (pieces separated by NULs) and the name of its innermost block.

    The text may be empty. The name is empty outside blocks. Drawings are left out.
    """
    waiting = [(root.find("body"), "")]
    while waiting:
        element, name = waiting.pop()
        name = element.get("data-block") or name
        yield element, "\0".join((element.text or "", *(child.tail or "" for child in element))), name
        waiting.extend((child, name) for child in reversed(element) if not str(child.tag).startswith(_DRAWN))
