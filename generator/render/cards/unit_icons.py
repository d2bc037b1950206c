"""Unit symbols on cards as SVG: a frame for where the unit fights, a sign for its type, bars for its size.

The drawings are ours, in the style of military map symbols. They are black lines and shapes, for any ink.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from generator.render.drawing import mm
from generator.render.inks import BLACK

if TYPE_CHECKING:
    from generator.render.cards.deck import Symbol

WIDTH, HEIGHT = 14.0, 11.2
"""Size of the drawing, including the bars above the frame."""
_SCALE = 0.86
"""The printed size, in sizes of the drawing."""
_TOP = 2.0

FRAMES = {
    "land": "M.4 .4H13.6V8.8H.4Z",
    "fixed": "M.4 .4H13.6V8.8H.4ZM.4 7.6H13.6",
    "foot": "M.4 .4H13.6V8.8H.4Z",
    "air": "M.4 8.8V4.6A6.6 4.2 0 0 1 13.6 4.6V8.8",
    "water": "M.4 .4V4.6A6.6 4.2 0 0 0 13.6 4.6V.4",
    "none": "M7 .4A4.2 4.2 0 0 1 7 8.8A4.2 4.2 0 0 1 7 .4Z",
}
"""The outlines of the frames, in a box of 14 by 9.2."""
SIGNS = {
    "none": "",
    "armour": "M4.4 2.6H9.6A2 2 0 0 1 9.6 6.6H4.4A2 2 0 0 1 4.4 2.6Z",
    "tracked": "M4.4 2.6H9.6A2 2 0 0 1 9.6 6.6H4.4A2 2 0 0 1 4.4 2.6ZM2.6 7.6H11.4",
    "wheeled": "M4.4 2.4H9.6A1.7 1.7 0 0 1 9.6 5.8H4.4A1.7 1.7 0 0 1 4.4 2.4ZM4.4 7.6h.01M7 7.6h.01M9.6 7.6h.01",
    "hover": "M4.4 2.4H9.6A1.7 1.7 0 0 1 9.6 5.8H4.4A1.7 1.7 0 0 1 4.4 2.4ZM3 7.4q1 -.9 2 0t2 0t2 0t2 0",
    "grav": "M4.4 2.2H9.6A1.7 1.7 0 0 1 9.6 5.6H4.4A1.7 1.7 0 0 1 4.4 2.2ZM5 6.6L7 7.9L9 6.6",
    "walker": "M4.4 1.8H9.6A1.6 1.6 0 0 1 9.6 5H4.4A1.6 1.6 0 0 1 4.4 1.8ZM5.4 5V7.7H4.4M8.6 5V7.7H9.6",
    "infantry": "M.4 .4L13.6 8.8M13.6 .4L.4 8.8",
    "artillery": "M7 3.3A1.3 1.3 0 0 1 7 5.9A1.3 1.3 0 0 1 7 3.3Z",
    "missile": "M7 7.4V3.2M5.6 7.4H8.4M5.6 4.4Q5.6 2.2 7 1.6Q8.4 2.2 8.4 4.4V7.4M5.6 4.4V7.4",
    "air-defence": "M2.4 8.8A4.6 5.6 0 0 1 11.6 8.8",
    "aircraft": "M7 4.7L3.2 3V6.4L7 4.7L10.8 3V6.4Z",
    "rotor": "M3 3.4H11M7 3.4V5M5.2 5H8.8V7H5.2Z",
    "ship": "M3.4 4.4H10.6L9.4 6.8H4.6ZM7 4.4V2",
    "engineer": "M3.6 6.8V3H10.4V6.8M7 3V6.8",
    "supply": "M.4 6.8H13.6",
    "ammunition": "".join(f"M{x - 0.8:.1f} 7.2v-3q0 -1.5 .8 -2.3q.8 .8 .8 2.3v3Z" for x in (4.2, 7, 9.8)),
    "medical": "M7 1.8V7.4M4.2 4.6H9.8",
    "command": "M4.6 7.6V2H9.6V4.6H4.6",
    "observer": "M3 4.6Q7 .9 11 4.6Q7 8.3 3 4.6ZM7 3.8A.8 .8 0 0 1 7 5.4A.8 .8 0 0 1 7 3.8Z",
    "mines": "".join(f"M{x} {y}a.8 .8 0 0 1 0 1.6a.8 .8 0 0 1 0 -1.6Z" for x, y in ((4.2, 5.4), (7, 2.6), (9.8, 5.4))),
    "person": "M7 1.7A1.1 1.1 0 0 1 7 3.9A1.1 1.1 0 0 1 7 1.7ZM4.9 7.5V6.2A2.1 1.7 0 0 1 9.1 6.2V7.5",
}
"""The signs inside the frame."""
_FILLED = ("artillery", "mines", "aircraft", "ammunition")
MOST = 7
"""Most bars above the frame."""


def symbol_paths(symbol: Symbol) -> str:
    """Return the symbol as SVG paths. An unknown frame is drawn as "none", and an unknown sign is left out."""
    frame = FRAMES.get(symbol.frame, FRAMES["none"])
    sign = SIGNS.get(symbol.sign, "")
    fill = BLACK if symbol.sign in _FILLED else "none"
    size = min(max(symbol.size, 0), MOST)
    start = WIDTH / 2 - (size - 1) * 0.75
    bars = "".join(f"M{mm(start + 1.5 * index)} .2V1.4" for index in range(size))
    lines = f'fill="none" stroke="{BLACK}" stroke-linecap="round" stroke-linejoin="round"'
    return (
        f'<g transform="translate(11 2.2) scale({_SCALE})"><path d="{bars}" {lines} stroke-width=".8"/>'
        f'<g transform="translate(0 {_TOP})"><path d="{sign}" {lines.replace("none", fill, 1)} stroke-width=".6"/>'
        f'<path d="{frame}" {lines} stroke-width=".8"/></g></g>'
    )
