"""Place the pages of a finished PDF on sheets of paper. Tags, links and bookmarks follow their pages.

Lengths are millimetres from the upper left corner of a sheet, unless their names say points.
"""

from __future__ import annotations

import io
import math
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple, TypeAlias

from generator.render.assemble.binding import append_pages, saved
from generator.render.book import ROOM
from generator.render.cards.deck import INDEX, SIZES
from generator.render.geometry import IMPOSED_EDGES, UPRIGHT_EDGES
from generator.render.imprinted import shares

Line: TypeAlias = "tuple[float, float, float, float]"
"""The two ends of a line."""
BLEED = 3.0
"""How far the page of a card reaches beyond its cut."""
CARDS, FRONTS, BACKS, SHEETS, FOLD = "cards", "fronts", "backs", "sheets", "fold"
BOOKLET, TEST, TRIM = "booklet", "test", "trim"
WAYS = (CARDS, FRONTS, BACKS, SHEETS, FOLD, BOOKLET, TEST, TRIM)
CORNERS, GUIDES, NO_MARKS, CUTTER = "corners", "guides", "none", "cutter"
MARKS = (CORNERS, GUIDES, NO_MARKS, CUTTER)
_SCALE = 10
"""The length of each half of the scales on a test page."""
_OFF, _MARK = 3.2, 2.0
"""The distance of a mark from a card with its bleed, and the length of marks."""
_SLUG = 3.5
"""What the page of a book has around its bleed, for marks."""
_POINT = 72 / 25.4
_HAIR = 0.15
"""The thickness of marks."""


class Imposition(NamedTuple):
    """How pages are placed on sheets, in millimetres; all but ``way``, ``marks`` and ``shift`` is only for cards."""

    way: str
    """One of ``WAYS``."""
    width: float = 0.0
    """The width of a card; 0 for the width of its size."""
    gap: float = 2 * BLEED
    """The distance between the cuts of two cards."""
    marks: str = CORNERS
    """One of ``MARKS``."""
    shift: tuple[float, float] = (0.0, 0.0)
    """How far backs are moved to the right and down, to meet their fronts in this printer."""
    size: str = INDEX
    """One of ``SIZES``."""
    backs: bool = True
    """Whether cards on sheets have backs; without backs, ``fold`` places them as ``sheets`` does."""

    @property
    def scale(self) -> float:
        """The factor by which cards are scaled: ``width`` divided by the width of their size; 1 without a ``width``."""
        return self.width / SIZES[self.size][0] if self.width else 1.0

    @property
    def words(self) -> str:
        """The end of a file's name, such as "-poker-sheets-60mm": the way, and each option that is not the usual one.

        The size of the cards is before the way. The shift and ``backs`` are left out.
        """
        size = f"-{self.size}" if self.size != INDEX else ""
        width = f"-{self.width:g}mm" if self.scale != 1 else ""
        gap = f"-gap-{self.gap:g}mm" if self.gap != 2 * BLEED else ""
        usual = NO_MARKS if self.way == TRIM else CORNERS
        return f"{size}-{self.way}{width}{gap}{f'-{self.marks}' if self.marks != usual else ''}"

    @property
    def card(self) -> tuple[float, float]:
        """The width and the height of a printed card in millimetres."""
        wide, high = SIZES[self.size]
        return wide * self.scale, high * self.scale


class PagePlace(NamedTuple):
    """The place of a page on a sheet, in millimetres: the upper left corner of its visible part, and its scale."""

    page: int
    left: float = 0.0
    top: float = 0.0
    scale: float = 1.0
    inset: tuple[float, float, float, float] = (0.0, 0.0, 0.0, 0.0)
    """What is cut off the page at its left, top, right and bottom, before it is scaled."""


class SheetOfPaper(NamedTuple):
    """One side of a sheet of paper: its size, the pages placed on it, and its marks."""

    width: float
    height: float
    places: tuple[PagePlace, ...]
    lines: tuple[Line, ...] = ()
    """Marks. Cards cover them, and they cover the frame."""
    frame: tuple[PagePlace, ...] = ()
    """The page with what is printed around the cards, if there is one."""
    trim: float = 0.0
    """The distance of the TrimBox from the edge, if the sheet is one card or page with its bleed."""
    slug: float = 0.0
    """The distance of the BleedBox from the edge."""
    is_back: bool = False
    """Whether it is printed on the back of the sheet before it."""


def impose(
    pdf: bytes, imposition: Imposition, paper: tuple[float, float], frames: int = 0, ground: str = ""
) -> tuple[bytes, int]:
    """Return the PDF with its pages placed on sheets of ``paper``, and the count of the sides of these sheets.

    ``paper`` is a width and a height in millimetres, in any order. The ways ``cards``, ``fronts``, ``backs`` and
    ``trim`` ignore it: each page is a sheet of its own. For ``sheets`` and ``fold``, pages with their bleed are in turn
    fronts and backs, or fronts alone without ``imposition.backs``. Cards must fit on the paper (:func:`fits`). The last
    ``frames`` pages are then as large as the sheets: for each side, what is printed around its cards. The colour
    ``ground``, such as #fff, fills each sheet first, so that pages without bleed get one. Equal PDFs give equal bytes.
    """
    import pikepdf

    with pikepdf.open(io.BytesIO(pdf)) as whole:
        sizes = [tuple(float(end) / _POINT for end in page.mediabox[2:]) for page in whole.pages]
        if imposition.way == BOOKLET:
            sheets = [*booklet(sizes, paper)]
        elif imposition.way == TRIM:  # the pages of the book have their bleed, those of handouts have none
            slug = _SLUG if imposition.marks == CORNERS else 0.0
            added = [slug if size == sizes[0] else slug + BLEED for size in sizes]
            sheets = [
                _with_marks(PagePlace(page, more, more), (wide + 2 * more, high + 2 * more), slug)
                for page, (more, (wide, high)) in enumerate(zip(added, sizes, strict=True))
            ]
        elif imposition.way == TEST:
            sheets = [*scales(imposition.shift, paper)]
        elif imposition.way in (SHEETS, FOLD):
            cards = len(sizes) - frames
            sheets = [*card_sheets(cards, imposition, paper)]
            if frames:
                sheets = [sheet._replace(frame=(PagePlace(page),)) for page, sheet in enumerate(sheets, start=cards)]
        else:
            scale = imposition.scale
            sheets = [
                SheetOfPaper(wide * scale, high * scale, (PagePlace(page, scale=scale),), trim=BLEED * scale)
                for page, (wide, high) in enumerate(sizes)
            ]
        _rebuild(whole, sheets, ground)
        return saved(whole), len(sheets)


def _with_marks(place: PagePlace, size: tuple[float, float], slug: float) -> SheetOfPaper:
    """Return the page of a book with its bleed, and with marks if it has a ``slug`` around the bleed.

    ``size`` is the width and height of the sheet, with bleed and slug. Lengths are millimetres.
    """
    trim = slug + BLEED
    cut = size[0] - 2 * trim, size[1] - 2 * trim
    return SheetOfPaper(*size, (place,), tuple(cut_marks([(trim, trim)], cut, _OFF)) if slug else (), (), trim, slug)


def with_cards(book: bytes, cards: Sequence[tuple[bytes, float]]) -> bytes:
    """Return a book with the pages of ``cards`` drawn in the places that the book keeps for them, without their bleed.

    Pages of cards are counted from 0 through all PDFs of cards. The place of page 0 is the destination ``card:0`` of
    the book. Each PDF of cards has the factor by which its cards are scaled. Raises IndexError for a place without a
    page.
    """
    import pikepdf

    with pikepdf.open(io.BytesIO(book)) as whole:
        count, scales = len(whole.pages), list[float]()
        for pdf, scale in cards:
            with pikepdf.open(io.BytesIO(pdf)) as part:
                scales += [scale] * len(part.pages)
                append_pages(whole, part)
        rooms: dict[tuple[int, int], list[PagePlace]] = {}
        for key, (page, _, x, y, *_) in pikepdf.NameTree(whole.Root.Names.Dests).items():
            name = str(key)
            if name.startswith(ROOM):
                left, top = float(x) / _POINT, float(page.MediaBox[3] - y) / _POINT
                number = int(name.removeprefix(ROOM))
                card = PagePlace(count + number, left, top, scales[number], (BLEED,) * 4)
                rooms.setdefault(page.objgen, []).append(card)
        sheets = []
        for number, own in enumerate(list(whole.pages)[:count]):
            wide, high = (float(end) / _POINT for end in own.mediabox[2:])
            sheets.append(SheetOfPaper(wide, high, tuple(rooms.get(own.obj.objgen, ())), frame=(PagePlace(number),)))
        _rebuild(whole, sheets)
        return saved(whole)


def booklet(sizes: Sequence[tuple[float, ...]], paper: tuple[float, float]) -> Iterator[SheetOfPaper]:
    """Yield sides with two pages each, which are scaled to half a sheet.

    If the sheets are printed on both sides over the short edge and folded, they make a booklet. ``sizes`` are those of
    the pages. Places for which there is no page, up to a multiple of four, stay empty.
    """
    high, wide = sorted(paper)
    count = -(-len(sizes) // 4) * 4
    for first in range(0, count // 2, 2):
        for pair in ((count - 1 - first, first), (first + 1, count - 2 - first)):
            places = []
            for half, page in enumerate(pair):
                if page < len(sizes):
                    across, down = sizes[page]
                    scale = min(wide / 2 / across, high / down)
                    left = wide / 2 * (half + 0.5) - across * scale / 2
                    places.append(PagePlace(page, left, (high - down * scale) / 2, scale))
            yield SheetOfPaper(wide, high, tuple(places))


def card_sheets(pages: int, imposition: Imposition, paper: tuple[float, float]) -> Iterator[SheetOfPaper]:
    """Yield sides with as many cards as fit: fronts, then their backs in mirrored places on the next side.

    The backs and their marks are moved by ``imposition.shift``. If cards are folded, each side has fronts beside their
    backs instead. Cards without ``imposition.backs`` are fronts alone. ``pages`` is the count of pages, one for each
    side of a card. At least one card must fit on the paper.
    """
    scale, gap, fold = imposition.scale, imposition.gap, imposition.way == FOLD and imposition.backs
    card, sides = imposition.card[0], 1 + imposition.backs
    (wide, high), item, corners = _grid(imposition, paper)
    lines: list[Line] = []
    if imposition.marks == GUIDES:
        across_all, down_all = _edges(corners, item)
        lines = [(x, 0, x, high) for x in across_all] + [(0, y, wide, y) for y in down_all]
    elif imposition.marks == CORNERS:
        lines = cut_marks(corners, item, _OFF)
    elif imposition.marks == CUTTER:
        lines = [
            (x, y + step * _HAIR, x + across, y + step * _HAIR)
            for x, y, across, down in registration(wide, high)
            for step in range(round(down / _HAIR) + 1)
        ]
    if fold:
        folds = corners if imposition.marks in (GUIDES, CORNERS) else []
        lines += [(x + card, y, x + card, y - _OFF) for x, y in folds]
    bleed = min(BLEED, gap / 2 / scale)
    cut, shown = BLEED - bleed, bleed * scale
    inset, back_inset = ((cut, cut, BLEED, cut), (BLEED, cut, cut, cut)) if fold else ((cut,) * 4,) * 2
    right, low = (0.0, 0.0) if fold else imposition.shift

    def behind(x: float) -> float:
        """Return the left edge of a back, including any bleed; ``x`` is the left cut of its front."""
        return x + card if fold else wide - x - item[0] - shown + right

    for start in range(0, pages // sides, len(corners)):
        spots = [*zip(range(start, pages // sides), corners, strict=False)]
        fronts = tuple(PagePlace(sides * n, x - shown, y - shown, scale, inset) for n, (x, y) in spots)
        backs = tuple(PagePlace(2 * n + 1, behind(x), y - shown + low, scale, back_inset) for n, (x, y) in spots)
        yield SheetOfPaper(wide, high, fronts + backs if fold else fronts, tuple(lines))
        if imposition.backs and not fold:
            moved = [(x + right, y + low, end + right, foot + low) for x, y, end, foot in lines]
            yield SheetOfPaper(wide, high, backs, tuple(moved), is_back=True)


def scales(shift: tuple[float, float], paper: tuple[float, float]) -> Iterator[SheetOfPaper]:
    """Yield the two sides of the test page: a front with two scales, and a back with a cross moved by ``shift``.

    Where the cross meets the scales, they show the missing shift in mm. The front also has page 0, the back page 1.
    """
    wide, high = max(paper), min(paper)
    x, y = wide / 2, high / 2
    ticks = [(step, 2 if step % 5 else 4 if step else 8) for step in range(-_SCALE, _SCALE + 1)]
    above, beside = y - 3 * _SCALE, x - 3 * _SCALE
    across = [(x + step, above - long, x + step, above + long) for step, long in ticks]
    down = [(beside - long, y + step, beside + long, y + step) for step, long in ticks]
    yield SheetOfPaper(wide, high, (), (*across, *down), (PagePlace(0),))
    x, y = x + shift[0], y + shift[1]
    cross = (x - 4 * _SCALE, y, x + 4 * _SCALE, y), (x, y - 4 * _SCALE, x, y + 4 * _SCALE)
    yield SheetOfPaper(wide, high, (), cross, (PagePlace(1),), is_back=True)


def cut_lines(imposition: Imposition, paper: tuple[float, float]) -> bytes:
    """Return the lines for a cutting machine, an SVG in true size: the outline of each piece to cut out, and bars.

    A folded piece is a front beside its back. Outlines are red. The bars by which the machine finds the sheet are
    black. ``paper`` is in millimetres, and is turned as for ``card_sheets``.
    """
    (wide, high), item, corners = _grid(imposition, paper)
    cards = "".join(f"M{x:.3f} {y:.3f}h{item[0]:.3f}v{item[1]:.3f}h-{item[0]:.3f}z" for x, y in corners)
    bars = "".join(f"M{x:g} {y:g}h{across:g}v{down:g}h-{across:g}z" for x, y, across, down in registration(wide, high))
    size = f'width="{wide:g}mm" height="{high:g}mm" viewBox="0 0 {wide:g} {high:g}"'
    svg = (
        f'<svg xmlns="http://www.w3.org/2000/svg" {size}>'
        f'<path fill="none" stroke="#f00" stroke-width="{_HAIR}" d="{cards}"/><path d="{bars}"/></svg>\n'
    )
    return svg.encode()


def registration(wide: float, high: float) -> list[tuple[float, float, float, float]]:
    """Return the black bars by which a cutting machine finds a sheet of this size: left, top, width and height of each.

    The bars are a square in the upper left corner, and angles in the upper right and lower left. All in millimetres.
    """
    near, square, arm, thick = 5.0, 5.0, 20.0, 0.6
    right, foot = wide - near, high - near
    angles = [(right - arm, near, arm, thick), (right - thick, near, thick, arm)]
    angles += [(near, foot - thick, arm, thick), (near, foot - arm, thick, arm)]
    return [(near, near, square, square), *angles]


def _grid(
    imposition: Imposition, paper: tuple[float, float]
) -> tuple[tuple[float, float], tuple[float, float], list[tuple[float, float]]]:
    """Return, in millimetres, the sizes of the sheet and of each piece to cut out, and all pieces' upper left corners.

    The sheet is the paper, turned so that it holds the most pieces; if both ways hold as many, it is wider than high.
    """
    gap, edges = imposition.gap, IMPOSED_EDGES if imposition.size == INDEX else UPRIGHT_EDGES
    item = imposition.card[0] * (2 if imposition.way == FOLD and imposition.backs else 1), imposition.card[1]

    def fitting(size: tuple[float, float]) -> tuple[int, int]:
        """Return how many pieces of size ``item``, ``gap`` apart, fit on paper of this size in mm, across and down."""
        room = size[0] - 2 * edges.side, size[1] - edges.top - edges.foot
        across, down = (int((side + gap) // (each + gap)) for side, each in zip(room, item, strict=True))
        return across, down

    wide, high = max((paper, paper[::-1]), key=lambda size: (math.prod(fitting(size)), size[0]))
    across, down = fitting((wide, high))
    left = (wide - across * (item[0] + gap) + gap) / 2
    top = (high + edges.top - edges.foot - down * (item[1] + gap) + gap) / 2
    corners = [(left + x * (item[0] + gap), top + y * (item[1] + gap)) for y in range(down) for x in range(across)]
    return (wide, high), item, corners


def fits(imposition: Imposition, paper: tuple[float, float]) -> bool:
    """Return whether the paper has room for at least one card; for folded cards, for a front beside its back.

    True if cards are not put on sheets. The gap between cards does not count.
    """
    _, _, corners = _grid(imposition._replace(gap=0), paper)
    return imposition.way not in (SHEETS, FOLD) or bool(corners)


def _edges(corners: Sequence[tuple[float, float]], item: tuple[float, float]) -> tuple[list[float], list[float]]:
    """Return the x and the y of all edges of pieces, sorted and equal ones once, from upper left corners and a size."""
    across = sorted({x + more for x, _ in corners for more in (0, item[0])})
    down = sorted({y + more for _, y in corners for more in (0, item[1])})
    return across, down


def cut_marks(corners: Sequence[tuple[float, float]], item: tuple[float, float], off: float) -> list[Line]:
    """Return short lines in line with the edges of cards, to cut by.

    The lines are ``off`` millimetres outside of all cards, so that the first cut does not remove them all. ``corners``
    are the upper left corners of at least one card, ``item`` is the width and height of each card.
    """
    across, down = _edges(corners, item)
    ends = [(down[0] - off, -_MARK), (down[-1] + off, _MARK)]
    sides = [(across[0] - off, -_MARK), (across[-1] + off, _MARK)]
    return [(x, y, x, y + step) for x in across for y, step in ends] + [
        (x, y, x + step, y) for y in down for x, step in sides
    ]


class _Moved(NamedTuple):
    """The new place of a page."""

    page: Any
    form: Any
    scale: float
    right: float
    up: float
    """The place of the lower left corner of the old page on the new one, in points."""

    def point(self, x: Any, y: Any) -> tuple[float, float]:
        """Return where a point of the old page is on the new page, both in 1/72 inch from the lower left corner."""
        return round(float(x) * self.scale + self.right, 3), round(float(y) * self.scale + self.up, 3)


def _rebuild(whole: Any, sheets: Sequence[SheetOfPaper], ground: str = "") -> None:
    """Replace the pages of a PDF by sheets that show them as forms. A page may be on one sheet at most.

    Sheets are filled up to their bleed with the colour ``ground`` first, if there is one.
    """
    import pikepdf

    old = list(whole.pages)
    moved: dict[tuple[int, int], _Moved] = {}
    for sheet in sheets:
        wide, high = sheet.width * _POINT, sheet.height * _POINT
        whole.add_blank_page(page_size=(wide, high))
        page = whole.pages[-1].obj
        bleed = sheet.slug * _POINT
        if sheet.trim:
            for box, off in (("/BleedBox", bleed), ("/TrimBox", sheet.trim * _POINT)):
                page[box] = pikepdf.Array([round(end, 3) for end in (off, off, wide - off, high - off)])
        page.Tabs = pikepdf.Name.S
        page.Resources = pikepdf.Dictionary(XObject=pikepdf.Dictionary())
        drawn: list[str] = []
        for number, place in enumerate((*sheet.frame, *sheet.places)):
            source = old[place.page]
            form = source.as_form_xobject()
            if "/StructParents" in source.obj:
                form.StructParents = source.obj.StructParents
            page.Resources.XObject[f"/P{number}"] = form
            left, top, right, low = (end * _POINT for end in place.inset)
            across, down = (float(end) for end in source.mediabox[2:])
            x, y = place.left * _POINT, high - place.top * _POINT
            spot = _Moved(page, form, place.scale, x - left * place.scale, y - (down - top) * place.scale)
            moved[source.obj.objgen] = spot
            clip = left, low, across - left - right, down - top - low
            drawn.append(
                f"q {place.scale:.6f} 0 0 {place.scale:.6f} {spot.right:.4f} {spot.up:.4f} cm"
                f" {' '.join(f'{end:.4f}' for end in clip)} re W n /P{number} Do Q"
            )
            _move_links(source.obj, spot)
        if sheet.lines:
            drawn.insert(len(sheet.frame), _drawn(sheet))
        if ground:
            area = f"{bleed:.4f} {bleed:.4f} {wide - 2 * bleed:.4f} {high - 2 * bleed:.4f}"
            colour = " ".join(f"{part:.4f}" for part in shares(ground))
            drawn.insert(0, f"/Artifact BMC q {colour} rg {area} re f Q EMC")
        page.Contents = whole.make_stream("\n".join(drawn).encode())
    _move_places(whole, moved)
    if "/StructTreeRoot" in whole.Root:
        tree = whole.Root.StructTreeRoot
        _move_tags(tree, None, moved)
        for owners in list(tree.ParentTree.Nums)[1::2]:
            # Running heads have tags that are listed here only.
            for owner in owners if isinstance(owners, pikepdf.Array) else [owners]:
                _move_tags(owner, None, moved)
    del whole.pages[: len(old)]


def _drawn(sheet: SheetOfPaper) -> str:
    """Return the marks of a sheet as PDF operators."""
    paths = " ".join(
        f"{x * _POINT:.4f} {(sheet.height - y) * _POINT:.4f} m"
        f" {end * _POINT:.4f} {(sheet.height - foot) * _POINT:.4f} l"
        for x, y, end, foot in sheet.lines
    )
    return f"/Artifact BMC q {_HAIR * _POINT:.4f} w {paths} S Q EMC"


def _move_links(source: Any, spot: _Moved) -> None:
    """Move the links of an old page to its place on the new page."""
    import pikepdf

    for note in source.get("/Annots", pikepdf.Array()):
        ends = [float(end) for end in note.Rect]
        note.Rect = pikepdf.Array([*spot.point(*ends[:2]), *spot.point(*ends[2:])])
        note.P = spot.page
        if "/Annots" not in spot.page:
            spot.page.Annots = pikepdf.Array()
        spot.page.Annots.append(note)


def _move_places(whole: Any, moved: dict[tuple[int, int], _Moved]) -> None:
    """Let bookmarks and links lead to the new pages; ``moved`` has the place of each old page by its object number."""
    import pikepdf

    def walk(found: Any) -> None:
        if isinstance(found, pikepdf.Array):
            first = found[0] if len(found) > 1 and isinstance(found[0], pikepdf.Dictionary) else None
            spot = moved.get(first.objgen) if first is not None and isinstance(found[1], pikepdf.Name) else None
            if spot is not None:
                x, y = spot.point(*found[2:4]) if str(found[1]) == "/XYZ" else spot.point(0, 0)
                found[:] = [spot.page, pikepdf.Name.XYZ, x, y, 0] if str(found[1]) == "/XYZ" else [spot.page, found[1]]
                return
        kids = found if isinstance(found, pikepdf.Array) else found.values()
        for kid in kids:
            if isinstance(kid, pikepdf.Array | pikepdf.Dictionary) and not kid.is_indirect:
                walk(kid)

    for found in list(whole.objects):
        if isinstance(found, pikepdf.Array | pikepdf.Dictionary):
            walk(found)


def _move_tags(element: Any, page: Any, moved: dict[tuple[int, int], _Moved]) -> None:
    """Make an element and the tags below it name the forms that now hold their contents.

    ``page`` is the page of the parent element. ``moved`` has the new place of each old page, by its object number.
    """
    import pikepdf

    page = element.get("/Pg", page)
    spot = moved.get(page.objgen) if page is not None else None
    if "/Pg" in element and spot is not None:
        element.Pg = spot.page
    kids = element.get("/K", None)
    if kids is None:
        return
    made: list[Any] = []
    for kid in kids if isinstance(kids, pikepdf.Array) else [kids]:
        if isinstance(kid, int) and spot is not None:
            made.append(pikepdf.Dictionary(Type=pikepdf.Name.MCR, Pg=spot.page, Stm=spot.form, MCID=kid))
            continue
        made.append(kid)
        if isinstance(kid, pikepdf.Dictionary) and "/S" in kid:
            _move_tags(kid, page, moved)
        elif isinstance(kid, pikepdf.Dictionary):
            its = moved.get(kid.get("/Pg", page).objgen)
            if its is not None:
                kid.Pg = its.page
                if "/MCID" in kid:
                    kid.Stm = its.form
    element.K = pikepdf.Array(made)
