"""Pictograms for tables: what the enemy sees of a target, and the marks of command markers.

Each is an SVG file in ``templates/pictograms``, with its description in words as the title. Black is visible, a dashed
outline is hidden, and grey is ground or cover. All inks share the drawings.
"""

from __future__ import annotations

import re
from functools import cache

from markupsafe import Markup

from generator import resources

_BOX = re.compile(r'viewBox="0 0 ([\d.]+) ')


@cache
def pictograms() -> dict[str, Markup]:
    """Return the pictograms as SVG, by name."""
    files = sorted((resources.templates() / "pictograms").glob("*.svg"))
    return {file.stem: Markup(file.read_text(encoding="utf-8").strip()) for file in files}  # noqa: S704 - our own


@cache
def pictogram_width(name: str) -> float:
    """Return the width of a pictogram in units of its drawing, which is 9.3 units high."""
    return float(_BOX.findall(pictograms()[name])[0])
