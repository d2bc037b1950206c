"""Makes the pictures of the README and of the tutorial from real pages: ``python setup/pictures.py``."""

from __future__ import annotations

import re
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

import pypdfium2
from PIL import Image

from generator.commands import printing
from generator.commands.access import open_library
from generator.commands.jobs import Selection
from generator.resources import rulesdata

if TYPE_CHECKING:
    from generator.render.blocks import Ink

DOCS = Path(__file__).resolve().parent.parent / "docs"
FOLDER = DOCS / "pictures"
TUTORIAL = DOCS / "write-your-own.md"
SHOWN = re.compile(r"^```yaml\n(# (?P<path>[\w./-]+)\n.*?)^```$", re.MULTILINE | re.DOTALL)
WIDTH = 560
CARDS = "tessaly-brigade"
"""A sample force, whose cards are shown."""
PAGES: tuple[tuple[str, str, int, Ink, int], ...] = (
    ("dirtside2-fma", "quick-reference", 1, "mono", WIDTH),
    ("dirtside2-fma", "odds", 1, "mono", WIDTH),
    ("dirtside2-iceburg", "costs", 2, "mono", WIDTH),
    ("dust-storm", "card", 1, "colour", WIDTH),
    (CARDS, "cards", 1, "mono", 2 * WIDTH),
)
BATTLE, SPREAD = "sallow-head", ("Cover", "Map and deployment", "Raiders: orders")
"""A finished battle, and the parts of its pack whose first pages stand side by side, by their bookmarks."""
"""What is printed, which sheet and page of it, in which ink, and how many pixels wide the picture is."""


def write_tutorial(folder: Path) -> None:
    """The files of the tutorial, as they stand at its end."""
    for match in SHOWN.finditer(TUTORIAL.read_text(encoding="utf-8")):
        path = folder / match["path"]
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(match[1], encoding="utf-8")


def main() -> None:
    """One picture for each page."""
    FOLDER.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as made:
        folder = Path(made)
        write_tutorial(folder)
        library = open_library(folder)
        for what, sheet, page, ink, width in PAGES:
            said = str(rulesdata() / "dirtside2" / "samples" / f"{what}.yaml") if what == CARDS else what
            data, _ = printing.build(library, (said,), folder, inks=(ink,), selection=Selection(only=(sheet,)))
            document = pypdfium2.PdfDocument(data["built"][0]["path"])
            save(draw(document, page, width), f"{what}-{sheet}", ink)
        data, _ = printing.build(library, (BATTLE,), folder, inks=("mono",))
        document = pypdfium2.PdfDocument(data["built"][0]["path"])
        first = {mark.get_title(): mark.get_dest().get_index() + 1 for mark in document.get_toc(max_depth=1)}
        drawn = [draw(document, first[title], 2 * WIDTH // len(SPREAD)) for title in SPREAD]
        spread = Image.new("RGB", (sum(one.width for one in drawn), drawn[0].height), "white")
        for number, one in enumerate(drawn):
            spread.paste(one, (sum(before.width for before in drawn[:number]), 0))
        save(spread, f"{BATTLE}-pack", "mono")


def draw(document: pypdfium2.PdfDocument, page: int, width: int) -> Image.Image:
    """A page as wide as that."""
    drawn = document[page - 1]
    picture: Image.Image = drawn.render(scale=width / drawn.get_width()).to_pil()
    return picture


def save(picture: Image.Image, name: str, ink: Ink) -> None:
    """Small, as documentation needs it."""
    picture.convert("L" if ink == "mono" else "RGB").quantize(32).save(FOLDER / f"{name}.png", optimize=True)


if __name__ == "__main__":
    main()
