"""What is in the boxes of a page after layout: texts with their sizes, cells of odds, broken lines."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator


def texts(box: Any, inside: tuple[str, ...] = ()) -> Iterator[tuple[str, float, tuple[str, ...]]]:
    """Yield each text of a page with its size in points, and the tags and classes around it."""
    element = getattr(box, "element", None)
    if element is not None:
        inside = (*inside, element.tag, *(element.get("class") or "").split())
    if getattr(box, "text", "").strip():
        yield box.text, box.style["font_size"] * 0.75, inside
    for child in getattr(box, "children", ()):
        yield from texts(child, inside)


def cells_of_odds(box: Any, *, inside: bool = False) -> Iterator[tuple[float, float]]:
    """Yield the width and height in millimetres of each cell of a grid of odds."""
    element = getattr(box, "element", None)
    classes = {*(element.get("class") or "").split()} if element is not None else set()
    if element is not None and element.tag == "table":
        inside = "grid" in classes and "dense" not in classes
    if inside and type(box).__name__ == "TableCellBox" and element is not None and element.tag == "td":
        yield round(box.border_width() * 25.4 / 96, 2), round(box.border_height() * 25.4 / 96, 2)
    for child in getattr(box, "children", ()):
        yield from cells_of_odds(child, inside=inside)


def last_lines(box: Any) -> Iterator[str]:
    """Yield the last line of each step, note and cell that has several lines."""
    lines = [child for child in getattr(box, "children", ()) if type(child).__name__ == "LineBox"]
    if len(lines) > 1 and box.element is not None and box.element.tag in ("li", "p", "td"):
        yield " ".join(text for text, _, _ in texts(lines[-1])).strip()
    for child in getattr(box, "children", ()):
        yield from last_lines(child)


def divided_names(box: Any) -> Iterator[str]:
    """Yield each name at the beginning of a row that has several lines."""
    element = getattr(box, "element", None)
    if element is not None and element.get("scope") == "row" and type(box).__name__ == "TableCellBox":
        lines = [child for child in box.children if type(child).__name__ == "LineBox"]
        if len(lines) > 1:
            yield " ".join(text for line in lines for text, _, _ in texts(line))
    for child in getattr(box, "children", ()):
        yield from divided_names(child)
