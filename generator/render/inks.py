"""The fills and colours of drawings in each ink, from ``inks.toml``. Style sheets do not reach drawings."""

from __future__ import annotations

import tomllib
from typing import TYPE_CHECKING, Any

from generator import resources

if TYPE_CHECKING:
    from generator.render.blocks import Ink

BLACK, WHITE, GREY = "#111", "#fff", "#555"
_FILE: dict[str, Any] = tomllib.loads((resources.templates() / "inks.toml").read_text(encoding="utf-8"))
COLOURS: dict[str, str] = _FILE["sides"]
"""The printed colour for each colour word of a side."""
SIDES = "red", "blue", "green", "purple", "yellow", "grey"
"""The colour words of sides that name no known colour, by the number of the side."""
MEANS: dict[str, str] = _FILE["means"]
"""The fill of a mean's mark, by the fill of the bars of its series."""
_TONES: dict[str, list[str]] = _FILE["tones"]
FRAMED = 4
"""The tint step with a frame, with low ink."""


def _by_ink(key: str) -> dict[Ink, Any]:
    return {ink: look[key] for ink, look in _FILE["inks"].items()}


TINTS, WEIGHTS, UNDERLINED = map(_by_ink, ("tints", "weights", "underlined"))
"""The fill of each tint step, empty for none; the font weight of its figures; the steps with underlined figures."""
_DARK, PATTERNS, BARS = map(_by_ink, ("dark", "patterns", "bars"))
"""The first tint step with white figures; the fills of the bars of each series; the colour of bars."""


def tone(word: str, ink: Ink) -> tuple[str, str]:
    """Return the colour of a ground and of the text on it; ``word`` is a tone of ``inks.toml``, such as "pale".

    Black on white with low ink, and for an unknown word.
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
    """Return the colour word of a side: ``word`` if it names a known colour, or else a default for the side's index."""
    own = word.strip().lower()
    return own if own in COLOURS else SIDES[side % len(SIDES)]
