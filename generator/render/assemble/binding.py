"""Binding of finished parts into one file, with joint tags, bookmarks, links and page numbers."""

from __future__ import annotations

import io
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

_PART = "part:"
"""The prefix of the address of a link to a part."""
_TO_MM = 25.4 / 72
_KINDS = {"yaml": "application/yaml", "md": "text/markdown", "svg": "image/svg+xml", "png": "image/png"}
"""The kinds of attached files by the ends of their names."""
_NUMBER = "/PageNumber"
"""The name prefix of the number laid over each page."""


class Volume(NamedTuple):
    """One of the PDFs that are bound into a file; links name it by its id."""

    id: str
    title: str
    pdf: bytes


class Size(NamedTuple):
    """The size of a page in millimetres."""

    width: float
    height: float


def bind(
    volumes: Sequence[Volume],
    numbers: Callable[[Sequence[Size]], Iterable[bytes]],
    files: Mapping[str, bytes] | None = None,
    numbered: int = 0,
) -> bytes:
    """Return one PDF of all volumes in their order, with a bookmark for each volume, and the PDF title of the first.

    There is at least one volume. The new bookmark of a volume replaces its bookmarks at the top level; those below are
    kept. Links to ``part:ID`` lead to the first page of the volume with this id; raises KeyError for an unknown id.
    ``numbers`` takes the sizes of all pages, and returns PDFs with together as many pages, which hold only page
    numbers. These are laid over the pages. The first ``numbered`` pages have numbers already, and get none. ``files``
    are attached by name. The same arguments give the same bytes.
    """
    import pikepdf

    with pikepdf.open(io.BytesIO(volumes[0].pdf)) as whole:
        starts, outlines = {}, []
        parts = _append(whole, [volume.pdf for volume in volumes[1:]])
        for volume, (start, marks) in zip(volumes, parts, strict=True):
            starts[volume.id] = start
            outlines.append(pikepdf.OutlineItem(volume.title, start, "Fit"))
            # The first bookmark of a part is its title: the bookmarks under it belong to the part.
            outlines[-1].children.extend(child for mark in marks for child in mark.children)
            outlines[-1].is_closed = True
        with whole.open_outline() as outline:
            outline.root[:] = outlines
        _write_links(whole, starts)
        _number(whole, numbers([_size(page) for page in whole.pages]), numbered)
        for name, data in (files or {}).items():
            _attach(whole, name, data)
        return saved(whole)


def join(pieces: Sequence[bytes], numbers: Callable[[Sequence[Size]], Iterable[bytes]] | None) -> bytes:
    """Return one PDF of the pieces of a document in their order, with one bookmark for its title.

    At the top level, each piece must have one bookmark, for the title; else ValueError is raised. The bookmarks under
    it are kept. ``numbers`` adds page numbers as in :func:`bind`; None adds none.
    """
    import pikepdf

    with pikepdf.open(io.BytesIO(pieces[0])) as whole:
        (title,), *others = [marks for _, marks in _append(whole, pieces[1:])]
        title.children.extend(child for (mark,) in others for child in mark.children)
        with whole.open_outline() as outline:
            outline.root[:] = [title]
        if numbers:
            _number(whole, numbers([_size(page) for page in whole.pages]))
        return saved(whole)


def saved(whole: Any) -> bytes:
    """Call :func:`share_fonts` for a PDF that is open in pikepdf, and return the changed PDF as bytes.

    The same PDF gives the same bytes.
    """
    import pikepdf

    share_fonts(whole)
    out = io.BytesIO()
    whole.save(out, deterministic_id=True, object_stream_mode=pikepdf.ObjectStreamMode.generate)
    return out.getvalue()


def _size(page: Any) -> Size:
    left, low, right, high = (float(item) for item in page.mediabox)
    return Size(round((right - left) * _TO_MM, 3), round((high - low) * _TO_MM, 3))


def append_pages(whole: Any, part: Any) -> None:
    """Append the pages of a part to the whole, and its tags to the tags of the whole.

    Both are PDFs, open in pikepdf, with tags. Tags are renumbered so that they still belong to their pages.
    """
    import pikepdf

    first = len(whole.pages)
    whole.pages.extend(part.pages)
    mine, theirs = whole.Root.StructTreeRoot, part.Root.StructTreeRoot
    shift = int(mine.ParentTree.Nums[-2]) + 1  # the keys are in order, each before its value
    for page in whole.pages[first:]:
        _shift(page.obj, "/StructParents", shift)
        for note in page.obj.get("/Annots", pikepdf.Array()):
            _shift(note, "/StructParent", shift)
    # The tree is copied in one piece, so that references to a tag still lead to that tag.
    tree = whole.copy_foreign(part.make_indirect(theirs))
    for element in tree.K if isinstance(tree.K, pikepdf.Array) else [tree.K]:
        element.P = mine
        mine.K.append(element)
    for at in range(0, len(tree.ParentTree.Nums), 2):
        mine.ParentTree.Nums.append(int(tree.ParentTree.Nums[at]) + shift)
        mine.ParentTree.Nums.append(tree.ParentTree.Nums[at + 1])


def _shift(found: Any, key: str, by: int) -> None:
    if key in found:
        found[key] = int(found[key]) + by


def _append(whole: Any, parts: Sequence[bytes]) -> Iterator[tuple[int, list[Any]]]:
    """Append the pages of these PDFs to the whole, each part when it is yielded.

    Yield first for the whole, then for each part: the index of its first page in the whole, from 0, and its bookmarks.
    """
    import pikepdf

    yield 0, _bookmarks(whole, 0)
    for part in parts:
        with pikepdf.open(io.BytesIO(part)) as pdf:
            start, marks = len(whole.pages), _bookmarks(pdf, len(whole.pages))
            append_pages(whole, pdf)
            yield start, marks


def _bookmarks(pdf: Any, start: int) -> list[Any]:
    """Return the bookmarks of a part as bookmarks of a file in which the part begins on page ``start``, from 0."""
    import pikepdf

    index = {page.obj.objgen: number for number, page in enumerate(pdf.pages, start=start)}

    def moved(mark: Any) -> Any:
        page, _, left, top, *_ = mark.destination
        made = pikepdf.OutlineItem(mark.title, index[page.objgen], "XYZ", left=float(left), top=float(top))
        made.children.extend(map(moved, mark.children))
        return made

    with pdf.open_outline() as outline:
        return [moved(mark) for mark in outline.root]


def _write_links(whole: Any, starts: Mapping[str, int]) -> None:
    """Make links to parts lead to the parts' first pages. ``starts`` has their indices, from 0, by the id of the part.

    Raises KeyError for an unknown id.
    """
    import pikepdf

    pages = [page.obj for page in whole.pages]
    for page in pages:
        for note in page.get("/Annots", pikepdf.Array()):
            address = str(note.get("/A", {}).get("/URI", ""))
            if address.startswith(_PART):
                del note["/A"]
                note.Dest = pikepdf.Array([pages[starts[address.removeprefix(_PART)]], pikepdf.Name.Fit])


def _number(whole: Any, numbers: Iterable[bytes], numbered: int = 0) -> None:
    """Lay the pages of files with numbers over the pages of the whole, in their order.

    The files together have a page for each page of the whole, whose first ``numbered`` pages stay as they are.
    """
    import pikepdf

    pages = enumerate(whole.pages, start=1)
    for data in numbers:
        with pikepdf.open(io.BytesIO(data)) as file:
            for number, (at, page) in zip(file.pages, pages, strict=False):
                if at > numbered:
                    _lay_over(whole, page, number, f"{_NUMBER}{at}")


def _lay_over(whole: Any, page: Any, number: Any, called: str) -> None:
    """Lay a number, a page of another PDF, over a page as an artifact, not as text.

    ``called`` is its name in the page's resources, such as ``/PageNumber3``. It must be unique: pages share resources.
    """
    import pikepdf

    form = whole.copy_foreign(number.as_form_xobject())
    # Without a given name, pikepdf picks a random name, and the same parts would not give the same bytes.
    name = page.add_resource(form, pikepdf.Name.XObject, pikepdf.Name(called))
    page.contents_add(b"q", prepend=True)  # so that the page's graphics state does not affect the number
    page.contents_add(f"Q /Artifact BMC q {name} Do Q EMC".encode())


def _attach(whole: Any, name: str, data: bytes) -> None:
    import pikepdf

    kind = _KINDS.get(name.rpartition(".")[2], "application/octet-stream")
    spec = pikepdf.AttachedFileSpec(
        whole, data, filename=name, description="", mime_type=kind, creation_date="", mod_date=""
    )
    whole.attachments[name] = spec


def mark_of(pdf: Path) -> str:
    """Return the keywords of a PDF. In a PDF of this program, this is the ``mark`` of its document.

    Empty for a PDF without keywords, and for a file that is no PDF, has a password or cannot be read.
    """
    import pikepdf

    try:
        with pikepdf.open(pdf) as file:
            return str(file.docinfo.get("/Keywords", ""))
    except (pikepdf.PdfError, pikepdf.PasswordError, OSError):
        return ""


def attached_files(pdf: Path, most: int) -> dict[str, bytes]:
    """Return the files attached to a PDF, by name.

    Raises ValueError if the file is not a PDF or has a password, or if the files together have ``most`` bytes or more.
    Raises OSError if the PDF cannot be read.
    """
    import pikepdf

    files: dict[str, bytes] = {}
    try:
        with pikepdf.open(pdf) as whole:
            for name, spec in whole.attachments.items():
                stream = spec.get_file().obj
                unpack = zlib.decompressobj()
                raw = stream.read_raw_bytes()
                left = most - sum(map(len, files.values()))
                files[name] = unpack.decompress(raw, left) if "/Filter" in stream else raw[:left]
                if unpack.unconsumed_tail or len(files[name]) == left:
                    raise ValueError(f"attached files of more than {most:,} bytes")
    except (pikepdf.PdfError, pikepdf.PasswordError, zlib.error) as error:
        raise ValueError(str(error)) from None
    return files


def share_fonts(pdf: Any) -> None:
    """Give all pages of a PDF, open in pikepdf, one program for each TrueType face, with the glyphs of all pages.

    Fonts of forms, such as pages that are placed on a sheet of paper, stay as they are. The engine leaves out the
    glyphs that a part does not use, but keeps the glyph numbers. The programs of a face therefore differ only in their
    glyphs.
    """
    faces: dict[str, list[Any]] = {}
    for descriptor in _descriptors(pdf).values():
        faces.setdefault(str(descriptor.FontName).partition("+")[2], []).append(descriptor)
    for descriptors in faces.values():
        programs = dict.fromkeys(descriptor.FontFile2.read_bytes() for descriptor in descriptors)
        merged = _merge([*programs]) if len(programs) > 1 else next(iter(programs))
        shared = pdf.make_indirect(pdf.make_stream(merged, Length1=len(merged)))
        for descriptor in descriptors:
            descriptor.FontFile2 = shared


def _descriptors(pdf: Any) -> dict[tuple[int, int], Any]:
    """Return the descriptors of the pages' TrueType fonts, each once, by the number and generation of their objects."""
    resources = {page.obj.Resources.objgen: page.obj.Resources for page in pdf.pages if "/Font" in page.obj.Resources}
    fonts = [font for resource in resources.values() for font in resource.Font.values()]
    found = [font.DescendantFonts[0].FontDescriptor for font in fonts if "/DescendantFonts" in font]
    return {FontDescriptor.objgen: FontDescriptor for FontDescriptor in found if "/FontFile2" in FontDescriptor}


def _merge(programs: Sequence[bytes]) -> bytes:
    """Return a TrueType font program with every glyph that any of the programs has.

    The programs are subsets of one font, which keep its glyph numbers.
    """
    from fontTools.ttLib import TTFont

    fonts = [TTFont(io.BytesIO(program), recalcBBoxes=False, recalcTimestamp=False) for program in programs]
    base = max(fonts, key=lambda font: int(font["maxp"].numGlyphs))
    for font in fonts:
        font.setGlyphOrder([str(number) for number in range(font["maxp"].numGlyphs)])  # the names that it finds differ
    for font in fonts:
        for name, glyph in font["glyf"].glyphs.items():
            if hasattr(glyph, "data"):  # it is not empty
                base["glyf"].glyphs[name], base["hmtx"].metrics[name] = glyph, font["hmtx"].metrics[name]
    out = io.BytesIO()
    base.save(out)
    return out.getvalue()
