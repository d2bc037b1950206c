"""Walks over the tags of a PDF, and lists what a screen reader would stumble over; counts what a printer draws."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pikepdf

if TYPE_CHECKING:
    from collections.abc import Iterator


def findings(pdf: pikepdf.Pdf) -> list[str]:
    """What is wrong with the tags of a file; each finding begins with its page."""
    pages = {page.obj.objgen: number for number, page in enumerate(pdf.pages, start=1)}
    found = list(_letters(pdf))
    for element in _elements(pdf.Root.StructTreeRoot):
        page = pages.get(element["/Pg"].objgen) if "/Pg" in element else None
        found += [f"page {page}: {words}" for words in _about(element)]
    return found


def drawn_paths(page: pikepdf.Page) -> int:
    """Return how many path operators of a page are drawn; those of clips are not."""
    drawn: list[Any] = [page, *page.resources.get("/XObject", pikepdf.Dictionary()).values()]
    count = path = 0
    for part in (one for one in drawn if one is page or str(one.get("/Subtype")) == "/Form"):
        for instruction in pikepdf.parse_content_stream(part):
            name = str(instruction.operator)
            path += name in ("m", "l", "c", "v", "y", "h", "re")
            if name in ("f", "F", "f*", "S", "s", "B", "B*", "b", "b*"):
                count, path = count + path, 0
            elif name == "n":
                path = 0
    return count


def _letters(pdf: pikepdf.Pdf) -> Iterator[str]:
    """Letters whose tag does not hold them, on pages that are tagged."""
    numbers = list(pdf.Root.StructTreeRoot.ParentTree.Nums)
    owners = {int(number): owner for number, owner in zip(numbers[::2], numbers[1::2], strict=True)}
    for at, page in enumerate(pdf.pages, start=1):
        for form in page.obj.Resources.get("/XObject", pikepdf.Dictionary()).values():
            for mcid, owner in enumerate(owners[int(form.StructParents)] if "/StructParents" in form else ()):
                kids = [kid for kid in _kids(owner) if isinstance(kid, pikepdf.Dictionary) and "/MCID" in kid]
                places = [(int(kid.MCID), kid.Stm.objgen, kid.Pg.objgen) for kid in kids if "/Stm" in kid]
                if owner["/Type"] == "/StructElem" and (mcid, form.objgen, page.obj.objgen) not in places:
                    yield f"page {at}: letters {mcid} are not in the tag that they belong to"
        if "/StructParents" not in page.obj:
            continue
        for mcid, owner in enumerate(owners[int(page.obj.StructParents)]):
            if owner["/Type"] == "/StructElem" and mcid not in [kid for kid in _kids(owner) if isinstance(kid, int)]:
                yield f"page {at}: letters {mcid} are not in the tag that they belong to"


def _about(element: Any) -> Iterator[str]:
    tag, kids = str(element["/S"]), [kid for kid in _kids(element) if isinstance(kid, pikepdf.Dictionary)]
    if tag == "/Figure" and not str(element.get("/Alt", "")):
        yield "a figure without a text"
    if tag == "/Table":
        yield from _about_table(element)
    if tag == "/L" and any(str(kid["/S"]) not in ("/LI", "/Caption") for kid in kids if "/S" in kid):
        yield "a list with something else than items in it"
    if tag == "/LI" and not any("/S" in kid and str(kid["/S"]) == "/LBody" for kid in kids):
        yield "an item without a body"


def _about_table(table: Any) -> Iterator[str]:
    rows = [element for element in _elements(table) if str(element["/S"]) == "/TR"]
    cells = [[cell for cell in _kids(row) if str(cell["/S"]) in ("/TH", "/TD")] for row in rows]
    heads = {bytes(cell.ID) for row in cells for cell in row if str(cell["/S"]) == "/TH" and "/ID" in cell}
    if not rows:
        yield "a table without rows"
    if max(map(len, cells), default=0) == 1 and not any(str(one["/S"]) == "/THead" for one in _elements(table)):
        yield "a table of one column, which is a list"
    for row in cells:
        for cell in row:
            named = [bytes(head) for head in cell["/A"].get("/Headers", [])] if "/A" in cell else []
            if str(cell["/S"]) == "/TD" and not (named and heads >= {*named}):
                yield "a table with a cell that has no header"
                return


def _elements(element: Any) -> Iterator[Any]:
    """Every tag below this one."""
    for kid in _kids(element):
        if isinstance(kid, pikepdf.Dictionary) and "/S" in kid:
            yield kid
            yield from _elements(kid)


def _kids(element: Any) -> list[Any]:
    kids = element.get("/K", pikepdf.Array())
    return list(kids) if isinstance(kids, pikepdf.Array) else [kids]
