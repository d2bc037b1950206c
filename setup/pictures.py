"""Makes the pictures of the README and of the tutorial from real pages: ``python setup/pictures.py``."""

from __future__ import annotations

import re
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

import pypdfium2

from generator.pipeline import printing
from generator.pipeline.jobs import Wanted
from generator.rules.library import open_library

if TYPE_CHECKING:
    from generator.render.blocks import Ink

DOCS = Path(__file__).resolve().parent.parent / "docs"
FOLDER = DOCS / "pictures"
TUTORIAL = DOCS / "write-your-own.md"
SHOWN = re.compile(r"^```yaml\n(# (?P<path>[\w./-]+)\n.*?)^```$", re.MULTILINE | re.DOTALL)
WIDTH = 560
PAGES: tuple[tuple[str, str, int, Ink], ...] = (
    ("dirtside2-fma", "quick-reference", 1, "mono"),
    ("dirtside2-fma", "odds", 1, "mono"),
    ("dirtside2-iceburg", "costs", 2, "mono"),
    ("dust-storm", "card", 1, "colour"),
)


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
        for ruleset, sheet, page, ink in PAGES:
            data, _ = printing.build(library, (ruleset,), folder, inks=(ink,), wanted=Wanted(only=(sheet,)))
            document = pypdfium2.PdfDocument(data["built"][0]["path"])
            drawn = document[page - 1]
            picture = drawn.render(scale=WIDTH / drawn.get_width()).to_pil()
            picture = picture.convert("L" if ink == "mono" else "RGB").quantize(32)
            picture.save(FOLDER / f"{ruleset}-{sheet}.png", optimize=True)


if __name__ == "__main__":
    main()
