"""Pages of a PDF as PNG pictures, sheets of cards for Tabletop Simulator, and maps in the Universal VTT format.

The limits of a sheet of cards are those of Tabletop Simulator; its last place is left free for the hidden face.
"""

from __future__ import annotations

import io
import json
from base64 import b64encode
from typing import TYPE_CHECKING, Any

from PIL import Image

from generator.problems import missing_package
from generator.render.assemble.impose import BLEED
from generator.render.maps.map import BOARD_INCH
from generator.render.maps.terrain import Frame

if TYPE_CHECKING:
    from collections.abc import Iterator

    from generator.render.blocks import Map

_ACROSS, _DOWN, _WIDEST = 10, 7, 4096
"""Most cards side by side and below each other, and the most pixels of a side of the picture."""
_POINT = 25.4 / 72
_INCH = 72
"""Points to the inch."""
_FORMAT = 0.3


def card_sheets(pdf: bytes) -> Iterator[tuple[str, bytes]]:
    """Yield sheets of the faces and the backs of cards, each as a name and a PNG.

    A name such as "faces1-4x3" has the number of the sheet, and its count of places across and down. The PDF has
    two pages for each card, its front and then its back, with bleed. Raises RenderError without pypdfium2.
    """
    with opened(pdf) as document:
        cards, most = len(document) // 2, _ACROSS * _DOWN - 1
        card_wide, card_high = (side * _POINT - 2 * BLEED for side in document[0].get_size())
        for sheet, start in enumerate(range(0, cards, most), start=1):
            some = range(start, min(start + most, cards))
            across, down = grid(len(some), card_wide / card_high)
            wide = min(_WIDEST // across, int(_WIDEST // down * card_wide / card_high))
            high = round(wide * card_high / card_wide)
            for side, name in enumerate(("faces", "backs")):
                picture = Image.new("RGB", (wide * across, high * down), "white")
                for place, card in enumerate(some):
                    face = document[2 * card + side].render(scale=wide / card_wide * _POINT, crop=(BLEED / _POINT,) * 4)
                    at = place % across * wide, place // across * high
                    picture.paste(face.to_pil().resize((wide, high)), at)
                yield f"{name}{sheet}-{across}x{down}", png(picture)


def grid(many: int, shape: float) -> tuple[int, int]:
    """Return how many places across and down a sheet needs for this count of cards and one free place.

    The sheet must fit in a square; the result is the grid with the largest cards, at least 2 by 2. The ``shape`` of a
    card is its width divided by its height. Raises ValueError for more than 69 cards.

    >>> grid(3, 5 / 3), grid(19, 5 / 3), grid(69, 5 / 3)
    ((2, 2), (4, 5), (10, 7))
    """
    every = [(across, down) for across in range(2, _ACROSS + 1) for down in range(2, _DOWN + 1) if across * down > many]
    return max(every, key=lambda size: (min(1 / size[0], shape / size[1]), -size[0] * size[1]))


def universal_vtt(pdf: bytes, plan: Map, dpi: int) -> bytes:
    """Return a map as Universal VTT, which is JSON: a picture, a grid of inches, and the lines that block sight.

    ``plan`` is the map, and the first page of the PDF is its board. The picture has about ``dpi`` dots to the inch of
    paper. Raises RenderError without pypdfium2.
    """
    inch = max(1, round(dpi * BOARD_INCH / 25.4))
    size = round(plan.width * inch), round(plan.depth * inch)
    with opened(pdf) as document:
        picture = document[0].render(scale=inch / BOARD_INCH * _POINT).to_pil().convert("RGB").resize(size)
    frame = Frame(0, 0, 1, plan.width, plan.depth)
    areas: list[Any] = [frame.area(piece.shape) for piece in plan.pieces if piece.blocks]
    rings = [part.exterior for area in areas for part in getattr(area, "geoms", (area,)) if part.area]
    said = {
        "format": _FORMAT,
        "resolution": {
            "map_origin": {"x": 0, "y": 0},
            "map_size": {"x": plan.width, "y": plan.depth},
            "pixels_per_grid": inch,
        },
        "line_of_sight": [[{"x": round(x, 3), "y": round(y, 3)} for x, y in ring.coords] for ring in rings],
        "portals": [],
        "environment": {"baked_lighting": True, "ambient_light": "ffffffff"},
        "lights": [],
        "image": b64encode(png(picture)).decode(),
    }
    return json.dumps(said).encode()


def pictures(pdf: bytes, dpi: int, only: int | None = None) -> Iterator[bytes]:
    """Yield each page of a PDF as a PNG with ``dpi`` dots to the inch.

    ``only`` is the index of a single page to yield. Raises RenderError if pypdfium2, an optional package, is missing.
    """
    with opened(pdf) as document:
        for number in range(len(document)) if only is None else (only,):
            yield png(document[number].render(scale=dpi / _INCH).to_pil(), dpi=(dpi, dpi))


def png(picture: Any, **options: Any) -> bytes:
    """Return a Pillow picture as a PNG, saved with these options."""
    file = io.BytesIO()
    picture.save(file, "PNG", **options)
    return file.getvalue()


def opened(pdf: bytes) -> Any:
    """Return a PDF as a document of pypdfium2.

    Raises RenderError if pypdfium2, an optional package, is missing.
    """
    try:
        import pypdfium2
    except ImportError as error:
        raise missing_package("a picture of a page", "pypdfium2", "pictures") from error
    return pypdfium2.PdfDocument(pdf)
