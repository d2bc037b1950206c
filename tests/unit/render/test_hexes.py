"""Diagrams of hexes: which line stands where, against a geometry of its own, and what becomes of the texts in print."""

from __future__ import annotations

import io
import re
from dataclasses import replace
from itertools import combinations, pairwise
from math import hypot, isclose, sqrt
from typing import TYPE_CHECKING, NamedTuple

import pikepdf
import pypdfium2
import pytest
from hypothesis import given
from hypothesis import strategies as st

from generator.problems import RenderError
from generator.render.blocks import PAPERS, Block, Group, Hex, Hexes, Paper, Prose, Row, Section, Sheet
from generator.render.page.diagrams import draw
from generator.render.page.html import render_html
from generator.render.page.pdf import Rendered, render_pdf

if TYPE_CHECKING:
    from collections.abc import Iterator

    from generator.render.drawing import Drawing

pytestmark = pytest.mark.slow

CLOSE = 0.02
"""Millimetres that two roundings to a hundredth may part what is one."""

Point = tuple[float, float]

NEXT = {(1, 0), (-1, 0), (0, 1), (0, -1), (1, -1), (-1, 1)}
RING = tuple(sorted(NEXT))


class Line(NamedTuple):
    """One side of a hex as it is drawn."""

    start: Point
    end: Point
    heavy: bool


def diagram(*hexes: tuple[int, int] | tuple[int, int, str], size: float = 8, flat: bool = False) -> Hexes:
    return Hexes(tuple(Hex(q, r, "", "".join(group)) for q, r, *group in hexes), "Hexes", size, flat, "Arcs")


# The oracle: middles by the basis of the lattice, sides by their distance from the middles


def middle(at: tuple[int, int], size: float, *, flat: bool) -> Point:
    q, r = at
    along, across = size * (r + q / 2 if flat else q + r / 2), size * sqrt(3) / 2 * (q if flat else r)
    return (across, along) if flat else (along, across)


def owners(line: Line, shape: Hexes) -> list[Hex]:
    """The hexes that have this line as a side: both its ends are corners of theirs."""
    corner = shape.size / sqrt(3)

    def is_corner(point: Point, one: Hex) -> bool:
        x, y = middle((one.q, one.r), shape.size, flat=shape.flat)
        return isclose(hypot(point[0] - x, point[1] - y), corner, abs_tol=CLOSE)

    return [one for one in shape.hexes if is_corner(line.start, one) and is_corner(line.end, one)]


def lines(drawing: Drawing) -> list[Line]:
    """Every line of the drawing, from its SVG."""
    paths = re.findall(r'<path d="([^"]*)" fill="none" stroke="#111" stroke-width="([\d.]+)"', drawing.svg)
    assert len(paths) == str(drawing.svg).count("<path") == 2
    (_, thin), (_, heavy) = paths
    assert float(heavy) > 2 * float(thin)
    found = []
    for path, width in paths:
        for trail in path.split("M")[1:]:
            corners = [(float(x), float(y)) for x, y in (corner.split() for corner in trail.split("L"))]
            found += [Line(start, end, width == heavy) for start, end in pairwise(corners)]
    return found


def check(shape: Hexes) -> None:
    """Six sides to each hex, one between neighbours, heavy where the group ends."""
    drawn = lines(draw(shape))
    groups = {(one.q, one.r): one.group for one in shape.hexes}
    sides: dict[tuple[int, int], int] = dict.fromkeys(groups, 0)
    shared: dict[frozenset[tuple[int, int]], int] = {}
    for line in drawn:
        length = hypot(line.start[0] - line.end[0], line.start[1] - line.end[1])
        assert isclose(length, shape.size / sqrt(3), abs_tol=2 * CLOSE)
        whose = [(one.q, one.r) for one in owners(line, shape)]
        assert 1 <= len(whose) <= 2
        for at in whose:
            sides[at] += 1
        if len(whose) == 2:
            shared[frozenset(whose)] = shared.get(frozenset(whose), 0) + 1
        assert line.heavy == (len(whose) == 1 or groups[whose[0]] != groups[whose[1]])
    assert set(sides.values()) <= {6}
    neighbours = {
        frozenset((one, other))
        for one, other in combinations(groups, 2)
        if (one[0] - other[0], one[1] - other[1]) in NEXT
    }
    assert shared == dict.fromkeys(neighbours, 1)


places = st.tuples(st.integers(-4, 4), st.integers(-4, 4))
shapes = st.dictionaries(places, st.sampled_from("abc"), min_size=1, max_size=25)


def test_the_oracle_knows_which_hexes_touch() -> None:
    for flat in (False, True):
        for at in NEXT:
            assert isclose(hypot(*middle(at, 8, flat=flat)), 8)
        assert hypot(*middle((1, 1), 8, flat=flat)) > 13
    assert middle((1, 0), 8, flat=False) == (8, 0)
    assert middle((0, 1), 8, flat=True) == (0, 8)


@pytest.mark.parametrize("flat", [False, True])
@pytest.mark.parametrize(
    ("hexes", "thin", "heavy"),
    [
        (((0, 0, ""),), 0, 6),
        (((0, 0, "a"), (1, 0, "a")), 1, 10),
        (((0, 0, "a"), (1, 0, "b")), 0, 11),
        (((0, 0, "a"), (1, 1, "a")), 0, 12),
        (tuple((*at, "ring") for at in ((0, 0), *RING)), 12, 18),
        (((0, 0, "middle"), *((*at, "ring") for at in RING)), 6, 24),
        (tuple((*at, "ring") for at in RING), 6, 24),
        (((3, -2, "far"), (-4, 1, "far")), 0, 12),
    ],
)
def test_neighbours_share_one_side_and_groups_are_set_off(
    hexes: tuple[tuple[int, int, str], ...],
    thin: int,
    heavy: int,
    *,
    flat: bool,
) -> None:
    shape = diagram(*hexes, flat=flat)
    check(shape)
    drawn = [line.heavy for line in lines(draw(shape))]
    assert (drawn.count(False), drawn.count(True)) == (thin, heavy)


@given(hexes=shapes, flat=st.booleans(), size=st.integers(4, 20))
def test_any_diagram_is_drawn_as_the_lattice_has_it(
    hexes: dict[tuple[int, int], str],
    *,
    flat: bool,
    size: int,
) -> None:
    check(diagram(*((*at, group) for at, group in hexes.items()), flat=flat, size=size))


@given(hexes=shapes, flat=st.booleans())
def test_nothing_is_cut_off_and_nothing_is_left_around_it(
    hexes: dict[tuple[int, int], str],
    *,
    flat: bool,
) -> None:
    drawing = draw(diagram(*((*at, group) for at, group in hexes.items()), flat=flat))
    left, top, width, height = box(drawing)
    ends = [point for line in lines(drawing) for point in (line.start, line.end)]
    for axis, first, length in ((0, left, width), (1, top, height)):
        low, high = min(point[axis] for point in ends), max(point[axis] for point in ends)
        assert first + 0.3 < low
        assert high < first + length - 0.3
        assert high - low > length - 2
    assert drawing.style == f"width:{width:g}mm;height:{height:g}mm"


def box(drawing: Drawing) -> list[float]:
    view = re.search(r'viewBox="([^"]*)" width="([\d.]+)mm" height="([\d.]+)mm"', drawing.svg)
    assert view is not None
    left, top, width, height = map(float, view[1].split())
    assert (width, height) == (float(view[2]), float(view[3]))
    return [left, top, width, height]


def test_with_a_flat_side_up_there_is_a_straight_up() -> None:
    upright = lines(draw(diagram((0, 0), flat=True)))
    assert sum(isclose(line.start[1], line.end[1]) for line in upright) == 2
    assert not any(isclose(line.start[0], line.end[0]) for line in upright)
    pointed = lines(draw(diagram((0, 0))))
    assert sum(isclose(line.start[0], line.end[0]) for line in pointed) == 2
    assert not any(isclose(line.start[1], line.end[1]) for line in pointed)


def test_a_hex_is_as_wide_from_flat_to_flat_as_its_size_says() -> None:
    for flat in (False, True):
        ends = [point for line in lines(draw(diagram((0, 0), size=12, flat=flat))) for point in (line.start, line.end)]
        axis = 1 if flat else 0
        assert isclose(max(p[axis] for p in ends) - min(p[axis] for p in ends), 12, abs_tol=CLOSE)


def test_the_same_diagram_is_the_same_text() -> None:
    shape = diagram((0, 0, "a"), (1, 0, "b"))
    assert draw(shape) == draw(shape)
    assert "-0 " not in draw(shape).svg


# Texts


def styles(style: str) -> dict[str, float]:
    return {name: float(value) for name, value in re.findall(r"([a-z-]+):(-?[\d.]+)mm", style)}


@pytest.mark.parametrize("flat", [False, True])
def test_a_text_stands_in_the_middle_of_its_hex(*, flat: bool) -> None:
    shape = Hexes((Hex(0, 0, "7"), Hex(2, -1, "long"), Hex(-1, 3, "")), "Hexes", 10, flat)
    drawing = draw(shape)
    left, top, _, _ = box(drawing)
    assert [label.text for label in drawing.labels] == ["7", "long"]
    for label, one in zip(drawing.labels, shape.hexes, strict=False):
        x, y = middle((one.q, one.r), 10, flat=flat)
        style = styles(label.style)
        assert isclose(style["left"] + style["width"] / 2 + left, x, abs_tol=CLOSE)
        assert isclose(style["top"] + style["line-height"] / 2 + top, y, abs_tol=0.2)
        assert style["width"] == 10


def test_longer_texts_are_set_smaller() -> None:
    short, one = draw(Hexes((Hex(0, 0, "12"), Hex(1, 0, "1")), "Hexes", 10)).labels
    assert styles(short.style)["font-size"] == styles(one.style)["font-size"] == 4.6
    among_long, long = draw(Hexes((Hex(0, 0, "12"), Hex(1, 0, "123")), "Hexes", 10)).labels
    assert styles(among_long.style)["font-size"] == styles(long.style)["font-size"] == 3.4


HOSTILE = '</title><script>alert(1)</script> {{ 7 * 7 }} & "x" \''


def with_blocks(sheet: Sheet, *blocks: Block, columns: int = 1) -> Sheet:
    told = (Section("The section", blocks),)
    return replace(
        sheet, rows=(Row(columns=(told, *(((Section("x", (Prose(("x",)),)),)) for _ in range(columns - 1)))),)
    )


def test_hostile_texts_are_printed_as_they_stand(sheet: Sheet) -> None:
    shape = Hexes((Hex(0, 0, HOSTILE, HOSTILE),), HOSTILE, 8, caption=HOSTILE)
    html = render_html(with_blocks(sheet, shape), "a4", "mono")
    assert "<script" not in html
    assert html.count("&lt;script&gt;") >= 3
    assert "{{ 7 * 7 }}" in html


def text_of(rendered: Rendered) -> str:
    return "\n".join(page.get_textpage().get_text_range() for page in pypdfium2.PdfDocument(rendered.pdf))


GRID = tuple((q, r) for r in range(4) for q in range(5))


def grid(*, size: float = 8, text: str = "h{q}{r}", flat: bool = False) -> Hexes:
    hexes = tuple(Hex(q, r, text.format(q=q, r=r), "ab"[q > 2]) for q, r in GRID)
    return Hexes(hexes, "Twenty hexes (5 by 4)", size, flat, "The arcs")


@pytest.mark.parametrize("paper", PAPERS)
@pytest.mark.parametrize("flat", [False, True])
def test_texts_are_found_in_the_file_in_the_order_of_the_rows(
    sheet: Sheet,
    paper: Paper,
    *,
    flat: bool,
) -> None:
    words = text_of(render_pdf(with_blocks(sheet, grid(flat=flat)), paper=paper, ink="mono")).split()
    assert [word for word in words if re.fullmatch(r"h\d\d", word)] == [f"h{q}{r}" for q, r in GRID]


def elements(element: pikepdf.Object) -> Iterator[pikepdf.Object]:
    kids = element.get("/K", pikepdf.Array())
    for kid in list(kids) if isinstance(kids, pikepdf.Array) else [kids]:
        if isinstance(kid, pikepdf.Dictionary) and "/S" in kid:
            yield kid
            yield from elements(kid)


def test_a_diagram_is_a_figure_that_says_what_it_shows(sheet: Sheet) -> None:
    rendered = render_pdf(with_blocks(sheet, grid()), paper="a4", ink="mono")
    assert "Twenty" not in text_of(rendered)
    with pikepdf.open(io.BytesIO(rendered.pdf)) as file:
        figures = [one for one in elements(file.Root.StructTreeRoot) if one.S == "/Figure"]
        assert [str(one.Alt) for one in figures] == ["Twenty hexes (5 by 4)"]


def test_a_diagram_takes_its_room_on_the_page(sheet: Sheet) -> None:
    small = render_pdf(with_blocks(sheet, grid(text="")), paper="a4", ink="mono")
    large = render_pdf(with_blocks(sheet, grid(text="", size=20)), paper="a4", ink="mono")
    below = render_pdf(with_blocks(sheet, grid(text="", size=20), Prose(("Below.",))), paper="a4", ink="mono")
    high = styles(draw(grid(size=20)).style)["height"] - styles(draw(grid()).style)["height"]
    assert isclose((large.fill[0] - small.fill[0]) * 297, high, rel_tol=0.15)
    assert below.fill[0] > large.fill[0]


# What does not fit


@pytest.mark.parametrize("text", ["", "h{q}{r}"])
@pytest.mark.parametrize(("size", "columns"), [(30, 1), (16, 2), (11, 3)])
def test_a_diagram_wider_than_its_column_fails_by_name(sheet: Sheet, text: str, size: int, columns: int) -> None:
    wide = with_blocks(sheet, grid(size=size, text=text), columns=columns)
    with pytest.raises(
        RenderError, match=r"sheet 'sample', page \d: the diagram is wider than its place in 'The arcs'"
    ):
        render_pdf(wide, paper="a4", ink="mono")


@pytest.mark.parametrize(("size", "columns"), [(25, 1), (11, 2), (7, 3)])
def test_a_diagram_that_fits_its_column_is_printed(sheet: Sheet, size: int, columns: int) -> None:
    assert render_pdf(with_blocks(sheet, grid(size=size), columns=columns), paper="letter", ink="mono").pages == 1


def test_a_diagram_inside_a_group_fails_by_name_too(sheet: Sheet) -> None:
    with pytest.raises(RenderError, match="the diagram is wider than its place in 'The arcs'"):
        render_pdf(with_blocks(sheet, Group("A group", (grid(size=30),))), paper="a4", ink="mono")


@pytest.mark.parametrize("text", ["", "7"])
def test_a_diagram_higher_than_the_page_fails_by_name(sheet: Sheet, text: str) -> None:
    tall = Hexes(tuple(Hex(-(r // 2), r, text) for r in range(25)), "A tower", 20, caption="The tower")
    with pytest.raises(RenderError, match=r"runs off the page in 'The tower'"):
        render_pdf(with_blocks(sheet, tall), paper="a4", ink="mono")


@pytest.mark.parametrize("flat", [False, True])
def test_a_text_wider_than_its_hex_fails_by_name(sheet: Sheet, *, flat: bool) -> None:
    shape = Hexes((Hex(0, 0, "A fort"), Hex(1, 0, "A fortress")), "Hexes", 10, flat, "The arcs")
    with pytest.raises(RenderError, match=r"'A fortress' is wider than its place in 'The arcs'"):
        render_pdf(with_blocks(sheet, shape), paper="a4", ink="mono")
    shorter = replace(shape, hexes=shape.hexes[:1])
    assert "A fort" in text_of(render_pdf(with_blocks(sheet, shorter), paper="a4", ink="mono"))


def test_a_glyph_that_the_fonts_lack_fails_by_the_name_of_the_diagram(sheet: Sheet) -> None:
    odd = Hexes((Hex(0, 0, "★"),), "Hexes", 10, caption="The arcs")
    with pytest.raises(RenderError, match=r"BLACK STAR.* in 'The arcs'"):
        render_pdf(with_blocks(sheet, odd), paper="a4", ink="mono")
