"""The parts of all drawings: lines as SVG, one unit to the millimetre, texts over the lines, and colours in each ink.

Style sheets do not reach drawings, so ``inks.toml`` has their colours and fills.
The texts are not in the SVG, so they are set in our fonts, can be searched for, and are checked like other texts.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Sequence
from functools import cache
from math import atan2, degrees
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from markupsafe import Markup, escape

from generator import resources

if TYPE_CHECKING:
    from generator.render.blocks import Ink

Point: TypeAlias = tuple[float, float]

BLACK, WHITE, GREY = "#111", "#fff", "#555"
SIDES = ((1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1), (1, -1))
"""The neighbour at each side of a hex, clockwise, in axial coordinates.

The first is at the lower right if a flat side is at the top, else at the right.
"""
SMALLEST = 2.83
"""The smallest type of a sheet, in millimetres: 8 points."""


class Label(NamedTuple):
    """A text with the CSS style of its box, in which it is centred."""

    text: str
    style: Markup


class Drawing(NamedTuple):
    """The lines as SVG, the texts over them, and the CSS style with the size of both."""

    svg: Markup
    labels: tuple[Label, ...]
    style: Markup


def drawing(box: tuple[float, float, float, float], title: str, shapes: str, labels: Iterable[Label]) -> Drawing:
    """Return a drawing of a box (left, top, width, height) in millimetres, with ``labels`` over it.

    Labels are placed from the upper left corner of the box. The ``title`` describes the drawing for screen readers.
    The ``shapes`` must be SVG of our own, because they are not escaped.
    """
    left, top, width, height = map(mm, box)
    picture = Markup(  # noqa: S704 - numbers and shapes of our own; the title is escaped
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{left} {top} {width} {height}" width="{width}mm"'
        f' height="{height}mm"><title>{escape(title)}</title>{shapes}</svg>'
    )
    return Drawing(picture, tuple(labels), Markup("width:{}mm;height:{}mm").format(width, height))


def boxed(text: str, middle: Point, width: float, high: float, more: str = "", lines: int = 1) -> Label:
    """Return a label in type ``high`` millimetres high, centred on a point in a box ``width`` millimetres wide.

    ``more`` is further CSS, which must begin with a semicolon. With ``lines`` above 1, the text may break into lines
    below the first.
    """
    style = Markup("left:{}mm;top:{}mm;width:{}mm;font-size:{}mm;line-height:{}mm{}").format(
        mm(middle[0] - width / 2), mm(middle[1] - high * 0.62), mm(width), mm(high), mm(high * 1.2), more
    )
    return Label(text, style + (";white-space:normal" if lines > 1 else ""))


def path(lines: Sequence[str], width: float, colour: str = BLACK) -> str:
    """Return an SVG path of several lines, given as path data, in one width (millimetres) and colour."""
    return f'<path d="{" ".join(lines)}" fill="none" stroke="{colour}" stroke-width="{width}" stroke-linecap="round"/>'


def line(*points: Sequence[float]) -> str:
    """Return a line from point to point, in millimetres, as SVG path data."""
    return "M" + "L".join(f"{mm(x)} {mm(y)}" for x, y in points)


def mm(number: float) -> str:
    """Return a length as text, rounded to hundredths of a millimetre and without a unit: the same on every machine.

    >>> mm(-0.001), mm(2.5)
    ('0', '2.5')
    """
    text = f"{number:.2f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text


@cache
def outlines(kind: str) -> Any:
    """Return a section of ``drawings.toml`` by name, such as ``frames``.

    Most sections have SVG path data by name; ``map`` has SVG elements. ``emblems`` and ``groups`` are lists, and
    ``plans`` has a section for each plan. Raises KeyError for an unknown section.
    """
    return tomllib.loads((resources.templates() / "drawings.toml").read_text(encoding="utf-8"))[kind]


def sign(name: str, at: Point, toward: Point = (1, 0), more: str = "") -> str:
    """Return the map sign with this name in ``drawings.toml`` as SVG, placed as by :func:`placed`.

    Raises KeyError for an unknown name.
    """
    return placed(outlines("map")[name], at, toward, more)


def placed(shapes: str, at: Point, toward: Point = (1, 0), more: str = "") -> str:
    """Return SVG moved to a point in millimetres, and turned so that its right side points in the direction ``toward``.

    ``toward`` is a vector to the right and down. ``more`` is empty or begins with a space: SVG transforms that apply
    before the SVG is turned.
    """
    turn = round(degrees(atan2(toward[1], toward[0])), 2)
    rotated = f" rotate({turn:g})" if turn else ""
    return f'<g transform="translate({mm(at[0])} {mm(at[1])}){rotated}{more}">{shapes}</g>'


@cache
def pictograms() -> dict[str, Markup]:
    """Return the pictograms of tables as SVG, by name: what the enemy sees of a target, and marks of command.

    Each is a file with its description as the title. Black is visible, a dashed outline is hidden, grey is ground or
    cover.
    """
    files = sorted((resources.templates() / "pictograms").glob("*.svg"))
    return {file.stem: Markup(file.read_text(encoding="utf-8").strip()) for file in files}  # noqa: S704 - our own


_FILE: dict[str, Any] = tomllib.loads((resources.templates() / "inks.toml").read_text(encoding="utf-8"))
COLOURS: dict[str, str] = _FILE["sides"]
"""The printed colour for each colour word of a side."""
_COLOUR_WORDS = "red", "blue", "green", "purple", "yellow", "grey"
"""The colour words of sides that name no known colour, by the number of the side."""
MEANS: dict[str, str] = _FILE["means"]
"""The fill of a mean's mark, by the fill of the bars of its series."""
_TONES: dict[str, list[str]] = _FILE["tones"]
FRAMED = 4
"""The tint step with a frame, with low ink."""


def _by_ink(key: str) -> dict[Ink, Any]:
    return {ink: look[key] for ink, look in _FILE["inks"].items()}


TINTS, WEIGHTS, UNDERLINED = map(_by_ink, ("tints", "weights", "underlined"))
"""By ink: the fills of tint steps, empty for none; the font weights of figures; the steps with underlined figures."""
_DARK, PATTERNS, BARS = map(_by_ink, ("dark", "patterns", "bars"))
"""By ink: the first tint step with white figures; the fills of the bars of each series; the colour of bars."""


def tone(word: str, ink: Ink) -> tuple[str, str]:
    """Return the colour of a background, and the colour of the text on it.

    ``word`` is a tone of ``inks.toml``, such as "pale". The colours are white and black with low ink, and for an
    unknown word.
    """
    colours = _TONES.get(word) if ink != "low" else None
    if colours is None:
        return WHITE, BLACK
    return (colours[0], colours[1]) if ink == "colour" else (colours[2], colours[3])


def figure_colour(ink: Ink, step: int) -> str:
    """Return the colour of a figure on this tint step: white on dark tints, black on light tints, grey on step 0.

    >>> figure_colour("mono", 5), figure_colour("low", 5), figure_colour("low", 0)
    ('#fff', '#fff', '#555')
    """
    if step >= _DARK[ink]:
        return WHITE
    return BLACK if step else GREY


def colour_word(word: str, side: int) -> str:
    """Return ``word`` in small letters if it names a known colour, or else the default colour word of a side.

    ``side`` is the index of the side.
    """
    own = word.strip().lower()
    return own if own in COLOURS else _COLOUR_WORDS[side % len(_COLOUR_WORDS)]
