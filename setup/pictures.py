"""Makes the pictures of the README and of the tutorial from real pages: ``python setup/pictures.py``."""

from __future__ import annotations

import re
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

import pypdfium2

from generator.commands import printing
from generator.commands.access import open_library
from generator.commands.jobs import Selection
from generator.commands.printer import Output
from generator.resources import rulesdata

if TYPE_CHECKING:
    from PIL import Image

    from generator.render.blocks import Ink

DOCS = Path(__file__).resolve().parent.parent / "docs"
FOLDER = DOCS / "pictures"
TUTORIAL = DOCS / "write-your-own.md"
SHOWN = re.compile(r"^```yaml\n(# (?P<path>[\w./-]+)\n.*?)^```$", re.MULTILINE | re.DOTALL)
WIDTH = 560
CARDS = "tessaly-brigade"
"""A sample force, whose cards are shown."""
PAGES: tuple[tuple[str, str, int, Ink, int], ...] = (
    ("dirtside2", "play", 1, "colour", WIDTH),
    ("dirtside2", "fire-odds", 1, "colour", WIDTH),
    ("dirtside2-iceburg", "costs", 2, "mono", WIDTH),
    ("dust-storm", "card", 1, "colour", WIDTH),
    (CARDS, "cards", 1, "colour", 2 * WIDTH),
)
"""What is printed, which sheet and page of it, in which ink, and how many pixels wide the picture is."""
BATTLE, PART = "three-bridges", "1-table"
"""A finished battle, and the part of its pack whose first page is shown."""


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
            data, _ = printing.build(library, (said,), Output(folder, inks=(ink,)), selection=Selection(only=(sheet,)))
            document = pypdfium2.PdfDocument(data["built"][0]["path"])
            save(draw(document, page, width), f"{what}-{sheet}", ink)
        data, _ = printing.build(library, (BATTLE,), Output(folder), selection=Selection(parts=(PART,)))
        document = pypdfium2.PdfDocument(data["built"][0]["path"])
        save(draw(document, 1, 2 * WIDTH), f"{BATTLE}-table", "colour")


def draw(document: pypdfium2.PdfDocument, page: int, width: int) -> Image.Image:
    """A page as wide as that."""
    drawn = document[page - 1]
    picture: Image.Image = drawn.render(scale=width / drawn.get_width()).to_pil()
    return picture


def save(picture: Image.Image, name: str, ink: Ink) -> None:
    """Small, as documentation needs it."""
    picture.convert("L" if ink == "mono" else "RGB").quantize(128).save(FOLDER / f"{name}.png", optimize=True)


if __name__ == "__main__":
    main()
