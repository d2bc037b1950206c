"""Parts bound into one file: pages, tags, bookmarks, links and numbers, read with other libraries than wrote them."""

from __future__ import annotations

import io
from dataclasses import replace
from typing import TYPE_CHECKING

import pikepdf
import pypdfium2
import pytest
from fontTools.ttLib import TTFont

from generator.render.assemble.binding import Volume, attached_files, bind, mark_of
from generator.render.blocks import Cell, Column, Prose, Row, Section, Sheet, Table
from generator.render.imprinted import Imprint
from generator.render.page.pdf import render_numbers, render_pdf

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from generator.render.assemble.binding import Size


def sheet(title: str, pages: int, link: str = "") -> Sheet:
    about = Prose((f"About {title}.",))
    sections = [Section(f"{title} {number}", (about,)) for number in range(1, pages + 1)]
    texts = [Row(((one,),), new_page=number > 0) for number, one in enumerate(sections)]
    if link:
        cell = Cell("Go there", part=link)
        texts.append(Row(((Section("Contents", (Table((Column("Part"),), ((cell,),), "Contents"),)),),)))
    return Sheet(
        id=title,
        title=title,
        strap="",
        kicker=(),
        rows=tuple(texts),
        imprint=Imprint(author="us", edition="", fingerprint="", source="Tin", rights="ours", created="2020-01-01"),
    )


def _numbers(sizes: Sequence[Size]) -> list[bytes]:
    """Return numbers for all pages in two files."""
    return [render_numbers(sizes[:2], 0, len(sizes), "of"), render_numbers(sizes[2:], 2, len(sizes), "of")]


@pytest.fixture(scope="module")
def volumes() -> list[Volume]:
    """A cover, then parts of one, two and one page."""
    parts = [("cover", 1), ("map", 1), ("orders", 2), ("roster", 1)]
    made = []
    for name, pages in parts:
        paper = sheet(name.capitalize(), pages, "roster" if name == "cover" else "")
        made.append(Volume(name, name.capitalize(), render_pdf(paper, paper="a4", ink="mono", numbered=False).pdf))
    return made


@pytest.fixture(scope="module")
def whole(volumes: list[Volume]) -> bytes:
    return bind(volumes, _numbers, {"battle.yaml": b"scenario: here"})


def texts(pdf: bytes) -> list[str]:
    document = pypdfium2.PdfDocument(pdf)
    return [page.get_textpage().get_text_bounded() for page in document]


def test_pages_stand_in_order_and_each_has_its_number(whole: bytes) -> None:
    pages = texts(whole)
    titles = ["Cover", "Map", "Orders", "Orders", "Roster"]
    assert [next(one for one in titles if f"About {one}" in page) for page in pages] == titles
    assert [page.split()[-3:] for page in pages] == [[str(n), "of", "5"] for n in range(1, 6)]
    assert all(page.count(" of ") == 1 for page in pages)  # no part has numbers of its own


def test_bookmarks_and_links_lead_to_the_first_pages(whole: bytes) -> None:
    with pikepdf.open(io.BytesIO(whole)) as pdf:
        pages = [page.obj.objgen for page in pdf.pages]
        with pdf.open_outline() as outline:
            found, inner = (
                [(one.title, pages.index(one.destination[0].objgen)) for one in items]  # type: ignore[index]
                for items in (outline.root, outline.root[2].children)
            )
        [link] = [note for page in pdf.pages for note in page.obj.get("/Annots", [])]
        assert pages.index(link.Dest[0].objgen) == 4
        assert "/A" not in link
    assert found == [("Cover", 0), ("Map", 1), ("Orders", 2), ("Roster", 4)]
    assert inner == [("Orders 1", 2), ("Orders 2", 3)]


def elements(kids: pikepdf.Object) -> Iterator[pikepdf.Object]:
    for one in kids if isinstance(kids, pikepdf.Array) else [kids]:
        if isinstance(one, pikepdf.Dictionary):
            yield one
            if "/K" in one:
                yield from elements(one.K)


def test_every_page_is_tagged_and_every_tag_is_of_its_page(whole: bytes) -> None:
    with pikepdf.open(io.BytesIO(whole)) as pdf:
        tree = pdf.Root.StructTreeRoot
        numbers = tree.ParentTree.Nums
        by_key = {int(numbers[at]): numbers[at + 1] for at in range(0, len(numbers), 2)}
        assert len(by_key) == len(numbers) // 2
        for page in pdf.pages:
            marked = by_key[int(page.obj.StructParents)]
            assert {one.Pg.objgen for one in marked} == {page.obj.objgen}
        own = {page.obj.objgen for page in pdf.pages}
        found = list(elements(tree.K))
        assert {one.Pg.objgen for one in found if "/Pg" in one} <= own
        assert {str(one.S) for one in found if one.get("/Type") == "/StructElem"} >= {"/Document", "/H1", "/P"}
        for note in (note for page in pdf.pages for note in page.obj.get("/Annots", [])):
            assert int(note.StructParent) in by_key


def test_the_file_says_what_the_cover_says_and_carries_its_source(whole: bytes) -> None:
    with pikepdf.open(io.BytesIO(whole)) as pdf:
        assert str(pdf.docinfo.Title).startswith("Cover")
        assert str(pdf.Root.Lang) == "en-GB"
        assert b"pdfuaid" in pdf.Root.Metadata.read_bytes()
        assert pdf.attachments["battle.yaml"].get_file().read_bytes() == b"scenario: here"


def test_the_same_parts_give_the_same_bytes(volumes: list[Volume], whole: bytes) -> None:
    again = bind(volumes, _numbers, {"battle.yaml": b"scenario: here"})
    assert again == whole


def test_a_shared_font_has_every_glyph_of_each_part(volumes: list[Volume], whole: bytes) -> None:
    def glyphs(pdf: bytes) -> Iterator[tuple[str, int, bytes, tuple[int, int]]]:
        with pikepdf.open(io.BytesIO(pdf)) as file:
            for item in file.objects:
                if isinstance(item, pikepdf.Dictionary) and "/FontFile2" in item:
                    font = TTFont(io.BytesIO(item.FontFile2.read_bytes()), checkChecksums=0)
                    font.setGlyphOrder([str(number) for number in range(font["maxp"].numGlyphs)])
                    for number, name in enumerate(font.getGlyphOrder()):
                        outline = getattr(font["glyf"].glyphs[name], "data", b"").rstrip(b"\0")
                        if outline:
                            yield str(item.FontName).partition("+")[2], number, outline, font["hmtx"].metrics[name]

    merged, apart = {*glyphs(whole)}, {glyph for volume in volumes for glyph in glyphs(volume.pdf)}
    assert apart
    assert apart <= merged


def test_a_landscape_sheet_is_rendered_in_parts_and_only_the_changed_part_again() -> None:
    first = replace(sheet("Map", 3), landscape=True, strap="A")
    changed = replace(first, rows=(*first.rows[:2], Row(((Section("Other", ()),),), new_page=True)))
    parts, others = first.pieces(), changed.pieces()
    assert [(len(part.rows), part.strap) for part in parts] == [(1, "A"), (1, ""), (1, "")]
    assert [one == other for one, other in zip(parts, others, strict=True)] == [True, True, False]
    assert sheet("Orders", 3).pieces() == [sheet("Orders", 3)]


def test_a_locked_file_has_no_mark(tmp_path: Path) -> None:
    with pikepdf.new() as pdf:
        pdf.docinfo["/Keywords"] = "ours"
        pdf.save(tmp_path / "open.pdf")
        pdf.save(tmp_path / "locked.pdf", encryption=pikepdf.Encryption(owner="them", user="them"))
    with pytest.raises(ValueError, match="password"):
        attached_files(tmp_path / "locked.pdf", 1000)
    assert [mark_of(tmp_path / name) for name in ("open.pdf", "locked.pdf", "none.pdf")] == ["ours", "", ""]
