"""``setup/reference.py``: the page of every key agrees with the schemas and with the page on disk."""

from __future__ import annotations

import doctest
import re
from pathlib import Path

from generator.documents.blocks.registry import BLOCKS
from tests.conftest import reference

ROOT = Path(__file__).parents[2]
KEYS = ROOT / "docs" / "reference" / "keys.md"


def test_its_examples_hold() -> None:
    failed, attempted = doctest.testmod(reference())
    assert attempted
    assert not failed


def test_the_page_on_disk_is_up_to_date() -> None:
    page = KEYS.read_text(encoding="utf-8")
    assert reference().page() == page, "run python setup/reference.py docs/reference/keys.md"


def test_it_has_every_key_of_every_part() -> None:
    parts = reference().parts()
    shared = {entry.key for entry in reference().certificate().entries}
    assert shared == {"cite", "status", "support", "raw", "note", "used"}
    for name, schema in reference().schemas(BLOCKS).items():
        by_title = {part.title: part for part in parts[name]}
        for model in (schema, *schema.get("$defs", {}).values()):
            part = by_title.pop(name.capitalize() if model is schema else model["title"])
            keys = {entry.key for entry in part.entries} | (shared if part.certified else set())
            assert keys == set(model["properties"]), f"{name}, {part.title}"
            needed = {entry.key for entry in part.entries if entry.needed == "needed"}
            assert needed == set(model.get("required", ())), f"{name}, {part.title}"
            assert all(all(entry) for entry in part.entries), f"{name}, {part.title}"
        assert not by_title


def test_no_two_parts_share_a_heading() -> None:
    heads = re.findall(r"^#+ (.+)$", KEYS.read_text(encoding="utf-8"), re.MULTILINE)
    assert len(heads) > 40
    assert sorted(heads) == sorted(set(heads))


def test_it_says_what_a_key_may_be() -> None:
    entries = {
        f"{part.title}.{entry.key}": entry
        for inside in reference().parts().values()
        for part in inside
        for entry in part.entries
    }
    assert entries["Field.range"][1:3] == ("range", "see above")
    assert entries["Field.list"].kind == "names, each with [Field](#field)"
    assert entries["Line.points"].kind == "formula"
    assert entries["Line.for_n"].kind == "list of 2 formulas"
    assert entries["Row.columns"].kind == "list of 1 to 3 lists of [Section](#section), at least 1"
    assert entries["Hexes block.size"][1:3] == ("whole number, 4 to 20", "else `8`")
    assert entries["Procedure.steps"].kind == "list of texts or [Step](#step)"
    assert entries["Change.with"].needed == "see above"
