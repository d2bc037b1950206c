from __future__ import annotations

import hashlib
import io
import logging
import os
import subprocess
import sys
from base64 import b64encode
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import pikepdf
import pypdfium2
import pytest

import generator
from generator.files import write_atomically
from generator.problems import RenderError
from generator.render.blocks import (
    INKS,
    PAPERS,
    Block,
    Cell,
    Column,
    Group,
    Ink,
    Paper,
    Prose,
    Row,
    Section,
    Sheet,
    Steps,
    Table,
)
from generator.render.imprinted import THEME_FAMILY, Font, Theme
from generator.render.page import pdf
from generator.render.page.pdf import Rendered, render_pdf
from generator.render.type.fonts import FACES, Face, face_file

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

pytestmark = pytest.mark.slow

FAMILIES = ("FP-Source-Sans", "FP-Source-Serif")


def text_of(rendered: Rendered) -> str:
    document = pypdfium2.PdfDocument(rendered.pdf)
    return "\n".join(page.get_textpage().get_text_range() for page in document)


def with_blocks(sheet: Sheet, *blocks: Block) -> Sheet:
    return replace(sheet, rows=(Row(columns=((Section("The section", blocks),),)),))


def elements(element: pikepdf.Object) -> Iterator[tuple[str, pikepdf.Object]]:
    """The tag tree, flat."""
    kids = element.get("/K", pikepdf.Array())
    for kid in list(kids) if isinstance(kids, pikepdf.Array) else [kids]:
        if isinstance(kid, pikepdf.Dictionary) and "/S" in kid:
            yield str(kid["/S"]), kid
            yield from elements(kid)


@pytest.mark.parametrize("paper", PAPERS)
@pytest.mark.parametrize("ink", INKS)
def test_every_paper_and_ink_makes_a_sound_file(sheet: Sheet, paper: Paper, ink: Ink) -> None:
    rendered = render_pdf(sheet, paper=paper, ink=ink)
    with pikepdf.open(io.BytesIO(rendered.pdf)) as file:
        assert file.check_pdf_syntax() == []
        assert len(file.pages) == rendered.pages == len(rendered.fill) == 1
        width, height = (float(side) for side in list(file.pages[0].MediaBox)[2:])
    assert (round(width), round(height)) == {"a4": (595, 842), "letter": (612, 792)}[paper]


def test_the_embedded_fonts_are_the_shipped_ones_and_no_others(printed: Rendered) -> None:
    with pikepdf.open(io.BytesIO(printed.pdf)) as file:
        fonts = [value for value in file.objects if isinstance(value, pikepdf.Dictionary) and "/BaseFont" in value]
        names = {str(font["/BaseFont"]).partition("+")[2] for font in fonts}
        descriptors = [
            value for value in file.objects if isinstance(value, pikepdf.Dictionary) and "/FontName" in value
        ]
        assert all("/FontFile2" in one or "/FontFile3" in one for one in descriptors)
    assert names
    assert {name for name in names if not name.startswith(FAMILIES)} == set()
    assert "FP-Source-Sans-Thin" in names


def test_fonts_of_a_theme_are_on_its_own_pages_alone(
    sheet: Sheet, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two themes have another file for a font of the same name: each page is as if it were printed first."""

    def themed(face: Face) -> Sheet:
        address = f"data:font/ttf;base64,{b64encode(face_file(face.id).read_bytes()).decode()}"
        font = Font(f"{THEME_FAMILY} own", 400, italic=False, address=address)
        return replace(sheet, theme=Theme("own", (("head-font", f'"{font.family}"'),), (font,)))

    def printed_in(folder: str, sheets: Sequence[Sheet]) -> list[bytes]:
        (tmp_path / folder).mkdir()
        monkeypatch.setattr("tempfile.tempdir", str(tmp_path / folder))  # with other files, all fonts are loaded again
        return [render_pdf(each, paper="a4", ink="colour").pdf for each in sheets]

    sheets = [themed(FACES[0]), sheet, themed(FACES[6])]
    assert printed_in("one", sheets) == printed_in("other", sheets[::-1])[::-1]


def test_a_face_that_cannot_be_loaded_is_named_for_each_sheet(
    sheet: Sheet, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    monkeypatch.setattr(pdf, "font_file", lambda _: b"no font")
    for each in (sheet, sheet):
        with pytest.raises(RenderError, match="FP Source Sans"):
            render_pdf(each, paper="a4", ink="colour")


def test_text_can_be_found_and_dice_are_found_by_name(printed: Rendered) -> None:
    text = text_of(printed)
    for words in (
        "Fire & movement",
        "SHOOTING",
        "Roll D10, then D8.",
        "D12 High",
        "1 of 1",
        "data 7c1e 04a9",
        "Shared",
    ):
        assert words in text


def test_the_file_says_what_it_is(printed: Rendered) -> None:
    with pikepdf.open(io.BytesIO(printed.pdf)) as file:
        assert str(file.docinfo["/Title"]) == "Fire & movement: The rules"
        assert str(file.docinfo["/Author"]) == "A. Author"
        assert str(file.docinfo["/CreationDate"]).startswith("D:19980215")
        assert str(file.Root.Lang) == "en-GB"
        assert bool(file.Root.MarkInfo.Marked)
        assert bool(file.Root.ViewerPreferences.DisplayDocTitle)
        with file.open_metadata() as metadata:
            assert metadata["pdfuaid:part"] == "1"


def test_bookmarks_follow_the_headings(printed: Rendered) -> None:
    with pikepdf.open(io.BytesIO(printed.pdf)) as file, file.open_outline() as outline:
        (title,) = outline.root
        assert title.title == "Fire & movement"
        assert [child.title for child in title.children] == ["Shooting", "Effects", "Chances", "Notes"]
        assert [child.title for child in title.children[2].children] == ["Key"]


def test_tables_and_headings_are_tagged(printed: Rendered) -> None:
    with pikepdf.open(io.BytesIO(printed.pdf)) as file:
        tagged = list(elements(file.Root.StructTreeRoot))
        tags = [tag for tag, _ in tagged]
        assert tags.count("/H1") == 1
        assert tags.count("/H2") == 4
        assert tags.count("/H3") == 1
        assert tags.count("/Table") == tags.count("/Caption") == 4
        assert {"/THead", "/TBody", "/TH", "/TD", "/L", "/LI", "/Sect"} <= set(tags)
        cells = [element for tag, element in tagged if tag == "/TD"]
        assert all(len(cell.A.Headers) >= 1 for cell in cells)


def test_the_same_sheet_is_the_same_bytes_in_another_process_and_folder_and_leaves_nothing_behind(
    tmp_path: Path,
) -> None:
    script = (
        "import hashlib\n"
        "from generator.render.blocks import Prose, Row, Section, Sheet\n"
        "from generator.render.imprinted import Imprint\n"
        "from generator.render.page.pdf import render_pdf\n"
        "section = Section('S', (Prose(('Roll D8, *then* **D10**.',)),))\n"
        "sheet = Sheet(id='id', title='Title', strap='Strap', kicker=(), rows=(Row(((section,),)),), imprint=Imprint("
        "author='A', edition='1', fingerprint='f', source='s', rights='r', created='2001-02-03'))\n"
        "print(hashlib.sha256(render_pdf(sheet, paper='a4', ink='colour').pdf).hexdigest())\n"
    )
    root = Path(generator.__file__).parents[1]
    digests = set()
    passing = tmp_path / "passing"
    passing.mkdir()
    for number in ("1", "2"):
        folder = tmp_path / number
        folder.mkdir()
        run = subprocess.run(  # noqa: S603  our own interpreter on our own text
            [sys.executable, "-c", script],
            cwd=folder,
            env={
                "PYTHONPATH": str(root),
                "PYTHONHASHSEED": number,
                "PATH": "",
                "TZ": f"UTC+{number}",
                "TMPDIR": str(passing),
            },
            capture_output=True,
            text=True,
            check=True,
        )
        assert run.stderr == ""
        digests.add(run.stdout.strip())
    assert not list(passing.iterdir())
    assert len(digests) == 1
    assert len(digests.pop()) == len(hashlib.sha256().hexdigest())


def test_hostile_text_comes_out_as_text(sheet: Sheet) -> None:
    hostile = "<script>alert(1)</script> {{ 7 * 7 }}"
    text = text_of(render_pdf(replace(sheet, title=hostile, kicker=()), paper="a4", ink="mono"))
    assert "<script>alert(1)</script> {{ 7 * 7 }}" in " ".join(text.split())


@pytest.mark.parametrize(
    ("address", "said"),
    [
        ("http://example.org/x.png", "refused to fetch"),
        ("file:///etc/hostname", "refused to fetch"),
        ("data:text/html,x", "Failed to load"),
    ],
)
def test_nothing_is_fetched(address: str, said: str) -> None:
    html = f'<html lang="en"><title>t</title><body><img alt="x" src="{address}"/></body></html>'
    with pytest.raises(RenderError, match=said):
        pdf.lay_out(html, "sample")


@pytest.mark.parametrize(
    ("letter", "named"), [("\x01", "U\\+FFFD"), ("漢", "U\\+6F22"), ("★", "U\\+2605 BLACK STAR"), ("😀", "U\\+1F600")]
)
def test_a_glyph_that_the_fonts_lack_fails_by_name(sheet: Sheet, letter: str, named: str) -> None:
    with pytest.raises(RenderError, match=rf"sheet 'sample': .*{named}.* in 'The odd one'"):
        render_pdf(with_blocks(sheet, Group("The odd one", (Steps((f"A {letter} here.",)),))), paper="a4", ink="mono")


def test_what_the_serif_lacks_is_taken_from_the_sans(sheet: Sheet) -> None:
    assert "→" in text_of(render_pdf(with_blocks(sheet, Prose(("D4 → D6 ☐",))), paper="a4", ink="mono"))


def test_a_word_that_cannot_be_broken_fails_by_name(sheet: Sheet) -> None:
    wide = Table(
        (Column("Row"), *(Column(f"A{number}") for number in range(12))),
        ((Cell("x"), *(Cell("unbreakable figure 100000", tint=1) for _ in range(12))),),
        caption="The wide one",
    )
    with pytest.raises(RenderError, match=r"sheet 'sample', page 1: .* wider than its place in 'The wide one'"):
        render_pdf(with_blocks(sheet, wide), paper="a4", ink="mono")


def test_of_a_word_too_long_for_any_line_the_reason_is_told_behind_its_beginning(sheet: Sheet) -> None:
    wide = with_blocks(sheet, Group("The odd one", (Steps(("W" * 5000,)),)))
    with pytest.raises(RenderError, match=r"'W{39}…', a word of 5,000 letters, is wider than its place in 'The odd on"):
        render_pdf(wide, paper="a4", ink="mono")


def test_a_text_that_is_lost_fails_by_name() -> None:
    odd = '<p style="display: none">gone words</p>'
    html = f'<html lang="en"><title>t</title><body><div data-block="The odd one"><p>here</p>{odd}</div></body></html>'
    with pytest.raises(RenderError, match=r"sheet 'sample', page 1: 'gone words' was lost in 'The odd one'"):
        pdf.lay_out(html, "sample")


def test_a_foot_that_does_not_fit_fails_by_name(sheet: Sheet) -> None:
    with pytest.raises(RenderError, match="running head or foot"):
        render_pdf(
            replace(sheet, imprint=replace(sheet.imprint, rights="All rights are shared. " * 60)),
            paper="letter",
            ink="mono",
        )


def test_a_soft_hyphen_breaks_with_a_hyphen_of_ours(sheet: Sheet) -> None:
    word = "Donau\u00addampf\u00adschiff\u00adfahrts\u00adgesell\u00adschaft" * 9
    assert render_pdf(with_blocks(sheet, Prose((word,))), paper="a4", ink="mono").pages == 1


def test_a_long_word_in_a_text_flows(sheet: Sheet) -> None:
    word = "Donaudampfschifffahrtsgesellschaft" * 6
    table = Table((Column("A"), Column("B"), Column("C")), ((Cell(word), Cell(word), Cell(word)),), caption="c")
    text = text_of(render_pdf(with_blocks(sheet, table), paper="a4", ink="mono"))
    assert "".join(text.split()).count("gesellschaft") == 18


@pytest.mark.parametrize("paper", PAPERS)
def test_a_long_table_repeats_its_head_and_loses_nothing(sheet: Sheet, paper: Paper) -> None:
    rows = tuple((Cell(f"R-{number}"), Cell("some words that say why " * 6)) for number in range(60))
    table = Table((Column("No.", share=1), Column("Reason", share=9)), rows, caption="c", breakable=True)
    rendered = render_pdf(with_blocks(sheet, table), paper=paper, ink="mono")
    text = text_of(rendered)
    assert rendered.pages > 2
    assert text.count("REASON") == rendered.pages
    assert all(f"R-{number}" in text for number in range(60))
    assert f"2 of {rendered.pages}" in text
    assert min(rendered.fill[:-1]) > 0.8


def test_a_row_that_no_page_holds_begins_where_it_stands(sheet: Sheet) -> None:
    sections = tuple(Section(f"Section {number}", (Steps(("One.",) * 9),)) for number in range(9))
    tall = replace(sheet, rows=(Row(columns=(sections, sections[:3])),))
    rendered = render_pdf(tall, paper="a4", ink="mono")
    assert rendered.pages > 1
    assert rendered.fill[0] > 0.7


@pytest.mark.parametrize("rows", [2, 60])
def test_a_table_that_no_page_holds_begins_where_it_stands(sheet: Sheet, rows: int) -> None:
    words = "words that say why " * (1400 // rows)
    table = Table((Column("No.", share=1), Column("Reason", share=9)), ((Cell("x"), Cell(words)),) * rows, caption="c")
    rendered = render_pdf(with_blocks(sheet, table), paper="a4", ink="mono")
    assert rendered.pages > 2
    assert min(rendered.fill[:-1]) > 0.8
    assert text_of(rendered).count("why") == 1400 // rows * rows


def test_a_row_that_fits_a_page_stays_whole(sheet: Sheet) -> None:
    filler = Row(columns=((Section("Filler", (Steps(("One.",) * 25),)),),))
    pair = Row(columns=((Section("Left", (Steps(("Left step.",) * 20),)),), (Section("Right", (Steps(("x",)),)),)))
    rendered = render_pdf(replace(sheet, rows=(filler, pair)), paper="a4", ink="mono")
    first, second = (page.get_textpage().get_text_range() for page in pypdfium2.PdfDocument(rendered.pdf))
    assert "Left step." not in first
    assert second.count("Left step.") == 20


def test_a_complaint_of_the_engine_is_an_error_and_is_not_printed(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(RenderError, match=r"the engine complained: .*colour"):
        pdf.lay_out('<html lang="en"><title>t</title><style>p{colour:red}</style><body></body></html>', "sample")
    assert capsys.readouterr().err == ""
    assert not logging.getLogger("weasyprint").filters


def test_a_missing_engine_points_to_the_doctor(monkeypatch: pytest.MonkeyPatch, sheet: Sheet) -> None:
    pdf.load_engine.cache_clear()
    monkeypatch.setitem(sys.modules, "weasyprint", None)
    with pytest.raises(RenderError, match="fieldpress doctor"):
        render_pdf(sheet, paper="a4", ink="mono")


def test_a_file_is_whole_or_not_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "sheet.pdf"
    write_atomically(path, b"first")
    assert path.read_bytes() == b"first"

    def fail(*_: object) -> None:
        msg = "the disk is full"
        raise OSError(msg)

    monkeypatch.setattr(Path, "replace", fail)
    with pytest.raises(OSError, match="the disk is full"):
        write_atomically(path, b"second")
    assert path.read_bytes() == b"first"
    assert list(tmp_path.iterdir()) == [path]


def test_what_a_killed_build_left_goes_after_a_day(tmp_path: Path) -> None:
    old, new, mine = (tmp_path / name for name in (f".{'0a' * 8}.part", f".{'0b' * 8}.part", ".map.part"))
    for path in (old, new, mine):
        path.touch()
    for path in (old, mine):
        os.utime(path, (0, 0))
    write_atomically(tmp_path / "sheet.pdf", b"first")
    assert {*tmp_path.iterdir()} == {new, mine, tmp_path / "sheet.pdf"}


def test_what_runs_over_a_page_is_named_again_in_the_head_of_the_next(sheet: Sheet) -> None:
    long = Table((Column("No."),), tuple((Cell(str(number)),) for number in range(90)), "Long", breakable=True)
    short = Row(columns=((Section("Short", (Steps(("One.",)),)),),), new_page=True)
    rows = (Row(columns=((Section("Numbers", (long,)),),)), short)
    document = pypdfium2.PdfDocument(render_pdf(replace(sheet, rows=rows), paper="a4", ink="mono").pdf)
    pages = [page.get_textpage().get_text_bounded() for page in document]
    assert ["Numbers, continued" in page for page in pages] == [False, True, True, False]


@pytest.mark.skipif(sys.platform != "linux", reason="other systems have other names of libraries")
def test_loading_the_engine_starts_no_other_process() -> None:
    code = (
        "import sys\n"
        "started = []\n"
        "sys.addaudithook(lambda event, _: started.append(event) if event == 'subprocess.Popen' else None)\n"
        "from generator.render.page.pdf import load_engine\n"
        "load_engine()\n"
        "sys.exit(len(started))\n"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0  # noqa: S603 - our own code
