"""Pages of a PDF as PNG pictures, for virtual tables."""

from __future__ import annotations

import io
from typing import TYPE_CHECKING

from generator.errors import RenderError

if TYPE_CHECKING:
    from collections.abc import Iterator

_INCH = 72
"""Points to the inch."""


def pictures(pdf: bytes, dpi: int, only: int | None = None) -> Iterator[bytes]:
    """Yield each page of a PDF as a PNG with this many dots to the inch. The picture holds no text and no metadata.

    ``only`` is the number of the one page to yield, from 0. Raises RenderError if pypdfium2, an optional package, is
    missing.
    """
    try:
        import pypdfium2
    except ImportError as error:
        msg = "pictures of pages need the package pypdfium2: pip install 'fieldpress[pictures]'"
        raise RenderError(msg) from error
    with pypdfium2.PdfDocument(pdf) as document:
        for number in range(len(document)) if only is None else (only,):
            page = document[number]
            picture = io.BytesIO()
            page.render(scale=dpi / _INCH).to_pil().save(picture, "PNG", dpi=(dpi, dpi))
            yield picture.getvalue()
