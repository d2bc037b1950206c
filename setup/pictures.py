"""Makes the pictures of the README from real pages: ``python setup/pictures.py``."""

from __future__ import annotations

import tempfile
from pathlib import Path

import pypdfium2

from generator import pipeline
from generator.rules.library import open_library

FOLDER = Path(__file__).resolve().parent.parent / "docs" / "pictures"
WIDTH = 560
PAGES = (("dirtside2-fma", "quick-reference", 1), ("dirtside2-fma", "odds", 1), ("dirtside2-iceburg", "costs", 2))


def main() -> None:
    """One picture for each page, in black ink."""
    FOLDER.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        for ruleset, sheet, page in PAGES:
            data = pipeline.build(open_library(), (ruleset,), Path(folder), inks=("mono",), only=(sheet,))
            document = pypdfium2.PdfDocument(data["built"][0]["path"])
            drawn = document[page - 1]
            picture = drawn.render(scale=WIDTH / drawn.get_width()).to_pil().convert("L").quantize(32)
            picture.save(FOLDER / f"{ruleset}-{sheet}.png", optimize=True)


if __name__ == "__main__":
    main()
