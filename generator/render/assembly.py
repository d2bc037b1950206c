"""How sheets of a table are put together: marks to cut and join by, a key on each, and the plan on the first page."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from markupsafe import Markup, escape

from generator.render.battlefield import Frame, colour_of, grounds, hatched, step_of
from generator.render.drawing import Drawing, boxed, line, mm, path
from generator.render.inks import BLACK, GREY
from generator.render.legend import draw_legend, legend_height
from generator.render.page.geometry import side_margin
from generator.render.terrain import draw_terrain
from generator.render.tiling import FLAP, MARGIN

if TYPE_CHECKING:
    from generator.render.areas import Box
    from generator.render.blocks import Ink, Map, Paper
    from generator.render.tiling import Tile, Tiling

_OFF, _MARK = 0.5, 2.0
"""How far a mark stays off the picture, and its length."""
_KEY = 10.6, 26.0
"""How high and how wide the key may be."""
_HEADED, _TOLD, _FOOT = 24.0, 50.0, 16.0
"""What the first page has above its plan, under it, and at its foot."""


class First(NamedTuple):
    """The plan that joins the sheets, and what is said under it."""

    plan: Drawing
    top: float
    below: float
    steps: tuple[str, ...]
    facts: str


def placed(box: Box) -> str:
    """A box as the attributes of a rectangle."""
    left, top, right, bottom = box
    return f'x="{left:.4f}" y="{top:.4f}" width="{right - left:.4f}" height="{bottom - top:.4f}"'


def cut_marks(split: Tiling, tile: Tile) -> Markup:
    """Where to cut: at the left and at the top. Where to lay the next sheets to: a broken line."""
    wide, high = split.paper
    left, top = MARGIN, MARGIN
    right, bottom = left + tile.shown[2] - tile.shown[0], top + tile.shown[3] - tile.shown[1]
    fold, sill = left + tile.cell[2] - tile.cell[0], top + tile.cell[3] - tile.cell[1]
    cuts = [line((x, top - _OFF), (x, top - _OFF - _MARK)) for x in (left, right)]
    cuts += [line((left - _OFF, y), (left - _OFF - _MARK, y)) for y in (top, bottom)]
    cuts += [line((left, bottom + _OFF), (left, bottom + _OFF + _MARK))]
    cuts += [line((right + _OFF, top), (right + _OFF + _MARK, top))]
    joints = []
    if tile.column + 1 < split.columns:
        joints.append(line((fold, top), (fold, bottom)))
        cuts += [f"M{mm(fold)} {mm(top - _OFF)}l-1 -{_MARK}h2Z", f"M{mm(fold)} {mm(bottom + _OFF)}l-1 {_MARK}h2Z"]
    if tile.row + 1 < split.rows:
        joints.append(line((left, sill), (right, sill)))
        cuts += [f"M{mm(left - _OFF)} {mm(sill)}l-{_MARK} -1v2Z", f"M{mm(right + _OFF)} {mm(sill)}l{_MARK} -1v2Z"]
    broken = f'<path d="{" ".join(joints)}" fill="none" stroke="{BLACK}" stroke-width="0.25" stroke-dasharray="3 2"/>'
    return Markup(  # noqa: S704 - numbers of our own
        f'<svg class="marks" xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {wide} {high}" width="{wide}mm"'
        f' height="{high}mm"><title>Marks to cut and to join by</title>{broken if joints else ""}'
        f"{path(cuts, 0.2)}</svg>"
    )


def key(split: Tiling, tile: Tile) -> tuple[Markup, float]:
    """A small plan with this sheet in black."""
    across, down, wide, high = _raster(split)
    one = tile.cell
    unit = wide / split.tiles[-1].cell[2]
    here = (
        f'<rect x="{mm(one[0] * unit)}" y="{mm(one[1] * unit)}" width="{mm((one[2] - one[0]) * unit)}"'
        f' height="{mm((one[3] - one[1]) * unit)}" fill="{BLACK}"/>'
    )
    lines = [line((x, 0), (x, high)) for x in across] + [line((0, y), (wide, y)) for y in down]
    svg = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="-.2 -.2 {mm(wide + 0.4)} {mm(high + 0.4)}"'
        f' width="{mm(wide + 0.4)}mm" height="{mm(high + 0.4)}mm"><title>Where sheet {tile.name} lies</title>'
        f"{here}{path(lines, 0.1, GREY)}</svg>"
    )
    return Markup(svg), wide  # noqa: S704 - numbers of our own


@lru_cache(maxsize=8)
def _raster(split: Tiling) -> tuple[list[float], list[float], float, float]:
    """The joints of the key, its width and its height."""
    long, deep = split.tiles[-1].cell[2:]
    unit = min(_KEY[0] / deep, _KEY[1] / long)
    across = [one.cell[0] * unit for one in split.tiles[: split.columns]]
    down = [one.cell[1] * unit for one in split.tiles[:: split.columns]]
    return [*across, long * unit], [*down, deep * unit], long * unit, deep * unit


# The first page


def first_page(plan: Map, split: Tiling, paper: Paper, ink: Ink) -> First:
    """The plan, its legend, and how to go about it."""
    wide, high = split.paper
    across = wide - 2 * side_margin()
    room = across, high - _HEADED - _TOLD - _FOOT - legend_height(plan, across)
    inch = min(room[0] / plan.width, room[1] / plan.depth)
    frame = Frame((room[0] - plan.width * inch) / 2 + 0.4, 0.4, inch, plan.width * inch, plan.depth * inch)
    window = frame.left, frame.top, frame.left + frame.wide, frame.top + frame.high
    shapes = [draw_terrain(pattern, areas, ink) for pattern, areas in grounds(plan, frame)]
    shapes += [hatched(frame.area(one.shape), one.side, colour_of(plan, one.side, ink)) for one in plan.zones]
    unit = frame.wide / split.tiles[-1].cell[2]
    lines = [line((frame.left + one.cell[0] * unit, window[1]), (frame.left + one.cell[0] * unit, window[3]))
             for one in split.tiles[1 : split.columns]]  # fmt: skip
    lines += [line((window[0], frame.top + one.cell[1] * unit), (window[2], frame.top + one.cell[1] * unit))
              for one in split.tiles[:: split.columns][1:]]  # fmt: skip
    behind = Markup(";font-weight:700;background:rgba(255,255,255,0.78)")
    labels = [
        boxed(one.name, (frame.left + (one.cell[0] + one.cell[2]) / 2 * unit,
                         frame.top + (one.cell[1] + one.cell[3]) / 2 * unit), len(one.name) * 2.1 + 1, 3.2, behind)
        for one in split.tiles
    ]  # fmt: skip
    below: list[str] = []
    total = frame.high + 4 + draw_legend(plan, ink, (frame.high + 4, room[0]), below, labels)
    svg = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {mm(room[0] + 0.8)} {mm(total)}"'
        f' width="{mm(room[0] + 0.8)}mm" height="{mm(total)}mm"><title>{escape(_said(split))}</title>'
        f'<clipPath id="plan"><rect {placed(window)}/></clipPath><g clip-path="url(#plan)">{"".join(shapes)}</g>'
        f'{path(lines, 0.35)}<rect {placed(window)} fill="none" stroke="{BLACK}" stroke-width="0.6"/>'
        f"{''.join(below)}</svg>"
    )
    style = Markup("width:{}mm;height:{}mm").format(mm(room[0] + 0.8), mm(total))
    drawn = Drawing(Markup(svg), tuple(labels), style)  # noqa: S704 - numbers of our own, and a text that is escaped
    return First(drawn, _HEADED, _HEADED + total + 3, _steps(), _facts(plan, split, paper))


def _said(split: Tiling) -> str:
    last = split.tiles[-1].name
    return f"Plan of the sheets: {split.columns} across, {split.rows} down, from A1 in the north-west to {last}"


def _facts(plan: Map, split: Tiling, paper: Paper) -> str:
    name = {"a4": "A4", "letter": "Letter"}[paper]
    many = len(split.tiles)
    return (
        f"{many} sheets of {name}: {split.columns} across, {split.rows} down. "
        f"The table is {plan.width:g}″ × {plan.depth:g}″, a square of its grid {step_of(plan)}″."
    )


def _steps() -> tuple[str, ...]:
    return (
        "Print at 100 %, not fitted to the page, and on one side: the ruler on each sheet is 100 mm long.",
        "Cut each sheet along the left and the upper edge of its picture, from mark to mark.",
        f"Lay the cut edge to the broken line of the sheet before it, {FLAP:g} mm over it: the sheet is named there.",
        "Join from behind with tape: first each row from A on, then the rows.",
    )
