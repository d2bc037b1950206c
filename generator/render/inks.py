"""The fills and colours of drawings in each ink. Style sheets do not reach drawings, which are separate pictures.

The tints equal the tints in the inks' style sheets; a test checks this. In colour they are tokens of the theme.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, TypeAlias

if TYPE_CHECKING:
    from generator.render.blocks import Ink

Pattern: TypeAlias = Literal["solid", "stripes", "open", "upright"]

BLACK, WHITE, GREY = "#111", "#fff", "#555"
COLOURS = {
    "red": "#9a2a22",
    "blue": "#1f4f8f",
    "green": "#2b6a35",
    "yellow": "#8a6a00",
    "orange": "#b0560f",
    "purple": "#6a3f86",
    "brown": "#6b4423",
    "grey": "#555",
    "black": "#111",
}
"""The printed colour for each colour word of a side."""
SIDES = "red", "blue", "green", "purple", "yellow", "grey"
"""The colour words of sides that name no known colour, by the number of the side."""

TINTS: dict[Ink, tuple[str, ...]] = {
    "colour": ("", *(f"var(--step-{step})" for step in range(1, 6))),
    "mono": ("", "#cccccc", "#a1a1a1", "#757575", "#535353", "#292929"),
    "low": ("", "", "", "", "", "#111"),
}
"""The fill of each tint step; empty for no fill."""
DARK: dict[Ink, int] = {"colour": 4, "mono": 3, "low": 5}
"""The first tint step with white figures."""
FRAMED = 4
"""The tint step with a frame, with low ink."""

WEIGHTS: dict[Ink, tuple[int, ...]] = {
    "colour": (400, 600, 600, 600, 600, 700),
    "mono": (400, 600, 600, 600, 600, 700),
    "low": (400, 400, 700, 700, 900, 900),
}
"""The font weight of figures by tint step."""
UNDERLINED: dict[Ink, tuple[int, ...]] = {"colour": (), "mono": (), "low": (1, 3)}
"""The tint steps with underlined figures. With low ink, step 5 has a fill."""

PATTERNS: dict[Ink, tuple[Pattern, ...]] = {
    "colour": ("solid", "stripes", "open"),
    "mono": ("solid", "stripes", "open"),
    "low": ("open", "stripes", "upright"),
}
"""How the bars of the first, second and third series are filled."""
MARKS: dict[Pattern, str] = {"solid": BLACK, "stripes": "#989898", "open": WHITE, "upright": BLACK}
"""The fill of a mean's mark, by the fill of the bars of its series."""
BARS: dict[Ink, str] = {"colour": "var(--step-4)", "mono": "#484848", "low": "#111"}
"""The colour of bars, their stripes and outlines."""


def figure_colour(ink: Ink, step: int) -> str:
    """Return the colour of a figure on this tint step: white on dark tints, black on light tints, grey on step 0.

    >>> figure_colour("mono", 5), figure_colour("low", 5), figure_colour("low", 0)
    ('#fff', '#fff', '#555')
    """
    if step >= DARK[ink]:
        return WHITE
    return BLACK if step else GREY


def colour_word(word: str, side: int) -> str:
    """Return the colour word of a side: ``word`` if it names a known colour, or else a default for the side's index."""
    own = word.strip().lower()
    return own if own in COLOURS else SIDES[side % len(SIDES)]
