"""Pictograms for tables: what the enemy sees of a target, and the marks of command markers.

Black is visible, a dashed outline is hidden, and grey is ground or cover. All inks share the drawings.
"""

from __future__ import annotations

from typing import NamedTuple

from markupsafe import Markup

from generator.render.inks import BLACK, WHITE

_HEIGHT = 5.2
"""The printed height in millimetres."""
_EARTH = "#d8d8d8"
_TRACKS = "M4.5 7.6 L5.6 6.2 H18.4 L19.5 7.6 L18.2 9 H5.8 Z"
_TURRET = "M8.4 5.9 L9.2 4.2 H13.6 L14.6 5.9 Z"
_GUN = "M14 4.6 H21 V5.2 H14 Z"


def _solid(*paths: str) -> str:
    return f'<path d="{" ".join(paths)}" fill="{BLACK}"/>'


def _earth(path: str) -> str:
    return f'<path d="{path}" fill="{_EARTH}" stroke="{BLACK}" stroke-width=".25"/>'


def _hidden(*paths: str) -> str:
    lines = f'fill="none" stroke="{BLACK}" stroke-width=".3" stroke-dasharray=".7 .5"'
    return f'<path d="{" ".join(paths)}" {lines}/>'


def _chevrons(count: int) -> str:
    """Return a marker with this number of chevrons."""
    strokes = " ".join(f"M2.6 {4.6 + 2.2 * (index - (count - 1) / 2):.2f} l2.4 -1.5 l2.4 1.5" for index in range(count))
    frame = f'<rect x="1" y=".5" width="8" height="8" rx=".8" fill="{WHITE}" stroke="{BLACK}" stroke-width=".5"/>'
    return frame + f'<path d="{strokes}" fill="none" stroke="{BLACK}" stroke-width="1"/>'


def _soldiers(top: float) -> str:
    """Return three people on foot whose heads are at this height."""
    people = (
        f"M{x - 0.7} {top + 0.7} a.7 .7 0 1 1 1.4 0 a.7 .7 0 1 1 -1.4 0 Z"
        f" M{x - 0.8} {top + 1.7} H{x + 2.4} V{top + 2.2} H{x + 0.8} V9 H{x - 0.8} Z"
        for x in (6, 12, 18)
    )
    return _solid(*people)


class Pictogram(NamedTuple):
    """A drawing on a field 9 units high, with its description in words."""

    alt: str
    drawing: str
    width: float = 24


_GROUND = _solid("M1 8.95 H23 V9.15 H1 Z")
_BANK = "M1 9 L4 5.9 L11.5 5.5 L20 5.9 L23 9 Z"
_BUSHES = (
    "M2 9 a2.4 2.4 0 0 1 2.8 -2.9 a2.6 2.6 0 0 1 4.4 -.2 a2.6 2.6 0 0 1 4.6 0"
    " a2.6 2.6 0 0 1 4.4 .2 A2.4 2.4 0 0 1 21.6 9 Z"
)

PICTOGRAMS = {
    "vehicle-turret-down": Pictogram(
        "Only the mast shows above the ridge",
        _hidden(_TURRET, _GUN) + _earth("M1 9 L4 4.1 L11 3.8 L20 4.1 L23 9 Z") + _solid("M10.8 3.8 V1.6 H11.2 V3.8 Z"),
    ),
    "vehicle-hull-down": Pictogram(
        "Only the turret shows above the ridge", _solid(_TURRET, _GUN) + _earth(_BANK) + _hidden(_TRACKS)
    ),
    "vehicle-dug-in": Pictogram(
        "The vehicle stands between two banks of earth",
        _solid(_TRACKS, _TURRET, _GUN) + _earth("M1 9 L3.4 6 L6 9 Z M18 9 L20.6 6 L23 9 Z"),
    ),
    "vehicle-evading": Pictogram(
        "The vehicle moves at speed",
        _solid(_TRACKS, _TURRET, _GUN, "M0 4.6 H6 V5 H0 Z M1 6.2 H4 V6.6 H1 Z M0 7.8 H3.6 V8.2 H0 Z") + _GROUND,
    ),
    "vehicle-soft-cover": Pictogram(
        "Bushes hide the lower half of the vehicle", _solid(_TRACKS, _TURRET, _GUN) + _earth(_BUSHES)
    ),
    "vehicle-pop-up": Pictogram(
        "An aircraft rises behind trees",
        _solid("M8 3.4 a3.4 1.6 0 1 1 7 0 a3.4 1.6 0 1 1 -7 0 Z M6 1 H17 V1.4 H6 Z M11.3 1 H11.7 V2.4 H11.3 Z")
        + _earth("M4 9 L6 5 L8 9 Z M16 9 L18 5 L20 9 Z M19.4 9 L21 6 L22.6 9 Z"),
    ),
    "foot-open": Pictogram("Troops stand in the open", _soldiers(1.4) + _GROUND),
    "foot-soft-cover": Pictogram("Bushes hide the lower half of the troops", _soldiers(1.4) + _earth(_BUSHES)),
    "foot-dug-in": Pictogram(
        "Only heads and weapons show above the trench", _soldiers(4) + _earth("M1 9 L3 6.6 H21 L23 9 Z")
    ),
    "foot-urban": Pictogram(
        "Troops look out of the windows of a building",
        _earth("M2 9 V1.4 H22 V9 Z")
        + f'<path d="M4.4 3 H8 V8 H4.4 Z M10.2 3 H13.8 V8 H10.2 Z M16 3 H19.6 V8 H16 Z" fill="{WHITE}"/>'
        + _soldiers(4).replace("V9", "V8"),
    ),
    "chevrons-1": Pictogram("One chevron", _chevrons(1), 10),
    "chevrons-2": Pictogram("Two chevrons", _chevrons(2), 10),
    "chevrons-3": Pictogram("Three chevrons", _chevrons(3), 10),
}
"""The pictograms by name."""


def pictogram(name: str) -> Markup:
    """Return the pictogram of this name as SVG."""
    alt, drawing, width = PICTOGRAMS[name]
    return Markup(  # noqa: S704  paths of our own
        f'<svg xmlns="http://www.w3.org/2000/svg" class="pictogram" viewBox="0 0 {width} 9.3"'
        f' width="{width * _HEIGHT / 9.3:.2f}mm" height="{_HEIGHT}mm"><title>{alt}</title>{drawing}</svg>'
    )
