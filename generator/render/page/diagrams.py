"""Diagrams as SVG, one unit to the millimetre: hexes, and bar charts, whose every bar has its figure at it."""

from __future__ import annotations

from math import cos, pi, sin, sqrt
from typing import TYPE_CHECKING, NamedTuple

from markupsafe import Markup

from generator.render.drawing import (
    BARS,
    BLACK,
    FRAMED,
    MEANS,
    PATTERNS,
    SIDES,
    SMALLEST,
    TINTS,
    UNDERLINED,
    WEIGHTS,
    WHITE,
    Drawing,
    Label,
    Point,
    boxed,
    drawing,
    figure_colour,
    line,
    mm,
    path,
)
from generator.render.type.text_length import POINT, broken, length

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from generator.render.blocks import Chart, Hex, Hexes, Ink, Panel, Series

_LINE = 0.9
"""Half the widest line, in millimetres, that must not be cut off at the edge."""
_FIGURE = 0.5
"""Height of a percentage, as a share of the size of its hex."""
_LINES = 0.86
"""Line height within a hex, as a multiple of the smallest type: capitals and figures have no descenders."""


def draw(diagram: Hexes, ink: Ink = "mono") -> Drawing:
    """Return the diagram as a drawing: tinted hexes with texts, thin lines within a group, heavy lines around it.

    The diagram must have at least one hex.
    """
    side = diagram.size / sqrt(3)
    middles = {(item.q, item.r): _middle(item.q, item.r, side, flat=diagram.flat) for item in diagram.hexes}
    corners = {at: _corners(middle, side, flat=diagram.flat) for at, middle in middles.items()}
    everything = [corner for six in corners.values() for corner in six]
    left, top = (min(corner[axis] for corner in everything) - _LINE for axis in (0, 1))
    right, bottom = (max(corner[axis] for corner in everything) + _LINE for axis in (0, 1))
    width, height = right - left, bottom - top
    groups = {(item.q, item.r): item.group for item in diagram.hexes}
    thin: list[tuple[Point, Point]] = []
    heavy: list[tuple[Point, Point]] = []
    for item in diagram.hexes:
        at, six = (item.q, item.r), corners[item.q, item.r]
        for index, (q, r) in enumerate(SIDES):
            beyond = groups.get((item.q + q, item.r + r))
            if beyond is not None and at > (item.q + q, item.r + r):
                continue
            (heavy if beyond != item.group else thin).append((six[index], six[(index + 1) % 6]))
    longest = max(len(item.text) for item in diagram.hexes)
    labels: list[Label] = []
    for item in diagram.hexes:
        x, y = middles[item.q, item.r]
        labels += _labels(item, (x - left, y - top), diagram.size, longest, ink)
    for name in diagram.names:
        x, y = _middle(name.q, name.r, side, flat=diagram.flat)
        labels.append(boxed(name.text, (x - left, y - top), diagram.size, max(diagram.size * _FIGURE, SMALLEST)))
    tints = "".join(_tint(item, middles[item.q, item.r], corners[item.q, item.r], ink) for item in diagram.hexes)
    shapes = tints + path(_joined(thin), 0.18) + path(_joined(heavy), 0.55)
    return drawing((left, top, width, height), diagram.alt, shapes, labels)


def _joined(lines: Sequence[tuple[Point, Point]]) -> list[str]:
    """Return the data of a few long SVG paths that draw all these lines: many short paths print slowly."""
    beyond: dict[str, list[str]] = {}
    for pair in lines:
        start, end = (f"{mm(x)} {mm(y)}" for x, y in pair)
        beyond.setdefault(start, []).append(end)
        beyond.setdefault(end, []).append(start)
    paths = []
    # Paths that begin where an odd number of lines meet need fewer pieces.
    for corner in sorted(beyond, key=lambda name: len(beyond[name]) % 2 == 0):
        while beyond[corner]:
            drawn = [corner]
            while beyond[drawn[-1]]:
                drawn.append(beyond[drawn[-1]].pop())
                beyond[drawn[-1]].remove(drawn[-2])
            paths.append("M" + "L".join(drawn))
    return paths


def _middle(q: int, r: int, side: float, *, flat: bool) -> Point:
    """Return the centre of a hex, from its axial coordinates and the length of its side.

    ``flat`` hexes have a side at the top.

    >>> _middle(0, -1, 1, flat=True)[0]
    0.0
    """
    if flat:
        return 1.5 * side * q, sqrt(3) * side * (r + q / 2)
    return sqrt(3) * side * (q + r / 2), 1.5 * side * r


def _corners(middle: Point, side: float, *, flat: bool) -> list[Point]:
    start = 0 if flat else -pi / 6
    turns = (start + index * pi / 3 for index in range(6))
    return [(middle[0] + side * cos(turn), middle[1] + side * sin(turn)) for turn in turns]


def _labels(one: Hex, middle: Point, size: float, longest: int, ink: Ink) -> Iterable[Label]:
    """Return the labels of a hex: its text; with odds, its percentage in the style of its tint, and the text below.

    ``size`` is the size of a hex in millimetres. ``longest`` is the number of letters of the longest text in any hex of
    the diagram.
    """
    if one.tint is None:
        high = size * (0.46 if longest < 3 else 0.34)  # noqa: PLR2004 - one size for all: the longest must fit
        return [boxed(one.text, middle, size, high)] if one.text else []
    high = max(size * _FIGURE, SMALLEST)
    colour, weight = figure_colour(ink, one.tint), WEIGHTS[ink][one.tint]
    (x, y), off = middle, SMALLEST * _LINES / 2 if one.below else 0
    style = Markup(";color:{};font-weight:{}").format(colour, weight)
    if one.tint in UNDERLINED[ink]:
        style += Markup(";text-decoration:underline")
    figure = boxed(one.text, (x, y - off), size, high, style)
    if not one.below:
        return (figure,)
    return figure, boxed(one.below, (x, y + off), size, SMALLEST, Markup(";color:{};font-weight:400").format(colour))


def _tint(one: Hex, middle: Point, corners: list[Point], ink: Ink) -> str:
    """Return the SVG under the lines and figures of a hex: its fill or frame, and the marks of an aimed hex.

    Empty for a hex without odds.
    """
    if one.tint is None:
        return ""
    fill, drawn = TINTS[ink][one.tint], ""
    if fill:
        drawn += f'<path d="{line(*corners)}Z" fill="{fill}"/>'
    elif one.tint == FRAMED:
        frame = line(*(_toward(middle, corner, 0.8) for corner in corners))
        drawn += f'<path d="{frame}Z" fill="none" stroke="{BLACK}" stroke-width="0.3"/>'
    if one.aim:
        drawn += path(_ticks(middle, corners), 0.45, figure_colour(ink, max(one.tint, 1)))
    return drawn


def _ticks(middle: Point, corners: list[Point]) -> list[str]:
    """Return strokes in the corners of a hex as path data; none beside its figure, where they could be minus signs."""
    beside = (corner for corner in corners if abs(corner[1] - middle[1]) > _LINE * 0.1)
    return [line(_toward(middle, corner, 0.93), _toward(middle, corner, 0.66)) for corner in beside]


def _toward(middle: Point, corner: Point, part: float) -> Point:
    return middle[0] + (corner[0] - middle[0]) * part, middle[1] + (corner[1] - middle[1]) * part


_BETWEEN = 6.0
"""Space between panels."""
_ROW = 3.6
"""Line height of the texts."""
_AXIS = 4.2
"""Height of the name of the axis, with the space above it."""
_UNDER = 2.4
"""Space between the bars and the values under them, for the marks of the means."""
_LEGEND, _SAMPLE = 4.2, 6.5
"""Height of a line of the legend, and width of the sample bar before its text."""
_WIDEST = 22.0
"""Largest width of a value, however few values there are."""
_BAR = 0.72
"""Share of a value's width that its bars take."""
_STRIPES = 0.75
"""Distance from stripe to stripe."""
_HEAVY = Markup(";font-weight:700")
_SLANTED = Markup(";font-style:italic;font-weight:400")
_PLAIN = Markup(";font-weight:400")


class _Place(NamedTuple):
    """Where the bars of a panel stand in the drawing, in millimetres."""

    left: float
    pitch: float
    """The width of each value."""
    base: float
    """The distance from the top of the drawing to the foot of the bars."""

    def middle(self, index: float) -> float:
        """Return the middle of the value at an index, in millimetres from the left edge of the drawing.

        The index may be a fraction, because a mean may lie between two values.
        """
        return self.left + self.pitch * (index + 0.5)


class _Canvas(NamedTuple):
    """What is drawn so far of a chart in this ink: its shapes as SVG, and its texts."""

    chart: Chart
    ink: Ink
    shapes: list[str]
    labels: list[Label]


def least_width(chart: Chart) -> float:
    """Return the least width in millimetres of a panel whose values and figures do not touch each other.

    The chart must have at least one value that is not empty.
    """
    words = [_wide(word) for value in chart.values for word in value.split()]
    for panel in chart.panels:
        share = len(panel.series) / _BAR if len(panel.series) > 1 else 1
        words += (_wide(text) * share for series in panel.series for text in series.texts)
    return max(words) * len(chart.values)


def draw_chart(chart: Chart, ink: Ink, across: float) -> Drawing:
    """Return the chart as a drawing at most ``across`` millimetres wide. Panels without room go to further rows.

    A panel that is wider than a row is squeezed into the row. The chart must have at least one panel, and a value that
    is not empty. Each panel must have at least one series.
    """
    least = least_width(chart)
    fitting = int((across + _BETWEEN) // (least + _BETWEEN))
    rows = -(-len(chart.panels) // max(1, min(fitting, len(chart.panels))))
    in_row = -(-len(chart.panels) // rows)
    each = (across - _BETWEEN * (in_row - 1)) / in_row
    usual = _WIDEST * max(1, *(len(panel.series) for panel in chart.panels)) * len(chart.values)
    each = min(each, max(usual, least))
    pitch = each / len(chart.values)
    titled = _ROW + 0.6 if any(panel.title for panel in chart.panels) else 0
    entries = [series for panel in chart.panels for series in panel.series]
    longest = max(_wide(_entry(entry)) for entry in entries) + _SAMPLE + 2
    abreast = max(1, min(len(entries), int(each / longest)))  # entries of the legend in one line
    legend = _LEGEND * -(-max(len(panel.series) for panel in chart.panels) // abreast) if _is_told_apart(chart) else 0
    lines = max(len(broken(value, pitch, SMALLEST / POINT)) for value in chart.values)
    above = titled + legend + _ROW + chart.height
    width = each * in_row + _BETWEEN * (in_row - 1)
    means = any(series.mean is not None for series in entries)
    under = _UNDER + _ROW * lines + (_ROW if means and not _is_told_apart(chart) else 0)
    high = above + under + (_AXIS if chart.axis else 0)
    canvas = _Canvas(chart, ink, [], [])
    labels = canvas.labels
    for number, panel in enumerate(chart.panels):
        top = number // in_row * (high + _BETWEEN)
        base = top + above
        place = _Place(number % in_row * (each + _BETWEEN), pitch, base)
        middle = place.left + each / 2
        if panel.title:
            labels.append(boxed(panel.title, (middle, top + _ROW / 2), each, SMALLEST, _HEAVY))
        if _is_told_apart(chart):
            _legend(panel, (place.left, top + titled + _ROW / 2, each / abreast), abreast, canvas)
        _bars(panel, place, canvas)
        for index, value in enumerate(chart.values):
            labels.append(boxed(value, (place.middle(index), base + _UNDER + _ROW / 2), pitch, SMALLEST, _PLAIN, lines))
        _means(panel, place, (base + _UNDER + _ROW * (lines + 0.5), each), canvas)
        if chart.axis:
            labels.append(boxed(chart.axis, (middle, base + under + _AXIS - _ROW / 2), each, SMALLEST, _SLANTED))
    whole = rows * (high + _BETWEEN) - _BETWEEN
    return drawing((0, 0, width, whole), chart.alt, "".join(canvas.shapes), labels)


def _is_told_apart(chart: Chart) -> bool:
    """Return whether a panel has several series, which need a legend."""
    return any(len(panel.series) > 1 for panel in chart.panels)


def _wide(text: str) -> float:
    """Return the width in millimetres of a text in bold type of the smallest size."""
    return length(text, SMALLEST / POINT, "sans-bold")


def _bars(panel: Panel, place: _Place, canvas: _Canvas) -> None:
    chart, ink, shapes, labels = canvas
    top = max((chance for item in chart.panels for series in item.series for chance in series.chances), default=0)
    wide = place.pitch * _BAR / len(panel.series)
    for number, series in enumerate(panel.series):
        likeliest = max(series.chances, default=0)
        for index, (chance, text) in enumerate(zip(series.chances, series.texts, strict=True)):
            middle = place.middle(index) + wide * (number - (len(panel.series) - 1) / 2)
            high = float(chance / top) * chart.height if top else 0.0
            if chance:
                box = (middle - wide / 2, place.base - high, wide, high)
                shapes.append(_filled(box, PATTERNS[ink][number], BARS[ink]))
            weight = _HEAVY if chance == likeliest else _PLAIN
            room = wide if len(panel.series) > 1 else place.pitch
            if text:
                labels.append(boxed(text, (middle, place.base - high - _ROW / 2), room, SMALLEST, weight))
    ends = (place.left, place.base), (place.middle(len(chart.values) - 1) + place.pitch / 2, place.base)
    shapes.append(path([line(*ends)], 0.3))


def _filled(box: tuple[float, float, float, float], pattern: str, colour: str) -> str:
    left, top, wide, high = box
    inside = colour if pattern == "solid" else WHITE
    drawn = f'<rect x="{mm(left)}" y="{mm(top)}" width="{mm(wide)}" height="{mm(high)}"'
    drawn += f' fill="{inside}" stroke="{colour}" stroke-width="0.3"/>'
    # One broad line with dashes, instead of a line for each stripe.
    if pattern == "stripes" and high > _STRIPES:
        drawn += _dashed(f"M{mm(left + wide / 2)} {mm(top + high - _STRIPES + 0.15)}V{mm(top - 0.15)}", wide, colour)
    elif pattern == "upright" and wide > _STRIPES:
        drawn += _dashed(f"M{mm(left + _STRIPES - 0.15)} {mm(top + high / 2)}H{mm(left + wide + 0.15)}", high, colour)
    return drawn


def _dashed(along: str, broad: float, colour: str) -> str:
    return (
        f'<path d="{along}" fill="none" stroke="{colour}" stroke-width="{mm(broad)}"'
        f' stroke-dasharray="0.3 {_STRIPES - 0.3:.2f}"/>'
    )


def _means(panel: Panel, place: _Place, row: tuple[float, float], canvas: _Canvas) -> None:
    """Add a mark under the axis at each mean.

    The text of the mean is below the mark, unless the legend has the text. ``row`` is the middle of the row of these
    texts, from the top, and the width of a panel, in millimetres.
    """
    (middle, each), (chart, ink, shapes, labels) = row, canvas
    for number, series in enumerate(panel.series):
        if series.mean is None:
            continue
        at = place.middle(series.mean)
        corners = f"M{mm(at)} {mm(place.base + 0.4)}l1.1 1.8h-2.2Z"
        fill = MEANS[PATTERNS[ink][number]] if len(panel.series) > 1 else BLACK
        shapes.append(f'<path d="{corners}" fill="{fill}" stroke="{BLACK}" stroke-width="0.25"/>')
        if not _is_told_apart(chart):
            room = min(each, _wide(series.mean_text) + 2)
            stands = min(max(at, place.left + room / 2), place.left + each - room / 2)
            labels.append(boxed(series.mean_text, (stands, middle), room, SMALLEST))


def _entry(series: Series) -> str:
    return ": ".join(part for part in (series.name, series.mean_text) if part)


def _legend(panel: Panel, at: tuple[float, float, float], abreast: int, canvas: _Canvas) -> None:
    """Add a legend entry for each series: a sample bar, its name, its mean.

    ``at`` is the left edge, the middle of the first row, and the width of an entry, in millimetres. ``abreast`` is the
    count of entries in a row.
    """
    (left, top, wide), (_, ink, shapes, labels) = at, canvas
    for number, series in enumerate(panel.series):
        middle, start = top + number // abreast * _LEGEND, left + number % abreast * wide
        shapes.append(_filled((start + 0.3, middle - 1.3, 5.0, 2.6), PATTERNS[ink][number], BARS[ink]))
        room = wide - _SAMPLE
        label = boxed(_entry(series), (start + _SAMPLE + room / 2, middle), room, SMALLEST)
        labels.append(label._replace(style=label.style + ";text-align:left"))
