"""A publisher's folder becomes a book: its numbers and pages agree, its pictures are safe, its themes can be read."""

from __future__ import annotations

import io
import re
import shutil
import struct
import zlib
from base64 import b64decode
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote

import numpy as np
import pikepdf
import pypdfium2
import pytest
from markupsafe import Markup
from PIL import Image

from generator.commands.access import open_library
from generator.commands.books import in_theme, supplement_job
from generator.commands.jobs import Pack, Selection
from generator.commands.printer import Output
from generator.commands.printing import build, jobs_of
from generator.documents.supplement import Supplement, load_theme, shipped_themes
from generator.problems import ProblemsError, RenderError, has_errors
from generator.render.assemble.impose import Imposition
from generator.render.book import Box, Heading
from generator.render.imprinted import SOBER, contrast
from generator.render.language import Language, translated
from generator.render.own_templates import mistakes
from generator.render.page.pdf import render_pdf
from generator.render.pictures import PictureError, read_picture
from generator.render.type.fonts import FACES, face_file
from generator.render.type.prose import inline
from generator.resources import rulesdata
from generator.rules.source.library import beside
from tests.conftest import SMALL_RULES
from tests.tag_walker import findings

if TYPE_CHECKING:
    from generator.render.blocks import Ink, Paper

pytestmark = pytest.mark.slow

MANIFEST = """
title: Toys at war
author: A. Boy
edition: "2026"
rules: tin
rights: Unofficial.
credits: ["**Drawn** by a boy."]
cover: {file: cover.svg, alt: A sofa}
chapters:
  - {file: carpet.md, strap: The battlefield., picture: {file: cover.svg, alt: A sofa again}}
  - {file: guns.md}
"""
CARPET = """# The carpet {#carpet}

Guns are in [](#guns-table), and [](#guns) explains them. {index:carpet}

## Sofas

1. Roll the D6.

````sidebar Mind the cat
See [](#carpet).

```figure
file: dot.png
alt: A dot
caption: A dot
```
````
"""
GUNS = """# Guns and walls {#guns}

Bang. {index:gun} {index:gun}

```section
sheet: quick
section: Odds
caption: "Chance to hit, percent"
wide: true
```

```block
table: guns
columns: [words, die]
caption: "Guns: their dice"
id: guns-table
```
"""
BLUE = (29, 91, 134)
SVG = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9">{}</svg>'


def png(wide: int, high: int, rows: int, before: bytes = b"") -> bytes:
    """A grey picture of so many pixels; ``before`` is camera data before these, and without rows there are none."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    header = struct.pack(">IIBBBBB", wide, high, 8, 0, 0, 0, 0)
    pixels = chunk(b"IDAT", zlib.compress((b"\0" + b"\x80" * wide) * rows)) if rows else b""
    camera = chunk(b"eXIf", before) if before else b""
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + camera + pixels + chunk(b"IEND", b"")


def cut_off_photograph() -> bytes:
    stream = io.BytesIO()
    Image.effect_noise((400, 400), 50).save(stream, "JPEG")
    return stream.getvalue()[:2_000]


@pytest.fixture
def book(tmp_path: Path) -> Path:
    return write_book(tmp_path / "toys")


@pytest.fixture(scope="module")
def usual(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """The book as it is, printed once."""
    return printed(write_book(tmp_path_factory.mktemp("usual")))


def write_book(folder: Path) -> Path:
    folder.mkdir(exist_ok=True)
    for name, text in (("supplement.yaml", MANIFEST), ("carpet.md", CARPET), ("guns.md", GUNS)):
        (folder / name).write_text(text, encoding="utf-8")
    (folder / "cover.svg").write_text(SVG.format('<path fill="var(--art-3)" d="M0 0h9v9z"/>'), encoding="utf-8")
    (folder / "dot.png").write_bytes(png(600, 600, 600))
    return folder


def printed(folder: Path, theme: str = "", paper: Paper = "a4", ink: Ink = "colour") -> bytes:
    pack = supplement_job(open_library(SMALL_RULES, *beside([folder])), folder, [])
    (in_its_theme,) = in_theme([pack], theme) if theme else [pack]
    assert isinstance(in_its_theme, Pack)
    return render_pdf(in_its_theme.cover(), paper=paper, ink=ink).pdf


def test_the_folder_of_a_theme_is_part_of_its_name() -> None:
    with pytest.raises(ProblemsError) as raised:
        in_theme([], "nowhere/pulp")
    (problem,) = raised.value.problems
    assert (problem.code, problem.found) == ("F143", "nowhere/pulp")


def pages_of(pdf: bytes) -> list[str]:
    pages = pypdfium2.PdfDocument(pdf)
    return [" ".join(page.get_textpage().get_text_range().split()) for page in pages]


def test_contents_references_and_index_name_the_pages_where_things_stand(usual: bytes) -> None:
    pages = pages_of(usual)
    (carpet,) = (number for number, text in enumerate(pages, start=1) if "Mind the cat" in text)
    (guns,) = (number for number, text in enumerate(pages, start=1) if "Bang." in text)
    contents = pages[1]
    assert contents.startswith(f"1 {carpet} 2 {guns} ")
    assert f"2.2 Guns {guns}" in contents
    assert f"1.1 A dot {carpet}" in contents
    assert "Edition of this book: 2026. Rule data: Tin Soldiers" in contents
    assert f"Guns are in Table 2.2, page {guns}, and chapter 2, page {guns} explains them." in pages[carpet - 1]
    assert f"carpet {carpet} gun {guns}" in pages[-1]
    assert "Table 2.2 Guns: their dice" in pages[guns - 1]
    with pikepdf.open(io.BytesIO(usual)) as file:
        assert findings(file) == []
        assert file.docinfo["/Author"] == "A. Boy"


@pytest.mark.parametrize(
    ("shape", "paper", "size"),
    [
        ("landscape", "letter", (279.4, 215.9)),
        ("a5", "a4", (148.5, 210)),
    ],
)
def test_a_book_of_another_shape_says_the_same(
    book: Path, usual: bytes, shape: str, paper: Paper, size: tuple[float, float]
) -> None:
    (book / "supplement.yaml").write_text(MANIFEST + f"page: {shape}\n", encoding="utf-8")
    pdf = printed(book, paper=paper)
    # Running heads stand on every page but the first of a chapter; a book of more pages has more of them.
    words, same = ({word for page in pages_of(one) for word in page.split() if word.isalpha()} for one in (pdf, usual))
    assert words == same
    with pikepdf.open(io.BytesIO(pdf)) as file:
        assert findings(file) == []
        for page in file.pages:
            assert [float(end) * 25.4 / 72 for end in page.mediabox[2:]] == pytest.approx(size, abs=0.01)


def test_the_same_files_give_the_same_bytes(book: Path, usual: bytes) -> None:
    assert printed(book) == usual


def test_a_rule_set_in_the_folder_is_used(book: Path) -> None:
    shutil.copytree(SMALL_RULES / "tin", book / "wood")
    manifest = book / "wood" / "ruleset.yaml"
    manifest.write_text(manifest.read_text(encoding="utf-8").replace("ruleset: tin", "ruleset: wood"), encoding="utf-8")
    table = book / "wood" / "tables" / "guns.yaml"
    table.write_text(table.read_text(encoding="utf-8").replace("D6", "D12", 1), encoding="utf-8")
    (book / "supplement.yaml").write_text(MANIFEST.replace("rules: tin", "rules: wood"), encoding="utf-8")
    assert "D12" in pages_of(printed(book))[-1]


@pytest.mark.parametrize(("renamed", "titles"), [("Walls", ["Guns"]), ("Odds", ["Chance to hit", "Guns"])])
def test_a_section_that_an_option_excludes_is_left_out(book: Path, renamed: str, titles: list[str]) -> None:
    shutil.copytree(SMALL_RULES / "tin", book / "tin")
    sheet = book / "tin" / "sheets" / "quick.yaml"
    text = sheet.read_text(encoding="utf-8").replace("section: Odds", "section: Odds\n          when: fog")
    sheet.write_text(text.replace("section: Prices", f"section: {renamed}"), encoding="utf-8")
    with (book / "tin" / "ruleset.yaml").open("a", encoding="utf-8") as manifest:
        manifest.write("options: {fog: {label: Fog, yes_no: true, default: false, cite: p. 9}}\n")
    cover: Any = supplement_job(open_library(*beside([book])), book, []).cover()
    assert [entry.title.replace("\N{NO-BREAK SPACE}", " ") for entry in cover.tables] == titles


def test_a_reference_to_a_block_that_options_exclude_is_refused(book: Path) -> None:
    (book / "guns.md").write_text(GUNS.replace("table: guns", "table: guns\nwhen: 1 > 2"), encoding="utf-8")
    with pytest.raises(ProblemsError) as refused:
        supplement_job(open_library(SMALL_RULES, *beside([book])), book, [])
    assert [(problem.code, problem.found) for problem in refused.value.problems] == [("F141", "#guns-table")]


def test_the_index_is_sorted_without_accents(book: Path) -> None:
    (book / "guns.md").write_text(f"{GUNS}\n{{index:Öl}} {{index:zinc}} {{index:Äpfel}}\n", encoding="utf-8")
    cover: Any = supplement_job(open_library(SMALL_RULES, *beside([book])), book, []).cover()
    assert [term for term, _ in cover.index] == ["Äpfel", "carpet", "gun", "Öl", "zinc"]


def test_a_reference_may_have_umlauts_and_spaces(book: Path) -> None:
    (book / "carpet.md").write_text(CARPET.replace("#guns-table", "<#Alle Büchsen>"), encoding="utf-8")
    (book / "guns.md").write_text(GUNS.replace("guns-table", "Alle Büchsen"), encoding="utf-8")
    assert "Guns are in Table 2.2, page 4, and" in "".join(pages_of(printed(book)))


def test_handouts_follow_the_book_with_their_own_numbers_and_links(book: Path, tmp_path: Path) -> None:
    manifest = MANIFEST + "handouts: [{build: tin, only: [quick]}]\n"
    (book / "supplement.yaml").write_text(manifest, encoding="utf-8")
    data, problems = build(open_library(SMALL_RULES), [str(book)], Output(tmp_path / "out", no_cache=True))
    assert problems == ()
    (file,) = data["built"]
    pages = pages_of(Path(file["path"]).read_bytes())
    assert file["pages"] == len(pages)
    assert f"Quick sheet {len(pages)}" in pages[1]
    assert "Quick sheet" in pages[-1]
    assert f"{len(pages)} of {len(pages)}" in pages[-1]
    assert f" of {len(pages)}" not in pages[1]
    assert all(str(number) in pages[number - 1].split() for number in range(2, 5))
    with pikepdf.open(file["path"]) as pdf:
        assert findings(pdf) == []


def test_a_book_is_printed_without_its_handouts(book: Path, tmp_path: Path) -> None:
    manifest = MANIFEST + "handouts: [{build: tin, only: [quick]}]\n"
    (book / "supplement.yaml").write_text(manifest, encoding="utf-8")
    alone = Selection(only=("book",))
    data, _ = build(open_library(SMALL_RULES), [str(book)], Output(tmp_path, no_cache=True), selection=alone)
    (file,) = data["built"]
    assert "Quick sheet" not in "".join(pages_of(Path(file["path"]).read_bytes()))
    with pytest.raises(ProblemsError) as refused:
        build(open_library(SMALL_RULES), [str(book)], Output(tmp_path), selection=Selection(only=("quick",)))
    assert [(problem.code, problem.found) for problem in refused.value.problems] == [("R319", "quick")]


def test_a_handout_that_cannot_be_printed_does_not_stop_the_book_alone(book: Path, tmp_path: Path) -> None:
    (book / "supplement.yaml").write_text(f"{MANIFEST}handouts: [{{build: reds.yaml}}]\n", encoding="utf-8")
    (book / "reds.yaml").write_text(FORCE.replace("force: ", "force: ☃"), encoding="utf-8")
    library, alone = open_library(SMALL_RULES), Selection(only=("book",))
    with pytest.raises(ProblemsError, match="F132"):
        build(library, [str(book)], Output(tmp_path))
    (file,) = build(library, [str(book)], Output(tmp_path, no_cache=True), selection=alone)[0]["built"]
    with pikepdf.open(file["path"]) as pdf:
        assert "reds.yaml" in pdf.attachments


def test_a_book_is_built_again_from_its_own_pdf(book: Path, tmp_path: Path) -> None:
    shutil.copytree(SMALL_RULES / "tin", book / "tin")
    first, second = tmp_path / "first", tmp_path / "second"
    ours = open_library(*beside([book]))
    (printed_once,) = build(ours, [str(book)], Output(first, no_cache=True))[0]["built"]
    shutil.rmtree(book)
    (printed_again,) = build(open_library(), [printed_once["path"]], Output(second, no_cache=True))[0]["built"]
    assert Path(printed_once["path"]).read_bytes() == Path(printed_again["path"]).read_bytes()


@pytest.mark.parametrize("name", ["../outside.md", "/etc/outside.md", "a/../../outside.md"])
def test_a_pdf_with_a_file_outside_its_folder_is_refused(name: str, tmp_path: Path) -> None:
    with pikepdf.new() as pdf:
        pdf.add_blank_page()
        for attached in ("supplement.yaml", name):
            pdf.attachments[attached] = pikepdf.AttachedFileSpec(
                pdf, b"title: x", filename=attached, description="", mime_type="", creation_date="", mod_date=""
            )
        pdf.save(tmp_path / "book.pdf")
    with pytest.raises(ProblemsError) as refused:
        build(open_library(), [str(tmp_path / "book.pdf")], Output(tmp_path / "out"))
    (problem,) = refused.value.problems
    assert problem.code == "F102"
    assert name in problem.found
    assert not (tmp_path / "out").exists()


def test_every_theme_prints_the_same_words(book: Path, usual: bytes) -> None:
    def letters(pdf: bytes) -> list[str]:
        return sorted("".join(pages_of(pdf)).replace(" ", "").lower())

    for theme in shipped_themes():
        assert letters(printed(book, theme, "letter", "low")) == letters(usual), theme


@pytest.mark.parametrize("theme", shipped_themes())
def test_every_shipped_theme_has_its_contrasts(theme: str) -> None:
    problems: list[object] = []
    load_theme(theme, lambda name, _: Path(name), None, problems)  # type: ignore[arg-type] # no place is needed
    assert problems == []


def test_a_theme_finds_its_font_and_its_parent_in_its_own_folder(book: Path) -> None:
    ash, dust = book / "Große Themen" / "ash.yaml", book / "Große Themen" / "dust.yaml"
    (ash.parent / "fonts").mkdir(parents=True)
    shutil.copy(face_file(FACES[0].id), ash.parent / "fonts" / "Fett.ttf")
    fonts = "tokens: {head-font: fat}\nfonts: [{name: fat, file: fonts/Fett.ttf}]\n"
    ash.write_text(f"theme: ash\ntitle: Ash\n{fonts}", encoding="utf-8")
    dust.write_text("theme: dust\ntitle: Dust\nparent: ash.yaml\n", encoding="utf-8")
    (book / "supplement.yaml").write_text(f"{MANIFEST}theme: Große Themen/dust.yaml\n", encoding="utf-8")
    pack = supplement_job(open_library(SMALL_RULES, *beside([book])), book, [])
    assert {f"Große Themen/{name}" for name in ("dust.yaml", "ash.yaml", "fonts/Fett.ttf")} <= {*pack.files}
    (same,) = in_theme([pack], str(dust))
    assert same.cover().theme == pack.cover().theme  # type: ignore[union-attr] # a book


def test_contrast_is_that_of_the_published_examples() -> None:
    # WebAIM: #767676 is the lightest grey on white that passes 4.5, #777777 has 4.48.
    assert round(contrast("#767676", "#ffffff"), 2) == 4.54
    assert round(contrast("#777777", "#ffffff"), 2) == 4.48


@pytest.mark.parametrize(
    "inside",
    [
        "<script>1</script>",
        '<path d="M0 0" onload="x()"/>',
        '<image href="http://example.org/x.png"/>',
        '<path fill="url(http://example.org/x)" d="M0 0"/>',
        '<path style="fill:\\75 rl(x)" d="M0 0"/>',
        "<style>@import 'http://example.org'</style>",
        "<text>x</text>",
        '<use href="#a"/>',
        "<foreignObject/>",
        '<linearGradient id="a" href="#a"/>',
        '<path fill="url(#later)" d="M0 0"/><linearGradient id="later"/>',
        '<h:script xmlns:h="http://www.w3.org/1999/xhtml">1</h:script>',
    ],
)
def test_an_svg_that_does_more_than_draw_is_refused(inside: str) -> None:
    with pytest.raises(PictureError) as refused:
        read_picture(SVG.format("\n" + inside).encode(), "A picture")
    assert refused.value.line == 2


@pytest.mark.parametrize(
    ("data", "found"),
    [
        (b'<!DOCTYPE svg [<!ENTITY a "b">]><svg/>', "a DOCTYPE"),
        (b"<html/>", "the element html"),
        (b"<svg", "unclosed token"),
        (png(8_000, 8_000, 1), "8000 × 8000 pixels"),
        (png(50_000, 50_000, 1), "more pixels"),
        (png(60, 60, 60)[:60], "no picture"),
        (png(60, 60, 60, b"II*\0\x08"), "no picture"),
        (png(60, 60, 0), "no picture"),
        (cut_off_photograph(), "no picture"),
        (b"GIF89a\x01\x00\x01\x00", "no picture"),
        (b"x" * (16 * 1024 * 1024 + 1), "more"),
    ],
)
def test_a_file_that_is_no_safe_picture_is_refused(data: bytes, found: str) -> None:
    with pytest.raises(PictureError, match=found):
        read_picture(data, "A picture")


def test_a_drawing_keeps_its_shapes_and_gradients() -> None:
    inside = '<defs><linearGradient id="a"><stop offset="0"/></linearGradient></defs><path fill="url(#a)" d="M0 0h9"/>'
    assert read_picture(SVG.format(inside).encode(), "").data == SVG.format(inside).replace("/>", "></path>").replace(
        '<stop offset="0"></path>', '<stop offset="0"></stop>'
    )


def test_a_chapter_shows_the_map_of_a_battle(book: Path) -> None:
    fence = "\n```map\nbattle: {}\ncaption: The field\nwide: true\n```\n"
    (book / "guns.md").write_text(GUNS + fence.format("three-bridges"), encoding="utf-8")
    library = open_library(SMALL_RULES, *beside([book]))
    pack = supplement_job(library, book, [])
    placed: Any = pack.cover().chapters[1].blocks[-1]  # type: ignore[union-attr] # a book has chapters
    assert placed.label == "Figure 2.1"
    assert placed.section.blocks[0].alt.startswith("Map of a table of 72″ by 48″, north up")
    (book / "guns.md").write_text(GUNS + fence.format("tree-bridges"), encoding="utf-8")
    with pytest.raises(ProblemsError) as refused:
        supplement_job(library, book, [])
    assert [(problem.code, problem.span.line) for problem in refused.value.problems] == [("R301", 20)]


def test_a_book_has_room_for_several_maps(book: Path) -> None:
    fence = "\n```map\nbattle: bond-store-nine\ncaption: The field\n```\n"
    (book / "guns.md").write_text(GUNS + fence + fence, encoding="utf-8")
    assert "Figure 2.2 The field" in " ".join(pages_of(printed(book)))


def test_a_box_with_a_wide_block_spans_all_columns(book: Path) -> None:
    (book / "carpet.md").write_text(
        CARPET.replace("caption: A dot\n", "caption: A dot\nwide: true\n"), encoding="utf-8"
    )
    book_of_toys: Any = supplement_job(open_library(SMALL_RULES, *beside([book])), book, []).cover()
    assert [band.wide for band in book_of_toys.chapters[0].runs(2)] == [False, True]


def test_columns_are_filled_in_order_and_end_at_equal_heights(book: Path) -> None:
    # Ten boxes of equal height over two pages: five beside five; a heading goes with what it is over.
    boxes = "".join(f"\n## Part {number}\n\n```sidebar Box {number}\n{'Words. ' * 60}\n```\n" for number in range(10))
    (book / "guns.md").write_text("# Guns {#guns}\n" + boxes + GUNS.partition("\n")[2], encoding="utf-8")
    pdf = pypdfium2.PdfDocument(printed(book))
    found: list[tuple[int, int, float]] = []
    for number, page in enumerate(pdf):
        text = page.get_textpage()
        for box in range(10):
            at = text.get_text_range().find(f"Box {box}")
            if at >= 0:
                left, _, _, top = text.get_charbox(at)
                found.append((box, number * 2 + (left > page.get_width() / 2), round(top)))
    columns = [column for _, column, _ in sorted(found)]
    assert len(columns) == 10
    assert columns == sorted(columns)
    tops = {column: max(top for _, its, top in found if its == column) for column in columns}
    assert len({top for column, top in tops.items() if column // 2 == columns[-1] // 2}) == 1


def test_a_mistake_in_a_condition_of_several_lines_is_named_at_its_line() -> None:
    source = "<p>{{ title }}</p>\n{% if strap %}\n<h1>{{ strap }}</h1>\n{% endif %}\n<table></table>"
    found = [(mistake.line, mistake.found) for mistake in mistakes("chapter", source)]
    assert found == [(3, "<h1>"), (5, "<table>")]


@pytest.mark.parametrize("depth", [50, 120, 3000])
def test_a_template_with_conditions_nested_too_deep_is_refused(depth: int) -> None:
    source = "{% if title %}" * depth + "<p>{{ title }}</p>" + "{% endif %}" * depth
    found = [mistake.found for mistake in mistakes("chapter", source)]
    assert found == [] if depth < 100 else "nested too deep" in found[0]


@pytest.mark.parametrize(
    ("source", "found"),
    [
        ("<p>{{ text }}</p>", ""),
        ("<p>{{ title }}</p>", "nothing"),
        ("{% if title %}<p>{{ title }}</p>{{ text }}{% endif %}", "nothing"),
        ("{% if title %}{{ title }}{% else %}{{ text }}{% endif %}", "nothing"),
        ("{% if title %}<p>{{ title }}</p>{{ text }}{% else %}{{ text }}{% endif %}", ""),
        ('<div style="min-height: 9mm; line-height: 1.2">{{ text }}</div>', ""),
        ('<div style="height: 9mm">{{ text }}</div>', 'style="height: 9mm"'),
        ('<div style="max-height:9mm">{{ text }}</div>', 'style="max-height:9mm"'),
        ('<div style="display :none">{{ text }}</div>', 'style="display :none"'),
        ('<div style="color: red; Transform: scale(0)">{{ text }}</div>', 'style="color: red; Transform: scale(0)"'),
        ('<div style="break-before: page">{{ text }}</div>', 'style="break-before: page"'),
        ('<div style="float: footnote">{{ text }}</div>', 'style="float: footnote"'),
        ('<div style="color: red; border-top: 1pt solid var(--accent);">{{ text }}</div>', ""),
        ('<div style="background:&#10;url(x)">{{ text }}</div>', 'style="background:\nurl(x)"'),
        ("<!-- {{ text }} --><p>{{ title }}</p>", "a comment"),
    ],
)
def test_a_template_that_may_lose_the_text_of_a_box_is_refused(source: str, found: str) -> None:
    assert "".join(mistake.found for mistake in mistakes("box", source)) == found


def test_own_templates_replace_pieces_and_lose_no_words(book: Path, usual: bytes) -> None:
    templates = {
        "cover": "<div>{{ title }}<p>{{ subtitle }}{{ first }}{{ second }}</p>{{ author }}{{ rights }}</div>",
        "chapter": "<p>CHAPTER {{ number }}</p>{{ title }}<p>{{ strap }}</p>",
        "box": '<div style="border: 1pt solid var(--accent); font-family: var(--head-font)">'
        "<p><b>{{ title }}</b></p>{{ text }}</div>",
        "caption": "<p><i>{{ text }}</i> {{ label }}</p>",
    }
    for piece, source in templates.items():
        (book / f"{piece}.html").write_text(source, encoding="utf-8")
    named = ", ".join(f"{piece}: {piece}.html" for piece in templates)
    (book / "supplement.yaml").write_text(f"{MANIFEST}theme: own.yaml\ntemplates: {{{named}}}\n", encoding="utf-8")
    shutil.copy(face_file(FACES[0].id), book / "Fett.ttf")
    fonts = "tokens: {head-font: fat}\nfonts: [{name: fat, file: Fett.ttf}]\n"
    (book / "own.yaml").write_text(f"theme: own\ntitle: Own\n{fonts}", encoding="utf-8")
    pdf = printed(book)
    words, same = (sorted("".join(pages_of(one)).replace(" ", "")) for one in (pdf, usual))
    assert words == same
    with pikepdf.open(io.BytesIO(pdf)) as file:
        assert findings(file) == []


def test_the_title_of_an_own_cover_stands_on_its_picture(book: Path) -> None:
    (book / "cover.html").write_text("<div>{{ title }}{{ picture }}</div>", encoding="utf-8")
    (book / "supplement.yaml").write_text(f"{MANIFEST}templates: {{cover: cover.html}}\n", encoding="utf-8")
    page = pypdfium2.PdfDocument(printed(book))[0]
    left, bottom, right, top = page.get_textpage().get_charbox(0)
    high = page.get_height()
    letter = page.render().to_pil().convert("RGB").crop((int(left), int(high - top), int(right), int(high - bottom)))
    colour = SOBER.values("colour")["art-7"]
    assert tuple(bytes.fromhex(colour[1:])) in {pixel for _, pixel in letter.getcolors(10**6)}


def test_own_templates_stay_as_they_are_in_another_language(book: Path) -> None:
    source = '<div style="line-height: 1.5">{{ title }}{{ text }}</div>'
    (book / "box.html").write_text(source, encoding="utf-8")
    (book / "supplement.yaml").write_text(f"{MANIFEST}templates: {{box: box.html}}\n", encoding="utf-8")
    cover: Any = supplement_job(open_library(SMALL_RULES, *beside([book])), book, []).cover()
    german = Language("de", {"box": "Kasten"}, comma=True)
    assert translated(cover, german).templates == cover.templates == (("box", source),)


FORCE = """
force: Reds
rules: [dirtside2]
designs:
  - {design: Sabre, kind: vehicle, size: 3, armour: 3, plant: HMT, mobility: fast tracked}
units:
  - {unit: First, quality: regular, leadership: 2, of: [{design: Sabre, count: 3}]}
  - {unit: Second, quality: regular, leadership: 2, of: [{design: Sabre, count: 2}]}
"""
CARD = """
```card
force: reds.yaml
name: Sabre
caption: A tank
back: true
```
"""


def breadth(picture: Image.Image, colour: tuple[int, int, int]) -> int:
    """How many pixels lie between the first and the last of this colour, from left to right."""
    columns = (np.asarray(picture) == colour).all(axis=2).any(axis=0).nonzero()[0]
    return int(columns[-1] - columns[0])


def test_a_chapter_shows_the_card_of_a_design_in_true_size(book: Path, tmp_path: Path) -> None:
    (book / "reds.yaml").write_text(FORCE, encoding="utf-8")
    (book / "guns.md").write_text(GUNS + CARD, encoding="utf-8")
    data, problems = build(open_library(SMALL_RULES, *beside([book])), [str(book)], Output(tmp_path, no_cache=True))
    assert not has_errors(problems)
    (file,) = data["built"]
    pdf = pypdfium2.PdfDocument(file["path"])
    pages = pages_of(Path(file["path"]).read_bytes())
    (at,) = (number for number, text in enumerate(pages) if "Sabre" in text)
    assert "Figure 2.1 A tank" in pages[at]
    assert "First" in pages[at]
    assert "Second" not in "".join(pages)  # the design is printed once
    # Blue bands at the left of the front and the right of the back are the outer edges of a card of 127 mm.
    scale = 10
    picture = pdf[at].render(scale=scale * 25.4 / 72).to_pil().convert("RGB")
    assert breadth(picture, BLUE) == pytest.approx(127 * scale, abs=0.1 * scale)
    with pikepdf.open(file["path"]) as whole:
        assert findings(whole) == []


@pytest.mark.parametrize(("shape", "width"), [("portrait", 63.5), ("a5", 58.0)])
def test_a_chapter_shows_upright_cards_with_their_backs_beside_them(
    book: Path, tmp_path: Path, shape: str, width: float
) -> None:
    (book / "supplement.yaml").write_text(MANIFEST + f"page: {shape}\n", encoding="utf-8")
    (book / "tank.svg").write_text(SVG.format('<path fill="#00ff00" d="M0 0h9v9h-9z"/>'), encoding="utf-8")
    pictured = FORCE.replace("kind:", "picture: {file: tank.svg, alt: A tank}, kind:")
    (book / "reds.yaml").write_text(pictured, encoding="utf-8")
    (book / "guns.md").write_text(GUNS + CARD.replace("back: true", "back: true\nsize: poker"), encoding="utf-8")
    library = open_library(SMALL_RULES, *beside([book]))
    (file,) = build(library, [str(book)], Output(tmp_path, no_cache=True))[0]["built"]
    pdf = pypdfium2.PdfDocument(file["path"])
    (at,) = (number for number, page in enumerate(pages_of(Path(file["path"]).read_bytes())) if "Sabre" in page)
    scale = 4
    picture = pdf[at].render(scale=scale * 25.4 / 72).to_pil().convert("RGB")
    for colour, wide in (((0, 255, 0), width), (BLUE, 2 * width + 2)):  # the picture, and the bars of both sides
        assert breadth(picture, colour) == pytest.approx(wide * scale, abs=scale)
    with pikepdf.open(file["path"]) as whole:
        assert findings(whole) == []


def test_a_chapter_shows_every_card_of_a_unit_with_and_without_backs(book: Path, tmp_path: Path) -> None:
    names = ("Big Pell in the suit", "Dunmore the mate", "Jun the rigger", "Cutter hand", "Ship’s boy")
    crew = (rulesdata() / "fma-skirmish/samples/halyard-crew.yaml").read_text(encoding="utf-8")
    unit = f"units: [{{unit: Mixed, of: [{', '.join(f'{{design: {name}}}' for name in names)}]}}]\n"
    (book / "reds.yaml").write_text(crew.partition("units:")[0] + unit, encoding="utf-8")
    (book / "guns.md").write_text(GUNS + CARD.replace("Sabre", "Mixed"), encoding="utf-8")
    library = open_library(SMALL_RULES, *beside([book]))
    (file,) = build(library, [str(book)], Output(tmp_path, no_cache=True))[0]["built"]
    text = " ".join("".join(pages_of(Path(file["path"]).read_bytes())).split())
    assert [name for name in names if name not in text] == []


@pytest.mark.parametrize("ink", ["mono", "low"])
def test_a_photograph_is_grey_in_other_inks_than_colour(ink: Ink) -> None:
    stream = io.BytesIO()
    Image.new("RGB", (4, 3), (200, 30, 90)).save(stream, "PNG")
    picture = read_picture(stream.getvalue(), "a red field")
    _, _, coded = picture.address(SOBER, ink).partition(",")
    assert Image.open(io.BytesIO(b64decode(coded))).mode == "L"
    assert picture.address(SOBER, "colour") == picture.data


def test_a_picture_of_16_bits_is_as_grey_as_it_was() -> None:
    stream = io.BytesIO()
    Image.new("I;16", (4, 3), 40_000).save(stream, "PNG")
    coded = read_picture(stream.getvalue(), "a fog").address(SOBER, "mono").partition(",")[2]
    assert Image.open(io.BytesIO(b64decode(coded))).getpixel((0, 0)) == 40_000 // 256


@pytest.mark.parametrize("form", ["JPEG", "PNG"])
def test_a_photograph_that_a_camera_has_turned_stands_upright_in_every_ink(form: str) -> None:
    exif, stream = Image.Exif(), io.BytesIO()
    exif[0x0112] = 6
    Image.new("RGB", (1600, 800), "red").save(stream, form, exif=exif)
    picture = read_picture(stream.getvalue(), "a red field")
    assert (picture.pixels, picture.shape) == (800, 0.5)
    coded = picture.address(SOBER, "mono").partition(",")[2]
    assert Image.open(io.BytesIO(b64decode(coded))).size == (800, 1600)


@pytest.mark.parametrize("entry", ["12010200030000006162000000000000", "1201"])
def test_a_photograph_with_damaged_data_of_its_camera_is_used_as_it_is(entry: str) -> None:
    stream = io.BytesIO()
    exif = b"Exif\0\0II*\0\x08\0\0\0\x01\0" + bytes.fromhex(entry)  # an orientation that is a text, or cut short
    Image.new("RGB", (4, 2)).save(stream, "JPEG", exif=exif)
    assert read_picture(stream.getvalue(), "a red field").shape == 2


@pytest.mark.parametrize("colour", ["#f80", "Tomato", "rgba(255, 0, 0, 0.5)", "hsl(120, 100%, 50%)", "var(--art-3)"])
def test_a_drawing_is_grey_in_other_inks_than_colour(colour: str) -> None:
    shapes = f'<path fill="{colour}" d="M0 0"/><path style="stroke: {colour};fill:none" d="M0 0"/>'
    drawing = unquote(read_picture(SVG.format(shapes).encode(), "It").address(SOBER, "mono"))
    greys = re.findall(r"rgba\(([^,]*),([^,]*),([^,]*),", drawing)
    assert len(greys) == 2
    assert all(red == green == blue for red, green, blue in greys)


def test_with_low_ink_a_book_has_no_cover_picture_and_no_picture_over_a_chapter(book: Path) -> None:
    (book / "cover.svg").write_text(SVG.format('<path fill="#333" d="M0 0h9v9H0z"/>'), encoding="utf-8")
    mono, low = printed(book, ink="mono"), printed(book, ink="low")
    for page in (0, 2):  # the cover and the first chapter
        assert share_of_dark(low, page) < 0.1 < share_of_dark(mono, page)


def share_of_dark(pdf: bytes, page: int) -> float:
    picture = pypdfium2.PdfDocument(pdf)[page].render().to_pil().convert("L")
    return float(sum(picture.histogram()[:128]) / (picture.width * picture.height))


def test_a_logo_stands_on_the_cover_and_beside_the_credits(book: Path) -> None:
    (book / "logo.svg").write_text(SVG.format('<path fill="#00ff00" d="M0 0h9v9H0z"/>'), encoding="utf-8")
    (book / "supplement.yaml").write_text(MANIFEST + "logo: {file: logo.svg, alt: A square}\n", encoding="utf-8")
    pictures = [page.render().to_pil().convert("RGB") for page in pypdfium2.PdfDocument(printed(book))]
    colours = [{colour for _, colour in picture.getcolors(1 << 24)} for picture in pictures]
    assert [(0, 255, 0) in page for page in colours] == [True, True, False, False]


def test_readings_span_the_columns_and_a_key_stays_with_its_grid(book: Path) -> None:
    fences = "```block\nkey: tints\n```\n\n```block\nreadings: [ruled, gap]\n```\n"
    (book / "guns.md").write_text(GUNS + fences, encoding="utf-8")
    pack = supplement_job(open_library(SMALL_RULES, *beside([book])), book, [])
    found: Any = pack.cover()
    key, readings = found.chapters[1].blocks[-2:]
    assert (key.follows, key.wide, readings.follows, readings.wide) == (True, False, False, True)


def test_a_force_and_the_files_it_names_are_attached_to_the_book(book: Path) -> None:
    designs = FORCE[FORCE.index("designs:") : FORCE.index("units:")]
    (book / "reds.yaml").write_text(FORCE.replace(designs, "libraries: [shed/tanks.yaml, none.yaml]\n"), "utf-8")
    (book / "none.yaml").write_text("designs: []\n", encoding="utf-8")
    (book / "shed").mkdir()
    (book / "shed" / "tanks.yaml").write_text(f"rules: [tin]\n{designs}", encoding="utf-8")
    tanks = (book / "shed" / "tanks.yaml").read_text("utf-8")
    pictured = tanks.replace("design: Sabre,", "design: Sabre, picture: {file: sabre.svg, alt: A tank},")
    assert pictured != tanks
    (book / "shed" / "tanks.yaml").write_text(pictured, encoding="utf-8")
    (book / "shed" / "sabre.svg").write_text("<svg viewBox='0 0 1 1'/>", encoding="utf-8")
    (book / "guns.md").write_text(GUNS + CARD, encoding="utf-8")
    pack = supplement_job(open_library(SMALL_RULES, *beside([book])), book, [], jobs_of)
    assert {"reds.yaml", "none.yaml", "shed/tanks.yaml", "shed/sabre.svg"} <= {*pack.files}


def test_the_caption_of_a_chart_in_a_fence_is_printed_once_with_its_number(book: Path, tmp_path: Path) -> None:
    fence = "\n```block\nchart: shoot\ngiven: {wall: 1, gun: cannon}\ncaption: Who falls?\n```\n"
    (book / "guns.md").write_text(GUNS + fence, encoding="utf-8")
    data, _ = build(open_library(SMALL_RULES, *beside([book])), [str(book)], Output(tmp_path, no_cache=True))
    text = " ".join("".join(pages_of(Path(data["built"][0]["path"]).read_bytes())).split())
    assert text.count("Figure 2.1 Who falls?") == 1
    assert text.count("Who falls?") == 2  # once in the contents


@pytest.mark.parametrize(("letters", "wide"), [(3, False), (20, True), (40, None)])
def test_a_chart_spans_all_columns_or_is_refused_by_name_if_its_words_do_not_fit(
    book: Path, tmp_path: Path, letters: int, *, wide: bool | None
) -> None:
    shutil.copytree(SMALL_RULES / "tin", book / "tin")
    procedure = book / "tin" / "procedures" / "shoot.yaml"
    text = procedure.read_text(encoding="utf-8")
    procedure.write_text(text.replace("label: Missed", f"label: {'o' * letters}"), encoding="utf-8")
    fence = "\n```block\nchart: shoot\ngiven: {wall: 1, gun: cannon}\ncaption: Who falls?\n```\n"
    (book / "guns.md").write_text(GUNS + fence, encoding="utf-8")
    library = open_library(*beside([book]))
    pack = supplement_job(library, book, [])
    placed: Any = pack.cover().chapters[1].blocks[-1]  # type: ignore[union-attr] # a book has chapters
    if wide is not None:
        assert placed.wide is wide
        build(library, [str(book)], Output(tmp_path, no_cache=True))
    else:
        with pytest.raises(RenderError, match=r"is wider than its place in 'Who falls\?'"):
            build(library, [str(book)], Output(tmp_path, no_cache=True))


def test_a_table_that_reaches_into_the_gutter_is_refused_until_it_spans_all_columns(book: Path, tmp_path: Path) -> None:
    shutil.copytree(SMALL_RULES / "tin", book / "tin")
    guns = book / "tin" / "tables" / "guns.yaml"
    guns.write_text(guns.read_text(encoding="utf-8").replace("label: Die", f"label: {'o' * 42}"), encoding="utf-8")
    library, output = open_library(*beside([book])), Output(tmp_path, no_cache=True)
    with pytest.raises(RenderError, match="is wider than its place in 'Guns'") as refused:
        build(library, [str(book)], output)
    assert refused.value.problem is not None
    assert "wide: true" in refused.value.problem.hint
    (book / "guns.md").write_text(GUNS.replace("id: guns-table", "id: guns-table\nwide: true"), encoding="utf-8")
    build(library, [str(book)], output)


def test_a_card_of_an_unknown_design_is_refused_at_its_line(book: Path, tmp_path: Path) -> None:
    (book / "reds.yaml").write_text(FORCE, encoding="utf-8")
    (book / "guns.md").write_text(GUNS + CARD.replace("Sabre", "Sabra"), encoding="utf-8")
    with pytest.raises(ProblemsError) as refused:
        build(open_library(SMALL_RULES, *beside([book])), [str(book)], Output(tmp_path / "out", no_cache=True))
    assert [(problem.code, problem.span.line, problem.span.file[-7:]) for problem in refused.value.problems] == [
        ("F214", 21, "guns.md")
    ]


def test_a_book_for_a_print_shop_has_bleed_and_the_same_words(book: Path, tmp_path: Path) -> None:
    (book / "supplement.yaml").write_text(MANIFEST + "handouts: [{build: tin, only: [quick]}]\n", encoding="utf-8")
    library = open_library(SMALL_RULES)
    (usual,) = build(library, [str(book)], Output(tmp_path / "usual"))[0]["built"]
    trim = Imposition("trim", marks="none")
    (cut,) = build(library, [str(book)], Output(tmp_path / "cut", imposition=trim))[0]["built"]
    assert cut["path"].endswith("-trim.pdf")
    pdf = Path(cut["path"]).read_bytes()
    words = pages_of(Path(usual["path"]).read_bytes())
    assert [sorted(page) for page in pages_of(pdf)] == [sorted(page) for page in words]
    with pikepdf.open(io.BytesIO(pdf)) as whole:
        assert findings(whole) == []
        for page in whole.pages:
            boxes = [[float(end) * 25.4 / 72 for end in box] for box in (page.bleedbox, page.trimbox)]
            assert boxes[0] == pytest.approx([0, 0, 216, 303], abs=0.01)
            assert boxes[1] == pytest.approx([3, 3, 213, 300], abs=0.01)
    pictures = [page.render().to_pil() for page in pypdfium2.PdfDocument(pdf)]
    corners = [picture.getpixel((0, 0)) for picture in pictures]
    assert [corner != (255, 255, 255) for corner in corners] == [True, False, True, False, False]
    (pulp,) = build(library, [str(book)], Output(tmp_path, imposition=trim, theme="pulp"))[0]["built"]
    handout = pypdfium2.PdfDocument(pulp["path"])[pulp["pages"] - 1].render().to_pil()
    assert handout.getpixel((0, 0)) == handout.getpixel((20, 20)) == (251, 243, 225)


def test_a_book_with_crop_marks_has_them_outside_its_bleed(book: Path, tmp_path: Path) -> None:
    trim, off = Imposition("trim", marks="corners"), 3.5
    (cut,) = build(open_library(SMALL_RULES), [str(book)], Output(tmp_path, imposition=trim))[0]["built"]
    assert cut["path"].endswith("-trim-corners.pdf")
    with pikepdf.open(cut["path"]) as whole:
        boxes = [[float(end) * 25.4 / 72 for end in box] for box in (whole.pages[0].bleedbox, whole.pages[0].trimbox)]
    assert boxes[0] == pytest.approx([off, off, off + 216, off + 303], abs=0.01)
    assert boxes[1] == pytest.approx([off + 3, off + 3, off + 213, off + 300], abs=0.01)


def test_a_book_of_half_pages_is_named_after_them(book: Path, tmp_path: Path) -> None:
    (book / "supplement.yaml").write_text(MANIFEST + "page: a5\n", encoding="utf-8")
    built = build(open_library(SMALL_RULES), [str(book)], Output(tmp_path, papers=("a4", "letter")))[0]["built"]
    assert [Path(file["path"]).name for file in built] == ["toys-at-war-a5.pdf", "toys-at-war-half-letter.pdf"]


def test_an_id_of_the_book_itself_is_refused_at_its_line(book: Path) -> None:
    (book / "guns.md").write_text(f"{GUNS}\n## More {{#contents}}\n", encoding="utf-8")
    with pytest.raises(ProblemsError) as refused:
        supplement_job(open_library(SMALL_RULES, *beside([book])), book, [])
    assert [(problem.code, problem.found) for problem in refused.value.problems] == [("F141", "the id contents again")]


TABLE = """
| Toy {index:toys} | Die |
|---|---|
| A `D6` of **tin** {index:tin} | D8 |
"""


def test_a_cell_of_a_table_prints_as_a_paragraph_does(book: Path) -> None:
    (book / "guns.md").write_text(GUNS + TABLE, encoding="utf-8")
    cover: Any = supplement_job(open_library(SMALL_RULES, *beside([book])), book, []).cover()
    assert [term for term, _ in cover.index] == ["carpet", "gun", "tin", "toys"]
    table = cover.chapters[1].blocks[-1].section.blocks[0]
    assert table.caption == "Toy, Die"
    words, die = (str(inline(cell.text)) for cell in table.rows[0])
    assert words.endswith(">A <b>D6</b> of <strong>tin</strong></span>")
    assert die == '<span class="die">D8</span>'
    pages = pages_of(printed(book))
    (guns,) = (number for number, page in enumerate(pages, start=1) if "A D6 of tin" in page)
    assert f"tin {guns}" in pages[-1]
    assert f"toys {guns}" in pages[-1]
    assert not any(sign in "".join(pages) for sign in "{}`")


def test_html_is_not_mistaken_for_the_same_words_of_a_player() -> None:
    assert inline(Markup("<b>x</b>")) == "<b>x</b>"
    assert inline("<b>x</b>") == "&lt;b&gt;x&lt;/b&gt;"


HEADINGS = """
## First

```sidebar Aside
## In a box {#inside}
```

## Second

See [](#inside). And [](#before).
"""


def test_headings_in_boxes_have_no_number(book: Path) -> None:
    early = GUNS.replace("{#guns}", "{#guns}\n\n### Before {#before}")
    (book / "guns.md").write_text(early + HEADINGS, encoding="utf-8")
    cover: Any = supplement_job(open_library(SMALL_RULES, *beside([book])), book, []).cover()
    headings: list[Any] = [block for block in cover.chapters[1].blocks if isinstance(block, Heading | Box)]
    assert [getattr(item, "number", "box") for item in headings] == ["", "2.1", "box", "2.2"]
    assert [item.number for item in headings[2].blocks] == [""]
    (text,) = (page for page in pages_of(printed(book)) if "Bang." in page)
    assert re.search(r"See 2\.1, page \d\. And chapter 2, page \d", text)


def test_a_heading_in_a_box_is_smaller_than_the_title_of_the_box(book: Path) -> None:
    box = "\n```sidebar Hotel\n## Hut\n\n### Hovel\n```\n"
    (book / "guns.md").write_text(GUNS + box, encoding="utf-8")
    high = list[float]()
    for page in pypdfium2.PdfDocument(printed(book)):
        text = page.get_textpage()
        for word in ("Hotel", "Hut", "Hovel"):
            if (at := text.get_text_range().find(word)) >= 0:
                _, bottom, _, top = text.get_charbox(at)
                high.append(round(top - bottom, 2))
    title, *headings = high
    assert all(heading < title for heading in headings)
    assert len(headings) == 2


def test_an_id_given_twice_in_one_section_is_refused(book: Path) -> None:
    (book / "guns.md").write_text(f"{GUNS}\n### One {{#same}}\n\n### Two {{#same}}\n", encoding="utf-8")
    with pytest.raises(ProblemsError) as refused:
        supplement_job(open_library(SMALL_RULES, *beside([book])), book, [])
    assert [(problem.code, problem.span.line) for problem in refused.value.problems] == [("F141", 21)]


def test_an_index_term_that_is_printed_as_written_is_not_listed(book: Path) -> None:
    (book / "guns.md").write_text(f"{GUNS}\n`{{index:code}}` \\{{index:brace}}\n", encoding="utf-8")
    cover: Any = supplement_job(open_library(SMALL_RULES, *beside([book])), book, []).cover()
    assert [term for term, _ in cover.index] == ["carpet", "gun"]


def test_index_terms_in_headings_are_listed_and_not_printed(book: Path) -> None:
    title = GUNS.replace("walls {", "*walls* {index:walls} {")
    (book / "guns.md").write_text(f"{title}\n## Firsts {{index:firsts}} {{#firsts}}\n", encoding="utf-8")
    pdf = printed(book)
    pages = pages_of(pdf)
    (guns,) = (number for number, page in enumerate(pages, start=1) if "Bang." in page)
    assert f"firsts {guns}" in pages[-1]
    assert f"walls {guns}" in pages[-1]
    with pikepdf.open(io.BytesIO(pdf)) as file, file.open_outline() as outline:
        assert findings(file) == []
        titles = [str(item.title) for part in outline.root for item in (part, *part.children)]
    assert not [text for text in (*pages, *titles) if "{" in text]


def test_a_mistake_in_a_title_is_refused(book: Path) -> None:
    (book / "guns.md").write_text(GUNS.replace("{#guns}", "{#Guns}"), encoding="utf-8")
    with pytest.raises(ProblemsError) as refused:
        supplement_job(open_library(SMALL_RULES, *beside([book])), book, [])
    assert ("F141", "{#Guns}", 1) in [(item.code, item.found, item.span.line) for item in refused.value.problems]


@pytest.mark.parametrize("near", [None, Path("themes")])
def test_a_file_with_a_whole_path_is_attached_under_its_path_from_the_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, near: Path | None
) -> None:
    monkeypatch.chdir(tmp_path)
    file = tmp_path / "book" / "themes" / "own.otf"
    file.parent.mkdir(parents=True)
    file.write_bytes(b"")
    supplement = Supplement(Path("book"), Any, Any, set())  # type: ignore[arg-type] # neither is read
    assert supplement.path(str(file), Any, near and supplement.folder / near) == file  # type: ignore[arg-type]
    assert supplement.used == {"themes/own.otf"}
