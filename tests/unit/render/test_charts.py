"""Charts: bars as high as their chances, and every word of them on the page."""

from __future__ import annotations

import io
import itertools
import re
from dataclasses import replace
from fractions import Fraction
from typing import TYPE_CHECKING

import pikepdf
import pypdfium2
import pytest
from hypothesis import given
from hypothesis import strategies as st

from generator import resources
from generator.problems import RenderError
from generator.render.blocks import (
    INKS,
    PAPERS,
    Block,
    Chart,
    Hex,
    Hexes,
    Ink,
    Panel,
    Paper,
    Row,
    Section,
    Series,
    Sheet,
)
from generator.render.drawing import TINTS, WEIGHTS, figure_colour
from generator.render.page.diagrams import draw, draw_chart, least_width
from generator.render.page.html import render_html
from generator.render.page.pdf import render_pdf

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

CLOSE = 0.02


def series(*percents: int, name: str = "", mean: float | None = None) -> Series:
    told = "" if mean is None else "mean 1.5"
    chances = tuple(Fraction(one, 100) for one in percents)
    return Series(name, chances, tuple(f"c{one}" for one in percents), mean, told)


def chart(*panels: Sequence[Series], values: tuple[str, ...] = ("v0", "v1", "v2"), axis: str = "hits") -> Chart:
    made = tuple(Panel(f"Panel{n}" if len(panels) > 1 else "", tuple(some)) for n, some in enumerate(panels))
    return Chart("How many?", values, made, "How many? v0: 20 %", 25, axis)


def rectangles(svg: str) -> list[tuple[float, float, float, float]]:
    found = re.findall(r'<rect x="([^"]*)" y="([^"]*)" width="([^"]*)" height="([^"]*)"', svg)
    return [(float(x), float(y), float(wide), float(high)) for x, y, wide, high in found]


percents = st.lists(st.integers(0, 100), min_size=3, max_size=3).filter(any)


@given(rows=st.lists(percents, min_size=1, max_size=3), beside=st.booleans())
def test_bars_are_as_high_as_their_chances_on_one_scale_and_one_base(rows: list[list[int]], *, beside: bool) -> None:
    panels = [[series(*row, name="x") for row in rows]] if beside else [[series(*row)] for row in rows]
    drawn = rectangles(draw_chart(chart(*panels), "mono", 186).svg)
    legend = len(rows) if beside and len(rows) > 1 else 0
    chances = [one for row in rows for one in row if one]
    bars = drawn[legend:]
    assert len(bars) == len(chances)
    for (_, top, _, high), chance in zip(bars, chances, strict=True):
        assert abs(high - 25 * chance / max(chances)) < CLOSE
        assert abs(top + high - (bars[0][1] + bars[0][3])) < 2 * CLOSE
    for (left, _, wide, _), (other, _, broad, _) in itertools.pairwise(bars):
        assert left + wide < other + CLOSE or other + broad < left + CLOSE


def styles(style: str) -> dict[str, float]:
    return {name: float(value) for name, value in re.findall(r"([a-z-]+):(-?[\d.]+)mm", style)}


def test_each_figure_stands_over_its_bar_and_each_value_under_it() -> None:
    drawing = draw_chart(chart([series(20, 30, 50)]), "mono", 90)
    bars = rectangles(drawing.svg)
    places = {label.text: styles(label.style) for label in drawing.labels}
    for (left, top, wide, high), figure, value in zip(bars, ("c20", "c30", "c50"), ("v0", "v1", "v2"), strict=True):
        for text in (figure, value):
            assert abs(places[text]["left"] + places[text]["width"] / 2 - (left + wide / 2)) < CLOSE
        assert places[figure]["top"] + places[figure]["line-height"] <= top + 0.6
        assert places[value]["top"] >= top + high
    heavy = [label.text for label in drawing.labels if "font-weight:700" in label.style]
    assert heavy == ["c50"]


def test_the_mean_is_marked_where_it_stands() -> None:
    drawing = draw_chart(chart([series(20, 30, 50, mean=1.5)]), "mono", 90)
    first, second, third = (left + wide / 2 for left, _, wide, _ in rectangles(drawing.svg))
    (mark,) = re.findall(r'<path d="M([\d.]+) [\d.]+l', drawing.svg)
    assert abs(float(mark) - (second + third) / 2) < CLOSE
    assert first < second
    assert "mean 1.5" in [label.text for label in drawing.labels]


@pytest.mark.parametrize("ink", INKS)
def test_three_series_are_told_apart_without_colour(ink: Ink) -> None:
    drawn = draw_chart(chart([series(20, 30, 50, name=name) for name in "abc"]), ink, 186).svg
    pieces = re.split(r"(?=<rect)", drawn)[1:4]  # the legend
    looks = [
        (re.findall(r'fill="(#\w+|var[^"]+)"', one)[0] == "#fff", *re.findall(r"M[\d.]+ [\d.]+([HV])", one))
        for one in pieces
    ]
    shapes = {*looks}
    assert len(shapes) == 3
    if ink == "low":
        assert all(white for white, *_ in looks)


def test_panels_without_room_for_their_values_go_to_further_rows() -> None:
    words = ("Damaged", "Disabled", "No effect")
    panels = [[series(20, 30, 50)]] * 4
    one_row, two_rows = (draw_chart(chart(*panels, values=words), "mono", across) for across in (186, 81))
    bars = rectangles(two_rows.svg)
    assert len({round(top + high, 1) for _, top, _, high in rectangles(one_row.svg)}) == 1
    assert len({round(top + high, 1) for _, top, _, high in bars}) == 2
    assert least_width(chart(*panels, values=words)) <= 81
    places = sorted(
        (round(place["top"]), place["left"], place["left"] + place["width"])
        for place in (styles(label.style) for label in two_rows.labels if label.text in words)
    )
    for (row, _, right), (below, left, _) in itertools.pairwise(places):
        assert row != below or right <= left + CLOSE


def with_blocks(sheet: Sheet, *blocks: Block) -> Sheet:
    return replace(sheet, rows=(Row(columns=((Section("The section", blocks),),)),))


@pytest.mark.parametrize("paper", PAPERS)
@pytest.mark.parametrize("ink", INKS)
def test_every_word_is_found_in_the_file_and_the_figure_says_what_it_shows(
    sheet: Sheet, paper: Paper, ink: Ink
) -> None:
    shape = chart([series(20, 30, 50, mean=1.5)], [series(10, 40, 50)])
    rendered = render_pdf(with_blocks(sheet, shape), paper=paper, ink=ink)
    words = " ".join(page.get_textpage().get_text_range() for page in pypdfium2.PdfDocument(rendered.pdf)).split()
    for word in ("many?", "Panel0", "Panel1", "v0", "v2", "c10", "c40", "hits", "1.5"):
        assert word in words
    with pikepdf.open(io.BytesIO(rendered.pdf)) as file:
        figures = [one for one in elements(file.Root.StructTreeRoot) if one.S == "/Figure"]
        assert [str(one.Alt) for one in figures] == ["How many? v0: 20 %"]


def elements(element: pikepdf.Object) -> Iterator[pikepdf.Object]:
    kids = element.get("/K", pikepdf.Array())
    for kid in list(kids) if isinstance(kids, pikepdf.Array) else [kids]:
        if isinstance(kid, pikepdf.Dictionary) and "/S" in kid:
            yield kid
            yield from elements(kid)


def test_a_value_wider_than_its_bar_fails_by_name(sheet: Sheet) -> None:
    wide = chart([series(20, 30, 50)] * 1, values=("v0", "v1", "W" * 39))
    with pytest.raises(RenderError, match=r"'W{39}' is wider than its place in 'How many\?'"):
        render_pdf(with_blocks(sheet, wide), paper="a4", ink="mono")


def test_hostile_texts_are_printed_as_they_stand(sheet: Sheet) -> None:
    hostile = "</title><script>alert(1)</script>"
    shape = Chart(hostile, (hostile,), (Panel(hostile, (series(50, name=hostile),)),), hostile, 25, hostile)
    html = render_html(with_blocks(sheet, shape), "a4", "mono")
    assert "<script" not in html
    assert html.count("&lt;script&gt;") >= 5


# Inks


@pytest.mark.parametrize("ink", ["colour", "mono"])
def test_drawings_have_the_tints_of_the_style_sheets(ink: Ink) -> None:
    css = (resources.templates() / "css" / f"ink-{ink}.css").read_text(encoding="utf-8")
    rules = dict(re.findall(r"^\.t(\d) \{ background: (#\w+|var\([^)]+\))", css, re.MULTILINE))
    assert {str(step): fill for step, fill in enumerate(TINTS[ink]) if fill} == rules
    white = {int(step) for step in re.findall(r"^\.t(\d) \{[^}]*color: (?:#fff|var\(--on-bar\))", css, re.MULTILINE)}
    assert {step for step in range(6) if figure_colour(ink, step) == "#fff"} == white


def test_with_little_ink_figures_are_as_heavy_as_in_a_grid() -> None:
    css = (resources.templates() / "css" / "ink-low.css").read_text(encoding="utf-8")
    rules = dict(re.findall(r"^\.grid td\.t(\d), \.key \.t\d \{ font-weight: (\d+)", css, re.MULTILINE))
    assert {str(step): str(weight) for step, weight in enumerate(WEIGHTS["low"])} == rules


STEPS = Hexes(tuple(Hex(step, 0, str(step), tint=step, aim=step == 3) for step in range(6)), "Steps", 8)


@pytest.mark.parametrize("ink", INKS)
def test_a_hex_is_tinted_by_its_step_or_framed_where_no_ink_is_to_be_spent(ink: Ink) -> None:
    drawing = draw(STEPS, ink)
    fills = re.findall(r'<path d="[^"]*Z" fill="(#\w+|var[^"]+)"/>', drawing.svg)
    assert fills == [fill for fill in TINTS[ink] if fill]
    assert drawing.svg.count('stroke-width="0.3"') == (ink == "low")
    weights = [re.findall(r"font-weight:(\d+)", label.style)[0] for label in drawing.labels]
    assert weights == [str(one) for one in WEIGHTS[ink]]


def test_the_hex_that_is_aimed_at_has_its_corners_marked() -> None:
    plain = replace(STEPS, hexes=tuple(replace(one, aim=False) for one in STEPS.hexes))
    assert draw(STEPS).svg.count('stroke-width="0.45"') == 1
    assert draw(plain).svg.count('stroke-width="0.45"') == 0


def test_a_hex_without_odds_is_drawn_as_ever() -> None:
    shape = Hexes((Hex(0, 0, "7"),), "Hexes", 8)
    assert draw(shape, "colour") == draw(shape, "low")
    assert "Z" not in draw(shape).svg
