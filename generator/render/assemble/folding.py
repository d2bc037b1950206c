"""Booklets to fold: two pages on each side of a sheet, printed on both sides and turned on the short edge."""

from __future__ import annotations

import io
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

_SIDES = "/LeftLeaf", "/RightLeaf"
"""The names of the pages laid on a side of a sheet."""


def fold(pdf: bytes, title: str, inside: str = "") -> tuple[bytes, int]:
    """Return a booklet with two pages on each side of its sheets, and the number of sides.

    Pages after the bookmark ``inside`` are never on the outside of the booklet.
    """
    import pikepdf

    with pikepdf.open(io.BytesIO(pdf)) as leaves, pikepdf.new() as sheets:
        width, height = (float(item) for item in leaves.pages[0].mediabox[2:])
        sides = fold_order(leaf_order(len(leaves.pages), _page_of(leaves, inside) if inside else None))
        for pair in sides:
            side = sheets.add_blank_page(page_size=(2 * width, height))
            for at, number in enumerate(pair):
                if number is not None:
                    form = sheets.copy_foreign(leaves.pages[number - 1].as_form_xobject())
                    name = side.add_resource(form, pikepdf.Name.XObject, pikepdf.Name(_SIDES[at]))
                    side.contents_add(f"q 1 0 0 1 {at * width} 0 cm {name} Do Q".encode())
        sheets.docinfo["/Title"] = title
        sheets.Root.Lang = leaves.Root.Lang
        out = io.BytesIO()
        sheets.save(out, deterministic_id=True)
    return out.getvalue(), len(sides)


def leaf_order(pages: int, inside: int | None = None) -> list[int | None]:
    """Return the page numbers in booklet order, four to a sheet; None for an empty page.

    No page from ``inside`` on is on the back of the booklet: the second page is there if it comes before, else no page.

    >>> leaf_order(3), leaf_order(4), leaf_order(4, inside=3), leaf_order(4, inside=2)
    ([1, 2, 3, None], [1, 2, 3, 4], [1, 3, 4, 2], [1, 2, 3, 4, None, None, None, None])
    """
    order: list[int | None] = [*range(1, pages + 1), *(None for _ in range(-pages % 4))]
    if inside is None or order[-1] is None:
        return order
    return [1, *order[2:], 2] if inside > 2 else [*order, *(None for _ in range(4))]  # noqa: PLR2004 - its page


def fold_order(leaves: Sequence[int | None]) -> list[tuple[int | None, int | None]]:
    """Return the left and right page numbers on each side of the sheets.

    >>> fold_order(leaf_order(5))
    [(None, 1), (2, None), (None, 3), (4, 5)]
    """
    sides = []
    for first in range(len(leaves) // 2):
        outer, inner = leaves[-1 - first], leaves[first]
        sides.append((inner, outer) if first % 2 else (outer, inner))
    return sides


def _page_of(pdf: Any, title: str) -> int | None:
    """Return the number of the page with the bookmark of this title, counted from 1; None if there is none."""
    index = {page.obj.objgen: number for number, page in enumerate(pdf.pages, start=1)}

    def found(items: Iterable[Any]) -> int | None:
        for item in items:
            page = index[item.destination[0].objgen] if item.title == title else found(item.children)
            if page is not None:
                return page
        return None

    with pdf.open_outline() as outline:
        return found(outline.root)
