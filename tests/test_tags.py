"""Every PDF can be heard: every table has headers or is a list, every figure a text, every letter its tag."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

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
            assert max(_paths(page) for page in pdf.pages) <= 3100
        assert (tmp_path / one["path"]).stat().st_size < 1_500_000


def _paths(page: pikepdf.Page) -> int:
    """How many path operators of a page are drawn; those of clips are not."""
    drawn: list[Any] = [page, *page.resources.get("/XObject", pikepdf.Dictionary()).values()]
    count = path = 0
    for part in (one for one in drawn if one is page or str(one.get("/Subtype")) == "/Form"):
        for instruction in pikepdf.parse_content_stream(part):
            name = str(instruction.operator)
            path += name in ("m", "l", "c", "v", "y", "h", "re")
            if name in ("f", "F", "f*", "S", "s", "B", "B*", "b", "b*"):
                count, path = count + path, 0
            elif name == "n":
                path = 0
    return count
