"""Every shipped sheet against its approved text and facts, and twenty pages against their approved pictures.

``pytest tests/golden --update-golden`` writes the files anew. Look at every changed page before committing one.
Pictures are exact for one set of engines (``environment.json``); text and facts are compared under any set.
"""

from __future__ import annotations

import hashlib
import io
from functools import cache
from pathlib import Path
from typing import Any

import pikepdf
import pypdfium2
import pytest
from PIL import Image, ImageChops

from generator.commands.access import open_library
from generator.commands.books import find_supplements, supplement_job
from generator.commands.jobs import Findings, Job, Pack, Selection
from generator.commands.packs import scenario_jobs
from generator.commands.printer import Output, Printer
from generator.render.blocks import PAPERS, Ink, Paper
from generator.render.executors import RenderTask
from generator.render.page.html import render_html
from generator.render.page.pdf import Rendered, boxes_of, render_pdf
from generator.resources import supplements
from generator.scenarios.files import battles_in_reach
from tests.golden.approved import (
    DECK,
    FINGERPRINT,
    HERE,
    INKS,
    SHEETS,
    is_approved_environment,
    is_as_approved,
    is_watched,
    made_of,
    record_as_approved,
    sheet,
    shipped_sheet,
)
from tests.golden.boxes import divided_names, last_lines, texts
from tests.tag_walker import drawn_paths, findings

pytestmark = pytest.mark.slow

BATTLE = "surveyor-of-redwater"
"""The battle with the smallest pack."""
MOST_PATHS, LARGEST = 3000, 1_500_000
"""Path operators of a page, and bytes of a pack."""
MOST_SIDES, MOST_OF_TABLE = 24, 4
"""Sides of paper without the appendix, and those with the map and all that everybody knows."""
PHASES = [name for name, path in SHEETS.items() if "phase:" in path.read_text(encoding="utf-8")]
"""All shipped sheets with phases of play."""
LAYERS = [f"{name}/play" for name in ("dirtside2-fma", "dirtside2-iceburg", "stargrunt2-quick")]
"""Play sheets that a layer changes."""
BODY, FIGURES = 10, 10.5
"""Points: the least size of running text, and of texts in tables."""
SMALL = {"full", "token", "aside", "sup"}
"""Classes of texts that may be smaller: names in full, the letters of tokens, and words beside a title."""
FULL = 0.65
"""The share of a page that is used, at least."""
DPI = 50


PAPER = [*SHEETS, DECK]
PICTURES: tuple[tuple[str, Paper, Ink], ...] = (
    ("dirtside2/play", "a4", "colour"),
    ("dirtside2/costs", "letter", "mono"),
    ("dirtside2/fire-odds", "letter", "mono"),
    ("dirtside2-fma/quick-reference", "a4", "colour"),
    ("dirtside2-fma/odds", "letter", "mono"),
    ("dirtside2-iceburg/quick-reference", "letter", "mono"),
    ("dirtside2-iceburg/costs", "a4", "colour"),
    ("dirtside2-iceburg/house-odds", "a4", "colour"),
    ("fma-skirmish/quick-reference", "a4", "colour"),
    ("fma-skirmish/readings", "letter", "mono"),
    ("sla-3d/quick-reference", "letter", "mono"),
    ("sla-3d/damage", "a4", "colour"),
    ("sla-3d/odds", "a4", "low"),
    ("sla-3d/stock", "letter", "mono"),
    ("stargrunt2/quick-reference", "a4", "colour"),
    ("stargrunt2/heavy", "letter", "mono"),
    ("stargrunt2-quick/book-or-option", "a4", "colour"),
    (DECK, "a4", "colour"),
    (DECK, "letter", "mono"),
    (DECK, "a4", "low"),
)
"""The first page of each is compared as a picture: every kind of page, in every ink."""


@cache
def printed(name: str, paper: Paper, ink: Ink) -> Rendered:
    return render_pdf(sheet(name), paper=paper, ink=ink)


def facts(rendered: Rendered) -> str:
    """What the file says about itself, and the text of every page."""
    with pikepdf.open(io.BytesIO(rendered.pdf)) as pdf:
        lines = [
            f"title: {pdf.docinfo['/Title']}",
            f"author: {pdf.docinfo['/Author']}",
            f"language: {pdf.Root['/Lang']}",
            f"tagged: {bool(pdf.Root['/MarkInfo']['/Marked'])}",
            f"fonts: {', '.join(sorted(fonts(pdf)))}",
            f"size: {', '.join(str(round(float(number), 1)) for number in pdf.pages[0].mediabox[2:])}",
        ]
        with pdf.open_outline() as outline:
            lines += [f"bookmark: {item.title}" for item in flat(outline.root)]
    document = pypdfium2.PdfDocument(rendered.pdf)
    for number, page in enumerate(document, start=1):
        text = page.get_textpage().get_text_bounded()
        lines += [f"--- page {number} of {len(document)}", *(line.rstrip() for line in text.splitlines())]
    return "\n".join(lines) + "\n"


def check_pages(pdf: pikepdf.Pdf) -> None:
    """Every table can be heard, and no page has more to draw than a printer likes."""
    assert findings(pdf) == []
    assert max(map(drawn_paths, pdf.pages)) <= MOST_PATHS


def fonts(pdf: pikepdf.Pdf) -> set[str]:
    return {
        str(font["/BaseFont"]).split("+")[-1] for page in pdf.pages for font in page.resources.get("/Font", {}).values()
    }


def flat(items: Any) -> list[Any]:
    return [one for item in items for one in (item, *flat(item.children))]


def first_page(rendered: Rendered) -> Image.Image:
    page = pypdfium2.PdfDocument(rendered.pdf)[0]
    picture: Image.Image = page.render(scale=DPI / 72).to_pil().convert("RGB").quantize(64)
    return picture


def compare(path: Path, found: str, *, update: bool) -> None:
    if update:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(found, encoding="utf-8")
    assert path.read_text(encoding="utf-8") == found, f"{path.name} has changed: look at the page, then --update-golden"


def test_there_are_sheets() -> None:
    assert len(SHEETS) >= 4


@pytest.mark.parametrize("paper", PAPERS)
@pytest.mark.parametrize("name", PAPER)
def test_facts_and_text_are_as_approved(name: str, paper: Paper, *, update_golden: bool) -> None:
    ink = INKS[paper]
    if not update_golden and not is_watched(name) and is_as_approved(name, paper, ink):
        return
    if update_golden:
        record_as_approved(name, paper, ink)
    path = HERE / "facts" / f"{sheet(name).id}-{paper}.txt"
    compare(path, facts(printed(name, paper, ink)), update=update_golden)


@pytest.mark.parametrize(("name", "paper", "ink"), PICTURES)
def test_pictures_are_as_approved(name: str, paper: Paper, ink: Ink, *, update_golden: bool) -> None:
    if not update_golden and (is_as_approved(name, paper, ink) or not is_approved_environment()):
        return
    picture = first_page(printed(name, paper, ink))
    path = HERE / "pictures" / f"{sheet(name).id}-{paper}-{ink}.png"
    if update_golden:
        record_as_approved(name, paper, ink)
        picture.save(path, optimize=True)
    with Image.open(path) as approved:
        difference = ImageChops.difference(approved.convert("RGB"), picture.convert("RGB"))
    assert difference.getbbox() is None, f"{path.name} differs in {difference.getbbox()}"


@pytest.mark.parametrize(("paper", "ink"), INKS.items())
@pytest.mark.parametrize("name", SHEETS)
def test_no_page_is_left_empty(name: str, paper: Paper, ink: Ink, *, update_golden: bool) -> None:
    if not update_golden and is_as_approved(name, paper, ink):
        return
    rendered = printed(name, paper, ink)
    assert is_filled(rendered), rendered.fill


@pytest.mark.parametrize("name", [name for name in SHEETS if name.endswith("/quick-reference")])
def test_little_ink_leaves_no_page_empty(name: str, *, update_golden: bool) -> None:
    if not update_golden and is_as_approved(name, "a4", "colour"):
        return  # the same content gives the same pages with little ink, too
    assert is_filled(printed(name, "a4", "low"))


def is_filled(rendered: Rendered) -> bool:
    """Whether about two thirds of each page are used; a quarter is enough for the last of several."""
    *first, last = rendered.fill
    return all(used > FULL for used in first) and last > (1 / 4 if first else FULL)


@pytest.mark.parametrize("name", PAPER)
def test_fonts_tags_and_paths(name: str, *, update_golden: bool) -> None:
    if not update_golden and is_as_approved(name, "a4", "colour"):
        return
    with pikepdf.open(io.BytesIO(printed(name, "a4", "colour").pdf)) as pdf:
        found = fonts(pdf)
        assert found
        assert all(font.startswith(("FP-Source-Sans", "FP-Source-Serif")) for font in found), found
        check_pages(pdf)
        assert pdf.check_pdf_syntax() == []


def test_the_same_bytes_come_out_twice() -> None:
    assert render_pdf(sheet(DECK), paper="a4", ink="colour").pdf == printed(DECK, "a4", "colour").pdf


@cache
def pages(name: str, paper: Paper) -> list[Any]:
    """The boxes of each page of a sheet, laid out once for all tests here."""
    return boxes_of(render_html(shipped_sheet(name), paper, "mono"))


@pytest.mark.parametrize("paper", PAPERS)
@pytest.mark.parametrize("name", [*PHASES, *LAYERS])
def test_a_sheet_with_phases_keeps_its_pages_and_has_type_to_read_at_a_table(
    name: str, paper: Paper, *, update_golden: bool
) -> None:
    if not update_golden and is_as_approved(name, paper, INKS[paper]):
        return
    if update_golden:
        record_as_approved(name, paper, INKS[paper])
    boxes = pages(name, paper)
    assert len(boxes) == len(shipped_sheet(name).sides())
    assert len(boxes) == 2 or not name.endswith("/play")
    sizes = [
        (size, text, "tbody" in inside)
        for page in boxes
        for text, size, inside in texts(page)
        if ("tbody" in inside or "prose" in inside or "li" in inside) and not {"disc", *SMALL}.intersection(inside)
    ]
    assert sizes
    assert [text for size, text, in_table in sizes if round(size, 2) < (FIGURES if in_table else BODY)] == []
    assert [line for page in boxes for line in last_lines(page) if len(line.split()) == 1] == []


@pytest.mark.parametrize("name", [*SHEETS, *LAYERS])
def test_names_of_rows_stay_in_one_line(name: str, *, update_golden: bool) -> None:
    if not update_golden and is_as_approved(name, "a4", INKS["a4"]):
        return
    assert [text for page in pages(name, "a4") for text in divided_names(page)] == []  # Letter is wider


BOOKS = find_supplements(sorted(folder.name for folder in supplements().iterdir()))
PACKS = [*battles_in_reach(open_library()), *BOOKS]


@cache
def pack(name: str) -> Pack:
    """The pack of a battle, or a book without its handouts, which are among the sheets."""
    problems: list[Any] = []
    with pytest.MonkeyPatch.context() as patch:
        for module in ("generator.documents.book", "generator.rules.describe.differences"):
            patch.setattr(f"{module}.fingerprint", lambda *_, **__: FINGERPRINT)
        library = open_library()
        found: Job | Pack
        if name in BOOKS:
            found = supplement_job(library, BOOKS[name], problems)
        else:
            [found] = scenario_jobs(
                library, battles_in_reach(library)[name].path, Selection(bind=True), Findings(faults=problems)
            )
    assert problems == []
    assert isinstance(found, Pack)
    return found


def pack_made_of(name: str) -> str:
    """What all parts are made of, and who binds them; the cover as if each part had one page."""
    numbers = range(2, len(pack(name).parts) + 2)
    papers = [pack(name).cover(numbers, linked=True), *(one.paper for one in pack(name).parts)]
    parts = [made_of(RenderTask(one, "a4", "colour", numbered=False)) for one in papers]
    hands = ("commands/printer.py", "render/assemble/binding.py", "render/assemble/imposition.py")
    parts += [hashlib.sha256((HERE.parents[1] / "generator" / name).read_bytes()).hexdigest() for name in hands]
    return hashlib.sha256("\n".join(parts).encode()).hexdigest() + "\n"


def pack_facts(path: Path) -> str:
    """What the file says about itself, its pages, its bookmarks and links with the pages that they lead to."""
    with pikepdf.open(path) as pdf:
        sizes = [" × ".join(str(round(float(number), 1)) for number in page.mediabox[2:]) for page in pdf.pages]
        lines = [
            f"title: {pdf.docinfo['/Title']}",
            f"language: {pdf.Root['/Lang']}",
            f"tagged: {bool(pdf.Root['/MarkInfo']['/Marked'])}",
            f"carries: {', '.join(pdf.attachments)}",
            f"fonts: {', '.join(sorted(fonts(pdf)))}",
            *(f"pages of {size}: {sizes.count(size)}" for size in sorted({*sizes})),
        ]
        numbers = {page.obj.objgen: number for number, page in enumerate(pdf.pages, start=1)}
        with pdf.open_outline() as outline:
            lines += marks(outline.root, numbers)
        for page in pdf.pages:
            for link in page.get("/Annots") or ():
                there: Any = link.get("/Dest") or link["/A"]["/D"]
                lines.append(f"link on {numbers[page.obj.objgen]} to {numbers[there[0].objgen]}")
        assert pdf.check_pdf_syntax() == []
    return "\n".join(lines) + "\n"


def marks(items: Any, numbers: dict[Any, int], deep: int = 0) -> list[str]:
    """Bookmarks, those of bars under those of their part."""
    lines = []
    for item in items:
        lines.append(f"{'  ' * deep}{item.title}: {numbers[item.destination[0].objgen]}")
        lines += marks(item.children, numbers, deep + 1)
    return lines


def check_sides(pdf: pikepdf.Pdf, name: str) -> None:
    """A battle is played from few sides of paper."""
    numbers = {page.obj.objgen: number for number, page in enumerate(pdf.pages)}
    with pdf.open_outline() as outline:
        there: list[Any] = [item.destination for item in outline.root]
    _, *begins = [numbers[destination[0].objgen] for destination in there]
    ends = [*begins[1:], len(pdf.pages)]
    pages = {part.sheet: end - begin for part, begin, end in zip(pack(name).parts, begins, ends, strict=True)}
    assert pages["1-table"] <= MOST_OF_TABLE
    sides = begins[0] + sum(count for part, count in pages.items() if not part.startswith("9"))
    assert sides <= MOST_SIDES


@pytest.mark.parametrize("name", PACKS)
def test_a_pack_is_as_approved(name: str, tmp_path: Path, *, update_golden: bool) -> None:
    record = HERE / "made" / f"{pack(name).stem.removesuffix('-pack')}-pack-a4-colour.txt"
    if update_golden:
        record.write_text(pack_made_of(name), encoding="utf-8")
    same = record.is_file() and record.read_text(encoding="utf-8") == pack_made_of(name)
    if same and not update_golden:
        return  # the same parts, bound by the same hand: the same file, which takes long to make
    with Printer(Output(tmp_path, no_cache=True)) as printer:
        [made] = printer.print_all([pack(name)])
    path = Path(made["path"])
    assert path.stat().st_size < LARGEST
    with pikepdf.open(path) as pdf:
        check_pages(pdf)
        if name not in BOOKS:
            check_sides(pdf, name)
    if name == BATTLE:
        compare(
            HERE / "facts" / f"{pack(name).stem.removesuffix('-pack')}-pack-a4.txt",
            pack_facts(path),
            update=update_golden,
        )
    assert same or not is_approved_environment(), "the pack has changed: look at its pages, then --update-golden"
