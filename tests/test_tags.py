"""Every PDF can be heard: every table has headers or is a list, every figure a text, every letter its tag."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pikepdf
import pytest

from generator.pipeline.printing import build
from generator.rules.library import open_library
from generator.scenarios.battles import battles_in_reach
from tests.tag_walker import findings

if TYPE_CHECKING:
    from pathlib import Path

LIBRARY = open_library()


@pytest.mark.slow
@pytest.mark.parametrize("what", [*LIBRARY.ids(), *battles_in_reach(LIBRARY)])
def test_the_tags_of_what_is_shipped(what: str, tmp_path: Path) -> None:
    built = build(LIBRARY, [what], tmp_path)[0]["built"]
    assert built
    for one in built:
        with pikepdf.open(one["path"]) as pdf:
            assert findings(pdf) == [], one["path"]
            assert max(_paths(page) for page in pdf.pages) <= 3000, "a printer draws each of them"
        assert (tmp_path / one["path"]).stat().st_size < 1_500_000


def _paths(page: pikepdf.Page) -> int:
    """How many points of paths a page has."""
    drawn = [page, *(form for form in page.resources.get("/XObject", {}).values() if form.get("/Subtype") == "/Form")]
    operators = [str(one.operator) for part in drawn for one in pikepdf.parse_content_stream(part)]
    return sum(one in ("m", "l", "c", "v", "y", "h", "re") for one in operators)
