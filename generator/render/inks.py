"""What drawings are filled with in each ink: a drawing is a picture of its own, which no style sheet reaches.

The tints are those of the style sheets of the inks; a test holds the two together.
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
"""The words for a side's colour, and what they are printed in."""

TINTS: dict[Ink, tuple[str, ...]] = {
    "colour": ("", "#dae8f7", "#afc9e6", "#769bc5", "#224a74", "#041527"),
    "mono": ("", "#e6e6e6", "#c6c6c6", "#989898", "#484848", "#111"),
    "low": ("", "", "", "", "", ""),
}
"""The fill of each step; nothing where the paper shows."""
DARK = 4
"""The first step that carries white figures."""

WEIGHTS: dict[Ink, tuple[int, ...]] = {
    "colour": (400, 600, 600, 600, 600, 700),
    "mono": (400, 600, 600, 600, 600, 700),
    "low": (400, 400, 700, 700, 900, 900),
}
"""How heavy the figures of each step are: with little ink they alone tell it, and the highest has a frame."""

PATTERNS: dict[Ink, tuple[Pattern, ...]] = {
    "colour": ("solid", "stripes", "open"),
    "mono": ("solid", "stripes", "open"),
    "low": ("open", "stripes", "upright"),
}
"""How the bars of the first, second and third series are filled."""
MARKS: dict[Pattern, str] = {"solid": BLACK, "stripes": "#989898", "open": WHITE, "upright": BLACK}
"""What the mark of the mean is filled with, by the bars that it is of."""
BARS: dict[Ink, str] = {"colour": "#224a74", "mono": "#484848", "low": "#111"}
"""What bars are filled, striped and outlined with."""


def figure_colour(ink: Ink, step: int) -> str:
    """What a figure on this step is printed in: white on the dark ones, grey where there is next to nothing.

    >>> figure_colour("mono", 5), figure_colour("low", 5), figure_colour("low", 0)
    ('#fff', '#111', '#555')
    """
    if TINTS[ink][step] and step >= DARK:
        return WHITE
    return BLACK if step else GREY
