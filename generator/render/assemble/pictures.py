"""Pages of a PDF as PNG pictures, for virtual tables."""

from __future__ import annotations

import io
from collections.abc import Iterator
from typing import Any

from generator.errors import missing_package

_INCH = 72
"""Points to the inch."""


def pictures(pdf: bytes, dpi: int, only: int | None = None) -> Iterator[bytes]:
    """Yield each page of a PDF as a PNG with this many dots to the inch. The picture holds no text and no metadata.

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
    """Return a PDF as pypdfium2 reads it. Raises RenderError if pypdfium2, an optional package, is missing."""
    try:
        import pypdfium2
    except ImportError as error:
        raise missing_package("a picture of a page", "pypdfium2", "pictures") from error
    return pypdfium2.PdfDocument(pdf)
